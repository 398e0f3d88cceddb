//! Speed against size: charts with the fitted law, its interval, and the points that stand out by name.

use super::names::{facts_of, key, number_between};
use super::table::{Column, Table, TableType};
use crate::figure::{Axis, Domain, Figure, Lines, Plot, Point, Scale, Series, Trace};
use crate::palette::{Style, categorical};
use crate::units::{Quantity, significant};
use measure::stats::fit::{self, PowerLaw, power_law};

/// Speed over the line through the other points from which on a point is said to stand apart, whatever the test says:
/// with four or five sizes no test has power.
const APART: f64 = 1.5;

/// A chart of fits.
#[derive(Debug, Clone, Copy)]
pub struct Fit {
    /// File stem.
    pub id: &'static str,
    /// Heading.
    pub title: &'static str,
    /// The table that holds its figures.
    pub kind: TableType,
    /// What the sizes are.
    pub size: &'static str,
    /// Laws that are fitted: name and operation.
    pub laws: &'static [Law],
}

/// One law of a chart.
#[derive(Debug, Clone, Copy)]
pub struct Law {
    /// `sign`, `SHA2, s: verify`.
    pub label: &'static str,
    /// Operation.
    pub column: Column,
    /// Names of its algorithms: what stands before the size, and after it, in their keys.
    pub of: Sizes,
}

/// How the size of an algorithm is found.
#[derive(Debug, Clone, Copy)]
pub enum Sizes {
    /// The number between these two parts of the key.
    InName(&'static str, &'static str),
    /// The security strength of the category, for keys that begin and end so.
    OfCategory(&'static str, &'static str),
}

const fn law(label: &'static str, column: Column, of: Sizes) -> Law {
    Law { label, column, of }
}

const RSA: Sizes = Sizes::InName("rsa", "");
const ECDSA_P: Sizes = Sizes::InName("ecdsa(nistp", ")");
const ECDH_P: Sizes = Sizes::InName("ecdh(nistp", ")");
const ML_KEM: Sizes = Sizes::OfCategory("mlkem", "");
const ML_DSA: Sizes = Sizes::OfCategory("mldsa", "");
const SLH_S: Sizes = Sizes::OfCategory("slhdsashake", "s");
const SLH_F: Sizes = Sizes::OfCategory("slhdsashake", "f");
const SLH_2S: Sizes = Sizes::OfCategory("slhdsasha2", "s");
const SLH_2F: Sizes = Sizes::OfCategory("slhdsasha2", "f");
const MODULUS: &str = "modulus";
const FIELD: &str = "size of the field";
const CATEGORY: &str = "security strength of the category";

