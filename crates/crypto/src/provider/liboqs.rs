//! liboqs, any version from 0.12 to 0.16, loaded at run time from a shared library.
//!
//! Nothing is listed here: the library is asked what it has. Algorithms of a standard get the row of the catalogue,
//! everything else its own name and the library's own words for its edition (see `names.rs`).
//!
//! What the library checks and when, so that timings are read right: liboqs has no key objects, so import is a copy and
//! a length check; for ML-KEM also the input checks of FIPS 203 section 7.2 and 7.3, which this adapter does. Some
//! versions repeat those checks in every operation. Signing keys other than ML-KEM's cannot be checked: bytes of the
//! right length that are no key are given to the C code as they are, another reason why a provider is run in a process
//! of its own.

mod ffi;
mod kem;
mod ml_kem;
mod names;
mod signature;

use super::library::library_file;
use super::{Identity, Provider};
use crate::catalogue::Family;
use crate::error::{Error, Result};
use ffi::{Api, KemObject, SignatureObject};
use names::Found;
use std::path::Path;

/// Loads liboqs from a shared library and finds out what it offers.
///
/// The library stays loaded for the life of the process. Loading it runs its code, as every later call does.
///
/// **Stack.** liboqs keeps large values on the stack. Seen with 0.13 and 0.16 on x86-64: MQOM category 5 6.6 MiB, SNOVA
/// and CROSS up to 2.2 MiB, Classic McEliece and MAYO up to 1.3 MiB; a thread of Rust has 2 MiB by default. Operations
/// must run in a thread of [`STACK_BYTES`].
///
/// # Errors
/// [`crate::Fault::Environment`] when the file cannot be read or loaded, is not a liboqs, states no version, or states
/// lengths that are not those of the standards (then its structures differ from those of 0.12 to 0.16).
pub fn load(library: &Path, origin: &str) -> Result<Provider> {
    let file = library_file(library)?;
    let at_path = |error: Error| {
        let hint = error.hint().map(str::to_owned);
        let placed = Error::new(error.fault(), format!("{}: {}", library.display(), error.what()));
        hint.into_iter().fold(placed, Error::with_hint)
    };
    let api = Api::open(&file.path)?;
    let version = api.version().filter(|version| is_version(version)).ok_or_else(|| {
        Error::environment(format!("{}: OQS_version gives no version", library.display()))
            .with_hint("give the path of a shared liboqs 0.12 or newer, e.g. …/lib/liboqs.so")
    })?;
    let mut provider = Provider::empty(Identity {
        name: "liboqs".into(),
        version,
        variant: None,
        library: Some(file),
        flags: None,
        isa_path: isa_path(api),
        fips: None,
        origin: origin.into(),
    });
    add_kems(api, &mut provider).map_err(at_path)?;
    add_signatures(api, &mut provider).map_err(at_path)?;
    Ok(provider)
}

/// Stack that the operations of every algorithm seen so far fit in, nine times over.
pub const STACK_BYTES: usize = 64 << 20;

fn add_kems(api: &'static Api, provider: &mut Provider) -> Result<()> {
    for name in api.kem_names() {
        let object = KemObject::new(api, &name)?;
        let sizes = names::kem_sizes(object.lengths);
        let found = Found { family: Family::Kem, name: &name, edition: &object.edition, level: object.level, sizes };
        if let Some(row) = names::row(&found)? {
            provider.kems.push(kem::OqsKem::leak(row, object));
        }
    }
    Ok(())
}

fn add_signatures(api: &'static Api, provider: &mut Provider) -> Result<()> {
    for name in api.signature_names() {
        let object = SignatureObject::new(api, &name)?;
        let sizes = names::signature_sizes(object.lengths);
        let found =
            Found { family: Family::Signature, name: &name, edition: &object.edition, level: object.level, sizes };
        if let Some(row) = names::row(&found)? {
            provider.signatures.push(signature::OqsSignature::leak(row, object));
        }
    }
    Ok(())
}

/// `0.13.0`, `0.16.1-dev`, `0.15.0-rc1`: goes into the provider's id, so nothing else may.
fn is_version(version: &str) -> bool {
    version.starts_with(|first: char| first.is_ascii_digit())
        && version.len() <= 32
        && version.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_'))
}

/// `OQS_CPU_EXT` of liboqs 0.12 to 0.16, from value 1 on.
const EXTENSIONS: [&str; 17] = [
    "adx",
    "aes",
    "avx",
    "avx2",
    "avx512",
    "bmi1",
    "bmi2",
    "pclmulqdq",
    "vpclmulqdq",
    "popcnt",
    "sse",
    "sse2",
    "sse3",
    "arm-aes",
    "arm-sha2",
    "arm-sha3",
    "arm-neon",
];
/// How many of [`EXTENSIONS`] are x86's.
const X86_EXTENSIONS: usize = 13;

/// The instruction sets that the library says it may take on this CPU.
fn isa_path(api: &Api) -> Option<String> {
    let seen: Vec<bool> = (1..).zip(EXTENSIONS).map(|(value, _)| api.has_extension(value)).collect::<Option<_>>()?;
    describe_isa(&seen)
}

fn describe_isa(seen: &[bool]) -> Option<String> {
    let (x86, arm) = seen.split_at_checked(X86_EXTENSIONS)?;
    match (x86.contains(&true), arm.contains(&true)) {
        // A library that numbers its extensions otherwise: better nothing than a wrong name.
        (true, true) => None,
        // Every x86-64 has SSE2 and every AArch64 has NEON.
        (false, false) => Some("chosen when it was built (OQS_DIST_BUILD is off)".into()),
        _ => {
            let names: Vec<&str> =
                EXTENSIONS.iter().zip(seen).filter(|(_, seen)| **seen).map(|(name, _)| *name).collect();
            Some(format!("chosen at run time from: {}", names.join(" ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_fit_for_an_id() {
        for good in ["0.12.0", "0.13.0", "0.16.0-dev", "0.15.0-rc1"] {
            assert!(is_version(good), "{good}");
        }
        for bad in ["", "v", "0.13.0 (x)", "0.13@x", "0.13+fips", "0.13\n"] {
            assert!(!is_version(bad), "{bad}");
        }
    }

    #[test]
    fn isa_is_not_guessed() {
        let mut seen = [false; 17];
        assert!(describe_isa(&seen).unwrap().contains("when it was built"));
        seen[3] = true;
        assert_eq!(describe_isa(&seen).unwrap(), "chosen at run time from: avx2");
        seen[16] = true;
        assert_eq!(describe_isa(&seen), None);
    }

    #[test]
    fn a_file_that_is_no_library_is_named() {
        let error = load(Path::new("Cargo.toml"), "test").err().unwrap();
        assert_eq!(error.fault(), crate::Fault::Environment);
        assert!(error.what().contains("Cargo.toml"), "{error}");
        assert!(error.hint().is_some());
    }
}
