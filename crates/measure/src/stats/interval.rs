//! Interval of a median from order statistics: the inverted sign test.
//!
//! It supposes nothing about the distribution but that samples are independent. The number of samples below the true median is
//! binomial (n, 1/2), so the interval from the k-th smallest to the k-th largest sample holds the median with probability
//! `1 - 2 P(B <= k - 1)`; ties only add to it (David and Nagaraja, "Order Statistics", 3rd ed., section 7.1).
//! Coverage comes in steps. The interval given is the narrowest that covers at least the wanted level, and its true coverage goes with it.

use super::Sorted;
use serde::Serialize;

/// An interval of a median.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MedianInterval {
    /// The k-th smallest sample.
    pub low: f64,
    /// The k-th largest sample.
    pub high: f64,
    /// Probability that such an interval holds the median, per cent.
    pub coverage_pct: f64,
    /// k, from 1.
    pub rank: usize,
}

/// The narrowest order-statistic interval of the median that covers at least `level` (0.95 for 95 %).
///
/// # Errors
/// Why there is none: even smallest to largest covers less with so few samples (5 cover 93.75 %, 6 cover 96.875 %).
pub fn median_interval(samples: &Sorted, level: f64) -> Result<MedianInterval, String> {
    let n = samples.len();
    let (rank, coverage) = rank(n, level).ok_or_else(|| {
        format!(
            "{n} of the at least {} values that a {} % interval of a median needs: smallest to largest of {n} covers {:.1} %",
            fewest(level),
            100.0 * level,
            100.0 * coverage(n, 1),
        )
    })?;
    Ok(MedianInterval { low: samples.at(rank - 1), high: samples.at(n - rank), coverage_pct: 100.0 * coverage, rank })
}

/// The largest k whose interval covers `level`, and its coverage.
fn rank(n: usize, level: f64) -> Option<(usize, f64)> {
    let mut best = None;
    let mut below = LowerTail::new(n);
    for k in 1..=n / 2 {
        let coverage = 1.0 - 2.0 * below.next_sum();
        if coverage < level {
            break;
        }
        best = Some((k, coverage));
    }
    best
}

/// Coverage of the interval from the k-th smallest to the k-th largest of `n`.
fn coverage(n: usize, k: usize) -> f64 {
    let mut below = LowerTail::new(n);
    let tail = (0..k).map(|_| below.next_sum()).last().unwrap_or(0.0);
    (1.0 - 2.0 * tail).max(0.0)
}

/// Fewest values of which smallest to largest covers `level`: 1 - 2^(1 - n) >= level.
fn fewest(level: f64) -> usize {
    (1..64).find(|&n| coverage(n, 1) >= level).unwrap_or(64)
}

/// P(B <= 0), P(B <= 1), … of a binomial (n, 1/2), in logarithms, because 2^-n leaves the range of f64 at n = 1075.
struct LowerTail {
    n: usize,
    next: usize,
    ln_term: f64,
    sum: f64,
}

impl LowerTail {
    fn new(n: usize) -> Self {
        Self { n, next: 0, ln_term: -(n as f64) * std::f64::consts::LN_2, sum: 0.0 }
    }

