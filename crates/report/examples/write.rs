//! Makes `report.html` and `charts/` of a stored run again and prints how long reading and writing took.
//! Usage: `cargo run --release -p report --example write -- RUN`

use report::store;
use std::error::Error;
use std::path::Path;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let run = std::env::args().nth(1).ok_or("give a run directory")?;
    let dir = Path::new(&run);
    let start = Instant::now();
    let record = store::read_run(dir)?;
    let samples = store::read_samples(dir)?;
    let read = start.elapsed();
    let written = report::write_report(dir, &record, Some(&samples))?;
    println!(
        "{} rows, {} samples: read in {:.3} s, {} files written, {:.3} s in all",
        record.rows.len(),
        samples.len(),
        read.as_secs_f64(),
        written.len(),
        start.elapsed().as_secs_f64()
    );
    Ok(())
}
