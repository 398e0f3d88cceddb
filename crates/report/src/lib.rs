//! Stored runs and what is made of them. Links no cryptography: an old run always renders.
//!
//! ```text
//! run directory → [store] → [record] → [group] → [view], [figure] → [render]
//! ```
//!
//! [`render()`] makes one report of one kind in one format; [`write_report`] fills a run directory with `report.html`
//! and `charts/`.

pub mod figure;
pub mod group;
pub mod openssl_speed;
mod output;
pub mod palette;
pub mod plot;
pub mod record;
mod render;
pub mod store;
pub mod units;
pub mod view;

pub use output::{CHARTS_DIRECTORY, REPORT_FILE, ReportError, write_report};
pub use render::{Format, Options, Picture, RenderError, draw, render};
pub use view::Kind;
pub use view::verification::{Check, checks, publishable};

// The fixed run of the tests names this crate from outside.
#[cfg(test)]
extern crate self as report;
#[cfg(test)]
#[path = "../tests/common/mod.rs"]
mod common;