    fn next_sum(&mut self) -> f64 {
        if self.next > 0 && self.next <= self.n {
            self.ln_term += ((self.n - self.next + 1) as f64 / self.next as f64).ln();
        }
        if self.next <= self.n {
            self.sum += self.ln_term.exp();
        }
        self.next += 1;
        self.sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn interval_of(n: u32) -> Result<MedianInterval, String> {
        let samples: Vec<f64> = (1..=n).map(f64::from).collect();
        median_interval(&Sorted::new(&samples).unwrap(), 0.95)
    }

    /// C(n, k), exact for n <= 120.
    fn choose(n: u128, k: u128) -> u128 {
        (0..k).fold(1, |product, i| product * (n - i) / (i + 1))
    }

    #[test]
    fn fewer_than_six_values_have_no_95_per_cent_interval() {
        for n in 1..=5 {
            let reason = interval_of(n).unwrap_err();
            assert!(reason.contains("at least 6 values"), "{reason}");
        }
        assert!(interval_of(5).unwrap_err().contains("covers 93.8 %"));
        let six = interval_of(6).unwrap();
        assert_eq!((six.low, six.high, six.rank), (1.0, 6.0, 1));
        assert!((six.coverage_pct - 96.875).abs() < 1e-10);
    }

    #[test]
    fn ranks_of_the_printed_tables() {
        // n, k and coverage as in the usual tables of the sign-test interval at 95 %.
        for (n, k, coverage) in [
            (8, 1, 99.22),
            (9, 2, 96.09),
            (10, 2, 97.85),
            (12, 3, 96.14),
            (15, 4, 96.48),
            (20, 6, 95.86),
            (25, 8, 95.67),
        ] {
            let found = interval_of(n).unwrap();
            assert_eq!(found.rank, k, "n = {n}");
            assert!((found.coverage_pct - coverage).abs() < 0.005, "n = {n}: {}", found.coverage_pct);
        }
    }

    #[test]
    fn coverage_is_the_exact_binomial_sum_and_no_narrower_interval_would_do() {
        for n in 6u32..=100 {
            let exact = |k: u128| {
                let outside: u128 = (0..k).map(|i| choose(n.into(), i)).sum();
                1.0 - 2.0 * outside as f64 / 2f64.powi(n as i32)
            };
            let found = interval_of(n).unwrap();
            let k = found.rank as u128;
            assert!((found.coverage_pct / 100.0 - exact(k)).abs() < 1e-12, "n = {n}");
            assert!(exact(k) >= 0.95 && exact(k + 1) < 0.95, "n = {n}, k = {k}");
        }
    }

    #[test]
    fn coverage_by_counting_every_possible_sample() {
        // Each of n samples falls below or above the true median with equal probability: all 2^n cases, counted.
        for n in 6u32..=16 {
            let found = interval_of(n).unwrap();
            let holds = (0u32..1 << n)
                .filter(|case| {
                    // With b samples below the median, sorted, the interval holds it when low is below and high is above.
                    let below = case.count_ones() as usize;
                    below >= found.rank && n as usize - below >= found.rank
                })
                .count();
            let counted = 100.0 * holds as f64 / f64::from(1u32 << n);
            assert!((counted - found.coverage_pct).abs() < 1e-9, "n = {n}: {counted} and {}", found.coverage_pct);
        }
    }

    #[test]
    fn many_values_do_not_underflow() {
        // Normal approximation for n = 10 000: k - 1 is about n/2 - 1.96 sqrt(n)/2 = 4 902.
        let found = interval_of(10_000).unwrap();
        assert!((4_900..=4_903).contains(&found.rank), "{found:?}");
        assert!((95.0..95.2).contains(&found.coverage_pct), "{found:?}");
    }

    #[test]
    fn levels_that_are_no_levels() {
        let samples = Sorted::new(&[1.0, 2.0, 3.0, 4.0]).unwrap();
        for level in [1.0, 2.0, f64::INFINITY] {
            assert!(median_interval(&samples, level).is_err(), "{level}");
        }
    }

    proptest! {
        #[test]
        fn an_interval_holds_the_sample_median(samples in prop::collection::vec(0.0f64..1e9, 6..80)) {
            let sorted = Sorted::new(&samples).unwrap();
            let found = median_interval(&sorted, 0.95).unwrap();
            prop_assert!(found.low <= sorted.median() && sorted.median() <= found.high);
            prop_assert!(found.coverage_pct >= 95.0 && found.coverage_pct <= 100.0);
            prop_assert!(samples.contains(&found.low) && samples.contains(&found.high));
        }

        #[test]
        fn a_higher_level_gives_an_interval_at_least_as_wide(samples in prop::collection::vec(0.0f64..1e9, 8..80)) {
            let sorted = Sorted::new(&samples).unwrap();
            let (narrow, wide) = (median_interval(&sorted, 0.8).unwrap(), median_interval(&sorted, 0.99).unwrap());
            prop_assert!(wide.low <= narrow.low && narrow.high <= wide.high);
        }
    }
}
