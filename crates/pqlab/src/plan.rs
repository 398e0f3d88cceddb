//! What is measured: a plan (TOML, `benchmarks/*.toml`) and the settings that the command line overrides.

use crate::error::{CliError, nearest};
use crate::workload::Operation;
use crypto::Family;
use report::record::Mode;
use serde::Deserialize;
use std::io::Read;
use std::path::Path;

mod shipped;

pub use shipped::shipped;

/// A plan as resolved.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Name.
    pub name: String,
    /// What it is for; printed in reports.
    pub analysis: String,
    /// Settings.
    pub settings: Settings,
    /// What is measured, in order.
    pub groups: Vec<Group>,
}

/// Rows that differ in the provider only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Canonical name, or a name that a loaded library must offer.
    pub algorithm: String,
    /// Family, known for names of the catalogue.
    pub family: Option<Family>,
    /// What is done.
    pub operation: Operation,
    /// Message size in bytes, for operations over a size and for signatures.
    pub size: Option<usize>,
    /// Batched or single.
    pub mode: Mode,
}

/// How it is measured. Defaults: [`Settings::default`].
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Fresh processes per provider and row: the unit of inference. 6 is the fewest for a 95 % interval.
    pub processes: u32,
    /// Rounds (one epoch of each provider) per process.
    pub rounds: u32,
    /// Longest epoch of the slowest provider, ms; a tenth of it is the shortest of the fastest.
    pub epoch_ms: f64,
    /// Epochs per process that are kept but not used.
    pub warmup: u32,
    /// Operations per epoch; calibrated when absent.
    pub iterations: Option<u64>,
    /// Measured seconds per row; sets the rounds when given.
    pub seconds: Option<f64>,
    /// Whole run, seconds; fewer rounds when it gets short.
    pub time_budget: Option<f64>,
    /// Seed of inputs and orders.
    pub seed: u64,
    /// Keys in the pool; the algorithm's default when absent.
    pub keys: Option<usize>,
    /// Items in the pool; the algorithm's default when absent.
    pub inputs: Option<usize>,
    /// Message size of signatures, bytes.
    pub message: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            processes: 6,
            rounds: 16,
            epoch_ms: 1.0,
            warmup: 1,
            iterations: None,
            seconds: None,
            time_budget: None,
            seed: 1,
            keys: None,
            inputs: None,
            message: 32,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanFile {
    name: String,
    #[serde(default)]
    analysis: String,
    #[serde(default)]
    settings: SettingsFile,
    measure: Vec<MeasureFile>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct SettingsFile {
    processes: Option<u32>,
    rounds: Option<u32>,
    epoch_ms: Option<f64>,
    warmup: Option<u32>,
    iterations: Option<u64>,
    seconds: Option<f64>,
    time_budget: Option<f64>,
    seed: Option<u64>,
    keys: Option<usize>,
    inputs: Option<usize>,
    message: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MeasureFile {
    algorithms: Vec<String>,
    operations: Vec<String>,
    #[serde(default)]
    sizes: Vec<usize>,
    #[serde(default)]
    modes: Vec<String>,
    /// Names that only a loaded library knows are allowed here.
    #[serde(default)]
    discovered: bool,
}

/// What helps with a plan that cannot be used.
const HINT: &str = "docs/PLAN.md describes the file; `pqlab list plans` shows the shipped ones";

impl Plan {
    /// Reads a plan: the name of a shipped one, or a path.
    ///
    /// # Errors
    /// Unknown name (with the nearest), unreadable file, broken TOML (line and column), unknown algorithm or operation.
    pub fn load(name_or_path: &str) -> Result<Self, CliError> {
        if let Some((_, text)) = shipped().iter().find(|(name, _)| *name == name_or_path) {
            return Self::parse(text, name_or_path);
        }
        let path = Path::new(name_or_path);
        if !path.exists() && !name_or_path.contains(['/', '.']) {
            let names = shipped().iter().map(|(name, _)| *name);
            let hint = match nearest(name_or_path, names) {
                Some(name) => format!("did you mean `{name}`? `pqlab list plans` shows all"),
                None => "`pqlab list plans` shows all; a file is given as a path".to_owned(),
            };
            return Err(CliError::usage(format!("unknown plan `{name_or_path}`")).with_hint(hint));
        }
        let text = read_bounded(path)
            .map_err(|e| CliError::usage(format!("cannot read the plan {name_or_path}: {e}")).with_hint(HINT))?;
        Self::parse(&text, name_or_path)
    }

    /// Parses a plan; `origin` names it in errors.
    ///
    /// # Errors
    /// As [`Plan::load`].
    pub fn parse(text: &str, origin: &str) -> Result<Self, CliError> {
        let file: PlanFile = toml::from_str(text).map_err(|error| {
            let place = error.span().map_or(String::new(), |span| {
                let before = String::from_utf8_lossy(text.as_bytes().get(..span.start).unwrap_or_default());
                let line = before.matches('\n').count() + 1;
                let column = before.rsplit('\n').next().map_or(0, |l| l.chars().count()) + 1;
                format!(", line {line}, column {column}")
            });
            CliError::usage(format!("plan {origin}{place}: {}", error.message())).with_hint(HINT)
        })?;
        let settings = file.settings.resolve(origin)?;
        let mut groups = Vec::new();
        for block in &file.measure {
            block.expand(origin, &mut groups)?;
        }
        if groups.is_empty() {
            return Err(CliError::usage(format!("plan {origin} measures nothing"))
                .with_hint("add a [[measure]] block with algorithms and operations"));
        }
        Ok(Self { name: file.name, analysis: file.analysis, settings, groups })
    }
}

/// Longest plan file, bytes.
const LONGEST_PLAN: u64 = 1 << 20;

/// Reads a plain file of at most [`LONGEST_PLAN`] bytes: a pipe or a device would be read for ever.
fn read_bounded(path: &Path) -> std::io::Result<String> {
    let about = std::fs::metadata(path)?;
    if about.is_dir() {
        return Err(std::io::Error::from(std::io::ErrorKind::IsADirectory));
    }
    if !about.is_file() || about.len() > LONGEST_PLAN {
        return Err(std::io::Error::other("it is no plain file of at most 1 MiB"));
    }
    let mut text = String::new();
    std::fs::File::open(path)?.take(LONGEST_PLAN).read_to_string(&mut text)?;
    Ok(text)
}

impl SettingsFile {
    fn resolve(self, origin: &str) -> Result<Settings, CliError> {
        let Self { processes, rounds, epoch_ms, warmup, iterations, seconds, time_budget, seed, keys, inputs, message } =
            self;
        let base = Settings::default();
        let settings = Settings {
            processes: processes.unwrap_or(base.processes),
            rounds: rounds.unwrap_or(base.rounds),
            epoch_ms: epoch_ms.unwrap_or(base.epoch_ms),
            warmup: warmup.unwrap_or(base.warmup),
            iterations: iterations.or(base.iterations),
            seconds: seconds.or(base.seconds),
            time_budget: time_budget.or(base.time_budget),
            seed: seed.unwrap_or(base.seed),
            keys: keys.or(base.keys),
            inputs: inputs.or(base.inputs),
            message: message.unwrap_or(base.message),
        };
        settings.check().map_err(|what| CliError::usage(format!("plan {origin}: {what}")).with_hint(HINT))?;
        Ok(settings)
    }
}

/// Most warm-up epochs of a process.
const MOST_WARMUP: u32 = 1_000_000;

/// Longest message, bytes: what an item of a pool may have (`docs/POOL.md`), with room for an authentication tag.
const LARGEST_MESSAGE: usize = 16 * 1024 * 1024 - 64;

impl Settings {
    /// Checks that every number is one that can be measured with.
    ///
    /// # Errors
    /// In words.
    pub fn check(&self) -> Result<(), String> {
        let positive = |name: &str, value: f64, most: f64| {
            if value.is_finite() && value > 0.0 && value <= most {
                Ok(())
            } else {
                Err(format!("{name} is {value}, but must be above 0 and at most {most}"))
            }
        };
        positive("processes", f64::from(self.processes), 1000.0)?;
        positive("rounds", f64::from(self.rounds), 1e6)?;
        positive("epoch_ms", self.epoch_ms, 10_000.0)?;
        if self.warmup > MOST_WARMUP {
            return Err(format!("warmup is {}, but must be at most {MOST_WARMUP}", self.warmup));
        }
        if self.message > LARGEST_MESSAGE {
            return Err(format!("message is {}, but must be at most {LARGEST_MESSAGE}", self.message));
        }
        for (name, value) in [("seconds", self.seconds), ("time_budget", self.time_budget)] {
            positive(name, value.unwrap_or(1.0), 1e6)?;
        }
        for (name, value) in [("keys", self.keys), ("inputs", self.inputs)] {
            positive(name, value.unwrap_or(1) as f64, 65536.0)?;
        }
        positive("iterations", self.iterations.unwrap_or(1) as f64, 1e12)
    }
}

impl MeasureFile {
    fn expand(&self, origin: &str, groups: &mut Vec<Group>) -> Result<(), CliError> {
        let operations: Vec<Operation> = self
            .operations
            .iter()
            .map(|name| operation(name).map_err(|e| e.located(origin)))
            .collect::<Result<_, _>>()?;
        let modes: Vec<Mode> =
            self.modes.iter().map(|name| mode(name).map_err(|e| e.located(origin))).collect::<Result<_, _>>()?;
        if let Some(size) = self.sizes.iter().find(|size| **size > LARGEST_MESSAGE) {
            return Err(CliError::usage(format!("plan {origin}: a size of {size} bytes"))
                .with_hint(format!("sizes are at most {LARGEST_MESSAGE} bytes")));
        }
        let modes = if modes.is_empty() { vec![Mode::Throughput] } else { modes };
        self.fits(origin, &operations)?;
        for name in &self.algorithms {
            let found = if self.discovered {
                crypto::find(name)
            } else {
                Some(algorithm(name).map_err(|e| e.located(origin))?)
            };
            let canonical = found.map_or(name.as_str(), |row| row.name);
            for &operation in &operations {
                let family = found.map(|row| row.family);
                if let Some(family) = family
                    && !Operation::of(family).contains(&operation)
                {
                    continue;
                }
                let sizes: Vec<Option<usize>> = match family {
                    Some(family) if operation.sized(family) => {
                        if self.sizes.is_empty() {
                            vec![Some(1024)]
                        } else {
                            self.sizes.iter().copied().map(Some).collect()
                        }
                    }
                    _ => vec![None],
                };
                for &size in &sizes {
                    for &mode in &modes {
                        let group = Group { algorithm: canonical.to_owned(), family, operation, size, mode };
                        // Named twice, perhaps once by an alias: measured once, since a row has one place in a record.
                        if !groups.contains(&group) {
                            groups.push(group);
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

impl MeasureFile {
    /// A block names algorithms of several families, so not all operations fit all of them; but what fits nothing is a
    /// mistake. Names that are to be discovered may have any operation.
    fn fits(&self, origin: &str, operations: &[Operation]) -> Result<(), CliError> {
        let mut unused = operations.to_vec();
        for name in &self.algorithms {
            let Some(row) = crypto::find(name) else { return Ok(()) };
            let known = Operation::of(row.family);
            if !operations.is_empty() && !operations.iter().any(|operation| known.contains(operation)) {
                let names =
                    |operations: &[Operation]| operations.iter().map(|o| o.as_str()).collect::<Vec<_>>().join(", ");
                let asked = names(operations);
                let what = format!("plan {origin}: {} ({}) has no operation {asked}", row.name, row.family.as_str());
                return Err(CliError::usage(what).with_hint(format!(
                    "operations of the family {}: {}",
                    row.family.as_str(),
                    names(known)
                )));
            }
            unused.retain(|operation| !known.contains(operation));
        }
        match unused.first() {
            Some(operation) if !self.algorithms.is_empty() => {
                let what = format!(
                    "plan {origin}: no algorithm among {} has the operation {operation}",
                    self.algorithms.join(", ")
                );
                Err(CliError::usage(what).with_hint("`pqlab list operations` shows which family has which"))
            }
            _ => Ok(()),
        }
    }
}

trait Located {
    fn located(self, origin: &str) -> Self;
}

impl Located for CliError {
    fn located(self, origin: &str) -> Self {
        let error = CliError::usage(format!("plan {origin}: {}", self.what()));
        match self.hint() {
            Some(hint) => error.with_hint(hint),
            None => error,
        }
    }
}

/// The catalogue row of a name as typed.
///
/// # Errors
/// Unknown, with the nearest name.
pub fn algorithm(name: &str) -> Result<&'static crypto::Algorithm, CliError> {
    crypto::find(name).ok_or_else(|| {
        if name.trim().is_empty() {
            return empty_name("algorithm");
        }
        let hint = match nearest(name, crypto::nearest_names()) {
            Some(near) => format!("did you mean `{near}`? `pqlab list algorithms` shows all"),
            None => "`pqlab list algorithms` shows all".to_owned(),
        };
        CliError::usage(format!("unknown algorithm `{name}`")).with_hint(hint)
    })
}

/// The operation of a name as typed.
///
/// # Errors
/// Unknown, with the nearest name.
pub fn operation(name: &str) -> Result<Operation, CliError> {
    name.parse().map_err(|what: String| {
        if name.trim().is_empty() {
            return empty_name("operation");
        }
        let names = Operation::ALL.iter().map(|(_, name)| *name);
        let hint = match nearest(name, names) {
            Some(near) => format!("did you mean `{near}`? `pqlab list operations` shows all"),
            None => "`pqlab list operations` shows all".to_owned(),
        };
        CliError::usage(what).with_hint(hint)
    })
}

fn empty_name(what: &str) -> CliError {
    CliError::usage(format!("an empty name of an {what}"))
        .with_hint(format!("give names of `pqlab list {what}s`, separated by commas"))
}

fn mode(name: &str) -> Result<Mode, CliError> {
    match name {
        "throughput" => Ok(Mode::Throughput),
        "latency" => Ok(Mode::Latency),
        other => Err(CliError::usage(format!("unknown mode `{other}`")).with_hint("modes are throughput and latency")),
    }
}

#[cfg(test)]
mod tests;
