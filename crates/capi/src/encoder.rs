//! Encoders: for streams, and for whole texts.
//!
//! The encoders of `textcodec-core` take text that Rust has checked. The text of C can be malformed UTF-8, and a source
//! can end inside of a character. So this module checks the UTF-8, keeps the bytes of a character that a source cuts,
//! and counts the position itself.

use core::{
    ffi::{c_char, c_void},
    mem::MaybeUninit,
};

use textcodec::{EncodeErrorMode, EncodeResult, EncodeStatus};
use textcodec_core::{Encoder, EncoderState};
use textcodec_kernels::{string::as_utf8, utf8};

use crate::{
    TEXTCODEC_FATAL, TEXTCODEC_INVALID, TEXTCODEC_LAST, TEXTCODEC_MALFORMED, TEXTCODEC_NONE, TEXTCODEC_OK,
    TEXTCODEC_OUTPUT_FULL, TEXTCODEC_UNCOUNTED, TEXTCODEC_UNMAPPABLE,
    encodings::{Coded, Found},
    pointers::{Opaque, Tagged, destination, init, opaque, opaque_mut, read, source, write},
    textcodec_encoding, textcodec_result, textcodec_state,
    types::{TOO_LARGE, is_last},
};

/// The greatest number of bytes that are checked before they are encoded: they are still in the first-level cache when
/// the encoder reads them.
const PIECE: usize = 16 * 1024;

/// The greatest number of bytes of UTF-8 that become one byte. A call checks no more bytes than fit into the
/// destination, so that the time of a stream does not depend on the size of the destinations.
const UTF8_PER_BYTE: usize = 8;

/// A check of fewer bytes saves no time.
const SHORTEST_PIECE: usize = 64;

/// An encoder in the memory of its caller.
#[repr(C)]
pub struct textcodec_encoder {
    words: [u64; 8],
}

impl Opaque for Tagged<Sources> {
    type Struct = textcodec_encoder;
    const TAG: u32 = u32::from_le_bytes(*b"tcE1");
}

/// An encoder for the sources of C.
#[derive(Clone, Copy)]
pub(crate) struct Sources {
    encoder: Encoder<Coded>,
    /// The number of units that were read from all sources.
    position: u64,
    cut: Cut,
}

/// The bytes of a character of UTF-8 that the last source has cut.
#[derive(Clone, Copy)]
struct Cut {
    bytes: [u8; 3],
    /// The number of the bytes; [`Cut::ENDED`] if the stream has ended.
    length: u8,
}

impl Cut {
    const NOTHING: Self = Cut { bytes: [0; 3], length: 0 };
    const ENDED: u8 = u8::MAX;

    /// At most three bytes that begin a character.
    fn new(bytes: &[u8]) -> Self {
        let mut cut = Cut::NOTHING;
        cut.bytes.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
        cut.length = bytes.len() as u8;
        cut
    }

    fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.length.into()).unwrap_or(&[])
    }
}

/// How the first bytes of a source begin that are not empty.
enum First<'a> {
    Character(&'a str),
    /// The number of bytes of the malformed sequence.
    Malformed(usize),
    /// All of the bytes begin a character.
    Cut,
}

impl<'a> First<'a> {
    fn of(bytes: &'a [u8]) -> Self {
        let bytes = &bytes[..bytes.len().min(4)];
        let valid = match core::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) if error.valid_up_to() > 0 => {
                core::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default()
            }
            Err(error) => return error.error_len().map_or(First::Cut, First::Malformed),
        };
        let length = valid.chars().next().map_or(0, char::len_utf8);
        First::Character(valid.get(..length).unwrap_or_default())
    }
}

/// A call in progress: the units that were read and written.
struct Call<'a> {
    destination: &'a mut [u8],
    read: usize,
    written: usize,
    had_errors: bool,
    mode: EncodeErrorMode,
    flags: u32,
}

impl Call<'_> {
    fn space(&mut self) -> &mut [u8] {
        self.destination.get_mut(self.written..).unwrap_or_default()
    }

    /// Whether the units that are read count for the position.
    fn counts(&self) -> bool {
        self.flags & TEXTCODEC_UNCOUNTED == 0
    }

    fn result(&self, status: u32) -> textcodec_result {
        textcodec_result::new(status, self.read, self.written, self.had_errors)
    }
}

impl Sources {
    fn new(encoding: textcodec_encoding) -> Option<Self> {
        let encoder = Encoder::new(Found::new(encoding)?.encoding())?;
        Some(Sources { encoder, position: 0, cut: Cut::NOTHING })
    }

