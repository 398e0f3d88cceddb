//! Run directories: `runs/<utc>-<host>-<plan>/` with `run.json`, `samples.parquet`, `report.html` and `charts/`.
//!
//! A run is written as its rows finish. [`RunWriter::add_row`] appends the samples to the journal
//! `samples.jsonl.part`, then replaces `run.json` atomically, so a crash loses at most the row in hand.
//! [`RunWriter::finish`] turns the journal into `samples.parquet` and removes it.

use crate::record::{Row, Run, Sample};
use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

mod atomic;
mod check;
mod error;
mod journal;
mod name;
mod parquet;
mod read;

pub use atomic::Action;
use atomic::replace;
pub(crate) use atomic::{make_directory, replace_derived};
pub use error::{ReadError, WriteError};
pub use name::run_id;
pub use read::{read_run, read_samples};

/// File name of the record inside a run directory.
pub const RUN_FILE: &str = "run.json";
/// File name of the raw samples inside a run directory.
pub const SAMPLES_FILE: &str = "samples.parquet";
/// File name of the journal of samples while a run is being measured.
pub const JOURNAL_FILE: &str = "samples.jsonl.part";

/// Writes one run directory while the run is being measured.
#[derive(Debug)]
pub struct RunWriter {
    dir: PathBuf,
    run: Run,
    rows: HashSet<String>,
    journal: journal::Journal,
}

impl RunWriter {
    /// Makes the directory `dir` (and its parents) and writes the first `run.json`.
    ///
    /// Rows that `run` has already are kept; they have no samples.
    ///
    /// # Errors
    /// [`WriteError::Exists`] when `dir` is there already, whatever is in it; [`WriteError::Io`] when it cannot be
    /// written; [`WriteError::NotFinite`] and [`WriteError::DuplicateRow`] when `run` could not be read back.
    pub fn create(dir: &Path, run: &Run) -> Result<Self, WriteError> {
        check::run(run)?;
        let mut rows = HashSet::new();
        for row in &run.rows {
            if !rows.insert(row.id.clone()) {
                return Err(WriteError::DuplicateRow { row: row.id.clone() });
            }
        }
        if let Some(parent) = dir.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            make_directory(parent)?;
        }
        fs::create_dir(dir).map_err(|source| match source.kind() {
            io::ErrorKind::AlreadyExists => WriteError::Exists { path: dir.to_path_buf() },
            _ => WriteError::io(Action::MakeDirectory, dir, source),
        })?;
        let journal = journal::Journal::create(&dir.join(JOURNAL_FILE))?;
        let writer = Self { dir: dir.to_path_buf(), run: run.clone(), rows, journal };
        writer.save()?;
        Ok(writer)
    }

    /// Adds a finished row with its samples and makes both durable. A row that could not be measured has no samples.
    ///
    /// # Errors
    /// [`WriteError::DuplicateRow`], [`WriteError::ForeignSample`] and [`WriteError::NotFinite`] refuse what could not
    /// be read back; [`WriteError::Io`] when the disk refuses. After an error the row is not part of the run, and the
    /// writer may be used further, e.g. to [`RunWriter::finish`] with the rows before it.
    pub fn add_row(&mut self, row: Row, samples: &[Sample]) -> Result<(), WriteError> {
        check::row(&row)?;
        check::samples(&row, samples)?;
        if self.rows.contains(&row.id) {
            return Err(WriteError::DuplicateRow { row: row.id });
        }
        let before = self.journal.length();
        self.journal.append(samples)?;
        let id = row.id.clone();
        self.run.rows.push(row);
        if let Err(error) = self.save() {
            self.run.rows.pop();
            self.journal.truncate(before)?;
            return Err(error);
        }
        self.rows.insert(id);
        Ok(())
    }

    /// Changes the record outside of adding rows (warnings, controls, providers, a row's status) and makes it durable.
    ///
    /// # Errors
    /// As for [`RunWriter::add_row`]. After an error the record is as it was before the call.
    pub fn update(&mut self, change: impl FnOnce(&mut Run)) -> Result<(), WriteError> {
        let before = self.run.clone();
        change(&mut self.run);
        let mut rows = HashSet::new();
        let checked =
            check::run(&self.run).and_then(|()| match self.run.rows.iter().find(|row| !rows.insert(row.id.clone())) {
                Some(row) => Err(WriteError::DuplicateRow { row: row.id.clone() }),
                None => Ok(()),
            });
        if let Err(error) = checked.and_then(|()| self.save()) {
            self.run = before;
            return Err(error);
        }
        self.rows = rows;
        Ok(())
    }

    /// The record as it stands.
    #[must_use]
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// The run directory.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Writes `samples.parquet`, sets `finished_at` (RFC 3339, UTC) and removes the journal.
    ///
    /// # Errors
    /// [`WriteError::Io`] or [`WriteError::Samples`]; the journal and the last `run.json` then stay as they were.
    pub fn finish(mut self, finished_at: &str) -> Result<Run, WriteError> {
        let journal = self.dir.join(JOURNAL_FILE);
        parquet::write(&journal, &self.dir.join(SAMPLES_FILE), &self.run.id)?;
        self.run.finished_at = Some(finished_at.to_owned());
        self.save()?;
        let Self { dir: _, run, rows: _, journal: open } = self;
        drop(open);
        fs::remove_file(&journal).map_err(|source| WriteError::io(Action::Remove, &journal, source))?;
        Ok(run)
    }

    fn save(&self) -> Result<(), WriteError> {
        let path = self.dir.join(RUN_FILE);
        let mut json = serde_json::to_vec_pretty(&self.run)
            .map_err(|error| WriteError::io(Action::Write, &path, io::Error::other(error)))?;
        json.push(b'\n');
        replace(&path, &json)
    }
}
