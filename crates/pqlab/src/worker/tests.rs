//! Requests and answers of a worker, without the process around it.

use super::*;
use proptest::prelude::*;

fn worker(name: &str) -> Worker {
    Worker { provider: ProviderSpec::Linked(name.into()).load(), clock: clock::best(), timed: None }
}

fn ask(worker: &mut Worker, request: &Value) -> Result<Value, WireError> {
    let (answer, last) = worker.answer(&request.to_string());
    assert_eq!(Some(answer.id), request["id"].as_u64());
    assert_eq!(last, request["do"] == "quit");
    match (answer.ok, answer.error) {
        (Some(value), None) => Ok(value),
        (None, Some(error)) => Err(error),
        _ => panic!("neither or both of `ok` and `error`"),
    }
}

/// A prepared worker, and the pool it has.
fn prepared(algorithm: &str, operation: &str) -> (Worker, Pool, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let pool = folder.path().join("pool").to_str().unwrap().to_owned();
    let mut worker = worker("rustcrypto");
    let seed = "07".repeat(32);
    let inputs = json!({ "id": 1, "do": "inputs", "algorithm": algorithm, "seed": seed, "keys": 3, "items": 6, "size": 40,
        "path": pool });
    assert_eq!(ask(&mut worker, &inputs).unwrap()["seeded"], true);
    let prepare = json!({ "id": 2, "do": "prepare", "algorithm": algorithm, "operation": operation, "pool": pool });
    assert_eq!(ask(&mut worker, &prepare).unwrap(), json!({ "ready": true }));
    let pool = Pool::decode(&std::fs::read(pool).unwrap()).unwrap();
    (worker, pool, folder)
}

/// The digest of docs/WORKER.md over these outputs.
fn digest<'a>(outputs: impl Iterator<Item = &'a [u8]>) -> String {
    let chained = outputs.fold(0_u64, |digest, output| {
        let word = u64::from_le_bytes(output[..8].try_into().unwrap());
        digest.wrapping_add(word).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    });
    format!("{chained:016x}")
}

#[test]
fn the_digest_is_the_documented_chain_in_both_modes() {
    for (algorithm, operation, section) in [("SHA-256", "hash", "digest"), ("ML-KEM-512", "decaps", "shared")] {
        let (mut worker, pool, _folder) = prepared(algorithm, operation);
        let outputs = &pool.sections[section];
        let expected = digest((3..3 + 17).map(|i| outputs[i % outputs.len()].as_slice()));
        for mode in [Value::Null, "throughput".into(), "latency".into()] {
            let request = json!({ "id": 3, "do": "epoch", "first": 3, "count": 17, "mode": mode });
            let answer = ask(&mut worker, &request).unwrap();
            assert_eq!(answer["digest"], expected, "{algorithm} {mode}");
            let counts: Vec<u64> =
                answer["epochs"].as_array().unwrap().iter().filter_map(|e| e["count"].as_u64()).collect();
            assert_eq!(counts, if mode == "latency" { vec![1; 17] } else { vec![17] });
        }
    }
}

#[test]
fn what_cannot_be_timed_is_refused() {
    let (mut worker, _, _folder) = prepared("SHA-256", "hash");
    for (request, fault) in [
        (json!({ "id": 1, "do": "epoch", "first": 0, "count": 0 }), "provider"),
        (json!({ "id": 1, "do": "epoch", "first": u64::MAX, "count": 2 }), "provider"),
        (json!({ "id": 1, "do": "epoch", "first": 0, "count": 1, "mode": "both" }), "usage"),
        (json!({ "id": 1, "do": "epoch", "first": 0, "count": MOST_STAMPED + 1, "mode": "latency" }), "usage"),
        (json!({ "id": 1, "do": "calibrate", "target_ns": -1.0, "max_ns": 1.0 }), "provider"),
        (
            json!({ "id": 1, "do": "prepare", "algorithm": "SHA-256", "operation": "hash", "pool": "no-such" }),
            "environment",
        ),
    ] {
        assert_eq!(ask(&mut worker, &request).unwrap_err().fault, fault, "{request}");
    }
    let nothing = ask(&mut worker, &json!({ "id": 1, "do": "epoch", "first": 0, "count": 1 })).unwrap_err();
    assert!(nothing.what.contains("nothing is prepared"), "a failed prepare leaves nothing of the one before");
}

