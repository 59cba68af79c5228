//! The functions for charsets. The first number is that of a stream; in functions that take a name, it is the name's
//! length in the input.

use textcodec_js::charsets;

use crate::state::{DONE, FAILED, State};

/// The flag that makes the first error end a new stream.
const FATAL: u32 = 1;
/// The flag for the last part of a stream.
const LAST: u32 = 2;

pub(crate) fn charsets(state: &mut State, _: u32, _: u32, _: u32) -> i32 {
    state.gave(Some(charsets::all().into_bytes()))
}

pub(crate) fn look_up_charset(state: &mut State, length: u32, _: u32, _: u32) -> i32 {
    let found = charsets::look_up(&state.text(length));
    state.answered(found)
}

pub(crate) fn new_charset_decoder(state: &mut State, length: u32, flags: u32, _: u32) -> i32 {
    let label = state.text(length);
    let started = state.streams.decoder(&label, flags & FATAL != 0);
    state.started(started)
}

/// Decodes the first `length` bytes of the input. The output is UTF-8, or describes the error.
pub(crate) fn decode_charset(state: &mut State, number: u32, length: u32, flags: u32) -> i32 {
    let text = state.streams.decode(number, &state.input[..length as usize], flags & LAST != 0);
    or_error(state, text.map(String::into_bytes))
}

/// Gives the script bytes, or the last error.
fn or_error(state: &mut State, bytes: Option<Vec<u8>>) -> i32 {
    match bytes {
        Some(bytes) => state.gave(Some(bytes)),
        None => {
            state.output = state.streams.error().into();
            FAILED
        }
    }
}

pub(crate) fn forget_charset_decoder(state: &mut State, number: u32, _: u32, _: u32) -> i32 {
    state.streams.forget_decoder(number);
    DONE
}

pub(crate) fn new_charset_encoder(state: &mut State, length: u32, flags: u32, _: u32) -> i32 {
    let label = state.text(length);
    let started = state.streams.encoder(&label, flags & FATAL != 0);
    state.started(started)
}

/// Encodes the first `length` bytes of the input, which are UTF-8. The output is bytes, or describes the error.
pub(crate) fn encode_charset(state: &mut State, number: u32, length: u32, flags: u32) -> i32 {
    let text = state.text(length);
    let bytes = state.streams.encode(number, &text, flags & LAST != 0);
    or_error(state, bytes)
}

pub(crate) fn forget_charset_encoder(state: &mut State, number: u32, _: u32, _: u32) -> i32 {
    state.streams.forget_encoder(number);
    DONE
}
