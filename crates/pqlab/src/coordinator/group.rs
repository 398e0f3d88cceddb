//! Measures one group: processes, rounds, epochs.

use super::calibration::calibrated;
use super::count::shared_count;
use super::handle::{WorkerFault, WorkerHandle};
use super::known;
use super::limits::Limits;
use super::pools::PoolFile;
use crate::plan::{Group, Settings};
use crate::provider_spec::ProviderSpec;
use crate::wire::{Body, Calibrated, Epochs};
use crate::workload::Operation;
use measure::clock::ClockFacts;
use measure::order;
use measure::random::Random;
use measure::sampler::latency_floor_ns;
use report::record::{Mode, Sample};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A time that a worker states cannot be longer than the time it took to answer, but for the difference of two clocks.
pub(super) const CLOCKS_DIFFER: f64 = 1.01;

/// Shortest stated time of an operation that can be one: light goes less than a millimetre.
pub(super) const SHORTEST_OPERATION_NS: f64 = 0.001;

/// What all arms of a group share.
pub struct Setting<'a> {
    /// What is measured.
    pub group: &'a Group,
    /// How.
    pub settings: &'a Settings,
    /// Inputs.
    pub pool: &'a PoolFile,
    /// Clock of the workers.
    pub clock: &'a ClockFacts,
    /// CPU of the workers.
    pub cpu: Option<usize>,
    /// How long they may take to answer.
    pub limits: Limits,
    /// Set by Ctrl-C.
    pub interrupted: &'a AtomicBool,
}

/// How long a group may take.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    /// All of it, from the run's time budget.
    pub share: Option<Duration>,
    /// Measured time of each row, from `--seconds`.
    pub seconds_per_row: Option<f64>,
    /// Processes that are measured however short the time is.
    pub fewest_processes: u32,
}

/// What came of one arm.
#[derive(Debug, Default)]
pub struct Measured {
    /// Raw samples in order of time; [`Sample::row`] is still empty.
    pub samples: Vec<Sample>,
    /// Why there are none, or not all.
    pub failed: Option<String>,
    /// The row cannot be measured on this host.
    pub unavailable: Option<String>,
    /// A crash, hang or nonsense.
    pub fatal: bool,
    /// What calibration found.
    pub calibrated: Option<Calibrated>,
}

/// What was decided for the whole group.
#[derive(Debug, Default, Clone, Copy)]
pub struct Facts {
    /// Operations of an epoch.
    pub count: u64,
    /// Rounds of each process.
    pub rounds: u32,
}

/// Result of a group.
pub struct GroupOutcome {
    /// In the order of the specs given.
    pub arms: Vec<Measured>,
    /// Shared facts.
    pub facts: Facts,
}

/// Measures `specs` against each other.
#[must_use]
pub fn measure(setting: &Setting<'_>, specs: &[&ProviderSpec], budget: Budget) -> GroupOutcome {
    let mut state = State {
        setting,
        specs,
        measured: specs.iter().map(|_| Measured::default()).collect(),
        ns_per_op: vec![0.0; specs.len()],
        facts: Facts::default(),
        started: Instant::now(),
        budget,
        random: Random::new(setting.settings.seed, hash_of(setting.group)),
    };
    for process in 0..setting.settings.processes {
        if setting.interrupted.load(Ordering::SeqCst) || state.live().is_empty() || state.out_of_time(process) {
            break;
        }
        state.process(process);
    }
    GroupOutcome { arms: state.measured, facts: state.facts }
}

struct State<'a> {
    setting: &'a Setting<'a>,
    specs: &'a [&'a ProviderSpec],
    measured: Vec<Measured>,
    ns_per_op: Vec<f64>,
    facts: Facts,
    started: Instant,
    budget: Budget,
    random: Random,
}

type Workers = BTreeMap<usize, WorkerHandle>;

