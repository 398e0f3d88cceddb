//! A fixed, realistic run: five libraries (one of them twice), every family, every status, null fields with reasons.
//!
//! Times follow measurements on a two-core virtual machine; spread and samples come from a small generator, so the run
//! is the same everywhere.
#![allow(dead_code, reason = "each test binary uses a part")]

use report::record::{
    Clock, Control, Harness, Host, Library, Mode, Plan, Provider, Row, Run, SCHEMA, Sample, Status, Unmeasurable,
    Warning,
};
use serde_json::json;
use std::collections::BTreeMap;

pub const AWS: &str = "aws-lc@1.19.0";
pub const RUST: &str = "rustcrypto@0.3.2";
pub const LIBCRUX: &str = "libcrux@0.0.11";
pub const OPENSSL: &str = "openssl@3.5.5";
pub const FIPS: &str = "openssl@3.5.5+fips";
pub const LIBOQS: &str = "liboqs@0.13.0";
pub const NULL: &str = "null@0.1.0";

/// Processes of the plan.
const PROCESSES: u32 = 6;
/// Kept samples per process.
const ROUNDS: u32 = 16;

/// Strings that break careless renderers.
pub const HOSTILE: &str = "<script>alert(1)</script> \u{2028}\u{202e} $\\%_{}^~#& =cmd|' \"quoted\" `tick` | **bold** ]]> </table> ${x} \u{1b}[31m\u{0}é";

/// A multiplicative congruential generator (MINSTD), enough for made-up noise.
pub struct Noise(u64);

impl Noise {
    pub fn new(seed: u64) -> Self {
        Self(seed % 2_147_483_646 + 1)
    }

    /// In 0 … 1.
    pub fn share(&mut self) -> f64 {
        self.0 = self.0 * 48_271 % 2_147_483_647;
        self.0 as f64 / 2_147_483_647.0
    }
}

/// Three decimals, so that the record reads like a record.
fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

struct Work<'w> {
    family: &'w str,
    algorithm: &'w str,
    operation: &'w str,
    size: Option<u64>,
    form: Option<&'w str>,
    mode: Mode,
    sizes: &'w [(&'w str, u64)],
}

impl Work<'_> {
    fn empty_row(&self, provider: &str, status: Status, reason: Option<&str>) -> Row {
        let mut id = format!("{provider}/{}/{}", self.algorithm, self.operation);
        let mut params = BTreeMap::new();
        if let Some(form) = self.form {
            id = format!("{id}/{form}");
            params.insert("form".to_owned(), json!(form));
        }
        if let Some(size) = self.size {
            id = format!("{id}/{size}");
            params.insert("size".to_owned(), json!(size));
        }
        if self.mode == Mode::Latency {
            id.push_str("/latency");
        }
        params.insert("inputs".to_owned(), json!(4096));
        let nulls = [
            "median_ns",
            "ci95_ns",
            "ci_coverage_pct",
            "bootstrap95_ns",
            "mean_ns",
            "mad_ns",
            "min_ns",
            "p95_ns",
            "p99_ns",
            "cov_pct",
            "ops_per_s",
            "bytes_per_s",
            "contaminated_pct",
            "clean_median_ns",
            "autocorrelation",
            "drift",
        ];
        let absent = nulls.iter().map(|name| ((*name).to_owned(), "not measured, see reason".to_owned())).collect();
        Row {
            id,
            family: self.family.into(),
            algorithm: self.algorithm.into(),
            operation: self.operation.into(),
            params,
            provider: provider.into(),
            mode: self.mode,
            status,
            reason: reason.map(str::to_owned),
            n: 0,
            processes: 0,
            median_ns: None,
            ci95_ns: None,
            ci_coverage_pct: None,
            bootstrap95_ns: None,
            mean_ns: None,
            mad_ns: None,
            min_ns: None,
            p95_ns: None,
            p99_ns: None,
            cov_pct: None,
            ops_per_s: None,
            bytes_per_s: None,
            contaminated_pct: None,
            clean_median_ns: None,
            autocorrelation: None,
            drift: None,
            sizes: self.sizes.iter().map(|(name, size)| ((*name).to_owned(), *size)).collect(),
            absent: if status == Status::Ok { BTreeMap::new() } else { absent },
        }
    }

    fn row(&self, provider: &str, median: f64, status: Status, reason: Option<&str>) -> Row {
        let mut row = self.empty_row(provider, status, reason);
        let mut noise = Noise::new(row.id.bytes().fold(7, |h, b| h * 31 % 1_000_003 + u64::from(b)));
        let median = rounded(median);
        let spread = 0.002 + 0.012 * noise.share();
        row.n = u64::from(PROCESSES * ROUNDS);
        row.processes = PROCESSES;
        row.median_ns = Some(median);
        row.ci95_ns = Some([rounded(median * (1.0 - spread)), rounded(median * (1.0 + spread))]);
        row.ci_coverage_pct = Some(96.875);
        row.bootstrap95_ns = Some([rounded(median * (1.0 - spread * 0.8)), rounded(median * (1.0 + spread * 0.9))]);
        row.mean_ns = Some(rounded(median * 1.011));
        row.mad_ns = Some(rounded(median * spread));
        row.min_ns = Some(rounded(median * (1.0 - 2.0 * spread)));
        row.p95_ns = Some(rounded(median * (1.0 + 4.0 * spread)));
        row.p99_ns = Some(rounded(median * (1.0 + 11.0 * spread)));
        row.cov_pct = Some(rounded(spread * 180.0));
        row.ops_per_s = Some(rounded(1e9 / (median * 1.011)));
        row.contaminated_pct = Some(rounded(noise.share() * 6.0));
        row.clean_median_ns = Some(rounded(median * 0.999));
        row.autocorrelation = Some(rounded(noise.share() * 0.4 - 0.1));
        row.drift = Some(noise.share() > 0.96);
        row.absent.clear();
        match self.size.filter(|_| ["aead", "hash", "mac", "kdf"].contains(&self.family)) {
            Some(size) => row.bytes_per_s = Some(rounded(size as f64 * 1e9 / (median * 1.011))),
            None => {
                row.absent.insert("bytes_per_s".into(), "the cost does not depend on a size".into());
            }
        }
        row
    }
}

