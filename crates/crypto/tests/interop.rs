//! Every linked provider against every other, for each algorithm that both offer.

mod support;

use crypto::provider::Provider;
use crypto::{Fault, Randomness, SecretForm, SignatureScheme};
use support::{bytes, exported, label, providers, public_of, public_of_kem, rsa_key, secret_size, signing_key, slow};

/// All ordered pairs of different providers.
fn pairs() -> impl Iterator<Item = (&'static Provider, &'static Provider)> {
    let all = providers();
    all.iter().flat_map(move |a| all.iter().map(move |b| (a, b))).filter(|(a, b)| !std::ptr::eq(*a, *b))
}

/// At least one common algorithm was compared, where more than one provider is linked.
fn assert_compared(count: usize) {
    assert!(count > 0 || providers().len() < 2, "nothing was compared");
}

#[test]
fn ciphertexts_of_one_are_opened_by_the_other() {
    let mut count = 0;
    for (sender, receiver) in pairs() {
        for theirs in &receiver.kems {
            let row = theirs.algorithm();
            let Some(kem) = sender.kem(row.name) else { continue };
            let at = format!("{} to {}", label(sender, row), receiver.identity.id());
            let key = theirs.generate().unwrap();
            let mut ciphertext = vec![0; row.sizes.ciphertext.unwrap()];
            let (mut sent, mut received) = (vec![0; 32], vec![1; 32]);
            kem.import_public(&public_of_kem(&*key)).unwrap().encapsulate(&mut ciphertext, &mut sent).unwrap();
            key.decapsulate(&ciphertext, &mut received).unwrap();
            assert_eq!(sent, received, "{at}");
            count += 1;
        }
    }
    assert_compared(count);
}

#[test]
fn the_same_seed_and_coins_give_the_same_keys_and_ciphertexts() {
    for (first, second) in pairs() {
        for kem in first.kems.iter().filter(|kem| kem.secret_forms().contains(&SecretForm::Seed)) {
            let row = kem.algorithm();
            let Some(other) = second.kem(row.name) else { continue };
            let at = format!("{} and {}", label(first, row), second.identity.id());
            let key = kem.import_secret(SecretForm::Seed, &bytes("seed", 64)).unwrap();
            let expanded = exported(|out| key.export_secret(SecretForm::Expanded, out)).unwrap();
            let public = public_of_kem(&*key);
            let copy = other.import_secret(SecretForm::Expanded, &expanded).unwrap();
            assert_eq!(public_of_kem(&*copy), public, "{at}");
            if other.secret_forms().contains(&SecretForm::Seed) {
                let twin = other.import_secret(SecretForm::Seed, &bytes("seed", 64)).unwrap();
                assert_eq!(public_of_kem(&*twin), public, "{at}");
                assert_eq!(exported(|out| twin.export_secret(SecretForm::Expanded, out)).unwrap(), expanded, "{at}");
            }
            if kem.derandomised() && other.derandomised() {
                let [a, b] = [*kem, other].map(|kem| {
                    let (mut c, mut k) = (vec![0; row.sizes.ciphertext.unwrap()], vec![0; 32]);
                    let key = kem.import_public(&public).unwrap();
                    key.encapsulate_derandomised(&bytes("coins", 32), &mut c, &mut k).unwrap();
                    (c, k)
                });
                assert_eq!(a, b, "{at}");
            }
            // Implicit rejection is deterministic, so both must give the same useless secret.
            let (mut a, mut b) = (vec![0; 32], vec![0; 32]);
            let junk = bytes("junk", row.sizes.ciphertext.unwrap());
            key.decapsulate(&junk, &mut a).unwrap();
            copy.decapsulate(&junk, &mut b).unwrap();
            assert_eq!(a, b, "{at}: implicit rejection");
        }
    }
}

