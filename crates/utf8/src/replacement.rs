//! [replacement](https://encoding.spec.whatwg.org/#replacement).

use textcodec_core::{
    Codec, DecoderFunctions, Encoding, Name,
    handler::{Bytes, CodePoints, DecoderHandler, HandlerResult, Item, Restore, Unchanged},
};

/// [replacement](https://encoding.spec.whatwg.org/#replacement): a single error for any input, in place of encodings
/// that are too dangerous to support. It has no encoder.
pub static REPLACEMENT: Encoding = {
    static DECODER: DecoderFunctions = DecoderFunctions::of::<ReplacementDecoder>();
    Codec::without_encoder(&DECODER).named(Name::Replacement)
};

/// [replacement's decoder](https://encoding.spec.whatwg.org/#replacement-decoder).
#[derive(Clone, Copy, Debug)]
struct ReplacementDecoder {
    /// replacement error returned
    replacement_error_returned: bool,
}

impl DecoderHandler for ReplacementDecoder {
    const UNCHANGED: Unchanged = Unchanged::Nothing;
    const STATE_BITS: u8 = 63;
    /// Before and after the error.
    const STATES_BETWEEN: u8 = 2;

    fn handler<Q: Restore<u8>>(&mut self, _: &mut Q, byte: Item<u8>) -> HandlerResult<CodePoints, ()> {
        if byte == Item::EndOfQueue {
            return HandlerResult::Finished;
        }
        if !self.replacement_error_returned {
            self.replacement_error_returned = true;
            return HandlerResult::Error(());
        }
        HandlerResult::Finished
    }

    fn pending(&self) -> Bytes {
        Bytes::EMPTY
    }

    fn pack(self) -> u64 {
        u64::from(self.replacement_error_returned)
    }

    fn unpack(_: &'static Codec, word: u64) -> Self {
        ReplacementDecoder { replacement_error_returned: word != 0 }
    }
}

#[cfg(test)]
mod tests {
    use textcodec_core::testing::battery;

    use super::*;

    #[test]
    fn replacement_passes_the_battery() {
        battery(&REPLACEMENT, b"a\x1B\x80\xFF", "");
    }
}
