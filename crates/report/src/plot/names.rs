//! What the names of a table mean: which algorithm, which size, how strong, how many bytes.

use super::table::Column;
use crate::render::one_line;
use crate::units::buffer_size;

/// The name without what spellings differ in: `AES-128-GCM`, `aes-128-gcm` and `aes128gcm` are one. A low-level
/// interface (`…-no-evp`) stays another thing.
#[must_use]
pub fn key(name: &str) -> String {
    let lower = name.to_lowercase();
    let (body, low_level) = match lower.strip_suffix("-no-evp") {
        Some(body) => (body, "!noevp"),
        None => (lower.as_str(), ""),
    };
    let plain: String = body.chars().filter(|c| !matches!(c, '-' | '_' | ' ' | '/')).collect();
    format!("{plain}{low_level}")
}

/// What a column holds, in words: `16 KiB`, `sign`, `decaps`.
pub(super) fn operation_word(name: &str, column: Column) -> String {
    let rsa = key(name).starts_with("rsa");
    match column {
        Column::Buffer(size) => buffer_size(size),
        Column::Enc if rsa => "encrypt".into(),
        Column::Dec if rsa => "decrypt".into(),
        Column::Enc => "encaps".into(),
        Column::Dec => "decaps".into(),
        Column::Dh => "derive".into(),
        Column::Sign | Column::Verify | Column::Keygen => column.word(),
    }
}

/// A reason as part of a sentence: one line, at most 160 characters.
pub(super) fn say(reason: &str) -> String {
    let line = one_line(reason);
    match line.char_indices().nth(160) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

/// The number that follows `prefix` in the key of a name, up to `suffix`: `ecdh(nistb283)` → 283.
pub(super) fn number_between(name: &str, prefix: &str, suffix: &str) -> Option<f64> {
    let key = key(name);
    let digits = key.strip_prefix(prefix)?.strip_suffix(suffix)?;
    let plain = !digits.is_empty() && digits.len() <= 6 && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse::<u32>().ok().filter(|_| plain).map(f64::from)
}

/// What standards say of an asymmetric algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    /// [`key`] of its name.
    pub key: &'static str,
    /// Security strength, bits: SP 800-57 part 1, section 5.6.1.1; for post-quantum algorithms that of the AES key by
    /// which the category is defined, or of the hash for category 2.
    pub strength: u16,
    /// Bytes of the public key.
    pub public_key: u32,
    /// Bytes of the signature or ciphertext; none where a table says `0`.
    pub output: u32,
}

const fn facts(key: &'static str, strength: u16, public_key: u32, output: u32) -> Facts {
    Facts { key, strength, public_key, output }
}

/// FIPS 203 table 3, FIPS 204 table 2, FIPS 205 table 2; RSA: modulus with the exponent 65537, and one block; elliptic
/// curves: uncompressed points (SEC 1, section 2.3.3), signatures as r and s of fixed length; RFC 8032, RFC 7748;
/// X25519MLKEM768: draft-ietf-tls-ecdhe-mlkem, section 4.1. Agreement: the output is the other side's public key.
const FACTS: [Facts; 51] = [
    facts("mlkem512", 128, 800, 768),
    facts("mlkem768", 192, 1184, 1088),
    facts("mlkem1024", 256, 1568, 1568),
    facts("x25519mlkem768", 192, 1216, 1120),
    facts("mldsa44", 128, 1312, 2420),
    facts("mldsa65", 192, 1952, 3309),
    facts("mldsa87", 256, 2592, 4627),
    facts("slhdsasha2128s", 128, 32, 7856),
    facts("slhdsasha2128f", 128, 32, 17088),
    facts("slhdsasha2192s", 192, 48, 16224),
    facts("slhdsasha2192f", 192, 48, 35664),
    facts("slhdsasha2256s", 256, 64, 29792),
    facts("slhdsasha2256f", 256, 64, 49856),
    facts("slhdsashake128s", 128, 32, 7856),
    facts("slhdsashake128f", 128, 32, 17088),
    facts("slhdsashake192s", 192, 48, 16224),
    facts("slhdsashake192f", 192, 48, 35664),
    facts("slhdsashake256s", 256, 64, 29792),
    facts("slhdsashake256f", 256, 64, 49856),
    facts("rsa2048", 112, 259, 256),
    facts("rsa3072", 128, 387, 384),
    facts("rsa4096", 128, 515, 512),
    facts("rsa7680", 192, 963, 960),
    facts("rsa15360", 256, 1923, 1920),
    facts("ecdsa(nistp224)", 112, 57, 56),
    facts("ecdsa(nistp256)", 128, 65, 64),
    facts("ecdsa(nistp384)", 192, 97, 96),
    facts("ecdsa(nistp521)", 256, 133, 132),
    facts("ecdsa(nistk283)", 128, 73, 72),
    facts("ecdsa(nistk409)", 192, 105, 104),
    facts("ecdsa(nistk571)", 256, 145, 144),
    facts("ecdsa(nistb283)", 128, 73, 72),
    facts("ecdsa(nistb409)", 192, 105, 104),
    facts("ecdsa(nistb571)", 256, 145, 144),
    facts("ecdsa(brainpoolp256r1)", 128, 65, 64),
    facts("ecdsa(brainpoolp256t1)", 128, 65, 64),
    facts("ecdsa(brainpoolp384r1)", 192, 97, 96),
    facts("ecdsa(brainpoolp384t1)", 192, 97, 96),
    facts("ecdsa(brainpoolp512r1)", 256, 129, 128),
    facts("ecdsa(brainpoolp512t1)", 256, 129, 128),
    facts("eddsa(ed25519)", 128, 32, 64),
    // 224 bit, RFC 8032 section 8.5: between two columns, so it is in none of them.
    facts("eddsa(ed448)", 224, 57, 114),
    facts("ecdh(x25519)", 128, 32, 32),
    facts("ecdh(x448)", 224, 56, 56),
    facts("ecdh(nistp256)", 128, 65, 65),
    facts("ecdh(nistp384)", 192, 97, 97),
    facts("ecdh(nistp521)", 256, 133, 133),
    facts("ecdh(brainpoolp256r1)", 128, 65, 65),
    facts("ecdh(brainpoolp384r1)", 192, 97, 97),
    facts("ecdh(brainpoolp512r1)", 256, 129, 129),
    facts("ffdh3072", 128, 384, 384),
];

