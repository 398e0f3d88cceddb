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
        clock: record::Clock { name: clock.name.clone(), step_ns: clock.step_ns, cost_ns: clock.cost_ns },
        grade: grade.to_string(),
        grade_reasons,
        unmeasurable: unmeasurable
            .into_iter()
            .map(|u| record::Unmeasurable { what: u.what.to_string(), reason: u.reason })
            .collect(),
    }
}
