//! The numbers, with everything needed to judge them.

use super::pivot::{MakeCell, pivot, rate_cell, reason, table, time_cell};
use super::{Document, Kind, Section, Table, context, gaps, latency, providers, sizes};
use crate::figure;
use crate::group::{Group, Key, groups};
use crate::record::{Mode, Row, Run, Sample};
use crate::units::buffer_size;

/// Families whose cost depends on the length of the input.
pub(crate) const SYMMETRIC: [&str; 5] = ["aead", "cipher", "hash", "mac", "kdf"];

/// The summary of a run.
pub(crate) fn document(run: &Run, samples: Option<&[Sample]>) -> Document {
    let groups = groups(run);
    let mut sections = vec![context::overview(run), context::warnings(run)];
    sections.extend(results(run, &groups, samples));
    sections.push(gaps::section(run));
    sections.push(sizes::section(run));
    sections.push(context::controls(run));
    sections.push(providers::section(run));
    sections.push(context::host(run));
    sections.retain(|section| !(section.text.is_empty() && section.tables.is_empty() && section.figures.is_empty()));
    Document { kind: Kind::Summary, title: context::title(run), subtitle: context::subtitle(run), sections }
}

fn results(run: &Run, groups: &[Group<'_>], samples: Option<&[Sample]>) -> Vec<Section> {
    let mut figures = figure::all(run, samples);
    let mut sections = Vec::new();
    for (id, title, families) in CHAPTERS {
        let tables = comparison_tables(run, groups, families, &time_cell, &rate_cell, &times(), &rates());
        let figures: Vec<_> = extract(&mut figures, |figure| families.contains(&figure.family.as_str()));
        sections.push(Section { id, title: title.into(), text: Vec::new(), tables, figures });
    }
    let known: Vec<&str> = CHAPTERS.iter().flat_map(|(_, _, families)| families.iter().copied()).collect();
    let other: Vec<&str> =
        groups.iter().map(|group| group.key.family.as_str()).filter(|family| !known.contains(family)).collect();
    if !other.is_empty() {
        let tables = comparison_tables(run, groups, &other, &time_cell, &rate_cell, &times(), &rates());
        sections.push(Section { id: "other", title: "Other".into(), text: Vec::new(), tables, figures });
    }
    sections.push(latency::section(run, groups));
    sections
}

fn extract<T>(from: &mut Vec<T>, wanted: impl Fn(&T) -> bool) -> Vec<T> {
    let (taken, left) = std::mem::take(from).into_iter().partition(|item| wanted(item));
    *from = left;
    taken
}

/// What the numbers of a table are.
pub(crate) struct Caption {
    /// Where any of them has an interval.
    pub(crate) with_intervals: String,
    /// Where none has.
    pub(crate) without: String,
}

fn times() -> Caption {
    Caption {
        with_intervals: "Median time per operation over processes, with its 95 % interval.".into(),
        without: "Median time per operation over processes.".into(),
    }
}

fn rates() -> Caption {
    let base = "1 MB/s is 10^6 bytes per second.";
    let rate = "Throughput of one thread at the median time";
    Caption {
        with_intervals: format!("{rate}, with the 95 % interval of that median; {base}"),
        without: format!("{rate}; {base}"),
    }
}

/// Chapters of results: key, heading, families.
pub(crate) const CHAPTERS: [(&str, &str, &[&str]); 4] = [
    ("kem", "Key encapsulation", &["kem"]),
    ("agreement", "Key agreement", &["agreement"]),
    ("signature", "Signatures", &["signature"]),
    ("symmetric", "Symmetric", &SYMMETRIC),
];

/// Tables of the batched rows of some families: operations, key handling, and sizes for symmetric families.
pub(crate) fn comparison_tables(
    run: &Run,
    groups: &[Group<'_>],
    families: &[&str],
    time: MakeCell<'_>,
    rate: MakeCell<'_>,
    time_caption: &Caption,
    rate_caption: &Caption,
) -> Vec<Table> {
    let batched: Vec<&Group<'_>> = groups
        .iter()
        .filter(|group| group.key.mode == Mode::Throughput && families.contains(&group.key.family.as_str()))
        .collect();
    let (sized, single): (Vec<&Group<'_>>, Vec<&Group<'_>>) =
        batched.into_iter().partition(|group| is_sized(&group.key));
    let (keys, operations): (Vec<&Group<'_>>, Vec<&Group<'_>>) =
        single.into_iter().partition(|g| is_key_handling(&g.key));
    let varying = sizes_vary(&operations);
    let id = families.first().copied().unwrap_or("other");
    let id = if SYMMETRIC.contains(&id) { "symmetric" } else { id };
    let column = |key: &Key| match key.size {
        Some(size) if varying => format!("{} {}", key.operation_label(), buffer_size(size)),
        _ => key.operation_label(),
    };
    let algorithm = |key: &Key| key.algorithm.clone();
    let of_times = |id: &str, title: &str, groups: &[&Group<'_>]| {
        let layout = pivot(run, groups, &algorithm, &column, time);
        noted(table(id, title, "algorithm", layout, Vec::new()), time_caption, groups)
    };
    let mut tables = vec![
        of_times(id, "Operations", &operations),
        of_times(&format!("{id}-keys"), "Import and export of keys", &keys),
    ];
    let mut by_size = sized;
    by_size.sort_by_key(|group| group.key.size);
    let order: Vec<String> = groups.iter().map(|group| algorithm_operation(&group.key)).collect();
    let mut layout =
        pivot(run, &by_size, &algorithm_operation, &|key| key.size.map_or_else(String::new, buffer_size), rate);
    layout.1.sort_by_key(|block| order.iter().position(|title| *title == block.title));
    let title = "Throughput by input size";
    let sizes = table(&format!("{id}-sizes"), title, "algorithm and operation", layout, Vec::new());
    tables.push(noted(sizes, rate_caption, &by_size));
    tables.retain(|table| !table.is_empty());
    tables
}

/// The table with notes that say what its numbers are, and what they lack.
fn noted(mut table: Table, caption: &Caption, groups: &[&Group<'_>]) -> Table {
    let Caption { with_intervals, without } = caption;
    let first = if table.has_interval() { with_intervals } else { without };
    table.notes = std::iter::once(first.clone()).chain(no_interval(groups)).collect();
    table
}

/// How many numbers have no interval, and the most frequent reason; nothing when all have one.
fn no_interval(groups: &[&Group<'_>]) -> Option<String> {
    let rows = || groups.iter().flat_map(|group| group.measured.iter()).map(|(row, _)| *row);
    let mut reasons: Vec<(String, usize)> = Vec::new();
    for row in rows().filter(|row| row.ci95_ns.is_none()) {
        let reason = why_no_interval(row);
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, count)) => *count += 1,
            None => reasons.push((reason, 1)),
        }
    }
    let without: usize = reasons.iter().map(|(_, count)| count).sum();
    let (reason, _) = reasons.into_iter().max_by_key(|(_, count)| *count)?;
    let share = context::of(without, rows().count());
    Some(format!("{share} numbers have no interval and so no mark, most often because: {reason}."))
}

/// The record counts medians of processes; a reader can only ask for more processes.
fn why_no_interval(row: &Row) -> String {
    let reason = reason(row, "ci95_ns").unwrap_or("no reason recorded");
    let processes = row.processes;
    let fewest = reason.strip_prefix(&format!("{processes} of the at least "));
    match fewest.and_then(|rest| rest.split(' ').next()?.parse::<u32>().ok()) {
        Some(fewest) => {
            format!("needs at least {fewest} processes, this row has {processes} (--processes {fewest})")
        }
        None => reason.to_owned(),
    }
}

fn is_sized(key: &Key) -> bool {
    SYMMETRIC.contains(&key.family.as_str()) && key.size.is_some()
}

/// Imports and exports are shown apart from the operations proper.
pub(crate) fn is_key_handling(key: &Key) -> bool {
    key.operation.starts_with("import") || key.operation.starts_with("export")
}

/// Whether one algorithm's operation occurs with several sizes: then the size belongs to its name.
fn sizes_vary(groups: &[&Group<'_>]) -> bool {
    groups.iter().any(|a| {
        groups.iter().any(|b| {
            a.key.algorithm == b.key.algorithm && a.key.operation == b.key.operation && a.key.size != b.key.size
        })
    })
}

pub(crate) fn algorithm_operation(key: &Key) -> String {
    format!("{} {}", key.algorithm, key.operation_label())
}
