//! Encoding slices: where the two layers of an encoder meet, written once for all encodings.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use textcodec_kernels::blocks::{after, after_mut};

use crate::{
    Encoding, Handle, Name, NoEncoder, Unmappable,
    encoding::{Encode, EncoderFunctions, Progress},
    handler::{HandlerResult, Item, Restored, scalar_value_from_surrogates},
};

/// What an encoder does about an error; the [error modes](https://encoding.spec.whatwg.org/#error-mode) of encoders.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EncoderErrorMode {
    /// Put a decimal character reference, such as `&#9731;`, in place of the code point.
    Html,
    /// Stop at it.
    Fatal,
}

/// Why a call stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EncodeStatus {
    /// The whole source is read, and if it was the last, the stream has ended.
    InputEmpty,
    /// What comes next does not fit into the rest of the destination: call again with the rest of the source and more
    /// room. Four bytes are always enough to go on.
    OutputFull,
    /// Only in [`EncoderErrorMode::Fatal`]. The code point is read; calling again with the rest of the source goes on
    /// after it.
    Unmappable(Unmappable),
}

/// What a call did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use = "the status says whether everything was encoded"]
#[non_exhaustive]
pub struct EncodeResult {
    /// Why it stopped.
    pub status: EncodeStatus,
    /// How many units of the source were read: bytes of a `str`, code units of UTF-16.
    pub read: usize,
    /// How many bytes of the destination were written. The ones after them may have been overwritten, too.
    pub written: usize,
    /// Whether a code point was met that the encoding does not have.
    pub had_errors: bool,
}

impl EncodeResult {
    /// What a call did that is not one of [`Encoder`], such as of an encoder of one's own for an encoding that the Standard lacks.
    pub const fn new(status: EncodeStatus, read: usize, written: usize, had_errors: bool) -> Self {
        EncodeResult { status, read, written, had_errors }
    }
}

/// An encoder for a stream of text that arrives in slices of UTF-8 or UTF-16, into slices of bytes.
///
/// It is small and `Copy`: a copy is a snapshot of the stream. It does not allocate. Any sizes of source and
/// destination work, and the bytes do not depend on them.
///
/// After the last call [`position`](Self::position) still tells of the stream that ended; the next call starts another one.
///
/// `E` is how the program names encodings.
#[derive(Clone, Copy, Debug)]
pub struct Encoder<E = &'static Encoding> {
    encoding: E,
    stream: Stream,
}

/// What an encoder knows of its stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stream {
    /// The handler's state, packed.
    handler: u64,
    /// How many units were taken from the sources of all calls.
    position: u64,
    /// The code point whose character reference did not fit into the last destination.
    reference: Option<char>,
    /// How many bytes of that character reference are written.
    reference_written: u8,
    /// A leading surrogate at the end of the last source.
    leading_surrogate: Option<LeadingSurrogate>,
    /// Whether the last call is over: the next one starts another stream. Only `position` is not as in a new one then.
    ended: bool,
}

/// U+D800 to U+DBFF, less 0xD7FF so that there is a niche.
type LeadingSurrogate = core::num::NonZero<u16>;

impl Stream {
    const NEW: Self = Stream {
        handler: 0,
        position: 0,
        reference: None,
        reference_written: 0,
        leading_surrogate: None,
        ended: false,
    };
}

impl<E: Handle> Encoder<E> {
    /// [Get an encoder](https://encoding.spec.whatwg.org/#get-an-encoder) from `encoding`.
    ///
    /// # Errors
    /// [`NoEncoder`] for UTF-16BE, UTF-16LE and replacement.
    pub fn new(encoding: E) -> Result<Self, NoEncoder> {
        if !encoding.as_static().has_encoder() {
            return Err(NoEncoder(encoding.as_static().id()));
        }
        Ok(Encoder { encoding, stream: Stream::NEW })
    }

    /// The encoding that is encoded into.
    #[must_use]
    pub const fn encoding(&self) -> E {
        self.encoding
    }

    /// How many units of the stream were read so far.
    #[must_use]
    pub const fn position(&self) -> u64 {
        self.stream.position
    }

    /// Whether the end of the stream would have something to write: ISO-2022-JP's return to ASCII, the rest of a character
    /// reference, U+FFFD for a leading surrogate. Where it has not, the bytes so far are all of the text so far.
    #[must_use]
    pub const fn has_pending_state(&self) -> bool {
        self.stream.handler != 0 || self.stream.reference.is_some() || self.stream.leading_surrogate.is_some()
    }

    /// Forgets the stream: the next call starts another one.
    pub fn reset(&mut self) {
        self.stream = Stream::NEW;
    }

