//! JSON has no infinity and no "not a number": serialised, they would come back as an unexplained `null`.

use super::WriteError;
use crate::record::{Clock, Harness, Host, Row, Run, Sample};

/// Every number of a run is finite.
pub(super) fn run(run: &Run) -> Result<(), WriteError> {
    let Host { clock, steal_pct, .. } = &run.host;
    if let Some(Clock { name: _, step_ns, cost_ns }) = clock {
        finite("host.clock.step_ns", *step_ns)?;
        finite("host.clock.cost_ns", *cost_ns)?;
    }
    optional("host.steal_pct", *steal_pct)?;
    let Harness { tax_ns, tax_by_operation, reason: _ } = &run.harness;
    optional("harness.tax_ns", *tax_ns)?;
    for (operation, value) in tax_by_operation {
        finite(&format!("harness.tax_by_operation.{operation}"), *value)?;
    }
    run.rows.iter().try_for_each(row)
}

/// Every number of a row is finite.
pub(super) fn row(row: &Row) -> Result<(), WriteError> {
    let Row {
        id,
        family: _,
        algorithm: _,
        operation: _,
        params: _,
        provider: _,
        mode: _,
        status: _,
        reason: _,
        n: _,
        processes: _,
        median_ns,
        ci95_ns,
        ci_coverage_pct,
        bootstrap95_ns,
        mean_ns,
        mad_ns,
        min_ns,
        p95_ns,
        p99_ns,
        cov_pct,
        ops_per_s,
        bytes_per_s,
        contaminated_pct,
        clean_median_ns,
        autocorrelation,
        drift: _,
        sizes: _,
        absent: _,
    } = row;
    let single = [
        ("median_ns", median_ns),
        ("ci_coverage_pct", ci_coverage_pct),
        ("mean_ns", mean_ns),
        ("mad_ns", mad_ns),
        ("min_ns", min_ns),
        ("p95_ns", p95_ns),
        ("p99_ns", p99_ns),
        ("cov_pct", cov_pct),
        ("ops_per_s", ops_per_s),
        ("bytes_per_s", bytes_per_s),
        ("contaminated_pct", contaminated_pct),
        ("clean_median_ns", clean_median_ns),
        ("autocorrelation", autocorrelation),
    ];
    for (name, value) in single {
        optional(&format!("{name} of row \"{id}\""), *value)?;
    }
    for (name, interval) in [("ci95_ns", ci95_ns), ("bootstrap95_ns", bootstrap95_ns)] {
        for end in interval.iter().flatten() {
            finite(&format!("{name} of row \"{id}\""), *end)?;
        }
    }
    Ok(())
}

/// Samples belong to `row` and their numbers are finite.
pub(super) fn samples(row: &Row, samples: &[Sample]) -> Result<(), WriteError> {
    for sample in samples {
        if sample.row != row.id {
            return Err(WriteError::ForeignSample { row: row.id.clone(), sample: sample.row.clone() });
        }
        finite("elapsed_ns of a sample", sample.elapsed_ns)?;
    }
    Ok(())
}

fn optional(field: &str, value: Option<f64>) -> Result<(), WriteError> {
    value.map_or(Ok(()), |value| finite(field, value))
}

fn finite(field: &str, value: f64) -> Result<(), WriteError> {
    if value.is_finite() { Ok(()) } else { Err(WriteError::NotFinite { field: field.to_owned(), value }) }
}
