//! The functions for [TextEncoder](https://encoding.spec.whatwg.org/#interface-textencoder),
//! [encode](https://encoding.spec.whatwg.org/#encode), [encode or
//! fail](https://encoding.spec.whatwg.org/#encode-or-fail) and [percent-encode after
//! encoding](https://url.spec.whatwg.org/#string-percent-encode-after-encoding).

use textcodec::{
    EncodeErrorMode, EncodeStatus,
    api::{JsString, TextEncoder},
};

use crate::{
    decode::encoding,
    napi::{self as node, Bytes, Call, MAX_LENGTH, Pending, Result, Value},
};

/// Value of word 2 after encoding: the shared bytes begin with the result, and word 1 has its length in bytes.
const IN_SHARED_BYTES: u32 = 0;
/// Value of word 2 after encoding: the script makes an array of as many bytes as word 1 says, and calls `take` with it.
/// The script makes every array, so that all results belong to the script's realm.
const PENDING: u32 = 1;
/// Value of word 2 after encoding: word 0 has a code point that cannot be encoded, and word 1 the index of its first
/// code unit in the string.
const UNMAPPABLE: u32 = 2;

/// `encodeUtf8(string)`. Word 2 says where the result is: [`IN_SHARED_BYTES`] or [`PENDING`].
pub(crate) fn encode_utf8<'c>(call: &mut Call<'c>) -> Result<Option<Value<'c>>> {
    let (memory, length) = call.units(0, MAX_LENGTH)?;
    let units = &memory[..length];
    let shared = call.all_shared();
    let result = TextEncoder::new().encode_into(units, shared);
    if result.read == length {
        call.done_with(memory);
        call.set_word(1, result.written as u32);
        call.set_word(2, IN_SHARED_BYTES);
    } else {
        call.set_word(1, TextEncoder::new().encoded_length(units) as u32);
        call.set_word(2, PENDING);
        call.keep(Pending::Units(memory, length));
    }
    Ok(None)
}

/// `take(bytes)`: puts the pending result of the previous call into `bytes`. An array that is too short drops the
/// result.
pub(crate) fn take<'c>(call: &mut Call<'c>) -> Result<Option<Value<'c>>> {
    let destination = match call.bytes(0)? {
        Bytes::Of(bytes) => bytes,
        Bytes::OfSharedArrayBuffer => return call.null().map(Some),
    };
    match call.take() {
        Pending::Nothing => {}
        Pending::Bytes(bytes) => {
            if let Some(destination) = destination.get_mut(..bytes.len()) {
                destination.copy_from_slice(&bytes);
            }
        }
        Pending::Units(memory, length) => {
            textcodec::mem::utf16_to_utf8(&memory[..length], destination);
            call.done_with(memory);
        }
    }
    Ok(None)
}

/// `encodeInto(string, bytes)`: sets word 0 to the number of code units read, and word 1 to the number of bytes
/// written. Returns `null` for shared memory.
pub(crate) fn encode_into<'c>(call: &mut Call<'c>) -> Result<Option<Value<'c>>> {
    let destination = match call.bytes(1)? {
        Bytes::Of(bytes) => bytes,
        Bytes::OfSharedArrayBuffer => return call.null().map(Some),
    };
    // Each code unit becomes at least one byte, so a destination of N bytes never takes more than N code units. N + 1
    // units are copied. If the copy ends with the first half of a surrogate pair, the N units before that half take at
    // least N bytes, so the pair does not fit in the destination anyway.
    let (memory, length) = call.units(0, destination.len() + 1)?;
    let result = TextEncoder::new().encode_into(&memory[..length], destination);
    call.done_with(memory);
    call.set_word(0, result.read as u32);
    call.set_word(1, result.written as u32);
    Ok(None)
}

