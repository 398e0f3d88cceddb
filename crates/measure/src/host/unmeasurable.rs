//! What this host cannot measure, each with the reason. Nothing of it is ever reported as 0.

use super::frequency::Frequency;
use super::read::{exists, names, text, word};
use serde::Serialize;
use std::fs::File;
use std::path::Path;

/// A thing this host cannot measure or does not tell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unmeasurable {
    /// `cycles`, `energy`, `frequency`, or the name of a field of [`super::HostFacts`].
    pub what: String,
    /// Why.
    pub reason: String,
}

/// Bits of `CapEff` (capabilities(7)) that lift `perf_event_paranoid`.
const CAP_SYS_ADMIN: u32 = 21;
const CAP_PERFMON: u32 = 38;

/// Cycle counters of this process: why not, or nothing.
pub(super) fn cycles(root: &Path) -> Result<(), String> {
    // x86 has `cpu` (hybrids `cpu_core` and `cpu_atom`); Arm names it after the design, `armv8_pmuv3_0`, `armv8_cortex_a72`, `apple_…_pmu`.
    let counters = names(root, "sys/bus/event_source/devices");
    let is_cpu =
        |name: &String| name == "cpu" || name == "cpu_core" || name.starts_with("armv") || name.starts_with("apple_");
    if !counters.iter().any(is_cpu) {
        return Err("the kernel offers no performance counters of the CPU, as in most virtual machines".into());
    }
    let paranoid: i32 =
        word(root, "proc/sys/kernel/perf_event_paranoid").and_then(|level| level.parse().ok()).unwrap_or(2);
    // 2 still allows counting in one's own user code; Debian and Ubuntu know 3 and 4, which allow nothing.
    if paranoid > 2 && !capable(root) {
        return Err(format!(
            "perf_event_paranoid is {paranoid}: counters are for the administrator; `sysctl kernel.perf_event_paranoid=2` allows them"
        ));
    }
    Ok(())
}

/// Energy counters (RAPL through powercap): why not, or nothing.
pub(super) fn energy(root: &Path) -> Result<(), String> {
    if !exists(root, "sys/class/powercap") {
        return Err(
            "the kernel offers no energy counters (no powercap), as in virtual machines and on most boards".into()
        );
    }
    let zones: Vec<String> =
        names(root, "sys/class/powercap").into_iter().filter(|name| name.contains("-rapl:")).collect();
    let Some(zone) = zones.first() else {
        return Err("powercap has no RAPL zone on this CPU".into());
    };
    match File::open(root.join("sys/class/powercap").join(zone).join("energy_uj")) {
        Ok(_) => Ok(()),
        Err(error) => {
            Err(format!("the energy counter {zone}/energy_uj cannot be read: {error}; it is for the administrator"))
        }
    }
}

/// The frequency during a measurement: why not, or nothing.
pub(super) fn frequency(frequency: &Frequency) -> Result<(), String> {
    if frequency.readable { Ok(()) } else { Err("the kernel does not tell the CPU's frequency (no cpufreq)".into()) }
}

/// Whether this process may count although `perf_event_paranoid` forbids it.
fn capable(root: &Path) -> bool {
    let status = text(root, "proc/self/status").unwrap_or_default();
    let effective = status.lines().find_map(|line| line.strip_prefix("CapEff:"));
    let bits = effective.and_then(|hex| u64::from_str_radix(hex.trim(), 16).ok()).unwrap_or(0);
    bits >> CAP_SYS_ADMIN & 1 == 1 || bits >> CAP_PERFMON & 1 == 1
}
