//! The environment that selects a bundle for programs started in it.

use super::Installed;
use std::ffi::OsString;
use std::path::PathBuf;

/// Name and value of each variable; lists are put before what is set already.
pub type Variables = Vec<(&'static str, OsString)>;

/// The variables that select `bundle`. With `fips`, its configuration makes `fips=yes` the default property.
///
/// A variable is left out where the bundle has no such part: liboqs has no modules.
pub fn variables(bundle: &Installed, fips: bool, current: impl Fn(&str) -> Option<OsString>) -> Variables {
    let root = &bundle.root;
    let before = |name: &'static str, folder: PathBuf| {
        let old = current(name).filter(|value| !value.is_empty());
        let mut value = OsString::from(folder);
        if let Some(old) = old {
            value.push(":");
            value.push(old);
        }
        (name, value)
    };
    let mut variables = Vec::new();
    if bundle.openssl.is_some() {
        variables.push(before("PATH", root.join("bin")));
    }
    variables.push(before(LIBRARY_PATH, root.join("lib")));
    variables.push(before("PKG_CONFIG_PATH", root.join("lib/pkgconfig")));
    if bundle.openssl.is_some() {
        let plain = Some(root.join("ssl/openssl.cnf")).filter(|path| path.exists());
        let configuration = if fips { bundle.fips_config.clone() } else { plain };
        variables.extend(configuration.map(|path| ("OPENSSL_CONF", path.into())));
        variables.extend(bundle.modules.clone().map(|path| ("OPENSSL_MODULES", path.into())));
        // A pqlab started in it means the same OpenSSL.
        variables.push((crate::fips::place::PREFIX, root.clone().into()));
    }
    variables
}

#[cfg(target_os = "macos")]
const LIBRARY_PATH: &str = "DYLD_LIBRARY_PATH";
#[cfg(not(target_os = "macos"))]
const LIBRARY_PATH: &str = "LD_LIBRARY_PATH";
