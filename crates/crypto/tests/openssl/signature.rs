//! ML-DSA, SLH-DSA, Ed25519, Ed448, ECDSA, RSA.

use super::{exported, fault, flipped, hostile, libraries, modern, noise, resized, sha256};
use crypto::{Fault, Randomness, SecretForm, SignatureScheme, Signer};

/// First test of each parameter set of NIST's ACVP vectors ML-DSA-keyGen-FIPS204: ξ, SHA-256 of pk, SHA-256 of sk.
const ML_DSA: [(&str, &str, &str, &str); 3] = [
    (
        "ML-DSA-44",
        "4BE7A01A99A5E5BCFE3C06785D8E4EC664082227D86704E9E44862623A05C8B3",
        "a140495fe1cbeb25d30ecf194ee2823dde1b76bbcbdea8cac50c6365f6803060",
        "832d372e1c52dc6fe6f9d8ccb34cf3f184f16a6aa5bbebc1369d52b364034eaa",
    ),
    (
        "ML-DSA-65",
        "8AB6448BF58F897D528A8DE9F8E59329AC929A9CDE7EDF3E27E01BC9EF128A67",
        "b0cc1d6464e1528a478108d4be94be4aca4c7ae69d9595b1e6b752713442022a",
        "75c9d40f0afce322f8f9ba20b7544039c04af1b7a047a8c8b7c429c71d5fc15f",
    ),
    (
        "ML-DSA-87",
        "5AC4D695186486C11D21F0300DBDA6F38B8D1FA07A254549B64422D44B1AAC42",
        "f3181985231f1541993e4a5e676636e76ca97a2d551bff73d832e9ed80217b31",
        "8f53b3e2aeb6545df71c749d0e7fc8e674b64e1e3381b882888462dbbaeb0b95",
    ),
];

/// First test of each parameter set of NIST's ACVP vectors SLH-DSA-keyGen-FIPS205: SK.seed ‖ SK.prf ‖ PK.seed, pk.
const SLH_DSA: [(&str, &str, &str); 4] = [
    (
        "SLH-DSA-SHA2-128s",
        "2F896D61D9CD9038CA303394FADAA22A24AC5EC1D86A989CA2196C3C8632419C1A05A42FE300E87B16AEE116CB2E2363",
        "1A05A42FE300E87B16AEE116CB2E236358E2C3E62632C9DE03D08A535A0EB7E7",
    ),
    (
        "SLH-DSA-SHA2-192f",
        "8596C97C522D258038765AC80110A584A4E342D58149EBFC763CA88D40D68C201C76C2F8DF0908A39F27009B7D3B1E6C\
         BD409651BF5E717D83096506B715C3543285AA83535F7743",
        "BD409651BF5E717D83096506B715C3543285AA83535F77433EA3D6D2E7EBF150C2F21DAD9FB71977C83EC6D59C36E0D4",
    ),
    (
        "SLH-DSA-SHAKE-192s",
        "BC9543F91D3E83DF793ACC0BBCDF54810691C770F2DC5DAD3ACFA79732CDB71D4EF1E9B2ECA1A490F977CB0CCE3AAAC5\
         F6C64E2B662BE5DDB6F9C28CC62C20C7697EFEDAAB1C9028",
        "F6C64E2B662BE5DDB6F9C28CC62C20C7697EFEDAAB1C9028AC30C249F75B8B7F44730E5341698853B3F48B5D150C802E",
    ),
    (
        "SLH-DSA-SHAKE-256f",
        "758161EAF6DB91C65F185B26FD490AFD808E987B339D2CBB5B3045BC2ED9A33D5A703A6A2A687A8AE1883A9FC957C26E\
         17F5569D5A28C144780DF013C9AA83240A0EE387983FC9FBE9D5B80A2787C39C6FC1BE3364B9D1FD0C6DC4EDF70E28AA",
        "0A0EE387983FC9FBE9D5B80A2787C39C6FC1BE3364B9D1FD0C6DC4EDF70E28AA\
         397DC9D892E41418FCFF892135D8B33FBCFDF7FFB82B62C7CD2618E18648151C",
    ),
];

const MESSAGE: &[u8] = b"a message of no great length";

