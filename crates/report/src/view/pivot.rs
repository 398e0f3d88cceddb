//! Groups laid out for comparison: a block per algorithm, a row per provider, a column per operation or size.

use super::{Block, Cell, Column, Estimate, Mark, Table, is_disturbed};
use crate::group::{Group, Key, Member, Standing, is_null_provider};
use crate::record::{Row, Run, Status};
use crate::units::Quantity;

/// How a cell is made from a provider's row of a group.
pub(crate) type MakeCell<'f> = &'f dyn Fn(&Group<'_>, &str) -> Cell;

/// Lays out `groups`. `block_of` names the block of a key, `column_of` its column.
pub(crate) fn pivot(
    run: &Run,
    groups: &[&Group<'_>],
    block_of: &dyn Fn(&Key) -> String,
    column_of: &dyn Fn(&Key) -> String,
    cell: MakeCell<'_>,
) -> (Vec<Column>, Vec<Block>) {
    let mut columns: Vec<String> = Vec::new();
    let mut titles: Vec<String> = Vec::new();
    for group in groups {
        push_new(&mut columns, column_of(&group.key));
        push_new(&mut titles, block_of(&group.key));
    }
    let providers = provider_order(run);
    let blocks = titles
        .into_iter()
        .map(|title| {
            let members: Vec<&&Group<'_>> = groups.iter().filter(|group| block_of(&group.key) == title).collect();
            let rows = providers
                .iter()
                .filter(|provider| members.iter().any(|group| group.row_of(provider).is_some()))
                .map(|provider| {
                    let cells = columns.iter().map(|column| {
                        match members.iter().find(|group| column_of(&group.key) == *column) {
                            Some(group) => cell(group, provider),
                            None => Cell::Blank,
                        }
                    });
                    std::iter::once(Cell::text(provider.clone())).chain(cells).collect()
                })
                .collect();
            Block { title, rows }
        })
        .collect();
    let columns = std::iter::once(Column::text("provider")).chain(columns.into_iter().map(Column::number)).collect();
    (columns, blocks)
}

/// Providers in the order in which the run lists them; the `null` control is not among them.
pub(crate) fn provider_order(run: &Run) -> Vec<String> {
    let mut order = Vec::new();
    for provider in &run.providers {
        push_new(&mut order, provider.id.clone());
    }
    for row in &run.rows {
        push_new(&mut order, row.provider.clone());
    }
    order.retain(|provider| !is_null_provider(provider));
    order
}

fn push_new(list: &mut Vec<String>, item: String) {
    if !list.contains(&item) {
        list.push(item);
    }
}

/// The median of a provider's row with its interval.
pub(crate) fn time_cell(group: &Group<'_>, provider: &str) -> Cell {
    number_cell(group, provider, Quantity::Time, &|_, median, interval| Some((median, interval)))
}

/// The rate at the median: size divided by time.
pub(crate) fn rate_cell(group: &Group<'_>, provider: &str) -> Cell {
    let size = group.key.size;
    number_cell(group, provider, Quantity::Rate, &|_, median, interval| {
        #[allow(clippy::cast_precision_loss)] // a buffer has less than 2^53 bytes
        let bytes = size? as f64;
        let rate = |ns: f64| bytes * 1e9 / ns;
        Some((rate(median), interval.map(|[low, high]| [rate(high), rate(low)])))
    })
}

/// Value and interval made from a row's median and interval; `None` where it cannot be made.
type Convert<'f> = &'f dyn Fn(&Row, f64, Option<[f64; 2]>) -> Option<(f64, Option<[f64; 2]>)>;

fn number_cell(group: &Group<'_>, provider: &str, quantity: Quantity, convert: Convert<'_>) -> Cell {
    let Some(row) = group.row_of(provider) else { return Cell::Blank };
    let Some(median) = row.median_ns.filter(|_| matches!(row.status, Status::Ok | Status::Inconclusive)) else {
        return Cell::absent(row.status, reason(row, "median_ns"));
    };
    match convert(row, median, row.ci95_ns) {
        Some((value, interval)) => {
            let mark = match group.member_of(provider) {
                Some(member) => mark(member),
                None if row.status == Status::Inconclusive => Mark::Inconclusive,
                None => Mark::Plain,
            };
            Cell::Estimate(Estimate { value, interval, quantity, mark, disturbed: is_disturbed(row) })
        }
        None => Cell::absent(row.status, reason(row, "median_ns")),
    }
}

fn mark(member: &Member<'_>) -> Mark {
    match member.standing {
        Standing::Fastest => Mark::Fastest,
        Standing::Tied => Mark::Tied,
        Standing::Behind => Mark::Plain,
    }
}

/// Why a field of a row is null: its own reason, or that of the row.
pub(crate) fn reason<'r>(row: &'r Row, field: &str) -> Option<&'r str> {
    row.absent.get(field).or(row.reason.as_ref()).map(String::as_str)
}

/// A table made by [`pivot`], with its caption.
pub(crate) fn table(
    id: &str,
    title: &str,
    block_name: &str,
    (columns, blocks): (Vec<Column>, Vec<Block>),
    notes: Vec<String>,
) -> Table {
    Table { id: id.into(), title: title.into(), block_name: block_name.into(), columns, blocks, notes }
}
