//! Authenticated encryption (`EVP_CIPHER`, `EVP_CIPHER_CTX`).

use super::context::Context;
use super::library::Libcrypto;
use super::owner;
use super::params::{Param, Params, fill_octets};
use crate::error::{Error, Fault, Result};
use std::ffi::{CStr, c_int, c_ulong};
use std::ptr;

/// Length of nonces here.
pub const NONCE: usize = 12;
/// Length of tags here.
pub const TAG: usize = 16;

/// `OSSL_CIPHER_PARAM_AEAD_TAG`.
const PARAM_TAG: &CStr = c"tag";
/// `OSSL_CIPHER_PARAM_AEAD_IVLEN`.
const PARAM_NONCE_LEN: &CStr = c"ivlen";

/// `EVP_CIPH_FLAG_AEAD_CIPHER`.
const AEAD_FLAG: c_ulong = 0x0020_0000;

owner! {
    /// A fetched AEAD.
    Cipher, EVP_CIPHER, EVP_CIPHER_free
}

// SAFETY: fetched methods are counted and do not change (openssl-threads(7)).
unsafe impl Sync for Cipher {}

owner! {
    /// A context that holds a key prepared for one direction. (CCM picks its assembly by direction when the key is set.)
    CipherContext, EVP_CIPHER_CTX, EVP_CIPHER_CTX_free
}

/// What a context is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Decryption.
    Open = 0,
    /// Encryption.
    Seal = 1,
}

/// The direction of before, for EVP_CipherInit_ex.
const SAME: c_int = -1;

impl Cipher {
    /// None when the library has no such AEAD with the context's properties.
    pub fn fetch(context: &Context, name: &CStr) -> Option<Self> {
        let lib = context.lib;
        // SAFETY: context and strings live.
        let raw = unsafe { (lib.f.EVP_CIPHER_fetch)(context.raw(), name.as_ptr(), context.query()) };
        context.forgive(!raw.is_null());
        let this = ptr::NonNull::new(raw).map(|raw| Self { lib, raw })?;
        // SAFETY: reads the method.
        let flags = unsafe { (lib.f.EVP_CIPHER_get_flags)(this.raw.as_ptr()) };
        (flags & AEAD_FLAG != 0).then_some(this)
    }

    fn key_len(&self) -> usize {
        // SAFETY: reads the method.
        usize::try_from(unsafe { (self.lib.f.EVP_CIPHER_get_key_length)(self.raw.as_ptr()) }).unwrap_or(0)
    }
}

impl CipherContext {
    /// Computes the key schedule. `counted` is CCM: nonce and tag length must be told first, and the message length
    /// before each message.
    ///
    /// # Errors
    /// [`Fault::Input`] for a wrong key length, [`Fault::Provider`] when the library fails.
    pub fn new(cipher: &Cipher, direction: Direction, key: &[u8], counted: bool) -> Result<Self> {
        if key.len() != cipher.key_len() {
            return Err(Error::input(format!("the key has {} bytes, expected {}", key.len(), cipher.key_len())));
        }
        let lib = cipher.lib;
        // SAFETY: takes nothing.
        let this = Self::own(lib, unsafe { (lib.f.EVP_CIPHER_CTX_new)() }, "EVP_CIPHER_CTX_new")?;
        let failed = || lib.failure(Fault::Provider, "preparing the key");
        // SAFETY: context and method live; no key and nonce yet.
        let code = unsafe {
            (lib.f.EVP_CipherInit_ex)(
                this.raw.as_ptr(),
                cipher.raw.as_ptr(),
                ptr::null_mut(),
                ptr::null(),
                ptr::null(),
                direction as c_int,
            )
        };
        if code != 1 {
            return Err(failed());
        }
        if counted {
            let lengths = Params::new([Param::size(PARAM_NONCE_LEN, &NONCE), Param::octets_to_come(PARAM_TAG, TAG)]);
            // SAFETY: the array is ended and its values live.
            if unsafe { (lib.f.EVP_CIPHER_CTX_set_params)(this.raw.as_ptr(), lengths.as_ptr()) } != 1 {
                return Err(failed());
            }
        }
        // SAFETY: the key has the length that the cipher reads.
        let code = unsafe {
            (lib.f.EVP_CipherInit_ex)(this.raw.as_ptr(), ptr::null(), ptr::null_mut(), key.as_ptr(), ptr::null(), SAME)
        };
        if code == 1 { Ok(this) } else { Err(failed()) }
    }

