//! ML-KEM over a Rust library: lengths, seeds and forms of key here, the mathematics there.

use super::{bad_key, check_buffer, front, no_form, random, size};
use crate::SecretForm;
use crate::catalogue::Algorithm;
use crate::error::{Error, Result, check_len, copy_out};
use crate::kem::{Decapsulator, Encapsulator, Kem};
use std::marker::PhantomData;
use zeroize::Zeroizing;

/// `d ‖ z` (FIPS 203 section 7.1).
const SEED: usize = 64;
/// `m` (FIPS 203 Algorithm 17).
const COINS: usize = 32;

/// One ML-KEM parameter set of one library. All lengths are checked before a call.
pub(crate) trait Library: Send + Sync + 'static {
    /// Row of the catalogue.
    const ROW: &'static Algorithm;
    /// Parsed encapsulation key.
    type Public: Send + Sync;
    /// Parsed decapsulation key with its public half. Wipes itself.
    type Private: Send + Sync;

    /// Parses `ek` and does the modulus check of FIPS 203 section 7.2; none when it fails.
    fn public(ek: &[u8]) -> Option<Self::Public>;
    /// FIPS 203 Algorithm 16 with `d ‖ z`.
    fn private_from_seed(seed: &[u8; SEED]) -> Self::Private;
    /// Parses `dk` and does the hash check of FIPS 203 section 7.3, and the check of section 7.2 on the `ek` inside;
    /// none when one fails.
    fn private_from_expanded(dk: &[u8]) -> Option<Self::Private>;
    /// FIPS 203 Algorithm 17.
    fn encapsulate(public: &Self::Public, coins: &[u8; COINS], ciphertext: &mut [u8], shared: &mut [u8]);
    /// FIPS 203 Algorithm 18.
    fn decapsulate(private: &Self::Private, ciphertext: &[u8], shared: &mut [u8]);
    /// Writes `ek`.
    fn write_public(public: &Self::Public, out: &mut [u8]);
    /// Writes the `ek` of a decapsulation key.
    fn write_public_of(private: &Self::Private, out: &mut [u8]);
    /// Writes `dk`.
    fn write_expanded(private: &Self::Private, out: &mut [u8]);
}

/// The scheme as the rest of the program sees it.
pub(crate) struct MlKem<L>(PhantomData<fn() -> L>);

impl<L> MlKem<L> {
    pub(crate) const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<L: Library> MlKem<L> {
    const PUBLIC: usize = size(L::ROW.sizes.public);
    const EXPANDED: usize = size(L::ROW.sizes.secret);
    const CIPHERTEXT: usize = size(L::ROW.sizes.ciphertext);
    const SHARED: usize = size(L::ROW.sizes.shared);

    fn from_seed(seed: Zeroizing<[u8; SEED]>) -> Box<dyn Decapsulator> {
        Box::new(Private::<L> { key: L::private_from_seed(&seed), seed: Some(seed) })
    }
}

impl<L: Library> Kem for MlKem<L> {
    fn algorithm(&self) -> &'static Algorithm {
        L::ROW
    }

    fn secret_forms(&self) -> &'static [SecretForm] {
        &[SecretForm::Seed, SecretForm::Expanded]
    }

    fn derandomised(&self) -> bool {
        true
    }

    fn generate(&self) -> Result<Box<dyn Decapsulator>> {
        let mut seed = Zeroizing::new([0; SEED]);
        random(&mut *seed)?;
        Ok(Self::from_seed(seed))
    }

    fn import_public(&self, bytes: &[u8]) -> Result<Box<dyn Encapsulator>> {
        check_len(L::ROW.name, bytes, Self::PUBLIC)?;
        let key = L::public(bytes).ok_or_else(|| {
            bad_key(L::ROW, "public key has a coefficient that is not below q (FIPS 203 section 7.2)")
        })?;
        Ok(Box::new(Public::<L> { key }))
    }

    fn import_secret(&self, form: SecretForm, bytes: &[u8]) -> Result<Box<dyn Decapsulator>> {
        match form {
            SecretForm::Seed => {
                check_len(L::ROW.name, bytes, SEED)?;
                let mut seed = Zeroizing::new([0; SEED]);
                seed.copy_from_slice(bytes);
                Ok(Self::from_seed(seed))
            }
            SecretForm::Expanded => {
                check_len(L::ROW.name, bytes, Self::EXPANDED)?;
                let key = L::private_from_expanded(bytes).ok_or_else(|| {
                    bad_key(L::ROW, "private key contradicts the public key in it (FIPS 203 sections 7.2 and 7.3)")
                })?;
                Ok(Box::new(Private::<L> { key, seed: None }))
            }
            SecretForm::Pkcs8 => Err(no_form(L::ROW, form)),
        }
    }
}

struct Public<L: Library> {
    key: L::Public,
}

impl<L: Library> Encapsulator for Public<L> {
    fn encapsulate(&self, ciphertext: &mut [u8], shared: &mut [u8]) -> Result<()> {
        let mut coins = Zeroizing::new([0; COINS]);
        random(&mut *coins)?;
        self.encapsulate_derandomised(&*coins, ciphertext, shared)
    }

    fn encapsulate_derandomised(&self, coins: &[u8], ciphertext: &mut [u8], shared: &mut [u8]) -> Result<()> {
        check_buffer(L::ROW, "ciphertext buffer", ciphertext.len(), MlKem::<L>::CIPHERTEXT)?;
        check_buffer(L::ROW, "shared-secret buffer", shared.len(), MlKem::<L>::SHARED)?;
        let coins: &[u8; COINS] = coins
            .try_into()
            .map_err(|_| Error::usage(format!("{} randomness has {} bytes, expected 32", L::ROW.name, coins.len())))?;
        L::encapsulate(&self.key, coins, ciphertext, shared);
        Ok(())
    }

    fn export_public(&self, out: &mut [u8]) -> Result<usize> {
        L::write_public(&self.key, front(L::ROW, "public key", out, MlKem::<L>::PUBLIC)?);
        Ok(MlKem::<L>::PUBLIC)
    }
}

struct Private<L: Library> {
    key: L::Private,
    /// There when the key was generated here or came as a seed.
    seed: Option<Zeroizing<[u8; SEED]>>,
}

impl<L: Library> Decapsulator for Private<L> {
    fn decapsulate(&self, ciphertext: &[u8], shared: &mut [u8]) -> Result<()> {
        check_len(L::ROW.name, ciphertext, MlKem::<L>::CIPHERTEXT)?;
        check_buffer(L::ROW, "shared-secret buffer", shared.len(), MlKem::<L>::SHARED)?;
        L::decapsulate(&self.key, ciphertext, shared);
        Ok(())
    }

    fn export_public(&self, out: &mut [u8]) -> Result<usize> {
        L::write_public_of(&self.key, front(L::ROW, "public key", out, MlKem::<L>::PUBLIC)?);
        Ok(MlKem::<L>::PUBLIC)
    }

    fn export_secret(&self, form: SecretForm, out: &mut [u8]) -> Result<usize> {
        match (form, &self.seed) {
            (SecretForm::Seed, Some(seed)) => copy_out(L::ROW.name, &**seed, out),
            (SecretForm::Seed, None) => {
                Err(Error::unsupported(format!("{} key was not imported from a seed", L::ROW.name)))
            }
            (SecretForm::Expanded, _) => {
                L::write_expanded(&self.key, front(L::ROW, "private key", out, MlKem::<L>::EXPANDED)?);
                Ok(MlKem::<L>::EXPANDED)
            }
            (SecretForm::Pkcs8, _) => Err(no_form(L::ROW, form)),
        }
    }
}
