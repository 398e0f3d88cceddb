//! Command latency: what one `openssl pkeyutl` call takes from start to end, beside a call that does nothing.
//!
//! Not the cost of a signature: process start, libraries, configuration and reading the key are in every sample. So the
//! calls of `openssl version`, which do nothing else, are timed between them, and stand beside them in the record.

use super::executable::{Ended, Executable};
use super::rows;
use crate::coordinator::rows::{NO_ROUNDS, with_figures};
use report::record::{Mode, Row, Sample};
use serde_json::json;
use std::path::Path;
use std::time::Duration;

/// What the rows are marked with.
pub const FORM: &str = "command latency";
/// Longest that one call may take.
const LIMIT: Duration = Duration::from_secs(120);
/// Bytes that are signed.
pub const MESSAGE_BYTES: usize = 32;

/// Rows of one algorithm: sign, verify, and the call that does nothing.
///
/// # Errors
/// Why the algorithm cannot be timed, in the words of the program.
pub fn measure(
    program: &Executable,
    provider: &str,
    algorithm: &str,
    iterations: u32,
) -> Result<Vec<(Row, Vec<Sample>)>, String> {
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let at = |name: &str| folder.path().join(name).display().to_string();
    let [key, public, message, signature] = ["key.pem", "public.pem", "message", "signature"].map(at);
    let bytes: Vec<u8> = (0..MESSAGE_BYTES).map(|at| at as u8).collect();
    std::fs::write(&message, bytes).map_err(|error| format!("no message: {error}"))?;
    let generate = generation(algorithm);
    let generate: Vec<&str> = generate.iter().map(String::as_str).chain(["-out", key.as_str()]).collect();
    call(program, &generate)?;
    call(program, &["pkey", "-in", &key, "-pubout", "-out", &public])?;
    let sign = ["pkeyutl", "-sign", "-rawin", "-inkey", &key, "-in", &message, "-out", &signature];
    let verify = ["pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", &public, "-in", &message, "-sigfile", &signature];
    let idle = ["version"];
    // One of each first: caches are warm, and what does not work says so.
    for arguments in [&idle[..], &sign, &verify] {
        call(program, arguments)?;
    }
    let mut seconds: [Vec<Duration>; 3] = Default::default();
    for _ in 0..iterations {
        for (arguments, taken) in [&idle[..], &sign, &verify].into_iter().zip(&mut seconds) {
            taken.push(call(program, arguments)?.elapsed);
        }
    }
    let [idle, sign, verify] = seconds;
    let signature_bytes = std::fs::metadata(Path::new(&signature)).map(|file| file.len()).ok();
    let baseline = row(provider, "openssl version", "command", "start", &idle);
    let idle_ns = baseline.0.median_ns;
    let mut all = vec![baseline];
    for (operation, taken) in [("sign", sign), ("verify", verify)] {
        let (mut row, samples) = row(provider, algorithm, "signature", operation, &taken);
        row.params.insert("message".into(), json!(MESSAGE_BYTES));
        row.params.insert("idle_median_ns".into(), json!(idle_ns));
        if let Some(bytes) = signature_bytes {
            row.params.insert("signature_bytes_made".into(), json!(bytes));
        }
        all.push((row, samples));
    }
    Ok(all)
}

fn generation(algorithm: &str) -> Vec<String> {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    match algorithm {
        "ECDSA-P256" => words(&["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]),
        "ECDSA-P384" => words(&["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"]),
        _ => match algorithm.strip_prefix("RSA-").and_then(|rest| rest.split('-').next()) {
            Some(bits) => words(&["genpkey", "-algorithm", "RSA", "-pkeyopt", &format!("rsa_keygen_bits:{bits}")]),
            None => words(&["genpkey", "-algorithm", algorithm]),
        },
    }
}

/// A sample is one call, and each call a process of its own.
fn row(provider: &str, algorithm: &str, family: &str, operation: &str, taken: &[Duration]) -> (Row, Vec<Sample>) {
    let mut row = rows::empty(provider, algorithm, family, operation, None, FORM);
    row.mode = Mode::Latency;
    row.params.insert("tool".into(), json!("openssl pkeyutl"));
    row.params.insert("measures".into(), json!("one call of the program, from its start to its end"));
    let samples: Vec<Sample> =
        taken.iter().enumerate().map(|(at, taken)| rows::sample(&row.id, at, 1, taken.as_secs_f64() * 1e9)).collect();
    let mut row = with_figures(row, &samples, NO_ROUNDS, rows::SEED);
    rows::undisturbed(&mut row, "the calls are other programs: nobody looked whether they were disturbed");
    (row, samples)
}

fn call(program: &Executable, arguments: &[&str]) -> Result<Ended, String> {
    let what = arguments.first().copied().unwrap_or("");
    let ended =
        program.run(arguments, LIMIT).map_err(|error| format!("`openssl {what}` cannot be started: {error}"))?;
    match ended.status {
        Some(status) if status.success() => Ok(ended),
        None => Err(format!("`openssl {what}` did not end within {} s", LIMIT.as_secs())),
        Some(_) => {
            let said = String::from_utf8_lossy(&ended.stderr);
            let said: String = said
                .lines()
                .next()
                .unwrap_or("it does not say why")
                .chars()
                .filter(|c| !c.is_control())
                .take(200)
                .collect();
            Err(format!("`openssl {what}` failed: {said}"))
        }
    }
}
