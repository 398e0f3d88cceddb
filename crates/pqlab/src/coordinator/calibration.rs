//! Asks a worker how long an operation takes, again when something disturbed the answer, and believes what can be.

use super::group::{CLOCKS_DIFFER, SHORTEST_OPERATION_NS};
use super::handle::{WorkerFault, WorkerHandle};
use super::limits::Limits;
use crate::wire::{Body, Calibrated};
use measure::sampler::SURELY_LONG_NS;
use std::time::{Duration, Instant};

/// An operation that takes longer is not one that can be measured; a worker that says so is wrong.
const LONGEST_OPERATION_NS: f64 = 3600.0e9;

/// Measured time that a calibration may spend, in epochs.
const BUDGET_EPOCHS: f64 = 4.0;

/// The same for a second try, on a machine that left no measurement of the first undisturbed.
const SECOND_BUDGET_EPOCHS: f64 = 64.0;

/// And at least, so that short epochs outlast the time slices of a busy machine's scheduler.
const SECOND_BUDGET_NS: f64 = 500e6;

/// And at most, beyond one operation.
const LONGEST_SECOND_BUDGET_NS: f64 = 10e9;

/// What the worker finds for epochs of `target_ns`. Unconfirmed when two tries were disturbed.
///
/// # Errors
/// Any [`WorkerFault`]; an answer that cannot be true is nonsense.
pub(super) fn calibrated(
    worker: &mut WorkerHandle,
    target_ns: f64,
    limits: &Limits,
) -> Result<Calibrated, WorkerFault> {
    retried(target_ns, |max_ns| once(worker, target_ns, max_ns, limits))
}

/// One try, and a second with a larger budget when the first was disturbed; of two disturbed ones the shorter time is nearer the truth.
fn retried(
    target_ns: f64,
    mut ask: impl FnMut(f64) -> Result<Calibrated, WorkerFault>,
) -> Result<Calibrated, WorkerFault> {
    let first = ask(BUDGET_EPOCHS * target_ns)?;
    if first.confirmed != Some(false) {
        return Ok(first);
    }
    let budget = (SECOND_BUDGET_EPOCHS * target_ns).clamp(SECOND_BUDGET_NS, LONGEST_SECOND_BUDGET_NS);
    let second = ask(budget.max(BUDGET_EPOCHS * target_ns))?;
    if second.confirmed != Some(false) {
        return Ok(second);
    }
    let shorter = if second.ns_per_op < first.ns_per_op { second } else { first };
    // Long twice is long: no disturbance lasts so long, and the count is 1 in any case.
    let long = shorter.ns_per_op >= SURELY_LONG_NS;
    Ok(Calibrated { confirmed: Some(long), ..shorter })
}

fn once(worker: &mut WorkerHandle, target_ns: f64, max_ns: f64, limits: &Limits) -> Result<Calibrated, WorkerFault> {
    let limit = limits.prepare.saturating_add(limits.of_work(max_ns));
    let asked = Instant::now();
    let found: Calibrated = worker.request(Body::Calibrate { target_ns, max_ns }, limit)?;
    if plausible(&found, target_ns, asked.elapsed()) {
        return Ok(found);
    }
    Err(WorkerFault::Nonsense(format!(
        "calibration gave {} operations of {} ns for an epoch of {target_ns} ns",
        found.count, found.ns_per_op
    )))
}

/// Whether a calibration can be true: operations of a possible length that together take about the time asked for, and
/// no longer than the answer took.
fn plausible(found: &Calibrated, target_ns: f64, waited: Duration) -> bool {
    let Calibrated { count, ns_per_op, confirmed: _ } = *found;
    let stated = count as f64 * ns_per_op;
    count > 0
        && (SHORTEST_OPERATION_NS..=LONGEST_OPERATION_NS).contains(&ns_per_op)
        && (count - 1) as f64 * ns_per_op <= 2.0 * target_ns
        && stated <= waited.as_nanos() as f64 * CLOCKS_DIFFER
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: f64 = 1e6;

    /// Answers in turn; gives the result and the budgets asked with.
    fn tried(target_ns: f64, answers: &[(f64, Option<bool>)]) -> (Calibrated, Vec<f64>) {
        let mut budgets = Vec::new();
        let mut left = answers.iter();
        let found = retried(target_ns, |max_ns| {
            budgets.push(max_ns);
            let (ns_per_op, confirmed) = *left.next().expect("no more tries");
            Ok(Calibrated { count: 1, ns_per_op, confirmed })
        });
        (found.unwrap(), budgets)
    }

    #[test]
    fn a_disturbed_calibration_is_tried_again_with_more_time() {
        let (found, budgets) = tried(MS, &[(3.0 * MS, Some(false)), (100.0, Some(true))]);
        assert_eq!((found.ns_per_op, found.confirmed), (100.0, Some(true)));
        assert_eq!(budgets, [4.0 * MS, 500.0 * MS]);
        assert_eq!(tried(20.0 * MS, &[(1.0, Some(false)), (1.0, Some(true))]).1, [80.0 * MS, 1_280.0 * MS]);
        assert_eq!(tried(1e9, &[(1.0, Some(false)), (1.0, Some(true))]).1, [4e9, 10e9], "bounded");
        assert_eq!(tried(1e10, &[(1.0, Some(false)), (1.0, Some(true))]).1, [4e10, 4e10], "and no less than before");
    }

    #[test]
    fn what_is_confirmed_or_not_told_is_asked_once() {
        assert_eq!(tried(MS, &[(100.0, Some(true))]).1.len(), 1);
        assert_eq!(tried(MS, &[(100.0, None)]).0.confirmed, None);
    }

    #[test]
    fn disturbed_twice_the_shorter_stays_and_is_unconfirmed() {
        let (found, _) = tried(MS, &[(3.0 * MS, Some(false)), (2.0 * MS, Some(false))]);
        assert_eq!((found.ns_per_op, found.confirmed), (2.0 * MS, Some(false)));
        let (found, _) = tried(MS, &[(2.0 * MS, Some(false)), (3.0 * MS, Some(false))]);
        assert_eq!(found.ns_per_op, 2.0 * MS);
        let (found, _) = tried(MS, &[(3_000.0 * MS, Some(false)), (2_900.0 * MS, Some(false))]);
        assert_eq!(found.confirmed, Some(true), "long twice is long");
    }
}
