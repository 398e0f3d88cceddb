//! Unpacks a verified archive into a fresh directory, within bounds and never outside of it.
//!
//! The bytes were compared with a pin before they come here. The bounds hold all the same: a pin can be given by hand,
//! and an archive that names `../../.bashrc` is wrong whatever it hashes to.

use super::error::{Error, Result};
use super::process;
use flate2::read::GzDecoder;
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};
use tar::{Archive, EntryType};

/// What an archive may hold. OpenSSL 3.5.7 has 6,048 entries and 135 MB, liboqs 0.13.0 76 MB.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Files, directories and links.
    pub entries: u64,
    /// Bytes after decompression, headers included.
    pub bytes: u64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { entries: 100_000, bytes: 1 << 30 }
    }
}

/// Unpacks a tar archive, compressed with gzip or not, into `into`, which must be empty.
///
/// # Errors
/// Not such an archive; damaged; beyond the bounds; an entry that leads outside; a device; the disk is full.
pub fn unpack(name: &str, bytes: &[u8], into: &Path, bounds: Bounds) -> Result<()> {
    let gzip = bytes.starts_with(&[0x1f, 0x8b]);
    let tar = bytes.get(257..262) == Some(b"ustar");
    let stream: Box<dyn Read + '_> = match (gzip, tar) {
        (true, _) => Box::new(GzDecoder::new(bytes)),
        (false, true) => Box::new(bytes),
        (false, false) => {
            return Err(Error::new(format!("{name} is not a tar archive, neither plain nor compressed with gzip"))
                .with_hint("unpack it yourself and give the directory to --source"));
        }
    };
    let stream = Bounded { inner: stream, left: bounds.bytes };
    let damaged = |error: io::Error| match error.get_ref().and_then(|inner| inner.downcast_ref::<TooLarge>()) {
        Some(_) => Error::new(format!("{name} unpacks to more than {} MB", bounds.bytes >> 20)),
        None => Error::new(format!("{name} is damaged: {error}")),
    };
    let mut archive = Archive::new(stream);
    let mut room = Room { root: into, links: HashSet::new() };
    let mut count = 0;
    for entry in archive.entries().map_err(damaged)? {
        process::check_interrupt()?;
        let mut entry = entry.map_err(damaged)?;
        count += 1;
        if count > bounds.entries {
            return Err(Error::new(format!("{name} has more than {} entries", bounds.entries)));
        }
        let path = entry.path().map_err(damaged)?.into_owned();
        let outside = |why: &str| Error::new(format!("{name}: entry {:?} {why}; nothing of it was built", path));
        match entry.header().entry_type() {
            EntryType::XGlobalHeader | EntryType::XHeader => {}
            EntryType::Directory => {
                let place = room.place(&path).map_err(outside)?;
                fs::create_dir_all(&place).map_err(|error| Error::io("create", &place, &error))?;
            }
            EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse => {
                let place = room.place(&path).map_err(outside)?;
                let executable = entry.header().mode().is_ok_and(|mode| mode & 0o100 != 0);
                write(&mut entry, &place, executable, &damaged)?;
            }
            EntryType::Symlink => {
                let target = entry.link_name().map_err(damaged)?.unwrap_or_default().into_owned();
                let place = room.link(&path, &target).map_err(outside)?;
                std::os::unix::fs::symlink(&target, &place).map_err(|error| Error::io("create", &place, &error))?;
            }
            EntryType::Link => {
                let target = entry.link_name().map_err(damaged)?.unwrap_or_default().into_owned();
                let from = room.place(&target).map_err(outside)?;
                let place = room.place(&path).map_err(outside)?;
                fs::copy(&from, &place).map_err(|error| Error::io("create", &place, &error))?;
            }
            _ => return Err(outside("is neither file, directory nor link")),
        }
    }
    if count == 0 { Err(Error::new(format!("{name} is empty"))) } else { Ok(()) }
}

/// Checks that a symbolic link at `link` (relative to a root) to `target` stays below the root.
///
/// `..` is accepted only at the start of the target: behind another link it would not mean what it says.
pub fn stays_inside(link: &Path, target: &Path) -> bool {
    let mut depth = link.components().count().saturating_sub(1);
    let mut descending = false;
    for component in target.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if descending || depth == 0 => return false,
            Component::ParentDir => depth -= 1,
            Component::Normal(_) => descending = true,
            Component::RootDir | Component::Prefix(_) => return false,
        }
    }
    !target.as_os_str().is_empty()
}

/// The directory being filled, and the symbolic links made in it so far.
struct Room<'a> {
    root: &'a Path,
    links: HashSet<PathBuf>,
}

impl Room<'_> {
    /// Where an entry goes. Its parent directories are created.
    fn place(&self, path: &Path) -> std::result::Result<PathBuf, &'static str> {
        let relative = self.relative(path)?;
        if self.links.contains(&relative) {
            return Err("would be written through a symbolic link");
        }
        let place = self.root.join(&relative);
        if let Some(parent) = place.parent() {
            fs::create_dir_all(parent).map_err(|_| "has a parent that cannot be created")?;
        }
        Ok(place)
    }

    fn link(&mut self, path: &Path, target: &Path) -> std::result::Result<PathBuf, &'static str> {
        let place = self.place(path)?;
        let relative = self.relative(path)?;
        if !stays_inside(&relative, target) {
            return Err("is a symbolic link that leads outside");
        }
        self.links.insert(relative);
        Ok(place)
    }

    fn relative(&self, path: &Path) -> std::result::Result<PathBuf, &'static str> {
        let mut relative = PathBuf::new();
        for component in path.components() {
            match component {
                Component::CurDir => {}
                Component::Normal(name) => {
                    if self.links.contains(&relative) {
                        return Err("would be written through a symbolic link");
                    }
                    relative.push(name);
                }
                Component::ParentDir | Component::RootDir | Component::Prefix(_) => return Err("leads outside"),
            }
        }
        Ok(relative)
    }
}

fn write(entry: &mut impl Read, place: &Path, executable: bool, damaged: &dyn Fn(io::Error) -> Error) -> Result<()> {
    let mut file = File::create(place).map_err(|error| Error::io("create", place, &error))?;
    let mut buffer = vec![0; 1 << 16];
    loop {
        // Reading and writing fail for different reasons, which io::copy would mix up.
        let count = entry.read(&mut buffer).map_err(damaged)?;
        let Some(bytes) = buffer.get(..count).filter(|bytes| !bytes.is_empty()) else { break };
        io::Write::write_all(&mut file, bytes).map_err(|error| Error::io("write", place, &error))?;
    }
    let mode = if executable { 0o755 } else { 0o644 };
    file.set_permissions(fs::Permissions::from_mode(mode)).map_err(|error| Error::io("write", place, &error))
}

/// Ends with an error, not silently, when more than `left` bytes come.
struct Bounded<R> {
    inner: R,
    left: u64,
}

#[derive(Debug)]
struct TooLarge;

impl std::fmt::Display for TooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("too large")
    }
}

impl std::error::Error for TooLarge {}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        match self.left.checked_sub(count as u64) {
            Some(left) => self.left = left,
            None => return Err(io::Error::other(TooLarge)),
        }
        Ok(count)
    }
}
