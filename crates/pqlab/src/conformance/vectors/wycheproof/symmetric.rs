//! AEAD, MAC and HKDF.

use super::{File, Group, Verdict};
use crate::conformance::case::Expect;
use crate::conformance::vectors::{Hex, LoadError, Sink};
use crate::workload::operation::Operation;
use crate::workload::perform::{Fields, MAX_OUTPUT, Params};
use crypto::{Algorithm, find};

fn aead_row(algorithm: &str, key_bits: u64) -> Option<&'static Algorithm> {
    match (algorithm, key_bits) {
        ("AES-GCM", 128 | 256) => find(&format!("AES-{key_bits}-GCM")),
        ("AES-CCM", 128 | 256) => find(&format!("AES-{key_bits}-CCM")),
        ("CHACHA20-POLY1305", 256) => find("ChaCha20-Poly1305"),
        ("ASCON-AEAD128", 128) => find("Ascon-AEAD128"),
        _ => None,
    }
}

pub(super) fn aead(file: &File<'_>, group: &Group, sink: &mut Sink<'_>) -> Result<(), LoadError> {
    let key_bits = file.group("keySize", group.key_size)?;
    let (iv_bits, tag_bits) = (file.group("ivSize", group.iv_size)?, file.group("tagSize", group.tag_size)?);
    let Some(row) = aead_row(file.algorithm, key_bits) else {
        let reason = format!("{} with a key of {key_bits} bits is not in the catalogue", file.algorithm);
        sink.skip(None, group.tests.len(), &reason);
        return Ok(());
    };
    let bits = |size: Option<usize>| size.map(|bytes| 8 * bytes as u64);
    for test in &group.tests {
        if bits(row.sizes.tag) != Some(tag_bits) {
            sink.skip(Some(row), 1, "shortened tag: the interface has the full one");
            continue;
        }
        // A nonce length that the mode forbids must be refused by every provider; one that it merely allows is an
        // interface that these providers do not share.
        if bits(row.sizes.nonce) != Some(iv_bits) && test.result != Verdict::Invalid {
            sink.skip(Some(row), 1, &format!("nonce of another length than {} bits", nonce_bits(row)));
            continue;
        }
        let field = |name, value: &'_ Option<Hex>| file.need(test, name, value.as_ref()).map(<[u8]>::to_vec);
        let plaintext = field("msg", &test.msg)?;
        let sealed = [field("ct", &test.ct)?, field("tag", &test.tag)?].concat();
        let base = Fields::from([
            ("key", field("key", &test.key)?),
            ("nonce", field("iv", &test.iv)?),
            ("aad", field("aad", &test.aad)?),
        ]);
        let at = file.place(row, test);
        let opened = Fields::from([("valid", vec![1]), ("plaintext", plaintext.clone())]);
        sink.case(
            &at,
            Operation::Open,
            Params::default(),
            base.clone().with("sealed", &sealed),
            test.result.expect(opened),
        );
        if test.result == Verdict::Valid {
            let expect = Expect::Outputs(Fields::from([("sealed", sealed)]));
            sink.case(&at, Operation::Seal, Params::default(), base.with("plaintext", &plaintext), expect);
        }
    }
    Ok(())
}

fn nonce_bits(row: &Algorithm) -> String {
    row.sizes.nonce.map_or_else(|| "none".into(), |bytes| (8 * bytes).to_string())
}

pub(super) fn mac(file: &File<'_>, group: &Group, sink: &mut Sink<'_>) -> Result<(), LoadError> {
    let name = file.algorithm.strip_prefix("HMAC").map(|hash| format!("HMAC-{hash}"));
    let Some(row) = name.as_deref().and_then(find).filter(|row| row.family == crypto::Family::Mac) else {
        sink.skip(None, group.tests.len(), &format!("{} is not in the catalogue", file.algorithm));
        return Ok(());
    };
    for test in &group.tests {
        let tag = file.need(test, "tag", test.tag.as_ref())?.to_vec();
        let inputs = Fields::default()
            .with("key", file.need(test, "key", test.key.as_ref())?)
            .with("message", file.need(test, "msg", test.msg.as_ref())?);
        // The interface gives the full tag; a truncated one is its beginning (RFC 2104 section 5).
        let expect = match test.result {
            Verdict::Valid => Expect::Begins("tag", tag),
            Verdict::Invalid => Expect::BeginsNot("tag", tag),
            Verdict::Acceptable => {
                sink.skip(Some(row), 1, "acceptable tag");
                continue;
            }
        };
        sink.case(&file.place(row, test), Operation::Mac, Params::default(), inputs, expect);
    }
    Ok(())
}

pub(super) fn hkdf(file: &File<'_>, group: &Group, sink: &mut Sink<'_>) -> Result<(), LoadError> {
    let Some(row) = find(file.algorithm).filter(|row| row.family == crypto::Family::Kdf) else {
        sink.skip(None, group.tests.len(), &format!("{} is not in the catalogue", file.algorithm));
        return Ok(());
    };
    for test in &group.tests {
        let size = test.size.ok_or_else(|| file.wrong(test, "no `size`"))?;
        if size > MAX_OUTPUT {
            return Err(file.wrong(test, &format!("`size` is {size}, the limit is {MAX_OUTPUT}")));
        }
        let field = |name, value: &'_ Option<Hex>| file.need(test, name, value.as_ref()).map(<[u8]>::to_vec);
        let inputs = Fields::from([
            ("ikm", field("ikm", &test.ikm)?),
            ("salt", field("salt", &test.salt)?),
            ("info", field("info", &test.info)?),
        ]);
        let expect = test.result.expect(Fields::from([("okm", field("okm", &test.okm)?)]));
        let params = Params { form: None, length: Some(size) };
        sink.case(&file.place(row, test), Operation::Derive, params, inputs, expect);
    }
    Ok(())
}
