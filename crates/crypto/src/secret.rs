//! Bytes that are wiped when dropped and never printed.

use std::fmt;
use std::ops::{Deref, DerefMut};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// Owned secret bytes: zeroised on drop, redacted in `Debug`.
#[derive(Clone, PartialEq, Eq, Zeroize, ZeroizeOnDrop)]
pub struct Secret(Vec<u8>);

impl Secret {
    /// `len` zero bytes, to be filled in.
    #[must_use]
    pub fn zeroed(len: usize) -> Self {
        Self(vec![0; len])
    }

    /// Takes the bytes over.
    #[must_use]
    pub fn new(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// Keeps the first `len` bytes and wipes the rest.
    pub fn truncate(&mut self, len: usize) {
        if let Some(rest) = self.0.get_mut(len..) {
            rest.zeroize();
        }
        self.0.truncate(len);
    }
}

impl From<&[u8]> for Secret {
    fn from(bytes: &[u8]) -> Self {
        Self(bytes.to_vec())
    }
}

impl Deref for Secret {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl DerefMut for Secret {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Secret({} bytes, redacted)", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::Secret;

    #[test]
    fn debug_shows_the_length_only() {
        let secret = Secret::new(vec![0xAB; 32]);
        assert_eq!(format!("{secret:?}"), "Secret(32 bytes, redacted)");
    }

    #[test]
    fn truncate_keeps_the_front() {
        let mut secret = Secret::new(vec![1, 2, 3]);
        secret.truncate(2);
        assert_eq!(&*secret, &[1, 2]);
        secret.truncate(9);
        assert_eq!(secret.len(), 2);
    }
}
