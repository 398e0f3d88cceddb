//! An `openssl` executable: what it is, and its runs, bounded in time and output.

use crate::bundle::mingw;
use crate::error::CliError;
use report::openssl_speed::{Build, MAX_BYTES, parse};
use report::record::Library;
use sha2::{Digest, Sha256};
use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Longest wait for `openssl version -a`.
const VERSION_LIMIT: Duration = Duration::from_secs(20);

/// A program that says it is OpenSSL or LibreSSL.
#[derive(Debug, Clone)]
pub struct Executable {
    /// Where it is.
    pub path: PathBuf,
    /// What `version -a` says.
    pub build: Build,
    /// SHA-256 of the file.
    pub sha256: String,
    /// Folders of its own shared libraries, searched first.
    libraries: Vec<PathBuf>,
    /// Wine, for a program of Windows.
    runner: Option<PathBuf>,
}

/// What a run printed and how it ended.
#[derive(Debug)]
pub struct Ended {
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
    /// `None` when it did not end in time and was killed.
    pub status: Option<ExitStatus>,
    /// From just before the start to the end.
    pub elapsed: Duration,
}

impl Executable {
    /// Asks the program who it is. A name without a slash is looked for in `PATH`.
    ///
    /// # Errors
    /// There is no such program, it cannot be started, or it is not OpenSSL.
    pub fn open(path: &Path) -> Result<Self, CliError> {
        let hint = "give the executable, e.g. --bin /usr/bin/openssl, or an installed bundle: `pqlab bundle list`";
        let shown = path.display();
        let found =
            find(path).ok_or_else(|| CliError::usage(format!("there is no program {shown}")).with_hint(hint))?;
        let bytes = std::fs::read(&found)
            .map_err(|error| CliError::usage(format!("cannot read {shown}: {error}")).with_hint(hint))?;
        let sha256 = hex::encode(Sha256::digest(bytes));
        let windows = found.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("exe"));
        let runner = if windows {
            Some(mingw::wine().ok_or_else(|| {
                CliError::environment(format!("{shown} is a program of Windows, and {} is not installed", mingw::WINE))
                    .with_hint("sudo apt-get install wine")
            })?)
        } else {
            None
        };
        let mut program = Self { libraries: libraries(&found), path: found, build: Build::default(), sha256, runner };
        let ended = program
            .run(&["version", "-a"], VERSION_LIMIT)
            .map_err(|error| CliError::usage(format!("cannot start {shown}: {error}")).with_hint(hint))?;
        let builds = parse(&[&ended.stdout]).map(|log| log.builds).unwrap_or_default();
        match builds.into_iter().next().filter(|_| ended.status.is_some_and(|status| status.success())) {
            Some(build) => program.build = build,
            None => {
                let said = String::from_utf8_lossy(&ended.stderr);
                let said: String =
                    said.lines().next().unwrap_or("").chars().filter(|c| !c.is_control()).take(200).collect();
                let said = if said.is_empty() { String::new() } else { format!(": it says `{said}`") };
                return Err(CliError::usage(format!("{shown} is not an OpenSSL{said}")).with_hint(hint));
            }
        }
        Ok(program)
    }

    /// For the record.
    #[must_use]
    pub fn library(&self) -> Library {
        Library { path: self.path.display().to_string(), sha256: self.sha256.clone() }
    }

    /// Whether it is LibreSSL, whose `speed` has no `-seconds`.
    #[must_use]
    pub fn is_libressl(&self) -> bool {
        self.build.name == "libressl"
    }

    /// Runs it with these arguments; it is killed after `limit`.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn run(&self, arguments: &[&str], limit: Duration) -> std::io::Result<Ended> {
        let mut command = match &self.runner {
            Some(runner) => {
                let mut command = Command::new(runner);
                // Wine's own remarks are not the program's.
                command.arg(&self.path).env("WINEDEBUG", "-all");
                command
            }
            None => Command::new(&self.path),
        };
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(value) = self.library_path() {
            command.env(LIBRARY_PATH, value);
        }
        let started = Instant::now();
        let mut child = command.spawn()?;
        let stdout = collect(child.stdout.take());
        let stderr = collect(child.stderr.take());
        let status = wait(child, limit)?;
        let elapsed = started.elapsed();
        let joined = |thread: std::thread::JoinHandle<Vec<u8>>| thread.join().unwrap_or_default();
        Ok(Ended { stdout: joined(stdout), stderr: joined(stderr), status, elapsed })
    }

    fn library_path(&self) -> Option<OsString> {
        if self.libraries.is_empty() {
            return None;
        }
        let before = std::env::var_os(LIBRARY_PATH);
        let before = before.iter().flat_map(std::env::split_paths);
        std::env::join_paths(self.libraries.iter().cloned().chain(before)).ok()
    }
}

