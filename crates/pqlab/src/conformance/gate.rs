//! What `pqlab run` asks before it times anything.

use super::blame::{Standing, blame};
use super::cross::{Depth, cross_check};
use super::embedded;
use super::performer::Performer;
use super::runner::{Settings, run};
use crypto::find;
use serde::Serialize;

/// Whether a provider's algorithm may be timed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// `name@version[+variant]`.
    pub provider: String,
    /// Name of the algorithm.
    pub algorithm: String,
    /// It may.
    pub passed: bool,
    /// Checks made.
    pub cases: usize,
    /// Why it may not.
    pub failures: Vec<String>,
    /// What the verdict rests on: `vectors`, `cross-check`, `round trip only`, or `control` (the null provider).
    pub basis: &'static str,
}

/// Checks every performer that offers `algorithm`: the known answers built into this program, then all against each
/// other; one alone and without known answers, against itself. One verdict for each that offers it, in order.
pub fn gate(performers: &mut [Box<dyn Performer>], algorithm: &str) -> Vec<Verdict> {
    let indices: Vec<usize> = performers
        .iter()
        .enumerate()
        .filter(|(_, p)| p.algorithms().iter().any(|offer| offer.name == algorithm))
        .map(|(index, _)| index)
        .collect();
    if algorithm.starts_with("null-") {
        return indices.iter().filter_map(|index| performers.get(*index)).map(|p| control(&**p, algorithm)).collect();
    }
    let row = find(algorithm);
    let mut cases = Vec::new();
    let mut standings = Vec::new();
    for index in &indices {
        let Some(performer) = performers.get_mut(*index) else { continue };
        let (standing, count) = known_answers(&mut **performer, row.map(|row| row.name));
        standings.push(standing);
        cases.push(count);
    }
    let known: Vec<usize> = cases.clone();
    let findings = cross_check(performers, &indices, algorithm, Depth::Quick);
    for ((standing, faults), (count, more)) in
        standings.iter_mut().zip(findings.faults).zip(cases.iter_mut().zip(findings.cases))
    {
        standing.faults.extend(faults);
        *count += more;
    }
    let failures = blame(&standings, &findings.disagreements);
    standings
        .iter()
        .zip(failures)
        .zip(cases.into_iter().zip(known))
        .map(|((standing, mut failures), (cases, known))| {
            let basis = match (known, indices.len()) {
                (1.., _) => "vectors",
                (0, 2..) => "cross-check",
                (0, _) => "round trip only",
            };
            if cases == 0 {
                failures.push("nothing could be checked".into());
            }
            Verdict {
                provider: standing.provider.clone(),
                algorithm: algorithm.to_owned(),
                passed: failures.is_empty(),
                cases,
                failures,
                basis,
            }
        })
        .collect()
}

/// The embedded known answers, and how many were asked.
fn known_answers(performer: &mut dyn Performer, name: Option<&'static str>) -> (Standing, usize) {
    let mut standing = Standing { provider: performer.id(), ..Standing::default() };
    let Some(name) = name else { return (standing, 0) };
    let set = match embedded::for_algorithm(name) {
        Ok(set) => set,
        Err(error) => {
            standing.faults.push(format!("the built-in known answers cannot be read: {error}"));
            return (standing, 0);
        }
    };
    let tallies = run(performer, set, Settings { algorithms: &[name], keep: 5 }, &|| ());
    let mut asked = 0;
    for tally in &tallies {
        asked += tally.passed + tally.failed;
        standing.faults.extend(tally.failures.iter().map(|f| format!("{}: {}", f.place, f.what)));
    }
    standing.trusted = asked > 0 && standing.faults.is_empty();
    (standing, asked)
}

/// The null provider does nothing on purpose, under names that are no algorithm's.
fn control(performer: &dyn Performer, algorithm: &str) -> Verdict {
    Verdict {
        provider: performer.id(),
        algorithm: algorithm.to_owned(),
        passed: true,
        cases: 0,
        failures: Vec::new(),
        basis: "control",
    }
}
