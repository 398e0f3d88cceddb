//! Which instructions the crates take on this CPU.
//!
//! The crates decide by `cpufeatures` at run time and do not tell; this repeats their rules, read in their sources at
//! the versions that the workspace pins. What is called portable is Rust without intrinsics: there the compiler may
//! use the target features that it was given, which stand in the flags.

/// One clause per family, e.g. `AES: VAES-512; GHASH: CLMUL; …`.
pub(super) fn path() -> String {
    let mut clauses: Vec<String> = hardware().iter().map(|(family, path)| format!("{family}: {path}")).collect();
    clauses.push("ML-KEM, ML-DSA, P-256, P-384, RSA, X25519, Ascon: portable".into());
    clauses.push("SLH-DSA: as its hash".into());
    clauses.join("; ")
}

#[cfg(target_arch = "x86_64")]
fn hardware() -> Vec<(&'static str, &'static str)> {
    use crate::provider::compiled::cpu_has;
    let pick = |choices: &[(bool, &'static str)]| {
        choices.iter().find(|(present, _)| *present).map_or("portable", |(_, path)| path)
    };
    vec![
        (
            "AES",
            pick(&[
                (cpu_has!("avx512f", "vaes"), "VAES-512"),
                (cpu_has!("vaes"), "VAES-256"),
                (cpu_has!("aes"), "AES-NI"),
            ]),
        ),
        ("GHASH", pick(&[(cpu_has!("avx", "pclmulqdq"), "CLMUL")])),
        ("ChaCha20", pick(&[(cpu_has!("avx2"), "AVX2"), (cpu_has!("sse2"), "SSE2")])),
        ("Poly1305", pick(&[(cpu_has!("avx2"), "AVX2")])),
        ("SHA-224 and SHA-256", pick(&[(cpu_has!("sha", "sse4.1"), "SHA-NI")])),
        ("SHA-384 and SHA-512", pick(&[(cpu_has!("avx2"), "AVX2")])),
        ("Keccak", "portable"),
        (
            "Ed25519 verification",
            pick(&[(cpu_has!("avx512ifma", "avx512vl"), "AVX-512 IFMA"), (cpu_has!("avx2"), "AVX2")]),
        ),
        ("Ed25519 signing", "portable"),
    ]
}

#[cfg(target_arch = "aarch64")]
fn hardware() -> Vec<(&'static str, &'static str)> {
    use std::arch::is_aarch64_feature_detected as has;
    let pick = |present: bool, path: &'static str| if present { path } else { "portable" };
    vec![
        ("AES", pick(has!("aes"), "ARMv8 AES")),
        ("GHASH", pick(has!("aes"), "PMULL")),
        ("ChaCha20", "portable, or NEON where compiled in"),
        ("Poly1305", "portable"),
        ("SHA-224 and SHA-256", pick(has!("sha2"), "ARMv8 SHA2")),
        ("SHA-384 and SHA-512", pick(has!("sha3"), "ARMv8 SHA3")),
        ("Keccak", pick(has!("sha3"), "ARMv8 SHA3")),
        ("Ed25519", "portable"),
    ]
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn hardware() -> Vec<(&'static str, &'static str)> {
    vec![("all other families", "not known on this architecture")]
}
