//! Whether the CPU's frequency is held still: `/sys/devices/system/cpu/*/cpufreq` (kernel documentation, admin-guide/pm/cpufreq).

use super::read::{names, word};
use std::path::Path;

/// What is known about the frequency.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Frequency {
    /// Governors of all CPUs, each once; several are joined by `,`.
    pub governor: Option<String>,
    /// Smallest and largest allowed frequency are the same on every CPU.
    pub range_is_a_point: Option<bool>,
    /// The CPU may exceed its nominal frequency when it is cool.
    pub boost: Option<bool>,
    /// The current frequency can be read.
    pub readable: bool,
}

const CPUS: &str = "sys/devices/system/cpu";

pub(super) fn read(root: &Path) -> Frequency {
    let cpus: Vec<String> = names(root, CPUS)
        .into_iter()
        .filter(|name| {
            name.strip_prefix("cpu").is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
        })
        .collect();
    let field = |cpu: &str, field: &str| word(root, &format!("{CPUS}/{cpu}/cpufreq/{field}"));
    let mut governors: Vec<String> = cpus.iter().filter_map(|cpu| field(cpu, "scaling_governor")).collect();
    governors.sort_unstable();
    governors.dedup();
    let points: Vec<bool> = cpus
        .iter()
        .filter_map(|cpu| Some(field(cpu, "scaling_min_freq")? == field(cpu, "scaling_max_freq")?))
        .collect();
    Frequency {
        governor: (!governors.is_empty()).then(|| governors.join(",")),
        range_is_a_point: (!points.is_empty()).then(|| points.iter().all(|&point| point)),
        boost: boost(root),
        readable: cpus.iter().any(|cpu| field(cpu, "scaling_cur_freq").is_some()),
    }
}

fn boost(root: &Path) -> Option<bool> {
    let switch = |path: &str, on: &str| word(root, &format!("{CPUS}/{path}")).map(|value| value == on);
    switch("cpufreq/boost", "1").or_else(|| switch("intel_pstate/no_turbo", "0"))
}
