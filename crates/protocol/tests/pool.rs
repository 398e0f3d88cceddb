//! The input pool: one pool has one encoding, and whatever is not one is refused with its place.

use proptest::prelude::*;
use protocol::encoding::{EncodingError, MAX_ITEM, MAX_ITEMS, MAX_SECTIONS, MAX_TOTAL, Pool, Problem, is_section_name};

fn pool(sections: &[(&str, &[&[u8]])]) -> Pool {
    let sections =
        sections.iter().map(|(name, items)| ((*name).to_owned(), items.iter().map(|i| i.to_vec()).collect()));
    Pool { sections: sections.collect() }
}

/// The example of `docs/POOL.md`.
const EXAMPLE: &[u8] =
    b"PQLABIN1\x02\0\0\0\x07message\x02\0\0\0\x03\0\0\0abc\0\0\0\0\x06public\x01\0\0\0\x02\0\0\0\xff\x00";

fn refused(bytes: &[u8]) -> EncodingError {
    Pool::decode(bytes).expect_err("accepted")
}

#[test]
fn the_documented_example_is_what_is_written() {
    let example = pool(&[("message", &[b"abc", b""]), ("public", &[b"\xff\x00"])]);
    assert_eq!(example.encode().unwrap(), EXAMPLE);
    assert_eq!(Pool::decode(EXAMPLE).unwrap(), example);
    assert_eq!(Pool::default().encode().unwrap(), b"PQLABIN1\0\0\0\0");
}

#[test]
fn every_truncation_and_every_extension_is_refused() {
    for length in 0..EXAMPLE.len() {
        refused(&EXAMPLE[..length]);
    }
    let error = refused(&[EXAMPLE, b"x"].concat());
    assert_eq!((error.problem, error.offset), (Problem::Trailing { extra: 1 }, EXAMPLE.len()));
}

#[test]
fn errors_name_section_item_and_offset() {
    // The length of the second item of `message` says 9.
    let mut bytes = EXAMPLE.to_vec();
    let at = 8 + 4 + 8 + 4 + 7;
    bytes[at] = 99;
    let error = refused(&bytes);
    assert_eq!((error.section.as_deref(), error.item, error.offset), (Some("message"), Some(1), at + 4));
    assert_eq!(
        error.to_string(),
        "truncated: item needs 99 bytes, 17 are left (at byte 35, section \"message\", item 1)"
    );
    let error = refused(b"\x7fELF");
    assert_eq!(error.problem, Problem::Magic { expected: "PQLABIN1" });
    assert!(error.to_string().contains("PQLABIN1"));
}

#[test]
fn sections_ascend_and_stand_once() {
    let twice = b"PQLABIN1\x02\0\0\0\x01a\0\0\0\0\x01a\0\0\0\0";
    let error = refused(twice);
    assert_eq!((error.problem, error.offset, error.section.as_deref()), (Problem::Duplicate, 18, Some("a")));
    let falling = b"PQLABIN1\x02\0\0\0\x01b\0\0\0\0\x01a\0\0\0\0";
    assert_eq!(refused(falling).problem, Problem::Order);
    let twice_and_falling = b"PQLABIN1\x03\0\0\0\x01a\0\0\0\0\x01b\0\0\0\0\x01a\0\0\0\0";
    assert_eq!(refused(twice_and_falling).problem, Problem::Duplicate);
}

#[test]
fn names_are_plain() {
    for name in ["", "A", "a b", "a/b", "ä", "a\0", &"a".repeat(65)] {
        assert!(!is_section_name(name));
        let error = pool(&[(name, &[])]).encode().unwrap_err();
        assert_eq!(error.problem, Problem::Name, "{name:?}");
        let length = u8::try_from(name.len()).unwrap();
        let bytes = [b"PQLABIN1\x01\0\0\0", &[length][..], name.as_bytes(), &[0; 4]].concat();
        assert_eq!(refused(&bytes).problem, Problem::Name, "{name:?}");
    }
    let longest = "a-z_0.9x".repeat(8);
    let encoded = pool(&[(&longest, &[])]).encode().unwrap();
    assert!(Pool::decode(&encoded).unwrap().sections.contains_key(&longest));
    assert_eq!(pool(&[(&"a".repeat(300), &[])]).encode().unwrap_err().problem, Problem::Name);
}

