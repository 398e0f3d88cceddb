//! The common inputs of a group: keys, messages, ciphertexts that every provider is timed on (`docs/POOL.md`,
//! `docs/WORKER.md`). From one seed, so that a run can be repeated; written once, read by all.

use super::timed::section_of;
use crypto::{Aead, Agreement, Error, Family, Hash, Kdf, Kem, Mac, Provider, Randomness, Result, SecretForm};
use crypto::{Algorithm, SignatureScheme};
use protocol::encoding::Pool;
use sha2::{Digest, Sha256};

/// How many of what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Amount {
    /// Keys.
    pub keys: usize,
    /// Messages, ciphertexts, signatures.
    pub items: usize,
    /// Message size in bytes (for key derivation: of the input keying material).
    pub size: usize,
}

/// Most bytes of messages in a pool of a sized operation: it shall fit in a second-level cache, so that what is compared
/// is the cipher and not the memory.
const MESSAGE_BYTES: usize = 256 * 1024;

/// Most keys or items of a pool (`docs/POOL.md`).
const MOST_ITEMS: usize = 65_536;

/// Most bytes of a pool (`docs/POOL.md`).
const MOST_BYTES: usize = 1 << 30;

impl Amount {
    /// The default of an algorithm: 256 keys and 4096 items, fewer where making them would take minutes.
    #[must_use]
    pub fn of(algorithm: &str, family: Family, size: usize) -> Self {
        let (keys, items) = match family {
            Family::Signature if algorithm.starts_with("SLH-DSA") || algorithm.starts_with("SPHINCS") => {
                if algorithm.ends_with('f') || algorithm.contains("f-simple") { (16, 16) } else { (2, 2) }
            }
            Family::Signature if algorithm.starts_with("RSA") => (4, 256),
            Family::Aead | Family::Hash | Family::Mac | Family::Kdf => {
                (256, (MESSAGE_BYTES / size.max(1)).clamp(4, 4096))
            }
            _ if crypto::find(algorithm).is_none() => (8, 32),
            _ => (256, 4096),
        };
        Self { keys, items, size }.paired()
    }

    /// Not more keys than items, and items a multiple of keys: item `i` belongs to key `i` mod keys, round after round.
    #[must_use]
    pub fn paired(self) -> Self {
        let keys = self.keys.min(self.items).max(1);
        Self { keys, items: self.items - self.items % keys, size: self.size }
    }

    /// Whether a pool can hold it (`docs/POOL.md`).
    fn check(self) -> Result<()> {
        let Self { keys, items, size } = self;
        if keys == 0 || items == 0 {
            return Err(Error::usage("a pool needs at least one key and one item"));
        }
        if !items.is_multiple_of(keys) {
            return Err(Error::usage(format!("{items} items do not go round with {keys} keys: take a multiple")));
        }
        if keys > MOST_ITEMS || items > MOST_ITEMS {
            return Err(Error::usage(format!(
                "{keys} keys and {items} items: a pool holds at most {MOST_ITEMS} of each"
            )));
        }
        // Twice: most families keep what goes in and what comes out.
        match items.checked_mul(size).and_then(|bytes| bytes.checked_mul(2)) {
            Some(bytes) if bytes <= MOST_BYTES => Ok(()),
            _ => Err(Error::usage(format!(
                "{items} messages of {size} bytes are more than a pool of {MOST_BYTES} bytes holds"
            ))
            .with_hint("give fewer --inputs")),
        }
    }
}

