//! Bytes that are Latin-1 already, for engines that store strings as Latin-1.

use textcodec_kernels::{ascii, blocks::skip};

use super::{BomHandling, Decoder, Stage};
use crate::{Handle, handler::Unchanged};

impl<E: Handle> Decoder<E> {
    /// The length of the prefix of `bytes` in which each byte decodes to the code point of equal value. `bytes` come
    /// next in the stream. A program that stores strings as Latin-1 can copy the prefix and need not decode it.
    ///
    /// `None` if the decoder can copy no byte in its state: in UTF-16 and replacement, before the decoder knows whether
    /// a byte order mark comes, inside of a sequence, and outside of the initial state of ISO-2022-JP.
    ///
    /// Copied bytes are not part of [`position`](Self::position), and to copy bytes does not end a stream.
    #[doc(hidden)]
    #[doc(alias = "latin1_byte_compatible_up_to")]
    #[must_use]
    pub fn latin1_up_to(&self, bytes: &[u8]) -> Option<usize> {
        let (stream, codec) = (&self.stream, self.encoding().codec());
        let is_initial = match (stream.stage, stream.bom_handling) {
            (Stage::Text, _) => stream.restored.is_empty() && stream.handler == 0,
            (_, BomHandling::Sniff) => false,
            (_, BomHandling::Remove) => codec.bom().is_none(),
            (_, BomHandling::Keep) => true,
        };
        if !is_initial {
            return None;
        }
        match codec.unchanged() {
            unchanged @ (Unchanged::Nothing | Unchanged::UnshiftedAscii) => unchanged.ascii_up_to(bytes),
            Unchanged::Utf8 | Unchanged::Ascii => {
                let is_same = |byte: u8| {
                    let code_point = codec.index().map(|index| index[usize::from(byte & 0x7F)]);
                    code_point == Some(byte.into())
                };
                let mut length = ascii::prefix_length(bytes);
                // The byte after a run of ASCII is not ASCII.
                while bytes.get(length).copied().is_some_and(is_same) {
                    length += 1;
                    length += ascii::prefix_length(skip(bytes, length));
                }
                Some(length)
            }
        }
    }
}
