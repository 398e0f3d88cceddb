//! Rows whose sample is one operation: only here does a percentile mean the latency of a caller.

use super::pivot::{provider_order, reason, time_cell};
use super::summary::algorithm_operation;
use super::{Block, Cell, Column, Estimate, Mark, Section, Table};
use crate::group::Group;
use crate::record::{Mode, Row, Run};
use crate::units::{Quantity, buffer_size};

/// Latency of single operations; empty when the run measured none.
pub(crate) fn section(run: &Run, groups: &[Group<'_>]) -> Section {
    let mut table = Table {
        id: "latency".into(),
        title: "Single operations".into(),
        block_name: "algorithm and operation".into(),
        columns: vec![
            Column::text("provider"),
            Column::number("median"),
            Column::number("p95"),
            Column::number("p99"),
            Column::number("smallest"),
        ],
        blocks: Vec::new(),
        notes: Vec::new(),
    };
    for group in groups.iter().filter(|group| group.key.mode == Mode::Latency) {
        let mut title = algorithm_operation(&group.key);
        if let Some(size) = group.key.size {
            title = format!("{title}, {}", buffer_size(size));
        }
        let rows = provider_order(run)
            .iter()
            .filter_map(|provider| {
                let row = group.row_of(provider)?;
                Some(vec![
                    Cell::text(provider.clone()),
                    time_cell(group, provider),
                    quantile(row, "p95_ns", row.p95_ns),
                    quantile(row, "p99_ns", row.p99_ns),
                    quantile(row, "min_ns", row.min_ns),
                ])
            })
            .collect();
        table.blocks.push(Block { title, rows });
    }
    table.blocks.retain(|block| !block.rows.is_empty());
    let interval = if table.has_interval() { ", the interval is of the median" } else { "" };
    table.notes =
        vec![format!("Each operation was stamped on its own; percentiles are over single operations{interval}.")];
    let tables = if table.is_empty() { Vec::new() } else { vec![table] };
    Section { id: "latency", title: "Latency".into(), text: Vec::new(), tables, figures: Vec::new() }
}

fn quantile(row: &Row, field: &str, value: Option<f64>) -> Cell {
    match value {
        Some(value) => Cell::Estimate(Estimate {
            value,
            interval: None,
            quantity: Quantity::Time,
            mark: Mark::Plain,
            disturbed: false,
        }),
        None => Cell::absent(row.status, reason(row, field)),
    }
}
