//! AES-GCM, AES-CCM (nonce 12, tag 16 bytes), ChaCha20-Poly1305 and Ascon-AEAD128, from one buffer to another without
//! a copy. A prepared key holds the key schedule and, for GCM, the hash key.

use crate::catalogue::Algorithm;
use crate::error::{Error, Result, check_len};
use crate::provider::pure::{check_buffer, front, row, size};
use crate::symmetric::{Aead, AeadKey};
use ::aes_gcm::aead::consts::{U12, U16};
use ::aes_gcm::aead::inout::InOutBuf;
use ::aes_gcm::aead::{AeadInOut, KeyInit, Nonce, Tag};
use aes::{Aes128, Aes256};
use std::marker::PhantomData;

pub(super) fn all() -> Vec<&'static dyn Aead> {
    vec![
        const { &Scheme::<::aes_gcm::Aes128Gcm>::new("AES-128-GCM") },
        const { &Scheme::<::aes_gcm::Aes256Gcm>::new("AES-256-GCM") },
        const { &Scheme::<ccm::Ccm<Aes128, U16, U12>>::new("AES-128-CCM") },
        const { &Scheme::<ccm::Ccm<Aes256, U16, U12>>::new("AES-256-CCM") },
        const { &Scheme::<chacha20poly1305::ChaCha20Poly1305>::new("ChaCha20-Poly1305") },
        const { &Scheme::<ascon_aead128::AsconAead128>::new("Ascon-AEAD128") },
    ]
}

struct Scheme<A> {
    row: &'static Algorithm,
    cipher: PhantomData<fn() -> A>,
}

impl<A> Scheme<A> {
    const fn new(name: &str) -> Self {
        Self { row: row(name), cipher: PhantomData }
    }
}

impl<A: AeadInOut + KeyInit + Send + Sync + 'static> Aead for Scheme<A> {
    fn algorithm(&self) -> &'static Algorithm {
        self.row
    }

    fn import_key(&self, key: &[u8]) -> Result<Box<dyn AeadKey>> {
        check_len(self.row.name, key, size(self.row.sizes.key))?;
        let cipher = A::new_from_slice(key).map_err(|_| Error::input(format!("{} key is malformed", self.row.name)))?;
        Ok(Box::new(Key { row: self.row, cipher }))
    }
}

struct Key<A> {
    row: &'static Algorithm,
    cipher: A,
}

impl<A: AeadInOut> Key<A> {
    fn nonce<'a>(&self, nonce: &'a [u8]) -> Result<&'a Nonce<A>> {
        check_buffer(self.row, "nonce", nonce.len(), size(self.row.sizes.nonce))?;
        nonce.try_into().map_err(|_| Error::usage(format!("{} nonce is malformed", self.row.name)))
    }
}

impl<A: AeadInOut + Send + Sync> AeadKey for Key<A> {
    fn seal(&self, nonce: &[u8], aad: &[u8], plaintext: &[u8], out: &mut [u8]) -> Result<()> {
        let nonce = self.nonce(nonce)?;
        let out = front(self.row, "sealed message", out, plaintext.len().saturating_add(size(self.row.sizes.tag)))?;
        let (ciphertext, tag_out) = out.split_at_mut(plaintext.len());
        let buffer = InOutBuf::new(plaintext, ciphertext)
            .map_err(|_| Error::usage(format!("{} buffers differ in length", self.row.name)))?;
        let tag = self
            .cipher
            .encrypt_inout_detached(nonce, aad, buffer)
            .map_err(|_| Error::usage(format!("{} message is too long for this nonce", self.row.name)))?;
        tag_out.copy_from_slice(&tag);
        Ok(())
    }

    fn open(&self, nonce: &[u8], aad: &[u8], sealed: &[u8], out: &mut [u8]) -> Result<bool> {
        let nonce = self.nonce(nonce)?;
        let Some(len) = sealed.len().checked_sub(size(self.row.sizes.tag)) else { return Ok(false) };
        let (ciphertext, tag) = sealed.split_at(len);
        let plaintext = front(self.row, "plaintext", out, len)?;
        let Ok(tag) = <&Tag<A>>::try_from(tag) else { return Ok(false) };
        let buffer = InOutBuf::new(ciphertext, &mut *plaintext)
            .map_err(|_| Error::usage(format!("{} buffers differ in length", self.row.name)))?;
        let opened = self.cipher.decrypt_inout_detached(nonce, aad, buffer, tag).is_ok();
        if !opened {
            // CCM and Ascon decrypt before they can check.
            plaintext.fill(0);
        }
        Ok(opened)
    }
}
