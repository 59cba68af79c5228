//! The charsets: facts as JSON, and streams that decode and encode.

use alloc::{format, string::String, vec::Vec};
use core::ops::ControlFlow;

use textcodec_convert::{
    Charset,
    charset::{Decoder, EncodeStatus, Encoder, Status},
};

use crate::{
    Refusal,
    handles::Handles,
    json::{Object, array, string},
};

/// The size of the piece of the destination that an encoder asks for at once, in bytes.
const PIECE: usize = 4096;

/// The streams that a script has, and the last error.
#[derive(Default)]
pub struct Streams {
    decoders: Handles<Decoding>,
    encoders: Handles<Encoding>,
    error: String,
}

/// A stream of bytes that becomes text.
struct Decoding {
    decoder: Decoder,
    is_fatal: bool,
}

/// A stream of text that becomes bytes.
struct Encoding {
    encoder: Encoder,
    is_fatal: bool,
    /// The bytes that the stream starts with. Empty after the first call.
    bom: &'static [u8],
    /// The number of code units of UTF-16 before the text of the next call.
    units: u64,
}

/// All charsets as JSON: an array of objects with "name" and "family", which is null for encodings of the Standard.
#[must_use]
pub fn all() -> String {
    let mut json = String::new();
    array(&mut json, Charset::all(), |json, charset| {
        Object::write(json, |object| {
            object.string("name", Some(charset.name()));
            object.string("family", charset.family().map(|family| family.name()));
        });
    });
    json
}

/// The charset with a label or a name as JSON: "name", "family", "labels", "canEncode" and "isSingleByte".
///
/// # Errors
/// [`Refusal`] if there is none, or if several have the name.
pub fn look_up(label: &str) -> Result<String, Refusal> {
    let charset = find(label)?;
    let mut json = String::new();
    Object::write(&mut json, |object| {
        object.string("name", Some(charset.name()));
        object.string("family", charset.family().map(|family| family.name()));
        object.array("labels", charset.labels(), string);
        object.plain("canEncode", Some(charset.is_writable()));
        object.plain("isSingleByte", Some(charset.is_single_byte()));
    });
    Ok(json)
}

/// The charset with a label or a name.
fn find(label: &str) -> Result<Charset, Refusal> {
    let refusal = |why| {
        Refusal::new("ERR_ENCODING_NOT_SUPPORTED", format_args!("The charset \"{label}\" is not supported: {why}"))
    };
    Charset::for_label(label).map_err(refusal)
}

impl Streams {
    /// Starts to decode, and returns the number of the stream. If `is_fatal`, it ends at the first malformed sequence.
    ///
    /// # Errors
    /// [`Refusal`] if there is no such charset.
    pub fn decoder(&mut self, label: &str, is_fatal: bool) -> Result<u32, Refusal> {
        let decoder = find(label)?.new_decoder(false);
        Ok(self.decoders.insert(Decoding { decoder, is_fatal }))
    }

    /// Decodes the next bytes of a stream. Returns `None` if there is no such stream, or for malformed bytes if the
    /// stream is fatal; then [`Self::error`] has "offset", "bytes" and "charset". The stream ends with such an error,
    /// and after `last`.
    pub fn decode(&mut self, number: u32, bytes: &[u8], last: bool) -> Option<String> {
        let Decoding { decoder, is_fatal } = self.decoders.get(number)?;
        let is_fatal = *is_fatal;
        let mut text = String::with_capacity(bytes.len() + PIECE);
        let mut left = bytes.len();
        let flow = decoder.decode_pieces(bytes, &mut text, last, |decoder, text, decoded| {
            left -= decoded.read;
            match decoded.status {
                Status::InputEmpty => {}
                Status::OutputFull => text.reserve(left + PIECE),
                Status::Malformed(malformed) if is_fatal => return ControlFlow::Break((malformed, decoder.charset())),
                Status::Malformed(_) => text.push(char::REPLACEMENT_CHARACTER),
            }
            ControlFlow::Continue(())
        });
        if last || flow.is_break() {
            self.decoders.remove(number);
        }
        let ControlFlow::Break((malformed, charset)) = flow else { return Some(text) };
        self.error.clear();
        Object::write(&mut self.error, |object| {
            object.plain("offset", Some(malformed.offset));
            object.array("bytes", &malformed.bytes, crate::json::number);
            object.string("charset", Some(charset.name()));
        });
        None
    }

    /// Forgets a stream that decodes. The number means nothing afterwards.
    pub fn forget_decoder(&mut self, number: u32) {
        self.decoders.remove(number);
    }

