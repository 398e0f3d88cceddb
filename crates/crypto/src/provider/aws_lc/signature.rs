//! ML-DSA, Ed25519, ECDSA, RSA.

use super::{failed, rejected};
use crate::SecretForm;
use crate::catalogue::{Algorithm, find};
use crate::error::{Error, Result, check_len, copy_out};
use crate::signature::{Randomness, SignatureScheme, Signer, Verifier};
use aws_lc_rs::agreement;
use aws_lc_rs::encoding::{AsBigEndian, AsDer, AsRawBytes, EcPrivateKeyBin, Pkcs8V1Der, PqdsaPrivateKeyRaw};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_ASN1, ECDSA_P256_SHA256_ASN1_SIGNING, ECDSA_P384_SHA384_ASN1, ECDSA_P384_SHA384_ASN1_SIGNING,
    ED25519, EcdsaKeyPair, EcdsaSigningAlgorithm, Ed25519KeyPair, KeyPair, ML_DSA_44, ML_DSA_44_SIGNING, ML_DSA_65,
    ML_DSA_65_SIGNING, ML_DSA_87, ML_DSA_87_SIGNING, ParsedPublicKey, PqdsaKeyPair, PqdsaSigningAlgorithm,
    RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_SHA256, RsaKeyPair, RsaParameters, UnparsedPublicKey, VerificationAlgorithm,
};

/// How this scheme's private keys are made and used.
#[derive(Clone, Copy)]
enum Kind {
    MlDsa(&'static PqdsaSigningAlgorithm),
    Ed25519,
    Ecdsa(&'static EcdsaSigningAlgorithm, &'static agreement::Algorithm),
    Rsa(KeySize),
}

struct Scheme {
    row: &'static Algorithm,
    kind: Kind,
    verification: &'static dyn VerificationAlgorithm,
}

pub(super) fn all() -> Vec<&'static dyn SignatureScheme> {
    let table: [(&str, Kind, &'static dyn VerificationAlgorithm); 9] = [
        ("ML-DSA-44", Kind::MlDsa(&ML_DSA_44_SIGNING), &ML_DSA_44),
        ("ML-DSA-65", Kind::MlDsa(&ML_DSA_65_SIGNING), &ML_DSA_65),
        ("ML-DSA-87", Kind::MlDsa(&ML_DSA_87_SIGNING), &ML_DSA_87),
        ("Ed25519", Kind::Ed25519, &ED25519),
        (
            "ECDSA-P256-SHA256",
            Kind::Ecdsa(&ECDSA_P256_SHA256_ASN1_SIGNING, &agreement::ECDH_P256),
            &ECDSA_P256_SHA256_ASN1,
        ),
        (
            "ECDSA-P384-SHA384",
            Kind::Ecdsa(&ECDSA_P384_SHA384_ASN1_SIGNING, &agreement::ECDH_P384),
            &ECDSA_P384_SHA384_ASN1,
        ),
        ("RSA-2048-PKCS1-SHA256", Kind::Rsa(KeySize::Rsa2048), &RSA_PKCS1_2048_8192_SHA256),
        ("RSA-3072-PKCS1-SHA256", Kind::Rsa(KeySize::Rsa3072), &RSA_PKCS1_2048_8192_SHA256),
        ("RSA-4096-PKCS1-SHA256", Kind::Rsa(KeySize::Rsa4096), &RSA_PKCS1_2048_8192_SHA256),
    ];
    table
        .into_iter()
        .filter_map(|(name, kind, verification)| {
            let row = find(name)?;
            Some(Box::leak(Box::new(Scheme { row, kind, verification })) as &dyn SignatureScheme)
        })
        .collect()
}

impl SignatureScheme for Scheme {
    fn algorithm(&self) -> &'static Algorithm {
        self.row
    }

