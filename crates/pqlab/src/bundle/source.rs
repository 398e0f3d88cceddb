//! Where the source of a bundle may come from, and how it gets into the staging directory: verified, then unpacked.

use super::cache::Cache;
use super::error::{Error, Result};
use super::git::Repository;
use super::manifest::Origin;
use super::pins::{Digest, Package, Pins, Release};
use super::process::{self, Log};
use super::progress::Progress;
use super::spec::{Kind, Spec};
use super::tree;
use super::unpack::{Bounds, unpack};
use super::{download, registry};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// What `--source` names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// The project's own release archive, and nothing else.
    Release,
    /// The package in cargo's registry, and nothing else.
    Package,
    /// An address.
    Url(String),
    /// A commit of a git repository.
    Git(Repository),
    /// A file or a directory.
    Path(PathBuf),
}

impl FromStr for Choice {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Ok(match text {
            "release" => Choice::Release,
            "package" => Choice::Package,
            _ if text.starts_with("git+") => Choice::Git(text.get(4..).unwrap_or_default().parse()?),
            _ if text.starts_with("https://") || text.starts_with("http://") => Choice::Url(text.to_owned()),
            _ if text.contains("://") => {
                return Err(Error::new(format!("{text:?}: only http and https addresses can be fetched"))
                    .with_hint("download it yourself and give the file to --source"));
            }
            _ => Choice::Path(PathBuf::from(text)),
        })
    }
}

/// One place to get the source from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Candidate {
    /// The project's own release archive.
    Release(Release),
    /// The package in cargo's registry.
    Package(Package),
    /// An address given by the user, and the hashes accepted.
    Url(String, Accepted),
    /// A file given by the user, and the hashes accepted.
    File(PathBuf, Accepted),
    /// A directory given by the user: nothing to compare it with.
    Directory(PathBuf),
    /// A commit of a git repository; its name is a hash of its content.
    Git(Repository),
}

/// The hashes that an archive given by the user may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accepted {
    digests: Vec<Digest>,
    by: &'static str,
}

/// Chooses the places to try, in order, without touching network or cache.
///
/// # Errors
/// No pin for this version and no `--sha256`; a path that does not exist.
pub fn candidates(spec: &Spec, choice: Option<&Choice>, sha256: Option<Digest>, pins: &Pins) -> Result<Vec<Candidate>> {
    let release = pins.release(spec).cloned();
    let package = pins.package(spec).cloned();
    let pinned: Vec<Digest> =
        release.iter().map(|pin| pin.sha256).chain(package.iter().map(|pin| pin.sha256)).collect();
    let accepted = || match sha256 {
        Some(digest) => Ok(Accepted { digests: vec![digest], by: "argument" }),
        None if !pinned.is_empty() => Ok(Accepted { digests: pinned.clone(), by: "pin" }),
        None => Err(no_pin(spec, pins)),
    };
    match choice {
        None => {
            let found: Vec<_> =
                release.map(Candidate::Release).into_iter().chain(package.map(Candidate::Package)).collect();
            if found.is_empty() { Err(no_pin(spec, pins)) } else { Ok(found) }
        }
        Some(Choice::Release) => release.map(|pin| vec![Candidate::Release(pin)]).ok_or_else(|| {
            Error::new(format!("the release archive of {spec} has no verified SHA-256 in this program"))
                .with_hint("give the archive with --source FILE|URL --sha256 HEX, or leave --source out")
        }),
        Some(Choice::Package) => package.map(|pin| vec![Candidate::Package(pin)]).ok_or_else(|| {
            Error::new(format!("no package is known that carries {spec}")).with_hint("leave --source out")
        }),
        Some(Choice::Url(url)) => Ok(vec![Candidate::Url(url.clone(), accepted()?)]),
        Some(Choice::Git(repository)) => Ok(vec![Candidate::Git(repository.clone())]),
        Some(Choice::Path(path)) => {
            let metadata = fs::metadata(path).map_err(|error| Error::io("read", path, &error))?;
            if metadata.is_dir() {
                return Ok(vec![Candidate::Directory(path.clone())]);
            }
            Ok(vec![Candidate::File(path.clone(), accepted()?)])
        }
    }
}

