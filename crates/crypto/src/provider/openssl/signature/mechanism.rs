//! How a message gets to the library, and the contexts prepared for it.

use crate::error::{Error, Result};
use crate::provider::openssl::ffi::{Digest, Key, KeyContext, MessageContext, Param, Params, SignatureMethod};
use crate::provider::openssl::kind::Kind;
use std::ffi::{CStr, c_int, c_uint};

/// `OSSL_SIGNATURE_PARAM_CONTEXT_STRING`.
const CONTEXT: &CStr = c"context-string";
/// `OSSL_SIGNATURE_PARAM_DETERMINISTIC`.
const DETERMINISTIC: &CStr = c"deterministic";
/// `OSSL_SIGNATURE_PARAM_NONCE_TYPE` (3.2).
const NONCE_TYPE: &CStr = c"nonce-type";
/// Value of [`NONCE_TYPE`].
const RFC_6979: c_uint = 1;
/// `OSSL_SIGNATURE_PARAM_DIGEST`.
const DIGEST: &CStr = c"digest";
/// `OSSL_SIGNATURE_PARAM_PAD_MODE`.
const PADDING: &CStr = c"pad-mode";

/// Largest digest, of SHA-384.
const LARGEST_DIGEST: usize = 48;
/// Largest ECDSA signature, of P-384.
const LARGEST_ECDSA: usize = 104;

/// How a message gets to the library.
pub enum Mechanism {
    /// EVP_PKEY_sign on the message itself (`EVP_PKEY_sign_message_init`), with context strings.
    Message(SignatureMethod),
    /// EVP_DigestSign without a digest.
    OneShot {
        /// Whether each message needs a new start.
        again: bool,
    },
    /// EVP_Digest, then EVP_PKEY_sign on the digest.
    Hashed {
        /// The hash function.
        digest: Digest,
        /// Its name, which the signature method must know too.
        name: &'static CStr,
        /// Padding of RSA; none for ECDSA.
        padding: Option<&'static CStr>,
    },
}

/// A prepared context.
pub enum Prepared {
    /// For messages and digests, with the options that are set in it.
    Key {
        /// The context.
        context: KeyContext,
        /// The context string set.
        string: Vec<u8>,
        /// Whether signatures are deterministic.
        deterministic: bool,
    },
    /// For one-shot schemes.
    Message(MessageContext),
}

impl Mechanism {
    /// Whether there are context strings.
    pub fn has_contexts(&self) -> bool {
        matches!(self, Mechanism::Message(_))
    }

    /// A context that signs with `key`.
    pub fn prepare_signing(&self, kind: &Kind, key: &Key) -> Result<Prepared> {
        if let Mechanism::OneShot { .. } = self {
            return MessageContext::signing(kind.context, key).map(Prepared::Message);
        }
        let mut context = KeyContext::of_key(kind.context, key)?;
        context.prepare_signing(self.method())?;
        self.prepared(context)
    }

    /// A context that verifies with `key`.
    pub fn prepare_verification(&self, kind: &Kind, key: &Key) -> Result<Prepared> {
        if let Mechanism::OneShot { .. } = self {
            return MessageContext::verification(kind.context, key).map(Prepared::Message);
        }
        let mut context = KeyContext::of_key(kind.context, key)?;
        context.prepare_verification(self.method())?;
        self.prepared(context)
    }

    fn method(&self) -> Option<&SignatureMethod> {
        match self {
            Mechanism::Message(method) => Some(method),
            Mechanism::OneShot { .. } | Mechanism::Hashed { .. } => None,
        }
    }

    fn prepared(&self, mut context: KeyContext) -> Result<Prepared> {
        match self {
            Mechanism::Hashed { name, padding: Some(padding), .. } => {
                context.set(&Params::new([Param::name(PADDING, padding), Param::name(DIGEST, name)]))?;
            }
            Mechanism::Hashed { name, padding: None, .. } => {
                context.set(&Params::new([Param::name(DIGEST, name)]))?;
            }
            Mechanism::Message(_) | Mechanism::OneShot { .. } => {}
        }
        Ok(Prepared::Key { context, string: Vec::new(), deterministic: false })
    }
}

