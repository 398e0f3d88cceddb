//! ACVP tests to cases, by algorithm and mode.

use super::{Document, Group, Test, need, place, row};
use crate::conformance::case::Expect;
use crate::conformance::vectors::{LoadError, Sink};
use crate::workload::operation::Operation;
use crate::workload::perform::{Fields, Params};
use crypto::{Algorithm, SecretForm};

pub(super) fn document(file: &str, document: Document, sink: &mut Sink<'_>) -> Result<(), LoadError> {
    let Document { algorithm, mode, groups, .. } = document;
    let (algorithm, mode) = (algorithm.unwrap_or_default(), mode.unwrap_or_default());
    for group in &groups {
        let supported = matches!(
            (algorithm.as_str(), mode.as_str()),
            ("ML-KEM", "keyGen" | "encapDecap") | ("ML-DSA" | "SLH-DSA", "keyGen" | "sigGen" | "sigVer")
        );
        let Some(row) = row(group).filter(|_| supported) else {
            let what = group.parameter_set.as_deref().unwrap_or(&algorithm);
            sink.skip(None, group.tests.len(), &format!("no reader for ACVP {what} {mode}"));
            continue;
        };
        if group.tests.iter().any(|t| !t.answered(&mode, group.function.as_deref()))
            && group.tests.iter().all(|t| !t.answered(&mode, group.function.as_deref()))
        {
            sink.skip(Some(row), group.tests.len(), "a prompt without its expected results");
            continue;
        }
        match (algorithm.as_str(), mode.as_str()) {
            ("ML-KEM", "encapDecap") => encap_decap(file, row, group, sink)?,
            (_, "keyGen") => group.tests.iter().try_for_each(|test| keygen(file, row, group, test, sink))?,
            (_, "sigGen") => signatures(file, row, group, true, sink)?,
            _ => signatures(file, row, group, false, sink)?,
        }
    }
    Ok(())
}

/// Seed → public key, and expanded private key → public key.
fn keygen(
    file: &str,
    row: &'static Algorithm,
    group: &Group,
    test: &Test,
    sink: &mut Sink<'_>,
) -> Result<(), LoadError> {
    let field = |name, value| need(file, group, test, name, value);
    let (seed, public, secret) = if row.family == crypto::Family::Kem {
        ([field("d", test.d.as_ref())?, field("z", test.z.as_ref())?].concat(), &test.ek, &test.dk)
    } else if test.sk_seed.is_some() {
        let parts = [
            field("skSeed", test.sk_seed.as_ref())?,
            field("skPrf", test.sk_prf.as_ref())?,
            field("pkSeed", test.pk_seed.as_ref())?,
        ];
        (parts.concat(), &test.pk, &test.sk)
    } else {
        (field("seed", test.seed.as_ref())?.to_vec(), &test.pk, &test.sk)
    };
    let public = field("ek or pk", public.as_ref())?;
    let secret = field("dk or sk", secret.as_ref())?;
    let expect = Expect::Outputs(Fields::default().with("public", public));
    let at = place(row, group, test);
    let input = |bytes: &[u8]| Fields::default().with("secret", bytes);
    sink.case(&at, Operation::ImportSeed, Params::form(SecretForm::Seed), input(&seed), expect.clone());
    sink.case(&at, Operation::ImportSecret, Params::form(SecretForm::Expanded), input(secret), expect);
    Ok(())
}