/// All charts of fits.
pub const FITS: [Fit; 11] = [
    Fit {
        id: "rsa_sign_fit",
        kind: TableType::SigVer,
        title: "RSA: signatures per second by size",
        size: MODULUS,
        laws: &[law("sign", Column::Sign, RSA)],
    },
    Fit {
        id: "rsa_verify_fit",
        kind: TableType::SigVer,
        title: "RSA: verifications per second by size",
        size: MODULUS,
        laws: &[law("verify", Column::Verify, RSA)],
    },
    Fit {
        id: "ecdh_b_fit",
        kind: TableType::Op,
        title: "ECDH over binary fields: key agreements per second by size",
        size: FIELD,
        laws: &[law("derive", Column::Dh, Sizes::InName("ecdh(nistb", ")"))],
    },
    Fit {
        id: "ecdh_brp_r1_fit",
        kind: TableType::Op,
        title: "ECDH, Brainpool curves: key agreements per second by size",
        size: FIELD,
        laws: &[law("derive", Column::Dh, Sizes::InName("ecdh(brainpoolp", "r1)"))],
    },
    Fit {
        id: "ecdh_p_fit",
        kind: TableType::Op,
        title: "ECDH, NIST prime curves: key agreements per second by size",
        size: FIELD,
        laws: &[law("derive", Column::Dh, ECDH_P)],
    },
    Fit {
        id: "ecdsa_p_sign_fit",
        kind: TableType::SigVer,
        title: "ECDSA, NIST prime curves: signatures per second by size",
        size: FIELD,
        laws: &[law("sign", Column::Sign, ECDSA_P)],
    },
    Fit {
        id: "ecdsa_p_verify_fit",
        kind: TableType::SigVer,
        title: "ECDSA, NIST prime curves: verifications per second by size",
        size: FIELD,
        laws: &[law("verify", Column::Verify, ECDSA_P)],
    },
    Fit {
        id: "ml_kem_fit",
        kind: TableType::DecEncKeygenDh,
        title: "ML-KEM: operations per second by category",
        size: CATEGORY,
        laws: &[
            law("keygen", Column::Keygen, ML_KEM),
            law("encaps", Column::Enc, ML_KEM),
            law("decaps", Column::Dec, ML_KEM),
        ],
    },
    Fit {
        id: "ml_dsa_fit",
        kind: TableType::SigVerKeygen,
        title: "ML-DSA: operations per second by category",
        size: CATEGORY,
        laws: &[
            law("keygen", Column::Keygen, ML_DSA),
            law("sign", Column::Sign, ML_DSA),
            law("verify", Column::Verify, ML_DSA),
        ],
    },
    Fit {
        id: "slh_dsa_sign_fit",
        kind: TableType::SigVer,
        title: "SLH-DSA: signatures per second by category",
        size: CATEGORY,
        laws: &[
            law("SHA2 s", Column::Sign, SLH_2S),
            law("SHA2 f", Column::Sign, SLH_2F),
            law("SHAKE s", Column::Sign, SLH_S),
            law("SHAKE f", Column::Sign, SLH_F),
        ],
    },
    Fit {
        id: "slh_dsa_verify_fit",
        kind: TableType::SigVer,
        title: "SLH-DSA: verifications per second by category",
        size: CATEGORY,
        laws: &[
            law("SHA2 s", Column::Verify, SLH_2S),
            law("SHA2 f", Column::Verify, SLH_2F),
            law("SHAKE s", Column::Verify, SLH_S),
            law("SHAKE f", Column::Verify, SLH_F),
        ],
    },
];

impl Sizes {
    /// The size of an algorithm; `None` when the law is not about it.
    #[must_use]
    pub fn of(self, name: &str) -> Option<f64> {
        match self {
            Self::InName(before, after) => number_between(name, before, after),
            Self::OfCategory(before, after) => {
                let key = key(name);
                let facts = facts_of(name)?;
                (key.starts_with(before) && key.ends_with(after)).then(|| f64::from(facts.strength))
            }
        }
    }
}

/// What was fitted.
#[derive(Debug, Clone)]
pub struct Fitted {
    /// Provider, and operation where the chart has several.
    pub label: String,
    /// The law.
    pub law: PowerLaw,
    /// Name, size, speed of each point, in order of size.
    pub points: Vec<(String, f64, f64)>,
    /// Points that stand out, by place, each with the ratio of its speed to the line through the others.
    pub apart: Vec<(usize, f64)>,
}

impl Fit {
    /// Draws the chart; nothing when the table has fewer than two sizes.
    ///
    /// The table may be of any kind that has the operations.
    #[must_use]
    pub fn chart(&self, table: &Table) -> Option<(Figure, Vec<Fitted>)> {
        let mut series = Vec::new();
        let mut fitted = Vec::new();
        for (at, law) in self.laws.iter().enumerate() {
            for (source, of) in table.sources.iter().enumerate() {
                let Some(fit) = fitted_law(table, source, law) else { continue };
                let several = table.sources.len() > 1;
                let label = match (several, self.laws.len() > 1) {
                    (true, true) => format!("{} {}", of.id, law.label),
                    (true, false) => of.id.clone(),
                    _ => law.label.to_owned(),
                };
                let style = categorical(at * table.sources.len() + source);
                // Names once: the same algorithms stand above each other in the other lines.
                let named = series.is_empty()
                    || (at > 0 && self.laws.iter().take(at).all(|l| l.label != law.label && !same(l.of, law.of)));
                series.extend(lines(&label, style, &fit, named));
                fitted.push(Fitted { label, ..fit });
            }
        }
        if series.is_empty() {
            return None;
        }
        let mut notes = super::chart::caption(&table.sources);
        notes.extend(fitted.iter().map(said));
        for (at, source) in table.sources.iter().enumerate().filter(|_| table.sources.len() > 1) {
            if !self.laws.iter().any(|law| fitted_law(table, at, law).is_some()) {
                notes.push(format!("{}: no law, because it has figures of fewer than two sizes.", source.id));
            }
        }
        Some((self.figure(series, notes), fitted))
    }

