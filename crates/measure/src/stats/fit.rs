//! How speed falls with key size: a power law, fitted by least squares of log speed on log size.
//!
//! The model is `speed = b · a^(−log₂(size / x₀))` with `x₀` the smallest size: each doubling of the size divides the
//! speed by `a`. In logarithms that is a straight line of slope `−log₂ a`, and least squares there weighs relative
//! errors, so that the slow, large sizes count as much as the fast, small ones. Least squares of the speeds themselves
//! would follow the fastest point alone.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// One point: a size (bits, say) and a speed (operations per second, say), both positive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// What is doubled.
    pub size: f64,
    /// What falls.
    pub speed: f64,
}

/// The fitted law.
#[derive(Debug, Clone, PartialEq)]
pub struct PowerLaw {
    /// Factor by which the speed falls when the size doubles.
    pub a: f64,
    /// 95 % interval of `a` from Student's t distribution of the slope; none with two sizes only, which leave no
    /// residual.
    pub a_ci95: Option<[f64; 2]>,
    /// Speed on the line at `x0`.
    pub b: f64,
    /// Smallest size.
    pub x0: f64,
    /// Coefficient of determination of the logarithms, 0 … 1; none when all speeds are equal.
    pub r_squared: Option<f64>,
    /// Of each point, speed over the speed on the line: 1 is on it.
    pub residual_ratio: Vec<f64>,
    /// Points that stand out, by index: their externally studentised residual is beyond the 5 % point of Student's t
    /// with Bonferroni's correction for having looked at all points (Cook and Weisberg, "Residuals and Influence in
    /// Regression", 1982, section 2.2.2). Found, not left out. One point may mask another.
    pub outliers: Vec<usize>,
}

impl PowerLaw {
    /// Speed on the line at `size`.
    #[must_use]
    pub fn at(&self, size: f64) -> f64 {
        self.b * self.a.powf(-(size / self.x0).log2())
    }
}

/// Fits the law to all points.
///
/// # Errors
/// In words: fewer than two points, fewer than two sizes, a size or speed that is not a positive number.
pub fn power_law(points: &[Point]) -> Result<PowerLaw, String> {
    let usable = |value: f64| value.is_finite() && value > 0.0;
    if let Some(at) = points.iter().position(|p| !usable(p.size) || !usable(p.speed)) {
        return Err(format!("point {at} has no positive size and speed"));
    }
    let x0 = points.iter().map(|p| p.size).fold(f64::INFINITY, f64::min);
    let xs: Vec<f64> = points.iter().map(|p| (p.size / x0).log2()).collect();
    let ys: Vec<f64> = points.iter().map(|p| p.speed.log2()).collect();
    let line = Line::through(&xs, &ys)?;
    let freedom = points.len().saturating_sub(2);
    let a_ci95 = (freedom > 0).then(|| {
        let half = two_sided(0.05, freedom) * (line.residual_variance(freedom) / line.sxx).sqrt();
        [(-line.slope - half).exp2(), (-line.slope + half).exp2()]
    });
    let syy: f64 = ys.iter().map(|y| (y - line.mean_y).powi(2)).sum();
    Ok(PowerLaw {
        a: (-line.slope).exp2(),
        a_ci95,
        b: line.intercept().exp2(),
        x0,
        // Equal speeds have no variation to explain, but for the rounding of their logarithms.
        r_squared: (syy > 1e-20).then(|| (1.0 - line.residual_sum / syy).clamp(0.0, 1.0)),
        residual_ratio: line.residuals.iter().map(|residual| residual.exp2()).collect(),
        outliers: line.outliers(&xs),
    })
}

/// A least-squares line.
struct Line {
    slope: f64,
    mean_x: f64,
    mean_y: f64,
    sxx: f64,
    residuals: Vec<f64>,
    residual_sum: f64,
}

impl Line {
    fn through(xs: &[f64], ys: &[f64]) -> Result<Self, String> {
        let n = xs.len() as f64;
        if xs.len() < 2 {
            return Err(format!("{} points make no line", xs.len()));
        }
        let (mean_x, mean_y) = (xs.iter().sum::<f64>() / n, ys.iter().sum::<f64>() / n);
        let sxx: f64 = xs.iter().map(|x| (x - mean_x).powi(2)).sum();
        if sxx < 1e-12 {
            return Err("all points have the same size".into());
        }
        let sxy: f64 = xs.iter().zip(ys).map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
        let slope = sxy / sxx;
        let residuals: Vec<f64> = xs.iter().zip(ys).map(|(x, y)| y - (mean_y + slope * (x - mean_x))).collect();
        let residual_sum = residuals.iter().map(|r| r * r).sum();
        Ok(Self { slope, mean_x, mean_y, sxx, residuals, residual_sum })
    }

    /// At `x = 0`.
    fn intercept(&self) -> f64 {
        self.mean_y - self.slope * self.mean_x
    }

    fn residual_variance(&self, freedom: usize) -> f64 {
        self.residual_sum / freedom as f64
    }

    fn outliers(&self, xs: &[f64]) -> Vec<usize> {
        let n = xs.len();
        // Without the point there must be a residual left: two for the line, one more.
        if n < 4 {
            return Vec::new();
        }
        let freedom = n - 3;
        let limit = two_sided(0.05 / n as f64, freedom);
        let stands_out = |(x, residual): (&f64, &f64)| {
            let leverage = 1.0 / n as f64 + (x - self.mean_x).powi(2) / self.sxx;
            let free = 1.0 - leverage;
            // A point that alone fixes the line has no residual to judge.
            if free < 1e-9 {
                return false;
            }
            let without = (self.residual_sum - residual * residual / free).max(0.0) / freedom as f64;
            // Below this the rest lies on a line but for rounding: relative 1e-9 of a speed.
            let spread = (without * free).sqrt().max(1e-9);
            residual.abs() / spread > limit
        };
        xs.iter().zip(&self.residuals).enumerate().filter(|(_, pair)| stands_out(*pair)).map(|(at, _)| at).collect()
    }
}

