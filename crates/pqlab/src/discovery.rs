//! Which providers there are: linked in, bundles, shared libraries of the system, and what the command line names.

use crate::bundle::{self, Kind};
use crate::coordinator::arms::Arm;
use crate::coordinator::handle::WorkerFault;
use crate::coordinator::limits::Limits;
use crate::error::{CliError, nearest};
use crate::provider_spec::ProviderSpec;
use std::path::{Path, PathBuf};

/// Folders in which a distribution keeps shared libraries.
const SYSTEM_FOLDERS: [&str; 7] = [
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/usr/lib64",
    "/usr/lib",
    "/usr/local/lib",
    "/usr/local/lib64",
    "/opt/homebrew/lib",
];

/// Begins the origin of what comes from a bundle.
const BUNDLE: &str = "bundle ";

/// A provider by the name under which `--providers` selects it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// `aws-lc`, `openssl@3.5.5+fips`, `openssl@system`, …
    pub name: String,
    /// How to start it.
    pub spec: ProviderSpec,
    /// Named by the command line, not merely found: that it cannot be started is an error of use.
    pub demanded: bool,
}

impl Candidate {
    fn found(name: impl Into<String>, spec: ProviderSpec) -> Self {
        Self { name: name.into(), spec, demanded: false }
    }

    fn demanded(name: impl Into<String>, spec: ProviderSpec) -> Self {
        Self { name: name.into(), spec, demanded: true }
    }

    /// The name before the `@`.
    fn kind(&self) -> &str {
        self.name.split('@').next().unwrap_or(&self.name)
    }
}

/// All that can be found without being told, `null` left out.
#[must_use]
pub fn all() -> Vec<Candidate> {
    let mut found: Vec<Candidate> = crypto::provider::linked()
        .into_iter()
        .filter(|(name, _)| *name != "null")
        .map(|(name, _)| Candidate::found(name, ProviderSpec::Linked(name.into())))
        .collect();
    found.extend(bundles());
    found.extend(system());
    found
}

/// Every usable bundle; one with the FIPS provider serves the default provider too.
fn bundles() -> Vec<Candidate> {
    let mut found = Vec::new();
    // A cache that cannot be read has no bundles for us; `pqlab bundle list` gives the reason.
    for bundle in bundle::installed().unwrap_or_default() {
        let name = format!("{}@{}", bundle.spec.kind.name(), bundle.spec.version);
        let origin = format!("{BUNDLE}{}", bundle.spec);
        // Built for another system: nothing to load.
        let Some(library) = bundle.library.clone() else { continue };
        match bundle.spec.kind {
            Kind::LibOqs => found.push(Candidate::found(name, ProviderSpec::Liboqs { library, origin })),
            Kind::OpenSsl => {
                let plain = ProviderSpec::OpenSsl { library: library.clone(), fips: None, origin: origin.clone() };
                if !found.iter().any(|known: &Candidate| known.name == name) {
                    found.push(Candidate::found(name.clone(), plain));
                }
                if let Some(fips) = bundle.modules.zip(bundle.fips_config) {
                    let spec = ProviderSpec::OpenSsl { library, fips: Some(fips), origin };
                    found.push(Candidate::found(format!("{name}+fips"), spec));
                }
            }
        }
    }
    found
}

fn system() -> Vec<Candidate> {
    let mut found = Vec::new();
    if let Some(library) = first_of(&["libcrypto.so.4", "libcrypto.so.3", "libcrypto.3.dylib"]) {
        let spec = ProviderSpec::OpenSsl { library, fips: None, origin: "system".into() };
        found.push(Candidate::found("openssl@system", spec));
    }
    if let Some(library) = first_of(&["liboqs.so", "liboqs.dylib"]) {
        let spec = ProviderSpec::Liboqs { library, origin: "system".into() };
        found.push(Candidate::found("liboqs@system", spec));
    }
    found
}

fn first_of(names: &[&str]) -> Option<PathBuf> {
    let folders = SYSTEM_FOLDERS.iter();
    folders.flat_map(|folder| names.iter().map(move |name| Path::new(folder).join(name))).find(|path| path.exists())
}

