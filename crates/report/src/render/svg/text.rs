//! The font: one face, from this crate, and the widths of its characters.

use resvg::usvg::{self, fontdb};
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// DejaVu Sans 2.37, a subset made by `assets/font/subset.py`; licence: `assets/font/LICENSE`.
static FONT: &[u8] = include_bytes!("../../../assets/font/DejaVuSans-subset.ttf");
static WIDTHS: &str = include_str!("../../../assets/font/widths.txt");

/// Name of the face, as charts ask for it.
pub(super) const FAMILY: &str = "DejaVu Sans";

/// Options whose font database holds the embedded face and nothing else.
pub(super) fn options() -> &'static usvg::Options<'static> {
    static OPTIONS: OnceLock<usvg::Options<'static>> = OnceLock::new();
    OPTIONS.get_or_init(|| {
        let mut database = fontdb::Database::new();
        database.load_font_source(fontdb::Source::Binary(Arc::new(FONT)));
        database.set_sans_serif_family(FAMILY);
        usvg::Options { font_family: FAMILY.into(), fontdb: Arc::new(database), ..usvg::Options::default() }
    })
}

/// Width of a text at a font size.
pub(super) fn width(text: &str, size: f64) -> f64 {
    static TABLE: OnceLock<HashMap<char, f64>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let entries = WIDTHS.lines().filter_map(|line| {
            let (code, width) = line.split_once(' ')?;
            Some((char::from_u32(u32::from_str_radix(code, 16).ok()?)?, width.parse().ok()?))
        });
        entries.collect()
    });
    // A character that the font lacks is drawn as its box, 1229 wide.
    let units: f64 = text.chars().map(|character| table.get(&character).copied().unwrap_or(1229.0)).sum();
    units * size / 2048.0
}

/// The text, shortened with an ellipsis when it is wider than `room`.
pub(super) fn fitted(text: &str, size: f64, room: f64) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    let mut out = String::new();
    for character in text.chars() {
        out.push(character);
        if width(&out, size) + width("…", size) > room {
            out.pop();
            break;
        }
    }
    out.push('…');
    out
}

/// The text broken at spaces into at most three lines no wider than `room`.
pub(super) fn wrapped(text: &str, size: f64, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(line, size) + width(" ", size) + width(word, size) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(fitted(word, size, room)),
        }
    }
    lines.truncate(3);
    lines
}

#[cfg(test)]
mod tests {
    use super::{FAMILY, fitted, options, width, wrapped};
    use resvg::usvg::{Node, Tree};

    #[test]
    fn widths_are_those_of_the_font() {
        let sample = "openssl@3.5.5+fips ML-KEM-768 13.21 µs";
        let svg = format!(
            "<svg xmlns='http://www.w3.org/2000/svg' width='900' height='50'>\
             <text x='0' y='30' font-family='{FAMILY}' font-size='20'>|{sample}|</text></svg>"
        );
        let tree = Tree::from_str(&svg, options()).unwrap();
        let Some(Node::Text(text)) = tree.root().children().first() else { panic!("one text") };
        let drawn = f64::from(text.abs_bounding_box().width());
        let reckoned = width(&format!("|{sample}|"), 20.0);
        assert!((drawn - reckoned).abs() < 0.02 * reckoned, "{drawn} drawn, {reckoned} reckoned");
    }

    #[test]
    fn long_text_is_shortened_to_fit() {
        let text = "a rather long name of a provider";
        let short = fitted(text, 12.0, 80.0);
        assert!(short.ends_with('…') && width(&short, 12.0) <= 80.0, "{short}");
        assert_eq!(fitted("short", 12.0, 80.0), "short");
        assert!(wrapped(&"word ".repeat(90), 12.0, 300.0).iter().all(|line| width(line, 12.0) <= 300.0));
    }
}
