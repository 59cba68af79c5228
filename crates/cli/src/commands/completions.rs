//! `textcodec completions`: a script for a shell.

use std::{collections::BTreeSet, ffi::OsStr};

use anyhow::Context;
use clap::{
    Arg, Command, CommandFactory,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use clap_complete::Shell;
use textcodec_convert::{Charset, Rule};

use crate::{
    arguments::{Arguments, Completions},
    standard_streams::StandardOutput,
};

/// Prints the script.
pub(crate) fn run(arguments: &Completions) -> anyhow::Result<()> {
    let script = script(arguments.shell);
    StandardOutput::open().and_then(|mut output| output.print(&script)).context("cannot write to standard output")
}

/// The script for a shell, with the labels of encodings in it.
fn script(shell: Shell) -> String {
    let mut command = with_values();
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "textcodec", &mut script);
    // In fish, the question mark of `iconv -?` stands for any character, unless it is in quotes.
    let script = String::from_utf8_lossy(&script).replace(" -s ? ", " -s '?' ");
    match shell {
        Shell::Bash => in_bash(script),
        Shell::Zsh => in_zsh(script),
        Shell::Fish => in_fish(script),
        Shell::PowerShell => in_powershell(&script, &command),
        // The script for Elvish completes no values of options.
        _ => script,
    }
}

/// The labels that an option takes. The script has each list once, and a mark stands for it where clap lists values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Labels {
    /// Encodings to convert from.
    Source,
    /// Encodings to convert from, and "auto".
    SourceOrAuto,
    /// Encodings to convert to.
    Target,
}

impl Labels {
    const ALL: [Labels; 3] = [Labels::Source, Labels::SourceOrAuto, Labels::Target];

    /// The labels that `argument` of `command` takes; `None` if it takes no label.
    fn of(command: &Command, argument: &Arg) -> Option<Self> {
        let takes_labels = match argument.get_value_names()?.first()?.as_str() {
            "LABEL" => true,
            "NAME" => command.get_name() == "iconv",
            _ => false,
        };
        takes_labels.then(|| match (command.get_name(), argument.get_id().as_str()) {
            (_, "to") | ("names", "read_as") => Labels::Target,
            ("convert" | "show", "from") | ("check" | "git-filter", "encoding") => Labels::SourceOrAuto,
            _ => Labels::Source,
        })
    }

    /// The text that stands for the labels in the script of clap, and the name of the list in the final script.
    const fn mark(self) -> &'static str {
        match self {
            Labels::Source => "_textcodec_sources",
            Labels::SourceOrAuto => "_textcodec_sources_or_auto",
            Labels::Target => "_textcodec_targets",
        }
    }

    /// The labels of the Standard, and one of each other encoding. In bash, a colon separates words, so labels with a
    /// colon are left out.
    fn list(self) -> String {
        let mut labels = BTreeSet::new();
        for charset in Charset::all() {
            let is_useful = match self {
                Labels::Target => charset.is_writable(),
                _ => charset.standard() != Some(textcodec::REPLACEMENT),
            };
            let standard = charset.labels().filter(|_| charset.standard().is_some()).map(str::to_owned);
            let names = standard.chain([charset.name().to_ascii_lowercase()]);
            labels.extend(names.filter(|name| is_useful && !name.contains(':')));
        }
        if self == Labels::SourceOrAuto {
            labels.insert("auto".to_owned());
        }
        Vec::from_iter(labels).join(" ")
    }
}

/// Takes every value, and lists only the mark of some labels.
#[derive(Clone)]
struct Mark(Labels);

impl TypedValueParser for Mark {
    type Value = String;

    fn parse_ref(&self, _: &Command, _: Option<&Arg>, value: &OsStr) -> Result<String, clap::Error> {
        Ok(value.to_string_lossy().into_owned())
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new([PossibleValue::new(self.0.mark())].into_iter()))
    }
}

/// The command line, whose options list the values that the help does not list.
fn with_values() -> Command {
    let program = Arguments::command();
    let names: Vec<_> = program.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    names.into_iter().fold(program, |program, name| {
        program.mut_subcommand(name, |command| {
            let name = command.clone();
            command.mut_args(|argument| match Labels::of(&name, &argument) {
                Some(labels) => argument.value_parser(Mark(labels)),
                None if argument.get_value_names().is_some_and(|names| names == ["RULES"]) => {
                    let rules = Rule::ALL.iter().map(|rule| rule.name());
                    argument.value_parser(PossibleValuesParser::new(["all"].into_iter().chain(rules)))
                }
                None => argument,
            })
        })
    })
}

