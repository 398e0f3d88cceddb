//! The tables on standard output.

use super::super::columns;
use super::document::Ignored;
use super::{Document, Peers};
use crate::conformance::runner::Tally;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use std::collections::BTreeMap;
use std::fmt::Write;

/// What was ignored is named so often; the rest is counted.
const NAMED: usize = 8;

pub(super) fn render(document: &Document) -> String {
    let mut out = String::new();
    if !document.known_answers.is_empty() {
        let _ = writeln!(out, "{}\n", known_answers(document));
    }
    if !document.cross_checks.is_empty() {
        let _ = writeln!(out, "Cross-check: each provider's keys, ciphertexts and signatures on every other\n");
        let _ = writeln!(out, "{}\n", cross_checks(&document.cross_checks));
    }
    failures(document, &mut out);
    reasons(document, &mut out);
    summary(document, &mut out);
    out
}

fn table(header: &[&str], numbers: std::ops::Range<usize>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    if let Some(columns) = columns() {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(columns);
    }
    table.set_header(header);
    for index in numbers {
        if let Some(column) = table.column_mut(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn known_answers(document: &Document) -> Table {
    let mut table = table(&["provider", "algorithm", "passed", "failed", "acceptable", "not applicable"], 2..6);
    for tally in &document.known_answers {
        table.add_row([
            tally.provider.clone(),
            tally.algorithm.clone(),
            tally.passed.to_string(),
            if tally.failed == 0 { "0".to_owned() } else { format!("FAILED {}", tally.failed) },
            (tally.acceptable.accepted + tally.acceptable.refused).to_string(),
            tally.skipped().to_string(),
        ]);
    }
    table
}

fn cross_checks(peers: &[Peers]) -> Table {
    let mut by_algorithm: Vec<(&str, Vec<&Peers>)> = Vec::new();
    for peer in peers {
        match by_algorithm.last_mut() {
            Some((name, list)) if *name == peer.algorithm => list.push(peer),
            _ => by_algorithm.push((&peer.algorithm, vec![peer])),
        }
    }
    let mut table = table(&["algorithm", "agree", "do not agree", "operations"], 3..4);
    for (name, list) in by_algorithm {
        let names = |passed: bool| {
            let label = |p: &&&Peers| {
                if p.with.is_empty() { format!("{} (alone: round trip only)", p.provider) } else { p.provider.clone() }
            };
            let names: Vec<String> = list.iter().filter(|p| p.passed == passed).map(|p| label(&p)).collect();
            if names.is_empty() { "–".to_owned() } else { names.join(", ") }
        };
        let cases: usize = list.iter().map(|p| p.cases).sum();
        table.add_row([name.to_owned(), names(true), names(false), cases.to_string()]);
    }
    table
}

fn failures(document: &Document, out: &mut String) {
    for tally in document.known_answers.iter().filter(|t| t.failed > 0) {
        let _ = writeln!(out, "FAILED {} {}: {} known answers", tally.provider, tally.algorithm, tally.failed);
        for failure in &tally.failures {
            let _ = writeln!(out, "  {}: {}", failure.place, failure.what);
        }
        let more = tally.failed.saturating_sub(tally.failures.len());
        if more > 0 {
            let _ = writeln!(out, "  and {more} more; --failures N shows N of them");
        }
    }
    for peer in document.cross_checks.iter().filter(|p| !p.passed) {
        let _ = writeln!(out, "FAILED {} {}: cross-check", peer.provider, peer.algorithm);
        for failure in &peer.failures {
            let _ = writeln!(out, "  {failure}");
        }
    }
    if !document.passed {
        out.push('\n');
    }
}

/// Why tests were not asked, most first.
fn reasons(document: &Document, out: &mut String) {
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for tally in &document.known_answers {
        for (reason, tests) in &tally.not_applicable {
            *counts.entry((tally.provider.as_str(), reason)).or_default() += tests;
        }
    }
    let mut list: Vec<_> = counts.into_iter().collect();
    list.sort_by_key(|((provider, reason), tests)| (*provider, std::cmp::Reverse(*tests), *reason));
    if !list.is_empty() {
        let mut table = table(&["provider", "not applicable", "because"], 1..2);
        for ((provider, reason), tests) in list {
            table.add_row([provider.to_owned(), tests.to_string(), reason.to_owned()]);
        }
        let _ = writeln!(out, "{table}\n");
    }
    let mut absent: BTreeMap<&str, usize> = BTreeMap::new();
    for entry in document.not_applicable.iter().filter(|entry| entry.algorithm.is_none()) {
        *absent.entry(&entry.reason).or_default() += entry.tests;
    }
    for (reason, tests) in absent {
        let _ = writeln!(out, "{tests} tests for no provider: {reason}");
    }
    for Ignored { name, reason } in document.ignored.iter().take(NAMED) {
        let _ = writeln!(out, "ignored {name}: {reason}");
    }
    let more = document.ignored.len().saturating_sub(NAMED);
    if more > 0 {
        let _ = writeln!(out, "ignored {more} more; --json names all");
    }
}

fn summary(document: &Document, out: &mut String) {
    let sum = |pick: fn(&Tally) -> usize| document.known_answers.iter().map(pick).sum::<usize>();
    let _ = writeln!(
        out,
        "{} files ({}): {} passed, {} failed, {} acceptable either way, {} not applicable; {} ignored.",
        document.files.len(),
        document.source.join(", "),
        sum(|t| t.passed),
        sum(|t| t.failed),
        sum(|t| t.acceptable.accepted + t.acceptable.refused),
        sum(Tally::skipped),
        document.ignored.len(),
    );
    let wrong = document.cross_checks.iter().filter(|p| !p.passed).count();
    if !document.cross_checks.is_empty() {
        let _ = writeln!(out, "{} cross-checks, {wrong} failed.", document.cross_checks.len());
    }
}
