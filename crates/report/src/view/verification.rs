//! A checklist: may these numbers be published?

use super::{
    Block, Cell, Column, Document, Kind, MOST_CONTAMINATED_PCT, Section, Table, Verdict, context, gaps, providers,
};
use crate::record::{Control, Provider, Row, Run, Sample, Status};
use measure::stats::Sorted;
use serde::Serialize;
use std::collections::BTreeMap;

/// Processes below which an order-statistic interval cannot reach 95 % (2 · 2^-6 = 3.1 %, 2 · 2^-5 = 6.3 %).
pub const FEWEST_PROCESSES: u32 = 6;
/// Coverage that an interval must reach, per cent.
pub const LEAST_COVERAGE_PCT: f64 = 95.0;
/// Codes of warnings that a run carries which Ctrl-C or its time budget ended early.
const CUT: [&str; 2] = ["interrupted", "budget-cut"];
/// Relative difference up to which two figures from the same samples are the same.
const SAME: f64 = 1e-9;
/// Offenders named one by one in a check; the rest are counted.
const NAMED: usize = 8;

/// One line of the checklist.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// Stable key: `provenance`, `conformance`, …
    pub id: &'static str,
    /// What must hold.
    pub rule: String,
    /// Whether it does.
    pub verdict: Verdict,
    /// What is missing, item by item; empty when it holds.
    pub missing: Vec<String>,
}

/// Whether every check holds.
#[must_use]
pub fn publishable(checks: &[Check]) -> bool {
    checks.iter().all(|check| check.verdict == Verdict::Holds)
}

/// All checks of a run. `samples` are the raw samples, when they could be read.
#[must_use]
pub fn checks(run: &Run, samples: Option<&[Sample]>) -> Vec<Check> {
    vec![
        check(
            "finished",
            "The run measured all that its plan asks for: neither Ctrl-C nor the time budget ended it.",
            finished(run),
        ),
        check("release-build", "pqlab was not a debug build.", debug_build(run)),
        check(
            "provenance",
            "Every measured provider has a version, an origin and, when loaded, the SHA-256 of its file; what it does not \
             tell has a reason.",
            provenance(run),
        ),
        check("conformance", "The run records that conformance passed before timing; no row failed.", conformance(run)),
        check("intervals", &interval_rule(), each(run, interval)),
        check("contamination", &contamination_rule(), each(run, contamination)),
        check("nulls", "Every absent number of a measured row has a reason.", each(run, unexplained)),
        check("controls", "The null-operation and A/A controls are recorded, and all controls passed.", controls(run)),
        check("harness", "The harness tax was measured.", harness(run)),
        check(
            "samples",
            "The raw samples of every measured row are stored, as many and of as many processes as the row says, and give its \
             median.",
            raw(run, samples),
        ),
    ]
}

/// The verification report.
pub(crate) fn document(run: &Run, samples: Option<&[Sample]>) -> Document {
    let checks = checks(run, samples);
    let failing = checks.iter().filter(|check| check.verdict == Verdict::Missing).count();
    let verdict = if publishable(&checks) {
        "publishable: every check holds".to_owned()
    } else {
        format!("not publishable: {} checks do not hold", context::of(failing, checks.len()))
    };
    let mut sections = vec![Section {
        id: "verification",
        title: "Checklist".into(),
        text: vec![format!("Verdict: {verdict}.")],
        tables: vec![table(&checks)],
        ..Section::default()
    }];
    sections.extend([context::warnings(run), gaps::section(run), context::controls(run)]);
    sections.extend([providers::section(run), context::host(run)]);
    sections.retain(|section| !(section.text.is_empty() && section.tables.is_empty()));
    Document {
        kind: Kind::Verification,
        title: format!("{}: verification", context::title(run)),
        subtitle: verdict,
        sections,
    }
}

/// The checklist as a table.
pub(crate) fn table(checks: &[Check]) -> Table {
    let rows = checks
        .iter()
        .map(|check| {
            let missing = if check.missing.is_empty() { "–".to_owned() } else { check.missing.join("; ") };
            vec![
                Cell::text(check.id),
                Cell::Verdict(check.verdict),
                Cell::text(check.rule.clone()),
                Cell::Text(missing),
            ]
        })
        .collect();
    Table {
        id: "verification".into(),
        title: "Checklist".into(),
        columns: ["check", "holds", "rule", "what is missing"].into_iter().map(Column::text).collect(),
        blocks: vec![Block { title: String::new(), rows }],
        ..Table::default()
    }
}

/// What is wrong with one row, provider or control; without a subject it is the run.
struct Offence {
    subject: String,
    what: String,
}

impl Offence {
    fn new(subject: impl Into<String>, what: impl Into<String>) -> Self {
        Self { subject: subject.into(), what: what.into() }
    }

    fn of_run(what: impl Into<String>) -> Self {
        Self::new("", what)
    }
}

