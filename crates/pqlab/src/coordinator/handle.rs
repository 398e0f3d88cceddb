//! A worker process seen from the coordinator: requests with a time limit, and what went wrong when it goes wrong.

use crate::provider_spec::ProviderSpec;
use crate::wire::{Answer, Body, Hello, PROTOCOL, Request, WireError, read_line};
use serde::de::DeserializeOwned;
use std::collections::VecDeque;
use std::fmt;
use std::io::{BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Longest `name@version+variant`.
const LONGEST_ID: usize = 128;

/// Longest text about a build, characters; compiler flags of OpenSSL have about 1,000.
const LONGEST_TEXT: usize = 16_384;

/// Most algorithms of one worker; liboqs has about 300.
const MOST_ALGORITHMS: usize = 10_000;

/// Lines of standard error that are kept for messages.
const KEPT_LINES: usize = 5;

/// Characters that are kept of a line.
const KEPT_CHARACTERS: usize = 200;

/// A worker that closed its output is given so much to end by itself.
const ENDING: Duration = Duration::from_secs(2);

/// Why a request was not answered with `ok`.
#[derive(Debug, Clone)]
pub enum WorkerFault {
    /// The worker answered with an error; it lives.
    Refused(WireError),
    /// The process ended.
    Crashed(String),
    /// No answer in time; it was killed.
    Hung(String),
    /// It answered something that is not the protocol; it was killed.
    Nonsense(String),
    /// It could not be started.
    NotStarted(String),
}

impl WorkerFault {
    /// Whether the provider merely does not offer what was asked.
    #[must_use]
    pub fn is_unsupported(&self) -> bool {
        matches!(self, WorkerFault::Refused(error) if error.fault == "unsupported")
    }

    /// Whether the process is gone.
    #[must_use]
    pub fn is_fatal(&self) -> bool {
        !matches!(self, WorkerFault::Refused(_))
    }
}

impl fmt::Display for WorkerFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WorkerFault::Refused(error) => write!(f, "{}", error.what),
            WorkerFault::Crashed(how) => write!(f, "the worker crashed: {how}"),
            WorkerFault::Hung(how) => write!(f, "the worker hung: {how}"),
            WorkerFault::Nonsense(what) => write!(f, "the worker answered nonsense: {what}"),
            WorkerFault::NotStarted(why) => write!(f, "the worker could not be started: {why}"),
        }
    }
}

/// A running worker.
pub struct WorkerHandle {
    child: Child,
    /// Lines on their way to the worker; closing it closes the worker's standard input.
    requests: Option<Sender<Vec<u8>>>,
    answers: Receiver<std::io::Result<String>>,
    stderr: Arc<Mutex<VecDeque<String>>>,
    next_id: u64,
    /// Requests that were sent and not yet answered: until when they must be, and the limit that this came from.
    pending: VecDeque<(u64, Instant, Duration)>,
}

