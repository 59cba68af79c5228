//! Encodings that the [Encoding Standard](https://encoding.spec.whatwg.org/) does not have, for files that are older
//! than the web, or that come from elsewhere.
//!
//! No label here is a label of the Standard. Where the Standard gives a usual label to a larger encoding, as it does
//! with iso-8859-1, the label here starts with "exact-".

mod code_pages;
mod utf7;

use alloc::{string::String, vec::Vec};

use textcodec::{DecodeErrorMode, DecodeStatus, UTF_16BE, UTF_16LE};

use self::code_pages::CodePage;
use super::status::{Decoded, EncodeStatus, Encoded, Malformed, Status};

/// An encoding that the Standard does not have.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Extra {
    SingleByte(&'static CodePage),
    /// UTF-16 with a byte order mark.
    Utf16,
    /// UTF-32 with a byte order mark.
    Utf32,
    Utf32Le,
    Utf32Be,
    /// Only for reading.
    Utf7,
}

/// The byte order mark of UTF-16, and that of UTF-32, in little-endian order. In this order they are written.
const UTF_16LE_MARK: [u8; 2] = [0xFF, 0xFE];
const UTF_32LE_MARK: [u8; 4] = [0xFF, 0xFE, 0, 0];

/// The greatest length of a character in UTF-8, in bytes.
const LONGEST_CHARACTER: usize = 4;

impl PartialEq for Extra {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Extra {}

impl Extra {
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let unicode = [Extra::Utf16, Extra::Utf32, Extra::Utf32Le, Extra::Utf32Be, Extra::Utf7];
        code_pages::ALL.into_iter().map(Extra::SingleByte).chain(unicode)
    }

    /// The encoding with this label, without regard to case and to ASCII whitespace around the label.
    pub(crate) fn for_label(label: &str) -> Option<Self> {
        let label = label.trim_matches([' ', '\t', '\n', '\r', '\u{C}']);
        Self::all().find(|extra| extra.labels().iter().any(|known| known.eq_ignore_ascii_case(label)))
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Extra::SingleByte(page) => page.name,
            Extra::Utf16 => "utf-16-bom",
            Extra::Utf32 => "utf-32",
            Extra::Utf32Le => "utf-32le",
            Extra::Utf32Be => "utf-32be",
            Extra::Utf7 => "utf-7",
        }
    }

    /// The labels in lower case.
    pub(crate) fn labels(self) -> &'static [&'static str] {
        match self {
            Extra::SingleByte(page) => page.labels,
            Extra::Utf16 => &["utf-16-bom"],
            Extra::Utf32 => &["utf-32", "utf32"],
            Extra::Utf32Le => &["utf-32le", "utf32le", "ucs-4le"],
            Extra::Utf32Be => &["utf-32be", "utf32be", "ucs-4be", "ucs-4", "ucs4"],
            Extra::Utf7 => &["utf-7", "utf7"],
        }
    }

    /// The name in the registry of IANA, if the encoding has one.
    pub(crate) fn registered_name(self) -> Option<&'static str> {
        Some(match self.name() {
            "exact-us-ascii" => "US-ASCII",
            "exact-iso-8859-1" => "ISO-8859-1",
            "exact-iso-8859-9" => "ISO-8859-9",
            "cp437" => "IBM437",
            "cp850" => "IBM850",
            "cp852" => "IBM852",
            "cp858" => "IBM00858",
            "cp037" => "IBM037",
            "cp500" => "IBM500",
            "cp1047" => "IBM1047",
            "cp1140" => "IBM01140",
            "cp1148" => "IBM01148",
            "utf-16-bom" => "UTF-16",
            "utf-32" => "UTF-32",
            "utf-32le" => "UTF-32LE",
            "utf-32be" => "UTF-32BE",
            "utf-7" => "UTF-7",
            _ => return None,
        })
    }

    /// The byte order mark that stands at the start of every text in this encoding.
    pub(crate) fn mark(self) -> &'static [u8] {
        match self {
            Extra::Utf16 => &UTF_16LE_MARK,
            Extra::Utf32 => &UTF_32LE_MARK,
            Extra::SingleByte(_) | Extra::Utf32Le | Extra::Utf32Be | Extra::Utf7 => &[],
        }
    }

    /// Whether every byte is a character or malformed.
    pub(crate) fn is_single_byte(self) -> bool {
        matches!(self, Extra::SingleByte(_))
    }

    /// Whether U+0085 ends a line in this encoding.
    pub(crate) fn is_ebcdic(self) -> bool {
        matches!(self, Extra::SingleByte(page) if page.is_ebcdic())
    }

    pub(crate) fn decoder(self) -> Decoder {
        let state = match self {
            Extra::SingleByte(page) => State::SingleByte(page.decoder()),
            Extra::Utf16 => State::Utf16Start,
            Extra::Utf32 => State::Utf32Start,
            Extra::Utf32Le => State::Utf32 { decode: u32::from_le_bytes },
            Extra::Utf32Be => State::Utf32 { decode: u32::from_be_bytes },
            Extra::Utf7 => State::Utf7(utf7::Decoder::default()),
        };
        Decoder { state, position: 0, pending: Vec::with_capacity(4), last: 0 }
    }

    /// The encoder. UTF-7 has none.
    pub(crate) fn encoder(self) -> Option<Encoder> {
        match self {
            Extra::SingleByte(page) => Some(Encoder::SingleByte(page.encoder())),
            Extra::Utf16 => Some(Encoder::Utf16Le),
            Extra::Utf32 | Extra::Utf32Le => Some(Encoder::Utf32 { encode: u32::to_le_bytes }),
            Extra::Utf32Be => Some(Encoder::Utf32 { encode: u32::to_be_bytes }),
            Extra::Utf7 => None,
        }
    }
}

