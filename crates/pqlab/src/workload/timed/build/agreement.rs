//! Key agreement.

use super::super::{Buffers, Checked, Operation, word};
use super::{NONE, looped, made, section};
use crypto::{Agreement, AgreementKey, Error, Provider, Result};
use protocol::encoding::Pool;

pub(in super::super) fn agreement(
    provider: &Provider,
    algorithm: &str,
    operation: Operation,
    pool: &Pool,
) -> Result<Box<dyn Checked>> {
    let scheme =
        provider.agreement(algorithm).ok_or_else(|| Error::unsupported(format!("no key agreement {algorithm}")))?;
    let what = format!("{algorithm} {operation}");
    match operation {
        Operation::Keygen => {
            looped(NONE.into(), NONE.into(), Buffers::default(), move |_, (), ()| Ok(made(scheme.generate()?)))
                .verified(&what, None)
        }
        Operation::Derive => {
            let keys = private_keys(scheme, pool)?;
            let peers = section(pool, "peer")?.iter().map(|b| scheme.import_public(b)).collect::<Result<Vec<_>>>()?;
            let shared = scheme.algorithm().sizes.shared.unwrap_or(0);
            looped(keys, peers, Buffers::new(shared, 0), move |b, key, peer| {
                key.derive(peer.as_ref(), &mut b.main)?;
                Ok(word(&b.main))
            })
            .verified(&what, Some(section(pool, "shared")?))
        }
        Operation::ImportPublic => {
            let bytes = section(pool, "public")?.to_vec();
            looped(bytes, NONE.into(), Buffers::default(), move |_, key, ()| Ok(made(scheme.import_public(key)?)))
                .verified(&what, None)
        }
        Operation::ImportSecret => {
            let bytes = section(pool, "secret")?.to_vec();
            looped(bytes, NONE.into(), Buffers::default(), move |_, key, ()| Ok(made(scheme.import_secret(key)?)))
                .verified(&what, None)
        }
        other => Err(Error::unsupported(format!("a key agreement has no operation {other}"))),
    }
}

fn private_keys(scheme: &'static dyn Agreement, pool: &Pool) -> Result<Vec<Box<dyn AgreementKey>>> {
    section(pool, "secret")?.iter().map(|bytes| scheme.import_secret(bytes)).collect()
}
