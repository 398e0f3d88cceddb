//! AES-GCM, ChaCha20-Poly1305, SHA-2, SHA-3, HMAC, HKDF.

use super::failed;
use crate::catalogue::{Algorithm, find};
use crate::error::{Error, Result, check_len, copy_out};
use crate::symmetric::{Aead, AeadKey, Hash, Kdf, Mac, MacKey};
use aws_lc_rs::{aead, digest, hkdf, hmac};

struct LcAead {
    row: &'static Algorithm,
    lc: &'static aead::Algorithm,
}

pub(super) fn aeads() -> Vec<&'static dyn Aead> {
    let table: [(&str, &'static aead::Algorithm); 3] = [
        ("AES-128-GCM", &aead::AES_128_GCM),
        ("AES-256-GCM", &aead::AES_256_GCM),
        ("ChaCha20-Poly1305", &aead::CHACHA20_POLY1305),
    ];
    table
        .into_iter()
        .filter_map(|(name, lc)| Some(Box::leak(Box::new(LcAead { row: find(name)?, lc })) as &dyn Aead))
        .collect()
}

impl Aead for LcAead {
    fn algorithm(&self) -> &'static Algorithm {
        self.row
    }

    fn import_key(&self, key: &[u8]) -> Result<Box<dyn AeadKey>> {
        check_len(&format!("{} key", self.row.name), key, self.row.sizes.key.unwrap_or(0))?;
        let key = aead::UnboundKey::new(self.lc, key).map_err(|_| failed("AEAD key preparation"))?;
        Ok(Box::new(LcAeadKey { row: self.row, key: aead::LessSafeKey::new(key) }))
    }
}

struct LcAeadKey {
    row: &'static Algorithm,
    key: aead::LessSafeKey,
}

impl LcAeadKey {
    fn nonce(&self, nonce: &[u8]) -> Result<aead::Nonce> {
        aead::Nonce::try_assume_unique_for_key(nonce)
            .map_err(|_| Error::usage(format!("{} takes a nonce of 12 bytes, got {}", self.row.name, nonce.len())))
    }
}

impl AeadKey for LcAeadKey {
    fn seal(&self, nonce: &[u8], aad: &[u8], plaintext: &[u8], out: &mut [u8]) -> Result<()> {
        let nonce = self.nonce(nonce)?;
        let sealed = plaintext.len() + self.key.algorithm().tag_len();
        let Some((ciphertext, tag)) = out.get_mut(..sealed).and_then(|room| room.split_at_mut_checked(plaintext.len()))
        else {
            return Err(Error::usage("AEAD output buffer is too short"));
        };
        self.key
            .seal_out_of_place_scatter(nonce, aead::Aad::from(aad), plaintext, ciphertext, &[], tag)
            .map_err(|_| failed("AEAD sealing"))
    }

    fn open(&self, nonce: &[u8], aad: &[u8], sealed: &[u8], out: &mut [u8]) -> Result<bool> {
        let nonce = self.nonce(nonce)?;
        let Some(len) = sealed.len().checked_sub(self.key.algorithm().tag_len()) else {
            return Ok(false);
        };
        let (ciphertext, tag) = sealed.split_at(len);
        let Some(plaintext) = out.get_mut(..len) else {
            return Err(Error::usage("AEAD output buffer is too short"));
        };
        let opened = self.key.open_separate_gather(nonce, aead::Aad::from(aad), ciphertext, tag, plaintext).is_ok();
        if !opened {
            plaintext.fill(0);
        }
        Ok(opened)
    }
}

struct LcHash {
    row: &'static Algorithm,
    lc: &'static digest::Algorithm,
}

pub(super) fn hashes() -> Vec<&'static dyn Hash> {
    let table: [(&str, &'static digest::Algorithm); 8] = [
        ("SHA-224", &digest::SHA224),
        ("SHA-256", &digest::SHA256),
        ("SHA-384", &digest::SHA384),
        ("SHA-512", &digest::SHA512),
        ("SHA-512/256", &digest::SHA512_256),
        ("SHA3-256", &digest::SHA3_256),
        ("SHA3-384", &digest::SHA3_384),
        ("SHA3-512", &digest::SHA3_512),
    ];
    table
        .into_iter()
        .filter_map(|(name, lc)| Some(Box::leak(Box::new(LcHash { row: find(name)?, lc })) as &dyn Hash))
        .collect()
}

impl Hash for LcHash {
    fn algorithm(&self) -> &'static Algorithm {
        self.row
    }

    fn hash(&self, message: &[u8], out: &mut [u8]) -> Result<()> {
        copy_out(self.row.name, digest::digest(self.lc, message).as_ref(), out)?;
        Ok(())
    }
}

struct LcMac {
    row: &'static Algorithm,
    lc: hmac::Algorithm,
}

pub(super) fn macs() -> Vec<&'static dyn Mac> {
    let table =
        [("HMAC-SHA256", hmac::HMAC_SHA256), ("HMAC-SHA384", hmac::HMAC_SHA384), ("HMAC-SHA512", hmac::HMAC_SHA512)];
    table
        .into_iter()
        .filter_map(|(name, lc)| Some(Box::leak(Box::new(LcMac { row: find(name)?, lc })) as &dyn Mac))
        .collect()
}

impl Mac for LcMac {
    fn algorithm(&self) -> &'static Algorithm {
        self.row
    }

    fn import_key(&self, key: &[u8]) -> Result<Box<dyn MacKey>> {
        Ok(Box::new(LcMacKey(hmac::Key::new(self.lc, key))))
    }
}

struct LcMacKey(hmac::Key);

impl MacKey for LcMacKey {
    fn mac(&self, message: &[u8], out: &mut [u8]) -> Result<()> {
        hmac::sign_to_buffer(&self.0, message, out).map_err(|_| Error::usage("MAC output buffer is too short"))?;
        Ok(())
    }
}

struct LcKdf {
    row: &'static Algorithm,
    lc: hkdf::Algorithm,
}

pub(super) fn kdfs() -> Vec<&'static dyn Kdf> {
    let table =
        [("HKDF-SHA256", hkdf::HKDF_SHA256), ("HKDF-SHA384", hkdf::HKDF_SHA384), ("HKDF-SHA512", hkdf::HKDF_SHA512)];
    table
        .into_iter()
        .filter_map(|(name, lc)| Some(Box::leak(Box::new(LcKdf { row: find(name)?, lc })) as &dyn Kdf))
        .collect()
}

/// Output length, for `aws-lc-rs`.
struct Length(usize);

impl hkdf::KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}

impl Kdf for LcKdf {
    fn algorithm(&self) -> &'static Algorithm {
        self.row
    }

    fn derive(&self, ikm: &[u8], salt: &[u8], info: &[u8], out: &mut [u8]) -> Result<()> {
        let info = [info];
        let too_long = |_| Error::usage("HKDF output is longer than 255 hash lengths");
        let prk = hkdf::Salt::new(self.lc, salt).extract(ikm);
        let okm = prk.expand(&info, Length(out.len())).map_err(too_long)?;
        okm.fill(out).map_err(too_long)
    }
}
