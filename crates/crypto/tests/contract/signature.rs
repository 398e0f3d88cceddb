//! Signatures.

use crate::support::{
    FORMS, bytes, exported, fault, label, providers, public_of, rsa_key, secret_size, signing_key, slow, slowest,
};
use crypto::{Fault, Randomness, SecretForm, SignatureScheme, Signer, Verifier, find};

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
