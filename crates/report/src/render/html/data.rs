//! The data of the page's charts, as JSON that cannot end its script element.

use crate::RenderError;
use crate::figure::distribution::{Sorted, quantile};
use crate::group::{Key, Standing, groups, is_null_provider};
use crate::palette::{Marker, Palette, Style};
use crate::record::{Mode, Row, Run, Sample, Status};
use crate::view::pivot::provider_order;
use serde::Serialize;
use std::collections::HashMap;
use std::fmt::Write;

/// Points of a distribution function on the page.
const STEPS: u32 = 60;

/// The providers' colours as variables of the style sheet.
#[derive(Default)]
pub(super) struct Look {
    order: Vec<String>,
    styles: Vec<Style>,
}

impl Look {
    /// The looks of a run's providers; the `null` control comes last.
    pub(super) fn of(run: &Run) -> Self {
        let palette = Palette::of(run);
        let mut order = provider_order(run);
        for id in run.rows.iter().map(|row| &row.provider) {
            if is_null_provider(id) && !order.contains(id) {
                order.push(id.clone());
            }
        }
        let styles = order.iter().map(|id| palette.style(id)).collect();
        Self { order, styles }
    }

    /// `--p0`, `--p1`, … for light and dark.
    pub(super) fn variables(&self) -> String {
        let list = |colour: &dyn Fn(&Style) -> &'static str| {
            self.styles.iter().enumerate().fold(String::new(), |mut out, (index, style)| {
                let _ = write!(out, "--p{index}:{};", colour(style));
                out
            })
        };
        format!(
            ":root{{{}}}\n@media (prefers-color-scheme: dark){{:root{{{}}}}}\n",
            list(&|style| style.light),
            list(&|style| style.dark)
        )
    }

    /// A small square in the provider's colour.
    pub(super) fn swatch(&self, provider: &str) -> String {
        match self.order.iter().position(|id| id == provider) {
            Some(index) => format!("<span class=\"swatch\" style=\"background:var(--p{index})\"></span>"),
            None => String::new(),
        }
    }
}

#[derive(Serialize)]
struct Data<'r> {
    providers: Vec<Provider<'r>>,
    rows: Vec<Entry<'r>>,
}

#[derive(Serialize)]
struct Provider<'r> {
    id: &'r str,
    marker: &'static str,
    dash: &'static str,
}

/// A row of the charts, in the order of the full table.
#[derive(Serialize)]
struct Entry<'r> {
    provider: &'r str,
    family: &'r str,
    algorithm: &'r str,
    operation: String,
    size: Option<u64>,
    mode: Mode,
    status: Status,
    reason: Option<&'r str>,
    n: u64,
    median: Option<f64>,
    ci: Option<[f64; 2]>,
    p95: Option<f64>,
    p99: Option<f64>,
    disturbed: Option<f64>,
    ratio: Option<f64>,
    standing: Option<Standing>,
    /// Throughput over sizes may be drawn.
    sized: bool,
    /// Quantiles of the samples at 0, 1/60, … 59/60 and 0.999, three significant digits more than can be seen.
    quantiles: Option<Vec<f64>>,
}

/// The JSON text.
pub(super) fn json(run: &Run, samples: Option<&[Sample]>, look: &Look) -> Result<String, RenderError> {
    let sorted = samples.map(Sorted::new);
    let grouped = groups(run);
    let places: HashMap<&str, (f64, Standing)> = grouped
        .iter()
        .flat_map(|group| group.ranked.iter())
        .map(|member| (member.row.id.as_str(), (member.ratio, member.standing)))
        .collect();
    let providers = look.order.iter().zip(&look.styles);
    let data = Data {
        providers: providers
            .map(|(id, style)| Provider { id, marker: marker(style.marker), dash: style.dash })
            .collect(),
        rows: run.rows.iter().map(|row| entry(row, places.get(row.id.as_str()), sorted.as_ref())).collect(),
    };
    let text = serde_json::to_string(&data).map_err(|error| RenderError::Serialise { message: error.to_string() })?;
    Ok(inert(&text))
}

fn entry<'r>(row: &'r Row, place: Option<&(f64, Standing)>, sorted: Option<&Sorted<'_>>) -> Entry<'r> {
    let key = Key::of(row);
    Entry {
        provider: &row.provider,
        family: &row.family,
        algorithm: &row.algorithm,
        operation: key.operation_label(),
        size: key.size,
        mode: row.mode,
        status: row.status,
        reason: row.reason.as_deref(),
        n: row.n,
        median: row.median_ns,
        ci: row.ci95_ns,
        p95: row.p95_ns,
        p99: row.p99_ns,
        disturbed: row.contaminated_pct,
        ratio: place.map(|(ratio, _)| *ratio),
        standing: place.map(|(_, standing)| *standing),
        sized: row.bytes_per_s.is_some(),
        quantiles: sorted.and_then(|sorted| sorted.of(&row.id)).map(steps),
    }
}

fn steps(values: &[f64]) -> Vec<f64> {
    let shares = (0..STEPS).map(|step| f64::from(step) / f64::from(STEPS)).chain([0.999]);
    shares.filter_map(|share| quantile(values, share)).map(rounded).collect()
}

/// Six significant digits: the page need not carry more.
fn rounded(value: f64) -> f64 {
    let places = crate::units::decimals(value, 6);
    format!("{value:.places$}").parse().unwrap_or(value)
}

fn marker(marker: Marker) -> &'static str {
    match marker {
        Marker::Circle => "circle",
        Marker::Square => "square",
        Marker::Triangle => "triangle",
        Marker::Diamond => "diamond",
        Marker::TriangleDown => "down",
        Marker::Cross => "cross",
    }
}

/// JSON in which no character can end or reopen a script element, end a line of JavaScript, or reorder the source.
fn inert(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for character in json.chars() {
        match character {
            '<'
            | '>'
            | '&'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(character));
            }
            other => out.push(other),
        }
    }
    out
}
