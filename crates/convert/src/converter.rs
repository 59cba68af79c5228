//! Converts streams of bytes in some charsets to one stream of bytes in another charset, in constant memory.

#[cfg(all(test, feature = "std"))]
mod combinations;
#[cfg(feature = "std")]
mod cores;
mod encoding;
mod failure;
mod records;
mod replaced;
mod sink;
mod stream;

use alloc::{borrow::ToOwned, format, string::String, vec::Vec};
use core::{fmt, ops::ControlFlow};

#[cfg(feature = "std")]
pub use self::cores::{Cores, convert_on, parts};
#[cfg(feature = "files")]
pub(crate) use self::cores::{Incoming, Stop};
#[cfg(feature = "std")]
pub use self::sink::Writer;
pub use self::{
    failure::{Failure, TextError},
    replaced::{Replaced, Replacement, What},
    sink::Sink,
    stream::{Plan, Stream},
};
use self::{
    records::Records,
    replaced::{First, Subject},
    stream::{At, Changes},
};
use crate::{
    buffers::{Bytes, Text},
    charset::{self, Charset, Encoder, Malformed, Status},
    declarations::Edits,
    options::{BomAction, Errors, Options},
    position::Position,
    text::{Newlines, Steps},
};

/// The length in bytes from which text in UTF-8 is written without another copy. Shorter texts are collected, because
/// every write can be a call of the system.
const DIRECT: usize = 4096;

/// The text that takes the place of a malformed sequence.
const REPLACEMENT: &str = "\u{FFFD}";

/// Decodes streams one after the other, and encodes their texts as one text into a [`Sink`].
///
/// ```
/// use textcodec_convert::{Charset, Converter, Errors, Options, Plan, text::Newlines};
///
/// let mut options = Options::to(Charset::for_label("koi8-r").unwrap());
/// options.newlines = Newlines::Lf;
/// options.unmappable = Errors::Html;
/// let mut converter = Converter::new(options, Vec::new());
/// let mut stream = converter.start(Plan::new(Charset::UTF_8.new_decoder(false)));
/// for piece in ["да\r".as_bytes(), "\nнет ☃".as_bytes()] {
///     converter.push(&mut stream, piece, false).unwrap();
/// }
/// converter.push(&mut stream, b"", true).unwrap();
/// let (bytes, replaced) = converter.finish().unwrap();
/// assert_eq!(bytes, b"\xC4\xC1\n\xCE\xC5\xD4 &#9731;");
/// assert_eq!(replaced.unmappable(), 1);
/// ```
///
/// The decoders and the encoder run in the error mode fatal, so that the converter learns of each error. After a
/// replacement they continue.
pub struct Converter<W> {
    encoder: Encoder,
    options: Options,
    /// Whether the first stream decides if the output starts with a byte order mark.
    is_bom_open: bool,
    replaced: Replaced,
    output: W,
    /// The buffer of bytes for `output`. The first `filled` bytes are to be written.
    bytes: Bytes,
    filled: usize,
    /// The record of the output, if it has records.
    record: Option<Records>,
}

impl<W> fmt::Debug for Converter<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Converter").field("options", &self.options).finish_non_exhaustive()
    }
}

impl<W: Sink> Converter<W> {
    /// A converter that has written nothing, except to its own buffer.
    ///
    /// # Panics
    /// If no text can be [written](Charset::is_writable) in the charset of the output.
    pub fn new(options: Options, output: W) -> Self {
        let to = options.to;
        let encoder = to.new_encoder().expect("text can be written in the charset of the output");
        let is_bom_open = options.bom == BomAction::Keep && !to.needs_bom();
        let replaced = Replaced::new(&options);
        let record = options.record_length.filter(|_| to.is_ebcdic()).map(Records::new);
        let mut converter =
            Converter { encoder, options, is_bom_open, replaced, output, bytes: Bytes::new(), filled: 0, record };
        if converter.options.bom == BomAction::Add || to.needs_bom() {
            converter.add_bom();
        }
        converter
    }

