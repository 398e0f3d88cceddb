//! liboqs through its adapter, on real libraries: `PQLAB_TEST_LIBOQS` names one or more shared libraries, separated by
//! colons. Without it the tests that need one say so and count as skipped on stderr.
#![cfg(feature = "liboqs")]

use crypto::provider::liboqs::{STACK_BYTES, load};
use crypto::{Fault, Kem, Provider, Randomness, SecretForm, SignatureScheme, find};
use sha2::{Digest, Sha256};
use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

static SKIPPED: AtomicUsize = AtomicUsize::new(0);

/// One line on stderr, past the test runner's capture; in one piece, so that tests do not mix their lines.
fn tell(line: &str) {
    let _ = std::io::stderr().write_all(format!("\n{line}\n").as_bytes());
}

/// The libraries to test; empty after a skip message.
fn libraries(test: &str) -> Vec<PathBuf> {
    let named = std::env::var_os("PQLAB_TEST_LIBOQS").unwrap_or_default();
    let paths: Vec<PathBuf> = std::env::split_paths(&named).filter(|path| !path.as_os_str().is_empty()).collect();
    if paths.is_empty() {
        let count = SKIPPED.fetch_add(1, Ordering::Relaxed) + 1;
        tell(&format!("skipped ({count}): {test}: PQLAB_TEST_LIBOQS names no library"));
    }
    paths
}

/// Runs the test on each library, in a thread with the stack that `load` asks for.
fn with_each_library(test: &str, check: fn(Provider)) {
    for path in libraries(test) {
        on_big_stack(move || check(load(&path, "test").unwrap()));
    }
}

fn on_big_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(work).unwrap();
    match thread.join() {
        Ok(value) => value,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// Leaves out what would take minutes: the larger Classic McEliece sets, the slow hash-based sets, and all but one
/// parameter set of each HashSLH-DSA.
fn quick(name: &str) -> bool {
    match name {
        _ if name.starts_with("Classic-McEliece") => name == "Classic-McEliece-348864",
        _ if name.contains("PREHASH") => name.ends_with("SHAKE_128F"),
        _ if name.starts_with("SPHINCS+") || name.starts_with("SLH-DSA") => {
            !name.contains("192s") && !name.contains("256s")
        }
        _ => true,
    }
}

fn quick_ones<T: Copy>(all: &[T], name: fn(T) -> &'static str) -> Vec<T> {
    let chosen: Vec<T> = all.iter().copied().filter(|&algorithm| quick(name(algorithm))).collect();
    assert!(!chosen.is_empty());
    tell(&format!("{} of {} algorithms tried", chosen.len(), all.len()));
    chosen
}

fn kems(provider: &Provider) -> Vec<&'static dyn Kem> {
    quick_ones(&provider.kems, |kem| kem.algorithm().name)
}

fn signatures(provider: &Provider) -> Vec<&'static dyn SignatureScheme> {
    quick_ones(&provider.signatures, |scheme| scheme.algorithm().name)
}

fn fault<T>(result: crypto::Result<T>) -> Fault {
    match result {
        Ok(_) => panic!("accepted"),
        Err(error) => error.fault(),
    }
}

/// Bytes of no structure, the same in every run.
fn noise(len: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as u8
    };
    std::iter::repeat_with(next).take(len).collect()
}

fn hostile(len: usize) -> [Vec<u8>; 3] {
    [vec![0; len], vec![0xff; len], noise(len)]
}

/// Lengths that are not `len`.
fn wrong(bytes: &[u8]) -> [Vec<u8>; 3] {
    [Vec::new(), bytes[1..].to_vec(), [bytes, &[0]].concat()]
}

#[test]
fn identity_names_version_file_and_hash() {
    for path in libraries("identity_names_version_file_and_hash") {
        let identity = load(&path, "a bundle").unwrap().identity;
        assert_eq!(identity.id(), format!("liboqs@{}", identity.version));
        assert_eq!(identity.origin, "a bundle");
        let library = identity.library.unwrap();
        assert_eq!(library.path, path.canonicalize().unwrap());
        assert_eq!(library.sha256, hex::encode(Sha256::digest(std::fs::read(&path).unwrap())));
        assert!(identity.isa_path.is_some());
    }
}

