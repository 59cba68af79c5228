//! The `textcodec` program. It converts text from one encoding of the
//! [Encoding Standard](https://encoding.spec.whatwg.org/) to another, finds the encoding of files, and repairs text
//! that was decoded wrongly.
//!
//! The exit status is 0 if everything is done, or if the reader of standard output has stopped reading; 1 if a file
//! could not be read, converted or written; and 2 if the arguments are wrong. `textcodec check` has other exit
//! statuses.
//!
//! The library `textcodec-convert` does the work. The order of the modules here; each knows only those before it:
//!
//! ```text
//! standard_streams ← message ← color ← json ← progress ← label ← input ← output ← jobs ← report ← settings ←
//! sample ← explanation ← arguments ← commands
//! ```

mod arguments;
mod color;
mod commands;
mod explanation;
mod input;
mod jobs;
mod json;
mod label;
mod message;
mod output;
mod progress;
mod report;
mod sample;
mod settings;
mod standard_streams;

use std::{
    ffi::OsString,
    io::{self, Write},
    path::Path,
};

use anyhow::Context;
use clap::{CommandFactory, FromArgMatches, Parser, error::ErrorKind};
use textcodec_convert::files::{self, Collision};

use crate::{
    arguments::{Arguments, Check, Command, Iconv, IconvProgram},
    message::Failures,
    standard_streams::StandardOutput,
};

/// Runs the program and returns its exit status. The command line begins with the name by which the program was called.
///
/// The choice of colors and the thread that waits for signals stay until the process ends, so a process should run the
/// program once.
#[must_use]
pub fn run(command_line: Vec<OsString>) -> u8 {
    files::remove_temporary_files_on_signals();
    let status = run_program(&command_line);
    for path in files::take_left_files() {
        let name = message::display(&path);
        message::say(&format!("{name}: this temporary file could not be removed, and can be deleted"));
    }
    status
}

fn run_program(command_line: &[OsString]) -> u8 {
    if is_iconv(command_line) {
        message::set_program("iconv");
        return match IconvProgram::try_parse_from(command_line) {
            Ok(parsed) => run_iconv(&parsed.iconv),
            Err(error) => explain_iconv(error),
        };
    }
    let matches = Arguments::command().color(color::choice(command_line).into()).try_get_matches_from(command_line);
    match matches.and_then(|matches| Arguments::from_arg_matches(&matches)) {
        Ok(parsed) => run_command(parsed),
        Err(error) if has_command_iconv(command_line) => explain_iconv(error),
        Err(error) => explain(error),
    }
}

fn run_command(parsed: Arguments) -> u8 {
    color::set(parsed.color);
    let mut failures = Failures::default();
    let result = match parsed.command {
        Command::Convert(convert) => {
            if let Some(message) = convert.conflict() {
                return explain_wrong("convert", message);
            }
            commands::convert::run(&convert, &mut failures)
        }
        Command::Check(arguments) => return check(&arguments),
        Command::Sniff(arguments) => commands::sniff::run(&arguments, &mut failures),
        Command::Repair(arguments) => match arguments.repairs() {
            Ok(repairs) => commands::repair::run(&arguments, &repairs, &mut failures),
            Err(message) => {
                return explain_wrong("repair", &message);
            }
        },
        Command::Names(arguments) => {
            if let Some(message) = arguments.conflict() {
                return explain_wrong("names", message);
            }
            commands::names::run(&arguments, &mut failures)
        }
        Command::Show(arguments) => commands::show::run(&arguments),
        Command::List(arguments) => commands::list::run(&arguments),
        Command::Completions(arguments) => commands::completions::run(&arguments),
        Command::GitFilter(arguments) => {
            if let Some(message) = arguments.conflict() {
                return explain_wrong("git-filter", message);
            }
            commands::git_filter::run(&arguments)
        }
        Command::Man(arguments) => commands::man::run(&arguments),
        Command::Iconv(arguments) => return run_iconv(&arguments),
    };
    let is_collision = result.as_ref().is_err_and(|error| error.is::<Collision>());
    report(result, &mut failures);
    if is_collision { 2 } else { failures.status() }
}

