//! A shared library file: where it lies and which bytes it has.

use super::Library;
use crate::error::{Error, Result};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Canonical path and SHA-256 of a shared library.
///
/// # Errors
/// [`crate::Fault::Environment`] when the file does not exist, is not a file, or cannot be read.
pub(crate) fn library_file(path: &Path) -> Result<Library> {
    let unreadable = |error: std::io::Error| {
        Error::environment(format!("{} cannot be read: {error}", path.display()))
            .with_hint("give the path of the shared library file itself, e.g. …/lib/libNAME.so")
    };
    let canonical = path.canonicalize().map_err(unreadable)?;
    if !canonical.is_file() {
        return Err(Error::environment(format!("{} is not a file", path.display()))
            .with_hint("give the path of the shared library file itself, e.g. …/lib/libNAME.so"));
    }
    let mut file = File::open(&canonical).map_err(unreadable)?;
    let mut digest = Sha256::new();
    let mut block = vec![0; 64 * 1024];
    loop {
        let read = file.read(&mut block).map_err(unreadable)?;
        let Some(part) = block.get(..read).filter(|part| !part.is_empty()) else { break };
        digest.update(part);
    }
    Ok(Library { path: canonical, sha256: hex::encode(digest.finalize()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_the_whole_file_and_resolves_the_path() {
        // Longer than one block, so that a loop that stops early gives another digest.
        let folder = std::env::temp_dir().join(format!("pqlab-library-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("million-a");
        std::fs::write(&path, vec![b'a'; 1_000_000]).unwrap();
        let found = library_file(&folder.join(".").join("million-a")).unwrap();
        let expected = path.canonicalize().unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(found.path, expected);
        // FIPS 180-2 appendix B.3: SHA-256 of one million "a".
        assert_eq!(found.sha256, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    }

    #[test]
    fn a_missing_file_and_a_folder_are_named() {
        let missing = library_file(Path::new("no-such-folder/lib.so")).unwrap_err();
        assert!(missing.what().contains("no-such-folder/lib.so"), "{missing}");
        let folder = library_file(&std::env::temp_dir()).unwrap_err();
        assert!(folder.what().contains("is not a file"), "{folder}");
    }
}
