use super::*;
use crypto::Identity;

fn providers() -> Vec<Provider> {
    crypto::provider::linked().into_iter().filter(|(name, _)| *name != "null").map(|(_, make)| make()).collect()
}

/// The provider of the tests that need any one with ML-KEM.
fn with(algorithm: &str) -> Provider {
    providers().into_iter().find(|p| p.algorithm(algorithm).is_some()).expect("a linked provider offers it")
}

#[test]
fn a_kem_key_pair_opens_what_was_sealed_to_it() {
    for provider in providers() {
        for kem in &provider.kems {
            let name = kem.algorithm().name;
            for form in kem.secret_forms() {
                let run = |operation, inputs: &Fields| {
                    perform(&provider, name, operation, &Params::form(*form), inputs).unwrap()
                };
                let keys = run(Operation::Keygen, &Fields::default());
                let (Some(secret), Some(public)) = (keys.get("secret"), keys.get("public")) else { continue };
                let sealed = run(Operation::Encaps, &Fields::default().with("public", public));
                let opened = run(
                    Operation::Decaps,
                    &Fields::default().with("secret", secret).with("ciphertext", sealed.get("ciphertext").unwrap()),
                );
                assert_eq!(opened.get("shared"), sealed.get("shared"), "{name} {}", provider.identity.id());
                let again = run(Operation::ExportSecret, &Fields::default().with("secret", secret));
                assert_eq!(again.get("secret"), Some(secret), "{name} {}", provider.identity.id());
                assert_eq!(again.get("public"), Some(public), "{name} {}", provider.identity.id());
            }
        }
    }
}

#[test]
fn bad_requests_name_what_is_wrong() {
    let provider = with("ML-KEM-768");
    let ask = |algorithm: &str, operation, inputs: &Fields| {
        perform(&provider, algorithm, operation, &Params::default(), inputs).unwrap_err()
    };
    let error = ask("ML-KEM-999", Operation::Encaps, &Fields::default());
    assert_eq!(error.fault(), Fault::Unsupported);
    let error = ask("ML-KEM-768", Operation::Sign, &Fields::default());
    assert_eq!(error.fault(), Fault::Usage);
    let error = ask("ML-KEM-768", Operation::Encaps, &Fields::default());
    assert_eq!(error.to_string(), "the input `public` is missing");
    let error = ask("ML-KEM-768", Operation::Encaps, &Fields::default().with("public", &[1; 3]));
    assert_eq!(error.fault(), Fault::Input);
}

#[test]
fn absurd_lengths_are_refused() {
    let provider = with("HKDF-SHA256");
    let params = Params { form: None, length: Some(usize::MAX) };
    let inputs = Fields::default().with("ikm", b"k").with("salt", b"").with("info", b"");
    let error = perform(&provider, "HKDF-SHA256", Operation::Derive, &params, &inputs).unwrap_err();
    assert_eq!(error.fault(), Fault::Usage);
}

#[test]
fn an_empty_provider_offers_nothing() {
    let provider = Provider::empty(Identity::linked("none", "1", "test"));
    let error = perform(&provider, "SHA-256", Operation::Hash, &Params::default(), &Fields::default()).unwrap_err();
    assert_eq!(error.fault(), Fault::Unsupported);
}

#[test]
fn fields_are_hex_in_json_and_silent_in_debug() {
    let fields = Fields::from([("secret", vec![0xAB, 0xCD])]);
    assert_eq!(serde_json::to_string(&fields).unwrap(), r#"{"secret":"abcd"}"#);
    assert_eq!(serde_json::from_str::<Fields>(r#"{"secret":"abcd"}"#).unwrap(), fields);
    let error = serde_json::from_str::<Fields>(r#"{"secret":"abc"}"#).unwrap_err();
    assert!(error.to_string().contains("`secret` is not hex"), "{error}");
    assert!(!format!("{fields:?}").contains("abcd"));
}
