//! What the program knows → the types of the record.

use crate::cli::Global;
use crate::coordinator::arms::Arm;
use crate::coordinator::handle::WorkerFault;
use crate::error::CliError;
use crate::plan::{Plan, Settings};
use crate::provider_spec::ProviderSpec;
use report::record::{self, Harness, Run, Status};
use report::{Format, Kind, Options};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The present, RFC 3339 in UTC.
#[must_use]
pub fn now() -> String {
    chrono::Utc::now().to_rfc3339_opts(chrono::SecondsFormat::Secs, true)
}

/// A run that begins now.
#[must_use]
pub fn begin(id: String, started_at: String, plan: &Plan, host: record::Host, providers: Vec<record::Provider>) -> Run {
    Run {
        schema: record::SCHEMA.into(),
        id,
        tool_version: env!("CARGO_PKG_VERSION").into(),
        started_at,
        finished_at: None,
        command: std::env::args().collect(),
        plan: record::Plan {
            name: plan.name.clone(),
            analysis: Some(plan.analysis.trim().to_owned()).filter(|text| !text.is_empty()),
            settings: settings(&plan.settings),
        },
        seed: plan.settings.seed,
        host,
        providers,
        harness: Harness { tax_ns: None, tax_by_operation: BTreeMap::new(), reason: Some("not measured yet".into()) },
        rows: Vec::new(),
        controls: Vec::new(),
        warnings: Vec::new(),
    }
}

fn settings(settings: &Settings) -> BTreeMap<String, Value> {
    let Settings { processes, rounds, epoch_ms, warmup, iterations, seconds, time_budget, seed, keys, inputs, message } =
        settings;
    [
        ("processes", json!(processes)),
        ("rounds", json!(rounds)),
        ("epoch_ms", json!(epoch_ms)),
        ("warmup", json!(warmup)),
        ("iterations", json!(iterations)),
        ("seconds", json!(seconds)),
        ("time_budget", json!(time_budget)),
        ("seed", json!(seed)),
        ("keys", json!(keys)),
        ("inputs", json!(inputs)),
        ("message", json!(message)),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_owned(), value))
    .collect()
}

/// Provenance of a provider that answered.
#[must_use]
pub fn provider(arm: &Arm) -> record::Provider {
    let identity = &arm.hello.identity;
    let mut absent = BTreeMap::new();
    for (field, missing, reason) in [
        ("library", identity.library.is_none(), "linked in, or the worker does not tell"),
        ("flags", identity.flags.is_none(), "the library does not tell"),
        ("isa_path", identity.isa_path.is_none(), "the library does not tell"),
        ("fips", identity.fips.is_none(), "no FIPS module is in use"),
    ] {
        if missing {
            absent.insert(field.to_owned(), reason.to_owned());
        }
    }
    record::Provider {
        id: arm.id.clone(),
        name: identity.name.clone(),
        version: Some(identity.version.clone()),
        library: identity
            .library
            .as_ref()
            .map(|l| record::Library { path: l.path.display().to_string(), sha256: l.sha256.clone() }),
        flags: identity.flags.clone(),
        isa_path: identity.isa_path.clone(),
        fips: identity.fips.clone(),
        origin: origin(arm),
        status: Status::Ok,
        reason: None,
        absent,
    }
}

/// What a foreign worker says of itself nobody has checked: its command comes first.
fn origin(arm: &Arm) -> String {
    let said = arm.hello.identity.origin.as_deref().unwrap_or("the worker does not tell");
    match &arm.spec {
        ProviderSpec::External { command } => format!("foreign worker `{}`, which says: {said}", command.join(" ")),
        _ => said.to_owned(),
    }
}

/// A provider that could not be asked.
#[must_use]
pub fn absent(name: &str, fault: &WorkerFault) -> record::Provider {
    let reason = fault.to_string();
    let status = if fault.is_fatal() { Status::Failed } else { Status::Unavailable };
    let absent = ["version", "library", "flags", "isa_path", "fips"];
    record::Provider {
        id: name.to_owned(),
        name: name.split(['@', '=']).next().unwrap_or(name).to_owned(),
        version: None,
        library: None,
        flags: None,
        isa_path: None,
        fips: None,
        origin: name.to_owned(),
        status,
        reason: Some(reason.clone()),
        absent: absent.into_iter().map(|field| (field.to_owned(), reason.clone())).collect(),
    }
}

/// The same version a second time, from another place.
#[must_use]
pub fn duplicate(name: &str, arm: &Arm) -> record::Provider {
    let mut same = provider(arm);
    same.status = Status::Unavailable;
    same.reason = Some(format!("{} is measured already, from another place", arm.id));
    same.id = name.to_owned();
    same
}

/// Writes report and charts into the run directory; gives the page's path.
///
/// # Errors
/// What the disk reports.
pub fn write_report(dir: &Path, run: &Run) -> Result<PathBuf, CliError> {
    let samples =
        report::store::read_samples(dir).map_err(|e| CliError::environment(e.to_string()).with_hint(e.hint()))?;
    let written = report::write_report(dir, run, Some(&samples))
        .map_err(|e| CliError::environment(e.to_string()).with_hint(e.hint()))?;
    Ok(written.into_iter().next().unwrap_or_else(|| dir.join(report::REPORT_FILE)))
}

/// The tables of a run for the terminal.
///
/// # Errors
/// What the renderer reports.
pub fn tables(run: &Run, global: Global) -> Result<String, CliError> {
    let options = Options { width: crate::command::width(), colour: global.color.on(), ..Options::default() };
    let bytes = report::render(run, None, Kind::Summary, Format::Terminal, &options)
        .map_err(|e| CliError::environment(e.to_string()).with_hint(e.hint()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
