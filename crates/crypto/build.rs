//! Tells the crate how it is compiled, so that a record can name what was measured:
//!
//! * `PQLAB_VERSION_<CRATE>` for every package in `Cargo.lock` (`PQLAB_VERSION_AWS_LC_SYS`, `PQLAB_VERSION_ML_KEM`, …).
//!   Where the lock file holds several versions it is the one this crate depends on itself, else all, joined by ` and `.
//! * `PQLAB_CRATES_<FEATURE>` for the providers made of many crates: `name version` of each crate that computes.
//! * `PQLAB_RUSTC`, `PQLAB_TARGET`, `PQLAB_PROFILE`, `PQLAB_OPT_LEVEL`, `PQLAB_TARGET_CPU`, `PQLAB_TARGET_FEATURES`.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Crates that do the work of provider `rustcrypto`: the ones used by name, and those in which their arithmetic,
/// permutations and block functions lie.
const RUSTCRYPTO: &[&str] = &[
    "ml-kem",
    "ml-dsa",
    "slh-dsa",
    "module-lattice",
    "x25519-dalek",
    "ed25519-dalek",
    "curve25519-dalek",
    "p256",
    "p384",
    "ecdsa",
    "elliptic-curve",
    "primeorder",
    "primefield",
    "rfc6979",
    "rsa",
    "crypto-bigint",
    "crypto-primes",
    "aes",
    "aes-gcm",
    "ghash",
    "polyval",
    "ccm",
    "ctr",
    "chacha20poly1305",
    "chacha20",
    "poly1305",
    "ascon-aead128",
    "ascon",
    "sha2",
    "sha3",
    "shake",
    "keccak",
    "hmac",
    "hkdf",
    "getrandom",
];

/// Crates that do the work of provider `libcrux`.
const LIBCRUX: &[&str] = &[
    "libcrux-ml-kem",
    "libcrux-ml-dsa",
    "libcrux-sha3",
    "libcrux-sha2",
    "libcrux-ed25519",
    "libcrux-curve25519",
    "libcrux-chacha20poly1305",
    "libcrux-poly1305",
    "libcrux-hkdf",
    "libcrux-hmac",
    "libcrux-hacl-rs",
    "libcrux-intrinsics",
    "libcrux-platform",
    "getrandom",
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let lock = find_lock();
    println!("cargo::rerun-if-changed={}", lock.display());
    let text = std::fs::read_to_string(&lock).unwrap_or_else(|e| panic!("cannot read {}: {e}", lock.display()));
    let packages = Packages::parse(&text);
    for name in packages.versions.keys() {
        set(&format!("PQLAB_VERSION_{}", name.to_uppercase().replace('-', "_")), &packages.version(name));
    }
    for (variable, crates) in [("PQLAB_CRATES_RUSTCRYPTO", RUSTCRYPTO), ("PQLAB_CRATES_LIBCRUX", LIBCRUX)] {
        let list: Vec<String> = crates.iter().map(|name| format!("{name} {}", packages.all_versions(name))).collect();
        set(variable, &list.join(", "));
    }
    compiler();
    libcrux_simd256();
}

fn set(name: &str, value: &str) {
    println!("cargo::rustc-env={name}={value}");
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_default()
}

/// The lock file of the workspace: next to this manifest or above it.
fn find_lock() -> PathBuf {
    let manifest = variable("CARGO_MANIFEST_DIR");
    Path::new(&manifest)
        .ancestors()
        .map(|folder| folder.join("Cargo.lock"))
        .find(|lock| lock.is_file())
        .unwrap_or_else(|| panic!("no Cargo.lock in {manifest} or above it: build inside the workspace"))
}

/// What `Cargo.lock` says, as far as it is needed here.
struct Packages {
    /// Name → versions.
    versions: BTreeMap<String, BTreeSet<String>>,
    /// Name → version, for direct dependencies of this crate of which several versions exist.
    direct: BTreeMap<String, String>,
}

impl Packages {
    /// The lock file is written by cargo alone: one key per line, `"name version"` in a dependency list where the
    /// name is ambiguous.
    fn parse(text: &str) -> Self {
        let mut packages = Self { versions: BTreeMap::new(), direct: BTreeMap::new() };
        for block in text.split("[[package]]").skip(1) {
            let value = |key: &str| {
                block.lines().find_map(|line| line.strip_prefix(key)?.trim().strip_prefix("= \"")?.strip_suffix('"'))
            };
            let (Some(name), Some(version)) = (value("name"), value("version")) else { continue };
            packages.versions.entry(name.into()).or_default().insert(version.into());
            if name == variable("CARGO_PKG_NAME") {
                let lines = block.lines().filter_map(|line| line.trim().strip_prefix('"')?.strip_suffix("\","));
                let pairs = lines.filter_map(|line| line.split_once(' '));
                packages.direct = pairs.map(|(name, version)| (name.into(), version.into())).collect();
            }
        }
        packages
    }

    fn version(&self, name: &str) -> String {
        self.direct.get(name).cloned().unwrap_or_else(|| self.all_versions(name))
    }

    fn all_versions(&self, name: &str) -> String {
        let versions = self.versions.get(name).unwrap_or_else(|| panic!("{name} is not in Cargo.lock"));
        versions.iter().map(String::as_str).collect::<Vec<_>>().join(" and ")
    }
}

/// Compiler, target and code-generation settings. Cargo does not tell a build script about LTO or codegen-units.
fn compiler() {
    let version = Command::new(variable("RUSTC")).arg("--version").output();
    let version = version.map(|out| String::from_utf8_lossy(&out.stdout).trim().to_owned()).unwrap_or_default();
    set("PQLAB_RUSTC", if version.is_empty() { "rustc of unknown version" } else { &version });
    set("PQLAB_TARGET", &variable("TARGET"));
    set("PQLAB_PROFILE", &variable("PROFILE"));
    set("PQLAB_OPT_LEVEL", &variable("OPT_LEVEL"));
    set("PQLAB_TARGET_FEATURES", &variable("CARGO_CFG_TARGET_FEATURE"));
    let flags = variable("CARGO_ENCODED_RUSTFLAGS");
    let cpu = flags.split('\x1f').filter_map(|flag| flag.split_once("target-cpu=")).next_back();
    set("PQLAB_TARGET_CPU", cpu.map_or("default", |(_, cpu)| cpu));
}

/// The build scripts of the libcrux crates compile the AVX2 code on x86_64 unless told otherwise, and the `avx2`
/// modules exist only then: the same rule here.
fn libcrux_simd256() {
    println!("cargo::rustc-check-cfg=cfg(libcrux_simd256)");
    println!("cargo::rerun-if-env-changed=LIBCRUX_DISABLE_SIMD256");
    let disabled = matches!(variable("LIBCRUX_DISABLE_SIMD256").as_str(), "1" | "y" | "Y");
    if variable("CARGO_CFG_TARGET_ARCH") == "x86_64" && !disabled {
        println!("cargo::rustc-cfg=libcrux_simd256");
    }
}
