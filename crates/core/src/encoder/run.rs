//! The loop in which the two layers of an encoder meet, for all encodings.
//!
//! Each round first calls `convert`, which encodes as much of the source as it can in bulk, and then passes one item to
//! the handler: the scalar value at which `convert` stopped, or end-of-queue. So the handler reports every error, and
//! encodes every character that `convert` leaves.
//!
//! A call of the handler works on a copy of its state. The copy becomes the state when the handler's output fits into
//! the destination. So any size of destination works, and only a character reference is written in parts.
//!
//! The bytes of a character reference are ASCII wherever ASCII characters are ASCII bytes. In other encodings, such as
//! EBCDIC, the handler encodes the characters of the reference, too.
//!
//! Three things are carried from call to call besides the handler's state: the number of units read, a leading
//! surrogate at the end of a UTF-16 source, and the character reference of which a part is written. The loop for
//! decoders has the same shape.

use textcodec_kernels::blocks::{skip, skip_mut, up_to};

use super::{EncodeErrorMode, EncodeResult, EncodeStatus, Stream};
use crate::{
    EncoderHalf, Unmappable,
    codec::{Encode, EncoderFunctions, Progress},
    handler::{HandlerResult, Item, Restored, scalar_value_from_surrogates},
};

/// Encodes `source` into `destination`.
///
/// Most calls finish in the first `convert`. This function is short, so that the compiler inlines it and keeps the
/// encoder and the result in registers: a call on 8 bytes of ASCII takes 3.6 ns, and took 7.8 ns with the loop in this
/// function (Zen 5).
///
/// [`run_rest`] gets copies, and no reference to a part of the encoder. So the compiler sees which functions a program
/// with one encoding never calls, and removes them.
#[inline]
pub(super) fn run<T: Text + ?Sized>(
    half: &'static EncoderHalf,
    selector: u8,
    stream: &mut Stream,
    source: &T,
    destination: &mut [u8],
    last: bool,
    mode: EncodeErrorMode,
) -> EncodeResult {
    if stream.reference_written == Stream::ENDED {
        (stream.position, stream.reference_written) = (0, 0);
    }
    let (mut done, mut state, mut status) = (Progress::default(), stream.handler ^ u16::from(selector), None);
    if stream.can_convert() {
        status = convert(half, &mut state, source, destination, last, &mut done);
    }
    stream.handler = state;
    let status = status.unwrap_or_else(|| {
        let (mut copy, mut progress) = (*stream, done);
        let status = run_rest(half, &mut copy, source.form(), destination, last, mode, &mut progress);
        (*stream, done) = (copy, progress);
        status
    });
    stream.handler ^= u16::from(selector);
    stream.position += done.read as u64;
    if last && status == EncodeStatus::InputEmpty {
        stream.reference_written = Stream::ENDED;
    }
    EncodeResult { status, read: done.read, written: done.written, had_errors: done.had_errors }
}

/// Encodes the rest of `source`, from the place on at which `convert` has stopped, or where it cannot begin. Not
/// generic, so that a program has one copy.
#[inline(never)]
fn run_rest(
    half: &'static EncoderHalf,
    stream: &mut Stream,
    source: Form<'_>,
    destination: &mut [u8],
    last: bool,
    mode: EncodeErrorMode,
    done: &mut Progress,
) -> EncodeStatus {
    let mut state = stream.handler;
    let status = loop {
        let (status, wrote_reference);
        (status, state, wrote_reference) = handle(half, stream, state, source, destination, last, mode, done);
        if let Some(status) = status {
            break status;
        }
        // Unmappable characters mostly follow each other. `convert` would stop at each, so it is skipped between a
        // reference and a character that is not ASCII.
        let is_next_ascii = match source {
            Form::Utf8(source) => source.as_bytes().get(done.read).is_some_and(u8::is_ascii),
            Form::Utf16(source) => source.get(done.read).is_some_and(|&unit| unit < 0x80),
        };
        if (!wrote_reference || is_next_ascii) && stream.can_convert() {
            // One copy of what follows a conversion serves both forms: 70 bytes less.
            let to = skip_mut(destination, done.written);
            let (more, length) = match source {
                Form::Utf8(source) => (convert_rest(half, &mut state, source, done.read, to), source.len()),
                Form::Utf16(source) => (convert_rest(half, &mut state, source, done.read, to), source.len()),
            };
            done.add(more);
            if is_over(done, length, last, state) {
                break EncodeStatus::InputEmpty;
            }
        }
    };
    stream.handler = state;
    status
}