#[test]
fn names_are_the_standards_or_cannot_be_taken_for_them() {
    with_each_library("names_are_the_standards_or_cannot_be_taken_for_them", |provider| {
        let mut seen = HashSet::new();
        for row in provider.algorithms() {
            assert!(seen.insert(row.name), "{} twice", row.name);
            match find(row.name) {
                Some(known) => assert_eq!(row, known, "{} is taken for {}", row.name, known.name),
                None => assert!(!row.standard.is_empty() && !row.standard.starts_with("FIPS 20"), "{row:?}"),
            }
        }
        for name in ["ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"] {
            assert!(provider.kem(name).is_some(), "{name}");
        }
        for name in ["ML-DSA-44", "ML-DSA-65", "ML-DSA-87"] {
            assert!(provider.signature(name).is_some_and(|scheme| scheme.contexts()), "{name}");
        }
        let falcon = provider.algorithm("Falcon-512").unwrap();
        assert_eq!((falcon.sizes.public, falcon.sizes.secret, falcon.category), (Some(897), Some(1281), Some(1)));
        let frodo = provider.algorithm("FrodoKEM-640-SHAKE").unwrap();
        assert_eq!((frodo.sizes.public, frodo.sizes.shared), (Some(9616), Some(16)));
    });
}

#[test]
fn every_kem_round_trips_and_refuses() {
    with_each_library("every_kem_round_trips_and_refuses", |provider| {
        for kem in kems(&provider) {
            kem_round_trip(kem);
        }
    });
}

fn kem_round_trip(kem: &dyn Kem) {
    let row = kem.algorithm();
    let name = row.name;
    let sizes = row.sizes;
    let key = kem.generate().unwrap();
    let mut public = vec![0; sizes.public.unwrap()];
    assert_eq!(key.export_public(&mut public).unwrap(), public.len());
    let mut secret = vec![0; sizes.secret.unwrap()];
    assert_eq!(key.export_secret(SecretForm::Expanded, &mut secret).unwrap(), secret.len());

    let encapsulator = kem.import_public(&public).unwrap();
    let mut ciphertext = vec![0; sizes.ciphertext.unwrap()];
    let mut sent = vec![0; sizes.shared.unwrap()];
    encapsulator.encapsulate(&mut ciphertext, &mut sent).unwrap();
    assert!(sent.iter().any(|&byte| byte != 0), "{name}: shared secret of zeros");
    let imported = kem.import_secret(SecretForm::Expanded, &secret).unwrap();
    for decapsulator in [&key, &imported] {
        let mut received = vec![0; sent.len()];
        decapsulator.decapsulate(&ciphertext, &mut received).unwrap();
        assert_eq!(received, sent, "{name}");
    }
    let (mut other, mut again) = (ciphertext.clone(), sent.clone());
    encapsulator.encapsulate(&mut other, &mut again).unwrap();
    assert!(other != ciphertext && again != sent, "{name}: two encapsulations alike");

    for position in [0, ciphertext.len() / 2] {
        let mut altered = ciphertext.clone();
        altered[position] ^= 1;
        let mut received = sent.clone();
        match key.decapsulate(&altered, &mut received) {
            Ok(()) => assert_ne!(received, sent, "{name}: byte {position} of the ciphertext does not count"),
            // FIPS 203 Algorithm 18 rejects implicitly.
            Err(error) => assert!(row.standard != "FIPS 203" && error.fault() == Fault::Provider, "{name}: {error}"),
        }
    }
    kem_refusals(kem, &public, &secret, &ciphertext, sent.len());
}

