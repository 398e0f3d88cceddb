//! Bytes against speed.

use super::chart::caption;
use super::graph::{Drawn, Pick};
use super::names::facts_of;
use super::speeds::Speeds;
use super::table::{Column, TableType};
use crate::figure::{Axis, Domain, Figure, Lines, Plot, Point, Scale, Series, Trace, scale_beyond};
use crate::palette::categorical;
use crate::units::Quantity;

/// Bytes on the wire against speed: who is small and fast stands at the upper left.
pub(super) fn sizes(speeds: &Speeds, id: &str, signature: bool) -> Option<Drawn> {
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
                    points.push((Point { x: bytes, y, interval: None, disturbed: false }, row.name.clone()));
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
