//! Rows → a run directory, with the raw logs beside the record.

use super::{Source, provider, provider_id, rows};
use crate::cli::Global;
use crate::command::{print, print_json};
use crate::error::{CliError, FINDING, Outcome};
use crate::record;
use report::openssl_speed::FailureKind;
use report::record::{Harness, Host, Plan, Provider, Row, Run, SCHEMA, Sample, Status, Warning};
use report::store::{RunWriter, WriteError, run_id};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Folder of the raw logs in a run directory.
pub const LOGS_DIRECTORY: &str = "logs";
/// Unread lines that are shown one by one.
const SHOWN: usize = 10;

/// What a run is made of.
pub struct Made {
    /// `import`, `openssl-speed`, `openssl-pkeyutl`.
    pub plan: &'static str,
    /// What a reader must know of how these figures came about.
    pub analysis: String,
    /// Options by name.
    pub settings: BTreeMap<String, Value>,
    /// Whose figures these are.
    pub host: Host,
    /// RFC 3339.
    pub started_at: String,
    /// Logs.
    pub sources: Vec<Source>,
    /// Rows that come from no log (command latency, executables that lack an algorithm).
    pub further: Vec<(Row, Vec<Sample>)>,
    /// What a reader must know before using a number.
    pub warnings: Vec<Warning>,
}

/// Writes the run directory and its reports, and prints the tables.
///
/// # Errors
/// The directory exists or cannot be written.
pub fn store(made: Made, output: Option<&Path>, global: Global) -> Outcome {
    let Made { plan, analysis, settings, host, started_at, sources, further, warnings } = made;
    let id = run_id(&started_at, host.name.as_deref().unwrap_or("unknown"), plan);
    let mut run = Run {
        schema: SCHEMA.into(),
        id,
        tool_version: env!("CARGO_PKG_VERSION").into(),
        started_at,
        finished_at: None,
        command: std::env::args().collect(),
        plan: Plan { name: plan.into(), analysis: Some(analysis), settings },
        seed: rows::SEED,
        host,
        providers: providers(&sources),
        harness: Harness {
            tax_ns: None,
            tax_by_operation: BTreeMap::new(),
            reason: Some("measured by `openssl`, not through a worker of pqlab".into()),
        },
        rows: Vec::new(),
        controls: Vec::new(),
        warnings,
    };
    run.warnings.extend(sources.iter().filter_map(unread));
    let dir: PathBuf = output.map_or_else(|| Path::new("runs").join(&run.id), Path::to_path_buf);
    let mut writer = RunWriter::create(&dir, &run).map_err(write_error)?;
    keep_logs(&dir, &sources)?;
    let mut known = BTreeSet::new();
    for (row, samples) in further.into_iter().chain(rows::rows(&sources)) {
        if known.insert(row.id.clone()) {
            writer.add_row(row, &samples).map_err(write_error)?;
        }
    }
    let run = writer.finish(&record::now()).map_err(write_error)?;
    let page = record::write_report(&dir, &run)?;
    show(&run, &sources, &dir, &page, global)
}

fn show(run: &Run, sources: &[Source], dir: &Path, page: &Path, global: Global) -> Outcome {
    if global.json {
        print_json(run)?;
    } else {
        print(&record::tables(run, global)?)?;
        print(&format!("\nRun directory: {}\nReport:        {}\n", dir.display(), page.display()))?;
    }
    let unread: usize = sources.iter().map(|source| source.log.lines.unread).sum();
    if !global.quiet {
        for source in sources {
            for line in source.log.unread.iter().take(SHOWN) {
                let file = source.files.get(line.place.part).map_or(source.label.as_str(), |(name, _)| name);
                eprintln!("warning: {file}, {line}");
            }
            let more = source.log.lines.unread.saturating_sub(SHOWN);
            if more > 0 {
                eprintln!("warning: {}: {more} further lines could not be read", source.label);
            }
        }
    }
    let failed = run.rows.iter().any(|row| row.status == Status::Failed);
    let empty = sources.iter().any(|source| source.log.measurements.is_empty() && !source.log.failures.is_empty());
    Ok(if unread > 0 || failed || empty { ExitCode::from(FINDING) } else { ExitCode::SUCCESS })
}

/// Every build that has a figure or a failure, once.
fn providers(sources: &[Source]) -> Vec<Provider> {
    let mut all: Vec<Provider> = Vec::new();
    for source in sources {
        let builds = source.log.builds.iter().map(Some);
        let orphan = source.log.measurements.iter().any(|measurement| measurement.build.is_none());
        let rows = source.log.failures.iter().any(|failure| failure.kind != FailureKind::UnknownOption);
        let nameless = source.log.builds.is_empty() && (source.executable.is_some() || rows);
        let own = if orphan || nameless { vec![source.build.as_ref()] } else { Vec::new() };
        for build in builds.chain(own) {
            match all.iter_mut().find(|known| known.id == provider_id(build)) {
                // A log that describes the build says more than the option that only names its version.
                Some(known) if known.flags.is_none() && build.is_some_and(|build| build.compiler.is_some()) => {
                    *known = provider(build, source);
                }
                Some(_) => {}
                None => all.push(provider(build, source)),
            }
        }
    }
    all
}

fn unread(source: &Source) -> Option<Warning> {
    let lines = source.log.lines.unread;
    let first = source.log.unread.first()?;
    Some(Warning {
        code: "unread".into(),
        message: format!(
            "{lines} lines of {} could not be read and are in no figure; the first: {first}",
            source.label
        ),
    })
}

fn keep_logs(dir: &Path, sources: &[Source]) -> Result<(), CliError> {
    let folder = dir.join(LOGS_DIRECTORY);
    let failed = |error: std::io::Error| CliError::environment(format!("cannot write {}: {error}", folder.display()));
    std::fs::create_dir_all(&folder).map_err(failed)?;
    let mut taken = BTreeSet::new();
    for (name, bytes) in sources.iter().flat_map(|source| &source.files) {
        let mut free = name.clone();
        let mut number = 1;
        while !taken.insert(free.clone()) {
            number += 1;
            free = format!("{number}-{name}");
        }
        std::fs::write(folder.join(free), bytes).map_err(failed)?;
    }
    Ok(())
}

fn write_error(error: WriteError) -> CliError {
    CliError::environment(error.to_string()).with_hint(error.hint())
}