fn kem_refusals(kem: &dyn Kem, public: &[u8], secret: &[u8], ciphertext: &[u8], shared: usize) {
    let name = kem.algorithm().name;
    let encapsulator = kem.import_public(public).unwrap();
    let key = kem.import_secret(SecretForm::Expanded, secret).unwrap();
    for bytes in wrong(public) {
        assert_eq!(fault(kem.import_public(&bytes)), Fault::Input, "{name}");
    }
    for bytes in wrong(secret) {
        assert_eq!(fault(kem.import_secret(SecretForm::Expanded, &bytes)), Fault::Input, "{name}");
    }
    for bytes in wrong(ciphertext) {
        assert_eq!(fault(key.decapsulate(&bytes, &mut vec![0; shared])), Fault::Input, "{name}");
        let mut room = bytes.clone();
        assert_eq!(fault(encapsulator.encapsulate(&mut room, &mut vec![0; shared])), Fault::Usage, "{name}");
    }
    for length in [0, shared - 1, shared + 1] {
        assert_eq!(fault(key.decapsulate(ciphertext, &mut vec![0; length])), Fault::Usage, "{name}");
        let mut room = ciphertext.to_vec();
        assert_eq!(fault(encapsulator.encapsulate(&mut room, &mut vec![0; length])), Fault::Usage, "{name}");
    }
    assert_eq!(fault(key.export_secret(SecretForm::Expanded, &mut [0; 3])), Fault::Usage);
    assert_eq!(fault(encapsulator.export_public(&mut [0; 3])), Fault::Usage);
    assert_eq!(fault(key.export_secret(SecretForm::Seed, &mut [0; 64])), Fault::Unsupported);
    assert_eq!(fault(kem.import_secret(SecretForm::Pkcs8, secret)), Fault::Unsupported);
    if !kem.secret_forms().contains(&SecretForm::Seed) {
        assert_eq!(fault(kem.import_secret(SecretForm::Seed, &[0; 64])), Fault::Unsupported);
    }
    for bytes in hostile(ciphertext.len()) {
        let _ = key.decapsulate(&bytes, &mut vec![0; shared]);
    }
    for bytes in hostile(public.len()) {
        if let Ok(encapsulator) = kem.import_public(&bytes) {
            let _ = encapsulator.encapsulate(&mut ciphertext.to_vec(), &mut vec![0; shared]);
        }
    }
}

/// ACVP ML-KEM-keyGen-FIPS203 (internalProjection.json), first test of each set: d, z, SHA-256 of ek and of dk.
const ML_KEM_KEYS: [(&str, &str, &str, &str, &str); 3] = [
    (
        "ML-KEM-512",
        "1EB4400A01629D517974E2CD85B9DEF59082DE508E6F9C2B0E341E12965955CA",
        "1A394111163803FE2E8519C335A6867556338EADAFA22B5FC557430560CCD693",
        "20cf173c9faeb53a84fe73d8e507f9ef80a1d9b972d19ebafd3b8d6b25777c10",
        "6da3f5d8087be9eba10142b807bb816f99e5944366bd4d4919ae1d677d459d7b",
    ),
    (
        "ML-KEM-768",
        "97C4789340DF47850A84889820B9B4307DF3E43A7DE3F5857340C791934F1E99",
        "D7F7FE2AA083A10A9C267D3163D0FB888C9D2D7614482095EF1817E1E9E4AC88",
        "859a2e76580ee3ccfba621bc5a823be51addd62ea702695a9c7a0d8368de0560",
        "a449e2699cd9b783bb3d9d08033bb79192cb7bb2432e7ed0172ecedc5d1d7f38",
    ),
    (
        "ML-KEM-1024",
        "EBD6260BBFA0C542CD1C857C318BA68153832A60F81DE839E71284CCC919BB71",
        "600FDD18126AC926D3A745172186BEB557CE6F0D7911A5C9EE387689C799E912",
        "4c093046f7d67c23350752768c991808deb5d6aac2561c2d1fe088be671b5520",
        "21a30e08bc8c48fda3afebd5cf46f24f30de176abc1c9c1f21b8a2e5c6f23048",
    ),
];

#[test]
fn ml_kem_seed_gives_the_known_key() {
    with_each_library("ml_kem_seed_gives_the_known_key", |provider| {
        let version = provider.identity.version.clone();
        for (name, d, z, ek, dk) in ML_KEM_KEYS {
            let kem = provider.kem(name).unwrap();
            let seed = hex::decode([d, z].concat()).unwrap();
            if !kem.secret_forms().contains(&SecretForm::Seed) {
                // Versions before 0.13 have no derandomised interface.
                assert!(version.starts_with("0.12."), "{version} lacks seeds for {name}");
                continue;
            }
            let key = kem.import_secret(SecretForm::Seed, &seed).unwrap();
            let mut public = vec![0; kem.algorithm().sizes.public.unwrap()];
            key.export_public(&mut public).unwrap();
            assert_eq!(hex::encode(Sha256::digest(&public)), ek, "{name}");
            let mut secret = vec![0; kem.algorithm().sizes.secret.unwrap()];
            key.export_secret(SecretForm::Expanded, &mut secret).unwrap();
            assert_eq!(hex::encode(Sha256::digest(&secret)), dk, "{name}");
            let mut held = [0; 64];
            assert_eq!(key.export_secret(SecretForm::Seed, &mut held).unwrap(), 64);
            assert_eq!(held.as_slice(), seed);
            for bytes in wrong(&seed) {
                assert_eq!(fault(kem.import_secret(SecretForm::Seed, &bytes)), Fault::Input);
            }
        }
    });
}

