//! X25519, X448, ECDH on P-256 and P-384.

use super::ffi::{Context, Key, KeyContext};
use super::kind::{About, Form, Kind, P256, P384, PRIVATE};
use super::pool::Pool;
use crate::agreement::{Agreement, AgreementKey, PeerKey};
use crate::catalogue::{Algorithm, find};
use crate::error::{Error, Result, check_len};
use std::any::Any;
use std::ffi::CStr;
use std::sync::atomic::{AtomicU64, Ordering};

/// Catalogue name, OpenSSL's kind of key, its method, what the key needs.
const ROWS: [(&str, &CStr, &CStr, Form); 4] = [
    ("X25519", c"X25519", c"X25519", Form::Raw),
    ("X448", c"X448", c"X448", Form::Raw),
    ("P-256", c"EC", c"ECDH", Form::Ec(P256)),
    ("P-384", c"EC", c"ECDH", Form::Ec(P384)),
];

/// The key agreements that the context can fetch.
pub fn agreements(context: &'static Context) -> Vec<&'static dyn Agreement> {
    ROWS.into_iter().filter_map(|row| scheme(context, row)).collect()
}

fn scheme(
    context: &'static Context,
    (name, kind, method, form): (&str, &'static CStr, &CStr, Form),
) -> Option<&'static dyn Agreement> {
    let algorithm = find(name)?;
    if !context.has_agreement(method) {
        return None;
    }
    let kind = Kind::new(context, kind, form).ok()?;
    let inner = Inner {
        algorithm,
        kind,
        shared: algorithm.sizes.shared?,
        secret: algorithm.sizes.secret?,
        public: algorithm.sizes.public?,
        // A full validation matters for points of a curve; every string of the right length is an X25519 key.
        validates: matches!(form, Form::Ec(_)),
    };
    Some(Box::leak(Box::new(Scheme(Box::leak(Box::new(inner))))))
}

struct Inner {
    algorithm: &'static Algorithm,
    kind: Kind,
    shared: usize,
    secret: usize,
    public: usize,
    validates: bool,
}

struct Scheme(&'static Inner);

/// A context, and the number of the peer that is set in it.
struct Derivation {
    context: KeyContext,
    peer: Option<u64>,
}

struct PrivateKey {
    scheme: &'static Inner,
    key: Key,
    derivation: Pool<Derivation>,
}

struct PublicKey {
    scheme: &'static Inner,
    key: Key,
    /// Never given twice in a process, other than an address.
    number: u64,
}

static NEXT_PEER: AtomicU64 = AtomicU64::new(0);

impl Scheme {
    fn key(&self, key: Key) -> Box<dyn AgreementKey> {
        Box::new(PrivateKey { scheme: self.0, key, derivation: Pool::new() })
    }
}

impl Agreement for Scheme {
    fn algorithm(&self) -> &'static Algorithm {
        self.0.algorithm
    }

    fn generate(&self) -> Result<Box<dyn AgreementKey>> {
        Ok(self.key(self.0.kind.generate().about(self.0.algorithm)?))
    }

    fn import_secret(&self, bytes: &[u8]) -> Result<Box<dyn AgreementKey>> {
        let Inner { algorithm, kind, secret, .. } = self.0;
        let key = check_len("the private key", bytes, *secret).and_then(|()| kind.import_private(bytes));
        Ok(self.key(key.about(algorithm)?))
    }

    fn import_public(&self, bytes: &[u8]) -> Result<Box<dyn PeerKey>> {
        let key = self.0.import_public(bytes).about(self.0.algorithm)?;
        Ok(Box::new(PublicKey { scheme: self.0, key, number: NEXT_PEER.fetch_add(1, Ordering::Relaxed) }))
    }
}

impl Inner {
    fn import_public(&self, bytes: &[u8]) -> Result<Key> {
        check_len("the public key", bytes, self.public)?;
        let key = self.kind.import_public(bytes)?;
        if self.validates {
            KeyContext::of_key(self.kind.context, &key)?.check_public()?;
        }
        Ok(key)
    }
}

impl PrivateKey {
    fn prepare(&self) -> Result<Derivation> {
        let mut context = KeyContext::of_key(self.scheme.kind.context, &self.key)?;
        context.prepare_agreement()?;
        Ok(Derivation { context, peer: None })
    }
}

impl AgreementKey for PrivateKey {
    fn derive(&self, peer: &dyn PeerKey, shared: &mut [u8]) -> Result<()> {
        let Inner { algorithm, shared: size, .. } = self.scheme;
        let peer = peer.as_any().downcast_ref::<PublicKey>().filter(|peer| std::ptr::eq(peer.scheme, self.scheme));
        let Some(peer) = peer else {
            return Err(Error::usage("the peer key belongs to another provider or algorithm")).about(algorithm);
        };
        if shared.len() != *size {
            let what = format!("the shared secret has {size} bytes, the buffer {}", shared.len());
            return Err(Error::usage(what)).about(algorithm);
        }
        let work = |derivation: &mut Derivation| {
            if derivation.peer != Some(peer.number) {
                derivation.context.set_peer(&peer.key)?;
                derivation.peer = Some(peer.number);
            }
            derivation.context.derive(shared)
        };
        self.derivation.run(|| self.prepare(), work).about(algorithm)
    }

    fn export_public(&self, out: &mut [u8]) -> Result<usize> {
        self.scheme.kind.export_public(&self.key, Some(self.scheme.public), out).about(self.scheme.algorithm)
    }

    fn export_secret(&self, out: &mut [u8]) -> Result<usize> {
        self.scheme.kind.export_part(&self.key, PRIVATE, self.scheme.secret, out).about(self.scheme.algorithm)
    }
}

impl PeerKey for PublicKey {
    fn as_any(&self) -> &dyn Any {
        self
    }
}
