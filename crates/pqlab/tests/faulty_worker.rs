//! A worker that crashes, hangs or answers nonsense costs its own rows, and nobody else's; the run goes on and ends with 1.

mod common;

use common::{Lab, ONE_HASH, Ran, others_are_fine, rows_of, worker};
use report::record::Status;

/// Seconds that the coordinator waits beyond the work itself: what bounds the tests with a hanging worker.
const PATIENCE: &str = "5";

/// A run of two sound providers and a faulty worker for each of `faults`.
fn run_with(faults: &[&str]) -> (Lab, Ran) {
    let lab = Lab::new();
    let commands: Vec<String> = faults.iter().map(|fault| worker("faulty_worker.py", fault)).collect();
    let mut arguments = vec!["--providers", "rustcrypto,aws-lc", "--patience", PATIENCE];
    arguments.extend(commands.iter().flat_map(|command| ["--worker", command]));
    let ran = lab.run(ONE_HASH, &arguments);
    (lab, ran)
}

/// The row of each faulty worker has failed with a reason that says all of its words; the others are measured.
#[track_caller]
fn fail(cases: &[(&str, &[&str])]) {
    let faults: Vec<&str> = cases.iter().map(|(fault, _)| *fault).collect();
    let (_lab, ran) = run_with(&faults);
    assert_eq!(ran.code(), Some(1), "{}", ran.stderr());
    let run = ran.record();
    assert!(run.finished_at.is_some());
    others_are_fine(&run, "faulty");
    assert_eq!(rows_of(&run, "faulty").len(), cases.len());
    for (fault, words) in cases {
        let provider = format!("faulty@{fault}");
        let row = run.rows.iter().find(|row| row.provider == provider).expect(fault);
        assert_eq!(row.status, Status::Failed, "{fault}");
        let reason = row.reason.as_deref().unwrap_or_default();
        for word in *words {
            assert!(reason.contains(word), "{fault}: {reason}");
        }
        assert!(row.median_ns.is_none() && row.ops_per_s.is_none(), "{fault}: a failed row has no figures");
        assert_eq!(row.absent.get("median_ns").map(String::as_str), Some(reason), "{fault}");
    }
}

/// The workers are lost before they could say what they offer: they have no rows, but stand in `providers` with the reason.
#[track_caller]
fn are_lost(cases: &[(&str, &str)]) {
    let faults: Vec<&str> = cases.iter().map(|(fault, _)| *fault).collect();
    let (_lab, ran) = run_with(&faults);
    assert_eq!(ran.code(), Some(1), "{}", ran.stderr());
    let run = ran.record();
    others_are_fine(&run, "faulty");
    for (fault, word) in cases {
        let lost = run.providers.iter().find(|provider| provider.id.ends_with(fault)).expect(fault);
        assert_eq!(lost.status, Status::Failed, "{fault}");
        let reason = lost.reason.as_deref().unwrap_or_default();
        assert!(reason.contains(word), "{fault}: {reason}");
        assert!(ran.stderr().contains(reason), "{fault}: the reason is shown: {}", ran.stderr());
    }
}

#[test]
fn crashes() {
    fail(&[
        ("crash-in-prepare", &["crashed", "exit status: 4", "dying on purpose with 4"]),
        ("crash-in-epoch", &["crashed", "exit status: 5"]),
        ("killed-in-epoch", &["crashed", "signal: 11"]),
        ("closed", &["crashed", "closed its output and went on running"]),
        ("refuses", &["out of luck"]),
    ]);
}

#[test]
fn lost_at_hello() {
    are_lost(&[
        ("crash-at-hello", "exit status: 3"),
        ("hang-at-hello", "no answer within 5 s"),
        ("no-version", "no name or no version"),
        ("other-protocol", "pqlab.worker/9"),
    ]);
}

