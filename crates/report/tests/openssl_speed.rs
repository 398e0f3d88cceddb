//! Real logs of `openssl speed`, and what no log may do to the reader.

use proptest::prelude::*;
use report::openssl_speed::{FailureKind, Log, MAX_BYTES, Measurement, Operation, parse};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/openssl_speed")
}

/// Standard output and standard error of one call, as far as there are any.
fn log_in(folder: &Path, stem: &str) -> Option<Log> {
    let parts: Vec<Vec<u8>> =
        ["txt", "err"].iter().filter_map(|end| std::fs::read(folder.join(format!("{stem}.{end}"))).ok()).collect();
    let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
    (!parts.is_empty()).then(|| parse(&parts).unwrap())
}

fn log(stem: &str) -> Log {
    log_in(&fixtures(), stem).unwrap_or_else(|| panic!("no fixture {stem}"))
}

fn text(text: &str) -> Log {
    let log = parse(&[text.as_bytes()]).unwrap();
    let lines = log.lines;
    assert_eq!(lines.blank + lines.understood + lines.unread, lines.total);
    log
}

fn find<'l>(log: &'l Log, algorithm: &str, operation: Operation, size: Option<u64>) -> &'l Measurement {
    let mut found =
        log.measurements.iter().filter(|m| m.algorithm == algorithm && m.operation == operation && m.size == size);
    let one = found.next().unwrap_or_else(|| panic!("no {algorithm} {operation:?} {size:?} in {log:#?}"));
    assert!(found.next().is_none(), "{algorithm} {operation:?} twice");
    one
}

fn near(value: f64, expected: f64, half: f64) -> bool {
    (value - expected).abs() <= half + expected * 1e-9
}

/// `expected.tsv` was taken from the tables of the logs with a field splitter that shares no code with the reader:
/// log, algorithm, operation, size, figure as printed, unit.
#[test]
fn every_figure_of_every_log_is_read_and_nothing_else() {
    let shared =
        Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().map(|up| up.join("shared/logs")).find(|d| d.is_dir());
    let folders = [Some(fixtures()), shared];
    let expected = std::fs::read_to_string(fixtures().join("expected.tsv")).unwrap();
    let stems: BTreeSet<&str> = expected.lines().filter_map(|line| line.split('\t').next()).collect();
    for folder in folders.into_iter().flatten() {
        let mut logs = 0;
        for stem in &stems {
            let Some(log) = log_in(&folder, stem) else { continue };
            logs += 1;
            assert_eq!(log.unread, [], "{stem}");
            let rows: Vec<Vec<&str>> = expected
                .lines()
                .map(|line| line.split('\t').collect())
                .filter(|row: &Vec<&str>| row[0] == *stem)
                .collect();
            assert_eq!(log.measurements.len(), rows.len(), "{stem}");
            for (measurement, row) in log.measurements.iter().zip(rows) {
                let [_, algorithm, operation, size, figure, unit] = row[..] else { panic!("{row:?}") };
                assert_eq!(measurement.algorithm, algorithm, "{stem}");
                assert_eq!(measurement.operation.as_str(), operation, "{stem} {algorithm}");
                assert_eq!(measurement.size, size.parse().ok(), "{stem} {algorithm}");
                let factor = match unit {
                    "kB/s" => 1000.0 / size.parse::<f64>().unwrap(),
                    "B/s" => 1.0 / size.parse::<f64>().unwrap(),
                    _ => 1.0,
                };
                let decimals = figure.split_once('.').map_or(0, |(_, fraction)| fraction.len());
                let half = 0.5 * 0.1f64.powi(i32::try_from(decimals).unwrap());
                let value = figure.parse::<f64>().unwrap() * factor;
                assert!(near(measurement.ops_per_s, value, half * factor), "{row:?}: {measurement:?}");
                // Each figure has its count and time, and they give it.
                let quotient: f64 = measurement.timings.iter().flatten().map(|t| t.count as f64 / t.elapsed_s).sum();
                assert!(near(quotient, value, half * factor), "{row:?}: {measurement:?}");
                assert_eq!(measurement.timings.len(), measurement.processes as usize, "{stem}");
            }
        }
        assert!(logs >= 13, "{logs} logs in {}", folder.display());
    }
}

