//! A chart as a gnuplot script (gnuplot 5.0 or later) with its figures inside, so that it draws wherever it is put.

use super::text::one_line;
use crate::figure::{Axis, Bars, Domain, Figure, Lines, Plot, Scale, Shape, Trace};
use crate::palette::Marker;
use crate::units::Quantity;
use crate::view::DISTURBED;
use std::fmt::Write;

const WIDTH: usize = 960;
/// Units of a line of bars.
const ROW: usize = 21;
/// Characters of a line of text.
const LINE: usize = 100;

/// The script.
pub(super) fn render(figure: &Figure) -> String {
    // Writing to a String cannot fail.
    let mut out = format!("# {}\n# {}\n", one_line(&figure.title), one_line(&figure.subtitle));
    for note in &figure.notes {
        let _ = writeln!(out, "# {}", one_line(note));
    }
    let height = match &figure.plot {
        Plot::Bars(bars) => 170 + ROW * rows(bars),
        Plot::Lines(_) => 540,
    } + 18 * figure.notes.len();
    // A key beside the chart takes its part of the width.
    let room = if matches!(figure.plot, Plot::Bars(_)) { LINE } else { LINE * 3 / 4 };
    let _ = write!(
        out,
        "# Draws {id}.gnuplot.svg; another place: gnuplot -e \"output='FILE.svg'\" {id}.gp\n\
         if (!exists(\"output\")) output = {file}\n\
         set encoding utf8\n\
         set terminal svg size {WIDTH},{height} dynamic font \"DejaVu Sans,12\" background \"#ffffff\"\n\
         set output output\n\
         set title {title} noenhanced\n",
        id = one_line(&figure.id),
        file = quoted(&format!("{}.gnuplot.svg", figure.id)),
        title = quoted(&format!("{}\n{}", figure.title, wrapped(&figure.subtitle, room))),
    );
    caption(&mut out, &figure.notes);
    match &figure.plot {
        Plot::Bars(plot) => bars(&mut out, plot),
        Plot::Lines(plot) => lines(&mut out, plot),
    }
    out
}

fn rows(bars: &Bars) -> usize {
    bars.groups.iter().map(|group| group.bars.len() + usize::from(!group.label.is_empty()) + 1).sum()
}

/// Notes stand below the axis.
fn caption(out: &mut String, notes: &[String]) {
    let lines = notes.iter().map(|note| wrapped(note, LINE)).collect::<Vec<_>>();
    let count: usize = lines.iter().map(|note| note.lines().count()).sum();
    let _ = writeln!(out, "set bmargin {}", 4 + count);
    if count > 0 {
        let _ = writeln!(
            out,
            "set label 1 {} at screen 0.015, character {} left noenhanced",
            quoted(&lines.join("\n")),
            count
        );
    }
}

fn axis(out: &mut String, name: char, axis: &Axis) {
    let _ = writeln!(out, "set {name}label {} noenhanced", quoted(&axis.label));
    if axis.scale == Scale::Log {
        let base = if axis.domain == Domain::Bytes { 2 } else { 10 };
        let _ = writeln!(out, "set logscale {name} {base}");
    }
    let format = match axis.domain {
        Domain::Quantity(Quantity::Time) => "%.0s %cs",
        Domain::Quantity(Quantity::Rate) => "%.0s %cB/s",
        Domain::Quantity(Quantity::Speed) => "%.0s %cop/s",
        Domain::Quantity(Quantity::Ratio) => "%gx",
        Domain::Quantity(Quantity::Percent) => "%g %%",
        Domain::Bytes => "%.0b %BB",
        Domain::Number { unit, .. } => {
            let _ = writeln!(out, "set format {name} {}", quoted(&format!("%g {}", unit.replace('%', "%%"))));
            return;
        }
    };
    // Between two powers of a thousand a linear axis needs its decimals.
    let format = if axis.scale == Scale::Linear { format.replace("%.0s", "%.3s") } else { format.to_owned() };
    let _ = writeln!(out, "set format {name} {}", quoted(&format));
}

/// Base units of gnuplot: seconds, where a figure has nanoseconds.
fn base(axis: &Axis) -> f64 {
    if axis.domain == Domain::Quantity(Quantity::Time) { 1e-9 } else { 1.0 }
}

