//! X25519, X448, P-256, P-384.

use super::{exported, fault, libraries, noise, resized};
use crypto::{Agreement, Fault};

fn each(test: &str, check: impl Fn(&'static dyn Agreement)) {
    for provider in libraries(test) {
        assert!(!provider.agreements.is_empty());
        provider.agreements.iter().for_each(|agreement| check(*agreement));
    }
}

#[test]
fn both_sides_agree_also_after_a_change_of_peer() {
    each("agreement round trip", |agreement| {
        let sizes = agreement.algorithm().sizes;
        let keys: Vec<_> = (0..3).map(|_| agreement.generate().unwrap()).collect();
        let publics: Vec<_> = keys.iter().map(|key| exported(|out| key.export_public(out))).collect();
        let peers: Vec<_> = publics.iter().map(|bytes| agreement.import_public(bytes).unwrap()).collect();
        let derive = |key: usize, peer: usize| {
            let mut shared = vec![0; sizes.shared.unwrap()];
            keys[key].derive(&*peers[peer], &mut shared).unwrap();
            shared
        };
        assert_eq!(publics[0].len(), sizes.public.unwrap());
        assert_eq!(derive(0, 1), derive(1, 0));
        assert_eq!(derive(0, 2), derive(2, 0));
        assert_eq!(derive(0, 1), derive(1, 0));
        assert_ne!(derive(0, 1), derive(0, 2));

        let secret = exported(|out| keys[0].export_secret(out));
        assert_eq!(secret.len(), sizes.secret.unwrap());
        let again = agreement.import_secret(&secret).unwrap();
        assert_eq!(exported(|out| again.export_public(out)), publics[0]);
        assert_eq!(exported(|out| again.export_secret(out)), secret);
        let mut shared = vec![0; sizes.shared.unwrap()];
        again.derive(&*peers[1], &mut shared).unwrap();
        assert_eq!(shared, derive(1, 0));
    });
}

#[test]
fn wrong_lengths_other_kinds_and_short_buffers_are_refused() {
    each("agreement refusals", |agreement| {
        let sizes = agreement.algorithm().sizes;
        let key = agreement.generate().unwrap();
        let public = exported(|out| key.export_public(out));
        for bytes in resized(&public) {
            assert_eq!(fault(agreement.import_public(&bytes)), Fault::Input);
        }
        for bytes in resized(&exported(|out| key.export_secret(out))) {
            assert_eq!(fault(agreement.import_secret(&bytes)), Fault::Input);
        }
        let peer = agreement.import_public(&public).unwrap();
        assert_eq!(fault(key.derive(&*peer, &mut vec![0; sizes.shared.unwrap() - 1])), Fault::Usage);
        assert_eq!(fault(key.export_public(&mut [0; 3])), Fault::Usage);
        for provider in libraries("agreement refusals") {
            for other in &provider.agreements {
                if !std::ptr::addr_eq(*other, agreement) {
                    let other = other.generate().unwrap();
                    assert_eq!(fault(other.derive(&*peer, &mut [0; 66])), Fault::Usage);
                }
            }
        }
    });
}

#[test]
fn a_low_order_peer_is_refused_and_does_no_lasting_harm() {
    for provider in libraries("low order") {
        for name in ["X25519", "X448"] {
            let Some(agreement) = provider.agreement(name) else { continue };
            let sizes = agreement.algorithm().sizes;
            let (key, other) = (agreement.generate().unwrap(), agreement.generate().unwrap());
            let zero = agreement.import_public(&vec![0; sizes.public.unwrap()]).unwrap();
            let peer = agreement.import_public(&exported(|out| other.export_public(out))).unwrap();
            let mine = agreement.import_public(&exported(|out| key.export_public(out))).unwrap();
            let mut shared = vec![0; sizes.shared.unwrap()];
            assert_eq!(fault(key.derive(&*zero, &mut shared)), Fault::Input);
            key.derive(&*peer, &mut shared).unwrap();
            let mut theirs = vec![0; sizes.shared.unwrap()];
            other.derive(&*mine, &mut theirs).unwrap();
            assert_eq!(shared, theirs);
        }
    }
}

#[test]
fn points_off_the_curve_and_scalars_out_of_range_are_refused() {
    for provider in libraries("invalid points") {
        for name in ["P-256", "P-384"] {
            let agreement = provider.agreement(name).unwrap();
            let sizes = agreement.algorithm().sizes;
            let mut point = noise(sizes.public.unwrap());
            for first in [0, 4, 6] {
                point[0] = first;
                assert_eq!(fault(agreement.import_public(&point)), Fault::Input, "{name} {first}");
            }
            let scalar = |byte| vec![byte; sizes.secret.unwrap()];
            assert_eq!(fault(agreement.import_secret(&scalar(0))), Fault::Input);
            assert_eq!(fault(agreement.import_secret(&scalar(0xff))), Fault::Input);
            agreement.import_secret(&scalar(1)).unwrap();
        }
    }
}

/// RFC 7748 section 6.1 and 6.2; RFC 5903 sections 8.1 and 8.2: private a, public b, shared.
#[test]
fn known_answers() {
    let rows = [
        (
            "X25519",
            "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a",
            "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f",
            "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742",
        ),
        (
            "X448",
            "9a8f4925d1519f5775cf46b04b5800d4ee9ee8bae8bc5565d498c28dd9c9baf574a9419744897391006382a6f127ab1d9ac2d8c0a598726b",
            "3eb7a829b0cd20f5bcfc0b599b6feccf6da4627107bdb0d4f345b43027d8b972fc3e34fb4232a13ca706dcb57aec3dae07bdc1c67bf33609",
            "07fff4181ac6cc95ec1c16a94a0f74d12da232ce40a77552281d282bb60c0b56fd2464c335543936521c24403085d59a449a5037514a879d",
        ),
        (
            "P-256",
            "C88F01F510D9AC3F70A292DAA2316DE544E9AAB8AFE84049C62A9C57862D1433",
            "04 D12DFB5289C8D4F81208B70270398C342296970A0BCCB74C736FC7554494BF63\
             56FBF3CA366CC23E8157854C13C58D6AAC23F046ADA30F8353E74F33039872AB",
            "D6840F6B42F6EDAFD13116E0E12565202FEF8E9ECE7DCE03812464D04B9442DE",
        ),
        (
            "P-384",
            "099F3C7034D4A2C699884D73A375A67F7624EF7C6B3C0F160647B67414DCE655E35B538041E649EE3FAEF896783AB194",
            "04 E558DBEF53EECDE3D3FCCFC1AEA08A89A987475D12FD950D83CFA41732BC509D0D1AC43A0336DEF96FDA41D0774A3571\
             DCFBEC7AACF3196472169E838430367F66EEBE3C6E70C416DD5F0C68759DD1FFF83FA40142209DFF5EAAD96DB9E6386C",
            "11187331C279962D93D604243FD592CB9D0A926F422E47187521287E7156C5C4D603135569B9E9D09CF5D4A270F59746",
        ),
    ];
    let bytes = |text: &str| hex::decode(text.replace(' ', "")).unwrap();
    for provider in libraries("agreement known answers") {
        for (name, private, public, expected) in rows {
            let Some(agreement) = provider.agreement(name) else { continue };
            let key = agreement.import_secret(&bytes(private)).unwrap();
            let peer = agreement.import_public(&bytes(public)).unwrap();
            let mut shared = vec![0; bytes(expected).len()];
            key.derive(&*peer, &mut shared).unwrap();
            assert_eq!(shared, bytes(expected), "{name} of {}", provider.identity.id());
        }
    }
}
