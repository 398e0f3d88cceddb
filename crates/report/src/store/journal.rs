//! The journal of samples: one JSON object a line, appended row by row.

use super::{Action, ReadError, WriteError};
use crate::record::Sample;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// No line that was written by [`Journal::append`] comes near this.
const LONGEST_LINE: u64 = 64 * 1024;

/// The open journal of a run that is being measured.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    file: File,
    length: u64,
}

impl Journal {
    /// Makes an empty journal.
    pub(super) fn create(path: &Path) -> Result<Self, WriteError> {
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(path)
            .map_err(|source| WriteError::io(Action::Write, path, source))?;
        Ok(Self { path: path.to_path_buf(), file, length: 0 })
    }

    /// Bytes that are known to be whole lines.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// Appends samples and makes them durable. After an error the journal is cut back to what it was.
    pub(super) fn append(&mut self, samples: &[Sample]) -> Result<(), WriteError> {
        if samples.is_empty() {
            return Ok(());
        }
        let mut lines = Vec::with_capacity(samples.len() * 192);
        for sample in samples {
            serde_json::to_writer(&mut lines, sample)
                .map_err(|error| WriteError::io(Action::Write, &self.path, io::Error::other(error)))?;
            lines.push(b'\n');
        }
        if let Err(source) = self.file.write_all(&lines).and_then(|()| self.file.sync_data()) {
            let before = self.length;
            // The write is the error to report; what stays behind it is at worst one broken last line.
            let _ = self.truncate(before);
            return Err(WriteError::io(Action::Write, &self.path, source));
        }
        self.length += lines.len() as u64;
        Ok(())
    }

    /// Cuts the journal back to `length` bytes.
    pub(super) fn truncate(&mut self, length: u64) -> Result<(), WriteError> {
        self.file
            .set_len(length)
            .and_then(|()| self.file.seek(SeekFrom::Start(length)))
            .map_err(|source| WriteError::io(Action::Write, &self.path, source))?;
        self.length = length;
        Ok(())
    }
}

/// Hands the samples of a journal to `each`, in order. One incomplete last line (a crash) is passed over.
pub(super) fn read(path: &Path, mut each: impl FnMut(Sample) -> Result<(), ReadError>) -> Result<(), ReadError> {
    let file = super::read::open(path)?;
    let mut reader = BufReader::new(file);
    let mut line = Vec::new();
    for number in 1_usize.. {
        line.clear();
        let read = reader
            .by_ref()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line)
            .map_err(|source| ReadError::io(path, source))?;
        if read == 0 {
            break;
        }
        let complete = line.last() == Some(&b'\n');
        match serde_json::from_slice::<Sample>(&line) {
            Ok(sample) => each(sample)?,
            Err(_) if !complete && (read as u64) < LONGEST_LINE => break,
            Err(error) => {
                return Err(ReadError::Samples {
                    path: path.to_path_buf(),
                    message: format!("line {number} of the journal is damaged: {error}"),
                });
            }
        }
    }
    Ok(())
}
