//! How a sample becomes a number. Knows no algorithm, prints nothing.
//!
//! | module | answers |
//! |---|---|
//! | [`clock`] | what time is it, how finely, and what does asking cost |
//! | [`sampler`] | how long did a batch, or one operation, take, and was it disturbed |
//! | [`contamination`] | what the kernel says happened to this thread meanwhile |
//! | [`order`] | which arm runs when |
//! | [`stats`], [`summary`] | what the samples say, with an interval, or why they say nothing |
//! | [`host`] | whose number it is, and what cannot be measured there |
//! | [`process`] | where a process may and should run |
//! | [`random`] | seeded randomness for orders and resampling; never for keys |

pub mod clock;
pub mod contamination;
pub mod host;
pub mod order;
pub mod process;
pub mod random;
pub mod sampler;
pub mod stats;
pub mod summary;

/// Work to be timed: a loop around one operation.
///
/// The loop is inside, so that the harness makes one indirect call per epoch and not per operation.
pub trait Workload {
    /// Runs operations `first .. first + count` of the input sequence and returns a digest chained over all outputs,
    /// so that skipped work shows.
    ///
    /// # Errors
    /// The first failure, in words.
    fn run(&mut self, first: u64, count: u64) -> Result<u64, String>;
}
