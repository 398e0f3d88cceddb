//! Every option once; doc comments are the help. Defaults of measuring come from the plan.

use crate::command;
use clap::{Parser, Subcommand, ValueEnum};

/// What post-quantum cryptography costs on this machine, in your library: with error bars.
#[derive(Debug, Parser)]
#[command(name = "pqlab", version, propagate_version = true, max_term_width = 100)]
#[command(
    after_help = "Exit codes: 0 fine, 1 a finding (a failed row, a non-conforming provider), 2 an error in use or environment."
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// What goes for every verb.
    #[command(flatten)]
    pub global: Global,
}

/// Options of every verb.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct Global {
    /// Print one JSON document on standard output and nothing else there; after an error nothing: it is text on standard
    /// error, and the exit code is 2
    #[arg(long, global = true)]
    pub json: bool,
    /// No progress and no warnings on standard error; errors are still shown
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Colour in tables
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto)]
    pub color: Color,
}

/// When to colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Color {
    /// Whether standard output shall be coloured.
    #[must_use]
    pub fn on(self) -> bool {
        use std::io::IsTerminal;
        match self {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                // https://no-color.org: set and not empty.
                let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
                let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
                std::io::stdout().is_terminal() && !refused && !dumb
            }
        }
    }
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// What this host can and cannot measure, providers found, clock, cost of measuring, grade
    Doctor(command::doctor::DoctorArgs),
    /// List providers, algorithms, operations, plans
    List(command::list::ListArgs),
    /// Render a stored run: html, md, latex, csv, json, dat, svg, png
    Report(command::report::ReportArgs),
    /// Measure a plan, write a run directory, print tables
    Run(command::run::RunArgs),
    /// Build, list and verify bundles of OpenSSL and liboqs
    Bundle(command::bundle::BundleArgs),
    /// Run `openssl speed` or time `openssl pkeyutl`, and record it
    Openssl(command::openssl::OpensslArgs),
    /// Read logs of `openssl speed` into a run directory
    Import(command::import::ImportArgs),
    /// Run vector files against providers, and providers against each other
    Conform(command::conform::ConformArgs),
    /// Check that OpenSSL's FIPS provider really serves the post-quantum algorithms
    Fips(command::fips::FipsArgs),
    /// Draw speeds of OpenSSL: measured now, or from .dat files, logs and runs; fits, and a gallery of all charts
    Plot(command::plot::PlotArgs),
    /// Print the completions of a shell
    Completions(command::declared::CompletionsArgs),
    /// Write the manual pages
    Man(command::declared::ManArgs),
    /// Serve one provider over the worker line protocol (docs/WORKER.md)
    #[command(hide = true)]
    Worker(command::worker::WorkerArgs),
}

/// Parses the command line; wrong use ends the process with exit code 2 and a hint.
#[must_use]
pub fn parse() -> Cli {
    Cli::parse()
}
