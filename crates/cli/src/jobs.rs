//! Runs jobs side by side, and prints what they say in the order of the jobs.

use std::{
    collections::{BTreeMap, HashSet},
    io,
    sync::{
        Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use crate::{
    message::{say, say_hint},
    progress::Progress,
    standard_streams::StandardOutput,
};

/// The number of bytes of lines that a job keeps until the jobs before it have ended. With more, the job waits.
const KEPT: usize = 256 * 1024;

/// The number of bytes of lines that all ended jobs keep together. With more, no job starts.
const KEPT_BY_ALL: usize = 4 * 1024 * 1024;

/// Calls `work` for every item, on so many `threads`. The lines that `work` gives to its [`Report`] are printed in the
/// order of the items. A job ends when its report is dropped.
///
/// A report can outlive the call of `work`. `idle` is called before a thread waits for other jobs, and when a thread
/// has no more items. It drops the reports that `work` has kept.
///
/// If printing fails, the remaining items are left out and the error is returned, unless `goes_on` says that the work
/// itself matters more than its lines.
pub(crate) fn run<'a, T: Sync>(
    desk: &'a Desk<'a>,
    items: &'a [T],
    threads: usize,
    goes_on: bool,
    work: impl Fn(&'a T, Report<'a>) + Sync,
    idle: impl Fn() + Sync,
) -> io::Result<()> {
    let next = AtomicUsize::new(0);
    let labour = || {
        loop {
            desk.wait_for_space(&idle);
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index).filter(|_| goes_on || desk.lock().failed.is_none()) else {
                return idle();
            };
            work(item, Report { desk, index, lines: Vec::new(), length: 0 });
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.min(items.len()) {
            scope.spawn(labour);
        }
        labour();
    });
    desk.lock().failed.take().map_or(Ok(()), Err)
}

/// Takes the lines of all jobs.
pub(crate) struct Desk<'a> {
    state: Mutex<State>,
    /// Is notified when lines are printed.
    turn: Condvar,
    progress: &'a Progress,
}

struct State {
    /// The first job that has not ended.
    current: usize,
    /// The lines of jobs that have ended before a job in front of them.
    waiting: BTreeMap<usize, (Vec<Line>, usize)>,
    /// The number of bytes in `waiting`.
    kept: usize,
    /// The number of threads that wait for their turn.
    sleepers: usize,
    output: Option<StandardOutput>,
    /// The first error of printing to standard output.
    failed: Option<io::Error>,
    /// Each hint is printed once.
    hints: HashSet<String>,
    /// The number of texts on each [`Topic`].
    topics: BTreeMap<Topic, usize>,
}

/// A topic on which only the first files of a run have something to say.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Topic {
    /// The encoding of a file is that of --fallback.
    Fallback,
    /// A line of a file before and after the conversion.
    Sample,
}

impl Topic {
    /// The number of texts that are printed.
    pub(crate) const LIMIT: usize = 20;
}

/// Text for one of the two streams.
enum Line {
    Output(String),
    Error(String),
    /// Lines that help with an error.
    Hint(String),
    /// A line that is printed only if there are few on its topic before it.
    Some(Topic, Box<Line>),
}

impl<'a> Desk<'a> {
    /// `output` is the standard output, if the jobs print to it.
    pub(crate) fn new(output: Option<StandardOutput>, progress: &'a Progress) -> Self {
        let (waiting, hints) = (BTreeMap::new(), HashSet::new());
        let topics = BTreeMap::new();
        let state = State { current: 0, waiting, kept: 0, sleepers: 0, output, failed: None, hints, topics };
        Desk { state: Mutex::new(state), turn: Condvar::new(), progress }
    }

    /// The number of texts on this topic that were not printed.
    pub(crate) fn left_out(&self, topic: Topic) -> usize {
        self.lock().topics.get(&topic).map_or(0, |number| number.saturating_sub(Topic::LIMIT))
    }

    /// Waits until the jobs that have ended keep few lines.
    ///
    /// The thread holds no report. If another thread keeps the report of the first job that has not ended, it comes
    /// here, too, and calls `idle`.
    fn wait_for_space(&self, idle: impl Fn()) {
        if self.lock().kept <= KEPT_BY_ALL {
            return;
        }
        idle();
        let mut state = self.lock();
        while state.kept > KEPT_BY_ALL {
            state = self.wait(state);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until other jobs have ended.
    fn wait<'b>(&self, mut state: MutexGuard<'b, State>) -> MutexGuard<'b, State> {
        state.sleepers += 1;
        state = self.turn.wait(state).unwrap_or_else(PoisonError::into_inner);
        state.sleepers -= 1;
        state
    }

    fn print(&self, state: &mut State, lines: Vec<Line>) {
        if lines.is_empty() {
            return;
        }
        self.progress.suspend(|| {
            for line in lines {
                state.print(line);
            }
        });
    }
}

