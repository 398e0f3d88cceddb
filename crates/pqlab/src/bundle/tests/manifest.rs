use crate::bundle::manifest::{FILE, Manifest, Origin, Problem, SCHEMA, entries};
use crate::bundle::{Cache, found, resolve_in};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

fn bundle(root: &Path, id: &str) -> Manifest {
    fs::create_dir_all(root.join("lib")).unwrap();
    fs::create_dir_all(root.join("bin")).unwrap();
    fs::write(root.join("lib/libcrypto.so.9"), "library").unwrap();
    symlink("libcrypto.so.9", root.join("lib/libcrypto.so")).unwrap();
    fs::write(root.join("bin/openssl"), "program").unwrap();
    let manifest = Manifest {
        schema: SCHEMA.into(),
        id: id.into(),
        name: "openssl".into(),
        version: "9.9.9".into(),
        fips: id.ends_with("fips"),
        source: Origin {
            kind: "file".into(),
            location: "x".into(),
            sha256: "0".repeat(64),
            verified_by: "pin".into(),
            supplements: Vec::new(),
        },
        compiler: "cc 1".into(),
        flags: None,
        configure: "Configure".into(),
        reported: None,
        built_at: "2026-01-01T00:00:00Z".into(),
        pqlab: "0".into(),
        files: entries(root).unwrap(),
    };
    manifest.write(root).unwrap();
    manifest
}

#[test]
fn every_kind_of_difference_is_found() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    let manifest = bundle(root, "openssl@9.9.9");
    manifest.check_closed().unwrap();
    assert_eq!(Manifest::read(root).unwrap(), manifest);
    assert_eq!(manifest.verify(root).unwrap(), []);
    let problems = || -> Vec<(String, Problem)> {
        manifest.verify(root).unwrap().into_iter().map(|finding| (finding.path, finding.problem)).collect()
    };

    // Same length, other content: only a hash shows it.
    fs::write(root.join("lib/libcrypto.so.9"), "Library").unwrap();
    assert!(manifest.complete(root));
    assert_eq!(problems(), [("lib/libcrypto.so.9".to_owned(), Problem::Altered)]);
    fs::write(root.join("lib/libcrypto.so.9"), "library").unwrap();
    assert_eq!(problems(), []);

    fs::remove_file(root.join("lib/libcrypto.so")).unwrap();
    symlink("other", root.join("lib/libcrypto.so")).unwrap();
    fs::remove_file(root.join("bin/openssl")).unwrap();
    fs::write(root.join("lib/extra.so"), "").unwrap();
    assert!(!manifest.complete(root));
    let expected = [
        ("bin/openssl".to_owned(), Problem::Missing),
        ("lib/extra.so".to_owned(), Problem::Extra),
        ("lib/libcrypto.so".to_owned(), Problem::Altered),
    ];
    assert_eq!(problems(), expected);
}

#[test]
fn a_manifest_that_is_newer_broken_or_leads_outside_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    bundle(root, "openssl@9.9.9");
    let good = fs::read_to_string(root.join(FILE)).unwrap();
    for (from, to) in [
        (SCHEMA, "pqlab.bundle/2"),
        ("\"bin/openssl\"", "\"../bin/openssl\""),
        ("\"bin/openssl\"", "\"/bin/sh\""),
        ("\"compiler\"", "\"compilers\""),
        ("{", ""),
    ] {
        let text = good.replacen(from, to, 1);
        assert_ne!(text, good);
        fs::write(root.join(FILE), text).unwrap();
        Manifest::read(root).expect_err(to);
    }
}

#[test]
fn a_bundle_that_reaches_outside_is_not_closed() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    let mut manifest = bundle(root, "openssl@9.9.9");
    symlink("/usr/bin/openssl", root.join("bin/other")).unwrap();
    manifest.files = entries(root).unwrap();
    let error = manifest.check_closed().unwrap_err();
    assert!(error.what().contains("bin/other"), "{error}");
}

#[test]
fn finished_bundles_are_found_and_unfinished_ones_are_not() {
    let directory = tempfile::tempdir().unwrap();
    let cache = Cache::at(directory.path()).unwrap();
    assert!(found(&cache).unwrap().is_empty(), "a cache that does not exist is empty");
    assert!(resolve_in(&cache, "openssl@9.9.9").unwrap_err().hint().unwrap().contains("bundle build openssl@9.9.9"));

    bundle(&cache.bundles().join("openssl-9.9.9+fips"), "openssl@9.9.9+fips");
    bundle(&cache.bundles().join(".stage-openssl-9.9.8.77"), "openssl@9.9.8");
    bundle(&cache.bundles().join("openssl-9.9.7"), "openssl@1.2.3");
    fs::create_dir(cache.bundles().join("something else")).unwrap();
    let all = found(&cache).unwrap();
    let states: Vec<_> = all.iter().map(|found| (found.spec.to_string(), found.bundle.is_ok())).collect();
    assert_eq!(states, [("openssl@9.9.7".to_owned(), false), ("openssl@9.9.9+fips".to_owned(), true)]);

    for id in ["openssl@9.9.9", "openssl@9.9.9+fips"] {
        let bundle = resolve_in(&cache, id).unwrap();
        assert_eq!(bundle.id(), "openssl@9.9.9+fips");
        assert!(bundle.library.unwrap().ends_with("lib/libcrypto.so.9"));
        assert_eq!(bundle.modules, None);
    }
    fs::write(bundle_file(&cache), "").unwrap();
    assert!(resolve_in(&cache, "openssl@9.9.9").unwrap_err().what().contains("shortened"));
}

fn bundle_file(cache: &Cache) -> std::path::PathBuf {
    cache.bundles().join("openssl-9.9.9+fips/lib/libcrypto.so.9")
}
