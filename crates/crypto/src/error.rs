//! What went wrong, and who is at fault.

use std::fmt;

/// Result of a cryptographic call.
pub type Result<T> = std::result::Result<T, Error>;

/// Who is at fault, so that a caller knows what to change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The bytes given are not a valid key, ciphertext or message for this algorithm.
    Input,
    /// The caller asked in a way that can never work: a wrong buffer size, a key of another provider.
    Usage,
    /// The provider does not offer this algorithm, form or option.
    Unsupported,
    /// The library failed although input and use were right.
    Provider,
    /// The machine lacks something: a file, a permission, a loadable library.
    Environment,
}

impl Fault {
    /// All of them.
    pub const ALL: [Fault; 5] = [Fault::Input, Fault::Usage, Fault::Unsupported, Fault::Provider, Fault::Environment];

    /// Lower-case word used in records and on the worker line protocol.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Fault::Input => "input",
            Fault::Usage => "usage",
            Fault::Unsupported => "unsupported",
            Fault::Provider => "provider",
            Fault::Environment => "environment",
        }
    }
}

/// An error: fault, what was wrong, and where it helps one hint.
///
/// It is one pointer wide, so that a `Result<()>` travels in a register through the timed path.
pub struct Error(Box<Detail>);

struct Detail {
    fault: Fault,
    what: String,
    hint: Option<String>,
}

impl Error {
    /// An error of the given kind. `what` names the thing and what was wrong with it.
    #[cold]
    pub fn new(fault: Fault, what: impl Into<String>) -> Self {
        Self(Box::new(Detail { fault, what: what.into(), hint: None }))
    }

    /// The bytes are wrong.
    #[cold]
    pub fn input(what: impl Into<String>) -> Self {
        Self::new(Fault::Input, what)
    }

    /// The call is wrong.
    #[cold]
    pub fn usage(what: impl Into<String>) -> Self {
        Self::new(Fault::Usage, what)
    }

    /// Not offered here.
    #[cold]
    pub fn unsupported(what: impl Into<String>) -> Self {
        Self::new(Fault::Unsupported, what)
    }

    /// The library failed.
    #[cold]
    pub fn provider(what: impl Into<String>) -> Self {
        Self::new(Fault::Provider, what)
    }

    /// The machine lacks something.
    #[cold]
    pub fn environment(what: impl Into<String>) -> Self {
        Self::new(Fault::Environment, what)
    }

    /// Adds the one thing that helps, with the exact flag or command.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// Who is at fault.
    #[must_use]
    pub fn fault(&self) -> Fault {
        self.0.fault
    }

    /// What was wrong, without the hint.
    #[must_use]
    pub fn what(&self) -> &str {
        &self.0.what
    }

    /// What helps, where something does.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.what)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} error: {}", self.0.fault.as_str(), self.0.what)
    }
}

impl std::error::Error for Error {}

/// Copies `bytes` to the front of `out`.
///
/// # Errors
/// [`Fault::Usage`] when `out` is shorter; `what` names the value.
pub(crate) fn copy_out(what: &str, bytes: &[u8], out: &mut [u8]) -> Result<usize> {
    let Some(room) = out.get_mut(..bytes.len()) else {
        return Err(Error::usage(format!("{what} needs {} bytes, the buffer has {}", bytes.len(), out.len())));
    };
    room.copy_from_slice(bytes);
    Ok(bytes.len())
}

/// Checks a length that the standard fixes.
///
/// # Errors
/// [`Fault::Input`] when it differs.
#[allow(dead_code)] // without any provider there is no caller
pub(crate) fn check_len(what: &str, bytes: &[u8], expected: usize) -> Result<()> {
    if bytes.len() == expected {
        Ok(())
    } else {
        Err(Error::input(format!("{what} has {} bytes, expected {expected}", bytes.len())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn result_of_unit_is_one_pointer() {
        assert_eq!(size_of::<Result<()>>(), size_of::<usize>());
    }

    #[test]
    fn display_names_what_and_debug_adds_the_fault() {
        let error = check_len("ML-KEM-768 ciphertext", &[0; 3], 1088).unwrap_err();
        assert_eq!(error.to_string(), "ML-KEM-768 ciphertext has 3 bytes, expected 1088");
        assert_eq!(error.fault(), Fault::Input);
        assert!(format!("{error:?}").starts_with("input error"));
    }
}
