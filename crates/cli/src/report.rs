//! `--report`: the list of everything that was replaced.

use std::{
    cell::RefCell,
    fmt,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use anyhow::Context;

use textcodec_convert::Replacement;

use crate::{message, output::Output};

/// The number of bytes that are kept before they are written.
const BUFFER: usize = 64 * 1024;

/// The number of bytes that wait for the end of an input. A report of any length must not fill the memory.
const WAITING: usize = 1 << 20;

/// A file with one line for each replacement: the file, the line, the column, and what was replaced. The lines of one
/// input are in the order of its text.
pub(crate) struct Report {
    path: PathBuf,
    state: Mutex<State>,
}

struct State {
    output: Option<Output>,
    lines: Vec<u8>,
    /// The first error of writing.
    error: Option<io::Error>,
}

impl fmt::Debug for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Report").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Report {
    /// The file appears when the report is [finished](Self::finish).
    pub(crate) fn create(path: &Path) -> anyhow::Result<Self> {
        let output = Output::open(Some(path)).with_context(|| format!("cannot write {}", message::display(path)))?;
        let state = State { output: Some(output), lines: Vec::new(), error: None };
        Ok(Report { path: path.to_owned(), state: Mutex::new(state) })
    }

    /// Adds a line. An error of writing is reported by [`finish`](Self::finish).
    pub(crate) fn add(&self, name: &str, replacement: &Replacement<'_>) {
        self.add_lines(line(name, replacement).as_bytes());
    }

    /// The lines of an input that may be skipped.
    pub(crate) fn lines<'a>(&'a self, name: &'a str) -> Lines<'a> {
        Lines { report: self, name, waiting: RefCell::default() }
    }

    fn add_lines(&self, lines: &[u8]) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.lines.extend_from_slice(lines);
        if state.lines.len() >= BUFFER {
            state.write();
        }
    }

    /// Writes the rest, and gives the file its name.
    pub(crate) fn finish(&self) -> anyhow::Result<()> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.write();
        let result = match (state.error.take(), state.output.take()) {
            (Some(error), _) => Err(error),
            (None, Some(output)) => output.complete().map(drop),
            (None, None) => Ok(()),
        };
        result.with_context(|| format!("cannot write {}", message::display(&self.path)))
    }
}

/// The lines of one input. The report gets them at the [end](Self::end), and not if the input is skipped. Longer lists
/// than [`WAITING`] do not wait.
pub(crate) struct Lines<'a> {
    report: &'a Report,
    name: &'a str,
    waiting: RefCell<Vec<u8>>,
}

impl Lines<'_> {
    pub(crate) fn add(&self, replacement: &Replacement<'_>) {
        let mut waiting = self.waiting.borrow_mut();
        waiting.extend_from_slice(line(self.name, replacement).as_bytes());
        if waiting.len() >= WAITING {
            self.report.add_lines(&waiting);
            waiting.clear();
        }
    }

    /// Adds the lines to the report.
    pub(crate) fn end(self) {
        self.report.add_lines(&self.waiting.into_inner());
    }
}

fn line(name: &str, replacement: &Replacement<'_>) -> String {
    format!("{name}:{}: {replacement}\n", replacement.position.for_editors())
}

impl State {
    fn write(&mut self) {
        if let (None, Some(output)) = (&self.error, &mut self.output) {
            self.error = output.write_all(&self.lines).and_then(|()| output.flush()).err();
        }
        self.lines.clear();
    }
}
