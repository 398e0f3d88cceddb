//! `pqlab run`: the main job.

use super::{print, print_json};
use crate::cli::Global;
use crate::coordinator::arms::Arm;
use crate::coordinator::handle::WorkerFault;
use crate::coordinator::limits::Limits;
use crate::coordinator::{Coordinator, Ending, NOT_CONFORMING, Observer, aa, findings as found, tax};
use crate::discovery::{self, Candidate};
use crate::error::{CliError, FINDING, Outcome};
use crate::plan::{self, Group, Plan};
use crate::progress::{Expected, Progress};
use crate::provider_spec::ProviderSpec;
use crate::{host, record};
use measure::clock;
use measure::host::fastest_cpus;
use measure::process::{Placement, cpus_allowed, pin_to_cpu, placement};
use report::record::{Row, Run, Sample, Status, Warning};
use report::store::{RunWriter, WriteError, run_id};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What to measure and how; what is not given comes from the plan.
#[derive(Debug, clap::Args)]
pub struct RunArgs {
    /// A shipped plan (`pqlab list plans`) or the path of a plan file
    #[arg(default_value = "quick")]
    plan: String,
    /// Providers, comma-separated: names or ids of `pqlab list providers`, a kind such as `openssl`, `openssl=PATH`,
    /// `liboqs=PATH`; all found when absent
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    providers: Vec<String>,
    /// A further worker: a command that speaks docs/WORKER.md, split at blanks; may be repeated
    #[arg(long, value_name = "COMMAND")]
    worker: Vec<String>,
    /// Only these algorithms of the plan, comma-separated
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    algorithms: Vec<String>,
    /// Only these operations of the plan, comma-separated
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    operations: Vec<String>,
    /// Measured seconds per row; lifts the plan's own time budget
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    seconds: Option<f64>,
    /// Operations per epoch; calibrated when absent
    #[arg(long, value_name = "N")]
    iterations: Option<u64>,
    /// Warm-up epochs per process: kept in the samples, used in no figure
    #[arg(long, value_name = "N")]
    warmup: Option<u32>,
    /// Rounds (one epoch of each provider) per process
    #[arg(long, value_name = "N")]
    rounds: Option<u32>,
    /// Fresh processes per provider and row; 6 or more for a 95 % interval
    #[arg(long, value_name = "N")]
    processes: Option<u32>,
    /// Seed of inputs and orders
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Seconds for the whole run, setting up included; fewer rounds when it gets short
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    time_budget: Option<f64>,
    /// Keys in the common inputs
    #[arg(long, value_name = "N")]
    keys: Option<usize>,
    /// Messages, ciphertexts, signatures in the common inputs; rounded down to a multiple of the keys
    #[arg(long, value_name = "N")]
    inputs: Option<usize>,
    /// Run directory to make; `runs/<utc>-<host>-<plan>` when absent
    #[arg(long, short, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Longest wait for a worker's answer beyond the time of the work itself, seconds, for trying out a new worker; its
    /// usual limits when absent (docs/WORKER.md)
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    patience: Option<f64>,
}

/// Set by Ctrl-C.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// The first Ctrl-C ends the run when the epochs in hand are over, the second at once.
fn interrupt(quiet: bool) {
    if INTERRUPTED.swap(true, Ordering::SeqCst) {
        if !quiet {
            eprintln!("interrupted again: ending at once");
        }
        // Who holds it prints: half a document would be none. A reader that takes nothing more delays the end.
        let _printed = std::io::stdout().lock();
        // Rows are durable when they are finished, and workers end when their standard input closes.
        std::process::exit(i32::from(FINDING));
    }
    if !quiet {
        eprintln!("interrupted: ending when the epochs in hand are over; once more ends at once");
    }
}

