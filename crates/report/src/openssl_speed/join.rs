//! Figures with their counts and times, and totals with their processes.
//!
//! A timing belongs to a figure when its subject, operation and size do and its quotient is the figure, as far as
//! printed digits tell. Nothing is paired by position alone.

use super::machine::{AMBIGUOUS, Dialect, kind_of};
use super::names;
use super::number::Rate;
use super::reader::{Content, Entry, Reader};
use super::text::Figure;
use super::timing::{Counted, Timing};
use super::{Log, Measurement, Place};
use std::cell::Cell;
use std::collections::HashMap;

/// Half a step of the printed seconds.
const HALF_STEP_S: f64 = 0.005;

/// Timings by subject, each used once.
struct Pool<'t> {
    timings: &'t [Counted],
    by_subject: HashMap<&'t str, Vec<usize>>,
    names: Vec<&'t str>,
    used: Vec<bool>,
    /// Comparisons that are left: the work is bounded, whatever the log.
    budget: Cell<u64>,
}

/// Comparisons for one log; a real one needs some thousands.
const BUDGET: u64 = 100_000_000;

/// Makes measurements of what was read.
pub(super) fn join(mut reader: Reader) -> Log {
    let timings = std::mem::take(&mut reader.timings);
    let entries = std::mem::take(&mut reader.entries);
    let mut pool = Pool::new(&timings);
    let dialect = dialect(&reader, &entries, &pool);
    let mut left: Vec<(Place, String, String)> = Vec::new();
    for entry in &entries {
        let (figures, wrong) = figures(entry, dialect);
        left.extend(wrong.into_iter().map(|reason| (entry.place, entry.text.clone(), reason)));
        if figures.is_empty() {
            continue;
        }
        let group = entry.group.and_then(|at| reader.groups.get_mut(at));
        let processes = group.as_ref().map_or(1, |group| group.processes);
        let (kind, index) = match &entry.what {
            Content::Machine(row, _) => (row.kind, Some(row.index)),
            Content::Figures(_) => (kind_of(&figures), None),
        };
        let children = match group {
            Some(group) => group.take(kind, index, &figures, dialect).unwrap_or_default(),
            None => vec![figures.clone()],
        };
        match pool.named(figures, &children) {
            Ok(figures) => {
                reader.log.measurements.extend(measurements(&figures, &children, processes, entry, &mut pool))
            }
            Err(reason) => left.push((entry.place, entry.text.clone(), reason)),
        }
    }
    for group in &reader.groups {
        left.extend(
            group.left().map(|row| (row.place, String::new(), "no total goes with this row of a process".into())),
        );
    }
    let unused = timings.iter().zip(&pool.used).filter(|(_, used)| !**used);
    left.extend(unused.map(|(counted, _)| {
        (counted.place, counted.text.clone(), "no figure on standard output goes with this count".into())
    }));
    reader.finish(left)
}

fn figures(entry: &Entry, dialect: Option<Dialect>) -> (Vec<Figure>, Vec<String>) {
    let all = match &entry.what {
        Content::Figures(figures) => return (figures.clone(), Vec::new()),
        Content::Machine(row, sizes) => row.figures(dialect, sizes),
    };
    let mut wrong = Vec::new();
    let figures = all.into_iter().filter_map(|figure| figure.map_err(|reason| wrong.push(reason)).ok()).collect();
    (figures, wrong)
}

fn measurements(
    figures: &[Figure],
    children: &[Vec<Figure>],
    processes: u32,
    entry: &Entry,
    pool: &mut Pool<'_>,
) -> Vec<Measurement> {
    let mut all = Vec::with_capacity(figures.len());
    for (at, figure) in figures.iter().enumerate() {
        let mut rates = Vec::with_capacity(children.len());
        let mut timings = Vec::with_capacity(children.len());
        for child in children.iter().filter_map(|child| child.get(at)) {
            let sought = Figure { written: figure.written.clone(), ..child.clone() };
            let timing = pool.take(&sought);
            rates.push(timing.map_or(child.rate.value, |timing| timing.count as f64 / timing.elapsed_s));
            timings.push(timing);
        }
        let alone = if processes == 1 { rates.first().copied() } else { None };
        all.push(Measurement {
            algorithm: figure.algorithm.clone(),
            written: figure.written.clone(),
            family: figure.family,
            operation: figure.operation,
            size: figure.size,
            bits: figure.bits,
            ops_per_s: alone.unwrap_or(figure.rate.value),
            processes,
            rates,
            timings,
            build: entry.build,
            place: entry.place,
        });
    }
    all
}

