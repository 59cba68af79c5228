//! The greatest lengths of ISO-2022-JP count more than the bytes that have begun a sequence: they grow by one after an
//! escape sequence until the next character, and between characters of two bytes.

use textcodec_core::handler::{HandlerResult, Item, Restored};

use super::Decoder;

/// What greatest lengths of ISO-2022-JP depend on besides the state of the handler.
#[derive(Clone, Copy)]
pub(super) struct History {
    /// Whether a leading byte has been read since the last escape sequence. It counts in the output state of two bytes
    /// only, which always begins with an escape sequence.
    has_leading: bool,
    /// Whether the stream has ended inside of an escape sequence that followed another one. encoding_rs still counts
    /// the other one until the next call.
    pub(super) escape_counts_at_end: bool,
}

impl History {
    pub(super) const NEW: Self = History { has_leading: false, escape_counts_at_end: false };

    /// The history after the handler has written a character. In the output state of two bytes, it has read a leading
    /// byte before.
    pub(super) const AFTER_CHARACTER: Self = History { has_leading: true, escape_counts_at_end: false };
}

impl Decoder {
    /// The number of bytes that ISO-2022-JP's greatest lengths add to the next ones.
    pub(super) fn begun_in_iso_2022_jp(&self) -> usize {
        let kept = usize::from(self.history.escape_counts_at_end);
        if !self.restored.is_empty() {
            return 1 + kept;
        }
        let follows_escape = kept.max(self.follows_escape().into());
        match self.encoding.for_decoding().decoder_pending(self.state)[..] {
            [0x1B, _] => 2 + follows_escape,
            // Between an escape sequence and the next byte there is no leading byte.
            [0x1B] => 1 + follows_escape.max(self.has_leading().into()),
            [] => follows_escape.max(self.has_leading().into()),
            // A leading byte.
            _ => 1,
        }
    }

    /// Whether no character and no error has come since the last escape sequence: the Standard's *ISO-2022-JP output*.
    /// Another escape sequence would be an error.
    fn follows_escape(&self) -> bool {
        let mut state = self.state;
        // The rest of an escape sequence.
        let rest: &[u8] = match self.encoding.for_decoding().decoder_pending(state)[..] {
            [] => b"\x1B(B",
            [0x1B] => b"(B",
            [0x1B, _] => b"B",
            _ => return false,
        };
        // The byte before the last one decides between the escape sequences that end with this byte; both exist.
        rest.iter().map(|&byte| self.feed(&mut state, byte)).last() == Some(false)
    }

    /// Whether the output state is that of two bytes, and a leading byte has been read in it.
    fn has_leading(&self) -> bool {
        self.history.has_leading && self.is_in_jis0208()
    }

    /// Whether the output state is that of characters of two bytes. No leading byte has begun a sequence.
    fn is_in_jis0208(&self) -> bool {
        let encoding = self.encoding.for_decoding();
        let mut state = self.state;
        if !encoding.decoder_pending(state).is_empty() {
            // It is no escape sequence, so the state becomes the output state.
            self.feed(&mut state, b'!');
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

    /// The history after the handler has read `byte` without output, which led to the state `after`. If `byte` is a
    /// leading byte, the next byte decides.
    pub(super) fn history_after_continue(&self, after: u64, byte: Item<u8>) -> History {
        // These bytes can end an escape sequence.
        let is_escape_sequence = matches!(byte, Item::Value(0x40 | 0x42 | 0x49 | 0x4A))
            && self.encoding.for_decoding().decoder_pending(after).is_empty();
        History { has_leading: self.history.has_leading && !is_escape_sequence, escape_counts_at_end: false }
    }

    /// The history after the handler has been called with `byte` and has returned an error. `has_restored` says whether
    /// it has restored bytes.
    #[inline(never)]
    pub(super) fn history_after_error(&self, byte: Item<u8>, has_restored: bool) -> History {
        let pending = self.encoding.for_decoding().decoder_pending(self.state);
        let has_leading = match pending[..] {
            // A complete escape sequence is an error, too, if it follows another one.
            [0x1B, _] if !has_restored => false,
            [] | [0x1B, ..] => self.history.has_leading,
            // A leading byte.
            _ => true,
        };
        let is_cut_off = byte == Item::EndOfQueue && pending.first() == Some(&0x1B);
        History { has_leading, escape_counts_at_end: is_cut_off && self.follows_escape() }
    }

    /// The history after the bulk conversion has read `bytes`. It starts and ends between sequences.
    #[inline(never)]
    pub(super) fn history_after_all(&self, bytes: &[u8]) -> History {
        let has_leading = match bytes.iter().rposition(|byte| (0x21..=0x7E).contains(byte)) {
            // The last byte of an escape sequence to the output state of two bytes. If another escape sequence is the
            // last one, the output state is another one, too.
            Some(at) => !matches!(bytes[..=at], [.., 0x1B, 0x24, 0x40 | 0x42]),
            None => self.history.has_leading,
        };
        History { has_leading, escape_counts_at_end: false }
    }
}
