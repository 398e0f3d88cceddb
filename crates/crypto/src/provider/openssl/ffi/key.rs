//! Asymmetric keys (`EVP_PKEY`).

use super::context::Context;
use super::functions::EVP_PKEY;
use super::owner;
use super::params::{get_big, native_order};
use crate::error::{Error, Fault, Result};
use std::ffi::{CStr, c_int};
use std::ptr;

owner! {
    /// A key, counted and locked by OpenSSL. It does not change once made.
    Key, EVP_PKEY, EVP_PKEY_free
}

// SAFETY: an EVP_PKEY that is not being assigned to can be used by several threads (openssl-threads(7)); nothing here
// assigns to one.
unsafe impl Sync for Key {}

/// Which half of a key an import or export is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selection {
    /// `EVP_PKEY_PUBLIC_KEY`: public key and parameters.
    Public,
    /// `EVP_PKEY_KEYPAIR`: private and public key and parameters.
    Pair,
}

impl Selection {
    pub(super) fn bits(self) -> c_int {
        match self {
            Selection::Public => 0x86,
            Selection::Pair => 0x87,
        }
    }
}

impl Key {
    /// Writes a parameter of bytes (`pub`, `priv`, `seed`); its length. None when the key does not have it or `out`
    /// is too short.
    pub fn octets(&self, name: &CStr, out: &mut [u8]) -> Option<usize> {
        let mut written = 0;
        // SAFETY: at most `out.len()` bytes are written.
        let done = unsafe {
            (self.lib.f.EVP_PKEY_get_octet_string_param)(
                self.raw.as_ptr(),
                name.as_ptr(),
                out.as_mut_ptr(),
                out.len(),
                &mut written,
            )
        };
        if done == 1 && written <= out.len() {
            return Some(written);
        }
        self.lib.discard_reasons();
        None
    }

    /// Writes a big number (`priv` of an EC key) big-endian, padded with zeros to the whole of `out`.
    pub fn number(&self, name: &CStr, out: &mut [u8]) -> Option<()> {
        // SAFETY: the closure hands the array to the getter only.
        let found = unsafe { get_big(name, out, |params| (self.lib.f.EVP_PKEY_get_params)(self.raw.as_ptr(), params)) };
        match found {
            Some(()) => native_order(out),
            None => self.lib.discard_reasons(),
        }
        found
    }

    /// Size of the key in bits, as OpenSSL counts it (the modulus of RSA).
    pub fn bits(&self) -> c_int {
        // SAFETY: reads the key.
        unsafe { (self.lib.f.EVP_PKEY_get_bits)(self.raw.as_ptr()) }
    }

    /// Parses DER of the given structure (`PrivateKeyInfo`, `type-specific`), which must fill `der` exactly.
    ///
    /// # Errors
    /// [`Fault::Input`] when it is not such a key.
    pub fn decode(context: &Context, kind: &CStr, structure: &CStr, selection: Selection, der: &[u8]) -> Result<Self> {
        let lib = context.lib;
        let mut raw: *mut EVP_PKEY = ptr::null_mut();
        let (mut data, mut left) = (der.as_ptr(), der.len());
        // SAFETY: the decoder writes one key pointer to `raw`, which outlives it, and reads `left` bytes at `data`; it
        // is freed here, and freeing null is allowed.
        let done = unsafe {
            let decoder = (lib.f.OSSL_DECODER_CTX_new_for_pkey)(
                &mut raw,
                c"DER".as_ptr(),
                structure.as_ptr(),
                kind.as_ptr(),
                selection.bits(),
                context.raw(),
                context.query(),
            );
            let done = !decoder.is_null() && (lib.f.OSSL_DECODER_from_data)(decoder, &mut data, &mut left) == 1;
            (lib.f.OSSL_DECODER_CTX_free)(decoder);
            done
        };
        let what = format!("decoding a DER {} key", kind.to_string_lossy());
        let key = ptr::NonNull::new(raw).map(|raw| Self { lib, raw });
        let Some(key) = key.filter(|_| done) else {
            return Err(lib.failure(Fault::Input, &what));
        };
        if left != 0 {
            return Err(Error::input(format!("{what} left {left} bytes over")));
        }
        // SAFETY: reads the key; the string ends with zero.
        if unsafe { (lib.f.EVP_PKEY_is_a)(key.raw.as_ptr(), kind.as_ptr()) } != 1 {
            return Err(Error::input(format!("{what}: it is a key of another kind")));
        }
        Ok(key)
    }

    /// Writes DER of the given structure; its length.
    ///
    /// # Errors
    /// [`Fault::Usage`] when `out` is too short, [`Fault::Provider`] when the library cannot encode it.
    pub fn encode(&self, structure: &CStr, selection: Selection, out: &mut [u8]) -> Result<usize> {
        let lib = self.lib;
        let what = "encoding a key as DER";
        let (mut data, mut left) = (out.as_mut_ptr(), out.len());
        let mut needed = 0;
        // SAFETY: the key outlives the encoder. Given a buffer, OSSL_ENCODER_to_data writes at most `left` bytes to it
        // and moves both; given none for the size only, it writes nothing but the size. The encoder is freed here.
        let (sized, done) = unsafe {
            let encoder = (lib.f.OSSL_ENCODER_CTX_new_for_pkey)(
                self.raw.as_ptr(),
                selection.bits(),
                c"DER".as_ptr(),
                structure.as_ptr(),
                ptr::null(),
            );
            let sized = !encoder.is_null() && (lib.f.OSSL_ENCODER_to_data)(encoder, ptr::null_mut(), &mut needed) == 1;
            let done = sized && needed <= out.len() && (lib.f.OSSL_ENCODER_to_data)(encoder, &mut data, &mut left) == 1;
            (lib.f.OSSL_ENCODER_CTX_free)(encoder);
            (sized, done)
        };
        if done {
            return Ok(out.len() - left);
        }
        let error = lib.failure(Fault::Provider, what);
        if sized && needed > out.len() {
            return Err(Error::usage(format!("{what} needs {needed} bytes, the buffer has {}", out.len())));
        }
        Err(error)
    }
}
