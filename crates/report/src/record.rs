//! The run record, schema `pqlab.run/1` (JSON Schema: `docs/run.schema.json`, text: `docs/RECORD.md`).
//!
//! A missing value is `null`, and its reason stands under the same key in [`Row::absent`] or [`Host::unmeasurable`].

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Value of [`Run::schema`] written by this version.
pub const SCHEMA: &str = "pqlab.run/1";

/// A stored run: `run.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// [`SCHEMA`].
    pub schema: String,
    /// Name of the run directory: `<utc>-<host>-<plan>`.
    pub id: String,
    /// Version of pqlab that measured.
    pub tool_version: String,
    /// RFC 3339, UTC.
    pub started_at: String,
    /// RFC 3339, UTC; `null` while running or after a crash.
    pub finished_at: Option<String>,
    /// The command line that made this run.
    pub command: Vec<String>,
    /// Name of the plan and its resolved settings.
    pub plan: Plan,
    /// Seed of inputs and orders.
    pub seed: u64,
    /// Whose numbers these are.
    pub host: Host,
    /// Every provider that was asked, whether it could serve or not.
    pub providers: Vec<Provider>,
    /// Cost of measuring.
    pub harness: Harness,
    /// One row per provider, algorithm, operation, parameters and mode.
    pub rows: Vec<Row>,
    /// Control measurements (null operation, A/A).
    pub controls: Vec<Control>,
    /// What a reader must know before using a number.
    pub warnings: Vec<Warning>,
}

/// A plan as it was resolved: after defaults, file and command line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// `quick`, `kem`, … or the file's stem.
    pub name: String,
    /// What the plan is for; printed in the report.
    pub analysis: Option<String>,
    /// Resolved settings by name (`processes`, `rounds`, `epoch_ns`, `warmup`, …).
    pub settings: BTreeMap<String, serde_json::Value>,
}

/// The machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Host {
    /// Host name. This and the fields up to `os`, the clock and the grade are `null` in a run that was imported: its log
    /// does not tell where it was measured. The reasons are in `unmeasurable`, under the names of the fields.
    pub name: Option<String>,
    /// CPU model as the kernel names it.
    pub cpu: Option<String>,
    /// Instruction-set extensions that matter to cryptography, e.g. `avx2`, `sha_ni`.
    pub isa: Vec<String>,
    /// Logical processors online.
    pub cores: Option<u32>,
    /// Kernel release.
    pub kernel: Option<String>,
    /// Operating system, `PRETTY_NAME`.
    pub os: Option<String>,
    /// `kvm`, `vmware`, `container`, … ; `null` when on bare metal as far as can be seen.
    pub virtualised: Option<String>,
    /// cpufreq governor.
    pub governor: Option<String>,
    /// Simultaneous multithreading active.
    pub smt: Option<bool>,
    /// Share of time stolen by the hypervisor during the run, per cent.
    pub steal_pct: Option<f64>,
    /// Load average of the last minute when the run began.
    pub load_1m: Option<f64>,
    /// Memory, bytes.
    pub memory_bytes: Option<u64>,
    /// CPU microcode revision.
    pub microcode: Option<String>,
    /// Clock used for the samples.
    pub clock: Option<Clock>,
    /// A (bare metal, fixed frequency) to D (shared virtual machine).
    pub grade: Option<String>,
    /// Why this grade.
    pub grade_reasons: Vec<String>,
    /// What cannot be measured here, and why (`cycles`, `energy`, `governor`, …).
    pub unmeasurable: Vec<Unmeasurable>,
}

/// A clock's measured properties.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Clock {
    /// `tsc` or `monotonic`.
    pub name: String,
    /// Smallest observed non-zero difference, ns.
    pub step_ns: f64,
    /// Cost of one reading, ns.
    pub cost_ns: f64,
}

/// A thing this host cannot measure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unmeasurable {
    /// `cycles`, `energy`, `frequency`, …
    pub what: String,
    /// Why.
    pub reason: String,
}

/// A provider's provenance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Provider {
    /// `name@version[+variant]`.
    pub id: String,
    /// Name without version.
    pub name: String,
    /// Version as the library reports it; `null` with a reason when it could not be loaded.
    pub version: Option<String>,
    /// Shared library, `null` when linked in.
    pub library: Option<Library>,
    /// Compiler and flags.
    pub flags: Option<String>,
    /// Instruction-set path taken on this CPU.
    pub isa_path: Option<String>,
    /// State of a FIPS module.
    pub fips: Option<String>,
    /// Where it came from.
    pub origin: String,
    /// `ok` or `unavailable` or `failed`.
    pub status: Status,
    /// Why, when not `ok`.
    pub reason: Option<String>,
    /// Reasons for `null` fields, by field name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub absent: BTreeMap<String, String>,
}

/// A shared library file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Library {
    /// Path.
    pub path: String,
    /// SHA-256, lower-case hex.
    pub sha256: String,
}

