//! Rows that may be compared with each other: the same work, by different providers.
//!
//! The rule for "fastest": the row with the smallest median is marked fastest only when its 95 % interval lies wholly
//! below the interval of every other measured row of the group. Otherwise it, and every row whose interval it
//! touches, is marked tied. A row alone in its group, or a group in which a needed interval is missing, has no mark.

use crate::record::{Mode, Row, Run, Status};
use serde::Serialize;

/// The rule of this module, for a reader.
pub const RULE: &str = "fastest (★): the 95 % interval of the median lies below the interval of every other provider; \
                        tied (≈): it overlaps the interval of the smallest median";

/// What makes rows comparable.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Key {
    /// `kem`, `signature`, …
    pub family: String,
    /// Canonical name.
    pub algorithm: String,
    /// `keygen`, `seal`, …
    pub operation: String,
    /// `params.form`: importing a seed is other work than importing an expanded key.
    pub form: Option<String>,
    /// `params.size`, bytes.
    pub size: Option<u64>,
    /// Batched or single operations.
    pub mode: Mode,
}

impl Key {
    /// The key of a row.
    #[must_use]
    pub fn of(row: &Row) -> Self {
        let parameter = |name: &str| row.params.get(name);
        Self {
            family: row.family.clone(),
            algorithm: row.algorithm.clone(),
            operation: row.operation.clone(),
            form: parameter("form").and_then(|form| form.as_str()).map(str::to_owned),
            size: parameter("size").and_then(serde_json::Value::as_u64),
            mode: row.mode,
        }
    }

    /// The operation with its form: `import-secret (seed)`.
    #[must_use]
    pub fn operation_label(&self) -> String {
        match &self.form {
            Some(form) => format!("{} ({form})", self.operation),
            None => self.operation.clone(),
        }
    }
}

/// Where a measured row stands in its group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// Its interval lies below all others.
    Fastest,
    /// Its interval overlaps that of the smallest median.
    Tied,
    /// Slower, or not decidable.
    Behind,
}

/// A measured row within its group.
#[derive(Debug, Clone, Copy)]
pub struct Member<'r> {
    /// The row; its `median_ns` is present.
    pub row: &'r Row,
    /// Its median, ns.
    pub median_ns: f64,
    /// 1 for the smallest median; equal medians share a rank.
    pub rank: usize,
    /// Median divided by the smallest median of the group.
    pub ratio: f64,
    /// Whether it leads.
    pub standing: Standing,
}

/// All rows with one [`Key`].
#[derive(Debug, Clone)]
pub struct Group<'r> {
    /// What they share.
    pub key: Key,
    /// Measured rows, smallest median first. Rows that are inconclusive are not among them.
    pub ranked: Vec<Member<'r>>,
    /// Rows without a usable number, with their reasons; and rows of the `null` provider, which is a control.
    pub unranked: Vec<&'r Row>,
}

impl<'r> Group<'r> {
    /// The member or unranked row of a provider.
    #[must_use]
    pub fn row_of(&self, provider: &str) -> Option<&'r Row> {
        let ranked = self.ranked.iter().map(|member| member.row);
        ranked.chain(self.unranked.iter().copied()).find(|row| row.provider == provider)
    }

    /// The member of a provider, when it was measured.
    #[must_use]
    pub fn member_of(&self, provider: &str) -> Option<&Member<'r>> {
        self.ranked.iter().find(|member| member.row.provider == provider)
    }
}

/// Whether a provider does no cryptography: it is the harness's own control and never competes.
#[must_use]
pub fn is_null_provider(provider: &str) -> bool {
    provider == "null" || provider.starts_with("null@")
}

/// Groups the rows of a run, in the order in which their keys first appear.
#[must_use]
pub fn groups(run: &Run) -> Vec<Group<'_>> {
    let mut order: Vec<Key> = Vec::new();
    let mut rows: std::collections::BTreeMap<Key, Vec<&Row>> = std::collections::BTreeMap::new();
    for row in &run.rows {
        let key = Key::of(row);
        let entry = rows.entry(key.clone()).or_default();
        if entry.is_empty() {
            order.push(key);
        }
        entry.push(row);
    }
    order
        .into_iter()
        .map(|key| {
            let members = rows.remove(&key).unwrap_or_default();
            rank(key, members)
        })
        .collect()
}

fn rank(key: Key, rows: Vec<&Row>) -> Group<'_> {
    let mut measured: Vec<(&Row, f64)> = Vec::new();
    let mut unranked = Vec::new();
    for row in rows {
        match row.median_ns {
            Some(median) if row.status == Status::Ok && median > 0.0 && !is_null_provider(&row.provider) => {
                measured.push((row, median));
            }
            _ => unranked.push(row),
        }
    }
    measured.sort_by(|a, b| a.1.total_cmp(&b.1));
    let standings = standings(&measured);
    let best = measured.first().map_or(1.0, |(_, median)| *median);
    let mut ranked: Vec<Member<'_>> = Vec::with_capacity(measured.len());
    for (index, ((row, median_ns), standing)) in measured.into_iter().zip(standings).enumerate() {
        let rank = match ranked.last() {
            Some(before) if before.median_ns.total_cmp(&median_ns).is_eq() => before.rank,
            _ => index + 1,
        };
        ranked.push(Member { row, median_ns, rank, ratio: median_ns / best, standing });
    }
    Group { key, ranked, unranked }
}

