//! X25519, X448 and ECDH with points; EdDSA, ECDSA with DER signatures, RSASSA-PKCS1-v1_5.

use super::{File, Group, PublicKey, Verdict};
use crate::conformance::case::Expect;
use crate::conformance::vectors::{Hex, LoadError, Sink};
use crate::workload::operation::Operation;
use crate::workload::perform::{Fields, Params};
use crypto::{Algorithm, find};

pub(super) fn agreement(file: &File<'_>, group: &Group, sink: &mut Sink<'_>) -> Result<(), LoadError> {
    let curve = file.group("curve", group.curve.as_deref())?;
    let row = match curve {
        "curve25519" => find("X25519"),
        "curve448" => find("X448"),
        "secp256r1" => find("P-256"),
        "secp384r1" => find("P-384"),
        _ => None,
    };
    let Some(row) = row else {
        sink.skip(None, group.tests.len(), &format!("key agreement on {curve} is not in the catalogue"));
        return Ok(());
    };
    for test in &group.tests {
        let shared = file.need(test, "shared", test.shared.as_ref())?;
        let public = file.need(test, "public", test.public.as_ref())?;
        let private = scalar(row, file.need(test, "private", test.private.as_ref())?);
        if test.result == Verdict::Valid && Some(public.len()) != row.sizes.public {
            sink.skip(Some(row), 1, "compressed public point: the interface takes uncompressed ones");
            continue;
        }
        let inputs = Fields::default().with("secret", &private).with("public", public);
        let expect = test.result.expect(Fields::default().with("shared", shared));
        sink.case(&file.place(row, test), Operation::Derive, Params::default(), inputs, expect);
    }
    Ok(())
}

/// Wycheproof writes ECDH scalars as integers, with a sign byte or without leading zeros; the interface takes the
/// fixed length of SEC 1 section 2.3.7.
fn scalar(row: &Algorithm, integer: &[u8]) -> Vec<u8> {
    let size = row.sizes.secret.unwrap_or(integer.len());
    if !row.name.starts_with("P-") || integer.len() == size {
        return integer.to_vec();
    }
    let digits = integer.iter().position(|b| *b != 0).and_then(|first| integer.get(first..)).unwrap_or(&[]);
    let mut bytes = vec![0; size.saturating_sub(digits.len())];
    bytes.extend_from_slice(digits);
    bytes
}

pub(super) fn verify(file: &File<'_>, group: &Group, sink: &mut Sink<'_>) -> Result<(), LoadError> {
    let sha = group.sha.as_deref();
    let named = match &group.public_key {
        Some(PublicKey::Named { pk, uncompressed, curve }) => (curve.as_deref(), pk.as_ref().or(uncompressed.as_ref())),
        Some(PublicKey::Raw(_)) | None => (None, None),
    };
    let (row, public) = match (file.algorithm, named, sha) {
        ("EDDSA", (Some("edwards25519"), public), _) => (find("Ed25519"), public),
        ("EDDSA", (Some("edwards448"), public), _) => (find("Ed448"), public),
        ("ECDSA", (Some("secp256r1"), public), Some("SHA-256")) => (find("ECDSA-P256-SHA256"), public),
        ("ECDSA", (Some("secp384r1"), public), Some("SHA-384")) => (find("ECDSA-P384-SHA384"), public),
        ("RSASSA-PKCS1-v1_5", _, Some("SHA-256")) => {
            let bits = group.key_size.unwrap_or(0);
            (find(&format!("RSA-{bits}-PKCS1-SHA256")), group.public_key_asn.as_ref())
        }
        _ => (None, None),
    };
    let Some(row) = row else {
        let of = named.0.map_or_else(|| format!("{} bits", group.key_size.unwrap_or(0)), str::to_owned);
        let with = sha.map_or(String::new(), |sha| format!(" with {sha}"));
        sink.skip(None, group.tests.len(), &format!("{} on {of}{with} is not in the catalogue", file.algorithm));
        return Ok(());
    };
    let Hex(public) = file.group("publicKey", public)?;
    for test in &group.tests {
        if row.name.starts_with("RSA-") && test.result == Verdict::Valid && Some(public.len()) != row.sizes.public {
            sink.skip(
                Some(row),
                1,
                "RSA with a public exponent other than 65537 (below what FIPS 186-5 section 5.4 allows)",
            );
            continue;
        }
        let inputs = Fields::default()
            .with("public", public)
            .with("message", file.need(test, "msg", test.msg.as_ref())?)
            .with("signature", file.need(test, "sig", test.sig.as_ref())?);
        let expect: Expect = test.result.expect(Fields::default().with("valid", &[1]));
        sink.case(&file.place(row, test), Operation::Verify, Params::default(), inputs, expect);
    }
    Ok(())
}
