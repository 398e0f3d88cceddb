//! Types and symbols of libcrypto, as declared in its headers of 3.0 (and 3.4, where said so).

use std::ffi::{c_char, c_int, c_long, c_uchar, c_uint, c_ulong, c_void};
use std::marker::{PhantomData, PhantomPinned};

macro_rules! opaque {
    ($($name:ident)*) => { $(
        #[doc = concat!("`", stringify!($name), "`, only ever seen behind a pointer.")]
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[repr(C)]
        pub struct $name {
            _private: [u8; 0],
            _marker: PhantomData<(*mut u8, PhantomPinned)>,
        }
    )* };
}

opaque! {
    BIGNUM BIO BN_CTX CONF EC_GROUP EC_POINT ENGINE
    EVP_CIPHER EVP_CIPHER_CTX EVP_KDF EVP_KDF_CTX EVP_KEM EVP_KEYEXCH EVP_MAC EVP_MAC_CTX EVP_MD EVP_MD_CTX
    EVP_PKEY EVP_PKEY_CTX EVP_SIGNATURE
    OPENSSL_INIT_SETTINGS OSSL_DECODER_CTX OSSL_ENCODER_CTX OSSL_LIB_CTX OSSL_PROVIDER
}

/// `OSSL_PARAM` of `openssl/core.h`.
#[allow(non_camel_case_types)]
#[derive(Clone, Copy)]
#[repr(C)]
pub struct OSSL_PARAM {
    /// Name; null ends an array.
    pub key: *const c_char,
    /// One of the `OSSL_PARAM_…` types.
    pub data_type: c_uint,
    /// Value, or room for it.
    pub data: *mut c_void,
    /// Size of `data`.
    pub data_size: usize,
    /// Size that a getter wrote or wants.
    pub return_size: usize,
}

macro_rules! symbols {
    (
        required { $($name:ident($($arg:ty),* $(,)?) $(-> $ret:ty)?;)* }
        optional { $($maybe:ident($($maybe_arg:ty),* $(,)?) $(-> $maybe_ret:ty)?;)* }
    ) => {
        /// The symbols of one loaded library.
        #[allow(non_snake_case)]
        pub struct Functions {
            $(pub $name: unsafe extern "C" fn($($arg),*) $(-> $ret)?,)*
            $(pub $maybe: Option<unsafe extern "C" fn($($maybe_arg),*) $(-> $maybe_ret)?>,)*
        }

        impl Functions {
            /// Looks all symbols up; the error is the name of the first required one that is missing.
            ///
            /// # Safety
            /// `library` is a libcrypto with the declarations of OpenSSL 3, and stays loaded as long as the table.
            pub unsafe fn resolve(library: &libloading::Library) -> Result<Self, &'static str> {
                Ok(Self {
                    $($name: {
                        // SAFETY: by the contract of this function the symbol, if there, has this type.
                        *unsafe { library.get::<unsafe extern "C" fn($($arg),*) $(-> $ret)?>(stringify!($name)) }
                            .map_err(|_| stringify!($name))?
                    },)*
                    $($maybe: {
                        // SAFETY: as above.
                        unsafe { library.get::<unsafe extern "C" fn($($maybe_arg),*) $(-> $maybe_ret)?>(stringify!($maybe)) }
                            .ok()
                            .map(|symbol| *symbol)
                    },)*
                })
            }
        }
    };
}

