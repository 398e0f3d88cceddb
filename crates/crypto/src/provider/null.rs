//! Operations that do nothing, through the same traits as the real ones: what they cost is the cost of measuring.
//!
//! The names (`null-kem`, …) are no algorithm's, so that a null row cannot be mistaken for a result.

use crate::SecretForm;
use crate::agreement::{Agreement, AgreementKey, PeerKey};
use crate::catalogue::{Algorithm, Family, Sizes};
use crate::error::{Result, copy_out};
use crate::kem::{Decapsulator, Encapsulator, Kem};
use crate::provider::{Identity, Provider};
use crate::signature::{Randomness, SignatureScheme, Signer, Verifier};
use crate::symmetric::{Aead, AeadKey, Hash, Kdf, Mac, MacKey};
use std::any::Any;

/// The null provider, version of this crate.
#[must_use]
pub fn provider() -> Provider {
    let mut provider =
        Provider::empty(Identity::linked("null", env!("CARGO_PKG_VERSION"), "does nothing; measures the harness"));
    provider.kems.push(leak(Family::Kem));
    provider.signatures.push(leak(Family::Signature));
    provider.agreements.push(leak(Family::Agreement));
    provider.aeads.push(leak(Family::Aead));
    provider.hashes.push(leak(Family::Hash));
    provider.macs.push(leak(Family::Mac));
    provider.kdfs.push(leak(Family::Kdf));
    provider
}

/// Every size is 32: enough for the harness to move bytes as it does for a real algorithm.
const SIZE: usize = 32;
const KEY: [u8; SIZE] = [0; SIZE];

fn leak(family: Family) -> &'static Null {
    let sizes = Sizes {
        public: Some(SIZE),
        secret: Some(SIZE),
        seed: Some(SIZE),
        ciphertext: Some(SIZE),
        shared: Some(SIZE),
        signature: Some(SIZE),
        key: Some(SIZE),
        nonce: Some(12),
        tag: Some(16),
        output: Some(SIZE),
    };
    let name = format!("null-{}", family.as_str());
    Box::leak(Box::new(Null(Algorithm::discovered(&name, family, "none", None, sizes))))
}

struct Null(&'static Algorithm);

struct NullKey;

impl Kem for Null {
    fn algorithm(&self) -> &'static Algorithm {
        self.0
    }
    fn secret_forms(&self) -> &'static [SecretForm] {
        &[SecretForm::Expanded, SecretForm::Seed]
    }
    fn derandomised(&self) -> bool {
        true
    }
    fn generate(&self) -> Result<Box<dyn Decapsulator>> {
        Ok(Box::new(NullKey))
    }
    fn import_public(&self, _: &[u8]) -> Result<Box<dyn Encapsulator>> {
        Ok(Box::new(NullKey))
    }
    fn import_secret(&self, _: SecretForm, _: &[u8]) -> Result<Box<dyn Decapsulator>> {
        Ok(Box::new(NullKey))
    }
}

impl Encapsulator for NullKey {
    fn encapsulate(&self, _: &mut [u8], _: &mut [u8]) -> Result<()> {
        Ok(())
    }
    fn encapsulate_derandomised(&self, _: &[u8], _: &mut [u8], _: &mut [u8]) -> Result<()> {
        Ok(())
    }
    fn export_public(&self, out: &mut [u8]) -> Result<usize> {
        copy_out("null", &KEY, out)
    }
}

impl Decapsulator for NullKey {
    fn decapsulate(&self, _: &[u8], _: &mut [u8]) -> Result<()> {
        Ok(())
    }
    fn export_public(&self, out: &mut [u8]) -> Result<usize> {
        copy_out("null", &KEY, out)
    }
    fn export_secret(&self, _: SecretForm, out: &mut [u8]) -> Result<usize> {
        copy_out("null", &KEY, out)
    }
}

