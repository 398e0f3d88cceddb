use super::*;
use crate::clock::Fake;

/// A workload on a scripted clock: operation `i` takes `cost(i)` ns, and `stalls` are added to the first calls.
struct Scripted<'c, F> {
    clock: &'c Fake,
    cost: F,
    stalls: Vec<u64>,
    calls: Vec<(u64, u64)>,
}

impl<'c, F: Fn(u64) -> u64> Scripted<'c, F> {
    fn new(clock: &'c Fake, cost: F) -> Self {
        Self { clock, cost, stalls: Vec::new(), calls: Vec::new() }
    }
}

impl<F: Fn(u64) -> u64> Workload for Scripted<'_, F> {
    fn run(&mut self, first: u64, count: u64) -> Result<u64, String> {
        self.calls.push((first, count));
        if !self.stalls.is_empty() {
            self.clock.advance(self.stalls.remove(0));
        }
        // Equal costs need no loop; the searches of these tests go to millions.
        let cost = (self.cost)(first);
        if count == 1 || cost == (self.cost)(first + count - 1) {
            self.clock.advance(cost * count);
        } else {
            (first..first + count).for_each(|at| self.clock.advance((self.cost)(at)));
        }
        Ok(first.wrapping_mul(31).wrapping_add(count))
    }
}

struct Broken;

impl Workload for Broken {
    fn run(&mut self, _: u64, _: u64) -> Result<u64, String> {
        Err("signature does not verify".into())
    }
}

const MS: f64 = 1e6;

#[test]
fn an_epoch_is_the_work_and_one_reading() {
    let clock = Fake::new(vec![20]);
    let mut work = Scripted::new(&clock, |_| 300);
    let epoch = epoch(&mut work, &clock, 5, 10).unwrap();
    assert_eq!((epoch.elapsed_ns, epoch.count, epoch.digest), (3_020.0, 10, 5 * 31 + 10));
    assert_eq!(epoch.per_op_ns(), 302.0);
    assert_eq!(work.calls, [(5, 10)]);
}

#[test]
fn contamination_is_any_of_the_three_marks() {
    let clean = Epoch { elapsed_ns: 1.0, count: 1, digest: 0, nivcsw: 0, run_delay_ns: None, steal_ticks: None };
    assert!(!clean.contaminated());
    assert!(!Epoch { run_delay_ns: Some(0), steal_ticks: Some(0), ..clean.clone() }.contaminated());
    assert!(Epoch { nivcsw: 1, ..clean.clone() }.contaminated());
    assert!(Epoch { run_delay_ns: Some(1), ..clean.clone() }.contaminated());
    assert!(Epoch { steal_ticks: Some(1), ..clean }.contaminated());
}

#[test]
fn calibration_finds_the_count() {
    for cost in [1, 7, 300, 17_000, 499_999] {
        let clock = Fake::new(vec![0]);
        let mut work = Scripted::new(&clock, |_| cost);
        let found = calibrate(&mut work, &clock, 1.5 * MS, 1_000.0 * MS).unwrap();
        assert_eq!((found.count, found.ns_per_op), (1_500_000_u64.div_ceil(cost), cost as f64));
        assert!(work.calls.iter().all(|&(first, _)| first == 0));
        let total: u64 = work.calls.iter().map(|&(_, count)| count * cost).sum();
        assert!(total < 20_000_000, "the search for {cost} ns took {total} ns");
    }
}

#[test]
fn one_preemption_does_not_end_the_search() {
    let clock = Fake::new(vec![20]);
    let mut work = Scripted::new(&clock, |_| 100);
    // A cold start of 4 ms in the first call, as of a library that initialises itself, would give count 1.
    work.stalls = vec![4_000_000];
    let found = calibrate(&mut work, &clock, MS, 1_000.0 * MS).unwrap();
    assert!((9_900..=10_000).contains(&found.count), "{found:?}");
    // The same in the middle of the search.
    let mut work = Scripted::new(&clock, |_| 100);
    work.stalls = vec![0, 0, 3_000_000];
    let found = calibrate(&mut work, &clock, MS, 1_000.0 * MS).unwrap();
    assert!((9_900..=10_000).contains(&found.count), "{found:?}");
}

