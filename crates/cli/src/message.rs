//! Messages on standard error.

use std::io::{self, Write};

/// Writes a line to standard error. If that fails there is nowhere left to say so.
pub(crate) fn say(line: &str) {
    let _ = writeln!(io::stderr(), "textcodec: {line}");
}
