//! Builds OpenSSL: libcrypto and libssl as shared libraries, the `openssl` executable linked against them, the legacy
//! and, if wanted, the FIPS provider.
//!
//! The prefix is compiled into libcrypto (OPENSSLDIR, MODULESDIR), so the build is configured for the final place and
//! its files are collected in the staging directory. Only the objects of the shared libraries are compiled, not those
//! of the static ones beside them, which halves the time. The executable uses the same libcrypto.so that pqlab loads:
//! what `openssl speed` measures is the same code.

use super::error::{Error, Result};
use super::process::{self, Meter, tool};
use super::recipe::{Made, Work, copy_file, copy_headers};
use super::tools::Tool;
use std::fs;
use std::path::{Path, PathBuf};

/// Stand-in for the script that writes linker version scripts; see its own header.
const MKDEF: &str = include_str!("openssl/mkdef.pl");

/// The one symbol that a provider module exports, in the format of OpenSSL's ordinals files.
const PROVIDERS: &str = "OSSL_provider_init                     1\t*\tEXIST::FUNCTION:\n";

/// OpenSSL's own default configuration is left out too. Nothing that is measured reads it; `openssl req` wants one.
const CONFIGURATION: &str = "\
# Minimal configuration. The FIPS provider has its own beside it: openssl-fips.cnf
[req]
distinguished_name = req_distinguished_name

[req_distinguished_name]
commonName = Common Name
";

/// What the build needs.
pub const TOOLS: [Tool; 3] = [Tool::Compiler, Tool::Make, Tool::Perl];

/// Reads the version of a source tree: `VERSION.dat` from 3.0 on, the header before.
pub fn source_version(root: &Path) -> Option<String> {
    if let Ok(text) = fs::read_to_string(root.join("VERSION.dat")) {
        let value = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='))?;
            Some(line.trim().trim_matches('"').to_owned())
        };
        let tag = value("PRE_RELEASE_TAG").filter(|tag| !tag.is_empty()).map(|tag| format!("-{tag}"));
        return Some(format!("{}.{}.{}{}", value("MAJOR")?, value("MINOR")?, value("PATCH")?, tag.unwrap_or_default()));
    }
    let header = fs::read_to_string(root.join("include/openssl/opensslv.h")).ok()?;
    let line = header.lines().find(|line| line.contains("OPENSSL_VERSION_TEXT") && line.contains("OpenSSL "))?;
    line.split("OpenSSL ").nth(1)?.split_whitespace().next().map(str::to_owned)
}

/// Adds to a source tree what a package made for static builds leaves out. Returns what was added.
///
/// # Errors
/// Not writable.
pub fn supplement(root: &Path) -> Result<Vec<String>> {
    let mut added = Vec::new();
    let mut texts = vec![("apps/openssl.cnf", CONFIGURATION)];
    // Before 3.0 the script has another interface, and is there.
    if root.join("providers").is_dir() {
        texts.extend([("util/mkdef.pl", MKDEF), ("util/providers.num", PROVIDERS)]);
    }
    for (name, text) in texts {
        let path = root.join(name);
        if !path.exists() {
            fs::write(&path, text).map_err(|error| Error::io("write", &path, &error))?;
            added.push(name.to_owned());
        }
    }
    Ok(added)
}

/// Compiles and collects.
///
/// # Errors
/// This system has no target, a step fails (with the last lines of the log), the result is not what was asked for.
pub fn build(work: &mut Work) -> Result<Made> {
    let target = target()?;
    let prefix = work.prefix.display().to_string();
    let mut configure = tool("perl");
    configure.env("CC", Tool::Compiler.program());
    configure.current_dir(&work.source).arg("./Configure").arg(target).args([
        format!("--prefix={prefix}"),
        format!("--openssldir={prefix}/ssl"),
        "--libdir=lib".into(),
        "shared".into(),
        "no-tests".into(),
        format!("-Wl,--enable-new-dtags,-rpath,{prefix}/lib"),
    ]);
    if work.spec.fips {
        configure.arg("enable-fips");
    }
    work.progress.step(&format!("{}: configuring", work.spec));
    process::run("Configure", &mut configure, &work.log, &work.progress, None)?;
    let products = Products::read(&work.source.join("Makefile"), work.spec.fips)?;
    compile(work, &products)?;
    collect(work, &products)?;
    let reported = work.openssl("openssl version", &["version", "-a"])?;
    if !reported.starts_with(&format!("OpenSSL {} ", work.spec.version)) {
        let first = reported.lines().next().unwrap_or_default();
        return Err(Error::new(format!("{}: the finished openssl calls itself {first:?}", work.spec)));
    }
    if work.spec.fips {
        configure_fips(work, &products)?;
    }
    let flags = reported.lines().find_map(|line| line.strip_prefix("compiler:")).map(|flags| flags.trim().to_owned());
    Ok(Made { configure: process::spell(&configure), flags, reported: Some(reported) })
}

