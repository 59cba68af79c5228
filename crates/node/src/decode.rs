//! [TextDecoder](https://encoding.spec.whatwg.org/#interface-textdecoder), [decode](https://encoding.spec.whatwg.org/#decode),
//! [BOM sniff](https://encoding.spec.whatwg.org/#bom-sniff) and labels for the script.

use textcodec::{
    DecodeStatus, DecoderErrorMode, Encoding, Name,
    api::{JsString, TextDecoder, TextDecoderOptions},
    mem,
};

use crate::napi::{self as node, Bytes, Call, EXTERNAL, MAX_LENGTH, Result, Value};

/// Inputs of at least [`EXTERNAL`] bytes are decoded in pieces of this length, so that what is between stays in the processor's cache.
const LARGE_PIECE: usize = EXTERNAL / 2;

/// Others are decoded into memory that is kept, and copied: in pieces of this length, that stay in the smallest cache, while they are
/// Latin-1, then the rest at once.
const PIECE: usize = 8 * 1024;

/// Below how many bytes it is left to V8 to find out that a string is Latin-1.
const FEW: usize = 64;

/// What a decoder wants beyond a code unit for each byte.
const ROOM: usize = TextDecoder::ROOM;

/// The encoding that word 0 says, in its lowest byte.
pub(crate) fn encoding(call: &Call<'_>) -> Result<Encoding> {
    let name = Name::ALL.get(call.word(0) as usize & 0xFF);
    let encoding = name.and_then(|&name| Encoding::for_name(name).ok());
    Ok(encoding.ok_or_else(|| napi::Error::from_reason("no such encoding"))?)
}

/// The decoder that word 0 says: an encoding, 0x100 for fatal, 0x200 for ignoreBOM.
#[cold]
fn decoder(call: &Call<'_>) -> Result<TextDecoder> {
    let options = TextDecoderOptions { fatal: call.word(0) & 0x100 != 0, ignore_bom: call.word(0) & 0x200 != 0 };
    let decoder = TextDecoder::with_encoding(encoding(call)?, options);
    Ok(decoder.map_err(|error| napi::Error::from_reason(error.to_string()))?)
}

/// `decode(bytes)`: what a new decoder makes of all the bytes. `undefined` is a TypeError, `null` shared memory.
pub(crate) fn decode<'c>(call: &mut Call<'c>) -> Result<Option<Value<'c>>> {
    let bytes = match call.bytes(0)? {
        Bytes::Of(bytes) => bytes,
        Bytes::OfSharedArrayBuffer => return call.null().map(Some),
    };
    let decoder = call.prepared(decoder)?;
    if is_ascii(decoder.as_encoding(), bytes) {
        // For a new decoder, whatever its options are, this is the text as it is.
        return call.string(JsString::Latin1((&*bytes).into())).map(Some);
    }
    let mut decoder = *decoder;
    text(call, bytes, &mut decoder, false)
}

/// Whether `bytes` are ASCII, and the encoding has that.
fn is_ascii(encoding: Encoding, bytes: &[u8]) -> bool {
    encoding.is_ascii_compatible() && mem::is_ascii(bytes)
}

/// `decodeStream(bytes)`: decodes the next bytes of a stream. Word 0 is as for `decode`, and has 0x400 for the option stream; the eight
/// words of [`Call::state`] are the state of the decoder, before and after the call. `undefined` is a TypeError, `null` shared memory.
pub(crate) fn decode_stream<'c>(call: &mut Call<'c>) -> Result<Option<Value<'c>>> {
    let stream = call.word(0) & 0x400 != 0;
    let bytes = match call.bytes(0)? {
        Bytes::Of(bytes) => bytes,
        Bytes::OfSharedArrayBuffer => return call.null().map(Some),
    };
    let mut decoder = *call.prepared(decoder)?;
    decoder.set_state(call.state());
    let string = decode_next(call, bytes, &mut decoder, stream);
    call.set_state(decoder.state());
    string
}