impl WorkerHandle {
    /// Starts the process, with `padding` bytes of environment (a random amount moves the stack: Mytkowicz et al.,
    /// "Producing wrong data without doing anything obviously wrong!", ASPLOS 2009), bound to `cpu` where given.
    ///
    /// # Errors
    /// [`WorkerFault::NotStarted`].
    pub fn start(spec: &ProviderSpec, padding: usize, cpu: Option<usize>) -> Result<Self, WorkerFault> {
        let mut command = command_of(spec)?;
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // A group of its own: Ctrl-C on the terminal is for the coordinator, which ends the workers when it has
            // kept what was measured; and what a worker started itself is ended with it.
            .process_group(0)
            .env("PQLAB_PADDING", "x".repeat(padding));
        let mut child = command
            .spawn()
            .map_err(|e| WorkerFault::NotStarted(format!("{}: {e}", command.get_program().to_string_lossy())))?;
        if let Some(cpu) = cpu {
            // A failure leaves the scheduler's choice; the placement is checked and reported once per run.
            let _ = bind(child.id(), cpu);
        }
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) else {
            return Err(WorkerFault::NotStarted("its standard streams are not pipes".into()));
        };
        let (sender, answers) = sync_channel(4);
        std::thread::spawn(move || read_answers(stdout, &sender));
        let (requests, waiting) = channel();
        std::thread::spawn(move || write_requests(stdin, &waiting));
        let kept = Arc::new(Mutex::new(VecDeque::new()));
        let keep = Arc::clone(&kept);
        std::thread::spawn(move || keep_last_lines(stderr, &keep));
        Ok(Self { child, requests: Some(requests), answers, stderr: kept, next_id: 1, pending: VecDeque::new() })
    }

    /// Sends a request without waiting, so that several workers prepare at the same time.
    ///
    /// # Errors
    /// [`WorkerFault::Crashed`].
    pub fn send(&mut self, body: Body, limit: Duration) -> Result<(), WorkerFault> {
        let id = self.next_id;
        self.next_id += 1;
        let mut line = serde_json::to_vec(&Request { id, body })
            .map_err(|e| WorkerFault::Nonsense(format!("the request cannot be encoded: {e}")))?;
        line.push(b'\n');
        match self.requests.as_ref().map(|requests| requests.send(line)) {
            Some(Ok(())) => {
                self.pending.push_back((id, Instant::now() + limit, limit));
                Ok(())
            }
            _ => Err(self.crashed()),
        }
    }

    /// Waits for the answer to the oldest request.
    ///
    /// # Errors
    /// Any [`WorkerFault`]; after all but `Refused` the process is gone.
    pub fn receive<T: DeserializeOwned>(&mut self) -> Result<T, WorkerFault> {
        let Some((id, deadline, limit)) = self.pending.pop_front() else {
            return Err(WorkerFault::Nonsense("no request is pending".into()));
        };
        let line = match self.answers.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(Ok(line)) => line,
            Ok(Err(error)) => return Err(self.nonsense(&error.to_string())),
            Err(RecvTimeoutError::Timeout) => {
                self.kill();
                return Err(WorkerFault::Hung(format!("no answer within {} s", limit.as_secs_f32())));
            }
            Err(RecvTimeoutError::Disconnected) => return Err(self.crashed()),
        };
        let answer: Answer = match serde_json::from_str(&line) {
            Ok(answer) => answer,
            Err(error) => return Err(self.nonsense(&format!("{error}: {}", shortened(&line)))),
        };
        if answer.id != id {
            return Err(self.nonsense(&format!("answer {} to request {id}", answer.id)));
        }
        match (answer.ok, answer.error) {
            (Some(value), None) => match serde_json::from_value(value) {
                Ok(value) => Ok(value),
                Err(error) => Err(self.nonsense(&error.to_string())),
            },
            (None, Some(error)) => Err(WorkerFault::Refused(WireError {
                fault: shortened(&error.fault),
                what: shortened(&error.what),
                hint: error.hint.as_deref().map(shortened),
            })),
            _ => Err(self.nonsense("neither `ok` nor `error`, or both")),
        }
    }

    /// Sends and waits.
    ///
    /// # Errors
    /// As [`WorkerHandle::receive`].
    pub fn request<T: DeserializeOwned>(&mut self, body: Body, limit: Duration) -> Result<T, WorkerFault> {
        self.send(body, limit)?;
        self.receive()
    }

    /// Asks who it is.
    ///
    /// # Errors
    /// As [`WorkerHandle::receive`]; another protocol or an empty version is nonsense.
    pub fn hello(&mut self, limit: Duration) -> Result<Hello, WorkerFault> {
        let hello: Hello = self.request(Body::Hello { protocol: PROTOCOL.into() }, limit)?;
        if hello.protocol != PROTOCOL {
            return Err(self.nonsense(&format!("it speaks `{}`, not {PROTOCOL}", shortened(&hello.protocol))));
        }
        if let Some(what) = unfit(&hello) {
            return Err(self.nonsense(&what));
        }
        if hello.identity.name.trim().is_empty() || hello.identity.version.trim().is_empty() {
            return Err(self.nonsense("it has no name or no version, and what cannot be named is not measured"));
        }
        Ok(hello)
    }

    fn nonsense(&mut self, what: &str) -> WorkerFault {
        self.kill();
        WorkerFault::Nonsense(what.to_owned())
    }

    fn crashed(&mut self) -> WorkerFault {
        self.requests = None;
        // The pipe is closed, so that the process is ending; one that lingers is killed.
        let deadline = Instant::now() + ENDING;
        let status = loop {
            match self.child.try_wait() {
                Ok(Some(status)) => break status.to_string(),
                Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(2)),
                _ => {
                    self.kill();
                    break "it closed its output and went on running".to_owned();
                }
            }
        };
        let lines: Vec<String> = self.stderr.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect();
        WorkerFault::Crashed(if lines.is_empty() { status } else { format!("{status}; {}", lines.join(" | ")) })
    }

    fn kill(&mut self) {
        self.requests = None;
        // Only while the process is not yet waited for, so that its number cannot have become another's.
        if let Ok(None) = self.child.try_wait() {
            let group = nix::unistd::Pid::from_raw(self.child.id() as i32);
            let _ = nix::sys::signal::killpg(group, nix::sys::signal::Signal::SIGKILL);
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }
}