/// The decoder of a stream.
#[derive(Clone, Debug)]
pub(crate) struct Decoder {
    state: State,
    /// The offset in the stream of the next byte.
    position: u64,
    /// The bytes before `position` that end no character yet.
    pending: Vec<u8>,
    /// The byte before `position`.
    last: u8,
}

#[derive(Clone, Debug)]
enum State {
    SingleByte(code_pages::Decoder),
    /// UTF-16, before its byte order mark.
    Utf16Start,
    Utf16(textcodec::Decoder),
    /// UTF-32, before its byte order mark.
    Utf32Start,
    Utf32 {
        decode: fn([u8; 4]) -> u32,
    },
    Utf7(utf7::Decoder),
}

/// What a byte leads to.
enum Step {
    Nothing,
    /// The pending bytes, with this one, are complete and mean no character.
    Complete,
    Character(char),
    /// The pending bytes, with this one, are malformed.
    Malformed,
    /// The pending bytes, or the one before this byte, are malformed. This byte must be given again.
    MalformedBefore,
}

impl Decoder {
    /// Decodes `source`, the next bytes of the stream, until `text` has no capacity for another character. `last` says
    /// that the stream ends with `source`.
    pub(crate) fn decode(&mut self, source: &[u8], text: &mut String, last: bool) -> Decoded {
        let mut read = 0;
        loop {
            let rest = &source[read..];
            if let State::Utf16(decoder) = &mut self.state {
                let mode = DecodeErrorMode::Fatal;
                let result = decoder.decode_to_string_within_capacity(rest, text, last, mode);
                let status = match result.status {
                    DecodeStatus::InputEmpty => Status::InputEmpty,
                    DecodeStatus::OutputFull => Status::OutputFull,
                    DecodeStatus::Malformed(malformed) => {
                        // The offset of the decoder counts from the byte order mark.
                        let offset = malformed.offset + UTF_16LE_MARK.len() as u64;
                        Status::Malformed(Malformed::new(offset, malformed.bytes().to_vec()))
                    }
                };
                return Decoded::new(status, read + result.read);
            }
            let space = text.capacity() - text.len();
            if let State::SingleByte(decoder) = &self.state {
                let ascii = decoder.ascii_prefix(&rest[..rest.len().min(space)]);
                if let Some(&byte) = ascii.as_bytes().last() {
                    text.push_str(ascii);
                    read += ascii.len();
                    self.advance(ascii.len(), byte);
                    continue;
                }
            }
            if space < LONGEST_CHARACTER {
                return Decoded::new(Status::OutputFull, read);
            }
            let Some(&byte) = rest.first() else {
                let status = if last && !self.ends_well() { self.malformed() } else { Status::InputEmpty };
                return Decoded::new(status, read);
            };
            let step = self.step(byte);
            if !matches!(step, Step::MalformedBefore) {
                self.pending.push(byte);
                self.advance(1, byte);
                read += 1;
            }
            match step {
                Step::Nothing => {}
                Step::Complete => self.pending.clear(),
                Step::Character(character) => {
                    self.pending.clear();
                    text.push(character);
                }
                Step::Malformed | Step::MalformedBefore => return Decoded::new(self.malformed(), read),
            }
        }
    }

    /// The offset in the stream of the sequence that has begun, or of the next one.
    pub(crate) fn sequence_start(&self) -> u64 {
        match &self.state {
            State::Utf16(decoder) => decoder.sequence_start() + UTF_16LE_MARK.len() as u64,
            _ => self.position - self.pending.len() as u64,
        }
    }

