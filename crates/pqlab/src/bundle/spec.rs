//! Which library, which version, which variant: `openssl@3.5.5+fips`.

use super::error::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// A library that can be bundled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// libcrypto, libssl and the `openssl` executable.
    OpenSsl,
    /// Open Quantum Safe's liboqs.
    LibOqs,
}

impl Kind {
    /// Every library that can be bundled.
    pub const ALL: [Kind; 2] = [Kind::OpenSsl, Kind::LibOqs];

    /// The name before the `@`.
    pub fn name(self) -> &'static str {
        match self {
            Kind::OpenSsl => "openssl",
            Kind::LibOqs => "liboqs",
        }
    }

    fn from_name(name: &str) -> Result<Self> {
        if let Some(kind) = Self::ALL.into_iter().find(|kind| kind.name() == name) {
            return Ok(kind);
        }
        let error = Error::new(format!("there is no bundle called {name:?}"));
        let nearest = Self::ALL.into_iter().max_by(|a, b| {
            let near = |kind: &Kind| strsim::jaro_winkler(kind.name(), name);
            near(a).total_cmp(&near(b))
        });
        let example = nearest.map_or("openssl", Kind::name);
        Err(error.with_hint(format!("did you mean {example}@VERSION? bundles are: openssl, liboqs")))
    }
}

/// A release number: exactly `MAJOR.MINOR.PATCH` in decimal, for OpenSSL 1.x its patch letter (`1.1.1w`), and what was
/// not released yet has its stage (`4.1.0-dev`, `3.6.0-beta1`).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    numbers: [u32; 3],
    letter: Option<char>,
    stage: Stage,
}

/// The stages in their order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    /// `alpha1`, `beta1`, `dev`, `rc1`: their alphabetical order is near enough.
    Before(String),
    Released,
}

impl Stage {
    fn read(text: &str) -> Option<Self> {
        let word = text.trim_end_matches(|c: char| c.is_ascii_digit());
        let known = ["alpha", "beta", "rc"].contains(&word) && text.len() > word.len() || text == "dev";
        (known && text.len() <= 12).then(|| Self::Before(text.to_owned()))
    }
}

impl Version {
    /// The first number.
    pub fn major(&self) -> u32 {
        self.numbers[0]
    }
}

impl FromStr for Version {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let wrong = || {
            Error::new(format!("{text:?} is not a version"))
                .with_hint("a version is MAJOR.MINOR.PATCH, as in openssl@3.5.5 or liboqs@0.13.0")
        };
        let (text, stage) = match text.split_once('-') {
            Some((text, stage)) => (text, Stage::read(stage).ok_or_else(wrong)?),
            None => (text, Stage::Released),
        };
        let letter = text.chars().next_back().filter(|c| c.is_ascii_lowercase() && text.starts_with("1."));
        let digits = if letter.is_some() { text.get(..text.len() - 1).ok_or_else(wrong)? } else { text };
        let mut numbers = [0; 3];
        let mut parts = digits.split('.');
        for number in &mut numbers {
            let part = parts.next().ok_or_else(wrong)?;
            let canonical = part.bytes().all(|b| b.is_ascii_digit()) && (part == "0" || !part.starts_with('0'));
            if !canonical || part.len() > 6 {
                return Err(wrong());
            }
            *number = part.parse().map_err(|_| wrong())?;
        }
        if parts.next().is_some() { Err(wrong()) } else { Ok(Self { numbers, letter, stage }) }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { numbers: [major, minor, patch], letter, stage } = self;
        write!(f, "{major}.{minor}.{patch}")?;
        letter.map_or(Ok(()), |letter| write!(f, "{letter}"))?;
        match stage {
            Stage::Before(stage) => write!(f, "-{stage}"),
            Stage::Released => Ok(()),
        }
    }
}

/// What a bundle is built for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Platform {
    /// This machine.
    Native,
    /// Windows on x86-64, by the MinGW-w64 cross compiler.
    Mingw,
}

/// Behind the version of a bundle for Windows.
const MINGW: &str = "-mingw";

/// One bundle: library, version, platform, and whether OpenSSL's FIPS provider is built too.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spec {
    /// The library.
    pub kind: Kind,
    /// The release.
    pub version: Version,
    /// For which system.
    pub platform: Platform,
    /// With the FIPS provider.
    pub fips: bool,
}

impl Spec {
    /// Reads a library's name and a version that stand apart.
    ///
    /// # Errors
    /// An unknown library, a version that is not one.
    pub fn parts(name: &str, version: &str) -> Result<(Kind, Version)> {
        Ok((Kind::from_name(name)?, version.parse()?))
    }

