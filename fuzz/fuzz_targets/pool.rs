//! `Pool::decode` on any bytes: no panic, and whatever is accepted encodes to the same bytes.
//! Run: `cargo +nightly fuzz run pool -- -max_total_time=60`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use protocol::encoding::Pool;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(pool) = Pool::decode(bytes) {
        assert_eq!(pool.encode().as_deref(), Ok(bytes));
    }
});
