//! ML-KEM and ML-DSA.

use super::{File, Group, PublicKey, Test, Verdict};
use crate::conformance::case::Expect;
use crate::conformance::vectors::{Hex, LoadError, Sink};
use crate::workload::operation::Operation;
use crate::workload::perform::{Fields, Params};
use crypto::{Algorithm, SecretForm, find};

/// FIPS 203: the randomness `m` of encapsulation, bytes.
const COINS: usize = 32;

fn parameter_set(file: &File<'_>, group: &Group, sink: &mut Sink<'_>) -> Result<Option<&'static Algorithm>, LoadError> {
    let name = file.group("parameterSet", group.parameter_set.as_deref())?;
    let row = find(name);
    if row.is_none() {
        sink.skip(None, group.tests.len(), &format!("{name} is not in the catalogue"));
    }
    Ok(row)
}

/// Seed, ciphertext, shared secret.
pub(super) fn ml_kem(file: &File<'_>, group: &Group, sink: &mut Sink<'_>) -> Result<(), LoadError> {
    let Some(row) = parameter_set(file, group, sink)? else { return Ok(()) };
    for test in &group.tests {
        let at = file.place(row, test);
        let seed = file.need(test, "seed", test.seed.as_ref())?;
        let form = Params::form(SecretForm::Seed);
        let inputs = Fields::default().with("secret", seed);
        if let (Verdict::Valid, Some(Hex(ek))) = (test.result, &test.ek) {
            let public = Expect::Outputs(Fields::default().with("public", ek));
            sink.case(&at, Operation::ImportSeed, form, inputs.clone(), public);
        }
        let inputs = inputs.with("ciphertext", file.need(test, "c", test.c.as_ref())?);
        let shared = Fields::default().with("shared", file.need(test, "K", test.k.as_ref())?);
        sink.case(&at, Operation::Decaps, form, inputs, test.result.expect(shared));
    }
    Ok(())
}

/// Public key, coins; ciphertext and shared secret, or a key that must be refused (FIPS 203 section 7.2).
pub(super) fn ml_kem_encaps(file: &File<'_>, group: &Group, sink: &mut Sink<'_>) -> Result<(), LoadError> {
    let Some(row) = parameter_set(file, group, sink)? else { return Ok(()) };
    for test in &group.tests {
        let at = file.place(row, test);
        let coins = file.need(test, "m", test.m.as_ref())?;
        let public = Fields::default().with("public", file.need(test, "ek", test.ek.as_ref())?);
        // With coins of the right length it is the key that is wrong, and every provider can be asked.
        if test.result == Verdict::Invalid && coins.len() == COINS {
            sink.case(&at, Operation::Encaps, Params::default(), public.clone(), Expect::Refused);
        }
        let mut outputs = Fields::default();
        if test.result != Verdict::Invalid {
            outputs.insert("ciphertext", file.need(test, "c", test.c.as_ref())?.to_vec());
            outputs.insert("shared", file.need(test, "K", test.k.as_ref())?.to_vec());
        }
        let inputs = public.with("coins", coins);
        sink.case(&at, Operation::EncapsDerand, Params::default(), inputs, test.result.expect(outputs));
    }
    Ok(())
}

pub(super) fn ml_kem_keygen(file: &File<'_>, group: &Group, sink: &mut Sink<'_>) -> Result<(), LoadError> {
    let Some(row) = parameter_set(file, group, sink)? else { return Ok(()) };
    for test in &group.tests {
        let at = file.place(row, test);
        let seed = Fields::default().with("secret", file.need(test, "seed", test.seed.as_ref())?);
        let expect = if test.result == Verdict::Invalid {
            Expect::Refused
        } else {
            let public = Fields::default().with("public", file.need(test, "ek", test.ek.as_ref())?);
            let expanded = Fields::default().with("secret", file.need(test, "dk", test.dk.as_ref())?);
            let form = Params::form(SecretForm::Expanded);
            sink.case(&at, Operation::ImportSecret, form, expanded, test.result.expect(public.clone()));
            test.result.expect(public)
        };
        sink.case(&at, Operation::ImportSeed, Params::form(SecretForm::Seed), seed, expect);
    }
    Ok(())
}

