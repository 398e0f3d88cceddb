//! AEADs, hashes, HMAC, HKDF.

use super::ffi::{
    Cipher, CipherContext, Context, Digest, Direction, Kdf as NativeKdf, KdfContext, Mac as NativeMac, MacContext,
    Param, Params, XofContext,
};
use super::kind::About;
use super::pool::Pool;
use crate::Secret;
use crate::catalogue::{Algorithm, find};
use crate::error::{Error, Result, check_len};
use crate::symmetric::{Aead, AeadKey, Hash, Kdf, Mac, MacKey};
use std::ffi::CStr;

/// `OSSL_MAC_PARAM_DIGEST`, `OSSL_KDF_PARAM_DIGEST`.
const DIGEST: &CStr = c"digest";
/// `OSSL_KDF_PARAM_KEY`.
const KEY: &CStr = c"key";
/// `OSSL_KDF_PARAM_SALT`.
const SALT: &CStr = c"salt";
/// `OSSL_KDF_PARAM_INFO`.
const INFO: &CStr = c"info";

const NONCE: usize = 12;
const TAG: usize = 16;

/// Longest message of CCM with a nonce of 12 bytes: its length field has 15 − 12 = 3 (SP 800-38C appendix A.1).
const LONGEST_CCM: usize = (1 << 24) - 1;

fn leak<T: 'static>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