/// FIPS 203 asks for no check on the secret vector in `dk`: ByteDecode₁₂ reduces what is not below q.
#[test]
fn unreduced_secret_vectors_are_read_alike() {
    for (first, second) in pairs() {
        for kem in first.kems.iter().filter(|kem| kem.secret_forms().contains(&SecretForm::Expanded)) {
            let row = kem.algorithm();
            let Some(other) = second.kem(row.name) else { continue };
            let key = kem.generate().unwrap();
            let mut dk = exported(|out| key.export_secret(SecretForm::Expanded, out)).unwrap();
            dk[..384].fill(0xFF);
            let imports = [*kem, other].map(|kem| kem.import_secret(SecretForm::Expanded, &dk));
            let [Ok(a), Ok(b)] = imports else { continue };
            let (mut of_a, mut of_b) = (vec![0; 32], vec![0; 32]);
            let ciphertext = bytes("ciphertext", row.sizes.ciphertext.unwrap());
            a.decapsulate(&ciphertext, &mut of_a).unwrap();
            b.decapsulate(&ciphertext, &mut of_b).unwrap();
            assert_eq!(of_a, of_b, "{} and {}", label(first, row), second.identity.id());
        }
    }
}

/// Contexts that both know.
fn contexts(a: &dyn SignatureScheme, b: &dyn SignatureScheme) -> &'static [&'static [u8]] {
    if a.contexts() && b.contexts() { &[b"", b"context"] } else { &[b""] }
}

#[test]
fn signatures_of_one_are_verified_by_the_other() {
    let mut count = 0;
    for (signer, verifier) in pairs() {
        for scheme in &signer.signatures {
            let row = scheme.algorithm();
            let Some(theirs) = verifier.signature(row.name) else { continue };
            let at = format!("{} to {}", label(signer, row), verifier.identity.id());
            let key = signing_key(*scheme);
            let public = theirs.import_public(&public_of(&*key)).unwrap();
            for context in contexts(*scheme, theirs) {
                let signature = exported(|out| key.sign(b"message", context, Randomness::Library, out)).unwrap();
                assert!(public.verify(b"message", context, &signature).unwrap(), "{at}");
                assert!(!public.verify(b"massage", context, &signature).unwrap(), "{at}");
            }
            count += 1;
        }
    }
    assert_compared(count);
}

