//! Vector files, each recognised by its content.
//!
//! | kind | recognised by |
//! |---|---|
//! | NIST ACVP | JSON with `testGroups` and `vsId`, or `mode` and `revision` |
//! | Wycheproof | JSON with `testGroups` whose groups have a `type` |
//! | LWC KAT | text records that begin with `Count =` |
//! | NIST CAVP hash | text records that begin with `Len =` |

use super::case::{Case, Expect};
use crate::workload::operation::Operation;
use crate::workload::perform::{Fields, Params};
use crypto::Algorithm;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

mod acvp;
mod file;
mod hex_field;
mod kat;
mod wycheproof;

pub use file::inflate;
use hex_field::Hex;

/// Everything read from a set of files.
#[derive(Debug, Default)]
pub struct VectorSet {
    /// What can be asked of a provider.
    pub cases: Vec<Case>,
    /// What no provider can be asked, with the reason.
    pub not_applicable: Vec<NotApplicable>,
    /// The files read.
    pub files: Vec<FileSummary>,
    /// Files in the directories that are no vector files, with what they are taken for.
    pub ignored: Vec<(String, String)>,
}

/// Tests that this program has no interface for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotApplicable {
    /// File.
    pub file: Arc<str>,
    /// Row of the catalogue, where there is one.
    pub algorithm: Option<&'static Algorithm>,
    /// Why.
    pub reason: String,
    /// How many tests.
    pub tests: usize,
}

/// A file that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileSummary {
    /// As the user named it.
    pub name: String,
    /// `ACVP`, `Wycheproof`, `LWC KAT` or `CAVP`.
    pub kind: &'static str,
    /// Cases made from it.
    pub cases: usize,
    /// Tests in it that no provider can be asked.
    pub not_applicable: usize,
}

/// A vector file that cannot be used, and where it is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadError {
    /// The file.
    pub file: String,
    /// Line and column, or group and test; empty when the whole file is meant.
    pub place: String,
    /// What is wrong.
    pub what: String,
    /// It is not there at all.
    pub missing: bool,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, place, what, missing: _ } = self;
        if place.is_empty() { write!(f, "{file}: {what}") } else { write!(f, "{file}: {place}: {what}") }
    }
}

impl std::error::Error for LoadError {}

impl LoadError {
    fn whole(file: &str, what: impl Into<String>) -> Self {
        Self { file: file.into(), place: String::new(), what: what.into(), missing: false }
    }

    fn at(file: &str, place: impl Into<String>, what: impl Into<String>) -> Self {
        Self { file: file.into(), place: place.into(), what: what.into(), missing: false }
    }

    fn json(file: &str, error: &serde_json::Error) -> Self {
        let text = error.to_string();
        let what = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what);
        Self::at(file, format!("line {}, column {}", error.line(), error.column()), what)
    }
}

/// Reads files and, recursively, directories. Either everything is read or nothing: a broken file means that the
/// answer would be about less than was asked for.
///
/// # Errors
/// One [`LoadError`] for each file that cannot be used.
pub fn load(paths: &[PathBuf]) -> Result<VectorSet, Vec<LoadError>> {
    let mut set = VectorSet::default();
    let mut errors = Vec::new();
    let mut parts = acvp::Parts::default();
    for path in paths {
        let named = !path.is_dir();
        let file::Found { files, again } = file::find(path).unwrap_or_else(|error| {
            errors.push(error);
            file::Found::default()
        });
        set.ignored.extend(again);
        for found in files {
            let name = found.display().to_string();
            let read = file::read(&found, &name).and_then(|bytes| recognise(&name, &bytes, &mut set, &mut parts));
            match read {
                Ok(None) => {}
                Ok(Some(reason)) if named => errors.push(LoadError::whole(&name, reason)),
                Ok(Some(reason)) => set.ignored.push((name, reason)),
                Err(error) => errors.push(error),
            }
        }
    }
    if let Err(error) = parts.finish(&mut set) {
        errors.push(error);
    }
    if errors.is_empty() && set.files.is_empty() {
        let names: Vec<String> = paths.iter().map(|p| p.display().to_string()).collect();
        errors.push(LoadError::whole(&names.join(", "), "no vector file found there"));
    }
    if errors.is_empty() { Ok(set) } else { Err(errors) }
}

/// Reads one file's content, decompressed or not, into `set`.
///
/// # Errors
/// When it is corrupt, truncated, or of a kind that is not known.
pub fn load_bytes(name: &str, bytes: &[u8], set: &mut VectorSet) -> Result<(), LoadError> {
    let bytes = inflate(name, bytes)?;
    let mut parts = acvp::Parts::default();
    match recognise(name, &bytes, set, &mut parts)? {
        None => parts.finish(set),
        Some(reason) => Err(LoadError::whole(name, reason)),
    }
}

