//! Rows that may be compared with each other: the same work, by different providers.
//!
//! The rule for "fastest": the row with the smallest median is marked fastest only when its 95 % interval lies wholly
//! below the interval of every other compared row of the group. Otherwise it, and every row whose interval it
//! touches, is marked tied. A row alone in its group, or a group in which a needed interval is missing, has no mark.
//!
//! Not compared, with no rank, ratio or mark from it or against it, are rows that were disturbed, and all rows of a run
//! whose A/A control did not pass.

use crate::record::{Mode, Row, Run, Status};
use serde::Serialize;

/// The rule of this module, for a reader.
pub const RULE: &str = "fastest (★): the 95 % interval of the median lies below the interval of every other provider; \
                        tied (≈): it overlaps the interval of the smallest median; disturbed rows (!) are not compared";

/// Largest share of contaminated samples, per cent, at which a row's median is still taken for the operation's. Above it
/// the number is marked, and compared with no other.
pub const MOST_CONTAMINATED_PCT: f64 = 20.0;

/// Whether so many samples of a row were disturbed that its number must not be taken for the operation's.
#[must_use]
pub fn is_disturbed(row: &Row) -> bool {
    row.contaminated_pct.is_some_and(|share| share > MOST_CONTAMINATED_PCT)
}

/// Why no row of this run is compared with another: its A/A control did not pass. One line; `None` when rows may be compared.
#[must_use]
pub fn withheld(run: &Run) -> Option<String> {
    let is_aa = |name: &str| name == "aa" || name.starts_with("aa-");
    let failed = run.controls.iter().find(|control| is_aa(&control.name) && control.passed == Some(false))?;
    Some(format!(
        "Standings and ratios are withheld: the A/A control did not pass, so this run does not tell libraries from its own errors \
         ({})",
        failed.detail
    ))
}

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
    /// Measured rows with their medians, smallest first, whether they are compared or not. Rows that are inconclusive, and
    /// those of the `null` provider, which is a control, are not among them.
    pub measured: Vec<(&'r Row, f64)>,
    /// The measured rows that are compared.
    pub ranked: Vec<Member<'r>>,
    /// All other rows of the group.
    pub unranked: Vec<&'r Row>,
    /// Whether no rows are compared, see [`withheld`].
    pub withheld: bool,
}

impl<'r> Group<'r> {
    /// The member or unranked row of a provider.
    #[must_use]
    pub fn row_of(&self, provider: &str) -> Option<&'r Row> {
        let ranked = self.ranked.iter().map(|member| member.row);
        ranked.chain(self.unranked.iter().copied()).find(|row| row.provider == provider)
    }

    /// The median of a provider's row, ns, when it was measured.
    #[must_use]
    pub fn median_of(&self, provider: &str) -> Option<f64> {
        self.measured.iter().find(|(row, _)| row.provider == provider).map(|(_, median)| *median)
    }

    /// Why a row that has a number is compared with no other; `None` for members and for rows without a number.
    #[must_use]
    pub fn not_compared(&self, row: &Row) -> Option<NotCompared> {
        let numbered = row.median_ns.is_some_and(|median| median > 0.0)
            && matches!(row.status, Status::Ok | Status::Inconclusive)
            && !is_null_provider(&row.provider);
        match (self.withheld, is_disturbed(row)) {
            _ if !numbered => None,
            (_, true) => Some(NotCompared::Disturbed),
            (true, false) => Some(NotCompared::Withheld),
            (false, false) => None,
        }
    }

    /// The member of a provider, when it is compared.
    #[must_use]
    pub fn member_of(&self, provider: &str) -> Option<&Member<'r>> {
        self.ranked.iter().find(|member| member.row.provider == provider)
    }
}

/// Why a measured row is compared with no other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotCompared {
    /// See [`is_disturbed`].
    Disturbed,
    /// See [`withheld`].
    Withheld,
}

impl NotCompared {
    /// In place of a number.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Disturbed => "disturbed",
            Self::Withheld => "withheld",
        }
    }

    /// In a sentence.
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Self::Disturbed => {
                "disturbed: too many of its samples were preempted or stolen, so it is compared with no other"
            }
            Self::Withheld => "withheld: the A/A control of the run did not pass",
        }
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
    let withheld = withheld(run).is_some();
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
            rank(key, members, withheld)
        })
        .collect()
}

