//! Encodings of the [Standard](https://encoding.spec.whatwg.org/) and the other encodings of this program under one
//! type.

use std::fmt;

use textcodec::{
    DecodeErrorMode, DecodeStatus, EncodeErrorMode, EncodeStatus as StandardStatus, Encoding, Name, utf16,
};

use crate::{
    extra::{self, Decoded, EncodeStatus, Encoded, Extra, Status},
    undecided::{Choice, Undecided},
};

/// An encoding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Charset {
    Standard(Encoding),
    Extra(Extra),
}

impl From<Encoding> for Charset {
    fn from(encoding: Encoding) -> Self {
        Charset::Standard(encoding)
    }
}

impl fmt::Display for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Charset {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Charset::Standard(encoding) => encoding.name(),
            Charset::Extra(extra) => extra.name(),
        }
    }

    /// The encoding as which a browser reads the bytes, if it reads them correctly.
    pub(crate) fn read_as(self) -> Option<Name> {
        match self {
            Charset::Standard(encoding) => Some(encoding.id()),
            Charset::Extra(extra) => match extra.name() {
                "exact-us-ascii" | "exact-iso-8859-1" => Some(Name::Windows1252),
                "exact-iso-8859-9" => Some(Name::Windows1254),
                "utf-16-bom" => Some(Name::Utf16Le),
                _ => None,
            },
        }
    }

    /// The name of the encoding in an XML declaration, if it has one that is registered.
    pub(crate) fn xml_name(self) -> Option<&'static str> {
        match self {
            Charset::Standard(encoding) => Some(encoding.name()),
            Charset::Extra(extra) => extra.registered_name(),
        }
    }

    /// Whether the text is made of units of two or four bytes.
    pub(crate) fn is_wide(self) -> bool {
        match self {
            Charset::Standard(encoding) => matches!(encoding.id(), Name::Utf16Be | Name::Utf16Le),
            Charset::Extra(extra) => matches!(extra, Extra::Utf16 | Extra::Utf32 | Extra::Utf32Le | Extra::Utf32Be),
        }
    }

    /// The bytes of the byte order mark that a text in this encoding can start with; empty for encodings without one.
    pub(crate) fn bom(self) -> &'static [u8] {
        match self {
            Charset::Standard(encoding) => encoding.bom().map_or(&[][..], textcodec::Bom::bytes),
            Charset::Extra(extra) => extra.mark(),
        }
    }

    /// Whether every text in this encoding starts with a byte order mark.
    pub(crate) fn needs_bom(self) -> bool {
        matches!(self, Charset::Extra(extra) if !extra.mark().is_empty())
    }

    /// A new decoder. Unless `ignore_bom`, a byte order mark decides between the encodings of the Standard.
    pub(crate) fn new_decoder(self, ignore_bom: bool) -> Decoder {
        match self {
            Charset::Standard(encoding) if ignore_bom => Decoder::Standard(encoding.new_decoder_without_bom_handling()),
            Charset::Standard(encoding) => Decoder::Standard(encoding.new_decoder()),
            Charset::Extra(extra) => Decoder::Extra(extra, extra.decoder()),
        }
    }

    /// A new encoder. `None` if no text can be written in the encoding.
    pub(crate) fn new_encoder(self) -> Option<Encoder> {
        match self {
            Charset::Standard(encoding) => match encoding.id() {
                Name::Replacement => None,
                Name::Utf16Be => Some(Encoder::Utf16(utf16::encode_be_into)),
                Name::Utf16Le => Some(Encoder::Utf16(utf16::encode_le_into)),
                _ => Some(Encoder::Standard(encoding.new_encoder())),
            },
            Charset::Extra(extra) => extra.encoder().map(Encoder::Extra),
        }
    }

    /// Whether the encoding has every character of `text`.
    pub(crate) fn can_encode(self, text: &str) -> bool {
        let Some(mut encoder) = self.new_encoder() else { return false };
        let mut read = 0;
        loop {
            let encoded = encoder.encode(&text[read..], &mut [0; 256], false);
            read += encoded.read;
            match encoded.status {
                EncodeStatus::InputEmpty => return true,
                EncodeStatus::OutputFull => {}
                EncodeStatus::Unmappable(_) => return false,
            }
        }
    }
}

