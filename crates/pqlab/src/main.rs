//! Minimal shell around `pqlab bundle`.

#[allow(dead_code, unused_imports)]
mod bundle;
mod command;

use clap::Parser;
use std::process::ExitCode;

#[derive(Parser)]
#[command(name = "pqlab", version)]
struct Cli {
    #[arg(long, global = true)]
    json: bool,
    #[arg(long, short, global = true)]
    quiet: bool,
    #[command(subcommand)]
    verb: Verb,
}

#[derive(clap::Subcommand)]
enum Verb {
    Bundle(command::bundle::BundleArgs),
}

fn main() -> ExitCode {
    let Cli { json, quiet, verb: Verb::Bundle(args) } = Cli::parse();
    match command::bundle::run(&args, json, quiet) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {}", error.what());
            if let Some(hint) = error.hint() {
                eprintln!("hint: {hint}");
            }
            ExitCode::from(2)
        }
    }
}
