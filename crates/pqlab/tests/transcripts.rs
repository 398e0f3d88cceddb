//! The command line as it is typed and as it answers: `tests/cmd/*.md`. `TRYCMD=overwrite` writes them anew.

#[test]
fn transcripts() {
    let cache = tempfile::tempdir().expect("a temporary folder");
    let cases = trycmd::TestCases::new();
    cases.register_bin("pqlab", std::path::Path::new(env!("CARGO_BIN_EXE_pqlab")));
    // No bundles, so that the answers are the same on every machine.
    cases.env("XDG_CACHE_HOME", cache.path().to_string_lossy());
    cases.case("tests/cmd/*.md");
    cases.run();
}
