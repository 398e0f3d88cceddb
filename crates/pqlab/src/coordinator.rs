//! Measures a plan: provider by provider in processes of their own, row by row, round by round.
//!
//! ```text
//! for each group (algorithm, operation, size, mode)      rows of a group differ in the provider only
//!   conformance of every provider that offers it          nothing is timed that has not passed
//!   one pool of inputs for all
//!   for each process replicate                            fresh processes, random environment size
//!     prepare, calibrate once, warm up
//!     for each round: one epoch of each provider          randomised Latin square
//!   statistics → rows → written
//! ```

pub mod aa;
pub mod arms;
mod calibration;
pub mod count;
pub mod findings;
pub mod gate;
pub mod group;
pub mod handle;
pub mod known;
pub mod limits;
pub mod pools;
pub mod rows;
pub mod tax;

use crate::error::CliError;
use crate::plan::{Group, Settings};
use crate::wire::Offer;
use arms::Arm;
use gate::Gate;
use group::{Budget, Measured, Setting};
use limits::Limits;
use measure::clock::ClockFacts;
use pools::Pools;
use report::record::{Row, Sample, Status};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// First words of the reason of a row whose provider gave wrong answers.
pub const NOT_CONFORMING: &str = "does not conform";

/// After so many crashes, hangs or nonsense a provider is given up for the rest of the run, so that the time lost to it is bounded.
const STRIKES: u32 = 3;

/// Processes of each row that are measured however short the time is.
const FEWEST_PROCESSES: u32 = 2;

/// What the coordinator tells while it works.
pub trait Observer {
    /// A group begins.
    fn group(&mut self, done: usize, total: usize, what: &str);
    /// Its rows are there.
    fn rows(&mut self, rows: Vec<(Row, Vec<Sample>)>) -> Result<(), CliError>;
}

/// How a run ended.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Ending {
    /// Groups measured.
    pub groups: usize,
    /// Whether it was interrupted.
    pub interrupted: bool,
    /// Rows that failed.
    pub failed: usize,
    /// Time that went into what is not timed.
    pub setup: Duration,
}

/// A run in progress.
pub struct Coordinator<'a> {
    /// Providers that answered.
    pub arms: Vec<Arm>,
    /// Settings of the plan.
    pub settings: &'a Settings,
    /// The clock the workers use: same program, same machine.
    pub clock: ClockFacts,
    /// CPU the workers are bound to.
    pub worker_cpu: Option<usize>,
    /// How long the workers may take to answer.
    pub limits: Limits,
    /// Set by Ctrl-C.
    pub interrupted: &'a AtomicBool,
    /// When the run began: its time budget is counted from here.
    pub began: Instant,
}

