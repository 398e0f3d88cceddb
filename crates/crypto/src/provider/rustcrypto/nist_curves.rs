//! P-256 and P-384, crates `p256` and `p384`: ECDH and ECDSA.
//!
//! ECDSA signatures are DER. The crates sign deterministically (RFC 6979) and have no other default, so
//! [`Randomness::Library`] and [`Randomness::Deterministic`] give the same bytes. They do not force a low s.

use crate::SecretForm;
use crate::agreement::{Agreement, AgreementKey, PeerKey};
use crate::signature::{Randomness, SignatureScheme, Signer, Verifier};

pub(super) fn agreements() -> Vec<&'static dyn Agreement> {
    vec![&curve_p256::Ecdh, &curve_p384::Ecdh]
}

pub(super) fn signatures() -> Vec<&'static dyn SignatureScheme> {
    vec![&curve_p256::Ecdsa, &curve_p384::Ecdsa]
}

/// The two crates have the same interface and no common type that is public.
macro_rules! curve {
    ($module:ident, $crate_name:ident, $agreement:literal, $signature:literal) => {
        mod $module {
            use super::*;
            use crate::catalogue::Algorithm;
            use crate::error::{Error, Result, check_len, copy_out};
            use crate::provider::pure::{bad_key, check_buffer, no_context, no_form, no_randomness, row, size};
            use ::$crate_name::ecdsa::signature::{Signer as _, Verifier as _};
            use ::$crate_name::ecdsa::{DerSignature, Signature, SigningKey, VerifyingKey};
            use ::$crate_name::elliptic_curve::Generate;
            use ::$crate_name::elliptic_curve::sec1::ToSec1Point;
            use ::$crate_name::{NonZeroScalar, PublicKey, SecretKey};
            use getrandom::SysRng;
            use std::any::Any;
            use zeroize::Zeroizing;

            const ECDH: &Algorithm = row($agreement);
            const ECDSA: &Algorithm = row($signature);
            /// Uncompressed point (SEC 1 section 2.3.3).
            const POINT: usize = size(ECDH.sizes.public);
            /// Scalar, and x-coordinate.
            const SCALAR: usize = size(ECDH.sizes.secret);

            pub(super) struct Ecdh;

            impl Agreement for Ecdh {
                fn algorithm(&self) -> &'static Algorithm {
                    ECDH
                }

                fn generate(&self) -> Result<Box<dyn AgreementKey>> {
                    let secret = SecretKey::try_generate_from_rng(&mut SysRng).map_err(no_randomness)?;
                    Ok(AgreementPrivate::boxed(&secret))
                }

                fn import_secret(&self, bytes: &[u8]) -> Result<Box<dyn AgreementKey>> {
                    check_len(ECDH.name, bytes, SCALAR)?;
                    let secret =
                        SecretKey::from_slice(bytes).map_err(|_| bad_key(ECDH, "private key is not in 1 to n-1"))?;
                    Ok(AgreementPrivate::boxed(&secret))
                }

                fn import_public(&self, bytes: &[u8]) -> Result<Box<dyn PeerKey>> {
                    check_len(ECDH.name, bytes, POINT)?;
                    let key = PublicKey::from_sec1_bytes(bytes)
                        .map_err(|_| bad_key(ECDH, "public key is not a point of the curve"))?;
                    Ok(Box::new(Peer(key)))
                }
            }

            struct AgreementPrivate {
                secret: Zeroizing<NonZeroScalar>,
                public: PublicKey,
            }

            impl AgreementPrivate {
                fn boxed(secret: &SecretKey) -> Box<dyn AgreementKey> {
                    let public = secret.public_key();
                    Box::new(Self { secret: Zeroizing::new(secret.to_nonzero_scalar()), public })
                }
            }

            impl AgreementKey for AgreementPrivate {
                fn derive(&self, peer: &dyn PeerKey, shared: &mut [u8]) -> Result<()> {
                    check_buffer(ECDH, "shared-secret buffer", shared.len(), SCALAR)?;
                    let Some(Peer(peer)) = peer.as_any().downcast_ref() else {
                        return Err(Error::usage(concat!(
                            "the peer key of ",
                            $agreement,
                            " belongs to another provider or algorithm"
                        )));
                    };
                    let secret = ::$crate_name::ecdh::diffie_hellman(&*self.secret, peer.as_affine());
                    shared.copy_from_slice(secret.raw_secret_bytes());
                    Ok(())
                }

                fn export_public(&self, out: &mut [u8]) -> Result<usize> {
                    copy_out(ECDH.name, self.public.to_sec1_point(false).as_bytes(), out)
                }

                fn export_secret(&self, out: &mut [u8]) -> Result<usize> {
                    let bytes = Zeroizing::new(SecretKey::from(*self.secret).to_bytes());
                    copy_out(ECDH.name, &bytes, out)
                }
            }

            struct Peer(PublicKey);

            impl PeerKey for Peer {
                fn as_any(&self) -> &dyn Any {
                    self
                }
            }

            pub(super) struct Ecdsa;

            impl SignatureScheme for Ecdsa {
                fn algorithm(&self) -> &'static Algorithm {
                    ECDSA
                }

                fn secret_forms(&self) -> &'static [SecretForm] {
                    &[SecretForm::Expanded]
                }

                fn deterministic(&self) -> bool {
                    true
                }

                fn generate(&self) -> Result<Box<dyn Signer>> {
                    Ok(Box::new(Private(SigningKey::try_generate_from_rng(&mut SysRng).map_err(no_randomness)?)))
                }

                fn import_public(&self, bytes: &[u8]) -> Result<Box<dyn Verifier>> {
                    check_len(ECDSA.name, bytes, POINT)?;
                    let key = VerifyingKey::from_sec1_bytes(bytes)
                        .map_err(|_| bad_key(ECDSA, "public key is not a point of the curve"))?;
                    Ok(Box::new(Public(key)))
                }

                fn import_secret(&self, form: SecretForm, bytes: &[u8]) -> Result<Box<dyn Signer>> {
                    if form != SecretForm::Expanded {
                        return Err(no_form(ECDSA, form));
                    }
                    check_len(ECDSA.name, bytes, SCALAR)?;
                    let key =
                        SigningKey::from_slice(bytes).map_err(|_| bad_key(ECDSA, "private key is not in 1 to n-1"))?;
                    Ok(Box::new(Private(key)))
                }
            }

            struct Private(SigningKey);

            impl Signer for Private {
                fn sign(&self, message: &[u8], context: &[u8], _: Randomness, out: &mut [u8]) -> Result<usize> {
                    no_context(ECDSA, context)?;
                    let signature: DerSignature = self.0.try_sign(message).map_err(|_| {
                        Error::provider(concat!(stringify!($crate_name), " failed in ", $signature, " signing"))
                    })?;
                    copy_out(ECDSA.name, signature.as_bytes(), out)
                }

                fn export_public(&self, out: &mut [u8]) -> Result<usize> {
                    copy_out(ECDSA.name, self.0.verifying_key().to_sec1_point(false).as_bytes(), out)
                }

                fn export_secret(&self, form: SecretForm, out: &mut [u8]) -> Result<usize> {
                    if form != SecretForm::Expanded {
                        return Err(no_form(ECDSA, form));
                    }
                    copy_out(ECDSA.name, &Zeroizing::new(self.0.to_bytes()), out)
                }
            }

            struct Public(VerifyingKey);

            impl Verifier for Public {
                fn verify(&self, message: &[u8], context: &[u8], signature: &[u8]) -> Result<bool> {
                    no_context(ECDSA, context)?;
                    let Ok(signature) = Signature::from_der(signature) else { return Ok(false) };
                    Ok(self.0.verify(message, &signature).is_ok())
                }

                fn export_public(&self, out: &mut [u8]) -> Result<usize> {
                    copy_out(ECDSA.name, self.0.to_sec1_point(false).as_bytes(), out)
                }
            }
        }
    };
}

curve!(curve_p256, p256, "P-256", "ECDSA-P256-SHA256");
curve!(curve_p384, p384, "P-384", "ECDSA-P384-SHA384");
