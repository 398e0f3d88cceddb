//! Speeds of all kinds from anywhere: tables, logs of `openssl speed`, run directories. Tables are picked from them.

use super::names::key;
use super::table::{Cell, Column, Row, Source, Table, TableType};
use crate::openssl_speed::{Log, Measurement, Operation};
use crate::record::{Mode, Run, Status};
use std::collections::HashMap;

/// A collection of speeds.
#[derive(Debug, Default)]
pub struct Speeds {
    sources: Vec<Source>,
    /// A row has one cell for each column at most; further samples are in further rows.
    rows: Vec<Row>,
    /// Rows of a source and name, in order.
    of: HashMap<(usize, String), Vec<usize>>,
    /// Samples of a source, name and column.
    counts: HashMap<(usize, String, Column), usize>,
    /// Why a source has no figure of a name.
    lost: Vec<(usize, String, String)>,
}

impl Speeds {
    /// Who was measured.
    #[must_use]
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// Whether there is any figure.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Place of a source, added when it is new; what is known of it grows.
    pub fn source(&mut self, source: &Source) -> usize {
        let at = self.sources.iter().position(|known| known.id == source.id).unwrap_or_else(|| {
            self.sources.push(Source { id: source.id.clone(), ..Source::default() });
            self.sources.len() - 1
        });
        if let Some(known) = self.sources.get_mut(at) {
            known.host = known.host.take().or_else(|| source.host.clone());
            known.made_by = known.made_by.take().or_else(|| source.made_by.clone());
        }
        at
    }

    /// Adds a sample.
    pub fn add(&mut self, source: usize, name: &str, cell: Cell) {
        let cell = Cell { value: cell.value.map(eight), interval: cell.interval.map(|ends| ends.map(eight)), ..cell };
        let nth = self.counts.entry((source, name.to_owned(), cell.column)).or_default();
        let rows = self.of.entry((source, name.to_owned())).or_default();
        match rows.get(*nth).and_then(|at| self.rows.get_mut(*at)) {
            Some(row) => row.cells.push(cell),
            None => {
                rows.push(self.rows.len());
                self.rows.push(Row { source, name: name.to_owned(), cells: vec![cell], reason: None });
            }
        }
        *nth += 1;
    }

    /// Says why a source has no figure of a name.
    pub fn lose(&mut self, source: usize, name: &str, reason: &str) {
        if !self.lost.iter().any(|(at, known, _)| *at == source && known == name) {
            self.lost.push((source, name.to_owned(), reason.to_owned()));
        }
    }

    /// Adds a table.
    pub fn add_table(&mut self, table: &Table) {
        let places: Vec<usize> = table.sources.iter().map(|source| self.source(source)).collect();
        for row in &table.rows {
            let Some(source) = places.get(row.source).copied() else { continue };
            for cell in row.cells.iter().filter(|cell| cell.value.is_some()) {
                self.add(source, &row.name, *cell);
            }
            if let (Some(reason), true) = (&row.reason, row.cells.iter().all(|cell| cell.value.is_none())) {
                self.lose(source, &row.name, reason);
            }
        }
    }

    /// Adds what a log says. `low_level`: the tool was called without `-evp`, so names get `-no-evp`.
    pub fn add_log(&mut self, log: &Log, fallback: &Source, low_level: bool) {
        for measurement in &log.measurements {
            let build = measurement.build.and_then(|at| log.builds.get(at)).or(log.builds.first());
            let id = build.map_or_else(
                || fallback.id.clone(),
                |build| format!("{}@{}", build.name, build.version.as_deref().unwrap_or("unknown")),
            );
            // Processes side by side share the processor: another thing than one alone.
            let id = if measurement.processes > 1 { format!("{id}×{}", measurement.processes) } else { id };
            let source = self.source(&Source { id, ..fallback.clone() });
            let Some(column) = column_of(measurement.operation, measurement.size) else { continue };
            let scale = measurement.size.map_or(1.0, |size| size as f64 / 1000.0);
            let value = Some(measurement.ops_per_s * scale).filter(|value| value.is_finite() && *value > 0.0);
            let name = name_of_measurement(measurement);
            let suffix = if low_level && matches!(column, Column::Buffer(_)) { "-no-evp" } else { "" };
            self.add(source, &format!("{name}{suffix}"), Cell { column, value, interval: None });
        }
        let build = log.builds.first();
        let id = build.map(|build| format!("{}@{}", build.name, build.version.as_deref().unwrap_or("unknown")));
        for failure in &log.failures {
            let Some(subject) = &failure.subject else { continue };
            let source =
                self.source(&Source { id: id.clone().unwrap_or_else(|| fallback.id.clone()), ..fallback.clone() });
            self.lose(source, &name_of_word(subject), &format!("openssl speed says: {}", failure.text));
        }
    }

