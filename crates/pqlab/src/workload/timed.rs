//! A loop around one operation, over a pool of keys and items.
//!
//! The loop body is: fetch key and item, one call through the provider's trait object, mix the first word of the output
//! into the digest. What that costs beyond the operation is measured with the null provider through this same code.

use super::Operation;
use crypto::{Family, Provider};
use measure::Workload;
use protocol::encoding::Pool;
use std::iter::repeat;

mod build;

pub(crate) use build::{COMPARED, section_of};

/// Multiplier of the output digest (`docs/WORKER.md`): 2⁶⁴ divided by the golden ratio, odd.
pub(crate) const MIX: u64 = 0x9E37_79B9_7F4A_7C15;

/// Output buffers of an operation, kept over the whole loop.
#[derive(Default)]
struct Buffers {
    /// Main output: ciphertext, signature, shared secret, …
    main: Vec<u8>,
    /// Second output: the shared secret of an encapsulation.
    second: Vec<u8>,
    /// Length of what was last written to `main`, where it varies.
    len: usize,
}

impl Buffers {
    fn new(main: usize, second: usize) -> Self {
        Self { main: vec![0; main], second: vec![0; second], len: 0 }
    }
}

/// Looks at the last output of a loop, made with that key and item: does it hold what the operation promises?
type Check = Box<dyn FnMut(&Buffers, usize, usize) -> Result<(), String>>;

/// A loop whose last output can be checked outside of the timed window.
trait Checked {
    fn run(&mut self, first: u64, count: u64) -> Result<u64, String>;
    fn check(&mut self) -> Result<(), String>;
}

/// A prepared operation.
pub struct Timed {
    inner: Box<dyn Checked>,
}

impl Timed {
    /// Builds key objects and buffers for `operation` on the pool, runs it once on the first items and compares outputs
    /// with the pool's own where they are deterministic, so that nothing is timed that gives wrong results.
    ///
    /// # Errors
    /// In words: a missing section, an operation not offered, a wrong output.
    pub fn prepare(
        provider: &Provider,
        algorithm: &str,
        operation: Operation,
        pool: &Pool,
    ) -> Result<Self, crypto::Error> {
        let row = provider
            .algorithm(algorithm)
            .ok_or_else(|| crypto::Error::unsupported(format!("{} has no {algorithm}", provider.identity.id())))?;
        let inner = match row.family {
            Family::Kem => build::kem(provider, algorithm, operation, pool),
            Family::Signature => build::signature(provider, algorithm, operation, pool),
            Family::Agreement => build::agreement(provider, algorithm, operation, pool),
            Family::Aead | Family::Hash | Family::Mac | Family::Kdf => {
                build::symmetric(provider, algorithm, operation, pool)
            }
        }?;
        Ok(Self { inner })
    }

    /// Checks the last output of the last run: a ciphertext opens to its secret, a signature verifies.
    ///
    /// # Errors
    /// In words, when it does not.
    pub fn check(&mut self) -> Result<(), String> {
        self.inner.check()
    }
}

impl Workload for Timed {
    fn run(&mut self, first: u64, count: u64) -> Result<u64, String> {
        self.inner.run(first, count)
    }
}

/// The loop, monomorphic over the operation. Operation `i` uses key `i` mod keys and item `i` mod items.
struct Looped<K, I, F> {
    keys: Vec<K>,
    items: Vec<I>,
    buffers: Buffers,
    operation: F,
    check: Option<Check>,
    last: u64,
}

impl<K, I, F> Looped<K, I, F> {
    /// Index of the key and of the item of operation `at`.
    fn indices(&self, at: u64) -> (usize, usize) {
        ((at % self.keys.len() as u64) as usize, (at % self.items.len() as u64) as usize)
    }
}

impl<K, I, F> Checked for Looped<K, I, F>
where
    F: FnMut(&mut Buffers, &K, &I) -> crypto::Result<u64>,
{
    /// Walks over stretches of keys and items side by side, so that the loop body has neither a division nor a bounds
    /// check: they would cost more than the rest of it.
    fn run(&mut self, first: u64, count: u64) -> Result<u64, String> {
        let (mut key, mut item) = self.indices(first);
        let mut digest = 0_u64;
        let mut left = count;
        while left > 0 {
            let most = usize::try_from(left).unwrap_or(usize::MAX);
            let (keys, items) = (&self.keys[key..], &self.items[item..]);
            let (operation, buffers) = (&mut self.operation, &mut self.buffers);
            // One key or one item stands beside all of the others; else both advance together.
            let (outcome, done) = match (self.keys.as_slice(), self.items.as_slice()) {
                ([key], _) => {
                    let items = &items[..items.len().min(most)];
                    (stretch(operation, buffers, repeat(key).zip(items), digest), items.len())
                }
                (_, [item]) => {
                    let keys = &keys[..keys.len().min(most)];
                    (stretch(operation, buffers, keys.iter().zip(repeat(item)), digest), keys.len())
                }
                _ => {
                    let done = items.len().min(keys.len()).min(most);
                    (stretch(operation, buffers, keys[..done].iter().zip(&items[..done]), digest), done)
                }
            };
            digest = outcome.map_err(|error| error.to_string())?;
            left -= done as u64;
            key = (key + done) % self.keys.len();
            item = (item + done) % self.items.len();
        }
        self.last = first.wrapping_add(count.saturating_sub(1));
        Ok(digest)
    }

    fn check(&mut self) -> Result<(), String> {
        let (key, item) = self.indices(self.last);
        match &mut self.check {
            Some(check) => check(&self.buffers, key, item),
            None => Ok(()),
        }
    }
}

/// The timed loop itself.
#[inline(always)]
fn stretch<'a, K: 'a, I: 'a>(
    operation: &mut impl FnMut(&mut Buffers, &K, &I) -> crypto::Result<u64>,
    buffers: &mut Buffers,
    pairs: impl Iterator<Item = (&'a K, &'a I)>,
    mut digest: u64,
) -> crypto::Result<u64> {
    for (key, item) in pairs {
        digest = digest.wrapping_add(operation(buffers, key, item)?).wrapping_mul(MIX);
    }
    Ok(digest)
}

/// The first eight bytes as a little-endian number, zero-extended.
#[inline(always)]
pub(crate) fn word(bytes: &[u8]) -> u64 {
    match bytes.first_chunk::<8>() {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => bytes.iter().rev().fold(0, |acc, byte| acc << 8 | u64::from(*byte)),
    }
}
