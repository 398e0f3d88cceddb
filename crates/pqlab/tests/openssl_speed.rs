//! `pqlab import`, `pqlab openssl speed`, `pqlab openssl pkeyutl`: logs and programs in, run directories out.

use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn pqlab(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pqlab")).args(arguments).output().unwrap()
}

fn log(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../report/tests/openssl_speed");
    folder.join(name).display().to_string()
}

fn output(folder: &tempfile::TempDir) -> String {
    folder.path().join("run").display().to_string()
}

/// Runs with `--json --quiet --output`, and gives exit code and record.
fn record(arguments: &[&str], folder: &tempfile::TempDir) -> (i32, Value) {
    let into = output(folder);
    let all: Vec<&str> = arguments.iter().copied().chain(["--json", "--quiet", "--output", &into]).collect();
    let ended = pqlab(&all);
    let text = String::from_utf8_lossy(&ended.stdout).into_owned();
    let value = serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("{error}: {text}{}", String::from_utf8_lossy(&ended.stderr)));
    (ended.status.code().unwrap(), value)
}

fn row<'r>(run: &'r Value, algorithm: &str, operation: &str) -> &'r Value {
    let rows = run["rows"].as_array().unwrap();
    let found = rows.iter().find(|row| row["algorithm"] == algorithm && row["operation"] == operation);
    found.unwrap_or_else(|| panic!("no {algorithm} {operation} in {rows:#?}"))
}

fn refused(arguments: &[&str], what: &str) {
    let ended = pqlab(arguments);
    let said = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(2), "{arguments:?}: {said}");
    assert!(said.contains(what) && said.contains("hint: "), "{arguments:?}: {said}");
}

#[test]
fn a_log_becomes_a_run_that_renders() {
    let folder = tempfile::tempdir().unwrap();
    let (out, err) = (log("openssl-3.5.5.kem.txt"), log("openssl-3.5.5.kem.err"));
    let (code, run) = record(&["import", &out, &err], &folder);
    assert_eq!(code, 0);
    assert_eq!(run["rows"].as_array().unwrap().len(), 12);
    let encaps = row(&run, "ML-KEM-768", "encaps");
    assert_eq!(encaps["provider"], "openssl@3.5.5");
    assert_eq!((&encaps["n"], &encaps["processes"]), (&Value::from(1), &Value::from(1)));
    // 56841 ML-KEM-768 KEM encaps ops in 1.00s
    assert!((encaps["median_ns"].as_f64().unwrap() - 1e9 / 56841.0).abs() < 1e-6);
    assert!((encaps["ops_per_s"].as_f64().unwrap() - 56841.0).abs() < 1e-6);
    for field in ["ci95_ns", "bootstrap95_ns", "contaminated_pct", "p99_ns"] {
        assert!(encaps[field].is_null() && encaps["absent"][field].is_string(), "{field}: {encaps:#}");
    }
    assert_eq!((&encaps["sizes"]["ciphertext"], &encaps["sizes"]["public"]), (&Value::from(1088), &Value::from(1184)));
    assert!(run["host"]["cpu"].is_null() && run["host"]["grade"].is_null());
    assert!(run["host"]["unmeasurable"].as_array().unwrap().iter().any(|entry| entry["what"] == "cpu"));
    let provider = &run["providers"][0];
    assert_eq!((&provider["id"], &provider["version"]), (&Value::from("openssl@3.5.5"), &Value::from("3.5.5")));
    assert!(provider["origin"].as_str().unwrap().contains("`openssl speed` log"));
    let copy = folder.path().join("run/logs/openssl-3.5.5.kem.txt");
    assert_eq!(std::fs::read(copy).unwrap(), std::fs::read(&out).unwrap());
    assert!(folder.path().join("run/samples.parquet").exists());
    for format in ["html", "md", "latex", "csv", "json", "dat", "svg"] {
        let ended = pqlab(&["report", &output(&folder), "--format", format]);
        assert!(ended.status.success(), "{format}: {}", String::from_utf8_lossy(&ended.stderr));
        assert!(!ended.stdout.is_empty(), "{format}");
    }
    refused(&["import", &out, "--output", &output(&folder)], "exists already");
}

#[test]
fn several_logs_of_one_version_are_the_samples_of_one_row() {
    let folder = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    for (name, count) in [("a", 50_000), ("b", 60_000)] {
        let out = folder.path().join(format!("{name}.txt"));
        let err = folder.path().join(format!("{name}.err"));
        std::fs::write(&out, format!("version: 3.5.5\n op op/s\n 253 bits ecdh (X25519)   0.0000s  {count}.0\n"))
            .unwrap();
        std::fs::write(&err, format!("Doing 253 bits  ecdh ops for 1s: {count} 253-bits ECDH ops in 1.00s\n")).unwrap();
        files.extend([out.display().to_string(), err.display().to_string()]);
    }
    let arguments: Vec<&str> = ["import"].into_iter().chain(files.iter().map(String::as_str)).collect();
    let (code, run) = record(&arguments, &folder);
    assert_eq!((code, run["rows"].as_array().unwrap().len()), (0, 1));
    let derive = row(&run, "X25519", "derive");
    assert_eq!((&derive["n"], &derive["processes"]), (&Value::from(2), &Value::from(2)));
    let median = (1e9 / 50_000.0 + 1e9 / 60_000.0) / 2.0;
    assert!((derive["median_ns"].as_f64().unwrap() - median).abs() < 1e-6);
}

