//! Converts streams of bytes in some encodings to one stream of bytes in another encoding, in constant memory.

use std::{
    error::Error,
    fmt,
    io::{self, ErrorKind, Read, Write},
};

use clap::ValueEnum;
use textcodec::{
    Bom, DecodeStatus, Decoder, DecoderErrorMode, EncodeStatus, Encoder, EncoderErrorMode, Encoding, Malformed, Name,
    Unmappable, utf16,
};

use crate::{
    declarations::{Edit, Edits},
    position::Position,
    settings::Settings,
};

/// The size of each buffer in bytes: as much as a pipe of Linux holds.
const BUFFER: usize = 64 * 1024;

/// The text that takes the place of a malformed sequence.
const REPLACEMENT: &str = "\u{FFFD}";

/// The treatment of malformed input and unmappable characters. The Standard has two error modes for decoders and two for encoders;
/// these are the combinations that help to convert files.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum Errors {
    /// Stop, say where the error is, and exit with 1
    Fatal,
    /// Write U+FFFD (�) for malformed input, and "?" for each character that the output encoding cannot encode, also for U+FFFD
    Replacement,
    /// Write U+FFFD (�) for malformed input, and a character reference such as &#9731; for each character that the output
    /// encoding cannot encode, also for U+FFFD
    Html,
}

/// Decodes streams one after the other, and encodes their texts as one text into `output`.
///
/// The decoders and the encoder run in the error mode fatal, so that the converter learns of each error. After a replacement they
/// continue.
pub(crate) struct Converter<W> {
    coder: Coder,
    to: Encoding,
    errors: Errors,
    replaced: Replaced,
    output: W,
    /// The buffer of bytes for `output`. The first `filled` bytes are to be written.
    bytes: Box<[u8]>,
    filled: usize,
}

/// An encoder of the Standard; for UTF-16, which has none there, a function that writes whole characters.
enum Coder {
    Standard(Encoder),
    Utf16(fn(&str, &mut [u8]) -> (usize, usize)),
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
    text: String,
}

impl<W: Write> Converter<W> {
    pub(crate) fn new(settings: &Settings, output: W) -> Self {
        let &Settings { to, bom, errors, .. } = settings;
        let coder = match to.id() {
            Name::Utf16Be => Coder::Utf16(utf16::encode_be_into),
            Name::Utf16Le => Coder::Utf16(utf16::encode_le_into),
            _ => Coder::Standard(to.new_encoder()),
        };
        let mut bytes = buffer();
        let bom = to.bom().filter(|_| bom).map_or(&[][..], Bom::bytes);
        bytes[..bom.len()].copy_from_slice(bom);
        let replaced = Replaced { to, errors, malformed: Places::default(), unmappable: Places::default() };
        Converter { coder, to, errors, replaced, output, bytes, filled: bom.len() }
    }

