//! A clock for several who do the same.
//!
//! Where there is a clock that stands still while the thread has no processor, it is read: on a busy machine those who take
//! long are interrupted more often, and would seem slower than they are.

use std::{
    iter,
    ops::Range,
    sync::LazyLock,
    time::{Duration, Instant},
};

use crate::foreign::processor_time;

/// How long a sample lasts at least: long enough for a clock, and short enough to come and go between two interruptions.
const SAMPLE: Duration = Duration::from_micros(100);
/// How often each has its turn, at least and at most.
const ROUNDS: (usize, usize) = (9, 101);

/// How long one took, in comparison with the first.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Time {
    /// Nanoseconds for a unit of weight, the median of all rounds.
    pub cost: f64,
    /// How many times as long it took as the first did, the median of all rounds.
    pub ratio: f64,
}

/// Who takes part in a race: it does the pieces in a range with a state that all share.
pub type Runner<'a, S> = Box<dyn FnMut(&mut S, Range<usize>) + 'a>;

/// Measures `runners`, of whom there is one at least, by turns, for about as long as `budget`.
///
/// They are called with ranges of the pieces that weigh `weights`. A round is a sample of each with the same pieces, and its
/// ratios are taken from these: what else the machine does for longer than a round slows all. The next round goes on with
/// the next pieces.
pub fn race<S>(budget: Duration, weights: &[usize], state: &mut S, runners: &mut [Runner<S>]) -> Vec<Time> {
    let (mut window, start) = (Window::fitting(weights.len(), state, runners), Instant::now());
    let mut rounds: Vec<(Vec<f64>, f64)> = Vec::new();
    while rounds.len() < ROUNDS.0 || (rounds.len() < ROUNDS.1 && start.elapsed() < budget) {
        let mut times = vec![0.0; runners.len()];
        for turn in 0..runners.len() {
            // Who comes first, and after whom, finds the caches otherwise: all come first by turns, and then the other way round.
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

/// The pieces of a sample: `length` of them from `start` on, the first following the last of `count`.
struct Window {
    start: usize,
    length: usize,
    count: usize,
}

impl Window {
    /// As many of `count` pieces as the fastest one needs a sample for, found out after a round to warm up.
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

    /// Nanoseconds that `runner` takes.
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

/// The time since some moment.
fn now() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    processor_time().unwrap_or_else(|| START.elapsed())
}

/// The one in the middle of `values`, of which there is one at least.
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
