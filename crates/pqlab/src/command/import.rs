//! `pqlab import`: logs of `openssl speed` that people already have.

use crate::cli::Global;
use crate::error::{CliError, Outcome};
use crate::speed::{Source, host, run};
use report::openssl_speed::{Build, MAX_BYTES, parse};
use report::record::Warning;
use serde_json::json;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Which logs, and what they do not say.
#[derive(Debug, clap::Args)]
pub struct ImportArgs {
    /// Logs of `openssl speed`, tables or -mr. Files that differ only in what follows the last dot are one log: standard
    /// output (NAME.txt) and standard error (NAME.err), which has the counts
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Version of OpenSSL for logs that do not tell (-mr)
    #[arg(long, value_name = "VERSION")]
    openssl_version: Option<String>,
    /// Run directory to make; `runs/<utc>-unknown-import` when absent
    #[arg(long, short, value_name = "DIR")]
    output: Option<PathBuf>,
}

/// Imports.
///
/// # Errors
/// A file that cannot be read or is too large, logs without any figure, a run directory that exists.
pub fn run(args: &ImportArgs, global: Global) -> Outcome {
    let build = args.openssl_version.as_deref().map(build).transpose()?;
    let mut sources = Vec::new();
    let mut silent = Vec::new();
    for paths in groups(&args.files) {
        let source = source(&paths, build.clone())?;
        let description = source.log.measurements.is_empty() && !source.log.builds.is_empty();
        if description && source.log.failures.is_empty() && source.log.unread.is_empty() {
            // `openssl version -a`: says who it is and measures nothing.
            silent.push(format!("{} holds no figure", source.label));
            continue;
        }
        if source.log.measurements.is_empty() {
            silent.push(nothing(&source));
        }
        sources.push(source);
    }
    if sources.iter().all(|source| source.log.measurements.is_empty()) {
        return Err(CliError::usage(silent.join("; "))
            .with_hint("give the standard output of `openssl speed`, and its standard error beside it as NAME.err"));
    }
    if !global.quiet {
        silent.iter().for_each(|what| eprintln!("warning: {what}"));
    }
    let mut warnings = vec![Warning {
        code: "imported".into(),
        message: "These figures were read from logs of `openssl speed`: host, date, load and inputs are not known, no \
                  conformance was checked, and one call gives one figure without an interval. `started_at` is the moment \
                  of the import."
            .into(),
    }];
    warnings.extend(silent.into_iter().map(|message| Warning { code: "empty-log".into(), message }));
    let files: Vec<String> = args.files.iter().map(|path| path.display().to_string()).collect();
    let made = run::Made {
        plan: "import",
        analysis: "Figures of `openssl speed`, imported from its logs.".into(),
        settings: BTreeMap::from([
            ("files".to_owned(), json!(files)),
            ("openssl_version".to_owned(), json!(args.openssl_version)),
        ]),
        host: host::unknown(),
        started_at: crate::record::now(),
        sources,
        further: Vec::new(),
        warnings,
    };
    run::store(made, args.output.as_deref(), global)
}

fn build(version: &str) -> Result<Build, CliError> {
    let log = parse(&[format!("version: {version}").as_bytes()]).ok();
    log.and_then(|log| log.builds.into_iter().next()).ok_or_else(|| {
        CliError::usage(format!("`{version}` is no version of OpenSSL")).with_hint("--openssl-version 3.5.5")
    })
}

/// Files by everything before the last dot, in the order given; standard output before standard error.
fn groups(files: &[PathBuf]) -> Vec<Vec<&Path>> {
    let mut groups: Vec<(PathBuf, Vec<&Path>)> = Vec::new();
    for file in files {
        let stem = file.with_extension("");
        match groups.iter_mut().find(|(known, _)| *known == stem) {
            Some((_, members)) if members.contains(&file.as_path()) => {}
            Some((_, members)) => members.push(file),
            None => groups.push((stem, vec![file])),
        }
    }
    for (_, members) in &mut groups {
        members.sort_by_key(|path| path.extension().is_some_and(|end| end == "err"));
    }
    groups.into_iter().map(|(_, members)| members).collect()
}

fn source(paths: &[&Path], build: Option<Build>) -> Result<Source, CliError> {
    let label = paths.first().map(|path| path.display().to_string()).unwrap_or_default();
    let mut files = Vec::new();
    for path in paths {
        let name = path.file_name().map_or_else(|| "log".into(), |name| name.to_string_lossy().into_owned());
        files.push((name, read(path)?));
    }
    if files.iter().all(|(_, bytes)| bytes.iter().all(u8::is_ascii_whitespace)) {
        return Err(CliError::usage(format!("{label} is empty"))
            .with_hint("`openssl speed … > NAME.txt 2> NAME.err` writes both halves of a log"));
    }
    let parts: Vec<&[u8]> = files.iter().map(|(_, bytes)| bytes.as_slice()).collect();
    let log = parse(&parts).map_err(|error| too_large(&label, &error.to_string()))?;
    Ok(Source { label, log, files, executable: None, build })
}

fn read(path: &Path) -> Result<Vec<u8>, CliError> {
    let unreadable = |error: std::io::Error| {
        CliError::usage(format!("cannot read {}: {error}", path.display()))
            .with_hint("give files with the output of `openssl speed`")
    };
    let file = File::open(path).map_err(unreadable)?;
    if !file.metadata().map_err(unreadable)?.is_file() {
        return Err(CliError::usage(format!("{} is not a plain file", path.display()))
            .with_hint("give files with the output of `openssl speed`"));
    }
    let mut bytes = Vec::new();
    file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() > MAX_BYTES {
        return Err(too_large(&path.display().to_string(), &format!("a log has at most {MAX_BYTES} bytes")));
    }
    Ok(bytes)
}

fn too_large(label: &str, what: &str) -> CliError {
    CliError::usage(format!("{label} is too large: {what}")).with_hint("is it a log of `openssl speed`?")
}

/// Why a log has no figure, as far as it tells.
fn nothing(source: &Source) -> String {
    let said = source.log.failures.first().map(|failure| format!(": it says `{}`", failure.text));
    let unread = source.log.unread.first().map(|unread| format!("; {unread}"));
    format!("no figure in {}{}{}", source.label, said.unwrap_or_default(), unread.unwrap_or_default())
}
