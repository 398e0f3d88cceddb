//! `bundle.json`: what a bundle was built from and how, and every file of it with its hash.

use super::error::{Error, Result};
use super::pins::Digest;
use super::unpack::stays_inside;
use serde::{Deserialize, Serialize};
use sha2::Digest as _;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Component, Path};

/// Name of the manifest in the bundle's directory.
pub const FILE: &str = "bundle.json";

/// Names and versions this layout.
pub const SCHEMA: &str = "pqlab.bundle/1";

/// What a bundle is and where it came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// [`SCHEMA`].
    pub schema: String,
    /// `openssl@3.5.5+fips`.
    pub id: String,
    /// `openssl`.
    pub name: String,
    /// `3.5.5`.
    pub version: String,
    /// With the FIPS provider.
    pub fips: bool,
    /// Where the source came from.
    pub source: Origin,
    /// First line of the compiler's `--version`.
    pub compiler: String,
    /// Compiler flags, as far as the finished library tells.
    pub flags: Option<String>,
    /// The command line that configured the build.
    pub configure: String,
    /// What the finished library says about itself (`openssl version -a`).
    pub reported: Option<String>,
    /// End of the build, UTC, RFC 3339.
    pub built_at: String,
    /// Version of pqlab that built it.
    pub pqlab: String,
    /// Every file and link except this one.
    pub files: Vec<Entry>,
}

/// Where a source came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// `release`, `package`, `url`, `file`, `git` or `directory`.
    pub kind: String,
    /// Address, package with version, or path.
    pub location: String,
    /// Of the archive; of a directory or a commit, over its sorted paths and contents.
    pub sha256: String,
    /// What vouches for it: `pin` or `argument` (the hash), `commit` (named in full), or `nothing` (a directory, a tag).
    pub verified_by: String,
    /// What this program added because the source lacked it.
    pub supplements: Vec<String>,
}

/// One file or symbolic link of a bundle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Relative to the bundle's directory.
    pub path: String,
    /// Bytes; of a link none.
    pub size: Option<u64>,
    /// Of the contents; of a link none.
    pub sha256: Option<String>,
    /// Target of a symbolic link.
    pub link: Option<String>,
}

/// One difference between a bundle and its manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Relative to the bundle's directory.
    pub path: String,
    /// What is wrong.
    pub problem: Problem,
}

/// What can be wrong with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Problem {
    /// Its contents or its target differ.
    Altered,
    /// It is not there.
    Missing,
    /// It is there and not in the manifest.
    Extra,
}

impl Problem {
    /// Lower-case word.
    pub fn as_str(self) -> &'static str {
        match self {
            Problem::Altered => "altered",
            Problem::Missing => "missing",
            Problem::Extra => "extra",
        }
    }
}

impl Manifest {
    /// Checks that a new bundle holds nothing but files and links that stay inside, so that it stands by itself.
    ///
    /// # Errors
    /// Names what does not belong there.
    pub fn check_closed(&self) -> Result<()> {
        let open = self.files.iter().find(|entry| match &entry.link {
            Some(target) => !stays_inside(Path::new(&entry.path), Path::new(target)),
            None => entry.sha256.is_none(),
        });
        open.map_or(Ok(()), |entry| Err(Error::new(format!("{}: {} leads outside of the bundle", self.id, entry.path))))
    }

    /// Reads the manifest of the bundle at `root`.
    ///
    /// # Errors
    /// None there, not JSON of this layout, or paths that lead outside of the bundle.
    pub fn read(root: &Path) -> Result<Self> {
        const LARGEST: u64 = 16 << 20;
        let path = root.join(FILE);
        let mut text = Vec::new();
        File::open(&path)
            .and_then(|file| file.take(LARGEST).read_to_end(&mut text))
            .map_err(|error| Error::io("read", &path, &error))?;
        let wrong = |why: &str| Error::new(format!("{}: {why}", path.display()));
        // The schema first: a newer layout is not a damaged one.
        #[derive(Deserialize)]
        struct Head {
            schema: String,
        }
        let head: Head = serde_json::from_slice(&text).map_err(|error| wrong(&error.to_string()))?;
        if head.schema != SCHEMA {
            return Err(wrong(&format!("its schema is {:?}, this program reads {SCHEMA:?}", head.schema)));
        }
        let manifest: Self = serde_json::from_slice(&text).map_err(|error| wrong(&error.to_string()))?;
        let plain = |path: &str| Path::new(path).components().all(|c| matches!(c, Component::Normal(_)));
        if manifest.files.is_empty() || !manifest.files.iter().all(|entry| plain(&entry.path)) {
            return Err(wrong("it lists no file, or one outside of the bundle"));
        }
        Ok(manifest)
    }

