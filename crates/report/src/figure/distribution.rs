//! Distributions from raw samples: boxes by family, and distribution functions of single operations.

use super::{
    Axis, Bar, BarGroup, Bars, Domain, Figure, Lines, Plot, Point, Scale, Series, Shape, Trace, scale_for, slug,
};
use crate::group::{Group, groups, is_null_provider};
use crate::palette::Palette;
use crate::record::{Mode, Run, Sample};
use crate::units::{Quantity, significant};
use crate::view::pivot::provider_order;
use crate::view::summary::{CHAPTERS, SYMMETRIC, algorithm_operation, is_key_handling};
use std::collections::BTreeMap;

/// Points of a distribution function: more cannot be told apart in a picture.
const MOST_POINTS: usize = 200;
/// Fewer samples than this have no quantile worth drawing.
const FEWEST: usize = 8;
/// Boxes that one picture holds.
const MOST_BOXES: usize = 64;

/// Nanoseconds per operation of every kept sample, sorted, by row.
pub(crate) struct Sorted<'s> {
    by_row: BTreeMap<&'s str, Vec<f64>>,
}

impl<'s> Sorted<'s> {
    /// Collects and sorts the samples that are not warm-up.
    pub(crate) fn new(samples: &'s [Sample]) -> Self {
        let mut by_row: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for sample in samples.iter().filter(|sample| !sample.warmup && sample.count > 0) {
            #[allow(clippy::cast_precision_loss)] // counts stay far below 2^53
            let each = sample.elapsed_ns / sample.count as f64;
            if each.is_finite() && each > 0.0 {
                by_row.entry(&sample.row).or_default().push(each);
            }
        }
        by_row.values_mut().for_each(|values| values.sort_by(f64::total_cmp));
        Self { by_row }
    }

    /// Sorted samples of a row, when there are enough to speak of a distribution.
    pub(crate) fn of(&self, row: &str) -> Option<&[f64]> {
        self.by_row.get(row).map(Vec::as_slice).filter(|values| values.len() >= FEWEST)
    }
}

/// The quantile `share` (0 to 1) of sorted values, interpolated linearly between neighbours (Hyndman and Fan, type 7).
pub(crate) fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    #[allow(clippy::cast_precision_loss)] // there are fewer than 2^53 samples
    let place = share.clamp(0.0, 1.0) * last as f64;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 ≤ place ≤ last
    let below = place.floor() as usize;
    let (low, high) = (sorted.get(below)?, sorted.get((below + 1).min(last))?);
    Some(low + (high - low) * place.fract())
}

/// Boxes of the batched rows by family, then distribution functions of the rows in latency mode.
pub(super) fn figures(run: &Run, samples: &[Sample]) -> Vec<Figure> {
    let sorted = Sorted::new(samples);
    let groups = groups(run);
    let palette = Palette::of(run);
    let mut figures = Vec::new();
    for (id, title, families) in CHAPTERS {
        let mut parts: Vec<Vec<BarGroup>> = Vec::new();
        let chosen = groups.iter().filter(|group| {
            families.contains(&group.key.family.as_str())
                && group.key.mode == Mode::Throughput
                && !is_key_handling(&group.key)
                && !SYMMETRIC.contains(&group.key.family.as_str())
        });
        for group in chosen {
            let boxes = boxes(run, &palette, &sorted, group);
            let full =
                |part: &Vec<BarGroup>| part.iter().map(|g| g.bars.len()).sum::<usize>() + boxes.bars.len() > MOST_BOXES;
            match parts.last_mut() {
                _ if boxes.bars.is_empty() => {}
                Some(part) if !full(part) => part.push(boxes),
                _ => parts.push(vec![boxes]),
            }
        }
        let many = parts.len() > 1;
        for (number, part) in parts.into_iter().enumerate() {
            let (suffix, heading) =
                if many { (format!("-{}", number + 1), format!(" (part {})", number + 1)) } else { Default::default() };
            figures.push(box_figure(
                &format!("distribution-{id}{suffix}"),
                id,
                &format!("{title}: spread of samples{heading}"),
                part,
            ));
        }
    }
    figures.extend(
        groups
            .iter()
            .filter(|group| group.key.mode == Mode::Latency)
            .filter_map(|group| distribution_function(run, &palette, &sorted, group)),
    );
    figures
}

