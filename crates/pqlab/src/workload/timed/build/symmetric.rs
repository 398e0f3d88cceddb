//! AEAD, hash, MAC and key derivation.

use super::super::{Buffers, Checked, Operation, word};
use super::{looped, section};
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
            looped(1, messages.len(), Buffers::new(size, 0), move |b, _, item| {
                hash.hash(&messages[item], &mut b.main)?;
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
            looped(keys.len(), messages.len(), Buffers::new(size, 0), move |b, key, item| {
                keys[key].mac(&messages[item], &mut b.main)?;
                Ok(word(&b.main))
            })
            .verified(&what, Some(section(pool, "tag")?))
        }
        (Family::Kdf, Operation::Derive) => {
            let kdf = provider.kdf(algorithm).ok_or_else(|| Error::unsupported(format!("no KDF {algorithm}")))?;
            let (ikm, salt, info) =
                (section(pool, "ikm")?.to_vec(), section(pool, "salt")?.to_vec(), section(pool, "info")?.to_vec());
            let okm = section(pool, "okm")?;
            let size = okm.first().map_or(0, Vec::len);
            let items = ikm.len().min(salt.len()).min(info.len());
            looped(1, items, Buffers::new(size, 0), move |b, _, item| {
                kdf.derive(&ikm[item], &salt[item], &info[item], &mut b.main)?;
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
    let nonces = section(pool, "nonce")?.to_vec();
    let aads = section(pool, "aad")?.to_vec();
    let (plain, sealed) = (section(pool, "plaintext")?, section(pool, "sealed")?);
    let items = nonces.len().min(aads.len()).min(plain.len()).min(sealed.len());
    let longest = sealed.iter().map(Vec::len).max().unwrap_or(0);
    if operation == Operation::Seal {
        let texts = plain.to_vec();
        looped(keys.len(), items, Buffers::new(longest, 0), move |b, key, item| {
            keys[key].seal(&nonces[item], &aads[item], &texts[item], &mut b.main)?;
            Ok(word(&b.main))
        })
        .verified(what, Some(sealed))
    } else {
        let texts = sealed.to_vec();
        looped(keys.len(), items, Buffers::new(longest, 0), move |b, key, item| {
            if keys[key].open(&nonces[item], &aads[item], &texts[item], &mut b.main)? {
                Ok(1)
            } else {
                Err(Error::provider(format!("the valid message {item} does not open")))
            }
        })
        .verified(what, Some(plain))
    }
}
