//! Every option of `run`, `report` and `list` does what it says: shown by what is stored and printed.

mod common;

use common::{HASHES, Lab, ONE_HASH, rows_of};
use report::record::{Run, Sample};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::OnceLock;

const RUSTCRYPTO: [&str; 2] = ["--providers", "rustcrypto"];

/// Arguments after `--providers rustcrypto`.
fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    RUSTCRYPTO.iter().chain(more).copied().collect()
}

fn rounds_of(run: &Run) -> u64 {
    run.rows[0].params["rounds"].as_u64().expect("rounds of the row")
}

/// What each provider's place was, round by round.
fn order(samples: &[Sample]) -> Vec<(u32, u32, u32, String)> {
    let timed = samples.iter().filter(|sample| !sample.warmup);
    timed.map(|s| (s.process, s.round, s.position, s.row.clone())).collect::<BTreeSet<_>>().into_iter().collect()
}

#[test]
fn numbers_of_the_measurement() {
    let lab = Lab::new();
    // The plan says 2 processes, 2 rounds, 4 keys, 8 inputs, and by default 1 warm-up and a calibrated count.
    let arguments = "--iterations 7 --processes 3 --rounds 4 --warmup 2 --keys 3 --inputs 7";
    let ran = lab.run(ONE_HASH, &with(&arguments.split(' ').collect::<Vec<_>>()));
    let run = ran.fine();
    let samples = ran.samples();

    assert!(samples.iter().all(|sample| sample.count == 7), "--iterations");
    assert_eq!(samples.iter().map(|s| s.process).collect::<BTreeSet<_>>(), BTreeSet::from([0, 1, 2]), "--processes");
    for process in 0..3 {
        let of_process = || samples.iter().filter(|sample| sample.process == process);
        assert_eq!(of_process().filter(|sample| sample.warmup).count(), 2, "--warmup keeps them");
        assert_eq!(of_process().filter(|sample| !sample.warmup).count(), 4, "--rounds");
    }
    let row = &run.rows[0];
    assert_eq!(row.processes, 3);
    assert_eq!(row.n, 3 * 4, "warm-up is in no figure");
    assert_eq!((&row.params["keys"], &row.params["inputs"]), (&3.into(), &6.into()), "--keys; --inputs, rounded down");
    for (name, value) in [("iterations", 7), ("processes", 3), ("rounds", 4), ("warmup", 2), ("keys", 3), ("inputs", 7)]
    {
        assert_eq!(run.plan.settings[name], value, "{name} is recorded as resolved");
    }

    let plain = lab.run_into("plain", ONE_HASH, &RUSTCRYPTO);
    let record = plain.fine();
    assert_ne!(record.rows[0].params["inputs_sha256"], row.params["inputs_sha256"], "other numbers, other inputs");
    assert_eq!((record.rows[0].n, record.rows[0].processes), (4, 2));
    assert_eq!(plain.samples().iter().filter(|sample| sample.warmup).count(), 2);
}

#[test]
fn seed_fixes_inputs_and_orders() {
    let lab = Lab::new();
    let run = |directory: &str, seed: &str| {
        let arguments = ["--providers", "rustcrypto,aws-lc,libcrux", "--rounds", "8", "--seed", seed];
        let ran = lab.run_into(directory, ONE_HASH, &arguments);
        let record = ran.fine();
        let pool = record.rows[0].params["inputs_sha256"].clone();
        assert_eq!(record.rows.len(), 3);
        assert!(record.rows.iter().all(|row| row.params["inputs_sha256"] == pool), "one pool for all");
        assert_eq!(record.seed.to_string(), seed);
        (pool, order(&ran.samples()))
    };
    let (first, again, other) = (run("first", "5"), run("again", "5"), run("other", "6"));
    assert_eq!(first, again, "the same seed gives the same inputs and the same orders");
    assert_ne!(first.0, other.0, "another seed gives other inputs");
    assert_ne!(first.1, other.1, "another seed gives another order");
}

