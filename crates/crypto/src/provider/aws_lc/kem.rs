//! ML-KEM.

use super::{failed, rejected};
use crate::catalogue::{Algorithm, find};
use crate::error::{Error, Result, check_len, copy_out};
use crate::kem::{Decapsulator, Encapsulator, Kem};
use crate::{Secret, SecretForm};
use aws_lc_rs::kem::{
    Algorithm as LcAlgorithm, Ciphertext, DecapsulationKey, EncapsulationKey, ML_KEM_512, ML_KEM_768, ML_KEM_1024,
};

struct MlKem {
    row: &'static Algorithm,
    lc: &'static LcAlgorithm,
}

pub(super) fn all() -> Vec<&'static dyn Kem> {
    static TABLE: [(&str, &LcAlgorithm); 3] =
        [("ML-KEM-512", &ML_KEM_512), ("ML-KEM-768", &ML_KEM_768), ("ML-KEM-1024", &ML_KEM_1024)];
    TABLE
        .iter()
        .filter_map(|(name, lc)| {
            let row = find(name)?;
            Some(Box::leak(Box::new(MlKem { row, lc })) as &dyn Kem)
        })
        .collect()
}

impl Kem for MlKem {
    fn algorithm(&self) -> &'static Algorithm {
        self.row
    }

    fn secret_forms(&self) -> &'static [SecretForm] {
        &[SecretForm::Expanded]
    }

    fn generate(&self) -> Result<Box<dyn Decapsulator>> {
        let key = DecapsulationKey::generate(self.lc).map_err(|_| failed("ML-KEM key generation"))?;
        Ok(Box::new(Private { row: self.row, key, imported: None }))
    }

    fn import_public(&self, bytes: &[u8]) -> Result<Box<dyn Encapsulator>> {
        check_modulus(self.row, bytes)?;
        let key = EncapsulationKey::new(self.lc, bytes).map_err(|e| rejected("ML-KEM public key", e))?;
        Ok(Box::new(Public { row: self.row, key }))
    }

    fn import_secret(&self, form: SecretForm, bytes: &[u8]) -> Result<Box<dyn Decapsulator>> {
        if form != SecretForm::Expanded {
            return Err(Error::unsupported(format!("aws-lc-rs cannot import an ML-KEM {} key", form.as_str())));
        }
        check_decapsulation_key(self.row, bytes)?;
        let key = DecapsulationKey::new(self.lc, bytes).map_err(|e| rejected("ML-KEM private key", e))?;
        Ok(Box::new(Private { row: self.row, key, imported: Some(Secret::from(bytes)) }))
    }
}

/// FIPS 203 section 7.2, modulus check: every 12-bit coefficient is below q = 3329. AWS-LC makes this check when it
/// encapsulates; here it is made on import, as for every provider.
fn check_modulus(row: &Algorithm, ek: &[u8]) -> Result<()> {
    check_len(&format!("{} public key", row.name), ek, row.sizes.public.unwrap_or(0))?;
    let coefficients = &ek[..ek.len() - 32];
    let reduced = coefficients.chunks_exact(3).all(|c| {
        let (a, b, c) = (u16::from(c[0]), u16::from(c[1]), u16::from(c[2]));
        (a | (b & 0x0F) << 8) < 3329 && (b >> 4 | c << 4) < 3329
    });
    if reduced {
        Ok(())
    } else {
        Err(Error::input(format!(
            "{} public key has a coefficient that is not below q (FIPS 203 section 7.2)",
            row.name
        )))
    }
}

/// FIPS 203 section 7.3, hash check: H(ek) inside dk belongs to the ek inside dk.
fn check_decapsulation_key(row: &Algorithm, dk: &[u8]) -> Result<()> {
    check_len(&format!("{} private key", row.name), dk, row.sizes.secret.unwrap_or(0))?;
    let (ek, rest) = split_key(row, dk);
    let hash = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA3_256, ek);
    if hash.as_ref() == &rest[..32] {
        Ok(())
    } else {
        Err(Error::input(format!("{} private key fails the hash check (FIPS 203 section 7.3)", row.name)))
    }
}

/// dk = dk_PKE ‖ ek ‖ H(ek) ‖ z (FIPS 203 Algorithm 16): the `ek` part, and what follows it.
fn split_key<'a>(row: &Algorithm, dk: &'a [u8]) -> (&'a [u8], &'a [u8]) {
    let public = row.sizes.public.unwrap_or(0);
    let tail = dk.len().saturating_sub(64);
    let (front, rest) = dk.split_at(tail);
    (&front[front.len().saturating_sub(public)..], rest)
}

struct Public {
    row: &'static Algorithm,
    key: EncapsulationKey,
}

impl Encapsulator for Public {
    fn encapsulate(&self, ciphertext: &mut [u8], shared: &mut [u8]) -> Result<()> {
        let (ct, ss) = self.key.encapsulate().map_err(|_| failed("ML-KEM encapsulation"))?;
        copy_out(self.row.name, ct.as_ref(), ciphertext)?;
        copy_out(self.row.name, ss.as_ref(), shared)?;
        Ok(())
    }

    fn export_public(&self, out: &mut [u8]) -> Result<usize> {
        let bytes = self.key.key_bytes().map_err(|_| failed("ML-KEM public key export"))?;
        copy_out(self.row.name, bytes.as_ref(), out)
    }
}

struct Private {
    row: &'static Algorithm,
    key: DecapsulationKey,
    /// AWS-LC does not give back the public half of an imported key; it stands inside the private key.
    imported: Option<Secret>,
}

impl Decapsulator for Private {
    fn decapsulate(&self, ciphertext: &[u8], shared: &mut [u8]) -> Result<()> {
        if Some(ciphertext.len()) != self.row.sizes.ciphertext {
            return check_len(self.row.name, ciphertext, self.row.sizes.ciphertext.unwrap_or(0));
        }
        let ss = self.key.decapsulate(Ciphertext::from(ciphertext)).map_err(|_| failed("ML-KEM decapsulation"))?;
        copy_out(self.row.name, ss.as_ref(), shared)?;
        Ok(())
    }

    fn export_public(&self, out: &mut [u8]) -> Result<usize> {
        if let Some(dk) = &self.imported {
            return copy_out(self.row.name, split_key(self.row, dk).0, out);
        }
        let public = self.key.encapsulation_key().map_err(|_| failed("ML-KEM public key export"))?;
        let bytes = public.key_bytes().map_err(|_| failed("ML-KEM public key export"))?;
        copy_out(self.row.name, bytes.as_ref(), out)
    }

    fn export_secret(&self, form: SecretForm, out: &mut [u8]) -> Result<usize> {
        if form != SecretForm::Expanded {
            return Err(Error::unsupported("aws-lc-rs does not release the ML-KEM seed"));
        }
        let bytes = self.key.key_bytes().map_err(|_| failed("ML-KEM private key export"))?;
        copy_out(self.row.name, bytes.as_ref(), out)
    }
}
