//! Makes bundles: everything that can be refused is refused first, then source, compilation, manifest, one rename.

use super::cache::{Cache, put_in_place};
use super::error::{Error, Result};
use super::manifest::{Manifest, Origin, SCHEMA, entries};
use super::pins::{Digest, Pins};
use super::process::Log;
use super::progress::Progress;
use super::recipe::Work;
use super::source::{self, Candidate, Choice, Desk, Source};
use super::spec::{Kind, Platform, Spec};
use super::tools::{self, Tool};
use super::{liboqs, mingw, openssl, registry};
use std::collections::BTreeSet;
use std::fs;
use std::time::SystemTime;

/// What to build, and how.
#[derive(Debug, Clone)]
pub struct Request {
    /// The bundles, in order.
    pub specs: Vec<Spec>,
    /// Where the source comes from, instead of the pinned places; with one spec only.
    pub choice: Option<Choice>,
    /// The hash that the archive of `choice` must have, instead of the pin.
    pub sha256: Option<Digest>,
    /// Compilers at a time.
    pub jobs: usize,
    /// Build again what is there.
    pub force: bool,
}

/// One bundle of a request.
#[derive(Debug)]
pub struct Done {
    /// What it is.
    pub manifest: Manifest,
    /// False: it was there already, and intact.
    pub built: bool,
}

/// Makes the bundles in order; the first failure ends it, what was finished before stays.
///
/// # Errors
/// See the modules that do the parts; before any of them a missing pin, missing programs, an unusable cache.
pub fn build(request: &Request, cache: &Cache, pins: &Pins, quiet: bool) -> Result<Vec<Done>> {
    let Request { specs, choice, sha256, jobs, force } = request;
    if (choice.is_some() || sha256.is_some()) && specs.len() != 1 {
        return Err(Error::new("--source and --sha256 go with exactly one bundle").with_hint("make one call for each"));
    }
    if sha256.is_some() && !matches!(choice, Some(Choice::Url(_) | Choice::Path(_))) {
        return Err(Error::new("--sha256 is the hash of an archive given by --source FILE|URL"));
    }
    let mut plans = Vec::new();
    for spec in specs {
        plans.push((spec, source::candidates(spec, choice.as_ref(), *sha256, pins)?));
    }
    check_prefix(cache)?;
    let wanted = |(spec, _): &&(&Spec, Vec<Candidate>)| *force || !cache.bundle(spec).exists();
    tools::require(&plans.iter().filter(wanted).flat_map(|(spec, plan)| needs(spec, plan)).collect())?;
    cache.prepare()?;
    cache.sweep()?;
    let mut done = Vec::new();
    for (spec, plan) in &plans {
        done.push(one(spec, plan, *jobs, *force, cache, quiet)?);
    }
    Ok(done)
}

/// Programs that a bundle needs. Cargo only where no other place for the source is left.
fn needs(spec: &Spec, plan: &[Candidate]) -> BTreeSet<Tool> {
    let mut tools = BTreeSet::from(match (spec.kind, spec.platform) {
        (Kind::OpenSsl, Platform::Mingw) => mingw::TOOLS,
        (Kind::OpenSsl, Platform::Native) => openssl::TOOLS,
        (Kind::LibOqs, _) => liboqs::TOOLS,
    });
    match plan {
        [Candidate::Package(package)] if registry::cached(package).is_none() => {
            tools.insert(Tool::Cargo);
        }
        [Candidate::Git(_)] => {
            tools.insert(Tool::Git);
        }
        _ => {}
    }
    tools
}

/// The final place is spelt in makefiles and linker flags, where a space or a quote would mean something else.
fn check_prefix(cache: &Cache) -> Result<()> {
    let path = cache.bundles();
    let plain = |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || b"/-_.+@~".contains(&b));
    if path.to_str().is_some_and(plain) {
        return Ok(());
    }
    Err(Error::new(format!(
        "a library cannot be built for {}: only letters, digits and /-_.+@~ may be in it",
        path.display()
    ))
    .with_hint("set PQLAB_CACHE to a directory with a plain name"))
}

