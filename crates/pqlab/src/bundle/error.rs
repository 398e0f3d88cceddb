//! What went wrong with a bundle, and the one thing that helps.

use std::fmt;
use std::io;
use std::path::Path;

/// Result of everything that has to do with bundles.
pub type Result<T> = std::result::Result<T, Error>;

/// An error in use or environment: always exit code 2. Findings of `bundle verify` are not errors.
#[derive(Debug)]
pub struct Error {
    what: String,
    hint: Option<String>,
}

impl Error {
    /// Names the thing and what was wrong with it.
    pub fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), hint: None }
    }

    /// Adds the exact flag or command that helps.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// A file operation failed. `doing` is a verb in its base form: "create", "read".
    pub fn io(doing: &str, path: &Path, cause: &io::Error) -> Self {
        let error = Self::new(format!("cannot {doing} {}: {cause}", path.display()));
        match cause.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                error.with_hint("free some space, or set PQLAB_CACHE to a directory on another disk")
            }
            io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied | io::ErrorKind::NotADirectory => {
                error.with_hint("set PQLAB_CACHE to a directory that you may write to")
            }
            _ => error,
        }
    }

    /// The user stopped the work.
    pub fn interrupted() -> Self {
        Self::new("interrupted: the unfinished bundle was removed").with_hint("the same command starts again")
    }

    /// What was wrong, without the hint.
    pub fn what(&self) -> &str {
        &self.what
    }

    /// What helps, where something does.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Error {}