symbols! {
    required {
        // crypto.h, err.h, provider.h, conf.h
        OpenSSL_version(c_int) -> *const c_char;
        OPENSSL_info(c_int) -> *const c_char;
        OPENSSL_init_crypto(u64, *const OPENSSL_INIT_SETTINGS) -> c_int;
        ERR_get_error_all(*mut *const c_char, *mut c_int, *mut *const c_char, *mut *const c_char, *mut c_int) -> c_ulong;
        ERR_reason_error_string(c_ulong) -> *const c_char;
        ERR_error_string_n(c_ulong, *mut c_char, usize);
        ERR_clear_error();
        OSSL_LIB_CTX_new() -> *mut OSSL_LIB_CTX;
        OSSL_LIB_CTX_load_config(*mut OSSL_LIB_CTX, *const c_char) -> c_int;
        OSSL_PROVIDER_set_default_search_path(*mut OSSL_LIB_CTX, *const c_char) -> c_int;
        OSSL_PROVIDER_load(*mut OSSL_LIB_CTX, *const c_char) -> *mut OSSL_PROVIDER;
        OSSL_PROVIDER_get_params(*const OSSL_PROVIDER, *mut OSSL_PARAM) -> c_int;
        EVP_set_default_properties(*mut OSSL_LIB_CTX, *const c_char) -> c_int;
        NCONF_new_ex(*mut OSSL_LIB_CTX, *mut c_void) -> *mut CONF;
        NCONF_load_bio(*mut CONF, *mut BIO, *mut c_long) -> c_int;
        NCONF_free(*mut CONF);
        CONF_modules_load(*const CONF, *const c_char, c_ulong) -> c_int;
        BIO_new_mem_buf(*const c_void, c_int) -> *mut BIO;
        BIO_free(*mut BIO) -> c_int;

        // evp.h: keys
        EVP_PKEY_free(*mut EVP_PKEY);
        EVP_PKEY_get_bits(*const EVP_PKEY) -> c_int;
        EVP_PKEY_is_a(*const EVP_PKEY, *const c_char) -> c_int;
        EVP_PKEY_get_octet_string_param(*const EVP_PKEY, *const c_char, *mut c_uchar, usize, *mut usize) -> c_int;
        EVP_PKEY_get_params(*const EVP_PKEY, *mut OSSL_PARAM) -> c_int;
        EVP_PKEY_CTX_new_from_name(*mut OSSL_LIB_CTX, *const c_char, *const c_char) -> *mut EVP_PKEY_CTX;
        EVP_PKEY_CTX_new_from_pkey(*mut OSSL_LIB_CTX, *mut EVP_PKEY, *const c_char) -> *mut EVP_PKEY_CTX;
        EVP_PKEY_CTX_free(*mut EVP_PKEY_CTX);
        EVP_PKEY_CTX_set_params(*mut EVP_PKEY_CTX, *const OSSL_PARAM) -> c_int;
        EVP_PKEY_CTX_settable_params(*const EVP_PKEY_CTX) -> *const OSSL_PARAM;
        EVP_PKEY_keygen_init(*mut EVP_PKEY_CTX) -> c_int;
        EVP_PKEY_keygen(*mut EVP_PKEY_CTX, *mut *mut EVP_PKEY) -> c_int;
        EVP_PKEY_fromdata_init(*mut EVP_PKEY_CTX) -> c_int;
        EVP_PKEY_fromdata(*mut EVP_PKEY_CTX, *mut *mut EVP_PKEY, c_int, *mut OSSL_PARAM) -> c_int;
        EVP_PKEY_public_check(*mut EVP_PKEY_CTX) -> c_int;
        EVP_PKEY_encapsulate_init(*mut EVP_PKEY_CTX, *const OSSL_PARAM) -> c_int;
        EVP_PKEY_encapsulate(*mut EVP_PKEY_CTX, *mut c_uchar, *mut usize, *mut c_uchar, *mut usize) -> c_int;
        EVP_PKEY_decapsulate_init(*mut EVP_PKEY_CTX, *const OSSL_PARAM) -> c_int;
        EVP_PKEY_decapsulate(*mut EVP_PKEY_CTX, *mut c_uchar, *mut usize, *const c_uchar, usize) -> c_int;
        EVP_PKEY_derive_init(*mut EVP_PKEY_CTX) -> c_int;
        EVP_PKEY_derive_set_peer_ex(*mut EVP_PKEY_CTX, *mut EVP_PKEY, c_int) -> c_int;
        EVP_PKEY_derive(*mut EVP_PKEY_CTX, *mut c_uchar, *mut usize) -> c_int;
        EVP_PKEY_sign_init(*mut EVP_PKEY_CTX) -> c_int;
        EVP_PKEY_sign(*mut EVP_PKEY_CTX, *mut c_uchar, *mut usize, *const c_uchar, usize) -> c_int;
        EVP_PKEY_verify_init(*mut EVP_PKEY_CTX) -> c_int;
        EVP_PKEY_verify(*mut EVP_PKEY_CTX, *const c_uchar, usize, *const c_uchar, usize) -> c_int;
        EVP_KEM_fetch(*mut OSSL_LIB_CTX, *const c_char, *const c_char) -> *mut EVP_KEM;
        EVP_KEM_free(*mut EVP_KEM);
        EVP_KEYEXCH_fetch(*mut OSSL_LIB_CTX, *const c_char, *const c_char) -> *mut EVP_KEYEXCH;
        EVP_KEYEXCH_free(*mut EVP_KEYEXCH);
        EVP_SIGNATURE_fetch(*mut OSSL_LIB_CTX, *const c_char, *const c_char) -> *mut EVP_SIGNATURE;
        EVP_SIGNATURE_free(*mut EVP_SIGNATURE);

        // evp.h: digests and one-shot signatures
        EVP_MD_fetch(*mut OSSL_LIB_CTX, *const c_char, *const c_char) -> *mut EVP_MD;
        EVP_MD_free(*mut EVP_MD);
        EVP_MD_get_size(*const EVP_MD) -> c_int;
        EVP_Digest(*const c_void, usize, *mut c_uchar, *mut c_uint, *const EVP_MD, *mut ENGINE) -> c_int;
        EVP_MD_CTX_new() -> *mut EVP_MD_CTX;
        EVP_MD_CTX_free(*mut EVP_MD_CTX);
        EVP_DigestInit_ex2(*mut EVP_MD_CTX, *const EVP_MD, *const OSSL_PARAM) -> c_int;
        EVP_DigestUpdate(*mut EVP_MD_CTX, *const c_void, usize) -> c_int;
        EVP_DigestFinalXOF(*mut EVP_MD_CTX, *mut c_uchar, usize) -> c_int;
        EVP_DigestSignInit_ex(
            *mut EVP_MD_CTX, *mut *mut EVP_PKEY_CTX, *const c_char, *mut OSSL_LIB_CTX, *const c_char, *mut EVP_PKEY,
            *const OSSL_PARAM,
        ) -> c_int;
        EVP_DigestSignInit(*mut EVP_MD_CTX, *mut *mut EVP_PKEY_CTX, *const EVP_MD, *mut ENGINE, *mut EVP_PKEY) -> c_int;
        EVP_DigestSign(*mut EVP_MD_CTX, *mut c_uchar, *mut usize, *const c_uchar, usize) -> c_int;
        EVP_DigestVerifyInit_ex(
            *mut EVP_MD_CTX, *mut *mut EVP_PKEY_CTX, *const c_char, *mut OSSL_LIB_CTX, *const c_char, *mut EVP_PKEY,
            *const OSSL_PARAM,
        ) -> c_int;
        EVP_DigestVerifyInit(*mut EVP_MD_CTX, *mut *mut EVP_PKEY_CTX, *const EVP_MD, *mut ENGINE, *mut EVP_PKEY) -> c_int;
        EVP_DigestVerify(*mut EVP_MD_CTX, *const c_uchar, usize, *const c_uchar, usize) -> c_int;

        // evp.h: ciphers
        EVP_CIPHER_fetch(*mut OSSL_LIB_CTX, *const c_char, *const c_char) -> *mut EVP_CIPHER;
        EVP_CIPHER_free(*mut EVP_CIPHER);
        EVP_CIPHER_get_flags(*const EVP_CIPHER) -> c_ulong;
        EVP_CIPHER_get_key_length(*const EVP_CIPHER) -> c_int;
        EVP_CIPHER_CTX_new() -> *mut EVP_CIPHER_CTX;
        EVP_CIPHER_CTX_free(*mut EVP_CIPHER_CTX);
        EVP_CIPHER_CTX_set_params(*mut EVP_CIPHER_CTX, *const OSSL_PARAM) -> c_int;
        EVP_CIPHER_CTX_get_params(*mut EVP_CIPHER_CTX, *mut OSSL_PARAM) -> c_int;
        EVP_CipherInit_ex(
            *mut EVP_CIPHER_CTX, *const EVP_CIPHER, *mut ENGINE, *const c_uchar, *const c_uchar, c_int,
        ) -> c_int;
        EVP_EncryptUpdate(*mut EVP_CIPHER_CTX, *mut c_uchar, *mut c_int, *const c_uchar, c_int) -> c_int;
        EVP_EncryptFinal_ex(*mut EVP_CIPHER_CTX, *mut c_uchar, *mut c_int) -> c_int;
        EVP_DecryptUpdate(*mut EVP_CIPHER_CTX, *mut c_uchar, *mut c_int, *const c_uchar, c_int) -> c_int;
        EVP_DecryptFinal_ex(*mut EVP_CIPHER_CTX, *mut c_uchar, *mut c_int) -> c_int;

        // evp.h, kdf.h: MAC and KDF
        EVP_MAC_fetch(*mut OSSL_LIB_CTX, *const c_char, *const c_char) -> *mut EVP_MAC;
        EVP_MAC_free(*mut EVP_MAC);
        EVP_MAC_CTX_new(*mut EVP_MAC) -> *mut EVP_MAC_CTX;
        EVP_MAC_CTX_free(*mut EVP_MAC_CTX);
        EVP_MAC_init(*mut EVP_MAC_CTX, *const c_uchar, usize, *const OSSL_PARAM) -> c_int;
        EVP_MAC_update(*mut EVP_MAC_CTX, *const c_uchar, usize) -> c_int;
        EVP_MAC_final(*mut EVP_MAC_CTX, *mut c_uchar, *mut usize, usize) -> c_int;
        EVP_KDF_fetch(*mut OSSL_LIB_CTX, *const c_char, *const c_char) -> *mut EVP_KDF;
        EVP_KDF_free(*mut EVP_KDF);
        EVP_KDF_CTX_new(*mut EVP_KDF) -> *mut EVP_KDF_CTX;
        EVP_KDF_CTX_free(*mut EVP_KDF_CTX);
        EVP_KDF_CTX_reset(*mut EVP_KDF_CTX);
        EVP_KDF_derive(*mut EVP_KDF_CTX, *mut c_uchar, usize, *const OSSL_PARAM) -> c_int;

        // encoder.h, decoder.h
        OSSL_DECODER_CTX_new_for_pkey(
            *mut *mut EVP_PKEY, *const c_char, *const c_char, *const c_char, c_int, *mut OSSL_LIB_CTX, *const c_char,
        ) -> *mut OSSL_DECODER_CTX;
        OSSL_DECODER_from_data(*mut OSSL_DECODER_CTX, *mut *const c_uchar, *mut usize) -> c_int;
        OSSL_DECODER_CTX_free(*mut OSSL_DECODER_CTX);
        OSSL_ENCODER_CTX_new_for_pkey(
            *const EVP_PKEY, c_int, *const c_char, *const c_char, *const c_char,
        ) -> *mut OSSL_ENCODER_CTX;
        OSSL_ENCODER_to_data(*mut OSSL_ENCODER_CTX, *mut *mut c_uchar, *mut usize) -> c_int;
        OSSL_ENCODER_CTX_free(*mut OSSL_ENCODER_CTX);
    }
    optional {
        // evp.h of 3.4: one-shot signature of messages, as ML-DSA and SLH-DSA have it.
        EVP_PKEY_sign_message_init(*mut EVP_PKEY_CTX, *mut EVP_SIGNATURE, *const OSSL_PARAM) -> c_int;
        EVP_PKEY_verify_message_init(*mut EVP_PKEY_CTX, *mut EVP_SIGNATURE, *const OSSL_PARAM) -> c_int;
        // ec.h, bn.h: absent from builds without elliptic curves.
        EC_GROUP_new_by_curve_name_ex(*mut OSSL_LIB_CTX, *const c_char, c_int) -> *mut EC_GROUP;
        EC_GROUP_free(*mut EC_GROUP);
        EC_GROUP_get0_order(*const EC_GROUP) -> *const BIGNUM;
        EC_POINT_new(*const EC_GROUP) -> *mut EC_POINT;
        EC_POINT_free(*mut EC_POINT);
        EC_POINT_mul(
            *const EC_GROUP, *mut EC_POINT, *const BIGNUM, *const EC_POINT, *const BIGNUM, *mut BN_CTX,
        ) -> c_int;
        EC_POINT_point2oct(
            *const EC_GROUP, *const EC_POINT, c_int, *mut c_uchar, usize, *mut BN_CTX,
        ) -> usize;
        BN_bin2bn(*const c_uchar, c_int, *mut BIGNUM) -> *mut BIGNUM;
        BN_clear_free(*mut BIGNUM);
        BN_is_zero(*const BIGNUM) -> c_int;
        BN_cmp(*const BIGNUM, *const BIGNUM) -> c_int;
    }
}
