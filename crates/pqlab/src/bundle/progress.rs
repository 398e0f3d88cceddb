//! What the user sees on stderr while a bundle is made.

use indicatif::{ProgressBar, ProgressStyle};
use std::cell::Cell;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// A bar on a terminal, plain lines elsewhere, nothing when quiet.
pub struct Progress {
    sink: Sink,
}

enum Sink {
    Quiet,
    Bar(ProgressBar),
    Lines { since: Instant, step: Instant, label: String, told: Cell<u64> },
}

impl Progress {
    /// Chooses by `quiet` and by whether stderr is a terminal.
    pub fn new(quiet: bool) -> Self {
        let sink = if quiet {
            Sink::Quiet
        } else if std::io::stderr().is_terminal() {
            let bar = ProgressBar::new_spinner();
            bar.enable_steady_tick(Duration::from_millis(120));
            Sink::Bar(bar)
        } else {
            let now = Instant::now();
            Sink::Lines { since: now, step: now, label: String::new(), told: Cell::new(0) }
        };
        Self { sink }
    }

    /// Begins a step, such as "openssl@3.5.5: compiling".
    pub fn step(&mut self, label: &str) {
        match &mut self.sink {
            Sink::Quiet => {}
            Sink::Bar(bar) => {
                if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
                    bar.set_style(style);
                }
                bar.set_message(label.to_owned());
            }
            Sink::Lines { since, step, label: current, told } => {
                *step = Instant::now();
                *current = label.to_owned();
                told.set(0);
                line(&format!("[{}] {label}", clock(since.elapsed())));
            }
        }
    }

    /// `done` of `total` parts of the step are finished; tells the time left by the parts done so far.
    pub fn position(&self, done: u64, total: u64) {
        let done = done.min(total);
        match &self.sink {
            Sink::Quiet => {}
            Sink::Bar(bar) => {
                if bar.length() != Some(total) {
                    bar.set_length(total);
                    bar.reset_eta();
                    if let Ok(style) = ProgressStyle::with_template(
                        "{spinner} {msg} {wide_bar} {percent} % ({elapsed}, about {eta} left)",
                    ) {
                        bar.set_style(style);
                    }
                }
                bar.set_position(done);
            }
            Sink::Lines { since, step, label, told } => {
                let quarter = (done * 4).checked_div(total).unwrap_or(0);
                if quarter > told.get() && done < total {
                    told.set(quarter);
                    let left = step.elapsed().mul_f64((total - done) as f64 / done.max(1) as f64);
                    let elapsed = clock(since.elapsed());
                    line(&format!("[{elapsed}] {label}: {} %, about {} left", quarter * 25, clock(left)));
                }
            }
        }
    }

    /// One remark that stays on the screen.
    pub fn note(&self, text: &str) {
        match &self.sink {
            Sink::Quiet => {}
            Sink::Bar(bar) => bar.suspend(|| line(text)),
            Sink::Lines { since, .. } => line(&format!("[{}] {text}", clock(since.elapsed()))),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Sink::Bar(bar) = &self.sink {
            bar.finish_and_clear();
        }
    }
}

/// Writes a line to stderr; a closed stderr is no reason to stop.
fn line(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}", seconds / 60, seconds % 60)
}
