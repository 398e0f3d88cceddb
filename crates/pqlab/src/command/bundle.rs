//! `pqlab bundle`: build, list, verify and check bundles of OpenSSL and liboqs.

use super::Listing;
use crate::bundle::build::{Done, Request, build};
use crate::bundle::manifest::Finding;
use crate::bundle::pins::{Digest, Pins};
use crate::bundle::source::{Candidate, Choice, candidates};
use crate::bundle::{self, Cache, Error, Found, Kind, Result, Spec, found};
use crate::cli::Global;
use crate::error::Outcome;
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use std::io::Write;
use std::process::ExitCode;

mod env;

/// Builds of OpenSSL and liboqs from pinned, verified sources.
#[derive(Debug, Args)]
pub struct BundleArgs {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Build bundles and keep them in the cache.
    ///
    /// The source comes from the project's release archive; where that cannot be had, from the package in cargo's
    /// registry that carries it. Either is compared with a pinned SHA-256 before it is unpacked.
    Build(BuildArgs),
    /// List the bundles in the cache.
    List,
    /// Hash every file of the bundles again; exit code 1 if anything differs.
    Verify {
        /// Bundles, such as openssl@3.5.5+fips; all if none is named.
        specs: Vec<String>,
    },
    /// Check a version and its pins without doing anything.
    Check {
        /// Bundles, such as openssl@3.5.5+fips.
        #[arg(required = true)]
        specs: Vec<String>,
    },
    /// Print the environment that selects a bundle, or run a command in it.
    Env(env::EnvArgs),
}

#[derive(Debug, Args)]
struct BuildArgs {
    /// Bundles, such as openssl@3.5.5 or liboqs@0.13.0.
    #[arg(required = true)]
    specs: Vec<String>,
    /// Build OpenSSL with its FIPS provider (the same as openssl@VERSION+fips).
    #[arg(long)]
    fips: bool,
    /// Take the source from an archive, a directory, an address, or a commit (git+URL#TAG); or only from `release` or
    /// `package`.
    #[arg(long, value_name = "FILE|DIR|URL")]
    source: Option<String>,
    /// SHA-256 that the archive of --source must have, for a version without a pin.
    #[arg(long, value_name = "HEX")]
    sha256: Option<String>,
    /// Compilers at a time [default: number of CPUs].
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Build again what is there already.
    #[arg(long)]
    force: bool,
}

/// Runs the verb. Results go to stdout, as one JSON document with `--json`; progress to stderr unless `--quiet`.
///
/// Returns the exit code: 0, or 1 when `verify` found a difference or the preflight of `env` did not pass.
///
/// # Errors
/// Everything that is exit code 2.
pub fn run(args: &BundleArgs, global: Global) -> Outcome {
    let Global { json, quiet, .. } = global;
    let cache = Cache::from_environment()?;
    let code = match &args.verb {
        Verb::Build(args) => run_build(args, &cache, json, quiet)?,
        Verb::List => run_list(&cache, json)?,
        Verb::Verify { specs } => run_verify(&parse(specs)?, &cache, json)?,
        Verb::Check { specs } => run_check(&parse(specs)?, json)?,
        Verb::Env(args) => return env::run(args, global),
    };
    Ok(code)
}

/// Read here and not by clap, so that the hint of an error is shown.
fn parse(specs: &[String]) -> Result<Vec<Spec>> {
    specs.iter().map(|spec| spec.parse()).collect()
}

