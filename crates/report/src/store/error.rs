//! What can be wrong with a run directory, where, and what helps.

use super::Action;
use std::io;
use std::path::{Path, PathBuf};

/// A stored run cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file is missing, or may not be read.
    #[error("cannot read {path}: {source}")]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
    /// The directory is there but holds no `run.json`.
    #[error("{path} is not a run directory: it holds no run.json")]
    NotARun {
        /// The directory.
        path: PathBuf,
    },
    /// A pipe, a device or a socket stands where a file should.
    #[error("{path} is no plain file")]
    NotAFile {
        /// What was given.
        path: PathBuf,
    },
    /// Nothing is in it.
    #[error("{path} is empty")]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// The JSON ends too early.
    #[error("{path} is truncated: it ends at line {line}, column {column}, in the middle of the record")]
    Truncated {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
    },
    /// Not JSON at all, or damaged.
    #[error("{path} is not valid JSON: line {line}, column {column}: {message}")]
    NotJson {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What the parser says.
        message: String,
    },
    /// JSON, but of another kind.
    #[error("{path} is not a pqlab run: its schema is {found}, expected \"pqlab.run/1\"")]
    WrongSchema {
        /// The file.
        path: PathBuf,
        /// The value of `schema` as it stands there, or `missing`.
        found: String,
    },
    /// Written by a newer pqlab.
    #[error("{path} was written by a newer pqlab: its schema is \"{found}\", this version reads \"pqlab.run/1\"")]
    NewerSchema {
        /// The file.
        path: PathBuf,
        /// The value of `schema`.
        found: String,
    },
    /// The schema's name is right, but a field is missing or has another type.
    #[error("{path} does not follow pqlab.run/1: line {line}, column {column}: {message}")]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// Which field, and what was expected.
        message: String,
    },
    /// Larger than any real record.
    #[error("{path} has {bytes} bytes; a run.json has at most {limit}")]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its size.
        bytes: u64,
        /// The bound.
        limit: u64,
    },
    /// The raw samples are missing or damaged.
    #[error("{path}: {message}")]
    Samples {
        /// `samples.parquet` or the journal.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
}

impl ReadError {
    pub(crate) fn io(path: &Path, source: io::Error) -> Self {
        Self::Io { path: path.to_path_buf(), source }
    }

    /// One line that says what helps.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::Io { source, path } if source.kind() == io::ErrorKind::NotFound => {
                format!(
                    "give a run directory, e.g. runs/<utc>-<host>-<plan>; `ls {}` shows which there are",
                    parent(path)
                )
            }
            Self::Io { source, .. } if source.kind() == io::ErrorKind::PermissionDenied => {
                "give yourself read permission, e.g. `chmod -R u+r RUN`".into()
            }
            Self::Io { .. } => "check the disk and the path".into(),
            Self::NotARun { .. } => "give the directory that `pqlab run` printed, or its run.json".into(),
            Self::NotAFile { .. } => {
                "give a run directory of `pqlab run`, or its run.json; copy a stream to a file first".into()
            }
            Self::Empty { .. } => {
                "it was never written or was lost in copying: copy the run directory again from where it was measured"
                    .into()
            }
            Self::Truncated { .. } => {
                "the file was cut while it was copied: copy it again; pqlab itself replaces run.json in one step".into()
            }
            Self::NotJson { .. } => {
                "the file is damaged or not a run.json: copy it again from where it was measured".into()
            }
            Self::WrongSchema { .. } => "give a run directory of `pqlab run`, or its run.json".into(),
            Self::NewerSchema { .. } => {
                "install the pqlab that wrote it (tool_version in run.json) or a later one".into()
            }
            Self::Malformed { .. } => "compare it with docs/RECORD.md; was it edited by hand?".into(),
            Self::TooLarge { .. } => "give a run.json; raw samples belong in samples.parquet".into(),
            Self::Samples { .. } => {
                "copy the run directory again; tables and bar charts need run.json only and can still be made".into()
            }
        }
    }
}

/// A run directory cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// Something is there already; nothing is overwritten.
    #[error("{path} exists already")]
    Exists {
        /// The directory asked for.
        path: PathBuf,
    },
    /// The operating system refuses.
    #[error("cannot {action} {path}: {source}")]
    Io {
        /// What was tried.
        action: Action,
        /// On which file or directory.
        path: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
    /// Two rows of one run have the same identifier (caller's fault).
    #[error("the run has a row \"{row}\" already")]
    DuplicateRow {
        /// [`crate::record::Row::id`].
        row: String,
    },
    /// A sample names another row than the one it came with (caller's fault).
    #[error("a sample of row \"{sample}\" was given with row \"{row}\"")]
    ForeignSample {
        /// The row it came with.
        row: String,
        /// The row it names.
        sample: String,
    },
    /// A number that JSON cannot hold: infinite or not a number (caller's fault).
    #[error("{field} is {value}, which the record cannot hold")]
    NotFinite {
        /// Where.
        field: String,
        /// `NaN`, `inf` or `-inf`.
        value: f64,
    },
    /// The journal could not be turned into `samples.parquet`.
    #[error("cannot write {path}: {message}")]
    Samples {
        /// `samples.parquet`.
        path: PathBuf,
        /// Why.
        message: String,
    },
}

impl WriteError {
    pub(crate) fn io(action: Action, path: &Path, source: io::Error) -> Self {
        Self::Io { action, path: path.to_path_buf(), source }
    }

    /// One line that says what helps.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::Exists { .. } => "choose another directory with --output DIR, or move the old run away".into(),
            Self::Io { path, source, .. } => match source.kind() {
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                    format!("free space on the file system of {}, or choose another with --output DIR", parent(path))
                }
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                    format!("{} is not writable for you: choose another directory with --output DIR", parent(path))
                }
                io::ErrorKind::NotADirectory => "a part of the path is a file: choose another with --output DIR".into(),
                _ => "check the disk, or choose another directory with --output DIR".into(),
            },
            Self::DuplicateRow { .. } => "give each row its own id: provider/algorithm/operation[/size][/mode]".into(),
            Self::ForeignSample { .. } => "add each row together with its own samples".into(),
            Self::NotFinite { .. } => "store null and put the reason under the same key in `absent`".into(),
            Self::Samples { .. } => {
                "the samples are still in samples.jsonl.part beside it; `pqlab report` reads them from there".into()
            }
        }
    }
}

fn parent(path: &Path) -> String {
    match path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        Some(parent) => parent.display().to_string(),
        None => ".".into(),
    }
}
