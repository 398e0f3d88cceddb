//! The fence: every `unsafe` line of this provider lies in this module and below it.
//!
//! [`functions`] is the table of C symbols, resolved once per library. The other files wrap each OpenSSL object in
//! an owner that frees it, takes slices with their lengths, and cannot be used in a way that breaks memory. What they
//! export is safe.
//!
//! Two rules make the wrappers sound:
//! * A loaded library is never unloaded ([`Libcrypto`] is leaked), so function pointers and static strings stay valid.
//! * Objects that OpenSSL does not lock by itself (contexts) are `Send` and not `Sync`, and need `&mut self`. Objects
//!   that it counts and locks by itself (keys, fetched methods, library contexts) are `Send + Sync`
//!   (openssl-threads(7)).

#![allow(unsafe_code)]

mod cipher;
mod context;
mod digest;
mod ec;
mod functions;
mod key;
mod key_context;
mod library;
mod mac;
mod params;
mod slot;

pub use cipher::{Cipher, CipherContext, Direction};
pub use context::{Configuration, Context, FipsModule};
pub use digest::{Digest, MessageContext, XofContext};
pub use ec::public_point;
pub use key::{Key, Selection};
pub use key_context::{KeyContext, SignatureMethod};
pub use library::Libcrypto;
pub use mac::{Kdf, KdfContext, Mac, MacContext};
pub use params::{Param, Params};
pub use slot::Slot;

/// Owner of one OpenSSL object: frees it when dropped.
macro_rules! owner {
    ($(#[$doc:meta])* $name:ident, $raw:ident, $free:ident) => {
        $(#[$doc])*
        pub struct $name {
            pub(super) lib: &'static super::library::Libcrypto,
            pub(super) raw: std::ptr::NonNull<super::functions::$raw>,
        }

        // SAFETY: OpenSSL ties none of these objects to the thread that made it (openssl-threads(7)).
        unsafe impl Send for $name {}

        impl $name {
            /// Takes over a pointer that a constructor of OpenSSL returned; null is a failure with the queue's reason.
            #[allow(dead_code)] // Some owners are only made by fetching, which has no error to tell.
            pub(super) fn own(
                lib: &'static super::library::Libcrypto,
                raw: *mut super::functions::$raw,
                what: &str,
            ) -> crate::error::Result<Self> {
                match std::ptr::NonNull::new(raw) {
                    Some(raw) => Ok(Self { lib, raw }),
                    None => Err(lib.failure(crate::error::Fault::Provider, what)),
                }
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: the pointer came from the constructor that pairs with this function and is freed once, here.
                unsafe { (self.lib.f.$free)(self.raw.as_ptr()) }
            }
        }
    };
}
use owner;
