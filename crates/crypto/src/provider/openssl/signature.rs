//! ML-DSA, SLH-DSA, Ed25519, Ed448, ECDSA, RSA PKCS #1 v1.5.

use super::ffi::{Context, Digest, Key, KeyContext, MessageContext, Param, Params, Selection, SignatureMethod};
use super::kind::{Form, Kind, P256, P384, PRIVATE, SEED};
use super::pool::Pool;
use crate::SecretForm;
use crate::catalogue::{Algorithm, find};
use crate::error::{Error, Result, check_len};
use crate::signature::{Randomness, SignatureScheme, Signer, Verifier};
use std::ffi::{CStr, c_int, c_uint};

/// `OSSL_SIGNATURE_PARAM_CONTEXT_STRING`.
const CONTEXT: &CStr = c"context-string";
/// `OSSL_SIGNATURE_PARAM_DETERMINISTIC`.
const DETERMINISTIC: &CStr = c"deterministic";
/// `OSSL_SIGNATURE_PARAM_NONCE_TYPE` (3.2): 1 is RFC 6979.
const NONCE_TYPE: &CStr = c"nonce-type";
/// Value of [`NONCE_TYPE`].
const RFC_6979: c_uint = 1;
/// `OSSL_SIGNATURE_PARAM_DIGEST`.
const DIGEST: &CStr = c"digest";
/// `OSSL_SIGNATURE_PARAM_PAD_MODE`.
const PADDING: &CStr = c"pad-mode";

/// Longest context string (FIPS 204 section 5.2).
const LONGEST_CONTEXT: usize = 255;

/// How a message gets to the library.
enum Mechanism {
    /// EVP_PKEY_sign on the message itself (`EVP_PKEY_sign_message_init`), with context strings.
    Message(SignatureMethod),
    /// EVP_DigestSign without a digest. `again`: each message needs a new start.
    OneShot { again: bool },
    /// EVP_Digest, then EVP_PKEY_sign on the digest.
    Hashed { digest: Digest, name: &'static CStr, padding: Option<&'static CStr> },
}

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
    let deterministic = match (&mechanism, form) {
        (Mechanism::Message(_) | Mechanism::OneShot { .. }, _) | (_, Form::Rsa(_)) => true,
        (Mechanism::Hashed { digest, .. }, _) => signs_by_rfc6979(&kind, &mechanism, digest.size()),
    };
    let inner: &'static Inner = Box::leak(Box::new(Inner { algorithm, kind, forms, mechanism, size, deterministic }));
    Some(Box::leak(Box::new(Scheme(inner))))
}

/// Whether ECDSA can be deterministic. It came with 3.2, and the FIPS module knows the parameter but refuses to sign with
/// it under `fips=yes`, so one signature is tried.
fn signs_by_rfc6979(kind: &Kind, mechanism: &Mechanism, digest_len: usize) -> bool {
    let attempt = || -> Result<bool> {
        let mut context = signing(kind, mechanism, &kind.generate()?)?;
        if !context.knows(NONCE_TYPE) {
            return Ok(false);
        }
        context.set(&Params::new([Param::uint(NONCE_TYPE, &RFC_6979)]))?;
        context.sign(&vec![0; digest_len], &mut [0; LARGEST_ECDSA]).map(|_| true)
    };
    attempt().unwrap_or(false)
}

struct Inner {
    algorithm: &'static Algorithm,
    kind: Kind,
    forms: &'static [SecretForm],
    mechanism: Mechanism,
    /// Largest signature.
    size: usize,
    deterministic: bool,
}

