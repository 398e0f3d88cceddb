//! Operations on asymmetric keys (`EVP_PKEY_CTX`).

use super::context::Context;
use super::functions::EVP_PKEY;
use super::key::{Key, Selection};
use super::owner;
use super::params::Params;
use crate::error::{Error, Fault, Result};
use std::ffi::{CStr, c_int};
use std::ptr;

owner! {
    /// A context for one kind of operation. It is prepared once by an `…_init` and then used again and again.
    KeyContext, EVP_PKEY_CTX, EVP_PKEY_CTX_free
}

owner! {
    /// A fetched signature method.
    SignatureMethod, EVP_SIGNATURE, EVP_SIGNATURE_free
}

// SAFETY: fetched methods are counted and do not change (openssl-threads(7)).
unsafe impl Sync for SignatureMethod {}

impl SignatureMethod {
    /// None when the library has no such method with the context's properties.
    pub fn fetch(context: &Context, name: &CStr) -> Option<Self> {
        let lib = context.lib;
        // SAFETY: context and strings live.
        let raw = unsafe { (lib.f.EVP_SIGNATURE_fetch)(context.raw(), name.as_ptr(), context.query()) };
        context.forgive(!raw.is_null());
        ptr::NonNull::new(raw).map(|raw| Self { lib, raw })
    }
}

/// What a peer key or a signature turned out to be.
fn positive(code: c_int) -> bool {
    code > 0
}

impl KeyContext {
    /// A context for making or importing keys of a kind (`ML-KEM-768`, `EC`).
    ///
    /// # Errors
    /// [`Fault::Provider`] when the library does not know the kind.
    pub fn of_kind(context: &Context, kind: &CStr) -> Result<Self> {
        let lib = context.lib;
        // SAFETY: context and strings live.
        let raw = unsafe { (lib.f.EVP_PKEY_CTX_new_from_name)(context.raw(), kind.as_ptr(), context.query()) };
        Self::own(lib, raw, "EVP_PKEY_CTX_new_from_name")
    }

    /// A context for operations with a key.
    ///
    /// # Errors
    /// [`Fault::Provider`] when memory is short.
    pub fn of_key(context: &Context, key: &Key) -> Result<Self> {
        let lib = context.lib;
        // SAFETY: context, key and string live; the new object counts the key.
        let raw = unsafe { (lib.f.EVP_PKEY_CTX_new_from_pkey)(context.raw(), key.raw.as_ptr(), context.query()) };
        Self::own(lib, raw, "EVP_PKEY_CTX_new_from_pkey")
    }

    fn must(&self, code: c_int, what: &str) -> Result<()> {
        if positive(code) { Ok(()) } else { Err(self.lib.failure(Fault::Provider, what)) }
    }

    /// Sets parameters of the prepared operation.
    ///
    /// # Errors
    /// [`Fault::Provider`] when the library refuses them.
    pub fn set(&mut self, params: &Params<'_>) -> Result<()> {
        // SAFETY: the array is ended and its values live.
        let code = unsafe { (self.lib.f.EVP_PKEY_CTX_set_params)(self.raw.as_ptr(), params.as_ptr()) };
        self.must(code, "setting parameters")
    }

    /// Whether the prepared operation has a parameter of that name.
    pub fn knows(&self, name: &CStr) -> bool {
        // SAFETY: the array is static and ended by a null key; keys are strings.
        unsafe {
            let mut param = (self.lib.f.EVP_PKEY_CTX_settable_params)(self.raw.as_ptr());
            while !param.is_null() && !(*param).key.is_null() {
                if CStr::from_ptr((*param).key) == name {
                    return true;
                }
                param = param.add(1);
            }
        }
        false
    }

    /// Prepares key generation.
    ///
    /// # Errors
    /// [`Fault::Provider`] when the library cannot.
    pub fn prepare_generation(&mut self) -> Result<()> {
        // SAFETY: the context lives.
        let code = unsafe { (self.lib.f.EVP_PKEY_keygen_init)(self.raw.as_ptr()) };
        self.must(code, "EVP_PKEY_keygen_init")
    }

    /// Generates a key.
    ///
    /// # Errors
    /// [`Fault::Provider`] when the library fails.
    pub fn generate(&mut self) -> Result<Key> {
        let mut raw: *mut EVP_PKEY = ptr::null_mut();
        // SAFETY: a null pointer asks for a new key.
        let code = unsafe { (self.lib.f.EVP_PKEY_keygen)(self.raw.as_ptr(), &mut raw) };
        self.made(code, raw, Fault::Provider, "key generation")
    }

