//! `pqlab worker`: hidden; the coordinator starts it.

use crate::error::{CliError, Outcome};
use crate::provider_spec::ProviderSpec;
use std::path::PathBuf;

/// Options of the hidden verb.
#[derive(Debug, clap::Args)]
pub struct WorkerArgs {
    /// `aws-lc`, `libcrux`, `rustcrypto`, `null`, `openssl` or `liboqs`
    #[arg(long)]
    provider: String,
    /// Shared library of openssl or liboqs
    #[arg(long)]
    library: Option<PathBuf>,
    /// Folder of the FIPS module
    #[arg(long, requires = "fips_config")]
    fips_modules: Option<PathBuf>,
    /// Configuration file of the FIPS module
    #[arg(long, requires = "fips_modules")]
    fips_config: Option<PathBuf>,
    /// Where the library came from
    #[arg(long, default_value = "path given")]
    origin: String,
}

/// Serves until standard input closes.
///
/// # Errors
/// A library kind without `--library`.
pub fn run(args: &WorkerArgs) -> Outcome {
    let library = || {
        args.library.clone().ok_or_else(|| {
            CliError::usage(format!("the provider {} needs a library", args.provider)).with_hint("add --library PATH")
        })
    };
    let origin = args.origin.clone();
    let spec = match args.provider.as_str() {
        "openssl" => ProviderSpec::OpenSsl {
            library: library()?,
            fips: args.fips_modules.clone().zip(args.fips_config.clone()),
            origin,
        },
        "liboqs" => ProviderSpec::Liboqs { library: library()?, origin },
        name => ProviderSpec::Linked(name.to_owned()),
    };
    crate::worker::run(spec)
}
