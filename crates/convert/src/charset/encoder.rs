//! The encoder of a stream in any charset.

#[cfg(feature = "std")]
use textcodec::EncoderState;
use textcodec::{EncodeErrorMode, EncodeResult, EncodeStatus as LibraryStatus, Name, charsets, utf16};

use super::{
    Charset, Kind,
    status::{EncodeStatus, Encoded},
};

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
    pub fn encode(&mut self, text: &str, destination: &mut [u8], last: bool) -> Encoded {
        let mode = EncodeErrorMode::Fatal;
        match &mut self.0 {
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
