//! The lines of `-mr`: `+H` sizes, `+F…` figures, `+R…` counts, `+DT…` what begins.

use super::Operation::{Decaps, Decrypt, Derive, Encaps, Encrypt, Keygen, Sign, Verify};
use super::names::{self, Named, is_name};
use super::number::{Printed, Rate};
use super::text::Figure;
use super::timing::{self, Timing};
use super::{Operation, Place};

/// A line that begins with `+`.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Line<'a> {
    /// Sizes of the buffers.
    Sizes(Vec<u64>),
    /// A row of results.
    Row(Row),
    /// Operations counted.
    Counted(&'a str, Timing),
    /// A measurement begins.
    Begin,
}

/// A row of results, not yet interpreted.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row {
    /// 0 for `+F:`, 2 to 10 for `+F2:` to `+F10:`.
    pub kind: u8,
    /// Number of the algorithm in the tool's own list.
    pub index: u32,
    pub bits: Option<u32>,
    pub name: Option<String>,
    pub values: Vec<Printed>,
    pub place: Place,
}

/// What the figures of `+F2` to `+F5` are: LibreSSL and OpenSSL before 1.1.0 print seconds per operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    Rates,
    Seconds,
}

/// Kinds whose figures depend on the dialect.
pub(super) const AMBIGUOUS: std::ops::RangeInclusive<u8> = 2..=5;

pub(super) fn line(text: &str, place: Place) -> Result<Line<'_>, String> {
    if text.starts_with("+DT:") || text.starts_with("+DTP:") {
        return Ok(Line::Begin);
    }
    if let Some(sizes) = text.strip_prefix("+H:") {
        let sizes = sizes.split(':').take(33).map(|size| size.parse().ok()).collect::<Option<Vec<u64>>>();
        return sizes.filter(|sizes| sizes.len() <= 32).map(Line::Sizes).ok_or_else(|| "sizes are no numbers".into());
    }
    if text.starts_with("+R") {
        let found = timing::machine(text).filter(|(subject, _)| is_name(subject));
        return found.map(|(subject, timing)| Line::Counted(subject, timing)).ok_or_else(|| "no count and time".into());
    }
    match text.strip_prefix("+F") {
        Some(rest) => row(rest, place).map(Line::Row).ok_or_else(|| "not a row that is known of any version".into()),
        None => Err("not a line of -mr that is known".into()),
    }
}

fn row(rest: &str, place: Place) -> Option<Row> {
    let fields: Vec<&str> = rest.split(':').take(64).collect();
    let (kind, fields) = fields.split_first()?;
    let kind = if kind.is_empty() { 0 } else { kind.parse().ok().filter(|kind| (2..=10).contains(kind))? };
    let number = |text: &str| text.parse::<u32>().ok();
    let (index, bits, name, values) = match (kind, fields) {
        (0, [index, name, values @ ..]) => (number(index)?, None, Some(*name), values),
        // LibreSSL's ML-KEM has no number of its own.
        (6, [bits, values @ ..]) if values.len() == 6 => (number(bits)?, Some(number(bits)?), None, values),
        (6 | 7, [index, bits, name, values @ ..]) => (number(index)?, Some(number(bits)?), Some(*name), values),
        (9 | 10, [index, values @ ..]) => (number(index)?, None, None, values),
        (_, [index, bits, values @ ..]) => (number(index)?, Some(number(bits)?), None, values),
        _ => return None,
    };
    let fits = match kind {
        0 => !values.is_empty(),
        2 => matches!(values.len(), 2 | 4),
        6 => matches!((values.len(), name), (2, Some(_)) | (6, None)),
        9 | 10 => values.len() == 3,
        _ => values.len() == 2,
    };
    let values = values.iter().map(|value| Printed::parse(value)).collect::<Option<Vec<_>>>()?;
    let named = name.is_none_or(is_name);
    (fits && named).then(|| Row { kind, index, bits, name: name.map(str::to_owned), values, place })
}

impl Row {
    /// What this row alone says about its dialect.
    pub fn dialect(&self) -> Option<Dialect> {
        match (self.kind, self.values.len()) {
            (2, 4) | (6, 2) | (7..=10, _) => return Some(Dialect::Rates),
            (6, 6) => return Some(Dialect::Seconds),
            _ => {}
        }
        if !AMBIGUOUS.contains(&self.kind) {
            return None;
        }
        // Who prints seconds measures for 10 s each: no operation of his takes 100 s. Who prints rates counts whole
        // operations: none has a rate below one in 1000 s.
        let first = self.values.first()?.value;
        if first > 100.0 {
            Some(Dialect::Rates)
        } else if first > 0.0 && first < 0.001 {
            Some(Dialect::Seconds)
        } else {
            None
        }
    }

