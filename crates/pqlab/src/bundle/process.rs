//! Runs the tools of a build: output to the log, Ctrl-C honoured, the last lines shown on failure.

use super::error::{Error, Result};
use super::progress::Progress;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Lines of the log shown when a step fails.
const LAST_LINES: usize = 15;

/// Asks a running build to stop. Safe to call from the thread that handles Ctrl-C.
pub fn interrupt() {
    INTERRUPTED.store(true, Ordering::SeqCst);
}

/// # Errors
/// The user asked to stop.
pub fn check_interrupt() -> Result<()> {
    if INTERRUPTED.load(Ordering::SeqCst) { Err(Error::interrupted()) } else { Ok(()) }
}

/// The log of one build.
pub struct Log {
    path: PathBuf,
    file: File,
}

impl Log {
    /// Starts a new log, replacing an older one of this name.
    ///
    /// # Errors
    /// Not writable.
    pub fn create(path: PathBuf) -> Result<Self> {
        let file = File::options().create(true).truncate(true).read(true).write(true).open(&path);
        let file = file.map_err(|error| Error::io("create", &path, &error))?;
        Ok(Self { path, file })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn size(&self) -> u64 {
        self.file.metadata().map_or(0, |metadata| metadata.len())
    }

    fn append(&self) -> Result<File> {
        File::options().append(true).open(&self.path).map_err(|error| Error::io("open", &self.path, &error))
    }

    /// The last lines, made fit for a terminal.
    fn tail(&self) -> String {
        const TAIL_BYTES: u64 = 16 << 10;
        let mut bytes = Vec::new();
        let read = File::open(&self.path).and_then(|mut file| {
            file.seek(SeekFrom::Start(self.size().saturating_sub(TAIL_BYTES)))?;
            file.take(TAIL_BYTES).read_to_end(&mut bytes)
        });
        if read.is_err() {
            return String::new();
        }
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        let from = lines.len().saturating_sub(LAST_LINES);
        let clean = |line: &&str| {
            let short: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).take(200).collect();
            format!("\n    {short}")
        };
        lines.get(from..).unwrap_or_default().iter().map(clean).collect()
    }
}

/// Counts the finished parts of a step in the lines it writes.
pub struct Meter<'a> {
    /// How many parts the step has.
    pub total: u64,
    /// Parts finished by the end of this line, given those finished before it.
    pub count: &'a dyn Fn(u64, &str) -> u64,
}

/// Runs `command`, whose output goes to the log. `what` names the step: "make".
///
/// # Errors
/// It cannot be started, it fails (with the last lines of the log), or the user interrupts.
pub fn run(what: &str, command: &mut Command, log: &Log, progress: &Progress, meter: Option<&Meter>) -> Result<()> {
    check_interrupt()?;
    let mut out = log.append()?;
    // The log is of use only when it can be written; a full disk shows itself in the build as well.
    writeln!(out, "$ {}", spell(command)).map_err(|error| Error::io("write", &log.path, &error))?;
    let err = out.try_clone().map_err(|error| Error::io("write", &log.path, &error))?;
    let mut seen = log.size();
    // A process group of its own: Ctrl-C reaches us alone, and we end the compilers with it.
    let child = command.stdin(Stdio::null()).stdout(out).stderr(err).process_group(0).spawn();
    let mut child = Group(child.map_err(|error| Error::new(format!("cannot start {what}: {error}")))?);
    let (mut done, mut partial) = (0, String::new());
    loop {
        let status = child.0.try_wait().map_err(|error| Error::new(format!("cannot wait for {what}: {error}")))?;
        if let Some(meter) = meter {
            for line in new_lines(log, &mut seen, &mut partial) {
                done = (meter.count)(done, &line);
            }
            progress.position(done, meter.total);
        }
        match status {
            Some(status) if status.success() => return Ok(()),
            Some(status) => {
                let tail = log.tail();
                // The log ends early on a full disk, so its text alone does not tell.
                let full =
                    tail.contains("No space left on device") || free_bytes(&log.path).is_ok_and(|free| free < 4 << 20);
                let error = Error::new(format!("{what} failed ({status}); its last lines were:{tail}"));
                let place = log.path.display();
                return Err(error.with_hint(if full {
                    format!("the disk is full: free some space or set PQLAB_CACHE; the whole log is {place}")
                } else {
                    format!("the whole log is {place}")
                }));
            }
            None => {}
        }
        check_interrupt()?;
        std::thread::sleep(Duration::from_millis(40));
    }
}

