//! A library context (`OSSL_LIB_CTX`) with its providers: the default one, or the FIPS module.

use super::functions::{OSSL_LIB_CTX, OSSL_PROVIDER};
use super::library::Libcrypto;
use super::params::{get_int, get_text};
use crate::error::{Error, Fault, Result};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::Path;
use std::ptr::{self, NonNull};

/// A library context that lives as long as the process, and the property query for all that is fetched in it.
pub struct Context {
    /// The library it belongs to.
    pub lib: &'static Libcrypto,
    raw: NonNull<OSSL_LIB_CTX>,
    query: Option<&'static CStr>,
}

// SAFETY: OpenSSL locks its library contexts (openssl-threads(7)).
unsafe impl Send for Context {}
// SAFETY: as above.
unsafe impl Sync for Context {}

/// What the loaded FIPS module says of itself.
#[derive(Debug)]
pub struct FipsModule {
    /// Name, e.g. `OpenSSL FIPS Provider`.
    pub name: String,
    /// Version of the module, which may differ from the library's.
    pub version: String,
    /// Build string.
    pub build: String,
    /// Whether it runs, that is: its self tests passed.
    pub running: bool,
}

impl Context {
    /// A context with the library's default provider. Independent of any configuration file.
    ///
    /// # Errors
    /// [`Fault::Provider`] when the library has no default provider.
    pub fn default_provider(lib: &'static Libcrypto) -> Result<&'static Self> {
        let context = Self::new(lib, None)?;
        context.load(c"default")?;
        Ok(context)
    }

    /// A context with the FIPS module of `modules`, the base provider for encodings, and the property `fips=yes`.
    ///
    /// `configuration` is the text of the module's section, made by `openssl fipsinstall`.
    ///
    /// # Errors
    /// [`Fault::Environment`] when the module is missing, its checksum is wrong or a self test fails.
    pub fn fips_module(
        lib: &'static Libcrypto,
        modules: &Path,
        configuration: &Configuration,
    ) -> Result<(&'static Self, FipsModule)> {
        let context = Self::new(lib, Some(c"fips=yes"))?;
        let directory = c_path(modules)?;
        let what = format!("loading the FIPS module of {}", modules.display());
        let environment = |()| {
            lib.failure(Fault::Environment, &what)
                .with_hint("the module and its configuration must belong together: `openssl fipsinstall -module fips.so -out fipsmodule.cnf`")
        };
        // SAFETY: the context lives, the string ends with zero and is copied.
        positive(unsafe { (lib.f.OSSL_PROVIDER_set_default_search_path)(context.raw(), directory.as_ptr()) })
            .map_err(environment)?;
        match configuration {
            // SAFETY: as above.
            Configuration::File(path) => {
                let path = c_path(path)?;
                positive(unsafe { (lib.f.OSSL_LIB_CTX_load_config)(context.raw(), path.as_ptr()) })
            }
            Configuration::Text(text) => context.configure(text),
        }
        .map_err(environment)?;
        let module = context.load(c"fips").map_err(|e| {
            Error::environment(format!("{what}: {e}"))
                .with_hint("check the pair with `openssl fipsinstall -verify -module fips.so -in fipsmodule.cnf`")
        })?;
        context.load(c"base")?;
        // SAFETY: as above.
        positive(unsafe { (lib.f.EVP_set_default_properties)(context.raw(), c"fips=yes".as_ptr()) })
            .map_err(environment)?;
        let said = context.describe(module);
        if !said.running {
            return Err(environment(()));
        }
        Ok((context, said))
    }

    fn new(lib: &'static Libcrypto, query: Option<&'static CStr>) -> Result<&'static Self> {
        // SAFETY: takes nothing.
        let raw = unsafe { (lib.f.OSSL_LIB_CTX_new)() };
        let raw = NonNull::new(raw).ok_or_else(|| lib.failure(Fault::Provider, "OSSL_LIB_CTX_new"))?;
        // Keys and methods made in it hold no count on it, so it lives as long as the library: for ever.
        Ok(Box::leak(Box::new(Self { lib, raw, query })))
    }

    pub(super) fn raw(&self) -> *mut OSSL_LIB_CTX {
        self.raw.as_ptr()
    }

