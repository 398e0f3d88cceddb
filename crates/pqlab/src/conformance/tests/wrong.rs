//! Each kind of wrong provider is caught by the vectors, by the cross-check and by the gate, and nobody else is blamed.

use super::faulty::{Faulty, Flaw};
use super::offering;
use crate::conformance::blame::{Standing, blame};
use crate::conformance::cross::{Depth, cross_check};
use crate::conformance::gate::gate;
use crate::conformance::runner::{Settings, run};
use crate::conformance::{Performer, embedded};
use crate::workload::operation::Operation;
use crypto::find;

/// The right providers of `algorithm`, with the faulty one among them; its index.
fn company(algorithm: &str, flaw: Flaw) -> (Vec<Box<dyn Performer>>, usize) {
    let mut all = offering(algorithm);
    assert!(!all.is_empty(), "no linked provider offers {algorithm}");
    let at = all.len().min(1);
    all.insert(at, Faulty::of("rustcrypto", flaw));
    (all, at)
}

fn caught_by_vectors(algorithm: &str, flaw: Flaw) {
    let set = embedded::all().unwrap();
    let name = find(algorithm).unwrap().name;
    let settings = Settings { algorithms: &[name], keep: 2 };
    let (mut all, faulty) = company(algorithm, flaw);
    for (index, performer) in all.iter_mut().enumerate() {
        let failed: usize = run(&mut **performer, &set, settings, &|| ()).iter().map(|t| t.failed).sum();
        assert_eq!(failed > 0, index == faulty, "{algorithm}, {flaw:?}: {} failed {failed}", performer.id());
    }
}

/// Without any known answer: three or more, so that a minority can be told.
fn caught_by_cross_check(algorithm: &str, flaw: Flaw) {
    let (mut all, faulty) = company(algorithm, flaw);
    if all.len() < 3 {
        all.push(offering(algorithm).remove(0));
    }
    let indices: Vec<usize> = (0..all.len()).collect();
    for depth in [Depth::Quick, Depth::Full] {
        let findings = cross_check(&mut all, &indices, algorithm, depth);
        let standings: Vec<Standing> = findings
            .faults
            .iter()
            .zip(&all)
            .map(|(faults, p)| Standing { provider: p.id(), trusted: false, faults: faults.clone() })
            .collect();
        let failures = blame(&standings, &findings.disagreements);
        for (index, list) in failures.iter().enumerate() {
            assert_eq!(!list.is_empty(), index == faulty, "{algorithm}, {flaw:?}, {depth:?}: {index} {list:?}");
        }
    }
}

fn caught_by_gate(algorithm: &str, flaw: Flaw) {
    let (mut all, faulty) = company(algorithm, flaw);
    let verdicts = gate(&mut all, algorithm);
    assert_eq!(verdicts.len(), all.len());
    for (index, verdict) in verdicts.iter().enumerate() {
        assert_eq!(verdict.passed, index != faulty, "{algorithm}, {flaw:?}: {verdict:?}");
        assert_eq!(verdict.passed, verdict.failures.is_empty());
    }
}

macro_rules! caught {
    ($($name:ident: $algorithm:literal, $flaw:expr;)+) => {$(
        #[test]
        fn $name() {
            caught_by_vectors($algorithm, $flaw);
            caught_by_cross_check($algorithm, $flaw);
            caught_by_gate($algorithm, $flaw);
        }
    )+};
}

caught! {
    decapsulation_off_by_a_bit: "ML-KEM-768", Flaw::Flips(Operation::Decaps, "shared");
    derandomised_encapsulation_off_by_a_bit: "ML-KEM-512", Flaw::Flips(Operation::EncapsDerand, "ciphertext");
    key_from_a_seed_off_by_a_bit: "ML-KEM-768", Flaw::Flips(Operation::ImportSeed, "public");
    one_secret_for_all_ciphertexts: "ML-KEM-512", Flaw::SameSecret;
    public_key_check_too_lax: "ML-KEM-512", Flaw::LaxPublicKey;
    points_off_the_curve_taken: "P-256", Flaw::LaxPublicKey;
    every_ml_dsa_signature_valid: "ML-DSA-44", Flaw::VerifiesAll;
    every_ecdsa_signature_valid: "ECDSA-P256-SHA256", Flaw::VerifiesAll;
    every_rsa_signature_valid: "RSA-2048-PKCS1-SHA256", Flaw::VerifiesAll;
    context_ignored: "ML-DSA-65", Flaw::IgnoresContext;
    deterministic_signature_off_by_a_bit: "ML-DSA-44", Flaw::Flips(Operation::SignDeterministic, "signature");
    every_tag_authentic: "AES-256-GCM", Flaw::OpensAll;
    sealing_off_by_a_bit: "ChaCha20-Poly1305", Flaw::Flips(Operation::Seal, "sealed");
    digest_off_by_a_bit: "SHA3-256", Flaw::Flips(Operation::Hash, "digest");
    tag_of_a_mac_off_by_a_bit: "HMAC-SHA256", Flaw::Flips(Operation::Mac, "tag");
    agreed_secret_off_by_a_bit: "X25519", Flaw::Flips(Operation::Derive, "shared");
    salt_ignored: "HKDF-SHA256", Flaw::IgnoresSalt;
    a_worker_that_dies: "SHA-256", Flaw::Dies;
}

