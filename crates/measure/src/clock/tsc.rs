//! The CPU's constant-rate counter: TSC on x86-64, the generic timer's virtual count on AArch64.
//!
//! The only unsafe code of the crate is [`read`], which executes the counter's instructions.
#![allow(unsafe_code)]

use super::Clock;
use std::time::{Duration, Instant};

/// How long calibration compares the counter with the monotonic clock. Each end is known to about 20 ns, so 10 ms gives some
/// four parts in a million, far below anything a timing shows.
const CALIBRATION: Duration = Duration::from_millis(10);

/// Readings from which the tightest is taken at each end of the calibration, so that a preemption there does not count.
const BRACKETS: usize = 64;

/// Rates that a counter may plausibly have, Hz: the slowest generic timers run at 1 MHz, no CPU at 20 GHz.
const PLAUSIBLE_HZ: std::ops::RangeInclusive<f64> = 5e5..=2e10;

/// The CPU's counter, where it runs at a constant rate, through idle states, and alike on all CPUs.
#[derive(Debug, Clone, Copy)]
pub struct Tsc {
    ns_per_tick: f64,
}

impl Tsc {
    /// Checks that the counter can be trusted, then calibrates it against the monotonic clock for 10 ms.
    ///
    /// # Errors
    /// Why it cannot be used on this machine.
    pub fn new() -> Result<Self, String> {
        trusted_here()?;
        let origin = Instant::now();
        let (first_tick, first_ns) = simultaneous(origin)?;
        std::thread::sleep(CALIBRATION);
        let (last_tick, last_ns) = simultaneous(origin)?;
        let (ticks, ns) = (last_tick.saturating_sub(first_tick), last_ns - first_ns);
        let hz = ticks as f64 * 1e9 / ns;
        if !PLAUSIBLE_HZ.contains(&hz) {
            return Err(format!("the counter moved {ticks} ticks in {ns} ns, which no CPU's counter does"));
        }
        Ok(Self { ns_per_tick: ns / ticks as f64 })
    }

    /// The calibrated rate, Hz.
    #[must_use]
    pub fn frequency_hz(&self) -> f64 {
        1e9 / self.ns_per_tick
    }
}

impl Clock for Tsc {
    fn name(&self) -> &'static str {
        if cfg!(target_arch = "aarch64") { "cntvct" } else { "tsc" }
    }

    fn now(&self) -> u64 {
        read().unwrap_or(0)
    }

    fn ns(&self, ticks: u64) -> f64 {
        ticks as f64 * self.ns_per_tick
    }
}

/// A counter reading and the monotonic time (ns since `origin`) of the same moment: the tightest of several brackets.
fn simultaneous(origin: Instant) -> Result<(u64, f64), String> {
    let mut best: Option<(u64, u64, f64)> = None;
    for _ in 0..BRACKETS {
        let before = read()?;
        let ns = origin.elapsed().as_nanos() as f64;
        let width = read()?.saturating_sub(before);
        if best.is_none_or(|(narrowest, ..)| width < narrowest) {
            best = Some((width, before + width / 2, ns));
        }
    }
    best.map(|(_, tick, ns)| (tick, ns)).ok_or_else(|| "the counter was not read".into())
}

/// Reads the counter: everything before is finished, nothing after has begun.
///
/// `lfence; rdtsc; lfence` is what the Intel SDM (volume 2B, RDTSC) prescribes for that; Linux makes `lfence` dispatch-serialising on AMD too.
#[cfg(target_arch = "x86_64")]
#[inline]
fn read() -> Result<u64, String> {
    use std::arch::x86_64::{_mm_lfence, _rdtsc};
    // SAFETY: both instructions are in every x86-64 CPU (SSE2 is part of the architecture) and touch no memory. The kernel may forbid
    // RDTSC to a process (PR_SET_TSC), which raises a signal and corrupts nothing; nobody does that to a program that did not ask for it.
    Ok(unsafe {
        _mm_lfence();
        let ticks = _rdtsc();
        _mm_lfence();
        ticks
    })
}

/// Reads the counter: everything before is finished, nothing after has begun (`isb` on both sides: the Arm ARM
/// allows the counter to be read speculatively and out of order).
#[cfg(target_arch = "aarch64")]
#[inline]
fn read() -> Result<u64, String> {
    let ticks: u64;
    // SAFETY: reads a register that Linux, macOS and Windows let user programs read; touches neither memory nor stack. `nomem` is left
    // out on purpose, so that the compiler does not move memory accesses across it.
    unsafe {
        std::arch::asm!("isb", "mrs {ticks}, cntvct_el0", "isb", ticks = out(reg) ticks, options(nostack, preserves_flags));
    }
    Ok(ticks)
}

/// No counter is known for this architecture.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn read() -> Result<u64, String> {
    Err(format!("no counter is known for {}", std::env::consts::ARCH))
}

/// Whether this machine's counter can be trusted.
fn trusted_here() -> Result<(), String> {
    // The generic timer is architecturally constant and system-wide (Arm ARM, chapter on the Generic Timer); only x86 has to be asked.
    if cfg!(target_arch = "aarch64") {
        return Ok(());
    }
    if !cfg!(target_arch = "x86_64") || !cfg!(target_os = "linux") {
        return Err("only Linux tells whether the x86 time-stamp counter is constant".into());
    }
    let root = std::path::Path::new("/");
    let flags = crate::host::cpu_flags(root);
    let sources = std::fs::read_to_string("/sys/devices/system/clocksource/clocksource0/available_clocksource").ok();
    trusted(&flags, sources.as_deref())
}

/// Whether a counter with these CPU flags and kernel clock sources can be trusted.
fn trusted(flags: &[String], clock_sources: Option<&str>) -> Result<(), String> {
    for needed in ["constant_tsc", "nonstop_tsc"] {
        if !flags.iter().any(|flag| flag == needed) {
            return Err(format!("the CPU lacks {needed}: its time-stamp counter may change rate or stop"));
        }
    }
    // The kernel takes `tsc` off this list when it saw it run apart between CPUs or from other clocks.
    match clock_sources {
        Some(sources) if !sources.split_whitespace().any(|source| source == "tsc") => {
            Err(format!("the kernel does not trust the time-stamp counter; it offers: {}", sources.trim()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(text: &str) -> Vec<String> {
        text.split_whitespace().map(String::from).collect()
    }

    #[test]
    fn a_counter_must_be_constant_nonstop_and_trusted_by_the_kernel() {
        let good = flags("fpu tsc constant_tsc nonstop_tsc");
        assert_eq!(trusted(&good, Some("tsc kvm-clock\n")), Ok(()));
        assert_eq!(trusted(&good, None), Ok(()));
        assert!(trusted(&good, Some("hpet acpi_pm")).unwrap_err().contains("hpet acpi_pm"));
        assert!(trusted(&flags("tsc constant_tsc"), None).unwrap_err().contains("nonstop_tsc"));
        assert!(trusted(&flags("tsc nonstop_tsc"), None).unwrap_err().contains("constant_tsc"));
        assert!(trusted(&[], Some("tsc")).is_err());
    }

    #[test]
    fn the_calibrated_rate_repeats() {
        let (Ok(first), Ok(second)) = (Tsc::new(), Tsc::new()) else { return };
        let apart = first.frequency_hz() / second.frequency_hz() - 1.0;
        // Loose: a preemption within all brackets of one end may cost microseconds of ten milliseconds.
        assert!(apart.abs() < 0.01, "{} Hz, then {} Hz", first.frequency_hz(), second.frequency_hz());
    }
}
