//! AEAD, hash, MAC and key derivation.

use crate::support::{bytes, fault, label, providers};
use crypto::Fault;

#[test]
fn aead_opens_only_what_was_sealed() {
    for provider in providers() {
        for aead in &provider.aeads {
            let row = aead.algorithm();
            let at = label(provider, row);
            let (tag, nonce_len) = (row.sizes.tag.unwrap(), row.sizes.nonce.unwrap());
            let key = aead.import_key(&bytes("key", row.sizes.key.unwrap())).unwrap();
            let nonce = bytes("nonce", nonce_len);
            for len in [0, 1, 15, 16, 17, 64, 1000, 4097] {
                for aad in [&b""[..], b"a", &[7; 200]] {
                    let plaintext = bytes("plaintext", len);
                    let mut sealed = vec![0; len + tag];
                    key.seal(&nonce, aad, &plaintext, &mut sealed).unwrap();
                    let mut opened = vec![0xAA; len];
                    assert!(key.open(&nonce, aad, &sealed, &mut opened).unwrap(), "{at} {len}");
                    assert_eq!(opened, plaintext, "{at} {len}");
                    let refused = |nonce: &[u8], aad: &[u8], sealed: &[u8], what: &str| {
                        let mut out = vec![0xAA; len];
                        assert!(!key.open(nonce, aad, sealed, &mut out).unwrap(), "{at} {len}: {what}");
                        assert!(len < 15 || out != plaintext, "{at} {len}: plaintext left behind, {what}");
                    };
                    for position in [0, len, len + tag - 1] {
                        let mut altered = sealed.clone();
                        altered[position] ^= 0x80;
                        refused(&nonce, aad, &altered, "altered");
                    }
                    refused(&nonce, b"other", &sealed, "other associated data");
                    refused(&bytes("other", nonce_len), aad, &sealed, "other nonce");
                }
            }
            let sealed = vec![0; tag + 4];
            assert!(!key.open(&nonce, b"", &sealed[..tag - 1], &mut []).unwrap(), "{at}: shorter than a tag");
            for wrong in [0, nonce_len - 1, nonce_len + 1] {
                fault(key.seal(&vec![0; wrong], b"", b"text", &mut sealed.clone()), Fault::Usage, &at);
                fault(key.open(&vec![0; wrong], b"", &sealed, &mut [0; 4]), Fault::Usage, &at);
            }
            fault(key.seal(&nonce, b"", b"text", &mut vec![0; tag + 3]), Fault::Usage, &at);
            fault(key.open(&nonce, b"", &sealed, &mut [0; 3]), Fault::Usage, &at);
            for wrong in [0, row.sizes.key.unwrap() - 1, row.sizes.key.unwrap() + 1] {
                fault(aead.import_key(&vec![0; wrong]), Fault::Input, &at);
            }
        }
    }
}

#[test]
fn hash_outputs_have_the_right_size_and_depend_on_the_message() {
    for provider in providers() {
        for hash in &provider.hashes {
            let row = hash.algorithm();
            let at = label(provider, row);
            let size = row.sizes.output.unwrap();
            let digest = |message: &[u8]| {
                let mut out = vec![0; size];
                hash.hash(message, &mut out).map(|()| out).unwrap()
            };
            let mut seen = std::collections::HashSet::new();
            for len in [0, 1, 55, 56, 63, 64, 65, 111, 112, 128, 135, 136, 137, 167, 168, 169, 10_000] {
                assert!(seen.insert(digest(&vec![0; len])), "{at}: collision at {len}");
            }
            if row.name.starts_with("SHAKE") {
                let mut long = vec![0; 1000];
                hash.hash(b"message", &mut long).unwrap();
                assert_eq!(long[..size], digest(b"message"), "{at}");
                assert!(long[size..].iter().any(|byte| *byte != 0), "{at}");
            } else {
                fault(hash.hash(b"", &mut vec![0; size - 1]), Fault::Usage, &at);
            }
        }
    }
}

#[test]
fn macs_depend_on_key_and_message() {
    for provider in providers() {
        for mac in &provider.macs {
            let row = mac.algorithm();
            let at = label(provider, row);
            let mut seen = std::collections::HashSet::new();
            for len in [0, 1, 32, 72, 73, 128, 136, 144, 300] {
                let key = mac.import_key(&bytes("key", len)).unwrap();
                for message in [&b""[..], b"message", &[0; 5000]] {
                    let mut tags = [vec![0; row.sizes.output.unwrap()], vec![1; row.sizes.output.unwrap()]];
                    for tag in &mut tags {
                        key.mac(message, tag).unwrap();
                    }
                    assert_eq!(tags[0], tags[1], "{at}: a prepared key is used up");
                    assert!(seen.insert(tags[0].clone()), "{at}: tag repeats, key of {len}");
                }
                fault(key.mac(b"", &mut vec![0; row.sizes.output.unwrap() - 1]), Fault::Usage, &at);
            }
        }
    }
}

#[test]
fn kdf_output_is_a_prefix_of_longer_output_up_to_the_limit() {
    for provider in providers() {
        for kdf in &provider.kdfs {
            let row = kdf.algorithm();
            let at = label(provider, row);
            let hash = match row.name {
                "HKDF-SHA384" => 48,
                "HKDF-SHA512" => 64,
                _ => 32,
            };
            let mut longest = vec![0; 255 * hash];
            kdf.derive(b"ikm", b"salt", b"info", &mut longest).unwrap();
            for len in [1, 31, 32, 33, 200] {
                let mut out = vec![0; len];
                kdf.derive(b"ikm", b"salt", b"info", &mut out).unwrap();
                assert_eq!(out, longest[..len], "{at}");
            }
            for [ikm, salt, info] in [["ikn", "salt", "info"], ["ikm", "salu", "info"], ["ikm", "salt", "infp"]] {
                let mut out = vec![0; 32];
                kdf.derive(ikm.as_bytes(), salt.as_bytes(), info.as_bytes(), &mut out).unwrap();
                assert_ne!(out, longest[..32], "{at}: {ikm} {salt} {info}");
            }
            fault(kdf.derive(b"ikm", b"salt", b"info", &mut vec![0; 255 * hash + 1]), Fault::Usage, &at);
        }
    }
}
