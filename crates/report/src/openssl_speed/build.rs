//! The lines with which the tool says who it is.

/// Which library was measured, in its own words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Build {
    /// `openssl` or `libressl`.
    pub name: String,
    /// `3.5.5`, `1.1.1w`.
    pub version: Option<String>,
    /// Date of the build, as printed.
    pub built_on: Option<String>,
    /// `bn(64,64)`, …
    pub options: Option<String>,
    /// Compiler and flags.
    pub compiler: Option<String>,
    /// `OPENSSL_ia32cap=…`: what the library sees of the CPU.
    pub cpuinfo: Option<String>,
    /// Any other line of `openssl version -a`.
    pub platform: Option<String>,
}

/// A line about the build.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Line<'a> {
    /// A new build begins: name and version.
    Version(&'static str, &'a str),
    /// One of its properties.
    Property(Property, &'a str),
    /// Known, and of no use here.
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Property {
    BuiltOn,
    Options,
    Compiler,
    Cpuinfo,
    Platform,
}

const PROPERTIES: [(&str, Property); 5] = [
    ("built on:", Property::BuiltOn),
    ("options:", Property::Options),
    ("compiler:", Property::Compiler),
    ("CPUINFO:", Property::Cpuinfo),
    ("platform:", Property::Platform),
];

const OTHERS: [&str; 5] = ["OPENSSLDIR:", "ENGINESDIR:", "MODULESDIR:", "Seeding source:", "CPUINFO: N/A"];

/// `None` when the line is not about the build.
pub(super) fn line(text: &str) -> Option<Line<'_>> {
    if let Some(version) = text.strip_prefix("version:") {
        return version_of(version.trim()).map(|version| Line::Version("openssl", version));
    }
    for (prefix, name) in [("OpenSSL ", "openssl"), ("LibreSSL ", "libressl")] {
        if let Some(version) = text.strip_prefix(prefix).and_then(|rest| rest.split_whitespace().next()) {
            return version_of(version).map(|version| Line::Version(name, version));
        }
    }
    // LibreSSL may say `date not available` in place of `built on: …`.
    if OTHERS.iter().any(|prefix| text.starts_with(prefix)) || text == "compiler: information not available" {
        return Some(Line::Other);
    }
    PROPERTIES.iter().find_map(|(prefix, property)| Some(Line::Property(*property, text.strip_prefix(prefix)?.trim())))
}

/// `3.5.5`, `1.1.1w`, `3.6.0-dev`, `3.0.2+quic`: becomes part of a provider's identifier.
pub(super) fn version_of(text: &str) -> Option<&str> {
    let plain = |c: char| c.is_ascii_alphanumeric() || ".-+_~".contains(c);
    let fine = text.len() <= 40 && text.starts_with(|c: char| c.is_ascii_digit()) && text.chars().all(plain);
    fine.then_some(text)
}

impl Build {
    pub(super) fn set(&mut self, property: Property, value: &str) {
        let field = match property {
            Property::BuiltOn => &mut self.built_on,
            Property::Options => &mut self.options,
            Property::Compiler => &mut self.compiler,
            Property::Cpuinfo => &mut self.cpuinfo,
            Property::Platform => &mut self.platform,
        };
        *field = Some(value.to_owned());
    }
}