    /// Adds the rows of a run in throughput mode.
    pub fn add_run(&mut self, run: &Run) {
        let made_by = Some(format!("run {}", run.id));
        for row in run.rows.iter().filter(|row| row.mode == Mode::Throughput && !row.provider.starts_with("null")) {
            let source = Source { id: row.provider.clone(), host: run.host.cpu.clone(), made_by: made_by.clone() };
            let size = row.params.get("size").and_then(serde_json::Value::as_u64);
            let Some(column) = column_of_record(&row.operation, size) else { continue };
            let source = self.source(&source);
            let name = standard_to_table(&row.algorithm, &row.family);
            match (row.status, row.median_ns.filter(|median| *median > 0.0)) {
                (Status::Ok | Status::Inconclusive, Some(median)) => {
                    let scale = size.map_or(1.0, |size| size as f64 / 1000.0);
                    let speed = |ns: f64| 1e9 / ns * scale;
                    let interval =
                        row.ci95_ns.filter(|[low, _]| *low > 0.0).map(|[low, high]| [speed(high), speed(low)]);
                    self.add(source, &name, Cell { column, value: Some(speed(median)), interval });
                }
                _ => self.lose(source, &name, row.reason.as_deref().unwrap_or("the run has no figure")),
            }
        }
    }

    /// The table of what `wanted` names: in its order, then in order of appearance. A pattern is a [`key`] with at most
    /// one `*`. A name that a source lost stands there with its reason.
    #[must_use]
    pub fn pick(&self, kind: TableType, wanted: impl Fn(&str) -> Option<usize>) -> Option<Table> {
        let mut table = Table { kind, sources: Vec::new(), rows: Vec::new() };
        let mut rows: Vec<(usize, usize, Row)> = Vec::new();
        for row in &self.rows {
            let Some(place) = wanted(&row.name) else { continue };
            let signature = row.is_signature();
            let cells: Vec<Cell> = kind
                .columns(signature)
                .iter()
                .map(|column| {
                    row.cell(*column).copied().unwrap_or(Cell { column: *column, value: None, interval: None })
                })
                .collect();
            if cells.iter().any(|cell| cell.value.is_some()) {
                let reason = cells.iter().any(|cell| cell.value.is_none()).then(|| super::chart::NO_FIGURE.to_owned());
                rows.push((place, row.source, Row { cells, reason, ..row.clone() }));
            }
        }
        if rows.is_empty() {
            return None;
        }
        for (source, name, reason) in &self.lost {
            let measured = rows.iter().any(|(_, at, row)| at == source && key(&row.name) == key(name));
            if let (Some(place), false) = (wanted(name), measured) {
                let signature = rows.iter().any(|(_, _, row)| row.is_signature());
                let cell = |column: &Column| Cell { column: *column, value: None, interval: None };
                let cells = kind.columns(signature).iter().map(cell).collect();
                let row = Row { source: *source, name: name.clone(), cells, reason: Some(reason.clone()) };
                rows.push((place, *source, row));
            }
        }
        rows.sort_by_key(|(place, _, _)| *place);
        // The same algorithm of several sources stands together, the sources always in one order.
        let mut order: Vec<String> = Vec::new();
        for (_, _, row) in &rows {
            if !order.contains(&row.name) {
                order.push(row.name.clone());
            }
        }
        let mut rows: Vec<(usize, usize, Row)> = rows
            .into_iter()
            .map(|(_, source, row)| (order.iter().position(|name| *name == row.name).unwrap_or_default(), source, row))
            .collect();
        rows.sort_by_key(|(place, source, _)| (*place, *source));
        for source in &self.sources {
            if rows.iter().any(|(_, at, _)| self.sources.get(*at) == Some(source)) {
                table.source(source);
            }
        }
        for (_, source, row) in rows {
            let source = self.sources.get(source).map(|source| table.source(source)).unwrap_or_default();
            table.rows.push(Row { source, ..row });
        }
        if kind == TableType::Kbytes && table.rows.iter().all(|row| row.value(Column::Buffer(16384)).is_none()) {
            table.rows.iter_mut().for_each(|row| row.cells.truncate(5));
        }
        Some(table)
    }

