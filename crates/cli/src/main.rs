//! The `textcodec` program: text from one encoding of the [Encoding Standard](https://encoding.spec.whatwg.org/) to another.
//!
//! It exits with 0 when everything was converted, also if whoever reads the output stops early; with 1 when something
//! could not be read, converted or written; and with 2 when the command line makes no sense.

mod arguments;
mod command;
mod convert;
mod input;
mod label;
mod list;
mod output;
mod position;
mod progress;

use std::{
    io::{self, Write},
    process::ExitCode,
};

use clap::Parser;

use crate::arguments::{Arguments, Command};

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Convert(convert) => command::run(&convert),
        Command::List => list::run(),
    };
    match result {
        Err(error) if !is_closed_pipe(&error) => {
            say(&format!("{error:#}"));
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}

/// Writes a line to standard error. If that fails there is nowhere left to say so.
fn say(line: &str) {
    let _ = writeln!(io::stderr(), "textcodec: {line}");
}

/// Whether all that happened is that nobody reads the output any more. Only writing gives this kind of error.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(|io| io.kind() == io::ErrorKind::BrokenPipe)
}
