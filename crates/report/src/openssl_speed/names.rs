//! The tool's names → the standards' names. A name without a standard's here stays as it is written.

use super::Operation;

/// An algorithm as the record names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// Name.
    pub algorithm: String,
    /// `kem`, `signature`, `agreement`, `aead`, `cipher`, `encryption`, `hash`, `mac`, `unknown`.
    pub family: &'static str,
    /// What the tool does with it; for families with several operations the table says it.
    pub operation: Operation,
}

fn named(algorithm: impl Into<String>, family: &'static str, operation: Operation) -> Named {
    Named { algorithm: algorithm.into(), family, operation }
}

/// Whether it can be a name: printable ASCII, at most 64 characters.
pub(super) fn is_name(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) && text.trim() == text
}

fn fold(written: &str) -> String {
    written.chars().filter(|c| !matches!(c, '-' | '_' | ' ' | '/')).map(|c| c.to_ascii_lowercase()).collect()
}

/// Name and family of a word that one gives to the tool: `ML-KEM-768`, `ecdsap256`, `rsa2048`, `aes-128-gcm`.
/// `None` when it is none of those that this module knows.
#[must_use]
pub fn standard_name(word: &str) -> Option<Named> {
    let folded = fold(word);
    if let Some(name) = post_quantum(&folded) {
        let (family, operation) =
            if name.contains("KEM") { ("kem", Operation::Keygen) } else { ("signature", Operation::Sign) };
        return Some(named(name, family, operation));
    }
    if let Some(curve) = folded.strip_prefix("ecdsa").and_then(short_curve) {
        return Some(named(ecdsa(&curve), "signature", Operation::Sign));
    }
    if let Some(curve) = folded.strip_prefix("ecdh").and_then(short_curve) {
        return Some(named(curve_name(&curve), "agreement", Operation::Derive));
    }
    for (prefix, name) in [("rsa", rsa as fn(u32) -> Named), ("dsa", dsa), ("ffdh", ffdh)] {
        if let Some(bits) = folded.strip_prefix(prefix).and_then(|bits| bits.parse().ok()) {
            return Some(name(bits));
        }
    }
    match folded.as_str() {
        "ed25519" => Some(named("Ed25519", "signature", Operation::Sign)),
        "ed448" => Some(named("Ed448", "signature", Operation::Sign)),
        "sm2" | "curvesm2" => Some(named("SM2", "signature", Operation::Sign)),
        "x25519" => Some(named("X25519", "agreement", Operation::Derive)),
        "x448" => Some(named("X448", "agreement", Operation::Derive)),
        _ => Some(symmetric(word)).filter(|known| known.family != "unknown"),
    }
}

/// Family of a word that one gives to the tool.
#[must_use]
pub fn family_of(word: &str) -> Option<&'static str> {
    standard_name(word).map(|known| known.family)
}

/// `p256`, `brp384t1`, `x25519` of `ecdhp256` and the like → as the tables write the curve.
fn short_curve(short: &str) -> Option<String> {
    let number = |rest: &str| (1..=4).contains(&rest.len()) && rest.bytes().all(|byte| byte.is_ascii_digit());
    if let Some(rest) = short.strip_prefix("brp") {
        let (bits, twist) = rest.split_at_checked(3)?;
        return (number(bits) && matches!(twist, "r1" | "t1")).then(|| format!("brainpoolP{bits}{twist}"));
    }
    match short.split_at_checked(1)? {
        ("p", "160") => Some("secp160r1".into()),
        (letter @ ("p" | "k" | "b"), bits) if number(bits) => Some(format!("nist{letter}{bits}")),
        _ => matches!(short, "x25519" | "x448").then(|| short.to_uppercase()),
    }
}

/// FIPS 203, 204, 205 and the hybrid groups of TLS.
fn post_quantum(folded: &str) -> Option<String> {
    let known = match folded {
        "x25519mlkem768" => "X25519MLKEM768",
        "x448mlkem1024" => "X448MLKEM1024",
        "secp256r1mlkem768" => "SecP256r1MLKEM768",
        "secp384r1mlkem1024" => "SecP384r1MLKEM1024",
        "mlkem512" => "ML-KEM-512",
        "mlkem768" => "ML-KEM-768",
        "mlkem1024" => "ML-KEM-1024",
        "mldsa44" => "ML-DSA-44",
        "mldsa65" => "ML-DSA-65",
        "mldsa87" => "ML-DSA-87",
        _ => return slh_dsa(folded),
    };
    Some(known.to_owned())
}

