//! Which provider a worker shall be: linked in, a shared library, or a foreign command.

use crypto::{Error, Provider};
use std::path::PathBuf;

/// How to start a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProviderSpec {
    /// Linked into this program.
    Linked(String),
    /// A libcrypto.
    OpenSsl {
        /// The shared library.
        library: PathBuf,
        /// Directory of the FIPS module and configuration file, for the `+fips` variant.
        fips: Option<(PathBuf, PathBuf)>,
        /// Where the library came from.
        origin: String,
    },
    /// A liboqs.
    Liboqs {
        /// The shared library.
        library: PathBuf,
        /// Where the library came from.
        origin: String,
    },
    /// A program that speaks the worker protocol.
    External {
        /// Program and arguments.
        command: Vec<String>,
    },
}

impl ProviderSpec {
    /// Loads the provider into this process.
    ///
    /// # Errors
    /// The library's reason; an external command cannot be loaded.
    pub fn load(&self) -> Result<Provider, Error> {
        match self {
            ProviderSpec::Linked(name) => crypto::provider::linked()
                .into_iter()
                .find(|(known, _)| known == name)
                .map(|(_, make)| make())
                .ok_or_else(|| Error::usage(format!("no provider `{name}` is linked into this program"))),
            ProviderSpec::OpenSsl { library, fips, origin } => {
                use crypto::provider::openssl::{Variant, load};
                let variant = match fips {
                    None => Variant::Default,
                    Some((modules, config)) => Variant::Fips { modules: modules.clone(), config: config.clone() },
                };
                load(library, &variant, origin)
            }
            ProviderSpec::Liboqs { library, origin } => crypto::provider::liboqs::load(library, origin),
            ProviderSpec::External { .. } => Err(Error::usage("an external worker is a process of its own")),
        }
    }

    /// Arguments of the hidden verb that starts a worker for this provider; `None` for external ones.
    #[must_use]
    pub fn worker_arguments(&self) -> Option<Vec<String>> {
        let path = |p: &PathBuf| p.to_string_lossy().into_owned();
        let mut args = vec!["worker".to_owned(), "--provider".to_owned()];
        match self {
            ProviderSpec::Linked(name) => args.push(name.clone()),
            ProviderSpec::OpenSsl { library, fips, origin } => {
                args.extend(["openssl".into(), "--library".into(), path(library), "--origin".into(), origin.clone()]);
                if let Some((modules, config)) = fips {
                    args.extend(["--fips-modules".into(), path(modules), "--fips-config".into(), path(config)]);
                }
            }
            ProviderSpec::Liboqs { library, origin } => {
                args.extend(["liboqs".into(), "--library".into(), path(library), "--origin".into(), origin.clone()]);
            }
            ProviderSpec::External { .. } => return None,
        }
        Some(args)
    }
}
