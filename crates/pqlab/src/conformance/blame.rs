//! Who is wrong when two providers disagree.
//!
//! Known answers decide. Where there are none, the minority is wrong; where there is no majority, nobody can be
//! believed and all who disagree fail.

/// What one provider showed on its own.
#[derive(Debug, Clone, Default)]
pub struct Standing {
    /// Name, for the reasons.
    pub provider: String,
    /// It passed known answers for this algorithm and failed none.
    pub trusted: bool,
    /// What it got wrong without anyone else's part: known answers, its own round trip, accepting a forgery.
    pub faults: Vec<String>,
}

/// Two providers that disagree, by index, and about what.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Disagreement {
    /// One.
    pub a: usize,
    /// The other.
    pub b: usize,
    /// About what.
    pub what: String,
}

/// The failures of each provider, in the order of `standings`. Empty: it conforms.
#[must_use]
pub fn blame(standings: &[Standing], disagreements: &[Disagreement]) -> Vec<Vec<String>> {
    let mut failures: Vec<Vec<String>> = standings.iter().map(|s| s.faults.clone()).collect();
    // Who is wrong by itself says nothing about the others.
    let sound: Vec<bool> = failures.iter().map(Vec::is_empty).collect();
    let holds = |index: usize| sound.get(index).copied().unwrap_or(false);
    let open: Vec<&Disagreement> = disagreements.iter().filter(|d| d.a != d.b && holds(d.a) && holds(d.b)).collect();

    let open = by_known_answers(standings, &open, &mut failures);
    by_majority(standings, &open, &sound, &mut failures);
    failures
}

/// Settles what known answers settle; gives back what stays open.
fn by_known_answers<'a>(
    standings: &[Standing],
    open: &[&'a Disagreement],
    failures: &mut [Vec<String>],
) -> Vec<&'a Disagreement> {
    let trusted = |index: usize| standings.get(index).is_some_and(|s| s.trusted);
    for d in open {
        let (wrong, right) = match (trusted(d.a), trusted(d.b)) {
            (true, false) => (d.b, d.a),
            (false, true) => (d.a, d.b),
            _ => continue,
        };
        if let (Some(list), Some(right)) = (failures.get_mut(wrong), standings.get(right)) {
            list.push(format!("{} (disagrees with {}, which passes the known answers)", d.what, right.provider));
        }
    }
    let settled = |index: usize| failures.get(index).is_some_and(|list| !list.is_empty());
    open.iter().copied().filter(|d| !settled(d.a) && !settled(d.b)).collect()
}

/// The largest set that agrees with itself is right when it is more than half of those still believed.
fn by_majority(standings: &[Standing], open: &[&Disagreement], sound: &[bool], failures: &mut [Vec<String>]) {
    if open.is_empty() {
        return;
    }
    let believed: Vec<usize> =
        (0..standings.len()).filter(|i| sound[*i] && failures.get(*i).is_some_and(Vec::is_empty)).collect();
    let majority = largest_agreeing(&believed, open).filter(|set| 2 * set.len() > believed.len());
    for d in open {
        for (me, other) in [(d.a, d.b), (d.b, d.a)] {
            let other_name = standings.get(other).map_or("another", |s| s.provider.as_str());
            let reason = match &majority {
                Some(set) if set.contains(&me) => continue,
                Some(set) => format!("{} (disagrees with {other_name}; {} providers agree)", d.what, set.len()),
                None => format!("{} (disagrees with {other_name}, and no majority or known answer decides)", d.what),
            };
            if let Some(list) = failures.get_mut(me) {
                list.push(reason);
            }
        }
    }
}

/// The one largest subset without a disagreement inside; none when two are equally large. Above 16 providers only
/// the set of those who disagree with nobody is tried.
fn largest_agreeing(believed: &[usize], open: &[&Disagreement]) -> Option<Vec<usize>> {
    let agrees = |set: &[usize]| !open.iter().any(|d| set.contains(&d.a) && set.contains(&d.b));
    if believed.len() > 16 {
        let quiet = believed.iter().copied().filter(|i| !open.iter().any(|d| d.a == *i || d.b == *i)).collect();
        return Some(quiet);
    }
    let mut best: Vec<usize> = Vec::new();
    let mut unique = false;
    for mask in 1_u32..1 << believed.len() {
        let set: Vec<usize> =
            believed.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1).map(|(_, index)| *index).collect();
        if set.len() >= best.len() && agrees(&set) {
            unique = set.len() > best.len();
            best = set;
        }
    }
    unique.then_some(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(trusted: bool, fault: &str) -> Standing {
        let faults = if fault.is_empty() { Vec::new() } else { vec![fault.to_owned()] };
        Standing { provider: "p".into(), trusted, faults }
    }

    fn edge(a: usize, b: usize) -> Disagreement {
        Disagreement { a, b, what: "x".into() }
    }

    fn failed(standings: &[Standing], edges: &[Disagreement]) -> Vec<bool> {
        blame(standings, edges).iter().map(|list| !list.is_empty()).collect()
    }

    #[test]
    fn known_answers_decide_between_two() {
        let two = [standing(true, ""), standing(false, "")];
        assert_eq!(failed(&two, &[edge(0, 1)]), [false, true]);
        assert_eq!(failed(&two, &[edge(1, 0)]), [false, true]);
    }

    #[test]
    fn two_without_known_answers_both_fail() {
        let two = [standing(false, ""), standing(false, "")];
        assert_eq!(failed(&two, &[edge(0, 1)]), [true, true]);
        assert_eq!(failed(&two, &[]), [false, false]);
        let both_trusted = [standing(true, ""), standing(true, "")];
        assert_eq!(failed(&both_trusted, &[edge(0, 1)]), [true, true]);
    }

    #[test]
    fn the_minority_of_three_fails() {
        let three = [standing(false, ""), standing(false, ""), standing(false, "")];
        assert_eq!(failed(&three, &[edge(0, 1), edge(1, 2)]), [false, true, false]);
        // All three differ: nobody can be believed.
        assert_eq!(failed(&three, &[edge(0, 1), edge(1, 2), edge(0, 2)]), [true, true, true]);
    }

    #[test]
    fn one_trusted_outweighs_an_untrusted_majority() {
        let three = [standing(true, ""), standing(false, ""), standing(false, "")];
        assert_eq!(failed(&three, &[edge(0, 1), edge(0, 2)]), [false, true, true]);
    }

    #[test]
    fn who_fails_alone_harms_nobody_else() {
        let two = [standing(false, "own round trip"), standing(false, "")];
        assert_eq!(failed(&two, &[edge(0, 1)]), [true, false]);
    }
}
