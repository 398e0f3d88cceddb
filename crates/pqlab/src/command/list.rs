//! `pqlab list`.

use super::{print, print_json};
use crate::cli::Global;
use crate::error::{CliError, Outcome};
use crate::plan::shipped;
use crate::workload::Operation;
use crate::{discovery, plan::Plan};
use clap::ValueEnum;
use comfy_table::{Table, presets};
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

/// Lists; starts nothing, so that it is instant.
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
            What::Providers => ("providers", providers(), provider_table()),
            What::Algorithms => ("algorithms", algorithms()?, algorithm_table()),
            What::Operations => ("operations", operations(), operation_table()),
            What::Plans => ("plans", plans()?, plan_table()?),
        };
        document.insert(name.into(), rows);
        text.push_str(&format!("{}\n", name.to_uppercase()));
        // The table fills its last column with blanks.
        text.extend(table.lines().map(|line| format!("{}\n", line.trim_end())));
        text.push('\n');
    }
    if global.json {
        print_json(&Value::Object(document))?
    } else {
        print(text.trim_end())?;
        print("\n")?
    }
    Ok(ExitCode::SUCCESS)
}

fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header.to_vec());
    table
}

fn providers() -> Value {
    let rows = discovery::all().into_iter().map(|candidate| {
        let (kind, file) = source(&candidate);
        json!({ "name": candidate.name, "kind": kind, "library": file })
    });
    rows.collect()
}

fn source(candidate: &discovery::Candidate) -> (&'static str, Option<String>) {
    use crate::provider_spec::ProviderSpec as Spec;
    match &candidate.spec {
        Spec::Linked(_) => ("linked in", None),
        Spec::OpenSsl { library, .. } | Spec::Liboqs { library, .. } => {
            ("shared library", Some(library.display().to_string()))
        }
        Spec::External { .. } => ("external worker", None),
    }
}

fn provider_table() -> Table {
    let mut table = table(&["name", "kind", "library"]);
    for candidate in discovery::all() {
        let (kind, file) = source(&candidate);
        table.add_row([candidate.name.as_str(), kind, file.as_deref().unwrap_or("")]);
    }
    table
}

fn algorithms() -> Result<Value, CliError> {
    serde_json::to_value(crypto::catalogue()).map_err(|e| CliError::environment(e.to_string()))
}

fn algorithm_table() -> Table {
    let mut table = table(&["name", "family", "standard", "category", "sizes in bytes", "object identifier"]);
    for row in crypto::catalogue() {
        table.add_row([
            row.name.to_owned(),
            row.family.as_str().to_owned(),
            row.standard.to_owned(),
            row.category.map_or(String::new(), |c| c.to_string()),
            sizes(&row.sizes),
            row.oid.unwrap_or("").to_owned(),
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

fn operation_table() -> Table {
    let mut table = table(&["family", "operations"]);
    for family in FAMILIES {
        table.add_row([family.as_str().to_owned(), names(family).join(", ")]);
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

fn plan_table() -> Result<Table, CliError> {
    let mut table = table(&["name", "groups", "at most", "what for"]);
    for (name, text) in shipped() {
        let plan = Plan::parse(text, name)?;
        let first = plan.analysis.split_inclusive(". ").next().unwrap_or("").replace('\n', " ");
        let most = plan.settings.time_budget.map_or(String::new(), |s| format!("{} min", (s / 60.0).ceil()));
        table.add_row([(*name).to_owned(), plan.groups.len().to_string(), most, first.trim().to_owned()]);
    }
    Ok(table)
}
