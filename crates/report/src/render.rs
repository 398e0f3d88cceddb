//! Formats. Each renderer is a pure function of a document, or of the record where every digit counts.

use crate::figure::{self, Figure};
use crate::record::{Run, Sample};
use crate::view::{Document, Kind, comparative, summary, verification};

mod csv;
mod dat;
mod gnuplot;
mod html;
mod json;
mod latex;
mod markdown;
mod pgfplots;
mod picture;
mod png;
mod svg;
mod terminal;
mod text;

pub(crate) use html::gallery_page;
pub(crate) use picture::draw_both;
pub use picture::{Picture, draw};
pub(crate) use png::rasterise;
pub(crate) use svg::{tree, write};
pub(crate) use text::one_line;

/// A format of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Tables for a terminal, or plain text.
    Terminal,
    /// GitHub-flavoured Markdown.
    Markdown,
    /// LaTeX tables with `booktabs`.
    Latex,
    /// RFC 4180, one line per row, every digit.
    Csv,
    /// One JSON document, every digit.
    Json,
    /// Columns for gnuplot.
    Dat,
    /// A self-contained page.
    Html,
    /// One chart as SVG, text as outlines.
    Svg,
    /// One chart as PNG.
    Png,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 9] = [
        Self::Terminal,
        Self::Markdown,
        Self::Latex,
        Self::Csv,
        Self::Json,
        Self::Dat,
        Self::Html,
        Self::Svg,
        Self::Png,
    ];

    /// Lower-case word, as on the command line.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Terminal => "terminal",
            Self::Markdown => "md",
            Self::Latex => "latex",
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Dat => "dat",
            Self::Html => "html",
            Self::Svg => "svg",
            Self::Png => "png",
        }
    }

    /// The format with that word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.as_str() == word)
    }
}

/// What a renderer may be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Columns of the terminal.
    pub width: u16,
    /// Whether the terminal shows colour.
    pub colour: bool,
    /// Provider to compare with in [`Kind::Comparative`]; none: the fastest of each group.
    pub baseline: Option<String>,
    /// Which chart [`Format::Svg`] and [`Format::Png`] draw; none: the first.
    pub figure: Option<String>,
}

impl Default for Options {
    /// 100 columns without colour, against the fastest, the first chart.
    fn default() -> Self {
        Self { width: 100, colour: false, baseline: None, figure: None }
    }
}

/// A report cannot be made as it was asked for.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// No provider, or more than one, has that name.
    #[error("no single provider of this run is called \"{wanted}\"")]
    UnknownBaseline {
        /// What was asked for.
        wanted: String,
        /// Ids of the run's providers.
        known: Vec<String>,
    },
    /// There is no such chart.
    #[error("this report has no chart \"{wanted}\"")]
    UnknownFigure {
        /// What was asked for.
        wanted: String,
        /// Ids of the charts there are.
        known: Vec<String>,
    },
    /// There is nothing to draw.
    #[error("a {kind} report of this run has no chart")]
    NoFigure {
        /// [`Kind::as_str`].
        kind: &'static str,
    },
    /// The chart could not be drawn.
    #[error("cannot draw chart \"{figure}\": {message}")]
    Picture {
        /// Its id.
        figure: String,
        /// Why.
        message: String,
    },
    /// The record could not be serialised.
    #[error("cannot serialise the report: {message}")]
    Serialise {
        /// Why.
        message: String,
    },
}

impl RenderError {
    /// One line that says what helps.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::UnknownBaseline { known, .. } => format!("use --baseline with one of: {}", known.join(", ")),
            Self::UnknownFigure { known, .. } => format!("use --chart with one of: {}", known.join(", ")),
            Self::NoFigure { .. } => "use --kind summary or --kind comparative, on a run that has measured rows".into(),
            Self::Picture { .. } => "use another chart, or --format html, and report this as a defect".into(),
            Self::Serialise { .. } => "report this as a defect, with the run.json".into(),
        }
    }
}

/// Makes one report.
///
/// `samples` are needed for distributions and for the check that they are stored; everything else comes from `run`.
///
/// # Errors
/// [`RenderError`]: an unknown baseline or chart, or a chart where there is none.
pub fn render(
    run: &Run,
    samples: Option<&[Sample]>,
    kind: Kind,
    format: Format,
    options: &Options,
) -> Result<Vec<u8>, RenderError> {
    let baseline = options.baseline.as_deref().map(|wanted| comparative::baseline(run, wanted)).transpose()?;
    let baseline = baseline.as_deref();
    match format {
        Format::Csv => Ok(csv::render(run, samples, kind, baseline).into_bytes()),
        Format::Json => json::render(run, samples, kind, baseline),
        Format::Dat => Ok(dat::render(run, samples, kind, baseline).into_bytes()),
        Format::Html if kind == Kind::Summary => html::page(run, samples),
        Format::Svg | Format::Png => {
            let figure = choose(figures(run, samples, kind, baseline), kind, options.figure.as_deref())?;
            if format == Format::Svg { svg::render(&figure) } else { png::render(&figure) }
        }
        Format::Terminal | Format::Markdown | Format::Latex | Format::Html => {
            let document = document(run, samples, kind, baseline);
            Ok(match format {
                Format::Terminal => terminal::render(&document, options.width, options.colour),
                Format::Markdown => markdown::render(&document),
                Format::Latex => latex::render(&document),
                _ => html::document(&document),
            }
            .into_bytes())
        }
    }
}

fn document(run: &Run, samples: Option<&[Sample]>, kind: Kind, baseline: Option<&str>) -> Document {
    match kind {
        Kind::Summary => summary::document(run, samples),
        Kind::Comparative => comparative::document(run, baseline),
        Kind::Verification => verification::document(run, samples),
    }
}

fn figures(run: &Run, samples: Option<&[Sample]>, kind: Kind, baseline: Option<&str>) -> Vec<Figure> {
    match kind {
        Kind::Summary => figure::all(run, samples),
        Kind::Comparative => figure::ratios(run, baseline),
        Kind::Verification => Vec::new(),
    }
}

fn choose(figures: Vec<Figure>, kind: Kind, wanted: Option<&str>) -> Result<Figure, RenderError> {
    let known: Vec<String> = figures.iter().map(|figure| figure.id.clone()).collect();
    let mut figures = figures.into_iter();
    match wanted {
        None => figures.next().ok_or(RenderError::NoFigure { kind: kind.as_str() }),
        Some(_) if known.is_empty() => Err(RenderError::NoFigure { kind: kind.as_str() }),
        Some(wanted) => figures
            .find(|figure| figure.id == wanted)
            .ok_or_else(|| RenderError::UnknownFigure { wanted: wanted.to_owned(), known }),
    }
}