    /// A converter for a part of a stream after its start. `encoder` is in the state that it has there.
    #[cfg(feature = "std")]
    fn part(options: &Options, encoder: Encoder, output: W) -> Self {
        let (options, replaced) = (options.clone(), Replaced::new(options));
        let (bytes, filled) = (Bytes::new(), 0);
        Converter { encoder, options, is_bom_open: false, replaced, output, bytes, filled, record: None }
    }

    /// Writes the byte order mark. Nothing else was written.
    fn add_bom(&mut self) {
        let bom = self.options.to.bom();
        self.bytes[..bom.len()].copy_from_slice(bom);
        self.filled = bom.len();
    }

    /// Starts a stream. The streams of a converter come one after the other.
    pub fn start<'a>(&self, plan: Plan<'a>) -> Stream<'a> {
        let Plan { name, source, edits, escapes_properties, refuse_binary, observer } = plan;
        let Options { newlines, normalization, transliterate, to, .. } = self.options;
        let for_charset = Some(to).filter(|_| transliterate);
        let is_ebcdic = source.charset().is_ebcdic();
        let record = self.options.record_length.filter(|_| is_ebcdic).map(Records::new);
        // A line becomes a record, whatever ends the line. In a record of the input, nothing ends a line.
        let (newlines, has_next_line) = match (&record, &self.record) {
            (Some(_), Some(_)) => (Newlines::Keep, false),
            (None, Some(_)) => (Newlines::Lf, true),
            (_, None) => (newlines, is_ebcdic),
        };
        let steps = Steps::new(newlines, normalization, has_next_line, for_charset);
        let position = Position::default();
        Stream {
            record,
            source,
            at: At {
                name,
                escapes_properties,
                refuse_binary,
                is_in_records: record.is_some(),
                observer,
                is_start: true,
                is_part: false,
                position,
                counted: (0, position),
            },
            edits: Edits::new(edits),
            text: Text::new(),
            changes: steps.map(|steps| Changes { steps, text: String::new(), position }),
        }
    }

    /// Converts `piece`, the next bytes of the stream. `last` says that the stream ends with it.
    ///
    /// # Errors
    /// The text cannot be converted, or the output cannot be written. The text before an error is written.
    pub fn push(&mut self, stream: &mut Stream<'_>, piece: &[u8], last: bool) -> Result<(), Failure<W::Error>> {
        // A sequence that the end cuts off is malformed in a piece without bytes, and so it is known.
        let mut result = match stream.record {
            _ if last && piece.is_empty() => Ok(()),
            Some(record) => self.decode_records(stream, record, piece),
            None => self.decode(stream, piece, false),
        };
        if last && result.is_ok() {
            result = self.decode(stream, &[], true);
        }
        // The text before this error is written, also the text for which a step waited.
        if let Some(record) = stream.record.filter(|record| last && result.is_ok() && record.filled() > 0) {
            result = Err(TextError::CutOffRecord { length: record.length(), bytes: record.filled() }.into());
        }
        self.write()?;
        result
    }

    /// Decodes a piece of a stream of records. The text of each record is a line, or a record of the output.
    fn decode_records(
        &mut self,
        stream: &mut Stream<'_>,
        mut record: Records,
        mut piece: &[u8],
    ) -> Result<(), Failure<W::Error>> {
        while !piece.is_empty() {
            let (bytes, rest) = piece.split_at(record.missing().min(piece.len()));
            self.decode(stream, bytes, false)?;
            record.add(bytes.len());
            piece = rest;
            if record.missing() == 0 {
                record.end();
                let Stream { source, at, edits, text, changes, .. } = stream;
                if self.record.is_none() {
                    text.push('\n');
                    self.encode_text(at, edits, changes, text, &|| source.had_mark(), false)?;
                } else {
                    self.encode_text(at, edits, changes, text, &|| source.had_mark(), true)?;
                    self.end_record()?;
                    let positions = changes.iter_mut().map(|changes| &mut changes.position).chain([&mut at.position]);
                    positions.for_each(|position| *position = position.after("\n"));
                    at.counted = (0, at.position);
                }
            }
        }
        stream.record = Some(record);
        Ok(())
    }

    /// Ends the output. Returns it with the number of replacements.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn finish(mut self) -> Result<(W, Replaced), W::Error> {
        // The last line may have no line end.
        let filled = if self.record.is_some_and(|record| record.filled() > 0) { self.end_record() } else { Ok(()) };
        let ended = filled
            .and_then(|()| self.encode("", true, |_, _, _| unreachable!("an empty text has no unmappable character")));
        match ended.and_then(|()| self.write()) {
            Ok(()) => Ok((self.output, self.replaced)),
            Err(Failure::Output(error)) => Err(error),
            Err(Failure::Text(error)) => unreachable!("{error}"),
        }
    }

    /// Decodes a piece of the stream and encodes its text.
    fn decode(&mut self, stream: &mut Stream<'_>, piece: &[u8], last: bool) -> Result<(), Failure<W::Error>> {
        let Stream { source, at, edits, text, changes, .. } = stream;
        let flow = charset::decode_all(source, piece, text, last, |source, text, decoded| {
            let had_mark: &dyn Fn() -> bool = &|| source.had_mark();
            let result = match decoded.status {
                Status::InputEmpty => self.encode_text(at, edits, changes, text, had_mark, last),
                Status::OutputFull => self.encode_text(at, edits, changes, text, had_mark, false),
                Status::Malformed(malformed) => {
                    self.replaced.is_cut_off |= piece.is_empty();
                    let (charset, by_mark) = (source.charset(), source.is_by_mark());
                    let replacement = self.replacement(&malformed);
                    match replacement {
                        Some(replacement) => {
                            // The observer learns of everything in the order of the text.
                            if at.observer.is_some() && !at.is_first() {
                                let encoded = self.encode_text(at, edits, changes, text, had_mark, false);
                                if let Err(failure) = encoded {
                                    return ControlFlow::Break(failure);
                                }
                            }
                            self.note_malformed(at, text, &malformed, charset, &replacement);
                            let is_full = text.capacity() - text.len() < replacement.len();
                            let encoded = match is_full {
                                true => self.encode_text(at, edits, changes, text, had_mark, false),
                                false => Ok(()),
                            };
                            text.push_str(&replacement);
                            encoded
                        }
                        // An unmappable character before the malformed sequence is the first error. The text for which
                        // a step waits is written, too.
                        None => self.encode_text(at, edits, changes, text, had_mark, true).and_then(|()| {
                            let Malformed { offset, bytes, .. } = malformed;
                            let position = at.position;
                            Err(TextError::Malformed { charset, by_mark, offset, bytes, position }.into())
                        }),
                    }
                }
            };
            result.map_or_else(ControlFlow::Break, ControlFlow::Continue)
        });
        match flow {
            Ok(ControlFlow::Continue(())) => Ok(()),
            Ok(ControlFlow::Break(failure)) => Err(failure),
            Err(refusal) => {
                self.end_text(stream)?;
                Err(TextError::from(refusal).into())
            }
        }
    }

    /// Encodes all text that is decoded, also the text for which a step waits.
    fn end_text(&mut self, stream: &mut Stream<'_>) -> Result<(), Failure<W::Error>> {
        let Stream { source, at, edits, text, changes, .. } = stream;
        self.encode_text(at, edits, changes, text, &|| source.had_mark(), true)
    }

    /// The text in the place of a malformed sequence; `None` if it is an error.
    fn replacement(&self, malformed: &Malformed) -> Option<String> {
        Some(match self.options.malformed {
            Errors::Fatal => return None,
            Errors::Replacement => self.options.replacement.clone().unwrap_or_else(|| REPLACEMENT.to_owned()),
            Errors::Html => REPLACEMENT.to_owned(),
            Errors::Ignore => String::new(),
            Errors::Escape => malformed.bytes.iter().map(|byte| format!("\\x{byte:02X}")).collect(),
        })
    }

    /// Counts a malformed sequence, which comes after `text`.
    fn note_malformed(
        &mut self,
        at: &mut At<'_>,
        text: &str,
        malformed: &Malformed,
        charset: Charset,
        replacement: &str,
    ) {
        let places = &mut self.replaced.malformed;
        if places.number == 0 || at.observer.is_some() {
            let position = at.place(text, text.len());
            places.first(|| First { subject: Subject::Sequence(malformed.offset), name: at.name.to_owned(), position });
            if let Some(observer) = at.observer {
                observer(&Replacement { what: What::Malformed(malformed, charset), text: replacement, position });
            }
        }
        places.number += 1;
    }

    /// Writes the encoded bytes.
    fn write(&mut self) -> Result<(), Failure<W::Error>> {
        self.output.write(&self.bytes[..self.filled]).map_err(Failure::Output)?;
        self.filled = 0;
        self.output.flush().map_err(Failure::Output)
    }
}

