//! Files that are either the old one or the new one, never half of each.

use super::WriteError;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// What was tried when the operating system refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Making a directory.
    MakeDirectory,
    /// Writing a file.
    Write,
    /// Putting a finished file in its place.
    Rename,
    /// Making a change durable.
    Synchronise,
    /// Removing a file.
    Remove,
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::MakeDirectory => "make directory",
            Self::Write => "write",
            Self::Rename => "put in place",
            Self::Synchronise => "make durable",
            Self::Remove => "remove",
        })
    }
}

/// Makes a directory and its parents; one that is there already is fine.
pub(crate) fn make_directory(path: &Path) -> Result<(), WriteError> {
    fs::create_dir_all(path).map_err(|source| WriteError::io(Action::MakeDirectory, path, source))
}

/// Replaces the contents of `path`: temporary file in the same directory, fsync, rename, fsync of the directory.
pub(crate) fn replace(path: &Path, contents: &[u8]) -> Result<(), WriteError> {
    replace_with(path, |file| file.write_all(contents).map_err(|source| WriteError::io(Action::Write, path, source)))
}

/// Like [`replace`] without waiting for the disk: for what can be made again from the record.
pub(crate) fn replace_derived(path: &Path, contents: &[u8]) -> Result<(), WriteError> {
    let temporary = temporary(path);
    let done = fs::write(&temporary, contents)
        .map_err(|source| WriteError::io(Action::Write, path, source))
        .and_then(|()| fs::rename(&temporary, path).map_err(|source| WriteError::io(Action::Rename, path, source)));
    if done.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&temporary);
    }
    done
}

/// Like [`replace`], with contents that `fill` writes. On any error the temporary file is removed and `path` untouched.
pub(crate) fn replace_with(
    path: &Path,
    fill: impl FnOnce(&mut File) -> Result<(), WriteError>,
) -> Result<(), WriteError> {
    let temporary = temporary(path);
    let done = write_new(&temporary, path, fill)
        .and_then(|()| fs::rename(&temporary, path).map_err(|source| WriteError::io(Action::Rename, path, source)));
    if let Err(error) = done {
        // The first error is the one to report; a left-over temporary file is harmless and is overwritten next time.
        let _ = fs::remove_file(&temporary);
        return Err(error);
    }
    synchronise_directory(path.parent().unwrap_or(Path::new(".")))
}

/// A hidden name beside the file.
fn temporary(path: &Path) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".tmp");
    path.with_file_name(name)
}

fn write_new(
    temporary: &Path,
    path: &Path,
    fill: impl FnOnce(&mut File) -> Result<(), WriteError>,
) -> Result<(), WriteError> {
    let mut file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .open(temporary)
        .map_err(|source| WriteError::io(Action::Write, path, source))?;
    fill(&mut file)?;
    file.sync_all().map_err(|source| WriteError::io(Action::Synchronise, path, source))
}

/// A rename is durable only when its directory is.
#[cfg(unix)]
fn synchronise_directory(path: &Path) -> Result<(), WriteError> {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    File::open(path)
        .and_then(|directory| directory.sync_all())
        .map_err(|source| WriteError::io(Action::Synchronise, path, source))
}

/// Other systems have no handle on a directory that could be synchronised.
#[cfg(not(unix))]
fn synchronise_directory(_path: &Path) -> Result<(), WriteError> {
    Ok(())
}