fn work<'w>(family: &'w str, algorithm: &'w str, operation: &'w str, sizes: &'w [(&'w str, u64)]) -> Work<'w> {
    Work { family, algorithm, operation, size: None, form: None, mode: Mode::Throughput, sizes }
}

/// The run of the golden files.
pub fn run() -> Run {
    Run {
        schema: SCHEMA.into(),
        id: "20260314T092653Z-lab-7-quick".into(),
        tool_version: "0.1.0".into(),
        started_at: "2026-03-14T09:26:53Z".into(),
        finished_at: Some("2026-03-14T09:28:31Z".into()),
        command: ["pqlab", "run", "quick", "--seed", "7", "--note", "two words"].map(str::to_owned).into(),
        plan: Plan {
            name: "quick".into(),
            analysis: Some("What the common operations cost in each library, in under two minutes.".into()),
            settings: BTreeMap::from([
                ("epoch_ns".into(), json!(1_000_000)),
                ("processes".into(), json!(PROCESSES)),
                ("rounds".into(), json!(ROUNDS)),
                ("warmup".into(), json!(2)),
            ]),
        },
        seed: 7,
        host: host(),
        providers: providers(),
        harness: Harness {
            tax_ns: Some(2.84),
            tax_by_operation: BTreeMap::from([("encaps".into(), 2.84), ("sign".into(), 0.84), ("seal".into(), 0.79)]),
            reason: None,
        },
        rows: rows(),
        controls: vec![
            control("conformance", true, "412 vectors and 96 cross-provider checks passed before timing"),
            control("null-operation", false, "2.84 ns per operation, limit 2 ns"),
            control("aa", true, "ratio 1.0012, 95 % interval 0.9971 to 1.0048, 6 process pairs"),
        ],
        warnings: vec![
            warning(
                "shared-vm",
                "This is a shared virtual machine: other guests change the clock rate and the caches. Compare rows inside \
                 this run, not with other days; a bare-metal host gives grade A.",
            ),
            warning("contaminated", "In 3 rows more than 5 % of the samples were disturbed; they are kept and marked."),
        ],
    }
}

/// The same run with an A/A control that did not pass.
pub fn without_standings() -> Run {
    let mut run = run();
    run.controls.retain(|known| known.name != "aa");
    run.controls.push(control("aa", false, "ratio 1.0412, 95 % interval 1.0171 to 1.0648, 6 process pairs"));
    run
}

