//! What happens and how long it will still take, on standard error.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;

/// A bar on a terminal, a line per step elsewhere, nothing when quiet.
pub struct Progress {
    bar: ProgressBar,
    lines: bool,
}

impl Progress {
    /// For `total` steps.
    #[must_use]
    pub fn new(total: usize, quiet: bool) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bar = ProgressBar::new(total as u64);
        if quiet || !terminal {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        let style = ProgressStyle::with_template("{bar:24} {pos}/{len}  {elapsed} gone, {eta} left  {wide_msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.enable_steady_tick(std::time::Duration::from_millis(500));
        Self { bar, lines: !quiet && !terminal }
    }

    /// A step begins.
    pub fn step(&self, done: usize, total: usize, what: &str) {
        self.bar.set_position(done as u64);
        self.bar.set_message(what.to_owned());
        if self.lines {
            let left = self.bar.eta().as_secs();
            let eta = if done == 0 { String::new() } else { format!(", about {left} s left") };
            eprintln!("[{}/{total}] {what}{eta}", done + 1);
        }
    }

    /// All done, or given up.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
