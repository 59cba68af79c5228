//! Finds the contestants that can do a task, checks their results, and measures their speed.

use std::{ops::Range, time::Duration};

use crate::{Buffers, Case, Contestant, Job, Kind, Mode, Operation, Piece, Runner, Task, measure::race};

/// The result of one contestant.
#[derive(Clone, PartialEq, Debug)]
pub struct Standing {
    /// The name of the contestant.
    pub name: String,
    /// Whether the contestant counts as a peer.
    pub is_peer: bool,
    /// Nanoseconds for each unit of weight.
    pub cost: f64,
    /// The time divided by the time of the first contestant.
    pub ratio: f64,
    /// Whether the output equals the Standard's. Any other output has about the same length.
    pub is_exact: bool,
}

/// The fastest peer; `None` if there is no peer.
#[must_use]
pub fn best_peer(standings: &[Standing]) -> Option<&Standing> {
    standings.iter().filter(|standing| standing.is_peer).min_by(|a, b| a.ratio.total_cmp(&b.ratio))
}

/// Measures the `contestants` that can do `task` with all of `pieces`. `weight` gives the weight of a piece. The first
/// contestant is textcodec and must be able to do the task.
#[must_use]
pub fn contest(
    task: Task,
    pieces: &[Piece],
    weight: impl Fn(&Piece) -> usize,
    budget: Duration,
    contestants: &[Contestant],
) -> Vec<Standing> {
    let weights: Vec<usize> = pieces.iter().map(weight).collect();
    let mut buffers = Buffers::for_pieces(pieces);
    let (mut runners, mut standings) = (Vec::new(), Vec::new());
    for (contestant, job, is_exact) in field(task, pieces, &mut buffers, contestants) {
        runners.push(runner(job, pieces));
        standings.push(Standing {
            name: contestant.name(),
            is_peer: contestant.is_peer(),
            cost: 0.0,
            ratio: 0.0,
            is_exact,
        });
    }
    let times = race(budget, &weights, &mut buffers, &mut runners);
    for (standing, time) in standings.iter_mut().zip(times) {
        (standing.cost, standing.ratio) = (time.cost, time.ratio);
    }
    standings
}

fn runner(mut job: Job, pieces: &[Piece]) -> Runner<'_, Buffers> {
    Box::new(move |buffers, range: Range<usize>| {
        job(&pieces[range], buffers);
    })
}

/// The `contestants` that can do `task` with all of `pieces`, each with its job, and whether its output is exactly
/// right.
fn field(
    task: Task,
    pieces: &[Piece],
    buffers: &mut Buffers,
    contestants: &[Contestant],
) -> Vec<(Contestant, Job, bool)> {
    let mut field: Vec<(Contestant, Job, bool)> = Vec::new();
    let mut wanted = None;
    for &contestant in contestants {
        for mut job in contestant.jobs(task) {
            let Some((written, is_exact)) = try_out(task, &mut job, pieces, buffers) else { continue };
            let wanted = *wanted.get_or_insert(written);
            if is_exact || is_about(written, wanted) || task.kind == Kind::Malformed {
                field.push((contestant, job, is_exact && written == wanted));
                break;
            }
        }
        assert!(!field.is_empty(), "{}: {:?} fails", contestant.name(), task);
        let must_be_exact = matches!(contestant, Contestant::Ours(_) | Contestant::EncodingRs | Contestant::Compatible);
        let is_wrong =
            must_be_exact && field.last().is_some_and(|(last, _, is_exact)| *last == contestant && !is_exact);
        assert!(!is_wrong, "{}: {:?} is wrong", contestant.name(), task);
    }
    field
}