fn control(name: &str, passed: bool, detail: &str) -> Control {
    Control { name: name.into(), passed: Some(passed), detail: detail.into() }
}

fn warning(code: &str, message: &str) -> Warning {
    Warning { code: code.into(), message: message.into() }
}

fn host() -> Host {
    let unmeasurable = |what: &str, reason: &str| Unmeasurable { what: what.into(), reason: reason.into() };
    Host {
        name: Some("lab-7".into()),
        cpu: Some("AMD EPYC 7763 64-Core Processor".into()),
        isa: ["aes", "avx2", "bmi2", "pclmulqdq", "sha_ni", "vaes"].map(str::to_owned).into(),
        cores: Some(2),
        kernel: Some("6.1.0-42-amd64".into()),
        os: Some("Debian GNU/Linux 12 (bookworm)".into()),
        virtualised: Some("kvm".into()),
        governor: None,
        smt: Some(true),
        steal_pct: Some(0.21),
        load_1m: Some(0.08),
        memory_bytes: Some(25_216_532_480),
        microcode: None,
        clock: Some(Clock { name: "tsc".into(), step_ns: 10.0, cost_ns: 21.5 }),
        grade: Some("D".into()),
        grade_reasons: ["virtualised (kvm)", "no control of the frequency", "SMT is on"].map(str::to_owned).into(),
        unmeasurable: vec![
            unmeasurable("cycles", "perf_event_open: no hardware counters in this guest"),
            unmeasurable("energy", "no RAPL domain under /sys/class/powercap"),
            unmeasurable("governor", "no cpufreq under /sys/devices/system/cpu"),
            unmeasurable("microcode", "the hypervisor shows none"),
        ],
    }
}

fn providers() -> Vec<Provider> {
    let linked = |id: &str, isa_path: Option<&str>, origin: &str| {
        let (name, version) = id.split_once('@').unwrap();
        let mut absent = BTreeMap::from([
            ("library".to_owned(), "linked into pqlab".to_owned()),
            ("fips".to_owned(), "this library has no FIPS module".to_owned()),
            ("flags".to_owned(), "the crate does not tell".to_owned()),
        ]);
        if isa_path.is_none() {
            absent.insert("isa_path".into(), "the library does not tell".into());
        }
        Provider {
            id: id.into(),
            name: name.into(),
            version: Some(version.into()),
            library: None,
            flags: None,
            isa_path: isa_path.map(str::to_owned),
            fips: None,
            origin: origin.into(),
            status: Status::Ok,
            reason: None,
            absent,
        }
    };
    let loaded = |id: &str, version: &str, path: &str, digits: &str, fips: Option<&str>| Provider {
        id: id.into(),
        name: id.split('@').next().unwrap().into(),
        version: Some(version.into()),
        library: Some(Library { path: path.into(), sha256: digits.repeat(32) }),
        flags: Some("gcc -fPIC -pthread -m64 -O3 -DNDEBUG".into()),
        isa_path: Some("avx2, sha_ni".into()),
        fips: fips.map(str::to_owned),
        origin: format!("bundle {id}"),
        status: Status::Ok,
        reason: None,
        absent: match fips {
            Some(_) => BTreeMap::new(),
            None => BTreeMap::from([("fips".to_owned(), "the FIPS provider is not loaded".to_owned())]),
        },
    };
    let lib = "/opt/pqlab/bundles";
    vec![
        linked(AWS, Some("avx2 assembly"), "crate aws-lc-rs 1.19.0"),
        linked(RUST, None, "crates ml-kem 0.3.2, ml-dsa 0.1.0, slh-dsa 0.2.0-rc.5"),
        linked(LIBCRUX, Some("avx2"), "crate libcrux-ml-kem 0.0.11"),
        loaded(OPENSSL, "OpenSSL 3.5.5", &format!("{lib}/openssl-3.5.5/lib64/libcrypto.so.3"), "3a", None),
        loaded(
            FIPS,
            "OpenSSL 3.5.5",
            &format!("{lib}/openssl-3.5.5/lib64/libcrypto.so.3"),
            "3a",
            Some("FIPS provider 3.5.5, self-test passed"),
        ),
        loaded(LIBOQS, "0.13.0", &format!("{lib}/liboqs-0.13.0/lib/liboqs.so.7"), "b0", None),
        linked(NULL, Some("none"), "part of pqlab"),
        Provider {
            id: "openssl@1.1.1w".into(),
            name: "openssl".into(),
            version: None,
            library: None,
            flags: None,
            isa_path: None,
            fips: None,
            origin: "bundle openssl@1.1.1w".into(),
            status: Status::Unavailable,
            reason: Some("the bundle is not built; `pqlab bundle build openssl@1.1.1w` builds it".into()),
            absent: BTreeMap::from([("version".into(), "the library could not be loaded".into())]),
        },
    ]
}

fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    kem_rows(&mut rows);
    agreement_rows(&mut rows);
    signature_rows(&mut rows);
    symmetric_rows(&mut rows);
    latency_rows(&mut rows);
    // One row of each kind of chart that was disturbed too often, and one that the time budget left with too few processes.
    for row in &mut rows {
        let over_sizes = row.algorithm == "HMAC-SHA256" && row.provider == RUST;
        if row.id == "openssl@3.5.5/X25519/derive"
            || over_sizes && row.params.get("size").and_then(serde_json::Value::as_u64) == Some(1024)
        {
            row.contaminated_pct = Some(31.25);
        }
        if row.id == "liboqs@0.13.0/Classic-McEliece-8192128/keygen" {
            row.processes = 4;
            row.n = 64;
            row.ci95_ns = None;
            row.ci_coverage_pct = None;
            row.bootstrap95_ns = None;
            for name in ["ci95_ns", "ci_coverage_pct", "bootstrap95_ns"] {
                row.absent.insert(name.into(), "4 of the at least 6 values that a 95 % interval of a median needs: smallest to largest of 4 covers 87.5 %".into());
            }
        }
    }
    rows.push(work("kem", "ML-KEM-768", "encaps", &[]).row(NULL, 0.91, Status::Ok, None));
    rows
}

fn kem_rows(rows: &mut Vec<Row>) {
    let sizes_768 = [("public", 1184), ("secret", 2400), ("ciphertext", 1088), ("shared", 32)];
    let sizes_1024 = [("public", 1568), ("secret", 3168), ("ciphertext", 1568), ("shared", 32)];
    let table = [
        ("keygen", [12_940.0, 31_200.0, 14_310.0, 21_870.0, 48_020.0, 13_020.0]),
        ("encaps", [14_870.0, 33_950.0, 15_290.0, 17_410.0, 17_520.0, 14_960.0]),
        ("decaps", [16_920.0, 42_100.0, 16_480.0, 25_330.0, 25_390.0, 16_510.0]),
    ];
    for (algorithm, factor, sizes) in [("ML-KEM-768", 1.0, &sizes_768), ("ML-KEM-1024", 1.46, &sizes_1024)] {
        for (operation, times) in &table {
            let work = work("kem", algorithm, operation, sizes);
            for (provider, time) in [AWS, RUST, LIBCRUX, OPENSSL, FIPS, LIBOQS].iter().zip(times) {
                let row = match (algorithm, *operation, *provider) {
                    ("ML-KEM-1024", "decaps", RUST) => {
                        work.empty_row(RUST, Status::Failed, Some("worker killed by SIGSEGV during warm-up"))
                    }
                    ("ML-KEM-1024", "keygen", FIPS) => work.row(
                        FIPS,
                        time * factor,
                        Status::Inconclusive,
                        Some("A/A control rejected: the two halves of the run differ by 4.1 %"),
                    ),
                    _ => work.row(provider, time * factor, Status::Ok, None),
                };
                rows.push(row);
            }
        }
    }
    let mceliece = [("public", 1_357_824), ("secret", 14_120), ("ciphertext", 208), ("shared", 32)];
    for (operation, time) in [("keygen", 412_000_000.0), ("encaps", 98_400.0), ("decaps", 171_000.0)] {
        rows.push(work("kem", "Classic-McEliece-8192128", operation, &mceliece).row(LIBOQS, time, Status::Ok, None));
    }
    for (provider, forms) in [(AWS, ["expanded"].as_slice()), (RUST, &["expanded", "seed"])] {
        for form in forms {
            let mut work = work("kem", "ML-KEM-768", "import-secret", &sizes_768);
            work.form = Some(form);
            rows.push(work.row(provider, if *form == "seed" { 31_400.0 } else { 6_210.0 }, Status::Ok, None));
        }
        rows.push(work("kem", "ML-KEM-768", "import-public", &sizes_768).row(provider, 5_430.0, Status::Ok, None));
    }
}

