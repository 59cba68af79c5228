//! [TextDecoder](https://encoding.spec.whatwg.org/#interface-textdecoder), [decode](https://encoding.spec.whatwg.org/#decode),
//! [BOM sniff](https://encoding.spec.whatwg.org/#bom-sniff) and labels for the script.

use napi::Result;
use textcodec::{
    Encoding, Name,
    api::{JsString, TextDecoder, TextDecoderOptions},
    mem,
};

use crate::napi::{Bytes, Call, EXTERNAL, Value};

/// Up to how many bytes are decoded into memory that is kept: they make no string that could take it over.
const SMALL: usize = EXTERNAL / 2;

/// The encoding that word 0 says, in its lowest byte.
pub(crate) fn encoding(call: &Call<'_>) -> Result<Encoding> {
    let name = Name::ALL.get(call.word(0) as usize & 0xFF);
    let encoding = name.and_then(|&name| Encoding::for_name(name).ok());
    encoding.ok_or_else(|| napi::Error::from_reason("no such encoding"))
}

/// The decoder that word 0 says: an encoding, 0x100 for fatal, 0x200 for ignoreBOM.
fn decoder(call: &Call<'_>) -> Result<TextDecoder> {
    let options = TextDecoderOptions { fatal: call.word(0) & 0x100 != 0, ignore_bom: call.word(0) & 0x200 != 0 };
    TextDecoder::with_encoding(encoding(call)?, options).map_err(|error| napi::Error::from_reason(error.to_string()))
}

/// `decode(bytes)`: what a new decoder makes of all the bytes. `undefined` is a TypeError, `null` shared memory.
pub(crate) fn decode<'c>(call: &mut Call<'c>) -> Result<Option<Value<'c>>> {
    run(call, 0, &mut decoder(call)?, false)
}

/// `newDecoder()`: a decoder for `decodeStream`.
pub(crate) fn new_decoder<'c>(call: &mut Call<'c>) -> Result<Option<Value<'c>>> {
    call.hold(decoder(call)?).map(Some)
}

/// `decodeStream(decoder, bytes)`, with the option stream in word 0. `undefined` is a TypeError, `null` shared memory.
pub(crate) fn decode_stream<'c>(call: &mut Call<'c>) -> Result<Option<Value<'c>>> {
    let stream = call.word(0) != 0;
    run(call, 1, call.held(0)?, stream)
}

fn run<'c>(call: &mut Call<'c>, bytes: usize, decoder: &mut TextDecoder, stream: bool) -> Result<Option<Value<'c>>> {
    let bytes = match call.bytes(bytes)? {
        Bytes::Of(bytes) => bytes,
        Bytes::OfSharedArrayBuffer => return call.null().map(Some),
    };
    if bytes.len() > SMALL || mem::is_ascii(bytes) {
        return match decoder.decode_to_js_string(bytes, stream) {
            Ok(string) => call.string(string).map(Some),
            Err(_) => Ok(None),
        };
    }
    // Without new memory.
    let mut units = call.buffer();
    let result = decoder.append_utf16(bytes, stream, &mut units);
    let string = match result {
        Ok(()) => call.copied(&units).map(Some),
        Err(_) => Ok(None),
    };
    call.done_with(units);
    string
}

/// `legacyDecode(bytes)`: the hook *decode*, whose fallback is the encoding in word 0. `null` is shared memory.
pub(crate) fn legacy_decode<'c>(call: &mut Call<'c>) -> Result<Option<Value<'c>>> {
    let mut decoder = encoding(call)?.new_decoder();
    let bytes = match call.bytes(0)? {
        Bytes::Of(bytes) => bytes,
        Bytes::OfSharedArrayBuffer => return call.null().map(Some),
    };
    let mut text = Vec::new();
    let _ = decoder.decode_to_utf16_vec(bytes, &mut text, true, textcodec::DecoderErrorMode::Replacement);
    call.string(JsString::from(text)).map(Some)
}

/// `bomSniff(bytes)`: the number of an encoding, or `undefined`. `null` is shared memory.
pub(crate) fn bom_sniff<'c>(call: &mut Call<'c>) -> Result<Option<Value<'c>>> {
    let bytes = match call.bytes(0)? {
        Bytes::Of(bytes) => bytes,
        Bytes::OfSharedArrayBuffer => return call.null().map(Some),
    };
    match textcodec::Bom::sniff(bytes) {
        Some(bom) => call.number(bom.name() as i32).map(Some),
        None => Ok(None),
    }
}

/// `labels()`: a line for each encoding, its name and then its labels, with spaces between.
pub(crate) fn labels<'c>(call: &mut Call<'c>) -> Result<Option<Value<'c>>> {
    let lines: Vec<String> = Encoding::all()
        .map(|encoding| [encoding.name()].into_iter().chain(encoding.labels()).collect::<Vec<_>>().join(" "))
        .collect();
    call.string(JsString::Latin1(lines.join("\n").into_bytes().into())).map(Some)
}

/// `labelToEncoding(label)`: *get an encoding*; its number, or `undefined`.
pub(crate) fn label_to_encoding<'c>(call: &mut Call<'c>) -> Result<Option<Value<'c>>> {
    let units = call.units(0)?;
    let label = String::from_utf16_lossy(&units);
    call.done_with(units);
    match Encoding::for_label(&label) {
        Ok(encoding) => call.number(encoding.id() as i32).map(Some),
        Err(_) => Ok(None),
    }
}
