//! ML-KEM, crate `ml-kem`.
//!
//! Keys are parsed once; the matrix **Â** is not part of a parsed key and is sampled anew by each operation, as in FIPS 203.

use crate::catalogue::Algorithm;
use crate::kem::Kem;
use crate::provider::pure::ml_kem::{Library, MlKem};
use crate::provider::pure::row;
use ::ml_kem::kem::{Decapsulate, KeyExport};
use ::ml_kem::{DecapsulationKey, EncapsulationKey, MlKem512, MlKem768, MlKem1024};

pub(super) fn all() -> Vec<&'static dyn Kem> {
    vec![const { &MlKem::<MlKem512>::new() }, const { &MlKem::<MlKem768>::new() }, const { &MlKem::<MlKem1024>::new() }]
}

macro_rules! library {
    ($set:ty, $name:literal) => {
        impl Library for $set {
            const ROW: &'static Algorithm = row($name);
            type Public = EncapsulationKey<$set>;
            type Private = DecapsulationKey<$set>;

            fn public(ek: &[u8]) -> Option<Self::Public> {
                EncapsulationKey::new(ek.try_into().ok()?).ok()
            }

            fn private_from_seed(seed: &[u8; 64]) -> Self::Private {
                DecapsulationKey::from_seed((*seed).into())
            }

            // The crate advises seeds instead; expanded keys are what most libraries exchange today.
            #[allow(deprecated)]
            fn private_from_expanded(dk: &[u8]) -> Option<Self::Private> {
                DecapsulationKey::from_expanded(dk.try_into().ok()?).ok()
            }

            fn encapsulate(public: &Self::Public, coins: &[u8; 32], ciphertext: &mut [u8], shared: &mut [u8]) {
                let (c, k) = public.encapsulate_deterministic(coins.into());
                ciphertext.copy_from_slice(&c);
                shared.copy_from_slice(&k);
            }

            fn decapsulate(private: &Self::Private, ciphertext: &[u8], shared: &mut [u8]) {
                if let Ok(ciphertext) = ciphertext.try_into() {
                    shared.copy_from_slice(&private.decapsulate(ciphertext));
                }
            }

            fn write_public(public: &Self::Public, out: &mut [u8]) {
                out.copy_from_slice(&public.to_bytes());
            }

            fn write_public_of(private: &Self::Private, out: &mut [u8]) {
                out.copy_from_slice(&private.encapsulation_key().to_bytes());
            }

            #[allow(deprecated)]
            fn write_expanded(private: &Self::Private, out: &mut [u8]) {
                use ::ml_kem::ExpandedKeyEncoding;
                out.copy_from_slice(&private.to_expanded_bytes());
            }
        }
    };
}

library!(MlKem512, "ML-KEM-512");
library!(MlKem768, "ML-KEM-768");
library!(MlKem1024, "ML-KEM-1024");