struct Scheme(&'static Inner);

/// A prepared context, and what is set in it.
enum Prepared {
    Key { context: KeyContext, string: Vec<u8>, deterministic: bool },
    Message(MessageContext),
}

struct PrivateKey {
    scheme: &'static Inner,
    key: Key,
    signing: Pool<Prepared>,
}

struct PublicKey {
    scheme: &'static Inner,
    key: Key,
    verification: Pool<Prepared>,
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
        matches!(self.0.mechanism, Mechanism::Message(_))
    }

    fn generate(&self) -> Result<Box<dyn Signer>> {
        Ok(self.signer(self.0.kind.generate()?))
    }

    fn import_public(&self, bytes: &[u8]) -> Result<Box<dyn Verifier>> {
        if let Some(size) = self.0.algorithm.sizes.public.filter(|_| !self.0.forms.contains(&SecretForm::Pkcs8)) {
            check_len("public key", bytes, size)?;
        }
        let key = self.0.kind.import_public(bytes)?;
        Ok(Box::new(PublicKey { scheme: self.0, key, verification: Pool::new() }))
    }

    fn import_secret(&self, form: SecretForm, bytes: &[u8]) -> Result<Box<dyn Signer>> {
        let Inner { algorithm, kind, forms, .. } = self.0;
        if !forms.contains(&form) {
            return Err(Error::unsupported(format!(
                "{} keys are not imported as {} from OpenSSL",
                algorithm.name,
                form.as_str()
            )));
        }
        let key = match form {
            SecretForm::Pkcs8 => kind.import_private(bytes)?,
            SecretForm::Expanded => {
                check_len("private key", bytes, algorithm.sizes.secret.unwrap_or(0))?;
                kind.import_private(bytes)?
            }
            SecretForm::Seed => {
                check_len("seed", bytes, algorithm.sizes.seed.unwrap_or(0))?;
                match self.0.seed() {
                    SeedPlace::Generator => kind.generate_from(bytes)?,
                    SeedPlace::Part => kind.import_part(SEED, Selection::Pair, bytes)?,
                    SeedPlace::Private => kind.import_private(bytes)?,
                }
            }
        };
        Ok(self.signer(key))
    }
}

impl Scheme {
    fn signer(&self, key: Key) -> Box<dyn Signer> {
        Box::new(PrivateKey { scheme: self.0, key, signing: Pool::new() })
    }
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

impl Inner {
    fn seed(&self) -> SeedPlace {
        match self.mechanism {
            Mechanism::Message(_) if self.algorithm.standard == "FIPS 205" => SeedPlace::Generator,
            Mechanism::Message(_) => SeedPlace::Part,
            Mechanism::OneShot { .. } | Mechanism::Hashed { .. } => SeedPlace::Private,
        }
    }

    fn check_context(&self, string: &[u8]) -> Result<()> {
        if string.is_empty() {
            return Ok(());
        }
        if !matches!(self.mechanism, Mechanism::Message(_)) {
            return Err(Error::unsupported(format!("{} has no context string", self.algorithm.name)));
        }
        if string.len() > LONGEST_CONTEXT {
            return Err(Error::usage(format!(
                "the context string has {} bytes, at most {LONGEST_CONTEXT} are allowed",
                string.len()
            )));
        }
        Ok(())
    }
}

/// A context that signs with `key`; not for one-shot schemes.
fn signing(kind: &Kind, mechanism: &Mechanism, key: &Key) -> Result<KeyContext> {
    let mut context = KeyContext::of_key(kind.context, key)?;
    match mechanism {
        Mechanism::Message(method) => context.prepare_signing(Some(method))?,
        Mechanism::OneShot { .. } => context.prepare_signing(None)?,
        Mechanism::Hashed { name, padding, .. } => {
            context.prepare_signing(None)?;
            set_hashed(&mut context, name, *padding)?;
        }
    }
    Ok(context)
}

fn set_hashed(context: &mut KeyContext, digest: &CStr, padding: Option<&CStr>) -> Result<()> {
    match padding {
        Some(padding) => context.set(&Params::new([Param::name(PADDING, padding), Param::name(DIGEST, digest)])),
        None => context.set(&Params::new([Param::name(DIGEST, digest)])),
    }
}

impl Prepared {
    fn of(context: KeyContext) -> Self {
        Prepared::Key { context, string: Vec::new(), deterministic: false }
    }
}

/// Largest digest, of SHA-384.
const LARGEST_DIGEST: usize = 48;
/// Largest ECDSA signature, of P-384.
const LARGEST_ECDSA: usize = 104;

/// Hashes the message and hands the digest on.
fn hashed<R>(digest: &Digest, message: &[u8], work: impl FnOnce(&[u8]) -> Result<R>) -> Result<R> {
    let mut buffer = [0; LARGEST_DIGEST];
    let Some(out) = buffer.get_mut(..digest.size()) else {
        return Err(Error::provider("the digest is larger than expected"));
    };
    digest.digest(message, out)?;
    work(out)
}

impl Signer for PrivateKey {
    fn sign(&self, message: &[u8], context: &[u8], randomness: Randomness, out: &mut [u8]) -> Result<usize> {
        let Inner { kind, mechanism, size, deterministic: can, algorithm, .. } = self.scheme;
        self.scheme.check_context(context)?;
        let wanted = randomness == Randomness::Deterministic;
        if wanted && !can {
            return Err(Error::unsupported(format!("this OpenSSL has no deterministic {}", algorithm.name))
                .with_hint("the default provider of OpenSSL 3.2 or newer signs by RFC 6979"));
        }
        if out.len() < *size {
            return Err(Error::usage(format!("a signature has up to {size} bytes, the buffer {}", out.len())));
        }
        self.signing.run(
            || match mechanism {
                Mechanism::OneShot { .. } => MessageContext::signing(kind.context, &self.key).map(Prepared::Message),
                _ => signing(kind, mechanism, &self.key).map(Prepared::of),
            },
            |prepared| match (prepared, mechanism) {
                (Prepared::Message(prepared), Mechanism::OneShot { again }) => prepared.sign(*again, message, out),
                (Prepared::Key { context: prepared, string, deterministic }, Mechanism::Message(_)) => {
                    if string != context || *deterministic != wanted {
                        let flag = c_int::from(wanted);
                        prepared
                            .set(&Params::new([Param::octets(CONTEXT, context), Param::int(DETERMINISTIC, &flag)]))?;
                        context.clone_into(string);
                        *deterministic = wanted;
                    }
                    prepared.sign(message, out)
                }
                (Prepared::Key { context: prepared, deterministic, .. }, Mechanism::Hashed { digest, padding, .. }) => {
                    // RSA PKCS #1 v1.5 has no randomness to turn off.
                    if padding.is_none() && *deterministic != wanted {
                        let kind = c_uint::from(wanted);
                        prepared.set(&Params::new([Param::uint(NONCE_TYPE, &kind)]))?;
                        *deterministic = wanted;
                    }
                    hashed(digest, message, |digest| prepared.sign(digest, out))
                }
                _ => Err(Error::provider("a signature context of another mechanism")),
            },
        )
    }

