//! `report::openssl_speed::parse` on any bytes: no panic, every line accounted for, every figure a positive number.
//! Run: `cargo +nightly fuzz run openssl_speed -- -max_total_time=60`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use report::openssl_speed::{MAX_UNREAD, parse};

fuzz_target!(|bytes: &[u8]| {
    // A zero byte parts standard output from standard error.
    let parts: Vec<&[u8]> = bytes.splitn(2, |byte| *byte == 0).collect();
    let Ok(log) = parse(&parts) else { return };
    let lines = log.lines;
    assert_eq!(lines.blank + lines.understood + lines.unread, lines.total);
    assert_eq!(log.unread.len(), lines.unread.min(MAX_UNREAD));
    for measurement in &log.measurements {
        assert!(measurement.ops_per_s > 0.0 && measurement.ops_per_s.is_finite());
        assert!(measurement.rates.iter().all(|rate| *rate > 0.0 && rate.is_finite()));
    }
});
