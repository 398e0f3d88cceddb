//! `pqlab openssl speed` and `pqlab openssl pkeyutl`: the tools of OpenSSL, run and recorded.

use crate::bundle;
use crate::cli::Global;
use crate::error::{CliError, Outcome};
use crate::speed::executable::Executable;
use crate::speed::{Source, host, pkeyutl, provider_id, rows, run};
use clap::Subcommand;
use report::openssl_speed::{FailureKind, Log, Named, parse, standard_name};
use report::record::{Row, Sample, Status, Warning};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// Which tool.
#[derive(Debug, clap::Args)]
pub struct OpensslArgs {
    #[command(subcommand)]
    tool: Tool,
}

#[derive(Debug, Subcommand)]
enum Tool {
    /// Run `openssl speed` of any number of executables; where it is broken for an algorithm, pkeyutl
    Speed(SpeedArgs),
    /// Time calls of `openssl pkeyutl` beside calls that do nothing: command latency, not the cost of a signature
    Pkeyutl(PkeyutlArgs),
}

/// Which executables; the system's when none is given.
#[derive(Debug, clap::Args)]
struct Programs {
    /// An openssl executable; may be repeated
    #[arg(long = "bin", value_name = "PATH")]
    bins: Vec<PathBuf>,
    /// An installed bundle, e.g. openssl@3.5.5 (`pqlab bundle list`); may be repeated
    #[arg(long = "bundle", value_name = "NAME")]
    bundles: Vec<String>,
    /// Run directory to make; `runs/<utc>-<host>-<tool>` when absent
    #[arg(long, short, value_name = "DIR")]
    output: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
struct SpeedArgs {
    #[command(flatten)]
    programs: Programs,
    /// Seconds for each figure
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=3600))]
    seconds: u32,
    /// Processes at the same time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    multi: Option<u32>,
    /// Elapsed time, not CPU time
    #[arg(long)]
    elapsed: bool,
    /// Calls of the tool for each algorithm; 6 or more for a 95 % interval
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: u32,
    /// Algorithms, in the standards' names or the tool's; post-quantum and common classical ones when none is given
    #[arg(value_name = "ALGORITHM")]
    algorithms: Vec<String>,
}

#[derive(Debug, clap::Args)]
struct PkeyutlArgs {
    #[command(flatten)]
    programs: Programs,
    /// Calls of each kind
    #[arg(long, value_name = "N", default_value_t = FALLBACK_CALLS, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    iterations: u32,
    /// Signature algorithms
    #[arg(value_name = "ALGORITHM")]
    algorithms: Vec<String>,
}

/// Calls of each kind where `speed` cannot do it.
const FALLBACK_CALLS: u32 = 30;
const SPEED_DEFAULT: [&str; 10] = [
    "ML-KEM-512",
    "ML-KEM-768",
    "ML-KEM-1024",
    "ML-DSA-44",
    "ML-DSA-65",
    "ML-DSA-87",
    "X25519",
    "P-256",
    "Ed25519",
    "ECDSA-P256",
];
const PKEYUTL_DEFAULT: [&str; 3] = ["ML-DSA-65", "ML-DSA-87", "SLH-DSA-SHAKE-128f"];

/// Runs the tool.
///
/// # Errors
/// A program that is no OpenSSL, a bundle that is not installed, a run directory that exists.
pub fn run(args: &OpensslArgs, global: Global) -> Outcome {
    match &args.tool {
        Tool::Speed(args) => speed(args, global),
        Tool::Pkeyutl(args) => command_latency(args, global),
    }
}

impl Programs {
    fn open(&self) -> Result<Vec<Executable>, CliError> {
        let mut paths = self.bins.clone();
        for name in &self.bundles {
            let installed = bundle::resolve(name).map_err(|error| {
                CliError::usage(error.what())
                    .with_hint(error.hint().map_or_else(|| format!("pqlab bundle build {name}"), str::to_owned))
            })?;
            paths.push(installed.openssl.ok_or_else(|| {
                CliError::usage(format!("the bundle {name} has no openssl executable"))
                    .with_hint("--bundle openssl@3.5.5; `pqlab bundle list` shows which are installed")
            })?);
        }
        if paths.is_empty() {
            paths.push("openssl".into());
        }
        let programs: Vec<Executable> = paths.iter().map(|path| Executable::open(path)).collect::<Result<_, _>>()?;
        for (at, program) in programs.iter().enumerate() {
            let id = provider_id(Some(&program.build));
            if programs.iter().take(at).any(|other| provider_id(Some(&other.build)) == id) {
                return Err(CliError::usage(format!("two of the executables are {id}"))
                    .with_hint("a run tells providers apart by their versions: give one --bin for each version"));
            }
        }
        Ok(programs)
    }
}

