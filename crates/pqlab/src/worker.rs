//! The hidden verb `worker`: one provider, one process, requests by line (`docs/WORKER.md`).

use crate::error::{CliError, Outcome};
use crate::provider_spec::ProviderSpec;
use crate::wire::{
    Answer, Body, Calibrated, Epochs, Hello, Offer, PROTOCOL, Request, WireEpoch, WireError, WireIdentity, read_line,
};
use crate::workload::Operation;
use crate::workload::inputs::{self, Amount};
use crate::workload::offer::offered;
use crate::workload::perform::{Fields, Params, perform};
use crate::workload::timed::{MIX, Timed};
use crypto::{Error, Provider};
use measure::clock::{self, Clock};
use measure::sampler;
use protocol::encoding::Pool;
use serde::Serialize;
use serde_json::{Value, json};
use std::io::{BufReader, Write};
use std::path::Path;

/// Classic McEliece keeps megabytes on the stack.
const STACK: usize = 256 * 1024 * 1024;

/// Serves requests from standard input until it closes or `quit` comes.
///
/// # Errors
/// When the thread with the large stack cannot be started.
pub fn run(spec: ProviderSpec) -> Outcome {
    let serve = move || serve(&spec);
    let thread = std::thread::Builder::new().name("worker".into()).stack_size(STACK).spawn(serve);
    let thread = thread.map_err(|error| CliError::environment(format!("cannot start the worker thread: {error}")))?;
    thread.join().map_err(|_| CliError::environment("the worker thread panicked"))
}

/// Most operations of an epoch in latency mode: the answer has about 100 bytes for each and must fit in one line.
const MOST_STAMPED: u64 = 1 << 19;

fn serve(spec: &ProviderSpec) -> std::process::ExitCode {
    let mut worker = Worker { provider: spec.load(), clock: clock::best(), timed: None };
    let mut input = BufReader::new(std::io::stdin().lock());
    let mut output = std::io::stdout().lock();
    loop {
        let line = match read_line(&mut input) {
            Ok(Some(line)) => line,
            Ok(None) => return std::process::ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("worker: cannot read a request: {error}");
                return std::process::ExitCode::from(2);
            }
        };
        let (answer, last) = worker.answer(&line);
        let sent = serde_json::to_writer(&mut output, &answer)
            .map_err(std::io::Error::from)
            .and_then(|()| output.write_all(b"\n"))
            .and_then(|()| output.flush());
        if last || sent.is_err() {
            return std::process::ExitCode::SUCCESS;
        }
    }
}

struct Worker {
    provider: Result<Provider, Error>,
    clock: Box<dyn Clock>,
    timed: Option<Timed>,
}

impl Worker {
    fn answer(&mut self, line: &str) -> (Answer, bool) {
        let request: Request = match serde_json::from_str(line) {
            Ok(request) => request,
            Err(error) => {
                let id = serde_json::from_str::<Value>(line).ok().and_then(|v| v.get("id")?.as_u64()).unwrap_or(0);
                let what = format!("not a request of {PROTOCOL}: {error}");
                return (Answer { id, ok: None, error: Some(Error::usage(what).into()) }, false);
            }
        };
        let quit = matches!(request.body, Body::Quit);
        let answer = match self.handle(request.body) {
            Ok(value) => Answer { id: request.id, ok: Some(value), error: None },
            Err(error) => Answer { id: request.id, ok: None, error: Some(error) },
        };
        (answer, quit)
    }

    fn handle(&mut self, body: Body) -> Result<Value, WireError> {
        match body {
            Body::Quit => Ok(json!({})),
            Body::Hello { protocol } => self.hello(&protocol),
            Body::Perform { algorithm, operation, params, inputs } => {
                self.perform(&algorithm, &operation, &params, &inputs)
            }
            Body::Inputs { algorithm, seed, keys, items, size, path } => {
                self.inputs(&algorithm, &seed, Amount { keys, items, size }, Path::new(&path))
            }
            Body::Prepare { algorithm, operation, params: _, pool } => self.prepare(&algorithm, &operation, &pool),
            Body::Calibrate { target_ns, max_ns } => {
                let (timed, clock) = self.timed()?;
                let found = sampler::calibrate(timed, clock, target_ns, max_ns).map_err(failed)?;
                to_value(&Calibrated {
                    count: found.count,
                    ns_per_op: found.ns_per_op,
                    confirmed: Some(found.confirmed),
                })
            }
            Body::Epoch { first, count, mode } => self.epoch(first, count, mode.as_deref()),
        }
    }

    fn provider(&self) -> Result<&Provider, WireError> {
        self.provider.as_ref().map_err(|error| WireError {
            fault: error.fault().as_str().into(),
            what: error.what().into(),
            hint: error.hint().map(ToOwned::to_owned),
        })
    }