    /// Encodes `source` into the front of `destination`; see [`EncodeResult`] for what may be left over.
    /// `last` says that the stream ends with this source.
    #[doc(alias = "encode_from_utf8_without_replacement")]
    #[inline]
    pub fn encode_from_utf8(
        &mut self,
        source: &str,
        destination: &mut [u8],
        last: bool,
        mode: EncoderErrorMode,
    ) -> EncodeResult {
        self.run(source, destination, last, mode)
    }

    /// Encodes `source`, which is UTF-16, into the front of `destination`; see [`EncodeResult`] for what may be left over.
    /// `last` says that the stream ends with this source.
    ///
    /// A surrogate pair may be split between two sources, also with empty sources of either kind between them. An unpaired
    /// surrogate is U+FFFD; so is a leading surrogate when the next source that is not empty is UTF-8.
    #[doc(alias = "encode_from_utf16_without_replacement")]
    #[inline]
    pub fn encode_from_utf16(
        &mut self,
        source: &[u16],
        destination: &mut [u8],
        last: bool,
        mode: EncoderErrorMode,
    ) -> EncodeResult {
        self.run(source, destination, last, mode)
    }

    /// Encodes all of `source` and appends the bytes to `destination`, which grows as needed. The status is never
    /// [`EncodeStatus::OutputFull`].
    #[doc(alias("encode_from_utf8_to_vec", "encode_from_utf8_to_vec_without_replacement"))]
    #[cfg(feature = "alloc")]
    pub fn encode_to_vec(
        &mut self,
        source: &str,
        destination: &mut Vec<u8>,
        last: bool,
        mode: EncoderErrorMode,
    ) -> EncodeResult {
        self.append(source, destination, last, mode)
    }

    /// Encodes all of `source`, which is UTF-16, and appends the bytes to `destination`, which grows as needed. The status is
    /// never [`EncodeStatus::OutputFull`].
    #[cfg(feature = "alloc")]
    pub fn encode_utf16_to_vec(
        &mut self,
        source: &[u16],
        destination: &mut Vec<u8>,
        last: bool,
        mode: EncoderErrorMode,
    ) -> EncodeResult {
        self.append(source, destination, last, mode)
    }

    /// Encodes all of `source`, appends the bytes to `destination`, and for every code point that the encoding lacks encodes
    /// the text that `on_error` returns. That text goes through this encoder, so that it is right in every state of
    /// ISO-2022-JP. Returns whether anything was lacking.
    ///
    /// # Errors
    /// If the encoding lacks something in the text that `on_error` returned; the offset is that of the code point which
    /// `on_error` was asked about, the code point that of the text.
    #[cfg(feature = "alloc")]
    pub fn encode_to_vec_with<T: AsRef<str>>(
        &mut self,
        source: &str,
        destination: &mut Vec<u8>,
        last: bool,
        on_error: impl FnMut(Unmappable) -> T,
    ) -> Result<bool, Unmappable> {
        self.append_with(source, destination, last, on_error)
    }

    /// As [`encode_to_vec_with`](Self::encode_to_vec_with), from UTF-16.
    ///
    /// # Errors
    /// If the encoding lacks something in the text that `on_error` returned.
    #[cfg(feature = "alloc")]
    pub fn encode_utf16_to_vec_with<T: AsRef<str>>(
        &mut self,
        source: &[u16],
        destination: &mut Vec<u8>,
        last: bool,
        on_error: impl FnMut(Unmappable) -> T,
    ) -> Result<bool, Unmappable> {
        self.append_with(source, destination, last, on_error)
    }

    /// How many bytes the next `source_length` bytes of UTF-8 can at most become, the end of the stream included: a
    /// destination of this size is never too small. `None` if that is more than `usize` can say.
    #[doc(alias("max_buffer_length_from_utf8_if_no_unmappables", "max_buffer_length_from_utf8_without_replacement"))]
    #[must_use]
    pub fn max_length_from_utf8(&self, source_length: usize, mode: EncoderErrorMode) -> Option<usize> {
        let factor = match (self.encoding.as_static().id(), mode) {
            (Name::Utf8, _) => 1,
            // ESC ( B, and `&#65533;` for U+000E or one byte for another ASCII character.
            (Name::Iso2022Jp, EncoderErrorMode::Html) => 3 + 8,
            (Name::Iso2022Jp, EncoderErrorMode::Fatal) => 3 + 1,
            // `&#2047;` for a character of two bytes, or gb18030's four bytes for one.
            (_, EncoderErrorMode::Html) => 4,
            (_, EncoderErrorMode::Fatal) => 2,
        };
        self.max_length(source_length, factor, mode)
    }

