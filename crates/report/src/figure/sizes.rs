//! Throughput over input sizes: one chart per algorithm and operation.

use super::{Axis, Domain, Figure, Lines, Plot, Point, Scale, Series, Trace, slug};
use crate::group::{Group, groups, is_disturbed};
use crate::palette::Palette;
use crate::record::{Mode, Run};
use crate::units::Quantity;
use crate::view::pivot::provider_order;
use crate::view::summary::{SYMMETRIC, algorithm_operation};

/// Charts for everything that was measured at two sizes or more.
pub(super) fn throughput(run: &Run) -> Vec<Figure> {
    let groups = groups(run);
    let palette = Palette::of(run);
    let mut subjects: Vec<(String, Vec<&Group<'_>>)> = Vec::new();
    for group in &groups {
        let key = &group.key;
        if key.mode != Mode::Throughput
            || key.size.is_none_or(|size| size == 0)
            || !SYMMETRIC.contains(&key.family.as_str())
        {
            continue;
        }
        let name = algorithm_operation(key);
        match subjects.iter_mut().find(|(known, _)| *known == name) {
            Some((_, members)) => members.push(group),
            None => subjects.push((name, vec![group])),
        }
    }
    subjects.into_iter().filter_map(|(name, members)| chart(run, &palette, &name, &members)).collect()
}

fn chart(run: &Run, palette: &Palette, name: &str, groups: &[&Group<'_>]) -> Option<Figure> {
    let family = groups.first()?.key.family.clone();
    let series: Vec<Series> = provider_order(run)
        .iter()
        .filter_map(|provider| {
            let mut points: Vec<Point> = groups.iter().filter_map(|group| point(group, provider)).collect();
            points.sort_by(|a, b| a.x.total_cmp(&b.x));
            let style = palette.style(provider);
            let trace = Trace::Joined;
            (!points.is_empty()).then(|| Series { label: provider.clone(), style, trace, points, names: Vec::new() })
        })
        .collect();
    if series.iter().all(|series| series.points.len() < 2) {
        return None;
    }
    let points = || series.iter().flat_map(|series| &series.points);
    let whiskers = if points().any(|point| point.interval.is_some()) { "; whiskers: 95 % interval" } else { "" };
    let hollow = if points().any(|point| point.disturbed) { "; hollow with !: many samples disturbed" } else { "" };
    Some(Figure {
        id: format!("sizes-{}", slug(name)),
        family,
        title: format!("{name}: throughput by input size"),
        subtitle: format!("One thread, at the median time, higher is better{whiskers}{hollow}; both axes logarithmic"),
        plot: Plot::Lines(Lines {
            x: Axis { label: "input size".into(), domain: Domain::Bytes, scale: Scale::Log },
            y: Axis { label: "throughput".into(), domain: Domain::Quantity(Quantity::Rate), scale: Scale::Log },
            series,
        }),
        notes: Vec::new(),
    })
}

#[allow(clippy::cast_precision_loss)] // a buffer has less than 2^53 bytes
fn point(group: &Group<'_>, provider: &str) -> Option<Point> {
    let row = group.row_of(provider)?;
    let median = group.median_of(provider)?;
    let size = group.key.size? as f64;
    let rate = |ns: f64| size * 1e9 / ns;
    let interval = row.ci95_ns.filter(|[low, _]| *low > 0.0).map(|[low, high]| [rate(high), rate(low)]);
    Some(Point { x: size, y: rate(median), interval, disturbed: is_disturbed(row) })
}
