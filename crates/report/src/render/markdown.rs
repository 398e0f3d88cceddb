//! GitHub-flavoured Markdown.

use super::text::{legend, one_line, words};
use crate::view::{Cell, Document, Mark, Table};
use std::fmt::Write;

/// The document with `#` for its title and `##` for its sections.
pub(super) fn render(document: &Document) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = writeln!(out, "# {}\n\n{}", escape(&document.title), escape(&document.subtitle));
    for section in &document.sections {
        let _ = writeln!(out, "\n## {}", escape(&section.title));
        for paragraph in &section.text {
            let _ = writeln!(out, "\n{}", escape(paragraph));
        }
        for table in &section.tables {
            if section.tables.len() > 1 {
                let _ = writeln!(out, "\n### {}", escape(&table.title));
            }
            push_table(&mut out, table);
            for note in table.notes.iter().cloned().chain(legend(table)) {
                let _ = writeln!(out, "\n{}", escape(&note));
            }
        }
    }
    out
}

fn push_table(out: &mut String, table: &Table) {
    let titled = !table.block_name.is_empty();
    let mut heads: Vec<String> = table.columns.iter().map(|column| escape(&column.name)).collect();
    let mut rules: Vec<&str> = table.columns.iter().map(|column| if column.numeric { "---:" } else { "---" }).collect();
    if titled {
        heads.insert(0, escape(&table.block_name));
        rules.insert(0, "---");
    }
    let _ = writeln!(out, "\n| {} |\n| {} |", heads.join(" | "), rules.join(" | "));
    let units = table.units();
    for block in &table.blocks {
        for row in &block.rows {
            let mut cells: Vec<String> = row
                .iter()
                .enumerate()
                .map(|(index, cell)| cell_text(cell, units.get(index).copied().flatten()))
                .collect();
            if titled {
                cells.insert(0, escape(&block.title));
            }
            let _ = writeln!(out, "| {} |", cells.join(" | "));
        }
    }
}

fn cell_text(cell: &Cell, unit: Option<crate::units::Unit>) -> String {
    let words = words(cell, unit);
    match cell {
        Cell::Code(code) if is_plain_code(code) => format!("`{code}`"),
        Cell::Estimate(estimate) => {
            let mut text = escape(&words.main);
            if estimate.mark == Mark::Fastest {
                text = format!("**{text}**");
            }
            if !words.mark.is_empty() {
                text = format!("{text} {}", words.mark);
            }
            match words.interval {
                Some(interval) => format!("{text} {}", escape(&interval)),
                None => text,
            }
        }
        _ => escape(&words.main),
    }
}

/// Inside backticks nothing can be escaped, and a `|` would still end the cell.
fn is_plain_code(code: &str) -> bool {
    !code.is_empty() && !code.contains(['`', '|', '\\']) && !code.chars().any(char::is_control) && code.trim() == code
}

/// Text that Markdown takes as it is, in one line.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in one_line(text).chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' | '$' => {
                out.push('\\');
                out.push(character);
            }
            other => out.push(other),
        }
    }
    out
}
