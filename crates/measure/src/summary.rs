//! All figures of one row from its raw samples, each with a value or the reason for its absence.

use crate::stats::{Sorted, bootstrap, interval, series};
use serde::Serialize;
use std::collections::BTreeMap;

/// Samples of one process in the order in which they were taken, without warm-up.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ProcessSamples {
    /// Nanoseconds per operation.
    pub per_op_ns: Vec<f64>,
    /// Whether the sample was disturbed, one mark per sample. Marked samples count in every figure but `clean_median_ns`.
    pub contaminated: Vec<bool>,
    /// Whether the process ended before half of its planned rounds. Its samples count in the figures of all samples, but its
    /// median is not one of those that the figures over processes are made of: it would weigh as much as a whole process's.
    pub cut_short: bool,
}

/// What the samples of a row say. Times are nanoseconds per operation.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Summary {
    /// Samples over all processes.
    pub n: u64,
    /// Processes whose medians are used: the unit of inference. Those that were cut short are not among them, unless all were.
    pub processes: u32,
    /// Processes that were cut short.
    pub cut_short: u32,
    /// Median over processes of the per-process medians.
    pub median_ns: Option<f64>,
    /// 95 % interval of `median_ns`: order statistics over processes.
    pub ci95_ns: Option<[f64; 2]>,
    /// Achieved coverage of `ci95_ns`, per cent.
    pub ci_coverage_pct: Option<f64>,
    /// 95 % percentile bootstrap interval of `median_ns`: processes resampled, then samples within.
    pub bootstrap95_ns: Option<[f64; 2]>,
    /// Different values among the resampled medians; a handful means that ties made `bootstrap95_ns` coarse.
    pub bootstrap_distinct: Option<u64>,
    /// Mean of all samples.
    pub mean_ns: Option<f64>,
    /// Median absolute deviation of all samples from their median, not scaled.
    pub mad_ns: Option<f64>,
    /// Smallest sample.
    pub min_ns: Option<f64>,
    /// 95th percentile of all samples.
    pub p95_ns: Option<f64>,
    /// 99th percentile of all samples.
    pub p99_ns: Option<f64>,
    /// Coefficient of variation of all samples, per cent.
    pub cov_pct: Option<f64>,
    /// `1e9 / mean_ns`.
    pub ops_per_s: Option<f64>,
    /// Share of disturbed samples, per cent.
    pub contaminated_pct: Option<f64>,
    /// `median_ns` over the samples that were not disturbed.
    pub clean_median_ns: Option<f64>,
    /// Lag-1 autocorrelation within processes.
    pub autocorrelation: Option<f64>,
    /// Whether the last third differs from the first by more than the noise.
    pub drift: Option<bool>,
    /// Samples equal to another sample of their process; many make medians and their intervals coarse.
    pub ties: Option<u64>,
    /// Why a field is `None`, by its name. Every `None` has its reason here.
    pub absent: BTreeMap<&'static str, String>,
}

/// Computes every figure of a row. The same samples and seed give the same figures, bit for bit.
///
/// A sample that is no duration (not finite, or negative) or a process without samples leaves all figures absent: to leave it out would be a
/// silent choice, which is the caller's to make and to report.
///
/// Processes that were cut short count in the figures of all samples and not in those over processes (`median_ns`, its intervals,
/// `clean_median_ns`, `autocorrelation`, `drift`). Where every process was, `median_ns` is made of what there is, without intervals.
#[must_use]
pub fn summarise(processes: &[ProcessSamples], seed: u64) -> Summary {
    let all_cut_short = processes.iter().all(|process| process.cut_short);
    let counts = |process: &ProcessSamples| all_cut_short || !process.cut_short;
    let count = |wanted: &dyn Fn(&ProcessSamples) -> bool| {
        u32::try_from(processes.iter().filter(|process| wanted(process)).count()).unwrap_or(u32::MAX)
    };
    let mut summary = Summary {
        n: processes.iter().map(|process| process.per_op_ns.len() as u64).sum(),
        processes: count(&counts),
        cut_short: count(&|process| process.cut_short),
        ..Summary::default()
    };
    match sort(processes) {
        Ok((pooled, sorted)) => {
            summary.ties = Some(sorted.iter().map(|samples| samples.ties() as u64).sum());
            let of_used: Vec<Sorted> = sorted
                .into_iter()
                .zip(processes)
                .filter(|(_, process)| counts(process))
                .map(|(sorted, _)| sorted)
                .collect();
            location(&mut summary, &of_used, seed);
            if all_cut_short {
                summary.without_interval();
            }
            spread(&mut summary, &pooled);
            let used: Vec<&ProcessSamples> = processes.iter().filter(|process| counts(process)).collect();
            disturbance(&mut summary, processes, &used);
            let series: Vec<&[f64]> = used.iter().map(|process| process.per_op_ns.as_slice()).collect();
            summary.autocorrelation = summary.finite("autocorrelation", series::autocorrelation(&series));
            summary.drift = summary.note("drift", series::drift(&series));
        }
        Err(reason) => FIGURES.iter().for_each(|figure| {
            summary.absent.insert(figure, reason.clone());
        }),
    }
    summary
}

/// Every field that may be `None`.
const FIGURES: [&str; 17] = [
    "median_ns",
    "ci95_ns",
    "ci_coverage_pct",
    "bootstrap95_ns",
    "bootstrap_distinct",
    "mean_ns",
    "mad_ns",
    "min_ns",
    "p95_ns",
    "p99_ns",
    "cov_pct",
    "ops_per_s",
    "contaminated_pct",
    "clean_median_ns",
    "autocorrelation",
    "drift",
    "ties",
];