/// The AEADs that the context can fetch, by their names in the catalogue.
pub fn aeads(context: &'static Context) -> Vec<&'static dyn Aead> {
    let rows = [c"AES-128-GCM", c"AES-256-GCM", c"AES-128-CCM", c"AES-256-CCM", c"ChaCha20-Poly1305"];
    let offer = |name: &'static CStr| -> Option<&'static dyn Aead> {
        let algorithm = find(name.to_str().ok()?)?;
        let inner = leak(AeadInner {
            algorithm,
            cipher: Cipher::fetch(context, name)?,
            counted: algorithm.standard == "SP 800-38C",
        });
        Some(leak(AeadScheme(inner)))
    };
    rows.into_iter().filter_map(offer).collect()
}

struct AeadInner {
    algorithm: &'static Algorithm,
    cipher: Cipher,
    /// CCM wants the length of each message before it.
    counted: bool,
}

struct AeadScheme(&'static AeadInner);

struct PreparedAead {
    scheme: &'static AeadInner,
    /// For further contexts: of the other direction, and when several threads use the key at once.
    key: Secret,
    /// The first one is prepared by the import.
    sealing: Pool<CipherContext>,
    /// The first one is prepared by the first message to open.
    opening: Pool<CipherContext>,
}

impl Aead for AeadScheme {
    fn algorithm(&self) -> &'static Algorithm {
        self.0.algorithm
    }

    fn import_key(&self, key: &[u8]) -> Result<Box<dyn AeadKey>> {
        let scheme = self.0;
        let prepared = check_len("the key", key, scheme.algorithm.sizes.key.unwrap_or(0))
            .and_then(|()| CipherContext::new(&scheme.cipher, Direction::Seal, key, scheme.counted));
        let sealing = Pool::with(prepared.about(scheme.algorithm)?);
        Ok(Box::new(PreparedAead { scheme, key: key.into(), sealing, opening: Pool::new() }))
    }
}

impl PreparedAead {
    fn prepare(&self, direction: Direction) -> Result<CipherContext> {
        CipherContext::new(&self.scheme.cipher, direction, &self.key, self.scheme.counted)
    }

    fn check(&self, nonce: &[u8], message: usize) -> Result<[u8; NONCE]> {
        if self.scheme.counted && message > LONGEST_CCM {
            return Err(Error::usage(format!("CCM with a nonce of 12 bytes takes at most {LONGEST_CCM} bytes")));
        }
        nonce.try_into().map_err(|_| Error::usage(format!("the nonce has {} bytes, expected {NONCE}", nonce.len())))
    }
}

impl AeadKey for PreparedAead {
    fn seal(&self, nonce: &[u8], aad: &[u8], plaintext: &[u8], out: &mut [u8]) -> Result<()> {
        let nonce = self.check(nonce, plaintext.len()).about(self.scheme.algorithm)?;
        self.sealing
            .run(|| self.prepare(Direction::Seal), |ctx| ctx.seal(self.scheme.counted, &nonce, aad, plaintext, out))
            .about(self.scheme.algorithm)
    }

    fn open(&self, nonce: &[u8], aad: &[u8], sealed: &[u8], out: &mut [u8]) -> Result<bool> {
        let Some((ciphertext, tag)) = sealed.split_last_chunk::<TAG>() else {
            return Ok(false);
        };
        let nonce = self.check(nonce, ciphertext.len()).about(self.scheme.algorithm)?;
        self.opening.run(
            || self.prepare(Direction::Open),
            |ctx| ctx.open(self.scheme.counted, &nonce, aad, ciphertext, tag, out),
        )
    }
}

/// The hashes that the context can fetch, by their names in the catalogue.
pub fn hashes(context: &'static Context) -> Vec<&'static dyn Hash> {
    let rows = [
        c"SHA-224",
        c"SHA-256",
        c"SHA-384",
        c"SHA-512",
        c"SHA-512/256",
        c"SHA3-224",
        c"SHA3-256",
        c"SHA3-384",
        c"SHA3-512",
        c"SHAKE128",
        c"SHAKE256",
    ];
    let offer = |name: &'static CStr| -> Option<&'static dyn Hash> {
        let algorithm = find(name.to_str().ok()?)?;
        let digest = Digest::fetch(context, name)?;
        if algorithm.name.starts_with("SHAKE") {
            return Some(leak(ExtendableHash { algorithm, digest, pool: Pool::new() }));
        }
        // OpenSSL and the catalogue must mean the same function.
        (Some(digest.size()) == algorithm.sizes.output)
            .then(|| -> &'static dyn Hash { leak(FixedHash { algorithm, digest }) })
    };
    rows.into_iter().filter_map(offer).collect()
}

struct FixedHash {
    algorithm: &'static Algorithm,
    digest: Digest,
}

impl Hash for FixedHash {
    fn algorithm(&self) -> &'static Algorithm {
        self.algorithm
    }

    fn hash(&self, message: &[u8], out: &mut [u8]) -> Result<()> {
        self.digest.digest(message, out).about(self.algorithm)
    }
}

struct ExtendableHash {
    algorithm: &'static Algorithm,
    digest: Digest,
    pool: Pool<XofContext>,
}

impl Hash for ExtendableHash {
    fn algorithm(&self) -> &'static Algorithm {
        self.algorithm
    }

    fn hash(&self, message: &[u8], out: &mut [u8]) -> Result<()> {
        if out.is_empty() {
            return Ok(());
        }
        self.pool
            .run(|| XofContext::new(&self.digest), |ctx| ctx.digest(&self.digest, message, out))
            .about(self.algorithm)
    }
}

/// The MACs that the context can fetch.
pub fn macs(context: &'static Context) -> Vec<&'static dyn Mac> {
    let rows = [
        ("HMAC-SHA256", c"SHA256"),
        ("HMAC-SHA384", c"SHA384"),
        ("HMAC-SHA512", c"SHA512"),
        ("HMAC-SHA3-256", c"SHA3-256"),
        ("HMAC-SHA3-512", c"SHA3-512"),
    ];
    let offer = |(name, digest)| -> Option<&'static dyn Mac> {
        Digest::fetch(context, digest)?;
        let algorithm = find(name)?;
        let size = algorithm.sizes.output?;
        let inner = leak(MacInner { algorithm, mac: NativeMac::fetch(context, c"HMAC")?, digest, size });
        Some(leak(MacScheme(inner)))
    };
    rows.into_iter().filter_map(offer).collect()
}

struct MacInner {
    algorithm: &'static Algorithm,
    mac: NativeMac,
    digest: &'static CStr,
    size: usize,
}

struct MacScheme(&'static MacInner);

struct PreparedMac {
    scheme: &'static MacInner,
    /// For further contexts, when several threads use the key at once.
    key: Secret,
    pool: Pool<MacContext>,
}

impl MacInner {
    fn prepare(&self, key: &[u8]) -> Result<MacContext> {
        MacContext::new(&self.mac, key, &Params::new([Param::name(DIGEST, self.digest)]))
    }
}

impl Mac for MacScheme {
    fn algorithm(&self) -> &'static Algorithm {
        self.0.algorithm
    }

    fn import_key(&self, key: &[u8]) -> Result<Box<dyn MacKey>> {
        let pool = Pool::with(self.0.prepare(key).about(self.0.algorithm)?);
        Ok(Box::new(PreparedMac { scheme: self.0, key: key.into(), pool }))
    }
}

impl MacKey for PreparedMac {
    fn mac(&self, message: &[u8], out: &mut [u8]) -> Result<()> {
        if out.len() != self.scheme.size {
            let what = format!("the tag has {} bytes, the buffer {}", self.scheme.size, out.len());
            return Err(Error::usage(what)).about(self.scheme.algorithm);
        }
        self.pool.run(|| self.scheme.prepare(&self.key), |ctx| ctx.mac(message, out)).about(self.scheme.algorithm)
    }
}

/// The key derivation functions that the context can fetch.
pub fn kdfs(context: &'static Context) -> Vec<&'static dyn Kdf> {
    let rows = [
        ("HKDF-SHA256", c"SHA256"),
        ("HKDF-SHA384", c"SHA384"),
        ("HKDF-SHA512", c"SHA512"),
        ("HKDF-SHA3-256", c"SHA3-256"),
    ];
    let offer = |(name, digest)| -> Option<&'static dyn Kdf> {
        let hash_len = Digest::fetch(context, digest)?.size();
        let kdf = NativeKdf::fetch(context, c"HKDF")?;
        Some(leak(Hkdf { algorithm: find(name)?, kdf, digest, hash_len, pool: Pool::new() }))
    };
    rows.into_iter().filter_map(offer).collect()
}

struct Hkdf {
    algorithm: &'static Algorithm,
    kdf: NativeKdf,
    digest: &'static CStr,
    hash_len: usize,
    pool: Pool<KdfContext>,
}

impl Kdf for Hkdf {
    fn algorithm(&self) -> &'static Algorithm {
        self.algorithm
    }

    fn derive(&self, ikm: &[u8], salt: &[u8], info: &[u8], out: &mut [u8]) -> Result<()> {
        if out.len() > 255 * self.hash_len {
            return Err(Error::usage(format!(
                "HKDF gives at most {} bytes, {} are asked for",
                255 * self.hash_len,
                out.len()
            )));
        }
        if out.is_empty() {
            return Ok(());
        }
        // The digest is named in each call: a context that kept it would also keep the inputs.
        let inputs = Params::new([
            Param::name(DIGEST, self.digest),
            Param::octets(KEY, ikm),
            Param::octets(SALT, salt),
            Param::octets(INFO, info),
        ]);
        self.pool.run(|| KdfContext::new(&self.kdf), |ctx| ctx.derive(&inputs, out)).about(self.algorithm)
    }
}