pub(super) fn ml_kem_decaps(file: &File<'_>, group: &Group, sink: &mut Sink<'_>) -> Result<(), LoadError> {
    let Some(row) = parameter_set(file, group, sink)? else { return Ok(()) };
    for test in &group.tests {
        let inputs = Fields::default()
            .with("secret", file.need(test, "dk", test.dk.as_ref())?)
            .with("ciphertext", file.need(test, "c", test.c.as_ref())?);
        // Some of these files leave K out where the test is only whether the key and ciphertext are taken.
        let expect = match (test.result, &test.k) {
            (Verdict::Valid, None) => Expect::Accepted,
            (result, k) => {
                result.expect(k.as_ref().map_or_else(Fields::default, |Hex(k)| Fields::from([("shared", k.clone())])))
            }
        };
        sink.case(&file.place(row, test), Operation::Decaps, Params::form(SecretForm::Expanded), inputs, expect);
    }
    Ok(())
}

pub(super) fn ml_dsa_verify(file: &File<'_>, group: &Group, sink: &mut Sink<'_>) -> Result<(), LoadError> {
    let Some(row) = ml_dsa(file, group, sink) else { return Ok(()) };
    let Some(PublicKey::Raw(Hex(public))) = &group.public_key else {
        return file.group("publicKey", None);
    };
    for test in &group.tests {
        let Some(inputs) = signed(file, row, test, sink)? else { continue };
        let inputs = inputs.with("public", public).with("signature", file.need(test, "sig", test.sig.as_ref())?);
        let expect = test.result.expect(Fields::default().with("valid", &[1]));
        sink.case(&file.place(row, test), Operation::Verify, Params::default(), inputs, expect);
    }
    Ok(())
}

pub(super) fn ml_dsa_sign(file: &File<'_>, group: &Group, sink: &mut Sink<'_>) -> Result<(), LoadError> {
    let Some(row) = ml_dsa(file, group, sink) else { return Ok(()) };
    let (form, Hex(secret)) = match (&group.private_seed, &group.private_key) {
        (Some(seed), _) => (SecretForm::Seed, seed),
        (None, Some(expanded)) => (SecretForm::Expanded, expanded),
        (None, None) => return file.group("privateSeed or privateKey", None),
    };
    for test in &group.tests {
        if test.rnd.as_ref().is_some_and(|Hex(rnd)| rnd.iter().any(|b| *b != 0)) {
            sink.skip(Some(row), 1, "hedged signature with given randomness");
            continue;
        }
        let Some(inputs) = signed(file, row, test, sink)? else { continue };
        let mut outputs = Fields::default();
        if test.result != Verdict::Invalid {
            outputs.insert("signature", file.need(test, "sig", test.sig.as_ref())?.to_vec());
        }
        let expect = test.result.expect(outputs);
        let inputs = inputs.with("secret", secret);
        sink.case(&file.place(row, test), Operation::SignDeterministic, Params::form(form), inputs, expect);
    }
    Ok(())
}

fn ml_dsa(file: &File<'_>, group: &Group, sink: &mut Sink<'_>) -> Option<&'static Algorithm> {
    let row = find(file.algorithm);
    if row.is_none() {
        sink.skip(None, group.tests.len(), &format!("{} is not in the catalogue", file.algorithm));
    }
    row
}

/// Message and context; none when the test is for the internal interface and gives only µ.
fn signed(
    file: &File<'_>,
    row: &'static Algorithm,
    test: &Test,
    sink: &mut Sink<'_>,
) -> Result<Option<Fields>, LoadError> {
    if test.msg.is_none() && test.flags.iter().any(|flag| flag == "Internal") {
        sink.skip(Some(row), 1, "externally computed µ (internal interface)");
        return Ok(None);
    }
    let mut inputs = Fields::default().with("message", file.need(test, "msg", test.msg.as_ref())?);
    if let Some(Hex(context)) = test.ctx.as_ref().filter(|ctx| !ctx.0.is_empty()) {
        inputs.insert("context", context.clone());
    }
    Ok(Some(inputs))
}