impl State<'_> {
    fn live(&self) -> Vec<usize> {
        (0..self.specs.len())
            .filter(|&i| self.measured[i].failed.is_none() && self.measured[i].unavailable.is_none())
            .collect()
    }

    /// A few processes are always measured; the budget decides about the others.
    fn out_of_time(&self, process: u32) -> bool {
        process >= self.budget.fewest_processes
            && self.budget.share.is_some_and(|share| self.started.elapsed() > share * 2)
    }

    fn fail(&mut self, arm: usize, fault: &WorkerFault) {
        // Ctrl-C reaches a worker that was just being started: that is our ending, not its crash.
        if fault.is_fatal() && self.setting.interrupted.load(Ordering::SeqCst) {
            return;
        }
        let measured = &mut self.measured[arm];
        if fault.is_unsupported() {
            measured.unavailable = Some(fault.to_string());
        } else {
            measured.fatal |= fault.is_fatal();
            measured.failed = Some(fault.to_string());
        }
    }

    /// One replicate: a fresh process per arm.
    fn process(&mut self, process: u32) {
        let began = Instant::now();
        let mut workers = self.start();
        if self.facts.count == 0 {
            self.calibrate(&mut workers);
        }
        if workers.is_empty() {
            return;
        }
        if self.facts.rounds == 0 {
            self.facts.rounds = self.rounds(began.elapsed());
        }
        let warmup = self.setting.settings.warmup;
        let arms: Vec<usize> = workers.keys().copied().collect();
        for round in 0..warmup {
            self.round(&mut workers, &arms, process, round, true);
        }
        // One sequence over all processes: each arm stands in each position equally often, however few the rounds are.
        let seed = self.setting.settings.seed ^ hash_of(self.setting.group);
        let rounds = self.facts.rounds as usize;
        let all = order::orders(arms.len(), rounds.saturating_mul(self.setting.settings.processes as usize), seed);
        let orders = all.get(process as usize * rounds..).unwrap_or_default().iter().take(rounds);
        for (round, order) in orders.enumerate() {
            if self.setting.interrupted.load(Ordering::SeqCst) {
                return;
            }
            let turn: Vec<usize> = order.iter().filter_map(|&at| arms.get(at).copied()).collect();
            self.round(&mut workers, &turn, process, warmup + round as u32, false);
        }
    }

    /// Starts a worker for each live arm and lets them prepare at the same time.
    fn start(&mut self) -> Workers {
        let mut workers = Workers::new();
        let Setting { group, pool, limits, .. } = self.setting;
        let limit = limits.of_prepare(&group.algorithm, pool.keys, pool.items);
        for arm in self.live() {
            // 0 … 4095 bytes of environment move the stack, as Mytkowicz et al. showed to matter.
            let padding = self.random.below(4096) as usize;
            match WorkerHandle::start(self.specs[arm], padding, self.setting.cpu).and_then(|mut worker| {
                worker.send(self.prepare(), limit)?;
                Ok(worker)
            }) {
                Ok(worker) => {
                    workers.insert(arm, worker);
                }
                Err(fault) => self.fail(arm, &fault),
            }
        }
        let arms: Vec<usize> = workers.keys().copied().collect();
        for arm in arms {
            if let Some(Err(fault)) = workers.get_mut(&arm).map(WorkerHandle::receive::<Value>) {
                self.fail(arm, &fault);
                workers.remove(&arm);
            }
        }
        workers
    }

    fn prepare(&self) -> Body {
        let Setting { group, pool, .. } = self.setting;
        Body::Prepare {
            algorithm: group.algorithm.clone(),
            operation: group.operation.as_str().into(),
            params: json!({ "size": pool.size }),
            pool: pool.path.to_string_lossy().into_owned(),
        }
    }

    /// One count for all arms, by [`shared_count`].
    fn calibrate(&mut self, workers: &mut Workers) {
        let settings = self.setting.settings;
        let target_ns = settings.epoch_ms * 1e6;
        let mut ns_per_op = Vec::new();
        for arm in workers.keys().copied().collect::<Vec<_>>() {
            let Some(worker) = workers.get_mut(&arm) else { continue };
            match calibrated(worker, target_ns, &self.setting.limits) {
                Ok(found) if self.too_short(found.ns_per_op) => {
                    self.measured[arm].unavailable = Some(self.too_short_reason(found.ns_per_op));
                    workers.remove(&arm);
                }
                Ok(found) => {
                    self.ns_per_op[arm] = found.ns_per_op;
                    self.measured[arm].calibrated = Some(found);
                    ns_per_op.push(found.ns_per_op);
                }
                Err(fault) => {
                    self.fail(arm, &fault);
                    workers.remove(&arm);
                }
            }
        }
        self.facts.count = settings.iterations.unwrap_or_else(|| shared_count(target_ns, &ns_per_op)).max(1);
    }

    fn too_short(&self, ns_per_op: f64) -> bool {
        self.setting.group.mode == Mode::Latency && ns_per_op < latency_floor_ns(self.setting.clock)
    }

    fn too_short_reason(&self, ns_per_op: f64) -> String {
        format!(
            "{ns_per_op:.0} ns is too short to be stamped singly: reading this clock costs {:.0} ns, more than 1 % of it",
            self.setting.clock.cost_ns
        )
    }

    /// Rounds of each process, from `--seconds`, the plan and what is left of the time budget.
    fn rounds(&self, setup: Duration) -> u32 {
        let settings = self.setting.settings;
        let epoch_s = |arm: usize| self.ns_per_op[arm] * self.facts.count as f64 / 1e9;
        let all: f64 = self.live().into_iter().map(epoch_s).sum::<f64>().max(1e-9);
        let processes = f64::from(settings.processes);
        let wanted = match self.budget.seconds_per_row {
            Some(seconds) => {
                let mean = all / self.live().len().max(1) as f64;
                ((seconds / processes / mean).round() as u32).clamp(1, 1_000_000)
            }
            None => settings.rounds,
        };
        let Some(share) = self.budget.share else { return wanted };
        let per_process = (share.as_secs_f64() / processes - setup.as_secs_f64()).max(0.0);
        let affordable = (per_process / all) as u32;
        affordable.saturating_sub(settings.warmup).clamp(1, wanted.max(1))
    }

    /// One epoch of each arm, on the same inputs.
    fn round(&mut self, workers: &mut Workers, turn: &[usize], process: u32, round: u32, warmup: bool) {
        let count = self.facts.count;
        // Each process goes on where the one before it ended, so that the row meets as many inputs as it can.
        let each = u64::from(self.setting.settings.warmup) + u64::from(self.facts.rounds);
        let first = (u64::from(process) * each + u64::from(round)).wrapping_mul(count);
        let mut digests = BTreeMap::new();
        for (position, &arm) in turn.iter().enumerate() {
            let Some(worker) = workers.get_mut(&arm) else { continue };
            let mode = (self.setting.group.mode == Mode::Latency).then(|| "latency".to_owned());
            let limit = self.setting.limits.of_work(self.ns_per_op[arm] * count as f64);
            let asked = Instant::now();
            match worker.request::<Epochs>(Body::Epoch { first, count, mode }, limit) {
                Ok(epochs) => match self.samples(&epochs, asked.elapsed(), (process, round, position as u32), warmup) {
                    Ok(samples) => {
                        self.measured[arm].samples.extend(samples);
                        digests.insert(arm, epochs.digest);
                    }
                    Err(what) => {
                        self.fail(arm, &WorkerFault::Nonsense(what));
                        workers.remove(&arm);
                    }
                },
                Err(fault) => {
                    self.fail(arm, &fault);
                    workers.remove(&arm);
                }
            }
        }
        if comparable(self.setting.group.operation) {
            let Setting { pool, group, .. } = self.setting;
            let known = || known::digest(pool, group.operation, first, count);
            let (wrong, what) = dissenters(&digests, known);
            for arm in wrong {
                self.measured[arm].failed = Some(what.into());
                workers.remove(&arm);
            }
        }
    }

    /// The samples of an answer that took `waited`, when they can be true.
    fn samples(
        &self,
        epochs: &Epochs,
        waited: Duration,
        (process, round, position): (u32, u32, u32),
        warmup: bool,
    ) -> Result<Vec<Sample>, String> {
        let done: u64 = epochs.epochs.iter().map(|e| e.count).fold(0, u64::saturating_add);
        let shape = match self.setting.group.mode {
            Mode::Throughput => epochs.epochs.len() == 1,
            Mode::Latency => epochs.epochs.iter().all(|e| e.count == 1),
        };
        if done != self.facts.count || !shape {
            let parts = epochs.epochs.len();
            return Err(format!("{done} operations timed in {parts} epochs, {} asked for", self.facts.count));
        }
        if let Some(bad) = epochs.epochs.iter().find(|e| e.elapsed_ns.is_nan() || e.elapsed_ns <= 0.0) {
            return Err(format!("an epoch that lasted {} ns", bad.elapsed_ns));
        }
        if let Some(bad) = epochs.epochs.iter().find(|e| e.elapsed_ns < SHORTEST_OPERATION_NS * e.count.max(1) as f64) {
            return Err(format!("{} operations in {:e} ns", bad.count, bad.elapsed_ns));
        }
        let stated: f64 = epochs.epochs.iter().map(|e| e.elapsed_ns).sum();
        if stated > waited.as_nanos() as f64 * CLOCKS_DIFFER {
            return Err(format!("epochs of {stated:e} ns in an answer that took {:e} ns", waited.as_nanos() as f64));
        }
        let sample = |e: &crate::wire::WireEpoch| Sample {
            row: String::new(),
            process,
            round,
            position,
            count: e.count,
            elapsed_ns: e.elapsed_ns,
            nivcsw: Some(e.nivcsw),
            run_delay_ns: e.run_delay_ns,
            steal_ticks: e.steal_ticks,
            warmup,
        };
        Ok(epochs.epochs.iter().map(sample).collect())
    }
}