fn boxes(run: &Run, palette: &Palette, sorted: &Sorted<'_>, group: &Group<'_>) -> BarGroup {
    let bars = provider_order(run)
        .iter()
        .filter_map(|provider| {
            let values = sorted.of(&group.row_of(provider)?.id)?;
            // Per cent of the row's own median: spreads of fast and slow operations can be compared.
            let median = quantile(values, 0.5).filter(|median| *median > 0.0)?;
            let at = |share: f64| quantile(values, share).map(|value| value / median * 100.0);
            let five = [at(0.05)?, at(0.25)?, at(0.5)?, at(0.75)?, at(0.95)?];
            let middle = significant(five[3] - five[1], 3);
            let note = format!("{middle} %, n {}", values.len());
            Some(Bar { label: provider.clone(), style: palette.style(provider), shape: Shape::Box(five), note })
        })
        .collect();
    BarGroup { label: algorithm_operation(&group.key), bars }
}

fn box_figure(id: &str, family: &str, title: &str, groups: Vec<BarGroup>) -> Figure {
    Figure {
        id: id.into(),
        family: family.into(),
        title: title.into(),
        subtitle: "A sample is the mean of an epoch, here in per cent of its row's median. Box: middle half (its width at the \
                   right); line: median; whiskers: 5th to 95th percentile"
            .into(),
        plot: Plot::Bars(Bars {
            axis: Axis {
                label: "time, per cent of the median".into(),
                domain: Domain::Quantity(Quantity::Percent),
                scale: Scale::Linear,
            },
            groups,
        }),
        notes: Vec::new(),
    }
}

fn distribution_function(run: &Run, palette: &Palette, sorted: &Sorted<'_>, group: &Group<'_>) -> Option<Figure> {
    let series: Vec<Series> = provider_order(run)
        .iter()
        .filter(|provider| !is_null_provider(provider))
        .filter_map(|provider| {
            let values = sorted.of(&group.row_of(provider)?.id)?;
            Some(Series {
                label: provider.clone(),
                style: palette.style(provider),
                trace: Trace::Step,
                points: thinned(values),
                names: Vec::new(),
            })
        })
        .collect();
    let scale = scale_for(series.iter().flat_map(|s| s.points.iter()).map(|p| p.x));
    let name = match group.key.size {
        Some(size) => format!("{} {}", algorithm_operation(&group.key), crate::units::buffer_size(size)),
        None => algorithm_operation(&group.key),
    };
    if series.is_empty() {
        return None;
    }
    Some(Figure {
        id: format!("latency-{}", slug(&name)),
        family: group.key.family.clone(),
        title: format!("{name}: latency of single operations"),
        subtitle:
            "Share of operations that took at most this long, up to the 99.9th percentile; further left is better"
                .into(),
        plot: Plot::Lines(Lines {
            x: Axis { label: "time of one operation".into(), domain: Domain::Quantity(Quantity::Time), scale },
            y: Axis {
                label: "share of operations".into(),
                domain: Domain::Quantity(Quantity::Percent),
                scale: Scale::Linear,
            },
            series,
        }),
        notes: Vec::new(),
    })
}

/// The distribution function at evenly spaced shares, and at the tail where latency hurts.
#[allow(clippy::cast_precision_loss)] // at most MOST_POINTS steps
fn thinned(sorted: &[f64]) -> Vec<Point> {
    let steps = sorted.len().min(MOST_POINTS);
    let even = (0..=steps).map(|step| step as f64 / steps as f64 * 0.99);
    let tail = [0.993, 0.995, 0.997, 0.999];
    even.chain(tail)
        .filter_map(|share| {
            Some(Point { x: quantile(sorted, share)?, y: share * 100.0, interval: None, disturbed: false })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::quantile;

    #[test]
    fn quantiles_interpolate_between_neighbours() {
        let sorted = [10.0, 20.0, 30.0, 40.0];
        assert_eq!(quantile(&sorted, 0.0), Some(10.0));
        assert_eq!(quantile(&sorted, 0.5), Some(25.0));
        assert_eq!(quantile(&sorted, 1.0), Some(40.0));
        assert_eq!(quantile(&[], 0.5), None);
        assert_eq!(quantile(&[7.0], 0.99), Some(7.0));
    }
}
