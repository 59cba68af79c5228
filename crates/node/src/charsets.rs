//! The functions for charsets that the Standard does not have. A stream is a number, which is in word 0. Word 2 has
//! flags.

use textcodec_js::{Refusal, charsets};

use crate::{
    detect::number_or_refusal,
    encode::deliver,
    napi::{Bytes, Call, Result, Value},
};

/// The flag of word 2 that makes the first error end a new stream.
const FATAL: u32 = 1;
/// The flag of word 2 for the last part of a stream.
const LAST: u32 = 2;

/// `charsets()`: all charsets, as JSON.
pub(crate) fn charsets<'c>(call: &mut Call<'c>) -> Result<Option<Value<'c>>> {
    call.str(&charsets::all()).map(Some)
}

/// `lookUpCharset(label)`: the charset with this name, as JSON, or the code and the message of a RangeError. JSON
/// begins with a brace.
pub(crate) fn look_up_charset<'c>(call: &mut Call<'c>) -> Result<Option<Value<'c>>> {
    let label = call.text(0)?;
    let (Ok(text) | Err(Refusal(text))) = charsets::look_up(&label);
    call.str(&text).map(Some)
}

/// `newCharsetDecoder(label)`: the number of a new stream, or the code and the message of a RangeError.
pub(crate) fn new_charset_decoder<'c>(call: &mut Call<'c>) -> Result<Option<Value<'c>>> {
    let label = call.text(0)?;
    let is_fatal = call.word(2) & FATAL != 0;
    let started = call.streams().decoder(&label, is_fatal);
    number_or_refusal(call, started)
}

/// `decodeCharset(bytes)`: the text of the next bytes. Returns `undefined` for an error, which `charsetError`
/// describes, and `null` for shared memory.
pub(crate) fn decode_charset<'c>(call: &mut Call<'c>) -> Result<Option<Value<'c>>> {
    let bytes = match call.bytes(0)? {
        Bytes::Of(bytes) => bytes,
        Bytes::OfSharedArrayBuffer => return call.null().map(Some),
    };
    let (number, last) = (call.word(0), call.word(2) & LAST != 0);
    match call.streams().decode(number, bytes, last) {
        Some(text) => call.str(&text).map(Some),
        None => Ok(None),
    }
}

/// `forgetCharsetDecoder()`: frees the memory of a stream.
pub(crate) fn forget_charset_decoder<'c>(call: &mut Call<'c>) -> Result<Option<Value<'c>>> {
    let number = call.word(0);
    call.streams().forget_decoder(number);
    Ok(None)
}

/// `newCharsetEncoder(label)`: the number of a new stream, or the code and the message of a RangeError.
pub(crate) fn new_charset_encoder<'c>(call: &mut Call<'c>) -> Result<Option<Value<'c>>> {
    let label = call.text(0)?;
    let is_fatal = call.word(2) & FATAL != 0;
    let started = call.streams().encoder(&label, is_fatal);
    number_or_refusal(call, started)
}

/// `encodeCharset(string)`: encodes the next text. Word 2 says where the result is, as after `encode`; after an
/// unmappable character, `charsetError` describes it.
pub(crate) fn encode_charset<'c>(call: &mut Call<'c>) -> Result<Option<Value<'c>>> {
    let text = call.text(0)?;
    let (number, last) = (call.word(0), call.word(2) & LAST != 0);
    let bytes = call.streams().encode(number, &text, last);
    deliver(call, bytes);
    Ok(None)
}

/// `forgetCharsetEncoder()`: frees the memory of a stream.
pub(crate) fn forget_charset_encoder<'c>(call: &mut Call<'c>) -> Result<Option<Value<'c>>> {
    let number = call.word(0);
    call.streams().forget_encoder(number);
    Ok(None)
}

/// `charsetError()`: the last error of `decodeCharset` or `encodeCharset`, as JSON.
pub(crate) fn charset_error<'c>(call: &mut Call<'c>) -> Result<Option<Value<'c>>> {
    let error = call.streams().error().to_owned();
    call.str(&error).map(Some)
}
