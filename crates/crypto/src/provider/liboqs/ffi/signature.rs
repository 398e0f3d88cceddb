//! `OQS_SIG` (`src/sig/sig.h` of liboqs).

use super::{
    Api, Count, EXTERNAL_LIBRARY_ERROR, Enabled, Identifier, Symbols, c_string, check, exact, names, no_object,
    own_texts, wrong_length,
};
use crate::error::{Error, Fault, Result};
use std::ffi::{c_char, c_int};
use std::mem::{offset_of, size_of};
use std::ptr::NonNull;

/// Longest context string (FIPS 204 section 5.2, FIPS 205 section 10.2).
const MAX_CONTEXT: usize = 255;

/// Front of `OQS_SIG`. Between the level and the lengths stand two flags in 0.12 and three from 0.13 on; both end
/// before the lengths' alignment, so the lengths do not move. The flags are not read.
#[repr(C)]
struct Head {
    method_name: *const c_char,
    alg_version: *const c_char,
    claimed_nist_level: u8,
    flags: [u8; 3],
    length_public_key: usize,
    length_secret_key: usize,
    length_signature: usize,
}

const _: () = assert!(offset_of!(Head, length_public_key) == 3 * size_of::<usize>());

type New = unsafe extern "C" fn(*const c_char) -> *mut Head;
type Keypair = unsafe extern "C" fn(*const Head, *mut u8, *mut u8) -> c_int;
type Sign = unsafe extern "C" fn(*const Head, *mut u8, *mut usize, *const u8, usize, *const u8) -> c_int;
type SignContext =
    unsafe extern "C" fn(*const Head, *mut u8, *mut usize, *const u8, usize, *const u8, usize, *const u8) -> c_int;
type Verify = unsafe extern "C" fn(*const Head, *const u8, usize, *const u8, usize, *const u8) -> c_int;
type VerifyContext =
    unsafe extern "C" fn(*const Head, *const u8, usize, *const u8, usize, *const u8, usize, *const u8) -> c_int;
type SupportsContext = unsafe extern "C" fn(*const c_char) -> bool;

/// The functions for signatures of one loaded library.
pub(super) struct Functions {
    count: Count,
    identifier: Identifier,
    enabled: Enabled,
    new: New,
    keypair: Keypair,
    sign: Sign,
    verify: Verify,
    /// From 0.12 on.
    sign_context: Option<SignContext>,
    /// From 0.12 on.
    verify_context: Option<VerifyContext>,
    /// From 0.14 on.
    supports_context: Option<SupportsContext>,
}

impl Functions {
    pub(super) fn find(symbols: &Symbols) -> Result<Self> {
        // SAFETY: each name is declared in `sig.h` with the type of its field (0.12 to 0.16).
        unsafe {
            Ok(Self {
                count: symbols.required("OQS_SIG_alg_count")?,
                identifier: symbols.required("OQS_SIG_alg_identifier")?,
                enabled: symbols.required("OQS_SIG_alg_is_enabled")?,
                new: symbols.required("OQS_SIG_new")?,
                keypair: symbols.required("OQS_SIG_keypair")?,
                sign: symbols.required("OQS_SIG_sign")?,
                verify: symbols.required("OQS_SIG_verify")?,
                sign_context: symbols.optional("OQS_SIG_sign_with_ctx_str"),
                verify_context: symbols.optional("OQS_SIG_verify_with_ctx_str"),
                supports_context: symbols.optional("OQS_SIG_supports_ctx_str"),
            })
        }
    }

    /// Names of all enabled signature schemes, in the library's order.
    pub(super) fn names(&self) -> Vec<String> {
        // SAFETY: the three functions belong together.
        unsafe { names(self.count, self.identifier, self.enabled) }
    }
}

/// What an object says of itself; `signature` is the largest length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct SignatureLengths {
    pub(in super::super) public: usize,
    pub(in super::super) secret: usize,
    pub(in super::super) signature: usize,
}

/// One `OQS_SIG`, never freed.
pub(in super::super) struct SignatureObject {
    api: &'static Api,
    object: NonNull<Head>,
    /// The library's own name.
    pub(in super::super) name: String,
    /// The library's own words for which edition of the algorithm this is.
    pub(in super::super) edition: String,
    /// NIST category claimed in the submission.
    pub(in super::super) level: u8,
    pub(in super::super) lengths: SignatureLengths,
    /// Whether signatures may be shorter than `lengths.signature`.
    varies: bool,
}

// SAFETY: as for `KemObject`.
unsafe impl Send for SignatureObject {}
// SAFETY: as for `KemObject`.
unsafe impl Sync for SignatureObject {}

impl SignatureObject {
    /// `OQS_SIG_new(name)`.
    ///
    /// # Errors
    /// [`Fault::Environment`] when the library refuses or the object does not carry the name asked for.
    pub(in super::super) fn new(api: &'static Api, name: &str) -> Result<Self> {
        let c_name = c_string(name)?;
        // SAFETY: a NUL-terminated name; the result is null or a new object.
        let object =
            NonNull::new(unsafe { (api.signature.new)(c_name.as_ptr()) }).ok_or_else(|| no_object("SIG", name))?;
        // SAFETY: the object is an `OQS_SIG`, whose front is `Head` in all versions from 0.12 to 0.16.
        let head = unsafe { object.as_ref() };
        // SAFETY: both pointers are string literals of the library.
        let edition = unsafe { own_texts("SIG", name, head.method_name, head.alg_version) }?;
        let lengths = SignatureLengths {
            public: head.length_public_key,
            secret: head.length_secret_key,
            signature: head.length_signature,
        };
        let varies = matches!(name, "Falcon-512" | "Falcon-1024");
        Ok(Self { api, object, name: name.to_owned(), edition, level: head.claimed_nist_level, lengths, varies })
    }

