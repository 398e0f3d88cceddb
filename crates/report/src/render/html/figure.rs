//! One chart as a page: the picture, and its figures as a table.

use super::{escape, head};
use crate::RenderError;
use crate::figure::{Axis, Domain, Figure, Plot, Shape};
use crate::render::svg;
use crate::units::significant;
use std::fmt::Write;

/// The page.
pub(crate) fn page(figure: &Figure) -> Result<Vec<u8>, RenderError> {
    let mut out = head(&figure.title, "figure svg{max-width:100%;height:auto}figure{margin:0}");
    // Writing to a String cannot fail.
    let _ = writeln!(
        out,
        "<header><h1>{}</h1>\n<p>{}</p></header>\n<main>",
        escape(&figure.title),
        escape(&figure.subtitle)
    );
    let svg = String::from_utf8_lossy(&svg::render(figure)?).into_owned();
    let _ = writeln!(out, "<figure>{svg}</figure>");
    for note in &figure.notes {
        let _ = writeln!(out, "<p>{}</p>", escape(note));
    }
    out.push_str("<section id=\"figures\"><h2>Figures</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Figures\">");
    table(&mut out, figure);
    out.push_str("</div></section>\n</main>\n</body>\n</html>\n");
    Ok(out.into_bytes())
}

fn table(out: &mut String, figure: &Figure) {
    let heads = |out: &mut String, names: &[String]| {
        out.push_str("<table>\n<thead><tr>");
        for name in names {
            let _ = write!(out, "<th scope=\"col\">{}</th>", escape(name));
        }
        out.push_str("</tr></thead>\n<tbody>\n");
    };
    match &figure.plot {
        Plot::Bars(plot) => {
            heads(out, &["", "", &with_unit(&plot.axis), "interval"].map(str::to_owned));
            for group in &plot.groups {
                for bar in &group.bars {
                    let (value, interval) = match bar.shape {
                        Shape::Value { value, interval } => (significant(value, 6), interval.map(range)),
                        Shape::Box(five) => (significant(five[2], 6), Some(range([five[0], five[4]]))),
                        Shape::Absent => (bar.note.clone(), None),
                    };
                    row(out, &[&group.label, &bar.label, &value, &interval.unwrap_or_default()]);
                }
            }
        }
        Plot::Lines(plot) => {
            heads(out, &[String::new(), String::new(), with_unit(&plot.x), with_unit(&plot.y), "interval".into()]);
            for series in &plot.series {
                for (index, point) in series.points.iter().enumerate() {
                    let name = series.names.get(index).map_or("", String::as_str);
                    let interval = point.interval.map(range).unwrap_or_default();
                    row(out, &[&series.label, name, &significant(point.x, 6), &significant(point.y, 6), &interval]);
                }
            }
        }
    }
    out.push_str("</tbody>\n</table>\n");
}

fn with_unit(axis: &Axis) -> String {
    let unit = match axis.domain {
        Domain::Quantity(quantity) => quantity.units().first().map_or("", |unit| unit.symbol),
        Domain::Bytes => "B",
        Domain::Number { unit, .. } => unit,
    };
    if unit.is_empty() { axis.label.clone() } else { format!("{}, {unit}", axis.label) }
}

fn range([low, high]: [f64; 2]) -> String {
    format!("{} … {}", significant(low, 6), significant(high, 6))
}

fn row(out: &mut String, cells: &[&str]) {
    out.push_str("<tr>");
    for (index, cell) in cells.iter().enumerate() {
        let class = if index < 2 { "" } else { " class=\"num\"" };
        let _ = write!(out, "<td{class}>{}</td>", escape(cell));
    }
    out.push_str("</tr>\n");
}
