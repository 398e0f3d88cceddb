//! What a machine or a user can get wrong: an error on standard error that says what, where and what helps, exit code 2,
//! and nothing written or lost. The texts are in tests/cmd.

mod common;

use common::{HASHES, Lab, ONE_HASH};
use std::collections::BTreeSet;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Everything below a folder.
fn files(folder: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if entry.is_dir() {
            found.extend(files(&entry));
        }
        found.insert(entry);
    }
    found
}

#[track_caller]
fn is_an_error(output: &Output, words: &[&str]) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "", "nothing on standard output");
    let error = stderr.lines().position(|line| line.starts_with("error: "));
    let hint = stderr.lines().position(|line| line.starts_with("  hint: "));
    assert!(error.is_some() && hint > error, "{stderr}");
    for word in words {
        assert!(stderr.contains(word), "{word}: {stderr}");
    }
}

#[test]
fn errors_leave_nothing_behind() {
    let lab = Lab::new();
    lab.write("plan.toml", ONE_HASH);
    lab.write("broken.toml", "name = ");
    lab.write("text.so", "no library");
    lab.write("run.json", "{ \"schema\": \"pqlab.run/9\" }");
    lab.write("vector.json", "{ \"testGroups\": [");
    let before = files(&lab.path(""));
    for arguments in [
        "run quik",
        "run ./broken.toml",
        "run ./plan.toml --providers no-such",
        "run ./plan.toml --providers openssl=text.so",
        "run ./plan.toml --providers rustcrypto,liboqs=text.so",
        "run ./plan.toml --algorithms no-such",
        "run ./plan.toml --operations no-such",
        "run ./plan.toml --operations seal",
        "run ./plan.toml --worker ./no-such",
        "run ./plan.toml --rounds 0",
        "run ./plan.toml --output plan.toml",
        "run ./plan.toml --output plan.toml/run",
        "report run.json --format html --output page.html",
        "report no-such --format all",
        "conform --vectors vector.json",
        "conform --providers no-such",
    ] {
        for json in [false, true] {
            let mut all: Vec<&str> = arguments.split(' ').collect();
            all.extend(json.then_some("--json"));
            is_an_error(&lab.pqlab(&all), &[]);
            assert_eq!(files(&lab.path("")), before, "pqlab {arguments}");
        }
    }
}

/// Nobody, on most systems.
const NOBODY: u32 = 65534;

/// As root nothing is read-only: then the program is run as a user without rights. `None` where that cannot be done.
fn without_rights(mut command: Command) -> Option<Command> {
    if std::fs::metadata("/proc/self").expect("/proc").uid() == 0 {
        command.uid(NOBODY).gid(NOBODY);
        let mut probe = Command::new(command.get_program());
        if !probe.arg("--version").uid(NOBODY).gid(NOBODY).output().is_ok_and(|output| output.status.success()) {
            println!("SKIPPED: root, and the program lies where no other user can start it");
            return None;
        }
    }
    Some(command)
}

fn permit(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("permissions can be set");
}

#[test]
fn a_read_only_directory() {
    let lab = Lab::new();
    permit(&lab.path(""), 0o755);
    permit(&lab.write("plan.toml", ONE_HASH), 0o644);
    let folder = lab.path("results");
    std::fs::create_dir(&folder).expect("a folder");
    permit(&folder, 0o555);
    for output in ["results/run", "results/deeper/run"] {
        let command = lab.command(&["run", "./plan.toml", "--providers", "rustcrypto", "--output", output]);
        let Some(mut command) = without_rights(command) else { return };
        let words = ["cannot make directory results/", "Permission denied", "not writable for you", "--output DIR"];
        is_an_error(&command.output().expect("pqlab can be started"), &words);
        assert!(files(&folder).is_empty());
    }
}

#[test]
fn an_unreadable_run() {
    let lab = Lab::new();
    permit(&lab.path(""), 0o755);
    permit(&lab.write("run.json", "{}"), 0o000);
    let Some(mut command) = without_rights(lab.command(&["report", "run.json"])) else { return };
    let output = command.output().expect("pqlab can be started");
    is_an_error(&output, &["cannot read run.json: Permission denied", "read permission"]);
}