    /// How many bytes the next `source_length` code units of UTF-16 can at most become, the end of the stream included: a
    /// destination of this size is never too small. `None` if that is more than `usize` can say.
    #[doc(alias("max_buffer_length_from_utf16_if_no_unmappables", "max_buffer_length_from_utf16_without_replacement"))]
    #[must_use]
    pub fn max_length_from_utf16(&self, source_length: usize, mode: EncoderErrorMode) -> Option<usize> {
        self.max_length(source_length, self.max_bytes_of_code_unit(mode), mode)
    }

    /// How many bytes a code unit of UTF-16 can at most become.
    fn max_bytes_of_code_unit(&self, mode: EncoderErrorMode) -> usize {
        match (self.encoding.as_static().id(), mode) {
            (Name::Utf8, _) => 3,
            // An escape sequence, and `&#65533;` or two bytes.
            (Name::Iso2022Jp, EncoderErrorMode::Html) => 3 + 8,
            (Name::Iso2022Jp, EncoderErrorMode::Fatal) => 3 + 2,
            (_, EncoderErrorMode::Html) => 8,
            (_, EncoderErrorMode::Fatal) => 4,
        }
    }

    /// `factor` bytes for every unit of the source, and the bytes that earlier sources can still cause: for a pending leading
    /// surrogate, for the rest of a character reference, for the return to ASCII.
    fn max_length(&self, source_length: usize, factor: usize, mode: EncoderErrorMode) -> Option<usize> {
        let earlier = if self.stream.leading_surrogate.is_some() { self.max_bytes_of_code_unit(mode) } else { 0 }
            + if self.stream.reference.is_some() { 10 } else { 0 }
            + if self.encoding.as_static().id() == Name::Iso2022Jp { 3 } else { 0 };
        source_length.checked_mul(factor)?.checked_add(earlier)
    }

    /// Bulk conversion as far as it goes, then an item through the handler, and again. Most calls are done with the first conversion,
    /// so that much stands where the caller is, who gets the result in registers.
    ///
    /// There is a single call of each of an encoding's functions, and no reference to this encoder is handed to any. So the compiler
    /// sees which functions a program with one encoding does not need.
    #[inline]
    fn run<T: Text + ?Sized>(
        &mut self,
        source: &T,
        destination: &mut [u8],
        last: bool,
        mode: EncoderErrorMode,
    ) -> EncodeResult {
        let (encoding, stream) = (self.encoding.as_static(), &mut self.stream);
        let functions = encoding.encoder().expect("an Encoder is only made of an encoding that has an encoder");
        let convert = T::convert(functions);
        if stream.ended {
            (stream.position, stream.ended) = (0, false);
        }
        let mut done = Progress::default();
        let mut state = stream.handler;
        // What has no bytes is mostly followed by more of its kind, which bulk conversion would only look at in vain.
        let mut was_reference = false;
        let status = loop {
            if !was_reference && stream.reference.is_none() && stream.leading_surrogate.is_none() {
                let (from, to) = (source.after(done.read), after_mut(destination, done.written));
                if from.length() != 0 {
                    let (read, written) = convert(encoding, &mut state, from, to);
                    done.read += read;
                    done.written += written;
                }
                // A state of 0 is that of a new encoder, for which there is nothing to do at the end.
                if done.read == source.length() && !(last && state != 0) {
                    break EncodeStatus::InputEmpty;
                }
            }
            let status;
            was_reference = stream.reference.is_some();
            (status, state) = handle((encoding, functions), stream, state, source, destination, last, mode, &mut done);
            if let Some(status) = status {
                break status;
            }
        };
        stream.handler = state;
        stream.position += done.read as u64;
        stream.ended = last && status == EncodeStatus::InputEmpty;
        EncodeResult { status, read: done.read, written: done.written, had_errors: done.had_errors }
    }

    #[cfg(feature = "alloc")]
    fn append<T: Text + ?Sized>(
        &mut self,
        source: &T,
        destination: &mut Vec<u8>,
        last: bool,
        mode: EncoderErrorMode,
    ) -> EncodeResult {
        let mut total = EncodeResult { status: EncodeStatus::OutputFull, read: 0, written: 0, had_errors: false };
        destination.reserve(source.length());
        // Small at first, so that stopping at an error every few units does not cost a large room each time.
        let mut room = 1024;
        while total.status == EncodeStatus::OutputFull {
            let rest = source.after(total.read);
            let length = destination.len();
            // Four bytes are always enough to go on.
            destination.resize(length + room.min(rest.length() + 4), 0);
            let result = self.run(rest, after_mut(destination, length), last, mode);
            destination.truncate(length + result.written);
            total.status = result.status;
            total.read += result.read;
            total.written += result.written;
            total.had_errors |= result.had_errors;
            room = room.saturating_mul(2);
        }
        total
    }

