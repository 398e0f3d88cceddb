//! A small writer of SVG elements.

use super::text::FAMILY;
use crate::palette::Marker;
use std::fmt::Write;

/// Ink of headings and values.
pub(super) const INK: &str = "#1b1b1b";
/// Ink of what is secondary.
pub(super) const GREY: &str = "#5a5a5a";
/// Grid lines.
pub(super) const GRID: &str = "#dddddd";

/// Elements drawn so far.
pub(super) struct Canvas {
    body: String,
}

/// A text and how it is set.
pub(super) struct Text<'t> {
    text: &'t str,
    size: f64,
    anchor: &'static str,
    fill: &'static str,
}

impl<'t> Text<'t> {
    /// Left-aligned, in [`INK`].
    pub(super) fn new(text: &'t str, size: f64) -> Self {
        Self { text, size, anchor: "start", fill: INK }
    }

    /// In [`GREY`].
    pub(super) fn grey(self) -> Self {
        Self { fill: GREY, ..self }
    }

    /// Centred on its place.
    pub(super) fn centred(self) -> Self {
        Self { anchor: "middle", ..self }
    }

    /// Ending at its place.
    pub(super) fn right(self) -> Self {
        Self { anchor: "end", ..self }
    }
}

impl Canvas {
    /// An empty canvas.
    pub(super) fn new() -> Self {
        Self { body: String::new() }
    }

    /// The finished picture on white.
    pub(super) fn finish(self, width: f64, height: f64) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\"><rect width=\"{width:.0}\" height=\"{height:.0}\" fill=\"#ffffff\"/>{}</svg>",
            self.body
        )
    }

    // Writing to a String cannot fail, so the results of `write!` below carry nothing.

    /// A text with its baseline at `y`.
    pub(super) fn text(&mut self, x: f64, y: f64, text: Text<'_>) {
        let Text { text, size, anchor, fill } = text;
        let _ = write!(
            self.body,
            "<text x=\"{x:.2}\" y=\"{y:.2}\" font-family=\"{FAMILY}\" font-size=\"{size}\" text-anchor=\"{anchor}\" \
             fill=\"{fill}\">{}</text>",
            escape(text)
        );
    }

    /// A text that runs upwards, centred on its place.
    pub(super) fn text_upwards(&mut self, x: f64, y: f64, text: &str, size: f64) {
        let _ = write!(
            self.body,
            "<text transform=\"translate({x:.2} {y:.2}) rotate(-90)\" font-family=\"{FAMILY}\" font-size=\"{size}\" \
             text-anchor=\"middle\" fill=\"{GREY}\">{}</text>",
            escape(text)
        );
    }

    /// A line.
    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), colour: &str, width: f64) {
        let ((x1, y1), (x2, y2)) = (from, to);
        let _ = write!(
            self.body,
            "<path d=\"M{x1:.2} {y1:.2}L{x2:.2} {y2:.2}\" stroke=\"{colour}\" stroke-width=\"{width}\" fill=\"none\"/>"
        );
    }

    /// A filled rectangle, at least one unit wide.
    pub(super) fn rect(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), colour: &str, opacity: f64) {
        let width = width.max(1.0);
        let _ = write!(
            self.body,
            "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" fill=\"{colour}\" \
             fill-opacity=\"{opacity}\"/>"
        );
    }

    /// A line through points.
    pub(super) fn polyline(&mut self, points: &[(f64, f64)], colour: &str, dash: &str) {
        let mut path = String::new();
        for (index, (x, y)) in points.iter().enumerate() {
            let _ = write!(path, "{}{x:.2} {y:.2}", if index == 0 { 'M' } else { 'L' });
        }
        let dash = if dash.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dash}\"") };
        let _ = write!(
            self.body,
            "<path d=\"{path}\" stroke=\"{colour}\" stroke-width=\"2\" fill=\"none\" stroke-linejoin=\"round\"{dash}/>"
        );
    }

    /// A point.
    pub(super) fn marker(&mut self, place: (f64, f64), marker: Marker, colour: &str) {
        self.shape(place, marker, &format!("fill=\"{colour}\""));
    }

    /// A point that is not like the others.
    pub(super) fn hollow_marker(&mut self, place: (f64, f64), marker: Marker, colour: &str) {
        self.shape(place, marker, &format!("fill=\"#ffffff\" stroke=\"{colour}\" stroke-width=\"1.8\""));
    }

    fn shape(&mut self, (x, y): (f64, f64), marker: Marker, look: &str) {
        let path = match marker {
            Marker::Circle => {
                let _ = write!(self.body, "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"4.5\" {look}/>");
                return;
            }
            Marker::Square => [(-4.2, -4.2), (4.2, -4.2), (4.2, 4.2), (-4.2, 4.2)].as_slice(),
            Marker::Triangle => &[(0.0, -5.5), (5.0, 4.0), (-5.0, 4.0)],
            Marker::TriangleDown => &[(0.0, 5.5), (5.0, -4.0), (-5.0, -4.0)],
            Marker::Diamond => &[(0.0, -5.8), (5.8, 0.0), (0.0, 5.8), (-5.8, 0.0)],
            Marker::Cross => &[
                (-5.0, -1.7),
                (-1.7, -1.7),
                (-1.7, -5.0),
                (1.7, -5.0),
                (1.7, -1.7),
                (5.0, -1.7),
                (5.0, 1.7),
                (1.7, 1.7),
                (1.7, 5.0),
                (-1.7, 5.0),
                (-1.7, 1.7),
                (-5.0, 1.7),
            ],
        };
        let mut points = String::new();
        for (dx, dy) in path {
            let _ = write!(points, "{:.2},{:.2} ", x + dx, y + dy);
        }
        let _ = write!(self.body, "<polygon points=\"{points}\" {look}/>");
    }
}

/// Text inside an element or an attribute; characters that XML forbids become U+FFFD.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(' '),
            '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
    out
}