/// The string of the next bytes of a stream.
fn decode_next<'c>(
    call: &mut Call<'c>,
    bytes: &[u8],
    decoder: &mut TextDecoder,
    stream: bool,
) -> Result<Option<Value<'c>>> {
    if is_ascii(decoder.as_encoding(), bytes) {
        if let Err(failure) = node::check_length(bytes.len()) {
            end(decoder, stream);
            return Err(failure);
        }
        return match decoder.decode_to_js_string(bytes, stream) {
            Ok(string) => call.string(string).map(Some),
            Err(_) => Ok(None),
        };
    }
    text(call, bytes, decoder, stream)
}

/// What `decoder` makes of `bytes` that are not only ASCII.
fn text<'c>(call: &mut Call<'c>, bytes: &[u8], decoder: &mut TextDecoder, stream: bool) -> Result<Option<Value<'c>>> {
    let string =
        string(call, bytes, |piece, is_last, units| decoder.decode_into_utf16(piece, stream || !is_last, units).ok());
    if !matches!(string, Ok(Some(_))) {
        // What is wrong can be in a piece that was not the last.
        end(decoder, stream);
    }
    string
}

/// Ends a stream that a call without `stream` is to end, wherever that call stopped.
#[cold]
fn end(decoder: &mut TextDecoder, stream: bool) {
    if !stream {
        let _ = decoder.decode_into_utf16(&[], false, &mut [0; ROOM]);
    }
}

/// The string of `bytes`. `decode(piece, is_last, units)` decodes a piece of them to the front of `units`, which has room for it, and
/// returns how many code units that is, or nothing for an error, which makes this `None`. What a string has no room for is not decoded.
fn string<'c>(
    call: &mut Call<'c>,
    bytes: &[u8],
    decode: impl FnMut(&[u8], bool, &mut [u16]) -> Option<usize>,
) -> Result<Option<Value<'c>>> {
    let is_large = bytes.len() >= EXTERNAL;
    let mut units = call.buffer(if is_large { LARGE_PIECE } else { bytes.len() } + ROOM);
    let string = if is_large {
        large_string(bytes, &mut units, decode).and_then(|string| string.map(|string| call.string(string)).transpose())
    } else {
        small_string(call, bytes, &mut units, decode).transpose()
    };
    call.done_with(units);
    string
}

/// As [`string`], with room for all of it in `units`, where it is from the first piece on that is not Latin-1.
fn small_string<'c>(
    call: &mut Call<'c>,
    bytes: &[u8],
    units: &mut [u16],
    mut decode: impl FnMut(&[u8], bool, &mut [u16]) -> Option<usize>,
) -> Option<Result<Value<'c>>> {
    let mut length = 0;
    let mut rest = bytes;
    loop {
        let (piece, behind) = rest.split_at(rest.len().min(PIECE));
        rest = behind;
        let written = decode(piece, rest.is_empty(), units)?;
        // V8 itself looks whether Latin-1 is enough, and makes it, but more slowly. For a few units that does not matter.
        if bytes.len() < FEW || !to_latin1(&units[..written], &mut call.latin1_buffer(bytes.len() + ROOM)[length..]) {
            if length > 0 {
                units.copy_within(..written, length);
                mem::latin1_to_utf16(call.latin1_buffer(length), units);
            }
            length += written;
            if !rest.is_empty() {
                length += decode(rest, true, &mut units[length..])?;
            }
            return Some(call.utf16(&units[..length]));
        }
        length += written;
        if rest.is_empty() {
            return Some(call.latin1_of_buffer(length));
        }
    }
}

/// Whether `units` are Latin-1. `latin1` then begins with that.
fn to_latin1(units: &[u16], latin1: &mut [u8]) -> bool {
    // Most units of text in other scripts are not, so one in the middle mostly tells. It saves a few nanoseconds.
    let in_the_middle = units.get(units.len() / 2);
    in_the_middle.is_none_or(|&unit| unit <= 0xFF) && mem::utf16_to_latin1(units, latin1).0 == units.len()
}

