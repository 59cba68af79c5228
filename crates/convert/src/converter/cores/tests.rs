//! One thread and many threads tell the same.

use super::*;
use crate::{
    declarations::contradictions,
    kind::Kind,
    options::{BomAction, Errors},
    source::{Fallback, Source},
    text::{Newlines, Normalization},
};
use textcodec::{BIG5, EUC_JP, GB18030, GBK, ISO_2022_JP, SHIFT_JIS, UTF_16BE, UTF_16LE, WINDOWS_1251};

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % bound
    }
}

/// Bytes that come in reads of at most `length` bytes.
struct Reads<'a> {
    bytes: &'a [u8],
    length: usize,
    converted: usize,
}

impl Incoming for Reads<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.length.min(buffer.len());
        io::Read::read(&mut self.bytes, &mut buffer[..length])
    }

    fn is_near(&mut self) -> bool {
        true
    }

    fn converted(&mut self, bytes: usize) {
        self.converted += bytes;
    }
}

/// All that a conversion tells: the output, the error, the replacements in words, and their number.
#[derive(PartialEq, Eq, Debug)]
struct Told {
    output: Vec<u8>,
    error: Option<TextError>,
    replacements: Vec<String>,
    replaced: String,
}

fn told(bytes: &[u8], source: &Source, options: &Options, is_observed: bool, cores: Cores) -> Told {
    let seen = RefCell::new(Vec::new());
    let observer = |replacement: &Replacement<'_>| {
        seen.borrow_mut().push(format!("{}: {replacement}", replacement.position.for_editors()));
    };
    let mut converter = Converter::new(options.clone(), Vec::new());
    let mut plan = Plan::new(source.clone());
    (plan.name, plan.refuse_binary) = ("the stream", true);
    if is_observed {
        plan.observer = Some(&observer);
    }
    let start = source.start_decoder().decode_start(&bytes[..bytes.len().min(1000)], false);
    let found = contradictions(Kind::of_content(start.as_bytes()), &start, options.to);
    plan.edits = found.iter().filter_map(|contradiction| contradiction.edit(options.to, false)).collect();
    let mut stream = converter.start(plan);
    // An odd length, so that reads end between the bytes of a unit.
    let mut reads = Reads { bytes, length: 53, converted: 0 };
    let error = match converter.push_all(&mut stream, &mut reads, cores) {
        Ok(()) => {
            assert_eq!(reads.converted, bytes.len());
            None
        }
        Err(Stop::Failure(Failure::Text(error))) => Some(error),
        Err(_) => unreachable!("memory can be read and written"),
    };
    let Ok((output, replaced)) = converter.finish();
    Told { output, error, replacements: seen.take(), replaced: replaced.to_string() }
}

/// Asserts that one thread and many tell the same, and returns the number of parts that were taken over.
fn assert_same(bytes: &[u8], source: impl Into<Source>, options: &Options, is_observed: bool) -> usize {
    let source = source.into();
    let expected = told(bytes, &source, options, is_observed, Cores::ONE);
    TAKEN.set(0);
    for chunk in [64, 500] {
        let many = told(bytes, &source, options, is_observed, Cores::new(2).with_chunk(chunk));
        let at = many.output.iter().zip(&expected.output).position(|(one, other)| one != other);
        let place = format!("{source:?} {options:?} {chunk}: {at:?}");
        assert_eq!(many.error, expected.error, "{place}");
        // The decoder counts malformed sequences after the character that shows that a stream is binary.
        if !matches!(many.error, Some(TextError::Binary { .. })) {
            assert_eq!(many.replaced, expected.replaced, "{place}");
        }
        assert!(many.output == expected.output, "{place}");
        let other = many.replacements.iter().zip(&expected.replacements).find(|(one, other)| one != other);
        assert!(many.replacements == expected.replacements, "{place} {other:?}");
    }
    TAKEN.get()
}

