//! The only bridge between cryptography and measurement: operations by name, done on a provider.

pub mod offer;
pub mod operation;
pub mod perform;
