//! Seeded randomness for measurement orders and resampling: the same seed gives the same sequence on every platform.
//!
//! Never for keys: those come from the operating system.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A ChaCha20 stream with the two draws that measurement needs.
#[derive(Debug)]
pub struct Random(ChaCha20Rng);

impl Random {
    /// The stream `stream` of `seed`. Streams of one seed are independent, so that adding a draw in one place
    /// does not change the numbers of another.
    #[must_use]
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut generator = ChaCha20Rng::seed_from_u64(seed);
        generator.set_stream(stream);
        Self(generator)
    }

    /// A number below `bound`, every one equally likely; 0 when `bound` is 0 or 1.
    ///
    /// Multiply-and-shift with rejection: Lemire, "Fast random integer generation in an interval",
    /// ACM TOMACS 29(1), 2019, algorithm 5.
    pub fn below(&mut self, bound: u32) -> u32 {
        if bound < 2 {
            return 0;
        }
        let mut product = u64::from(self.0.next_u32()) * u64::from(bound);
        // The division is only needed in a rare case, and resampling draws millions of numbers.
        if (product as u32) < bound {
            let threshold = bound.wrapping_neg() % bound;
            while (product as u32) < threshold {
                product = u64::from(self.0.next_u32()) * u64::from(bound);
            }
        }
        (product >> 32) as u32
    }

    /// Puts `items` in a random order, every order equally likely (Fisher and Yates; Knuth, TAOCP 2, 3.4.2, algorithm P).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let bound = u32::try_from(last + 1).unwrap_or(u32::MAX);
            items.swap(last, self.below(bound) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_repeats_and_streams_differ() {
        let draws = |seed, stream| {
            let mut random = Random::new(seed, stream);
            (0..32).map(|_| random.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(draws(7, 0), draws(7, 0));
        assert_ne!(draws(7, 0), draws(7, 1));
        assert_ne!(draws(7, 0), draws(8, 0));
    }

    #[test]
    fn below_stays_below_and_is_even() {
        let mut random = Random::new(1, 0);
        assert_eq!(random.below(0), 0);
        assert_eq!(random.below(1), 0);
        let mut seen = [0u32; 7];
        for _ in 0..70_000 {
            seen[random.below(7) as usize] += 1;
        }
        // Expected 10 000 each, standard deviation 93; 5 of them is one failure in two million for a right generator,
        // and the seed is fixed.
        assert!(seen.iter().all(|&n| (9_535..=10_465).contains(&n)), "{seen:?}");
    }

    #[test]
    fn below_is_even_where_the_bound_does_not_divide() {
        // Without rejection, three quarters of 2^32 are reached from two numbers at every third place, and from one elsewhere.
        let mut random = Random::new(2, 0);
        let thirds = (0..30_000).filter(|_| random.below(3 << 30).is_multiple_of(3)).count();
        // Expected 10 000, standard deviation 82; 15 000 without rejection.
        assert!((9_500..=10_500).contains(&thirds), "{thirds}");
    }

    #[test]
    fn shuffle_reaches_every_order_evenly() {
        let mut random = Random::new(3, 0);
        let mut seen = std::collections::BTreeMap::<[u8; 3], u32>::new();
        for _ in 0..6_000 {
            let mut items = [0, 1, 2];
            random.shuffle(&mut items);
            *seen.entry(items).or_default() += 1;
        }
        assert_eq!(seen.len(), 6);
        // Expected 1 000 each, standard deviation 29.
        assert!(seen.values().all(|&n| (855..=1_145).contains(&n)), "{seen:?}");
    }
}