/// Makes the pool of `algorithm` with this provider; tells whether everything followed from the seed.
///
/// # Errors
/// [`crypto::Fault::Unsupported`] when this provider lacks the algorithm; what the library reports.
pub fn make(provider: &Provider, algorithm: &str, seed: &[u8; 32], amount: Amount) -> Result<(Pool, bool)> {
    let row = provider
        .algorithm(algorithm)
        .ok_or_else(|| Error::unsupported(format!("{} has no {algorithm}", provider.identity.id())))?;
    amount.check()?;
    let maker = Maker { row, seed, amount, pool: Pool::default(), seeded: true };
    match row.family {
        Family::Kem => maker.kem(provider.kem(algorithm)),
        Family::Signature => maker.signature(provider.signature(algorithm)),
        Family::Agreement => maker.agreement(provider.agreement(algorithm)),
        Family::Aead => maker.aead(provider.aead(algorithm)),
        Family::Hash => maker.hash(provider.hash(algorithm)),
        Family::Mac => maker.mac(provider.mac(algorithm)),
        Family::Kdf => maker.kdf(provider.kdf(algorithm)),
    }
}

struct Maker<'a> {
    row: &'static Algorithm,
    seed: &'a [u8; 32],
    amount: Amount,
    pool: Pool,
    seeded: bool,
}

