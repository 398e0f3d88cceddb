//! How far timings from a host can be trusted, as a letter.

use serde::Serialize;
use std::fmt;

/// A to D. See [`grade`] for the rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Grade {
    /// Bare metal, frequency held still.
    A,
    /// Bare metal, frequency may move, or neighbours may be out of sight.
    B,
    /// Virtual machine that shows no sign of being shared.
    C,
    /// Virtual machine that is shared or cannot be looked into, or a host that tells nothing about itself.
    D,
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

/// All that the grade depends on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GradeFacts {
    /// Whether the host described itself at all (its `/proc/cpuinfo` was there).
    pub known: bool,
    /// Hypervisor.
    pub machine: Option<String>,
    /// Container manager.
    pub container: Option<String>,
    /// Whether time has been stolen since boot; `None` where not counted.
    pub stolen: Option<bool>,
    /// Whether cycle counters can be used.
    pub cycles: bool,
    /// cpufreq governors.
    pub governor: Option<String>,
    /// Whether the allowed range of frequencies is a single one.
    pub range_is_a_point: Option<bool>,
    /// Whether the CPU may go above its nominal frequency.
    pub boost: Option<bool>,
    /// Whether threads share cores.
    pub smt: Option<bool>,
    /// Logical processors.
    pub cores: u32,
}

/// The grade of a host, and every fact that speaks for or against it.
///
/// * **D**: nothing is known about the host; or a virtual machine with time stolen since boot, or without cycle counters.
/// * **C**: any other virtual machine.
/// * **B**: bare metal, but in a container (others may share the machine unseen), or with a frequency that is not held still.
/// * **A**: bare metal, no container, frequency held still: governor `performance`, or an allowed range of one frequency; and boost off,
///   or nothing known of a boost.
///
/// Threads that share cores, and a single processor, are said and do not change the letter: placement can avoid the one and a
/// sleeping coordinator bears the other.
#[must_use]
pub fn grade(facts: &GradeFacts) -> (Grade, Vec<String>) {
    let mut reasons = Vec::new();
    let letter = if !facts.known {
        reasons.push("the host tells nothing about its CPU (no /proc/cpuinfo)".to_owned());
        Grade::D
    } else if let Some(machine) = &facts.machine {
        virtual_machine(machine, facts, &mut reasons)
    } else {
        bare_metal(facts, &mut reasons)
    };
    if facts.smt == Some(true) {
        reasons.push("threads share cores (SMT): work on a sibling slows a sample".to_owned());
    }
    if facts.cores == 1 {
        reasons.push("there is one processor: everything else on the host interrupts the worker".to_owned());
    }
    (letter, reasons)
}

fn virtual_machine(machine: &str, facts: &GradeFacts, reasons: &mut Vec<String>) -> Grade {
    reasons.push(format!(
        "virtual machine ({machine}): the frequency is out of reach, and other guests may share caches and memory"
    ));
    if let Some(container) = &facts.container {
        reasons.push(format!("in a container ({container})"));
    }
    match facts.stolen {
        Some(true) => reasons.push("the hypervisor has given time to others since boot (steal)".to_owned()),
        Some(false) => reasons.push("no time has been stolen since boot".to_owned()),
        None => reasons.push("the kernel does not count stolen time".to_owned()),
    }
    if !facts.cycles {
        reasons.push("no cycle counters: a change of frequency cannot be told from a change of speed".to_owned());
    }
    if facts.stolen == Some(true) || !facts.cycles { Grade::D } else { Grade::C }
}

fn bare_metal(facts: &GradeFacts, reasons: &mut Vec<String>) -> Grade {
    reasons.push("bare metal, as far as can be seen".to_owned());
    if let Some(container) = &facts.container {
        reasons.push(format!("in a container ({container}): others may share the machine unseen"));
    }
    let mut held = true;
    match (&facts.governor, facts.range_is_a_point) {
        (Some(governor), _) if governor == "performance" => reasons.push("the governor is performance".to_owned()),
        (_, Some(true)) => reasons.push("the allowed range of frequencies is a single one".to_owned()),
        (Some(governor), _) => {
            held = false;
            reasons.push(format!(
                "the governor is {governor}: the frequency follows the load; `cpupower frequency-set -g performance` holds it"
            ));
        }
        (None, _) => {
            held = false;
            reasons.push("the kernel does not tell the governor: the frequency may move".to_owned());
        }
    }
    match facts.boost {
        Some(true) => {
            held = false;
            reasons.push("boost is on: the frequency depends on temperature and on the other cores".to_owned());
        }
        Some(false) => reasons.push("boost is off".to_owned()),
        None => reasons.push("the kernel tells of no boost".to_owned()),
    }
    if held && facts.container.is_none() { Grade::A } else { Grade::B }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best() -> GradeFacts {
        GradeFacts {
            known: true,
            machine: None,
            container: None,
            stolen: Some(false),
            cycles: true,
            governor: Some("performance".into()),
            range_is_a_point: Some(false),
            boost: Some(false),
            smt: Some(false),
            cores: 8,
        }
    }

    fn vm() -> GradeFacts {
        GradeFacts { machine: Some("kvm".into()), governor: None, boost: None, range_is_a_point: None, ..best() }
    }

    fn letter(facts: &GradeFacts) -> Grade {
        let (letter, reasons) = grade(facts);
        assert!(!reasons.is_empty());
        letter
    }

    #[test]
    fn a_needs_bare_metal_and_a_frequency_held_still() {
        assert_eq!(letter(&best()), Grade::A);
        assert_eq!(letter(&GradeFacts { boost: None, ..best() }), Grade::A);
        let point = GradeFacts { governor: Some("userspace".into()), range_is_a_point: Some(true), ..best() };
        assert_eq!(letter(&point), Grade::A);
    }

    #[test]
    fn b_is_bare_metal_with_a_moving_frequency_or_a_container() {
        for facts in [
            GradeFacts { governor: Some("schedutil".into()), ..best() },
            GradeFacts { governor: Some("performance,powersave".into()), ..best() },
            GradeFacts { governor: None, range_is_a_point: None, ..best() },
            GradeFacts { boost: Some(true), ..best() },
            GradeFacts { container: Some("docker".into()), ..best() },
        ] {
            assert_eq!(letter(&facts), Grade::B, "{facts:?}");
        }
    }

    #[test]
    fn c_and_d_are_virtual() {
        assert_eq!(letter(&vm()), Grade::C);
        assert_eq!(letter(&GradeFacts { stolen: None, ..vm() }), Grade::C);
        assert_eq!(letter(&GradeFacts { stolen: Some(true), ..vm() }), Grade::D);
        assert_eq!(letter(&GradeFacts { cycles: false, ..vm() }), Grade::D);
        assert_eq!(letter(&GradeFacts { machine: Some("kvm".into()), ..best() }), Grade::C);
        assert_eq!(letter(&GradeFacts::default()), Grade::D);
    }

    #[test]
    fn what_does_not_change_the_letter_is_said_all_the_same() {
        let (letter, reasons) = grade(&GradeFacts { smt: Some(true), cores: 1, ..best() });
        assert_eq!(letter, Grade::A);
        assert!(reasons.iter().any(|reason| reason.contains("SMT")));
        assert!(reasons.iter().any(|reason| reason.contains("one processor")));
        assert_eq!(letter.to_string(), "A");
    }
}