    fn secret_forms(&self) -> &'static [SecretForm] {
        match self.kind {
            Kind::MlDsa(_) => &[SecretForm::Expanded, SecretForm::Seed],
            Kind::Ed25519 => &[SecretForm::Seed],
            Kind::Ecdsa(..) => &[SecretForm::Expanded],
            Kind::Rsa(_) => &[SecretForm::Pkcs8],
        }
    }

    fn deterministic(&self) -> bool {
        matches!(self.kind, Kind::Ed25519 | Kind::Rsa(_))
    }

    fn generate(&self) -> Result<Box<dyn Signer>> {
        let name = self.row.name;
        let fail = |_| failed(&format!("{name} key generation"));
        let key = match self.kind {
            Kind::MlDsa(algorithm) => Key::MlDsa(PqdsaKeyPair::generate(algorithm).map_err(fail)?),
            Kind::Ed25519 => Key::Ed25519(Ed25519KeyPair::generate().map_err(fail)?),
            Kind::Ecdsa(algorithm, _) => Key::Ecdsa(EcdsaKeyPair::generate(algorithm).map_err(fail)?),
            Kind::Rsa(size) => Key::Rsa(RsaKeyPair::generate(size).map_err(fail)?),
        };
        Ok(Box::new(Private { row: self.row, key }))
    }

    fn import_public(&self, bytes: &[u8]) -> Result<Box<dyn Verifier>> {
        let what = format!("{} public key", self.row.name);
        match self.kind {
            // The length of an RSA key in DER follows from its exponent; its modulus counts.
            Kind::Rsa(size) => {
                let bits = RsaParameters::public_modulus_len(bytes)
                    .map_err(|_| Error::input(format!("{what} is not an RSAPublicKey in DER")))?;
                if bits as usize != 8 * size.len() {
                    return Err(Error::input(format!("{what} has a modulus of {bits} bits")));
                }
            }
            _ => check_len(&what, bytes, self.row.sizes.public.unwrap_or(0))?,
        }
        let key = UnparsedPublicKey::new(self.verification, bytes)
            .parse()
            .map_err(|e| rejected(&format!("{} public key", self.row.name), e))?;
        Ok(Box::new(Public { row: self.row, key }))
    }

    fn import_secret(&self, form: SecretForm, bytes: &[u8]) -> Result<Box<dyn Signer>> {
        if !self.secret_forms().contains(&form) {
            return Err(Error::unsupported(format!(
                "aws-lc-rs cannot import {} from {}",
                self.row.name,
                form.as_str()
            )));
        }
        let reject = |e| rejected(&format!("{} private key", self.row.name), e);
        let key = match (self.kind, form) {
            (Kind::MlDsa(algorithm), SecretForm::Seed) => {
                Key::MlDsa(PqdsaKeyPair::from_seed(algorithm, bytes).map_err(reject)?)
            }
            (Kind::MlDsa(algorithm), _) => {
                check_len(self.row.name, bytes, self.row.sizes.secret.unwrap_or(0))?;
                Key::MlDsa(PqdsaKeyPair::from_raw_private_key(algorithm, bytes).map_err(reject)?)
            }
            (Kind::Ed25519, _) => Key::Ed25519(Ed25519KeyPair::from_seed_unchecked(bytes).map_err(reject)?),
            (Kind::Ecdsa(algorithm, curve), _) => Key::Ecdsa(ecdsa_from_scalar(algorithm, curve, bytes)?),
            (Kind::Rsa(size), _) => {
                let key = RsaKeyPair::from_pkcs8(bytes).map_err(reject)?;
                if key.public_modulus_len() != size.len() {
                    return Err(Error::input(format!(
                        "{} private key has a modulus of {} bits",
                        self.row.name,
                        8 * key.public_modulus_len()
                    )));
                }
                Key::Rsa(key)
            }
        };
        Ok(Box::new(Private { row: self.row, key }))
    }
}

/// `aws-lc-rs` wants the public point beside the scalar; its key-agreement interface computes it.
fn ecdsa_from_scalar(
    algorithm: &'static EcdsaSigningAlgorithm,
    curve: &'static agreement::Algorithm,
    scalar: &[u8],
) -> Result<EcdsaKeyPair> {
    let public = agreement::PrivateKey::from_private_key(curve, scalar)
        .map_err(|e| rejected("ECDSA private key", e))?
        .compute_public_key()
        .map_err(|_| failed("computing an ECDSA public key"))?;
    EcdsaKeyPair::from_private_key_and_public_key(algorithm, scalar, public.as_ref())
        .map_err(|e| rejected("ECDSA private key", e))
}

