//! Sizes in bytes: what goes over the wire and what is stored.

use super::{Block, Cell, Column, Section, Table};
use crate::record::Run;
use crate::units::grouped;
use std::collections::BTreeSet;

/// Known sizes in the order of reading; others follow by name.
const ORDER: [&str; 10] =
    ["public", "secret", "seed", "ciphertext", "shared", "signature", "key", "nonce", "tag", "output"];

/// One row per algorithm; where providers differ, all values.
pub(crate) fn section(run: &Run) -> Section {
    let mut names: Vec<&str> = Vec::new();
    let mut algorithms: Vec<(&str, &str)> = Vec::new();
    for row in run.rows.iter().filter(|row| !row.sizes.is_empty()) {
        for name in row.sizes.keys() {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        let algorithm = (row.family.as_str(), row.algorithm.as_str());
        if !algorithms.contains(&algorithm) {
            algorithms.push(algorithm);
        }
    }
    names.sort_by_key(|name| (ORDER.iter().position(|known| known == name).unwrap_or(ORDER.len()), *name));
    let mut blocks: Vec<Block> = Vec::new();
    for (family, algorithm) in algorithms {
        let mut cells = vec![Cell::text(algorithm)];
        cells.extend(names.iter().map(|name| size(run, family, algorithm, name)));
        match blocks.iter_mut().find(|block| block.title == family) {
            Some(block) => block.rows.push(cells),
            None => blocks.push(Block { title: family.into(), rows: vec![cells] }),
        }
    }
    let table = Table {
        id: "sizes".into(),
        title: "Sizes in bytes".into(),
        block_name: "family".into(),
        columns: std::iter::once(Column::text("algorithm"))
            .chain(names.iter().map(|name| Column::number(*name)))
            .collect(),
        blocks,
        notes: vec!["Where providers differ, e.g. in the form of a private key, all values are given.".into()],
    };
    let tables = if table.is_empty() { Vec::new() } else { vec![table] };
    Section { id: "sizes", title: "Sizes".into(), tables, ..Section::default() }
}

fn size(run: &Run, family: &str, algorithm: &str, name: &str) -> Cell {
    let values: BTreeSet<u64> = run
        .rows
        .iter()
        .filter(|row| row.family == family && row.algorithm == algorithm)
        .filter_map(|row| row.sizes.get(name).copied())
        .collect();
    let mut values = values.into_iter();
    match (values.next(), values.next()) {
        (None, _) => Cell::Blank,
        (Some(only), None) => Cell::Count(only),
        (Some(first), Some(second)) => {
            let all: Vec<String> = [first, second].into_iter().chain(values).map(grouped).collect();
            Cell::Text(all.join(" / "))
        }
    }
}
