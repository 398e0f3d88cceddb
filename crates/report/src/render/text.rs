//! Words that the text formats share.

use crate::group::NotCompared;
use crate::units::{Unit, grouped, significant};
use crate::view::{Cell, DISTURBED, MOST_CONTAMINATED_PCT, Mark, Table, Verdict};

/// A cell in words: a first part, and what belongs below or behind it.
pub(super) struct Words {
    /// `13.21 µs`.
    pub(super) main: String,
    /// `★`, `≈!`, … or nothing.
    pub(super) mark: String,
    /// `[13.11, 13.31]`.
    pub(super) interval: Option<String>,
}

/// The words of a cell. `unit` is that of its column in its block, see [`Table::units`].
pub(super) fn words(cell: &Cell, unit: Option<Unit>) -> Words {
    let plain = |main: String| Words { main, mark: String::new(), interval: None };
    match cell {
        Cell::Blank => plain(String::new()),
        Cell::Text(text) | Cell::Code(text) => plain(text.clone()),
        Cell::Estimate(estimate) => {
            let figures = estimate.figures(unit.unwrap_or_else(|| estimate.quantity.unit(estimate.value)));
            Words { main: figures.value_with_unit(), mark: estimate.signs(), interval: figures.interval_text() }
        }
        Cell::Count(count) => plain(grouped(*count)),
        Cell::Percent(value) => plain(format!("{} %", significant(*value, 3))),
        Cell::Absent { word: "null", reason } => plain(format!("none ({reason})")),
        Cell::Absent { word, .. } if *word == NotCompared::Disturbed.word() => plain(format!("{word} {DISTURBED}")),
        Cell::Absent { word, .. } => plain((*word).to_owned()),
        Cell::Verdict(Verdict::Holds) => plain("yes".into()),
        Cell::Verdict(Verdict::Missing) => plain("NO".into()),
    }
}

/// Meaning of the marks that occur in a table; nothing when none does.
pub(super) fn legend(table: &Table) -> Option<String> {
    let meaning = |mark: Mark| match mark {
        Mark::Plain => "",
        Mark::Fastest => "fastest, its interval below all others",
        Mark::Tied => "tied with the fastest, intervals overlap",
        Mark::Baseline => "what the others are divided by",
        Mark::Inconclusive => "a control failed, do not rely on it",
    };
    let marks = table.marks().into_iter();
    let mut parts: Vec<String> = marks.map(|mark| format!("{} {}", mark.symbol(), meaning(mark))).collect();
    if table.has_disturbed() {
        parts.push(format!(
            "{DISTURBED} more than {MOST_CONTAMINATED_PCT} % of its samples were disturbed, measure again"
        ));
    }
    if parts.is_empty() {
        return None;
    }
    Some(format!("{}.", parts.join("; ")))
}

/// One line of printable text: control characters, and characters that reorder or break lines, become U+FFFD or a space.
pub(crate) fn one_line(text: &str) -> String {
    text.chars()
        .map(|character| match character {
            '\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}' => ' ',
            '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' => '\u{fffd}',
            // Bidirectional controls can make a line read as something it is not.
            '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
            other => other,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::one_line;

    #[test]
    fn no_control_reaches_a_terminal() {
        assert_eq!(one_line("a\u{1b}[31m\nb\u{202e}c\u{2028}d"), "a\u{fffd}[31m b\u{fffd}c d");
    }
}