    /// The property query, or null.
    pub(super) fn query(&self) -> *const c_char {
        self.query.map_or(ptr::null(), CStr::as_ptr)
    }

    /// Whether this is the FIPS module's context.
    pub fn is_fips(&self) -> bool {
        self.query.is_some()
    }

    fn load(&self, name: &CStr) -> Result<NonNull<OSSL_PROVIDER>> {
        // SAFETY: the context lives, the string is static.
        let provider = unsafe { (self.lib.f.OSSL_PROVIDER_load)(self.raw(), name.as_ptr()) };
        // Not unloaded: it belongs to the context, which is never freed.
        NonNull::new(provider).ok_or_else(|| {
            self.lib.failure(Fault::Provider, &format!("loading OpenSSL's provider {}", name.to_string_lossy()))
        })
    }

    /// Loads a configuration from memory.
    fn configure(&self, text: &str) -> std::result::Result<(), ()> {
        let f = &self.lib.f;
        let len = c_int::try_from(text.len()).map_err(|_| ())?;
        // SAFETY: the buffer outlives the BIO, which only reads it; both objects are freed on every path, and freeing
        // null is allowed. The configuration copies what it keeps.
        unsafe {
            let bio = (f.BIO_new_mem_buf)(text.as_ptr().cast::<c_void>(), len);
            let conf = (f.NCONF_new_ex)(self.raw(), ptr::null_mut());
            let done = !bio.is_null()
                && !conf.is_null()
                && (f.NCONF_load_bio)(conf, bio, ptr::null_mut()) > 0
                && (f.CONF_modules_load)(conf, ptr::null(), 0) > 0;
            (f.NCONF_free)(conf);
            (f.BIO_free)(bio);
            if done { Ok(()) } else { Err(()) }
        }
    }

    fn describe(&self, module: NonNull<OSSL_PROVIDER>) -> FipsModule {
        let ask = |params| {
            // SAFETY: the provider lives as long as the context; the array is ended and typed.
            unsafe { (self.lib.f.OSSL_PROVIDER_get_params)(module.as_ptr(), params) }
        };
        // SAFETY: the closure hands the array to the getter only; the strings belong to the module.
        let string = |key: &CStr| unsafe { get_text(key, ask) }.unwrap_or_default();
        FipsModule {
            name: string(c"name"),
            version: string(c"version"),
            build: string(c"buildinfo"),
            // SAFETY: as above.
            running: unsafe { get_int(c"status", ask) } == Some(1),
        }
    }

    /// Whether a key-encapsulation method of that name can be fetched.
    pub fn has_kem(&self, name: &CStr) -> bool {
        // SAFETY: context and strings live; a fetched method is freed at once, and freeing null is allowed.
        let found = unsafe {
            let method = (self.lib.f.EVP_KEM_fetch)(self.raw(), name.as_ptr(), self.query());
            (self.lib.f.EVP_KEM_free)(method);
            !method.is_null()
        };
        self.forgive(found)
    }

    /// Whether a key-agreement method of that name can be fetched.
    pub fn has_agreement(&self, name: &CStr) -> bool {
        // SAFETY: as above.
        let found = unsafe {
            let method = (self.lib.f.EVP_KEYEXCH_fetch)(self.raw(), name.as_ptr(), self.query());
            (self.lib.f.EVP_KEYEXCH_free)(method);
            !method.is_null()
        };
        self.forgive(found)
    }

    /// Drops the reasons of a fetch that found nothing: not to have an algorithm is no error.
    pub(super) fn forgive(&self, found: bool) -> bool {
        if !found {
            self.lib.discard_reasons();
        }
        found
    }
}

/// Where the FIPS module's parameters come from.
pub enum Configuration {
    /// A whole OpenSSL configuration file, with `openssl_conf`.
    File(std::path::PathBuf),
    /// A text made around the section of `openssl fipsinstall`.
    Text(String),
}

fn positive(code: c_int) -> std::result::Result<(), ()> {
    if code > 0 { Ok(()) } else { Err(()) }
}

fn c_path(path: &Path) -> Result<CString> {
    path.to_str()
        .and_then(|p| CString::new(p).ok())
        .ok_or_else(|| Error::environment(format!("{} is not a path that OpenSSL can take", path.display())))
}
