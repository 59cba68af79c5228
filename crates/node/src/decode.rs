//! The functions for [TextDecoder](https://encoding.spec.whatwg.org/#interface-textdecoder),
//! [decode](https://encoding.spec.whatwg.org/#decode), [BOM sniff](https://encoding.spec.whatwg.org/#bom-sniff) and
//! labels.

use textcodec::{
    DecodeErrorMode, DecodeStatus, Encoding, Name,
    api::{JsString, TextDecoder, TextDecoderOptions},
    mem,
};

use crate::napi::{self as node, Bytes, Call, EXTERNAL, MAX_LENGTH, Result, Value};

/// The length of the pieces, in bytes, in which inputs of at least [`EXTERNAL`] bytes are decoded. The intermediate
/// code units then stay in the processor's cache.
const LARGE_PIECE: usize = EXTERNAL / 2;

/// The length of the pieces, in bytes, in which shorter inputs are decoded while their text is Latin-1. A piece stays
/// in the smallest cache. From the first piece on that is not Latin-1, the rest is decoded at once.
const PIECE: usize = 8 * 1024;

/// The length of the input, in bytes, below which V8 itself finds out whether a string is Latin-1.
const FEW: usize = 64;

/// The number of code units that a decoder may write in addition to one for each byte.
const ROOM: usize = TextDecoder::ROOM;

/// The encoding whose number is in the lowest byte of word 0.
pub(crate) fn encoding(call: &Call<'_>) -> Result<Encoding> {
    let name = Name::ALL.get(call.word(0) as usize & 0xFF);
    let encoding = name.and_then(|&name| Encoding::for_name(name).ok());
    Ok(encoding.ok_or_else(|| napi::Error::from_reason("no such encoding"))?)
}

/// A decoder for word 0: the number of an encoding, plus 0x100 for fatal and 0x200 for ignoreBOM.
#[cold]
fn decoder(call: &Call<'_>) -> Result<TextDecoder> {
    let options = TextDecoderOptions { fatal: call.word(0) & 0x100 != 0, ignore_bom: call.word(0) & 0x200 != 0 };
    let decoder = TextDecoder::with_encoding(encoding(call)?, options);
    Ok(decoder.map_err(|error| napi::Error::from_reason(error.to_string()))?)
}

/// `decode(bytes)`: the string of all bytes, from a new decoder for word 0. Returns `undefined` for a TypeError and
/// `null` for shared memory.
pub(crate) fn decode<'c>(call: &mut Call<'c>) -> Result<Option<Value<'c>>> {
    let bytes = match call.bytes(0)? {
        Bytes::Of(bytes) => bytes,
        Bytes::OfSharedArrayBuffer => return call.null().map(Some),
    };
    let decoder = call.prepared(decoder)?;
    if is_ascii(decoder.as_encoding(), bytes) {
        // A new decoder with any options returns such text unchanged.
        return call.string(JsString::Latin1((&*bytes).into())).map(Some);
    }
    let mut decoder = *decoder;
    text(call, bytes, &mut decoder, false)
}

/// Whether `bytes` are ASCII in an encoding in which ASCII bytes are ASCII characters.
fn is_ascii(encoding: Encoding, bytes: &[u8]) -> bool {
    encoding.is_ascii_compatible() && mem::is_ascii(bytes)
}

/// `decodeStream(bytes)`: decodes the next bytes of a stream. Word 0 is as for `decode`, plus 0x400 for the option
/// stream. The words of [`Call::state`] have the decoder's state before and after the call. Returns `undefined` for a
/// TypeError and `null` for shared memory.
pub(crate) fn decode_stream<'c>(call: &mut Call<'c>) -> Result<Option<Value<'c>>> {
    let stream = call.word(0) & 0x400 != 0;
    let bytes = match call.bytes(0)? {
        Bytes::Of(bytes) => bytes,
        Bytes::OfSharedArrayBuffer => return call.null().map(Some),
    };
    let mut decoder = *call.prepared(decoder)?;
    // The script could have changed the words.
    decoder.resume(call.state().into()).map_err(|error| napi::Error::from_reason(error.to_string()))?;
    let string = decode_next(call, bytes, &mut decoder, stream);
    call.set_state(decoder.state().into());
    string
}

/// The string of the next bytes of a stream. `stream` says that more bytes follow.
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

/// The string that `decoder` returns for `bytes`, which are not only ASCII.
fn text<'c>(call: &mut Call<'c>, bytes: &[u8], decoder: &mut TextDecoder, stream: bool) -> Result<Option<Value<'c>>> {
    let string =
        string(call, bytes, |piece, is_last, units| decoder.decode_into_utf16(piece, stream || !is_last, units).ok());
    if !matches!(string, Ok(Some(_))) {
        // The error can be in a piece before the last one. The decoder then has not seen the end of the stream.
        end(decoder, stream);
    }
    string
}

