//! "Publishable" is said only when every check holds, and each check notices what it is for.

mod common;

use report::record::{Run, Sample, Status};
use report::view::Verdict;
use report::{Format, Kind, Options, checks, publishable, render};

/// The golden run with everything put right.
fn clean() -> Run {
    let mut run = common::run();
    run.rows.retain(|row| matches!(row.status, Status::Ok | Status::Unavailable));
    run.rows.retain(|row| row.status != Status::Ok || row.ci95_ns.is_some() && row.contaminated_pct < Some(20.0));
    run.controls.iter_mut().for_each(|control| control.passed = Some(true));
    run
}

fn missing(run: &Run, samples: Option<&[Sample]>) -> Vec<&'static str> {
    checks(run, samples).into_iter().filter(|check| check.verdict == Verdict::Missing).map(|check| check.id).collect()
}

#[test]
fn a_clean_run_is_publishable_and_says_so() {
    let run = clean();
    let samples = common::samples(&run);
    let found = checks(&run, Some(&samples));
    assert!(publishable(&found), "{found:#?}");
    let text = render(&run, Some(&samples), Kind::Verification, Format::Terminal, &Options::default()).unwrap();
    assert!(String::from_utf8(text).unwrap().contains("Verdict: publishable"));
}

#[test]
fn the_golden_run_is_not_and_says_why() {
    let run = common::run();
    let samples = common::samples(&run);
    assert_eq!(missing(&run, Some(&samples)), ["finished", "conformance", "intervals", "contamination", "controls"]);
    let text = render(&run, Some(&samples), Kind::Verification, Format::Terminal, &Options::default()).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("not publishable: 5 of 10 checks do not hold"), "{text}");
    assert!(text.contains("SIGSEGV"));
}

#[test]
fn each_check_notices_what_it_is_for() {
    type Break = fn(&mut Run);
    let cases: [(&str, Break); 27] = [
        ("finished", |run| run.finished_at = None),
        ("finished", |run| run.warnings[0].code = "interrupted".into()),
        ("finished", |run| run.warnings[0].code = "budget-cut".into()),
        ("finished", |run| run.rows[0].status = Status::Inconclusive),
        ("release-build", |run| run.warnings[0].code = "debug-build".into()),
        ("provenance", |run| run.providers[0].version = None),
        ("provenance", |run| run.providers[3].library.as_mut().unwrap().sha256 = "abc".into()),
        ("provenance", |run| run.providers[0].origin.clear()),
        ("provenance", |run| drop(run.providers[1].absent.remove("isa_path"))),
        ("provenance", |run| drop(run.providers.remove(0))),
        ("conformance", |run| run.controls.retain(|control| control.name != "conformance")),
        ("conformance", |run| run.controls[0].passed = Some(false)),
        ("conformance", |run| {
            let unavailable = run.rows.iter_mut().find(|row| row.status == Status::Unavailable).unwrap();
            unavailable.status = Status::Failed;
        }),
        ("intervals", |run| {
            run.rows[0].ci95_ns = None;
            run.rows[0].absent.insert("ci95_ns".into(), "one process".into());
        }),
        ("intervals", |run| run.rows[0].processes = 5),
        ("intervals", |run| run.rows[0].ci_coverage_pct = Some(93.75)),
        ("intervals", |run| run.rows[0].ci95_ns = Some([1.0, 2.0])),
        ("contamination", |run| run.rows[0].contaminated_pct = Some(21.0)),
        ("contamination", |run| {
            run.rows[0].contaminated_pct = None;
            run.rows[0].absent.insert("contaminated_pct".into(), "the kernel does not tell".into());
        }),
        ("nulls", |run| run.rows[0].p99_ns = None),
        ("controls", |run| run.controls.retain(|control| control.name != "aa")),
        ("controls", |run| run.controls[1].passed = Some(false)),
        ("controls", |run| run.controls[1].passed = None),
        ("harness", |run| run.harness.tax_ns = None),
        ("samples", |run| run.rows[0].n += 1),
        ("samples", |run| run.rows[0].median_ns = run.rows[0].median_ns.map(|median| median * 1.000_001)),
        ("samples", |run| run.rows[0].processes += 1),
    ];
    let samples = common::samples(&clean());
    for (id, change) in cases {
        let mut run = clean();
        change(&mut run);
        let found = missing(&run, Some(&samples));
        assert!(found.contains(&id), "{id}: {found:?}");
        // A number of processes that is changed contradicts the samples as well.
        let alone = found.len() == 1 || id == "finished" || found == ["intervals", "samples"];
        assert!(alone, "{id} alone: {found:?}");
    }
    assert_eq!(missing(&clean(), None), ["samples"]);
    let halved: Vec<Sample> = samples.iter().step_by(2).cloned().collect();
    assert_eq!(missing(&clean(), Some(&halved)), ["samples"]);
}

#[test]
fn conformance_may_stand_with_each_row_instead() {
    let mut run = clean();
    let samples = common::samples(&run);
    run.controls.retain(|control| control.name != "conformance");
    let measured = |run: &mut Run, value: serde_json::Value| {
        for row in run.rows.iter_mut().filter(|row| row.status == Status::Ok) {
            row.params.insert("conformance".into(), value.clone());
        }
    };
    measured(&mut run, serde_json::json!("vectors"));
    assert_eq!(missing(&run, Some(&samples)), Vec::<&str>::new());
    run.rows[3].params.remove("conformance");
    assert_eq!(missing(&run, Some(&samples)), ["conformance"]);
    measured(&mut run, serde_json::Value::Null);
    assert_eq!(missing(&run, Some(&samples)), ["conformance"]);
}

