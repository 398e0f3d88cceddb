//! The `perform` request of `docs/WORKER.md`: one operation on given bytes, not timed.
//!
//! Conformance vectors and cross-provider checks go through it, in this process or over the line protocol.

use super::operation::Operation;
use crypto::{
    AgreementKey, Decapsulator, Encapsulator, Error, Family, Fault, Kem, Provider, Randomness, Result, SecretForm,
    SignatureScheme, Signer, Sizes,
};
use serde::{Deserialize, Serialize};

mod fields;

pub use fields::Fields;

/// The longest output that a caller may ask for, bytes.
pub const MAX_OUTPUT: usize = 1 << 20;

/// Room for an encoding whose size the catalogue does not fix (PKCS#8 of RSA-4096 has about 2.4 KiB).
const MAX_ENCODED: usize = 64 << 10;

/// Parameters of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Params {
    /// Encoding of the private key; the provider's preferred one when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<SecretForm>,
    /// Output length of SHAKE and of key derivation, bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<usize>,
}

impl Params {
    /// Only a private key encoding.
    #[must_use]
    pub fn form(form: SecretForm) -> Self {
        Self { form: Some(form), length: None }
    }
}

/// Does `operation` of `algorithm` once; inputs and outputs by the names of `docs/WORKER.md`.
///
/// # Errors
/// [`Fault::Unsupported`] when the provider has not the algorithm, operation or form, [`Fault::Usage`] for a missing
/// input or a length above [`MAX_OUTPUT`], and whatever the provider says about the bytes.
pub fn perform(
    provider: &Provider,
    algorithm: &str,
    operation: Operation,
    params: &Params,
    inputs: &Fields,
) -> Result<Fields> {
    let row = provider
        .algorithm(algorithm)
        .ok_or_else(|| Error::unsupported(format!("{} does not offer {algorithm}", provider.identity.id())))?;
    if !Operation::of(row.family).contains(&operation) {
        return Err(Error::usage(format!(
            "{algorithm} is of the family {} and has no operation {operation}",
            row.family.as_str()
        )));
    }
    let absent = || Error::unsupported(format!("{} does not offer {algorithm}", provider.identity.id()));
    match row.family {
        Family::Kem => kem(provider.kem(algorithm).ok_or_else(absent)?, operation, params, inputs),
        Family::Signature => signature(provider.signature(algorithm).ok_or_else(absent)?, operation, params, inputs),
        Family::Agreement => agreement(provider, algorithm, operation, inputs),
        _ => symmetric(provider, algorithm, operation, params, inputs),
    }
}

fn kem(kem: &dyn Kem, operation: Operation, params: &Params, inputs: &Fields) -> Result<Fields> {
    let sizes = kem.algorithm().sizes;
    match operation {
        Operation::Keygen => {
            let form = chosen(params, kem.secret_forms())?;
            let key = kem.generate()?;
            pair(&sizes, form, &|out| key.export_public(out), &|out| key.export_secret(form, out))
        }
        Operation::Encaps => {
            let key = kem.import_public(inputs.need("public")?)?;
            encapsulated(&sizes, |ciphertext, shared| key.encapsulate(ciphertext, shared))
        }
        Operation::EncapsDerand => {
            let key = kem.import_public(inputs.need("public")?)?;
            let coins = inputs.need("coins")?;
            encapsulated(&sizes, |ciphertext, shared| key.encapsulate_derandomised(coins, ciphertext, shared))
        }
        Operation::Decaps => {
            let form = chosen(params, kem.secret_forms())?;
            let key = kem.import_secret(form, inputs.need("secret")?)?;
            let mut shared = vec![0; sizes.shared.unwrap_or(0)];
            key.decapsulate(inputs.need("ciphertext")?, &mut shared)?;
            Ok(Fields::from([("shared", shared)]))
        }
        Operation::ImportPublic | Operation::ExportPublic => {
            let key: Box<dyn Encapsulator> = kem.import_public(inputs.need("public")?)?;
            public_of(&sizes, &|out| key.export_public(out))
        }
        _ => {
            let form = import_form(operation, params, kem.secret_forms())?;
            let key: Box<dyn Decapsulator> = kem.import_secret(form, inputs.need("secret")?)?;
            let outputs = public_of(&sizes, &|out| key.export_public(out))?;
            reexported(operation, outputs, &sizes, form, &|out| key.export_secret(form, out))
        }
    }
}

fn encapsulated(sizes: &Sizes, run: impl Fn(&mut [u8], &mut [u8]) -> Result<()>) -> Result<Fields> {
    let mut ciphertext = vec![0; sizes.ciphertext.unwrap_or(0)];
    let mut shared = vec![0; sizes.shared.unwrap_or(0)];
    run(&mut ciphertext, &mut shared)?;
    Ok(Fields::from([("ciphertext", ciphertext), ("shared", shared)]))
}

