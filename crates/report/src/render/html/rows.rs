//! The full table of the page: every row of the run; the script sorts and filters it.

use super::data::Look;
use super::escape;
use crate::group::{Standing, groups};
use crate::record::{Mode, Row, Run, Status};
use crate::units::{Quantity, Unit, buffer_size, significant};
use crate::view::{DISTURBED, Mark, is_disturbed};
use std::collections::HashMap;
use std::fmt::Write;

const COLUMNS: [(&str, bool); 14] = [
    ("provider", false),
    ("family", false),
    ("algorithm", false),
    ("operation", false),
    ("size", true),
    ("mode", false),
    ("status", false),
    ("median", true),
    ("95 % interval", true),
    ("ratio", true),
    ("p95", true),
    ("p99", true),
    ("throughput", true),
    ("disturbed", true),
];

/// The unit of each column of numbers; `None`: each number has its own.
struct Units {
    median: Option<Unit>,
    p95: Option<Unit>,
    p99: Option<Unit>,
    rate: Option<Unit>,
}

impl Units {
    fn of(run: &Run) -> Self {
        let column = |quantity: Quantity, pick: &dyn Fn(&Row) -> Option<f64>| {
            quantity.column_unit(run.rows.iter().filter_map(pick))
        };
        Self {
            median: column(Quantity::Time, &|row| row.median_ns),
            p95: column(Quantity::Time, &|row| row.p95_ns),
            p99: column(Quantity::Time, &|row| row.p99_ns),
            rate: column(Quantity::Rate, &rate),
        }
    }
}

/// Bytes per second at the median, where the row has a throughput.
fn rate(row: &Row) -> Option<f64> {
    let size = row.params.get("size").and_then(serde_json::Value::as_u64)?;
    let median = row.median_ns.filter(|ns| *ns > 0.0 && row.bytes_per_s.is_some())?;
    #[allow(clippy::cast_precision_loss)] // a buffer has less than 2^53 bytes
    Some(size as f64 * 1e9 / median)
}

/// Appends the section.
pub(super) fn push(out: &mut String, run: &Run, look: &Look) {
    let mut places: HashMap<&str, (f64, Standing)> = HashMap::new();
    let grouped = groups(run);
    for member in grouped.iter().flat_map(|group| group.ranked.iter()) {
        places.insert(&member.row.id, (member.ratio, member.standing));
    }
    out.push_str(
        "<section id=\"rows\"><h2>All rows</h2>\n<p class=\"note\">The filters above apply here too. Ratio: to the smallest \
         median of the same work, where rows are compared. Throughput: at the median. Disturbed: share of samples during which the worker was \
         preempted or time was stolen.</p>\n\
         <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"All rows\"><table class=\"sortable\">\n<thead><tr>",
    );
    for (name, numeric) in COLUMNS {
        let class = if numeric { " class=\"num\"" } else { "" };
        let _ = write!(out, "<th scope=\"col\"{class}><button type=\"button\">{name}</button></th>");
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    let units = Units::of(run);
    for row in &run.rows {
        push_row(out, row, &units, places.get(row.id.as_str()).copied(), look);
    }
    out.push_str("</tbody></table></div>\n</section>\n");
}

fn push_row(out: &mut String, row: &Row, units: &Units, place: Option<(f64, Standing)>, look: &Look) {
    let size = row.params.get("size").and_then(serde_json::Value::as_u64);
    let operation = match row.params.get("form").and_then(|form| form.as_str()) {
        Some(form) => format!("{} ({form})", row.operation),
        None => row.operation.clone(),
    };
    let _ = write!(out, "<tr><th scope=\"row\">{}{}</th>", look.swatch(&row.provider), escape(&row.provider));
    for text in [&row.family, &row.algorithm, &operation] {
        let _ = write!(out, "<td>{}</td>", escape(text));
    }
    #[allow(clippy::cast_precision_loss)] // a buffer has less than 2^53 bytes
    number(out, size.map(|size| size as f64), size.map_or_else(String::new, buffer_size), "");
    let _ = write!(out, "<td>{}</td>", if row.mode == Mode::Latency { "latency" } else { "throughput" });
    status(out, row);
    let class = match place {
        Some((_, Standing::Fastest)) => " fastest",
        Some((_, Standing::Tied)) => " tied",
        _ => "",
    };
    let signs = signs(row, place.map(|(_, standing)| standing));
    number(
        out,
        row.median_ns,
        row.median_ns.map_or_else(String::new, |ns| format!("{} {signs}", shown(ns, Quantity::Time, units.median))),
        class,
    );
    let interval = row.ci95_ns.map(|[low, high]| {
        let unit = units.median.unwrap_or_else(|| Quantity::Time.unit(row.median_ns.unwrap_or(low)));
        let digits = |ns: f64| significant(ns / unit.base, 4);
        (high - low, format!("{} – {} {}", digits(low), digits(high), unit.symbol))
    });
    number(out, interval.as_ref().map(|(width, _)| *width), interval.map_or_else(String::new, |(_, text)| text), "");
    let ratio = place.map(|(ratio, _)| ratio);
    number(out, ratio, ratio.map_or_else(String::new, |ratio| format!("{}×", significant(ratio, 3))), "");
    for (value, quantity, unit) in [
        (row.p95_ns, Quantity::Time, units.p95),
        (row.p99_ns, Quantity::Time, units.p99),
        (rate(row), Quantity::Rate, units.rate),
    ] {
        number(out, value, value.map_or_else(String::new, |value| shown(value, quantity, unit)), "");
    }
    let share = row.contaminated_pct;
    number(out, share, share.map_or_else(String::new, |share| format!("{} %", significant(share, 3))), "");
    out.push_str("</tr>\n");
}

/// The signs behind a row's number.
pub(super) fn signs(row: &Row, standing: Option<Standing>) -> String {
    let mark = match standing {
        Some(Standing::Fastest) => Mark::Fastest,
        Some(Standing::Tied) => Mark::Tied,
        _ if row.status == Status::Inconclusive => Mark::Inconclusive,
        _ => Mark::Plain,
    };
    format!("{}{}", mark.symbol(), if is_disturbed(row) { DISTURBED } else { "" })
}

fn status(out: &mut String, row: &Row) {
    let (word, class) = match row.status {
        Status::Ok => ("ok", ""),
        Status::Unavailable => ("unavailable", "absent"),
        Status::Failed => ("failed", "bad"),
        Status::Inconclusive => ("inconclusive", "caution"),
    };
    let reason = row.reason.as_deref().unwrap_or_default();
    let _ = write!(out, "<td class=\"{class}\" title=\"{}\">{word}</td>", escape(reason));
}

fn number(out: &mut String, value: Option<f64>, text: String, class: &str) {
    let sort = value.map_or_else(String::new, |value| format!(" data-value=\"{value}\""));
    let _ = write!(out, "<td class=\"num{class}\"{sort}>{}</td>", escape(&text));
}

fn shown(value: f64, quantity: Quantity, unit: Option<Unit>) -> String {
    let unit = unit.unwrap_or_else(|| quantity.unit(value));
    format!("{} {}", significant(value / unit.base, 4), unit.symbol)
}