#[test]
fn ml_kem_import_does_the_input_checks_of_fips_203() {
    with_each_library("ml_kem_import_does_the_input_checks_of_fips_203", |provider| {
        for (name, ..) in ML_KEM_KEYS {
            let kem = provider.kem(name).unwrap();
            let key = kem.generate().unwrap();
            let mut public = vec![0; kem.algorithm().sizes.public.unwrap()];
            key.export_public(&mut public).unwrap();
            let mut secret = vec![0; kem.algorithm().sizes.secret.unwrap()];
            key.export_secret(SecretForm::Expanded, &mut secret).unwrap();
            // Section 7.2: the first coefficient becomes 4095, above q.
            let mut large = public.clone();
            large[0] = 0xff;
            large[1] |= 0x0f;
            assert_eq!(fault(kem.import_public(&large)), Fault::Input, "{name}");
            // Section 7.3: H(ek) no longer fits.
            let hash = secret.len() - 64;
            for position in [hash, hash + 31, hash - 1] {
                let mut unfit = secret.clone();
                unfit[position] ^= 0x80;
                assert_eq!(fault(kem.import_secret(SecretForm::Expanded, &unfit)), Fault::Input, "{name} {position}");
            }
            // z is random, nothing to check.
            *secret.last_mut().unwrap() ^= 1;
            let imported = kem.import_secret(SecretForm::Expanded, &secret).unwrap();
            let mut exported = vec![0; public.len()];
            imported.export_public(&mut exported).unwrap();
            assert_eq!(exported, public, "{name}: the public key inside the private one");
        }
    });
}

#[cfg(feature = "rustcrypto")]
#[test]
fn ml_kem_agrees_with_another_implementation() {
    use ml_kem::kem::{Decapsulate, KeyExport};
    with_each_library("ml_kem_agrees_with_another_implementation", |provider| {
        let kem = provider.kem("ML-KEM-768").unwrap();
        let theirs = ml_kem::ml_kem_768::DecapsulationKey::from_seed(ml_kem::Seed::default());
        let public = theirs.encapsulation_key().to_bytes();
        let ours = kem.import_public(&public).unwrap();
        let (mut ciphertext, mut shared) = (vec![0; 1088], vec![0; 32]);
        ours.encapsulate(&mut ciphertext, &mut shared).unwrap();
        assert_eq!(theirs.decapsulate_slice(&ciphertext).unwrap().as_slice(), shared);

        let coins = [7; 32];
        if kem.derandomised() {
            let (expected, key) = theirs.encapsulation_key().encapsulate_deterministic(&coins.into());
            ours.encapsulate_derandomised(&coins, &mut ciphertext, &mut shared).unwrap();
            assert_eq!((ciphertext.as_slice(), shared.as_slice()), (expected.as_slice(), key.as_slice()));
            for bytes in wrong(&coins) {
                let result = ours.encapsulate_derandomised(&bytes, &mut ciphertext, &mut shared);
                assert_eq!(fault(result), Fault::Usage);
            }
        } else {
            let result = ours.encapsulate_derandomised(&coins, &mut ciphertext, &mut shared);
            assert_eq!(fault(result), Fault::Unsupported);
        }
        let newer = ["0.15.", "0.16."].iter().any(|version| provider.identity.version.starts_with(version));
        assert_eq!(kem.derandomised(), newer);
    });
}

#[test]
fn every_signature_round_trips_and_refuses() {
    with_each_library("every_signature_round_trips_and_refuses", |provider| {
        for scheme in signatures(&provider) {
            signature_round_trip(scheme);
        }
    });
}

