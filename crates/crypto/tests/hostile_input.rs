//! No input makes a provider panic: arbitrary bytes and slightly damaged encodings go through every import, and what
//! is accepted is used.

mod support;

use crypto::{Agreement, Algorithm, Kem, Randomness, SecretForm, SignatureScheme};
use proptest::prelude::*;
use support::{FORMS, bytes, exported, providers, public_of, public_of_kem, secret_size, signing_key, slow};

fn use_kem(kem: &dyn Kem, input: &[u8]) {
    let row = kem.algorithm();
    let mut ciphertext = vec![0; row.sizes.ciphertext.unwrap()];
    let mut shared = vec![0; 32];
    if let Ok(key) = kem.import_public(input) {
        let _ = key.encapsulate(&mut ciphertext, &mut shared);
        let _ = key.export_public(&mut vec![0; input.len()]);
    }
    for form in FORMS {
        if let Ok(key) = kem.import_secret(form, input) {
            let _ = key.decapsulate(&bytes("ciphertext", ciphertext.len()), &mut shared);
            let _ = key.decapsulate(&vec![0xFF; ciphertext.len()], &mut shared);
            let _ = exported(|out| key.export_public(out));
            let _ = exported(|out| key.export_secret(SecretForm::Expanded, out));
        }
    }
}

fn use_signature(scheme: &dyn SignatureScheme, input: &[u8]) {
    let row = scheme.algorithm();
    if let Ok(key) = scheme.import_public(input) {
        let _ = key.verify(b"message", b"", &bytes("signature", row.sizes.signature.unwrap()));
        let _ = key.verify(b"message", b"", input);
        let _ = exported(|out| key.export_public(out));
    }
    for form in FORMS {
        // The seed of a small SLH-DSA set is a key generation of a good part of a second.
        if slow(row) && form == SecretForm::Seed && secret_size(row, form) == Some(input.len()) {
            continue;
        }
        if let Ok(key) = scheme.import_secret(form, input) {
            if quick(row) {
                let _ = exported(|out| key.sign(b"message", b"", Randomness::Library, out));
            }
            let _ = exported(|out| key.export_public(out));
            let _ = exported(|out| key.export_secret(form, out));
        }
    }
}

fn use_agreement(scheme: &dyn Agreement, input: &[u8]) {
    let mut shared = vec![0; scheme.algorithm().sizes.shared.unwrap()];
    if let Ok(peer) = scheme.import_public(input) {
        let _ = scheme.generate().unwrap().derive(&*peer, &mut shared);
    }
    if let Ok(key) = scheme.import_secret(input) {
        let own = exported(|out| key.export_public(out)).unwrap();
        let _ = key.derive(&*scheme.import_public(&own).unwrap(), &mut shared);
    }
}

fn use_everywhere(input: &[u8]) {
    for provider in providers() {
        provider.kems.iter().for_each(|kem| use_kem(*kem, input));
        provider.signatures.iter().for_each(|scheme| use_signature(*scheme, input));
        provider.agreements.iter().for_each(|scheme| use_agreement(*scheme, input));
        for aead in &provider.aeads {
            for key in [input, &bytes("key", aead.algorithm().sizes.key.unwrap())] {
                let Ok(key) = aead.import_key(key) else { continue };
                let nonce = bytes("nonce", aead.algorithm().sizes.nonce.unwrap());
                let _ = key.open(&nonce, input, input, &mut vec![0; input.len()]);
                let _ = key.open(input, b"", input, &mut vec![0; input.len()]);
                let _ = key.seal(input, b"", input, &mut vec![0; input.len() + 16]);
            }
        }
    }
}

/// Lengths that some import expects, so that more than the length check is reached.
fn telling_lengths() -> Vec<usize> {
    let mut lengths: Vec<usize> = providers()
        .iter()
        .flat_map(|provider| provider.algorithms())
        .flat_map(|row| [row.sizes.public, row.sizes.secret, row.sizes.seed, row.sizes.key])
        .flatten()
        .collect();
    lengths.sort_unstable();
    lengths.dedup();
    lengths
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_of_any_length(input in proptest::collection::vec(any::<u8>(), 0..6000)) {
        use_everywhere(&input);
    }

    #[test]
    fn arbitrary_bytes_of_a_telling_length(
        length in proptest::sample::select(telling_lengths()),
        random in proptest::collection::vec(any::<u8>(), 8000),
    ) {
        use_everywhere(&random[..length]);
    }

    #[test]
    fn one_repeated_byte_of_a_telling_length(
        length in proptest::sample::select(telling_lengths()),
        byte in prop_oneof![Just(0), Just(1), Just(2), Just(4), Just(0x30), Just(0x80), Just(0xFF), any::<u8>()],
    ) {
        use_everywhere(&vec![byte; length]);
    }
}

/// One SLH-DSA set stands for all: they differ in numbers, and each signature takes long.
fn quick(row: &Algorithm) -> bool {
    !row.name.starts_with("SLH-DSA") || row.name == "SLH-DSA-SHAKE-128f"
}

/// Damage to a valid encoding: which byte, as a share of its length, and its new value.
fn damages() -> impl Strategy<Value = Vec<(f64, u8)>> {
    proptest::collection::vec((0.0..1.0, prop_oneof![Just(0), Just(0xFF), any::<u8>()]), 1..6)
}

fn damaged(valid: &[u8], damages: &[(f64, u8)]) -> Vec<u8> {
    let mut input = valid.to_vec();
    for (place, value) in damages {
        let position = (place * input.len() as f64) as usize;
        input[position] = *value;
    }
    input
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_keys_ciphertexts_and_signatures(damages in damages()) {
        for provider in providers() {
            for kem in &provider.kems {
                let key = kem.generate().unwrap();
                use_kem(*kem, &damaged(&public_of_kem(&*key), &damages));
                for form in FORMS {
                    if let Ok(secret) = exported(|out| key.export_secret(form, out)) {
                        use_kem(*kem, &damaged(&secret, &damages));
                    }
                }
            }
            for scheme in provider.signatures.iter().filter(|scheme| quick(scheme.algorithm())) {
                let key = signing_key(*scheme);
                let public = public_of(&*key);
                use_signature(*scheme, &damaged(&public, &damages));
                for form in FORMS {
                    if let Ok(secret) = exported(|out| key.export_secret(form, out)) {
                        use_signature(*scheme, &damaged(&secret, &damages));
                    }
                }
                let signature = exported(|out| key.sign(b"message", b"", Randomness::Library, out)).unwrap();
                let altered = damaged(&signature, &damages);
                let verified = scheme.import_public(&public).unwrap().verify(b"message", b"", &altered).unwrap();
                prop_assert!(!verified || altered == signature, "{}", scheme.algorithm().name);
            }
            for scheme in &provider.agreements {
                let public = exported(|out| scheme.generate().unwrap().export_public(out)).unwrap();
                use_agreement(*scheme, &damaged(&public, &damages));
            }
        }
    }
}