    /// `OQS_SIG_supports_ctx_str` (0.14 and newer); none where the library cannot be asked. `Some(false)` also where
    /// it has no function to sign with a context.
    pub(in super::super) fn supports_context(&self) -> Option<bool> {
        if self.api.signature.sign_context.is_none() || self.api.signature.verify_context.is_none() {
            return Some(false);
        }
        let name = c_string(&self.name).ok()?;
        // SAFETY: a NUL-terminated name.
        self.api.signature.supports_context.map(|supports| unsafe { supports(name.as_ptr()) })
    }

    /// `OQS_SIG_keypair`.
    pub(in super::super) fn keypair(&self, public: &mut [u8], secret: &mut [u8]) -> Result<()> {
        exact(Fault::Usage, &self.name, "public key", public, self.lengths.public)?;
        exact(Fault::Usage, &self.name, "private key", secret, self.lengths.secret)?;
        // SAFETY: the object is live, the buffers have the lengths it states.
        let status =
            unsafe { (self.api.signature.keypair)(self.object.as_ptr(), public.as_mut_ptr(), secret.as_mut_ptr()) };
        check(status, &self.name, "OQS_SIG_keypair")
    }

    /// `OQS_SIG_sign`, or `OQS_SIG_sign_with_ctx_str` where the context is not empty. Returns the signature's length.
    pub(in super::super) fn sign(
        &self,
        secret: &[u8],
        message: &[u8],
        context: &[u8],
        out: &mut [u8],
    ) -> Result<usize> {
        exact(Fault::Input, &self.name, "private key", secret, self.lengths.secret)?;
        if out.len() < self.lengths.signature {
            return Err(wrong_length(Fault::Usage, &self.name, "signature buffer", out.len(), self.lengths.signature));
        }
        let mut written = self.lengths.signature;
        let status = if context.is_empty() {
            // SAFETY: the object is live; `out` has at least the largest signature's length, `secret` exactly its own.
            unsafe {
                (self.api.signature.sign)(
                    self.object.as_ptr(),
                    out.as_mut_ptr(),
                    &mut written,
                    message.as_ptr(),
                    message.len(),
                    secret.as_ptr(),
                )
            }
        } else {
            let function = self.with_context(self.api.signature.sign_context, context)?;
            // SAFETY: as above; the context's length is given with it.
            unsafe {
                function(
                    self.object.as_ptr(),
                    out.as_mut_ptr(),
                    &mut written,
                    message.as_ptr(),
                    message.len(),
                    context.as_ptr(),
                    context.len(),
                    secret.as_ptr(),
                )
            }
        };
        check(status, &self.name, "OQS_SIG_sign")?;
        if !self.length_may_be(written) {
            return Err(Error::provider(format!(
                "{}: OQS_SIG_sign gave {written} bytes, expected {}",
                self.name, self.lengths.signature
            )));
        }
        Ok(written)
    }

    /// `OQS_SIG_verify`, or `OQS_SIG_verify_with_ctx_str` where the context is not empty. A signature of a length that
    /// cannot be is not shown to the library: some schemes read their full length whatever they are told.
    pub(in super::super) fn verify(
        &self,
        public: &[u8],
        message: &[u8],
        context: &[u8],
        signature: &[u8],
    ) -> Result<bool> {
        exact(Fault::Input, &self.name, "public key", public, self.lengths.public)?;
        if !self.length_may_be(signature.len()) {
            return Ok(false);
        }
        let status = if context.is_empty() {
            // SAFETY: the object is live; `public` has the length it states; the other lengths are given.
            unsafe {
                (self.api.signature.verify)(
                    self.object.as_ptr(),
                    message.as_ptr(),
                    message.len(),
                    signature.as_ptr(),
                    signature.len(),
                    public.as_ptr(),
                )
            }
        } else {
            let function = self.with_context(self.api.signature.verify_context, context)?;
            // SAFETY: as above; the context's length is given with it.
            unsafe {
                function(
                    self.object.as_ptr(),
                    message.as_ptr(),
                    message.len(),
                    signature.as_ptr(),
                    signature.len(),
                    context.as_ptr(),
                    context.len(),
                    public.as_ptr(),
                )
            }
        };
        match status {
            0 => Ok(true),
            EXTERNAL_LIBRARY_ERROR => check(status, &self.name, "OQS_SIG_verify").map(|()| false),
            _ => Ok(false),
        }
    }

    /// Signatures of unpadded Falcon vary in length and its verification heeds the length given; all others of liboqs
    /// 0.12 to 0.16 have one length.
    #[inline]
    fn length_may_be(&self, length: usize) -> bool {
        length == self.lengths.signature || (self.varies && length < self.lengths.signature)
    }

    fn with_context<F>(&self, function: Option<F>, context: &[u8]) -> Result<F> {
        if context.len() > MAX_CONTEXT {
            return Err(Error::usage(format!(
                "{}: a context has at most {MAX_CONTEXT} bytes, this one {}",
                self.name,
                context.len()
            )));
        }
        function.ok_or_else(|| Error::unsupported("this liboqs has no signing with a context string"))
    }
}