impl Drop for WorkerHandle {
    fn drop(&mut self) {
        // Nothing of value is in the process; waiting for its tidy end would only cost time.
        self.kill();
    }
}

/// Hands on lines until the stream ends, breaks, or nobody listens.
fn read_answers(stdout: ChildStdout, answers: &SyncSender<std::io::Result<String>>) {
    let mut reader = BufReader::new(stdout);
    while let Some(line) = read_line(&mut reader).transpose() {
        let broken = line.is_err();
        if answers.send(line).is_err() || broken {
            return;
        }
    }
}

/// Writes lines in a thread of its own: a worker that does not read must not hold up the coordinator.
fn write_requests(mut stdin: ChildStdin, requests: &Receiver<Vec<u8>>) {
    for line in requests {
        // A worker that has gone shows on its output.
        if stdin.write_all(&line).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn bind(process: u32, cpu: usize) -> nix::Result<()> {
    let mut set = nix::sched::CpuSet::new();
    set.set(cpu)?;
    nix::sched::sched_setaffinity(nix::unistd::Pid::from_raw(process as i32), &set)
}

fn command_of(spec: &ProviderSpec) -> Result<Command, WorkerFault> {
    if let ProviderSpec::External { command } = spec {
        let (program, arguments) =
            command.split_first().ok_or_else(|| WorkerFault::NotStarted("the command is empty".into()))?;
        let mut command = Command::new(program);
        command.args(arguments);
        return Ok(command);
    }
    let own = std::env::current_exe().map_err(|e| WorkerFault::NotStarted(e.to_string()))?;
    let mut command = Command::new(own);
    command.args(spec.worker_arguments().unwrap_or_default());
    Ok(command)
}

/// Keeps the beginnings of the last lines; reads on whatever comes, so that the worker is never blocked.
fn keep_last_lines(mut stderr: impl Read, kept: &Mutex<VecDeque<String>>) {
    let mut buffer = [0; 8192];
    let mut line: Vec<u8> = Vec::new();
    loop {
        let read = match stderr.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        for &byte in buffer.iter().take(read) {
            if byte == b'\n' {
                keep(&mut line, kept);
            } else if line.len() < 4 * KEPT_CHARACTERS + 4 {
                line.push(byte);
            }
        }
    }
    keep(&mut line, kept);
}

fn keep(line: &mut Vec<u8>, kept: &Mutex<VecDeque<String>>) {
    let text = shortened(&String::from_utf8_lossy(line));
    line.clear();
    if text.is_empty() {
        return;
    }
    let mut lines = kept.lock().unwrap_or_else(PoisonError::into_inner);
    if lines.len() == KEPT_LINES {
        lines.pop_front();
    }
    lines.push_back(text);
}

fn shortened(text: &str) -> String {
    let text = text.trim();
    match text.char_indices().nth(KEPT_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Why what a worker says of itself and its algorithms is not taken into a record: too long to be shown, or with control
/// characters.
fn unfit(hello: &Hello) -> Option<String> {
    let identity = &hello.identity;
    let library = identity.library.as_ref();
    let path = library.map(|library| library.path.to_string_lossy().into_owned());
    let hash = library.map(|library| library.sha256.clone());
    let id = Some(identity.id());
    let texts = [
        ("name and version", &id, LONGEST_ID),
        ("flags", &identity.flags, LONGEST_TEXT),
        ("isa_path", &identity.isa_path, LONGEST_TEXT),
        ("fips", &identity.fips, LONGEST_TEXT),
        ("origin", &identity.origin, LONGEST_TEXT),
        ("library path", &path, LONGEST_TEXT),
        ("library hash", &hash, LONGEST_ID),
    ];
    let own = texts.into_iter().filter_map(|(what, text, most)| Some((what, text.as_deref()?, most)));
    let offered = hello.algorithms.iter().flat_map(|offer| {
        let words = [Some(&offer.name), offer.standard.as_ref(), offer.oid.as_ref()];
        words
            .into_iter()
            .flatten()
            .chain(&offer.operations)
            .map(|text| ("name of an algorithm", text.as_str(), LONGEST_ID))
    });
    if hello.algorithms.len() > MOST_ALGORITHMS {
        return Some(format!("it offers {} algorithms, more than {MOST_ALGORITHMS}", hello.algorithms.len()));
    }
    own.chain(offered).find_map(|(what, text, most)| {
        if text.chars().nth(most).is_some() {
            return Some(format!("its {what} has more than {most} characters"));
        }
        text.chars().any(is_control).then(|| format!("its {what} has control characters"))
    })
}

/// Control characters, and those that turn the direction of text.
fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::perform::{Fields, Params};

    fn shell(script: &str) -> WorkerHandle {
        let command = ["sh", "-c", script].map(str::to_owned).to_vec();
        WorkerHandle::start(&ProviderSpec::External { command }, 0, None).unwrap()
    }

    fn large() -> Body {
        // More than a pipe holds.
        let inputs = Fields::from([("message", vec![0; 1 << 20])]);
        let (algorithm, operation) = ("SHA-256".to_owned(), "hash".to_owned());
        Body::Perform { algorithm, operation, params: Params::default(), inputs }
    }

    #[test]
    fn a_worker_that_does_not_read_is_given_up_in_time() {
        let mut worker = shell("exec sleep 1000");
        let fault = worker.request::<serde_json::Value>(large(), Duration::from_millis(50)).unwrap_err();
        assert!(matches!(fault, WorkerFault::Hung(_)), "{fault}");
        assert!(worker.child.try_wait().unwrap().is_some(), "it still runs");
    }

    #[test]
    fn what_a_worker_started_is_ended_with_it() {
        let mut worker = shell("sleep 1000 & echo \"{\\\"id\\\":1,\\\"ok\\\":$!}\"; wait");
        let child: i32 = worker.request(Body::Quit, Duration::from_secs(20)).unwrap();
        drop(worker);
        // The signal is sent; when it takes effect is the system's affair. A zombie runs nothing.
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            let stat = std::fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
            if stat.is_empty() || stat.contains(") Z ") || stat.contains(") X ") {
                break;
            }
            assert!(Instant::now() < deadline, "{stat}");
            std::thread::yield_now();
        }
    }

    #[test]
    fn a_crash_is_reported_with_the_last_words() {
        let mut worker = shell("printf 'one\\n\\377two\\n' >&2; exit 7");
        let fault = worker.request::<serde_json::Value>(Body::Quit, Duration::from_secs(20)).unwrap_err();
        assert!(matches!(&fault, WorkerFault::Crashed(how) if how.starts_with("exit status: 7")), "{fault}");
    }

    #[test]
    fn last_lines_are_few_and_short() {
        let kept = Mutex::new(VecDeque::new());
        let mut text = b"1\n2\n3\n\n4\n5\n".to_vec();
        text.extend(vec![0xFF; 100_000]);
        keep_last_lines(text.as_slice(), &kept);
        let lines: Vec<String> = kept.into_inner().unwrap().into();
        assert_eq!(lines[..4], ["2", "3", "4", "5"]);
        assert_eq!(lines[4].chars().count(), KEPT_CHARACTERS + 1);
        assert_eq!(lines.len(), KEPT_LINES);
    }
}
