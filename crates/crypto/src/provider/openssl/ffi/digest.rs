//! Digests (`EVP_MD`) and the one-shot signatures that go by digest contexts (`EVP_MD_CTX`).

use super::context::Context;
use super::key::Key;
use super::owner;
use crate::error::{Fault, Result};
use std::ffi::{CStr, c_int, c_uint};
use std::ptr;

owner! {
    /// A fetched hash function.
    Digest, EVP_MD, EVP_MD_free
}

// SAFETY: fetched methods are counted and do not change (openssl-threads(7)).
unsafe impl Sync for Digest {}

owner! {
    /// A context that hashes with an extendable-output function.
    XofContext, EVP_MD_CTX, EVP_MD_CTX_free
}

owner! {
    /// A context that signs or verifies whole messages with one key, as Ed25519 needs it.
    MessageContext, EVP_MD_CTX, EVP_MD_CTX_free
}

impl Digest {
    /// None when the library has no such function with the context's properties.
    pub fn fetch(context: &Context, name: &CStr) -> Option<Self> {
        let lib = context.lib;
        // SAFETY: context and strings live.
        let raw = unsafe { (lib.f.EVP_MD_fetch)(context.raw(), name.as_ptr(), context.query()) };
        context.forgive(!raw.is_null());
        ptr::NonNull::new(raw).map(|raw| Self { lib, raw })
    }

    /// Output size in bytes; for an extendable-output function its default, which may be 0.
    pub fn size(&self) -> usize {
        // SAFETY: reads the method.
        usize::try_from(unsafe { (self.lib.f.EVP_MD_get_size)(self.raw.as_ptr()) }).unwrap_or(0)
    }

    /// One-shot digest (`EVP_Digest`). `out` must be exactly [`Digest::size`] long.
    ///
    /// # Errors
    /// [`Fault::Provider`] when the library fails, [`Fault::Usage`] for another length of `out`.
    pub fn digest(&self, message: &[u8], out: &mut [u8]) -> Result<()> {
        let size = self.size();
        if out.len() != size {
            return Err(crate::Error::usage(format!("a digest of {size} bytes does not fit {} bytes", out.len())));
        }
        let mut len: c_uint = 0;
        // SAFETY: exactly `size` bytes are written, which `out` has.
        let code = unsafe {
            (self.lib.f.EVP_Digest)(
                message.as_ptr().cast(),
                message.len(),
                out.as_mut_ptr(),
                &mut len,
                self.raw.as_ptr(),
                ptr::null_mut(),
            )
        };
        if code == 1 { Ok(()) } else { Err(self.lib.failure(Fault::Provider, "hashing")) }
    }
}

impl XofContext {
    /// An empty context.
    ///
    /// # Errors
    /// [`Fault::Provider`] when memory is short.
    pub fn new(digest: &Digest) -> Result<Self> {
        // SAFETY: takes nothing.
        Self::own(digest.lib, unsafe { (digest.lib.f.EVP_MD_CTX_new)() }, "EVP_MD_CTX_new")
    }

    /// Hashes to as many bytes as `out` has.
    ///
    /// # Errors
    /// [`Fault::Provider`] when the library fails.
    pub fn digest(&mut self, digest: &Digest, message: &[u8], out: &mut [u8]) -> Result<()> {
        let f = &self.lib.f;
        // SAFETY: context and method live; the library reads and writes the given lengths.
        let done = unsafe {
            (f.EVP_DigestInit_ex2)(self.raw.as_ptr(), digest.raw.as_ptr(), ptr::null()) == 1
                && (f.EVP_DigestUpdate)(self.raw.as_ptr(), message.as_ptr().cast(), message.len()) == 1
                && (f.EVP_DigestFinalXOF)(self.raw.as_ptr(), out.as_mut_ptr(), out.len()) == 1
        };
        if done { Ok(()) } else { Err(self.lib.failure(Fault::Provider, "hashing")) }
    }
}

impl MessageContext {
    /// A context that signs with `key`.
    ///
    /// # Errors
    /// [`Fault::Provider`] when the library cannot.
    pub fn signing(context: &Context, key: &Key) -> Result<Self> {
        let this = Self::empty(context)?;
        // SAFETY: all objects live; no digest is named; the context counts the key.
        let code = unsafe {
            (this.lib.f.EVP_DigestSignInit_ex)(
                this.raw.as_ptr(),
                ptr::null_mut(),
                ptr::null(),
                context.raw(),
                context.query(),
                key.raw.as_ptr(),
                ptr::null(),
            )
        };
        this.ready(code)
    }

    /// A context that verifies with `key`.
    ///
    /// # Errors
    /// [`Fault::Provider`] when the library cannot.
    pub fn verification(context: &Context, key: &Key) -> Result<Self> {
        let this = Self::empty(context)?;
        // SAFETY: as for signing.
        let code = unsafe {
            (this.lib.f.EVP_DigestVerifyInit_ex)(
                this.raw.as_ptr(),
                ptr::null_mut(),
                ptr::null(),
                context.raw(),
                context.query(),
                key.raw.as_ptr(),
                ptr::null(),
            )
        };
        this.ready(code)
    }

    fn empty(context: &Context) -> Result<Self> {
        // SAFETY: takes nothing.
        Self::own(context.lib, unsafe { (context.lib.f.EVP_MD_CTX_new)() }, "EVP_MD_CTX_new")
    }

    fn ready(self, code: c_int) -> Result<Self> {
        if code > 0 { Ok(self) } else { Err(self.lib.failure(Fault::Provider, "preparing a signature context")) }
    }

    /// Signs; the signature's length. `again` starts the context anew first, which OpenSSL since 3.2 wants.
    ///
    /// # Errors
    /// [`Fault::Provider`] when the library fails.
    pub fn sign(&mut self, again: bool, message: &[u8], out: &mut [u8]) -> Result<usize> {
        let f = &self.lib.f;
        let mut len = out.len();
        // SAFETY: nulls start the context anew with its key; the library writes at most the given length.
        let done = unsafe {
            (!again
                || (f.EVP_DigestSignInit)(
                    self.raw.as_ptr(),
                    ptr::null_mut(),
                    ptr::null(),
                    ptr::null_mut(),
                    ptr::null_mut(),
                ) > 0)
                && (f.EVP_DigestSign)(self.raw.as_ptr(), out.as_mut_ptr(), &mut len, message.as_ptr(), message.len())
                    > 0
        };
        if done && len <= out.len() { Ok(len) } else { Err(self.lib.failure(Fault::Provider, "signing")) }
    }

    /// Whether the signature is valid. `again` as for [`MessageContext::sign`].
    ///
    /// # Errors
    /// [`Fault::Provider`] when the library could not tell.
    pub fn verify(&mut self, again: bool, message: &[u8], signature: &[u8]) -> Result<bool> {
        let f = &self.lib.f;
        if again {
            // SAFETY: nulls start the context anew with its key.
            let code = unsafe {
                (f.EVP_DigestVerifyInit)(
                    self.raw.as_ptr(),
                    ptr::null_mut(),
                    ptr::null(),
                    ptr::null_mut(),
                    ptr::null_mut(),
                )
            };
            if code <= 0 {
                return Err(self.lib.failure(Fault::Provider, "preparing a signature context"));
            }
        }
        // SAFETY: the library reads the given lengths.
        let code = unsafe {
            (f.EVP_DigestVerify)(
                self.raw.as_ptr(),
                signature.as_ptr(),
                signature.len(),
                message.as_ptr(),
                message.len(),
            )
        };
        self.lib.verdict(code)
    }
}
