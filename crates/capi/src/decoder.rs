//! Decoders: for streams, and for whole texts.

use core::{
    ffi::{c_char, c_void},
    mem::MaybeUninit,
};

use textcodec_core::{Decoder, DecoderState};

use crate::{
    TEXTCODEC_INVALID, TEXTCODEC_LAST, TEXTCODEC_NONE, TEXTCODEC_OK, bom,
    encodings::{Coded, Found, number_of},
    pointers::{Opaque, Tagged, destination, init, opaque, opaque_mut, read, source, write},
    textcodec_encoding, textcodec_result, textcodec_state,
    types::{TOO_LARGE, decode_error_mode, is_last},
};

/// A decoder in the memory of its caller.
#[repr(C)]
pub struct textcodec_decoder {
    words: [u64; 8],
}

impl Opaque for Tagged<Decoder<Coded>> {
    type Struct = textcodec_decoder;
    const TAG: u32 = u32::from_le_bytes(*b"tcD1");
}

/// A new decoder. `None` if an argument has no meaning.
fn new(encoding: textcodec_encoding, bom_handling: u32) -> Option<Decoder<Coded>> {
    use textcodec::BomHandling;
    let coded = Found::new(encoding)?.decoding();
    match bom::handling(bom_handling)? {
        BomHandling::Sniff => Some(Decoder::sniffing(coded)),
        BomHandling::Remove => Some(Decoder::removing_bom(coded)),
        BomHandling::Keep => Some(Decoder::new(coded)),
        _ => None,
    }
}

/// Makes a decoder.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_decoder_init(
    decoder: *mut textcodec_decoder,
    encoding: textcodec_encoding,
    bom_handling: u32,
) -> u32 {
    let Some(value) = new(encoding, bom_handling) else { return TEXTCODEC_INVALID };
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    if unsafe { init(decoder, encoding, value) } { TEXTCODEC_OK } else { TEXTCODEC_INVALID }
}

/// Decodes a part of a stream to UTF-8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_decoder_utf8(
    decoder: *mut textcodec_decoder,
    bytes: *const c_void,
    length: usize,
    text: *mut c_char,
    capacity: usize,
    flags: u32,
) -> textcodec_result {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    let (decoder, bytes, text) = unsafe {
        (opaque_mut::<Decoder<Coded>>(decoder), source(bytes.cast::<u8>(), length), destination(text.cast(), capacity))
    };
    let Some(decoder) = decoder else { return textcodec_result::INVALID };
    // This is the only call in the library, so that the compiler inlines the loop of the decoder and keeps the result
    // in registers. A result in memory would be copied by loads of two words that were stored one by one, which stall:
    // 3 ns (Zen 5). So the function for whole texts calls this one.
    decoder.value.decode_to_utf8(bytes, text, is_last(flags), decode_error_mode(flags)).into()
}

/// Decodes a part of a stream to UTF-16.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_decoder_utf16(
    decoder: *mut textcodec_decoder,
    bytes: *const c_void,
    length: usize,
    text: *mut u16,
    capacity: usize,
    flags: u32,
) -> textcodec_result {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    let (decoder, bytes, text) = unsafe {
        (opaque_mut::<Decoder<Coded>>(decoder), source(bytes.cast::<u8>(), length), destination(text, capacity))
    };
    let Some(decoder) = decoder else { return textcodec_result::INVALID };
    decoder.value.decode_to_utf16(bytes, text, is_last(flags), decode_error_mode(flags)).into()
}

/// The greatest number of bytes of UTF-8 that the next bytes can become.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_decoder_max_utf8_length(decoder: *const textcodec_decoder, length: usize) -> usize {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    let decoder = unsafe { opaque::<Decoder<Coded>>(decoder) };
    decoder.and_then(|decoder| decoder.value.max_utf8_length(length)).unwrap_or(TOO_LARGE)
}

/// The greatest number of code units of UTF-16 that the next bytes can become.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_decoder_max_utf16_length(decoder: *const textcodec_decoder, length: usize) -> usize {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    let decoder = unsafe { opaque::<Decoder<Coded>>(decoder) };
    decoder.and_then(|decoder| decoder.value.max_utf16_length(length)).unwrap_or(TOO_LARGE)
}

/// The encoding that is decoded.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_decoder_encoding(decoder: *const textcodec_decoder) -> textcodec_encoding {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    match unsafe { opaque::<Decoder<Coded>>(decoder) } {
        Some(decoder) => decoder.value.bom().map_or(decoder.encoding, |bom| number_of(bom.name())),
        None => TEXTCODEC_NONE,
    }
}

