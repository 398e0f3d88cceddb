//! What the tool says went wrong, on standard error.

use super::Place;

/// Why the tool has no figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    /// This version does not know the option.
    UnknownOption,
    /// This build does not know the algorithm.
    UnknownAlgorithm,
    /// The tool knows the algorithm and breaks down at it: 3.5.0 to 3.5.4 for ML-DSA and SLH-DSA (openssl#27108).
    ToolDefect,
    /// An operation failed.
    Failed,
}

/// A message of the tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What it is.
    pub kind: FailureKind,
    /// The option or algorithm it names, as written there.
    pub subject: Option<String>,
    /// The message, cut to 200 characters.
    pub text: String,
    /// Where.
    pub place: Place,
}

/// A line that is a message of the tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Line<'a> {
    Failure(FailureKind, Option<&'a str>),
    /// Details of the failure before.
    Details,
}

/// `None` when the line is no message that is known.
pub(super) fn line(text: &str) -> Option<Line<'_>> {
    use FailureKind::{Failed, ToolDefect, UnknownAlgorithm, UnknownOption};
    let failure = |kind, subject| Some(Line::Failure(kind, subject));
    if let Some(rest) = text.strip_prefix("speed: ").or_else(|| text.strip_prefix("Error: ")) {
        for (start, kind) in [
            ("Unknown option: ", UnknownOption),
            ("Unknown option or cipher: ", UnknownAlgorithm),
            ("Unknown algorithm ", UnknownAlgorithm),
        ] {
            if let Some(subject) = rest.strip_prefix(start) {
                return failure(kind, Some(subject.trim()));
            }
        }
        if rest.starts_with("Use -help") {
            return Some(Line::Details);
        }
        if rest == "bad option or value" {
            return failure(UnknownAlgorithm, None);
        }
    }
    let plain = text.strip_prefix("speed: ").unwrap_or(text);
    if let Some(subject) = plain.strip_suffix("is an unknown cipher or digest") {
        return failure(UnknownAlgorithm, Some(subject.trim()));
    }
    if plain.starts_with("Error while initializing") || plain.starts_with("Error initializing") {
        return failure(ToolDefect, subject_of(plain));
    }
    if plain.starts_with("Error while ") || plain.contains(" error for ") || plain.contains(" error in ") {
        return failure(Failed, subject_of(plain));
    }
    if ["failure", "failure.", "will be done.", "don't match."].iter().any(|end| plain.ends_with(end)) {
        return failure(Failed, plain.split_whitespace().next());
    }
    is_error_queue(text).then_some(Line::Details)
}

/// `… for ML-DSA-65.`
fn subject_of(text: &str) -> Option<&str> {
    let (_, subject) = text.rsplit_once(" for ")?;
    Some(subject.trim().trim_end_matches('.')).filter(|subject| !subject.is_empty())
}

/// `4008E9FC01000000:error:03000096:digital envelope routines:…`
fn is_error_queue(text: &str) -> bool {
    let mut fields = text.split(':');
    let thread = fields.next().unwrap_or("");
    let hexadecimal = !thread.is_empty() && thread.bytes().all(|byte| byte.is_ascii_hexdigit());
    hexadecimal && fields.next() == Some("error")
}