#[cfg(target_os = "macos")]
const LIBRARY_PATH: &str = "DYLD_LIBRARY_PATH";
#[cfg(not(target_os = "macos"))]
const LIBRARY_PATH: &str = "LD_LIBRARY_PATH";

fn find(path: &Path) -> Option<PathBuf> {
    if path.components().count() > 1 || path.is_absolute() {
        return path.is_file().then(|| path.to_path_buf());
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(path)).find(|candidate| candidate.is_file())
}

/// A build that is installed (`bin/openssl` with `lib`), or one in its build tree (`apps/openssl` with `..`). The
/// system's own needs nothing.
fn libraries(program: &Path) -> Vec<PathBuf> {
    let Ok(program) = program.canonicalize() else { return Vec::new() };
    let Some(above) = program.parent().and_then(Path::parent) else { return Vec::new() };
    if above == Path::new("/usr") || above == Path::new("/") {
        return Vec::new();
    }
    let holds_library = |folder: &PathBuf| {
        let names = ["libcrypto.so", "libcrypto.so.3", "libcrypto.so.4", "libcrypto.so.1.1", "libcrypto.dylib"];
        names.iter().any(|name| folder.join(name).exists())
    };
    ["lib", "lib64", ""].map(|folder| above.join(folder)).into_iter().filter(holds_library).collect()
}

/// Reads to the end, so that the program never waits for us; keeps what a log can have.
fn collect(pipe: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = (&mut pipe).take(MAX_BYTES as u64 / 2).read_to_end(&mut bytes);
            let _ = std::io::copy(&mut pipe, &mut std::io::sink());
        }
        bytes
    })
}

/// Waits without polling, so that the end is not seen late; a second thread keeps the limit.
fn wait(child: Child, limit: Duration) -> std::io::Result<Option<ExitStatus>> {
    let pid = nix::unistd::Pid::from_raw(child.id().cast_signed());
    let running = Arc::new(Mutex::new(true));
    let (ended, end) = mpsc::channel::<()>();
    let guard = Arc::clone(&running);
    let watch = std::thread::spawn(move || {
        if end.recv_timeout(limit) != Err(RecvTimeoutError::Timeout) {
            return false;
        }
        // Under the lock the process has not been waited for, so its number is still its own.
        let running = guard.lock().unwrap_or_else(PoisonError::into_inner);
        *running && nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGKILL).is_ok()
    });
    let status = wait_unreaped(pid).and_then(|()| {
        let mut running = running.lock().unwrap_or_else(PoisonError::into_inner);
        *running = false;
        let mut child = child;
        child.wait()
    });
    drop(ended);
    let killed = watch.join().unwrap_or(false);
    status.map(|status| (!killed).then_some(status))
}

/// Returns when the process has ended, and leaves it to be waited for.
fn wait_unreaped(pid: nix::unistd::Pid) -> std::io::Result<()> {
    use nix::sys::wait::{Id, WaitPidFlag, waitid};
    loop {
        match waitid(Id::Pid(pid), WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT) {
            Err(nix::errno::Errno::EINTR) => {}
            Err(error) => return Err(error.into()),
            Ok(_) => return Ok(()),
        }
    }
}
