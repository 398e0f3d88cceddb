//! Signing and verification keys.

use super::Inner;
use super::mechanism::Prepared;
use crate::SecretForm;
use crate::error::{Error, Result};
use crate::provider::openssl::ffi::Key;
use crate::provider::openssl::kind::About;
use crate::provider::openssl::pool::Pool;
use crate::signature::{Randomness, Signer, Verifier};

/// Longest context string (FIPS 204 section 5.2, FIPS 205 section 10.2).
const LONGEST_CONTEXT: usize = 255;

struct PrivateKey {
    scheme: &'static Inner,
    key: Key,
    signing: Pool<Prepared>,
}

struct PublicKey {
    scheme: &'static Inner,
    key: Key,
    verification: Pool<Prepared>,
}

impl Inner {
    /// A signing key; its context is prepared by the first signature.
    pub(super) fn signer(&'static self, key: Key) -> Box<dyn Signer> {
        Box::new(PrivateKey { scheme: self, key, signing: Pool::new() })
    }

    /// A verification key; its context is prepared by the first verification.
    pub(super) fn verifier(&'static self, key: Key) -> Box<dyn Verifier> {
        Box::new(PublicKey { scheme: self, key, verification: Pool::new() })
    }

    fn check_context(&self, string: &[u8]) -> Result<()> {
        if string.is_empty() {
            return Ok(());
        }
        if !self.mechanism.has_contexts() {
            return Err(Error::unsupported("it has no context string"));
        }
        if string.len() > LONGEST_CONTEXT {
            let what = format!("the context string has {} bytes, at most {LONGEST_CONTEXT} are allowed", string.len());
            return Err(Error::usage(what));
        }
        Ok(())
    }

    fn check_signing(&self, string: &[u8], deterministic: bool, room: usize) -> Result<()> {
        self.check_context(string)?;
        if deterministic && !self.deterministic {
            return Err(Error::unsupported("this OpenSSL has no deterministic signatures of it")
                .with_hint("the default provider of OpenSSL 3.2 or newer signs by RFC 6979"));
        }
        if room < self.size {
            return Err(Error::usage(format!("a signature has up to {} bytes, the buffer {room}", self.size)));
        }
        Ok(())
    }
}

impl Signer for PrivateKey {
    fn sign(&self, message: &[u8], context: &[u8], randomness: Randomness, out: &mut [u8]) -> Result<usize> {
        let Inner { kind, mechanism, algorithm, .. } = self.scheme;
        let deterministic = randomness == Randomness::Deterministic;
        self.scheme.check_signing(context, deterministic, out.len()).about(algorithm)?;
        self.signing
            .run(
                || mechanism.prepare_signing(kind, &self.key),
                |prepared| prepared.sign(mechanism, message, context, deterministic, out),
            )
            .about(algorithm)
    }

    fn export_public(&self, out: &mut [u8]) -> Result<usize> {
        let Inner { kind, algorithm, .. } = self.scheme;
        kind.export_public(&self.key, algorithm.sizes.public, out).about(algorithm)
    }

    fn export_secret(&self, form: SecretForm, out: &mut [u8]) -> Result<usize> {
        self.scheme.export_secret(&self.key, form, out).about(self.scheme.algorithm)
    }
}

impl Verifier for PublicKey {
    fn verify(&self, message: &[u8], context: &[u8], signature: &[u8]) -> Result<bool> {
        let Inner { kind, mechanism, algorithm, .. } = self.scheme;
        self.scheme.check_context(context).about(algorithm)?;
        self.verification
            .run(
                || mechanism.prepare_verification(kind, &self.key),
                |prepared| prepared.verify(mechanism, message, context, signature),
            )
            .about(algorithm)
    }

    fn export_public(&self, out: &mut [u8]) -> Result<usize> {
        let Inner { kind, algorithm, .. } = self.scheme;
        kind.export_public(&self.key, algorithm.sizes.public, out).about(algorithm)
    }
}
