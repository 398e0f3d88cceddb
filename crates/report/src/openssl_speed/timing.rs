//! What the tool counted: `Doing … in 1.00s` of the tables, `+R…` of `-mr`.

use super::{Operation, Place};

/// Operations counted and the time they took.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Timing {
    /// Operations.
    pub count: u64,
    /// Seconds, in the steps of the tool's clock (usually 0.01 s).
    pub elapsed_s: f64,
}

/// A timing that waits for its figure.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Counted {
    /// Lower case: `ml-kem-768`, `256`, `aes-128-gcm`.
    pub subject: String,
    /// As written, when it is a name.
    pub written: String,
    /// `None` when the line does not say it.
    pub operation: Option<Operation>,
    /// Bytes of the buffer; `None` when the line does not say it.
    pub size: Option<u64>,
    pub timing: Timing,
    pub place: Place,
    pub text: String,
}

/// Subject, operation, size and timing of a `Doing` line that has a result.
pub(super) fn doing(text: &str) -> Option<(&str, Option<Operation>, Option<u64>, Timing)> {
    let rest = text.strip_prefix("Doing ")?;
    let (what, result) = rest.split_once(": ")?;
    let timing = result_of(result)?;
    let (label, tail) = what.rsplit_once(" for ")?;
    if let Some((_, size)) = tail.split_once(" on ") {
        let size = size.strip_suffix(" size blocks")?.trim().parse().ok()?;
        let name = label.strip_suffix(" ops").unwrap_or(label);
        return Some((name.trim(), None, Some(size), timing));
    }
    // `256 bits sign ecdsa ops`, `2048 bits private rsa's`, `256 bits  ecdh's`, `ML-KEM-768 keygen ops`.
    let subject = label.split_whitespace().next()?;
    Some((subject, operation(label), None, timing))
}

/// `55494 rsa2048 KEM keygen ops in 1.00s`
fn result_of(text: &str) -> Option<Timing> {
    let (before, seconds) = text.trim().rsplit_once(" in ")?;
    let count = before.split_whitespace().next()?.parse().ok()?;
    timing(count, seconds.strip_suffix('s')?)
}

fn timing(count: u64, seconds: &str) -> Option<Timing> {
    let elapsed_s = super::number::Printed::parse(seconds)?.value;
    (count > 0 && elapsed_s > 0.0).then_some(Timing { count, elapsed_s })
}

fn operation(label: &str) -> Option<Operation> {
    let words = || label.split_whitespace().map(|word| word.trim_end_matches("'s"));
    let known = words().find_map(|word| match word {
        "keygen" => Some(Operation::Keygen),
        "encaps" | "encap" => Some(Operation::Encaps),
        "decaps" | "decap" => Some(Operation::Decaps),
        "sign" | "signs" => Some(Operation::Sign),
        "verify" => Some(Operation::Verify),
        "encrypt" => Some(Operation::Encrypt),
        "decrypt" => Some(Operation::Decrypt),
        "ecdh" | "ffdh" => Some(Operation::Derive),
        _ => None,
    });
    // Before 3.2 RSA says only which key.
    known.or_else(|| {
        words().find_map(|word| match word {
            "private" => Some(Operation::Sign),
            "public" => Some(Operation::Verify),
            _ => None,
        })
    })
}

/// Subject and timing of `+R:count:name:s`, `+R9:count:bits:s`, `+R10:count:bits:name:s`, `+R15:count:name:s`.
pub(super) fn machine(text: &str) -> Option<(&str, Timing)> {
    let fields: Vec<&str> = text.split(':').collect();
    match fields.as_slice() {
        [_, count, subject, seconds] => Some((subject, timing(count.parse().ok()?, seconds)?)),
        [_, count, _bits, name, seconds] => Some((name, timing(count.parse().ok()?, seconds)?)),
        _ => None,
    }
}
