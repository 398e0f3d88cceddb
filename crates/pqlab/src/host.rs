//! The host as measured → the host of the record.

use measure::clock::ClockFacts;
use measure::host::{HostFacts, describe};
use report::record;
use std::path::Path;

/// Describes this host, with the clock that the workers use.
#[must_use]
pub fn here(clock: &ClockFacts) -> record::Host {
    let HostFacts {
        name,
        cpu,
        isa,
        cores,
        kernel,
        os,
        virtualised,
        governor,
        smt,
        steal_pct,
        load_1m,
        memory_bytes,
        microcode,
        grade,
        grade_reasons,
        unmeasurable,
    } = describe(Path::new("/"));
    record::Host {
        name: Some(name),
        cpu: Some(cpu),
        isa,
        cores: Some(cores),
        kernel: Some(kernel),
        os: Some(os),
        virtualised,
        governor,
        smt,
        steal_pct,
        load_1m,
        memory_bytes,
        microcode,
        clock: Some(record::Clock { name: clock.name.clone(), step_ns: clock.step_ns, cost_ns: clock.cost_ns }),
        grade: Some(grade.to_string()),
        grade_reasons,
        unmeasurable: unmeasurable
            .into_iter()
            .map(|u| record::Unmeasurable { what: u.what.to_string(), reason: u.reason })
            .collect(),
    }
}