/// Operations whose outputs follow from the inputs.
#[must_use]
pub fn comparable(operation: Operation) -> bool {
    !matches!(operation, Operation::Keygen | Operation::Encaps | Operation::Sign)
}

/// When digests differ: the arms that are wrong, and in what.
///
/// The digest of the known outputs (`known`, asked only then) decides. Where there is none, or no arm has it, the majority
/// does; where there is no majority all are wrong.
fn dissenters(digests: &BTreeMap<usize, String>, known: impl FnOnce() -> Option<String>) -> (Vec<usize>, &'static str) {
    let mut votes: BTreeMap<&str, usize> = BTreeMap::new();
    for digest in digests.values() {
        *votes.entry(digest).or_default() += 1;
    }
    if votes.len() <= 1 {
        return (Vec::new(), "");
    }
    let others = |winner: Option<&str>| {
        digests.iter().filter(|(_, digest)| Some(digest.as_str()) != winner).map(|(arm, _)| *arm).collect()
    };
    match known().filter(|known| votes.contains_key(known.as_str())) {
        Some(known) => (others(Some(&known)), "its outputs differ from the known outputs of the common inputs"),
        None => {
            let winner = votes.iter().find(|(_, n)| **n * 2 > digests.len()).map(|(digest, _)| *digest);
            (others(winner), "its outputs differ from those of the other providers on the same inputs")
        }
    }
}

