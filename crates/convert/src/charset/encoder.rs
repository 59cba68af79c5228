//! The encoder of a stream in any charset.

#[cfg(feature = "std")]
use textcodec::EncoderState;
use textcodec::{EncodeErrorMode, EncodeResult, EncodeStatus as LibraryStatus, Name, charsets, utf16};

use super::{
    Charset, Kind,
    status::{EncodeStatus, Encoded},
};

/// The greatest number of bytes that an encoder writes at the end of a text, or when it gives up.
pub(crate) const LONGEST_END: usize = 8;

/// The encoder of a stream. It stops at each character that the charset does not have, and can go on after it.
#[derive(Clone, Debug)]
pub struct Encoder(Inner);

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
        Some(Encoder(inner))
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
        match (&self.0, &other.0) {
            (Inner::Standard(one), Inner::Standard(other)) => state(one.stream_state()) == state(other.stream_state()),
            (Inner::Codec(one), Inner::Codec(other)) => state(one.stream_state()) == state(other.stream_state()),
            // Whole characters leave no state.
            (Inner::Utf16(_), Inner::Utf16(_)) => true,
            _ => false,
        }
    }

    /// Encodes `text`, the next part of the stream. `last` says that the stream ends with it.
    ///
    /// In ISO-2022-JP, the text after an unmappable character begins with an escape sequence if it needs one.
    pub fn encode(&mut self, text: &str, destination: &mut [u8], last: bool) -> Encoded {
        let mut encoded = self.0.encode(text, destination, last);
        if let (Inner::Standard(encoder), EncodeStatus::Unmappable(_)) = (&mut self.0, &encoded.status) {
            encoded.written -= encoder.take_back(&destination[..encoded.written]);
        }
        encoded
    }

    /// The number of bytes that [`encode`](Self::encode) writes at the end of a text.
    pub(crate) fn length_of_end(&self) -> usize {
        self.clone().encode("", &mut [0; LONGEST_END], true).written
    }

    /// Returns to ASCII before the caller gives up at an unmappable character. Returns the number of bytes.
    pub(crate) fn give_up(&mut self, destination: &mut [u8]) -> usize {
        match &mut self.0 {
            Inner::Standard(encoder) => encoder.encode_str("", destination, true, EncodeErrorMode::Fatal).written,
            Inner::Utf16(_) | Inner::Codec(_) => 0,
        }
    }
}

impl Inner {
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
    fn the_character_set_before_an_unmappable_character_stays_until_the_caller_gives_up() {
        let charset = Charset::for_label("iso-2022-jp").unwrap();
        let (mut encoder, other) = (charset.new_encoder().unwrap(), charset.new_encoder().unwrap());
        let mut bytes = [0; 16];
        let encoded = encoder.encode("あ☃", &mut bytes, false);
        assert_eq!((encoded.status, encoded.written), (EncodeStatus::Unmappable('☃'), 5));
        assert!(!encoder.is_as(&other));
        assert_eq!(encoder.give_up(&mut bytes), 3);
        assert_eq!(bytes[..3], *b"\x1B(B");
    }

    #[test]
    fn encoders_of_the_same_state_write_the_same() {
        let texts = ["", "a", "日", "日a", "한", "é", "e", "ê", "が", "\u{301}"];
        let write = |encoder: &Encoder, text: &str| {
            let mut bytes = vec![0; 64];
            let encoded = encoder.clone().encode(text, &mut bytes, true);
            bytes.truncate(encoded.written);
            (encoded.status, bytes)
        };
        for charset in Charset::all() {
            let Some(new) = charset.new_encoder() else { continue };
            let encoders: Vec<Encoder> = texts
                .iter()
                .map(|text| {
                    let mut encoder = new.clone();
                    encoder.encode(text, &mut [0; 64], false);
                    encoder
                })
                .collect();
            assert!(encoders[0].is_as(&new), "{charset}");
            for (number, encoder) in encoders.iter().enumerate() {
                for (place, other) in encoders[..number].iter().enumerate().filter(|(_, other)| encoder.is_as(other)) {
                    for text in texts {
                        let [first, second] = [texts[number], texts[place]];
                        assert_eq!(write(encoder, text), write(other, text), "{charset} {first} {second} {text}");
                    }
                }
                let end = write(encoder, "").1.len();
                assert_eq!(encoder.length_of_end(), end, "{charset} {}", texts[number]);
                assert!(end <= LONGEST_END, "{charset}");
            }
        }
        let mut japanese = Charset::for_label("iso-2022-jp").unwrap().new_encoder().unwrap();
        assert_eq!(japanese.length_of_end(), 0);
        japanese.encode("あ", &mut [0; 16], false);
        assert_eq!(japanese.length_of_end(), 3);
    }
}
