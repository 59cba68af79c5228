//! Decoding slices: where the two layers of a decoder meet, written once for all encodings.

mod run;

#[cfg(feature = "alloc")]
use alloc::{string::String, vec::Vec};
use core::mem::MaybeUninit;

use textcodec_kernels::{ascii, blocks::after, string};

use self::run::{Destination, Writer};
use crate::{
    Bom, Encoding, Handle, Malformed,
    handler::{Restored, Unchanged},
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

    /// Adds what the next call did.
    fn add(&mut self, next: DecodeResult) {
        self.status = next.status;
        self.read += next.read;
        self.written += next.written;
        self.had_errors |= next.had_errors;
    }
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
            (_, BomHandling::Remove) => encoding.bom().is_none(),
            (_, BomHandling::Keep) => true,
        };
        if !is_initial {
            return None;
        }
        match encoding.unchanged() {
            unchanged @ (Unchanged::Nothing | Unchanged::AsciiExcept(_)) => unchanged.ascii_up_to(bytes),
            Unchanged::Utf8 | Unchanged::Ascii => {
                let is_same = |byte: u8| {
                    let code_point = encoding.index().map(|index| index.code_points()[usize::from(byte & 0x7F)]);
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
        string::write_bytes(destination, |space, proof| self.run(source, space, proof, last, mode))
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
        self.run(source, destination, &mut (), last, mode)
    }

    /// Decodes `source` into the front of `destination`. As [`decode_to_utf8`](Self::decode_to_utf8) otherwise: the status can be
    /// [`DecodeStatus::OutputFull`], and `written` counts bytes.
    ///
    /// Some bytes after the text become 0: at most as many as the source could have become, and the rest of a character of the
    /// old text that these cut in two. The others stay as they were.
    #[doc(alias = "decode_to_str_without_replacement")]
    pub fn decode_to_str(
        &mut self,
        source: &[u8],
        destination: &mut str,
        last: bool,
        mode: DecoderErrorMode,
    ) -> DecodeResult {
        let mut total = DecodeResult::NOTHING;
        let mut longest = if mode == DecoderErrorMode::Fatal { LONGEST_FIRST } else { usize::MAX };
        loop {
            let (from, to) = (after(source, total.read), destination.get_mut(total.written..).unwrap_or_default());
            let (limit, capacity) = (longest.min(enough(from.len())), to.len());
            total.add(string::write_str(to, limit, |space, proof| self.run(from, space, proof, last, mode)).0);
            if total.status != DecodeStatus::OutputFull || capacity <= limit {
                return total;
            }
            longest = longest.saturating_mul(8);
        }
    }

    /// Decodes all of `source` and appends the text to `destination`, which grows as needed. The status is never
    /// [`DecodeStatus::OutputFull`]; `written` counts bytes.
    ///
    /// The text goes straight into the spare capacity, which is neither cleared first nor validated afterwards.
    #[doc(alias = "decode_to_string_without_replacement")]
    #[cfg(feature = "alloc")]
    pub fn decode_to_string(
        &mut self,
        source: &[u8],
        destination: &mut String,
        last: bool,
        mode: DecoderErrorMode,
    ) -> DecodeResult {
        let mut total = DecodeResult::NOTHING;
        // Most text has a byte or more for each byte of the source.
        let mut may_fit = destination.capacity() - destination.len() >= source.len();
        while total.status == DecodeStatus::OutputFull {
            let rest = after(source, total.read);
            if !may_fit {
                destination.reserve(enough(rest.len()));
            }
            total.add(self.decode_to_string_within_capacity(rest, destination, last, mode));
            may_fit = false;
        }
        total
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
        let mut total = DecodeResult::NOTHING;
        let mut may_fit = destination.capacity() - destination.len() >= source.len();
        while total.status == DecodeStatus::OutputFull {
            let rest = after(source, total.read);
            if !may_fit {
                destination.reserve(rest.len() + ENOUGH_TO_GO_ON);
            }
            total.add(self.decode_to_utf16_vec_within_capacity(rest, destination, last, mode));
            may_fit = false;
        }
        total
    }

    /// Decodes `source` and appends the text to `destination` as far as its spare capacity goes. Never allocates. The status can be
    /// [`DecodeStatus::OutputFull`]; `written` counts bytes.
    #[cfg(feature = "alloc")]
    pub fn decode_to_string_within_capacity(
        &mut self,
        source: &[u8],
        destination: &mut String,
        last: bool,
        mode: DecoderErrorMode,
    ) -> DecodeResult {
        string::append(destination, usize::MAX, |space, proof| self.run(source, space, proof, last, mode)).0
    }

    /// Decodes `source` and appends the code units to `destination` as far as its spare capacity goes. Never allocates. The status can
    /// be [`DecodeStatus::OutputFull`].
    #[cfg(feature = "alloc")]
    pub fn decode_to_utf16_vec_within_capacity(
        &mut self,
        source: &[u8],
        destination: &mut Vec<u16>,
        last: bool,
        mode: DecoderErrorMode,
    ) -> DecodeResult {
        string::append_units(destination, usize::MAX, |units| {
            let result = self.decode_to_utf16(source, units, last, mode);
            (result, result.written)
        })
        .0
    }

    /// Decodes `source` into memory that need not be initialised. Returns the text as well, which is the first
    /// [`written`](DecodeResult::written) bytes of `destination`. As [`decode_to_utf8`](Self::decode_to_utf8) otherwise.
    ///
    /// ```
    /// use core::mem::MaybeUninit;
    /// use textcodec_core::{DecodeStatus, Decoder, DecoderErrorMode, Encoding};
    ///
    /// fn first_words(decoder: &mut Decoder, source: &[u8]) -> bool {
    ///     let mut memory = [MaybeUninit::uninit(); 256];
    ///     let (result, text) = decoder.decode_to_utf8_uninit(source, &mut memory, true, DecoderErrorMode::Replacement);
    ///     println!("{text}");
    ///     result.status == DecodeStatus::InputEmpty
    /// }
    /// ```
    pub fn decode_to_utf8_uninit<'d>(
        &mut self,
        source: &[u8],
        destination: &'d mut [MaybeUninit<u8>],
        last: bool,
        mode: DecoderErrorMode,
    ) -> (DecodeResult, &'d mut str) {
        string::write_uninit(destination, |space, proof| self.run(source, space, proof, last, mode))
    }

    /// Decodes `source` into memory that need not be initialised. Returns the code units as well, which are the first
    /// [`written`](DecodeResult::written) ones of `destination`. As [`decode_to_utf16`](Self::decode_to_utf16) otherwise.
    pub fn decode_to_utf16_uninit<'d>(
        &mut self,
        source: &[u8],
        destination: &'d mut [MaybeUninit<u16>],
        last: bool,
        mode: DecoderErrorMode,
    ) -> (DecodeResult, &'d mut [u16]) {
        let units = string::initialised(destination);
        let result = self.decode_to_utf16(source, units, last, mode);
        (result, &mut units[..result.written])
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

    /// Looks for a byte order mark where one can come, and decodes what follows. Puts a proof of what has been written into `proof`.
    #[inline]
    fn run<D: Destination>(
        &mut self,
        source: &[u8],
        destination: D,
        proof: &mut <D::Writer as Writer>::Proof,
        last: bool,
        mode: DecoderErrorMode,
    ) -> DecodeResult {
        let mut skipped = 0;
        if self.stream.stage != Stage::Text && self.may_begin_with_bom(source) {
            match self.skip_bom(source, last) {
                Some(length) => skipped = length,
                None => {
                    let status = DecodeStatus::InputEmpty;
                    return DecodeResult { status, read: source.len(), written: 0, had_errors: false };
                }
            }
        }
        let (encoding, source) = (self.encoding().as_static(), after(source, skipped));
        let result = run::run(encoding, &mut self.stream, source, destination, proof, last, mode);
        DecodeResult { read: skipped + result.read, ..result }
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
            BomHandling::Remove => self.encoding.as_static().bom() == Some(*bom),
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

/// With this much space a decoder can always go on, in bytes or code units.
const ENOUGH_TO_GO_ON: usize = 4;

/// The first piece of a `str` that [`Decoder::decode_to_str`] decodes into in the mode fatal, in bytes: what is not written of it is
/// cleared, and an error may come every few bytes.
const LONGEST_FIRST: usize = 3 * 1024 + ENOUGH_TO_GO_ON;

/// How many bytes of UTF-8 to have space for while `length` bytes of source are left.
///
/// A destination that is too small costs the time of some hundred units, which are converted one by one before its end. A
/// short source therefore gets all the space that it can need. A longer one gets as much as two bytes of East Asian text become.
fn enough(length: usize) -> usize {
    const SHORT: usize = 1024;
    // What an earlier source left over becomes text, too.
    let length = length.saturating_add(ENOUGH_TO_GO_ON);
    if length <= SHORT { 3 * length } else { length.saturating_add(length / 2) }
}

const _: () = assert!(size_of::<Decoder>() <= 32);
