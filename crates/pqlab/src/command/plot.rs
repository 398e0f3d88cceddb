//! `pqlab plot`: charts of speeds.

use super::{print, print_json};
use crate::cli::Global;
use crate::error::{CliError, Outcome};
use crate::plot::{Log, measure, open, read, table};
use clap::builder::PossibleValuesParser;
use report::Picture;
use report::plot::table::{Table, TableType};
use report::plot::{
    Drawn, GRAPHS, PlotError, Speeds, annotated, default_title, fits, gallery, pattern_of_word, put, write,
    write_chart, write_gallery,
};
use serde_json::json;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What to draw, and from what.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "With ALGORITHMs: they are measured (or taken from --from) and drawn. Without: the data file is drawn. \
                        With --all: every chart; TYPEs are `openssl`, bundles such as openssl@3.5.5, or executables. \
                        See docs/PLOT.md."
)]
pub struct PlotArgs {
    /// Algorithms as `openssl speed` calls them; X-no-evp for the low-level interface, hmac-X for HMAC. With --all: TYPEs
    #[arg(value_name = "ALGORITHM|TYPE")]
    names: Vec<String>,
    /// Data file to draw; may be repeated to draw several in one chart [default: the output's name with .dat]
    #[arg(long, short, value_name = "FILE.dat", conflicts_with_all = ["from", "all"])]
    data: Vec<PathBuf>,
    /// Picture to write: .svg, .png, .html, .gp (gnuplot) or .tex (pgfplots); the data goes beside it as .dat. With --all:
    /// the folder [default: graph.png; with --all: plots/PROVIDERS]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// An openssl executable to measure; may be repeated: they stand side by side [default: openssl in PATH]
    #[arg(long = "bin", short = 'p', value_name = "PATH")]
    bins: Vec<String>,
    /// Seconds for each figure, 1 to 99 [default: what `openssl speed` takes: 3 for buffers, 10 for keys]
    #[arg(long, short, value_name = "N")]
    seconds: Option<u32>,
    /// Added to the title of the chart
    #[arg(long, short, value_name = "TITLE")]
    title: Option<String>,
    /// Type of the table, when its columns do not tell
    #[arg(long = "table", short = 'l', value_name = "TABLE_TYPE", conflicts_with = "all",
          value_parser = PossibleValuesParser::new(TableType::ALL.map(TableType::as_str)))]
    table: Option<String>,
    /// Stored figures instead of measuring: a .dat file, a log of `openssl speed`, a run directory, or a folder of them;
    /// may be repeated
    #[arg(long, value_name = "PATH")]
    from: Vec<PathBuf>,
    /// Draw every chart there is into a folder, with an index.html
    #[arg(long)]
    all: bool,
    /// Replace files that are there and different
    #[arg(long)]
    force: bool,
}

/// Draws.
///
/// # Errors
/// Data that is no table, an output that exists or cannot be written, a program that is no OpenSSL.
pub fn run(args: &PlotArgs, global: Global) -> Outcome {
    if let Some(seconds) = args.seconds.filter(|seconds| !(1..=99).contains(seconds)) {
        return Err(CliError::usage(format!("-s {seconds} seconds: a figure takes 1 to 99"))
            .with_hint("-s 1 is the shortest, -s 10 steadier"));
    }
    if args.all {
        return all(args, global);
    }
    if args.names.is_empty() && args.from.is_empty() { data_plot(args, global) } else { measure_plot(args, global) }
}

fn kind(args: &PlotArgs) -> Option<TableType> {
    args.table.as_deref().and_then(TableType::parse)
}

/// The picture's place and form.
fn output(args: &PlotArgs) -> Result<(PathBuf, Picture), CliError> {
    let path = args.output.clone().unwrap_or_else(|| "graph.png".into());
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase()).unwrap_or_default();
    let form = Picture::of_extension(&extension).ok_or_else(|| {
        let known = Picture::ALL.map(Picture::extension).join(", .");
        CliError::usage(format!("{}: its name does not say which form the picture shall have", path.display()))
            .with_hint(format!("give -o a name that ends in one of .{known}"))
    })?;
    Ok((path, form))
}

fn shown(error: &PlotError) -> CliError {
    CliError::environment(error.to_string()).with_hint(error.hint())
}

fn titled(args: &PlotArgs, base: &str) -> String {
    args.title.as_ref().map_or_else(|| base.to_owned(), |title| format!("{base}: {title}"))
}