impl SignatureScheme for Null {
    fn algorithm(&self) -> &'static Algorithm {
        self.0
    }
    fn secret_forms(&self) -> &'static [SecretForm] {
        &[SecretForm::Expanded, SecretForm::Seed]
    }
    fn deterministic(&self) -> bool {
        true
    }
    fn generate(&self) -> Result<Box<dyn Signer>> {
        Ok(Box::new(NullKey))
    }
    fn import_public(&self, _: &[u8]) -> Result<Box<dyn Verifier>> {
        Ok(Box::new(NullKey))
    }
    fn import_secret(&self, _: SecretForm, _: &[u8]) -> Result<Box<dyn Signer>> {
        Ok(Box::new(NullKey))
    }
}

impl Signer for NullKey {
    fn sign(&self, _: &[u8], _: &[u8], _: Randomness, _: &mut [u8]) -> Result<usize> {
        Ok(SIZE)
    }
    fn export_public(&self, out: &mut [u8]) -> Result<usize> {
        copy_out("null", &KEY, out)
    }
    fn export_secret(&self, _: SecretForm, out: &mut [u8]) -> Result<usize> {
        copy_out("null", &KEY, out)
    }
}

impl Verifier for NullKey {
    fn verify(&self, _: &[u8], _: &[u8], _: &[u8]) -> Result<bool> {
        Ok(true)
    }
    fn export_public(&self, out: &mut [u8]) -> Result<usize> {
        copy_out("null", &KEY, out)
    }
}

impl Agreement for Null {
    fn algorithm(&self) -> &'static Algorithm {
        self.0
    }
    fn generate(&self) -> Result<Box<dyn AgreementKey>> {
        Ok(Box::new(NullKey))
    }
    fn import_secret(&self, _: &[u8]) -> Result<Box<dyn AgreementKey>> {
        Ok(Box::new(NullKey))
    }
    fn import_public(&self, _: &[u8]) -> Result<Box<dyn PeerKey>> {
        Ok(Box::new(NullKey))
    }
}

impl AgreementKey for NullKey {
    fn derive(&self, _: &dyn PeerKey, _: &mut [u8]) -> Result<()> {
        Ok(())
    }
    fn export_public(&self, out: &mut [u8]) -> Result<usize> {
        copy_out("null", &KEY, out)
    }
    fn export_secret(&self, out: &mut [u8]) -> Result<usize> {
        copy_out("null", &KEY, out)
    }
}

impl PeerKey for NullKey {
    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Aead for Null {
    fn algorithm(&self) -> &'static Algorithm {
        self.0
    }
    fn import_key(&self, _: &[u8]) -> Result<Box<dyn AeadKey>> {
        Ok(Box::new(NullKey))
    }
}

impl AeadKey for NullKey {
    fn seal(&self, _: &[u8], _: &[u8], _: &[u8], _: &mut [u8]) -> Result<()> {
        Ok(())
    }
    fn open(&self, _: &[u8], _: &[u8], _: &[u8], _: &mut [u8]) -> Result<bool> {
        Ok(true)
    }
}

impl Hash for Null {
    fn algorithm(&self) -> &'static Algorithm {
        self.0
    }
    fn hash(&self, _: &[u8], _: &mut [u8]) -> Result<()> {
        Ok(())
    }
}

impl Mac for Null {
    fn algorithm(&self) -> &'static Algorithm {
        self.0
    }
    fn import_key(&self, _: &[u8]) -> Result<Box<dyn MacKey>> {
        Ok(Box::new(NullKey))
    }
}

impl MacKey for NullKey {
    fn mac(&self, _: &[u8], _: &mut [u8]) -> Result<()> {
        Ok(())
    }
}

impl Kdf for Null {
    fn algorithm(&self) -> &'static Algorithm {
        self.0
    }
    fn derive(&self, _: &[u8], _: &[u8], _: &[u8], _: &mut [u8]) -> Result<()> {
        Ok(())
    }
}