    /// Starts to encode, and returns the number of the stream. If `is_fatal`, it ends at the first unmappable
    /// character, and else a decimal character reference takes its place.
    ///
    /// # Errors
    /// [`Refusal`] if there is no such charset, or if it can only be decoded.
    pub fn encoder(&mut self, label: &str, is_fatal: bool) -> Result<u32, Refusal> {
        let charset = find(label)?;
        let Some(encoder) = charset.new_encoder() else {
            let message = format!("The charset \"{charset}\" can only be decoded");
            return Err(Refusal::new("ERR_ENCODING_NOT_SUPPORTED", message));
        };
        let bom = if charset.needs_bom() { charset.bom() } else { &[] };
        Ok(self.encoders.insert(Encoding { encoder, is_fatal, bom, units: 0 }))
    }

    /// Encodes the next text of a stream. Returns `None` if there is no such stream, or for an unmappable character if
    /// the stream is fatal; then [`Self::error`] has "codePoint" and "index". The stream ends with such an error, and
    /// after `last`.
    pub fn encode(&mut self, number: u32, text: &str, last: bool) -> Option<Vec<u8>> {
        let stream = self.encoders.get(number)?;
        let mut bytes = Vec::with_capacity(text.len() + stream.bom.len() + 16);
        bytes.extend_from_slice(core::mem::take(&mut stream.bom));
        let unmappable = stream.encode(text, last, &mut bytes);
        if last || unmappable.is_some() {
            self.encoders.remove(number);
        }
        let Some((code_point, index)) = unmappable else { return Some(bytes) };
        self.error.clear();
        Object::write(&mut self.error, |object| {
            object.plain("codePoint", Some(u32::from(code_point)));
            object.plain("index", Some(index));
        });
        None
    }

    /// Forgets a stream that encodes. The number means nothing afterwards.
    pub fn forget_encoder(&mut self, number: u32) {
        self.encoders.remove(number);
    }

    /// The last error of [`Self::decode`] or [`Self::encode`], as JSON.
    #[must_use]
    pub fn error(&self) -> &str {
        &self.error
    }
}

impl Encoding {
    /// Encodes the next text. Returns the first unmappable character and the index of its first code unit in the
    /// stream, if the stream is fatal.
    fn encode(&mut self, text: &str, last: bool, bytes: &mut Vec<u8>) -> Option<(char, u64)> {
        let mut read = 0;
        loop {
            match self.encode_piece(&text[read..], last, bytes) {
                (length, EncodeStatus::Unmappable(reported)) => {
                    let character = text[..read + length].chars().next_back().unwrap_or(reported);
                    read += length;
                    if self.is_fatal {
                        let before = &text[..read - character.len_utf8()];
                        return Some((reported, self.units + utf16_length(before) as u64));
                    }
                    self.refer_to(reported, bytes);
                }
                (length, EncodeStatus::OutputFull) => read += length,
                (_, EncodeStatus::InputEmpty) => break,
            }
        }
        self.units += utf16_length(text) as u64;
        None
    }

    /// Encodes a decimal character reference for the code point of an error. Where the charset cannot encode that,
    /// nothing is written.
    fn refer_to(&mut self, character: char, bytes: &mut Vec<u8>) {
        let reference = format!("&#{};", u32::from(character));
        let mut rest = &*reference;
        while !rest.is_empty() {
            let (length, _) = self.encode_piece(rest, false, bytes);
            rest = &rest[length..];
        }
    }

    /// Encodes as much of `text` as one call of the encoder does, and returns the number of its bytes.
    fn encode_piece(&mut self, text: &str, last: bool, bytes: &mut Vec<u8>) -> (usize, EncodeStatus) {
        let start = bytes.len();
        bytes.resize(start + text.len().clamp(16, 16 * PIECE), 0);
        let encoded = self.encoder.encode(text, &mut bytes[start..], last);
        bytes.truncate(start + encoded.written);
        (encoded.read, encoded.status)
    }
}