    /// Encrypts `plaintext` to the front of `out`, then writes the tag behind it.
    ///
    /// # Errors
    /// [`Fault::Usage`] when `out` is too short or a length is over 2³¹, [`Fault::Provider`] when the library fails.
    pub fn seal(
        &mut self,
        counted: bool,
        nonce: &[u8; NONCE],
        aad: &[u8],
        plaintext: &[u8],
        out: &mut [u8],
    ) -> Result<()> {
        let Some((ciphertext, rest)) = out.split_at_mut_checked(plaintext.len()) else {
            return Err(Error::usage(format!("{} bytes do not fit {} bytes", plaintext.len(), out.len())));
        };
        let Some(tag) = rest.first_chunk_mut::<TAG>() else {
            return Err(Error::usage(format!("no room for a tag of {TAG} bytes")));
        };
        let (aad_len, len) = (length(aad)?, length(plaintext)?);
        let Libcrypto { f } = self.lib;
        let ctx = self.raw.as_ptr();
        let mut n: c_int = 0;
        let mut last = [0u8; TAG];
        // SAFETY: the cipher is an AEAD, which writes as many bytes as it reads, and at most one block at the end; nonce
        // and lengths are those of the slices. No input means the message's length, no output means associated data.
        let done = unsafe {
            (f.EVP_CipherInit_ex)(ctx, ptr::null(), ptr::null_mut(), ptr::null(), nonce.as_ptr(), SAME) == 1
                && (!counted || (f.EVP_EncryptUpdate)(ctx, ptr::null_mut(), &mut n, ptr::null(), len) == 1)
                && (aad.is_empty() || (f.EVP_EncryptUpdate)(ctx, ptr::null_mut(), &mut n, aad.as_ptr(), aad_len) == 1)
                && (f.EVP_EncryptUpdate)(ctx, ciphertext.as_mut_ptr(), &mut n, plaintext.as_ptr(), len) == 1
                && n == len
                && (f.EVP_EncryptFinal_ex)(ctx, last.as_mut_ptr(), &mut n) == 1
                && fill_octets(PARAM_TAG, tag, |params| (f.EVP_CIPHER_CTX_get_params)(ctx, params))
        };
        if done { Ok(()) } else { Err(self.lib.failure(Fault::Provider, "encryption")) }
    }

    /// Decrypts to the front of `out`; false, and zeros in `out`, when the tag does not verify.
    ///
    /// # Errors
    /// As [`CipherContext::seal`].
    pub fn open(
        &mut self,
        counted: bool,
        nonce: &[u8; NONCE],
        aad: &[u8],
        ciphertext: &[u8],
        tag: &[u8; TAG],
        out: &mut [u8],
    ) -> Result<bool> {
        let size = out.len();
        let Some(plaintext) = out.get_mut(..ciphertext.len()) else {
            return Err(Error::usage(format!("{} bytes do not fit {size} bytes", ciphertext.len())));
        };
        let (aad_len, len) = (length(aad)?, length(ciphertext)?);
        let Libcrypto { f } = self.lib;
        let ctx = self.raw.as_ptr();
        let expected = Params::new([Param::octets(PARAM_TAG, tag)]);
        let mut n: c_int = 0;
        let mut last = [0u8; TAG];
        // SAFETY: as for seal; the array is ended and its value lives.
        let ready = unsafe {
            (f.EVP_CipherInit_ex)(ctx, ptr::null(), ptr::null_mut(), ptr::null(), nonce.as_ptr(), SAME) == 1
                && (f.EVP_CIPHER_CTX_set_params)(ctx, expected.as_ptr()) == 1
                && (!counted || (f.EVP_DecryptUpdate)(ctx, ptr::null_mut(), &mut n, ptr::null(), len) == 1)
                && (aad.is_empty() || (f.EVP_DecryptUpdate)(ctx, ptr::null_mut(), &mut n, aad.as_ptr(), aad_len) == 1)
        };
        if !ready {
            return Err(self.lib.failure(Fault::Provider, "decryption"));
        }
        // SAFETY: as for seal. CCM verifies in the update, the others at the end.
        let genuine = unsafe {
            (f.EVP_DecryptUpdate)(ctx, plaintext.as_mut_ptr(), &mut n, ciphertext.as_ptr(), len) == 1
                && n == len
                && (f.EVP_DecryptFinal_ex)(ctx, last.as_mut_ptr(), &mut n) == 1
        };
        if !genuine {
            plaintext.fill(0);
            self.lib.discard_reasons();
        }
        Ok(genuine)
    }
}

fn length(bytes: &[u8]) -> Result<c_int> {
    c_int::try_from(bytes.len())
        .map_err(|_| Error::usage(format!("{} bytes are more than one call of OpenSSL takes", bytes.len())))
}
