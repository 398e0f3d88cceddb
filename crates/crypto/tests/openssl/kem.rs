//! ML-KEM.

use super::{exported, fault, flipped, hostile, modern, noise, resized, sha256};
use crypto::{Fault, Kem, SecretForm};

/// First test of each parameter set of NIST's ACVP vectors ML-KEM-keyGen-FIPS203: d ‖ z, SHA-256 of ek, SHA-256 of dk.
const KEYS: [(&str, &str, &str, &str); 3] = [
    (
        "ML-KEM-512",
        "1EB4400A01629D517974E2CD85B9DEF59082DE508E6F9C2B0E341E12965955CA\
         1A394111163803FE2E8519C335A6867556338EADAFA22B5FC557430560CCD693",
        "20cf173c9faeb53a84fe73d8e507f9ef80a1d9b972d19ebafd3b8d6b25777c10",
        "6da3f5d8087be9eba10142b807bb816f99e5944366bd4d4919ae1d677d459d7b",
    ),
    (
        "ML-KEM-768",
        "97C4789340DF47850A84889820B9B4307DF3E43A7DE3F5857340C791934F1E99\
         D7F7FE2AA083A10A9C267D3163D0FB888C9D2D7614482095EF1817E1E9E4AC88",
        "859a2e76580ee3ccfba621bc5a823be51addd62ea702695a9c7a0d8368de0560",
        "a449e2699cd9b783bb3d9d08033bb79192cb7bb2432e7ed0172ecedc5d1d7f38",
    ),
    (
        "ML-KEM-1024",
        "EBD6260BBFA0C542CD1C857C318BA68153832A60F81DE839E71284CCC919BB71\
         600FDD18126AC926D3A745172186BEB557CE6F0D7911A5C9EE387689C799E912",
        "4c093046f7d67c23350752768c991808deb5d6aac2561c2d1fe088be671b5520",
        "21a30e08bc8c48fda3afebd5cf46f24f30de176abc1c9c1f21b8a2e5c6f23048",
    ),
];

