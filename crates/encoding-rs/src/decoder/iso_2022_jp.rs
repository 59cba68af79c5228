//! The greatest lengths of ISO-2022-JP count more than the bytes that have begun a sequence: they grow by one after an
//! escape sequence until the next character, and between characters of two bytes.

use textcodec_core::{
    DecodeErrorMode,
    handler::{HandlerResult, Item, Restored},
};

use super::Decoder;

/// What greatest lengths of ISO-2022-JP depend on besides the state of the handler. Only errors make it differ from
/// [`USUAL`](Self::USUAL), so a call without errors has nothing to do for it.
#[derive(Clone, Copy)]
pub(super) struct History {
    /// Whether an error has come since the last escape sequence, and no leading byte. It counts in the output state of
    /// two bytes only, which always begins with an escape sequence.
    lacks_leading: bool,
    /// Whether the stream has ended inside of an escape sequence that followed another one. encoding_rs still counts
    /// the other one until the next call.
    pub(super) escape_counts_at_end: bool,
}

impl History {
    /// The history of a new decoder, and of one that has written a character since the last error. In the output state
    /// of two bytes, it has read a leading byte before.
    pub(super) const USUAL: Self = History { lacks_leading: false, escape_counts_at_end: false };
}

impl Decoder {
    /// The number of bytes that ISO-2022-JP's greatest lengths add to the next ones.
    pub(super) fn begun_in_iso_2022_jp(&self) -> usize {
        let kept = usize::from(self.history.escape_counts_at_end);
        if !self.restored.is_empty() {
            return 1 + kept;
        }
        let follows_escape = kept.max(self.follows_escape(self.state).into());
        match self.encoding.for_decoding().decoder_pending(self.state)[..] {
            [0x1B, _] => 2 + follows_escape,
            // Between an escape sequence and the next byte there is no leading byte.
            [0x1B] => 1 + follows_escape.max(self.has_leading().into()),
            [] => follows_escape.max(self.has_leading().into()),
            // A leading byte.
            _ => 1,
        }
    }

    /// Whether, in `state`, no character and no error has come since the last escape sequence: the Standard's
    /// *ISO-2022-JP output*. Another escape sequence would be an error.
    fn follows_escape(&self, mut state: u64) -> bool {
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

    /// Whether the output state is that of two bytes, and a leading byte has been read in it. The result has no meaning
    /// after an escape sequence.
    fn has_leading(&self) -> bool {
        !self.history.lacks_leading && self.is_in_jis0208()
    }

    /// Whether the output state is that of characters of two bytes. No leading byte has begun a sequence.
    fn is_in_jis0208(&self) -> bool {
        let codec = self.encoding.for_decoding();
        let mut state = self.state;
        if !codec.decoder_pending(state).is_empty() {
            // It is no escape sequence, so the state becomes the output state.
            self.feed(&mut state, b'!');
        }
        self.feed(&mut state, b'!');
        !codec.decoder_pending(state).is_empty()
    }

    /// Passes `byte` to the handler. Returns whether there was no error.
    fn feed(&self, state: &mut u64, byte: u8) -> bool {
        let mut io_queue = Restored::<u8>::EMPTY;
        let result = self.encoding.for_decoding().decoder_handler(state, &mut io_queue, Item::Value(byte));
        result != HandlerResult::Error(())
    }

    /// The history after the handler has been called with `byte` and has returned an error.
    #[inline(never)]
    pub(super) fn history_after_error(&self, byte: Item<u8>) -> History {
        let pending = self.encoding.for_decoding().decoder_pending(self.state);
        let lacks_leading = match pending[..] {
            [] | [0x1B, ..] => self.history.lacks_leading || self.follows_escape(self.state),
            // A leading byte.
            _ => false,
        };
        let is_cut_off = byte == Item::EndOfQueue && pending.first() == Some(&0x1B);
        History { lacks_leading, escape_counts_at_end: is_cut_off && self.follows_escape(self.state) }
    }

    /// The history after the bulk conversion has read `bytes`, from the state `before` on. In the error mode fatal it
    /// stops before errors.
    #[inline]
    pub(super) fn history_after_all(&self, before: u64, bytes: &[u8], mode: DecodeErrorMode) -> History {
        match mode {
            DecodeErrorMode::Fatal if !self.history.lacks_leading => History::USUAL,
            _ => self.history_after_errors(before, bytes),
        }
    }

    /// As [`history_after_all`](Self::history_after_all), if there can be errors before the bytes or in them.
    #[inline(never)]
    fn history_after_errors(&self, before: u64, bytes: &[u8]) -> History {
        let lacks_leading = match bytes.iter().rposition(|byte| (0x21..=0x7E).contains(byte)) {
            // The last byte of an escape sequence to the output state of two bytes. If another escape sequence is the
            // last one, the output state is another one, too.
            Some(at) => matches!(bytes[..=at], [.., 0x1B, 0x24, 0x40 | 0x42]),
            // Spaces and the like are errors in that output state.
            None => self.history.lacks_leading || self.follows_escape(before),
        };
        History { lacks_leading, escape_counts_at_end: false }
    }
}
