//! A kind of asymmetric key: how OpenSSL names it, and how keys of it are made and read.

use super::ffi::{Context, Key, KeyContext, Param, Params, Selection, public_point};
use super::pool::Pool;
use crate::catalogue::Algorithm;
use crate::error::{Error, Result, check_len, copy_out};
use std::ffi::{CStr, c_int};
use zeroize::Zeroizing;

/// `OSSL_PKEY_PARAM_PUB_KEY`.
pub const PUBLIC: &CStr = c"pub";
/// `OSSL_PKEY_PARAM_PRIV_KEY`.
pub const PRIVATE: &CStr = c"priv";
/// `OSSL_PKEY_PARAM_ML_KEM_SEED` and its like.
pub const SEED: &CStr = c"seed";
/// `OSSL_PKEY_PARAM_GROUP_NAME`.
const GROUP: &CStr = c"group";
/// `OSSL_PKEY_PARAM_RSA_BITS`.
const BITS: &CStr = c"bits";

/// An elliptic curve in short Weierstrass form.
#[derive(Debug, Clone, Copy)]
pub struct Curve {
    group: &'static CStr,
    nid: c_int,
    scalar: usize,
}

/// NIST P-256 (SP 800-186).
pub const P256: Curve = Curve { group: c"P-256", nid: 415, scalar: 32 };
/// NIST P-384.
pub const P384: Curve = Curve { group: c"P-384", nid: 715, scalar: 48 };

/// What a key of a kind needs besides the kind's name.
#[derive(Debug, Clone, Copy)]
pub enum Form {
    /// Nothing: raw bytes in, raw bytes out.
    Raw,
    /// A curve.
    Ec(Curve),
    /// A modulus size in bits.
    Rsa(usize),
}

/// A kind of key in one library context, with the contexts that make keys prepared.
pub struct Kind {
    /// Where it lives.
    pub context: &'static Context,
    name: &'static CStr,
    form: Form,
    generation: Pool<KeyContext>,
    import: Pool<KeyContext>,
}

impl Kind {
    /// Prepares generation and import.
    ///
    /// # Errors
    /// [`crate::Fault::Provider`] when the library does not have this kind of key.
    pub fn new(context: &'static Context, name: &'static CStr, form: Form) -> Result<Self> {
        Ok(Self {
            context,
            name,
            form,
            generation: Pool::with(generation(context, name, form)?),
            import: Pool::with(import(context, name)?),
        })
    }

    /// A new key.
    ///
    /// # Errors
    /// [`crate::Fault::Provider`] when the library fails.
    pub fn generate(&self) -> Result<Key> {
        self.generation.run(|| generation(self.context, self.name, self.form), KeyContext::generate)
    }

    /// Key generation from a seed, for kinds that take one as a parameter of the generator.
    ///
    /// # Errors
    /// [`crate::Fault::Provider`] when the library fails.
    pub fn generate_from(&self, seed: &[u8]) -> Result<Key> {
        // An own context: a seed set on the shared one would stay there.
        let mut context = generation(self.context, self.name, self.form)?;
        context.set(&Params::new([Param::octets(SEED, seed)]))?;
        context.generate()
    }

    /// A key of one part in bytes.
    ///
    /// # Errors
    /// [`crate::Fault::Input`] when it is not valid.
    pub fn import_part(&self, part: &CStr, selection: Selection, bytes: &[u8]) -> Result<Key> {
        let octets = Param::octets(part, bytes);
        let parts = match self.form {
            Form::Ec(curve) => Params::new([Param::name(GROUP, curve.group), octets]),
            Form::Raw | Form::Rsa(_) => Params::new([octets]),
        };
        self.make(selection, &parts)
    }

    /// A public key in the encoding of the catalogue.
    ///
    /// # Errors
    /// [`crate::Fault::Input`] when it is not valid.
    pub fn import_public(&self, bytes: &[u8]) -> Result<Key> {
        match self.form {
            Form::Rsa(bits) => {
                sized(Key::decode(self.context, self.name, c"type-specific", Selection::Public, bytes)?, bits)
            }
            Form::Ec(curve) => {
                check_len("public key", bytes, 1 + 2 * curve.scalar)?;
                if bytes.first() != Some(&4) {
                    return Err(Error::input("the public key is not an uncompressed SEC 1 point"));
                }
                self.import_part(PUBLIC, Selection::Public, bytes)
            }
            Form::Raw => self.import_part(PUBLIC, Selection::Public, bytes),
        }
    }

