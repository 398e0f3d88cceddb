//! Runs the program and reads what it stored.
#![allow(dead_code)] // each test program uses a part of it

use report::record::{Row, Run, Sample, Status};
use report::store::{read_run, read_samples};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// Hashes and a MAC: three families of work that takes no time to set up.
pub const HASHES: &str = r#"
name = "hashes"
analysis = "For tests."

[settings]
processes = 2
rounds = 2
epoch_ms = 0.2
keys = 4
inputs = 8

[[measure]]
algorithms = ["SHA-256", "SHA3-256", "HMAC-SHA256"]
operations = ["hash", "mac"]
sizes = [1024]
"#;

/// One row a provider.
pub const ONE_HASH: &str = r#"
name = "one-hash"
analysis = "For tests."

[settings]
processes = 2
rounds = 2
epoch_ms = 0.2
keys = 4
inputs = 8

[[measure]]
algorithms = ["SHA-256"]
operations = ["hash"]
sizes = [1024]
"#;

/// The program, in a folder of its own where it finds no bundles.
pub struct Lab {
    folder: TempDir,
}

impl Lab {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, text).expect("a file in the temporary folder");
        path
    }

    /// `pqlab` with these arguments, ready to run in the folder.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pqlab"));
        command.args(arguments).current_dir(self.folder.path()).env("XDG_CACHE_HOME", self.path("cache"));
        command.env_remove("NO_COLOR").env("TERM", "xterm");
        command
    }

    pub fn pqlab(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("pqlab can be started")
    }

    /// `pqlab run` of that plan text into the directory `run`, with further arguments.
    pub fn run(&self, plan: &str, arguments: &[&str]) -> Ran {
        self.run_into("run", plan, arguments)
    }

    pub fn run_into(&self, directory: &str, plan: &str, arguments: &[&str]) -> Ran {
        self.write("plan.toml", plan);
        let all: Vec<&str> = ["run", "./plan.toml", "--output", directory].iter().chain(arguments).copied().collect();
        let output = self.pqlab(&all);
        Ran { output, dir: self.path(directory) }
    }
}

/// What a run left.
pub struct Ran {
    pub output: Output,
    pub dir: PathBuf,
}

impl Ran {
    pub fn code(&self) -> Option<i32> {
        self.output.status.code()
    }

    pub fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.output.stderr).into_owned()
    }

    pub fn stdout(&self) -> String {
        String::from_utf8_lossy(&self.output.stdout).into_owned()
    }

    /// The record of a run that ended with 0.
    #[track_caller]
    pub fn fine(&self) -> Run {
        assert_eq!(self.code(), Some(0), "{}{}", self.stdout(), self.stderr());
        self.record()
    }

    #[track_caller]
    pub fn record(&self) -> Run {
        read_run(&self.dir).unwrap_or_else(|error| panic!("{error}\n{}{}", self.stdout(), self.stderr()))
    }

    #[track_caller]
    pub fn samples(&self) -> Vec<Sample> {
        read_samples(&self.dir).unwrap_or_else(|error| panic!("{error}\n{}{}", self.stdout(), self.stderr()))
    }
}

/// Rows of the provider with that name.
pub fn rows_of<'a>(run: &'a Run, name: &str) -> Vec<&'a Row> {
    run.rows.iter().filter(|row| row.provider.split('@').next() == Some(name)).collect()
}

/// Every row but those of `name` was measured.
#[track_caller]
pub fn others_are_fine(run: &Run, name: &str) {
    let others: Vec<&Row> = run.rows.iter().filter(|row| row.provider.split('@').next() != Some(name)).collect();
    assert!(!others.is_empty());
    for row in others {
        assert_eq!(row.status, Status::Ok, "{}: {:?}", row.id, row.reason);
        assert!(row.median_ns.is_some_and(|ns| ns > 0.0), "{}", row.id);
    }
}

/// `python3 tests/FILE ARGUMENT` as a `--worker` command.
pub fn worker(file: &str, argument: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(file);
    let path = path.to_str().expect("a path in UTF-8");
    assert!(!path.contains(char::is_whitespace), "--worker splits at blanks, and {path} has some");
    format!("python3 {path} {argument}").trim_end().to_owned()
}
