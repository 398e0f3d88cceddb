//! A chart as a pgfplots picture, to be included in a LaTeX document.

use super::latex::escape;
use super::text::one_line;
use crate::figure::{Axis, Bar, Bars, Domain, Figure, Lines, Plot, Scale, Shape, Trace};
use crate::palette::Marker;
use crate::units::{Quantity, Unit};
use crate::view::DISTURBED;
use std::fmt::Write;

/// The picture as a fragment for `\input`. The packages it needs stand in its first lines.
pub(super) fn render(figure: &Figure) -> String {
    // Writing to a String cannot fail.
    let mut out = format!("% {}\n% {}\n", one_line(&figure.title), one_line(&figure.subtitle));
    for note in &figure.notes {
        let _ = writeln!(out, "% {}", one_line(note));
    }
    out.push_str("% Needs \\usepackage{pgfplots} with \\pgfplotsset{compat=1.16}.\n");
    colours(&mut out, figure);
    out.push_str("\\begin{tikzpicture}\n");
    match &figure.plot {
        Plot::Bars(plot) => bars(&mut out, figure, plot),
        Plot::Lines(plot) => lines(&mut out, figure, plot),
    }
    out.push_str("\\end{axis}\n\\end{tikzpicture}\n");
    for note in std::iter::once(&figure.subtitle).chain(&figure.notes) {
        let _ = writeln!(out, "\\par{{\\footnotesize {}\\par}}", escape(note));
    }
    out
}

/// Every colour once, under the name of its value.
fn colours(out: &mut String, figure: &Figure) {
    let mut all: Vec<&str> = match &figure.plot {
        Plot::Bars(plot) => plot.groups.iter().flat_map(|group| &group.bars).map(|bar| bar.style.light).collect(),
        Plot::Lines(plot) => plot.series.iter().map(|series| series.style.light).collect(),
    };
    all.sort_unstable();
    all.dedup();
    for colour in all {
        let hex = colour.trim_start_matches('#');
        let _ = writeln!(out, "\\definecolor{{pq{hex}}}{{HTML}}{{{}}}", hex.to_uppercase());
    }
}

fn name(colour: &str) -> String {
    format!("pq{}", colour.trim_start_matches('#'))
}

/// The unit in which an axis is drawn: TeX reckons with few digits and knows no prefixes.
fn unit(axis: &Axis, values: &[f64]) -> Unit {
    match axis.domain {
        Domain::Quantity(quantity) if quantity != Quantity::Ratio && quantity != Quantity::Percent => {
            quantity.common_unit(values.iter().copied())
        }
        _ => Unit { symbol: "", base: 1.0 },
    }
}

fn label(axis: &Axis, unit: Unit) -> String {
    let symbol = match axis.domain {
        Domain::Quantity(Quantity::Ratio) | Domain::Bytes => "",
        Domain::Quantity(Quantity::Percent) => "%",
        Domain::Quantity(_) => unit.symbol,
        Domain::Number { unit, .. } => unit,
    };
    let label = escape(&axis.label);
    if symbol.is_empty() { label } else { format!("{label} in {}", escape(symbol)) }
}

fn bars(out: &mut String, figure: &Figure, plot: &Bars) {
    let all = plot.groups.iter().flat_map(|group| &group.bars);
    let values: Vec<f64> = all.filter_map(middle).collect();
    let unit = unit(&plot.axis, &values);
    let mut labels = Vec::new();
    let mut places: Vec<(usize, &Bar)> = Vec::new();
    let mut y = 0;
    for group in &plot.groups {
        if !group.label.is_empty() {
            y += 1;
            labels.push((y, format!("\\textbf{{{}}}", escape(&group.label))));
        }
        for bar in &group.bars {
            y += 1;
            labels.push((y, escape(&bar.label)));
            places.push((y, bar));
        }
        y += 1;
    }
    let ticks: Vec<String> = labels.iter().map(|(at, _)| at.to_string()).collect();
    let words: Vec<String> = labels.into_iter().map(|(_, words)| format!("{{{words}}}")).collect();
    let scale = match plot.axis.scale {
        // The shortest bar keeps some length.
        Scale::Log => {
            let least = values.iter().copied().fold(f64::INFINITY, f64::min) / unit.base;
            let xmin = if least.is_finite() { format!("xmin={}, ", 0.7 * least) } else { String::new() };
            format!("xmode=log, log origin=infty, {xmin}")
        }
        Scale::Linear => "xmin=0, scaled x ticks=false,".into(),
    };
    let _ = write!(
        out,
        "\\begin{{axis}}[title={{{title}}}, width=0.72\\linewidth, scale only axis, height={height}mm, {scale}\n  \
         xlabel={{{label}}}, y dir=reverse, ymin=0, ymax={y}, ytick={{{ticks}}},\n  yticklabels={{{words}}},\n  \
         xbar, bar width=2.6mm, xmajorgrids, axis x line*=bottom, axis y line*=left, ytick style={{draw=none}},\n  \
         tick label style={{font=\\footnotesize}}, clip=false]\n",
        title = escape(&figure.title),
        height = 5 * y.max(2),
        label = label(&plot.axis, unit),
        ticks = ticks.join(","),
        words = words.join(","),
    );
    for (at, bar) in places {
        let note = escape(&bar.note);
        let Some(value) = middle(bar).map(|value| value / unit.base) else {
            let _ = writeln!(
                out,
                "\\node[anchor=west, font=\\scriptsize] at ({{rel axis cs:0,0}} |- {{axis cs:1,{at}}}) {{{note}}};"
            );
            continue;
        };
        let (option, whisker) = match ends(bar) {
            Some([low, high]) => (
                ", error bars/.cd, x dir=both, x explicit",
                format!(" += ({},0) -= ({},0)", high / unit.base - value, value - low / unit.base),
            ),
            None => ("", String::new()),
        };
        let _ = writeln!(
            out,
            "\\addplot[bar shift=0pt, draw=none, fill={fill}{option}] coordinates {{({value},{at}){whisker}}} node[anchor=west, font=\\scriptsize, xshift=1mm] {{{note}}};",
            fill = name(bar.style.light),
        );
    }
}

