//! From a table to a chart: bars where they can be read, and an overview of everything where they are too many.

use super::names::{operation_word, say};
use super::table::{Column, Row, Source, Table, TableType};
use crate::figure::{
    Axis, Bar, BarGroup, Bars, Domain, Figure, Lines, Plot, Point, Scale, Series, Shape, Trace, scale_beyond,
};
use crate::palette::{Palette, Style, categorical, sequential};
use crate::units::{Quantity, significant};
use measure::stats::Sorted;
use measure::stats::interval::median_interval;
use std::collections::HashMap;

/// Bars that one picture holds.
const MOST_BARS: usize = 400;
/// Points of a line in an overview.
const MOST_POINTS: usize = 80;
/// Bars that differ by more than this ratio, two decades, stand on a logarithmic axis.
pub(super) const LINEAR_UP_TO: f64 = 100.0;

/// What the reader puts where the file has no reason of its own; such a cell is not shown when others of its row are.
pub(super) const NO_FIGURE: &str = "no figure in the table";

/// A speed of an algorithm and a source: of one sample or of many.
struct Speed {
    source: usize,
    column: Column,
    /// Operations or bytes per second.
    value: f64,
    whisker: Option<[f64; 2]>,
    samples: usize,
}

/// Everything about one algorithm.
struct Subject<'t> {
    name: &'t str,
    speeds: Vec<Speed>,
    /// Source, the column when it is about one, and why there is no figure.
    absent: Vec<(usize, Option<Column>, &'t str)>,
}

/// A chart of the whole table.
#[must_use]
pub fn chart(table: &Table, id: &str, title: &str) -> Figure {
    let subjects = subjects(table);
    let quantity = quantity(table.kind);
    let count: usize = subjects.iter().map(|subject| subject.speeds.len() + subject.absent.len()).sum();
    let overview = count > MOST_BARS;
    let plot = if overview { lines(table, &subjects, quantity) } else { bars(table, &subjects, quantity) };
    let scale = match &plot {
        Plot::Bars(bars) => bars.axis.scale,
        Plot::Lines(lines) => lines.y.scale,
    };
    let mut subtitle = String::from("Higher is better");
    if let Some(words) = whiskers(&subjects) {
        subtitle.push_str(&words);
    }
    if overview {
        let rows = subjects.len();
        subtitle.push_str(&format!(
            ". {rows} algorithms are too many for bars: drawn in the order of the file; a whisker spans the neighbours \
             that a point stands for. The names are in the data file"
        ));
    }
    if scale == Scale::Log {
        subtitle.push_str(if overview {
            ". Logarithmic axis"
        } else {
            ". Logarithmic axis: compare ends, not lengths"
        });
    }
    Figure {
        id: id.into(),
        family: table.kind.as_str().into(),
        title: title.into(),
        subtitle,
        plot,
        notes: caption(&table.sources),
    }
}

/// Heading of a chart of a kind, when it has no better one.
#[must_use]
pub fn default_title(kind: TableType) -> &'static str {
    match kind {
        TableType::Kbytes => "Throughput by buffer size",
        TableType::SigVer | TableType::SigVerKeygen => "Signatures per second",
        TableType::Op => "Key agreements per second",
        TableType::DecEncKeygenDh => "Key encapsulation, encryption and agreement per second",
        TableType::SigEncMix => "Signatures and encryption per second",
    }
}

/// What the figures of a table measure.
pub(super) fn quantity(kind: TableType) -> Quantity {
    if kind == TableType::Kbytes { Quantity::Rate } else { Quantity::Speed }
}

/// Who was measured, one line each.
pub(super) fn caption(sources: &[Source]) -> Vec<String> {
    let line = |source: &Source| {
        let facts = [Some(&source.id), source.host.as_ref(), source.made_by.as_ref()];
        facts.into_iter().flatten().cloned().collect::<Vec<_>>().join(" · ")
    };
    sources.iter().map(line).collect()
}

