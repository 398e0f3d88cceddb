//! AEAD, hash, MAC and key derivation.

use super::super::{Buffers, Checked, Operation, word};
use super::{NONE, looped, section};
use crypto::{AeadKey, Error, Family, MacKey, Provider, Result};
use protocol::encoding::Pool;

pub(in super::super) fn symmetric(
    provider: &Provider,
    algorithm: &str,
    operation: Operation,
    pool: &Pool,
) -> Result<Box<dyn Checked>> {
    let row = provider.algorithm(algorithm).ok_or_else(|| Error::unsupported(format!("no algorithm {algorithm}")))?;
    let what = format!("{algorithm} {operation}");
    match (row.family, operation) {
        (Family::Aead, Operation::Seal | Operation::Open) => aead(provider, algorithm, operation, pool, &what),
        (Family::Hash, Operation::Hash) => {
            let hash = provider.hash(algorithm).ok_or_else(|| Error::unsupported(format!("no hash {algorithm}")))?;
            let messages = section(pool, "message")?.to_vec();
            let size = row.sizes.output.unwrap_or(0);
            looped(NONE.into(), messages, Buffers::new(size, 0), move |b, (), message| {
                hash.hash(message, &mut b.main)?;
                Ok(word(&b.main))
            })
            .verified(&what, Some(section(pool, "digest")?))
        }
        (Family::Mac, Operation::Mac) => {
            let mac = provider.mac(algorithm).ok_or_else(|| Error::unsupported(format!("no MAC {algorithm}")))?;
            let keys: Vec<Box<dyn MacKey>> =
                section(pool, "key")?.iter().map(|key| mac.import_key(key)).collect::<Result<_>>()?;
            let messages = section(pool, "message")?.to_vec();
            let size = row.sizes.output.unwrap_or(0);
            looped(keys, messages, Buffers::new(size, 0), move |b, key, message| {
                key.mac(message, &mut b.main)?;
                Ok(word(&b.main))
            })
            .verified(&what, Some(section(pool, "tag")?))
        }
        (Family::Kdf, Operation::Derive) => {
            let kdf = provider.kdf(algorithm).ok_or_else(|| Error::unsupported(format!("no KDF {algorithm}")))?;
            let (ikm, salt, info) = (section(pool, "ikm")?, section(pool, "salt")?, section(pool, "info")?);
            let items: Vec<_> =
                ikm.iter().zip(salt).zip(info).map(|((a, b), c)| (a.clone(), b.clone(), c.clone())).collect();
            let okm = section(pool, "okm")?;
            let size = okm.first().map_or(0, Vec::len);
            looped(NONE.into(), items, Buffers::new(size, 0), move |b, (), (ikm, salt, info)| {
                kdf.derive(ikm, salt, info, &mut b.main)?;
                Ok(word(&b.main))
            })
            .verified(&what, Some(okm))
        }
        (family, other) => Err(Error::unsupported(format!("a {} has no operation {other}", family.as_str()))),
    }
}

fn aead(
    provider: &Provider,
    algorithm: &str,
    operation: Operation,
    pool: &Pool,
    what: &str,
) -> Result<Box<dyn Checked>> {
    let aead = provider.aead(algorithm).ok_or_else(|| Error::unsupported(format!("no AEAD {algorithm}")))?;
    let keys: Vec<Box<dyn AeadKey>> =
        section(pool, "key")?.iter().map(|key| aead.import_key(key)).collect::<Result<_>>()?;
    let (nonces, aads) = (section(pool, "nonce")?, section(pool, "aad")?);
    let (plain, sealed) = (section(pool, "plaintext")?, section(pool, "sealed")?);
    let longest = sealed.iter().map(Vec::len).max().unwrap_or(0);
    let items = |texts: &[Vec<u8>]| -> Vec<Message> {
        let parts = nonces.iter().zip(aads).zip(texts);
        parts.map(|((n, a), t)| Message { nonce: n.clone(), aad: a.clone(), text: t.clone() }).collect()
    };
    if operation == Operation::Seal {
        looped(keys, items(plain), Buffers::new(longest, 0), move |b, key, message| {
            key.seal(&message.nonce, &message.aad, &message.text, &mut b.main)?;
            Ok(word(&b.main))
        })
        .verified(what, Some(sealed))
    } else {
        looped(keys, items(sealed), Buffers::new(longest, 0), move |b, key, message| {
            if key.open(&message.nonce, &message.aad, &message.text, &mut b.main)? {
                Ok(1)
            } else {
                Err(Error::provider("a valid message of the common inputs does not open"))
            }
        })
        .verified(what, Some(plain))
    }
}

/// What goes into one AEAD call.
struct Message {
    nonce: Vec<u8>,
    aad: Vec<u8>,
    text: Vec<u8>,
}
