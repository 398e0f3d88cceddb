//! ML-DSA, SLH-DSA, Ed25519, Ed448, ECDSA, RSA PKCS #1 v1.5: what is offered, and how keys come in.

use super::ffi::{Context, Digest, Key, Selection, SignatureMethod};
use super::kind::{About, Form, Kind, P256, P384, PRIVATE, SEED};
use crate::SecretForm;
use crate::catalogue::{Algorithm, find};
use crate::error::{Error, Result, check_len, copy_out};
use crate::secret::Secret;
use crate::signature::{SignatureScheme, Signer, Verifier};
use mechanism::{Mechanism, signs_by_rfc6979};
use std::ffi::CStr;

mod keys;
mod mechanism;

/// The signature schemes that the context can fetch.
pub fn signatures(context: &'static Context) -> Vec<&'static dyn SignatureScheme> {
    let message = |name: &'static CStr, forms| {
        let method = context.lib.signs_messages().then(|| SignatureMethod::fetch(context, name)).flatten()?;
        offer(context, name.to_str().ok()?, name, Form::Raw, forms, Mechanism::Message(method))
    };
    let one_shot = |name: &'static CStr| {
        SignatureMethod::fetch(context, name)?;
        let mechanism = Mechanism::OneShot { again: context.lib.restarts_messages() };
        offer(context, name.to_str().ok()?, name, Form::Raw, &[SecretForm::Seed], mechanism)
    };
    let hashed = |row: &HashedRow| {
        SignatureMethod::fetch(context, row.method)?;
        let digest = Digest::fetch(context, row.digest)?;
        let mechanism = Mechanism::Hashed { digest, name: row.digest, padding: row.padding };
        offer(context, row.name, row.kind, row.form, row.forms, mechanism)
    };
    let lattice = ML_DSA.into_iter().filter_map(|name| message(name, &[SecretForm::Seed, SecretForm::Expanded]));
    let hash_based = SLH_DSA.into_iter().filter_map(|name| message(name, &[SecretForm::Expanded, SecretForm::Seed]));
    let edwards = [c"Ed25519", c"Ed448"].into_iter().filter_map(one_shot);
    lattice.chain(hash_based).chain(edwards).chain(HASHED.iter().filter_map(hashed)).collect()
}

const ML_DSA: [&CStr; 3] = [c"ML-DSA-44", c"ML-DSA-65", c"ML-DSA-87"];
const SLH_DSA: [&CStr; 12] = [
    c"SLH-DSA-SHA2-128s",
    c"SLH-DSA-SHA2-128f",
    c"SLH-DSA-SHA2-192s",
    c"SLH-DSA-SHA2-192f",
    c"SLH-DSA-SHA2-256s",
    c"SLH-DSA-SHA2-256f",
    c"SLH-DSA-SHAKE-128s",
    c"SLH-DSA-SHAKE-128f",
    c"SLH-DSA-SHAKE-192s",
    c"SLH-DSA-SHAKE-192f",
    c"SLH-DSA-SHAKE-256s",
    c"SLH-DSA-SHAKE-256f",
];

struct HashedRow {
    name: &'static str,
    kind: &'static CStr,
    method: &'static CStr,
    form: Form,
    forms: &'static [SecretForm],
    digest: &'static CStr,
    padding: Option<&'static CStr>,
}

const fn ecdsa(name: &'static str, form: Form, digest: &'static CStr) -> HashedRow {
    HashedRow { name, kind: c"EC", method: c"ECDSA", form, forms: &[SecretForm::Expanded], digest, padding: None }
}

const fn rsa(name: &'static str, bits: usize) -> HashedRow {
    HashedRow {
        name,
        kind: c"RSA",
        method: c"RSA",
        form: Form::Rsa(bits),
        forms: &[SecretForm::Pkcs8],
        digest: c"SHA256",
        padding: Some(c"pkcs1"),
    }
}

static HASHED: [HashedRow; 5] = [
    ecdsa("ECDSA-P256-SHA256", Form::Ec(P256), c"SHA256"),
    ecdsa("ECDSA-P384-SHA384", Form::Ec(P384), c"SHA384"),
    rsa("RSA-2048-PKCS1-SHA256", 2048),
    rsa("RSA-3072-PKCS1-SHA256", 3072),
    rsa("RSA-4096-PKCS1-SHA256", 4096),
];

