//! Line by line: what it is, and what it adds.

use super::machine::{self, Row};
use super::multi::{self, Group};
use super::text::{self, Figure, Table};
use super::timing::{self, Counted};
use super::{Build, Failure, FailureKind, Lines, Log, MAX_LINE, MAX_ROWS, MAX_UNREAD, Place, Unread};
use super::{build, failure, join, names};
use std::collections::HashSet;

/// A row of results before it is joined with its timings.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entry {
    pub what: Content,
    /// The call with `-multi` that it belongs to.
    pub group: Option<usize>,
    pub build: Option<usize>,
    pub place: Place,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Content {
    /// Of a table for people.
    Figures(Vec<Figure>),
    /// Of `-mr`, with the sizes in force.
    Machine(Row, Vec<u64>),
}

/// What was found so far.
#[derive(Debug, Default)]
pub(super) struct Reader {
    pub log: Log,
    pub entries: Vec<Entry>,
    pub timings: Vec<Counted>,
    pub groups: Vec<Group>,
    /// Rows of results, those of processes included.
    rows: usize,
    /// Lines of entries and timings that are reported as unread.
    marked: HashSet<Place>,
    table: Option<Table>,
    sizes: Vec<u64>,
    build: Option<usize>,
    group: Option<usize>,
    /// Text of LibreSSL's usage follows.
    usage: bool,
}

/// Reads all parts.
pub(super) fn read(parts: &[&[u8]]) -> Log {
    let mut reader = Reader::default();
    for (part, bytes) in parts.iter().enumerate() {
        reader.table = None;
        reader.usage = false;
        // A final newline ends the last line and begins none.
        let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        if bytes.is_empty() {
            continue;
        }
        for (at, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
            reader.line(line, Place { part, line: at + 1 });
        }
    }
    join::join(reader)
}

impl Reader {
    fn line(&mut self, bytes: &[u8], place: Place) {
        self.log.lines.total += 1;
        let cut = bytes.get(..MAX_LINE).unwrap_or(bytes);
        let text = String::from_utf8_lossy(cut);
        let text = text.trim();
        if bytes.len() > MAX_LINE {
            self.unread(place, text, "longer than any line of the tool");
        } else if text.is_empty() {
            self.log.lines.blank += 1;
        } else if let Err(reason) = self.classify(text, place) {
            // A row of which only a part could be read.
            if self.entries.last().is_some_and(|entry| entry.place == place) {
                self.marked.insert(place);
            }
            self.unread(place, text, &reason);
        }
    }

    /// Reads a line, or says why not.
    fn classify(&mut self, text: &str, place: Place) -> Result<(), String> {
        if text.starts_with('+') {
            return self.machine(text, place);
        }
        if let Some(rest) = text.strip_prefix("Forked child ") {
            let child: u32 = rest.parse().map_err(|_| "no number of a process".to_owned())?;
            return self.forked(child);
        }
        if text.starts_with("Got: ") {
            return self.got(text, place);
        }
        if text.starts_with("Doing ") {
            self.group = None;
            let (subject, operation, size, timing) =
                timing::doing(text).ok_or("the measurement has no result, or one that cannot be read")?;
            let counted = |subject: &str| Counted {
                subject: subject.to_lowercase(),
                written: subject.to_owned(),
                operation,
                size,
                timing,
                place,
                text: cut(text),
            };
            return self.counted(counted(subject));
        }
        if self.about_build(text) || self.about_failure(text, place) || self.known(text) {
            return Ok(());
        }
        self.row(text, place)
    }

    fn forked(&mut self, child: u32) -> Result<(), String> {
        if child == 0 {
            if self.groups.len() >= MAX_ROWS {
                return Err("more calls than one log has".into());
            }
            self.groups.push(Group::default());
            self.group = self.groups.len().checked_sub(1);
        }
        let group = self.group.and_then(|at| self.groups.get_mut(at)).ok_or("no process 0 before it")?;
        group.processes = group.processes.max(child.saturating_add(1));
        Ok(())
    }

    fn got(&mut self, text: &str, place: Place) -> Result<(), String> {
        let (line, child) = multi::got(text).ok_or("no row and no process")?;
        let full = self.rows >= MAX_ROWS;
        let group = self.group.and_then(|at| self.groups.get_mut(at)).ok_or("no `Forked child` before it")?;
        match machine::line(line, place)? {
            machine::Line::Sizes(sizes) => group.sizes = sizes,
            machine::Line::Row(_) if full => return Err(format!("more than {MAX_ROWS} rows")),
            machine::Line::Row(row) => {
                self.rows += 1;
                group.push(child, row);
            }
            _ => return Err("not a row of results".into()),
        }
        Ok(())
    }

