//! Speeds measured now by `openssl speed`, of any number of executables.

use crate::bundle;
use crate::error::CliError;
use crate::speed::executable::Executable;
use crate::speed::{host, provider_id};
use report::openssl_speed::parse;
use report::plot::table::Source;
use report::plot::{Speeds, name_of_word};
use std::path::Path;
use std::time::Duration;

/// Seconds that the tool takes for a figure when nobody says: 10 for keys, 3 for buffers.
const OWN_SECONDS: u64 = 10;
/// Figures of the longest table: 24 curves, signing and verifying, with room to spare.
const MOST_FIGURES: u64 = 80;

/// A raw log, to be kept.
pub struct Log {
    /// `openssl@3.5.5.rsa`.
    pub stem: String,
    /// What the tool printed.
    pub stdout: Vec<u8>,
    /// What it said besides.
    pub stderr: Vec<u8>,
}

/// Opens executables: paths, installed bundles (`openssl@3.5.5`), and `openssl` for the one in `PATH`, which also stands
/// for none at all.
///
/// # Errors
/// A program that is no OpenSSL, a bundle that is not installed, two of the same version.
pub fn open(named: &[String]) -> Result<Vec<Executable>, CliError> {
    let here = ["openssl".to_owned()];
    let named = if named.is_empty() { &here[..] } else { named };
    let mut programs: Vec<Executable> = Vec::new();
    for name in named {
        let program = match bundle::resolve(name) {
            Ok(installed) if name.contains('@') => installed.openssl.ok_or_else(|| {
                CliError::usage(format!("the bundle {name} has no openssl executable"))
                    .with_hint("`pqlab bundle list` shows which are installed")
            })?,
            Err(error) if name.contains('@') && !Path::new(name).exists() => {
                return Err(CliError::usage(error.what()).with_hint(format!("pqlab bundle build {name}")));
            }
            _ => name.into(),
        };
        let program = Executable::open(&program).map_err(|error| {
            CliError::usage(error.what())
                .with_hint("give an openssl executable, e.g. -p /usr/bin/openssl, or a bundle: `pqlab bundle list`")
        })?;
        let id = provider_id(Some(&program.build));
        if programs.iter().any(|other| provider_id(Some(&other.build)) == id) {
            return Err(CliError::usage(format!("two of the executables are {id}"))
                .with_hint("a chart tells them apart by their versions: give one for each version"));
        }
        programs.push(program);
    }
    Ok(programs)
}

/// Runs the tool for each word and executable. What an executable lacks is lost with its reason; the rest goes on.
pub fn measure(programs: &[Executable], words: &[String], seconds: Option<u32>, quiet: bool) -> (Speeds, Vec<Log>) {
    let mut speeds = Speeds::default();
    let mut logs = Vec::new();
    let cpu = host::here_without_clock().cpu;
    for program in programs {
        let id = provider_id(Some(&program.build));
        let seconds = seconds.filter(|_| !program.is_libressl());
        let made_by = seconds.map_or("openssl speed".to_owned(), |n| format!("openssl speed -seconds {n}"));
        let source = Source { id: id.clone(), host: cpu.clone(), made_by: Some(made_by) };
        let at = speeds.source(&source);
        for word in words {
            let asked = arguments(word, seconds);
            let asked: Vec<&str> = asked.iter().map(String::as_str).collect();
            if !quiet {
                eprintln!("{id}: openssl {}", asked.join(" "));
            }
            let limit = Duration::from_secs(60 + MOST_FIGURES * seconds.map_or(OWN_SECONDS, u64::from) * 3 / 2);
            let lost = match program.run(&asked, limit) {
                Err(error) => Some(format!("it could not be started: {error}")),
                Ok(ended) => {
                    let log = parse(&[&ended.stdout, &ended.stderr]).unwrap_or_default();
                    let reason = log.failures.first().map(|failure| format!("openssl speed says: {}", failure.text));
                    let none = log.measurements.is_empty();
                    speeds.add_log(&log, &source, word.ends_with("-no-evp"));
                    let stem: String =
                        word.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).collect();
                    logs.push(Log { stem: format!("{id}.{stem}"), stdout: ended.stdout, stderr: ended.stderr });
                    match ended.status {
                        None => Some(format!("it did not end within {} s", limit.as_secs())),
                        Some(_) => none.then(|| reason.unwrap_or_else(|| "openssl speed printed no figure".into())),
                    }
                }
            };
            if let Some(reason) = lost {
                if !quiet {
                    eprintln!("warning: {id}: {word}: {reason}");
                }
                speeds.lose(at, &name_of_word(word), &reason);
            }
        }
    }
    (speeds, logs)
}

/// As system 003 asks: `X-no-evp` and what works on keys by name, `hmac-X` by `-hmac`, all else by `-evp`.
fn arguments(word: &str, seconds: Option<u32>) -> Vec<String> {
    let mut all = vec!["speed".to_owned()];
    if let Some(seconds) = seconds {
        all.extend(["-seconds".to_owned(), seconds.to_string()]);
    }
    let lower = word.to_lowercase();
    let keys = ["ec", "ed", "ff", "rsa", "dsa", "ml-", "slh-", "x25519", "x448", "secp", "kem"];
    if let Some(plain) = word.strip_suffix("-no-evp") {
        all.push(plain.to_owned());
    } else if let Some(hash) = lower.strip_prefix("hmac-") {
        all.extend(["-hmac".to_owned(), hash.to_owned()]);
    } else if keys.iter().any(|start| lower.starts_with(start)) {
        all.push(word.to_owned());
    } else {
        all.extend(["-evp".to_owned(), word.to_owned()]);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::arguments;

    #[test]
    fn words_become_arguments_as_in_system_003() {
        for (word, expected) in [
            ("aes-128-cbc-no-evp", "speed -seconds 1 aes-128-cbc"),
            ("aes-128-cbc", "speed -seconds 1 -evp aes-128-cbc"),
            ("hmac-sha256", "speed -seconds 1 -hmac sha256"),
            ("ecdsap256", "speed -seconds 1 ecdsap256"),
            ("eddsa", "speed -seconds 1 eddsa"),
            ("ffdh", "speed -seconds 1 ffdh"),
            ("ML-KEM-768", "speed -seconds 1 ML-KEM-768"),
            ("X25519MLKEM768", "speed -seconds 1 X25519MLKEM768"),
            ("sha3-256", "speed -seconds 1 -evp sha3-256"),
        ] {
            assert_eq!(arguments(word, Some(1)).join(" "), expected);
        }
        assert_eq!(arguments("rsa", None).join(" "), "speed rsa");
    }
}