    fn export_public(&self, out: &mut [u8]) -> Result<usize> {
        self.scheme.kind.export_public(&self.key, self.scheme.algorithm.sizes.public, out)
    }

    fn export_secret(&self, form: SecretForm, out: &mut [u8]) -> Result<usize> {
        let Inner { algorithm, kind, forms, .. } = self.scheme;
        if !forms.contains(&form) {
            return Err(Error::unsupported(format!("{} keys are not exported as {}", algorithm.name, form.as_str())));
        }
        let (seed, secret) = (algorithm.sizes.seed.unwrap_or(0), algorithm.sizes.secret.unwrap_or(0));
        match form {
            SecretForm::Pkcs8 => self.key.encode(c"PrivateKeyInfo", Selection::Pair, out),
            SecretForm::Expanded => kind.export_part(&self.key, PRIVATE, secret, out),
            SecretForm::Seed => match self.scheme.seed() {
                SeedPlace::Part => kind.export_part(&self.key, SEED, seed, out),
                SeedPlace::Private => kind.export_part(&self.key, PRIVATE, seed, out),
                SeedPlace::Generator => {
                    let mut whole = crate::Secret::zeroed(secret);
                    kind.export_part(&self.key, PRIVATE, secret, &mut whole)?;
                    whole.truncate(seed);
                    crate::error::copy_out("seed", &whole, out)
                }
            },
        }
    }
}

impl Verifier for PublicKey {
    fn verify(&self, message: &[u8], context: &[u8], signature: &[u8]) -> Result<bool> {
        let Inner { kind, mechanism, .. } = self.scheme;
        self.scheme.check_context(context)?;
        self.verification.run(
            || {
                let method = match mechanism {
                    Mechanism::OneShot { .. } => {
                        return MessageContext::verification(kind.context, &self.key).map(Prepared::Message);
                    }
                    Mechanism::Message(method) => Some(method),
                    Mechanism::Hashed { .. } => None,
                };
                let mut made = KeyContext::of_key(kind.context, &self.key)?;
                made.prepare_verification(method)?;
                if let Mechanism::Hashed { name, padding, .. } = mechanism {
                    set_hashed(&mut made, name, *padding)?;
                }
                Ok(Prepared::of(made))
            },
            |prepared| match (prepared, mechanism) {
                (Prepared::Message(prepared), Mechanism::OneShot { again }) => {
                    prepared.verify(*again, message, signature)
                }
                (Prepared::Key { context: prepared, string, .. }, Mechanism::Message(_)) => {
                    if string != context {
                        prepared.set(&Params::new([Param::octets(CONTEXT, context)]))?;
                        context.clone_into(string);
                    }
                    prepared.verify(message, signature)
                }
                (Prepared::Key { context: prepared, .. }, Mechanism::Hashed { digest, .. }) => {
                    hashed(digest, message, |digest| prepared.verify(digest, signature))
                }
                _ => Err(Error::provider("a signature context of another mechanism")),
            },
        )
    }

    fn export_public(&self, out: &mut [u8]) -> Result<usize> {
        self.scheme.kind.export_public(&self.key, self.scheme.algorithm.sizes.public, out)
    }
}
