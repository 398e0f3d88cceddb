//! Tables for a terminal of any width.
//!
//! A table that is too wide first puts intervals below their medians, then splits into parts of fewer columns; tables
//! of words wrap.

use super::text::{legend, one_line, words};
use crate::view::{Block, Cell as Value, Document, Mark, Table as View, Verdict};
use comfy_table::{Attribute, Cell, CellAlignment, Color, ContentArrangement, LineStyle, Table, TableStyle};

/// Narrower than this no table can be read.
const NARROWEST: u16 = 40;

const STYLE: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// Before names inside a block. Spaces proper would go where a long name wraps.
const INDENT: &str = "\u{a0}\u{a0}";

/// The document as text lines of at most `width` columns where words allow it.
pub(super) fn render(document: &Document, width: u16, colour: bool) -> String {
    let width = width.max(NARROWEST);
    let paint = Paint { colour };
    let mut out = String::new();
    paint.push_heading(&mut out, &document.title, width);
    push_wrapped(&mut out, &document.subtitle, width);
    for section in &document.sections {
        out.push('\n');
        paint.push_heading(&mut out, &section.title.to_uppercase(), width);
        for paragraph in &section.text {
            push_wrapped(&mut out, paragraph, width);
        }
        for table in &section.tables {
            if section.tables.len() > 1 {
                out.push('\n');
                paint.push_heading(&mut out, &table.title, width);
            }
            push_table(&mut out, table, width, colour);
            for note in &table.notes {
                push_wrapped(&mut out, note, width);
            }
            if let Some(legend) = legend(table) {
                push_wrapped(&mut out, &legend, width);
            }
        }
    }
    out
}

struct Paint {
    colour: bool,
}

impl Paint {
    fn push_heading(&self, out: &mut String, text: &str, width: u16) {
        let mut lines = String::new();
        push_wrapped(&mut lines, text, width);
        for line in lines.lines() {
            out.push_str(&if self.colour { format!("\u{1b}[1m{line}\u{1b}[0m\n") } else { format!("{line}\n") });
        }
    }
}

fn push_wrapped(out: &mut String, text: &str, width: u16) {
    let mut column = 0;
    for word in one_line(text).split_whitespace() {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > usize::from(width) {
            out.push('\n');
            column = 0;
        }
        if column > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += length;
    }
    out.push('\n');
}

/// Where the interval of a number stands.
#[derive(Clone, Copy, PartialEq)]
enum Layout {
    Inline,
    Stacked,
}

fn push_table(out: &mut String, view: &View, width: u16, colour: bool) {
    let all: Vec<usize> = (0..view.columns.len()).collect();
    let of_numbers = view.columns.iter().skip(1).any(|column| column.numeric);
    if !of_numbers {
        let mut table = build(view, &all, Layout::Inline, colour);
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
        push_lines(out, &table);
        return;
    }
    for layout in [Layout::Inline, Layout::Stacked] {
        let table = build(view, &all, layout, colour);
        if breadth(&table) <= usize::from(width) {
            push_lines(out, &table);
            return;
        }
    }
    let parts = split(view, width, colour);
    let count = parts.len();
    for (index, part) in parts.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        let mut table = build(view, part, Layout::Stacked, colour);
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
        push_lines(out, &table);
        if count > 1 {
            out.push_str(&format!("(part {} of {count})\n", index + 1));
        }
    }
}

/// Columns of each part of a table that is too wide; the first column stands in all of them.
fn split(view: &View, width: u16, colour: bool) -> Vec<Vec<usize>> {
    let mut parts: Vec<Vec<usize>> = Vec::new();
    for column in 1..view.columns.len() {
        if let Some(part) = parts.last_mut() {
            let mut longer = part.clone();
            longer.push(column);
            if breadth(&build(view, &longer, Layout::Stacked, colour)) <= usize::from(width) {
                *part = longer;
                continue;
            }
        }
        parts.push(vec![0, column]);
    }
    parts
}