/// Converts a whole text.
///
/// # Errors
/// The text is malformed, or has characters that the charset of the output does not have, and the options make this an
/// error.
pub fn convert(bytes: &[u8], from: Charset, options: Options) -> Result<(Vec<u8>, Replaced), TextError> {
    let mut converter = Converter::new(options, Vec::new());
    let mut stream = converter.start(Plan::new(from.new_decoder(false)));
    let pushed = converter.push(&mut stream, bytes, true);
    let finished = pushed.and_then(|()| converter.finish().map_err(Failure::Output));
    finished.map_err(|failure| match failure {
        Failure::Text(error) => error,
        Failure::Output(never) => match never {},
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        declarations::{Edit, contradictions},
        guess::Hints,
        kind::Kind,
        source::{Fallback, Source},
        text::Normalization,
    };
    use std::cell::RefCell;
    use textcodec::{ISO_2022_JP, KOI8_R, SHIFT_JIS, UTF_16LE, WINDOWS_1252};

    /// The output for `bytes`, which come in pieces of `length` bytes, with the replacements in words.
    fn convert_in_pieces(
        bytes: &[u8],
        length: usize,
        source: impl Into<Source>,
        edits: Vec<Edit>,
        options: &Options,
    ) -> Result<(Vec<u8>, Vec<String>), TextError> {
        let seen = RefCell::new(Vec::new());
        let observer = |replacement: &Replacement<'_>| {
            seen.borrow_mut().push(format!("{}: {replacement}", replacement.position.for_editors()));
        };
        let mut converter = Converter::new(options.clone(), Vec::new());
        let mut plan = Plan::new(source);
        plan.edits = edits;
        plan.observer = Some(&observer);
        let mut stream = converter.start(plan);
        let error = |failure| match failure {
            Failure::Text(error) => error,
            Failure::Output(never) => match never {},
        };
        for piece in bytes.chunks(length) {
            converter.push(&mut stream, piece, false).map_err(error)?;
        }
        converter.push(&mut stream, &[], true).map_err(error)?;
        let Ok((written, _)) = converter.finish();
        Ok((written, seen.take()))
    }

    #[test]
    fn all_text_is_written_before_a_record_that_is_cut_off() {
        let mut options = Options::to(Charset::UTF_8);
        options.normalization = Normalization::Nfd;
        options.record_length = core::num::NonZeroUsize::new(8);
        // The end of "né" waits for a mark.
        for pieces in [&[&b"\x95\x51"[..]][..], &[b"\x95", b"\x51"]] {
            let mut converter = Converter::new(options.clone(), Vec::new());
            let ebcdic = Charset::for_label("glibc:IBM037").unwrap();
            let mut stream = converter.start(Plan::new(Source::from(ebcdic.new_decoder(true))));
            for piece in pieces {
                converter.push(&mut stream, piece, false).unwrap();
            }
            let error = converter.push(&mut stream, &[], true).unwrap_err();
            assert!(matches!(error, Failure::Text(TextError::CutOffRecord { length: 8, bytes: 2 })), "{error:?}");
            assert_eq!(converter.finish().unwrap().0, "ne\u{301}".as_bytes());
        }
    }

    #[test]
    fn the_byte_order_mark_comes_before_a_text_of_any_length() {
        // A long text in UTF-8 does not go through the buffer.
        for length in [0, 1, DIRECT - 1, DIRECT, DIRECT + 1, 70_000] {
            let letters = "a".repeat(length);
            for (bom, mark, written) in [
                (BomAction::Add, "", "\u{FEFF}"),
                (BomAction::Add, "\u{FEFF}", "\u{FEFF}"),
                (BomAction::Keep, "\u{FEFF}", "\u{FEFF}"),
                (BomAction::Strip, "\u{FEFF}", ""),
            ] {
                let mut options = Options::to(Charset::UTF_8);
                options.bom = bom;
                let (text, _) = convert([mark, &letters].concat().as_bytes(), Charset::UTF_8, options).unwrap();
                assert!(text == [written, &letters].concat().as_bytes(), "{bom:?}, {length} bytes");
            }
        }
    }

    #[test]
    fn the_last_record_is_filled_whatever_its_length() {
        let mut options = Options::to(Charset::for_label("glibc:IBM037").unwrap());
        options.record_length = core::num::NonZeroUsize::new(8);
        for length in 0..=17 {
            let text = "a".repeat(length % 9);
            let lines = if length > 8 { format!("bb\n{text}") } else { text.clone() };
            let (records, _) = convert(lines.as_bytes(), Charset::UTF_8, options.clone()).unwrap();
            let first = if length > 8 { &b"\x82\x82\x40\x40\x40\x40\x40\x40"[..] } else { b"" };
            let mut last = [0x81].repeat(text.len());
            last.resize(text.len().next_multiple_of(8), 0x40);
            assert_eq!(records, [first, &last].concat(), "{lines:?}");
        }
    }

    #[test]
    fn a_line_becomes_a_record_whatever_ends_it_and_a_record_stays_one() {
        let ebcdic = Charset::for_label("glibc:IBM037").unwrap();
        for newlines in [Newlines::Keep, Newlines::Lf, Newlines::Crlf, Newlines::Nel] {
            let mut options = Options::to(ebcdic);
            options.record_length = core::num::NonZeroUsize::new(2);
            options.newlines = newlines;
            let (records, _) = convert("ab\r\na\rb\u{85}\na".as_bytes(), Charset::UTF_8, options.clone()).unwrap();
            assert_eq!(records, b"\x81\x82\x81\x40\x82\x40\x40\x40\x81\x40");
            // CR, NL and LF.
            let records = b"\x81\x0D\x82\x15\x25\x83";
            for normalization in [Normalization::Keep, Normalization::Nfc] {
                options.normalization = normalization;
                let (same, _) = convert(records, ebcdic, options.clone()).unwrap();
                assert_eq!(same, records, "{newlines:?}, {normalization:?}");
            }
            // A character that takes more bytes in the output does not fit into the second record.
            let mut options = Options::to(Charset::for_label("glibc:CP939").unwrap());
            options.record_length = core::num::NonZeroUsize::new(2);
            options.transliterate = true;
            let error = convert(b"\x81\x40\x81\xB4", ebcdic, options).unwrap_err();
            assert!(matches!(error, TextError::LongLine { length: 2, line: 2 }), "{error}");
        }
    }

    #[test]
    fn each_record_with_pairs_ends_with_single_bytes_and_has_its_length() {
        let page = Charset::for_label("glibc:CP939").unwrap();
        // The two ideographs and the shifts around them have six bytes.
        let (pairs, rest) = (b"\x0E\x4F\x58\x48\xF2\x0F", b"\x81\x82");
        let mut options = Options::to(page);
        for length in 1..=12 {
            options.record_length = core::num::NonZeroUsize::new(length);
            for (text, content) in [
                ("漢字", pairs.to_vec()),
                ("ab漢字", [&rest[..], pairs].concat()),
                ("漢字ab", [&pairs[..], rest].concat()),
            ] {
                let lines = [text, "\n", text].concat();
                let converted = convert(lines.as_bytes(), Charset::UTF_8, options.clone());
                if content.len() > length {
                    assert!(matches!(converted, Err(TextError::LongLine { line: 1, .. })), "{text}, {length}");
                    continue;
                }
                let mut record = content;
                record.resize(length, 0x40);
                assert_eq!(converted.unwrap().0, record.repeat(2), "{text}, {length}");
                let (lines, _) = convert(&record, page, Options { to: Charset::UTF_8, ..options.clone() }).unwrap();
                assert_eq!(String::from_utf8(lines).unwrap().trim_end(), text);
            }
        }
    }

    #[test]
    fn as_much_of_a_long_line_is_written_as_fits_however_the_bytes_are_cut() {
        let [ebcdic, with_pairs] = ["glibc:IBM037", "glibc:CP939"].map(|label| Charset::for_label(label).unwrap());
        for (to, length, text, expected) in [
            (ebcdic, 3, "ab\nabcd€d", &b"\x81\x82\x40\x81\x82\x83"[..]),
            // A part of the replacement fits, and the characters after it are not counted.
            (ebcdic, 4, "ab€€", b"\x81\x82\x50\x7B"),
            // The record has no space for the shift after the pair, which comes at the end of the output.
            (with_pairs, 5, "ab漢€", b"\x81\x82\x0E\x4F\x58\x0F"),
            (with_pairs, 5, "ab漢\n", b"\x81\x82\x0E\x4F\x58\x0F"),
        ] {
            let mut options = Options::to(to);
            options.record_length = core::num::NonZeroUsize::new(length);
            options.unmappable = Errors::Html;
            let replaced = u64::from(length == 4);
            for piece in 1..=text.len() {
                let mut converter = Converter::new(options.clone(), Vec::new());
                let mut stream = converter.start(Plan::new(Charset::UTF_8.new_decoder(true)));
                let pushed = text.as_bytes().chunks(piece).try_for_each(|of| converter.push(&mut stream, of, false));
                let line = 1 + u64::from(length == 3);
                let is_long = matches!(pushed, Err(Failure::Text(TextError::LongLine { line: of, .. })) if of == line);
                assert!(is_long, "{text:?} in pieces of {piece}: {pushed:?}");
                let (written, counted) = converter.finish().unwrap();
                assert_eq!((&written[..], counted.unmappable()), (expected, replaced), "{text:?} in pieces of {piece}");
            }
        }
    }

    #[test]
    fn all_text_is_written_before_an_error_however_the_bytes_are_cut() {
        use Normalization::{Keep, Nfc, Nfd};
        // The last letter before the error waits for a mark, and a carriage return for a line feed. Only pieces without
        // U+0000 come before the binary data.
        for (text, error, normalization, pieces, expected) in [
            ("ab\r", 0xFF, Keep, 1..=4, "ab\r\n"),
            ("ne\u{301}", 0xFF, Nfc, 1..=5, "n\u{E9}"),
            ("n\u{E9}", 0, Nfd, 1..=3, "ne\u{301}"),
        ] {
            let mut options = Options::to(Charset::UTF_8);
            (options.newlines, options.normalization) = (Newlines::Crlf, normalization);
            for length in pieces {
                let mut converter = Converter::new(options.clone(), Vec::new());
                let mut plan = Plan::new(Charset::UTF_8.new_decoder(false));
                plan.refuse_binary = true;
                let mut stream = converter.start(plan);
                let bytes = [text.as_bytes(), &[error]].concat();
                let failure = bytes.chunks(length).find_map(|piece| converter.push(&mut stream, piece, false).err());
                assert!(matches!(failure, Some(Failure::Text(_))), "{text:?}");
                assert_eq!(converter.finish().unwrap().0, expected.as_bytes(), "pieces of {length} bytes");
            }
        }
    }

    #[test]
    fn the_size_of_the_pieces_changes_neither_the_output_nor_the_replacements() {
        let text = "<meta charset=utf-8>\r\nÅ☃\r\ne\u{301}\r";
        let mut bytes = text.as_bytes().to_vec();
        bytes.extend_from_slice(b"\xE2\x98 z\xE2\x98");
        let mut options = Options::to(KOI8_R.into());
        (options.malformed, options.unmappable) = (Errors::Escape, Errors::Html);
        (options.newlines, options.normalization) = (Newlines::Lf, Normalization::Nfc);
        options.transliterate = true;
        let edits: Vec<_> = contradictions(Kind::Html, text, options.to)
            .iter()
            .map(|contradiction| contradiction.edit(options.to, false).unwrap())
            .collect();
        let expected = (
            b"<meta charset=KOI8-R>\nA&#9731;\ne\n\\xE2\\x98 z\\xE2\\x98".to_vec(),
            vec![
                "2:1: KOI8-R cannot encode U+00C5 (Å); written: A",
                "2:2: KOI8-R cannot encode U+2603 (☃); written: &#9731;",
                "3:1: KOI8-R cannot encode U+00E9 (é); written: e",
                "3:4: byte offset 33: not UTF-8: E2 98; written: \\xE2\\x98",
                "3:14: byte offset 37: not UTF-8: E2 98; written: \\xE2\\x98",
            ],
        );
        for length in 1..=bytes.len() {
            let decoder = Charset::UTF_8.new_decoder(false);
            let (written, mut seen) = convert_in_pieces(&bytes, length, decoder, edits.clone(), &options).unwrap();
            assert_eq!(String::from_utf8(written), String::from_utf8(expected.0.clone()), "{length}");
            // With steps between, the two kinds of replacements are told in another order.
            seen.sort();
            let mut all = expected.1.clone();
            all.sort_unstable();
            assert_eq!(seen, all, "{length}");
        }
    }

    #[test]
    fn an_error_has_its_place_and_the_text_before_it_is_written() {
        let mut converter = Converter::new(Options::to(Charset::UTF_8), Vec::new());
        let mut stream = converter.start(Plan::new(Charset::UTF_8.new_decoder(false)));
        let error = converter
            .push(&mut stream, "é\nb".as_bytes(), false)
            .and_then(|()| converter.push(&mut stream, b"c\xFFd", false));
        let Err(Failure::Text(TextError::Malformed { charset, offset, bytes, position, by_mark })) = error else {
            panic!("{error:?}")
        };
        assert_eq!((charset, offset, &*bytes, by_mark), (Charset::UTF_8, 5, &[0xFF][..], false));
        assert_eq!((position.line(), position.column(), position.offset()), (2, 3, 5));
        assert_eq!(converter.finish().unwrap().0, "é\nbc".as_bytes());
    }

    #[test]
    fn an_unmappable_character_is_an_error_with_the_code_point_that_the_encoder_reports() {
        for (to, text, character, code_point) in
            [(WINDOWS_1252, "a☃", '☃', '☃'), (ISO_2022_JP, "a\u{E}", '\u{E}', '\u{FFFD}')]
        {
            let error = convert(text.as_bytes(), Charset::UTF_8, Options::to(to.into())).unwrap_err();
            let TextError::Unmappable { charset, character: found, code_point: reported, position } = error else {
                panic!("{error}")
            };
            assert_eq!((charset, found, reported, position.column()), (to.into(), character, code_point, 2));
        }
    }

    #[test]
    fn a_replacement_that_the_charset_lacks_is_an_error_that_names_it() {
        for (to, errors, replacement) in [
            ("BS_4730", Errors::Html, "&#9731;"),
            ("DIN_66003", Errors::Escape, "\\u{2603}"),
            ("GREEK7-OLD", Errors::Html, "&#9731;"),
        ] {
            let to = Charset::for_label(to).unwrap();
            let mut options = Options::to(to);
            options.unmappable = errors;
            let error = convert("1☃".as_bytes(), Charset::UTF_8, options).unwrap_err();
            let message =
                format!("{to} can encode neither U+2603 (☃) nor its replacement {replacement}, at line 1, column 2");
            assert_eq!(error.to_string(), message);
        }
    }

    #[test]
    fn a_sequence_that_the_end_cuts_off_is_known_however_the_end_comes() {
        let mut options = Options::to(Charset::UTF_8);
        options.malformed = Errors::Ignore;
        for (bytes, is_cut_off) in [(&b"a\xE2\x98"[..], true), (b"a\xFF", false), (b"\xE2\x98a", false)] {
            let (text, replaced) = convert(bytes, Charset::UTF_8, options.clone()).unwrap();
            assert_eq!((&*text, replaced.is_cut_off()), (&b"a"[..], is_cut_off), "{bytes:?}");
            assert_eq!((replaced.malformed(), replaced.has_left_out()), (1, true));
        }
    }

    #[test]
    fn the_first_stream_decides_about_the_byte_order_mark() {
        let mut options = Options::to(UTF_16LE.into());
        options.bom = BomAction::Keep;
        for (first, expected) in [("\u{FEFF}a", &b"\xFF\xFEa\0b\0"[..]), ("a", b"a\0b\0")] {
            let mut converter = Converter::new(options.clone(), Vec::new());
            for text in [first, "\u{FEFF}b"] {
                let mut stream = converter.start(Plan::new(Charset::UTF_8.new_decoder(false)));
                converter.push(&mut stream, text.as_bytes(), true).unwrap();
            }
            assert_eq!(converter.finish().unwrap().0, expected);
        }
        let with_mark = Charset::for_label("utf-32").unwrap();
        assert_eq!(convert(b"", Charset::UTF_8, Options::to(with_mark)).unwrap().0, b"\xFF\xFE\0\0");
    }

    #[test]
    fn a_second_byte_order_mark_is_no_text() {
        let mark = "\u{FEFF}".as_bytes();
        for (bytes, expected) in [
            ([mark, mark, b"a"].concat(), &b"a"[..]),
            ([mark, mark, mark].concat(), b""),
            ([mark, b"a", mark].concat(), b"a\xEF\xBB\xBF"),
        ] {
            for length in 1..=bytes.len() {
                let mut converter = Converter::new(Options::to(Charset::UTF_8), Vec::new());
                let mut stream = converter.start(Plan::new(Charset::UTF_8.new_decoder(false)));
                for piece in bytes.chunks(length) {
                    converter.push(&mut stream, piece, false).unwrap();
                }
                converter.push(&mut stream, b"", true).unwrap();
                assert_eq!(converter.finish().unwrap().0, expected, "{length}");
            }
        }
        // A byte order mark that the caller keeps as text is not the first of two.
        let mut converter = Converter::new(Options::to(Charset::UTF_8), Vec::new());
        let mut stream = converter.start(Plan::new(Charset::UTF_8.new_decoder(true)));
        converter.push(&mut stream, mark, true).unwrap();
        assert_eq!(converter.finish().unwrap().0, mark);
    }

    #[test]
    fn text_before_damage_is_written() {
        // With many bytes after the damage, the decision falls in the call that gives the text before it.
        for length in [20, 20_000] {
            let bytes =
                [b"plain\n", "Grüße\n".repeat(20).as_bytes(), b"caf\xE9\n", "Grüße\n".repeat(length).as_bytes()]
                    .concat();
            let source =
                Source::undecided(Some(Fallback { charset: SHIFT_JIS.into(), is_trusted: true }), None::<Hints>);
            let mut converter = Converter::new(Options::to(Charset::UTF_8), Vec::new());
            let mut stream = converter.start(Plan::new(source));
            let result = converter.push(&mut stream, &bytes, true);
            let Err(Failure::Text(TextError::Damaged(damaged))) = result else { panic!("{result:?}") };
            assert_eq!((damaged.malformed, damaged.position.line()), (1, 22));
            assert_eq!(converter.finish().unwrap().0, b"plain\nGr");
        }
    }

    #[test]
    fn a_stream_that_looks_binary_is_refused_if_the_plan_says_so() {
        let mut converter = Converter::new(Options::to(Charset::UTF_8), Vec::new());
        let mut plan = Plan::new(Charset::UTF_8.new_decoder(false));
        plan.refuse_binary = true;
        let mut stream = converter.start(plan);
        let result = converter.push(&mut stream, b"a\n\0b", true);
        assert!(
            matches!(result, Err(Failure::Text(TextError::Binary { position })) if position.line() == 2),
            "{result:?}"
        );
    }
}
