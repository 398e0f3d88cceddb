//! ML-KEM.

use super::ffi::{Context, Key, KeyContext, Param, Params, Selection};
use super::kind::{About, Form, Kind, PRIVATE, SEED};
use super::pool::Pool;
use crate::SecretForm;
use crate::catalogue::{Algorithm, find};
use crate::error::{Error, Result, check_len};
use crate::kem::{Decapsulator, Encapsulator, Kem};
use std::ffi::CStr;

const FORMS: [SecretForm; 2] = [SecretForm::Seed, SecretForm::Expanded];
const NAMES: [&CStr; 3] = [c"ML-KEM-512", c"ML-KEM-768", c"ML-KEM-1024"];

/// `OSSL_KEM_PARAM_IKME`: the randomness of one encapsulation.
const RANDOMNESS: &CStr = c"ikme";
/// `m` of FIPS 203 Algorithm 17.
const RANDOMNESS_LEN: usize = 32;

/// The KEMs that the context can fetch.
pub fn kems(context: &'static Context) -> Vec<&'static dyn Kem> {
    NAMES.iter().filter_map(|name| scheme(context, name)).collect()
}

fn scheme(context: &'static Context, name: &'static CStr) -> Option<&'static dyn Kem> {
    let algorithm = find(name.to_str().ok()?)?;
    if !context.has_kem(name) {
        return None;
    }
    let kind = Kind::new(context, name, Form::Raw).ok()?;
    let (ciphertext, shared) = (algorithm.sizes.ciphertext?, algorithm.sizes.shared?);
    let inner: &'static Inner = Box::leak(Box::new(Inner { algorithm, kind, ciphertext, shared }));
    Some(Box::leak(Box::new(Scheme(inner))))
}

struct Inner {
    algorithm: &'static Algorithm,
    kind: Kind,
    ciphertext: usize,
    shared: usize,
}

struct Scheme(&'static Inner);

/// Either half of a key. The context of its operation is prepared by the first one.
struct KemKey {
    scheme: &'static Inner,
    key: Key,
    operation: Pool<KeyContext>,
}

impl Scheme {
    fn key(&self, key: Key) -> Box<KemKey> {
        Box::new(KemKey { scheme: self.0, key, operation: Pool::new() })
    }
}

impl Kem for Scheme {
    fn algorithm(&self) -> &'static Algorithm {
        self.0.algorithm
    }

    fn secret_forms(&self) -> &'static [SecretForm] {
        &FORMS
    }

    fn derandomised(&self) -> bool {
        true
    }

    fn generate(&self) -> Result<Box<dyn Decapsulator>> {
        Ok(self.key(self.0.kind.generate().about(self.0.algorithm)?))
    }

    fn import_public(&self, bytes: &[u8]) -> Result<Box<dyn Encapsulator>> {
        Ok(self.key(self.0.kind.import_public(bytes).about(self.0.algorithm)?))
    }

    fn import_secret(&self, form: SecretForm, bytes: &[u8]) -> Result<Box<dyn Decapsulator>> {
        Ok(self.key(self.0.import_secret(form, bytes).about(self.0.algorithm)?))
    }
}

impl Inner {
    /// The part of a key that a form is, and its size.
    fn part(&self, form: SecretForm) -> Result<(&'static CStr, usize)> {
        let sizes = self.algorithm.sizes;
        match form {
            SecretForm::Seed => Ok((SEED, sizes.seed.unwrap_or(0))),
            SecretForm::Expanded => Ok((PRIVATE, sizes.secret.unwrap_or(0))),
            SecretForm::Pkcs8 => Err(Error::unsupported("private keys come as seed or expanded")),
        }
    }

    fn import_secret(&self, form: SecretForm, bytes: &[u8]) -> Result<Key> {
        let (part, size) = self.part(form)?;
        // OpenSSL takes an empty part for an absent one.
        check_len("the private key", bytes, size)?;
        self.kind.import_part(part, Selection::Pair, bytes)
    }
}

impl KemKey {
    fn encapsulation(&self) -> Result<KeyContext> {
        let mut context = KeyContext::of_key(self.scheme.kind.context, &self.key)?;
        context.prepare_encapsulation()?;
        Ok(context)
    }

    fn decapsulation(&self) -> Result<KeyContext> {
        let mut context = KeyContext::of_key(self.scheme.kind.context, &self.key)?;
        context.prepare_decapsulation()?;
        Ok(context)
    }

    fn check_outputs(&self, ciphertext: &[u8], shared: &[u8]) -> Result<()> {
        if ciphertext.len() == self.scheme.ciphertext && shared.len() == self.scheme.shared {
            return Ok(());
        }
        Err(Error::usage(format!(
            "{} writes {} and {} bytes, the buffers have {} and {}",
            self.scheme.algorithm.name,
            self.scheme.ciphertext,
            self.scheme.shared,
            ciphertext.len(),
            shared.len()
        )))
    }

    fn export_public_key(&self, out: &mut [u8]) -> Result<usize> {
        let Inner { algorithm, kind, .. } = self.scheme;
        kind.export_public(&self.key, algorithm.sizes.public, out).about(algorithm)
    }
}

impl Encapsulator for KemKey {
    fn encapsulate(&self, ciphertext: &mut [u8], shared: &mut [u8]) -> Result<()> {
        self.check_outputs(ciphertext, shared)?;
        self.operation
            .run(|| self.encapsulation(), |context| context.encapsulate(ciphertext, shared))
            .about(self.scheme.algorithm)
    }

    fn encapsulate_derandomised(&self, coins: &[u8], ciphertext: &mut [u8], shared: &mut [u8]) -> Result<()> {
        self.check_outputs(ciphertext, shared)?;
        if coins.len() != RANDOMNESS_LEN {
            let what = format!("the randomness has {} bytes, expected {RANDOMNESS_LEN}", coins.len());
            return Err(Error::usage(what)).about(self.scheme.algorithm);
        }
        let work = |context: &mut KeyContext| {
            // The library uses it for one encapsulation and wipes it.
            context.set(&Params::new([Param::octets(RANDOMNESS, coins)]))?;
            context.encapsulate(ciphertext, shared)
        };
        self.operation.run(|| self.encapsulation(), work).about(self.scheme.algorithm)
    }

    fn export_public(&self, out: &mut [u8]) -> Result<usize> {
        self.export_public_key(out)
    }
}

impl Decapsulator for KemKey {
    fn decapsulate(&self, ciphertext: &[u8], shared: &mut [u8]) -> Result<()> {
        let Inner { algorithm, ciphertext: size, shared: shared_size, .. } = self.scheme;
        check_len("the ciphertext", ciphertext, *size).about(algorithm)?;
        if shared.len() != *shared_size {
            let what = format!("the shared secret has {shared_size} bytes, the buffer {}", shared.len());
            return Err(Error::usage(what)).about(algorithm);
        }
        self.operation.run(|| self.decapsulation(), |context| context.decapsulate(ciphertext, shared)).about(algorithm)
    }

    fn export_public(&self, out: &mut [u8]) -> Result<usize> {
        self.export_public_key(out)
    }

    fn export_secret(&self, form: SecretForm, out: &mut [u8]) -> Result<usize> {
        let Inner { algorithm, kind, .. } = self.scheme;
        let (part, size) = self.scheme.part(form).about(algorithm)?;
        kind.export_part(&self.key, part, size, out).about(algorithm)
    }
}
