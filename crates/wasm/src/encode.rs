//! The functions for [encode](https://encoding.spec.whatwg.org/#encode), [encode or
//! fail](https://encoding.spec.whatwg.org/#encode-or-fail) and [percent-encode after
//! encoding](https://url.spec.whatwg.org/#string-percent-encode-after-encoding).

use textcodec::{EncodeErrorMode, EncodeStatus, Encoder};

use crate::shared::{CONTINUE, FATAL, MORE, SPACE_AS_PLUS, STREAM, Shared};

/// The status of a call that has read the whole source.
const DONE: i32 = 0;
/// The status of a call that has filled its destination. The next call continues.
const FULL: i32 = 1;
/// The status of a call that has read an unmappable character.
const UNMAPPABLE: i32 = 2;
/// The status for an encoding that is not part of the library, for a source that is not UTF-8, and for a state that no
/// stream in the encoding can have.
const INVALID: i32 = -1;

/// Encodes the source, which is UTF-8, into the bytes. The error mode is html, or fatal with the flag. Returns a
/// status.
///
/// After [`UNMAPPABLE`], the words for more have the code point and the length of the text before it in code units of
/// UTF-16. After [`FULL`], the second of them has the length of the text that was read.
pub(crate) fn encode(shared: &mut Shared) -> i32 {
    let mode = if shared.has(FATAL) { EncodeErrorMode::Fatal } else { EncodeErrorMode::Html };
    let Some(mut encoder) = encoder(shared) else { return INVALID };
    let (length, is_last) = (shared.length(), !shared.has(STREAM));
    let Ok(source) = core::str::from_utf8(&shared.source[..length]) else { return INVALID };
    let result = encoder.encode_str(source, &mut shared.bytes, is_last, mode);
    // The script needs the length of the text that was read only if the call has stopped early.
    let units = if result.status == EncodeStatus::InputEmpty { 0 } else { utf16_length(&source[..result.read]) };
    if let EncodeStatus::Unmappable(unmappable) = result.status {
        shared.words[MORE] = unmappable.code_point.into();
        shared.words[MORE + 1] = (units - unmappable.code_point.len_utf16()) as u32;
    } else {
        shared.words[MORE + 1] = units as u32;
    }
    finish(shared, &encoder, result.read, result.written);
    status(&result.status)
}

/// The greatest number of bytes of a character reference with the escape sequences of ISO-2022-JP.
#[cfg(feature = "detail")]
const REFERENCE: usize = 16;

/// Encodes the source, which is UTF-8, into the bytes, with a record for each unmappable character, which becomes a
/// character reference. Returns the status [`DONE`], or [`FULL`] if there is no space for more bytes or records.
///
/// A record has the code point, the length of the text before it in code units of UTF-16, and the length of the bytes
/// before its reference. The words for more have the number of records, and the length of the text that was read in
/// code units of UTF-16.
#[cfg(feature = "detail")]
pub(crate) fn encode_detail(shared: &mut Shared) -> i32 {
    let Some(mut encoder) = encoder(shared) else { return INVALID };
    let (length, is_last) = (shared.length(), !shared.has(STREAM));
    let Ok(source) = core::str::from_utf8(&shared.source[..length]) else { return INVALID };
    let (mut read, mut written, mut records, mut units) = (0, 0, 0, 0);
    let mut last_status = FULL;
    let space = shared.bytes.len() - REFERENCE;
    while records < shared.records.len() && written <= space {
        let rest = &source[read..];
        let result = encoder.encode_str(rest, &mut shared.bytes[written..space], is_last, EncodeErrorMode::Fatal);
        read += result.read;
        written += result.written;
        units += utf16_length(&rest[..result.read]);
        match result.status {
            EncodeStatus::InputEmpty => {
                last_status = DONE;
                break;
            }
            EncodeStatus::OutputFull => break,
            EncodeStatus::Unmappable(unmappable) => {
                let code_point = unmappable.code_point;
                shared.records[records] =
                    [code_point.into(), (units - code_point.len_utf16()) as u32, written as u32, 0];
                records += 1;
                let mut reference = [0; 10];
                let mut text = Output { bytes: &mut reference, length: 0 };
                text.put(b"&#");
                text.put_decimal(code_point.into());
                text.put(b";");
                let length = text.length;
                let text = core::str::from_utf8(&reference[..length]).unwrap_or_default();
                let result = encoder.encode_str(text, &mut shared.bytes[written..], false, EncodeErrorMode::Html);
                written += result.written;
            }
        }
    }
    shared.words[MORE] = records as u32;
    shared.words[MORE + 1] = units as u32;
    finish(shared, &encoder, read, written);
    last_status
}

/// The number of encoded bytes that are percent-encoded at once.
const PERCENT_ENCODE_PIECE: usize = 1024;