#[test]
fn what_the_build_says_of_itself() {
    let log = log("openssl-3.5.5.kem");
    let [build] = &log.builds[..] else { panic!("{:?}", log.builds) };
    assert_eq!((build.name.as_str(), build.version.as_deref()), ("openssl", Some("3.5.5")));
    assert_eq!(build.built_on.as_deref(), Some("Sat Nov 21 08:11:10 2026 UTC"));
    assert_eq!(build.options.as_deref(), Some("bn(64,64)"));
    assert!(build.compiler.as_deref().unwrap().starts_with("gcc -fPIC"));
    assert!(build.cpuinfo.as_deref().unwrap().starts_with("OPENSSL_ia32cap=0xfffa"));
    assert!(log.elapsed, "it was called with -elapsed");
    assert!(log.measurements.iter().all(|m| m.build == Some(0)));
    let version = parse(&[&std::fs::read(fixtures().join("openssl-3.5.5.version.txt")).unwrap()]).unwrap();
    assert_eq!(version.builds[0].version.as_deref(), Some("3.5.5"));
    assert_eq!(version.builds[0].platform.as_deref(), Some("linux-x86_64"));
    assert!(version.measurements.is_empty() && version.unread.is_empty());
}

#[test]
fn multi_has_the_rate_of_each_process_and_the_sum() {
    let log = log("openssl-3.5.5.kem-multi");
    let encaps = find(&log, "ML-KEM-768", Operation::Encaps, None);
    assert_eq!((encaps.processes, encaps.rates.as_slice()), (2, [55741.0, 56015.0].as_slice()));
    assert!(near(encaps.ops_per_s, 111_756.0, 0.0));
    let counts: Vec<u64> = encaps.timings.iter().flatten().map(|timing| timing.count).collect();
    assert_eq!(counts, [55741, 56015]);
}

#[test]
fn multi_over_buffers_has_no_heading() {
    let log = text(
        "Forked child 0\nForked child 1\nGot: +H:64 from 0\nGot: +F:6:sha256:105910016.00 from 0\n\
         Got: +H:64 from 1\nGot: +F:6:sha256:107112256.00 from 1\nversion: 3.0.19\nbuilt on: x\n\
         sha256          213022.27k\n",
    );
    assert_eq!(log.unread, []);
    let hash = find(&log, "SHA-256", Operation::Hash, Some(64));
    assert!(near(hash.ops_per_s, 213_022_270.0 / 64.0, 0.1));
    assert_eq!(hash.rates.len(), 2);
    assert!(near(hash.rates[0], 105_910_016.0 / 64.0, 0.0));
}

#[test]
fn a_total_that_is_not_the_sum_keeps_no_rates_of_processes() {
    let log = text(
        "Forked child 0\nForked child 1\nGot: +F4:3:256:50000.0:16000.0 from 0\n\
         Got: +F4:3:256:50000.0:16000.0 from 1\nversion: 3.0.19\n\
         \x20                             sign    verify    sign/s verify/s\n\
         \x20256 bits ecdsa (nistp256)   0.0000s   0.0000s 120000.0  32000.0\n",
    );
    let sign = find(&log, "ECDSA-P256", Operation::Sign, None);
    assert_eq!((sign.processes, sign.rates.len()), (2, 0));
    assert_eq!(log.unread.len(), 2, "{:?}", log.unread);
}