impl Stream {
    /// Whether nothing is left of earlier characters that has to be written first.
    fn can_convert(&self) -> bool {
        self.held == 0
    }
}

/// Encodes in bulk from `done` on. Returns the status if the call is over.
#[inline]
fn convert<T: Text + ?Sized>(
    half: &'static EncoderHalf,
    state: &mut u16,
    source: &T,
    destination: &mut [u8],
    last: bool,
    done: &mut Progress,
) -> Option<EncodeStatus> {
    done.add(convert_rest(half, state, source, done.read, skip_mut(destination, done.written)));
    is_over(done, source.length(), last, *state).then_some(EncodeStatus::InputEmpty)
}

/// Whether a source of `length` units is read and nothing is left to write: a new encoder has the state 0, and nothing
/// to write at the end.
fn is_over(done: &Progress, length: usize, last: bool, state: u16) -> bool {
    done.read == length && !(last && state != 0)
}

/// Encodes in bulk what is left of `source` after `read` units. Returns `(read, written)`.
#[inline(always)]
fn convert_rest<T: Text + ?Sized>(
    half: &'static EncoderHalf,
    state: &mut u16,
    source: &T,
    read: usize,
    to: &mut [u8],
) -> (usize, usize) {
    let from = source.after(read);
    if from.length() == 0 { (0, 0) } else { T::convert(half.functions())(half, state, from, to) }
}

/// A slice of text, in UTF-8 or UTF-16.
pub(super) trait Text {
    /// The function for bulk conversion from this form of text.
    fn convert(functions: &EncoderFunctions) -> Encode<Self>;

    /// The units from `at` on.
    fn after(&self, at: usize) -> &Self;

    /// The number of units.
    fn length(&self) -> usize;

    /// The scalar value at `at` and its number of units in this slice. `leading` is a surrogate at the end of an
    /// earlier slice, which comes before this slice if `at` is 0. `None` at the end.
    fn scalar_value(&self, at: usize, leading: Option<u16>) -> Option<(Scalar, usize)>;

    /// This text as a value of the type that both forms share.
    fn form(&self) -> Form<'_>;
}

/// A slice of text in one of the two forms.
#[derive(Clone, Copy)]
pub(super) enum Form<'a> {
    Utf8(&'a str),
    Utf16(&'a [u16]),
}

/// The beginning of a text.
pub(super) enum Scalar {
    Value(char),
    /// A leading surrogate at the end of the slice. The next slice decides whether it is unpaired.
    Leading(u16),
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

    fn scalar_value(&self, at: usize, leading: Option<u16>) -> Option<(Scalar, usize)> {
        let code_point = self.after(at).chars().next()?;
        match leading {
            None => Some((Scalar::Value(code_point), code_point.len_utf8())),
            // No trailing surrogate can follow from UTF-8, so the leading surrogate is unpaired.
            Some(_) => Some((Scalar::Value(char::REPLACEMENT_CHARACTER), 0)),
        }
    }

    fn form(&self) -> Form<'_> {
        Form::Utf8(self)
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
        skip(self, at)
    }

    fn scalar_value(&self, at: usize, leading: Option<u16>) -> Option<(Scalar, usize)> {
        let (lead, rest, before) = match leading {
            Some(surrogate) => (surrogate, skip(self, at), 0),
            None => (*self.get(at)?, skip(self, at + 1), 1),
        };
        let scalar = match (lead, rest.first()) {
            (0xD800..=0xDBFF, None) if leading.is_some() => return None,
            (0xD800..=0xDBFF, None) => Scalar::Leading(lead),
            (0xD800..=0xDBFF, Some(&trail @ 0xDC00..=0xDFFF)) => {
                return Some((Scalar::Value(scalar_value_from_surrogates(lead, trail)), before + 1));
            }
            _ => Scalar::Value(char::from_u32(u32::from(lead)).unwrap_or(char::REPLACEMENT_CHARACTER)),
        };
        Some((scalar, before))
    }

    fn form(&self) -> Form<'_> {
        Form::Utf16(self)
    }
}

