//! OpenSSL ≥ 3.0, loaded at run time from a shared libcrypto: of a bundle, of the system, or of a path given.
//!
//! A library is loaded for the rest of the process's life, with its symbols invisible to others. Two versions belong
//! into two processes. What the loaded library cannot fetch is not offered.
//!
//! # What is measured here, and by `openssl speed`
//!
//! Each key object prepares its OpenSSL context at the first operation and uses it again, as the loops of
//! `apps/speed.c` do; methods are fetched when the library is loaded. What this adds per operation is one
//! atomic swap to get hold of the context, and the checks of lengths. The loops below are those of 3.5.5.
//!
//! | here | loop in `apps/speed.c` | the same work? |
//! |---|---|---|
//! | KEM generate | `KEM_keygen_loop`: EVP_PKEY_keygen, EVP_PKEY_free | yes, when the key is dropped |
//! | KEM encapsulate, decapsulate | `KEM_encaps_loop`, `KEM_decaps_loop` | yes |
//! | ML-DSA, SLH-DSA generate | `SIG_keygen_loop` | yes, when the key is dropped |
//! | ML-DSA, SLH-DSA sign, verify | `SIG_sign_loop`, `SIG_verify_loop`: EVP_PKEY_sign after EVP_PKEY_sign_message_init; 32 zero bytes, hedged | yes, for a message of 32 bytes, [`Randomness::Library`](crate::Randomness) and one context string |
//! | X25519, X448, P-256, P-384 derive | `ECDH_EVP_derive_key_loop`: EVP_PKEY_derive, peer set before | yes, while the peer stays the same; another peer adds EVP_PKEY_derive_set_peer without its validation, which is part of the import |
//! | Ed25519, Ed448 sign, verify | `EdDSA_sign_loop`, `EdDSA_verify_loop`: EVP_DigestSignInit (not in 3.0), EVP_DigestSign; 20 bytes | yes, for a message of 20 bytes |
//! | ECDSA sign, verify | `ECDSA_sign_loop`, `ECDSA_verify_loop`: EVP_PKEY_sign of 20 bytes | plus one EVP_Digest of the message, and the digest is longer |
//! | RSA sign, verify | `RSA_sign_loop`, `RSA_verify_loop`: EVP_PKEY_sign of 36 bytes | plus one EVP_Digest of the message |
//! | AES-GCM, AES-CCM seal, open | `EVP_Update_loop_aead_enc`, `EVP_Update_loop_aead_dec` (`-evp`, with `-aead` 13 bytes of associated data) | no: `speed` sets the key anew for each message (not in 3.0), and does not fetch the tag; here the key is prepared once. The difference vanishes in long messages |
//! | ChaCha20-Poly1305 seal, open | `EVP_Update_loop` | no: `speed` counts updates of one endless message, without nonce and tag |
//! | SHA-2, SHA-3 | `EVP_Digest_loop`: EVP_Digest | yes |
//! | SHAKE | `EVP_Digest_loop`: EVP_DigestInit_ex2, EVP_DigestUpdate, EVP_DigestFinalXOF to 64 bytes (EVP_Digest in 3.0) | yes, for 64 bytes of output |
//! | HMAC | `EVP_MAC_loop`: EVP_MAC_init without key, EVP_MAC_update, EVP_MAC_final | yes |
//! | HKDF, all imports and exports | none | |

mod agreement;
mod configuration;
mod ffi;
mod kem;
mod kind;
mod pool;
mod signature;
mod symmetric;

use crate::error::Result;
use crate::provider::library::library_file;
use crate::provider::{Identity, Provider};
use ffi::{Context, FipsModule, Libcrypto};
use std::path::{Path, PathBuf};

/// Which provider inside the library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Variant {
    /// The default provider, with default properties and without any configuration file.
    Default,
    /// The FIPS module, with property query `fips=yes`.
    Fips {
        /// Directory with `fips.so`.
        modules: PathBuf,
        /// The output of `openssl fipsinstall` (`fipsmodule.cnf`), or a whole configuration that includes it.
        config: PathBuf,
    },
}

/// Loads a libcrypto. `origin` says where it came from, for the record.
///
/// # Errors
/// [`crate::Fault::Environment`] when the file is missing, is no libcrypto of OpenSSL 3.0 or newer, or when the FIPS
/// module cannot be loaded or fails its self tests.
pub fn load(library: &Path, variant: &Variant, origin: &str) -> Result<Provider> {
    let file = library_file(library)?;
    let lib = Libcrypto::load(&file.path)?;
    let (context, module) = match variant {
        Variant::Default => (Context::default_provider(lib)?, None),
        Variant::Fips { modules, config } => {
            let (context, module) = Context::fips_module(lib, modules, &configuration::read(config)?)?;
            (context, Some(module))
        }
    };
    Ok(Provider {
        identity: Identity {
            name: "openssl".into(),
            version: lib.version(),
            variant: context.is_fips().then(|| "fips".into()),
            library: Some(file),
            flags: lib.flags(),
            isa_path: lib.cpu_settings(),
            fips: module.map(|module| describe(&module)),
            origin: origin.into(),
        },
        kems: kem::kems(context),
        signatures: signature::signatures(context),
        agreements: agreement::agreements(context),
        aeads: symmetric::aeads(context),
        hashes: symmetric::hashes(context),
        macs: symmetric::macs(context),
        kdfs: symmetric::kdfs(context),
    })
}

/// The module in its own words.
fn describe(module: &FipsModule) -> String {
    let FipsModule { name, version, build, running } = module;
    let status = if *running { "self tests passed" } else { "not running" };
    if build == version {
        format!("{name} {version}, {status}")
    } else {
        format!("{name} {version} ({build}), {status}")
    }
}
