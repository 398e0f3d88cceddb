//! Names come from libraries, files and users: none of them may break out of a format.

mod common;

use common::HOSTILE;
use report::record::Run;
use report::{Format, Kind, Options, render, write_report};

fn rendered(kind: Kind, format: Format) -> (Run, String) {
    let run = common::hostile_run();
    let samples = common::samples(&run);
    let text = render(&run, Some(&samples), kind, format, &Options::default()).unwrap();
    (run, String::from_utf8(text).unwrap())
}

#[test]
fn html_has_no_markup_but_its_own() {
    for kind in Kind::ALL {
        let (_, page) = rendered(kind, Format::Html);
        let scripts = page.matches("<script").count();
        assert_eq!(scripts, if kind == Kind::Summary { 2 } else { 0 }, "{}", kind.as_str());
        assert_eq!(page.matches("</script").count(), scripts);
        assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), "shown as text");
        for character in ['\u{2028}', '\u{202e}', '\u{1b}', '\u{0}'] {
            assert!(!page.contains(character), "{character:?}");
        }
        assert_eq!(page.matches("<table").count(), page.matches("</table>").count());
        // No attribute is left by a quote: every tag closes with all its quotes paired.
        let markup = page.split("<script").next().unwrap();
        for tag in markup.split('<').skip(1).filter_map(|rest| rest.split('>').next()) {
            assert_eq!(tag.matches('"').count() % 2, 0, "<{tag}>");
        }
    }
}

#[test]
fn html_data_is_json_that_cannot_end_its_element() {
    let (run, page) = rendered(Kind::Summary, Format::Html);
    let start = page.find("id=\"data\">").unwrap() + "id=\"data\">".len();
    let data = &page[start..start + page[start..].find("</script>").unwrap()];
    assert!(!data.contains(['<', '>', '&', '\u{2028}', '\u{2029}']));
    let value: serde_json::Value = serde_json::from_str(data).unwrap();
    assert_eq!(value["rows"].as_array().unwrap().len(), run.rows.len());
    assert!(
        value["providers"].as_array().unwrap().iter().any(|provider| provider["id"] == HOSTILE),
        "kept letter by letter"
    );
}

#[test]
fn html_asks_nobody_for_anything() {
    let (_, page) = rendered(Kind::Summary, Format::Html);
    for word in ["http:", "https:", "url(", "@import", "src=", "fetch(", "XMLHttpRequest", "innerHTML", "eval("] {
        // The name of the SVG namespace is an address that nobody visits.
        let page = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!page.contains(word), "{word}");
    }
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn markdown_tables_keep_their_columns() {
    for kind in Kind::ALL {
        let (_, text) = rendered(kind, Format::Markdown);
        let bars = |line: &str| line.replace("\\\\", "").replace("\\|", "").matches('|').count();
        let mut columns = None;
        for line in text.lines() {
            if line.starts_with('|') {
                let here = bars(line);
                assert_eq!(*columns.get_or_insert(here), here, "{line}");
            } else {
                columns = None;
            }
        }
        assert!(!text.contains("<script"));
    }
}

#[test]
fn latex_specials_are_escaped() {
    for kind in Kind::ALL {
        let (_, text) = rendered(kind, Format::Latex);
        let body: Vec<&str> = text.lines().filter(|line| !line.starts_with('%')).collect();
        let depth = body
            .iter()
            .flat_map(|line| line.replace("\\{", "").replace("\\}", "").chars().collect::<Vec<_>>())
            .fold(0_i32, |depth, character| {
                assert!(depth >= 0);
                depth + i32::from(character == '{') - i32::from(character == '}')
            });
        assert_eq!(depth, 0, "braces pair");
        let mut cells = None;
        for line in &body {
            let bare = ["\\\\", "\\%", "\\$", "\\_", "\\#", "\\&", "\\{", "\\}"]
                .iter()
                .fold((*line).to_owned(), |line, escaped| line.replace(escaped, ""));
            assert!(!bare.contains(['%', '#', '~', '^', '\u{2028}', '\u{0}', '\u{1b}']), "{line}");
            assert!(!bare.contains('_'), "{line}");
            assert_eq!(bare.matches('$').count() % 2, 0, "{line}");
            if line.starts_with("\\begin{tabular}") || line.starts_with("\\begin{longtable}") {
                cells = None;
            }
            let marks = bare.matches('&').count();
            if line.ends_with("\\\\") && marks > 0 {
                assert_eq!(*cells.get_or_insert(marks), marks, "{line}");
            }
        }
    }
}