/// `Ok(Some(reason))` when it is no vector file.
fn recognise(
    name: &str,
    bytes: &[u8],
    set: &mut VectorSet,
    parts: &mut acvp::Parts,
) -> Result<Option<String>, LoadError> {
    let first = bytes.iter().find(|b| !b.is_ascii_whitespace());
    let called_json = {
        let path = Path::new(name.strip_suffix(".gz").unwrap_or(name));
        path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json"))
    };
    if called_json || matches!(first, Some(b'{' | b'[')) {
        return json(name, bytes, set, parts);
    }
    let head = bytes.get(..4096).unwrap_or(bytes);
    match kat::recognise(head) {
        Some(kind) => kat::read(kind, name, bytes, set).map(|()| None),
        None => Ok(Some("not a vector file".into())),
    }
}

#[derive(serde::Deserialize)]
struct Head {
    #[serde(rename = "vsId")]
    vs_id: Option<serde::de::IgnoredAny>,
    mode: Option<serde::de::IgnoredAny>,
    revision: Option<serde::de::IgnoredAny>,
    #[serde(rename = "testGroups")]
    groups: Option<Vec<GroupHead>>,
}

#[derive(serde::Deserialize)]
struct GroupHead {
    #[serde(rename = "type")]
    kind: Option<String>,
}

fn json(name: &str, bytes: &[u8], set: &mut VectorSet, parts: &mut acvp::Parts) -> Result<Option<String>, LoadError> {
    let head = match serde_json::from_slice::<Head>(bytes) {
        Ok(head) => head,
        Err(error) if error.is_data() => {
            // Well-formed JSON of another shape is no vector file; what is not well-formed is broken.
            serde_json::from_slice::<serde::de::IgnoredAny>(bytes).map_err(|e| LoadError::json(name, &e))?;
            return Ok(Some(format!("JSON, but neither ACVP nor Wycheproof ({error})")));
        }
        Err(error) => return Err(LoadError::json(name, &error)),
    };
    let Some(groups) = head.groups else {
        return Ok(Some("JSON, but neither ACVP nor Wycheproof: no `testGroups`".into()));
    };
    if head.vs_id.is_some() || (head.mode.is_some() && head.revision.is_some()) {
        return parts.add(name, bytes).map(|()| None);
    }
    let mut kinds: Vec<&str> = groups.iter().filter_map(|g| g.kind.as_deref()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    match kinds.as_slice() {
        [] => Ok(Some("JSON with `testGroups`, but neither ACVP nor Wycheproof".into())),
        [kind] => wycheproof::read(kind, name, bytes, set).map(|()| None),
        several => Err(LoadError::whole(name, format!("groups of several types in one file: {}", several.join(", ")))),
    }
}

/// Collects the cases of one file.
struct Sink<'a> {
    set: &'a mut VectorSet,
    file: Arc<str>,
    kind: &'static str,
    first_case: usize,
    first_reason: usize,
}

impl<'a> Sink<'a> {
    fn new(set: &'a mut VectorSet, file: &str, kind: &'static str) -> Self {
        let (first_case, first_reason) = (set.cases.len(), set.not_applicable.len());
        Self { set, file: file.into(), kind, first_case, first_reason }
    }

    fn case(&mut self, test: &Place<'_>, operation: Operation, params: Params, inputs: Fields, expect: Expect) {
        self.set.cases.push(Case {
            file: self.file.clone(),
            group: test.group,
            id: test.id,
            comment: test.comment.map(str::to_owned),
            algorithm: test.algorithm,
            operation,
            params,
            inputs,
            expect,
        });
    }

    fn skip(&mut self, algorithm: Option<&'static Algorithm>, tests: usize, reason: &str) {
        let known = self.set.not_applicable.get_mut(self.first_reason..).unwrap_or_default();
        match known.iter_mut().find(|n| n.algorithm == algorithm && n.reason == reason) {
            Some(entry) => entry.tests += tests,
            None => self.set.not_applicable.push(NotApplicable {
                file: self.file.clone(),
                algorithm,
                reason: reason.into(),
                tests,
            }),
        }
    }

    /// Enters the file in the list. A file whose reading failed never comes here, and its cases are dropped.
    fn finish(self, outcome: Result<(), LoadError>) -> Result<(), LoadError> {
        let Self { set, file, kind, first_case, first_reason } = self;
        match outcome {
            Ok(()) => {
                set.files.push(FileSummary {
                    name: file.to_string(),
                    kind,
                    cases: set.cases.len().saturating_sub(first_case),
                    not_applicable: set.not_applicable.iter().skip(first_reason).map(|n| n.tests).sum(),
                });
                Ok(())
            }
            Err(error) => {
                set.cases.truncate(first_case);
                set.not_applicable.truncate(first_reason);
                Err(error)
            }
        }
    }
}

/// Where a case stands in its file.
struct Place<'a> {
    algorithm: &'static Algorithm,
    group: u64,
    id: u64,
    comment: Option<&'a str>,
}
