use crate::bundle::pins::{Digest, Pins};
use crate::bundle::source::{Choice, candidates};
use crate::bundle::spec::{Kind, Spec};

const GOOD: &str = r#"
# a comment
[[release]]
project = "openssl"
version = "3.5.5"
url = "https://example.org/openssl-3.5.5.tar.gz"
sha256 = "b28c91532a8b65a1f983b4c28b7488174e4a01008e29ce8e69bd789f28bc2a89"

[[package]]
project = "liboqs"
version = "0.13.0"
name = "oqs-sys"
release = "0.11.0+liboqs-0.13.0"
sha256 = "ac6d66ee528a895ce5cc08851698d109c5d7ee5d7a0b3b40d61550eda91e414f"
"#;

fn spec(text: &str) -> Spec {
    text.parse().unwrap()
}

#[test]
fn the_built_in_pins_are_well_formed_and_carry_the_announced_release() {
    let pins = Pins::built_in().unwrap();
    let release = pins.release(&spec("openssl@3.5.5")).unwrap();
    assert_eq!(release.sha256.to_string(), "b28c91532a8b65a1f983b4c28b7488174e4a01008e29ce8e69bd789f28bc2a89");
    assert!(release.url.starts_with("https://"));
    assert!(pins.package(&spec("liboqs@0.13.0")).is_some());
    assert!(pins.versions(Kind::OpenSsl).len() >= 5);
}

#[test]
fn a_pin_belongs_to_the_version_with_and_without_the_fips_provider_and_to_no_other() {
    let pins = Pins::parse(GOOD).unwrap();
    assert!(pins.release(&spec("openssl@3.5.5+fips")).is_some());
    assert!(pins.release(&spec("openssl@3.5.4")).is_none());
    assert!(pins.release(&spec("liboqs@0.13.0")).is_none());
}

#[test]
fn one_malformed_entry_refuses_the_whole_file() {
    let sha = "b28c91532a8b65a1f983b4c28b7488174e4a01008e29ce8e69bd789f28bc2a89";
    let cases = [
        ("short hash", GOOD.replace(sha, &sha[1..])),
        ("long hash", GOOD.replace(sha, &format!("{sha}0"))),
        ("upper-case hash", GOOD.replace(sha, &sha.to_uppercase())),
        ("not hexadecimal", GOOD.replace(sha, &sha.replace('b', "g"))),
        ("empty hash", GOOD.replace(sha, "")),
        ("no hash", GOOD.replace(&format!("sha256 = \"{sha}\""), "")),
        ("unknown field", GOOD.replace("url =", "address = \"x\"\nurl =")),
        ("unknown project", GOOD.replace("\"openssl\"", "\"opensll\"")),
        ("short version", GOOD.replace("\"3.5.5\"", "\"3.5\"")),
        ("variant in the version", GOOD.replace("\"3.5.5\"", "\"3.5.5+fips\"")),
        ("not an address", GOOD.replace("https://", "ftp://")),
        ("name that breaks out", GOOD.replace("\"oqs-sys\"", "\"oqs-sys\\\" = 1\"")),
        ("release that is a path", GOOD.replace("0.11.0+liboqs", "../0.11.0+liboqs")),
        ("NUL byte", GOOD.replace("# a comment", "# a\0comment")),
        ("not TOML", format!("{GOOD}[[release")),
        ("unknown table", format!("{GOOD}[other]\n")),
        ("release pinned twice", format!("{GOOD}{GOOD}")),
        (
            "package pinned twice",
            format!("{GOOD}{}", GOOD.split_once("[[package]]").map(|(_, p)| format!("[[package]]{p}")).unwrap()),
        ),
    ];
    for (name, text) in cases {
        assert_ne!(text, GOOD, "{name} changed nothing");
        let error = Pins::parse(&text).expect_err(name);
        assert!(error.what().starts_with("pins.toml: "), "{name}: {error}");
    }
    Pins::parse(GOOD).unwrap();
}

#[test]
fn without_a_pin_there_is_no_place_to_download_from() {
    let pins = Pins::parse(GOOD).unwrap();
    let unpinned = spec("openssl@3.5.6");
    for choice in [None, Some("release"), Some("package"), Some("http://127.0.0.1:1/x.tar.gz")] {
        let choice: Option<Choice> = choice.map(|text| text.parse().unwrap());
        let error = candidates(&unpinned, choice.as_ref(), None, &pins).expect_err("no pin");
        assert!(error.hint().is_some(), "{choice:?}");
    }
    let sha256 = Digest::of(b"x");
    let choice = Choice::Url("http://127.0.0.1:1/x.tar.gz".into());
    assert_eq!(candidates(&unpinned, Some(&choice), Some(sha256), &pins).unwrap().len(), 1);
    assert!("ftp://example.org/x".parse::<Choice>().is_err());
}