/// The same reason is said once, with the first that it holds for and how many there are.
fn collapsed(offences: Vec<Offence>) -> Vec<String> {
    let mut reasons: Vec<(String, String, usize)> = Vec::new();
    for Offence { subject, what } in offences {
        match reasons.iter_mut().find(|(known, _, _)| *known == what) {
            Some((_, _, count)) => *count += 1,
            None => reasons.push((what, subject, 1)),
        }
    }
    let say = |(what, first, count): (String, String, usize)| match (first.as_str(), count) {
        ("", _) => what,
        (first, 1) => format!("{first}: {what}"),
        (first, _) => format!("{count} times, first {first}: {what}"),
    };
    reasons.into_iter().map(say).collect()
}

fn check(id: &'static str, rule: &str, offences: Vec<Offence>) -> Check {
    let verdict = if offences.is_empty() { Verdict::Holds } else { Verdict::Missing };
    let reasons = collapsed(offences);
    let more = reasons.len().saturating_sub(NAMED);
    let mut missing: Vec<String> = reasons.into_iter().take(NAMED).collect();
    if more > 0 {
        missing.push(format!("and {more} more"));
    }
    Check { id, rule: rule.to_owned(), verdict, missing }
}

fn measured(run: &Run) -> impl Iterator<Item = &Row> {
    run.rows.iter().filter(|row| row.status == Status::Ok)
}

/// Applies a check to each measured row.
fn each(run: &Run, find: impl Fn(&Row) -> Option<String>) -> Vec<Offence> {
    measured(run).filter_map(|row| find(row).map(|what| Offence::new(&row.id, what))).collect()
}

fn finished(run: &Run) -> Vec<Offence> {
    let mut missing = Vec::new();
    if run.finished_at.is_none() {
        missing.push(Offence::of_run("finished_at is null: the run was interrupted"));
    }
    missing.extend(cut(run));
    if measured(run).next().is_none() {
        missing.push(Offence::of_run("no row has a number"));
    }
    missing.extend(run.rows.iter().filter(|row| row.status == Status::Inconclusive).map(|row| {
        Offence::new(&row.id, format!("inconclusive: {}", row.reason.as_deref().unwrap_or("no reason recorded")))
    }));
    missing
}

/// Warnings of a run that ended before it had measured what its plan asks for.
fn cut(run: &Run) -> impl Iterator<Item = Offence> {
    let early = run.warnings.iter().filter(|warning| CUT.contains(&warning.code.as_str()));
    early.map(|warning| Offence::of_run(format!("{}: {}", warning.code, warning.message)))
}

fn debug_build(run: &Run) -> Vec<Offence> {
    let warnings = run.warnings.iter().filter(|warning| warning.code == "debug-build");
    warnings.map(|warning| Offence::of_run(&warning.message)).collect()
}

fn provenance(run: &Run) -> Vec<Offence> {
    let mut used: Vec<&str> = measured(run).map(|row| row.provider.as_str()).collect();
    used.sort_unstable();
    used.dedup();
    let mut missing = Vec::new();
    for id in used {
        match run.providers.iter().find(|provider| provider.id == id) {
            None => missing.push(Offence::new(id, "it has rows but is not among the providers")),
            Some(provider) => missing.extend(unproven(provider).into_iter().map(|what| Offence::new(id, what))),
        }
    }
    missing
}

fn unproven(provider: &Provider) -> Vec<String> {
    let mut missing = Vec::new();
    if provider.version.as_deref().is_none_or(str::is_empty) {
        missing.push("no version".into());
    }
    if provider.origin.is_empty() {
        missing.push("no origin".into());
    }
    if let Some(library) = &provider.library {
        let hash = &library.sha256;
        if hash.len() != 64 || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            missing.push("no SHA-256 of its library".into());
        }
    }
    for (field, absent) in [("flags", provider.flags.is_none()), ("isa_path", provider.isa_path.is_none())] {
        if absent && !provider.absent.contains_key(field) {
            missing.push(format!("{field} is null without a reason"));
        }
    }
    missing
}

/// Conformance stands in a control of that name, or with each row as `params.conformance` (`vectors`, …).
fn conformance(run: &Run) -> Vec<Offence> {
    let mut missing = Vec::new();
    let recorded = || run.controls.iter().filter(|control| control.name.starts_with("conformance"));
    if recorded().next().is_none() {
        let basis =
            |row: &Row| row.params.get("conformance").and_then(|basis| basis.as_str()).is_some_and(|b| !b.is_empty());
        missing.extend(each(run, |row| (!basis(row)).then(|| "nothing records that it conforms".into())));
    }
    let refused = recorded().filter(|control| control.passed != Some(true));
    missing.extend(refused.map(|control| Offence::new(&control.name, &control.detail)));
    missing.extend(run.rows.iter().filter(|row| row.status == Status::Failed).map(|row| {
        Offence::new(&row.id, format!("failed: {}", row.reason.as_deref().unwrap_or("no reason recorded")))
    }));
    missing
}

