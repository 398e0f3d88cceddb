//! Bundles: builds of OpenSSL and liboqs from pinned, verified sources, kept in the user's cache.
//!
//! `build` makes one (`source` gets the source, `openssl` and `liboqs` are the recipes), `manifest` says what it is and
//! verifies it, [`installed`] and [`resolve`] find what the coordinator can load.

pub mod build;
pub mod cache;
pub mod download;
pub mod environment;
pub mod error;
pub mod git;
pub mod liboqs;
pub mod manifest;
pub mod mingw;
pub mod openssl;
pub mod pins;
pub mod process;
pub mod progress;
pub mod recipe;
pub mod registry;
pub mod source;
pub mod spec;
pub mod tools;
pub mod tree;
pub mod unpack;

pub use cache::Cache;
pub use error::{Error, Result};
pub use process::interrupt;
pub use spec::{Kind, Platform, Spec};

use manifest::Manifest;
use std::fs;
use std::path::PathBuf;

/// A finished bundle, and the files in it that others load or start.
#[derive(Debug, Clone)]
pub struct Installed {
    /// What it is; its text form is the id: `openssl@3.5.5+fips`.
    pub spec: Spec,
    /// Its directory.
    pub root: PathBuf,
    /// `libcrypto.so.N` or `liboqs.so`; none of a build for another system.
    pub library: Option<PathBuf>,
    /// The executable that uses this `library`; none for liboqs.
    pub openssl: Option<PathBuf>,
    /// Directory of provider modules; none for liboqs and before OpenSSL 3.
    pub modules: Option<PathBuf>,
    /// Configuration with default and FIPS provider active and `fips=yes` as the default property.
    pub fips_config: Option<PathBuf>,
    /// What it was built from.
    pub manifest: Manifest,
}

impl Installed {
    /// `openssl@3.5.5+fips`.
    pub fn id(&self) -> String {
        self.spec.to_string()
    }

    /// Why nothing of it can be run on this machine; none when it can.
    pub fn not_runnable(&self) -> Option<String> {
        (self.spec.platform == Platform::Mingw && mingw::wine().is_none())
            .then(|| format!("not runnable here: built for Windows, and {} is not installed", mingw::WINE))
    }

    fn at(spec: Spec, root: PathBuf) -> Result<Self> {
        let manifest = Manifest::read(&root)?;
        let damaged = |why: &str| {
            Error::new(format!("{spec} in {} {why}", root.display()))
                .with_hint(format!("pqlab bundle build {spec} --force builds it again"))
        };
        if manifest.id != spec.to_string() {
            return Err(damaged(&format!("calls itself {:?}", manifest.id)));
        }
        if !manifest.complete(&root) {
            return Err(damaged("has missing or shortened files"));
        }
        let library = match spec.kind {
            Kind::OpenSsl if spec.platform == Platform::Mingw => None,
            Kind::OpenSsl => manifest
                .files
                .iter()
                .find(|entry| entry.link.is_none() && entry.path.starts_with("lib/libcrypto."))
                .map(|entry| root.join(&entry.path)),
            Kind::LibOqs => Some(root.join("lib/liboqs.so")).filter(|path| path.exists()),
        };
        if library.is_none() && spec.platform == Platform::Native {
            return Err(damaged("has no library"));
        }
        let below = |path: &str| Some(root.join(path)).filter(|path| path.exists());
        Ok(Self {
            library,
            openssl: below(if spec.platform == Platform::Mingw { mingw::EXECUTABLE } else { "bin/openssl" }),
            modules: below("lib/ossl-modules"),
            fips_config: below("ssl/openssl-fips.cnf"),
            spec,
            root,
            manifest,
        })
    }
}

/// A directory among the bundles: usable, or with the reason why not.
#[derive(Debug)]
pub struct Found {
    /// What its name says it is.
    pub spec: Spec,
    /// Where it is.
    pub root: PathBuf,
    /// Usable or not.
    pub bundle: Result<Installed>,
}

/// All bundles of a cache, sorted; unfinished ones and foreign names are not among them.
///
/// # Errors
/// The cache cannot be read. A cache that does not exist yet is empty.
pub fn found(cache: &Cache) -> Result<Vec<Found>> {
    let bundles = cache.bundles();
    let listing = match fs::read_dir(&bundles) {
        Ok(listing) => listing,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Error::io("read", &bundles, &error)),
    };
    let mut found = Vec::new();
    for item in listing {
        let item = item.map_err(|error| Error::io("read", &bundles, &error))?;
        let name = item.file_name();
        let spec = name.to_str().and_then(|name| name.replacen('-', "@", 1).parse::<Spec>().ok());
        if let Some(spec) = spec {
            found.push(Found { bundle: Installed::at(spec.clone(), item.path()), root: item.path(), spec });
        }
    }
    found.sort_by(|a, b| a.spec.cmp(&b.spec));
    Ok(found)
}

/// The usable bundles of the user's cache. Files are there with their sizes; `bundle verify` hashes them.
///
/// # Errors
/// As [`found`].
pub fn installed() -> Result<Vec<Installed>> {
    Ok(found(&Cache::from_environment()?)?.into_iter().filter_map(|found| found.bundle.ok()).collect())
}

/// The bundle that serves `id`. A bundle with the FIPS provider also serves its id without `+fips`: the libcrypto in
/// it is the same.
///
/// # Errors
/// Not a bundle id; not built (the hint is the command that builds it); damaged.
pub fn resolve(id: &str) -> Result<Installed> {
    resolve_in(&Cache::from_environment()?, id)
}

/// As [`resolve`], for a caller that needs the FIPS provider: when nothing is built, the hint is the command that builds
/// it with that.
///
/// # Errors
/// As [`resolve`]. A bundle without the FIPS provider is none.
pub fn resolve_for_fips(id: &str) -> Result<Installed> {
    resolve(id).or_else(|error| match id.parse::<Spec>().and_then(Spec::with_fips) {
        Ok(spec) => resolve(&spec.to_string()),
        Err(_) => Err(error),
    })
}

fn resolve_in(cache: &Cache, id: &str) -> Result<Installed> {
    let spec: Spec = id.parse()?;
    let mut places = vec![spec.clone()];
    places.extend(spec.clone().with_fips().ok().filter(|with| *with != spec));
    for place in places {
        let root = cache.bundle(&place);
        if root.exists() {
            return Installed::at(place, root);
        }
    }
    Err(Error::new(format!("{spec} is not built")).with_hint(format!("pqlab bundle build {spec}")))
}

#[cfg(test)]
mod tests;
