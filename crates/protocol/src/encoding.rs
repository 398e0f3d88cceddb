//! Bounded, length-prefixed reading and writing of bytes that others may have written.
//!
//! All numbers are little-endian. A reader never allocates or loops by a length it has not compared with the bytes that
//! are there, never panics, and names in its error the place where the bytes stopped making sense.

mod pool;

pub use pool::{MAX_ITEM, MAX_ITEMS, MAX_SECTIONS, MAX_TOTAL, Pool, is_section_name};

use std::fmt;

/// What was wrong with an encoding, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodingError {
    /// What was wrong.
    pub problem: Problem,
    /// Offset in bytes from the start, where the value begins that could not be read or written.
    pub offset: usize,
    /// Section that was being read or written.
    pub section: Option<String>,
    /// Item of that section, counted from 0.
    pub item: Option<usize>,
}

/// What was wrong with an encoding.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The file is something else, or of another version.
    #[error("not an input pool: it does not begin with {expected:?}")]
    Magic {
        /// The text it should begin with.
        expected: &'static str,
    },
    /// The bytes end inside a value.
    #[error("truncated: {what} needs {needed} bytes, {left} are left")]
    Truncated {
        /// The value.
        what: &'static str,
        /// Bytes it needs.
        needed: usize,
        /// Bytes that are left.
        left: usize,
    },
    /// A length or count is above its limit.
    #[error("{what}: {found} is above the limit of {limit}")]
    TooLarge {
        /// The length or count.
        what: &'static str,
        /// Its value.
        found: usize,
        /// The largest value allowed.
        limit: usize,
    },
    /// A section name has other characters than `a-z 0-9 . _ -`, or is empty or too long.
    #[error("a section name is not 1 to 64 characters of a-z, 0-9, '.', '_', '-'")]
    Name,
    /// A section stands a second time.
    #[error("a section stands twice")]
    Duplicate,
    /// A section stands after one whose name is larger.
    #[error("a section is out of order: names must ascend")]
    Order,
    /// Bytes follow the last section.
    #[error("{extra} bytes follow the last section")]
    Trailing {
        /// How many.
        extra: usize,
    },
}

impl EncodingError {
    /// A problem at an offset, in no section yet.
    #[must_use]
    pub fn new(problem: Problem, offset: usize) -> Self {
        Self { problem, offset, section: None, item: None }
    }

    /// The same error, in a section.
    #[must_use]
    pub fn in_section(mut self, name: &str) -> Self {
        self.section = Some(name.to_owned());
        self
    }

    /// The same error, in an item.
    #[must_use]
    pub fn in_item(mut self, index: usize) -> Self {
        self.item = Some(index);
        self
    }
}

impl fmt::Display for EncodingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { problem, offset, section, item } = self;
        write!(f, "{problem} (at byte {offset}")?;
        if let Some(section) = section {
            write!(f, ", section {section:?}")?;
        }
        if let Some(item) = item {
            write!(f, ", item {item}")?;
        }
        f.write_str(")")
    }
}

impl std::error::Error for EncodingError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.problem)
    }
}

/// Reads values from the front of a slice.
#[derive(Debug, Clone)]
pub struct Reader<'a> {
    rest: &'a [u8],
    offset: usize,
}