    /// Converts one stream to its end. `progress` is called with the length of each piece that is read.
    ///
    /// The text before an error is written.
    pub(crate) fn convert(
        &mut self,
        plan: Plan<'_>,
        mut input: impl Read,
        mut progress: impl FnMut(usize),
    ) -> Result<(), Failure> {
        let Plan { name, decoder, edits, refuse_binary } = plan;
        let (edits, position) = (Edits::new(edits), Position::default());
        let text = String::with_capacity(BUFFER);
        let mut source = Source { name, decoder, edits, refuse_binary, position, text };
        let mut piece = buffer();
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
                return Ok(());
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
            let Source { decoder, text, .. } = source;
            let result = decoder.decode_to_string_within_capacity(&piece[read..], text, last, DecoderErrorMode::Fatal);
            read += result.read;
            match result.status {
                DecodeStatus::InputEmpty => return self.encode_text(source),
                DecodeStatus::OutputFull => self.encode_text(source)?,
                DecodeStatus::Malformed(malformed) => self.replace_malformed(source, malformed)?,
            }
        }
    }

    fn replace_malformed(&mut self, source: &mut Source<'_>, malformed: Malformed) -> Result<(), Failure> {
        if self.errors == Errors::Fatal {
            // An unmappable character before the malformed sequence is the first error.
            self.encode_text(source)?;
            let (name, encoding) = (source.name.to_owned(), source.decoder.encoding().name());
            let by_mark = source.decoder.bom().is_some();
            return Err(Failure::Malformed { name, encoding, by_mark, malformed, position: source.position });
        }
        self.replaced.malformed.add(|| {
            let position = source.position.after(&source.text);
            format!("{}, byte offset {}, {position}", source.name, malformed.offset)
        });
        if source.text.capacity() - source.text.len() < REPLACEMENT.len() {
            self.encode_text(source)?;
        }
        source.text.push_str(REPLACEMENT);
        Ok(())
    }

    /// Encodes the text that is decoded.
    fn encode_text(&mut self, source: &mut Source<'_>) -> Result<(), Failure> {
        let text = source.text.as_str();
        if source.refuse_binary
            && let Some(at) = binary_data(text, source.position.offset == 0)
        {
            return Err(Failure::Binary { name: source.name.to_owned(), position: source.position.after(&text[..at]) });
        }
        for (offset, part) in source.edits.apply(text) {
            self.encode(part, false, |this, unmappable, read| {
                // The encoder of ISO-2022-JP reports U+FFFD for some other characters.
                let character = part[..read].chars().next_back().unwrap_or(unmappable.code_point);
                let position = || source.position.after(&text[..offset + read - character.len_utf8()]);
                this.replace_unmappable(source.name, unmappable, character, position)
            })?;
        }
        source.position = source.position.after(text);
        source.text.clear();
        Ok(())
    }

    /// Encodes `text`. After each unmappable character, `unmappable` is called with the length of the text up to and with this
    /// character.
    fn encode(
        &mut self,
        text: &str,
        last: bool,
        mut unmappable: impl FnMut(&mut Self, Unmappable, usize) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut read = 0;
        loop {
            let destination = &mut self.bytes[self.filled..];
            let rest = &text[read..];
            let (status, taken, written) = match &mut self.coder {
                Coder::Standard(encoder) => {
                    let result = encoder.encode_from_utf8(rest, destination, last, EncoderErrorMode::Fatal);
                    (result.status, result.read, result.written)
                }
                Coder::Utf16(encode_into) => {
                    let (taken, written) = encode_into(rest, destination);
                    let is_done = taken == rest.len();
                    (if is_done { EncodeStatus::InputEmpty } else { EncodeStatus::OutputFull }, taken, written)
                }
            };
            read += taken;
            self.filled += written;
            match status {
                EncodeStatus::InputEmpty => return Ok(()),
                EncodeStatus::OutputFull => self.write()?,
                EncodeStatus::Unmappable(error) => unmappable(self, error, read)?,
            }
        }
    }

    fn replace_unmappable(
        &mut self,
        name: &str,
        unmappable: Unmappable,
        character: char,
        position: impl Fn() -> Position,
    ) -> Result<(), Failure> {
        let reference = format!("&#{};", u32::from(unmappable.code_point));
        let replacement = match self.errors {
            Errors::Fatal => {
                let (name, encoding, position) = (name.to_owned(), self.to.name(), position());
                return Err(Failure::Unmappable { name, encoding, character, reference, position });
            }
            Errors::Replacement => "?",
            Errors::Html => &reference,
        };
        self.replaced.unmappable.add(|| format!("{}, {name}, {}", Character(character), position()));
        self.encode(replacement, false, |_, _, _| unreachable!("every encoder can encode ASCII"))
    }

    /// Writes the encoded bytes.
    fn write(&mut self) -> Result<(), Failure> {
        self.output.write_all(&self.bytes[..self.filled]).map_err(Failure::Write)?;
        self.filled = 0;
        self.output.flush().map_err(Failure::Write)
    }
}

