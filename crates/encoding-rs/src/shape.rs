//! How much space a conversion leaves free: the rules of encoding_rs for full destinations.
//!
//! A decoder of encoding_rs reads the first byte of a sequence only if the longest possible output of the sequence
//! fits. An ASCII byte needs one unit. The encodings differ in the longest output, and in some of them ASCII is no
//! exception. `tests` compare these rules with encoding_rs for all encodings.

use textcodec_core::{DecodeErrorMode, Name};
use textcodec_kernels::blocks::up_to;

/// A family of encodings with the same rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// Single bytes with an index.
    SingleByte,
    /// x-user-defined.
    UserDefined,
    /// EUC-JP.
    EucJp,
    /// EUC-KR.
    EucKr,
    /// Shift_JIS.
    ShiftJis,
    /// Big5.
    Big5,
    /// GBK. Its decoder is the decoder of gb18030.
    Gbk,
    /// gb18030.
    Gb18030,
    /// ISO-2022-JP.
    Iso2022Jp,
    /// UTF-8.
    Utf8,
    /// UTF-16BE.
    Utf16Be,
    /// UTF-16LE.
    Utf16Le,
    /// replacement.
    Replacement,
}

/// The units of UTF-8 or UTF-16 that a character of the Basic Multilingual Plane can take, U+FFFD for example.
pub(crate) const fn bmp(is_utf16: bool) -> usize {
    if is_utf16 { 1 } else { 3 }
}

/// The units of UTF-8 or UTF-16 that any character can take.
pub(crate) const fn astral(is_utf16: bool) -> usize {
    if is_utf16 { 2 } else { 4 }
}

/// What a call has decoded or encoded before the next sequence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Previous {
    /// Nothing since the start of the call, an error, a sequence that began in an earlier call, or a single byte that
    /// is not ASCII.
    Nothing,
    /// An ASCII character.
    Ascii,
    /// Another character.
    Long,
}

impl Shape {
    /// The kind of the last sequence, by the characters that the call has decoded or encoded, last one first. `byte` is
    /// the last byte that a decoder has read; `None` for an encoder.
    pub(crate) fn previous(self, mut characters: impl Iterator<Item = char>, byte: Option<u8>) -> Previous {
        // In these encodings, a space or a digit does not end a run of other characters.
        let least = if matches!(self, Shape::SingleByte | Shape::EucKr) { '\x3C' } else { '\0' };
        let Some(character) = characters.find(|&character| character >= least) else { return Previous::Nothing };
        match (self, character, byte) {
            (_, '\0'..='\x7F', _) => Previous::Ascii,
            (_, _, None) => Previous::Long,
            // gb18030 has U+FFFD, as 84 31 A4 37. In every other case U+FFFD stands for a malformed sequence.
            (Shape::Gbk | Shape::Gb18030, '\u{FFFD}', Some(0x37)) => Previous::Long,
            (_, '\u{FFFD}', Some(_)) => Previous::Nothing,
            (Shape::ShiftJis, '\u{80}' | '｡'..='ﾟ', _) => Previous::Nothing,
            (Shape::Gbk | Shape::Gb18030, '€', Some(0x80)) => Previous::Nothing,
            _ => Previous::Long,
        }
    }

    pub(crate) const fn of(name: Name) -> Self {
        match name {
            Name::XUserDefined => Shape::UserDefined,
            Name::EucJp => Shape::EucJp,
            Name::EucKr => Shape::EucKr,
            Name::ShiftJis => Shape::ShiftJis,
            Name::Big5 => Shape::Big5,
            Name::Gbk => Shape::Gbk,
            Name::Gb18030 => Shape::Gb18030,
            Name::Iso2022Jp => Shape::Iso2022Jp,
            Name::Utf8 => Shape::Utf8,
            Name::Utf16Be => Shape::Utf16Be,
            Name::Utf16Le => Shape::Utf16Le,
            Name::Replacement => Shape::Replacement,
            _ => Shape::SingleByte,
        }
    }

    pub(crate) const fn is_utf16(self) -> bool {
        matches!(self, Shape::Utf16Be | Shape::Utf16Le)
    }

