//! What the two providers made of Rust crates share: randomness, length checks, and one adapter per post-quantum
//! family, so that both libraries are held to the same checks and pay for the same steps.

use crate::catalogue::{Algorithm, catalogue};
use crate::error::{Error, Result};

pub(super) mod ml_dsa;
pub(super) mod ml_kem;

/// Fills `out` from the operating system, as the libraries' own key generation does (`getrandom`, one system call).
pub(super) fn random(out: &mut [u8]) -> Result<()> {
    getrandom::fill(out).map_err(no_randomness)
}

/// The operating system gave no randomness.
#[cold]
pub(super) fn no_randomness(error: getrandom::Error) -> Error {
    Error::environment(format!("the operating system's random number generator failed: {error}"))
}

/// The catalogue row of a canonical name; a name that is not in the table stops the build.
pub(super) const fn row(name: &str) -> &'static Algorithm {
    let rows = catalogue();
    let mut i = 0;
    while i < rows.len() {
        if same(rows[i].name.as_bytes(), name.as_bytes()) {
            return &rows[i];
        }
        i += 1;
    }
    panic!("no such row in the catalogue")
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

/// A size that the table must have; its absence stops the build.
pub(super) const fn size(bytes: Option<usize>) -> usize {
    match bytes {
        Some(bytes) => bytes,
        None => panic!("the catalogue row lacks this size"),
    }
}

/// Checks a buffer whose length the algorithm fixes.
///
/// # Errors
/// [`crate::Fault::Usage`] when it differs.
#[inline]
pub(super) fn check_buffer(row: &Algorithm, what: &str, len: usize, expected: usize) -> Result<()> {
    if len == expected { Ok(()) } else { Err(wrong_buffer(row, what, len, expected)) }
}

#[cold]
fn wrong_buffer(row: &Algorithm, what: &str, len: usize, expected: usize) -> Error {
    Error::usage(format!("{} {what} has {len} bytes, expected {expected}", row.name))
}

/// The front of `out`, `len` bytes.
///
/// # Errors
/// [`crate::Fault::Usage`] when it is shorter.
#[inline]
pub(super) fn front<'a>(row: &Algorithm, what: &str, out: &'a mut [u8], len: usize) -> Result<&'a mut [u8]> {
    let got = out.len();
    out.get_mut(..len)
        .ok_or_else(|| Error::usage(format!("{} {what} needs {len} bytes, the buffer has {got}", row.name)))
}

/// The bytes are not a key of this algorithm.
#[cold]
pub(super) fn bad_key(row: &Algorithm, what: &str) -> Error {
    Error::input(format!("{} {what}", row.name))
}

/// A form of private key that this provider does not take or give.
#[cold]
pub(super) fn no_form(row: &Algorithm, form: crate::SecretForm) -> Error {
    Error::unsupported(format!("{} has no {} form of private key here", row.name, form.as_str()))
}

/// For schemes without a context string.
///
/// # Errors
/// [`crate::Fault::Unsupported`] when `context` is not empty.
#[inline]
pub(super) fn no_context(row: &Algorithm, context: &[u8]) -> Result<()> {
    if context.is_empty() { Ok(()) } else { Err(Error::unsupported(format!("{} has no context string", row.name))) }
}

/// Longest context string (FIPS 204 section 5.2, FIPS 205 section 10.2).
pub(super) const MAX_CONTEXT: usize = 255;

/// Checks the context of a signature to be made.
///
/// # Errors
/// [`crate::Fault::Usage`] when it is over 255 bytes.
#[inline]
pub(super) fn check_context(row: &Algorithm, context: &[u8]) -> Result<()> {
    if context.len() <= MAX_CONTEXT {
        Ok(())
    } else {
        Err(Error::usage(format!("{} context has {} bytes, at most 255 are allowed", row.name, context.len())))
    }
}
