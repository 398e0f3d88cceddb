//! Reads what `openssl speed` prints: OpenSSL 1.1.1, 3.0 to 3.6 and 4.0, LibreSSL; tables and `-mr`, also of `-multi`.
//!
//! Pure: bytes in, [`Log`] out. Bounded in size and time, and never panics. A line is read, or it is known to hold no
//! figure, or it is in [`Log::unread`] with its number and the reason: nothing is guessed and nothing is dropped.
//!
//! The tool prints figures on standard output and, before each, what it counted on standard error. Both may be given:
//! in one file, or as parts of one log. Then each figure gets its count and time, and must agree with them.
//!
//! ```text
//! bytes → [reader] (lines: [text], [machine], [timing], [build], [failure]) → [join] → measurements
//! ```
//!
//! What the tool does with a name is told by `apps/speed.c` of each version: RSA signs 36 bytes and ECDSA 20 bytes that
//! are no digest, so their names here have no hash function; an authenticated cipher encrypts without making a tag for
//! each message (except with `-aead`), so the operation is `encrypt` and not `seal`.

mod build;
mod failure;
mod join;
mod machine;
mod multi;
mod names;
mod number;
mod reader;
mod text;
mod timing;

pub use build::Build;
pub use failure::{Failure, FailureKind};
pub use names::{Named, family_of, standard_name};
pub use timing::Timing;

use std::fmt;

/// Largest log that is read, bytes over all its parts.
pub const MAX_BYTES: usize = 16 << 20;
/// Most rows of results, and most timings, of one log; what is beyond is reported as unread.
pub const MAX_ROWS: usize = 200_000;
/// Unread lines that are kept with their text; the others are counted.
pub const MAX_UNREAD: usize = 1_000;
/// Longest line that is read, bytes.
pub const MAX_LINE: usize = 8_192;

/// What the tool times. Names as in the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operation {
    /// Key generation.
    Keygen,
    /// Encapsulation.
    Encaps,
    /// Decapsulation.
    Decaps,
    /// Signing.
    Sign,
    /// Verification.
    Verify,
    /// RSA encryption with the public key; or a cipher over a buffer.
    Encrypt,
    /// RSA decryption.
    Decrypt,
    /// Key agreement.
    Derive,
    /// A hash over a buffer.
    Hash,
    /// A message authentication code over a buffer.
    Mac,
    /// Something over a buffer that the log does not tell more of.
    Process,
}

impl Operation {
    /// The word of the record.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Keygen => "keygen",
            Self::Encaps => "encaps",
            Self::Decaps => "decaps",
            Self::Sign => "sign",
            Self::Verify => "verify",
            Self::Encrypt => "encrypt",
            Self::Decrypt => "decrypt",
            Self::Derive => "derive",
            Self::Hash => "hash",
            Self::Mac => "mac",
            Self::Process => "process",
        }
    }
}

/// Where a line stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Which part of the log, from 0.
    pub part: usize,
    /// Line in it, from 1.
    pub line: usize,
}

/// One figure of the log.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurement {
    /// Standard's name; the tool's own where no standard's is known.
    pub algorithm: String,
    /// As the log writes it.
    pub written: String,
    /// `kem`, `signature`, `agreement`, `aead`, `cipher`, `encryption`, `hash`, `mac`, `unknown`.
    pub family: &'static str,
    /// What was timed.
    pub operation: Operation,
    /// Bytes of the buffer; `None` for operations on keys.
    pub size: Option<u64>,
    /// Key size that the log states, bits.
    pub bits: Option<u32>,
    /// Operations per second of all processes together.
    pub ops_per_s: f64,
    /// Processes that ran at the same time (`-multi`); 1 without it.
    pub processes: u32,
    /// Operations per second of each process, when the log tells them; empty otherwise. One entry without `-multi`.
    pub rates: Vec<f64>,
    /// Count and time of each process, in the order of `rates`; `None` where the log does not tell them.
    pub timings: Vec<Option<Timing>>,
    /// Which of [`Log::builds`] made it; `None` when the log does not say (`-mr`).
    pub build: Option<usize>,
    /// Where the figure stands.
    pub place: Place,
}

/// A line that was not understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// Where.
    pub place: Place,
    /// The line, cut to 200 characters.
    pub text: String,
    /// Why.
    pub reason: String,
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}: `{}`", self.place.line, self.reason, self.text.trim())
    }
}

/// How many lines there were, and what became of them. `blank + understood + unread == total`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Lines {
    /// All lines.
    pub total: usize,
    /// Without text.
    pub blank: usize,
    /// Figures, headings, and lines known to hold no figure.
    pub understood: usize,
    /// Neither.
    pub unread: usize,
}

/// What a log says.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Log {
    /// Builds in order of appearance.
    pub builds: Vec<Build>,
    /// Figures in order of appearance.
    pub measurements: Vec<Measurement>,
    /// What the tool itself says went wrong.
    pub failures: Vec<Failure>,
    /// What could not be read, at most [`MAX_UNREAD`]; [`Lines::unread`] has the number.
    pub unread: Vec<Unread>,
    /// What became of the lines.
    pub lines: Lines,
    /// The tool says that it measured elapsed time; otherwise CPU time, or `-multi`, which is always elapsed.
    pub elapsed: bool,
}

/// Reads the parts of one log (for example standard output and standard error of the same call). Bytes that are no
/// UTF-8 are shown as `U+FFFD`, and a line with them is no figure.
///
/// # Errors
/// The size, when the parts together have more than [`MAX_BYTES`].
pub fn parse(parts: &[&[u8]]) -> Result<Log, TooLarge> {
    let bytes = parts.iter().map(|part| part.len()).sum();
    if bytes > MAX_BYTES { Err(TooLarge { bytes }) } else { Ok(reader::read(parts)) }
}

/// The log is larger than any that the tool prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it has {bytes} bytes; a log of `openssl speed` has at most {MAX_BYTES}")]
pub struct TooLarge {
    /// Bytes over all parts.
    pub bytes: usize,
}
