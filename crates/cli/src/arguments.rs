//! The command line: a module for each command with options.

mod check;
mod convert;
mod places;
mod selection;
mod sniff;

use clap::{Parser, Subcommand};

pub(crate) use self::{check::Check, convert::Convert, selection::Selection, sniff::Sniff};

/// Convert text between the encodings of the web
///
/// textcodec knows every encoding and every label of the Encoding Standard (https://encoding.spec.whatwg.org/), and converts as browsers
/// do. Each command has its own help, with examples: textcodec convert --help.
#[derive(Parser, Debug)]
#[command(name = "textcodec", version, arg_required_else_help = true, disable_help_subcommand = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Convert(Box<Convert>),
    Check(Check),
    Sniff(Sniff),
    /// Print the name and the labels of each encoding
    ///
    /// Each line has the name of an encoding and then its labels. Options that take a LABEL accept every label, in upper or lower case.
    /// No text can be converted to the encoding replacement.
    List,
}
