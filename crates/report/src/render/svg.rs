//! Charts as SVG. Text is drawn with the one font inside this crate and stored as outlines, so that a picture is the
//! same on every machine, with any fonts or none.

use crate::RenderError;
use crate::figure::{Figure, Plot};
use resvg::usvg;

mod axis;
mod bars;
mod canvas;
mod lines;
mod names;
mod text;

/// Width of every chart in its own units (pixels at scale 1).
const WIDTH: f64 = 960.0;

/// The chart as SVG with outlined text.
pub(crate) fn render(figure: &Figure) -> Result<Vec<u8>, RenderError> {
    Ok(write(figure, &tree(figure)?))
}

/// Writes a parsed chart with outlined text, and a title for people who do not see it.
pub(crate) fn write(figure: &Figure, tree: &usvg::Tree) -> Vec<u8> {
    let options = usvg::WriteOptions {
        preserve_text: false,
        coordinates_precision: 2,
        transforms_precision: 4,
        indent: usvg::Indent::None,
        ..usvg::WriteOptions::default()
    };
    let svg = tree.to_string(&options);
    let title = canvas::escape(&format!("{}. {}", figure.title, figure.subtitle));
    // usvg keeps no titles: it stands directly inside the root element.
    let described = match svg.find('>') {
        Some(end) => {
            let (root, rest) = svg.split_at(end);
            format!("{root} role=\"img\"><title>{title}</title>{}\n", rest.strip_prefix('>').unwrap_or(rest))
        }
        None => svg,
    };
    described.into_bytes()
}

/// The chart laid out and parsed, text already shaped.
pub(crate) fn tree(figure: &Figure) -> Result<usvg::Tree, RenderError> {
    usvg::Tree::from_str(&source(figure), text::options())
        .map_err(|error| RenderError::Picture { figure: figure.id.clone(), message: error.to_string() })
}

/// The chart as SVG with text elements.
fn source(figure: &Figure) -> String {
    match &figure.plot {
        Plot::Bars(plot) => bars::draw(figure, plot),
        Plot::Lines(plot) => lines::draw(figure, plot),
    }
}

/// Draws heading and subtitle; the place below them.
fn heading(canvas: &mut canvas::Canvas, figure: &Figure) -> f64 {
    canvas.text(16.0, 30.0, canvas::Text::new(&text::fitted(&figure.title, 19.0, WIDTH - 32.0), 19.0));
    let mut y = 50.0;
    for line in text::wrapped(&figure.subtitle, 12.5, WIDTH - 32.0) {
        canvas.text(16.0, y, canvas::Text::new(&line, 12.5).grey());
        y += 17.0;
    }
    y
}

/// Draws the notes from `y` on; the height of the picture that they need.
fn notes(canvas: &mut canvas::Canvas, figure: &Figure, y: f64) -> f64 {
    let mut y = y;
    for note in &figure.notes {
        y += 4.0;
        for line in text::wrapped(note, 12.5, WIDTH - 32.0) {
            y += 16.0;
            canvas.text(16.0, y - 6.0, canvas::Text::new(&line, 12.5));
        }
    }
    if figure.notes.is_empty() { y } else { y + 8.0 }
}

#[cfg(test)]
mod tests {
    use super::{text, tree};
    use crate::common;
    use crate::figure::{Axis, Bar, BarGroup, Bars, Domain, Figure, Plot, Scale, Shape};
    use crate::palette::Palette;
    use crate::units::Quantity;
    use resvg::usvg;

    /// Boxes of all texts, with the texts.
    fn texts(group: &usvg::Group, found: &mut Vec<(usvg::Rect, String)>) {
        for node in group.children() {
            match node {
                usvg::Node::Group(group) => texts(group, found),
                usvg::Node::Text(text) => {
                    let words = text.chunks().iter().map(|chunk| chunk.text()).collect();
                    found.push((text.abs_bounding_box(), words));
                }
                _ => {}
            }
        }
    }

