//! The charts of the gallery: every graph of system 003, and the post-quantum ones.

use super::chart::{caption, chart};
use super::fit::{FITS, Fit};
use super::knowledge::{findings, stands_out};
use super::names::{facts_of, key, weakness};
use super::speeds::Speeds;
use super::table::{Column, Table, TableType};
use crate::figure::{Axis, Domain, Figure, Lines, Plot, Point, Scale, Series, Trace, scale_beyond};
use crate::palette::categorical;
use crate::units::Quantity;

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

const fn graph(
    id: &'static str,
    title: &'static str,
    kind: TableType,
    pick: Pick,
    words: &'static [&'static str],
) -> Graph {
    Graph { id, title, kind, pick, words }
}

const SIG_128: &[&str] = &[
    "rsa3072",
    "ecdsap256",
    "ecdsak283",
    "ecdsab283",
    "ecdsabrp256r1",
    "ed25519",
    "ML-DSA-44",
    "SLH-DSA-SHA2-128s",
    "SLH-DSA-SHA2-128f",
    "SLH-DSA-SHAKE-128s",
    "SLH-DSA-SHAKE-128f",
];
const SIG_192: &[&str] = &[
    "rsa7680",
    "ecdsap384",
    "ecdsak409",
    "ecdsab409",
    "ecdsabrp384r1",
    "ML-DSA-65",
    "SLH-DSA-SHA2-192s",
    "SLH-DSA-SHA2-192f",
    "SLH-DSA-SHAKE-192s",
    "SLH-DSA-SHAKE-192f",
];
const SIG_256: &[&str] = &[
    "rsa15360",
    "ecdsap521",
    "ecdsak571",
    "ecdsab571",
    "ecdsabrp512r1",
    "ML-DSA-87",
    "SLH-DSA-SHA2-256s",
    "SLH-DSA-SHA2-256f",
    "SLH-DSA-SHAKE-256s",
    "SLH-DSA-SHAKE-256f",
];
const KEM: &[&str] = &["ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"];
const SIG_DEFAULT: &[&str] = &[
    "ML-DSA-44",
    "ML-DSA-65",
    "ML-DSA-87",
    "SLH-DSA-SHA2-128s",
    "SLH-DSA-SHA2-128f",
    "SLH-DSA-SHA2-192s",
    "SLH-DSA-SHA2-192f",
    "SLH-DSA-SHA2-256s",
    "SLH-DSA-SHA2-256f",
    "SLH-DSA-SHAKE-128s",
    "SLH-DSA-SHAKE-128f",
    "SLH-DSA-SHAKE-192s",
    "SLH-DSA-SHAKE-192f",
    "SLH-DSA-SHAKE-256s",
    "SLH-DSA-SHAKE-256f",
];

