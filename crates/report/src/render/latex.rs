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
    let long = document.tables().any(is_long);
    let packages = if long { "booktabs,longtable" } else { "booktabs" };
    let _ = writeln!(out, "% Needs \\usepackage{{{packages}}}; LaTeX of 2020 or later.");
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

/// Rows with the headings of blocks.
fn is_long(table: &Table) -> bool {
    table.blocks.iter().map(|block| block.rows.len() + 1).sum::<usize>() > LONG
}

/// The table, in parts of fewer columns where a page is too narrow for all.
fn push_table(out: &mut String, section: &str, table: &Table) {
    let parts = parts(table);
    for (index, columns) in parts.iter().enumerate() {
        push_part(out, section, table, columns, (index, parts.len()));
    }
}

fn push_part(out: &mut String, section: &str, table: &Table, columns: &[usize], (index, count): (usize, usize)) {
    let spec = spec(table, columns);
    let mut caption = format!("{}.", escape(&table.title));
    if count > 1 {
        let _ = write!(caption, " Part {} of {count}.", index + 1);
    }
    for note in table.notes.iter().cloned().chain(legend(table)).filter(|_| index == 0) {
        let _ = write!(caption, " {}", escape(&note));
    }
    let mut label = format!("tab:pqlab-{}", crate::figure::slug(if table.id.is_empty() { section } else { &table.id }));
    if index > 0 {
        let _ = write!(label, "-{}", index + 1);
    }
    let heads = columns.iter().filter_map(|column| table.columns.get(*column));
    let heads: Vec<String> = heads.map(|column| escape(&column.name)).collect();
    let heads = format!("{} \\\\", heads.join(" & "));
    let long = is_long(table);
    if long {
        let _ = writeln!(out, "{{{SIZE}\n\\begin{{longtable}}{{{spec}}}\n\\caption{{{caption}}}\\label{{{label}}}\\\\");
        let _ =
            writeln!(out, "\\toprule\n{heads}\n\\midrule\n\\endfirsthead\n\\toprule\n{heads}\n\\midrule\n\\endhead");
    } else {
        let _ = writeln!(out, "\\begin{{table}}[htbp]\n\\centering{SIZE}\n\\caption{{{caption}}}\\label{{{label}}}");
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
    out.push_str(if long { "\\end{longtable}}\n" } else { "\\end{tabular}\n\\end{table}\n" });
}

/// Letters that the narrowest usual text, A4 with margins of 2 cm, holds in a line of [`SIZE`].
const LINE: usize = 106;
/// Size of the letters, and space beside a column.
const SIZE: &str = "\\footnotesize\\setlength{\\tabcolsep}{3pt}";
/// The space on both sides of a column, in letters.
const GAP: usize = 2;
/// What long code breaks into, and so the narrowest column of words.
const NARROWEST: usize = 12;

/// Letters that a column takes on one line.
fn breadth(table: &Table, column: usize) -> usize {
    let unit = table.units().get(column).copied().flatten();
    let rows = table.blocks.iter().flat_map(|block| block.rows.iter());
    let cells = rows.filter_map(|row| row.get(column)).map(|cell| {
        let words = words(cell, unit);
        let letters = |text: &str| text.chars().count();
        letters(&words.main) + letters(&words.mark) + words.interval.map_or(0, |interval| letters(&interval) + 1)
    });
    let head = table.columns.get(column).map_or(0, |column| column.name.chars().count());
    let indent = if column == 0 { 2 } else { 0 };
    cells.max().unwrap_or(0).max(head) + indent + GAP
}

/// Columns of each part; the first column stands in all of them. Words wrap, so only numbers need parts.
fn parts(table: &Table) -> Vec<Vec<usize>> {
    let all: Vec<usize> = (0..table.columns.len()).collect();
    if !table.columns.iter().any(|column| column.numeric) {
        return vec![all];
    }
    let breadths: Vec<usize> = all.iter().map(|column| breadth(table, *column)).collect();
    let of = |column: usize| breadths.get(column).copied().unwrap_or(0);
    let mut parts: Vec<Vec<usize>> = Vec::new();
    for column in all.into_iter().skip(1) {
        match parts.last_mut() {
            Some(part) if part.iter().map(|known| of(*known)).sum::<usize>() + of(column) <= LINE => part.push(column),
            _ => parts.push(vec![0, column]),
        }
    }
    parts
}

/// Numbers to the right; columns of words that do not fit share the line and wrap.
fn spec(table: &Table, columns: &[usize]) -> String {
    let breadths: Vec<usize> = columns.iter().map(|column| breadth(table, *column)).collect();
    let numeric = |column: &usize| table.columns.get(*column).is_some_and(|column| column.numeric);
    let fits = breadths.iter().sum::<usize>() <= LINE;
    let wraps = |column: &usize, letters: usize| !fits && !numeric(column) && letters > LINE / columns.len().max(1);
    let each = || columns.iter().zip(breadths.iter().copied());
    let fixed: usize = each().filter(|(column, letters)| !wraps(column, *letters)).map(|(_, letters)| letters).sum();
    let wrapping: usize =
        each().filter(|(column, letters)| wraps(column, *letters)).map(|(_, letters)| letters.min(LINE)).sum();
    each()
        .map(|(column, letters)| match (numeric(column), wraps(column, letters)) {
            (true, _) => "r".to_owned(),
            (false, false) => "l".to_owned(),
            (false, true) => {
                let room = LINE.saturating_sub(fixed) * letters.min(LINE) / wrapping.max(1);
                // Thousandths of the line, without the space beside the column.
                let share = room.saturating_sub(GAP).max(NARROWEST) * 1000 / LINE;
                format!("p{{0.{share:03}\\linewidth}}")
            }
        })
        .collect()
}

fn push_block(out: &mut String, units: &[Option<Unit>], block: &Block, columns: &[usize]) {
    if !block.title.is_empty() {
        let _ = writeln!(out, "\\multicolumn{{{}}}{{l}}{{\\textbf{{{}}}}} \\\\", columns.len(), escape(&block.title));
    }
    for row in &block.rows {
        let cells =
            columns.iter().filter_map(|column| Some((row.get(*column)?, units.get(*column).copied().flatten())));
        let cells: Vec<String> = cells.map(|(cell, unit)| cell_text(cell, unit)).collect();
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
    let line = one_line(text);
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            // Two hyphens would become a dash.
            '-' if characters.peek() == Some(&'-') => out.push_str("-{}"),
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
            '"' => out.push_str("{\\char34}"),
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
            '—' => out.push_str("---"),
            '…' => out.push_str("\\ldots{}"),
            '≤' => out.push_str("$\\leq$"),
            '≥' => out.push_str("$\\geq$"),
            '→' => out.push_str("$\\rightarrow$"),
            '−' => out.push_str("$-$"),
            '°' => out.push_str("\\textdegree{}"),
            '‘' => out.push('`'),
            '’' => out.push('\''),
            '“' => out.push_str("``"),
            '”' => out.push_str("''"),
            '\u{a0}' => out.push('~'),
            'Ð' | 'Þ' | 'ð' | 'þ' | '÷' => out.push('?'),
            // Of the rest the encoding OT1, which is LaTeX's own, has these.
            other if other.is_ascii() || ('À'..='ÿ').contains(&other) => out.push(other),
            _ => out.push('?'),
        }
    }
    out
}

