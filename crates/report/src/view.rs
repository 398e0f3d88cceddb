//! What is shown, with no format inside: documents of sections, tables and figures.

use crate::figure::Figure;
use crate::group::NotCompared;
use crate::record::Status;
use crate::units::{Quantity, Unit, decimals, significant};
use serde::Serialize;

pub(crate) mod comparative;
pub(crate) mod context;
pub(crate) mod gaps;
pub(crate) mod latency;
pub(crate) mod pivot;
pub(crate) mod providers;
pub(crate) mod sizes;
pub(crate) mod summary;
pub(crate) mod verification;

pub use crate::group::{MOST_CONTAMINATED_PCT, is_disturbed};

/// What a reader wants to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The numbers, with everything needed to judge them.
    Summary,
    /// Ratios against a baseline provider, or against the fastest.
    Comparative,
    /// A checklist: may these numbers be published?
    Verification,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Summary, Self::Comparative, Self::Verification];

    /// Lower-case word, as on the command line.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Summary => "summary",
            Self::Comparative => "comparative",
            Self::Verification => "verification",
        }
    }
}

/// A whole report.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// Which question it answers.
    pub kind: Kind,
    /// Heading.
    pub title: String,
    /// One line below it.
    pub subtitle: String,
    /// In the order of reading.
    pub sections: Vec<Section>,
}

impl Document {
    /// All tables in order.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        self.sections.iter().flat_map(|section| section.tables.iter())
    }
}

/// A heading with text, tables and figures below it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Section {
    /// Stable key: `kem`, `providers`, …
    pub id: &'static str,
    /// Heading.
    pub title: String,
    /// Paragraphs before the tables.
    pub text: Vec<String>,
    /// Tables.
    pub tables: Vec<Table>,
    /// Figures.
    pub figures: Vec<Figure>,
}

/// A table: columns, and blocks of rows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    /// Stable key: `kem`, `signature-keys`, …
    pub id: String,
    /// Caption.
    pub title: String,
    /// What a block is (`algorithm`); empty when the table has one untitled block.
    pub block_name: String,
    /// Columns; the first names the row.
    pub columns: Vec<Column>,
    /// Rows, by block.
    pub blocks: Vec<Block>,
    /// Sentences below the table.
    pub notes: Vec<String>,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Column {
    /// Heading.
    pub name: String,
    /// Numbers stand to the right.
    pub numeric: bool,
}

impl Column {
    /// A column of words.
    pub fn text(name: impl Into<String>) -> Self {
        Self { name: name.into(), numeric: false }
    }

    /// A column of numbers.
    pub fn number(name: impl Into<String>) -> Self {
        Self { name: name.into(), numeric: true }
    }
}

/// Rows that belong together, e.g. all providers of one algorithm.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Block {
    /// Heading of the block; empty for none.
    pub title: String,
    /// Rows; each has as many cells as the table has columns.
    pub rows: Vec<Vec<Cell>>,
}

/// A cell.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// Was not asked for: nothing to say.
    Blank,
    /// Words.
    Text(String),
    /// A path, a hash, a command: to be shown letter by letter.
    Code(String),
    /// A number with what is known about it.
    Estimate(Estimate),
    /// A count or a size in bytes.
    Count(u64),
    /// A single per-cent value, 3 significant digits.
    Percent(f64),
    /// There is no number; the reason stands in the table of gaps or beside the cell.
    Absent {
        /// `unavailable`, `failed`, `disturbed`, `withheld`, or `null`.
        word: &'static str,
        /// Why.
        reason: String,
    },
    /// Result of a check.
    Verdict(Verdict),
}

impl Cell {
    /// Words from anything.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// What stands for a row that has no number.
    #[must_use]
    pub fn absent(status: Status, reason: Option<&str>) -> Self {
        let word = match status {
            Status::Unavailable => "unavailable",
            Status::Failed => "failed",
            Status::Ok | Status::Inconclusive => "null",
        };
        Self::Absent { word, reason: reason.unwrap_or("no reason recorded").to_owned() }
    }

    /// What stands in place of a comparison that is not made.
    #[must_use]
    pub fn not_compared(why: NotCompared) -> Self {
        Self::Absent { word: why.word(), reason: why.reason().to_owned() }
    }
}

/// A number with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// In base units (ns, bytes per second, 1).
    pub value: f64,
    /// 95 % interval in the same units.
    pub interval: Option<[f64; 2]>,
    /// What it measures.
    pub quantity: Quantity,
    /// What a reader should notice.
    pub mark: Mark,
    /// [`is_disturbed`]
    pub disturbed: bool,
}