/// The number of code units of UTF-16 that a text has. Both loops become vector code.
fn utf16_length(text: &str) -> usize {
    let characters = text.bytes().filter(|&byte| byte & 0xC0 != 0x80).count();
    characters + text.bytes().filter(|&byte| byte >= 0xF0).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(label: &str, pieces: &[&[u8]], is_fatal: bool) -> Result<String, String> {
        let mut streams = Streams::default();
        let number = streams.decoder(label, is_fatal).map_err(|refusal| refusal.0)?;
        let mut text = String::new();
        for (at, piece) in pieces.iter().enumerate() {
            let decoded = streams.decode(number, piece, at + 1 == pieces.len());
            text += &decoded.ok_or_else(|| String::from(streams.error()))?;
        }
        assert_eq!(streams.decode(number, b"", true), None);
        Ok(text)
    }

    fn encode(label: &str, pieces: &[&str], is_fatal: bool) -> Result<Vec<u8>, String> {
        let mut streams = Streams::default();
        let number = streams.encoder(label, is_fatal).map_err(|refusal| refusal.0)?;
        let mut bytes = Vec::new();
        for (at, piece) in pieces.iter().enumerate() {
            let encoded = streams.encode(number, piece, at + 1 == pieces.len());
            bytes.extend(encoded.ok_or_else(|| String::from(streams.error()))?);
        }
        assert_eq!(streams.encode(number, "", true), None);
        Ok(bytes)
    }

    #[test]
    fn text_goes_both_ways_in_pieces() {
        assert_eq!(decode("cp037", &[b"\xC8\x85", b"\x93\x93\x96"], false).unwrap(), "Hello");
        assert_eq!(encode("cp037", &["He", "llo"], false).unwrap(), b"\xC8\x85\x93\x93\x96");
        assert_eq!(decode("utf-32le", &[b"a\0", b"\0\0\xAC\x20\0\0"], true).unwrap(), "a€");
        assert_eq!(encode("utf-16-bom", &["a", "b"], true).unwrap(), b"\xFF\xFEa\0b\0");
        let long = "Grüße ▒ ".repeat(5000);
        let bytes = encode("cp437", &[&long], true).unwrap();
        assert_eq!(bytes.len(), 40_000);
        assert_eq!(decode("cp437", &[&bytes[..7], &bytes[7..]], true).unwrap(), long);
    }

    #[test]
    fn a_character_above_the_basic_plane_has_two_code_units() {
        for text in ["", "aé☃😀", "\u{FFFF}\u{10000}\u{10FFFF}"] {
            assert_eq!(utf16_length(text), text.encode_utf16().count(), "{text}");
        }
    }

    #[test]
    fn an_error_has_its_place_in_the_stream() {
        let error = decode("exact-us-ascii", &[b"ab", b"c\xE9d"], true).unwrap_err();
        assert_eq!(error, r#"{"offset":3,"bytes":[233],"charset":"exact-us-ascii"}"#);
        assert_eq!(decode("exact-us-ascii", &[b"ab", b"c\xE9d"], false).unwrap(), "abc\u{FFFD}d");
        let error = encode("cp437", &["aé", "é😀☃"], true).unwrap_err();
        assert_eq!(error, r#"{"codePoint":128512,"index":3}"#);
        assert_eq!(encode("cp437", &["a☃"], false).unwrap(), b"a&#9731;");
    }

    #[test]
    fn a_character_reference_is_text_of_the_charset() {
        let bytes = encode("cp037", &["a☃b"], false).unwrap();
        assert_eq!(decode("cp037", &[&bytes], true).unwrap(), "a&#9731;b");
    }

    #[test]
    fn a_character_reference_has_the_code_point_that_the_standard_reports() {
        assert_eq!(encode("iso-2022-jp", &["¥\u{E}"], false).unwrap(), b"\x1B(J\\&#65533;\x1B(B");
        assert_eq!(encode("iso-2022-jp", &["a\u{1B}"], true).unwrap_err(), r#"{"codePoint":65533,"index":1}"#);
    }

    #[test]
    fn an_unknown_name_and_a_name_of_two_charsets_are_refused() {
        let refusal = |label| decode(label, &[], false).unwrap_err();
        let two = "The charset \"CP278\" is not supported: two encodings have this name: iana:cp278 and java:cp278";
        assert_eq!(refusal("CP278"), format!("ERR_ENCODING_NOT_SUPPORTED {two}"));
        let unknown = "The charset \"cp9x\" is not supported: no encoding has this label";
        assert_eq!(refusal("cp9x"), format!("ERR_ENCODING_NOT_SUPPORTED {unknown}"));
        let only = "ERR_ENCODING_NOT_SUPPORTED The charset \"utf-7\" can only be decoded";
        assert_eq!(encode("UTF-7", &[], false).unwrap_err(), only);
    }

    #[test]
    fn every_charset_is_in_the_list_under_its_name() {
        let all = all();
        assert_eq!(all.matches("\"name\"").count(), Charset::all().count());
        assert!(all.starts_with(r#"[{"name":"UTF-8","family":null},"#), "{all}");
        let found = look_up("IBM437").unwrap();
        assert!(found.starts_with(r#"{"name":"cp437","family":"dos","labels":["cp437","ibm437","437""#), "{found}");
        assert!(found.ends_with(r#""canEncode":true,"isSingleByte":true}"#), "{found}");
    }
}
