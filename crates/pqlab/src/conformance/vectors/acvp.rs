//! NIST ACVP: `internalProjection.json`, or `prompt.json` with the `expectedResults.json` beside it.

use super::{Hex, LoadError, Place, Sink, VectorSet};
use crypto::{Algorithm, find};
use serde::Deserialize;
use std::collections::HashMap;
use std::path::Path;

mod convert;

#[derive(Deserialize)]
struct Document {
    #[serde(rename = "vsId")]
    vs_id: Option<u64>,
    algorithm: Option<String>,
    mode: Option<String>,
    #[serde(rename = "testGroups")]
    groups: Vec<Group>,
}

#[derive(Deserialize)]
struct Group {
    #[serde(rename = "tgId")]
    id: u64,
    #[serde(rename = "parameterSet")]
    parameter_set: Option<String>,
    function: Option<String>,
    #[serde(rename = "signatureInterface")]
    interface: Option<String>,
    #[serde(rename = "preHash")]
    pre_hash: Option<String>,
    #[serde(rename = "externalMu", default)]
    external_mu: bool,
    deterministic: Option<bool>,
    ek: Option<Hex>,
    dk: Option<Hex>,
    pk: Option<Hex>,
    sk: Option<Hex>,
    tests: Vec<Test>,
}

/// All fields of all modes; each mode asks for its own by name, so that an error says which test lacks what.
#[derive(Deserialize, Default)]
struct Test {
    #[serde(rename = "tcId")]
    id: u64,
    #[serde(rename = "testPassed")]
    passed: Option<bool>,
    reason: Option<String>,
    d: Option<Hex>,
    z: Option<Hex>,
    ek: Option<Hex>,
    dk: Option<Hex>,
    m: Option<Hex>,
    c: Option<Hex>,
    k: Option<Hex>,
    seed: Option<Hex>,
    pk: Option<Hex>,
    sk: Option<Hex>,
    message: Option<Hex>,
    context: Option<Hex>,
    signature: Option<Hex>,
    #[serde(rename = "skSeed")]
    sk_seed: Option<Hex>,
    #[serde(rename = "skPrf")]
    sk_prf: Option<Hex>,
    #[serde(rename = "pkSeed")]
    pk_seed: Option<Hex>,
}

impl Test {
    /// Takes from an expected result what the prompt does not say.
    fn complete(&mut self, answer: Test) {
        let Test {
            id: _,
            passed,
            reason,
            d,
            z,
            ek,
            dk,
            m,
            c,
            k,
            seed,
            pk,
            sk,
            message,
            context,
            signature,
            sk_seed,
            sk_prf,
            pk_seed,
        } = answer;
        let fill = |mine: &mut Option<Hex>, theirs: Option<Hex>| {
            if mine.is_none() {
                *mine = theirs;
            }
        };
        self.passed = self.passed.or(passed);
        self.reason = self.reason.take().or(reason);
        let pairs: [(&mut Option<Hex>, Option<Hex>); 16] = [
            (&mut self.d, d),
            (&mut self.z, z),
            (&mut self.ek, ek),
            (&mut self.dk, dk),
            (&mut self.m, m),
            (&mut self.c, c),
            (&mut self.k, k),
            (&mut self.seed, seed),
            (&mut self.pk, pk),
            (&mut self.sk, sk),
            (&mut self.message, message),
            (&mut self.context, context),
            (&mut self.signature, signature),
            (&mut self.sk_seed, sk_seed),
            (&mut self.sk_prf, sk_prf),
            (&mut self.pk_seed, pk_seed),
        ];
        for (mine, theirs) in pairs {
            fill(mine, theirs);
        }
    }

    /// Whether it says what must come out, not only what goes in.
    fn answered(&self, mode: &str, function: Option<&str>) -> bool {
        match mode {
            "keyGen" => self.ek.is_some() || self.pk.is_some(),
            "encapDecap" if matches!(function, Some("encapsulation" | "decapsulation")) => self.k.is_some(),
            "encapDecap" | "sigVer" => self.passed.is_some(),
            "sigGen" => self.signature.is_some(),
            _ => true,
        }
    }
}

/// The documents of one load: prompts wait here for their expected results.
#[derive(Default)]
pub(super) struct Parts(Vec<(String, Document)>);

impl Parts {
    /// Parses a file.
    pub(super) fn add(&mut self, name: &str, bytes: &[u8]) -> Result<(), LoadError> {
        let document = serde_json::from_slice(bytes).map_err(|e| LoadError::json(name, &e))?;
        self.0.push((name.to_owned(), document));
        Ok(())
    }

    /// Joins prompts with their results and makes the cases.
    pub(super) fn finish(self, set: &mut VectorSet) -> Result<(), LoadError> {
        let (answers, documents): (Vec<_>, Vec<_>) = self
            .0
            .into_iter()
            .partition(|(_, d)| !d.groups.is_empty() && d.groups.iter().all(|g| g.parameter_set.is_none() && known(d)));
        let mut answers: HashMap<_, (String, Document)> =
            answers.into_iter().map(|(name, d)| (identity(&name, &d), (name, d))).collect();
        for (name, mut document) in documents {
            let mode = document.mode.clone().unwrap_or_default();
            let complete =
                document.groups.iter().all(|g| g.tests.iter().all(|t| t.answered(&mode, g.function.as_deref())));
            if !complete && let Some((_, answer)) = answers.remove(&identity(&name, &document)) {
                join(&mut document, answer);
            }
            let mut sink = Sink::new(set, &name, "ACVP");
            let outcome = convert::document(&name, document, &mut sink);
            sink.finish(outcome)?;
        }
        for (name, answer) in answers.into_values() {
            let mut sink = Sink::new(set, &name, "ACVP");
            let tests = answer.groups.iter().map(|g| g.tests.len()).sum();
            sink.skip(None, tests, "expected results whose prompts are not there or are complete");
            sink.finish(Ok(()))?;
        }
        Ok(())
    }
}

fn known(document: &Document) -> bool {
    matches!(document.algorithm.as_deref(), Some("ML-KEM" | "ML-DSA" | "SLH-DSA") | None)
}

/// Prompt and results lie in one directory and have one vector set number.
fn identity(name: &str, document: &Document) -> (String, Option<u64>, Option<String>) {
    let directory = Path::new(name).parent().map(|p| p.display().to_string()).unwrap_or_default();
    (directory, document.vs_id, document.mode.clone())
}

fn join(document: &mut Document, answer: Document) {
    let mut answers: HashMap<(u64, u64), Test> =
        answer.groups.into_iter().flat_map(|g| g.tests.into_iter().map(move |t| ((g.id, t.id), t))).collect();
    for group in &mut document.groups {
        for test in &mut group.tests {
            if let Some(answer) = answers.remove(&(group.id, test.id)) {
                test.complete(answer);
            }
        }
    }
}

fn row(group: &Group) -> Option<&'static Algorithm> {
    group.parameter_set.as_deref().and_then(find)
}

/// A field that a test must have, from the test or from its group.
fn need<'a>(file: &str, group: &Group, test: &Test, name: &str, value: Option<&'a Hex>) -> Result<&'a [u8], LoadError> {
    value
        .map(|Hex(bytes)| bytes.as_slice())
        .ok_or_else(|| LoadError::at(file, format!("group {}, test {}", group.id, test.id), format!("no `{name}`")))
}

fn place<'a>(algorithm: &'static Algorithm, group: &Group, test: &'a Test) -> Place<'a> {
    Place { algorithm, group: group.id, id: test.id, comment: test.reason.as_deref() }
}
