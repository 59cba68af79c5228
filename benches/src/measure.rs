//! Measures several functions that do the same work.
//!
//! The clock counts the processor time of the thread where the system has such a clock. On a busy machine a slow
//! function is interrupted more often than a fast one, and with a wall clock it would seem slower than it is.

use std::{
    iter,
    ops::Range,
    sync::LazyLock,
    time::{Duration, Instant},
};

use crate::foreign::processor_time;

/// The least duration of a sample: long enough for the clock, and short enough to fall between two interruptions.
const SAMPLE: Duration = Duration::from_micros(100);
/// The least and the greatest number of rounds.
const ROUNDS: (usize, usize) = (9, 101);

/// The time of one function, compared with the first function.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Time {
    /// Nanoseconds for each unit of weight: the median of all rounds.
    pub cost: f64,
    /// The time divided by the time of the first function: the median of all rounds.
    pub ratio: f64,
}

/// A function in a race. It processes the pieces in a range, with a state that all functions share.
pub type Runner<'a, S> = Box<dyn FnMut(&mut S, Range<usize>) + 'a>;

/// Measures `runners`, of which there must be at least one, alternately, for about as long as `budget`.
///
/// The runners are called with ranges of pieces; `weights` has the weight of each piece. In a round, each runner gets a
/// sample with the same pieces, and the ratios are taken within the round, so that other work on the machine, which
/// mostly lasts longer than a round, slows all runners alike. The next round continues with the next pieces.
pub fn race<S>(budget: Duration, weights: &[usize], state: &mut S, runners: &mut [Runner<S>]) -> Vec<Time> {
    let (mut window, start) = (Window::fitting(weights.len(), state, runners), Instant::now());
    let mut rounds: Vec<(Vec<f64>, f64)> = Vec::new();
    while rounds.len() < ROUNDS.0 || (rounds.len() < ROUNDS.1 && start.elapsed() < budget) {
        let mut times = vec![0.0; runners.len()];
        for turn in 0..runners.len() {
            // The position of a runner in the round changes the state of the caches. So each runner is first in turn,
            // and then the order is reversed.
            let (round, count) = (rounds.len(), runners.len());
            let turn = (round + if (round / count).is_multiple_of(2) { turn } else { count - turn }) % count;
            times[turn] = window.sample(state, &mut runners[turn]);
        }
        let weight: usize = window.ranges().flat_map(|range| &weights[range]).sum();
        rounds.push((times, weight as f64));
        window.advance();
    }
    let time = |runner: usize| Time {
        cost: median(rounds.iter().map(|(times, weight)| times[runner] / weight).collect()),
        ratio: median(rounds.iter().map(|(times, _)| times[runner] / times[0]).collect()),
    };
    (0..runners.len()).map(time).collect()
}

/// The pieces of a sample: `length` pieces from `start` on. After the last of `count` pieces comes the first one.
struct Window {
    start: usize,
    length: usize,
    count: usize,
}

impl Window {
    /// The number of pieces for which the fastest runner takes as long as a sample. A first round warms the caches up.
    fn fitting<S>(count: usize, state: &mut S, runners: &mut [Runner<S>]) -> Self {
        let mut window = Window { start: 0, length: 1, count };
        let mut fastest = (f64::INFINITY, 0);
        for (place, runner) in runners.iter_mut().enumerate() {
            window.sample(state, runner);
            let time = window.sample(state, runner);
            if time < fastest.0 {
                fastest = (time, place);
            }
        }
        while window.sample(state, &mut runners[fastest.1]) < SAMPLE.as_nanos() as f64 {
            window.length *= 2;
        }
        window
    }

    /// The time of `runner` for a sample, in nanoseconds.
    fn sample<S>(&self, state: &mut S, runner: &mut Runner<S>) -> f64 {
        let start = now();
        for range in self.ranges() {
            runner(state, range);
        }
        now().saturating_sub(start).as_nanos() as f64
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

/// The time since an arbitrary moment.
fn now() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    processor_time().unwrap_or_else(|| START.elapsed())
}

/// The median of `values`, of which there must be at least one.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;

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
    fn all_do_the_same_pieces_in_turns() {
        let runner = |who: usize| -> Runner<[usize; 3]> {
            Box::new(move |done, range| {
                done[who] += range.len();
                let work = (0..range.len() * (who + 1) * 10_000).map(black_box);
                black_box(work.sum::<usize>());
            })
        };
        let mut done = [0; 3];
        let times = race(Duration::ZERO, &[1; 7], &mut done, &mut [runner(0), runner(1), runner(2)]);
        assert!(done.iter().all(|&done| done >= ROUNDS.0), "{done:?}");
        assert_eq!((times.len(), times[0].ratio), (3, 1.0));
    }
}
