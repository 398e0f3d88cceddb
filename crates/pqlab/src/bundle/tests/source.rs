use super::server::{Server, answer, redirect};
use crate::bundle::Cache;
use crate::bundle::error::Result;
use crate::bundle::pins::{Digest, Pins};
use crate::bundle::process::Log;
use crate::bundle::progress::Progress;
use crate::bundle::source::{Choice, Desk, Source, candidates, obtain};
use crate::bundle::spec::Spec;
use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

/// A tiny source of OpenSSL 9.9.9.
fn archive() -> Vec<u8> {
    let mut tar = tar::Builder::new(flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast()));
    let version = "MAJOR=9\nMINOR=9\nPATCH=9\nPRE_RELEASE_TAG=\n";
    for (path, text) in [("openssl-9.9.9/Configure", "#!/bin/sh\n"), ("openssl-9.9.9/VERSION.dat", version)] {
        let mut header = tar::Header::new_ustar();
        header.set_size(text.len() as u64);
        header.set_mode(0o755);
        tar.append_data(&mut header, path, text.as_bytes()).unwrap();
    }
    tar.into_inner().unwrap().finish().unwrap()
}

struct Bench {
    directory: tempfile::TempDir,
    cache: Cache,
}

impl Bench {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::at(directory.path()).unwrap();
        for path in [cache.downloads(), cache.logs()] {
            fs::create_dir_all(path).unwrap();
        }
        Self { directory, cache }
    }

    fn stage(&self) -> PathBuf {
        self.directory.path().join("stage")
    }

    fn obtain(&self, choice: Option<&str>, sha256: Option<Digest>, pins: &str) -> Result<Source> {
        self.obtain_as("openssl@9.9.9", choice, sha256, pins)
    }

    fn obtain_as(&self, spec: &str, choice: Option<&str>, sha256: Option<Digest>, pins: &str) -> Result<Source> {
        let stage = self.stage();
        if stage.exists() {
            fs::remove_dir_all(&stage).unwrap();
        }
        fs::create_dir(&stage).unwrap();
        let spec: Spec = spec.parse()?;
        let choice = choice.map(str::parse::<Choice>).transpose()?;
        let log = Log::create(self.cache.logs().join("log"))?;
        let mut progress = Progress::new(true);
        let plan = candidates(&spec, choice.as_ref(), sha256, &Pins::parse(pins)?)?;
        let mut desk = Desk { cache: &self.cache, stage: &stage, log: &log, progress: &mut progress };
        obtain(&spec, &plan, &mut desk)
    }

    fn downloads(&self) -> Vec<PathBuf> {
        fs::read_dir(self.cache.downloads()).unwrap().map(|entry| entry.unwrap().path()).collect()
    }
}

fn pin(url: &str, digest: Digest) -> String {
    format!("[[release]]\nproject = \"openssl\"\nversion = \"9.9.9\"\nurl = \"{url}\"\nsha256 = \"{digest}\"\n")
}

#[test]
fn a_release_is_downloaded_once_and_verified_each_time() {
    let bytes = archive();
    let server = Server::start(HashMap::from([("/a.tar.gz", answer(&bytes, bytes.len()))]));
    let bench = Bench::new();
    let pins = pin(&server.url("/a.tar.gz"), Digest::of(&bytes));

    let fresh = bench.obtain(None, None, &pins).unwrap();
    assert!(fresh.root.join("Configure").is_file());
    assert_eq!((fresh.origin.kind.as_str(), fresh.origin.verified_by.as_str()), ("release", "pin"));
    assert_eq!(fresh.origin.sha256, Digest::of(&bytes).to_string());

    bench.obtain(None, None, &pins).unwrap();
    assert_eq!(server.requests(), 1, "the second time comes from the cache");

    let [kept] = bench.downloads().try_into().unwrap();
    fs::write(&kept, b"altered").unwrap();
    let error = bench.obtain(None, None, &pins).unwrap_err();
    assert!(error.what().contains("wrong checksum"), "{error}");
    assert!(bench.downloads().is_empty(), "an altered download is deleted");
    assert!(!bench.stage().join("source").exists(), "and not unpacked");

    bench.obtain(None, None, &pins).unwrap();
    assert_eq!(server.requests(), 2);
}

