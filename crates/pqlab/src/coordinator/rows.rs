//! Samples → rows of the record.

use super::group::{Facts, Measured};
use super::pools::PoolFile;
use crate::plan::Group;
use crate::wire::Offer;
use crate::workload::Operation;
use measure::summary::{ProcessSamples, Summary, summarise};
use report::record::{Mode, Row, Sample, Status};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Name in `params` of the number of processes that ended before half of their rounds.
pub const CUT_SHORT: &str = "cut_short";

/// Name in `params` of the time of one operation that calibration found, ns.
pub const CALIBRATED_NS: &str = "calibrated_ns";

/// Name in `params` of whether an undisturbed repetition confirmed it.
pub const CALIBRATION_CONFIRMED: &str = "calibration_confirmed";

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
        None => with_figures(frame(provider, group, Some(offer)), &measured.samples, facts.rounds, seed),
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
    if let Some(found) = measured.calibrated {
        row.params.insert(CALIBRATED_NS.into(), Value::from(found.ns_per_op));
        if let Some(confirmed) = found.confirmed {
            row.params.insert(CALIBRATION_CONFIRMED.into(), Value::from(confirmed));
        }
    }
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

/// For [`with_figures`]: the samples were not taken in rounds, so that no process can be cut short.
pub const NO_ROUNDS: u32 = 0;

/// Fills in the figures of a row from its samples. `rounds` is how many a whole process has.
#[must_use]
pub fn with_figures(mut row: Row, samples: &[Sample], rounds: u32, seed: u64) -> Row {
    let size = row.params.get("size").and_then(Value::as_u64);
    let Summary {
        n,
        processes,
        cut_short,
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
    } = summarise(&by_process(samples, rounds), seed);
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
    if cut_short > 0 {
        row.params.insert(CUT_SHORT.into(), Value::from(cut_short));
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

/// Samples without warm-up, process by process, of which `rounds` were planned in each.
fn by_process(samples: &[Sample], rounds: u32) -> Vec<ProcessSamples> {
    let mut processes: BTreeMap<u32, ProcessSamples> = BTreeMap::new();
    let mut seen: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for sample in samples.iter().filter(|sample| !sample.warmup) {
        let process = processes.entry(sample.process).or_default();
        process.per_op_ns.push(sample.elapsed_ns / sample.count.max(1) as f64);
        let disturbed = sample.nivcsw.is_some_and(|switches| switches > 0)
            || sample.run_delay_ns.is_some_and(|ns| ns > 0)
            || sample.steal_ticks.is_some_and(|ticks| ticks > 0);
        process.contaminated.push(disturbed);
        // In latency mode a round has many samples.
        seen.entry(sample.process).or_default().insert(sample.round);
    }
    for (process, rounds_seen) in seen {
        if let Some(process) = processes.get_mut(&process) {
            process.cut_short = rounds_seen.len() * 2 < rounds as usize;
        }
    }
    processes.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `done` rounds of process `process`, each of `each` samples, after one round of warm-up.
    fn samples(process: u32, done: u32, each: u32) -> Vec<Sample> {
        let sample = |round: u32| Sample {
            row: String::new(),
            process,
            round,
            position: 0,
            count: 1,
            elapsed_ns: 100.0 + f64::from(process),
            nivcsw: Some(0),
            run_delay_ns: None,
            steal_ticks: None,
            warmup: round == 0,
        };
        (0..=done).flat_map(|round| (0..each).map(move |_| sample(round))).collect()
    }

    #[test]
    fn less_than_half_of_the_planned_rounds_is_cut_short() {
        for each in [1, 5] {
            let all: Vec<Sample> = [(0, 16), (1, 8), (2, 7), (3, 1)]
                .into_iter()
                .flat_map(|(process, done)| samples(process, done, each))
                .collect();
            let cut: Vec<bool> = by_process(&all, 16).iter().map(|process| process.cut_short).collect();
            assert_eq!(cut, [false, false, true, true], "{each} samples a round");
        }
    }

    #[test]
    fn the_row_says_how_many_were_cut_short() {
        let group = Group {
            algorithm: "SHA-256".into(),
            family: None,
            operation: Operation::Hash,
            size: None,
            mode: Mode::Throughput,
        };
        let all: Vec<Sample> = (0..6).flat_map(|p| samples(p, 4, 1)).chain(samples(6, 1, 1)).collect();
        let row = with_figures(frame("a@1", &group, None), &all, 4, 1);
        assert_eq!((row.params[CUT_SHORT].as_u64(), row.processes, row.n), (Some(1), 6, 25));
        assert!(row.ci95_ns.is_some_and(|[_, high]| high < 106.0), "{:?}", row.ci95_ns);
        let whole = with_figures(frame("a@1", &group, None), &all[..all.len() - 2], 4, 1);
        assert!(!whole.params.contains_key(CUT_SHORT));
    }
}
