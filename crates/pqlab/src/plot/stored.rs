//! Speeds from files: `.dat` tables, logs of `openssl speed`, run directories, and folders of them.

use crate::error::CliError;
use report::openssl_speed;
use report::plot::table::{Source, Table, TableType};
use report::plot::{MAX_BYTES, Speeds};
use report::store::read_run;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Most files of a folder that are read.
const MOST_FILES: usize = 2_000;

/// Adds what a path holds.
///
/// # Errors
/// A path that cannot be read, or holds no figures.
pub fn read(speeds: &mut Speeds, path: &Path) -> Result<(), CliError> {
    if path.is_dir() && !path.join("run.json").is_file() {
        return folder(speeds, path);
    }
    if path.is_dir() || path.file_name().is_some_and(|name| name == "run.json") {
        let run = read_run(path).map_err(|error| CliError::usage(error.to_string()).with_hint(error.hint()))?;
        speeds.add_run(&run);
        return Ok(());
    }
    if has_extension(path, &["dat"]) {
        speeds.add_table(&table(path, None)?);
        return Ok(());
    }
    if log(speeds, path)? {
        return Ok(());
    }
    Err(CliError::usage(format!("{} holds no figures of `openssl speed`", path.display()))
        .with_hint("give its standard output, a .dat file, a run directory, or a folder of them"))
}

/// Reads a `.dat` file.
///
/// # Errors
/// A file that cannot be read, or what is wrong at which line.
pub fn table(path: &Path, forced: Option<TableType>) -> Result<Table, CliError> {
    let bytes = bounded(path, MAX_BYTES)?;
    report::plot::read(&path.display().to_string(), &bytes, forced)
        .map_err(|error| CliError::usage(error.to_string()).with_hint(error.hint))
}

/// Tables and logs of a folder, in the order of their names; other files are none of ours.
fn folder(speeds: &mut Speeds, path: &Path) -> Result<(), CliError> {
    let unreadable = |error: &std::io::Error| {
        CliError::usage(format!("cannot read {}: {error}", path.display())).with_hint("give another --from")
    };
    let entries = std::fs::read_dir(path).map_err(|error| unreadable(&error))?;
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in entries {
        let file = entry.map_err(|error| unreadable(&error))?.path();
        if has_extension(&file, &["dat", "txt", "log"]) && file.is_file() {
            files.push(file);
        }
        if files.len() > MOST_FILES {
            return Err(CliError::usage(format!("{} holds more than {MOST_FILES} files", path.display()))
                .with_hint("give a folder with the logs of one gallery"));
        }
    }
    files.sort();
    for file in &files {
        if has_extension(file, &["dat"]) {
            speeds.add_table(&table(file, None)?);
        } else {
            log(speeds, file)?;
        }
    }
    if speeds.is_empty() {
        return Err(CliError::usage(format!("{} holds no .dat file and no log with figures", path.display()))
            .with_hint("logs are the standard output of `openssl speed` in files *.txt or *.log"));
    }
    Ok(())
}

/// Whether the log has figures. What `NAME.err` beside it says of algorithms that are not there is read too.
fn log(speeds: &mut Speeds, path: &Path) -> Result<bool, CliError> {
    let mut parts = vec![bounded(path, openssl_speed::MAX_BYTES / 2)?];
    let beside = path.with_extension("err");
    if beside.is_file() && beside != path {
        parts.push(bounded(&beside, openssl_speed::MAX_BYTES / 2)?);
    }
    let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
    let log = openssl_speed::parse(&parts)
        .map_err(|error| CliError::usage(format!("{}: {error}", path.display())).with_hint("plot a part of it"))?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let fallback = Source { id: stem.clone(), host: None, made_by: None };
    speeds.add_log(&log, &fallback, stem.ends_with("-no-evp"));
    Ok(!log.measurements.is_empty())
}

fn bounded(path: &Path, most: usize) -> Result<Vec<u8>, CliError> {
    let unreadable = |error: &std::io::Error| {
        let error_text = format!("cannot read {}: {error}", path.display());
        CliError::usage(error_text).with_hint("give a file that is there, with -d FILE.dat or --from PATH")
    };
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| unreadable(&error))?;
    file.take(most as u64 + 1).read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
    if bytes.len() > most {
        return Err(
            CliError::usage(format!("{} has more than {most} bytes", path.display())).with_hint("plot a part of it")
        );
    }
    Ok(bytes)
}

fn has_extension(path: &Path, known: &[&str]) -> bool {
    path.extension().is_some_and(|extension| known.iter().any(|word| extension.eq_ignore_ascii_case(word)))
}
