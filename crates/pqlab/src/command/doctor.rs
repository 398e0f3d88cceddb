//! `pqlab doctor`: what this host can and cannot measure.

use super::{Listing, print, print_json};
use crate::cli::Global;
use crate::coordinator::arms::Arm;
use crate::coordinator::limits::Limits;
use crate::coordinator::tax;
use crate::error::{CliError, Outcome};
use crate::{discovery, host, record};
use measure::clock;
use measure::host::fastest_cpus;
use measure::process::{cpus_allowed, placement};
use report::record::{Harness, Host, Provider, Status};
use serde::Serialize;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

/// Nothing to choose.
#[derive(Debug, clap::Args)]
pub struct DoctorArgs {}

#[derive(Serialize)]
struct Diagnosis {
    tool_version: &'static str,
    host: Host,
    providers: Vec<Provider>,
    harness: Harness,
    advice: Vec<String>,
}

/// Looks at host, clock, providers and harness.
///
/// # Errors
/// Only when standard output cannot be written.
pub fn run(_: &DoctorArgs, global: Global) -> Outcome {
    let clock = clock::probe(clock::best().as_ref());
    // Before the providers and the harness are tried: their work is not the host's load.
    let host = host::here(&clock);
    let placement = placement(&fastest_cpus(Path::new("/"), &cpus_allowed()));
    let providers: Vec<Provider> = discovery::all()
        .into_iter()
        .map(|candidate| match Arm::start(candidate.spec, Limits::default()) {
            Ok(arm) => record::provider(&arm),
            Err(fault) => record::absent(&candidate.name, &fault),
        })
        .collect();
    let (harness, _) = tax::measure(&clock, placement.worker, &AtomicBool::new(false));
    let advice = advice(&providers);
    let diagnosis = Diagnosis { tool_version: env!("CARGO_PKG_VERSION"), host, providers, harness, advice };
    if global.json {
        print_json(&diagnosis)?
    } else {
        print(&text(&diagnosis)?)?
    }
    Ok(ExitCode::SUCCESS)
}

fn advice(providers: &[Provider]) -> Vec<String> {
    let mut all = Vec::new();
    let has = |name: &str| {
        providers.iter().any(|p| {
            p.name == name && p.status == Status::Ok && p.version.as_deref().is_some_and(|v| !v.starts_with("3.0"))
        })
    };
    if !has("openssl") {
        all.push("no OpenSSL with ML-KEM is here: `pqlab bundle build openssl@3.5.5`".to_owned());
    }
    if !has("liboqs") {
        all.push("no liboqs is here: `pqlab bundle build liboqs@0.13.0`".to_owned());
    }
    if cfg!(debug_assertions) {
        all.push("this is a debug build: measure with `make run` or `cargo run --release -- run`".to_owned());
    }
    all
}

fn text(diagnosis: &Diagnosis) -> Result<String, CliError> {
    let Host { name, cpu, cores, kernel, os, virtualised, load_1m, clock, grade, grade_reasons, unmeasurable, .. } =
        &diagnosis.host;
    let known = |value: &Option<String>| value.clone().unwrap_or_else(|| "unknown".into());
    let mut out = format!(
        "Host    {}: {}, {} cores, {}, kernel {}{}\n",
        known(name),
        known(cpu),
        cores.unwrap_or_default(),
        known(os),
        known(kernel),
        virtualised.as_ref().map_or(String::new(), |v| format!(", {v}"))
    );
    if let Some(clock) = clock {
        out.push_str(&format!(
            "Clock   {}: step {:.1} ns, a reading costs {:.1} ns\n",
            clock.name, clock.step_ns, clock.cost_ns
        ));
    }
    out.push_str(&match (diagnosis.harness.tax_ns, &diagnosis.harness.reason) {
        (Some(ns), _) => format!("Harness {ns:.2} ns per operation\n"),
        (None, reason) => format!("Harness not measured: {}\n", reason.as_deref().unwrap_or("unknown")),
    });
    out.push_str(&match load_1m {
        Some(load) => format!("Load    {load:.2} in the last minute\n"),
        None => "Load    not told by the kernel\n".to_owned(),
    });
    out.push_str(&format!("Grade   {}\n", known(grade)));
    for reason in grade_reasons {
        out.push_str(&format!("        {reason}\n"));
    }
    if !unmeasurable.is_empty() {
        out.push_str("\nNot measurable here\n");
        for lack in unmeasurable {
            out.push_str(&format!("  {:12} {}\n", lack.what, lack.reason));
        }
    }
    let mut table = Listing::new(&["provider", "status", "where from, or why not"], &[]);
    for p in &diagnosis.providers {
        let status = match p.status {
            Status::Ok => "ok",
            Status::Unavailable => "unavailable",
            Status::Failed => "failed",
            Status::Inconclusive => "inconclusive",
        };
        let detail = p.reason.clone().unwrap_or_else(|| match &p.library {
            Some(library) => format!("{} ({})", library.path, p.origin),
            None => p.origin.clone(),
        });
        table.add(&[&p.id, status, &detail]);
    }
    out.push_str(&format!("\n{table}"));
    for line in &diagnosis.advice {
        out.push_str(&format!("hint: {line}\n"));
    }
    Ok(out)
}
