//! What post-quantum cryptography costs on this machine, in this library, with error bars.
#![allow(dead_code)]

mod command;
mod conformance;
mod workload;

use clap::Parser;
use std::process::ExitCode;

/// Measures post-quantum cryptography.
#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    command: Verb,
    /// One JSON document on standard output.
    #[arg(long, global = true)]
    json: bool,
    /// No progress.
    #[arg(long, global = true)]
    quiet: bool,
}

#[derive(clap::Subcommand)]
enum Verb {
    Conform(command::conform::ConformArgs),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let Verb::Conform(args) = cli.command;
    let shown = command::conform::Shown { json: cli.json, quiet: cli.quiet };
    match command::conform::run(&args, shown, linked) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}\nhint: {}", error.hint());
            ExitCode::from(2)
        }
    }
}

/// The providers linked into this program; the null provider is a control and conforms to nothing.
fn linked(names: &[String]) -> Result<Vec<Box<dyn conformance::Performer>>, command::conform::ConformError> {
    let known = crypto::provider::linked();
    if let Some(name) = names.iter().find(|name| !known.iter().any(|(k, _)| k == name)) {
        return Err(command::conform::ConformError::Other {
            what: format!("unknown provider `{name}`"),
            hint: "`pqlab list` shows the providers that are there".into(),
        });
    }
    Ok(known
        .into_iter()
        .filter(|(name, _)| if names.is_empty() { *name != "null" } else { names.iter().any(|n| n == name) })
        .map(|(_, make)| Box::new(conformance::InProcess(make())) as Box<dyn conformance::Performer>)
        .collect())
}