    fn machine(&mut self, text: &str, place: Place) -> Result<(), String> {
        match machine::line(text, place)? {
            machine::Line::Begin => {}
            machine::Line::Sizes(sizes) => self.sizes = sizes,
            machine::Line::Counted(subject, timing) => {
                let counted = Counted {
                    subject: subject.to_lowercase(),
                    written: subject.to_owned(),
                    operation: None,
                    size: None,
                    timing,
                    place,
                    text: cut(text),
                };
                return self.counted(counted);
            }
            machine::Line::Row(row) => {
                let sizes = if row.kind == 0 { self.sizes.clone() } else { Vec::new() };
                // -mr does not say which version it is.
                return self.entry(Content::Machine(row, sizes), None, place, text);
            }
        }
        Ok(())
    }

    fn row(&mut self, text: &str, place: Place) -> Result<(), String> {
        let inherited = self.group.and_then(|at| self.groups.get(at)).map(|group| &group.sizes);
        let table = match (&self.table, inherited) {
            (Some(table), _) => table.clone(),
            // The parent of `-multi` prints rows over buffers without their heading.
            (None, Some(sizes)) if !sizes.is_empty() => Table::Buffers(sizes.clone()),
            _ => return Err("neither a row of a table nor a line that is known".into()),
        };
        let mut figures = Vec::new();
        let mut wrong = Vec::new();
        for figure in text::row(text, &table)? {
            match figure {
                Ok(figure) => figures.push(figure),
                Err(reason) => wrong.push(reason),
            }
        }
        if !figures.is_empty() {
            self.entry(Content::Figures(figures), self.build, place, text)?;
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("; ")) }
    }

    fn entry(&mut self, what: Content, build: Option<usize>, place: Place, text: &str) -> Result<(), String> {
        if self.rows >= MAX_ROWS {
            return Err(format!("more than {MAX_ROWS} rows"));
        }
        self.rows += 1;
        self.entries.push(Entry { what, group: self.group, build, place, text: cut(text) });
        Ok(())
    }

    fn counted(&mut self, counted: Counted) -> Result<(), String> {
        if self.timings.len() >= MAX_ROWS {
            return Err(format!("more than {MAX_ROWS} timings"));
        }
        self.timings.push(counted);
        Ok(())
    }

    fn about_build(&mut self, text: &str) -> bool {
        match build::line(text) {
            None => return false,
            Some(build::Line::Version(name, version)) => {
                self.table = None;
                self.usage = false;
                if self.log.builds.len() < MAX_ROWS {
                    let version = Some(version.to_owned());
                    self.log.builds.push(Build { name: name.to_owned(), version, ..Build::default() });
                    self.build = self.log.builds.len().checked_sub(1);
                }
            }
            Some(build::Line::Property(property, value)) => {
                if let Some(build) = self.log.builds.last_mut() {
                    build.set(property, value);
                }
            }
            Some(build::Line::Other) => {}
        }
        true
    }

    fn about_failure(&mut self, text: &str, place: Place) -> bool {
        match failure::line(text) {
            None => return false,
            Some(failure::Line::Details) => {}
            Some(failure::Line::Failure(kind, subject)) => {
                // LibreSSL lists all that it knows.
                self.usage = kind == FailureKind::UnknownAlgorithm && subject.is_none();
                if self.log.failures.len() < MAX_UNREAD {
                    let subject = subject.filter(|subject| names::is_name(subject)).map(str::to_owned);
                    self.log.failures.push(Failure { kind, subject, text: cut(text), place });
                }
            }
        }
        true
    }

    /// Headings, and lines that are known to hold no figure.
    fn known(&mut self, text: &str) -> bool {
        if let Some(table) = text::heading(text) {
            self.table = Some(table);
            return true;
        }
        if text.starts_with("You have chosen to measure elapsed time") {
            self.log.elapsed = true;
            return true;
        }
        self.usage
            || text.starts_with("Engine \"")
            || text == "The 'numbers' are in 1000s of bytes per second processed."
    }

    /// Reports a line.
    fn unread(&mut self, place: Place, text: &str, reason: &str) {
        self.log.lines.unread += 1;
        if self.log.unread.len() < MAX_UNREAD {
            self.log.unread.push(Unread { place, text: cut(text), reason: reason.to_owned() });
        }
    }

    /// Reports what could not be joined, and closes the account.
    pub fn finish(mut self, left: Vec<(Place, String, String)>) -> Log {
        for (place, text, reason) in left {
            // A line that has been reported already is not counted twice.
            if self.marked.insert(place) {
                self.unread(place, &text, &reason);
            }
        }
        let Lines { total, blank, unread, .. } = self.log.lines;
        self.log.lines.understood = total - blank - unread;
        self.log.unread.sort_by_key(|unread| unread.place);
        self.log
    }
}

/// At most 200 characters, none of them a control character.
fn cut(text: &str) -> String {
    text.chars().take(200).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
