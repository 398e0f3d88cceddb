//! The providers of a run: found, started once to say who they are, kept for untimed requests.

use super::STRIKES;
use super::handle::{WorkerFault, WorkerHandle};
use super::limits::Limits;
use crate::conformance::{self, PerformError, Performer};
use crate::provider_spec::ProviderSpec;
use crate::wire::{Body, Hello, Offer};
use crate::workload::perform::Fields;
use crypto::Fault;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A provider that answered `hello`.
pub struct Arm {
    /// `name@version[+variant]`.
    pub id: String,
    /// How to start it.
    pub spec: ProviderSpec,
    /// Who it is and what it offers.
    pub hello: Arc<Hello>,
    /// How long it may take to answer.
    pub limits: Limits,
    service: Arc<Mutex<Service>>,
}

/// The worker for untimed requests (inputs, conformance); started again after it died.
struct Service {
    spec: ProviderSpec,
    limits: Limits,
    worker: Option<WorkerHandle>,
    /// Crashes, hangs and nonsense so far, timed ones included.
    strikes: u32,
    /// The last of them.
    last: String,
}

impl Service {
    fn request<T: DeserializeOwned>(&mut self, body: Body, limit: Duration) -> Result<T, WorkerFault> {
        // Each request may cost its whole limit: after a few, no more are asked.
        if let Some(reason) = self.given_up() {
            return Err(WorkerFault::NotStarted(reason));
        }
        if self.worker.is_none() {
            let started = WorkerHandle::start(&self.spec, 0, None)
                .and_then(|mut worker| worker.hello(self.limits.hello).map(|_| worker));
            match started {
                Ok(worker) => self.worker = Some(worker),
                Err(fault) => {
                    self.strike(&fault.to_string());
                    return Err(fault);
                }
            }
        }
        let Some(worker) = self.worker.as_mut() else {
            return Err(WorkerFault::NotStarted("no service worker".into()));
        };
        let result = worker.request(body, limit);
        if let Err(fault) = &result
            && fault.is_fatal()
        {
            self.worker = None;
            self.strike(&fault.to_string());
        }
        result
    }

    fn strike(&mut self, reason: &str) {
        self.strikes += 1;
        reason.clone_into(&mut self.last);
    }

    fn given_up(&self) -> Option<String> {
        (self.strikes >= STRIKES).then(|| {
            format!("given up after {STRIKES} crashes, hangs or wrong answers in this run, the last: {}", self.last)
        })
    }
}

impl Arm {
    /// Starts the provider and asks who it is.
    ///
    /// # Errors
    /// Any [`WorkerFault`].
    pub fn start(spec: ProviderSpec, limits: Limits) -> Result<Self, WorkerFault> {
        let mut worker = WorkerHandle::start(&spec, 0, None)?;
        let mut hello = worker.hello(limits.hello)?;
        for offer in &mut hello.algorithms {
            complete(offer);
        }
        let service = Service { spec: spec.clone(), limits, worker: Some(worker), strikes: 0, last: String::new() };
        Ok(Self {
            id: hello.identity.id(),
            spec,
            limits,
            hello: Arc::new(hello),
            service: Arc::new(Mutex::new(service)),
        })
    }

    /// Name without version.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.hello.identity.name
    }

    /// What it offers under that canonical name.
    #[must_use]
    pub fn offer(&self, algorithm: &str) -> Option<&Offer> {
        self.hello.algorithms.iter().find(|offer| offer.name == algorithm)
    }

    /// An untimed request to the service worker.
    ///
    /// # Errors
    /// Any [`WorkerFault`]; after a fatal one the next request starts a fresh process.
    pub fn request<T: DeserializeOwned>(&self, body: Body, limit: Duration) -> Result<T, WorkerFault> {
        self.service.lock().unwrap_or_else(PoisonError::into_inner).request(body, limit)
    }

    /// Why the provider is asked no more, once it has crashed, hung or answered nonsense too often.
    #[must_use]
    pub fn given_up(&self) -> Option<String> {
        self.service.lock().unwrap_or_else(PoisonError::into_inner).given_up()
    }

    /// A crash, hang or nonsense of a timed worker.
    pub fn strike(&self, reason: &str) {
        self.service.lock().unwrap_or_else(PoisonError::into_inner).strike(reason);
    }

    /// The same provider for conformance checks.
    #[must_use]
    pub fn performer(&self) -> Box<dyn Performer> {
        Box::new(Served {
            id: self.id.clone(),
            hello: Arc::clone(&self.hello),
            limits: self.limits,
            service: Arc::clone(&self.service),
        })
    }
}

/// An arm as a performer: `perform` requests to its service worker.
struct Served {
    id: String,
    hello: Arc<Hello>,
    limits: Limits,
    service: Arc<Mutex<Service>>,
}

#[derive(Deserialize)]
struct Performed {
    outputs: Fields,
}

impl Performer for Served {
    fn id(&self) -> String {
        self.id.clone()
    }

    fn algorithms(&self) -> Vec<conformance::Offer> {
        let offers = self.hello.algorithms.iter();
        offers
            .map(|offer| conformance::Offer {
                name: offer.name.clone(),
                family: offer.family,
                operations: offer.operations.iter().filter_map(|name| name.parse().ok()).collect(),
            })
            .collect()
    }

    fn perform(&mut self, request: &conformance::Request<'_>) -> Result<Fields, PerformError> {
        let body = Body::Perform {
            algorithm: request.algorithm.to_owned(),
            operation: request.operation.as_str().to_owned(),
            params: *request.params,
            inputs: request.inputs.clone(),
        };
        let mut service = self.service.lock().unwrap_or_else(PoisonError::into_inner);
        match service.request::<Performed>(body, self.limits.of_perform(request.algorithm)) {
            Ok(performed) => Ok(performed.outputs),
            Err(WorkerFault::Refused(error)) => {
                let fault = Fault::ALL.into_iter().find(|fault| fault.as_str() == error.fault);
                Err(PerformError::Answer { fault: fault.unwrap_or(Fault::Provider), what: error.what })
            }
            Err(fault) => Err(PerformError::Lost(fault.to_string())),
        }
    }
}

/// Fills in what a worker may leave out for names of the catalogue.
fn complete(offer: &mut Offer) {
    if let Some(row) = crypto::find(&offer.name) {
        offer.name = row.name.to_owned();
        offer.family = row.family;
        if offer.sizes == crypto::Sizes::default() {
            offer.sizes = row.sizes;
        }
        offer.standard.get_or_insert_with(|| row.standard.to_owned());
        offer.category = offer.category.or(row.category);
        offer.oid = offer.oid.take().or_else(|| row.oid.map(ToOwned::to_owned));
    }
}
