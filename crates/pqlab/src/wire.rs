//! The worker line protocol, `pqlab.worker/1` (`docs/WORKER.md`): the lines as types.

use crate::workload::perform::{Fields, Params};
use crypto::{Family, Identity, Sizes};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::io::{self, BufRead, Read};

/// Protocol name and version.
pub const PROTOCOL: &str = "pqlab.worker/1";

/// Longest line either side accepts.
pub const LONGEST_LINE: u64 = 64 * 1024 * 1024;

/// A request line.
#[derive(Debug, Serialize, Deserialize)]
pub struct Request {
    /// Repeated in the answer.
    pub id: u64,
    /// What to do.
    #[serde(flatten)]
    pub body: Body,
}

/// What to do.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
pub enum Body {
    /// Who are you, what do you offer?
    Hello {
        /// [`PROTOCOL`].
        protocol: String,
    },
    /// One untimed operation on given bytes.
    Perform {
        /// Canonical name.
        algorithm: String,
        /// Operation name.
        operation: String,
        /// `form`, `length`.
        #[serde(default)]
        params: Params,
        /// Byte strings, hex.
        inputs: Fields,
    },
    /// Make common inputs.
    Inputs {
        /// Canonical name.
        algorithm: String,
        /// 32 bytes, hex.
        seed: String,
        /// Keys.
        keys: usize,
        /// Items.
        items: usize,
        /// Message size, bytes.
        size: usize,
        /// File to write.
        path: String,
    },
    /// Load inputs and build key objects.
    Prepare {
        /// Canonical name.
        algorithm: String,
        /// Operation name.
        operation: String,
        /// `size`.
        #[serde(default)]
        params: Value,
        /// Pool file.
        pool: String,
    },
    /// Find the epoch count.
    Calibrate {
        /// Wanted length of an epoch.
        target_ns: f64,
        /// Most time to spend.
        max_ns: f64,
    },
    /// Time operations.
    Epoch {
        /// First operation of the input sequence.
        first: u64,
        /// Operations.
        count: u64,
        /// `throughput` (default) or `latency`.
        #[serde(default)]
        mode: Option<String>,
    },
    /// Exit.
    Quit,
}

/// An answer line: exactly one of `ok` and `error`.
#[derive(Debug, Serialize, Deserialize)]
pub struct Answer {
    /// Of the request.
    pub id: u64,
    /// The result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ok: Option<Value>,
    /// Why not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<WireError>,
}

/// An error on the wire.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct WireError {
    /// `input`, `usage`, `unsupported`, `provider`, `environment`.
    pub fault: String,
    /// What was wrong.
    pub what: String,
    /// What helps.
    #[serde(default)]
    pub hint: Option<String>,
}

impl From<crypto::Error> for WireError {
    fn from(error: crypto::Error) -> Self {
        Self {
            fault: error.fault().as_str().into(),
            what: error.what().into(),
            hint: error.hint().map(ToOwned::to_owned),
        }
    }
}

/// Answer to `hello`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Hello {
    /// [`PROTOCOL`].
    pub protocol: String,
    /// Provenance.
    pub identity: WireIdentity,
    /// What it offers.
    pub algorithms: Vec<Offer>,
}

/// [`Identity`] in which everything but name and version may be missing.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct WireIdentity {
    /// Name.
    pub name: String,
    /// Version.
    pub version: String,
    /// `fips`.
    #[serde(default)]
    pub variant: Option<String>,
    /// Loaded file.
    #[serde(default)]
    pub library: Option<crypto::Library>,
    /// Build flags.
    #[serde(default)]
    pub flags: Option<String>,
    /// Instruction-set path.
    #[serde(default)]
    pub isa_path: Option<String>,
    /// FIPS state.
    #[serde(default)]
    pub fips: Option<String>,
    /// Where from.
    #[serde(default)]
    pub origin: Option<String>,
}

impl From<&Identity> for WireIdentity {
    fn from(identity: &Identity) -> Self {
        let Identity { name, version, variant, library, flags, isa_path, fips, origin } = identity.clone();
        Self { name, version, variant, library, flags, isa_path, fips, origin: Some(origin) }
    }
}

impl WireIdentity {
    /// `name@version[+variant]`.
    #[must_use]
    pub fn id(&self) -> String {
        match &self.variant {
            None => format!("{}@{}", self.name, self.version),
            Some(variant) => format!("{}@{}+{variant}", self.name, self.version),
        }
    }
}

/// One algorithm of a provider.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Offer {
    /// Canonical name.
    pub name: String,
    /// Family.
    pub family: Family,
    /// Operation names.
    pub operations: Vec<String>,
    /// Sizes in bytes.
    #[serde(default)]
    pub sizes: Sizes,
    /// Standard.
    #[serde(default)]
    pub standard: Option<String>,
    /// NIST category.
    #[serde(default)]
    pub category: Option<u8>,
    /// Object identifier.
    #[serde(default)]
    pub oid: Option<String>,
}

/// Answer to `calibrate`.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Calibrated {
    /// Operations of an epoch.
    pub count: u64,
    /// Time of one.
    pub ns_per_op: f64,
    /// Whether an undisturbed repetition confirmed it; absent where the worker does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmed: Option<bool>,
}

/// Answer to `epoch`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Epochs {
    /// One in throughput mode, one an operation in latency mode.
    pub epochs: Vec<WireEpoch>,
    /// 16 hex digits.
    pub digest: String,
}

/// One timed stretch.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct WireEpoch {
    /// Nanoseconds for all operations.
    pub elapsed_ns: f64,
    /// Operations.
    pub count: u64,
    /// Involuntary context switches.
    pub nivcsw: u64,
    /// Waiting for a CPU.
    #[serde(default)]
    pub run_delay_ns: Option<u64>,
    /// Stolen time.
    #[serde(default)]
    pub steal_ticks: Option<u64>,
}

/// Reads one line of at most [`LONGEST_LINE`]; `None` at the end of input.
///
/// # Errors
/// A line that is too long or not UTF-8; what the stream reports.
pub fn read_line(reader: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    reader.take(LONGEST_LINE + 1).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.len() as u64 > LONGEST_LINE {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "a line is longer than 64 MiB"));
    }
    String::from_utf8(line).map(Some).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "a line is not UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn request_lines_are_as_documented() {
        let line = r#"{"id":7,"do":"epoch","first":128,"count":64}"#;
        let request: Request = serde_json::from_str(line).unwrap();
        assert_eq!(request.id, 7);
        assert!(matches!(request.body, Body::Epoch { first: 128, count: 64, mode: None }));
        let hello = Request { id: 1, body: Body::Hello { protocol: PROTOCOL.into() } };
        assert_eq!(serde_json::to_string(&hello).unwrap(), r#"{"id":1,"do":"hello","protocol":"pqlab.worker/1"}"#);
    }

    #[test]
    fn identity_needs_a_name_and_a_version() {
        assert!(serde_json::from_str::<WireIdentity>(r#"{"name":"x","version":"1"}"#).is_ok());
        assert!(serde_json::from_str::<WireIdentity>(r#"{"name":"x"}"#).is_err());
    }

    #[test]
    fn read_line_ends_with_the_input() {
        let mut input = io::Cursor::new(b"{}\nlast".to_vec());
        assert_eq!(read_line(&mut input).unwrap().as_deref(), Some("{}\n"));
        assert_eq!(read_line(&mut input).unwrap().as_deref(), Some("last"));
        assert_eq!(read_line(&mut input).unwrap(), None);
        assert!(read_line(&mut io::Cursor::new(vec![0xFF, b'\n'])).is_err());
    }
}