    fn figure(&self, series: Vec<Series>, notes: Vec<String>) -> Figure {
        Figure {
            id: self.id.into(),
            family: "fit".into(),
            title: self.title.into(),
            subtitle: "Line: speed = b·a^(−log2(size/smallest size)) by least squares of the logarithms: each doubling of the size \
                       divides the speed by a. Both axes logarithmic"
                .into(),
            plot: Plot::Lines(Lines {
                x: Axis {
                    label: self.size.into(),
                    domain: Domain::Number { unit: "bit", at_values: true },
                    scale: Scale::Log,
                },
                y: Axis {
                    label: "operations per second".into(),
                    domain: Domain::Quantity(Quantity::Speed),
                    scale: Scale::Log,
                },
                series,
            }),
            notes,
        }
    }
}

fn same(one: Sizes, other: Sizes) -> bool {
    match (one, other) {
        (Sizes::InName(a, b), Sizes::InName(c, d)) | (Sizes::OfCategory(a, b), Sizes::OfCategory(c, d)) => {
            (a, b) == (c, d)
        }
        _ => false,
    }
}

fn fitted_law(table: &Table, source: usize, law: &Law) -> Option<Fitted> {
    let mut samples: Vec<(String, f64, Vec<f64>)> = Vec::new();
    for row in table.rows.iter().filter(|row| row.source == source) {
        let (Some(size), Some(speed)) = (law.of.of(&row.name), row.value(law.column)) else { continue };
        match samples.iter_mut().find(|(name, ..)| *name == row.name) {
            Some((_, _, speeds)) => speeds.push(speed),
            None => samples.push((row.name.clone(), size, vec![speed])),
        }
    }
    let mut points: Vec<(String, f64, f64)> = samples
        .into_iter()
        .filter_map(|(name, size, speeds)| Some((name, size, measure::stats::median(&speeds)?)))
        .collect();
    points.sort_by(|a, b| a.1.total_cmp(&b.1).then_with(|| a.0.cmp(&b.0)));
    let plain: Vec<fit::Point> =
        points.iter().map(|(_, size, speed)| fit::Point { size: *size, speed: *speed }).collect();
    let fit = power_law(&plain).ok()?;
    let apart = apart(&plain, &fit, &points);
    Some(Fitted { label: String::new(), law: fit, points, apart })
}

/// Outliers by the test, and P-256 when it is far above the line through the others.
fn apart(plain: &[fit::Point], law: &PowerLaw, points: &[(String, f64, f64)]) -> Vec<(usize, f64)> {
    let found = plain.iter().enumerate().filter_map(|(at, point)| {
        let others: Vec<fit::Point> = plain.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, p)| *p).collect();
        let ratio = point.speed / power_law(&others).ok()?.at(point.size);
        let known = points.get(at).is_some_and(|(name, ..)| is_p256(name)) && others.len() >= 2 && ratio >= APART;
        (law.outliers.contains(&at) || known).then_some((at, ratio))
    });
    found.collect()
}

/// The curve for which OpenSSL has assembly of its own.
pub(super) fn is_p256(name: &str) -> bool {
    key(name).contains("(nistp256)")
}

fn lines(label: &str, style: Style, fit: &Fitted, named: bool) -> Vec<Series> {
    let law = &fit.law;
    let names = fit.points.iter().enumerate().map(|(at, (name, ..))| match fit.apart.iter().find(|(i, _)| *i == at) {
        Some((_, ratio)) => format!("{name}: {} × the line of the others", significant(*ratio, 2)),
        None if named => name.clone(),
        None => String::new(),
    });
    let curve = [fit.points.first(), fit.points.last()].into_iter().flatten();
    let curve =
        curve.map(|(_, size, _)| Point { x: *size, y: law.at(*size), interval: None, disturbed: false }).collect();
    let marks = fit
        .points
        .iter()
        .map(|(_, size, speed)| Point { x: *size, y: *speed, interval: None, disturbed: false })
        .collect();
    let a = significant(law.a, 3);
    vec![
        Series { label: label.into(), style, trace: Trace::Marks, points: marks, names: names.collect() },
        Series { label: format!("{label}: a = {a}"), style, trace: Trace::Curve, points: curve, names: Vec::new() },
    ]
}

