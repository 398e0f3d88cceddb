//! The operations of each family, by the name used in plans, records and on the worker line protocol.

use crypto::Family;
use std::fmt;
use std::str::FromStr;

/// What is done with an algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operation {
    /// Generate a key pair with the library's randomness.
    Keygen,
    /// Encapsulate with the library's randomness.
    Encaps,
    /// Encapsulate with given coins (measurement and tests).
    EncapsDerand,
    /// Decapsulate.
    Decaps,
    /// Sign as the library does by default (hedged for ML-DSA and SLH-DSA).
    Sign,
    /// Sign with the deterministic variant.
    SignDeterministic,
    /// Verify.
    Verify,
    /// Key agreement with a parsed peer key, or key derivation.
    Derive,
    /// AEAD encryption.
    Seal,
    /// AEAD decryption.
    Open,
    /// One-shot hash.
    Hash,
    /// One-shot MAC with a prepared key.
    Mac,
    /// Bytes → public key object.
    ImportPublic,
    /// Bytes → private key object, expanded (or the only) encoding.
    ImportSecret,
    /// Seed → private key object: the seeded key generation.
    ImportSeed,
    /// Public key object → bytes.
    ExportPublic,
    /// Private key object → bytes.
    ExportSecret,
}

impl Operation {
    /// All operations with their names.
    pub const ALL: [(Operation, &'static str); 17] = [
        (Operation::Keygen, "keygen"),
        (Operation::Encaps, "encaps"),
        (Operation::EncapsDerand, "encaps-derand"),
        (Operation::Decaps, "decaps"),
        (Operation::Sign, "sign"),
        (Operation::SignDeterministic, "sign-deterministic"),
        (Operation::Verify, "verify"),
        (Operation::Derive, "derive"),
        (Operation::Seal, "seal"),
        (Operation::Open, "open"),
        (Operation::Hash, "hash"),
        (Operation::Mac, "mac"),
        (Operation::ImportPublic, "import-public"),
        (Operation::ImportSecret, "import-secret"),
        (Operation::ImportSeed, "import-seed"),
        (Operation::ExportPublic, "export-public"),
        (Operation::ExportSecret, "export-secret"),
    ];

    /// The name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        Self::ALL.iter().find(|(operation, _)| *operation == self).map_or("", |(_, name)| name)
    }

    /// The operations that exist for a family, in the order in which they are shown.
    #[must_use]
    pub fn of(family: Family) -> &'static [Operation] {
        use Operation as O;
        match family {
            Family::Kem => &[
                O::Keygen,
                O::Encaps,
                O::Decaps,
                O::EncapsDerand,
                O::ImportPublic,
                O::ImportSecret,
                O::ImportSeed,
                O::ExportPublic,
                O::ExportSecret,
            ],
            Family::Signature => &[
                O::Keygen,
                O::Sign,
                O::SignDeterministic,
                O::Verify,
                O::ImportPublic,
                O::ImportSecret,
                O::ImportSeed,
                O::ExportPublic,
                O::ExportSecret,
            ],
            Family::Agreement => &[O::Keygen, O::Derive, O::ImportPublic, O::ImportSecret],
            Family::Aead => &[O::Seal, O::Open],
            Family::Hash => &[O::Hash],
            Family::Mac => &[O::Mac],
            Family::Kdf => &[O::Derive],
        }
    }

    /// Whether the operation runs over a message of a size that the plan gives.
    #[must_use]
    pub fn sized(self, family: Family) -> bool {
        matches!(family, Family::Aead | Family::Hash | Family::Mac | Family::Kdf)
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Operation {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL
            .iter()
            .find(|(_, known)| *known == name)
            .map(|(operation, _)| *operation)
            .ok_or_else(|| format!("unknown operation `{name}`"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back() {
        for (operation, name) in Operation::ALL {
            assert_eq!(name.parse::<Operation>(), Ok(operation));
            assert_eq!(operation.as_str(), name);
        }
        assert!("encrypt".parse::<Operation>().is_err());
    }
}
