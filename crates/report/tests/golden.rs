//! One fixed run in every text format. After a wanted change: `UPDATE_GOLDEN=1 cargo test -p report --test golden`, then
//! read the difference before committing it.

mod common;

use report::{Format, Kind, Options, render};
use std::fs;
use std::path::{Path, PathBuf};

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

fn compare(name: &str, text: &str) {
    let path = golden(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, text).unwrap();
        return;
    }
    let expected = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let differing = expected.lines().zip(text.lines()).enumerate().find(|(_, (old, new))| old != new);
    if let Some((line, (old, new))) = differing {
        panic!("{name} differs at line {}:\n  golden: {old}\n  now:    {new}\nUPDATE_GOLDEN=1 accepts it", line + 1);
    }
    assert_eq!(expected.len(), text.len(), "{name} became longer or shorter; UPDATE_GOLDEN=1 accepts it");
}

fn rendered(kind: Kind, format: Format, options: &Options) -> String {
    let run = common::run();
    let samples = common::samples(&run);
    String::from_utf8(render(&run, Some(&samples), kind, format, options).unwrap()).unwrap()
}

/// Style and script have their own tests and would drown the rest.
fn without_assets(page: &str) -> String {
    let mut out = String::new();
    let mut rest = page;
    for (open, close) in [("<style>", "</style>"), ("<script>\n", "</script>")] {
        let start = rest.find(open).map(|at| at + open.len());
        let Some(start) = start else { continue };
        let end = start + rest[start..].find(close).unwrap();
        out.push_str(&rest[..start]);
        out.push('…');
        rest = &rest[end..];
    }
    out + rest
}

#[test]
fn record() {
    let mut json = serde_json::to_string_pretty(&common::run()).unwrap();
    json.push('\n');
    compare("run.json", &json);
}

#[test]
fn text_formats_of_every_kind() {
    for kind in Kind::ALL {
        for (format, extension) in [
            (Format::Terminal, "txt"),
            (Format::Markdown, "md"),
            (Format::Latex, "tex"),
            (Format::Csv, "csv"),
            (Format::Dat, "dat"),
        ] {
            let text = rendered(kind, format, &Options::default());
            compare(&format!("{}.{extension}", kind.as_str()), &text);
        }
    }
}

#[test]
fn json_without_the_record_inside() {
    for kind in Kind::ALL {
        let text = rendered(kind, Format::Json, &Options::default());
        let mut value: serde_json::Value = serde_json::from_str(&text).unwrap();
        let run = value.as_object_mut().unwrap().remove("run").unwrap();
        assert_eq!(run, serde_json::to_value(common::run()).unwrap(), "the record is unchanged inside");
        compare(&format!("{}.json", kind.as_str()), &(serde_json::to_string_pretty(&value).unwrap() + "\n"));
    }
}

#[test]
fn pages_without_style_and_script() {
    for kind in Kind::ALL {
        let page = rendered(kind, Format::Html, &Options::default());
        compare(&format!("{}.html", kind.as_str()), &without_assets(&page));
    }
}

#[test]
fn narrow_and_coloured_terminals() {
    let narrow = rendered(Kind::Summary, Format::Terminal, &Options { width: 60, ..Options::default() });
    compare("summary-60.txt", &narrow);
    let coloured = rendered(Kind::Verification, Format::Terminal, &Options { colour: true, ..Options::default() });
    compare("verification-colour.txt", &coloured);
    let baseline = Options { baseline: Some("openssl@3.5.5".into()), ..Options::default() };
    compare("comparative-openssl.txt", &rendered(Kind::Comparative, Format::Terminal, &baseline));
}

#[test]
fn standings_are_withheld_when_the_aa_control_failed() {
    let run = common::without_standings();
    for (kind, format, extension) in [
        (Kind::Summary, Format::Terminal, "txt"),
        (Kind::Comparative, Format::Terminal, "txt"),
        (Kind::Comparative, Format::Csv, "csv"),
        (Kind::Comparative, Format::Json, "json"),
        (Kind::Comparative, Format::Dat, "dat"),
        (Kind::Comparative, Format::Html, "html"),
    ] {
        let text = String::from_utf8(render(&run, None, kind, format, &Options::default()).unwrap()).unwrap();
        let text = match format {
            Format::Html => without_assets(&text),
            Format::Json => {
                let mut value: serde_json::Value = serde_json::from_str(&text).unwrap();
                value.as_object_mut().unwrap().remove("run");
                serde_json::to_string_pretty(&value).unwrap() + "\n"
            }
            _ => text,
        };
        assert!(!text.contains('★') && !text.contains('≈') || format == Format::Json, "{}", format.as_str());
        compare(&format!("withheld-{}.{extension}", kind.as_str()), &text);
    }
}

#[test]
fn terminal_lines_fit() {
    for width in [40, 60, 80, 100, 132, 200] {
        for kind in Kind::ALL {
            let text = rendered(kind, Format::Terminal, &Options { width, ..Options::default() });
            for line in text.lines() {
                let columns = line.chars().count();
                assert!(columns <= usize::from(width), "{columns} columns of {width} in {}: {line}", kind.as_str());
            }
        }
    }
}

#[test]
fn a_failed_control_is_among_the_warnings_of_every_report_once() {
    let mut run = common::run();
    let warnings = |run: &report::record::Run, kind| {
        let text = String::from_utf8(render(run, None, kind, Format::Markdown, &Options::default()).unwrap()).unwrap();
        text.split("## Warnings").nth(1).unwrap().split("\n## ").next().unwrap().to_owned()
    };
    for kind in Kind::ALL {
        let text = warnings(&run, kind);
        assert!(text.contains("null-operation") && text.contains("2.84 ns per operation, limit 2 ns"), "{text}");
    }
    let mut own = run.warnings[0].clone();
    own.code = "null-operation".into();
    run.warnings.push(own);
    assert_eq!(warnings(&run, Kind::Summary).matches("null-operation").count(), 1);
    run.warnings.pop();
    run.controls.iter_mut().for_each(|control| control.passed = Some(true));
    assert!(!warnings(&run, Kind::Summary).contains("null-operation"));
}

#[test]
fn too_few_processes_are_said_in_terms_of_the_option() {
    let text = rendered(Kind::Summary, Format::Markdown, &Options::default());
    assert!(text.contains("needs at least 6 processes, this row has 4 (--processes 6)"), "{text}");
    assert!(!text.contains("smallest to largest of"));
}

#[test]
fn long_words_wrap_on_a_narrow_page() {
    let page = rendered(Kind::Verification, Format::Html, &Options::default());
    let narrow = page.split("@media (max-width: 620px)").nth(1).unwrap();
    assert!(
        narrow.contains("table:not(.sortable) :is(th, td:not(.num)) { white-space: normal; overflow-wrap: anywhere; }")
    );
}
