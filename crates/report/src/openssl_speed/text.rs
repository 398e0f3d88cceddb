//! The tables for people: heading lines and rows.

use super::Operation;
use super::names::{self, is_name};
use super::number::{Printed, Rate};

/// What the columns of the present table are.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Table {
    /// 1000s of bytes per second over buffers of these sizes.
    Buffers(Vec<u64>),
    /// Seconds and rates of operations, in the order of the columns.
    Operations(Vec<Column>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Column {
    operation: Operation,
    per_second: bool,
}

/// A figure of a row.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Figure {
    pub algorithm: String,
    pub written: String,
    pub family: &'static str,
    pub operation: Operation,
    pub size: Option<u64>,
    pub bits: Option<u32>,
    pub rate: Rate,
}

/// More columns than any table has.
const MAX_COLUMNS: usize = 16;

/// The table that a heading line begins.
pub(super) fn heading(text: &str) -> Option<Table> {
    if let Some(sizes) = text.strip_prefix("type ") {
        return sizes_of(sizes).map(Table::Buffers);
    }
    let words: Vec<&str> = text.split_whitespace().take(MAX_COLUMNS + 1).collect();
    if words.is_empty() || words.len() > MAX_COLUMNS {
        return None;
    }
    let columns = words.into_iter().map(column).collect::<Option<Vec<_>>>()?;
    Some(Table::Operations(columns))
}

fn sizes_of(text: &str) -> Option<Vec<u64>> {
    let words: Vec<&str> = text.split_whitespace().take(2 * MAX_COLUMNS + 1).collect();
    if words.is_empty() || words.len() > 2 * MAX_COLUMNS {
        return None;
    }
    words.chunks(2).map(|pair| if let [size, "bytes"] = pair { size.parse().ok() } else { None }).collect()
}

fn column(word: &str) -> Option<Column> {
    use Operation::{Decaps, Decrypt, Derive, Encaps, Encrypt, Keygen, Sign, Verify};
    let (operation, per_second) = match word {
        "keygen" => (Keygen, false),
        "keygens/s" | "keygen/s" => (Keygen, true),
        "encaps" | "encap" => (Encaps, false),
        "encaps/s" | "encap/s" => (Encaps, true),
        "decaps" | "decap" => (Decaps, false),
        "decaps/s" | "decap/s" => (Decaps, true),
        "sign" | "signs" => (Sign, false),
        "sign/s" | "signs/s" => (Sign, true),
        "verify" => (Verify, false),
        "verify/s" => (Verify, true),
        "encrypt" => (Encrypt, false),
        "encr./s" => (Encrypt, true),
        "decrypt" => (Decrypt, false),
        "decr./s" => (Decrypt, true),
        "op" => (Derive, false),
        "op/s" => (Derive, true),
        _ => return None,
    };
    Some(Column { operation, per_second })
}

/// The figures of a row; each is a figure or the reason why there is none. `Err` when the line is no row at all.
pub(super) fn row(text: &str, table: &Table) -> Result<Vec<Result<Figure, String>>, String> {
    let count = match table {
        Table::Buffers(sizes) => sizes.len(),
        Table::Operations(columns) => columns.len(),
    };
    let (name, values) = split(text, count).ok_or_else(|| format!("not a row of a table of {count} columns"))?;
    if !is_name(name) {
        return Err("no name before the figures".into());
    }
    match table {
        Table::Buffers(sizes) => Ok(buffers(name, sizes, &values)),
        Table::Operations(columns) => operations(name, columns, &values),
    }
}

/// The last `count` words, and what stands before them.
fn split(text: &str, count: usize) -> Option<(&str, Vec<&str>)> {
    let mut rest = text.trim();
    let mut values = Vec::with_capacity(count);
    for _ in 0..count {
        let (before, value) = rest.rsplit_once(|c: char| c.is_ascii_whitespace())?;
        values.push(value);
        rest = before.trim_end();
    }
    values.reverse();
    (!rest.is_empty()).then_some((rest, values))
}

