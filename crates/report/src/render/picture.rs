//! One chart as a file, in every form that it can have.

use super::{gnuplot, html, pgfplots, png, svg};
use crate::RenderError;
use crate::figure::Figure;

/// The form of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Picture {
    /// SVG, text as outlines.
    Svg,
    /// PNG.
    Png,
    /// A self-contained page: the chart, and its figures as a table.
    Html,
    /// A gnuplot script with the figures inside.
    Gnuplot,
    /// A pgfplots picture for LaTeX.
    Tex,
}

impl Picture {
    /// All forms.
    pub const ALL: [Self; 5] = [Self::Svg, Self::Png, Self::Html, Self::Gnuplot, Self::Tex];

    /// Extension of the file.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
            Self::Html => "html",
            Self::Gnuplot => "gp",
            Self::Tex => "tex",
        }
    }

    /// The form with that extension.
    #[must_use]
    pub fn of_extension(extension: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.extension() == extension)
    }
}

/// Draws a chart.
///
/// # Errors
/// A chart that is too large for a picture of this form.
pub fn draw(figure: &Figure, form: Picture) -> Result<Vec<u8>, RenderError> {
    match form {
        Picture::Svg => svg::render(figure),
        Picture::Png => png::render(figure),
        Picture::Html => html::figure_page(figure),
        Picture::Gnuplot => Ok(gnuplot::render(figure).into_bytes()),
        Picture::Tex => Ok(pgfplots::render(figure).into_bytes()),
    }
}

/// SVG and PNG of a chart, laid out once.
pub(crate) fn draw_both(figure: &Figure) -> Result<(Vec<u8>, Vec<u8>), RenderError> {
    let tree = svg::tree(figure)?;
    Ok((svg::write(figure, &tree), png::rasterise(figure, &tree)?))
}
