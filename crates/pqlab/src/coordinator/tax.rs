//! What measuring costs: the null provider through the real worker path.

use super::arms::Arm;
use super::group::{Budget, Setting, measure as measure_group};
use super::handle::WorkerFault;
use super::limits::Limits;
use super::pools::Pools;
use super::rows;
use crate::plan::{Group, Settings};
use crate::provider_spec::ProviderSpec;
use crate::workload::Operation;
use crypto::Family;
use measure::clock::ClockFacts;
use report::record::{Control, Harness, Mode};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

/// The cost that a harness may have, ns per operation.
pub const ALLOWED_NS: f64 = 2.0;

/// The operation loops that are measured: one of each shape of loop body.
const LOOPS: [(Family, Operation); 6] = [
    (Family::Kem, Operation::Encaps),
    (Family::Kem, Operation::Decaps),
    (Family::Signature, Operation::Sign),
    (Family::Signature, Operation::Verify),
    (Family::Agreement, Operation::Derive),
    (Family::Aead, Operation::Seal),
];

/// Measures the tax; never an error, since a run without it is still a run: the reason is in the result.
#[must_use]
pub fn measure(clock: &ClockFacts, cpu: Option<usize>, interrupted: &AtomicBool) -> (Harness, Control) {
    match try_measure(clock, cpu, interrupted) {
        Ok(by_operation) => conclude(by_operation),
        Err(reason) => {
            let harness = Harness { tax_ns: None, tax_by_operation: BTreeMap::new(), reason: Some(reason.clone()) };
            (harness, Control { name: "null-operation".into(), passed: Some(false), detail: reason })
        }
    }
}

fn conclude(by_operation: BTreeMap<String, f64>) -> (Harness, Control) {
    let worst = by_operation.values().copied().fold(0.0, f64::max);
    let detail = format!(
        "an operation that does nothing takes {worst:.2} ns at most through the worker's loop, {ALLOWED_NS} ns are allowed ({})",
        by_operation.iter().map(|(name, ns)| format!("{name} {ns:.2}")).collect::<Vec<_>>().join(", ")
    );
    let control = Control { name: "null-operation".into(), passed: Some(worst <= ALLOWED_NS), detail };
    (Harness { tax_ns: Some(worst), tax_by_operation: by_operation, reason: None }, control)
}

fn try_measure(
    clock: &ClockFacts,
    cpu: Option<usize>,
    interrupted: &AtomicBool,
) -> Result<BTreeMap<String, f64>, String> {
    let spec = ProviderSpec::Linked("null".into());
    let settings = Settings { rounds: 8, ..Settings::default() };
    let failed = |fault: WorkerFault| fault.to_string();
    let arms = [Arm::start(spec.clone(), Limits::default()).map_err(failed)?];
    let mut pools = Pools::new(settings.seed).map_err(|e| e.to_string())?;
    let mut by_operation = BTreeMap::new();
    for (family, operation) in LOOPS {
        let algorithm = format!("null-{}", family.as_str());
        let group = Group { algorithm, family: Some(family), operation, size: None, mode: Mode::Throughput };
        let pool = pools.get(&group, &settings, &arms, &[0])?;
        let setting = Setting {
            group: &group,
            settings: &settings,
            pool: &pool,
            clock,
            cpu,
            limits: Limits::default(),
            interrupted,
        };
        let outcome =
            measure_group(&setting, &[&spec], Budget { share: None, seconds_per_row: None, fewest_processes: 2 });
        let offer = arms[0].offer(&group.algorithm).cloned().ok_or("the null provider lacks an algorithm")?;
        let measured = outcome.arms.into_iter().next().ok_or("the null provider was not measured")?;
        let (row, _) = rows::measured(&arms[0].id, &group, &offer, &pool, &outcome.facts, measured, settings.seed);
        let ns = row.median_ns.ok_or_else(|| row.reason.unwrap_or_else(|| "no samples".into()))?;
        by_operation.insert(format!("{}-{operation}", family.as_str()), ns);
    }
    Ok(by_operation)
}
