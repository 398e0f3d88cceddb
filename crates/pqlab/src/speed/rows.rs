//! Measurements of a log → rows and samples.

use super::{Source, provider_id};
use crate::coordinator::rows::{FIGURES, NO_ROUNDS, with_figures};
use report::openssl_speed::{Failure, FailureKind, Log, Measurement, Named, standard_name};
use report::record::{Mode, Row, Sample, Status};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Seed of the resampling; a log has no other use for one.
pub const SEED: u64 = 1;

/// The rows of some logs, in the order of their first appearance. Equal measurements of several logs, or of one log in
/// which calls follow each other, are the samples of one row.
#[must_use]
pub fn rows(sources: &[Source]) -> Vec<(Row, Vec<Sample>)> {
    let mut order: Vec<String> = Vec::new();
    let mut members: BTreeMap<String, Vec<(&Measurement, &Log)>> = BTreeMap::new();
    let mut frames: BTreeMap<String, Row> = BTreeMap::new();
    for source in sources {
        for measurement in &source.log.measurements {
            let build = measurement.build.and_then(|at| source.log.builds.get(at)).or(source.build.as_ref());
            let row = frame(&provider_id(build), measurement);
            let known = members.entry(row.id.clone()).or_default();
            if known.is_empty() {
                order.push(row.id.clone());
                frames.insert(row.id.clone(), row);
            }
            known.push((measurement, &source.log));
        }
    }
    let mut rows: Vec<(Row, Vec<Sample>)> =
        order.iter().filter_map(|id| Some(measured(frames.remove(id)?, members.get(id)?))).collect();
    for source in sources {
        let build = source.log.builds.first().or(source.build.as_ref());
        for failure in &source.log.failures {
            let lost = lost(&provider_id(build), failure);
            rows.extend(lost.into_iter().filter(|row| !order.contains(&row.id)).map(|row| (row, Vec::new())));
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    rows.retain(|(row, _)| seen.insert(row.id.clone()));
    rows
}

fn measured(row: Row, members: &[(&Measurement, &Log)]) -> (Row, Vec<Sample>) {
    let mut samples: Vec<Sample> = Vec::new();
    let mut counted = true;
    for (measurement, _) in members {
        let rates = if measurement.rates.is_empty() {
            vec![measurement.ops_per_s / f64::from(measurement.processes.max(1))]
        } else {
            measurement.rates.clone()
        };
        for (at, rate) in rates.into_iter().enumerate() {
            let timing = measurement.timings.get(at).copied().flatten();
            counted &= timing.is_some();
            let (count, elapsed_ns) = timing.map_or((1, 1e9 / rate), |timing| (timing.count, timing.elapsed_s * 1e9));
            samples.push(sample(&row.id, samples.len(), count, elapsed_ns));
        }
    }
    let at_once = members.iter().any(|(measurement, _)| measurement.processes > 1);
    let mut row = with_figures(row, &samples, NO_ROUNDS, SEED);
    undisturbed(&mut row, "`openssl speed` does not tell");
    if at_once {
        absent(
            &mut row,
            &["ci95_ns", "ci_coverage_pct", "bootstrap95_ns"],
            "the processes ran at the same time: they are no independent repetitions",
        );
        (row.ci95_ns, row.ci_coverage_pct, row.bootstrap95_ns) = (None, None, None);
        let total: f64 = members.iter().map(|(m, _)| m.ops_per_s).sum::<f64>() / members.len() as f64;
        row.params.insert("total_ops_per_s".into(), json!(total));
    }
    let elapsed = at_once || members.iter().any(|(_, log)| log.elapsed);
    row.params.insert("time".into(), json!(if elapsed { "elapsed" } else { "cpu, unless the call had -elapsed" }));
    if let ([one], true) = (samples.as_slice(), counted) {
        row.params.insert("count".into(), json!(one.count));
    }
    if counted {
        (row, samples)
    } else {
        row.params.insert("samples".into(), json!("rates only: standard error, which has the counts, is missing"));
        (row, Vec::new())
    }
}

/// A sample of a foreign tool: the marks of contamination are not known.
#[must_use]
pub fn sample(row: &str, process: usize, count: u64, elapsed_ns: f64) -> Sample {
    Sample {
        row: row.to_owned(),
        process: u32::try_from(process).unwrap_or(u32::MAX),
        round: 0,
        position: 0,
        count,
        elapsed_ns,
        nivcsw: None,
        run_delay_ns: None,
        steal_ticks: None,
        warmup: false,
    }
}

/// Nobody looked whether the samples were disturbed: that is not 0 per cent.
pub fn undisturbed(row: &mut Row, reason: &str) {
    (row.contaminated_pct, row.clean_median_ns) = (None, None);
    absent(row, &["contaminated_pct", "clean_median_ns"], reason);
}

fn absent(row: &mut Row, fields: &[&str], reason: &str) {
    row.absent.extend(fields.iter().map(|field| ((*field).to_owned(), reason.to_owned())));
}

fn frame(provider: &str, measurement: &Measurement) -> Row {
    let Measurement { algorithm, written, family, operation, size, bits, processes, .. } = measurement;
    let mut form = Vec::new();
    // The table of -signature-algorithms times RSA and DSA with another loop than their own tables.
    let classical = algorithm.starts_with("RSA-") || algorithm.starts_with("DSA-");
    if classical && *family == "signature" && bits.is_none() {
        form.push("-signature-algorithms".to_owned());
    }
    if *processes > 1 {
        form.push(format!("{processes} processes"));
    }
    let mut row = empty(provider, algorithm, family, operation.as_str(), *size, &form.join(", "));
    row.params.insert("tool".into(), json!("openssl speed"));
    row.params.insert("written".into(), json!(written));
    for (name, value) in [("bits", bits.map(u64::from)), ("at_once", Some(u64::from(*processes)).filter(|n| *n > 1))] {
        if let Some(value) = value {
            row.params.insert(name.into(), json!(value));
        }
    }
    row
}

/// A row without figures. `form` sets apart what is not the same work under one name.
#[must_use]
pub fn empty(provider: &str, algorithm: &str, family: &str, operation: &str, size: Option<u64>, form: &str) -> Row {
    let suffix = |text: &str| if text.is_empty() { String::new() } else { format!("/{}", text.replace(' ', "-")) };
    let size_suffix = size.map_or(String::new(), |size| format!("/{size}"));
    let mut params: BTreeMap<String, Value> = BTreeMap::new();
    if let Some(size) = size {
        params.insert("size".into(), json!(size));
    }
    if !form.is_empty() {
        params.insert("form".into(), json!(form));
    }
    Row {
        id: format!("{provider}/{algorithm}/{operation}{}{size_suffix}", suffix(form)),
        family: family.to_owned(),
        algorithm: algorithm.to_owned(),
        operation: operation.to_owned(),
        params,
        provider: provider.to_owned(),
        mode: Mode::Throughput,
        status: Status::Ok,
        reason: None,
        n: 0,
        processes: 0,
        median_ns: None,
        ci95_ns: None,
        ci_coverage_pct: None,
        bootstrap95_ns: None,
        mean_ns: None,
        mad_ns: None,
        min_ns: None,
        p95_ns: None,
        p99_ns: None,
        cov_pct: None,
        ops_per_s: None,
        bytes_per_s: None,
        contaminated_pct: None,
        clean_median_ns: None,
        autocorrelation: None,
        drift: None,
        sizes: sizes(algorithm),
        absent: BTreeMap::new(),
    }
}

/// Rows for an algorithm that the tool has no figures for; none when the message does not name one.
fn lost(provider: &str, failure: &Failure) -> Vec<Row> {
    let status = match failure.kind {
        FailureKind::UnknownOption => return Vec::new(),
        FailureKind::UnknownAlgorithm => Status::Unavailable,
        FailureKind::ToolDefect | FailureKind::Failed => Status::Failed,
    };
    let Some(subject) = &failure.subject else { return Vec::new() };
    let known = standard_name(subject);
    let name = known.as_ref().map_or(subject.as_str(), |known| known.algorithm.as_str());
    let reason = format!("`openssl speed` says: {}", failure.text);
    missing(provider, name, known.as_ref(), status, &reason)
}

/// One row for each operation of an algorithm that could not be measured.
#[must_use]
pub fn missing(provider: &str, name: &str, known: Option<&Named>, status: Status, reason: &str) -> Vec<Row> {
    let family = known.map_or("unknown", |known| known.family);
    let operations: &[&str] = match (family, known) {
        ("kem", _) => &["keygen", "encaps", "decaps"],
        ("signature", _) => &["sign", "verify"],
        (_, Some(known)) => &[known.operation.as_str()],
        _ => &["process"],
    };
    let row = |operation: &&str| {
        let mut row = empty(provider, name, family, operation, None, "");
        row.status = status;
        row.reason = Some(reason.to_owned());
        row.absent = FIGURES.iter().map(|field| ((*field).to_owned(), reason.to_owned())).collect();
        row
    };
    operations.iter().map(row).collect()
}

/// Sizes in bytes from the catalogue. Names of the tool are without a hash function, which changes no size; RSA beyond
/// the catalogue: RFC 8017, section 8.2.1, and SP 800-56B, section 7.2.1.
fn sizes(algorithm: &str) -> BTreeMap<String, u64> {
    let with_hash = format!("{algorithm}-SHA");
    let row = crypto::catalogue().iter().find(|row| row.name == algorithm || row.name.starts_with(&with_hash));
    if let Some(Ok(Value::Object(all))) = row.map(|row| serde_json::to_value(row.sizes)) {
        return all.into_iter().filter_map(|(name, size)| Some((name, size.as_u64()?))).collect();
    }
    let mut words = algorithm.split('-');
    let bytes = match (words.next(), words.next().and_then(|bits| bits.parse::<u64>().ok())) {
        (Some("RSA"), Some(bits)) => bits.div_ceil(8),
        _ => return BTreeMap::new(),
    };
    let names: &[&str] = if algorithm.ends_with("RSASVE") { &["ciphertext", "shared"] } else { &["signature"] };
    names.iter().map(|name| ((*name).to_owned(), bytes)).collect()
}
