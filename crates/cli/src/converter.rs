//! Converts streams of bytes in some encodings to one stream of bytes in another encoding, in constant memory.

use std::{
    error::Error,
    fmt,
    io::{self, ErrorKind, Read, Write},
};

use clap::ValueEnum;
use textcodec::UTF_8;

use crate::{
    buffers::{Bytes, Text},
    charset::{Charset, Decoder, Encoder},
    damage::Damaged,
    declarations::{Edit, Edits},
    extra::{EncodeStatus, Status},
    message,
    position::Position,
    settings::{BomAction, Settings},
    text::{Steps, transliteration::transliterate},
};

/// The length in bytes from which text in UTF-8 is written without another copy. Shorter texts are collected, because
/// every write is a call of the system.
const DIRECT: usize = 4096;

/// The text that takes the place of a malformed sequence.
const REPLACEMENT: &str = "\u{FFFD}";

/// The treatment of malformed input and unmappable characters.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum Errors {
    /// Stop, say where the error is, and exit with 1
    Fatal,
    /// Write U+FFFD (�) for malformed input, and a question mark for each character that the output encoding cannot
    /// encode, also for U+FFFD; or the text of --replacement
    Replacement,
    /// Write U+FFFD (�) for malformed input, and a character reference such as &#9731; for each character that the
    /// output encoding cannot encode, also for U+FFFD
    Html,
    /// Leave out malformed input and characters that the output encoding cannot encode
    Ignore,
    /// Write \xE9 for a malformed byte, and \u{2603} for a character that the output encoding cannot encode
    Escape,
}

/// Decodes streams one after the other, and encodes their texts as one text into `output`.
///
/// The decoders and the encoder run in the error mode fatal, so that the converter learns of each error. After a
/// replacement they continue.
pub(crate) struct Converter<W> {
    encoder: Encoder,
    settings: Settings,
    /// Whether the first stream decides if the output starts with a byte order mark.
    is_bom_open: bool,
    replaced: Replaced,
    output: W,
    /// The buffer of bytes for `output`. The first `filled` bytes are to be written.
    bytes: Bytes,
    filled: usize,
}

/// The parameters of the conversion of one stream.
pub(crate) struct Plan<'a> {
    /// The name of the stream in messages.
    pub(crate) name: &'a str,
    /// A new decoder.
    pub(crate) decoder: Decoder,
    /// Edits to the text, in the order of the text.
    pub(crate) edits: Vec<Edit>,
    /// Whether a stream that looks binary is an error.
    pub(crate) refuse_binary: bool,
}

/// A stream that is decoded.
struct Source<'a> {
    name: &'a str,
    decoder: Decoder,
    edits: Edits,
    refuse_binary: bool,
    /// The place in the stream's text where `text` starts.
    position: Position,
    /// Text for the encoder. The buffer never grows.
    text: Text,
    /// A length of `text`, and the place after it. Many replacements in one text are found from one to the next.
    counted: (usize, Position),
    changes: Option<Changes>,
}

/// The steps between decoding and encoding.
struct Changes {
    steps: Steps,
    /// Text after the steps.
    text: String,
    /// The place in the changed text where `text` starts.
    position: Position,
}

impl Source<'_> {
    /// The place after the first `length` bytes of `text`, which are no fewer than at the last call for this text.
    fn place(&mut self, length: usize) -> Position {
        let (known, position) = self.counted;
        self.counted = (length, position.after(&self.text[known..length]));
        self.counted.1
    }
}

impl<W: Write> Converter<W> {
    pub(crate) fn new(settings: &Settings, output: W) -> Self {
        let to = settings.to;
        let encoder = to.new_encoder().expect("the command line names no target without an encoder");
        let is_bom_open = settings.bom == BomAction::Keep && !to.needs_bom();
        let replaced = Replaced::new(settings);
        let settings = settings.clone();
        let mut converter =
            Converter { encoder, settings, is_bom_open, replaced, output, bytes: Bytes::new(), filled: 0 };
        if converter.settings.bom == BomAction::Add || to.needs_bom() {
            converter.add_bom();
        }
        converter
    }

    /// Writes the byte order mark. Nothing else was written.
    fn add_bom(&mut self) {
        let bom = self.settings.to.bom();
        self.bytes[..bom.len()].copy_from_slice(bom);
        self.filled = bom.len();
    }

