//! Every option of `pqlab plot` does what it says, with an `openssl` that prints what the tests want.

use report::plot::table::{Column, Table, TableType};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder") }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn file(&self, name: &str, text: &str) {
        fs::write(self.at(name), text).expect("a file");
    }

    /// An `openssl` of that version, which signs `speed` times a second; it knows no ML-KEM before 3.5, and writes down
    /// what it was asked.
    fn openssl(&self, version: &str, speed: u32) -> String {
        let path = self.at(&format!("openssl-{version}"));
        let script = format!(
            "#!/bin/sh\necho \"$@\" >> {asked}\n\
             case \"$*\" in\n\
             'version -a') echo 'OpenSSL {version} 1 Jan 2026'; exit 0;;\n\
             *ML-KEM*) case {version} in 3.5*) ;; *) echo 'speed: Unknown algorithm ML-KEM-768' >&2; exit 1;; esac;\n\
             echo 'version: {version}'; echo '  keygen encaps decaps keygens/s encaps/s decaps/s';\n\
             echo 'ML-KEM-768 0.000033s 0.000020s 0.000028s 30000.0 50000.0 36000.0';;\n\
             *sha256*) echo 'version: {version}'; echo 'type 16 bytes 64 bytes 256 bytes 1024 bytes 8192 bytes 16384 bytes';\n\
             echo 'sha256 1000.00k 2000.00k 3000.00k 4000.00k 5000.00k {speed}.00k';;\n\
             *rsa*) echo 'version: {version}'; echo '  sign verify sign/s verify/s';\n\
             echo 'rsa 2048 bits 0.0003s 0.000016s {speed}.0 61191.0'; echo 'rsa 4096 bits 0.001667s 0.000061s 600.0 16453.0';;\n\
             *) echo 'speed: Unknown algorithm' >&2; exit 1;;\nesac\n",
            asked = self.at("asked").display(),
        );
        fs::write(&path, script).expect("a script");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("executable");
        path.display().to_string()
    }

    fn asked(&self) -> String {
        fs::read_to_string(self.at("asked")).unwrap_or_default()
    }

    fn plot(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pqlab"));
        command.arg("plot").args(arguments).current_dir(self.folder.path());
        command.env("XDG_CACHE_HOME", self.at("cache")).output().expect("pqlab")
    }

    fn fine(&self, arguments: &[&str]) -> String {
        let ran = self.plot(arguments);
        assert!(ran.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&ran.stderr));
        String::from_utf8(ran.stdout).expect("UTF-8")
    }

    /// Exit code 2 with a hint; what standard error says.
    fn refused(&self, arguments: &[&str]) -> String {
        let ran = self.plot(arguments);
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert_eq!(ran.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains("hint: "), "{said}");
        said
    }

    fn table(&self, name: &str) -> Table {
        report::plot::read(name, &fs::read(self.at(name)).expect(name), None).expect("a table")
    }

    fn text(&self, name: &str) -> String {
        String::from_utf8_lossy(&fs::read(self.at(name)).expect(name)).into_owned()
    }
}

const RSA: &str = "rsa2048 0.0s 0.0s 3950.0 61191.0\nrsa4096 0.0s 0.0s 680.0 16453.0\n";

#[test]
fn algorithms_are_measured_and_stand_side_by_side() {
    let bench = Bench::new();
    let (old, new) = (bench.openssl("3.0.19", 3000), bench.openssl("3.5.5", 4000));
    bench.fine(&["-s", "2", "-p", &old, "-p", &new, "-o", "rsa.svg", "rsa", "ML-KEM-768", "--table", "sig_enc_mix"]);
    let table = bench.table("rsa.dat");
    let ids: Vec<&str> = table.sources.iter().map(|source| source.id.as_str()).collect();
    assert_eq!((table.kind, ids), (TableType::SigEncMix, vec!["openssl@3.0.19", "openssl@3.5.5"]), "-p, -l");
    let speeds: Vec<_> = table.rows.iter().filter(|row| row.name == "rsa2048").map(|r| r.value(Column::Sign)).collect();
    assert_eq!(speeds, [Some(3000.0), Some(4000.0)]);
    let lacking =
        table.rows.iter().find(|row| row.name == "ML-KEM-768" && row.source == 0).expect("a row for what is lacking");
    assert!(lacking.reason.as_deref().is_some_and(|reason| reason.contains("Unknown algorithm")), "{lacking:?}");
    assert!(table.rows.iter().any(|row| row.name == "ML-KEM-768" && row.value(Column::Enc) == Some(50000.0)));
    assert!(bench.asked().contains("speed -seconds 2 rsa"), "-s: {}", bench.asked());
    assert_eq!(table.sources[0].made_by.as_deref(), Some("openssl speed -seconds 2"));
    assert!(bench.text("rsa.svg").starts_with("<svg"));
}