/// Bytes that an ordinary user may still write on the file system of `path`.
///
/// # Errors
/// The path does not exist.
pub fn free_bytes(path: &Path) -> Result<u64> {
    nix::sys::statvfs::statvfs(path)
        .map(|fs| fs.blocks_available().saturating_mul(fs.fragment_size()))
        .map_err(|errno| Error::io("examine", path, &errno.into()))
}

/// Runs a short command and returns what it writes on stdout, at most 4 MiB.
///
/// # Errors
/// It cannot be started or fails.
pub fn capture(what: &str, command: &mut Command) -> Result<String> {
    let cannot = |error: std::io::Error| Error::new(format!("cannot run {what}: {error}"));
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().map_err(cannot)?;
    let mut bytes = Vec::new();
    if let Some(pipe) = child.stdout.take() {
        pipe.take(4 << 20).read_to_end(&mut bytes).map_err(cannot)?;
    }
    let status = child.wait().map_err(cannot)?;
    if !status.success() {
        return Err(Error::new(format!("{what} failed ({status})")));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A command without what the caller's environment would slip into the build: flags, an outer make, another OpenSSL.
pub fn tool(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    for name in [
        "CFLAGS",
        "CPPFLAGS",
        "CXXFLAGS",
        "LDFLAGS",
        "LDLIBS",
        "ASFLAGS",
        "MAKEFLAGS",
        "MFLAGS",
        "MAKELEVEL",
        "MAKEOVERRIDES",
        "CROSS_COMPILE",
        "OPENSSL_CONF",
        "OPENSSL_MODULES",
        "OPENSSL_ENGINES",
        "OPENSSL_LOCAL_CONFIG_DIR",
        "OPENSSL_ia32cap",
        "OPENSSL_armcap",
        "LD_LIBRARY_PATH",
        "LD_PRELOAD",
        "DESTDIR",
        "CMAKE_GENERATOR",
        "CMAKE_BUILD_TYPE",
        "CMAKE_TOOLCHAIN_FILE",
        "CMAKE_PREFIX_PATH",
        "CMAKE_INSTALL_PREFIX",
    ] {
        command.env_remove(name);
    }
    command.env("LC_ALL", "C");
    command
}

/// The command as one would type it.
pub fn spell(command: &Command) -> String {
    let mut text = command.get_program().to_string_lossy().into_owned();
    for argument in command.get_args() {
        let argument = argument.to_string_lossy();
        let plain =
            !argument.is_empty() && argument.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_./=+,:@%".contains(&b));
        text.push(' ');
        if plain {
            text.push_str(&argument);
        } else {
            text.push_str(&format!("'{}'", argument.replace('\'', r"'\''")));
        }
    }
    text
}

/// Lines written to the log since the last call.
fn new_lines(log: &Log, seen: &mut u64, partial: &mut String) -> Vec<String> {
    let mut bytes = Vec::new();
    let read = File::open(&log.path).and_then(|mut file| {
        file.seek(SeekFrom::Start(*seen))?;
        file.take(4 << 20).read_to_end(&mut bytes)
    });
    *seen += read.map_or(0, |count| count as u64);
    partial.push_str(&String::from_utf8_lossy(&bytes));
    let mut lines = Vec::new();
    while let Some(end) = partial.find('\n') {
        lines.push(partial.drain(..=end).collect());
    }
    lines
}

/// A child and its descendants: ended together when dropped before they finished by themselves.
struct Group(Child);

impl Drop for Group {
    fn drop(&mut self) {
        if !matches!(self.0.try_wait(), Ok(None)) {
            return;
        }
        let Ok(id) = i32::try_from(self.0.id()) else { return };
        let group = Pid::from_raw(id);
        let _ = killpg(group, Signal::SIGTERM);
        let patience = Instant::now() + Duration::from_secs(2);
        while matches!(self.0.try_wait(), Ok(None)) && Instant::now() < patience {
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = killpg(group, Signal::SIGKILL);
        let _ = self.0.wait();
    }
}
