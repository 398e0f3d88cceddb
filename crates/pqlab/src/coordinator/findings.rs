//! Warnings that follow from the host, the rows and the time of a run.

use super::rows::{CALIBRATED_NS, CALIBRATION_CONFIRMED, CUT_SHORT};
use measure::host::BUSY_LOAD_PER_CORE;
use report::group::{Group, groups};
use report::record::{Host, Row, Run, Status, Warning};
use serde_json::Value;
use std::time::Duration;

/// An epoch that is shorter than this share of the intended one was calibrated wrongly.
const SHORTEST_SHARE: f64 = 0.25;

/// Rows that a warning names; the others are counted.
const NAMED: usize = 5;

/// What is known before anything is measured.
#[must_use]
pub fn of_host(host: &Host) -> Option<Warning> {
    let cores = host.cores?.max(1);
    let load = host.load_1m.filter(|load| *load > BUSY_LOAD_PER_CORE * f64::from(cores))?;
    Some(warning(
        "busy-host",
        format!(
            "The load average of the last minute was {load:.2} on {cores} cores when the run began, more than {BUSY_LOAD_PER_CORE} per core: \
             other programs ran in that minute (a build that had just ended counts), and slow libraries suffer more from them than \
             fast ones. Rows that were disturbed are marked; for the best figures measure on an idle machine."
        ),
    ))
}

/// What the rows say.
#[must_use]
pub fn of_rows(run: &Run) -> Vec<Warning> {
    let measured = || run.rows.iter().filter(|row| row.status == Status::Ok);
    let cut: Vec<&Row> = measured().filter(|row| row.params.contains_key(CUT_SHORT)).collect();
    let unconfirmed: Vec<&Row> =
        measured().filter(|row| row.params.get(CALIBRATION_CONFIRMED) == Some(&Value::Bool(false))).collect();
    let all = groups(run);
    let short: Vec<&Row> = all.iter().filter_map(too_short).collect();
    let by_hand = run.plan.settings.get("iterations").is_some_and(|count| !count.is_null());
    let mut found = Vec::new();
    if !cut.is_empty() {
        let processes: u64 = cut.iter().filter_map(|row| row.params.get(CUT_SHORT).and_then(Value::as_u64)).sum();
        found.push(warning(
            "cut-short",
            format!(
                "{processes} processes of {} ended before half of their planned rounds. Their samples are kept; in medians and intervals \
                 over processes they do not count, except where no process of a row is whole.",
                named(&cut)
            ),
        ));
    }
    if !unconfirmed.is_empty() && !by_hand {
        found.push(warning(
            "calibration-disturbed",
            format!(
                "No calibration of {} was undisturbed: the epochs of their groups may be shorter than intended. Measure again on an idle \
                 machine, or give --iterations.",
                named(&unconfirmed)
            ),
        ));
    }
    if !short.is_empty() && !by_hand {
        found.push(warning(
            "short-epochs",
            format!(
                "The epochs of {} lasted less than a quarter of what was intended: something disturbed the calibration, and the cost of \
                 beginning an epoch weighs more than it should. Measure again on an idle machine, or give --iterations.",
                named(&short)
            ),
        ));
    }
    found
}

/// The fastest row of a group, when its epochs lasted less than [`SHORTEST_SHARE`] of what its calibration foretold.
fn too_short<'r>(group: &Group<'r>) -> Option<&'r Row> {
    let (row, median_ns) = *group.measured.first()?;
    let foretold_ns = row.params.get(CALIBRATED_NS)?.as_f64()?;
    (median_ns < foretold_ns * SHORTEST_SHARE).then_some(row)
}

/// What setting up took of the time budget, when it took all of it.
#[must_use]
pub fn of_setup(setup: Duration, time_budget: Option<f64>) -> Option<Warning> {
    let budget = time_budget.filter(|budget| setup.as_secs_f64() >= *budget)?;
    Some(warning(
        "budget-setup",
        format!(
            "The time budget of {budget} s was used up by what is not timed ({:.1} s for starting providers, harness tax, A/A, conformance \
             and common inputs): the rows measured after that have as few processes and rounds as there can be. Give a larger \
             --time-budget, or fewer --algorithms.",
            setup.as_secs_f64()
        ),
    ))
}

