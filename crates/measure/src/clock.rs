//! Clocks for timing: the CPU's counter where it can be trusted, the operating system's monotonic clock elsewhere, and a scripted one for tests.
//!
//! No clock here counts CPU cycles. A time-stamp counter runs at a constant rate whatever the core does, so its ticks are time.

mod probe;
mod tsc;

pub use probe::{ClockFacts, probe};
pub use tsc::Tsc;

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;

/// A source of time for differences.
///
/// A reading is ordered: work before it in the program is finished, work after it has not begun.
pub trait Clock: Send + Sync {
    /// `tsc`, `cntvct`, `monotonic` or `fake`.
    fn name(&self) -> &'static str;

    /// The present, in ticks from an arbitrary origin.
    fn now(&self) -> u64;

    /// What a difference of `ticks` is in nanoseconds.
    fn ns(&self, ticks: u64) -> f64;
}

/// The clock with the cheapest trustworthy reading on this machine: [`Tsc`], or else [`Monotonic`].
///
/// Takes about 10 ms, for calibration.
#[must_use]
pub fn best() -> Box<dyn Clock> {
    match Tsc::new() {
        Ok(tsc) => Box::new(tsc),
        Err(_) => Box::new(Monotonic::new()),
    }
}

/// The operating system's monotonic clock (`CLOCK_MONOTONIC` on Linux); a tick is a nanosecond.
#[derive(Debug, Clone, Copy)]
pub struct Monotonic {
    origin: Instant,
}

impl Monotonic {
    /// Begins to count now.
    #[must_use]
    pub fn new() -> Self {
        Self { origin: Instant::now() }
    }
}

impl Default for Monotonic {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for Monotonic {
    fn name(&self) -> &'static str {
        "monotonic"
    }

    fn now(&self) -> u64 {
        u64::try_from(self.origin.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    fn ns(&self, ticks: u64) -> f64 {
        ticks as f64
    }
}

/// A clock for tests: each reading moves it by the next step of a script, which repeats; a tick is a nanosecond.
#[derive(Debug)]
pub struct Fake {
    script: Vec<u64>,
    next: AtomicUsize,
    now: AtomicU64,
}

impl Fake {
    /// A clock that each reading moves by the next of `script`; an empty script makes a clock that stands still.
    #[must_use]
    pub fn new(script: Vec<u64>) -> Self {
        Self { script, next: AtomicUsize::new(0), now: AtomicU64::new(0) }
    }

    /// Lets `ticks` pass, as work would.
    pub fn advance(&self, ticks: u64) {
        self.now.fetch_add(ticks, Ordering::Relaxed);
    }
}

impl Clock for Fake {
    fn name(&self) -> &'static str {
        "fake"
    }

    fn now(&self) -> u64 {
        let turn = self.next.fetch_add(1, Ordering::Relaxed);
        let step = turn.checked_rem(self.script.len()).and_then(|at| self.script.get(at)).copied().unwrap_or(0);
        self.now.fetch_add(step, Ordering::Relaxed).wrapping_add(step)
    }

    fn ns(&self, ticks: u64) -> f64 {
        ticks as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fake_follows_its_script_and_the_work() {
        let clock = Fake::new(vec![10, 0, 5]);
        let readings: Vec<u64> = (0..4).map(|_| clock.now()).collect();
        assert_eq!(readings, [10, 10, 15, 25]);
        clock.advance(100);
        assert_eq!(clock.now(), 125);
        assert_eq!(clock.ns(7), 7.0);
        let still = Fake::new(Vec::new());
        assert_eq!((still.now(), still.now()), (0, 0));
    }

    #[test]
    fn the_real_clocks_never_go_back() {
        for clock in [best(), Box::new(Monotonic::new()) as Box<dyn Clock>] {
            let mut last = clock.now();
            for _ in 0..10_000 {
                let now = clock.now();
                assert!(now >= last, "{} went from {last} to {now}", clock.name());
                last = now;
            }
            assert!(last > 0);
        }
    }

    #[test]
    fn the_counter_agrees_with_the_monotonic_clock() {
        // Not a timed assertion: both clocks see the same interval, however long it turns out to be.
        let Ok(tsc) = Tsc::new() else { return };
        let monotonic = Monotonic::new();
        let (outer, inner) = (tsc.now(), monotonic.now());
        std::thread::sleep(std::time::Duration::from_millis(20));
        let inner = monotonic.ns(monotonic.now() - inner);
        let outer = tsc.ns(tsc.now() - outer);
        // The counter's interval encloses the other; 500 ppm is the most that NTP may bend CLOCK_MONOTONIC.
        assert!(outer >= inner * 0.9995, "counter {outer} ns, monotonic {inner} ns");
    }
}
