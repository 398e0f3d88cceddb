//! The page of a gallery: all charts, which stand as files beside it.

use super::{escape, head_with};
use crate::figure::Figure;
use std::fmt::Write;

const STYLE: &str = "figure{margin:0 0 12px}figure img{display:block;width:100%;max-width:960px;height:auto;border:1px solid var(--line);\
                     border-radius:8px;background:#fff}.files a{margin-right:12px}";
/// The pictures are files beside the page.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' file: data:; base-uri 'none'; form-action 'none'";

/// The page.
pub(crate) fn page<'f>(figures: impl Iterator<Item = &'f Figure> + Clone, missing: &[(&str, String)]) -> String {
    let mut out = head_with("Charts of openssl speed", STYLE, POLICY);
    // Writing to a String cannot fail.
    out.push_str("<header><h1>Charts of openssl speed</h1>\n<nav aria-label=\"Charts\">");
    for figure in figures.clone() {
        let id = escape(&figure.id);
        let _ = write!(out, "<a href=\"#{id}\">{id}</a> ");
    }
    out.push_str("</nav></header>\n<main>\n");
    for figure in figures {
        let id = escape(&figure.id);
        let _ = writeln!(
            out,
            "<section id=\"{id}\"><h2>{title}</h2>\n<figure><a href=\"{id}.svg\"><img src=\"{id}.svg\" loading=\"lazy\" alt=\"{alt}\"></a></figure>\n\
             <p class=\"files\">{id}: <a href=\"{id}.svg\">SVG</a><a href=\"{id}.png\">PNG</a><a href=\"{id}.gp\">gnuplot</a>\
             <a href=\"{id}.dat\">data</a></p></section>",
            title = escape(&figure.title),
            alt = escape(&format!("{}. {}. {}", figure.title, figure.subtitle, figure.notes.join(" "))),
        );
    }
    if !missing.is_empty() {
        out.push_str("<section id=\"missing\"><h2>Not drawn</h2>\n<div class=\"scroll\"><table><thead><tr><th scope=\"col\">chart</th><th scope=\"col\">why</th></tr></thead>\n<tbody>\n");
        for (id, why) in missing {
            let _ = writeln!(out, "<tr><td>{}</td><td>{}</td></tr>", escape(id), escape(why));
        }
        out.push_str("</tbody></table></div></section>\n");
    }
    out.push_str("</main>\n</body>\n</html>\n");
    out
}
