//! OpenSSL for Windows, by the MinGW-w64 cross compiler: the executable alone, linked statically, so that it runs
//! without the compiler's or OpenSSL's own DLLs beside it. Under Wine, where that is installed, it can be measured.

use super::error::{Error, Result};
use super::openssl::make_goals;
use super::process::{self, tool};
use super::recipe::{Made, Work, copy_file};
use super::tools::{self, Tool};
use std::path::{Path, PathBuf};

/// What the build needs.
pub const TOOLS: [Tool; 3] = [Tool::MingwCompiler, Tool::Make, Tool::Perl];

/// Before the names of the cross compiler's programs.
pub const PREFIX: &str = "x86_64-w64-mingw32-";

/// Where the executable is in the bundle.
pub const EXECUTABLE: &str = "bin/openssl.exe";

/// What runs it on Linux.
pub const WINE: &str = "wine";

/// Wine, where it is installed.
pub fn wine() -> Option<PathBuf> {
    tools::find(WINE)
}

/// Compiles and collects.
///
/// # Errors
/// A step fails (with the last lines of the log); under Wine, the result is not the version asked for.
pub fn build(work: &mut Work) -> Result<Made> {
    let prefix = work.prefix.display().to_string();
    let mut configure = tool("perl");
    configure.current_dir(&work.source).args(["./Configure", "mingw64"]).args([
        format!("--cross-compile-prefix={PREFIX}"),
        format!("--prefix={prefix}"),
        format!("--openssldir={prefix}/ssl"),
        "no-shared".into(),
        "no-module".into(),
        "no-tests".into(),
        "-static".into(),
    ]);
    // The headers of MinGW-w64 10 lack a constant (SIO_UDP_NETRESET) that QUIC wants; nothing that is measured uses QUIC.
    if work.source.join("ssl/quic").is_dir() {
        configure.arg("no-quic");
    }
    work.progress.step(&format!("{}: configuring", work.spec));
    process::run("Configure", &mut configure, &work.log, &work.progress, None)?;
    make_goals(work, &["apps/openssl.exe"])?;
    let executable = work.root.join(EXECUTABLE);
    copy_file(&work.source.join("apps/openssl.exe"), &executable)?;
    for (from, to) in [("apps/openssl.cnf", "ssl/openssl.cnf"), ("LICENSE.txt", "LICENSE.txt")] {
        if work.source.join(from).is_file() {
            copy_file(&work.source.join(from), &work.root.join(to))?;
        }
    }
    let reported = match wine() {
        Some(wine) => Some(asked(work, &wine, &executable)?),
        None => None,
    };
    Ok(Made { configure: process::spell(&configure), flags: None, reported })
}

fn asked(work: &Work, wine: &Path, executable: &Path) -> Result<String> {
    let mut command = tool(wine);
    // A place of its own: the first start of Wine fills the user's home otherwise.
    command.env("WINEPREFIX", work.stage.join("wine")).env("WINEDEBUG", "-all").arg(executable).args(["version", "-a"]);
    let reported = process::capture("openssl.exe version, under Wine", &mut command)?;
    if reported.starts_with(&format!("OpenSSL {} ", work.spec.version)) {
        return Ok(reported);
    }
    let first = reported.lines().next().unwrap_or_default();
    Err(Error::new(format!("{}: the finished openssl.exe calls itself {first:?}", work.spec)))
}