fn slh_dsa(folded: &str) -> Option<String> {
    let rest = folded.strip_prefix("slhdsa")?;
    let (hash, set) =
        if let Some(set) = rest.strip_prefix("sha2") { ("SHA2", set) } else { ("SHAKE", rest.strip_prefix("shake")?) };
    let known = matches!(set, "128s" | "128f" | "192s" | "192f" | "256s" | "256f");
    known.then(|| format!("SLH-DSA-{hash}-{set}"))
}

/// A row of the key encapsulation table.
pub(super) fn kem(written: &str) -> Named {
    let folded = fold(written);
    let name = match folded.as_str() {
        // RFC 9180, section 7.1.
        "x25519" => "DHKEM(X25519, HKDF-SHA256)".to_owned(),
        "x448" => "DHKEM(X448, HKDF-SHA512)".to_owned(),
        "ecp256" => "DHKEM(P-256, HKDF-SHA256)".to_owned(),
        "ecp384" => "DHKEM(P-384, HKDF-SHA384)".to_owned(),
        "ecp521" => "DHKEM(P-521, HKDF-SHA512)".to_owned(),
        // SP 800-56B, section 7.2.1.2.
        _ => match folded.strip_prefix("rsa").and_then(|bits| bits.parse::<u32>().ok()) {
            Some(bits) => format!("RSA-{bits}-RSASVE"),
            None => post_quantum(&folded).unwrap_or_else(|| written.to_owned()),
        },
    };
    named(name, "kem", Operation::Keygen)
}

/// A row of the signature table with key generation.
pub(super) fn signature(written: &str) -> Named {
    let known = standard_name(written).filter(|known| known.family == "signature");
    known.unwrap_or_else(|| named(written, "signature", Operation::Sign))
}

/// RSA with PKCS #1 v1.5 padding and no hash function (RFC 8017, section 8.2, without step 1 of the encoding).
pub(super) fn rsa(bits: u32) -> Named {
    named(format!("RSA-{bits}-PKCS1"), "signature", Operation::Sign)
}

pub(super) fn dsa(bits: u32) -> Named {
    named(format!("DSA-{bits}"), "signature", Operation::Sign)
}

/// RFC 7919.
pub(super) fn ffdh(bits: u32) -> Named {
    named(format!("ffdhe{bits}"), "agreement", Operation::Derive)
}

pub(super) fn eddsa(written: &str) -> Named {
    signature(written)
}

/// ECDSA without a hash function, by curve: `nistp256` → `ECDSA-P256`.
pub(super) fn ecdsa(curve: &str) -> String {
    format!("ECDSA-{}", curve_name(curve).replace('-', ""))
}

/// FIPS 186, SP 800-186: `nistp256` → `P-256`; others keep their names (SEC 2, RFC 5639, RFC 7748).
pub(super) fn curve_name(curve: &str) -> String {
    match curve.strip_prefix("nist").and_then(|rest| rest.split_at_checked(1)) {
        Some((letter, bits)) => format!("{}-{bits}", letter.to_uppercase()),
        None => curve.to_owned(),
    }
}

