//! The byte order mark at the start of a stream.
//!
//! A decoder that waits for a byte order mark holds the bytes that can begin one, until a later source decides. If
//! there is none, the held bytes are decoded like a source of their own, before the source that has decided.

use textcodec_core::{Bom, DecodeErrorMode, handler::Restore};
use textcodec_kernels::blocks::skip;

use super::{
    Decoder, DecoderResult, Restored,
    run::Done,
    writer::{Destination, Writer},
};
use crate::Encoding;

/// The message of the panic after the end of a stream.
pub(super) const FINISHED: &str = "a decoder must not be used after the end of its stream";

/// The part of the stream that a decoder has reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    /// The start, where any byte order mark may come.
    Sniff,
    /// The start, where the byte order mark of the decoder's own encoding may come.
    Remove,
    /// The text.
    Text,
    /// The end.
    Finished,
}

impl Decoder {
    /// Decodes `source` after the byte order mark, if the stream is at its start, and puts the proof of what was
    /// written into `proof`.
    #[inline]
    pub(super) fn pass_bom<D: Destination>(
        &mut self,
        source: &[u8],
        destination: D,
        proof: &mut D::Proof,
        last: bool,
        mode: DecodeErrorMode,
    ) -> Done {
        let mut writer = destination.writer();
        let mut skipped = 0;
        let mut had_errors = false;
        if self.stage != Stage::Text || !self.held.is_empty() {
            match self.start(source, &mut writer, last, mode) {
                Start::Skip(length) => skipped = length,
                Start::Replayed(errors) => had_errors = errors,
                Start::Over(done) => {
                    *proof = writer.finish();
                    return done;
                }
            }
        }
        let mut done = self.run(skip(source, skipped), &mut writer, last, mode);
        *proof = writer.finish();
        done.read += skipped;
        done.had_errors |= had_errors;
        if last && done.result == DecoderResult::InputEmpty {
            self.stage = Stage::Finished;
        }
        done
    }

    /// Looks for the byte order mark at the start of the stream, and decodes held bytes that are none.
    #[cold]
    fn start<W: Writer>(&mut self, source: &[u8], writer: &mut W, last: bool, mode: DecodeErrorMode) -> Start {
        assert!(self.stage != Stage::Finished, "{FINISHED}");
        if self.stage != Stage::Text {
            let held = self.held.len();
            let mut start = self.held;
            let mut taken = 0;
            // The longest byte order mark has three bytes.
            while taken < source.len() && start.len() < 3 {
                let begun = push(start, source[taken]);
                if !self.candidates().any(|bom| bom.bytes().starts_with(begun.as_slice())) {
                    break;
                }
                start = begun;
                taken += 1;
                if let Some(bom) = self.candidates().find(|bom| bom.bytes() == start.as_slice()) {
                    if self.stage == Stage::Sniff {
                        self.encoding = Encoding::of_bom(bom);
                    }
                    (self.held, self.stage) = (Restored::<u8>::EMPTY, Stage::Text);
                    return Start::Skip(taken);
                }
            }
            // Without bytes, the end of the stream does not end the start either.
            if taken == source.len() && (!last || start.is_empty()) {
                self.held = start;
                return Start::Over(Done { read: taken, ..Done::NOTHING });
            }
            if held == 0 {
                self.stage = Stage::Text;
                return Start::Skip(0);
            }
        }
        let held = self.held;
        let done = self.run(held.as_slice(), writer, false, mode);
        self.held = without_front(held, done.read);
        if done.read > 0 || done.result != DecoderResult::OutputFull {
            self.stage = Stage::Text;
        }
        if done.result == DecoderResult::InputEmpty {
            Start::Replayed(done.had_errors)
        } else {
            Start::Over(Done { read: 0, ..done })
        }
    }

    /// The byte order marks that the decoder looks for.
    fn candidates(&self) -> impl Iterator<Item = Bom> + use<> {
        let own = match self.stage {
            Stage::Sniff => None,
            _ => self.encoding.bom(),
        };
        Bom::ALL.into_iter().filter(move |&bom| own.is_none_or(|own| own == bom))
    }
}

/// What comes after the start of a stream.
enum Start {
    /// The text begins after this number of bytes of the source.
    Skip(usize),
    /// The held bytes are decoded; the text goes on with the source. There was an error among the held bytes if the
    /// value is true.
    Replayed(bool),
    /// The call is over.
    Over(Done),
}

/// `bytes` and one more.
fn push(bytes: Restored<u8>, byte: u8) -> Restored<u8> {
    let mut all = Restored::<u8>::EMPTY;
    all.restore(&[byte]);
    all.restore(bytes.as_slice());
    all
}

/// `bytes` without the first `count`.
fn without_front(bytes: Restored<u8>, count: usize) -> Restored<u8> {
    let mut rest = Restored::<u8>::EMPTY;
    rest.restore(skip(bytes.as_slice(), count));
    rest
}