/// All graphs of bars.
pub const GRAPHS: [Graph; 22] = [
    graph(
        "rsa",
        "RSA",
        TableType::SigVer,
        Pick::Keys(&["rsa512", "rsa1024", "rsa2048", "rsa3072", "rsa4096", "rsa7680", "rsa15360", "rsa*"]),
        &["rsa"],
    ),
    graph(
        "dsa",
        "Signatures without post-quantum security: ECDSA, EdDSA, DSA",
        TableType::SigVer,
        Pick::Keys(&["ecdsa(*", "eddsa(*", "dsa*"]),
        &["ecdsa", "eddsa", "dsa"],
    ),
    graph(
        "sig256",
        "Signatures of about 128 bits of security",
        TableType::SigVer,
        Pick::Keys(&[
            "rsa3072",
            "rsa4096",
            "eddsa(ed25519)",
            "ecdsa(nistp256)",
            "ecdsa(nistk283)",
            "ecdsa(nistb283)",
            "ecdsa(brainpoolp256r1)",
            "ecdsa(brainpoolp256t1)",
        ]),
        &["rsa3072", "rsa4096", "ed25519", "ecdsap256", "ecdsak283", "ecdsab283", "ecdsabrp256r1", "ecdsabrp256t1"],
    ),
    graph(
        "dh",
        "Key agreement: elliptic curves and finite fields",
        TableType::Op,
        Pick::Keys(&["ecdh(*", "ffdh*"]),
        &["ecdh", "ffdh"],
    ),
    graph(
        "ecdh_b",
        "ECDH over binary fields (NIST B curves)",
        TableType::Op,
        Pick::Keys(&["ecdh(nistb*"]),
        &["ecdhb163", "ecdhb233", "ecdhb283", "ecdhb409", "ecdhb571"],
    ),
    graph(
        "ecdh_brp_r1",
        "ECDH over prime fields (Brainpool r1 curves)",
        TableType::Op,
        Pick::Keys(&["ecdh(brainpoolp*r1)"]),
        &["ecdhbrp256r1", "ecdhbrp384r1", "ecdhbrp512r1"],
    ),
    graph(
        "ecdh_p",
        "ECDH over prime fields (NIST P curves)",
        TableType::Op,
        Pick::Keys(&["ecdh(nistp*", "ecdh(secp160r1)"]),
        &["ecdhp192", "ecdhp224", "ecdhp256", "ecdhp384", "ecdhp521"],
    ),
    graph(
        "ecdsa_p",
        "ECDSA over prime fields (NIST P curves)",
        TableType::SigVer,
        Pick::Keys(&["ecdsa(nistp*", "ecdsa(secp160r1)"]),
        &["ecdsap192", "ecdsap224", "ecdsap256", "ecdsap384", "ecdsap521"],
    ),
    graph(
        "cipher128-256",
        "Ciphers: CTR, GCM, CCM, ChaCha20-Poly1305",
        TableType::Kbytes,
        Pick::Keys(&["aes128ctr", "aes128gcm", "aes128ccm", "chacha20poly1305", "aes256ctr", "aes256gcm", "aes256ccm"]),
        &[
            "aes-128-ctr",
            "aes-128-gcm",
            "aes-128-ccm",
            "chacha20-poly1305",
            "aes-256-ctr",
            "aes-256-gcm",
            "aes-256-ccm",
        ],
    ),
    graph(
        "aes128-cbc",
        "AES-128-CBC by interface",
        TableType::Kbytes,
        Pick::Keys(&["aes128cbc", "aes128cbc!noevp"]),
        &["aes-128-cbc", "aes-128-cbc-no-evp"],
    ),
    graph(
        "hash",
        "Hash functions: SHA-2 and SHA-3",
        TableType::Kbytes,
        Pick::Keys(&[
            "sha512224",
            "sha512256",
            "sha384",
            "sha512",
            "sha512!noevp",
            "sha224",
            "sha256",
            "sha256!noevp",
            "sha3224",
            "sha3256",
            "sha3384",
            "sha3512",
        ]),
        &[
            "sha512-224",
            "sha512-256",
            "sha384",
            "sha512",
            "sha512-no-evp",
            "sha224",
            "sha256",
            "sha256-no-evp",
            "sha3-224",
            "sha3-256",
            "sha3-384",
            "sha3-512",
        ],
    ),
    graph(
        "hmac",
        "HMAC",
        TableType::Kbytes,
        Pick::Keys(&[
            "hmac(md5)",
            "hmac(md5)!noevp",
            "hmac(sha1)",
            "hmac(sha224)",
            "hmac(sha256)",
            "hmac(sha512256)",
            "hmac(sha384)",
            "hmac(sha512)",
            "hmac(sha3224)",
            "hmac(sha3256)",
            "hmac(sha3384)",
            "hmac(sha3512)",
            "hmac(*",
        ]),
        &[
            "hmac-md5",
            "hmac-sha1",
            "hmac-sha224",
            "hmac-sha256",
            "hmac-sha512-256",
            "hmac-sha384",
            "hmac-sha512",
            "hmac-sha3-224",
            "hmac-sha3-256",
            "hmac-sha3-384",
            "hmac-sha3-512",
        ],
    ),
    graph("pqc_kem_def", "ML-KEM", TableType::DecEncKeygenDh, Pick::Keys(&["mlkem512", "mlkem768", "mlkem1024"]), KEM),
    graph(
        "pqc_sig_def",
        "ML-DSA and SLH-DSA",
        TableType::SigVerKeygen,
        Pick::Keys(&["mldsa*", "slhdsasha2*", "slhdsashake*"]),
        SIG_DEFAULT,
    ),
    graph(
        "pqc_sig_sel",
        "Post-quantum signatures beside those in use",
        TableType::SigVerKeygen,
        Pick::Keys(&[
            "mldsa44",
            "mldsa65",
            "mldsa87",
            "slhdsasha2128s",
            "slhdsasha2128f",
            "slhdsashake128f",
            "eddsa(ed25519)",
            "ecdsa(nistp256)",
            "rsa2048",
            "rsa3072",
        ]),
        &["ed25519", "ecdsap256", "rsa2048", "rsa3072"],
    ),
    graph(
        "pqc_kem_sel",
        "Post-quantum key encapsulation beside key agreement in use",
        TableType::DecEncKeygenDh,
        Pick::Keys(&[
            "mlkem512",
            "mlkem768",
            "mlkem1024",
            "x25519mlkem768",
            "ecdh(x25519)",
            "ecdh(nistp256)",
            "ffdh3072",
        ]),
        &["X25519MLKEM768", "ecdhx25519", "ecdhp256", "ffdh3072"],
    ),
    graph(
        "sig_128bs",
        "Signatures of 128 bits of security",
        TableType::SigVerKeygen,
        Pick::Strength(128, true),
        SIG_128,
    ),
    graph(
        "sig_192bs",
        "Signatures of 192 bits of security",
        TableType::SigVerKeygen,
        Pick::Strength(192, true),
        SIG_192,
    ),
    graph(
        "sig_256bs",
        "Signatures of 256 bits of security",
        TableType::SigVerKeygen,
        Pick::Strength(256, true),
        SIG_256,
    ),
    graph(
        "dec_enc_keygen_dh_128bs",
        "Encapsulation and agreement of 128 bits of security",
        TableType::DecEncKeygenDh,
        Pick::Strength(128, false),
        &["ML-KEM-512", "ecdhp256", "ecdhx25519", "ecdhbrp256r1", "ffdh3072"],
    ),
    graph(
        "dec_enc_keygen_dh_192bs",
        "Encapsulation and agreement of 192 bits of security",
        TableType::DecEncKeygenDh,
        Pick::Strength(192, false),
        &["ML-KEM-768", "X25519MLKEM768", "ecdhp384", "ecdhbrp384r1"],
    ),
    graph(
        "dec_enc_keygen_dh_256bs",
        "Encapsulation and agreement of 256 bits of security",
        TableType::DecEncKeygenDh,
        Pick::Strength(256, false),
        &["ML-KEM-1024", "ecdhp521", "ecdhbrp512r1"],
    ),
];

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

