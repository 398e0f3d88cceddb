//! Fetches one file over HTTP(S), within a size limit, to its place in the cache.

use super::error::{Error, Result};
use super::process;
use super::progress::Progress;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;
use std::time::Duration;

/// No source archive is near this size (OpenSSL 3.5.7 has 53 MB).
pub const LARGEST: u64 = 256 << 20;

/// Downloads `url` to `place`, which appears only when every announced byte has come.
///
/// # Errors
/// Not reachable, an HTTP error, fewer or more bytes than announced, larger than [`LARGEST`], the cache is not
/// writable.
pub fn download(url: &str, place: &Path, progress: &Progress) -> Result<()> {
    let part = place.with_extension("part");
    let outcome = receive(url, &part, progress);
    if outcome.is_err() {
        let _ = fs::remove_file(&part);
    }
    outcome?;
    fs::rename(&part, place).map_err(|error| Error::io("create", place, &error))
}

fn receive(url: &str, part: &Path, progress: &Progress) -> Result<()> {
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .timeout_connect(Some(Duration::from_secs(10)))
        .timeout_recv_response(Some(Duration::from_secs(30)))
        .timeout_global(Some(Duration::from_secs(900)))
        .user_agent(concat!("pqlab/", env!("CARGO_PKG_VERSION")))
        .build()
        .into();
    let cannot = |why: String| Error::new(format!("cannot download {url}: {why}"));
    // A compressed transfer would hide the announced length, and an archive is compressed already.
    let response =
        agent.get(url).header("accept-encoding", "identity").call().map_err(|error| cannot(error.to_string()))?;
    let announced = response.headers().get("content-length").and_then(|v| v.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|bytes| bytes > LARGEST) {
        return Err(cannot(format!("it is larger than {} MB", LARGEST >> 20)));
    }
    let mut file = File::create(part).map_err(|error| Error::io("create", part, &error))?;
    let mut body = response.into_body().into_with_config().limit(LARGEST + 1).reader();
    let mut buffer = vec![0; 1 << 16];
    let mut received = 0_u64;
    loop {
        process::check_interrupt()?;
        let count = body.read(&mut buffer).map_err(|error| cannot(format!("after {received} bytes: {error}")))?;
        let Some(bytes) = buffer.get(..count).filter(|bytes| !bytes.is_empty()) else { break };
        received += count as u64;
        if received > LARGEST {
            return Err(cannot(format!("it is larger than {} MB", LARGEST >> 20)));
        }
        file.write_all(bytes).map_err(|error| Error::io("write", part, &error))?;
        if let Some(total) = announced {
            progress.position(received, total);
        }
    }
    match announced {
        Some(total) if total != received => Err(cannot(format!("truncated: {received} of {total} bytes came"))),
        _ => Ok(()),
    }
}
