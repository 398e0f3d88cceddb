//! `OSSL_PARAM` arrays on the stack.

use super::functions::OSSL_PARAM;
use std::ffi::{CStr, c_int, c_uint, c_void};
use std::marker::PhantomData;
use std::ptr;

const INTEGER: c_uint = 1;
const UNSIGNED_INTEGER: c_uint = 2;
const UTF8_STRING: c_uint = 4;
const OCTET_STRING: c_uint = 5;
const UTF8_POINTER: c_uint = 6;

/// Most parameters any call here passes.
const MOST: usize = 4;

const END: OSSL_PARAM =
    OSSL_PARAM { key: ptr::null(), data_type: 0, data: ptr::null_mut(), data_size: 0, return_size: 0 };

/// One value that a setter of OpenSSL reads.
pub struct Param<'a> {
    raw: OSSL_PARAM,
    borrowed: PhantomData<&'a [u8]>,
}

impl<'a> Param<'a> {
    fn new(key: &'a CStr, data_type: c_uint, data: *const c_void, data_size: usize) -> Self {
        let raw =
            OSSL_PARAM { key: key.as_ptr(), data_type, data: data.cast_mut(), data_size, return_size: usize::MAX };
        Self { raw, borrowed: PhantomData }
    }

    /// Bytes.
    pub fn octets(key: &'a CStr, value: &'a [u8]) -> Self {
        Self::new(key, OCTET_STRING, value.as_ptr().cast(), value.len())
    }

    /// A length of bytes without the bytes, as the tag length of CCM is told.
    pub fn octets_to_come(key: &'a CStr, len: usize) -> Self {
        Self::new(key, OCTET_STRING, ptr::null(), len)
    }

    /// A name.
    pub fn name(key: &'a CStr, value: &'a CStr) -> Self {
        Self::new(key, UTF8_STRING, value.as_ptr().cast(), value.count_bytes())
    }

    /// A signed number.
    pub fn int(key: &'a CStr, value: &'a c_int) -> Self {
        Self::new(key, INTEGER, ptr::from_ref(value).cast(), size_of::<c_int>())
    }

    /// An unsigned number.
    pub fn uint(key: &'a CStr, value: &'a c_uint) -> Self {
        Self::new(key, UNSIGNED_INTEGER, ptr::from_ref(value).cast(), size_of::<c_uint>())
    }

    /// A size.
    pub fn size(key: &'a CStr, value: &'a usize) -> Self {
        Self::new(key, UNSIGNED_INTEGER, ptr::from_ref(value).cast(), size_of::<usize>())
    }

    /// A big number, its bytes in the machine's order ([`native_order`]).
    pub fn big(key: &'a CStr, value: &'a [u8]) -> Self {
        Self::new(key, UNSIGNED_INTEGER, value.as_ptr().cast(), value.len())
    }
}

/// Turns big-endian bytes into the machine's order, or back.
pub(super) fn native_order(bytes: &mut [u8]) {
    if cfg!(target_endian = "little") {
        bytes.reverse();
    }
}

/// An ended array of values for a setter.
pub struct Params<'a> {
    raw: [OSSL_PARAM; MOST + 1],
    borrowed: PhantomData<&'a [u8]>,
}

impl<'a> Params<'a> {
    /// At most four, which the compiler checks.
    pub fn new<const N: usize>(params: [Param<'a>; N]) -> Self {
        const { assert!(N <= MOST) };
        let mut raw = [END; MOST + 1];
        for (slot, param) in raw.iter_mut().zip(&params) {
            *slot = param.raw;
        }
        Self { raw, borrowed: PhantomData }
    }

    /// For setters: they do not write.
    pub(super) fn as_ptr(&self) -> *const OSSL_PARAM {
        self.raw.as_ptr()
    }
}

/// Runs `get` on an array that asks for one value of type `data_type` into `room`; the size written.
fn request(
    key: &CStr,
    data_type: c_uint,
    room: *mut c_void,
    size: usize,
    get: impl FnOnce(*mut OSSL_PARAM) -> c_int,
) -> Option<usize> {
    let mut raw =
        [OSSL_PARAM { key: key.as_ptr(), data_type, data: room, data_size: size, return_size: usize::MAX }, END];
    let done = get(raw.as_mut_ptr()) == 1;
    let [param, _] = raw;
    // A getter leaves `return_size` alone when it does not know the key.
    (done && param.return_size != usize::MAX).then_some(param.return_size)
}

/// Asks for bytes that fill `room`. Some getters of AEAD tags do not say how many they wrote, so only the return value
/// tells.
///
/// # Safety
/// `get` hands the array to a getter of OpenSSL and nothing else.
pub(super) unsafe fn fill_octets(key: &CStr, room: &mut [u8], get: impl FnOnce(*mut OSSL_PARAM) -> c_int) -> bool {
    let mut done = false;
    request(key, OCTET_STRING, room.as_mut_ptr().cast(), room.len(), |params| {
        let code = get(params);
        done = code == 1;
        code
    });
    done
}

/// Asks for an unsigned number, padded to the whole of `room`, in the machine's order.
///
/// # Safety
/// As [`fill_octets`].
pub(super) unsafe fn get_big(key: &CStr, room: &mut [u8], get: impl FnOnce(*mut OSSL_PARAM) -> c_int) -> Option<()> {
    request(key, UNSIGNED_INTEGER, room.as_mut_ptr().cast(), room.len(), get).map(|_| ())
}

/// Asks for a signed number.
///
/// # Safety
/// As [`fill_octets`].
pub(super) unsafe fn get_int(key: &CStr, get: impl FnOnce(*mut OSSL_PARAM) -> c_int) -> Option<c_int> {
    let mut value: c_int = 0;
    request(key, INTEGER, ptr::from_mut(&mut value).cast(), size_of::<c_int>(), get).map(|_| value)
}

/// Asks for a string that the object keeps.
///
/// # Safety
/// As [`fill_octets`], and the object outlives the call.
pub(super) unsafe fn get_text(key: &CStr, get: impl FnOnce(*mut OSSL_PARAM) -> c_int) -> Option<String> {
    let mut value: *const std::ffi::c_char = ptr::null();
    request(key, UTF8_POINTER, ptr::from_mut(&mut value).cast(), size_of::<*const u8>(), get)?;
    // SAFETY: the getter stored a pointer to a string of the object, or left null.
    unsafe { super::library::text(value) }
}
