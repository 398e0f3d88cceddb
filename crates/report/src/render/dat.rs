//! Columns for gnuplot. Data sets are divided by two empty lines, so `index N` selects one; names are quoted; a number
//! that is absent is `NaN`, which gnuplot leaves out, with the reason in a comment.

use super::text::one_line;
use crate::group::{Group, NotCompared, groups, withheld};
use crate::record::{Mode, Row, Run, Sample};
use crate::view::comparative::{ratio, reference};
use crate::view::pivot::provider_order;
use crate::view::summary::{SYMMETRIC, algorithm_operation};
use crate::view::verification::checks;
use crate::view::{DISTURBED, Kind, MOST_CONTAMINATED_PCT, Verdict, context, is_disturbed};
use std::fmt::Write;

/// The report of a kind as data sets.
pub(super) fn render(run: &Run, samples: Option<&[Sample]>, kind: Kind, baseline: Option<&str>) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = writeln!(out, "# {}", one_line(&context::title(run)));
    let _ = writeln!(out, "# {}", one_line(&context::subtitle(run)));
    let _ = writeln!(out, "# made by: {}", one_line(&context::command(run)));
    if let Some(line) = withheld(run) {
        let _ = writeln!(out, "# {}", one_line(&line));
    }
    let groups = groups(run);
    let mut sets: Vec<String> = Vec::new();
    match kind {
        Kind::Summary => {
            sets.extend(groups.iter().filter(|group| !over_sizes(group)).map(|group| times(run, group)));
            sets.extend(sizes(run, &groups));
        }
        Kind::Comparative => sets.extend(groups.iter().map(|group| ratios(run, group, baseline))),
        Kind::Verification => sets.push(checklist(run, samples)),
    }
    for (index, set) in sets.iter().enumerate() {
        if index > 0 {
            out.push_str("\n\n");
        }
        let _ = write!(out, "# index {index}: {set}");
    }
    out
}

fn over_sizes(group: &Group<'_>) -> bool {
    let key = &group.key;
    key.mode == Mode::Throughput && key.size.is_some() && SYMMETRIC.contains(&key.family.as_str())
}

fn heading(group: &Group<'_>) -> String {
    let size = group.key.size.map_or_else(String::new, |size| format!(", {size} bytes"));
    let mode = if group.key.mode == Mode::Latency { ", latency" } else { "" };
    one_line(&format!("{}{size}{mode}", algorithm_operation(&group.key)))
}

fn times(run: &Run, group: &Group<'_>) -> String {
    let mut set = format!("{}\n# provider median_ns ci95_low_ns ci95_high_ns mean_ns p95_ns p99_ns\n", heading(group));
    for row in provider_order(run).iter().filter_map(|provider| group.row_of(provider)) {
        let [low, high] = ends(row.ci95_ns);
        let numbers = [row.median_ns, low, high, row.mean_ns, row.p95_ns, row.p99_ns];
        push_line(&mut set, &quoted(&row.provider), &numbers, comment(row).as_deref());
    }
    set
}

/// One data set per algorithm, operation and provider, over sizes.
fn sizes(run: &Run, groups: &[Group<'_>]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for group in groups.iter().filter(|group| over_sizes(group)) {
        let name = algorithm_operation(&group.key);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let mut sets = Vec::new();
    for name in names {
        let mut members: Vec<&Group<'_>> =
            groups.iter().filter(|group| over_sizes(group) && algorithm_operation(&group.key) == name).collect();
        members.sort_by_key(|group| group.key.size);
        for provider in provider_order(run) {
            let rows: Vec<&Row> = members.iter().filter_map(|group| group.row_of(&provider)).collect();
            if rows.is_empty() {
                continue;
            }
            let title = one_line(&format!("{name}, {provider}"));
            let mut set = format!("{title}\n# size_bytes median_ns ci95_low_ns ci95_high_ns bytes_per_s\n");
            for row in rows {
                let size = row.params.get("size").and_then(serde_json::Value::as_u64).unwrap_or(0);
                let [low, high] = ends(row.ci95_ns);
                push_line(
                    &mut set,
                    &size.to_string(),
                    &[row.median_ns, low, high, row.bytes_per_s],
                    comment(row).as_deref(),
                );
            }
            sets.push(set);
        }
    }
    sets
}

fn ratios(run: &Run, group: &Group<'_>, baseline: Option<&str>) -> String {
    let mut set = format!("{}\n# provider ratio low high\n", heading(group));
    let base = reference(group, baseline);
    for row in provider_order(run).iter().filter_map(|provider| group.row_of(provider)) {
        let found = base.filter(|_| group.member_of(&row.provider).is_some()).and_then(|base| ratio(row, base));
        let [low, high] = ends(found.and_then(|(_, interval)| interval));
        let numbers = [found.map(|(value, _)| value), low, high];
        let why = group.not_compared(row).map(NotCompared::reason);
        push_line(&mut set, &quoted(&row.provider), &numbers, row.reason.as_deref().or(why));
    }
    set
}

fn checklist(run: &Run, samples: Option<&[Sample]>) -> String {
    let mut set = "checklist\n# check holds\n".to_owned();
    for check in checks(run, samples) {
        let holds = u8::from(check.verdict == Verdict::Holds);
        let missing = one_line(&check.missing.join("; "));
        let comment = if missing.is_empty() { String::new() } else { format!(" # {missing}") };
        let _ = writeln!(set, "{} {holds}{comment}", quoted(check.id));
    }
    set
}

/// What is to be known of a row's numbers.
fn comment(row: &Row) -> Option<String> {
    let disturbed = is_disturbed(row)
        .then(|| format!("{DISTURBED} more than {MOST_CONTAMINATED_PCT} % of its samples were disturbed"));
    let parts: Vec<String> = disturbed.into_iter().chain(row.reason.clone()).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

fn push_line(set: &mut String, first: &str, numbers: &[Option<f64>], reason: Option<&str>) {
    set.push_str(first);
    for number in numbers {
        match number {
            Some(value) => {
                let _ = write!(set, " {value}");
            }
            None => set.push_str(" NaN"),
        }
    }
    if let Some(reason) = reason {
        let _ = write!(set, " # {}", one_line(reason));
    }
    set.push('\n');
}

fn ends(interval: Option<[f64; 2]>) -> [Option<f64>; 2] {
    match interval {
        Some([low, high]) => [Some(low), Some(high)],
        None => [None, None],
    }
}

/// A name in double quotes. Inside data gnuplot knows no escape for the quote itself, nor for its comment sign.
fn quoted(name: &str) -> String {
    format!("\"{}\"", one_line(name).replace(['"', '\\', '#'], "'"))
}
