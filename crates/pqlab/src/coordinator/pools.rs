//! One pool of inputs per algorithm and size, made by the provider that can do it from the seed.

use super::arms::Arm;
use crate::error::CliError;
use crate::plan::{Group, Settings};
use crate::provider_spec::ProviderSpec;
use crate::wire::Body;
use crate::workload::inputs::Amount;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Who is asked first: seeded interfaces for everything, fast ones before slow ones.
const PREFERENCE: [&str; 5] = ["libcrux", "rustcrypto", "openssl", "aws-lc", "liboqs"];

/// A pool file.
#[derive(Debug, Clone)]
pub struct PoolFile {
    /// Where.
    pub path: PathBuf,
    /// Keys in it.
    pub keys: usize,
    /// Items in it.
    pub items: usize,
    /// Message size.
    pub size: usize,
    /// Whether all of it follows from the seed.
    pub seeded: bool,
    /// Provider that made it.
    pub made_by: String,
    /// SHA-256 of the file, lower-case hex: equal inputs, equal digest.
    pub sha256: String,
}

#[derive(Deserialize)]
struct Made {
    seeded: bool,
}

/// The pools of a run; deleted with it.
pub struct Pools {
    folder: TempDir,
    seed: String,
    made: BTreeMap<(String, usize), Result<PoolFile, String>>,
}

impl Pools {
    /// An empty folder.
    ///
    /// # Errors
    /// When the temporary folder cannot be made.
    pub fn new(seed: u64) -> Result<Self, CliError> {
        let folder = tempfile::Builder::new().prefix("pqlab-").tempdir().map_err(|e| {
            CliError::environment(format!("cannot make a temporary folder: {e}"))
                .with_hint("set TMPDIR to a folder with a few hundred MB free")
        })?;
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        Ok(Self { folder, seed: hex::encode(bytes), made: BTreeMap::new() })
    }

    /// The pool of a group, made when first asked for.
    ///
    /// # Errors
    /// When no member of the group can make it.
    pub fn get(
        &mut self,
        group: &Group,
        settings: &Settings,
        arms: &[Arm],
        members: &[usize],
    ) -> Result<PoolFile, String> {
        let family = members.iter().find_map(|m| arms[*m].offer(&group.algorithm)).map(|offer| offer.family);
        let Some(family) = family else { return Err("no provider offers it".into()) };
        let size = group.size.unwrap_or(settings.message);
        let mut amount = Amount::of(&group.algorithm, family, size);
        amount.keys = settings.keys.unwrap_or(amount.keys);
        amount.items = settings.inputs.unwrap_or(amount.items);
        let amount = amount.paired();
        let key = (group.algorithm.clone(), size);
        if let Some(known) = self.made.get(&key) {
            return known.clone();
        }
        let path = self.folder.path().join(format!("{}.pool", self.made.len()));
        let result = self.make(&group.algorithm, amount, path, arms, members);
        self.made.insert(key, result.clone());
        result
    }

    fn make(
        &self,
        algorithm: &str,
        amount: Amount,
        path: PathBuf,
        arms: &[Arm],
        members: &[usize],
    ) -> Result<PoolFile, String> {
        let mut order = members.to_vec();
        // A foreign worker comes last, whatever it calls itself.
        order.sort_by_key(|m| {
            let foreign = matches!(arms[*m].spec, ProviderSpec::External { .. });
            (foreign, PREFERENCE.iter().position(|name| *name == arms[*m].name()).unwrap_or(PREFERENCE.len()))
        });
        let mut unseeded: Option<PoolFile> = None;
        let mut reasons = Vec::new();
        for member in order {
            let arm = &arms[member];
            // A second maker is asked only as long as nothing seeded is there; what is there is not overwritten.
            let target = if unseeded.is_some() { path.with_extension("again") } else { path.clone() };
            let body = Body::Inputs {
                algorithm: algorithm.to_owned(),
                seed: self.seed.clone(),
                keys: amount.keys,
                items: amount.items,
                size: amount.size,
                path: target.to_string_lossy().into_owned(),
            };
            match arm.request::<Made>(body, arm.limits.of_inputs(algorithm, amount.keys, amount.items)) {
                Ok(made) => {
                    let sha256 = match read_pool(&target) {
                        Ok(bytes) => hex::encode(Sha256::digest(bytes)),
                        Err(e) => {
                            reasons.push(format!("{}: its pool cannot be read: {e}", arm.id));
                            continue;
                        }
                    };
                    let file = PoolFile {
                        path: target,
                        keys: amount.keys,
                        items: amount.items,
                        size: amount.size,
                        seeded: made.seeded,
                        made_by: arm.id.clone(),
                        sha256,
                    };
                    if made.seeded {
                        return Ok(file);
                    }
                    unseeded.get_or_insert(file);
                }
                Err(fault) => reasons.push(format!("{}: {fault}", arm.id)),
            }
        }
        unseeded.ok_or_else(|| format!("no provider could make the common inputs ({})", reasons.join("; ")))
    }
}

/// Most bytes of a pool (`docs/POOL.md`).
const MOST_BYTES: u64 = 1 << 30;

/// Reads what a worker wrote: a file of bounded size and nothing else, since a worker may be anybody's.
pub(super) fn read_pool(path: &Path) -> std::io::Result<Vec<u8>> {
    let flags = nix::fcntl::OFlag::O_NOFOLLOW | nix::fcntl::OFlag::O_NONBLOCK;
    let file = std::fs::File::options().read(true).custom_flags(flags.bits()).open(path)?;
    let about = file.metadata()?;
    if !about.is_file() || about.len() > MOST_BYTES {
        return Err(std::io::Error::other("it is no plain file of at most 1 GiB"));
    }
    let mut bytes = Vec::new();
    file.take(MOST_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}