    /// Prepares imports.
    ///
    /// # Errors
    /// [`Fault::Provider`] when the library cannot.
    pub fn prepare_import(&mut self) -> Result<()> {
        // SAFETY: the context lives.
        let code = unsafe { (self.lib.f.EVP_PKEY_fromdata_init)(self.raw.as_ptr()) };
        self.must(code, "EVP_PKEY_fromdata_init")
    }

    /// Makes a key of its parts.
    ///
    /// # Errors
    /// [`Fault::Input`] when the parts are not a valid key.
    pub fn import(&mut self, selection: Selection, parts: &Params<'_>) -> Result<Key> {
        let mut raw: *mut EVP_PKEY = ptr::null_mut();
        // SAFETY: the array is ended and its values live; EVP_PKEY_fromdata reads it only, in spite of its type.
        let code = unsafe {
            (self.lib.f.EVP_PKEY_fromdata)(self.raw.as_ptr(), &mut raw, selection.bits(), parts.as_ptr().cast_mut())
        };
        self.made(code, raw, Fault::Input, "importing the key")
    }

    fn made(&self, code: c_int, raw: *mut EVP_PKEY, fault: Fault, what: &str) -> Result<Key> {
        let lib = self.lib;
        match ptr::NonNull::new(raw).map(|raw| Key { lib, raw }) {
            Some(key) if positive(code) => Ok(key),
            _ => Err(lib.failure(fault, what)),
        }
    }

    /// Validates the public key of the context (SP 800-56A section 5.6.2.3).
    ///
    /// # Errors
    /// [`Fault::Input`] when it is not valid.
    pub fn check_public(&mut self) -> Result<()> {
        // SAFETY: the context lives.
        let code = unsafe { (self.lib.f.EVP_PKEY_public_check)(self.raw.as_ptr()) };
        if positive(code) { Ok(()) } else { Err(self.lib.failure(Fault::Input, "validating the public key")) }
    }

    /// Prepares encapsulation.
    ///
    /// # Errors
    /// [`Fault::Provider`] when the library cannot.
    pub fn prepare_encapsulation(&mut self) -> Result<()> {
        // SAFETY: null means no parameters.
        let code = unsafe { (self.lib.f.EVP_PKEY_encapsulate_init)(self.raw.as_ptr(), ptr::null()) };
        self.must(code, "EVP_PKEY_encapsulate_init")
    }

    /// Encapsulates; both lengths must come out as given.
    ///
    /// # Errors
    /// [`Fault::Provider`] when the library fails.
    pub fn encapsulate(&mut self, ciphertext: &mut [u8], shared: &mut [u8]) -> Result<()> {
        let (mut ciphertext_len, mut shared_len) = (ciphertext.len(), shared.len());
        // SAFETY: the library writes at most the given lengths.
        let code = unsafe {
            (self.lib.f.EVP_PKEY_encapsulate)(
                self.raw.as_ptr(),
                ciphertext.as_mut_ptr(),
                &mut ciphertext_len,
                shared.as_mut_ptr(),
                &mut shared_len,
            )
        };
        if positive(code) && ciphertext_len == ciphertext.len() && shared_len == shared.len() {
            return Ok(());
        }
        Err(self.lib.failure(Fault::Provider, "encapsulation"))
    }

    /// Prepares decapsulation.
    ///
    /// # Errors
    /// [`Fault::Provider`] when the library cannot.
    pub fn prepare_decapsulation(&mut self) -> Result<()> {
        // SAFETY: null means no parameters.
        let code = unsafe { (self.lib.f.EVP_PKEY_decapsulate_init)(self.raw.as_ptr(), ptr::null()) };
        self.must(code, "EVP_PKEY_decapsulate_init")
    }

    /// Decapsulates.
    ///
    /// # Errors
    /// [`Fault::Provider`] when the library fails.
    pub fn decapsulate(&mut self, ciphertext: &[u8], shared: &mut [u8]) -> Result<()> {
        let mut shared_len = shared.len();
        // SAFETY: the library writes at most the given length.
        let code = unsafe {
            (self.lib.f.EVP_PKEY_decapsulate)(
                self.raw.as_ptr(),
                shared.as_mut_ptr(),
                &mut shared_len,
                ciphertext.as_ptr(),
                ciphertext.len(),
            )
        };
        if positive(code) && shared_len == shared.len() {
            return Ok(());
        }
        Err(self.lib.failure(Fault::Provider, "decapsulation"))
    }