/// Student's t that is exceeded in size with probability `tail`.
fn two_sided(tail: f64, freedom: usize) -> f64 {
    StudentsT::new(0.0, 1.0, freedom as f64).map_or(f64::NAN, |t| t.inverse_cdf(1.0 - tail / 2.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use proptest::prelude::*;

    const RSA: [f64; 5] = [1024.0, 2048.0, 3072.0, 4096.0, 7680.0];

    fn law(a: f64, b: f64, sizes: &[f64]) -> Vec<Point> {
        sizes.iter().map(|&size| Point { size, speed: b * a.powf(-(size / sizes[0]).log2()) }).collect()
    }

    /// Standard normal, from twelve uniforms less six (Irwin–Hall): tails beyond 3.4 are thin, which 5 % noise does
    /// not notice.
    fn normal(random: &mut Random) -> f64 {
        (0..12).map(|_| f64::from(random.below(u32::MAX)) / f64::from(u32::MAX)).sum::<f64>() - 6.0
    }

    #[test]
    fn an_exact_law_is_recovered() {
        for a in [2.0, 4.0, 8.0] {
            let fit = power_law(&law(a, 40_000.0, &RSA)).unwrap();
            assert!((fit.a - a).abs() < 1e-9 && (fit.b - 40_000.0).abs() < 1e-6, "{fit:?}");
            assert!((fit.at(2048.0) - 40_000.0 / a).abs() < 1e-6);
            assert!(fit.outliers.is_empty() && fit.r_squared.unwrap() > 1.0 - 1e-12);
        }
    }

    #[test]
    fn the_interval_covers_the_truth_as_often_as_it_says() {
        let mut random = Random::new(20_260_101, 7);
        let trials = 2_000;
        let mut covered = 0;
        for trial in 0..trials {
            let a = [2.0, 4.0, 8.0][trial % 3];
            let mut points = law(a, 1e5, &RSA);
            for point in &mut points {
                point.speed *= (0.05 * normal(&mut random)).exp();
            }
            let [low, high] = power_law(&points).unwrap().a_ci95.unwrap();
            covered += u32::from(low <= a && a <= high);
        }
        let share = f64::from(covered) / trials as f64;
        assert!((0.93..=0.97).contains(&share), "{share}");
    }

    #[test]
    fn a_curve_with_its_own_assembly_is_named() {
        // ECDSA sign of OpenSSL, about: P-224, P-256 (thrice as fast as its size says), P-384, P-521, and two more.
        let mut points = law(3.0, 20_000.0, &[192.0, 224.0, 256.0, 320.0, 384.0, 521.0]);
        for (at, noise) in [1.02, 0.99, 3.0, 1.01, 0.98, 1.01].iter().enumerate() {
            points[at].speed *= noise;
        }
        let fit = power_law(&points).unwrap();
        assert_eq!(fit.outliers, [2]);
        assert!(fit.residual_ratio[2] > 2.0);
    }

    #[test]
    fn noise_alone_is_seldom_an_outlier() {
        let mut random = Random::new(1, 1);
        let mut named = 0;
        for _ in 0..1_000 {
            let mut points = law(4.0, 1e4, &[1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0]);
            points.iter_mut().for_each(|point| point.speed *= (0.05 * normal(&mut random)).exp());
            named += usize::from(!power_law(&points).unwrap().outliers.is_empty());
        }
        // 5 % by construction; three standard deviations of 1,000 trials are 2 %.
        assert!((28..=72).contains(&named), "{named}");
    }

    #[test]
    fn what_makes_no_line_says_so() {
        let point = |size, speed| Point { size, speed };
        for (points, why) in [
            (vec![], "0 points"),
            (vec![point(1.0, 1.0)], "1 points"),
            (vec![point(2.0, 1.0), point(2.0, 3.0)], "same size"),
            (vec![point(1.0, 0.0), point(2.0, 3.0)], "point 0"),
            (vec![point(1.0, 1.0), point(f64::NAN, 3.0)], "point 1"),
        ] {
            let error = power_law(&points).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
        let two = power_law(&law(2.0, 8.0, &[1.0, 2.0])).unwrap();
        assert_eq!((two.a_ci95, two.outliers.len()), (None, 0));
        let flat = power_law(&law(1.0, 8.0, &[1.0, 2.0, 4.0])).unwrap();
        assert!((flat.a - 1.0).abs() < 1e-12 && flat.r_squared.is_none());
    }

    proptest! {
        #[test]
        fn any_positive_points_give_finite_numbers_or_an_error(
            points in prop::collection::vec((1e-3f64..1e9, 1e-3f64..1e12), 0..12),
        ) {
            let points: Vec<Point> = points.into_iter().map(|(size, speed)| Point { size, speed }).collect();
            if let Ok(fit) = power_law(&points) {
                prop_assert!(fit.a > 0.0 && fit.residual_ratio.len() == points.len());
                if let Some([low, high]) = fit.a_ci95 {
                    prop_assert!(low <= fit.a && fit.a <= high);
                }
            }
        }
    }
}
