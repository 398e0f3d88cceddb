//! Charts of speeds in every form: stored output, hostile names, and scripts that gnuplot really runs.

use report::plot::table::{Source, Table};
use report::plot::{Drawn, Speeds, annotated, chart, default_title, gallery, read, write};
use report::{Picture, draw};
use std::path::{Path, PathBuf};
use std::process::Command;

const SIGNATURES: &str = "\
# provider: openssl@3.0.19
# host: AMD EPYC
# made by: openssl speed -seconds 1
rsa2048 0.000251s 0.000016s 3985.0 61416.0
ecdsa(nistp256) 0.0s 0.0s 52551.0 16678.0
ecdsa(nistp256) 0.0s 0.0s 51000.0 16500.0
# absent: openssl speed says: Unknown algorithm ML-DSA-44
ML-DSA-44 NaN NaN NaN NaN
# provider: openssl@3.5.5
# interval: sign 3900 4000
rsa2048 0.000253s 0.000016s 3950.0 61191.0
ML-DSA-44 0.000590s 0.000108s 1696.0 9294.0
";

fn table(text: &str) -> Table {
    read("some.dat", text.as_bytes(), None).expect("a table")
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// Every chart that the logs of the tests give, and an overview.
fn drawn() -> Vec<Drawn> {
    let mut speeds = Speeds::default();
    let mut logs: Vec<PathBuf> =
        std::fs::read_dir(folder().join("openssl_speed")).expect("logs").map(|e| e.expect("an entry").path()).collect();
    logs.sort();
    for path in logs.iter().filter(|path| path.extension().is_some_and(|extension| extension == "txt")) {
        let log = report::openssl_speed::parse(&[&std::fs::read(path).expect("a log")]).expect("a small log");
        speeds.add_log(&log, &Source { id: "openssl@unknown".into(), ..Source::default() }, false);
    }
    let (mut drawn, _) = gallery(&speeds);
    let rows: String = (0..500).map(|at| format!("name{at} 0s {}\n", 10 + at)).collect();
    let table = table(&rows);
    drawn.push(Drawn { figure: chart(&table, "overview", default_title(table.kind)), table });
    drawn
}

#[test]
fn the_same_table_gives_the_same_files() {
    let table = table(SIGNATURES);
    let figure = annotated(&table, "signatures", default_title(table.kind));
    let mut files: Vec<(String, Vec<u8>)> = vec![("plot.dat".into(), write(&table).into_bytes())];
    for form in [Picture::Gnuplot, Picture::Tex] {
        files.push((format!("plot.{}", form.extension()), draw(&figure, form).expect("a picture")));
    }
    for (name, bytes) in files {
        let path = folder().join("golden").join(&name);
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&path, &bytes).expect("the golden file");
        }
        let known = std::fs::read(&path).expect("UPDATE_GOLDEN=1 makes it");
        assert!(known == bytes, "{name} differs: UPDATE_GOLDEN=1, then look at the difference");
    }
}

#[test]
fn a_page_has_the_chart_and_its_figures_and_asks_for_nothing() {
    let table = table(SIGNATURES);
    let figure = annotated(&table, "x", "<b>bold</b>");
    let page = String::from_utf8(draw(&figure, Picture::Html).expect("a page")).expect("UTF-8");
    assert!(page.contains("<svg ") && page.contains("&lt;b&gt;bold&lt;/b&gt;") && !page.contains("<b>bold"));
    for word in ["61416", "openssl@3.5.5", "Unknown algorithm ML-DSA-44", "AMD EPYC", "default-src &#39;none&#39;"] {
        let word = word.replace("&#39;", "'");
        assert!(page.contains(&word), "{word}");
    }
    assert!(!page.contains("http://") || page.matches("http://").count() == page.matches("http://www.w3.org").count());
}

#[test]
fn bars_that_span_more_than_two_decades_stand_on_a_logarithmic_axis() {
    let subtitle = |speed: f64| chart(&table(&format!("a 0s 10\nb 0s {speed}\n")), "x", "x").subtitle;
    assert!(!subtitle(990.0).contains("Logarithmic"), "{}", subtitle(990.0));
    assert!(subtitle(1010.0).contains("Logarithmic axis: compare ends, not lengths"));
}

#[test]
fn samples_have_whiskers_and_one_figure_has_none() {
    let subtitle = |rows: usize| chart(&table(&"a 0s 10\n".repeat(rows)), "x", "x").subtitle;
    assert!(!subtitle(1).contains("whiskers"));
    assert!(subtitle(3).contains("least and greatest of fewer than 6 samples"));
    assert!(subtitle(6).contains("95 % interval"));
}

/// gnuplot draws what the script says; names that look like its language do nothing.
#[test]
fn gnuplot_runs_every_script() {
    if Command::new("gnuplot").arg("--version").output().is_err() {
        println!("SKIPPED: gnuplot is not installed");
        return;
    }
    let place = tempfile::tempdir().expect("a folder");
    let mut all = drawn();
    let hostile = table("`touch_hacked`\"$x'@{}\\\\%s;#x 0s 10\nb\"; 0s 20\n");
    all.push(Drawn {
        figure: chart(&hostile, "hostile", "`touch hacked`\"; system('touch hacked') #"),
        table: hostile,
    });
    for Drawn { figure, .. } in all {
        let script = place.path().join(format!("{}.gp", figure.id));
        std::fs::write(&script, draw(&figure, Picture::Gnuplot).expect("a script")).expect("a file");
        let ran = Command::new("gnuplot").arg(&script).current_dir(place.path()).output().expect("gnuplot");
        let said = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success() && said.trim().is_empty(), "{}: {said}", figure.id);
        let picture =
            std::fs::read_to_string(place.path().join(format!("{}.gnuplot.svg", figure.id))).expect("a picture");
        let bars =
            picture.matches("fill = ").count() + picture.matches("<polygon").count() + picture.matches("<path").count();
        assert!(picture.contains("<svg") && bars > 3, "{}", figure.id);
    }
    assert!(!place.path().join("hacked").exists() && !place.path().join("touch_hacked").exists());
}

/// Braces pair up, whatever the names: LaTeX would read on beyond the picture.
#[test]
fn pgfplots_pictures_are_well_formed() {
    let hostile = table("\\input{x}%_^~&$#{ 0s 10\n}} 0s 2000\n");
    let mut all = drawn();
    all.push(Drawn { figure: chart(&hostile, "hostile", "\\end{document} } {"), table: hostile });
    for Drawn { figure, .. } in all {
        let text = String::from_utf8(draw(&figure, Picture::Tex).expect("a picture")).expect("UTF-8");
        let mut depth = 0_i32;
        for line in text.lines().filter(|line| !line.starts_with('%')) {
            let plain = line.replace("\\\\", "").replace("\\{", "").replace("\\}", "");
            for character in plain.chars() {
                depth += i32::from(character == '{') - i32::from(character == '}');
                assert!(depth >= 0, "{}: {line}", figure.id);
            }
        }
        assert_eq!(depth, 0, "{}", figure.id);
        // Comments are read by nobody.
        let mut read = text.lines().filter(|line| !line.starts_with('%'));
        assert!(!read.any(|line| line.contains("\\end{document}") || line.contains("\\input{")), "{}", figure.id);
    }
}
