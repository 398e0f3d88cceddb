//! From values to places, and the ticks between.

use super::text::width;
use crate::figure::{Axis, Domain, Scale};
use crate::units::{buffer_size, significant};

/// An axis on the picture.
pub(super) struct Ruler {
    domain: Domain,
    scale: Scale,
    low: f64,
    high: f64,
    /// Place of `low`.
    start: f64,
    /// Place of `high`.
    end: f64,
}

/// A tick: where, and what stands there (nothing when there is no room).
pub(super) struct Tick {
    /// Place on the picture.
    pub(super) place: f64,
    /// `10 µs`.
    pub(super) label: String,
}

/// Steps of a decade at which axes begin and end.
const STEPS: [f64; 3] = [1.0, 2.0, 5.0];

impl Ruler {
    /// An axis that shows all of `values` between two places. `from_zero`: a linear axis starts at 0 (bars), not at the
    /// smallest value.
    pub(super) fn new(axis: &Axis, values: &[f64], from_zero: bool, start: f64, end: f64) -> Self {
        // Values that no clock can give are shown at the edge instead of stretching the axis out of shape.
        let usable = |value: &f64| value.is_finite() && *value > 1e-6 && *value < 1e18;
        let mut low = values.iter().copied().filter(usable).fold(f64::INFINITY, f64::min);
        let mut high = values.iter().copied().filter(usable).fold(0.0, f64::max);
        if !low.is_finite() {
            (low, high) = (1.0, 10.0);
        }
        match (axis.scale, axis.domain) {
            (Scale::Log, Domain::Bytes) => {}
            (Scale::Log, Domain::Number { at_values: true, .. }) => (low, high) = (low * 0.93, high * 1.08),
            (Scale::Log, Domain::Quantity(_) | Domain::Number { .. }) => {
                low = step_below(low * if from_zero { 0.72 } else { 0.97 });
                high = step_above(high * 1.02);
            }
            (Scale::Linear, _) => {
                let step = step_above((high - if from_zero { 0.0 } else { low }).max(high * 1e-6) / 8.0);
                low = if from_zero { 0.0 } else { (low / step).floor() * step };
                high = (high / step).ceil() * step;
            }
        }
        if high <= low {
            high = low * 2.0 + 1.0;
        }
        Self { domain: axis.domain, scale: axis.scale, low, high, start, end }
    }

    /// Exactly from `low` to `high`.
    pub(super) fn fixed(axis: &Axis, low: f64, high: f64, start: f64, end: f64) -> Self {
        Self { domain: axis.domain, scale: axis.scale, low, high, start, end }
    }

    /// The place of a value, kept on the axis.
    pub(super) fn place(&self, value: f64) -> f64 {
        let share = match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Log => (value.max(self.low) / self.low).ln() / (self.high / self.low).ln(),
        };
        let share = if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) };
        self.start + share * (self.end - self.start)
    }

    /// Where the axis begins.
    pub(super) fn origin(&self) -> f64 {
        self.start
    }

    /// Ticks along a horizontal axis; labels that would touch each other are left away.
    pub(super) fn ticks(&self, size: f64) -> Vec<Tick> {
        self.spaced(|label| width(label, size) + 14.0)
    }

    /// Ticks along a vertical axis.
    pub(super) fn ticks_upwards(&self, size: f64) -> Vec<Tick> {
        self.spaced(|_| size + 10.0)
    }

    /// Ticks at the given values instead of round ones.
    pub(super) fn ticks_at(&self, values: &[f64], size: f64) -> Vec<Tick> {
        thinned(values.iter().map(|value| self.tick(*value, 1.0)).collect(), |label| width(label, size) + 14.0)
    }

    fn spaced(&self, room: impl Fn(&str) -> f64) -> Vec<Tick> {
        let values = match self.scale {
            Scale::Linear => {
                let step = step_above((self.high - self.low) / 7.0);
                let ticks = series(|index| self.low + f64::from(index) * step, self.high);
                return thinned(ticks.iter().map(|value| self.tick(*value, step)).collect(), room);
            }
            Scale::Log => {
                let decades = (self.high / self.low).log10();
                let steps: &[f64] = if decades <= 3.0 { &STEPS } else { &[1.0] };
                // The span of an axis is bounded, see `new`.
                #[allow(clippy::cast_possible_truncation)]
                let first = self.low.log10().floor() as i32;
                #[allow(clippy::cast_possible_truncation)]
                let last = self.high.log10().ceil() as i32;
                let all = (first..=last).flat_map(|decade| steps.iter().map(move |step| step * 10_f64.powi(decade)));
                all.filter(|v| *v >= self.low * 0.999 && *v <= self.high * 1.001).collect::<Vec<f64>>()
            }
        };
        thinned(values.iter().map(|value| self.tick(*value, *value)).collect(), room)
    }

    fn tick(&self, value: f64, step: f64) -> Tick {
        let label = match self.domain {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // sizes came from u64
            Domain::Bytes => buffer_size(value as u64),
            Domain::Number { unit, .. } => {
                let number = if self.scale == Scale::Linear { with_step(value, step) } else { plain(value) };
                if unit.is_empty() { number } else { format!("{number} {unit}") }
            }
            Domain::Quantity(quantity) => {
                // On a linear axis all ticks share the unit of its end.
                let unit = quantity.unit(if self.scale == Scale::Linear { self.high } else { value });
                let scaled = value / unit.base;
                let number =
                    if self.scale == Scale::Linear { with_step(scaled, step / unit.base) } else { plain(scaled) };
                match unit.symbol {
                    "×" | "%" => format!("{number}{}", unit.symbol),
                    symbol => format!("{number} {symbol}"),
                }
            }
        };
        Tick { place: self.place(value), label }
    }
}

