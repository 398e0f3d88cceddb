//! A provider is a value: who it is, and tables of `&'static dyn` algorithms.

use crate::agreement::Agreement;
use crate::catalogue::{Algorithm, Family};
use crate::kem::Kem;
use crate::signature::SignatureScheme;
use crate::symmetric::{Aead, Hash, Kdf, Mac};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

#[cfg(feature = "aws-lc")]
pub mod aws_lc;
pub mod compiled;
#[cfg(feature = "libcrux")]
pub mod libcrux;
#[cfg(feature = "liboqs")]
pub mod liboqs;
#[cfg(any(feature = "liboqs", feature = "openssl"))]
mod library;
pub mod null;
#[cfg(feature = "openssl")]
pub mod openssl;
#[cfg(any(feature = "rustcrypto", feature = "libcrux"))]
mod pure;
#[cfg(feature = "rustcrypto")]
pub mod rustcrypto;

/// One cryptographic library, of one version and build, with what it offers.
pub struct Provider {
    /// Who it is. Without a version nothing is measured.
    pub identity: Identity,
    /// Key-encapsulation mechanisms.
    pub kems: Vec<&'static dyn Kem>,
    /// Signature schemes.
    pub signatures: Vec<&'static dyn SignatureScheme>,
    /// Key agreements.
    pub agreements: Vec<&'static dyn Agreement>,
    /// Authenticated encryption.
    pub aeads: Vec<&'static dyn Aead>,
    /// Hash and extendable-output functions.
    pub hashes: Vec<&'static dyn Hash>,
    /// Message authentication codes.
    pub macs: Vec<&'static dyn Mac>,
    /// Key derivation functions.
    pub kdfs: Vec<&'static dyn Kdf>,
}

/// Provenance of a provider: what a reader needs to obtain the same bytes again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// `aws-lc`, `openssl`, …
    pub name: String,
    /// Version as the library itself reports it.
    pub version: String,
    /// `fips` for the FIPS provider of the same library; else none.
    pub variant: Option<String>,
    /// The loaded file; none when linked into this program.
    pub library: Option<Library>,
    /// Compiler and build flags as far as the library tells.
    pub flags: Option<String>,
    /// Instruction-set path the library takes on this CPU, as far as it tells.
    pub isa_path: Option<String>,
    /// State of the FIPS module, in the library's own words; none where it has none.
    pub fips: Option<String>,
    /// Where the code came from: a crate of a version, a bundle, the system, a path given.
    pub origin: String,
}

/// A shared library file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Library {
    /// Canonical path.
    pub path: PathBuf,
    /// SHA-256 of the file, lower-case hex.
    pub sha256: String,
}

impl Identity {
    /// Identity of code linked into this program, from a crate of the given version.
    #[must_use]
    pub fn linked(name: &str, version: &str, origin: &str) -> Self {
        Self {
            name: name.into(),
            version: version.into(),
            variant: None,
            library: None,
            flags: None,
            isa_path: None,
            fips: None,
            origin: origin.into(),
        }
    }

    /// `name@version[+variant]`, e.g. `openssl@3.5.5+fips`.
    #[must_use]
    pub fn id(&self) -> String {
        match &self.variant {
            None => format!("{}@{}", self.name, self.version),
            Some(variant) => format!("{}@{}+{variant}", self.name, self.version),
        }
    }
}

impl Provider {
    /// A provider that offers nothing yet.
    #[must_use]
    pub fn empty(identity: Identity) -> Self {
        Self {
            identity,
            kems: Vec::new(),
            signatures: Vec::new(),
            agreements: Vec::new(),
            aeads: Vec::new(),
            hashes: Vec::new(),
            macs: Vec::new(),
            kdfs: Vec::new(),
        }
    }

    /// All algorithms of all families, in table order.
    #[must_use]
    pub fn algorithms(&self) -> Vec<&'static Algorithm> {
        let Self { identity: _, kems, signatures, agreements, aeads, hashes, macs, kdfs } = self;
        let mut all = Vec::new();
        all.extend(kems.iter().map(|a| a.algorithm()));
        all.extend(signatures.iter().map(|a| a.algorithm()));
        all.extend(agreements.iter().map(|a| a.algorithm()));
        all.extend(aeads.iter().map(|a| a.algorithm()));
        all.extend(hashes.iter().map(|a| a.algorithm()));
        all.extend(macs.iter().map(|a| a.algorithm()));
        all.extend(kdfs.iter().map(|a| a.algorithm()));
        all
    }

    /// The row of `name` (canonical) in any family.
    #[must_use]
    pub fn algorithm(&self, name: &str) -> Option<&'static Algorithm> {
        self.algorithms().into_iter().find(|a| a.name == name)
    }

    /// Whether it has anything of that family.
    #[must_use]
    pub fn has_family(&self, family: Family) -> bool {
        self.algorithms().iter().any(|a| a.family == family)
    }

    /// The KEM of that canonical name.
    #[must_use]
    pub fn kem(&self, name: &str) -> Option<&'static dyn Kem> {
        self.kems.iter().copied().find(|a| a.algorithm().name == name)
    }

    /// The signature scheme of that canonical name.
    #[must_use]
    pub fn signature(&self, name: &str) -> Option<&'static dyn SignatureScheme> {
        self.signatures.iter().copied().find(|a| a.algorithm().name == name)
    }

    /// The key agreement of that canonical name.
    #[must_use]
    pub fn agreement(&self, name: &str) -> Option<&'static dyn Agreement> {
        self.agreements.iter().copied().find(|a| a.algorithm().name == name)
    }

    /// The AEAD of that canonical name.
    #[must_use]
    pub fn aead(&self, name: &str) -> Option<&'static dyn Aead> {
        self.aeads.iter().copied().find(|a| a.algorithm().name == name)
    }

    /// The hash of that canonical name.
    #[must_use]
    pub fn hash(&self, name: &str) -> Option<&'static dyn Hash> {
        self.hashes.iter().copied().find(|a| a.algorithm().name == name)
    }

    /// The MAC of that canonical name.
    #[must_use]
    pub fn mac(&self, name: &str) -> Option<&'static dyn Mac> {
        self.macs.iter().copied().find(|a| a.algorithm().name == name)
    }

    /// The KDF of that canonical name.
    #[must_use]
    pub fn kdf(&self, name: &str) -> Option<&'static dyn Kdf> {
        self.kdfs.iter().copied().find(|a| a.algorithm().name == name)
    }
}

/// Makes a linked-in provider.
pub type Constructor = fn() -> Provider;

/// The providers linked into this program, by name, in the order in which they are shown.
#[must_use]
pub fn linked() -> Vec<(&'static str, Constructor)> {
    vec![
        #[cfg(feature = "aws-lc")]
        ("aws-lc", aws_lc::provider as Constructor),
        #[cfg(feature = "libcrux")]
        ("libcrux", libcrux::provider as Constructor),
        #[cfg(feature = "rustcrypto")]
        ("rustcrypto", rustcrypto::provider as Constructor),
        ("null", null::provider as Constructor),
    ]
}
