//! `pqlab report`: a stored run in any format.

use super::{print, print_json, width};
use crate::cli::Global;
use crate::error::{CliError, Outcome};
use clap::builder::PossibleValuesParser;
use report::store::{ReadError, read_run, read_samples};
use report::{Format, Kind, Options, render};
use serde_json::json;
use std::fmt::Display;
use std::io::{IsTerminal, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What to render, and how.
#[derive(Debug, clap::Args)]
pub struct ReportArgs {
    /// Run directory, or its run.json
    run: PathBuf,
    /// Format; without it tables for the terminal. With `all`, report.html and charts/ are written into the run
    /// directory, or into --output
    #[arg(long, short, value_parser = PossibleValuesParser::new(formats()))]
    format: Option<String>,
    /// Kind of report
    #[arg(long, short, value_parser = PossibleValuesParser::new(Kind::ALL.map(Kind::as_str)), default_value = "summary")]
    kind: String,
    /// Provider that the others are compared with, for --kind comparative; the fastest of each group when absent
    #[arg(long, value_name = "PROVIDER")]
    baseline: Option<String>,
    /// Which chart --format svg and png draw; the first when absent
    #[arg(long, value_name = "CHART")]
    chart: Option<String>,
    /// File to write, or directory with --format all; standard output when absent
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace an output that exists
    #[arg(long)]
    force: bool,
}

fn formats() -> Vec<&'static str> {
    Format::ALL.map(Format::as_str).into_iter().chain([ALL]).collect()
}

/// The word for the page with its charts.
const ALL: &str = "all";

/// An option that would do nothing is a misunderstanding.
///
/// # Errors
/// Names what the option is for.
fn applies(args: &ReportArgs, all: bool, format: Format, kind: Kind) -> Result<(), CliError> {
    let refuse = |what: &str, hint: &str| Err(CliError::usage(what).with_hint(hint));
    if all && kind != Kind::Summary {
        return refuse("--format all writes the summary only", "leave --kind out, or give one --format for it");
    }
    if args.baseline.is_some() && kind != Kind::Comparative {
        return refuse(
            "--baseline applies to --kind comparative only",
            "add --kind comparative, or leave --baseline out",
        );
    }
    if args.chart.is_some() && (all || !matches!(format, Format::Svg | Format::Png)) {
        return refuse(
            "--chart applies to --format svg and --format png only",
            "add --format svg, or leave --chart out",
        );
    }
    if args.force && args.output.is_none() && !all {
        return refuse(
            "--force applies to --output and to --format all only",
            "add --output FILE, or leave --force out",
        );
    }
    Ok(())
}

/// Makes sure that a page with its charts can be put into `folder`, and makes it.
fn free(folder: &Path, force: bool) -> Result<(), CliError> {
    let taken = [report::REPORT_FILE, report::CHARTS_DIRECTORY].map(|name| folder.join(name)).into_iter();
    if let (Some(path), false) = (taken.into_iter().find(|path| path.exists()), force) {
        return Err(CliError::environment(format!("{} exists already", path.display()))
            .with_hint("--force replaces it; --output DIR writes elsewhere"));
    }
    std::fs::create_dir_all(folder).map_err(|e| {
        CliError::environment(format!("cannot make the directory {}: {e}", folder.display()))
            .with_hint("give another --output DIR")
    })
}

/// Where runs are kept unless told otherwise.
const RUNS: &str = "runs";
/// So many of them are named in a hint.
const NAMED: usize = 3;

/// The error of a run that is not there names those that are.
fn unreadable(wanted: &Path, error: &ReadError) -> CliError {
    let missing = match error {
        ReadError::Io { source, .. } => source.kind() == std::io::ErrorKind::NotFound,
        ReadError::NotARun { .. } => true,
        _ => false,
    };
    let by_name = Path::new(RUNS).join(wanted);
    let hint = match latest(Path::new(RUNS)).as_slice() {
        _ if !missing => error.hint(),
        _ if is_run(&by_name) => format!("did you mean `pqlab report {}`?", by_name.display()),
        [] => format!(
            "no run is under {RUNS}/ here: `pqlab run` makes one; one that is kept elsewhere is given by its path"
        ),
        [last] => format!("there is one run here: `pqlab report {}`", last.display()),
        [last, before @ ..] => {
            let before: Vec<String> = before.iter().map(|path| path.display().to_string()).collect();
            format!("the latest run here: `pqlab report {}`; before it: {}", last.display(), before.join(", "))
        }
    };
    shown(error, hint)
}