/// Columns of a terminal that the table takes.
fn breadth(table: &Table) -> usize {
    // Each column has a space on either side, and one more lies between two columns.
    let widths = table.column_max_content_widths();
    widths.iter().map(|width| usize::from(*width) + 2).sum::<usize>() + widths.len().saturating_sub(1)
}

fn push_lines(out: &mut String, table: &Table) {
    for line in table.lines() {
        out.push_str(line.replace(INDENT, "  ").trim_end());
        out.push('\n');
    }
}

fn build(view: &View, columns: &[usize], layout: Layout, colour: bool) -> Table {
    let mut table = Table::new();
    table.load_style(STYLE).set_content_arrangement(ContentArrangement::Disabled);
    if colour {
        table.enforce_styling();
    } else {
        table.force_no_tty();
    }
    let headings = columns.iter().filter_map(|index| view.columns.get(*index));
    table.set_header(headings.clone().map(|column| Cell::new(one_line(&column.name)).add_attribute(Attribute::Bold)));
    for (place, column) in headings.enumerate() {
        if let (true, Some(column)) = (column.numeric, table.column_mut(place)) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let titled = view.blocks.iter().any(|block| !block.title.is_empty());
    let units = view.units();
    for block in view.blocks.iter().filter(|block| says_something(block, columns)) {
        if titled {
            let heading = Cell::new(one_line(&block.title)).add_attribute(Attribute::Bold);
            table.add_row(vec![heading]);
        }
        for row in &block.rows {
            let rooms: Vec<usize> = columns.iter().map(|index| mark_room(view, *index)).collect();
            table.add_row(columns.iter().zip(rooms).enumerate().filter_map(|(place, (index, room))| {
                let value = row.get(*index)?;
                let mut text = cell_text(value, units.get(*index).copied().flatten(), layout, room);
                if titled && place == 0 {
                    text = format!("{INDENT}{text}");
                }
                Some(styled(Cell::new(text), value))
            }));
        }
    }
    table
}

/// Whether a part of a table has anything in this block but its names.
fn says_something(block: &Block, columns: &[usize]) -> bool {
    let cells =
        || block.rows.iter().flat_map(|row| columns.iter().filter(|index| **index > 0).map(|index| row.get(*index)));
    cells().any(|cell| !matches!(cell, None | Some(Value::Blank)))
}

/// Room that the marks of a column need, so that its numbers stay aligned.
fn mark_room(view: &View, column: usize) -> usize {
    let cells = view.blocks.iter().flat_map(|block| block.rows.iter()).filter_map(|row| row.get(column));
    let signs =
        cells.map(|cell| if let Value::Estimate(estimate) = cell { estimate.signs().chars().count() } else { 0 });
    signs.max().unwrap_or(0)
}

fn cell_text(value: &Value, unit: Option<crate::units::Unit>, layout: Layout, room: usize) -> String {
    let words = words(value, unit);
    let mut text = one_line(&words.main);
    if let Value::Estimate(_) = value {
        if room > 0 {
            text = format!("{text} {:room$}", words.mark);
        }
        if let Some(interval) = words.interval {
            let joint = if layout == Layout::Stacked { "\n" } else { " " };
            text = format!("{text}{joint}{interval}");
        }
    }
    text
}

fn styled(cell: Cell, value: &Value) -> Cell {
    match value {
        Value::Estimate(estimate) if estimate.disturbed => cell.fg(Color::Yellow),
        Value::Estimate(estimate) => match estimate.mark {
            Mark::Fastest => cell.fg(Color::Green).add_attribute(Attribute::Bold),
            Mark::Tied | Mark::Baseline => cell.fg(Color::Cyan),
            Mark::Inconclusive => cell.fg(Color::Yellow),
            Mark::Plain => cell,
        },
        Value::Absent { word: "failed", .. } | Value::Verdict(Verdict::Missing) => cell.fg(Color::Red),
        Value::Absent { .. } => cell.fg(Color::DarkGrey),
        Value::Verdict(Verdict::Holds) => cell.fg(Color::Green),
        _ => cell,
    }
}
