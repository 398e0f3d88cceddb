//! Whether OpenSSL's FIPS provider serves the post-quantum algorithms here: shown by using it, not by listing it.
//!
//! `place` says which OpenSSL is meant, `integrity` compares the module with its record, `preflight` does all checks.
//! Nothing of this is a claim that the module is validated: that is said by a certificate of the CMVP, which names a
//! version and an operating environment.

pub mod integrity;
pub mod place;
pub mod preflight;

use clap::ValueEnum;
use std::fmt;

/// What is asked of the FIPS provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    /// Nothing: say which OpenSSL would be used.
    Off,
    /// Try everything; what is missing is a warning.
    Ready,
    /// Everything must be there.
    Only,
}

impl Mode {
    /// `off`, `ready` or `only`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Mode::Off => "off",
            Mode::Ready => "ready",
            Mode::Only => "only",
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
