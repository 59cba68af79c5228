//! Decoding slices: where the two layers of a decoder meet, written once for all encodings.

#[cfg(feature = "alloc")]
use alloc::{string::String, vec::Vec};

use textcodec_kernels::{
    ascii,
    blocks::{after, after_mut},
    string,
};

use crate::{
    Bom, Encoding, Handle, Malformed, Name, convert,
    encoding::{Decode, DecoderFunctions, Progress},
    handler::{CodePoints, HandlerResult, Item, Restored},
};

/// What a decoder does about an error; the [error modes](https://encoding.spec.whatwg.org/#error-mode) of decoders.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DecoderErrorMode {
    /// Put U+FFFD in place of the malformed sequence.
    Replacement,
    /// Stop at it.
    Fatal,
}

/// Why a call stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DecodeStatus {
    /// The whole source is read, and if it was the last, the stream has ended.
    InputEmpty,
    /// What comes next does not fit into the rest of the destination: call again with the rest of the source and more
    /// room. Four bytes or two code units are always enough to go on.
    OutputFull,
    /// Only in [`DecoderErrorMode::Fatal`]. The sequence is read; calling again with the rest of the source goes on after it.
    Malformed(Malformed),
}

/// What a call did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use = "the status says whether everything was decoded"]
#[non_exhaustive]
pub struct DecodeResult {
    /// Why it stopped.
    pub status: DecodeStatus,
    /// How many bytes of the source were read.
    pub read: usize,
    /// How many code units of the destination were written. The ones after them may have been overwritten, too.
    pub written: usize,
    /// Whether a malformed sequence was met.
    pub had_errors: bool,
}

impl DecodeResult {
    const NOTHING: Self = DecodeResult { status: DecodeStatus::OutputFull, read: 0, written: 0, had_errors: false };
}

/// A decoder for a stream of bytes that arrives in slices, into slices of UTF-8 or UTF-16.
///
/// It is small and `Copy`: a copy is a snapshot of the stream. It does not allocate. Any sizes of source and
/// destination work, and the text does not depend on them.
///
/// After the last call [`encoding`](Self::encoding), [`bom`](Self::bom), [`position`](Self::position) and
/// [`sequence_start`](Self::sequence_start) still tell of the stream that ended; the next call starts another one, with the
/// encoding that the decoder was made for.
///
/// `E` is how the program names encodings.
#[derive(Clone, Copy, Debug)]
pub struct Decoder<E = &'static Encoding> {
    encoding: E,
    stream: Stream,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum BomHandling {
    Sniff,
    Remove,
    Keep,
}

/// How far a decoder has come in its stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// A byte order mark can still come.
    Start,
    /// None can.
    Text,
    /// The last call is over: the next one starts another stream, and until then nothing is forgotten.
    Ended,
}

/// What a decoder knows of its stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stream {
    /// The handler's state, packed.
    handler: u64,
    /// How many bytes were taken from the sources of all calls.
    position: u64,
    /// The last bytes before `position`, which are still to be handled: what a handler restored from an earlier source,
    /// or the beginning of what could have been a byte order mark.
    restored: Restored<u8>,
    bom_handling: BomHandling,
    stage: Stage,
    /// The mark that decided the encoding.
    bom: Option<Bom>,
}

impl Stream {
    const fn new(bom_handling: BomHandling) -> Self {
        Stream {
            handler: 0,
            position: 0,
            restored: Restored::<u8>::EMPTY,
            bom_handling,
            stage: if matches!(bom_handling, BomHandling::Keep) { Stage::Text } else { Stage::Start },
            bom: None,
        }
    }
}

impl<E> Decoder<E> {
    /// A decoder that takes a byte order mark for U+FEFF, as the Standard's decoders do.
    #[must_use]
    pub const fn new(encoding: E) -> Self {
        Self::with_bom_handling(encoding, BomHandling::Keep)
    }

    /// A decoder that removes one byte order mark from the start of the stream if it is `encoding`'s own, which only UTF-8,
    /// UTF-16BE and UTF-16LE have.
    #[must_use]
    pub const fn removing_bom(encoding: E) -> Self {
        Self::with_bom_handling(encoding, BomHandling::Remove)
    }

    const fn with_bom_handling(encoding: E, bom_handling: BomHandling) -> Self {
        Decoder { encoding, stream: Stream::new(bom_handling) }
    }
}

