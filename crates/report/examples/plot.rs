//! For looking at charts: `cargo run -p report --example plot -- FILE.dat FOLDER` draws a table in every form,
//! `… -- LOGS FOLDER` the gallery of a folder of logs of `openssl speed`.

use report::Picture;
use report::plot::table::Source;
use report::plot::{Speeds, annotated, default_title, gallery, read, write_gallery};
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (from, folder) = (arguments.next().ok_or("FROM FOLDER")?, arguments.next().ok_or("FROM FOLDER")?);
    let from = Path::new(&from);
    if from.is_dir() {
        let mut speeds = Speeds::default();
        let mut paths: Vec<_> = std::fs::read_dir(from)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.sort();
        for path in paths {
            let log = report::openssl_speed::parse(&[&std::fs::read(&path)?])?;
            let source = Source { id: "openssl@unknown".into(), ..Source::default() };
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            speeds.add_log(&log, &source, matches!(stem.as_str(), "sha256" | "sha512" | "aes-128-cbc"));
        }
        let (drawn, missing) = gallery(&speeds);
        println!("{} files", write_gallery(Path::new(&folder), &drawn, &missing, true)?.len());
        return Ok(());
    }
    let stem = from.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let table = read(&from.display().to_string(), &std::fs::read(from)?, None)?;
    let figure = annotated(&table, &stem, default_title(table.kind));
    for form in Picture::ALL {
        let path = Path::new(&folder).join(format!("{stem}.{}", form.extension()));
        std::fs::write(&path, report::draw(&figure, form)?)?;
    }
    Ok(())
}
