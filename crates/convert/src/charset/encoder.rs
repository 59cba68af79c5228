//! The encoder of a stream in any charset.

#[cfg(feature = "std")]
use textcodec::EncoderState;
use textcodec::{EncodeErrorMode, EncodeResult, EncodeStatus as LibraryStatus, Name, charsets, utf16};

use super::{
    Charset, Kind,
    status::{EncodeStatus, Encoded},
};

/// The escape sequence with which the [encoder of ISO-2022-JP](https://encoding.spec.whatwg.org/#iso-2022-jp-encoder)
/// returns to ASCII before it reports a character of a line in JIS X 0208 as unmappable.
const RETURN: &[u8] = b"\x1B(B";

/// The escape sequence after which two bytes are a character of JIS X 0208.
const JIS_X_0208: &[u8] = b"\x1B$B";

/// The encoder of a stream. It stops at each character that the charset does not have, and can go on after it.
#[derive(Clone, Debug)]
pub struct Encoder {
    inner: Inner,
    /// Whether the bytes that were written, which end in JIS X 0208, lack [`RETURN`]. If another escape sequence
    /// follows, it is left out, because a decoder takes two escape sequences without a character between them for
    /// malformed.
    is_return_held: bool,
}

#[derive(Clone, Debug)]
enum Inner {
    Standard(textcodec::Encoder),
    /// UTF-16 has no encoder in the Standard. The function writes whole characters.
    Utf16(fn(&str, &mut [u8]) -> (usize, usize)),
    Codec(charsets::Encoder),
}

impl Encoder {
    pub(super) fn new(charset: Charset) -> Option<Self> {
        let inner = match charset.0 {
            Kind::Standard(encoding) => match encoding.id() {
                Name::Replacement => return None,
                Name::Utf16Be => Inner::Utf16(utf16::encode_be_into),
                Name::Utf16Le => Inner::Utf16(utf16::encode_le_into),
                _ => Inner::Standard(encoding.new_encoder()),
            },
            // UTF-7 is a risk on the web, because markup hides in it.
            Kind::Codec(charset) if charset == charsets::unicode::UTF_7 => return None,
            Kind::Codec(charset) => Inner::Codec(charset.new_encoder()?),
            // The byte order mark is written before by whoever writes the text.
            Kind::Marked(marked) => return Self::new(marked.after_mark(marked.is_little_endian())),
        };
        Some(Encoder { inner, is_return_held: false })
    }

    /// Whether the charset has the character. The state of the encoder can change.
    pub(crate) fn can_encode(&mut self, character: char) -> bool {
        let encoded = self.encode(character.encode_utf8(&mut [0; 4]), &mut [0; 16], false);
        encoded.status == EncodeStatus::InputEmpty
    }

    /// Whether this encoder and `other`, of the same charset, write the same bytes for the same text.
    #[cfg(feature = "std")]
    pub(crate) fn is_as(&self, other: &Self) -> bool {
        // The position decides no bytes.
        let state = |state: EncoderState| {
            let [handler, _, rest] = state.into();
            [handler, rest]
        };
        if self.is_return_held != other.is_return_held {
            return false;
        }
        match (&self.inner, &other.inner) {
            (Inner::Standard(one), Inner::Standard(other)) => state(one.stream_state()) == state(other.stream_state()),
            (Inner::Codec(one), Inner::Codec(other)) => state(one.stream_state()) == state(other.stream_state()),
            // Whole characters leave no state.
            (Inner::Utf16(_), Inner::Utf16(_)) => true,
            _ => false,
        }
    }

    /// Encodes `text`, the next part of the stream. `last` says that the stream ends with it.
    ///
    /// In ISO-2022-JP, the return to ASCII before an unmappable character comes with what follows it.
    pub fn encode(&mut self, text: &str, destination: &mut [u8], last: bool) -> Encoded {
        let mut encoded = match self.is_return_held {
            false => self.inner.encode(text, destination, last),
            true => self.encode_held(text, destination, last),
        };
        let is_unmappable = matches!(encoded.status, EncodeStatus::Unmappable(_));
        if is_unmappable && self.inner.is_iso_2022_jp() && destination[..encoded.written].ends_with(RETURN) {
            encoded.written -= RETURN.len();
            self.is_return_held = true;
        }
        encoded
    }

