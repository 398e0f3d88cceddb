//! Sources in a git repository: one commit, by tag, branch or its own name.

use super::error::{Error, Result};
use super::process::{self, Log, tool};
use super::progress::Progress;
use std::fs;
use std::path::Path;
use std::str::FromStr;

/// `git+URL#REFERENCE`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repository {
    /// Where it is: http, https, ssh or file.
    pub url: String,
    /// Tag, branch or full commit.
    pub reference: String,
}

impl Repository {
    /// Whether the reference is a commit in full, which names its content.
    pub fn names_commit(&self) -> bool {
        matches!(self.reference.len(), 40 | 64) && self.reference.bytes().all(|b| b.is_ascii_hexdigit())
    }

    /// Fetches that commit alone into the new directory `into` and returns its name. Submodules stay away.
    ///
    /// # Errors
    /// git fails (with its last lines), or brings another commit than was named.
    pub fn fetch(&self, into: &Path, log: &Log, progress: &Progress) -> Result<String> {
        fs::create_dir_all(into).map_err(|error| Error::io("create", into, &error))?;
        let git = |arguments: &[&str]| {
            let mut git = tool("git");
            // Nobody is there to be asked for a password.
            git.env("GIT_TERMINAL_PROMPT", "0").current_dir(into).args(arguments);
            git
        };
        let run = |what: &str, arguments: &[&str]| process::run(what, &mut git(arguments), log, progress, None);
        run("git init", &["init", "--quiet", "."])?;
        run("git fetch", &["fetch", "--quiet", "--depth", "1", "--no-tags", &self.url, &self.reference]).map_err(
            |error| error.with_hint("is the address right, and the tag, branch or full commit after the #?"),
        )?;
        run("git checkout", &["-c", "core.hooksPath=/dev/null", "checkout", "--quiet", "FETCH_HEAD"])?;
        let commit = process::capture("git rev-parse", &mut git(&["rev-parse", "HEAD"]))?.trim().to_owned();
        if self.names_commit() && !commit.eq_ignore_ascii_case(&self.reference) {
            return Err(Error::new(format!("{} gave the commit {commit}, not {}", self.url, self.reference)));
        }
        Ok(commit)
    }
}

impl FromStr for Repository {
    type Err = Error;

    /// `URL#REFERENCE`, without `git+`.
    fn from_str(text: &str) -> Result<Self> {
        let wrong = |why: &str| {
            Error::new(format!("git+{text}: {why}"))
                .with_hint("write git+URL#REFERENCE, as in git+https://github.com/openssl/openssl#openssl-3.5.5")
        };
        let (url, reference) = text.rsplit_once('#').ok_or_else(|| wrong("no tag, branch or commit is named"))?;
        if !["https://", "http://", "ssh://", "file://"].iter().any(|scheme| url.starts_with(scheme)) {
            return Err(wrong("only https, http, ssh and file addresses can be fetched"));
        }
        // What begins with a dash git would take for an option.
        let plain = reference.bytes().all(|b| b.is_ascii_alphanumeric() || b"._/-".contains(&b));
        if reference.is_empty() || reference.starts_with('-') || !plain {
            return Err(wrong("that is no tag, branch or commit"));
        }
        Ok(Self { url: url.into(), reference: reference.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_with_a_reference_are_read_and_others_refused() {
        let read: Repository = "https://example.org/x#openssl-3.5.5".parse().unwrap();
        assert_eq!((read.url.as_str(), read.reference.as_str()), ("https://example.org/x", "openssl-3.5.5"));
        assert!(!read.names_commit());
        assert!(format!("https://x#{}", "0a".repeat(20)).parse::<Repository>().unwrap().names_commit());
        for text in
            ["https://x", "https://x#", "https://x#--upload-pack=x", "https://x#a b", "ext::sh -c x#y", "/tmp/x#y"]
        {
            assert!(text.parse::<Repository>().unwrap_err().hint().is_some(), "{text}");
        }
    }
}
