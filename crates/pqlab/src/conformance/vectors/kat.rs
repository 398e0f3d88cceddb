//! Text records `Name = hex`: LWC known answers (NIST lightweight cryptography) and CAVP hash examples.

use super::{Hex, LoadError, Place, Sink, VectorSet};
use crate::conformance::case::Expect;
use crate::workload::operation::Operation;
use crate::workload::perform::{Fields, Params};
use crypto::find;

/// Which of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Lwc,
    Cavp,
}

/// By the first record's first name.
pub(super) fn recognise(head: &[u8]) -> Option<Kind> {
    let text = String::from_utf8_lossy(head);
    for line in text.lines().map(str::trim) {
        match line.split_once('=').map(|(name, _)| name.trim()) {
            Some("Count") => return Some(Kind::Lwc),
            Some("Len") => return Some(Kind::Cavp),
            _ if line.is_empty() || line.starts_with(['#', '[']) => {}
            _ => return None,
        }
    }
    None
}

#[derive(Default)]
struct Record {
    line: usize,
    fields: Vec<(String, String)>,
    /// Algorithm named by the last quoted title in a comment (CAVP).
    title: Option<String>,
}

impl Record {
    fn text(&self, file: &str, name: &str) -> Result<&str, LoadError> {
        self.fields
            .iter()
            .find(|(n, _)| n == name)
            .map(|(_, value)| value.as_str())
            .ok_or_else(|| LoadError::at(file, format!("record at line {}", self.line), format!("no `{name}`")))
    }

    fn bytes(&self, file: &str, name: &str) -> Result<Vec<u8>, LoadError> {
        hex::decode(self.text(file, name)?).map_err(|e| {
            LoadError::at(file, format!("record at line {}", self.line), format!("`{name}` is not hex: {e}"))
        })
    }

    fn number(&self, file: &str, name: &str) -> Result<u64, LoadError> {
        self.text(file, name)?.parse().map_err(|_| {
            LoadError::at(file, format!("record at line {}", self.line), format!("`{name}` is not a number"))
        })
    }

    fn has(&self, name: &str) -> bool {
        self.fields.iter().any(|(n, _)| n == name)
    }
}

fn records(file: &str, text: &str, first: &str) -> Result<Vec<Record>, LoadError> {
    let mut records: Vec<Record> = Vec::new();
    let mut title = None;
    for (number, line) in text.lines().enumerate().map(|(n, line)| (n + 1, line.trim())) {
        if line.starts_with('#') {
            if let Some(quoted) = line.split('"').nth(1) {
                title = quoted.split_whitespace().next().map(str::to_owned);
            }
            continue;
        }
        if line.is_empty() || line.starts_with('[') {
            continue;
        }
        let Some((name, value)) = line.split_once('=') else {
            return Err(LoadError::at(file, format!("line {number}"), "neither `Name = value` nor a comment"));
        };
        let (name, value) = (name.trim(), value.trim());
        if name == first {
            records.push(Record { line: number, fields: Vec::new(), title: title.clone() });
        }
        let Some(record) = records.last_mut() else {
            return Err(LoadError::at(file, format!("line {number}"), format!("`{name}` stands before any `{first}`")));
        };
        record.fields.push((name.to_owned(), value.to_owned()));
    }
    Ok(records)
}

pub(super) fn read(kind: Kind, name: &str, bytes: &[u8], set: &mut VectorSet) -> Result<(), LoadError> {
    let text = std::str::from_utf8(bytes)
        .map_err(|e| LoadError::at(name, format!("byte {}", e.valid_up_to()), "not UTF-8 text"))?;
    match kind {
        Kind::Lwc => {
            let records = records(name, text, "Count")?;
            let mut sink = Sink::new(set, name, "LWC KAT");
            let outcome = lwc(name, &records, &mut sink);
            sink.finish(outcome)
        }
        Kind::Cavp => {
            let records = records(name, text, "Len")?;
            let mut sink = Sink::new(set, name, "CAVP");
            let outcome = records.iter().zip(1..).try_for_each(|(record, id)| cavp(name, record, id, &mut sink));
            sink.finish(outcome)
        }
    }
}

