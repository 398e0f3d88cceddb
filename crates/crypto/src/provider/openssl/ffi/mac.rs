//! Message authentication codes (`EVP_MAC`) and key derivation (`EVP_KDF`).

use super::context::Context;
use super::owner;
use super::params::Params;
use crate::error::{Fault, Result};
use std::ffi::CStr;
use std::ptr;

owner! {
    /// A fetched MAC.
    Mac, EVP_MAC, EVP_MAC_free
}
// SAFETY: fetched methods are counted and do not change (openssl-threads(7)).
unsafe impl Sync for Mac {}

owner! {
    /// A context that holds a key.
    MacContext, EVP_MAC_CTX, EVP_MAC_CTX_free
}

owner! {
    /// A fetched key derivation function.
    Kdf, EVP_KDF, EVP_KDF_free
}
// SAFETY: as above.
unsafe impl Sync for Kdf {}

owner! {
    /// A context that is empty between calls.
    KdfContext, EVP_KDF_CTX, EVP_KDF_CTX_free
}

impl Mac {
    /// None when the library has no such MAC with the context's properties.
    pub fn fetch(context: &Context, name: &CStr) -> Option<Self> {
        let lib = context.lib;
        // SAFETY: context and strings live.
        let raw = unsafe { (lib.f.EVP_MAC_fetch)(context.raw(), name.as_ptr(), context.query()) };
        context.forgive(!raw.is_null());
        ptr::NonNull::new(raw).map(|raw| Self { lib, raw })
    }
}

impl MacContext {
    /// Prepares a key, with parameters such as the digest.
    ///
    /// # Errors
    /// [`Fault::Provider`] when the library fails.
    pub fn new(mac: &Mac, key: &[u8], params: &Params<'_>) -> Result<Self> {
        let lib = mac.lib;
        // SAFETY: the method lives; the context counts it.
        let this = Self::own(lib, unsafe { (lib.f.EVP_MAC_CTX_new)(mac.raw.as_ptr()) }, "EVP_MAC_CTX_new")?;
        // SAFETY: the library reads the given length; the array is ended and its values live.
        let code = unsafe { (lib.f.EVP_MAC_init)(this.raw.as_ptr(), key.as_ptr(), key.len(), params.as_ptr()) };
        if code == 1 { Ok(this) } else { Err(lib.failure(Fault::Provider, "preparing the MAC key")) }
    }

    /// The tag over `message`; its length must be that of `out`.
    ///
    /// # Errors
    /// [`Fault::Provider`] when the library fails.
    pub fn mac(&mut self, message: &[u8], out: &mut [u8]) -> Result<()> {
        let f = &self.lib.f;
        let ctx = self.raw.as_ptr();
        let mut len = 0;
        // SAFETY: no key means the one of before; the library reads and writes at most the given lengths.
        let done = unsafe {
            (f.EVP_MAC_init)(ctx, ptr::null(), 0, ptr::null()) == 1
                && (f.EVP_MAC_update)(ctx, message.as_ptr(), message.len()) == 1
                && (f.EVP_MAC_final)(ctx, out.as_mut_ptr(), &mut len, out.len()) == 1
        };
        if done && len == out.len() { Ok(()) } else { Err(self.lib.failure(Fault::Provider, "computing the MAC")) }
    }
}

impl Kdf {
    /// None when the library has no such function with the context's properties.
    pub fn fetch(context: &Context, name: &CStr) -> Option<Self> {
        let lib = context.lib;
        // SAFETY: context and strings live.
        let raw = unsafe { (lib.f.EVP_KDF_fetch)(context.raw(), name.as_ptr(), context.query()) };
        context.forgive(!raw.is_null());
        ptr::NonNull::new(raw).map(|raw| Self { lib, raw })
    }
}

impl KdfContext {
    /// An empty context.
    ///
    /// # Errors
    /// [`Fault::Provider`] when memory is short.
    pub fn new(kdf: &Kdf) -> Result<Self> {
        let lib = kdf.lib;
        // SAFETY: the method lives; the context counts it.
        Self::own(lib, unsafe { (lib.f.EVP_KDF_CTX_new)(kdf.raw.as_ptr()) }, "EVP_KDF_CTX_new")
    }

    /// Derives as many bytes as `out` has, then wipes the inputs.
    ///
    /// Each call starts with an empty context. HKDF of OpenSSL 3.0 must not get an empty `info` after one that was not:
    /// it frees the old one, keeps its length, and reads behind null.
    ///
    /// # Errors
    /// [`Fault::Provider`] when the library fails.
    pub fn derive(&mut self, params: &Params<'_>, out: &mut [u8]) -> Result<()> {
        let f = &self.lib.f;
        // SAFETY: the array is ended and its values live; the library writes the given length.
        let code = unsafe {
            let code = (f.EVP_KDF_derive)(self.raw.as_ptr(), out.as_mut_ptr(), out.len(), params.as_ptr());
            (f.EVP_KDF_CTX_reset)(self.raw.as_ptr());
            code
        };
        if code > 0 { Ok(()) } else { Err(self.lib.failure(Fault::Provider, "key derivation")) }
    }
}
