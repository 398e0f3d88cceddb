//! One definition of each statistic, on samples that are known to be finite and in order.
//!
//! | word | means here |
//! |---|---|
//! | quantile | linear interpolation between order statistics, definition 7 of Hyndman and Fan, "Sample quantiles in statistical packages", The American Statistician 50(4), 1996: the default of R, NumPy and Excel |
//! | median | quantile 0.5 |
//! | MAD | median of absolute deviations from the median, not scaled |
//! | CoV | sample standard deviation (n - 1) over mean, per cent |
//!
//! No sample is ever left out: not as an outlier, not as contaminated.

pub mod bootstrap;
pub mod compare;
pub mod fit;
pub mod interval;
pub mod series;

/// At least one sample, all finite, in ascending order.
#[derive(Debug, Clone, PartialEq)]
pub struct Sorted(Vec<f64>);

impl Sorted {
    /// Sorts `samples`.
    ///
    /// # Errors
    /// Why they have no statistics: there are none, or one is not a finite number.
    pub fn new(samples: &[f64]) -> Result<Self, String> {
        if samples.is_empty() {
            return Err("there are no samples".into());
        }
        if let Some((at, value)) = samples.iter().enumerate().find(|(_, value)| !value.is_finite()) {
            return Err(format!("sample {at} is {value}"));
        }
        let mut sorted = samples.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        Ok(Self(sorted))
    }

    /// Number of samples, at least 1.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "never empty")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The samples in ascending order.
    #[must_use]
    pub fn as_slice(&self) -> &[f64] {
        &self.0
    }

    /// The order statistic `at`, from 0; the largest beyond the end.
    #[must_use]
    pub fn at(&self, at: usize) -> f64 {
        self.0.get(at).or(self.0.last()).copied().unwrap_or(f64::NAN)
    }

    /// Quantile `p`, Hyndman and Fan's definition 7: position `(n - 1) p`, counted from 0, interpolated. `p` is clamped to 0 … 1.
    #[must_use]
    pub fn quantile(&self, p: f64) -> f64 {
        let position = (self.len() - 1) as f64 * p.clamp(0.0, 1.0);
        let below = position.floor();
        let (low, high) = (self.at(below as usize), self.at(position.ceil() as usize));
        // Not `low + (high - low) * …`: the difference of two large numbers may overflow.
        let share = position - below;
        low * (1.0 - share) + high * share
    }

    /// Quantile 0.5.
    #[must_use]
    pub fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    /// Arithmetic mean.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.len() as f64
    }

    /// Median absolute deviation from the median, not scaled.
    #[must_use]
    pub fn mad(&self) -> f64 {
        let centre = self.median();
        let mut deviations: Vec<f64> = self.0.iter().map(|value| (value - centre).abs()).collect();
        deviations.sort_unstable_by(f64::total_cmp);
        Self(deviations).median()
    }

    /// Coefficient of variation, per cent.
    ///
    /// # Errors
    /// Fewer than two samples, or a mean that is not positive.
    pub fn cov_pct(&self) -> Result<f64, String> {
        let mean = self.mean();
        if self.len() < 2 {
            return Err("one sample has no spread".into());
        }
        if mean <= 0.0 {
            return Err(format!("the mean is {mean}, and a share of it says nothing"));
        }
        let squares: f64 = self.0.iter().map(|value| (value - mean).powi(2)).sum();
        Ok(100.0 * (squares / (self.len() - 1) as f64).sqrt() / mean)
    }

    /// Samples that are equal to another one.
    #[must_use]
    pub fn ties(&self) -> usize {
        self.0.chunk_by(|a, b| a == b).map(<[f64]>::len).filter(|&length| length > 1).sum()
    }
}

