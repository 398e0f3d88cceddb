//! Time that a hypervisor gave to others while this machine wanted to run: the `steal` column of `/proc/stat` (proc(5)).

use super::read::text;
use std::path::Path;

/// Clock ticks since boot, over all CPUs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CpuTimes {
    /// All states.
    pub total: u64,
    /// Stolen by the hypervisor.
    pub steal: u64,
}

impl CpuTimes {
    /// Reads the sums of all CPUs; `None` where the kernel does not count steal.
    #[must_use]
    pub fn read(root: &Path) -> Option<Self> {
        Self::parse(&text(root, "proc/stat")?, "cpu")
    }

    /// Share of time stolen between `self` and `later`, per cent; `None` when no time passed.
    #[must_use]
    pub fn steal_pct(&self, later: &Self) -> Option<f64> {
        let total = later.total.checked_sub(self.total).filter(|&ticks| ticks > 0)?;
        Some(100.0 * later.steal.saturating_sub(self.steal) as f64 / total as f64)
    }

    /// The line of `name` (`cpu`, `cpu0`, …): user nice system idle iowait irq softirq steal guest guest_nice. The guest columns are
    /// contained in user and nice, so the total is the first eight.
    fn parse(stat: &str, name: &str) -> Option<Self> {
        let line = stat.lines().find(|line| line.split_whitespace().next() == Some(name))?;
        let ticks: Vec<u64> = line.split_whitespace().skip(1).take(8).map_while(|field| field.parse().ok()).collect();
        let steal = *ticks.get(7)?;
        Some(Self { total: ticks.iter().fold(0, |sum: u64, ticks| sum.saturating_add(*ticks)), steal })
    }
}

/// Steal ticks of one CPU in the text of `/proc/stat`.
pub(crate) fn of_cpu(stat: &str, cpu: usize) -> Option<u64> {
    CpuTimes::parse(stat, &format!("cpu{cpu}")).map(|times| times.steal)
}

/// Whether there is anybody who could steal: a hypervisor shows itself, or time has been stolen.
pub(crate) fn possible(root: &Path) -> bool {
    super::cpu_flags(root).iter().any(|flag| flag == "hypervisor")
        || CpuTimes::read(root).is_some_and(|times| times.steal > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAT: &str = "cpu  100 10 50 800 20 0 10 10 7 3\ncpu0 60 5 25 400 10 0 5 4 7 3\ncpu1 40 5 25 400 10 0 5 6 0 0\n\
                        cpu10 1 1 1 1 1 1 1 99 0 0\nintr 5 0\nctxt 12\n";

    #[test]
    fn columns_of_proc_stat() {
        assert_eq!(CpuTimes::parse(STAT, "cpu"), Some(CpuTimes { total: 1_000, steal: 10 }));
        assert_eq!((of_cpu(STAT, 0), of_cpu(STAT, 1), of_cpu(STAT, 10)), (Some(4), Some(6), Some(99)));
        assert_eq!(of_cpu(STAT, 2), None);
        // Kernels before 2.6.11 have no steal column.
        assert_eq!(CpuTimes::parse("cpu 1 2 3 4 5 6 7\n", "cpu"), None);
        assert_eq!(CpuTimes::parse("cpu 1 2 x 4 5 6 7 8\n", "cpu"), None);
        assert_eq!(CpuTimes::parse("", "cpu"), None);
    }

    #[test]
    fn a_share_of_the_time_between() {
        let before = CpuTimes { total: 1_000, steal: 10 };
        assert_eq!(before.steal_pct(&CpuTimes { total: 1_400, steal: 12 }), Some(0.5));
        assert_eq!(before.steal_pct(&CpuTimes { total: 1_400, steal: 10 }), Some(0.0));
        assert_eq!(before.steal_pct(&before), None);
        assert_eq!(before.steal_pct(&CpuTimes { total: 5, steal: 1 }), None);
    }
}
