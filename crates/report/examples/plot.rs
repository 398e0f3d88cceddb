//! Draws a `.dat` file in every form: `cargo run -p report --example plot -- FILE.dat FOLDER`.

use report::Picture;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (file, folder) = (arguments.next().ok_or("FILE.dat FOLDER")?, arguments.next().ok_or("FILE.dat FOLDER")?);
    let table = report::plot::read(&file, &std::fs::read(&file)?, None)?;
    let stem = std::path::Path::new(&file).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let figure = report::plot::chart(&table, &stem, report::plot::default_title(table.kind));
    for form in Picture::ALL {
        let path = std::path::Path::new(&folder).join(format!("{stem}.{}", form.extension()));
        std::fs::write(&path, report::draw(&figure, form)?)?;
    }
    Ok(())
}