    /// The kind of table that most of the figures of these names fit into.
    #[must_use]
    pub fn kind_of(&self, wanted: impl Fn(&str) -> bool) -> Option<TableType> {
        let first = self.rows.iter().find(|row| wanted(&row.name))?;
        let all = || self.rows.iter().filter(|row| wanted(&row.name));
        let has = |column: Column| all().any(|row| row.cell(column).is_some());
        if first.cells.iter().any(|cell| matches!(cell.column, Column::Buffer(_))) {
            return Some(TableType::Kbytes);
        }
        let signatures = all().any(Row::is_signature);
        let others = all().any(|row| {
            !row.is_signature() && row.cells.iter().any(|c| matches!(c.column, Column::Enc | Column::Dec | Column::Dh))
        });
        Some(match (signatures, others) {
            (true, true) => TableType::SigEncMix,
            (true, false) if has(Column::Keygen) => TableType::SigVerKeygen,
            (true, false) => TableType::SigVer,
            (false, _) if has(Column::Enc) || has(Column::Dec) || has(Column::Keygen) => TableType::DecEncKeygenDh,
            (false, _) => TableType::Op,
        })
    }

    /// All names that there are, in order of appearance.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for row in &self.rows {
            if !names.contains(&row.name.as_str()) {
                names.push(&row.name);
            }
        }
        names
    }
}

/// Eight significant digits: the tool's clock gives three, and a quotient of its counts has sixteen.
fn eight(value: f64) -> f64 {
    format!("{value:.7e}").parse().unwrap_or(value)
}

fn column_of(operation: Operation, size: Option<u64>) -> Option<Column> {
    if let Some(size) = size {
        return buffer(size);
    }
    Some(match operation {
        Operation::Keygen => Column::Keygen,
        Operation::Encaps | Operation::Encrypt => Column::Enc,
        Operation::Decaps | Operation::Decrypt => Column::Dec,
        Operation::Sign => Column::Sign,
        Operation::Verify => Column::Verify,
        Operation::Derive => Column::Dh,
        Operation::Hash | Operation::Mac | Operation::Process => return None,
    })
}

fn column_of_record(operation: &str, size: Option<u64>) -> Option<Column> {
    match (operation, size) {
        ("hash" | "mac" | "seal" | "encrypt" | "process" | "digest", Some(size)) => buffer(size),
        (_, Some(_)) => None,
        ("keygen", None) => Some(Column::Keygen),
        ("encaps" | "encrypt", None) => Some(Column::Enc),
        ("decaps" | "decrypt", None) => Some(Column::Dec),
        ("sign", None) => Some(Column::Sign),
        ("verify", None) => Some(Column::Verify),
        ("derive", None) => Some(Column::Dh),
        _ => None,
    }
}

/// Sizes that a table has no column for are left to other formats.
fn buffer(size: u64) -> Option<Column> {
    let column = Column::Buffer(size);
    TableType::Kbytes.columns(false).contains(&column).then_some(column)
}

fn name_of_measurement(measurement: &Measurement) -> String {
    let Measurement { algorithm, family, bits, .. } = measurement;
    let name = standard_to_table(algorithm, family);
    let finite_field = algorithm.starts_with("RSA-") || algorithm.starts_with("DSA-");
    // Timed by another loop, with a digest, than RSA and DSA of their own tables.
    if finite_field && *family == "signature" && bits.is_none() {
        format!("{name}(-signature-algorithms)")
    } else {
        name
    }
}

