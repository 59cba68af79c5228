//! A clock for two peers.

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

/// How long the shortest sample lasts: long enough for a clock, and for a processor to find its speed.
const SAMPLE: Duration = Duration::from_micros(300);
/// How often each peer has its turn, at least and at most.
const ROUNDS: (u32, u32) = (5, 15);

/// How long two peers took for the same.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Comparison {
    /// Nanoseconds that ours took, the median of all rounds.
    pub ours: f64,
    /// How many times as fast ours was as theirs, the median of all rounds.
    pub ratio: f64,
}

/// Measures `ours` and `theirs`, which share `state`, by turns, for about as long as `budget`.
///
/// A round is a sample of each, and its ratio is taken from these two: what else the machine does for longer than a round
/// slows both.
pub fn beside<S>(
    budget: Duration,
    state: &mut S,
    ours: impl Fn(&mut S) -> usize,
    theirs: impl Fn(&mut S) -> usize,
) -> Comparison {
    let calls = (calls_per_sample(state, &ours), calls_per_sample(state, &theirs));
    let start = Instant::now();
    let mut rounds: Vec<(f64, f64)> = Vec::new();
    while rounds.len() < ROUNDS.0 as usize || (rounds.len() < ROUNDS.1 as usize && start.elapsed() < budget) {
        // Who comes first may find the caches otherwise.
        let round = if rounds.len() % 2 == 0 {
            let ours = sample(state, &ours, calls.0);
            (ours, sample(state, &theirs, calls.1))
        } else {
            let theirs = sample(state, &theirs, calls.1);
            (sample(state, &ours, calls.0), theirs)
        };
        rounds.push(round);
    }
    Comparison {
        ours: median(rounds.iter().map(|round| round.0).collect()),
        ratio: median(rounds.iter().map(|round| round.1 / round.0).collect()),
    }
}

/// How many calls a sample needs, found out after a call to warm up.
fn calls_per_sample<S>(state: &mut S, call: impl Fn(&mut S) -> usize) -> u32 {
    black_box(call(state));
    let nanoseconds = sample(state, call, 1).max(1.0);
    (SAMPLE.as_nanos() as f64 / nanoseconds).ceil() as u32
}

/// Nanoseconds a call takes, the mean of `calls`.
fn sample<S>(state: &mut S, call: impl Fn(&mut S) -> usize, calls: u32) -> f64 {
    let start = Instant::now();
    for _ in 0..calls {
        black_box(call(state));
    }
    start.elapsed().as_nanos() as f64 / f64::from(calls)
}

/// The one in the middle of `values`, of which there is one at least.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_one_in_the_middle() {
        assert_eq!(median(vec![3.0, 100.0, 2.0]), 3.0);
    }

    #[test]
    fn both_have_their_turns() {
        let mut turns = (0, 0);
        let first = |turns: &mut (u32, u32)| {
            turns.0 += 1;
            0
        };
        let second = |turns: &mut (u32, u32)| {
            turns.1 += 1;
            0
        };
        let _ = beside(Duration::ZERO, &mut turns, first, second);
        assert!(turns.0 >= 2 + ROUNDS.0 && turns.1 >= 2 + ROUNDS.0, "{turns:?}");
    }
}