#[test]
fn limits_hold_on_both_sides() {
    let too_large = |error: EncodingError| match error.problem {
        Problem::TooLarge { found, limit, .. } => (found, limit),
        other => panic!("{other:?}"),
    };
    let named = |count: usize| Pool { sections: (0..count).map(|i| (format!("s{i:03}"), Vec::new())).collect() };
    let most = named(MAX_SECTIONS).encode().unwrap();
    assert_eq!(Pool::decode(&most).unwrap().sections.len(), MAX_SECTIONS);
    assert_eq!(too_large(named(MAX_SECTIONS + 1).encode().unwrap_err()), (65, 64));
    assert_eq!(too_large(refused(b"PQLABIN1\x41\0\0\0")), (65, 64));

    let items = |count: usize| Pool { sections: [("s".to_owned(), vec![Vec::new(); count])].into() };
    assert_eq!(Pool::decode(&items(MAX_ITEMS).encode().unwrap()).unwrap(), items(MAX_ITEMS));
    assert_eq!(too_large(items(MAX_ITEMS + 1).encode().unwrap_err()), (65_537, 65_536));
    assert_eq!(too_large(refused(b"PQLABIN1\x01\0\0\0\x01s\x01\0\x01\0")), (65_537, 65_536));

    let item = |length: usize| Pool { sections: [("s".to_owned(), vec![vec![0; length]])].into() };
    assert_eq!(Pool::decode(&item(MAX_ITEM).encode().unwrap()).unwrap(), item(MAX_ITEM));
    let error = item(MAX_ITEM + 1).encode().unwrap_err();
    assert_eq!((error.section.as_deref(), error.item), (Some("s"), Some(0)));
    assert_eq!(too_large(error), (MAX_ITEM + 1, MAX_ITEM));
    let error = refused(b"PQLABIN1\x01\0\0\0\x01s\x01\0\0\0\x01\0\0\x01");
    assert_eq!((error.offset, too_large(error)), (18, (MAX_ITEM + 1, MAX_ITEM)));
}

#[test]
fn a_pool_above_the_total_is_refused() {
    // 64 items of 16 MiB are 1 GiB; with their lengths it is more. Zero pages, so little memory is touched here.
    let pool = Pool { sections: [("s".to_owned(), vec![vec![0; MAX_ITEM]; 64])].into() };
    let error = pool.encode().unwrap_err();
    assert_eq!(error.item, Some(63));
    assert!(matches!(error.problem, Problem::TooLarge { limit: MAX_TOTAL, .. }), "{error}");
    let error = refused(&vec![0; MAX_TOTAL + 1]);
    assert_eq!(error.problem, Problem::TooLarge { what: "total length", found: MAX_TOTAL + 1, limit: MAX_TOTAL });
}

#[test]
fn a_large_count_with_nothing_behind_it_costs_nothing() {
    let error = refused(b"PQLABIN1\x01\0\0\0\x01s\0\0\x01\0");
    let expected = Problem::Truncated { what: "list of items", needed: 4 * 65_536, left: 0 };
    assert_eq!((error.problem, error.section.as_deref()), (expected, Some("s")));
}

#[test]
fn debug_shows_sizes_only() {
    let shown = format!("{:?}", pool(&[("secret", &[b"0123", b"45"])]));
    assert_eq!(shown, r#"{"secret": "2 items, 6 bytes"}"#);
}

fn any_pool() -> impl Strategy<Value = Pool> {
    let items = prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..8);
    prop::collection::btree_map("[a-z0-9._-]{1,64}", items, 0..8).prop_map(|sections| Pool { sections })
}

proptest! {
    #[test]
    fn what_is_encoded_is_decoded(pool in any_pool()) {
        let bytes = pool.encode().unwrap();
        prop_assert_eq!(Pool::decode(&bytes).unwrap(), pool);
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(Pool::decode(&bytes).is_err() || bytes.starts_with(b"PQLABIN1"));
        // Behind a right front, so that more than the magic is reached.
        let _ = Pool::decode(&[b"PQLABIN1\x02\0\0\0\x01a", bytes.as_slice()].concat());
    }

    #[test]
    fn accepted_bytes_encode_to_themselves(pool in any_pool(), changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4)) {
        let mut bytes = pool.encode().unwrap();
        for (index, value) in changes {
            let at = index.index(bytes.len());
            bytes[at] = value;
        }
        if let Ok(changed) = Pool::decode(&bytes) {
            prop_assert_eq!(changed.encode().unwrap(), bytes);
        }
    }

    #[test]
    fn one_flipped_bit_never_gives_the_same_pool(pool in any_pool(), index in any::<prop::sample::Index>(), bit in 0..8_u32) {
        let mut bytes = pool.encode().unwrap();
        let at = index.index(bytes.len());
        bytes[at] ^= 1_u8 << bit;
        prop_assert_ne!(Pool::decode(&bytes).ok(), Some(pool));
    }
}