#[test]
fn disturbed_numbers_and_missing_intervals_are_pointed_out() {
    let run = common::run();
    for (format, sign) in
        [(Format::Terminal, "41.36 µs !"), (Format::Markdown, "41.36 µs !"), (Format::Latex, "41.36 $\\mu$s\\,!")]
    {
        let text = String::from_utf8(
            render(&run, None, Kind::Summary, format, &Options { width: 200, ..Options::default() }).unwrap(),
        )
        .unwrap();
        assert!(text.contains(sign), "{sign} in {}", format.as_str());
        let words: String = text.split_whitespace().collect::<Vec<_>>().join(" ").replace('\\', "");
        assert!(words.contains("20 % of its samples were disturbed"), "{}", format.as_str());
        assert!(
            words.contains("numbers have no interval and so no mark, most often because: needs at least 6 processes"),
            "{}",
            format.as_str()
        );
    }
}

#[test]
fn a_baseline_is_an_id_or_a_name_that_only_one_provider_has() {
    let run = common::run();
    let with = |baseline: &str| {
        let options = Options { baseline: Some(baseline.into()), ..Options::default() };
        render(&run, None, Kind::Comparative, Format::Csv, &options)
    };
    assert_eq!(with("aws-lc").unwrap(), with(common::AWS).unwrap());
    assert!(with(common::OPENSSL).is_ok());
    for unknown in ["openssl", "wolfssl", "null@0.1.0", ""] {
        let error = with(unknown).unwrap_err();
        assert!(error.to_string().contains(unknown), "{error}");
        assert!(error.hint().contains("--baseline") && error.hint().contains(common::FIPS), "{}", error.hint());
    }
}

#[test]
fn ratios_divide_medians_and_cross_intervals() {
    let run = common::run();
    let options = Options { baseline: Some(common::OPENSSL.into()), ..Options::default() };
    let json = render(&run, None, Kind::Comparative, Format::Json, &options).unwrap();
    let value: serde_json::Value = serde_json::from_slice(&json).unwrap();
    let group = value["comparison"]["groups"]
        .as_array()
        .unwrap()
        .iter()
        .find(|group| group["algorithm"] == "ML-KEM-768" && group["operation"] == "keygen")
        .unwrap();
    let place = group["ranking"].as_array().unwrap().iter().find(|place| place["provider"] == common::RUST).unwrap();
    let row = |provider: &str| run.rows.iter().find(|row| row.id == format!("{provider}/ML-KEM-768/keygen")).unwrap();
    let (rust, base) = (row(common::RUST), row(common::OPENSSL));
    assert_eq!(place["ratio"].as_f64().unwrap(), rust.median_ns.unwrap() / base.median_ns.unwrap());
    let ([low, high], [base_low, base_high]) = (rust.ci95_ns.unwrap(), base.ci95_ns.unwrap());
    assert_eq!(place["ratio_interval"][0].as_f64().unwrap(), low / base_high);
    assert_eq!(place["ratio_interval"][1].as_f64().unwrap(), high / base_low);
    let failed =
        value["comparison"]["groups"].as_array().unwrap().iter().flat_map(|g| g["without_rank"].as_array().unwrap());
    assert!(
        failed.into_iter().any(|row| row["status"] == "failed" && row["reason"].as_str().unwrap().contains("SIGSEGV"))
    );
}

#[test]
fn one_reason_for_many_rows_is_said_once_with_their_number() {
    let mut run = clean();
    let samples = common::samples(&run);
    let measured: Vec<usize> = (0..run.rows.len()).filter(|i| run.rows[*i].status == Status::Ok).take(12).collect();
    for index in &measured {
        run.rows[*index].ci95_ns = None;
        run.rows[*index].absent.insert("ci95_ns".into(), "one process".into());
    }
    let found = checks(&run, Some(&samples));
    let intervals = found.iter().find(|check| check.id == "intervals").unwrap();
    assert_eq!(intervals.missing, [format!("12 times, first {}: no interval", run.rows[measured[0]].id)]);
}

#[test]
fn what_is_not_shown_is_not_explained() {
    let mut run = common::run();
    for row in &mut run.rows {
        row.ci95_ns = None;
        row.absent.insert("ci95_ns".into(), "one process".into());
    }
    run.warnings.clear();
    for kind in [Kind::Summary, Kind::Comparative] {
        for format in [Format::Terminal, Format::Markdown, Format::Html] {
            let text = String::from_utf8(render(&run, None, kind, format, &Options::default()).unwrap()).unwrap();
            let text = text.split("<script").next().unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
            for word in ["its 95 % interval", "the interval is of", "two 95 % intervals", "★"] {
                assert!(!text.contains(word), "{word} in {} {}", kind.as_str(), format.as_str());
            }
        }
    }
    let text = render(&common::run(), None, Kind::Summary, Format::Markdown, &Options::default()).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("with its 95 % interval") && text.contains("How to read the marks"), "{text}");
}