/// Text of `length` characters that `charset` has, with some random bytes if it `is_damaged`.
fn text_in(charset: Charset, length: usize, is_damaged: bool, random: &mut Random) -> Vec<u8> {
    const CHARACTERS: &[&str] = &[
        "a", "b", "\n", "\n", "\r\n", "\r", "é", "e\u{301}", "ё", "я", "日", "本", "語", "ア", "ｱ", "한", "글", "个",
        "𝄞", "😀", "¥", "‾", "\\", "~", "〜", "☃", "…", "\u{85}", "\u{301}", "ế", "0",
    ];
    let Some(mut encoder) = charset.new_encoder() else { return Vec::new() };
    let mut bytes = Vec::from(charset.bom());
    let mut buffer = [0; 32];
    for _ in 0..length {
        for character in CHARACTERS[random.below(CHARACTERS.len())].chars() {
            let encoded = encoder.encode(character.encode_utf8(&mut [0; 4]), &mut buffer, false);
            bytes.extend_from_slice(&buffer[..encoded.written]);
        }
        if is_damaged && random.below(100) == 0 {
            bytes.push(random.below(256) as u8 | 1);
        }
    }
    bytes
}

fn charset(label: &str) -> Charset {
    Charset::for_label(label).unwrap()
}

#[test]
fn many_threads_tell_what_one_thread_tells_in_every_charset() {
    const ERRORS: [Errors; 5] = [Errors::Fatal, Errors::Replacement, Errors::Html, Errors::Ignore, Errors::Escape];
    let outputs: Vec<Charset> = [
        "utf-8",
        "iso-2022-jp",
        "windows-1258",
        "utf-16le",
        "gb18030",
        "glibc:iso-2022-kr",
        "hz",
        "cp1047",
        "tcvn",
        "glibc:big5-hkscs",
        "utf-16-bom",
        "exact-us-ascii",
        "glibc:ibm930",
    ]
    .map(charset)
    .into();
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut taken = 0;
    for (number, from) in Charset::all().enumerate() {
        // One thread converts streams without a cut rule, and single bytes are all alike.
        let rule = from.new_decoder(false).cut_rule();
        if rule == CutRule::Never && !from.needs_bom()
            || from.standard().is_none() && from.is_single_byte() && number % 16 != 0
        {
            continue;
        }
        for round in 0..if from.standard().is_some() { 5 } else { 2 } {
            let bytes = text_in(from, 1500, round % 2 == 1, &mut random);
            let mut options = Options::to(outputs[random.below(outputs.len())]);
            options.malformed = ERRORS[(number + round) % ERRORS.len()];
            options.unmappable = ERRORS[random.below(ERRORS.len())];
            options.bom = if options.to.bom().is_empty() { BomAction::Strip } else { BomAction::Keep };
            options.transliterate = random.below(4) == 0;
            options.newlines = [Newlines::Keep, Newlines::Lf, Newlines::Crlf][random.below(3)];
            let is_observed = random.below(2) == 0 && !options.transliterate;
            taken += assert_same(&bytes, from.new_decoder(random.below(4) == 0), &options, is_observed);
        }
    }
    assert!(taken > 1000, "{taken}");
}

#[test]
fn changes_to_the_text_do_not_see_the_cuts() {
    let mut random = Random(99);
    let text = text_in(Charset::UTF_8, 4000, false, &mut random);
    // The label comes after the start of the stream, which one thread converts in any case.
    let start = format!("<!doctype html>\n{}<meta charset=utf-8>\n", "<!-- a comment -->\n".repeat(35));
    let text = [start.as_bytes(), &text].concat();
    for normalization in [Normalization::Keep, Normalization::Nfc, Normalization::Nfd] {
        for newlines in [Newlines::Keep, Newlines::Lf, Newlines::Crlf, Newlines::Nel] {
            for to in ["windows-1258", "iso-2022-jp", "utf-8"] {
                let mut options = Options::to(charset(to));
                (options.normalization, options.newlines) = (normalization, newlines);
                (options.unmappable, options.transliterate) = (Errors::Escape, to == "windows-1258");
                let taken = assert_same(&text, Charset::UTF_8.new_decoder(false), &options, false);
                assert!(taken > 5, "{taken} {options:?}");
            }
        }
    }
}

#[test]
fn other_threads_convert_nearly_all_of_a_clean_text() {
    for encoding in [GBK, SHIFT_JIS, BIG5, EUC_JP, GB18030, ISO_2022_JP, UTF_16LE, UTF_16BE, WINDOWS_1251] {
        let line = if encoding == WINDOWS_1251 { "Ёлки palki\n" } else { "日本 text\n" };
        let text = line.repeat(1000);
        let to_utf_8 = Options::to(Charset::UTF_8);
        let bytes = if encoding.bom().is_some() {
            text_of_wide(encoding.into(), &text)
        } else {
            encoding.encode(&text).bytes.into_owned()
        };
        // Parts of 64 and 500 bytes.
        let expected = bytes.len() / 64 * 3 / 4;
        let taken = assert_same(&bytes, Charset::from(encoding).new_decoder(false), &to_utf_8, false);
        assert!(taken > expected, "{encoding}: {taken} of {expected}");
        let taken =
            assert_same(text.as_bytes(), Charset::UTF_8.new_decoder(false), &Options::to(encoding.into()), true);
        assert!(taken > expected, "to {encoding}: {taken} of {expected}");
    }
}

