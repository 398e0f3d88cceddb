//! One file per verb.

pub mod bundle;