impl Maker<'_> {
    /// `len` bytes for purpose `label` and index `i`: SHA-256 in counter mode over seed, name, label, index.
    fn bytes(&self, label: &str, i: usize, len: usize) -> Vec<u8> {
        let mut out = Vec::with_capacity(len + 32);
        let mut block = 0_u64;
        while out.len() < len {
            let mut hash = Sha256::new();
            for part in [b"pqlab.inputs/1".as_slice(), self.seed, self.row.name.as_bytes(), label.as_bytes()] {
                hash.update((part.len() as u64).to_le_bytes());
                hash.update(part);
            }
            hash.update((i as u64).to_le_bytes());
            hash.update(block.to_le_bytes());
            out.extend_from_slice(&hash.finalize());
            block += 1;
        }
        out.truncate(len);
        out
    }

    fn add(&mut self, section: &str, bytes: Vec<u8>) {
        self.pool.sections.entry(section.to_owned()).or_default().push(bytes);
    }

    fn missing(&self) -> Error {
        Error::unsupported(format!("no {} in the provider's table", self.row.name))
    }

    fn done(self) -> Result<(Pool, bool)> {
        Ok((self.pool, self.seeded))
    }

    fn kem(mut self, kem: Option<&'static dyn Kem>) -> Result<(Pool, bool)> {
        let kem = kem.ok_or_else(|| self.missing())?;
        let sizes = self.row.sizes;
        let from_seed = kem.secret_forms().contains(&SecretForm::Seed) && sizes.seed.is_some();
        self.seeded = from_seed && kem.derandomised();
        let mut public_keys = Vec::new();
        for i in 0..self.amount.keys {
            let key = if from_seed {
                let seed = self.bytes("key", i, sizes.seed.unwrap_or(0));
                let key = kem.import_secret(SecretForm::Seed, &seed)?;
                self.add("seed", seed);
                key
            } else {
                kem.generate()?
            };
            let public = exported(sizes.public, |out| key.export_public(out))?;
            public_keys.push(kem.import_public(&public)?);
            self.add("public", public);
            if let Ok(secret) = exported(sizes.secret, |out| key.export_secret(SecretForm::Expanded, out)) {
                self.add("secret", secret);
            }
        }
        for i in 0..self.amount.items {
            let key = &public_keys[i % public_keys.len()];
            let coins = self.bytes("coins", i, 32);
            let mut ciphertext = vec![0; sizes.ciphertext.unwrap_or(0)];
            let mut shared = vec![0; sizes.shared.unwrap_or(0)];
            if kem.derandomised() {
                key.encapsulate_derandomised(&coins, &mut ciphertext, &mut shared)?;
                self.add("coins", coins);
            } else {
                key.encapsulate(&mut ciphertext, &mut shared)?;
            }
            self.add("ciphertext", ciphertext);
            self.add("shared", shared);
        }
        self.done()
    }

    fn signature(mut self, scheme: Option<&'static dyn SignatureScheme>) -> Result<(Pool, bool)> {
        let scheme = scheme.ok_or_else(|| self.missing())?;
        let sizes = self.row.sizes;
        let forms = scheme.secret_forms();
        let mut keys = Vec::new();
        for i in 0..self.amount.keys {
            let (key, seeded) = self.signing_key(scheme, i)?;
            self.seeded &= seeded;
            self.add("public", exported(sizes.public, |out| key.export_public(out))?);
            for form in [SecretForm::Seed, SecretForm::Expanded, SecretForm::Pkcs8] {
                if let (true, Ok(bytes)) =
                    (forms.contains(&form), exported(Some(8192), |out| key.export_secret(form, out)))
                {
                    self.add(section_of(form), bytes);
                }
            }
            keys.push(key);
        }
        let randomness = if scheme.deterministic() { Randomness::Deterministic } else { Randomness::Library };
        self.seeded &= scheme.deterministic();
        for i in 0..self.amount.items {
            let message = self.bytes("message", i, self.amount.size);
            let signature = exported(sizes.signature, |out| keys[i % keys.len()].sign(&message, &[], randomness, out))?;
            self.add("message", message);
            self.add("signature", signature);
        }
        if scheme.deterministic() {
            self.add("deterministic", vec![1]);
        }
        self.done()
    }

    /// A key from the seed where the interface has one, else from the library's randomness.
    fn signing_key(&self, scheme: &'static dyn SignatureScheme, i: usize) -> Result<(Box<dyn crypto::Signer>, bool)> {
        let forms = scheme.secret_forms();
        if let (true, Some(len)) = (forms.contains(&SecretForm::Seed), self.row.sizes.seed) {
            return Ok((scheme.import_secret(SecretForm::Seed, &self.bytes("key", i, len))?, true));
        }
        if let (true, Some(len)) = (forms.contains(&SecretForm::Expanded) && scalar(self.row), self.row.sizes.secret) {
            return Ok((scheme.import_secret(SecretForm::Expanded, &self.scalar_bytes("key", i, len))?, true));
        }
        Ok((scheme.generate()?, false))
    }

    /// A scalar below every group order of the catalogue's curves: the top bit is cleared. (Uniformity does not matter
    /// to time; the value zero does not occur.)
    fn scalar_bytes(&self, label: &str, i: usize, len: usize) -> Vec<u8> {
        let mut bytes = self.bytes(label, i, len);
        if let Some(top) = bytes.first_mut() {
            *top &= 0x7F;
        }
        bytes
    }

    fn agreement(mut self, scheme: Option<&'static dyn Agreement>) -> Result<(Pool, bool)> {
        let scheme = scheme.ok_or_else(|| self.missing())?;
        let sizes = self.row.sizes;
        let secret_len = sizes.secret.unwrap_or(0);
        let mut keys = Vec::new();
        for i in 0..self.amount.keys {
            let secret = self.scalar_bytes("key", i, secret_len);
            let key = scheme.import_secret(&secret)?;
            self.add("public", exported(sizes.public, |out| key.export_public(out))?);
            self.add("secret", secret);
            keys.push(key);
        }
        for i in 0..self.amount.items {
            let other = scheme.import_secret(&self.scalar_bytes("peer", i, secret_len))?;
            let peer = exported(sizes.public, |out| other.export_public(out))?;
            let mut shared = vec![0; sizes.shared.unwrap_or(0)];
            keys[i % keys.len()].derive(scheme.import_public(&peer)?.as_ref(), &mut shared)?;
            self.add("peer", peer);
            self.add("shared", shared);
        }
        self.done()
    }

    fn aead(mut self, aead: Option<&'static dyn Aead>) -> Result<(Pool, bool)> {
        let aead = aead.ok_or_else(|| self.missing())?;
        let sizes = self.row.sizes;
        let mut keys = Vec::new();
        for i in 0..self.amount.keys {
            let key = self.bytes("key", i, sizes.key.unwrap_or(0));
            keys.push(aead.import_key(&key)?);
            self.add("key", key);
        }
        for i in 0..self.amount.items {
            let nonce = self.bytes("nonce", i, sizes.nonce.unwrap_or(0));
            // 13 bytes: the additional data of a TLS 1.2 record, and what `openssl speed` uses.
            let aad = self.bytes("aad", i, 13);
            let plaintext = self.bytes("plaintext", i, self.amount.size);
            let mut sealed = vec![0; plaintext.len() + sizes.tag.unwrap_or(0)];
            keys[i % keys.len()].seal(&nonce, &aad, &plaintext, &mut sealed)?;
            for (section, bytes) in [("nonce", nonce), ("aad", aad), ("plaintext", plaintext), ("sealed", sealed)] {
                self.add(section, bytes);
            }
        }
        self.done()
    }

    fn hash(mut self, hash: Option<&'static dyn Hash>) -> Result<(Pool, bool)> {
        let hash = hash.ok_or_else(|| self.missing())?;
        for i in 0..self.amount.items {
            let message = self.bytes("message", i, self.amount.size);
            let mut digest = vec![0; self.row.sizes.output.unwrap_or(0)];
            hash.hash(&message, &mut digest)?;
            self.add("message", message);
            self.add("digest", digest);
        }
        self.done()
    }

    fn mac(mut self, mac: Option<&'static dyn Mac>) -> Result<(Pool, bool)> {
        let mac = mac.ok_or_else(|| self.missing())?;
        let mut keys = Vec::new();
        for i in 0..self.amount.keys {
            let key = self.bytes("key", i, 32);
            keys.push(mac.import_key(&key)?);
            self.add("key", key);
        }
        for i in 0..self.amount.items {
            let message = self.bytes("message", i, self.amount.size);
            let mut tag = vec![0; self.row.sizes.output.unwrap_or(0)];
            keys[i % keys.len()].mac(&message, &mut tag)?;
            self.add("message", message);
            self.add("tag", tag);
        }
        self.done()
    }

    fn kdf(mut self, kdf: Option<&'static dyn Kdf>) -> Result<(Pool, bool)> {
        let kdf = kdf.ok_or_else(|| self.missing())?;
        for i in 0..self.amount.items {
            let ikm = self.bytes("ikm", i, self.amount.size);
            let salt = self.bytes("salt", i, 32);
            let info = self.bytes("info", i, 32);
            let mut okm = vec![0; self.row.sizes.output.unwrap_or(32)];
            kdf.derive(&ikm, &salt, &info, &mut okm)?;
            for (section, bytes) in [("ikm", ikm), ("salt", salt), ("info", info), ("okm", okm)] {
                self.add(section, bytes);
            }
        }
        self.done()
    }
}

