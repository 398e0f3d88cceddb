//! How long an answer may take (`docs/WORKER.md`, time limits).

use std::time::Duration;

/// Longest time that any limit comes to, whatever a worker said about its speed.
const LONGEST: Duration = Duration::from_secs(3600);

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
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            hello: Duration::from_secs(30),
            perform: Duration::from_secs(60),
            inputs: Duration::from_secs(600),
            prepare: Duration::from_secs(120),
            grace: Duration::from_secs(20),
        }
    }
}

impl Limits {
    /// The same, but none longer than `patience`.
    #[must_use]
    pub fn at_most(self, patience: Duration) -> Self {
        let Self { hello, perform, inputs, prepare, grace } = self;
        Self {
            hello: hello.min(patience),
            perform: perform.min(patience),
            inputs: inputs.min(patience),
            prepare: prepare.min(patience),
            grace: grace.min(patience),
        }
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
    fn patience_shortens_and_never_lengthens() {
        let limits = Limits::default().at_most(Duration::from_secs(40));
        assert_eq!(limits.hello, Duration::from_secs(30));
        assert_eq!(limits.prepare, Duration::from_secs(40));
    }
}