/// The law in words.
fn said(fit: &Fitted) -> String {
    let law = &fit.law;
    let interval = match law.a_ci95 {
        Some([low, high]) => format!("95 % interval {} … {}", significant(low, 3), significant(high, 3)),
        None => "no interval: two sizes leave no residual".into(),
    };
    let r = law.r_squared.map_or_else(String::new, |r| format!(", R² = {r:.3}"));
    let mut said = format!(
        "{}: a = {} ({interval}){r}, b = {} op/s at {} bit.",
        fit.label,
        significant(law.a, 3),
        significant(law.b, 4),
        law.x0
    );
    for (at, ratio) in &fit.apart {
        let Some((name, ..)) = fit.points.get(*at) else { continue };
        let why = if is_p256(name) && *ratio > 1.0 {
            ", because OpenSSL has assembly of its own for this curve (ecp_nistz256), not because of the curve"
        } else {
            ""
        };
        let factor = significant(*ratio, 2);
        said.push_str(&format!(" Stands out: {name}, {factor} times the line through the others{why}."));
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::read;

    fn of(id: &str) -> &'static Fit {
        FITS.iter().find(|fit| fit.id == id).unwrap()
    }

    fn table(rows: &[(&str, f64)]) -> Table {
        let lines: String = rows.iter().map(|(name, speed)| format!("{name} 0s {speed}\n")).collect();
        read("openssl@3.5.5.dat", lines.as_bytes(), None).unwrap()
    }

    #[test]
    fn an_exact_law_is_in_the_chart() {
        let rows: Vec<(String, f64)> = [163.0, 233.0, 283.0, 409.0, 571.0]
            .map(|bits: f64| (format!("ecdh(nistb{bits})"), 8000.0 * 8f64.powf(-(bits / 163.0).log2())))
            .to_vec();
        let rows: Vec<(&str, f64)> = rows.iter().map(|(name, speed)| (name.as_str(), *speed)).collect();
        let (figure, fitted) = of("ecdh_b_fit").chart(&table(&rows)).unwrap();
        assert!((fitted[0].law.a - 8.0).abs() < 1e-6 && fitted[0].apart.is_empty());
        assert!(
            figure.notes.iter().any(|note| note.contains("a = 8.00") && note.contains("R² = 1.000")),
            "{:?}",
            figure.notes
        );
        assert!(of("rsa_sign_fit").chart(&table(&rows)).is_none(), "no RSA in it");
    }

    #[test]
    fn p256_is_named_with_its_reason() {
        let rows = [
            ("ecdh(nistp192)", 4000.0),
            ("ecdh(nistp224)", 2900.0),
            ("ecdh(nistp256)", 21000.0),
            ("ecdh(nistp384)", 900.0),
            ("ecdh(nistp521)", 400.0),
        ];
        let (figure, fitted) = of("ecdh_p_fit").chart(&table(&rows)).unwrap();
        assert_eq!(fitted[0].apart.len(), 1);
        assert!(fitted[0].apart[0].1 > 5.0);
        assert!(
            figure.notes.iter().any(|note| note.contains("nistp256") && note.contains("ecp_nistz256")),
            "{:?}",
            figure.notes
        );
    }

    #[test]
    fn samples_of_one_algorithm_are_one_point() {
        let rows =
            [("ecdh(nistb163)", 10.0), ("ecdh(nistb163)", 30.0), ("ecdh(nistb163)", 20.0), ("ecdh(nistb283)", 5.0)];
        let (_, fitted) = of("ecdh_b_fit").chart(&table(&rows)).unwrap();
        assert_eq!(fitted[0].points.iter().map(|point| point.2).collect::<Vec<_>>(), [20.0, 5.0]);
        assert!(fitted[0].law.a_ci95.is_none());
    }

    #[test]
    fn post_quantum_sizes_are_categories() {
        assert_eq!(ML_DSA.of("ML-DSA-65"), Some(192.0));
        assert_eq!(SLH_2S.of("SLH-DSA-SHA2-256s"), Some(256.0));
        assert_eq!(SLH_2S.of("SLH-DSA-SHA2-256f"), None);
        assert_eq!(ML_KEM.of("X25519MLKEM768"), None);
    }
}