/// Measures and reports.
///
/// # Errors
/// Wrong use, no provider, a run directory that exists or cannot be written.
pub fn run(args: &RunArgs, global: Global) -> Outcome {
    let began = Instant::now();
    let plan = resolve(args)?;
    let limits = limits(args.patience)?;
    let candidates = discovery::select(&args.providers, &args.worker)?;
    // Without a handler Ctrl-C ends the program as ever, and what was written stays.
    let _ = ctrlc::set_handler(move || interrupt(global.quiet));
    let placement = placement(&fastest_cpus(Path::new("/"), &cpus_allowed()));
    if let Some(cpu) = placement.coordinator {
        let _ = pin_to_cpu(cpu);
    }
    let clock = clock::probe(clock::best().as_ref());
    let started_at = record::now();
    let host = host::here(&clock);
    let id = run_id(&started_at, host.name.as_deref().unwrap_or("unknown"), &plan.name);
    let Started { arms, providers, twice } = start(candidates, limits)?;
    let mut run = record::begin(id, started_at, &plan, host, providers);
    run.warnings.extend(warnings(&placement));
    run.warnings.extend(found::of_host(&run.host));
    run.warnings.extend(twice);
    if arms.is_empty() {
        let reasons: Vec<String> = run.providers.iter().filter_map(|p| p.reason.clone()).collect();
        return Err(CliError::environment(format!("no provider could be started: {}", reasons.join("; ")))
            .with_hint("`pqlab doctor` shows each with its reason"));
    }
    if !global.quiet {
        for lost in run.providers.iter().filter(|provider| provider.status == Status::Failed) {
            eprintln!("warning: {} failed: {}", lost.id, lost.reason.as_deref().unwrap_or("unknown"));
        }
        for twice in run.warnings.iter().filter(|warning| warning.code == NAMED_TWICE) {
            eprintln!("warning: {}", twice.message);
        }
    }
    let dir = args.output.clone().unwrap_or_else(|| Path::new("runs").join(&run.id));
    let writer = RunWriter::create(&dir, &run).map_err(write_error)?;
    let progress = Progress::new(plan.groups.len(), expected(&plan, arms.len()), global.quiet);
    let mut writing = Writing { writer, progress };
    let ending = measure(&mut writing, &plan, arms, limits, &clock, &placement, began)?;
    writing.update(|run| run.warnings.extend(found::of_setup(ending.setup, plan.settings.time_budget)))?;
    finish(writing, ending, global)
}

/// How long the measuring will take, as far as the plan says it.
fn expected(plan: &Plan, arms: usize) -> Option<Expected> {
    let seconds = plan.settings.seconds.map(|seconds| seconds * (arms * plan.groups.len()) as f64);
    plan.settings.time_budget.map(Expected::AtMost).or(seconds.map(Expected::About))
}

fn resolve(args: &RunArgs) -> Result<Plan, CliError> {
    let mut plan = Plan::load(&args.plan)?;
    let settings = &mut plan.settings;
    settings.seconds = args.seconds.or(settings.seconds);
    settings.iterations = args.iterations.or(settings.iterations);
    settings.warmup = args.warmup.unwrap_or(settings.warmup);
    settings.rounds = args.rounds.unwrap_or(settings.rounds);
    settings.processes = args.processes.unwrap_or(settings.processes);
    settings.seed = args.seed.unwrap_or(settings.seed);
    // Who asks for seconds per row shall get them; a budget given beside them holds too.
    settings.time_budget = args.time_budget.or(settings.time_budget.filter(|_| args.seconds.is_none()));
    settings.keys = args.keys.or(settings.keys);
    settings.inputs = args.inputs.or(settings.inputs);
    settings.check().map_err(|what| CliError::usage(what).with_hint("`pqlab run --help` describes each option"))?;
    filter(&mut plan.groups, &args.algorithms, &args.operations)?;
    if plan.groups.is_empty() {
        return Err(CliError::usage(format!("nothing of the plan `{}` is left", plan.name))
            .with_hint("--algorithms and --operations choose from the plan; `pqlab list plans` shows other plans"));
    }
    Ok(plan)
}