/// A number that tells groups apart, so that each has orders of its own from one seed (FNV-1a).
fn hash_of(group: &Group) -> u64 {
    let text = format!("{} {} {:?} {:?}", group.algorithm, group.operation, group.size, group.mode);
    text.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn votes(list: &[&str]) -> BTreeMap<usize, String> {
        list.iter().enumerate().map(|(i, d)| (i, (*d).to_owned())).collect()
    }

    #[test]
    fn the_minority_dissents_and_a_tie_condemns_all() {
        let wrong = |list: &[&str]| dissenters(&votes(list), || None).0;
        assert!(wrong(&["a", "a", "a"]).is_empty());
        assert_eq!(wrong(&["a", "b", "a"]), [1]);
        assert_eq!(wrong(&["a", "b"]), [0, 1]);
        assert!(wrong(&["a"]).is_empty());
    }

    #[test]
    fn known_outputs_decide_over_the_majority() {
        let wrong = |list: &[&str], known: &str| dissenters(&votes(list), || Some(known.into()));
        assert_eq!(wrong(&["a", "b"], "b").0, [0]);
        assert_eq!(wrong(&["a", "b", "a"], "b").0, [0, 2]);
        assert!(wrong(&["a", "b"], "b").1.contains("known outputs"));
        // Known outputs that nobody gives say nothing about who is right.
        assert_eq!(wrong(&["a", "b", "a"], "c").0, [1]);
        assert!(wrong(&["a", "a"], "b").0.is_empty());
    }
}
