//! Signatures of liboqs. Keys are bytes there, so a key object is the bytes, whose length was checked.

use super::ffi::SignatureObject;
use crate::SecretForm;
use crate::catalogue::Algorithm;
use crate::error::{Error, Result, check_len, copy_out};
use crate::secret::Secret;
use crate::signature::{Randomness, SignatureScheme, Signer, Verifier};

/// One signature scheme of a loaded library.
pub(super) struct OqsSignature(&'static Scheme);

/// What the keys share; lives as long as the library, so that a key need not count references.
struct Scheme {
    algorithm: &'static Algorithm,
    object: SignatureObject,
    contexts: bool,
}

struct PublicKey {
    scheme: &'static Scheme,
    bytes: Vec<u8>,
}

struct PrivateKey {
    scheme: &'static Scheme,
    /// None where it was imported without and the layout does not show it.
    public: Option<Vec<u8>>,
    secret: Secret,
}

impl OqsSignature {
    /// Takes an object over.
    pub(super) fn leak(algorithm: &'static Algorithm, object: SignatureObject) -> &'static Self {
        // Before 0.14 the library cannot be asked; then the standard says it: of what those versions have, only ML-DSA
        // (FIPS 204) takes a context.
        let contexts = object.supports_context().unwrap_or(algorithm.standard == "FIPS 204");
        Box::leak(Box::new(Self(Box::leak(Box::new(Scheme { algorithm, object, contexts })))))
    }
}

impl SignatureScheme for OqsSignature {
    fn algorithm(&self) -> &'static Algorithm {
        self.0.algorithm
    }

    fn secret_forms(&self) -> &'static [SecretForm] {
        &[SecretForm::Expanded]
    }

    /// Never: liboqs signs deterministically only when its random generator is replaced for the whole process, and then
    /// it would no longer be the library that is measured.
    fn deterministic(&self) -> bool {
        false
    }

    fn contexts(&self) -> bool {
        self.0.contexts
    }

    fn generate(&self) -> Result<Box<dyn Signer>> {
        let mut public = vec![0; self.0.object.lengths.public];
        let mut secret = Secret::zeroed(self.0.object.lengths.secret);
        self.0.object.keypair(&mut public, &mut secret)?;
        Ok(Box::new(PrivateKey { scheme: self.0, public: Some(public), secret }))
    }

    fn import_public(&self, bytes: &[u8]) -> Result<Box<dyn Verifier>> {
        check_len(&format!("{} public key", self.0.name()), bytes, self.0.object.lengths.public)?;
        Ok(Box::new(PublicKey { scheme: self.0, bytes: bytes.to_vec() }))
    }

    fn import_secret(&self, form: SecretForm, bytes: &[u8]) -> Result<Box<dyn Signer>> {
        if form != SecretForm::Expanded {
            return Err(self.0.no_form(form));
        }
        check_len(&format!("{} private key", self.0.name()), bytes, self.0.object.lengths.secret)?;
        // FIPS 205 section 9.1: SK = SK.seed ‖ SK.prf ‖ PK.seed ‖ PK.root, and PK is its second half.
        let slh_dsa = self.0.algorithm.standard == "FIPS 205" && self.0.algorithm.oid.is_some();
        let public = if slh_dsa { bytes.get(bytes.len() / 2..).map(<[u8]>::to_vec) } else { None };
        Ok(Box::new(PrivateKey { scheme: self.0, public, secret: Secret::from(bytes) }))
    }
}

impl Scheme {
    fn name(&self) -> &'static str {
        self.algorithm.name
    }

    fn no_form(&self, form: SecretForm) -> Error {
        Error::unsupported(format!("liboqs has no {} form of a {} private key", form.as_str(), self.name()))
    }

    fn check_context(&self, context: &[u8]) -> Result<()> {
        if context.is_empty() || self.contexts {
            Ok(())
        } else {
            Err(Error::unsupported(format!("this liboqs has no {} with a context string", self.name())))
        }
    }
}

impl Signer for PrivateKey {
    fn sign(&self, message: &[u8], context: &[u8], randomness: Randomness, out: &mut [u8]) -> Result<usize> {
        if randomness == Randomness::Deterministic {
            return Err(Error::unsupported(format!("liboqs has no deterministic signing for {}", self.scheme.name())));
        }
        self.scheme.check_context(context)?;
        self.scheme.object.sign(&self.secret, message, context, out)
    }

    fn export_public(&self, out: &mut [u8]) -> Result<usize> {
        let Some(public) = &self.public else {
            return Err(Error::unsupported(format!(
                "liboqs does not derive the public key of an imported {} private key",
                self.scheme.name()
            )));
        };
        copy_out("public key", public, out)
    }

    fn export_secret(&self, form: SecretForm, out: &mut [u8]) -> Result<usize> {
        match form {
            SecretForm::Expanded => copy_out("private key", &self.secret, out),
            _ => Err(self.scheme.no_form(form)),
        }
    }
}

impl Verifier for PublicKey {
    fn verify(&self, message: &[u8], context: &[u8], signature: &[u8]) -> Result<bool> {
        self.scheme.check_context(context)?;
        self.scheme.object.verify(&self.bytes, message, context, signature)
    }

    fn export_public(&self, out: &mut [u8]) -> Result<usize> {
        copy_out("public key", &self.bytes, out)
    }
}
