//! What has no number, and why.

use super::{Block, Cell, Column, Section, Table};
use crate::record::{Mode, Row, Run, Status};

/// Rows that are not `ok`, by status.
pub(crate) fn section(run: &Run) -> Section {
    let mut table = Table {
        id: "gaps".into(),
        title: "Rows without a reliable number".into(),
        block_name: "status".into(),
        columns: ["row", "provider", "reason"].into_iter().map(Column::text).collect(),
        ..Table::default()
    };
    for (status, title) in
        [(Status::Failed, "failed"), (Status::Inconclusive, "inconclusive"), (Status::Unavailable, "unavailable")]
    {
        let rows: Vec<Vec<Cell>> = run.rows.iter().filter(|row| row.status == status).map(line).collect();
        if !rows.is_empty() {
            table.blocks.push(Block { title: title.into(), rows });
        }
    }
    let tables = if table.is_empty() { Vec::new() } else { vec![table] };
    Section { id: "gaps", title: "Not measured, failed, inconclusive".into(), tables, ..Section::default() }
}

fn line(row: &Row) -> Vec<Cell> {
    let mut name = format!("{} {}", row.algorithm, row.operation);
    if let Some(size) = row.params.get("size").and_then(serde_json::Value::as_u64) {
        name = format!("{name} {}", crate::units::buffer_size(size));
    }
    if row.mode == Mode::Latency {
        name.push_str(" (latency)");
    }
    let reason = row.reason.clone().unwrap_or_else(|| "no reason recorded".into());
    vec![Cell::Text(name), Cell::text(row.provider.clone()), Cell::Text(reason)]
}
