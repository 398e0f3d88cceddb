//! The contract of the traits, over every algorithm of every linked provider.

#[path = "../support/mod.rs"]
mod support;

mod agreement;
mod kem;
mod signature;
mod symmetric;

use crypto::find;
use support::{libraries, providers};

#[test]
fn identities_are_complete_and_rows_belong_to_the_catalogue() {
    let compiled_in = [cfg!(feature = "aws-lc"), cfg!(feature = "rustcrypto"), cfg!(feature = "libcrux")];
    let compiled_in = compiled_in.iter().filter(|present| **present).count();
    assert_eq!(providers().len(), compiled_in + libraries().len());
    for provider in providers() {
        let identity = &provider.identity;
        assert!(identity.version.starts_with(|c: char| c.is_ascii_digit()), "{identity:?}");
        assert!(identity.isa_path.as_ref().is_some_and(|path| !path.is_empty()), "{identity:?}");
        assert!(!provider.algorithms().is_empty(), "{}", identity.id());
        for row in provider.algorithms() {
            assert_eq!(find(row.name), Some(row), "{}", identity.id());
        }
        let mut names: Vec<_> = provider.algorithms().iter().map(|row| row.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), provider.algorithms().len(), "{} has a name twice", identity.id());
    }
}

#[cfg(feature = "rustcrypto")]
#[test]
fn rustcrypto_offers_its_part_of_the_catalogue() {
    let provider = crypto::provider::rustcrypto::provider();
    let missing: Vec<_> =
        crypto::catalogue().iter().map(|row| row.name).filter(|name| provider.algorithm(name).is_none()).collect();
    assert_eq!(missing, ["X448", "Ed448"]);
    assert!(provider.identity.flags.unwrap().contains("slh-dsa 0."));
}

#[cfg(feature = "libcrux")]
#[test]
fn libcrux_offers_its_part_of_the_catalogue() {
    let provider = crypto::provider::libcrux::provider();
    for name in ["ML-KEM-512", "ML-KEM-768", "ML-KEM-1024", "ML-DSA-44", "ML-DSA-65", "ML-DSA-87", "Ed25519", "X25519"]
    {
        assert!(provider.algorithm(name).is_some(), "{name}");
    }
    assert_eq!((provider.hashes.len(), provider.macs.len(), provider.kdfs.len()), (10, 5, 4));
}
