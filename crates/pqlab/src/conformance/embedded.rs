//! The reduced vectors built into this program (`vectors/README.md`): enough to refuse a wrong provider, small enough
//! to be asked before every run.

use super::vectors::{LoadError, VectorSet, inflate, load_bytes};
use std::collections::BTreeMap;
use std::sync::OnceLock;

macro_rules! embedded {
    ($($name:literal),+ $(,)?) => {
        const FILES: &[(&str, &[u8])] =
            &[$((concat!("built-in/", $name), include_bytes!(concat!("../../vectors/", $name)))),+];
    };
}

embedded!(
    "hash.rsp.gz",
    "ml-dsa-keygen.json.gz",
    "ml-dsa-sign.json.gz",
    "ml-dsa-verify.json.gz",
    "ml-kem-encap-decap.json.gz",
    "ml-kem-keygen.json.gz",
    "slh-dsa-keygen.json.gz",
    "slh-dsa-verify.json.gz",
    "wycheproof-aes-ccm.json.gz",
    "wycheproof-aes-gcm.json.gz",
    "wycheproof-ascon-aead128.json.gz",
    "wycheproof-chacha20-poly1305.json.gz",
    "wycheproof-ecdh-secp256r1-ecpoint.json.gz",
    "wycheproof-ecdh-secp384r1-ecpoint.json.gz",
    "wycheproof-ecdsa-secp256r1-sha256.json.gz",
    "wycheproof-ecdsa-secp384r1-sha384.json.gz",
    "wycheproof-ed25519.json.gz",
    "wycheproof-ed448.json.gz",
    "wycheproof-hkdf-sha256.json.gz",
    "wycheproof-hkdf-sha384.json.gz",
    "wycheproof-hkdf-sha512.json.gz",
    "wycheproof-hmac-sha256.json.gz",
    "wycheproof-hmac-sha3-256.json.gz",
    "wycheproof-hmac-sha3-512.json.gz",
    "wycheproof-hmac-sha384.json.gz",
    "wycheproof-hmac-sha512.json.gz",
    "wycheproof-ml-dsa-44-sign.json.gz",
    "wycheproof-ml-dsa-44-verify.json.gz",
    "wycheproof-ml-dsa-65-sign.json.gz",
    "wycheproof-ml-dsa-65-verify.json.gz",
    "wycheproof-ml-dsa-87-sign.json.gz",
    "wycheproof-ml-dsa-87-verify.json.gz",
    "wycheproof-ml-kem-1024-decaps.json.gz",
    "wycheproof-ml-kem-1024-encaps.json.gz",
    "wycheproof-ml-kem-1024.json.gz",
    "wycheproof-ml-kem-512-decaps.json.gz",
    "wycheproof-ml-kem-512-encaps.json.gz",
    "wycheproof-ml-kem-512.json.gz",
    "wycheproof-ml-kem-768-decaps.json.gz",
    "wycheproof-ml-kem-768-encaps.json.gz",
    "wycheproof-ml-kem-768.json.gz",
    "wycheproof-rsa-signature-2048-sha256.json.gz",
    "wycheproof-rsa-signature-3072-sha256.json.gz",
    "wycheproof-rsa-signature-4096-sha256.json.gz",
    "wycheproof-x25519.json.gz",
    "wycheproof-x448.json.gz",
);

const RSA_KEYS: &[u8] = include_bytes!("../../vectors/rsa-keys.json.gz");

/// The whole set.
///
/// # Errors
/// Never in a sound build: the files are part of it and a test reads them.
pub fn all() -> Result<VectorSet, LoadError> {
    let mut set = VectorSet::default();
    for (name, bytes) in FILES {
        load_bytes(name, bytes, &mut set)?;
    }
    Ok(set)
}

/// The cases of one algorithm; an empty set where there are none.
///
/// # Errors
/// As [`all`].
pub fn for_algorithm(name: &str) -> Result<&'static VectorSet, LoadError> {
    static SETS: OnceLock<Result<BTreeMap<&'static str, VectorSet>, LoadError>> = OnceLock::new();
    static EMPTY: OnceLock<VectorSet> = OnceLock::new();
    let sets = SETS.get_or_init(|| {
        let mut sets: BTreeMap<&'static str, VectorSet> = BTreeMap::new();
        for case in all()?.cases {
            sets.entry(case.algorithm.name).or_default().cases.push(case);
        }
        Ok(sets)
    });
    match sets {
        Ok(sets) => Ok(sets.get(name).unwrap_or_else(|| EMPTY.get_or_init(VectorSet::default))),
        Err(error) => Err(error.clone()),
    }
}

/// A private key for RSA, PKCS#8 DER: generating one takes seconds. Public test keys of Wycheproof.
#[must_use]
pub fn rsa_key(algorithm: &str) -> Option<Vec<u8>> {
    static KEYS: OnceLock<BTreeMap<String, String>> = OnceLock::new();
    let keys = KEYS.get_or_init(|| {
        inflate("rsa-keys", RSA_KEYS).ok().and_then(|json| serde_json::from_slice(&json).ok()).unwrap_or_default()
    });
    keys.get(algorithm).and_then(|digits| hex::decode(digits).ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::{Digest, Sha256};

    #[test]
    fn every_file_is_in_the_readme_with_its_digest() {
        let readme = include_str!("../../vectors/README.md");
        let mut total = RSA_KEYS.len();
        for (name, bytes) in FILES.iter().copied().chain([("built-in/rsa-keys.json.gz", RSA_KEYS)]) {
            let digest = hex::encode(Sha256::digest(bytes));
            let line = format!("| {} | {} | `{digest}` |", name.trim_start_matches("built-in/"), bytes.len());
            assert!(readme.contains(&line), "vectors/README.md lacks: {line}");
            total += bytes.len();
        }
        assert!(total <= 400 << 10, "{total} bytes");
    }

    /// What has no known answer here rests on cross-checks; the list is part of `vectors/README.md`.
    #[test]
    fn every_algorithm_has_known_answers_but_these() {
        let without: Vec<&str> = crypto::catalogue()
            .iter()
            .map(|row| row.name)
            .filter(|name| for_algorithm(name).is_ok_and(|set| set.cases.is_empty()))
            .collect();
        let expected = [
            "SLH-DSA-SHA2-192s",
            "SLH-DSA-SHA2-256s",
            "SLH-DSA-SHA2-256f",
            "SLH-DSA-SHAKE-192f",
            "SLH-DSA-SHAKE-256s",
            "HKDF-SHA3-256",
        ];
        assert_eq!(without, expected);
        let readme = include_str!("../../vectors/README.md");
        assert!(expected.iter().all(|name| readme.contains(name)));
    }

    #[test]
    fn rsa_keys_are_there() {
        for name in ["RSA-2048-PKCS1-SHA256", "RSA-3072-PKCS1-SHA256", "RSA-4096-PKCS1-SHA256"] {
            assert!(rsa_key(name).is_some_and(|key| key.len() > 1000), "{name}");
        }
        assert!(rsa_key("RSA-1024").is_none());
    }
}