fn offer(
    context: &'static Context,
    name: &str,
    kind: &'static CStr,
    form: Form,
    forms: &'static [SecretForm],
    mechanism: Mechanism,
) -> Option<&'static dyn SignatureScheme> {
    let algorithm = find(name)?;
    let kind = Kind::new(context, kind, form).ok()?;
    let size = algorithm.sizes.signature?;
    let (seed, deterministic) = match (&mechanism, form) {
        (Mechanism::Message(_), _) if algorithm.standard == "FIPS 205" => (SeedPlace::Generator, true),
        (Mechanism::Message(_), _) => (SeedPlace::Part, true),
        (Mechanism::OneShot { .. }, _) | (_, Form::Rsa(_)) => (SeedPlace::Private, true),
        (Mechanism::Hashed { .. }, _) => (SeedPlace::Private, signs_by_rfc6979(&kind, &mechanism)),
    };
    let inner = Inner { algorithm, kind, forms, mechanism, seed, size, deterministic };
    Some(Box::leak(Box::new(Scheme(Box::leak(Box::new(inner))))))
}

struct Scheme(&'static Inner);

struct Inner {
    algorithm: &'static Algorithm,
    kind: Kind,
    forms: &'static [SecretForm],
    mechanism: Mechanism,
    seed: SeedPlace,
    /// Largest signature.
    size: usize,
    deterministic: bool,
}

/// Where OpenSSL keeps the seed of a private key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SeedPlace {
    /// ML-DSA: a part of the key.
    Part,
    /// SLH-DSA: a parameter of the generator; the first three quarters of the private key.
    Generator,
    /// Ed25519, Ed448: the private key.
    Private,
}

impl SignatureScheme for Scheme {
    fn algorithm(&self) -> &'static Algorithm {
        self.0.algorithm
    }

    fn secret_forms(&self) -> &'static [SecretForm] {
        self.0.forms
    }

    fn deterministic(&self) -> bool {
        self.0.deterministic
    }

    fn contexts(&self) -> bool {
        self.0.mechanism.has_contexts()
    }

    fn generate(&self) -> Result<Box<dyn Signer>> {
        Ok(self.0.signer(self.0.kind.generate().about(self.0.algorithm)?))
    }

    fn import_public(&self, bytes: &[u8]) -> Result<Box<dyn Verifier>> {
        Ok(self.0.verifier(self.0.import_public(bytes).about(self.0.algorithm)?))
    }

    fn import_secret(&self, form: SecretForm, bytes: &[u8]) -> Result<Box<dyn Signer>> {
        Ok(self.0.signer(self.0.import_secret(form, bytes).about(self.0.algorithm)?))
    }
}

impl Inner {
    fn check_form(&self, form: SecretForm) -> Result<()> {
        if self.forms.contains(&form) {
            return Ok(());
        }
        Err(Error::unsupported(format!("OpenSSL has no private keys of it as {}", form.as_str())))
    }

    fn import_public(&self, bytes: &[u8]) -> Result<Key> {
        // The length of RSA's DER depends on the key's exponent.
        if let Some(size) = self.algorithm.sizes.public.filter(|_| !self.forms.contains(&SecretForm::Pkcs8)) {
            check_len("the public key", bytes, size)?;
        }
        self.kind.import_public(bytes)
    }

    fn import_secret(&self, form: SecretForm, bytes: &[u8]) -> Result<Key> {
        self.check_form(form)?;
        let sizes = self.algorithm.sizes;
        match form {
            SecretForm::Pkcs8 => return self.kind.import_private(bytes),
            SecretForm::Expanded => {
                check_len("the private key", bytes, sizes.secret.unwrap_or(0))?;
                return self.kind.import_private(bytes);
            }
            SecretForm::Seed => check_len("the seed", bytes, sizes.seed.unwrap_or(0))?,
        }
        match self.seed {
            SeedPlace::Generator => self.kind.generate_from(bytes),
            SeedPlace::Part => self.kind.import_part(SEED, Selection::Pair, bytes),
            SeedPlace::Private => self.kind.import_private(bytes),
        }
    }

    fn export_secret(&self, key: &Key, form: SecretForm, out: &mut [u8]) -> Result<usize> {
        self.check_form(form)?;
        let sizes = self.algorithm.sizes;
        let (seed, secret) = (sizes.seed.unwrap_or(0), sizes.secret.unwrap_or(0));
        match (form, self.seed) {
            (SecretForm::Pkcs8, _) => key.encode(c"PrivateKeyInfo", Selection::Pair, out),
            (SecretForm::Expanded, _) => self.kind.export_part(key, PRIVATE, secret, out),
            (SecretForm::Seed, SeedPlace::Part) => self.kind.export_part(key, SEED, seed, out),
            (SecretForm::Seed, SeedPlace::Private) => self.kind.export_part(key, PRIVATE, seed, out),
            (SecretForm::Seed, SeedPlace::Generator) => {
                let mut whole = Secret::zeroed(secret);
                self.kind.export_part(key, PRIVATE, secret, &mut whole)?;
                whole.truncate(seed);
                copy_out("the seed", &whole, out)
            }
        }
    }
}
