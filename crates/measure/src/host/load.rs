//! How busy the host is before anything is measured: the load average of the last minute (proc_loadavg(5)).

use super::read::word;
use std::path::Path;

/// Load average of the last minute, divided by processors, above which a host is called busy. Coordinator and worker want two
/// processors for themselves: at half a runnable task per processor a small host has none to spare, and a large one has
/// neighbours on shared caches and a clock rate that depends on them.
pub const BUSY_LOAD_PER_CORE: f64 = 0.5;

/// The load average of the last minute; absent when not told.
pub(super) fn read(root: &Path) -> Option<f64> {
    let load: f64 = word(root, "proc/loadavg")?.split_whitespace().next()?.parse().ok()?;
    (load.is_finite() && load >= 0.0).then_some(load)
}

/// What speaks against timings on a host that is busy.
pub(super) fn busy(load: f64, cores: u32) -> Option<String> {
    let cores = cores.max(1);
    (load > BUSY_LOAD_PER_CORE * f64::from(cores)).then(|| {
        format!(
            "busy: the load average of the last minute is {load:.2} on {cores} processors, more than {BUSY_LOAD_PER_CORE} for each"
        )
    })
}