#[test]
fn a_wrong_checksum_deletes_the_file_and_stops() {
    let bytes = archive();
    let garbage = b"<html>sign in to the network</html>";
    let server = Server::start(HashMap::from([("/a.tar.gz", answer(garbage, garbage.len()))]));
    let bench = Bench::new();
    // A package is pinned as well: after a wrong checksum it must not be tried.
    let package = format!(
        "[[package]]\nproject = \"openssl\"\nversion = \"9.9.9\"\nname = \"no-such\"\nrelease = \"1.0.0\"\nsha256 = \"{}\"\n",
        Digest::of(b"")
    );
    let pins = pin(&server.url("/a.tar.gz"), Digest::of(&bytes)) + &package;
    let error = bench.obtain(None, None, &pins).unwrap_err();
    let (found, wanted) = (Digest::of(garbage).to_string(), Digest::of(&bytes).to_string());
    assert!(error.what().contains("wrong checksum"), "{error}");
    assert!(error.what().contains(&found) && error.what().contains(&wanted), "{error}");
    assert!(bench.downloads().is_empty());
    assert!(!bench.stage().join("source").exists());
}

#[test]
fn a_redirect_is_followed_and_an_address_needs_its_hash() {
    let bytes = archive();
    let routes = HashMap::from([("/a", redirect("/b.tar.gz")), ("/b.tar.gz", answer(&bytes, bytes.len()))]);
    let server = Server::start(routes);
    let bench = Bench::new();
    let url = server.url("/a");
    bench.obtain(Some(&url), None, "").expect_err("no pin, no --sha256");
    assert_eq!(server.requests(), 0, "refused before any download");
    let source = bench.obtain(Some(&url), Some(Digest::of(&bytes)), "").unwrap();
    assert_eq!((source.origin.kind.as_str(), source.origin.verified_by.as_str()), ("url", "argument"));
    assert_eq!(server.requests(), 2);
}

#[test]
fn what_cannot_be_had_says_why_and_leaves_no_file() {
    let bytes = archive();
    let half = &bytes[..bytes.len() / 2];
    let server = Server::start(HashMap::from([
        ("/half", answer(half, bytes.len())),
        ("/huge", answer(&bytes, 1 << 40)),
        ("/loop", redirect("/loop")),
    ]));
    let bench = Bench::new();
    for (path, word) in [("/missing", "404"), ("/half", "bytes"), ("/huge", "larger than"), ("/loop", "redirect")] {
        let error = bench.obtain(Some(&server.url(path)), Some(Digest::of(&bytes)), "").expect_err(path);
        assert!(error.what().contains(word), "{path}: {error}");
        assert!(error.what().contains(path), "{path}: {error}");
        assert!(bench.downloads().is_empty(), "{path} left {:?}", bench.downloads());
    }
    // An address where nobody listens: the next place is tried, here there is none.
    let error = bench.obtain(None, None, &pin("http://127.0.0.1:1/a.tar.gz", Digest::of(&bytes))).unwrap_err();
    assert!(error.what().contains("could not be had from any place"), "{error}");
}

#[test]
fn a_file_of_the_user_is_verified_and_never_deleted() {
    let bench = Bench::new();
    let bytes = archive();
    let file = bench.directory.path().join("mine.tar.gz");
    fs::write(&file, &bytes).unwrap();
    let name = file.to_str().unwrap();
    let pins = pin("http://127.0.0.1:1/a.tar.gz", Digest::of(&bytes));
    assert_eq!(bench.obtain(Some(name), None, &pins).unwrap().origin.verified_by, "pin");
    fs::write(&file, b"something else").unwrap();
    let error = bench.obtain(Some(name), None, &pins).unwrap_err();
    assert!(error.what().contains("wrong checksum"), "{error}");
    assert!(file.is_file());
    assert!(!bench.stage().join("source").exists());
    bench.obtain(Some("/no/such/file"), None, &pins).unwrap_err();
}

