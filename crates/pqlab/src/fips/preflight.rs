//! The checks: load the module, compare its integrity record, use every algorithm through `fips=yes`, and see that what
//! is not approved is refused there.
//!
//! The provider runs in a worker process, as for a measurement: a module that crashes or hangs is a failed check.

use super::integrity;
use super::place::Place;
use crate::conformance::cross::{Depth, cross_check};
use crate::conformance::{PerformError, Performer, Request};
use crate::coordinator::arms::Arm;
use crate::coordinator::limits::Limits;
use crate::workload::Operation;
use crate::workload::perform::{Fields, Params};
use crypto::{Family, Fault};
use serde::Serialize;

/// Not approved, and in OpenSSL's default provider: the control of the refusal.
const NOT_APPROVED: &str = "ChaCha20-Poly1305";

/// What came of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// As it must be.
    Passed,
    /// Not as it must be.
    Failed,
    /// A check before it failed.
    NotRun,
}

/// One check with its outcome.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// What was checked.
    pub name: String,
    /// How it ended.
    pub verdict: Verdict,
    /// What was seen, or why it failed.
    pub detail: String,
}

impl Check {
    fn new(name: impl Into<String>, outcome: Result<String, String>) -> Self {
        let (verdict, detail) = match outcome {
            Ok(detail) => (Verdict::Passed, detail),
            Err(detail) => (Verdict::Failed, detail),
        };
        Self { name: name.into(), verdict, detail }
    }

    fn not_run(name: impl Into<String>) -> Self {
        Self { name: name.into(), verdict: Verdict::NotRun, detail: "the module is not loaded".into() }
    }
}

/// The algorithms that must work: all parameter sets of FIPS 203, 204 and 205.
pub fn required() -> impl Iterator<Item = &'static str> {
    let published =
        |row: &&crypto::Algorithm| ["ML-KEM-", "ML-DSA-", "SLH-DSA-"].iter().any(|p| row.name.starts_with(p));
    crypto::catalogue().iter().filter(published).map(|row| row.name)
}

/// Does all checks; `progress` is told each before it begins.
pub fn run(place: &Place, progress: &dyn Fn(usize, usize, &str)) -> Vec<Check> {
    let algorithms: Vec<&str> = required().collect();
    let total = algorithms.len() + 3;
    let mut checks = Vec::with_capacity(total);
    progress(0, total, "integrity record");
    checks.push(Check::new("integrity record", record(place)));
    progress(1, total, "module and its self-tests");
    let loaded = load(place);
    let description = loaded.as_ref().map(|arm| arm.hello.identity.fips.clone().unwrap_or_default());
    checks.push(Check::new("module loaded, self-tests passed", description.map_err(Clone::clone)));
    let mut performers: Vec<Box<dyn Performer>> = loaded.iter().map(Arm::performer).collect();
    for algorithm in algorithms {
        progress(checks.len(), total, algorithm);
        checks.push(if performers.is_empty() { Check::not_run(algorithm) } else { used(&mut performers, algorithm) });
    }
    let refusal = format!("{NOT_APPROVED} refused");
    progress(checks.len(), total, &refusal);
    checks.push(match performers.first_mut() {
        Some(performer) => Check::new(refusal, refused(place, performer.as_mut())),
        None => Check::not_run(refusal),
    });
    checks
}

fn record(place: &Place) -> Result<String, String> {
    let module = place.module()?;
    let configuration = place.configuration.as_ref().ok_or("it has no configuration of the FIPS provider")?;
    let digest = integrity::check(&module, configuration)?;
    Ok(format!("HMAC-SHA-256 of {} is {}…", module.display(), &hex::encode(digest)[..16]))
}

fn load(place: &Place) -> Result<Arm, String> {
    let arm = Arm::start(place.spec(true)?, Limits::default()).map_err(|fault| fault.to_string())?;
    match arm.hello.identity.fips {
        Some(_) => Ok(arm),
        None => Err("the worker does not run the FIPS provider".into()),
    }
}

/// A round trip, and what must be refused, by the only performer.
fn used(performers: &mut [Box<dyn Performer>], algorithm: &str) -> Check {
    let offered = performers.first().is_some_and(|p| p.algorithms().iter().any(|offer| offer.name == algorithm));
    if !offered {
        return Check::new(algorithm, Err("cannot be fetched with fips=yes".into()));
    }
    let findings = cross_check(performers, &[0], algorithm, Depth::Quick);
    let faults: Vec<String> = findings.faults.into_iter().flatten().collect();
    let cases = findings.cases.first().copied().unwrap_or(0);
    let done = match crypto::find(algorithm).map(|row| row.family) {
        Some(Family::Kem) => "key made, encapsulated, decapsulated, altered ciphertext and key refused",
        _ => "key made, signed, verified, altered signature refused",
    };
    Check::new(
        algorithm,
        match faults.first() {
            None if cases > 0 => Ok(format!("{done} ({cases} operations)")),
            None => Err("nothing was done".into()),
            Some(first) => Err(format!("{first}{}", more(faults.len()))),
        },
    )
}

fn more(faults: usize) -> String {
    if faults > 1 { format!(", and {} more", faults - 1) } else { String::new() }
}

/// The default provider of the same library has the algorithm, the FIPS provider does not give it with `fips=yes`.
fn refused(place: &Place, fips: &mut dyn Performer) -> Result<String, String> {
    let default = Arm::start(place.spec(false)?, Limits::default()).map_err(|fault| format!("control: {fault}"))?;
    if default.offer(NOT_APPROVED).is_none() {
        return Err("control: the default provider does not have it either, so a refusal shows nothing".into());
    }
    let inputs = Fields::default()
        .with("key", &[0; 32])
        .with("nonce", &[0; 12])
        .with("aad", &[])
        .with("plaintext", b"a message");
    let request =
        Request { algorithm: NOT_APPROVED, operation: Operation::Seal, params: &Params::default(), inputs: &inputs };
    default.performer().perform(&request).map_err(|error| format!("control: the default provider fails: {error}"))?;
    match fips.perform(&request) {
        Err(PerformError::Answer { fault: Fault::Unsupported, .. }) => {
            Ok("the default provider encrypts with it, fips=yes does not give it".into())
        }
        Err(error) => Err(format!("not refused but failed: {error}")),
        Ok(_) => Err("it encrypts although fips=yes was asked for".into()),
    }
}