/// `encode(string)` into the encoding of word 0. The error mode is html, or fatal if word 0 also has 0x100. Word 2 says
/// where the result is: [`IN_SHARED_BYTES`], [`PENDING`] or [`UNMAPPABLE`].
pub(crate) fn encode<'c>(call: &mut Call<'c>) -> Result<Option<Value<'c>>> {
    let mode = if call.word(0) & 0x100 != 0 { EncodeErrorMode::Fatal } else { EncodeErrorMode::Html };
    let mut encoder = encoding(call)?.new_encoder();
    let (memory, length) = call.units(0, MAX_LENGTH)?;
    let mut bytes = Vec::new();
    let result = encoder.encode_utf16_to_vec(&memory[..length], &mut bytes, true, mode);
    call.done_with(memory);
    if let EncodeStatus::Unmappable(unmappable) = result.status {
        call.set_word(0, unmappable.code_point.into());
        call.set_word(1, unmappable.offset as u32);
        call.set_word(2, UNMAPPABLE);
        return Ok(None);
    }
    deliver(call, Some(bytes));
    Ok(None)
}

/// Puts a result where the script finds it: word 2 becomes [`IN_SHARED_BYTES`] or [`PENDING`], or [`UNMAPPABLE`] if
/// there is no result. Word 1 becomes the length in bytes.
pub(crate) fn deliver(call: &mut Call<'_>, bytes: Option<Vec<u8>>) {
    let Some(bytes) = bytes else {
        call.set_word(2, UNMAPPABLE);
        return;
    };
    let length = bytes.len();
    match call.all_shared().get_mut(..length) {
        Some(shared) => {
            shared.copy_from_slice(&bytes);
            call.set_word(2, IN_SHARED_BYTES);
        }
        None => {
            call.keep(Pending::Bytes(bytes));
            call.set_word(2, PENDING);
        }
    }
    call.set_word(1, length as u32);
}

/// The number of encoded bytes that are percent-encoded at once.
const PERCENT_ENCODE_PIECE: usize = 1024;

/// `percentEncode(string)` after encoding into the encoding of word 0. If word 0 also has 0x100, a space becomes `+`.
/// Each of the first 128 shared bytes is 0 unless the percent-encode set contains its ASCII code point. Returns the
/// string.
pub(crate) fn percent_encode<'c>(call: &mut Call<'c>) -> Result<Option<Value<'c>>> {
    let space_as_plus = call.word(0) & 0x100 != 0;
    let mut encoder = encoding(call)?.new_encoder();
    let mut set = [0; 128];
    call.set_word(1, 128);
    set.copy_from_slice(call.shared());
    let (memory, length) = call.units(0, MAX_LENGTH)?;
    let mut output = Vec::with_capacity(length);
    let mut buffer = [0; PERCENT_ENCODE_PIECE];
    let mut rest = &memory[..length];
    loop {
        let result = encoder.encode_utf16(rest, &mut buffer, true, EncodeErrorMode::Fatal);
        // Each byte becomes one or three characters, so this is the least length.
        node::check_length(output.len() + result.written)?;
        for &byte in &buffer[..result.written] {
            match set.get(usize::from(byte)) {
                _ if byte == b' ' && space_as_plus => output.push(b'+'),
                Some(0) => output.push(byte),
                _ => output.extend([b'%', hex(byte >> 4), hex(byte & 0xF)]),
            }
        }
        rest = &rest[result.read..];
        match result.status {
            EncodeStatus::InputEmpty => break,
            EncodeStatus::OutputFull => {}
            EncodeStatus::Unmappable(unmappable) => {
                output.extend(b"%26%23");
                extend_decimal(&mut output, unmappable.code_point.into());
                output.extend(b"%3B");
            }
        }
    }
    call.done_with(memory);
    call.string(JsString::Latin1(output.into())).map(Some)
}

/// Appends the decimal digits of `number`, a code point. It has at most seven digits.
fn extend_decimal(output: &mut Vec<u8>, number: u32) {
    let digit = |divisor: u32| b'0' + (number / divisor % 10) as u8;
    let digits = [1_000_000, 100_000, 10_000, 1000, 100, 10, 1].map(digit);
    let start = digits.iter().position(|&digit| digit != b'0').unwrap_or(6);
    output.extend(&digits[start..]);
}

fn hex(digit: u8) -> u8 {
    b"0123456789ABCDEF"[usize::from(digit)]
}
