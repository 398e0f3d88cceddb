//! Which OpenSSL the preflight is about: a bundle, what the environment names, or the newest bundle with FIPS.

use crate::bundle::{self, Installed, Kind};
use crate::error::CliError;
use crate::provider_spec::ProviderSpec;
use std::path::{Path, PathBuf};

/// Prefix of an OpenSSL installation: `bin`, `lib`, `ssl` below it.
pub const PREFIX: &str = "PQLAB_OPENSSL_PREFIX";
/// Directory of provider modules.
pub const MODULES: &str = "PQLAB_OPENSSL_MODULES";
/// Configuration that activates the FIPS provider.
pub const CONFIGURATION: &str = "PQLAB_OPENSSL_CONF";

/// One OpenSSL and the parts of its FIPS provider, as far as they are there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// How it was found: `bundle openssl@3.5.5+fips`, `PQLAB_OPENSSL_PREFIX`.
    pub origin: String,
    /// The executable.
    pub openssl: Option<PathBuf>,
    /// libcrypto.
    pub library: PathBuf,
    /// Directory of provider modules.
    pub modules: Option<PathBuf>,
    /// Configuration with the FIPS provider active.
    pub configuration: Option<PathBuf>,
}

impl Place {
    /// The place that `bundle`, else the environment, else the cache names.
    ///
    /// # Errors
    /// A bundle that is not built, a prefix without libcrypto, nothing to be found.
    pub fn find(bundle: Option<&str>, environment: impl Fn(&str) -> Option<PathBuf>) -> Result<Self, CliError> {
        let base = match (bundle, environment(PREFIX)) {
            (Some(id), _) => Self::of_bundle(bundle::resolve_for_fips(id)?)?,
            (None, Some(prefix)) => Self::below(&prefix)?,
            (None, None) => Self::newest()?,
        };
        // A bundle named on the command line is taken as it is; the environment completes the rest.
        if bundle.is_some() {
            return Ok(base);
        }
        Ok(Self {
            modules: environment(MODULES).or(base.modules),
            configuration: environment(CONFIGURATION).or(base.configuration),
            ..base
        })
    }

    fn of_bundle(bundle: Installed) -> Result<Self, CliError> {
        if bundle.spec.kind != Kind::OpenSsl {
            return Err(CliError::usage(format!("{} has no FIPS provider: it is not OpenSSL", bundle.id()))
                .with_hint("pqlab fips preflight --bundle openssl@3.5.5"));
        }
        let Some(library) = bundle.library.clone() else {
            return Err(CliError::usage(format!(
                "{} cannot be loaded here: it is built for another system",
                bundle.id()
            ))
            .with_hint("pqlab fips preflight --bundle openssl@3.5.5"));
        };
        Ok(Self {
            origin: format!("bundle {}", bundle.id()),
            openssl: bundle.openssl,
            library,
            modules: bundle.modules,
            configuration: bundle.fips_config,
        })
    }

    fn below(prefix: &Path) -> Result<Self, CliError> {
        let first = |names: &[&str]| names.iter().map(|name| prefix.join(name)).find(|path| path.exists());
        let library = first(&[
            "lib/libcrypto.so.4",
            "lib64/libcrypto.so.4",
            "lib/libcrypto.so.3",
            "lib64/libcrypto.so.3",
            "lib/libcrypto.so",
            "lib64/libcrypto.so",
            "lib/libcrypto.3.dylib",
        ]);
        let library = library.ok_or_else(|| {
            CliError::environment(format!("{PREFIX} is {}, which has no lib/libcrypto.so.3 or .4", prefix.display()))
                .with_hint(format!("set {PREFIX} to the --prefix of an OpenSSL 3 or 4, or use --bundle openssl@3.5.5"))
        })?;
        Ok(Self {
            origin: PREFIX.into(),
            openssl: first(&["bin/openssl"]),
            library,
            modules: first(&["lib/ossl-modules", "lib64/ossl-modules"]),
            configuration: first(&["ssl/openssl-fips.cnf", "ssl/fipsmodule.cnf"]),
        })
    }

    fn newest() -> Result<Self, CliError> {
        let mut bundles = bundle::installed()?;
        bundles.retain(|bundle| bundle.spec.kind == Kind::OpenSsl && bundle.library.is_some());
        // FIPS first, then the version.
        bundles.sort_by(|a, b| (a.spec.fips, &a.spec.version).cmp(&(b.spec.fips, &b.spec.version)));
        let newest = bundles.pop().ok_or_else(|| {
            CliError::environment("there is no OpenSSL bundle here, and no OpenSSL is named")
                .with_hint(format!("pqlab bundle build openssl@3.5.5 --fips, or set {PREFIX}"))
        })?;
        Self::of_bundle(newest)
    }

    /// The FIPS module file.
    ///
    /// # Errors
    /// In words, what is missing.
    pub fn module(&self) -> Result<PathBuf, String> {
        let modules = self.modules.as_ref().ok_or("it has no directory of provider modules (lib/ossl-modules)")?;
        let names = ["fips.so", "fips.dylib", "fips.dll"];
        names
            .iter()
            .map(|name| modules.join(name))
            .find(|path| path.is_file())
            .ok_or_else(|| format!("{} has no fips.so", modules.display()))
    }

    /// How to start a worker with the FIPS provider, or with the default one.
    ///
    /// # Errors
    /// In words, what is missing for the FIPS provider.
    pub fn spec(&self, fips: bool) -> Result<ProviderSpec, String> {
        let parts = if fips {
            self.module()?;
            let configuration = self.configuration.clone();
            let configuration =
                configuration.ok_or("it has no configuration of the FIPS provider (ssl/openssl-fips.cnf)")?;
            self.modules.clone().map(|modules| (modules, configuration))
        } else {
            None
        };
        Ok(ProviderSpec::OpenSsl { library: self.library.clone(), fips: parts, origin: self.origin.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_prefix_is_searched_and_the_environment_overrides_its_parts() {
        let directory = tempfile::tempdir().unwrap();
        let prefix = directory.path();
        fs::create_dir_all(prefix.join("lib64/ossl-modules")).unwrap();
        fs::write(prefix.join("lib64/libcrypto.so.3"), "").unwrap();
        let named = |name: &str| (name == PREFIX).then(|| prefix.to_owned());
        let place = Place::find(None, named).unwrap();
        assert_eq!(place.library, prefix.join("lib64/libcrypto.so.3"));
        assert_eq!(place.modules, Some(prefix.join("lib64/ossl-modules")));
        assert_eq!((place.configuration.clone(), place.openssl.clone()), (None, None));
        assert!(place.module().unwrap_err().contains("no fips.so"));
        assert!(place.spec(true).is_err() && place.spec(false).is_ok());

        let elsewhere = |name: &str| match name {
            PREFIX => Some(prefix.to_owned()),
            MODULES => Some("/m".into()),
            CONFIGURATION => Some("/c".into()),
            _ => None,
        };
        let place = Place::find(None, elsewhere).unwrap();
        assert_eq!((place.modules, place.configuration), (Some("/m".into()), Some("/c".into())));
    }

    #[test]
    fn a_prefix_without_libcrypto_is_an_error_with_a_hint() {
        let directory = tempfile::tempdir().unwrap();
        let error = Place::find(None, |_| Some(directory.path().to_owned())).unwrap_err();
        assert!(error.what().contains("libcrypto") && error.hint().is_some(), "{error}");
    }
}
