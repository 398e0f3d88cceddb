//! Horizontal bars: times by family, and ratios.

use super::{Axis, Bar, BarGroup, Bars, Domain, Figure, Plot, Scale, Shape, scale_for};
use crate::group::{Group, NotCompared, Standing, groups};
use crate::palette::Palette;
use crate::record::{Mode, Row, Run, Status};
use crate::units::{Quantity, Unit, significant};
use crate::view::comparative::{SMALLEST, ratio, reference};
use crate::view::is_disturbed;
use crate::view::pivot::provider_order;
use crate::view::summary::{CHAPTERS, SYMMETRIC, is_key_handling};

/// Bars that one picture holds and can still be read.
const MOST_BARS: usize = 64;
/// Ratio of times up to which differences of some per cent still show on one logarithmic axis.
const WIDEST_RANGE: f64 = 400.0;

/// Times per operation: one chart per family, or one per operation when that is too much for one picture.
pub(super) fn times(run: &Run) -> Vec<Figure> {
    let groups = groups(run);
    let palette = Palette::of(run);
    let mut figures = Vec::new();
    for (id, title, families) in CHAPTERS {
        if families == SYMMETRIC {
            continue;
        }
        let chosen: Vec<&Group<'_>> = charted(&groups, families).collect();
        for Page { suffix, heading, groups } in pages(&chosen) {
            let bars = groups.iter().map(|group| time_bars(run, &palette, group)).collect();
            let subtitle = explained(&groups);
            let title = format!("{title}{heading}");
            figures.push(figure(&format!("{id}{suffix}"), id, &title, &subtitle, Quantity::Time, bars));
        }
    }
    figures
}

/// What a chart of times shows, and the signs that occur in it.
fn explained(groups: &[&Group<'_>]) -> String {
    let ranked = |wanted| groups.iter().flat_map(|group| &group.ranked).any(|member| member.standing == wanted);
    let rows = || groups.iter().flat_map(|group| group.measured.iter()).map(|(row, _)| *row);
    let signs = [
        (rows().any(|row| row.ci95_ns.is_some()), "; whiskers: 95 % interval"),
        (ranked(Standing::Fastest), "; ★ fastest"),
        (ranked(Standing::Tied), "; ≈ tied with the fastest"),
        (rows().any(is_disturbed), "; ! many samples disturbed"),
        (groups.iter().any(|group| group.withheld), "; no marks, since the A/A control did not pass"),
    ];
    let signs: String = signs.into_iter().filter(|(occurs, _)| *occurs).map(|(_, words)| words).collect();
    format!("Median time per operation, lower is better{signs}")
}

/// Ratios of medians, one chart per family.
pub(crate) fn ratios(run: &Run, baseline: Option<&str>) -> Vec<Figure> {
    let groups = groups(run);
    let palette = Palette::of(run);
    let against = baseline.map_or_else(|| SMALLEST.to_owned(), |provider| format!("that of {provider}"));
    let mut figures = Vec::new();
    for (id, title, families) in CHAPTERS {
        let chosen: Vec<&Group<'_>> = charted(&groups, families).collect();
        let intervals = chosen.iter().flat_map(|group| &group.ranked).any(|member| member.row.ci95_ns.is_some());
        let whiskers = if intervals { "; whiskers: both 95 % intervals crosswise" } else { "" };
        let left_out = |group: &&&Group<'_>| {
            group.measured.iter().any(|(row, _)| group.not_compared(row) == Some(NotCompared::Disturbed))
        };
        let disturbed =
            if chosen.iter().any(|group| left_out(&group)) { "; disturbed rows (!) are not compared" } else { "" };
        let subtitle = format!("Median divided by {against}, lower is better{whiskers}{disturbed}");
        for Page { suffix, heading, groups } in pages(&chosen) {
            let bars: Vec<BarGroup> = groups
                .iter()
                .map(|group| ratio_bars(run, &palette, group, baseline))
                .filter(|group| !group.bars.is_empty())
                .collect();
            if bars.is_empty() {
                continue;
            }
            let title = format!("{title}{heading}: ratios");
            figures.push(figure(&format!("ratio-{id}{suffix}"), id, &title, &subtitle, Quantity::Ratio, bars));
        }
    }
    figures
}

fn charted<'g, 'r>(groups: &'g [Group<'r>], families: &'g [&str]) -> impl Iterator<Item = &'g Group<'r>> {
    groups.iter().filter(move |group| {
        families.contains(&group.key.family.as_str())
            && group.key.mode == Mode::Throughput
            && !is_key_handling(&group.key)
            && !group.measured.is_empty()
    })
}

