//! Builds the loop of each family's operations.

mod agreement;
mod kem;
mod signature;
mod symmetric;

pub(super) use agreement::agreement;
pub(super) use kem::kem;
pub(super) use signature::signature;
pub(super) use symmetric::symmetric;

use super::{Buffers, Check, Checked, Looped};
use crypto::{Error, Result, SecretForm};
use protocol::encoding::Pool;

/// How many items are compared with the pool's answers before anything is timed.
pub(crate) const COMPARED: usize = 16;

/// A loop over keys and items.
fn looped<K, I, F>(keys: Vec<K>, items: Vec<I>, buffers: Buffers, operation: F) -> Looped<K, I, F>
where
    F: FnMut(&mut Buffers, &K, &I) -> Result<u64>,
{
    Looped { keys, items, buffers, operation, check: None, last: 0 }
}

/// For operations that have no keys, no items, or neither.
const NONE: [(); 1] = [()];

impl<K, I, F> Looped<K, I, F>
where
    K: 'static,
    I: 'static,
    F: FnMut(&mut Buffers, &K, &I) -> Result<u64> + 'static,
{
    /// Adds a look at the last output after each epoch.
    fn checked(mut self, check: Check) -> Self {
        self.check = Some(check);
        self
    }

    /// Runs the first items once; where the pool has expected outputs, `main[..len]` must equal them.
    fn verified(mut self, what: &str, expected: Option<&[Vec<u8>]>) -> Result<Box<dyn Checked>> {
        if self.keys.is_empty() || self.items.is_empty() {
            return Err(Error::usage(format!("the pool has no inputs for {what}")));
        }
        // Item i was made with key i mod keys: the pairs stay together only if the items go round with the keys.
        if self.items.len() > 1 && !self.items.len().is_multiple_of(self.keys.len()) {
            return Err(Error::usage(format!(
                "the pool has {} items for {} keys; the items must be a multiple of the keys",
                self.items.len(),
                self.keys.len()
            )));
        }
        for i in 0..self.items.len().min(COMPARED) {
            let (key, item) = self.indices(i as u64);
            (self.operation)(&mut self.buffers, &self.keys[key], &self.items[item])?;
            self.last = i as u64;
            let Some(wanted) = expected.and_then(|all| all.get(i)) else { continue };
            let got = self.buffers.main.get(..wanted.len());
            if got != Some(wanted.as_slice()) || (self.buffers.len != 0 && self.buffers.len != wanted.len()) {
                return Err(Error::provider(format!(
                    "{what} of item {i} differs from the output of the common inputs"
                )));
            }
        }
        self.check().map_err(Error::provider)?;
        Ok(Box::new(self))
    }
}

/// A section that must be there.
fn section<'a>(pool: &'a Pool, name: &str) -> Result<&'a [Vec<u8>]> {
    pool.sections
        .get(name)
        .map(Vec::as_slice)
        .filter(|items| !items.is_empty())
        .ok_or_else(|| Error::usage(format!("the pool has no section `{name}`")))
}

/// The secret-key encodings of the pool in the first form the provider takes.
fn secrets<'a>(pool: &'a Pool, forms: &[SecretForm]) -> Result<(SecretForm, &'a [Vec<u8>])> {
    for form in forms {
        if let Ok(keys) = section(pool, section_of(*form)) {
            return Ok((*form, keys));
        }
    }
    Err(Error::unsupported("the common private keys exist in no encoding that this provider imports"))
}

/// Name of the pool section that holds private keys in that form.
pub(crate) fn section_of(form: SecretForm) -> &'static str {
    match form {
        SecretForm::Seed => "seed",
        SecretForm::Expanded => "secret",
        SecretForm::Pkcs8 => "pkcs8",
    }
}

/// An object was made: keep the optimiser from removing that, count it as 1.
#[inline(always)]
fn made<T>(object: T) -> u64 {
    drop(std::hint::black_box(object));
    1
}
