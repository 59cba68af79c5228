//! The command line: a module for each command with options.

mod check;
mod convert;
mod git_filter;
mod guess;
mod iconv;
mod names;
mod places;
mod repair;
mod selection;
mod show;
mod sniff;
mod values;

use std::{path::PathBuf, sync::LazyLock};

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

pub(crate) use self::{
    check::{Check, rules},
    convert::{Convert, MIN_PROBABILITY},
    git_filter::{Action, GitFilter},
    iconv::{Iconv, IconvProgram},
    names::Names,
    repair::{Repair, Wanted},
    selection::Selection,
    show::Show,
    sniff::Sniff,
};
use crate::color::Color;

/// Convert text between the encodings of the web
///
/// textcodec knows every encoding and every label of the Encoding Standard (https://encoding.spec.whatwg.org/), and
/// converts as browsers do. It also knows some older encodings, for example of DOS and of mainframes: textcodec list.
/// Each command has its own help, with examples: textcodec convert --help.
#[derive(Parser, Debug)]
#[command(name = "textcodec", version, long_version = VERSION.as_str(), arg_required_else_help = true, disable_help_subcommand = true)]
pub(crate) struct Arguments {
    /// When output has colors; the variable NO_COLOR turns them off
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t, hide_possible_values = true)]
    pub(crate) color: Color,

    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The version, and the vector instructions that conversions use on this processor.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    format!("{}\nlevel of the processor: {:?}", env!("CARGO_PKG_VERSION"), textcodec_kernels::level::level())
});

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Convert(Box<Convert>),
    Check(Check),
    Sniff(Sniff),
    Repair(Repair),
    Names(Names),
    Show(Show),
    List(List),
    Completions(Completions),
    Iconv(Iconv),
    GitFilter(GitFilter),
    Man(Man),
}

/// Print the name and the labels of each encoding
///
/// Each line has the name of an encoding and then its labels. Options that take a LABEL accept every label, in upper or
/// lower case. The first 40 encodings are those of the Encoding Standard. The others follow in families; a line that
/// starts with "#" names the family. A prefix says whose name it is: glibc:, iana:, python:, java: or textcodec:. For
/// example, glibc:koi8-u is the encoding of glibc, and koi8-u is that of the Standard. The Standard gives the labels
/// iso-8859-1, us-ascii and iso-8859-9 to larger encodings; the smaller ones have labels that start with "exact-". The
/// Standard's shift_jis, euc-jp, gbk, big5 and euc-kr are the encodings of browsers, which have more characters than
/// those of glibc and ICU under these names. For example, the Standard's euc-kr is windows-949, and the byte 5C is a
/// backslash in the Standard's shift_jis and a yen sign in that of glibc.
///
/// No text can be converted to the encodings replacement and utf-7.
#[derive(Args, Debug)]
#[command(
    after_long_help = "Examples:\n  textcodec list\n      Print all encodings.\n  textcodec list --json\n      Print an object for each encoding."
)]
pub(crate) struct List {
    /// Print a JSON object for each encoding
    ///
    /// The members are "name", "labels", "standard" (whether it is an encoding of the Encoding Standard), "writable"
    /// (whether text can be converted to it) and "family" (null for encodings of the Standard).
    #[arg(long)]
    pub(crate) json: bool,
}

/// Write the man pages of textcodec to a directory
///
/// There is a page for the program, and one for each command.
#[derive(Args, Debug)]
#[command(
    after_long_help = "Examples:\n  textcodec man share/man/man1\n      Write the man pages to a directory of man."
)]
pub(crate) struct Man {
    /// The directory, which must exist
    #[arg(value_name = "DIR")]
    pub(crate) directory: PathBuf,
}

/// Print a script that makes a shell complete the arguments of textcodec
///
/// For bash, for example: textcodec completions bash > ~/.local/share/bash-completion/completions/textcodec
#[derive(Args, Debug)]
#[command(after_long_help = "Examples:\n  textcodec completions fish\n      Print the script for fish.")]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    pub(crate) shell: Shell,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    /// The arguments of a line of an example up to the first sign of the shell; none in the quotes of another program.
    fn words(line: &str) -> Vec<String> {
        let mut words = vec![String::new()];
        let mut quote = None;
        for character in line.chars() {
            match (character, quote) {
                (quoted, Some(end)) if quoted == end => quote = None,
                ('\'' | '"', None) => quote = Some(character),
                ('|' | '>' | '<' | '&', None) => break,
                (' ', None) => words.push(String::new()),
                _ => words.last_mut().expect("there is a word").push(character),
            }
        }
        words.retain(|word| !word.is_empty());
        words
    }

    #[test]
    fn no_line_of_help_with_lines_of_its_own_is_broken() {
        // The help has 100 columns, and 10 of them are empty before the text about an option.
        const WIDTH: usize = 90;
        let mut program = Arguments::command();
        program.build();
        let mut count = 0;
        for argument in program.get_subcommands().flat_map(clap::Command::get_arguments) {
            let help = argument.get_long_help().map(ToString::to_string).unwrap_or_default();
            for paragraph in help.split("\n\n").filter(|paragraph| paragraph.contains('\n')) {
                for line in paragraph.lines() {
                    assert!(line.chars().count() <= WIDTH, "{}: {line}", argument.get_id());
                    count += 1;
                }
            }
        }
        assert!(count > 20, "{count}");
    }

    #[test]
    fn every_command_has_examples_and_understands_them() {
        let mut program = Arguments::command();
        program.build();
        for command in program.get_subcommands() {
            let help = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.starts_with("Examples:\n"), "{}", command.get_name());
            for line in help.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   ")) {
                let Some(at) = line.find("textcodec ") else { continue };
                let line = line[at..].trim_end_matches('\'');
                let parsed = Arguments::try_parse_from(words(line));
                assert!(parsed.is_ok(), "{line}: {:?}", parsed.err());
            }
        }
    }
}
