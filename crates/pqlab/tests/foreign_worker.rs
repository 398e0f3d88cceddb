//! A worker in another language, written against docs/WORKER.md alone, takes part in a run.

mod common;

use common::{HASHES, Lab, rows_of, worker};
use report::record::{Mode, Status};

#[test]
fn python_takes_part() {
    let lab = Lab::new();
    let ran = lab.run(HASHES, &["--providers", "rustcrypto,aws-lc", "--worker", &worker("worker.py", ""), "--quiet"]);
    let run = ran.fine();

    let provider = run.providers.iter().find(|p| p.name == "python-hashlib").expect("its identity is in the record");
    assert_eq!(provider.status, Status::Ok);
    assert_eq!(provider.id, format!("python-hashlib@{}", provider.version.as_deref().unwrap()));
    assert!(provider.origin.contains("python"), "{}", provider.origin);

    let rows = rows_of(&run, "python-hashlib");
    assert_eq!(rows.len(), 3, "SHA-256, SHA3-256 and HMAC-SHA256");
    for row in &rows {
        assert_eq!(row.status, Status::Ok, "{}: {:?}", row.id, row.reason);
        assert_eq!((row.n, row.processes), (4, 2), "{}", row.id);
        // Known answers were asked of it, not only of the others.
        assert_eq!(row.params["conformance"], "vectors", "{}", row.id);
        // The inputs are another's, so that its digests were compared with those of the others on the same inputs.
        assert!(row.params["inputs_from"].as_str().unwrap().starts_with("rustcrypto@"), "{}", row.id);
        let fellow = rows_of(&run, "rustcrypto").into_iter().find(|other| other.algorithm == row.algorithm).unwrap();
        assert_eq!(row.params["inputs_sha256"], fellow.params["inputs_sha256"]);
        assert_eq!(row.params["count"], fellow.params["count"]);
        assert_eq!(fellow.status, Status::Ok);
        // What it may leave out for names of the catalogue was filled in.
        assert_eq!(row.sizes["output"], 32);
    }
    let samples = ran.samples();
    let own = samples.iter().filter(|sample| sample.row == rows[0].id && !sample.warmup).count();
    assert_eq!(own, 4);
}

#[test]
fn single_stamps_are_chained_to_the_same_digest() {
    let lab = Lab::new();
    // 64 KiB take long enough to be stamped singly with any clock.
    let plan = HASHES.replace("sizes = [1024]", "sizes = [65536]\nmodes = [\"latency\"]").replace("\"SHA-256\", ", "");
    let arguments = ["--providers", "rustcrypto,aws-lc", "--worker", &worker("worker.py", ""), "--iterations", "5"];
    let ran = lab.run(&plan, &arguments);
    let run = ran.fine();
    assert!(!run.rows.is_empty());
    for row in run.rows.iter().filter(|row| row.status == Status::Ok) {
        assert_eq!((row.mode, &row.params["stamped"]), (Mode::Latency, &"operation".into()), "{}", row.id);
        assert_eq!(row.n, 2 * 2 * 5, "one sample for each operation: {}", row.id);
    }
    let python = rows_of(&run, "python-hashlib");
    assert_eq!(python.len(), 2);
    assert!(python.iter().all(|row| row.status == Status::Ok), "{python:?}");
    assert!(ran.samples().iter().all(|sample| sample.count == 1));
}