fn signature_round_trip(scheme: &dyn SignatureScheme) {
    let row = scheme.algorithm();
    let name = row.name;
    let key = scheme.generate().unwrap();
    let mut public = vec![0; row.sizes.public.unwrap()];
    assert_eq!(key.export_public(&mut public).unwrap(), public.len());
    let mut secret = vec![0; row.sizes.secret.unwrap()];
    assert_eq!(key.export_secret(SecretForm::Expanded, &mut secret).unwrap(), secret.len());
    let verifier = scheme.import_public(&public).unwrap();
    let imported = scheme.import_secret(SecretForm::Expanded, &secret).unwrap();

    let message = noise(1000);
    let mut out = vec![0; row.sizes.signature.unwrap()];
    let length = imported.sign(b"", b"", Randomness::Library, &mut out).unwrap();
    assert!(verifier.verify(b"", b"", &out[..length]).unwrap(), "{name}: empty message");
    let length = key.sign(&message, b"", Randomness::Library, &mut out).unwrap();
    let signature = &out[..length];
    assert!(verifier.verify(&message, b"", signature).unwrap(), "{name}");
    assert!(!verifier.verify(&message[1..], b"", signature).unwrap(), "{name}: another message");
    for position in [0, length / 2, length - 1] {
        let mut altered = signature.to_vec();
        altered[position] ^= 1;
        assert!(!verifier.verify(&message, b"", &altered).unwrap(), "{name}: byte {position} does not count");
    }
    for bytes in wrong(signature).iter().chain(&hostile(length)) {
        assert!(!verifier.verify(&message, b"", bytes).unwrap(), "{name}: {} bytes", bytes.len());
    }
    for bytes in hostile(public.len()) {
        let verifier = scheme.import_public(&bytes).unwrap();
        assert!(!verifier.verify(&message, b"", signature).unwrap(), "{name}: hostile public key");
    }
    signature_refusals(scheme, &public, &secret);
    contexts(scheme, &*key, &*verifier);
}

fn signature_refusals(scheme: &dyn SignatureScheme, public: &[u8], secret: &[u8]) {
    let name = scheme.algorithm().name;
    let size = scheme.algorithm().sizes.signature.unwrap();
    let key = scheme.import_secret(SecretForm::Expanded, secret).unwrap();
    for bytes in wrong(public) {
        assert_eq!(fault(scheme.import_public(&bytes)), Fault::Input, "{name}");
    }
    for bytes in wrong(secret) {
        assert_eq!(fault(scheme.import_secret(SecretForm::Expanded, &bytes)), Fault::Input, "{name}");
    }
    assert_eq!(fault(scheme.import_secret(SecretForm::Seed, &[0; 32])), Fault::Unsupported);
    assert_eq!(fault(key.export_secret(SecretForm::Seed, &mut [0; 32])), Fault::Unsupported);
    assert_eq!(fault(key.sign(b"m", b"", Randomness::Library, &mut vec![0; size - 1])), Fault::Usage, "{name}");
    assert!(!scheme.deterministic());
    let mut out = vec![0; size];
    assert_eq!(fault(key.sign(b"m", b"", Randomness::Deterministic, &mut out)), Fault::Unsupported, "{name}");
    let mut derived = vec![0; public.len()];
    match key.export_public(&mut derived) {
        Ok(_) => assert_eq!(derived, public, "{name}"),
        Err(error) => assert!(error.fault() == Fault::Unsupported && scheme.algorithm().standard != "FIPS 205"),
    }
}

fn contexts(scheme: &dyn SignatureScheme, key: &dyn crypto::Signer, verifier: &dyn crypto::Verifier) {
    let name = scheme.algorithm().name;
    let mut out = vec![0; scheme.algorithm().sizes.signature.unwrap()];
    if !scheme.contexts() {
        assert_eq!(fault(key.sign(b"m", b"c", Randomness::Library, &mut out)), Fault::Unsupported, "{name}");
        assert_eq!(fault(verifier.verify(b"m", b"c", &out)), Fault::Unsupported, "{name}");
        return;
    }
    let length = key.sign(b"m", b"c", Randomness::Library, &mut out).unwrap();
    let signature = &out[..length];
    assert!(verifier.verify(b"m", b"c", signature).unwrap(), "{name}");
    for other in [&b""[..], b"d", &[b'c'; 255]] {
        assert!(!verifier.verify(b"m", other, signature).unwrap(), "{name}: context does not count");
    }
    assert_eq!(fault(verifier.verify(b"m", &[0; 256], signature)), Fault::Usage, "{name}");
    assert_eq!(fault(key.sign(b"m", &[0; 256], Randomness::Library, &mut out)), Fault::Usage, "{name}");
}

