//! Charsets and encodings of the Standard under one type, with the facts in which glibc's converters differ.

use crate::short::{Cell, SingleByte};
use textcodec::{
    Encoding,
    charsets::{Charset, Family},
};
use textcodec_core::{Bom, Codec, EncoderHalf, Handle};

/// A decoder of either kind.
pub(crate) type Decoder = textcodec_core::Decoder<Table>;
/// An encoder of either kind.
pub(crate) type Encoder = textcodec_core::Encoder<Table>;

/// The functions and tables of a charset.
#[derive(Clone, Copy)]
pub(crate) struct Table {
    codec: &'static Codec,
    half: Option<&'static EncoderHalf>,
    selector: u8,
    /// Where the process keeps the tables for short texts.
    cell: Option<&'static Cell>,
    pub(crate) facts: Facts,
}

/// What the conversion needs to know of a charset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Facts {
    pub(crate) is_utf_8: bool,
    pub(crate) states: States,
    /// The digit of base64 with the greatest value, in UTF-7.
    pub(crate) last_digit: u8,
    /// The number of bytes without which glibc's encoder does not look at the next character. Only unmappable
    /// characters ask.
    pub(crate) min_length: u8,
    /// Whether the encoder starts each text with a header.
    pub(crate) has_header: bool,
    /// Whether the encoder writes escapes between sets. It writes one before an unmappable character, glibc's does not.
    pub(crate) has_escapes: bool,
    /// For an encoder with shifts or escapes in which characters wait for combining marks: the length in bytes of the
    /// return to single bytes, which it writes before an unmappable character.
    pub(crate) length_of_return: Option<u8>,
    /// Whether glibc's encoder writes a shift also if the character after it does not fit.
    pub(crate) writes_shifts_alone: bool,
}

/// The states in which a decoder can be between two sequences.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum States {
    /// Always the first one.
    One,
    /// The first one, and after the first sequence always the same one: a byte order mark can decide.
    Marked,
    /// Shifts and escapes lead to others.
    Several,
    /// Bytes of a sequence are states.
    Bytes,
    /// Each of the characters from the first to the second waits for a mark that it may compose with.
    Composing((char, char)),
}

impl Table {
    fn new(of: impl Handle, facts: Facts) -> Self {
        Table { codec: of.codec(), half: of.encoder(), selector: of.selector(), cell: None, facts }
    }

    pub(crate) fn is_same(self, other: Self) -> bool {
        std::ptr::eq(self.codec, other.codec) && self.selector == other.selector
    }

    /// This table, whose tables for short texts are kept in `cell`.
    pub(crate) fn kept_in(self, cell: &'static Cell) -> Self {
        Table { cell: Some(cell), ..self }
    }

    pub(crate) fn is_single_byte(self) -> bool {
        self.codec.is_single_byte()
    }

    /// The tables for short texts, which a single-byte charset has.
    pub(crate) fn single_byte(self) -> Option<&'static SingleByte> {
        if !self.is_single_byte() {
            return None;
        }
        self.cell?.get_or_init(|| SingleByte::new(self).map(Box::new)).as_deref()
    }

    pub(crate) fn of_charset(charset: Charset) -> Self {
        let (name, family) = (charset.name(), charset.family());
        let states = match name {
            "UTF-16" | "UTF-32" | "UNICODE" => States::Marked,
            "CP1255-COMPOSED" => States::Composing(('\u{5D0}', '\u{5F2}')),
            "CP1258-COMPOSED" | "TCVN5712-1-COMPOSED" => States::Composing(('A', '\u{1B0}')),
            "UTF-7" | "UTF-7-IMAP" => States::Bytes,
            _ if charset.codec().has_one_state() => States::One,
            _ => States::Several,
        };
        let last_digit = if name == "UTF-7-IMAP" { b',' } else { b'/' };
        // The other charsets with units of several bytes have bytes for each character.
        let min_length = if name.starts_with("UCS-2") || name == "UNICODE" { 2 } else { 1 };
        let (is_utf_8, has_header) = (name == "UTF-8", name == "ISO-2022-KR");
        let writes_shifts_alone = has_header || family == Family::EbcdicEastAsian;
        let has_escapes = name.starts_with("ISO-2022-");
        let length_of_return = match family {
            Family::EbcdicEastAsian => Some(1),
            _ if name == "ISO-2022-JP-3" => Some(3),
            _ => None,
        };
        let facts = Facts {
            is_utf_8,
            states,
            last_digit,
            min_length,
            has_header,
            has_escapes,
            length_of_return,
            writes_shifts_alone,
        };
        Table::new(charset, facts)
    }

    pub(crate) fn of_encoding(encoding: Encoding) -> Self {
        let states = if encoding.codec().has_one_state() { States::One } else { States::Several };
        let is_utf_8 = encoding == textcodec::UTF_8;
        let (has_header, has_escapes, length_of_return, writes_shifts_alone) = (false, false, None, false);
        let facts = Facts {
            is_utf_8,
            states,
            last_digit: b'/',
            min_length: 1,
            has_header,
            has_escapes,
            length_of_return,
            writes_shifts_alone,
        };
        Table::new(encoding, facts)
    }
}

impl Handle for Table {
    fn codec(self) -> &'static Codec {
        self.codec
    }

    fn encoder(self) -> Option<&'static EncoderHalf> {
        self.half
    }

    fn selector(self) -> u8 {
        self.selector
    }

    fn of_bom(_: Bom) -> Option<Self> {
        None
    }
}