#[test]
fn seconds_set_the_rounds_and_the_budget_bounds_them() {
    let lab = Lab::new();
    let plan = ONE_HASH.replace("processes = 2", "processes = 2\ntime_budget = 90");
    let run = |directory: &str, arguments: &[&str]| lab.run_into(directory, &plan, &with(arguments)).fine();
    let (short, long) = (run("short", &["--seconds", "0.01"]), run("long", &["--seconds", "0.06"]));
    assert!(rounds_of(&long) > 2 * rounds_of(&short), "{} and {} rounds", rounds_of(&long), rounds_of(&short));
    assert!(rounds_of(&short) > 2, "more than the plan's");
    assert_eq!(long.plan.settings["time_budget"], Value::Null, "seconds asked for lift the plan's budget");

    let bounded = run("bounded", &["--seconds", "0.06", "--time-budget", "0.001", "--processes", "4"]);
    assert_eq!(rounds_of(&bounded), 1, "the budget bounds the rounds");
    assert_eq!(bounded.rows[0].processes, 2, "and the processes");
    assert_eq!(bounded.plan.settings["time_budget"], 0.001);
    let used = |run: &Run| run.warnings.iter().any(|warning| warning.code == "budget-setup");
    assert!(used(&bounded), "starting, tax and A/A are part of the budget: {:?}", bounded.warnings);
    assert!(!used(&run("plenty", &["--time-budget", "100000"])));
    let aa = bounded.controls.iter().find(|control| control.name == "aa").expect("A/A");
    assert!(aa.detail.contains("6 process pairs"), "A/A has its interval: {}", aa.detail);
}

#[test]
fn what_of_the_plan_and_by_whom() {
    let lab = Lab::new();
    let names = |directory: &str, arguments: &[&str]| -> BTreeSet<String> {
        let run = lab.run_into(directory, HASHES, arguments).fine();
        run.rows
            .iter()
            .map(|row| format!("{} {} {}", row.provider.split('@').next().unwrap(), row.algorithm, row.operation))
            .collect()
    };
    let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
    // An alias as typed, the standard's name as written.
    assert_eq!(
        names("algorithms", &["--providers", "rustcrypto,aws-lc", "--algorithms", "sha3-256,hmac-sha256"]),
        set(&[
            "rustcrypto SHA3-256 hash",
            "rustcrypto HMAC-SHA256 mac",
            "aws-lc SHA3-256 hash",
            "aws-lc HMAC-SHA256 mac",
        ])
    );
    assert_eq!(names("operations", &with(&["--operations", "mac"])), set(&["rustcrypto HMAC-SHA256 mac"]));
}

#[test]
fn where_it_goes() {
    let lab = Lab::new();
    lab.write("plan.toml", ONE_HASH);
    let output = lab.pqlab(&["run", "./plan.toml", "--providers", "rustcrypto", "--rounds", "1"]);
    assert!(output.status.success());
    let runs: Vec<_> = std::fs::read_dir(lab.path("runs")).unwrap().collect();
    assert_eq!(runs.len(), 1);
    let dir = runs.into_iter().next().unwrap().unwrap().path();
    let run = report::store::read_run(&dir).unwrap();
    assert_eq!(dir.file_name().unwrap().to_str(), Some(run.id.as_str()), "the directory has the run's name");
    assert!(run.id.ends_with("-one-hash"), "{}", run.id);
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(stdout.contains(&format!("Run directory: runs/{}\n", run.id)), "{stdout}");
}

#[test]
fn json_and_quiet() {
    let lab = Lab::new();
    let ran = lab.run(ONE_HASH, &with(&["--json", "--quiet"]));
    let run = ran.fine();
    let printed: Run = serde_json::from_slice(&ran.output.stdout).expect("standard output is one JSON document");
    assert_eq!(printed, run, "what is printed is what is stored");
    assert_eq!(ran.stderr(), "", "--quiet");

    let talkative = lab.run_into("talkative", ONE_HASH, &RUSTCRYPTO);
    assert_eq!(talkative.stderr(), "[1/1] SHA-256 hash 1024 B\n", "a line for each group, when not a terminal");
    assert!(serde_json::from_slice::<Value>(&talkative.output.stdout).is_err(), "tables without --json");
}

/// A stored run of three hashes by two providers, made once.
fn stored() -> &'static (Lab, Run) {
    static STORED: OnceLock<(Lab, Run)> = OnceLock::new();
    STORED.get_or_init(|| {
        let lab = Lab::new();
        let plan = HASHES.replace("[1024]", "[1024, 4096]");
        lab.run(&plan, &["--providers", "rustcrypto,aws-lc", "--quiet"]).fine();
        let run = undisturbed(&lab.path("run"));
        (lab, run)
    })
}

/// The run as a quiet machine would have stored it: a busy one disturbs samples and fails controls, and is then, rightly,
/// not given standings, which is not what the tests here are about.
fn undisturbed(dir: &Path) -> Run {
    let mut run = report::store::read_run(dir).expect("a run");
    run.controls.iter_mut().for_each(|control| control.passed = control.passed.map(|_| true));
    run.rows.iter_mut().for_each(|row| row.contaminated_pct = row.contaminated_pct.map(|_| 0.0));
    let text = serde_json::to_string(&run).expect("a record");
    std::fs::write(dir.join("run.json"), text).expect("the record can be written");
    run
}

