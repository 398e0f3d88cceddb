//! The fence around liboqs: every `unsafe` of this adapter is here.
//!
//! Functions are called through the exported `OQS_*` dispatchers, never through the function pointers inside the
//! objects: those move between versions. Of the objects only the front is read, which is the same in liboqs 0.12 to
//! 0.16 (`src/kem/kem.h`, `src/sig/sig.h` there); what is read is compared with the name that was asked for here, and
//! with the sizes of the standards in [`super::names`].
//!
//! The safe functions check each buffer against the lengths the object states, because the C functions write and read
//! exactly those many bytes without asking.

#![allow(unsafe_code)]

mod kem;
mod signature;

pub(super) use kem::{KemLengths, KemObject, ML_KEM_COINS, ML_KEM_SEED};
pub(super) use signature::{SignatureLengths, SignatureObject};

use crate::error::{Error, Fault, Result};
use libloading::Library;
use std::ffi::{CStr, CString, c_char, c_int};
use std::path::Path;

/// Longest name, version or description taken from the library.
const MAX_TEXT: usize = 256;
/// More algorithms than any liboqs has (0.16 has 224 signature schemes); guards the discovery loop.
const MAX_COUNT: usize = 4096;
/// `OQS_EXTERNAL_LIB_ERROR_OPENSSL` of `OQS_STATUS`.
const EXTERNAL_LIBRARY_ERROR: c_int = 50;

type Count = unsafe extern "C" fn() -> c_int;
type Identifier = unsafe extern "C" fn(usize) -> *const c_char;
type Enabled = unsafe extern "C" fn(*const c_char) -> c_int;
type Version = unsafe extern "C" fn() -> *const c_char;
type Init = unsafe extern "C" fn();
type HasExtension = unsafe extern "C" fn(c_int) -> c_int;

/// The functions of one loaded liboqs. The library is never unloaded.
pub(super) struct Api {
    version: Version,
    has_extension: Option<HasExtension>,
    kem: kem::Functions,
    signature: signature::Functions,
}

impl Api {
    /// Loads the library at `path` for the life of the process.
    ///
    /// # Errors
    /// [`Fault::Environment`] when it is not a loadable library or not a liboqs.
    pub(super) fn open(path: &Path) -> Result<&'static Self> {
        let library = open_library(path).map_err(|error| {
            // The reason (no ELF file, another machine, a missing dependency) is in the source.
            let reason = std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
            Error::environment(format!("{} cannot be loaded: {reason}", path.display()))
                .with_hint("liboqs must be built as a shared library for this machine (cmake -DBUILD_SHARED_LIBS=ON)")
        })?;
        // Leaked on purpose: function pointers and objects of the library live as long as the process.
        let library: &'static Library = Box::leak(Box::new(library));
        let symbols = Symbols { library, path };
        let kem = kem::Functions::find(&symbols)?;
        let signature = signature::Functions::find(&symbols)?;
        // SAFETY: the types of `const char *OQS_version(void)` and `int OQS_CPU_has_extension(OQS_CPU_EXT)`.
        let (version, has_extension) =
            unsafe { (symbols.required("OQS_version")?, symbols.optional("OQS_CPU_has_extension")) };
        // SAFETY: `void OQS_init(void)`; chooses the CPU's code paths once, before any other call.
        if let Some(init) = unsafe { symbols.optional::<Init>("OQS_init") } {
            // SAFETY: no argument, may be called any number of times.
            unsafe { init() };
        }
        Ok(Box::leak(Box::new(Self { version, has_extension, kem, signature })))
    }

    /// `OQS_version()`, e.g. `0.13.0`.
    pub(super) fn version(&self) -> Option<String> {
        // SAFETY: no argument; the result is a string literal of the library.
        unsafe { text((self.version)()) }
    }

    /// `OQS_CPU_has_extension` for a value of `OQS_CPU_EXT`; none where it is not exported. Values out of range give no.
    pub(super) fn has_extension(&self, extension: c_int) -> Option<bool> {
        // SAFETY: the function checks the range of its argument.
        self.has_extension.map(|has| unsafe { has(extension) } != 0)
    }

    /// Names of all enabled KEMs, in the library's order.
    pub(super) fn kem_names(&self) -> Vec<String> {
        self.kem.names()
    }

    /// Names of all enabled signature schemes, in the library's order.
    pub(super) fn signature_names(&self) -> Vec<String> {
        self.signature.names()
    }
}

#[cfg(unix)]
fn open_library(path: &Path) -> std::result::Result<Library, libloading::Error> {
    use libloading::os::unix;
    // All symbols at once, so that a library that lacks a dependency fails here and not in the middle of a run; and
    // local, so that two versions in one process would not mix.
    // SAFETY: runs the library's initialisers. The user named this file as the library to run.
    unsafe { unix::Library::open(Some(path), unix::RTLD_NOW | unix::RTLD_LOCAL) }.map(Library::from)
}

