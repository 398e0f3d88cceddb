//! The input pool `PQIN1`: named sections of byte strings, handed by the coordinator to workers as a file.
//!
//! ```text
//! pool    = magic count section*      magic: the 8 bytes "PQLABIN1"; count: u32, at most 64
//! section = len name count item*      len: u8, 1 to 64; name: a-z 0-9 . _ -; count: u32, at most 65536
//! item    = length bytes              length: u32, at most 16 MiB
//! ```
//!
//! Numbers are unsigned and little-endian. Sections stand in ascending order of their names (byte by byte), each once;
//! nothing follows the last; the whole has at most 1 GiB. So one pool has exactly one encoding, and whatever
//! [`Pool::decode`] accepts, [`Pool::encode`] gives back byte for byte. `docs/POOL.md` says the same for writers of
//! workers in other languages.

use super::{EncodingError, Problem, Reader, Writer};
use std::collections::BTreeMap;
use std::fmt;

const MAGIC: &str = "PQLABIN1";
/// Most sections of a pool.
pub const MAX_SECTIONS: usize = 64;
/// Longest section name.
const MAX_NAME: usize = 64;
/// Most items of a section.
pub const MAX_ITEMS: usize = 65_536;
/// Longest item: 16 MiB.
pub const MAX_ITEM: usize = 16 << 20;
/// Longest pool: 1 GiB.
pub const MAX_TOTAL: usize = 1 << 30;
/// Bytes of a count, and of the length in front of each item.
const COUNT: usize = 4;

/// Inputs of a measurement: lists of byte strings by section name. The keys in it are made for measurement and guard
/// nothing; still its `Debug` shows sizes only.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Pool {
    /// Items by section name ([`is_section_name`]).
    pub sections: BTreeMap<String, Vec<Vec<u8>>>,
}

impl Pool {
    /// The one encoding of this pool.
    ///
    /// # Errors
    /// [`Problem::TooLarge`] for too many sections or items, too long an item or whole; [`Problem::Name`].
    pub fn encode(&self) -> Result<Vec<u8>, EncodingError> {
        let mut writer = Writer::with_capacity(self.encoded_len()?, MAX_TOTAL);
        writer.bytes(MAGIC.as_bytes())?;
        writer.count("number of sections", self.sections.len(), MAX_SECTIONS)?;
        for (name, items) in &self.sections {
            encode_section(&mut writer, name, items).map_err(|error| error.in_section(name))?;
        }
        Ok(writer.finish())
    }

    /// Length of the encoding, known before anything is copied.
    fn encoded_len(&self) -> Result<usize, EncodingError> {
        let mut total = MAGIC.len() + COUNT;
        for (name, items) in &self.sections {
            total += 1 + name.len() + COUNT;
            for (index, item) in items.iter().enumerate() {
                let found = total.saturating_add(COUNT).saturating_add(item.len());
                if found > MAX_TOTAL {
                    let problem = Problem::TooLarge { what: "total length", found, limit: MAX_TOTAL };
                    return Err(EncodingError::new(problem, total).in_section(name).in_item(index));
                }
                total = found;
            }
        }
        Ok(total)
    }

    /// Reads a pool.
    ///
    /// # Errors
    /// Any [`Problem`], with the offset, and the section and item where it is in one.
    pub fn decode(bytes: &[u8]) -> Result<Self, EncodingError> {
        if bytes.len() > MAX_TOTAL {
            let problem = Problem::TooLarge { what: "total length", found: bytes.len(), limit: MAX_TOTAL };
            return Err(EncodingError::new(problem, 0));
        }
        let mut reader = Reader::new(bytes);
        if reader.take("magic", MAGIC.len()).ok() != Some(MAGIC.as_bytes()) {
            return Err(EncodingError::new(Problem::Magic { expected: MAGIC }, 0));
        }
        let count = reader.count("number of sections", MAX_SECTIONS)?;
        let mut sections = BTreeMap::<String, Vec<Vec<u8>>>::new();
        for _ in 0..count {
            let offset = reader.offset();
            let name = decode_name(&mut reader)?;
            let misplaced = sections.last_key_value().and_then(|(last, _)| match name.cmp(last.as_str()) {
                std::cmp::Ordering::Greater => None,
                _ if sections.contains_key(name) => Some(Problem::Duplicate),
                _ => Some(Problem::Order),
            });
            if let Some(problem) = misplaced {
                return Err(EncodingError::new(problem, offset).in_section(name));
            }
            let items = decode_items(&mut reader).map_err(|error| error.in_section(name))?;
            sections.insert(name.to_owned(), items);
        }
        reader.end()?;
        Ok(Self { sections })
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { sections } = self;
        let sizes = sections.iter().map(|(name, items)| {
            let bytes: usize = items.iter().map(Vec::len).sum();
            (name, format!("{} items, {bytes} bytes", items.len()))
        });
        f.debug_map().entries(sizes).finish()
    }
}

/// Whether a pool may have a section of that name: 1 to 64 characters of `a-z`, `0-9`, `.`, `_`, `-`.
#[must_use]
pub fn is_section_name(name: &str) -> bool {
    (1..=MAX_NAME).contains(&name.len())
        && name.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'_' | b'-'))
}

fn encode_section(writer: &mut Writer, name: &str, items: &[Vec<u8>]) -> Result<(), EncodingError> {
    let offset = writer.len();
    let length = u8::try_from(name.len()).ok().filter(|_| is_section_name(name));
    writer.u8(length.ok_or_else(|| EncodingError::new(Problem::Name, offset))?)?;
    writer.bytes(name.as_bytes())?;
    writer.count("number of items", items.len(), MAX_ITEMS)?;
    for (index, item) in items.iter().enumerate() {
        writer.prefixed("item", item, MAX_ITEM).map_err(|error| error.in_item(index))?;
    }
    Ok(())
}

fn decode_name<'a>(reader: &mut Reader<'a>) -> Result<&'a str, EncodingError> {
    let offset = reader.offset();
    let length = usize::from(reader.u8("section name length")?);
    let bytes = reader.take("section name", length)?;
    std::str::from_utf8(bytes)
        .ok()
        .filter(|name| is_section_name(name))
        .ok_or_else(|| EncodingError::new(Problem::Name, offset))
}

fn decode_items(reader: &mut Reader<'_>) -> Result<Vec<Vec<u8>>, EncodingError> {
    let offset = reader.offset();
    let count = reader.count("number of items", MAX_ITEMS)?;
    // An item has at least its length, so the bytes that are there bound what is allocated.
    let needed = count * COUNT;
    if needed > reader.remaining() {
        let problem = Problem::Truncated { what: "list of items", needed, left: reader.remaining() };
        return Err(EncodingError::new(problem, offset));
    }
    let mut items = Vec::with_capacity(count);
    for index in 0..count {
        let item = reader.prefixed("item", MAX_ITEM).map_err(|error| error.in_item(index))?;
        items.push(item.to_vec());
    }
    Ok(items)
}
