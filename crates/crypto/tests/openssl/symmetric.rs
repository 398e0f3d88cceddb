//! AEADs, hashes, HMAC, HKDF.

use super::{fault, flipped, libraries, noise};
use crypto::{Aead, Fault};

fn bytes(text: &str) -> Vec<u8> {
    hex::decode(text).unwrap()
}

fn each_aead(test: &str, check: impl Fn(&'static dyn Aead)) {
    for provider in libraries(test) {
        assert!(!provider.aeads.is_empty());
        provider.aeads.iter().for_each(|aead| check(*aead));
    }
}

#[test]
fn sealed_messages_open_and_altered_ones_leave_nothing() {
    each_aead("aead round trip", |aead| {
        let name = aead.algorithm().name;
        let key = aead.import_key(&noise(aead.algorithm().sizes.key.unwrap())).unwrap();
        let nonces = [[1; 12], [2; 12]];
        for len in [0, 1, 15, 16, 17, 1400, 70_000] {
            for aad in [&b""[..], b"header", &noise(300)] {
                let plaintext = noise(len);
                let mut sealed = vec![0; len + 16];
                key.seal(&nonces[0], aad, &plaintext, &mut sealed).unwrap();
                // A call in between must not leak into the next one.
                let mut other = vec![0; len + 16];
                key.seal(&nonces[1], b"", &plaintext, &mut other).unwrap();
                assert_ne!(sealed, other, "{name} {len}");
                let mut opened = vec![0xaa; len];
                for altered in flipped(&sealed) {
                    assert!(!key.open(&nonces[0], aad, &altered, &mut opened).unwrap(), "{name} {len}");
                    assert!(opened.iter().all(|byte| *byte == 0), "{name} {len}: plaintext left");
                    opened.fill(0xaa);
                }
                assert!(!key.open(&nonces[1], aad, &sealed, &mut opened).unwrap());
                assert!(!key.open(&nonces[0], b"Header", &sealed, &mut opened).unwrap());
                assert!(key.open(&nonces[0], aad, &sealed, &mut opened).unwrap(), "{name} {len}");
                assert_eq!(opened, plaintext, "{name} {len}");
                let mut again = vec![0; len + 16];
                key.seal(&nonces[0], aad, &plaintext, &mut again).unwrap();
                assert_eq!(again, sealed, "{name} {len}");
            }
        }
    });
}

#[test]
fn aead_misuse_is_told() {
    each_aead("aead misuse", |aead| {
        let size = aead.algorithm().sizes.key.unwrap();
        for len in [0, size - 1, size + 1] {
            assert_eq!(fault(aead.import_key(&noise(len))), Fault::Input);
        }
        let key = aead.import_key(&noise(size)).unwrap();
        assert_eq!(fault(key.seal(&[0; 11], b"", b"text", &mut [0; 20])), Fault::Usage);
        assert_eq!(fault(key.seal(&[0; 12], b"", b"text", &mut [0; 19])), Fault::Usage);
        assert_eq!(fault(key.seal(&[0; 12], b"", b"text", &mut [0; 3])), Fault::Usage);
        assert_eq!(fault(key.open(&[0; 13], b"", &[0; 20], &mut [0; 4])), Fault::Usage);
        assert_eq!(fault(key.open(&[0; 12], b"", &[0; 20], &mut [0; 3])), Fault::Usage);
        assert!(!key.open(&[0; 12], b"", &[0; 15], &mut []).unwrap());
        // And it still works.
        let mut sealed = [0; 20];
        key.seal(&[0; 12], b"", b"text", &mut sealed).unwrap();
        let mut opened = [0; 4];
        assert!(key.open(&[0; 12], b"", &sealed, &mut opened).unwrap());
        assert_eq!(&opened, b"text");
        if aead.algorithm().name.ends_with("CCM") {
            let long = vec![0; 1 << 24];
            assert_eq!(fault(key.seal(&[0; 12], b"", &long, &mut vec![0; long.len() + 16])), Fault::Usage);
        }
    });
}

/// GCM specification (McGrew and Viega) test cases 4 and 16; RFC 8439 section 2.8.2; RFC 3610 has no 16-byte tag, so CCM
/// is compared with other implementations (module `across`).
#[test]
fn aead_known_answers() {
    let key = "feffe9928665731c6d6a8f9467308308";
    let text = "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72\
                1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39";
    let aad = "feedfacedeadbeeffeedfacedeadbeefabaddad2";
    let rows = [
        (
            "AES-128-GCM",
            key.to_owned(),
            "cafebabefacedbaddecaf888",
            aad,
            text.to_owned(),
            "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e\
             21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091\
             5bc94fbc3221a5db94fae95ae7121a47",
        ),
        (
            "AES-256-GCM",
            key.repeat(2),
            "cafebabefacedbaddecaf888",
            aad,
            text.to_owned(),
            "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa\
             8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662\
             76fc6ece0f4e1768cddf8853bb2d551b",
        ),
        (
            "ChaCha20-Poly1305",
            "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f".to_owned(),
            "070000004041424344454647",
            "50515253c0c1c2c3c4c5c6c7",
            hex::encode(
                "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, \
                 sunscreen would be it.",
            ),
            "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d6\
             3dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b36\
             92ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc\
             3ff4def08e4b7a9de576d26586cec64b6116\
             1ae10b594f09e26a7e902ecbd0600691",
        ),
    ];
    for provider in libraries("aead known answers") {
        for (name, key, nonce, aad, text, expected) in &rows {
            let Some(aead) = provider.aead(name) else { continue };
            let key = aead.import_key(&bytes(key)).unwrap();
            let mut sealed = vec![0; bytes(expected).len()];
            key.seal(&bytes(nonce), &bytes(aad), &bytes(text), &mut sealed).unwrap();
            assert_eq!(hex::encode(sealed), *expected, "{name}");
        }
    }
}

#[test]
fn one_aead_key_serves_several_threads_at_once() {
    each_aead("aead threads", |aead| {
        let key = aead.import_key(&noise(aead.algorithm().sizes.key.unwrap())).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let key = &key;
                scope.spawn(move || {
                    for round in 0..200_u8 {
                        let (nonce, text) = ([thread ^ round; 12], vec![thread; 100 + usize::from(round)]);
                        let mut sealed = vec![0; text.len() + 16];
                        key.seal(&nonce, b"", &text, &mut sealed).unwrap();
                        let mut opened = vec![0; text.len()];
                        assert!(key.open(&nonce, b"", &sealed, &mut opened).unwrap());
                        assert_eq!(opened, text);
                    }
                });
            }
        });
    });
}

