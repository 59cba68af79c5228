//! `textcodec completions`: a script for a shell.

use anyhow::Context;
use clap::CommandFactory;

use crate::{
    arguments::{Arguments, Completions},
    standard_streams::StandardOutput,
};

/// Prints the script.
pub(crate) fn run(arguments: &Completions) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "textcodec", &mut script);
    let script = String::from_utf8_lossy(&script);
    StandardOutput::open().and_then(|mut output| output.print(&script)).context("cannot write to standard output")
}
