//! AEAD, hash, MAC and KDF: the same bytes in give the same bytes out; AEADs also open each other's.

use super::{Party, everyone, filler, flipped, take, unequal};
use crate::conformance::blame::Disagreement;
use crate::workload::operation::Operation;
use crate::workload::perform::{Fields, Params};
use crypto::Family;

/// Around the block sizes of the primitives.
const LENGTHS: [usize; 5] = [0, 1, 64, 137, 1000];

pub(super) fn aead(parties: &mut [Party<'_>]) -> Vec<Disagreement> {
    let mut found = Vec::new();
    for length in LENGTHS {
        let values = everyone(parties, |_, party| seal_and_open(party, length));
        found.extend(unequal(&values, &format!("the ciphertext of the same {length} bytes differs")));
    }
    found
}

/// Equal ciphertexts open each other: one's own round trip and the comparison together are the cross-check.
fn seal_and_open(party: &mut Party<'_>, length: usize) -> Option<Vec<u8>> {
    let sizes = party.sizes?;
    let base = Fields::default()
        .with("key", &filler("pqlab cross-check key", sizes.key?))
        .with("nonce", &filler("pqlab cross-check nonce", sizes.nonce?))
        .with("aad", &filler("pqlab cross-check aad", length / 3));
    let plaintext = filler("pqlab cross-check plaintext", length);
    let params = Params::default();
    let sealed = take(&party.must(Operation::Seal, params, &base.clone().with("plaintext", &plaintext))?, "sealed")?;
    let opened = party.must(Operation::Open, params, &base.clone().with("sealed", &sealed))?;
    if opened.get("valid") != Some(&[1]) || opened.get("plaintext") != Some(&plaintext) {
        party.faults.push("does not open what it sealed".into());
        return Some(sealed);
    }
    let refuse = |party: &mut Party<'_>, inputs: &Fields, what: &str| {
        party.refuses(Operation::Open, params, inputs, what);
    };
    refuse(party, &base.clone().with("sealed", &flipped(&sealed)), "an altered ciphertext");
    let mut tag = sealed.clone();
    if let Some(last) = tag.last_mut() {
        *last ^= 1;
    }
    refuse(party, &base.clone().with("sealed", &tag), "an altered tag");
    refuse(party, &base.clone().with("sealed", &[]), "an empty ciphertext");
    refuse(party, &base.with("sealed", &sealed).with("aad", b"other"), "other associated data");
    Some(sealed)
}

pub(super) fn functions(parties: &mut [Party<'_>]) -> Vec<Disagreement> {
    let mut found = Vec::new();
    for length in LENGTHS {
        let values = everyone(parties, |_, party| function(party, length));
        found.extend(unequal(&values, &format!("the output for the same {length} bytes differs")));
    }
    found
}

fn function(party: &mut Party<'_>, length: usize) -> Option<Vec<u8>> {
    let message = filler("pqlab cross-check input", length);
    let key = filler("pqlab cross-check key", 32);
    let run = |party: &mut Party<'_>, message: &[u8]| {
        let (operation, inputs, name, params) = match party.offer.family {
            Family::Hash => {
                let length = party.offer.name.starts_with("SHAKE").then_some(200);
                let inputs = Fields::default().with("message", message);
                (Operation::Hash, inputs, "digest", Params { form: None, length })
            }
            Family::Mac => {
                (Operation::Mac, Fields::default().with("key", &key).with("message", message), "tag", Params::default())
            }
            _ => {
                let inputs = Fields::default().with("ikm", &key).with("salt", b"salt").with("info", message);
                (Operation::Derive, inputs, "okm", Params { form: None, length: Some(100) })
            }
        };
        take(&party.must(operation, params, &inputs)?, name)
    };
    let output = run(party, &message)?;
    let other = run(party, &[&message[..], b"!"].concat())?;
    if output == other {
        party.faults.push("gives the same output for different inputs".into());
    }
    Some(output)
}
