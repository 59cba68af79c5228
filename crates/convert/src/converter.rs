//! Converts streams of bytes in some charsets to one stream of bytes in another charset, in constant memory.

mod failure;
mod records;
mod replaced;
mod sink;

use alloc::{borrow::ToOwned, format, string::String, vec::Vec};
use core::{fmt, ops::ControlFlow};

use self::records::Records;
#[cfg(feature = "std")]
pub use self::sink::Writer;
pub use self::{
    failure::{Failure, TextError},
    replaced::{Replaced, Replacement, What},
    sink::Sink,
};
use crate::{
    binary::binary_data,
    buffers::{Bytes, Text},
    charset::{self, Charset, EncodeStatus, Encoder, Malformed, Status},
    declarations::{Edit, Edits},
    options::{BomAction, Errors, Options},
    position::Position,
    source::Source,
    text::{Steps, transliterate_character, twin},
    visible::Character,
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

/// The parameters of the conversion of one stream.
#[non_exhaustive]
pub struct Plan<'a> {
    /// The name of the stream in [`Replaced`].
    pub name: &'a str,
    /// The decoder, which has decoded nothing yet.
    pub source: Source,
    /// Edits to the text, in the order of the text.
    pub edits: Vec<Edit>,
    /// Whether a stream that looks binary is an error.
    pub refuse_binary: bool,
    /// Is called for each replacement.
    pub observer: Option<&'a dyn Fn(&Replacement<'_>)>,
}

impl<'a> Plan<'a> {
    /// A stream without a name and without edits.
    #[must_use]
    pub fn new(source: impl Into<Source>) -> Self {
        Plan { name: "the input", source: source.into(), edits: Vec::new(), refuse_binary: false, observer: None }
    }
}

impl fmt::Debug for Plan<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan").field("name", &self.name).field("edits", &self.edits).finish_non_exhaustive()
    }
}

/// A stream that is converted; see [`Converter::start`].
pub struct Stream<'a> {
    source: Source,
    at: At<'a>,
    edits: Edits,
    /// Text for the encoder. The buffer never grows.
    text: Text,
    changes: Option<Changes>,
    /// The record of the input, if it has records.
    record: Option<Records>,
}

/// The place in a stream to which the conversion has come, and who wants to know of replacements there.
struct At<'a> {
    name: &'a str,
    refuse_binary: bool,
    observer: Option<&'a dyn Fn(&Replacement<'_>)>,
    /// Whether nothing but byte order marks has come so far.
    is_start: bool,
    /// The place in the stream's text where the text for the encoder starts.
    position: Position,
    /// A length of the text for the encoder, and the place after it. Many replacements in one text are found from one
    /// to the next.
    counted: (usize, Position),
}

/// The steps between decoding and encoding.
struct Changes {
    steps: Steps,
    /// Text after the steps.
    text: String,
    /// The place in the changed text where `text` starts.
    position: Position,
}

impl Stream<'_> {
    /// The charset of the stream, which a byte order mark or the bytes may have decided.
    #[must_use]
    pub const fn source(&self) -> &Source {
        &self.source
    }
}

impl fmt::Debug for Stream<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").field("name", &self.at.name).finish_non_exhaustive()
    }
}

