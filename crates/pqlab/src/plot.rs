//! Where the speeds of a chart come from: `openssl speed` run now, or what is stored.

mod measured;
mod stored;

pub use measured::{Log, measure, open};
pub use stored::{read, table};
