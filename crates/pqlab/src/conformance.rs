//! Conformance: known answers and cross-provider checks, before any number is believed.
//!
//! ```text
//! vector files ─► reader ─► cases ─┐
//!                                  ├─► performer (one library) ─► tally ─┐
//! other providers ─► cross-check ──┘                                     ├─► verdict
//!                                        disagreements ─► blame ─────────┘
//! ```
//!
//! Everything goes through [`Performer::perform`], in this process or over the worker line protocol (`docs/WORKER.md`).

pub mod blame;
pub mod case;
pub mod cross;
pub mod embedded;
pub mod gate;
pub mod performer;
pub mod runner;
pub mod vectors;

#[cfg(test)]
mod tests;

#[cfg(test)]
pub use performer::InProcess;
pub use performer::{Offer, PerformError, Performer, Request};
