//! How the code linked into this program was compiled. Every value comes from the build (`build.rs`, which reads
//! `Cargo.lock` and the compiler), none is typed by hand.

/// Compiler, target and code generation of the Rust code in this program, in one line.
///
/// The optimisation level is that of this crate, where the generic code of the Rust libraries is instantiated.
/// In the development profile the workspace compiles its dependencies at level 3 as well, with debug assertions on.
#[must_use]
pub fn rust_flags() -> String {
    format!(
        "{}; target {}; profile {}; opt-level {}; debug assertions {}; target-cpu {}; target-features {}",
        env!("PQLAB_RUSTC"),
        env!("PQLAB_TARGET"),
        env!("PQLAB_PROFILE"),
        env!("PQLAB_OPT_LEVEL"),
        if cfg!(debug_assertions) { "on" } else { "off" },
        env!("PQLAB_TARGET_CPU"),
        env!("PQLAB_TARGET_FEATURES"),
    )
}

/// Whether all of the named instruction-set extensions are there, on this CPU and in this operating system.
#[cfg(all(target_arch = "x86_64", any(feature = "rustcrypto", all(feature = "libcrux", libcrux_simd256))))]
macro_rules! cpu_has {
    ($($feature:tt),+) => { $(std::arch::is_x86_feature_detected!($feature))&&+ };
}
#[cfg(all(target_arch = "x86_64", any(feature = "rustcrypto", all(feature = "libcrux", libcrux_simd256))))]
pub(super) use cpu_has;

#[cfg(test)]
mod tests {
    #[test]
    fn versions_are_those_of_the_lock_file() {
        let lock = include_str!("../../../../Cargo.lock");
        for (name, version) in [
            ("ml-kem", env!("PQLAB_VERSION_ML_KEM")),
            ("aws-lc-sys", env!("PQLAB_VERSION_AWS_LC_SYS")),
            ("libcrux-ml-kem", env!("PQLAB_VERSION_LIBCRUX_ML_KEM")),
            ("sha3", env!("PQLAB_VERSION_SHA3")),
        ] {
            assert!(lock.contains(&format!("name = \"{name}\"\nversion = \"{version}\"\n")), "{name} {version}");
        }
    }

    #[test]
    fn every_listed_crate_and_version_is_in_the_lock_file() {
        let lock = include_str!("../../../../Cargo.lock");
        for list in [env!("PQLAB_CRATES_RUSTCRYPTO"), env!("PQLAB_CRATES_LIBCRUX")] {
            for entry in list.split(", ") {
                let (name, versions) = entry.split_once(' ').unwrap();
                for version in versions.split(" and ") {
                    assert!(lock.contains(&format!("name = \"{name}\"\nversion = \"{version}\"\n")), "{entry}");
                }
            }
        }
    }

    #[test]
    fn flags_name_the_compiler() {
        assert!(super::rust_flags().starts_with("rustc 1."));
    }
}