#[test]
fn processes_at_the_same_time_are_no_repetitions() {
    let folder = tempfile::tempdir().unwrap();
    let (_, run) =
        record(&["import", &log("openssl-3.5.5.kem-multi.txt"), &log("openssl-3.5.5.kem-multi.err")], &folder);
    let keygen = row(&run, "ML-KEM-768", "keygen");
    assert_eq!((&keygen["n"], &keygen["params"]["at_once"]), (&Value::from(2), &Value::from(2)));
    assert!((keygen["params"]["total_ops_per_s"].as_f64().unwrap() - 61741.0).abs() < 1e-6);
    // Of one process, not of both: 30828 and 30913.
    assert!((keygen["ops_per_s"].as_f64().unwrap() - 30870.5).abs() < 1.0);
    assert!(keygen["absent"]["ci95_ns"].as_str().unwrap().contains("same time"));
    assert_eq!(keygen["params"]["form"], "2 processes");
}

#[test]
fn a_log_without_a_version_takes_it_from_the_option() {
    let (out, err) = (log("openssl-3.5.5.mr-pk.txt"), log("openssl-3.5.5.mr-pk.err"));
    let folder = tempfile::tempdir().unwrap();
    let (_, run) = record(&["import", &out, &err], &folder);
    assert_eq!(run["providers"][0]["id"], "openssl@unknown");
    assert!(run["providers"][0]["version"].is_null() && run["providers"][0]["absent"]["version"].is_string());
    let folder = tempfile::tempdir().unwrap();
    let (_, run) = record(&["import", &out, &err, "--openssl-version", "3.5.5"], &folder);
    assert_eq!(row(&run, "ECDSA-P256", "sign")["provider"], "openssl@3.5.5");
    assert_eq!(row(&run, "ECDSA-P256", "sign")["sizes"]["public"], 65);
    // A log that describes its build says more than the option, and the option claims nothing of logs that have figures
    // of a known version or none.
    let folder = tempfile::tempdir().unwrap();
    let others = [log("openssl-3.0.19.pqsig.err"), log("openssl-3.5.5.kem.err"), log("openssl-3.5.5.kem.txt")];
    let [silent, kem_err, kem_out] = others.each_ref().map(String::as_str);
    let (code, run) = record(&["import", silent, &out, &err, kem_err, kem_out, "--openssl-version", "3.5.5"], &folder);
    assert_eq!(code, 1, "a log without any figure is a finding beside others");
    assert_eq!(run["providers"].as_array().unwrap().len(), 1);
    assert!(run["providers"][0]["flags"].as_str().unwrap().contains("options: bn(64,64)"));
    refused(&["import", &out, "--openssl-version", "../x"], "no version");
}

#[test]
fn what_cannot_be_read_is_said_and_nothing_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    refused(&["import", &file("empty.txt", "")], "is empty");
    refused(&["import", &file("blank.txt", "\n \n")], "is empty");
    refused(&["import", &file("prose.txt", "Dear Sir or Madam,\n")], "no figure");
    refused(&["import", &log("openssl-3.0.19.pqsig.err")], "Unknown option: -signature-algorithms");
    refused(&["import", &folder.path().display().to_string()], "not a plain file");
    refused(&["import", &folder.path().join("none.txt").display().to_string()], "cannot read");
    let half = file(
        "half.txt",
        "version: 3.5.5\n op op/s\n 253 bits ecdh (X25519) 0.0000s 9.0\nwhat is this?\n 253 bits ecdh (X448) 0.0001s 9000.0\n",
    );
    let ended = pqlab(&["import", &half, "--output", &output(&folder)]);
    assert_eq!(ended.status.code(), Some(1), "unread lines are a finding");
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(said.contains("half.txt, line 3") && said.contains("half.txt, line 4"), "{said}");
    assert!(String::from_utf8_lossy(&ended.stdout).contains("X448"));
}

