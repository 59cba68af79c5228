//! The greatest lengths of ISO-2022-JP count more than the bytes that have begun a sequence: they grow by one after an escape sequence until
//! the next character, and between characters of two bytes.

use textcodec_core::handler::{HandlerResult, Item, Restored};
use textcodec_kernels::blocks::after;

use super::Decoder;

impl Decoder {
    /// The number of bytes that ISO-2022-JP's greatest lengths add to the next ones.
    pub(super) fn begun_in_iso_2022_jp(&self) -> usize {
        if !self.restored.is_empty() {
            return 1;
        }
        let follows_escape = usize::from(self.follows_escape());
        match self.encoding.for_decoding().decoder_pending(self.state).len() {
            // A leading byte, and an escape sequence that has begun, look the same in their number only.
            0 | 1 => {
                let has_leading = self.is_in_jis0208() && !self.has_no_leading;
                follows_escape.max(has_leading.into()) + usize::from(self.is_in_escape())
            }
            _ => follows_escape + 2,
        }
    }

    /// Whether no character and no error has come since the last escape sequence: the Standard's *ISO-2022-JP output*. Another
    /// escape sequence would be an error.
    pub(super) fn follows_escape(&self) -> bool {
        let mut state = self.state;
        // The rest of an escape sequence.
        let rest: &[u8] = match self.encoding.for_decoding().decoder_pending(state)[..] {
            [] => b"\x1B(B",
            [0x1B] => b"(B",
            [0x1B, _] => b"B",
            _ => return false,
        };
        rest.iter().map(|&byte| self.feed(&mut state, byte)).last() == Some(false)
    }

    /// Whether an escape sequence has begun.
    fn is_in_escape(&self) -> bool {
        self.encoding.for_decoding().decoder_pending(self.state).first() == Some(&0x1B)
    }

    /// Whether the output state is that of characters of two bytes.
    fn is_in_jis0208(&self) -> bool {
        let encoding = self.encoding.for_decoding();
        let mut state = self.state;
        match encoding.decoder_pending(state).first() {
            Some(0x1B) => {
                // It is no escape sequence, so the state becomes the output state.
                self.feed(&mut state, b'!');
            }
            Some(_) => return true,
            None => {}
        }
        self.feed(&mut state, b'!');
        !encoding.decoder_pending(state).is_empty()
    }

    /// Passes `byte` to the handler. Returns whether there was no error.
    fn feed(&self, state: &mut u64, byte: u8) -> bool {
        let mut io_queue = Restored::<u8>::EMPTY;
        let result = self.encoding.for_decoding().decoder_handler(state, &mut io_queue, Item::Value(byte));
        result != HandlerResult::Error(())
    }

    /// Notes whether the bulk conversion has read a leading byte since the last escape sequence. `followed_escape` is the value of
    /// [`follows_escape`](Self::follows_escape) before the conversion.
    pub(super) fn note_leading_bytes(&mut self, read: &[u8], followed_escape: bool) {
        let (rest, followed_escape) = match read.iter().rposition(|&byte| byte == 0x1B) {
            Some(at) => (after(read, at + 3), true),
            None => (read, followed_escape),
        };
        if rest.iter().any(|byte| (0x21..=0x7E).contains(byte)) {
            self.has_no_leading = false;
        } else if followed_escape && !rest.is_empty() {
            self.has_no_leading = true;
        }
    }
}