    /// Converts one stream to its end, and returns the decoder, which knows the encoding. `progress` is called with the
    /// length of each piece that is read.
    ///
    /// The text before an error is written.
    pub(crate) fn convert(
        &mut self,
        plan: Plan<'_>,
        mut input: impl Read,
        mut progress: impl FnMut(usize),
    ) -> Result<Decoder, Failure> {
        let Plan { name, decoder, edits, refuse_binary } = plan;
        let is_ebcdic = matches!(decoder.charset(), Charset::Extra(extra) if extra.is_ebcdic());
        let steps = Steps::new(self.settings.newlines, self.settings.normalization, is_ebcdic);
        let position = Position::default();
        let mut source = Source {
            name,
            decoder,
            edits: Edits::new(edits),
            refuse_binary,
            position,
            text: Text::new(),
            counted: (0, position),
            changes: steps.map(|steps| Changes { steps, text: String::new(), position }),
        };
        let mut piece = Bytes::new();
        loop {
            let length = match input.read(&mut piece) {
                Ok(length) => length,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(Failure::Read { name: name.to_owned(), error }),
            };
            let result = self.decode(&mut source, &piece[..length], length == 0);
            self.write()?;
            result?;
            if length == 0 {
                return Ok(source.decoder);
            }
            progress(length);
        }
    }

    /// Ends the stream of bytes. Returns the output and the number of replacements.
    ///
    /// The only failure is that the output cannot be written.
    pub(crate) fn finish(mut self) -> io::Result<(W, Replaced)> {
        let ended = self.encode("", true, |_, _, _| unreachable!("an empty text has no unmappable character"));
        match ended.and_then(|()| self.write()) {
            Ok(()) => Ok((self.output, self.replaced)),
            Err(Failure::Write(error)) => Err(error),
            Err(failure) => unreachable!("{failure}"),
        }
    }

    /// Decodes a piece of the source and encodes its text.
    fn decode(&mut self, source: &mut Source<'_>, piece: &[u8], last: bool) -> Result<(), Failure> {
        let mut read = 0;
        loop {
            let result = source.decoder.decode(&piece[read..], &mut source.text, last);
            read += result.read;
            match result.status {
                Status::InputEmpty => return self.encode_text(source, last),
                Status::OutputFull => self.encode_text(source, false)?,
                Status::Malformed { offset, bytes } => {
                    self.replaced.is_cut_off |= piece.is_empty();
                    self.replace_malformed(source, offset, bytes)?;
                }
                Status::Damaged(damaged) => {
                    self.encode_text(source, false)?;
                    return Err(Failure::Damaged { name: source.name.to_owned(), damaged });
                }
            }
        }
    }

    fn replace_malformed(&mut self, source: &mut Source<'_>, offset: u64, bytes: Vec<u8>) -> Result<(), Failure> {
        let hexadecimal: String = bytes.iter().map(|byte| format!(" {byte:02X}")).collect();
        let replacement = match self.settings.errors {
            Errors::Fatal => {
                // An unmappable character before the malformed sequence is the first error.
                self.encode_text(source, false)?;
                let (name, encoding) = (source.name.to_owned(), source.decoder.charset().name());
                let by_mark = source.decoder.is_by_mark();
                return Err(Failure::Malformed { name, encoding, by_mark, offset, bytes, position: source.position });
            }
            Errors::Replacement => self.settings.replacement.clone().unwrap_or_else(|| REPLACEMENT.to_owned()),
            Errors::Html => REPLACEMENT.to_owned(),
            Errors::Ignore => String::new(),
            Errors::Escape => bytes.iter().map(|byte| format!("\\x{byte:02X}")).collect(),
        };
        if self.replaced.malformed.number == 0 || self.settings.report.is_some() {
            let position = source.place(source.text.len());
            self.replaced.malformed.first(|| format!("{}, byte offset {offset}, {position}", source.name));
            if let Some(report) = &self.settings.report {
                let encoding = source.decoder.charset();
                let what = format!("byte offset {offset}: not {encoding}:{hexadecimal}; {}", written(&replacement));
                report.add(source.name, position, what);
            }
        }
        self.replaced.malformed.number += 1;
        if source.text.capacity() - source.text.len() < replacement.len() {
            self.encode_text(source, false)?;
        }
        source.text.push_str(&replacement);
        Ok(())
    }