/// Cost of measuring, through the real worker path.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Harness {
    /// Nanoseconds per operation that the harness adds (null provider, median).
    pub tax_ns: Option<f64>,
    /// Per operation kind: name → ns.
    #[serde(default)]
    pub tax_by_operation: BTreeMap<String, f64>,
    /// Why `tax_ns` is absent.
    pub reason: Option<String>,
}

/// Outcome of a row or provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Measured.
    Ok,
    /// Not offered by this provider, or not measurable on this host.
    Unavailable,
    /// Did not conform, crashed, hung or answered nonsense.
    Failed,
    /// Measured, but a control failed.
    Inconclusive,
}

/// What a quantile of this row means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Batches: a sample is the mean of an epoch.
    Throughput,
    /// Each operation stamped: a sample is one operation.
    Latency,
}

/// One measured (or not measurable) thing. Times are nanoseconds per operation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Stable within a run: `provider/algorithm/operation[/size][/mode]`.
    pub id: String,
    /// `kem`, `signature`, `agreement`, `aead`, `hash`, `mac`, `kdf`.
    pub family: String,
    /// Canonical name.
    pub algorithm: String,
    /// `keygen`, `encaps`, `sign`, …
    pub operation: String,
    /// Parameters: `size` (bytes), `keys`, `inputs`, `form`, `count`, …
    pub params: BTreeMap<String, serde_json::Value>,
    /// Provider id.
    pub provider: String,
    /// Batched or single operations.
    pub mode: Mode,
    /// Outcome.
    pub status: Status,
    /// Why not `ok`.
    pub reason: Option<String>,
    /// Samples kept, over all processes.
    pub n: u64,
    /// Processes (the unit of inference).
    pub processes: u32,
    /// Median over processes of the per-process medians.
    pub median_ns: Option<f64>,
    /// 95 % interval of that median, order statistics over processes.
    pub ci95_ns: Option<[f64; 2]>,
    /// Achieved coverage of `ci95_ns` in per cent (order statistics are discrete; 6 processes give 96.9).
    pub ci_coverage_pct: Option<f64>,
    /// 95 % percentile bootstrap interval of the same median, resampling processes, then epochs.
    pub bootstrap95_ns: Option<[f64; 2]>,
    /// Mean of all samples.
    pub mean_ns: Option<f64>,
    /// Median absolute deviation of all samples (not scaled).
    pub mad_ns: Option<f64>,
    /// Smallest sample.
    pub min_ns: Option<f64>,
    /// 95th percentile of the samples; see `mode` for what a sample is.
    pub p95_ns: Option<f64>,
    /// 99th percentile of the samples.
    pub p99_ns: Option<f64>,
    /// Coefficient of variation of the samples, per cent. Describes noise, nothing else.
    pub cov_pct: Option<f64>,
    /// 1e9 / mean_ns: what a loop of it does in a second, one thread.
    pub ops_per_s: Option<f64>,
    /// For operations over a size.
    pub bytes_per_s: Option<f64>,
    /// Share of samples during which the worker was preempted or time was stolen, per cent. Kept in all figures.
    pub contaminated_pct: Option<f64>,
    /// `median_ns` over the samples that were not contaminated.
    pub clean_median_ns: Option<f64>,
    /// Lag-1 autocorrelation of the samples within processes.
    pub autocorrelation: Option<f64>,
    /// Whether the last third differs from the first by more than the noise.
    pub drift: Option<bool>,
    /// Sizes in bytes: `public`, `secret`, `ciphertext`, `signature`, …
    pub sizes: BTreeMap<String, u64>,
    /// Reasons for `null` fields, by field name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub absent: BTreeMap<String, String>,
}

/// A control measurement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Control {
    /// `null-operation`, `aa`, …
    pub name: String,
    /// Whether it came out as it must; absent where it cannot be made, and `detail` is the reason.
    pub passed: Option<bool>,
    /// What was seen, in words and numbers.
    pub detail: String,
}

/// Something a reader must know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// Stable key, e.g. `shared-vm`, `contaminated`, `debug-build`.
    pub code: String,
    /// What happened, why it matters, what helps.
    pub message: String,
}

/// One raw sample: a line of `samples.parquet`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// [`Row::id`].
    pub row: String,
    /// Process number, from 0.
    pub process: u32,
    /// Round within the process, from 0.
    pub round: u32,
    /// Position in the round's order, from 0.
    pub position: u32,
    /// Operations in this sample.
    pub count: u64,
    /// Elapsed nanoseconds for all of them.
    pub elapsed_ns: f64,
    /// Involuntary context switches during the sample; absent where a foreign tool measured.
    pub nivcsw: Option<u64>,
    /// Nanoseconds the worker waited for a CPU during the sample; absent where the kernel does not tell.
    pub run_delay_ns: Option<u64>,
    /// Clock ticks (1/100 s) stolen by the hypervisor during the sample, this CPU.
    pub steal_ticks: Option<u64>,
    /// Warm-up sample: kept, not used in any figure.
    pub warmup: bool,
}
