//! Reading what was stored: bounded, and with an error that says which of the many ways of being wrong it is.

use super::{JOURNAL_FILE, RUN_FILE, ReadError, SAMPLES_FILE, journal, parquet};
use crate::record::{Run, SCHEMA, Sample};
use serde::Deserialize;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// A row has about 2 kB; this is room for a hundred thousand.
const LARGEST_RUN: u64 = 256 * 1024 * 1024;

/// Reads the record of a run directory, or of the `run.json` given. Fields that this version does not know are passed
/// over; missing ones are an error.
///
/// # Errors
/// One kind of [`ReadError`] for each kind of damage; see there.
pub fn read_run(path: &Path) -> Result<Run, ReadError> {
    let path = record_path(path)?;
    let bytes = bounded(&path)?;
    schema_of(&path, &bytes)?;
    serde_json::from_slice(&bytes).map_err(|error| ReadError::Malformed {
        path: path.clone(),
        line: error.line(),
        column: error.column(),
        message: message(&error),
    })
}

/// Reads the raw samples of a run directory (or of the directory of the `run.json` given): `samples.parquet`, or the
/// journal of an interrupted run, of which one incomplete last line is passed over.
///
/// # Errors
/// [`ReadError::Samples`] when there are none or when they are damaged.
pub fn read_samples(dir: &Path) -> Result<Vec<Sample>, ReadError> {
    let dir = if dir.is_dir() { dir.to_path_buf() } else { dir.parent().unwrap_or(Path::new(".")).to_path_buf() };
    let stored = dir.join(SAMPLES_FILE);
    // Both are there only when a crash came after the Parquet file was put in place: then it is complete.
    if stored.exists() {
        return parquet::read(&stored);
    }
    let part = dir.join(JOURNAL_FILE);
    if !part.exists() {
        return Err(ReadError::Samples {
            path: stored,
            message: "missing, and there is no journal samples.jsonl.part either".into(),
        });
    }
    let mut samples = Vec::new();
    journal::read(&part, |sample| {
        samples.push(sample);
        Ok(())
    })?;
    Ok(samples)
}

fn record_path(path: &Path) -> Result<PathBuf, ReadError> {
    let metadata = fs::metadata(path).map_err(|source| ReadError::io(path, source))?;
    if !metadata.is_dir() {
        return Ok(path.to_path_buf());
    }
    let record = path.join(RUN_FILE);
    if record.exists() { Ok(record) } else { Err(ReadError::NotARun { path: path.to_path_buf() }) }
}

/// Opens a plain file: a pipe would be waited for, and a device read, for ever.
pub(super) fn open(path: &Path) -> Result<File, ReadError> {
    let failed = |source| ReadError::io(path, source);
    if !fs::metadata(path).map_err(failed)?.is_file() {
        return Err(ReadError::NotAFile { path: path.to_path_buf() });
    }
    File::open(path).map_err(failed)
}

fn bounded(path: &Path) -> Result<Vec<u8>, ReadError> {
    let file = open(path)?;
    let too_large = |bytes| ReadError::TooLarge { path: path.to_path_buf(), bytes, limit: LARGEST_RUN };
    let length = file.metadata().map_err(|source| ReadError::io(path, source))?.len();
    if length > LARGEST_RUN {
        return Err(too_large(length));
    }
    let mut bytes = Vec::new();
    // It may grow while it is read.
    file.take(LARGEST_RUN + 1).read_to_end(&mut bytes).map_err(|source| ReadError::io(path, source))?;
    if bytes.len() as u64 > LARGEST_RUN {
        return Err(too_large(bytes.len() as u64));
    }
    Ok(bytes)
}

/// The one field that is read before all others, because it says how to read them.
#[derive(Deserialize)]
struct Head {
    schema: Option<serde_json::Value>,
}

fn schema_of(path: &Path, bytes: &[u8]) -> Result<(), ReadError> {
    let path = path.to_path_buf();
    let head: Head = match serde_json::from_slice(bytes) {
        Ok(head) => head,
        Err(error) if error.is_eof() => {
            if bytes.trim_ascii().is_empty() {
                return Err(ReadError::Empty { path });
            }
            return Err(ReadError::Truncated { path, line: error.line(), column: error.column() });
        }
        Err(error) if error.is_data() => return Err(ReadError::WrongSchema { path, found: "missing".into() }),
        Err(error) => {
            let (line, column) = (error.line(), error.column());
            return Err(ReadError::NotJson { path, line, column, message: message(&error) });
        }
    };
    match head.schema {
        Some(serde_json::Value::String(schema)) if schema == SCHEMA => Ok(()),
        Some(serde_json::Value::String(schema)) if is_newer(&schema) => {
            Err(ReadError::NewerSchema { path, found: schema })
        }
        Some(other) => Err(ReadError::WrongSchema { path, found: other.to_string() }),
        None => Err(ReadError::WrongSchema { path, found: "missing".into() }),
    }
}

fn is_newer(schema: &str) -> bool {
    schema.strip_prefix("pqlab.run/").is_some_and(|version| {
        version.bytes().all(|b| b.is_ascii_digit()) && version.parse::<u32>().is_ok_and(|v| v > 1)
    })
}

/// The parser's words without the position, which stands in its own fields.
fn message(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(end) => text.get(..end).unwrap_or(&text).to_owned(),
        None => text,
    }
}
