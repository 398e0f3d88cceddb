//! Each library against each other provider at hand: the linked-in ones and the other libraries.

use super::{exported, libraries, noise, skip};
use crypto::{Algorithm, Provider, Randomness, SecretForm, provider};
use std::sync::OnceLock;

/// Pairs of a library and another provider, without the null provider.
fn pairs(test: &str) -> Vec<(&'static Provider, &'static Provider)> {
    static LINKED: OnceLock<Vec<Provider>> = OnceLock::new();
    let linked = LINKED.get_or_init(|| {
        provider::linked().into_iter().filter(|(name, _)| *name != "null").map(|(_, make)| make()).collect()
    });
    let libraries = libraries(test);
    let mut pairs = Vec::new();
    for (at, library) in libraries.iter().enumerate() {
        pairs.extend(linked.iter().chain(&libraries[at + 1..]).map(|other| (library, other)));
    }
    pairs
}

/// Runs `check` on each algorithm that both sides of a pair have; at least one must have been compared.
fn compare<T: ?Sized + 'static>(
    test: &str,
    table: fn(&'static Provider) -> &'static [&'static T],
    row: fn(&T) -> &'static Algorithm,
    check: impl Fn(&T, &T, &str),
) {
    let mut compared = 0;
    let pairs = pairs(test);
    for (library, other) in &pairs {
        for mine in table(library) {
            let Some(theirs) = table(other).iter().find(|theirs| row(theirs).name == row(mine).name) else { continue };
            check(mine, theirs, &format!("{} {} {}", row(mine).name, library.identity.id(), other.identity.id()));
            compared += 1;
        }
    }
    if compared == 0 {
        skip(test, "no two providers have an algorithm in common");
    }
}

#[test]
fn kems_agree() {
    compare(
        "kems agree",
        |p| &p.kems,
        |kem| kem.algorithm(),
        |mine, theirs, pair| {
            let sizes = mine.algorithm().sizes;
            let buffers =
                || (vec![0; sizes.ciphertext.unwrap()], vec![0; sizes.shared.unwrap()], vec![0; sizes.shared.unwrap()]);
            for (a, b) in [(mine, theirs), (theirs, mine)] {
                let private = a.generate().unwrap();
                let public = b.import_public(&exported(|out| private.export_public(out))).unwrap();
                let (mut ciphertext, mut sent, mut received) = buffers();
                public.encapsulate(&mut ciphertext, &mut sent).unwrap();
                private.decapsulate(&ciphertext, &mut received).unwrap();
                assert_eq!(sent, received, "{pair}");
            }
            if theirs.secret_forms().contains(&SecretForm::Seed) {
                let seed = noise(64);
                let (a, b) =
                    (mine.import_secret(SecretForm::Seed, &seed), theirs.import_secret(SecretForm::Seed, &seed));
                let (a, b) = (a.unwrap(), b.unwrap());
                let public = exported(|out| a.export_public(out));
                assert_eq!(public, exported(|out| b.export_public(out)), "{pair}");
                // Implicit rejection gives the same secret on both sides.
                let (ciphertext, mut one, mut two) = buffers();
                a.decapsulate(&ciphertext, &mut one).unwrap();
                b.decapsulate(&ciphertext, &mut two).unwrap();
                assert_eq!(one, two, "{pair}");
                if theirs.derandomised() {
                    let encapsulate = |kem: &dyn crypto::Kem| {
                        let (mut ciphertext, mut shared, _) = buffers();
                        let public = kem.import_public(&public).unwrap();
                        public.encapsulate_derandomised(&[5; 32], &mut ciphertext, &mut shared).unwrap();
                        (ciphertext, shared)
                    };
                    assert_eq!(encapsulate(mine), encapsulate(theirs), "{pair}");
                }
            }
        },
    );
}

#[test]
fn signatures_agree() {
    compare(
        "signatures agree",
        |p| &p.signatures,
        |scheme| scheme.algorithm(),
        |mine, theirs, pair| {
            if !super::signature::quick(mine.algorithm().name) {
                return;
            }
            let size = mine.algorithm().sizes.signature.unwrap();
            let contexts: &[&[u8]] = if mine.contexts() && theirs.contexts() { &[b"", b"context"] } else { &[b""] };
            let Some(form) = mine.secret_forms().iter().find(|form| theirs.secret_forms().contains(form)) else {
                return;
            };
            let key = mine.generate().unwrap();
            let secret = exported(|out| key.export_secret(*form, out));
            let (a, b) = (mine.import_secret(*form, &secret).unwrap(), theirs.import_secret(*form, &secret).unwrap());
            let public = exported(|out| a.export_public(out));
            assert_eq!(public, exported(|out| b.export_public(out)), "{pair}");
            let verifiers = [mine.import_public(&public).unwrap(), theirs.import_public(&public).unwrap()];
            for context in contexts {
                let mut signatures = Vec::new();
                let both = mine.deterministic() && theirs.deterministic();
                let randomness = if both { Randomness::Deterministic } else { Randomness::Library };
                for signer in [&a, &b] {
                    let mut out = vec![0; size];
                    let n = signer.sign(b"message", context, randomness, &mut out).unwrap();
                    out.truncate(n);
                    assert!(verifiers.iter().all(|v| v.verify(b"message", context, &out).unwrap()), "{pair}");
                    assert!(verifiers.iter().all(|v| !v.verify(b"massage", context, &out).unwrap()), "{pair}");
                    signatures.push(out);
                }
                assert_eq!(signatures[0] == signatures[1], both, "{pair}");
            }
        },
    );
}

#[test]
fn agreements_agree() {
    compare(
        "agreements agree",
        |p| &p.agreements,
        |agreement| agreement.algorithm(),
        |mine, theirs, pair| {
            let (a, b) = (mine.generate().unwrap(), theirs.generate().unwrap());
            let peer_b = mine.import_public(&exported(|out| b.export_public(out))).unwrap();
            let peer_a = theirs.import_public(&exported(|out| a.export_public(out))).unwrap();
            let mut shared =
                [vec![0; mine.algorithm().sizes.shared.unwrap()], vec![0; mine.algorithm().sizes.shared.unwrap()]];
            a.derive(&*peer_b, &mut shared[0]).unwrap();
            b.derive(&*peer_a, &mut shared[1]).unwrap();
            assert_eq!(shared[0], shared[1], "{pair}");
        },
    );
}

#[test]
fn aeads_agree() {
    compare(
        "aeads agree",
        |p| &p.aeads,
        |aead| aead.algorithm(),
        |mine, theirs, pair| {
            let key = noise(mine.algorithm().sizes.key.unwrap());
            let (a, b) = (mine.import_key(&key).unwrap(), theirs.import_key(&key).unwrap());
            for len in [0, 1, 16, 63, 1400] {
                for aad in [&b""[..], b"thirteen byte"] {
                    let (text, mut one, mut two) = (noise(len), vec![0; len + 16], vec![0; len + 16]);
                    a.seal(&[3; 12], aad, &text, &mut one).unwrap();
                    b.seal(&[3; 12], aad, &text, &mut two).unwrap();
                    assert_eq!(one, two, "{pair} {len}");
                }
            }
        },
    );
}

#[test]
fn hashes_macs_and_kdfs_agree() {
    compare(
        "hashes agree",
        |p| &p.hashes,
        |hash| hash.algorithm(),
        |mine, theirs, pair| {
            for len in [0, 1, 135, 136, 137, 5000] {
                let size = mine.algorithm().sizes.output.unwrap();
                let (mut one, mut two) = (vec![0; size], vec![0; size]);
                mine.hash(&noise(len), &mut one).unwrap();
                theirs.hash(&noise(len), &mut two).unwrap();
                assert_eq!(one, two, "{pair} {len}");
            }
        },
    );
    compare(
        "macs agree",
        |p| &p.macs,
        |mac| mac.algorithm(),
        |mine, theirs, pair| {
            for len in [1, 32, 136, 500] {
                let size = mine.algorithm().sizes.output.unwrap();
                let (mut one, mut two) = (vec![0; size], vec![0; size]);
                mine.import_key(&noise(len)).unwrap().mac(b"message", &mut one).unwrap();
                theirs.import_key(&noise(len)).unwrap().mac(b"message", &mut two).unwrap();
                assert_eq!(one, two, "{pair} {len}");
            }
        },
    );
    compare(
        "kdfs agree",
        |p| &p.kdfs,
        |kdf| kdf.algorithm(),
        |mine, theirs, pair| {
            for (ikm, salt, info, len) in [(32, 0, 0, 32), (1, 200, 10, 100), (100, 32, 0, 1)] {
                let (mut one, mut two) = (vec![0; len], vec![0; len]);
                mine.derive(&noise(ikm), &noise(salt), &noise(info), &mut one).unwrap();
                theirs.derive(&noise(ikm), &noise(salt), &noise(info), &mut two).unwrap();
                assert_eq!(one, two, "{pair} {ikm} {salt} {info}");
            }
        },
    );
}