/// A chart of data files.
fn data_plot(args: &PlotArgs, global: Global) -> Outcome {
    let (picture, form) = output(args)?;
    for (given, option) in [(!args.bins.is_empty(), "-p"), (args.seconds.is_some(), "-s")] {
        if given && !global.quiet {
            eprintln!("warning: {option} is of no use without ALGORITHMs: nothing is measured");
        }
    }
    let beside = picture.with_extension("dat");
    let files = if args.data.is_empty() { vec![beside.clone()] } else { args.data.clone() };
    let mut tables = Vec::new();
    for file in &files {
        tables.push(table(file, kind(args))?);
    }
    let bytes = match files.as_slice() {
        // The file itself, comments and all; where it is the one beside the picture, it is left alone.
        [one] if same_file(one, &beside) => None,
        [one] => Some(
            std::fs::read(one)
                .map_err(|error| CliError::environment(format!("cannot read {}: {error}", one.display())))?,
        ),
        _ => Some(Vec::new()),
    };
    let joined = join(tables, &files)?;
    let bytes = bytes.map(|bytes| if bytes.is_empty() { write(&joined).into_bytes() } else { bytes });
    let title = titled(args, default_title(joined.kind));
    finish(&picture, form, joined, &title, bytes, args.force, global)
}

fn same_file(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    real(one).is_some() && real(one) == real(other)
}

/// Several files in one chart: of one kind; each is a provider of its own unless it names one.
fn join(tables: Vec<Table>, files: &[PathBuf]) -> Result<Table, CliError> {
    let mut tables = tables.into_iter().zip(files);
    let Some((mut first, first_file)) = tables.next() else {
        return Err(CliError::usage("there is no data file").with_hint("-d FILE.dat"));
    };
    for (table, file) in tables {
        first.append(&table).map_err(|kind| {
            CliError::usage(format!(
                "{} is a table of type {kind}, {} of type {}",
                file.display(),
                first_file.display(),
                first.kind
            ))
            .with_hint("one chart shows one type: draw them apart, or give the type of both with -l")
        })?;
    }
    Ok(first)
}

fn finish(
    picture: &Path,
    form: Picture,
    table: Table,
    title: &str,
    data: Option<Vec<u8>>,
    force: bool,
    global: Global,
) -> Outcome {
    let id = picture.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let drawn = Drawn { figure: annotated(&table, &id, title), table };
    let mut written = write_chart(picture, form, &drawn, data, force).map_err(|error| shown(&error))?;
    let beside = picture.with_extension("dat");
    if !written.contains(&beside) {
        written.push(beside);
    }
    announce(&written, &drawn.figure.notes, global)
}

