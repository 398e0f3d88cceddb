//! `pqlab report`: a stored run in any format.

use super::{print, print_json, width};
use crate::cli::Global;
use crate::error::{CliError, Outcome};
use clap::builder::PossibleValuesParser;
use report::store::{read_run, read_samples};
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
    /// Format; without it tables for the terminal. With `all`, report.html and charts/ are written into the run directory
    #[arg(long, short, value_parser = PossibleValuesParser::new(formats()))]
    format: Option<String>,
    /// Kind of report
    #[arg(long, short, value_parser = PossibleValuesParser::new(Kind::ALL.map(Kind::as_str)), default_value = "summary")]
    kind: String,
    /// Provider that the others are compared with; the fastest of each group when absent
    #[arg(long, value_name = "PROVIDER")]
    baseline: Option<String>,
    /// Which chart svg and png draw; the first when absent
    #[arg(long, value_name = "CHART")]
    chart: Option<String>,
    /// File to write; standard output when absent
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace an output that exists
    #[arg(long)]
    force: bool,
}

fn formats() -> Vec<&'static str> {
    Format::ALL.map(Format::as_str).into_iter().chain(["all"]).collect()
}

/// Renders.
///
/// # Errors
/// A run that cannot be read, a chart or provider that is not in it, an output that exists.
pub fn run(args: &ReportArgs, global: Global) -> Outcome {
    let run = read_run(&args.run).map_err(|e| shown(&e, e.hint()))?;
    let dir = if args.run.is_dir() { args.run.clone() } else { args.run.parent().map(Into::into).unwrap_or_default() };
    let samples = read_samples(&dir);
    if let (Err(error), false) = (&samples, global.quiet) {
        eprintln!("warning: no raw samples, so no distributions: {error}");
    }
    let samples = samples.ok();
    if args.format.as_deref() == Some("all") {
        let written = report::write_report(&dir, &run, samples.as_deref()).map_err(|e| shown(&e, e.hint()))?;
        return announce(&written, global);
    }
    let format = match args.format.as_deref() {
        Some(word) => Format::parse(word).unwrap_or(Format::Terminal),
        None if global.json => Format::Json,
        None => Format::Terminal,
    };
    if global.json && format != Format::Json && args.output.is_none() {
        return Err(CliError::usage(format!("--json and --format {} ask for two things", format.as_str()))
            .with_hint("leave one of them out, or add --output FILE"));
    }
    let kind = Kind::ALL.into_iter().find(|kind| kind.as_str() == args.kind).unwrap_or(Kind::Summary);
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
