//! The progress bar: only for what takes long, and only where nothing else is shown.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How long a conversion takes before it is worth a bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// A bar on standard error that appears late, if at all, and disappears when this is dropped.
pub(crate) struct Progress(Option<ProgressBar>);

impl Progress {
    /// `wanted` says whether a bar may be shown; `total` is how many bytes are to be read, if that is known.
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

    /// Counts `bytes` more that were read.
    pub(crate) fn advance(&mut self, bytes: usize) {
        let Some(bar) = &self.0 else { return };
        bar.inc(bytes as u64);
        if bar.is_hidden() && bar.elapsed() > PATIENCE {
            bar.set_draw_target(ProgressDrawTarget::stderr());
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