fn one(spec: &Spec, plan: &[Candidate], jobs: usize, force: bool, cache: &Cache, quiet: bool) -> Result<Done> {
    let mut progress = Progress::new(quiet);
    let lock = cache.lock(spec, &progress)?;
    let prefix = cache.bundle(spec);
    if !force && prefix.exists() {
        return present(spec, cache);
    }
    let stage = cache.stage(spec, &lock)?;
    let log = Log::create(cache.logs().join(format!("{}.log", spec.directory())))?;
    let mut desk = Desk { cache, stage: stage.path(), log: &log, progress: &mut progress };
    let Source { root: source, origin } = source::obtain(spec, plan, &mut desk)?;
    let root = stage.path().join("root");
    fs::create_dir(&root).map_err(|error| Error::io("create", &root, &error))?;
    let stage_path = stage.path().to_owned();
    let mut work = Work { spec: spec.clone(), source, stage: stage_path, root, prefix, jobs, log, progress };
    let manifest = make(&mut work, origin)?;
    put_in_place(&work.root, &work.prefix)?;
    let (place, log) = (work.prefix.display(), work.log.path().display());
    work.progress.note(&format!("{spec}: ready in {place} (log: {log})"));
    Ok(Done { manifest, built: true })
}

/// Compiles, collects and records in the staging directory.
fn make(work: &mut Work, mut origin: Origin) -> Result<Manifest> {
    let compiler = tools::compiler_version(match work.spec.platform {
        Platform::Native => Tool::Compiler,
        Platform::Mingw => Tool::MingwCompiler,
    })?;
    let made = match work.spec.kind {
        Kind::OpenSsl if work.spec.platform == Platform::Mingw => {
            origin.supplements = openssl::supplement(&work.source)?;
            mingw::build(work)?
        }
        Kind::OpenSsl => {
            origin.supplements = openssl::supplement(&work.source)?;
            openssl::build(work)?
        }
        Kind::LibOqs => liboqs::build(work)?,
    };
    let Work { spec, root, progress, .. } = work;
    progress.step(&format!("{spec}: recording"));
    let manifest = Manifest {
        schema: SCHEMA.into(),
        id: spec.to_string(),
        name: spec.kind.name().into(),
        version: spec.version.to_string(),
        fips: spec.fips,
        source: origin,
        compiler,
        flags: made.flags,
        configure: made.configure,
        reported: made.reported,
        built_at: utc(SystemTime::now()),
        pqlab: env!("CARGO_PKG_VERSION").into(),
        files: entries(root)?,
    };
    manifest.check_closed()?;
    manifest.write(root)?;
    Ok(manifest)
}

/// A bundle that is there is taken only when every byte is as it was built.
fn present(spec: &Spec, cache: &Cache) -> Result<Done> {
    let root = cache.bundle(spec);
    let again = format!("pqlab bundle build {spec} --force builds it again");
    let manifest = Manifest::read(&root).map_err(|error| Error::new(error.to_string()).with_hint(again.clone()))?;
    let findings = manifest.verify(&root)?;
    match findings.first() {
        None => Ok(Done { manifest, built: false }),
        Some(first) => {
            let what = format!("{spec} is damaged: {} is {}", first.path, first.problem.as_str());
            let more = if findings.len() > 1 { format!(", and {} more", findings.len() - 1) } else { String::new() };
            Err(Error::new(format!("{what}{more}")).with_hint(again))
        }
    }
}

/// RFC 3339 in UTC, to the second.
fn utc(time: SystemTime) -> String {
    let seconds = time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Days since 0000-03-01, so that the leap day is the last of its year; 400 years have 146,097 days.
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", second / 3600, second / 60 % 60, second % 60)
}

#[cfg(test)]
mod tests {
    use super::utc;
    use std::time::{Duration, SystemTime};

    #[test]
    fn times_agree_with_date() {
        // date -u -d @N +%FT%TZ
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_772_323_200, "2026-03-01T00:00:00Z"),
            (4_107_542_399, "2100-02-28T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(utc(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)), text);
        }
    }
}
