//! What is written is what is read, in whole, after a crash, and on bad disks.

mod common;

use report::record::{Run, Sample, Status};
use report::store::{JOURNAL_FILE, RUN_FILE, ReadError, RunWriter, SAMPLES_FILE, WriteError, read_run, read_samples};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

fn empty(run: &Run) -> Run {
    Run { rows: Vec::new(), finished_at: None, ..run.clone() }
}

fn written(dir: &Path, rows: usize) -> (Run, Vec<Sample>, RunWriter) {
    let run = common::run();
    let mut writer = RunWriter::create(dir, &empty(&run)).unwrap();
    let mut samples = Vec::new();
    for row in run.rows.iter().take(rows) {
        let own = common::samples_of(row);
        writer.add_row(row.clone(), &own).unwrap();
        samples.extend(own);
    }
    (run, samples, writer)
}

fn files(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_finished_run_reads_back_exactly() {
    let temporary = tempfile::tempdir().unwrap();
    let dir = temporary.path().join("runs/nested/a");
    let (run, samples, writer) = written(&dir, usize::MAX);
    let finished = writer.finish(run.finished_at.as_deref().unwrap()).unwrap();
    assert_eq!(finished, run);
    assert_eq!(read_run(&dir).unwrap(), run);
    assert_eq!(read_run(&dir.join(RUN_FILE)).unwrap(), run);
    assert_eq!(read_samples(&dir).unwrap(), samples);
    assert_eq!(read_samples(&dir.join(RUN_FILE)).unwrap(), samples);
    assert_eq!(files(&dir), [RUN_FILE, SAMPLES_FILE], "neither journal nor temporary file stays");
}

#[test]
fn largest_numbers_survive() {
    let temporary = tempfile::tempdir().unwrap();
    let dir = temporary.path().join("run");
    let run = common::run();
    let mut writer = RunWriter::create(&dir, &empty(&run)).unwrap();
    let mut row = run.rows[0].clone();
    row.median_ns = Some(0.1 + 0.2);
    row.mean_ns = Some(f64::MAX);
    row.min_ns = Some(5e-324);
    let mut sample = common::samples_of(&run.rows[0]).remove(0);
    sample.process = u32::MAX;
    sample.count = u64::MAX;
    sample.nivcsw = Some(u64::MAX - 1);
    sample.run_delay_ns = Some(u64::MAX);
    sample.steal_ticks = None;
    sample.elapsed_ns = 1.0 / 3.0;
    writer.add_row(row.clone(), std::slice::from_ref(&sample)).unwrap();
    writer.finish("2026-03-14T09:28:31Z").unwrap();
    assert_eq!(read_run(&dir).unwrap().rows, [row]);
    assert_eq!(read_samples(&dir).unwrap(), [sample]);
}

#[test]
fn a_run_without_samples_has_an_empty_samples_file() {
    let temporary = tempfile::tempdir().unwrap();
    let dir = temporary.path().join("run");
    let (_, _, writer) = written(&dir, 0);
    writer.finish("2026-03-14T09:28:31Z").unwrap();
    assert_eq!(read_samples(&dir).unwrap(), []);
}

#[test]
fn a_crash_keeps_every_finished_row() {
    let temporary = tempfile::tempdir().unwrap();
    let dir = temporary.path().join("run");
    let (run, samples, writer) = written(&dir, 5);
    drop(writer);
    let read = read_run(&dir).unwrap();
    assert_eq!(read.rows, run.rows[..5]);
    assert_eq!(read.finished_at, None);
    assert_eq!(read_samples(&dir).unwrap(), samples);
}

#[test]
fn one_cut_last_line_of_the_journal_is_passed_over_and_a_broken_middle_is_not() {
    let temporary = tempfile::tempdir().unwrap();
    let dir = temporary.path().join("run");
    let (_, samples, writer) = written(&dir, 3);
    drop(writer);
    let journal = dir.join(JOURNAL_FILE);
    let whole = fs::read(&journal).unwrap();
    for cut in [1, 2, 40] {
        fs::write(&journal, &whole[..whole.len() - cut]).unwrap();
        let read = read_samples(&dir).unwrap();
        // Cutting only the line feed leaves a whole object.
        let expected = if cut == 1 { samples.len() } else { samples.len() - 1 };
        assert_eq!(read, samples[..expected]);
    }
    let mut broken = whole.clone();
    broken[3] = b'\n';
    fs::write(&journal, &broken).unwrap();
    let error = read_samples(&dir).unwrap_err();
    assert!(error.to_string().contains("line 1"), "{error}");
    fs::write(&journal, "{".repeat(1 << 20)).unwrap();
    assert!(matches!(read_samples(&dir), Err(ReadError::Samples { .. })), "a line without end is bounded");
}

#[test]
fn samples_beyond_one_row_group_survive() {
    let temporary = tempfile::tempdir().unwrap();
    let dir = temporary.path().join("run");
    let run = common::run();
    let mut writer = RunWriter::create(&dir, &empty(&run)).unwrap();
    let row = run.rows[0].clone();
    let one = common::samples_of(&row).remove(1);
    let many: Vec<Sample> = (0..70_000_u32)
        .map(|round| Sample { round, run_delay_ns: (round % 3 == 0).then_some(u64::from(round)), ..one.clone() })
        .collect();
    writer.add_row(row, &many).unwrap();
    writer.finish("2026-03-14T09:28:31Z").unwrap();
    assert_eq!(read_samples(&dir).unwrap(), many);
}

#[test]
fn an_existing_directory_is_refused_and_left_alone() {
    let temporary = tempfile::tempdir().unwrap();
    let dir = temporary.path().join("run");
    fs::create_dir(&dir).unwrap();
    fs::write(dir.join("precious"), "x").unwrap();
    let error = RunWriter::create(&dir, &common::run()).unwrap_err();
    assert!(matches!(error, WriteError::Exists { .. }), "{error}");
    assert!(error.hint().contains("--output DIR"), "{}", error.hint());
    assert_eq!(files(&dir), ["precious"]);
}

#[test]
fn what_could_not_be_read_back_is_refused_and_the_run_stays_as_it_was() {
    let temporary = tempfile::tempdir().unwrap();
    let dir = temporary.path().join("run");
    let (run, samples, mut writer) = written(&dir, 2);
    let mut nan = run.rows[2].clone();
    nan.p99_ns = Some(f64::NAN);
    let error = writer.add_row(nan, &[]).unwrap_err();
    assert!(error.to_string().contains("p99_ns of row"), "{error}");
    assert!(matches!(writer.add_row(run.rows[1].clone(), &[]), Err(WriteError::DuplicateRow { .. })));
    let foreign = common::samples_of(&run.rows[0]);
    assert!(matches!(writer.add_row(run.rows[2].clone(), &foreign), Err(WriteError::ForeignSample { .. })));
    let error = writer.update(|run| run.harness.tax_ns = Some(f64::INFINITY)).unwrap_err();
    assert!(error.to_string().contains("harness.tax_ns"), "{error}");
    assert_eq!(writer.run().harness, run.harness);
    assert_eq!(read_run(&dir).unwrap().rows, run.rows[..2]);
    assert_eq!(read_samples(&dir).unwrap(), samples);
    writer.add_row(run.rows[2].clone(), &[]).unwrap();
}

#[test]
fn updates_are_on_disk_at_once() {
    let temporary = tempfile::tempdir().unwrap();
    let dir = temporary.path().join("run");
    let (_, _, mut writer) = written(&dir, 2);
    writer
        .update(|run| {
            run.warnings.clear();
            run.rows[1].status = Status::Inconclusive;
        })
        .unwrap();
    let read = read_run(&dir).unwrap();
    assert!(read.warnings.is_empty());
    assert_eq!(read.rows[1].status, Status::Inconclusive);
}

fn stored(text: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let temporary = tempfile::tempdir().unwrap();
    let path = temporary.path().join(RUN_FILE);
    fs::write(&path, text).unwrap();
    (temporary, path)
}

#[test]
fn each_kind_of_damage_has_its_own_error() {
    let good = serde_json::to_string_pretty(&common::run()).unwrap();
    let read = |text: &[u8]| {
        let (_kept, path) = stored(text);
        let error = read_run(&path).unwrap_err();
        assert!(!error.hint().is_empty());
        error
    };
    for cut in [1, 10, good.len() / 2, good.len() - 1] {
        let error = read(&good.as_bytes()[..cut]);
        assert!(matches!(error, ReadError::Truncated { .. }), "cut at {cut}: {error}");
    }
    for nothing in [&b""[..], b" \n"] {
        assert!(matches!(read(nothing), ReadError::Empty { .. }));
    }
    assert!(matches!(read(b"not json"), ReadError::NotJson { line: 1, .. }));
    assert!(matches!(read(b"\xff\xfe{}"), ReadError::NotJson { .. }));
    assert!(matches!(read(b"{}"), ReadError::WrongSchema { .. }));
    assert!(matches!(read(b"[1, 2]"), ReadError::WrongSchema { .. } | ReadError::NotJson { .. }));
    assert!(matches!(read(b"{\"schema\": 1}"), ReadError::WrongSchema { .. }));
    assert!(matches!(read(b"{\"schema\": \"pqlab.run/0\"}"), ReadError::WrongSchema { .. }));
    assert!(matches!(read(b"{\"schema\": \"pqlab.plan/2\"}"), ReadError::WrongSchema { .. }));
    let newer = read(good.replace("pqlab.run/1", "pqlab.run/2").as_bytes());
    assert!(matches!(&newer, ReadError::NewerSchema { found, .. } if found == "pqlab.run/2"), "{newer}");
    let missing = read(b"{\"schema\": \"pqlab.run/1\", \"id\": \"x\"}");
    assert!(matches!(&missing, ReadError::Malformed { message, .. } if message.contains("missing field")), "{missing}");
    let typed = read(good.replace("\"seed\": 7", "\"seed\": \"seven\"").as_bytes());
    assert!(matches!(&typed, ReadError::Malformed { line, .. } if *line > 1), "{typed}");
}

#[test]
fn unknown_fields_are_tolerated_everywhere() {
    let run = common::run();
    let mut value = serde_json::to_value(&run).unwrap();
    fn add(value: &mut serde_json::Value) {
        if let Some(object) = value.as_object_mut() {
            for (name, inner) in object.iter_mut() {
                // The entries of these maps are data, not fields.
                if !["settings", "params", "sizes", "absent", "tax_by_operation"].contains(&name.as_str()) {
                    add(inner);
                }
            }
            object.insert("added_later".into(), serde_json::json!({"a": [1, null]}));
        }
        value.as_array_mut().into_iter().flatten().for_each(add);
    }
    add(&mut value);
    let (_kept, path) = stored(value.to_string().as_bytes());
    assert_eq!(read_run(&path).unwrap(), run);
}

#[test]
fn missing_files_say_what_was_expected() {
    let temporary = tempfile::tempdir().unwrap();
    let error = read_run(&temporary.path().join("nowhere")).unwrap_err();
    assert!(matches!(error, ReadError::Io { .. }) && error.to_string().contains("nowhere"), "{error}");
    let error = read_run(temporary.path()).unwrap_err();
    assert!(matches!(error, ReadError::NotARun { .. }), "{error}");
    let error = read_samples(temporary.path()).unwrap_err();
    assert!(error.to_string().contains(SAMPLES_FILE), "{error}");
}

#[test]
fn a_damaged_samples_file_is_an_error_wherever_it_is_damaged() {
    let temporary = tempfile::tempdir().unwrap();
    let dir = temporary.path().join("run");
    let (_, samples, writer) = written(&dir, 4);
    writer.finish("2026-03-14T09:28:31Z").unwrap();
    let path = dir.join(SAMPLES_FILE);
    let whole = fs::read(&path).unwrap();
    for length in [0, 3, 4, 12, whole.len() / 2, whole.len() - 1] {
        fs::write(&path, &whole[..length]).unwrap();
        let error = read_samples(&dir).unwrap_err();
        assert!(matches!(error, ReadError::Samples { .. }), "length {length}: {error}");
    }
    // A flipped byte gives an error or other numbers, but no panic.
    let mut noise = common::Noise::new(11);
    for _ in 0..2000 {
        let mut damaged = whole.clone();
        let place = (noise.share() * damaged.len() as f64) as usize;
        damaged[place.min(whole.len() - 1)] ^= 1 << (noise.share() * 8.0) as u8;
        fs::write(&path, &damaged).unwrap();
        let _ = read_samples(&dir);
    }
    fs::write(&path, &whole).unwrap();
    assert_eq!(read_samples(&dir).unwrap(), samples);
}

#[cfg(unix)]
#[test]
fn a_read_only_place_names_path_and_cause() {
    use std::os::unix::fs::PermissionsExt;
    let temporary = tempfile::tempdir().unwrap();
    let parent = temporary.path().join("locked");
    fs::create_dir(&parent).unwrap();
    fs::set_permissions(&parent, fs::Permissions::from_mode(0o555)).unwrap();
    // The superuser may write anywhere; a file in the way of the directory stops even him.
    let dir = if fs::File::create(parent.join("probe")).is_ok() {
        let file = temporary.path().join("file");
        fs::write(&file, "").unwrap();
        file.join("run")
    } else {
        parent.join("run")
    };
    let error = RunWriter::create(&dir, &common::run()).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("cannot make directory") && text.contains(temporary.path().to_str().unwrap()), "{text}");
    assert!(error.hint().contains("--output DIR"), "{}", error.hint());
}

