//! Which of its implementations libcrux takes on this CPU (rule of `libcrux-platform`).

/// Implementation of the lattice schemes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Path {
    /// AVX2 intrinsics.
    #[cfg(libcrux_simd256)]
    Avx2,
    /// NEON intrinsics.
    #[cfg(target_arch = "aarch64")]
    Neon,
    /// Rust without intrinsics.
    #[cfg_attr(target_arch = "aarch64", allow(dead_code))]
    Portable,
}

/// The path for ML-KEM and ML-DSA.
pub(super) fn lattice() -> Path {
    #[cfg(libcrux_simd256)]
    if crate::provider::compiled::cpu_has!("avx2", "bmi1", "bmi2", "fma", "movbe") {
        return Path::Avx2;
    }
    #[cfg(target_arch = "aarch64")]
    return Path::Neon;
    #[cfg(not(target_arch = "aarch64"))]
    Path::Portable
}

/// One clause per family.
pub(super) fn path() -> String {
    let lattice = match lattice() {
        #[cfg(libcrux_simd256)]
        Path::Avx2 => "AVX2",
        #[cfg(target_arch = "aarch64")]
        Path::Neon => "NEON",
        Path::Portable => "portable",
    };
    format!("ML-KEM, ML-DSA: {lattice}; Ed25519, X25519, ChaCha20-Poly1305, SHA-2, SHA-3, HMAC, HKDF: portable")
}
