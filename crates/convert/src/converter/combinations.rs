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
fn a_charset_that_needs_a_mark_gets_one_however_the_bytes_are_cut() {
    for (to, expected) in [
        ("utf-16-bom", &b"\xFF\xFEa\0"[..]),
        ("utf-16be-bom", b"\xFE\xFF\0a"),
        ("utf-32", b"\xFF\xFE\0\0a\0\0\0"),
        ("utf-32be", b"\0\0\0a"),
    ] {
        for bom in [BomAction::Keep, BomAction::Strip] {
            for text in ["a", "\u{FEFF}a", "\u{FEFF}\u{FEFF}a"] {
                for length in 1..=text.len() {
                    let pieces: Vec<&[u8]> = text.as_bytes().chunks(length).collect();
                    let options = Options { bom, ..options(to) };
                    let (written, error) = push_all(&pieces, Charset::UTF_8.new_decoder(false), options);
                    assert_eq!((&written[..], error), (expected, None), "{to} {bom:?} {text:?} {length}");
                }
            }
        }
    }
}

#[test]
fn the_first_stream_decides_about_the_mark_also_if_it_has_no_text() {
    for (first, expected) in [("", "b"), ("\u{FEFF}", "\u{FEFF}b"), ("\u{FEFF}a", "\u{FEFF}ab"), ("a", "ab")] {
        for second in ["b", "\u{FEFF}b"] {
            let mut converter = Converter::new(Options { bom: BomAction::Keep, ..options("utf-8") }, Vec::new());
            for text in [first, second] {
                let mut stream = converter.start(Plan::new(Charset::UTF_8.new_decoder(false)));
                converter.push(&mut stream, text.as_bytes(), true).unwrap();
            }
            assert_eq!(converter.finish().unwrap().0, expected.as_bytes(), "{first:?} {second:?}");
        }
    }
}

