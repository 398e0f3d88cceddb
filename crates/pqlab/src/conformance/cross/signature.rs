//! Signatures: every provider verifies every provider's.

use super::{Depth, Party, distinct, everyone, filler, flipped, take, unequal};
use crate::conformance::blame::Disagreement;
use crate::conformance::embedded;
use crate::workload::operation::Operation;
use crate::workload::perform::{Fields, Params};
use crypto::SecretForm;

#[derive(Clone)]
struct Key {
    form: SecretForm,
    secret: Vec<u8>,
    public: Vec<u8>,
    /// The same for all who have it: deterministic signatures can be compared.
    common: bool,
}

#[derive(Clone)]
struct Signed {
    public: Vec<u8>,
    message: Vec<u8>,
    context: Vec<u8>,
    signature: Vec<u8>,
    /// Made with the deterministic variant, and with the common key.
    comparable: bool,
}

impl Signed {
    fn inputs(&self) -> Fields {
        let inputs = Fields::default()
            .with("public", &self.public)
            .with("message", &self.message)
            .with("signature", &self.signature);
        if self.context.is_empty() { inputs } else { inputs.with("context", &self.context) }
    }
}

pub(super) fn check(parties: &mut [Party<'_>], depth: Depth) -> Vec<Disagreement> {
    let keys = everyone(parties, |_, party| own_key(party));
    let common: Vec<_> = keys.iter().map(|key| key.as_ref().filter(|k| k.common).map(|k| k.public.clone())).collect();
    let mut found = unequal(&common, "the public key of the same private key differs");

    let signed = everyone(parties, |me, party| match keys.get(me) {
        Some(Some(key)) => sign_all(party, key, depth),
        _ => Vec::new(),
    });
    for slot in 0..signed.iter().map(Vec::len).max().unwrap_or(0) {
        let values: Vec<_> = signed
            .iter()
            .map(|list| list.get(slot)?.as_ref().filter(|s| s.comparable).map(|s| s.signature.clone()))
            .collect();
        found.extend(unequal(&values, "deterministic signatures of the same key and message differ"));
    }
    let seen = everyone(parties, |_, party| verify_all(party, &signed));
    for (me, outcomes) in seen.into_iter().enumerate() {
        for (signer, what) in outcomes {
            if signer != me {
                found.push(Disagreement { a: me, b: signer, what });
            } else if let Some(party) = parties.get_mut(me) {
                party.faults.push(what);
            }
        }
    }
    found
}

/// A fixed private key: the seed of the standard, the scalar of ECDSA, a PKCS#8 file for RSA.
fn fixed(party: &Party<'_>) -> Option<(SecretForm, Vec<u8>)> {
    let sizes = party.sizes?;
    if let Some(length) = sizes.seed {
        return party
            .offers(Operation::ImportSeed)
            .then(|| (SecretForm::Seed, filler("pqlab cross-check signature seed", length)));
    }
    if party.offer.name.starts_with("RSA-") {
        return Some((SecretForm::Pkcs8, embedded::rsa_key(&party.offer.name)?));
    }
    // The first byte keeps the scalar below the order of the curve.
    let mut scalar = filler("pqlab cross-check scalar", sizes.secret?);
    *scalar.first_mut()? = 0x01;
    Some((SecretForm::Expanded, scalar))
}

fn own_key(party: &mut Party<'_>) -> Option<Key> {
    if let Some((form, secret)) = fixed(party) {
        let operation = if form == SecretForm::Seed { Operation::ImportSeed } else { Operation::ImportSecret };
        let outputs = party.must(operation, Params::form(form), &Fields::default().with("secret", &secret));
        if let Some(public) = outputs.as_ref().and_then(|o| take(o, "public")) {
            return Some(Key { form, secret, public, common: true });
        }
    }
    for form in [SecretForm::Expanded, SecretForm::Seed, SecretForm::Pkcs8] {
        let Ok(outputs) = party.ask(Operation::Keygen, Params::form(form), &Fields::default()) else { continue };
        if let (Some(secret), Some(public)) = (take(&outputs, "secret"), take(&outputs, "public")) {
            return Some(Key { form, secret, public, common: false });
        }
    }
    party.notes.push("signs nothing in this check: it neither takes nor releases a private key".into());
    None
}

/// One slot each: deterministic, the library's default, with a context. An empty slot was not offered.
fn sign_all(party: &mut Party<'_>, key: &Key, depth: Depth) -> Vec<Option<Signed>> {
    let slh = party.offer.name.starts_with("SLH-DSA-");
    let contexts = slh || party.offer.name.starts_with("ML-DSA-");
    let deterministic = party.offers(Operation::SignDeterministic);
    // A signature of the small SLH-DSA sets takes seconds in portable code: one must do, and before a run one of every
    // SLH-DSA set. The code around the signature (context, randomness) is that of the fast sets.
    let brief = slh && deterministic && (depth == Depth::Quick || party.offer.name.ends_with('s'));
    let mut slots = Vec::new();
    slots.push(if deterministic { sign(party, key, Operation::SignDeterministic, b"") } else { None });
    slots.push(if brief { None } else { sign(party, key, Operation::Sign, b"") });
    slots.push(if contexts && !brief { sign(party, key, Operation::Sign, b"pqlab cross-check") } else { None });
    slots
}

fn sign(party: &mut Party<'_>, key: &Key, operation: Operation, context: &[u8]) -> Option<Signed> {
    let message = filler("pqlab cross-check message", 100);
    let mut inputs = Fields::default().with("secret", &key.secret).with("message", &message);
    if !context.is_empty() {
        inputs.insert("context", context.to_vec());
    }
    let outputs = party.must(operation, Params::form(key.form), &inputs)?;
    let Some(signature) = take(&outputs, "signature").filter(|s| !s.is_empty()) else {
        party.faults.push(format!("{operation} gives no signature"));
        return None;
    };
    // ECDSA: RFC 6979 and other derandomisations are all "deterministic" and differ.
    let fixed_by_standard = !party.offer.name.starts_with("ECDSA-");
    let comparable = key.common && operation == Operation::SignDeterministic && fixed_by_standard;
    Some(Signed { public: key.public.clone(), message, context: context.to_vec(), signature, comparable })
}

/// Pairs (signer, what) that this party does not verify.
fn verify_all(party: &mut Party<'_>, signed: &[Vec<Option<Signed>>]) -> Vec<(usize, String)> {
    let mut wrong = Vec::new();
    let mut forged = [false; 2];
    for (signer, list) in signed.iter().enumerate() {
        for item in list.iter().flatten() {
            let Some(outputs) = verify(party, item, &mut wrong, signer) else { continue };
            if outputs.get("valid") != Some(&[1]) {
                let context = if item.context.is_empty() { "" } else { " with a context" };
                wrong.push((signer, format!("a signature{context} is not verified")));
                continue;
            }
            // Forgeries are of what this party accepts, so that it alone can be wrong; one signature of each kind.
            let with_context = usize::from(!item.context.is_empty());
            if let Some(done) = forged.get_mut(with_context)
                && !*done
            {
                *done = true;
                forge(party, item);
            }
        }
    }
    party.notes = distinct(party.notes.drain(..));
    wrong
}

fn verify(party: &mut Party<'_>, item: &Signed, wrong: &mut Vec<(usize, String)>, signer: usize) -> Option<Fields> {
    use crate::conformance::performer::PerformError;
    match party.ask(Operation::Verify, Params::default(), &item.inputs()) {
        Ok(outputs) => Some(outputs),
        Err(PerformError::Answer { fault: crypto::Fault::Unsupported, what }) => {
            party.notes.push(format!("verify: {what}"));
            None
        }
        Err(error) => {
            wrong.push((signer, format!("a signature is not verified: {error}")));
            None
        }
    }
}

fn forge(party: &mut Party<'_>, item: &Signed) {
    let try_one = |party: &mut Party<'_>, change: &dyn Fn(&mut Signed), what: &str| {
        let mut forged = item.clone();
        change(&mut forged);
        party.refuses(Operation::Verify, Params::default(), &forged.inputs(), what);
    };
    if item.context.is_empty() {
        try_one(party, &|s| s.signature = flipped(&s.signature), "an altered signature");
        try_one(party, &|s| s.message = flipped(&s.message), "a signature of another message");
        try_one(party, &|s| s.signature.clear(), "an empty signature");
        try_one(party, &|s| s.public.truncate(s.public.len().saturating_sub(1)), "a public key that is one byte short");
    } else {
        try_one(party, &|s| s.context.clear(), "a signature without the context that it was made with");
        try_one(party, &|s| s.context = b"pqlab cross-chess".to_vec(), "a signature under another context");
    }
}
