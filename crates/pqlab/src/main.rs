//! `pqlab`: what post-quantum cryptography costs on this machine, in this library, with error bars.

mod bundle;
mod cli;
mod command;
mod conformance;
mod coordinator;
mod discovery;
mod error;
mod fips;
mod host;
mod plan;
mod plot;
mod progress;
mod provider_spec;
mod record;
mod speed;
mod wire;
mod worker;
mod workload;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = cli::parse();
    match command::run(&arguments) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