#[test]
fn old_versions_and_libressl() {
    let log = text(
        "Doing aes-128 cbc for 3s on 16 size blocks: 10256000 aes-128 cbc's in 3.00s\n\
         Doing 2048 bits private rsa's for 10s: 1385 2048 bits private RSA's in 10.00s\n\
         Doing 2048 bits public rsa's for 10s: 51916 2048 bits public RSA's in 10.00s\n\
         OpenSSL 1.1.1f  31 Mar 2020\nbuilt on: Mon Apr 20 11:53:50 2020 UTC\n\
         options:bn(64,64) rc4(char) des(int) aes(partial) blowfish(ptr) \ncompiler: gcc -fPIC\n\
         The 'numbers' are in 1000s of bytes per second processed.\n\
         type             16 bytes\naes-128 cbc      54698.67k\n\
         \x20                 sign    verify    sign/s verify/s\n\
         rsa 2048 bits 0.007220s 0.000193s    138.5   5191.6\n",
    );
    assert_eq!(log.unread, []);
    assert_eq!(log.builds[0].version.as_deref(), Some("1.1.1f"));
    assert!(near(find(&log, "AES-128-CBC", Operation::Encrypt, Some(16)).ops_per_s, 10_256_000.0 / 3.0, 0.0));
    assert!(near(find(&log, "RSA-2048-PKCS1", Operation::Sign, None).ops_per_s, 138.5, 0.0));
    let libressl = text(
        "Doing sha256 for 3s on 16 size blocks: 3000 sha256 in 3.00s\n\
         Doing 256 bit sign ecdsa for 10s: 120000 256 bit ECDSA signs in 10.00s \n\
         Doing 256 bit verify ecdsa for 10s: 40000 256 bit ECDSA verify in 10.00s\n\
         Doing 768 bit keygen mlkem for 10s: 300000 768-bit ML-KEM keygen in 10.00s\n\
         Doing 768 bit encap mlkem for 10s: 310000 768-bit ML-KEM encap in 10.00s\n\
         Doing 768 bit decap mlkem for 10s: 200000 768-bit ML-KEM decap in 10.00s\n\
         LibreSSL 4.3.0\nbuilt on: date not available\ncompiler: information not available\n\
         The 'numbers' are in 1000s of bytes per second processed.\n\
         type              16 bytes\nsha256           16000.00k\nchacha20 poly1305     9999.00 \n\
         \x20                             sign    verify    sign/s verify/s\n\
         \x20256 bit ecdsa (nistp256)   0.0001s   0.0003s  12000.0   4000.0\n\
         \x20        keygen      keygen/s    encap     encap/s    decap     decap/s\n\
         mlkem 768   0.000033s  30000.0   0.000032s  31000.0   0.000050s  20000.0\n",
    );
    assert_eq!(libressl.builds[0].name, "libressl");
    assert!(near(find(&libressl, "ML-KEM-768", Operation::Encaps, None).ops_per_s, 31_000.0, 0.0));
    assert!(find(&libressl, "ML-KEM-768", Operation::Decaps, None).timings[0].is_some());
    assert!(near(find(&libressl, "ECDSA-P256", Operation::Verify, None).ops_per_s, 4000.0, 0.0));
    // A figure of at most 10000 has no `k`, and is in bytes.
    let aead = find(&libressl, "ChaCha20-Poly1305", Operation::Encrypt, Some(16));
    assert!(near(aead.ops_per_s, 9999.0 / 16.0, 0.0));
    // 3000 in 3.00s over 16 bytes are 16000 bytes, not 16000.00k: the count is of something else.
    assert_eq!(libressl.unread.len(), 1, "{:?}", libressl.unread);
    assert!(find(&libressl, "SHA-256", Operation::Hash, Some(16)).timings[0].is_none());
}

