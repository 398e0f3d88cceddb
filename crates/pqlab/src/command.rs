//! The verbs, one file each.

pub mod doctor;
pub mod list;
pub mod run;
pub mod worker;

use crate::cli::{Cli, Command};
use crate::error::{CliError, Outcome};
use serde::Serialize;
use std::io::Write;

/// Runs the verb.
///
/// # Errors
/// What the verb reports.
pub fn run(cli: &Cli) -> Outcome {
    let global = cli.global;
    match &cli.command {
        Command::Doctor(args) => doctor::run(args, global),
        Command::List(args) => list::run(args, global),
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