/// What standards say of the algorithm with that name.
#[must_use]
pub fn facts_of(name: &str) -> Option<&'static Facts> {
    let key = key(name);
    FACTS.iter().find(|facts| facts.key == key)
}

/// Why an algorithm should not be chosen, however fast it is.
#[must_use]
pub fn weakness(name: &str) -> Option<&'static str> {
    let key = key(name);
    let inside = key.strip_prefix("hmac(").map_or(key.as_str(), |rest| rest.trim_end_matches(')'));
    match inside.trim_end_matches("!noevp") {
        "md5" | "md4" | "md2" if !key.starts_with("hmac(") => return Some("collisions are found in seconds"),
        "md5" | "md4" | "md2" | "mdc2" => return Some("not an approved hash function"),
        "sha1" if !key.starts_with("hmac(") => return Some("collisions have been found"),
        "rc4" | "descbc" | "des" => return Some("broken"),
        _ => {}
    }
    let bits = |prefix: &str| number_between(name, prefix, "");
    if bits("rsa").or_else(|| bits("dsa")).or_else(|| bits("ffdh")).is_some_and(|bits| bits < 2048.0) {
        return Some("below 112 bits of security");
    }
    let curve = key.split_once('(').filter(|(kind, _)| matches!(*kind, "ecdsa" | "ecdh")).map(|(_, curve)| curve);
    let small = ["160", "163", "192"].iter().any(|bits| curve.is_some_and(|curve| curve.contains(bits)));
    small.then_some("below 112 bits of security")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_thing_have_one_key() {
        assert_eq!(key("AES-128-GCM"), key("aes128gcm"));
        assert_eq!(key("SHA512/256"), key("sha512-256"));
        assert_ne!(key("sha256"), key("sha256-no-evp"));
    }

    #[test]
    fn sizes_come_from_names_and_not_from_places_in_them() {
        assert_eq!(number_between("rsa2048", "rsa", ""), Some(2048.0));
        assert_eq!(number_between("ecdh(brainpoolP384r1)", "ecdh(brainpoolp", "r1)"), Some(384.0));
        assert_eq!(number_between("ecdh(brainpoolP384t1)", "ecdh(brainpoolp", "r1)"), None);
        assert_eq!(number_between("rsa", "rsa", ""), None);
        assert_eq!(number_between("rsa99999999", "rsa", ""), None);
    }

    #[test]
    fn each_algorithm_has_its_facts_once() {
        let mut keys: Vec<&str> = FACTS.iter().map(|facts| facts.key).collect();
        assert!(FACTS.iter().all(|facts| key(facts.key) == facts.key && facts.public_key > 0 && facts.output > 0));
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), FACTS.len());
        assert_eq!(facts_of("EdDSA(Ed448)").map(|facts| facts.strength), Some(224));
        assert_eq!(facts_of("ecdsa(nistp256)").map(|facts| facts.output), Some(64));
    }

    #[test]
    fn speed_is_no_reason_to_choose_a_weak_algorithm() {
        for weak in ["md5", "sha1", "rsa1024", "ecdsa(nistp192)", "ecdh(nistb163)", "dsa1024", "hmac(md5)"] {
            assert!(weakness(weak).is_some(), "{weak}");
        }
        for sound in ["sha256", "rsa2048", "ecdsa(nistp256)", "ML-KEM-512", "hmac(sha1)", "EdDSA(Ed25519)"] {
            assert_eq!(weakness(sound), None, "{sound}");
        }
    }
}
