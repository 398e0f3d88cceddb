//! How a sample becomes a number. Knows no algorithm.

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