/// A part of the groups that makes one picture.
struct Page<'g, 'r> {
    /// Goes behind the id of the figure.
    suffix: String,
    /// Goes behind its title.
    heading: String,
    groups: Vec<&'g Group<'r>>,
}

/// Splits groups into pictures: first so that one axis can show them all, then so that they can be read.
fn pages<'g, 'r>(chosen: &[&'g Group<'r>]) -> Vec<Page<'g, 'r>> {
    let mut ranges = Vec::new();
    split_range(chosen.to_vec(), &mut ranges);
    let many = ranges.len() > 1;
    let mut pages = Vec::new();
    for (index, groups) in ranges.into_iter().enumerate() {
        let (suffix, heading) = match many {
            true => (format!("-{}", index + 1), format!(": {}", names(&groups))),
            false => (String::new(), String::new()),
        };
        if groups.iter().map(|group| bars(group)).sum::<usize>() <= MOST_BARS {
            pages.push(Page { suffix, heading, groups });
        } else {
            pages.extend(by_operation(&suffix, &heading, &groups));
        }
    }
    pages
}

fn bars(group: &Group<'_>) -> usize {
    group.ranked.len() + group.unranked.len()
}

/// Least and greatest median.
fn range(groups: &[&Group<'_>]) -> (f64, f64) {
    let medians = groups.iter().flat_map(|group| group.measured.iter()).map(|(_, median)| *median);
    medians.fold((f64::INFINITY, 0.0), |(least, most), median| (least.min(median), most.max(median)))
}

/// Divides algorithms at the widest gap until each part spans no more than [`WIDEST_RANGE`].
fn split_range<'g, 'r>(groups: Vec<&'g Group<'r>>, parts: &mut Vec<Vec<&'g Group<'r>>>) {
    let mut algorithms: Vec<(&str, f64)> = Vec::new();
    for group in &groups {
        let algorithm = group.key.algorithm.as_str();
        if !algorithms.iter().any(|(known, _)| *known == algorithm) {
            let own: Vec<&Group<'_>> = groups.iter().copied().filter(|g| g.key.algorithm == algorithm).collect();
            let (least, most) = range(&own);
            algorithms.push((algorithm, (least * most).sqrt()));
        }
    }
    let (least, most) = range(&groups);
    if algorithms.len() < 2 || most <= least * WIDEST_RANGE {
        if !groups.is_empty() {
            parts.push(groups);
        }
        return;
    }
    algorithms.sort_by(|a, b| a.1.total_cmp(&b.1));
    let gap = |at: &usize| match (algorithms.get(at - 1), algorithms.get(*at)) {
        (Some((_, below)), Some((_, above))) => above / below,
        _ => 0.0,
    };
    let cut = (1..algorithms.len()).max_by(|a, b| gap(a).total_cmp(&gap(b))).unwrap_or(1);
    let fast: Vec<&str> = algorithms.iter().take(cut).map(|(name, _)| *name).collect();
    let (fast, slow) = groups.into_iter().partition(|group| fast.contains(&group.key.algorithm.as_str()));
    split_range(fast, parts);
    split_range(slow, parts);
}

/// Names of the algorithms, as far as a heading has room.
fn names(groups: &[&Group<'_>]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for group in groups {
        if !names.contains(&group.key.algorithm.as_str()) {
            names.push(&group.key.algorithm);
        }
    }
    let more = names.len().saturating_sub(3);
    let shown: Vec<&str> = names.into_iter().take(3).collect();
    if more > 0 { format!("{} and {more} more", shown.join(", ")) } else { shown.join(", ") }
}

/// One picture per operation, or several where one operation has too many bars.
fn by_operation<'g, 'r>(suffix: &str, heading: &str, chosen: &[&'g Group<'r>]) -> Vec<Page<'g, 'r>> {
    let mut operations: Vec<String> = Vec::new();
    for group in chosen {
        let operation = group.key.operation_label();
        if !operations.contains(&operation) {
            operations.push(operation);
        }
    }
    let mut pages = Vec::new();
    for operation in operations {
        let mut parts: Vec<(usize, Vec<&Group<'_>>)> = Vec::new();
        for group in chosen.iter().filter(|group| group.key.operation_label() == operation) {
            match parts.last_mut() {
                Some((sum, part)) if *sum + bars(group) <= MOST_BARS => {
                    *sum += bars(group);
                    part.push(group);
                }
                _ => parts.push((bars(group), vec![group])),
            }
        }
        let many = parts.len() > 1;
        for (index, (_, groups)) in parts.into_iter().enumerate() {
            let mut page = Page {
                suffix: format!("{suffix}-{}", super::slug(&operation)),
                heading: format!("{heading}, {operation}"),
                groups,
            };
            if many {
                page.suffix = format!("{}-{}", page.suffix, index + 1);
                page.heading = format!("{} (part {})", page.heading, index + 1);
            }
            pages.push(page);
        }
    }
    pages
}

fn figure(id: &str, family: &str, title: &str, subtitle: &str, quantity: Quantity, groups: Vec<BarGroup>) -> Figure {
    let scale = scale_for(groups.iter().flat_map(|group| group.bars.iter()).filter_map(|bar| match bar.shape {
        Shape::Value { value, .. } => Some(value),
        Shape::Box(_) | Shape::Absent => None,
    }));
    let label = if quantity == Quantity::Ratio { "ratio" } else { "time per operation" };
    let axis = Axis { label: label.into(), domain: Domain::Quantity(quantity), scale };
    let subtitle = match scale {
        Scale::Log => format!("{subtitle}. Logarithmic axis: compare ends, not lengths"),
        Scale::Linear => subtitle.to_owned(),
    };
    Figure {
        id: id.into(),
        family: family.into(),
        title: title.into(),
        subtitle,
        plot: Plot::Bars(Bars { axis, groups }),
        notes: Vec::new(),
    }
}

fn time_bars(run: &Run, palette: &Palette, group: &Group<'_>) -> BarGroup {
    let unit = Quantity::Time.common_unit(group.measured.iter().map(|(_, median)| *median));
    let bars = provider_order(run)
        .iter()
        .filter_map(|provider| {
            let row = group.row_of(provider)?;
            let (shape, note) = match group.median_of(provider) {
                Some(value) => {
                    let standing = group.member_of(provider).map(|member| member.standing);
                    let shape = Shape::Value { value, interval: row.ci95_ns };
                    (shape, format!("{}{}", note(value, unit, standing), disturbed(row)))
                }
                None => match row.median_ns.filter(|_| row.status == Status::Inconclusive) {
                    Some(value) => {
                        let note = format!("{} {} ?{}", significant(value / unit.base, 4), unit.symbol, disturbed(row));
                        (Shape::Value { value, interval: row.ci95_ns }, note)
                    }
                    None => (Shape::Absent, status_word(row.status).into()),
                },
            };
            Some(Bar { label: provider.clone(), style: palette.style(provider), shape, note })
        })
        .collect();
    BarGroup { label: heading(group), bars }
}

fn ratio_bars(run: &Run, palette: &Palette, group: &Group<'_>, baseline: Option<&str>) -> BarGroup {
    let Some(base) = reference(group, baseline) else { return BarGroup { label: heading(group), bars: Vec::new() } };
    let bars = provider_order(run)
        .iter()
        .filter_map(|provider| {
            let row = group.row_of(provider)?;
            let style = palette.style(provider);
            if group.median_of(provider).is_some() && group.not_compared(row) == Some(NotCompared::Disturbed) {
                let note = format!("{}{}", NotCompared::Disturbed.word(), disturbed(row));
                return Some(Bar { label: provider.clone(), style, shape: Shape::Absent, note });
            }
            let member = group.member_of(provider)?;
            let (value, interval) = ratio(member.row, base)?;
            let is_base = member.row.id == base.id;
            let shape = Shape::Value { value, interval: interval.filter(|_| !is_base) };
            let unit = Quantity::Ratio.unit(1.0);
            let note = format!("{}{}", significant(value, 3), unit.symbol);
            Some(Bar { label: provider.clone(), style, shape, note })
        })
        .collect();
    BarGroup { label: heading(group), bars }
}

fn heading(group: &Group<'_>) -> String {
    let key = &group.key;
    match key.size {
        Some(size) => format!("{} {} {}", key.algorithm, key.operation_label(), crate::units::buffer_size(size)),
        None => format!("{} {}", key.algorithm, key.operation_label()),
    }
}

fn note(value: f64, unit: Unit, standing: Option<Standing>) -> String {
    let mark = match standing {
        Some(Standing::Fastest) => " ★",
        Some(Standing::Tied) => " ≈",
        Some(Standing::Behind) | None => "",
    };
    format!("{} {}{mark}", significant(value / unit.base, 4), unit.symbol)
}

/// The sign of a number of which too many samples were disturbed.
fn disturbed(row: &Row) -> &'static str {
    if is_disturbed(row) { " !" } else { "" }
}

fn status_word(status: Status) -> &'static str {
    match status {
        Status::Unavailable => "unavailable",
        Status::Failed => "failed",
        Status::Ok | Status::Inconclusive => "no number",
    }
}
