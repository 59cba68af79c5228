//! Options in combinations that are rare, and places after a first piece, record or replacement.

use core::cell::RefCell;
use core::num::NonZeroUsize;

use super::*;
use crate::{source::Source, text::Normalization};

const MODES: [Errors; 5] = [Errors::Fatal, Errors::Replacement, Errors::Html, Errors::Ignore, Errors::Escape];

fn charset(label: &str) -> Charset {
    Charset::for_label(label).unwrap()
}

fn options(to: &str) -> Options {
    Options::to(charset(to))
}

/// Converts `pieces` of a stream, and ends the stream with an empty piece. Returns what was written, and the error.
fn push_all(pieces: &[&[u8]], source: impl Into<Source>, options: Options) -> (Vec<u8>, Option<TextError>) {
    let mut converter = Converter::new(options, Vec::new());
    let mut plan = Plan::new(source);
    plan.refuse_binary = true;
    let mut stream = converter.start(plan);
    let result = pieces
        .iter()
        .try_for_each(|piece| converter.push(&mut stream, piece, false))
        .and_then(|()| converter.push(&mut stream, b"", true));
    let error = result.err().map(|failure| match failure {
        Failure::Text(error) => error,
        Failure::Output(never) => match never {},
    });
    let Ok((written, _)) = converter.finish();
    (written, error)
}

#[test]
fn each_kind_of_replacement_is_told_by_its_own_error_mode() {
    for (replacement, (malformed, unmappable)) in [None, Some("<?>")].into_iter().flat_map(|replacement| {
        MODES.into_iter().flat_map(|one| MODES.map(|other| (one, other))).map(move |modes| (replacement, modes))
    }) {
        let options = |to: &str| {
            let replacement = replacement.map(String::from);
            Options { malformed, unmappable, replacement, ..options(to) }
        };
        let by = |errors, usual: &str, html: &str| match errors {
            Errors::Fatal => ("stopped", String::new()),
            Errors::Replacement => ("replaced", format!(" by {}", replacement.unwrap_or(usual))),
            Errors::Html => ("replaced", format!(" by {html}")),
            Errors::Ignore => ("left out", String::new()),
            Errors::Escape => ("escaped", String::new()),
        };
        let told = |text: &[u8], to| Some(convert(text, Charset::UTF_8, options(to)).ok()?.1.to_string());
        let (verb, by_this) = by(malformed, "U+FFFD", "U+FFFD");
        let sequence = format!("{verb} 1 malformed sequence{by_this} (the input, byte offset 0, line 1, column 1)");
        let (other_verb, by_that) = by(unmappable, "?", "a character reference");
        let character = |column: usize| {
            format!("1 character that KOI8-R cannot encode{by_that} (U+2603 (☃), the input, line 1, column {column})")
        };
        let (is_first, is_second) = (malformed != Errors::Fatal, unmappable != Errors::Fatal);
        let name = format!("{malformed:?} {unmappable:?} {replacement:?}");
        assert_eq!(told(b"\xFF", "utf-8"), is_first.then(|| sequence.clone()), "{name}");
        let alone = format!("{other_verb} {}", character(1));
        assert_eq!(told("☃".as_bytes(), "koi8-r"), is_second.then_some(alone), "{name}");
        // U+FFFD cannot be encoded either, and would be another replacement.
        let column = match (malformed, replacement) {
            (Errors::Ignore, _) => 1,
            (Errors::Escape, _) => 5,
            (Errors::Replacement, Some(text)) => 1 + text.len(),
            _ => continue,
        };
        let both = match verb == other_verb {
            true => format!("{sequence} and {}", character(column)),
            false => format!("{sequence} and {other_verb} {}", character(column)),
        };
        assert_eq!(told(b"\xFF\xE2\x98\x83", "koi8-r"), is_second.then_some(both), "{name}");
    }
}

#[test]
fn a_character_for_which_iso_2022_jp_reports_another_is_told_and_escaped_as_itself() {
    for (character, html, escape) in
        [('\u{E}', "&#65533;", "\\u{E}"), ('\u{1B}', "&#65533;", "\\u{1B}"), ('☃', "&#9731;", "\\u{2603}")]
    {
        for (unmappable, expected) in [(Errors::Html, html), (Errors::Escape, escape)] {
            let text = format!("あ{character}b");
            let options = Options { unmappable, ..options("iso-2022-jp") };
            let (written, replaced) = convert(text.as_bytes(), Charset::UTF_8, options).unwrap();
            assert_eq!(written, [b"\x1B$B$\"\x1B(B", expected.as_bytes(), b"b"].concat(), "{character:?}");
            let told = format!("U+{:04X}", u32::from(character));
            assert!(replaced.to_string().contains(&told), "{replaced}");
        }
    }
}

#[test]
fn places_after_the_end_of_a_record_are_in_the_next_line() {
    // In CP939, the second pair of each record is no character.
    let (record, to) = (b"\x81\x0E\x4F\x58\x41\x01\x0F", "glibc:CP939");
    for (to, length) in [(to, Some(7)), ("utf-8", Some(7))] {
        for lines in 1..=3_u64 {
            let clean = b"\x81\x0E\x4F\x58\x4F\x58\x0F".repeat(lines as usize - 1);
            let bytes = [&clean[..], record].concat();
            for normalization in [Normalization::Keep, Normalization::Nfc] {
                let options =
                    Options { record_length: length.and_then(NonZeroUsize::new), normalization, ..options(to) };
                let error = convert(&bytes, charset("glibc:CP939"), options.clone()).unwrap_err();
                let TextError::Malformed { offset, position, .. } = error else { panic!("{error}") };
                assert_eq!((offset, position.line(), position.column()), (7 * lines - 3, lines, 3), "{to}");
                let options = Options { malformed: Errors::Ignore, ..options };
                let (_, replaced) = convert(&bytes, charset("glibc:CP939"), options).unwrap();
                let place = format!("byte offset {}, line {lines}, column 3)", 7 * lines - 3);
                assert!(replaced.to_string().ends_with(&place), "{to}: {replaced}");
            }
        }
    }
}
