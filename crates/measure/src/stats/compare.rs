//! Paired comparison of two arms that ran interleaved.
//!
//! What disturbs a round disturbs both arms of it, so the arms are divided round by round. The unit of inference is the process pair:
//! one number from each, a distribution-free interval over them (Kalibera and Jones, "Rigorous benchmarking in reasonable time", ISMM 2013,
//! on levels of repetition). Logarithms, so that a/b and b/a are the same finding.

use super::{Sorted, interval};
use serde::Serialize;
use std::collections::BTreeMap;

/// How many times arm `a` takes what arm `b` takes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RatioEstimate {
    /// `a / b`: above 1, `a` is slower.
    pub ratio: Option<f64>,
    /// 95 % interval of the ratio over process pairs, order statistics.
    pub ci95: Option<[f64; 2]>,
    /// Achieved coverage of `ci95`, per cent.
    pub coverage_pct: Option<f64>,
    /// Process pairs.
    pub n_processes: usize,
    /// Why a field is `None`, by its name.
    pub absent: BTreeMap<&'static str, String>,
}

/// Ratio from per-process medians of `ln(a / b)` per round. `a[p][r]` and `b[p][r]` are nanoseconds per operation in round `r` of process pair `p`.
///
/// Everything is `None`, with the reason, when the arms do not pair up or a time is not a positive number.
#[must_use]
pub fn ratio(a: &[Vec<f64>], b: &[Vec<f64>]) -> RatioEstimate {
    estimate(a, b, |a, b| {
        let logs: Vec<f64> = a.iter().zip(b).map(|(a, b)| (a / b).ln()).collect();
        Ok(Sorted::new(&logs)?.median())
    })
}

/// Ratio from per-process quantiles: the `p` quantile of `a`'s epochs over that of `b`'s.
///
/// A low quantile (0.1 to 0.25) sees the epochs that nothing disturbed, and scatters less between repetitions than the median where the
/// disturbances of a shared machine only ever add time. It is silent about an arm that is slow only sometimes.
#[must_use]
pub fn quantile_ratio(a: &[Vec<f64>], b: &[Vec<f64>], p: f64) -> RatioEstimate {
    estimate(a, b, |a, b| Ok((Sorted::new(a)?.quantile(p) / Sorted::new(b)?.quantile(p)).ln()))
}

fn estimate(
    a: &[Vec<f64>],
    b: &[Vec<f64>],
    of_process: impl Fn(&[f64], &[f64]) -> Result<f64, String>,
) -> RatioEstimate {
    let mut found =
        RatioEstimate { ratio: None, ci95: None, coverage_pct: None, n_processes: a.len(), absent: BTreeMap::new() };
    let logs = pairs(a, b).and_then(|()| {
        let logs: Result<Vec<f64>, String> = a.iter().zip(b).map(|(a, b)| of_process(a, b)).collect();
        Sorted::new(&logs?)
    });
    let interval = match &logs {
        Ok(logs) => {
            found.ratio = Some(logs.median().exp());
            interval::median_interval(logs, 0.95)
        }
        Err(reason) => {
            found.absent.insert("ratio", reason.clone());
            Err(reason.clone())
        }
    };
    match interval {
        Ok(interval) => {
            found.ci95 = Some([interval.low.exp(), interval.high.exp()]);
            found.coverage_pct = Some(interval.coverage_pct);
        }
        Err(reason) => {
            found.absent.insert("ci95", reason.clone());
            found.absent.insert("coverage_pct", reason);
        }
    }
    found
}

