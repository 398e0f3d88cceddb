//! One table of all algorithms: name, standard, category, object identifier, sizes.
//!
//! Names are the standards' own. Other spellings are accepted by [`find`] and never written.

use serde::Serialize;

mod table;

pub use table::catalogue;

/// What an algorithm is for; decides which operations it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// Key encapsulation.
    Kem,
    /// Digital signature.
    Signature,
    /// Key agreement.
    Agreement,
    /// Authenticated encryption.
    Aead,
    /// Hash or extendable-output function.
    Hash,
    /// Message authentication code.
    Mac,
    /// Key derivation.
    Kdf,
}

impl Family {
    /// Lower-case word used in records, plans and on the worker line protocol.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Family::Kem => "kem",
            Family::Signature => "signature",
            Family::Agreement => "agreement",
            Family::Aead => "aead",
            Family::Hash => "hash",
            Family::Mac => "mac",
            Family::Kdf => "kdf",
        }
    }
}

/// Sizes in bytes; `None` where the family has no such thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, serde::Deserialize)]
pub struct Sizes {
    /// Public key, raw encoding of the standard.
    pub public: Option<usize>,
    /// Private key, [`crate::SecretForm::Expanded`] (for RSA and Ed25519: none).
    pub secret: Option<usize>,
    /// Private key as seed, [`crate::SecretForm::Seed`].
    pub seed: Option<usize>,
    /// Ciphertext of a KEM.
    pub ciphertext: Option<usize>,
    /// Shared secret of a KEM or key agreement.
    pub shared: Option<usize>,
    /// Signature; the largest where it varies (ECDSA in DER, Falcon).
    pub signature: Option<usize>,
    /// Symmetric key.
    pub key: Option<usize>,
    /// Nonce.
    pub nonce: Option<usize>,
    /// Authentication tag.
    pub tag: Option<usize>,
    /// Digest, or the output taken from an extendable-output function or KDF.
    pub output: Option<usize>,
}

/// A row of the catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Algorithm {
    /// Canonical name.
    pub name: &'static str,
    /// What it is for.
    pub family: Family,
    /// Publication that defines it.
    pub standard: &'static str,
    /// NIST security category 1–5 (SP 800-208 style categories of the PQC process); `None` for algorithms that a
    /// quantum computer breaks and where no category is assigned.
    pub category: Option<u8>,
    /// Object identifier, dotted decimal.
    pub oid: Option<&'static str>,
    /// Sizes in bytes.
    pub sizes: Sizes,
    /// Other spellings accepted on input.
    #[serde(skip)]
    pub aliases: &'static [&'static str],
}

impl Algorithm {
    /// A row for an algorithm found in a loaded library and not in the catalogue. Lives as long as the process,
    /// as the library does.
    #[must_use]
    pub fn discovered(name: &str, family: Family, standard: &str, category: Option<u8>, sizes: Sizes) -> &'static Self {
        Box::leak(Box::new(Self {
            name: String::leak(name.to_owned()),
            family,
            standard: String::leak(standard.to_owned()),
            category,
            oid: None,
            sizes,
            aliases: &[],
        }))
    }
}

/// The catalogue row for a name in any accepted spelling: case, `-`, `_` and spaces do not count.
#[must_use]
pub fn find(name: &str) -> Option<&'static Algorithm> {
    let wanted = fold(name);
    catalogue().iter().find(|a| fold(a.name) == wanted || a.aliases.iter().any(|alias| fold(alias) == wanted))
}

/// All canonical names, for "did you mean".
#[must_use]
pub fn nearest_names() -> Vec<&'static str> {
    catalogue().iter().map(|a| a.name).collect()
}

fn fold(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '-' | '_' | ' ' | '/')).map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_and_aliases_are_unique_after_folding() {
        let mut seen = HashSet::new();
        for row in catalogue() {
            for spelling in std::iter::once(&row.name).chain(row.aliases) {
                let folded = fold(spelling);
                // An alias that folds to its own name is useless, one that folds to another's is a bug.
                assert!(seen.insert(folded), "{spelling} of {} is taken", row.name);
            }
        }
    }

    #[test]
    fn aliases_resolve_to_the_standard_name() {
        assert_eq!(find("kyber768").unwrap().name, "ML-KEM-768");
        assert_eq!(find("mlkem768").unwrap().name, "ML-KEM-768");
        assert_eq!(find("dilithium3").unwrap().name, "ML-DSA-65");
        assert_eq!(find("sphincs+-shake-128f-simple").unwrap().name, "SLH-DSA-SHAKE-128f");
        assert!(find("ML-KEM-999").is_none());
    }

    #[test]
    fn every_row_has_the_sizes_its_family_needs() {
        for row in catalogue() {
            let s = row.sizes;
            let complete = match row.family {
                Family::Kem => s.public.and(s.secret).and(s.ciphertext).and(s.shared),
                Family::Signature => s.public.and(s.signature),
                Family::Agreement => s.public.and(s.secret).and(s.shared),
                Family::Aead => s.key.and(s.nonce).and(s.tag),
                Family::Hash | Family::Mac | Family::Kdf => s.output,
            };
            assert!(complete.is_some(), "{} lacks a size", row.name);
        }
    }
}