    /// Writes the manifest into the bundle at `root`.
    ///
    /// # Errors
    /// Not writable.
    pub fn write(&self, root: &Path) -> Result<()> {
        let path = root.join(FILE);
        let mut text = serde_json::to_string_pretty(self).map_err(|error| Error::new(format!("manifest: {error}")))?;
        text.push('\n');
        fs::write(&path, text).map_err(|error| Error::io("write", &path, &error))
    }

    /// Whether every file is there with its size: quick, and no proof.
    pub fn complete(&self, root: &Path) -> bool {
        self.files.iter().all(|entry| {
            let found = fs::symlink_metadata(root.join(&entry.path));
            found.is_ok_and(|metadata| entry.size.is_none_or(|size| metadata.is_file() && metadata.len() == size))
        })
    }

    /// Hashes every file again.
    ///
    /// # Errors
    /// A file or directory cannot be read.
    pub fn verify(&self, root: &Path) -> Result<Vec<Finding>> {
        let listed: BTreeMap<&str, &Entry> = self.files.iter().map(|entry| (entry.path.as_str(), entry)).collect();
        let found = entries(root)?;
        let mut findings = Vec::new();
        for entry in &found {
            match listed.get(entry.path.as_str()) {
                Some(expected) if *expected == entry => {}
                Some(_) => findings.push(Finding { path: entry.path.clone(), problem: Problem::Altered }),
                None => findings.push(Finding { path: entry.path.clone(), problem: Problem::Extra }),
            }
        }
        let present: BTreeSet<&str> = found.iter().map(|entry| entry.path.as_str()).collect();
        for path in listed.keys().filter(|path| !present.contains(*path)) {
            findings.push(Finding { path: (*path).to_owned(), problem: Problem::Missing });
        }
        findings.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(findings)
    }
}

/// Everything below `root` except directories and the manifest, sorted by path. A socket or a device has neither hash
/// nor target.
///
/// # Errors
/// Something cannot be read.
pub fn entries(root: &Path) -> Result<Vec<Entry>> {
    let mut entries = Vec::new();
    let mut pending = vec![root.to_owned()];
    while let Some(directory) = pending.pop() {
        let cannot = |error: std::io::Error| Error::io("read", &directory, &error);
        for item in fs::read_dir(&directory).map_err(cannot)? {
            let path = item.map_err(cannot)?.path();
            let relative = path.strip_prefix(root).unwrap_or(&path);
            let name = relative.to_str().ok_or_else(|| Error::new(format!("{} is not valid UTF-8", path.display())))?;
            if name == FILE {
                continue;
            }
            let metadata = fs::symlink_metadata(&path).map_err(|error| Error::io("read", &path, &error))?;
            if metadata.is_dir() {
                pending.push(path);
            } else if metadata.is_symlink() {
                let target = fs::read_link(&path).map_err(|error| Error::io("read", &path, &error))?;
                let link = Some(target.to_string_lossy().into_owned());
                entries.push(Entry { path: name.to_owned(), size: None, sha256: None, link });
            } else if metadata.is_file() {
                let (digest, size) = hash_file(&path)?;
                let sha256 = Some(digest.to_string());
                entries.push(Entry { path: name.to_owned(), size: Some(size), sha256, link: None });
            } else {
                entries.push(Entry { path: name.to_owned(), size: None, sha256: None, link: None });
            }
        }
    }
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(entries)
}

/// SHA-256 and size of a file of any size.
///
/// # Errors
/// Not readable.
pub fn hash_file(path: &Path) -> Result<(Digest, u64)> {
    let cannot = |error: std::io::Error| Error::io("read", path, &error);
    let mut file = File::open(path).map_err(cannot)?;
    let mut hash = sha2::Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    let mut size = 0;
    loop {
        let count = file.read(&mut buffer).map_err(cannot)?;
        let Some(bytes) = buffer.get(..count).filter(|bytes| !bytes.is_empty()) else { break };
        hash.update(bytes);
        size += count as u64;
    }
    Ok((Digest::new(hash.finalize().into()), size))
}
