//! Speeds as tables, and charts of them: the `.dat` files of `openssl speed` results, bar charts, fits of speed against
//! key size, and a gallery of all of them.
//!
//! ```text
//! .dat, log of openssl speed, run directory → [table] → [chart], [fit], [knowledge] → crate::figure → crate::render
//! ```

pub mod names;
pub mod table;

mod chart;
mod files;
mod fit;
mod graph;
mod knowledge;
mod read;
mod sizes;
mod speeds;
mod write;

pub use chart::{chart, default_title};
pub use files::{PlotError, put, write_chart, write_gallery};
pub use fit::{FITS, Fit, Fitted, Law, Sizes};
pub use graph::{Drawn, GRAPHS, Graph, Pick, annotated, fits, gallery, gallery_names};
pub use knowledge::{Finding, Verdict, findings, stands_out};
pub use read::{MAX_BYTES, MAX_ROWS, TableError, read};
pub use speeds::{Speeds, name_of_word, pattern_of_word, standard_to_table};
pub use write::write;
