//! The providers of a run: found, started once to say who they are, kept for untimed requests.

use super::handle::{WorkerFault, WorkerHandle};
use crate::provider_spec::ProviderSpec;
use crate::wire::{Body, Hello, Offer};
use serde::de::DeserializeOwned;
use std::time::Duration;

/// A provider that answered `hello`.
pub struct Arm {
    /// `name@version[+variant]`.
    pub id: String,
    /// How to start it.
    pub spec: ProviderSpec,
    /// Who it is and what it offers.
    pub hello: Hello,
    /// Crashes, hangs and nonsense so far.
    pub strikes: u32,
    /// The worker for untimed requests (inputs, conformance); started again after it died.
    service: Option<WorkerHandle>,
}

impl Arm {
    /// Starts the provider and asks who it is.
    ///
    /// # Errors
    /// Any [`WorkerFault`].
    pub fn start(spec: ProviderSpec) -> Result<Self, WorkerFault> {
        let mut service = WorkerHandle::start(&spec, 0, None)?;
        let mut hello = service.hello()?;
        for offer in &mut hello.algorithms {
            complete(offer);
        }
        Ok(Self { id: hello.identity.id(), spec, hello, strikes: 0, service: Some(service) })
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
    pub fn request<T: DeserializeOwned>(&mut self, body: Body, limit: Duration) -> Result<T, WorkerFault> {
        if self.service.is_none() {
            let mut service = WorkerHandle::start(&self.spec, 0, None)?;
            service.hello()?;
            self.service = Some(service);
        }
        let Some(service) = self.service.as_mut() else {
            return Err(WorkerFault::NotStarted("no service worker".into()));
        };
        let result = service.request(body, limit);
        if let Err(fault) = &result
            && fault.is_fatal()
        {
            self.service = None;
            self.strikes += 1;
        }
        result
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
