//! One loaded libcrypto: its symbols, what it says of itself, its error queue.

use super::functions::Functions;
use crate::error::{Error, Fault, Result};
use std::ffi::{CStr, c_char, c_int};
use std::mem::ManuallyDrop;
use std::path::Path;
use std::ptr;

/// A libcrypto of OpenSSL ≥ 3.0, loaded for the rest of the process's life.
pub struct Libcrypto {
    pub(super) f: Functions,
}

/// `OPENSSL_VERSION` of OpenSSL_version(3): name, version, date.
const VERSION: c_int = 0;
/// `OPENSSL_CFLAGS`: compiler and flags.
const CFLAGS: c_int = 1;
/// `OPENSSL_FULL_VERSION_STRING`: number, pre-release and build metadata.
const FULL_VERSION: c_int = 7;
/// `OPENSSL_INFO_CPU_SETTINGS` of OPENSSL_info(3).
const CPU_SETTINGS: c_int = 1008;

/// `OPENSSL_INIT_NO_LOAD_CONFIG`: the host's `openssl.cnf` must not change what is measured.
const NO_LOAD_CONFIG: u64 = 0x0000_0080;
/// `OPENSSL_INIT_NO_ATEXIT`: no cleanup while other threads may still run; the system takes the memory back.
const NO_ATEXIT: u64 = 0x0008_0000;

/// Reasons that say that the library did not look at the signature.
const BROKEN: [&str; 4] = ["error state", "malloc failure", "operation not initialized", "no key set"];