fn rank(key: Key, rows: Vec<&Row>, withheld: bool) -> Group<'_> {
    let mut measured: Vec<(&Row, f64)> = Vec::new();
    let mut unranked = Vec::new();
    for row in rows {
        match row.median_ns {
            Some(median) if row.status == Status::Ok && median > 0.0 && !is_null_provider(&row.provider) => {
                measured.push((row, median));
                if withheld || is_disturbed(row) {
                    unranked.push(row);
                }
            }
            _ => unranked.push(row),
        }
    }
    measured.sort_by(|a, b| a.1.total_cmp(&b.1));
    let compared: Vec<(&Row, f64)> =
        measured.iter().copied().filter(|(row, _)| !withheld && !is_disturbed(row)).collect();
    let standings = standings(&compared);
    let best = compared.first().map_or(1.0, |(_, median)| *median);
    let mut ranked: Vec<Member<'_>> = Vec::with_capacity(compared.len());
    for (index, ((row, median_ns), standing)) in compared.into_iter().zip(standings).enumerate() {
        let rank = match ranked.last() {
            Some(before) if before.median_ns.total_cmp(&median_ns).is_eq() => before.rank,
            _ => index + 1,
        };
        ranked.push(Member { row, median_ns, rank, ratio: median_ns / best, standing });
    }
    Group { key, measured, ranked, unranked, withheld }
}

/// See the rule of this module. `compared` is sorted by median.
fn standings(compared: &[(&Row, f64)]) -> Vec<Standing> {
    let undecided = vec![Standing::Behind; compared.len()];
    let intervals: Option<Vec<[f64; 2]>> = compared.iter().map(|(row, _)| row.ci95_ns).collect();
    let (Some(intervals), true) = (intervals, compared.len() > 1) else { return undecided };
    let Some(([_, lead_high], others)) = intervals.split_first() else { return undecided };
    let touched: Vec<bool> = others.iter().map(|[low, _]| low <= lead_high).collect();
    let lead = if touched.contains(&true) { Standing::Tied } else { Standing::Fastest };
    std::iter::once(lead)
        .chain(touched.into_iter().map(|touched| if touched { Standing::Tied } else { Standing::Behind }))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Group, Key, NotCompared, Standing, rank};
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
        rank(key, rows.iter().collect(), false)
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
    fn disturbed_rows_are_neither_marked_nor_a_measure_for_others() {
        let mut rows = [
            row("a", Some(100.0), Some([99.0, 101.0]), Status::Ok),
            row("b", Some(120.0), Some([119.0, 121.0]), Status::Ok),
            row("c", Some(150.0), Some([118.0, 180.0]), Status::Ok),
        ];
        rows[0].contaminated_pct = Some(20.1);
        let found = group(&rows);
        let ranked: Vec<_> =
            found.ranked.iter().map(|m| (m.row.provider.as_str(), m.rank, m.ratio, m.standing)).collect();
        assert_eq!(ranked, [("b", 1, 1.0, Standing::Tied), ("c", 2, 1.25, Standing::Tied)]);
        assert_eq!(found.not_compared(&rows[0]), Some(NotCompared::Disturbed));
        assert_eq!(found.not_compared(&rows[1]), None);
        assert_eq!(found.median_of("a"), Some(100.0), "its number stays");
        assert_eq!(found.unranked.len(), 1);
        // Alone with a disturbed one there is nothing to be faster than.
        assert_eq!(standings(&rows[..2]), [("b".into(), Standing::Behind)]);
        rows[0].contaminated_pct = Some(20.0);
        assert_eq!(standings(&rows)[0], ("a".into(), Standing::Fastest));
    }

    #[test]
    fn nothing_is_compared_when_standings_are_withheld() {
        let rows = [
            row("a", Some(100.0), Some([99.0, 101.0]), Status::Ok),
            row("b", Some(120.0), Some([119.0, 121.0]), Status::Ok),
        ];
        let found = rank(Key::of(&rows[0]), rows.iter().collect(), true);
        assert!(found.ranked.is_empty());
        assert_eq!((found.measured.len(), found.unranked.len()), (2, 2));
        assert_eq!(found.not_compared(&rows[0]), Some(NotCompared::Withheld));
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
