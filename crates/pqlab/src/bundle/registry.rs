//! The package that carries a source, as cargo fetches and caches it.

use super::error::{Error, Result};
use super::pins::Package;
use super::process::{self, Log};
use super::progress::Progress;
use super::tools::Tool;
use std::fs;
use std::path::{Path, PathBuf};

/// The `.crate` file in cargo's cache, if it is there already.
pub fn cached(package: &Package) -> Option<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")))?;
    let name = format!("{}-{}.crate", package.name, package.release);
    let registries = fs::read_dir(home.join("registry/cache")).ok()?;
    registries.flatten().map(|registry| registry.path().join(&name)).find(|file| file.is_file())
}

/// Lets cargo fetch the package by way of a manifest that needs nothing else, so that the user's own configuration
/// (mirrors, proxies, offline mode) applies and cargo checks the registry's checksum.
///
/// # Errors
/// Cargo is missing or cannot fetch it, or keeps no `.crate` file (a vendored directory instead of a registry).
pub fn fetch(package: &Package, scratch: &Path, log: &Log, progress: &Progress) -> Result<PathBuf> {
    if let Some(file) = cached(package) {
        return Ok(file);
    }
    if !Tool::Cargo.present() {
        return Err(Error::new("cargo is missing, which fetches the package that carries this source")
            .with_hint("sudo apt-get install cargo"));
    }
    let Package { name, release, .. } = package;
    // A requirement does not take build metadata.
    let version = release.split('+').next().unwrap_or(release);
    let manifest = scratch.join("Cargo.toml");
    let text = format!(
        "[package]\nname = \"scratch\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[workspace]\n\n[lib]\npath = \"lib.rs\"\n\n\
         [dependencies]\n{name} = \"={version}\"\n"
    );
    for (path, text) in [(&manifest, text.as_str()), (&scratch.join("lib.rs"), "")] {
        fs::create_dir_all(scratch).map_err(|error| Error::io("create", scratch, &error))?;
        fs::write(path, text).map_err(|error| Error::io("write", path, &error))?;
    }
    let mut command = process::tool(Tool::Cargo.program());
    command.arg("fetch").arg("--manifest-path").arg(&manifest);
    process::run("cargo fetch", &mut command, log, progress, None)?;
    cached(package).ok_or_else(|| {
        Error::new(format!("cargo fetched {name} {release} but keeps no .crate file of it"))
            .with_hint("a vendored directory replaces the registry? give its copy of the source with --source DIR")
    })
}
