//! A clock's own properties, measured.

use super::Clock;
use serde::{Deserialize, Serialize};

/// Readings in one series.
const READINGS: usize = 2_000;

/// Series, of which the median cost is taken.
const SERIES: usize = 15;

/// What a clock can resolve and what a reading costs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClockFacts {
    /// [`Clock::name`].
    pub name: String,
    /// The finest difference the clock was seen to make, ns; infinite for a clock that never moved.
    pub step_ns: f64,
    /// Cost of one reading, ns.
    pub cost_ns: f64,
}

/// Measures `clock`; takes a few milliseconds.
#[must_use]
pub fn probe(clock: &dyn Clock) -> ClockFacts {
    let mut finest = None;
    let mut costs = Vec::with_capacity(SERIES);
    for _ in 0..SERIES {
        let readings: Vec<u64> = (0..READINGS).map(|_| clock.now()).collect();
        if let (Some(first), Some(last)) = (readings.first(), readings.last()) {
            costs.push(clock.ns(last.saturating_sub(*first)) / (READINGS - 1) as f64);
        }
        finest = [finest, step(&readings)].into_iter().flatten().min();
    }
    ClockFacts {
        name: clock.name().to_owned(),
        step_ns: finest.map_or(f64::INFINITY, |ticks| clock.ns(ticks)),
        cost_ns: crate::stats::median(&costs).unwrap_or(f64::INFINITY),
    }
}

/// The step of a clock in ticks, from successive readings; `None` when they never differ.
///
/// Where successive readings are sometimes equal, the step is the smallest non-zero difference. Where a reading takes longer than a step they
/// never are, and the step is the smallest gap between two different differences: differences of 52 and 78 ticks show a step of 26.
/// A gap of one tick is taken as the rounding of a conversion to ticks, unless there is no other.
fn step(readings: &[u64]) -> Option<u64> {
    let mut differences: Vec<u64> =
        readings.iter().zip(readings.iter().skip(1)).map(|(before, after)| after.saturating_sub(*before)).collect();
    differences.sort_unstable();
    differences.dedup();
    let smallest = differences.iter().copied().find(|&difference| difference > 0)?;
    if differences.first() == Some(&0) {
        return Some(smallest);
    }
    let gaps = differences.iter().zip(differences.iter().skip(1)).map(|(low, high)| high - low);
    let (rounding, real): (Vec<u64>, Vec<u64>) = gaps.partition(|&gap| gap == 1);
    let finest = real.into_iter().min().or(rounding.first().copied());
    Some(finest.map_or(smallest, |gap| gap.min(smallest)))
}

#[cfg(test)]
mod tests {
    use super::super::{Fake, Monotonic, best};
    use super::*;

    fn from_differences(differences: &[u64]) -> Vec<u64> {
        let mut now = 1_000;
        std::iter::once(now)
            .chain(differences.iter().map(|difference| {
                now += difference;
                now
            }))
            .collect()
    }

    #[test]
    fn step_from_successive_readings() {
        // A coarse clock: most readings fall into the same tick.
        assert_eq!(step(&from_differences(&[0, 0, 1_000, 0, 0, 2_000])), Some(1_000));
        // A reading that takes two to four steps of 26 ticks.
        assert_eq!(step(&from_differences(&[52, 52, 78, 104, 52, 520])), Some(26));
        // Steps of 10.0154 ns, cut to whole nanoseconds.
        assert_eq!(step(&from_differences(&[40, 41, 40, 50, 51, 40])), Some(9));
        // Every nanosecond occurs.
        assert_eq!(step(&from_differences(&[20, 21, 22, 23])), Some(1));
        // Nothing but one difference: no finer step was seen.
        assert_eq!(step(&from_differences(&[40, 40, 40])), Some(40));
        assert_eq!(step(&from_differences(&[0, 0])), None);
        assert_eq!(step(&[]), None);
        assert_eq!(step(&[5]), None);
        // A clock that goes back counts as one that did not move.
        assert_eq!(step(&[9, 5, 2]), None);
    }

    #[test]
    fn a_scripted_clock_is_described_as_scripted() {
        let facts = probe(&Fake::new(vec![20, 30]));
        assert_eq!((facts.name.as_str(), facts.step_ns), ("fake", 10.0));
        assert!((facts.cost_ns - 25.0).abs() < 0.01, "{facts:?}");
    }

    #[test]
    fn a_clock_that_stands_still_has_no_finite_step() {
        let facts = probe(&Fake::new(Vec::new()));
        assert_eq!((facts.step_ns, facts.cost_ns), (f64::INFINITY, 0.0));
    }

    #[test]
    fn real_clocks_have_finite_positive_properties() {
        for clock in [best(), Box::new(Monotonic::new()) as Box<dyn Clock>] {
            let facts = probe(clock.as_ref());
            assert!(facts.step_ns > 0.0 && facts.step_ns.is_finite(), "{facts:?}");
            assert!(facts.cost_ns > 0.0 && facts.cost_ns.is_finite(), "{facts:?}");
        }
    }
}
