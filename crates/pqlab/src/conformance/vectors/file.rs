//! Finding and reading files within bounds.

use super::LoadError;
use flate2::read::MultiGzDecoder;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The largest file that is read, bytes, compressed or not. The largest file of NIST has 9 MB.
pub const MAX_FILE: u64 = 256 << 20;

const MAX_DEPTH: usize = 16;
const MAX_FILES: usize = 20_000;

/// What lies under a path.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Regular files in order of name.
    pub(super) files: Vec<PathBuf>,
    /// Directories that links lead to a second time, with where they were visited first.
    pub(super) again: Vec<(String, String)>,
}

/// The regular files under `path`; `path` itself when it is one. A directory to which links lead again is visited once.
pub(super) fn find(path: &Path) -> Result<Found, LoadError> {
    let mut walk = Walk::default();
    walk.visit(path, 0)?;
    walk.found.files.sort();
    Ok(walk.found)
}

#[derive(Default)]
struct Walk {
    found: Found,
    /// Real path of each directory visited, and as it was reached.
    visited: BTreeMap<PathBuf, PathBuf>,
}

impl Walk {
    fn visit(&mut self, path: &Path, depth: usize) -> Result<(), LoadError> {
        let name = path.display().to_string();
        let refuse = |what: String| LoadError::whole(&name, what);
        let meta = fs::metadata(path).map_err(|e| LoadError {
            missing: e.kind() == std::io::ErrorKind::NotFound,
            ..refuse(format!("cannot be opened: {e}"))
        })?;
        if meta.is_file() {
            if self.found.files.len() >= MAX_FILES {
                return Err(refuse(format!("more than {MAX_FILES} files; give a smaller directory")));
            }
            self.found.files.push(path.to_owned());
            return Ok(());
        }
        if !meta.is_dir() {
            return if depth == 0 { Err(refuse("neither a file nor a directory".into())) } else { Ok(()) };
        }
        let real = fs::canonicalize(path).map_err(|e| refuse(format!("cannot be opened: {e}")))?;
        if let Some(first) = self.visited.get(&real) {
            self.found.again.push((name, format!("a link to {}, which is read already", first.display())));
            return Ok(());
        }
        self.visited.insert(real, path.to_owned());
        if depth >= MAX_DEPTH {
            return Err(refuse(format!("directories nested more than {MAX_DEPTH} deep")));
        }
        let listing = fs::read_dir(path).and_then(Iterator::collect::<std::io::Result<Vec<_>>>);
        let mut entries: Vec<PathBuf> =
            listing.map_err(|e| refuse(format!("cannot be listed: {e}")))?.iter().map(fs::DirEntry::path).collect();
        // What is there itself comes before what is a link to it; otherwise in order of name.
        entries.sort_by_key(|entry| (entry.is_symlink(), entry.clone()));
        // A broken link inside a directory is nobody's vector file.
        for entry in entries.iter().filter(|entry| entry.exists()) {
            self.visit(entry, depth + 1)?;
        }
        Ok(())
    }
}

/// Reads and, when it is gzip, decompresses a file.
pub(super) fn read(path: &Path, name: &str) -> Result<Vec<u8>, LoadError> {
    let refuse = |e: std::io::Error| LoadError::whole(name, format!("cannot be read: {e}"));
    let file = File::open(path).map_err(refuse)?;
    let size = file.metadata().map_err(refuse)?.len();
    if size > MAX_FILE {
        return Err(LoadError::whole(name, format!("has {size} bytes, more than the {MAX_FILE} that are read")));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0));
    file.take(MAX_FILE).read_to_end(&mut bytes).map_err(refuse)?;
    inflate(name, &bytes)
}

/// Decompresses what begins as gzip; other bytes as they are.
///
/// # Errors
/// For a corrupt or truncated stream, and for one that grows beyond [`MAX_FILE`].
pub fn inflate(name: &str, bytes: &[u8]) -> Result<Vec<u8>, LoadError> {
    if !bytes.starts_with(&[0x1F, 0x8B]) {
        return Ok(bytes.to_vec());
    }
    let mut plain = Vec::new();
    match MultiGzDecoder::new(bytes).take(MAX_FILE + 1).read_to_end(&mut plain) {
        Ok(size) if size as u64 > MAX_FILE => {
            Err(LoadError::whole(name, format!("unpacks to more than the {MAX_FILE} bytes that are read")))
        }
        Ok(_) => Ok(plain),
        Err(error) => Err(LoadError::at(
            name,
            format!("after {} unpacked bytes", plain.len()),
            format!("the gzip stream is corrupt or truncated: {error}"),
        )),
    }
}
