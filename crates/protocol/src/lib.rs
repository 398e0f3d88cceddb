//! Bounded encodings. The sealed package and the tunnel will live here; neither a socket nor a clock will outside `driver`
//! modules.

pub mod encoding;