/// Cells in units of the chart: bytes, not thousands of them.
fn scaled(column: Column, value: f64) -> f64 {
    if matches!(column, Column::Buffer(_)) { value * 1000.0 } else { value }
}

fn subjects(table: &Table) -> Vec<Subject<'_>> {
    let mut order: Vec<&str> = Vec::new();
    let mut rows: HashMap<&str, Vec<&Row>> = HashMap::new();
    for row in &table.rows {
        let of = rows.entry(row.name.as_str()).or_default();
        if of.is_empty() {
            order.push(&row.name);
        }
        of.push(row);
    }
    order.iter().filter_map(|name| Some(subject(table, name, rows.get(name)?))).collect()
}

fn subject<'t>(table: &Table, name: &'t str, rows: &[&'t Row]) -> Subject<'t> {
    let mut subject = Subject { name, speeds: Vec::new(), absent: Vec::new() };
    for source in 0..table.sources.len() {
        let mine: Vec<&Row> = rows.iter().copied().filter(|row| row.source == source).collect();
        let Some(first) = mine.first() else { continue };
        let before = subject.speeds.len();
        let columns: Vec<Column> = first.cells.iter().map(|cell| cell.column).collect();
        let mut missing = Vec::new();
        for column in columns {
            let values: Vec<f64> =
                mine.iter().filter_map(|row| row.value(column)).map(|value| scaled(column, value)).collect();
            match speed(source, column, &values, &mine) {
                Some(speed) => subject.speeds.push(speed),
                None => missing.push(column),
            }
        }
        let reason = mine.iter().find_map(|row| row.reason.as_deref()).unwrap_or(NO_FIGURE);
        if subject.speeds.len() == before {
            subject.absent.push((source, None, reason));
        } else if reason != NO_FIGURE {
            subject.absent.extend(missing.into_iter().map(|column| (source, Some(column), reason)));
        }
    }
    subject
}

fn speed(source: usize, column: Column, values: &[f64], rows: &[&Row]) -> Option<Speed> {
    let sorted = Sorted::new(values).ok()?;
    let samples = sorted.len();
    let whisker = match samples {
        1 => rows.iter().find_map(|row| row.cell(column)?.interval).map(|ends| ends.map(|end| scaled(column, end))),
        _ => Some(match median_interval(&sorted, 0.95) {
            Ok(interval) => [interval.low, interval.high],
            Err(_) => [sorted.at(0), sorted.at(samples - 1)],
        }),
    };
    Some(Speed { source, column, value: sorted.median(), whisker, samples })
}

/// What the whiskers are, when there are any.
fn whiskers(subjects: &[Subject<'_>]) -> Option<String> {
    let with: Vec<usize> =
        subjects.iter().flat_map(|s| &s.speeds).filter(|s| s.whisker.is_some()).map(|s| s.samples).collect();
    let few = with.iter().any(|samples| (2..6).contains(samples));
    let many = with.iter().any(|samples| *samples == 1 || *samples >= 6);
    match (few, many) {
        (false, false) => None,
        (false, true) => Some("; whiskers: 95 % interval of the median".into()),
        (true, false) => Some("; bar: median; whiskers: least and greatest of fewer than 6 samples".into()),
        (true, true) => Some(
            "; bar: median; whiskers: 95 % interval of the median, or least and greatest of fewer than 6 samples"
                .into(),
        ),
    }
}

/// The look of each column, and of each source.
struct Looks<'t> {
    table: &'t Table,
    palette: Palette,
}

impl<'t> Looks<'t> {
    fn new(table: &'t Table) -> Self {
        Self { table, palette: Palette::of_ids(table.sources.iter().map(|source| source.id.as_str())) }
    }

    fn id(&self, source: usize) -> &'t str {
        self.table.sources.get(source).map_or("", |source| source.id.as_str())
    }

    fn of_source(&self, source: usize) -> Style {
        self.palette.style(self.id(source))
    }

    fn of_column(column: Column) -> Style {
        match column {
            Column::Buffer(size) => {
                let columns = TableType::Kbytes.columns(false);
                sequential(columns.iter().position(|known| *known == Column::Buffer(size)).unwrap_or(0))
            }
            Column::Sign => categorical(0),
            Column::Verify => categorical(1),
            Column::Keygen => categorical(2),
            Column::Enc => categorical(3),
            Column::Dec => categorical(4),
            Column::Dh => categorical(5),
        }
    }
}

