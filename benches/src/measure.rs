//! A clock for two peers.

use std::{
    hint::black_box,
    iter,
    ops::Range,
    time::{Duration, Instant},
};

/// How long a sample lasts at least: long enough for a clock, and short enough to come and go between two interruptions.
const SAMPLE: Duration = Duration::from_micros(100);
/// How often each peer has its turn, at least and at most.
const ROUNDS: (usize, usize) = (9, 101);

/// How long two peers took for the same.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Comparison {
    /// Nanoseconds that ours took for a unit of weight, the median of all rounds.
    pub ours: f64,
    /// How many times as fast ours was as theirs, the median of all rounds.
    pub ratio: f64,
}

/// Measures `ours` and `theirs`, which share `state`, by turns, for about as long as `budget`.
///
/// They are called with ranges of the pieces that weigh `weights`. A round is a sample of each with the same pieces, and its
/// ratio is taken from these two: what else the machine does for longer than a round slows both. The next round goes on
/// with the next pieces.
pub fn beside<S>(
    budget: Duration,
    weights: &[usize],
    state: &mut S,
    ours: impl Fn(&mut S, Range<usize>) -> usize,
    theirs: impl Fn(&mut S, Range<usize>) -> usize,
) -> Comparison {
    let (mut window, start) = (Window::fitting(weights.len(), state, &ours, &theirs), Instant::now());
    let (mut costs, mut ratios) = (Vec::new(), Vec::new());
    while costs.len() < ROUNDS.0 || (costs.len() < ROUNDS.1 && start.elapsed() < budget) {
        // Who comes first may find the caches otherwise.
        let (ours, theirs) = if costs.len().is_multiple_of(2) {
            let ours = window.sample(state, &ours);
            (ours, window.sample(state, &theirs))
        } else {
            let theirs = window.sample(state, &theirs);
            (window.sample(state, &ours), theirs)
        };
        let weight: usize = window.ranges().flat_map(|range| &weights[range]).sum();
        costs.push(ours / weight as f64);
        ratios.push(theirs / ours);
        window.advance();
    }
    Comparison { ours: median(costs), ratio: median(ratios) }
}

/// The pieces of a sample: `length` of them from `start` on, the first following the last of `count`.
struct Window {
    start: usize,
    length: usize,
    count: usize,
}

impl Window {
    /// As many of `count` pieces as the faster one needs a sample for, found out after a round to warm up.
    fn fitting<S>(
        count: usize,
        state: &mut S,
        ours: impl Fn(&mut S, Range<usize>) -> usize,
        theirs: impl Fn(&mut S, Range<usize>) -> usize,
    ) -> Self {
        let mut window = Window { start: 0, length: 1, count };
        loop {
            window.sample(state, &ours);
            window.sample(state, &theirs);
            let faster = window.sample(state, &ours).min(window.sample(state, &theirs));
            if faster >= SAMPLE.as_nanos() as f64 {
                return window;
            }
            window.length *= 2;
        }
    }

    /// Nanoseconds that `call` takes.
    fn sample<S>(&self, state: &mut S, call: impl Fn(&mut S, Range<usize>) -> usize) -> f64 {
        let start = Instant::now();
        for range in self.ranges() {
            black_box(call(state, range));
        }
        start.elapsed().as_nanos() as f64
    }

    fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        let (mut start, mut length, count) = (self.start, self.length, self.count);
        iter::from_fn(move || {
            let range = start..count.min(start + length);
            length -= range.len();
            start = 0;
            (!range.is_empty()).then_some(range)
        })
    }

    fn advance(&mut self) {
        self.start = (self.start + self.length) % self.count;
    }
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
    fn a_window_goes_round() {
        let mut window = Window { start: 1, length: 8, count: 3 };
        assert!(window.ranges().eq([1..3, 0..3, 0..3]));
        window.advance();
        assert!(window.ranges().eq([0..3, 0..3, 0..2]));
    }

    #[test]
    fn both_do_the_same_pieces_in_turns() {
        let work = |done: &mut usize, range: Range<usize>| {
            *done += range.len();
            (0..range.len() * 10_000).map(black_box).sum()
        };
        let (mut ours, mut theirs) = (0, 0);
        let _ = beside(
            Duration::ZERO,
            &[1; 7],
            &mut (&mut ours, &mut theirs),
            |state, range| work(state.0, range),
            |state, range| work(state.1, range),
        );
        assert!(ours >= ROUNDS.0 && ours == theirs, "{ours} {theirs}");
    }
}
