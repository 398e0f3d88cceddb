//! What has no number, and why.

use super::{Block, Cell, Column, Section, Table};
use crate::group::Key;
use crate::record::{Mode, Row, Run, Status};

/// Rows that are not `ok`, by status.
pub(crate) fn section(run: &Run) -> Section {
    let mut table = Table {
        id: "gaps".into(),
        title: "Rows without a reliable number".into(),
        block_name: "status".into(),
        columns: ["work", "provider", "reason"].into_iter().map(Column::text).collect(),
        ..Table::default()
    };
    for (status, title) in
        [(Status::Failed, "failed"), (Status::Inconclusive, "inconclusive"), (Status::Unavailable, "unavailable")]
    {
        let rows = lines(run.rows.iter().filter(|row| row.status == status));
        if !rows.is_empty() {
            table.blocks.push(Block { title: title.into(), rows });
        }
    }
    let tables = if table.is_empty() { Vec::new() } else { vec![table] };
    Section { id: "gaps", title: "Not measured, failed, inconclusive".into(), tables, ..Section::default() }
}

/// One line for all operations of an algorithm that are missing from a provider for the same reason.
fn lines<'r>(rows: impl Iterator<Item = &'r Row>) -> Vec<Vec<Cell>> {
    let mut lines: Vec<(&Row, Vec<String>)> = Vec::new();
    for row in rows {
        let same = |known: &Row| {
            known.algorithm == row.algorithm && known.provider == row.provider && known.reason == row.reason
        };
        match lines.iter_mut().find(|(known, _)| same(known)) {
            Some((_, works)) => works.push(work(row)),
            None => lines.push((row, vec![work(row)])),
        }
    }
    let cells = lines.into_iter().map(|(row, works)| {
        let reason = row.reason.clone().unwrap_or_else(|| "no reason recorded".into());
        let name = format!("{}: {}", row.algorithm, works.join(", "));
        vec![Cell::Text(name), Cell::text(row.provider.clone()), Cell::Text(reason)]
    });
    cells.collect()
}

/// The operation with what tells it from others of the same name.
fn work(row: &Row) -> String {
    let mut work = Key::of(row).operation_label();
    if let Some(size) = row.params.get("size").and_then(serde_json::Value::as_u64) {
        work = format!("{work} {}", crate::units::buffer_size(size));
    }
    if row.mode == Mode::Latency {
        work.push_str(" (latency)");
    }
    work
}
