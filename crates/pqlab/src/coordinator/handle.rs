//! A worker process seen from the coordinator: requests with a time limit, and what went wrong when it goes wrong.

use crate::provider_spec::ProviderSpec;
use crate::wire::{Answer, Body, Hello, PROTOCOL, Request, WireError, read_line};
use serde::de::DeserializeOwned;
use std::collections::VecDeque;
use std::fmt;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Limit of `hello`: loading a library and the self-tests of a FIPS module.
pub const HELLO_LIMIT: Duration = Duration::from_secs(30);

/// Lines of standard error that are kept for messages.
const KEPT_LINES: usize = 5;

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
    stdin: Option<ChildStdin>,
    answers: Receiver<std::io::Result<String>>,
    stderr: Arc<Mutex<VecDeque<String>>>,
    next_id: u64,
    /// Limits of requests that were sent and not yet answered.
    pending: VecDeque<(u64, Duration)>,
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
        std::thread::spawn(move || {
            let mut reader = BufReader::new(stdout);
            loop {
                let line = match read_line(&mut reader) {
                    Ok(Some(line)) => Ok(line),
                    Ok(None) => return,
                    Err(error) => Err(error),
                };
                let broken = line.is_err();
                if sender.send(line).is_err() || broken {
                    return;
                }
            }
        });
        let kept = Arc::new(Mutex::new(VecDeque::new()));
        let keep = Arc::clone(&kept);
        std::thread::spawn(move || keep_last_lines(stderr, &keep));
        Ok(Self { child, stdin: Some(stdin), answers, stderr: kept, next_id: 1, pending: VecDeque::new() })
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
        let sent = self.stdin.as_mut().map(|stdin| stdin.write_all(&line).and_then(|()| stdin.flush()));
        match sent {
            Some(Ok(())) => {
                self.pending.push_back((id, limit));
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
        let Some((id, limit)) = self.pending.pop_front() else {
            return Err(WorkerFault::Nonsense("no request is pending".into()));
        };
        let deadline = Instant::now() + limit;
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
            (None, Some(error)) => Err(WorkerFault::Refused(error)),
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
    pub fn hello(&mut self) -> Result<Hello, WorkerFault> {
        let hello: Hello = self.request(Body::Hello { protocol: PROTOCOL.into() }, HELLO_LIMIT)?;
        if hello.protocol != PROTOCOL {
            return Err(self.nonsense(&format!("it speaks `{}`, not {PROTOCOL}", shortened(&hello.protocol))));
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
        self.stdin = None;
        // The pipe is closed, so that the process is ending; one that lingers is killed.
        let deadline = Instant::now() + Duration::from_secs(2);
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
        let lines = self.stderr.lock().map(|lines| lines.iter().cloned().collect::<Vec<_>>()).unwrap_or_default();
        WorkerFault::Crashed(if lines.is_empty() { status } else { format!("{status}; {}", lines.join(" | ")) })
    }

    fn kill(&mut self) {
        self.stdin = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for WorkerHandle {
    fn drop(&mut self) {
        self.stdin = None;
        // Nothing of value is in the process; waiting for its tidy end would only cost time.
        self.kill();
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

fn keep_last_lines(stderr: impl Read, kept: &Mutex<VecDeque<String>>) {
    for line in BufReader::new(stderr).lines() {
        let Ok(line) = line else { return };
        if let Ok(mut lines) = kept.lock() {
            if lines.len() == KEPT_LINES {
                lines.pop_front();
            }
            lines.push_back(shortened(&line));
        }
    }
}

fn shortened(text: &str) -> String {
    let text = text.trim();
    match text.char_indices().nth(200) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