/// What the figures of `+F2` to `+F5` are: told by the version, by other rows, by their size, or by the counts.
fn dialect(reader: &Reader, entries: &[Entry], pool: &Pool<'_>) -> Option<Dialect> {
    let of_build = reader.log.builds.iter().map(|build| match build.name.as_str() {
        "libressl" => Dialect::Seconds,
        _ => Dialect::Rates,
    });
    let single = entries.iter().filter_map(|entry| match &entry.what {
        Content::Machine(row, _) => Some(row),
        Content::Figures(_) => None,
    });
    let rows: Vec<_> = single.chain(reader.groups.iter().flat_map(|group| group.rows())).collect();
    let mut told: Vec<Dialect> = of_build.chain(rows.iter().filter_map(|row| row.dialect())).collect();
    if told.is_empty() {
        let of_counts = rows.iter().filter(|row| AMBIGUOUS.contains(&row.kind)).filter_map(|row| {
            [Dialect::Rates, Dialect::Seconds].into_iter().find(|dialect| {
                let figures = row.figures(Some(*dialect), &[]);
                figures.iter().flatten().next().is_some_and(|figure| pool.find(figure).is_some())
            })
        });
        told = of_counts.collect();
    }
    let first = *told.first()?;
    told.iter().all(|dialect| *dialect == first).then_some(first)
}

impl<'t> Pool<'t> {
    fn new(timings: &'t [Counted]) -> Self {
        let mut by_subject: HashMap<&str, Vec<usize>> = HashMap::new();
        let mut names = Vec::new();
        for (at, counted) in timings.iter().enumerate() {
            let known = by_subject.entry(counted.subject.as_str()).or_default();
            if known.is_empty() {
                names.push(counted.written.as_str());
            }
            known.push(at);
        }
        Self { timings, by_subject, names, used: vec![false; timings.len()], budget: Cell::new(BUDGET) }
    }

    fn take(&mut self, figure: &Figure) -> Option<Timing> {
        let at = self.find(figure)?;
        *self.used.get_mut(at)? = true;
        self.timings.get(at).map(|counted| counted.timing)
    }

    /// An exact quotient first; then one that rounding of the printed seconds explains.
    fn find(&self, figure: &Figure) -> Option<usize> {
        self.search(figure, 0.0).or_else(|| self.search(figure, HALF_STEP_S))
    }

    fn search(&self, figure: &Figure, half_step: f64) -> Option<usize> {
        let subjects = [figure.written.to_lowercase(), figure.bits.map(|bits| bits.to_string()).unwrap_or_default()];
        let candidates = subjects.iter().filter_map(|subject| self.by_subject.get(subject.as_str())).flatten();
        candidates.copied().take_while(|_| self.afford()).find(|&at| {
            let (Some(counted), Some(false)) = (self.timings.get(at), self.used.get(at)) else { return false };
            counted.operation.is_none_or(|operation| operation == figure.operation)
                && (counted.size.is_none() || counted.size == figure.size)
                && quotient(counted.timing, half_step).meets(&figure.rate)
        })
    }

    fn afford(&self) -> bool {
        let left = self.budget.get();
        self.budget.set(left.saturating_sub(1));
        left > 0
    }

    /// Gives the rows of `+F9` and `+F10`, which have none, the name under which their counts stand.
    fn named(&self, mut figures: Vec<Figure>, children: &[Vec<Figure>]) -> Result<Vec<Figure>, String> {
        if figures.iter().all(|figure| !figure.written.is_empty()) {
            return Ok(figures);
        }
        let evidence = children.first().unwrap_or(&figures);
        let fits = |name: &str| {
            evidence
                .iter()
                .all(|figure| self.search(&Figure { written: name.to_owned(), ..figure.clone() }, 0.0).is_some())
        };
        let name = self.names.iter().find(|name| fits(name));
        let name =
            *name.ok_or("-mr does not name this algorithm on standard output, and no counts of standard error fit")?;
        let known =
            if figures.iter().any(|figure| figure.family == "kem") { names::kem(name) } else { names::signature(name) };
        for figure in &mut figures {
            figure.algorithm.clone_from(&known.algorithm);
            name.clone_into(&mut figure.written);
        }
        Ok(figures)
    }
}

fn quotient(timing: Timing, half_step: f64) -> Rate {
    let Timing { count, elapsed_s } = timing;
    let rate = |seconds: f64| if seconds > 0.0 { count as f64 / seconds } else { f64::INFINITY };
    Rate { value: rate(elapsed_s), low: rate(elapsed_s + half_step), high: rate(elapsed_s - half_step) }
}