/// The output of a program that must not wait for ever.
fn without_waiting(mut command: Command) -> Output {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("pqlab can be started");
    let id = nix::unistd::Pid::from_raw(child.id() as i32);
    let (done, ended) = std::sync::mpsc::channel();
    std::thread::spawn(move || done.send(child.wait_with_output()));
    match ended.recv_timeout(std::time::Duration::from_secs(120)) {
        Ok(output) => output.expect("its output"),
        Err(_) => {
            let _ = nix::sys::signal::kill(id, nix::sys::signal::Signal::SIGKILL);
            panic!("it waits");
        }
    }
}

#[test]
fn a_pipe_or_a_device_instead_of_a_file_is_not_read() {
    let lab = Lab::new();
    let pipe = |name: &str| nix::unistd::mkfifo(&lab.path(name), nix::sys::stat::Mode::S_IRWXU).expect("a named pipe");
    std::fs::create_dir(lab.path("run")).expect("a folder");
    pipe("run/run.json");
    for run in ["run", "run/run.json", "/dev/zero"] {
        let output = without_waiting(lab.command(&["report", run]));
        is_an_error(&output, &["is no plain file", "run.json"]);
    }
    // The samples too, of which a report can do without.
    let ran = lab.run_into("measured", ONE_HASH, &["--providers", "rustcrypto", "--quiet"]);
    ran.fine();
    std::fs::remove_file(lab.path("measured/samples.parquet")).expect("it is there");
    pipe("measured/samples.parquet");
    let output = without_waiting(lab.command(&["report", "measured"]));
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("measured/samples.parquet is no plain file"));
}

/// A small file system in memory, taken away again in the end.
struct Disk(PathBuf);

impl Disk {
    fn mount(path: PathBuf, size: &str) -> Option<Self> {
        use nix::mount::{MsFlags, mount};
        std::fs::create_dir(&path).expect("a folder");
        let options = format!("size={size}");
        match mount(Some("none"), &path, Some("tmpfs"), MsFlags::empty(), Some(options.as_str())) {
            Ok(()) => Some(Self(path)),
            Err(error) => {
                println!("SKIPPED: a small file system cannot be mounted here: {error}");
                None
            }
        }
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = nix::mount::umount2(&self.0, nix::mount::MntFlags::MNT_DETACH);
    }
}

#[test]
fn a_full_disk_loses_nothing_that_was_measured() {
    let lab = Lab::new();
    let Some(_disk) = Disk::mount(lab.path("disk"), "128k") else { return };
    let plan = HASHES.replace("[1024]", "[16, 32, 64, 128, 256, 512, 1024, 2048]");
    let ran = lab.run_into("disk/run", &plan, &["--providers", "rustcrypto", "--rounds", "30", "--quiet"]);
    is_an_error(&ran.output, &["disk/run/", "No space left on device", "free space on the file system of disk/run"]);

    let run = ran.record();
    assert!(!run.rows.is_empty() && run.rows.len() < 24, "{} rows fitted", run.rows.len());
    let samples = ran.samples();
    for row in &run.rows {
        let stored = samples.iter().filter(|sample| sample.row == row.id && !sample.warmup).count() as u64;
        assert_eq!((stored, row.n), (60, 60), "{}", row.id);
    }
    let shown = lab.pqlab(&["report", "disk/run"]);
    assert!(shown.status.success(), "{}", String::from_utf8_lossy(&shown.stderr));

    // Whatever is left is taken, so that the page cannot fit.
    let _ = std::fs::write(lab.path("disk/filler"), vec![1; 256 * 1024]);
    let page = lab.pqlab(&["report", "disk/run", "--format", "html", "--output", "disk/page.html"]);
    is_an_error(&page, &["cannot write disk/page.html", "No space left on device"]);
    assert!(!lab.path("disk/page.html").exists(), "no half page");
}
