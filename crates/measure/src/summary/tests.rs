use super::*;
use proptest::prelude::*;

fn process(per_op_ns: &[f64]) -> ProcessSamples {
    ProcessSamples { per_op_ns: per_op_ns.to_vec(), contaminated: vec![false; per_op_ns.len()], cut_short: false }
}

/// The names of absent figures are exactly those of the `None` fields.
fn every_absence_has_its_reason(summary: &Summary) {
    let Summary {
        n: _,
        processes: _,
        cut_short: _,
        median_ns,
        ci95_ns,
        ci_coverage_pct,
        bootstrap95_ns,
        bootstrap_distinct,
        mean_ns,
        mad_ns,
        min_ns,
        p95_ns,
        p99_ns,
        cov_pct,
        ops_per_s,
        contaminated_pct,
        clean_median_ns,
        autocorrelation,
        drift,
        ties,
        absent,
    } = summary;
    let fields = [
        ("median_ns", median_ns.is_none()),
        ("ci95_ns", ci95_ns.is_none()),
        ("ci_coverage_pct", ci_coverage_pct.is_none()),
        ("bootstrap95_ns", bootstrap95_ns.is_none()),
        ("bootstrap_distinct", bootstrap_distinct.is_none()),
        ("mean_ns", mean_ns.is_none()),
        ("mad_ns", mad_ns.is_none()),
        ("min_ns", min_ns.is_none()),
        ("p95_ns", p95_ns.is_none()),
        ("p99_ns", p99_ns.is_none()),
        ("cov_pct", cov_pct.is_none()),
        ("ops_per_s", ops_per_s.is_none()),
        ("contaminated_pct", contaminated_pct.is_none()),
        ("clean_median_ns", clean_median_ns.is_none()),
        ("autocorrelation", autocorrelation.is_none()),
        ("drift", drift.is_none()),
        ("ties", ties.is_none()),
    ];
    assert_eq!(fields.map(|(name, _)| name), FIGURES);
    for (name, is_none) in fields {
        assert_eq!(absent.contains_key(name), is_none, "{name}: {summary:?}");
    }
    assert!(absent.values().all(|reason| !reason.is_empty()));
    assert!(absent.keys().all(|name| FIGURES.contains(name)), "{absent:?}");
}

#[test]
fn six_processes_by_hand() {
    // Process p: p, p + 1, … p + 19 in an order without trend; median p + 9.5.
    let processes: Vec<ProcessSamples> = (0..6)
        .map(|p| {
            let mut samples: Vec<f64> = (0..20).map(|i| f64::from(p + (i * 7) % 20 + 100)).collect();
            samples.rotate_left(p as usize);
            process(&samples)
        })
        .collect();
    let summary = summarise(&processes, 1);
    every_absence_has_its_reason(&summary);
    assert!(summary.absent.is_empty(), "{:?}", summary.absent);
    assert_eq!((summary.n, summary.processes), (120, 6));
    assert_eq!(summary.median_ns, Some(112.0));
    assert_eq!(summary.ci95_ns, Some([109.5, 114.5]));
    assert_eq!(summary.ci_coverage_pct.map(|pct| (pct * 1e3).round()), Some(96_875.0));
    assert_eq!(summary.mean_ns, Some(112.0));
    assert_eq!(summary.min_ns, Some(100.0));
    assert_eq!(summary.ops_per_s, Some(1e9 / 112.0));
    assert_eq!((summary.contaminated_pct, summary.clean_median_ns), (Some(0.0), Some(112.0)));
    assert_eq!((summary.drift, summary.ties), (Some(false), Some(0)));
    let [low, high] = summary.bootstrap95_ns.unwrap();
    assert!(low < 112.0 && 112.0 < high && low >= 100.0 && high <= 124.0);
}

