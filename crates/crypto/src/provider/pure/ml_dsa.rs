//! ML-DSA over a Rust library: lengths, seeds, ranges and forms of key here, the mathematics there.

use super::{MAX_CONTEXT, bad_key, check_context, front, no_form, random, size};
use crate::SecretForm;
use crate::catalogue::Algorithm;
use crate::error::{Error, Result, check_len, copy_out};
use crate::signature::{Randomness, SignatureScheme, Signer, Verifier};
use std::marker::PhantomData;
use zeroize::Zeroizing;

/// `ξ` (FIPS 204 Algorithm 6).
const SEED: usize = 32;

/// One ML-DSA parameter set of one library. Lengths and ranges are checked before a call.
pub(crate) trait Library: Send + Sync + 'static {
    /// Row of the catalogue.
    const ROW: &'static Algorithm;
    /// `k + ℓ`, the number of polynomials in **s**₁ and **s**₂ (FIPS 204 table 1).
    const SECRET_POLYNOMIALS: usize;
    /// Range of their coefficients, 2 or 4 (FIPS 204 table 1).
    const ETA: u8;
    /// Prepared verification key.
    type Public: Send + Sync;
    /// Prepared signing key. Wipes itself.
    type Private: Send + Sync;

    /// Parses `pk`; every string of the right length is one.
    fn public(pk: &[u8]) -> Option<Self::Public>;
    /// FIPS 204 Algorithm 6.
    fn private_from_seed(seed: &[u8; SEED]) -> Self::Private;
    /// Parses `sk` (FIPS 204 Algorithm 25), its coefficients already known to be in range.
    fn private_from_expanded(sk: &[u8]) -> Option<Self::Private>;
    /// FIPS 204 Algorithm 2; hedged for [`Randomness::Library`].
    fn sign(
        private: &Self::Private,
        message: &[u8],
        context: &[u8],
        randomness: Randomness,
        signature: &mut [u8],
    ) -> Result<()>;
    /// FIPS 204 Algorithm 3.
    fn verify(public: &Self::Public, message: &[u8], context: &[u8], signature: &[u8]) -> bool;
    /// Writes `pk`.
    fn write_public(public: &Self::Public, out: &mut [u8]);
    /// Writes the `pk` of a signing key.
    ///
    /// # Errors
    /// [`crate::Fault::Unsupported`] when the library cannot derive it from an expanded key.
    fn write_public_of(private: &Self::Private, out: &mut [u8]) -> Result<()>;
    /// Writes `sk`.
    fn write_expanded(private: &Self::Private, out: &mut [u8]);
}

/// The scheme as the rest of the program sees it.
pub(crate) struct MlDsa<L>(PhantomData<fn() -> L>);

impl<L> MlDsa<L> {
    pub(crate) const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<L: Library> MlDsa<L> {
    const PUBLIC: usize = size(L::ROW.sizes.public);
    const EXPANDED: usize = size(L::ROW.sizes.secret);
    const SIGNATURE: usize = size(L::ROW.sizes.signature);

    fn from_seed(seed: Zeroizing<[u8; SEED]>) -> Box<dyn Signer> {
        Box::new(Private::<L> { key: L::private_from_seed(&seed), seed: Some(seed) })
    }
}

impl<L: Library> SignatureScheme for MlDsa<L> {
    fn algorithm(&self) -> &'static Algorithm {
        L::ROW
    }

    fn secret_forms(&self) -> &'static [SecretForm] {
        &[SecretForm::Seed, SecretForm::Expanded]
    }

    fn deterministic(&self) -> bool {
        true
    }

    fn contexts(&self) -> bool {
        true
    }

    fn generate(&self) -> Result<Box<dyn Signer>> {
        let mut seed = Zeroizing::new([0; SEED]);
        random(&mut *seed)?;
        Ok(Self::from_seed(seed))
    }

    fn import_public(&self, bytes: &[u8]) -> Result<Box<dyn Verifier>> {
        check_len(L::ROW.name, bytes, Self::PUBLIC)?;
        let key = L::public(bytes).ok_or_else(|| bad_key(L::ROW, "public key is malformed"))?;
        Ok(Box::new(Public::<L> { key }))
    }

    fn import_secret(&self, form: SecretForm, bytes: &[u8]) -> Result<Box<dyn Signer>> {
        match form {
            SecretForm::Seed => {
                check_len(L::ROW.name, bytes, SEED)?;
                let mut seed = Zeroizing::new([0; SEED]);
                seed.copy_from_slice(bytes);
                Ok(Self::from_seed(seed))
            }
            SecretForm::Expanded => {
                check_len(L::ROW.name, bytes, Self::EXPANDED)?;
                if !in_range::<L>(bytes) {
                    return Err(bad_key(L::ROW, "private key has a coefficient beyond η (FIPS 204 Algorithm 25)"));
                }
                let key = L::private_from_expanded(bytes).ok_or_else(|| bad_key(L::ROW, "private key is malformed"))?;
                Ok(Box::new(Private::<L> { key, seed: None }))
            }
            SecretForm::Pkcs8 => Err(no_form(L::ROW, form)),
        }
    }
}