/// OpenSSL's name for this system.
fn target() -> Result<&'static str> {
    match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => Ok("linux-x86_64"),
        ("linux", "aarch64") => Ok("linux-aarch64"),
        ("linux", "riscv64") => Ok("linux64-riscv64"),
        (os, arch) => Err(Error::new(format!("bundles of OpenSSL are built on Linux, not on {arch} {os}"))
            .with_hint("point pqlab at an OpenSSL of this system instead")),
    }
}

/// Files that the Makefile is asked for, relative to the source.
struct Products {
    /// `libcrypto.so.3`, `libssl.so.3`.
    libraries: Vec<String>,
    /// `providers/legacy.so`, `providers/fips.so`; none before 3.0.
    modules: Vec<String>,
}

impl Products {
    /// Takes the names from the Makefile that Configure wrote.
    fn read(makefile: &Path, fips: bool) -> Result<Self> {
        let text = fs::read_to_string(makefile).map_err(|error| Error::io("read", makefile, &error))?;
        let text = text.replace("\\\n", " ");
        let value = |name: &str| assigned(&text, name);
        let words = |name: &str| -> Vec<String> { value(name).split_whitespace().map(str::to_owned).collect() };
        let libraries = words("SHLIBS");
        let mut modules = words("MODULES");
        modules.extend(words("FIPSMODULE"));
        modules.retain(|module| module == "providers/legacy.so" || (fips && module == "providers/fips.so"));
        let plain = |name: &String| !name.contains(['/', '$']) && name.contains(".so");
        if !libraries.iter().any(|name| name.starts_with("libcrypto.")) || !libraries.iter().all(plain) {
            return Err(Error::new(format!("Configure planned no shared libcrypto (SHLIBS is {:?})", value("SHLIBS"))));
        }
        if fips && !modules.iter().any(|module| module.ends_with("fips.so")) {
            return Err(Error::new("Configure planned no FIPS module")
                .with_hint("this source was trimmed too far: give the release archive with --source"));
        }
        Ok(Self { libraries, modules })
    }
}

/// The value of a make variable, with the variables in it replaced: 1.1.1 writes `libcrypto$(SHLIB_EXT)`, and that in
/// turn is `.so.$(SHLIB_VERSION_NUMBER)`.
fn assigned(makefile: &str, name: &str) -> String {
    let raw =
        |name: &str| makefile.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('=')).unwrap_or("").trim();
    let mut value = raw(name).to_owned();
    // A variable that names itself would never end.
    for _ in 0..4 {
        let Some((_, rest)) = value.split_once("$(") else { break };
        let Some((inner, _)) = rest.split_once(')') else { break };
        value = value.replace(&format!("$({inner})"), raw(inner));
    }
    value
}

fn compile(work: &mut Work, products: &Products) -> Result<()> {
    let goals = products.libraries.iter().chain(&products.modules).map(String::as_str).chain(["apps/openssl"]);
    make_goals(work, &goals.collect::<Vec<_>>())
}

/// Makes the goals, with progress.
pub(super) fn make_goals(work: &mut Work, goals: &[&str]) -> Result<()> {
    let make = || {
        let mut make = tool("make");
        make.current_dir(&work.source).arg(format!("-j{}", work.jobs));
        make
    };
    work.progress.step(&format!("{}: generating sources", work.spec));
    process::run("make build_generated", make().arg("build_generated"), &work.log, &work.progress, None)?;
    // A dry run tells how many objects there are, for the estimate of the time left.
    let compiles = |line: &str| line.contains(" -c ") && line.contains(" -o ");
    let plan = process::capture("make -n", make().arg("-n").args(goals)).unwrap_or_default();
    let total = plan.lines().filter(|line| compiles(line)).count() as u64;
    let count = |done: u64, line: &str| done + u64::from(compiles(line));
    let meter = (total > 0).then_some(Meter { total, count: &count });
    let step = format!("{}: compiling", work.spec);
    let mut command = make();
    command.args(goals);
    work.progress.step(&step);
    process::run("make", &mut command, &work.log, &work.progress, meter.as_ref())
}

/// Collects what a user of the library needs, and nothing of the build.
fn collect(work: &Work, products: &Products) -> Result<()> {
    let (source, root) = (&work.source, &work.root);
    copy_file(&source.join("apps/openssl"), &root.join("bin/openssl"))?;
    for name in &products.libraries {
        let place = root.join("lib").join(name);
        copy_file(&source.join(name), &place)?;
        // libcrypto.so → libcrypto.so.3, for the linker.
        if let Some((stem, _)) = name.split_once(".so.") {
            let link = root.join(format!("lib/{stem}.so"));
            std::os::unix::fs::symlink(name, &link).map_err(|error| Error::io("create", &link, &error))?;
        }
    }
    for module in &products.modules {
        let name = module.rsplit('/').next().unwrap_or(module);
        copy_file(&source.join(module), &root.join("lib/ossl-modules").join(name))?;
    }
    copy_headers(&source.join("include/openssl"), &root.join("include/openssl"))?;
    let ssl = root.join("ssl");
    fs::create_dir_all(&ssl).map_err(|error| Error::io("create", &ssl, &error))?;
    for (from, to) in
        [("apps/openssl.cnf", "ssl/openssl.cnf"), ("LICENSE.txt", "LICENSE.txt"), ("LICENSE", "LICENSE.txt")]
    {
        if source.join(from).is_file() {
            copy_file(&source.join(from), &root.join(to))?;
        }
    }
    for (name, library, requires) in [("libcrypto", "-lcrypto", ""), ("libssl", "-lssl", "libcrypto")] {
        work.pkgconfig(name, library, requires)?;
    }
    work.pkgconfig("openssl", "", "libssl libcrypto")
}