/// Percent-encodes the source, which is UTF-8, after encoding it. The words for more have a bit for each ASCII code
/// point of the percent-encode set. Returns a status, which is never [`UNMAPPABLE`]: an unmappable character becomes a
/// percent-encoded character reference. The bytes are ASCII.
pub(crate) fn percent_encode(shared: &mut Shared) -> i32 {
    let Some(mut encoder) = encoder(shared) else { return INVALID };
    let (length, space_as_plus, is_last) = (shared.length(), shared.has(SPACE_AS_PLUS), !shared.has(STREAM));
    let set = [0, 1, 2, 3].map(|number| shared.words[MORE + number]);
    let mut output = Output { bytes: &mut shared.bytes, length: 0 };
    let Ok(source) = core::str::from_utf8(&shared.source[..length]) else { return INVALID };
    let mut piece = [0; PERCENT_ENCODE_PIECE];
    let (mut read, mut last_status) = (0, FULL);
    // Each byte becomes at most three, and an unmappable character at most 16.
    while output.bytes.len() - output.length >= 3 * PERCENT_ENCODE_PIECE + 16 {
        let result = encoder.encode_str(&source[read..], &mut piece, is_last, EncodeErrorMode::Fatal);
        read += result.read;
        for &byte in &piece[..result.written] {
            let is_in_set = byte > 0x7F || set[usize::from(byte / 32)] >> (byte % 32) & 1 != 0;
            match byte {
                b' ' if space_as_plus => output.put(b"+"),
                _ if is_in_set => output.put(&[b'%', hex(byte >> 4), hex(byte & 0xF)]),
                _ => output.put(&[byte]),
            }
        }
        match result.status {
            EncodeStatus::InputEmpty => {
                last_status = DONE;
                break;
            }
            EncodeStatus::OutputFull => {}
            EncodeStatus::Unmappable(unmappable) => {
                output.put(b"%26%23");
                output.put_decimal(unmappable.code_point.into());
                output.put(b"%3B");
            }
        }
    }
    let written = output.length;
    finish(shared, &encoder, read, written);
    last_status
}

/// The encoder of the request, with the state of its stream. `None` if there is no such encoding or state.
fn encoder(shared: &Shared) -> Option<Encoder> {
    let mut encoder = shared.encoding()?.new_encoder();
    if shared.has(CONTINUE) {
        let [handler, position, rest, _] = shared.state();
        encoder.resume([handler, position, rest].into()).ok()?;
    }
    Some(encoder)
}

fn finish(shared: &mut Shared, encoder: &Encoder, read: usize, written: usize) {
    let [handler, position, rest] = encoder.stream_state().into();
    shared.set_state([handler, position, rest, 0]);
    shared.set_read_written(read, written);
}

fn status(status: &EncodeStatus) -> i32 {
    match status {
        EncodeStatus::InputEmpty => DONE,
        EncodeStatus::OutputFull => FULL,
        EncodeStatus::Unmappable(_) => UNMAPPABLE,
    }
}

/// The length of `text` in UTF-16.
fn utf16_length(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// The front of `bytes`, which has space for all that is put there.
struct Output<'a> {
    bytes: &'a mut [u8],
    length: usize,
}

impl Output<'_> {
    fn put(&mut self, bytes: &[u8]) {
        self.bytes[self.length..][..bytes.len()].copy_from_slice(bytes);
        self.length += bytes.len();
    }

    /// Puts the decimal digits of `number`, a code point. It has at most seven digits.
    fn put_decimal(&mut self, number: u32) {
        let digits = [1_000_000, 100_000, 10_000, 1000, 100, 10, 1].map(|divisor| b'0' + (number / divisor % 10) as u8);
        let start = digits.iter().position(|&digit| digit != b'0').unwrap_or(6);
        self.put(&digits[start..]);
    }
}

fn hex(digit: u8) -> u8 {
    b"0123456789ABCDEF"[usize::from(digit)]
}

#[cfg(test)]
mod tests {
    use textcodec::Encoding;

    use super::*;
    use crate::shared::{READ, REQUEST, WRITTEN};

    fn request(label: &str, text: &str, flags: u32) -> Box<Shared> {
        let mut shared = Box::new(Shared::NEW);
        shared.source[..text.len()].copy_from_slice(text.as_bytes());
        shared.words[REQUEST] = Encoding::for_label(label).unwrap().id() as u32 | flags;
        shared.words[READ] = text.len() as u32;
        shared
    }

    fn written(shared: &Shared) -> &[u8] {
        &shared.bytes[..shared.words[WRITTEN] as usize]
    }

    #[test]
    fn a_fatal_error_has_its_place_in_utf_16() {
        let mut shared = request("koi8-r", "а💩☃", FATAL);
        assert_eq!(encode(&mut shared), UNMAPPABLE);
        assert_eq!((written(&shared), shared.words[MORE], shared.words[MORE + 1]), (&b"\xC1"[..], 0x1F4A9, 1));
    }

    #[test]
    fn each_unmappable_character_has_a_record() {
        for label in ["iso-2022-jp", "shift_jis", "windows-1252"] {
            let text = "あ💩é☃ア".repeat(700);
            let mut shared = request(label, &text, 0);
            assert_eq!(encode_detail(&mut shared), DONE);
            let detailed = written(&shared).to_vec();
            let records = shared.records[..shared.words[MORE] as usize].to_vec();
            assert_eq!(shared.words[MORE + 1] as usize, text.encode_utf16().count());
            let mut expected = request(label, &text, 0);
            assert_eq!(encode(&mut expected), DONE);
            assert_eq!(detailed, written(&expected), "{label}");
            let units: Vec<u16> = text.encode_utf16().collect();
            assert!(!records.is_empty());
            for [code_point, index, offset, _] in records {
                let character = char::decode_utf16(units[index as usize..].iter().copied()).next().unwrap().unwrap();
                assert_eq!(u32::from(character), code_point);
                let reference = format!("&#{code_point};");
                // The encoder of ISO-2022-JP writes an escape sequence before the reference.
                let bytes = &detailed[offset as usize..];
                let bytes = bytes.strip_prefix(b"\x1B(B").unwrap_or(bytes);
                assert!(bytes.starts_with(reference.as_bytes()), "{label}: {reference}");
            }
        }
    }

    #[test]
    fn percent_encoding_follows_the_set() {
        let mut shared = request("euc-kr", "a b☃(", SPACE_AS_PLUS);
        shared.words[MORE + 1] = 1 << (b'(' % 32);
        assert_eq!(percent_encode(&mut shared), DONE);
        assert_eq!(written(&shared), b"a+b%26%239731%3B%28");
    }
}
