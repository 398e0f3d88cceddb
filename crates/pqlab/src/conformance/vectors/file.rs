//! Finding and reading files within bounds.

use super::LoadError;
use flate2::read::MultiGzDecoder;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The largest file that is read, bytes, compressed or not. The largest file of NIST has 9 MB.
pub const MAX_FILE: u64 = 256 << 20;

const MAX_DEPTH: usize = 16;
const MAX_FILES: usize = 20_000;

/// The regular files under `path` in order of name; `path` itself when it is one.
pub(super) fn find(path: &Path) -> Result<Vec<PathBuf>, LoadError> {
    let mut found = Vec::new();
    walk(path, 0, &mut found)?;
    found.sort();
    Ok(found)
}

fn walk(path: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<(), LoadError> {
    let name = path.display().to_string();
    let refuse = |what: String| LoadError::whole(&name, what);
    let meta = fs::metadata(path).map_err(|e| refuse(format!("cannot be opened: {e}")))?;
    if meta.is_file() {
        if found.len() >= MAX_FILES {
            return Err(refuse(format!("more than {MAX_FILES} files; give a smaller directory")));
        }
        found.push(path.to_owned());
        return Ok(());
    }
    if !meta.is_dir() {
        return if depth == 0 { Err(refuse("neither a file nor a directory".into())) } else { Ok(()) };
    }
    if depth >= MAX_DEPTH {
        return Err(refuse(format!("directories nested more than {MAX_DEPTH} deep")));
    }
    for entry in fs::read_dir(path).map_err(|e| refuse(format!("cannot be listed: {e}")))? {
        let entry = entry.map_err(|e| refuse(format!("cannot be listed: {e}")))?;
        // A broken link inside a directory is nobody's vector file.
        if entry.path().exists() {
            walk(&entry.path(), depth + 1, found)?;
        }
    }
    Ok(())
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
