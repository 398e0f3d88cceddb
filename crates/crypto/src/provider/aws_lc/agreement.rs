//! X25519, ECDH on P-256 and P-384.

use super::{failed, rejected};
use crate::agreement::{Agreement, AgreementKey, PeerKey};
use crate::catalogue::{Algorithm, find};
use crate::error::{Error, Result, check_len, copy_out};
use aws_lc_rs::agreement::{
    Algorithm as LcAlgorithm, ECDH_P256, ECDH_P384, ParsedPublicKey, PrivateKey, UnparsedPublicKey, X25519, agree,
};
use aws_lc_rs::encoding::{AsBigEndian, Curve25519SeedBin, EcPrivateKeyBin};
use std::any::Any;

struct Ecdh {
    row: &'static Algorithm,
    lc: &'static LcAlgorithm,
}

pub(super) fn all() -> Vec<&'static dyn Agreement> {
    let table: [(&str, &'static LcAlgorithm); 3] = [("X25519", &X25519), ("P-256", &ECDH_P256), ("P-384", &ECDH_P384)];
    table
        .into_iter()
        .filter_map(|(name, lc)| Some(Box::leak(Box::new(Ecdh { row: find(name)?, lc })) as &dyn Agreement))
        .collect()
}

impl Agreement for Ecdh {
    fn algorithm(&self) -> &'static Algorithm {
        self.row
    }

    fn generate(&self) -> Result<Box<dyn AgreementKey>> {
        let key = PrivateKey::generate(self.lc).map_err(|_| failed("key generation for key agreement"))?;
        Ok(Box::new(Private { row: self.row, key }))
    }

    fn import_secret(&self, bytes: &[u8]) -> Result<Box<dyn AgreementKey>> {
        check_len(&format!("{} private key", self.row.name), bytes, self.row.sizes.secret.unwrap_or(0))?;
        let key = PrivateKey::from_private_key(self.lc, bytes)
            .map_err(|e| rejected(&format!("{} private key", self.row.name), e))?;
        Ok(Box::new(Private { row: self.row, key }))
    }

    fn import_public(&self, bytes: &[u8]) -> Result<Box<dyn PeerKey>> {
        check_len(&format!("{} public key", self.row.name), bytes, self.row.sizes.public.unwrap_or(0))?;
        let key = ParsedPublicKey::try_from(&UnparsedPublicKey::new(self.lc, bytes))
            .map_err(|e| rejected(&format!("{} public key", self.row.name), e))?;
        Ok(Box::new(Peer(key)))
    }
}

struct Peer(ParsedPublicKey);

impl PeerKey for Peer {
    fn as_any(&self) -> &dyn Any {
        self
    }
}

struct Private {
    row: &'static Algorithm,
    key: PrivateKey,
}

impl AgreementKey for Private {
    /// `aws-lc-rs` takes the parsed peer key by value: the copy (a reference count and some bytes) is part of the cost.
    fn derive(&self, peer: &dyn PeerKey, shared: &mut [u8]) -> Result<()> {
        let Some(Peer(peer)) = peer.as_any().downcast_ref::<Peer>() else {
            return Err(Error::usage("the peer key was parsed by another provider"));
        };
        if peer.alg() != self.key.algorithm() {
            return Err(Error::usage("the peer key belongs to another curve"));
        }
        agree(&self.key, peer.clone(), (), |secret| copy_out(self.row.name, secret, shared).map(|_| ()).map_err(|_| ()))
            .map_err(|()| Error::input(format!("{}: low-order peer key or wrong buffer", self.row.name)))
    }

    fn export_public(&self, out: &mut [u8]) -> Result<usize> {
        let public = self.key.compute_public_key().map_err(|_| failed("computing a public key"))?;
        copy_out(self.row.name, public.as_ref(), out)
    }

    fn export_secret(&self, out: &mut [u8]) -> Result<usize> {
        let fail = |_| failed("private key export");
        if *self.key.algorithm() == X25519 {
            let bytes: Curve25519SeedBin<'_> = self.key.as_be_bytes().map_err(fail)?;
            copy_out(self.row.name, bytes.as_ref(), out)
        } else {
            let bytes: EcPrivateKeyBin<'_> = self.key.as_be_bytes().map_err(fail)?;
            copy_out(self.row.name, bytes.as_ref(), out)
        }
    }
}