#[test]
fn each_error_mode_treats_its_own_kind_and_a_replacement_is_for_the_mode_replacement_alone() {
    for replacement in [None, Some("<?>")] {
        for (mode, other) in MODES.into_iter().flat_map(|mode| MODES.map(|other| (mode, other))) {
            let options = |to, malformed, unmappable| {
                let replacement = replacement.map(String::from);
                Options { malformed, unmappable, replacement, ..options(to) }
            };
            let name = format!("{mode:?} {other:?} {replacement:?}");
            let malformed = convert(b"a\xE2\x98b", Charset::UTF_8, options("utf-8", mode, other));
            let expected = match mode {
                Errors::Fatal => None,
                Errors::Replacement => Some(format!("a{}b", replacement.unwrap_or("\u{FFFD}"))),
                Errors::Html => Some("a\u{FFFD}b".into()),
                Errors::Ignore => Some("ab".into()),
                Errors::Escape => Some("a\\xE2\\x98b".into()),
            };
            assert_eq!(malformed.ok().map(|(text, _)| String::from_utf8(text).unwrap()), expected, "{name}");
            let unmappable = convert("a☃b".as_bytes(), Charset::UTF_8, options("koi8-r", other, mode));
            let expected = match mode {
                Errors::Fatal => None,
                Errors::Replacement => Some(format!("a{}b", replacement.unwrap_or("?"))),
                Errors::Html => Some("a&#9731;b".into()),
                Errors::Ignore => Some("ab".into()),
                Errors::Escape => Some("a\\u{2603}b".into()),
            };
            assert_eq!(unmappable.ok().map(|(text, _)| String::from_utf8(text).unwrap()), expected, "{name}");
        }
    }
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
fn every_byte_of_a_malformed_sequence_has_two_digits() {
    let utf_16 = charset("utf-16le");
    let bytes = b"a\0\x0A\xDC";
    let error = convert(bytes, utf_16, options("utf-8")).unwrap_err();
    assert_eq!(error.to_string(), "not UTF-16LE at byte offset 2 (line 1, column 2): 0A DC");
    let seen = RefCell::new(Vec::new());
    let observer = |replacement: &Replacement<'_>| seen.borrow_mut().push(replacement.to_string());
    let mut converter = Converter::new(Options { malformed: Errors::Escape, ..options("utf-8") }, Vec::new());
    let mut stream = converter.start(Plan { observer: Some(&observer), ..Plan::new(utf_16.new_decoder(false)) });
    converter.push(&mut stream, bytes, true).unwrap();
    assert_eq!(converter.finish().unwrap().0, b"a\\x0A\\xDC");
    assert_eq!(seen.take(), ["byte offset 2: not UTF-16LE: 0A DC; written: \\x0A\\xDC"]);
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

#[test]
fn a_malformed_end_comes_before_a_record_that_is_cut_off() {
    let options = Options { record_length: NonZeroUsize::new(8), ..options("utf-8") };
    let from = charset("glibc:CP939");
    // The end is inside of a pair.
    let error = convert(b"\x81\x0E\x4F", from, options.clone()).unwrap_err();
    assert!(matches!(error, TextError::Malformed { offset: 2, .. }), "{error}");
    let error = convert(b"\x81\x0E\x4F\x58", from, options).unwrap_err();
    assert!(matches!(error, TextError::CutOffRecord { length: 8, bytes: 4 }), "{error}");
}

#[test]
fn a_character_after_two_marks_has_its_place_in_the_text() {
    for (marks, column, offset) in [(0, 1, 0), (1, 1, 0), (2, 2, 3), (3, 3, 6)] {
        let text = "\u{FEFF}".repeat(marks) + "☃";
        let error = convert(text.as_bytes(), Charset::UTF_8, options("koi8-r")).unwrap_err();
        let TextError::Unmappable { position, .. } = error else { panic!("{error}") };
        assert_eq!((position.column(), position.offset()), (column, offset), "{marks} marks");
    }
}

#[test]
fn nothing_is_written_of_a_stream_that_looks_binary_at_its_start_and_controls_are_counted_there_alone() {
    let controls = |number: usize| [&b"\x01".repeat(number)[..], &b"a".repeat(20)].concat();
    for (pieces, written, line, column) in [
        (&[&controls(1)[..]][..], &b""[..], 1, 1),
        (&[b"ab\n\0cd"], b"", 2, 1),
        (&[b"ab\n", b"cd\0ef"], b"ab\ncd", 2, 3),
        (&[b"ab\n", b"cd", b"\0ef"], b"ab\ncd", 2, 3),
    ] {
        let (found, error) = push_all(pieces, Charset::UTF_8.new_decoder(false), options("utf-8"));
        let Some(TextError::Binary { position }) = error else { panic!("{error:?}") };
        assert_eq!((&found[..], position.line(), position.column()), (written, line, column), "{pieces:?}");
    }
    let later = controls(9);
    let (found, error) = push_all(&[b"text\n", &later], Charset::UTF_8.new_decoder(false), options("utf-8"));
    assert_eq!((found, error), ([b"text\n", &later[..]].concat(), None));
}

#[test]
fn the_return_to_ascii_is_written_after_an_error_however_full_the_buffer_is() {
    // After "あ", the encoder returns to ASCII before it reports the error; after "¥", only the end of a text does.
    for (character, expected) in [("あ", &b"\x1B$B$\"\x1B(B"[..]), ("¥", b"\x1B(J\\\x1B(B")] {
        for space in 0..=16 {
            let letters = "a".repeat(crate::buffers::LENGTH - (expected.len() - 3) - space);
            let text = format!("{letters}{character}☃");
            let mut written = Vec::new();
            let mut converter = Converter::new(options("iso-2022-jp"), Writer(&mut written));
            let mut stream = converter.start(Plan::new(Charset::UTF_8.new_decoder(false)));
            let error = converter.push(&mut stream, text.as_bytes(), true).unwrap_err();
            assert!(matches!(error, Failure::Text(TextError::Unmappable { .. })), "{error:?}");
            // Nobody ends the output.
            drop((converter, stream));
            assert!(written.ends_with(expected), "{character}, {space}: {:?}", &written[written.len() - 12..]);
        }
    }
}

#[test]
fn twins_are_written_and_are_no_replacements() {
    for transliterate in [false, true] {
        let options = Options { twins: true, transliterate, ..options("shift_jis") };
        let (written, replaced) = convert("〜‖a".as_bytes(), Charset::UTF_8, options).unwrap();
        assert_eq!((&written[..], replaced.is_nothing()), (&b"\x81\x60\x81\x61a"[..], true), "{transliterate}");
        assert_eq!(replaced.to_string(), "");
    }
    let options = Options { transliterate: true, ..options("shift_jis") };
    let (_, replaced) = convert("〜‖a".as_bytes(), Charset::UTF_8, options).unwrap();
    assert_eq!((replaced.transliterated(), replaced.unmappable()), (2, 0));
}

#[test]
fn a_writer_is_flushed_after_each_piece_and_at_the_end() {
    #[derive(Default)]
    struct Flushed(Vec<u8>, Vec<usize>);

    impl std::io::Write for &mut Flushed {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            let length = self.0.len();
            self.1.push(length);
            Ok(())
        }
    }

    let mut flushed = Flushed::default();
    let mut converter = Converter::new(options("koi8-r"), Writer(&mut flushed));
    let mut stream = converter.start(Plan::new(Charset::UTF_8.new_decoder(false)));
    for (piece, last) in [("да", false), ("нет", false), ("!", true)] {
        converter.push(&mut stream, piece.as_bytes(), last).unwrap();
    }
    converter.finish().unwrap();
    assert_eq!(flushed.1, [2, 5, 6, 6]);
}

#[test]
fn a_place_after_an_edited_label_is_that_of_the_text_of_the_stream() {
    use crate::{declarations::contradictions, kind::Kind};

    let text = "<meta charset=utf-8>\né ☃";
    for (to, name) in [("koi8-u", "KOI8-U"), ("iso-8859-15", "ISO-8859-15"), ("gbk", "GBK")] {
        let edits = || {
            contradictions(Kind::Html, text, charset(to))
                .iter()
                .map(|it| it.edit(charset(to), false).unwrap())
                .collect()
        };
        for length in [1, 7, text.len()] {
            let seen = RefCell::new(Vec::new());
            let observer = |replacement: &Replacement<'_>| {
                seen.borrow_mut().push((
                    replacement.position.line(),
                    replacement.position.column(),
                    replacement.position.offset(),
                ));
            };
            let unmappable = Errors::Escape;
            let mut converter = Converter::new(Options { unmappable, ..options(to) }, Vec::new());
            let plan =
                Plan { observer: Some(&observer), edits: edits(), ..Plan::new(Charset::UTF_8.new_decoder(false)) };
            let mut stream = converter.start(plan);
            for piece in text.as_bytes().chunks(length) {
                converter.push(&mut stream, piece, false).unwrap();
            }
            converter.push(&mut stream, b"", true).unwrap();
            let written = converter.finish().unwrap().0;
            assert!(written.starts_with(format!("<meta charset={name}>\n").as_bytes()), "{to}");
            let expected = [(2, 1, 21), (2, 3, 24)];
            let first = if to == "koi8-u" { 0 } else { 1 };
            assert_eq!(seen.take(), &expected[first..], "{to} in pieces of {length}");
        }
    }
}

