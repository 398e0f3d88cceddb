//! HTML: a page with charts and filters for the summary, plain documents for the other kinds. One file, no request to
//! anywhere: style, script and data stand inside, and the content security policy forbids the rest.

use crate::RenderError;
use crate::record::{Run, Sample};
use crate::view::verification::{checks, publishable, table as checklist};
use crate::view::{Document, Section, context, summary};
use std::fmt::Write;

mod data;
mod figure;
mod gallery;
mod rows;
mod table;

pub(super) use figure::page as figure_page;
pub(crate) use gallery::page as gallery_page;

static STYLE: &str = include_str!("../../assets/page.css");
static SCRIPT: &str = include_str!("../../assets/page.js");

const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; \
                      base-uri 'none'; form-action 'none'";

/// Sections that stand before the full table; the others follow it.
const RESULTS: [&str; 6] = ["kem", "agreement", "signature", "symmetric", "other", "latency"];

/// The page of a run.
pub(super) fn page(run: &Run, samples: Option<&[Sample]>) -> Result<Vec<u8>, RenderError> {
    let document = summary::document(run, None);
    let checks = checks(run, samples);
    let look = data::Look::of(run);
    let mut out = head(&document.title, &look.variables());
    header(&mut out, run, &document, publishable(&checks));
    out.push_str("<main>\n");
    let (results, context): (Vec<&Section>, Vec<&Section>) = document
        .sections
        .iter()
        .filter(|section| section.id != "warnings")
        .partition(|section| RESULTS.contains(&section.id));
    for section in document.sections.iter().filter(|section| section.id == "warnings") {
        push_section(&mut out, section, &look);
    }
    explore(&mut out);
    for section in results {
        push_section(&mut out, section, &look);
    }
    rows::push(&mut out, run, &look);
    for section in context {
        push_section(&mut out, section, &look);
        if section.id == "controls" {
            let verdict =
                if publishable(&checks) { "Publishable: every check holds." } else { "Not publishable as it is." };
            let section = Section {
                id: "verification",
                title: "Verification".into(),
                text: vec![verdict.into()],
                tables: vec![checklist(&checks)],
                ..Section::default()
            };
            push_section(&mut out, &section, &look);
        }
    }
    out.push_str("</main>\n<div id=\"tip\" role=\"status\" hidden></div>\n");
    let data = data::json(run, samples, &look)?;
    let _ = writeln!(out, "<script type=\"application/json\" id=\"data\">{data}</script>");
    let _ = writeln!(out, "<script>\n{SCRIPT}</script>\n</body>\n</html>");
    Ok(out.into_bytes())
}

/// A document without charts.
pub(super) fn document(document: &Document) -> String {
    let look = data::Look::default();
    let mut out = head(&document.title, "");
    let _ = writeln!(
        out,
        "<header><h1>{}</h1>\n<p>{}</p></header>\n<main>",
        escape(&document.title),
        escape(&document.subtitle)
    );
    for section in &document.sections {
        push_section(&mut out, section, &look);
    }
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

fn head(title: &str, variables: &str) -> String {
    head_with(title, variables, POLICY)
}

fn head_with(title: &str, variables: &str, policy: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <link rel=\"icon\" href=\"data:,\">\n\
         <title>{}</title>\n<style>\n{STYLE}{variables}</style>\n</head>\n<body>\n",
        escape(title)
    )
}

fn header(out: &mut String, run: &Run, document: &Document, publishable: bool) {
    let host = &run.host;
    let (class, verdict) = if publishable { ("good", "publishable") } else { ("caution", "not publishable") };
    let counts: Vec<String> =
        context::counts(run).iter().filter(|(_, _, n)| *n > 0).map(|(_, word, n)| format!("{n} {word}")).collect();
    let _ = writeln!(
        out,
        "<header>\n<h1>{}</h1>\n<p>{} · {}</p>\n<p class=\"badges\"><a class=\"badge grade\" href=\"#host\">host grade {}</a> \
         <a class=\"badge {class}\" href=\"#verification\">{verdict}</a> <a class=\"badge\" href=\"#rows\">rows: {}</a> \
         <a class=\"badge\" href=\"#warnings\">warnings: {}</a></p>\n<p class=\"command\"><code>{}</code></p>",
        escape(&document.title),
        escape(&run.started_at),
        escape(context::known(&host.cpu)),
        escape(context::known(&host.grade)),
        escape(&counts.join(", ")),
        context::warned(run).len(),
        escape(&context::command(run)),
    );
    out.push_str("<nav aria-label=\"Sections\"><a href=\"#explore\">Charts</a>");
    let mut linked = false;
    for section in document.sections.iter().filter(|section| section.id != "warnings") {
        if !linked && !RESULTS.contains(&section.id) && section.id != "run" {
            out.push_str(" <a href=\"#rows\">All rows</a>");
            linked = true;
        }
        let _ = write!(out, " <a href=\"#{}\">{}</a>", section.id, escape(&section.title));
    }
    out.push_str(" <a href=\"#verification\">Verification</a></nav>\n</header>\n");
}

/// The place that the script fills with filters and charts.
fn explore(out: &mut String) {
    out.push_str(
        "<section id=\"explore\"><h2>Charts</h2>\n\
         <noscript><p>The charts and filters need JavaScript; all numbers stand in the tables below.</p></noscript>\n\
         <form id=\"filters\" aria-label=\"Filters\"></form>\n\
         <p id=\"count\" role=\"status\"></p>\n\
         <div class=\"chart\"><h3>Time per operation</h3><div id=\"times\"></div></div>\n\
         <div class=\"chart\"><h3>Throughput by input size</h3><div id=\"sizes-charts\"></div></div>\n\
         <div class=\"chart\"><h3>Distribution of samples</h3><div id=\"distribution\"></div></div>\n\
         </section>\n",
    );
}

fn push_section(out: &mut String, section: &Section, look: &data::Look) {
    let _ = writeln!(out, "<section id=\"{}\"><h2>{}</h2>", section.id, escape(&section.title));
    for paragraph in &section.text {
        let _ = writeln!(out, "<p>{}</p>", escape(paragraph));
    }
    for each in &section.tables {
        table::push(out, each, section.tables.len() > 1, look);
    }
    out.push_str("</section>\n");
}

/// Text inside an element or a quoted attribute. Characters that reorder text or end lines in scripts become U+FFFD or
/// a space.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in super::text::one_line(text).chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}
