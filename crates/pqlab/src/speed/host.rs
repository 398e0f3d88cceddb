//! The host of a run that was measured elsewhere, or by a tool with a clock of its own.

use report::record::{Host, Unmeasurable};

/// A log does not say where it was measured: every field is absent, with that reason.
#[must_use]
pub fn unknown() -> Host {
    let fields = [
        "name",
        "cpu",
        "isa",
        "cores",
        "kernel",
        "os",
        "virtualised",
        "governor",
        "smt",
        "steal",
        "memory",
        "microcode",
        "load_1m",
        "clock",
        "grade",
    ];
    let reason = "imported: a log of `openssl speed` does not describe the host";
    Host {
        name: None,
        cpu: None,
        isa: Vec::new(),
        cores: None,
        kernel: None,
        os: None,
        virtualised: None,
        governor: None,
        smt: None,
        steal_pct: None,
        memory_bytes: None,
        microcode: None,
        load_1m: None,
        clock: None,
        grade: None,
        grade_reasons: Vec::new(),
        unmeasurable: fields.map(|what| Unmeasurable { what: what.into(), reason: reason.into() }).into(),
    }
}

/// This host; the samples of `openssl speed` are not timed with our clock.
#[must_use]
pub fn here_without_clock() -> Host {
    let mut host = crate::host::here(&measure::clock::probe(measure::clock::best().as_ref()));
    host.clock = None;
    host.unmeasurable.push(Unmeasurable {
        what: "clock".into(),
        reason: "`openssl speed` has a clock of its own: CPU time, or elapsed time with --elapsed, in steps of 10 ms"
            .into(),
    });
    host
}