impl<E: Handle> Decoder<E> {
    /// A decoder that does as [*decode*](https://encoding.spec.whatwg.org/#decode) does: a byte order mark at the start of
    /// the stream is removed and decides the encoding; without one it is `fallback`.
    #[must_use]
    pub const fn sniffing(fallback: E) -> Self {
        Self::with_bom_handling(fallback, BomHandling::Sniff)
    }

    /// The encoding that is decoded; that of the byte order mark once one was met.
    #[must_use]
    pub fn encoding(&self) -> E {
        match self.stream.bom {
            None => self.encoding,
            Some(bom) => told_by(bom, self.encoding),
        }
    }

    /// The byte order mark that decided the encoding, also if that is the one which the decoder was made for. `None` if there
    /// was none yet, and in a decoder that is not sniffing.
    #[must_use]
    pub fn bom(&self) -> Option<Bom> {
        self.stream.bom
    }

    /// How many bytes of the stream were read so far.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.stream.position
    }

    /// Where the sequence starts that comes next or has begun, in bytes from the start of the stream: everything before it
    /// is in what was written.
    #[must_use]
    pub fn sequence_start(&self) -> u64 {
        let encoding = self.encoding().as_static();
        let pending = (encoding.decoder().pending)(encoding, self.stream.handler).len();
        self.stream.position - (self.stream.restored.len() + pending) as u64
    }

    /// How many of `bytes`, which come next in the stream, have the value of the code point that each of them stands for: they can be
    /// taken for Latin-1 as they are, and need not go through the decoder. For programs with strings in Latin-1.
    ///
    /// `None` in UTF-16 and replacement, where a byte order mark can still come, inside of a sequence, and where ISO-2022-JP is not in
    /// its initial state. What does not go through the decoder counts in no offset, and does not end a stream.
    #[doc(alias = "latin1_byte_compatible_up_to")]
    #[must_use]
    pub fn latin1_up_to(&self, bytes: &[u8]) -> Option<usize> {
        let (stream, encoding) = (&self.stream, self.encoding().as_static());
        let is_initial = match (stream.stage, stream.bom_handling) {
            (Stage::Text, _) => stream.restored.is_empty() && stream.handler == 0,
            (_, BomHandling::Sniff) => false,
            (_, BomHandling::Remove) => !Bom::ALL.iter().any(|bom| bom.name() == encoding.id()),
            (_, BomHandling::Keep) => true,
        };
        if !is_initial {
            return None;
        }
        match encoding.id() {
            Name::Utf16Be | Name::Utf16Le | Name::Replacement => None,
            Name::Iso2022Jp => Some(convert::iso_2022_jp_ascii_up_to(bytes)),
            _ => {
                let is_same = |byte: u8| {
                    let code_point = encoding.index().map(|index| index.code_points[usize::from(byte & 0x7F)]);
                    code_point == Some(byte.into())
                };
                let mut length = ascii::prefix_length(bytes);
                // What comes behind ASCII is not ASCII.
                while bytes.get(length).copied().is_some_and(is_same) {
                    length += 1;
                    length += ascii::prefix_length(after(bytes, length));
                }
                Some(length)
            }
        }
    }

    /// Forgets the stream: the next call starts another one with the encoding that the decoder was made for.
    pub fn reset(&mut self) {
        self.stream = Stream::new(self.stream.bom_handling);
    }

    /// The state of the stream as three words, for programs that keep it where no value of Rust can be, such as in memory of a
    /// scripting language. A decoder for the same encoding continues the stream after
    /// [`set_stream_state`](Self::set_stream_state). A decoder that does not look for byte order marks starts with three zeros.
    #[must_use]
    pub fn stream_state(&self) -> [u64; 3] {
        let Stream { handler, position, ref restored, stage, bom, .. } = self.stream;
        let stage = match stage {
            Stage::Text => 0,
            Stage::Start => 1,
            Stage::Ended => 2,
        };
        let bom = match bom {
            None => 0,
            Some(Bom::Utf8) => 1,
            Some(Bom::Utf16Be) => 2,
            Some(Bom::Utf16Le) => 3,
        };
        // From the lowest byte up: three restored bytes, their number, the stage, the byte order mark.
        let mut bytes = [0, 0, 0, restored.len() as u8, stage, bom, 0, 0];
        bytes[..restored.len()].copy_from_slice(restored.as_slice());
        [handler, position, u64::from_le_bytes(bytes)]
    }

    /// Continues the stream that [`stream_state`](Self::stream_state) returned `state` for, from a decoder that was made for the
    /// same encoding in the same way.
    ///
    /// # Panics
    /// Later calls may panic if `state` has another origin.
    pub fn set_stream_state(&mut self, [handler, position, rest]: [u64; 3]) {
        let [first, second, third, length, stage, bom, ..] = rest.to_le_bytes();
        let mut restored = Restored::<u8>::EMPTY;
        for &byte in [first, second, third].iter().take(usize::from(length)) {
            restored.push(byte);
        }
        let stage = match stage {
            0 => Stage::Text,
            1 => Stage::Start,
            _ => Stage::Ended,
        };
        let bom = match bom {
            1 => Some(Bom::Utf8),
            2 => Some(Bom::Utf16Be),
            3 => Some(Bom::Utf16Le),
            _ => None,
        };
        self.stream = Stream { handler, position, restored, bom_handling: self.stream.bom_handling, stage, bom };
    }

    /// Forgets the bytes that the handler restored from earlier sources and that are still to be handled. The handler's
    /// state stays: this is how the Standard's `TextDecoder` goes on after an error.
    pub fn discard_restored(&mut self) {
        self.stream.restored.clear();
    }

    /// Decodes `source` into UTF-8 at the front of `destination`; see [`DecodeResult`] for what may be left over.
    /// `last` says that the stream ends with this source.
    #[doc(alias = "decode_to_utf8_without_replacement")]
    #[inline]
    pub fn decode_to_utf8(
        &mut self,
        source: &[u8],
        destination: &mut [u8],
        last: bool,
        mode: DecoderErrorMode,
    ) -> DecodeResult {
        self.run(source, destination, last, mode)
    }

    /// Decodes `source` into UTF-16 at the front of `destination`; see [`DecodeResult`] for what may be left over.
    /// `last` says that the stream ends with this source.
    #[doc(alias = "decode_to_utf16_without_replacement")]
    #[inline]
    pub fn decode_to_utf16(
        &mut self,
        source: &[u8],
        destination: &mut [u16],
        last: bool,
        mode: DecoderErrorMode,
    ) -> DecodeResult {
        self.run(source, destination, last, mode)
    }

    /// Decodes `source` into `destination`, of which everything behind the text becomes 0. As
    /// [`decode_to_utf8`](Self::decode_to_utf8) otherwise.
    #[doc(alias = "decode_to_str_without_replacement")]
    pub fn decode_to_str(
        &mut self,
        source: &[u8],
        destination: &mut str,
        last: bool,
        mode: DecoderErrorMode,
    ) -> DecodeResult {
        let mut result = DecodeResult::NOTHING;
        string::write(destination, |destination| {
            result = self.decode_to_utf8(source, destination, last, mode);
            result.written
        });
        result
    }

    /// Decodes all of `source` and appends the text to `destination`, which grows as needed. The status is never
    /// [`DecodeStatus::OutputFull`]; `written` counts bytes.
    #[doc(alias = "decode_to_string_without_replacement")]
    #[cfg(feature = "alloc")]
    pub fn decode_to_string(
        &mut self,
        source: &[u8],
        destination: &mut String,
        last: bool,
        mode: DecoderErrorMode,
    ) -> DecodeResult {
        grow(source, 3, mode, |rest, room| {
            let mut result = DecodeResult::NOTHING;
            string::append(destination, room, |destination| {
                result = self.decode_to_utf8(rest, destination, last, mode);
                result.written
            });
            result
        })
    }

    /// Decodes all of `source` and appends the code units to `destination`, which grows as needed. The status is never
    /// [`DecodeStatus::OutputFull`].
    #[cfg(feature = "alloc")]
    pub fn decode_to_utf16_vec(
        &mut self,
        source: &[u8],
        destination: &mut Vec<u16>,
        last: bool,
        mode: DecoderErrorMode,
    ) -> DecodeResult {
        grow(source, 1, mode, |rest, room| {
            let length = destination.len();
            destination.resize(length + room, 0);
            let result = self.decode_to_utf16(rest, after_mut(destination, length), last, mode);
            destination.truncate(length + result.written);
            result
        })
    }

    /// Decodes all of `source`, appends the text to `destination`, and at every malformed sequence calls `on_error`, which
    /// can append whatever is to stand for it. Returns whether there was one.
    #[cfg(feature = "alloc")]
    pub fn decode_to_string_with(
        &mut self,
        source: &[u8],
        destination: &mut String,
        last: bool,
        mut on_error: impl FnMut(Malformed, &mut String),
    ) -> bool {
        let (mut rest, mut had_errors) = (source, false);
        loop {
            let result = self.decode_to_string(rest, destination, last, DecoderErrorMode::Fatal);
            let DecodeStatus::Malformed(malformed) = result.status else { return had_errors };
            rest = &rest[result.read..];
            had_errors = true;
            on_error(malformed, destination);
        }
    }

    /// How many bytes of UTF-8 the next `source_length` bytes of the stream can at most become, the end of the stream
    /// included: a destination of this size is never too small. `None` if that is more than `usize` can say.
    #[doc(alias("max_utf8_buffer_length", "max_utf8_buffer_length_without_replacement"))]
    #[must_use]
    pub fn max_utf8_length(&self, source_length: usize) -> Option<usize> {
        // U+FFFD is the longest that one byte can become. All that two and more become is shorter in relation.
        self.max_utf16_length(source_length)?.checked_mul(3)
    }

    /// How many code units of UTF-16 the next `source_length` bytes of the stream can at most become, the end of the stream
    /// included: a destination of this size is never too small. `None` if that is more than `usize` can say.
    #[doc(alias = "max_utf16_buffer_length")]
    #[must_use]
    pub fn max_utf16_length(&self, source_length: usize) -> Option<usize> {
        // A byte is part of one item at most, be that a scalar value or an error, and a pair of surrogates needs two bytes.
        let begun = self.stream.position - self.sequence_start();
        source_length.checked_add(begun as usize)
    }

    /// Bulk conversion as far as it goes, then an item through the handler, and again. Most calls are done with the first conversion,
    /// so that much stands where the caller is, who gets the result in registers.
    ///
    /// There is a single call of each of an encoding's functions, and no reference to this decoder is handed to any. So the compiler
    /// sees which functions a program with one encoding does not need.
    #[inline]
    fn run<U: CodeUnit>(
        &mut self,
        source: &[u8],
        destination: &mut [U],
        last: bool,
        mode: DecoderErrorMode,
    ) -> DecodeResult {
        let mut skipped = 0;
        if self.stream.stage != Stage::Text && self.may_begin_with_bom(source) {
            match self.skip_bom(source, last) {
                Some(length) => skipped = length,
                None => {
                    return DecodeResult {
                        status: DecodeStatus::InputEmpty,
                        read: source.len(),
                        written: 0,
                        had_errors: false,
                    };
                }
            }
        }
        let rest = after(source, skipped);
        let (encoding, stream) = (self.encoding().as_static(), &mut self.stream);
        let convert = U::convert(encoding.decoder());
        let mut done = Progress::default();
        let mut state = stream.handler;
        let status = loop {
            if stream.restored.is_empty() {
                // Up to the first error it stops at all of them, so that this one is noticed.
                let mode = if done.had_errors { mode } else { DecoderErrorMode::Fatal };
                let (from, to) = (after(rest, done.read), after_mut(destination, done.written));
                if !from.is_empty() {
                    let (read, written) = convert(encoding, &mut state, from, to, mode);
                    done.read += read;
                    done.written += written;
                }
                // A state of 0 is that of a new decoder, for which there is nothing to do at the end.
                if done.read == rest.len() && !(last && state != 0) {
                    break DecodeStatus::InputEmpty;
                }
            }
            let status;
            (done, status, state) = handle(encoding, stream, state, rest, destination, last, mode, done);
            if let Some(status) = status {
                break status;
            }
        };
        stream.handler = state;
        stream.position += done.read as u64;
        if last && status == DecodeStatus::InputEmpty {
            stream.stage = Stage::Ended;
        }
        DecodeResult { status, read: skipped + done.read, written: done.written, had_errors: done.had_errors }
    }

    /// Starts another stream if one has ended. Returns whether there is any need to look for a byte order mark: rarely, and
    /// looking takes longer than decoding a short source.
    #[inline]
    fn may_begin_with_bom(&mut self, source: &[u8]) -> bool {
        let stream = &mut self.stream;
        if stream.stage == Stage::Ended {
            // Nothing is restored at the end of a stream.
            (stream.handler, stream.position, stream.bom) = (0, 0, None);
        }
        let begins = |byte: &u8| Bom::ALL.iter().any(|bom| bom.bytes()[0] == *byte);
        let may = stream.bom_handling != BomHandling::Keep
            && (!stream.restored.is_empty() || source.first().is_none_or(begins));
        stream.stage = if may { Stage::Start } else { Stage::Text };
        may
    }

    /// Looks for a byte order mark where the stream starts. Returns how many bytes of `source` are thereby done with, or
    /// `None` if all of them are kept for the next call, which is to tell.
    #[cold]
    fn skip_bom(&mut self, source: &[u8], last: bool) -> Option<usize> {
        let stream = &mut self.stream;
        let held = stream.restored.len();
        let taken = source.len().min(3 - held);
        let mut start = stream.restored;
        source[..taken].iter().for_each(|&byte| start.push(byte));
        let mut candidates = Bom::ALL.into_iter().filter(|bom| match stream.bom_handling {
            BomHandling::Sniff => E::of_bom(*bom).is_some(),
            BomHandling::Remove => bom.name() == self.encoding.as_static().id(),
            BomHandling::Keep => false,
        });
        let bom = candidates.clone().find(|bom| start.as_slice().starts_with(bom.bytes()));
        if bom.is_none() && !last && candidates.any(|bom| bom.bytes().starts_with(start.as_slice())) {
            stream.restored = start;
            stream.position += taken as u64;
            return None;
        }
        stream.stage = Stage::Text;
        let Some(bom) = bom else { return Some(0) };
        let skipped = bom.bytes().len() - held;
        stream.bom = (stream.bom_handling == BomHandling::Sniff).then_some(bom);
        stream.restored.clear();
        stream.position += skipped as u64;
        Some(skipped)
    }
}

