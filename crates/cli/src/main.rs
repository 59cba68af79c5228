//! The `textcodec` program. It converts text from one encoding of the [Encoding Standard](https://encoding.spec.whatwg.org/) to
//! another, and finds the encoding of files.
//!
//! The exit status is 0 if everything is done, or if the reader of standard output has stopped reading; 1 if a file could not be read,
//! converted or written; and 2 if the arguments are wrong. `textcodec check` has other exit statuses.

mod arguments;
mod attributes;
mod charset;
mod commands;
mod converter;
mod declarations;
mod detection;
mod extra;
mod foreign;
mod input;
mod interruption;
mod job;
mod jobs;
mod json;
mod kind;
mod label;
mod message;
mod new_file;
mod output;
mod position;
mod progress;
#[allow(dead_code)]
mod repair;
mod report;
mod rewrite;
mod selection;
mod settings;
mod standard_streams;
mod text;

use std::{
    io::{self, Write},
    process::ExitCode,
};

use anyhow::Context;
use clap::{CommandFactory, Parser, error::ErrorKind};

use crate::{
    arguments::{Arguments, Check, Command},
    message::{Failures, escape_controls},
    standard_streams::StandardOutput,
};

fn main() -> ExitCode {
    let arguments = Arguments::try_parse().unwrap_or_else(|error| exit(&error));
    let mut failures = Failures::default();
    let result = match arguments.command {
        Command::Convert(convert) => {
            if let Some(message) = convert.conflict() {
                exit(&Arguments::command().error(ErrorKind::ArgumentConflict, message));
            }
            commands::convert::run(&convert, &mut failures)
        }
        Command::Check(arguments) => return check(&arguments),
        Command::Sniff(arguments) => commands::sniff::run(&arguments, &mut failures),
        Command::List => commands::list::run(),
    };
    report(result, &mut failures);
    failures.status()
}

/// Runs `textcodec check`, which has an exit status of its own for files that have problems.
fn check(arguments: &Check) -> ExitCode {
    let mut failures = Failures::default();
    let has_problems = match commands::check::run(arguments, &mut failures) {
        Ok(has_problems) => has_problems,
        Err(error) => {
            report(Err(error), &mut failures);
            false
        }
    };
    match () {
        () if failures.has_failed() => ExitCode::from(2),
        () if has_problems => ExitCode::FAILURE,
        () => ExitCode::SUCCESS,
    }
}

/// Prints an error of the command line, or the help or version that the user asked for, and ends the program. An error can quote an
/// argument with control characters, which are escaped.
fn exit(error: &clap::Error) -> ! {
    if !error.use_stderr() {
        // `clap` ignores errors of writing.
        let printed = StandardOutput::open().and_then(|_| error.print()).and_then(|()| io::stdout().flush());
        let mut failures = Failures::default();
        report(printed.context("cannot write to standard output"), &mut failures);
        std::process::exit(i32::from(failures.has_failed()))
    }
    let has_controls = std::env::args_os().any(|argument| argument.to_string_lossy().contains(char::is_control));
    if !has_controls {
        error.exit();
    }
    let _ = write!(io::stderr(), "{}", escape_controls(&error.render().to_string()));
    std::process::exit(error.exit_code())
}

/// Prints the failure, unless the only failure is that the reader of the output has stopped reading.
fn report(result: anyhow::Result<()>, failures: &mut Failures) {
    match result {
        Err(error) if !is_closed_pipe(&error) => failures.add(&error),
        _ => {}
    }
}

/// Whether the only failure is that nobody reads the output any more. Only writing fails with this kind of error.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(|io| io.kind() == io::ErrorKind::BrokenPipe)
}
