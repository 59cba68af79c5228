//! The progress bar: only for long conversions, and only if the terminal shows nothing else.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The time after which a conversion shows a bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// A bar on standard error that appears after [`PATIENCE`], and disappears when this value is dropped.
pub(crate) struct Progress(Option<ProgressBar>);

impl Progress {
    /// `wanted` says whether a bar may be shown. `total` is the number of bytes to read, if it is known.
    pub(crate) fn new(wanted: bool, total: Option<u64>) -> Self {
        Progress(wanted.then(|| {
            let template = match total {
                Some(_) => "{wide_bar} {binary_bytes}/{binary_total_bytes}, {binary_bytes_per_sec}, {eta} left",
                None => "{spinner} {binary_bytes}, {binary_bytes_per_sec}",
            };
            let style = ProgressStyle::with_template(template).expect("the template is well-formed");
            ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden()).with_style(style)
        }))
    }

    /// Adds `bytes` to the number of bytes that were read.
    pub(crate) fn advance(&self, bytes: usize) {
        let Some(bar) = &self.0 else { return };
        bar.inc(bytes as u64);
        if bar.is_hidden() && bar.elapsed() > PATIENCE {
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }
}

impl Progress {
    /// Calls `print` while the bar is not on the terminal.
    pub(crate) fn suspend<R>(&self, print: impl FnOnce() -> R) -> R {
        match &self.0 {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
