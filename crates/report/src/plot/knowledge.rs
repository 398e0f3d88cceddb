//! What is known of these algorithms, as checks: a chart says whether its figures agree.

use super::fit::{FITS, is_p256};
use super::names::key;
use super::table::{Column, Table};
use crate::units::significant;

/// Whether figures agree with what is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// They do.
    Agrees,
    /// They do not.
    Contradicts,
}

/// A statement and what figures of a source say to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// Short name of the statement.
    pub id: &'static str,
    /// The source.
    pub source: String,
    /// Whether they agree.
    pub verdict: Verdict,
    /// The statement, with the figures, and the usual reason when they contradict.
    pub text: String,
}

impl Finding {
    /// `agrees: …` or `contradicts: …`, with the source where there are several.
    #[must_use]
    pub fn line(&self, several: bool) -> String {
        let word = match self.verdict {
            Verdict::Agrees => "Agrees with what is known",
            Verdict::Contradicts => "CONTRADICTS what is known",
        };
        let source = if several { format!(" ({})", self.source) } else { String::new() };
        format!("{word}{source}: {}", self.text)
    }
}

/// Figures of one source by name and buffer.
struct Figures<'t> {
    table: &'t Table,
    source: usize,
}

const LARGE: [u64; 2] = [16384, 8192];
/// Throughputs closer than this are equal: runs of one second on a shared host differ by less.
const EQUAL: f64 = 0.15;
/// AES-128 has 10 rounds and AES-256 has 14.
const ROUNDS: f64 = 1.4;

impl Figures<'_> {
    fn at(&self, name: &str, size: u64) -> Option<f64> {
        let mine = self.table.rows.iter().filter(|row| row.source == self.source && key(&row.name) == name);
        let values: Vec<f64> = mine.filter_map(|row| row.value(Column::Buffer(size))).collect();
        measure::stats::median(&values)
    }

    /// Ratio of two algorithms on the largest buffer that both have.
    fn ratio(&self, one: &str, other: &str) -> Option<f64> {
        LARGE.iter().find_map(|size| Some(self.at(one, *size)? / self.at(other, *size)?))
    }
}

type Check = fn(&Figures<'_>, &mut dyn FnMut(&'static str, bool, String));

const CHECKS: [Check; 8] =
    [truncated, block_size, capacity, authenticated, ccm_and_cbc, rounds, low_level, gcm_outlier];

/// All statements that the table has figures for.
#[must_use]
pub fn findings(table: &Table) -> Vec<Finding> {
    let mut found = Vec::new();
    for (at, source) in table.sources.iter().enumerate() {
        let figures = Figures { table, source: at };
        for check in CHECKS {
            check(&figures, &mut |id, agrees, text| {
                let verdict = if agrees { Verdict::Agrees } else { Verdict::Contradicts };
                found.push(Finding { id, source: source.id.clone(), verdict, text });
            });
        }
    }
    found
}

fn times(ratio: f64) -> String {
    format!("{} times", significant(ratio, 3))
}

/// FIPS 180-4: SHA-224 and SHA-256, and SHA-384, SHA-512/t and SHA-512, differ in initial value and output only.
fn truncated(figures: &Figures<'_>, say: &mut dyn FnMut(&'static str, bool, String)) {
    let pairs = [("sha224", "sha256"), ("sha384", "sha512"), ("sha512224", "sha512"), ("sha512256", "sha512")];
    for (short, parent) in pairs {
        if let Some(ratio) = figures.ratio(short, parent) {
            let text = format!(
                "a truncated hash is as fast as its parent: {short} runs at {} the speed of {parent}",
                times(ratio)
            );
            say("truncated-hash", (ratio - 1.0).abs() <= EQUAL, text);
        }
    }
}

/// One compression of SHA-256 is cheaper than one of SHA-512, but takes half as much input.
fn block_size(figures: &Figures<'_>, say: &mut dyn FnMut(&'static str, bool, String)) {
    if let Some(ratio) = figures.at("sha256", 16).zip(figures.at("sha512", 16)).map(|(a, b)| a / b) {
        let text = format!("one block of sha256 is cheaper than one of sha512: {} as fast on 16 B", times(ratio));
        say("short-input", ratio > 1.0, text);
    }
    if let Some(ratio) = figures.ratio("sha256", "sha512") {
        let agrees = ratio < 1.0;
        let why =
            if agrees { "" } else { "; the SHA extensions of the processor, which serve SHA-256 only, turn it round" };
        let text = format!("on large buffers sha256 is slower than sha512: it runs at {} its speed{why}", times(ratio));
        say("long-input", agrees, text);
    }
}

