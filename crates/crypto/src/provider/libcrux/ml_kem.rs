//! ML-KEM, crate `libcrux-ml-kem`, with its interface for unpacked keys: the one that its documentation names for
//! keys used more than once. An unpacked key holds the sampled matrix **Â**, so an operation does not sample it again;
//! its cost is in the import. The interface exists per instruction set, chosen here once per key.

use super::isa::{self, Path};
use crate::catalogue::Algorithm;
use crate::kem::Kem;
use crate::provider::pure::ml_kem::{Library, MlKem};
use crate::provider::pure::row;

pub(super) fn all() -> Vec<&'static dyn Kem> {
    vec![
        const { &MlKem::<set512::Set>::new() },
        const { &MlKem::<set768::Set>::new() },
        const { &MlKem::<set1024::Set>::new() },
    ]
}

/// Runs the same expression for the key of either path; `$p` is the module of the crate for that path.
macro_rules! on_path {
    ($module:ident, $keys:ident, $value:expr, |$p:ident, $key:ident| $body:expr) => {
        match $value {
            #[cfg(libcrux_simd256)]
            $keys::Avx2($key) => {
                use ::libcrux_ml_kem::$module::avx2::unpacked as $p;
                $body
            }
            #[cfg(target_arch = "aarch64")]
            $keys::Neon($key) => {
                use ::libcrux_ml_kem::$module::neon::unpacked as $p;
                $body
            }
            $keys::Portable($key) => {
                use ::libcrux_ml_kem::$module::portable::unpacked as $p;
                $body
            }
        }
    };
}