    /// Counts `length` bytes, of which `last` is the last.
    fn advance(&mut self, length: usize, last: u8) {
        self.position += length as u64;
        self.last = last;
    }

    /// The error at the pending bytes, or if there are none, at the last byte.
    fn malformed(&mut self) -> Status {
        let mut bytes = core::mem::take(&mut self.pending);
        if bytes.is_empty() {
            bytes.push(self.last);
        }
        Status::Malformed(Malformed::new(self.position - bytes.len() as u64, bytes))
    }

    fn step(&mut self, byte: u8) -> Step {
        match &mut self.state {
            State::SingleByte(decoder) => decoder.character(byte).map_or(Step::Malformed, Step::Character),
            // `decode` gives these bytes to the other decoder.
            State::Utf16(_) => Step::Nothing,
            State::Utf16Start => {
                let &[first] = &*self.pending else { return Step::Nothing };
                let mark = [first, byte];
                let encoding = if mark == UTF_16LE_MARK { UTF_16LE } else { UTF_16BE };
                self.state = State::Utf16(encoding.new_decoder_without_bom_handling());
                if mark == UTF_16LE_MARK || mark == [0xFE, 0xFF] { Step::Complete } else { Step::Malformed }
            }
            State::Utf32Start => {
                let &[first, second, third] = &*self.pending else { return Step::Nothing };
                let mark = [first, second, third, byte];
                let is_little_endian = mark == UTF_32LE_MARK;
                let decode = if is_little_endian { u32::from_le_bytes } else { u32::from_be_bytes };
                self.state = State::Utf32 { decode };
                if is_little_endian || mark == [0, 0, 0xFE, 0xFF] { Step::Complete } else { Step::Malformed }
            }
            State::Utf32 { decode } => {
                let &[first, second, third] = &*self.pending else { return Step::Nothing };
                char::from_u32(decode([first, second, third, byte])).map_or(Step::Malformed, Step::Character)
            }
            State::Utf7(decoder) => match decoder.step(byte) {
                utf7::Step::Nothing if decoder.is_direct() => Step::Complete,
                utf7::Step::Nothing => Step::Nothing,
                utf7::Step::Character(character) => Step::Character(character),
                utf7::Step::Malformed => Step::Malformed,
                utf7::Step::MalformedBefore => Step::MalformedBefore,
            },
        }
    }

    /// Whether the stream may end here. After an error at the end, it may.
    fn ends_well(&mut self) -> bool {
        match &mut self.state {
            State::Utf7(decoder) => decoder.end(),
            _ => self.pending.is_empty(),
        }
    }
}

/// The encoder of a stream. It keeps no state.
#[derive(Clone, Debug)]
pub(crate) enum Encoder {
    SingleByte(code_pages::Encoder),
    Utf16Le,
    Utf32 { encode: fn(u32) -> [u8; 4] },
}