    fn timed(&mut self) -> Result<(&mut Timed, &dyn Clock), WireError> {
        match &mut self.timed {
            Some(timed) => Ok((timed, self.clock.as_ref())),
            None => Err(Error::usage("nothing is prepared: send `prepare` first").into()),
        }
    }

    fn hello(&self, protocol: &str) -> Result<Value, WireError> {
        if protocol != PROTOCOL {
            return Err(Error::usage(format!("this worker speaks {PROTOCOL}, not {protocol}")).into());
        }
        let provider = self.provider()?;
        to_value(&Hello {
            protocol: PROTOCOL.into(),
            identity: WireIdentity::from(&provider.identity),
            algorithms: offers(provider),
        })
    }

    fn perform(&self, algorithm: &str, operation: &str, params: &Params, inputs: &Fields) -> Result<Value, WireError> {
        let operation: Operation = operation.parse().map_err(Error::usage)?;
        let outputs = perform(self.provider()?, algorithm, operation, params, inputs)?;
        Ok(json!({ "outputs": outputs }))
    }

    fn inputs(&self, algorithm: &str, seed: &str, amount: Amount, path: &Path) -> Result<Value, WireError> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(seed, &mut bytes).map_err(|e| Error::usage(format!("seed: {e}")))?;
        let (pool, seeded) = inputs::make(self.provider()?, algorithm, &bytes, amount)?;
        let encoded = pool.encode().map_err(|e| Error::usage(format!("pool of {algorithm}: {e}")))?;
        std::fs::write(path, encoded)
            .map_err(|e| Error::environment(format!("cannot write the pool {}: {e}", path.display())))?;
        Ok(json!({ "keys": amount.keys, "items": amount.items, "seeded": seeded }))
    }

    fn prepare(&mut self, algorithm: &str, operation: &str, pool: &str) -> Result<Value, WireError> {
        self.timed = None;
        let operation: Operation = operation.parse().map_err(Error::usage)?;
        let bytes = std::fs::read(pool).map_err(|e| Error::environment(format!("cannot read the pool {pool}: {e}")))?;
        let decoded = Pool::decode(&bytes).map_err(|e| Error::usage(format!("pool {pool}: {e}")))?;
        drop(bytes);
        let timed = Timed::prepare(self.provider()?, algorithm, operation, &decoded)?;
        self.timed = Some(timed);
        Ok(json!({ "ready": true }))
    }

    fn epoch(&mut self, first: u64, count: u64, mode: Option<&str>) -> Result<Value, WireError> {
        let (timed, clock) = self.timed()?;
        let epochs = match mode {
            None | Some("throughput") => vec![sampler::epoch(timed, clock, first, count).map_err(failed)?],
            Some("latency") if count > MOST_STAMPED => {
                let what = format!("{count} operations cannot be stamped singly in one epoch, at most {MOST_STAMPED}");
                return Err(Error::usage(what).with_hint("give fewer --iterations").into());
            }
            Some("latency") => sampler::latencies(timed, clock, first, count).map_err(failed)?,
            Some(other) => return Err(Error::usage(format!("unknown mode `{other}`")).into()),
        };
        timed.check().map_err(failed)?;
        // Chained as if all had been one: an epoch of one operation has the digest w · MIX.
        let digest = epochs.iter().fold(0_u64, |all, epoch| all.wrapping_mul(MIX).wrapping_add(epoch.digest));
        let epochs = epochs
            .into_iter()
            .map(|e| WireEpoch {
                elapsed_ns: e.elapsed_ns,
                count: e.count,
                nivcsw: e.nivcsw,
                run_delay_ns: e.run_delay_ns,
                steal_ticks: e.steal_ticks,
            })
            .collect();
        to_value(&Epochs { epochs, digest: format!("{digest:016x}") })
    }
}

/// What a provider offers, with the operations that its interface really has.
fn offers(provider: &Provider) -> Vec<Offer> {
    offered(provider)
        .into_iter()
        .map(|(row, operations)| Offer {
            name: row.name.into(),
            family: row.family,
            operations: operations.into_iter().map(|operation| operation.as_str().to_owned()).collect(),
            sizes: row.sizes,
            standard: Some(row.standard.into()),
            category: row.category,
            oid: row.oid.map(ToOwned::to_owned),
        })
        .collect()
}

fn failed(what: String) -> WireError {
    Error::provider(what).into()
}

fn to_value(value: &impl Serialize) -> Result<Value, WireError> {
    serde_json::to_value(value).map_err(|e| Error::provider(format!("cannot encode the answer: {e}")).into())
}

#[cfg(test)]
mod tests;