/// No vector has hedged signatures: the round trip and the others' verification must catch them.
#[test]
fn hedged_signature_off_by_a_bit() {
    let flaw = Flaw::Flips(Operation::Sign, "signature");
    for algorithm in ["ML-DSA-65", "ECDSA-P384-SHA384"] {
        caught_by_cross_check(algorithm, flaw);
        caught_by_gate(algorithm, flaw);
    }
}

/// One provider alone, no vectors: the verdict says how little it rests on, and still catches what a round trip can.
#[test]
fn alone_and_without_vectors_it_is_a_round_trip() {
    let algorithm = "SLH-DSA-SHA2-192s";
    let rustcrypto = || offering(algorithm).into_iter().find(|p| p.id().starts_with("rustcrypto")).unwrap();
    let verdicts = gate(&mut [rustcrypto()], algorithm);
    assert_eq!(verdicts.len(), 1);
    assert_eq!((verdicts[0].basis, verdicts[0].passed), ("round trip only", true), "{verdicts:?}");
    let verdicts = gate(&mut [Faulty::of("rustcrypto", Flaw::VerifiesAll)], algorithm);
    assert_eq!((verdicts[0].basis, verdicts[0].passed), ("round trip only", false), "{verdicts:?}");
}

/// Two providers, no vectors, and they disagree: nobody can be believed, and both verdicts say so.
#[test]
fn two_without_vectors_that_disagree_both_fail() {
    let algorithm = "HKDF-SHA3-256";
    let mut two = offering(algorithm);
    two.truncate(1);
    two.push(Faulty::of("rustcrypto", Flaw::IgnoresSalt));
    let verdicts = gate(&mut two, algorithm);
    assert!(verdicts.iter().all(|v| !v.passed && v.basis == "cross-check"), "{verdicts:?}");
    assert!(verdicts[0].failures[0].contains("no majority or known answer decides"), "{verdicts:?}");
}

/// Two providers and vectors: the known answers say which one.
#[test]
fn two_with_vectors_are_told_apart() {
    let algorithm = "SHA-256";
    let mut two = offering(algorithm);
    two.truncate(1);
    two.push(Faulty::of("rustcrypto", Flaw::Flips(Operation::Hash, "digest")));
    let verdicts = gate(&mut two, algorithm);
    assert_eq!(verdicts.iter().map(|v| v.passed).collect::<Vec<_>>(), [true, false], "{verdicts:?}");
    assert!(verdicts.iter().all(|v| v.basis == "vectors"));
}

/// A worker that is lost costs one failure in each algorithm, not a wait for each case.
#[test]
fn a_lost_worker_is_not_asked_again_for_the_algorithm() {
    let set = embedded::all().unwrap();
    let mut dead = Faulty::of("rustcrypto", Flaw::Dies);
    let tallies = run(&mut *dead, &set, Settings { algorithms: &["AES-256-GCM"], keep: 5 }, &|| ());
    assert_eq!(tallies.len(), 1);
    assert_eq!((tallies[0].passed, tallies[0].failed), (0, 1));
    assert!(tallies[0].skipped() > 0);
    assert!(tallies[0].failures[0].what.contains("signal 11"));
}

#[test]
fn the_null_provider_is_a_control() {
    let make = crypto::provider::linked().into_iter().find(|(name, _)| *name == "null").unwrap().1;
    let mut null: Vec<Box<dyn Performer>> = vec![Box::new(crate::conformance::InProcess(make()))];
    let verdicts = gate(&mut null, "null-kem");
    assert_eq!((verdicts[0].basis, verdicts[0].passed), ("control", true));
    assert!(gate(&mut null, "ML-KEM-768").is_empty());
}
