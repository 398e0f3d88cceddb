//! `pqlab conform`: known-answer files and cross-provider checks against every provider.

use crate::conformance::blame::{Standing, blame};
use crate::conformance::cross::{Depth, cross_check};
use crate::conformance::runner::{self, Tally};
use crate::conformance::vectors::{self, LoadError, VectorSet};
use crate::conformance::{Performer, embedded};
use crate::plan;
use crypto::nearest_names;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fmt;
use std::path::PathBuf;

mod document;
mod table;

pub use document::{Document, Peers};

/// Runs NIST ACVP, Wycheproof and KAT vector files against providers, and providers against each other.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct ConformArgs {
    /// Vector file or directory, searched recursively; may be repeated. Without it the built-in set is run.
    #[arg(long, value_name = "PATH")]
    pub vectors: Vec<PathBuf>,

    /// Only these providers, by name or id, separated by commas.
    #[arg(long, value_delimiter = ',', value_name = "NAME,…")]
    pub providers: Vec<String>,

    /// Only these algorithms, separated by commas.
    #[arg(long, value_delimiter = ',', value_name = "NAME,…")]
    pub algorithms: Vec<String>,

    /// At most this many cases of each file, taken evenly from it.
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,

    /// How many failures of each provider and algorithm are shown in detail.
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub failures: usize,

    /// Vectors only: providers are not checked against each other.
    #[arg(long)]
    pub no_cross_check: bool,
}

/// How the outcome is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Shown {
    /// One JSON document instead of tables.
    pub json: bool,
    /// No progress.
    pub quiet: bool,
}

/// Why nothing was run: exit code 2.
#[derive(Debug)]
pub enum ConformError {
    /// Vector files that cannot be used.
    Vectors(Vec<LoadError>),
    /// Anything else: what was wrong, and a hint.
    Other {
        /// What was wrong.
        what: String,
        /// What helps.
        hint: String,
    },
}

impl fmt::Display for ConformError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Vectors(errors) => {
                for (index, error) in errors.iter().enumerate() {
                    let end = if index == 0 { "" } else { "\n" };
                    write!(f, "{end}{error}")?;
                }
                Ok(())
            }
            Self::Other { what, .. } => f.write_str(what),
        }
    }
}

impl std::error::Error for ConformError {}

impl ConformError {
    /// The one thing that helps.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::Vectors(errors) if errors.iter().all(|error| error.missing) => {
                "nothing was run; give the path of a vector file or folder, or leave --vectors out for the built-in set"
                    .into()
            }
            Self::Vectors(_) => {
                "nothing was run; fetch the file again, or leave it out with --vectors PATH of the others".into()
            }
            Self::Other { hint, .. } => hint.clone(),
        }
    }

    fn other(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Other { what: what.into(), hint: hint.into() }
    }
}

/// Runs the verb: prints the tables or the document to standard output, gives whether all conform.
///
/// `performers` makes the performers for the `--providers` list (all when it is empty); it is called only after the
/// vectors are read.
///
/// # Errors
/// [`ConformError`] when an argument or a vector file is wrong, or the factory fails; nothing was run then.
pub fn run(
    args: &ConformArgs,
    shown: Shown,
    performers: impl FnOnce(&[String]) -> Result<Vec<Box<dyn Performer>>, ConformError>,
) -> Result<bool, ConformError> {
    let document = examine(args, shown, performers)?;
    if shown.json {
        let text = serde_json::to_string_pretty(&document)
            .map_err(|e| ConformError::other(format!("the result cannot be written as JSON: {e}"), "report this"))?;
        print_out(&text);
    } else {
        print_out(&table::render(&document));
    }
    Ok(document.passed)
}

/// A reader that went away early (`pqlab conform | head`) is no error.
fn print_out(text: &str) {
    use std::io::Write;
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{}", text.trim_end());
}

/// Everything but the printing.
///
/// # Errors
/// As [`run`].
pub fn examine(
    args: &ConformArgs,
    shown: Shown,
    performers: impl FnOnce(&[String]) -> Result<Vec<Box<dyn Performer>>, ConformError>,
) -> Result<Document, ConformError> {
    if args.limit == Some(0) {
        return Err(ConformError::other(
            "--limit 0 leaves nothing to check",
            "give --limit 1 or more, or leave it out",
        ));
    }
    let algorithms = algorithms(&args.algorithms)?;
    let mut set = if args.vectors.is_empty() {
        embedded::all().map_err(|e| ConformError::Vectors(vec![e]))?
    } else {
        vectors::load(&args.vectors).map_err(ConformError::Vectors)?
    };
    limit(&mut set, args.limit);
    let mut performers = performers(&args.providers)?;
    if performers.is_empty() {
        return Err(ConformError::other("no provider to check", "`pqlab list` shows the providers that are there"));
    }
    let tallies = known_answers(&mut performers, &set, &algorithms, args.failures, shown);
    let peers = if args.no_cross_check {
        Vec::new()
    } else {
        cross_checks(&mut performers, &algorithms, &tallies, args.failures, shown)
    };
    let document = Document::new(args, &performers, set, tallies, peers);
    if document.checked() { Ok(document) } else { Err(nothing_checked(args, &document)) }
}

/// That nothing was wrong would be said of nothing.
fn nothing_checked(args: &ConformArgs, document: &Document) -> ConformError {
    let about = match (args.algorithms.is_empty(), args.vectors.is_empty()) {
        (false, _) => args.algorithms.join(", "),
        (true, false) => document.source.join(", "),
        (true, true) => "any algorithm".into(),
    };
    let hint = match (args.no_cross_check, args.vectors.is_empty()) {
        (true, _) => {
            "leave --no-cross-check out: without known answers providers can still be checked against each other"
        }
        (false, false) => "give --vectors of algorithms that they offer, or leave it out for the built-in set",
        (false, true) => "give other --providers or other --algorithms; `pqlab list` shows both",
    };
    ConformError::other(
        format!("nothing was checked: {} cannot be asked about {about}", document.providers.join(", ")),
        hint,
    )
}

