//! What the tests over all linked providers share.

#![allow(dead_code)] // each test file uses its own part

use crypto::provider::{Provider, linked};
use crypto::{Algorithm, Decapsulator, Error, Fault, SecretForm, SignatureScheme, Signer};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Every linked provider that computes something (`null` only measures the harness), and each OpenSSL that
/// `PQLAB_TEST_LIBCRYPTO` names.
pub fn providers() -> &'static [Provider] {
    static PROVIDERS: OnceLock<Vec<Provider>> = OnceLock::new();
    PROVIDERS.get_or_init(|| {
        let linked = linked().into_iter().filter(|(name, _)| *name != "null").map(|(_, make)| make());
        linked.chain(libraries().iter().map(|path| load(path))).collect()
    })
}

/// The paths in `PQLAB_TEST_LIBCRYPTO`.
pub fn libraries() -> Vec<PathBuf> {
    let named = std::env::var_os("PQLAB_TEST_LIBCRYPTO").filter(|_| cfg!(feature = "openssl")).unwrap_or_default();
    std::env::split_paths(&named).filter(|path| !path.as_os_str().is_empty()).collect()
}

#[cfg(feature = "openssl")]
fn load(path: &Path) -> Provider {
    use crypto::provider::openssl;
    openssl::load(path, &openssl::Variant::Default, "test").unwrap()
}

#[cfg(not(feature = "openssl"))]
fn load(path: &Path) -> Provider {
    unreachable!("{} is not in `libraries`", path.display())
}

pub const FORMS: [SecretForm; 3] = [SecretForm::Seed, SecretForm::Expanded, SecretForm::Pkcs8];

/// `ML-KEM-768 by rustcrypto@0.3.4`, for messages.
pub fn label(provider: &Provider, row: &Algorithm) -> String {
    format!("{} by {}", row.name, provider.identity.id())
}

/// Signing takes a good part of a second: the small SLH-DSA sets.
pub fn slow(row: &Algorithm) -> bool {
    row.name.starts_with("SLH-DSA") && row.name.ends_with('s')
}

#[track_caller]
pub fn fault<T>(result: Result<T, Error>, expected: Fault, what: &str) {
    match result {
        Ok(_) => panic!("{what}: accepted, expected a fault of {expected:?}"),
        Err(error) => assert_eq!(error.fault(), expected, "{what}: {error:?}"),
    }
}

/// RSA private keys (PKCS#8 DER): generating the long ones takes too long for a test.
pub fn rsa_key(row: &Algorithm) -> Option<&'static [u8]> {
    match row.name {
        "RSA-2048-PKCS1-SHA256" => Some(include_bytes!("../data/rsa-2048.pk8")),
        "RSA-3072-PKCS1-SHA256" => Some(include_bytes!("../data/rsa-3072.pk8")),
        "RSA-4096-PKCS1-SHA256" => Some(include_bytes!("../data/rsa-4096.pk8")),
        _ => None,
    }
}

/// A signing key: generated, for RSA the stored one.
pub fn signing_key(scheme: &dyn SignatureScheme) -> Box<dyn Signer> {
    match rsa_key(scheme.algorithm()) {
        Some(der) => scheme.import_secret(SecretForm::Pkcs8, der).unwrap(),
        None => scheme.generate().unwrap(),
    }
}

/// Small SLH-DSA sets whose key generation and signing take longest; the known answers check them.
pub fn slowest(row: &Algorithm) -> bool {
    slow(row) && !row.name.ends_with("128s")
}

/// Calls `export` with ample room and returns what was written.
pub fn exported(export: impl FnOnce(&mut [u8]) -> Result<usize, Error>) -> Result<Vec<u8>, Error> {
    let mut out = vec![0; 50_000];
    let len = export(&mut out)?;
    out.truncate(len);
    Ok(out)
}

pub fn public_of(key: &dyn Signer) -> Vec<u8> {
    exported(|out| key.export_public(out)).unwrap()
}

pub fn public_of_kem(key: &dyn Decapsulator) -> Vec<u8> {
    exported(|out| key.export_public(out)).unwrap()
}

/// Bytes the catalogue gives for a private key in that form.
pub fn secret_size(row: &Algorithm, form: SecretForm) -> Option<usize> {
    match form {
        SecretForm::Seed => row.sizes.seed,
        SecretForm::Expanded => row.sizes.secret,
        SecretForm::Pkcs8 => None,
    }
}

/// Reproducible bytes that look like nothing in particular.
pub fn bytes(label: &str, len: usize) -> Vec<u8> {
    use sha2::{Digest, Sha256};
    let blocks = (0u32..).flat_map(|i| Sha256::digest(format!("{label}/{i}")).to_vec());
    blocks.take(len).collect()
}
