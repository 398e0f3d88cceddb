//! stub
use crate::error::{Error, Result};
use crate::provider::Provider;
use std::path::Path;
/// Loads liboqs.
///
/// # Errors
/// Not a liboqs.
pub fn load(library: &Path, origin: &str) -> Result<Provider> {
    let _ = (library, origin);
    Err(Error::unsupported("stub"))
}
