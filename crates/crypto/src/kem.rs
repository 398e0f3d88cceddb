//! Key encapsulation: bytes → key object → operation (FIPS 203 section 2.1 names).

use crate::SecretForm;
use crate::catalogue::Algorithm;
use crate::error::{Error, Result};

/// A key-encapsulation mechanism as one provider offers it.
pub trait Kem: Send + Sync {
    /// Row of the catalogue (or of the library, when discovered there): names and sizes.
    fn algorithm(&self) -> &'static Algorithm;

    /// Encodings in which this provider can import a decapsulation key. The first one is preferred.
    fn secret_forms(&self) -> &'static [SecretForm];

    /// Whether [`Encapsulator::encapsulate_derandomised`] works.
    fn derandomised(&self) -> bool {
        false
    }

    /// Generates a key pair with the library's own randomness (FIPS 203 Algorithm 19, `ML-KEM.KeyGen`).
    ///
    /// # Errors
    /// [`crate::Fault::Provider`] when the library fails.
    fn generate(&self) -> Result<Box<dyn Decapsulator>>;

    /// Parses an encapsulation key and does the input check of the standard (FIPS 203 section 7.2).
    ///
    /// # Errors
    /// [`crate::Fault::Input`] when the bytes are not a valid key.
    fn import_public(&self, bytes: &[u8]) -> Result<Box<dyn Encapsulator>>;

    /// Parses a decapsulation key. From [`SecretForm::Seed`] this is the seeded key generation
    /// (FIPS 203 Algorithm 16, `ML-KEM.KeyGen_internal(d, z)`, seed = d ‖ z).
    ///
    /// # Errors
    /// [`crate::Fault::Input`] for invalid bytes, [`crate::Fault::Unsupported`] for a form not in [`Kem::secret_forms`].
    fn import_secret(&self, form: SecretForm, bytes: &[u8]) -> Result<Box<dyn Decapsulator>>;
}

/// An encapsulation (public) key.
pub trait Encapsulator: Send + Sync {
    /// Writes a ciphertext and the shared secret it carries. Both buffers have exactly the catalogue's sizes.
    ///
    /// # Errors
    /// [`crate::Fault::Usage`] for wrong buffers, [`crate::Fault::Provider`] when the library fails.
    fn encapsulate(&self, ciphertext: &mut [u8], shared: &mut [u8]) -> Result<()>;

    /// As [`Encapsulator::encapsulate`] with the randomness given (FIPS 203 Algorithm 17, `m` of 32 bytes).
    /// For measurement and tests only.
    ///
    /// # Errors
    /// [`crate::Fault::Unsupported`] where the library has no such interface.
    fn encapsulate_derandomised(&self, coins: &[u8], ciphertext: &mut [u8], shared: &mut [u8]) -> Result<()> {
        let _ = (coins, ciphertext, shared);
        Err(Error::unsupported("this library has no derandomised encapsulation"))
    }

    /// Writes the encoded public key; returns its length.
    ///
    /// # Errors
    /// [`crate::Fault::Usage`] when `out` is too short.
    fn export_public(&self, out: &mut [u8]) -> Result<usize>;
}

/// A decapsulation (private) key, with its public half.
pub trait Decapsulator: Send + Sync {
    /// Writes the shared secret. A ciphertext that was altered gives another secret, not an error
    /// (implicit rejection, FIPS 203 Algorithm 18).
    ///
    /// # Errors
    /// [`crate::Fault::Input`] for a ciphertext of wrong length.
    fn decapsulate(&self, ciphertext: &[u8], shared: &mut [u8]) -> Result<()>;

    /// Writes the encoded public key; returns its length.
    ///
    /// # Errors
    /// [`crate::Fault::Usage`] when `out` is too short.
    fn export_public(&self, out: &mut [u8]) -> Result<usize>;

    /// Writes the encoded private key; returns its length.
    ///
    /// # Errors
    /// [`crate::Fault::Unsupported`] when the library or this key does not hold that form.
    fn export_secret(&self, form: SecretForm, out: &mut [u8]) -> Result<usize>;
}
