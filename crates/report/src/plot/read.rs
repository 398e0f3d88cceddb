//! Reads `.dat` files. Bounded, and every complaint names the file and the line.

use super::table::{Cell, Column, Row, Source, Table, TableType};
use std::fmt;

/// Largest file, bytes.
pub const MAX_BYTES: usize = 16 << 20;
/// Most rows.
pub const MAX_ROWS: usize = 100_000;
/// Longest line, bytes.
const MAX_LINE: usize = 4_096;
/// Most sources: more have no colours that can be told apart.
const MAX_SOURCES: usize = 32;
/// Longest name of a row.
const MAX_NAME: usize = 100;

/// A file is no table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct TableError {
    /// The file.
    pub file: String,
    /// Line, from 1.
    pub line: Option<usize>,
    /// What is wrong there.
    pub what: String,
    /// What helps.
    pub hint: String,
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}, line {line}: {}", self.file, self.what),
            None => write!(f, "{}: {}", self.file, self.what),
        }
    }
}

/// Reads a table. `file` is its name for messages and, without its extension, the source of rows that name none.
/// `forced` overrules what the file says and what its columns suggest.
///
/// # Errors
/// What is wrong, at which line.
pub fn read(file: &str, bytes: &[u8], forced: Option<TableType>) -> Result<Table, TableError> {
    let mut reader = Reader::new(file, forced);
    if bytes.len() > MAX_BYTES {
        let what = format!("it has {} bytes; a table has at most {MAX_BYTES}", bytes.len());
        return Err(reader.wrong(None, what, "plot a part of it"));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = bytes.get(..error.valid_up_to()).map_or(1, |good| good.iter().filter(|b| **b == b'\n').count() + 1);
        reader.wrong(Some(line), "not UTF-8 text".into(), "give a .dat file, see docs/PLOT.md")
    })?;
    for (index, line) in text.lines().enumerate() {
        reader.line(index + 1, line.trim())?;
    }
    reader.finish()
}

struct Reader<'f> {
    file: &'f str,
    forced: Option<TableType>,
    declared: Option<TableType>,
    /// Words of the heading that tell `sig_ver` when its seconds have no unit.
    heading_of_sig_ver: bool,
    /// Type and number of fields of the first row.
    first: Option<(TableType, usize, usize)>,
    blank: bool,
    sources: Vec<Source>,
    /// Whose the rows are now.
    present: Option<usize>,
    rows: Vec<Row>,
    /// Of the next row.
    intervals: Vec<(Column, [f64; 2])>,
    /// Of the next row.
    reason: Option<String>,
}

impl<'f> Reader<'f> {
    fn new(file: &'f str, forced: Option<TableType>) -> Self {
        Self {
            file,
            forced,
            declared: None,
            heading_of_sig_ver: false,
            first: None,
            blank: false,
            sources: Vec::new(),
            present: None,
            rows: Vec::new(),
            intervals: Vec::new(),
            reason: None,
        }
    }

    fn wrong(&self, line: Option<usize>, what: String, hint: &str) -> TableError {
        TableError { file: self.file.into(), line, what, hint: hint.into() }
    }

    fn line(&mut self, number: usize, line: &str) -> Result<(), TableError> {
        if line.len() > MAX_LINE {
            let what = format!("it has {} bytes; a row has at most {MAX_LINE}", line.len());
            return Err(self.wrong(Some(number), what, "give a .dat file, see docs/PLOT.md"));
        }
        if let Some(comment) = line.strip_prefix('#') {
            return self.comment(number, comment.trim());
        }
        if line.is_empty() {
            if self.blank {
                let what = "two empty lines begin another data set, and a table has one".into();
                return Err(self.wrong(Some(number), what, "remove one of the empty lines"));
            }
            self.blank = !self.rows.is_empty();
            return Ok(());
        }
        self.blank = false;
        let fields: Vec<&str> = line.split_whitespace().take_while(|field| !field.starts_with('#')).collect();
        self.row(number, &fields)
    }