fn named(rows: &[&Row]) -> String {
    let mut names: Vec<&str> = rows.iter().take(NAMED).map(|row| row.id.as_str()).collect();
    let more = rows.len().saturating_sub(NAMED);
    let rest = format!("{more} more rows");
    if more > 0 {
        names.push(&rest);
    }
    names.join(", ")
}

fn warning(code: &str, message: String) -> Warning {
    Warning { code: code.into(), message }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stored run with two rows of one group, 100 ns and 200 ns.
    fn run() -> Run {
        let mut run: Run = serde_json::from_str(include_str!("../../../report/tests/golden/run.json")).unwrap();
        let kept = ["aws-lc@1.19.0/ML-KEM-768/keygen", "rustcrypto@0.3.2/ML-KEM-768/keygen"];
        run.rows.retain(|row| kept.contains(&row.id.as_str()));
        for (row, median_ns) in run.rows.iter_mut().zip([100.0, 200.0]) {
            row.median_ns = Some(median_ns);
            row.params.insert(CALIBRATED_NS.into(), Value::from(median_ns));
            row.params.insert(CALIBRATION_CONFIRMED.into(), Value::from(true));
        }
        assert_eq!(run.rows.len(), 2);
        run
    }

    fn codes(run: &Run) -> Vec<(String, String)> {
        of_rows(run).into_iter().map(|warning| (warning.code, warning.message)).collect()
    }

    /// The one warning after a change; it has that code and names the second row, or the first.
    fn says(change: impl Fn(&mut Run), code: &str, words: &str) {
        let mut run = run();
        change(&mut run);
        let found = codes(&run);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].0 == code && found[0].1.contains(words), "{found:?}");
        run.plan.settings.insert("iterations".into(), Value::from(7));
        assert_eq!(codes(&run).len(), usize::from(code == "cut-short"), "a count by hand is not calibrated");
    }

    #[test]
    fn rows_are_named() {
        assert_eq!(codes(&run()), []);
        let set = |row: usize, name: &'static str, value: Value| {
            move |run: &mut Run| drop(run.rows[row].params.insert(name.into(), value.clone()))
        };
        says(set(1, CUT_SHORT, 2.into()), "cut-short", "2 processes of rustcrypto@0.3.2/ML-KEM-768/keygen");
        says(
            set(1, CALIBRATION_CONFIRMED, false.into()),
            "calibration-disturbed",
            "of rustcrypto@0.3.2/ML-KEM-768/keygen",
        );
        says(set(0, CALIBRATED_NS, 401.0.into()), "short-epochs", "of aws-lc@1.19.0/ML-KEM-768/keygen");
        let mut fine = run();
        set(0, CALIBRATED_NS, 399.0.into())(&mut fine);
        // Only the fastest row's epochs are judged.
        set(1, CALIBRATED_NS, 9_000.0.into())(&mut fine);
        assert_eq!(codes(&fine), []);
    }

    #[test]
    fn a_busy_host_is_warned_of() {
        let mut host = run().host;
        (host.cores, host.load_1m) = (Some(4), Some(2.0));
        assert_eq!(of_host(&host), None);
        host.load_1m = Some(2.01);
        assert!(of_host(&host).is_some_and(|w| w.code == "busy-host" && w.message.contains("2.01 on 4 cores")));
        host.load_1m = None;
        assert_eq!(of_host(&host), None);
    }

    #[test]
    fn a_budget_that_setting_up_used_is_warned_of() {
        let spent = Duration::from_secs(30);
        assert_eq!(of_setup(spent, None), None);
        assert_eq!(of_setup(spent, Some(30.1)), None);
        assert!(of_setup(spent, Some(30.0)).is_some_and(|w| w.code == "budget-setup" && w.message.contains("30.0 s")));
    }
}