#[test]
fn inputs_are_bounded() {
    let mut worker = worker("rustcrypto");
    for (keys, items, size) in
        [(0, 1, 1), (1, 0, 1), (65_537, 1, 1), (1, usize::MAX, 1), (1, 2, usize::MAX), (1, 65_536, 16_384)]
    {
        let request = json!({ "id": 9, "do": "inputs", "algorithm": "SHA-256", "seed": "00".repeat(32), "keys": keys,
            "items": items, "size": size, "path": "no-such-folder/pool" });
        assert_eq!(ask(&mut worker, &request).unwrap_err().fault, "usage", "{keys} {items} {size}");
    }
}

#[test]
fn an_unknown_request_is_answered_with_its_number() {
    let error = ask(&mut worker("null"), &json!({ "id": 77, "do": "dance" })).unwrap_err();
    assert_eq!(error.fault, "usage");
    let (answer, last) = worker("null").answer("not JSON");
    assert!(answer.id == 0 && answer.error.is_some() && !last);
}

/// Values that requests may hold in any place.
fn value() -> impl Strategy<Value = Value> {
    let words = [
        "",
        "00",
        "zz",
        "hash",
        "keygen",
        "decaps",
        "verify",
        "seal",
        "SHA-256",
        "ML-KEM-768",
        "Ed25519",
        "seed",
        "latency",
        "pqlab.worker/1",
        "/dev/null",
        "\u{1F980}",
    ];
    let leaf = prop_oneof![
        4 => proptest::sample::select(words.to_vec()).prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => (0_u64..100).prop_map(Value::from),
        1 => any::<f64>().prop_map(Value::from),
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
    ];
    leaf.prop_recursive(2, 8, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            proptest::collection::btree_map(
                "(key|public|secret|message|ciphertext|nonce|aad|sealed|form|length|signature)",
                inner,
                0..6
            )
            .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn request() -> impl Strategy<Value = Value> {
    let verbs = ["hello", "perform", "prepare", "calibrate", "epoch", "quit", "inputs", "other"];
    let fields = "(id|algorithm|operation|params|inputs|pool|protocol|first|mode|seed|keys|items|size)";
    (proptest::sample::select(verbs.to_vec()), proptest::collection::btree_map(fields, value(), 0..8)).prop_map(
        |(verb, map)| {
            let mut object: serde_json::Map<String, Value> = map.into_iter().collect();
            object.insert("do".into(), verb.into());
            object.entry("id").or_insert_with(|| 1.into());
            // Small, so that the test is short, and never a file of somebody's.
            object.insert("count".into(), 2.into());
            object.insert("target_ns".into(), 10.0.into());
            object.insert("max_ns".into(), 10.0.into());
            object.insert("path".into(), "/dev/null".into());
            Value::Object(object)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn no_line_makes_it_panic(line in "\\PC{0,300}") {
        let (answer, _) = worker("null").answer(&line);
        prop_assert_ne!(answer.ok.is_some(), answer.error.is_some());
    }

    #[test]
    fn no_request_makes_it_panic(requests in proptest::collection::vec(request(), 1..4)) {
        let mut worker = worker("rustcrypto");
        for request in requests {
            let (answer, _) = worker.answer(&request.to_string());
            prop_assert_ne!(answer.ok.is_some(), answer.error.is_some());
        }
    }

    #[test]
    fn no_bytes_on_a_stream_make_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let mut stream = std::io::Cursor::new(bytes);
        while let Ok(Some(line)) = read_line(&mut stream) {
            let _ = serde_json::from_str::<Request>(&line);
            let _ = serde_json::from_str::<Answer>(&line);
        }
    }
}