/// The encoding of a byte order mark. Apart, for in line the choice between them would be made by a jump, for texts without a mark, too.
#[cold]
fn told_by<E: Handle>(bom: Bom, fallback: E) -> E {
    E::of_bom(bom).unwrap_or(fallback)
}

/// Calls `decode` with the rest of `source` and how much room it may have until that is enough. A byte becomes `longest` units
/// at most.
///
/// Every end of the room costs the time of some hundred units, which are converted one by one there. A source that is not long
/// therefore gets all the room that it can need, a longer one as much as two bytes of East Asia become; but only little at first
/// in the mode fatal, so that stopping at an error every few bytes does not cost a large room each time.
#[cfg(feature = "alloc")]
fn grow(
    source: &[u8],
    longest: usize,
    mode: DecoderErrorMode,
    mut decode: impl FnMut(&[u8], usize) -> DecodeResult,
) -> DecodeResult {
    const SHORT: usize = 1024;
    let mut total = DecodeResult::NOTHING;
    let mut most = if mode == DecoderErrorMode::Fatal { 3 * SHORT + 4 } else { usize::MAX };
    while total.status == DecodeStatus::OutputFull {
        let rest = after(source, total.read);
        let enough = if rest.len() <= SHORT { longest * rest.len() } else { rest.len() + rest.len() / 6 * longest };
        // Four bytes are always enough to go on.
        let result = decode(rest, most.min(enough + 4));
        total.status = result.status;
        total.read += result.read;
        total.written += result.written;
        total.had_errors |= result.had_errors;
        most = most.saturating_mul(8);
    }
    total
}

