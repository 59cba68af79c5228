//! `textcodec sniff`: which encoding files are in, and who says so.

use std::{
    io::{self, Read, Write},
    path::Path,
};

use anyhow::Context as _;
use clap::ValueEnum;
use textcodec::{
    Encoding,
    sniff::{Context, Hints, Rung, Sniffed, structure},
};

use crate::{arguments::Sniff, command, input::Input, say};

/// How much of a file is looked at.
const LENGTH: u64 = 1 << 20;

/// What a file is, which decides who may say its encoding.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum Kind {
    /// A web page: meta elements count
    Html,
    /// XML, SVG and XHTML: the XML declaration counts
    Xml,
    /// A style sheet: @charset counts
    Css,
    /// Plain text, in which nothing can be declared
    Text,
}

impl Kind {
    /// What the ending of the name says; without a known one, the first characters, of which `start` are there.
    pub(crate) fn of(name: &str, start: &[u8]) -> Self {
        let extension = Path::new(name).extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        match &*extension.to_ascii_lowercase() {
            "html" | "htm" => Kind::Html,
            "xml" | "xhtml" | "xht" | "svg" | "rss" | "atom" | "xsl" | "xslt" => Kind::Xml,
            "css" => Kind::Css,
            "txt" | "text" | "md" => Kind::Text,
            _ => Self::of_content(start),
        }
    }

    fn of_content(start: &[u8]) -> Self {
        let start = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start);
        if ["<?xml", "<\0?\0", "\0<\0?"].iter().any(|xml| start.starts_with(xml.as_bytes())) {
            return Kind::Xml;
        }
        if start.starts_with(b"@charset ") {
            return Kind::Css;
        }
        match start.trim_ascii_start() {
            [b'<', b'!' | b'?' | b'a'..=b'z' | b'A'..=b'Z', ..] => Kind::Html,
            _ => Kind::Text,
        }
    }

    /// Whose rules count.
    pub(crate) const fn context(self) -> Context {
        match self {
            Kind::Html => Context::HtmlParser,
            Kind::Xml => Context::XmlParser,
            Kind::Css => Context::CssFromDocument,
            Kind::Text => Context::TextDocument,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Kind::Html => "html",
            Kind::Xml => "xml",
            Kind::Css => "css",
            Kind::Text => "text",
        }
    }
}

/// Prints a line for each file. Nothing is printed before all of them are known to be there.
pub(crate) fn run(arguments: &Sniff) -> anyhow::Result<()> {
    let inputs = command::check(&arguments.files)?;
    let label = arguments.http_charset.as_deref();
    if let Some(label) = label.filter(|label| Encoding::for_label(label).is_err()) {
        say(&format!("no encoding has the label {label:?} of --http-charset, so it counts as none"));
    }
    let mut output = io::stdout().lock();
    for input in &inputs {
        let line = sniff(arguments, input)?;
        writeln!(output, "{line}").and_then(|()| output.flush()).context("cannot write to standard output")?;
    }
    Ok(())
}

fn sniff(arguments: &Sniff, input: &Input) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    input.open()?.take(LENGTH).read_to_end(&mut bytes).with_context(|| format!("cannot read {}", input.name))?;
    let kind = arguments.kind.unwrap_or_else(|| Kind::of(&input.name, &bytes));
    let transport = arguments.http_charset.as_deref().map(Into::into);
    let hints = Hints { transport, heuristic: Some(&structure::guess), ..Hints::default() };
    let sniffed = kind.context().sniff(&bytes, hints).expect("these contexts have an encoding");
    let reason = reason(sniffed, &bytes);
    let Sniffed { encoding, confidence, rung, .. } = sniffed;
    Ok(match arguments.json {
        false => format!("{}: {encoding}, {confidence}: {reason}", input.name),
        true => format!(
            r#"{{"file":{},"kind":"{}","encoding":"{encoding}","confidence":"{confidence}","rung":"{}","reason":{}}}"#,
            json_string(&input.name),
            kind.name(),
            rung.as_str(),
            json_string(&reason),
        ),
    })
}

/// Who says so, in words that say more of these bytes than the library can.
fn reason(sniffed: Sniffed, bytes: &[u8]) -> String {
    match sniffed.rung {
        Rung::Transport => "--http-charset says so".to_owned(),
        Rung::Heuristic => structure::candidates(bytes, false)
            .next()
            .map_or_else(|| sniffed.rung.to_string(), |candidate| candidate.reason.to_string()),
        Rung::Default if bytes.is_ascii() => format!("{}; it is all ASCII", sniffed.rung),
        rung => rung.to_string(),
    }
}

/// A [JSON string](https://www.rfc-editor.org/rfc/rfc8259#section-7).
fn json_string(text: &str) -> String {
    let mut json = String::from('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => json.extend(['\\', character]),
            '\0'..='\u{1F}' => json += &format!("\\u{:04x}", u32::from(character)),
            _ => json.push(character),
        }
    }
    json + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_says_what_it_is_and_else_the_content_does() {
        for (name, start, kind) in [
            ("a.HTM", "@charset \"x\";", Kind::Html),
            ("a.svg", "", Kind::Xml),
            ("a/b.css", "<p>", Kind::Css),
            ("a.txt", "<!doctype html>", Kind::Text),
            ("a", "\u{FEFF} \n<!doctype html>", Kind::Html),
            ("standard input", "<?xml version='1.0'?>", Kind::Xml),
            ("a.php", "<?php", Kind::Html),
            ("a", "<\0?\0x\0", Kind::Xml),
            ("a", "@charset \"utf-8\";", Kind::Css),
            ("a", "a < b", Kind::Text),
            ("a", "< b", Kind::Text),
            ("a", "", Kind::Text),
        ] {
            assert_eq!(Kind::of(name, start.as_bytes()), kind, "{name} {start}");
        }
    }

    #[test]
    fn json_strings_escape_what_they_must() {
        assert_eq!(json_string("a\"b\\c\n\u{1F}é☃"), "\"a\\\"b\\\\c\\u000a\\u001fé☃\"");
    }
}