/// Runs the module's self-tests, records its integrity value, and writes a configuration that makes `fips=yes` the
/// default property. Both providers are active: keys are encoded and decoded by the default one.
fn configure_fips(work: &mut Work, products: &Products) -> Result<()> {
    work.progress.step(&format!("{}: self-tests of the FIPS module", work.spec));
    let module = products.modules.iter().find(|module| module.ends_with("fips.so"));
    let name = module.and_then(|module| module.rsplit('/').next()).unwrap_or("fips.so");
    let module = work.root.join("lib/ossl-modules").join(name);
    let record = work.root.join("ssl/fipsmodule.cnf");
    let mut install = work.openssl_command();
    install.arg("fipsinstall").arg("-module").arg(&module).arg("-out").arg(&record);
    install.args(["-provider_name", "fips", "-mac_name", "HMAC", "-section_name", "fips_sect"]);
    process::run("openssl fipsinstall", &mut install, &work.log, &work.progress, None)?;
    let path = work.root.join("ssl/openssl-fips.cnf");
    let text = format!(
        "# The FIPS provider by default; the default provider beside it encodes and decodes keys.\n\
         config_diagnostics = 1\n\
         openssl_conf = openssl_init\n\n\
         .include {}/ssl/fipsmodule.cnf\n\n\
         [openssl_init]\nproviders = provider_sect\nalg_section = algorithm_sect\n\n\
         [provider_sect]\nfips = fips_sect\ndefault = default_sect\n\n\
         [default_sect]\nactivate = 1\n\n\
         [algorithm_sect]\ndefault_properties = fips=yes\n",
        work.prefix.display()
    );
    fs::write(&path, text).map_err(|error| Error::io("write", &path, &error))
}

impl Work {
    /// The finished executable, before it is in its final place.
    fn openssl_command(&self) -> std::process::Command {
        let mut command = tool(self.root.join("bin/openssl"));
        // The configuration below the final prefix is not there yet.
        command.env("LD_LIBRARY_PATH", self.root.join("lib")).env("OPENSSL_CONF", PathBuf::from("/dev/null"));
        command
    }

    fn openssl(&self, what: &str, arguments: &[&str]) -> Result<String> {
        process::capture(what, self.openssl_command().args(arguments))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_libraries_are_read_from_makefiles_of_every_generation() {
        let directory = tempfile::tempdir().unwrap();
        let makefile = directory.path().join("Makefile");
        let read = |text: &str, fips: bool| {
            fs::write(&makefile, text).unwrap();
            Products::read(&makefile, fips)
        };
        let old = "SHLIB_VERSION_NUMBER=1.1\nSHLIB_EXT=.so.$(SHLIB_VERSION_NUMBER)\n\
                   SHLIBS=libcrypto$(SHLIB_EXT) libssl$(SHLIB_EXT)\nENGINES=engines/x.so\n";
        let products = read(old, false).unwrap();
        assert_eq!(products.libraries, ["libcrypto.so.1.1", "libssl.so.1.1"]);
        assert!(products.modules.is_empty());

        let new = "SHLIBS=libcrypto.so.3 libssl.so.3\nMODULES=engines/x.so \\\n   providers/legacy.so\n\
                   FIPSMODULE=providers/fips.so\n";
        assert_eq!(read(new, false).unwrap().modules, ["providers/legacy.so"]);
        assert_eq!(read(new, true).unwrap().modules, ["providers/legacy.so", "providers/fips.so"]);

        for (text, fips) in [
            ("SHLIBS=\n", false),
            ("SHLIBS=../libcrypto.so.3\n", false),
            ("SHLIBS=$(SHLIBS)\n", false),
            ("SHLIBS=libcrypto.so.3\n", true),
        ] {
            assert!(read(text, fips).is_err(), "{text}");
        }
    }

    #[test]
    fn the_version_is_read_from_sources_of_every_generation() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        assert_eq!(source_version(root), None);
        fs::create_dir_all(root.join("include/openssl")).unwrap();
        let header = "# define OPENSSL_VERSION_TEXT    \"OpenSSL 1.1.1w  11 Sep 2023\"\n";
        fs::write(root.join("include/openssl/opensslv.h"), header).unwrap();
        assert_eq!(source_version(root).unwrap(), "1.1.1w");
        fs::write(root.join("VERSION.dat"), "MAJOR=4\nMINOR=1\nPATCH=0\nPRE_RELEASE_TAG=\"dev\"\n").unwrap();
        assert_eq!(source_version(root).unwrap(), "4.1.0-dev");
    }
}