/// As [`string`], with `units` for what is decoded while it is Latin-1.
fn large_string(
    bytes: &[u8],
    units: &mut [u16],
    mut decode: impl FnMut(&[u8], bool, &mut [u16]) -> Option<usize>,
) -> Result<Option<JsString<'static>>> {
    // More is never there when a piece more is decoded.
    const MOST: usize = MAX_LENGTH + LARGE_PIECE + ROOM;
    let mut string = JsString::Latin1(Vec::new().into());
    let mut rest = bytes;
    while !rest.is_empty() {
        let (piece, behind) = rest.split_at(rest.len().min(LARGE_PIECE));
        rest = behind;
        match &mut string {
            JsString::Utf16(string) => {
                node::populate(string, piece.len());
                let length = string.len();
                string.resize(length + piece.len() + ROOM, 0);
                let Some(written) = decode(piece, rest.is_empty(), &mut string[length..]) else { return Ok(None) };
                string.truncate(length + written);
            }
            JsString::Latin1(latin1) => {
                let Some(written) = decode(piece, rest.is_empty(), units) else { return Ok(None) };
                let units = &units[..written];
                let latin1 = latin1.to_mut();
                if mem::is_utf16_latin1(units) {
                    latin1.reserve_exact(bytes.len().min(MOST).saturating_sub(latin1.len()));
                    node::populate(latin1, units.len());
                    let length = latin1.len();
                    latin1.resize(length + units.len(), 0);
                    mem::utf16_to_latin1(units, &mut latin1[length..]);
                } else {
                    let mut utf16 = Vec::with_capacity((bytes.len() + ROOM).min(MOST));
                    node::populate(&mut utf16, latin1.len() + units.len());
                    utf16.extend(latin1.iter().copied().map(u16::from));
                    utf16.extend_from_slice(units);
                    string = JsString::Utf16(utf16);
                }
            }
        }
        node::check_length(string.len())?;
    }
    Ok(Some(string))
}

/// `legacyDecode(bytes)`: the hook *decode*, whose fallback is the encoding in word 0, in the error mode replacement, or fatal if the word
/// also has 0x100. `null` is shared memory, `undefined` an error: its offset is in words 0 (the lower half) and 1, the number of its bytes
/// in the lowest byte of word 2, the encoding in the next one, and its bytes in word 3, the first the lowest.
pub(crate) fn legacy_decode<'c>(call: &mut Call<'c>) -> Result<Option<Value<'c>>> {
    let mode = if call.word(0) & 0x100 != 0 { DecoderErrorMode::Fatal } else { DecoderErrorMode::Replacement };
    let encoding = encoding(call)?;
    let bytes = match call.bytes(0)? {
        Bytes::Of(bytes) => bytes,
        Bytes::OfSharedArrayBuffer => return call.null().map(Some),
    };
    if is_ascii(encoding, bytes) {
        return call.string(JsString::Latin1((&*bytes).into())).map(Some);
    }
    let mut decoder = encoding.new_decoder();
    let mut error = None;
    let string = string(call, bytes, |piece, is_last, units| {
        let result = decoder.decode_to_utf16(piece, units, is_last, mode);
        if let DecodeStatus::Malformed(malformed) = result.status {
            error = Some(malformed);
            return None;
        }
        Some(result.written)
    });
    if let Some(malformed) = error {
        let bytes = malformed.bytes();
        call.set_word(0, malformed.offset as u32);
        call.set_word(1, (malformed.offset >> 32) as u32);
        call.set_word(2, bytes.len() as u32 | (decoder.encoding().id() as u32) << 8);
        call.set_word(3, bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte)));
    }
    string
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
    let (memory, length) = call.units(0, MAX_LENGTH)?;
    let label = String::from_utf16_lossy(&memory[..length]);
    call.done_with(memory);
    match Encoding::for_label(&label) {
        Ok(encoding) => call.number(encoding.id() as i32).map(Some),
        Err(_) => Ok(None),
    }
}
