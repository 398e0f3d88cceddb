//! Digital signatures: bytes → key object → operation.

use crate::SecretForm;
use crate::catalogue::Algorithm;
use crate::error::Result;

/// Where the per-signature randomness comes from (FIPS 204 section 3.4, FIPS 205 section 9.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Randomness {
    /// The library's default: hedged for ML-DSA and SLH-DSA where it offers that.
    Library,
    /// None: the deterministic variant (`rnd` = 0³² in FIPS 204, `opt_rand` = PK.seed in FIPS 205).
    /// Classical deterministic schemes (Ed25519, RSASSA-PKCS1-v1_5) are always this.
    Deterministic,
}

/// A signature algorithm as one provider offers it.
pub trait SignatureScheme: Send + Sync {
    /// Row of the catalogue (or of the library, when discovered there).
    fn algorithm(&self) -> &'static Algorithm;

    /// Encodings in which this provider can import a signing key. The first one is preferred.
    fn secret_forms(&self) -> &'static [SecretForm];

    /// Whether signing with [`Randomness::Deterministic`] works.
    fn deterministic(&self) -> bool;

    /// Whether a non-empty context string works (FIPS 204 section 5.2, FIPS 205 section 10.2).
    fn contexts(&self) -> bool {
        false
    }

    /// Generates a key pair with the library's own randomness.
    ///
    /// # Errors
    /// [`crate::Fault::Provider`] when the library fails.
    fn generate(&self) -> Result<Box<dyn Signer>>;

    /// Parses a verification key.
    ///
    /// # Errors
    /// [`crate::Fault::Input`] when the bytes are not a valid key.
    fn import_public(&self, bytes: &[u8]) -> Result<Box<dyn Verifier>>;

    /// Parses a signing key. From [`SecretForm::Seed`] this is the seeded key generation
    /// (FIPS 204 Algorithm 6, `ML-DSA.KeyGen_internal(ξ)`).
    ///
    /// # Errors
    /// [`crate::Fault::Input`] for invalid bytes, [`crate::Fault::Unsupported`] for a form not in
    /// [`SignatureScheme::secret_forms`].
    fn import_secret(&self, form: SecretForm, bytes: &[u8]) -> Result<Box<dyn Signer>>;
}

/// A signing (private) key, with its public half.
pub trait Signer: Send + Sync {
    /// Signs `message` under `context` (empty for schemes without one); returns the signature's length.
    /// `out` has at least the catalogue's signature size.
    ///
    /// # Errors
    /// [`crate::Fault::Unsupported`] for a context or randomness the library has not,
    /// [`crate::Fault::Usage`] when `out` is too short, [`crate::Fault::Provider`] when the library fails.
    fn sign(&self, message: &[u8], context: &[u8], randomness: Randomness, out: &mut [u8]) -> Result<usize>;

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

/// A verification (public) key.
pub trait Verifier: Send + Sync {
    /// `Ok(true)` when the signature is valid, `Ok(false)` for every signature that is not, malformed ones included.
    ///
    /// # Errors
    /// [`crate::Fault::Unsupported`] for a context the library has not, [`crate::Fault::Provider`] when the library fails.
    fn verify(&self, message: &[u8], context: &[u8], signature: &[u8]) -> Result<bool>;

    /// Writes the encoded public key; returns its length.
    ///
    /// # Errors
    /// [`crate::Fault::Usage`] when `out` is too short.
    fn export_public(&self, out: &mut [u8]) -> Result<usize>;
}
