//! KEMs: every provider encapsulates to every provider's key.

use super::{Depth, FORMS, Party, everyone, filler, flipped, take, unequal};
use crate::conformance::blame::Disagreement;
use crate::conformance::performer::PerformError;
use crate::workload::operation::Operation;
use crate::workload::perform::{Fields, Params};
use crypto::{Fault, SecretForm};
use std::collections::BTreeMap;

#[derive(Clone)]
struct Key {
    form: SecretForm,
    secret: Vec<u8>,
    public: Vec<u8>,
}

#[derive(Clone)]
struct Sent {
    ciphertext: Vec<u8>,
    shared: Vec<u8>,
}

pub(super) fn check(parties: &mut [Party<'_>], depth: Depth) -> Vec<Disagreement> {
    let keys = everyone(parties, |_, party| own_key(party));
    let seeded: Vec<_> =
        keys.iter().map(|key| key.as_ref().filter(|k| k.form == SecretForm::Seed).map(|k| k.public.clone())).collect();
    let mut found = unequal(&seeded, "the public key of the same seed differs");

    // Row: who encapsulated; column: to whose key.
    let sent = everyone(parties, |_, party| {
        if let Some(key) = keys.iter().flatten().next() {
            lax_key_check(party, &key.public);
        }
        keys.iter().map(|key| key.as_ref().map(|key| send(party, &key.public))).collect::<Vec<_>>()
    });
    for (a, row) in sent.iter().enumerate() {
        for (b, outcome) in row.iter().enumerate() {
            if let Some(Err(what)) = outcome {
                note(parties, &mut found, a, b, what);
            }
        }
    }
    let seen = everyone(parties, |me, party| receive(party, me, &keys, &sent, depth));
    for (me, opened) in seen.iter().enumerate() {
        for (sender, what) in &opened.wrong {
            note(parties, &mut found, me, *sender, what);
        }
    }
    // A private key carried over: whatever comes out, it is the same for all who hold it.
    for owner in 0..keys.len() {
        for sender in 0..keys.len() {
            let values: Vec<_> = seen.iter().map(|opened| opened.shared.get(&(owner, sender)).cloned()).collect();
            found.extend(unequal(&values, "decapsulation with the same private key differs"));
        }
    }
    found.extend(derandomised(parties, &keys));
    found
}

/// A fault where both are the same provider, else a disagreement.
fn note(parties: &mut [Party<'_>], found: &mut Vec<Disagreement>, a: usize, b: usize, what: &str) {
    if a == b {
        if let Some(party) = parties.get_mut(a) {
            party.faults.push(what.to_owned());
        }
    } else {
        found.push(Disagreement { a, b, what: what.to_owned() });
    }
}

/// From the common seed where the provider takes one; else generated and given out.
fn own_key(party: &mut Party<'_>) -> Option<Key> {
    if let (true, Some(length)) = (party.offers(Operation::ImportSeed), party.sizes.and_then(|s| s.seed)) {
        let secret = filler("pqlab cross-check KEM seed", length);
        let inputs = Fields::default().with("secret", &secret);
        let outputs = party.must(Operation::ImportSeed, Params::form(SecretForm::Seed), &inputs);
        if let Some(public) = outputs.as_ref().and_then(|o| take(o, "public")) {
            return Some(Key { form: SecretForm::Seed, secret, public });
        }
    }
    for form in FORMS.into_iter().rev() {
        let Ok(outputs) = party.ask(Operation::Keygen, Params::form(form), &Fields::default()) else { continue };
        if let (Some(secret), Some(public)) = (take(&outputs, "secret"), take(&outputs, "public")) {
            return Some(Key { form, secret, public });
        }
    }
    party.notes.push("holds no key in this check: it neither takes a seed nor releases a private key".into());
    None
}

fn send(party: &mut Party<'_>, public: &[u8]) -> Result<Sent, String> {
    let outputs = party
        .ask(Operation::Encaps, Params::default(), &Fields::default().with("public", public))
        .map_err(|e| format!("encapsulation fails: {e}"))?;
    match (take(&outputs, "ciphertext"), take(&outputs, "shared")) {
        (Some(ciphertext), Some(shared)) if !shared.is_empty() => Ok(Sent { ciphertext, shared }),
        _ => Err("encapsulation gives no ciphertext or shared secret".into()),
    }
}

/// Keys that every implementation must refuse: a wrong length, and for ML-KEM a coefficient that is not below q
/// (FIPS 203 section 7.2).
fn lax_key_check(party: &mut Party<'_>, public: &[u8]) {
    let short = public.get(1..).unwrap_or_default();
    let inputs = Fields::default().with("public", short);
    party.refuses(Operation::Encaps, Params::default(), &inputs, "a public key that is one byte short");
    if party.offer.name.starts_with("ML-KEM-") {
        let mut unreduced = public.to_vec();
        unreduced.iter_mut().take(3).for_each(|byte| *byte = 0xFF);
        let inputs = Fields::default().with("public", &unreduced);
        party.refuses(Operation::Encaps, Params::default(), &inputs, "a public key with coefficients above q");
    }
}

/// What one party made of the messages.
#[derive(Default)]
struct Opened {
    /// Messages to its own key that it did not open: who sent them, and what was wrong.
    wrong: Vec<(usize, String)>,
    /// Shared secret by owner of the key and sender.
    shared: BTreeMap<(usize, usize), Vec<u8>>,
}

/// Opens what every provider sent to this one's key; at full depth also what was sent to the others' keys, with the
/// private key carried over.
fn receive(
    party: &mut Party<'_>,
    me: usize,
    keys: &[Option<Key>],
    sent: &[Vec<Option<Result<Sent, String>>>],
    depth: Depth,
) -> Opened {
    let mut opened = Opened::default();
    for (owner, key) in keys.iter().enumerate() {
        let Some(key) = key else { continue };
        let takes_it = key.form != SecretForm::Seed || party.offers(Operation::ImportSeed);
        if owner != me && (depth == Depth::Quick || !takes_it) {
            continue;
        }
        for (sender, row) in sent.iter().enumerate() {
            let Some(Some(Ok(message))) = row.get(owner) else { continue };
            match open(party, key, message) {
                Ok(Some(shared)) => {
                    if owner == me && shared != message.shared {
                        let what = "decapsulation does not give the shared secret of encapsulation";
                        opened.wrong.push((sender, what.to_owned()));
                    } else if owner == me {
                        altered(party, key, message);
                    }
                    opened.shared.insert((owner, sender), shared);
                }
                Ok(None) => break,
                Err(what) if owner == me => opened.wrong.push((sender, what)),
                Err(what) => {
                    opened.shared.insert((owner, sender), Vec::new());
                    party.notes.push(format!("a key carried over: {what}"));
                }
            }
        }
    }
    opened
}

/// `None` when this provider does not take the key in that form.
fn open(party: &mut Party<'_>, key: &Key, message: &Sent) -> Result<Option<Vec<u8>>, String> {
    let inputs = Fields::default().with("secret", &key.secret).with("ciphertext", &message.ciphertext);
    match party.ask(Operation::Decaps, Params::form(key.form), &inputs) {
        Ok(outputs) => Ok(Some(take(&outputs, "shared").unwrap_or_default())),
        Err(PerformError::Answer { fault: Fault::Unsupported, what }) => {
            party.notes.push(format!("decaps: {what}"));
            Ok(None)
        }
        Err(error) => Err(format!("decapsulation fails: {error}")),
    }
}

/// An altered ciphertext gives an error or another secret.
fn altered(party: &mut Party<'_>, key: &Key, message: &Sent) {
    let inputs = Fields::default().with("secret", &key.secret).with("ciphertext", &flipped(&message.ciphertext));
    if let Ok(outputs) = party.ask(Operation::Decaps, Params::form(key.form), &inputs)
        && outputs.get("shared") == Some(&message.shared)
    {
        party.faults.push("decaps gives the shared secret although the ciphertext was altered".into());
    }
}

fn derandomised(parties: &mut [Party<'_>], keys: &[Option<Key>]) -> Vec<Disagreement> {
    let Some(key) = keys.iter().flatten().next() else { return Vec::new() };
    let inputs = Fields::default().with("public", &key.public).with("coins", &filler("pqlab cross-check coins", 32));
    let values = everyone(parties, |_, party| {
        if !party.offers(Operation::EncapsDerand) {
            return None;
        }
        let outputs = party.must(Operation::EncapsDerand, Params::default(), &inputs)?;
        Some([take(&outputs, "ciphertext")?, take(&outputs, "shared")?].concat())
    });
    unequal(&values, "derandomised encapsulation with the same coins differs")
}
