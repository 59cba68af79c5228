//! The progress bar: only for what takes long, and only where nothing else is shown.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// How long a conversion takes before it is worth a bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// A bar on standard error that appears late, and disappears when this is dropped.
pub(crate) struct Progress {
    start: Instant,
    /// The bytes that are to be read, if that is known.
    total: Option<u64>,
    read: u64,
    state: State,
}

enum State {
    Never,
    NotYet,
    Shown(ProgressBar),
}

impl Progress {
    /// `wanted` says whether a bar may be shown at all.
    pub(crate) fn new(wanted: bool, total: Option<u64>) -> Self {
        let state = if wanted { State::NotYet } else { State::Never };
        Progress { start: Instant::now(), total, read: 0, state }
    }

    /// Counts `bytes` more that were read.
    pub(crate) fn advance(&mut self, bytes: usize) {
        self.read += bytes as u64;
        match &self.state {
            State::NotYet if self.start.elapsed() > PATIENCE => self.state = State::Shown(self.bar()),
            State::Shown(bar) => bar.set_position(self.read),
            State::NotYet | State::Never => {}
        }
    }

    fn bar(&self) -> ProgressBar {
        let bar = ProgressBar::no_length();
        let template = match self.total {
            Some(total) => {
                bar.set_length(total);
                "{wide_bar} {binary_bytes}/{binary_total_bytes}, {binary_bytes_per_sec}, {eta} left"
            }
            None => "{spinner} {binary_bytes}, {binary_bytes_per_sec}",
        };
        bar.set_style(ProgressStyle::with_template(template).expect("the template is well-formed"));
        bar.set_position(self.read);
        bar.with_elapsed(self.start.elapsed())
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let State::Shown(bar) = &self.state {
            bar.finish_and_clear();
        }
    }
}