fn lwc(file: &str, records: &[Record], sink: &mut Sink<'_>) -> Result<(), LoadError> {
    let Some(first) = records.first() else { return Ok(()) };
    if !first.has("Key") {
        let what = if first.has("Z") { "Ascon-CXOF128" } else { "a lightweight hash function" };
        for record in records {
            record.bytes(file, "MD")?;
        }
        sink.skip(None, records.len(), &format!("{what} is not in the catalogue"));
        return Ok(());
    }
    let ascon = find("Ascon-AEAD128");
    // The files of SP 800-232 count the nonce on from the key (10…1F); those of the competition repeat 00…0F.
    let (key, nonce) = (first.bytes(file, "Key")?, first.bytes(file, "Nonce")?);
    let (Some(row), true) = (ascon, key.len() == 16 && nonce.len() == 16 && key != nonce) else {
        sink.skip(None, records.len(), "known answers of a competition cipher, not of Ascon-AEAD128 (SP 800-232)");
        return Ok(());
    };
    for record in records {
        let place = Place { algorithm: row, group: 1, id: record.number(file, "Count")?, comment: None };
        let field = |name| record.bytes(file, name);
        let (plaintext, sealed) = (field("PT")?, field("CT")?);
        if sealed.len() != plaintext.len() + 16 {
            return Err(LoadError::at(
                file,
                format!("record at line {}", record.line),
                format!("`CT` has {} bytes, `PT` {} (and a tag of 16)", sealed.len(), plaintext.len()),
            ));
        }
        let base = Fields::from([("key", field("Key")?), ("nonce", field("Nonce")?), ("aad", field("AD")?)]);
        sink.case(
            &place,
            Operation::Seal,
            Params::default(),
            base.clone().with("plaintext", &plaintext),
            Expect::Outputs(Fields::from([("sealed", sealed.clone())])),
        );
        sink.case(
            &place,
            Operation::Open,
            Params::default(),
            base.with("sealed", &sealed),
            Expect::Outputs(Fields::from([("valid", vec![1]), ("plaintext", plaintext)])),
        );
    }
    Ok(())
}

/// `Len` in bits, `Msg` (one zero byte when empty), `MD`, or `Output` for the extendable-output functions.
fn cavp(file: &str, record: &Record, id: u64, sink: &mut Sink<'_>) -> Result<(), LoadError> {
    let place = format!("record at line {}", record.line);
    let Some(title) = record.title.as_deref() else {
        return Err(LoadError::at(file, place, "no comment names the hash function (`# \"SHA-256 …\"`)"));
    };
    let bits = record.number(file, "Len")?;
    let name = if record.has("Output") { "Output" } else { "MD" };
    let Hex(digest) = Hex(record.bytes(file, name)?);
    let mut message = record.bytes(file, "Msg")?;
    let Some(row) = find(title).filter(|row| row.family == crypto::Family::Hash) else {
        sink.skip(None, 1, &format!("{title} is not in the catalogue"));
        return Ok(());
    };
    if bits % 8 != 0 {
        sink.skip(Some(row), 1, "messages that are no whole number of bytes");
        return Ok(());
    }
    let length = usize::try_from(bits / 8).unwrap_or(usize::MAX);
    if length > message.len() {
        return Err(LoadError::at(file, place, format!("`Len` says {length} bytes, `Msg` has {}", message.len())));
    }
    message.truncate(length);
    let length = (name == "Output").then_some(digest.len());
    if length.is_none() && Some(digest.len()) != row.sizes.output {
        return Err(LoadError::at(file, place, format!("`MD` has {} bytes, {} has another", digest.len(), row.name)));
    }
    sink.case(
        &Place { algorithm: row, group: 1, id, comment: None },
        Operation::Hash,
        Params { form: None, length },
        Fields::from([("message", message)]),
        Expect::Outputs(Fields::from([("digest", digest)])),
    );
    Ok(())
}