#[test]
fn libressl_writes_seconds_where_openssl_writes_rates() {
    for (row, sign, verify) in [
        ("+F2:2:2048:3926.000000:59629.000000", 3926.0, 59629.0),
        ("+F2:2:2048:0.000250:0.000020\n+F6:768:0.000033:30000.0:0.000032:31000.0:0.00005:20000.0", 4000.0, 50000.0),
        ("+DTP:2048:private:rsa:10\n+R1:40:2048:10.00\n+R2:900:2048:10.00\n+F2:2:2048:0.250000:0.011111", 4.0, 90.0),
        ("+R1:40:2048:10.00\n+R2:900:2048:10.00\n+F2:2:2048:4.000000:90.000000", 4.0, 90.0),
    ] {
        let log = text(row);
        let found = |operation| find(&log, "RSA-2048-PKCS1", operation, None).ops_per_s;
        assert!((found(Operation::Sign) / sign - 1.0).abs() < 1e-3, "{row}");
        assert!((found(Operation::Verify) / verify - 1.0).abs() < 1e-3, "{row}");
    }
    // Nothing tells which: it is reported and not guessed.
    let log = text("+F2:2:2048:4.000000:90.000000");
    assert!(log.measurements.is_empty());
    assert!(log.unread[0].reason.contains("LibreSSL"), "{:?}", log.unread);
}

#[test]
fn machine_output_without_standard_error_does_not_name_a_kem() {
    let folder = fixtures();
    let stdout = std::fs::read(folder.join("openssl-3.5.5.mr-kem.txt")).unwrap();
    let log = parse(&[&stdout]).unwrap();
    assert!(log.measurements.is_empty());
    assert!(log.unread[0].reason.contains("does not name"), "{:?}", log.unread);
    assert_eq!(log.unread[0].place.line, 1);
}

#[test]
fn the_tool_says_what_failed() {
    let log = log("openssl-3.0.19.pqsig");
    assert_eq!(log.failures[0].kind, FailureKind::UnknownOption);
    assert_eq!(log.failures[0].subject.as_deref(), Some("-signature-algorithms"));
    let defect = text(
        "Doing ML-DSA-65 keygen ops for 1s: 313\n\
         Error while initializing signing data structs for ML-DSA-65.\n\
         4008E9FC01000000:error:03000096:digital envelope routines:evp_pkey_signature_init:operation not supported\n\
         version: 3.5.4\n",
    );
    assert_eq!(defect.failures[0].kind, FailureKind::ToolDefect);
    assert_eq!(defect.failures[0].subject.as_deref(), Some("ML-DSA-65"));
    assert_eq!(defect.unread.len(), 1, "the measurement that has no result");
    for (line, subject) in [
        ("speed: Unknown algorithm foo", "foo"),
        ("speed: Unknown option or cipher: foo", "foo"),
        ("speed: foo is an unknown cipher or digest", "foo"),
        ("foo is an unknown cipher or digest", "foo"),
    ] {
        let failure = &text(line).failures[0];
        assert_eq!((failure.kind, failure.subject.as_deref()), (FailureKind::UnknownAlgorithm, Some(subject)));
    }
    let usage = text("Error: bad option or value\n\nAvailable values:\nmd4      md5      hmac     \n");
    assert_eq!((usage.failures.len(), usage.unread.len()), (1, 0));
}

#[test]
fn a_row_that_cannot_be_read_is_reported_with_its_line() {
    let heading = "                   sign    verify    sign/s verify/s\n";
    for (row, why) in [
        ("rsa 2048 bits 0.000253s 0.000016s   3950.0", "no name"),
        ("rsa 2048 bits 0.000253s 0.000016s   3950.0  inf", "no rate"),
        ("rsa 2048 bits 0.000253s 0.000016s   3950.0  0.0", "contradict"),
        ("rsa 2048 bits 0.000253s 0.000016s   3950.0  6119.0", "contradict"),
        ("rsa twice bits 0.000253s 0.000016s   3950.0  61191.0", "no name"),
        ("something else entirely", "columns"),
    ] {
        let log = text(&format!("version: 3.5.5\n{heading}{row}\n"));
        assert_eq!(log.unread.len(), 1, "{row}: {log:?}");
        assert_eq!(log.unread[0].place.line, 3, "{row}");
        let reason = &log.unread[0].reason;
        assert!(reason.contains(why) || reason.contains("nothing was measured"), "{row}: {reason}");
    }
    let zero = text("type             16 bytes     64 bytes\nsha256           0.00     400371.39k\n");
    assert_eq!((zero.measurements.len(), zero.unread.len()), (1, 1), "the other column stays");
    let cut = text("type 16 bytes\nsha256 1");
    assert!(near(cut.measurements[0].ops_per_s, 1.0 / 16.0, 0.0));
    assert!(parse(&[&vec![b'x'; MAX_BYTES + 1]]).is_err());
    assert_eq!(parse(&[b""]).unwrap(), Log::default());
    assert_eq!(text(&format!("{}\n", "x".repeat(100_000))).unread[0].text.len(), 200);
}