    /// The figures, each or the reason why there is none. Rows of kinds 9 and 10 have no name: the caller finds it.
    pub fn figures(&self, dialect: Option<Dialect>, sizes: &[u64]) -> Vec<Result<Figure, String>> {
        if self.kind == 0 {
            return self.buffers(sizes);
        }
        let (known, written) = match self.named() {
            Ok(named) => named,
            Err(reason) => return vec![Err(reason)],
        };
        let rate = |printed: Printed| Rate::of_rate(printed).ok_or("the rate is 0: nothing was measured".to_owned());
        let ambiguous = |printed: Printed| match dialect {
            Some(Dialect::Rates) => rate(printed),
            Some(Dialect::Seconds) if printed.value > 0.0 => Ok(Rate::of_seconds(printed)),
            Some(Dialect::Seconds) => Err("the time is 0: nothing was measured".to_owned()),
            None => Err("seconds (LibreSSL) or rates (OpenSSL)? standard error or the version would tell".to_owned()),
        };
        let all = self.values.iter().copied();
        let rates: Vec<(Operation, Result<Rate, String>)> = match self.kind {
            2 => [Sign, Verify, Encrypt, Decrypt].into_iter().zip(all.map(ambiguous)).collect(),
            3 | 4 => [Sign, Verify].into_iter().zip(all.map(ambiguous)).collect(),
            5 => vec![(Derive, all.take(1).map(ambiguous).next().unwrap_or_else(|| Err("no figure".into())))],
            8 => [Derive].into_iter().zip(all.map(rate)).collect(),
            6 if self.values.len() == 6 => {
                [Keygen, Encaps, Decaps].into_iter().zip(all.skip(1).step_by(2).map(rate)).collect()
            }
            6 | 7 => [Sign, Verify].into_iter().zip(all.map(rate)).collect(),
            9 => [Keygen, Encaps, Decaps].into_iter().zip(all.map(rate)).collect(),
            _ => [Keygen, Sign, Verify].into_iter().zip(all.map(rate)).collect(),
        };
        let figure = |(operation, rate): (Operation, Result<Rate, String>)| {
            let encryption = matches!(operation, Encrypt | Decrypt);
            Ok(Figure {
                algorithm: known.algorithm.clone(),
                written: written.clone(),
                family: if encryption { "encryption" } else { known.family },
                operation,
                size: None,
                bits: self.bits,
                rate: rate?,
            })
        };
        rates.into_iter().map(figure).collect()
    }

    /// Name and spelling; both empty for kinds 9 and 10.
    fn named(&self) -> Result<(Named, String), String> {
        let bits = self.bits.unwrap_or(0);
        let of = |family, operation, algorithm: String| Named { algorithm, family, operation };
        let curve = || {
            names::curve_of(self.index, bits)
                .ok_or_else(|| format!("no version has a curve number {} of {bits} bits", self.index))
        };
        Ok(match (self.kind, &self.name) {
            (2, _) => (names::rsa(bits), format!("rsa{bits}")),
            (3, _) => (names::dsa(bits), format!("dsa{bits}")),
            (4, _) => (of("signature", Sign, names::ecdsa(curve()?)), curve()?.to_owned()),
            (5, _) => (of("agreement", Derive, names::curve_name(curve()?)), curve()?.to_owned()),
            (8, _) => (names::ffdh(bits), format!("ffdh{bits}")),
            (6 | 7, Some(name)) => (names::eddsa(name), name.clone()),
            (6, None) => (names::kem(&format!("mlkem{bits}")), format!("mlkem{bits}")),
            (9, _) => (of("kem", Keygen, String::new()), String::new()),
            _ => (of("signature", Sign, String::new()), String::new()),
        })
    }

    fn buffers(&self, sizes: &[u64]) -> Vec<Result<Figure, String>> {
        if sizes.len() != self.values.len() {
            return vec![Err(format!(
                "{} figures, but the +H line before has {} sizes",
                self.values.len(),
                sizes.len()
            ))];
        }
        let written = self.name.clone().unwrap_or_default();
        let known = names::symmetric(&written);
        let figure = |(size, printed): (&u64, &Printed)| {
            let rate = Rate::of_bytes(*printed, false, *size)
                .ok_or_else(|| format!("{written} over {size} bytes has the figure 0: nothing was measured"))?;
            Ok(Figure {
                algorithm: known.algorithm.clone(),
                written: written.clone(),
                family: known.family,
                operation: known.operation,
                size: Some(*size),
                bits: None,
                rate,
            })
        };
        sizes.iter().zip(&self.values).map(figure).collect()
    }
}

/// The kind of `+F` line that has the same row as a table for people.
pub(super) fn kind_of(figures: &[Figure]) -> u8 {
    let Some(first) = figures.first() else { return 0 };
    match (first.family, first.operation) {
        _ if first.size.is_some() => 0,
        ("kem", _) => 9,
        ("signature", Keygen) => 10,
        ("agreement", _) if first.algorithm.starts_with("ffdhe") => 8,
        ("agreement", _) => 5,
        _ if first.algorithm.starts_with("RSA-") => 2,
        _ if first.algorithm.starts_with("DSA-") => 3,
        _ if first.algorithm.starts_with("ECDSA-") => 4,
        _ if first.algorithm == "SM2" => 7,
        _ => 6,
    }
}
