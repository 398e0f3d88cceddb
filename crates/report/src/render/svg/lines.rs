//! Lines over a numeric axis, with a legend beside them.

use super::axis::Ruler;
use super::canvas::{Canvas, GREY, GRID, Text};
use super::text::{fitted, width};
use super::{WIDTH, heading, names, notes};
use crate::figure::{Domain, Figure, Lines, Point, Scale, Series, Trace};
use crate::units::Quantity;
use crate::view::DISTURBED;

const LABEL: f64 = 12.0;
const LEFT: f64 = 106.0;
const PLOT_HEIGHT: f64 = 380.0;

/// The chart as SVG with text elements.
pub(super) fn draw(figure: &Figure, plot: &Lines) -> String {
    let mut canvas = Canvas::new();
    let top = heading(&mut canvas, figure) + 12.0;
    let bottom = top + PLOT_HEIGHT;
    let widest = plot.series.iter().map(|series| width(&series.label, LABEL)).fold(0.0, f64::max).clamp(60.0, 230.0);
    let right = WIDTH - widest - 70.0;
    let points = || plot.series.iter().flat_map(|series| series.points.iter());
    let mut across: Vec<f64> = points().map(|point| point.x).collect();
    let up: Vec<f64> = points().flat_map(|p| std::iter::once(p.y).chain(p.interval.into_iter().flatten())).collect();
    let x = Ruler::new(&plot.x, &across, false, LEFT, right);
    let y = match plot.y.domain {
        Domain::Quantity(Quantity::Percent) => Ruler::fixed(&plot.y, 0.0, 100.0, bottom, top),
        _ => Ruler::new(&plot.y, &up, plot.y.scale == Scale::Linear, bottom, top),
    };
    across.sort_by(f64::total_cmp);
    across.dedup();
    let at_values = matches!(plot.x.domain, Domain::Bytes | Domain::Number { at_values: true, .. });
    let across = if at_values { x.ticks_at(&across, LABEL) } else { x.ticks(LABEL) };
    for tick in across {
        canvas.line((tick.place, top), (tick.place, bottom), GRID, 1.0);
        canvas.text(tick.place, bottom + 20.0, Text::new(&tick.label, LABEL).grey().centred());
    }
    for tick in y.ticks_upwards(LABEL) {
        canvas.line((LEFT, tick.place), (right, tick.place), GRID, 1.0);
        canvas.text(LEFT - 10.0, tick.place + 4.0, Text::new(&tick.label, LABEL).grey().right());
    }
    canvas.line((LEFT, bottom), (right, bottom), GREY, 1.0);
    canvas.text(f64::midpoint(LEFT, right), bottom + 42.0, Text::new(&plot.x.label, 12.5).grey().centred());
    canvas.text_upwards(24.0, f64::midpoint(top, bottom), &plot.y.label, 12.5);
    for series in &plot.series {
        draw_series(&mut canvas, series, &x, &y);
    }
    disturbed(&mut canvas, plot, &x, &y);
    names::draw(&mut canvas, plot, &x, &y, [LEFT, top, right, bottom]);
    let depth = legend(&mut canvas, plot, right + 20.0, top, widest);
    let end = notes(&mut canvas, figure, (bottom + 56.0).max(depth + 16.0));
    canvas.finish(WIDTH, end)
}

fn draw_series(canvas: &mut Canvas, series: &Series, x: &Ruler, y: &Ruler) {
    let colour = series.style.light;
    let step = series.trace == Trace::Step;
    let mut path: Vec<(f64, f64)> = Vec::new();
    for point in &series.points {
        let place = (x.place(point.x), y.place(point.y));
        if let (true, Some((_, before))) = (step, path.last().copied()) {
            path.push((place.0, before));
        }
        path.push(place);
    }
    if series.trace != Trace::Marks {
        canvas.polyline(&path, colour, series.style.dash);
    }
    for Point { x: at, y: value, interval, disturbed } in &series.points {
        let place = (x.place(*at), y.place(*value));
        if let Some([low, high]) = interval {
            let (from, to) = (y.place(*low), y.place(*high));
            canvas.line((place.0, from), (place.0, to), GREY, 1.2);
            for end in [from, to] {
                canvas.line((place.0 - 4.0, end), (place.0 + 4.0, end), GREY, 1.2);
            }
        }
        if matches!(series.trace, Trace::Joined | Trace::Marks) {
            match disturbed {
                true => canvas.hollow_marker(place, series.style.marker, colour),
                false => canvas.marker(place, series.style.marker, colour),
            }
        }
    }
    // A distribution function has too many points to mark; its median tells lines apart without colour.
    if let Some(median) = series.points.iter().find(|point| step && point.y >= 50.0) {
        canvas.marker((x.place(median.x), y.place(median.y)), series.style.marker, colour);
    }
}

/// The sign beside disturbed points. Where two would lie over each other one stands for both: their markers are hollow.
fn disturbed(canvas: &mut Canvas, plot: &Lines, x: &Ruler, y: &Ruler) {
    let mut signs: Vec<(f64, f64)> = Vec::new();
    for point in plot.series.iter().flat_map(|series| &series.points).filter(|point| point.disturbed) {
        let place = (x.place(point.x) + 8.0, y.place(point.y) + 4.0);
        if signs.iter().all(|sign| (sign.0 - place.0).abs() > 8.0 || (sign.1 - place.1).abs() > 15.0) {
            canvas.text(place.0, place.1, Text::new(DISTURBED, 13.0));
            signs.push(place);
        }
    }
}

/// The legend; returns where it ends.
fn legend(canvas: &mut Canvas, plot: &Lines, left: f64, top: f64, room: f64) -> f64 {
    let mut y = top + 10.0;
    for series in &plot.series {
        if series.trace != Trace::Marks {
            canvas.polyline(&[(left, y), (left + 28.0, y)], series.style.light, series.style.dash);
        }
        if series.trace != Trace::Curve {
            canvas.marker((left + 14.0, y), series.style.marker, series.style.light);
        }
        canvas.text(left + 36.0, y + 4.0, Text::new(&fitted(&series.label, LABEL, room), LABEL));
        y += 22.0;
    }
    y
}
