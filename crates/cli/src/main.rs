//! The `textcodec` program: text from one encoding of the [Encoding Standard](https://encoding.spec.whatwg.org/) to another,
//! and which encoding it is in.
//!
//! It exits with 0 when everything was done, also if whoever reads the output stops early; with 1 when something
//! could not be read, converted or written; and with 2 when the command line makes no sense.

mod arguments;
mod attributes;
mod commands;
mod converter;
mod detection;
mod input;
mod interruption;
mod kind;
mod label;
mod message;
mod new_file;
mod output;
mod position;
mod progress;
mod standard_streams;

use std::{io, process::ExitCode};

use clap::{CommandFactory, Parser, error::ErrorKind};

use crate::{
    arguments::{Arguments, Command, Convert},
    converter::bom_of,
    label::SourceEncoding,
    message::say,
};

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Convert(convert) => {
            if let Some(message) = conflict(&convert) {
                Arguments::command().error(ErrorKind::ArgumentConflict, message).exit();
            }
            commands::convert::run(&convert)
        }
        Command::Sniff(arguments) => commands::sniff::run(&arguments),
        Command::List => commands::list::run(),
    };
    match result {
        Err(error) if !is_closed_pipe(&error) => {
            say(&format!("{error:#}"));
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}

/// What makes no sense in `arguments`, though each of them does.
fn conflict(arguments: &Convert) -> Option<&'static str> {
    if arguments.bom && bom_of(arguments.to).is_none() {
        return Some("--bom is of use with --to utf-8, utf-16le or utf-16be only");
    }
    match arguments.from {
        SourceEncoding::Auto if arguments.ignore_bom => {
            Some("--from auto looks for byte order marks, --ignore-bom forbids it")
        }
        SourceEncoding::Label(_) if arguments.fallback.is_some() => Some("--fallback is of use with --from auto only"),
        _ => None,
    }
}

/// Whether all that happened is that nobody reads the output any more. Only writing gives this kind of error.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(|io| io.kind() == io::ErrorKind::BrokenPipe)
}