/// ECDSA: the expanded private key is a scalar, so that any bytes below the group order are a key.
fn scalar(row: &Algorithm) -> bool {
    row.name.starts_with("ECDSA-")
}

fn exported(size: Option<usize>, write: impl FnOnce(&mut [u8]) -> Result<usize>) -> Result<Vec<u8>> {
    let mut out = vec![0; size.unwrap_or(0)];
    let len = write(&mut out)?;
    out.truncate(len);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_a_multiple_of_keys() {
        let paired = |keys, items| {
            let Amount { keys, items, size: 32 } = (Amount { keys, items, size: 32 }).paired() else {
                panic!("another size")
            };
            (keys, items)
        };
        assert_eq!(paired(256, 4096), (256, 4096));
        assert_eq!(paired(3, 5), (3, 3));
        assert_eq!(paired(10, 5), (5, 5));
        assert_eq!(paired(256, 300), (256, 256));
        assert_eq!(paired(0, 7), (1, 7));
    }

    #[test]
    fn every_default_is_a_multiple_too() {
        for row in crypto::catalogue() {
            for size in [1, 32, 1000, 65_536] {
                let Amount { keys, items, size: _ } = Amount::of(row.name, row.family, size);
                assert!(keys > 0 && items > 0 && items % keys == 0, "{}: {items} items, {keys} keys", row.name);
            }
        }
    }
}