    #[inline]
    fn call<'a>(&mut self, destination: &'a mut [u8], flags: u32) -> Call<'a> {
        if self.cut.length == Cut::ENDED {
            (self.position, self.cut) = (0, Cut::NOTHING);
        }
        let mode = if flags & TEXTCODEC_FATAL != 0 { EncodeErrorMode::Fatal } else { EncodeErrorMode::Html };
        Call { destination, read: 0, written: 0, had_errors: false, mode, flags }
    }

    /// Counts the result of the encoder, which read `read` units of the source. `None` if the call goes on.
    #[inline]
    fn add(&mut self, call: &mut Call<'_>, result: EncodeResult, read: usize, last: bool) -> Option<textcodec_result> {
        call.read += read;
        call.written += result.written;
        call.had_errors |= result.had_errors;
        if call.counts() {
            self.position += read as u64;
        }
        match result.status {
            EncodeStatus::InputEmpty if last => {
                self.cut = Cut { length: Cut::ENDED, ..Cut::NOTHING };
                Some(call.result(TEXTCODEC_OK))
            }
            EncodeStatus::InputEmpty => None,
            EncodeStatus::OutputFull => Some(call.result(TEXTCODEC_OUTPUT_FULL)),
            EncodeStatus::Unmappable(error) => {
                let length = self.encoder.position() - error.offset;
                let counted = if call.counts() { length } else { 0 };
                Some(textcodec_result {
                    error_offset: self.position.saturating_sub(counted),
                    error_length: length as u8,
                    code_point: error.code_point.into(),
                    ..call.result(TEXTCODEC_UNMAPPABLE)
                })
            }
        }
    }

    /// Encodes UTF-8.
    ///
    /// The encoder is called here, and for all pieces in one other place. So the compiler inlines its loop and keeps
    /// the result in registers, as for decoders.
    #[inline]
    fn utf8(&mut self, source: &[u8], destination: &mut [u8], flags: u32) -> textcodec_result {
        let mut call = self.call(destination, flags);
        // Most sources are short, or fit into the destination, and are well-formed.
        if self.cut.length == 0
            && source.len() <= PIECE.min(call.destination.len().saturating_mul(UTF8_PER_BYTE))
            && let Some(text) = as_utf8(source)
        {
            let last = is_last(flags);
            let result = self.encoder.encode_str(text, call.destination, last, call.mode);
            return match self.add(&mut call, result, result.read, last) {
                Some(result) => result,
                None => call.result(TEXTCODEC_OK),
            };
        }
        self.utf8_in_pieces(source, &mut call)
    }

    #[inline(never)]
    fn encode(&mut self, text: &str, space: &mut [u8], last: bool, mode: EncodeErrorMode) -> EncodeResult {
        self.encoder.encode_str(text, space, last, mode)
    }

    #[inline(never)]
    fn utf8_in_pieces(&mut self, source: &[u8], call: &mut Call<'_>) -> textcodec_result {
        loop {
            let rest = source.get(call.read..).unwrap_or_default();
            let step = if self.cut.length > 0 { self.cut_character(rest, call) } else { self.piece(rest, call) };
            if let Some(result) = step {
                return result;
            }
        }
    }

    /// Encodes a piece of `rest`, or the malformed sequence at its start. `None` if the call goes on.
    fn piece(&mut self, rest: &[u8], call: &mut Call<'_>) -> Option<textcodec_result> {
        let most = call.space().len().saturating_mul(UTF8_PER_BYTE).clamp(SHORTEST_PIECE, PIECE);
        let piece = before_cut(rest, most);
        let valid = match as_utf8(piece) {
            Some(text) => text,
            None => as_utf8(&piece[..utf8::valid_up_to(piece)]).unwrap_or_default(),
        };
        if valid.is_empty() && !rest.is_empty() {
            // The rest of a character reference that did not fit into the last destination comes first.
            let (mode, space) = (call.mode, call.space());
            let result = self.encode("", space, false, mode);
            if let Some(result) = self.add(call, result, 0, false) {
                return Some(result);
            }
            return match First::of(rest) {
                First::Malformed(length) => self.malformed(&rest[..length], length, call),
                First::Cut => self.keep(rest, rest.len(), call),
                // `valid` would not be empty.
                First::Character(_) => Some(textcodec_result::INVALID),
            };
        }
        let is_all = valid.len() == rest.len();
        let last = is_all && is_last(call.flags);
        let mode = call.mode;
        let result = self.encode(valid, call.space(), last, mode);
        self.add(call, result, result.read, last).or_else(|| is_all.then(|| call.result(TEXTCODEC_OK)))
    }

    /// Encodes the character whose first bytes were in an earlier source. `None` if the call goes on.
    #[cold]
    fn cut_character(&mut self, rest: &[u8], call: &mut Call<'_>) -> Option<textcodec_result> {
        let earlier = self.cut.bytes().len();
        let mut joined = [0; 4];
        let length = joined.len().min(earlier + rest.len());
        let bytes = &mut joined[..length];
        bytes[..earlier].copy_from_slice(self.cut.bytes());
        bytes[earlier..].copy_from_slice(&rest[..length - earlier]);
        match First::of(bytes) {
            First::Character(character) => {
                let mode = call.mode;
                let result = self.encode(character, call.space(), false, mode);
                // A reference or an escape sequence before the character may have filled the destination.
                let is_read = result.read > 0;
                if is_read {
                    self.cut = Cut::NOTHING;
                }
                self.add(call, result, if is_read { character.len() - earlier } else { 0 }, false)
            }
            // The earlier bytes alone are no malformed sequence. So there is at least one more byte, which ends the
            // sequence and is not part of it.
            First::Malformed(length) => self.malformed(&joined[..length], length.saturating_sub(earlier), call),
            First::Cut => self.keep(&joined[..length], length - earlier, call),
        }
    }

    /// Keeps `bytes`, which begin a character, of which `read` bytes are in this source. At the end of the stream they
    /// are malformed.
    #[cold]
    fn keep(&mut self, bytes: &[u8], read: usize, call: &mut Call<'_>) -> Option<textcodec_result> {
        if is_last(call.flags) {
            return self.malformed(bytes, read, call);
        }
        self.cut = Cut::new(bytes);
        call.read += read;
        if call.counts() {
            self.position += read as u64;
        }
        Some(call.result(TEXTCODEC_OK))
    }

    /// Stops after the malformed sequence `bytes`, of which `read` bytes are in this source, or encodes U+FFFD in its
    /// place. `None` if the call goes on.
    #[cold]
    fn malformed(&mut self, bytes: &[u8], read: usize, call: &mut Call<'_>) -> Option<textcodec_result> {
        if call.mode == EncodeErrorMode::Fatal {
            self.cut = Cut::NOTHING;
            call.read += read;
            call.had_errors = true;
            if call.counts() {
                self.position += read as u64;
            }
            let counted = if call.counts() { bytes.len() as u64 } else { 0 };
            let offset = self.position.saturating_sub(counted);
            return Some(call.result(TEXTCODEC_MALFORMED).malformed(offset, bytes));
        }
        let result = self.encode("\u{FFFD}", call.space(), false, EncodeErrorMode::Html);
        let is_read = result.read > 0;
        if is_read {
            self.cut = Cut::NOTHING;
            call.had_errors = true;
        }
        let mut result = self.add(call, result, if is_read { read } else { 0 }, false)?;
        if u32::from(result.status) == TEXTCODEC_UNMAPPABLE {
            // U+FFFD is unmappable, and the error is where the sequence is.
            let counted = if call.counts() { bytes.len() as u64 } else { 0 };
            result.error_offset = self.position.saturating_sub(counted);
            result.error_length = bytes.len() as u8;
        }
        Some(result)
    }

    #[inline]
    fn utf16(&mut self, source: &[u16], destination: &mut [u8], flags: u32) -> textcodec_result {
        let mut call = self.call(destination, flags);
        if self.cut.length > 0 && (!source.is_empty() || is_last(flags)) {
            let cut = self.cut;
            if let Some(result) = self.malformed(cut.bytes(), 0, &mut call) {
                return result;
            }
        }
        let (last, mode) = (is_last(flags), call.mode);
        let result = self.encoder.encode_utf16(source, call.space(), last, mode);
        match self.add(&mut call, result, result.read, last) {
            Some(result) => result,
            None => call.result(TEXTCODEC_OK),
        }
    }

    /// The greatest number of bytes that `length` bytes of UTF-8 can become.
    fn max_length_from_utf8(&self, length: usize, flags: u32) -> Option<usize> {
        let length = length.checked_add(self.cut.bytes().len())?;
        match flags & TEXTCODEC_FATAL {
            // A malformed byte becomes U+FFFD, which is one code unit of UTF-16. So text has at most as many code
            // units as bytes.
            0 => self.encoder.max_length_from_utf16(length, EncodeErrorMode::Html),
            _ => self.encoder.max_length_from_str(length, EncodeErrorMode::Fatal),
        }
    }

    /// The greatest number of bytes that `length` code units of UTF-16 can become.
    fn max_length_from_utf16(&self, length: usize, flags: u32) -> Option<usize> {
        let mode = if flags & TEXTCODEC_FATAL != 0 { EncodeErrorMode::Fatal } else { EncodeErrorMode::Html };
        self.encoder.max_length_from_utf16(length.checked_add(self.cut.bytes().len())?, mode)
    }

    fn save(&self) -> textcodec_state {
        let [first, _, third] = self.encoder.stream_state().into();
        let Cut { bytes: [one, two, three], length } = self.cut;
        textcodec_state { words: [first, self.position, third, u32::from_le_bytes([one, two, three, length]).into()] }
    }

    fn restore(&mut self, &textcodec_state { words: [first, position, third, cut] }: &textcodec_state) -> Option<()> {
        let [one, two, three, length] = u32::try_from(cut).ok()?.to_le_bytes();
        let cut = Cut { bytes: [one, two, three], length };
        let is_unused_zero = cut.bytes.iter().skip(cut.bytes().len()).all(|&byte| byte == 0);
        let is_possible = match length {
            0 | Cut::ENDED => true,
            1..=3 => matches!(First::of(cut.bytes()), First::Cut),
            _ => false,
        };
        if !is_possible || !is_unused_zero {
            return None;
        }
        // After half of a surrogate pair, an encoder of Rust has a position. Here it is 0 if the units do not count.
        self.encoder.resume(EncoderState::from([first, position.max(1), third])).ok()?;
        (self.position, self.cut) = (position, cut);
        Some(())
    }
}

