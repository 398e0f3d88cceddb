//! Checks of FIPS 203 section 7 that liboqs leaves to each operation, done once at import.

use crate::error::{Error, Result};
use sha3::{Digest, Sha3_256};

/// q of FIPS 203 section 2.4.
const Q: u16 = 3329;
/// ρ at the end of an encapsulation key.
const RHO: usize = 32;
/// H(ek) ‖ z at the end of a decapsulation key.
const HASH_AND_Z: usize = 64;

/// Encapsulation key check (FIPS 203 section 7.2): every coefficient below q. The length is checked by the caller.
///
/// # Errors
/// [`crate::Fault::Input`].
pub(super) fn check_public(name: &str, public: &[u8]) -> Result<()> {
    let coefficients = public.get(..public.len().saturating_sub(RHO)).unwrap_or_default();
    // ByteEncode12 puts two coefficients of 12 bits into three bytes, low bits first (Algorithm 5).
    let reduced = coefficients.as_chunks::<3>().0.iter().all(|&[a, b, c]| {
        let (a, b, c) = (u16::from(a), u16::from(b), u16::from(c));
        (a | (b & 0x0f) << 8) < Q && (b >> 4 | c << 4) < Q
    });
    if reduced {
        Ok(())
    } else {
        Err(Error::input(format!("{name} public key has a coefficient that is not below q (FIPS 203 section 7.2)")))
    }
}

/// Decapsulation key check (FIPS 203 section 7.3): the hash inside is that of the encapsulation key inside.
/// Returns that encapsulation key, itself checked. The length is checked by the caller.
///
/// # Errors
/// [`crate::Fault::Input`].
pub(super) fn check_secret<'a>(name: &str, secret: &'a [u8], public_len: usize) -> Result<&'a [u8]> {
    let too_short = || Error::input(format!("{name} private key is too short"));
    let (front, hash_and_z) = secret.split_at_checked(secret.len().wrapping_sub(HASH_AND_Z)).ok_or_else(too_short)?;
    let (_, public) = front.split_at_checked(front.len().wrapping_sub(public_len)).ok_or_else(too_short)?;
    if hash_and_z.get(..HASH_AND_Z / 2) != Some(Sha3_256::digest(public).as_slice()) {
        return Err(Error::input(format!(
            "{name} private key holds a hash that is not that of its public key (FIPS 203 section 7.3)"
        )));
    }
    check_public(name, public)?;
    Ok(public)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_coefficient_position_is_checked() {
        // 256·2 coefficients of ML-KEM-512 at q-1 pass, any one at q fails.
        let encode = |odd: u16, even: u16| {
            let [a, b, c] = [even as u8, (even >> 8 | odd << 4) as u8, (odd >> 4) as u8];
            [a, b, c]
        };
        let good: Vec<u8> = encode(Q - 1, Q - 1).repeat(256).into_iter().chain([0xff; RHO]).collect();
        assert_eq!(good.len(), 800);
        check_public("ML-KEM-512", &good).unwrap();
        for position in 0..256 {
            for bad in [encode(Q - 1, Q), encode(Q, Q - 1)] {
                let mut key = good.clone();
                key[3 * position..3 * position + 3].copy_from_slice(&bad);
                assert!(check_public("ML-KEM-512", &key).is_err(), "pair {position}");
            }
        }
    }

    #[test]
    fn short_keys_are_refused_without_panic() {
        for length in [0, 1, 63, 64, 100] {
            assert!(check_secret("ML-KEM-512", &vec![0; length], 800).is_err());
        }
        check_public("ML-KEM-512", &[0; 5]).unwrap();
    }
}