#[test]
fn nothing_is_measured_in_vain() {
    let bench = Bench::new();
    let program = bench.openssl("3.5.5", 4000);
    bench.file("rsa.svg", "precious");
    assert!(bench.refused(&["-p", &program, "-o", "rsa.svg", "rsa"]).contains("exists already"));
    assert!(!bench.asked().contains("speed"), "{}", bench.asked());
    bench.fine(&["-p", &program, "-o", "rsa.svg", "rsa", "--force"]);
    assert_ne!(bench.text("rsa.svg"), "precious");
    assert!(bench.refused(&["-p", &program, "-o", "x.svg", "camellia"]).contains("no figures of camellia"));
    assert!(bench.refused(&["-p", &program, "-p", &program, "-o", "y.svg", "rsa"]).contains("two of the executables"));
}

#[test]
fn seconds_are_one_to_ninety_nine() {
    let bench = Bench::new();
    for seconds in ["0", "100"] {
        assert!(bench.refused(&["-s", seconds, "rsa"]).contains("1 to 99"));
    }
    let program = bench.openssl("3.5.5", 4000);
    bench.fine(&["-p", &program, "-o", "a.svg", "rsa"]);
    assert!(bench.asked().lines().any(|line| line == "speed rsa"), "without -s the tool decides: {}", bench.asked());
}

#[test]
fn the_low_level_interface_is_another_row() {
    let bench = Bench::new();
    let program = bench.openssl("3.5.5", 6000);
    bench.fine(&["-p", &program, "-o", "hash.svg", "sha256", "sha256-no-evp"]);
    let table = bench.table("hash.dat");
    let names: Vec<&str> = table.rows.iter().map(|row| row.name.as_str()).collect();
    assert_eq!((table.kind, names), (TableType::Kbytes, vec!["sha256", "sha256-no-evp"]));
    assert!(bench.asked().contains("speed -evp sha256\nspeed sha256"), "{}", bench.asked());
}

#[test]
fn the_data_stand_beside_the_picture_in_every_form() {
    let bench = Bench::new();
    let commented = format!("# my comment\n{RSA}");
    bench.file("edited.dat", &commented);
    for (name, begins) in [("a.svg", "<svg"), ("b.html", "<!DOCTYPE html>"), ("c.gp", "#"), ("d.tex", "%")] {
        let printed = bench.fine(&["-d", "edited.dat", "-o", name]);
        let data = Path::new(name).with_extension("dat").display().to_string();
        assert_eq!(printed, format!("{name}\n{data}\n"));
        assert!(bench.text(name).starts_with(begins), "{name}");
        assert_eq!(bench.text(&data), commented, "the very file");
    }
    bench.fine(&["-d", "edited.dat", "-o", "e.png"]);
    assert_eq!(&fs::read(bench.at("e.png")).expect("a picture")[..4], b"\x89PNG");
    // Where the data are those beside the picture, they are not touched; graph.png is the default.
    bench.file("graph.dat", RSA);
    assert_eq!(bench.fine(&[]), "graph.png\ngraph.dat\n");
    assert_eq!(bench.text("graph.dat"), RSA);
}

#[test]
fn titles_and_several_files() {
    let bench = Bench::new();
    bench.file("one.dat", RSA);
    bench.file("two.dat", &RSA.replace("3950", "1950"));
    bench.fine(&["-d", "one.dat", "-o", "plain.svg"]);
    bench.fine(&["-d", "one.dat", "-o", "titled.svg", "-t", "in the cold"]);
    assert!(bench.text("titled.svg").contains("Signatures per second: in the cold"), "-t");
    assert!(!bench.text("plain.svg").contains("in the cold"));
    bench.fine(&["-d", "one.dat", "-d", "two.dat", "-o", "both.svg"]);
    let both = bench.table("both.dat");
    assert_eq!(both.sources.iter().map(|source| source.id.as_str()).collect::<Vec<_>>(), ["one", "two"]);
    assert_eq!(both.rows.len(), 4);
}

