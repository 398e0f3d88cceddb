//! A known answer, and how an answer is judged against it.

use super::performer::{Offer, PerformError, Performer, Request};
use crate::workload::operation::Operation;
use crate::workload::perform::{Fields, Params};
use crypto::{Algorithm, Fault, SecretForm};
use std::sync::Arc;

/// One operation with its known answer.
#[derive(Debug, Clone)]
pub struct Case {
    /// File it came from, as the user named it.
    pub file: Arc<str>,
    /// Group inside the file.
    pub group: u64,
    /// Test inside the file (`tcId`, `Count`, or the record's number).
    pub id: u64,
    /// What the file says about the test.
    pub comment: Option<String>,
    /// Row of the catalogue.
    pub algorithm: &'static Algorithm,
    /// What is done.
    pub operation: Operation,
    /// Private key encoding, output length.
    pub params: Params,
    /// Inputs by name.
    pub inputs: Fields,
    /// The known answer.
    pub expect: Expect,
}

/// The known answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expect {
    /// These outputs, exactly.
    Outputs(Fields),
    /// Any outputs, but no error and not `valid` = 00.
    Accepted,
    /// An error, or `valid` = 00.
    Refused,
    /// This output begins with these bytes (a truncated tag).
    Begins(&'static str, Vec<u8>),
    /// This output does not begin with these bytes (a wrong tag).
    BeginsNot(&'static str, Vec<u8>),
    /// Wycheproof `acceptable`: it may be refused; when it is not, the outputs are these.
    Either(Fields),
}

/// What came of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// As the known answer says.
    Passed,
    /// Not as the known answer says, with the difference.
    Failed(String),
    /// This provider has no such interface, with the reason.
    NotApplicable(String),
    /// An `acceptable` case was accepted (true) or refused (false): both are right.
    Acceptable(bool),
    /// The performer is gone.
    Lost(String),
}

impl Case {
    /// Why this case cannot be asked of a performer, known before it is run from what the performer offers.
    #[must_use]
    pub fn inapplicable(&self, offer: Option<&Offer>) -> Option<String> {
        let Some(offer) = offer else { return Some("algorithm not offered".into()) };
        if !offer.operations.contains(&self.operation) {
            return Some(format!("operation {} not offered", self.operation));
        }
        let seeded = self.params.form == Some(SecretForm::Seed);
        if seeded && !offer.operations.contains(&Operation::ImportSeed) {
            return Some("private keys as seeds not offered".into());
        }
        None
    }

    /// Runs the case and judges the answer.
    pub fn run(&self, performer: &mut dyn Performer) -> Outcome {
        let Self { algorithm, operation, params, inputs, .. } = self;
        judge(
            &self.expect,
            performer.perform(&Request { algorithm: algorithm.name, operation: *operation, params, inputs }),
        )
    }

    /// `file, group 3, test 17 (decaps)`.
    #[must_use]
    pub fn place(&self) -> String {
        let comment = self.comment.as_deref().filter(|c| !c.is_empty()).map_or(String::new(), |c| format!(", {c:?}"));
        format!("{}, group {}, test {} ({}{comment})", self.file, self.group, self.id, self.operation)
    }
}

/// Judges an answer. An answer of the fault `unsupported` is never a pass and never a failure.
#[must_use]
pub fn judge(expect: &Expect, answer: Result<Fields, PerformError>) -> Outcome {
    let outputs = match answer {
        Ok(outputs) => outputs,
        Err(PerformError::Lost(what)) => return Outcome::Lost(what),
        Err(PerformError::Answer { fault: Fault::Unsupported, what }) => return Outcome::NotApplicable(what),
        Err(PerformError::Answer { fault: Fault::Environment, what }) => {
            return Outcome::Failed(format!("environment error: {what}"));
        }
        Err(error) => {
            return match expect {
                Expect::Refused => Outcome::Passed,
                Expect::Either(_) => Outcome::Acceptable(false),
                _ => Outcome::Failed(error.to_string()),
            };
        }
    };
    let refused = outputs.get("valid") == Some(&[0]);
    match expect {
        Expect::Refused if refused => Outcome::Passed,
        Expect::Refused => Outcome::Failed("accepted what must be refused".into()),
        Expect::Either(_) if refused => Outcome::Acceptable(false),
        Expect::Either(known) => match compare(known, &outputs) {
            Outcome::Passed => Outcome::Acceptable(true),
            other => other,
        },
        Expect::Accepted if refused => Outcome::Failed("refused what is valid".into()),
        Expect::Accepted => Outcome::Passed,
        Expect::Outputs(known) if refused && known.get("valid") == Some(&[1]) => {
            Outcome::Failed("refused what is valid".into())
        }
        Expect::Outputs(known) => compare(known, &outputs),
        Expect::Begins(name, known) => match outputs.get(name) {
            Some(got) if !known.is_empty() && got.starts_with(known) => Outcome::Passed,
            got => Outcome::Failed(difference(name, known, got.unwrap_or(&[]))),
        },
        Expect::BeginsNot(name, wrong) => match outputs.get(name) {
            Some(got) if got.is_empty() || got.starts_with(wrong) => {
                Outcome::Failed(format!("`{name}` is the one that the vector calls wrong"))
            }
            Some(_) => Outcome::Passed,
            None => Outcome::Failed(format!("the answer has no `{name}`")),
        },
    }
}

fn compare(known: &Fields, outputs: &Fields) -> Outcome {
    for (name, bytes) in known.iter() {
        match outputs.get(name) {
            Some(got) if got == bytes => {}
            Some(got) => return Outcome::Failed(difference(name, bytes, got)),
            // Keys are the one thing that a library may keep to itself (docs/WORKER.md).
            None if matches!(name, "public" | "secret") => {
                return Outcome::NotApplicable(format!("the library does not release the {name} key"));
            }
            None => return Outcome::Failed(format!("the answer has no `{name}`")),
        }
    }
    Outcome::Passed
}

/// Where two byte strings part, with a few bytes of each.
fn difference(name: &str, expected: &[u8], got: &[u8]) -> String {
    let at = expected.iter().zip(got).take_while(|(a, b)| a == b).count();
    let show = |bytes: &[u8]| match bytes.get(at..) {
        None | Some([]) => "the end".to_owned(),
        Some(rest) => hex::encode(rest.get(..8).unwrap_or(rest)),
    };
    format!(
        "`{name}` differs from byte {at}: expected {} (of {} bytes), got {} (of {})",
        show(expected),
        expected.len(),
        show(got),
        got.len()
    )
}
