//! Whose numbers these are: the run, the host, the harness, the controls, the warnings.

use super::{Block, Cell, Column, Mark, Section, Table, Verdict};
use crate::group::{RULE, Standing, groups, withheld};
use crate::record::{Run, Status};
use crate::units::{Quantity, grouped, significant};

/// Heading of every report.
pub(crate) fn title(run: &Run) -> String {
    format!("pqlab: plan {} on {}", run.plan.name, known(&run.host.name))
}

/// The line below it.
pub(crate) fn subtitle(run: &Run) -> String {
    format!("{}, host grade {}, {}", run.started_at, known(&run.host.grade), known(&run.host.cpu))
}

/// A property of the host, or the word that it is not known; the section on the host has the reason.
pub(crate) fn known(value: &Option<String>) -> &str {
    value.as_deref().unwrap_or("unknown")
}

/// The command line as one would type it again.
pub(crate) fn command(run: &Run) -> String {
    let words: Vec<String> = run.command.iter().map(|word| quoted(word)).collect();
    words.join(" ")
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+./:,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// Rows by status: (ok, inconclusive, failed, unavailable).
pub(crate) fn counts(run: &Run) -> [(Status, &'static str, usize); 4] {
    let count = |status: Status| run.rows.iter().filter(|row| row.status == status).count();
    [
        (Status::Ok, "ok", count(Status::Ok)),
        (Status::Inconclusive, "inconclusive", count(Status::Inconclusive)),
        (Status::Failed, "failed", count(Status::Failed)),
        (Status::Unavailable, "unavailable", count(Status::Unavailable)),
    ]
}

/// What was run.
pub(crate) fn overview(run: &Run) -> Section {
    let rows: Vec<String> = counts(run).iter().map(|(_, word, count)| format!("{count} {word}")).collect();
    let finished = match &run.finished_at {
        Some(time) => Cell::text(time.clone()),
        None => Cell::Absent { word: "null", reason: "the run did not finish; what was measured is here".into() },
    };
    let settings: Vec<String> = run.plan.settings.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let mut pairs = vec![
        ("run", Cell::text(run.id.clone())),
        ("command", Cell::Code(command(run))),
        ("plan", Cell::text(run.plan.name.clone())),
        ("settings", Cell::text(settings.join(", "))),
        ("seed", Cell::Code(run.seed.to_string())),
        ("started", Cell::text(run.started_at.clone())),
        ("finished", finished),
        ("pqlab", Cell::text(run.tool_version.clone())),
        ("rows", Cell::text(rows.join(", "))),
    ];
    if settings.is_empty() {
        pairs.retain(|(name, _)| *name != "settings");
    }
    let mut text: Vec<String> = run.plan.analysis.iter().cloned().collect();
    text.extend(withheld(run).map(|line| format!("{line}.")));
    let groups = groups(run);
    let standing = |wanted| groups.iter().flat_map(|group| &group.ranked).any(|member| member.standing == wanted);
    let marks = [(Standing::Fastest, Mark::Fastest), (Standing::Tied, Mark::Tied)];
    let marks: Vec<Mark> = marks.into_iter().filter(|(wanted, _)| standing(*wanted)).map(|(_, mark)| mark).collect();
    // The rule has one part for each mark; what marks nothing here needs no explanation.
    let rule: Vec<&str> =
        RULE.split("; ").filter(|part| marks.iter().any(|mark| part.contains(mark.symbol()))).collect();
    if !rule.is_empty() {
        text.push(format!("How to read the marks: {}.", rule.join("; ")));
    }
    Section {
        id: "run",
        title: "Run".into(),
        text,
        tables: vec![pairs_table("run", "Run", pairs)],
        figures: Vec::new(),
    }
}

/// Why there are no standings; empty when there are.
pub(crate) fn standings(run: &Run) -> Section {
    let text = withheld(run).map(|line| format!("{line}.")).into_iter().collect();
    Section { id: "standings", title: "Standings".into(), text, ..Section::default() }
}

/// Codes and messages: the warnings of the run, and the controls that failed without one.
pub(crate) fn warned(run: &Run) -> Vec<(String, String)> {
    let recorded = run.warnings.iter().map(|warning| (warning.code.clone(), warning.message.clone()));
    let failed = run.controls.iter().filter(|control| {
        control.passed == Some(false) && run.warnings.iter().all(|warning| warning.code != control.name)
    });
    let failed =
        failed.map(|control| (control.name.clone(), format!("This control did not pass: {}.", control.detail)));
    recorded.chain(failed).collect()
}

/// What a reader must know before using a number.
pub(crate) fn warnings(run: &Run) -> Section {
    let rows = warned(run).into_iter().map(|(code, message)| vec![Cell::text(code), Cell::text(message)]).collect();
    let table = Table {
        id: "warnings".into(),
        title: "Warnings".into(),
        columns: vec![Column::text("code"), Column::text("what, why, what helps")],
        blocks: vec![Block { title: String::new(), rows }],
        ..Table::default()
    };
    let tables = if table.is_empty() { Vec::new() } else { vec![table] };
    Section { id: "warnings", title: "Warnings".into(), tables, ..Section::default() }
}

/// For a field of the host that is `null` without a reason, which no run of ours has.
const NOT_RECORDED: &str = "not recorded";

/// The machine and its grade.
pub(crate) fn host(run: &Run) -> Section {
    let host = &run.host;
    let or_reason = |what: &str, value: Option<Cell>, otherwise: &str| {
        value.unwrap_or_else(|| {
            let reason = host.unmeasurable.iter().find(|entry| entry.what == what).map(|entry| entry.reason.clone());
            Cell::Absent { word: "null", reason: reason.unwrap_or_else(|| otherwise.to_owned()) }
        })
    };
    let text = |value: &Option<String>| value.clone().map(Cell::Text);
    let clock = host.clock.as_ref().map(|clock| {
        let [step, cost] = [clock.step_ns, clock.cost_ns].map(|ns| significant(ns, 3));
        Cell::text(format!("{}, step {step} ns, cost of a reading {cost} ns", clock.name))
    });
    let system = host.os.as_ref().zip(host.kernel.as_ref()).map(|(os, kernel)| format!("{os}, kernel {kernel}"));
    let mut pairs = vec![
        ("grade", or_reason("grade", text(&host.grade), NOT_RECORDED)),
        ("because", Cell::text(host.grade_reasons.join("; "))),
        ("name", or_reason("name", text(&host.name), NOT_RECORDED)),
        ("CPU", or_reason("cpu", text(&host.cpu), NOT_RECORDED)),
        ("ISA", Cell::text(host.isa.join(" "))),
        ("cores", or_reason("cores", host.cores.map(|cores| Cell::Count(u64::from(cores))), NOT_RECORDED)),
        ("memory", or_reason("memory", host.memory_bytes.map(|b| Cell::text(memory(b))), "not told by the system")),
        ("microcode", or_reason("microcode", text(&host.microcode), "not told by the system")),
        ("system", or_reason("os", system.map(Cell::Text), NOT_RECORDED)),
        ("virtualised", or_reason("virtualised", text(&host.virtualised), "no sign of it")),
        ("governor", or_reason("governor", text(&host.governor), "not told by the system")),
        (
            "SMT",
            or_reason("smt", host.smt.map(|on| Cell::text(if on { "on" } else { "off" })), "not told by the system"),
        ),
        ("steal", or_reason("steal", host.steal_pct.map(Cell::Percent), "not told by the system")),
        (
            "load",
            or_reason("load_1m", host.load_1m.map(|load| Cell::text(format!("{load:.2}"))), "not told by the system"),
        ),
        ("clock", or_reason("clock", clock, NOT_RECORDED)),
    ];
    pairs.extend(host.unmeasurable.iter().map(|entry| {
        let reason = format!("{}: {}", entry.what, entry.reason);
        ("not measurable", Cell::Text(reason))
    }));
    Section { id: "host", title: "Host".into(), tables: vec![pairs_table("host", "Host", pairs)], ..Section::default() }
}

fn memory(bytes: u64) -> String {
    #[allow(clippy::cast_precision_loss)] // shown with three digits
    let gib = bytes as f64 / f64::from(1_u32 << 30);
    format!("{} GiB", significant(gib, 3))
}

/// Cost of measuring, and the controls.
pub(crate) fn controls(run: &Run) -> Section {
    let harness = &run.harness;
    let time = |ns: f64| {
        let unit = Quantity::Time.unit(ns);
        Cell::text(format!("{} {}", significant(ns / unit.base, 3), unit.symbol))
    };
    let tax = match harness.tax_ns {
        Some(ns) => time(ns),
        None => Cell::absent(Status::Ok, harness.reason.as_deref()),
    };
    let mut pairs: Vec<(String, Cell)> = vec![("per operation".into(), tax)];
    pairs.extend(harness.tax_by_operation.iter().map(|(operation, ns)| (operation.clone(), time(*ns))));
    let rows: Vec<Vec<Cell>> = run
        .controls
        .iter()
        .map(|control| {
            let verdict = match control.passed {
                Some(true) => Cell::Verdict(Verdict::Holds),
                Some(false) => Cell::Verdict(Verdict::Missing),
                None => Cell::text("not applicable"),
            };
            vec![Cell::text(control.name.clone()), verdict, Cell::text(control.detail.clone())]
        })
        .collect();
    let controls = Table {
        id: "controls".into(),
        title: "Controls".into(),
        columns: ["control", "passed", "what was seen"].into_iter().map(Column::text).collect(),
        blocks: vec![Block { title: String::new(), rows }],
        ..Table::default()
    };
    let mut tables = vec![pairs_table("harness", "Cost of measuring (null provider, same path)", pairs)];
    let mut text = Vec::new();
    if controls.is_empty() {
        text.push("No control was recorded.".into());
    } else {
        tables.push(controls);
    }
    Section { id: "controls", title: "Harness and controls".into(), text, tables, figures: Vec::new() }
}

/// A table of names and values.
pub(crate) fn pairs_table<N: Into<String>>(id: &str, title: &str, pairs: Vec<(N, Cell)>) -> Table {
    let rows = pairs.into_iter().map(|(name, cell)| vec![Cell::text(name), cell]).collect();
    Table {
        id: id.into(),
        title: title.into(),
        columns: vec![Column::text("field"), Column::text("value")],
        blocks: vec![Block { title: String::new(), rows }],
        ..Table::default()
    }
}

/// A count in words: `3 of 1,204`.
pub(crate) fn of(part: usize, whole: usize) -> String {
    format!("{} of {}", grouped(part as u64), grouped(whole as u64))
}