/// At most a thousand values from a rule, up to `high`.
fn series(at: impl Fn(u16) -> f64, high: f64) -> Vec<f64> {
    (0..1000).map(at).take_while(|value| *value <= high * 1.0001).collect()
}

/// As many decimals as the step needs.
fn with_step(value: f64, step: f64) -> String {
    let places = (0..6_u8).find(|places| {
        let scaled = step * 10_f64.powi(i32::from(*places));
        (scaled - scaled.round()).abs() < 1e-6
    });
    format!("{value:.*}", usize::from(places.unwrap_or(6)))
}

/// A round number without superfluous zeros.
fn plain(value: f64) -> String {
    let text = significant(value, 3);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// Empties the labels that would come too close to one that stays.
fn thinned(mut ticks: Vec<Tick>, room: impl Fn(&str) -> f64) -> Vec<Tick> {
    let mut taken: Option<(f64, f64)> = None;
    for tick in &mut ticks {
        let half = room(&tick.label) / 2.0;
        match taken {
            Some((place, before)) if (tick.place - place).abs() < half + before => tick.label.clear(),
            _ => taken = Some((tick.place, half)),
        }
    }
    ticks
}

/// The largest of 1, 2, 5 · 10^k that is not above `value`.
fn step_below(value: f64) -> f64 {
    let decade = 10_f64.powf(value.log10().floor());
    let found = STEPS.iter().rev().map(|step| step * decade).find(|step| *step <= value * 1.000_001);
    found.unwrap_or(decade)
}

/// The smallest of 1, 2, 5 · 10^k that is not below `value`.
fn step_above(value: f64) -> f64 {
    let decade = 10_f64.powf(value.log10().floor());
    let found = STEPS.iter().map(|step| step * decade).find(|step| *step >= value * 0.999_999);
    found.unwrap_or(decade * 10.0)
}

#[cfg(test)]
mod tests {
    use super::{Ruler, step_above, step_below};
    use crate::figure::{Axis, Domain, Scale};
    use crate::units::Quantity;

    fn axis(scale: Scale) -> Axis {
        Axis { label: "time".into(), domain: Domain::Quantity(Quantity::Time), scale }
    }

    fn labels(ruler: &Ruler) -> Vec<String> {
        ruler.ticks(12.0).into_iter().map(|tick| tick.label).filter(|label| !label.is_empty()).collect()
    }

    #[test]
    fn linear_ticks_start_at_zero_and_share_a_unit() {
        let ruler = Ruler::new(&axis(Scale::Linear), &[13_000.0, 148_000.0], true, 0.0, 700.0);
        assert_eq!(labels(&ruler), ["0 µs", "50 µs", "100 µs", "150 µs"]);
        assert!(ruler.place(148_000.0) < 700.0 && ruler.place(0.0) == 0.0);
    }

    #[test]
    fn log_ticks_have_their_own_units_and_hold_all_values() {
        let ruler = Ruler::new(&axis(Scale::Log), &[800.0, 2.1e9], true, 0.0, 700.0);
        assert_eq!(labels(&ruler), ["1 µs", "10 µs", "100 µs", "1 ms", "10 ms", "100 ms", "1 s"]);
        assert!(ruler.place(800.0) > 0.0, "the smallest bar is visible");
        assert!((ruler.place(1e5) - ruler.place(1e4) - (ruler.place(1e4) - ruler.place(1e3))).abs() < 1e-9);
    }

    #[test]
    fn nonsense_values_keep_the_axis_finite() {
        for scale in [Scale::Linear, Scale::Log] {
            let ruler = Ruler::new(&axis(scale), &[f64::NAN, f64::INFINITY, -3.0, 0.0, 1e300], true, 0.0, 700.0);
            assert!(ruler.place(f64::NAN).is_finite() && ruler.ticks(12.0).len() < 50);
        }
    }

    #[test]
    fn steps_are_one_two_five() {
        assert!((step_above(0.13) - 0.2).abs() < 1e-12 && (step_below(0.13) - 0.1).abs() < 1e-12);
        assert!((step_above(600.0) - 1000.0).abs() < 1e-9 && (step_below(600.0) - 500.0).abs() < 1e-9);
    }
}