impl<'a> Reader<'a> {
    /// Starts at the front of `bytes`.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, offset: 0 }
    }

    /// Bytes read so far.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Bytes not yet read.
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.rest.len()
    }

    /// The next `length` bytes, borrowed.
    ///
    /// # Errors
    /// [`Problem::Truncated`] naming `what`; nothing is consumed then.
    pub fn take(&mut self, what: &'static str, length: usize) -> Result<&'a [u8], EncodingError> {
        let Some((taken, rest)) = self.rest.split_at_checked(length) else {
            let problem = Problem::Truncated { what, needed: length, left: self.rest.len() };
            return Err(EncodingError::new(problem, self.offset));
        };
        self.rest = rest;
        self.offset += length;
        Ok(taken)
    }

    /// The next `N` bytes.
    ///
    /// # Errors
    /// [`Problem::Truncated`].
    pub fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], EncodingError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(what, N)?);
        Ok(array)
    }

    /// One byte.
    ///
    /// # Errors
    /// [`Problem::Truncated`].
    pub fn u8(&mut self, what: &'static str) -> Result<u8, EncodingError> {
        self.array(what).map(u8::from_le_bytes)
    }

    /// Four bytes, little-endian.
    ///
    /// # Errors
    /// [`Problem::Truncated`].
    pub fn u32(&mut self, what: &'static str) -> Result<u32, EncodingError> {
        self.array(what).map(u32::from_le_bytes)
    }

    /// A length or count of four bytes, at most `limit`.
    ///
    /// # Errors
    /// [`Problem::Truncated`], [`Problem::TooLarge`].
    pub fn count(&mut self, what: &'static str, limit: usize) -> Result<usize, EncodingError> {
        let offset = self.offset;
        // Where usize is smaller than 32 bits the largest value stands for all that do not fit.
        let found = usize::try_from(self.u32(what)?).unwrap_or(usize::MAX);
        if found > limit {
            return Err(EncodingError::new(Problem::TooLarge { what, found, limit }, offset));
        }
        Ok(found)
    }

    /// A length of four bytes, at most `limit`, and that many bytes.
    ///
    /// # Errors
    /// [`Problem::Truncated`], [`Problem::TooLarge`].
    pub fn prefixed(&mut self, what: &'static str, limit: usize) -> Result<&'a [u8], EncodingError> {
        let length = self.count(what, limit)?;
        self.take(what, length)
    }

    /// Checks that nothing is left.
    ///
    /// # Errors
    /// [`Problem::Trailing`].
    pub fn end(&self) -> Result<(), EncodingError> {
        match self.rest.len() {
            0 => Ok(()),
            extra => Err(EncodingError::new(Problem::Trailing { extra }, self.offset)),
        }
    }
}

/// Writes values to a growing buffer that stays within a limit.
#[derive(Debug, Clone)]
pub struct Writer {
    out: Vec<u8>,
    limit: usize,
}

impl Writer {
    /// An empty buffer with room for `capacity` bytes, that may grow to `limit` bytes.
    #[must_use]
    pub fn with_capacity(capacity: usize, limit: usize) -> Self {
        Self { out: Vec::with_capacity(capacity.min(limit)), limit }
    }

    /// Bytes written so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.out.len()
    }

    /// Whether nothing was written yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    /// Appends bytes as they are.
    ///
    /// # Errors
    /// [`Problem::TooLarge`] when the whole would pass the limit; nothing is written then.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), EncodingError> {
        let found = self.out.len().saturating_add(bytes.len());
        if found > self.limit {
            let problem = Problem::TooLarge { what: "total length", found, limit: self.limit };
            return Err(EncodingError::new(problem, self.out.len()));
        }
        self.out.extend_from_slice(bytes);
        Ok(())
    }

    /// Appends one byte.
    ///
    /// # Errors
    /// As [`Writer::bytes`].
    pub fn u8(&mut self, value: u8) -> Result<(), EncodingError> {
        self.bytes(&[value])
    }

    /// Appends a length or count as four bytes, little-endian.
    ///
    /// # Errors
    /// [`Problem::TooLarge`] when it is above `limit` or does not fit four bytes; else as [`Writer::bytes`].
    pub fn count(&mut self, what: &'static str, value: usize, limit: usize) -> Result<(), EncodingError> {
        let Some(word) = u32::try_from(value).ok().filter(|_| value <= limit) else {
            return Err(EncodingError::new(Problem::TooLarge { what, found: value, limit }, self.out.len()));
        };
        self.bytes(&word.to_le_bytes())
    }

    /// Appends a length of four bytes, at most `limit`, and the bytes.
    ///
    /// # Errors
    /// As [`Writer::count`] and [`Writer::bytes`].
    pub fn prefixed(&mut self, what: &'static str, bytes: &[u8], limit: usize) -> Result<(), EncodingError> {
        self.count(what, bytes.len(), limit)?;
        self.bytes(bytes)
    }

    /// What was written.
    #[must_use]
    pub fn finish(self) -> Vec<u8> {
        self.out
    }
}