/// FIPS 202: the larger the capacity, the smaller the part of the state that takes input.
fn capacity(figures: &Figures<'_>, say: &mut dyn FnMut(&'static str, bool, String)) {
    let names = ["sha3224", "sha3256", "sha3384", "sha3512"];
    let speeds: Vec<f64> = names.iter().filter_map(|name| figures.at(name, 16384).or(figures.at(name, 8192))).collect();
    if speeds.len() == names.len() {
        let falls = speeds.windows(2).all(|pair| pair[1] < pair[0] * 1.02);
        let ends = speeds.first().zip(speeds.last()).map_or(f64::NAN, |(first, last)| first / last);
        let text = format!("SHA-3 slows down as its capacity grows: sha3-224 is {} as fast as sha3-512", times(ends));
        say("sha3-capacity", falls && ends > 1.0, text);
    }
}

fn authenticated(figures: &Figures<'_>, say: &mut dyn FnMut(&'static str, bool, String)) {
    for bits in ["128", "192", "256"] {
        let name = |mode: &str| format!("aes{bits}{mode}");
        if let Some(ratio) = figures.ratio(&name("ccm"), &name("gcm")) {
            let text = format!("CCM is slower than GCM: AES-{bits}-CCM runs at {} the speed of GCM", times(ratio));
            say("ccm-gcm", ratio < 1.0, text);
        }
        if let Some(ratio) = figures.ratio(&name("gcm"), &name("ctr")) {
            let agrees = ratio < 1.0 + EQUAL / 3.0;
            let why = if agrees { "" } else { "; GCM may have wide vector code (VAES) that CTR lacks" };
            let text = format!(
                "GCM authenticates on top of CTR: AES-{bits}-GCM runs at {} the speed of CTR{why}",
                times(ratio)
            );
            say("gcm-ctr", agrees, text);
        }
    }
}

/// CCM makes a CBC-MAC and encrypts besides.
fn ccm_and_cbc(figures: &Figures<'_>, say: &mut dyn FnMut(&'static str, bool, String)) {
    if let Some(ratio) = figures.ratio("aes128ccm", "aes128cbc") {
        let text = format!(
            "CCM, which contains a CBC-MAC, is not faster than CBC: AES-128-CCM runs at {} its speed",
            times(ratio)
        );
        say("ccm-cbc", ratio < 1.0 + EQUAL, text);
    }
}

fn rounds(figures: &Figures<'_>, say: &mut dyn FnMut(&'static str, bool, String)) {
    for mode in ["ctr", "cbc", "ccm", "gcm"] {
        if let Some(ratio) = figures.ratio(&format!("aes128{mode}"), &format!("aes256{mode}")) {
            let agrees = (ratio / ROUNDS - 1.0).abs() <= EQUAL;
            let why = if agrees || mode != "gcm" { "" } else { "; in GCM the rounds share the time with GHASH" };
            let mode = mode.to_uppercase();
            let text = format!(
                "10 rounds against 14 make AES-128 about {ROUNDS} times as fast as AES-256: {} in {mode}{why}",
                times(ratio)
            );
            say("aes-rounds", agrees, text);
        }
    }
}

/// In OpenSSL 1.1.1 the low-level functions of AES do without the instructions for it.
fn low_level(figures: &Figures<'_>, say: &mut dyn FnMut(&'static str, bool, String)) {
    let Some(ratio) = figures.ratio("aes128cbc!noevp", "aes128cbc") else { return };
    let source = figures.table.sources.get(figures.source).map_or("", |source| source.id.as_str());
    let old = source.starts_with("openssl@1.");
    let text = if old {
        format!("the low-level functions of OpenSSL 1 are slow: AES-128-CBC runs at {} the speed of EVP", times(ratio))
    } else {
        format!(
            "since OpenSSL 3 `speed` goes through EVP either way: AES-128-CBC runs at {} the speed of EVP",
            times(ratio)
        )
    };
    say("low-level-cbc", if old { ratio < 0.7 } else { (ratio - 1.0).abs() <= EQUAL }, text);
}

/// LibreSSL 2.8.3 gave impossible figures for AES-128-GCM on large buffers.
fn gcm_outlier(figures: &Figures<'_>, say: &mut dyn FnMut(&'static str, bool, String)) {
    let source = figures.table.sources.get(figures.source).map_or("", |source| source.id.as_str());
    if let (true, Some(ratio)) = (source.starts_with("libressl@2."), figures.ratio("aes128gcm", "aes128ctr")) {
        let text = format!(
            "aes-128-gcm of LibreSSL 2.8.3 is out of line on large buffers: {} the speed of CTR, which it contains",
            times(ratio)
        );
        say("libressl-gcm", ratio > 1.0, text);
    }
}