/// Canonical names; an unknown one is an error that names the nearest.
fn algorithms(names: &[String]) -> Result<Vec<&'static str>, ConformError> {
    let known = |name: &String| match plan::algorithm(name) {
        Ok(row) => Ok(row.name),
        Err(error) => Err(ConformError::other(error.what(), error.hint().unwrap_or_default())),
    };
    names.iter().map(known).collect()
}

/// Keeps `limit` cases of each file, evenly spread.
fn limit(set: &mut VectorSet, limit: Option<usize>) {
    let Some(limit) = limit else { return };
    let mut start = 0;
    let mut keep = Vec::with_capacity(set.cases.len());
    for file in &mut set.files {
        let count = file.cases;
        let step = |index: usize| index * limit / count.max(1);
        keep.extend(
            (0..count).map(|index| count <= limit || index == 0 || step(index) != step(index.saturating_sub(1))),
        );
        let kept = keep.iter().skip(start).filter(|k| **k).count();
        file.cases = kept;
        start += count;
    }
    let mut flags = keep.into_iter();
    set.cases.retain(|_| flags.next().unwrap_or(true));
}

fn bar(total: usize, what: &'static str, shown: Shown) -> ProgressBar {
    let bar = ProgressBar::new(total as u64);
    if shown.quiet {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    if let Ok(style) = ProgressStyle::with_template("{msg} {bar:30} {pos}/{len}, {eta} left") {
        bar.set_style(style);
    }
    bar.set_message(what);
    bar
}

/// Each performer in its own thread.
fn known_answers(
    performers: &mut [Box<dyn Performer>],
    set: &VectorSet,
    algorithms: &[&'static str],
    keep: usize,
    shown: Shown,
) -> Vec<Tally> {
    let bar = bar(set.cases.len() * performers.len(), "known answers", shown);
    let settings = runner::Settings { algorithms, keep };
    let tallies = std::thread::scope(|scope| {
        let handles: Vec<_> = performers
            .iter_mut()
            .map(|performer| {
                let bar = &bar;
                scope.spawn(move || runner::run(&mut **performer, set, settings, &|| bar.inc(1)))
            })
            .collect();
        handles
            .into_iter()
            .flat_map(|handle| handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    bar.finish_and_clear();
    tallies
}

/// Every algorithm that at least two performers offer, or one without known answers.
fn cross_checks(
    performers: &mut [Box<dyn Performer>],
    algorithms: &[&'static str],
    tallies: &[Tally],
    keep: usize,
    shown: Shown,
) -> Vec<Peers> {
    let offers: Vec<Vec<String>> =
        performers.iter().map(|p| p.algorithms().into_iter().map(|offer| offer.name).collect()).collect();
    let mut names: Vec<&String> = offers.iter().flatten().collect();
    let order = nearest_names();
    names.sort_by_key(|name| (order.iter().position(|known| known == name).unwrap_or(usize::MAX), name.as_str()));
    names.dedup();
    let shared: Vec<(&String, Vec<usize>)> = names
        .into_iter()
        .filter(|name| algorithms.is_empty() || algorithms.contains(&name.as_str()))
        .map(|name| (name, (0..offers.len()).filter(|i| offers.get(*i).is_some_and(|o| o.contains(name))).collect()))
        // One alone is checked against itself where it has no known answer.
        .filter(|(name, indices): &(&String, Vec<usize>)| {
            indices.len() > 1 || !tallies.iter().any(|t| t.algorithm == **name && t.passed + t.failed > 0)
        })
        .filter(|(name, _)| !name.starts_with("null-"))
        .collect();
    let bar = bar(shared.len(), "cross-checks", shown);
    let mut peers = Vec::new();
    for (name, indices) in &shared {
        let depth = if indices.len() > 1 { Depth::Full } else { Depth::Quick };
        let findings = cross_check(performers, indices, name, depth);
        let ids: Vec<String> = indices.iter().filter_map(|i| performers.get(*i)).map(|p| p.id()).collect();
        let standings: Vec<Standing> = ids
            .iter()
            .zip(&findings.faults)
            .map(|(provider, faults)| {
                let tally = tallies.iter().find(|t| t.provider == *provider && t.algorithm == **name);
                Standing {
                    provider: provider.clone(),
                    trusted: tally.is_some_and(|t| t.passed > 0 && t.failed == 0),
                    // Who fails known answers is not believed here either; its tally says so already.
                    faults: match tally {
                        Some(t) if t.failed > 0 => {
                            let own =
                                format!("{} known answers failed: its part in this check decides nothing", t.failed);
                            faults.iter().cloned().chain([own]).collect()
                        }
                        _ => faults.clone(),
                    },
                }
            })
            .collect();
        let mut failures = blame(&standings, &findings.disagreements);
        for list in &mut failures {
            list.truncate(keep.max(1));
        }
        for (((provider, failures), cases), notes) in ids.iter().zip(failures).zip(&findings.cases).zip(&findings.notes)
        {
            peers.push(Peers {
                provider: provider.clone(),
                algorithm: (*name).clone(),
                with: ids.iter().filter(|id| *id != provider).cloned().collect(),
                cases: *cases,
                passed: failures.is_empty(),
                failures,
                notes: notes.clone(),
            });
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    peers
}

#[cfg(test)]
mod tests;
