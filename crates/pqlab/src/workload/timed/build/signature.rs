//! Signatures.

use super::super::{Buffers, Checked, Operation, word};
use super::{NONE, looped, made, secrets, section, section_of};
use crypto::{Error, Provider, Randomness, Result, SecretForm, SignatureScheme, Signer, Verifier};
use protocol::encoding::Pool;

pub(in super::super) fn signature(
    provider: &Provider,
    algorithm: &str,
    operation: Operation,
    pool: &Pool,
) -> Result<Box<dyn Checked>> {
    let scheme =
        provider.signature(algorithm).ok_or_else(|| Error::unsupported(format!("no signature {algorithm}")))?;
    let sizes = scheme.algorithm().sizes;
    let what = format!("{algorithm} {operation}");
    match operation {
        Operation::Keygen => {
            looped(NONE.into(), NONE.into(), Buffers::default(), move |_, (), ()| Ok(made(scheme.generate()?)))
                .verified(&what, None)
        }
        Operation::Sign => sign(scheme, pool, Randomness::Library, &what),
        Operation::SignDeterministic => {
            if !scheme.deterministic() {
                return Err(Error::unsupported("no deterministic signing in this library's interface"));
            }
            sign(scheme, pool, Randomness::Deterministic, &what)
        }
        Operation::Verify => {
            let keys = public_keys(scheme, pool)?;
            let boxed = |name| Ok(section(pool, name)?.iter().map(|bytes| bytes.clone().into_boxed_slice()));
            let items: Vec<_> = boxed("message")?.zip(boxed("signature")?).collect();
            looped(keys, items, Buffers::default(), move |_, key, (message, signature)| {
                let valid = key.verify(message, &[], signature)?;
                if valid { Ok(1) } else { Err(refused()) }
            })
            .verified(&what, None)
        }
        Operation::ImportPublic => {
            let bytes = section(pool, "public")?.to_vec();
            looped(bytes, NONE.into(), Buffers::default(), move |_, key, ()| Ok(made(scheme.import_public(key)?)))
                .verified(&what, None)
        }
        Operation::ImportSecret => {
            let form = scheme.secret_forms().iter().copied().find(|form| *form != SecretForm::Seed);
            import(scheme, form.unwrap_or(SecretForm::Expanded), pool, &what)
        }
        Operation::ImportSeed => import(scheme, SecretForm::Seed, pool, &what),
        Operation::ExportPublic => {
            let keys = public_keys(scheme, pool)?;
            looped(keys, NONE.into(), Buffers::new(sizes.public.unwrap_or(0), 0), move |b, key, ()| {
                b.len = key.export_public(&mut b.main)?;
                Ok(word(&b.main))
            })
            .verified(&what, Some(section(pool, "public")?))
        }
        Operation::ExportSecret => export_secret(scheme, pool, &what),
        other => Err(Error::unsupported(format!("a signature has no operation {other}"))),
    }
}

fn sign(
    scheme: &'static dyn SignatureScheme,
    pool: &Pool,
    randomness: Randomness,
    what: &str,
) -> Result<Box<dyn Checked>> {
    let keys = private_keys(scheme, pool)?;
    let messages = section(pool, "message")?.to_vec();
    let verifiers = public_keys(scheme, pool)?;
    let texts = messages.clone();
    let size = scheme.algorithm().sizes.signature.unwrap_or(0);
    // Deterministic signatures are the same from every provider; hedged ones never are.
    let comparable = randomness == Randomness::Deterministic && pool.sections.contains_key("deterministic");
    let expected = if comparable { Some(section(pool, "signature")?) } else { None };
    looped(keys, messages, Buffers::new(size, 0), move |b, key, message| {
        b.len = key.sign(message, &[], randomness, &mut b.main)?;
        Ok(word(&b.main))
    })
    .checked(Box::new(move |b, key, item| {
        match verifiers[key].verify(&texts[item], &[], b.main.get(..b.len).unwrap_or_default()) {
            Ok(true) => Ok(()),
            Ok(false) => Err("a signature just made does not verify".into()),
            Err(error) => Err(error.to_string()),
        }
    }))
    .verified(what, expected)
}

fn export_secret(scheme: &'static dyn SignatureScheme, pool: &Pool, what: &str) -> Result<Box<dyn Checked>> {
    let (form, bytes) = secrets(pool, scheme.secret_forms())?;
    let keys = private_keys(scheme, pool)?;
    let longest = bytes.iter().map(Vec::len).max().unwrap_or(0);
    // PKCS#8 leaves room for variants (attributes, parameters): only fixed encodings are compared.
    let expected = if form == SecretForm::Pkcs8 { None } else { Some(bytes) };
    looped(keys, NONE.into(), Buffers::new(longest + 64, 0), move |b, key, ()| {
        b.len = key.export_secret(form, &mut b.main)?;
        Ok(word(&b.main))
    })
    .verified(what, expected)
}

fn import(scheme: &'static dyn SignatureScheme, form: SecretForm, pool: &Pool, what: &str) -> Result<Box<dyn Checked>> {
    if !scheme.secret_forms().contains(&form) {
        return Err(Error::unsupported(format!("no import of a private key as {}", form.as_str())));
    }
    let bytes = section(pool, section_of(form))?.to_vec();
    looped(bytes, NONE.into(), Buffers::default(), move |_, key, ()| Ok(made(scheme.import_secret(form, key)?)))
        .verified(what, None)
}

fn public_keys(scheme: &'static dyn SignatureScheme, pool: &Pool) -> Result<Vec<Box<dyn Verifier>>> {
    section(pool, "public")?.iter().map(|bytes| scheme.import_public(bytes)).collect()
}

fn private_keys(scheme: &'static dyn SignatureScheme, pool: &Pool) -> Result<Vec<Box<dyn Signer>>> {
    let (form, keys) = secrets(pool, scheme.secret_forms())?;
    keys.iter().map(|bytes| scheme.import_secret(form, bytes)).collect()
}

#[cold]
fn refused() -> Error {
    Error::provider("a valid signature of the common inputs does not verify")
}
