//! `report.html` and `charts/` of a run directory.

use crate::figure::{self, Figure};
use crate::record::{Run, Sample};
use crate::render::{Format, Options, RenderError, rasterise, render, tree, write};
use crate::store::{WriteError, make_directory, replace_derived};
use crate::view::Kind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// File name of the page.
pub const REPORT_FILE: &str = "report.html";
/// Directory of the charts.
pub const CHARTS_DIRECTORY: &str = "charts";

/// The report of a run could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// It could not be made.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// It could not be stored.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl ReportError {
    /// One line that says what helps.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::Render(error) => error.hint(),
            Self::Write(error) => error.hint(),
        }
    }
}

/// Writes `report.html`, and `charts/*.svg` and `charts/*.png`, into `dir`; files of those names are replaced. Returns
/// what was written, the page first.
///
/// # Errors
/// [`ReportError`] for the first file that could not be made or written.
pub fn write_report(dir: &Path, run: &Run, samples: Option<&[Sample]>) -> Result<Vec<PathBuf>, ReportError> {
    let page = dir.join(REPORT_FILE);
    replace_derived(&page, &render(run, samples, Kind::Summary, Format::Html, &Options::default())?)?;
    let mut written = vec![page];
    let figures = figure::all(run, samples);
    if figures.is_empty() {
        return Ok(written);
    }
    let charts = dir.join(CHARTS_DIRECTORY);
    make_directory(&charts)?;
    written.extend(draw_all(&charts, &figures)?);
    Ok(written)
}

/// Place of a chart in the order of the report, and its two files.
type Drawn = (usize, [PathBuf; 2]);

/// Draws on all processors: pictures take most of the time of a report.
fn draw_all(charts: &Path, figures: &[Figure]) -> Result<Vec<PathBuf>, ReportError> {
    let next = AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(figures.len());
    let drawn: Vec<Result<Vec<Drawn>, ReportError>> = std::thread::scope(|scope| {
        let work = || {
            let mut done = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(figure) = figures.get(index) else { return Ok(done) };
                done.push((index, draw(charts, figure)?));
            }
        };
        let handles: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        handles
            .into_iter()
            .map(|handle| handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    let mut all: Vec<Drawn> = Vec::new();
    for part in drawn {
        all.extend(part?);
    }
    all.sort_by_key(|(index, _)| *index);
    Ok(all.into_iter().flat_map(|(_, paths)| paths).collect())
}

fn draw(charts: &Path, figure: &Figure) -> Result<[PathBuf; 2], ReportError> {
    let parsed = tree(figure)?;
    let svg = charts.join(format!("{}.svg", figure.id));
    replace_derived(&svg, &write(figure, &parsed))?;
    let png = charts.join(format!("{}.png", figure.id));
    replace_derived(&png, &rasterise(figure, &parsed)?)?;
    Ok([svg, png])
}
