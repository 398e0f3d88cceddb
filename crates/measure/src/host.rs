//! Whose number it is: a description of the host, how far its timings can be trusted, and what it cannot measure.
//!
//! Everything is read from files below a root (`/`), so that a description can be made of any tree. What is not found is absent with a
//! reason; nothing is guessed.

mod cpu;
mod frequency;
mod grade;
mod load;
mod read;
pub(crate) mod steal;
mod unmeasurable;
mod virtualisation;

pub use grade::{Grade, GradeFacts, grade};
pub use load::BUSY_LOAD_PER_CORE;
pub use steal::CpuTimes;
pub use unmeasurable::Unmeasurable;
pub use virtualisation::Virtualisation;

use read::{text, word};
use serde::Serialize;
use std::path::Path;

/// Written for a text that the host does not tell; the reason stands in [`HostFacts::unmeasurable`].
pub const UNKNOWN: &str = "unknown";

/// A host. Reasons for every `None` and every [`UNKNOWN`] are in `unmeasurable`, except for `virtualised`, where `None` means bare metal as far as can be seen.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HostFacts {
    /// Host name.
    pub name: String,
    /// CPU model as the kernel names it; on AArch64 the core's name.
    pub cpu: String,
    /// Instruction-set extensions that matter to cryptography, as Linux names them.
    pub isa: Vec<String>,
    /// Logical processors online; 1 when the host does not tell.
    pub cores: u32,
    /// Kernel release.
    pub kernel: String,
    /// Operating system, `PRETTY_NAME`.
    pub os: String,
    /// `kvm`, `docker`, `kvm+docker`, …; `None` on bare metal as far as can be seen.
    pub virtualised: Option<String>,
    /// cpufreq governor; several are joined by `,`.
    pub governor: Option<String>,
    /// Whether threads share cores.
    pub smt: Option<bool>,
    /// Share of time stolen by the hypervisor since boot, per cent. For the share during a run see [`CpuTimes`].
    pub steal_pct: Option<f64>,
    /// Load average of the last minute.
    pub load_1m: Option<f64>,
    /// Memory, bytes.
    pub memory_bytes: Option<u64>,
    /// CPU microcode revision.
    pub microcode: Option<String>,
    /// A (bare metal, frequency held still) to D (shared virtual machine); rule in [`grade()`].
    pub grade: Grade,
    /// Why this grade.
    pub grade_reasons: Vec<String>,
    /// What cannot be measured or is not told here, and why.
    pub unmeasurable: Vec<Unmeasurable>,
}

/// Describes the host whose files lie below `root`.
#[must_use]
pub fn describe(root: &Path) -> HostFacts {
    let mut lacks = Lacks(Vec::new());
    let cpu = cpu::read(root);
    let frequency = frequency::read(root);
    let virtualisation = virtualisation::detect(root, &cpu.flags);
    let steal = CpuTimes::read(root).and_then(|now| CpuTimes { total: 0, steal: 0 }.steal_pct(&now));
    let cycles = lacks.check("cycles", unmeasurable::cycles(root));
    lacks.check("energy", unmeasurable::energy(root));
    lacks.check("frequency", unmeasurable::frequency(&frequency));
    let cores = lacks.absent(
        "cores",
        cpu::online(root, &cpu),
        "neither /sys/devices/system/cpu/online nor /proc/cpuinfo tells",
    );
    let cores = cores.and_then(|cores| u32::try_from(cores).ok()).unwrap_or(1);
    let smt = lacks.absent("smt", cpu::smt(root), "the kernel tells nothing of threads and cores");
    let load_1m = lacks.absent("load_1m", load::read(root), "/proc/loadavg tells nothing");
    let (letter, mut grade_reasons) = grade(&GradeFacts {
        known: cpu.entries > 0,
        machine: virtualisation.machine.clone(),
        container: virtualisation.container.clone(),
        stolen: steal.map(|pct| pct > 0.0),
        cycles,
        governor: frequency.governor.clone(),
        range_is_a_point: frequency.range_is_a_point,
        boost: frequency.boost,
        smt,
        cores,
    });
    grade_reasons.extend(load_1m.and_then(|load| load::busy(load, cores)));
    HostFacts {
        name: lacks.named(
            "name",
            word(root, "proc/sys/kernel/hostname").or_else(|| word(root, "etc/hostname")),
            "no host name in /proc",
        ),
        isa: lacks
            .absent(
                "isa",
                Some(cpu::relevant(&cpu.flags)).filter(|isa| !isa.is_empty()),
                "no known extension in /proc/cpuinfo",
            )
            .unwrap_or_default(),
        cpu: lacks.named("cpu", cpu.model, "/proc/cpuinfo names no model"),
        cores,
        kernel: lacks.named("kernel", word(root, "proc/sys/kernel/osrelease"), "no release in /proc/sys/kernel"),
        os: lacks.named("os", operating_system(root), "no PRETTY_NAME in os-release"),
        virtualised: virtualisation.label(),
        governor: lacks.absent("governor", frequency.governor, "the kernel offers no cpufreq, as in virtual machines"),
        smt,
        steal_pct: lacks.absent("steal_pct", steal, "/proc/stat counts no stolen time"),
        load_1m,
        memory_bytes: lacks.absent("memory_bytes", memory(root), "no MemTotal in /proc/meminfo"),
        microcode: lacks.absent(
            "microcode",
            cpu.microcode,
            "/proc/cpuinfo tells no microcode revision, as on all but x86",
        ),
        grade: letter,
        grade_reasons,
        unmeasurable: lacks.0,
    }
}

/// Flags (x86) or features (AArch64) of the first CPU, as Linux names them; empty when not told.
#[must_use]
pub fn cpu_flags(root: &Path) -> Vec<String> {
    cpu::read(root).flags
}

/// Those of `cpus` that are as fast as the fastest of them: on machines with several kinds of core, coordinator and worker belong on the fast
/// ones. All of them where the host does not tell.
#[must_use]
pub fn fastest_cpus(root: &Path, cpus: &[usize]) -> Vec<usize> {
    cpu::fastest(root, cpus)
}

fn operating_system(root: &Path) -> Option<String> {
    let release = word(root, "etc/os-release").or_else(|| word(root, "usr/lib/os-release"))?;
    let value = release.lines().find_map(|line| line.trim().strip_prefix("PRETTY_NAME="))?;
    let value = value.trim().trim_matches(['"', '\'']);
    (!value.is_empty()).then(|| value.to_owned())
}

fn memory(root: &Path) -> Option<u64> {
    let info = text(root, "proc/meminfo")?;
    let kib: u64 =
        info.lines().find_map(|line| line.strip_prefix("MemTotal:"))?.split_whitespace().next()?.parse().ok()?;
    kib.checked_mul(1024)
}

/// Collects reasons for what is absent.
struct Lacks(Vec<Unmeasurable>);

impl Lacks {
    fn check(&mut self, what: &str, outcome: Result<(), String>) -> bool {
        let fine = outcome.is_ok();
        if let Err(reason) = outcome {
            self.0.push(Unmeasurable { what: what.to_owned(), reason });
        }
        fine
    }

    fn absent<T>(&mut self, what: &str, value: Option<T>, reason: &str) -> Option<T> {
        self.check(what, value.as_ref().map(|_| ()).ok_or_else(|| reason.to_owned()));
        value
    }

    fn named(&mut self, what: &str, value: Option<String>, reason: &str) -> String {
        self.absent(what, value, reason).unwrap_or_else(|| UNKNOWN.to_owned())
    }
}

#[cfg(test)]
mod tests;
