//! LaTeX tables in the style of `booktabs`, to be included in a document.

use super::text::{legend, one_line, words};
use crate::units::Unit;
use crate::view::{Block, Cell, Document, Mark, Table, Verdict};
use std::fmt::Write;

/// Rows above which a table may break over pages.
const LONG: usize = 40;

/// The document as a fragment for `\input`. The packages it needs stand in its first lines.
pub(super) fn render(document: &Document) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = writeln!(out, "% {}", comment(&document.title));
    let _ = writeln!(out, "% {}", comment(&document.subtitle));
    out.push_str("% Needs \\usepackage{booktabs,longtable,amssymb} and UTF-8 input (the default since 2018).\n");
    for section in &document.sections {
        let _ = writeln!(out, "\n\\subsection*{{{}}}", escape(&section.title));
        for paragraph in &section.text {
            let _ = writeln!(out, "{}\n", escape(paragraph));
        }
        for table in &section.tables {
            push_table(&mut out, section.id, table);
        }
    }
    out
}

fn push_table(out: &mut String, section: &str, table: &Table) {
    let rows: usize = table.blocks.iter().map(|block| block.rows.len() + 1).sum();
    let long = rows > LONG;
    let columns = table.columns.len();
    let spec = spec(table);
    let mut caption = format!("{}.", escape(&table.title));
    for note in table.notes.iter().cloned().chain(legend(table)) {
        let _ = write!(caption, " {}", escape(&note));
    }
    let label = format!("tab:pqlab-{}", crate::figure::slug(if table.id.is_empty() { section } else { &table.id }));
    let heads: Vec<String> = table.columns.iter().map(|column| escape(&column.name)).collect();
    let heads = format!("{} \\\\", heads.join(" & "));
    if long {
        let _ = writeln!(out, "\\begin{{longtable}}{{{spec}}}\n\\caption{{{caption}}}\\label{{{label}}}\\\\");
        let _ =
            writeln!(out, "\\toprule\n{heads}\n\\midrule\n\\endfirsthead\n\\toprule\n{heads}\n\\midrule\n\\endhead");
    } else {
        let _ = writeln!(out, "\\begin{{table}}[htbp]\n\\centering\\small\n\\caption{{{caption}}}\\label{{{label}}}");
        let _ = writeln!(out, "\\begin{{tabular}}{{{spec}}}\n\\toprule\n{heads}\n\\midrule");
    }
    let units = table.units();
    for (index, block) in table.blocks.iter().enumerate() {
        if index > 0 {
            out.push_str("\\addlinespace\n");
        }
        push_block(out, &units, block, columns);
    }
    out.push_str("\\bottomrule\n");
    out.push_str(if long { "\\end{longtable}\n" } else { "\\end{tabular}\n\\end{table}\n" });
}

/// Numbers to the right; the widest column of words wraps.
fn spec(table: &Table) -> String {
    let wordy = table.columns.iter().skip(1).all(|column| !column.numeric);
    let last = table.columns.len().saturating_sub(1);
    let share = if last > 2 { 0.3 } else { 0.6 };
    table
        .columns
        .iter()
        .enumerate()
        .map(|(index, column)| match column.numeric {
            true => "r".to_owned(),
            false if wordy && (index == last || (last > 2 && index + 1 == last)) => {
                format!("p{{{share}\\linewidth}}")
            }
            false => "l".to_owned(),
        })
        .collect()
}

fn push_block(out: &mut String, units: &[Option<Unit>], block: &Block, columns: usize) {
    if !block.title.is_empty() {
        let _ = writeln!(out, "\\multicolumn{{{columns}}}{{l}}{{\\textbf{{{}}}}} \\\\", escape(&block.title));
    }
    for row in &block.rows {
        let cells: Vec<String> =
            row.iter().enumerate().map(|(index, cell)| cell_text(cell, units.get(index).copied().flatten())).collect();
        let indent = if block.title.is_empty() { "" } else { "\\quad " };
        let _ = writeln!(out, "{indent}{} \\\\", cells.join(" & "));
    }
}

fn cell_text(cell: &Cell, unit: Option<Unit>) -> String {
    let words = words(cell, unit);
    match cell {
        Cell::Estimate(estimate) => {
            let mut text = escape(&words.main);
            if estimate.mark == Mark::Fastest {
                text = format!("\\textbf{{{text}}}");
            }
            if !words.mark.is_empty() {
                text = format!("{text}\\,{}", escape(&words.mark));
            }
            match words.interval {
                Some(interval) => format!("{text} {{\\footnotesize {}}}", escape(&interval)),
                None => text,
            }
        }
        Cell::Code(code) => format!("\\texttt{{{}}}", breakable(code)),
        Cell::Verdict(Verdict::Missing) => "\\textbf{no}".into(),
        _ => escape(&words.main),
    }
}

/// Letter by letter, with places at which a long path or hash may break.
fn breakable(code: &str) -> String {
    let letters: Vec<char> = one_line(code).chars().collect();
    let parts: Vec<String> = letters.chunks(8).map(|part| escape(&part.iter().collect::<String>())).collect();
    parts.join("\\allowbreak{}")
}

/// Text that LaTeX prints as it is.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in one_line(text).chars() {
        match character {
            '\\' => out.push_str("\\textbackslash{}"),
            '{' | '}' | '$' | '&' | '#' | '%' | '_' => {
                out.push('\\');
                out.push(character);
            }
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '<' => out.push_str("\\textless{}"),
            '>' => out.push_str("\\textgreater{}"),
            '|' => out.push_str("\\textbar{}"),
            '"' => out.push_str("\\textquotedbl{}"),
            '\'' => out.push_str("\\textquotesingle{}"),
            '`' => out.push_str("\\textasciigrave{}"),
            // A bracket after \\ would be read as its optional argument.
            '[' => out.push_str("{[}"),
            ']' => out.push_str("{]}"),
            'µ' => out.push_str("$\\mu$"),
            '★' => out.push_str("$\\star$"),
            '²' => out.push_str("\\textsuperscript{2}"),
            '·' => out.push_str("\\textperiodcentered{}"),
            '±' => out.push_str("$\\pm$"),
            '≈' => out.push_str("$\\approx$"),
            '•' => out.push_str("$\\bullet$"),
            '×' => out.push_str("$\\times$"),
            '–' => out.push_str("--"),
            '…' => out.push_str("\\ldots{}"),
            '\u{fffd}' => out.push('?'),
            other => out.push(other),
        }
    }
    out
}

/// A comment ends with its line, so it must be one.
fn comment(text: &str) -> String {
    one_line(text)
}
