//! Ctrl-C keeps what was measured and says so; a coordinator that is killed leaves a record that reads, and no workers.

mod common;

use common::{HASHES, Lab, worker};
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;
use report::record::{Run, Status};
use report::store::{read_run, read_samples};
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStderr, Stdio};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// After so long a test has failed; none waits so long when all is well.
const FOREVER: Duration = Duration::from_secs(300);

/// A run whose second group waits in its first epoch, in a process group of its own, as a shell starts it.
struct Waiting {
    lab: Lab,
    child: Child,
    stderr: BufReader<ChildStderr>,
}

impl Waiting {
    /// Returns when the worker is in that epoch.
    fn start() -> Self {
        let lab = Lab::new();
        for pipe in ["reached", "go"] {
            nix::unistd::mkfifo(&lab.path(pipe), nix::sys::stat::Mode::S_IRWXU).expect("a named pipe");
        }
        lab.write("plan.toml", HASHES.replace("rounds = 2", "rounds = 3"));
        let slow = worker("slow_worker.py", "SHA3-256");
        let arguments = ["run", "./plan.toml", "--output", "run", "--providers", "rustcrypto", "--worker", &slow];
        let mut command = lab.command(&arguments);
        command.stderr(Stdio::piped()).stdout(Stdio::piped()).process_group(0);
        let mut child = command.spawn().expect("pqlab can be started");
        let stderr = BufReader::new(child.stderr.take().expect("a pipe"));
        open(&lab.path("reached"), false);
        Self { lab, child, stderr }
    }

    fn process(&self) -> Pid {
        Pid::from_raw(self.child.id() as i32)
    }

    /// Reads standard error until a line begins so.
    fn until(&mut self, beginning: &str) {
        let mut seen = String::new();
        for line in self.stderr.by_ref().lines() {
            let line = line.expect("text on standard error");
            if line.starts_with(beginning) {
                return;
            }
            seen.push_str(&line);
        }
        panic!("no line begins with {beginning}: {seen}");
    }

    /// Lets the worker go on.
    fn go(&self) {
        open(&self.lab.path("go"), true);
    }

    /// Waits for the end: exit code, the rest of standard error, standard output.
    fn end(&mut self) -> (Option<i32>, String, String) {
        let (mut rest, mut stdout) = (String::new(), String::new());
        self.stderr.read_to_string(&mut rest).expect("text");
        self.child.stdout.take().expect("a pipe").read_to_string(&mut stdout).expect("text");
        (self.child.wait().expect("it ends").code(), rest, stdout)
    }

    /// The record; the first group is whole in it, with its samples.
    fn record(&self) -> Run {
        let run = read_run(&self.lab.path("run")).expect("the record reads");
        let first: Vec<_> = run.rows.iter().filter(|row| row.algorithm == "SHA-256").collect();
        assert_eq!(first.len(), 2);
        assert!(first.iter().all(|row| row.status == Status::Ok && row.n == 6), "{first:?}");
        assert!(!run.rows.iter().any(|row| row.algorithm == "HMAC-SHA256"), "the third group was not reached");
        samples_fit(&run, &self.lab.path("run"));
        run
    }
}

/// Opens a named pipe, which waits for who opens its other end.
fn open(pipe: &Path, write: bool) {
    let (done, opened) = channel();
    let pipe = pipe.to_path_buf();
    std::thread::spawn(move || done.send(std::fs::OpenOptions::new().read(!write).write(write).open(pipe).map(drop)));
    opened.recv_timeout(FOREVER).expect("the other end is opened").expect("the pipe is there");
}

#[test]
fn ctrl_c_keeps_what_was_measured() {
    let mut waiting = Waiting::start();
    // To the whole group, as a terminal sends it: the workers must not die of it under the coordinator.
    killpg(waiting.process(), Signal::SIGINT).expect("the group is there");
    waiting.until("interrupted: ");
    waiting.go();
    let (code, rest, stdout) = waiting.end();
    assert_eq!(code, Some(1), "{rest}");
    assert!(rest.contains("interrupted: 2 groups were measured and kept in run"), "{rest}");
    assert!(stdout.contains("Run directory: run"), "{stdout}");

    let run = waiting.record();
    assert!(run.finished_at.is_some());
    assert!(run.warnings.iter().any(|warning| warning.code == "interrupted"), "{:?}", run.warnings);
    let found = report::checks(&run, None);
    let finished = found.iter().find(|check| check.id == "finished").expect("that check");
    assert_eq!(finished.verdict, report::view::Verdict::Missing, "an interrupted run is not publishable");
    let in_hand: Vec<_> = run.rows.iter().filter(|row| row.algorithm == "SHA3-256").collect();
    assert_eq!(in_hand.len(), 2);
    for row in in_hand {
        // The signal came in the warm-up: nothing is there to make a figure of, and nothing has failed.
        assert_eq!((row.status, row.n), (Status::Unavailable, 0), "{}: {:?}", row.id, row.reason);
        assert!(row.reason.as_deref().is_some_and(|reason| reason.contains("interrupted")), "{:?}", row.reason);
    }
}