impl At<'_> {
    /// The place after the first `length` bytes of `text`, which are no fewer than at the last call for this text.
    fn place(&mut self, text: &str, length: usize) -> Position {
        let (known, position) = self.counted;
        self.counted = (length, position.after(&text[known..length]));
        self.counted.1
    }
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

    /// Writes the byte order mark. Nothing else was written.
    fn add_bom(&mut self) {
        let bom = self.options.to.bom();
        self.bytes[..bom.len()].copy_from_slice(bom);
        self.filled = bom.len();
    }

    /// Starts a stream. The streams of a converter come one after the other.
    pub fn start<'a>(&self, plan: Plan<'a>) -> Stream<'a> {
        let Plan { name, source, edits, refuse_binary, observer } = plan;
        let Options { newlines, normalization, transliterate, to, .. } = self.options;
        let for_charset = Some(to).filter(|_| transliterate);
        let steps = Steps::new(newlines, normalization, source.charset().is_ebcdic(), for_charset);
        let position = Position::default();
        let record = self.options.record_length.filter(|_| source.charset().is_ebcdic()).map(Records::new);
        Stream {
            record,
            source,
            at: At { name, refuse_binary, observer, is_start: true, position, counted: (0, position) },
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
            let cut_off = stream.record.filter(|record| record.filled() > 0);
            result = cut_off.map_or(Ok(()), |record| {
                Err(TextError::CutOffRecord { length: record.length(), bytes: record.filled() }.into())
            });
        }
        if last && result.is_ok() {
            result = self.decode(stream, &[], true);
        }
        self.write()?;
        result
    }

    /// Decodes a piece of a stream of records. The text of each record is a line.
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
                text.push('\n');
                self.encode_text(at, edits, changes, text, || source.had_mark(), false)?;
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
            let had_mark = || source.had_mark();
            let result = match decoded.status {
                Status::InputEmpty => self.encode_text(at, edits, changes, text, had_mark, last),
                Status::OutputFull => self.encode_text(at, edits, changes, text, had_mark, false),
                Status::Malformed(malformed) => {
                    self.replaced.is_cut_off |= piece.is_empty();
                    let (charset, by_mark) = (source.charset(), source.is_by_mark());
                    let replacement = self.replacement(&malformed);
                    match replacement {
                        Some(replacement) => {
                            self.note_malformed(at, text, &malformed, charset, &replacement);
                            let is_full = text.capacity() - text.len() < replacement.len();
                            let encoded = match is_full {
                                true => self.encode_text(at, edits, changes, text, had_mark, false),
                                false => Ok(()),
                            };
                            text.push_str(&replacement);
                            encoded
                        }
                        // An unmappable character before the malformed sequence is the first error.
                        None => self.encode_text(at, edits, changes, text, had_mark, false).and_then(|()| {
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
                self.encode_text(at, edits, changes, text, || source.had_mark(), false)?;
                Err(TextError::from(refusal).into())
            }
        }
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
            places.first(|| format!("{}, byte offset {}, {position}", at.name, malformed.offset));
            if let Some(observer) = at.observer {
                observer(&Replacement { what: What::Malformed(malformed, charset), text: replacement, position });
            }
        }
        places.number += 1;
    }

    /// Encodes and clears the text that is decoded. `last` says that it is the end of the stream.
    fn encode_text(
        &mut self,
        at: &mut At<'_>,
        edits: &mut Edits,
        changes: &mut Option<Changes>,
        text: &mut String,
        had_mark: impl Fn() -> bool,
        last: bool,
    ) -> Result<(), Failure<W::Error>> {
        if self.is_bom_open && (last || !text.is_empty()) {
            self.is_bom_open = false;
            if had_mark() {
                self.add_bom();
            }
        }
        if at.refuse_binary
            && let Some(offset) = binary_data(text, at.position.offset() == 0)
        {
            return Err(TextError::Binary { position: at.position.after(&text[..offset]) }.into());
        }
        for (mut offset, mut part) in edits.apply(text) {
            if at.is_start && !part.is_empty() {
                // A second byte order mark is no text: programs that add one do not look for the first.
                let marks = if had_mark() { part.len() - part.trim_start_matches('\u{FEFF}').len() } else { 0 };
                (offset, part) = (offset + marks, &part[marks..]);
                at.is_start = part.is_empty();
            }
            match changes {
                Some(changes) => self.encode_changed(at, changes, part, false)?,
                None => self.encode_part(at, at.position, text, offset, part)?,
            }
        }
        if last && let Some(changes) = changes {
            self.encode_changed(at, changes, "", true)?;
        }
        at.position = at.position.after(text);
        text.clear();
        at.counted = (0, at.position);
        Ok(())
    }

    /// Encodes `part`, the text from `offset` in `text` or the text in its place. `position` is the place of `text`.
    fn encode_part(
        &mut self,
        at: &At<'_>,
        position: Position,
        text: &str,
        offset: usize,
        part: &str,
    ) -> Result<(), Failure<W::Error>> {
        if self.record.is_none() {
            return self.encode_line(at, position, text, offset, part);
        }
        let mut start = offset;
        for line in part.split_inclusive('\n') {
            let content = line.strip_suffix('\n').unwrap_or(line);
            self.encode_line(at, position, text, start, content)?;
            if let Some(record) = self.record.filter(|record| record.filled() > record.length()) {
                let position = position.after(text.get(..start).unwrap_or_default());
                return Err(TextError::LongLine { length: record.length(), line: position.line() }.into());
            }
            if content.len() < line.len() {
                self.end_record()?;
            }
            start += line.len();
        }
        Ok(())
    }

    /// Fills the record of the output up with spaces.
    fn end_record(&mut self) -> Result<(), Failure<W::Error>> {
        const SPACES: &str = "                                                                ";
        let mut missing = self.record.map_or(0, Records::missing);
        while missing > 0 {
            let spaces = &SPACES[..missing.min(SPACES.len())];
            self.encode(spaces, false, |_, _, _| unreachable!("EBCDIC has a space"))?;
            missing -= spaces.len();
        }
        if let Some(record) = &mut self.record {
            record.end();
        }
        Ok(())
    }

    /// Encodes a part without line ends, or a part of an output without records. The parameters are those of
    /// [`encode_part`](Self::encode_part).
    fn encode_line(
        &mut self,
        at: &At<'_>,
        position: Position,
        text: &str,
        offset: usize,
        part: &str,
    ) -> Result<(), Failure<W::Error>> {
        // Many characters in one text are found from one to the next.
        let mut counted = (0, position);
        self.encode(part, false, |this, unmappable, read| {
            // The encoder of ISO-2022-JP reports U+FFFD for some other characters.
            let character = part[..read].chars().next_back().unwrap_or(unmappable);
            this.replace_unmappable(at, unmappable, character, || {
                let end = offset + read - character.len_utf8();
                counted = match text.get(counted.0..end) {
                    Some(between) => (end, counted.1.after(between)),
                    None => counted,
                };
                counted.1
            })
        })
    }

    /// Changes `part` and encodes the result.
    fn encode_changed(
        &mut self,
        at: &At<'_>,
        changes: &mut Changes,
        part: &str,
        last: bool,
    ) -> Result<(), Failure<W::Error>> {
        let Changes { steps, text, position } = changes;
        steps.apply(part, last, text);
        self.encode_part(at, *position, text, 0, text)?;
        *position = position.after(text);
        text.clear();
        Ok(())
    }

    /// Encodes `text`. After each unmappable character, `unmappable` is called with the code point that the encoder
    /// reports and the length of the text up to and with this character.
    fn encode(
        &mut self,
        text: &str,
        last: bool,
        mut unmappable: impl FnMut(&mut Self, char, usize) -> Result<(), Failure<W::Error>>,
    ) -> Result<(), Failure<W::Error>> {
        if text.len() >= DIRECT && self.options.to == Charset::UTF_8 {
            // The text is the output.
            self.write()?;
            return self.output.write(text.as_bytes()).map_err(Failure::Output);
        }
        let mut read = 0;
        loop {
            let encoded = self.encoder.encode(&text[read..], &mut self.bytes[self.filled..], last);
            read += encoded.read;
            self.filled += encoded.written;
            if let Some(record) = &mut self.record {
                record.add(encoded.written);
            }
            match encoded.status {
                EncodeStatus::InputEmpty => return Ok(()),
                EncodeStatus::OutputFull => self.write()?,
                EncodeStatus::Unmappable(code_point) => unmappable(self, code_point, read)?,
            }
        }
    }

    /// Writes other characters for `character`, for which the encoder reports `code_point`.
    fn replace_unmappable(
        &mut self,
        at: &At<'_>,
        code_point: char,
        character: char,
        mut position: impl FnMut() -> Position,
    ) -> Result<(), Failure<W::Error>> {
        let to = self.options.to;
        if self.options.twins
            && let Some(twin) = twin(character, to)
        {
            let mut buffer = [0; 4];
            return self
                .encode(twin.encode_utf8(&mut buffer), false, |_, _, _| unreachable!("the twin can be encoded"));
        }
        let likeness = if self.options.transliterate { transliterate_character(character, to) } else { None };
        let is_like = likeness.is_some();
        let replacement = match (likeness, self.options.unmappable) {
            (Some(likeness), _) => likeness,
            (None, Errors::Fatal) => {
                return Err(TextError::Unmappable { charset: to, character, code_point, position: position() }.into());
            }
            (None, Errors::Replacement) => self.options.replacement.clone().unwrap_or_else(|| "?".to_owned()),
            (None, Errors::Html) => format!("&#{};", u32::from(code_point)),
            (None, Errors::Ignore) => String::new(),
            (None, Errors::Escape) => format!("\\u{{{:X}}}", u32::from(code_point)),
        };
        let places = if is_like { &mut self.replaced.transliterated } else { &mut self.replaced.unmappable };
        if places.number == 0 || at.observer.is_some() {
            let position = position();
            places.first(|| format!("{}, {}, {position}", Character(character), at.name));
            if let Some(observer) = at.observer {
                observer(&Replacement { what: What::Unmappable(character, to), text: &replacement, position });
            }
        }
        places.number += 1;
        self.encode(&replacement, false, |_, _, _| unreachable!("the replacement can be encoded"))
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
        declarations::contradictions,
        guess::Hints,
        kind::Kind,
        source::Fallback,
        text::{Newlines, Normalization},
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
