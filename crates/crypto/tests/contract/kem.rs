//! Key encapsulation.

use crate::support::{FORMS, bytes, exported, fault, label, providers, public_of_kem, secret_size};
use crypto::{Fault, SecretForm};

#[test]
fn kem_round_trip_and_implicit_rejection() {
    for provider in providers() {
        for kem in &provider.kems {
            let row = kem.algorithm();
            let at = label(provider, row);
            let key = kem.generate().unwrap();
            let public = public_of_kem(&*key);
            assert_eq!(Some(public.len()), row.sizes.public, "{at}");
            let encapsulator = kem.import_public(&public).unwrap();
            assert_eq!(exported(|out| encapsulator.export_public(out)).unwrap(), public, "{at}");

            let mut ciphertext = vec![0; row.sizes.ciphertext.unwrap()];
            let mut sent = vec![0; row.sizes.shared.unwrap()];
            encapsulator.encapsulate(&mut ciphertext, &mut sent).unwrap();
            let mut received = vec![0; sent.len()];
            key.decapsulate(&ciphertext, &mut received).unwrap();
            assert_eq!(received, sent, "{at}");

            let mut second = vec![0; ciphertext.len()];
            encapsulator.encapsulate(&mut second, &mut received).unwrap();
            assert_ne!(second, ciphertext, "{at}: two encapsulations are equal");

            for position in [0, ciphertext.len() / 2, ciphertext.len() - 1] {
                let mut altered = ciphertext.clone();
                altered[position] ^= 1;
                let (mut first, mut again) = (vec![0; sent.len()], vec![0; sent.len()]);
                key.decapsulate(&altered, &mut first).unwrap();
                key.decapsulate(&altered, &mut again).unwrap();
                assert_ne!(first, sent, "{at}: altered at {position}");
                assert_eq!(first, again, "{at}: implicit rejection is not a function of the ciphertext");
            }
            assert_ne!(public_of_kem(&*kem.generate().unwrap()), public, "{at}: two generated keys are equal");
        }
    }
}

#[test]
fn kem_keys_survive_export_and_import() {
    for provider in providers() {
        for kem in &provider.kems {
            let row = kem.algorithm();
            let at = label(provider, row);
            let key = kem.generate().unwrap();
            let public = public_of_kem(&*key);
            let mut ciphertext = vec![0; row.sizes.ciphertext.unwrap()];
            let (mut sent, mut received) = (vec![0; 32], vec![0; 32]);
            kem.import_public(&public).unwrap().encapsulate(&mut ciphertext, &mut sent).unwrap();
            let mut exports = 0;
            for form in FORMS {
                let Ok(secret) = exported(|out| key.export_secret(form, out)) else {
                    fault(exported(|out| key.export_secret(form, out)), Fault::Unsupported, &at);
                    continue;
                };
                exports += 1;
                assert_eq!(Some(secret.len()), secret_size(row, form), "{at} {form:?}");
                let copy = kem.import_secret(form, &secret).unwrap();
                assert_eq!(public_of_kem(&*copy), public, "{at} {form:?}");
                copy.decapsulate(&ciphertext, &mut received).unwrap();
                assert_eq!(received, sent, "{at} {form:?}");
                assert_eq!(exported(|out| copy.export_secret(form, out)).unwrap(), secret, "{at} {form:?}");
            }
            assert!(exports > 0, "{at} releases its key in no form");
        }
    }
}

