//! The user's cache: finished bundles, downloads, logs; and the lock and staging directory of a bundle in the making.
//!
//! ```text
//! <cache>/bundles/openssl-3.5.5+fips/          a finished bundle: it appears by one rename
//!         bundles/.stage-openssl-3.5.5+fips.4711/   one in the making, of process 4711
//!         bundles/.lock-openssl-3.5.5+fips     locked (flock) while that bundle is made
//!         downloads/  logs/
//! ```

use super::error::{Error, Result};
use super::process;
use super::progress::Progress;
use super::spec::Spec;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

const STAGE: &str = ".stage-";
const LOCK: &str = ".lock-";

/// Where bundles live.
#[derive(Debug, Clone)]
pub struct Cache {
    root: PathBuf,
}

impl Cache {
    /// `$PQLAB_CACHE`, else `$XDG_CACHE_HOME/pqlab`, else `~/.cache/pqlab`.
    ///
    /// # Errors
    /// None of the three is set.
    pub fn from_environment() -> Result<Self> {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let root = set("PQLAB_CACHE")
            .or_else(|| set("XDG_CACHE_HOME").filter(|path| path.is_absolute()).map(|path| path.join("pqlab")))
            .or_else(|| set("HOME").map(|path| path.join(".cache/pqlab")))
            .ok_or_else(|| {
                Error::new("there is no place for a cache: HOME is not set").with_hint("set PQLAB_CACHE to a directory")
            })?;
        Self::at(&root)
    }

    /// A cache at a given place.
    ///
    /// # Errors
    /// The current directory is needed for a relative path and cannot be found.
    pub fn at(root: &Path) -> Result<Self> {
        let root = std::path::absolute(root).map_err(|error| Error::io("find", root, &error))?;
        Ok(Self { root })
    }

    /// Directory of the finished bundles.
    pub fn bundles(&self) -> PathBuf {
        self.root.join("bundles")
    }

    /// Final place of one bundle.
    pub fn bundle(&self, spec: &Spec) -> PathBuf {
        self.bundles().join(spec.directory())
    }

    /// Directory of downloaded archives.
    pub fn downloads(&self) -> PathBuf {
        self.root.join("downloads")
    }

    /// Directory of build logs.
    pub fn logs(&self) -> PathBuf {
        self.root.join("logs")
    }

    /// Creates the directories and checks that there is room for a build.
    ///
    /// # Errors
    /// Read-only, full, or not a directory.
    pub fn prepare(&self) -> Result<()> {
        for directory in [self.bundles(), self.downloads(), self.logs()] {
            fs::create_dir_all(&directory).map_err(|error| Error::io("create", &directory, &error))?;
        }
        // A source tree with its objects takes 100 to 400 MB.
        const NEEDED: u64 = 600 << 20;
        let free = process::free_bytes(&self.root)?;
        if free < NEEDED {
            let what = format!("{} has {} MB free, a build needs {} MB", self.root.display(), free >> 20, NEEDED >> 20);
            return Err(
                Error::new(what).with_hint("free some space, or set PQLAB_CACHE to a directory on another disk")
            );
        }
        Ok(())
    }

    /// Removes what interrupted builds left: staging directories whose lock nobody holds.
    ///
    /// # Errors
    /// A directory cannot be read or removed.
    pub fn sweep(&self) -> Result<()> {
        let bundles = self.bundles();
        for entry in fs::read_dir(&bundles).map_err(|error| Error::io("read", &bundles, &error))? {
            let entry = entry.map_err(|error| Error::io("read", &bundles, &error))?;
            let name = entry.file_name();
            let Some(bundle) = name.to_str().and_then(staged_bundle) else { continue };
            let path = bundles.join(format!("{LOCK}{bundle}"));
            let file = open_lock(&path)?;
            if file.try_lock().is_ok() {
                remove(&entry.path())?;
            }
        }
        Ok(())
    }

    /// Takes the lock of one bundle, waiting for another process that makes the same.
    ///
    /// # Errors
    /// The cache is not writable, or the user interrupted the wait.
    pub fn lock(&self, spec: &Spec, progress: &Progress) -> Result<Lock> {
        let path = self.bundles().join(format!("{LOCK}{}", spec.directory()));
        let file = open_lock(&path)?;
        let mut told = false;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Lock { _file: file }),
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => return Err(Error::io("lock", &path, &error)),
            }
            if !told {
                progress.note(&format!("{spec}: another process is building it; waiting"));
                told = true;
            }
            process::check_interrupt()?;
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// A fresh staging directory. The caller holds the bundle's lock, so any older one of this bundle is stale.
    ///
    /// # Errors
    /// The cache is not writable.
    pub fn stage(&self, spec: &Spec, _lock: &Lock) -> Result<Stage> {
        let path = self.bundles().join(format!("{STAGE}{}.{}", spec.directory(), std::process::id()));
        if path.exists() {
            remove(&path)?;
        }
        fs::create_dir(&path).map_err(|error| Error::io("create", &path, &error))?;
        Ok(Stage { path })
    }
}

/// The right to make one bundle; given back when dropped or when the process ends in whatever way.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

/// A directory that is removed when dropped.
#[derive(Debug)]
pub struct Stage {
    path: PathBuf,
}

impl Stage {
    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        // Nothing more can be done here; the next start sweeps it.
        let _ = remove(&self.path);
    }
}

/// Puts the finished directory `from` in the place `to` in one step. What stood there before is left at `from`.
///
/// # Errors
/// The file system refuses.
pub fn put_in_place(from: &Path, to: &Path) -> Result<()> {
    let wrong = |error: io::Error| Error::io("put in place", to, &error);
    if !to.exists() {
        return fs::rename(from, to).map_err(wrong);
    }
    exchange(from, to).map_err(wrong)
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn exchange(from: &Path, to: &Path) -> io::Result<()> {
    use nix::fcntl::{AT_FDCWD, RenameFlags, renameat2};
    renameat2(AT_FDCWD, from, AT_FDCWD, to, RenameFlags::RENAME_EXCHANGE).map_err(io::Error::from)
}

/// Two renames: for a moment the place is empty.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn exchange(from: &Path, to: &Path) -> io::Result<()> {
    let aside = from.with_extension("old");
    fs::rename(to, &aside)?;
    fs::rename(from, to)?;
    fs::rename(&aside, from)
}

fn open_lock(path: &Path) -> Result<File> {
    File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
        .map_err(|error| Error::io("create", path, &error))
}

/// `.stage-openssl-3.5.5+fips.4711` → `openssl-3.5.5+fips`.
fn staged_bundle(name: &str) -> Option<&str> {
    name.strip_prefix(STAGE)?.rsplit_once('.').map(|(bundle, _)| bundle)
}

/// Removes a tree in which an orphaned compiler of a killed build may still be writing for a moment.
fn remove(path: &Path) -> Result<()> {
    let mut left = 50;
    loop {
        match fs::remove_dir_all(path) {
            Ok(()) => return Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) if left == 0 || error.kind() != io::ErrorKind::DirectoryNotEmpty => {
                return Err(Error::io("remove", path, &error));
            }
            Err(_) => left -= 1,
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}
