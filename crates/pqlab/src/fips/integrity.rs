//! The integrity record of the FIPS module (`fipsmodule.cnf`), compared with the module without OpenSSL's help.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The key of the integrity test. It is public and the same in every OpenSSL (`FIPS_KEY_STRING` in
/// `providers/fips/self_test.c` of 3.x), unless its builder gave `Configure` another with `--fips-key`.
const KEY: &str = "f4556650ac31d35461610bac4ed81b1a181b2d8a43ea2854cbae22ca74560813";

/// Largest configuration file read.
const LARGEST_CONFIGURATION: u64 = 1 << 20;

/// Largest module read; that of OpenSSL 3.5 has 3 MB.
const LARGEST_MODULE: u64 = 256 << 20;

/// HMAC-SHA-256 of the module under the key of the integrity test.
pub type Digest = [u8; 32];

/// Compares the module with the record that `openssl fipsinstall` made of it.
///
/// `configuration` holds the record itself, or includes the file that does.
///
/// # Errors
/// In words: a file that cannot be read, a record without a checksum, a checksum that is another module's.
pub fn check(module: &Path, configuration: &Path) -> Result<Digest, String> {
    let recorded = recorded(configuration)?;
    let actual = digest(module)?;
    if recorded == actual {
        return Ok(actual);
    }
    Err(format!(
        "module-mac is {}, the module's HMAC-SHA-256 is {}: the module was changed, or the record is another module's",
        hex::encode(recorded),
        hex::encode(actual)
    ))
}

fn digest(module: &Path) -> Result<Digest, String> {
    let bytes = read(module, LARGEST_MODULE)?;
    let key = hex::decode(KEY).map_err(|error| error.to_string())?;
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).map_err(|error| error.to_string())?;
    mac.update(&bytes);
    Ok(mac.finalize().into_bytes().into())
}

fn recorded(configuration: &Path) -> Result<Digest, String> {
    let text = text(configuration)?;
    let mut files = vec![text.clone()];
    for included in includes(&text, configuration) {
        // A directory may be included too; a record is a file.
        files.extend(self::text(&included).ok());
    }
    let value = files.iter().find_map(|text| checksum(text));
    let value =
        value.ok_or_else(|| format!("{} has no module-mac, nor has what it includes", configuration.display()))?;
    let mut digest = [0; 32];
    hex::decode_to_slice(value.replace(':', ""), &mut digest)
        .map_err(|_| format!("{}: module-mac {value:?} is not 32 bytes", configuration.display()))?;
    Ok(digest)
}

fn checksum(text: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let (key, value) = line.split('#').next()?.split_once('=')?;
        (key.trim() == "module-mac").then(|| value.trim().to_owned())
    })
}

/// `.include FILE` and `.include = FILE`; a relative path is looked for beside the file, as the environment variable
/// `OPENSSL_CONF_INCLUDE` is not ours to set.
fn includes(text: &str, of: &Path) -> Vec<PathBuf> {
    let folder = of.parent().unwrap_or(Path::new(""));
    let path = |line: &str| {
        let rest = line.trim().strip_prefix(".include")?.trim_start();
        Some(folder.join(rest.strip_prefix('=').unwrap_or(rest).trim()))
    };
    text.lines().filter_map(path).take(16).collect()
}

fn text(path: &Path) -> Result<String, String> {
    String::from_utf8(read(path, LARGEST_CONFIGURATION)?).map_err(|_| format!("{} is not text", path.display()))
}

fn read(path: &Path, largest: u64) -> Result<Vec<u8>, String> {
    let wrong = |why: String| format!("cannot read {}: {why}", path.display());
    let metadata = path.metadata().map_err(|error| wrong(error.to_string()))?;
    if !metadata.is_file() || metadata.len() > largest {
        return Err(wrong(format!("it is not a plain file of at most {} MB", largest >> 20)));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| wrong(error.to_string()))?;
    file.take(largest).read_to_end(&mut bytes).map_err(|error| wrong(error.to_string()))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// printf 'not really a module' | openssl dgst -sha256 -mac HMAC -macopt hexkey:KEY
    const MODULE: &[u8] = b"not really a module";
    const MAC: &str = "66d54508511521e2ccc72142ba627f84368e5956b44cb52fdb3a4c660451281d";

    fn folder(record: &str) -> (tempfile::TempDir, PathBuf, PathBuf) {
        let directory = tempfile::tempdir().unwrap();
        let (module, configuration) = (directory.path().join("fips.so"), directory.path().join("openssl-fips.cnf"));
        fs::write(&module, MODULE).unwrap();
        fs::write(&configuration, "openssl_conf = x\n.include fipsmodule.cnf\n").unwrap();
        fs::write(directory.path().join("fipsmodule.cnf"), record).unwrap();
        (directory, module, configuration)
    }

    #[test]
    fn a_record_with_colons_in_an_included_file_fits_its_module_only() {
        let pairs: Vec<&str> = (0..32).map(|i| &MAC[2 * i..2 * i + 2]).collect();
        let record = format!("[fips_sect]\nactivate = 1\nmodule-mac = {}\n", pairs.join(":").to_uppercase());
        let (_directory, module, configuration) = folder(&record);
        assert_eq!(hex::encode(check(&module, &configuration).unwrap()), MAC);
        fs::write(&module, b"not really the module").unwrap();
        assert!(check(&module, &configuration).unwrap_err().contains("the module was changed"));
    }

    #[test]
    fn a_record_without_a_usable_checksum_says_so() {
        for (record, why) in [
            ("# module-mac = 00\n", "has no module-mac"),
            ("module-mac = 00:11\n", "is not 32 bytes"),
            ("module-mac = zz\n", "is not 32 bytes"),
        ] {
            let (_directory, module, configuration) = folder(record);
            let error = check(&module, &configuration).unwrap_err();
            assert!(error.contains(why), "{record:?}: {error}");
        }
    }

    #[test]
    fn what_is_not_a_plain_file_is_not_read() {
        let (directory, _, configuration) = folder("");
        assert!(check(directory.path(), &configuration).is_err());
        assert!(check(Path::new("/dev/zero"), Path::new("/dev/zero")).unwrap_err().contains("plain file"));
    }
}