enum Key {
    MlDsa(PqdsaKeyPair),
    Ed25519(Ed25519KeyPair),
    Ecdsa(EcdsaKeyPair),
    Rsa(RsaKeyPair),
}

struct Private {
    row: &'static Algorithm,
    key: Key,
}

impl Private {
    fn fail(&self, what: &str) -> Error {
        failed(&format!("{} {what}", self.row.name))
    }
}

impl Signer for Private {
    fn sign(&self, message: &[u8], context: &[u8], randomness: Randomness, out: &mut [u8]) -> Result<usize> {
        if !context.is_empty() {
            return Err(Error::unsupported(format!("aws-lc-rs has no context for {}", self.row.name)));
        }
        let deterministic = matches!(self.key, Key::Ed25519(_) | Key::Rsa(_));
        if randomness == Randomness::Deterministic && !deterministic {
            return Err(Error::unsupported(format!("aws-lc-rs has no deterministic {}", self.row.name)));
        }
        match &self.key {
            Key::MlDsa(_) if Some(out.len()) < self.row.sizes.signature => {
                Err(Error::usage("signature buffer is too short"))
            }
            Key::MlDsa(key) => key.sign(message, out).map_err(|_| self.fail("signing")),
            Key::Ed25519(key) => {
                let signature = key.try_sign(message).map_err(|_| self.fail("signing"))?;
                copy_out(self.row.name, signature.as_ref(), out)
            }
            Key::Ecdsa(key) => {
                let signature = key.sign(&SystemRandom::new(), message).map_err(|_| self.fail("signing"))?;
                copy_out(self.row.name, signature.as_ref(), out)
            }
            Key::Rsa(key) => {
                let len = key.public_modulus_len();
                let room = out.get_mut(..len).ok_or_else(|| Error::usage("signature buffer is too short"))?;
                key.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), message, room).map_err(|_| self.fail("signing"))?;
                Ok(len)
            }
        }
    }

    fn export_public(&self, out: &mut [u8]) -> Result<usize> {
        let bytes = match &self.key {
            Key::MlDsa(key) => key.public_key().as_ref(),
            Key::Ed25519(key) => key.public_key().as_ref(),
            Key::Ecdsa(key) => key.public_key().as_ref(),
            Key::Rsa(key) => key.public_key().as_ref(),
        };
        copy_out(self.row.name, bytes, out)
    }

    fn export_secret(&self, form: SecretForm, out: &mut [u8]) -> Result<usize> {
        let fail = |_| self.fail("private key export");
        match (&self.key, form) {
            (Key::MlDsa(key), SecretForm::Expanded) => {
                let raw: PqdsaPrivateKeyRaw<'_> = key.private_key().as_raw_bytes().map_err(fail)?;
                copy_out(self.row.name, raw.as_ref(), out)
            }
            (Key::Ed25519(key), SecretForm::Seed) => {
                let seed = key.seed().map_err(fail)?;
                copy_out(self.row.name, seed.as_be_bytes().map_err(fail)?.as_ref(), out)
            }
            (Key::Ecdsa(key), SecretForm::Expanded) => {
                let scalar: EcPrivateKeyBin<'_> = key.private_key().as_be_bytes().map_err(fail)?;
                copy_out(self.row.name, scalar.as_ref(), out)
            }
            (Key::Rsa(key), SecretForm::Pkcs8) => {
                let der: Pkcs8V1Der<'_> = key.as_der().map_err(fail)?;
                copy_out(self.row.name, der.as_ref(), out)
            }
            _ => Err(Error::unsupported(format!(
                "aws-lc-rs does not release a {} key as {}",
                self.row.name,
                form.as_str()
            ))),
        }
    }
}

struct Public {
    row: &'static Algorithm,
    key: ParsedPublicKey,
}

impl Verifier for Public {
    fn verify(&self, message: &[u8], context: &[u8], signature: &[u8]) -> Result<bool> {
        if !context.is_empty() {
            return Err(Error::unsupported(format!("aws-lc-rs has no context for {}", self.row.name)));
        }
        Ok(self.key.verify_sig(message, signature).is_ok())
    }

    fn export_public(&self, out: &mut [u8]) -> Result<usize> {
        copy_out(self.row.name, self.key.as_ref(), out)
    }
}