#[test]
fn hangs() {
    fail(&[
        ("hang-in-prepare", &["hung", "no answer within 5 s"]),
        ("hang-in-epoch", &["hung", "no answer within 5"]),
        ("deaf-to-signals", &["hung", "no answer within 5"]),
    ]);
}

#[test]
fn hangs_in_conformance() {
    // Each of hundreds of known answers could take the whole limit.
    fail(&[("hang-in-perform", &["given up after 3", "hung: no answer within 5 s"])]);
}

#[test]
fn answers_that_are_not_the_protocol() {
    fail(&[
        ("garbage", &["nonsense", "this is not JSON"]),
        ("not-text", &["nonsense", "not UTF-8"]),
        ("deep", &["nonsense", "recursion limit"]),
        ("wrong-id", &["nonsense", "to request"]),
        ("no-time", &["nonsense", "elapsed_ns"]),
        ("long-line", &["nonsense", "longer than 64 MiB"]),
        ("flood", &["nonsense", "longer than 64 MiB"]),
    ]);
}

#[test]
fn wrong_results() {
    fail(&[("skipped-work", &["outputs differ"]), ("wrong-output", &["does not conform", "digest"])]);
}

#[test]
fn between_two_the_known_outputs_decide() {
    let lab = Lab::new();
    let command = worker("faulty_worker.py", "skipped-work");
    let ran = lab.run(ONE_HASH, &["--providers", "rustcrypto", "--worker", &command]);
    assert_eq!(ran.code(), Some(1), "{}", ran.stderr());
    let run = ran.record();
    assert_eq!(rows_of(&run, "rustcrypto")[0].status, Status::Ok, "{:?}", rows_of(&run, "rustcrypto")[0].reason);
    let row = rows_of(&run, "faulty")[0];
    assert_eq!(row.status, Status::Failed);
    assert!(row.reason.as_deref().is_some_and(|reason| reason.contains("known outputs")), "{:?}", row.reason);
}

#[test]
fn times_and_counts_that_cannot_be() {
    fail(&[
        ("negative-time", &["nonsense", "-1 ns"]),
        ("zero-time", &["nonsense", "lasted 0 ns"]),
        ("no-number", &["nonsense"]),
        ("endless-time", &["nonsense", "1e300 ns in an answer that took"]),
        ("tiny-time", &["nonsense", "in 1e-300 ns"]),
        ("other-count", &["nonsense", "asked for"]),
        ("no-epochs", &["nonsense", "0 operations timed"]),
        ("calibrates-to-nothing", &["nonsense", "calibration gave 0 operations"]),
        ("calibrates-to-ages", &["nonsense", "calibration gave"]),
        ("calibrates-to-any-count", &["nonsense", "1152921504606846976 operations"]),
    ]);
}

#[test]
fn what_it_says_on_standard_error_is_its_own_affair() {
    let (_lab, ran) = run_with(&["noisy"]);
    assert_eq!(ran.code(), Some(0), "{}", ran.stderr());
    assert_eq!(rows_of(&ran.record(), "faulty")[0].status, Status::Ok);
}

#[test]
fn is_given_up_after_three_strikes() {
    let lab = Lab::new();
    let plan = ONE_HASH.replace("[1024]", "[16, 32, 64, 128, 256]");
    let command = worker("faulty_worker.py", "crash-in-epoch");
    let ran = lab.run(&plan, &["--providers", "rustcrypto,aws-lc", "--worker", &command]);
    assert_eq!(ran.code(), Some(1));
    let run = ran.record();
    others_are_fine(&run, "faulty");
    let reasons: Vec<&str> = rows_of(&run, "faulty").iter().filter_map(|row| row.reason.as_deref()).collect();
    assert_eq!(reasons.len(), 5);
    assert!(reasons[..3].iter().all(|reason| reason.contains("exit status: 5")), "{reasons:?}");
    assert!(
        reasons[3..].iter().all(|reason| reason.contains("given up after 3") && reason.contains("exit status: 5")),
        "{reasons:?}"
    );
}
