//! Runs jobs side by side, and passes on what they say in the order of the jobs.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{
        Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

/// The number of bytes of lines that a job keeps until the jobs before it have ended. With more, the job waits.
const KEPT: usize = 256 * 1024;

/// The number of bytes of lines that all ended jobs keep together. With more, no job starts.
const KEPT_BY_ALL: usize = 4 * 1024 * 1024;

/// Takes the lines of jobs, in the order of the jobs.
pub trait Printer {
    /// What a job says.
    type Line;

    /// Prints lines of one job.
    fn print(&mut self, lines: Vec<Self::Line>);

    /// Whether the remaining jobs are left out, because nobody can hear what they say.
    fn has_failed(&self) -> bool;
}

/// Calls `work` for every item, on at most so many `threads`. The lines that `work` gives to its [`Report`] are
/// printed in the order of the items. A job ends when its report is dropped.
///
/// A report can outlive the call of `work`. `idle` is called before a thread waits for other jobs, and when a thread
/// has no more items. It drops the reports that `work` has kept.
///
/// If printing fails, the remaining items are left out, unless `goes_on` says that the work itself matters more than
/// its lines.
pub fn run<'a, T: Sync, P: Printer<Line: Send> + Send>(
    desk: &'a Desk<P>,
    items: &'a [T],
    threads: usize,
    goes_on: bool,
    work: impl Fn(&'a T, Report<'a, P>) + Sync,
    idle: impl Fn() + Sync,
) {
    let next = AtomicUsize::new(0);
    let labour = || {
        loop {
            desk.wait_for_space(&idle);
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index).filter(|_| goes_on || !desk.lock().printer.has_failed()) else {
                return idle();
            };
            work(item, Report { desk, index, lines: Vec::new(), length: 0 });
        }
    };
    thread::scope(|scope| {
        // Where the system refuses more threads, fewer do the work.
        let spawn = || thread::Builder::new().spawn_scoped(scope, labour).is_ok();
        (1..threads.min(items.len())).take_while(|_| spawn()).for_each(drop);
        labour();
    });
}

/// Takes the lines of all jobs.
pub struct Desk<P: Printer> {
    state: Mutex<State<P>>,
    /// Is notified when lines are printed.
    turn: Condvar,
}

struct State<P: Printer> {
    /// The first job that has not ended.
    current: usize,
    /// The lines of jobs that have ended before a job in front of them, and the number of their bytes.
    waiting: BTreeMap<usize, (Vec<P::Line>, usize)>,
    /// The number of bytes in `waiting`.
    kept: usize,
    /// The number of threads that wait for their turn.
    sleepers: usize,
    printer: P,
}

impl<P: Printer> fmt::Debug for Desk<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Desk").finish_non_exhaustive()
    }
}

impl<P: Printer> Desk<P> {
    /// A desk for jobs that have not started.
    pub const fn new(printer: P) -> Self {
        let state = State { current: 0, waiting: BTreeMap::new(), kept: 0, sleepers: 0, printer };
        Desk { state: Mutex::new(state), turn: Condvar::new() }
    }

    /// The printer, after all jobs have ended.
    pub fn into_printer(self) -> P {
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner).printer
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

    fn lock(&self) -> MutexGuard<'_, State<P>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until other jobs have ended.
    fn wait<'b>(&self, mut state: MutexGuard<'b, State<P>>) -> MutexGuard<'b, State<P>> {
        state.sleepers += 1;
        state = self.turn.wait(state).unwrap_or_else(PoisonError::into_inner);
        state.sleepers -= 1;
        state
    }
}

impl<P: Printer> State<P> {
    fn print(&mut self, lines: Vec<P::Line>) {
        if !lines.is_empty() {
            self.printer.print(lines);
        }
    }
}

/// The lines of one job.
pub struct Report<'a, P: Printer> {
    desk: &'a Desk<P>,
    index: usize,
    lines: Vec<P::Line>,
    length: usize,
}

impl<P: Printer> fmt::Debug for Report<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Report").field("index", &self.index).finish_non_exhaustive()
    }
}

impl<P: Printer> Report<'_, P> {
    /// Adds a line of `length` bytes.
    pub fn add(&mut self, line: P::Line, length: usize) {
        self.length += length;
        self.lines.push(line);
    }

    /// Adds `length` bytes to the last line, if there is one that `append` takes them to. Otherwise adds the line that
    /// `append` returns.
    pub fn extend(&mut self, length: usize, append: impl FnOnce(Option<&mut P::Line>) -> Option<P::Line>) {
        self.length += length;
        let line = append(self.lines.last_mut());
        self.lines.extend(line);
    }

    /// If the job keeps many bytes, waits until all jobs before this one have ended, and prints the lines.
    pub fn pass_on_if_long(&mut self) {
        if self.length <= KEPT {
            return;
        }
        let mut state = self.desk.lock();
        while state.current != self.index {
            state = self.desk.wait(state);
        }
        state.print(std::mem::take(&mut self.lines));
        self.length = 0;
    }
}

