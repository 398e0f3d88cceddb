//! `-multi`: the rows of each process (`Got: … from N`) and the totals that follow.

use super::machine::{Dialect, Row};
use super::number::Rate;
use super::text::Figure;
use std::collections::BTreeMap;

/// What one call with `-multi` said of its processes.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Group {
    /// Processes forked.
    pub processes: u32,
    /// Sizes of the buffers.
    pub sizes: Vec<u64>,
    /// Rows with the number of the process.
    rows: Vec<(u32, Row)>,
    /// Places in `rows`, by kind and number of the algorithm, that no total has been found for.
    unused: BTreeMap<(u8, u32), Vec<usize>>,
}

/// Algorithms that are tried for one total.
const MAX_TRIES: usize = 32;

/// The row and the process of a `Got:` line.
pub(super) fn got(text: &str) -> Option<(&str, u32)> {
    let (line, child) = text.strip_prefix("Got: ")?.rsplit_once(" from ")?;
    Some((line, child.parse().ok()?))
}

impl Group {
    pub fn push(&mut self, child: u32, row: Row) {
        self.unused.entry((row.kind, row.index)).or_default().push(self.rows.len());
        self.rows.push((child, row));
    }

    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().map(|(_, row)| row)
    }

    /// Figures of each process whose sums are the totals; `None` when there are none. `index` is the number of the
    /// algorithm when the total has one (`-mr`); totals for people stand in the order of those numbers.
    pub fn take(
        &mut self,
        kind: u8,
        index: Option<u32>,
        totals: &[Figure],
        dialect: Option<Dialect>,
    ) -> Option<Vec<Vec<Figure>>> {
        let range = (kind, index.unwrap_or(0))..=(kind, index.unwrap_or(u32::MAX));
        let candidates = self.unused.range(range).take(MAX_TRIES);
        let (key, figures) =
            candidates.filter_map(|(key, members)| Some((*key, self.figures(members, totals, dialect)?))).next()?;
        self.unused.remove(&key);
        Some(figures)
    }

    fn figures(&self, members: &[usize], totals: &[Figure], dialect: Option<Dialect>) -> Option<Vec<Vec<Figure>>> {
        let mut rows: Vec<&(u32, Row)> = members.iter().filter_map(|&at| self.rows.get(at)).collect();
        rows.sort_by_key(|(child, _)| *child);
        if !rows.iter().map(|(child, _)| *child).eq(0..self.processes) {
            return None;
        }
        let figures = rows
            .into_iter()
            .map(|(_, row)| row.figures(dialect, &self.sizes).into_iter().collect::<Result<Vec<_>, _>>().ok())
            .collect::<Option<Vec<_>>>()?;
        if figures.iter().any(|child| child.len() != totals.len()) {
            return None;
        }
        let agree = totals.iter().enumerate().all(|(at, total)| {
            let of_children: Vec<&Figure> = figures.iter().filter_map(|child| child.get(at)).collect();
            let rates: Vec<Rate> = of_children.iter().map(|figure| figure.rate).collect();
            // Rows over buffers have a name to go by, the others the order of their numbers.
            let named = total.size.is_none() || of_children.iter().all(|figure| figure.written == total.written);
            named && Rate::sum(&rates).meets(&total.rate)
        });
        agree.then_some(figures)
    }

    /// Rows that no total goes with.
    pub fn left(&self) -> impl Iterator<Item = &Row> {
        self.unused.values().flatten().filter_map(|&at| self.rows.get(at)).map(|(_, row)| row)
    }
}