#[test]
fn kem_seeds_and_coins_decide_everything() {
    for provider in providers() {
        for kem in &provider.kems {
            let row = kem.algorithm();
            let at = label(provider, row);
            if kem.secret_forms().contains(&SecretForm::Seed) {
                let seed = bytes("seed", 64);
                let [first, again] =
                    [(), ()].map(|()| public_of_kem(&*kem.import_secret(SecretForm::Seed, &seed).unwrap()));
                let other = public_of_kem(&*kem.import_secret(SecretForm::Seed, &bytes("other", 64)).unwrap());
                assert_eq!(first, again, "{at}");
                assert_ne!(first, other, "{at}");
            }
            let public = public_of_kem(&*kem.generate().unwrap());
            let encapsulator = kem.import_public(&public).unwrap();
            let encapsulate = |coins: &[u8]| {
                let (mut c, mut k) = (vec![0; row.sizes.ciphertext.unwrap()], vec![0; 32]);
                encapsulator.encapsulate_derandomised(coins, &mut c, &mut k).map(|()| (c, k))
            };
            if kem.derandomised() {
                let coins = bytes("coins", 32);
                assert_eq!(encapsulate(&coins).unwrap(), encapsulate(&coins).unwrap(), "{at}");
                let other = encapsulate(&bytes("others", 32)).unwrap();
                assert_ne!(encapsulate(&coins).unwrap().0, other.0, "{at}");
                assert_ne!(encapsulate(&coins).unwrap().1, other.1, "{at}");
                fault(encapsulate(&coins[..31]), Fault::Usage, &at);
            } else {
                fault(encapsulate(&[0; 32]), Fault::Unsupported, &at);
            }
        }
    }
}

#[test]
fn kem_refuses_what_is_malformed() {
    for provider in providers() {
        for kem in &provider.kems {
            let row = kem.algorithm();
            let at = label(provider, row);
            let key = kem.generate().unwrap();
            let public = public_of_kem(&*key);
            for wrong in [&public[..public.len() - 1], &[&public[..], &[0]].concat(), &[]] {
                fault(kem.import_public(wrong), Fault::Input, &format!("{at}: public key of {} bytes", wrong.len()));
            }
            // FIPS 203 section 7.2: 0xFFF is not below q, neither as the first coefficient nor as the last.
            for position in [0, public.len() - 32 - 3] {
                let mut unreduced = public.clone();
                unreduced[position..position + 3].fill(0xFF);
                fault(kem.import_public(&unreduced), Fault::Input, &format!("{at}: coefficient at {position}"));
            }
            // The smallest forbidden value, q = 3329 = 0xD01.
            let mut unreduced = public.clone();
            unreduced[..3].copy_from_slice(&[0x01, 0x0D, 0x00]);
            fault(kem.import_public(&unreduced), Fault::Input, &format!("{at}: coefficient q"));

            let ciphertext = vec![0; row.sizes.ciphertext.unwrap()];
            for wrong in [&ciphertext[1..], &[&ciphertext[..], &[0]].concat(), &[]] {
                fault(key.decapsulate(wrong, &mut [0; 32]), Fault::Input, &format!("{at}: ciphertext"));
            }
            let encapsulator = kem.import_public(&public).unwrap();
            let mut short = vec![0; ciphertext.len() - 1];
            fault(encapsulator.encapsulate(&mut short, &mut [0; 32]), Fault::Usage, &at);
            fault(encapsulator.encapsulate(&mut ciphertext.clone(), &mut [0; 31]), Fault::Usage, &at);
            fault(key.decapsulate(&ciphertext, &mut [0; 31]), Fault::Usage, &at);
            fault(key.export_public(&mut vec![0; public.len() - 1]), Fault::Usage, &at);

            for form in FORMS {
                let size = secret_size(row, form).unwrap_or(100);
                if !kem.secret_forms().contains(&form) {
                    fault(kem.import_secret(form, &vec![0; size]), Fault::Unsupported, &format!("{at} {form:?}"));
                    continue;
                }
                for wrong in [size - 1, size + 1, 0] {
                    fault(kem.import_secret(form, &vec![7; wrong]), Fault::Input, &format!("{at} {form:?} {wrong}"));
                }
            }
            if let Ok(mut secret) = exported(|out| key.export_secret(SecretForm::Expanded, out)) {
                let hash = secret.len() - 64;
                secret[hash] ^= 1;
                let altered = kem.import_secret(SecretForm::Expanded, &secret);
                fault(altered, Fault::Input, &format!("{at}: hash check of FIPS 203 section 7.3"));
            }
        }
    }
}
