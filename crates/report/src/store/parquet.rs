//! `samples.parquet`: columns named as the fields of [`Sample`], nullable where the field is optional, Snappy.

use super::atomic::replace_with;
use super::{ReadError, WriteError, journal};
use crate::record::Sample;
use parquet::basic::Compression;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{KeyValue, ParquetMetaData};
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

/// Unsigned fields are stored as the unsigned logical types, so that 2^63 and above come back as themselves.
const SCHEMA: &str = "message sample {
    required binary row (STRING);
    required int32 process (INTEGER(32,false));
    required int32 round (INTEGER(32,false));
    required int32 position (INTEGER(32,false));
    required int64 count (INTEGER(64,false));
    required double elapsed_ns;
    optional int64 nivcsw (INTEGER(64,false));
    optional int64 run_delay_ns (INTEGER(64,false));
    optional int64 steal_ticks (INTEGER(64,false));
    required boolean warmup;
}";

/// Samples in a row group: bounds the memory of writer and reader.
const ROW_GROUP: usize = 65_536;

/// Turns a journal into a Parquet file in one atomic step.
pub(super) fn write(journal: &Path, path: &Path, run: &str) -> std::result::Result<(), WriteError> {
    let broken = |message: String| WriteError::Samples { path: path.to_path_buf(), message };
    replace_with(path, |file| {
        let mut writer = open(file, run).map_err(|error| broken(error.to_string()))?;
        let mut group = Vec::new();
        journal::read(journal, |sample| {
            group.push(sample);
            if group.len() == ROW_GROUP {
                write_group(&mut writer, &group)
                    .map_err(|error| ReadError::Samples { path: path.to_path_buf(), message: error.to_string() })?;
                group.clear();
            }
            Ok(())
        })
        .map_err(|error| broken(error.to_string()))?;
        if !group.is_empty() {
            write_group(&mut writer, &group).map_err(|error| broken(error.to_string()))?;
        }
        writer.close().map(drop).map_err(|error| broken(error.to_string()))
    })
}

fn open<'f>(file: &'f mut File, run: &str) -> Result<SerializedFileWriter<&'f mut File>> {
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by(format!("pqlab {}", env!("CARGO_PKG_VERSION")))
        .set_key_value_metadata(Some(vec![KeyValue::new("pqlab.run".to_owned(), run.to_owned())]))
        .build();
    SerializedFileWriter::new(file, Arc::new(parse_message_type(SCHEMA)?), Arc::new(properties))
}

fn write_group(writer: &mut SerializedFileWriter<&mut File>, samples: &[Sample]) -> Result<()> {
    let mut group = writer.next_row_group()?;
    let rows: Vec<ByteArray> = samples.iter().map(|s| ByteArray::from(s.row.as_str())).collect();
    required::<ByteArrayType>(&mut group, &rows)?;
    required::<Int32Type>(&mut group, &column(samples, |s| s.process.cast_signed()))?;
    required::<Int32Type>(&mut group, &column(samples, |s| s.round.cast_signed()))?;
    required::<Int32Type>(&mut group, &column(samples, |s| s.position.cast_signed()))?;
    required::<Int64Type>(&mut group, &column(samples, |s| s.count.cast_signed()))?;
    required::<DoubleType>(&mut group, &column(samples, |s| s.elapsed_ns))?;
    optional(&mut group, &column(samples, |s| s.nivcsw))?;
    optional(&mut group, &column(samples, |s| s.run_delay_ns))?;
    optional(&mut group, &column(samples, |s| s.steal_ticks))?;
    required::<BoolType>(&mut group, &column(samples, |s| s.warmup))?;
    group.close().map(drop)
}

fn column<T>(samples: &[Sample], field: impl Fn(&Sample) -> T) -> Vec<T> {
    samples.iter().map(field).collect()
}

fn required<T: DataType>(group: &mut SerializedRowGroupWriter<'_, &mut File>, values: &[T::T]) -> Result<()> {
    let Some(mut column) = group.next_column()? else {
        return Err(ParquetError::General("more columns than the schema has".into()));
    };
    column.typed::<T>().write_batch(values, None, None)?;
    column.close()
}

fn optional(group: &mut SerializedRowGroupWriter<'_, &mut File>, values: &[Option<u64>]) -> Result<()> {
    let Some(mut column) = group.next_column()? else {
        return Err(ParquetError::General("more columns than the schema has".into()));
    };
    let present: Vec<i64> = values.iter().flatten().map(|value| value.cast_signed()).collect();
    let levels: Vec<i16> = values.iter().map(|value| i16::from(value.is_some())).collect();
    column.typed::<Int64Type>().write_batch(&present, Some(&levels), None)?;
    column.close()
}

/// Reads all samples.
pub(super) fn read(path: &Path) -> std::result::Result<Vec<Sample>, ReadError> {
    let file = super::read::open(path)?;
    // The library asserts some properties of the file that `check` cannot see beforehand; a damaged file must be an
    // error all the same. Nothing outlives the call, so nothing can be left half changed.
    let read = catch_unwind(AssertUnwindSafe(|| read_file(file)))
        .unwrap_or_else(|_| Err(ParquetError::General("it is damaged".into())));
    read.map_err(|error| ReadError::Samples {
        path: path.to_path_buf(),
        message: format!("not a readable samples file: {error}"),
    })
}

