//! The OpenSSL adapter on real libraries: those that `PQLAB_TEST_LIBCRYPTO` names, separated by colons, and the
//! system's libcrypto.so.3. The FIPS tests also need `PQLAB_TEST_FIPS_MODULES` (the directory of `fips.so`) and
//! `PQLAB_TEST_FIPS_CONFIG` (`fipsmodule.cnf`), which belong to the first library named. What cannot run says so on
//! stderr and counts as skipped.
#![cfg(feature = "openssl")]

use crypto::provider::openssl::{Variant, load};
use crypto::{Fault, Provider};
use sha2::{Digest, Sha256};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

mod across;
mod agreement;
mod kem;
mod signature;
mod symmetric;

static SKIPPED: AtomicUsize = AtomicUsize::new(0);

fn skip(test: &str, why: &str) {
    let count = SKIPPED.fetch_add(1, Ordering::Relaxed) + 1;
    // Past the test runner's capture.
    let _ = writeln!(std::io::stderr(), "skipped ({count}): {test}: {why}");
}

fn named() -> Vec<PathBuf> {
    let named = std::env::var_os("PQLAB_TEST_LIBCRYPTO").unwrap_or_default();
    std::env::split_paths(&named).filter(|path| !path.as_os_str().is_empty()).collect()
}

fn system() -> Option<PathBuf> {
    let folders = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"];
    folders.iter().map(|folder| Path::new(folder).join("libcrypto.so.3")).find(|path| path.is_file())
}

fn fips_variant() -> Option<(PathBuf, Variant)> {
    let modules = std::env::var_os("PQLAB_TEST_FIPS_MODULES")?.into();
    let config = std::env::var_os("PQLAB_TEST_FIPS_CONFIG")?.into();
    Some((named().into_iter().next()?, Variant::Fips { modules, config }))
}

/// All libraries, each loaded once for all tests.
fn libraries(test: &str) -> &'static [Provider] {
    static LOADED: OnceLock<Vec<Provider>> = OnceLock::new();
    let loaded = LOADED.get_or_init(|| {
        let default = named().into_iter().chain(system()).map(|path| load(&path, &Variant::Default, "test").unwrap());
        let fips = fips_variant().map(|(path, variant)| load(&path, &variant, "test").unwrap());
        default.chain(fips).collect()
    });
    if loaded.is_empty() {
        skip(test, "PQLAB_TEST_LIBCRYPTO names no library and the system has none");
    }
    loaded
}

/// The libraries among all that have post-quantum algorithms (3.5 and newer).
fn modern(test: &str) -> Vec<&'static Provider> {
    let modern: Vec<_> = libraries(test).iter().filter(|provider| !provider.kems.is_empty()).collect();
    if modern.is_empty() {
        skip(test, "PQLAB_TEST_LIBCRYPTO names no library of OpenSSL 3.5 or newer");
    }
    modern
}

fn fault<T>(result: crypto::Result<T>) -> Fault {
    match result {
        Ok(_) => panic!("accepted"),
        Err(error) => error.fault(),
    }
}

/// Bytes of no structure, the same in every run.
fn noise(len: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as u8
    };
    std::iter::repeat_with(next).take(len).collect()
}

/// Strings of a length that are probably no valid encoding.
fn hostile(len: usize) -> [Vec<u8>; 3] {
    [vec![0; len], vec![0xff; len], noise(len)]
}

/// The bytes, changed in length.
fn resized(bytes: &[u8]) -> [Vec<u8>; 3] {
    [Vec::new(), bytes[1..].to_vec(), [bytes, &[0]].concat()]
}

/// The bytes with one bit changed, at a few places.
fn flipped(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    [0, bytes.len() / 2, bytes.len() - 1].into_iter().map(|at| {
        let mut copy = bytes.to_vec();
        copy[at] ^= 1;
        copy
    })
}

fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// What an export writes to a buffer of plenty.
fn exported(write: impl FnOnce(&mut [u8]) -> crypto::Result<usize>) -> Vec<u8> {
    let mut buffer = vec![0; 8192];
    let n = write(&mut buffer).unwrap();
    buffer.truncate(n);
    buffer
}

#[test]
fn identity_names_version_file_hash_and_build() {
    for provider in libraries("identity") {
        let identity = &provider.identity;
        assert_eq!(identity.name, "openssl");
        assert!(identity.version.starts_with(|c: char| c.is_ascii_digit()), "{}", identity.version);
        let library = identity.library.as_ref().unwrap();
        assert_eq!(library.sha256, sha256(&std::fs::read(&library.path).unwrap()));
        assert!(identity.flags.as_ref().unwrap().contains("-O"), "{:?}", identity.flags);
        if cfg!(target_arch = "x86_64") {
            assert!(identity.isa_path.as_ref().unwrap().starts_with("OPENSSL_ia32cap="), "{:?}", identity.isa_path);
        }
        assert_eq!(identity.fips.is_some(), identity.variant.is_some());
    }
}

