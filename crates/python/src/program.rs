//! `python -m textcodec`: the program `textcodec`.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the program `textcodec`, and returns its exit status. The command line begins with the name of the program.
///
/// A process calls this once at most, because the program leaves its choice of colors and its thread for signals
/// behind.
#[pyfunction]
pub(crate) fn _program(py: Python<'_>, command_line: Vec<OsString>) -> u8 {
    py.detach(|| textcodec_cli::run(command_line))
}