    /// A private key: raw bytes, the big-endian scalar of a curve with its public point computed, PKCS#8 of RSA.
    ///
    /// # Errors
    /// [`crate::Fault::Input`] when it is not valid.
    pub fn import_private(&self, bytes: &[u8]) -> Result<Key> {
        match self.form {
            Form::Raw => self.import_part(PRIVATE, Selection::Pair, bytes),
            Form::Rsa(bits) => {
                sized(Key::decode(self.context, self.name, c"PrivateKeyInfo", Selection::Pair, bytes)?, bits)
            }
            Form::Ec(curve) => {
                check_len("private scalar", bytes, curve.scalar)?;
                let mut point = vec![0; 1 + 2 * curve.scalar];
                public_point(self.context, curve.nid, bytes, &mut point)?;
                let mut scalar = Zeroizing::new(bytes.to_vec());
                if cfg!(target_endian = "little") {
                    scalar.reverse();
                }
                let parts = Params::new([
                    Param::name(GROUP, curve.group),
                    Param::octets(PUBLIC, &point),
                    Param::big(PRIVATE, &scalar),
                ]);
                self.make(Selection::Pair, &parts)
            }
        }
    }

    fn make(&self, selection: Selection, parts: &Params<'_>) -> Result<Key> {
        self.import.run(|| import(self.context, self.name), |context| context.import(selection, parts))
    }

    /// Writes the public key in the encoding of the catalogue.
    ///
    /// # Errors
    /// [`crate::Fault::Usage`] when `out` is too short.
    pub fn export_public(&self, key: &Key, size: Option<usize>, out: &mut [u8]) -> Result<usize> {
        match self.form {
            Form::Rsa(_) => key.encode(c"type-specific", Selection::Public, out),
            Form::Raw | Form::Ec(_) => {
                let mut buffer = vec![0; size.unwrap_or(0)];
                let n = key
                    .octets(PUBLIC, &mut buffer)
                    .ok_or_else(|| Error::provider("the key does not tell its public part"))?;
                copy_out("public key", buffer.get(..n).unwrap_or(&[]), out)
            }
        }
    }

    /// Writes a private part of `size` bytes.
    ///
    /// # Errors
    /// [`crate::Fault::Unsupported`] when the key does not hold it, [`crate::Fault::Usage`] when `out` is too short.
    pub fn export_part(&self, key: &Key, part: &CStr, size: usize, out: &mut [u8]) -> Result<usize> {
        let mut buffer = Zeroizing::new(vec![0; size]);
        let found = match self.form {
            Form::Ec(_) => key.number(part, &mut buffer).map(|()| size),
            Form::Raw | Form::Rsa(_) => key.octets(part, &mut buffer),
        };
        match found {
            Some(n) => copy_out("private key", buffer.get(..n).unwrap_or(&[]), out),
            None => Err(Error::unsupported(format!("this key does not hold its {}", part.to_string_lossy()))),
        }
    }
}

/// Puts the algorithm's name before what went wrong.
pub trait About {
    /// The same result; an error names `algorithm`.
    #[must_use]
    fn about(self, algorithm: &Algorithm) -> Self;
}

impl<T> About for Result<T> {
    fn about(self, algorithm: &Algorithm) -> Self {
        self.map_err(|error| name(error, algorithm))
    }
}

#[cold]
fn name(error: Error, algorithm: &Algorithm) -> Error {
    let named = Error::new(error.fault(), format!("{}: {}", algorithm.name, error.what()));
    match error.hint() {
        Some(hint) => named.with_hint(hint),
        None => named,
    }
}

fn generation(context: &Context, name: &CStr, form: Form) -> Result<KeyContext> {
    let mut made = KeyContext::of_kind(context, name)?;
    made.prepare_generation()?;
    match form {
        Form::Raw => {}
        Form::Ec(curve) => made.set(&Params::new([Param::name(GROUP, curve.group)]))?,
        Form::Rsa(bits) => made.set(&Params::new([Param::size(BITS, &bits)]))?,
    }
    Ok(made)
}

fn import(context: &Context, name: &CStr) -> Result<KeyContext> {
    let mut made = KeyContext::of_kind(context, name)?;
    made.prepare_import()?;
    Ok(made)
}

fn sized(key: Key, bits: usize) -> Result<Key> {
    let found = key.bits();
    if usize::try_from(found) == Ok(bits) {
        Ok(key)
    } else {
        Err(Error::input(format!("the key has {found} bits, expected {bits}")))
    }
}
