//! ML-DSA, crate `libcrux-ml-dsa`, run-time choice of instruction set by the crate.
//!
//! The crate's public interface has encoded keys only: each signature and each verification decodes the key and
//! samples the matrix **Â** anew. That is what its users pay, and what is measured.

use crate::catalogue::Algorithm;
use crate::error::{Error, Result};
use crate::provider::pure::ml_dsa::{Library, MlDsa};
use crate::provider::pure::{random, row};
use crate::signature::{Randomness, SignatureScheme};
use ::libcrux_ml_dsa::{MLDSASignature, MLDSASigningKey, MLDSAVerificationKey, SigningError};
use zeroize::{Zeroize, Zeroizing};

pub(super) fn all() -> Vec<&'static dyn SignatureScheme> {
    vec![const { &MlDsa::<Set44>::new() }, const { &MlDsa::<Set65>::new() }, const { &MlDsa::<Set87>::new() }]
}

/// A signing key with its public half, where that is known: the crate derives it from a seed only.
pub(crate) struct Private<const SK: usize, const PK: usize> {
    key: Box<MLDSASigningKey<SK>>,
    public: Option<Box<MLDSAVerificationKey<PK>>>,
}

impl<const SK: usize, const PK: usize> Drop for Private<SK, PK> {
    fn drop(&mut self) {
        self.key.as_ref_mut().zeroize();
    }
}

macro_rules! library {
    ($set:ident, $module:ident, $name:literal, $secret_polynomials:expr, $eta:expr, $pk:literal, $sk:literal,
     $sig:literal) => {
        pub(crate) struct $set;

        impl Library for $set {
            const ROW: &'static Algorithm = row($name);
            const SECRET_POLYNOMIALS: usize = $secret_polynomials;
            const ETA: u8 = $eta;
            type Public = Box<MLDSAVerificationKey<$pk>>;
            type Private = Private<$sk, $pk>;

            fn public(pk: &[u8]) -> Option<Self::Public> {
                Some(Box::new(MLDSAVerificationKey::new(pk.try_into().ok()?)))
            }

            fn private_from_seed(seed: &[u8; 32]) -> Self::Private {
                let mut pair = ::libcrux_ml_dsa::$module::generate_key_pair(*seed);
                let key = Box::new(pair.signing_key.clone());
                pair.signing_key.as_ref_mut().zeroize();
                Private { key, public: Some(Box::new(pair.verification_key)) }
            }

            fn private_from_expanded(sk: &[u8]) -> Option<Self::Private> {
                let mut key = Box::new(MLDSASigningKey::zero());
                key.as_ref_mut().copy_from_slice(sk);
                Some(Private { key, public: None })
            }

            fn sign(
                private: &Self::Private,
                message: &[u8],
                context: &[u8],
                randomness: Randomness,
                signature: &mut [u8],
            ) -> Result<()> {
                let mut rnd = Zeroizing::new([0; 32]);
                if randomness == Randomness::Library {
                    random(&mut *rnd)?;
                }
                let signed = ::libcrux_ml_dsa::$module::sign(&private.key, message, context, *rnd)
                    .map_err(|e| refused($name, &e))?;
                signature.copy_from_slice(signed.as_slice());
                Ok(())
            }

            fn verify(public: &Self::Public, message: &[u8], context: &[u8], signature: &[u8]) -> bool {
                let Ok(signature) = <[u8; $sig]>::try_from(signature) else { return false };
                ::libcrux_ml_dsa::$module::verify(public, message, context, &MLDSASignature::new(signature)).is_ok()
            }

            fn write_public(public: &Self::Public, out: &mut [u8]) {
                out.copy_from_slice(public.as_slice());
            }

            fn write_public_of(private: &Self::Private, out: &mut [u8]) -> Result<()> {
                let public = private.public.as_ref().ok_or_else(|| {
                    Error::unsupported(concat!(
                        "libcrux-ml-dsa cannot derive the public key of an expanded ",
                        $name,
                        " key"
                    ))
                    .with_hint("import the key from its 32-byte seed")
                })?;
                Self::write_public(public, out);
                Ok(())
            }

            fn write_expanded(private: &Self::Private, out: &mut [u8]) {
                out.copy_from_slice(private.key.as_slice());
            }
        }
    };
}

#[cold]
fn refused(name: &str, error: &SigningError) -> Error {
    Error::provider(format!("libcrux-ml-dsa failed in {name} signing: {error:?}"))
}

library!(Set44, ml_dsa_44, "ML-DSA-44", 4 + 4, 2, 1312, 2560, 2420);
library!(Set65, ml_dsa_65, "ML-DSA-65", 6 + 5, 4, 1952, 4032, 3309);
library!(Set87, ml_dsa_87, "ML-DSA-87", 8 + 7, 2, 2592, 4896, 4627);