    fn comment(&mut self, number: usize, comment: &str) -> Result<(), TableError> {
        let Some((key, value)) = comment.split_once(':') else {
            let has = |word: &str| comment.split_whitespace().any(|each| each == word);
            self.heading_of_sig_ver |= has("sign/s") && has("verify/s") && !has("keygen/s");
            return Ok(());
        };
        let value = value.trim();
        match key {
            "table" => {
                let kind = TableType::parse(value).ok_or_else(|| {
                    let known = TableType::ALL.map(TableType::as_str).join(", ");
                    self.wrong(Some(number), format!("unknown table type `{value}`"), &format!("use one of: {known}"))
                })?;
                self.declared = Some(kind);
            }
            "provider" if !value.is_empty() => {
                if self.sources.len() == MAX_SOURCES && !self.sources.iter().any(|known| known.id == value) {
                    let what = format!("more than {MAX_SOURCES} providers");
                    return Err(self.wrong(Some(number), what, "plot fewer of them in one chart"));
                }
                self.present = self.sources.iter().position(|known| known.id == value);
                if self.present.is_none() {
                    self.present = Some(self.sources.len());
                    self.sources.push(Source { id: value.into(), ..Source::default() });
                }
            }
            "host" | "made by" => {
                let source = self.present();
                if let Some(source) = self.sources.get_mut(source) {
                    *(if key == "host" { &mut source.host } else { &mut source.made_by }) = Some(value.into());
                }
            }
            "interval" => {
                let words: Vec<&str> = value.split_whitespace().collect();
                let [column, low, high] = words.as_slice() else { return Ok(()) };
                let ends = (number_of(low), number_of(high));
                if let (Some(column), (Some(low), Some(high))) = (Column::parse(column), ends) {
                    self.intervals.push((column, [low.min(high), low.max(high)]));
                }
            }
            "absent" => self.reason = Some(value.into()),
            _ => {}
        }
        Ok(())
    }

    /// Place of the source that rows belong to now; the file itself when none was named.
    fn present(&mut self) -> usize {
        if self.sources.is_empty() {
            let name = std::path::Path::new(self.file).file_stem().map(|stem| stem.to_string_lossy().into_owned());
            self.sources.push(Source { id: name.unwrap_or_else(|| self.file.into()), ..Source::default() });
        }
        *self.present.get_or_insert(0)
    }

    fn row(&mut self, number: usize, fields: &[&str]) -> Result<(), TableError> {
        let Some((name, values)) = fields.split_first() else { return Ok(()) };
        let (kind, count, at) = match self.first {
            Some(first) => first,
            None => {
                let first = (self.kind(number, fields)?, fields.len(), number);
                self.first = Some(first);
                first
            }
        };
        self.check_count(number, fields.len(), (kind, count, at))?;
        if self.rows.len() == MAX_ROWS {
            let what = format!("more than {MAX_ROWS} rows");
            return Err(self.wrong(Some(number), what, "plot a part of it"));
        }
        if name.chars().count() > MAX_NAME || name.chars().any(char::is_control) {
            let what = format!("the name has more than {MAX_NAME} characters, or control characters");
            return Err(self.wrong(Some(number), what, "the first field is the algorithm, in one word"));
        }
        let mut cells = self.cells(number, kind, values)?;
        for (column, interval) in std::mem::take(&mut self.intervals) {
            let of = cells.iter_mut().find(|cell| cell.column == column && cell.value.is_some());
            if let Some(cell) = of {
                cell.interval = Some(interval);
            }
        }
        let absent = cells.iter().any(|cell| cell.value.is_none());
        let reason = self.reason.take().or_else(|| Some(super::chart::NO_FIGURE.into())).filter(|_| absent);
        let source = self.present();
        self.rows.push(Row { source, name: (*name).into(), cells, reason });
        Ok(())
    }

    /// From what is forced, declared, or suggested by the first row.
    fn kind(&self, number: usize, fields: &[&str]) -> Result<TableType, TableError> {
        if let Some(kind) = self.forced.or(self.declared) {
            return Ok(kind);
        }
        let timed = |at: usize| fields.get(at).is_some_and(|field| field.ends_with('s'));
        match fields.len() {
            6 | 7 => Ok(TableType::Kbytes),
            3 => Ok(TableType::Op),
            4 => Ok(TableType::SigVerKeygen),
            5 if (timed(1) && timed(2)) || self.heading_of_sig_ver => Ok(TableType::SigVer),
            5 => Ok(TableType::DecEncKeygenDh),
            count => {
                let what = format!("{count} fields make no table: rows have 3 to 7, a name and its figures");
                Err(self.wrong(Some(number), what, "see the table types in docs/PLOT.md"))
            }
        }
    }

