//! Every shipped plan can be used, and no text makes the reader of plans panic.

use super::*;
use proptest::prelude::*;

#[test]
fn every_shipped_plan_is_complete() {
    for (name, text) in shipped() {
        let plan = Plan::parse(text, name).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(plan.name, *name, "a plan has the name under which it is called");
        assert!(plan.analysis.trim().len() > 20, "{name} says what it is for");
        let discovered = text.contains("discovered = true");
        for group in &plan.groups {
            let row = crypto::find(&group.algorithm);
            assert!(discovered || row.is_some(), "{name}: {}", group.algorithm);
            if let Some(row) = row {
                assert_eq!(row.name, group.algorithm, "{name} has the standard's name after resolution");
                assert!(text.contains(&format!("\"{}\"", row.name)), "{name} writes {} by an alias", row.name);
                assert!(Operation::of(row.family).contains(&group.operation), "{name}: {group:?}");
            }
        }
        for (at, group) in plan.groups.iter().enumerate() {
            assert!(!plan.groups[..at].contains(group), "{name} has {group:?} twice");
        }
        assert!(plan.settings.time_budget.is_some(), "{name} is bounded");
    }
}

#[test]
fn every_plan_of_the_repository_is_shipped() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../benchmarks");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .filter_map(|entry| entry.unwrap().path().file_name()?.to_str()?.strip_suffix(".toml").map(str::to_owned))
        .collect();
    let mut names: Vec<String> = shipped().iter().map(|(name, _)| (*name).to_owned()).collect();
    files.sort();
    names.sort();
    assert_eq!(files, names);
}

#[test]
fn the_quick_plan_is_wide() {
    let plan = Plan::load("quick").unwrap();
    assert!(plan.groups.len() >= 45, "{} groups", plan.groups.len());
    assert!(plan.settings.processes >= 6, "fewer give no interval");
    assert!(plan.settings.time_budget.is_some_and(|seconds| seconds <= 120.0));
    let families: std::collections::BTreeSet<_> = plan.groups.iter().filter_map(|group| group.family).collect();
    assert!(families.len() >= 5, "{families:?}");
}

const ONE: &str = "name = \"x\"\n[[measure]]\nalgorithms = [\"kyber768\", \"ML-KEM-768\"]\noperations = [\"decaps\"]\n";

#[test]
fn what_is_named_twice_is_measured_once() {
    let plan = Plan::parse(&format!("{ONE}modes = [\"latency\", \"throughput\", \"latency\"]\n"), "x").unwrap();
    let modes: Vec<Mode> = plan.groups.iter().map(|group| group.mode).collect();
    assert_eq!(modes, [Mode::Latency, Mode::Throughput]);
    assert!(plan.groups.iter().all(|group| group.algorithm == "ML-KEM-768"));
}

#[test]
fn settings_come_from_the_file_and_have_bounds() {
    let with = |line: &str| Plan::parse(&ONE.replacen('\n', &format!("\n[settings]\n{line}\n"), 1), "x");
    assert_eq!(with("rounds = 7").unwrap().settings, Settings { rounds: 7, ..Settings::default() });
    assert_eq!(with("message = 1400").unwrap().settings.message, 1400);
    for wrong in [
        "rounds = 0",
        "rounds = -1",
        "processes = 1001",
        "epoch_ms = 0.0",
        "epoch_ms = nan",
        "epoch_ms = inf",
        "seconds = -0.5",
        "time_budget = 1e300",
        "warmup = 4000000000",
        "keys = 0",
        "inputs = 65537",
        "message = 17000000",
        "iterations = 0",
    ] {
        assert!(with(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn the_place_of_a_fault_counts_characters() {
    let error = Plan::parse("name = \"ö\"; x", "p").unwrap_err();
    assert!(error.what().starts_with("plan p, line 1, column 11: "), "{error}");
}

/// Pieces of plans, so that chance comes far into the reader.
fn piece() -> impl Strategy<Value = String> {
    let words = [
        "name = \"x\"\n",
        "[settings]\n",
        "[[measure]]\n",
        "algorithms = [\"SHA-256\"]\n",
        "operations = [\"hash\"]\n",
        "sizes = [16, 0, 99999999999999999]\n",
        "modes = [\"latency\"]\n",
        "discovered = true\n",
        "rounds = 3\n",
        "seconds = 1e308\n",
        "epoch_ms = nan\n",
        "=",
        "[",
        "\"",
        "\u{1F980}",
        "#",
        "\n",
        "'''",
        "\\u",
        "1979-05-27",
    ];
    prop_oneof![4 => proptest::sample::select(words.to_vec()).prop_map(str::to_owned), 1 => ".{0,8}"]
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "\\PC{0,200}") {
        let _ = Plan::parse(&text, "text");
    }

    #[test]
    fn no_sequence_of_pieces_makes_it_panic(pieces in proptest::collection::vec(piece(), 0..30)) {
        if let Ok(plan) = Plan::parse(&pieces.concat(), "pieces") {
            prop_assert!(!plan.groups.is_empty());
            prop_assert!(plan.settings.check().is_ok());
        }
    }
}

#[test]
fn what_fits_nothing_in_its_block_is_an_error() {
    let block = |algorithms: &str, operations: &str| {
        let text = format!("name = \"x\"\n[[measure]]\nalgorithms = [{algorithms}]\noperations = [{operations}]\n");
        Plan::parse(&text, "x")
    };
    let error = block("\"ML-KEM-768\", \"SHA-256\"", "\"keygen\"").unwrap_err();
    assert!(error.what().contains("SHA-256 (hash) has no operation keygen"), "{error}");
    assert!(error.hint().is_some_and(|hint| hint.ends_with(": hash")), "{error}");
    let error = block("\"ML-KEM-768\", \"SHA-256\"", "\"keygen\", \"hash\", \"seal\"").unwrap_err();
    assert!(error.what().contains("no algorithm among ML-KEM-768, SHA-256 has the operation seal"), "{error}");
    assert_eq!(block("\"ML-KEM-768\", \"SHA-256\"", "\"keygen\", \"hash\"").unwrap().groups.len(), 2);
}