/// At most `most` bytes at the start of `bytes`, without the beginning of a character that goes on after them.
fn before_cut(bytes: &[u8], most: usize) -> &[u8] {
    if bytes.len() <= most {
        return bytes;
    }
    let is_continuation = |at: usize| bytes.get(at).is_some_and(|byte| byte & 0xC0 == 0x80);
    let cut = (most.saturating_sub(3)..=most).rev().find(|&at| !is_continuation(at)).unwrap_or(most);
    &bytes[..cut]
}

/// Makes an encoder.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_encoder_init(encoder: *mut textcodec_encoder, encoding: textcodec_encoding) -> u32 {
    let Some(value) = Sources::new(encoding) else { return TEXTCODEC_INVALID };
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    if unsafe { init(encoder, encoding, value) } { TEXTCODEC_OK } else { TEXTCODEC_INVALID }
}

/// Encodes a part of a stream of UTF-8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_encoder_utf8(
    encoder: *mut textcodec_encoder,
    text: *const c_char,
    length: usize,
    bytes: *mut c_void,
    capacity: usize,
    flags: u32,
) -> textcodec_result {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    let (encoder, text, bytes) = unsafe {
        (opaque_mut::<Sources>(encoder), source(text.cast::<u8>(), length), destination(bytes.cast(), capacity))
    };
    let Some(encoder) = encoder else { return textcodec_result::INVALID };
    encoder.value.utf8(text, bytes, flags)
}

