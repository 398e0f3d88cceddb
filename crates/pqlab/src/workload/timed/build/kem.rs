//! Key encapsulation.

use super::super::{Buffers, Checked, Operation, word};
use super::{NONE, looped, made, secrets, section, section_of};
use crypto::{Decapsulator, Encapsulator, Error, Kem, Provider, Result, SecretForm};
use protocol::encoding::Pool;

pub(in super::super) fn kem(
    provider: &Provider,
    algorithm: &str,
    operation: Operation,
    pool: &Pool,
) -> Result<Box<dyn Checked>> {
    let kem = provider.kem(algorithm).ok_or_else(|| Error::unsupported(format!("no KEM {algorithm}")))?;
    let sizes = kem.algorithm().sizes;
    let ciphertext = sizes.ciphertext.unwrap_or(0);
    let shared = sizes.shared.unwrap_or(0);
    let what = format!("{algorithm} {operation}");
    match operation {
        Operation::Keygen => {
            looped(NONE.into(), NONE.into(), Buffers::default(), move |_, (), ()| Ok(made(kem.generate()?)))
                .verified(&what, None)
        }
        Operation::Encaps => encaps(kem, pool, ciphertext, shared, &what),
        Operation::EncapsDerand => encaps_derand(kem, pool, ciphertext, shared, &what),
        Operation::Decaps => {
            let keys = private_keys(kem, pool)?;
            let ciphertexts = section(pool, "ciphertext")?.to_vec();
            looped(keys, ciphertexts, Buffers::new(shared, 0), move |b, key, ciphertext| {
                key.decapsulate(ciphertext, &mut b.main)?;
                Ok(word(&b.main))
            })
            .verified(&what, Some(section(pool, "shared")?))
        }
        Operation::ImportPublic => {
            let bytes = section(pool, "public")?.to_vec();
            looped(bytes, NONE.into(), Buffers::default(), move |_, key, ()| Ok(made(kem.import_public(key)?)))
                .verified(&what, None)
        }
        Operation::ImportSecret => import(kem, SecretForm::Expanded, pool, &what),
        Operation::ImportSeed => import(kem, SecretForm::Seed, pool, &what),
        Operation::ExportPublic => {
            let keys = public_keys(kem, pool)?;
            looped(keys, NONE.into(), Buffers::new(sizes.public.unwrap_or(0), 0), move |b, key, ()| {
                b.len = key.export_public(&mut b.main)?;
                Ok(word(&b.main))
            })
            .verified(&what, Some(section(pool, "public")?))
        }
        Operation::ExportSecret => {
            let keys = private_keys(kem, pool)?;
            looped(keys, NONE.into(), Buffers::new(sizes.secret.unwrap_or(0), 0), move |b, key, ()| {
                b.len = key.export_secret(SecretForm::Expanded, &mut b.main)?;
                Ok(word(&b.main))
            })
            .verified(&what, section(pool, "secret").ok())
        }
        other => Err(Error::unsupported(format!("a KEM has no operation {other}"))),
    }
}

fn encaps(
    kem: &'static dyn Kem,
    pool: &Pool,
    ciphertext: usize,
    shared: usize,
    what: &str,
) -> Result<Box<dyn Checked>> {
    let keys = public_keys(kem, pool)?;
    let private = private_keys(kem, pool);
    let mut again = vec![0; shared];
    let run = looped(keys, NONE.into(), Buffers::new(ciphertext, shared), move |b, key, ()| {
        key.encapsulate(&mut b.main, &mut b.second)?;
        Ok(word(&b.second))
    });
    // Without a private key that this provider takes there is nothing to check with; conformance has checked it already.
    let Ok(private) = private else { return run.verified(what, None) };
    run.checked(Box::new(move |b, key, _| {
        private[key].decapsulate(&b.main, &mut again).map_err(|e| e.to_string())?;
        if again == b.second { Ok(()) } else { Err("a ciphertext does not open to its shared secret".into()) }
    }))
    .verified(what, None)
}

fn encaps_derand(
    kem: &'static dyn Kem,
    pool: &Pool,
    ciphertext: usize,
    shared: usize,
    what: &str,
) -> Result<Box<dyn Checked>> {
    if !kem.derandomised() {
        return Err(Error::unsupported("no derandomised encapsulation in this library's interface"));
    }
    let keys = public_keys(kem, pool)?;
    let coins = section(pool, "coins")?.to_vec();
    looped(keys, coins, Buffers::new(ciphertext, shared), move |b, key, coins| {
        key.encapsulate_derandomised(coins, &mut b.main, &mut b.second)?;
        Ok(word(&b.second))
    })
    .verified(what, Some(section(pool, "ciphertext")?))
}

fn import(kem: &'static dyn Kem, form: SecretForm, pool: &Pool, what: &str) -> Result<Box<dyn Checked>> {
    if !kem.secret_forms().contains(&form) {
        return Err(Error::unsupported(format!("no import of a private key as {}", form.as_str())));
    }
    let bytes = section(pool, section_of(form))?.to_vec();
    looped(bytes, NONE.into(), Buffers::default(), move |_, key, ()| Ok(made(kem.import_secret(form, key)?)))
        .verified(what, None)
}

fn public_keys(kem: &'static dyn Kem, pool: &Pool) -> Result<Vec<Box<dyn Encapsulator>>> {
    section(pool, "public")?.iter().map(|bytes| kem.import_public(bytes)).collect()
}

fn private_keys(kem: &'static dyn Kem, pool: &Pool) -> Result<Vec<Box<dyn Decapsulator>>> {
    let (form, keys) = secrets(pool, kem.secret_forms())?;
    keys.iter().map(|bytes| kem.import_secret(form, bytes)).collect()
}
