//! Tables of a document as HTML.

use super::data::Look;
use super::escape;
use crate::render::text::{legend, words};
use crate::units::Unit;
use crate::view::{Block, Cell, Mark, Table, Verdict};
use std::fmt::Write;

/// Appends a table in a region that scrolls on its own, so that the page never does.
pub(super) fn push(out: &mut String, table: &Table, captioned: bool, look: &Look) {
    if captioned {
        let _ = writeln!(out, "<h3>{}</h3>", escape(&table.title));
    }
    let _ = writeln!(
        out,
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><table>\n<thead><tr>",
        escape(&table.title)
    );
    for column in &table.columns {
        let class = if column.numeric { " class=\"num\"" } else { "" };
        let _ = write!(out, "<th scope=\"col\"{class}>{}</th>", escape(&column.name));
    }
    out.push_str("</tr></thead>\n");
    let of_providers = table.columns.first().is_some_and(|column| column.name == "provider");
    let units = table.units();
    for block in &table.blocks {
        push_block(out, table, &units, block, if of_providers { Some(look) } else { None });
    }
    out.push_str("</table></div>\n");
    for note in table.notes.iter().cloned().chain(legend(table)) {
        let _ = writeln!(out, "<p class=\"note\">{}</p>", escape(&note));
    }
}

fn push_block(out: &mut String, table: &Table, units: &[Option<Unit>], block: &Block, look: Option<&Look>) {
    out.push_str("<tbody>\n");
    if !block.title.is_empty() {
        let span = table.columns.len();
        let title = escape(&block.title);
        let _ = writeln!(out, "<tr class=\"block\"><th scope=\"rowgroup\" colspan=\"{span}\">{title}</th></tr>");
    }
    for row in &block.rows {
        out.push_str("<tr>");
        for (index, cell) in row.iter().enumerate() {
            if index == 0 {
                let swatch = look.map_or_else(String::new, |look| swatch(cell, look));
                let _ = write!(out, "<th scope=\"row\">{swatch}{}</th>", escape(&words(cell, None).main));
            } else {
                let numeric = table.columns.get(index).is_some_and(|column| column.numeric);
                push_cell(out, cell, units.get(index).copied().flatten(), numeric);
            }
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n");
}

fn swatch(cell: &Cell, look: &Look) -> String {
    match cell {
        Cell::Text(provider) => look.swatch(provider),
        _ => String::new(),
    }
}

fn push_cell(out: &mut String, cell: &Cell, unit: Option<Unit>, numeric: bool) {
    let words = words(cell, unit);
    let main = escape(&words.main);
    let _ = match cell {
        Cell::Estimate(estimate) => {
            let class = match estimate.mark {
                Mark::Fastest => " fastest",
                Mark::Tied => " tied",
                Mark::Inconclusive => " caution",
                Mark::Plain | Mark::Baseline if estimate.disturbed => " caution",
                Mark::Plain | Mark::Baseline => "",
            };
            let interval =
                words.interval.map_or_else(String::new, |i| format!(" <span class=\"ci\">{}</span>", escape(&i)));
            write!(out, "<td class=\"num{class}\"><span class=\"value\">{main} {}</span>{interval}</td>", words.mark)
        }
        Cell::Count(_) | Cell::Percent(_) => write!(out, "<td class=\"num\">{main}</td>"),
        Cell::Code(_) => write!(out, "<td><code>{main}</code></td>"),
        Cell::Absent { word, reason } => {
            let side = if numeric { "num " } else { "" };
            write!(out, "<td class=\"{side}absent {word}\" title=\"{}\">{main}</td>", escape(reason))
        }
        Cell::Verdict(Verdict::Holds) => write!(out, "<td class=\"good\">{main}</td>"),
        Cell::Verdict(Verdict::Missing) => write!(out, "<td class=\"bad\">{main}</td>"),
        Cell::Blank | Cell::Text(_) => write!(out, "<td>{main}</td>"),
    };
}