/// `/dev/full` refuses every write as a full disk does.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_named_and_the_rows_before_it_stay() {
    let temporary = tempfile::tempdir().unwrap();
    let dir = temporary.path().join("run");
    let (run, samples, mut writer) = written(&dir, 2);
    // The temporary file of run.json now leads to a full device.
    std::os::unix::fs::symlink("/dev/full", dir.join(".run.json.tmp")).unwrap();
    let error = writer.add_row(run.rows[2].clone(), &common::samples_of(&run.rows[2])).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("run.json") && text.to_lowercase().contains("space"), "{text}");
    assert!(error.hint().contains("free space"), "{}", error.hint());
    assert_eq!(read_run(&dir).unwrap().rows, run.rows[..2]);
    assert_eq!(read_samples(&dir).unwrap(), samples, "the journal was cut back");
    // There is room again: the row can be added after all.
    writer.add_row(run.rows[2].clone(), &common::samples_of(&run.rows[2])).unwrap();
    assert_eq!(read_run(&dir).unwrap().rows, run.rows[..3]);
}

#[test]
fn a_journal_that_grew_after_the_record_is_still_read() {
    let temporary = tempfile::tempdir().unwrap();
    let dir = temporary.path().join("run");
    let (_, samples, writer) = written(&dir, 2);
    drop(writer);
    let mut journal = fs::OpenOptions::new().append(true).open(dir.join(JOURNAL_FILE)).unwrap();
    let mut later = samples[0].clone();
    later.row = "a row that run.json never got".into();
    writeln!(journal, "{}", serde_json::to_string(&later).unwrap()).unwrap();
    assert_eq!(read_samples(&dir).unwrap().len(), samples.len() + 1);
}
