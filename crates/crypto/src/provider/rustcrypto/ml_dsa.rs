//! ML-DSA, crate `ml-dsa`. Signing and verification keys hold the expanded matrix **Â** and their NTT forms.

use crate::catalogue::Algorithm;
use crate::error::{Error, Result};
use crate::provider::pure::ml_dsa::{Library, MlDsa};
use crate::provider::pure::row;
use crate::signature::{Randomness, SignatureScheme};
use ::ml_dsa::signature::Keypair;
use ::ml_dsa::{ExpandedSigningKey, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, Signature, SigningKey, VerifyingKey};
use getrandom::SysRng;

pub(super) fn all() -> Vec<&'static dyn SignatureScheme> {
    vec![const { &MlDsa::<MlDsa44>::new() }, const { &MlDsa::<MlDsa65>::new() }, const { &MlDsa::<MlDsa87>::new() }]
}

/// A signing key as the crate makes it from either form, with the verification key prepared.
pub(crate) enum Private<P: MlDsaParams> {
    FromSeed(Box<SigningKey<P>>),
    FromExpanded(Box<(ExpandedSigningKey<P>, VerifyingKey<P>)>),
}

impl<P: MlDsaParams> Private<P> {
    /// The part that signs. `SigningKey` itself signs with the empty context only.
    fn expanded(&self) -> &ExpandedSigningKey<P> {
        match self {
            Self::FromSeed(key) => key.expanded_key(),
            Self::FromExpanded(key) => &key.0,
        }
    }

    fn public(&self) -> &VerifyingKey<P> {
        match self {
            Self::FromSeed(key) => (**key).as_ref(),
            Self::FromExpanded(key) => &key.1,
        }
    }
}

macro_rules! library {
    ($set:ty, $name:literal, $secret_polynomials:expr, $eta:expr) => {
        impl Library for $set {
            const ROW: &'static Algorithm = row($name);
            const SECRET_POLYNOMIALS: usize = $secret_polynomials;
            const ETA: u8 = $eta;
            type Public = VerifyingKey<$set>;
            type Private = Private<$set>;

            fn public(pk: &[u8]) -> Option<Self::Public> {
                Some(VerifyingKey::decode(pk.try_into().ok()?))
            }

            fn private_from_seed(seed: &[u8; 32]) -> Self::Private {
                Private::FromSeed(Box::new(SigningKey::from_seed(seed.into())))
            }

            // The crate advises seeds, because this call panics on coefficients out of range: the caller has
            // checked them.
            #[allow(deprecated)]
            fn private_from_expanded(sk: &[u8]) -> Option<Self::Private> {
                let key = ExpandedSigningKey::from_expanded(sk.try_into().ok()?);
                let public = Keypair::verifying_key(&key);
                Some(Private::FromExpanded(Box::new((key, public))))
            }

            fn sign(
                private: &Self::Private,
                message: &[u8],
                context: &[u8],
                randomness: Randomness,
                signature: &mut [u8],
            ) -> Result<()> {
                let key = private.expanded();
                let signed = match randomness {
                    Randomness::Library => key.sign_randomized(message, context, &mut SysRng),
                    Randomness::Deterministic => key.sign_deterministic(message, context),
                };
                let signed = signed.map_err(|_| Error::provider(concat!("ml-dsa failed in ", $name, " signing")))?;
                signature.copy_from_slice(&signed.encode());
                Ok(())
            }

            fn verify(public: &Self::Public, message: &[u8], context: &[u8], signature: &[u8]) -> bool {
                Signature::try_from(signature)
                    .is_ok_and(|signature| public.verify_with_context(message, context, &signature))
            }

            fn write_public(public: &Self::Public, out: &mut [u8]) {
                out.copy_from_slice(&public.encode());
            }

            fn write_public_of(private: &Self::Private, out: &mut [u8]) -> Result<()> {
                Self::write_public(private.public(), out);
                Ok(())
            }

            #[allow(deprecated)]
            fn write_expanded(private: &Self::Private, out: &mut [u8]) {
                out.copy_from_slice(&private.expanded().to_expanded());
            }
        }
    };
}

library!(MlDsa44, "ML-DSA-44", 4 + 4, 2);
library!(MlDsa65, "ML-DSA-65", 6 + 5, 4);
library!(MlDsa87, "ML-DSA-87", 8 + 7, 2);
