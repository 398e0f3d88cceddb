use super::super::write::write;
use super::*;
use proptest::prelude::*;

/// The examples of the format's description, as system 003 gives them.
const KBYTES: &str = "\
# type            16 bytes     64 bytes    256 bytes   1024 bytes   8192 bytes  16384 bytes
aes-128-ccm     202973.97k   588256.58k  1065011.71k  1314283.52k  1346633.73k  1381728.26k
hmac(sha512)     23408.12k    90165.99k   249721.98k   538953.37k   756375.73k   782985.02k
";
const SIG_VER: &str = "\
#                   sign      verify     sign/s verify/s
rsa4096             0.003922s 0.000061s   255.0  16471.0

ecdsa(nistp256)     0.0000s   0.0001s   43201.0  15221.0
";
const OP: &str = "\
#               op          op/s
ffdh4096        0.0129s     77.8
ecdh(nistp256)  0.0000s  20643.0
";

fn table(text: &str) -> Table {
    read("some/graph.dat", text.as_bytes(), None).unwrap()
}

fn error(text: &str, forced: Option<TableType>) -> TableError {
    read("some/graph.dat", text.as_bytes(), forced).unwrap_err()
}

#[test]
fn the_three_old_tables_are_read() {
    let kbytes = table(KBYTES);
    assert_eq!((kbytes.kind, kbytes.rows.len(), kbytes.sources[0].id.as_str()), (TableType::Kbytes, 2, "graph"));
    assert_eq!(kbytes.rows[1].name, "hmac(sha512)");
    assert_eq!(kbytes.rows[0].value(Column::Buffer(16384)), Some(1_381_728.26));
    let signatures = table(SIG_VER);
    assert_eq!(signatures.kind, TableType::SigVer);
    assert_eq!(signatures.rows[1].value(Column::Sign), Some(43_201.0));
    assert_eq!(signatures.rows[0].value(Column::Verify), Some(16_471.0));
    let agreement = table(OP);
    assert_eq!((agreement.kind, agreement.rows[0].value(Column::Dh)), (TableType::Op, Some(77.8)));
}

#[test]
fn libressl_has_one_buffer_less_and_small_figures_have_no_k() {
    let table = table("rc4 1.00k 2.00k 3.00k 4.00k 9000.00\n");
    assert_eq!(table.rows[0].cells.len(), 5);
    assert_eq!(table.rows[0].value(Column::Buffer(8192)), Some(9.0), "bytes, where the tool leaves the k out");
}

#[test]
fn five_columns_are_told_apart_by_their_seconds() {
    assert_eq!(table("x 1 2 3 4\n").kind, TableType::DecEncKeygenDh);
    assert_eq!(table("x 1s 2s 3 4\n").kind, TableType::SigVer);
    assert_eq!(table("# sign verify sign/s verify/s\nx 1 2 3 4\n").kind, TableType::SigVer);
    assert_eq!(table("# table: sig_ver\nx 1 2 3 4\n").kind, TableType::SigVer);
    let forced = read("x", b"# table: sig_ver\nx 1 2 3 4\n", Some(TableType::DecEncKeygenDh)).unwrap();
    assert_eq!(forced.rows[0].value(Column::Dh), Some(4.0));
}

#[test]
fn a_mix_has_rows_of_both_kinds() {
    let text = "ML-DSA-44 1 2 3\nML-KEM-512 4 5 6 NaN\n";
    let mix = read("x", text.as_bytes(), Some(TableType::SigEncMix)).unwrap();
    assert_eq!(mix.rows[0].value(Column::Verify), Some(2.0));
    assert_eq!((mix.rows[1].value(Column::Dec), mix.rows[1].value(Column::Dh)), (Some(4.0), None));
    let wrong = error(text, None);
    assert_eq!((wrong.line, wrong.to_string().contains("line 1 has 4")), (Some(2), true), "{wrong}");
    assert!(wrong.hint.contains("-l sig_enc_mix"), "{}", wrong.hint);
}

#[test]
fn zero_is_no_speed_but_seconds_may_stand_in() {
    let table = table("slow 47.21s 0.05s 0.0 20.0\nnone 0.0s NaN 0.0 0.0\n");
    assert!((table.rows[0].value(Column::Sign).unwrap() - 1.0 / 47.21).abs() < 1e-12);
    assert_eq!(table.rows[1].value(Column::Sign), None);
    assert!(table.rows[1].reason.is_some() && table.rows[0].reason.is_none());
}

