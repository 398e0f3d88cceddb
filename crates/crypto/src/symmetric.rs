//! Symmetric primitives: AEAD, hash, MAC, key derivation.

use crate::catalogue::Algorithm;
use crate::error::Result;

/// Authenticated encryption with associated data (RFC 5116).
pub trait Aead: Send + Sync {
    /// Row of the catalogue: key, nonce and tag sizes.
    fn algorithm(&self) -> &'static Algorithm;

    /// Prepares a key (key schedule, tables).
    ///
    /// # Errors
    /// [`crate::Fault::Input`] for a key of wrong length.
    fn import_key(&self, key: &[u8]) -> Result<Box<dyn AeadKey>>;
}

/// A prepared AEAD key.
pub trait AeadKey: Send + Sync {
    /// Writes ciphertext ‖ tag, `plaintext.len() + tag` bytes, to the front of `out`.
    /// The caller must not repeat a nonce under one key outside of measurement.
    ///
    /// # Errors
    /// [`crate::Fault::Usage`] for wrong nonce or buffer length.
    fn seal(&self, nonce: &[u8], aad: &[u8], plaintext: &[u8], out: &mut [u8]) -> Result<()>;

    /// Opens ciphertext ‖ tag into the front of `out`; `Ok(false)` when the tag does not verify,
    /// in which case `out` holds no plaintext.
    ///
    /// # Errors
    /// [`crate::Fault::Usage`] for wrong nonce or buffer length.
    fn open(&self, nonce: &[u8], aad: &[u8], sealed: &[u8], out: &mut [u8]) -> Result<bool>;
}

/// A hash function or an extendable-output function at the catalogue's output length.
pub trait Hash: Send + Sync {
    /// Row of the catalogue: output size.
    fn algorithm(&self) -> &'static Algorithm;

    /// One-shot digest. `out` has the catalogue's size, or for SHAKE any length.
    ///
    /// # Errors
    /// [`crate::Fault::Usage`] for a wrong buffer.
    fn hash(&self, message: &[u8], out: &mut [u8]) -> Result<()>;
}

/// A message authentication code.
pub trait Mac: Send + Sync {
    /// Row of the catalogue: tag size.
    fn algorithm(&self) -> &'static Algorithm;

    /// Prepares a key of any length.
    ///
    /// # Errors
    /// [`crate::Fault::Provider`] when the library fails.
    fn import_key(&self, key: &[u8]) -> Result<Box<dyn MacKey>>;
}

/// A prepared MAC key.
pub trait MacKey: Send + Sync {
    /// One-shot tag over `message`, full length.
    ///
    /// # Errors
    /// [`crate::Fault::Usage`] for a wrong buffer.
    fn mac(&self, message: &[u8], out: &mut [u8]) -> Result<()>;
}

/// Extract-and-expand key derivation (RFC 5869).
pub trait Kdf: Send + Sync {
    /// Row of the catalogue.
    fn algorithm(&self) -> &'static Algorithm;

    /// HKDF-Extract then HKDF-Expand; `out.len()` is L.
    ///
    /// # Errors
    /// [`crate::Fault::Usage`] when L is over 255 hash lengths.
    fn derive(&self, ikm: &[u8], salt: &[u8], info: &[u8], out: &mut [u8]) -> Result<()>;
}
