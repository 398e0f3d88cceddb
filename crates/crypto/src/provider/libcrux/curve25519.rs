//! X25519 and Ed25519, crates `libcrux-curve25519` and `libcrux-ed25519` (HACL*).
//!
//! Both interfaces take encoded keys: Ed25519 signing hashes the private key and computes the public key anew, and
//! verification decompresses the public key, each time. That is what their users pay.

use crate::SecretForm;
use crate::agreement::{Agreement, AgreementKey, PeerKey};
use crate::catalogue::Algorithm;
use crate::error::{Error, Result, check_len, copy_out};
use crate::provider::pure::{check_buffer, no_context, no_form, random, row};
use crate::signature::{Randomness, SignatureScheme, Signer, Verifier};
use std::any::Any;
use zeroize::Zeroizing;

const ECDH: &Algorithm = row("X25519");
const EDDSA: &Algorithm = row("Ed25519");

type Key = Zeroizing<[u8; 32]>;

fn key(what: &str, bytes: &[u8]) -> Result<Key> {
    check_len(what, bytes, 32)?;
    let mut key = Zeroizing::new([0; 32]);
    key.copy_from_slice(bytes);
    Ok(key)
}

fn fresh() -> Result<Key> {
    let mut key = Zeroizing::new([0; 32]);
    random(&mut *key)?;
    Ok(key)
}

pub(super) struct Ecdh;

pub(super) static X25519: Ecdh = Ecdh;

impl Agreement for Ecdh {
    fn algorithm(&self) -> &'static Algorithm {
        ECDH
    }

    fn generate(&self) -> Result<Box<dyn AgreementKey>> {
        Ok(Private::boxed(fresh()?))
    }

    fn import_secret(&self, bytes: &[u8]) -> Result<Box<dyn AgreementKey>> {
        Ok(Private::boxed(key("X25519 private key", bytes)?))
    }

    /// Every 32 bytes are a u-coordinate (RFC 7748 section 5); points of low order show when a secret is derived.
    fn import_public(&self, bytes: &[u8]) -> Result<Box<dyn PeerKey>> {
        Ok(Box::new(Peer(*key("X25519 public key", bytes)?)))
    }
}

struct Private {
    /// As given; the crate clamps it in each operation.
    scalar: Key,
    public: [u8; 32],
}

impl Private {
    fn boxed(scalar: Key) -> Box<dyn AgreementKey> {
        let mut public = [0; 32];
        libcrux_curve25519::secret_to_public(&mut public, &scalar);
        Box::new(Self { scalar, public })
    }
}

impl AgreementKey for Private {
    fn derive(&self, peer: &dyn PeerKey, shared: &mut [u8]) -> Result<()> {
        check_buffer(ECDH, "shared-secret buffer", shared.len(), 32)?;
        let Some(Peer(peer)) = peer.as_any().downcast_ref() else {
            return Err(Error::usage("the peer key of X25519 belongs to another provider or algorithm"));
        };
        let mut secret = Zeroizing::new([0; 32]);
        libcrux_curve25519::ecdh(&mut secret, peer, &self.scalar).map_err(|_| {
            Error::input("X25519 peer key has low order, the shared secret is zero (RFC 7748 section 6.1)")
        })?;
        shared.copy_from_slice(&*secret);
        Ok(())
    }

    fn export_public(&self, out: &mut [u8]) -> Result<usize> {
        copy_out("X25519 public key", &self.public, out)
    }

    fn export_secret(&self, out: &mut [u8]) -> Result<usize> {
        copy_out("X25519 private key", &*self.scalar, out)
    }
}

struct Peer([u8; 32]);

impl PeerKey for Peer {
    fn as_any(&self) -> &dyn Any {
        self
    }
}

pub(super) struct Eddsa;

pub(super) static ED25519: Eddsa = Eddsa;

impl SignatureScheme for Eddsa {
    fn algorithm(&self) -> &'static Algorithm {
        EDDSA
    }

    fn secret_forms(&self) -> &'static [SecretForm] {
        &[SecretForm::Seed]
    }

    fn deterministic(&self) -> bool {
        true
    }

    fn generate(&self) -> Result<Box<dyn Signer>> {
        Ok(SigningKey::boxed(fresh()?))
    }

    /// The crate decompresses the point when it verifies and not before: 32 bytes that are no point pass here, and
    /// under them no signature is valid.
    fn import_public(&self, bytes: &[u8]) -> Result<Box<dyn Verifier>> {
        Ok(Box::new(VerificationKey(*key("Ed25519 public key", bytes)?)))
    }

    fn import_secret(&self, form: SecretForm, bytes: &[u8]) -> Result<Box<dyn Signer>> {
        if form != SecretForm::Seed {
            return Err(no_form(EDDSA, form));
        }
        Ok(SigningKey::boxed(key("Ed25519 private key", bytes)?))
    }
}

struct SigningKey {
    seed: Key,
    public: [u8; 32],
}

impl SigningKey {
    fn boxed(seed: Key) -> Box<dyn Signer> {
        let mut public = [0; 32];
        libcrux_ed25519::secret_to_public(&mut public, &seed);
        Box::new(Self { seed, public })
    }
}

impl Signer for SigningKey {
    fn sign(&self, message: &[u8], context: &[u8], _: Randomness, out: &mut [u8]) -> Result<usize> {
        no_context(EDDSA, context)?;
        let signature = libcrux_ed25519::sign(message, &self.seed)
            .map_err(|_| Error::usage("Ed25519 message is over 4 GiB, which libcrux cannot sign"))?;
        copy_out("Ed25519 signature", &signature, out)
    }

    fn export_public(&self, out: &mut [u8]) -> Result<usize> {
        copy_out("Ed25519 public key", &self.public, out)
    }

    fn export_secret(&self, form: SecretForm, out: &mut [u8]) -> Result<usize> {
        match form {
            SecretForm::Seed => copy_out("Ed25519 private key", &*self.seed, out),
            _ => Err(no_form(EDDSA, form)),
        }
    }
}

struct VerificationKey([u8; 32]);

impl Verifier for VerificationKey {
    fn verify(&self, message: &[u8], context: &[u8], signature: &[u8]) -> Result<bool> {
        no_context(EDDSA, context)?;
        let Ok(signature) = signature.try_into() else { return Ok(false) };
        Ok(libcrux_ed25519::verify(message, &self.0, signature).is_ok())
    }

    fn export_public(&self, out: &mut [u8]) -> Result<usize> {
        copy_out("Ed25519 public key", &self.0, out)
    }
}
