//! The byte order mark at the start of a stream, as [*decode*](https://encoding.spec.whatwg.org/#decode) and
//! [*UTF-8 decode*](https://encoding.spec.whatwg.org/#utf-8-decode) handle it.

use super::{Decoder, Stage, Stream};
use crate::{Bom, Handle};

/// The treatment of a byte order mark by a decoder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BomHandling {
    /// Remove the byte order mark of any encoding, and decode that encoding.
    Sniff,
    /// Remove the byte order mark of the decoder's own encoding.
    Remove,
    /// Decode it as U+FEFF.
    Keep,
}

impl<E: Handle> Decoder<E> {
    /// Starts another stream if the last one has ended. Returns whether `source` may begin with a byte order mark, or
    /// with the rest of one that an earlier source has begun. Most sources do not, and comparing a source with all byte
    /// order marks takes longer than decoding a short source.
    #[inline]
    pub(super) fn may_begin_with_bom(&mut self, source: &[u8]) -> bool {
        let stream = &mut self.stream;
        if stream.stage == Stage::Ended {
            // No bytes are restored at the end of a stream.
            (stream.handler, stream.position, stream.bom) = (0, 0, None);
        }
        let begins = |byte: &u8| Bom::ALL.iter().any(|bom| bom.bytes()[0] == *byte);
        let may = stream.bom_handling != BomHandling::Keep
            && (!stream.restored.is_empty() || source.first().is_none_or(begins));
        stream.stage = if may { Stage::Start } else { Stage::Text };
        may
    }
}

/// Looks for a byte order mark at the start of the `stream` of a decoder for `encoding`. Returns the stream after it,
/// and the length of its bytes in `source`, 0 if there is none. Returns `None` for the length if the next source
/// decides whether there is one; then the stream keeps all bytes of `source`.
///
/// The function takes no reference to a decoder, so that the compiler sees which decoders never call it. A program with
/// such decoders alone does not link the encodings of byte order marks.
#[cold]
pub(super) fn skip_bom<E: Handle>(
    encoding: E,
    mut stream: Stream,
    source: &[u8],
    last: bool,
) -> (Stream, Option<usize>) {
    let held = stream.restored.len();
    let taken = source.len().min(3 - held);
    let mut start = stream.restored;
    source[..taken].iter().for_each(|&byte| start.push(byte));
    let mut candidates = Bom::ALL.into_iter().filter(|bom| match stream.bom_handling {
        BomHandling::Sniff => E::of_bom(*bom).is_some(),
        BomHandling::Remove => encoding.codec().bom() == Some(*bom),
        BomHandling::Keep => false,
    });
    let bom = candidates.clone().find(|bom| start.as_slice().starts_with(bom.bytes()));
    if bom.is_none() && !last && candidates.any(|bom| bom.bytes().starts_with(start.as_slice())) {
        stream.restored = start;
        stream.position += taken as u64;
        return (stream, None);
    }
    stream.stage = Stage::Text;
    let Some(bom) = bom else { return (stream, Some(0)) };
    let skipped = bom.bytes().len() - held;
    stream.bom = (stream.bom_handling == BomHandling::Sniff).then_some(bom);
    stream.restored.clear();
    stream.position += skipped as u64;
    (stream, Some(skipped))
}

/// The encoding of a byte order mark. Not inlined: the compiler would choose between the encodings by an indirect jump,
/// which every call would pass through, also in streams without a byte order mark.
#[cold]
pub(super) fn encoding_of<E: Handle>(bom: Bom, fallback: E) -> E {
    E::of_bom(bom).unwrap_or(fallback)
}