/// Encodes a part of a stream of UTF-16.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_encoder_utf16(
    encoder: *mut textcodec_encoder,
    text: *const u16,
    length: usize,
    bytes: *mut c_void,
    capacity: usize,
    flags: u32,
) -> textcodec_result {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    let (encoder, text, bytes) =
        unsafe { (opaque_mut::<Sources>(encoder), source(text, length), destination(bytes.cast(), capacity)) };
    let Some(encoder) = encoder else { return textcodec_result::INVALID };
    encoder.value.utf16(text, bytes, flags)
}

/// The greatest number of bytes that the next bytes of UTF-8 can become.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_encoder_max_length_from_utf8(
    encoder: *const textcodec_encoder,
    length: usize,
    flags: u32,
) -> usize {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    let encoder = unsafe { opaque::<Sources>(encoder) };
    encoder.and_then(|encoder| encoder.value.max_length_from_utf8(length, flags)).unwrap_or(TOO_LARGE)
}

/// The greatest number of bytes that the next code units of UTF-16 can become.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_encoder_max_length_from_utf16(
    encoder: *const textcodec_encoder,
    length: usize,
    flags: u32,
) -> usize {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    let encoder = unsafe { opaque::<Sources>(encoder) };
    encoder.and_then(|encoder| encoder.value.max_length_from_utf16(length, flags)).unwrap_or(TOO_LARGE)
}