/// Passes one item to the handler, unless a character reference has begun. Writes that reference, or the one that the
/// item becomes. Returns the status if the call is over, the handler's new state, and whether a character reference was
/// written.
///
/// `done` is a reference: by value, the struct's padding is copied with two overlapping stores, and the next load has
/// to wait for both.
#[expect(
    clippy::too_many_arguments,
    reason = "with references the compiler does not see which functions a program with one encoding never calls: 27 KB more"
)]
#[inline]
fn handle(
    half: &'static EncoderHalf,
    stream: &mut Stream,
    mut state: u16,
    source: Form<'_>,
    destination: &mut [u8],
    last: bool,
    mode: EncodeErrorMode,
    done: &mut Progress,
) -> (Option<EncodeStatus>, u16, bool) {
    let (code_point, already_written) = if let Some(code_point) = stream.reference() {
        (code_point, stream.reference_written)
    } else {
        let leading_surrogate = stream.leading_surrogate();
        let scalar = match source {
            Form::Utf8(source) => source.scalar_value(done.read, leading_surrogate),
            Form::Utf16(source) => source.scalar_value(done.read, leading_surrogate),
        };
        let (code_point, taken) = match scalar {
            Some((Scalar::Value(code_point), taken)) => (Item::Value(code_point), taken),
            Some((Scalar::Leading(_), taken)) if last => (Item::Value(char::REPLACEMENT_CHARACTER), taken),
            Some((Scalar::Leading(surrogate), taken)) => {
                stream.held = u32::from(surrogate) + 1;
                done.read += taken;
                return (None, state, false);
            }
            None if !last => return (Some(EncodeStatus::InputEmpty), state, false),
            None if leading_surrogate.is_some() => (Item::Value(char::REPLACEMENT_CHARACTER), 0),
            None if state == 0 => return (Some(EncodeStatus::InputEmpty), state, false),
            None => (Item::EndOfQueue, 0),
        };

        let before = state;
        // A handler can only restore the scalar value that it was called with. Then that value is not read yet.
        let mut io_queue = Restored::<char>::EMPTY;
        let result = (half.functions().handler)(half, &mut state, &mut io_queue, code_point);
        if let HandlerResult::Items(bytes) = result {
            let Some(room) = destination.get_mut(done.written..done.written + bytes.len()) else {
                state = before;
                return (Some(EncodeStatus::OutputFull), state, false);
            };
            room.copy_from_slice(&bytes);
            done.written += room.len();
        }
        if !io_queue.is_empty() || matches!(result, HandlerResult::Items(_)) && code_point == Item::EndOfQueue {
            return (None, state, false);
        }
        let offset = stream.position + done.read as u64 - u64::from(leading_surrogate.is_some());
        stream.held = 0;
        done.read += taken;
        done.had_errors |= matches!(result, HandlerResult::Error(_));
        match result {
            HandlerResult::Items(_) | HandlerResult::Continue => return (None, state, false),
            HandlerResult::Finished => return (Some(EncodeStatus::InputEmpty), state, false),
            HandlerResult::Error(code_point)
                if mode == EncodeErrorMode::Fatal || !has_reference(half, state, code_point) =>
            {
                return (Some(EncodeStatus::Unmappable(Unmappable { offset, code_point })), state, false);
            }
            HandlerResult::Error(code_point) => (code_point, 0),
        }
    };
    if half.functions().encode_reference.is_some() {
        return handle_reference(half, stream, state, code_point, already_written, destination, done);
    }
    let (written, is_whole) = write_reference(code_point, already_written, skip_mut(destination, done.written));
    done.written += usize::from(written);
    if is_whole {
        (stream.held, stream.reference_written) = (0, 0);
        return (None, state, true);
    }
    (stream.held, stream.reference_written) = (u32::from(code_point) + 1, already_written + written);
    (Some(EncodeStatus::OutputFull), state, false)
}

