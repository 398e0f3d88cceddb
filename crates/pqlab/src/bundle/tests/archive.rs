use crate::bundle::unpack::{Bounds, stays_inside, unpack};
use proptest::prelude::*;
use std::fs;
use std::path::Path;
use tar::EntryType;

/// Name, type, and contents or target of a link.
type Raw = (&'static str, EntryType, &'static str);

/// A tar archive of raw entries: the name is written as it is, however wrong.
fn tar(entries: &[Raw]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (name, kind, content) in entries {
        let linked = matches!(kind, EntryType::Symlink | EntryType::Link);
        let body = if linked { "" } else { content };
        let mut header = tar::Header::new_ustar();
        header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
        if linked {
            header.as_mut_bytes()[157..157 + content.len()].copy_from_slice(content.as_bytes());
        }
        header.set_entry_type(*kind);
        header.set_mode(0o4777);
        header.set_size(body.len() as u64);
        header.set_cksum();
        bytes.extend_from_slice(header.as_bytes());
        bytes.extend_from_slice(body.as_bytes());
        bytes.resize(bytes.len().next_multiple_of(512), 0);
    }
    bytes.resize(bytes.len() + 1024, 0);
    bytes
}

/// A directory in which only `inside` may change.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        fs::create_dir(place.inside()).unwrap();
        fs::write(place.0.path().join("victim"), "untouched").unwrap();
        place
    }

    fn inside(&self) -> std::path::PathBuf {
        self.0.path().join("inside")
    }

    fn assert_untouched(&self) {
        let mut names: Vec<_> = fs::read_dir(self.0.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["inside", "victim"]);
        assert_eq!(fs::read_to_string(self.0.path().join("victim")).unwrap(), "untouched");
    }
}

use EntryType::{Char, Directory, Fifo, Link, Regular, Symlink};

#[test]
fn an_ordinary_archive_comes_out_as_it_was() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    let bytes = tar(&[
        ("d/", Directory, ""),
        ("d/file", Regular, "text"),
        ("./e/f/deep", Regular, ""),
        ("d/link", Symlink, "../e/f/deep"),
        ("d/hard", Link, "d/file"),
    ]);
    unpack("good", &bytes, &place.inside(), Bounds::default()).unwrap();
    assert_eq!(fs::read_to_string(place.inside().join("d/file")).unwrap(), "text");
    assert_eq!(fs::read_to_string(place.inside().join("d/hard")).unwrap(), "text");
    assert_eq!(fs::read_link(place.inside().join("d/link")).unwrap(), Path::new("../e/f/deep"));
    let mode = fs::metadata(place.inside().join("d/file")).unwrap().permissions().mode();
    assert_eq!(mode & 0o7777, 0o755, "set-user-id and write permission for others are not taken over");
}

#[test]
fn nothing_is_written_outside() {
    let cases: &[(&str, &[Raw])] = &[
        ("parent", &[("../victim", Regular, "x")]),
        ("parent inside a path", &[("a/../../victim", Regular, "x")]),
        ("absolute", &[("/tmp/../victim", Regular, "x")]),
        ("symlink to the root", &[("l", Symlink, "/")]),
        ("symlink to the parent", &[("l", Symlink, "..")]),
        ("symlink out of a subdirectory", &[("a/l", Symlink, "../../victim")]),
        ("symlink that doubles back", &[("l", Symlink, "a/../../victim")]),
        ("write through a symlink", &[("d/", Directory, ""), ("l", Symlink, "d"), ("l/x", Regular, "x")]),
        ("overwrite a symlink", &[("l", Symlink, "d"), ("l", Regular, "x")]),
        ("a chain of symlinks", &[("d/", Directory, ""), ("d/l", Symlink, "."), ("m", Symlink, "d/l/../..")]),
        ("hard link outside", &[("h", Link, "../victim")]),
        ("hard link through a symlink", &[("d/", Directory, ""), ("l", Symlink, "d"), ("h", Link, "l/x")]),
        ("directory outside", &[("../e/", Directory, "")]),
        ("device", &[("c", Char, "")]),
        ("named pipe", &[("p", Fifo, "")]),
    ];
    for (name, entries) in cases {
        let place = Place::new();
        let error = unpack("evil", &tar(entries), &place.inside(), Bounds::default()).expect_err(name);
        assert!(error.what().starts_with("evil: entry"), "{name}: {error}");
        place.assert_untouched();
    }
}

#[test]
fn an_archive_is_bounded_in_entries_and_in_bytes() {
    let place = Place::new();
    let three = tar(&[("a", Regular, ""), ("b", Regular, ""), ("c", Regular, "")]);
    let bounds = Bounds { entries: 2, bytes: 1 << 20 };
    let error = unpack("many", &three, &place.inside(), bounds).unwrap_err();
    assert!(error.what().contains("more than 2 entries"), "{error}");

    let zeros = "0".repeat(3 << 20).leak();
    let large = tar(&[("zeros", Regular, zeros)]);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    std::io::Write::write_all(&mut gzip, &large).unwrap();
    let bomb = gzip.finish().unwrap();
    assert!(bomb.len() < 100_000);
    let error = unpack("bomb", &bomb, &Place::new().inside(), bounds).unwrap_err();
    assert!(error.what().contains("unpacks to more than 1 MB"), "{error}");
}

#[test]
fn what_is_no_archive_or_a_damaged_one_is_an_error() {
    let good = tar(&[("file", Regular, "text ".repeat(1000).leak())]);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    std::io::Write::write_all(&mut gzip, &good).unwrap();
    let gzip = gzip.finish().unwrap();
    let mut flipped = gzip.clone();
    flipped[40] ^= 1;
    for (name, bytes) in [
        ("empty", &[][..]),
        ("text", b"hello"),
        ("truncated", &gzip[..gzip.len() / 2]),
        ("truncated tar", &good[..1000]),
        ("flipped bit in a header", &flipped),
        ("zeros", &[0; 2048]),
        ("empty tar", &tar(&[])),
    ] {
        unpack(name, bytes, &Place::new().inside(), Bounds::default()).expect_err(name);
    }
}

#[test]
fn links_are_judged_by_where_they_lead() {
    for (link, target, inside) in [
        ("a", "b", true),
        ("d/a", "../b", true),
        ("d/e/a", "../../b/c", true),
        ("a", "./b", true),
        ("a", "..", false),
        ("d/a", "../..", false),
        ("a", "/b", false),
        ("a", "b/../c", false),
        ("a", "", false),
    ] {
        assert_eq!(stays_inside(Path::new(link), Path::new(target)), inside, "{link} -> {target}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Whatever bytes are changed in an archive full of links, nothing appears beside the directory.
    #[test]
    fn a_mutated_archive_stays_inside(changes in prop::collection::vec((0_usize..3584, any::<u8>()), 1..40)) {
        let mut bytes = tar(&[
            ("d/", Directory, ""), ("d/l", Symlink, "../e"), ("e/", Directory, ""), ("d/m", Symlink, "l"), ("x", Regular, "x"),
        ]);
        for (at, value) in changes {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = value;
            }
        }
        // Headers must sum up again, else the archive is refused at once.
        for header in bytes.chunks_mut(512).take(5) {
            if let Ok(block) = <&mut [u8; 512]>::try_from(header) {
                let mut sum = tar::Header::new_ustar();
                sum.as_mut_bytes().copy_from_slice(block);
                sum.set_cksum();
                block.copy_from_slice(sum.as_bytes());
            }
        }
        let place = Place::new();
        let _ = unpack("mutant", &bytes, &place.inside(), Bounds::default());
        place.assert_untouched();
    }
}