/// What the tool is asked, for one algorithm.
fn arguments(word: &str) -> Vec<String> {
    let folded = word.to_lowercase().replace('/', "-");
    if let Some(hash) = folded.strip_prefix("hmac-") {
        return vec!["-hmac".into(), hash_word(hash)];
    }
    let Some(Named { algorithm, family, .. }) = known(word) else { return vec![word.to_owned()] };
    let lower = algorithm.to_lowercase();
    match family {
        "aead" | "cipher" => vec!["-evp".into(), folded],
        "hash" => vec!["-evp".into(), hash_word(&folded)],
        "agreement" => vec![match lower.strip_prefix("ffdhe") {
            Some(bits) => format!("ffdh{bits}"),
            None => format!("ecdh{}", lower.replace('-', "")),
        }],
        // The tool's own names of post-quantum algorithms are those of the standards.
        "kem" => vec![algorithm],
        _ if lower.starts_with("ml-") || lower.starts_with("slh-") => vec![algorithm],
        _ => vec![lower.trim_end_matches("-pkcs1").replace('-', "")],
    }
}

/// `SHA-256` → `sha256`; `SHA3-256` and `SHA-512/256` have a dash there too.
fn hash_word(folded: &str) -> String {
    match folded.strip_prefix("sha-") {
        Some(rest) => format!("sha{rest}"),
        None => folded.to_owned(),
    }
}

/// Name and family of an algorithm as it was asked for: in the standards' names, with or without the hash function that
/// the tool leaves out, or in the tool's.
fn known(word: &str) -> Option<Named> {
    let plain = word.trim_end_matches("-SHA256").trim_end_matches("-SHA384").trim_end_matches("-PKCS1");
    let lower = plain.to_lowercase();
    if let Some(hash) = word.to_lowercase().strip_prefix("hmac-") {
        return standard_name(&format!("hmac({})", hash_word(hash)));
    }
    match lower.strip_prefix("p-") {
        Some(bits) => standard_name(&format!("ecdhp{bits}")),
        None => standard_name(&lower.replacen("ffdhe", "ffdh", 1)),
    }
}

fn speed(args: &SpeedArgs, global: Global) -> Outcome {
    let programs = args.programs.open()?;
    let algorithms = or_default(&args.algorithms, &SPEED_DEFAULT);
    let started_at = crate::record::now();
    let mut found = Found::default();
    for program in &programs {
        if program.is_libressl() && !global.quiet {
            eprintln!("warning: `speed` of {} has no -seconds: it takes its own time", program.path.display());
        }
        for _ in 0..args.repeat {
            for word in &algorithms {
                found.one(program, word, args, global);
            }
        }
    }
    let settings = BTreeMap::from([
        ("seconds".to_owned(), json!(args.seconds)),
        ("multi".to_owned(), json!(args.multi)),
        ("elapsed".to_owned(), json!(args.elapsed)),
        ("repeat".to_owned(), json!(args.repeat)),
        ("algorithms".to_owned(), json!(algorithms)),
    ]);
    let made = run::Made {
        plan: "openssl-speed",
        analysis: "Figures of `openssl speed`, run by pqlab; the raw logs are in logs/.".into(),
        settings,
        host: host::here_without_clock(),
        started_at,
        sources: found.sources,
        further: found.further,
        warnings: found.warnings,
    };
    run::store(made, args.programs.output.as_deref(), global)
}

/// What the calls brought.
#[derive(Default)]
struct Found {
    sources: Vec<Source>,
    further: Vec<(Row, Vec<Sample>)>,
    warnings: Vec<Warning>,
}

