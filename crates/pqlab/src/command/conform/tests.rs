use super::*;
use crate::conformance::InProcess;
use std::path::Path;

fn rustcrypto(_: &[String]) -> Result<Vec<Box<dyn Performer>>, ConformError> {
    let found = crypto::provider::linked().into_iter().find(|(name, _)| *name == "rustcrypto");
    let make = found.expect("rustcrypto is linked").1;
    Ok(vec![Box::new(InProcess(make()))])
}

fn never(_: &[String]) -> Result<Vec<Box<dyn Performer>>, ConformError> {
    panic!("no provider may be started before the vectors are read")
}

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/conform").join(name)
}

const QUIET: Shown = Shown { json: false, quiet: true };

#[test]
fn an_unknown_algorithm_is_named_with_the_nearest() {
    let args = ConformArgs { algorithms: vec!["ML-KEM-786".into()], ..ConformArgs::default() };
    let error = examine(&args, QUIET, never).unwrap_err();
    assert_eq!(error.to_string(), "unknown algorithm `ML-KEM-786`");
    assert!(error.hint().contains("did you mean `ML-KEM-768`?"), "{}", error.hint());
    let args = ConformArgs { algorithms: vec!["nope".into()], ..ConformArgs::default() };
    let error = examine(&args, QUIET, never).unwrap_err();
    assert!(!error.hint().contains("did you mean"), "nothing is near: {}", error.hint());
}

#[test]
fn a_broken_file_runs_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("broken.json");
    std::fs::write(&path, "{\"testGroups\": [").unwrap();
    let args = ConformArgs { vectors: vec![path, fixture("sha.rsp")], ..ConformArgs::default() };
    let error = examine(&args, QUIET, never).unwrap_err();
    assert!(error.to_string().contains("broken.json: line 1, column 16: EOF"), "{error}");
    assert!(error.hint().contains("nothing was run"));
}

#[test]
fn limit_takes_that_many_of_each_file() {
    let vectors = vec![fixture("ascon-aead.txt"), fixture("sha.rsp")];
    for (limit, expected) in [(1, [1, 1]), (3, [3, 2]), (100, [10, 2])] {
        let args = ConformArgs { vectors: vectors.clone(), limit: Some(limit), ..ConformArgs::default() };
        let args = ConformArgs { no_cross_check: true, failures: 5, ..args };
        let document = examine(&args, QUIET, rustcrypto).unwrap();
        assert_eq!(document.files.iter().map(|f| f.cases).collect::<Vec<_>>(), expected, "limit {limit}");
        let passed: usize = document.known_answers.iter().map(|t| t.passed).sum();
        assert_eq!(passed, expected.iter().sum::<usize>(), "limit {limit}");
    }
}

#[test]
fn checking_nothing_is_an_error() {
    let args = ConformArgs { limit: Some(0), ..ConformArgs::default() };
    let error = examine(&args, QUIET, never).unwrap_err();
    assert!(error.to_string().contains("--limit 0") && error.hint().contains("--limit 1"), "{error}");
    // A vector file of X25519, asked about a hash.
    let args = ConformArgs { vectors: vec![fixture("wycheproof-xdh.json")], ..ConformArgs::default() };
    let args = ConformArgs { algorithms: vec!["SHA-256".into()], no_cross_check: true, ..args };
    let error = examine(&args, QUIET, rustcrypto).unwrap_err();
    assert!(error.to_string().starts_with("nothing was checked: rustcrypto@"), "{error}");
    assert!(error.hint().contains("--no-cross-check"), "{}", error.hint());
}

#[test]
fn links_that_lead_in_a_circle_are_followed_once_and_named() {
    let dir = tempfile::tempdir().unwrap();
    let below = dir.path().join("below");
    std::fs::create_dir(&below).unwrap();
    std::fs::copy(fixture("sha.rsp"), below.join("sha.rsp")).unwrap();
    std::os::unix::fs::symlink(dir.path(), below.join("up")).unwrap();
    std::os::unix::fs::symlink(&below, dir.path().join("again")).unwrap();
    let args = ConformArgs { vectors: vec![dir.path().into()], no_cross_check: true, ..ConformArgs::default() };
    let document = examine(&args, QUIET, rustcrypto).unwrap();
    assert_eq!(document.files.len(), 1, "{:?}", document.files);
    let ignored: Vec<&str> = document.ignored.iter().map(|ignored| ignored.name.as_str()).collect();
    assert!(ignored.len() == 2 && ignored[0].ends_with("below/up") && ignored[1].ends_with("again"), "{ignored:?}");
    assert!(document.ignored.iter().all(|ignored| ignored.reason.contains("read already")));
    assert!(table::render(&document).contains("below/up: a link to "), "named in the tables too");
}

#[test]
fn algorithms_restrict_vectors_and_cross_checks() {
    let args = ConformArgs { algorithms: vec!["sha2-256".into()], ..ConformArgs::default() };
    let document = examine(&args, QUIET, rustcrypto).unwrap();
    assert!(document.passed);
    assert!(document.known_answers.iter().all(|t| t.algorithm == "SHA-256"));
    assert_eq!(document.known_answers.len(), 1);
    assert!(document.cross_checks.is_empty());
}

#[test]
fn one_alone_without_known_answers_is_a_round_trip() {
    let args = ConformArgs { algorithms: vec!["HKDF-SHA3-256".into()], ..ConformArgs::default() };
    let document = examine(&args, QUIET, rustcrypto).unwrap();
    assert_eq!(document.cross_checks.len(), 1);
    assert!(document.cross_checks[0].with.is_empty() && document.cross_checks[0].passed);
    assert!(table::render(&document).contains("alone: round trip only"));
}

#[test]
fn the_document_is_json_and_the_table_shows_the_counts() {
    let args = ConformArgs { vectors: vec![fixture("wycheproof-xdh.json")], ..ConformArgs::default() };
    let args = ConformArgs { algorithms: vec!["X25519".into()], ..args };
    let document = examine(&args, QUIET, rustcrypto).unwrap();
    let json = serde_json::to_value(&document).unwrap();
    assert_eq!(json["schema"], "pqlab.conform/1");
    assert_eq!(json["known_answers"][0]["passed"], 1);
    assert_eq!(json["known_answers"][0]["acceptable"]["accepted"], 1);
    let text = table::render(&document);
    assert!(text.contains("X25519") && text.contains("1 passed, 0 failed, 1 acceptable either way"), "{text}");
}
