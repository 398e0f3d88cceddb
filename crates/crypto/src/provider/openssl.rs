//! stub
use crate::error::{Error, Result};
use crate::provider::Provider;
use std::path::{Path, PathBuf};
/// Which provider inside the library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Variant {
    /// Default properties.
    Default,
    /// Property query `fips=yes`, with the module's configuration file.
    Fips {
        /// Directory with `fips.so`.
        modules: PathBuf,
        /// `fipsmodule.cnf` or a file that includes it.
        config: PathBuf,
    },
}
/// Loads libcrypto.
///
/// # Errors
/// Not a libcrypto.
pub fn load(library: &Path, variant: &Variant, origin: &str) -> Result<Provider> {
    let _ = (library, variant, origin);
    Err(Error::unsupported("stub"))
}
