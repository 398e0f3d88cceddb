//! What the digest of an epoch must be, from the outputs that the pool of inputs holds.

use super::pools::{PoolFile, read_pool};
use crate::workload::Operation;
use crate::workload::timed::{MIX, word};
use protocol::encoding::Pool;

/// The digest (16 hex digits) of operations `first .. first + count`, when their outputs stand in the pool.
#[must_use]
pub fn digest(file: &PoolFile, operation: Operation, first: u64, count: u64) -> Option<String> {
    let pool = Pool::decode(&read_pool(&file.path).ok()?).ok()?;
    Some(format!("{:016x}", chain(&words(&pool, operation)?, first, count)))
}

/// First word of each known output, in the order of the inputs (`docs/WORKER.md`, `epoch`); never empty.
fn words(pool: &Pool, operation: Operation) -> Option<Vec<u64>> {
    let section = |name: &str| pool.sections.get(name).filter(|items| !items.is_empty());
    let outputs = match operation {
        // A valid input, and an object that is made, count as 1.
        Operation::Verify | Operation::Open => return section("signature").or(section("sealed")).map(|_| vec![1]),
        Operation::ImportPublic | Operation::ImportSecret | Operation::ImportSeed => return Some(vec![1]),
        Operation::Decaps | Operation::EncapsDerand => section("shared"),
        Operation::Derive => section("okm").or(section("shared")),
        Operation::Seal => section("sealed"),
        Operation::Hash => section("digest"),
        Operation::Mac => section("tag"),
        Operation::SignDeterministic => section("deterministic").and(section("signature")),
        Operation::ExportPublic => section("public"),
        // The form of an exported private key is the library's choice; outputs of the others do not follow from inputs.
        Operation::ExportSecret | Operation::Keygen | Operation::Encaps | Operation::Sign => None,
    }?;
    Some(outputs.iter().map(|output| word(output)).collect())
}

/// The chain over words that repeat.
fn chain(words: &[u64], first: u64, count: u64) -> u64 {
    let start = (first % words.len().max(1) as u64) as usize;
    let mut known = words.iter().cycle().skip(start);
    (0..count).fold(0, |digest: u64, _| digest.wrapping_add(known.next().copied().unwrap_or(0)).wrapping_mul(MIX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::inputs::{Amount, make};
    use crate::workload::timed::Timed;
    use measure::Workload;

    /// The digest that a sound provider gives is the known one, wherever the stretch begins and ends.
    #[test]
    fn a_sound_provider_gives_the_known_digest() {
        let provider = crypto::provider::linked().into_iter().find(|(name, _)| *name == "rustcrypto").unwrap().1();
        let amount = Amount { keys: 2, items: 6, size: 40 };
        for (algorithm, operations) in [
            ("ML-KEM-512", "decaps encaps-derand import-public export-public import-seed"),
            ("ML-DSA-44", "sign-deterministic verify export-public"),
            ("X25519", "derive import-public"),
            ("AES-256-GCM", "seal open"),
            ("SHA-256", "hash"),
            ("HMAC-SHA256", "mac"),
            ("HKDF-SHA256", "derive"),
        ] {
            let (pool, _) = make(&provider, algorithm, &[7; 32], amount).unwrap();
            for operation in operations.split(' ').map(|name| name.parse::<Operation>().unwrap()) {
                let mut timed = Timed::prepare(&provider, algorithm, operation, &pool).unwrap();
                let known = words(&pool, operation).unwrap();
                for (first, count) in [(0, 1), (5, 9), (1_000_003, 4)] {
                    let digest = timed.run(first, count).unwrap();
                    assert_eq!(digest, chain(&known, first, count), "{algorithm} {operation} {first} {count}");
                    assert_ne!(digest, chain(&known, first, count + 1), "{algorithm} {operation}");
                }
            }
            for operation in [Operation::Keygen, Operation::Encaps, Operation::Sign] {
                assert!(words(&pool, operation).is_none());
            }
        }
    }
}
