//! One JSON document with every digit: schema `pqlab.report/1`.

use crate::RenderError;
use crate::group::{Key, NotCompared, RULE, Standing, groups, withheld};
use crate::record::{Row, Run, Sample};
use crate::view::Kind;
use crate::view::comparative::{ratio, reference};
use crate::view::verification::{Check, checks, publishable};
use serde::Serialize;

#[derive(Serialize)]
struct Report<'r> {
    /// Schema of this document.
    schema: &'static str,
    kind: Kind,
    /// The record, unchanged.
    run: &'r Run,
    #[serde(skip_serializing_if = "Option::is_none")]
    comparison: Option<Comparison<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verification: Option<Verification>,
}

#[derive(Serialize)]
struct Comparison<'r> {
    /// Provider the others are divided by; `null`: the smallest median of each group.
    baseline: Option<&'r str>,
    /// When a provider is called fastest.
    rule: &'static str,
    /// Why no rows are compared; `null` when they are.
    withheld: Option<String>,
    groups: Vec<Group<'r>>,
}

#[derive(Serialize)]
struct Group<'r> {
    #[serde(flatten)]
    key: Key,
    ranking: Vec<Place<'r>>,
    without_rank: Vec<Unranked<'r>>,
}

#[derive(Serialize)]
struct Place<'r> {
    row: &'r str,
    provider: &'r str,
    rank: usize,
    standing: Standing,
    median_ns: f64,
    ci95_ns: Option<[f64; 2]>,
    ratio: Option<f64>,
    ratio_interval: Option<[f64; 2]>,
}

#[derive(Serialize)]
struct Unranked<'r> {
    row: &'r str,
    provider: &'r str,
    status: crate::record::Status,
    reason: Option<&'r str>,
}

#[derive(Serialize)]
struct Verification {
    publishable: bool,
    checks: Vec<Check>,
}

/// The report of a kind as JSON.
pub(super) fn render(
    run: &Run,
    samples: Option<&[Sample]>,
    kind: Kind,
    baseline: Option<&str>,
) -> Result<Vec<u8>, RenderError> {
    let report = Report {
        schema: "pqlab.report/1",
        kind,
        run,
        comparison: (kind == Kind::Comparative).then(|| comparison(run, baseline)),
        verification: (kind == Kind::Verification).then(|| {
            let checks = checks(run, samples);
            Verification { publishable: publishable(&checks), checks }
        }),
    };
    let mut json =
        serde_json::to_vec_pretty(&report).map_err(|error| RenderError::Serialise { message: error.to_string() })?;
    json.push(b'\n');
    Ok(json)
}

fn comparison<'r>(run: &'r Run, baseline: Option<&str>) -> Comparison<'r> {
    let own = baseline.and_then(|wanted| run.rows.iter().map(|row| row.provider.as_str()).find(|id| *id == wanted));
    let groups = groups(run)
        .into_iter()
        .map(|group| {
            let base: Option<&Row> = reference(&group, baseline);
            let ranking = group
                .ranked
                .iter()
                .map(|member| {
                    let found = base.and_then(|base| ratio(member.row, base));
                    Place {
                        row: &member.row.id,
                        provider: &member.row.provider,
                        rank: member.rank,
                        standing: member.standing,
                        median_ns: member.median_ns,
                        ci95_ns: member.row.ci95_ns,
                        ratio: found.map(|(value, _)| value),
                        ratio_interval: found.and_then(|(_, interval)| interval),
                    }
                })
                .collect();
            let without_rank = group
                .unranked
                .iter()
                .map(|row| Unranked {
                    row: &row.id,
                    provider: &row.provider,
                    status: row.status,
                    reason: row.reason.as_deref().or_else(|| group.not_compared(row).map(NotCompared::reason)),
                })
                .collect();
            Group { key: group.key, ranking, without_rank }
        })
        .collect();
    Comparison { baseline: own, rule: RULE, withheld: withheld(run), groups }
}
