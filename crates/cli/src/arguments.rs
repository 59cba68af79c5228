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
    use clap::{CommandFactory, FromArgMatches};

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

    /// Whether a command takes these arguments, of which the first is its name.
    fn is_taken(command: &clap::Command, arguments: &[&str]) -> bool {
        let Ok(matches) = command.clone().try_get_matches_from(arguments) else { return false };
        match command.get_name() {
            "convert" => Convert::from_arg_matches(&matches).is_ok_and(|convert| convert.conflict().is_none()),
            "names" => Names::from_arg_matches(&matches).is_ok_and(|names| names.conflict().is_none()),
            _ => true,
        }
    }

    /// The option on a command line, with a value if it takes one.
    fn with_value(argument: &clap::Arg) -> Option<String> {
        let option = format!("--{}", argument.get_long()?);
        let first = argument.get_possible_values().into_iter().next().map(|value| value.get_name().to_owned());
        let value = first.unwrap_or_else(|| match argument.get_id().as_str() {
            "tld" | "languages" => "de".to_owned(),
            "min_probability" => "0.5".to_owned(),
            "deny" | "allow" => "bom".to_owned(),
            "jobs" | "limit" | "record_length" | "offset" | "length" | "errors" => "8".to_owned(),
            id if ["from", "to", "among", "fallback", "encoding", "encodings", "was", "read_as", "mixed"]
                .contains(&id) =>
            {
                "koi8-r".to_owned()
            }
            _ => "x".to_owned(),
        });
        Some(if argument.get_action().takes_values() { format!("{option}={value}") } else { option })
    }

    #[test]
    fn an_option_that_needs_another_one_is_not_ignored_beside_a_third_one() {
        let mut program = Arguments::command();
        program.build();
        let mut count = 0;
        for command in program.get_subcommands() {
            let name = command.get_name();
            let options: Vec<String> = command.get_arguments().filter_map(with_value).collect();
            for option in &options {
                // A file can be what the option conflicts with.
                let needed = ["x", "--"].iter().find_map(|file| {
                    let error = command.clone().try_get_matches_from([name, option, file]).err()?;
                    let is_missing = error.kind() == clap::error::ErrorKind::MissingRequiredArgument;
                    is_missing.then(|| error.render().to_string())
                });
                let Some(needed) = needed.filter(|needed| needed.contains("  --")) else { continue };
                assert!(!is_taken(command, &[name, option, "x"]), "{name} {option} x");
                for other in options.iter().filter(|other| *other != option) {
                    let long = other.split('=').next().unwrap_or_default();
                    let is_needed = needed.split([' ', '|', '<', '>', '\n']).any(|word| word == long);
                    for file in ["x", "--"] {
                        assert!(
                            is_needed || !is_taken(command, &[name, option, other, file]),
                            "{name} {option} {other}"
                        );
                    }
                    count += 1;
                }
            }
        }
        assert!(count > 200, "{count}");
    }

    /// Words that an option can need beside it; some need none.
    fn needs(command: &str) -> &'static [&'static str] {
        match command {
            "convert" => &[
                "",
                "--in-place",
                "--output-dir=x",
                "--in-place --recursive",
                "--output-dir=x --recursive",
                "--guess",
                "--fallback=koi8-r",
                "--to=cp037",
                "--from=cp037",
            ],
            "check" => &["", "--fix", "--recursive"],
            "names" => &["", "--apply", "--zip=x", "--from=koi8-r"],
            _ => &[""],
        }
    }

    /// The list is written as the other files in `tests/matrix`.
    #[test]
    fn options_contradict_each_other_and_need_others_as_the_list_says() {
        let mut program = Arguments::command();
        program.build();
        let mut list = String::new();
        for command in program.get_subcommands().filter(|command| command.get_name() != "git-filter") {
            let name = command.get_name();
            // With a file or without one.
            let is_possible = |options: &[&str], needed: &[&str]| {
                let mut words: Vec<&str> = [name].into_iter().chain(options.iter().copied()).collect();
                for word in needed.iter().flat_map(|words| words.split_whitespace()) {
                    if !words.contains(&word) {
                        words.push(word);
                    }
                }
                is_taken(command, &words) || is_taken(command, &[&words[..], &["x"]].concat())
            };
            let options: Vec<(String, Vec<&str>)> = command
                .get_arguments()
                .filter(|argument| !["help", "version", "usage", "color"].contains(&argument.get_id().as_str()))
                .filter_map(with_value)
                .map(|option| {
                    let needs = needs(name).iter().copied().filter(|words| is_possible(&[&option], &[words]));
                    let needs: Vec<&str> = needs.collect();
                    (option, if needs.contains(&"") { vec![""] } else { needs })
                })
                .collect();
            for (index, (option, needs)) in options.iter().enumerate() {
                let contradicts = |other: &str, others: &[&str]| {
                    let mut pairs = needs.iter().flat_map(|one| others.iter().map(move |other| [*one, *other]));
                    !pairs.any(|pair| is_possible(&[option, other], &pair))
                };
                let short = |option: &str| option.split('=').next().unwrap_or_default().to_owned();
                let others: Vec<String> = options[index + 1..]
                    .iter()
                    .filter(|(other, others)| contradicts(other, others))
                    .map(|(other, _)| short(other))
                    .collect();
                if needs[..] != [""] {
                    list += &format!("{name} {} needs {}\n", short(option), needs.join(", or "));
                }
                if !others.is_empty() {
                    list += &format!("{name} {} contradicts {}\n", short(option), others.join(" "));
                }
            }
        }
        let path = format!("{}/tests/matrix/contradictions.txt", env!("CARGO_MANIFEST_DIR"));
        if std::env::var("TEXTCODEC_PINNED").is_ok_and(|value| value == "write") {
            std::fs::write(&path, &list).unwrap();
        }
        assert_eq!(list, std::fs::read_to_string(&path).unwrap(), "{list}");
    }

    /// The rows of the files in `tests/matrix`: the words of the last command of each, and what it does.
    fn matrix() -> Vec<(Vec<String>, String)> {
        let mut rows: Vec<(Vec<String>, String)> = Vec::new();
        for name in ["conversion", "places", "check", "looks", "others"] {
            let path = format!("{}/tests/matrix/{name}.txt", env!("CARGO_MANIFEST_DIR"));
            // What a command does in other places is no part of what it does.
            let mut is_here = false;
            for line in std::fs::read_to_string(path).unwrap().lines() {
                if let Some(row) = line.strip_prefix("$ ").or_else(|| line.strip_prefix("@ ")) {
                    let words = row.rsplit(" && ").next().unwrap_or_default().split(' ');
                    rows.push((words.map(str::to_owned).collect(), String::new()));
                    is_here = true;
                }
                is_here &= !line.starts_with("same|") && !line.starts_with("at|") && !line.starts_with('#');
                if let Some((_, outcome)) = rows.last_mut().filter(|_| is_here && !line.starts_with(['$', '@'])) {
                    *outcome += &format!("{line}\n");
                }
            }
        }
        rows
    }

    /// The names of an option on a command line.
    fn names_of(argument: &clap::Arg) -> Vec<String> {
        let longs = argument.get_long_and_visible_aliases().unwrap_or_default();
        let shorts = argument.get_short_and_visible_aliases().unwrap_or_default();
        let longs = longs.iter().map(|long| format!("--{long}"));
        longs.chain(shorts.iter().map(|short| format!("-{short}"))).collect()
    }

    /// The words without an option and its value, and the value. `None` if the words do not have the option.
    fn without(words: &[String], argument: &clap::Arg) -> Option<(Vec<String>, String)> {
        let names = names_of(argument);
        let at = words.iter().position(|word| names.iter().any(|name| word.split('=').next() == Some(name)))?;
        let is_apart = argument.get_action().takes_values() && !argument.is_require_equals_set();
        let value = match words[at].split_once('=') {
            Some((_, value)) => value.to_owned(),
            None if is_apart => words.get(at + 1).cloned().unwrap_or_default(),
            None => String::new(),
        };
        let length = if is_apart && !words[at].contains('=') { 2 } else { 1 };
        let rest = words[..at].iter().chain(words.get(at + length..).unwrap_or_default());
        Some((rest.cloned().collect(), value))
    }

    /// Options that change nothing that a test without a terminal sees, and the commands that have them.
    const WITHOUT_EFFECT: [(&str, &str); 5] =
        [("convert", "jobs"), ("check", "jobs"), ("convert", "yes"), ("iconv", "verbose"), ("names", "guess")];

    /// Values that change nothing, because the commands do the same without them.
    const LIKE_DEFAULTS: [(&str, &str, &str); 3] =
        [("convert", "errors", "fatal"), ("names", "tiers", "dos"), ("check", "color", "never")];

    #[test]
    fn every_option_and_every_value_has_an_effect_in_the_matrix() {
        let rows = matrix();
        let outcome = |words: &[String]| rows.iter().find(|(other, _)| other == words).map(|(_, outcome)| outcome);
        let mut program = Arguments::command();
        program.build();
        let mut missing = Vec::new();
        for command in program.get_subcommands() {
            let of_command = |(words, _): &&(Vec<String>, String)| words.iter().any(|word| word == command.get_name());
            let rows: Vec<_> = rows.iter().filter(of_command).collect();
            let ids = ["help", "version"];
            for argument in command.get_arguments().filter(|argument| !ids.contains(&argument.get_id().as_str())) {
                if argument.is_positional() {
                    continue;
                }
                let id = argument.get_id().as_str();
                let has_effect = !WITHOUT_EFFECT.contains(&(command.get_name(), id));
                let pairs: Vec<(String, bool)> = rows
                    .iter()
                    .filter_map(|(words, with)| {
                        let (rest, value) = without(words, argument)?;
                        Some((value, outcome(&rest)? != with))
                    })
                    .collect();
                for name in names_of(argument) {
                    let is_there =
                        rows.iter().any(|(words, _)| words.iter().any(|word| word.split('=').next() == Some(&name)));
                    if !is_there && id != "color" {
                        missing.push(format!("{} {name} is in no row", command.get_name()));
                    }
                }
                if id == "color" && command.get_name() != "check" {
                    continue;
                }
                if !pairs.iter().any(|(_, differs)| *differs == has_effect) {
                    missing.push(format!("{} {id}: {pairs:?}", command.get_name()));
                }
                let defaults: Vec<_> =
                    argument.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
                for value in argument.get_possible_values() {
                    let is_default = defaults.iter().any(|default| *default == value.get_name())
                        || LIKE_DEFAULTS.contains(&(command.get_name(), id, value.get_name()));
                    let of_value =
                        |(other, differs): &(String, bool)| other == value.get_name() && *differs != is_default;
                    if argument.get_action().takes_values() && has_effect && !pairs.iter().any(of_value) {
                        missing.push(format!("{} {id} {}", command.get_name(), value.get_name()));
                    }
                }
            }
        }
        for option in ["--deny", "--allow"] {
            for rule in textcodec_convert::Rule::ALL {
                let has_rule = |words: &[String]| {
                    words.windows(2).any(|pair| pair[0] == option && pair[1].split(',').any(|name| name == rule.name()))
                };
                if !rows.iter().any(|(words, _)| has_rule(words)) {
                    missing.push(format!("check {option} {rule}"));
                }
            }
        }
        assert!(missing.is_empty(), "rows to add to tests/matrix:\n{}", missing.join("\n"));
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