fn text_of_wide(charset: Charset, text: &str) -> Vec<u8> {
    let mut bytes = vec![0; 2 * text.len()];
    let encoded = charset.new_encoder().unwrap().encode(text, &mut bytes, true);
    bytes.truncate(encoded.written);
    bytes
}

#[test]
fn a_stream_without_cuts_and_a_stream_of_which_nothing_is_known_are_converted_to_the_end() {
    let options = Options::to(Charset::UTF_8);
    let without_cuts = "あ".repeat(2000);
    let bytes = text_of_wide(SHIFT_JIS.into(), &without_cuts);
    assert_eq!(assert_same(&bytes, Charset::from(SHIFT_JIS).new_decoder(false), &options, false), 0);
    let fallback = || Source::undecided(Some(Fallback { charset: SHIFT_JIS.into(), is_trusted: true }), None);
    assert_eq!(assert_same(&b"plain\n".repeat(500), fallback(), &options, false), 0);
    // The decision needs 64 KiB after the first byte that is not ASCII.
    let text = ["plain\n".repeat(10), "テキスト\n".repeat(12_000)].concat();
    assert!(assert_same(&SHIFT_JIS.encode(&text).bytes, fallback(), &options, false) > 50);
    let binary = [&b"text\n".repeat(500)[..], b"te\0xt\n", &b"text\n".repeat(500)].concat();
    assert!(assert_same(&binary, Charset::UTF_8.new_decoder(false), &options, false) > 5);
}

#[test]
fn everything_that_came_is_converted_before_a_read_waits() {
    struct Slow<'a> {
        reads: Reads<'a>,
        given: usize,
        calls: usize,
    }

    impl Incoming for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if !self.is_near() {
                assert_eq!(self.reads.converted, self.given);
            }
            let length = self.reads.read(buffer)?;
            self.given += length;
            self.calls += 1;
            Ok(length)
        }

        fn is_near(&mut self) -> bool {
            !self.calls.is_multiple_of(40)
        }

        fn converted(&mut self, bytes: usize) {
            self.reads.converted(bytes);
        }
    }

    let bytes = "日本 text\n".repeat(4000).into_bytes();
    let mut converter = Converter::new(Options::to(SHIFT_JIS.into()), Vec::new());
    let mut stream = converter.start(Plan::new(Charset::UTF_8.new_decoder(false)));
    let reads = Reads { bytes: &bytes, length: 50, converted: 0 };
    let mut slow = Slow { reads, given: 0, calls: 0 };
    TAKEN.set(0);
    assert!(converter.push_all(&mut stream, &mut slow, Cores::new(2).with_chunk(128)).is_ok());
    assert!(slow.calls > 400 && TAKEN.get() > 100);
    assert!(*converter.finish().unwrap().0 == *SHIFT_JIS.encode(&"日本 text\n".repeat(4000)).bytes);
}

#[test]
fn whatever_is_written_is_flushed_before_the_next_part() {
    #[derive(Default)]
    struct Log(String);

    impl Sink for Log {
        type Error = core::convert::Infallible;

        fn write(&mut self, bytes: &[u8]) -> Result<(), Self::Error> {
            self.0.push_str(if bytes.is_empty() { "" } else { "w" });
            Ok(())
        }

        fn flush(&mut self) -> Result<(), Self::Error> {
            self.0.push('f');
            Ok(())
        }
    }

    for cores in [Cores::ONE, Cores::new(2).with_chunk(128)] {
        let bytes = "日本 text\n".repeat(1000).into_bytes();
        let mut converter = Converter::new(Options::to(SHIFT_JIS.into()), Log::default());
        let mut stream = converter.start(Plan::new(Charset::UTF_8.new_decoder(false)));
        let mut reads = Reads { bytes: &bytes, length: 50, converted: 0 };
        TAKEN.set(0);
        assert!(converter.push_all(&mut stream, &mut reads, cores).is_ok());
        assert_eq!(TAKEN.get() > 0, cores != Cores::ONE);
        let log = converter.finish().unwrap().0.0;
        assert!(log.contains('w') && !log.contains("ww") && log.ends_with('f'), "{cores:?}: {log}");
    }
}

