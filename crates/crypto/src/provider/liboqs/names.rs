//! What a discovered algorithm is called here.
//!
//! A name of the catalogue is given only to the algorithm of the standard: same name, the library says that it is the
//! standard's edition, and all sizes are the standard's. Everything else keeps the library's own name. Where that name
//! is an accepted spelling of a standard (`Kyber768`, `Dilithium3`, `SPHINCS+-SHA2-128f-simple`), a suffix keeps a
//! reader and [`crate::find`] from taking the submission for the standard.

use super::ffi::{KemLengths, SignatureLengths};
use crate::catalogue::{Algorithm, Family, Sizes, catalogue, find};
use crate::error::{Error, Result};

/// Longest public or private key, ciphertext or signature believed; the longest known is a UOV private key of 2.4 MB.
const MAX_LENGTH: usize = 64 << 20;
/// Longest shared secret believed; the longest known has 64 bytes.
const MAX_SHARED: usize = 1024;

/// What the library says of one algorithm.
pub(super) struct Found<'a> {
    pub(super) family: Family,
    pub(super) name: &'a str,
    /// `alg_version` of the object.
    pub(super) edition: &'a str,
    /// `claimed_nist_level` of the object.
    pub(super) level: u8,
    pub(super) sizes: Sizes,
}

/// The row for a discovered algorithm: the catalogue's for one of a standard, else a new one.
/// None for what is no algorithm of its family: `ML-DSA-*-extmu` signs the 64 bytes µ of FIPS 204 section 6.2 and no
/// message.
///
/// # Errors
/// [`crate::Fault::Environment`] when the lengths are not the standard's, or not plausible: then the object has another
/// layout than this program knows and nothing read from it can be trusted.
pub(super) fn row(found: &Found<'_>) -> Result<Option<&'static Algorithm>> {
    if found.name.ends_with("-extmu") {
        return Ok(None);
    }
    let plausible = |size: Option<usize>, most: usize| size.is_none_or(|bytes| (1..=most).contains(&bytes));
    let Sizes { public, secret, ciphertext, shared, signature, .. } = found.sizes;
    if ![public, secret, ciphertext, signature].into_iter().all(|size| plausible(size, MAX_LENGTH))
        || !plausible(shared, MAX_SHARED)
    {
        return Err(layout(found, "lengths that cannot be"));
    }
    match standard(found) {
        Some(row) if matches_sizes(row, found.sizes) => Ok(Some(row)),
        Some(row) => Err(layout(found, &format!("lengths other than those of {}", row.standard))),
        None => Ok(Some(Algorithm::discovered(
            &own_name(found.name),
            found.family,
            found.edition,
            (1..=5).contains(&found.level).then_some(found.level),
            found.sizes,
        ))),
    }
}

/// Sizes of a KEM's row.
pub(super) fn kem_sizes(lengths: KemLengths) -> Sizes {
    let KemLengths { public, secret, ciphertext, shared } = lengths;
    Sizes {
        public: Some(public),
        secret: Some(secret),
        ciphertext: Some(ciphertext),
        shared: Some(shared),
        ..Sizes::default()
    }
}

/// Sizes of a signature's row.
pub(super) fn signature_sizes(lengths: SignatureLengths) -> Sizes {
    let SignatureLengths { public, secret, signature } = lengths;
    Sizes { public: Some(public), secret: Some(secret), signature: Some(signature), ..Sizes::default() }
}

/// The catalogue's row when this is the algorithm of the standard; the library says `FIPS203` for FIPS 203.
fn standard(found: &Found<'_>) -> Option<&'static Algorithm> {
    let name = match found.name.strip_prefix("SLH_DSA_PURE_") {
        None => found.name.to_owned(),
        Some(parameters) => slh_dsa_name(parameters)?,
    };
    catalogue().iter().find(|row| {
        row.name == name
            && row.family == found.family
            && row.standard.replace(' ', "") == found.edition.replace(' ', "")
    })
}

/// `SHA2_128S` → `SLH-DSA-SHA2-128s` (FIPS 205 section 11).
fn slh_dsa_name(parameters: &str) -> Option<String> {
    let (hash, size) = parameters.split_once('_')?;
    Some(format!("SLH-DSA-{hash}-{}", size.to_ascii_lowercase()))
}

fn matches_sizes(row: &Algorithm, found: Sizes) -> bool {
    let Sizes { public, secret, ciphertext, shared, signature, .. } = row.sizes;
    (public, secret, ciphertext, shared, signature)
        == (found.public, found.secret, found.ciphertext, found.shared, found.signature)
}

fn own_name(name: &str) -> String {
    if find(name).is_none() {
        return name.to_owned();
    }
    let submission = ["Kyber", "Dilithium", "SPHINCS+"].iter().any(|prefix| name.starts_with(prefix));
    format!("{name}-{}", if submission { "round3" } else { "draft" })
}

fn layout(found: &Found<'_>, what: &str) -> Error {
    let Sizes { public, secret, ciphertext, shared, signature, .. } = found.sizes;
    let shown: Vec<String> = [
        ("public", public),
        ("private", secret),
        ("ciphertext", ciphertext),
        ("shared", shared),
        ("signature", signature),
    ]
    .into_iter()
    .filter_map(|(name, size)| size.map(|bytes| format!("{name} {bytes}")))
    .collect();
    Error::environment(format!("this library states {what} for {}: {}", found.name, shown.join(", ")))
        .with_hint("use a liboqs between 0.12 and 0.16")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kem<'a>(name: &'a str, edition: &'a str, lengths: [usize; 4]) -> Found<'a> {
        let [public, secret, ciphertext, shared] = lengths;
        let sizes = kem_sizes(KemLengths { public, secret, ciphertext, shared });
        Found { family: Family::Kem, name, edition, level: 3, sizes }
    }

    fn signature<'a>(name: &'a str, edition: &'a str, lengths: [usize; 3]) -> Found<'a> {
        let [public, secret, signature] = lengths;
        let sizes = signature_sizes(SignatureLengths { public, secret, signature });
        Found { family: Family::Signature, name, edition, level: 1, sizes }
    }

    const ML_KEM_768: [usize; 4] = [1184, 2400, 1088, 32];

    #[test]
    fn only_the_standards_edition_gets_the_standards_row() {
        let row_of = |found: &Found<'_>| row(found).unwrap().unwrap();
        assert_eq!(row_of(&kem("ML-KEM-768", "FIPS203", ML_KEM_768)), find("ML-KEM-768").unwrap());
        let draft = row_of(&kem("ML-KEM-768", "ML-KEM-ipd", ML_KEM_768));
        assert_eq!((draft.name, draft.standard, draft.category), ("ML-KEM-768-draft", "ML-KEM-ipd", Some(3)));
        let slh = row_of(&signature("SLH_DSA_PURE_SHAKE_128F", "FIPS205", [32, 64, 17088]));
        assert_eq!(slh, find("SLH-DSA-SHAKE-128f").unwrap());
    }

    #[test]
    fn submissions_never_resolve_to_a_standard() {
        for found in [
            kem("Kyber768", "https://example.org/kyber", ML_KEM_768),
            signature("Dilithium2", "round 3", [1312, 2528, 2420]),
            signature("SPHINCS+-SHA2-128f-simple", "round 3", [32, 64, 17088]),
            signature("SLH_DSA_SHA2_256_PREHASH_SHA2_128F", "FIPS205", [32, 64, 17088]),
        ] {
            let row = row(&found).unwrap().unwrap();
            assert!(find(row.name).is_none(), "{} is taken for {:?}", row.name, find(row.name));
            assert_eq!(row.standard, found.edition);
        }
    }

    #[test]
    fn wrong_lengths_refuse_the_library() {
        for lengths in [[1184, 2400, 1088, 64], [2400, 1184, 1088, 32], [1184, 2400, 0, 32], [1184, 2400, 1 << 40, 32]]
        {
            let error = row(&kem("ML-KEM-768", "FIPS203", lengths)).unwrap_err();
            assert!(error.what().contains("ML-KEM-768"), "{error}");
            assert!(error.hint().is_some());
        }
        assert!(row(&kem("New-KEM", "1.0", [0x7fff_dead_beef_0000, 1, 1, 32])).is_err());
        assert!(row(&kem("New-KEM", "1.0", [1, 1, 1, 4096])).is_err());
    }

    #[test]
    fn a_level_that_is_no_category_is_absent() {
        let mut found = kem("New-KEM", "1.0", [1, 1, 1, 32]);
        found.level = 0;
        assert_eq!(row(&found).unwrap().unwrap().category, None);
    }

    #[test]
    fn external_mu_is_not_a_signature_scheme() {
        assert!(row(&signature("ML-DSA-44-extmu", "FIPS204", [1312, 2560, 2420])).unwrap().is_none());
    }
}
