//! What happens and how long it will still take, on standard error.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;

/// How long the whole may take, seconds, where the plan says it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Expected {
    /// A budget.
    AtMost(f64),
    /// A sum of what was asked for.
    About(f64),
}

impl Expected {
    fn words(self) -> String {
        match self {
            Self::AtMost(seconds) => format!("at most {} s in all", seconds.ceil()),
            Self::About(seconds) => format!("about {} s in all", seconds.ceil()),
        }
    }
}

/// A bar on a terminal, a line per step elsewhere, nothing when quiet.
pub struct Progress {
    bar: ProgressBar,
    lines: bool,
    expected: Option<Expected>,
}

/// Before a step is over nothing can be said about what is left, and a run of one step has no more to count: that time
/// goes by is all there is to show.
const FIRST: &str = "{spinner} {elapsed} gone  {wide_msg}";
const LATER: &str = "{bar:24} {pos}/{len}  {elapsed} gone, {eta} left  {wide_msg}";

impl Progress {
    /// For `total` steps.
    #[must_use]
    pub fn new(total: usize, expected: Option<Expected>, quiet: bool) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bar = ProgressBar::new(total as u64);
        if quiet || !terminal {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        bar.set_style(style(FIRST));
        bar.enable_steady_tick(std::time::Duration::from_millis(500));
        Self { bar, lines: !quiet && !terminal, expected }
    }

    /// What is done before the first step. Only a bar shows it.
    pub fn say(&self, what: &str) {
        self.bar.set_message(what.to_owned());
    }

    /// A step begins.
    pub fn step(&self, done: usize, total: usize, what: &str) {
        let left = if done == 0 {
            // What came before the first step took time of its own, which says nothing about the others.
            self.bar.reset();
            self.expected.map_or(String::new(), |expected| format!(", {}", expected.words()))
        } else {
            self.bar.set_position(done as u64);
            // Steps take alike on the whole; the bar's own estimate is 0 after the first.
            let each = self.bar.elapsed().as_secs_f64() / done as f64;
            format!(", about {} s left", (each * total.saturating_sub(done) as f64).ceil())
        };
        if done == 0 {
            self.bar.set_message(format!("1/{total} {what}{left}"));
        } else {
            self.bar.set_style(style(LATER));
            self.bar.set_message(what.to_owned());
        }
        if self.lines {
            eprintln!("[{}/{total}] {what}{left}", done + 1);
        }
    }

    /// All done, or given up.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