#[test]
fn the_same_signing_key_gives_the_same_public_key_and_deterministic_signature() {
    for (first, second) in pairs() {
        for scheme in first.signatures.iter().filter(|scheme| !slow(scheme.algorithm())) {
            let row = scheme.algorithm();
            let Some(other) = second.signature(row.name) else { continue };
            for form in scheme.secret_forms().iter().filter(|form| other.secret_forms().contains(form)) {
                let at = format!("{} and {} from {form:?}", label(first, row), second.identity.id());
                let secret = match (rsa_key(row), form) {
                    (Some(der), _) => der.to_vec(),
                    (None, SecretForm::Seed) => bytes("seed", secret_size(row, *form).unwrap()),
                    (None, _) => exported(|out| scheme.generate().unwrap().export_secret(*form, out)).unwrap(),
                };
                let keys = [*scheme, other].map(|scheme| scheme.import_secret(*form, &secret).unwrap());
                let publics = keys.each_ref().map(|key| exported(|out| key.export_public(out)));
                match publics {
                    [Ok(a), Ok(b)] => assert_eq!(a, b, "{at}"),
                    [a, b] => {
                        for error in [a.err(), b.err()].into_iter().flatten() {
                            assert_eq!((error.fault(), *form), (Fault::Unsupported, SecretForm::Expanded), "{at}");
                        }
                    }
                }
                if scheme.deterministic() && other.deterministic() {
                    for context in contexts(*scheme, other) {
                        let [a, b] = keys.each_ref().map(|key| {
                            exported(|out| key.sign(b"m", context, Randomness::Deterministic, out)).unwrap()
                        });
                        assert_eq!(a, b, "{at} under {context:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn agreements_are_equal() {
    let mut count = 0;
    for (first, second) in pairs() {
        for ours in &first.agreements {
            let row = ours.algorithm();
            let Some(theirs) = second.agreement(row.name) else { continue };
            let at = format!("{} and {}", label(first, row), second.identity.id());
            let (alice, bob) = (ours.generate().unwrap(), theirs.generate().unwrap());
            let [of_alice, of_bob] = [&alice, &bob].map(|key| exported(|out| key.export_public(out)).unwrap());
            let mut shared = [vec![0; row.sizes.shared.unwrap()], vec![1; row.sizes.shared.unwrap()]];
            alice.derive(&*ours.import_public(&of_bob).unwrap(), &mut shared[0]).unwrap();
            bob.derive(&*theirs.import_public(&of_alice).unwrap(), &mut shared[1]).unwrap();
            assert_eq!(shared[0], shared[1], "{at}");
            if let Ok(secret) = exported(|out| alice.export_secret(out)) {
                let copy = theirs.import_secret(&secret).unwrap();
                assert_eq!(exported(|out| copy.export_public(out)).unwrap(), of_alice, "{at}");
            }
            count += 1;
        }
    }
    assert_compared(count);
}

const LENGTHS: [usize; 12] = [0, 1, 16, 63, 64, 65, 136, 255, 256, 1400, 5000, 65_536];

#[test]
fn sealed_messages_are_equal_and_open_elsewhere() {
    let mut count = 0;
    for (first, second) in pairs() {
        for aead in &first.aeads {
            let row = aead.algorithm();
            let Some(other) = second.aead(row.name) else { continue };
            let at = format!("{} and {}", label(first, row), second.identity.id());
            let [ours, theirs] =
                [*aead, other].map(|aead| aead.import_key(&bytes("key", row.sizes.key.unwrap())).unwrap());
            let nonce = bytes("nonce", row.sizes.nonce.unwrap());
            for len in LENGTHS {
                let (plaintext, aad) = (bytes("plaintext", len), bytes("aad", len % 300));
                let mut sealed = [vec![0; len + row.sizes.tag.unwrap()], vec![1; len + row.sizes.tag.unwrap()]];
                ours.seal(&nonce, &aad, &plaintext, &mut sealed[0]).unwrap();
                theirs.seal(&nonce, &aad, &plaintext, &mut sealed[1]).unwrap();
                assert_eq!(sealed[0], sealed[1], "{at}: {len} bytes");
                let mut opened = vec![0; len];
                assert!(theirs.open(&nonce, &aad, &sealed[0], &mut opened).unwrap(), "{at}");
                assert_eq!(opened, plaintext, "{at}");
                count += 1;
            }
        }
    }
    assert_compared(count);
}

#[test]
fn hashes_macs_and_derived_keys_are_equal() {
    let mut count = 0;
    for (first, second) in pairs() {
        for hash in &first.hashes {
            let Some(other) = second.hash(hash.algorithm().name) else { continue };
            for len in LENGTHS {
                let [a, b] = [*hash, other].map(|hash| {
                    let mut out = vec![0; hash.algorithm().sizes.output.unwrap()];
                    hash.hash(&bytes("message", len), &mut out).map(|()| out).unwrap()
                });
                assert_eq!(a, b, "{} and {}: {len} bytes", label(first, hash.algorithm()), second.identity.id());
                count += 1;
            }
        }
        for mac in &first.macs {
            let Some(other) = second.mac(mac.algorithm().name) else { continue };
            for (key, len) in [0, 1, 64, 72, 73, 128, 129, 136, 137, 1000].into_iter().zip(LENGTHS) {
                let [a, b] = [*mac, other].map(|mac| {
                    let mut out = vec![0; mac.algorithm().sizes.output.unwrap()];
                    let key = mac.import_key(&bytes("key", key)).unwrap();
                    key.mac(&bytes("message", len), &mut out).map(|()| out).unwrap()
                });
                assert_eq!(a, b, "{} and {}: key of {key}", label(first, mac.algorithm()), second.identity.id());
                count += 1;
            }
        }
        for kdf in &first.kdfs {
            let Some(other) = second.kdf(kdf.algorithm().name) else { continue };
            for (salt, len) in [(0, 1), (0, 32), (32, 48), (200, 1000)] {
                let [a, b] = [*kdf, other].map(|kdf| {
                    let mut out = vec![0; len];
                    kdf.derive(&bytes("ikm", 50), &bytes("salt", salt), b"info", &mut out).map(|()| out).unwrap()
                });
                assert_eq!(a, b, "{} and {}", label(first, kdf.algorithm()), second.identity.id());
                count += 1;
            }
        }
    }
    assert_compared(count);
}
