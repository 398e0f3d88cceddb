//! From work to samples: calibrate a count, time an epoch of it, or time each operation.

use crate::Workload;
use crate::clock::{Clock, ClockFacts};
use crate::contamination::{Counters, Disturbance};
use serde::{Deserialize, Serialize};
use std::hint::black_box;

/// Most operations in an epoch. 2^32 of the shortest thing a loop can do take a second.
const MOST_OPERATIONS: u64 = 1 << 32;

/// Operations during which a clock must have moved: a million of anything takes longer than any clock's step.
const CLOCK_MUST_MOVE_WITHIN: u64 = 1 << 20;

/// Bounds of one step in the search for a count. At least double, so that it ends; at most tenfold, so that a first operation that
/// was too fast by luck does not make the next try a long one.
const GROWTH: std::ops::RangeInclusive<f64> = 2.0..=10.0;

/// An operation that took so long twice is a long one, whatever disturbed it, and is not repeated again: what the kernel gives to others
/// in one go is shorter.
pub const SURELY_LONG_NS: f64 = 100_000_000.0;

/// Most repetitions that confirm a count on a machine that disturbs every one of them.
const CONFIRMATIONS: usize = 8;

/// In latency mode the counters of contamination are read after this much measured time, and mark all operations of the block.
/// Reading them costs some microseconds, so that the caches and branch predictors of a short operation stay its own.
const BLOCK_NS: f64 = 200_000.0;

/// Largest share of an operation that one clock reading may be when operations are stamped singly.
const STAMP_SHARE: f64 = 0.01;

/// One sample: `count` operations timed together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Epoch {
    /// Time for all operations, ns. Nothing is subtracted.
    pub elapsed_ns: f64,
    /// Operations.
    pub count: u64,
    /// Chained over all outputs: equal inputs give equal digests, and skipped work shows.
    pub digest: u64,
    /// Involuntary context switches during the sample (in latency mode: during its block).
    pub nivcsw: u64,
    /// Nanoseconds the thread waited for a CPU (in latency mode: during its block); `None` where the kernel does not tell.
    pub run_delay_ns: Option<u64>,
    /// Clock ticks (1/100 s) the hypervisor took from this CPU (in latency mode: during its block); `None` where there
    /// is no hypervisor or the kernel does not tell.
    pub steal_ticks: Option<u64>,
}

impl Epoch {
    /// Nanoseconds per operation.
    #[must_use]
    pub fn per_op_ns(&self) -> f64 {
        self.elapsed_ns / self.count as f64
    }

    /// Whether the thread was preempted, had to wait, or lost time to the hypervisor, as far as the kernel tells.
    #[must_use]
    pub fn contaminated(&self) -> bool {
        self.nivcsw > 0 || self.run_delay_ns.is_some_and(|ns| ns > 0) || self.steal_ticks.is_some_and(|ticks| ticks > 0)
    }

    fn mark(&mut self, seen: Disturbance) {
        let Disturbance { nivcsw, run_delay_ns, steal_ticks } = seen;
        (self.nivcsw, self.run_delay_ns, self.steal_ticks) = (nivcsw, run_delay_ns, steal_ticks);
    }
}

/// The count of operations that makes an epoch of the wanted length.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// Operations per epoch, at least 1.
    pub count: u64,
    /// What one operation took during calibration, ns.
    pub ns_per_op: f64,
    /// Whether a repetition with the last count was undisturbed, as far as the kernel tells. If not, something else may have been
    /// timed along with the work, and the count may be far too small.
    pub confirmed: bool,
}

/// Times operations `first .. first + count` together. Counters of contamination are read before and after, outside the timed window.
///
/// # Errors
/// The workload's failure; a count of 0; a range beyond the end of `u64`; a clock that went backwards.
pub fn epoch(workload: &mut dyn Workload, clock: &dyn Clock, first: u64, count: u64) -> Result<Epoch, String> {
    let before = Counters::read()?;
    let mut epoch = stamped(workload, clock, first, count)?;
    epoch.mark(before.until(&Counters::read()?));
    Ok(epoch)
}

/// Times each of operations `first .. first + count` singly.
///
/// Meaningful for operations of at least [`latency_floor_ns`]. Contamination is known per block: operations are run one after the other,
/// and after 0.2 ms of measured time the counters are read and mark all operations of that block. An operation longer than that is its
/// own block.
///
/// # Errors
/// As [`epoch`].
pub fn latencies(workload: &mut dyn Workload, clock: &dyn Clock, first: u64, count: u64) -> Result<Vec<Epoch>, String> {
    let end = end_of(first, count)?;
    let mut all: Vec<Epoch> = Vec::new();
    let mut at = first;
    while at < end {
        let block = all.len();
        let mut elapsed_ns = 0.0;
        let before = Counters::read()?;
        while at < end && elapsed_ns < BLOCK_NS {
            let epoch = stamped(workload, clock, at, 1)?;
            elapsed_ns += epoch.elapsed_ns;
            all.push(epoch);
            at += 1;
        }
        let seen = before.until(&Counters::read()?);
        all.iter_mut().skip(block).for_each(|epoch| epoch.mark(seen));
    }
    Ok(all)
}