fn bars(out: &mut String, plot: &Bars) {
    axis(out, 'x', &plot.axis);
    let factor = base(&plot.axis);
    let mut tics = Vec::new();
    let (mut values, mut whiskers, mut boxes, mut words) = (String::new(), String::new(), String::new(), String::new());
    let mut y = 0;
    for group in &plot.groups {
        if !group.label.is_empty() {
            y += 1;
            tics.push(format!("{} {y}", quoted(&format!("{}:", group.label))));
        }
        for bar in &group.bars {
            y += 1;
            tics.push(format!("{} {y}", quoted(&bar.label)));
            let colour = colour(bar.style.light);
            match bar.shape {
                Shape::Value { value, interval } => {
                    let _ = writeln!(values, "{} {y} {colour}", value * factor);
                    if let Some([low, high]) = interval {
                        let _ = writeln!(whiskers, "{} {y} {} {}", value * factor, low * factor, high * factor);
                    }
                    let _ = writeln!(words, "{} {y} {}", value * factor, data_word(&bar.note));
                }
                Shape::Box([low, first, median, third, high]) => {
                    let at = |value: f64| value * factor;
                    let _ = writeln!(boxes, "{} {y} {} {} {colour}", at(median), at(first), at(third));
                    let _ = writeln!(whiskers, "{} {y} {} {}", at(median), at(low), at(high));
                    let _ = writeln!(words, "{} {y} {}", at(high), data_word(&bar.note));
                }
                Shape::Absent => {
                    let _ = writeln!(words, "NaN {y} {}", data_word(&bar.note));
                }
            }
        }
        y += 1;
    }
    let sets = [("values", &values), ("whiskers", &whiskers), ("boxes", &boxes), ("words", &words)];
    for (name, lines) in sets.iter().filter(|(_, lines)| !lines.is_empty()) {
        let _ = write!(out, "${name} << END_OF_DATA\n{lines}END_OF_DATA\n");
    }
    let all = plot.groups.iter().flat_map(|group| &group.bars).filter_map(|bar| match bar.shape {
        Shape::Value { value, interval } => Some([interval.map_or(value, |i| i[0]), interval.map_or(value, |i| i[1])]),
        Shape::Box(quantiles) => Some([quantiles[0], quantiles[4]]),
        Shape::Absent => None,
    });
    let (low, high) = all.fold((f64::INFINITY, 0.0_f64), |(low, high), [a, b]| (low.min(a), high.max(b)));
    let (low, high) = if low.is_finite() && high > 0.0 { (low * factor, high * factor) } else { (1.0, 10.0) };
    // Room to the right for the values in words.
    let (from, to) = match plot.axis.scale {
        Scale::Log => (low * 0.7, high * (high / low).powf(0.35)),
        Scale::Linear => (0.0, high * 1.3),
    };
    let _ = write!(
        out,
        "set xrange [{from}:{to}]\nset yrange [{y}.5:0]\nset ytics ({tics}) noenhanced scale 0\nunset key\n\
         set xtics nomirror\nset grid xtics lt 1 lc rgb \"#dddddd\"\nset style fill solid 1 noborder\nset border 1\nset lmargin {margin}\n",
        tics = tics.join(", "),
        margin = 2 + widest(plot).min(44),
    );
    let mut parts = Vec::new();
    if !values.is_empty() {
        parts.push(format!("$values using ($1):2:({from}):1:($2-0.36):($2+0.36):3 with boxxyerror lc rgb variable"));
    }
    if !boxes.is_empty() {
        parts.push("$boxes using 1:2:3:4:($2-0.36):($2+0.36):5 with boxxyerror lc rgb variable".into());
    }
    if !whiskers.is_empty() {
        parts.push("$whiskers using 1:2:3:4 with xerrorbars pt 0 lc rgb \"#1b1b1b\"".into());
    }
    if !words.is_empty() {
        parts.push(format!(
            "$words using (valid(1) ? $1 : {from}):2:(strcol(3)) with labels left offset 1,0 noenhanced"
        ));
    }
    let _ = writeln!(out, "plot {}", if parts.is_empty() { "NaN notitle".into() } else { parts.join(", \\\n     ") });
}

fn widest(plot: &Bars) -> usize {
    let groups = plot.groups.iter();
    let labels = groups.flat_map(|g| g.bars.iter().map(|bar| &bar.label).chain(std::iter::once(&g.label)));
    labels.map(|label| label.chars().count()).max().unwrap_or(10)
}

