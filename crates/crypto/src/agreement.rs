//! Key agreement (Diffie–Hellman on curves): bytes → key object → operation.

use crate::catalogue::Algorithm;
use crate::error::Result;
use std::any::Any;

/// A key agreement as one provider offers it. Private keys are raw scalars (RFC 7748; SEC 1 big-endian),
/// public keys raw u-coordinates or uncompressed SEC 1 points.
pub trait Agreement: Send + Sync {
    /// Row of the catalogue.
    fn algorithm(&self) -> &'static Algorithm;

    /// Generates a key pair with the library's own randomness.
    ///
    /// # Errors
    /// [`crate::Fault::Provider`] when the library fails.
    fn generate(&self) -> Result<Box<dyn AgreementKey>>;

    /// Parses a private key.
    ///
    /// # Errors
    /// [`crate::Fault::Input`] when the bytes are not a valid key.
    fn import_secret(&self, bytes: &[u8]) -> Result<Box<dyn AgreementKey>>;

    /// Parses the peer's public key into what [`AgreementKey::derive`] of the same provider takes.
    ///
    /// # Errors
    /// [`crate::Fault::Input`] when the bytes are not a valid key.
    fn import_public(&self, bytes: &[u8]) -> Result<Box<dyn PeerKey>>;
}

/// A private key for key agreement.
pub trait AgreementKey: Send + Sync {
    /// Writes the raw shared secret (no key derivation). An all-zero X25519 result is an error (RFC 7748 section 6.1).
    ///
    /// # Errors
    /// [`crate::Fault::Input`] for a low-order peer, [`crate::Fault::Usage`] for a peer key of another provider.
    fn derive(&self, peer: &dyn PeerKey, shared: &mut [u8]) -> Result<()>;

    /// Writes the encoded public key; returns its length.
    ///
    /// # Errors
    /// [`crate::Fault::Usage`] when `out` is too short.
    fn export_public(&self, out: &mut [u8]) -> Result<usize>;

    /// Writes the raw private scalar; returns its length.
    ///
    /// # Errors
    /// [`crate::Fault::Unsupported`] when the library does not release it.
    fn export_secret(&self, out: &mut [u8]) -> Result<usize>;
}

/// A peer's public key, parsed by one provider for its own use.
pub trait PeerKey: Send + Sync {
    /// For the provider to find its own type again.
    fn as_any(&self) -> &dyn Any;
}
