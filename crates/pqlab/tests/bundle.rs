//! `pqlab bundle` from outside, with a tiny source and stand-ins for perl and make in the PATH.
//!
//! Where a test needs a build to be in progress, the stand-in for make says so through one named pipe and waits for
//! another: no test waits for time to pass.

use serde_json::Value;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

struct Bench {
    directory: tempfile::TempDir,
}

impl Bench {
    fn new() -> Self {
        let bench = Self { directory: tempfile::Builder::new().prefix("pqlab").tempdir().unwrap() };
        let source = bench.path("source");
        for directory in ["source/providers", "source/include/openssl", "source/apps", "source/util", "bin", "home"] {
            fs::create_dir_all(bench.path(directory)).unwrap();
        }
        fs::write(source.join("VERSION.dat"), "MAJOR=9\nMINOR=9\nPATCH=9\n").unwrap();
        fs::write(source.join("include/openssl/ssl.h"), "").unwrap();
        fs::write(source.join("Configure"), CONFIGURE).unwrap();
        bench.program("perl", PERL);
        bench.program("make", MAKE);
        bench.program("cc", "#!/bin/sh\necho stand-in compiler 1.0\n");
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn program(&self, name: &str, text: &str) {
        // Written by another process: a file that this one has open for writing, a child forked meanwhile by another
        // test has open too, and the kernel refuses to execute it.
        let text_file = self.path("text");
        fs::write(&text_file, text).unwrap();
        let status = Command::new("install").arg("-m755").arg(text_file).arg(self.path("bin").join(name)).status();
        assert!(status.unwrap().success());
    }

    /// `pqlab bundle ARGUMENTS` in an environment of its own.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pqlab"));
        let path = format!("{}:/usr/bin:/bin", self.path("bin").display());
        command.arg("bundle").args(arguments);
        command.env_clear().env("PATH", path).env("HOME", self.path("home")).env("PQLAB_CACHE", self.path("cache"));
        command.env("BENCH", self.directory.path()).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    fn build(&self, more: &[&str]) -> Output {
        let source = self.path("source");
        self.run(&[&["build", "openssl@9.9.9", "--source", source.to_str().unwrap()], more].concat())
    }

    fn start(&self) -> Child {
        let source = self.path("source");
        self.command(&["build", "openssl@9.9.9", "--source", source.to_str().unwrap()]).spawn().unwrap()
    }

    /// Makes the stand-in for make stop in the middle, and returns when the build that is started has come there.
    fn pipes(&self) {
        for name in ["reached", "go-on"] {
            let status = Command::new("mkfifo").arg(self.path(name)).status().unwrap();
            assert!(status.success());
        }
    }

    fn wait_until_compiling(&self) {
        let mut line = String::new();
        File::open(self.path("reached")).unwrap().read_to_string(&mut line).unwrap();
        assert_eq!(line, "compiling\n");
    }

    fn go_on(&self) {
        fs::write(self.path("go-on"), "").unwrap();
    }

    /// Entries of the bundles' directory that belong to a build in progress.
    fn stages(&self) -> Vec<String> {
        self.bundles().into_iter().filter(|name| name.starts_with(".stage-")).collect()
    }

    fn bundles(&self) -> Vec<String> {
        let Ok(listing) = fs::read_dir(self.path("cache/bundles")) else { return Vec::new() };
        listing.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    fn finished(&self) -> PathBuf {
        self.path("cache/bundles/openssl-9.9.9")
    }
}

/// Runs the tiny Configure; answers the question for modules.
const PERL: &str = r#"#!/bin/sh
case "$1" in
    -M*) exit 0 ;;
    ./Configure) shift; exec /bin/sh ./Configure "$@" ;;
esac
exit 1
"#;

const CONFIGURE: &str = r#"
echo "configured: $*"
{
    echo 'SHLIBS=libcrypto.so.9 \'
    echo '    libssl.so.9'
    echo 'MODULES=engines/x.so providers/legacy.so'
    case "$*" in *enable-fips*) echo FIPSMODULE=providers/fips.so ;; esac
} > Makefile
"#;