/// Names that a word for the tool asks for, as a [`key`] with at most one `*`: `rsa` → `rsa*`, `ecdsap256` →
/// `ecdsa(nistp256)`, `hmac-sha256` → `hmac(sha256)`.
#[must_use]
pub fn pattern_of_word(word: &str) -> String {
    match word.to_lowercase().as_str() {
        lower @ ("rsa" | "dsa" | "ffdh") => format!("{lower}*"),
        lower @ ("ecdsa" | "ecdh" | "eddsa") => format!("{lower}(*"),
        _ => key(&name_of_word(word)),
    }
}

/// A word that was given to the tool, as tables name what it measures.
#[must_use]
pub fn name_of_word(word: &str) -> String {
    if let Some(plain) = word.strip_suffix("-no-evp") {
        return format!("{}-no-evp", name_of_word(plain));
    }
    if let Some(hash) = word.strip_prefix("hmac-") {
        return format!("hmac({})", name_of_word(hash));
    }
    match crate::openssl_speed::standard_name(word) {
        Some(known) => standard_to_table(&known.algorithm, known.family),
        None => word.to_owned(),
    }
}

/// `RSA-2048-PKCS1` → `rsa2048`, `ECDSA-P256` → `ecdsa(nistp256)`, `SHA-512/256` → `sha512-256`, …: the names of system
/// 003, which are those of the tool in one word.
#[must_use]
pub fn standard_to_table(algorithm: &str, family: &str) -> String {
    let lower = algorithm.to_lowercase();
    let number = |prefix: &str| {
        let rest = lower.strip_prefix(prefix)?;
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        (!digits.is_empty()).then_some(digits)
    };
    match family {
        "signature" => {
            if let Some(curve) = algorithm.strip_prefix("ECDSA-") {
                let curve = curve.split("-SHA").next().unwrap_or(curve);
                return format!("ecdsa({})", curve_word(curve));
            }
            let finite =
                number("rsa-").map(|bits| format!("rsa{bits}")).or(number("dsa-").map(|bits| format!("dsa{bits}")));
            match finite {
                Some(name) if !lower.contains("pss") => name,
                Some(name) => format!("{name}(pss)"),
                None if matches!(lower.as_str(), "ed25519" | "ed448") => format!("EdDSA({algorithm})"),
                None => algorithm.to_owned(),
            }
        }
        "agreement" => match number("ffdhe") {
            Some(bits) => format!("ffdh{bits}"),
            None => format!("ecdh({})", curve_word(algorithm)),
        },
        "encryption" => number("rsa-").map_or_else(|| algorithm.to_owned(), |bits| format!("rsa{bits}")),
        "kem" => match number("rsa-") {
            Some(bits) => format!("rsa{bits}(RSASVE)"),
            None => algorithm.to_owned(),
        },
        "hash" => hash_word(&lower),
        "mac" => match lower.strip_prefix("hmac-") {
            Some(hash) => format!("hmac({})", hash_word(hash)),
            None => lower,
        },
        "cipher" | "aead" => lower,
        _ => algorithm.to_owned(),
    }
}

/// `P-256`, `P256` → `nistp256`; others keep their names.
fn curve_word(curve: &str) -> String {
    let plain = curve.replace('-', "");
    let nist = plain.len() == 4 && plain.starts_with(['P', 'K', 'B']);
    if nist { format!("nist{}", plain.to_lowercase()) } else { curve.to_owned() }
}