fn run_build(args: &BuildArgs, cache: &Cache, json: bool, quiet: bool) -> Result<ExitCode> {
    let pins = Pins::built_in()?;
    let mut specs = Vec::new();
    for spec in parse(&args.specs)? {
        let spec = if args.fips && spec.kind == Kind::OpenSsl { spec.with_fips()? } else { spec };
        if !specs.contains(&spec) {
            specs.push(spec);
        }
    }
    if args.fips && !specs.iter().any(|spec| spec.fips) {
        return Err(Error::new("--fips is for OpenSSL, which is not among the bundles named")
            .with_hint("pqlab bundle build openssl@3.5.5 --fips"));
    }
    let jobs = args.jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
    let choice = args.source.as_deref().map(str::parse::<Choice>).transpose()?;
    let sha256 = args.sha256.as_deref().map(str::parse::<Digest>).transpose()?;
    let request = Request { specs, choice, sha256, jobs, force: args.force };
    // A program that handles Ctrl-C already calls `bundle::interrupt` from there.
    let _ = ctrlc::try_set_handler(bundle::interrupt);
    let done = build(&request, cache, &pins, quiet)?;
    if json {
        let bundles: Vec<Value> = done.iter().map(|done| built_json(done, cache)).collect();
        return print(&document("build", bundles));
    }
    print(&done.iter().map(|done| built_text(done, cache)).collect::<String>())
}

fn built_json(Done { manifest, built }: &Done, cache: &Cache) -> Value {
    let mut value = json!(manifest);
    if let Some(fields) = value.as_object_mut() {
        fields.insert("path".into(), json!(cache.bundles().join(manifest.id.replacen('@', "-", 1))));
        fields.insert("status".into(), json!(if *built { "built" } else { "present" }));
    }
    value
}

fn built_text(Done { manifest, built }: &Done, cache: &Cache) -> String {
    let path = cache.bundles().join(manifest.id.replacen('@', "-", 1));
    let state = if *built { "built" } else { "was there already, intact" };
    let source = &manifest.source;
    format!(
        "{}  {state}\n  path      {}\n  source    {} {}\n  sha256    {} (compared with: {})\n  compiler  {}\n  flags     {}\n",
        manifest.id,
        path.display(),
        source.kind,
        source.location,
        source.sha256,
        source.verified_by,
        manifest.compiler,
        manifest.flags.as_deref().unwrap_or("not known"),
    )
}

/// Why a bundle, or what is in it, cannot be used here.
fn reason(found: &Found) -> Option<String> {
    match &found.bundle {
        Ok(bundle) => bundle.not_runnable(),
        Err(error) => Some(error.to_string()),
    }
}

fn run_list(cache: &Cache, json: bool) -> Result<ExitCode> {
    let found = found(cache)?;
    if json {
        let bundles = found.iter().map(|found| {
            let bundle = found.bundle.as_ref().ok();
            let size = bundle.map(|bundle| bundle.manifest.files.iter().filter_map(|entry| entry.size).sum::<u64>());
            json!({
                "id": found.spec.to_string(),
                "path": found.root,
                "size": size,
                "built_at": bundle.map(|bundle| &bundle.manifest.built_at),
                "status": if bundle.is_some() { "complete" } else { "damaged" },
                "reason": reason(found),
                "library": bundle.and_then(|bundle| bundle.library.as_ref()),
                "openssl": bundle.and_then(|bundle| bundle.openssl.as_ref()),
                "modules": bundle.and_then(|bundle| bundle.modules.as_ref()),
                "fips_config": bundle.and_then(|bundle| bundle.fips_config.as_ref()),
            })
        });
        return print(&document("list", bundles.collect()));
    }
    if found.is_empty() {
        return print(&format!(
            "no bundle in {}\nmake one: pqlab bundle build openssl@3.5.5\n",
            cache.bundles().display()
        ));
    }
    let mut table = Listing::new(&["bundle", "size", "built", "status", "path"], &["built"]);
    for found in &found {
        let (size, built, status) = match &found.bundle {
            Ok(bundle) => {
                let bytes: u64 = bundle.manifest.files.iter().filter_map(|entry| entry.size).sum();
                (
                    format!("{:.1} MB", bytes as f64 / 1e6),
                    bundle.manifest.built_at.clone(),
                    bundle.not_runnable().unwrap_or_else(|| "complete".to_owned()),
                )
            }
            Err(error) => ("-".to_owned(), "-".to_owned(), format!("damaged: {error}")),
        };
        table.add(&[&found.spec.to_string(), &size, &built, &status, &found.root.display().to_string()]);
    }
    print(&table.to_string())
}