/// All samples together, and those of each process; or why there can be no figures.
fn sort(processes: &[ProcessSamples]) -> Result<(Sorted, Vec<Sorted>), String> {
    let mut pooled = Vec::new();
    let mut sorted = Vec::with_capacity(processes.len());
    for (at, process) in processes.iter().enumerate() {
        if let Some((sample, value)) = process.per_op_ns.iter().enumerate().find(|(_, value)| **value < 0.0) {
            return Err(format!("process {at}: sample {sample} is {value} ns, which is no duration"));
        }
        sorted.push(Sorted::new(&process.per_op_ns).map_err(|reason| format!("process {at}: {reason}"))?);
        pooled.extend_from_slice(&process.per_op_ns);
    }
    Ok((Sorted::new(&pooled)?, sorted))
}

/// The median over processes and its intervals.
fn location(summary: &mut Summary, sorted: &[Sorted], seed: u64) {
    let medians: Vec<f64> = sorted.iter().map(Sorted::median).collect();
    let medians = Sorted::new(&medians);
    summary.median_ns = summary.finite("median_ns", medians.as_ref().map(Sorted::median).map_err(Clone::clone));
    let interval = medians.and_then(|medians| interval::median_interval(&medians, 0.95));
    summary.ci95_ns = summary.note("ci95_ns", interval.clone().map(|found| [found.low, found.high]));
    summary.ci_coverage_pct = summary.note("ci_coverage_pct", interval.map(|found| found.coverage_pct));
    let bootstrap = bootstrap::hierarchical_median(sorted, seed);
    summary.bootstrap95_ns = summary.note("bootstrap95_ns", bootstrap.clone().map(|found| [found.low, found.high]));
    summary.bootstrap_distinct = summary.note("bootstrap_distinct", bootstrap.map(|found| found.distinct as u64));
}

/// Figures of all samples together.
fn spread(summary: &mut Summary, pooled: &Sorted) {
    let mean = pooled.mean();
    summary.mean_ns = summary.finite("mean_ns", Ok(mean));
    let rate = if mean > 0.0 { Ok(1e9 / mean) } else { Err("the mean is 0 ns".into()) };
    summary.ops_per_s = summary.finite("ops_per_s", rate);
    summary.min_ns = Some(pooled.at(0));
    let deviation = if pooled.len() < 2 { Err("one sample has no spread".into()) } else { Ok(pooled.mad()) };
    summary.mad_ns = summary.finite("mad_ns", deviation);
    summary.cov_pct = summary.finite("cov_pct", pooled.cov_pct());
    // A quantile needs a sample beyond it: the 99th percentile of 30 samples would be the largest by another name.
    let mut percentile = |name, p: f64, fewest: usize| {
        let value = if pooled.len() < fewest {
            Err(format!("it needs {fewest} samples, there are {}", pooled.len()))
        } else {
            Ok(pooled.quantile(p))
        };
        summary.finite(name, value)
    };
    let (p95, p99) = (percentile("p95_ns", 0.95, 20), percentile("p99_ns", 0.99, 100));
    (summary.p95_ns, summary.p99_ns) = (p95, p99);
}

/// The share of disturbed samples, and the median without them.
fn disturbance(summary: &mut Summary, processes: &[ProcessSamples], used: &[&ProcessSamples]) {
    let share = marks(processes).map(|marked| 100.0 * marked as f64 / summary.n as f64);
    let clean = share.clone().and_then(|_| clean_median(used));
    summary.contaminated_pct = summary.finite("contaminated_pct", share);
    summary.clean_median_ns = summary.finite("clean_median_ns", clean);
}

fn marks(processes: &[ProcessSamples]) -> Result<usize, String> {
    for (at, ProcessSamples { per_op_ns, contaminated, .. }) in processes.iter().enumerate() {
        if per_op_ns.len() != contaminated.len() {
            return Err(format!("process {at} has {} samples and {} marks", per_op_ns.len(), contaminated.len()));
        }
    }
    Ok(processes.iter().flat_map(|process| &process.contaminated).filter(|&&marked| marked).count())
}

fn clean_median(processes: &[&ProcessSamples]) -> Result<f64, String> {
    let mut medians = Vec::with_capacity(processes.len());
    for (at, ProcessSamples { per_op_ns, contaminated, .. }) in processes.iter().enumerate() {
        let pairs = per_op_ns.iter().zip(contaminated);
        let clean: Vec<f64> = pairs.filter(|(_, marked)| !**marked).map(|(value, _)| *value).collect();
        let sorted = Sorted::new(&clean).map_err(|_| format!("every sample of process {at} was disturbed"))?;
        medians.push(sorted.median());
    }
    Ok(Sorted::new(&medians)?.median())
}

impl Summary {
    /// The value, or `None` with the reason noted.
    fn note<T>(&mut self, name: &'static str, value: Result<T, String>) -> Option<T> {
        value.map_err(|reason| self.absent.insert(name, reason)).ok()
    }

    /// Takes the intervals away: they would rest on processes none of which is whole.
    fn without_interval(&mut self) {
        (self.ci95_ns, self.ci_coverage_pct, self.bootstrap95_ns, self.bootstrap_distinct) = (None, None, None, None);
        for name in ["ci95_ns", "ci_coverage_pct", "bootstrap95_ns", "bootstrap_distinct"] {
            let reason = format!("each of the {} processes ended before half of its planned rounds", self.cut_short);
            self.absent.insert(name, reason);
        }
    }

    /// The same for a number, which must not have left the range of numbers on the way.
    fn finite(&mut self, name: &'static str, value: Result<f64, String>) -> Option<f64> {
        let value = value.and_then(|value| {
            if value.is_finite() { Ok(value) } else { Err(format!("the samples are too large or too small: {value}")) }
        });
        self.note(name, value)
    }
}

#[cfg(test)]
mod tests;