fn lines(out: &mut String, plot: &Lines) {
    axis(out, 'x', &plot.x);
    axis(out, 'y', &plot.y);
    if let Domain::Number { at_values: true, unit } = plot.x.domain {
        let mut values: Vec<f64> = plot.series.iter().flat_map(|s| &s.points).map(|point| point.x).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        let tics: Vec<String> = values.iter().map(|v| format!("{} {v}", quoted(&format!("{v} {unit}")))).collect();
        if let (Some(first), Some(last)) = (values.first(), values.last()) {
            let _ = writeln!(
                out,
                "set xtics ({}) nomirror rotate by -30\nset ytics nomirror\nset xrange [{}:{}]",
                tics.join(", "),
                first * 0.9,
                last * 1.2
            );
        }
    }
    let (across, up) = (base(&plot.x), base(&plot.y));
    let mut parts = Vec::new();
    for (index, series) in plot.series.iter().enumerate() {
        let _ = writeln!(out, "$series{index} << END_OF_DATA");
        for (at, point) in series.points.iter().enumerate() {
            let [low, high] = point.interval.unwrap_or([point.y, point.y]);
            let name = series.names.get(at).map_or("", String::as_str);
            let (x, y) = (point.x * across, point.y * up);
            let _ = writeln!(out, "{x} {y} {} {} {}", low * up, high * up, data_word(name));
        }
        out.push_str("END_OF_DATA\n");
        let colour = series.style.light;
        let title = format!("title {} noenhanced", quoted(&series.label));
        let dash = if series.style.dash.is_empty() { 1 } else { 2 };
        let mark = point_type(series.style.marker);
        let with = match series.trace {
            Trace::Joined => format!("linespoints lw 2 dt {dash} pt {mark}"),
            Trace::Step => format!("steps lw 2 dt {dash}"),
            Trace::Marks => format!("points pt {mark} ps 1.1"),
            Trace::Curve => format!("lines lw 2 dt {dash}"),
        };
        parts.push(format!("$series{index} using 1:2 with {with} lc rgb \"{colour}\" {title}"));
        if series.points.iter().any(|point| point.interval.is_some()) {
            parts.push(format!("$series{index} using 1:2:3:4 with yerrorbars pt 0 lc rgb \"#5a5a5a\" notitle"));
        }
        let disturbed: Vec<_> = series.points.iter().filter(|point| point.disturbed).collect();
        if !disturbed.is_empty() {
            let _ = writeln!(out, "$disturbed{index} << END_OF_DATA");
            for point in disturbed {
                let _ = writeln!(out, "{} {} {}", point.x * across, point.y * up, data_word(DISTURBED));
            }
            out.push_str("END_OF_DATA\n");
            // White over the filled sign leaves it hollow.
            parts.push(format!("$disturbed{index} using 1:2 with points pt {mark} ps 0.5 lc rgb \"#ffffff\" notitle"));
            parts.push(format!("$disturbed{index} using 1:2:(strcol(3)) with labels left offset 1,0 notitle"));
        }
        if series.names.iter().any(|name| !name.is_empty()) {
            parts
                .push(format!("$series{index} using 1:2:(strcol(5)) with labels left offset 1,0.4 noenhanced notitle"));
        }
    }
    out.push_str("set key outside right top reverse Left\nset grid lc rgb \"#dddddd\"\nset border 3\n");
    let _ = writeln!(out, "plot {}", if parts.is_empty() { "NaN notitle".into() } else { parts.join(", \\\n     ") });
}

fn point_type(marker: Marker) -> u8 {
    match marker {
        Marker::Circle => 7,
        Marker::Square => 5,
        Marker::Triangle => 9,
        Marker::Diamond => 13,
        Marker::TriangleDown => 11,
        Marker::Cross => 1,
    }
}

/// `#rrggbb` as the number that `rgb variable` takes.
fn colour(hex: &str) -> u32 {
    u32::from_str_radix(hex.trim_start_matches('#'), 16).unwrap_or(0)
}

/// A string constant. In single quotes gnuplot knows one escape only: a doubled quote. Lines need double quotes.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            out.push_str("\\n");
        }
        for character in one_line(line).chars() {
            match character {
                '"' | '\\' | '`' => {
                    // A backquote would run a command.
                    out.push_str(match character {
                        '"' => "\\\"",
                        '\\' => "\\\\",
                        _ => "'",
                    });
                }
                other => out.push(other),
            }
        }
    }
    out.push('"');
    out
}

/// A word of a data block: in double quotes, where nothing can be escaped. `$` and `@` mean nothing there.
fn data_word(text: &str) -> String {
    format!("\"{}\"", one_line(text).replace(['"', '\\', '`'], "'"))
}

/// Broken at spaces into lines of about so many characters.
fn wrapped(text: &str, room: usize) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let full =
            lines.last().is_some_and(|line| !line.is_empty() && line.chars().count() + word.chars().count() > room);
        if full {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines.join("\n")
}