    #[test]
    fn no_text_lies_over_another_or_outside_and_none_is_tiny() {
        let mut run = common::run();
        // Names of every length, and times of every magnitude.
        for (index, row) in run.rows.iter_mut().enumerate().filter(|(index, _)| index % 3 == 0) {
            row.provider = format!("{}{}", row.provider, "-long".repeat(index % 11));
        }
        for run in [common::run(), run] {
            let samples = common::samples(&run);
            let mut figures = crate::figure::all(&run, Some(&samples));
            figures.extend(crate::figure::ratios(&run, None));
            figures.iter().for_each(is_readable);
        }
    }

    #[test]
    fn nor_in_the_gallery_of_one_version_or_of_several() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/openssl_speed");
        let mut logs: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        logs.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
        logs.sort();
        for version in ["openssl-3.5.5", "openssl"] {
            let mut speeds = crate::plot::Speeds::default();
            for path in logs.iter().filter(|path| path.file_name().unwrap().to_string_lossy().starts_with(version)) {
                let log = crate::openssl_speed::parse(&[&std::fs::read(path).unwrap()]).unwrap();
                let source = crate::plot::table::Source { id: "openssl@unknown".into(), ..Default::default() };
                speeds.add_log(&log, &source, false);
            }
            let lacking =
                speeds.source(&crate::plot::table::Source { id: "openssl@1.1.1w".into(), ..Default::default() });
            speeds.lose(lacking, "ML-KEM-768", &"openssl speed says: Unknown algorithm ML-KEM-768; ".repeat(9));
            let (drawn, _) = crate::plot::gallery(&speeds);
            assert!(drawn.len() > 12, "{}", drawn.len());
            drawn.iter().for_each(|each| is_readable(&each.figure));
        }
    }

    /// No text lies over another or outside, and none is tiny.
    fn is_readable(figure: &Figure) {
        let tree = tree(figure).unwrap();
        let mut found = Vec::new();
        texts(tree.root(), &mut found);
        assert!(found.len() > 8, "{}", figure.id);
        let (width, height) = (tree.size().width(), tree.size().height());
        for (index, (a, words)) in found.iter().enumerate() {
            let inside = a.left() >= 0.0 && a.top() >= 0.0 && a.right() <= width && a.bottom() <= height;
            assert!(inside, "{}: \"{words}\" leaves the picture: {a:?}", figure.id);
            for (b, others) in &found[index + 1..] {
                let apart =
                    a.right() <= b.left() || b.right() <= a.left() || a.bottom() <= b.top() || b.bottom() <= a.top();
                assert!(apart, "{}: \"{words}\" and \"{others}\" overlap", figure.id);
            }
        }
        let source = super::source(figure);
        for size in source.split("font-size=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(size.parse::<f64>().unwrap() >= 12.0, "{}: {size}", figure.id);
        }
    }

    #[test]
    fn only_the_embedded_face_is_known() {
        let database = &text::options().fontdb;
        assert_eq!(database.len(), 1);
        let face = database.faces().next().unwrap();
        assert_eq!(face.families[0].0, "DejaVu Sans");
        assert!(matches!(face.source, usvg::fontdb::Source::Binary(_)), "not from a file of this machine");
    }

    #[test]
    fn hostile_labels_make_a_well_formed_picture() {
        let hostile = "<script>&\"'\u{0}\u{1b}[31m\u{2028}\u{fffe}]]>${{";
        let style = Palette::default().style("x");
        let bar = Bar {
            label: hostile.into(),
            style,
            shape: Shape::Value { value: 3.0, interval: Some([f64::MIN_POSITIVE, 1e300]) },
            note: hostile.repeat(30),
        };
        for scale in [Scale::Linear, Scale::Log] {
            let axis = Axis { label: hostile.into(), domain: Domain::Quantity(Quantity::Time), scale };
            let figure = Figure {
                id: "x".into(),
                family: hostile.into(),
                title: hostile.repeat(40),
                subtitle: hostile.repeat(40),
                plot: Plot::Bars(Bars {
                    axis,
                    groups: vec![BarGroup { label: hostile.into(), bars: vec![bar.clone(); 3] }],
                }),
                notes: vec![hostile.repeat(40)],
            };
            let svg = String::from_utf8(super::render(&figure).unwrap()).unwrap();
            usvg::Tree::from_str(&svg, &usvg::Options::default()).unwrap();
            assert!(!svg.contains("<script"));
            assert!(!svg.contains("<text"), "text is outlined");
            tree(&figure).unwrap();
        }
    }
}