#[test]
fn the_streams_of_an_output_with_records_are_one_text() {
    let ebcdic = Options { record_length: NonZeroUsize::new(4), ..options("cp037") };
    for (texts, expected) in [
        (["a", "b\n"], &b"\x81\x82\x40\x40"[..]),
        (["a\n", "b"], b"\x81\x40\x40\x40\x82\x40\x40\x40"),
        (["abc", "de"], b""),
        (["", "a"], b"\x81\x40\x40\x40"),
        (["\n", ""], b"\x40\x40\x40\x40"),
        (["", ""], b""),
    ] {
        let mut converter = Converter::new(ebcdic.clone(), Vec::new());
        let mut push = |text: &str| {
            let mut stream = converter.start(Plan::new(Charset::UTF_8.new_decoder(false)));
            converter.push(&mut stream, text.as_bytes(), true)
        };
        match texts.into_iter().try_for_each(&mut push) {
            Ok(()) => assert_eq!(converter.finish().unwrap().0, expected, "{texts:?}"),
            // The line goes on in the second stream.
            Err(error) => assert!(expected.is_empty(), "{texts:?}: {error:?}"),
        }
    }
}

#[test]
fn an_observer_and_the_pieces_change_nothing_that_is_written() {
    for (bytes, is_binary) in [
        (&b"\x01a\xFF and text that goes on for more than 32 bytes"[..], false),
        (b"\x01a\xFFb", true),
        (b"a\xFF\x01\x01\x01 text", true),
        (b"caf\xC3\xA9 \xE2\x98\x83\xFF \xE2\x98", false),
    ] {
        for (malformed, unmappable) in
            MODES[1..].iter().flat_map(|&one| MODES[1..].iter().map(move |&other| (one, other)))
        {
            let options = Options { malformed, unmappable, ..options("koi8-r") };
            let told = |observer| {
                let mut converter = Converter::new(options.clone(), Vec::new());
                let plan = Plan { refuse_binary: true, observer, ..Plan::new(Charset::UTF_8.new_decoder(false)) };
                let mut stream = converter.start(plan);
                let pushed = converter.push(&mut stream, bytes, true);
                let Ok((written, replaced)) = converter.finish();
                (pushed.is_err(), written, replaced.to_string())
            };
            let number = core::cell::Cell::new(0);
            let observer = |_: &Replacement<'_>| number.set(number.get() + 1);
            let (with, without) = (told(Some(&observer)), told(None));
            assert_eq!(with.0, is_binary, "{}", bytes.escape_ascii());
            if !is_binary {
                assert!(number.get() > 0);
                assert_eq!(with, without, "{}", bytes.escape_ascii());
            }
        }
    }
}
