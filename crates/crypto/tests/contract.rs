//! The contract of the traits, over every algorithm of every linked provider.

mod support;

use crypto::{Fault, Randomness, SecretForm, SignatureScheme, Signer, Verifier, find};
use support::{
    FORMS, bytes, exported, fault, label, providers, public_of, public_of_kem, rsa_key, secret_size, signing_key, slow,
    slowest,
};

#[test]
fn identities_are_complete_and_rows_belong_to_the_catalogue() {
    let compiled_in = [cfg!(feature = "aws-lc"), cfg!(feature = "rustcrypto"), cfg!(feature = "libcrux")];
    assert_eq!(providers().len(), compiled_in.iter().filter(|present| **present).count());
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

#[test]
fn kem_round_trip_and_implicit_rejection() {
    for provider in providers() {
        for kem in &provider.kems {
            let row = kem.algorithm();
            let at = label(provider, row);
            let key = kem.generate().unwrap();
            let public = public_of_kem(&*key);
            assert_eq!(Some(public.len()), row.sizes.public, "{at}");
            let encapsulator = kem.import_public(&public).unwrap();
            assert_eq!(exported(|out| encapsulator.export_public(out)).unwrap(), public, "{at}");

            let mut ciphertext = vec![0; row.sizes.ciphertext.unwrap()];
            let mut sent = vec![0; row.sizes.shared.unwrap()];
            encapsulator.encapsulate(&mut ciphertext, &mut sent).unwrap();
            let mut received = vec![0; sent.len()];
            key.decapsulate(&ciphertext, &mut received).unwrap();
            assert_eq!(received, sent, "{at}");

            let mut second = vec![0; ciphertext.len()];
            encapsulator.encapsulate(&mut second, &mut received).unwrap();
            assert_ne!(second, ciphertext, "{at}: two encapsulations are equal");

            for position in [0, ciphertext.len() / 2, ciphertext.len() - 1] {
                let mut altered = ciphertext.clone();
                altered[position] ^= 1;
                let (mut first, mut again) = (vec![0; sent.len()], vec![0; sent.len()]);
                key.decapsulate(&altered, &mut first).unwrap();
                key.decapsulate(&altered, &mut again).unwrap();
                assert_ne!(first, sent, "{at}: altered at {position}");
                assert_eq!(first, again, "{at}: implicit rejection is not a function of the ciphertext");
            }
            assert_ne!(public_of_kem(&*kem.generate().unwrap()), public, "{at}: two generated keys are equal");
        }
    }
}

#[test]
fn kem_keys_survive_export_and_import() {
    for provider in providers() {
        for kem in &provider.kems {
            let row = kem.algorithm();
            let at = label(provider, row);
            let key = kem.generate().unwrap();
            let public = public_of_kem(&*key);
            let mut ciphertext = vec![0; row.sizes.ciphertext.unwrap()];
            let (mut sent, mut received) = (vec![0; 32], vec![0; 32]);
            kem.import_public(&public).unwrap().encapsulate(&mut ciphertext, &mut sent).unwrap();
            let mut exports = 0;
            for form in FORMS {
                let Ok(secret) = exported(|out| key.export_secret(form, out)) else {
                    fault(exported(|out| key.export_secret(form, out)), Fault::Unsupported, &at);
                    continue;
                };
                exports += 1;
                assert_eq!(Some(secret.len()), secret_size(row, form), "{at} {form:?}");
                let copy = kem.import_secret(form, &secret).unwrap();
                assert_eq!(public_of_kem(&*copy), public, "{at} {form:?}");
                copy.decapsulate(&ciphertext, &mut received).unwrap();
                assert_eq!(received, sent, "{at} {form:?}");
                assert_eq!(exported(|out| copy.export_secret(form, out)).unwrap(), secret, "{at} {form:?}");
            }
            assert!(exports > 0, "{at} releases its key in no form");
        }
    }
}

#[test]
fn kem_seeds_and_coins_decide_everything() {
    for provider in providers() {
        for kem in &provider.kems {
            let row = kem.algorithm();
            let at = label(provider, row);
            if kem.secret_forms().contains(&SecretForm::Seed) {
                let seed = bytes("seed", 64);
                let [first, again] =
                    [(), ()].map(|()| public_of_kem(&*kem.import_secret(SecretForm::Seed, &seed).unwrap()));
                let other = public_of_kem(&*kem.import_secret(SecretForm::Seed, &bytes("other", 64)).unwrap());
                assert_eq!(first, again, "{at}");
                assert_ne!(first, other, "{at}");
            }
            let public = public_of_kem(&*kem.generate().unwrap());
            let encapsulator = kem.import_public(&public).unwrap();
            let encapsulate = |coins: &[u8]| {
                let (mut c, mut k) = (vec![0; row.sizes.ciphertext.unwrap()], vec![0; 32]);
                encapsulator.encapsulate_derandomised(coins, &mut c, &mut k).map(|()| (c, k))
            };
            if kem.derandomised() {
                let coins = bytes("coins", 32);
                assert_eq!(encapsulate(&coins).unwrap(), encapsulate(&coins).unwrap(), "{at}");
                let other = encapsulate(&bytes("others", 32)).unwrap();
                assert_ne!(encapsulate(&coins).unwrap().0, other.0, "{at}");
                assert_ne!(encapsulate(&coins).unwrap().1, other.1, "{at}");
                fault(encapsulate(&coins[..31]), Fault::Usage, &at);
            } else {
                fault(encapsulate(&[0; 32]), Fault::Unsupported, &at);
            }
        }
    }
}

#[test]
fn kem_refuses_what_is_malformed() {
    for provider in providers() {
        for kem in &provider.kems {
            let row = kem.algorithm();
            let at = label(provider, row);
            let key = kem.generate().unwrap();
            let public = public_of_kem(&*key);
            for wrong in [&public[..public.len() - 1], &[&public[..], &[0]].concat(), &[]] {
                fault(kem.import_public(wrong), Fault::Input, &format!("{at}: public key of {} bytes", wrong.len()));
            }
            // FIPS 203 section 7.2: 0xFFF is not below q, neither as the first coefficient nor as the last.
            for position in [0, public.len() - 32 - 3] {
                let mut unreduced = public.clone();
                unreduced[position..position + 3].fill(0xFF);
                fault(kem.import_public(&unreduced), Fault::Input, &format!("{at}: coefficient at {position}"));
            }
            // The smallest forbidden value, q = 3329 = 0xD01.
            let mut unreduced = public.clone();
            unreduced[..3].copy_from_slice(&[0x01, 0x0D, 0x00]);
            fault(kem.import_public(&unreduced), Fault::Input, &format!("{at}: coefficient q"));

            let ciphertext = vec![0; row.sizes.ciphertext.unwrap()];
            for wrong in [&ciphertext[1..], &[&ciphertext[..], &[0]].concat(), &[]] {
                fault(key.decapsulate(wrong, &mut [0; 32]), Fault::Input, &format!("{at}: ciphertext"));
            }
            let encapsulator = kem.import_public(&public).unwrap();
            let mut short = vec![0; ciphertext.len() - 1];
            fault(encapsulator.encapsulate(&mut short, &mut [0; 32]), Fault::Usage, &at);
            fault(encapsulator.encapsulate(&mut ciphertext.clone(), &mut [0; 31]), Fault::Usage, &at);
            fault(key.decapsulate(&ciphertext, &mut [0; 31]), Fault::Usage, &at);
            fault(key.export_public(&mut vec![0; public.len() - 1]), Fault::Usage, &at);

            for form in FORMS {
                let size = secret_size(row, form).unwrap_or(100);
                if !kem.secret_forms().contains(&form) {
                    fault(kem.import_secret(form, &vec![0; size]), Fault::Unsupported, &format!("{at} {form:?}"));
                    continue;
                }
                for wrong in [size - 1, size + 1, 0] {
                    fault(kem.import_secret(form, &vec![7; wrong]), Fault::Input, &format!("{at} {form:?} {wrong}"));
                }
            }
            if let Ok(mut secret) = exported(|out| key.export_secret(SecretForm::Expanded, out)) {
                let hash = secret.len() - 64;
                secret[hash] ^= 1;
                let altered = kem.import_secret(SecretForm::Expanded, &secret);
                fault(altered, Fault::Input, &format!("{at}: hash check of FIPS 203 section 7.3"));
            }
        }
    }
}

fn sign(key: &dyn Signer, message: &[u8], context: &[u8], randomness: Randomness) -> Result<Vec<u8>, crypto::Error> {
    let mut out = vec![0; 50_000];
    let len = key.sign(message, context, randomness, &mut out)?;
    out.truncate(len);
    Ok(out)
}

/// One valid signature, and what must not pass for one. Every verification is cheap, so this runs for all schemes.
fn check_verification(at: &str, verifier: &dyn Verifier, message: &[u8], context: &[u8], signature: &[u8]) {
    assert!(verifier.verify(message, context, signature).unwrap(), "{at}: own signature");
    assert!(!verifier.verify(b"another message", context, signature).unwrap(), "{at}: other message");
    for position in [0, signature.len() / 2, signature.len() - 1] {
        let mut altered = signature.to_vec();
        altered[position] ^= 1;
        assert!(!verifier.verify(message, context, &altered).unwrap(), "{at}: signature altered at {position}");
    }
    for wrong in [&signature[..signature.len() - 1], &[signature, &[0]].concat(), &[], &vec![0xFF; signature.len()]] {
        assert!(!verifier.verify(message, context, wrong).unwrap(), "{at}: signature of {} bytes", wrong.len());
    }
}

#[test]
fn signatures_verify_and_nothing_else_does() {
    for provider in providers() {
        for scheme in provider.signatures.iter().filter(|scheme| !slowest(scheme.algorithm())) {
            let row = scheme.algorithm();
            let at = label(provider, row);
            let key = signing_key(*scheme);
            let public = public_of(&*key);
            assert_eq!(Some(public.len()), row.sizes.public, "{at}");
            let verifier = scheme.import_public(&public).unwrap();
            assert_eq!(exported(|out| verifier.export_public(out)).unwrap(), public, "{at}");
            let context: &[u8] = if scheme.contexts() { b"context" } else { b"" };
            let signature = sign(&*key, b"message", context, Randomness::Library).unwrap();
            let size = row.sizes.signature.unwrap();
            let varies = row.name.starts_with("ECDSA");
            assert!(signature.len() == size || varies && signature.len() < size, "{at}: {}", signature.len());
            check_verification(&at, &*verifier, b"message", context, &signature);
            if scheme.contexts() {
                assert!(!verifier.verify(b"message", b"", &signature).unwrap(), "{at}: without the context");
                assert!(!verifier.verify(b"message", b"contexT", &signature).unwrap(), "{at}: other context");
                // A context must not be confused with the front of a message.
                assert!(!verifier.verify(b"contextmessage", b"", &signature).unwrap(), "{at}");
                assert!(!verifier.verify(b"message", &[0; 256], &signature).unwrap_or(false), "{at}: long context");
                assert!(sign(&*key, b"message", &[0; 256], Randomness::Library).is_err(), "{at}: long context");
            } else {
                fault(sign(&*key, b"message", b"context", Randomness::Library), Fault::Unsupported, &at);
                fault(verifier.verify(b"message", b"context", &signature), Fault::Unsupported, &at);
            }
            // The trait says `Usage`; a library that does not tell why it failed leaves its adapter with `Provider`.
            let short = key.sign(b"message", b"", Randomness::Library, &mut [0; 10]).unwrap_err();
            assert!(matches!(short.fault(), Fault::Usage | Fault::Provider), "{at}: {short:?}");
            if rsa_key(row).is_none() && !slow(row) {
                let stranger = scheme.import_public(&public_of(&*scheme.generate().unwrap())).unwrap();
                assert!(!stranger.verify(b"message", context, &signature).unwrap(), "{at}: other key");
            }
        }
    }
}

#[test]
fn long_and_empty_messages_are_signed() {
    for provider in providers() {
        for scheme in provider.signatures.iter().filter(|scheme| !slow(scheme.algorithm())) {
            let at = label(provider, scheme.algorithm());
            let key = signing_key(*scheme);
            let verifier = scheme.import_public(&public_of(&*key)).unwrap();
            for len in [0, 1, 100_000] {
                let message = bytes("message", len);
                let signature = sign(&*key, &message, b"", Randomness::Library).unwrap();
                assert!(verifier.verify(&message, b"", &signature).unwrap(), "{at}: {len} bytes");
            }
        }
    }
}

#[test]
fn deterministic_signatures_repeat_and_hedged_ones_differ() {
    for provider in providers() {
        for scheme in provider.signatures.iter().filter(|scheme| !slow(scheme.algorithm())) {
            let row = scheme.algorithm();
            let at = label(provider, row);
            let key = signing_key(*scheme);
            if scheme.deterministic() {
                let [first, again] = [(), ()].map(|()| sign(&*key, b"m", b"", Randomness::Deterministic).unwrap());
                assert_eq!(first, again, "{at}");
                let verifier = scheme.import_public(&public_of(&*key)).unwrap();
                assert!(verifier.verify(b"m", b"", &first).unwrap(), "{at}");
            } else {
                fault(sign(&*key, b"m", b"", Randomness::Deterministic), Fault::Unsupported, &at);
            }
            if row.name.starts_with("ML-DSA") || row.name.starts_with("SLH-DSA") {
                let [first, again] = [(), ()].map(|()| sign(&*key, b"m", b"", Randomness::Library).unwrap());
                assert_ne!(first, again, "{at}: hedged signatures repeat");
            }
        }
    }
}

/// A signing key in all forms its provider takes gives the same public key and signs for it.
fn check_signing_key_forms(at: &str, scheme: &dyn SignatureScheme) {
    let row = scheme.algorithm();
    let key = signing_key(scheme);
    let public = public_of(&*key);
    let verifier = scheme.import_public(&public).unwrap();
    let mut exports = 0;
    for form in FORMS {
        let Ok(secret) = exported(|out| key.export_secret(form, out)) else {
            fault(exported(|out| key.export_secret(form, out)), Fault::Unsupported, at);
            continue;
        };
        exports += 1;
        assert!(secret_size(row, form).is_none_or(|size| size == secret.len()), "{at} {form:?}: {}", secret.len());
        let copy = scheme.import_secret(form, &secret).unwrap();
        match exported(|out| copy.export_public(out)) {
            Ok(exported) => assert_eq!(exported, public, "{at} {form:?}"),
            // Some libraries cannot compute the public key from an expanded private key.
            Err(error) => assert_eq!((error.fault(), form), (Fault::Unsupported, SecretForm::Expanded), "{at}"),
        }
        assert_eq!(exported(|out| copy.export_secret(form, out)).unwrap(), secret, "{at} {form:?}");
        if !slow(row) {
            let signature = sign(&*copy, b"m", b"", Randomness::Library).unwrap();
            assert!(verifier.verify(b"m", b"", &signature).unwrap(), "{at} {form:?}");
        }
    }
    assert!(exports > 0, "{at} releases its key in no form");
}

#[test]
fn signing_keys_survive_export_and_import() {
    for provider in providers() {
        for scheme in provider.signatures.iter().filter(|scheme| !slowest(scheme.algorithm())) {
            check_signing_key_forms(&label(provider, scheme.algorithm()), *scheme);
        }
    }
}

#[test]
fn signature_seeds_are_reproducible() {
    for provider in providers() {
        for scheme in provider.signatures.iter().filter(|scheme| scheme.secret_forms().contains(&SecretForm::Seed)) {
            let row = scheme.algorithm();
            if slow(row) {
                continue; // compared with other providers and with known answers
            }
            let at = label(provider, row);
            let size = row.sizes.seed.unwrap();
            let public = |seed: &[u8]| public_of(&*scheme.import_secret(SecretForm::Seed, seed).unwrap());
            assert_eq!(public(&bytes("seed", size)), public(&bytes("seed", size)), "{at}");
            assert_ne!(public(&bytes("seed", size)), public(&bytes("other", size)), "{at}");
        }
    }
}

#[test]
fn generated_signing_keys_differ() {
    for provider in providers() {
        for scheme in &provider.signatures {
            let row = scheme.algorithm();
            // One RSA size: the others take long and the code is the same.
            if slow(row) || rsa_key(row).is_some() && row.name != "RSA-2048-PKCS1-SHA256" {
                continue;
            }
            let at = label(provider, row);
            let [first, second] = [(), ()].map(|()| public_of(&*scheme.generate().unwrap()));
            assert_ne!(first, second, "{at}");
            assert_eq!(Some(first.len()), row.sizes.public, "{at}");
        }
    }
}

#[test]
fn signature_keys_that_are_malformed_are_refused() {
    for provider in providers() {
        for scheme in &provider.signatures {
            let row = scheme.algorithm();
            let at = label(provider, row);
            let public = row.sizes.public.unwrap();
            for wrong in [0, 1, public - 1, public + 1] {
                fault(scheme.import_public(&vec![4; wrong]), Fault::Input, &format!("{at}: public key of {wrong}"));
            }
            for form in FORMS {
                let size = secret_size(row, form).unwrap_or(1200);
                if !scheme.secret_forms().contains(&form) {
                    fault(scheme.import_secret(form, &vec![1; size]), Fault::Unsupported, &format!("{at} {form:?}"));
                    continue;
                }
                for wrong in [size - 1, size + 1, 0] {
                    fault(scheme.import_secret(form, &vec![1; wrong]), Fault::Input, &format!("{at} {form:?} {wrong}"));
                }
            }
            if row.name.starts_with("ML-DSA") && scheme.secret_forms().contains(&SecretForm::Expanded) {
                let key = exported(|out| scheme.generate().unwrap().export_secret(SecretForm::Expanded, out)).unwrap();
                // In ρ ‖ K ‖ tr ‖ s1 ‖ s2 ‖ t0 all bits set encode a coefficient beyond η: first of s1, last of s2.
                let t0 = if row.name == "ML-DSA-44" {
                    4
                } else if row.name == "ML-DSA-65" {
                    6
                } else {
                    8
                } * 416;
                for position in [128, key.len() - t0 - 1] {
                    let mut beyond = key.clone();
                    beyond[position] = 0xFF;
                    fault(scheme.import_secret(SecretForm::Expanded, &beyond), Fault::Input, &format!("{at}: η"));
                }
            }
            if row.name.starts_with("ECDSA") {
                let size = row.sizes.secret.unwrap();
                for scalar in [vec![0; size], vec![0xFF; size]] {
                    fault(scheme.import_secret(SecretForm::Expanded, &scalar), Fault::Input, &format!("{at}: scalar"));
                }
                let mut off_curve = public_of(&*scheme.generate().unwrap());
                *off_curve.last_mut().unwrap() ^= 1;
                fault(scheme.import_public(&off_curve), Fault::Input, &format!("{at}: not on the curve"));
            }
        }
    }
}

#[test]
fn an_rsa_key_of_another_size_is_refused() {
    for provider in providers() {
        for scheme in &provider.signatures {
            let row = scheme.algorithm();
            for other in ["RSA-2048-PKCS1-SHA256", "RSA-3072-PKCS1-SHA256", "RSA-4096-PKCS1-SHA256"] {
                if rsa_key(row).is_some() && other != row.name {
                    let der = rsa_key(find(other).unwrap()).unwrap();
                    fault(scheme.import_secret(SecretForm::Pkcs8, der), Fault::Input, &label(provider, row));
                }
            }
        }
    }
}

#[test]
fn agreement_is_mutual() {
    for provider in providers() {
        for scheme in &provider.agreements {
            let row = scheme.algorithm();
            let at = label(provider, row);
            let (alice, bob) = (scheme.generate().unwrap(), scheme.generate().unwrap());
            let [of_alice, of_bob] = [&alice, &bob].map(|key| exported(|out| key.export_public(out)).unwrap());
            assert_eq!(Some(of_alice.len()), row.sizes.public, "{at}");
            assert_ne!(of_alice, of_bob, "{at}");
            let mut shared = [vec![0; row.sizes.shared.unwrap()], vec![1; row.sizes.shared.unwrap()]];
            alice.derive(&*scheme.import_public(&of_bob).unwrap(), &mut shared[0]).unwrap();
            bob.derive(&*scheme.import_public(&of_alice).unwrap(), &mut shared[1]).unwrap();
            assert_eq!(shared[0], shared[1], "{at}");

            match exported(|out| alice.export_secret(out)) {
                Ok(secret) => {
                    assert_eq!(Some(secret.len()), row.sizes.secret, "{at}");
                    let copy = scheme.import_secret(&secret).unwrap();
                    assert_eq!(exported(|out| copy.export_public(out)).unwrap(), of_alice, "{at}");
                    copy.derive(&*scheme.import_public(&of_bob).unwrap(), &mut shared[1]).unwrap();
                    assert_eq!(shared[0], shared[1], "{at}");
                }
                Err(error) => assert_eq!(error.fault(), Fault::Unsupported, "{at}"),
            }
        }
    }
}

#[test]
fn agreement_refuses_what_is_malformed() {
    for provider in providers() {
        for scheme in &provider.agreements {
            let row = scheme.algorithm();
            let at = label(provider, row);
            let key = scheme.generate().unwrap();
            let (public, secret) = (row.sizes.public.unwrap(), row.sizes.secret.unwrap());
            for wrong in [0, public - 1, public + 1] {
                fault(scheme.import_public(&vec![4; wrong]).map(|_| ()), Fault::Input, &format!("{at} {wrong}"));
            }
            for wrong in [0, secret - 1, secret + 1] {
                fault(scheme.import_secret(&vec![4; wrong]), Fault::Input, &format!("{at} {wrong}"));
            }
            let mut shared = vec![0; row.sizes.shared.unwrap()];
            if row.name.starts_with('X') {
                let zero = scheme.import_public(&vec![0; public]).unwrap();
                fault(key.derive(&*zero, &mut shared), Fault::Input, &format!("{at}: all-zero result"));
                assert!(shared.iter().all(|byte| *byte == 0), "{at}");
            } else {
                for scalar in [vec![0; secret], vec![0xFF; secret]] {
                    fault(scheme.import_secret(&scalar), Fault::Input, &format!("{at}: scalar"));
                }
                let mut off_curve = exported(|out| key.export_public(out)).unwrap();
                *off_curve.last_mut().unwrap() ^= 1;
                fault(scheme.import_public(&off_curve).map(|_| ()), Fault::Input, &format!("{at}: not on the curve"));
            }
            // A peer key of another algorithm of the same provider.
            for other in provider.agreements.iter().filter(|other| other.algorithm().name != row.name) {
                let stranger = exported(|out| other.generate().unwrap().export_public(out)).unwrap();
                let stranger = other.import_public(&stranger).unwrap();
                assert!(key.derive(&*stranger, &mut shared).is_err(), "{at} with {}", other.algorithm().name);
            }
            let own = scheme.import_public(&exported(|out| key.export_public(out)).unwrap()).unwrap();
            assert!(key.derive(&*own, &mut vec![0; shared.len() - 1]).is_err(), "{at}: short buffer");
            for other in providers().iter().filter(|other| other.identity.id() != provider.identity.id()) {
                let Some(same) = other.agreement(row.name) else { continue };
                let foreign = same.import_public(&exported(|out| key.export_public(out)).unwrap()).unwrap();
                fault(
                    key.derive(&*foreign, &mut shared),
                    Fault::Usage,
                    &format!("{at} with a key of another provider"),
                );
            }
        }
    }
}

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