#[test]
fn all_text_is_written_before_an_error_of_the_input() {
    struct Broken<'a>(Reads<'a>);

    impl Incoming for Broken<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            match self.0.read(buffer)? {
                0 => Err(io::ErrorKind::ConnectionReset.into()),
                length => Ok(length),
            }
        }

        fn is_near(&mut self) -> bool {
            true
        }

        fn converted(&mut self, bytes: usize) {
            self.0.converted(bytes);
        }
    }

    let text = "cafe\u{301} ".repeat(1000) + "e\u{301}";
    let mut options = Options::to(Charset::UTF_8);
    options.normalization = Normalization::Nfc;
    for cores in [Cores::ONE, Cores::new(2).with_chunk(128)] {
        let mut converter = Converter::new(options.clone(), Vec::new());
        let mut stream = converter.start(Plan::new(Charset::UTF_8.new_decoder(false)));
        let mut input = Broken(Reads { bytes: text.as_bytes(), length: 50, converted: 0 });
        let stopped = converter.push_all(&mut stream, &mut input, cores);
        assert!(matches!(stopped, Err(Stop::Input(error)) if error.kind() == io::ErrorKind::ConnectionReset));
        assert_eq!(converter.finish().unwrap().0, ("caf\u{E9} ".repeat(1000) + "\u{E9}").as_bytes());
    }
}

#[test]
fn parts_of_a_text_decode_as_the_whole() {
    let mut random = Random(7);
    for encoding in [GBK, SHIFT_JIS, ISO_2022_JP, UTF_16LE, EUC_JP, GB18030, BIG5] {
        let from = Charset::from(encoding);
        for round in 0..20 {
            let bytes = text_in(from, 30, round % 2 == 0, &mut random);
            let decoder = || encoding.new_decoder_with(textcodec::BomHandling::Keep);
            let decode = |bytes: &[u8]| Decoder::from(decoder()).decode_start(bytes, true);
            for number in 1..9 {
                let parts = parts(&bytes, from.new_decoder(true).cut_rule(), number);
                assert!(parts.len() <= number && parts.concat() == bytes);
                assert_eq!(parts.iter().map(|part| decode(part)).collect::<String>(), decode(&bytes));
            }
        }
    }
}

#[test]
fn a_whole_text_on_several_threads_gives_what_one_thread_gives() {
    for (name, bytes) in crate::check::texts() {
        for (from, to) in [("utf-8", "windows-1252"), ("shift_jis", "utf-8"), ("windows-1252", "iso-2022-jp")] {
            for errors in [Errors::Fatal, Errors::Replacement, Errors::Html, Errors::Ignore, Errors::Escape] {
                let [from, to] = [from, to].map(|label| Charset::for_label(label).unwrap());
                let mut options = Options::to(to);
                (options.malformed, options.unmappable) = (errors, errors);
                let told = |converted: Result<(Vec<u8>, Replaced), TextError>| {
                    converted.map(|(bytes, replaced)| {
                        let facts = (replaced.is_nothing(), replaced.has_left_out(), replaced.is_cut_off());
                        let numbers = [replaced.malformed(), replaced.unmappable(), replaced.transliterated()];
                        (bytes, replaced.to_string(), facts, numbers)
                    })
                };
                let one = told(crate::convert(&bytes, from, options.clone()));
                let several = told(convert_on(&bytes, from, options, Cores::new(2).with_chunk(16)));
                assert_eq!(several, one, "{name} from {from} to {to}, {errors:?}");
            }
        }
    }
}

#[test]
fn one_thread_converts_a_stream_with_records_in_its_input_or_its_output() {
    let (lines, records) = (b"abc\nabcdef\n".repeat(500), b"\x81\x82\x83\x40\x40\x40\x40\x40".repeat(500));
    for (from, to, bytes, is_one) in [
        ("utf-8", "cp037", &lines, true),
        ("cp037", "utf-8", &records, true),
        ("cp037", "cp500", &records, true),
        ("utf-8", "koi8-r", &lines, false),
    ] {
        let options = Options { record_length: core::num::NonZeroUsize::new(8), ..Options::to(charset(to)) };
        let taken = assert_same(bytes, charset(from).new_decoder(false), &options, true);
        assert_eq!(taken == 0, is_one, "{from} {to}");
        let (whole, _) = crate::convert(bytes, charset(from), options.clone()).unwrap();
        let (on_cores, _) = convert_on(bytes, charset(from), options, Cores::new(2).with_chunk(64)).unwrap();
        assert!(on_cores == whole, "{from} {to}");
    }
}