#[test]
fn the_measured_count_is_measured_twice() {
    let clock = Fake::new(vec![0]);
    let mut work = Scripted::new(&clock, |_| 2_000_000);
    assert_eq!(calibrate(&mut work, &clock, MS, 1_000.0 * MS).unwrap().count, 1);
    // Twice, or more when this machine disturbs the repetition.
    assert!(work.calls.len() >= 2 && work.calls.iter().all(|call| *call == (0, 1)), "{:?}", work.calls);
}

/// Operations of `cost` ns; `stalls` are added to the first measurements, which are then disturbed.
fn busy(cost: f64, mut stalls: Vec<f64>) -> impl FnMut(u64) -> Result<Epoch, String> {
    move |count| {
        let stall = if stalls.is_empty() { 0.0 } else { stalls.remove(0) };
        let elapsed_ns = cost * count as f64 + stall;
        let nivcsw = u64::from(stall > 0.0);
        Ok(Epoch { elapsed_ns, count, digest: 0, nivcsw, run_delay_ns: None, steal_ticks: None })
    }
}

#[test]
fn a_budget_that_ends_among_disturbances_leaves_the_count_unconfirmed() {
    // A stall of 3 ms in each of the first measurements: 4 ms are spent before one of them is undisturbed.
    let found = search(&mut busy(100.0, vec![3.0 * MS; 4]), "fake", MS, 4.0 * MS).unwrap();
    assert!(!found.confirmed && found.count == 1, "{found:?}");
    // With more of a budget, as a second try has it, the same machine gives the true count.
    let found = search(&mut busy(100.0, vec![3.0 * MS; 4]), "fake", MS, 64.0 * MS).unwrap();
    assert_eq!(found, Calibration { count: 10_000, ns_per_op: 100.0, confirmed: true });
    // A machine that disturbs everything: the search ends and says so.
    let found = search(&mut busy(100.0, vec![3.0 * MS; 1000]), "fake", MS, 64.0 * MS).unwrap();
    assert!(!found.confirmed, "{found:?}");
}

#[test]
fn an_operation_that_is_long_twice_is_long() {
    let found = search(&mut busy(150.0 * MS, vec![3.0 * MS; 9]), "fake", MS, 1_000.0 * MS).unwrap();
    assert_eq!(found, Calibration { count: 1, ns_per_op: 153.0 * MS, confirmed: true });
}

#[test]
fn an_operation_slower_than_the_budget_is_run_once() {
    let clock = Fake::new(vec![0]);
    let mut work = Scripted::new(&clock, |_| 2_000_000_000);
    let found = calibrate(&mut work, &clock, MS, 1_000.0 * MS).unwrap();
    assert_eq!(found, Calibration { count: 1, ns_per_op: 2e9, confirmed: false });
    assert_eq!(work.calls, [(0, 1)]);
}

#[test]
fn the_budget_bounds_the_search() {
    // The target is out of reach: the search ends when the budget is spent and says what it knows.
    let clock = Fake::new(vec![0]);
    let mut work = Scripted::new(&clock, |_| 1_000);
    let found = calibrate(&mut work, &clock, 1_000.0 * MS, MS).unwrap();
    assert_eq!(found, Calibration { count: 1_000_000, ns_per_op: 1_000.0, confirmed: false });
    let total: u64 = work.calls.iter().map(|&(_, count)| count * 1_000).sum();
    assert!(total <= 11_000_000, "spent {total} ns of a budget of 1 ms");
}

