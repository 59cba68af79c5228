//! Finds all problems of a text.

mod characters;
mod fix;
mod levels;
mod line_endings;
mod locator;
mod mojibake;
#[cfg(test)]
mod outcomes;
mod problem;

use alloc::{boxed::Box, format, string::String, vec, vec::Vec};
use core::{convert::Infallible, ops::ControlFlow};

#[cfg(test)]
pub(crate) use self::outcomes::texts;
use self::{characters::Characters, line_endings::LineEndings, locator::Locator, mojibake::Mojibake};
pub use self::{
    fix::fix,
    levels::Levels,
    problem::{Problem, Rule, Severity},
};
use crate::{
    buffers,
    charset::{Charset, Decoded, Decoder, EncodeStatus, Encoder, Malformed, Status},
    damage::{self, Damage, Damaged, Examination},
    detection::{self, SourceEncoding},
    kind::Kind,
    mixed,
    position::Position,
    visible::Character,
};

/// Checks a stream, whose bytes come piece by piece.
///
/// ```
/// use core::ops::ControlFlow;
/// use textcodec_convert::{Charset, Checker};
///
/// let mut checker = Checker::new(Charset::UTF_8);
/// let mut lines = Vec::new();
/// let mut each = |problem: textcodec_convert::Problem| {
///     lines.push(format!("{}: {}: {problem}", problem.position.for_editors(), problem.rule));
///     ControlFlow::Continue(())
/// };
/// for piece in [&b"one\r\ncaf\xE9"[..], b"\n"] {
///     let _ = checker.push(piece, false, &mut each);
/// }
/// let _ = checker.push(b"", true, &mut each);
/// assert_eq!(lines, [
///     "2:4: malformed: not UTF-8: E9",
///     "2:5: mixed-newlines: the lines end in different ways: 1 LF, 1 CRLF",
/// ]);
/// ```
pub struct Checker {
    decoder: Decoder,
    text: buffers::Text,
    state: State,
}

/// Is called for each problem. The rest is not checked after a break.
pub type Each<'a> = &'a mut dyn FnMut(Problem) -> ControlFlow<()>;

/// What is known about the text so far.
struct State {
    expected: Charset,
    is_detected: bool,
    target: Option<Target>,
    /// Looks at all bytes for damage.
    examination: Option<Examination>,
    /// The place of the text that is checked next.
    position: Position,
    is_mark_known: bool,
    first_malformed: Option<Position>,
    endings: LineEndings,
    characters: Characters,
    mojibake: Mojibake,
}

/// The number of places, and the first of them.
#[derive(Default)]
struct Occurrences {
    count: u64,
    first: Option<Position>,
}

impl Occurrences {
    fn add(&mut self, count: u64, first: impl FnOnce() -> Position) {
        if self.count == 0 && count > 0 {
            self.first = Some(first());
        }
        self.count += count;
    }
}

/// An encoder whose output nobody needs.
struct Target {
    charset: Charset,
    encoder: Encoder,
    scratch: Box<[u8]>,
    /// The decoder as it was before the last call.
    before: Decoder,
}

impl Checker {
    /// A stream that should be in this charset.
    #[must_use]
    pub fn new(charset: Charset) -> Self {
        let state = State {
            expected: charset,
            is_detected: false,
            target: None,
            examination: None,
            position: Position::default(),
            is_mark_known: false,
            first_malformed: None,
            endings: LineEndings::default(),
            characters: Characters::default(),
            mojibake: Mojibake::default(),
        };
        Checker { decoder: charset.new_decoder(false), text: buffers::Text::new(), state }
    }

    /// The charset was found in the stream, so that no byte order mark contradicts it.
    #[must_use]
    pub fn detected(mut self) -> Self {
        self.state.is_detected = true;
        self
    }

    /// Also looks for damage: for UTF-8 with a few malformed sequences, and for a part in UTF-16.
    #[must_use]
    pub fn examined(mut self) -> Self {
        self.state.examination = Some(Examination::new());
        self
    }

    /// Also checks that this charset, in which text can be written, has every character.
    ///
    /// # Panics
    /// If no text can be [written](Charset::is_writable) in the charset.
    #[must_use]
    pub fn with_target(mut self, charset: Charset) -> Self {
        let encoder = charset.new_encoder().expect("text can be written in the target");
        let scratch = vec![0; buffers::LENGTH].into();
        self.state.target = Some(Target { charset, encoder, scratch, before: self.decoder.clone() });
        self
    }

