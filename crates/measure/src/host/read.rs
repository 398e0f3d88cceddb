//! Bounded reading of the kernel's text files below a root.

use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Most bytes of one file that are looked at. `/proc/cpuinfo` of 1024 x86 processors is about 1.5 MB.
const LIMIT: u64 = 4 << 20;

/// The text of `path` below `root`, without NUL bytes (the device tree ends strings with one) and surrounding white space.
pub(super) fn text(root: &Path, path: &str) -> Option<String> {
    let mut bytes = Vec::new();
    File::open(root.join(path)).ok()?.take(LIMIT).read_to_end(&mut bytes).ok()?;
    bytes.retain(|&byte| byte != 0);
    Some(String::from_utf8_lossy(&bytes).trim().to_owned())
}

/// As [`text`], absent when empty.
pub(super) fn word(root: &Path, path: &str) -> Option<String> {
    text(root, path).filter(|text| !text.is_empty())
}

/// Whether `path` exists below `root`.
pub(super) fn exists(root: &Path, path: &str) -> bool {
    root.join(path).exists()
}

/// Names in the directory `path` below `root`, in order; empty when there is none.
pub(super) fn names(root: &Path, path: &str) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(root.join(path)) else { return Vec::new() };
    let mut names: Vec<String> =
        entries.filter_map(Result::ok).filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort_unstable();
    names
}

/// The kernel's list format, `0-3,8`, as numbers; absent when it is not such a list. At most 2^16 numbers.
pub(super) fn cpu_list(text: &str) -> Option<Vec<usize>> {
    let mut cpus = Vec::new();
    for part in text.trim().split(',').filter(|part| !part.is_empty()) {
        let (low, high) = part.split_once('-').unwrap_or((part, part));
        let (low, high): (usize, usize) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
        if high < low || high >= 1 << 16 {
            return None;
        }
        cpus.extend(low..=high);
    }
    (!cpus.is_empty()).then_some(cpus)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_as_the_kernel_writes_them() {
        assert_eq!(cpu_list("0-1\n"), Some(vec![0, 1]));
        assert_eq!(cpu_list("0-3,8,10-11"), Some(vec![0, 1, 2, 3, 8, 10, 11]));
        assert_eq!(cpu_list("5"), Some(vec![5]));
        for bad in ["", "\n", "a-b", "3-1", "0-99999999999", "0-18446744073709551615", "-"] {
            assert_eq!(cpu_list(bad), None, "{bad}");
        }
    }
}
