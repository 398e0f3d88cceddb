//! The A/A control: one provider against itself, through everything that a comparison goes through. What comes out must
//! be 1.

use super::Coordinator;
use super::group::{Budget, Measured, Setting, comparable, measure};
use super::pools::Pools;
use crate::plan::{Group, Settings};
use measure::stats::compare::{RatioEstimate, ratio};
use report::record::{Control, Mode, Sample};
use std::collections::BTreeMap;
use std::time::Duration;

/// Most time for it.
const BUDGET: Duration = Duration::from_secs(4);

/// Largest share of what is left of the time budget. Its rounds are shortened to that; its processes are not, because without
/// six of them there is no interval and so no control.
const SHARE: f64 = 0.1;

/// A provider may differ from itself by so much although the interval says that it does: at 95 % one control in twenty
/// excludes 1 on a perfect machine, and a bias below this is below what libraries are compared for.
const TOLERATED: f64 = 0.01;

/// Whether what was found is what a provider must show against itself: an interval that holds 1, or a ratio near it.
fn is_one(ratio: f64, [low, high]: [f64; 2]) -> bool {
    (low <= 1.0 && 1.0 <= high) || (ratio - 1.0).abs() <= TOLERATED
}

/// Measures the first operation of the plan that a provider offers against itself. Never an error: the reason is in the
/// control.
#[must_use]
pub fn control(coordinator: &Coordinator<'_>, groups: &[Group]) -> Control {
    let Some((group, index)) = choose(coordinator, groups) else {
        let null = coordinator.arms.iter().all(|arm| report::group::is_null_provider(&arm.id));
        let detail = match null {
            true => "no provider but `null` takes part, and it does no cryptography",
            false => "no provider offers an operation of the plan that can be compared with itself",
        };
        return Control { name: "aa".into(), passed: None, detail: detail.into() };
    };
    let outcome = try_control(coordinator, group, index);
    let (passed, detail) = match outcome {
        Ok((what, RatioEstimate { ratio: Some(ratio), ci95: Some([low, high]), n_processes, .. })) => (
            is_one(ratio, [low, high]),
            format!(
                "{what} against itself: ratio {ratio:.4}, 95 % interval {low:.4} to {high:.4}, {n_processes} process pairs"
            ),
        ),
        Ok((what, estimate)) => {
            let reasons: Vec<String> = estimate.absent.into_values().collect();
            (false, format!("{what} against itself gave no interval: {}", reasons.join("; ")))
        }
        Err(reason) => (false, reason),
    };
    Control { name: "aa".into(), passed: Some(passed), detail }
}

fn try_control(coordinator: &Coordinator<'_>, group: &Group, index: usize) -> Result<(String, RatioEstimate), String> {
    // As many processes as an interval needs, whatever the plan has.
    let settings = Settings { processes: 6, rounds: 16, seconds: None, ..coordinator.settings.clone() };
    let mut pools = Pools::new(settings.seed).map_err(|e| e.what().to_owned())?;
    let pool = pools.get(group, &settings, &coordinator.arms, &[index])?;
    let setting = Setting {
        group,
        settings: &settings,
        pool: &pool,
        clock: &coordinator.clock,
        cpu: coordinator.worker_cpu,
        limits: coordinator.limits,
        interrupted: coordinator.interrupted,
    };
    let arm = &coordinator.arms[index];
    let share = coordinator.left().map_or(BUDGET, |left| BUDGET.min(left.mul_f64(SHARE)));
    let budget = Budget { share: Some(share), seconds_per_row: None, fewest_processes: settings.processes };
    let outcome = measure(&setting, &[&arm.spec, &arm.spec], budget);
    let what = format!("{} {} of {}", group.algorithm, group.operation, arm.id);
    match outcome.arms.as_slice() {
        [a, b] => {
            for Measured { failed, unavailable, .. } in [a, b] {
                if let Some(reason) = failed.as_ref().or(unavailable.as_ref()) {
                    return Err(format!("{what} could not be measured: {reason}"));
                }
            }
            Ok((what, ratio(&by_process(&a.samples), &by_process(&b.samples))))
        }
        _ => Err(format!("{what} was not measured twice")),
    }
}

/// The first operation of the plan that a provider offers: one whose outputs are compared too, if there is one, and one in
/// throughput mode rather than in latency mode.
fn choose<'g>(coordinator: &Coordinator<'_>, groups: &'g [Group]) -> Option<(&'g Group, usize)> {
    let offered = |group: &'g Group| {
        let offers = |arm: &super::arms::Arm| {
            let offer = arm.offer(&group.algorithm)?;
            offer.operations.iter().any(|name| name == group.operation.as_str()).then_some(())
        };
        coordinator.arms.iter().position(|arm| offers(arm).is_some()).map(|index| (group, index))
    };
    let rank = |group: &Group| (group.mode == Mode::Latency, !comparable(group.operation));
    let mut order: Vec<&Group> = groups.iter().collect();
    order.sort_by_key(|group| rank(group));
    order.into_iter().find_map(offered)
}

fn by_process(samples: &[Sample]) -> Vec<Vec<f64>> {
    let mut processes: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for sample in samples.iter().filter(|sample| !sample.warmup) {
        processes.entry(sample.process).or_default().push(sample.elapsed_ns / sample.count.max(1) as f64);
    }
    processes.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::is_one;

    #[test]
    fn a_control_fails_only_when_the_interval_excludes_one_and_the_ratio_is_off_by_more_than_a_hundredth() {
        assert!(is_one(1.03, [0.99, 1.06]), "noise");
        assert!(is_one(1.004, [1.001, 1.006]), "a bias too small to matter");
        assert!(!is_one(1.02, [1.01, 1.03]));
        assert!(!is_one(0.97, [0.95, 0.99]));
    }
}