/// The median of samples in any order; `None` when there are none or one is not finite.
#[must_use]
pub fn median(samples: &[f64]) -> Option<f64> {
    Sorted::new(samples).ok().map(|sorted| sorted.median())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sorted(samples: &[f64]) -> Sorted {
        Sorted::new(samples).unwrap()
    }

    fn close(seen: f64, expected: f64) {
        assert!((seen - expected).abs() <= 1e-9 * expected.abs().max(1.0), "{seen} is not {expected}");
    }

    #[test]
    fn quantiles_as_numpy_documents_them() {
        // numpy.percentile([[10, 7, 4], [3, 2, 1]], 50) is 3.5 (NumPy reference, numpy.percentile, example).
        close(sorted(&[10.0, 7.0, 4.0, 3.0, 2.0, 1.0]).median(), 3.5);
        // By hand: 1 … 10, position 9 p from 0.
        let ten: Vec<f64> = (1..=10).map(f64::from).collect();
        for (p, expected) in [(0.0, 1.0), (0.1, 1.9), (0.25, 3.25), (0.5, 5.5), (0.95, 9.55), (0.99, 9.91), (1.0, 10.0)]
        {
            close(sorted(&ten).quantile(p), expected);
        }
        close(sorted(&ten).quantile(-1.0), 1.0);
        close(sorted(&ten).quantile(7.0), 10.0);
        close(sorted(&[4.0]).quantile(0.99), 4.0);
    }

    #[test]
    fn spread_of_a_known_sample() {
        // 1, 1, 2, 2, 4, 6, 9: median 2, absolute deviations 0, 0, 1, 1, 2, 4, 7, MAD 1.
        let known = sorted(&[9.0, 1.0, 2.0, 6.0, 1.0, 4.0, 2.0]);
        assert_eq!((known.median(), known.mad(), known.ties()), (2.0, 1.0, 4));
        // 2, 4, 4, 4, 5, 5, 7, 9: mean 5, squares 32, sample variance 32/7.
        let known = sorted(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
        close(known.mean(), 5.0);
        close(known.cov_pct().unwrap(), 100.0 * (32.0_f64 / 7.0).sqrt() / 5.0);
        assert_eq!(known.ties(), 5);
    }

    #[test]
    fn samples_without_statistics_say_why() {
        assert!(Sorted::new(&[]).unwrap_err().contains("no samples"));
        assert!(Sorted::new(&[1.0, f64::NAN]).unwrap_err().contains("sample 1 is NaN"));
        assert!(Sorted::new(&[f64::INFINITY]).unwrap_err().contains("sample 0 is inf"));
        assert!(sorted(&[3.0]).cov_pct().unwrap_err().contains("one sample"));
        assert!(sorted(&[0.0, 0.0]).cov_pct().unwrap_err().contains("mean is 0"));
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[f64::NAN]), None);
        assert_eq!(median(&[2.0, 1.0]), Some(1.5));
    }

    proptest! {
        #[test]
        fn quantiles_rise_with_p_and_stay_inside(samples in prop::collection::vec(0.0f64..1e12, 1..60), p in 0.0..1.0f64, q in 0.0..1.0f64) {
            let sorted = Sorted::new(&samples).unwrap();
            let (low, high) = (sorted.quantile(p.min(q)), sorted.quantile(p.max(q)));
            let slack = 1e-9 * sorted.quantile(1.0).max(1.0);
            prop_assert!(low <= high + slack);
            prop_assert!(low >= sorted.quantile(0.0) - slack && high <= sorted.quantile(1.0) + slack);
        }

        #[test]
        fn statistics_follow_scale_and_ignore_order(samples in prop::collection::vec(1.0f64..1e9, 2..60), factor in 0.01f64..100.0) {
            let plain = Sorted::new(&samples).unwrap();
            let mut turned: Vec<f64> = samples.iter().map(|value| value * factor).collect();
            turned.reverse();
            let scaled = Sorted::new(&turned).unwrap();
            let near = |a: f64, b: f64| (a - b).abs() <= 1e-6 * a.abs().max(b.abs()).max(1.0);
            prop_assert!(near(scaled.median(), plain.median() * factor));
            prop_assert!(near(scaled.mean(), plain.mean() * factor));
            prop_assert!(near(scaled.mad(), plain.mad() * factor));
            prop_assert!(near(scaled.cov_pct().unwrap(), plain.cov_pct().unwrap()));
        }

        #[test]
        fn half_of_the_samples_lie_on_each_side_of_the_median(samples in prop::collection::vec(-1e6f64..1e6, 1..60)) {
            let median = median(&samples).unwrap();
            let below = samples.iter().filter(|&&value| value < median).count();
            let above = samples.iter().filter(|&&value| value > median).count();
            prop_assert!(2 * below <= samples.len() && 2 * above <= samples.len());
        }

        #[test]
        fn no_input_panics(samples in prop::collection::vec(any::<f64>(), 0..20), p: f64) {
            if let Ok(sorted) = Sorted::new(&samples) {
                let _ = (sorted.quantile(p), sorted.mad(), sorted.mean(), sorted.cov_pct(), sorted.ties());
            }
        }
    }
}