    /// Checks the next piece of the stream. `last` says that the stream ends with it: then the problems come that are
    /// told once for a stream.
    pub fn push(&mut self, piece: &[u8], last: bool, each: Each<'_>) -> ControlFlow<()> {
        if !piece.is_empty() {
            self.decode(piece, false, each)?;
            self.state.end_piece(piece);
        }
        if last {
            self.decode(&[], true, each)?;
            self.state.finish(each)?;
        }
        ControlFlow::Continue(())
    }

    fn decode(&mut self, piece: &[u8], last: bool, each: Each<'_>) -> ControlFlow<()> {
        let Checker { decoder, text, state } = self;
        let mut read = 0;
        decoder.decode_pieces(piece, text, last, |decoder, text, decoded| {
            let before = read;
            read += decoded.read;
            state.look(decoder, text, decoded, &piece[before..], last, each)
        })
    }
}

impl State {
    /// Looks at `text`, which comes from the start of `source`.
    fn look(
        &mut self,
        decoder: &Decoder,
        text: &mut String,
        decoded: Decoded,
        source: &[u8],
        last: bool,
        each: Each<'_>,
    ) -> ControlFlow<()> {
        if !self.is_mark_known && (last || !text.is_empty() || matches!(decoded.status, Status::Malformed(_))) {
            self.is_mark_known = true;
            self.check_mark(decoder, each)?;
        }
        self.observe(text);
        if let Some(target) = &mut self.target {
            let before = core::mem::replace(&mut target.before, decoder.clone());
            target.check(text, self.position, Locator::new(before, source), each)?;
        }
        self.position = self.position.after(text);
        text.clear();
        let Status::Malformed(Malformed { offset, bytes, .. }) = decoded.status else {
            return ControlFlow::Continue(());
        };
        self.first_malformed.get_or_insert(self.position);
        self.mojibake.end_line();
        let encoding = decoder.charset().name();
        let message = format!("not {encoding}: {}", hexadecimal(&bytes));
        let mut problem = Problem::new(Rule::Malformed, self.position, message);
        (problem.offset, problem.encoding, problem.bytes) = (Some(offset), Some(encoding), bytes);
        // Readers see a replacement character in this place.
        self.position = self.position.after("\u{FFFD}");
        each(problem)
    }

    fn end_piece(&mut self, piece: &[u8]) {
        if let Some(examination) = &mut self.examination {
            examination.feed(piece);
        }
    }

    /// Tells a byte order mark, which is an error if it is not that of the expected charset.
    fn check_mark(&self, decoder: &Decoder, each: Each<'_>) -> ControlFlow<()> {
        if !decoder.is_by_mark() {
            return ControlFlow::Continue(());
        }
        let (found, expected) = (decoder.charset(), self.expected);
        let is_other = found != expected && !self.is_detected;
        let (rule, message) = match is_other {
            true => (Rule::OtherBom, format!("the byte order mark is that of {found}, not of {expected}")),
            false => (Rule::Bom, format!("the file starts with the byte order mark of {found}")),
        };
        let mut problem = Problem::new(rule, Position::default(), message);
        (problem.offset, problem.encoding, problem.bytes) = (Some(0), Some(found.name()), found.bom().to_vec());
        each(problem)
    }

    /// Looks at a part of the text for the warnings that are given once for a stream.
    fn observe(&mut self, text: &str) {
        self.endings.observe(text, self.position);
        self.characters.observe(text, self.position, self.expected.is_ebcdic());
        self.mojibake.observe(text, self.position);
    }

    /// Tells the problems that are told once for a stream.
    fn finish(&mut self, each: Each<'_>) -> ControlFlow<()> {
        let findings = self.examination.take().map(|examination| examination.findings(true));
        let place = || Ok::<_, Infallible>(self.first_malformed.unwrap_or_default());
        if let Some(Ok(Some(damaged))) = findings.map(|findings| Damaged::at(&findings, place)) {
            each(Problem::damaged(&damaged))?;
        }
        self.endings.end();
        self.mojibake.end_line();
        if let Some(position) = self.endings.mixed {
            let mut problem = Problem::new(Rule::MixedNewlines, position, self.endings.describe());
            problem.count = Some(self.endings.number());
            each(problem)?;
        }
        self.characters.problems().chain(self.mojibake.problems()).try_for_each(each)
    }
}