/// The id of each candidate as reports show it, `name@version[+variant]`. Whose id is not known otherwise is started and
/// asked, all at the same time.
pub fn identify(candidates: &[&Candidate]) -> Vec<Result<String, WorkerFault>> {
    let ask = |candidate: &Candidate| match known_id(candidate) {
        Some(id) => Ok(id),
        None => Arm::start(candidate.spec.clone(), Limits::default()).map(|arm| arm.id),
    };
    std::thread::scope(|scope| {
        let handles: Vec<_> = candidates.iter().map(|candidate| scope.spawn(move || ask(candidate))).collect();
        handles
            .into_iter()
            .map(|handle| handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}

/// The id of what is linked in; and of a bundle, which has the version that it was built as. Loading a FIPS module runs its
/// self-tests, which a list shall not wait for.
fn known_id(candidate: &Candidate) -> Option<String> {
    match &candidate.spec {
        ProviderSpec::Linked(_) => candidate.spec.load().ok().map(|provider| provider.identity.id()),
        ProviderSpec::OpenSsl { origin, .. } | ProviderSpec::Liboqs { origin, .. } => {
            origin.starts_with(BUNDLE).then(|| candidate.name.clone())
        }
        ProviderSpec::External { .. } => None,
    }
}

/// The candidates that the command line asks for: names, kinds (`openssl`), ids (`openssl@3.5.5`), or `openssl=PATH`,
/// `liboqs=PATH`. Without names: all. What is named twice, one by one, is in it twice.
///
/// # Errors
/// An unknown name, with the nearest; a path that does not exist.
pub fn select(names: &[String], workers: &[String]) -> Result<Vec<Candidate>, CliError> {
    let known = all();
    let mut chosen: Vec<Candidate> = Vec::new();
    for name in names {
        for candidate in one(name, &known)? {
            match chosen.iter_mut().find(|c| c.name == candidate.name) {
                // A kind and one of it: that one is demanded, and not named twice.
                Some(before) if !(before.demanded && candidate.demanded) => before.demanded |= candidate.demanded,
                _ => chosen.push(candidate),
            }
        }
    }
    if names.is_empty() {
        chosen = known;
    }
    for command in workers {
        let words: Vec<String> = command.split_whitespace().map(ToOwned::to_owned).collect();
        if words.is_empty() {
            return Err(
                CliError::usage("--worker is empty").with_hint("give a command, e.g. --worker 'python3 worker.py'")
            );
        }
        chosen.push(Candidate::demanded(command.clone(), ProviderSpec::External { command: words }));
    }
    Ok(chosen)
}

fn one(name: &str, known: &[Candidate]) -> Result<Vec<Candidate>, CliError> {
    if name.trim().is_empty() {
        return Err(CliError::usage("--providers has an empty name")
            .with_hint("give names of `pqlab list providers`, separated by commas, or leave --providers out for all"));
    }
    let null = Candidate::demanded("null", ProviderSpec::Linked("null".into()));
    if name == null.name {
        return Ok(vec![null]);
    }
    if let Some((kind, path)) = name.split_once('=') {
        return at_path(kind, Path::new(path)).map(|candidate| vec![candidate]);
    }
    // The full name of one demands it; the name of a kind takes what there is.
    let matching: Vec<Candidate> = known
        .iter()
        .filter(|c| c.name == name || c.kind() == name)
        .map(|c| Candidate { demanded: c.name == name, ..c.clone() })
        .collect();
    if !matching.is_empty() {
        return Ok(matching);
    }
    let Some((kind, _)) = name.split_once('@') else { return Err(unknown(name, known, &[])) };
    let of_kind: Vec<&Candidate> = known.iter().chain([&null]).filter(|c| c.kind() == kind).collect();
    let ids = identify(&of_kind);
    match of_kind.iter().zip(&ids).find(|(_, id)| id.as_ref().is_ok_and(|id| id == name)) {
        Some((candidate, _)) => Ok(vec![Candidate { demanded: true, ..(*candidate).clone() }]),
        None => Err(unknown(name, known, &ids.into_iter().filter_map(Result::ok).collect::<Vec<_>>())),
    }
}

fn unknown(name: &str, known: &[Candidate], ids: &[String]) -> CliError {
    let names = ids.iter().map(String::as_str).chain(known.iter().map(|c| c.name.as_str()));
    let hint = match nearest(name, names) {
        Some(near) => format!("did you mean `{near}`? `pqlab list providers` shows all"),
        None => "`pqlab list providers` shows all; a library is given as openssl=PATH or liboqs=PATH".to_owned(),
    };
    CliError::usage(format!("unknown provider `{name}`")).with_hint(hint)
}

fn at_path(kind: &str, path: &Path) -> Result<Candidate, CliError> {
    let hint = "use openssl=PATH or liboqs=PATH; any other library takes part with --worker COMMAND";
    if !matches!(kind, "openssl" | "liboqs") {
        return Err(CliError::usage(format!("`{kind}` is no kind of library that can be loaded")).with_hint(hint));
    }
    let library = path.canonicalize().map_err(|e| {
        CliError::usage(format!("cannot find the library {}: {e}", path.display()))
            .with_hint("give the path of a libcrypto or liboqs shared library")
    })?;
    let origin = "path given".to_owned();
    let spec = match kind {
        "openssl" => ProviderSpec::OpenSsl { library, fips: None, origin },
        _ => ProviderSpec::Liboqs { library, origin },
    };
    Ok(Candidate::demanded(format!("{kind}={}", path.display()), spec))
}