/// The number of bytes of the stream that were read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_decoder_position(decoder: *const textcodec_decoder) -> u64 {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    unsafe { opaque::<Decoder<Coded>>(decoder) }.map_or(0, |decoder| decoder.value.position())
}

/// The offset of the sequence that has begun, or of the next one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_decoder_sequence_start(decoder: *const textcodec_decoder) -> u64 {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    unsafe { opaque::<Decoder<Coded>>(decoder) }.map_or(0, |decoder| decoder.value.sequence_start())
}

/// Forgets the stream.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_decoder_reset(decoder: *mut textcodec_decoder) {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    if let Some(decoder) = unsafe { opaque_mut::<Decoder<Coded>>(decoder) } {
        decoder.value.reset();
    }
}

/// Writes the state of the stream.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_decoder_save(decoder: *const textcodec_decoder, state: *mut textcodec_state) -> u32 {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    let Some(decoder) = (unsafe { opaque::<Decoder<Coded>>(decoder) }) else { return TEXTCODEC_INVALID };
    let [first, second, third] = decoder.value.stream_state().into();
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    let is_written = unsafe { write(state, textcodec_state { words: [first, second, third, 0] }) };
    if is_written { TEXTCODEC_OK } else { TEXTCODEC_INVALID }
}

/// Continues the stream of a state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_decoder_restore(
    decoder: *mut textcodec_decoder,
    state: *const textcodec_state,
) -> u32 {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    let (decoder, state) = unsafe { (opaque_mut::<Decoder<Coded>>(decoder), read(state)) };
    match (decoder, state) {
        (Some(decoder), Some(&textcodec_state { words: [first, second, third, 0] })) => {
            match decoder.value.resume(DecoderState::from([first, second, third])) {
                Ok(()) => TEXTCODEC_OK,
                Err(_) => TEXTCODEC_INVALID,
            }
        }
        _ => TEXTCODEC_INVALID,
    }
}

/// Decodes a whole text to UTF-8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_decode_utf8(
    encoding: textcodec_encoding,
    bom_handling: u32,
    bytes: *const c_void,
    length: usize,
    text: *mut c_char,
    capacity: usize,
    flags: u32,
) -> textcodec_result {
    let mut decoder = MaybeUninit::uninit();
    // SAFETY: the decoder is on the stack, and is made before it is used. For the other pointers, the caller keeps the
    // promises of `textcodec.h`.
    unsafe {
        if textcodec_decoder_init(decoder.as_mut_ptr(), encoding, bom_handling) != TEXTCODEC_OK {
            return textcodec_result::INVALID;
        }
        textcodec_decoder_utf8(decoder.as_mut_ptr(), bytes, length, text, capacity, flags | TEXTCODEC_LAST)
    }
}

/// Decodes a whole text to UTF-16.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_decode_utf16(
    encoding: textcodec_encoding,
    bom_handling: u32,
    bytes: *const c_void,
    length: usize,
    text: *mut u16,
    capacity: usize,
    flags: u32,
) -> textcodec_result {
    let mut decoder = MaybeUninit::uninit();
    // SAFETY: the decoder is on the stack, and is made before it is used. For the other pointers, the caller keeps the
    // promises of `textcodec.h`.
    unsafe {
        if textcodec_decoder_init(decoder.as_mut_ptr(), encoding, bom_handling) != TEXTCODEC_OK {
            return textcodec_result::INVALID;
        }
        textcodec_decoder_utf16(decoder.as_mut_ptr(), bytes, length, text, capacity, flags | TEXTCODEC_LAST)
    }
}

/// The greatest number of bytes of UTF-8 that a text of `length` bytes can become.
#[unsafe(no_mangle)]
pub extern "C" fn textcodec_max_utf8_length(encoding: textcodec_encoding, length: usize) -> usize {
    new(encoding, bom::TEXTCODEC_BOM_SNIFF).and_then(|decoder| decoder.max_utf8_length(length)).unwrap_or(TOO_LARGE)
}

/// The greatest number of code units of UTF-16 that a text of `length` bytes can become.
#[unsafe(no_mangle)]
pub extern "C" fn textcodec_max_utf16_length(encoding: textcodec_encoding, length: usize) -> usize {
    new(encoding, bom::TEXTCODEC_BOM_SNIFF).and_then(|decoder| decoder.max_utf16_length(length)).unwrap_or(TOO_LARGE)
}