impl Target {
    /// Tells each character of `text`, which stands at `position`, that the charset does not have.
    fn check(&mut self, text: &str, position: Position, mut locator: Locator<'_>, each: Each<'_>) -> ControlFlow<()> {
        let (mut read, mut counted) = (0, (0, position));
        loop {
            let encoded = self.encoder.encode(&text[read..], &mut self.scratch, false);
            read += encoded.read;
            match encoded.status {
                EncodeStatus::InputEmpty => return ControlFlow::Continue(()),
                EncodeStatus::OutputFull => {}
                EncodeStatus::Unmappable(code_point) => {
                    let character = text[..read].chars().next_back().unwrap_or(code_point);
                    let start = read - character.len_utf8();
                    counted = (start, counted.1.after(&text[counted.0..start]));
                    let encoding = self.charset.name();
                    let message = format!("{encoding} has no {}", Character(character));
                    let mut problem = Problem::new(Rule::Unmappable, counted.1, message);
                    problem.offset = Some(locator.find(start));
                    (problem.encoding, problem.character) = (Some(encoding), Some(character));
                    each(problem)?;
                }
            }
        }
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(" ")
}

/// The character of windows-1252 for whose byte a control character U+0080 to U+009F stands.
fn windows_1252(control: char) -> Option<char> {
    let byte = u8::try_from(control).ok().filter(|byte| (0x80..=0x9F).contains(byte))?;
    mixed::decode(&[byte], textcodec::WINDOWS_1252.into())?.chars().next().filter(|meant| !meant.is_control())
}

/// The problem of a stream that starts with these bytes and of which a part is UTF-16 and a part is not, as far as they
/// show it. `None` if they do not.
#[must_use]
pub fn mixture_in_start(start: &[u8]) -> Option<Problem> {
    let mut examination = Examination::new();
    examination.feed(start);
    let findings = examination.findings(false);
    let damaged = Damaged::at(&findings, || Ok::<_, Infallible>(Position::default())).ok().flatten();
    damaged.filter(|damaged| matches!(damaged.damage, Damage::Mixed { .. })).as_ref().map(Problem::damaged)
}

/// All problems of a whole text. `kind` is its kind, if that is known; `to` is a charset that should have all of its
/// characters, and in which text can be written.
///
/// ```
/// use textcodec_convert::{Charset, Rule, SourceEncoding, check};
///
/// let problems = check("1 €\r\n2\n".as_bytes(), SourceEncoding::Auto, None, Charset::for_label("cp850").ok());
/// let rules: Vec<Rule> = problems.iter().map(|problem| problem.rule).collect();
/// assert_eq!(rules, [Rule::Unmappable, Rule::MixedNewlines]);
/// assert_eq!((problems[0].position.column(), problems[0].offset), (3, Some(2)));
/// ```
#[must_use]
pub fn check(bytes: &[u8], from: SourceEncoding, kind: Option<Kind>, to: Option<Charset>) -> Vec<Problem> {
    let mut problems = Vec::new();
    let (mut checker, is_examined) = match from {
        SourceEncoding::Label(charset) => (Checker::new(charset), charset == Charset::UTF_8),
        SourceEncoding::Auto => {
            let found = detection::detect(kind, bytes);
            let damaged = if found.is_doubtful(false) { Damaged::of(bytes) } else { None };
            if let Some(damaged) = damaged {
                problems.push(Problem::damaged(&damaged));
                if matches!(damaged.damage, Damage::Mixed { .. }) {
                    return problems;
                }
                (Checker::new(Charset::UTF_8).detected(), false)
            } else if let Some(encoding) = found.encoding.or_else(|| kind?.charset_by_definition()) {
                let is_examined = found.is_undeclared || damage::has_mark_of_utf_16(bytes);
                (Checker::new(encoding).detected(), is_examined)
            } else {
                let unknown = found.distrusted.as_ref().map_or_else(Problem::unknown_encoding, Problem::distrusted);
                problems.push(unknown);
                return problems;
            }
        }
    };
    if is_examined {
        if let Some(problem) = mixture_in_start(&bytes[..bytes.len().min(detection::LENGTH)]) {
            problems.push(problem);
            return problems;
        }
        checker = checker.examined();
    }
    if let Some(to) = to {
        checker = checker.with_target(to);
    }
    let _ = checker.push(bytes, true, &mut |problem| {
        problems.push(problem);
        ControlFlow::Continue(())
    });
    problems
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    /// The rules, lines, columns and offsets of the problems of `bytes`, which come in pieces of `length` bytes.
    fn check_in_pieces(bytes: &[u8], length: usize, checker: Checker) -> Vec<(Rule, u64, u64, Option<u64>)> {
        let mut checker = checker;
        let mut problems = Vec::new();
        let mut each = |problem: Problem| {
            problems.push((problem.rule, problem.position.line(), problem.position.column(), problem.offset));
            ControlFlow::Continue(())
        };
        for piece in bytes.chunks(length) {
            let _ = checker.push(piece, false, &mut each);
        }
        let _ = checker.push(&[], true, &mut each);
        problems
    }

    #[test]
    fn the_size_of_the_pieces_changes_no_problem_of_a_character() {
        let text = b"\xEF\xBB\xBFa\r\n\xE2\x98\x83 caf\xE9\n\0 \xE2\x98\x83\r";
        let expected = [
            (Rule::Bom, 1, 1, Some(0)),
            (Rule::Unmappable, 2, 1, Some(6)),
            (Rule::Malformed, 2, 6, Some(13)),
            (Rule::Unmappable, 3, 3, Some(17)),
            (Rule::MixedNewlines, 2, 7, None),
            (Rule::Nul, 3, 1, None),
        ];
        for length in 1..=text.len() {
            let checker = Checker::new(Charset::UTF_8).with_target(textcodec::WINDOWS_1252.into());
            assert_eq!(check_in_pieces(text, length, checker), expected, "{length}");
        }
    }

    #[test]
    fn characters_are_compared_with_the_target_also_in_a_damaged_text() {
        let rules = |bytes: &[u8]| -> Vec<Rule> {
            let to = Charset::for_label("cp850").ok();
            check(bytes, SourceEncoding::Auto, None, to).into_iter().map(|problem| problem.rule).collect()
        };
        let text = "ä ö ü ß … € ç é".repeat(9);
        let damaged = [text.as_bytes(), b"\xFF", text.as_bytes()].concat();
        let [whole, damaged] = [text.as_bytes(), &damaged].map(rules);
        assert!(whole.contains(&Rule::Unmappable) && !whole.contains(&Rule::Malformed), "{whole:?}");
        assert!(damaged.contains(&Rule::Unmappable) && damaged.contains(&Rule::Malformed), "{damaged:?}");
    }

    #[test]
    fn no_field_of_a_problem_depends_on_the_pieces() {
        let texts = [
            ("ends of files inside of the text", b"a\x1A\x1Ab\n\x1Ac\x1A\x1A".to_vec()),
            ("an end of a file before a control character", b"a\x1A\x01".to_vec()),
            ("an end of a file before zeros", b"a\x1A\0\0b\0\x1A\0".to_vec()),
            ("line ends of all kinds", b"a\r\n\r\r\n\nb\rc\n\r".to_vec()),
            ("marks", "\u{FEFF}a\u{FEFF}\u{FEFF}\nb\u{FEFF}".as_bytes().to_vec()),
            ("two lines of mojibake", "cafÃ©\r\nfine\rcafÃ© Ã©tÃ©\ncaf├⌐ ├⌐t├⌐".as_bytes().to_vec()),
        ];
        for (name, bytes) in outcomes::texts().into_iter().chain(texts) {
            let find = |length: usize, label: &str| {
                let mut checker = Checker::new(Charset::for_label(label).unwrap());
                checker = checker.with_target(textcodec::ISO_8859_2.into());
                let mut problems = Vec::new();
                let mut each = |problem: Problem| {
                    problems.push(problem);
                    ControlFlow::Continue(())
                };
                for piece in bytes.chunks(length) {
                    let _ = checker.push(piece, false, &mut each);
                }
                let _ = checker.push(&[], true, &mut each);
                problems
            };
            for label in ["utf-8", "windows-1252", "shift_jis"] {
                let whole = find(bytes.len().max(1), label);
                for length in [1, 2, 3, 7, 64] {
                    assert_eq!(find(length, label), whole, "{name} in {label}, pieces of {length}");
                }
            }
        }
    }

    #[test]
    fn characters_of_charsets_beyond_the_standard_have_their_offset_in_the_stream() {
        let text: Vec<u8> = [0x61, 0xD800, 0x2603].into_iter().flat_map(u32::to_be_bytes).collect();
        for length in 1..=text.len() {
            let wide = Checker::new(Charset::for_label("utf-32be").unwrap());
            let problems = check_in_pieces(&text, length, wide.with_target(textcodec::WINDOWS_1252.into()));
            let expected = [(Rule::Malformed, 1, 2, Some(4)), (Rule::Unmappable, 1, 3, Some(8))];
            assert_eq!(problems, expected, "{length}");
        }
    }

    #[test]
    fn each_character_that_cannot_be_encoded_has_the_offset_of_its_bytes() {
        // Two characters of the last text come from one sequence.
        for (from, bytes, expected) in [
            ("shift_jis", &b"\x82\xA0a\x82\xA2\n\xB1"[..], &[0, 3, 6][..]),
            ("gb18030", b"a\x81\x30\x81\x35\x81\x30\x81\x36", &[1, 5]),
            ("utf-16le", b"\x42\x30a\0\x3D\xD8\0\xDE", &[0, 4]),
            ("big5", b"a\x88\x62", &[1, 1]),
        ] {
            for length in 1..=bytes.len() {
                let checker = Checker::new(Charset::for_label(from).unwrap()).with_target(textcodec::IBM866.into());
                let problems = check_in_pieces(bytes, length, checker).into_iter();
                let offsets: Vec<u64> =
                    problems.filter(|problem| problem.0 == Rule::Unmappable).filter_map(|problem| problem.3).collect();
                assert_eq!(offsets, expected, "{from} in pieces of {length}");
            }
        }
    }

    #[test]
    fn a_byte_order_mark_of_another_charset_is_an_error_unless_the_charset_was_found() {
        let text = b"\xFF\xFEa\0";
        let rules = |from| check(text, from, None, None).iter().map(|problem| problem.rule).collect::<Vec<_>>();
        assert_eq!(rules(SourceEncoding::Label(textcodec::WINDOWS_1252.into())), [Rule::OtherBom]);
        assert_eq!(rules(SourceEncoding::Auto), [Rule::Bom]);
    }

    #[test]
    fn an_end_of_file_is_trailing_only_if_no_text_comes_after_it() {
        for (text, rule) in [
            ("ab\u{1A}", Rule::TrailingBytes),
            ("ab\u{1A}\0\u{1A}\0", Rule::TrailingBytes),
            ("ab\u{1A}c", Rule::Control),
            ("ab\u{1A}cd\nef", Rule::Control),
            ("ab\u{1A}é", Rule::Control),
        ] {
            for length in 1..=text.len() {
                let problems = check_in_pieces(text.as_bytes(), length, Checker::new(Charset::UTF_8));
                let of_end = problems.iter().filter(|(rule, ..)| *rule != Rule::Nul).collect::<Vec<_>>();
                assert_eq!(of_end, [&(rule, 1, 3, None)], "{text:?} in pieces of {length} bytes");
            }
        }
    }

    #[test]
    fn characters_that_texts_do_not_have_are_told_at_every_size_of_pieces() {
        let text = "It\u{92}s\u{1A}\n\u{FFFD} a\u{FEFF}b\u{FEFF}\n\u{7F}\0\u{1A}\u{1A}".as_bytes();
        let expected = [
            (Rule::Nul, 3, 2, None),
            (Rule::ReplacementCharacter, 2, 1, None),
            (Rule::Control, 1, 3, None),
            (Rule::InnerBom, 2, 4, None),
            (Rule::TrailingBytes, 3, 3, None),
        ];
        for length in 1..=text.len() {
            assert_eq!(check_in_pieces(text, length, Checker::new(Charset::UTF_8)), expected, "{length}");
            let (mut checker, mut counts) = (Checker::new(Charset::UTF_8), Vec::new());
            let mut each = |problem: Problem| {
                counts.push(problem.count);
                ControlFlow::Continue(())
            };
            for piece in text.chunks(length).chain([&[][..]]) {
                let _ = checker.push(piece, piece.is_empty(), &mut each);
            }
            assert_eq!(counts, [1, 1, 3, 2, 2].map(Some), "{length}");
        }
        let messages = check(text, SourceEncoding::Auto, None, None);
        let messages: Vec<_> = messages.iter().map(|problem| (problem.count, problem.to_string())).collect();
        assert_eq!(messages[2].1, "the control character U+0092; in windows-1252, its byte is ’ (3 in all)");
        assert_eq!((messages[4].0, messages[2].0), (Some(2), Some(3)));
        for text in ["a\tb\u{C}\r\n", "é ｅ\u{FF5E}"] {
            assert_eq!(check(text.as_bytes(), SourceEncoding::Auto, None, None), []);
        }
        let ebcdic = Charset::for_label("cp1047").unwrap();
        assert_eq!(check(b"\x81\x15", SourceEncoding::Label(ebcdic), None, None), []);
    }

    #[test]
    fn a_line_that_was_decoded_wrongly_is_judged_as_a_whole_at_every_size_of_pieces() {
        let text = "eins\nÃƒÂ© donâ€™t\r\nRésumé: don‚Äôt\nÃ© \u{FFFD}".as_bytes();
        let text = [text, b"\xFF", "Ã©".as_bytes()].concat();
        let describe = |length: usize| {
            let (mut checker, mut found) = (Checker::new(Charset::UTF_8), Vec::new());
            let mut each = |problem: Problem| {
                found.push((problem.position, problem.count, problem.to_string()));
                ControlFlow::Continue(())
            };
            for piece in text.chunks(length).chain([&[][..]]) {
                let _ = checker.push(piece, piece.is_empty(), &mut each);
            }
            found
        };
        let whole = describe(text.len());
        let messages: Vec<&str> = whole.iter().map(|(_, _, message)| &message[..]).collect();
        assert!(messages.contains(&"3 lines look doubly encoded; the first may mean \"Ã© don’t\""), "{messages:?}");
        for length in 1..text.len() {
            assert_eq!(describe(length), whole, "{length}");
        }
    }

    #[test]
    fn a_long_line_is_judged_in_parts_that_do_not_depend_on_the_pieces() {
        let text = [&b"a".repeat(200_000)[..], " cafÃ© ".as_bytes(), b"a".repeat(70_000).as_slice()].concat();
        let expected = [(Rule::DoubleEncoding, 1, 196_609, None)];
        for length in [65_535, 65_536, 300_000] {
            assert_eq!(check_in_pieces(&text, length, Checker::new(Charset::UTF_8)), expected, "{length}");
        }
    }

    #[test]
    fn a_text_that_is_damaged_or_unknown_says_so() {
        let rules = |bytes: &[u8]| {
            check(bytes, SourceEncoding::Auto, Some(Kind::Text), None).iter().map(|p| p.rule).collect::<Vec<_>>()
        };
        assert_eq!(rules(b"caf\xE9"), [Rule::UnknownEncoding]);
        let damaged = ["Grüße\n".repeat(20).as_bytes(), b"caf\xE9\n", "Grüße\n".repeat(20).as_bytes()].concat();
        assert_eq!(rules(&damaged), [Rule::Damaged, Rule::Malformed]);
        assert_eq!(rules("cafÃ©\n".as_bytes()), [Rule::DoubleEncoding]);
        for wrong in [
            "caf├⌐ ├á la carte",
            "ÔÇ£hiÔÇØ Nicol├ís",
            "浣犲ソ涓栫晫",
            "РџСЂРёРІРµС‚ РјРёСЂ",
            "don‚Äôt",
            "鐢ㄦ埛鍚\u{FFFD}",
        ] {
            let found = rules(wrong.as_bytes());
            assert!(found.contains(&Rule::Mojibake), "{wrong}: {found:?}");
        }
        let mixed = [
            "Grüße\n".repeat(20).as_bytes(),
            "Grüße und mehr\n".repeat(20).encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>().as_slice(),
        ]
        .concat();
        assert_eq!(rules(&mixed), [Rule::MixedEncodings]);
    }

    #[test]
    fn a_mark_is_told_before_a_malformed_sequence_after_it() {
        for length in 1..=7 {
            let found = check_in_pieces(b"\xEF\xBB\xBF\xFFab", length, Checker::new(Charset::UTF_8));
            let expected = [(Rule::Bom, 1, 1, Some(0)), (Rule::Malformed, 1, 1, Some(3))];
            assert_eq!(found, expected, "{length}");
        }
    }

    #[test]
    fn damage_after_the_bytes_that_decide_is_told_at_the_end() {
        let start = "ascii\n".repeat(detection::LENGTH / 6 + 1);
        let line = "Grüße\n".repeat(20);
        let damaged = [start.as_bytes(), line.as_bytes(), b"caf\xE9\n", line.as_bytes()].concat();
        for (from, kind) in [
            (SourceEncoding::Auto, Some(Kind::Text)),
            (SourceEncoding::Auto, Some(Kind::Html)),
            (SourceEncoding::Label(Charset::UTF_8), None),
        ] {
            let rules: Vec<Rule> = check(&damaged, from, kind, None).iter().map(|problem| problem.rule).collect();
            assert_eq!(rules, [Rule::Malformed, Rule::Damaged], "{from:?} {kind:?}");
        }
        // A declaration is believed. Nothing looks for damage.
        let declared = [b"# coding: utf-8\n", &*damaged].concat();
        let rules: Vec<Rule> =
            check(&declared, SourceEncoding::Auto, Some(Kind::Text), None).iter().map(|it| it.rule).collect();
        assert_eq!(rules, [Rule::Malformed]);
        let latin = SourceEncoding::Label(textcodec::KOI8_R.into());
        assert_eq!(check(&damaged, latin, None, None), []);
    }

    #[test]
    fn a_mixture_in_the_first_64_kib_is_the_only_problem() {
        let utf_16: Vec<u8> = "und mehr\n".repeat(300).encode_utf16().flat_map(u16::to_le_bytes).collect();
        for before in [20, 900] {
            let mixed = ["Grüße\n".repeat(before).as_bytes(), &utf_16].concat();
            for from in [SourceEncoding::Auto, SourceEncoding::Label(Charset::UTF_8)] {
                let problems = check(&mixed, from, Some(Kind::Text), None);
                let rules: Vec<Rule> = problems.iter().map(|problem| problem.rule).collect();
                assert_eq!(rules, [Rule::MixedEncodings], "{from:?} {before}");
            }
        }
    }

    #[test]
    fn a_character_that_an_encoder_replaces_is_told_as_itself() {
        for character in ["\u{E}", "\u{F}", "\u{1B}", "☃"] {
            let to = Some(textcodec::ISO_2022_JP.into());
            let problems = check(character.as_bytes(), SourceEncoding::Label(Charset::UTF_8), None, to);
            assert_eq!((problems[0].rule, problems[0].character), (Rule::Unmappable, character.chars().next()));
            assert_eq!((problems[0].offset, problems[0].encoding), (Some(0), Some("ISO-2022-JP")));
            let code_point = u32::from(character.chars().next().unwrap());
            assert!(problems[0].to_string().starts_with(&format!("ISO-2022-JP has no U+{code_point:04X}")));
        }
    }

    #[test]
    fn properties_without_a_declaration_are_checked_as_java_reads_them() {
        let rules = |kind| check(b"key=caf\xE9\n", SourceEncoding::Auto, kind, None);
        assert_eq!(rules(Some(Kind::Properties)), []);
        assert_eq!(rules(Some(Kind::Text))[0].rule, Rule::UnknownEncoding);
    }

    #[test]
    fn malformed_bytes_have_two_digits_each() {
        for (from, bytes, expected) in [
            ("utf-16le", &b"a\0\x0A\xDC"[..], "not UTF-16LE: 0A DC"),
            ("gb18030", b"a\x81\x39\x81\xFF", "not gb18030: 81"),
            ("utf-32be", b"\0\x11\0\0", "not utf-32be: 00 11 00 00"),
        ] {
            let problems = check(bytes, SourceEncoding::Label(Charset::for_label(from).unwrap()), None, None);
            assert_eq!(problems[0].to_string(), expected, "{from}");
        }
    }
}
