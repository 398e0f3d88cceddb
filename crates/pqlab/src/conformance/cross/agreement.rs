//! Key agreement: two fixed private keys, on every provider.

use super::{Party, everyone, filler, flipped, take, unequal};
use crate::conformance::blame::Disagreement;
use crate::workload::operation::Operation;
use crate::workload::perform::{Fields, Params};

pub(super) fn check(parties: &mut [Party<'_>]) -> Vec<Disagreement> {
    let values = everyone(parties, |_, party| exchange(party));
    let publics: Vec<_> = values.iter().map(|value| value.as_ref().map(|(public, _)| public.clone())).collect();
    let secrets: Vec<_> = values.iter().map(|value| value.as_ref().map(|(_, shared)| shared.clone())).collect();
    let mut found = unequal(&publics, "the public key of the same private key differs");
    found.extend(unequal(&secrets, "the shared secret of the same keys differs"));
    found
}

/// Public key of the first private key, and the secret shared with the second.
fn exchange(party: &mut Party<'_>) -> Option<(Vec<u8>, Vec<u8>)> {
    let length = party.sizes.and_then(|s| s.secret);
    let Some(length) = length.filter(|_| party.offers(Operation::ImportSecret)) else {
        party.notes.push("takes no part: it does not import private keys".into());
        return None;
    };
    let private = |label: &str| {
        let mut scalar = filler(label, length);
        if let (Some(first), true) = (scalar.first_mut(), party.offer.name.starts_with("P-")) {
            // Below the order of the curve.
            *first = 0x01;
        }
        scalar
    };
    let (alice, bob) = (private("pqlab cross-check Alice"), private("pqlab cross-check Bob"));
    let mut public_of = |secret: &[u8]| {
        let inputs = Fields::default().with("secret", secret);
        party.must(Operation::ImportSecret, Params::default(), &inputs).and_then(|o| take(&o, "public"))
    };
    let (alice_public, bob_public) = (public_of(&alice)?, public_of(&bob)?);
    let inputs = |secret: &[u8], public: &[u8]| Fields::default().with("secret", secret).with("public", public);
    let params = Params::default();
    let shared = take(&party.must(Operation::Derive, params, &inputs(&alice, &bob_public))?, "shared")?;
    let other = take(&party.must(Operation::Derive, params, &inputs(&bob, &alice_public))?, "shared")?;
    if shared != other || shared.is_empty() {
        party.faults.push("the two sides do not derive the same secret".into());
    }
    let short = bob_public.get(1..).unwrap_or_default();
    party.refuses(Operation::Derive, params, &inputs(&alice, short), "a public key that is one byte short");
    let altered = inputs(&alice, &flipped(&bob_public));
    if party.offer.name.starts_with("P-") {
        // One bit off: no longer a point of the curve (SP 800-56A section 5.6.2.3.3).
        party.refuses(Operation::Derive, params, &altered, "a public key that is not on the curve");
    } else if let Ok(outputs) = party.ask(Operation::Derive, params, &altered)
        && outputs.get("shared") == Some(&shared)
    {
        party.faults.push("another public key gives the same secret".into());
    }
    Some((alice_public, shared))
}
