//! RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017 section 8.2), crate `rsa`.
//!
//! Signing blinds with randomness from the operating system, the crate's default; the signature does not depend on it.
//! Key generation draws from ChaCha20 seeded by the operating system, because the crate asks for a generator that
//! cannot fail.

use crate::SecretForm;
use crate::catalogue::Algorithm;
use crate::error::{Error, Result, copy_out};
use crate::provider::pure::{bad_key, front, no_context, no_form, random, row, size};
use crate::signature::{Randomness, SignatureScheme, Signer, Verifier};
use ::rsa::pkcs1::{DecodeRsaPublicKey, EncodeRsaPublicKey};
use ::rsa::pkcs1v15::{Signature, SigningKey, VerifyingKey};
use ::rsa::pkcs8::{DecodePrivateKey, EncodePrivateKey};
use ::rsa::signature::{SignatureEncoding, Signer as _, Verifier as _};
use ::rsa::traits::PublicKeyParts;
use ::rsa::{RsaPrivateKey, RsaPublicKey};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;
use sha2::Sha256;
use zeroize::Zeroizing;

/// Longest public exponent, in bytes, that the crate takes (2³³ − 1).
const MAX_EXPONENT: usize = 5;

/// Longest PKCS#8 key that is looked at: RSA-4096 takes about 2,400 bytes.
const MAX_PKCS8: usize = 4096;

pub(super) fn all() -> Vec<&'static dyn SignatureScheme> {
    static RSA: [Scheme; 3] = [
        Scheme { row: row("RSA-2048-PKCS1-SHA256"), bits: 2048 },
        Scheme { row: row("RSA-3072-PKCS1-SHA256"), bits: 3072 },
        Scheme { row: row("RSA-4096-PKCS1-SHA256"), bits: 4096 },
    ];
    RSA.iter().map(|scheme| scheme as &dyn SignatureScheme).collect()
}

struct Scheme {
    row: &'static Algorithm,
    bits: u32,
}

impl Scheme {
    fn private(&self, key: RsaPrivateKey) -> Box<dyn Signer> {
        Box::new(Private { row: self.row, key: SigningKey::new(key) })
    }

    /// The modulus has exactly the bits in the name.
    fn check_modulus(&self, bits: u32) -> Result<()> {
        if bits == self.bits {
            Ok(())
        } else {
            Err(Error::input(format!("{} key has a modulus of {bits} bits", self.row.name)))
        }
    }
}

impl SignatureScheme for Scheme {
    fn algorithm(&self) -> &'static Algorithm {
        self.row
    }

    fn secret_forms(&self) -> &'static [SecretForm] {
        &[SecretForm::Pkcs8]
    }

    fn deterministic(&self) -> bool {
        true
    }

    fn generate(&self) -> Result<Box<dyn Signer>> {
        let mut seed = Zeroizing::new([0; 32]);
        random(&mut *seed)?;
        let key = RsaPrivateKey::new(&mut ChaCha20Rng::from_seed(*seed), self.bits as usize)
            .map_err(|e| Error::provider(format!("rsa failed in {} key generation: {e}", self.row.name)))?;
        Ok(self.private(key))
    }

    fn import_public(&self, bytes: &[u8]) -> Result<Box<dyn Verifier>> {
        // The catalogue's size is for e = 65537; another exponent makes the encoding shorter or longer.
        if bytes.len() > size(self.row.sizes.public) + MAX_EXPONENT {
            return Err(bad_key(self.row, "public key is longer than any RSAPublicKey of this size"));
        }
        let key =
            RsaPublicKey::from_pkcs1_der(bytes).map_err(|_| bad_key(self.row, "public key is not DER RSAPublicKey"))?;
        self.check_modulus(key.n().bits_vartime())?;
        Ok(Box::new(Public { row: self.row, key: VerifyingKey::new(key) }))
    }

    fn import_secret(&self, form: SecretForm, bytes: &[u8]) -> Result<Box<dyn Signer>> {
        if form != SecretForm::Pkcs8 {
            return Err(no_form(self.row, form));
        }
        if bytes.len() > MAX_PKCS8 {
            return Err(bad_key(self.row, "private key is longer than any PKCS#8 key of this size"));
        }
        let key = RsaPrivateKey::from_pkcs8_der(bytes)
            .map_err(|_| bad_key(self.row, "private key is not a valid PKCS#8 RSA key"))?;
        self.check_modulus(key.n().bits_vartime())?;
        Ok(self.private(key))
    }
}

struct Private {
    row: &'static Algorithm,
    key: SigningKey<Sha256>,
}

impl Private {
    fn fail(&self, what: &str) -> Error {
        Error::provider(format!("rsa failed in {} {what}", self.row.name))
    }
}

impl Signer for Private {
    fn sign(&self, message: &[u8], context: &[u8], _: Randomness, out: &mut [u8]) -> Result<usize> {
        no_context(self.row, context)?;
        let len = size(self.row.sizes.signature);
        let out = front(self.row, "signature", out, len)?;
        let signature = self.key.try_sign(message).map_err(|_| self.fail("signing"))?.to_bytes();
        copy_out(self.row.name, &signature, out)
    }

    fn export_public(&self, out: &mut [u8]) -> Result<usize> {
        let key: &RsaPrivateKey = self.key.as_ref();
        let der = key.as_public_key().to_pkcs1_der().map_err(|_| self.fail("public key export"))?;
        copy_out(self.row.name, der.as_bytes(), out)
    }

    fn export_secret(&self, form: SecretForm, out: &mut [u8]) -> Result<usize> {
        if form != SecretForm::Pkcs8 {
            return Err(no_form(self.row, form));
        }
        let der = self.key.to_pkcs8_der().map_err(|_| self.fail("private key export"))?;
        copy_out(self.row.name, der.as_bytes(), out)
    }
}

struct Public {
    row: &'static Algorithm,
    key: VerifyingKey<Sha256>,
}

impl Verifier for Public {
    fn verify(&self, message: &[u8], context: &[u8], signature: &[u8]) -> Result<bool> {
        no_context(self.row, context)?;
        let Ok(signature) = Signature::try_from(signature) else { return Ok(false) };
        Ok(self.key.verify(message, &signature).is_ok())
    }

    fn export_public(&self, out: &mut [u8]) -> Result<usize> {
        let key: &RsaPublicKey = self.key.as_ref();
        let der = key
            .to_pkcs1_der()
            .map_err(|_| Error::provider(format!("rsa failed in {} public key export", self.row.name)))?;
        copy_out(self.row.name, der.as_bytes(), out)
    }
}
