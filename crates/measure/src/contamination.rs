//! What the kernel says happened to this thread while it worked: preemption, waiting for a CPU, time stolen by a hypervisor.
//!
//! Readings cost microseconds, so they are taken outside the timed window. They mark samples and never remove one.

use crate::host::steal;
use nix::sys::resource::{UsageWho, getrusage};
use std::cell::RefCell;
use std::fs::File;
use std::os::unix::fs::FileExt;

/// Largest part of a `/proc` file that is looked at; `/proc/stat` lists some 400 CPUs in it.
const WINDOW: usize = 64 * 1024;

/// Counters of the calling thread and its CPU at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counters {
    nivcsw: u64,
    run_delay_ns: Option<u64>,
    /// CPU and its steal ticks.
    steal: Option<(usize, u64)>,
}

/// What happened between two moments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Disturbance {
    /// Involuntary context switches of this thread.
    pub nivcsw: u64,
    /// Time this thread waited for a CPU, ns; `None` where the kernel does not count it.
    pub run_delay_ns: Option<u64>,
    /// Clock ticks (1/100 s) that the hypervisor took from this CPU; `None` where there is no hypervisor that could,
    /// where the kernel does not count it, or when the thread changed CPU.
    pub steal_ticks: Option<u64>,
}

impl Counters {
    /// Reads the counters of the calling thread.
    ///
    /// # Errors
    /// When the operating system refuses `getrusage`, which it does not do for one's own thread.
    pub fn read() -> Result<Self, String> {
        let usage = getrusage(who()).map_err(|error| format!("getrusage: {error}"))?;
        let nivcsw = u64::try_from(usage.involuntary_context_switches()).unwrap_or(0);
        let (run_delay_ns, steal) = FILES.with_borrow_mut(|files| (files.run_delay(), files.steal()));
        Ok(Self { nivcsw, run_delay_ns, steal })
    }

    /// What happened from `self` until `later`.
    #[must_use]
    pub fn until(&self, later: &Self) -> Disturbance {
        let steal_ticks = match (self.steal, later.steal) {
            (Some((cpu, before)), Some((same, after))) if cpu == same => Some(after.saturating_sub(before)),
            _ => None,
        };
        Disturbance {
            nivcsw: later.nivcsw.saturating_sub(self.nivcsw),
            run_delay_ns: self.run_delay_ns.zip(later.run_delay_ns).map(|(before, after)| after.saturating_sub(before)),
            steal_ticks,
        }
    }
}

/// The calling thread where the system counts per thread, else the process.
fn who() -> UsageWho {
    #[cfg(target_os = "linux")]
    return UsageWho::RUSAGE_THREAD;
    #[cfg(not(target_os = "linux"))]
    return UsageWho::RUSAGE_SELF;
}

/// The CPU this thread is on.
fn cpu() -> Option<usize> {
    #[cfg(target_os = "linux")]
    return nix::sched::sched_getcpu().ok();
    #[cfg(not(target_os = "linux"))]
    return None;
}

thread_local! {
    /// Opened once per thread: `/proc/thread-self` is resolved when it is opened.
    static FILES: RefCell<Files> = RefCell::new(Files::open());
}

struct Files {
    schedstat: Option<File>,
    stat: Option<File>,
    buffer: Vec<u8>,
}

impl Files {
    fn open() -> Self {
        Self {
            schedstat: File::open("/proc/thread-self/schedstat").ok(),
            // Formatting /proc/stat takes milliseconds on a host with hundreds of CPUs, and nobody steals from bare metal.
            stat: steal::possible(std::path::Path::new("/")).then(|| File::open("/proc/stat").ok()).flatten(),
            buffer: vec![0; WINDOW],
        }
    }

    fn run_delay(&mut self) -> Option<u64> {
        run_delay(window(self.schedstat.as_ref()?, &mut self.buffer)?)
    }

    fn steal(&mut self) -> Option<(usize, u64)> {
        let (file, cpu) = (self.stat.as_ref()?, cpu()?);
        Some((cpu, steal::of_cpu(window(file, &mut self.buffer)?, cpu)?))
    }
}

/// The beginning of a file, as text.
fn window<'b>(file: &File, buffer: &'b mut [u8]) -> Option<&'b str> {
    let length = file.read_at(buffer, 0).ok()?;
    std::str::from_utf8(buffer.get(..length)?).ok()
}

/// Second field of `schedstat` (proc(5)): ns spent waiting on a run queue. A kernel that does not count shows zeros, also for
/// the time on the CPU, which is never zero for a running thread.
fn run_delay(schedstat: &str) -> Option<u64> {
    let mut fields = schedstat.split_whitespace().map(str::parse::<u64>);
    let on_cpu = fields.next()?.ok()?;
    let waiting = fields.next()?.ok()?;
    (on_cpu > 0).then_some(waiting)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn run_delay_is_the_second_field_where_the_kernel_counts() {
        assert_eq!(run_delay("109187 4247 2\n"), Some(4_247));
        assert_eq!(run_delay("109187 0 2\n"), Some(0));
        assert_eq!(run_delay("0 0 0\n"), None);
        assert_eq!(run_delay("109187"), None);
        assert_eq!(run_delay("109187 x 2"), None);
        assert_eq!(run_delay(""), None);
    }

    #[test]
    fn differences_and_what_is_not_known() {
        let before = Counters { nivcsw: 3, run_delay_ns: Some(100), steal: Some((1, 7)) };
        let later = Counters { nivcsw: 5, run_delay_ns: Some(350), steal: Some((1, 8)) };
        let seen = before.until(&later);
        assert_eq!(seen, Disturbance { nivcsw: 2, run_delay_ns: Some(250), steal_ticks: Some(1) });
        let moved = Counters { steal: Some((0, 9)), run_delay_ns: None, ..later };
        let seen = before.until(&moved);
        assert_eq!(seen, Disturbance { nivcsw: 2, run_delay_ns: None, steal_ticks: None });
    }

    #[test]
    fn counters_of_this_thread_never_fall() {
        let before = Counters::read().unwrap();
        let later = Counters::read().unwrap();
        assert!(later.nivcsw >= before.nivcsw);
        assert!(later.run_delay_ns >= before.run_delay_ns);
    }
}