/// A program that behaves like OpenSSL 3.5.4: `speed` breaks down at ML-DSA, the other tools work.
fn broken_openssl(folder: &Path) -> PathBuf {
    let path = folder.join("openssl");
    let script = "#!/bin/sh\n\
        case \"$1\" in\n\
        version) echo 'OpenSSL 3.5.4 30 Sep 2025 (Library: OpenSSL 3.5.4 30 Sep 2025)'; exit 0;;\n\
        speed) echo 'Error while initializing signing data structs for ML-DSA-65.' >&2; echo 'version: 3.5.4'; exit 1;;\n\
        genpkey|pkey|pkeyutl) while [ $# -gt 0 ]; do [ \"$1\" = -out ] && echo x > \"$2\"; shift; done; exit 0;;\n\
        esac\nexit 1\n";
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

#[test]
fn where_speed_is_broken_it_says_so_and_falls_back_to_command_latency() {
    let folder = tempfile::tempdir().unwrap();
    let program = broken_openssl(folder.path()).display().to_string();
    let (code, run) = record(&["openssl", "speed", "--bin", &program, "--seconds", "1", "ML-DSA-65"], &folder);
    assert_eq!(code, 1, "a failed row is a finding");
    assert!(run["warnings"].as_array().unwrap().iter().any(|warning| warning["code"] == "speed-defect"), "{run:#}");
    let rows = run["rows"].as_array().unwrap();
    let failed: Vec<&Value> = rows.iter().filter(|row| row["status"] == "failed").collect();
    assert_eq!(failed.len(), 2, "sign and verify of speed");
    assert!(failed[0]["reason"].as_str().unwrap().contains("Error while initializing"));
    let latency = |operation: &str| {
        rows.iter().find(|row| row["operation"] == operation && row["params"]["form"] == "command latency")
    };
    let sign = latency("sign").unwrap();
    assert_eq!((&sign["status"], &sign["mode"]), (&Value::from("ok"), &Value::from("latency")));
    assert!(sign["median_ns"].as_f64().unwrap() > 0.0 && sign["ci95_ns"].is_array());
    assert_eq!(sign["sizes"]["signature"], 3309, "of the standard, not of a file");
    assert!(latency("verify").is_some());
    let idle = row(&run, "openssl version", "start");
    assert_eq!(sign["params"]["idle_median_ns"], idle["median_ns"]);
    assert!(folder.path().join("run/logs").read_dir().unwrap().count() == 2);
}

#[test]
fn only_an_openssl_is_run() {
    let folder = tempfile::tempdir().unwrap();
    let none = folder.path().join("none").display().to_string();
    refused(&["openssl", "speed", "--bin", &none], "no program");
    refused(&["openssl", "speed", "--bin", "/bin/true"], "is not an OpenSSL");
    refused(&["openssl", "pkeyutl", "--bin", "/bin/false"], "is not an OpenSSL");
    refused(&["openssl", "speed", "--bundle", "openssl@9.9.9"], "openssl@9.9.9");
    let program = broken_openssl(folder.path()).display().to_string();
    refused(&["openssl", "speed", "--bin", &program, "--bin", &program], "two of the executables");
}

/// The system's `openssl`, when there is one.
fn system() -> bool {
    let there = Command::new("openssl").arg("version").output().is_ok_and(|ended| ended.status.success());
    if !there {
        println!("SKIPPED: no openssl on this machine");
    }
    there
}

#[test]
fn the_systems_openssl_is_measured_and_what_it_lacks_is_a_row() {
    if !system() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (code, run) =
        record(&["openssl", "speed", "--seconds", "1", "--elapsed", "Ed25519", "P-256", "no-such-algorithm"], &folder);
    assert_eq!(code, 0, "{run:#}");
    for (algorithm, operation) in [("Ed25519", "sign"), ("Ed25519", "verify"), ("P-256", "derive")] {
        let row = row(&run, algorithm, operation);
        assert_eq!(row["status"], "ok", "{row:#}");
        assert!(row["params"]["count"].as_u64().unwrap() > 0 && row["params"]["time"] == "elapsed");
    }
    let lacking = row(&run, "no-such-algorithm", "process");
    assert_eq!(lacking["status"], "unavailable");
    assert!(lacking["reason"].as_str().unwrap().contains("no-such-algorithm"));
    assert!(run["host"]["cpu"].is_string() && run["host"]["clock"].is_null());
    assert_eq!(run["providers"].as_array().unwrap().len(), 1);
    assert_eq!(run["providers"][0]["library"]["sha256"].as_str().unwrap().len(), 64);
}

#[test]
fn options_of_speed_reach_the_tool() {
    if !system() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["openssl", "speed", "--seconds", "1", "--multi", "2", "--repeat", "2", "ecdsap256"];
    let (_, run) = record(&arguments, &folder);
    let sign = row(&run, "ECDSA-P256", "sign");
    assert_eq!((&sign["n"], &sign["params"]["at_once"]), (&Value::from(4), &Value::from(2)), "{sign:#}");
}

#[test]
fn command_latency_stands_beside_a_call_that_does_nothing() {
    if !system() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (code, run) = record(&["openssl", "pkeyutl", "--iterations", "7", "Ed25519", "no-such"], &folder);
    assert_eq!(code, 0, "{run:#}");
    let sign = row(&run, "Ed25519", "sign");
    assert_eq!((&sign["n"], &sign["processes"]), (&Value::from(7), &Value::from(7)));
    assert_eq!(
        (&sign["sizes"]["signature"], &sign["params"]["signature_bytes_made"]),
        (&Value::from(64), &Value::from(64))
    );
    assert_eq!(sign["params"]["form"], "command latency");
    assert_eq!(row(&run, "openssl version", "start")["n"], 7);
    assert_eq!(run["rows"].as_array().unwrap().iter().filter(|row| row["status"] == "unavailable").count(), 1);
}
