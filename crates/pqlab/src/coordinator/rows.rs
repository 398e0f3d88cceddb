//! Samples → rows of the record.

use super::group::{Facts, Measured};
use super::pools::PoolFile;
use crate::plan::Group;
use crate::wire::Offer;
use crate::workload::Operation;
use measure::summary::{ProcessSamples, Summary, summarise};
use report::record::{Mode, Row, Sample, Status};
use serde_json::Value;
use std::collections::BTreeMap;

/// A row without figures: not offered, not conforming, crashed.
#[must_use]
pub fn empty(provider: &str, group: &Group, offer: Option<&Offer>, status: Status, reason: &str) -> Row {
    let mut row = frame(provider, group, offer);
    row.status = status;
    row.reason = Some(reason.to_owned());
    row.absent = FIGURES.iter().map(|name| ((*name).to_owned(), reason.to_owned())).collect();
    row
}

/// A row from its samples; a failed arm keeps the samples it has, but no figures.
#[must_use]
pub fn measured(
    provider: &str,
    group: &Group,
    offer: &Offer,
    pool: &PoolFile,
    facts: &Facts,
    measured: Measured,
    seed: u64,
) -> (Row, Vec<Sample>) {
    let mut row = match &measured.failed {
        Some(reason) => empty(provider, group, Some(offer), Status::Failed, reason),
        None if measured.samples.iter().all(|sample| sample.warmup) => {
            empty(provider, group, Some(offer), Status::Unavailable, "interrupted before the first sample")
        }
        None => with_figures(frame(provider, group, Some(offer)), &measured.samples, seed),
    };
    for (name, value) in [("keys", pool.keys), ("inputs", pool.items)] {
        row.params.insert(name.into(), Value::from(value));
    }
    if matches!(group.operation, Operation::Sign | Operation::SignDeterministic | Operation::Verify) {
        row.params.insert("message".into(), Value::from(pool.size));
    }
    row.params.insert("inputs_from".into(), Value::from(pool.made_by.clone()));
    row.params.insert("inputs_seeded".into(), Value::from(pool.seeded));
    row.params.insert("inputs_sha256".into(), Value::from(pool.sha256.clone()));
    let stamps = match group.mode {
        Mode::Throughput => "epoch",
        Mode::Latency => "operation",
    };
    row.params.insert("stamped".into(), Value::from(stamps));
    row.params.insert("count".into(), Value::from(facts.count));
    row.params.insert("rounds".into(), Value::from(facts.rounds));
    let mut samples = measured.samples;
    for sample in &mut samples {
        sample.row.clone_from(&row.id);
    }
    (row, samples)
}

/// Fields of a row that are figures.
pub const FIGURES: [&str; 16] = [
    "median_ns",
    "ci95_ns",
    "ci_coverage_pct",
    "bootstrap95_ns",
    "mean_ns",
    "mad_ns",
    "min_ns",
    "p95_ns",
    "p99_ns",
    "cov_pct",
    "ops_per_s",
    "bytes_per_s",
    "contaminated_pct",
    "clean_median_ns",
    "autocorrelation",
    "drift",
];

fn frame(provider: &str, group: &Group, offer: Option<&Offer>) -> Row {
    let family = offer.map(|o| o.family).or(group.family).map_or("unknown", crypto::Family::as_str);
    let mode = match group.mode {
        Mode::Throughput => String::new(),
        Mode::Latency => "/latency".to_owned(),
    };
    let size = group.size.map_or(String::new(), |size| format!("/{size}"));
    Row {
        id: format!("{provider}/{}/{}{size}{mode}", group.algorithm, group.operation),
        family: family.to_owned(),
        algorithm: group.algorithm.clone(),
        operation: group.operation.as_str().to_owned(),
        params: group.size.map(|size| ("size".to_owned(), Value::from(size))).into_iter().collect(),
        provider: provider.to_owned(),
        mode: group.mode,
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
        sizes: offer.map(sizes).unwrap_or_default(),
        absent: BTreeMap::new(),
    }
}

fn sizes(offer: &Offer) -> BTreeMap<String, u64> {
    let crypto::Sizes { public, secret, seed, ciphertext, shared, signature, key, nonce, tag, output } = offer.sizes;
    [
        ("public", public),
        ("secret", secret),
        ("seed", seed),
        ("ciphertext", ciphertext),
        ("shared", shared),
        ("signature", signature),
        ("key", key),
        ("nonce", nonce),
        ("tag", tag),
        ("output", output),
    ]
    .into_iter()
    .filter_map(|(name, size)| Some((name.to_owned(), size? as u64)))
    .collect()
}

/// Fills in the figures of a row from its samples.
#[must_use]
pub fn with_figures(mut row: Row, samples: &[Sample], seed: u64) -> Row {
    let size = row.params.get("size").and_then(Value::as_u64);
    let Summary {
        n,
        processes,
        median_ns,
        ci95_ns,
        ci_coverage_pct,
        bootstrap95_ns,
        bootstrap_distinct,
        mean_ns,
        mad_ns,
        min_ns,
        p95_ns,
        p99_ns,
        cov_pct,
        ops_per_s,
        contaminated_pct,
        clean_median_ns,
        autocorrelation,
        drift,
        ties,
        absent,
    } = summarise(&by_process(samples), seed);
    row.n = n;
    row.processes = processes;
    (row.median_ns, row.ci95_ns, row.ci_coverage_pct, row.bootstrap95_ns) =
        (median_ns, ci95_ns, ci_coverage_pct, bootstrap95_ns);
    (row.mean_ns, row.mad_ns, row.min_ns, row.p95_ns, row.p99_ns) = (mean_ns, mad_ns, min_ns, p95_ns, p99_ns);
    (row.cov_pct, row.ops_per_s, row.contaminated_pct) = (cov_pct, ops_per_s, contaminated_pct);
    (row.clean_median_ns, row.autocorrelation, row.drift) = (clean_median_ns, autocorrelation, drift);
    for (name, value) in [("ties", ties), ("bootstrap_distinct", bootstrap_distinct)] {
        if let Some(value) = value {
            row.params.insert(name.into(), Value::from(value));
        }
    }
    row.absent = absent.into_iter().map(|(name, reason)| (name.to_owned(), reason)).collect();
    match (size, ops_per_s) {
        (Some(size), Some(ops)) => row.bytes_per_s = Some(ops * size as f64),
        (None, _) => {
            row.absent.insert("bytes_per_s".into(), "this operation has no message size".into());
        }
        (Some(_), None) => {
            row.absent.insert("bytes_per_s".into(), "no rate to derive it from".into());
        }
    }
    if median_ns.is_none() {
        row.status = Status::Failed;
        row.reason = row.absent.get("median_ns").cloned();
    }
    row
}

/// Samples without warm-up, process by process.
fn by_process(samples: &[Sample]) -> Vec<ProcessSamples> {
    let mut processes: BTreeMap<u32, ProcessSamples> = BTreeMap::new();
    for sample in samples.iter().filter(|sample| !sample.warmup) {
        let process = processes.entry(sample.process).or_default();
        process.per_op_ns.push(sample.elapsed_ns / sample.count.max(1) as f64);
        let disturbed = sample.nivcsw.is_some_and(|switches| switches > 0)
            || sample.run_delay_ns.is_some_and(|ns| ns > 0)
            || sample.steal_ticks.is_some_and(|ticks| ticks > 0);
        process.contaminated.push(disturbed);
    }
    processes.into_values().collect()
}