#[test]
fn a_second_ctrl_c_ends_at_once() {
    let mut waiting = Waiting::start();
    killpg(waiting.process(), Signal::SIGINT).expect("the group is there");
    waiting.until("interrupted: ");
    // The worker still waits, and would for ever.
    killpg(waiting.process(), Signal::SIGINT).expect("the group is there");
    let (code, rest, _) = waiting.end();
    assert_eq!(code, Some(1), "{rest}");
    assert_eq!(waiting.record().finished_at, None);
    waiting.go();
}

#[test]
fn a_second_ctrl_c_leaves_no_half_document() {
    let lab = Lab::new();
    // More than a pipe holds, so that the program waits in the middle of printing until this test reads on.
    let sizes: Vec<String> = (1..=24).map(|size| (16 * size).to_string()).collect();
    let plan = HASHES.replace("rounds = 2", "rounds = 1").replace("processes = 2", "processes = 1");
    lab.write("plan.toml", plan.replace("[1024]", &format!("[{}]", sizes.join(", "))));
    let mut command = lab.command(&["run", "./plan.toml", "--output", "run", "--providers", "rustcrypto", "--json"]);
    command.stderr(Stdio::piped()).stdout(Stdio::piped()).process_group(0);
    let mut child = command.spawn().expect("pqlab can be started");
    let group = Pid::from_raw(child.id() as i32);
    let mut stderr = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    let mut stdout = child.stdout.take().expect("a pipe");
    let mut document = vec![0];
    stdout.read_exact(&mut document).expect("it begins to print");
    for beginning in ["interrupted: ", "interrupted again: "] {
        killpg(group, Signal::SIGINT).expect("the group is there");
        assert!(stderr.any(|line| line.expect("text").starts_with(beginning)), "{beginning}");
    }
    stdout.read_to_end(&mut document).expect("the rest");
    assert!(document.len() > 1 << 16, "longer than a pipe: {}", document.len());
    let run: Run = serde_json::from_slice(&document).expect("one JSON document");
    assert_eq!(run.rows.len(), 72);
    child.wait().expect("it ends");
}

#[test]
fn killed_it_leaves_a_record_and_no_workers() {
    let mut waiting = Waiting::start();
    let workers = children(waiting.child.id());
    assert!(workers.len() >= 3, "for untimed requests of each provider, and timed ones: {workers:?}");
    kill(waiting.process(), Signal::SIGKILL).expect("it runs");
    waiting.child.wait().expect("it ends");
    waiting.go();
    wait_until_gone(&workers);

    assert_eq!(waiting.record().finished_at, None);
    let shown = waiting.lab.pqlab(&["report", "run"]);
    assert!(shown.status.success(), "{}", String::from_utf8_lossy(&shown.stderr));
    assert!(String::from_utf8_lossy(&shown.stdout).contains("SHA-256 hash"));
    assert!(waiting.lab.pqlab(&["report", "run", "--format", "all"]).status.success());
}

/// Every measured row has as many samples as it says.
fn samples_fit(run: &Run, dir: &Path) {
    let samples = read_samples(dir).expect("the samples read");
    for row in run.rows.iter().filter(|row| row.status == Status::Ok) {
        let stored = samples.iter().filter(|sample| sample.row == row.id && !sample.warmup).count() as u64;
        assert_eq!(stored, row.n, "{}", row.id);
    }
}

/// Processes whose parent is `parent`.
fn children(parent: u32) -> Vec<u32> {
    let processes =
        std::fs::read_dir("/proc").expect("/proc").filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    processes.filter(|id| parent_of(*id) == Some(parent)).collect()
}

fn parent_of(process: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name in brackets may hold anything; the state and the parent follow it.
    stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
}

fn wait_until_gone(processes: &[u32]) {
    let deadline = Instant::now() + FOREVER;
    let runs = |process: &u32| {
        std::fs::read_to_string(format!("/proc/{process}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
    };
    while processes.iter().any(runs) {
        assert!(Instant::now() < deadline, "workers outlive the coordinator");
        std::thread::yield_now();
    }
}
