//! The programs that a build needs, checked before any work.

use super::error::{Error, Result};
use super::process;
use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A program, and the Debian package that brings it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tool {
    /// The C compiler: `$CC`, else `cc`.
    Compiler,
    /// The C compiler that makes programs for Windows.
    MingwCompiler,
    /// `make`.
    Make,
    /// `perl` with the modules of its standard library that OpenSSL's configuration uses.
    Perl,
    /// `cmake`.
    Cmake,
    /// `ninja`.
    Ninja,
    /// `git`, which fetches a commit.
    Git,
    /// `cargo`, which fetches the packages that carry a source.
    Cargo,
}

impl Tool {
    /// What is started.
    pub fn program(self) -> String {
        match self {
            Tool::Compiler => {
                std::env::var("CC").ok().filter(|cc| !cc.trim().is_empty()).unwrap_or_else(|| "cc".into())
            }
            Tool::MingwCompiler => format!("{}gcc", super::mingw::PREFIX),
            Tool::Make => "make".into(),
            Tool::Perl => "perl".into(),
            Tool::Cmake => "cmake".into(),
            Tool::Ninja => "ninja".into(),
            Tool::Git => "git".into(),
            Tool::Cargo => {
                std::env::var("CARGO").ok().filter(|cargo| !cargo.is_empty()).unwrap_or_else(|| "cargo".into())
            }
        }
    }

    fn packages(self) -> &'static [&'static str] {
        match self {
            Tool::Compiler => &["gcc", "libc6-dev"],
            Tool::MingwCompiler => &["gcc-mingw-w64-x86-64"],
            Tool::Make => &["make"],
            Tool::Perl => &["perl"],
            Tool::Cmake => &["cmake"],
            Tool::Ninja => &["ninja-build"],
            Tool::Git => &["git"],
            Tool::Cargo => &["cargo"],
        }
    }

    /// Whether it can be used.
    pub fn present(self) -> bool {
        let program = self.program();
        let Some(path) = program.split_whitespace().next().and_then(find) else { return false };
        if self != Tool::Perl {
            return true;
        }
        // Debian's perl-base has the program without the library.
        let mut command = process::tool(path);
        command.args(["-MFindBin", "-MFile::Compare", "-MIPC::Cmd", "-e", "1"]);
        process::capture("perl", &mut command).is_ok()
    }
}

/// Checks that all are there.
///
/// # Errors
/// Names all that are missing at once, and how to install them.
pub fn require(tools: &BTreeSet<Tool>) -> Result<()> {
    let missing: Vec<Tool> = tools.iter().copied().filter(|tool| !tool.present()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let names: Vec<String> = missing
        .iter()
        .map(|tool| match tool {
            Tool::Perl => "perl (with its standard library)".into(),
            tool => tool.program(),
        })
        .collect();
    let packages: Vec<&str> = missing.iter().flat_map(|tool| tool.packages()).copied().collect();
    Err(Error::new(format!("missing programs: {}", names.join(", ")))
        .with_hint(format!("sudo apt-get install {}", packages.join(" "))))
}

/// First line of the compiler's `--version`.
///
/// # Errors
/// The compiler does not answer.
pub fn compiler_version(compiler: Tool) -> Result<String> {
    let program = compiler.program();
    let mut words = program.split_whitespace();
    let mut command = process::tool(words.next().unwrap_or("cc"));
    command.args(words).arg("--version");
    let text = process::capture("the C compiler", &mut command)?;
    Ok(text.lines().next().unwrap_or_default().trim().to_owned())
}

/// Looks a program up as a shell would.
pub fn find(program: &str) -> Option<PathBuf> {
    let executable = |path: &Path| path.metadata().is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0);
    if program.contains('/') {
        return Some(PathBuf::from(program)).filter(|path| executable(path));
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|directory| directory.join(program)).find(|path| executable(path))
}
