//! The numbers, with everything needed to judge them.

use super::pivot::{MakeCell, pivot, rate_cell, reason, table, time_cell};
use super::{Document, Kind, Section, Table, context, gaps, latency, providers, sizes};
use crate::figure;
use crate::group::{Group, Key, groups};
use crate::record::{Mode, Run, Sample};
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
        let tables = comparison_tables(run, groups, families, &time_cell, &rate_cell, TIME_NOTE, RATE_NOTE);
        let figures: Vec<_> = extract(&mut figures, |figure| families.contains(&figure.family.as_str()));
        sections.push(Section { id, title: title.into(), text: Vec::new(), tables, figures });
    }
    let known: Vec<&str> = CHAPTERS.iter().flat_map(|(_, _, families)| families.iter().copied()).collect();
    let other: Vec<&str> =
        groups.iter().map(|group| group.key.family.as_str()).filter(|family| !known.contains(family)).collect();
    if !other.is_empty() {
        let tables = comparison_tables(run, groups, &other, &time_cell, &rate_cell, TIME_NOTE, RATE_NOTE);
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

const TIME_NOTE: &str = "Median time per operation over processes, with its 95 % interval.";
const RATE_NOTE: &str = "Throughput of one thread at the median time, with the 95 % interval of that median; 1 MB/s is 10^6 bytes per second.";

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
    time_note: &str,
    rate_note: &str,
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
    let mut tables = vec![
        table(
            id,
            "Operations",
            "algorithm",
            pivot(run, &operations, &algorithm, &column, time),
            notes(&operations, time_note),
        ),
        table(
            &format!("{id}-keys"),
            "Import and export of keys",
            "algorithm",
            pivot(run, &keys, &algorithm, &column, time),
            notes(&keys, time_note),
        ),
    ];
    let mut by_size = sized;
    by_size.sort_by_key(|group| group.key.size);
    let order: Vec<String> = groups.iter().map(|group| algorithm_operation(&group.key)).collect();
    let mut layout =
        pivot(run, &by_size, &algorithm_operation, &|key| key.size.map_or_else(String::new, buffer_size), rate);
    layout.1.sort_by_key(|block| order.iter().position(|title| *title == block.title));
    tables.push(table(
        &format!("{id}-sizes"),
        "Throughput by input size",
        "algorithm and operation",
        layout,
        notes(&by_size, rate_note),
    ));
    tables.retain(|table| !table.is_empty());
    tables
}

/// What the numbers are, and what they lack.
fn notes(groups: &[&Group<'_>], first: &str) -> Vec<String> {
    std::iter::once(first.to_owned()).chain(no_interval(groups)).collect()
}

/// How many numbers have no interval, and the most frequent reason; nothing when all have one.
fn no_interval(groups: &[&Group<'_>]) -> Option<String> {
    let rows = || groups.iter().flat_map(|group| group.ranked.iter()).map(|member| member.row);
    let mut reasons: Vec<(&str, usize)> = Vec::new();
    for row in rows().filter(|row| row.ci95_ns.is_none()) {
        let reason = reason(row, "ci95_ns").unwrap_or("no reason recorded");
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