fn announce(written: &[PathBuf], notes: &[String], global: Global) -> Outcome {
    if global.json {
        print_json(&json!({ "written": written, "notes": notes }))?;
    } else {
        for path in written {
            print(&format!("{}\n", path.display()))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Figures of executables, or stored ones.
fn figures(
    args: &PlotArgs,
    programs: &[String],
    words: &[String],
    global: Global,
) -> Result<(Speeds, Vec<Log>), CliError> {
    if args.from.is_empty() {
        let programs = open(programs)?;
        if programs.iter().any(crate::speed::executable::Executable::is_libressl)
            && args.seconds.is_some()
            && !global.quiet
        {
            eprintln!("warning: `speed` of LibreSSL has no -seconds: it takes its own time");
        }
        return Ok(measure(&programs, words, args.seconds, global.quiet));
    }
    for (given, option) in [(!programs.is_empty(), "an executable"), (args.seconds.is_some(), "-s")] {
        if given && !global.quiet {
            eprintln!("warning: {option} is of no use with --from: nothing is measured");
        }
    }
    let mut speeds = Speeds::default();
    for path in &args.from {
        read(&mut speeds, path)?;
    }
    Ok((speeds, Vec::new()))
}

/// A chart of algorithms.
fn measure_plot(args: &PlotArgs, global: Global) -> Outcome {
    if args.names.is_empty() {
        return Err(CliError::usage("--from has figures of many algorithms, and none is named")
            .with_hint("name them, e.g. `pqlab plot --from PATH rsa`, or draw every chart with --all"));
    }
    if !args.data.is_empty() {
        return Err(CliError::usage("-d draws a data file, ALGORITHMs are measured: one of them")
            .with_hint("leave the algorithms away, or take them from the file with --from FILE.dat"));
    }
    let (picture, form) = output(args)?;
    if args.from.is_empty() {
        refuse_to_replace(&[&picture, &picture.with_extension("dat")], args.force)?;
    }
    let (speeds, _) = figures(args, &args.bins, &args.names, global)?;
    let patterns: Vec<String> = args.names.iter().map(|word| pattern_of_word(word)).collect();
    let place = |name: &str| patterns.iter().position(|pattern| fits(pattern, &report::plot::names::key(name)));
    let nothing = || {
        let known = speeds.names().join(", ");
        let known = if known.is_empty() { "none".into() } else { known };
        CliError::usage(format!("there are no figures of {}; there are figures of: {known}", args.names.join(", ")))
            .with_hint("`openssl speed` of this build may lack them; `openssl list -algorithms` shows what it has")
    };
    // As in system 003 the first algorithm decides what the table holds.
    let of_first =
        patterns.iter().find_map(|pattern| speeds.kind_of(|name| fits(pattern, &report::plot::names::key(name))));
    let kind = kind(args).or(of_first).ok_or_else(nothing)?;
    let table = speeds.pick(kind, place).ok_or_else(nothing)?;
    for (word, pattern) in args.names.iter().zip(&patterns) {
        let drawn = table.rows.iter().any(|row| fits(pattern, &report::plot::names::key(&row.name)));
        if !drawn && !global.quiet {
            eprintln!(
                "warning: {word} is left out: no figures for a table of type {kind}; give it a chart of its own, or -l another type"
            );
        }
    }
    let title = titled(args, default_title(kind));
    let data = Some(write(&table).into_bytes());
    finish(&picture, form, table, &title, data, args.force, global)
}

/// Before measuring, not after: new figures are never the same.
fn refuse_to_replace(paths: &[&Path], force: bool) -> Result<(), CliError> {
    match paths.iter().find(|path| path.exists()).filter(|_| !force) {
        Some(path) => Err(shown(&PlotError::Exists { path: path.to_path_buf() })),
        None => Ok(()),
    }
}

/// The gallery.
fn all(args: &PlotArgs, global: Global) -> Outcome {
    let programs: Vec<String> = args.names.iter().chain(&args.bins).cloned().collect();
    let words: BTreeSet<&str> = GRAPHS.iter().flat_map(|graph| graph.words).copied().collect();
    // What a longer table contains is not measured twice.
    let contained = |word: &str| {
        ["rsa", "ecdsa", "ecdh"].iter().any(|table| word != *table && word.starts_with(table)) || word == "ed25519"
    };
    let words: Vec<String> = words.into_iter().filter(|word| !contained(word)).map(str::to_owned).collect();
    if let (Some(folder), true) = (&args.output, args.from.is_empty()) {
        refuse_to_replace(&[&folder.join("index.html")], args.force)?;
    }
    let (speeds, logs) = figures(args, &programs, &words, global)?;
    let (mut drawn, missing) = gallery(&speeds);
    if drawn.is_empty() {
        return Err(CliError::usage("there are no figures that any chart shows")
            .with_hint("`pqlab plot --all openssl@3.5.5` measures them; --from takes the logs of `openssl speed`"));
    }
    for each in &mut drawn {
        each.figure.title = titled(args, &each.figure.title);
    }
    let folder = args.output.clone().unwrap_or_else(|| default_folder(&speeds));
    if !logs.is_empty() {
        keep(&folder, logs, args.force)?;
    }
    let written = write_gallery(&folder, &drawn, &missing, args.force).map_err(|error| shown(&error))?;
    if global.json {
        let missing: Vec<_> = missing.iter().map(|(id, reason)| json!({ "chart": id, "reason": reason })).collect();
        let charts: Vec<_> =
            drawn.iter().map(|each| json!({ "chart": each.figure.id, "notes": each.figure.notes })).collect();
        print_json(&json!({ "folder": folder, "written": written, "charts": charts, "missing": missing }))?;
        return Ok(ExitCode::SUCCESS);
    }
    if !global.quiet {
        for (id, reason) in &missing {
            eprintln!("warning: no chart {id}: {reason}");
        }
    }
    print(&format!(
        "{} charts, {}\nResults are in:\n  {}/\n",
        drawn.len(),
        folder.join("index.html").display(),
        folder.display()
    ))?;
    Ok(ExitCode::SUCCESS)
}

fn default_folder(speeds: &Speeds) -> PathBuf {
    let ids: Vec<&str> = speeds.sources().iter().map(|source| source.id.as_str()).collect();
    let name = if ids.len() > 4 { format!("{}-providers", ids.len()) } else { ids.join("+") };
    let plain = |c: char| if c.is_ascii_alphanumeric() || "@.+-_".contains(c) { c } else { '_' };
    Path::new("plots").join(name.chars().map(plain).take(120).collect::<String>())
}

/// The raw logs, from which the gallery can be drawn again with `--from`.
fn keep(folder: &Path, logs: Vec<Log>, force: bool) -> Result<(), CliError> {
    let place = folder.join("logs");
    std::fs::create_dir_all(&place).map_err(|error| {
        CliError::environment(format!("cannot make {}: {error}", place.display()))
            .with_hint("give another folder with -o")
    })?;
    let files = logs.into_iter().flat_map(|log| {
        let at = |extension: &str| place.join(format!("{}.{extension}", log.stem));
        [(at("txt"), log.stdout), (at("err"), log.stderr)]
    });
    put(files.collect(), force).map(|_| ()).map_err(|error| shown(&error))
}