/// The decoder of a stream.
#[derive(Clone, Debug)]
pub(crate) enum Decoder {
    Standard(textcodec::Decoder),
    Extra(Extra, extra::Decoder),
    /// For a pipe whose start is ASCII.
    Undecided(Box<Undecided>),
}

impl From<textcodec::Decoder> for Decoder {
    fn from(decoder: textcodec::Decoder) -> Self {
        Decoder::Standard(decoder)
    }
}

impl Decoder {
    /// Decodes `source`, the next bytes of the stream, into the capacity of `text`. `last` says that the stream ends
    /// with `source`.
    pub(crate) fn decode(&mut self, source: &[u8], text: &mut String, last: bool) -> Decoded {
        match self {
            Decoder::Standard(decoder) => {
                let mode = DecodeErrorMode::Fatal;
                let result = decoder.decode_to_string_within_capacity(source, text, last, mode);
                let status = match result.status {
                    DecodeStatus::InputEmpty => Status::InputEmpty,
                    DecodeStatus::OutputFull => Status::OutputFull,
                    DecodeStatus::Malformed(malformed) => {
                        Status::Malformed { offset: malformed.offset, bytes: malformed.bytes().to_vec() }
                    }
                };
                Decoded { status, read: result.read }
            }
            Decoder::Extra(_, decoder) => decoder.decode(source, text, last),
            Decoder::Undecided(undecided) => undecided.decode(source, text, last),
        }
    }

    /// The text of `source`, the start of a stream, with U+FFFD for each malformed sequence.
    pub(crate) fn decode_all(mut self, source: &[u8], last: bool) -> String {
        let mut text = String::with_capacity(source.len());
        let mut read = 0;
        loop {
            let decoded = self.decode(&source[read..], &mut text, last);
            read += decoded.read;
            match decoded.status {
                Status::InputEmpty => return text,
                Status::OutputFull => text.reserve(source.len() - read + 16),
                Status::Malformed { .. } => text.push(char::REPLACEMENT_CHARACTER),
                Status::Damaged(_) => return text,
            }
        }
    }

    /// The encoding, which a byte order mark may have decided.
    pub(crate) fn charset(&self) -> Charset {
        match self {
            Decoder::Standard(decoder) => Charset::Standard(decoder.encoding()),
            Decoder::Extra(extra, _) => Charset::Extra(*extra),
            Decoder::Undecided(undecided) => undecided.charset(),
        }
    }

    /// How the encoding was chosen, if that happened while the stream was decoded.
    pub(crate) fn choice(&self) -> Option<Choice> {
        if let Decoder::Undecided(undecided) = self { undecided.choice() } else { None }
    }

    /// Whether a byte order mark has decided the encoding.
    pub(crate) fn is_by_mark(&self) -> bool {
        matches!(self, Decoder::Standard(decoder) if decoder.bom().is_some())
    }

    /// Whether a byte order mark was removed.
    pub(crate) fn had_mark(&self) -> bool {
        self.is_by_mark() || self.charset().needs_bom()
    }
}

/// The encoder of a stream.
pub(crate) enum Encoder {
    Standard(textcodec::Encoder),
    /// UTF-16 has no encoder in the Standard. The function writes whole characters.
    Utf16(fn(&str, &mut [u8]) -> (usize, usize)),
    Extra(extra::Encoder),
}

impl Encoder {
    /// Encodes `text`, the next part of the stream. `last` says that the stream ends with it.
    pub(crate) fn encode(&mut self, text: &str, destination: &mut [u8], last: bool) -> Encoded {
        match self {
            Encoder::Standard(encoder) => {
                let result = encoder.encode_str(text, destination, last, EncodeErrorMode::Fatal);
                let status = match result.status {
                    StandardStatus::InputEmpty => EncodeStatus::InputEmpty,
                    StandardStatus::OutputFull => EncodeStatus::OutputFull,
                    StandardStatus::Unmappable(unmappable) => EncodeStatus::Unmappable(unmappable.code_point),
                };
                Encoded { status, read: result.read, written: result.written }
            }
            Encoder::Utf16(encode_into) => {
                let (read, written) = encode_into(text, destination);
                let status = if read == text.len() { EncodeStatus::InputEmpty } else { EncodeStatus::OutputFull };
                Encoded { status, read, written }
            }
            Encoder::Extra(encoder) => encoder.encode(text, destination),
        }
    }
}