fn filter(groups: &mut Vec<Group>, algorithms: &[String], operations: &[String]) -> Result<(), CliError> {
    if !algorithms.is_empty() {
        let mut wanted = Vec::new();
        for name in algorithms {
            // A name that the plan itself brings may be one that only a loaded library knows.
            match groups.iter().find(|g| g.algorithm.eq_ignore_ascii_case(name)) {
                Some(group) => wanted.push(group.algorithm.clone()),
                None => wanted.push(plan::algorithm(name)?.name.to_owned()),
            }
        }
        if let Some(foreign) = wanted.iter().find(|name| !groups.iter().any(|group| group.algorithm == **name)) {
            return Err(CliError::usage(format!("the plan does not measure {foreign}"))
                .with_hint("--algorithms chooses from the plan; `pqlab list plans` shows other plans"));
        }
        groups.retain(|group| wanted.contains(&group.algorithm));
    }
    if !operations.is_empty() {
        let wanted: Vec<_> = operations.iter().map(|name| plan::operation(name)).collect::<Result<_, _>>()?;
        groups.retain(|group| wanted.contains(&group.operation));
    }
    Ok(())
}

/// Limits of time, shortened by `--patience`.
fn limits(patience: Option<f64>) -> Result<Limits, CliError> {
    let Some(seconds) = patience else { return Ok(Limits::default()) };
    match Duration::try_from_secs_f64(seconds) {
        Ok(patience) if !patience.is_zero() => Ok(Limits::default().at_most(patience)),
        _ => Err(CliError::usage(format!("patience is {seconds}, but must be above 0 s"))
            .with_hint("--patience 20 waits 20 s at most beyond the time of the work itself")),
    }
}

/// Starts every candidate. One that was found but cannot serve is noted; one that was named is an error of use, except
/// that a foreign worker which crashes, hangs or answers nonsense costs only itself.
fn start(candidates: Vec<Candidate>, limits: Limits) -> Result<Started, CliError> {
    let (mut arms, mut providers, mut twice): (Vec<Arm>, _, _) = (Vec::new(), Vec::new(), Vec::new());
    for Candidate { name, spec, demanded } in candidates {
        let foreign = matches!(spec, ProviderSpec::External { .. });
        match Arm::start(spec, limits) {
            Ok(arm) => match arms.iter().find(|known| known.id == arm.id) {
                // The same library under two names (a bundle that is also the system's) is measured once.
                Some(known) => {
                    if known.spec != arm.spec {
                        providers.push(record::duplicate(&name, &arm));
                    }
                    if demanded {
                        twice.push(named_twice(&name, known, &arm));
                    }
                }
                None => {
                    providers.push(record::provider(&arm));
                    arms.push(arm);
                }
            },
            Err(fault @ WorkerFault::NotStarted(_)) if foreign => {
                return Err(
                    CliError::usage(fault.to_string()).with_hint(format!("is the command of --worker '{name}' right?"))
                );
            }
            Err(fault) if demanded && !foreign => return Err(unusable(&name, &fault)),
            Err(fault) => providers.push(record::absent(&name, &fault)),
        }
    }
    Ok(Started { arms, providers, twice })
}

/// Who takes part.
struct Started {
    arms: Vec<Arm>,
    providers: Vec<report::record::Provider>,
    /// One for each that was asked for again.
    twice: Vec<Warning>,
}

/// Key of the warning of [`named_twice`].
const NAMED_TWICE: &str = "named-twice";

fn named_twice(name: &str, known: &Arm, again: &Arm) -> Warning {
    let hash = |arm: &Arm| arm.hello.identity.library.as_ref().map(|library| library.sha256.clone());
    let message = if hash(known) == hash(again) {
        format!("`{name}` is {}, which is named already: it is measured once.", again.id)
    } else {
        format!(
            "`{name}` calls itself {} as another file does that is named already: only that one is measured, since an id \
             has one place in a record. Measure `{name}` in a run of its own.",
            again.id
        )
    };
    Warning { code: NAMED_TWICE.into(), message }
}

