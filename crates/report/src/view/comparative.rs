//! Ratios of medians: against a baseline provider, or against the fastest of each group.

use super::pivot::{provider_order, reason};
use super::summary::{CHAPTERS, Caption, comparison_tables};
use super::{Cell, Document, Estimate, Kind, Mark, Section, context, gaps};
use crate::RenderError;
use crate::figure;
use crate::group::{Group, NotCompared, Standing, groups, is_disturbed};
use crate::record::{Row, Run, Status};
use crate::units::Quantity;

/// Resolves what the user typed to a provider id of the run: the id itself, or a name that only one provider has.
pub(crate) fn baseline(run: &Run, wanted: &str) -> Result<String, RenderError> {
    let providers = provider_order(run);
    if let Some(exact) = providers.iter().find(|id| id.as_str() == wanted) {
        return Ok(exact.clone());
    }
    let mut named = providers.iter().filter(|id| id.split('@').next() == Some(wanted));
    match (named.next(), named.next()) {
        (Some(only), None) => Ok(only.clone()),
        _ => Err(RenderError::UnknownBaseline { wanted: wanted.to_owned(), known: providers }),
    }
}

/// What medians are divided by where no baseline was asked for: disturbed rows, which may be faster, are no measure.
pub(crate) const SMALLEST: &str = "the smallest median among the rows compared";

/// The comparative report.
pub(crate) fn document(run: &Run, baseline: Option<&str>) -> Document {
    let groups = groups(run);
    let cell = |group: &Group<'_>, provider: &str| ratio_cell(group, provider, baseline);
    let against = baseline.unwrap_or("the smallest median of each group");
    let divisor = baseline.map_or_else(|| SMALLEST.to_owned(), |provider| format!("that of {provider}"));
    let without = format!("Median time divided by {divisor}: above 1 is slower.");
    let crosswise = "The interval divides the ends of the two 95 % intervals crosswise, so it covers at least 90 %.";
    let caption = Caption { with_intervals: format!("{without} {crosswise}"), without };
    let mut sections = vec![context::standings(run), context::warnings(run)];
    for (id, title, families) in CHAPTERS {
        let tables = comparison_tables(run, &groups, families, &cell, &cell, &caption, &caption);
        sections.push(Section { id, title: title.into(), tables, ..Section::default() });
    }
    sections.push(Section {
        id: "charts",
        title: "Charts".into(),
        figures: figure::ratios(run, baseline),
        ..Section::default()
    });
    sections.push(gaps::section(run));
    sections.push(context::host(run));
    sections.retain(|section| !(section.text.is_empty() && section.tables.is_empty() && section.figures.is_empty()));
    Document {
        kind: Kind::Comparative,
        title: format!("{}: comparison with {against}", context::title(run)),
        subtitle: context::subtitle(run),
        sections,
    }
}

/// The row all others of the group are divided by.
pub(crate) fn reference<'r>(group: &Group<'r>, baseline: Option<&str>) -> Option<&'r Row> {
    match baseline {
        Some(provider) => group.member_of(provider).map(|member| member.row),
        None => group.ranked.first().map(|member| member.row),
    }
}

/// Ratio of two medians, with the interval that the ends of both intervals allow.
pub(crate) fn ratio(row: &Row, reference: &Row) -> Option<(f64, Option<[f64; 2]>)> {
    let (median, base) = (row.median_ns?, reference.median_ns.filter(|base| *base > 0.0)?);
    let interval = match (row.ci95_ns, reference.ci95_ns) {
        (Some([low, high]), Some([base_low, base_high])) if base_low > 0.0 => Some([low / base_high, high / base_low]),
        _ => None,
    };
    Some((median / base, interval))
}

/// Why there is nothing to divide by.
pub(crate) fn no_reference(group: &Group<'_>, baseline: Option<&str>) -> &'static str {
    let baseline = baseline.and_then(|provider| group.row_of(provider));
    match baseline.and_then(|row| group.not_compared(row)) {
        Some(NotCompared::Disturbed) => "the baseline was disturbed",
        Some(NotCompared::Withheld) => NotCompared::Withheld.reason(),
        None => "the baseline has no number here",
    }
}

fn ratio_cell(group: &Group<'_>, provider: &str, baseline: Option<&str>) -> Cell {
    let Some(row) = group.row_of(provider) else { return Cell::Blank };
    if row.median_ns.is_none() || !matches!(row.status, Status::Ok | Status::Inconclusive) {
        return Cell::absent(row.status, reason(row, "median_ns"));
    }
    if let Some(why) = group.not_compared(row) {
        return Cell::not_compared(why);
    }
    let Some(reference) = reference(group, baseline) else {
        return Cell::Absent { word: "null", reason: no_reference(group, baseline).into() };
    };
    let disturbed = is_disturbed(row);
    if reference.id == row.id {
        let standing = group.member_of(provider).map(|member| member.standing);
        let mark = match (baseline, standing) {
            (Some(_), _) => Mark::Baseline,
            (None, Some(Standing::Fastest)) => Mark::Fastest,
            (None, Some(Standing::Tied)) => Mark::Tied,
            (None, _) => Mark::Plain,
        };
        return Cell::Estimate(Estimate { value: 1.0, interval: None, quantity: Quantity::Ratio, mark, disturbed });
    }
    match ratio(row, reference) {
        Some((value, interval)) => {
            let tied = group.member_of(provider).is_some_and(|member| member.standing == Standing::Tied);
            let mark = match row.status {
                Status::Inconclusive => Mark::Inconclusive,
                _ if tied && baseline.is_none() => Mark::Tied,
                _ => Mark::Plain,
            };
            Cell::Estimate(Estimate { value, interval, quantity: Quantity::Ratio, mark, disturbed })
        }
        None => Cell::absent(row.status, reason(row, "median_ns")),
    }
}
