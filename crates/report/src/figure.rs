//! Charts as values: what is drawn, not how. The SVG renderer and the page draw from the same model.

use crate::palette::Style;
use crate::units::Quantity;

mod bars;
pub(crate) mod distribution;
mod sizes;

pub(crate) use bars::ratios;

use crate::record::{Run, Sample};

/// A chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// File stem: `kem`, `sizes-aes-256-gcm-seal`, …
    pub id: String,
    /// The family it belongs to, or `all`.
    pub family: String,
    /// Heading.
    pub title: String,
    /// How to read it.
    pub subtitle: String,
    /// What is drawn.
    pub plot: Plot,
    /// What stands below: who was measured, what was found.
    pub notes: Vec<String>,
}

/// What is drawn.
#[derive(Debug, Clone, PartialEq)]
pub enum Plot {
    /// Horizontal bars or boxes in groups.
    Bars(Bars),
    /// Lines over a numeric axis.
    Lines(Lines),
}

/// How an axis maps values to places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Distances are differences. Starts at 0.
    Linear,
    /// Distances are ratios.
    Log,
}

/// What the places of an axis mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Domain {
    /// A quantity with units.
    Quantity(Quantity),
    /// Input sizes in bytes, powers of two.
    Bytes,
    /// Plain numbers with this unit behind them.
    Number {
        /// `bit`, `B`, or nothing.
        unit: &'static str,
        /// Ticks stand at the values themselves, because those are what people know: 2048, 3072, 4096.
        at_values: bool,
    },
}

/// An axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// What it shows, without unit.
    pub label: String,
    /// Meaning.
    pub domain: Domain,
    /// Scale.
    pub scale: Scale,
}

/// Horizontal bars, grouped.
#[derive(Debug, Clone, PartialEq)]
pub struct Bars {
    /// Of the values.
    pub axis: Axis,
    /// From top to bottom.
    pub groups: Vec<BarGroup>,
}

/// Bars under one heading.
#[derive(Debug, Clone, PartialEq)]
pub struct BarGroup {
    /// `ML-KEM-768 keygen`.
    pub label: String,
    /// From top to bottom.
    pub bars: Vec<Bar>,
}

/// One bar or box.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    /// The provider.
    pub label: String,
    /// Its look.
    pub style: Style,
    /// Its numbers.
    pub shape: Shape,
    /// The value in words, at the end of the line: `13.21 µs ★`.
    pub note: String,
}

/// The numbers of a bar.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape {
    /// A value with its interval.
    Value {
        /// Length.
        value: f64,
        /// Whisker.
        interval: Option<[f64; 2]>,
    },
    /// Quantiles 5, 25, 50, 75, 95 per cent.
    Box([f64; 5]),
    /// No number; the note says why.
    Absent,
}

/// Lines over a numeric axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Lines {
    /// Horizontal.
    pub x: Axis,
    /// Vertical.
    pub y: Axis,
    /// One per provider.
    pub series: Vec<Series>,
}

/// A line.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// The provider.
    pub label: String,
    /// Its look.
    pub style: Style,
    /// How its points are drawn.
    pub trace: Trace,
    /// In order of `x`.
    pub points: Vec<Point>,
    /// What stands beside each point; empty when nothing does.
    pub names: Vec<String>,
}

/// How the points of a line are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trace {
    /// Joined and marked.
    Joined,
    /// A value holds until the next point: distribution functions.
    Step,
    /// Marked, not joined.
    Marks,
    /// Joined, not marked: a fitted law.
    Curve,
}

/// A point of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Place.
    pub x: f64,
    /// Value.
    pub y: f64,
    /// 95 % interval of the value.
    pub interval: Option<[f64; 2]>,
    /// [`crate::view::is_disturbed`]
    pub disturbed: bool,
}

/// Largest ratio of values that a linear axis still shows well.
const LINEAR_UP_TO: f64 = 25.0;

/// The scale on which all of `values` can be seen.
pub(crate) fn scale_for(values: impl IntoIterator<Item = f64>) -> Scale {
    scale_beyond(LINEAR_UP_TO, values)
}

/// Logarithmic where the greatest of `values` is more than `limit` times the least.
pub(crate) fn scale_beyond(limit: f64, values: impl IntoIterator<Item = f64>) -> Scale {
    let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
    for value in values {
        if value > 0.0 && value.is_finite() {
            least = least.min(value);
            most = most.max(value);
        }
    }
    if least.is_finite() && most / least > limit { Scale::Log } else { Scale::Linear }
}

/// All charts of a run: times by family, throughput by size, distributions (when there are samples).
#[must_use]
pub fn all(run: &Run, samples: Option<&[Sample]>) -> Vec<Figure> {
    let mut figures = bars::times(run);
    figures.extend(sizes::throughput(run));
    if let Some(samples) = samples {
        figures.extend(distribution::figures(run, samples));
    }
    unique_ids(&mut figures);
    figures
}

/// Lower-case words joined by `-`, safe as a file name.
pub(crate) fn slug(text: &str) -> String {
    let mut slug = String::new();
    for character in text.chars() {
        if character.is_ascii_alphanumeric() {
            slug.push(character.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
        if slug.len() == 80 {
            break;
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { "unnamed".into() } else { slug.to_owned() }
}

/// Two names may give one slug; file names must differ.
fn unique_ids(figures: &mut [Figure]) {
    let mut seen = std::collections::HashSet::new();
    for figure in figures {
        let stem = figure.id.clone();
        let mut number = 2;
        while !seen.insert(figure.id.clone()) {
            figure.id = format!("{stem}-{number}");
            number += 1;
        }
    }
}