impl Libcrypto {
    /// Loads the shared library with all its symbols bound and none of them visible to others, and never unloads it.
    ///
    /// # Errors
    /// [`Fault::Environment`] when it is no shared library, no libcrypto, or older than OpenSSL 3.0.
    pub fn load(path: &Path) -> Result<&'static Self> {
        // A library with thread-local destructors and exit handlers cannot be unloaded safely.
        let library = ManuallyDrop::new(open(path)?);
        let named = path.display();
        // SAFETY: `OpenSSL_version` has had this type since OpenSSL 1.1.0, and in its forks.
        let version = unsafe { library.get::<unsafe extern "C" fn(c_int) -> *const c_char>("OpenSSL_version") }
            .map_err(|_| {
                Error::environment(format!("{named} is not a libcrypto: it has no symbol OpenSSL_version"))
                    .with_hint("give the path of libcrypto.so.3, not of libssl or of another library")
            })?;
        // SAFETY: the function takes any number and returns a static string.
        let name = unsafe { text(version(VERSION)) }.unwrap_or_else(|| "a library without a version".to_owned());
        // SAFETY: OpenSSL_version was found, so this is a libcrypto; the required symbols exist together only from
        // OpenSSL 3.0 on, whose declarations are those of the table. The library is never dropped.
        let f = unsafe { Functions::resolve(&library) }.map_err(|missing| {
            Error::environment(format!("{named} is {name}, which lacks {missing} of OpenSSL 3.0"))
                .with_hint("OpenSSL 3.0 or newer is needed; `pqlab bundle build openssl@3.5.5` makes one")
        })?;
        let this: &'static Self = Box::leak(Box::new(Self { f }));
        // SAFETY: the flags are defined since 3.0, no settings are given.
        if unsafe { (this.f.OPENSSL_init_crypto)(NO_LOAD_CONFIG | NO_ATEXIT, ptr::null()) } != 1 {
            return Err(this.failure(Fault::Environment, &format!("initialisation of {named}")));
        }
        Ok(this)
    }

    /// The version as the library tells it, e.g. `3.5.5` or `4.0.0-beta1`. Build metadata (`+quic`) is left out: a plus
    /// marks the variant in a provider's name.
    pub fn version(&self) -> String {
        let full = self.text(FULL_VERSION).unwrap_or_default();
        full.split('+').next().unwrap_or_default().to_owned()
    }

    /// Compiler and flags of the build.
    pub fn flags(&self) -> Option<String> {
        let text = self.text(CFLAGS)?;
        Some(text.strip_prefix("compiler: ").map_or(text.clone(), str::to_owned))
    }

    /// Whether a context that signed one message must be started anew for the next one. 3.0 needs no new start, and its
    /// `speed` makes none.
    pub fn restarts_messages(&self) -> bool {
        !self.version().starts_with("3.0.")
    }

    fn text(&self, which: c_int) -> Option<String> {
        // SAFETY: any number is allowed; the result is a static string.
        unsafe { text((self.f.OpenSSL_version)(which)) }
    }

    /// The processor capabilities that the assembly dispatches on, e.g. `OPENSSL_ia32cap=0x…`; none where it does not.
    pub fn cpu_settings(&self) -> Option<String> {
        // SAFETY: as above; null where unknown.
        unsafe { text((self.f.OPENSSL_info)(CPU_SETTINGS)) }
    }

    /// Whether EVP_PKEY_sign_message_init exists (3.4), which ML-DSA and SLH-DSA need.
    pub fn signs_messages(&self) -> bool {
        self.f.EVP_PKEY_sign_message_init.is_some() && self.f.EVP_PKEY_verify_message_init.is_some()
    }

    /// An error of the given kind: what failed, then the reasons in OpenSSL's queue, which is emptied.
    #[cold]
    pub fn failure(&self, fault: Fault, what: &str) -> Error {
        let reasons = self.take_reasons();
        if reasons.is_empty() {
            Error::new(fault, format!("{what} failed; OpenSSL gives no reason"))
        } else {
            Error::new(fault, format!("{what} failed: {}", reasons.join("; ")))
        }
    }

    /// Empties this thread's error queue; the reasons, the first cause first.
    #[cold]
    pub fn take_reasons(&self) -> Vec<String> {
        let mut reasons = Vec::new();
        loop {
            let mut data: *const c_char = ptr::null();
            let mut flags: c_int = 0;
            // SAFETY: null is allowed for what is not wanted; `data` points into the queue until the next entry is
            // added by this thread, and is copied before.
            let (code, data) = unsafe {
                let code = (self.f.ERR_get_error_all)(
                    ptr::null_mut(),
                    ptr::null_mut(),
                    ptr::null_mut(),
                    &mut data,
                    &mut flags,
                );
                (code, text(data))
            };
            if code == 0 {
                return reasons;
            }
            let reason = self.reason(code);
            let line = match data.filter(|d| !d.is_empty()) {
                Some(data) => format!("{reason} ({data})"),
                None => reason,
            };
            if !reasons.contains(&line) {
                reasons.push(line);
            }
        }
    }

    /// Empties this thread's error queue.
    #[cold]
    pub fn discard_reasons(&self) {
        // SAFETY: takes nothing, touches this thread's queue only.
        unsafe { (self.f.ERR_clear_error)() }
    }

    /// What a verification returned. Malformed signatures come back as errors from some algorithms and as 0 from others;
    /// both mean that the signature is not valid. A module that refuses to work is something else.
    pub(super) fn verdict(&self, code: c_int) -> Result<bool> {
        if code == 1 {
            return Ok(true);
        }
        let reasons = self.take_reasons();
        // −2: operation not supported for this key type (EVP_PKEY_verify(3)).
        let broken = |reason: &String| BROKEN.iter().any(|word| reason.contains(word));
        if code == -2 || reasons.iter().any(broken) {
            return Err(Error::provider(format!("verification failed: {}", reasons.join("; "))));
        }
        Ok(false)
    }

    fn reason(&self, code: std::ffi::c_ulong) -> String {
        // SAFETY: any code is allowed; the result is a static string or null.
        if let Some(reason) = unsafe { text((self.f.ERR_reason_error_string)(code)) } {
            return reason;
        }
        let mut buffer = [0u8; 256];
        // SAFETY: writes at most the given length, with a final zero.
        unsafe { (self.f.ERR_error_string_n)(code, buffer.as_mut_ptr().cast(), buffer.len()) };
        CStr::from_bytes_until_nul(&buffer).map(|s| s.to_string_lossy().into_owned()).unwrap_or_default()
    }
}

#[cfg(unix)]
fn open(path: &Path) -> Result<libloading::Library> {
    use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
    // SAFETY: loading runs the constructors of a file that the user chose to run; there is no other way to use it.
    unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) }.map(Into::into).map_err(|e| cannot_load(path, &e))
}

#[cfg(not(unix))]
fn open(path: &Path) -> Result<libloading::Library> {
    // SAFETY: as above.
    unsafe { libloading::Library::new(path) }.map_err(|e| cannot_load(path, &e))
}

fn cannot_load(path: &Path, error: &libloading::Error) -> Error {
    use std::error::Error as _;
    let cause = error.source().map_or_else(|| error.to_string(), ToString::to_string);
    Error::environment(format!("{} cannot be loaded: {cause}", path.display()))
        .with_hint("give the path of a libcrypto.so.3 of this machine's architecture")
}

/// Copies a C string; none for null.
///
/// # Safety
/// Null, or a string that ends with zero and lives through the call.
pub(super) unsafe fn text(string: *const c_char) -> Option<String> {
    if string.is_null() {
        return None;
    }
    // SAFETY: by the contract.
    Some(unsafe { CStr::from_ptr(string) }.to_string_lossy().into_owned())
}
