//! `--report`: the list of everything that was replaced.

use std::{
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
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = writeln!(state.lines, "{name}:{}: {replacement}", replacement.position.for_editors());
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

impl State {
    fn write(&mut self) {
        if let (None, Some(output)) = (&self.error, &mut self.output) {
            self.error = output.write_all(&self.lines).and_then(|()| output.flush()).err();
        }
        self.lines.clear();
    }
}
