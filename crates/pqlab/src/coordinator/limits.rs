//! How long an answer may take (`docs/WORKER.md`, time limits).

use crate::workload::timed::COMPARED;
use std::time::Duration;

/// Longest time that any limit comes to, whatever a worker said about its speed.
const LONGEST: Duration = Duration::from_secs(3600);

/// Longest time that one untimed operation of an algorithm may take in the slowest library worth waiting for. The `s` sets of SLH-DSA
/// hash some millions of times for a key or a signature: seconds in portable C, minutes in an interpreted language.
fn slowest_operation(algorithm: &str) -> Duration {
    let stateless = ["SLH-DSA-", "SPHINCS+-"].iter().any(|name| algorithm.starts_with(name));
    match (stateless, ["128s", "192s", "256s"].iter().any(|set| algorithm.contains(set))) {
        (true, true) => Duration::from_secs(300),
        (true, false) => Duration::from_secs(30),
        (false, _) => Duration::from_millis(50),
    }
}

/// Time limits of requests. What is beyond the expected time of the work itself is grace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Loading a library and the self-tests of a FIPS module.
    pub hello: Duration,
    /// One untimed operation; the slowest (a Classic McEliece key) takes a few seconds.
    pub perform: Duration,
    /// Making a pool: a few thousand signatures of the slowest scheme.
    pub inputs: Duration,
    /// Importing the keys of a pool.
    pub prepare: Duration,
    /// Beyond its expected time an epoch is given so much before its worker counts as hung.
    pub grace: Duration,
    /// Longest that any of them comes to, however much work there is.
    pub longest: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            hello: Duration::from_secs(30),
            perform: Duration::from_secs(60),
            inputs: Duration::from_secs(600),
            prepare: Duration::from_secs(120),
            grace: Duration::from_secs(20),
            longest: LONGEST,
        }
    }
}

impl Limits {
    /// The same, but none longer than `patience`.
    #[must_use]
    pub fn at_most(self, patience: Duration) -> Self {
        let Self { hello, perform, inputs, prepare, grace, longest } = self;
        Self {
            hello: hello.min(patience),
            perform: perform.min(patience),
            inputs: inputs.min(patience),
            prepare: prepare.min(patience),
            grace: grace.min(patience),
            longest: longest.min(patience),
        }
    }

    /// Limit of one untimed operation.
    #[must_use]
    pub fn of_perform(&self, algorithm: &str) -> Duration {
        self.of_cases(self.perform, algorithm, 1)
    }

    /// Limit of making a pool: each key is generated, each item made and checked.
    #[must_use]
    pub fn of_inputs(&self, algorithm: &str, keys: usize, items: usize) -> Duration {
        self.of_cases(self.inputs, algorithm, keys.saturating_add(items.saturating_mul(2)))
    }

    /// Limit of preparing: each key is imported, the first items are tried and checked.
    #[must_use]
    pub fn of_prepare(&self, algorithm: &str, keys: usize, items: usize) -> Duration {
        let tried = items.min(COMPARED);
        self.of_cases(self.prepare, algorithm, keys.saturating_add(tried.saturating_mul(2)))
    }

    /// The usual limit, or more where the slowest library would need more for so many operations.
    fn of_cases(&self, usual: Duration, algorithm: &str, cases: usize) -> Duration {
        let cases = u32::try_from(cases).unwrap_or(u32::MAX);
        usual.max(slowest_operation(algorithm).saturating_mul(cases)).min(self.longest)
    }

    /// Limit of a request whose work is expected to take `expected_ns`: twenty times that, and the grace.
    #[must_use]
    pub fn of_work(&self, expected_ns: f64) -> Duration {
        let work = Duration::try_from_secs_f64(expected_ns * 20.0 / 1e9).unwrap_or(LONGEST);
        work.min(LONGEST).saturating_add(self.grace)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_speed_that_a_worker_claims_makes_a_limit_unbounded() {
        let limits = Limits::default().at_most(Duration::from_secs(2));
        assert_eq!(limits.of_work(1e9), Duration::from_secs(22));
        for claim in [1e300, f64::INFINITY, f64::NAN, -1.0] {
            assert_eq!(limits.of_work(claim), LONGEST + Duration::from_secs(2), "{claim}");
        }
    }

    #[test]
    fn limits_fit_the_work_and_are_bounded() {
        let limits = Limits::default();
        let seconds = Duration::from_secs;
        assert_eq!(limits.of_perform("ML-KEM-768"), seconds(60));
        assert_eq!(limits.of_perform("SLH-DSA-SHAKE-256s"), seconds(300));
        assert_eq!(limits.of_perform("SLH-DSA-SHAKE-256f"), seconds(60));
        assert_eq!(limits.of_perform("SPHINCS+-SHA2-192s-simple"), seconds(300));
        assert_eq!(limits.of_inputs("ML-KEM-768", 64, 128), seconds(600), "as ever");
        assert_eq!(
            limits.of_inputs("SLH-DSA-SHA2-128s", 2, 2),
            seconds(6 * 300),
            "2 keys, 2 signatures made and checked"
        );
        assert_eq!(limits.of_prepare("SLH-DSA-SHA2-128s", 2, 2), seconds(6 * 300));
        assert_eq!(
            limits.of_prepare("SLH-DSA-SHA2-128f", 16, 1_000),
            seconds((16 + 2 * 16) * 30),
            "16 items are tried"
        );
        assert_eq!(limits.of_inputs("SLH-DSA-SHA2-128s", usize::MAX, usize::MAX), LONGEST);
        let hasty = limits.at_most(seconds(5));
        assert_eq!(hasty.of_perform("SLH-DSA-SHAKE-256s"), seconds(5));
        assert_eq!(hasty.of_inputs("SLH-DSA-SHAKE-256s", 9, 9), seconds(5));
    }

    #[test]
    fn patience_shortens_and_never_lengthens() {
        let limits = Limits::default().at_most(Duration::from_secs(40));
        assert_eq!(limits.hello, Duration::from_secs(30));
        assert_eq!(limits.prepare, Duration::from_secs(40));
    }
}
