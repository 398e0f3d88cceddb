//! The RustCrypto crates and the dalek crates, linked in: pure Rust.
//!
//! There is no single library and no single version. The provider carries the version of crate `ml-kem`;
//! [`Identity::flags`](crate::provider::Identity::flags) lists the version of every crate that computes, from the lock
//! file of the build, with the compiler and its settings.
//!
//! Key objects hold the form that the crate's own users would keep: parsed keys, expanded matrices, key schedules.
//! Randomness comes from the operating system, one system call per key generation, encapsulation or hedged signature,
//! and is part of what these cost; RSA key generation, which needs much, seeds ChaCha20 with it. Crate features
//! `zeroize` are on, so wiping is part of the cost as well.

use crate::provider::{Identity, Provider, compiled};

mod aead;
mod digest;
mod ed25519;
mod isa;
mod ml_dsa;
mod ml_kem;
mod nist_curves;
mod rsa;
mod slh_dsa;
mod x25519;

/// All that these crates offer of the catalogue.
#[must_use]
pub fn provider() -> Provider {
    let mut identity = Identity::linked(
        "rustcrypto",
        env!("PQLAB_VERSION_ML_KEM"),
        "RustCrypto and dalek crates, linked in; the version is that of crate ml-kem, the others are in the flags",
    );
    identity.flags = Some(format!("{}; crates {}", compiled::rust_flags(), env!("PQLAB_CRATES_RUSTCRYPTO")));
    identity.isa_path = Some(isa::path());
    let mut signatures = ml_dsa::all();
    signatures.extend(slh_dsa::all());
    signatures.push(&ed25519::ED25519);
    signatures.extend(nist_curves::signatures());
    signatures.extend(rsa::all());
    let mut agreements = nist_curves::agreements();
    agreements.insert(0, &x25519::X25519);
    Provider {
        identity,
        kems: ml_kem::all(),
        signatures,
        agreements,
        aeads: aead::all(),
        hashes: digest::hashes(),
        macs: digest::macs(),
        kdfs: digest::kdfs(),
    }
}