/// Ends the stream if the call that has failed was the last one of its stream.
#[cold]
fn end(decoder: &mut TextDecoder, stream: bool) {
    if !stream {
        let _ = decoder.decode_into_utf16(&[], false, &mut [0; ROOM]);
    }
}

/// The string of `bytes`, or `None` for an error. `decode(piece, is_last, units)` decodes a piece of `bytes` into the
/// front of `units`, which is long enough, and returns the number of code units, or `None` for an error. Pieces after
/// the greatest length of a string are not decoded.
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

/// Does the work of [`string`] for short inputs. `units` has space for the whole text. From the first piece on that is
/// not Latin-1, the text is decoded into `units`.
fn small_string<'c>(
    call: &mut Call<'c>,
    bytes: &[u8],
    units: &mut [u16],
    mut decode: impl FnMut(&[u8], bool, &mut [u16]) -> Option<usize>,
) -> Option<Result<Value<'c>>> {
    let mut length = 0;
    let mut rest = bytes;
    loop {
        let (piece, after) = rest.split_at(rest.len().min(PIECE));
        rest = after;
        let written = decode(piece, rest.is_empty(), units)?;
        // V8 also finds out whether a string is Latin-1 and narrows it, but takes longer. For a few code units the
        // difference does not matter.
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

/// Copies `units` to the front of `latin1` if all of them are Latin-1, and returns whether they are.
fn to_latin1(units: &[u16], latin1: &mut [u8]) -> bool {
    // Text that is not Latin-1 mostly has such a code unit in the middle. This check saves a few nanoseconds.
    let in_the_middle = units.get(units.len() / 2);
    in_the_middle.is_none_or(|&unit| unit <= 0xFF) && mem::utf16_to_latin1(units, latin1).0 == units.len()
}

/// Does the work of [`string`] for large inputs. `units` receives each piece while the text is Latin-1.
fn large_string(
    bytes: &[u8],
    units: &mut [u16],
    mut decode: impl FnMut(&[u8], bool, &mut [u16]) -> Option<usize>,
) -> Result<Option<JsString<'static>>> {
    // The greatest length of the text when another piece is decoded.
    const MOST: usize = MAX_LENGTH + LARGE_PIECE + ROOM;
    let mut string = JsString::Latin1(Vec::new().into());
    let mut rest = bytes;
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(rest.len().min(LARGE_PIECE));
        rest = after;
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

/// `legacyDecode(bytes)`: the hook *decode* with the encoding in word 0 as fallback. The error mode is replacement, or
/// fatal if word 0 also has 0x100. Returns `null` for shared memory and `undefined` for an error. After an error, words
/// 0 (lower half) and 1 have the offset of the malformed bytes; the lowest byte of word 2 has their number, and the
/// next byte the encoding; word 3 has the bytes, from its lowest byte up.
pub(crate) fn legacy_decode<'c>(call: &mut Call<'c>) -> Result<Option<Value<'c>>> {
    let mode = if call.word(0) & 0x100 != 0 { DecodeErrorMode::Fatal } else { DecodeErrorMode::Replacement };
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

/// `bomSniff(bytes)`: the number of the encoding whose byte order mark `bytes` begin with, or `undefined`. Returns
/// `null` for shared memory.
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

/// `labels()`: one line for each encoding: 1 if ASCII bytes are ASCII characters in it, else 0; its name; its labels.
pub(crate) fn labels<'c>(call: &mut Call<'c>) -> Result<Option<Value<'c>>> {
    let lines: Vec<String> = Encoding::all()
        .map(|encoding| {
            let is_ascii_compatible = if encoding.is_ascii_compatible() { "1" } else { "0" };
            let words = [is_ascii_compatible, encoding.name()].into_iter().chain(encoding.labels());
            words.collect::<Vec<_>>().join(" ")
        })
        .collect();
    call.string(JsString::Latin1(lines.join("\n").into_bytes().into())).map(Some)
}

/// `labelToEncoding(label)`: [get an encoding](https://encoding.spec.whatwg.org/#concept-encoding-get). Returns its
/// number, or `undefined` for failure.
pub(crate) fn label_to_encoding<'c>(call: &mut Call<'c>) -> Result<Option<Value<'c>>> {
    let (memory, length) = call.units(0, MAX_LENGTH)?;
    let label = String::from_utf16_lossy(&memory[..length]);
    call.done_with(memory);
    match Encoding::for_label(&label) {
        Ok(encoding) => call.number(encoding.id() as i32).map(Some),
        Err(_) => Ok(None),
    }
}
