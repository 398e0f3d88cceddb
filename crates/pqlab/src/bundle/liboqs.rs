//! Builds liboqs: every algorithm of the release, chosen for the CPU at run time, independent of any OpenSSL.

use super::error::{Error, Result};
use super::process::{self, Meter, tool};
use super::recipe::{Made, Work};
use super::tools::Tool;
use std::fs;
use std::path::Path;

/// What the build needs.
pub const TOOLS: [Tool; 3] = [Tool::Compiler, Tool::Cmake, Tool::Ninja];

/// Reads the version from `CMakeLists.txt`: in three numbers, before 0.11 in one text.
pub fn source_version(root: &Path) -> Option<String> {
    let text = fs::read_to_string(root.join("CMakeLists.txt")).ok()?;
    let value = |name: &str| {
        let rest =
            text.lines().find_map(|line| line.trim().strip_prefix("set(")?.strip_prefix(name)?.strip_prefix(' '))?;
        Some(rest.trim().trim_end_matches(')').trim_matches('"').to_owned())
    };
    let numbers = || {
        let [major, minor, patch] = ["MAJOR", "MINOR", "PATCH"].map(|part| value(&format!("OQS_VERSION_{part}")));
        let extra = value("OQS_VERSION_PRE_RELEASE").unwrap_or_default();
        Some(format!("{}.{}.{}{extra}", major?, minor?, patch?))
    };
    numbers().or_else(|| value("OQS_VERSION_TEXT"))
}

/// Compiles and installs into the staging directory.
///
/// # Errors
/// A step fails (with the last lines of the log), or the library is not where it should be.
pub fn build(work: &mut Work) -> Result<Made> {
    let build = work.stage.join("build");
    let mut configure = tool("cmake");
    configure.env("CC", Tool::Compiler.program());
    // Relative paths, so that the recorded command does not name the staging directory.
    let source = work.source.strip_prefix(&work.stage).unwrap_or(&work.source);
    configure.current_dir(&work.stage).arg("-S").arg(source).args(["-B", "build"]).args([
        "-GNinja",
        "-DCMAKE_BUILD_TYPE=Release",
        "-DBUILD_SHARED_LIBS=ON",
        // Code for every instruction set, chosen at run time; else the library is bound to this machine.
        "-DOQS_DIST_BUILD=ON",
        "-DOQS_BUILD_ONLY_LIB=ON",
        // Hashes and AES are liboqs's own, so that its figures do not depend on which OpenSSL is installed.
        "-DOQS_USE_OPENSSL=OFF",
        "-DCMAKE_INSTALL_LIBDIR=lib",
    ]);
    configure.arg(format!("-DCMAKE_INSTALL_PREFIX={}", work.prefix.display()));
    work.progress.step(&format!("{}: configuring", work.spec));
    process::run("cmake", &mut configure, &work.log, &work.progress, None)?;

    let mut ninja = tool("ninja");
    ninja.arg("-C").arg(&build).arg(format!("-j{}", work.jobs));
    // "[12/345] Building C object …": ninja counts by itself; 1,000 parts make the scale.
    let meter = Meter { total: 1000, count: &|done, line| counted(line).unwrap_or(done) };
    work.progress.step(&format!("{}: compiling", work.spec));
    process::run("ninja", &mut ninja, &work.log, &work.progress, Some(&meter))?;

    let destination = work.stage.join("destination");
    let mut install = tool("cmake");
    install.arg("--install").arg(&build).env("DESTDIR", &destination);
    process::run("cmake --install", &mut install, &work.log, &work.progress, None)?;
    let below = work.prefix.strip_prefix("/").unwrap_or(&work.prefix);
    let installed = destination.join(below);
    fs::remove_dir(&work.root).map_err(|error| Error::io("replace", &work.root, &error))?;
    fs::rename(&installed, &work.root).map_err(|error| Error::io("collect", &installed, &error))?;
    if !work.root.join("lib/liboqs.so").exists() {
        return Err(Error::new(format!("{}: the build left no lib/liboqs.so", work.spec)));
    }
    let license = work.source.join("LICENSE.txt");
    if license.is_file() {
        super::recipe::copy_file(&license, &work.root.join("LICENSE.txt"))?;
    }
    Ok(Made { configure: process::spell(&configure), flags: flags(&build), reported: None })
}

fn counted(line: &str) -> Option<u64> {
    let (done, total) = line.strip_prefix('[')?.split_once(']')?.0.split_once('/')?;
    let (done, total): (u64, u64) = (done.parse().ok()?, total.parse().ok()?);
    done.checked_mul(1000)?.checked_div(total)
}

/// The compiler flags of the build type, from CMake's cache.
fn flags(build: &Path) -> Option<String> {
    let cache = fs::read_to_string(build.join("CMakeCache.txt")).ok()?;
    let value = |name: &str| cache.lines().find_map(|line| line.strip_prefix(name)?.split_once('=').map(|(_, v)| v));
    let flags = format!("{} {}", value("CMAKE_C_FLAGS:")?, value("CMAKE_C_FLAGS_RELEASE:")?);
    Some(flags.trim().to_owned())
}