/// Whether the encoding has bytes for each character of the character reference for `code_point`, from the handler's
/// state `state` on.
#[inline]
pub(super) fn has_reference(half: &'static EncoderHalf, state: u16, code_point: char) -> bool {
    half.functions().encode_reference.is_none_or(|encode| {
        let mut scratch = [0; LONGEST_ENCODED_REFERENCE];
        encode(half, &mut { state }, code_point, 0, &mut scratch).is_some()
    })
}

/// As the end of [`handle`], in an encoding whose character references are not ASCII. There,
/// [`Stream::reference_written`] is the number of characters.
#[cold]
#[inline(never)]
fn handle_reference(
    half: &'static EncoderHalf,
    stream: &mut Stream,
    mut state: u16,
    code_point: char,
    before: u8,
    destination: &mut [u8],
    done: &mut Progress,
) -> (Option<EncodeStatus>, u16, bool) {
    let length = CharacterReference::new(code_point).length;
    // Nobody comes here with a reference that has characters without bytes.
    let (written, characters) = half
        .functions()
        .encode_reference
        .and_then(|encode| encode(half, &mut state, code_point, before, skip_mut(destination, done.written)))
        .unwrap_or((0, length));
    done.written += written;
    if characters == length {
        (stream.held, stream.reference_written) = (0, 0);
        return (None, state, true);
    }
    (stream.held, stream.reference_written) = (u32::from(code_point) + 1, characters);
    (Some(EncodeStatus::OutputFull), state, false)
}

/// The greatest number of bytes of a character reference that a handler encodes: two for each of its characters in
/// UCS-2, and what changes the state before them.
const LONGEST_ENCODED_REFERENCE: usize = 32;

/// Encodes the characters of the character reference for `code_point` from the character number `before` on, as far as
/// they fit into `room`. Returns the number of bytes, and the number of characters that are encoded, those before
/// included. `None` if the encoding has no bytes for one of them: some variants of ISO 646 have no number sign.
pub(crate) fn encode_reference(
    half: &'static EncoderHalf,
    state: &mut u16,
    code_point: char,
    before: u8,
    room: &mut [u8],
) -> Option<(usize, u8)> {
    let reference = CharacterReference::new(code_point);
    let (mut written, mut characters) = (0, before);
    while let Some(&byte) = up_to(&reference.bytes(), reference.length()).get(usize::from(characters)) {
        let (mut after, mut io_queue) = (*state, Restored::<char>::EMPTY);
        match (half.functions().handler)(half, &mut after, &mut io_queue, Item::Value(byte.into())) {
            HandlerResult::Items(bytes) => {
                let Some(to) = room.get_mut(written..written + bytes.len()) else { break };
                to.copy_from_slice(&bytes);
                written += to.len();
            }
            HandlerResult::Error(_) => return None,
            HandlerResult::Continue | HandlerResult::Finished => {}
        }
        *state = after;
        // A character that the handler restores comes again, after a byte order mark.
        characters += u8::from(io_queue.is_empty());
    }
    Some((written, characters))
}

/// Writes as many bytes as fit of the character reference for `code_point`, after the first `before` bytes. Returns how
/// many bytes it has written, and whether the reference is complete.
#[inline]
fn write_reference(code_point: char, before: u8, room: &mut [u8]) -> (u8, bool) {
    let reference = CharacterReference::new(code_point);
    match room.first_chunk_mut() {
        Some(room) if before == 0 => {
            *room = reference.bytes();
            (reference.length, true)
        }
        _ => write_part(&reference, before, room),
    }
}

