//! [TextEncoder](https://encoding.spec.whatwg.org/#interface-textencoder), [encode](https://encoding.spec.whatwg.org/#encode),
//! [encode or fail](https://encoding.spec.whatwg.org/#encode-or-fail) and
//! [percent-encode after encoding](https://url.spec.whatwg.org/#string-percent-encode-after-encoding) for the script.

use textcodec::{
    EncodeStatus, EncoderErrorMode,
    api::{JsString, TextEncoder},
};

use crate::{
    decode::encoding,
    napi::{self as node, Bytes, Call, Result, Value},
};

/// `encodeUtf8(string)`: a Uint8Array.
pub(crate) fn encode_utf8<'c>(call: &mut Call<'c>) -> Result<Option<Value<'c>>> {
    let (memory, length) = call.units(0)?;
    let units = &memory[..length];
    let length = TextEncoder::new().encoded_length(units);
    let array = call.uint8_array(length, |bytes| {
        let (_, written) = textcodec::mem::utf16_to_utf8(units, bytes);
        debug_assert_eq!(written, length);
    });
    call.done_with(memory);
    array.map(Some)
}

/// `encodeInto(string, bytes)`: puts read into word 0 and written into word 1. `null` is shared memory.
pub(crate) fn encode_into<'c>(call: &mut Call<'c>) -> Result<Option<Value<'c>>> {
    let destination = match call.bytes(1)? {
        Bytes::Of(bytes) => bytes,
        Bytes::OfSharedArrayBuffer => return call.null().map(Some),
    };
    let (memory, length) = call.units(0)?;
    let result = TextEncoder::new().encode_into(&memory[..length], destination);
    call.done_with(memory);
    call.set_word(0, result.read as u32);
    call.set_word(1, result.written as u32);
    Ok(None)
}

/// `encode(string)` into the encoding of word 0, in the error mode html, or fatal if the word also has 0x100: a Uint8Array; or
/// `undefined`, the code point of the error in word 0 and the place of its code unit in word 1.
pub(crate) fn encode<'c>(call: &mut Call<'c>) -> Result<Option<Value<'c>>> {
    let mode = if call.word(0) & 0x100 != 0 { EncoderErrorMode::Fatal } else { EncoderErrorMode::Html };
    let mut encoder = encoding(call)?.new_encoder();
    let (memory, length) = call.units(0)?;
    let mut bytes = Vec::new();
    let result = encoder.encode_utf16_to_vec(&memory[..length], &mut bytes, true, mode);
    call.done_with(memory);
    if let EncodeStatus::Unmappable(unmappable) = result.status {
        call.set_word(0, unmappable.code_point.into());
        call.set_word(1, unmappable.offset as u32);
        return Ok(None);
    }
    call.uint8_array(bytes.len(), |array| array.copy_from_slice(&bytes)).map(Some)
}

/// `percentEncode(string)` after encoding into the encoding of word 0, with spaces as `+` if it also has 0x100. The first 128 shared bytes
/// say for each ASCII code point whether it is in the percent-encode set.
pub(crate) fn percent_encode<'c>(call: &mut Call<'c>) -> Result<Option<Value<'c>>> {
    let space_as_plus = call.word(0) & 0x100 != 0;
    let mut encoder = encoding(call)?.new_encoder();
    let mut set = [0; 128];
    call.set_word(1, 128);
    set.copy_from_slice(call.shared());
    let (memory, length) = call.units(0)?;
    let mut output = Vec::with_capacity(length);
    let mut rest = &memory[..length];
    loop {
        let mut bytes = Vec::new();
        let result = encoder.encode_utf16_to_vec(rest, &mut bytes, true, EncoderErrorMode::Fatal);
        // Of each at least one character is made.
        node::check_length(output.len() + bytes.len())?;
        for byte in bytes {
            match set.get(usize::from(byte)) {
                _ if byte == b' ' && space_as_plus => output.push(b'+'),
                Some(0) => output.push(byte),
                _ => output.extend([b'%', hex(byte >> 4), hex(byte & 0xF)]),
            }
        }
        let EncodeStatus::Unmappable(unmappable) = result.status else { break };
        output.extend(format!("%26%23{}%3B", u32::from(unmappable.code_point)).into_bytes());
        rest = &rest[result.read..];
    }
    call.done_with(memory);
    call.string(JsString::Latin1(output.into())).map(Some)
}

fn hex(digit: u8) -> u8 {
    b"0123456789ABCDEF"[usize::from(digit)]
}
