//! Which operations a provider offers for each of its algorithms.

use super::operation::Operation;
use crypto::{Algorithm, Family, Provider, SecretForm};

/// The algorithms of a provider with the operations that it really has, in table order.
#[must_use]
pub fn offered(provider: &Provider) -> Vec<(&'static Algorithm, Vec<Operation>)> {
    provider.algorithms().into_iter().map(|row| (row, operations(provider, row))).collect()
}

fn operations(provider: &Provider, row: &Algorithm) -> Vec<Operation> {
    let (forms, derandomised, deterministic): (&[SecretForm], bool, bool) = match row.family {
        Family::Kem => {
            provider.kem(row.name).map_or((&[], false, false), |k| (k.secret_forms(), k.derandomised(), false))
        }
        Family::Signature => {
            provider.signature(row.name).map_or((&[], false, false), |s| (s.secret_forms(), false, s.deterministic()))
        }
        _ => (&[SecretForm::Expanded], false, false),
    };
    Operation::of(row.family)
        .iter()
        .copied()
        .filter(|operation| match operation {
            Operation::EncapsDerand => derandomised,
            Operation::SignDeterministic => deterministic,
            Operation::ImportSeed => forms.contains(&SecretForm::Seed),
            Operation::ImportSecret => forms.iter().any(|form| *form != SecretForm::Seed),
            Operation::ExportSecret => !forms.is_empty(),
            _ => true,
        })
        .collect()
}
