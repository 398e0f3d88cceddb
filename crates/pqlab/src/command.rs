//! The verbs, one file each.

pub mod bundle;
pub mod conform;
pub mod declared;
pub mod doctor;
pub mod fips;
pub mod import;
pub mod list;
pub mod openssl;
pub mod plot;
pub mod report;
pub mod run;
pub mod worker;

use crate::cli::{Cli, Command};
use crate::conformance::Performer;
use crate::coordinator::arms::Arm;
use crate::coordinator::limits::Limits;
use crate::discovery;
use crate::error::{CliError, FINDING, Outcome};
use comfy_table::{ContentArrangement, Table, presets};
use serde::Serialize;
use std::io::Write;
use std::process::ExitCode;

/// Runs the verb.
///
/// # Errors
/// What the verb reports.
pub fn run(cli: &Cli) -> Outcome {
    let global = cli.global;
    match &cli.command {
        Command::Bundle(args) => bundle::run(args, global),
        Command::Fips(args) => fips::run(args, global),
        Command::Conform(args) => {
            let shown = conform::Shown { json: global.json, quiet: global.quiet };
            match conform::run(args, shown, |names| performers(names, global.quiet)) {
                Ok(true) => Ok(ExitCode::SUCCESS),
                Ok(false) => Ok(ExitCode::from(FINDING)),
                Err(error) => Err(CliError::usage(error.to_string()).with_hint(error.hint())),
            }
        }
        Command::Completions(args) => declared::completions(args),
        Command::Man(args) => declared::man(args, global),
        Command::Doctor(args) => doctor::run(args, global),
        Command::Import(args) => import::run(args, global),
        Command::Openssl(args) => openssl::run(args, global),
        Command::List(args) => list::run(args, global),
        Command::Plot(args) => plot::run(args, global),
        Command::Report(args) => report::run(args, global),
        Command::Run(args) => run::run(args, global),
        Command::Worker(args) => worker::run(args),
    }
}

/// Prints one JSON document on standard output.
///
/// # Errors
/// When it cannot be encoded or written; a reader that closed the pipe is not an error.
pub fn print_json(value: &impl Serialize) -> Result<(), CliError> {
    let mut text = serde_json::to_string_pretty(value)
        .map_err(|e| CliError::environment(format!("cannot encode the answer: {e}")))?;
    text.push('\n');
    print(&text)
}

/// Columns that tables must fit into: `COLUMNS` where it is set, else those of the terminal; none where standard output
/// is not one.
#[must_use]
pub fn columns() -> Option<u16> {
    let told = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).filter(|columns| *columns > 0);
    told.or_else(|| comfy_table::Table::new().width()).map(|columns| columns.max(NARROWEST))
}

/// [`columns`]; 120 where there is no bound.
#[must_use]
pub fn width() -> u16 {
    columns().unwrap_or(120)
}

/// Narrower than this no table can be read.
const NARROWEST: u16 = 60;

/// A plain table that wraps what does not fit into [`columns`]. Of `header`, what `spare` names is left out where there
/// are fewer than 120: it stands in `--json`.
pub struct Listing {
    table: Table,
    kept: Vec<bool>,
}

impl Listing {
    /// An empty one.
    #[must_use]
    pub fn new(header: &[&str], spare: &[&str]) -> Self {
        let narrow = columns().is_some_and(|columns| columns < 120);
        let kept: Vec<bool> = header.iter().map(|name| !(narrow && spare.contains(name))).collect();
        let mut table = Table::new();
        table.load_style(presets::NOTHING);
        if let Some(columns) = columns() {
            table.set_content_arrangement(ContentArrangement::Dynamic).set_width(columns);
        }
        let mut listing = Self { table, kept };
        let header = listing.chosen(header);
        listing.table.set_header(header);
        listing
    }

    /// A row with a cell for every name of the header.
    pub fn add(&mut self, row: &[&str]) {
        let row = self.chosen(row);
        self.table.add_row(row);
    }

    fn chosen<'a>(&self, row: &[&'a str]) -> Vec<&'a str> {
        row.iter().zip(&self.kept).filter(|(_, kept)| **kept).map(|(cell, _)| *cell).collect()
    }
}

impl std::fmt::Display for Listing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The table fills its last column with blanks.
        self.table.lines().try_for_each(|line| writeln!(f, "{}", line.trim_end()))
    }
}

/// Prints on standard output; a reader that closed the pipe is not an error.
///
/// # Errors
/// What the stream reports.
pub fn print(text: &str) -> Result<(), CliError> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(CliError::environment(format!("cannot write to standard output: {e}")))
        }
        _ => Ok(()),
    }
}

/// Workers for the named providers, for conformance checks.
fn performers(names: &[String], quiet: bool) -> Result<Vec<Box<dyn Performer>>, conform::ConformError> {
    let other = |error: &CliError| conform::ConformError::Other {
        what: error.what().to_owned(),
        hint: error.hint().unwrap_or("`pqlab doctor` shows each provider with its reason").to_owned(),
    };
    let candidates = discovery::select(names, &[]).map_err(|error| other(&error))?;
    let mut performers: Vec<Box<dyn Performer>> = Vec::new();
    for candidate in candidates {
        match Arm::start(candidate.spec, Limits::default()) {
            Ok(arm) if performers.iter().any(|known| known.id() == arm.id) => {
                if candidate.demanded && !quiet {
                    eprintln!("warning: `{}` is {}, which is asked already: it is asked once", candidate.name, arm.id);
                }
            }
            Ok(arm) => performers.push(arm.performer()),
            Err(fault) => {
                let error = CliError::environment(format!("{}: {fault}", candidate.name));
                return Err(other(&error));
            }
        }
    }
    Ok(performers)
}