fn report(arguments: &[&str]) -> Vec<u8> {
    let all: Vec<&str> = ["report", "run"].iter().chain(arguments).copied().collect();
    let output = stored().0.pqlab(&all);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {stderr}");
    assert_eq!(stderr, "", "{arguments:?}");
    output.stdout
}

fn text(arguments: &[&str]) -> String {
    String::from_utf8(report(arguments)).expect("text")
}

#[test]
fn colour() {
    let escape = "\u{1b}[";
    assert!(text(&["--color", "always"]).contains(escape));
    assert!(!text(&["--color", "never"]).contains(escape));
    assert!(!text(&[]).contains(escape), "standard output is no terminal here");
    let plain: String = text(&["--color", "never"]);
    assert_eq!(plain, text(&[]), "colour is the only difference");
    // Asked for on the command line it is stronger than the environment.
    let forced = stored().0.command(&["report", "run", "--color", "always"]).env("NO_COLOR", "1").output().unwrap();
    assert!(String::from_utf8(forced.stdout).unwrap().contains(escape));
}

#[test]
fn report_formats() {
    let table = text(&["--format", "terminal"]);
    assert!(table.starts_with("pqlab: plan hashes on ") && table == text(&[]), "tables are the default");
    assert!(text(&["--format", "md"]).starts_with("# "));
    assert!(text(&["--format", "latex"]).contains("\\toprule"));
    assert_eq!(text(&["--format", "csv"]).lines().count(), 1 + stored().1.rows.len());
    let json: Value = serde_json::from_str(&text(&["--format", "json"])).unwrap();
    assert_eq!(json, serde_json::from_str::<Value>(&text(&["--json"])).unwrap(), "--json chooses the format");
    assert!(text(&["--format", "dat"]).starts_with('#'));
    let page = text(&["--format", "html"]);
    assert!(page.contains("<html") && page.trim_end().ends_with("</html>"), "a whole page");
    assert!(text(&["--format", "svg"]).contains("<svg"));
    assert!(report(&["--format", "png"]).starts_with(b"\x89PNG\r\n\x1a\n"));
}

#[test]
fn report_kinds_and_baseline() {
    let documents =
        BTreeMap::from(["summary", "comparative", "verification"].map(|kind| (text(&["--kind", kind]), kind)));
    assert_eq!(documents.len(), 3, "three kinds, three documents");
    assert_eq!(text(&["--kind", "summary"]), text(&[]), "summary is the default");
    assert!(text(&["--kind", "verification"]).contains("CHECKLIST"));

    for (provider, other) in [("aws-lc", "rustcrypto"), ("rustcrypto", "aws-lc")] {
        let table = text(&["--kind", "comparative", "--baseline", provider]);
        let marked: Vec<&str> = table.lines().filter(|line| line.ends_with('•')).collect();
        assert!(!marked.is_empty() && marked.iter().all(|line| line.trim_start().starts_with(provider)), "{table}");
        assert!(!marked.iter().any(|line| line.contains(other)));
    }
}

#[test]
fn report_charts() {
    let (lab, _) = stored();
    let page = text(&["--format", "all", "--output", "elsewhere"]);
    let written: Vec<&str> = page.lines().collect();
    assert_eq!(written.first().copied(), Some("elsewhere/report.html"));
    assert!(written.iter().all(|path| lab.path(path).is_file()), "{page}");
    let charts: Vec<&str> = written
        .iter()
        .filter_map(|path| Path::new(path).file_name()?.to_str()?.strip_suffix(".svg"))
        .filter(|name| !name.starts_with("ratio-"))
        .collect();
    assert!(charts.len() >= 2, "a size chart and others: {page}");
    let drawn: BTreeSet<String> = charts.iter().map(|chart| text(&["--format", "svg", "--chart", chart])).collect();
    assert_eq!(drawn.len(), charts.len(), "each name draws another chart");
    assert!(drawn.contains(&text(&["--format", "svg"])), "the first without a name");
}

