//! The `textcodec` program. It converts text from one encoding of the [Encoding Standard](https://encoding.spec.whatwg.org/) to
//! another, finds the encoding of files, and repairs text that was decoded wrongly.
//!
//! The exit status is 0 if everything is done, or if the reader of standard output has stopped reading; 1 if a file could not be read,
//! converted or written; and 2 if the arguments are wrong. `textcodec check` has other exit statuses.

mod arguments;
mod attributes;
mod buffers;
mod charset;
mod color;
mod commands;
mod converter;
mod declarations;
mod detection;
mod extra;
mod foreign;
mod guess;
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
mod overlap;
mod position;
mod progress;
mod repair;
mod report;
mod rewrite;
mod selection;
mod settings;
mod standard_streams;
mod text;
mod undecided;

use std::{
    env,
    io::{self, Write},
    path::Path,
    process::ExitCode,
};

use anyhow::Context;
use clap::{CommandFactory, FromArgMatches, Parser, error::ErrorKind};

use crate::{
    arguments::{Arguments, Check, Command, Iconv, IconvProgram},
    message::{Failures, escape_controls},
    standard_streams::StandardOutput,
};

fn main() -> ExitCode {
    if is_iconv() {
        message::set_program("iconv");
        let arguments = IconvProgram::try_parse().unwrap_or_else(|error| exit_of_iconv(&error));
        return run_iconv(&arguments.iconv);
    }
    let matches = Arguments::command().color(color::choice_of_arguments().into()).try_get_matches();
    let arguments = matches.and_then(|matches| Arguments::from_arg_matches(&matches)).unwrap_or_else(|error| {
        // The first argument is the command, because the program has no options in front of it.
        let is_iconv = env::args_os().nth(1).is_some_and(|command| command == "iconv");
        if is_iconv { exit_of_iconv(&error) } else { exit(&error) }
    });
    color::set(arguments.color);
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
        Command::Repair(arguments) => match arguments.repairs() {
            Ok(repairs) => commands::repair::run(&arguments, &repairs, &mut failures),
            Err(message) => exit(&Arguments::command().error(ErrorKind::ValueValidation, message)),
        },
        Command::Show(arguments) => commands::show::run(&arguments),
        Command::List(arguments) => commands::list::run(&arguments),
        Command::Completions(arguments) => commands::completions::run(&arguments),
        Command::Man(arguments) => commands::man::run(&arguments),
        Command::Iconv(arguments) => return run_iconv(&arguments),
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

/// Whether the program was called by a link with the name iconv.
fn is_iconv() -> bool {
    let name = env::args_os().next().unwrap_or_default();
    Path::new(&name).file_stem().is_some_and(|name| name == "iconv")
}

fn run_iconv(arguments: &Iconv) -> ExitCode {
    let mut failures = Failures::default();
    match commands::iconv::run(arguments, &mut failures) {
        Ok(status) => status,
        Err(error) => {
            report(Err(error), &mut failures);
            failures.status()
        }
    }
}

/// As [`exit`], with the status that programs of GNU have after wrong arguments.
fn exit_of_iconv(error: &clap::Error) -> ! {
    if !error.use_stderr() {
        exit(error);
    }
    let _ = write!(io::stderr(), "{}", escape_controls(&error.render().to_string()));
    std::process::exit(i32::from(commands::iconv::USAGE))
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
    let has_controls = env::args_os().any(|argument| argument.to_string_lossy().contains(char::is_control));
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