fn unusable(name: &str, fault: &WorkerFault) -> CliError {
    let hint = match fault {
        WorkerFault::Refused(error) => error.hint.clone(),
        _ => None,
    };
    CliError::environment(format!("the provider {name} cannot be used: {fault}"))
        .with_hint(hint.unwrap_or_else(|| "`pqlab doctor` shows each provider with its reason".into()))
}

fn measure(
    writing: &mut Writing,
    plan: &Plan,
    arms: Vec<Arm>,
    limits: Limits,
    clock: &clock::ClockFacts,
    placement: &Placement,
    began: Instant,
) -> Result<Ending, CliError> {
    writing.progress.say("what measuring costs");
    let (harness, control) = tax::measure(clock, placement.worker, &INTERRUPTED);
    writing.update(|run| {
        run.harness = harness;
        run.controls.push(control);
    })?;
    let before = measure::host::CpuTimes::read(Path::new("/"));
    let mut coordinator = Coordinator {
        arms,
        settings: &plan.settings,
        clock: clock.clone(),
        worker_cpu: placement.worker,
        limits,
        interrupted: &INTERRUPTED,
        began,
    };
    writing.progress.say("A/A control");
    let control = aa::control(&coordinator, &plan.groups);
    writing.update(|run| run.controls.push(control))?;
    let ending = coordinator.run(&plan.groups, writing)?;
    let stolen = before.zip(measure::host::CpuTimes::read(Path::new("/"))).and_then(|(a, b)| a.steal_pct(&b));
    writing.update(|run| run.host.steal_pct = stolen)?;
    Ok(ending)
}

fn finish(mut writing: Writing, ending: Ending, global: Global) -> Outcome {
    writing.progress.finish();
    if ending.interrupted {
        writing.update(|run| {
            run.warnings.push(Warning {
                code: "interrupted".into(),
                message:
                    "The run was interrupted: rows that were not reached are missing, and those of the operation in \
                          hand have fewer samples than the plan asks for."
                        .into(),
            });
        })?;
    }
    writing.update(|run| run.warnings.extend(findings(run)))?;
    let dir = writing.writer.dir().to_path_buf();
    let run = writing.writer.finish(&record::now()).map_err(write_error)?;
    let page = crate::record::write_report(&dir, &run)?;
    if global.json {
        print_json(&run)?;
    } else {
        print(&crate::record::tables(&run, global)?)?;
        print(&format!("\nRun directory: {}\nReport:        {}\n", dir.display(), page.display()))?;
    }
    let nothing = nothing_measured(&run);
    if ending.interrupted && !global.quiet {
        eprintln!("interrupted: {} groups were measured and kept in {}", ending.groups, dir.display());
    } else if let (Some(why), false) = (&nothing, global.quiet) {
        eprintln!("warning: {why}");
    }
    let lost = run.providers.iter().any(|provider| provider.status == Status::Failed);
    let finding = ending.failed > 0 || ending.interrupted || lost || nothing.is_some();
    Ok(if finding { ExitCode::from(FINDING) } else { ExitCode::SUCCESS })
}

/// What the rows themselves say and a reader must not overlook.
fn findings(run: &Run) -> Vec<Warning> {
    let mut all: Vec<Warning> = Vec::new();
    let interrupted = run.warnings.iter().any(|warning| warning.code == "interrupted");
    if let (Some(message), false) = (nothing_measured(run), interrupted) {
        all.push(Warning { code: "nothing-measured".into(), message });
    }
    all.extend(too_little(run));
    all.extend(found::of_rows(run));
    for row in run.rows.iter().filter(|row| row.status == Status::Failed) {
        let message = format!(
            "{} {} was not timed: {}",
            row.provider,
            row.algorithm,
            row.reason.as_deref().unwrap_or("it failed")
        );
        let known = all.iter().any(|warning| warning.message == message);
        if row.reason.as_deref().is_some_and(|reason| reason.starts_with(NOT_CONFORMING)) && !known {
            all.push(Warning { code: "non-conforming".into(), message });
        }
    }
    all
}