    /// As [`encode`](Self::encode), if [`RETURN`] is to be written before what follows, or an escape sequence instead.
    fn encode_held(&mut self, text: &str, destination: &mut [u8], last: bool) -> Encoded {
        let Some(rest) = destination.get_mut(RETURN.len()..) else {
            return Encoded::new(EncodeStatus::OutputFull, 0, 0);
        };
        let mut encoded = self.inner.encode(text, rest, last);
        let written = &rest[..encoded.written];
        // Further characters of JIS X 0208 need no escape sequence at all.
        let left_out = if written.starts_with(JIS_X_0208) { JIS_X_0208.len() } else { 0 };
        match written.first() {
            Some(0x1B) => {
                encoded.written -= left_out;
                let start = RETURN.len() + left_out;
                destination.copy_within(start..start + encoded.written, 0);
            }
            Some(_) => encoded.written += self.write_return(destination),
            None if last && encoded.status == EncodeStatus::InputEmpty => {
                encoded.written = self.write_return(destination)
            }
            None => return encoded,
        }
        self.is_return_held = false;
        encoded
    }

    /// Writes what is missing before the caller gives up at an unmappable character. Returns the number of bytes.
    ///
    /// # Panics
    /// If the destination has fewer than three bytes.
    pub(crate) fn give_up(&mut self, destination: &mut [u8]) -> usize {
        if self.is_return_held { self.write_return(destination) } else { 0 }
    }

    fn write_return(&mut self, destination: &mut [u8]) -> usize {
        self.is_return_held = false;
        destination[..RETURN.len()].copy_from_slice(RETURN);
        RETURN.len()
    }
}

impl Inner {
    fn is_iso_2022_jp(&self) -> bool {
        matches!(self, Inner::Standard(encoder) if encoder.encoding().id() == Name::Iso2022Jp)
    }

    fn encode(&mut self, text: &str, destination: &mut [u8], last: bool) -> Encoded {
        let mode = EncodeErrorMode::Fatal;
        match self {
            Inner::Standard(encoder) => encoded(encoder.encode_str(text, destination, last, mode)),
            Inner::Codec(encoder) => encoded(encoder.encode_str(text, destination, last, mode)),
            Inner::Utf16(encode_into) => {
                let (read, written) = encode_into(text, destination);
                let status = if read == text.len() { EncodeStatus::InputEmpty } else { EncodeStatus::OutputFull };
                Encoded::new(status, read, written)
            }
        }
    }
}

/// The result of an encoder of the library.
fn encoded(result: EncodeResult) -> Encoded {
    let status = match result.status {
        LibraryStatus::InputEmpty => EncodeStatus::InputEmpty,
        LibraryStatus::OutputFull => EncodeStatus::OutputFull,
        LibraryStatus::Unmappable(unmappable) => EncodeStatus::Unmappable(unmappable.code_point),
    };
    Encoded::new(status, result.read, result.written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_destination_of_any_size_gets_one_escape_sequence_after_an_unmappable_character() {
        let charset = Charset::for_label("iso-2022-jp").unwrap();
        for (text, expected) in [
            ("あ☃い", &b"\x1B$B$\"$$\x1B(B"[..]),
            ("あ☃a", b"\x1B$B$\"\x1B(Ba"),
            ("あ☃", b"\x1B$B$\"\x1B(B"),
            ("☃あ☃☃¥☃", b"\x1B$B$\"\x1B(J\\\x1B(B"),
        ] {
            for size in 16..40 {
                let mut encoder = charset.new_encoder().unwrap();
                let (mut bytes, mut buffer, mut read) = (Vec::new(), vec![0; size], 0);
                loop {
                    let encoded = encoder.encode(&text[read..], &mut buffer, true);
                    read += encoded.read;
                    bytes.extend_from_slice(&buffer[..encoded.written]);
                    if encoded.status == EncodeStatus::InputEmpty {
                        break;
                    }
                }
                assert_eq!(bytes, expected, "{text} {size}");
            }
        }
    }

    #[test]
    fn a_return_that_is_held_is_a_state_of_its_own() {
        let charset = Charset::for_label("iso-2022-jp").unwrap();
        let (mut held, other) = (charset.new_encoder().unwrap(), charset.new_encoder().unwrap());
        let encoded = held.encode("あ☃", &mut [0; 16], false);
        assert_eq!((encoded.status, encoded.written), (EncodeStatus::Unmappable('☃'), 5));
        assert!(!held.is_as(&other));
        assert_eq!(held.give_up(&mut [0; 3]), 3);
        assert!(held.is_as(&other));
    }
}
