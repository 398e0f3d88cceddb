//! The charts of the gallery: every graph of system 003, and the post-quantum ones.

use super::chart::chart;
use super::fit::{FITS, Fit};
use super::knowledge::{findings, stands_out};
use super::names::{facts_of, key, weakness};
use super::sizes::sizes;
use super::speeds::Speeds;
use super::table::{Table, TableType};
use crate::figure::Figure;

mod list;

pub use list::GRAPHS;

/// A graph of bars: its name, what it shows, and what must be measured for it.
#[derive(Debug, Clone, Copy)]
pub struct Graph {
    /// File stem, as in system 003.
    pub id: &'static str,
    /// Heading.
    pub title: &'static str,
    /// Its table.
    pub kind: TableType,
    /// Which rows.
    pub pick: Pick,
    /// What `openssl speed` is asked for; `X-no-evp` and `hmac-X` as in system 003.
    pub words: &'static [&'static str],
}

/// Which rows a graph shows.
#[derive(Debug, Clone, Copy)]
pub enum Pick {
    /// Keys in this order; one `*` stands for anything.
    Keys(&'static [&'static str]),
    /// Signatures (true), or encryption and agreement, of this security strength in bits.
    Strength(u16, bool),
}

impl Pick {
    /// The place of a name among the rows; `None` when it is not shown.
    #[must_use]
    pub fn place(self, name: &str) -> Option<usize> {
        let key = key(name);
        match self {
            Self::Keys(keys) => keys.iter().position(|pattern| fits(pattern, &key)),
            Self::Strength(bits, signature) => {
                let facts = facts_of(name).filter(|facts| facts.strength == bits)?;
                let post_quantum = ["ml", "slh", "x25519ml"].iter().any(|start| facts.key.starts_with(start));
                let signs = ["mldsa", "slh", "rsa", "ecdsa", "eddsa"].iter().any(|start| facts.key.starts_with(start));
                // RSA both signs and encrypts; what a row holds decides.
                (signs == signature || facts.key.starts_with("rsa")).then_some(usize::from(!post_quantum))
            }
        }
    }
}

/// Whether a [`key`] is meant by a pattern with at most one `*`.
#[must_use]
pub fn fits(pattern: &str, key: &str) -> bool {
    match pattern.split_once('*') {
        Some((before, after)) => {
            key.len() >= before.len() + after.len() && key.starts_with(before) && key.ends_with(after)
        }
        None => pattern == key,
    }
}

/// A chart with the data that it shows.
#[derive(Debug, Clone)]
pub struct Drawn {
    /// The chart.
    pub figure: Figure,
    /// Its data.
    pub table: Table,
}

/// Every chart for which there are figures, and the others with the reason.
#[must_use]
pub fn gallery(speeds: &Speeds) -> (Vec<Drawn>, Vec<(&'static str, String)>) {
    let mut drawn = Vec::new();
    let mut missing = Vec::new();
    for graph in &GRAPHS {
        match speeds.pick(graph.kind, |name| graph.pick.place(name)) {
            Some(table) => drawn.push(Drawn { figure: annotated(&table, graph.id, graph.title), table }),
            None => missing.push((graph.id, format!("no figures; openssl speed {}", graph.words.join(" ")))),
        }
    }
    for fit in &FITS {
        match fitted(fit, speeds) {
            Some(fit) => drawn.push(fit),
            None => missing.push((fit.id, "a law needs figures of two sizes at least".into())),
        }
    }
    for (id, signature) in [("kem_size_speed", false), ("sig_size_speed", true)] {
        match sizes(speeds, id, signature) {
            Some(sizes) => drawn.push(sizes),
            None => missing.push((id, "no figures of algorithms whose sizes are known".into())),
        }
    }
    (drawn, missing)
}

/// Names of all charts, in order.
#[must_use]
pub fn gallery_names() -> Vec<&'static str> {
    let bars = GRAPHS.iter().map(|graph| graph.id);
    bars.chain(FITS.iter().map(|fit| fit.id)).chain(["kem_size_speed", "sig_size_speed"]).collect()
}

/// A chart of bars with what is known of its algorithms.
#[must_use]
pub fn annotated(table: &Table, id: &str, title: &str) -> Figure {
    let mut figure = chart(table, id, title);
    let several = table.sources.len() > 1;
    figure.notes.extend(findings(table).iter().map(|finding| finding.line(several)));
    figure.notes.extend(stands_out(table));
    let mut weak: Vec<String> = Vec::new();
    for row in &table.rows {
        if let Some(why) = weakness(&row.name) {
            let said = format!("{} ({why})", row.name);
            if !weak.contains(&said) {
                weak.push(said);
            }
        }
    }
    if !weak.is_empty() {
        figure.notes.push(format!("Speed is no reason to choose what is too weak: {}.", weak.join(", ")));
    }
    figure
}

fn fitted(fit: &Fit, speeds: &Speeds) -> Option<Drawn> {
    let shown = |name: &str| fit.laws.iter().position(|law| law.of.of(name).is_some());
    let table = speeds.pick(fit.kind, shown)?;
    let (figure, _) = fit.chart(&table)?;
    Some(Drawn { figure, table })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_graph_of_system_003_is_there_and_names_differ() {
        let names = gallery_names();
        for name in [
            "rsa",
            "dsa",
            "sig256",
            "dh",
            "ecdh_b",
            "ecdh_brp_r1",
            "ecdh_p",
            "ecdsa_p",
            "rsa_sign_fit",
            "rsa_verify_fit",
            "ecdh_b_fit",
            "ecdh_brp_r1_fit",
            "cipher128-256",
            "aes128-cbc",
            "hash",
            "hmac",
            "pqc_kem_def",
            "pqc_sig_def",
            "pqc_sig_sel",
            "pqc_kem_sel",
            "sig_128bs",
            "sig_192bs",
            "sig_256bs",
            "dec_enc_keygen_dh_128bs",
            "dec_enc_keygen_dh_192bs",
            "dec_enc_keygen_dh_256bs",
        ] {
            assert!(names.contains(&name), "{name}");
        }
        let mut unique = names.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), names.len());
    }

    #[test]
    fn strengths_do_not_mix() {
        let graph = |id: &str| GRAPHS.iter().find(|graph| graph.id == id).unwrap();
        assert!(graph("sig_128bs").pick.place("ecdsa(nistp256)").is_some());
        assert!(graph("sig_192bs").pick.place("EdDSA(Ed448)").is_none(), "224 bit is not 192 bit");
        assert!(graph("sig_256bs").pick.place("EdDSA(Ed448)").is_none());
        assert!(graph("sig_192bs").pick.place("ML-DSA-65").is_some());
        assert!(graph("dec_enc_keygen_dh_128bs").pick.place("ML-DSA-44").is_none());
        assert!(graph("dec_enc_keygen_dh_256bs").pick.place("ML-KEM-1024").is_some());
    }

    #[test]
    fn low_level_interfaces_are_rows_of_their_own() {
        let hash = GRAPHS.iter().find(|graph| graph.id == "hash").unwrap();
        assert_ne!(hash.pick.place("sha256"), hash.pick.place("sha256-no-evp"));
        assert_eq!(hash.pick.place("SHA512-256"), Some(1));
        assert_eq!(hash.pick.place("md5"), None);
    }
}