#[test]
fn report_output_is_not_replaced_unless_forced() {
    let (lab, _) = stored();
    let path = lab.path("page.md");
    assert_eq!(text(&["--format", "md", "--output", "page.md"]), "page.md\n", "what was written");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text(&["--format", "md"]));

    std::fs::write(&path, "mine").unwrap();
    let refused = lab.pqlab(&["report", "run", "--format", "md", "--output", "page.md"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--force"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine", "untouched");

    let json: Value =
        serde_json::from_str(&text(&["--format", "md", "--output", "page.md", "--force", "--json"])).unwrap();
    assert_eq!(json, serde_json::json!({ "written": ["page.md"] }));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text(&["--format", "md"]));
    assert_eq!(
        std::fs::read_dir(path.parent().unwrap())
            .unwrap()
            .filter(|e| { e.as_ref().unwrap().file_name().to_string_lossy().starts_with(".tmp") })
            .count(),
        0,
        "nothing is left beside it"
    );
}

#[test]
fn the_page_is_not_replaced_unless_forced() {
    let (lab, _) = stored();
    // Another process of this test program may not write into the shared run: a copy.
    std::fs::create_dir(lab.path("copy")).unwrap();
    for file in ["run.json", "samples.parquet"] {
        std::fs::copy(lab.path("run").join(file), lab.path("copy").join(file)).unwrap();
    }
    std::fs::write(lab.path("copy/report.html"), "mine").unwrap();
    let refused = lab.pqlab(&["report", "copy", "--format", "all"]);
    assert_eq!(refused.status.code(), Some(2));
    let stderr = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(stderr.contains("copy/report.html exists already") && stderr.contains("--force"), "{stderr}");
    assert_eq!(std::fs::read_to_string(lab.path("copy/report.html")).unwrap(), "mine", "untouched");
    assert!(!lab.path("copy/charts").exists());
    assert!(lab.pqlab(&["report", "copy", "--format", "all", "--force"]).status.success());
    assert!(std::fs::read_to_string(lab.path("copy/report.html")).unwrap().contains("<html"));
}

#[test]
fn an_option_that_would_do_nothing_is_refused() {
    let (lab, _) = stored();
    for (arguments, word) in [
        ("--baseline aws-lc", "--kind comparative"),
        ("--kind verification --baseline aws-lc", "--kind comparative"),
        ("--format html --chart symmetric", "--format svg"),
        ("--chart symmetric", "--format svg"),
        ("--format all --chart symmetric", "--format svg"),
        ("--format all --kind comparative", "summary"),
        ("--format md --force", "--output"),
    ] {
        let all: Vec<&str> = ["report", "run"].into_iter().chain(arguments.split(' ')).collect();
        let output = lab.pqlab(&all);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments}: {stderr}");
        assert!(stderr.contains("hint: ") && stderr.contains(word), "{arguments}: {stderr}");
    }
}

#[test]
fn a_run_that_is_not_there_is_answered_with_those_that_are() {
    let lab = Lab::new();
    lab.run_into("runs/only", ONE_HASH, &with(&["--quiet"])).fine();
    for wanted in ["nope", "runs", "runs/nope"] {
        let stderr = lab.pqlab(&["report", wanted]).stderr;
        let stderr = String::from_utf8_lossy(&stderr).into_owned();
        assert!(stderr.contains("hint: there is one run here: `pqlab report runs/only`"), "{stderr}");
    }
    let stderr = String::from_utf8_lossy(&lab.pqlab(&["report", "only"]).stderr).into_owned();
    assert!(stderr.contains("did you mean `pqlab report runs/only`?"), "{stderr}");
    lab.run_into("runs/later", ONE_HASH, &with(&["--quiet"])).fine();
    let stderr = String::from_utf8_lossy(&lab.pqlab(&["report", "nope"]).stderr).into_owned();
    assert!(stderr.contains("`pqlab report runs/later`; before it: runs/only"), "{stderr}");
}

#[test]
fn providers_by_the_id_that_reports_show() {
    let lab = Lab::new();
    let listed: Value = serde_json::from_slice(&lab.pqlab(&["list", "providers", "--json"]).stdout).unwrap();
    let linked = |name: &str| {
        let all = listed["providers"].as_array().unwrap();
        let found = all.iter().find(|provider| provider["name"] == name).expect("it is linked in");
        found["id"].as_str().expect("it says who it is").to_owned()
    };
    let id = linked("rustcrypto");
    assert!(id.starts_with("rustcrypto@"), "{id}");
    let ran = lab.run(ONE_HASH, &["--providers", &format!("{id},rustcrypto")]);
    let run = ran.fine();
    assert_eq!(run.rows.iter().map(|row| row.provider.as_str()).collect::<Vec<_>>(), [id.as_str()], "measured once");
    assert_eq!(run.providers.len(), 1, "{:?}", run.providers);
    assert!(run.warnings.iter().any(|warning| warning.code == "named-twice"), "{:?}", run.warnings);
    assert!(
        ran.stderr().contains(&format!("warning: `rustcrypto` is {id}, which is named already")),
        "{}",
        ran.stderr()
    );

    let unknown = lab.run_into("unknown", ONE_HASH, &["--providers", "rustcrypto@999.0.0"]);
    assert_eq!(unknown.code(), Some(2));
    assert!(unknown.stderr().contains("did you mean"), "{}", unknown.stderr());
}

