//! Charts: the right ones, drawn the same everywhere, and selectable by name.

mod common;

use report::figure::{self, Plot, Scale};
use report::{Format, Kind, Options, RenderError, render};

fn chart(format: Format, figure: Option<&str>) -> Result<Vec<u8>, RenderError> {
    let run = common::run();
    let samples = common::samples(&run);
    let options = Options { figure: figure.map(str::to_owned), ..Options::default() };
    render(&run, Some(&samples), Kind::Summary, format, &options)
}

#[test]
fn every_family_has_its_charts() {
    let run = common::run();
    let samples = common::samples(&run);
    let ids: Vec<String> = figure::all(&run, Some(&samples)).into_iter().map(|figure| figure.id).collect();
    assert_eq!(
        ids,
        [
            "kem-1",
            "kem-2",
            "agreement",
            "signature-1",
            "signature-2",
            "sizes-aes-256-gcm-seal",
            "sizes-aes-256-gcm-open",
            "sizes-sha3-256-hash",
            "sizes-hmac-sha256-mac",
            "sizes-hkdf-sha256-derive",
            "distribution-kem",
            "distribution-agreement",
            "distribution-signature",
            "latency-ml-kem-768-encaps",
            "latency-ml-dsa-65-sign",
        ]
    );
    let without = figure::all(&run, None);
    assert!(without.iter().all(|figure| !figure.id.starts_with("distribution") && !figure.id.starts_with("latency")));
}

#[test]
fn no_axis_has_to_show_too_wide_a_range_and_wide_ones_are_logarithmic() {
    let run = common::run();
    for figure in figure::all(&run, None) {
        let Plot::Bars(bars) = &figure.plot else { continue };
        let values: Vec<f64> = bars
            .groups
            .iter()
            .flat_map(|group| &group.bars)
            .filter_map(|bar| match bar.shape {
                figure::Shape::Value { value, .. } => Some(value),
                _ => None,
            })
            .collect();
        let range =
            values.iter().fold(0.0, |a: f64, b| a.max(*b)) / values.iter().fold(f64::INFINITY, |a, b| a.min(*b));
        let algorithms: std::collections::BTreeSet<&str> =
            bars.groups.iter().filter_map(|group| group.label.split(' ').next()).collect();
        assert!(range <= 400.0 || algorithms.len() == 1, "{}: {range}", figure.id);
        assert_eq!(bars.axis.scale == Scale::Log, range > 25.0, "{}: {range}", figure.id);
        assert!(values.len() <= 64);
    }
}

#[test]
fn many_bars_are_spread_over_pictures_and_none_is_lost() {
    let mut run = common::run();
    let rows = run.rows.clone();
    for copy in 0..12 {
        run.rows.extend(rows.iter().filter(|row| row.algorithm == "ML-KEM-768").cloned().map(|mut row| {
            row.algorithm = format!("ML-KEM-768-copy-{copy}");
            row.id = format!("{}/{copy}", row.id);
            row
        }));
    }
    let figures = figure::all(&run, None);
    let drawn: usize = figures
        .iter()
        .filter(|figure| figure.family == "kem")
        .map(|figure| match &figure.plot {
            Plot::Bars(bars) => {
                let count = bars.groups.iter().map(|group| group.bars.len()).sum();
                assert!(count <= 64, "{}: {count}", figure.id);
                count
            }
            Plot::Lines(_) => 0,
        })
        .sum();
    let expected = run
        .rows
        .iter()
        .filter(|row| row.family == "kem" && !row.operation.starts_with("import"))
        .filter(|row| row.mode == report::record::Mode::Throughput && row.provider != common::NULL)
        .count();
    assert_eq!(drawn, expected);
    let mut ids: Vec<&str> = figures.iter().map(|figure| figure.id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), figures.len(), "file names differ");
}

