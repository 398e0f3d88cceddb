//! X25519, crate `x25519-dalek`.

use crate::agreement::{Agreement, AgreementKey, PeerKey};
use crate::catalogue::Algorithm;
use crate::error::{Error, Result, check_len, copy_out};
use crate::provider::pure::{check_buffer, random, row};
use std::any::Any;
use x25519_dalek::{PublicKey, StaticSecret};
use zeroize::Zeroizing;

const ROW: &Algorithm = row("X25519");

pub(super) struct Scheme;

pub(super) static X25519: Scheme = Scheme;

fn array(what: &str, bytes: &[u8]) -> Result<Zeroizing<[u8; 32]>> {
    check_len(what, bytes, 32)?;
    let mut array = Zeroizing::new([0; 32]);
    array.copy_from_slice(bytes);
    Ok(array)
}

impl Private {
    fn boxed(scalar: [u8; 32]) -> Box<dyn AgreementKey> {
        let secret = StaticSecret::from(scalar);
        let public = PublicKey::from(&secret);
        Box::new(Self { secret, public })
    }
}

impl Agreement for Scheme {
    fn algorithm(&self) -> &'static Algorithm {
        ROW
    }

    fn generate(&self) -> Result<Box<dyn AgreementKey>> {
        let mut scalar = Zeroizing::new([0; 32]);
        random(&mut *scalar)?;
        Ok(Private::boxed(*scalar))
    }

    fn import_secret(&self, bytes: &[u8]) -> Result<Box<dyn AgreementKey>> {
        Ok(Private::boxed(*array("X25519 private key", bytes)?))
    }

    /// Every 32 bytes are a u-coordinate (RFC 7748 section 5); points of low order show when a secret is derived.
    fn import_public(&self, bytes: &[u8]) -> Result<Box<dyn PeerKey>> {
        Ok(Box::new(Peer(PublicKey::from(*array("X25519 public key", bytes)?))))
    }
}

struct Private {
    secret: StaticSecret,
    public: PublicKey,
}

impl AgreementKey for Private {
    fn derive(&self, peer: &dyn PeerKey, shared: &mut [u8]) -> Result<()> {
        check_buffer(ROW, "shared-secret buffer", shared.len(), 32)?;
        let Some(Peer(peer)) = peer.as_any().downcast_ref() else {
            return Err(Error::usage("the peer key of X25519 belongs to another provider or algorithm"));
        };
        let secret = self.secret.diffie_hellman(peer);
        if !secret.was_contributory() {
            return Err(Error::input(
                "X25519 peer key has low order, the shared secret is zero (RFC 7748 section 6.1)",
            ));
        }
        shared.copy_from_slice(secret.as_bytes());
        Ok(())
    }

    fn export_public(&self, out: &mut [u8]) -> Result<usize> {
        copy_out("X25519 public key", self.public.as_bytes(), out)
    }

    fn export_secret(&self, out: &mut [u8]) -> Result<usize> {
        copy_out("X25519 private key", self.secret.as_bytes(), out)
    }
}

struct Peer(PublicKey);

impl PeerKey for Peer {
    fn as_any(&self) -> &dyn Any {
        self
    }
}
