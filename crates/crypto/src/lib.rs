//! Cryptography of pqlab: one catalogue, object-safe traits, and the adapters that fill them.
//!
//! Everywhere two steps: bytes → key object → operation, so that import and operation can be timed apart and in the
//! same way for each library. A [`Provider`] is a value with an [`Identity`] and tables of `&'static dyn` algorithms.
//!
//! This crate neither measures nor prints.

mod agreement;
mod catalogue;
mod error;
mod kem;
pub mod provider;
mod secret;
mod signature;
mod symmetric;

pub use agreement::{Agreement, AgreementKey, PeerKey};
pub use catalogue::{Algorithm, Family, Sizes, catalogue, find, nearest_names};
pub use error::{Error, Fault, Result};
pub use kem::{Decapsulator, Encapsulator, Kem};
pub use provider::{Identity, Library, Provider};
pub use secret::Secret;
pub use signature::{Randomness, SignatureScheme, Signer, Verifier};
pub use symmetric::{Aead, AeadKey, Hash, Kdf, Mac, MacKey};

/// Encoding of a private key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SecretForm {
    /// The seed of the standard: ML-KEM `d ‖ z` (64 bytes), ML-DSA `ξ` (32), SLH-DSA
    /// `SK.seed ‖ SK.prf ‖ PK.seed` (3n), Ed25519 and Ed448 private key (RFC 8032).
    Seed,
    /// The standard's expanded private key: FIPS 203 `dk`, FIPS 204 `sk`, FIPS 205 `SK` (4n), a library's own
    /// encoding for discovered algorithms; the scalar of ECDSA.
    Expanded,
    /// PKCS#8 DER (RFC 5958), used for RSA.
    Pkcs8,
}

impl SecretForm {
    /// Lower-case word used in records and on the worker line protocol.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            SecretForm::Seed => "seed",
            SecretForm::Expanded => "expanded",
            SecretForm::Pkcs8 => "pkcs8",
        }
    }
}