/// A variable for each list.
fn in_bash(script: String) -> String {
    let lists = Labels::ALL.map(|labels| format!("{}='{}'\n", labels.mark(), labels.list())).concat();
    let uses = |script: String, labels: Labels| {
        script.replace(&format!("-W \"{}\"", labels.mark()), &format!("-W \"${{{}}}\"", labels.mark()))
    };
    lists + &Labels::ALL.into_iter().fold(script, uses)
}

/// A function for each list.
fn in_zsh(script: String) -> String {
    let function = |labels: Labels| {
        format!("{}() {{\n    local -a labels=({})\n    compadd \"$@\" -a labels\n}}\n\n", labels.mark(), labels.list())
    };
    let uses = |script: String, labels: Labels| script.replace(&format!("({})", labels.mark()), labels.mark());
    let script = Labels::ALL.into_iter().fold(script, uses);
    script.replacen("_textcodec() {\n", &(Labels::ALL.map(function).concat() + "_textcodec() {\n"), 1)
}

/// A function for each list.
fn in_fish(script: String) -> String {
    let function =
        |labels: Labels| format!("function {}\n\tstring split ' ' '{}'\nend\n\n", labels.mark(), labels.list());
    let uses = |script: String, labels: Labels| {
        script.replace(&format!("\"{}\\t''\"", labels.mark()), &format!("'({})'", labels.mark()))
    };
    Labels::ALL.map(function).concat() + &Labels::ALL.into_iter().fold(script, uses)
}

