//! `pqlab list`.

use super::{Listing, print, print_json};
use crate::cli::Global;
use crate::error::{CliError, Outcome};
use crate::plan::shipped;
use crate::workload::Operation;
use crate::{discovery, plan::Plan};
use clap::ValueEnum;
use crypto::Family;
use serde_json::{Value, json};
use std::process::ExitCode;

/// What to list.
#[derive(Debug, clap::Args)]
pub struct ListArgs {
    /// What to list; all of it when absent
    #[arg(value_enum)]
    what: Option<What>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    Providers,
    Algorithms,
    Operations,
    Plans,
}

/// Lists. Libraries of the system are started and asked who they are; nothing else is.
///
/// # Errors
/// A shipped plan that does not parse, or standard output that cannot be written.
pub fn run(args: &ListArgs, global: Global) -> Outcome {
    let all = [What::Providers, What::Algorithms, What::Operations, What::Plans];
    let wanted: Vec<What> = all.into_iter().filter(|what| args.what.is_none_or(|only| only == *what)).collect();
    let mut document = serde_json::Map::new();
    let mut text = String::new();
    for what in wanted {
        let (name, rows, table) = match what {
            What::Providers => {
                let found = providers();
                ("providers", found.iter().map(Found::json).collect(), provider_table(&found))
            }
            What::Algorithms => ("algorithms", algorithms()?, algorithm_table()),
            What::Operations => ("operations", operations(), operation_table()),
            What::Plans => ("plans", plans()?, plan_table()?),
        };
        document.insert(name.into(), rows);
        text.push_str(&format!("{}\n{table}\n", name.to_uppercase()));
    }
    if global.json {
        print_json(&Value::Object(document))?
    } else {
        print(text.trim_end())?;
        print("\n")?
    }
    Ok(ExitCode::SUCCESS)
}

/// A provider as `--providers` names it, and as it calls itself.
struct Found {
    name: String,
    id: Result<String, String>,
    kind: &'static str,
    library: Option<String>,
}

impl Found {
    fn json(&self) -> Value {
        let Self { name, id, kind, library } = self;
        json!({ "name": name, "id": id.as_ref().ok(), "kind": kind, "library": library, "reason": id.as_ref().err() })
    }
}

fn providers() -> Vec<Found> {
    use crate::provider_spec::ProviderSpec as Spec;
    let candidates = discovery::all();
    let ids = discovery::identify(&candidates.iter().collect::<Vec<_>>());
    let found = candidates.into_iter().zip(ids).map(|(candidate, id)| {
        let (kind, library) = match &candidate.spec {
            Spec::Linked(_) => ("linked in", None),
            Spec::OpenSsl { library, .. } | Spec::Liboqs { library, .. } => {
                ("shared library", Some(library.display().to_string()))
            }
            Spec::External { .. } => ("external worker", None),
        };
        Found { name: candidate.name, id: id.map_err(|fault| fault.to_string()), kind, library }
    });
    found.collect()
}

fn provider_table(found: &[Found]) -> Listing {
    let mut table = Listing::new(&["name", "id in reports", "kind", "library"], &["kind"]);
    for Found { name, id, kind, library } in found {
        let library = library.as_deref().unwrap_or("");
        match id {
            Ok(id) => table.add(&[name, id, kind, library]),
            Err(reason) => table.add(&[name, "–", kind, &format!("{library} cannot be used: {reason}")]),
        }
    }
    table
}

fn algorithms() -> Result<Value, CliError> {
    serde_json::to_value(crypto::catalogue()).map_err(|e| CliError::environment(e.to_string()))
}

fn algorithm_table() -> Listing {
    let mut table = Listing::new(
        &["name", "family", "standard", "category", "sizes in bytes", "object identifier"],
        &["object identifier"],
    );
    for row in crypto::catalogue() {
        table.add(&[
            row.name,
            row.family.as_str(),
            row.standard,
            &row.category.map_or(String::new(), |c| c.to_string()),
            &sizes(&row.sizes),
            row.oid.unwrap_or(""),
        ]);
    }
    table
}

fn sizes(sizes: &crypto::Sizes) -> String {
    let crypto::Sizes { public, secret, seed, ciphertext, shared, signature, key, nonce, tag, output } = *sizes;
    [
        ("public", public),
        ("secret", secret),
        ("seed", seed),
        ("ciphertext", ciphertext),
        ("shared", shared),
        ("signature", signature),
        ("key", key),
        ("nonce", nonce),
        ("tag", tag),
        ("output", output),
    ]
    .into_iter()
    .filter_map(|(name, size)| Some(format!("{name} {}", size?)))
    .collect::<Vec<_>>()
    .join(", ")
}

const FAMILIES: [Family; 7] =
    [Family::Kem, Family::Signature, Family::Agreement, Family::Aead, Family::Hash, Family::Mac, Family::Kdf];

fn names(family: Family) -> Vec<&'static str> {
    Operation::of(family).iter().map(|operation| operation.as_str()).collect()
}

fn operations() -> Value {
    FAMILIES
        .into_iter()
        .map(|family| (family.as_str().to_owned(), json!(names(family))))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

fn operation_table() -> Listing {
    let mut table = Listing::new(&["family", "operations"], &[]);
    for family in FAMILIES {
        table.add(&[family.as_str(), &names(family).join(", ")]);
    }
    table
}

fn plans() -> Result<Value, CliError> {
    shipped()
        .iter()
        .map(|(name, text)| {
            let plan = Plan::parse(text, name)?;
            Ok(json!({ "name": name, "groups": plan.groups.len(), "analysis": plan.analysis.trim(),
                "time_budget_s": plan.settings.time_budget }))
        })
        .collect()
}

fn plan_table() -> Result<Listing, CliError> {
    let mut table = Listing::new(&["name", "groups", "at most", "what for"], &[]);
    for (name, text) in shipped() {
        let plan = Plan::parse(text, name)?;
        let first = plan.analysis.split_inclusive(". ").next().unwrap_or("").replace('\n', " ");
        let most = plan.settings.time_budget.map_or(String::new(), |s| format!("{} min", (s / 60.0).ceil()));
        table.add(&[name, &plan.groups.len().to_string(), &most, first.trim()]);
    }
    Ok(table)
}
