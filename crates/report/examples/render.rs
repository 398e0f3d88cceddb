//! Renders a stored run to standard output.
//! Usage: `cargo run -p report --example render -- RUN [KIND] [FORMAT] [WIDTH] [CHART]`

use report::{Format, Kind, Options, render, store};
use std::error::Error;
use std::io::Write;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let word = |index: usize, default: &str| words.get(index).cloned().unwrap_or_else(|| default.to_owned());
    let run = word(0, ".");
    let kind = word(1, "summary");
    let kind = Kind::ALL.into_iter().find(|known| known.as_str() == kind).ok_or("unknown kind")?;
    let format = Format::parse(&word(2, "terminal")).ok_or("unknown format")?;
    let options = Options { width: word(3, "100").parse()?, figure: words.get(4).cloned(), ..Options::default() };
    let record = store::read_run(Path::new(&run))?;
    let samples = store::read_samples(Path::new(&run)).ok();
    let bytes = render(&record, samples.as_deref(), kind, format, &options)?;
    std::io::stdout().write_all(&bytes)?;
    Ok(())
}