impl Found {
    fn one(&mut self, program: &Executable, word: &str, args: &SpeedArgs, global: Global) {
        let asked = arguments(word);
        let options = options(args, program);
        // `-evp` and `-hmac` take the name that follows; the others stand at the end.
        let all: Vec<&str> = ["speed"].into_iter().chain(options.iter().chain(&asked).map(String::as_str)).collect();
        // Seven sizes or three operations, keys that take long to make, and processes that share cores.
        let limit = Duration::from_secs(120 + 20 * u64::from(args.seconds) * u64::from(args.multi.unwrap_or(1)).min(4));
        if !global.quiet {
            eprintln!("{}: openssl {}", provider_id(Some(&program.build)), all.join(" "));
        }
        let provider = provider_id(Some(&program.build));
        let mut lose = |status, reason: &str| {
            let known = known(word);
            let name = known.as_ref().map_or(word, |known| known.algorithm.as_str());
            let rows = rows::missing(&provider, name, known.as_ref(), status, reason);
            self.further.extend(rows.into_iter().map(|row| (row, Vec::new())));
        };
        let ended = match program.run(&all, limit) {
            Ok(ended) => ended,
            Err(error) => return lose(Status::Failed, &format!("it could not be started: {error}")),
        };
        if ended.status.is_none() {
            return lose(Status::Failed, &format!("it did not end within {} s", limit.as_secs()));
        }
        let number = self.sources.len() + 1;
        let stem: String = word.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).collect();
        let stem = format!("{}.{number:03}.{stem}", provider);
        let log = parse(&[&ended.stdout, &ended.stderr]).unwrap_or_default();
        if log.measurements.is_empty() {
            let (status, reason) = why(&log, word);
            lose(status, &reason);
            if defect(&log) {
                self.fall_back(program, &provider, word, &reason, global);
            }
        }
        self.sources.push(Source {
            label: format!("{stem}.txt"),
            // The rows above say it with the name that was asked for.
            log: Log { failures: Vec::new(), ..log },
            files: vec![(format!("{stem}.txt"), ended.stdout), (format!("{stem}.err"), ended.stderr)],
            executable: Some(program.library()),
            build: Some(program.build.clone()),
            variant: None,
        });
    }

    fn fall_back(&mut self, program: &Executable, provider: &str, word: &str, reason: &str, global: Global) {
        let Some(known) = known(word).filter(|known| known.family == "signature") else { return };
        let message = format!(
            "`openssl speed` of {provider} is broken for {} ({reason}; OpenSSL 3.5.0 to 3.5.4, issue 27108, fixed in 3.5.5 and \
             3.6.0). In its place stand calls of `openssl pkeyutl`: command latency, with the start of the program in it.",
            known.algorithm
        );
        if !global.quiet {
            eprintln!("warning: {message}");
        }
        self.warnings.push(Warning { code: "speed-defect".into(), message });
        match pkeyutl::measure(program, provider, &known.algorithm, FALLBACK_CALLS) {
            Ok(rows) => self.add(rows),
            Err(reason) => self.warnings.push(Warning {
                code: "pkeyutl".into(),
                message: format!("{provider} {}: no command latency either: {reason}", known.algorithm),
            }),
        }
    }

    /// The call that does nothing is timed for each algorithm; one row of it is kept.
    fn add(&mut self, rows: Vec<(Row, Vec<Sample>)>) {
        for (row, samples) in rows {
            if !self.further.iter().any(|(known, _)| known.id == row.id) {
                self.further.push((row, samples));
            }
        }
    }
}

fn options(args: &SpeedArgs, program: &Executable) -> Vec<String> {
    let mut options = Vec::new();
    if args.elapsed {
        options.push("-elapsed".to_owned());
    }
    if !program.is_libressl() {
        options.extend(["-seconds".to_owned(), args.seconds.to_string()]);
    }
    if let Some(processes) = args.multi {
        options.extend(["-multi".to_owned(), processes.to_string()]);
    }
    options
}

fn defect(log: &Log) -> bool {
    log.failures.iter().any(|failure| failure.kind == FailureKind::ToolDefect)
}

fn why(log: &Log, word: &str) -> (Status, String) {
    match log.failures.first() {
        Some(failure) => {
            let lacking = matches!(failure.kind, FailureKind::UnknownAlgorithm | FailureKind::UnknownOption);
            let status = if lacking { Status::Unavailable } else { Status::Failed };
            let near = match failure.kind {
                FailureKind::UnknownAlgorithm if known(word).is_none() => nearest(word),
                _ => String::new(),
            };
            (status, format!("`openssl speed` says: {}{near}", failure.text))
        }
        None => (Status::Failed, format!("`openssl speed` printed no figure for {word}")),
    }
}

/// `; did you mean …?` for a name that nobody knows.
fn nearest(word: &str) -> String {
    let names = crypto::catalogue().iter().map(|row| row.name);
    crate::error::nearest(word, names).map_or(String::new(), |name| format!("; did you mean {name}?"))
}

