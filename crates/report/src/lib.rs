//! Stored runs and what is made of them. Links no cryptography: an old run always renders.

pub mod record;
pub mod store;
