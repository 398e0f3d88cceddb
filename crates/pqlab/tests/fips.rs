//! `pqlab fips preflight` against the bundle with FIPS that is in the user's cache, and against spoilt copies of it.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The newest OpenSSL bundle with FIPS of the cache; `None`, said as a skip, where there is none.
fn bundle() -> Option<PathBuf> {
    let list = Command::new(env!("CARGO_BIN_EXE_pqlab")).args(["bundle", "list", "--json"]).output().ok()?;
    let list: Value = serde_json::from_slice(&list.stdout).ok()?;
    let found =
        list["bundles"].as_array()?.iter().rev().find(|b| !b["fips_config"].is_null())?["path"].as_str()?.into();
    Some(found)
}

fn preflight(prefix: &Path, mode: &str, more: &[(&str, &Path)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pqlab"));
    command.args(["fips", "preflight", "--mode", mode, "--json", "--quiet"]).env("PQLAB_OPENSSL_PREFIX", prefix);
    command.envs(more.iter().copied()).output().unwrap()
}

fn report(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

fn verdict<'a>(report: &'a Value, name: &str) -> &'a str {
    let checks = report["checks"].as_array().unwrap();
    checks.iter().find(|check| check["name"].as_str().unwrap().starts_with(name)).unwrap()["verdict"].as_str().unwrap()
}

#[test]
fn a_real_module_passes_and_a_spoilt_one_does_not() {
    let Some(prefix) = bundle() else {
        println!("SKIPPED: no OpenSSL bundle with FIPS: pqlab bundle build openssl@3.5.5 --fips");
        return;
    };
    let good = preflight(&prefix, "only", &[]);
    let good_report = report(&good);
    assert_eq!(good.status.code(), Some(0), "{good_report:#}");
    assert_eq!(good_report["passed"], true);
    for name in ["ML-KEM-512", "ML-DSA-87", "SLH-DSA-SHAKE-256f", "ChaCha20-Poly1305 refused"] {
        assert_eq!(verdict(&good_report, name), "passed");
    }
    assert!(good_report["notice"].as_str().unwrap().contains("not a claim"));

    // One bit of the module turned over: the record does not fit, and OpenSSL itself refuses to load it.
    let spoilt = tempfile::tempdir().unwrap();
    let mut module = fs::read(prefix.join("lib/ossl-modules/fips.so")).unwrap();
    let middle = module.len() / 2;
    module[middle] ^= 1;
    fs::write(spoilt.path().join("fips.so"), module).unwrap();
    for (mode, code) in [("only", 1), ("ready", 0)] {
        let bad = preflight(&prefix, mode, &[("PQLAB_OPENSSL_MODULES", spoilt.path())]);
        let bad_report = report(&bad);
        assert_eq!(bad.status.code(), Some(code), "{bad_report:#}");
        assert_eq!(bad_report["passed"], false);
        assert_eq!(verdict(&bad_report, "integrity record"), "failed");
        assert_eq!(verdict(&bad_report, "module loaded"), "failed");
        assert_eq!(verdict(&bad_report, "ML-DSA-65"), "not_run");
    }

    // Another module's record.
    let other = tempfile::tempdir().unwrap();
    let record = other.path().join("fipsmodule.cnf");
    fs::write(&record, format!("[fips_sect]\nactivate = 1\nmodule-mac = {}\n", ["00"; 32].join(":"))).unwrap();
    let bad = preflight(&prefix, "only", &[("PQLAB_OPENSSL_CONF", &record)]);
    assert_eq!(bad.status.code(), Some(1));
    assert_eq!(verdict(&report(&bad), "integrity record"), "failed");
    let off = preflight(&prefix, "off", &[("PQLAB_OPENSSL_CONF", &record)]);
    assert_eq!((off.status.code(), report(&off)["passed"].clone()), (Some(0), Value::Null));
}