#[test]
fn pooled_figures_by_hand() {
    // One process, 1 … 101: percentiles fall on samples.
    let samples: Vec<f64> = (1..=101).map(f64::from).collect();
    let summary = summarise(&[process(&samples)], 1);
    every_absence_has_its_reason(&summary);
    assert_eq!((summary.median_ns, summary.p95_ns, summary.p99_ns), (Some(51.0), Some(96.0), Some(100.0)));
    // Deviations 0, 1, 1, … 50, 50: the 51st of 101 is 25. Variance of 1 … n is n (n + 1) / 12.
    assert_eq!(summary.mad_ns, Some(25.0));
    assert!((summary.cov_pct.unwrap() - 100.0 * (101.0_f64 * 102.0 / 12.0).sqrt() / 51.0).abs() < 1e-9);
    assert_eq!(summary.drift, Some(true));
    assert!(summary.absent["ci95_ns"].contains("1 of the at least 6"));
    assert!(summary.absent["bootstrap95_ns"].contains("1 of the at least 6"));
}

#[test]
fn disturbed_samples_are_counted_shown_and_kept() {
    let mut one = process(&[10.0, 10.0, 10.0, 50.0, 50.0, 50.0, 50.0]);
    one.contaminated = vec![false, false, false, true, true, true, true];
    let summary = summarise(&[one.clone()], 1);
    assert_eq!((summary.median_ns, summary.clean_median_ns), (Some(50.0), Some(10.0)));
    assert_eq!(summary.contaminated_pct, Some(100.0 * 4.0 / 7.0));
    assert_eq!(summary.n, 7);
    // A process without a clean sample leaves no clean median: leaving the process out would be hidden trimming.
    let mut lost = process(&[60.0]);
    lost.contaminated = vec![true];
    let summary = summarise(&[one, lost], 1);
    every_absence_has_its_reason(&summary);
    assert!(summary.absent["clean_median_ns"].contains("process 1"));
    assert_eq!(summary.contaminated_pct, Some(62.5));
}

#[test]
fn marks_that_do_not_fit_are_not_guessed() {
    let one = ProcessSamples { per_op_ns: vec![1.0, 2.0], contaminated: vec![], cut_short: false };
    let summary = summarise(&[one], 1);
    every_absence_has_its_reason(&summary);
    assert!(summary.absent["contaminated_pct"].contains("2 samples and 0 marks"));
    assert_eq!(summary.median_ns, Some(1.5));
}

#[test]
fn one_sample_has_a_place_and_no_spread() {
    let summary = summarise(&[process(&[42.0])], 1);
    every_absence_has_its_reason(&summary);
    assert_eq!((summary.median_ns, summary.mean_ns, summary.min_ns), (Some(42.0), Some(42.0), Some(42.0)));
    assert_eq!((summary.mad_ns, summary.cov_pct, summary.p95_ns, summary.p99_ns), (None, None, None, None));
    assert!(summary.absent["p99_ns"].contains("needs 100 samples, there are 1"));
    assert!(summary.absent["drift"].contains("needs 15"));
}

#[test]
fn what_is_no_sample_leaves_nothing_and_names_itself() {
    for (processes, reason) in [
        (vec![], "there are no samples"),
        (vec![process(&[])], "process 0: there are no samples"),
        (vec![process(&[1.0]), process(&[])], "process 1: there are no samples"),
        (vec![process(&[1.0, f64::NAN])], "process 0: sample 1 is NaN"),
        (vec![process(&[f64::INFINITY])], "sample 0 is inf"),
        (vec![process(&[2.0, 3.0, -1.0])], "sample 2 is -1 ns"),
    ] {
        let summary = summarise(&processes, 1);
        every_absence_has_its_reason(&summary);
        assert_eq!(summary.absent.len(), FIGURES.len());
        assert!(summary.absent.values().all(|seen| seen.contains(reason)), "{:?}", summary.absent);
    }
}

