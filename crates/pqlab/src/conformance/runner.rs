//! Known answers against performers: counts by provider and algorithm.

use super::case::{Case, Outcome};
use super::performer::{Offer, Performer};
use super::vectors::VectorSet;
use crypto::Algorithm;
use serde::Serialize;
use std::collections::{BTreeMap, HashSet};

/// What one provider made of one algorithm's known answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// `name@version[+variant]`.
    pub provider: String,
    /// Canonical name.
    pub algorithm: String,
    /// Cases that came out as they must.
    pub passed: usize,
    /// Cases that did not.
    pub failed: usize,
    /// Wycheproof `acceptable` cases: both ways are right.
    pub acceptable: Acceptable,
    /// Cases that could not be asked, by reason.
    pub not_applicable: BTreeMap<String, usize>,
    /// The first failures in detail.
    pub failures: Vec<Failure>,
}

/// Counts of `acceptable` cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Acceptable {
    /// Accepted, with the right result.
    pub accepted: usize,
    /// Refused.
    pub refused: usize,
}

/// A failed case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// File, group and test, and what was done.
    pub place: String,
    /// What was wrong.
    pub what: String,
}

impl Tally {
    fn new(provider: &str, algorithm: &str) -> Self {
        Self {
            provider: provider.into(),
            algorithm: algorithm.into(),
            passed: 0,
            failed: 0,
            acceptable: Acceptable::default(),
            not_applicable: BTreeMap::new(),
            failures: Vec::new(),
        }
    }

    /// Cases not asked, in all.
    #[must_use]
    pub fn skipped(&self) -> usize {
        self.not_applicable.values().sum()
    }

    fn skip(&mut self, reason: String, tests: usize) {
        *self.not_applicable.entry(reason).or_default() += tests;
    }

    fn fail(&mut self, keep: usize, failure: Failure) {
        self.failed += 1;
        if self.failures.len() < keep {
            self.failures.push(failure);
        }
    }
}

/// What to run and what to keep.
#[derive(Debug, Clone, Copy)]
pub struct Settings<'a> {
    /// Only these algorithms; all when empty.
    pub algorithms: &'a [&'static str],
    /// How many failures of one tally are kept in detail.
    pub keep: usize,
}

impl Settings<'_> {
    fn wants(&self, row: &Algorithm) -> bool {
        self.algorithms.is_empty() || self.algorithms.contains(&row.name)
    }
}

/// Runs every case on one performer; one tally for each algorithm that it offers and that has vectors, in the order
/// of its own table. `tick` is called after each case.
pub fn run(performer: &mut dyn Performer, set: &VectorSet, settings: Settings<'_>, tick: &dyn Fn()) -> Vec<Tally> {
    let provider = performer.id();
    let offers = performer.algorithms();
    let mut tallies: Vec<Tally> = offers.iter().map(|offer| Tally::new(&provider, &offer.name)).collect();
    let index: BTreeMap<&str, usize> = offers.iter().enumerate().map(|(i, offer)| (offer.name.as_str(), i)).collect();
    let mut lost: HashSet<usize> = HashSet::new();
    for case in set.cases.iter().filter(|case| settings.wants(case.algorithm)) {
        let found = index.get(case.algorithm.name).copied();
        if let Some((at, tally)) = found.and_then(|at| Some((at, tallies.get_mut(at)?))) {
            if lost.contains(&at) {
                tally.skip("not run: the worker was lost in an earlier case".into(), 1);
            } else if one(performer, case, offers.get(at), tally, settings.keep) {
                lost.insert(at);
            }
        }
        tick();
    }
    for entry in &set.not_applicable {
        let row = entry.algorithm.filter(|row| settings.wants(row));
        if let Some(tally) = row.and_then(|row| index.get(row.name)).and_then(|at| tallies.get_mut(*at)) {
            tally.skip(entry.reason.clone(), entry.tests);
        }
    }
    let touched = |t: &Tally| t.passed + t.failed + t.skipped() + t.acceptable.accepted + t.acceptable.refused > 0;
    tallies.into_iter().filter(touched).collect()
}

/// Whether the performer was lost in this case.
fn one(performer: &mut dyn Performer, case: &Case, offer: Option<&Offer>, tally: &mut Tally, keep: usize) -> bool {
    if let Some(reason) = case.inapplicable(offer) {
        tally.skip(reason, 1);
        return false;
    }
    match case.run(performer) {
        Outcome::Passed => tally.passed += 1,
        Outcome::Acceptable(true) => tally.acceptable.accepted += 1,
        Outcome::Acceptable(false) => tally.acceptable.refused += 1,
        Outcome::NotApplicable(reason) => tally.skip(reason, 1),
        Outcome::Failed(what) => tally.fail(keep, Failure { place: case.place(), what }),
        Outcome::Lost(what) => {
            tally.fail(keep, Failure { place: case.place(), what: format!("the worker was lost: {what}") });
            return true;
        }
    }
    false
}