impl Coordinator<'_> {
    /// Measures the groups in order; every finished group goes to the observer.
    ///
    /// # Errors
    /// What the observer reports (a full disk), or a temporary folder that cannot be made.
    pub fn run(&mut self, groups: &[Group], observer: &mut dyn Observer) -> Result<Ending, CliError> {
        let mut pools = Pools::new(self.settings.seed)?;
        let mut gate = Gate::new(&self.arms);
        let mut ending = Ending { setup: self.began.elapsed(), ..Ending::default() };
        for (done, group) in groups.iter().enumerate() {
            if self.interrupted.load(Ordering::SeqCst) {
                ending.interrupted = true;
                break;
            }
            observer.group(done, groups.len(), &describe(group));
            let rows = self.group(group, groups.len() - done, &mut pools, &mut gate, &mut ending.setup);
            ending.failed += rows.iter().filter(|(row, _)| row.status == Status::Failed).count();
            observer.rows(rows)?;
            ending.groups = done + 1;
        }
        ending.interrupted |= self.interrupted.load(Ordering::SeqCst);
        Ok(ending)
    }

    /// What is left of the time budget, all that was done since the run began taken off; `None` without a budget.
    #[must_use]
    pub fn left(&self) -> Option<Duration> {
        self.settings.time_budget.map(|total| {
            Duration::try_from_secs_f64(total).unwrap_or(Duration::MAX).saturating_sub(self.began.elapsed())
        })
    }

    /// What is left, divided among the groups that are left.
    fn budget(&self, groups_left: usize) -> Budget {
        let share = self.left().map(|left| left / u32::try_from(groups_left.max(1)).unwrap_or(u32::MAX));
        Budget { share, seconds_per_row: self.settings.seconds, fewest_processes: FEWEST_PROCESSES }
    }

    /// The rows of a group. What is done before its timing (conformance, inputs) is added to `setup`.
    fn group(
        &self,
        group: &Group,
        groups_left: usize,
        pools: &mut Pools,
        gate: &mut Gate,
        setup: &mut Duration,
    ) -> Vec<(Row, Vec<Sample>)> {
        let entered = Instant::now();
        let mut rows = Vec::new();
        let mut ready = Vec::new();
        for index in 0..self.arms.len() {
            match self.eligible(index, group, gate) {
                Eligible::Yes(ready_offer) => ready.push((index, *ready_offer)),
                Eligible::No(row) => rows.push((*row, Vec::new())),
                Eligible::Skip => {}
            }
        }
        if ready.is_empty() {
            return rows;
        }
        let members: Vec<usize> = ready.iter().map(|(index, _)| *index).collect();
        let pool = match pools.get(group, self.settings, &self.arms, &members) {
            Ok(pool) => pool,
            Err(reason) => {
                rows.extend(ready.iter().map(|(index, (offer, _))| {
                    (rows::empty(&self.arms[*index].id, group, Some(offer), Status::Failed, &reason), Vec::new())
                }));
                return rows;
            }
        };
        let setting = Setting {
            group,
            settings: self.settings,
            pool: &pool,
            clock: &self.clock,
            cpu: self.worker_cpu,
            limits: self.limits,
            interrupted: self.interrupted,
        };
        *setup += entered.elapsed();
        let budget = self.budget(groups_left);
        let specs: Vec<_> = members.iter().map(|index| &self.arms[*index].spec).collect();
        let outcome = group::measure(&setting, &specs, budget);
        for ((index, (offer, basis)), measured) in ready.into_iter().zip(outcome.arms) {
            let arm = &self.arms[index];
            if measured.fatal {
                arm.strike(measured.failed.as_deref().unwrap_or("unknown"));
            }
            rows.push(match measured {
                Measured { unavailable: Some(reason), .. } => {
                    (rows::empty(&arm.id, group, Some(&offer), Status::Unavailable, &reason), Vec::new())
                }
                measured => {
                    let (mut row, samples) =
                        rows::measured(&arm.id, group, &offer, &pool, &outcome.facts, measured, self.settings.seed);
                    row.params.insert("conformance".into(), basis.into());
                    (row, samples)
                }
            });
        }
        rows
    }

    fn eligible(&self, index: usize, group: &Group, gate: &mut Gate) -> Eligible {
        let arm = &self.arms[index];
        let refuse = |status, reason: &str, offer: Option<&Offer>| {
            Eligible::No(Box::new(rows::empty(&arm.id, group, offer, status, reason)))
        };
        let Some(offer) = arm.offer(&group.algorithm).cloned() else {
            // A discovered name says nothing about providers that do not know it.
            if group.family.is_none() {
                return Eligible::Skip;
            }
            return refuse(Status::Unavailable, &format!("{} does not offer {}", arm.id, group.algorithm), None);
        };
        if !crate::workload::Operation::of(offer.family).contains(&group.operation) {
            return Eligible::Skip;
        }
        if !offer.operations.iter().any(|name| name == group.operation.as_str()) {
            let reason = format!("{} has no {} for {} in its interface", arm.id, group.operation, group.algorithm);
            return refuse(Status::Unavailable, &reason, Some(&offer));
        }
        if let Some(reason) = arm.given_up() {
            return refuse(Status::Failed, &reason, Some(&offer));
        }
        match gate.verdict(&group.algorithm, &arm.id) {
            Some(verdict) if verdict.passed => Eligible::Yes(Box::new((offer, verdict.basis))),
            Some(verdict) => {
                let reason = format!("{NOT_CONFORMING} ({}): {}", verdict.basis, verdict.failures.join("; "));
                refuse(Status::Failed, &reason, Some(&offer))
            }
            None => refuse(Status::Failed, "conformance could not be checked", Some(&offer)),
        }
    }
}

enum Eligible {
    /// With what it offers and what its conformance rests on.
    Yes(Box<(Offer, &'static str)>),
    No(Box<Row>),
    Skip,
}

fn describe(group: &Group) -> String {
    match group.size {
        Some(size) => format!("{} {} {size} B", group.algorithm, group.operation),
        None => format!("{} {}", group.algorithm, group.operation),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The time budget left, `elapsed` seconds after the run began.
    fn left_after(elapsed: u64, time_budget: Option<f64>, groups: usize) -> Option<Duration> {
        let interrupted = AtomicBool::new(false);
        let settings = Settings { time_budget, ..Settings::default() };
        let coordinator = Coordinator {
            arms: Vec::new(),
            settings: &settings,
            clock: ClockFacts { name: "fake".into(), step_ns: 1.0, cost_ns: 1.0 },
            worker_cpu: None,
            limits: Limits::default(),
            interrupted: &interrupted,
            began: Instant::now().checked_sub(Duration::from_secs(elapsed)).expect("the clock is older"),
        };
        coordinator.budget(groups).share
    }

    #[test]
    fn what_was_done_before_timing_is_taken_off_the_budget() {
        let share = left_after(40, Some(1_000_040.0), 1_000).expect("a budget");
        assert!(share <= Duration::from_secs(1_000) && share > Duration::from_secs(900), "{share:?}");
        assert_eq!(left_after(40, Some(30.0), 3), Some(Duration::ZERO), "setting up used it");
        assert_eq!(left_after(40, None, 3), None);
    }
}
