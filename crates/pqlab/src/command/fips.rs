//! `pqlab fips preflight`: does the FIPS provider really serve the post-quantum algorithms?

use super::{print, print_json};
use crate::cli::Global;
use crate::error::{FINDING, Outcome};
use crate::fips::Mode;
use crate::fips::place::Place;
use crate::fips::preflight::{self, Check, Verdict};
use crate::progress::Progress;
use clap::{Args, Subcommand};
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;

/// Said with every result.
const NO_CLAIM: &str = "This is not a claim that the module is FIPS 140 validated: only a CMVP certificate for this very \
                        version and operating environment says that.";

/// OpenSSL's FIPS provider.
#[derive(Debug, Args)]
pub struct FipsArgs {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Check that the FIPS provider loads, is intact, and serves ML-KEM, ML-DSA and SLH-DSA through fips=yes
    ///
    /// Every algorithm is used: keys made, signed and verified, encapsulated and decapsulated, and altered input
    /// refused. A pass is no claim of validation.
    Preflight(PreflightArgs),
}

#[derive(Debug, Args)]
struct PreflightArgs {
    /// What is asked: off says which OpenSSL is meant; ready warns of what is missing; only exits 1 then
    #[arg(long, value_enum, default_value_t = Mode::Ready, env = "PQLAB_FIPS_MODE")]
    mode: Mode,
    /// The bundle [default: PQLAB_OPENSSL_PREFIX, _MODULES and _CONF, else the newest bundle with FIPS]
    #[arg(long, value_name = "ID")]
    bundle: Option<String>,
}

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    mode: &'static str,
    origin: String,
    openssl: Option<PathBuf>,
    library: PathBuf,
    modules: Option<PathBuf>,
    configuration: Option<PathBuf>,
    /// `null` in mode off.
    passed: Option<bool>,
    checks: Vec<Check>,
    notice: &'static str,
}

/// Runs the verb: exit code 1 in mode `only` when a check did not pass.
///
/// # Errors
/// No OpenSSL where one was named.
pub fn run(args: &FipsArgs, global: Global) -> Outcome {
    let Verb::Preflight(args) = &args.verb;
    let place = Place::find(args.bundle.as_deref(), environment)?;
    let checks = match args.mode {
        Mode::Off => Vec::new(),
        Mode::Ready | Mode::Only => checked(&place, global),
    };
    let passed = (args.mode != Mode::Off).then(|| all_passed(&checks));
    let report = Report {
        schema: "pqlab.preflight/1",
        mode: args.mode.as_str(),
        origin: place.origin,
        openssl: place.openssl,
        library: place.library,
        modules: place.modules,
        configuration: place.configuration,
        passed,
        checks,
        notice: NO_CLAIM,
    };
    if global.json {
        print_json(&report)?
    } else {
        print(&text(&report, args.mode))?
    }
    let finding = args.mode == Mode::Only && passed != Some(true);
    Ok(if finding { ExitCode::from(FINDING) } else { ExitCode::SUCCESS })
}

/// The guard of `bundle env`: an error that names the first check which did not pass.
///
/// # Errors
/// As said.
pub fn guard(place: &Place, global: Global) -> Result<(), Check> {
    let checks = checked(place, global);
    match checks.into_iter().find(|check| check.verdict != Verdict::Passed) {
        None => Ok(()),
        Some(check) => Err(check),
    }
}

fn checked(place: &Place, global: Global) -> Vec<Check> {
    let count = preflight::required().count() + 3;
    let progress = Progress::new(count, None, global.quiet);
    let checks = preflight::run(place, &|done, total, what| progress.step(done, total, what));
    progress.finish();
    checks
}

fn all_passed(checks: &[Check]) -> bool {
    !checks.is_empty() && checks.iter().all(|check| check.verdict == Verdict::Passed)
}

/// A variable that is set to nothing is not set.
fn environment(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

fn text(report: &Report, mode: Mode) -> String {
    let shown = |path: &Option<PathBuf>| path.as_ref().map_or("none".into(), |path| path.display().to_string());
    let mut out = format!(
        "Mode           {mode}\nOpenSSL        {}\n  executable   {}\n  library      {}\n  modules      {}\n  settings     {}\n",
        report.origin,
        shown(&report.openssl),
        report.library.display(),
        shown(&report.modules),
        shown(&report.configuration),
    );
    for Check { name, verdict, detail } in &report.checks {
        let word = match verdict {
            Verdict::Passed => "ok",
            Verdict::Failed => "FAILED",
            Verdict::NotRun => "not run",
        };
        out.push_str(&format!("{word:8} {name}: {detail}\n"));
    }
    out.push_str(&match (mode, report.passed) {
        (Mode::Off, _) => "OK: nothing was asked of the FIPS provider (mode off)\n".to_owned(),
        (_, Some(true)) => format!("OK: fips preflight passed for mode {mode}\n"),
        (Mode::Ready, _) => "WARNING: the FIPS provider is not ready; mode only would end with exit code 1\n".into(),
        _ => format!("FAILED: fips preflight for mode {mode}\n  hint: pqlab bundle build openssl@3.5.5 --fips\n"),
    });
    out.push_str(NO_CLAIM);
    out.push('\n');
    out
}
