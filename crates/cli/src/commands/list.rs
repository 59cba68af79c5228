//! `textcodec list`: [names and labels](https://encoding.spec.whatwg.org/#names-and-labels).

use anyhow::Context;
use textcodec::Encoding;

use crate::standard_streams::StandardOutput;

/// Prints one line for each encoding: its name, then its labels.
pub(crate) fn run() -> anyhow::Result<()> {
    let mut text = String::new();
    let width = Encoding::all().map(|encoding| encoding.name().len()).max().unwrap_or(0);
    for encoding in Encoding::all() {
        let labels: Vec<_> = encoding.labels().collect();
        text += &format!("{:width$}  {}\n", encoding.name(), labels.join(" "));
    }
    StandardOutput::open().and_then(|mut output| output.print(&text)).context("cannot write to standard output")
}