    /// Prepares key agreement.
    ///
    /// # Errors
    /// [`Fault::Provider`] when the library cannot.
    pub fn prepare_agreement(&mut self) -> Result<()> {
        // SAFETY: the context lives.
        let code = unsafe { (self.lib.f.EVP_PKEY_derive_init)(self.raw.as_ptr()) };
        self.must(code, "EVP_PKEY_derive_init")
    }

    /// Sets the peer, which was validated when it was imported.
    ///
    /// # Errors
    /// [`Fault::Input`] when it does not fit the key.
    pub fn set_peer(&mut self, peer: &Key) -> Result<()> {
        // SAFETY: both live; the context counts the peer. 0: no second validation.
        let code = unsafe { (self.lib.f.EVP_PKEY_derive_set_peer_ex)(self.raw.as_ptr(), peer.raw.as_ptr(), 0) };
        if positive(code) { Ok(()) } else { Err(self.lib.failure(Fault::Input, "setting the peer's public key")) }
    }

    /// Derives the raw shared secret with the peer set before.
    ///
    /// # Errors
    /// [`Fault::Input`] when the result is not allowed, as for a peer of low order.
    pub fn derive(&mut self, shared: &mut [u8]) -> Result<()> {
        let mut len = shared.len();
        // SAFETY: the library writes at most the given length.
        let code = unsafe { (self.lib.f.EVP_PKEY_derive)(self.raw.as_ptr(), shared.as_mut_ptr(), &mut len) };
        if positive(code) && len == shared.len() {
            return Ok(());
        }
        Err(self.lib.failure(Fault::Input, "key agreement"))
    }

    /// Prepares signing of digests, or of messages when a method is given.
    ///
    /// # Errors
    /// [`Fault::Provider`] when the library cannot.
    pub fn prepare_signing(&mut self, messages: Option<&SignatureMethod>) -> Result<()> {
        let f = &self.lib.f;
        // SAFETY: context and method live; null means no parameters.
        let code = unsafe {
            match (messages, f.EVP_PKEY_sign_message_init) {
                (None, _) => (f.EVP_PKEY_sign_init)(self.raw.as_ptr()),
                (Some(method), Some(init)) => init(self.raw.as_ptr(), method.raw.as_ptr(), ptr::null()),
                (Some(_), None) => return Err(too_old()),
            }
        };
        self.must(code, "preparing to sign")
    }

    /// Signs; the signature's length.
    ///
    /// # Errors
    /// [`Fault::Provider`] when the library fails.
    pub fn sign(&mut self, message: &[u8], out: &mut [u8]) -> Result<usize> {
        let mut len = out.len();
        // SAFETY: the library writes at most the given length.
        let code = unsafe {
            (self.lib.f.EVP_PKEY_sign)(self.raw.as_ptr(), out.as_mut_ptr(), &mut len, message.as_ptr(), message.len())
        };
        if positive(code) && len <= out.len() {
            return Ok(len);
        }
        Err(self.lib.failure(Fault::Provider, "signing"))
    }

    /// Prepares verification of digests, or of messages when a method is given.
    ///
    /// # Errors
    /// [`Fault::Provider`] when the library cannot.
    pub fn prepare_verification(&mut self, messages: Option<&SignatureMethod>) -> Result<()> {
        let f = &self.lib.f;
        // SAFETY: as for signing.
        let code = unsafe {
            match (messages, f.EVP_PKEY_verify_message_init) {
                (None, _) => (f.EVP_PKEY_verify_init)(self.raw.as_ptr()),
                (Some(method), Some(init)) => init(self.raw.as_ptr(), method.raw.as_ptr(), ptr::null()),
                (Some(_), None) => return Err(too_old()),
            }
        };
        self.must(code, "preparing to verify")
    }

    /// Whether the signature is valid.
    ///
    /// # Errors
    /// [`Fault::Provider`] when the library could not tell.
    pub fn verify(&mut self, message: &[u8], signature: &[u8]) -> Result<bool> {
        // SAFETY: the library reads the given lengths.
        let code = unsafe {
            (self.lib.f.EVP_PKEY_verify)(
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

fn too_old() -> Error {
    Error::unsupported("this OpenSSL has no EVP_PKEY_sign_message_init")
        .with_hint("OpenSSL 3.5 or newer has ML-DSA and SLH-DSA; `pqlab bundle build openssl@3.5.5` makes one")
}