    #[cfg(feature = "alloc")]
    fn append_with<S: Text + ?Sized, T: AsRef<str>>(
        &mut self,
        source: &S,
        destination: &mut Vec<u8>,
        last: bool,
        mut on_error: impl FnMut(Unmappable) -> T,
    ) -> Result<bool, Unmappable> {
        let (mut rest, mut had_errors) = (source, false);
        loop {
            let result = self.append(rest, destination, last, EncoderErrorMode::Fatal);
            let EncodeStatus::Unmappable(unmappable) = result.status else { return Ok(had_errors) };
            rest = rest.after(result.read);
            had_errors = true;
            // The text is no part of the stream.
            let position = self.stream.position;
            let instead = self.append(on_error(unmappable).as_ref(), destination, false, EncoderErrorMode::Fatal);
            self.stream.position = position;
            if let EncodeStatus::Unmappable(Unmappable { code_point, .. }) = instead.status {
                return Err(Unmappable { code_point, ..unmappable });
            }
        }
    }
}

/// A slice of text.
pub(crate) trait Text {
    /// The bulk conversion of such a text.
    fn convert(functions: &EncoderFunctions) -> Encode<Self>;

    /// Its units from `at` on.
    fn after(&self, at: usize) -> &Self;

    /// How many units it has.
    fn length(&self) -> usize;

    /// The scalar value at `at`, after the `leading` surrogate of an earlier slice, and how many units of this slice it
    /// takes; `None` at the end.
    fn scalar_value(&self, at: usize, leading: Option<LeadingSurrogate>) -> Option<(Scalar, usize)>;
}

/// What can stand at the front of a text.
pub(crate) enum Scalar {
    Value(char),
    /// A leading surrogate at the end of the slice; the next slice decides.
    Leading(LeadingSurrogate),
}

impl Text for str {
    fn convert(functions: &EncoderFunctions) -> Encode<Self> {
        functions.convert_from_utf8
    }

    fn length(&self) -> usize {
        self.len()
    }

    fn after(&self, at: usize) -> &Self {
        self.get(at..).unwrap_or_default()
    }

    fn scalar_value(&self, at: usize, leading: Option<LeadingSurrogate>) -> Option<(Scalar, usize)> {
        let code_point = self.after(at).chars().next()?;
        match leading {
            None => Some((Scalar::Value(code_point), code_point.len_utf8())),
            // No trailing surrogate can follow from UTF-8, so the leading surrogate is unpaired.
            Some(_) => Some((Scalar::Value(char::REPLACEMENT_CHARACTER), 0)),
        }
    }
}

impl Text for [u16] {
    fn convert(functions: &EncoderFunctions) -> Encode<Self> {
        functions.convert
    }

    fn length(&self) -> usize {
        self.len()
    }

    fn after(&self, at: usize) -> &Self {
        after(self, at)
    }

    fn scalar_value(&self, at: usize, leading: Option<LeadingSurrogate>) -> Option<(Scalar, usize)> {
        let (lead, rest, before) = match leading {
            Some(surrogate) => (surrogate.get() + 0xD7FF, &self[at..], 0),
            None => (*self.get(at)?, &self[at + 1..], 1),
        };
        let scalar = match (lead, rest.first()) {
            (0xD800..=0xDBFF, None) if leading.is_some() => return None,
            (0xD800..=0xDBFF, None) => Scalar::Leading(LeadingSurrogate::new(lead - 0xD7FF)?),
            (0xD800..=0xDBFF, Some(&trail @ 0xDC00..=0xDFFF)) => {
                return Some((Scalar::Value(scalar_value_from_surrogates(lead, trail)), before + 1));
            }
            _ => Scalar::Value(char::from_u32(u32::from(lead)).unwrap_or(char::REPLACEMENT_CHARACTER)),
        };
        Some((scalar, before))
    }
}