#[test]
fn a_coarse_clock_does_not_mislead_the_search() {
    // A clock of 1 us steps sees nothing of the first tries.
    struct Coarse(Fake);
    impl Clock for Coarse {
        fn name(&self) -> &'static str {
            "coarse"
        }
        fn now(&self) -> u64 {
            self.0.now() / 1_000 * 1_000
        }
        fn ns(&self, ticks: u64) -> f64 {
            ticks as f64
        }
    }
    let clock = Coarse(Fake::new(vec![0]));
    let mut work = Scripted::new(&clock.0, |_| 3);
    let found = calibrate(&mut work, &clock, MS, 1_000.0 * MS).unwrap();
    assert!((333_000..=334_000).contains(&found.count), "{found:?}");
}

#[test]
fn a_clock_that_stands_still_is_named() {
    let clock = Fake::new(Vec::new());
    let mut work = Scripted::new(&clock, |_| 0);
    let error = calibrate(&mut work, &clock, MS, MS).unwrap_err();
    assert!(error.contains("`fake` did not move"), "{error}");
}

#[test]
fn a_clock_that_goes_back_is_named() {
    struct Back(std::sync::atomic::AtomicU64);
    impl Clock for Back {
        fn name(&self) -> &'static str {
            "back"
        }
        fn now(&self) -> u64 {
            self.0.fetch_sub(1, std::sync::atomic::Ordering::Relaxed)
        }
        fn ns(&self, ticks: u64) -> f64 {
            ticks as f64
        }
    }
    struct Nothing;
    impl Workload for Nothing {
        fn run(&mut self, _: u64, _: u64) -> Result<u64, String> {
            Ok(0)
        }
    }
    let clock = Back(100.into());
    let error = epoch(&mut Nothing, &clock, 0, 1).unwrap_err();
    assert!(error.contains("went backwards"), "{error}");
}

#[test]
fn failures_and_impossible_requests_are_errors() {
    let clock = Fake::new(vec![1]);
    assert_eq!(epoch(&mut Broken, &clock, 0, 1).unwrap_err(), "signature does not verify");
    assert_eq!(latencies(&mut Broken, &clock, 0, 1).unwrap_err(), "signature does not verify");
    assert_eq!(calibrate(&mut Broken, &clock, MS, MS).unwrap_err(), "signature does not verify");
    let mut work = Scripted::new(&clock, |_| 1);
    assert!(epoch(&mut work, &clock, 0, 0).is_err());
    assert!(latencies(&mut work, &clock, 0, 0).is_err());
    assert!(epoch(&mut work, &clock, u64::MAX, 2).is_err());
    assert!(latencies(&mut work, &clock, u64::MAX, 2).is_err());
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(calibrate(&mut work, &clock, bad, MS).is_err());
        assert!(calibrate(&mut work, &clock, MS, bad).is_err());
    }
    assert!(work.calls.is_empty(), "nothing may run on a request that is refused");
}

#[test]
fn latencies_stamp_each_operation() {
    let clock = Fake::new(vec![20]);
    let mut work = Scripted::new(&clock, |at| 1_000 + at);
    let all = latencies(&mut work, &clock, 3, 500).unwrap();
    assert_eq!(all.len(), 500);
    assert_eq!(work.calls, (3..503).map(|at| (at, 1)).collect::<Vec<_>>());
    for (at, epoch) in (3..).zip(&all) {
        assert_eq!((epoch.elapsed_ns, epoch.count, epoch.digest), (1_020.0 + at as f64, 1, at * 31 + 1));
    }
}

#[test]
fn the_latency_floor_is_a_hundred_readings_or_steps() {
    let facts = |step_ns, cost_ns| ClockFacts { name: "tsc".into(), step_ns, cost_ns };
    assert_eq!(latency_floor_ns(&facts(10.0, 20.0)), 2_000.0);
    assert_eq!(latency_floor_ns(&facts(1_000.0, 20.0)), 100_000.0);
    assert_eq!(latency_floor_ns(&facts(f64::INFINITY, 0.0)), f64::INFINITY);
}
