//! `textcodec list`: [names and labels](https://encoding.spec.whatwg.org/#names-and-labels).

use std::io::{self, Write};

use anyhow::Context;
use textcodec::Encoding;

/// Prints one line for each encoding: its name, and its labels behind it.
pub(crate) fn run() -> anyhow::Result<()> {
    print(&mut io::stdout().lock()).context("cannot write to standard output")
}

fn print(output: &mut impl Write) -> io::Result<()> {
    let width = Encoding::all().map(|encoding| encoding.name().len()).max().unwrap_or(0);
    for encoding in Encoding::all() {
        writeln!(output, "{:width$}  {}", encoding.name(), encoding.labels().collect::<Vec<_>>().join(" "))?;
    }
    output.flush()
}