/// The encoding of the output.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_encoder_encoding(encoder: *const textcodec_encoder) -> textcodec_encoding {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    unsafe { opaque::<Sources>(encoder) }.map_or(TEXTCODEC_NONE, |encoder| encoder.encoding)
}

/// The number of units of the stream that were read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_encoder_position(encoder: *const textcodec_encoder) -> u64 {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    unsafe { opaque::<Sources>(encoder) }.map_or(0, |encoder| encoder.value.position)
}

/// Whether the end of the stream would write bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_encoder_has_pending_state(encoder: *const textcodec_encoder) -> bool {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    let encoder = unsafe { opaque::<Sources>(encoder) };
    encoder.is_some_and(|encoder| encoder.value.encoder.has_pending_state() || !encoder.value.cut.bytes().is_empty())
}

/// Forgets the stream.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_encoder_reset(encoder: *mut textcodec_encoder) {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    if let Some(encoder) = unsafe { opaque_mut::<Sources>(encoder) } {
        encoder.value.encoder.reset();
        (encoder.value.position, encoder.value.cut) = (0, Cut::NOTHING);
    }
}

/// Writes the state of the stream.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_encoder_save(encoder: *const textcodec_encoder, state: *mut textcodec_state) -> u32 {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    let Some(encoder) = (unsafe { opaque::<Sources>(encoder) }) else { return TEXTCODEC_INVALID };
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    if unsafe { write(state, encoder.value.save()) } { TEXTCODEC_OK } else { TEXTCODEC_INVALID }
}

/// Continues the stream of a state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_encoder_restore(
    encoder: *mut textcodec_encoder,
    state: *const textcodec_state,
) -> u32 {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    let (encoder, state) = unsafe { (opaque_mut::<Sources>(encoder), read(state)) };
    let restored = encoder.zip(state).and_then(|(encoder, state)| encoder.value.restore(state));
    restored.map_or(TEXTCODEC_INVALID, |()| TEXTCODEC_OK)
}

/// Encodes a whole text of UTF-8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_encode_utf8(
    encoding: textcodec_encoding,
    text: *const c_char,
    length: usize,
    bytes: *mut c_void,
    capacity: usize,
    flags: u32,
) -> textcodec_result {
    let mut encoder = MaybeUninit::uninit();
    // SAFETY: the encoder is on the stack, and is made before it is used. For the other pointers, the caller keeps the
    // promises of `textcodec.h`.
    unsafe {
        if textcodec_encoder_init(encoder.as_mut_ptr(), encoding) != TEXTCODEC_OK {
            return textcodec_result::INVALID;
        }
        let flags = flags & TEXTCODEC_FATAL | TEXTCODEC_LAST;
        textcodec_encoder_utf8(encoder.as_mut_ptr(), text, length, bytes, capacity, flags)
    }
}

/// Encodes a whole text of UTF-16.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_encode_utf16(
    encoding: textcodec_encoding,
    text: *const u16,
    length: usize,
    bytes: *mut c_void,
    capacity: usize,
    flags: u32,
) -> textcodec_result {
    let mut encoder = MaybeUninit::uninit();
    // SAFETY: the encoder is on the stack, and is made before it is used. For the other pointers, the caller keeps the
    // promises of `textcodec.h`.
    unsafe {
        if textcodec_encoder_init(encoder.as_mut_ptr(), encoding) != TEXTCODEC_OK {
            return textcodec_result::INVALID;
        }
        let flags = flags & TEXTCODEC_FATAL | TEXTCODEC_LAST;
        textcodec_encoder_utf16(encoder.as_mut_ptr(), text, length, bytes, capacity, flags)
    }
}

/// The greatest number of bytes that a text of `length` bytes of UTF-8 can become.
#[unsafe(no_mangle)]
pub extern "C" fn textcodec_max_length_from_utf8(encoding: textcodec_encoding, length: usize, flags: u32) -> usize {
    Sources::new(encoding).and_then(|encoder| encoder.max_length_from_utf8(length, flags)).unwrap_or(TOO_LARGE)
}

/// The greatest number of bytes that a text of `length` code units of UTF-16 can become.
#[unsafe(no_mangle)]
pub extern "C" fn textcodec_max_length_from_utf16(encoding: textcodec_encoding, length: usize, flags: u32) -> usize {
    Sources::new(encoding).and_then(|encoder| encoder.max_length_from_utf16(length, flags)).unwrap_or(TOO_LARGE)
}
