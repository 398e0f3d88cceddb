//! Every kind of file, whole and broken. The fixtures are single tests out of the public files (`vectors/README.md`),
//! unchanged, and three made by hand (key checks, a competition cipher's record, a prompt with its results).

use super::{offering, performers};
use crate::conformance::case::Expect;
use crate::conformance::runner::{Settings, run};
use crate::conformance::vectors::{LoadError, VectorSet, load, load_bytes};
use crate::workload::operation::Operation;
use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use std::io::Write;
use std::path::{Path, PathBuf};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/conform")
}

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(fixtures().join(name)).unwrap()
}

fn text(name: &str) -> String {
    String::from_utf8(bytes(name)).unwrap()
}

fn read(name: &str, content: &[u8]) -> Result<VectorSet, LoadError> {
    let mut set = VectorSet::default();
    load_bytes(name, content, &mut set).map(|()| set)
}

fn error(name: &str, content: &[u8]) -> LoadError {
    read(name, content).expect_err("a broken file must be refused")
}

fn skipped(set: &VectorSet) -> usize {
    set.not_applicable.iter().map(|n| n.tests).sum()
}

/// Kind, cases and tests that cannot be asked, of every fixture.
#[test]
fn every_kind_is_recognised_by_its_content_and_read_whole() {
    let table = [
        ("acvp-mlkem-keygen.json", "ACVP", 2, 0),
        ("acvp-mlkem-encapdecap.json", "ACVP", 3, 0),
        ("acvp-mlkem-keycheck.json", "ACVP", 4, 0),
        ("acvp-mldsa-keygen.json", "ACVP", 2, 0),
        ("acvp-mldsa-siggen.json", "ACVP", 3, 3),
        ("acvp-mldsa-sigver.json", "ACVP", 1, 3),
        ("acvp-slhdsa-keygen.json", "ACVP", 2, 0),
        ("wycheproof-aead.json", "Wycheproof", 3, 0),
        ("wycheproof-mac.json", "Wycheproof", 2, 0),
        ("wycheproof-hkdf.json", "Wycheproof", 2, 0),
        ("wycheproof-xdh.json", "Wycheproof", 2, 0),
        ("wycheproof-ecdh.json", "Wycheproof", 3, 0),
        ("wycheproof-ecdsa.json", "Wycheproof", 2, 0),
        ("wycheproof-eddsa.json", "Wycheproof", 2, 0),
        ("wycheproof-rsa.json", "Wycheproof", 3, 0),
        ("wycheproof-mldsa-verify.json", "Wycheproof", 2, 0),
        ("wycheproof-mldsa-sign.json", "Wycheproof", 2, 0),
        ("wycheproof-mlkem.json", "Wycheproof", 3, 0),
        ("wycheproof-mlkem-encaps.json", "Wycheproof", 3, 0),
        ("wycheproof-mlkem-keygen.json", "Wycheproof", 2, 0),
        ("wycheproof-mlkem-decaps.json", "Wycheproof", 2, 0),
        ("ascon-aead.txt", "LWC KAT", 10, 0),
        ("competition-aead.txt", "LWC KAT", 0, 1),
        ("cxof.txt", "LWC KAT", 0, 1),
        ("sha.rsp", "CAVP", 2, 0),
    ];
    let mut rustcrypto = offering("Ascon-AEAD128").remove(0);
    for (name, kind, cases, absent) in table {
        // The name says nothing: content decides.
        let set = read("vectors", &bytes(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(set.files.len(), 1);
        assert_eq!((set.files[0].kind, set.cases.len(), skipped(&set)), (kind, cases, absent), "{name}");
        assert_eq!((set.files[0].cases, set.files[0].not_applicable), (cases, absent), "{name}");
        for tally in run(&mut *rustcrypto, &set, Settings { algorithms: &[], keep: 9 }, &|| ()) {
            assert_eq!(tally.failed, 0, "{name}: {tally:?}");
            assert!(tally.passed + tally.acceptable.accepted > 0 || cases == 0, "{name}: {tally:?}");
        }
    }
}

#[test]
fn gzip_is_unpacked_and_gives_the_same() {
    let plain = bytes("wycheproof-mac.json");
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer.write_all(&plain).unwrap();
    let packed = packer.finish().unwrap();
    assert_eq!(read("a", &packed).unwrap().cases.len(), read("a", &plain).unwrap().cases.len());
    let error = error("a.json.gz", &packed[..packed.len() - 9]);
    assert!(error.to_string().contains("a.json.gz: after"), "{error}");
    assert!(error.what.contains("corrupt or truncated"), "{error}");
}

#[test]
fn what_unpacks_without_end_is_refused() {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    let block = vec![b' '; 1 << 20];
    for _ in 0..257 {
        packer.write_all(&block).unwrap();
    }
    let packed = packer.finish().unwrap();
    assert!(packed.len() < 1 << 20, "a small file");
    assert!(error("bomb.json.gz", &packed).what.contains("unpacks to more than"));
}

#[test]
fn a_file_of_absurd_size_is_not_read() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("huge.json");
    std::fs::File::create(&path).unwrap().set_len(1 << 40).unwrap();
    let errors = load(&[path]).unwrap_err();
    assert!(errors[0].what.contains("more than the 268435456 that are read"), "{errors:?}");
}

#[test]
fn truncated_json_names_line_and_column() {
    for name in ["acvp-mlkem-keygen.json", "wycheproof-mlkem.json"] {
        let whole = bytes(name);
        let error = error(name, &whole[..whole.len() * 2 / 3]);
        assert_eq!(error.file, name);
        assert!(error.place.starts_with("line "), "{error}");
    }
}

#[test]
fn a_digit_that_is_none_names_line_and_column() {
    let broken = text("wycheproof-mac.json").replacen("\"key\": \"", "\"key\": \"zz", 1);
    let error = error("mac.json", broken.as_bytes());
    assert!(error.what.contains("not a hex string"), "{error}");
    assert!(error.place.starts_with("line ") && !error.place.contains("line 0"), "{error}");
}

#[test]
fn a_missing_field_names_group_and_test() {
    let broken = text("wycheproof-mlkem.json").replacen("\"K\":", "\"k_was_here\":", 1);
    let found = error("m.json", broken.as_bytes());
    assert_eq!((found.place.as_str(), found.what.as_str()), ("group 1, test 1", "no `K`"));
    let broken = text("acvp-mlkem-keygen.json").replacen("\"dk\":", "\"was_dk\":", 1);
    let found = error("k.json", broken.as_bytes());
    assert!(found.place.starts_with("group 1, test ") && found.what.contains("`dk or sk`"), "{found}");
    let broken = text("wycheproof-xdh.json").replacen("\"curve\":", "\"was_curve\":", 1);
    let found = error("x.json", broken.as_bytes());
    assert_eq!((found.place.as_str(), found.what.as_str()), ("group 1", "no `curve`"));
}

#[test]
fn an_unknown_verdict_is_an_error_and_not_a_pass() {
    let broken = text("wycheproof-mac.json").replacen("\"valid\"", "\"vaild\"", 1);
    assert!(error("mac.json", broken.as_bytes()).what.contains("unknown variant `vaild`"));
}

#[test]
fn a_broken_record_names_its_line() {
    let whole = text("ascon-aead.txt");
    let found = error("kat", whole.replacen("CT = 4F", "CT = 4", 1).as_bytes());
    assert!(found.place == "record at line 1" && found.what.contains("`CT` is not hex"), "{found}");
    // Cut in the middle of the last record's ciphertext.
    let found = error("kat", &whole.as_bytes()[..whole.trim_end().len() - 4]);
    assert!(found.what.contains("`CT` has"), "{found}");
    // Cut before it.
    let found = error("kat", &whole.as_bytes()[..whole.rfind("CT =").unwrap()]);
    assert!(found.what == "no `CT`", "{found}");
    let found = error("sha", text("sha.rsp").replacen("Len = 24", "Len = 240", 1).as_bytes());
    assert!(found.what.contains("`Len` says 30 bytes"), "{found}");
}

#[test]
fn json_of_another_shape_is_no_vector_file() {
    let found = error("a.json", br#"{"cases": []}"#);
    assert!(found.what.contains("neither ACVP nor Wycheproof"), "{found}");
    let found = error("a.json", br#"[1, 2]"#);
    assert!(found.what.contains("neither ACVP nor Wycheproof"), "{found}");
    // Called JSON, and is not: broken, not "something else".
    assert!(error("a.json", b"Xtest").place.starts_with("line 1"));
    assert!(error("a.json", b"").place.starts_with("line 1"));
}

/// In a directory, other files are ignored with a reason; one broken vector file stops everything.
#[test]
fn a_directory_is_searched_and_a_broken_file_stops_all() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("deep")).unwrap();
    std::fs::write(dir.path().join("deep/sha.rsp"), bytes("sha.rsp")).unwrap();
    std::fs::write(dir.path().join("README.md"), "# text").unwrap();
    std::fs::write(dir.path().join("other.json"), "{}").unwrap();
    let set = load(&[dir.path().to_owned()]).unwrap();
    assert_eq!((set.files.len(), set.ignored.len(), set.cases.len()), (1, 2, 2));
    let whole = bytes("wycheproof-mac.json");
    std::fs::write(dir.path().join("mac.json"), &whole[..whole.len() / 2]).unwrap();
    let errors = load(&[dir.path().to_owned()]).unwrap_err();
    assert_eq!(errors.len(), 1);
    assert!(errors[0].file.ends_with("mac.json") && errors[0].place.starts_with("line "), "{errors:?}");
    assert!(load(&[dir.path().join("README.md")]).unwrap_err()[0].what.contains("not a vector file"));
    assert!(load(&[dir.path().join("absent")]).unwrap_err()[0].what.contains("cannot be opened"));
    let empty = tempfile::tempdir().unwrap();
    assert!(load(&[empty.path().to_owned()]).unwrap_err()[0].what.contains("no vector file found"));
}

#[test]
fn a_prompt_is_joined_with_its_expected_results() {
    let set = load(&[fixtures().join("pair")]).unwrap();
    assert_eq!((set.cases.len(), skipped(&set)), (2, 0));
    // Alone it has no answers, and says so.
    let set = load(&[fixtures().join("pair/prompt.json")]).unwrap();
    assert_eq!((set.cases.len(), skipped(&set)), (0, 1));
    assert!(set.not_applicable[0].reason.contains("without its expected results"));
}

/// `acceptable` may go either way, but not to another result.
#[test]
fn acceptable_is_neither_passed_nor_failed_unless_the_result_is_wrong() {
    let set = read("x", &bytes("wycheproof-xdh.json")).unwrap();
    assert!(set.cases.iter().any(|case| matches!(case.expect, Expect::Either(_))));
    let mut performer = offering("X25519").remove(0);
    let settings = Settings { algorithms: &[], keep: 9 };
    let tallies = run(&mut *performer, &set, settings, &|| ());
    assert_eq!((tallies[0].passed, tallies[0].acceptable.accepted + tallies[0].acceptable.refused), (1, 1));
    let mut wrong = super::faulty::Faulty::of("rustcrypto", super::faulty::Flaw::Flips(Operation::Derive, "shared"));
    let tallies = run(&mut *wrong, &set, settings, &|| ());
    assert_eq!((tallies[0].passed, tallies[0].failed, tallies[0].acceptable.accepted), (0, 2, 0));
}

/// What a performer does not offer is not applicable before anything is run, with the reason.
#[test]
fn not_applicable_is_decided_from_the_offer() {
    let set = read("x", &bytes("wycheproof-mlkem-encaps.json")).unwrap();
    for mut performer in performers() {
        let offers = performer.algorithms();
        let Some(offer) = offers.iter().find(|o| o.name == "ML-KEM-512") else { continue };
        let derandomised = offer.operations.contains(&Operation::EncapsDerand);
        let tallies = run(&mut *performer, &set, Settings { algorithms: &[], keep: 9 }, &|| ());
        assert_eq!(tallies[0].skipped(), if derandomised { 0 } else { 2 }, "{}", performer.id());
        if !derandomised {
            assert_eq!(tallies[0].not_applicable.get("operation encaps-derand not offered"), Some(&2));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Any change of any byte gives cases or an error, never a panic.
    #[test]
    fn damaged_files_never_panic(which in 0_usize..4, at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<prop::sample::Index>()) {
        let name = ["wycheproof-aead.json", "acvp-slhdsa-keygen.json", "ascon-aead.txt", "sha.rsp"][which];
        let mut content = bytes(name);
        let index = at.index(content.len());
        content[index] = byte;
        let _ = read(name, &content);
        content.truncate(cut.index(content.len()));
        let _ = read(name, &content);
    }
}
