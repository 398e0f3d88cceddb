//! A spot check with known answers, for every linked provider: `vectors/spot.json` holds a few hard cases per family
//! (its README says from where). `PQLAB_SPOT_VECTORS` names another file of the same form to run instead.
//! The complete vector files are the business of `pqlab conform`.

mod support;

use crypto::provider::Provider;
use crypto::{Error, Fault, Randomness, Result, SecretForm};
use serde_json::Value;
use std::collections::BTreeMap;
use support::{exported, providers};

#[test]
fn providers_give_the_known_answers() {
    let text = match std::env::var("PQLAB_SPOT_VECTORS") {
        Ok(path) => std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}")),
        Err(_) => include_str!("vectors/spot.json").to_owned(),
    };
    let cases: Vec<Value> = serde_json::from_str(&text).unwrap();
    let mut wrong = Vec::new();
    let mut passed: BTreeMap<String, usize> = BTreeMap::new();
    for provider in providers() {
        for case in &cases {
            let name = case["algorithm"].as_str().unwrap();
            if provider.algorithm(name).is_none() {
                continue;
            }
            match check(provider, case) {
                Ok(()) => *passed.entry(format!("{name} by {}", provider.identity.id())).or_default() += 1,
                Err(Outcome::NotOffered) => {}
                Err(Outcome::Wrong(what)) => wrong.push(format!(
                    "{} {} by {}: {what}\n  {} {}",
                    case["source"],
                    name,
                    provider.identity.id(),
                    case["comment"],
                    case["flags"]
                )),
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong answers:\n{}", wrong.len(), wrong.join("\n"));
    for provider in providers() {
        for row in provider.algorithms() {
            let tested = passed.contains_key(&format!("{} by {}", row.name, provider.identity.id()));
            assert!(tested, "no case for {} by {}", row.name, provider.identity.id());
        }
    }
}

enum Outcome {
    /// The provider lacks the form or option that the case needs.
    NotOffered,
    Wrong(String),
}

impl From<Error> for Outcome {
    fn from(error: Error) -> Self {
        if error.fault() == Fault::Unsupported { Self::NotOffered } else { Self::Wrong(format!("{error:?}")) }
    }
}

fn hex(case: &Value, field: &str) -> Vec<u8> {
    hex::decode(case[field].as_str().unwrap_or_else(|| panic!("{field} is missing in {}", case["source"]))).unwrap()
}

/// A case marked valid must give the answer; an invalid one must give an error or another answer; an acceptable one
/// may be refused.
fn judge(case: &Value, answer: Result<bool>) -> std::result::Result<(), Outcome> {
    match (case["result"].as_str().unwrap(), answer) {
        (_, Err(error)) if error.fault() == Fault::Unsupported => Err(Outcome::NotOffered),
        ("valid" | "acceptable", Ok(true)) | ("invalid", Ok(false)) => Ok(()),
        // An agreement must not give another secret instead.
        ("acceptable", Ok(false)) if case["kind"] == "sig_verify" => Ok(()),
        ("invalid" | "acceptable", Err(error)) if error.fault() != Fault::Provider => Ok(()),
        (expected, answer) => Err(Outcome::Wrong(format!("{expected}, got {answer:?}"))),
    }
}

fn check(provider: &Provider, case: &Value) -> std::result::Result<(), Outcome> {
    let name = case["algorithm"].as_str().unwrap();
    let get = |field| hex(case, field);
    let answer = match case["kind"].as_str().unwrap() {
        "kem_keygen" => kem_keygen(provider, name, case),
        "kem_seed_decaps" => kem_decaps(provider, name, SecretForm::Seed, &get("seed"), case),
        "kem_dk_decaps" => kem_decaps(provider, name, SecretForm::Expanded, &get("dk"), case),
        "kem_encaps" => kem_encaps(provider, name, case),
        "sig_keygen" => sig_keygen(provider, name, case),
        "sig_verify" => provider
            .signature(name)
            .unwrap()
            .import_public(&get("public"))
            .and_then(|key| key.verify(&get("msg"), &get("ctx"), &get("sig"))),
        "sig_sign" => sig_sign(provider, name, case),
        "agree" => agree(provider, name, case),
        "aead" => aead(provider, name, case),
        "hash" => {
            let expected = get("digest");
            let mut out = vec![0; expected.len()];
            provider.hash(name).unwrap().hash(&get("msg"), &mut out).map(|()| out == expected)
        }
        "mac" => mac(provider, name, case),
        "kdf" => {
            let mut out = vec![0; case["size"].as_u64().unwrap() as usize];
            let derived = provider.kdf(name).unwrap().derive(&get("ikm"), &get("salt"), &get("info"), &mut out);
            derived.map(|()| out == get("okm"))
        }
        kind => panic!("unknown kind {kind}"),
    };
    judge(case, answer)
}

/// Whether `bytes` are the field's, given in full or as SHA-256.
fn same(case: &Value, field: &str, bytes: &[u8]) -> bool {
    use sha2::{Digest, Sha256};
    match case[field].as_str() {
        Some(_) => hex(case, field) == bytes,
        None => hex(case, &format!("{field}_sha256")) == Sha256::digest(bytes).to_vec(),
    }
}

fn kem_keygen(provider: &Provider, name: &str, case: &Value) -> Result<bool> {
    let key = provider.kem(name).unwrap().import_secret(SecretForm::Seed, &hex(case, "seed"))?;
    let public = exported(|out| key.export_public(out))?;
    let expanded = exported(|out| key.export_secret(SecretForm::Expanded, out))?;
    Ok(same(case, "ek", &public) && same(case, "dk", &expanded))
}

fn kem_decaps(provider: &Provider, name: &str, form: SecretForm, secret: &[u8], case: &Value) -> Result<bool> {
    let mut shared = vec![0; 32];
    let key = provider.kem(name).unwrap().import_secret(form, secret)?;
    key.decapsulate(&hex(case, "c"), &mut shared)?;
    Ok(shared == hex(case, "k"))
}

fn kem_encaps(provider: &Provider, name: &str, case: &Value) -> Result<bool> {
    let kem = provider.kem(name).unwrap();
    let mut ciphertext = vec![0; kem.algorithm().sizes.ciphertext.unwrap()];
    let mut shared = vec![0; 32];
    let key = kem.import_public(&hex(case, "ek"))?;
    key.encapsulate_derandomised(&hex(case, "m"), &mut ciphertext, &mut shared)?;
    Ok(same(case, "c", &ciphertext) && shared == hex(case, "k"))
}

fn sig_keygen(provider: &Provider, name: &str, case: &Value) -> Result<bool> {
    let key = provider.signature(name).unwrap().import_secret(SecretForm::Seed, &hex(case, "seed"))?;
    let public = exported(|out| key.export_public(out))?;
    let expanded = exported(|out| key.export_secret(SecretForm::Expanded, out))?;
    Ok(same(case, "public", &public) && same(case, "expanded", &expanded))
}

fn sig_sign(provider: &Provider, name: &str, case: &Value) -> Result<bool> {
    let form = match case["form"].as_str().unwrap() {
        "seed" => SecretForm::Seed,
        _ => SecretForm::Expanded,
    };
    let key = provider.signature(name).unwrap().import_secret(form, &hex(case, "key"))?;
    let signature = exported(|out| key.sign(&hex(case, "msg"), &hex(case, "ctx"), Randomness::Deterministic, out))?;
    Ok(same(case, "sig", &signature))
}

fn agree(provider: &Provider, name: &str, case: &Value) -> Result<bool> {
    let scheme = provider.agreement(name).unwrap();
    let mut shared = vec![0; scheme.algorithm().sizes.shared.unwrap()];
    let peer = scheme.import_public(&hex(case, "public"))?;
    scheme.import_secret(&hex(case, "secret"))?.derive(&*peer, &mut shared)?;
    Ok(shared == hex(case, "shared"))
}

fn aead(provider: &Provider, name: &str, case: &Value) -> Result<bool> {
    let key = provider.aead(name).unwrap().import_key(&hex(case, "key"))?;
    let (nonce, aad, plaintext, expected) =
        (hex(case, "nonce"), hex(case, "aad"), hex(case, "msg"), hex(case, "sealed"));
    let mut opened = vec![0; plaintext.len()];
    let accepted = key.open(&nonce, &aad, &expected, &mut opened)? && opened == plaintext;
    let mut sealed = vec![0; expected.len()];
    key.seal(&nonce, &aad, &plaintext, &mut sealed)?;
    Ok(accepted && sealed == expected)
}

/// Some cases have a truncated tag.
fn mac(provider: &Provider, name: &str, case: &Value) -> Result<bool> {
    let mac = provider.mac(name).unwrap();
    let mut tag = vec![0; mac.algorithm().sizes.output.unwrap()];
    mac.import_key(&hex(case, "key"))?.mac(&hex(case, "msg"), &mut tag)?;
    let expected = hex(case, "tag");
    Ok(tag.get(..expected.len()) == Some(&expected[..]))
}