/// Makes what it is asked for. `openssl` is a script that knows its version and `fipsinstall`.
const MAKE: &str = r#"#!/bin/sh
for word; do last=$word; done
[ "$last" = build_generated ] && exit 0
for word; do [ "$word" = -n ] && { echo 'cc -c -o a.o a.c'; exit 0; }; done
echo compiled >> "$BENCH/compilations"
if [ -n "${MAKEFLAGS+x}${CFLAGS+x}" ]; then echo "flags of the caller reach make"; exit 3; fi
if [ -p "$BENCH/reached" ]; then
    echo compiling > "$BENCH/reached"
    cat "$BENCH/go-on" > /dev/null
fi
if [ -f "$BENCH/break" ]; then for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18; do echo "complaint $i"; done; exit 2; fi
echo 'cc -c -o a.o a.c'
for word; do
    case "$word" in
        *.so*) echo "$word" > "$word" ;;
        apps/openssl) cat > "$word" <<'END'
#!/bin/sh
case "$1" in
    version) echo "OpenSSL 9.9.9 1 Jan 2099"; echo "compiler: stand-in -O3" ;;
    fipsinstall) while [ "$1" != -out ]; do shift; done; echo "[fips_sect]" > "$2" ;;
esac
END
            chmod 755 "$word" ;;
    esac
done
"#;

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[track_caller]
fn assert_code(output: &Output, code: i32) {
    assert_eq!(output.status.code(), Some(code), "{}\n{}", text(&output.stdout), text(&output.stderr));
}

#[track_caller]
fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_build_leaves_a_bundle_that_lists_and_verifies() {
    let bench = Bench::new();
    let output = bench.build(&["--json"]);
    assert_code(&output, 0);
    let built = json(&output);
    let bundle = &built["bundles"][0];
    assert_eq!(bundle["id"], "openssl@9.9.9");
    assert_eq!(bundle["status"], "built");
    assert_eq!(bundle["flags"], "stand-in -O3");
    assert_eq!(bundle["compiler"], "stand-in compiler 1.0");
    assert_eq!(bundle["source"]["verified_by"], "nothing");
    let configure = bundle["configure"].as_str().unwrap();
    assert!(configure.contains(&format!("--prefix={}", bench.finished().display())), "{configure}");
    for file in
        ["bin/openssl", "lib/libcrypto.so.9", "lib/libcrypto.so", "lib/ossl-modules/legacy.so", "include/openssl/ssl.h"]
    {
        assert!(bench.finished().join(file).is_file(), "{file}");
    }
    assert!(bench.stages().is_empty(), "{:?}", bench.stages());

    let again = bench.build(&["--json"]);
    assert_eq!(json(&again)["bundles"][0]["status"], "present");
    assert_eq!(fs::read_to_string(bench.path("compilations")).unwrap(), "compiled\n");

    let list = json(&bench.run(&["list", "--json"]));
    assert_eq!(list["bundles"][0]["status"], "complete");
    assert_eq!(list["bundles"][0]["library"], bench.finished().join("lib/libcrypto.so.9").to_str().unwrap());
    assert_eq!(list["bundles"][0]["fips_config"], Value::Null);
    let shown = text(&bench.run(&["list"]).stdout);
    assert!(shown.contains("openssl@9.9.9") && shown.contains("complete"), "{shown}");
    assert_code(&bench.run(&["verify"]), 0);
}