impl State {
    fn print(&mut self, line: Line) {
        match line {
            Line::Output(text) => {
                if let (None, Some(output)) = (&self.failed, &mut self.output) {
                    self.failed = output.print(&text).err();
                }
            }
            Line::Error(text) => say(&text),
            Line::Some(topic, line) => {
                let number = self.topics.entry(topic).or_default();
                *number += 1;
                if *number <= Topic::LIMIT {
                    self.print(*line);
                }
            }
            Line::Hint(text) => {
                if !self.hints.contains(&text) {
                    say_hint(&text);
                    self.hints.insert(text);
                }
            }
        }
    }
}

/// The lines of one job.
pub(crate) struct Report<'a> {
    desk: &'a Desk<'a>,
    index: usize,
    lines: Vec<Line>,
    length: usize,
}

impl Report<'_> {
    /// Prints `text`, which ends with a line feed, to standard output.
    pub(crate) fn print(&mut self, text: &str) {
        self.length += text.len();
        match self.lines.last_mut() {
            Some(Line::Output(before)) => before.push_str(text),
            _ => self.lines.push(Line::Output(text.to_owned())),
        }
        if self.length > KEPT {
            self.pass_on();
        }
    }

    /// Prints a line to standard error.
    pub(crate) fn say(&mut self, line: &str) {
        self.length += line.len();
        self.lines.push(Line::Error(line.to_owned()));
    }

    /// As [`print`](Self::print), if this is one of the first texts on the topic.
    pub(crate) fn print_some(&mut self, topic: Topic, text: &str) {
        self.add_some(topic, Line::Output(text.to_owned()), text.len());
    }

    /// As [`say`](Self::say), if this is one of the first lines on the topic.
    pub(crate) fn say_some(&mut self, topic: Topic, line: &str) {
        self.add_some(topic, Line::Error(line.to_owned()), line.len());
    }

    fn add_some(&mut self, topic: Topic, line: Line, length: usize) {
        self.length += length;
        self.lines.push(Line::Some(topic, Box::new(line)));
    }

    /// Prints an error to standard error. The lines after its first say what the user can do; they are printed once in
    /// a run.
    pub(crate) fn say_error(&mut self, error: &anyhow::Error) {
        let text = format!("{error:#}");
        match text.split_once('\n') {
            Some((line, hint)) => {
                self.say(line);
                self.lines.push(Line::Hint(hint.to_owned()));
            }
            None => self.say(&text),
        }
    }

    /// Waits until all jobs before this one have ended, and prints the lines.
    fn pass_on(&mut self) {
        let mut state = self.desk.lock();
        while state.current != self.index {
            state = self.desk.wait(state);
        }
        self.desk.print(&mut state, std::mem::take(&mut self.lines));
        self.length = 0;
    }
}

impl Drop for Report<'_> {
    /// Ends the job.
    fn drop(&mut self) {
        let mut state = self.desk.lock();
        let lines = std::mem::take(&mut self.lines);
        if state.current != self.index {
            state.kept += self.length;
            state.waiting.insert(self.index, (lines, self.length));
            return;
        }
        let mut next = Some((lines, 0));
        while let Some((lines, length)) = next {
            state.kept -= length;
            self.desk.print(&mut state, lines);
            state.current += 1;
            let current = state.current;
            next = state.waiting.remove(&current);
        }
        // The call of the system costs time even if no thread waits.
        if state.sleepers > 0 {
            self.desk.turn.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_worked_on_once() {
        let items: Vec<usize> = (0..1000).collect();
        for threads in [1, 2, 7] {
            let seen = Mutex::new(Vec::new());
            let progress = Progress::new(false, None);
            let desk = Desk::new(None, &progress);
            let work = |item: &usize, mut report: Report<'_>| {
                report.print(&"x".repeat(10_000));
                seen.lock().unwrap().push(*item);
            };
            run(&desk, &items, threads, true, work, || ()).unwrap();
            let mut seen = seen.into_inner().unwrap();
            seen.sort_unstable();
            assert_eq!(seen, items);
        }
    }

    #[test]
    fn lines_wait_for_the_jobs_before_them() {
        let progress = Progress::new(false, None);
        let order = Mutex::new(Vec::new());
        let desk = Desk::new(None, &progress);
        let work = |milliseconds: &u64, mut report: Report<'_>| {
            thread::sleep(std::time::Duration::from_millis(*milliseconds));
            report.print(&"x".repeat(KEPT + 1));
            order.lock().unwrap().push(report.index);
        };
        run(&desk, &[20_u64, 0, 10, 0], 4, true, work, || ()).unwrap();
        assert_eq!(order.into_inner().unwrap(), [0, 1, 2, 3]);
    }
}
