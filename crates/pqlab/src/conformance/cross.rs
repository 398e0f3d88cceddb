//! Providers against each other: what one makes, every other must open, verify or equal.
//!
//! Values that the standard fixes (public key from a seed, deterministic signature, agreed secret, digest, …) must be
//! equal. Ciphertexts and signatures must be opened and verified by all. What was altered must be refused, or for a
//! KEM give another secret. A fault that one provider shows by itself is a *fault*; one that needs two is a
//! [`Disagreement`], and [`super::blame`] decides.

use super::blame::Disagreement;
use super::performer::{Offer, PerformError, Performer, Request};
use crate::workload::operation::Operation;
use crate::workload::perform::{Fields, Params};
use crypto::{Family, Fault, SecretForm, Sizes};
use std::collections::BTreeSet;

mod agreement;
mod kem;
mod signature;
mod symmetric;

/// How much is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// What `pqlab run` does before timing: each kind of check once.
    Quick,
    /// What `pqlab conform` does: private keys are also carried from each provider to every other.
    Full,
}

/// What the providers showed, by their index among those that were asked.
#[derive(Debug, Default)]
pub struct Findings {
    /// What each got wrong without another's part.
    pub faults: Vec<Vec<String>>,
    /// Pairs that do not agree.
    pub disagreements: Vec<Disagreement>,
    /// Checks made by each.
    pub cases: Vec<usize>,
    /// What could not be checked, and why; by provider.
    pub notes: Vec<Vec<String>>,
}

/// One provider of the check.
struct Party<'a> {
    performer: &'a mut dyn Performer,
    offer: Offer,
    sizes: Option<Sizes>,
    faults: Vec<String>,
    notes: Vec<String>,
    cases: usize,
}

/// Checks the performers at `indices` against each other for one algorithm; the findings are in the order of `indices`.
/// With one performer it is a round trip.
pub fn cross_check(
    performers: &mut [Box<dyn Performer>],
    indices: &[usize],
    algorithm: &str,
    depth: Depth,
) -> Findings {
    let mut parties: Vec<Party<'_>> = performers
        .iter_mut()
        .enumerate()
        .filter(|(index, _)| indices.contains(index))
        .filter_map(|(_, performer)| {
            let offer = performer.algorithms().into_iter().find(|offer| offer.name == algorithm)?;
            let sizes = crypto::find(algorithm).map(|row| row.sizes);
            Some(Party { performer: &mut **performer, offer, sizes, faults: vec![], notes: vec![], cases: 0 })
        })
        .collect();
    let Some(family) = parties.first().map(|party| party.offer.family) else { return Findings::default() };
    let mut disagreements = match family {
        Family::Kem => kem::check(&mut parties, depth),
        Family::Signature => signature::check(&mut parties, depth),
        Family::Agreement => agreement::check(&mut parties),
        Family::Aead => symmetric::aead(&mut parties),
        Family::Hash | Family::Mac | Family::Kdf => symmetric::functions(&mut parties),
    };
    disagreements.sort();
    disagreements.dedup();
    let mut findings = Findings { disagreements, ..Findings::default() };
    for party in parties {
        findings.faults.push(party.faults);
        findings.notes.push(party.notes);
        findings.cases.push(party.cases);
    }
    findings
}

impl Party<'_> {
    fn offers(&self, operation: Operation) -> bool {
        self.offer.operations.contains(&operation)
    }

    fn ask(&mut self, operation: Operation, params: Params, inputs: &Fields) -> Result<Fields, PerformError> {
        self.cases += 1;
        self.performer.perform(&Request { algorithm: &self.offer.name, operation, params: &params, inputs })
    }

    /// As [`Party::ask`]; an error is this party's fault, except `unsupported`, which is noted. `None` in both cases.
    fn must(&mut self, operation: Operation, params: Params, inputs: &Fields) -> Option<Fields> {
        match self.ask(operation, params, inputs) {
            Ok(outputs) => Some(outputs),
            Err(PerformError::Answer { fault: Fault::Unsupported, what }) => {
                self.notes.push(format!("{operation}: {what}"));
                None
            }
            Err(error) => {
                self.faults.push(format!("{operation}: {error}"));
                None
            }
        }
    }

    /// This must be refused, by an error or `valid` = 00.
    fn refuses(&mut self, operation: Operation, params: Params, inputs: &Fields, what: &str) {
        match self.ask(operation, params, inputs) {
            Ok(outputs) if outputs.get("valid") != Some(&[0]) => {
                self.faults.push(format!("{operation} accepts {what}"));
            }
            Err(PerformError::Lost(how)) => self.faults.push(format!("{operation} of {what}: worker lost: {how}")),
            _ => {}
        }
    }
}

/// Does `work` on every party at once, each in its own thread; results in order.
fn everyone<'p, T: Send>(parties: &mut [Party<'p>], work: impl Fn(usize, &mut Party<'p>) -> T + Sync) -> Vec<T> {
    if let [only] = parties {
        return vec![work(0, only)];
    }
    std::thread::scope(|scope| {
        let handles: Vec<_> = parties
            .iter_mut()
            .enumerate()
            .map(|(index, party)| {
                let work = &work;
                scope.spawn(move || work(index, party))
            })
            .collect();
        handles
            .into_iter()
            .map(|handle| handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}

/// Every pair whose values differ; who has none takes no part.
fn unequal(values: &[Option<Vec<u8>>], what: &str) -> Vec<Disagreement> {
    let mut found = Vec::new();
    for (a, left) in values.iter().enumerate() {
        for (b, right) in values.iter().enumerate().skip(a + 1) {
            if let (Some(left), Some(right)) = (left, right)
                && left != right
            {
                found.push(Disagreement { a, b, what: what.to_owned() });
            }
        }
    }
    found
}

fn take(outputs: &Fields, name: &str) -> Option<Vec<u8>> {
    outputs.get(name).map(<[u8]>::to_vec)
}

/// `length` fixed bytes that look random; the same in every run and for every provider.
fn filler(label: &str, length: usize) -> Vec<u8> {
    use sha2::{Digest, Sha256};
    let mut bytes = Vec::with_capacity(length + 32);
    for block in 0_u32.. {
        if bytes.len() >= length {
            break;
        }
        bytes.extend_from_slice(&Sha256::digest([label.as_bytes(), &block.to_be_bytes()].concat()));
    }
    bytes.truncate(length);
    bytes
}

/// One bit in the middle turned over.
fn flipped(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let middle = bytes.len() / 2;
    if let Some(byte) = bytes.get_mut(middle) {
        *byte ^= 0x10;
    }
    bytes
}

/// The forms in which the algorithms of this family keep private keys, best for comparison first.
const FORMS: [SecretForm; 2] = [SecretForm::Seed, SecretForm::Expanded];

/// Names of parties, for notes.
fn distinct(values: impl Iterator<Item = String>) -> Vec<String> {
    values.collect::<BTreeSet<_>>().into_iter().collect()
}