    fn check_count(&self, number: usize, count: usize, first: (TableType, usize, usize)) -> Result<(), TableError> {
        let (kind, expected, at) = first;
        if !kind.fields().contains(&count) {
            let want = kind.fields().iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ");
            if number == at {
                let what = format!("{count} fields, and a row of {kind} has {want}");
                return Err(self.wrong(Some(number), what, "leave -l away, or give the type that the columns have"));
            }
            return Err(self.mixed(number, count, first));
        }
        // In a mix the number of fields says what a row is; elsewhere it is the same from top to bottom.
        if kind != TableType::SigEncMix && count != expected {
            return Err(self.mixed(number, count, first));
        }
        Ok(())
    }

    fn mixed(&self, number: usize, count: usize, (kind, expected, at): (TableType, usize, usize)) -> TableError {
        let what = format!("{count} fields, but line {at} has {expected} ({kind}): one file has one table");
        let both = [count, expected].iter().all(|fields| TableType::SigEncMix.fields().contains(fields));
        let hint = if both && kind != TableType::SigVer {
            "use -l sig_enc_mix when signatures (4 fields) and encryption (5 fields) are meant to stand together"
        } else {
            "put the rows into files of their own"
        };
        self.wrong(Some(number), what, hint)
    }

    fn cells(&self, number: usize, kind: TableType, values: &[&str]) -> Result<Vec<Cell>, TableError> {
        let bad = |text: &str, unit: &str| {
            let what = format!("`{text}` is not a figure{unit}");
            self.wrong(Some(number), what, "figures are plain decimals; NaN stands for one that is absent")
        };
        let plain = |text: &str| speed(text).ok_or_else(|| bad(text, ""));
        let columns = kind.columns(values.len() == 3);
        let cell = |(column, value): (&Column, Option<f64>)| Cell { column: *column, value, interval: None };
        let values: Vec<Option<f64>> = match kind {
            TableType::Kbytes => values
                .iter()
                .map(|text| kilobytes(text).ok_or_else(|| bad(text, " of bytes per second")))
                .collect::<Result<_, _>>()?,
            TableType::SigVer | TableType::Op => {
                let (seconds, rates) = values.split_at(values.len() / 2);
                let seconds = seconds
                    .iter()
                    .map(|text| speed(text.strip_suffix('s').unwrap_or(text)).ok_or_else(|| bad(text, " of seconds")));
                let seconds = seconds.collect::<Result<Vec<_>, _>>()?;
                let rates = rates.iter().map(|text| plain(text)).collect::<Result<Vec<_>, _>>()?;
                // A rate that was printed as 0.0 may stand beside a time that says more.
                seconds.iter().zip(rates).map(|(seconds, rate)| rate.or(seconds.map(|seconds| 1.0 / seconds))).collect()
            }
            _ => values.iter().map(|text| plain(text)).collect::<Result<_, _>>()?,
        };
        Ok(columns.iter().zip(values).map(cell).collect())
    }

    fn finish(self) -> Result<Table, TableError> {
        let Some((kind, _, _)) = self.first else {
            return Err(self.wrong(None, "it has no rows".into(), "see docs/PLOT.md for what a .dat file holds"));
        };
        let mut table = Table { kind, sources: Vec::new(), rows: Vec::new() };
        let used: Vec<usize> = self.sources.iter().map(|source| table.source(source)).collect();
        table.rows = self.rows;
        for row in &mut table.rows {
            row.source = used.get(row.source).copied().unwrap_or_default();
        }
        Ok(table)
    }
}

/// A plain decimal, possibly with an exponent; finite and not negative.
fn number_of(text: &str) -> Option<f64> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'-' | b'+'));
    let value: f64 = text.parse().ok().filter(|_| plain && text.len() <= 32)?;
    (value.is_finite() && value >= 0.0).then_some(value)
}

/// A speed, or nothing in its place: `NaN`, and 0, which no speed is. `None` when it is neither.
fn speed(text: &str) -> Option<Option<f64>> {
    if text.eq_ignore_ascii_case("nan") {
        return Some(None);
    }
    number_of(text).map(|value| Some(value).filter(|value| *value > 0.0))
}

/// Thousands of bytes per second. Without its `k` a figure is bytes: `openssl speed` leaves it out up to 10000.
fn kilobytes(text: &str) -> Option<Option<f64>> {
    match text.strip_suffix('k') {
        Some(digits) => speed(digits),
        None => speed(text).map(|value| value.map(|bytes| bytes / 1000.0)),
    }
}

#[cfg(test)]
mod tests;
