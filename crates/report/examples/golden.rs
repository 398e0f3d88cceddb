//! Writes the run of the golden files, with samples, page and charts, into a new directory: for looking at pictures and
//! for the browser check. Usage: `cargo run -p report --example golden -- DIR`

#[path = "../tests/common/mod.rs"]
mod common;

use report::store::RunWriter;
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let dir = std::env::args().nth(1).ok_or("give the directory to make")?;
    let dir = Path::new(&dir);
    let hostile = std::env::args().nth(2).is_some_and(|word| word == "hostile");
    let run = if hostile { common::hostile_run() } else { common::run() };
    let mut writer = RunWriter::create(dir, &report::record::Run { rows: Vec::new(), ..run.clone() })?;
    for row in &run.rows {
        writer.add_row(row.clone(), &common::samples_of(row))?;
    }
    let run = writer.finish(run.finished_at.as_deref().unwrap_or_default())?;
    let samples = report::store::read_samples(dir)?;
    for path in report::write_report(dir, &run, Some(&samples))? {
        println!("{}", path.display());
    }
    Ok(())
}