/// A character reference that is still to be written, or an item through the handler. Returns how far that has come, and why it
/// stopped unless it is to go on.
///
/// A step of the handler is tried on a copy of the state and becomes valid only when its result fits into the
/// destination; only a character reference is written in parts.
///
/// Returned by value, `done` would be moved with what pads it, in parts that overlap, so that each step waits for the one before.
#[expect(
    clippy::too_many_arguments,
    reason = "behind references the compiler does not see what a program with one encoding does not need: 27 KB more"
)]
#[inline]
fn handle<T: Text + ?Sized>(
    (encoding, functions): (&'static Encoding, &EncoderFunctions),
    stream: &mut Stream,
    mut state: u64,
    source: &T,
    destination: &mut [u8],
    last: bool,
    mode: EncoderErrorMode,
    done: &mut Progress,
) -> (Option<EncodeStatus>, u64) {
    if let Some(code_point) = stream.reference {
        let (written, is_whole) =
            write_reference(code_point, stream.reference_written, after_mut(destination, done.written));
        done.written += usize::from(written);
        if !is_whole {
            stream.reference_written += written;
            return (Some(EncodeStatus::OutputFull), state);
        }
        (stream.reference, stream.reference_written) = (None, 0);
        return (None, state);
    }

    let (code_point, taken) = match source.scalar_value(done.read, stream.leading_surrogate) {
        Some((Scalar::Value(code_point), taken)) => (Item::Value(code_point), taken),
        Some((Scalar::Leading(_), taken)) if last => (Item::Value(char::REPLACEMENT_CHARACTER), taken),
        Some((Scalar::Leading(surrogate), taken)) => {
            stream.leading_surrogate = Some(surrogate);
            done.read += taken;
            return (None, state);
        }
        None if !last => return (Some(EncodeStatus::InputEmpty), state),
        None if stream.leading_surrogate.is_some() => (Item::Value(char::REPLACEMENT_CHARACTER), 0),
        None if state == 0 => return (Some(EncodeStatus::InputEmpty), state),
        None => (Item::EndOfQueue, 0),
    };

    let before = state;
    // All that a handler can restore is the scalar value that it was called with.
    let mut io_queue = Restored::<char>::EMPTY;
    let result = (functions.handler)(encoding, &mut state, &mut io_queue, code_point);
    if let HandlerResult::Items(bytes) = result {
        let Some(room) = destination.get_mut(done.written..done.written + bytes.len()) else {
            state = before;
            return (Some(EncodeStatus::OutputFull), state);
        };
        room.copy_from_slice(&bytes);
        done.written += room.len();
    }
    if !io_queue.is_empty() || matches!(result, HandlerResult::Items(_)) && code_point == Item::EndOfQueue {
        return (None, state);
    }
    let offset = stream.position + done.read as u64 - u64::from(stream.leading_surrogate.take().is_some());
    done.read += taken;
    match result {
        HandlerResult::Items(_) | HandlerResult::Continue => (None, state),
        HandlerResult::Finished => (Some(EncodeStatus::InputEmpty), state),
        HandlerResult::Error(code_point) => {
            done.had_errors = true;
            match mode {
                EncoderErrorMode::Html => {
                    stream.reference = Some(code_point);
                    (None, state)
                }
                EncoderErrorMode::Fatal => (Some(EncodeStatus::Unmappable(Unmappable { offset, code_point })), state),
            }
        }
    }
}

/// Writes what fits of the character reference of `code_point`, of which `before` bytes are written already. Returns how many that is, and
/// whether nothing is left. A function of its own for size.
#[inline(never)]
fn write_reference(code_point: char, before: u8, room: &mut [u8]) -> (u8, bool) {
    let reference = CharacterReference::new(code_point);
    let rest = after(reference.as_slice(), before.into());
    let fits = rest.len().min(room.len());
    room[..fits].copy_from_slice(&rest[..fits]);
    (fits as u8, fits == rest.len())
}

/// What takes the place of a code point in the error mode [html](https://encoding.spec.whatwg.org/#process-an-item): `&#`,
/// its value in decimal, and `;`.
pub(crate) struct CharacterReference {
    /// Written from the end.
    bytes: [u8; 10],
    start: usize,
}

impl CharacterReference {
    pub(crate) fn new(code_point: char) -> Self {
        let (mut bytes, mut start) = ([b';'; 10], 9);
        let mut value = u32::from(code_point);
        loop {
            start -= 1;
            bytes[start] = b'0' + (value % 10) as u8;
            value /= 10;
            if value == 0 {
                break;
            }
        }
        start -= 2;
        bytes[start..start + 2].copy_from_slice(b"&#");
        CharacterReference { bytes, start }
    }

    pub(crate) fn as_slice(&self) -> &[u8] {
        &self.bytes[self.start..]
    }
}

const _: () = assert!(size_of::<Encoder>() <= 32);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn character_references_are_decimal_and_shortest() {
        for (code_point, reference) in
            [('\u{1}', "&#1;"), ('é', "&#233;"), ('\u{FFFD}', "&#65533;"), (char::MAX, "&#1114111;")]
        {
            assert_eq!(CharacterReference::new(code_point).as_slice(), reference.as_bytes());
        }
    }
}
