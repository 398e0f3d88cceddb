//! What the recipes of the libraries share: the place of work, and collecting files.

use super::error::{Error, Result};
use super::process::Log;
use super::progress::Progress;
use super::spec::Spec;
use std::fs;
use std::path::{Path, PathBuf};

/// One build in progress.
pub struct Work {
    /// What is built.
    pub spec: Spec,
    /// The source tree, a copy that may be changed.
    pub source: PathBuf,
    /// Scratch space on the same file system as the final place.
    pub stage: PathBuf,
    /// Collects the bundle; becomes `prefix` by one rename.
    pub root: PathBuf,
    /// The final place.
    pub prefix: PathBuf,
    /// Compilers at a time.
    pub jobs: usize,
    /// Output of the tools.
    pub log: Log,
    /// What the user sees.
    pub progress: Progress,
}

/// What a recipe tells about the finished library.
pub struct Made {
    /// The command line that configured the build.
    pub configure: String,
    /// Compiler flags, as far as known.
    pub flags: Option<String>,
    /// What the library says about itself.
    pub reported: Option<String>,
}

impl Work {
    /// Writes `lib/pkgconfig/NAME.pc`.
    ///
    /// # Errors
    /// Not writable.
    pub fn pkgconfig(&self, name: &str, library: &str, requires: &str) -> Result<()> {
        let directory = self.root.join("lib/pkgconfig");
        fs::create_dir_all(&directory).map_err(|error| Error::io("create", &directory, &error))?;
        let path = directory.join(format!("{name}.pc"));
        let libs = if library.is_empty() { String::new() } else { format!("Libs: -L${{libdir}} {library}\n") };
        let requires = if requires.is_empty() { String::new() } else { format!("Requires: {requires}\n") };
        let text = format!(
            "prefix={}\nlibdir=${{prefix}}/lib\nincludedir=${{prefix}}/include\n\nName: {name}\n\
             Description: {name} of the bundle {}\nVersion: {}\n{requires}{libs}Cflags: -I${{includedir}}\n",
            self.prefix.display(),
            self.spec,
            self.spec.version,
        );
        fs::write(&path, text).map_err(|error| Error::io("write", &path, &error))
    }
}

/// Copies a file with its permissions; parent directories are created.
///
/// # Errors
/// The source is missing, or the place is not writable.
pub fn copy_file(from: &Path, to: &Path) -> Result<()> {
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent).map_err(|error| Error::io("create", parent, &error))?;
    }
    fs::copy(from, to).map_err(|error| Error::io("copy", from, &error))?;
    Ok(())
}

/// Copies the `.h` files of a directory.
///
/// # Errors
/// As [`copy_file`].
pub fn copy_headers(from: &Path, to: &Path) -> Result<()> {
    let cannot = |error: std::io::Error| Error::io("read", from, &error);
    for item in fs::read_dir(from).map_err(cannot)? {
        let path = item.map_err(cannot)?.path();
        if let Some(name) = path.file_name().filter(|_| path.extension().is_some_and(|extension| extension == "h")) {
            copy_file(&path, &to.join(name))?;
        }
    }
    Ok(())
}
