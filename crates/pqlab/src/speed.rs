//! What `openssl speed` measured → rows of the record. The reader of its output is `report::openssl_speed`.

pub mod executable;
pub mod host;
pub mod pkeyutl;
pub mod rows;
pub mod run;

use report::openssl_speed::{Build, Log};
use report::record::{Library, Provider, Status};
use std::collections::BTreeMap;

/// A log and where it came from.
#[derive(Debug)]
pub struct Source {
    /// File name or command, for messages.
    pub label: String,
    /// What it says.
    pub log: Log,
    /// Files to keep beside the record: name and contents.
    pub files: Vec<(String, Vec<u8>)>,
    /// The program that was run; `None` for a log that was imported.
    pub executable: Option<Library>,
    /// Build for figures whose log does not name one (`-mr`).
    pub build: Option<Build>,
}

/// `openssl@3.5.5`; `openssl@unknown` when nobody told.
#[must_use]
pub fn provider_id(build: Option<&Build>) -> String {
    let name = build.map_or("openssl", |build| build.name.as_str());
    let version = build.and_then(|build| build.version.as_deref()).unwrap_or("unknown");
    format!("{name}@{version}")
}

/// Provenance of a build.
#[must_use]
pub fn provider(build: Option<&Build>, source: &Source) -> Provider {
    let unknown = Build { name: "openssl".into(), ..Build::default() };
    let build = build.unwrap_or(&unknown);
    let flags: Vec<String> = [("", &build.compiler), ("options: ", &build.options), ("built on: ", &build.built_on)]
        .into_iter()
        .filter_map(|(label, value)| Some(format!("{label}{}", value.as_ref()?)))
        .collect();
    let origin = match &source.executable {
        Some(program) => format!("`openssl speed` of {}", program.path),
        None => format!("`openssl speed` log {}", source.label),
    };
    let mut provider = Provider {
        id: provider_id(Some(build)),
        name: build.name.clone(),
        version: build.version.clone(),
        library: source.executable.clone(),
        flags: Some(flags.join("; ")).filter(|flags| !flags.is_empty()),
        isa_path: build.cpuinfo.clone(),
        fips: None,
        origin,
        status: Status::Ok,
        reason: None,
        absent: BTreeMap::new(),
    };
    for (field, missing, reason) in [
        ("version", provider.version.is_none(), "the log does not tell; --openssl-version does"),
        ("library", provider.library.is_none(), "the log does not name the program's file"),
        ("flags", provider.flags.is_none(), "the log does not tell"),
        ("isa_path", provider.isa_path.is_none(), "the log does not tell"),
        ("fips", true, "`openssl speed` does not tell"),
    ] {
        if missing {
            provider.absent.insert(field.into(), reason.into());
        }
    }
    provider
}
