//! Samples as a series in time: do neighbours resemble each other, and does the level move?

use super::{Sorted, median};

/// Fewest samples of a process whose autocorrelation is taken; with fewer, its standard error 1/sqrt(n) is more than a third.
pub const FEWEST_FOR_AUTOCORRELATION: usize = 8;

/// Fewest samples of a process whose drift is judged: five in each third.
pub const FEWEST_FOR_DRIFT: usize = 15;

/// Standard errors by which the thirds must differ to be called drift; by chance in one of 370 series of normal noise.
pub const DRIFT_STANDARD_ERRORS: f64 = 3.0;

/// Relative difference below which the thirds are not called different, however small the noise: half of the 1 % that a comparison
/// is meant to find.
pub const DRIFT_FLOOR: f64 = 0.005;

/// MAD to standard deviation, and standard error of a median in units of that of a mean, for normal noise: 1/0.67449 and sqrt(pi/2).
const SIGMA_PER_MAD: f64 = 1.4826;
const MEDIAN_PER_MEAN: f64 = 1.253_314;

/// Lag-1 autocorrelation within processes, each about its own mean: the sum over processes of products of neighbours over the sum of squares
/// (Box, Jenkins and Reinsel, "Time Series Analysis", chapter 2, pooled).
///
/// # Errors
/// A process with fewer than [`FEWEST_FOR_AUTOCORRELATION`] samples; samples that do not vary.
pub fn autocorrelation(processes: &[&[f64]]) -> Result<f64, String> {
    enough(processes, FEWEST_FOR_AUTOCORRELATION, "autocorrelation")?;
    let (mut products, mut squares) = (0.0, 0.0);
    for samples in processes {
        let mean = samples.iter().sum::<f64>() / samples.len() as f64;
        squares += samples.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
        products += samples.iter().zip(samples.iter().skip(1)).map(|(a, b)| (a - mean) * (b - mean)).sum::<f64>();
    }
    if squares <= 0.0 {
        return Err("all samples of a process are equal: nothing to correlate".into());
    }
    Ok(products / squares)
}

/// Whether the last third of the samples differs from the first by more than the noise, over all processes together.
///
/// Each process is divided by its own median. The medians of all first and of all last thirds are compared: drift is a difference of more
/// than [`DRIFT_STANDARD_ERRORS`] standard errors, the noise taken from the MAD of each third about its own median, and of more than
/// [`DRIFT_FLOOR`]. Medians and MAD, so that a few disturbed samples neither make nor hide a drift.
///
/// # Errors
/// A process with fewer than [`FEWEST_FOR_DRIFT`] samples, or with a median that is not positive.
pub fn drift(processes: &[&[f64]]) -> Result<bool, String> {
    enough(processes, FEWEST_FOR_DRIFT, "drift")?;
    let (mut first, mut last) = (Vec::new(), Vec::new());
    for samples in processes {
        let centre =
            median(samples).filter(|&centre| centre > 0.0).ok_or("a process has a median that is not positive")?;
        let third = samples.len() / 3;
        first.extend(samples.iter().take(third).map(|value| value / centre));
        last.extend(samples.iter().rev().take(third).map(|value| value / centre));
    }
    let (first, last) = (Sorted::new(&first)?, Sorted::new(&last)?);
    let difference = (last.median() - first.median()).abs();
    let sigma = SIGMA_PER_MAD * f64::midpoint(first.mad(), last.mad());
    let standard_error = MEDIAN_PER_MEAN * sigma * (1.0 / first.len() as f64 + 1.0 / last.len() as f64).sqrt();
    Ok(difference > DRIFT_FLOOR && difference > DRIFT_STANDARD_ERRORS * standard_error)
}

