//! The FIPS module's configuration file.

use super::ffi::Configuration;
use crate::error::{Error, Result};
use std::io::Read as _;
use std::path::Path;

/// Largest configuration file read; `openssl fipsinstall` writes one of about 1 KiB.
const LARGEST: u64 = 1 << 20;

/// Reads a configuration. A whole one (with `openssl_conf`) is left to OpenSSL, whose includes are relative to
/// it. Around the bare output of `openssl fipsinstall` the lines are put that make OpenSSL use it.
///
/// # Errors
/// [`crate::Fault::Environment`] when it cannot be read or names no module checksum.
pub fn read(path: &Path) -> Result<Configuration> {
    let wrong = |why: String| {
        Error::environment(format!("FIPS configuration {}: {why}", path.display()))
            .with_hint("make it with `openssl fipsinstall -module fips.so -out fipsmodule.cnf`")
    };
    let file = std::fs::File::open(path).map_err(|e| wrong(e.to_string()))?;
    let mut text = String::new();
    file.take(LARGEST).read_to_string(&mut text).map_err(|e| wrong(e.to_string()))?;
    if settings(&text).any(|(_, key)| key == "openssl_conf") {
        return Ok(Configuration::File(path.to_owned()));
    }
    let section = settings(&text)
        .find(|(_, key)| *key == "module-mac")
        .map(|(section, _)| section)
        .ok_or_else(|| wrong("it has neither openssl_conf nor module-mac".into()))?;
    Ok(Configuration::Text(around(section, &text)))
}

fn around(section: &str, text: &str) -> String {
    format!(
        "openssl_conf = pqlab_init\nconfig_diagnostics = 1\n\
         [pqlab_init]\nproviders = pqlab_providers\n\
         [pqlab_providers]\nfips = {section}\n\
         {text}\n"
    )
}

/// Section and key of each setting.
fn settings(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut section = "default";
    text.lines().filter_map(move |line| {
        let line = line.split('#').next().unwrap_or("").trim();
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = name.trim();
            return None;
        }
        let (key, _) = line.split_once('=')?;
        Some((section, key.trim()))
    })
}

#[cfg(test)]
mod tests {
    use super::{around, settings};

    const INSTALLED: &str = "[my_fips]\nactivate = 1\n# module-mac = old\nmodule-mac = AA:BB\n";

    #[test]
    fn the_section_of_the_checksum_is_found_under_any_name() {
        let found = settings(INSTALLED).find(|(_, key)| *key == "module-mac");
        assert_eq!(found, Some(("my_fips", "module-mac")));
        assert!(settings("[a]\nb = 1").all(|(_, key)| key != "module-mac"));
    }

    #[test]
    fn the_text_made_names_the_section() {
        let text = around("my_fips", INSTALLED);
        assert!(settings(&text).any(|entry| entry == ("default", "openssl_conf")));
        assert!(text.contains("fips = my_fips\n[my_fips]"));
    }
}