#[test]
fn verify_finds_an_altered_a_missing_and_a_new_file_and_force_mends_them() {
    let bench = Bench::new();
    assert_code(&bench.build(&["--quiet"]), 0);
    let library = bench.finished().join("lib/libcrypto.so.9");
    let good = fs::read(&library).unwrap();
    fs::write(&library, good.to_ascii_uppercase()).unwrap();
    fs::remove_file(bench.finished().join("include/openssl/ssl.h")).unwrap();
    fs::write(bench.finished().join("lib/new"), "").unwrap();
    let output = bench.run(&["verify", "openssl@9.9.9", "--json"]);
    assert_code(&output, 1);
    let report = json(&output);
    assert_eq!(report["bundles"][0]["status"], "damaged");
    let findings: Vec<_> = report["bundles"][0]["findings"].as_array().unwrap().iter().collect();
    let shown: Vec<_> = findings
        .iter()
        .map(|f| format!("{} {}", f["problem"].as_str().unwrap(), f["path"].as_str().unwrap()))
        .collect();
    assert_eq!(shown, ["missing include/openssl/ssl.h", "altered lib/libcrypto.so.9", "extra lib/new"]);
    assert!(text(&bench.run(&["verify"]).stdout).contains("altered  lib/libcrypto.so.9"));

    let refused = bench.build(&[]);
    assert_code(&refused, 2);
    assert!(text(&refused.stderr).contains("--force"), "{}", text(&refused.stderr));
    assert_code(&bench.build(&["--force"]), 0);
    assert_code(&bench.run(&["verify"]), 0);
    assert!(!bench.finished().join("lib/new").exists());
    assert!(bench.stages().is_empty());

    fs::remove_file(bench.finished().join("bundle.json")).unwrap();
    assert_code(&bench.run(&["verify"]), 1);
    assert_eq!(json(&bench.run(&["list", "--json"]))["bundles"][0]["status"], "damaged");
    assert_code(&bench.run(&["verify", "openssl@1.2.3"]), 2);
}

#[test]
fn with_fips_the_module_its_record_and_its_configuration_are_there() {
    let bench = Bench::new();
    assert_code(&bench.build(&["--fips", "--quiet"]), 0);
    let root = bench.path("cache/bundles/openssl-9.9.9+fips");
    assert!(root.join("lib/ossl-modules/fips.so").is_file());
    assert_eq!(fs::read_to_string(root.join("ssl/fipsmodule.cnf")).unwrap(), "[fips_sect]\n");
    let configuration = fs::read_to_string(root.join("ssl/openssl-fips.cnf")).unwrap();
    assert!(configuration.contains(&format!(".include {}/ssl/fipsmodule.cnf", root.display())));
    assert!(configuration.contains("default_properties = fips=yes"));
    let list = json(&bench.run(&["list", "--json"]));
    assert_eq!(list["bundles"][0]["fips_config"], root.join("ssl/openssl-fips.cnf").to_str().unwrap());
}

#[test]
fn env_prints_and_uses_the_environment_that_selects_the_bundle() {
    let bench = Bench::new();
    assert_code(&bench.build(&["--quiet"]), 0);
    let root = bench.finished();
    let shown = json(&bench.run(&["env", "openssl@9.9.9", "--json"]));
    assert_eq!(shown["OPENSSL_MODULES"], root.join("lib/ossl-modules").to_str().unwrap());
    assert_eq!(shown["OPENSSL_CONF"], root.join("ssl/openssl.cnf").to_str().unwrap());
    for (name, first) in [("PATH", "bin"), ("LD_LIBRARY_PATH", "lib"), ("PKG_CONFIG_PATH", "lib/pkgconfig")] {
        let value = shown[name].as_str().unwrap();
        assert_eq!(value.split(':').next(), root.join(first).to_str(), "{name}");
    }
    assert!(shown["PATH"].as_str().unwrap().ends_with(":/usr/bin:/bin"), "the caller's path is kept");

    // What is printed for a shell is what --json says.
    let script = text(&bench.run(&["env", "openssl@9.9.9"]).stdout);
    let read =
        Command::new("sh").arg("-c").arg(format!("{script} openssl version; printf %s \"$OPENSSL_CONF\"")).output();
    let read = text(&read.unwrap().stdout);
    assert_eq!(
        read,
        format!("OpenSSL 9.9.9 1 Jan 2099\ncompiler: stand-in -O3\n{}", shown["OPENSSL_CONF"].as_str().unwrap())
    );

    let used = bench.run(&["env", "openssl@9.9.9", "--", "openssl", "version"]);
    assert!(text(&used.stdout).starts_with("OpenSSL 9.9.9"), "{}", text(&used.stderr));
    assert_code(&bench.run(&["env", "openssl@9.9.9", "--", "sh", "-c", "exit 7"]), 7);
    assert_code(&bench.run(&["env", "openssl@9.9.9", "--", "no-such-program"]), 2);
}