/// See the rule of this module. `measured` is sorted by median.
fn standings(measured: &[(&Row, f64)]) -> Vec<Standing> {
    let undecided = vec![Standing::Behind; measured.len()];
    let intervals: Option<Vec<[f64; 2]>> = measured.iter().map(|(row, _)| row.ci95_ns).collect();
    let (Some(intervals), true) = (intervals, measured.len() > 1) else { return undecided };
    let Some(([_, lead_high], others)) = intervals.split_first() else { return undecided };
    let touched: Vec<bool> = others.iter().map(|[low, _]| low <= lead_high).collect();
    let lead = if touched.contains(&true) { Standing::Tied } else { Standing::Fastest };
    std::iter::once(lead)
        .chain(touched.into_iter().map(|touched| if touched { Standing::Tied } else { Standing::Behind }))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Group, Key, Standing, rank};
    use crate::record::{Mode, Row, Status};
    use std::collections::BTreeMap;

    fn row(provider: &str, median: Option<f64>, interval: Option<[f64; 2]>, status: Status) -> Row {
        Row {
            id: format!("{provider}/ML-KEM-768/keygen"),
            family: "kem".into(),
            algorithm: "ML-KEM-768".into(),
            operation: "keygen".into(),
            params: BTreeMap::new(),
            provider: provider.into(),
            mode: Mode::Throughput,
            status,
            reason: None,
            n: 10,
            processes: 6,
            median_ns: median,
            ci95_ns: interval,
            ci_coverage_pct: None,
            bootstrap95_ns: None,
            mean_ns: None,
            mad_ns: None,
            min_ns: None,
            p95_ns: None,
            p99_ns: None,
            cov_pct: None,
            ops_per_s: None,
            bytes_per_s: None,
            contaminated_pct: None,
            clean_median_ns: None,
            autocorrelation: None,
            drift: None,
            sizes: BTreeMap::new(),
            absent: BTreeMap::new(),
        }
    }

    fn group(rows: &[Row]) -> Group<'_> {
        let key = Key::of(&rows[0]);
        rank(key, rows.iter().collect())
    }

    fn standings(rows: &[Row]) -> Vec<(String, Standing)> {
        group(rows).ranked.iter().map(|m| (m.row.provider.clone(), m.standing)).collect()
    }

    #[test]
    fn fastest_needs_an_interval_below_all_others() {
        let rows = [
            row("b", Some(120.0), Some([118.0, 122.0]), Status::Ok),
            row("a", Some(100.0), Some([99.0, 101.0]), Status::Ok),
        ];
        let group = group(&rows);
        assert_eq!(group.ranked[0].row.provider, "a");
        assert_eq!(group.ranked[0].standing, Standing::Fastest);
        assert_eq!(group.ranked[1].standing, Standing::Behind);
        assert!((group.ranked[1].ratio - 1.2).abs() < 1e-12);
    }

    #[test]
    fn overlap_with_the_second_or_with_any_other_is_a_tie() {
        let second = [
            row("a", Some(100.0), Some([99.0, 105.0]), Status::Ok),
            row("b", Some(104.0), Some([103.0, 106.0]), Status::Ok),
            row("c", Some(200.0), Some([199.0, 201.0]), Status::Ok),
        ];
        assert_eq!(
            standings(&second),
            [("a".into(), Standing::Tied), ("b".into(), Standing::Tied), ("c".into(), Standing::Behind)]
        );
        let third = [
            row("a", Some(100.0), Some([99.0, 101.0]), Status::Ok),
            row("b", Some(104.0), Some([103.0, 106.0]), Status::Ok),
            row("c", Some(200.0), Some([90.0, 400.0]), Status::Ok),
        ];
        assert_eq!(
            standings(&third),
            [("a".into(), Standing::Tied), ("b".into(), Standing::Behind), ("c".into(), Standing::Tied)]
        );
    }

    #[test]
    fn touching_ends_overlap() {
        let rows = [
            row("a", Some(100.0), Some([99.0, 103.0]), Status::Ok),
            row("b", Some(104.0), Some([103.0, 106.0]), Status::Ok),
        ];
        assert_eq!(standings(&rows)[0].1, Standing::Tied);
    }

    #[test]
    fn no_mark_without_intervals_or_competitors() {
        assert_eq!(standings(&[row("a", Some(1.0), Some([1.0, 1.0]), Status::Ok)])[0].1, Standing::Behind);
        let rows = [row("a", Some(1.0), Some([0.9, 1.1]), Status::Ok), row("b", Some(9.0), None, Status::Ok)];
        assert_eq!(standings(&rows)[0].1, Standing::Behind);
    }

    #[test]
    fn rows_that_are_not_ok_and_the_null_provider_do_not_compete_but_stay() {
        let rows = [
            row("null@0.1.0", Some(0.4), Some([0.3, 0.5]), Status::Ok),
            row("a", Some(100.0), Some([99.0, 101.0]), Status::Ok),
            row("b", Some(50.0), Some([49.0, 51.0]), Status::Inconclusive),
            row("c", None, None, Status::Failed),
            row("d", Some(120.0), Some([119.0, 121.0]), Status::Ok),
        ];
        let group = group(&rows);
        let ranked: Vec<&str> = group.ranked.iter().map(|m| m.row.provider.as_str()).collect();
        assert_eq!(ranked, ["a", "d"]);
        let unranked: Vec<&str> = group.unranked.iter().map(|r| r.provider.as_str()).collect();
        assert_eq!(unranked, ["null@0.1.0", "b", "c"]);
    }

    #[test]
    fn equal_medians_share_a_rank() {
        let rows = [
            row("a", Some(100.0), Some([99.0, 101.0]), Status::Ok),
            row("b", Some(100.0), Some([99.0, 101.0]), Status::Ok),
            row("c", Some(101.0), Some([100.0, 102.0]), Status::Ok),
        ];
        let ranks: Vec<usize> = group(&rows).ranked.iter().map(|m| m.rank).collect();
        assert_eq!(ranks, [1, 1, 3]);
    }
}