/// Whether P-256 stands out of the NIST prime curves, and why: one line for each source and operation.
#[must_use]
pub fn stands_out(table: &Table) -> Vec<String> {
    let fits = FITS.iter().filter(|fit| matches!(fit.id, "ecdh_p_fit" | "ecdsa_p_sign_fit" | "ecdsa_p_verify_fit"));
    let mut lines = Vec::new();
    for fitted in fits.filter_map(|fit| fit.chart(table)).flat_map(|(_, fitted)| fitted) {
        let Some((name, ratio)) = fitted.apart.iter().find_map(|(at, ratio)| {
            fitted.points.get(*at).map(|point| (&point.0, *ratio)).filter(|(name, _)| is_p256(name))
        }) else {
            continue;
        };
        lines.push(format!(
            "{name} stands out ({}): {} times the line through the other curves, because OpenSSL has assembly of its own for it.",
            fitted.label,
            significant(ratio, 2)
        ));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::read;

    fn table(source: &str, rows: &[(&str, f64, f64)]) -> Table {
        let lines: String =
            rows.iter().map(|(name, short, long)| format!("{name} {short}k 1k 1k 1k {long}k {long}k\n")).collect();
        read("x", format!("# provider: {source}\n{lines}").as_bytes(), None).unwrap()
    }

    fn verdicts(source: &str, rows: &[(&str, f64, f64)]) -> Vec<(&'static str, Verdict)> {
        findings(&table(source, rows)).into_iter().map(|finding| (finding.id, finding.verdict)).collect()
    }

    #[test]
    fn each_statement_holds_or_not() {
        use Verdict::{Agrees, Contradicts};
        let o = "openssl@3.5.5";
        assert_eq!(verdicts(o, &[("sha384", 1.0, 100.0), ("sha512", 1.0, 104.0)]), [("truncated-hash", Agrees)]);
        assert_eq!(verdicts(o, &[("sha384", 1.0, 60.0), ("sha512", 1.0, 104.0)]), [("truncated-hash", Contradicts)]);
        let hashes = [("sha256", 30.0, 300.0), ("sha512", 20.0, 700.0)];
        assert_eq!(verdicts(o, &hashes), [("short-input", Agrees), ("long-input", Agrees)]);
        let extensions = [("sha256", 130.0, 1700.0), ("sha512", 60.0, 860.0)];
        assert_eq!(verdicts(o, &extensions), [("short-input", Agrees), ("long-input", Contradicts)]);
        let sha3 =
            |last| [("sha3-224", 1.0, 9.0), ("sha3-256", 1.0, 8.0), ("sha3-384", 1.0, 6.0), ("sha3-512", 1.0, last)];
        assert_eq!(verdicts(o, &sha3(4.0)), [("sha3-capacity", Agrees)]);
        assert_eq!(verdicts(o, &sha3(7.0)), [("sha3-capacity", Contradicts)]);
        assert_eq!(verdicts(o, &[("AES-128-CCM", 1.0, 2.0), ("AES-128-GCM", 1.0, 4.0)]), [("ccm-gcm", Agrees)]);
        assert_eq!(verdicts(o, &[("aes-128-gcm", 1.0, 9.0), ("aes-128-ctr", 1.0, 4.0)]), [("gcm-ctr", Contradicts)]);
        assert_eq!(verdicts(o, &[("aes-128-ctr", 1.0, 14.0), ("aes-256-ctr", 1.0, 10.0)]), [("aes-rounds", Agrees)]);
        assert_eq!(
            verdicts(o, &[("aes-128-ctr", 1.0, 10.0), ("aes-256-ctr", 1.0, 10.0)]),
            [("aes-rounds", Contradicts)]
        );
        let cbc = [("aes-128-cbc", 1.0, 10.0), ("aes-128-cbc-no-evp", 1.0, 2.0)];
        assert_eq!(verdicts("openssl@1.1.1w", &cbc), [("low-level-cbc", Agrees)]);
        assert_eq!(verdicts(o, &cbc), [("low-level-cbc", Contradicts)]);
        assert_eq!(verdicts(o, &[("aes-128-ccm", 1.0, 9.0), ("aes-128-cbc", 1.0, 4.0)]), [("ccm-cbc", Contradicts)]);
        let gcm = [("aes-128-gcm", 1.0, 9.0), ("aes-128-ctr", 1.0, 4.0)];
        assert_eq!(verdicts("libressl@2.8.3", &gcm), [("gcm-ctr", Contradicts), ("libressl-gcm", Agrees)]);
        assert_eq!(verdicts(o, &[("sha512", 1.0, 1.0)]), []);
    }

    #[test]
    fn several_sources_are_told_apart() {
        let mut both = table("openssl@3.0.19", &[("sha224", 1.0, 9.0), ("sha256", 1.0, 9.0)]);
        both.append(&table("openssl@3.5.5", &[("sha224", 1.0, 4.0), ("sha256", 1.0, 9.0)])).unwrap();
        let lines: Vec<String> = findings(&both).iter().map(|finding| finding.line(true)).collect();
        assert!(lines[0].starts_with("Agrees with what is known (openssl@3.0.19)"), "{lines:?}");
        assert!(lines[1].starts_with("CONTRADICTS what is known (openssl@3.5.5)"), "{lines:?}");
    }
}