/// Sign of a number of which too many samples were disturbed.
pub const DISTURBED: &str = "!";

/// What a reader should notice about a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mark {
    /// Nothing.
    #[default]
    Plain,
    /// The fastest, beyond its interval.
    Fastest,
    /// Not distinguishable from the fastest.
    Tied,
    /// What others are compared with.
    Baseline,
    /// A control failed: do not rely on it.
    Inconclusive,
}

impl Mark {
    /// One character, or nothing.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Fastest => "★",
            Self::Tied => "≈",
            Self::Baseline => "•",
            Self::Inconclusive => "?",
        }
    }
}

/// Result of one check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Holds.
    Holds,
    /// Does not hold, or cannot be shown.
    Missing,
}

/// A formatted estimate: the parts a renderer may typeset on its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figures {
    /// Median, in the unit.
    pub value: String,
    /// Unit.
    pub unit: &'static str,
    /// Ends of the interval, with as many decimals as the value.
    pub interval: Option<(String, String)>,
}

impl Estimate {
    /// The signs that stand behind the number.
    #[must_use]
    pub fn signs(&self) -> String {
        format!("{}{}", self.mark.symbol(), if self.disturbed { DISTURBED } else { "" })
    }

    /// Formats with 4 significant digits (3 for ratios) in `unit`.
    #[must_use]
    pub fn figures(&self, unit: Unit) -> Figures {
        let digits = if self.quantity == Quantity::Ratio { 3 } else { 4 };
        let value = self.value / unit.base;
        let places = decimals(value, digits);
        let interval = self
            .interval
            .map(|[low, high]| (format!("{:.places$}", low / unit.base), format!("{:.places$}", high / unit.base)));
        Figures { value: significant(value, digits), unit: unit.symbol, interval }
    }
}

impl Figures {
    /// `13.21 µs`; ratios are `1.14×`.
    #[must_use]
    pub fn value_with_unit(&self) -> String {
        match self.unit {
            "×" => format!("{}×", self.value),
            unit => format!("{} {unit}", self.value),
        }
    }

    /// `[13.11, 13.31]`.
    #[must_use]
    pub fn interval_text(&self) -> Option<String> {
        self.interval.as_ref().map(|(low, high)| format!("[{low}, {high}]"))
    }
}

impl Table {
    /// The unit of each column: numbers below each other are compared with each other, so they share one. `None` for
    /// columns of words, and where [`Quantity::column_unit`] finds none: then each number has its own.
    #[must_use]
    pub fn units(&self) -> Vec<Option<Unit>> {
        let rows = || self.blocks.iter().flat_map(|block| block.rows.iter());
        (0..self.columns.len())
            .map(|column| {
                let estimates: Vec<&Estimate> = rows()
                    .filter_map(|row| match row.get(column) {
                        Some(Cell::Estimate(estimate)) => Some(estimate),
                        _ => None,
                    })
                    .collect();
                let quantity = estimates.first()?.quantity;
                quantity.column_unit(estimates.iter().map(|estimate| estimate.value))
            })
            .collect()
    }

    /// Whether any number has an interval.
    #[must_use]
    pub fn has_interval(&self) -> bool {
        let mut cells = self.blocks.iter().flat_map(|block| block.rows.iter().flatten());
        cells.any(|cell| matches!(cell, Cell::Estimate(Estimate { interval: Some(_), .. })))
    }

    /// Whether there is any row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.blocks.iter().all(|block| block.rows.is_empty())
    }

    /// Whether any number carries [`DISTURBED`].
    #[must_use]
    pub fn has_disturbed(&self) -> bool {
        let mut cells = self.blocks.iter().flat_map(|block| block.rows.iter().flatten());
        cells.any(|cell| match cell {
            Cell::Estimate(estimate) => estimate.disturbed,
            Cell::Absent { word, .. } => *word == NotCompared::Disturbed.word(),
            _ => false,
        })
    }

    /// Marks that occur, for the legend.
    #[must_use]
    pub fn marks(&self) -> Vec<Mark> {
        let all = [Mark::Fastest, Mark::Tied, Mark::Baseline, Mark::Inconclusive];
        let cells = || self.blocks.iter().flat_map(|block| block.rows.iter().flatten());
        all.into_iter()
            .filter(|mark| cells().any(|cell| matches!(cell, Cell::Estimate(estimate) if estimate.mark == *mark)))
            .collect()
    }
}