fn no_pin(spec: &Spec, pins: &Pins) -> Error {
    let versions: Vec<String> = pins.versions(spec.kind).iter().map(ToString::to_string).collect();
    Error::new(format!("no SHA-256 is pinned for {spec}; pinned versions are {}", versions.join(", ")))
        .with_hint("give --source FILE|URL --sha256 HEX, or --source DIR")
}

/// A source tree, ready to build.
#[derive(Debug)]
pub struct Source {
    /// The directory with `Configure` or `CMakeLists.txt`.
    pub root: PathBuf,
    /// For the manifest.
    pub origin: Origin,
}

/// What `obtain` works with.
pub struct Desk<'a> {
    /// Downloads are kept there.
    pub cache: &'a Cache,
    /// Where to unpack to.
    pub stage: &'a Path,
    /// Output of cargo.
    pub log: &'a Log,
    /// What the user sees.
    pub progress: &'a mut Progress,
}

/// Tries the candidates in order. One that cannot be had gives way to the next; one with a wrong checksum ends it.
///
/// # Errors
/// None could be had (each with its reason), a wrong checksum, a damaged archive, a source of another version.
pub fn obtain(spec: &Spec, candidates: &[Candidate], desk: &mut Desk) -> Result<Source> {
    let mut reasons = Vec::new();
    let into = desk.stage.join("source");
    for candidate in candidates {
        process::check_interrupt()?;
        let (archive, origin) = match candidate {
            Candidate::Directory(path) => {
                desk.progress.step(&format!("{spec}: copying {}", path.display()));
                let digest = tree::copy(path, &into)?;
                return ready(spec, &into, origin("directory", &path.to_string_lossy(), digest, "nothing"));
            }
            Candidate::Git(repository) => return cloned(spec, repository, &into, desk),
            Candidate::File(path, accepted) => {
                let bytes = read(path)?;
                let digest = accepted.check(spec, &bytes, path, "this file is yours and was left alone")?;
                (bytes, origin("file", &path.to_string_lossy(), digest, accepted.by))
            }
            Candidate::Url(url, accepted) => {
                let (bytes, digest) = downloaded(spec, url, accepted, desk)??;
                (bytes, origin("url", url, digest, accepted.by))
            }
            Candidate::Release(Release { url, sha256 }) => {
                match downloaded(spec, url, &Accepted::pin(*sha256), desk)? {
                    Ok((bytes, digest)) => (bytes, origin("release", url, digest, "pin")),
                    Err(error) => {
                        desk.progress.note(&format!("{spec}: {error}"));
                        reasons.push(error);
                        continue;
                    }
                }
            }
            Candidate::Package(package) => match packaged(spec, package, desk)? {
                Ok((bytes, digest)) => {
                    (bytes, origin("package", &format!("{} {}", package.name, package.release), digest, "pin"))
                }
                Err(error) => {
                    reasons.push(error);
                    continue;
                }
            },
        };
        desk.progress.step(&format!("{spec}: unpacking"));
        fs::create_dir(&into).map_err(|error| Error::io("create", &into, &error))?;
        unpack(&origin.location, &archive, &into, Bounds::default())?;
        return ready(spec, &into, origin);
    }
    let all: String = reasons.iter().map(|reason| format!("\n    {reason}")).collect();
    Err(Error::new(format!("the source of {spec} could not be had from any place:{all}"))
        .with_hint("give it with --source FILE|DIR|URL"))
}

/// A commit that was named in full vouches for its content; a tag or a branch may move.
fn cloned(spec: &Spec, repository: &Repository, into: &Path, desk: &mut Desk) -> Result<Source> {
    let Repository { url, reference } = repository;
    desk.progress.step(&format!("{spec}: fetching {reference} of {url}"));
    let scratch = desk.stage.join("repository");
    let commit = repository.fetch(&scratch, desk.log, desk.progress)?;
    let digest = tree::copy(&scratch, into)?;
    let by = if repository.names_commit() { "commit" } else { "nothing" };
    ready(spec, into, origin("git", &format!("{url}#{reference} (commit {commit})"), digest, by))
}