/// FIPS 180-4 and FIPS 202 examples of NIST for "abc"; SHAKE: its first bytes.
#[test]
fn hashes_known_answers() {
    let rows = [
        ("SHA-224", "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"),
        ("SHA-256", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        ("SHA-384", "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"),
        (
            "SHA-512",
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a\
             2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
        ),
        ("SHA-512/256", "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
        ("SHA3-224", "e642824c3f8cf24ad09234ee7d3c766fc9a3a5168d0c94ad73b46fdf"),
        ("SHA3-256", "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"),
        (
            "SHA3-384",
            "ec01498288516fc926459f58e2c6ad8df9b473cb0fc08c2596da7cf0e49be4b298d88cea927ac7f539f1edf228376d25",
        ),
        (
            "SHA3-512",
            "b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e\
             10e116e9192af3c91a7ec57647e3934057340b4cf408d5a56592f8274eec53f0",
        ),
        ("SHAKE128", "5881092dd818bf5cf8a3ddb793fbcba74097d5c526a6d35f97b83351940f2cc8"),
        (
            "SHAKE256",
            "483366601360a8771c6863080cc4114d8db44530f8f1e1ee4f94ea37e78b5739\
             d5a15bef186a5386c75744c0527e1faa9f8726e462a12a4feb06bd8801e751e4",
        ),
    ];
    for provider in libraries("hash known answers") {
        assert_eq!(provider.hashes.len(), rows.len());
        for (name, expected) in rows {
            let hash = provider.hash(name).unwrap();
            let mut out = vec![0; expected.len() / 2];
            for _ in 0..2 {
                hash.hash(b"abc", &mut out).unwrap();
                assert_eq!(hex::encode(&out), expected, "{name}");
            }
            hash.hash(b"", &mut out).unwrap();
            assert_ne!(hex::encode(&out), expected, "{name}");
            if name.starts_with("SHAKE") {
                let mut long = vec![0; 1000];
                hash.hash(b"abc", &mut long).unwrap();
                assert!(hex::encode(&long).starts_with(expected), "{name}");
                hash.hash(b"abc", &mut []).unwrap();
            } else {
                assert_eq!(fault(hash.hash(b"abc", &mut long_by_one(&out))), Fault::Usage);
                assert_eq!(fault(hash.hash(b"abc", &mut out[1..])), Fault::Usage);
            }
        }
    }
}

fn long_by_one(out: &[u8]) -> Vec<u8> {
    vec![0; out.len() + 1]
}

/// RFC 4231 test case 2; NIST's SHA-3 HMAC of the same key and message.
#[test]
fn macs_known_answers() {
    let rows = [
        ("HMAC-SHA256", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
        (
            "HMAC-SHA384",
            "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649",
        ),
        (
            "HMAC-SHA512",
            "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554\
             9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737",
        ),
        ("HMAC-SHA3-256", "c7d4072e788877ae3596bbb0da73b887c9171f93095b294ae857fbe2645e1ba5"),
        (
            "HMAC-SHA3-512",
            "5a4bfeab6166427c7a3647b747292b8384537cdb89afb3bf5665e4c5e709350b\
             287baec921fd7ca0ee7a0c31d022a95e1fc92ba9d77df883960275beb4e62024",
        ),
    ];
    for provider in libraries("mac known answers") {
        for (name, expected) in rows {
            let mac = provider.mac(name).unwrap();
            let key = mac.import_key(b"Jefe").unwrap();
            let mut out = vec![0; expected.len() / 2];
            for _ in 0..2 {
                key.mac(b"what do ya want for nothing?", &mut out).unwrap();
                assert_eq!(hex::encode(&out), expected, "{name}");
            }
            assert_eq!(fault(key.mac(b"", &mut out[1..])), Fault::Usage);
            for len in [0, 1, 64, 200] {
                mac.import_key(&noise(len)).unwrap().mac(b"", &mut out).unwrap();
            }
        }
    }
}

/// RFC 5869 test cases 1 and 3.
#[test]
fn kdf_known_answers_and_no_memory_of_the_call_before() {
    let first = "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865";
    let third = "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8";
    for provider in libraries("kdf known answers") {
        let kdf = provider.kdf("HKDF-SHA256").unwrap();
        let derive = |salt: &[u8], info: &[u8]| {
            let mut out = [0; 42];
            kdf.derive(&[0x0b; 22], salt, info, &mut out).unwrap();
            hex::encode(out)
        };
        for _ in 0..2 {
            assert_eq!(derive(&bytes("000102030405060708090a0b0c"), &bytes("f0f1f2f3f4f5f6f7f8f9")), first);
            assert_eq!(derive(b"", b""), third);
        }
        for kdf in &provider.kdfs {
            let mut out = [0; 32];
            kdf.derive(b"", b"", b"", &mut out).unwrap();
            assert_ne!(out, [0; 32]);
            let longest = 255 * if kdf.algorithm().name.ends_with("256") { 32 } else { 48 };
            kdf.derive(b"ikm", b"salt", b"info", &mut vec![0; longest]).unwrap();
            assert_eq!(fault(kdf.derive(b"ikm", b"salt", b"info", &mut vec![0; 255 * 64 + 1])), Fault::Usage);
        }
    }
}