/// Whether all coefficients of **s**₁ and **s**₂ lie in [−η, η]. In `sk` they follow ρ ‖ K ‖ tr (128 bytes), packed in
/// 3 bits for η = 2 and 4 bits for η = 4 as η − coefficient, so that values over 2η encode nothing. The libraries
/// panic on such keys or compute nonsense with them. Does not branch on single coefficients.
fn in_range<L: Library>(sk: &[u8]) -> bool {
    let packed = L::SECRET_POLYNOMIALS * if L::ETA == 2 { 96 } else { 128 };
    let Some(packed) = sk.get(128..128 + packed) else { return false };
    let limit = 2 * L::ETA;
    let beyond = |value: u8| limit.wrapping_sub(value) >> 7;
    let beyond_any = if L::ETA == 2 {
        packed.chunks_exact(3).fold(0, |found, bytes| {
            let word = bytes.iter().rev().fold(0u32, |word, byte| word << 8 | u32::from(*byte));
            (0..8).fold(found, |found, i| found | beyond((word >> (3 * i) & 7) as u8))
        })
    } else {
        packed.iter().fold(0, |found, byte| found | beyond(byte & 15) | beyond(byte >> 4))
    };
    beyond_any == 0
}

struct Private<L: Library> {
    key: L::Private,
    /// There when the key was generated here or came as a seed.
    seed: Option<Zeroizing<[u8; SEED]>>,
}

impl<L: Library> Signer for Private<L> {
    fn sign(&self, message: &[u8], context: &[u8], randomness: Randomness, out: &mut [u8]) -> Result<usize> {
        check_context(L::ROW, context)?;
        let out = front(L::ROW, "signature", out, MlDsa::<L>::SIGNATURE)?;
        L::sign(&self.key, message, context, randomness, out)?;
        Ok(MlDsa::<L>::SIGNATURE)
    }

    fn export_public(&self, out: &mut [u8]) -> Result<usize> {
        L::write_public_of(&self.key, front(L::ROW, "public key", out, MlDsa::<L>::PUBLIC)?)?;
        Ok(MlDsa::<L>::PUBLIC)
    }

    fn export_secret(&self, form: SecretForm, out: &mut [u8]) -> Result<usize> {
        match (form, &self.seed) {
            (SecretForm::Seed, Some(seed)) => copy_out(L::ROW.name, &**seed, out),
            (SecretForm::Seed, None) => {
                Err(Error::unsupported(format!("{} key was not imported from a seed", L::ROW.name)))
            }
            (SecretForm::Expanded, _) => {
                L::write_expanded(&self.key, front(L::ROW, "private key", out, MlDsa::<L>::EXPANDED)?);
                Ok(MlDsa::<L>::EXPANDED)
            }
            (SecretForm::Pkcs8, _) => Err(no_form(L::ROW, form)),
        }
    }
}

struct Public<L: Library> {
    key: L::Public,
}

impl<L: Library> Verifier for Public<L> {
    fn verify(&self, message: &[u8], context: &[u8], signature: &[u8]) -> Result<bool> {
        if context.len() > MAX_CONTEXT || signature.len() != MlDsa::<L>::SIGNATURE {
            return Ok(false);
        }
        Ok(L::verify(&self.key, message, context, signature))
    }

    fn export_public(&self, out: &mut [u8]) -> Result<usize> {
        L::write_public(&self.key, front(L::ROW, "public key", out, MlDsa::<L>::PUBLIC)?);
        Ok(MlDsa::<L>::PUBLIC)
    }
}