fn read_file(file: File) -> Result<Vec<Sample>> {
    let length = file.metadata()?.len();
    let reader = SerializedFileReader::new(file)?;
    check(reader.metadata(), length)?;
    let mut samples = Vec::new();
    for index in 0..reader.num_row_groups() {
        read_group(reader.get_row_group(index)?.as_ref(), &mut samples)?;
    }
    Ok(samples)
}

/// The places that the footer names lie inside the file.
fn check(metadata: &ParquetMetaData, length: u64) -> Result<()> {
    for column in metadata.row_groups().iter().flat_map(|group| group.columns()) {
        let offsets = [Some(column.data_page_offset()), column.dictionary_page_offset()];
        let inside = |value: i64| u64::try_from(value).is_ok_and(|value| value <= length);
        if !offsets.into_iter().flatten().all(inside) || !inside(column.compressed_size()) {
            return Err(ParquetError::General("its footer points outside the file".into()));
        }
    }
    Ok(())
}

fn read_group(group: &dyn RowGroupReader, samples: &mut Vec<Sample>) -> Result<()> {
    let rows = match named(group, "row")? {
        ColumnReader::ByteArrayColumnReader(reader) => values(reader)?,
        _ => return Err(wrong_type("row")),
    };
    let process = int32(group, "process")?;
    let round = int32(group, "round")?;
    let position = int32(group, "position")?;
    let count = int64(group, "count")?;
    let elapsed = match named(group, "elapsed_ns")? {
        ColumnReader::DoubleColumnReader(reader) => values(reader)?,
        _ => return Err(wrong_type("elapsed_ns")),
    };
    let nivcsw = int64(group, "nivcsw")?;
    let run_delay = int64(group, "run_delay_ns")?;
    let steal = int64(group, "steal_ticks")?;
    let warmup = match named(group, "warmup")? {
        ColumnReader::BoolColumnReader(reader) => values(reader)?,
        _ => return Err(wrong_type("warmup")),
    };
    for (index, row) in rows.into_iter().enumerate() {
        let row = present(row, "row")?;
        samples.push(Sample {
            row: row.as_utf8()?.to_owned(),
            process: present(at(&process, index), "process")?.cast_unsigned(),
            round: present(at(&round, index), "round")?.cast_unsigned(),
            position: present(at(&position, index), "position")?.cast_unsigned(),
            count: present(at(&count, index), "count")?.cast_unsigned(),
            elapsed_ns: present(at(&elapsed, index), "elapsed_ns")?,
            nivcsw: at(&nivcsw, index).map(i64::cast_unsigned),
            run_delay_ns: at(&run_delay, index).map(i64::cast_unsigned),
            steal_ticks: at(&steal, index).map(i64::cast_unsigned),
            warmup: present(at(&warmup, index), "warmup")?,
        });
    }
    Ok(())
}

fn at<T: Copy>(column: &[Option<T>], index: usize) -> Option<T> {
    column.get(index).copied().flatten()
}

fn present<T>(value: Option<T>, name: &str) -> Result<T> {
    value.ok_or_else(|| ParquetError::General(format!("column \"{name}\" has fewer values than there are samples")))
}

fn wrong_type(name: &str) -> ParquetError {
    ParquetError::General(format!("column \"{name}\" has another type than docs/RECORD.md says"))
}

fn named(group: &dyn RowGroupReader, name: &str) -> Result<ColumnReader> {
    let index = group.metadata().columns().iter().position(|column| column.column_path().string() == name);
    match index {
        Some(index) => group.get_column_reader(index),
        None => Err(ParquetError::General(format!("column \"{name}\" is missing"))),
    }
}

fn int32(group: &dyn RowGroupReader, name: &str) -> Result<Vec<Option<i32>>> {
    match named(group, name)? {
        ColumnReader::Int32ColumnReader(reader) => values(reader),
        _ => Err(wrong_type(name)),
    }
}

fn int64(group: &dyn RowGroupReader, name: &str) -> Result<Vec<Option<i64>>> {
    match named(group, name)? {
        ColumnReader::Int64ColumnReader(reader) => values(reader),
        _ => Err(wrong_type(name)),
    }
}

/// All values of a column chunk, `None` where it is null.
fn values<T: DataType>(mut reader: ColumnReaderImpl<T>) -> Result<Vec<Option<T::T>>> {
    let mut out = Vec::new();
    loop {
        let mut levels = Vec::new();
        let mut dense = Vec::new();
        let (records, _, _) = reader.read_records(8_192, Some(&mut levels), None, &mut dense)?;
        if records == 0 {
            return Ok(out);
        }
        if levels.is_empty() {
            out.extend(dense.into_iter().map(Some));
        } else {
            let mut dense = dense.into_iter();
            out.extend(levels.into_iter().map(|level| if level > 0 { dense.next() } else { None }));
        }
    }
}
