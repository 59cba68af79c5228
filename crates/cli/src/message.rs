//! Messages on standard error.
//!
//! Every message goes through [`escape_controls`], and foreign text in it through [`display`] or [`excerpt`].

use std::{
    io::{self, IsTerminal, Write},
    sync::OnceLock,
};

use clap::error::{ContextKind, ContextValue};
pub(crate) use textcodec_convert::visible::{display, escape_controls, excerpt, is_visible};

use crate::standard_streams;

/// The name of the program in messages, if it is not textcodec.
static PROGRAM: OnceLock<&str> = OnceLock::new();

/// Sets the name of the program in messages.
pub(crate) fn set_program(name: &'static str) {
    let _ = PROGRAM.set(name);
}

/// Whether the user has given options of iconv.
static HAS_ICONV_OPTIONS: OnceLock<()> = OnceLock::new();

/// Makes messages name options of iconv.
pub(crate) fn set_iconv_options() {
    let _ = HAS_ICONV_OPTIONS.set(());
}

/// Whether messages name options of iconv.
pub(crate) fn has_iconv_options() -> bool {
    HAS_ICONV_OPTIONS.get().is_some()
}

/// Writes a line to standard error. On a terminal, the line does not continue the text on standard output. If writing
/// fails there is nowhere left to say so.
pub(crate) fn say(line: &str) {
    let mut output = io::stderr();
    if standard_streams::take_open_line() && output.is_terminal() {
        let _ = writeln!(output);
    }
    let _ = writeln!(output, "{}", with_program(line));
}

/// A message with the name of the program.
fn with_program(line: &str) -> String {
    format!("{}: {}", PROGRAM.get().unwrap_or(&"textcodec"), escape_controls(line))
}

/// Writes lines that help with an error to standard error.
pub(crate) fn say_hint(lines: &str) {
    let _ = writeln!(io::stderr(), "{}", escape_controls(lines));
}

/// Prints an error of the command line, with colors on a terminal unless it quotes characters that are not visible.
pub(crate) fn say_usage(mut error: clap::Error) {
    shorten(&mut error);
    // Nobody is left to hear that standard error is closed.
    let _ = match escaped_usage(&error) {
        Some(escaped) => write!(io::stderr(), "{escaped}"),
        None => error.print(),
    };
}

/// The text of an error of the command line that has characters that are not visible. The terminal sequences of styles
/// do not count: after [`shorten`], they are those of clap.
fn escaped_usage(error: &clap::Error) -> Option<String> {
    let text = error.render().to_string();
    Some(escape_controls(&text)).filter(|escaped| *escaped != text)
}

/// Makes an error of the command line quote only excerpts of arguments.
fn shorten(error: &mut clap::Error) {
    let context: Vec<_> = error.context().map(|(kind, value)| (kind, value.clone())).collect();
    for (kind, value) in context {
        let shortened = match value {
            ContextValue::String(text) => Some(ContextValue::String(excerpt(&text))),
            // The styles of a proposal that quotes an argument are lost.
            ContextValue::StyledStrs(texts) if kind == ContextKind::Suggested => {
                let texts = texts.into_iter().map(|text| match text.to_string() {
                    plain if excerpt(&plain) == plain => text,
                    plain => excerpt(&plain).into(),
                });
                Some(ContextValue::StyledStrs(texts.collect()))
            }
            _ => None,
        };
        shortened.map(|value| error.insert(kind, value));
    }
}

/// The failures of a run, which continues with the other files.
#[derive(Default, Debug)]
pub(crate) struct Failures {
    number: usize,
}

impl Failures {
    /// Prints the failure.
    pub(crate) fn add(&mut self, error: &anyhow::Error) {
        say(&format!("{error:#}"));
        self.number += 1;
    }

    /// Counts failures that are printed already.
    pub(crate) fn count(&mut self, number: usize) {
        self.number += number;
    }

    pub(crate) fn number(&self) -> usize {
        self.number
    }

    /// The value, or `None` after the failure is printed.
    pub(crate) fn check<T>(&mut self, result: anyhow::Result<T>) -> Option<T> {
        result.inspect_err(|error| self.add(error)).ok()
    }

    pub(crate) fn has_failed(&self) -> bool {
        self.number > 0
    }

    /// 0, or 1 after a failure.
    pub(crate) fn status(&self) -> u8 {
        u8::from(self.has_failed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_is_no_excerpt_is_escaped_at_the_end() {
        assert_eq!(with_program("a\u{1B}\u{202E}\nb"), "textcodec: a\\u{1b}\\u{202e}\nb");
        let error = |message: &str| clap::Command::new("a").error(clap::error::ErrorKind::ValueValidation, message);
        assert_eq!(escaped_usage(&error("plain")), None);
        let escaped = escaped_usage(&error("a\u{202E}b")).unwrap();
        assert!(escaped.contains("a\\u{202e}b") && !escaped.contains('\u{202E}'), "{escaped}");
    }
}