macro_rules! library {
    ($set:ident, $module:ident, $name:literal, $pair:ident, $unpacked_public:ident, $public:ident, $private:ident,
     $ciphertext:ident) => {
        mod $set {
            use super::*;
            #[cfg(libcrux_simd256)]
            use ::libcrux_ml_kem::$module::avx2::unpacked as avx2;
            #[cfg(target_arch = "aarch64")]
            use ::libcrux_ml_kem::$module::neon::unpacked as neon;
            use ::libcrux_ml_kem::$module::portable::unpacked as portable;
            use ::libcrux_ml_kem::$module::{self as packed, $ciphertext, $private, $public};

            pub(crate) struct Set;

            pub(crate) enum PublicKey {
                #[cfg(libcrux_simd256)]
                Avx2(Box<avx2::$unpacked_public>),
                #[cfg(target_arch = "aarch64")]
                Neon(Box<neon::$unpacked_public>),
                Portable(Box<portable::$unpacked_public>),
            }

            impl PublicKey {
                fn empty() -> Self {
                    match isa::lattice() {
                        #[cfg(libcrux_simd256)]
                        Path::Avx2 => Self::Avx2(Box::new(avx2::init_public_key())),
                        #[cfg(target_arch = "aarch64")]
                        Path::Neon => Self::Neon(Box::new(neon::init_public_key())),
                        Path::Portable => Self::Portable(Box::new(portable::init_public_key())),
                    }
                }
            }

            pub(crate) enum KeyPair {
                #[cfg(libcrux_simd256)]
                Avx2(Box<avx2::$pair>),
                #[cfg(target_arch = "aarch64")]
                Neon(Box<neon::$pair>),
                Portable(Box<portable::$pair>),
            }

            impl KeyPair {
                fn empty() -> Self {
                    match isa::lattice() {
                        #[cfg(libcrux_simd256)]
                        Path::Avx2 => Self::Avx2(Box::new(avx2::init_key_pair())),
                        #[cfg(target_arch = "aarch64")]
                        Path::Neon => Self::Neon(Box::new(neon::init_key_pair())),
                        Path::Portable => Self::Portable(Box::new(portable::init_key_pair())),
                    }
                }
            }

            impl Drop for KeyPair {
                /// The crate's key types have no wiping of their own and hide their fields: an empty private key takes
                /// the place of the used one, behind a barrier that keeps the compiler from leaving that out.
                fn drop(&mut self) {
                    on_path!($module, KeyPair, self, |p, pair| {
                        pair.private_key = p::init_key_pair().private_key;
                        zeroize::optimization_barrier(&**pair);
                    });
                }
            }

            impl Library for Set {
                const ROW: &'static Algorithm = row($name);
                type Public = PublicKey;
                type Private = KeyPair;

                fn public(ek: &[u8]) -> Option<PublicKey> {
                    let ek = $public::try_from(ek).ok()?;
                    if !packed::validate_public_key(&ek) {
                        return None;
                    }
                    let mut public = PublicKey::empty();
                    on_path!($module, PublicKey, &mut public, |p, key| p::unpacked_public_key(&ek, key));
                    Some(public)
                }

                fn private_from_seed(seed: &[u8; 64]) -> KeyPair {
                    let mut pair = KeyPair::empty();
                    on_path!($module, KeyPair, &mut pair, |p, key| p::generate_key_pair_mut(*seed, key));
                    pair
                }

                fn private_from_expanded(dk: &[u8]) -> Option<KeyPair> {
                    let size = Self::ROW.sizes;
                    let ek_end = dk.len().checked_sub(64)?;
                    let ek = dk.get(ek_end.checked_sub(size.public?)?..ek_end)?;
                    if !packed::validate_public_key(&$public::try_from(ek).ok()?) {
                        return None;
                    }
                    let mut dk = $private::try_from(dk).ok()?;
                    let valid = packed::portable::validate_private_key_only(&dk);
                    let mut pair = KeyPair::empty();
                    if valid {
                        on_path!($module, KeyPair, &mut pair, |p, key| p::key_pair_from_private_mut(&dk, key));
                    }
                    wipe(&mut dk);
                    valid.then_some(pair)
                }

                fn encapsulate(public: &PublicKey, coins: &[u8; 32], ciphertext: &mut [u8], shared: &mut [u8]) {
                    let (c, k) = on_path!($module, PublicKey, public, |p, key| p::encapsulate(key, *coins));
                    ciphertext.copy_from_slice(c.as_ref());
                    shared.copy_from_slice(&k);
                }

                fn decapsulate(pair: &KeyPair, ciphertext: &[u8], shared: &mut [u8]) {
                    if let Ok(c) = $ciphertext::try_from(ciphertext) {
                        let k = on_path!($module, KeyPair, pair, |p, key| p::decapsulate(key, &c));
                        shared.copy_from_slice(&k);
                    }
                }

                fn write_public(public: &PublicKey, out: &mut [u8]) {
                    let mut ek = $public::default();
                    on_path!($module, PublicKey, public, |p, key| p::serialized_public_key(key, &mut ek));
                    out.copy_from_slice(ek.as_ref());
                }

                fn write_public_of(pair: &KeyPair, out: &mut [u8]) {
                    let ek = on_path!($module, KeyPair, pair, |p, key| p::key_pair_serialized_public_key(key));
                    out.copy_from_slice(ek.as_ref());
                }

                fn write_expanded(pair: &KeyPair, out: &mut [u8]) {
                    let mut dk = on_path!($module, KeyPair, pair, |p, key| p::key_pair_serialized_private_key(key));
                    out.copy_from_slice(dk.as_ref());
                    wipe(&mut dk);
                }
            }

            fn wipe(dk: &mut $private) {
                *dk = $private::default();
                zeroize::optimization_barrier(&*dk);
            }
        }
    };
}

library!(
    set512,
    mlkem512,
    "ML-KEM-512",
    MlKem512KeyPairUnpacked,
    MlKem512PublicKeyUnpacked,
    MlKem512PublicKey,
    MlKem512PrivateKey,
    MlKem512Ciphertext
);
library!(
    set768,
    mlkem768,
    "ML-KEM-768",
    MlKem768KeyPairUnpacked,
    MlKem768PublicKeyUnpacked,
    MlKem768PublicKey,
    MlKem768PrivateKey,
    MlKem768Ciphertext
);
library!(
    set1024,
    mlkem1024,
    "ML-KEM-1024",
    MlKem1024KeyPairUnpacked,
    MlKem1024PublicKeyUnpacked,
    MlKem1024PublicKey,
    MlKem1024PrivateKey,
    MlKem1024Ciphertext
);