fn each(test: &str, check: impl Fn(&'static dyn Kem)) {
    for provider in modern(test) {
        assert_eq!(provider.kems.len(), 3);
        provider.kems.iter().for_each(|kem| check(*kem));
    }
}

fn buffers(kem: &dyn Kem) -> (Vec<u8>, Vec<u8>) {
    let sizes = kem.algorithm().sizes;
    (vec![0; sizes.ciphertext.unwrap()], vec![0; sizes.shared.unwrap()])
}

#[test]
fn the_seed_gives_the_key_of_the_standard() {
    for provider in modern("kem seeds") {
        for (name, seed, public, secret) in KEYS {
            let seed = hex::decode(seed).unwrap();
            let key = provider.kem(name).unwrap().import_secret(SecretForm::Seed, &seed).unwrap();
            assert_eq!(sha256(&exported(|out| key.export_public(out))), public, "{name}");
            assert_eq!(sha256(&exported(|out| key.export_secret(SecretForm::Expanded, out))), secret, "{name}");
            assert_eq!(exported(|out| key.export_secret(SecretForm::Seed, out)), seed, "{name}");
        }
    }
}

#[test]
fn both_sides_agree_and_an_altered_ciphertext_gives_another_secret() {
    each("kem round trip", |kem| {
        let sizes = kem.algorithm().sizes;
        let private = kem.generate().unwrap();
        let bytes = exported(|out| private.export_public(out));
        assert_eq!(bytes.len(), sizes.public.unwrap());
        let public = kem.import_public(&bytes).unwrap();
        assert_eq!(exported(|out| public.export_public(out)), bytes);
        let expanded = exported(|out| private.export_secret(SecretForm::Expanded, out));
        let again = kem.import_secret(SecretForm::Expanded, &expanded).unwrap();
        let mut seen = Vec::new();
        // Twice, for the second operation uses a context that the first one left.
        for _ in 0..2 {
            let (mut ciphertext, mut shared) = buffers(kem);
            public.encapsulate(&mut ciphertext, &mut shared).unwrap();
            assert!(!seen.contains(&shared));
            let mut other = vec![0; shared.len()];
            private.decapsulate(&ciphertext, &mut other).unwrap();
            assert_eq!(shared, other);
            again.decapsulate(&ciphertext, &mut other).unwrap();
            assert_eq!(shared, other);
            for altered in flipped(&ciphertext) {
                private.decapsulate(&altered, &mut other).unwrap();
                assert_ne!(shared, other);
            }
            seen.push(shared);
        }
    });
}

#[test]
fn given_randomness_repeats_and_does_not_stay() {
    each("kem derandomised", |kem| {
        assert!(kem.derandomised());
        let private = kem.generate().unwrap();
        let public = kem.import_public(&exported(|out| private.export_public(out))).unwrap();
        let encapsulate = |coins: &[u8]| {
            let (mut ciphertext, mut shared) = buffers(kem);
            public.encapsulate_derandomised(coins, &mut ciphertext, &mut shared).unwrap();
            (ciphertext, shared)
        };
        let first = encapsulate(&[7; 32]);
        assert_eq!(encapsulate(&[7; 32]), first);
        assert_ne!(encapsulate(&[8; 32]), first);
        assert_eq!(encapsulate(&[7; 32]), first);
        let (mut ciphertext, mut shared) = buffers(kem);
        public.encapsulate(&mut ciphertext, &mut shared).unwrap();
        assert_ne!((ciphertext.clone(), shared.clone()), first);
        assert_eq!(fault(public.encapsulate_derandomised(&[7; 31], &mut ciphertext, &mut shared)), Fault::Usage);
    });
}

#[test]
fn wrong_lengths_and_hostile_bytes_are_refused() {
    each("kem refusals", |kem| {
        let sizes = kem.algorithm().sizes;
        let private = kem.generate().unwrap();
        let public = exported(|out| private.export_public(out));
        let secret = exported(|out| private.export_secret(SecretForm::Expanded, out));
        for bytes in resized(&public) {
            assert_eq!(fault(kem.import_public(&bytes)), Fault::Input);
        }
        for bytes in resized(&secret) {
            assert_eq!(fault(kem.import_secret(SecretForm::Expanded, &bytes)), Fault::Input);
        }
        for len in [0, 32, 63, 65] {
            assert_eq!(fault(kem.import_secret(SecretForm::Seed, &noise(len))), Fault::Input);
        }
        assert_eq!(fault(kem.import_secret(SecretForm::Pkcs8, &secret)), Fault::Unsupported);
        // Coefficients of 0xfff are over the modulus (FIPS 203 section 7.2).
        assert_eq!(fault(kem.import_public(&vec![0xff; public.len()])), Fault::Input);
        // The hash of the public key inside dk does not fit (FIPS 203 section 7.3).
        for bytes in hostile(secret.len()) {
            assert_eq!(fault(kem.import_secret(SecretForm::Expanded, &bytes)), Fault::Input);
        }
        let (mut ciphertext, mut shared) = buffers(kem);
        for bytes in resized(&ciphertext) {
            assert_eq!(fault(private.decapsulate(&bytes, &mut shared)), Fault::Input);
        }
        for bytes in hostile(ciphertext.len()) {
            private.decapsulate(&bytes, &mut shared).unwrap();
        }
        let encapsulator = kem.import_public(&public).unwrap();
        assert_eq!(fault(encapsulator.encapsulate(&mut ciphertext[1..], &mut shared)), Fault::Usage);
        assert_eq!(fault(encapsulator.encapsulate(&mut ciphertext, &mut shared[1..])), Fault::Usage);
        assert_eq!(fault(private.export_public(&mut vec![0; sizes.public.unwrap() - 1])), Fault::Usage);
        assert_eq!(fault(private.export_secret(SecretForm::Seed, &mut [0; 63])), Fault::Usage);
        let imported = kem.import_secret(SecretForm::Expanded, &secret).unwrap();
        assert_eq!(fault(imported.export_secret(SecretForm::Seed, &mut [0; 64])), Fault::Unsupported);
    });
}

#[test]
fn one_key_serves_several_threads_at_once() {
    each("kem threads", |kem| {
        let private = kem.generate().unwrap();
        let public = kem.import_public(&exported(|out| private.export_public(out))).unwrap();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        let (mut ciphertext, mut shared) = buffers(kem);
                        public.encapsulate(&mut ciphertext, &mut shared).unwrap();
                        let mut other = vec![0; shared.len()];
                        private.decapsulate(&ciphertext, &mut other).unwrap();
                        assert_eq!(shared, other);
                    }
                });
            }
        });
    });
}
