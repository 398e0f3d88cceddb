//! The only bridge between cryptography and measuring: (provider, algorithm, operation) → bytes in, bytes out, or a loop
//! to be timed.

pub mod inputs;
pub mod offer;
pub mod operation;
pub mod perform;
pub mod timed;

pub use operation::Operation;