impl Encoder {
    /// Encodes `text` until `destination` has no space for another character.
    pub(crate) fn encode(&self, text: &str, destination: &mut [u8]) -> Encoded {
        if let Encoder::Utf16Le = self {
            let (read, written) = textcodec::utf16::encode_le_into(text, destination);
            let status = if read == text.len() { EncodeStatus::InputEmpty } else { EncodeStatus::OutputFull };
            return Encoded::new(status, read, written);
        }
        let mut written = 0;
        for (read, character) in text.char_indices() {
            let mut units = [0; 4];
            let length = match self {
                Encoder::SingleByte(encoder) => match encoder.byte(character) {
                    Some(byte) => {
                        units[0] = byte;
                        1
                    }
                    None => {
                        let read = read + character.len_utf8();
                        return Encoded::new(EncodeStatus::Unmappable(character), read, written);
                    }
                },
                Encoder::Utf32 { encode } => {
                    units = encode(u32::from(character));
                    4
                }
                Encoder::Utf16Le => unreachable!("encoded above"),
            };
            match destination.get_mut(written..written + length) {
                Some(space) => space.copy_from_slice(&units[..length]),
                None => return Encoded::new(EncodeStatus::OutputFull, read, written),
            }
            written += length;
        }
        Encoded::new(EncodeStatus::InputEmpty, text.len(), written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of `bytes`, given in pieces of `length` bytes, with the errors in angle brackets.
    fn decode(extra: Extra, bytes: &[u8], length: usize) -> String {
        let mut decoder = extra.decoder();
        let mut whole = String::new();
        let mut text = String::with_capacity(4);
        let mut pieces: Vec<_> = bytes.chunks(length).map(|piece| (piece, false)).collect();
        pieces.push((&[], true));
        for (piece, last) in pieces {
            let mut read = 0;
            loop {
                let decoded = decoder.decode(&piece[read..], &mut text, last);
                read += decoded.read;
                whole += &text;
                text.clear();
                match decoded.status {
                    Status::InputEmpty => break,
                    Status::OutputFull => {}
                    Status::Malformed(malformed) => {
                        let (start, length) = (malformed.offset as usize, malformed.bytes.len());
                        assert_eq!(malformed.bytes, bytes[start..start + length]);
                        whole += &format!("<{start}:{length}>");
                    }
                }
            }
            assert_eq!(read, piece.len());
        }
        whole
    }

    #[test]
    fn the_size_of_the_pieces_changes_nothing() {
        let wide = |text: &str, encode: fn(u32) -> [u8; 4]| -> Vec<u8> {
            text.chars().flat_map(|character| encode(u32::from(character))).collect()
        };
        let text = "aé☃\u{1D11E}b";
        for (label, bytes, expected) in [
            ("cp437", b"caf\x82 \xE1".to_vec(), "café ß"),
            ("exact-us-ascii", b"ab\xE9c\xFF".to_vec(), "ab<2:1>c<4:1>"),
            ("cp1047", b"\xC8\x85\x93\x93\x96\x15".to_vec(), "Hello\u{85}"),
            ("utf-32le", wide(text, u32::to_le_bytes), text),
            ("utf-32be", wide(text, u32::to_be_bytes), text),
            ("utf-32", wide("\u{FEFF}aé☃", u32::to_le_bytes), "aé☃"),
            ("utf-32", wide("\u{FEFF}aé☃", u32::to_be_bytes), "aé☃"),
            ("utf-32", b"abcdef".to_vec(), "<0:4><4:2>"),
            ("utf-32be", b"\0\0\xD8\0\0\0\0a\0\x11\0\0\0".to_vec(), "<0:4>a<8:4><12:1>"),
            ("utf-16-bom", b"\xFF\xFEa\0\0\xDCb\0\x00\xD8".to_vec(), "a<4:2>b<8:2>"),
            ("utf-16-bom", b"\xFE\xFF\0a\xD8\0\0b\0".to_vec(), "a<4:2>b<8:1>"),
            ("utf-16-bom", b"ab\0c".to_vec(), "<0:2>c"),
            ("utf-16-bom", b"\xFF".to_vec(), "<0:1>"),
            ("utf-7", b"A+ImIDkQ.+AOl-b\xE9+-+".to_vec(), "A≢Α.é<13:1>b<15:1>+<18:1>"),
        ] {
            let extra = Extra::for_label(label).unwrap();
            for length in 1..=bytes.len() {
                assert_eq!(decode(extra, &bytes, length), expected, "{label} in pieces of {length}");
            }
        }
    }

    #[test]
    fn text_goes_there_and_back_through_any_destination() {
        let text = "Grüße — naïve café €";
        for extra in Extra::all() {
            let Some(encoder) = extra.encoder() else { continue };
            for length in [4, 5, 7, 100] {
                let (mut bytes, mut encoded_text, mut read) = (extra.mark().to_vec(), String::new(), 0);
                let mut buffer = vec![0; length];
                loop {
                    let encoded = encoder.encode(&text[read..], &mut buffer);
                    bytes.extend_from_slice(&buffer[..encoded.written]);
                    let mut taken = text[read..read + encoded.read].chars();
                    read += encoded.read;
                    if let EncodeStatus::Unmappable(character) = encoded.status {
                        assert_eq!(taken.next_back(), Some(character));
                    }
                    encoded_text.extend(taken);
                    if encoded.status == EncodeStatus::InputEmpty {
                        break;
                    }
                }
                assert_eq!(decode(extra, &bytes, 3), encoded_text, "{}", extra.name());
            }
        }
    }

    #[test]
    fn no_label_is_a_label_of_the_standard_and_none_is_there_twice() {
        let mut labels: Vec<_> = Extra::all().flat_map(Extra::labels).collect();
        let number = labels.len();
        labels.sort_unstable();
        labels.dedup();
        assert_eq!(labels.len(), number);
        for label in labels {
            assert!(textcodec::Encoding::for_label(label).is_err(), "{label}");
            assert!(Extra::for_label(&format!(" {} ", label.to_uppercase())).is_some(), "{label}");
        }
        assert!(Extra::all().all(|extra| extra.labels()[0] == extra.name()));
    }
}
