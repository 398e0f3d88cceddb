//! Horizontal bars: times by family, and ratios.

use super::{Axis, Bar, BarGroup, Bars, Domain, Figure, Plot, Scale, Shape, scale_for};
use crate::group::{Group, Standing, groups};
use crate::palette::Palette;
use crate::record::{Mode, Run, Status};
use crate::units::{Quantity, Unit, significant};
use crate::view::comparative::{ratio, reference};
use crate::view::pivot::provider_order;
use crate::view::summary::{CHAPTERS, SYMMETRIC, is_key_handling};

/// Bars that one picture holds and can still be read.
const MOST_BARS: usize = 64;

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
        let subtitle = "Median time per operation, lower is better; whiskers: 95 % interval";
        for (suffix, heading, part) in pages(&chosen) {
            let drawn = |group: &Group<'_>| time_bars(run, &palette, group);
            let bars = part.iter().map(|group| drawn(group)).collect();
            figures.push(figure(
                &format!("{id}{suffix}"),
                id,
                &format!("{title}{heading}"),
                subtitle,
                Quantity::Time,
                bars,
            ));
        }
    }
    figures
}

/// Ratios of medians, one chart per family.
pub(crate) fn ratios(run: &Run, baseline: Option<&str>) -> Vec<Figure> {
    let groups = groups(run);
    let palette = Palette::of(run);
    let against = baseline.unwrap_or("the smallest median");
    let mut figures = Vec::new();
    for (id, title, families) in CHAPTERS {
        let chosen: Vec<&Group<'_>> = charted(&groups, families).collect();
        let subtitle =
            format!("Median divided by that of {against}, lower is better; whiskers: both 95 % intervals crosswise");
        for (suffix, heading, part) in pages(&chosen) {
            let bars: Vec<BarGroup> = part
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
            && !group.ranked.is_empty()
    })
}

/// Splits groups into pictures: (suffix of the id, suffix of the title, groups).
fn pages<'g, 'r>(chosen: &[&'g Group<'r>]) -> Vec<(String, String, Vec<&'g Group<'r>>)> {
    let bars = |group: &&Group<'_>| group.ranked.len() + group.unranked.len();
    if chosen.is_empty() {
        return Vec::new();
    }
    if chosen.iter().map(bars).sum::<usize>() <= MOST_BARS {
        return vec![(String::new(), String::new(), chosen.to_vec())];
    }
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
        for (number, (_, part)) in parts.into_iter().enumerate() {
            let suffix = format!("-{}", super::slug(&operation));
            if many {
                let number = number + 1;
                pages.push((format!("{suffix}-{number}"), format!(", {operation} (part {number})"), part));
            } else {
                pages.push((suffix, format!(", {operation}"), part));
            }
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
    }
}

fn time_bars(run: &Run, palette: &Palette, group: &Group<'_>) -> BarGroup {
    let unit = Quantity::Time.common_unit(group.ranked.iter().map(|member| member.median_ns));
    let bars = provider_order(run)
        .iter()
        .filter_map(|provider| {
            let row = group.row_of(provider)?;
            let (shape, note) = match group.member_of(provider) {
                Some(member) => {
                    let shape = Shape::Value { value: member.median_ns, interval: row.ci95_ns };
                    (shape, note(member.median_ns, unit, member.standing))
                }
                None => match row.median_ns.filter(|_| row.status == Status::Inconclusive) {
                    Some(value) => {
                        let note = format!("{} {} ?", significant(value / unit.base, 4), unit.symbol);
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
            let member = group.member_of(provider)?;
            let (value, interval) = ratio(member.row, base)?;
            let is_base = member.row.id == base.id;
            let shape = Shape::Value { value, interval: interval.filter(|_| !is_base) };
            let unit = Quantity::Ratio.unit(1.0);
            let note = format!("{}{}", significant(value, 3), unit.symbol);
            Some(Bar { label: provider.clone(), style: palette.style(provider), shape, note })
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

fn note(value: f64, unit: Unit, standing: Standing) -> String {
    let mark = match standing {
        Standing::Fastest => " ★",
        Standing::Tied => " ≈",
        Standing::Behind => "",
    };
    format!("{} {}{mark}", significant(value / unit.base, 4), unit.symbol)
}

fn status_word(status: Status) -> &'static str {
    match status {
        Status::Unavailable => "unavailable",
        Status::Failed => "failed",
        Status::Ok | Status::Inconclusive => "no number",
    }
}
