//! Horizontal bars and boxes in groups.

use super::axis::{Ruler, Tick};
use super::canvas::{Canvas, GREY, GRID, INK, Text};
use super::text::{fitted, width};
use super::{WIDTH, heading, notes};
use crate::figure::{Bar, BarGroup, Bars, Figure, Shape};

const ROW: f64 = 21.0;
const GROUP_HEADING: f64 = 27.0;
const GROUP_GAP: f64 = 9.0;
const LABEL: f64 = 12.0;
const HEADING: f64 = 13.5;
const MARGIN: f64 = 16.0;

/// The chart as SVG with text elements.
pub(super) fn draw(figure: &Figure, plot: &Bars) -> String {
    let bars = || plot.groups.iter().flat_map(|group| group.bars.iter());
    let widest = |text: &dyn Fn(&Bar) -> &str| bars().map(|bar| width(text(bar), LABEL)).fold(0.0, f64::max);
    let label_room = widest(&|bar| &bar.label).clamp(60.0, 250.0);
    // The reason of a missing figure has the place of its bar.
    let note_room = widest(&|bar| if reason(bar) { "" } else { &bar.note }).clamp(60.0, 220.0);
    let left = MARGIN + label_room + 10.0;
    let right = WIDTH - MARGIN - note_room - 14.0;
    let values: Vec<f64> = bars().flat_map(|bar| extent(bar.shape)).collect();
    let from_zero = !bars().any(|bar| matches!(bar.shape, Shape::Box(_)));
    let ruler = Ruler::new(&plot.axis, &values, from_zero, left, right);

    let mut canvas = Canvas::new();
    let top = heading(&mut canvas, figure) + 20.0;
    let body: f64 = plot.groups.iter().map(|g| above(g) + GROUP_GAP + ROW * rows(g.bars.len())).sum();
    let bottom = top + body;
    let ticks = ruler.ticks(LABEL);
    grid(&mut canvas, &ticks, top, bottom);
    let mut y = top;
    for group in &plot.groups {
        if !group.label.is_empty() {
            let label = fitted(&group.label, HEADING, right - MARGIN);
            // No grid line runs through the heading.
            canvas.rect((MARGIN - 2.0, y + 4.0), (width(&label, HEADING) + 6.0, 19.0), "#ffffff", 1.0);
            canvas.text(MARGIN, y + 19.0, Text::new(&label, HEADING));
        }
        y += above(group);
        for bar in &group.bars {
            let label = fitted(&bar.label, LABEL, label_room);
            canvas.text(left - 8.0, y + 14.5, Text::new(&label, LABEL).right());
            shape(&mut canvas, bar, &ruler, y);
            if reason(bar) {
                let note = fitted(&bar.note, LABEL, right + 14.0 + note_room - left - 6.0);
                canvas.rect((left + 2.0, y + 1.0), (width(&note, LABEL) + 8.0, 18.0), "#ffffff", 1.0);
                canvas.text(left + 6.0, y + 14.5, Text::new(&note, LABEL).grey());
                y += ROW;
                continue;
            }
            let note = fitted(&bar.note, LABEL, note_room);
            let text = Text::new(&note, LABEL);
            canvas.text(right + 14.0, y + 14.5, if bar.shape == Shape::Absent { text.grey() } else { text });
            y += ROW;
        }
        y += GROUP_GAP;
    }
    canvas.text((left + right) / 2.0, bottom + 38.0, Text::new(&plot.axis.label, 12.5).grey().centred());
    let end = notes(&mut canvas, figure, bottom + 52.0);
    canvas.finish(WIDTH, end)
}

/// Whether the note is a sentence that says why there is no figure.
fn reason(bar: &Bar) -> bool {
    bar.shape == Shape::Absent && width(&bar.note, LABEL) > 110.0
}

/// Room for the heading of a group, when it has one.
fn above(group: &BarGroup) -> f64 {
    if group.label.is_empty() { 0.0 } else { GROUP_HEADING }
}

#[allow(clippy::cast_precision_loss)] // a chart has few bars
fn rows(count: usize) -> f64 {
    count as f64
}

fn extent(shape: Shape) -> Vec<f64> {
    match shape {
        Shape::Value { value, interval } => std::iter::once(value).chain(interval.into_iter().flatten()).collect(),
        Shape::Box(quantiles) => quantiles.to_vec(),
        Shape::Absent => Vec::new(),
    }
}

/// Grid lines with their labels above and below.
fn grid(canvas: &mut Canvas, ticks: &[Tick], top: f64, bottom: f64) {
    for Tick { place, label } in ticks {
        canvas.line((*place, top), (*place, bottom), GRID, 1.0);
        for y in [top - 7.0, bottom + 18.0] {
            canvas.text(*place, y, Text::new(label, LABEL).grey().centred());
        }
    }
}

fn shape(canvas: &mut Canvas, bar: &Bar, ruler: &Ruler, y: f64) {
    let middle = y + 10.0;
    let colour = bar.style.light;
    match bar.shape {
        Shape::Value { value, interval } => {
            let start = ruler.origin();
            canvas.rect((start, y + 3.0), (ruler.place(value) - start, 14.0), colour, 1.0);
            if let Some([low, high]) = interval {
                whisker(canvas, ruler.place(low), ruler.place(high), middle, INK);
            }
        }
        Shape::Box([low, first, median, third, high]) => {
            whisker(canvas, ruler.place(low), ruler.place(high), middle, GREY);
            let (from, to) = (ruler.place(first), ruler.place(third));
            canvas.rect((from, y + 3.0), (to - from, 14.0), colour, 0.75);
            let place = ruler.place(median);
            canvas.line((place, y + 1.5), (place, y + 18.5), INK, 2.0);
        }
        Shape::Absent => {}
    }
}

/// A horizontal line with caps.
fn whisker(canvas: &mut Canvas, from: f64, to: f64, y: f64, colour: &str) {
    canvas.line((from, y), (to, y), colour, 1.2);
    for x in [from, to] {
        canvas.line((x, y - 4.0), (x, y + 4.0), colour, 1.2);
    }
}
