//! `pqlab bundle env`: the environment that selects a bundle, printed or used.

use crate::bundle::environment::{Variables, variables};
use crate::bundle::{self, Kind};
use crate::cli::Global;
use crate::command::{fips, print, print_json};
use crate::error::{CliError, FINDING, Outcome};
use crate::fips::Mode;
use crate::fips::place::Place;
use clap::Args;
use serde_json::{Map, Value, json};
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

/// Which bundle, and what to do with it.
#[derive(Debug, Args)]
pub struct EnvArgs {
    /// The bundle, such as openssl@3.5.5
    id: String,
    /// FIPS provider: off leaves it out, ready configures it, only also demands that the preflight passes
    #[arg(long, value_enum, default_value_t = Mode::Off, env = "PQLAB_FIPS_MODE")]
    fips: Mode,
    /// Program and arguments to run in the environment; its exit code becomes ours
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// Prints the variables for a shell (or as JSON), or becomes the command.
///
/// # Errors
/// A bundle that is not built or has no FIPS provider, a command that cannot be started.
pub fn run(args: &EnvArgs, global: Global) -> Outcome {
    let with_fips = args.fips != Mode::Off;
    let bundle = if with_fips { bundle::resolve_for_fips(&args.id)? } else { bundle::resolve(&args.id)? };
    if with_fips && bundle.fips_config.is_none() {
        let error = CliError::usage(format!("{} has no FIPS provider", bundle.id()));
        return Err(match bundle.spec.kind {
            Kind::OpenSsl => error.with_hint(format!("pqlab bundle build openssl@{} --fips", bundle.spec.version)),
            Kind::LibOqs => error.with_hint("leave out --fips (and unset PQLAB_FIPS_MODE)"),
        });
    }
    if args.fips == Mode::Only
        && let Err(check) = fips::guard(&Place::find(Some(&args.id), |_| None)?, global)
    {
        eprintln!("fips preflight: {}: {}", check.name, check.detail);
        eprintln!("  hint: pqlab fips preflight --mode only --bundle {} shows all checks", bundle.id());
        return Ok(ExitCode::from(FINDING));
    }
    let variables = variables(&bundle, with_fips, |name| std::env::var_os(name));
    let Some((program, arguments)) = args.command.split_first() else {
        return shown(&variables, global);
    };
    let error = Command::new(program).args(arguments).envs(variables).exec();
    Err(CliError::usage(format!("cannot run {}: {error}", program.display()))
        .with_hint(format!("give a program and its arguments: pqlab bundle env {} -- openssl version", args.id)))
}

fn shown(variables: &Variables, global: Global) -> Outcome {
    if global.json {
        let map: Map<String, Value> =
            variables.iter().map(|(name, value)| ((*name).to_owned(), json!(value.to_string_lossy()))).collect();
        print_json(&map)?;
    } else {
        let line = |(name, value): &(&str, OsString)| format!("export {name}={}\n", quoted(&value.to_string_lossy()));
        print(&variables.iter().map(line).collect::<String>())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// In single quotes, as a POSIX shell reads it back.
fn quoted(value: &str) -> String {
    format!("'{}'", value.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::quoted;
    use std::process::Command;

    #[test]
    fn a_shell_reads_back_what_was_quoted() {
        for value in ["/a b", "it's", "$HOME `x` \"y\" \\", ""] {
            let out = Command::new("sh").args(["-c", &format!("printf %s {}", quoted(value))]).output().unwrap();
            assert_eq!(String::from_utf8(out.stdout).unwrap(), value);
        }
    }
}