fn enough(processes: &[&[f64]], fewest: usize, what: &str) -> Result<(), String> {
    match processes.iter().map(|samples| samples.len()).min() {
        None => Err("there are no samples".into()),
        Some(n) if n < fewest => Err(format!("{what} needs {fewest} samples of each process; one has {n}")),
        Some(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Near-normal noise (sum of 12 uniform numbers) of standard deviation `sigma` around `level(i)`.
    fn noise(seed: u64, n: usize, sigma: f64, level: impl Fn(usize) -> f64) -> Vec<f64> {
        let mut random = Random::new(seed, 1);
        let mut normal = || (0..12).map(|_| f64::from(random.below(1 << 30)) / f64::from(1 << 30)).sum::<f64>() - 6.0;
        (0..n).map(|i| level(i) * (1.0 + sigma * normal())).collect()
    }

    #[test]
    fn autocorrelation_by_hand() {
        // 1 … 8, mean 4.5: squares 42; products of neighbours 8.75 + 3.75 + 0.75 - 0.25 + 0.75 + 3.75 + 8.75 = 26.25.
        let ramp: Vec<f64> = (1..=8).map(f64::from).collect();
        assert!((autocorrelation(&[&ramp]).unwrap() - 26.25 / 42.0).abs() < 1e-12);
        // 1, 2, 1, 2, …: seven products of -1/4 over eight squares of 1/4.
        let alternating = [1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 1.0, 2.0];
        assert!((autocorrelation(&[&alternating]).unwrap() + 7.0 / 8.0).abs() < 1e-12);
        // A difference between processes is no autocorrelation within them.
        let shifted = alternating.map(|value| value + 1_000.0);
        assert!((autocorrelation(&[&alternating, &shifted]).unwrap() + 7.0 / 8.0).abs() < 1e-9);
    }

    #[test]
    fn a_ramp_and_a_step_are_drift() {
        let ramp = noise(1, 60, 0.01, |i| 100.0 * (1.0 + 0.001 * i as f64));
        assert_eq!(drift(&[&ramp]), Ok(true));
        let step = noise(2, 60, 0.01, |i| if i < 30 { 100.0 } else { 97.0 });
        assert_eq!(drift(&[&step]), Ok(true));
    }

    #[test]
    fn a_small_drift_shows_when_all_processes_have_it() {
        let ramps: Vec<Vec<f64>> = (0..8).map(|p| noise(p, 33, 0.02, |i| 100.0 * (1.0 + 0.001 * i as f64))).collect();
        let all: Vec<&[f64]> = ramps.iter().map(Vec::as_slice).collect();
        assert_eq!(drift(&all), Ok(true));
    }

    #[test]
    fn noise_disturbed_samples_and_process_levels_are_not_drift() {
        let found = (0..200).filter(|&seed| drift(&[&noise(seed, 60, 0.02, |_| 100.0)]) == Ok(true)).count();
        // 0.27 % are expected of normal noise with a known sigma; an estimated one gives some more.
        assert!(found <= 6, "{found} of 200 steady series called drifting");
        let mut disturbed = noise(3, 60, 0.01, |_| 100.0);
        for value in disturbed.iter_mut().rev().take(6) {
            *value *= 20.0;
        }
        assert_eq!(drift(&[&disturbed]), Ok(false));
        assert_eq!(drift(&[&noise(4, 30, 0.01, |_| 100.0), &noise(5, 30, 0.01, |_| 130.0)]), Ok(false));
    }

    #[test]
    fn without_noise_the_floor_decides() {
        let level = |last: f64| [vec![100.0; 20], vec![last; 20]].concat();
        assert_eq!(drift(&[&level(100.4)]), Ok(false));
        assert_eq!(drift(&[&level(101.0)]), Ok(true));
        assert_eq!(drift(&[&vec![5.0; 40]]), Ok(false));
    }

    #[test]
    fn too_little_says_so() {
        assert!(autocorrelation(&[]).unwrap_err().contains("no samples"));
        assert!(autocorrelation(&[&[1.0; 7]]).unwrap_err().contains("needs 8"));
        assert!(autocorrelation(&[&[1.0; 9]]).unwrap_err().contains("equal"));
        assert!(drift(&[&[1.0; 20], &[1.0; 14]]).unwrap_err().contains("one has 14"));
        assert!(drift(&[&[0.0; 20]]).unwrap_err().contains("not positive"));
    }
}