    /// The same bundle with the FIPS provider.
    ///
    /// # Errors
    /// A library or version that has none.
    pub fn with_fips(mut self) -> Result<Self> {
        if self.platform == Platform::Mingw {
            return Err(Error::new(format!("{self} is built without its FIPS provider: only the executable is made"))
                .with_hint("leave out --fips, or build it in a call of its own"));
        }
        if self.kind != Kind::OpenSsl || self.version.major() < 3 {
            return Err(Error::new(format!("{self} has no FIPS provider: OpenSSL has one from 3.0.0 on"))
                .with_hint("leave out --fips, or build it in a call of its own"));
        }
        self.fips = true;
        Ok(self)
    }

    /// Name of the bundle's directory below the cache: `openssl-3.5.5+fips`.
    pub fn directory(&self) -> String {
        self.to_string().replacen('@', "-", 1)
    }
}

impl FromStr for Spec {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let Some((name, rest)) = text.split_once('@') else {
            let kind = Kind::from_name(text)?;
            return Err(Error::new(format!("{text:?} names no version"))
                .with_hint(format!("write {}@VERSION, as in openssl@3.5.5 or liboqs@0.13.0", kind.name())));
        };
        let kind = Kind::from_name(name)?;
        let (version, variant) = rest.split_once('+').map_or((rest, None), |(v, variant)| (v, Some(variant)));
        let (version, platform) = match version.strip_suffix(MINGW) {
            Some(version) => (version, Platform::Mingw),
            None => (version, Platform::Native),
        };
        if platform == Platform::Mingw && kind != Kind::OpenSsl {
            return Err(Error::new(format!("{text:?}: only OpenSSL is built for Windows"))
                .with_hint(format!("leave out {MINGW}")));
        }
        let spec = Self { kind, version: version.parse()?, platform, fips: false };
        match variant {
            None => Ok(spec),
            Some("fips") => spec.with_fips(),
            Some(other) => Err(Error::new(format!("{text:?} has the unknown variant {other:?}"))
                .with_hint("the only variant is +fips, of OpenSSL")),
        }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, version, platform, fips } = self;
        let platform = if *platform == Platform::Mingw { MINGW } else { "" };
        write!(f, "{}@{version}{platform}{}", kind.name(), if *fips { "+fips" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_specs_survive_a_round_trip() {
        for text in [
            "openssl@3.5.5",
            "openssl@3.5.5+fips",
            "openssl@1.1.1w",
            "liboqs@0.13.0",
            "openssl@10.20.30",
            "openssl@4.1.0-dev+fips",
            "liboqs@0.16.0-rc1",
            "openssl@3.5.5-mingw",
            "openssl@4.1.0-dev-mingw",
        ] {
            assert_eq!(text.parse::<Spec>().unwrap().to_string(), text);
        }
        let version = |text: &str| text.parse::<Version>().unwrap();
        assert!(version("3.6.0-beta1") < version("3.6.0") && version("3.6.0") < version("3.6.1-dev"));
        assert_eq!("openssl@3.5.5+fips".parse::<Spec>().unwrap().directory(), "openssl-3.5.5+fips");
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "",
            "openssl",
            "openssl@",
            "openssl@3.5",
            "openssl@3.5.5.1",
            "openssl@03.5.5",
            "openssl@3.5.5 ",
            "openssl@3.5.5\n",
            "openssl@3.5.5\0",
            "openssl@3.5.-5",
            "openssl@3.5.+5",
            "openssl@3.5.5w",
            "openssl@3.5.5-",
            "openssl@3.5.5-beta",
            "openssl@3.5.5-dev1",
            "openssl@3.5.5-../x",
            "openssl@3..5",
            "openssl@3.5.4294967296",
            "openssl@../../x",
            "openssl@3.5.5+mips",
            "liboqs@0.13.0+fips",
            "liboqs@0.13.0-mingw",
            "openssl@3.5.5-mingw+fips",
            "openssl@3.5.5-msvc",
            "openssl@1.1.1w+fips",
            "opensll@3.5.5",
            "openssl@１.1.1",
        ] {
            let error = text.parse::<Spec>().expect_err(text);
            assert!(error.hint().is_some(), "{text:?} has no hint");
        }
    }

    #[test]
    fn a_misspelt_name_gets_the_nearest() {
        let hint = "opensll@3.5.5".parse::<Spec>().unwrap_err().hint().unwrap().to_owned();
        assert!(hint.contains("openssl@VERSION"), "{hint}");
    }
}