/// Whether the arms pair up, round by round, with times that have a logarithm.
fn pairs(a: &[Vec<f64>], b: &[Vec<f64>]) -> Result<(), String> {
    if a.len() != b.len() {
        return Err(format!("the arms have {} and {} processes and cannot be paired", a.len(), b.len()));
    }
    for (process, (a, b)) in a.iter().zip(b).enumerate() {
        if a.len() != b.len() {
            return Err(format!(
                "process {process}: the arms have {} and {} rounds and cannot be paired",
                a.len(),
                b.len()
            ));
        }
        for (arm, times) in [("first", a), ("second", b)] {
            if let Some((round, time)) = times.iter().enumerate().find(|(_, time)| !(time.is_finite() && **time > 0.0))
            {
                return Err(format!(
                    "process {process}, round {round}: the {arm} arm took {time} ns, which is no duration"
                ));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn close(seen: f64, expected: f64) {
        assert!((seen / expected - 1.0).abs() < 1e-12, "{seen} is not {expected}");
    }

    #[test]
    fn a_ratio_by_hand() {
        // Per round 2, 1, 4: median 2. Per round 3, 3, 3: median 3. Two processes: the geometric mean, sqrt 6.
        let a = vec![vec![2.0, 5.0, 8.0], vec![30.0, 60.0, 90.0]];
        let b = vec![vec![1.0, 5.0, 2.0], vec![10.0, 20.0, 30.0]];
        let found = ratio(&a, &b);
        close(found.ratio.unwrap(), 6f64.sqrt());
        assert_eq!((found.ci95, found.coverage_pct, found.n_processes), (None, None, 2));
        assert!(found.absent["ci95"].contains("at least 6"));
        assert!(found.absent.contains_key("coverage_pct") && !found.absent.contains_key("ratio"));
    }

    #[test]
    fn six_processes_give_smallest_to_largest() {
        let a: Vec<Vec<f64>> = (1..=6).map(|p| vec![f64::from(p)]).collect();
        let found = ratio(&a, &vec![vec![1.0]; 6]);
        close(found.ratio.unwrap(), 12f64.sqrt());
        let [low, high] = found.ci95.unwrap();
        close(low, 1.0);
        close(high, 6.0);
        close(found.coverage_pct.unwrap(), 96.875);
        assert!(found.absent.is_empty());
    }

    #[test]
    fn pairing_removes_what_both_arms_suffer() {
        // Rounds differ a hundredfold, the arms by 1 %: the medians of the arms alone could not tell.
        let b: Vec<Vec<f64>> = (0..6).map(|p| (0..9).map(|r| 10f64.powi((r * 7 + p) % 3)).collect()).collect();
        let a: Vec<Vec<f64>> = b.iter().map(|rounds| rounds.iter().map(|time| time * 1.01).collect()).collect();
        let found = ratio(&a, &b);
        close(found.ratio.unwrap(), 1.01);
        let [low, high] = found.ci95.unwrap();
        close(low, 1.01);
        close(high, 1.01);
    }

    #[test]
    fn a_low_quantile_ignores_what_was_added_to_some_epochs() {
        let b = vec![vec![100.0; 20]; 6];
        let disturbed: Vec<f64> = (0..20).map(|r| if r % 2 == 0 { 102.0 } else { 150.0 }).collect();
        let a = vec![disturbed; 6];
        close(quantile_ratio(&a, &b, 0.25).ratio.unwrap(), 1.02);
        assert!(ratio(&a, &b).ratio.unwrap() > 1.2);
    }

    #[test]
    fn arms_that_do_not_pair_say_why() {
        let one = vec![vec![1.0, 2.0]];
        for (a, b, reason) in [
            (one.clone(), vec![], "1 and 0 processes"),
            (one.clone(), vec![vec![1.0]], "2 and 1 rounds"),
            (one.clone(), vec![vec![1.0, 0.0]], "round 1: the second arm took 0 ns"),
            (vec![vec![f64::NAN, 1.0]], one.clone(), "round 0: the first arm took NaN"),
            (vec![vec![-1.0, 1.0]], one, "took -1 ns"),
            (vec![], vec![], "no samples"),
            (vec![vec![]], vec![vec![]], "no samples"),
        ] {
            for found in [ratio(&a, &b), quantile_ratio(&a, &b, 0.25)] {
                assert_eq!((found.ratio, found.ci95, found.coverage_pct), (None, None, None));
                assert!(found.absent["ratio"].contains(reason), "{:?}", found.absent);
                assert_eq!(found.absent.len(), 3);
            }
        }
    }

    proptest! {
        #[test]
        fn exchanging_the_arms_inverts_the_finding(
            times in prop::collection::vec(prop::collection::vec((1.0f64..1e6, 1.0f64..1e6), 1..9), 6..14),
        ) {
            let arm = |pick: fn(&(f64, f64)) -> f64| -> Vec<Vec<f64>> {
                times.iter().map(|rounds| rounds.iter().map(pick).collect()).collect()
            };
            let (a, b) = (arm(|pair| pair.0), arm(|pair| pair.1));
            let (there, back) = (ratio(&a, &b), ratio(&b, &a));
            let near = |x: f64, y: f64| (x * y - 1.0).abs() < 1e-9;
            prop_assert!(near(there.ratio.unwrap(), back.ratio.unwrap()));
            let ([low, high], [back_low, back_high]) = (there.ci95.unwrap(), back.ci95.unwrap());
            prop_assert!(near(low, back_high) && near(high, back_low));
            prop_assert!(low <= there.ratio.unwrap() && there.ratio.unwrap() <= high);
        }
    }
}