fn signature(scheme: &dyn SignatureScheme, operation: Operation, params: &Params, inputs: &Fields) -> Result<Fields> {
    let sizes = scheme.algorithm().sizes;
    match operation {
        Operation::Keygen => {
            let form = chosen(params, scheme.secret_forms())?;
            let key = scheme.generate()?;
            pair(&sizes, form, &|out| key.export_public(out), &|out| key.export_secret(form, out))
        }
        Operation::Sign => sign(scheme, Randomness::Library, params, inputs),
        Operation::SignDeterministic => sign(scheme, Randomness::Deterministic, params, inputs),
        Operation::Verify => {
            let key = scheme.import_public(inputs.need("public")?)?;
            let context = inputs.get("context").unwrap_or(&[]);
            let valid = key.verify(inputs.need("message")?, context, inputs.need("signature")?)?;
            Ok(verdict(valid))
        }
        Operation::ImportPublic | Operation::ExportPublic => {
            let key = scheme.import_public(inputs.need("public")?)?;
            public_of(&sizes, &|out| key.export_public(out))
        }
        _ => {
            let form = import_form(operation, params, scheme.secret_forms())?;
            let key: Box<dyn Signer> = scheme.import_secret(form, inputs.need("secret")?)?;
            let outputs = public_of(&sizes, &|out| key.export_public(out))?;
            reexported(operation, outputs, &sizes, form, &|out| key.export_secret(form, out))
        }
    }
}

fn sign(scheme: &dyn SignatureScheme, randomness: Randomness, params: &Params, inputs: &Fields) -> Result<Fields> {
    let form = chosen(params, scheme.secret_forms())?;
    let key = scheme.import_secret(form, inputs.need("secret")?)?;
    let mut signature = vec![0; scheme.algorithm().sizes.signature.unwrap_or(MAX_ENCODED)];
    let length = key.sign(inputs.need("message")?, inputs.get("context").unwrap_or(&[]), randomness, &mut signature)?;
    shorten(&mut signature, length)?;
    Ok(Fields::from([("signature", signature)]))
}

fn agreement(provider: &Provider, algorithm: &str, operation: Operation, inputs: &Fields) -> Result<Fields> {
    let Some(agreement) = provider.agreement(algorithm) else {
        return Err(Error::unsupported(format!("{} does not offer {algorithm}", provider.identity.id())));
    };
    let sizes = agreement.algorithm().sizes;
    match operation {
        Operation::Keygen => {
            let key = agreement.generate()?;
            pair(&sizes, SecretForm::Expanded, &|out| key.export_public(out), &|out| key.export_secret(out))
        }
        Operation::Derive => {
            let key = agreement.import_secret(inputs.need("secret")?)?;
            let peer = agreement.import_public(inputs.need("public")?)?;
            let mut shared = vec![0; sizes.shared.unwrap_or(0)];
            key.derive(&*peer, &mut shared)?;
            Ok(Fields::from([("shared", shared)]))
        }
        // A parsed peer key has no encoding of its own: that it was accepted is the answer.
        Operation::ImportPublic => {
            agreement.import_public(inputs.need("public")?)?;
            Ok(Fields::default())
        }
        _ => {
            let key: Box<dyn AgreementKey> = agreement.import_secret(inputs.need("secret")?)?;
            public_of(&sizes, &|out| key.export_public(out))
        }
    }
}

fn symmetric(
    provider: &Provider,
    algorithm: &str,
    operation: Operation,
    params: &Params,
    inputs: &Fields,
) -> Result<Fields> {
    if let Some(aead) = provider.aead(algorithm) {
        let key = aead.import_key(inputs.need("key")?)?;
        let (nonce, aad) = (inputs.need("nonce")?, inputs.need("aad")?);
        if operation == Operation::Seal {
            let plaintext = inputs.need("plaintext")?;
            let mut sealed = vec![0; plaintext.len().saturating_add(aead.algorithm().sizes.tag.unwrap_or(0))];
            key.seal(nonce, aad, plaintext, &mut sealed)?;
            return Ok(Fields::from([("sealed", sealed)]));
        }
        let sealed = inputs.need("sealed")?;
        let mut plaintext = vec![0; sealed.len()];
        let valid = key.open(nonce, aad, sealed, &mut plaintext)?;
        let mut outputs = verdict(valid);
        if valid {
            plaintext.truncate(sealed.len().saturating_sub(aead.algorithm().sizes.tag.unwrap_or(0)));
            outputs.insert("plaintext", plaintext);
        }
        return Ok(outputs);
    }
    if let Some(hash) = provider.hash(algorithm) {
        let mut digest = vec![0; length(params, hash.algorithm().sizes)?];
        hash.hash(inputs.need("message")?, &mut digest)?;
        return Ok(Fields::from([("digest", digest)]));
    }
    if let Some(mac) = provider.mac(algorithm) {
        let key = mac.import_key(inputs.need("key")?)?;
        let mut tag = vec![0; mac.algorithm().sizes.output.unwrap_or(0)];
        key.mac(inputs.need("message")?, &mut tag)?;
        return Ok(Fields::from([("tag", tag)]));
    }
    let Some(kdf) = provider.kdf(algorithm) else {
        return Err(Error::unsupported(format!("{} does not offer {algorithm}", provider.identity.id())));
    };
    let mut okm = vec![0; length(params, kdf.algorithm().sizes)?];
    kdf.derive(inputs.need("ikm")?, inputs.need("salt")?, inputs.need("info")?, &mut okm)?;
    Ok(Fields::from([("okm", okm)]))
}