#[test]
fn parts_have_about_the_same_length() {
    for rule in [WINDOWS_1251, GBK, SHIFT_JIS].map(|encoding| Charset::from(encoding).new_decoder(true).cut_rule()) {
        for length in [0, 1, 7, 1000] {
            let text = b"a\n".repeat(length);
            for number in 1..=9 {
                let lengths: Vec<usize> = parts(&text, rule, number).iter().map(|part| part.len()).collect();
                let expected = text.len() / number;
                let is_about = |length: &usize| length.abs_diff(expected) <= number + 2;
                assert!(lengths.iter().all(is_about), "{length} lines, {number}: {lengths:?}");
            }
        }
    }
}

#[test]
fn no_replacement_is_lost_in_a_part_with_more_than_a_thread_keeps() {
    let ascii = charset("exact-us-ascii");
    let options = Options { malformed: Errors::Ignore, ..Options::to(Charset::UTF_8) };
    let cores = Cores::new(2).with_chunk(40_000);
    let start = b"a".repeat(HEAD as usize * cores.chunk);
    for number in [1000, EVENTS + 1000, 3 * EVENTS] {
        let bytes = [&start[..], &b"\xFF".repeat(number), &b"\nb".repeat(40_000)].concat();
        let source = Source::from(ascii.new_decoder(false));
        let one = told(&bytes, &source, &options, true, Cores::ONE);
        TAKEN.set(0);
        let many = told(&bytes, &source, &options, true, cores);
        assert!(TAKEN.get() > 0);
        assert_eq!((many.replacements.len(), &many.replaced), (number, &one.replaced));
        assert!(many == one, "{number}");
    }
}

#[test]
fn what_was_replaced_is_told_by_its_kind() {
    let koi8 = Charset::for_label("koi8-r").unwrap();
    for (text, malformed, unmappable, is_cut_off) in [
        (&b"plain"[..], 0, 0, false),
        (b"a\xFFb\xFE", 2, 0, false),
        (b"a\xFFb\xC3", 2, 0, true),
        ("☃ ☃".as_bytes(), 0, 2, false),
        (b"\xE2\x98\x83\xE2\x98", 1, 1, true),
    ] {
        for errors in [Errors::Replacement, Errors::Html, Errors::Ignore, Errors::Escape] {
            let mut options = Options::to(koi8);
            (options.malformed, options.unmappable) = (errors, errors);
            // U+FFFD, which takes the place of malformed bytes, cannot be encoded either.
            let marks = if matches!(errors, Errors::Replacement | Errors::Html) { malformed } else { 0 };
            let (_, replaced) = crate::convert(text, Charset::UTF_8, options).unwrap();
            let name = format!("{} {errors:?}", text.escape_ascii());
            assert_eq!((replaced.malformed(), replaced.unmappable()), (malformed, unmappable + marks), "{name}");
            assert_eq!(replaced.is_nothing(), malformed + unmappable == 0, "{name}");
            assert_eq!(replaced.has_left_out(), errors == Errors::Ignore && malformed + unmappable > 0, "{name}");
            assert_eq!(replaced.is_cut_off(), is_cut_off, "{name}");
        }
    }
    // Each of the two treatments counts for its own kind.
    for (malformed, unmappable, text, expected) in [
        (Errors::Ignore, Errors::Escape, &b"\xFF"[..], true),
        (Errors::Ignore, Errors::Escape, "☃".as_bytes(), false),
        (Errors::Escape, Errors::Ignore, b"\xFF", false),
        (Errors::Escape, Errors::Ignore, "☃".as_bytes(), true),
    ] {
        let mut options = Options::to(koi8);
        (options.malformed, options.unmappable) = (malformed, unmappable);
        let (_, replaced) = crate::convert(text, Charset::UTF_8, options).unwrap();
        assert_eq!(replaced.has_left_out(), expected, "{malformed:?} {unmappable:?} {}", text.escape_ascii());
    }
}