fn encap_decap(file: &str, row: &'static Algorithm, group: &Group, sink: &mut Sink<'_>) -> Result<(), LoadError> {
    for test in &group.tests {
        let field = |name, value| need(file, group, test, name, value);
        let ek = || field("ek", test.ek.as_ref().or(group.ek.as_ref()));
        let dk = || field("dk", test.dk.as_ref().or(group.dk.as_ref()));
        let at = place(row, group, test);
        let expanded = Params::form(SecretForm::Expanded);
        let decaps = |c: &[u8], dk: &[u8]| Fields::default().with("secret", dk).with("ciphertext", c);
        match group.function.as_deref() {
            Some("encapsulation") => {
                let (c, k) = (field("c", test.c.as_ref())?, field("k", test.k.as_ref())?);
                let shared = Fields::default().with("shared", k);
                sink.case(
                    &at,
                    Operation::EncapsDerand,
                    Params::default(),
                    Fields::default().with("public", ek()?).with("coins", field("m", test.m.as_ref())?),
                    Expect::Outputs(shared.clone().with("ciphertext", c)),
                );
                if test.dk.is_some() || group.dk.is_some() {
                    sink.case(&at, Operation::Decaps, expanded, decaps(c, dk()?), Expect::Outputs(shared));
                }
            }
            Some("decapsulation") => {
                let (c, k) = (field("c", test.c.as_ref())?, field("k", test.k.as_ref())?);
                let expect = Expect::Outputs(Fields::default().with("shared", k));
                sink.case(&at, Operation::Decaps, expanded, decaps(c, dk()?), expect);
            }
            // The check is made when the key is taken in or when it is used (FIPS 203 section 7.2): `encaps` does both.
            Some("encapsulationKeyCheck") => {
                let inputs = Fields::default().with("public", ek()?);
                sink.case(&at, Operation::Encaps, Params::default(), inputs, verdict(file, group, test)?);
            }
            Some("decapsulationKeyCheck") => {
                let inputs = decaps(&vec![0; row.sizes.ciphertext.unwrap_or(0)], dk()?);
                sink.case(&at, Operation::Decaps, expanded, inputs, verdict(file, group, test)?);
            }
            other => sink.skip(Some(row), 1, &format!("ACVP function {}", other.unwrap_or("not given"))),
        }
    }
    Ok(())
}

fn verdict(file: &str, group: &Group, test: &Test) -> Result<Expect, LoadError> {
    match test.passed {
        Some(true) => Ok(Expect::Accepted),
        Some(false) => Ok(Expect::Refused),
        None => Err(LoadError::at(file, format!("group {}, test {}", group.id, test.id), "no `testPassed`")),
    }
}

/// Why a group of signatures cannot be asked: only the external pure interface is that of the standard's users.
fn interface(group: &Group) -> Option<&'static str> {
    match (group.interface.as_deref(), group.pre_hash.as_deref()) {
        _ if group.external_mu => Some("externally computed µ (internal interface)"),
        (None | Some("internal"), _) => Some("internal signature interface (no context encoding)"),
        (_, Some("preHash")) => Some("pre-hash signature (HashML-DSA, HashSLH-DSA)"),
        (Some("external"), None | Some("pure" | "none")) => None,
        _ => Some("a signature interface that is not known"),
    }
}

fn signatures(
    file: &str,
    row: &'static Algorithm,
    group: &Group,
    generate: bool,
    sink: &mut Sink<'_>,
) -> Result<(), LoadError> {
    if let Some(reason) = interface(group) {
        sink.skip(Some(row), group.tests.len(), reason);
        return Ok(());
    }
    for test in &group.tests {
        let field = |name, value| need(file, group, test, name, value);
        let at = place(row, group, test);
        let signature = field("signature", test.signature.as_ref())?;
        let context = test.context.as_ref().map_or(&[][..], |c| &c.0);
        let mut signed = Fields::default().with("message", field("message", test.message.as_ref())?);
        if !context.is_empty() {
            signed.insert("context", context.to_vec());
        }
        if generate && group.deterministic == Some(true) {
            let sk = field("sk", test.sk.as_ref().or(group.sk.as_ref()))?;
            sink.case(
                &at,
                Operation::SignDeterministic,
                Params::form(SecretForm::Expanded),
                signed.clone().with("secret", sk),
                Expect::Outputs(Fields::default().with("signature", signature)),
            );
        } else if generate {
            sink.skip(Some(row), 1, "hedged signature with given randomness");
        }
        let public = test.pk.as_ref().or(group.pk.as_ref());
        if generate && public.is_none() {
            continue;
        }
        let inputs = signed.with("public", field("pk", public)?).with("signature", signature);
        let expect = if generate { Expect::Accepted } else { verdict(file, group, test)? };
        let expect = match expect {
            Expect::Accepted => Expect::Outputs(Fields::default().with("valid", &[1])),
            other => other,
        };
        sink.case(&at, Operation::Verify, Params::default(), inputs, expect);
    }
    Ok(())
}
