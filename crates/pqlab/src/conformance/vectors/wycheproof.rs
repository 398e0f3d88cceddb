//! Wycheproof (C2SP) JSON, schema of 2025: one `type` of groups a file.
//!
//! `valid` must work, `invalid` must be refused, `acceptable` may go either way but must not give another result.

use super::{Hex, LoadError, Place, Sink, VectorSet};
use crate::conformance::case::Expect;
use crate::workload::perform::Fields;
use crypto::Algorithm;
use serde::Deserialize;

mod asymmetric;
mod post_quantum;
mod symmetric;

#[derive(Deserialize)]
struct Document {
    #[serde(default)]
    algorithm: String,
    #[serde(rename = "testGroups")]
    groups: Vec<Group>,
}

/// The fields of all supported group types.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Group {
    parameter_set: Option<String>,
    curve: Option<String>,
    sha: Option<String>,
    key_size: Option<u64>,
    iv_size: Option<u64>,
    tag_size: Option<u64>,
    public_key: Option<PublicKey>,
    public_key_asn: Option<Hex>,
    private_key: Option<Hex>,
    private_seed: Option<Hex>,
    tests: Vec<Test>,
}

/// Raw bytes, or an object that holds them under a name of its own.
#[derive(Deserialize)]
#[serde(untagged)]
enum PublicKey {
    Raw(Hex),
    Named { pk: Option<Hex>, uncompressed: Option<Hex>, curve: Option<String> },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Valid,
    Invalid,
    Acceptable,
}

/// The fields of all supported test types.
#[derive(Deserialize)]
struct Test {
    #[serde(rename = "tcId")]
    id: u64,
    comment: Option<String>,
    #[serde(default)]
    flags: Vec<String>,
    result: Verdict,
    msg: Option<Hex>,
    key: Option<Hex>,
    iv: Option<Hex>,
    aad: Option<Hex>,
    ct: Option<Hex>,
    tag: Option<Hex>,
    ikm: Option<Hex>,
    salt: Option<Hex>,
    info: Option<Hex>,
    size: Option<usize>,
    okm: Option<Hex>,
    public: Option<Hex>,
    private: Option<Hex>,
    shared: Option<Hex>,
    sig: Option<Hex>,
    ctx: Option<Hex>,
    rnd: Option<Hex>,
    seed: Option<Hex>,
    ek: Option<Hex>,
    dk: Option<Hex>,
    m: Option<Hex>,
    c: Option<Hex>,
    #[serde(rename = "K")]
    k: Option<Hex>,
}

/// Reads a file whose groups are all of the type `kind`.
pub(super) fn read(kind: &str, name: &str, bytes: &[u8], set: &mut VectorSet) -> Result<(), LoadError> {
    type Reader = fn(&File<'_>, &Group, &mut Sink<'_>) -> Result<(), LoadError>;
    let reader: Reader = match kind {
        "AeadTest" => symmetric::aead,
        "MacTest" => symmetric::mac,
        "HkdfTest" => symmetric::hkdf,
        "XdhComp" | "EcdhEcpointTest" => asymmetric::agreement,
        "EcdsaVerify" | "EddsaVerify" | "RsassaPkcs1Verify" => asymmetric::verify,
        "MlDsaVerify" => post_quantum::ml_dsa_verify,
        "MlDsaSign" => post_quantum::ml_dsa_sign,
        "MLKEMTest" => post_quantum::ml_kem,
        "MLKEMEncapsTest" => post_quantum::ml_kem_encaps,
        "MLKEMKeyGen" => post_quantum::ml_kem_keygen,
        "MLKEMDecapsValidationTest" => post_quantum::ml_kem_decaps,
        other => return unsupported(other, name, bytes, set),
    };
    let document: Document = serde_json::from_slice(bytes).map_err(|e| LoadError::json(name, &e))?;
    let mut sink = Sink::new(set, name, "Wycheproof");
    let outcome = document.groups.iter().zip(1..).try_for_each(|(group, number)| {
        reader(&File { name, algorithm: &document.algorithm, group: number }, group, &mut sink)
    });
    sink.finish(outcome)
}

/// A type without counterpart: counted, so that it is seen.
fn unsupported(kind: &str, name: &str, bytes: &[u8], set: &mut VectorSet) -> Result<(), LoadError> {
    #[derive(Deserialize)]
    struct Counted {
        #[serde(rename = "testGroups")]
        groups: Vec<Tests>,
    }
    #[derive(Deserialize)]
    struct Tests {
        tests: Vec<serde::de::IgnoredAny>,
    }
    let counted: Counted = serde_json::from_slice(bytes).map_err(|e| LoadError::json(name, &e))?;
    let reason = match kind {
        "EcdhTest" => "public keys as SubjectPublicKeyInfo: the interface takes points".to_owned(),
        "EcdsaP1363Verify" => "ECDSA signatures as r ‖ s: the interface takes DER".to_owned(),
        other => format!("no operation for the type {other}"),
    };
    let mut sink = Sink::new(set, name, "Wycheproof");
    sink.skip(None, counted.groups.iter().map(|g| g.tests.len()).sum(), &reason);
    sink.finish(Ok(()))
}

/// What errors and reasons need to know of the file.
struct File<'a> {
    name: &'a str,
    algorithm: &'a str,
    group: u64,
}

impl File<'_> {
    fn need<'t>(&self, test: &Test, name: &str, value: Option<&'t Hex>) -> Result<&'t [u8], LoadError> {
        value.map(|Hex(bytes)| bytes.as_slice()).ok_or_else(|| self.wrong(test, &format!("no `{name}`")))
    }

    fn wrong(&self, test: &Test, what: &str) -> LoadError {
        LoadError::at(self.name, format!("group {}, test {}", self.group, test.id), what)
    }

    /// A field that the group must have.
    fn group<T>(&self, name: &str, value: Option<T>) -> Result<T, LoadError> {
        value.ok_or_else(|| LoadError::at(self.name, format!("group {}", self.group), format!("no `{name}`")))
    }

    fn place<'t>(&self, algorithm: &'static Algorithm, test: &'t Test) -> Place<'t> {
        Place { algorithm, group: self.group, id: test.id, comment: test.comment.as_deref() }
    }
}

impl Verdict {
    /// What is expected when these are the outputs of the valid operation.
    fn expect(self, outputs: Fields) -> Expect {
        match self {
            Verdict::Valid => Expect::Outputs(outputs),
            Verdict::Invalid => Expect::Refused,
            Verdict::Acceptable => Expect::Either(outputs),
        }
    }
}