#[test]
fn the_first_step_says_how_long_the_whole_may_take() {
    let lab = Lab::new();
    let budget = lab.run(ONE_HASH, &with(&["--time-budget", "9"]));
    assert_eq!(budget.stderr(), "[1/1] SHA-256 hash 1024 B, at most 9 s in all\n");
    let seconds = lab.run_into("seconds", ONE_HASH, &with(&["--seconds", "0.01"]));
    assert_eq!(seconds.stderr(), "[1/1] SHA-256 hash 1024 B, about 1 s in all\n");
}

#[test]
fn tables_fit_the_columns_there_are() {
    let lab = Lab::new();
    let narrow = |arguments: &[&str]| {
        let output = lab.command(arguments).env("COLUMNS", "80").output().expect("pqlab can be started");
        assert!(output.status.success());
        String::from_utf8(output.stdout).expect("text")
    };
    for arguments in [&["list"][..], &["conform", "--providers", "rustcrypto", "--algorithms", "SHA-256"]] {
        let text = narrow(arguments);
        let rows = text.lines().filter(|line| line.starts_with(' '));
        let widest = rows.max_by_key(|line| line.chars().count()).expect("a table");
        assert!(widest.chars().count() <= 80, "{arguments:?}: {widest}");
    }
    let doctor = narrow(&["doctor"]);
    let table = doctor.lines().skip_while(|line| !line.starts_with(" provider")).take_while(|l| l.starts_with(' '));
    assert!(table.map(|line| line.chars().count()).max().expect("a table") <= 80, "{doctor}");
    let wide = String::from_utf8(lab.pqlab(&["list", "algorithms"]).stdout).expect("text");
    assert!(wide.contains("2.16.840.1.101.3.4.4.2"), "nothing is left out where nothing bounds the columns");
}

#[test]
fn list_shows_what_is_asked_for() {
    let lab = Lab::new();
    let list = |arguments: &[&str]| -> Value {
        let all: Vec<&str> = ["list", "--json"].iter().chain(arguments).copied().collect();
        serde_json::from_slice(&lab.pqlab(&all).stdout).expect("one JSON document")
    };
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
    let all = list(&[]);
    let words = ["algorithms", "operations", "plans", "providers"];
    assert_eq!(keys(&all), words.map(str::to_owned).into());
    for word in words {
        let one = list(&[word]);
        assert_eq!(keys(&one), [word.to_owned()].into());
        assert_eq!(one[word], all[word]);
    }
    let linked: Vec<&str> = all["providers"].as_array().unwrap().iter().filter_map(|p| p["name"].as_str()).collect();
    assert!(["aws-lc", "libcrux", "rustcrypto"].iter().all(|name| linked.contains(name)), "{linked:?}");
}

#[test]
fn rows_by_the_null_provider_are_a_control() {
    // The smallest thing `--providers null` can do: nothing of a plan is its, and that is said.
    let lab = Lab::new();
    let ran = lab.run(ONE_HASH, &["--providers", "null,rustcrypto"]);
    let run = ran.fine();
    let null = rows_of(&run, "null");
    assert_eq!(null.len(), 1);
    assert!(null[0].reason.as_deref().is_some_and(|reason| reason.contains("does not offer SHA-256")), "{null:?}");
}

#[test]
fn a_run_that_measures_nothing_is_a_finding_and_says_why() {
    let lab = Lab::new();
    let ran = lab.run(ONE_HASH, &["--providers", "null"]);
    assert_eq!(ran.code(), Some(1), "{}", ran.stderr());
    let why: Vec<String> = ran.stderr().lines().filter(|l| l.starts_with("warning: ")).map(str::to_owned).collect();
    assert!(
        why.len() == 1 && why[0].contains("Nothing was measured") && why[0].contains("does not offer SHA-256"),
        "{why:?}"
    );
    let run = ran.record();
    assert!(run.warnings.iter().any(|warning| warning.code == "nothing-measured"), "{:?}", run.warnings);
    let aa = run.controls.iter().find(|control| control.name == "aa").expect("it stands there");
    assert!(aa.passed.is_none() && aa.detail.contains("`null`"), "{aa:?}");
    assert!(ran.stdout().contains("not applicable"), "{}", ran.stdout());
}
