//! Which arm runs when: randomised Latin squares.
//!
//! Machines drift. When arm A always runs before arm B, the drift becomes a difference between them. In a Latin square
//! every arm stands in every position equally often, so that a drift over a round falls on all arms alike.

use crate::random::Random;

/// Stream of the seed that orders draw from.
const STREAM: u64 = 0x6f72_6465_7273; // "orders"

/// The order of arms in each of `rounds` rounds: `orders(…)[round][position]` is an arm below `arms`.
///
/// Each block of `arms` rounds is a Latin square: the cyclic square with its rows, columns and symbols permuted at random
/// (Fisher and Yates, "Statistical Tables", 1938; it does not reach every Latin square, but all positions of an arm and all
/// cyclic neighbours are equally likely). Two arms give AB BA or BA AB. A last block that `rounds` cuts short is the beginning of a
/// square: no arm stands twice in one position there. No arms give empty rounds.
#[must_use]
pub fn orders(arms: usize, rounds: usize, seed: u64) -> Vec<Vec<usize>> {
    let mut random = Random::new(seed, STREAM);
    let mut all = Vec::new();
    while all.len() < rounds {
        if arms == 0 {
            all.push(Vec::new());
            continue;
        }
        let missing = rounds - all.len();
        all.extend(square(arms, &mut random).into_iter().take(missing));
    }
    all
}

/// One square of `arms` rows.
fn square(arms: usize, random: &mut Random) -> Vec<Vec<usize>> {
    let mut permutation = || {
        let mut items: Vec<usize> = (0..arms).collect();
        random.shuffle(&mut items);
        items
    };
    let (rows, columns, symbols) = (permutation(), permutation(), permutation());
    let cell = |row: usize, column: usize| symbols.get((row + column) % arms).copied().unwrap_or_default();
    rows.iter().map(|&row| columns.iter().map(|&column| cell(row, column)).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn is_permutation(items: impl Iterator<Item = usize>, arms: usize) -> bool {
        let mut items: Vec<usize> = items.collect();
        items.sort_unstable();
        items.into_iter().eq(0..arms)
    }

    proptest! {
        #[test]
        fn every_round_holds_every_arm_and_every_block_is_a_latin_square(
            arms in 1usize..12, rounds in 0usize..80, seed: u64,
        ) {
            let all = orders(arms, rounds, seed);
            prop_assert_eq!(all.len(), rounds);
            for round in &all {
                prop_assert!(is_permutation(round.iter().copied(), arms));
            }
            for block in all.chunks(arms) {
                for position in 0..arms {
                    let column: BTreeSet<usize> = block.iter().map(|round| round[position]).collect();
                    prop_assert_eq!(column.len(), block.len(), "an arm stands twice in position {}", position);
                }
            }
        }

        #[test]
        fn a_seed_gives_one_order_and_a_longer_run_begins_with_the_shorter(arms in 1usize..8, seed: u64) {
            let long = orders(arms, 40, seed);
            prop_assert_eq!(&orders(arms, 40, seed), &long);
            prop_assert_eq!(&orders(arms, 13, seed)[..], &long[..13]);
        }
    }

    #[test]
    fn two_arms_alternate_in_pairs_of_opposite_order() {
        let all = orders(2, 64, 11);
        for pair in all.chunks(2) {
            assert_eq!(pair[0], pair[1].iter().rev().copied().collect::<Vec<_>>());
        }
        let begins: BTreeSet<usize> = all.iter().step_by(2).map(|round| round[0]).collect();
        assert_eq!(begins.len(), 2, "the blocks must not all begin with the same arm");
    }

    #[test]
    fn seeds_differ() {
        assert_ne!(orders(5, 20, 1), orders(5, 20, 2));
    }

    #[test]
    fn neighbours_are_mixed_within_blocks() {
        // Without a permutation of columns every arm would follow the same arm in all rounds of a block. With one, 8 of the 24 permutations
        // of 4 columns keep a constant distance; so 67 of 100 blocks are expected to be mixed, with a standard deviation of 5.
        let all = orders(4, 400, 5);
        let mixed = all.chunks(4).filter(|block| {
            let followers: BTreeSet<(usize, usize)> =
                block.iter().flat_map(|round| round.windows(2).map(|pair| (pair[0], pair[1]))).collect();
            followers.len() > 4
        });
        assert!((42..=92).contains(&mixed.count()));
    }

    #[test]
    fn a_seed_means_the_same_order_for_ever() {
        assert_eq!(orders(4, 4, 2026), [[3, 1, 0, 2], [2, 0, 3, 1], [0, 2, 1, 3], [1, 3, 2, 0]]);
    }

    #[test]
    fn nothing_to_order() {
        assert_eq!(orders(0, 3, 1), vec![Vec::<usize>::new(); 3]);
        assert!(orders(3, 0, 1).is_empty());
    }
}
