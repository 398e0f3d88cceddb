//! What `pqlab conform --json` prints, schema `pqlab.conform/1`.

use super::ConformArgs;
use crate::conformance::Performer;
use crate::conformance::runner::Tally;
use crate::conformance::vectors::VectorSet;
use serde::Serialize;

/// The outcome.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Document {
    /// `pqlab.conform/1`.
    pub schema: &'static str,
    /// Nothing failed.
    pub passed: bool,
    /// Where the vectors came from: the paths given, or `built-in`.
    pub source: Vec<String>,
    /// Providers that were asked.
    pub providers: Vec<String>,
    /// Files read.
    pub files: Vec<File>,
    /// Files that lie there and are no vector files.
    pub ignored: Vec<Ignored>,
    /// Tests that no provider can be asked.
    pub not_applicable: Vec<Skipped>,
    /// Known answers by provider and algorithm.
    pub known_answers: Vec<Tally>,
    /// Cross-checks by algorithm and provider.
    pub cross_checks: Vec<Peers>,
}

/// A file read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct File {
    /// Name.
    pub name: String,
    /// `ACVP`, `Wycheproof`, `LWC KAT` or `CAVP`.
    pub kind: &'static str,
    /// Cases made from it (after `--limit`).
    pub cases: usize,
    /// Tests in it that no provider can be asked.
    pub not_applicable: usize,
}

/// A file not read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ignored {
    /// Name.
    pub name: String,
    /// What it is taken for.
    pub reason: String,
}

/// Tests without an interface here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// File.
    pub file: String,
    /// Canonical name; `null` when the algorithm is not in the catalogue.
    pub algorithm: Option<&'static str>,
    /// Why.
    pub reason: String,
    /// How many.
    pub tests: usize,
}

/// One provider's part in a cross-check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Peers {
    /// `name@version[+variant]`.
    pub provider: String,
    /// Name of the algorithm.
    pub algorithm: String,
    /// The others.
    pub with: Vec<String>,
    /// Operations that it was asked for.
    pub cases: usize,
    /// It agrees with them, as far as it is to blame.
    pub passed: bool,
    /// What it got wrong.
    pub failures: Vec<String>,
    /// What could not be checked, and why.
    pub notes: Vec<String>,
}

impl Document {
    /// Whether any question was put to any provider.
    pub(super) fn checked(&self) -> bool {
        let asked = |t: &Tally| t.passed + t.failed + t.acceptable.accepted + t.acceptable.refused;
        self.known_answers.iter().map(asked).sum::<usize>() + self.cross_checks.iter().map(|p| p.cases).sum::<usize>()
            > 0
    }

    pub(super) fn new(
        args: &ConformArgs,
        performers: &[Box<dyn Performer>],
        set: VectorSet,
        known_answers: Vec<Tally>,
        cross_checks: Vec<Peers>,
    ) -> Self {
        let VectorSet { cases: _, not_applicable, files, ignored } = set;
        let source = if args.vectors.is_empty() {
            vec!["built-in".to_owned()]
        } else {
            args.vectors.iter().map(|p| p.display().to_string()).collect()
        };
        Self {
            schema: "pqlab.conform/1",
            passed: known_answers.iter().all(|t| t.failed == 0) && cross_checks.iter().all(|p| p.passed),
            source,
            providers: performers.iter().map(|p| p.id()).collect(),
            files: files
                .into_iter()
                .map(|f| File { name: f.name, kind: f.kind, cases: f.cases, not_applicable: f.not_applicable })
                .collect(),
            ignored: ignored.into_iter().map(|(name, reason)| Ignored { name, reason }).collect(),
            not_applicable: not_applicable
                .into_iter()
                .map(|n| Skipped {
                    file: n.file.to_string(),
                    algorithm: n.algorithm.map(|row| row.name),
                    reason: n.reason,
                    tests: n.tests,
                })
                .collect(),
            known_answers,
            cross_checks,
        }
    }
}
