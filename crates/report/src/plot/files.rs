//! Charts as files: the data beside the picture, and nothing that is there already is replaced unasked.

use super::graph::Drawn;
use super::write::write;
use crate::RenderError;
use crate::render::{Picture, draw, draw_both, gallery_page};
use crate::store::{Action, WriteError, make_directory, replace_derived};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Charts could not be drawn or stored.
#[derive(Debug, thiserror::Error)]
pub enum PlotError {
    /// A chart could not be drawn.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// A file could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// Another file is there.
    #[error("{path} exists already and is different")]
    Exists {
        /// The file.
        path: PathBuf,
    },
}

impl PlotError {
    /// One line that says what helps.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::Render(error) => error.hint(),
            Self::Write(error) => error.hint(),
            Self::Exists { .. } => "--force replaces it; -o gives the chart another name".into(),
        }
    }
}

/// Writes files, all or none that differs from what is there: unless `force` is set, a file that exists must be the same
/// already. Returns the paths.
///
/// # Errors
/// [`PlotError::Exists`] before anything is written, or the first file that could not be.
pub fn put(files: Vec<(PathBuf, Vec<u8>)>, force: bool) -> Result<Vec<PathBuf>, PlotError> {
    let mut fresh = Vec::new();
    for (path, bytes) in &files {
        match std::fs::read(path) {
            Ok(known) if known == *bytes => {}
            Ok(_) if !force => return Err(PlotError::Exists { path: path.clone() }),
            Err(error) if !matches!(error.kind(), std::io::ErrorKind::NotFound) => {
                return Err(WriteError::Io { action: Action::Write, path: path.clone(), source: error }.into());
            }
            _ => fresh.push((path, bytes)),
        }
    }
    for (path, bytes) in fresh {
        replace_derived(path, bytes)?;
    }
    Ok(files.into_iter().map(|(path, _)| path).collect())
}

/// One chart and its data: `picture`, and the same name with `.dat`. `data` are the bytes of the data file; nothing when
/// it stands there already under that very name.
///
/// # Errors
/// What could not be drawn or stored.
pub fn write_chart(
    picture: &Path,
    form: Picture,
    drawn: &Drawn,
    data: Option<Vec<u8>>,
    force: bool,
) -> Result<Vec<PathBuf>, PlotError> {
    let mut files = vec![(picture.to_path_buf(), draw(&drawn.figure, form)?)];
    files.extend(data.map(|data| (picture.with_extension("dat"), data)));
    put(files, force)
}

/// The gallery: of each chart SVG, PNG, gnuplot script and data, and `index.html` with all of them. Returns the paths,
/// the page first.
///
/// # Errors
/// What could not be drawn or stored.
pub fn write_gallery(
    folder: &Path,
    drawn: &[Drawn],
    missing: &[(&str, String)],
    force: bool,
) -> Result<Vec<PathBuf>, PlotError> {
    let mut files =
        vec![(folder.join("index.html"), gallery_page(drawn.iter().map(|each| &each.figure), missing).into_bytes())];
    files.extend(draw_all(folder, drawn)?);
    make_directory(folder)?;
    put(files, force)
}

type File = (PathBuf, Vec<u8>);
/// Place of a chart in the order of the gallery, and its files.
type Placed = (usize, [File; 4]);

/// Draws on all processors.
fn draw_all(folder: &Path, drawn: &[Drawn]) -> Result<Vec<File>, PlotError> {
    let next = AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().map_or(1, usize::from).clamp(1, drawn.len().max(1));
    let done: Vec<Result<Vec<Placed>, PlotError>> = std::thread::scope(|scope| {
        let work = || {
            let mut done = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(each) = drawn.get(index) else { return Ok(done) };
                done.push((index, files_of(folder, each)?));
            }
        };
        let handles: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        handles
            .into_iter()
            .map(|handle| handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    let mut all = Vec::new();
    for part in done {
        all.extend(part?);
    }
    all.sort_by_key(|(index, _)| *index);
    Ok(all.into_iter().flat_map(|(_, files)| files).collect())
}

fn files_of(folder: &Path, drawn: &Drawn) -> Result<[File; 4], PlotError> {
    let at = |extension: &str| folder.join(format!("{}.{extension}", drawn.figure.id));
    let (svg, png) = draw_both(&drawn.figure)?;
    Ok([
        (at("svg"), svg),
        (at("png"), png),
        (at("gp"), draw(&drawn.figure, Picture::Gnuplot)?),
        (at("dat"), write(&drawn.table).into_bytes()),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::{annotated, read};

    fn drawn() -> Drawn {
        let table = read("openssl@3.5.5.dat", b"rsa2048 0s 0s 10 20\nrsa4096 0s 0s 2 9\n", None).unwrap();
        Drawn { figure: annotated(&table, "rsa", "RSA"), table }
    }

    #[test]
    fn another_file_is_not_replaced_and_nothing_else_is_written_then() {
        let folder = tempfile::tempdir().unwrap();
        let picture = folder.path().join("rsa.svg");
        let data = || Some(write(&drawn().table).into_bytes());
        std::fs::write(folder.path().join("rsa.dat"), "precious").unwrap();
        let error = write_chart(&picture, Picture::Svg, &drawn(), data(), false).unwrap_err();
        assert!(
            matches!(&error, PlotError::Exists { path } if path.ends_with("rsa.dat"))
                && error.hint().contains("--force")
        );
        assert!(!picture.exists(), "all or nothing");
        assert_eq!(std::fs::read_to_string(folder.path().join("rsa.dat")).unwrap(), "precious");
        let written = write_chart(&picture, Picture::Svg, &drawn(), data(), true).unwrap();
        assert_eq!(written, [picture.clone(), folder.path().join("rsa.dat")]);
        assert_eq!(std::fs::read(folder.path().join("rsa.dat")).unwrap(), data().unwrap());
        write_chart(&picture, Picture::Svg, &drawn(), data(), false).expect("the same again is fine");
    }

    #[test]
    fn a_gallery_has_four_files_for_each_chart_and_one_page() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("deep/gallery");
        let written = write_gallery(&place, &[drawn()], &[("hash", "no <figures>".into())], false).unwrap();
        let names: Vec<String> =
            written.iter().map(|p| p.file_name().unwrap().to_string_lossy().into_owned()).collect();
        assert_eq!(names, ["index.html", "rsa.svg", "rsa.png", "rsa.gp", "rsa.dat"]);
        let page = std::fs::read_to_string(place.join("index.html")).unwrap();
        assert!(page.contains("rsa.svg") && page.contains("no &lt;figures&gt;"));
    }

    #[test]
    fn a_place_that_cannot_be_written_is_named() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("file"), "x").unwrap();
        let error = write_chart(&folder.path().join("file/x.svg"), Picture::Svg, &drawn(), None, true).unwrap_err();
        assert!(error.to_string().contains("file/x.svg") && !error.hint().is_empty(), "{error}");
    }
}
