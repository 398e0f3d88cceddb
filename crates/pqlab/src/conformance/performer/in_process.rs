//! A provider in this process, for tests: the program itself speaks to workers only.

use super::{Offer, PerformError, Performer, Request};
use crate::workload::offer::offered;
use crate::workload::perform::{Fields, perform};
use crypto::Provider;

/// A provider linked into this program.
pub struct InProcess(
    /// The provider.
    pub Provider,
);

impl Performer for InProcess {
    fn id(&self) -> String {
        self.0.identity.id()
    }

    fn algorithms(&self) -> Vec<Offer> {
        offered(&self.0)
            .into_iter()
            .map(|(row, operations)| Offer { name: row.name.to_owned(), family: row.family, operations })
            .collect()
    }

    fn perform(&mut self, request: &Request<'_>) -> Result<Fields, PerformError> {
        let Request { algorithm, operation, params, inputs } = *request;
        perform(&self.0, algorithm, operation, params, inputs).map_err(PerformError::from)
    }
}

impl From<crypto::Error> for PerformError {
    fn from(error: crypto::Error) -> Self {
        Self::Answer { fault: error.fault(), what: error.what().to_owned() }
    }
}
