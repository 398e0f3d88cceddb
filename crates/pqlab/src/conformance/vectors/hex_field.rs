//! A byte string written in hex, with errors that carry line and column.

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use std::fmt;

/// Bytes read from hex digits of either case.
#[derive(Clone, Default)]
pub struct Hex(pub Vec<u8>);

impl<'de> Deserialize<'de> for Hex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Digits)
    }
}

struct Digits;

impl Visitor<'_> for Digits {
    type Value = Hex;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string of hex digits")
    }

    fn visit_str<E: Error>(self, digits: &str) -> Result<Hex, E> {
        hex::decode(digits).map(Hex).map_err(|e| E::custom(format!("not a hex string: {e}")))
    }
}