impl<P: Printer> Drop for Report<'_, P> {
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
            state.print(lines);
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

    /// Keeps all lines.
    #[derive(Default)]
    struct Kept(Vec<String>);

    impl Printer for Kept {
        type Line = String;

        fn print(&mut self, lines: Vec<String>) {
            self.0.extend(lines);
        }

        fn has_failed(&self) -> bool {
            self.0.iter().any(|line| line == "stop")
        }
    }

    fn say(report: &mut Report<'_, Kept>, line: String) {
        let length = line.len();
        report.add(line, length);
        report.pass_on_if_long();
    }

    #[test]
    fn every_item_is_worked_on_once_and_speaks_in_its_turn() {
        let items: Vec<usize> = (0..1000).collect();
        for threads in [1, 2, 7] {
            let desk = Desk::new(Kept::default());
            let work = |item: &usize, mut report: Report<'_, Kept>| say(&mut report, format!("{item} {:10000}", ""));
            run(&desk, &items, threads, true, work, || ());
            let numbers: Vec<usize> =
                desk.into_printer().0.iter().map(|line| line[..4].trim().parse().unwrap()).collect();
            assert_eq!(numbers, items);
        }
    }

    #[test]
    fn lines_wait_for_the_jobs_before_them() {
        let order = Mutex::new(Vec::new());
        let desk = Desk::new(Kept::default());
        let work = |milliseconds: &u64, mut report: Report<'_, Kept>| {
            thread::sleep(std::time::Duration::from_millis(*milliseconds));
            say(&mut report, "x".repeat(KEPT + 1));
            order.lock().unwrap().push(report.index);
        };
        run(&desk, &[20_u64, 0, 10, 0], 4, true, work, || ());
        assert_eq!(order.into_inner().unwrap(), [0, 1, 2, 3]);
    }

    #[test]
    fn after_a_failure_of_printing_only_work_that_goes_on_is_done() {
        for (goes_on, expected) in [(false, 1), (true, 3)] {
            let desk = Desk::new(Kept::default());
            let work = |_: &u8, mut report: Report<'_, Kept>| say(&mut report, "stop".to_owned());
            run(&desk, &[1, 2, 3], 1, goes_on, work, || ());
            assert_eq!(desk.into_printer().0.len(), expected);
        }
    }

    #[test]
    fn no_job_starts_while_ended_jobs_keep_many_lines() {
        const LINE: usize = KEPT_BY_ALL / 4;
        let (full, started) = (Mutex::new(false), AtomicUsize::new(0));
        let changed = Condvar::new();
        let desk = Desk::new(Kept::default());
        // The first job ends when the other thread waits. Until then, the lines of all others are kept.
        let work = |item: &usize, mut report: Report<'_, Kept>| {
            let line = format!("{item} {}", "x".repeat(LINE - 2));
            report.add(line, LINE);
            if *item == 0 {
                let full = changed.wait_while(full.lock().unwrap(), |full| !*full).unwrap();
                drop(full);
                assert_eq!(started.load(Ordering::Relaxed), 5);
            } else {
                started.fetch_add(1, Ordering::Relaxed);
            }
        };
        let idle = || {
            *full.lock().unwrap() = true;
            changed.notify_all();
        };
        let items: Vec<usize> = (0..10).collect();
        run(&desk, &items, 2, true, work, idle);
        let lines = desk.into_printer().0;
        assert_eq!(lines.iter().map(|line| line[..1].parse().unwrap()).collect::<Vec<usize>>(), items);
    }

    #[test]
    fn each_thread_is_idle_after_its_last_item() {
        for (items, threads) in [(0, 3), (1, 3), (5, 3), (5, 1)] {
            let idle = AtomicUsize::new(0);
            let desk = Desk::new(Kept::default());
            let items: Vec<usize> = (0..items).collect();
            run(
                &desk,
                &items,
                threads,
                true,
                |_, _| (),
                || {
                    idle.fetch_add(1, Ordering::Relaxed);
                },
            );
            assert_eq!(idle.into_inner(), threads.min(items.len()).max(1), "{items:?} {threads}");
        }
    }

    #[test]
    fn what_extends_the_last_line_is_no_line() {
        let desk = Desk::new(Kept::default());
        let append = |text: &'static str| {
            move |last: Option<&mut String>| match last {
                Some(last) if last.starts_with('a') => {
                    last.push_str(text);
                    None
                }
                _ => Some(text.to_owned()),
            }
        };
        let mut report = Report { desk: &desk, index: 0, lines: Vec::new(), length: 0 };
        for text in ["x", "a", "b", "c"] {
            report.extend(text.len(), append(text));
        }
        report.add("d".to_owned(), 1);
        assert_eq!(report.length, 5);
        drop(report);
        assert_eq!(desk.into_printer().0, ["x", "abc", "d"]);
    }
}