/// A table of the values of options in front of the script of clap, which completes only the names of options.
fn in_powershell(script: &str, program: &Command) -> String {
    const START: &str = "    $commandElements = $commandAst.CommandElements\n";
    let mut lines = String::from(START);
    for labels in Labels::ALL {
        lines += &format!("    ${} = '{}'\n", labels.mark(), labels.list());
    }
    lines += "    $textcodecValues = [System.Collections.Hashtable]::new([StringComparer]::Ordinal)\n";
    for command in program.get_subcommands() {
        // A word after an option such as --bom, whose value follows an equals sign, is none of its values.
        let takes_word = |argument: &&Arg| argument.get_action().takes_values() && !argument.is_require_equals_set();
        for argument in command.get_arguments().filter(takes_word) {
            let values = match Labels::of(command, argument) {
                Some(labels) => format!("${}", labels.mark()),
                None => {
                    let values = argument.get_possible_values();
                    let values: Vec<_> = values.iter().map(PossibleValue::get_name).collect();
                    format!("'{}'", values.join(" "))
                }
            };
            let shorts = argument.get_short_and_visible_aliases().unwrap_or_default();
            let longs = argument.get_long_and_visible_aliases().unwrap_or_default();
            let shorts = shorts.iter().map(|short| format!("-{short}"));
            for option in shorts.chain(longs.iter().map(|long| format!("--{long}"))).filter(|_| values != "''") {
                lines += &format!("    $textcodecValues['{} {option}'] = {values}\n", command.get_name());
            }
        }
    }
    lines += "    \
    $textcodecBefore = $commandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition }
    $textcodecOption = \"$($commandElements | Select-Object -Index 1) $($textcodecBefore | Select-Object -Last 1)\"
    if ($textcodecValues.ContainsKey($textcodecOption)) {
        return $textcodecValues[$textcodecOption].Split(' ') | Where-Object { $_ -like \"$wordToComplete*\" } |
            ForEach-Object { [CompletionResult]::new($_, $_, [CompletionResultType]::ParameterValue, $_) }
    }
";
    script.replacen(START, &lines, 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Parser, error::ErrorKind};

    #[test]
    fn options_take_the_labels_that_are_completed_and_auto_only_where_it_is_completed() {
        let mut count = 0;
        let lists = Labels::ALL.map(|labels| (labels, labels.list()));
        for command in Arguments::command().get_subcommands().filter(|command| command.get_name() != "iconv") {
            for argument in command.get_arguments().filter(|argument| argument.get_id() != "http_charset") {
                let Some(labels) = Labels::of(command, argument) else { continue };
                let option = format!("--{}", argument.get_long().unwrap());
                let takes = |label: &str| {
                    let parsed = Arguments::try_parse_from(["textcodec", command.get_name(), &option, label]);
                    !parsed.is_err_and(|error| matches!(error.kind(), ErrorKind::ValueValidation))
                };
                let (_, list) = lists.iter().find(|(other, _)| *other == labels).unwrap();
                assert!(takes(list.split(' ').next().unwrap()), "{} {option}", command.get_name());
                assert_eq!(takes("auto"), labels == Labels::SourceOrAuto, "{} {option}", command.get_name());
                assert_eq!(takes("utf-7"), labels != Labels::Target, "{} {option}", command.get_name());
                count += 1;
            }
        }
        assert!(count > 15, "{count}");
    }

    #[test]
    fn every_label_that_is_completed_is_one() {
        for label in Labels::SourceOrAuto.list().split(' ') {
            assert!(crate::label::source_or_auto(label).is_ok(), "{label}");
        }
        for label in Labels::Target.list().split(' ') {
            assert!(crate::label::target(label).is_ok(), "{label}");
        }
    }

    #[test]
    fn each_encoding_that_can_be_named_is_completed() {
        for labels in Labels::ALL {
            let list = labels.list();
            let completed: Vec<_> = list.split(' ').collect();
            assert!(completed.is_sorted() && completed.windows(2).all(|pair| pair[0] != pair[1]), "{labels:?}");
            let is_wanted = |charset: Charset| match labels {
                Labels::Target => charset.is_writable(),
                _ => charset.name() != "replacement",
            };
            let meant: Vec<_> = completed.iter().filter_map(|label| Charset::for_label(label).ok()).collect();
            assert_eq!(meant.len() + usize::from(labels == Labels::SourceOrAuto), completed.len(), "{labels:?}");
            assert!(meant.iter().all(|charset| is_wanted(*charset)), "{labels:?}");
            for charset in Charset::all().filter(|charset| is_wanted(*charset) && !charset.name().contains(':')) {
                assert!(meant.contains(&charset), "{labels:?}: {charset}");
                let all = charset.labels().filter(|label| completed.contains(label) || label.contains(':')).count();
                assert!(charset.standard().is_none() || all == charset.labels().count(), "{labels:?}: {charset}");
            }
        }
    }

    #[test]
    fn the_rules_of_each_option_are_completed_and_taken() {
        let mut count = 0;
        for command in with_values().get_subcommands() {
            for argument in command.get_arguments() {
                if argument.get_value_names().is_none_or(|names| names != ["RULES"]) {
                    continue;
                }
                let values: Vec<_> = argument.get_possible_values().iter().map(|v| v.get_name().to_owned()).collect();
                let rules: Vec<_> = ["all"].into_iter().chain(Rule::ALL.iter().map(|rule| rule.name())).collect();
                assert_eq!(values, rules);
                for value in &values {
                    let option = format!("--{}", argument.get_long().unwrap());
                    let arguments = ["textcodec", command.get_name(), &option, value];
                    assert!(Arguments::try_parse_from(arguments).is_ok(), "{arguments:?}");
                }
                count += 1;
            }
        }
        assert_eq!(count, 2);
    }

    #[test]
    fn each_script_uses_its_lists_after_options() {
        for (shell, place) in [
            (Shell::Bash, "compgen -W \"${_textcodec_targets}\""),
            (Shell::Bash, "\n_textcodec_targets='866 "),
            (Shell::Zsh, "\n_textcodec_targets() {\n    local -a labels=(866 "),
            (Shell::Zsh, ")\n    compadd \"$@\" -a labels\n}\n"),
            (Shell::Fish, "\nfunction _textcodec_targets\n\tstring split ' ' '866 "),
            (Shell::PowerShell, "\n    $_textcodec_targets = '866 "),
            (Shell::Zsh, ":LABEL:_textcodec_targets'"),
            (Shell::Fish, " -a '(_textcodec_targets)'"),
            (Shell::PowerShell, "$textcodecValues['convert -t'] = $_textcodec_targets\n"),
        ] {
            let script = script(shell);
            assert!(script.contains(place), "{shell}");
            assert!(script.contains(" shift_jis ") && script.contains(" cp437 "), "{shell}");
        }
        let powershell = script(Shell::PowerShell);
        assert!(powershell.contains("['convert --newlines'] = 'lf crlf nel keep'\n"));
        // The value of these options follows an equals sign, and not a space.
        let with_sign = ["['convert --bom']", "['convert --write-bom']", "['show --errors']"];
        assert!(with_sign.iter().all(|option| !powershell.contains(option)));
        // The script for fish has the help of values in double quotes.
        for argument in Arguments::command().get_subcommands().flat_map(Command::get_arguments) {
            for value in argument.get_possible_values() {
                let help = value.get_help().map(ToString::to_string).unwrap_or_default();
                assert!(!help.contains(['"', '$']), "{}: {help}", value.get_name());
            }
        }
    }
}
