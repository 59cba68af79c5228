//! Colors: on terminals only, unless `--color` or the variable `NO_COLOR` says otherwise.

use std::{
    env,
    ffi::OsString,
    io::{self, IsTerminal},
    sync::OnceLock,
};

use clap::{ColorChoice, ValueEnum};

/// When output has colors.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Default, Debug)]
pub(crate) enum Color {
    /// On a terminal, unless the variable NO_COLOR is set or TERM is dumb
    #[default]
    Auto,
    /// Also in files and pipes
    Always,
    /// Nowhere
    Never,
}

impl From<Color> for ColorChoice {
    fn from(color: Color) -> Self {
        match color {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        }
    }
}

static CHOSEN: OnceLock<Color> = OnceLock::new();

/// Sets the choice of the user, once.
pub(crate) fn set(color: Color) {
    let _ = CHOSEN.set(color);
}

/// The choice of the user, before the command line is understood: its errors have colors, too.
pub(crate) fn choice(command_line: &[OsString]) -> Color {
    let mut arguments = command_line.iter().skip(1);
    while let Some(argument) = arguments.next() {
        let value = match argument.to_str() {
            Some("--") => break,
            Some("--color") => arguments.next().and_then(|value| value.to_str()),
            Some(other) => other.strip_prefix("--color="),
            None => None,
        };
        if let Some(color) = value.and_then(|value| Color::from_str(value, false).ok()) {
            return color;
        }
    }
    Color::Auto
}

/// Whether text on standard output has colors.
pub(crate) fn is_wanted_on_output() -> bool {
    match CHOSEN.get().copied().unwrap_or_default() {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            let forbids = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
            io::stdout().is_terminal() && !forbids("NO_COLOR") && env::var_os("TERM").is_none_or(|term| term != "dumb")
        }
    }
}

/// `text` in bold and in a color of the terminal: 1 is red, 2 green, 3 yellow, 6 cyan.
pub(crate) fn paint(text: &str, color: u8) -> String {
    format!("\x1B[1;3{color}m{text}\x1B[0m")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_choice_before_two_dashes_counts() {
        for (arguments, expected) in [
            ("textcodec check a", Color::Auto),
            ("textcodec check --color always", Color::Always),
            ("textcodec --color=never check", Color::Never),
            ("textcodec --color=never --color=always", Color::Never),
            ("textcodec --color much --color=always", Color::Always),
            ("textcodec --color --color=always", Color::Auto),
            ("textcodec --color=Always", Color::Auto),
            ("textcodec check --color", Color::Auto),
            ("textcodec check -- --color=always", Color::Auto),
            ("textcodec check --colors=always", Color::Auto),
            ("--color=always check", Color::Auto),
        ] {
            let arguments: Vec<OsString> = arguments.split(' ').map(Into::into).collect();
            assert_eq!(choice(&arguments), expected, "{arguments:?}");
        }
    }

    #[test]
    fn a_painted_text_is_bold_and_ends_its_color() {
        for color in [1, 2, 3, 6] {
            assert_eq!(paint("a", color), format!("\u{1B}[1;3{color}ma\u{1B}[0m"));
        }
    }
}