fn run_verify(specs: &[Spec], cache: &Cache, json: bool) -> Result<ExitCode> {
    let mut all = found(cache)?;
    if let Some(missing) = specs.iter().find(|spec| !all.iter().any(|found| found.spec == **spec)) {
        return Err(Error::new(format!("{missing} is not built")).with_hint(format!("pqlab bundle build {missing}")));
    }
    all.retain(|found| specs.is_empty() || specs.contains(&found.spec));
    let (mut clean, mut text, mut bundles) = (true, String::new(), Vec::new());
    for bundle::Found { spec, root, .. } in &all {
        // Whatever is wrong with a bundle is a finding: that is what the verb is asked for.
        let manifest = bundle::manifest::Manifest::read(root);
        let outcome: Result<(usize, Vec<Finding>)> =
            manifest.and_then(|manifest| Ok((manifest.files.len(), manifest.verify(root)?)));
        let good = matches!(&outcome, Ok((_, findings)) if findings.is_empty());
        clean &= good;
        let (files, findings, reason) = match outcome {
            Ok((files, findings)) => (Some(files), findings, None),
            Err(error) => (None, Vec::new(), Some(error.to_string())),
        };
        match (&reason, files) {
            (Some(reason), _) => text.push_str(&format!("{spec}  damaged: {reason}\n")),
            (None, Some(files)) if good => text.push_str(&format!("{spec}  {files} files intact\n")),
            (None, _) => text.push_str(&format!("{spec}  {} files differ\n", findings.len())),
        }
        for Finding { path, problem } in &findings {
            text.push_str(&format!("  {:8} {path}\n", problem.as_str()));
        }
        let status = if good { "intact" } else { "damaged" };
        let id = spec.to_string();
        bundles.push(
            json!({ "id": id, "path": root, "status": status, "files": files, "findings": findings, "reason": reason }),
        );
    }
    if json {
        print(&document("verify", bundles))?;
    } else if all.is_empty() {
        print(&format!("no bundle in {}\n", cache.bundles().display()))?;
    } else {
        print(&text)?;
    }
    Ok(if clean { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn run_check(specs: &[Spec], json: bool) -> Result<ExitCode> {
    let pins = Pins::built_in()?;
    let (mut text, mut bundles) = (String::new(), Vec::new());
    for spec in specs {
        let mut sources = Vec::new();
        text.push_str(&format!("{spec}  pinned\n"));
        for candidate in candidates(spec, None, None, &pins)? {
            let (kind, location, sha256) = match candidate {
                Candidate::Release(release) => ("release", release.url, release.sha256),
                Candidate::Package(package) => {
                    ("package", format!("{} {}", package.name, package.release), package.sha256)
                }
                Candidate::Url(..) | Candidate::File(..) | Candidate::Directory(_) | Candidate::Git(_) => continue,
            };
            text.push_str(&format!("  {kind}  {sha256}  {location}\n"));
            sources.push(json!({ "kind": kind, "location": location, "sha256": sha256.to_string() }));
        }
        bundles.push(json!({ "id": spec.to_string(), "status": "pinned", "sources": sources }));
    }
    if json { print(&document("check", bundles)) } else { print(&text) }
}

fn document(verb: &str, bundles: Vec<Value>) -> String {
    format!("{:#}\n", json!({ "schema": "pqlab.bundles/1", "verb": verb, "bundles": bundles }))
}

/// A reader that went away (`| head`) is no error.
fn print(text: &str) -> Result<ExitCode> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Error::new(format!("cannot write to stdout: {error}")))
        }
        _ => Ok(ExitCode::SUCCESS),
    }
}
