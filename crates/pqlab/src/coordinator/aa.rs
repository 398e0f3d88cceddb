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

/// Time for it, beside the plan's.
const BUDGET: Duration = Duration::from_secs(4);

/// Measures the first operation of the plan that a provider offers against itself. Never an error: the reason is in the
/// control.
#[must_use]
pub fn control(coordinator: &Coordinator<'_>, groups: &[Group]) -> Control {
    let Some((group, index)) = subject(coordinator, groups) else {
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
            low <= 1.0 && 1.0 <= high,
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

/// The first operation that can be compared with itself, and who offers it.
fn subject<'g>(coordinator: &Coordinator<'_>, groups: &'g [Group]) -> Option<(&'g Group, usize)> {
    groups.iter().filter(|group| group.mode == Mode::Throughput && comparable(group.operation)).find_map(|group| {
        let offers = |arm: &super::arms::Arm| {
            let offer = arm.offer(&group.algorithm)?;
            offer.operations.iter().any(|name| name == group.operation.as_str()).then_some(())
        };
        coordinator.arms.iter().position(|arm| offers(arm).is_some()).map(|index| (group, index))
    })
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
    let outcome = measure(&setting, &[&arm.spec, &arm.spec], Budget { share: Some(BUDGET), seconds_per_row: None });
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

fn by_process(samples: &[Sample]) -> Vec<Vec<f64>> {
    let mut processes: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for sample in samples.iter().filter(|sample| !sample.warmup) {
        processes.entry(sample.process).or_default().push(sample.elapsed_ns / sample.count.max(1) as f64);
    }
    processes.into_values().collect()
}