fn interval_rule() -> String {
    format!(
        "Every median has an interval that covers at least {LEAST_COVERAGE_PCT} %, from {FEWEST_PROCESSES} processes or more."
    )
}

fn interval(row: &Row) -> Option<String> {
    if row.median_ns.is_none() {
        return Some("no median".into());
    }
    let Some([low, high]) = row.ci95_ns else { return Some("no interval".into()) };
    if row.processes < FEWEST_PROCESSES {
        return Some(format!("{} processes", row.processes));
    }
    if low > high || row.median_ns.is_some_and(|median| median < low || median > high) {
        return Some("the interval does not hold its median".into());
    }
    match row.ci_coverage_pct {
        None => Some("coverage of the interval unknown".into()),
        Some(coverage) if coverage < LEAST_COVERAGE_PCT => Some(format!("coverage {coverage:.1} %")),
        Some(_) => None,
    }
}

fn contamination_rule() -> String {
    format!(
        "Of every row it is known how many samples were disturbed (preempted or stolen), and they are at most \
         {MOST_CONTAMINATED_PCT} %."
    )
}

fn contamination(row: &Row) -> Option<String> {
    match row.contaminated_pct {
        None => Some("share of disturbed samples unknown".into()),
        Some(share) if share > MOST_CONTAMINATED_PCT => Some(format!("more than {MOST_CONTAMINATED_PCT} % disturbed")),
        Some(_) => None,
    }
}

fn unexplained(row: &Row) -> Option<String> {
    let Ok(serde_json::Value::Object(fields)) = serde_json::to_value(row) else { return None };
    let nulls: Vec<&str> = fields
        .iter()
        .filter(|(name, value)| value.is_null() && name.as_str() != "reason" && !row.absent.contains_key(name.as_str()))
        .map(|(name, _)| name.as_str())
        .collect();
    if nulls.is_empty() { None } else { Some(format!("{} null without a reason", nulls.join(", "))) }
}

fn controls(run: &Run) -> Vec<Offence> {
    let mut missing = Vec::new();
    for name in ["null-operation", "aa"] {
        if !run.controls.iter().any(|control| control.name == name || control.name.starts_with(&format!("{name}-"))) {
            missing.push(Offence::of_run(format!("no control \"{name}\"")));
        }
    }
    for control in run.controls.iter().filter(|control| !control.name.starts_with("conformance")) {
        let Control { name, passed, detail } = control;
        match passed {
            Some(true) => {}
            Some(false) => missing.push(Offence::new(name, format!("it did not pass: {detail}"))),
            None => missing.push(Offence::new(name, format!("not applicable: {detail}"))),
        }
    }
    missing
}

fn harness(run: &Run) -> Vec<Offence> {
    match run.harness.tax_ns {
        Some(_) => Vec::new(),
        None => {
            vec![Offence::of_run(run.harness.reason.as_deref().unwrap_or("tax_ns is null without a reason"))]
        }
    }
}

fn raw(run: &Run, samples: Option<&[Sample]>) -> Vec<Offence> {
    let Some(samples) = samples else { return vec![Offence::of_run("the raw samples could not be read")] };
    let mut stored: BTreeMap<&str, BTreeMap<u32, Vec<f64>>> = BTreeMap::new();
    for sample in samples.iter().filter(|sample| !sample.warmup) {
        let per_op_ns = sample.elapsed_ns / sample.count.max(1) as f64;
        stored.entry(sample.row.as_str()).or_default().entry(sample.process).or_default().push(per_op_ns);
    }
    each(run, |row| {
        let processes = stored.get(row.id.as_str());
        let count: usize = processes.map_or(0, |processes| processes.values().map(Vec::len).sum());
        if count as u64 != row.n || count == 0 {
            return Some(format!("{count} samples stored, n is {}", row.n));
        }
        contradiction(row, processes?)
    })
}

/// What a row says against its own samples. Where a process was cut short, which of them count is not in the samples.
fn contradiction(row: &Row, processes: &BTreeMap<u32, Vec<f64>>) -> Option<String> {
    if row.params.contains_key("cut_short") {
        return None;
    }
    if processes.len() as u64 != u64::from(row.processes) {
        return Some(format!("samples of {} processes stored, processes is {}", processes.len(), row.processes));
    }
    let medians: Option<Vec<f64>> =
        processes.values().map(|samples| Some(Sorted::new(samples).ok()?.quantile(0.5))).collect();
    let median = Sorted::new(&medians?).ok()?.quantile(0.5);
    let said = row.median_ns?;
    let differs = (said - median).abs() > median.abs() * SAME;
    differs.then(|| format!("median_ns is {said}, its samples give {median}"))
}