#[test]
fn zero_times_and_huge_times_are_handled() {
    let summary = summarise(&[process(&[0.0; 30])], 1);
    every_absence_has_its_reason(&summary);
    assert_eq!((summary.median_ns, summary.ops_per_s), (Some(0.0), None));
    let summary = summarise(&[process(&[f64::MAX; 30])], 1);
    every_absence_has_its_reason(&summary);
    assert!(summary.absent["mean_ns"].contains("too large"));
}

/// Six whole processes with medians of 100 to 105 ns, and one that was cut short after two samples of 500 ns.
fn seven_with_one_cut_short() -> Vec<ProcessSamples> {
    let whole = (0..6).map(|p| process(&(0..17).map(|i| f64::from(92 + p + (i * 7) % 17)).collect::<Vec<_>>()));
    whole.chain([ProcessSamples { cut_short: true, ..process(&[500.0, 500.0]) }]).collect()
}

#[test]
fn a_process_that_was_cut_short_has_no_vote_and_keeps_its_samples() {
    let processes = seven_with_one_cut_short();
    let (all, whole) = (summarise(&processes, 1), summarise(&processes[..6], 1));
    every_absence_has_its_reason(&all);
    assert_eq!((all.processes, all.cut_short, whole.cut_short), (6, 1, 0));
    let over_processes =
        |s: &Summary| (s.median_ns, s.ci95_ns, s.ci_coverage_pct, s.bootstrap95_ns, s.clean_median_ns, s.drift);
    assert_eq!(over_processes(&all), over_processes(&whole));
    assert!(all.ci95_ns.is_some_and(|[_, high]| high < 110.0) && all.drift.is_some());
    assert_eq!(all.n, whole.n + 2, "its samples are there");
    assert!(all.mean_ns > whole.mean_ns && all.ties == whole.ties.map(|ties| ties + 2), "and count: {:?}", all.ties);
}

#[test]
fn when_every_process_was_cut_short_there_is_a_median_and_no_interval() {
    let processes: Vec<_> =
        seven_with_one_cut_short().into_iter().map(|process| ProcessSamples { cut_short: true, ..process }).collect();
    let summary = summarise(&processes, 1);
    every_absence_has_its_reason(&summary);
    assert_eq!((summary.processes, summary.cut_short), (7, 7));
    assert_eq!(summary.median_ns, Some(103.0));
    assert!(summary.absent["ci95_ns"].contains("each of the 7 processes ended before half"), "{:?}", summary.absent);
    assert!(summary.absent.contains_key("bootstrap95_ns"));
}

#[test]
fn the_seed_decides_the_bootstrap_and_nothing_else() {
    let processes: Vec<ProcessSamples> = (0..7)
        .map(|p| process(&(0..16).map(|i| f64::from(100 + (i * 37 + p * 11) % 23)).collect::<Vec<_>>()))
        .collect();
    let (one, two) = (summarise(&processes, 1), summarise(&processes, 2));
    assert_eq!(one, summarise(&processes, 1));
    let without = |summary: &Summary| Summary { bootstrap95_ns: None, bootstrap_distinct: None, ..summary.clone() };
    assert_eq!(without(&one), without(&two));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn no_input_panics_and_every_absence_has_its_reason(
        processes in prop::collection::vec(
            (prop::collection::vec(prop_oneof![9 => 0.0f64..1e9, 1 => any::<f64>()], 0..24), prop::collection::vec(any::<bool>(), 0..24)),
            0..8,
        ),
        fit: bool,
        cut: u8,
    ) {
        let processes: Vec<ProcessSamples> = processes
            .into_iter()
            .enumerate()
            .map(|(at, (per_op_ns, mut contaminated))| {
                if fit {
                    contaminated.resize(per_op_ns.len(), false);
                }
                ProcessSamples { per_op_ns, contaminated, cut_short: cut >> at & 1 == 1 }
            })
            .collect();
        every_absence_has_its_reason(&summarise(&processes, 3));
    }
}
