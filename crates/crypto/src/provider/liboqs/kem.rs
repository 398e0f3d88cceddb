//! KEMs of liboqs. Keys are bytes there, so a key object is the checked bytes.

use super::ffi::{KemObject, ML_KEM_COINS, ML_KEM_SEED};
use super::ml_kem;
use crate::SecretForm;
use crate::catalogue::Algorithm;
use crate::error::{Error, Result, check_len, copy_out};
use crate::kem::{Decapsulator, Encapsulator, Kem};
use crate::secret::Secret;

/// One KEM of a loaded library.
pub(super) struct OqsKem(&'static Scheme);

/// What the keys share; lives as long as the library, so that a key need not count references.
struct Scheme {
    algorithm: &'static Algorithm,
    object: KemObject,
    /// FIPS 203: its input checks apply and its key layout is known.
    ml_kem: bool,
    /// Seeded key generation was tried and works.
    seeded: bool,
    /// Derandomised encapsulation was tried and works.
    derandomised: bool,
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
    seed: Option<Secret>,
}

impl OqsKem {
    /// Takes an object over; tries once whether the derandomised interfaces work, because a library may export them and
    /// not have them for this algorithm.
    pub(super) fn leak(algorithm: &'static Algorithm, object: KemObject) -> &'static Self {
        let ml_kem = algorithm.standard == "FIPS 203";
        let mut scheme = Scheme { algorithm, object, ml_kem, seeded: false, derandomised: false };
        if ml_kem {
            let (mut public, mut secret) = scheme.key_buffers();
            scheme.seeded = scheme.object.keypair_derand(&mut public, &mut secret, &[0; ML_KEM_SEED]).is_ok();
            let mut ciphertext = vec![0; scheme.object.lengths.ciphertext];
            let mut shared = Secret::zeroed(scheme.object.lengths.shared);
            scheme.derandomised = scheme.seeded
                && scheme.object.encaps_derand(&public, &[0; ML_KEM_COINS], &mut ciphertext, &mut shared).is_ok();
        }
        Box::leak(Box::new(Self(Box::leak(Box::new(scheme)))))
    }
}

impl Kem for OqsKem {
    fn algorithm(&self) -> &'static Algorithm {
        self.0.algorithm
    }

    fn secret_forms(&self) -> &'static [SecretForm] {
        if self.0.seeded { &[SecretForm::Seed, SecretForm::Expanded] } else { &[SecretForm::Expanded] }
    }

    fn derandomised(&self) -> bool {
        self.0.derandomised
    }

    fn generate(&self) -> Result<Box<dyn Decapsulator>> {
        let (mut public, mut secret) = self.0.key_buffers();
        self.0.object.keypair(&mut public, &mut secret)?;
        Ok(Box::new(PrivateKey { scheme: self.0, public: Some(public), secret, seed: None }))
    }

    fn import_public(&self, bytes: &[u8]) -> Result<Box<dyn Encapsulator>> {
        check_len(&format!("{} public key", self.0.name()), bytes, self.0.object.lengths.public)?;
        if self.0.ml_kem {
            ml_kem::check_public(self.0.name(), bytes)?;
        }
        Ok(Box::new(PublicKey { scheme: self.0, bytes: bytes.to_vec() }))
    }

    fn import_secret(&self, form: SecretForm, bytes: &[u8]) -> Result<Box<dyn Decapsulator>> {
        match form {
            SecretForm::Seed if self.0.seeded => self.0.import_seed(bytes),
            SecretForm::Expanded => self.0.import_expanded(bytes),
            _ => Err(self.0.no_form(form)),
        }
    }
}

impl Scheme {
    fn name(&self) -> &'static str {
        self.algorithm.name
    }

    fn key_buffers(&self) -> (Vec<u8>, Secret) {
        (vec![0; self.object.lengths.public], Secret::zeroed(self.object.lengths.secret))
    }

    fn import_seed(&'static self, bytes: &[u8]) -> Result<Box<dyn Decapsulator>> {
        let seed: &[u8; ML_KEM_SEED] = bytes.try_into().map_err(|_| {
            Error::input(format!("{} seed has {} bytes, expected {ML_KEM_SEED}", self.name(), bytes.len()))
        })?;
        let (mut public, mut secret) = self.key_buffers();
        self.object.keypair_derand(&mut public, &mut secret, seed)?;
        Ok(Box::new(PrivateKey { scheme: self, public: Some(public), secret, seed: Some(Secret::from(bytes)) }))
    }

    fn import_expanded(&'static self, bytes: &[u8]) -> Result<Box<dyn Decapsulator>> {
        check_len(&format!("{} private key", self.name()), bytes, self.object.lengths.secret)?;
        let mut public = None;
        if self.ml_kem {
            public = Some(ml_kem::check_secret(self.name(), bytes, self.object.lengths.public)?.to_vec());
        }
        Ok(Box::new(PrivateKey { scheme: self, public, secret: Secret::from(bytes), seed: None }))
    }

    fn no_form(&self, form: SecretForm) -> Error {
        Error::unsupported(format!("this liboqs has no {} form of a {} private key", form.as_str(), self.name()))
    }
}

impl Encapsulator for PublicKey {
    fn encapsulate(&self, ciphertext: &mut [u8], shared: &mut [u8]) -> Result<()> {
        self.scheme.object.encaps(&self.bytes, ciphertext, shared)
    }

    fn encapsulate_derandomised(&self, coins: &[u8], ciphertext: &mut [u8], shared: &mut [u8]) -> Result<()> {
        let Ok(coins) = <&[u8; ML_KEM_COINS]>::try_from(coins) else {
            let name = self.scheme.name();
            return Err(Error::usage(format!("{name} randomness has {} bytes, expected {ML_KEM_COINS}", coins.len())));
        };
        self.scheme.object.encaps_derand(&self.bytes, coins, ciphertext, shared)
    }

    fn export_public(&self, out: &mut [u8]) -> Result<usize> {
        copy_out("public key", &self.bytes, out)
    }
}

impl Decapsulator for PrivateKey {
    fn decapsulate(&self, ciphertext: &[u8], shared: &mut [u8]) -> Result<()> {
        self.scheme.object.decaps(&self.secret, ciphertext, shared)
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
        match (form, &self.seed) {
            (SecretForm::Expanded, _) => copy_out("private key", &self.secret, out),
            (SecretForm::Seed, Some(seed)) => copy_out("seed", seed, out),
            (SecretForm::Seed, None) if self.scheme.seeded => Err(Error::unsupported(format!(
                "this {} private key was not made from a seed: liboqs keeps none",
                self.scheme.name()
            ))),
            _ => Err(self.scheme.no_form(form)),
        }
    }
}