/// Bytes on the wire against speed: who is small and fast stands at the upper left.
fn sizes(speeds: &Speeds, id: &str, signature: bool) -> Option<Drawn> {
    let kind = if signature { TableType::SigVerKeygen } else { TableType::DecEncKeygenDh };
    let table = speeds.pick(kind, |name| {
        let facts = facts_of(name)?;
        (Pick::Strength(facts.strength, signature).place(name).is_some()).then_some(usize::from(facts.strength))
    })?;
    let columns: &[Column] = if signature { &[Column::Verify] } else { &[Column::Enc, Column::Dh] };
    let mut series = Vec::new();
    let mut named: Vec<String> = Vec::new();
    for (at, source) in table.sources.iter().enumerate() {
        for (index, strength) in [112, 128, 192, 224, 256].into_iter().enumerate() {
            let mut points: Vec<(Point, String)> = Vec::new();
            for row in table.rows.iter().filter(|row| row.source == at) {
                let Some(facts) = facts_of(&row.name).filter(|facts| facts.strength == strength) else { continue };
                let value = columns.iter().find_map(|column| row.value(*column));
                let bytes = f64::from(facts.public_key + facts.output);
                if let (Some(y), false) = (value, points.iter().any(|(_, name)| *name == row.name)) {
                    points.push((Point { x: bytes, y, interval: None }, row.name.clone()));
                }
            }
            points.sort_by(|a, b| a.0.x.total_cmp(&b.0.x));
            if points.is_empty() {
                continue;
            }
            let label = format!("{strength} bit");
            let label = if table.sources.len() > 1 { format!("{} {label}", source.id) } else { label };
            let (points, mut names): (Vec<Point>, Vec<String>) = points.into_iter().unzip();
            // Each algorithm has its name once; its points of other sources stand above or below.
            for name in &mut names {
                if named.contains(name) {
                    name.clear();
                } else {
                    named.push(name.clone());
                }
            }
            series.push(Series { label, style: categorical(at * 5 + index), trace: Trace::Marks, points, names });
        }
    }
    let all = || series.iter().flat_map(|s: &Series| &s.points);
    if all().count() < 2 {
        return None;
    }
    let (title, what) = if signature {
        ("Signatures: bytes against speed", "public key and signature")
    } else {
        ("Key encapsulation and agreement: bytes against speed", "public key and ciphertext, or both public keys")
    };
    let y = if signature { "verifications per second" } else { "encapsulations or agreements per second" };
    let figure = Figure {
        id: id.into(),
        family: "sizes".into(),
        title: title.into(),
        subtitle:
            "Few bytes and many operations stand at the upper left; colours: security strength. Both axes logarithmic"
                .into(),
        plot: Plot::Lines(Lines {
            x: Axis {
                label: format!("{what}, bytes"),
                domain: Domain::Number { unit: "B", at_values: false },
                scale: Scale::Log,
            },
            y: Axis {
                label: y.into(),
                domain: Domain::Quantity(Quantity::Speed),
                scale: scale_beyond(1.0, all().map(|p| p.y)),
            },
            series,
        }),
        notes: caption(&table.sources),
    };
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
