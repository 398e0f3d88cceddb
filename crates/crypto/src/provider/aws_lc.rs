//! AWS-LC through `aws-lc-rs`, linked in.
//!
//! Not offered by this interface: derandomised encapsulation, ML-KEM seeds, ML-DSA contexts and deterministic ML-DSA,
//! SLH-DSA, AES-CCM, SHA3-224, SHAKE (all exist in AWS-LC itself, not in its Rust interface).

use crate::error::Error;
use crate::provider::{Identity, Provider};

mod agreement;
mod kem;
mod signature;
mod symmetric;

/// AWS-LC with all that `aws-lc-rs` makes of it.
#[must_use]
pub fn provider() -> Provider {
    let mut identity = Identity::linked(
        "aws-lc",
        aws_lc_rs::awslc_version().trim_start_matches("AWS-LC").trim(),
        "crates aws-lc-rs and aws-lc-sys, linked in",
    );
    identity.isa_path = Some(isa_path());
    Provider {
        identity,
        kems: kem::all(),
        signatures: signature::all(),
        agreements: agreement::all(),
        aeads: symmetric::aeads(),
        hashes: symmetric::hashes(),
        macs: symmetric::macs(),
        kdfs: symmetric::kdfs(),
    }
}

/// AWS-LC dispatches at run time on CPUID; its own rule for ML-KEM and ML-DSA is AVX2 (mlkem-native, mldsa-native).
fn isa_path() -> String {
    #[cfg(target_arch = "x86_64")]
    {
        let mut path = vec!["x86_64"];
        for (name, present) in [
            ("avx2", std::arch::is_x86_feature_detected!("avx2")),
            ("aes-ni", std::arch::is_x86_feature_detected!("aes")),
            ("vaes", std::arch::is_x86_feature_detected!("vaes")),
            ("sha-ni", std::arch::is_x86_feature_detected!("sha")),
            ("avx512ifma", std::arch::is_x86_feature_detected!("avx512ifma")),
        ] {
            if present {
                path.push(name);
            }
        }
        format!("run-time dispatch; CPU offers {}", path.join(" "))
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        format!("run-time dispatch on {}", std::env::consts::ARCH)
    }
}

fn rejected(what: &str, error: aws_lc_rs::error::KeyRejected) -> Error {
    Error::input(format!("{what} rejected by AWS-LC: {error}"))
}

fn failed(what: &str) -> Error {
    Error::provider(format!("AWS-LC failed in {what}"))
}