impl Prepared {
    /// Signs; the signature's length. A context string only for mechanisms that have one.
    pub fn sign(
        &mut self,
        mechanism: &Mechanism,
        message: &[u8],
        wanted_string: &[u8],
        wanted_deterministic: bool,
        out: &mut [u8],
    ) -> Result<usize> {
        match (self, mechanism) {
            (Prepared::Message(context), Mechanism::OneShot { again }) => context.sign(*again, message, out),
            (Prepared::Key { context, string, deterministic }, Mechanism::Message(_)) => {
                if string != wanted_string || *deterministic != wanted_deterministic {
                    let flag = c_int::from(wanted_deterministic);
                    context
                        .set(&Params::new([Param::octets(CONTEXT, wanted_string), Param::int(DETERMINISTIC, &flag)]))?;
                    wanted_string.clone_into(string);
                    *deterministic = wanted_deterministic;
                }
                context.sign(message, out)
            }
            (Prepared::Key { context, deterministic, .. }, Mechanism::Hashed { digest, padding, .. }) => {
                // RSA PKCS #1 v1.5 has no randomness to turn off.
                if padding.is_none() && *deterministic != wanted_deterministic {
                    let kind = if wanted_deterministic { RFC_6979 } else { 0 };
                    context.set(&Params::new([Param::uint(NONCE_TYPE, &kind)]))?;
                    *deterministic = wanted_deterministic;
                }
                hashed(digest, message, |digest| context.sign(digest, out))
            }
            _ => Err(mismatch()),
        }
    }

    /// Whether the signature is valid.
    pub fn verify(
        &mut self,
        mechanism: &Mechanism,
        message: &[u8],
        wanted_string: &[u8],
        signature: &[u8],
    ) -> Result<bool> {
        match (self, mechanism) {
            (Prepared::Message(context), Mechanism::OneShot { again }) => context.verify(*again, message, signature),
            (Prepared::Key { context, string, .. }, Mechanism::Message(_)) => {
                if string != wanted_string {
                    context.set(&Params::new([Param::octets(CONTEXT, wanted_string)]))?;
                    wanted_string.clone_into(string);
                }
                context.verify(message, signature)
            }
            (Prepared::Key { context, .. }, Mechanism::Hashed { digest, .. }) => {
                hashed(digest, message, |digest| context.verify(digest, signature))
            }
            _ => Err(mismatch()),
        }
    }
}

/// Whether ECDSA can be deterministic. It came with 3.2, and the FIPS module knows the parameter but refuses to sign with
/// it under `fips=yes`, so one signature is tried.
pub fn signs_by_rfc6979(kind: &Kind, mechanism: &Mechanism) -> bool {
    let attempt = || -> Result<bool> {
        let mut prepared = mechanism.prepare_signing(kind, &kind.generate()?)?;
        match &prepared {
            Prepared::Key { context, .. } if context.knows(NONCE_TYPE) => {}
            _ => return Ok(false),
        }
        prepared.sign(mechanism, b"", b"", true, &mut [0; LARGEST_ECDSA]).map(|_| true)
    };
    attempt().unwrap_or(false)
}

/// Hashes the message and hands the digest on.
fn hashed<R>(digest: &Digest, message: &[u8], work: impl FnOnce(&[u8]) -> Result<R>) -> Result<R> {
    let mut buffer = [0; LARGEST_DIGEST];
    let Some(out) = buffer.get_mut(..digest.size()) else {
        return Err(Error::provider("the digest is larger than expected"));
    };
    digest.digest(message, out)?;
    work(out)
}

#[cold]
fn mismatch() -> Error {
    Error::provider("a signature context of another mechanism")
}