/// Runs `textcodec check`, which has an exit status of its own for files that have problems.
fn check(arguments: &Check) -> u8 {
    let mut failures = Failures::default();
    let has_problems = match commands::check::run(arguments, &mut failures) {
        Ok(has_problems) => has_problems,
        Err(error) => {
            report(Err(error), &mut failures);
            false
        }
    };
    if failures.has_failed() { 2 } else { u8::from(has_problems) }
}

/// Whether the program was called by a link with the name iconv.
fn is_iconv(command_line: &[OsString]) -> bool {
    command_line.first().and_then(|name| Path::new(name).file_stem()).is_some_and(|name| name == "iconv")
}

/// Whether the first argument is the command iconv. Only --color can stand in front of a command.
fn has_command_iconv(command_line: &[OsString]) -> bool {
    let mut arguments = command_line.iter().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.to_str() {
            Some("--color") => drop(arguments.next()),
            Some(argument) if argument.starts_with("--color=") => {}
            command => return command == Some("iconv"),
        }
    }
    false
}

fn run_iconv(arguments: &Iconv) -> u8 {
    let mut failures = Failures::default();
    match commands::iconv::run(arguments, &mut failures) {
        Ok(status) => status,
        Err(error) => {
            report(Err(error), &mut failures);
            failures.status()
        }
    }
}

/// As [`explain`], with the status that programs of GNU have after wrong arguments.
fn explain_iconv(error: clap::Error) -> u8 {
    match explain(error) {
        2 => commands::iconv::USAGE,
        status => status,
    }
}

/// Prints the error that the arguments of a command contradict each other, with the usage of this command, and returns
/// the exit status.
fn explain_wrong(command: &str, message: &str) -> u8 {
    let mut program = Arguments::command();
    program.build();
    let command = program.find_subcommand_mut(command).expect("the command was parsed");
    explain(command.error(ErrorKind::ArgumentConflict, message))
}

/// Prints an error of the command line, or the help or version that the user asked for, and returns the exit status.
fn explain(error: clap::Error) -> u8 {
    if error.use_stderr() {
        message::say_usage(error);
        return 2;
    }
    // `clap` ignores errors of writing.
    let printed = StandardOutput::open().and_then(|_| error.print()).and_then(|()| io::stdout().flush());
    let mut failures = Failures::default();
    report(printed.context("cannot write to standard output"), &mut failures);
    failures.status()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_with_the_name_iconv_is_iconv_whatever_its_directory_and_its_ending_are() {
        for (name, expected) in [
            ("iconv", true),
            ("/usr/bin/iconv", true),
            ("../iconv.exe", true),
            ("textcodec", false),
            ("iconv/textcodec", false),
            ("iconv2", false),
            ("", false),
        ] {
            assert_eq!(is_iconv(&[name.into(), "iconv".into()]), expected, "{name}");
        }
        assert!(!is_iconv(&[]));
    }

    #[test]
    fn the_command_iconv_is_known_after_the_option_for_colors() {
        for (arguments, expected) in [
            ("textcodec iconv --nothing", true),
            ("textcodec --color never iconv --nothing", true),
            ("textcodec --color=never iconv --nothing", true),
            ("textcodec --color=never --color iconv iconv", true),
            ("textcodec --color iconv", false),
            ("textcodec --color iconv convert", false),
            ("textcodec --colors=never iconv", false),
            ("textcodec convert iconv", false),
            ("textcodec -- iconv", false),
            ("iconv", false),
        ] {
            let arguments: Vec<OsString> = arguments.split(' ').map(Into::into).collect();
            assert_eq!(has_command_iconv(&arguments), expected, "{arguments:?}");
        }
    }
}
