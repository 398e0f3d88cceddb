//! Provenance: what a reader needs to obtain the same bytes again.

use super::{Block, Cell, Column, Section, Table};
use crate::record::{Provider, Run, Status};

/// One block per provider.
pub(crate) fn section(run: &Run) -> Section {
    let blocks: Vec<Block> =
        run.providers.iter().map(|provider| Block { title: provider.id.clone(), rows: lines(provider) }).collect();
    let table = Table {
        id: "providers".into(),
        title: "Provenance of the providers".into(),
        block_name: "provider".into(),
        columns: vec![Column::text("field"), Column::text("value")],
        blocks,
        notes: Vec::new(),
    };
    let tables = if table.is_empty() { Vec::new() } else { vec![table] };
    Section { id: "providers", title: "Providers".into(), tables, ..Section::default() }
}

fn lines(provider: &Provider) -> Vec<Vec<Cell>> {
    let Provider { id: _, name: _, version, library, flags, isa_path, fips, origin, status, reason, absent } = provider;
    let unknown = |otherwise: &'static str| if *status == Status::Ok { otherwise } else { "it could not be loaded" };
    let or_reason = |field: &str, value: Option<Cell>, otherwise: &str| {
        value.unwrap_or_else(|| Cell::Absent {
            word: "null",
            reason: absent.get(field).cloned().unwrap_or_else(|| otherwise.to_owned()),
        })
    };
    let mut lines = vec![
        vec![Cell::text("status"), Cell::text(status_word(*status, reason.as_deref()))],
        vec![Cell::text("version"), or_reason("version", version.clone().map(Cell::Text), "no reason recorded")],
        vec![Cell::text("origin"), Cell::text(origin.clone())],
        vec![
            Cell::text("library"),
            or_reason("library", library.as_ref().map(|l| Cell::Code(l.path.clone())), unknown("linked into pqlab")),
        ],
    ];
    if let Some(library) = library {
        lines.push(vec![Cell::text("SHA-256"), Cell::Code(library.sha256.clone())]);
    }
    let code = |value: &Option<String>| value.clone().map(Cell::Code);
    let text = |value: &Option<String>| value.clone().map(Cell::Text);
    lines.push(vec![Cell::text("flags"), or_reason("flags", code(flags), unknown("the library does not tell"))]);
    lines.push(vec![
        Cell::text("ISA path"),
        or_reason("isa_path", text(isa_path), unknown("the library does not tell")),
    ]);
    lines.push(vec![Cell::text("FIPS"), or_reason("fips", text(fips), unknown("no FIPS module"))]);
    lines
}

fn status_word(status: Status, reason: Option<&str>) -> String {
    let word = match status {
        Status::Ok => "ok",
        Status::Unavailable => "unavailable",
        Status::Failed => "failed",
        Status::Inconclusive => "inconclusive",
    };
    match reason {
        Some(reason) => format!("{word}: {reason}"),
        None => word.into(),
    }
}
