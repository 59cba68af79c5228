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
    // In fish, the question mark of `iconv -?` stands for any character, unless it is in quotes.
    let script = String::from_utf8_lossy(&script).replace(" -s ? ", " -s '?' ");
    StandardOutput::open().and_then(|mut output| output.print(&script)).context("cannot write to standard output")
}
