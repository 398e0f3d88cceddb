//! Charts as PNG: the SVG of the same chart, with twice as many pixels in each direction unless it is very tall.

use super::svg;
use crate::RenderError;
use crate::figure::Figure;
use resvg::{tiny_skia, usvg};

/// Pixels per unit of the chart.
const SCALE: f32 = 2.0;
/// Height of a chart, in its units, from which on one pixel a unit must do: more is slow to make and to look at.
const TALL: f32 = 4000.0;

/// The chart as PNG.
pub(crate) fn render(figure: &Figure) -> Result<Vec<u8>, RenderError> {
    rasterise(figure, &svg::tree(figure)?)
}

/// A parsed chart as PNG.
pub(crate) fn rasterise(figure: &Figure, tree: &usvg::Tree) -> Result<Vec<u8>, RenderError> {
    let failed = |message: String| RenderError::Picture { figure: figure.id.clone(), message };
    let scale = if tree.size().height() > TALL { 1.0 } else { SCALE };
    let size = tree.size().to_int_size().scale_by(scale).ok_or_else(|| failed("it has no area".into()))?;
    let mut pixels = tiny_skia::Pixmap::new(size.width(), size.height())
        .ok_or_else(|| failed("it is too large for the memory".into()))?;
    resvg::render(tree, tiny_skia::Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| failed(error.to_string()))
}