    /// Encodes the text that is decoded. `last` says that it is the end of the stream.
    fn encode_text(&mut self, source: &mut Source<'_>, last: bool) -> Result<(), Failure> {
        if self.is_bom_open && (last || !source.text.is_empty()) {
            self.is_bom_open = false;
            if source.decoder.had_mark() {
                self.add_bom();
            }
        }
        let Source { name, edits, refuse_binary, position, text, changes, .. } = source;
        if *refuse_binary && let Some(at) = binary_data(text, position.offset == 0) {
            return Err(Failure::Binary { name: name.to_owned(), position: position.after(&text[..at]) });
        }
        for (offset, part) in edits.apply(text) {
            match changes {
                Some(changes) => self.encode_changed(name, changes, part, false)?,
                None => self.encode_part(name, *position, text, offset, part)?,
            }
        }
        if last && let Some(changes) = changes {
            self.encode_changed(name, changes, "", true)?;
        }
        source.position = source.position.after(&source.text);
        source.text.clear();
        source.counted = (0, source.position);
        Ok(())
    }

    /// Encodes `part`, the text from `offset` in `text` or the text in its place. `position` is the place of `text`.
    fn encode_part(
        &mut self,
        name: &str,
        position: Position,
        text: &str,
        offset: usize,
        part: &str,
    ) -> Result<(), Failure> {
        // Many characters in one text are found from one to the next.
        let mut counted = (0, position);
        self.encode(part, false, |this, unmappable, read| {
            // The encoder of ISO-2022-JP reports U+FFFD for some other characters.
            let character = part[..read].chars().next_back().unwrap_or(unmappable);
            this.replace_unmappable(name, unmappable, character, || {
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
    fn encode_changed(&mut self, name: &str, changes: &mut Changes, part: &str, last: bool) -> Result<(), Failure> {
        let Changes { steps, text, position } = changes;
        steps.apply(part, last, text);
        self.encode_part(name, *position, text, 0, text)?;
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
        mut unmappable: impl FnMut(&mut Self, char, usize) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if text.len() >= DIRECT && self.settings.to == Charset::Standard(UTF_8) {
            // The text is the output.
            self.write()?;
            return self.output.write_all(text.as_bytes()).map_err(Failure::Write);
        }
        let mut read = 0;
        loop {
            let encoded = self.encoder.encode(&text[read..], &mut self.bytes[self.filled..], last);
            read += encoded.read;
            self.filled += encoded.written;
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
        name: &str,
        code_point: char,
        character: char,
        mut position: impl FnMut() -> Position,
    ) -> Result<(), Failure> {
        let to = self.settings.to;
        let reference = format!("&#{};", u32::from(code_point));
        let likeness = if self.settings.transliterate {
            transliterate(character, &|other| to.can_encode(other.encode_utf8(&mut [0; 4])))
        } else {
            None
        };
        let is_like = likeness.is_some();
        let replacement = match (likeness, self.settings.unmappable) {
            (Some(likeness), _) => likeness,
            (None, Errors::Fatal) => {
                let (name, encoding, position) = (name.to_owned(), to.name(), position());
                return Err(Failure::Unmappable { name, encoding, character, reference, position });
            }
            (None, Errors::Replacement) => self.settings.replacement.clone().unwrap_or_else(|| "?".to_owned()),
            (None, Errors::Html) => reference,
            (None, Errors::Ignore) => String::new(),
            (None, Errors::Escape) => format!("\\u{{{:X}}}", u32::from(code_point)),
        };
        let places = if is_like { &mut self.replaced.transliterated } else { &mut self.replaced.unmappable };
        if places.number == 0 || self.settings.report.is_some() {
            let position = position();
            places.first(|| format!("{}, {name}, {position}", Character(character)));
            if let Some(report) = &self.settings.report {
                let what = format!("{to} cannot encode {}; {}", Character(character), written(&replacement));
                report.add(name, position, what);
            }
        }
        places.number += 1;
        self.encode(&replacement, false, |_, _, _| unreachable!("the replacement can be encoded"))
    }

    /// Writes the encoded bytes.
    fn write(&mut self) -> Result<(), Failure> {
        self.output.write_all(&self.bytes[..self.filled]).map_err(Failure::Write)?;
        self.filled = 0;
        self.output.flush().map_err(Failure::Write)
    }
}

/// The offset of a character in `text` that shows that the file is binary: U+0000; or at the start of a file another
/// control character, if more than one byte in 32 is one.
///
/// The control characters are the [binary data bytes](https://mimesniff.spec.whatwg.org/#binary-data-byte) without two
/// that old texts have: backspace, which prints one character over another, and U+001A, the end of a file in DOS.
pub(crate) fn binary_data(text: &str, is_start: bool) -> Option<usize> {
    let bytes = text.as_bytes();
    // For bytes, `contains` is much faster than `position`.
    if bytes.contains(&0) {
        return bytes.iter().position(|&byte| byte == 0);
    }
    let controls = if is_start { number_of_controls(bytes) } else { 0 };
    if controls * 32 > bytes.len() { bytes.iter().position(|&byte| is_control(byte)) } else { None }
}

/// Whether `text`, the start of a file, has so many of these control characters that the file is no text: more than
/// four, and more than one in 32 bytes. [`binary_data`] asks whether a file can be converted without a loss; one U+0000
/// is enough for a no.
pub(crate) fn looks_binary(text: &str) -> bool {
    let controls = number_of_controls(text.as_bytes());
    controls > 4 && controls * 32 > text.len()
}

fn number_of_controls(bytes: &[u8]) -> usize {
    // A sum of 255 bytes fits into a byte.
    let number = |part: &[u8]| usize::from(part.iter().map(|&byte| u8::from(is_control(byte))).sum::<u8>());
    bytes.chunks(255).map(number).sum()
}

/// Whether text has this character only by mistake. Backspace, tab, the ends of lines and pages, end of file, and
/// escape are in texts.
fn is_control(byte: u8) -> bool {
    // Without branches, the compiler makes vector code.
    let is_allowed = (0x08..=0x0D).contains(&byte) & (byte != 0x0B) | (byte == 0x1A) | (byte == 0x1B);
    (byte < 0x20) & !is_allowed
}

/// The reason why a conversion stopped.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The input is malformed in its encoding. `by_mark` says that a byte order mark decided the encoding.
    Malformed { name: String, encoding: &'static str, by_mark: bool, offset: u64, bytes: Vec<u8>, position: Position },
    /// The output encoding cannot encode a character.
    Unmappable { name: String, encoding: &'static str, character: char, reference: String, position: Position },
    /// The input is damaged, and its encoding would be a guess or a fallback.
    Damaged { name: String, damaged: Damaged },
    /// The input does not look like text.
    Binary { name: String, position: Position },
    /// The input cannot be read.
    Read { name: String, error: io::Error },
    /// The output cannot be written.
    Write(io::Error),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Malformed { name, encoding, .. } if *encoding == textcodec::REPLACEMENT.name() => {
                write!(f, "{name}: the Encoding Standard knows the label of this encoding, but decodes nothing in it")
            }
            Failure::Malformed { name, encoding, by_mark, offset, bytes, position } => {
                write!(f, "{name}: not {encoding} at byte offset {offset} ({position}):")?;
                bytes.iter().try_for_each(|byte| write!(f, " {byte:02X}"))?;
                if message::has_iconv_options() {
                    write!(f, "\n  If the file is in another encoding, name it with -f.")?;
                    return write!(f, " With -c, malformed bytes are left out.");
                }
                match by_mark {
                    true => {
                        write!(f, "\n  The byte order mark says {encoding}. With --ignore-bom, --from decides.")?;
                    }
                    false => write!(f, "\n  If the file is in another encoding, name it with --from.")?,
                }
                write!(f, " With --errors replacement, U+FFFD is written instead.")
            }
            Failure::Unmappable { name, encoding, character, reference, position } => {
                let character = Character(*character);
                write!(
                    f,
                    "{name}: {encoding} cannot encode {character}, at {position}, byte offset {}",
                    position.offset
                )?;
                write!(f, " of the text in UTF-8\n  ")?;
                if message::has_iconv_options() {
                    write!(
                        f,
                        "With //TRANSLIT after the name of the output encoding, similar characters are written "
                    )?;
                    return write!(f, "instead; with -c, the character is left out. UTF-8 can encode every character.");
                }
                write!(f, "With --errors html, {reference} is written instead; with ")?;
                write!(f, "--errors replacement, a question mark. UTF-8 can encode every character.")
            }
            Failure::Damaged { name, damaged } => write!(f, "{}", damaged.error(name, false)),
            Failure::Binary { name, position } => {
                write!(f, "{name}: the file looks binary: it has control characters, the first at {position}")?;
                write!(f, "\n  With --force, it is converted as if it were text.")
            }
            Failure::Read { name, .. } => write!(f, "cannot read {name}"),
            Failure::Write(_) => write!(f, "cannot write"),
        }
    }
}

impl Error for Failure {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Failure::Read { error, .. } | Failure::Write(error) => Some(error),
            Failure::Malformed { .. }
            | Failure::Unmappable { .. }
            | Failure::Damaged { .. }
            | Failure::Binary { .. } => None,
        }
    }
}

/// A character in a message: its code point, and the character itself if it is visible.
pub(crate) struct Character(pub(crate) char);

impl fmt::Display for Character {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "U+{:04X}", u32::from(self.0))?;
        // A character that Rust escapes is not visible, or not without another character.
        if message::is_visible(self.0) && self.0.escape_debug().len() == 1 {
            write!(f, " ({})", self.0)
        } else {
            Ok(())
        }
    }
}

/// The words for a replacement in a report.
fn written(replacement: &str) -> String {
    match replacement {
        "" => "left out".to_owned(),
        _ => format!("written: {}", message::excerpt(replacement)),
    }
}

/// The number of replacements in all streams, and the first of them.
#[derive(Debug)]
pub(crate) struct Replaced {
    to: Charset,
    /// The treatment of malformed bytes.
    errors: Errors,
    /// The treatment of unmappable characters. It can differ from that of malformed bytes.
    unmappable_errors: Errors,
    replacement: Option<String>,
    malformed: Places,
    /// Whether the end of an input has cut off its last sequence of bytes.
    is_cut_off: bool,
    unmappable: Places,
    transliterated: Places,
}

/// The number of places, and the first place in words.
#[derive(Default, Debug)]
struct Places {
    number: u64,
    first: String,
}

impl Places {
    /// Keeps `place` if it is the first.
    fn first(&mut self, place: impl FnOnce() -> String) {
        if self.number == 0 {
            self.first = place();
        }
    }

