//! Writes `.dat` files: what system 003 and gnuplot read, with who was measured in comments.

use super::chart::NO_FIGURE;
use super::table::{Column, Row, Source, Table, TableType};
use crate::render::one_line;
use std::fmt::Write;

/// Width of the column of names, unless a name is longer.
const NAME: usize = 16;

/// The table as a `.dat` file.
#[must_use]
pub fn write(table: &Table) -> String {
    // Writing to a String cannot fail.
    let mut out = format!("# table: {}\n", table.kind);
    let names = table.rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0).max(NAME);
    let mut present: Option<usize> = None;
    let mut described: Vec<usize> = Vec::new();
    for row in &table.rows {
        if present != Some(row.source) {
            if let Some(source) = table.sources.get(row.source) {
                push_source(&mut out, source, !described.contains(&row.source));
                described.push(row.source);
            }
            if present.is_none() {
                let _ = writeln!(out, "{}", heading(table.kind, names));
            }
            present = Some(row.source);
        }
        push_row(&mut out, table.kind, row, names);
    }
    out
}

fn push_source(out: &mut String, source: &Source, described: bool) {
    let _ = writeln!(out, "# provider: {}", one_line(&source.id));
    if !described {
        return;
    }
    let facts = [("host", &source.host), ("made by", &source.made_by)];
    for (key, value) in facts.into_iter().filter_map(|(key, value)| Some((key, value.as_ref()?))) {
        let _ = writeln!(out, "# {key}: {}", one_line(value));
    }
}

fn heading(kind: TableType, names: usize) -> String {
    let columns = |words: &[&str]| words.iter().map(|word| format!(" {word:>14}")).collect::<String>();
    match kind {
        TableType::Kbytes => {
            let sizes = kind.columns(false).iter().map(|column| format!(" {:>14}", format!("{} bytes", column.word())));
            format!("{:<names$}{}", "# type", sizes.collect::<String>())
        }
        TableType::SigVer => format!("{:<names$}{}", "#", columns(&["sign", "verify", "sign/s", "verify/s"])),
        TableType::Op => format!("{:<names$}{}", "#", columns(&["op", "op/s"])),
        TableType::SigVerKeygen => format!("{:<names$}{}", "#", columns(&["sign/s", "verify/s", "keygen/s"])),
        TableType::DecEncKeygenDh => format!("{:<names$}{}", "#", columns(&["dec/s", "enc/s", "keygen/s", "dh/s"])),
        TableType::SigEncMix => format!(
            "{:<names$}{}   or\n{:<names$}{}",
            "#",
            columns(&["sign/s", "verify/s", "keygen/s"]),
            "#",
            columns(&["dec/s", "enc/s", "keygen/s", "dh/s"])
        ),
    }
}

fn push_row(out: &mut String, kind: TableType, row: &Row, names: usize) {
    for (column, [low, high]) in row.cells.iter().filter_map(|cell| Some((cell.column, cell.interval?))) {
        let _ = writeln!(out, "# interval: {} {low} {high}", column.word());
    }
    // The reader says this by itself.
    if let Some(reason) = row.reason.as_ref().filter(|reason| *reason != NO_FIGURE) {
        let _ = writeln!(out, "# absent: {}", one_line(reason));
    }
    let _ = write!(out, "{:<names$}", word(&row.name));
    let columns = kind.columns(row.is_signature());
    if matches!(kind, TableType::SigVer | TableType::Op) {
        for value in columns.iter().map(|column| row.value(*column)) {
            let text = value.map_or_else(|| "NaN".into(), |value| format!("{:.6}s", 1.0 / value));
            let _ = write!(out, " {text:>14}");
        }
    }
    for value in columns.iter().map(|column| row.value(*column)) {
        let suffix = if matches!(columns.first(), Some(Column::Buffer(_))) { "k" } else { "" };
        let text = value.map_or_else(|| "NaN".into(), |value| format!("{}{suffix}", digits(value)));
        let _ = write!(out, " {text:>14}");
    }
    out.push('\n');
}

/// Two decimals as the tool prints them where that loses nothing, else all that it takes.
fn digits(value: f64) -> String {
    let short = format!("{value:.2}");
    if short.parse() == Ok(value) { short } else { value.to_string() }
}

/// A name in one word that begins no comment.
fn word(name: &str) -> String {
    let joined: Vec<String> = one_line(name).split_whitespace().map(ToOwned::to_owned).collect();
    let joined = joined.join("-");
    match joined.strip_prefix('#') {
        Some(rest) => format!("_{rest}"),
        None if joined.is_empty() => "_".into(),
        None => joined,
    }
}
