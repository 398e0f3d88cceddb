//! SHA-2, SHA-3, SHAKE, HMAC and HKDF, crates `sha2`, `sha3`, `shake`, `hmac`, `hkdf`.
//!
//! A prepared HMAC key holds the hash states after the padded key and a tag starts from a copy of them: both states
//! for SHA-2, the inner one for SHA-3, whose crate offers no more (`SimpleHmac`; it does not wipe the outer padded key
//! either).

use crate::catalogue::Algorithm;
use crate::error::{Error, Result};
use crate::provider::pure::{check_buffer, row, size};
use crate::symmetric::{Hash, Kdf, Mac, MacKey};
use ::hkdf::{GenericHkdf, HmacImpl};
use ::hmac::digest::{Digest, FixedOutput, Output, Update};
use ::hmac::{Hmac, KeyInit, SimpleHmac};
use ::shake::{ExtendableOutput, Shake128, Shake256};
use sha2::{Sha224, Sha256, Sha384, Sha512, Sha512_256};
use sha3::{Sha3_224, Sha3_256, Sha3_384, Sha3_512};
use std::marker::PhantomData;

pub(super) fn hashes() -> Vec<&'static dyn Hash> {
    vec![
        const { &Fixed::<Sha224>::new("SHA-224") },
        const { &Fixed::<Sha256>::new("SHA-256") },
        const { &Fixed::<Sha384>::new("SHA-384") },
        const { &Fixed::<Sha512>::new("SHA-512") },
        const { &Fixed::<Sha512_256>::new("SHA-512/256") },
        const { &Fixed::<Sha3_224>::new("SHA3-224") },
        const { &Fixed::<Sha3_256>::new("SHA3-256") },
        const { &Fixed::<Sha3_384>::new("SHA3-384") },
        const { &Fixed::<Sha3_512>::new("SHA3-512") },
        const { &Extendable::<Shake128>::new("SHAKE128") },
        const { &Extendable::<Shake256>::new("SHAKE256") },
    ]
}

pub(super) fn macs() -> Vec<&'static dyn Mac> {
    vec![
        const { &HmacScheme::<Hmac<Sha256>>::new("HMAC-SHA256") },
        const { &HmacScheme::<Hmac<Sha384>>::new("HMAC-SHA384") },
        const { &HmacScheme::<Hmac<Sha512>>::new("HMAC-SHA512") },
        const { &HmacScheme::<SimpleHmac<Sha3_256>>::new("HMAC-SHA3-256") },
        const { &HmacScheme::<SimpleHmac<Sha3_512>>::new("HMAC-SHA3-512") },
    ]
}

pub(super) fn kdfs() -> Vec<&'static dyn Kdf> {
    vec![
        const { &HkdfScheme::<Hmac<Sha256>>::new("HKDF-SHA256") },
        const { &HkdfScheme::<Hmac<Sha384>>::new("HKDF-SHA384") },
        const { &HkdfScheme::<Hmac<Sha512>>::new("HKDF-SHA512") },
        const { &HkdfScheme::<SimpleHmac<Sha3_256>>::new("HKDF-SHA3-256") },
    ]
}

macro_rules! scheme {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        struct $name<T> {
            row: &'static Algorithm,
            made_of: PhantomData<fn() -> T>,
        }

        impl<T> $name<T> {
            const fn new(name: &str) -> Self {
                Self { row: row(name), made_of: PhantomData }
            }
        }
    };
}

scheme!(
    /// A hash of fixed output.
    Fixed
);
scheme!(
    /// An extendable-output function.
    Extendable
);
scheme!(
    /// HMAC.
    HmacScheme
);
scheme!(
    /// HKDF over an HMAC.
    HkdfScheme
);

fn output<'a, D: Digest>(row: &Algorithm, out: &'a mut [u8]) -> Result<&'a mut Output<D>> {
    check_buffer(row, "output buffer", out.len(), size(row.sizes.output))?;
    out.try_into().map_err(|_| Error::usage(format!("{} output buffer is malformed", row.name)))
}

impl<D: Digest> Hash for Fixed<D> {
    fn algorithm(&self) -> &'static Algorithm {
        self.row
    }

    fn hash(&self, message: &[u8], out: &mut [u8]) -> Result<()> {
        let out = output::<D>(self.row, out)?;
        D::new_with_prefix(message).finalize_into(out);
        Ok(())
    }
}

impl<D: ExtendableOutput + Update + Default> Hash for Extendable<D> {
    fn algorithm(&self) -> &'static Algorithm {
        self.row
    }

    fn hash(&self, message: &[u8], out: &mut [u8]) -> Result<()> {
        let mut state = D::default();
        state.update(message);
        state.finalize_xof_into(out);
        Ok(())
    }
}

impl<M: KeyInit + Update + FixedOutput + Clone + Send + Sync + 'static> Mac for HmacScheme<M> {
    fn algorithm(&self) -> &'static Algorithm {
        self.row
    }

    fn import_key(&self, key: &[u8]) -> Result<Box<dyn MacKey>> {
        let state = M::new_from_slice(key)
            .map_err(|_| Error::provider(format!("hmac failed to prepare a {} key", self.row.name)))?;
        Ok(Box::new(HmacKey { row: self.row, state }))
    }
}

struct HmacKey<M> {
    row: &'static Algorithm,
    state: M,
}

impl<M: Update + FixedOutput + Clone + Send + Sync> MacKey for HmacKey<M> {
    fn mac(&self, message: &[u8], out: &mut [u8]) -> Result<()> {
        check_buffer(self.row, "output buffer", out.len(), size(self.row.sizes.output))?;
        let out = out.try_into().map_err(|_| Error::usage("MAC output buffer is malformed"))?;
        let mut state = self.state.clone();
        state.update(message);
        state.finalize_into(out);
        Ok(())
    }
}

impl<M: HmacImpl> Kdf for HkdfScheme<M> {
    fn algorithm(&self) -> &'static Algorithm {
        self.row
    }

    fn derive(&self, ikm: &[u8], salt: &[u8], info: &[u8], out: &mut [u8]) -> Result<()> {
        let requested = out.len();
        GenericHkdf::<M>::new(Some(salt), ikm).expand(info, out).map_err(|_| {
            Error::usage(format!("{} cannot give {requested} bytes, only 255 times the hash length", self.row.name))
        })
    }
}