#[cfg(not(unix))]
fn open_library(path: &Path) -> std::result::Result<Library, libloading::Error> {
    // SAFETY: runs the library's initialisers. The user named this file as the library to run.
    unsafe { Library::new(path) }
}

struct Symbols<'a> {
    library: &'static Library,
    path: &'a Path,
}

impl Symbols<'_> {
    /// SAFETY: `T` must be the function pointer type of that symbol.
    unsafe fn optional<T: Copy>(&self, name: &str) -> Option<T> {
        // SAFETY: promised by the caller; the library is never unloaded, so the pointer stays valid.
        unsafe { self.library.get::<T>(name) }.ok().map(|symbol| *symbol)
    }

    /// SAFETY: `T` must be the function pointer type of that symbol.
    unsafe fn required<T: Copy>(&self, name: &str) -> Result<T> {
        // SAFETY: promised by the caller.
        unsafe { self.optional(name) }.ok_or_else(|| {
            Error::environment(format!("{} is not a liboqs: it does not export {name}", self.path.display()))
                .with_hint("give the path of a shared liboqs 0.12 or newer, e.g. …/lib/liboqs.so")
        })
    }
}

/// Copies a C string of at most [`MAX_TEXT`] printable ASCII characters; none when it is absent, longer or otherwise.
///
/// SAFETY: `start` must be null or point to a NUL-terminated string.
unsafe fn text(start: *const c_char) -> Option<String> {
    if start.is_null() {
        return None;
    }
    // SAFETY: promised by the caller.
    let text = unsafe { CStr::from_ptr(start) }.to_str().ok()?;
    let plain = !text.is_empty() && text.len() <= MAX_TEXT && text.bytes().all(|b| (0x20..0x7f).contains(&b));
    plain.then(|| text.to_owned())
}

/// Names of all enabled algorithms of one kind.
///
/// SAFETY: the three functions must belong to the same kind of the same library.
unsafe fn names(count: Count, identifier: Identifier, enabled: Enabled) -> Vec<String> {
    // SAFETY: no argument.
    let count = usize::try_from(unsafe { count() }).unwrap_or(0).min(MAX_COUNT);
    let mut names = Vec::new();
    for index in 0..count {
        // SAFETY: the index is below the count; the result is null or a string literal of the library.
        let name = unsafe { identifier(index) };
        // SAFETY: `name` is null or a NUL-terminated string, and is passed on only when `text` accepted it.
        if let Some(name_text) = unsafe { text(name) }
            && unsafe { enabled(name) } != 0
        {
            names.push(name_text);
        }
    }
    names
}

fn c_string(name: &str) -> Result<CString> {
    CString::new(name).map_err(|_| Error::usage(format!("{name:?} contains a NUL")))
}

/// Checks that the object carries the name asked for, which shows that its front was read right; returns its edition.
///
/// SAFETY: both pointers must be null or point to NUL-terminated strings.
unsafe fn own_texts(kind: &str, name: &str, method: *const c_char, edition: *const c_char) -> Result<String> {
    // SAFETY: promised by the caller.
    let (method, edition) = unsafe { (text(method), text(edition)) };
    if method.as_deref() != Some(name) {
        return Err(Error::environment(format!(
            "OQS_{kind}_new({name:?}) gave an object that calls itself {}: its layout is not that of liboqs 0.12 to 0.16",
            method.as_deref().unwrap_or("nothing")
        ))
        .with_hint("use a liboqs between 0.12 and 0.16"));
    }
    Ok(edition.unwrap_or_else(|| "edition not stated".to_owned()))
}

fn no_object(kind: &str, name: &str) -> Error {
    Error::environment(format!("OQS_{kind}_new({name:?}) failed although the library lists it as enabled"))
}

#[inline]
fn exact(fault: Fault, name: &str, what: &str, bytes: &[u8], expected: usize) -> Result<()> {
    if bytes.len() == expected { Ok(()) } else { Err(wrong_length(fault, name, what, bytes.len(), expected)) }
}

#[cold]
fn wrong_length(fault: Fault, name: &str, what: &str, found: usize, expected: usize) -> Error {
    Error::new(fault, format!("{name} {what} has {found} bytes, expected {expected}"))
}

#[inline]
fn check(status: c_int, name: &str, function: &str) -> Result<()> {
    if status == 0 { Ok(()) } else { Err(failed(status, name, function)) }
}

#[cold]
fn failed(status: c_int, name: &str, function: &str) -> Error {
    let meaning = if status == EXTERNAL_LIBRARY_ERROR { " (an OpenSSL it uses failed)" } else { "" };
    Error::provider(format!("{name}: {function} returned {status}{meaning}"))
}