#[test]
fn a_directory_is_copied_and_must_be_the_version_asked_for() {
    let bench = Bench::new();
    let mine = bench.directory.path().join("mine");
    fs::create_dir_all(mine.join(".git")).unwrap();
    fs::write(mine.join("Configure"), "").unwrap();
    fs::write(mine.join("VERSION.dat"), "MAJOR=9\nMINOR=9\nPATCH=9\n").unwrap();
    let name = mine.to_str().unwrap();
    let source = bench.obtain(Some(name), None, "").unwrap();
    assert_eq!(source.origin.verified_by, "nothing");
    assert!(source.root.starts_with(bench.stage()) && !source.root.join(".git").exists());
    let before = source.origin.sha256;
    fs::write(mine.join("Configure"), "changed").unwrap();
    assert_ne!(bench.obtain(Some(name), None, "").unwrap().origin.sha256, before);

    let error = bench.obtain_as("openssl@9.9.8", Some(name), None, "").unwrap_err();
    assert!(error.what().contains("9.9.9, not 9.9.8"), "{error}");
    let error = bench.obtain_as("liboqs@0.13.0", Some(name), None, "").unwrap_err();
    assert!(error.what().contains("not a source of liboqs"), "{error}");
    std::os::unix::fs::symlink("/etc/passwd", mine.join("leak")).unwrap();
    let error = bench.obtain(Some(name), None, "").unwrap_err();
    assert!(error.what().contains("leads outside"), "{error}");
}

#[test]
fn a_commit_of_a_repository_is_fetched_by_tag_and_by_name() {
    let place = tempfile::tempdir().unwrap();
    let repository = place.path().join("repository");
    fs::create_dir(&repository).unwrap();
    let git = |arguments: &[&str]| {
        let mut git = std::process::Command::new("git");
        git.current_dir(&repository).args(["-c", "user.name=x", "-c", "user.email=x@example.org"]).args(arguments);
        let output = git.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    git(&["init", "--quiet", "."]);
    for (version, tag) in [("4.1.0", "v1"), ("4.2.0", "v2")] {
        let [major, minor, patch] = version.split('.').collect::<Vec<_>>()[..] else { panic!() };
        let text = format!("MAJOR={major}\nMINOR={minor}\nPATCH={patch}\nPRE_RELEASE_TAG=dev\n");
        fs::write(repository.join("VERSION.dat"), text).unwrap();
        fs::write(repository.join("Configure"), "").unwrap();
        git(&["add", "-A"]);
        git(&["commit", "--quiet", "-m", tag]);
        git(&["tag", tag]);
    }
    let older = git(&["rev-parse", "v1"]);
    let at = |reference: &str| format!("git+file://{}#{reference}", repository.display());
    for (reference, by) in [("v1", "nothing"), (older.as_str(), "commit")] {
        let bench = Bench::new();
        let source = bench.obtain_as("openssl@4.1.0-dev", Some(&at(reference)), None, "").unwrap();
        assert_eq!((source.origin.kind.as_str(), source.origin.verified_by.as_str()), ("git", by));
        assert!(source.origin.location.ends_with(&format!("#{reference} (commit {older})")));
        assert!(source.root.join("Configure").is_file() && !source.root.join(".git").exists());
        let error = bench.obtain_as("openssl@4.2.0-dev", Some(&at(reference)), None, "").unwrap_err();
        assert!(error.to_string().contains("is openssl 4.1.0-dev"), "{error}");
    }
    let error = Bench::new().obtain_as("openssl@4.1.0-dev", Some(&at("v3")), None, "").unwrap_err();
    assert!(error.hint().unwrap().contains("after the #"), "{error}");
}