/// A code unit of the text: a byte of UTF-8 or a 16-bit unit of UTF-16.
pub(crate) trait CodeUnit: Copy + 'static {
    /// U+FFFD.
    const REPLACEMENT: &'static [Self];

    /// Writes `code_point` to the front of `destination` and returns how many units that took, or `None` if it does not fit.
    fn write(code_point: char, destination: &mut [Self]) -> Option<usize>;

    /// The bulk conversion into this unit.
    fn convert(functions: &DecoderFunctions) -> Decode<Self>;
}

impl CodeUnit for u8 {
    const REPLACEMENT: &'static [u8] = "\u{FFFD}".as_bytes();

    fn write(code_point: char, destination: &mut [u8]) -> Option<usize> {
        let room = destination.get_mut(..code_point.len_utf8())?;
        Some(code_point.encode_utf8(room).len())
    }

    fn convert(functions: &DecoderFunctions) -> Decode<Self> {
        functions.convert_to_utf8
    }
}

impl CodeUnit for u16 {
    const REPLACEMENT: &'static [u16] = &[0xFFFD];

    fn write(code_point: char, destination: &mut [u16]) -> Option<usize> {
        let room = destination.get_mut(..code_point.len_utf16())?;
        Some(code_point.encode_utf16(room).len())
    }