fn agreement_rows(rows: &mut Vec<Row>) {
    for (algorithm, operation, times) in [
        ("X25519", "keygen", [17_210.0, 29_840.0, 40_150.0]),
        ("X25519", "derive", [32_870.0, 41_020.0, 41_360.0]),
        ("P-256", "keygen", [9_860.0, 152_300.0, 12_940.0]),
        ("P-256", "derive", [41_200.0, 151_800.0, 44_010.0]),
    ] {
        let sizes: &[(&str, u64)] =
            if algorithm == "X25519" { &[("public", 32), ("shared", 32)] } else { &[("public", 65), ("shared", 32)] };
        let work = work("agreement", algorithm, operation, sizes);
        for (provider, time) in [AWS, RUST, OPENSSL].iter().zip(times) {
            rows.push(work.row(provider, time, Status::Ok, None));
        }
        rows.push(work.empty_row(LIBOQS, Status::Unavailable, Some("liboqs offers no classical key agreement")));
    }
}

fn signature_rows(rows: &mut Vec<Row>) {
    let dsa = [("public", 1952), ("secret", 4032), ("signature", 3309)];
    let slh = [("public", 32), ("secret", 64), ("signature", 17_088)];
    let ed = [("public", 32), ("secret", 32), ("signature", 64)];
    for (algorithm, operation, sizes, times) in [
        ("ML-DSA-65", "keygen", &dsa, [41_300.0, 162_000.0, 97_800.0]),
        ("ML-DSA-65", "sign", &dsa, [113_000.0, 431_000.0, 248_000.0]),
        ("ML-DSA-65", "verify", &dsa, [37_100.0, 148_000.0, 93_100.0]),
        ("SLH-DSA-SHAKE-128f", "keygen", &slh, [0.0, 2_410_000.0, 1_730_000.0]),
        ("SLH-DSA-SHAKE-128f", "sign", &slh, [0.0, 57_200_000.0, 40_900_000.0]),
        ("SLH-DSA-SHAKE-128f", "verify", &slh, [0.0, 3_480_000.0, 2_520_000.0]),
        ("Ed25519", "keygen", &ed, [8_920.0, 14_600.0, 19_700.0]),
        ("Ed25519", "sign", &ed, [8_310.0, 16_900.0, 21_100.0]),
        ("Ed25519", "verify", &ed, [24_800.0, 31_700.0, 55_900.0]),
    ] {
        let work = work("signature", algorithm, operation, sizes);
        for (provider, time) in [AWS, RUST, OPENSSL].iter().zip(times) {
            rows.push(if time > 0.0 {
                work.row(provider, time, Status::Ok, None)
            } else {
                work.empty_row(provider, Status::Unavailable, Some("aws-lc-rs does not offer SLH-DSA"))
            });
        }
    }
}

fn symmetric_rows(rows: &mut Vec<Row>) {
    for (family, algorithm, operation, fixed, per_byte) in [
        ("aead", "AES-256-GCM", "seal", 92.0, [0.151, 1.32, 0.158]),
        ("aead", "AES-256-GCM", "open", 99.0, [0.153, 1.33, 0.161]),
        ("hash", "SHA3-256", "hash", 410.0, [2.31, 2.44, 2.35]),
        ("mac", "HMAC-SHA256", "mac", 260.0, [0.62, 0.66, 0.61]),
        ("kdf", "HKDF-SHA256", "derive", 900.0, [8.1, 9.9, 9.0]),
    ] {
        let sizes: &[u64] = if family == "kdf" { &[16, 256] } else { &[16, 256, 1024, 16_384, 65_536] };
        for size in sizes {
            let mut work = work(family, algorithm, operation, &[]);
            work.size = Some(*size);
            for (index, (provider, slope)) in [AWS, RUST, OPENSSL].iter().zip(per_byte).enumerate() {
                let time = fixed * (1.0 + 0.3 * index as f64) + slope * *size as f64;
                rows.push(work.row(provider, time, Status::Ok, None));
            }
        }
    }
}