fn each(test: &str, check: impl Fn(&'static dyn SignatureScheme)) {
    for provider in libraries(test) {
        assert!(!provider.signatures.is_empty());
        provider.signatures.iter().for_each(|scheme| check(*scheme));
    }
}

/// Without the parameter sets whose keys or signatures take long; their code is that of the others.
fn each_quick(test: &str, check: impl Fn(&'static dyn SignatureScheme)) {
    each(test, |scheme| {
        if quick(scheme.algorithm().name) {
            check(scheme);
        }
    });
}

pub fn quick(name: &str) -> bool {
    let slow_hash = name.starts_with("SLH-DSA") && name.ends_with('s') && name != "SLH-DSA-SHA2-128s";
    !slow_hash && !name.starts_with("RSA-3072") && !name.starts_with("RSA-4096")
}

fn sign(scheme: &dyn SignatureScheme, signer: &dyn Signer, context: &[u8], randomness: Randomness) -> Vec<u8> {
    let mut out = vec![0; scheme.algorithm().sizes.signature.unwrap()];
    let n = signer.sign(MESSAGE, context, randomness, &mut out).unwrap();
    out.truncate(n);
    out
}

#[test]
fn the_seed_gives_the_key_of_the_standard() {
    for provider in modern("signature seeds") {
        for (name, seed, public, secret) in ML_DSA {
            let seed = hex::decode(seed).unwrap();
            let key = provider.signature(name).unwrap().import_secret(SecretForm::Seed, &seed).unwrap();
            assert_eq!(sha256(&exported(|out| key.export_public(out))), public, "{name}");
            assert_eq!(sha256(&exported(|out| key.export_secret(SecretForm::Expanded, out))), secret, "{name}");
            assert_eq!(exported(|out| key.export_secret(SecretForm::Seed, out)), seed, "{name}");
        }
        for (name, seed, public) in SLH_DSA {
            let seed = hex::decode(seed).unwrap();
            let key = provider.signature(name).unwrap().import_secret(SecretForm::Seed, &seed).unwrap();
            assert_eq!(exported(|out| key.export_public(out)), hex::decode(public).unwrap(), "{name}");
            assert_eq!(exported(|out| key.export_secret(SecretForm::Seed, out)), seed, "{name}");
        }
    }
}

/// RFC 8032 section 7.1 test 2 and section 7.4 "1 octet": private key, public key, message, signature.
#[test]
fn edwards_known_answers() {
    let rows = [
        (
            "Ed25519",
            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            "72",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da\
             085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
        ),
        (
            "Ed448",
            "c4eab05d357007c632f3dbb48489924d552b08fe0c353a0d4a1f00acda2c463afbea67c5e8d2877c5e3bc397a659949ef8021e954e0a12274e",
            "43ba28f430cdff456ae531545f7ecd0ac834a55d9358c0372bfa0c6c6798c0866aea01eb00742802b8438ea4cb82169c235160627b4c3a9480",
            "03",
            "26b8f91727bd62897af15e41eb43c377efb9c610d48f2335cb0bd0087810f4352541b143c4b981b7e18f62de8ccdf633fc1bf037ab7cd779805\
             e0dbcc0aae1cbcee1afb2e027df36bc04dcecbf154336c19f0af7e0a6472905e799f1953d2a0ff3348ab21aa4adafd1d234441cf807c03a00",
        ),
    ];
    for provider in libraries("edwards known answers") {
        for (name, private, public, message, expected) in rows {
            let Some(scheme) = provider.signature(name) else { continue };
            let key = scheme.import_secret(SecretForm::Seed, &hex::decode(private).unwrap()).unwrap();
            assert_eq!(hex::encode(exported(|out| key.export_public(out))), public);
            // Twice: the second signature starts the context anew.
            for _ in 0..2 {
                let mut out = [0; 114];
                let n = key.sign(&hex::decode(message).unwrap(), b"", Randomness::Library, &mut out).unwrap();
                assert_eq!(hex::encode(&out[..n]), expected, "{name} of {}", provider.identity.id());
            }
        }
    }
}

/// RFC 6979 appendix A.2.5 and A.2.6, message "sample", as DER.
#[test]
fn deterministic_ecdsa_known_answers() {
    let rows = [
        (
            "ECDSA-P256-SHA256",
            "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721",
            "3046022100efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716\
             022100f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8",
        ),
        (
            "ECDSA-P384-SHA384",
            "6B9D3DAD2E1B8C1C05B19875B6659F4DE23C3B667BF297BA9AA47740787137D896D5724E4C70A825F872C9EA60D2EDF5",
            "306602310094edbb92a5ecb8aad4736e56c691916b3f88140666ce9fa73d64c4ea95ad133c81a648152e44acf96e36dd1e80fabe46\
             02310099ef4aeb15f178cea1fe40db2603138f130e740a19624526203b6351d0a3a94fa329c145786e679e7b82c71a38628ac8",
        ),
    ];
    for provider in libraries("ecdsa known answers") {
        for (name, private, expected) in rows {
            let scheme = provider.signature(name).unwrap();
            let key = scheme.import_secret(SecretForm::Expanded, &hex::decode(private).unwrap()).unwrap();
            let mut out = [0; 104];
            let deterministic = key.sign(b"sample", b"", Randomness::Deterministic, &mut out);
            // Not before 3.2, and not by the FIPS module of 3.5.
            let can = !provider.identity.version.starts_with("3.0.") && provider.identity.variant.is_none();
            if !can {
                assert!(!scheme.deterministic());
                assert_eq!(fault(deterministic), Fault::Unsupported);
                continue;
            }
            assert_eq!(hex::encode(&out[..deterministic.unwrap()]), expected, "{name}");
            // And the random nonce comes back.
            let n = key.sign(b"sample", b"", Randomness::Library, &mut out).unwrap();
            assert_ne!(hex::encode(&out[..n]), expected, "{name}");
        }
    }
}

#[test]
fn signatures_verify_and_nothing_altered_does() {
    each("signature round trip", |scheme| {
        let algorithm = scheme.algorithm();
        let signer = scheme.generate().unwrap();
        let public = exported(|out| signer.export_public(out));
        assert_eq!(Some(public.len()), algorithm.sizes.public, "{}", algorithm.name);
        let verifier = scheme.import_public(&public).unwrap();
        assert_eq!(exported(|out| verifier.export_public(out)), public);
        let signature = sign(scheme, &*signer, b"", Randomness::Library);
        assert!(signature.len() <= algorithm.sizes.signature.unwrap());
        // Valid, invalid, valid: the context of the verifier is used again.
        assert!(verifier.verify(MESSAGE, b"", &signature).unwrap(), "{}", algorithm.name);
        for altered in flipped(&signature).chain(resized(&signature)).chain(hostile(signature.len())) {
            assert!(!verifier.verify(MESSAGE, b"", &altered).unwrap(), "{}", algorithm.name);
        }
        for message in flipped(MESSAGE).chain([Vec::new()]) {
            assert!(!verifier.verify(&message, b"", &signature).unwrap(), "{}", algorithm.name);
        }
        assert!(verifier.verify(MESSAGE, b"", &signature).unwrap(), "{}", algorithm.name);
        if quick(algorithm.name) {
            let other = scheme.generate().unwrap();
            let other = scheme.import_public(&exported(|out| other.export_public(out))).unwrap();
            assert!(!other.verify(MESSAGE, b"", &signature).unwrap(), "{}", algorithm.name);
        }
        assert_eq!(fault(signer.sign(MESSAGE, b"", Randomness::Library, &mut [0; 16])), Fault::Usage);
    });
}

#[test]
fn private_keys_come_back_in_every_form() {
    each_quick("signature forms", |scheme| {
        let signer = scheme.generate().unwrap();
        let public = exported(|out| signer.export_public(out));
        let verifier = scheme.import_public(&public).unwrap();
        for form in scheme.secret_forms() {
            let bytes = exported(|out| signer.export_secret(*form, out));
            let again = scheme.import_secret(*form, &bytes).unwrap();
            assert_eq!(exported(|out| again.export_public(out)), public, "{} {form:?}", scheme.algorithm().name);
            let signature = sign(scheme, &*again, b"", Randomness::Library);
            assert!(verifier.verify(MESSAGE, b"", &signature).unwrap(), "{} {form:?}", scheme.algorithm().name);
            for wrong in resized(&bytes) {
                assert_eq!(
                    fault(scheme.import_secret(*form, &wrong)),
                    Fault::Input,
                    "{} {form:?}",
                    scheme.algorithm().name
                );
            }
        }
        for form in [SecretForm::Seed, SecretForm::Expanded, SecretForm::Pkcs8] {
            if !scheme.secret_forms().contains(&form) {
                assert_eq!(fault(scheme.import_secret(form, &[1; 32])), Fault::Unsupported);
                assert_eq!(fault(signer.export_secret(form, &mut [0; 8192])), Fault::Unsupported);
            }
        }
    });
}

#[test]
fn deterministic_signatures_repeat_and_others_do_not() {
    each_quick("deterministic", |scheme| {
        if !scheme.deterministic() {
            return;
        }
        let name = scheme.algorithm().name;
        let signer = scheme.generate().unwrap();
        let verifier = scheme.import_public(&exported(|out| signer.export_public(out))).unwrap();
        let first = sign(scheme, &*signer, b"", Randomness::Deterministic);
        let hedged = sign(scheme, &*signer, b"", Randomness::Library);
        assert_eq!(sign(scheme, &*signer, b"", Randomness::Deterministic), first, "{name}");
        let always = name.starts_with("Ed") || name.starts_with("RSA");
        assert_eq!(hedged == first, always, "{name}");
        assert!(verifier.verify(MESSAGE, b"", &first).unwrap(), "{name}");
    });
}

#[test]
fn the_context_string_is_bound() {
    each_quick("contexts", |scheme| {
        let name = scheme.algorithm().name;
        let signer = scheme.generate().unwrap();
        let verifier = scheme.import_public(&exported(|out| signer.export_public(out))).unwrap();
        let mut out = vec![0; scheme.algorithm().sizes.signature.unwrap()];
        if !scheme.contexts() {
            assert_eq!(fault(signer.sign(MESSAGE, b"x", Randomness::Library, &mut out)), Fault::Unsupported, "{name}");
            assert_eq!(fault(verifier.verify(MESSAGE, b"x", &out)), Fault::Unsupported, "{name}");
            return;
        }
        let with = sign(scheme, &*signer, b"context", Randomness::Library);
        let without = sign(scheme, &*signer, b"", Randomness::Library);
        let longest = sign(scheme, &*signer, &[9; 255], Randomness::Library);
        for _ in 0..2 {
            assert!(verifier.verify(MESSAGE, b"context", &with).unwrap(), "{name}");
            assert!(!verifier.verify(MESSAGE, b"", &with).unwrap(), "{name}");
            assert!(!verifier.verify(MESSAGE, b"contexu", &with).unwrap(), "{name}");
            assert!(!verifier.verify(MESSAGE, b"context", &without).unwrap(), "{name}");
            assert!(verifier.verify(MESSAGE, b"", &without).unwrap(), "{name}");
            assert!(verifier.verify(MESSAGE, &[9; 255], &longest).unwrap(), "{name}");
        }
        assert_eq!(fault(signer.sign(MESSAGE, &[9; 256], Randomness::Library, &mut out)), Fault::Usage, "{name}");
        assert_eq!(fault(verifier.verify(MESSAGE, &[9; 256], &out)), Fault::Usage, "{name}");
        assert_eq!(sign(scheme, &*signer, b"", Randomness::Library).len(), without.len());
    });
}

#[test]
fn hostile_keys_are_refused_or_harmless() {
    each_quick("hostile keys", |scheme| {
        let sizes = scheme.algorithm().sizes;
        let name = scheme.algorithm().name;
        for bytes in hostile(sizes.public.unwrap()) {
            if let Ok(verifier) = scheme.import_public(&bytes) {
                // Every string of the right length is an encoding of some schemes; no signature verifies.
                assert!(!verifier.verify(MESSAGE, b"", &noise(sizes.signature.unwrap())).unwrap(), "{name}");
            }
        }
        for len in [0, 1, sizes.public.unwrap() - 1, sizes.public.unwrap() + 1] {
            assert_eq!(fault(scheme.import_public(&noise(len))), Fault::Input, "{name}");
        }
        for form in scheme.secret_forms() {
            let len = match form {
                SecretForm::Seed => sizes.seed.unwrap(),
                SecretForm::Expanded => sizes.secret.unwrap(),
                SecretForm::Pkcs8 => 1200,
            };
            for bytes in hostile(len) {
                if let Err(error) = scheme.import_secret(*form, &bytes) {
                    assert_eq!(error.fault(), Fault::Input, "{name} {form:?}: {error}");
                }
            }
        }
    });
}

#[test]
fn keys_of_another_size_or_kind_are_refused() {
    for provider in libraries("other keys") {
        let scheme = |name| provider.signature(name).unwrap();
        let small = scheme("RSA-2048-PKCS1-SHA256").generate().unwrap();
        let large = scheme("RSA-3072-PKCS1-SHA256");
        let pkcs8 = exported(|out| small.export_secret(SecretForm::Pkcs8, out));
        let error = large.import_secret(SecretForm::Pkcs8, &pkcs8).err().unwrap();
        assert_eq!(error.fault(), Fault::Input);
        assert!(error.what().contains("2048 bits"), "{error}");
        assert_eq!(fault(large.import_public(&exported(|out| small.export_public(out)))), Fault::Input);
        // An Ed25519 key in PKCS #8 (RFC 8410 section 10.3) is none of RSA.
        let edwards = hex::decode(
            "302e020100300506032b657004220420d4ee72dbf913584ad5b6d8f1f769f8ad3afe7c28cbf1d4fbe097a88f44755842",
        );
        let error = scheme("RSA-2048-PKCS1-SHA256").import_secret(SecretForm::Pkcs8, &edwards.unwrap()).err().unwrap();
        assert_eq!(error.fault(), Fault::Input);
        assert!(error.what().contains("failed: "), "OpenSSL's reason is missing: {error}");
    }
}