/// Runs the job on each of `pieces`. Returns the number of units written, and whether the output is right as far as the
/// mode allows a check; `None` if a piece was not converted to its end.
fn try_out(task: Task, job: &mut Job, pieces: &[Piece], buffers: &mut Buffers) -> Option<(usize, bool)> {
    let (mut sum, mut is_exact) = (0, true);
    for piece in pieces.chunks(1) {
        let written = job(piece, buffers)?;
        sum += written;
        is_exact &= match task.mode {
            Mode::Call => task.operation.is_right(&piece[0], buffers, written),
            Mode::OneShot => written == task.operation.target_length(&piece[0]),
            Mode::Stream | Mode::Making => true,
        };
    }
    Some((sum, is_exact))
}

/// Whether `written` differs from `wanted` by at most 2 %.
fn is_about(written: usize, wanted: usize) -> bool {
    written.abs_diff(wanted) <= wanted / 50
}

impl Case {
    /// The task of `operation` on the text of this case.
    #[must_use]
    pub const fn task(&self, operation: Operation, mode: Mode) -> Task {
        Task { pair: self.pair, operation, mode, kind: self.kind }
    }

    /// Checks textcodec and encoding_rs on the text of this case.
    ///
    /// # Panics
    /// If the output of either is wrong for any operation.
    pub fn check(&self) {
        let mut buffers = Buffers::for_pieces(&self.pieces);
        for operation in Operation::ALL.into_iter().filter(|operation| operation.exists_in(self.pair.ours)) {
            let task = self.task(operation, Mode::Call);
            let field = field(task, &self.pieces, &mut buffers, &[Contestant::Ours(None), Contestant::EncodingRs]);
            assert_eq!(field.len(), 2);
        }
    }
}

#[cfg(test)]
mod tests {
    use textcodec::Encoding;

    use super::*;
    use crate::{Corpus, Pair, cases, pieces_of_bytes, random_bytes, short_pieces, stream_pieces};

    /// The names of the contestants that do `task`, and whether their output is right.
    fn names(task: Task, pieces: &[Piece]) -> Vec<(String, bool)> {
        let contestants: Vec<_> =
            [Contestant::Ours(None)].into_iter().chain(Contestant::OTHERS.iter().copied()).collect();
        let field = field(task, pieces, &mut Buffers::for_pieces(pieces), &contestants);
        field.into_iter().map(|(contestant, _, is_exact)| (contestant.name(), is_exact)).collect()
    }

    #[test]
    fn every_peer_for_utf8_is_right() {
        let case = cases(&Corpus::made_up(100_000), |name| name == "UTF-8").last().unwrap();
        for operation in Operation::ALL {
            let names = names(case.task(operation, Mode::Call), &case.pieces);
            assert!(names.len() > 2 && names.iter().all(|(_, is_exact)| *is_exact), "{operation:?}: {names:?}");
        }
    }

    #[test]
    fn a_peer_that_stops_at_an_error_takes_no_part_in_malformed_input() {
        let pair = Pair::of(Encoding::for_label("utf-8").unwrap());
        let pieces = pieces_of_bytes(pair, &random_bytes(10_000));
        let task = Task { pair, operation: Operation::D8, mode: Mode::Call, kind: Kind::Malformed };
        let names = names(task, &pieces);
        assert!(names.contains(&("std".into(), true)), "{names:?}");
        assert!(names.iter().all(|(name, _)| !["simdutf", "simdutf8", "iconv", "memcpy"].contains(&&name[..])));
    }

    #[test]
    fn every_mode_has_a_peer() {
        let corpus = Corpus::made_up(20_000);
        for case in cases(&corpus, |name| ["Shift_JIS", "windows-1251"].contains(&name)) {
            for mode in [Mode::Call, Mode::OneShot, Mode::Stream, Mode::Making] {
                for operation in [Operation::D8, Operation::E8] {
                    let pieces = match mode {
                        Mode::Stream => stream_pieces(&case, operation, 16, 100),
                        _ => short_pieces(&case, operation, 16, 100),
                    };
                    assert!(names(case.task(operation, mode), &pieces).len() >= 2, "{mode:?} {operation:?}");
                }
            }
        }
    }
}
