//! Tests of the whole: readers on fixtures, wrong providers, full vector sets.

mod faulty;
mod full;
mod readers;
mod wrong;

use super::{InProcess, Performer};

/// The linked providers except the control.
fn performers() -> Vec<Box<dyn Performer>> {
    crypto::provider::linked()
        .into_iter()
        .filter(|(name, _)| *name != "null")
        .map(|(_, make)| Box::new(InProcess(make())) as Box<dyn Performer>)
        .collect()
}

/// Those of them that offer `algorithm`.
fn offering(algorithm: &str) -> Vec<Box<dyn Performer>> {
    performers().into_iter().filter(|p| p.algorithms().iter().any(|offer| offer.name == algorithm)).collect()
}
