//! Names beside points, placed so that none lies over another, over a mark, or outside.

use super::axis::Ruler;
use super::canvas::{Canvas, GREY, Text};
use super::text::{fitted, width};
use crate::figure::{Lines, Trace};

const SIZE: f64 = 12.0;
const HEIGHT: f64 = 15.0;
/// Longest name.
const ROOM: f64 = 300.0;
/// Half a mark and a little air.
const MARK: f64 = 6.0;

/// Left, top, right, bottom.
type Area = [f64; 4];

/// Draws the names of all points. A name that finds no free place near its point is left away: the data have it.
pub(super) fn draw(canvas: &mut Canvas, plot: &Lines, x: &Ruler, y: &Ruler, frame: Area) {
    let marked = plot.series.iter().filter(|series| series.trace != Trace::Curve && series.trace != Trace::Step);
    let place = |point: &crate::figure::Point| (x.place(point.x), y.place(point.y));
    let mut taken: Vec<Area> = Vec::new();
    if plot.series.iter().all(|series| series.names.is_empty()) {
        return;
    }
    for (px, py) in marked.flat_map(|series| series.points.iter()).map(place) {
        taken.push([px - MARK, py - MARK, px + MARK, py + MARK]);
    }
    for series in plot.series.iter().filter(|series| series.trace != Trace::Marks) {
        for pair in series.points.windows(2) {
            if let [from, to] = pair {
                taken.extend(along(place(from), place(to)));
            }
        }
    }
    for series in &plot.series {
        for (point, name) in series.points.iter().zip(&series.names).filter(|(_, name)| !name.is_empty()) {
            let name = fitted(name, SIZE, ROOM);
            let at = place(point);
            let Some(area) = free(at, width(&name, SIZE), &taken, frame) else { continue };
            let near = (area[0] - at.0).abs().min((area[2] - at.0).abs());
            if near > 2.0 * MARK || (area[1] - at.1).abs().min((area[3] - at.1).abs()) > 2.0 * MARK + HEIGHT {
                let end = (at.0.clamp(area[0], area[2]), at.1.clamp(area[1], area[3]));
                canvas.line(at, end, GREY, 0.7);
            }
            canvas.text(area[0], area[3] - 3.5, Text::new(&name, SIZE));
            taken.push(area);
        }
    }
}

/// The nearest free place: beside the point, above, below, and then further out.
fn free((x, y): (f64, f64), width: f64, taken: &[Area], frame: Area) -> Option<Area> {
    let half = HEIGHT / 2.0;
    for ring in 0..6_u8 {
        let out = f64::from(ring) * HEIGHT;
        let right = x + MARK + 2.0;
        let left = x - MARK - 2.0 - width;
        let centre = x - width / 2.0;
        let above = y - MARK - HEIGHT - out;
        let below = y + MARK + out;
        let beside = if out > 0.0 { None } else { Some(y - half) };
        let corners = beside.map(|top| [(right, top), (left, top)]).into_iter().flatten();
        let others = [
            (centre, above),
            (centre, below),
            (right, above + HEIGHT / 2.0),
            (right, below - HEIGHT / 2.0),
            (left, above + HEIGHT / 2.0),
            (left, below - HEIGHT / 2.0),
        ];
        for (from, top) in corners.chain(others) {
            let area = [from, top, from + width, top + HEIGHT];
            let inside = area[0] >= frame[0] && area[1] >= frame[1] && area[2] <= frame[2] && area[3] <= frame[3];
            if inside && !taken.iter().any(|other| overlap(&area, other)) {
                return Some(area);
            }
        }
    }
    None
}

/// Small areas along a line, close enough that no name fits between them.
fn along(from: (f64, f64), to: (f64, f64)) -> Vec<Area> {
    let length = (to.0 - from.0).hypot(to.1 - from.1);
    // A picture is some hundred units wide.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let steps = (length / 6.0).clamp(1.0, 400.0) as u16;
    let at = |step: u16| {
        let share = f64::from(step) / f64::from(steps);
        let (x, y) = (from.0 + share * (to.0 - from.0), from.1 + share * (to.1 - from.1));
        [x - 1.5, y - 1.5, x + 1.5, y + 1.5]
    };
    (0..=steps).map(at).collect()
}

fn overlap(a: &Area, b: &Area) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}
