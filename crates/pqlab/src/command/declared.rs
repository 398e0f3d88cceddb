//! `pqlab completions` and `pqlab man`: made from the declaration of the command line itself.

use super::{print, print_json};
use crate::cli::{Cli, Global};
use crate::error::{CliError, Outcome};
use clap::CommandFactory;
use clap_complete::Shell;
use serde_json::json;
use std::path::PathBuf;
use std::process::ExitCode;

/// For which shell.
#[derive(Debug, clap::Args)]
pub struct CompletionsArgs {
    /// The shell, e.g. `pqlab completions bash > ~/.local/share/bash-completion/completions/pqlab`
    #[arg(value_enum)]
    shell: Shell,
}

/// Where to.
#[derive(Debug, clap::Args)]
pub struct ManArgs {
    /// Folder to write `pqlab.1`, `pqlab-run.1`, … into; made when absent
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Prints the completion script.
///
/// # Errors
/// Only when standard output cannot be written.
pub fn completions(args: &CompletionsArgs) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "pqlab", &mut script);
    print(&String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}

/// Writes one page for the program and one for each verb that is not hidden, and says which.
///
/// # Errors
/// A folder that cannot be made or written.
pub fn man(args: &ManArgs, global: Global) -> Outcome {
    let failed = |e: std::io::Error| {
        CliError::environment(format!("cannot write manual pages into {}: {e}", args.folder.display()))
            .with_hint("give a folder that you may write, e.g. ~/.local/share/man/man1")
    };
    std::fs::create_dir_all(&args.folder).map_err(failed)?;
    let mut command = Cli::command();
    command.build();
    let mut written = Vec::new();
    pages(&command, &mut |name, page| {
        let path = args.folder.join(format!("{name}.1"));
        std::fs::write(&path, page)?;
        written.push(path.display().to_string());
        Ok(())
    })
    .map_err(failed)?;
    if global.json {
        print_json(&json!({ "written": written }))?;
    } else {
        print(&written.iter().map(|path| format!("{path}\n")).collect::<String>())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Makes the pages of a built `command` and of its verbs; they are called `pqlab`, `pqlab-run`, …
fn pages(command: &clap::Command, write: &mut dyn FnMut(&str, &[u8]) -> std::io::Result<()>) -> std::io::Result<()> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    write(command.get_display_name().unwrap_or(command.get_name()), &page)?;
    for verb in command.get_subcommands().filter(|verb| !verb.is_hide_set() && verb.get_name() != "help") {
        pages(verb, write)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_declaration_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_option_that_is_shown_has_a_help() {
        fn check(command: &clap::Command, path: &str) {
            assert!(command.get_about().is_some(), "{path} has no help");
            for argument in command.get_arguments().filter(|argument| !argument.is_hide_set()) {
                assert!(argument.get_help().is_some(), "{path} {} has no help", argument.get_id());
            }
            for verb in command.get_subcommands() {
                check(verb, &format!("{path} {}", verb.get_name()));
            }
        }
        check(&Cli::command(), "pqlab");
    }
}