fn bars(table: &Table, subjects: &[Subject<'_>], quantity: Quantity) -> Plot {
    let looks = Looks::new(table);
    let values = subjects.iter().flat_map(|subject| subject.speeds.iter()).map(|speed| speed.value);
    let axis = Axis {
        label: if quantity == Quantity::Rate { "throughput" } else { "operations per second" }.into(),
        domain: Domain::Quantity(quantity),
        scale: scale_beyond(LINEAR_UP_TO, values),
    };
    let mut columns: Vec<Column> = subjects.iter().flat_map(|s| s.speeds.iter()).map(|speed| speed.column).collect();
    columns.sort_unstable();
    columns.dedup();
    let groups = match (table.sources.len() > 1, columns.len() > 1) {
        (false, false) => vec![flat(subjects, quantity)],
        (false, true) => subjects.iter().map(|subject| by_column(subject, quantity)).collect(),
        (true, many) => subjects.iter().flat_map(|subject| by_source(subject, &looks, many, quantity)).collect(),
    };
    Plot::Bars(Bars { axis, groups })
}

/// One bar for each algorithm.
fn flat(subjects: &[Subject<'_>], quantity: Quantity) -> BarGroup {
    let style = categorical(0);
    let unit = quantity.common_unit(subjects.iter().flat_map(|subject| &subject.speeds).map(|speed| speed.value));
    let bars = subjects.iter().flat_map(|subject| {
        let measured = subject.speeds.iter().map(|speed| value(subject.name.into(), style, speed, unit));
        measured.chain(subject.absent.iter().map(|(_, _, reason)| absent(subject.name.into(), style, reason)))
    });
    BarGroup { label: String::new(), bars: bars.collect() }
}

/// One bar for each operation or size, under the algorithm.
fn by_column(subject: &Subject<'_>, quantity: Quantity) -> BarGroup {
    let unit = quantity.common_unit(subject.speeds.iter().map(|speed| speed.value));
    let label = |column: Column| operation_word(subject.name, column);
    let mut bars: Vec<Bar> = Vec::new();
    for speed in &subject.speeds {
        bars.push(value(label(speed.column), Looks::of_column(speed.column), speed, unit));
    }
    for (_, column, reason) in &subject.absent {
        bars.push(absent(column.map_or_else(String::new, label), categorical(7), reason));
    }
    BarGroup { label: subject.name.into(), bars }
}

/// One bar for each source, under the algorithm with its operation or size.
fn by_source(subject: &Subject<'_>, looks: &Looks<'_>, many: bool, quantity: Quantity) -> Vec<BarGroup> {
    let mut columns: Vec<Column> = Vec::new();
    for speed in &subject.speeds {
        if !columns.contains(&speed.column) {
            columns.push(speed.column);
        }
    }
    let unit = quantity.common_unit(subject.speeds.iter().map(|speed| speed.value));
    let mut groups: Vec<BarGroup> = columns
        .into_iter()
        .map(|column| {
            let mine = subject.speeds.iter().filter(|speed| speed.column == column);
            let mut bars: Vec<Bar> =
                mine.map(|s| value(looks.id(s.source).into(), looks.of_source(s.source), s, unit)).collect();
            let gaps = subject.absent.iter().filter(|(_, of, _)| *of == Some(column));
            bars.extend(gaps.map(|(at, _, why)| absent(looks.id(*at).into(), looks.of_source(*at), why)));
            let word = operation_word(subject.name, column);
            BarGroup { label: if many { format!("{} {word}", subject.name) } else { subject.name.into() }, bars }
        })
        .collect();
    let whole = subject.absent.iter().filter(|(_, column, _)| column.is_none());
    let gaps: Vec<Bar> = whole.map(|(at, _, why)| absent(looks.id(*at).into(), looks.of_source(*at), why)).collect();
    if groups.is_empty() && !gaps.is_empty() {
        groups.push(BarGroup { label: subject.name.into(), bars: Vec::new() });
    }
    groups.iter_mut().for_each(|group| group.bars.extend(gaps.iter().cloned()));
    groups
}

fn value(label: String, style: Style, speed: &Speed, unit: crate::units::Unit) -> Bar {
    let note = format!("{} {}", significant(speed.value / unit.base, 4), unit.symbol);
    let note = if speed.samples > 1 { format!("{note}, n {}", speed.samples) } else { note };
    Bar { label, style, shape: Shape::Value { value: speed.value, interval: speed.whisker }, note }
}

fn absent(label: String, style: Style, reason: &str) -> Bar {
    Bar { label, style, shape: Shape::Absent, note: format!("not measured: {}", say(reason)) }
}

/// Source and column, with places and speeds.
type Trail = ((usize, Column), Vec<(f64, f64)>);

/// One line for each source and column over the rows of the table.
fn lines(table: &Table, subjects: &[Subject<'_>], quantity: Quantity) -> Plot {
    let looks = Looks::new(table);
    let mut all: Vec<Trail> = Vec::new();
    for (index, subject) in subjects.iter().enumerate() {
        for speed in &subject.speeds {
            let key = (speed.source, speed.column);
            #[allow(clippy::cast_precision_loss)] // a table has at most 100,000 rows
            let point = ((index + 1) as f64, speed.value);
            match all.iter_mut().find(|(known, _)| *known == key) {
                Some((_, points)) => points.push(point),
                None => all.push((key, vec![point])),
            }
        }
    }
    let scale = scale_beyond(LINEAR_UP_TO, all.iter().flat_map(|(_, points)| points).map(|(_, y)| *y));
    let one = table.sources.len() <= 1;
    let series = all.iter().enumerate().map(|(index, ((source, column), points))| {
        let word = operation_word("", *column);
        Series {
            label: if one { word } else { format!("{} {word}", looks.id(*source)) },
            style: if one { Looks::of_column(*column) } else { categorical(index) },
            trace: Trace::Marks,
            points: thinned(points),
            names: Vec::new(),
        }
    });
    let label = if quantity == Quantity::Rate { "throughput" } else { "operations per second" };
    Plot::Lines(Lines {
        x: Axis {
            label: "algorithm, in the order of the file".into(),
            domain: Domain::Number { unit: "", at_values: false },
            scale: Scale::Linear,
        },
        y: Axis { label: label.into(), domain: Domain::Quantity(quantity), scale },
        series: series.collect(),
    })
}

/// At most [`MOST_POINTS`]: the median of neighbours, with a whisker from the least to the greatest.
fn thinned(points: &[(f64, f64)]) -> Vec<Point> {
    let each = points.len().div_ceil(MOST_POINTS).max(1);
    let point = |chunk: &[(f64, f64)]| {
        let sorted = Sorted::new(&chunk.iter().map(|(_, y)| *y).collect::<Vec<_>>()).ok()?;
        let (first, last) = (chunk.first()?, chunk.last()?);
        let interval = (chunk.len() > 1).then(|| [sorted.at(0), sorted.at(sorted.len() - 1)]);
        Some(Point { x: f64::midpoint(first.0, last.0), y: sorted.median(), interval, disturbed: false })
    };
    points.chunks(each).filter_map(point).collect()
}
