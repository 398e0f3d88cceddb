//! Bounded encodings: today the input pool that is handed to workers ([`encoding::Pool`]). No socket and no clock is
//! used outside `driver` modules.

pub mod encoding;
