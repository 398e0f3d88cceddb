//! Numbers for people: scaled units and significant digits.

/// A unit and how many base units it holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unit {
    /// As it is written: `µs`, `MB/s`, …
    pub symbol: &'static str,
    /// Base units (nanoseconds, bytes per second, …) in one of these.
    pub base: f64,
}

/// What a number measures; decides its units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quantity {
    /// Nanoseconds.
    Time,
    /// Bytes per second; decimal multiples.
    Rate,
    /// Operations per second.
    Speed,
    /// A quotient without unit.
    Ratio,
    /// Per cent.
    Percent,
}

const TIME: [Unit; 4] = [
    Unit { symbol: "ns", base: 1.0 },
    Unit { symbol: "µs", base: 1e3 },
    Unit { symbol: "ms", base: 1e6 },
    Unit { symbol: "s", base: 1e9 },
];

const RATE: [Unit; 5] = [
    Unit { symbol: "B/s", base: 1.0 },
    Unit { symbol: "kB/s", base: 1e3 },
    Unit { symbol: "MB/s", base: 1e6 },
    Unit { symbol: "GB/s", base: 1e9 },
    Unit { symbol: "TB/s", base: 1e12 },
];

const SPEED: [Unit; 4] = [
    Unit { symbol: "op/s", base: 1.0 },
    Unit { symbol: "k op/s", base: 1e3 },
    Unit { symbol: "M op/s", base: 1e6 },
    Unit { symbol: "G op/s", base: 1e9 },
];

const RATIO: [Unit; 1] = [Unit { symbol: "×", base: 1.0 }];
const PERCENT: [Unit; 1] = [Unit { symbol: "%", base: 1.0 }];

impl Quantity {
    /// The units of this quantity, smallest first.
    #[must_use]
    pub fn units(self) -> &'static [Unit] {
        match self {
            Self::Time => &TIME,
            Self::Rate => &RATE,
            Self::Speed => &SPEED,
            Self::Ratio => &RATIO,
            Self::Percent => &PERCENT,
        }
    }

    /// The largest unit in which `value` (base units) is at least 1; the smallest unit below that.
    #[must_use]
    pub fn unit(self, value: f64) -> Unit {
        let units = self.units();
        let fitting = units.iter().rev().find(|unit| value.abs() >= unit.base * 0.9995);
        fitting.or(units.first()).copied().unwrap_or(Unit { symbol: "", base: 1.0 })
    }

    /// One unit for values that stand below each other, in which none has more than five digits before the point or is
    /// below 0.1: that of their median, or the nearest to it. `None` where their range forbids that: then each value needs
    /// a unit of its own.
    #[must_use]
    pub fn column_unit(self, values: impl IntoIterator<Item = f64>) -> Option<Unit> {
        let mut sorted: Vec<f64> =
            values.into_iter().filter(|value| value.is_finite()).map(f64::abs).filter(|value| *value > 0.0).collect();
        sorted.sort_by(f64::total_cmp);
        let usual = self.unit(sorted.get(sorted.len() / 2).copied().unwrap_or(0.0));
        let (Some(least), Some(most)) = (sorted.first(), sorted.last()) else { return Some(usual) };
        let mut units = self.units().to_vec();
        if let [only] = units.as_slice() {
            return Some(*only);
        }
        let distance = |unit: &Unit| (unit.base / usual.base).ln().abs();
        units.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
        let smallest = self.units().first().map_or(1.0, |unit| unit.base);
        // What is below 0.1 in the smallest unit has no better one.
        units
            .into_iter()
            .find(|unit| most / unit.base < 99_999.5 && (least / unit.base >= 0.099_995 || unit.base <= smallest))
    }

    /// One unit for values that stand beside each other: that of the smallest, unless the largest would then have
    /// more than five digits before the point; then that of their geometric middle.
    #[must_use]
    pub fn common_unit(self, values: impl IntoIterator<Item = f64>) -> Unit {
        let mut least = f64::INFINITY;
        let mut most: f64 = 0.0;
        for value in values {
            let value = value.abs();
            if value.is_finite() && value > 0.0 {
                least = least.min(value);
                most = most.max(value);
            }
        }
        if !least.is_finite() {
            return self.unit(0.0);
        }
        let unit = self.unit(least);
        if most / unit.base < 1e5 { unit } else { self.unit((least * most).sqrt()) }
    }
}

