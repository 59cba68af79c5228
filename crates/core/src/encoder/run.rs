//! The loop in which the two layers of an encoder meet, for all encodings.
//!
//! Each round first calls `convert`, which encodes as much of the source as it can in bulk, and then passes one item to the
//! handler: the scalar value at which `convert` stopped, or end-of-queue. So the handler reports every error, and encodes every
//! character that `convert` leaves.
//!
//! A call of the handler works on a copy of its state. The copy becomes the state when the handler's output fits into the
//! destination. So any size of destination works, and only a character reference is written in parts.
//!
//! Three things are carried from call to call besides the handler's state: the number of units read, a leading surrogate at the
//! end of a UTF-16 source, and the character reference of which a part is written. The loop for decoders has the same shape.

use textcodec_kernels::blocks::{after, after_mut};

use super::{EncodeResult, EncodeStatus, EncoderErrorMode, LeadingSurrogate, Stream};
use crate::{
    EncoderHalf, Unmappable,
    encoding::{Encode, EncoderFunctions, Progress},
    handler::{HandlerResult, Item, Restored, scalar_value_from_surrogates},
};

/// Encodes `source` into `destination`.
///
/// Most calls finish in the first `convert`. That fast path is inlined into the caller so that the result stays in registers.
///
/// Each function of an encoding is called in one place only, and none gets a reference to the encoder. So the compiler sees
/// which functions a program with one encoding never calls, and removes them.
#[inline]
pub(super) fn run<T: Text + ?Sized>(
    half: &'static EncoderHalf,
    stream: &mut Stream,
    source: &T,
    destination: &mut [u8],
    last: bool,
    mode: EncoderErrorMode,
) -> EncodeResult {
    let functions = half.functions();
    let convert = T::convert(functions);
    if stream.reference_written == Stream::ENDED {
        (stream.position, stream.reference_written) = (0, 0);
    }
    let mut done = Progress::default();
    let mut state = stream.handler;
    // Unmappable characters mostly follow each other. `convert` would stop at each, so it is skipped after a reference.
    let mut was_reference = false;
    let status = loop {
        if !was_reference && stream.reference.is_none() && stream.leading_surrogate.is_none() {
            let (from, to) = (source.after(done.read), after_mut(destination, done.written));
            if from.length() != 0 {
                let (read, written) = convert(half, &mut state, from, to);
                done.read += read;
                done.written += written;
            }
            // A new encoder has the state 0, and nothing to write at the end.
            if done.read == source.length() && !(last && state != 0) {
                break EncodeStatus::InputEmpty;
            }
        }
        let status;
        was_reference = stream.reference.is_some();
        (status, state) = handle(half, functions, stream, state, source, destination, last, mode, &mut done);
        if let Some(status) = status {
            break status;
        }
    };
    stream.handler = state;
    stream.position += done.read as u64;
    if last && status == EncodeStatus::InputEmpty {
        stream.reference_written = Stream::ENDED;
    }
    EncodeResult { status, read: done.read, written: done.written, had_errors: done.had_errors }
}

/// A slice of text, in UTF-8 or UTF-16.
pub(super) trait Text {
    /// The function for bulk conversion from this form of text.
    fn convert(functions: &EncoderFunctions) -> Encode<Self>;

    /// The units from `at` on.
    fn after(&self, at: usize) -> &Self;

    /// The number of units.
    fn length(&self) -> usize;

    /// The scalar value at `at` and its number of units in this slice. `leading` is a surrogate at the end of an earlier slice,
    /// which comes before this slice if `at` is 0. `None` at the end.
    fn scalar_value(&self, at: usize, leading: Option<LeadingSurrogate>) -> Option<(Scalar, usize)>;
}

/// The beginning of a text.
pub(super) enum Scalar {
    Value(char),
    /// A leading surrogate at the end of the slice. The next slice decides whether it is unpaired.
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

/// Writes the rest of a character reference, or passes one item to the handler. Returns the status if the call is over, and the
/// handler's new state.
///
/// `done` is a reference: by value, the struct's padding is copied with two overlapping stores, and the next load has to wait for
/// both.
#[expect(
    clippy::too_many_arguments,
    reason = "with references the compiler does not see which functions a program with one encoding never calls: 27 KB more"
)]
#[inline]
fn handle<T: Text + ?Sized>(
    half: &'static EncoderHalf,
    functions: &EncoderFunctions,
    stream: &mut Stream,
    mut state: u8,
    source: &T,
    destination: &mut [u8],
    last: bool,
    mode: EncoderErrorMode,
    done: &mut Progress,
) -> (Option<EncodeStatus>, u8) {
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
    // A handler can only restore the scalar value that it was called with. Then that value is not read yet.
    let mut io_queue = Restored::<char>::EMPTY;
    let result = (functions.handler)(half, &mut state, &mut io_queue, code_point);
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

/// Writes as many bytes as fit of the character reference for `code_point`, after the first `before` bytes. Returns how many bytes it
/// has written, and whether the reference is complete. Not inlined, because both forms of text would have a copy.
#[inline(never)]
fn write_reference(code_point: char, before: u8, room: &mut [u8]) -> (u8, bool) {
    let reference = CharacterReference::new(code_point);
    let rest = after(reference.as_slice(), before.into());
    let fits = rest.len().min(room.len());
    room[..fits].copy_from_slice(&rest[..fits]);
    (fits as u8, fits == rest.len())
}

/// The replacement for an unmappable character in the error mode [html](https://encoding.spec.whatwg.org/#process-an-item): `&#`,
/// the code point in decimal, and `;`.
pub struct CharacterReference {
    /// The reference ends at the end of the array.
    bytes: [u8; 10],
    start: usize,
}

impl CharacterReference {
    /// The reference to `code_point`.
    #[must_use]
    pub fn new(code_point: char) -> Self {
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

    /// The bytes of the reference, at most ten.
    #[must_use]
    pub fn as_slice(&self) -> &[u8] {
        &self.bytes[self.start..]
    }
}

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