#[test]
fn rows_belong_to_the_provider_above_them() {
    let text = "# provider: openssl@3.0.19\n# host: AMD EPYC\nrsa2048 1s 1s 10 20\n# provider: openssl@3.5.5\n\
                # interval: sign 10 12\nrsa2048 1s 1s 11 21\n# absent: unknown algorithm\nML-KEM-512 NaN NaN NaN NaN\n\
                # provider: openssl@3.0.19\nrsa4096 1s 1s 1 2\n";
    let table = table(text);
    let ids: Vec<&str> = table.sources.iter().map(|source| source.id.as_str()).collect();
    assert_eq!(ids, ["openssl@3.0.19", "openssl@3.5.5"]);
    assert_eq!(table.sources[0].host.as_deref(), Some("AMD EPYC"));
    assert_eq!(table.rows.iter().map(|row| row.source).collect::<Vec<_>>(), [0, 1, 1, 0]);
    assert_eq!(table.rows[1].cell(Column::Sign).unwrap().interval, Some([10.0, 12.0]));
    assert_eq!(table.rows[2].reason.as_deref(), Some("unknown algorithm"));
    assert_eq!(read("x", write(&table).as_bytes(), None).unwrap(), table);
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    for (text, line, what) in [
        ("", None, "no rows"),
        ("# nothing\n", None, "no rows"),
        ("a 1 2\nb 1 2 3\n", Some(2), "line 1 has 3 (op)"),
        ("a 1k 2k 3k 4k 5k 6k\n#\nb 1k 2k 3k 4k 5k\n", Some(3), "line 1 has 7"),
        ("a 1 2\n\n\nb 1 2\n", Some(3), "two empty lines"),
        ("a\n", Some(1), "1 fields"),
        ("a 1 2 3 4 5 6 7 8\n", Some(1), "9 fields"),
        ("a 1 fast\n", Some(1), "`fast`"),
        ("a 1 -2\n", Some(1), "`-2`"),
        ("a 1 inf\n", Some(1), "`inf`"),
        ("# table: pie\na 1 2\n", Some(1), "`pie`"),
        ("# table: op\na 1 2 3\n", Some(2), "a row of op has 3"),
    ] {
        let error = error(text, None);
        assert_eq!(error.line, line, "{text}");
        assert!(error.to_string().contains(what) && !error.hint.is_empty(), "{text}: {error}");
    }
    let binary = read("x", b"a 1 2\n\xff\xfe", None).unwrap_err();
    assert_eq!((binary.line, binary.what.contains("UTF-8")), (Some(2), true));
    assert!(read("x", &vec![b' '; MAX_BYTES + 1], None).unwrap_err().what.contains("bytes"));
    assert!(error(&format!("{} 1 2\n", "n".repeat(101)), None).what.contains("name"));
    assert!(error(&"a 1 2\n".repeat(MAX_ROWS + 1), None).what.contains("rows"));
    let providers: String = (0..40).map(|at| format!("# provider: p{at}\na 1 2\n")).collect();
    assert!(error(&providers, None).what.contains("providers"));
}

fn tables() -> impl Strategy<Value = Table> {
    let kinds = prop::sample::select(TableType::ALL.to_vec());
    let row =
        ("[!-\"$-~][!-~]{0,20}", 0..3_usize, prop::collection::vec(prop::option::of(1e-6f64..1e12), 6), any::<bool>());
    (kinds, prop::collection::vec(row, 1..20)).prop_map(|(kind, rows)| {
        let source = |at: usize| Source { id: format!("openssl@{at}"), ..Source::default() };
        let mut table = Table { kind, sources: Vec::new(), rows: Vec::new() };
        for (name, at, values, signature) in rows {
            let columns = kind.columns(signature);
            let cells: Vec<Cell> = columns
                .iter()
                .zip(values)
                .map(|(column, value)| {
                    let interval = value.filter(|_| signature).map(|value| [value * 0.9, value * 1.1]);
                    Cell { column: *column, value, interval }
                })
                .collect();
            let reason = cells.iter().any(|cell| cell.value.is_none()).then(|| "not there".to_owned());
            let source = table.source(&source(at));
            table.rows.push(Row { source, name, cells, reason });
        }
        table
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(table in tables()) {
        let text = write(&table);
        let again = read("x", text.as_bytes(), None).unwrap();
        prop_assert_eq!(&again, &table, "{}", text);
        prop_assert_eq!(write(&again), text);
    }

    #[test]
    fn any_bytes_are_a_table_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = read("x", &bytes, None);
    }

    #[test]
    fn any_words_are_a_table_or_an_error(text in "([#a-c0-9.ks: NaN-]{0,30}\n){0,12}") {
        for forced in TableType::ALL.into_iter().map(Some).chain([None]) {
            if let Ok(table) = read("x", text.as_bytes(), forced) {
                prop_assert!(table.rows.iter().flat_map(|row| &row.cells).all(|cell| cell.value.is_none_or(|v| v > 0.0 && v.is_finite())));
                prop_assert_eq!(read("x", write(&table).as_bytes(), None).unwrap().rows.len(), table.rows.len());
            }
        }
    }
}