/// `sha-512/256` → `sha512-256`, `sha3-256` stays.
fn hash_word(lower: &str) -> String {
    let dashed = lower.replace('/', "-");
    dashed.strip_prefix("sha-").map_or(dashed.clone(), |rest| format!("sha{rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openssl_speed::parse;

    fn log(name: &str) -> Log {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/openssl_speed").join(name);
        parse(&[&std::fs::read(path).unwrap()]).unwrap()
    }

    fn speeds(names: &[&str]) -> Speeds {
        let mut speeds = Speeds::default();
        for name in names {
            speeds.add_log(&log(name), &Source { id: "openssl@x".into(), ..Source::default() }, false);
        }
        speeds
    }

    #[test]
    fn a_real_log_becomes_a_table_with_the_names_of_tables() {
        let speeds = speeds(&["openssl-3.5.5.sig.txt"]);
        let names = speeds.names();
        for name in ["rsa2048", "dsa2048", "ecdsa(nistp256)", "EdDSA(Ed25519)", "EdDSA(Ed448)", "rsa2048(RSASVE)"] {
            assert!(names.contains(&name), "{name}: {names:?}");
        }
        let table = speeds.pick(TableType::SigVer, |name| (name == "ecdsa(nistp256)").then_some(0)).unwrap();
        assert_eq!(table.sources[0].id, "openssl@3.5.5");
        assert_eq!(table.rows[0].value(Column::Sign), Some(53355.0));
        let rsa = speeds.pick(TableType::DecEncKeygenDh, |name| (name == "rsa2048").then_some(0)).unwrap();
        assert_eq!(rsa.rows[0].value(Column::Enc), Some(57702.0));
    }

    #[test]
    fn the_same_from_two_logs_are_samples_and_two_versions_are_sources() {
        let twice = speeds(&["openssl-3.5.5.kem.txt", "openssl-3.5.5.kem.txt"]);
        let table = twice.pick(TableType::DecEncKeygenDh, |name| (name == "ML-KEM-768").then_some(0)).unwrap();
        assert_eq!(table.rows.len(), 2, "raw samples are kept");
        let two = speeds(&["openssl-3.5.5.sig.txt", "openssl-3.0.19.sig.txt"]);
        let table = two.pick(TableType::SigVer, |name| (name == "rsa4096").then_some(0)).unwrap();
        assert_eq!(
            table.sources.iter().map(|s| s.id.as_str()).collect::<Vec<_>>(),
            ["openssl@3.5.5", "openssl@3.0.19"]
        );
    }

    #[test]
    fn buffers_are_thousands_of_bytes() {
        let speeds = speeds(&["openssl-3.0.19.sha.txt"]);
        let table = speeds.pick(TableType::Kbytes, |name| (name == "sha512").then_some(0)).unwrap();
        let value = table.rows[0].value(Column::Buffer(16384)).unwrap();
        assert!((value - 864223.23).abs() < 0.01, "{value}");
        assert_eq!(speeds.kind_of(|_| true), Some(TableType::Kbytes));
    }

    #[test]
    fn an_algorithm_that_a_build_lacks_stands_there_with_the_reason() {
        let mut speeds = speeds(&["openssl-3.5.5.kem.txt"]);
        let old = speeds.source(&Source { id: "openssl@3.0.19".into(), ..Source::default() });
        speeds.lose(old, "ML-KEM-768", "Unknown algorithm ML-KEM-768");
        let table = speeds.pick(TableType::DecEncKeygenDh, |name| (name == "ML-KEM-768").then_some(0)).unwrap();
        let row = table.rows.iter().find(|row| table.sources[row.source].id == "openssl@3.0.19").unwrap();
        assert_eq!(row.reason.as_deref(), Some("Unknown algorithm ML-KEM-768"));
        assert!(row.cells.iter().all(|cell| cell.value.is_none()));
    }

    #[test]
    fn names_of_the_record_become_names_of_tables() {
        for (algorithm, family, name) in [
            ("RSA-2048-PKCS1-SHA256", "signature", "rsa2048"),
            ("ECDSA-P256-SHA256", "signature", "ecdsa(nistp256)"),
            ("ECDSA-brainpoolP256r1", "signature", "ecdsa(brainpoolP256r1)"),
            ("P-384", "agreement", "ecdh(nistp384)"),
            ("X25519", "agreement", "ecdh(X25519)"),
            ("ffdhe2048", "agreement", "ffdh2048"),
            ("SHA-512/256", "hash", "sha512-256"),
            ("SHA3-256", "hash", "sha3-256"),
            ("HMAC-SHA512/256", "mac", "hmac(sha512-256)"),
            ("AES-128-GCM", "aead", "aes-128-gcm"),
            ("ML-DSA-44", "signature", "ML-DSA-44"),
        ] {
            assert_eq!(standard_to_table(algorithm, family), name);
        }
    }
}