/// Why no row has a number, in one line; nothing when one has.
fn nothing_measured(run: &Run) -> Option<String> {
    if run.rows.iter().any(|row| row.status == Status::Ok) {
        return None;
    }
    let asked = run.providers.iter().filter(|provider| provider.status == Status::Ok);
    let asked = asked.map(|provider| provider.id.as_str()).collect::<Vec<_>>().join(", ");
    let first = run.rows.iter().find(|row| row.status == Status::Failed).or(run.rows.first());
    let because = match first {
        None => format!("{asked} offers nothing of this plan"),
        Some(row) => format!(
            "{}: {}{}",
            row.id,
            row.reason.as_deref().unwrap_or("no reason recorded"),
            match run.rows.len() {
                1 => String::new(),
                rows => format!("; and so on for all {rows} rows of {asked}"),
            }
        ),
    };
    Some(format!("Nothing was measured. {because}. `pqlab list providers` shows who else could be asked."))
}

/// Share of disturbed samples above which a row is not believed, per cent; as in the tables.
const DISTURBED_PCT: f64 = 20.0;

/// Fewer samples than the plan asks for, and samples that something disturbed.
fn too_little(run: &Run) -> Vec<Warning> {
    let measured: Vec<&Row> = run.rows.iter().filter(|row| row.status == Status::Ok).collect();
    let setting = |name: &str| run.plan.settings.get(name).and_then(serde_json::Value::as_u64).unwrap_or(0);
    let rounds = |row: &Row| row.params.get("rounds").and_then(serde_json::Value::as_u64).unwrap_or(0);
    let timed = run.plan.settings.get("seconds").is_some_and(|seconds| !seconds.is_null());
    let cut = measured
        .iter()
        .filter(|row| u64::from(row.processes) < setting("processes") || (!timed && rounds(row) < setting("rounds")))
        .count();
    let disturbed = measured.iter().filter(|row| row.contaminated_pct.is_some_and(|pct| pct > DISTURBED_PCT)).count();
    let mut all = Vec::new();
    if cut > 0 {
        let message = format!(
            "{cut} of {} measured rows have fewer processes or rounds than the plan's {} and {}, because the time budget \
             ended: their intervals are wider or absent. Give a larger --time-budget, or fewer --algorithms.",
            measured.len(),
            setting("processes"),
            setting("rounds")
        );
        all.push(Warning { code: "budget-cut".into(), message });
    }
    if disturbed * 5 > measured.len() {
        let message = format!(
            "{disturbed} of {} measured rows have more than {DISTURBED_PCT} % of samples during which the worker waited for \
             a CPU: something else was running, slow libraries suffer more from it than fast ones, and neither medians nor \
             ratios of this run can be relied on. Measure again on an idle machine.",
            measured.len()
        );
        all.push(Warning { code: "disturbed".into(), message });
    }
    all
}

fn warnings(placement: &Placement) -> Vec<Warning> {
    let mut all = Vec::new();
    if let Some(note) = &placement.note {
        all.push(Warning { code: "placement".into(), message: note.clone() });
    }
    if cfg!(debug_assertions) {
        all.push(Warning {
            code: "debug-build".into(),
            message: "This pqlab is a debug build: Rust providers and the harness are slower than they are for users. \
                      Measure with `make run` or `cargo run --release -- run`."
                .into(),
        });
    }
    all
}

struct Writing {
    writer: RunWriter,
    progress: Progress,
}

impl Writing {
    fn update(&mut self, change: impl FnOnce(&mut Run)) -> Result<(), CliError> {
        self.writer.update(change).map_err(write_error)
    }
}

impl Observer for Writing {
    fn group(&mut self, done: usize, total: usize, what: &str) {
        self.progress.step(done, total, what);
    }

    fn rows(&mut self, rows: Vec<(Row, Vec<Sample>)>) -> Result<(), CliError> {
        for (row, samples) in rows {
            self.writer.add_row(row, &samples).map_err(write_error)?;
        }
        Ok(())
    }
}

fn write_error(error: WriteError) -> CliError {
    CliError::environment(error.to_string()).with_hint(error.hint())
}
