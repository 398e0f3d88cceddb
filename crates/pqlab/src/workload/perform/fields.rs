//! Named byte strings, as the line protocol carries them.

use crypto::{Error, Result};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt;
use zeroize::Zeroize;

/// Byte strings by name. In JSON an object of lower-case hex strings; wiped when dropped; `Debug` shows names and
/// lengths only, because private keys travel in it.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Fields(BTreeMap<String, Vec<u8>>);

impl Fields {
    /// The bytes of that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.0.get(name).map(Vec::as_slice)
    }

    /// The bytes of that name.
    ///
    /// # Errors
    /// [`crypto::Fault::Usage`] when they are missing.
    pub fn need(&self, name: &str) -> Result<&[u8]> {
        self.get(name).ok_or_else(|| Error::usage(format!("the input `{name}` is missing")))
    }

    /// Sets the bytes of that name.
    pub fn insert(&mut self, name: &str, bytes: Vec<u8>) {
        if let Some(mut old) = self.0.insert(name.to_owned(), bytes) {
            old.zeroize();
        }
    }

    /// As [`Fields::insert`], for building a value in one expression.
    #[must_use]
    pub fn with(mut self, name: &str, bytes: &[u8]) -> Self {
        self.insert(name, bytes.to_vec());
        self
    }

    /// Names and bytes in order of name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.0.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
    }

    /// The bytes of that name, to change them.
    #[cfg(test)]
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Vec<u8>> {
        self.0.get_mut(name)
    }
}

impl<const N: usize> From<[(&str, Vec<u8>); N]> for Fields {
    fn from(entries: [(&str, Vec<u8>); N]) -> Self {
        Self(entries.into_iter().map(|(name, bytes)| (name.to_owned(), bytes)).collect())
    }
}

impl Drop for Fields {
    fn drop(&mut self) {
        self.0.values_mut().for_each(Zeroize::zeroize);
    }
}

impl fmt::Debug for Fields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter().map(|(name, bytes)| (name, format_args_len(bytes)))).finish()
    }
}

fn format_args_len(bytes: &[u8]) -> String {
    format!("{} bytes", bytes.len())
}

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|(name, bytes)| (name, hex::encode(bytes))))
    }
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let text = BTreeMap::<String, String>::deserialize(deserializer)?;
        let mut fields = Self::default();
        for (name, mut digits) in text {
            let bytes = hex::decode(&digits).map_err(|e| D::Error::custom(format!("`{name}` is not hex: {e}")));
            digits.zeroize();
            fields.insert(&name, bytes?);
        }
        Ok(fields)
    }
}
