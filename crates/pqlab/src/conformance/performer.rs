//! Who performs: a provider in this process, or a worker behind the line protocol.

use crate::workload::operation::Operation;
use crate::workload::perform::{Fields, Params};
use crypto::{Family, Fault};
use std::fmt;

/// One operation to perform; names as in `docs/WORKER.md`.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// Canonical name of the algorithm.
    pub algorithm: &'a str,
    /// What to do.
    pub operation: Operation,
    /// Encoding of the private key, output length.
    pub params: &'a Params,
    /// Byte strings by name.
    pub inputs: &'a Fields,
}

/// An algorithm as a performer offers it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// Canonical name.
    pub name: String,
    /// What it is for.
    pub family: Family,
    /// The operations that it has there.
    pub operations: Vec<Operation>,
}

/// Something that does cryptographic operations on given bytes.
pub trait Performer: Send {
    /// `name@version[+variant]`.
    fn id(&self) -> String;

    /// What it offers, in table order.
    fn algorithms(&self) -> Vec<Offer>;

    /// Does one operation.
    ///
    /// # Errors
    /// [`PerformError::Answer`] when the provider answers with an error, [`PerformError::Lost`] when it does not
    /// answer at all.
    fn perform(&mut self, request: &Request<'_>) -> Result<Fields, PerformError>;
}

/// Why an operation gave no outputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PerformError {
    /// The provider answered with an error.
    Answer {
        /// Who is at fault.
        fault: Fault,
        /// What was wrong.
        what: String,
    },
    /// The performer crashed, hung or broke the protocol: the text says which.
    Lost(String),
}

impl fmt::Display for PerformError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Answer { fault, what } => write!(f, "{} error: {what}", fault.as_str()),
            Self::Lost(what) => write!(f, "the worker was lost: {what}"),
        }
    }
}

impl std::error::Error for PerformError {}

#[cfg(test)]
mod in_process;
#[cfg(test)]
pub use in_process::InProcess;