    /// The units that a bulk conversion of a decoder leaves free, so that all it does is what encoding_rs would do: of
    /// every sequence that ends before the last `slack` units, the first byte has the space that
    /// [`needed`](Self::needed) tells.
    ///
    /// For a sequence that needs `n` units and writes at least `m`, that is `n - m`. ASCII after a longer sequence
    /// needs as much as that sequence, and writes one unit.
    pub(crate) const fn slack(self, is_utf16: bool, mode: DecodeErrorMode) -> u8 {
        let replaces = matches!(mode, DecodeErrorMode::Replacement) as u8;
        match (self, is_utf16) {
            (Shape::SingleByte | Shape::EucJp | Shape::EucKr | Shape::ShiftJis | Shape::UserDefined, false) => 2,
            (Shape::SingleByte | Shape::EucJp | Shape::EucKr | Shape::ShiftJis | Shape::UserDefined, true) => 0,
            (Shape::Big5, false) => 3,
            (Shape::Big5, true) => 1,
            // After an error, up to two restored bytes count as read: ASCII, and the first byte of a sequence. So there
            // is space for both and for the byte after them.
            (Shape::Gbk | Shape::Gb18030, false) => 3 + 6 * replaces,
            (Shape::Gbk | Shape::Gb18030, true) => 1 + 4 * replaces,
            // An escape sequence writes nothing, and needs as much as a character.
            (Shape::Iso2022Jp, false) => 3,
            (Shape::Iso2022Jp, true) => 1,
            // A character needs as much as it writes. An error needs four bytes or two code units, and writes U+FFFD.
            (Shape::Utf8, _) => replaces,
            (Shape::Utf16Be | Shape::Utf16Le, true) => replaces,
            (Shape::Utf16Be | Shape::Utf16Le, false) => 3,
            (Shape::Replacement, _) => 0,
        }
    }

    /// The units that must be free for the first byte of `rest`, with which a sequence begins, to be read. `previous`
    /// is the sequence before it.
    #[inline(never)]
    pub(crate) fn needed(self, is_utf16: bool, rest: &[u8], previous: Previous) -> usize {
        let is_ascii = rest.first().is_some_and(u8::is_ascii);
        match self {
            Shape::SingleByte | Shape::EucJp | Shape::EucKr | Shape::ShiftJis => {
                if is_ascii && previous != Previous::Long { 1 } else { bmp(is_utf16) }
            }
            Shape::Big5 | Shape::Gbk | Shape::Gb18030 => {
                if is_ascii && previous != Previous::Long {
                    1
                } else {
                    astral(is_utf16)
                }
            }
            Shape::UserDefined | Shape::Iso2022Jp | Shape::Replacement => bmp(is_utf16),
            Shape::Utf8 => match length_of_character(rest) {
                None => astral(is_utf16),
                Some(4) if is_utf16 => 2,
                Some(_) if is_utf16 => 1,
                Some(length) => length,
            },
            Shape::Utf16Be | Shape::Utf16Le => match self.code_unit(rest) {
                Some(0..=0x7F) if !is_utf16 && previous == Previous::Ascii => 1,
                Some(0xD800..=0xDBFF) | None => astral(is_utf16),
                Some(_) if is_utf16 => 1,
                Some(_) => astral(is_utf16),
            },
        }
    }

    /// The units that must be free for the next byte to be read if a sequence has begun in an earlier call.
    pub(crate) const fn needed_amid(self, is_utf16: bool) -> usize {
        match self {
            Shape::Big5 | Shape::Gbk | Shape::Gb18030 | Shape::Utf8 | Shape::Utf16Be | Shape::Utf16Le => {
                astral(is_utf16)
            }
            _ => bmp(is_utf16),
        }
    }

    /// The units that must be free at the end of the stream if it cuts off a sequence.
    pub(crate) const fn needed_at_end(self, is_utf16: bool) -> usize {
        match self {
            Shape::Iso2022Jp | Shape::Utf16Be | Shape::Utf16Le => bmp(is_utf16),
            _ => 0,
        }
    }

    /// The bytes that must be free for a character that is not ASCII to be read by an encoder. 0 in UTF-8, where it is
    /// the length of the character.
    pub(crate) const fn needed_by_encoder(self) -> u8 {
        match self {
            Shape::SingleByte | Shape::UserDefined => 1,
            Shape::EucJp | Shape::EucKr | Shape::ShiftJis | Shape::Big5 => 2,
            // An escape sequence; ASCII is no exception.
            Shape::Iso2022Jp => 3,
            Shape::Gbk | Shape::Gb18030 => 4,
            // The others have no encoder.
            Shape::Utf8 | Shape::Utf16Be | Shape::Utf16Le | Shape::Replacement => 0,
        }
    }

    /// The first code unit of UTF-16 in `bytes`.
    pub(crate) fn code_unit(self, bytes: &[u8]) -> Option<u16> {
        let bytes = *bytes.first_chunk()?;
        Some(if self == Shape::Utf16Be { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) })
    }
}

/// The length in bytes of the well-formed character of UTF-8 that `bytes` begin with. `None` if they begin with an
/// error, or with a character that their end cuts off.
fn length_of_character(bytes: &[u8]) -> Option<usize> {
    let length = match bytes.first()? {
        0x00..=0x7F => 1,
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return None,
    };
    core::str::from_utf8(up_to(bytes, length)).ok().map(str::len)
}