fn command_latency(args: &PkeyutlArgs, global: Global) -> Outcome {
    let programs = args.programs.open()?;
    let algorithms = or_default(&args.algorithms, &PKEYUTL_DEFAULT);
    let started_at = crate::record::now();
    let mut found = Found::default();
    for program in &programs {
        let provider = provider_id(Some(&program.build));
        for word in &algorithms {
            let known = known(word);
            let name = known.as_ref().map_or(word.as_str(), |known| known.algorithm.as_str());
            if !global.quiet {
                eprintln!("{provider}: {name}, {} calls of each kind", args.iterations);
            }
            match pkeyutl::measure(program, &provider, name, args.iterations) {
                Ok(rows) => found.add(rows),
                Err(reason) => {
                    let rows = rows::missing(&provider, name, known.as_ref(), Status::Unavailable, &reason);
                    found.further.extend(rows.into_iter().map(|row| (row, Vec::new())));
                }
            }
        }
        found.sources.push(silent(program));
    }
    found.warnings.push(Warning {
        code: "command-latency".into(),
        message:
            "Each sample is one call of the program: its start, its libraries and the reading of the key are in it. \
                  The row `openssl version` is a call that does nothing else."
                .into(),
    });
    let made = run::Made {
        plan: "openssl-pkeyutl",
        analysis: "Calls of `openssl pkeyutl`, timed from start to end: command latency.".into(),
        settings: BTreeMap::from([
            ("iterations".to_owned(), json!(args.iterations)),
            ("algorithms".to_owned(), json!(algorithms)),
        ]),
        host: crate::host::here(&measure::clock::probe(measure::clock::best().as_ref())),
        started_at,
        sources: found.sources,
        further: found.further,
        warnings: found.warnings,
    };
    run::store(made, args.programs.output.as_deref(), global)
}

/// The executable without a log: for its provenance.
fn silent(program: &Executable) -> Source {
    Source {
        label: program.path.display().to_string(),
        log: Log::default(),
        files: Vec::new(),
        executable: Some(program.library()),
        build: Some(program.build.clone()),
        variant: None,
    }
}

fn or_default(given: &[String], default: &[&str]) -> Vec<String> {
    if given.is_empty() { default.iter().map(|name| (*name).to_owned()).collect() } else { given.to_vec() }
}

#[cfg(test)]
mod tests {
    use super::{arguments, known};

    #[test]
    fn the_standards_names_become_those_of_the_tool() {
        for (word, expected, name) in [
            ("ML-DSA-65", "ML-DSA-65", "ML-DSA-65"),
            ("mldsa65", "ML-DSA-65", "ML-DSA-65"),
            ("SLH-DSA-SHAKE-128f", "SLH-DSA-SHAKE-128f", "SLH-DSA-SHAKE-128f"),
            ("X25519MLKEM768", "X25519MLKEM768", "X25519MLKEM768"),
            ("Ed25519", "ed25519", "Ed25519"),
            ("X25519", "ecdhx25519", "X25519"),
            ("ecdhx448", "ecdhx448", "X448"),
            ("P-384", "ecdhp384", "P-384"),
            ("ffdhe2048", "ffdh2048", "ffdhe2048"),
            ("ECDSA-P256", "ecdsap256", "ECDSA-P256"),
            ("ECDSA-P256-SHA256", "ecdsap256", "ECDSA-P256"),
            ("RSA-2048-PKCS1-SHA256", "rsa2048", "RSA-2048-PKCS1"),
            ("rsa4096", "rsa4096", "RSA-4096-PKCS1"),
            ("AES-128-GCM", "-evp aes-128-gcm", "AES-128-GCM"),
            ("ChaCha20-Poly1305", "-evp chacha20-poly1305", "ChaCha20-Poly1305"),
            ("SHA-256", "-evp sha256", "SHA-256"),
            ("SHA-512/256", "-evp sha512-256", "SHA-512/256"),
            ("SHA3-256", "-evp sha3-256", "SHA3-256"),
            ("HMAC-SHA256", "-hmac sha256", "HMAC-SHA256"),
        ] {
            assert_eq!(arguments(word).join(" "), expected, "{word}");
            assert_eq!(known(word).map(|known| known.algorithm).as_deref(), Some(name), "{word}");
        }
        assert_eq!(arguments("no-such-algorithm"), ["no-such-algorithm"]);
        assert!(known("no-such-algorithm").is_none());
    }
}
