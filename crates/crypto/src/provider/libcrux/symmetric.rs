//! ChaCha20-Poly1305, SHA-2, SHA-3, SHAKE, HMAC and HKDF, crates `libcrux-chacha20poly1305`, `libcrux-sha2`,
//! `libcrux-sha3`, `libcrux-hmac`, `libcrux-hkdf`. Their lengths are 32-bit numbers.
//!
//! Neither the AEAD nor the HMAC interface has prepared keys: each operation starts from the key bytes.

use crate::Secret;
use crate::catalogue::Algorithm;
use crate::error::{Error, Result, check_len};
use crate::provider::pure::{check_buffer, front, row, size};
use crate::symmetric::{Aead, AeadKey, Hash, Kdf, Mac, MacKey};
use libcrux_chacha20poly1305::{KEY_LEN, NONCE_LEN, TAG_LEN, decrypt, encrypt};
use libcrux_sha2::Algorithm as Sha2;
use zeroize::Zeroizing;

/// The crates panic or fail beyond.
fn check_length(row: &Algorithm, bytes: &[u8]) -> Result<()> {
    if u32::try_from(bytes.len()).is_ok() {
        Ok(())
    } else {
        Err(Error::usage(format!("{} input is over 4 GiB, which libcrux cannot take", row.name)))
    }
}

pub(super) fn aeads() -> Vec<&'static dyn Aead> {
    vec![&ChaCha20Poly1305]
}

const CHACHA: &Algorithm = row("ChaCha20-Poly1305");

struct ChaCha20Poly1305;

impl Aead for ChaCha20Poly1305 {
    fn algorithm(&self) -> &'static Algorithm {
        CHACHA
    }

    fn import_key(&self, key: &[u8]) -> Result<Box<dyn AeadKey>> {
        check_len("ChaCha20-Poly1305 key", key, KEY_LEN)?;
        let mut bytes = Zeroizing::new([0; KEY_LEN]);
        bytes.copy_from_slice(key);
        Ok(Box::new(ChaChaKey(bytes)))
    }
}

struct ChaChaKey(Zeroizing<[u8; KEY_LEN]>);

fn nonce(bytes: &[u8]) -> Result<&[u8; NONCE_LEN]> {
    bytes
        .try_into()
        .map_err(|_| Error::usage(format!("ChaCha20-Poly1305 nonce has {} bytes, expected {NONCE_LEN}", bytes.len())))
}

impl AeadKey for ChaChaKey {
    fn seal(&self, nonce_bytes: &[u8], aad: &[u8], plaintext: &[u8], out: &mut [u8]) -> Result<()> {
        let nonce = nonce(nonce_bytes)?;
        let out = front(CHACHA, "sealed message", out, plaintext.len().saturating_add(TAG_LEN))?;
        encrypt(&self.0, plaintext, out, aad, nonce)
            .map_err(|e| Error::usage(format!("libcrux refused to seal with ChaCha20-Poly1305: {e}")))?;
        Ok(())
    }

    fn open(&self, nonce_bytes: &[u8], aad: &[u8], sealed: &[u8], out: &mut [u8]) -> Result<bool> {
        let nonce = nonce(nonce_bytes)?;
        let Some(len) = sealed.len().checked_sub(TAG_LEN) else { return Ok(false) };
        let plaintext = front(CHACHA, "plaintext", out, len)?;
        let opened = decrypt(&self.0, plaintext, sealed, aad, nonce).is_ok();
        if !opened {
            plaintext.fill(0);
        }
        Ok(opened)
    }
}

struct HashScheme {
    row: &'static Algorithm,
    /// The output buffer has the catalogue's size, except for SHAKE.
    hash: fn(&mut [u8], &[u8]),
    extendable: bool,
}

