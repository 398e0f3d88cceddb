//! Decimal numbers as the tool prints them, with what rounding hides.

/// A printed number and half a unit of its last digit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Printed {
    pub value: f64,
    pub half: f64,
}

impl Printed {
    /// Digits, at most one point. No sign, no exponent, no `inf`, no `nan`.
    pub fn parse(text: &str) -> Option<Self> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || text.ends_with('.') || text.len() > 24 || !digits(whole) || !digits(fraction) {
            return None;
        }
        let decimals = i32::try_from(fraction.len()).ok()?;
        Some(Self { value: text.parse().ok()?, half: 0.5 * 10f64.powi(-decimals) })
    }

    fn scaled(self, factor: f64) -> Self {
        Self { value: self.value * factor, half: self.half * factor }
    }
}

/// Operations per second, and the interval that the printed digits leave.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rate {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

impl Rate {
    /// From a printed rate. `None` when it is 0: nothing was measured.
    pub fn of_rate(printed: Printed) -> Option<Self> {
        let Printed { value, half } = printed;
        (value > 0.0).then_some(Self { value, low: (value - half).max(0.0), high: value + half })
    }

    /// From printed bytes (or, with `thousands`, 1000s of bytes) per second over `size` bytes.
    pub fn of_bytes(printed: Printed, thousands: bool, size: u64) -> Option<Self> {
        let factor = if thousands { 1000.0 } else { 1.0 };
        if size == 0 { None } else { Self::of_rate(printed.scaled(factor / size as f64)) }
    }

    /// From printed seconds per operation. Digits that are all 0 leave only a lower end, and no value.
    pub fn of_seconds(printed: Printed) -> Self {
        let Printed { value, half } = printed;
        let high = if value > half { 1.0 / (value - half) } else { f64::INFINITY };
        Self { value: 1.0 / value, low: 1.0 / (value + half), high }
    }

    /// The better known of the two; `None` when they contradict each other.
    pub fn both(rate: Option<Self>, seconds: Self) -> Option<Self> {
        let Some(rate) = rate else {
            // A rate of 0.0 is one that is below 0.05.
            return (seconds.value.is_finite() && seconds.low <= 0.05).then_some(seconds);
        };
        if !rate.meets(&seconds) {
            return None;
        }
        let doubt = |rate: &Self| (rate.high - rate.low) / rate.value;
        let better = seconds.value.is_finite() && seconds.high.is_finite() && doubt(&seconds) < doubt(&rate);
        Some(if better { seconds } else { rate })
    }

    /// Whether one number may have been printed as both.
    pub fn meets(&self, other: &Self) -> bool {
        let slack = 1.0 + 1e-9;
        self.low <= other.high * slack && other.low <= self.high * slack
    }

    /// Several processes together.
    pub fn sum(rates: &[Self]) -> Self {
        rates.iter().fold(Self { value: 0.0, low: 0.0, high: 0.0 }, |sum, rate| Self {
            value: sum.value + rate.value,
            low: sum.low + rate.low,
            high: sum.high + rate.high,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Printed, Rate};

    #[test]
    fn only_plain_decimals_are_numbers() {
        for wrong in ["", ".", ".5", "5.", "-1", "+1", "1e9", "inf", "nan", "1.2.3", "1,5", "0x10", "١", "1 "] {
            assert_eq!(Printed::parse(wrong), None, "{wrong}");
        }
        assert_eq!(Printed::parse(&"9".repeat(25)), None);
        let one = Printed::parse("8.10").unwrap();
        assert!((one.value - 8.1).abs() < 1e-12 && (one.half - 0.005).abs() < 1e-12);
    }

    #[test]
    fn of_a_rate_and_a_time_the_better_known_is_taken() {
        let rate = |text| Rate::of_rate(Printed::parse(text).unwrap());
        let seconds = |text| Rate::of_seconds(Printed::parse(text).unwrap());
        assert!((Rate::both(rate("0.1"), seconds("11.820000")).unwrap().value - 1.0 / 11.82).abs() < 1e-12);
        assert!((Rate::both(rate("61741.0"), seconds("0.000016")).unwrap().value - 61741.0).abs() < 1e-9);
        assert!((Rate::both(rate("0.0"), seconds("47.210000")).unwrap().value - 1.0 / 47.21).abs() < 1e-12);
        assert_eq!(Rate::both(rate("500.0"), seconds("0.000016")), None, "they contradict each other");
        assert_eq!(Rate::both(rate("0.0"), seconds("0.0000")), None, "neither says anything");
    }
}
