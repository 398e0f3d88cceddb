//! The libcrux crates, linked in: Rust that is in parts verified (hax and F*, or extracted from HACL*), with AVX2 and
//! NEON code for ML-KEM and ML-DSA chosen at run time.
//!
//! The provider carries the version of crate `libcrux-ml-kem`; the other crates stand in
//! [`Identity::flags`](crate::provider::Identity::flags), with the compiler and its settings.
//!
//! libcrux draws no randomness: the caller gives it. Here it comes from the operating system, one system call per key
//! generation, encapsulation or hedged signature, and is part of what these cost. Keys are wiped when dropped;
//! libcrux does not wipe its own temporaries.
//!
//! Not offered: AES-GCM (its crate has open advisories), SLH-DSA, the NIST curves in pure form, RSA, AES-CCM, Ascon,
//! SHA-512/256.

use crate::provider::{Identity, Provider, compiled};

mod curve25519;
mod isa;
mod ml_dsa;
mod ml_kem;
mod symmetric;

/// All that these crates offer of the catalogue.
#[must_use]
pub fn provider() -> Provider {
    let mut identity = Identity::linked(
        "libcrux",
        env!("PQLAB_VERSION_LIBCRUX_ML_KEM"),
        "libcrux crates, linked in; the version is that of crate libcrux-ml-kem, the others are in the flags",
    );
    identity.flags = Some(format!("{}; crates {}", compiled::rust_flags(), env!("PQLAB_CRATES_LIBCRUX")));
    identity.isa_path = Some(isa::path());
    let mut signatures = ml_dsa::all();
    signatures.push(&curve25519::ED25519);
    Provider {
        identity,
        kems: ml_kem::all(),
        signatures,
        agreements: vec![&curve25519::X25519],
        aeads: symmetric::aeads(),
        hashes: symmetric::hashes(),
        macs: symmetric::macs(),
        kdfs: symmetric::kdfs(),
    }
}