/// As [`write_reference`], for a part of `reference`, or near the end of the destination.
#[cold]
#[inline(never)]
fn write_part(reference: &CharacterReference, before: u8, room: &mut [u8]) -> (u8, bool) {
    let bytes = reference.bytes();
    let rest = skip(up_to(&bytes, reference.length()), before.into());
    let fits = rest.len().min(room.len());
    room[..fits].copy_from_slice(&rest[..fits]);
    (fits as u8, fits == rest.len())
}

/// The replacement for an unmappable character in the error mode
/// [html](https://encoding.spec.whatwg.org/#process-an-item): `&#`, the code point in decimal, and `;`.
pub struct CharacterReference {
    /// The reference after `&#`, from the lowest byte on, and then zeros. A number stays in registers until it is
    /// stored.
    rest: u64,
    length: u8,
}

impl CharacterReference {
    /// The length in bytes of the longest reference.
    const LONGEST: usize = 10;

    /// The reference to `code_point`.
    #[inline]
    #[must_use]
    pub fn new(code_point: char) -> Self {
        let digits = eight_digits(code_point.into());
        // A code point has at most seven digits, so the first byte is zero and gives space for the semicolon. The last
        // digit is written even if it is 0.
        let zeros = (digits | 1 << 56).trailing_zeros() / 8;
        let digits = (digits | u64::from_le_bytes([b'0'; 8])) >> (8 * zeros);
        let rest = digits | u64::from(b';') << (8 * (8 - zeros));
        CharacterReference { rest, length: 11 - zeros as u8 }
    }

    /// The reference, and then zeros.
    #[inline]
    #[must_use]
    pub fn bytes(&self) -> [u8; Self::LONGEST] {
        let mut bytes = [0; Self::LONGEST];
        let (start, rest) = bytes.split_at_mut(2);
        start.copy_from_slice(b"&#");
        rest.copy_from_slice(&self.rest.to_le_bytes());
        bytes
    }

    /// The length of the reference in bytes, at most ten.
    #[inline]
    #[must_use]
    pub fn length(&self) -> usize {
        self.length.into()
    }

    /// Copies the reference to the front of `room`, if it fits, and returns its length. Bytes after it may be
    /// overwritten, too.
    #[inline]
    #[must_use]
    pub fn copy_to(&self, room: &mut [u8]) -> Option<usize> {
        // A copy of a length that the compiler knows takes two instructions.
        match room.first_chunk_mut() {
            Some(room) => *room = self.bytes(),
            None => room.get_mut(..self.length())?.copy_from_slice(up_to(&self.bytes(), self.length())),
        }
        Some(self.length())
    }
}

/// The eight decimal digits of a number below 10⁸, the first one in the lowest byte. Each step splits all parts at
/// once: a part in the low half of its bits and the next one in the high half. A division is a multiplication and a
/// shift, which is exact for numbers as small as these.
fn eight_digits(number: u32) -> u64 {
    let number = u64::from(number);
    let fours = (number / 10_000) | ((number % 10_000) << 32);
    let hundreds = ((fours * 10_486) >> 20) & 0x7F_0000_007F;
    let twos = hundreds | ((fours - 100 * hundreds) << 16);
    let tens = ((twos * 103) >> 10) & 0x000F_000F_000F_000F;
    tens | ((twos - 10 * tens) << 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn character_references_are_decimal_and_shortest() {
        for code_point in '\0'..=char::MAX {
            let reference = format!("&#{};", u32::from(code_point));
            let (bytes, length) = (CharacterReference::new(code_point).bytes(), reference.len());
            assert_eq!(CharacterReference::new(code_point).length(), length);
            assert_eq!(bytes[..length], *reference.as_bytes());
            assert_eq!(bytes[length..], [0; 10][length..]);
        }
    }

    #[test]
    fn eight_digits_are_those_of_the_number() {
        for number in (0..100_000_000).step_by(97).chain([99_999_999]) {
            let digits = eight_digits(number).to_le_bytes().map(|digit| digit + b'0');
            assert_eq!(digits, format!("{number:08}").as_bytes());
        }
    }
}
