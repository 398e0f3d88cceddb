//! Speeds as tables, and charts of them: the `.dat` files of `openssl speed` results, bar charts, fits of speed against
//! key size, and a gallery of all of them.
//!
//! ```text
//! .dat, log of openssl speed, run directory → [table] → [chart], [fit], [knowledge] → crate::figure → crate::render
//! ```

pub mod names;
pub mod table;

mod chart;
mod read;
mod write;

pub use chart::{chart, default_title};
pub use read::{MAX_BYTES, MAX_ROWS, TableError, read};
pub use write::write;
