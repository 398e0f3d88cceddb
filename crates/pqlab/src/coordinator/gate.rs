//! Conformance before timing: each (provider, algorithm) is judged once a run.

use super::arms::Arm;
use crate::conformance::Performer;
use crate::conformance::gate::{Verdict, gate};
use std::collections::BTreeMap;

/// Verdicts so far.
pub struct Gate {
    performers: Vec<Box<dyn Performer>>,
    verdicts: BTreeMap<String, Vec<Verdict>>,
}

impl Gate {
    /// For the providers of a run.
    #[must_use]
    pub fn new(arms: &[Arm]) -> Self {
        Self { performers: arms.iter().map(Arm::performer).collect(), verdicts: BTreeMap::new() }
    }

    /// The verdict about that provider's algorithm: all providers that offer it are checked, against known answers and
    /// against each other, when it is first asked for.
    pub fn verdict(&mut self, algorithm: &str, provider: &str) -> Option<&Verdict> {
        let performers = &mut self.performers;
        let verdicts = self.verdicts.entry(algorithm.to_owned()).or_insert_with(|| gate(performers, algorithm));
        verdicts.iter().find(|verdict| verdict.provider == provider)
    }
}