#[test]
fn options_that_measure_are_said_to_be_of_no_use_without_measuring() {
    let bench = Bench::new();
    bench.file("graph.dat", RSA);
    let loud = bench.plot(&["-s", "1", "-p", "openssl"]);
    let said = String::from_utf8_lossy(&loud.stderr).into_owned();
    assert!(loud.status.success() && said.contains("warning: -p") && said.contains("warning: -s"), "{said}");
    assert!(bench.plot(&["-s", "1", "--quiet"]).stderr.is_empty(), "--quiet");
    let json: Value = serde_json::from_str(&bench.fine(&["--json"])).expect("JSON");
    assert_eq!(json["written"], serde_json::json!(["graph.png", "graph.dat"]), "--json");
}

#[test]
fn the_gallery_is_measured_kept_and_drawn_again_from_its_logs() {
    let bench = Bench::new();
    let program = bench.openssl("3.5.5", 4000);
    let printed = bench.fine(&["--all", "-s", "1", "-o", "gallery", &program, "-t", "today"]);
    assert!(printed.ends_with("Results are in:\n  gallery/\n"), "{printed}");
    let page = bench.text("gallery/index.html");
    for chart in ["rsa", "rsa_sign_fit", "pqc_kem_def", "hash", "sig_128bs"] {
        // 128 bit needs rsa3072, which this openssl lacks: it stands among the missing.
        assert!(page.contains(chart), "{chart}");
    }
    assert!(page.contains("RSA: today"));
    for name in ["rsa.svg", "rsa.png", "rsa.gp", "rsa.dat", "rsa_sign_fit.svg", "logs/openssl@3.5.5.rsa.txt"] {
        assert!(bench.at("gallery").join(name).is_file(), "{name}");
    }
    assert!(bench.refused(&["--all", "-o", "gallery", &program]).contains("index.html exists already"));
    let again: Value =
        serde_json::from_str(&bench.fine(&["--all", "--from", "gallery/logs", "-o", "again", "--json"])).expect("JSON");
    let charts = |value: &Value| value["charts"].as_array().expect("charts").len();
    assert!(charts(&again) >= 4 && !again["missing"].as_array().expect("missing").is_empty());
    assert_eq!(bench.table("again/rsa.dat").rows, bench.table("gallery/rsa.dat").rows);
    // The .dat files of a gallery, a single log, and the folder make the same chart.
    bench.fine(&["--from", "gallery/rsa.dat", "-o", "one.svg", "rsa"]);
    bench.fine(&["--from", "gallery/logs/openssl@3.5.5.rsa.txt", "-o", "two.svg", "rsa"]);
    assert_eq!(bench.table("one.dat").rows, bench.table("two.dat").rows);
}

#[test]
fn a_run_directory_is_drawn_with_its_intervals() {
    let bench = Bench::new();
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("../report/tests/golden/run.json");
    fs::create_dir(bench.at("run")).expect("a folder");
    fs::copy(stored, bench.at("run/run.json")).expect("a run");
    bench.fine(&["--from", "run", "-o", "kem.svg", "ML-KEM-768"]);
    let table = bench.table("kem.dat");
    assert!(
        table.sources.len() > 1 && table.rows.iter().any(|row| row.cells.iter().any(|cell| cell.interval.is_some()))
    );
}

#[test]
fn bad_input_is_named_with_its_line() {
    let bench = Bench::new();
    bench.file("mixed.dat", "rsa2048 0.1s 0.2s 10 20\nsha256 1k 2k 3k 4k 5k 6k\n");
    assert!(bench.refused(&["-d", "mixed.dat", "-o", "x.svg"]).contains("mixed.dat, line 2"));
    bench.file("rsa.dat", RSA);
    assert!(bench.refused(&["-d", "rsa.dat", "-o", "no/folder/x.svg"]).contains("no/folder/x.svg"));
    assert!(bench.refused(&["-d", "rsa.dat", "-o", "x.gif"]).contains("x.gif"));
    assert!(bench.refused(&["--all", "--from", "nowhere"]).contains("nowhere"));
    assert!(bench.refused(&["-p", "./nowhere", "rsa"]).contains("nowhere"));
}
