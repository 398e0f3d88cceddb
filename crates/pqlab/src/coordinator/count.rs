//! The number of operations that every epoch of a group has.

/// Share of the wanted epoch that the fastest arm's epoch has at least: shorter ones would be mostly cold caches and the
/// beginning of the loop.
const SHORTEST_SHARE: f64 = 0.1;

/// Longest epoch of the slowest arm, unless the wanted one is longer: an arm that is, or says that it is, very much faster
/// must not make the others work for minutes.
const LONGEST_NS: f64 = 100_000_000.0;

/// The shared count for epochs of `epoch_ns` of arms that take `ns_per_op` (above 0, any order) per operation.
///
/// It is the largest for which the slowest arm's epoch is no longer than `epoch_ns`: a busy machine interrupts long epochs
/// more often than short ones, so that filling `epoch_ns` with the fastest arm would punish the slow ones. It is never so
/// small that the fastest arm's epoch is shorter than a tenth of `epoch_ns`, except where the slowest would take longer than
/// [`LONGEST_NS`] for that; and at least 1.
#[must_use]
pub fn shared_count(epoch_ns: f64, ns_per_op: &[f64]) -> u64 {
    let slowest = ns_per_op.iter().copied().fold(0.0, f64::max);
    let fastest = ns_per_op.iter().copied().fold(f64::INFINITY, f64::min);
    if ns_per_op.is_empty() || fastest <= 0.0 {
        return 1;
    }
    // The casts saturate.
    let filling = (epoch_ns / slowest) as u64;
    let fewest = (epoch_ns * SHORTEST_SHARE / fastest).ceil() as u64;
    let most = (epoch_ns.max(LONGEST_NS) / slowest) as u64;
    filling.max(fewest.min(most)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MS: f64 = 1e6;

    #[test]
    fn the_slowest_arm_fills_the_epoch() {
        assert_eq!(shared_count(MS, &[10_000.0, 40_000.0, 20_000.0]), 25);
        assert_eq!(shared_count(MS, &[30_000.0]), 33, "rounded down: no longer than an epoch");
        assert_eq!(shared_count(2.0 * MS, &[10_000.0, 40_000.0]), 50);
    }

    #[test]
    fn the_fastest_arm_keeps_a_tenth() {
        // Filled by the slowest the fastest would have 0.02 ms.
        assert_eq!(shared_count(MS, &[100.0, 5_000.0]), 1_000);
        assert_eq!(shared_count(MS, &[300.0, 1e5]), 334, "rounded up: no shorter than a tenth");
    }

    #[test]
    fn an_arm_that_claims_to_take_no_time_does_not_hold_up_the_others() {
        // A tenth of a millisecond of 0.05 ns would be two million operations: 72 s of the honest arm.
        assert_eq!(shared_count(MS, &[0.05, 36_000.0]), 2_777);
    }

    #[test]
    fn there_is_always_one_operation() {
        assert_eq!(shared_count(MS, &[3e9, 2e9]), 1);
        assert_eq!(shared_count(MS, &[]), 1);
        assert_eq!(shared_count(MS, &[0.0, 1.0]), 1);
    }

    proptest! {
        #[test]
        fn largest_that_fits_but_for_the_tenth(
            epoch in 1e3..1e10_f64,
            arms in proptest::collection::vec(0.5..1e9_f64, 1..6),
        ) {
            let count = shared_count(epoch, &arms);
            let (slowest, fastest) = (arms.iter().copied().fold(0.0, f64::max), arms.iter().copied().fold(f64::INFINITY, f64::min));
            let lasts = |count: u64, ns: f64| count as f64 * ns;
            let slack = 1.0 + 1e-9;
            prop_assert!(count >= 1);
            prop_assert!(count == 1 || lasts(count, slowest) <= epoch * slack || lasts(count - 1, fastest) < epoch * 0.1 * slack);
            prop_assert!(count == 1 || lasts(count, fastest) * slack >= epoch * 0.1 || lasts(count + 1, slowest) * slack > LONGEST_NS);
            prop_assert!(lasts(count + 1, slowest) * slack > epoch, "one more would have fitted");
        }
    }
}