fn buffers(name: &str, sizes: &[u64], values: &[&str]) -> Vec<Result<Figure, String>> {
    let known = names::symmetric(name);
    let figure = |(size, text): (&u64, &&str)| {
        // Without the `k` it is bytes, not thousands: the tool leaves it out for figures of at most 10000.
        let (digits, thousands) = text.strip_suffix('k').map_or((*text, false), |digits| (digits, true));
        let printed = Printed::parse(digits).ok_or_else(|| format!("`{text}` is no number"))?;
        let rate = Rate::of_bytes(printed, thousands, *size)
            .ok_or_else(|| format!("{name} over {size} bytes has the figure {text}: nothing was measured"))?;
        Ok(Figure {
            algorithm: known.algorithm.clone(),
            written: name.to_owned(),
            family: known.family,
            operation: known.operation,
            size: Some(*size),
            bits: None,
            rate,
        })
    };
    sizes.iter().zip(values).map(figure).collect()
}

fn operations(name: &str, columns: &[Column], values: &[&str]) -> Result<Vec<Result<Figure, String>>, String> {
    let subject = subject(name, columns).ok_or_else(|| format!("`{name}` is no name of a row here"))?;
    let mut figures = Vec::new();
    for (column, text) in columns.iter().zip(values).filter(|(column, _)| column.per_second) {
        let seconds =
            columns.iter().zip(values).find(|(other, _)| other.operation == column.operation && !other.per_second);
        figures.push(rate(text, seconds.map(|(_, text)| *text)).map(|rate| {
            let encryption = matches!(column.operation, Operation::Encrypt | Operation::Decrypt);
            Figure {
                algorithm: subject.algorithm.clone(),
                written: subject.written.clone(),
                family: if encryption { "encryption" } else { subject.family },
                operation: column.operation,
                size: None,
                bits: subject.bits,
                rate,
            }
        }));
    }
    Ok(figures)
}

fn rate(text: &str, seconds: Option<&str>) -> Result<Rate, String> {
    let printed = Printed::parse(text).ok_or_else(|| format!("`{text}` is no rate"))?;
    let of_rate = Rate::of_rate(printed);
    let found = match seconds {
        None => of_rate,
        Some(text) => {
            let digits = text.strip_suffix('s').and_then(Printed::parse);
            Rate::both(of_rate, Rate::of_seconds(digits.ok_or_else(|| format!("`{text}` is no time"))?))
        }
    };
    found.ok_or_else(|| match (of_rate, seconds) {
        (Some(_), Some(seconds)) => format!("{text} per second and {seconds} contradict each other"),
        _ => format!("the rate is {text}: nothing was measured"),
    })
}

struct Subject {
    algorithm: String,
    written: String,
    family: &'static str,
    bits: Option<u32>,
}

/// `rsa 2048 bits`, `256 bits ecdsa (nistp256)`, `253 bit EdDSA (Ed25519)`, `2048 bits ffdh`, `mlkem 768`, `ML-KEM-768`.
fn subject(name: &str, columns: &[Column]) -> Option<Subject> {
    let has = |operation| columns.iter().any(|column: &Column| column.operation == operation);
    let words: Vec<&str> = name.split_whitespace().take(5).collect();
    let of = |known: names::Named, written: &str, bits: Option<u32>| {
        Some(Subject { algorithm: known.algorithm, written: written.to_owned(), family: known.family, bits })
    };
    let bits = |text: &str| text.parse::<u32>().ok();
    match words.as_slice() {
        ["rsa", size, "bits"] => of(names::rsa(bits(size)?), name, Some(bits(size)?)),
        ["dsa", size, "bits"] => of(names::dsa(bits(size)?), name, Some(bits(size)?)),
        [size, "bits" | "bit", "ffdh"] => of(names::ffdh(bits(size)?), name, Some(bits(size)?)),
        [size, "bits" | "bit", kind, curve] => {
            let curve = curve.strip_prefix('(')?.strip_suffix(')')?;
            let (algorithm, family) = match *kind {
                "ecdsa" => (names::ecdsa(curve), "signature"),
                "ecdh" => (names::curve_name(curve), "agreement"),
                "EdDSA" | "SM2" => (names::eddsa(curve).algorithm, "signature"),
                _ => return None,
            };
            Some(Subject { algorithm, written: curve.to_owned(), family, bits: Some(bits(size)?) })
        }
        ["mlkem", size] => of(names::kem(&format!("mlkem{size}")), &format!("mlkem{size}"), Some(bits(size)?)),
        [one] if has(Operation::Encaps) => {
            // LibreSSL writes `mlkem1024`, and counts `1024`.
            let size = one.strip_prefix("mlkem").and_then(bits);
            of(names::kem(one), one, size)
        }
        [one] if has(Operation::Keygen) => of(names::signature(one), one, None),
        _ => None,
    }
}