#[test]
fn what_a_version_has_is_offered_and_nothing_else() {
    for provider in libraries("offer") {
        let Provider { identity, .. } = provider;
        let mut version = identity.version.split('.').map(|part| part.parse::<u32>().unwrap_or(0));
        let (major, minor) = (version.next().unwrap(), version.next().unwrap());
        let post_quantum = (major, minor) >= (3, 5);
        assert_eq!(provider.kems.len(), if post_quantum { 3 } else { 0 }, "{}", identity.id());
        // 3 ML-DSA, 12 SLH-DSA, 2 EdDSA, 2 ECDSA, 3 RSA.
        assert_eq!(provider.signatures.len(), if post_quantum { 22 } else { 7 }, "{}", identity.id());
        assert_eq!(provider.hashes.len(), 11, "{}", identity.id());
        assert_eq!(provider.macs.len(), 5, "{}", identity.id());
        assert_eq!(provider.kdfs.len(), 4, "{}", identity.id());
        if identity.variant.is_none() {
            assert_eq!(provider.agreements.len(), 4, "{}", identity.id());
            assert_eq!(provider.aeads.len(), 5, "{}", identity.id());
        } else {
            // FIPS 140-3 approves no ChaCha20-Poly1305.
            assert_eq!(provider.aeads.len(), 4, "{}", identity.id());
            assert!(provider.agreement("P-256").is_some());
        }
    }
}

#[test]
fn the_fips_module_describes_itself() {
    let Some((path, variant)) = fips_variant() else {
        return skip("fips", "PQLAB_TEST_FIPS_MODULES and PQLAB_TEST_FIPS_CONFIG are not set");
    };
    let provider = load(&path, &variant, "test").unwrap();
    assert_eq!(provider.identity.id(), format!("openssl@{}+fips", provider.identity.version));
    let state = provider.identity.fips.unwrap();
    assert!(state.contains("OpenSSL FIPS Provider") && state.ends_with("self tests passed"), "{state}");
}

/// In a process of its own: a module that failed once refuses to work for the rest of the process.
#[test]
fn a_fips_module_of_another_checksum_is_refused_with_the_reason() {
    if std::env::var_os("PQLAB_TEST_ALONE").is_none() {
        let name = "a_fips_module_of_another_checksum_is_refused_with_the_reason";
        let mut alone = std::process::Command::new(std::env::current_exe().unwrap());
        let output = alone.args(["--exact", name, "--nocapture"]).env("PQLAB_TEST_ALONE", "1").output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        return;
    }
    let Some((path, Variant::Fips { modules, config })) = fips_variant() else {
        return skip("fips checksum", "PQLAB_TEST_FIPS_MODULES and PQLAB_TEST_FIPS_CONFIG are not set");
    };
    let folder = std::env::temp_dir().join(format!("pqlab-openssl-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let wrong = folder.join("fipsmodule.cnf");
    let text: String = std::fs::read_to_string(&config)
        .unwrap()
        .lines()
        .map(|line| if line.starts_with("module-mac") { "module-mac = 00:11:22\n".into() } else { format!("{line}\n") })
        .collect();
    std::fs::write(&wrong, text).unwrap();
    let checksum = load(&path, &Variant::Fips { modules: modules.clone(), config: wrong.clone() }, "test");
    let none = load(&path, &Variant::Fips { modules: folder.clone(), config: config.clone() }, "test");
    std::fs::write(&wrong, "[fips_sect]\nactivate = 1\n").unwrap();
    let bare = load(&path, &Variant::Fips { modules, config: wrong }, "test");
    std::fs::remove_dir_all(&folder).unwrap();

    let error = checksum.err().unwrap();
    assert_eq!(error.fault(), Fault::Environment);
    assert!(error.what().contains("integrity failure") || error.what().contains("self test"), "{error}");
    assert!(error.hint().unwrap().contains("fipsinstall"));
    let error = none.err().unwrap();
    assert_eq!(error.fault(), Fault::Environment);
    assert!(error.what().contains("fips.so"), "{error}");
    let error = bare.err().unwrap();
    assert!(error.what().contains("module-mac"), "{error}");
}

#[test]
fn other_libraries_and_files_are_refused_with_a_hint() {
    let Some(system) = system() else {
        return skip("other libraries", "the system has no libcrypto.so.3");
    };
    let missing = load(Path::new("no-such-folder/libcrypto.so.3"), &Variant::Default, "test").err().unwrap();
    assert_eq!(missing.fault(), Fault::Environment);
    assert!(missing.what().contains("no-such-folder"), "{missing}");
    // A file that is no shared library. Tests run in the folder of their crate.
    let text = load(Path::new("Cargo.toml"), &Variant::Default, "test").err().unwrap();
    assert_eq!(text.fault(), Fault::Environment);
    assert!(text.what().contains("cannot be loaded") && text.hint().is_some(), "{text}");
    // A shared library that is not libcrypto: this program's own C library.
    let libc = system.with_file_name("libc.so.6");
    if !libc.is_file() {
        return skip("other libraries", "libc.so.6 is elsewhere");
    }
    let other = load(&libc, &Variant::Default, "test").err().unwrap();
    assert_eq!(other.fault(), Fault::Environment);
    assert!(other.what().contains("not a libcrypto") && other.hint().unwrap().contains("libcrypto.so.3"), "{other}");
}
