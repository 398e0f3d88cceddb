//! Contexts that are prepared once and used by one thread at a time.

use super::ffi::Slot;
use crate::error::Result;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Prepared contexts of one key or algorithm. A lone caller always gets the same one, for the price of one atomic swap;
/// callers at the same time get further ones, which are made as needed and kept.
pub struct Pool<T> {
    first: Slot<Option<T>>,
    further: Mutex<Vec<T>>,
}

impl<T> Pool<T> {
    /// Nothing prepared yet.
    pub fn new() -> Self {
        Self { first: Slot::new(None), further: Mutex::new(Vec::new()) }
    }

    /// With one prepared.
    pub fn with(context: T) -> Self {
        Self { first: Slot::new(Some(context)), further: Mutex::new(Vec::new()) }
    }

    /// Runs `work` on a context, made by `make` where none is free. A context on which `work` failed is dropped: its
    /// state is unknown.
    pub fn run<R>(&self, make: impl FnOnce() -> Result<T>, work: impl FnOnce(&mut T) -> Result<R>) -> Result<R> {
        if let Some(mut slot) = self.first.take() {
            return run_in(&mut slot, make, work);
        }
        let mut slot = self.further().pop();
        let result = run_in(&mut slot, make, work);
        self.further().extend(slot);
        result
    }

    fn further(&self) -> MutexGuard<'_, Vec<T>> {
        self.further.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn run_in<T, R>(
    slot: &mut Option<T>,
    make: impl FnOnce() -> Result<T>,
    work: impl FnOnce(&mut T) -> Result<R>,
) -> Result<R> {
    let context = match slot {
        Some(context) => context,
        None => slot.insert(make()?),
    };
    let result = work(context);
    if result.is_err() {
        *slot = None;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::Pool;
    use crate::error::Error;

    #[test]
    fn nested_use_gets_a_second_context_and_keeps_it() {
        let pool = Pool::new();
        let made = std::cell::Cell::new(0);
        let make = || {
            made.set(made.get() + 1);
            Ok(made.get())
        };
        for _ in 0..3 {
            let pair = pool.run(make, |outer| {
                let inner = pool.run(make, |inner| Ok(*inner))?;
                Ok((*outer, inner))
            });
            assert_eq!(pair.unwrap(), (1, 2));
        }
        assert_eq!(made.get(), 2);
    }

    #[test]
    fn a_context_that_failed_is_not_used_again() {
        let pool = Pool::with(1);
        let failed: crate::Result<()> = pool.run(|| Ok(2), |_| Err(Error::provider("broken")));
        assert!(failed.is_err());
        assert_eq!(pool.run(|| Ok(2), |context| Ok(*context)).unwrap(), 2);
    }
}
