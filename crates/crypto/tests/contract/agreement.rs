//! Key agreement.

use crate::support::{exported, fault, label, providers};
use crypto::Fault;

#[test]
fn agreement_is_mutual() {
    for provider in providers() {
        for scheme in &provider.agreements {
            let row = scheme.algorithm();
            let at = label(provider, row);
            let (alice, bob) = (scheme.generate().unwrap(), scheme.generate().unwrap());
            let [of_alice, of_bob] = [&alice, &bob].map(|key| exported(|out| key.export_public(out)).unwrap());
            assert_eq!(Some(of_alice.len()), row.sizes.public, "{at}");
            assert_ne!(of_alice, of_bob, "{at}");
            let mut shared = [vec![0; row.sizes.shared.unwrap()], vec![1; row.sizes.shared.unwrap()]];
            alice.derive(&*scheme.import_public(&of_bob).unwrap(), &mut shared[0]).unwrap();
            bob.derive(&*scheme.import_public(&of_alice).unwrap(), &mut shared[1]).unwrap();
            assert_eq!(shared[0], shared[1], "{at}");

            match exported(|out| alice.export_secret(out)) {
                Ok(secret) => {
                    assert_eq!(Some(secret.len()), row.sizes.secret, "{at}");
                    let copy = scheme.import_secret(&secret).unwrap();
                    assert_eq!(exported(|out| copy.export_public(out)).unwrap(), of_alice, "{at}");
                    copy.derive(&*scheme.import_public(&of_bob).unwrap(), &mut shared[1]).unwrap();
                    assert_eq!(shared[0], shared[1], "{at}");
                }
                Err(error) => assert_eq!(error.fault(), Fault::Unsupported, "{at}"),
            }
        }
    }
}

#[test]
fn agreement_refuses_what_is_malformed() {
    for provider in providers() {
        for scheme in &provider.agreements {
            let row = scheme.algorithm();
            let at = label(provider, row);
            let key = scheme.generate().unwrap();
            let (public, secret) = (row.sizes.public.unwrap(), row.sizes.secret.unwrap());
            for wrong in [0, public - 1, public + 1] {
                fault(scheme.import_public(&vec![4; wrong]).map(|_| ()), Fault::Input, &format!("{at} {wrong}"));
            }
            for wrong in [0, secret - 1, secret + 1] {
                fault(scheme.import_secret(&vec![4; wrong]), Fault::Input, &format!("{at} {wrong}"));
            }
            let mut shared = vec![0; row.sizes.shared.unwrap()];
            if row.name.starts_with('X') {
                let zero = scheme.import_public(&vec![0; public]).unwrap();
                fault(key.derive(&*zero, &mut shared), Fault::Input, &format!("{at}: all-zero result"));
                assert!(shared.iter().all(|byte| *byte == 0), "{at}");
            } else {
                for scalar in [vec![0; secret], vec![0xFF; secret]] {
                    fault(scheme.import_secret(&scalar), Fault::Input, &format!("{at}: scalar"));
                }
                let mut off_curve = exported(|out| key.export_public(out)).unwrap();
                *off_curve.last_mut().unwrap() ^= 1;
                fault(scheme.import_public(&off_curve).map(|_| ()), Fault::Input, &format!("{at}: not on the curve"));
            }
            // A peer key of another algorithm of the same provider.
            for other in provider.agreements.iter().filter(|other| other.algorithm().name != row.name) {
                let stranger = exported(|out| other.generate().unwrap().export_public(out)).unwrap();
                let stranger = other.import_public(&stranger).unwrap();
                assert!(key.derive(&*stranger, &mut shared).is_err(), "{at} with {}", other.algorithm().name);
            }
            let own = scheme.import_public(&exported(|out| key.export_public(out)).unwrap()).unwrap();
            assert!(key.derive(&*own, &mut vec![0; shared.len() - 1]).is_err(), "{at}: short buffer");
            for other in providers().iter().filter(|other| other.identity.id() != provider.identity.id()) {
                let Some(same) = other.agreement(row.name) else { continue };
                let foreign = same.import_public(&exported(|out| key.export_public(out)).unwrap()).unwrap();
                fault(
                    key.derive(&*foreign, &mut shared),
                    Fault::Usage,
                    &format!("{at} with a key of another provider"),
                );
            }
        }
    }
}