pub(super) fn hashes() -> Vec<&'static dyn Hash> {
    const fn fixed(name: &str, hash: fn(&mut [u8], &[u8])) -> HashScheme {
        HashScheme { row: row(name), hash, extendable: false }
    }
    const fn extendable(name: &str, hash: fn(&mut [u8], &[u8])) -> HashScheme {
        HashScheme { row: row(name), hash, extendable: true }
    }
    static HASHES: [HashScheme; 10] = [
        fixed("SHA-224", |out, message| Sha2::Sha224.hash(message, out)),
        fixed("SHA-256", |out, message| Sha2::Sha256.hash(message, out)),
        fixed("SHA-384", |out, message| Sha2::Sha384.hash(message, out)),
        fixed("SHA-512", |out, message| Sha2::Sha512.hash(message, out)),
        fixed("SHA3-224", libcrux_sha3::sha224_ema),
        fixed("SHA3-256", libcrux_sha3::sha256_ema),
        fixed("SHA3-384", libcrux_sha3::sha384_ema),
        fixed("SHA3-512", libcrux_sha3::sha512_ema),
        extendable("SHAKE128", libcrux_sha3::shake128_ema),
        extendable("SHAKE256", libcrux_sha3::shake256_ema),
    ];
    HASHES.iter().map(|hash| hash as &dyn Hash).collect()
}

impl Hash for HashScheme {
    fn algorithm(&self) -> &'static Algorithm {
        self.row
    }

    fn hash(&self, message: &[u8], out: &mut [u8]) -> Result<()> {
        check_length(self.row, message)?;
        if self.extendable {
            check_length(self.row, out)?;
        } else {
            check_buffer(self.row, "output buffer", out.len(), size(self.row.sizes.output))?;
        }
        (self.hash)(out, message);
        Ok(())
    }
}

struct MacScheme {
    row: &'static Algorithm,
    hash: libcrux_hmac::Algorithm,
}

pub(super) fn macs() -> Vec<&'static dyn Mac> {
    use libcrux_hmac::Algorithm as Hmac;
    static MACS: [MacScheme; 5] = [
        MacScheme { row: row("HMAC-SHA256"), hash: Hmac::Sha256 },
        MacScheme { row: row("HMAC-SHA384"), hash: Hmac::Sha384 },
        MacScheme { row: row("HMAC-SHA512"), hash: Hmac::Sha512 },
        MacScheme { row: row("HMAC-SHA3-256"), hash: Hmac::Sha3_256 },
        MacScheme { row: row("HMAC-SHA3-512"), hash: Hmac::Sha3_512 },
    ];
    MACS.iter().map(|mac| mac as &dyn Mac).collect()
}

impl Mac for MacScheme {
    fn algorithm(&self) -> &'static Algorithm {
        self.row
    }

    fn import_key(&self, key: &[u8]) -> Result<Box<dyn MacKey>> {
        check_length(self.row, key)?;
        Ok(Box::new(HmacKey { row: self.row, hash: self.hash, key: Secret::from(key) }))
    }
}

struct HmacKey {
    row: &'static Algorithm,
    hash: libcrux_hmac::Algorithm,
    key: Secret,
}

impl MacKey for HmacKey {
    fn mac(&self, message: &[u8], out: &mut [u8]) -> Result<()> {
        check_length(self.row, message)?;
        check_buffer(self.row, "output buffer", out.len(), size(self.row.sizes.output))?;
        libcrux_hmac::hmac(self.hash, &self.key, message, out);
        Ok(())
    }
}

struct KdfScheme {
    row: &'static Algorithm,
    hash: libcrux_hkdf::Algorithm,
}

pub(super) fn kdfs() -> Vec<&'static dyn Kdf> {
    use libcrux_hkdf::Algorithm as Hkdf;
    static KDFS: [KdfScheme; 4] = [
        KdfScheme { row: row("HKDF-SHA256"), hash: Hkdf::Sha256 },
        KdfScheme { row: row("HKDF-SHA384"), hash: Hkdf::Sha384 },
        KdfScheme { row: row("HKDF-SHA512"), hash: Hkdf::Sha512 },
        KdfScheme { row: row("HKDF-SHA3-256"), hash: Hkdf::Sha3_256 },
    ];
    KDFS.iter().map(|kdf| kdf as &dyn Kdf).collect()
}

impl Kdf for KdfScheme {
    fn algorithm(&self) -> &'static Algorithm {
        self.row
    }

    fn derive(&self, ikm: &[u8], salt: &[u8], info: &[u8], out: &mut [u8]) -> Result<()> {
        for input in [ikm, salt, info] {
            check_length(self.row, input)?;
        }
        let requested = out.len();
        libcrux_hkdf::hkdf(self.hash, out, salt, ikm, info).map_err(|_| {
            Error::usage(format!("{} cannot give {requested} bytes, only 255 times the hash length", self.row.name))
        })
    }
}
