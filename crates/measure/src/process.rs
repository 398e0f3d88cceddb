//! Where a process may run and where it should: the coordinator on one CPU, the one measuring worker on another.

use serde::Serialize;

/// A choice of CPUs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Placement {
    /// CPU for the coordinator; `None`: leave it to the kernel.
    pub coordinator: Option<usize>,
    /// CPU for the worker; `None`: leave it to the kernel.
    pub worker: Option<usize>,
    /// Whether coordinator and worker have to share a CPU, so that the coordinator must be asleep while the worker measures.
    pub shared: bool,
    /// What a reader of the numbers should know about this choice; `None` when there is nothing.
    pub note: Option<String>,
}

/// CPUs this process may run on, in ascending order; empty where the system does not tell.
#[must_use]
pub fn cpus_allowed() -> Vec<usize> {
    #[cfg(target_os = "linux")]
    {
        use nix::sched::{CpuSet, sched_getaffinity};
        let Ok(set) = sched_getaffinity(nix::unistd::Pid::from_raw(0)) else { return Vec::new() };
        (0..CpuSet::count()).filter(|&cpu| set.is_set(cpu).unwrap_or(false)).collect()
    }
    #[cfg(not(target_os = "linux"))]
    Vec::new()
}

/// Confines the calling thread, and all threads it starts from now on, to one CPU.
///
/// # Errors
/// In words: the CPU does not exist, is offline, is not allowed to this process, or the system cannot confine.
pub fn pin_to_cpu(cpu: usize) -> Result<(), String> {
    #[cfg(target_os = "linux")]
    {
        use nix::sched::{CpuSet, sched_setaffinity};
        let allowed = cpus_allowed();
        let mut set = CpuSet::new();
        set.set(cpu)
            .and_then(|()| sched_setaffinity(nix::unistd::Pid::from_raw(0), &set))
            .map_err(|error| format!("cannot run on CPU {cpu} only: {error} (allowed are {allowed:?})"))
    }
    #[cfg(not(target_os = "linux"))]
    Err(format!("cannot run on CPU {cpu} only: this operating system offers no way to ask for it"))
}

/// Chooses CPUs from those allowed: the coordinator on the first, where the kernel tends to put its own work; the worker on the last.
///
/// Where the number of CPUs is even and neighbours share a core, first and last never do, except when there are only two of them.
#[must_use]
pub fn placement(allowed: &[usize]) -> Placement {
    let (first, last) = (allowed.iter().min().copied(), allowed.iter().max().copied());
    let note = match (first, last) {
        (None, _) => Some("the system does not tell which CPUs are allowed; nothing is confined".to_owned()),
        (Some(only), last) if last == Some(only) => Some(format!(
            "only CPU {only} is allowed: coordinator and worker take turns on it, and everything else on it disturbs the samples"
        )),
        _ => None,
    };
    Placement { coordinator: first, worker: last, shared: first == last, note }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn two_cpus_are_shared_out() {
        let chosen = placement(&[0, 1]);
        assert_eq!(chosen, Placement { coordinator: Some(0), worker: Some(1), shared: false, note: None });
        assert_eq!(
            placement(&[7, 3, 5]),
            Placement { coordinator: Some(3), worker: Some(7), shared: false, note: None }
        );
    }

    #[test]
    fn one_or_no_cpu_is_said() {
        let one = placement(&[4]);
        assert_eq!((one.coordinator, one.worker, one.shared), (Some(4), Some(4), true));
        assert!(one.note.unwrap().contains("only CPU 4"));
        let none = placement(&[]);
        assert_eq!((none.coordinator, none.worker, none.shared), (None, None, true));
        assert!(none.note.is_some());
    }

    proptest! {
        #[test]
        fn only_allowed_cpus_are_chosen(allowed in prop::collection::vec(0usize..1024, 1..64)) {
            let chosen = placement(&allowed);
            let (coordinator, worker) = (chosen.coordinator.unwrap(), chosen.worker.unwrap());
            prop_assert!(allowed.contains(&coordinator) && allowed.contains(&worker));
            prop_assert_eq!(chosen.shared, coordinator == worker);
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_thread_can_be_confined_to_an_allowed_cpu() {
        // In a thread of its own: the confinement ends with it.
        std::thread::spawn(|| {
            let allowed = cpus_allowed();
            let cpu = *allowed.last().expect("a running thread has a CPU");
            pin_to_cpu(cpu).unwrap();
            assert_eq!(cpus_allowed(), [cpu]);
            assert_eq!(nix::sched::sched_getcpu().unwrap(), cpu);
        })
        .join()
        .unwrap();
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_cpu_that_is_not_there_is_an_error() {
        let before = cpus_allowed();
        for cpu in [1_023, usize::MAX] {
            let error = pin_to_cpu(cpu).unwrap_err();
            assert!(error.contains(&cpu.to_string()), "{error}");
        }
        assert_eq!(cpus_allowed(), before);
    }
}
