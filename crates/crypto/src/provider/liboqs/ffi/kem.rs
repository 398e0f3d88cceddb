//! `OQS_KEM` (`src/kem/kem.h` of liboqs).

use super::{Api, Count, Enabled, Identifier, Symbols, c_string, check, exact, names, no_object, own_texts};
use crate::error::{Error, Fault, Result};
use std::ffi::{c_char, c_int};
use std::mem::{offset_of, size_of};
use std::ptr::NonNull;

/// Length of d ‖ z (FIPS 203 Algorithm 16).
pub(in super::super) const ML_KEM_SEED: usize = 64;
/// Length of m (FIPS 203 Algorithm 17).
pub(in super::super) const ML_KEM_COINS: usize = 32;

/// Front of `OQS_KEM`.
#[repr(C)]
struct Head {
    method_name: *const c_char,
    alg_version: *const c_char,
    claimed_nist_level: u8,
    ind_cca: u8,
    length_public_key: usize,
    length_secret_key: usize,
    length_ciphertext: usize,
    length_shared_secret: usize,
}

const _: () = assert!(offset_of!(Head, length_public_key) == 3 * size_of::<usize>());

type New = unsafe extern "C" fn(*const c_char) -> *mut Head;
type Keypair = unsafe extern "C" fn(*const Head, *mut u8, *mut u8) -> c_int;
type KeypairDerand = unsafe extern "C" fn(*const Head, *mut u8, *mut u8, *const u8) -> c_int;
type Encaps = unsafe extern "C" fn(*const Head, *mut u8, *mut u8, *const u8) -> c_int;
type EncapsDerand = unsafe extern "C" fn(*const Head, *mut u8, *mut u8, *const u8, *const u8) -> c_int;
type Decaps = unsafe extern "C" fn(*const Head, *mut u8, *const u8, *const u8) -> c_int;

/// The functions for KEMs of one loaded library.
pub(super) struct Functions {
    count: Count,
    identifier: Identifier,
    enabled: Enabled,
    new: New,
    keypair: Keypair,
    /// From 0.13 on.
    keypair_derand: Option<KeypairDerand>,
    encaps: Encaps,
    /// From 0.15 on.
    encaps_derand: Option<EncapsDerand>,
    decaps: Decaps,
}

impl Functions {
    pub(super) fn find(symbols: &Symbols) -> Result<Self> {
        // SAFETY: each name is declared in `kem.h` with the type of its field (0.12 to 0.16).
        unsafe {
            Ok(Self {
                count: symbols.required("OQS_KEM_alg_count")?,
                identifier: symbols.required("OQS_KEM_alg_identifier")?,
                enabled: symbols.required("OQS_KEM_alg_is_enabled")?,
                new: symbols.required("OQS_KEM_new")?,
                keypair: symbols.required("OQS_KEM_keypair")?,
                keypair_derand: symbols.optional("OQS_KEM_keypair_derand"),
                encaps: symbols.required("OQS_KEM_encaps")?,
                encaps_derand: symbols.optional("OQS_KEM_encaps_derand"),
                decaps: symbols.required("OQS_KEM_decaps")?,
            })
        }
    }

    /// Names of all enabled KEMs, in the library's order.
    pub(super) fn names(&self) -> Vec<String> {
        // SAFETY: the three functions belong together.
        unsafe { names(self.count, self.identifier, self.enabled) }
    }
}

/// What an object says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct KemLengths {
    pub(in super::super) public: usize,
    pub(in super::super) secret: usize,
    pub(in super::super) ciphertext: usize,
    pub(in super::super) shared: usize,
}

/// One `OQS_KEM`, never freed.
pub(in super::super) struct KemObject {
    api: &'static Api,
    object: NonNull<Head>,
    /// The library's own name.
    pub(in super::super) name: String,
    /// The library's own words for which edition of the algorithm this is.
    pub(in super::super) edition: String,
    /// NIST category claimed in the submission.
    pub(in super::super) level: u8,
    pub(in super::super) lengths: KemLengths,
}

// SAFETY: after construction liboqs only reads the object (it holds names, lengths and function pointers), and its
// operations keep no state between calls, so any thread may use it at any time.
unsafe impl Send for KemObject {}
// SAFETY: as above.
unsafe impl Sync for KemObject {}

impl KemObject {
    /// `OQS_KEM_new(name)`.
    ///
    /// # Errors
    /// [`Fault::Environment`] when the library refuses or the object does not carry the name asked for.
    pub(in super::super) fn new(api: &'static Api, name: &str) -> Result<Self> {
        let c_name = c_string(name)?;
        // SAFETY: a NUL-terminated name; the result is null or a new object.
        let object = NonNull::new(unsafe { (api.kem.new)(c_name.as_ptr()) }).ok_or_else(|| no_object("KEM", name))?;
        // SAFETY: the object is an `OQS_KEM`, whose front is `Head` in all versions from 0.12 to 0.16.
        let head = unsafe { object.as_ref() };
        // SAFETY: both pointers are string literals of the library.
        let edition = unsafe { own_texts("KEM", name, head.method_name, head.alg_version) }?;
        let lengths = KemLengths {
            public: head.length_public_key,
            secret: head.length_secret_key,
            ciphertext: head.length_ciphertext,
            shared: head.length_shared_secret,
        };
        Ok(Self { api, object, name: name.to_owned(), edition, level: head.claimed_nist_level, lengths })
    }

