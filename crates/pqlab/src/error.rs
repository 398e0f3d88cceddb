//! Errors of use and environment, as the command line shows them: what, where, one hint. Exit code 2.

use std::fmt;
use std::process::ExitCode;

/// Result of a verb: exit code 0 or 1, or an error (2).
pub type Outcome = Result<ExitCode, CliError>;

/// Something was found (a regression, a failed verification, a non-conforming provider): exit code 1.
pub const FINDING: u8 = 1;

/// An error in use or environment.
#[derive(Debug)]
pub struct CliError {
    what: String,
    hint: Option<String>,
}

impl CliError {
    /// The command line or a file given is wrong.
    pub fn usage(what: impl Into<String>) -> Self {
        Self { what: what.into(), hint: None }
    }

    /// The machine lacks something.
    pub fn environment(what: impl Into<String>) -> Self {
        Self { what: what.into(), hint: None }
    }

    /// Adds the one thing that helps.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// What was wrong.
    #[must_use]
    pub fn what(&self) -> &str {
        &self.what
    }

    /// What helps.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.what)?;
        if let Some(hint) = &self.hint {
            write!(f, "\n  hint: {hint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for CliError {}

impl From<crypto::Error> for CliError {
    fn from(error: crypto::Error) -> Self {
        Self { what: error.what().into(), hint: error.hint().map(ToOwned::to_owned) }
    }
}

impl From<crate::bundle::Error> for CliError {
    fn from(error: crate::bundle::Error) -> Self {
        Self { what: error.what().into(), hint: error.hint().map(ToOwned::to_owned) }
    }
}

/// `did you mean …`, for the nearest of the known names, when one is near.
#[must_use]
pub fn nearest<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = wanted.to_lowercase();
    known
        .into_iter()
        .map(|name| (strsim::jaro_winkler(&lower, &name.to_lowercase()), name))
        .filter(|(score, _)| *score > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}