#[cfg(feature = "rustcrypto")]
#[test]
fn ml_dsa_with_context_verifies_in_another_implementation() {
    use ml_dsa::{EncodedVerifyingKey, MlDsa65, Signature, VerifyingKey};
    with_each_library("ml_dsa_with_context_verifies_in_another_implementation", |provider| {
        let scheme = provider.signature("ML-DSA-65").unwrap();
        let key = scheme.generate().unwrap();
        let mut public = vec![0; 1952];
        key.export_public(&mut public).unwrap();
        let encoded = EncodedVerifyingKey::<MlDsa65>::try_from(public.as_slice()).unwrap();
        let theirs = VerifyingKey::<MlDsa65>::decode(&encoded);
        for context in [&b""[..], b"a context"] {
            let mut out = vec![0; 3309];
            key.sign(b"message", context, Randomness::Library, &mut out).unwrap();
            let signature = Signature::<MlDsa65>::try_from(out.as_slice()).unwrap();
            assert!(theirs.verify_with_context(b"message", context, &signature));
            assert!(!theirs.verify_with_context(b"message", b"another", &signature));
        }
    });
}

#[cfg(feature = "rustcrypto")]
#[test]
fn slh_dsa_verifies_in_another_implementation() {
    use slh_dsa::{Shake128f, Signature, VerifyingKey};
    with_each_library("slh_dsa_verifies_in_another_implementation", |provider| {
        // Before 0.15 there is only round-3 SPHINCS+, which must not carry the standard's name.
        let submission = provider.signature("SPHINCS+-SHAKE-128f-simple-round3");
        let Some(scheme) = provider.signature("SLH-DSA-SHAKE-128f") else {
            assert!(submission.is_some(), "{} has neither", provider.identity.version);
            return;
        };
        let key = scheme.generate().unwrap();
        let mut public = vec![0; 32];
        key.export_public(&mut public).unwrap();
        let theirs = VerifyingKey::<Shake128f>::try_from(public.as_slice()).unwrap();
        let mut out = vec![0; 17088];
        for context in [&b""[..], b"a context"] {
            key.sign(b"message", context, Randomness::Library, &mut out).unwrap();
            let signature = Signature::<Shake128f>::try_from(out.as_slice()).unwrap();
            theirs.try_verify_with_context(b"message", context, &signature).unwrap();
            assert!(theirs.try_verify_with_context(b"message", b"another", &signature).is_err());
        }
    });
}

#[test]
fn libraries_side_by_side_understand_each_other() {
    let paths = libraries("libraries_side_by_side_understand_each_other");
    on_big_stack(move || {
        let providers: Vec<Provider> = paths.iter().map(|path| load(path, "test").unwrap()).collect();
        for (ours, theirs) in providers.iter().flat_map(|a| providers.iter().map(move |b| (a, b))) {
            let key = ours.kem("ML-KEM-1024").unwrap().generate().unwrap();
            let mut public = vec![0; 1568];
            key.export_public(&mut public).unwrap();
            let (mut ciphertext, mut sent, mut received) = (vec![0; 1568], [0; 32], [0; 32]);
            let encapsulator = theirs.kem("ML-KEM-1024").unwrap().import_public(&public).unwrap();
            encapsulator.encapsulate(&mut ciphertext, &mut sent).unwrap();
            key.decapsulate(&ciphertext, &mut received).unwrap();
            assert_eq!(sent, received);
        }
    });
}

#[test]
fn one_key_serves_many_threads() {
    with_each_library("one_key_serves_many_threads", |provider| {
        let scheme = provider.signature("ML-DSA-44").unwrap();
        let key = scheme.generate().unwrap();
        let mut public = vec![0; 1312];
        key.export_public(&mut public).unwrap();
        let verifier = scheme.import_public(&public).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..4_u8 {
                let (key, verifier) = (&key, &verifier);
                scope.spawn(move || {
                    let mut out = vec![0; 2420];
                    for round in 0..20 {
                        let message = [thread, round];
                        key.sign(&message, b"", Randomness::Library, &mut out).unwrap();
                        assert!(verifier.verify(&message, b"", &out).unwrap());
                    }
                });
            }
        });
    });
}

#[cfg(target_os = "linux")]
#[test]
fn another_library_is_refused_by_name() {
    // The C library this test itself runs on: loadable, and no liboqs.
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    let mapped = maps.lines().filter_map(|line| line.split_whitespace().nth(5));
    let other = mapped.into_iter().find(|path| path.contains("/libc.")).expect("no C library is mapped");
    let error = load(Path::new(other), "test").err().unwrap();
    assert_eq!(error.fault(), Fault::Environment);
    assert!(error.what().contains("is not a liboqs") && error.what().contains("OQS_"), "{error}");
    assert!(error.hint().unwrap().contains("liboqs"));
}