/// Splits RFC 4180 text; panics where it is malformed.
fn parse_csv(text: &str) -> Vec<Vec<String>> {
    let mut records = vec![vec![String::new()]];
    let mut characters = text.chars().peekable();
    let mut quoted = false;
    while let Some(character) = characters.next() {
        let record = records.last_mut().unwrap();
        let field = record.last_mut().unwrap();
        match (quoted, character) {
            (true, '"') if characters.peek() == Some(&'"') => {
                characters.next();
                field.push('"');
            }
            (true, '"') => quoted = false,
            (true, other) => field.push(other),
            (false, '"') => {
                assert!(field.is_empty(), "a quote inside a bare field");
                quoted = true;
            }
            (false, ',') => record.push(String::new()),
            (false, '\r') => {
                assert_eq!(characters.next(), Some('\n'));
                records.push(vec![String::new()]);
            }
            (false, other) => field.push(other),
        }
    }
    assert!(!quoted);
    assert_eq!(records.pop().unwrap(), [""], "the last line is ended");
    records
}

#[test]
fn csv_keeps_its_columns_and_runs_no_formula() {
    for kind in Kind::ALL {
        let (_, text) = rendered(kind, Format::Csv);
        let records = parse_csv(&text);
        for record in &records {
            assert_eq!(record.len(), records[0].len());
            for field in record {
                let formula = field.starts_with(['=', '+', '@', '\t', '\r']);
                assert!(!formula && (!field.starts_with('-') || field.parse::<f64>().is_ok()), "{field}");
            }
        }
    }
    let mut run = common::run();
    run.rows[0].reason = Some("=HYPERLINK(\"x\")".into());
    run.rows[1].reason = Some("-1+cmd|' /C calc'!A0".into());
    let text = render(&run, None, Kind::Summary, Format::Csv, &Options::default()).unwrap();
    let records = parse_csv(std::str::from_utf8(&text).unwrap());
    assert_eq!(records[1][8], "'=HYPERLINK(\"x\")");
    assert_eq!(records[2][8], "'-1+cmd|' /C calc'!A0");
}

#[test]
fn csv_keeps_every_digit() {
    let mut run = common::run();
    run.rows[0].median_ns = Some(0.1 + 0.2);
    run.rows[0].mean_ns = Some(1.0 / 3.0 * 1e9);
    run.rows[0].autocorrelation = Some(-1e-17);
    let text = render(&run, None, Kind::Summary, Format::Csv, &Options::default()).unwrap();
    let records = parse_csv(std::str::from_utf8(&text).unwrap());
    assert_eq!(records.len(), run.rows.len() + 1);
    let column = |name: &str| records[0].iter().position(|head| head == name).unwrap();
    for (record, row) in records[1..].iter().zip(&run.rows) {
        let read = |name: &str| record[column(name)].parse::<f64>().ok();
        assert_eq!(read("median_ns"), row.median_ns);
        assert_eq!(read("mean_ns"), row.mean_ns);
        assert_eq!(read("ci95_high_ns"), row.ci95_ns.map(|[_, high]| high));
        assert_eq!(read("autocorrelation"), row.autocorrelation);
        assert_eq!(record[column("absent")], serde_json::to_string(&row.absent).unwrap());
    }
}

#[test]
fn terminal_and_dat_have_no_control_characters() {
    for format in [Format::Terminal, Format::Dat, Format::Latex, Format::Markdown] {
        for kind in Kind::ALL {
            let (_, text) = rendered(kind, format);
            let bad = text.chars().find(|c| (c.is_control() && *c != '\n') || ['\u{2028}', '\u{202e}'].contains(c));
            assert_eq!(bad, None, "{} {}", kind.as_str(), format.as_str());
        }
    }
    let (_, text) = rendered(Kind::Summary, Format::Dat);
    for line in text.lines().filter(|line| line.starts_with('"')) {
        let (name, numbers) = line[1..].split_once('"').unwrap();
        assert!(!name.contains('#'), "{line}");
        let numbers = numbers.split('#').next().unwrap();
        assert!(numbers.split_whitespace().all(|number| number.parse::<f64>().is_ok()), "{line}");
    }
}

#[test]
fn json_returns_what_was_put_in() {
    let (run, text) = rendered(Kind::Comparative, Format::Json);
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["run"], serde_json::to_value(&run).unwrap());
}

#[test]
fn chart_files_have_harmless_names() {
    let temporary = tempfile::tempdir().unwrap();
    let run = common::hostile_run();
    let samples = common::samples(&run);
    let written = write_report(temporary.path(), &run, Some(&samples)).unwrap();
    assert!(written.len() > 9);
    for path in &written[1..] {
        assert_eq!(path.parent().unwrap(), temporary.path().join("charts"));
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(
            name.len() < 120 && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c)),
            "{name}"
        );
    }
}

#[test]
fn a_run_without_rows_still_renders() {
    let mut run = common::run();
    run.rows.clear();
    run.providers.clear();
    run.controls.clear();
    run.warnings.clear();
    for kind in Kind::ALL {
        for format in Format::ALL {
            let result = render(&run, None, kind, format, &Options::default());
            if matches!(format, Format::Svg | Format::Png) {
                assert!(result.is_err());
            } else {
                assert!(!result.unwrap().is_empty());
            }
        }
    }
    let temporary = tempfile::tempdir().unwrap();
    assert_eq!(write_report(temporary.path(), &run, None).unwrap().len(), 1);
}