    fn convert(functions: &DecoderFunctions) -> Decode<Self> {
        functions.convert
    }
}

/// Writes `code_points` to the front of `destination` and returns how many units that took, or `None` if they do not fit.
#[inline]
fn write<U: CodeUnit>(code_points: CodePoints, destination: &mut [U]) -> Option<usize> {
    let first = U::write(code_points.first, destination)?;
    let second = code_points.second.map_or(Some(0), |second| U::write(second, after_mut(destination, first)))?;
    Some(first + second)
}

/// An item through the handler, and more as long as a sequence goes on or items are restored from earlier sources. Returns how far
/// that has come, and why it stopped unless it is to go on.
///
/// A step of the handler is tried on a copy of the state and becomes valid only when its result fits into the
/// destination: so any size of destination works, and none is left unfilled that could have been filled.
#[expect(
    clippy::too_many_arguments,
    reason = "behind references the compiler does not see what a program with one encoding does not need: 27 KB more"
)]
#[inline]
fn handle<U: CodeUnit>(
    encoding: &'static Encoding,
    stream: &mut Stream,
    mut state: u64,
    source: &[u8],
    destination: &mut [U],
    last: bool,
    mode: DecoderErrorMode,
    mut done: Progress,
) -> (Progress, Option<DecodeStatus>, u64) {
    let functions = encoding.decoder();
    let pending = |state| (functions.pending)(encoding, state).len();
    let mut restored = stream.restored;
    let status = loop {
        let mut io_queue = restored;
        let mut taken = 0;
        let byte = match io_queue.read() {
            Some(byte) => Item::Value(byte),
            None => match source.get(done.read) {
                Some(&byte) => {
                    taken = 1;
                    Item::Value(byte)
                }
                None if last && state != 0 => Item::EndOfQueue,
                None => break Some(DecodeStatus::InputEmpty),
            },
        };

        let before = state;
        let (mut malformed, mut is_amid) = (None, false);
        match (functions.handler)(encoding, &mut state, &mut io_queue, byte) {
            HandlerResult::Items(code_points) => match write(code_points, after_mut(destination, done.written)) {
                Some(units) => done.written += units,
                None => {
                    state = before;
                    break Some(DecodeStatus::OutputFull);
                }
            },
            HandlerResult::Error(()) if mode == DecoderErrorMode::Replacement => {
                let Some(room) = destination.get_mut(done.written..done.written + U::REPLACEMENT.len()) else {
                    state = before;
                    break Some(DecodeStatus::OutputFull);
                };
                room.copy_from_slice(U::REPLACEMENT);
                done.written += room.len();
                done.had_errors = true;
            }
            HandlerResult::Error(()) => {
                let mut bytes = (functions.pending)(encoding, before);
                let start = stream.position + done.read as u64 - (restored.len() + bytes.len()) as u64;
                let end = stream.position + (done.read + taken) as u64 - (io_queue.len() + pending(state)) as u64;
                if let Item::Value(byte) = byte {
                    bytes.push(byte);
                }
                bytes.truncate((end - start) as usize);
                malformed = Some(Malformed::new(start, bytes));
                done.had_errors = true;
            }
            HandlerResult::Continue => is_amid = true,
            HandlerResult::Finished if byte == Item::EndOfQueue => break Some(DecodeStatus::InputEmpty),
            // The replacement decoder: nothing more is read.
            HandlerResult::Finished => {
                io_queue.clear();
                taken = source.len() - done.read;
            }
        }

        done.read += taken;
        restored = io_queue;
        // Restored bytes that this source ends in at `read` are simply not read yet.
        if restored.len() <= done.read {
            done.read -= restored.len();
            restored.clear();
        }
        if let Some(malformed) = malformed {
            break Some(DecodeStatus::Malformed(malformed));
        }
        // In the middle of a sequence nothing is to be done in bulk.
        if restored.is_empty() && !is_amid {
            break None;
        }
    };
    stream.restored = restored;
    (done, status, state)
}

const _: () = assert!(size_of::<Decoder>() <= 32);
