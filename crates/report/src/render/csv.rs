//! RFC 4180: CRLF, quotes where needed, one header line. Numbers keep every digit; an empty field is `null`.
//!
//! Text that a spreadsheet would run as a formula (it begins with `=`, `+`, `-`, `@`, tab or CR) gets a `'` in front.

use crate::group::{Group, NotCompared, Standing, groups};
use crate::record::{Mode, Row, Run, Sample, Status};
use crate::view::comparative::{no_reference, ratio, reference};
use crate::view::verification::checks;
use crate::view::{Kind, Verdict};

/// The report of a kind as CSV.
pub(super) fn render(run: &Run, samples: Option<&[Sample]>, kind: Kind, baseline: Option<&str>) -> String {
    match kind {
        Kind::Summary => rows(run),
        Kind::Comparative => ratios(run, baseline),
        Kind::Verification => checklist(run, samples),
    }
}

/// All rows with all fields; maps (`params`, `sizes`, `absent`) as JSON.
fn rows(run: &Run) -> String {
    let mut out = Lines::default();
    out.line(HEADER.iter().map(|name| (*name).to_owned()));
    for row in &run.rows {
        out.line(fields(row));
    }
    out.text
}

const HEADER: [&str; 31] = [
    "id",
    "family",
    "algorithm",
    "operation",
    "params",
    "provider",
    "mode",
    "status",
    "reason",
    "n",
    "processes",
    "median_ns",
    "ci95_low_ns",
    "ci95_high_ns",
    "ci_coverage_pct",
    "bootstrap95_low_ns",
    "bootstrap95_high_ns",
    "mean_ns",
    "mad_ns",
    "min_ns",
    "p95_ns",
    "p99_ns",
    "cov_pct",
    "ops_per_s",
    "bytes_per_s",
    "contaminated_pct",
    "clean_median_ns",
    "autocorrelation",
    "drift",
    "sizes",
    "absent",
];

fn fields(row: &Row) -> Vec<String> {
    let Row {
        id,
        family,
        algorithm,
        operation,
        params,
        provider,
        mode,
        status,
        reason,
        n,
        processes,
        median_ns,
        ci95_ns,
        ci_coverage_pct,
        bootstrap95_ns,
        mean_ns,
        mad_ns,
        min_ns,
        p95_ns,
        p99_ns,
        cov_pct,
        ops_per_s,
        bytes_per_s,
        contaminated_pct,
        clean_median_ns,
        autocorrelation,
        drift,
        sizes,
        absent,
    } = row;
    let [ci_low, ci_high] = ends(*ci95_ns);
    let [bootstrap_low, bootstrap_high] = ends(*bootstrap95_ns);
    vec![
        text(id),
        text(family),
        text(algorithm),
        text(operation),
        json(params),
        text(provider),
        mode_word(*mode).into(),
        status_word(*status).into(),
        reason.as_deref().map_or_else(String::new, text),
        n.to_string(),
        processes.to_string(),
        number(*median_ns),
        ci_low,
        ci_high,
        number(*ci_coverage_pct),
        bootstrap_low,
        bootstrap_high,
        number(*mean_ns),
        number(*mad_ns),
        number(*min_ns),
        number(*p95_ns),
        number(*p99_ns),
        number(*cov_pct),
        number(*ops_per_s),
        number(*bytes_per_s),
        number(*contaminated_pct),
        number(*clean_median_ns),
        number(*autocorrelation),
        drift.map_or_else(String::new, |drift| drift.to_string()),
        json(sizes),
        json(absent),
    ]
}

fn ratios(run: &Run, baseline: Option<&str>) -> String {
    let mut out = Lines::default();
    let header = [
        "family",
        "algorithm",
        "operation",
        "form",
        "size",
        "mode",
        "provider",
        "status",
        "median_ns",
        "rank",
        "standing",
        "reference",
        "ratio",
        "ratio_low",
        "ratio_high",
        "reason",
    ];
    out.line(header.iter().map(|name| (*name).to_owned()));
    for group in groups(run) {
        let base = reference(&group, baseline);
        for member in &group.ranked {
            let found = base.and_then(|base| ratio(member.row, base));
            let [low, high] = ends(found.and_then(|(_, interval)| interval));
            let mut line = key(&group, member.row);
            line.extend([
                number(Some(member.median_ns)),
                member.rank.to_string(),
                standing_word(member.standing).into(),
            ]);
            line.push(base.map_or_else(String::new, |base| text(&base.provider)));
            line.extend([number(found.map(|(value, _)| value)), low, high]);
            line.push(if base.is_none() { no_reference(&group, baseline).into() } else { String::new() });
            out.line(line);
        }
        for row in &group.unranked {
            let mut line = key(&group, row);
            line.push(number(row.median_ns));
            line.extend(std::iter::repeat_n(String::new(), 6));
            let reason = row.reason.as_deref().or_else(|| group.not_compared(row).map(NotCompared::reason));
            line.push(reason.map_or_else(String::new, text));
            out.line(line);
        }
    }
    out.text
}

fn key(group: &Group<'_>, row: &Row) -> Vec<String> {
    let key = &group.key;
    vec![
        text(&key.family),
        text(&key.algorithm),
        text(&key.operation),
        key.form.as_deref().map_or_else(String::new, text),
        key.size.map_or_else(String::new, |size| size.to_string()),
        mode_word(key.mode).into(),
        text(&row.provider),
        status_word(row.status).into(),
    ]
}

fn checklist(run: &Run, samples: Option<&[Sample]>) -> String {
    let mut out = Lines::default();
    out.line(["check", "holds", "rule", "missing"].iter().map(|name| (*name).to_owned()));
    for check in checks(run, samples) {
        let holds = check.verdict == Verdict::Holds;
        out.line([text(check.id), holds.to_string(), text(&check.rule), text(&check.missing.join("; "))]);
    }
    out.text
}

#[derive(Default)]
struct Lines {
    text: String,
}

impl Lines {
    fn line(&mut self, fields: impl IntoIterator<Item = String>) {
        for (index, field) in fields.into_iter().enumerate() {
            if index > 0 {
                self.text.push(',');
            }
            self.text.push_str(&quoted(&field));
        }
        self.text.push_str("\r\n");
    }
}

fn quoted(field: &str) -> String {
    if field.contains(['"', ',', '\r', '\n']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

/// Words, made harmless for spreadsheets.
fn text(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{text}") } else { text.to_owned() }
}

fn json(map: &impl serde::Serialize) -> String {
    // Maps with string keys and finite numbers always serialise.
    serde_json::to_string(map).unwrap_or_default()
}

/// The shortest digits that read back as the same number.
fn number(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

fn ends(interval: Option<[f64; 2]>) -> [String; 2] {
    match interval {
        Some([low, high]) => [number(Some(low)), number(Some(high))],
        None => [String::new(), String::new()],
    }
}

fn mode_word(mode: Mode) -> &'static str {
    match mode {
        Mode::Throughput => "throughput",
        Mode::Latency => "latency",
    }
}

fn status_word(status: Status) -> &'static str {
    match status {
        Status::Ok => "ok",
        Status::Unavailable => "unavailable",
        Status::Failed => "failed",
        Status::Inconclusive => "inconclusive",
    }
}

fn standing_word(standing: Standing) -> &'static str {
    match standing {
        Standing::Fastest => "fastest",
        Standing::Tied => "tied",
        Standing::Behind => "behind",
    }
}
