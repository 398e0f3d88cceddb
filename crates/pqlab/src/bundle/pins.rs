//! The pins: which bytes a bundle may be built from.

use super::error::{Error, Result};
use super::spec::{Kind, Spec, Version};
use serde::Deserialize;
use std::fmt;
use std::str::FromStr;

/// The pin file of this program.
const BUILT_IN: &str = include_str!("pins.toml");

/// SHA-256 of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Digest([u8; 32]);

impl Digest {
    /// Hashes bytes in memory.
    pub fn of(bytes: &[u8]) -> Self {
        use sha2::Digest as _;
        Self(sha2::Sha256::digest(bytes).into())
    }

    /// From a finished hash.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl FromStr for Digest {
    type Err = Error;

    /// Exactly 64 lower-case hexadecimal digits.
    fn from_str(text: &str) -> Result<Self> {
        let mut bytes = [0; 32];
        let lower = text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        if !lower || hex::decode_to_slice(text, &mut bytes).is_err() {
            return Err(Error::new(format!("{text:?} is not a SHA-256: 64 lower-case hexadecimal digits expected")));
        }
        Ok(Self(bytes))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A project's own release archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Release {
    /// Where it is published.
    pub url: String,
    /// What it must hash to.
    pub sha256: Digest,
}

/// The copy of a source that a Rust package carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Package {
    /// Name of the package.
    pub name: String,
    /// Its own version, build metadata included.
    pub release: String,
    /// What the `.crate` file must hash to.
    pub sha256: Digest,
}

/// All pins.
#[derive(Debug, Clone, Default)]
pub struct Pins {
    releases: Vec<(Kind, Version, Release)>,
    packages: Vec<(Kind, Version, Package)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    release: Vec<RawRelease>,
    #[serde(default)]
    package: Vec<RawPackage>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRelease {
    project: String,
    version: String,
    url: String,
    sha256: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPackage {
    project: String,
    version: String,
    name: String,
    release: String,
    sha256: String,
}

impl Pins {
    /// The pins of this program.
    ///
    /// # Errors
    /// As [`Pins::parse`].
    pub fn built_in() -> Result<Self> {
        Self::parse(BUILT_IN)
    }

    /// Reads a pin file as a whole.
    ///
    /// # Errors
    /// Anything malformed anywhere, and a pin given twice.
    pub fn parse(text: &str) -> Result<Self> {
        let wrong = |why: String| Error::new(format!("pins.toml: {why}")).with_hint("nothing was downloaded");
        if text.contains('\0') {
            return Err(wrong("a NUL byte".into()));
        }
        let File { release, package } = toml::from_str(text).map_err(|error| wrong(error.to_string()))?;
        let mut pins = Self::default();
        for RawRelease { project, version, url, sha256 } in release {
            let (kind, version) = Spec::parts(&project, &version).map_err(|error| wrong(error.to_string()))?;
            let entry = format!("release of {}@{version}", kind.name());
            if !(url.starts_with("https://") || url.starts_with("http://")) {
                return Err(wrong(format!("{entry}: {url:?} is not a web address")));
            }
            let sha256 = sha256.parse().map_err(|error| wrong(format!("{entry}: {error}")))?;
            if pins.releases.iter().any(|(k, v, _)| (*k, v) == (kind, &version)) {
                return Err(wrong(format!("{entry} is pinned twice")));
            }
            pins.releases.push((kind, version, Release { url, sha256 }));
        }
        for RawPackage { project, version, name, release, sha256 } in package {
            let (kind, version) = Spec::parts(&project, &version).map_err(|error| wrong(error.to_string()))?;
            let entry = format!("package of {}@{version}", kind.name());
            // These go into a manifest for cargo and into a path: only what a package name or version can hold.
            let plain = |text: &str| {
                !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.+".contains(&b))
            };
            if !plain(&name) || !plain(&release) {
                return Err(wrong(format!("{entry}: its name or release has characters that do not belong there")));
            }
            let sha256 = sha256.parse().map_err(|error| wrong(format!("{entry}: {error}")))?;
            if pins.packages.iter().any(|(k, v, _)| (*k, v) == (kind, &version)) {
                return Err(wrong(format!("{entry} is pinned twice")));
            }
            pins.packages.push((kind, version, Package { name, release, sha256 }));
        }
        Ok(pins)
    }

    /// The release archive of a version, where pinned.
    pub fn release(&self, spec: &Spec) -> Option<&Release> {
        self.releases.iter().find(|(k, v, _)| (*k, v) == (spec.kind, &spec.version)).map(|(.., release)| release)
    }

    /// The package that carries a version, where pinned.
    pub fn package(&self, spec: &Spec) -> Option<&Package> {
        self.packages.iter().find(|(k, v, _)| (*k, v) == (spec.kind, &spec.version)).map(|(.., package)| package)
    }

    /// The versions of a library that have a pin, in order.
    pub fn versions(&self, kind: Kind) -> Vec<&Version> {
        let releases = self.releases.iter().map(|(k, v, _)| (*k, v));
        let packages = self.packages.iter().map(|(k, v, _)| (*k, v));
        let mut versions: Vec<_> = releases.chain(packages).filter(|(k, _)| *k == kind).map(|(_, v)| v).collect();
        versions.sort();
        versions.dedup();
        versions
    }
}
