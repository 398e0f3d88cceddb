//! `docs/run.schema.json` and `docs/RECORD.md` say what the types say: no field more, none less, null where null may be.

mod common;

use report::record::Run;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn document(name: &str) -> String {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn schema() -> Value {
    serde_json::from_str(&document("run.schema.json")).unwrap()
}

/// Steps from the root of a record to a value.
#[derive(Clone, Debug)]
enum Step {
    Field(String),
    Item(usize),
}

fn get_mut<'v>(mut value: &'v mut Value, path: &[Step]) -> &'v mut Value {
    for step in path {
        value = match step {
            Step::Field(name) => &mut value[name.as_str()],
            Step::Item(index) => &mut value[*index],
        };
    }
    value
}

fn types(schema: &Value) -> Vec<&str> {
    match &schema["type"] {
        Value::String(one) => vec![one.as_str()],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => panic!("a schema without a type: {schema}"),
    }
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Looks at an object with fields: its schema, the fields, where it stands.
type Look<'a> = dyn FnMut(&Value, &Map<String, Value>, &[Step]) + 'a;

/// Walks record and schema together and hands every object that has fields to `each`.
fn walk(
    schema: &Value,
    value: &Value,
    path: &mut Vec<Step>,
    each: &mut Look<'_>,
) {
    let found = type_of(value);
    let allowed = types(schema);
    let fits = allowed.contains(&found) || (found == "integer" && allowed.contains(&"number"));
    assert!(fits, "{path:?} is {found}, the schema says {allowed:?}");
    if let Some(values) = schema["enum"].as_array() {
        assert!(values.contains(value), "{path:?}: {value} is not in {values:?}");
    }
    match value {
        Value::Object(fields) if schema["properties"].is_object() => {
            each(schema, fields, path);
            for (name, inner) in fields {
                path.push(Step::Field(name.clone()));
                walk(&schema["properties"][name.as_str()], inner, path, each);
                path.pop();
            }
        }
        Value::Array(items) => {
            for (index, inner) in items.iter().enumerate() {
                path.push(Step::Item(index));
                walk(&schema["items"], inner, path, each);
                path.pop();
            }
        }
        _ => {}
    }
}

#[test]
fn a_serialised_run_has_exactly_the_fields_of_the_schema() {
    let schema = schema();
    let value = serde_json::to_value(common::run()).unwrap();
    let mut seen: BTreeSet<(String, String)> = BTreeSet::new();
    walk(&schema, &value, &mut Vec::new(), &mut |schema, fields, path| {
        let object = schema["description"].as_str().unwrap().to_owned();
        let properties = schema["properties"].as_object().unwrap();
        for name in fields.keys() {
            assert!(properties.contains_key(name), "{path:?}: the schema does not know \"{name}\"");
            seen.insert((object.clone(), name.clone()));
        }
        for required in schema["required"].as_array().unwrap() {
            assert!(fields.contains_key(required.as_str().unwrap()), "{path:?}: {required} is required and missing");
        }
    });
    let mut promised = BTreeSet::new();
    collect(&schema, &mut promised);
    let unseen: Vec<_> = promised.difference(&seen).collect();
    assert!(unseen.is_empty(), "in the schema, but in no record: {unseen:?}");
}

fn collect(schema: &Value, into: &mut BTreeSet<(String, String)>) {
    if let Some(properties) = schema["properties"].as_object() {
        for (name, inner) in properties {
            into.insert((schema["description"].as_str().unwrap().to_owned(), name.clone()));
            collect(inner, into);
        }
    }
    if schema["items"].is_object() {
        collect(&schema["items"], into);
    }
}

#[test]
fn null_is_read_exactly_where_the_schema_allows_it() {
    let schema = schema();
    let run = serde_json::to_value(common::run()).unwrap();
    let mut places: Vec<(Vec<Step>, bool)> = Vec::new();
    let mut known: BTreeSet<String> = BTreeSet::new();
    walk(&schema, &run, &mut Vec::new(), &mut |schema, fields, path| {
        for name in fields.keys() {
            // One object of each kind is enough; the first that has the field.
            if known.insert(format!("{}/{name}", schema["description"])) {
                let mut place = path.to_vec();
                place.push(Step::Field(name.clone()));
                places.push((place, types(&schema["properties"][name.as_str()]).contains(&"null")));
            }
        }
    });
    assert!(places.len() > 80, "{}", places.len());
    for (place, nullable) in places {
        let mut changed = run.clone();
        *get_mut(&mut changed, &place) = Value::Null;
        let read = serde_json::from_value::<Run>(changed);
        assert_eq!(read.is_ok(), nullable, "null at {place:?}: {:?}", read.err());
    }
}

#[test]
fn words_of_an_enumeration_are_those_of_the_schema() {
    let schema = schema();
    let row = &schema["properties"]["rows"]["items"]["properties"];
    let run = serde_json::to_value(common::run()).unwrap();
    for field in ["status", "mode"] {
        let words: Vec<&str> = row[field]["enum"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        for word in words.iter().copied().chain(["unheard-of"]) {
            let mut changed = run.clone();
            changed["rows"][0][field] = json!(word);
            let read = serde_json::from_value::<Run>(changed).is_ok();
            assert_eq!(read, word != "unheard-of", "{field}: {word}");
        }
    }
    // A new variant in the type does not compile here until the schema has it.
    let all = |status: report::record::Status| {
        use report::record::Status::{Failed, Inconclusive, Ok, Unavailable};
        match status {
            Ok | Unavailable | Failed | Inconclusive => 4,
        }
    };
    assert_eq!(row["status"]["enum"].as_array().unwrap().len(), all(report::record::Status::Ok));
}

#[test]
fn every_field_is_explained_in_prose() {
    let text = document("RECORD.md");
    let mut promised = BTreeSet::new();
    collect(&schema(), &mut promised);
    for (object, name) in promised {
        assert!(text.contains(&format!("`{name}`")), "docs/RECORD.md does not explain `{name}` of \"{object}\"");
    }
    for column in serde_json::to_value(&common::samples(&common::run())[0]).unwrap().as_object().unwrap().keys() {
        assert!(text.contains(&format!("`{column}`")), "docs/RECORD.md does not explain column `{column}`");
    }
}