fn latency_rows(rows: &mut Vec<Row>) {
    for (family, algorithm, operation, times) in [
        ("kem", "ML-KEM-768", "encaps", [14_900.0, 34_000.0, 17_500.0]),
        ("signature", "ML-DSA-65", "sign", [113_400.0, 431_900.0, 249_000.0]),
    ] {
        let mut work = work(family, algorithm, operation, &[]);
        work.mode = Mode::Latency;
        for (provider, time) in [AWS, RUST, OPENSSL].iter().zip(times) {
            rows.push(work.row(provider, time, Status::Ok, None));
        }
    }
}

/// Samples of one row: warm-up, then as many as the row says, some disturbed.
pub fn samples_of(row: &Row) -> Vec<Sample> {
    let Some(median) = row.median_ns else { return Vec::new() };
    let mut noise = Noise::new(row.id.bytes().fold(3, |h, b| h * 37 % 999_983 + u64::from(b)));
    let count = if row.mode == Mode::Latency { 1 } else { (1_000_000.0 / median).ceil().max(1.0) as u64 };
    let spread =
        if row.algorithm == "ML-DSA-65" && row.operation == "sign" && row.mode == Mode::Latency { 0.9 } else { 0.02 };
    let rounds = u32::try_from(row.n / u64::from(row.processes.max(1))).unwrap();
    let mut samples = Vec::new();
    for process in 0..row.processes {
        for round in 0..rounds + 1 {
            let disturbed = noise.share() > 0.97;
            let jitter = 1.0
                + spread * (noise.share() + noise.share() - 1.0)
                + if disturbed { 0.4 * noise.share() } else { 0.0 };
            samples.push(Sample {
                row: row.id.clone(),
                process,
                round,
                position: (noise.share() * 6.0) as u32,
                count,
                elapsed_ns: rounded(median * jitter * count as f64),
                nivcsw: Some(u64::from(disturbed)),
                run_delay_ns: (process != 5).then_some(if disturbed { 41_000 } else { 0 }),
                steal_ticks: if process == 0 { None } else { Some(u64::from(disturbed)) },
                warmup: round == 0,
            });
        }
    }
    to_median(samples, median)
}

/// Scaled so that the median of the processes' medians is the row's.
fn to_median(mut samples: Vec<Sample>, median: f64) -> Vec<Sample> {
    let middle = |values: Vec<f64>| measure::stats::Sorted::new(&values).unwrap().quantile(0.5);
    let mut processes: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for sample in samples.iter().filter(|sample| !sample.warmup) {
        processes.entry(sample.process).or_default().push(sample.elapsed_ns / sample.count as f64);
    }
    let scale = median / middle(processes.into_values().map(middle).collect());
    samples.iter_mut().for_each(|sample| sample.elapsed_ns *= scale);
    samples
}

/// Samples of all rows, in order.
pub fn samples(run: &Run) -> Vec<Sample> {
    run.rows.iter().flat_map(samples_of).collect()
}

/// The run with every string that comes from outside replaced by [`HOSTILE`].
pub fn hostile_run() -> Run {
    let mut run = run();
    let text = || HOSTILE.to_owned();
    run.id = text();
    run.tool_version = text();
    run.command = vec![text(), text()];
    run.plan.name = text();
    run.plan.analysis = Some(text());
    run.plan.settings.insert(text(), json!(HOSTILE));
    run.host.name = Some(text());
    run.host.cpu = Some(text());
    run.host.grade_reasons.push(text());
    run.host.unmeasurable.push(Unmeasurable { what: text(), reason: text() });
    run.warnings.push(Warning { code: text(), message: text() });
    run.controls.push(Control { name: text(), passed: None, detail: text() });
    run.harness.tax_by_operation.insert(text(), 1.0);
    for provider in run.providers.iter_mut().filter(|provider| provider.id == OPENSSL) {
        provider.id = text();
        provider.origin = text();
        provider.flags = Some(text());
        provider.library = Some(Library { path: text(), sha256: text() });
    }
    for row in run.rows.iter_mut().filter(|row| row.provider == OPENSSL || row.status != Status::Ok) {
        row.id = format!("{HOSTILE}{}", row.id);
        row.provider = text();
        row.reason = Some(text());
        row.sizes.insert(text(), 9);
        row.params.insert("form".into(), json!(HOSTILE));
        row.params.insert(text(), json!(HOSTILE));
        row.absent.insert(text(), text());
        if row.operation == "encaps" {
            row.algorithm = text();
            row.operation = text();
        }
        if row.operation == "derive" {
            row.family = text();
        }
    }
    run
}
