//! SLH-DSA, crate `slh-dsa`: all twelve parameter sets. A key is 2n or 4n bytes and there is nothing to expand.

use crate::SecretForm;
use crate::catalogue::Algorithm;
use crate::error::{Error, Result, check_len, copy_out};
use crate::provider::pure::{MAX_CONTEXT, bad_key, check_context, front, no_form, random, row, size};
use crate::signature::{Randomness, SignatureScheme, Signer, Verifier};
use ::slh_dsa::signature::Keypair;
use ::slh_dsa::{
    ParameterSet, Sha2_128f, Sha2_128s, Sha2_192f, Sha2_192s, Sha2_256f, Sha2_256s, Shake128f, Shake128s, Shake192f,
    Shake192s, Shake256f, Shake256s, Signature, SigningKey, VerifyingKey,
};
use std::marker::PhantomData;
use zeroize::Zeroizing;

pub(super) fn all() -> Vec<&'static dyn SignatureScheme> {
    vec![
        const { &SlhDsa::<Sha2_128s>::new() },
        const { &SlhDsa::<Sha2_128f>::new() },
        const { &SlhDsa::<Sha2_192s>::new() },
        const { &SlhDsa::<Sha2_192f>::new() },
        const { &SlhDsa::<Sha2_256s>::new() },
        const { &SlhDsa::<Sha2_256f>::new() },
        const { &SlhDsa::<Shake128s>::new() },
        const { &SlhDsa::<Shake128f>::new() },
        const { &SlhDsa::<Shake192s>::new() },
        const { &SlhDsa::<Shake192f>::new() },
        const { &SlhDsa::<Shake256s>::new() },
        const { &SlhDsa::<Shake256f>::new() },
    ]
}

/// Largest n (FIPS 205 table 2).
const MAX_N: usize = 32;

struct SlhDsa<P>(PhantomData<fn() -> P>);

impl<P: ParameterSet> SlhDsa<P> {
    /// The crate's own name of the set is the standard's.
    const ROW: &'static Algorithm = row(P::NAME);
    const PUBLIC: usize = size(Self::ROW.sizes.public);
    const EXPANDED: usize = size(Self::ROW.sizes.secret);
    const SEED: usize = size(Self::ROW.sizes.seed);
    const SIGNATURE: usize = size(Self::ROW.sizes.signature);
    /// n, the security parameter in bytes.
    const N: usize = Self::SEED / 3;

    const fn new() -> Self {
        Self(PhantomData)
    }

    /// FIPS 205 Algorithm 18 from `SK.seed ‖ SK.prf ‖ PK.seed`, whose length has been checked.
    fn from_seed(seed: &[u8]) -> Box<dyn Signer>
    where
        P: Send + Sync + 'static,
    {
        let (sk_seed, rest) = seed.split_at(Self::N);
        let (sk_prf, pk_seed) = rest.split_at(Self::N);
        Box::new(Private::<P>(SigningKey::slh_keygen_internal(sk_seed, sk_prf, pk_seed)))
    }
}

impl<P: ParameterSet + Send + Sync + 'static> SignatureScheme for SlhDsa<P> {
    fn algorithm(&self) -> &'static Algorithm {
        Self::ROW
    }

    fn secret_forms(&self) -> &'static [SecretForm] {
        &[SecretForm::Expanded, SecretForm::Seed]
    }

    fn deterministic(&self) -> bool {
        true
    }

    fn contexts(&self) -> bool {
        true
    }

    fn generate(&self) -> Result<Box<dyn Signer>> {
        let mut seed = Zeroizing::new([0; 3 * MAX_N]);
        random(&mut seed[..Self::SEED])?;
        Ok(Self::from_seed(&seed[..Self::SEED]))
    }

    fn import_public(&self, bytes: &[u8]) -> Result<Box<dyn Verifier>> {
        check_len(Self::ROW.name, bytes, Self::PUBLIC)?;
        let key = VerifyingKey::try_from(bytes).map_err(|_| bad_key(Self::ROW, "public key is malformed"))?;
        Ok(Box::new(Public::<P>(key)))
    }

    /// From the expanded form PK.root is taken as it stands: computing it would be the whole key generation.
    fn import_secret(&self, form: SecretForm, bytes: &[u8]) -> Result<Box<dyn Signer>> {
        match form {
            SecretForm::Seed => {
                check_len(Self::ROW.name, bytes, Self::SEED)?;
                Ok(Self::from_seed(bytes))
            }
            SecretForm::Expanded => {
                check_len(Self::ROW.name, bytes, Self::EXPANDED)?;
                let key = SigningKey::try_from(bytes).map_err(|_| bad_key(Self::ROW, "private key is malformed"))?;
                Ok(Box::new(Private::<P>(key)))
            }
            SecretForm::Pkcs8 => Err(no_form(Self::ROW, form)),
        }
    }
}

struct Private<P: ParameterSet>(SigningKey<P>);

impl<P: ParameterSet + Send + Sync + 'static> Signer for Private<P> {
    fn sign(&self, message: &[u8], context: &[u8], randomness: Randomness, out: &mut [u8]) -> Result<usize> {
        let row = SlhDsa::<P>::ROW;
        check_context(row, context)?;
        let out = front(row, "signature", out, SlhDsa::<P>::SIGNATURE)?;
        let mut addrnd = [0; MAX_N];
        let addrnd = &mut addrnd[..SlhDsa::<P>::N];
        let opt_rand = match randomness {
            Randomness::Library => {
                random(addrnd)?;
                Some(&*addrnd)
            }
            Randomness::Deterministic => None,
        };
        let signature = self
            .0
            .try_sign_with_context(message, context, opt_rand)
            .map_err(|_| Error::provider(format!("slh-dsa failed in {} signing", row.name)))?;
        out.copy_from_slice(&signature.to_bytes());
        Ok(SlhDsa::<P>::SIGNATURE)
    }

    fn export_public(&self, out: &mut [u8]) -> Result<usize> {
        copy_out(SlhDsa::<P>::ROW.name, &self.0.verifying_key().to_bytes(), out)
    }

    fn export_secret(&self, form: SecretForm, out: &mut [u8]) -> Result<usize> {
        let row = SlhDsa::<P>::ROW;
        let key = Zeroizing::new(self.0.to_bytes());
        match form {
            SecretForm::Expanded => copy_out(row.name, &key, out),
            // SK = SK.seed ‖ SK.prf ‖ PK.seed ‖ PK.root (FIPS 205 figure 15).
            SecretForm::Seed => copy_out(row.name, key.get(..SlhDsa::<P>::SEED).unwrap_or_default(), out),
            SecretForm::Pkcs8 => Err(no_form(row, form)),
        }
    }
}

struct Public<P: ParameterSet>(VerifyingKey<P>);

impl<P: ParameterSet + Send + Sync + 'static> Verifier for Public<P> {
    fn verify(&self, message: &[u8], context: &[u8], signature: &[u8]) -> Result<bool> {
        if context.len() > MAX_CONTEXT {
            return Ok(false);
        }
        let Ok(signature) = Signature::try_from(signature) else { return Ok(false) };
        Ok(self.0.try_verify_with_context(message, context, &signature).is_ok())
    }

    fn export_public(&self, out: &mut [u8]) -> Result<usize> {
        copy_out(SlhDsa::<P>::ROW.name, &self.0.to_bytes(), out)
    }
}