/// Curve of `+F4` and `+F5`, which have a number and bits: the tool's list, `None` when the two do not go together.
/// LibreSSL has a list of its own; no pair is in both.
pub(super) fn curve_of(index: u32, bits: u32) -> Option<&'static str> {
    const OPENSSL: [(&str, u32); 24] = [
        ("secp160r1", 160),
        ("nistp192", 192),
        ("nistp224", 224),
        ("nistp256", 256),
        ("nistp384", 384),
        ("nistp521", 521),
        ("nistk163", 163),
        ("nistk233", 233),
        ("nistk283", 283),
        ("nistk409", 409),
        ("nistk571", 571),
        ("nistb163", 163),
        ("nistb233", 233),
        ("nistb283", 283),
        ("nistb409", 409),
        ("nistb571", 571),
        ("brainpoolP256r1", 256),
        ("brainpoolP256t1", 256),
        ("brainpoolP384r1", 384),
        ("brainpoolP384t1", 384),
        ("brainpoolP512r1", 512),
        ("brainpoolP512t1", 512),
        ("X25519", 253),
        ("X448", 448),
    ];
    const LIBRESSL: [(&str, u32); 4] = [("nistp224", 224), ("nistp256", 256), ("nistp384", 384), ("nistp521", 521)];
    let index = usize::try_from(index).ok()?;
    let found = |list: &[(&'static str, u32)]| list.get(index).filter(|known| known.1 == bits).map(|known| known.0);
    found(&OPENSSL).or_else(|| found(&LIBRESSL))
}

/// A row of the table over buffers.
pub(super) fn symmetric(written: &str) -> Named {
    let folded = fold(written);
    if let Some(inner) = folded.strip_prefix("hmac(").and_then(|rest| rest.strip_suffix(')')) {
        let inner = hash(inner).map_or_else(|| inner.to_uppercase(), hmac_hash);
        return named(format!("HMAC-{inner}"), "mac", Operation::Mac);
    }
    if let Some(inner) = folded.strip_prefix("cmac(").and_then(|rest| rest.strip_suffix(')')) {
        let cipher = inner.strip_suffix("cbc").and_then(|cipher| cipher.strip_prefix("aes"));
        let cipher = cipher.map_or_else(|| inner.to_uppercase(), |bits| format!("AES-{bits}"));
        return named(format!("CMAC-{cipher}"), "mac", Operation::Mac);
    }
    match folded.as_str() {
        "kmac128" => return named("KMAC128", "mac", Operation::Mac),
        "kmac256" => return named("KMAC256", "mac", Operation::Mac),
        "chacha20poly1305" => return named("ChaCha20-Poly1305", "aead", Operation::Encrypt),
        "chacha20" => return named("ChaCha20", "cipher", Operation::Encrypt),
        _ => {}
    }
    if let Some(hash) = hash(&folded) {
        return named(hash, "hash", Operation::Hash);
    }
    cipher(&folded).unwrap_or_else(|| named(written, "unknown", Operation::Process))
}

/// `HMAC-SHA256`, not `HMAC-SHA-256` (RFC 4868).
fn hmac_hash(hash: &str) -> String {
    hash.strip_prefix("SHA-").map_or_else(|| hash.to_owned(), |rest| format!("SHA{rest}"))
}

fn hash(folded: &str) -> Option<&'static str> {
    Some(match folded {
        "sha1" => "SHA-1",
        "sha224" | "sha2224" => "SHA-224",
        "sha256" | "sha2256" => "SHA-256",
        "sha384" | "sha2384" => "SHA-384",
        "sha512" | "sha2512" => "SHA-512",
        "sha512224" | "sha2512224" => "SHA-512/224",
        "sha512256" | "sha2512256" => "SHA-512/256",
        "sha3224" => "SHA3-224",
        "sha3256" => "SHA3-256",
        "sha3384" => "SHA3-384",
        "sha3512" => "SHA3-512",
        "shake128" => "SHAKE128",
        "shake256" => "SHAKE256",
        "sm3" => "SM3",
        "md2" => "MD2",
        "md4" => "MD4",
        "md5" => "MD5",
        "mdc2" => "MDC-2",
        "rmd160" | "ripemd160" => "RIPEMD-160",
        "whirlpool" => "Whirlpool",
        "blake2b512" => "BLAKE2b-512",
        "blake2s256" => "BLAKE2s-256",
        _ => return None,
    })
}

/// `aes128gcm`, `idaes128gcm`, `camellia256cbc`, `desede3`, …
fn cipher(folded: &str) -> Option<Named> {
    let body = folded.strip_prefix("id").filter(|rest| rest.starts_with("aes")).unwrap_or(folded);
    for (prefix, name) in [("aes", "AES"), ("camellia", "Camellia"), ("aria", "ARIA")] {
        let Some((bits, mode)) = body.strip_prefix(prefix).and_then(|rest| rest.split_at_checked(3)) else { continue };
        if !matches!(bits, "128" | "192" | "256") {
            continue;
        }
        return match mode {
            "gcm" | "ccm" | "ocb" | "siv" | "gcmsiv" => {
                let mode = mode.to_uppercase().replace("GCMSIV", "GCM-SIV");
                Some(named(format!("{name}-{bits}-{mode}"), "aead", Operation::Encrypt))
            }
            "cbc" | "ctr" | "ecb" | "cfb" | "cfb1" | "cfb8" | "ofb" | "xts" | "ige" => {
                Some(named(format!("{name}-{bits}-{}", mode.to_uppercase()), "cipher", Operation::Encrypt))
            }
            _ => None,
        };
    }
    let known = match folded {
        "descbc" => "DES-CBC",
        "desede3" | "desede3cbc" => "DES-EDE3-CBC",
        "sm4cbc" => "SM4-CBC",
        "seedcbc" => "SEED-CBC",
        "rc4" => "RC4",
        _ => return None,
    };
    Some(named(known, "cipher", Operation::Encrypt))
}