/// The shortest operation that may be timed singly with this clock: one reading, and one step, are at most 1 % of it.
/// Infinite for a clock that does not move.
#[must_use]
pub fn latency_floor_ns(clock: &ClockFacts) -> f64 {
    clock.cost_ns.max(clock.step_ns) / STAMP_SHARE
}

/// Finds how many operations take `target_ns`.
///
/// The count grows until an epoch takes that long. That count is then measured again, until the kernel calls a measurement undisturbed, and
/// the shortest time believed, so that a preemption cannot end the search early; [`Calibration::confirmed`] tells whether one was. The search spends about `max_ns` of measured time at most: a slow operation is measured
/// once and gets count 1. Always begins at input 0, so that all measurements of a count do the same work.
///
/// # Errors
/// The workload's failure; times that are not positive numbers; a clock that does not move.
pub fn calibrate(
    workload: &mut dyn Workload,
    clock: &dyn Clock,
    target_ns: f64,
    max_ns: f64,
) -> Result<Calibration, String> {
    for (name, value) in [("target_ns", target_ns), ("max_ns", max_ns)] {
        if !(value.is_finite() && value > 0.0) {
            return Err(format!("calibration: {name} is {value}, but must be a positive number of nanoseconds"));
        }
    }
    let name = clock.name();
    search(&mut |count| epoch(workload, clock, 0, count), name, target_ns, max_ns)
}

/// Times that many operations, with marks.
type Measure<'m> = &'m mut dyn FnMut(u64) -> Result<Epoch, String>;

/// The search of [`calibrate`].
fn search(measure: Measure<'_>, clock: &str, target_ns: f64, max_ns: f64) -> Result<Calibration, String> {
    let mut count = 1;
    let mut spent_ns = 0.0;
    loop {
        let mut elapsed_ns = measure(count)?.elapsed_ns;
        let mut confirmed = false;
        spent_ns += elapsed_ns;
        if elapsed_ns == 0.0 && count >= CLOCK_MUST_MOVE_WITHIN {
            return Err(format!("the clock `{clock}` did not move during {count} operations"));
        }
        if elapsed_ns >= target_ns {
            (elapsed_ns, confirmed) = confirm(measure, count, elapsed_ns, max_ns, &mut spent_ns)?;
        }
        if elapsed_ns >= target_ns || spent_ns >= max_ns || count >= MOST_OPERATIONS {
            return Ok(conclude(count, elapsed_ns, target_ns, confirmed));
        }
        // The cast saturates, and an elapsed time of 0 gives the largest growth.
        let growth = (target_ns / elapsed_ns).clamp(*GROWTH.start(), *GROWTH.end());
        count = ((count as f64 * growth).ceil() as u64).min(MOST_OPERATIONS);
    }
}

/// Measures `count` operations again, and returns the shortest time seen, `elapsed_ns` included, and whether a repetition confirms it.
///
/// One repetition, or as many as it takes until the kernel calls one undisturbed, at most [`CONFIRMATIONS`] and not beyond the budget.
/// A single operation of more than [`SURELY_LONG_NS`] is repeated once: repeating a slow one is dear.
fn confirm(
    measure: Measure<'_>,
    count: u64,
    elapsed_ns: f64,
    max_ns: f64,
    spent_ns: &mut f64,
) -> Result<(f64, bool), String> {
    let mut shortest_ns = elapsed_ns;
    for _ in 0..CONFIRMATIONS {
        if *spent_ns + shortest_ns > max_ns {
            break;
        }
        let again = measure(count)?;
        *spent_ns += again.elapsed_ns;
        shortest_ns = shortest_ns.min(again.elapsed_ns);
        if !again.contaminated() || (count == 1 && shortest_ns >= SURELY_LONG_NS) {
            return Ok((shortest_ns, true));
        }
    }
    Ok((shortest_ns, false))
}

/// The count for `target_ns`, from `count` operations that took `elapsed_ns`.
fn conclude(count: u64, elapsed_ns: f64, target_ns: f64, confirmed: bool) -> Calibration {
    let ns_per_op = elapsed_ns / count as f64;
    // The cast saturates: 0 ns per operation, when the budget ended on an unlucky reading, gives the bound.
    let wanted = (target_ns / ns_per_op).ceil() as u64;
    Calibration { count: wanted.clamp(1, MOST_OPERATIONS), ns_per_op, confirmed }
}

/// Times one batch, without marks.
fn stamped(workload: &mut dyn Workload, clock: &dyn Clock, first: u64, count: u64) -> Result<Epoch, String> {
    end_of(first, count)?;
    let start = clock.now();
    let digest = black_box(workload.run(black_box(first), black_box(count)));
    let end = clock.now();
    let digest = digest?;
    let ticks = end
        .checked_sub(start)
        .ok_or_else(|| format!("the clock `{}` went backwards, from {start} to {end}", clock.name()))?;
    Ok(Epoch { elapsed_ns: clock.ns(ticks), count, digest, nivcsw: 0, run_delay_ns: None, steal_ticks: None })
}

/// The end of a range of operations that can be run.
fn end_of(first: u64, count: u64) -> Result<u64, String> {
    if count == 0 {
        return Err("no operations to time: the count is 0".into());
    }
    first.checked_add(count).ok_or_else(|| format!("operations {first} + {count} are more than can be numbered"))
}

#[cfg(test)]
mod tests;