/// Digits after the point that give `value` the wanted number of significant digits.
#[must_use]
pub fn decimals(value: f64, significant: u8) -> usize {
    if value == 0.0 || !value.is_finite() {
        return 0;
    }
    // Rounding may carry into the next decade: 9.9996 with four digits is 10.00.
    let magnitude = magnitude(value);
    let places = places(magnitude, significant);
    let scale = 10_f64.powi(places);
    let carried = self::magnitude((value.abs() * scale).round() / scale);
    usize::try_from(self::places(carried, significant)).unwrap_or(0)
}

fn magnitude(value: f64) -> i32 {
    // A double's decimal exponent lies within ±400.
    #[allow(clippy::cast_possible_truncation)]
    let exponent = value.abs().log10().floor() as i32;
    exponent
}

fn places(magnitude: i32, significant: u8) -> i32 {
    (i32::from(significant) - 1 - magnitude).clamp(0, 12)
}

/// `value` with the given number of significant digits, without exponent.
#[must_use]
pub fn significant(value: f64, digits: u8) -> String {
    if value.is_finite() { format!("{value:.*}", decimals(value, digits)) } else { "–".into() }
}

/// `1184` → `1,184`.
#[must_use]
pub fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A buffer size with binary multiples where they are whole: `16 B`, `1 KiB`, `1400 B`, `64 KiB`.
#[must_use]
pub fn buffer_size(bytes: u64) -> String {
    const MEBI: u64 = 1 << 20;
    match bytes {
        b if b >= MEBI && b % MEBI == 0 => format!("{} MiB", b / MEBI),
        b if b >= 1024 && b % 1024 == 0 => format!("{} KiB", b / 1024),
        b => format!("{b} B"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Quantity, buffer_size, grouped, significant};

    #[test]
    fn significant_digits_survive_rounding_into_the_next_decade() {
        assert_eq!(significant(13.2149, 4), "13.21");
        assert_eq!(significant(9.9996, 4), "10.00");
        assert_eq!(significant(0.012_345_6, 4), "0.01235");
        assert_eq!(significant(123_456.7, 4), "123457");
        assert_eq!(significant(999.96, 4), "1000");
        assert_eq!(significant(0.0, 4), "0");
        assert_eq!(significant(-2.5, 3), "-2.50");
        assert_eq!(significant(f64::NAN, 4), "–");
    }

    #[test]
    fn unit_is_the_largest_that_fits() {
        assert_eq!(Quantity::Time.unit(999.0).symbol, "ns");
        assert_eq!(Quantity::Time.unit(999.9).symbol, "µs");
        assert_eq!(Quantity::Time.unit(2.5e9).symbol, "s");
        assert_eq!(Quantity::Time.unit(0.0).symbol, "ns");
        assert_eq!(Quantity::Rate.unit(4.4e9).symbol, "GB/s");
    }

    #[test]
    fn values_side_by_side_share_a_unit() {
        assert_eq!(Quantity::Time.common_unit([800.0, 40_000.0]).symbol, "ns");
        assert_eq!(Quantity::Time.common_unit([13_000.0, 150_000.0]).symbol, "µs");
        assert_eq!(Quantity::Time.common_unit([13.0, 150e6]).symbol, "µs");
        assert_eq!(Quantity::Time.common_unit([]).symbol, "ns");
    }

    #[test]
    fn a_column_has_the_unit_of_its_median_where_all_can_be_read_in_it() {
        let symbol =
            |quantity: Quantity, values: &[f64]| quantity.column_unit(values.iter().copied()).map(|unit| unit.symbol);
        assert_eq!(symbol(Quantity::Time, &[800.0, 40_000.0, 50_000.0]), Some("µs"));
        assert_eq!(symbol(Quantity::Time, &[f64::NAN]), Some("ns"));
        // 0.09706 GB/s would be hard to read.
        assert_eq!(symbol(Quantity::Rate, &[97.06e6, 2e9, 4e9]), Some("MB/s"));
        // 412000 µs too.
        assert_eq!(symbol(Quantity::Time, &[412e6, 900e3, 800e3]), Some("ms"));
        // No unit holds both 13 ns and 90 ms.
        assert_eq!(symbol(Quantity::Time, &[13.0, 40_000.0, 50_000.0, 90e6]), None);
        assert_eq!(symbol(Quantity::Time, &[0.004, 0.9]), Some("ns"));
        assert_eq!(symbol(Quantity::Ratio, &[0.01, 1.0, 1e7]), Some("×"));
    }

    #[test]
    fn sizes_are_whole() {
        assert_eq!(buffer_size(16), "16 B");
        assert_eq!(buffer_size(1400), "1400 B");
        assert_eq!(buffer_size(65_536), "64 KiB");
        assert_eq!(grouped(1_357_824), "1,357,824");
        assert_eq!(grouped(800), "800");
    }
}