    /// `OQS_KEM_keypair`.
    pub(in super::super) fn keypair(&self, public: &mut [u8], secret: &mut [u8]) -> Result<()> {
        self.exact(Fault::Usage, "public key", public, self.lengths.public)?;
        self.exact(Fault::Usage, "private key", secret, self.lengths.secret)?;
        // SAFETY: the object is live, the buffers have the lengths it states.
        let status = unsafe { (self.api.kem.keypair)(self.object.as_ptr(), public.as_mut_ptr(), secret.as_mut_ptr()) };
        check(status, &self.name, "OQS_KEM_keypair")
    }

    /// `OQS_KEM_keypair_derand` of ML-KEM with seed d ‖ z (FIPS 203 Algorithm 16).
    pub(in super::super) fn keypair_derand(
        &self,
        public: &mut [u8],
        secret: &mut [u8],
        seed: &[u8; ML_KEM_SEED],
    ) -> Result<()> {
        self.exact(Fault::Usage, "public key", public, self.lengths.public)?;
        self.exact(Fault::Usage, "private key", secret, self.lengths.secret)?;
        let Some(function) = self.api.kem.keypair_derand.filter(|_| self.is_ml_kem()) else {
            return Err(self.not_offered("seeded key generation", "0.13"));
        };
        // SAFETY: as in `keypair`; this is ML-KEM, which reads 64 bytes of seed.
        let status = unsafe { function(self.object.as_ptr(), public.as_mut_ptr(), secret.as_mut_ptr(), seed.as_ptr()) };
        check(status, &self.name, "OQS_KEM_keypair_derand")
    }

    /// `OQS_KEM_encaps`.
    pub(in super::super) fn encaps(&self, public: &[u8], ciphertext: &mut [u8], shared: &mut [u8]) -> Result<()> {
        self.exact(Fault::Input, "public key", public, self.lengths.public)?;
        self.exact(Fault::Usage, "ciphertext buffer", ciphertext, self.lengths.ciphertext)?;
        self.exact(Fault::Usage, "shared secret buffer", shared, self.lengths.shared)?;
        // SAFETY: the object is live, the buffers have the lengths it states.
        let status = unsafe {
            (self.api.kem.encaps)(self.object.as_ptr(), ciphertext.as_mut_ptr(), shared.as_mut_ptr(), public.as_ptr())
        };
        check(status, &self.name, "OQS_KEM_encaps")
    }

    /// `OQS_KEM_encaps_derand` of ML-KEM with randomness m (FIPS 203 Algorithm 17).
    pub(in super::super) fn encaps_derand(
        &self,
        public: &[u8],
        coins: &[u8; ML_KEM_COINS],
        ciphertext: &mut [u8],
        shared: &mut [u8],
    ) -> Result<()> {
        self.exact(Fault::Input, "public key", public, self.lengths.public)?;
        self.exact(Fault::Usage, "ciphertext buffer", ciphertext, self.lengths.ciphertext)?;
        self.exact(Fault::Usage, "shared secret buffer", shared, self.lengths.shared)?;
        let Some(function) = self.api.kem.encaps_derand.filter(|_| self.is_ml_kem()) else {
            return Err(self.not_offered("derandomised encapsulation", "0.15"));
        };
        // SAFETY: as in `encaps`; this is ML-KEM, which reads 32 bytes of randomness.
        let status = unsafe {
            function(
                self.object.as_ptr(),
                ciphertext.as_mut_ptr(),
                shared.as_mut_ptr(),
                public.as_ptr(),
                coins.as_ptr(),
            )
        };
        check(status, &self.name, "OQS_KEM_encaps_derand")
    }

    /// `OQS_KEM_decaps`.
    pub(in super::super) fn decaps(&self, secret: &[u8], ciphertext: &[u8], shared: &mut [u8]) -> Result<()> {
        self.exact(Fault::Input, "private key", secret, self.lengths.secret)?;
        self.exact(Fault::Input, "ciphertext", ciphertext, self.lengths.ciphertext)?;
        self.exact(Fault::Usage, "shared secret buffer", shared, self.lengths.shared)?;
        // SAFETY: the object is live, the buffers have the lengths it states.
        let status = unsafe {
            (self.api.kem.decaps)(self.object.as_ptr(), shared.as_mut_ptr(), ciphertext.as_ptr(), secret.as_ptr())
        };
        check(status, &self.name, "OQS_KEM_decaps")
    }

    /// The lengths of seed and randomness are those of FIPS 203, so only ML-KEM may be given them.
    fn is_ml_kem(&self) -> bool {
        self.name.starts_with("ML-KEM-")
    }

    #[cold]
    fn not_offered(&self, what: &str, since: &str) -> Error {
        Error::unsupported(format!("{}: this liboqs has no {what} (ML-KEM has it from liboqs {since} on)", self.name))
    }

    fn exact(&self, fault: Fault, what: &str, bytes: &[u8], expected: usize) -> Result<()> {
        exact(fault, &self.name, what, bytes, expected)
    }
}