fn is_run(folder: &Path) -> bool {
    folder.join(report::store::RUN_FILE).is_file()
}

/// The runs of a folder, the latest first, at most [`NAMED`].
fn latest(folder: &Path) -> Vec<PathBuf> {
    let Ok(listing) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut runs: Vec<(std::time::SystemTime, PathBuf)> = listing
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let changed = std::fs::metadata(path.join(report::store::RUN_FILE)).ok()?.modified().ok()?;
            Some((changed, path))
        })
        .collect();
    runs.sort();
    runs.into_iter().rev().take(NAMED).map(|(_, path)| path).collect()
}

/// Renders.
///
/// # Errors
/// A run that cannot be read, a chart or provider that is not in it, an output that exists.
pub fn run(args: &ReportArgs, global: Global) -> Outcome {
    let kind = Kind::ALL.into_iter().find(|kind| kind.as_str() == args.kind).unwrap_or(Kind::Summary);
    let (all, format) = match args.format.as_deref() {
        Some(word) => (word == ALL, Format::parse(word).unwrap_or(Format::Terminal)),
        None if global.json => (false, Format::Json),
        None => (false, Format::Terminal),
    };
    applies(args, all, format, kind)?;
    if global.json && !all && format != Format::Json && args.output.is_none() {
        return Err(CliError::usage(format!("--json and --format {} ask for two things", format.as_str()))
            .with_hint("leave one of them out, or add --output FILE"));
    }
    let run = read_run(&args.run).map_err(|e| unreadable(&args.run, &e))?;
    let dir = if args.run.is_dir() { args.run.clone() } else { args.run.parent().map(Into::into).unwrap_or_default() };
    let samples = read_samples(&dir);
    if let (Err(error), false) = (&samples, global.quiet) {
        eprintln!("warning: no raw samples, so no distributions: {error}");
    }
    let samples = samples.ok();
    if all {
        let target = args.output.as_deref().unwrap_or(&dir);
        free(target, args.force)?;
        let written = report::write_report(target, &run, samples.as_deref()).map_err(|e| shown(&e, e.hint()))?;
        return announce(&written, global);
    }
    let options = Options {
        width: width(),
        colour: global.color.on() && args.output.is_none(),
        baseline: args.baseline.clone(),
        figure: args.chart.clone(),
    };
    let bytes = render(&run, samples.as_deref(), kind, format, &options).map_err(|e| shown(&e, e.hint()))?;
    match &args.output {
        Some(path) => write_new(path, &bytes, args.force).and_then(|()| announce(std::slice::from_ref(path), global)),
        None if format == Format::Png && std::io::stdout().is_terminal() => {
            Err(CliError::usage("a picture is not for a terminal").with_hint("add --output FILE.png"))
        }
        None => {
            let mut out = std::io::stdout().lock();
            match out.write_all(&bytes).and_then(|()| out.flush()) {
                Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => {
                    Err(CliError::environment(format!("cannot write to standard output: {e}")))
                }
                _ => Ok(ExitCode::SUCCESS),
            }
        }
    }
}

fn announce(written: &[PathBuf], global: Global) -> Outcome {
    if global.json {
        print_json(&json!({ "written": written }))?;
    } else {
        for path in written {
            print(&format!("{}\n", path.display()))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The file is the old one or the new one, whatever happens in between.
fn write_new(path: &Path, bytes: &[u8], force: bool) -> Result<(), CliError> {
    let device = std::fs::metadata(path).is_ok_and(|known| !known.is_file());
    let written = if device && force { std::fs::write(path, bytes) } else { put_in_place(path, bytes, force) };
    written.map_err(|e| {
        let error = CliError::environment(format!("cannot write {}: {e}", path.display()));
        if e.kind() == std::io::ErrorKind::AlreadyExists {
            error.with_hint("--force replaces it")
        } else {
            error.with_hint("give another --output")
        }
    })
}

fn put_in_place(path: &Path, bytes: &[u8], force: bool) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // As any new file: what the user's mask leaves of it.
    let permissions = std::fs::Permissions::from_mode(0o666);
    let mut file = tempfile::Builder::new().permissions(permissions).tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    let put = if force { file.persist(path) } else { file.persist_noclobber(path) };
    put.map(|_| ()).map_err(|failed| failed.error)
}

fn shown(error: &impl Display, hint: String) -> CliError {
    CliError::environment(error.to_string()).with_hint(hint)
}