/// A comment ends with its line, so it must be one.
fn comment(text: &str) -> String {
    one_line(text)
}

#[cfg(test)]
mod tests {
    use super::{escape, parts, spec};
    use crate::view::{Block, Cell, Column, Table};

    #[test]
    fn escapes_exist_in_the_encoding_of_a_plain_article() {
        assert_eq!(escape("--plan \"x\" a-b ---"), "-{}-plan {\\char34}x{\\char34} a-b -{}-{}-");
        assert_eq!(escape("“é” ≥ Ω þ"), "``é'' $\\geq$ ? ?");
    }

    #[test]
    fn what_is_too_wide_is_split_or_wraps() {
        let cells = |letters: usize| vec![Cell::text("x".repeat(letters)); 4];
        let mut table =
            Table { blocks: vec![Block { title: String::new(), rows: vec![cells(45)] }], ..Table::default() };
        table.columns = ["a", "b", "c", "d"].map(Column::number).to_vec();
        assert_eq!(parts(&table), [[0, 1], [0, 2], [0, 3]]);
        table.columns = ["a", "b", "c", "d"].map(Column::text).to_vec();
        assert_eq!(parts(&table), [[0, 1, 2, 3]]);
        assert_eq!(spec(&table, &[0, 1, 2, 3]).matches("\\linewidth").count(), 4);
        table.blocks[0].rows = vec![cells(9)];
        assert_eq!(spec(&table, &[0, 1, 2, 3]), "llll");
    }
}
