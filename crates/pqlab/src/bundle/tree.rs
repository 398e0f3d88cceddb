//! Source trees on disk: copying one, finding one.

use super::error::{Error, Result};
use super::manifest::hash_file;
use super::pins::Digest;
use super::process;
use super::unpack::{Bounds, stays_inside};
use std::fs;
use std::path::{Path, PathBuf};

/// Copies a directory so that the build leaves the user's own untouched. Version control data stays behind.
///
/// Returns a hash over the sorted paths, link targets and contents.
///
/// # Errors
/// Unreadable, beyond the bounds of an archive, a link that leads outside, a device.
pub fn copy(from: &Path, to: &Path) -> Result<Digest> {
    let bounds = Bounds::default();
    let (mut count, mut bytes) = (0_u64, 0_u64);
    let mut lines = Vec::new();
    let mut pending = vec![PathBuf::new()];
    while let Some(relative) = pending.pop() {
        process::check_interrupt()?;
        let directory = from.join(&relative);
        let target = to.join(&relative);
        fs::create_dir(&target).map_err(|error| Error::io("create", &target, &error))?;
        let cannot = |error: std::io::Error| Error::io("read", &directory, &error);
        for item in fs::read_dir(&directory).map_err(cannot)? {
            let item = item.map_err(cannot)?;
            let name = item.file_name();
            if name == ".git" {
                continue;
            }
            count += 1;
            let path = relative.join(&name);
            let (source, place) = (from.join(&path), to.join(&path));
            let metadata = fs::symlink_metadata(&source).map_err(|error| Error::io("read", &source, &error))?;
            if metadata.is_dir() {
                pending.push(path);
            } else if metadata.is_symlink() {
                let link = fs::read_link(&source).map_err(|error| Error::io("read", &source, &error))?;
                if !stays_inside(&path, &link) {
                    return Err(Error::new(format!("{} is a symbolic link that leads outside", source.display())));
                }
                std::os::unix::fs::symlink(&link, &place).map_err(|error| Error::io("create", &place, &error))?;
                lines.push(format!("{} -> {}\n", path.display(), link.display()));
            } else if metadata.is_file() {
                bytes += fs::copy(&source, &place).map_err(|error| Error::io("copy", &source, &error))?;
                lines.push(format!("{} {}\n", path.display(), hash_file(&place)?.0));
            } else {
                return Err(Error::new(format!("{} is neither file, directory nor link", source.display())));
            }
            if count > bounds.entries || bytes > bounds.bytes {
                let limits = format!("{} entries or {} MB", bounds.entries, bounds.bytes >> 20);
                return Err(Error::new(format!("{} has more than {limits}", from.display())));
            }
        }
    }
    lines.sort();
    Ok(Digest::of(lines.concat().as_bytes()))
}

/// The directory nearest to `root` that holds `marker`, at most three levels down.
///
/// # Errors
/// Unreadable, or two at the same depth.
pub fn find(root: &Path, marker: &str) -> Result<Option<PathBuf>> {
    let mut level = vec![root.to_owned()];
    for _ in 0..4 {
        let holders: Vec<&PathBuf> = level.iter().filter(|directory| directory.join(marker).is_file()).collect();
        match holders.as_slice() {
            [] => {}
            [one] => return Ok(Some((*one).clone())),
            [one, other, ..] => {
                return Err(Error::new(format!("both {} and {} hold {marker}", one.display(), other.display()))
                    .with_hint("give the directory of the source itself to --source"));
            }
        }
        let mut next = Vec::new();
        for directory in &level {
            let cannot = |error: std::io::Error| Error::io("read", directory, &error);
            for item in fs::read_dir(directory).map_err(cannot)? {
                let item = item.map_err(cannot)?;
                if item.file_type().map_err(cannot)?.is_dir() {
                    next.push(item.path());
                }
            }
        }
        next.sort();
        level = next;
    }
    Ok(None)
}