fn buffer() -> Box<[u8]> {
    vec![0; BUFFER].into()
}

/// The offset of a character in `text` that shows that the file is binary: U+0000; or at the start of a file another control
/// character, if more than one byte in 32 is one.
///
/// The control characters are the [binary data bytes](https://mimesniff.spec.whatwg.org/#binary-data-byte) without two that old texts
/// have: backspace, which prints one character over another, and U+001A, the end of a file in DOS.
fn binary_data(text: &str, is_start: bool) -> Option<usize> {
    let bytes = text.as_bytes();
    // For bytes, `contains` is much faster than `position`.
    if bytes.contains(&0) {
        return bytes.iter().position(|&byte| byte == 0);
    }
    let is_control = |byte: &u8| matches!(byte, 0x01..=0x07 | 0x0B | 0x0E..=0x19 | 0x1C..=0x1F);
    let controls = if is_start { bytes.iter().filter(|byte| is_control(byte)).count() } else { 0 };
    if controls * 32 > bytes.len() { bytes.iter().position(is_control) } else { None }
}

/// The reason why a conversion stopped.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The input is malformed in its encoding. `by_mark` says that a byte order mark decided the encoding.
    Malformed { name: String, encoding: &'static str, by_mark: bool, malformed: Malformed, position: Position },
    /// The output encoding cannot encode a character.
    Unmappable { name: String, encoding: &'static str, character: char, reference: String, position: Position },
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
            Failure::Malformed { name, encoding, by_mark, malformed, position } => {
                write!(f, "{name}: not {encoding} at byte offset {} ({position}):", malformed.offset)?;
                malformed.bytes().iter().try_for_each(|byte| write!(f, " {byte:02X}"))?;
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
                write!(f, " of the text in UTF-8\n  With --errors html, {reference} is written instead; with ")?;
                write!(f, "--errors replacement, a question mark. UTF-8 can encode every character.")
            }
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
            Failure::Malformed { .. } | Failure::Unmappable { .. } | Failure::Binary { .. } => None,
        }
    }
}

/// A character in a message: its code point, and the character itself if it is visible.
struct Character(char);

impl fmt::Display for Character {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "U+{:04X}", u32::from(self.0))?;
        // A character that Rust escapes is not visible, or not without another character.
        if self.0.escape_debug().len() == 1 { write!(f, " ({})", self.0) } else { Ok(()) }
    }
}

/// The number of replacements in all streams, and the first of them.
#[derive(Debug)]
pub(crate) struct Replaced {
    to: Encoding,
    errors: Errors,
    malformed: Places,
    unmappable: Places,
}

/// The number of places, and the first place in words.
#[derive(Default, Debug)]
struct Places {
    number: u64,
    first: String,
}

impl Places {
    fn add(&mut self, place: impl FnOnce() -> String) {
        if self.number == 0 {
            self.first = place();
        }
        self.number += 1;
    }

    /// The number of `thing`s, their `replacement` and the place of the first, in words. `None` if the number is 0.
    fn describe(&self, thing: &str, replacement: &str) -> Option<String> {
        let Places { number, first } = self;
        match number {
            0 => None,
            1 => Some(format!("1 {thing} {replacement} ({first})")),
            _ => Some(format!("{number} {thing}s {replacement} (the first: {first})")),
        }
    }
}

impl Replaced {
    /// Whether nothing was replaced.
    pub(crate) fn is_nothing(&self) -> bool {
        self.malformed.number + self.unmappable.number == 0
    }
}

impl fmt::Display for Replaced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let by = if self.errors == Errors::Html { "a character reference" } else { "?" };
        let malformed = self.malformed.describe("malformed sequence", "by U+FFFD");
        let unmappable = self.unmappable.describe("character", &format!("that {} cannot encode by {by}", self.to));
        let parts: Vec<_> = malformed.into_iter().chain(unmappable).collect();
        write!(f, "replaced {}", parts.join(" and "))
    }
}
