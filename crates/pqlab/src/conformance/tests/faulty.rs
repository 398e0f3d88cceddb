//! Providers that are wrong in one way each, made from a right one.

use crate::conformance::{InProcess, Offer, PerformError, Performer, Request};
use crate::workload::operation::Operation;
use crate::workload::perform::Fields;

/// What is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flaw {
    /// One bit of this output of this operation is turned over.
    Flips(Operation, &'static str),
    /// Every signature is valid.
    VerifiesAll,
    /// Every ciphertext of an AEAD is authentic.
    OpensAll,
    /// The context string is dropped, in signing and in verifying.
    IgnoresContext,
    /// Public keys are taken whatever they say.
    LaxPublicKey,
    /// Decapsulation of any ciphertext gives the secret of the first.
    SameSecret,
    /// The salt has no effect.
    IgnoresSalt,
    /// It dies on the first operation.
    Dies,
}

/// A right provider with a flaw.
pub struct Faulty {
    inner: InProcess,
    flaw: Flaw,
    remembered: Option<Vec<u8>>,
}

impl Faulty {
    /// Wraps the linked provider of that name.
    pub fn of(name: &str, flaw: Flaw) -> Box<dyn Performer> {
        let make = crypto::provider::linked().into_iter().find(|(n, _)| *n == name).expect("a linked provider").1;
        Box::new(Self { inner: InProcess(make()), flaw, remembered: None })
    }
}

impl Performer for Faulty {
    fn id(&self) -> String {
        "faulty@1".into()
    }

    fn algorithms(&self) -> Vec<Offer> {
        self.inner.algorithms()
    }

    fn perform(&mut self, request: &Request<'_>) -> Result<Fields, PerformError> {
        let mut inputs = request.inputs.clone();
        match self.flaw {
            Flaw::IgnoresContext if inputs.get("context").is_some() => inputs.insert("context", Vec::new()),
            Flaw::IgnoresSalt if inputs.get("salt").is_some() => inputs.insert("salt", Vec::new()),
            Flaw::Dies => return Err(PerformError::Lost("killed by signal 11".into())),
            _ => {}
        }
        let answer = self.inner.perform(&Request { inputs: &inputs, ..*request });
        match (self.flaw, request.operation) {
            (Flaw::Flips(operation, name), asked) if operation == asked => {
                let mut outputs = answer?;
                if let Some(first) = outputs.get_mut(name).and_then(|bytes| bytes.first_mut()) {
                    *first ^= 1;
                }
                Ok(outputs)
            }
            (Flaw::VerifiesAll, Operation::Verify) => Ok(Fields::from([("valid", vec![1])])),
            (Flaw::OpensAll, Operation::Open) => match answer {
                Ok(outputs) if outputs.get("valid") == Some(&[1]) => Ok(outputs),
                _ => Ok(Fields::from([("valid", vec![1]), ("plaintext", vec![0; 16])])),
            },
            (Flaw::LaxPublicKey, Operation::Encaps) => {
                answer.or_else(|_| Ok(Fields::from([("ciphertext", vec![7; 768]), ("shared", vec![7; 32])])))
            }
            (Flaw::LaxPublicKey, Operation::Derive) => answer.or_else(|_| Ok(Fields::from([("shared", vec![7; 32])]))),
            (Flaw::SameSecret, Operation::Decaps) => {
                let shared = self.remembered.clone();
                match (shared, answer?) {
                    (Some(shared), _) => Ok(Fields::from([("shared", shared)])),
                    (None, outputs) => {
                        self.remembered = outputs.get("shared").map(<[u8]>::to_vec);
                        Ok(outputs)
                    }
                }
            }
            _ => answer,
        }
    }
}