fn middle(bar: &Bar) -> Option<f64> {
    match bar.shape {
        Shape::Value { value, .. } => Some(value),
        Shape::Box(quantiles) => Some(quantiles[2]),
        Shape::Absent => None,
    }
}

fn ends(bar: &Bar) -> Option<[f64; 2]> {
    match bar.shape {
        Shape::Value { interval, .. } => interval,
        Shape::Box(quantiles) => Some([quantiles[0], quantiles[4]]),
        Shape::Absent => None,
    }
}

fn lines(out: &mut String, figure: &Figure, plot: &Lines) {
    let points = || plot.series.iter().flat_map(|series| &series.points);
    let across = unit(&plot.x, &points().map(|point| point.x).collect::<Vec<_>>());
    let up = unit(&plot.y, &points().map(|point| point.y).collect::<Vec<_>>());
    let mode =
        |axis: &Axis, name: char| if axis.scale == Scale::Log { format!("{name}mode=log, ") } else { String::new() };
    let mut values: Vec<f64> = points().map(|point| point.x).collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    let ticks = if matches!(plot.x.domain, Domain::Bytes | Domain::Number { at_values: true, .. }) {
        let values = values.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        format!("xtick={{{values}}}, xticklabels={{{values}}}, xticklabel style={{rotate=45, anchor=east}},\n  ")
    } else {
        String::new()
    };
    let _ = write!(
        out,
        "\\begin{{axis}}[title={{{title}}}, width=0.75\\linewidth, height=0.55\\linewidth, {x}{y}{ticks}\
         xlabel={{{xlabel}}}, ylabel={{{ylabel}}}, grid=major,\n  \
         legend pos=outer north east, legend cell align=left, tick label style={{font=\\footnotesize}}, clip=false]\n",
        title = escape(&figure.title),
        x = mode(&plot.x, 'x'),
        y = mode(&plot.y, 'y'),
        xlabel = label(&plot.x, across),
        ylabel = label(&plot.y, up),
    );
    for series in &plot.series {
        let style = match series.trace {
            Trace::Joined => format!("mark={}", mark(series.style.marker)),
            Trace::Marks => format!("only marks, mark={}", mark(series.style.marker)),
            Trace::Step => "const plot, no marks".into(),
            Trace::Curve => "no marks".into(),
        };
        let dash = if series.style.dash.is_empty() { "" } else { ", dashed" };
        let _ = write!(
            out,
            "\\addplot[{colour}, {style}{dash}, thick, error bars/.cd, y dir=both, y explicit] coordinates {{",
            colour = name(series.style.light),
        );
        for point in &series.points {
            let (x, y) = (point.x / across.base, point.y / up.base);
            let [low, high] = point.interval.map_or([0.0, 0.0], |[low, high]| [y - low / up.base, high / up.base - y]);
            let _ = write!(out, " ({x},{y}) += (0,{high}) -= (0,{low})");
        }
        let _ = writeln!(out, "}};\n\\addlegendentry{{{}}}", escape(&series.label));
        for point in series.points.iter().filter(|point| point.disturbed) {
            let (x, y) = (point.x / across.base, point.y / up.base);
            let _ = writeln!(
                out,
                "\\node[circle, draw, inner sep=1.5pt, fill=white, label=right:{{{}}}] at (axis cs:{x},{y}) {{}};",
                escape(DISTURBED)
            );
        }
        for (point, name) in series.points.iter().zip(&series.names).filter(|(_, name)| !name.is_empty()) {
            let (x, y) = (point.x / across.base, point.y / up.base);
            let _ = writeln!(
                out,
                "\\node[anchor=south west, font=\\scriptsize] at (axis cs:{x},{y}) {{{}}};",
                escape(name)
            );
        }
    }
}

fn mark(marker: Marker) -> &'static str {
    match marker {
        Marker::Circle => "*",
        Marker::Square => "square*",
        Marker::Triangle => "triangle*",
        Marker::Diamond => "diamond*",
        Marker::TriangleDown => "triangle*, mark options={rotate=180}",
        Marker::Cross => "+",
    }
}