    /// The number of `thing`s, their `treatment` and the place of the first, in words. `None` if the number is 0.
    fn describe(&self, verb: &str, thing: &str, treatment: &str) -> Option<String> {
        let Places { number, first } = self;
        match number {
            0 => None,
            1 => Some(format!("{verb} 1 {thing}{treatment} ({first})")),
            _ => Some(format!("{verb} {number} {thing}s{treatment} (the first: {first})")),
        }
    }
}

impl Replaced {
    fn new(settings: &Settings) -> Self {
        Replaced {
            to: settings.to,
            errors: settings.errors,
            unmappable_errors: settings.unmappable,
            is_cut_off: false,
            replacement: settings.replacement.clone(),
            malformed: Places::default(),
            unmappable: Places::default(),
            transliterated: Places::default(),
        }
    }

    /// Whether bytes or characters were left out.
    pub(crate) fn has_left_out(&self) -> bool {
        let is_out = |errors, places: &Places| errors == Errors::Ignore && places.number > 0;
        is_out(self.errors, &self.malformed) || is_out(self.unmappable_errors, &self.unmappable)
    }

    /// Whether the end of an input has cut off its last sequence of bytes.
    pub(crate) fn is_cut_off(&self) -> bool {
        self.is_cut_off
    }

    /// Whether nothing was replaced.
    pub(crate) fn is_nothing(&self) -> bool {
        self.malformed.number + self.unmappable.number + self.transliterated.number == 0
    }
}

impl fmt::Display for Replaced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.replacement.as_deref().map(|text| format!(" by {}", message::excerpt(text)));
        let (verb, malformed, unmappable) = match self.errors {
            Errors::Fatal | Errors::Replacement => {
                ("replaced", text.clone().unwrap_or(" by U+FFFD".into()), text.unwrap_or(" by ?".into()))
            }
            Errors::Html => ("replaced", " by U+FFFD".into(), " by a character reference".into()),
            Errors::Ignore => ("left out", String::new(), String::new()),
            Errors::Escape => ("escaped", String::new(), String::new()),
        };
        let to = self.to;
        let unmappable = format!(" that {to} cannot encode{unmappable}");
        let likeness = format!(" that {to} cannot encode by others like it");
        let malformed = self.malformed.describe(verb, "malformed sequence", &malformed);
        let verb = if malformed.is_some() { "" } else { verb };
        let unmappable = self.unmappable.describe(verb, "character", &unmappable);
        let parts: Vec<_> = malformed.into_iter().chain(unmappable).collect();
        let mut sentences = vec![parts.join(" and").trim_start().to_owned()];
        sentences.extend(self.transliterated.describe("transliterated", "character", &likeness));
        sentences.retain(|sentence| !sentence.is_empty());
        f.write_str(&sentences.join("; "))
    }
}
