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
pub mod count;
pub mod gate;
pub mod group;
pub mod handle;
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
}

impl Coordinator<'_> {
    /// Measures the groups in order; every finished group goes to the observer.
    ///
    /// # Errors
    /// What the observer reports (a full disk), or a temporary folder that cannot be made.
    pub fn run(&mut self, groups: &[Group], observer: &mut dyn Observer) -> Result<Ending, CliError> {
        let mut pools = Pools::new(self.settings.seed)?;
        let mut gate = Gate::new(&self.arms);
        let started = Instant::now();
        let mut ending = Ending::default();
        for (done, group) in groups.iter().enumerate() {
            if self.interrupted.load(Ordering::SeqCst) {
                ending.interrupted = true;
                break;
            }
            observer.group(done, groups.len(), &describe(group));
            let budget = self.budget(started, groups.len() - done);
            let rows = self.group(group, budget, &mut pools, &mut gate);
            ending.failed += rows.iter().filter(|(row, _)| row.status == Status::Failed).count();
            observer.rows(rows)?;
            ending.groups = done + 1;
        }
        ending.interrupted |= self.interrupted.load(Ordering::SeqCst);
        Ok(ending)
    }

    /// What is left of the time budget, divided among the groups that are left.
    fn budget(&self, started: Instant, groups_left: usize) -> Budget {
        let settings = self.settings;
        let share = settings.time_budget.map(|total| {
            let left = (total - started.elapsed().as_secs_f64()).max(0.0);
            Duration::from_secs_f64(left / groups_left.max(1) as f64)
        });
        Budget { share, seconds_per_row: settings.seconds }
    }

    fn group(&self, group: &Group, budget: Budget, pools: &mut Pools, gate: &mut Gate) -> Vec<(Row, Vec<Sample>)> {
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