#[test]
fn pictures_are_the_same_every_time_and_carry_no_font() {
    for id in ["kem-1", "sizes-aes-256-gcm-seal", "distribution-kem", "latency-ml-dsa-65-sign"] {
        let svg = chart(Format::Svg, Some(id)).unwrap();
        assert_eq!(svg, chart(Format::Svg, Some(id)).unwrap());
        let text = String::from_utf8(svg).unwrap();
        assert!(!text.contains("<text") && !text.contains("font-family") && !text.contains("href"), "{id}");
        assert!(text.starts_with("<svg ") && text.contains("<title>"), "{id}");
        assert!(text.contains("#0072b2"), "{id}: the colour of aws-lc");
        let png = chart(Format::Png, Some(id)).unwrap();
        assert_eq!(png, chart(Format::Png, Some(id)).unwrap());
        assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
        let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
        let height = text.split("height=\"").nth(1).unwrap().split('"').next().unwrap();
        assert_eq!((number(16), number(20)), (1920, 2 * height.parse::<u32>().unwrap()), "{id}: two pixels a unit");
    }
}

#[test]
fn an_unknown_chart_names_the_known_ones() {
    let error = chart(Format::Svg, Some("nonsense")).unwrap_err();
    assert!(error.to_string().contains("nonsense") && error.hint().contains("kem-1"), "{error}: {}", error.hint());
    assert!(chart(Format::Png, None).is_ok(), "the first one without a name");
    let run = common::run();
    let error = render(&run, None, Kind::Verification, Format::Svg, &Options::default()).unwrap_err();
    assert!(matches!(error, RenderError::NoFigure { kind: "verification" }));
}

#[test]
fn a_disturbed_point_is_hollow_signed_and_explained() {
    let mut run = common::run();
    let picture = |run: &report::record::Run| {
        let options = Options { figure: Some("sizes-hmac-sha256-mac".into()), ..Options::default() };
        String::from_utf8(render(run, None, Kind::Summary, Format::Svg, &options).unwrap()).unwrap()
    };
    let hollow = |svg: &str| svg.matches("stroke-width=\"1.8\"").count();
    let disturbed = picture(&run);
    assert_eq!(hollow(&disturbed), 1);
    assert!(disturbed.contains("hollow with !: many samples disturbed"));
    run.rows.iter_mut().for_each(|row| row.contaminated_pct = None);
    let calm = picture(&run);
    assert_eq!(hollow(&calm), 0);
    assert!(!calm.contains("hollow"));
    // The sign is an outline like all text.
    assert!(disturbed.matches("<path").count() > calm.matches("<path").count());
}

#[test]
fn a_ratio_chart_keeps_a_place_for_disturbed_rows_and_says_what_it_divides_by() {
    let figures = |run: &report::record::Run, baseline: Option<&str>| {
        let ratios = |id: &str| {
            let options =
                Options { figure: Some(id.into()), baseline: baseline.map(str::to_owned), ..Options::default() };
            String::from_utf8(render(run, None, Kind::Comparative, Format::Svg, &options).unwrap()).unwrap()
        };
        ["ratio-agreement", "ratio-signature-1"].map(ratios)
    };
    let mut run = common::run();
    let [agreement, signature] = figures(&run, None);
    for svg in [&agreement, &signature] {
        assert!(svg.contains("divided by the smallest median among the rows compared, lower"));
    }
    let left_out = "disturbed rows (!) are not compared";
    assert!(agreement.contains(left_out) && !signature.contains(left_out));
    let [against, _] = figures(&run, Some("aws-lc"));
    assert!(against.contains("divided by that of aws-lc@") && against.contains(left_out));
    let height = |svg: &str| svg.split("height=\"").nth(1).unwrap().split('"').next().unwrap().parse::<u32>().unwrap();
    let disturbed = height(&agreement);
    run.rows.iter_mut().for_each(|row| row.contaminated_pct = None);
    // The subtitle may take one line of 17 more; a bar takes 21.
    assert!(disturbed >= height(&figures(&run, None)[0]), "the disturbed row has its line");
}