type Export<'a> = &'a dyn Fn(&mut [u8]) -> Result<usize>;

/// A key pair; a private key that the library keeps to itself is left out.
fn pair(sizes: &Sizes, form: SecretForm, public: Export<'_>, secret: Export<'_>) -> Result<Fields> {
    let mut outputs = public_of(sizes, public)?;
    if let Some(secret) = export(secret_room(sizes, form), secret)? {
        outputs.insert("secret", secret);
    }
    Ok(outputs)
}

fn public_of(sizes: &Sizes, public: Export<'_>) -> Result<Fields> {
    let mut outputs = Fields::default();
    if let Some(public) = export(sizes.public.unwrap_or(MAX_ENCODED), public)? {
        outputs.insert("public", public);
    }
    Ok(outputs)
}

/// `export-secret` gives the private key back beside the public one.
fn reexported(
    operation: Operation,
    mut outputs: Fields,
    sizes: &Sizes,
    form: SecretForm,
    secret: Export<'_>,
) -> Result<Fields> {
    if operation == Operation::ExportSecret {
        let mut room = vec![0; secret_room(sizes, form)];
        let length = secret(&mut room)?;
        shorten(&mut room, length)?;
        outputs.insert("secret", room);
    }
    Ok(outputs)
}

fn secret_room(sizes: &Sizes, form: SecretForm) -> usize {
    match form {
        SecretForm::Seed => sizes.seed,
        SecretForm::Expanded => sizes.secret,
        SecretForm::Pkcs8 => None,
    }
    .unwrap_or(MAX_ENCODED)
}

/// `None` when the library does not release it.
fn export(room: usize, run: Export<'_>) -> Result<Option<Vec<u8>>> {
    let mut bytes = vec![0; room];
    match run(&mut bytes) {
        Ok(length) => {
            shorten(&mut bytes, length)?;
            Ok(Some(bytes))
        }
        Err(error) if error.fault() == Fault::Unsupported => Ok(None),
        Err(error) => Err(error),
    }
}

/// A provider that claims to have written more than the buffer holds is wrong.
fn shorten(bytes: &mut Vec<u8>, length: usize) -> Result<()> {
    if length > bytes.len() {
        return Err(Error::provider(format!("claims to have written {length} bytes into {}", bytes.len())));
    }
    bytes.truncate(length);
    Ok(())
}

fn chosen(params: &Params, forms: &[SecretForm]) -> Result<SecretForm> {
    params
        .form
        .or_else(|| forms.first().copied())
        .ok_or_else(|| Error::unsupported("this library imports and exports no private keys"))
}

/// `import-seed` is from the seed; `import-secret` and `export-secret` take the other encoding where there is one.
fn import_form(operation: Operation, params: &Params, forms: &[SecretForm]) -> Result<SecretForm> {
    if let Some(form) = params.form {
        return Ok(form);
    }
    if operation == Operation::ImportSeed {
        return Ok(SecretForm::Seed);
    }
    match forms.iter().find(|form| **form != SecretForm::Seed) {
        Some(form) => Ok(*form),
        None => chosen(params, forms),
    }
}

fn length(params: &Params, sizes: Sizes) -> Result<usize> {
    let length = params.length.or(sizes.output).unwrap_or(0);
    if length > MAX_OUTPUT {
        return Err(Error::usage(format!("an output of {length} bytes was asked for, the limit is {MAX_OUTPUT}")));
    }
    Ok(length)
}

fn verdict(valid: bool) -> Fields {
    Fields::from([("valid", vec![u8::from(valid)])])
}

#[cfg(test)]
mod tests;