#[test]
fn env_with_fips_takes_its_configuration_and_the_preflight_guards_it() {
    let bench = Bench::new();
    assert_code(&bench.build(&["--quiet"]), 0);
    let refused = bench.run(&["env", "openssl@9.9.9", "--fips", "ready"]);
    assert_code(&refused, 2);
    assert!(text(&refused.stderr).contains("pqlab bundle build openssl@9.9.9 --fips"), "{}", text(&refused.stderr));
    fs::remove_dir_all(bench.finished()).unwrap();
    assert_code(&bench.build(&["--fips", "--quiet"]), 0);
    let root = bench.path("cache/bundles/openssl-9.9.9+fips");
    let shown = json(&bench.run(&["env", "openssl@9.9.9", "--fips", "ready", "--json"]));
    assert_eq!(shown["OPENSSL_CONF"], root.join("ssl/openssl-fips.cnf").to_str().unwrap());
    let mut by_variable = bench.command(&["env", "openssl@9.9.9", "--json"]);
    let by_variable = by_variable.env("PQLAB_FIPS_MODE", "ready").output().unwrap();
    assert_eq!(json(&by_variable)["OPENSSL_CONF"], shown["OPENSSL_CONF"]);

    // The stand-in is no FIPS module: in mode only nothing is run.
    let guarded = bench.run(&["env", "openssl@9.9.9", "--fips", "only", "--quiet", "--", "echo", "ran"]);
    assert_code(&guarded, 1);
    assert!(guarded.stdout.is_empty(), "{}", text(&guarded.stdout));
    assert!(text(&guarded.stderr).contains("integrity record"), "{}", text(&guarded.stderr));
}

#[test]
fn a_failed_build_shows_the_last_lines_and_leaves_nothing() {
    let bench = Bench::new();
    fs::write(bench.path("break"), "").unwrap();
    let output = bench.build(&[]);
    assert_code(&output, 2);
    let shown = text(&output.stderr);
    assert!(shown.contains("complaint 4\n") && shown.contains("complaint 18"), "{shown}");
    assert!(!shown.contains("complaint 3\n"), "{shown}");
    let log = bench.path("cache/logs/openssl-9.9.9.log");
    assert!(shown.contains(log.to_str().unwrap()), "{shown}");
    assert!(fs::read_to_string(&log).unwrap().contains("complaint 1\n"));
    assert!(output.stdout.is_empty());
    assert!(!bench.finished().exists());
    assert!(bench.stages().is_empty(), "{:?}", bench.stages());
}

#[test]
fn an_interrupted_build_leaves_nothing() {
    for signal in ["INT", "TERM"] {
        let bench = Bench::new();
        bench.pipes();
        let child = bench.start();
        bench.wait_until_compiling();
        kill(signal, &child);
        let output = child.wait_with_output().unwrap();
        assert_code(&output, 2);
        assert!(text(&output.stderr).contains("interrupted"), "{}", text(&output.stderr));
        assert!(!bench.finished().exists());
        assert!(bench.stages().is_empty(), "{signal}: {:?}", bench.stages());
    }
}