/// Downloads, or takes what was downloaded before; either is verified now. The inner error: it could not be had.
fn downloaded(spec: &Spec, url: &str, accepted: &Accepted, desk: &mut Desk) -> Result<Result<(Vec<u8>, Digest)>> {
    let place = desk.cache.downloads().join(file_name(url));
    if !place.is_file() {
        desk.progress.step(&format!("{spec}: downloading {url}"));
        if let Err(error) = download::download(url, &place, desk.progress) {
            process::check_interrupt()?;
            return Ok(Err(error));
        }
    }
    let bytes = read(&place)?;
    match accepted.check(spec, &bytes, &place, "the file was deleted; a second try downloads it anew") {
        Ok(digest) => Ok(Ok((bytes, digest))),
        Err(error) => {
            fs::remove_file(&place).map_err(|cause| Error::io("delete", &place, &cause))?;
            Err(error)
        }
    }
}

/// Lets cargo fetch the package, or takes it from cargo's cache; either is verified. The inner error: it could not be
/// had.
fn packaged(spec: &Spec, package: &Package, desk: &mut Desk) -> Result<Result<(Vec<u8>, Digest)>> {
    desk.progress.step(&format!("{spec}: fetching the package {} {}", package.name, package.release));
    match registry::fetch(package, &desk.stage.join("scratch"), desk.log, desk.progress) {
        Ok(path) => {
            let bytes = read(&path)?;
            let hint = "remove that file, so that cargo fetches it anew";
            let digest = Accepted::pin(package.sha256).check(spec, &bytes, &path, hint)?;
            Ok(Ok((bytes, digest)))
        }
        Err(error) => {
            process::check_interrupt()?;
            Ok(Err(error))
        }
    }
}

impl Accepted {
    fn pin(digest: Digest) -> Self {
        Self { digests: vec![digest], by: "pin" }
    }

    fn check(&self, spec: &Spec, bytes: &[u8], path: &Path, hint: &str) -> Result<Digest> {
        let digest = Digest::of(bytes);
        if self.digests.contains(&digest) {
            return Ok(digest);
        }
        let expected: Vec<String> = self.digests.iter().map(ToString::to_string).collect();
        let expected = expected.join(" or ");
        let what = format!("{spec}: wrong checksum of {}: SHA-256 is {digest}, expected {expected}", path.display());
        Err(Error::new(what).with_hint(hint))
    }
}

/// Finds the tree in what was unpacked and checks that it is the version asked for.
fn ready(spec: &Spec, unpacked: &Path, origin: Origin) -> Result<Source> {
    let marker = match spec.kind {
        Kind::OpenSsl => "Configure",
        Kind::LibOqs => "CMakeLists.txt",
    };
    let root = tree::find(unpacked, marker)?.ok_or_else(|| {
        let what = format!("{} is not a source of {}: it has no {marker}", origin.location, spec.kind.name());
        Error::new(what).with_hint("give the archive or directory of the release to --source")
    })?;
    let found = match spec.kind {
        Kind::OpenSsl => super::openssl::source_version(&root),
        Kind::LibOqs => super::liboqs::source_version(&root),
    };
    match found {
        Some(version) if version == spec.version.to_string() => Ok(Source { root, origin }),
        Some(version) => {
            let name = spec.kind.name();
            let what = format!("{} is {name} {version}, not {}", origin.location, spec.version);
            Err(Error::new(what).with_hint(format!("ask for {name}@{version}")))
        }
        None => Err(Error::new(format!("{} does not tell its version", origin.location))),
    }
}

fn origin(kind: &str, location: &str, digest: Digest, by: &str) -> Origin {
    Origin {
        kind: kind.into(),
        location: location.into(),
        sha256: digest.to_string(),
        verified_by: by.into(),
        supplements: Vec::new(),
    }
}

fn read(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(download::LARGEST + 1).read_to_end(&mut bytes));
    read.map_err(|error| Error::io("read", path, &error))?;
    if bytes.len() as u64 > download::LARGEST {
        return Err(Error::new(format!("{} is larger than {} MB", path.display(), download::LARGEST >> 20)));
    }
    Ok(bytes)
}

/// A name for the cache: the last part of the address, told apart from others of that name by a piece of its hash.
fn file_name(url: &str) -> String {
    let path = url.split(['?', '#']).next().unwrap_or(url);
    let last = path.rsplit('/').next().unwrap_or_default();
    let safe: String = last.chars().filter(|c| c.is_ascii_alphanumeric() || "-_.+".contains(*c)).take(80).collect();
    let digest = Digest::of(url.as_bytes()).to_string();
    format!("{}-{safe}", digest.get(..12).unwrap_or_default())
}