/// Lines that look like those of the tool, so that random text reaches the readers behind the first word.
fn lines() -> impl Strategy<Value = Vec<String>> {
    let word = prop_oneof![
        Just("version: 3.5.5".to_owned()),
        Just("LibreSSL 4.0.0".to_owned()),
        Just("type  16 bytes  64 bytes".to_owned()),
        Just("  sign    verify    sign/s verify/s".to_owned()),
        Just("  keygen    encaps    decaps keygens/s  encaps/s  decaps/s".to_owned()),
        Just("  op      op/s".to_owned()),
        Just("Forked child 0".to_owned()),
        Just("Forked child 1".to_owned()),
        (0u32..30, 0u32..600, 0u32..9000, 0u32..9000).prop_map(|(k, b, x, y)| format!("+F4:{k}:{b}:{x}.0:{y}.5")),
        (0u32..12, 0u32..3, 0u32..9000, 0u32..9000)
            .prop_map(|(f, k, x, y)| format!("Got: +F{f}:{k}:{x}:{y}.5:1 from 1")),
        (0u32..9000, 0u32..900).prop_map(|(n, s)| format!("Doing 256 bits sign ecdsa ops for 1s: {n} 256 in {s}.0s")),
        (0u32..9000, 0u32..900).prop_map(|(n, s)| format!("+R15:{n}:ML-KEM-768:{s}.00")),
        (0u32..9, 0u32..9000).prop_map(|(s, r)| format!(" 256 bits ecdsa (nistp256) 0.{s}s 0.0000s {r}.0 {r}.0")),
        (0u32..9, 0u32..9000).prop_map(|(s, r)| format!("ML-KEM-768 0.{s}s 0.0s 0.0s {r}.0 {r}.0 {r}")),
        "sha256 [0-9.k]{0,12} [0-9.k]{0,12}",
        "[+:a-zA-Z0-9. ()k/-]{0,60}",
        "\\PC{0,40}",
    ];
    proptest::collection::vec(word, 0..40)
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_reported(bytes in proptest::collection::vec(any::<u8>(), 0..2000)) {
        let log = parse(&[&bytes]).unwrap();
        let lines = log.lines;
        prop_assert_eq!(lines.blank + lines.understood + lines.unread, lines.total);
        prop_assert_eq!(log.unread.len(), lines.unread.min(report::openssl_speed::MAX_UNREAD));
    }

    #[test]
    fn any_lines_are_read_or_reported(lines in lines(), errors in lines()) {
        let (out, err) = (lines.join("\n"), errors.join("\n"));
        let log = parse(&[out.as_bytes(), err.as_bytes()]).unwrap();
        prop_assert_eq!(log.lines.blank + log.lines.understood + log.lines.unread, log.lines.total);
        for measurement in &log.measurements {
            prop_assert!(measurement.ops_per_s > 0.0 && measurement.ops_per_s.is_finite(), "{:?}", measurement);
            prop_assert!(measurement.rates.iter().all(|rate| *rate > 0.0 && rate.is_finite()));
            prop_assert!(!measurement.algorithm.is_empty() && measurement.processes > 0);
        }
        // No line is both a row that was read whole and a row that was reported whole.
        for unread in &log.unread {
            prop_assert!(unread.place.line > 0);
        }
    }
}