#[test]
fn what_a_killed_build_leaves_is_no_bundle_and_is_removed_at_the_next_start() {
    let bench = Bench::new();
    bench.pipes();
    let mut child = bench.start();
    bench.wait_until_compiling();
    kill("KILL", &child);
    child.wait().unwrap();
    assert_eq!(bench.stages().len(), 1, "nobody could tidy up");
    assert!(!bench.finished().exists());
    assert_eq!(json(&bench.run(&["list", "--json"]))["bundles"], Value::Array(Vec::new()));

    // The orphaned make goes on and finds its directory gone or not; it cannot make a bundle.
    bench.go_on();
    for name in ["reached", "go-on"] {
        fs::remove_file(bench.path(name)).unwrap();
    }
    // A build of another bundle sweeps it as well.
    let source = bench.path("source");
    assert_code(&bench.run(&["build", "openssl@9.9.9+fips", "--source", source.to_str().unwrap()]), 0);
    assert!(bench.stages().is_empty(), "{:?}", bench.stages());
    assert_code(&bench.build(&[]), 0);
    assert_code(&bench.run(&["verify"]), 0);
}

#[test]
fn of_two_builds_of_one_bundle_the_second_waits_and_takes_the_result() {
    let bench = Bench::new();
    bench.pipes();
    let first = bench.start();
    bench.wait_until_compiling();
    let mut second = bench.start();
    let mut told = BufReader::new(second.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains("another process is building it; waiting") {
        line.clear();
        assert_ne!(told.read_line(&mut line).unwrap(), 0, "the second did not wait");
    }
    assert_eq!(bench.stages().len(), 1, "the second did not sweep away the work of the first");
    bench.go_on();
    assert_code(&first.wait_with_output().unwrap(), 0);
    let second = second.wait_with_output().unwrap();
    assert_code(&second, 0);
    assert!(text(&second.stdout).contains("was there already"), "{}", text(&second.stdout));
    assert_eq!(fs::read_to_string(bench.path("compilations")).unwrap(), "compiled\n");
    assert!(bench.stages().is_empty());
}

#[test]
fn all_missing_programs_are_named_at_once_before_any_work() {
    let bench = Bench::new();
    let empty = bench.path("empty");
    fs::create_dir(&empty).unwrap();
    let output = bench.command(&["build", "openssl@3.5.5", "liboqs@0.13.0"]).env("PATH", &empty).output().unwrap();
    assert_code(&output, 2);
    let shown = text(&output.stderr);
    for word in ["cc", "make", "perl", "cmake", "ninja", "cargo", "sudo apt-get install", "ninja-build"] {
        assert!(shown.contains(word), "{word}: {shown}");
    }
    assert!(!bench.path("cache").exists(), "nothing was made");
}

#[test]
fn wrong_use_is_refused_before_any_work() {
    let bench = Bench::new();
    let unpinned = "0".repeat(64);
    for (arguments, word) in [
        (&["build", "openssl@9.9.9"][..], "no SHA-256 is pinned"),
        (&["build", "openssl@3.5"], "not a version"),
        (&["build", "opensll@3.5.5"], "did you mean openssl"),
        (&["build", "liboqs@0.13.0", "--fips"], "--fips is for OpenSSL"),
        (&["build", "openssl@1.1.1w", "--fips"], "no FIPS provider"),
        (&["build", "openssl@3.5.5", "liboqs@0.13.0", "--source", "source"], "exactly one"),
        (&["build", "openssl@3.5.5", "--sha256", &unpinned], "--source"),
        (&["build", "openssl@3.5.5", "--sha256", "xyz"], "64 lower-case"),
        (&["build", "openssl@3.5.5", "--source", "/no/such/place"], "/no/such/place"),
        (&["build", "openssl@3.5.5", "--jobs", "0"], "--jobs"),
        (&["check", "openssl@9.9.9"], "no SHA-256 is pinned"),
        (&["verify", "openssl@9.9.9"], "not built"),
    ] {
        let output = bench.run(arguments);
        assert_code(&output, 2);
        assert!(text(&output.stderr).contains(word), "{arguments:?}: {}", text(&output.stderr));
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
    assert!(!bench.path("cache").exists(), "nothing was made");
    let check = bench.run(&["check", "openssl@3.5.5", "--json"]);
    assert_code(&check, 0);
    let sources = json(&check)["bundles"][0]["sources"].clone();
    assert_eq!(sources[0]["sha256"], "b28c91532a8b65a1f983b4c28b7488174e4a01008e29ce8e69bd789f28bc2a89");
    assert!(!bench.path("cache").exists());
}

#[test]
fn a_cache_that_cannot_be_written_or_spelt_is_an_error() {
    let bench = Bench::new();
    let source = bench.path("source");
    fs::write(bench.path("file"), "").unwrap();
    for (cache, word) in [("file", "PQLAB_CACHE"), ("with space", "only letters"), ("quote'", "only letters")] {
        let arguments = ["build", "openssl@9.9.9", "--source", source.to_str().unwrap()];
        let output = bench.command(&arguments).env("PQLAB_CACHE", bench.path(cache)).output().unwrap();
        assert_code(&output, 2);
        assert!(text(&output.stderr).contains(word), "{cache}: {}", text(&output.stderr));
        assert!(!bench.path("with space").exists());
    }
}

#[test]
fn quiet_says_nothing_and_the_environment_of_the_caller_stays_outside() {
    let bench = Bench::new();
    let source = bench.path("source");
    let arguments = ["build", "openssl@9.9.9", "--quiet", "--source", source.to_str().unwrap()];
    let output = bench.command(&arguments).env("MAKEFLAGS", "-n").env("CFLAGS", "-O0").output().unwrap();
    assert_code(&output, 0);
    assert_eq!(text(&output.stderr), "");
}

/// The stand-in for OpenSSL's script, on a small ordinals file; a real perl is needed, which every Debian has.
#[test]
fn the_version_script_has_the_symbols_that_are_configured_on_this_system() {
    let directory = tempfile::tempdir().unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/bundle/openssl/mkdef.pl");
    let configuration = "package configdata; use Exporter 'import'; our @EXPORT = qw(%disabled);\n\
                         our %disabled = (md2 => 1, ec_nistp_64_gcc_128 => 1, 'ssl3-method' => 1); 1;\n";
    fs::write(directory.path().join("configdata.pm"), configuration).unwrap();
    let mut ordinals = File::create(directory.path().join("x.num")).unwrap();
    for (symbol, version, state) in [
        ("newer", "3_0_10", "EXIST::FUNCTION:"),
        ("new", "3_0_9", "EXIST::FUNCTION:RSA"),
        ("old", "3_0_0", "EXIST::VARIABLE:DEPRECATEDIN_3_0"),
        ("gone", "3_0_0", "NOEXIST::FUNCTION:"),
        ("vms", "3_0_0", "EXIST:VMS:FUNCTION:"),
        ("not_vms", "3_0_0", "EXIST:!VMS:FUNCTION:"),
        ("md2", "3_0_0", "EXIST::FUNCTION:MD2"),
        ("nistp", "3_0_0", "EXIST::FUNCTION:EC,EC_NISTP_64_GCC_128"),
        ("ssl3", "3_0_0", "EXIST::FUNCTION:SSL3_METHOD"),
    ] {
        writeln!(ordinals, "{symbol}\t7\t{version}\t{state}").unwrap();
    }
    let run = |kind: &str| {
        let mut perl = Command::new("perl");
        perl.arg(&script).args(["--type", kind, "--ordinals", "x.num", "--name", "x", "--OS", "linux"]);
        let output = perl.current_dir(directory.path()).output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(
        run("lib"),
        "OPENSSL_3.0.0 { global: not_vms; old; }; OPENSSL_3.0.9 { global: new; } OPENSSL_3.0.0; \
         OPENSSL_3.0.10 { global: newer; local: *; } OPENSSL_3.0.9;"
    );
    assert_eq!(run("dso"), "{ global: new; newer; not_vms; old; local: *; };");
}

fn kill(signal: &str, child: &Child) {
    let status = Command::new("kill").arg(format!("-{signal}")).arg(child.id().to_string()).status().unwrap();
    assert!(status.success());
}
