//! Ed25519, crate `ed25519-dalek`.
//!
//! Verification is the crate's `verify`: RFC 8032 section 5.1.7 without cofactor and with S below the group order,
//! the equation that the other providers compute as well. `verify_strict` decompresses R in addition and refuses
//! points of low order, which RFC 8032 does not ask for; both pass all Wycheproof vectors.

use crate::SecretForm;
use crate::catalogue::Algorithm;
use crate::error::{Error, Result, check_len, copy_out};
use crate::provider::pure::{no_context, no_form, random, row};
use crate::signature::{Randomness, SignatureScheme, Signer, Verifier};
use ed25519_dalek::{Signature, Signer as _, SigningKey, Verifier as _, VerifyingKey};
use zeroize::Zeroizing;

const ROW: &Algorithm = row("Ed25519");

pub(super) struct Scheme;

pub(super) static ED25519: Scheme = Scheme;

impl SignatureScheme for Scheme {
    fn algorithm(&self) -> &'static Algorithm {
        ROW
    }

    fn secret_forms(&self) -> &'static [SecretForm] {
        &[SecretForm::Seed]
    }

    fn deterministic(&self) -> bool {
        true
    }

    fn generate(&self) -> Result<Box<dyn Signer>> {
        let mut seed = Zeroizing::new([0; 32]);
        random(&mut *seed)?;
        Ok(Box::new(Private(SigningKey::from_bytes(&seed))))
    }

    fn import_public(&self, bytes: &[u8]) -> Result<Box<dyn Verifier>> {
        check_len("Ed25519 public key", bytes, 32)?;
        let key = bytes
            .try_into()
            .ok()
            .and_then(|bytes| VerifyingKey::from_bytes(bytes).ok())
            .ok_or_else(|| Error::input("Ed25519 public key is not a point of the curve"))?;
        Ok(Box::new(Public(key)))
    }

    fn import_secret(&self, form: SecretForm, bytes: &[u8]) -> Result<Box<dyn Signer>> {
        if form != SecretForm::Seed {
            return Err(no_form(ROW, form));
        }
        check_len("Ed25519 private key", bytes, 32)?;
        let key = SigningKey::try_from(bytes).map_err(|_| Error::input("Ed25519 private key is malformed"))?;
        Ok(Box::new(Private(key)))
    }
}

struct Private(SigningKey);

impl Signer for Private {
    fn sign(&self, message: &[u8], context: &[u8], _: Randomness, out: &mut [u8]) -> Result<usize> {
        no_context(ROW, context)?;
        let signature = self.0.try_sign(message).map_err(|_| Error::provider("ed25519-dalek failed in signing"))?;
        copy_out("Ed25519 signature", &signature.to_bytes(), out)
    }

    fn export_public(&self, out: &mut [u8]) -> Result<usize> {
        copy_out("Ed25519 public key", self.0.verifying_key().as_bytes(), out)
    }

    fn export_secret(&self, form: SecretForm, out: &mut [u8]) -> Result<usize> {
        match form {
            SecretForm::Seed => copy_out("Ed25519 private key", self.0.as_bytes(), out),
            _ => Err(no_form(ROW, form)),
        }
    }
}

struct Public(VerifyingKey);

impl Verifier for Public {
    fn verify(&self, message: &[u8], context: &[u8], signature: &[u8]) -> Result<bool> {
        no_context(ROW, context)?;
        let Ok(signature) = Signature::from_slice(signature) else { return Ok(false) };
        Ok(self.0.verify(message, &signature).is_ok())
    }

    fn export_public(&self, out: &mut [u8]) -> Result<usize> {
        copy_out("Ed25519 public key", self.0.as_bytes(), out)
    }
}
