//! The public point of an elliptic-curve scalar, which EVP_PKEY_fromdata does not compute.
//!
//! libcrypto itself computes it, also for the FIPS variant, whose module has no interface for that; the key that is
//! imported then lies in the module.

use super::context::Context;
use super::functions::Functions;
use crate::error::{Error, Fault, Result};
use std::ffi::c_int;
use std::ptr;

/// `POINT_CONVERSION_UNCOMPRESSED`.
const UNCOMPRESSED: c_int = 4;

/// Writes scalar · G, uncompressed (SEC 1 section 2.3.3), for the curve of OpenSSL's number `nid`.
///
/// # Errors
/// [`Fault::Input`] when the big-endian scalar is not in 1 … order − 1, [`Fault::Unsupported`] when the library has no
/// elliptic curves.
pub fn public_point(context: &Context, nid: c_int, scalar: &[u8], out: &mut [u8]) -> Result<()> {
    let lib = context.lib;
    let Some(f) = Curves::of(&lib.f) else {
        return Err(Error::unsupported("this OpenSSL was built without elliptic curves"));
    };
    let len = c_int::try_from(scalar.len()).map_err(|_| Error::usage("scalar too long"))?;
    // SAFETY: every pointer is checked before use and freed once at the end; freeing null is allowed. BN_bin2bn reads
    // `len` bytes, EC_POINT_point2oct writes at most `out.len()`. The order belongs to the group.
    let (in_range, done) = unsafe {
        let group = (f.group)(context.raw(), context.query(), nid);
        let number = (f.number)(scalar.as_ptr(), len, ptr::null_mut());
        let point = if group.is_null() { ptr::null_mut() } else { (f.point)(group) };
        let ready = !number.is_null() && !point.is_null();
        let in_range = ready && (f.is_zero)(number) == 0 && (f.compare)(number, (f.order)(group)) < 0;
        let done = in_range
            && (f.multiply)(group, point, number, ptr::null(), ptr::null(), ptr::null_mut()) == 1
            && (f.encode)(group, point, UNCOMPRESSED, out.as_mut_ptr(), out.len(), ptr::null_mut()) == out.len();
        (f.free_point)(point);
        (f.free_number)(number);
        (f.free_group)(group);
        (in_range || !ready, done)
    };
    if !in_range {
        return Err(Error::input("the private scalar is not between 1 and the order of the group"));
    }
    if done { Ok(()) } else { Err(lib.failure(Fault::Provider, "computing the public point")) }
}

macro_rules! curves {
    ($($field:ident = $symbol:ident: fn($($arg:ty),*) $(-> $ret:ty)?;)*) => {
        use super::functions::{BIGNUM, BN_CTX, EC_GROUP, EC_POINT, OSSL_LIB_CTX};
        use std::ffi::{c_char, c_uchar};

        /// The symbols that come and go together with elliptic curves.
        struct Curves {
            $($field: unsafe extern "C" fn($($arg),*) $(-> $ret)?,)*
        }

        impl Curves {
            fn of(f: &Functions) -> Option<Self> {
                Some(Self { $($field: f.$symbol?,)* })
            }
        }
    };
}

curves! {
    group = EC_GROUP_new_by_curve_name_ex: fn(*mut OSSL_LIB_CTX, *const c_char, c_int) -> *mut EC_GROUP;
    free_group = EC_GROUP_free: fn(*mut EC_GROUP);
    order = EC_GROUP_get0_order: fn(*const EC_GROUP) -> *const BIGNUM;
    point = EC_POINT_new: fn(*const EC_GROUP) -> *mut EC_POINT;
    free_point = EC_POINT_free: fn(*mut EC_POINT);
    multiply = EC_POINT_mul: fn(*const EC_GROUP, *mut EC_POINT, *const BIGNUM, *const EC_POINT, *const BIGNUM, *mut BN_CTX) -> c_int;
    encode = EC_POINT_point2oct: fn(*const EC_GROUP, *const EC_POINT, c_int, *mut c_uchar, usize, *mut BN_CTX) -> usize;
    number = BN_bin2bn: fn(*const c_uchar, c_int, *mut BIGNUM) -> *mut BIGNUM;
    free_number = BN_clear_free: fn(*mut BIGNUM);
    is_zero = BN_is_zero: fn(*const BIGNUM) -> c_int;
    compare = BN_cmp: fn(*const BIGNUM, *const BIGNUM) -> c_int;
}
