//! The code of the programs that are measured. Each program is [`Platform::main`](super::build::Platform::main) and one
//! of these parts, which have a function `convert`.

/// The program that copies its input. All others are compared with it.
pub(super) const NOTHING: &str = "
fn convert(source: Vec<u8>) -> Vec<u8> {
    source
}
";

/// Decodes with textcodec. `$encoding` is replaced by the encoding.
pub(super) const DECODE: &str = "
use textcodec::DecodeErrorMode;

fn convert(source: Vec<u8>) -> Vec<u8> {
    let mut decoder = $encoding.new_decoder_without_bom_handling();
    let mut text = vec![0; decoder.max_utf8_length(source.len()).unwrap_or(0)];
    let result = decoder.decode_to_utf8(&source, &mut text, true, DecodeErrorMode::Replacement);
    text.truncate(result.written);
    text
}
";

/// Decodes with the package of a family, without the umbrella package.
pub(super) const DECODE_WITH_FAMILY: &str = "
use textcodec_core::{Decoder, DecodeErrorMode};

fn convert(source: Vec<u8>) -> Vec<u8> {
    let mut decoder = Decoder::new(&$encoding);
    let mut text = vec![0; decoder.max_utf8_length(source.len()).unwrap_or(0)];
    let result = decoder.decode_to_utf8(&source, &mut text, true, DecodeErrorMode::Replacement);
    text.truncate(result.written);
    text
}
";

/// Encodes its input, as UTF-8, after it has decoded it: both directions of one encoding of textcodec.
pub(super) const BOTH_WAYS: &str = "
use textcodec::{DecodeErrorMode, EncodeErrorMode};

fn convert(source: Vec<u8>) -> Vec<u8> {
    let (mut decoder, mut encoder) = ($encoding.new_decoder_without_bom_handling(), $encoding.new_encoder());
    let mut text = String::new();
    let _ = decoder.decode_to_string(&source, &mut text, true, DecodeErrorMode::Replacement);
    let mut bytes = Vec::new();
    let _ = encoder.encode_str_to_vec(&text, &mut bytes, true, EncodeErrorMode::Html);
    bytes
}
";

/// Gets a charset by the name in an argument, decodes its input, encodes the text, and returns the text.
pub(super) const CHARSETS: &str = "
use textcodec_charsets::{Charset, DecodeErrorMode, EncodeErrorMode, Names};

fn convert(source: Vec<u8>) -> Vec<u8> {
    let named = argument(1).and_then(|name| Charset::for_name(&name, Names::Glibc));
    let Some(charset) = named.or_else(|| Charset::for_name(\"$name\", Names::Glibc)) else { return source };
    let Some(mut encoder) = charset.new_encoder() else { return source };
    let (mut text, mut bytes) = (String::new(), Vec::new());
    let _ = charset.new_decoder().decode_to_string(&source, &mut text, true, DecodeErrorMode::Replacement);
    let _ = encoder.encode_str_to_vec(&text, &mut bytes, true, EncodeErrorMode::Html);
    if bytes == source { text.into_bytes() } else { bytes }
}
";

/// The same as [`CHARSETS`], with one charset, which the program names.
pub(super) const CHARSET_ALONE: &str = "
use textcodec_charsets::{DecodeErrorMode, EncodeErrorMode, dos::IBM850};

fn convert(source: Vec<u8>) -> Vec<u8> {
    let Some(mut encoder) = IBM850.new_encoder() else { return source };
    let (mut text, mut bytes) = (String::new(), Vec::new());
    let _ = IBM850.new_decoder().decode_to_string(&source, &mut text, true, DecodeErrorMode::Replacement);
    let _ = encoder.encode_str_to_vec(&text, &mut bytes, true, EncodeErrorMode::Html);
    if bytes == source { text.into_bytes() } else { bytes }
}
";

/// Decodes with encoding_rs.
pub(super) const THEIR_DECODE: &str = "
fn convert(source: Vec<u8>) -> Vec<u8> {
    let mut decoder = $encoding.new_decoder_without_bom_handling();
    let mut text = vec![0; decoder.max_utf8_buffer_length(source.len()).unwrap_or(0)];
    let (_, _, written, _) = decoder.decode_to_utf8(&source, &mut text, true);
    text.truncate(written);
    text
}
";

/// Gets an encoding of textcodec by the label in an argument.
pub(super) const FOR_LABEL: &str = "
fn encoding(place: usize) -> textcodec::Encoding {
    let encoding = argument(place).and_then(|label| textcodec::Encoding::for_label(label).ok());
    encoding.unwrap_or(textcodec::WINDOWS_1252)
}
";

/// The same as [`FOR_LABEL`], for programs without windows-1252.
pub(super) const FOR_LABEL_OR_UTF_8: &str = "
fn encoding(place: usize) -> textcodec::Encoding {
    let encoding = argument(place).and_then(|label| textcodec::Encoding::for_label(label).ok());
    encoding.unwrap_or(textcodec::UTF_8)
}
";

/// Gets an encoding of encoding_rs by the label in an argument.
pub(super) const THEIR_FOR_LABEL: &str = "
fn encoding(place: usize) -> &'static encoding_rs::Encoding {
    let label = argument(place);
    let encoding = label.and_then(|label| encoding_rs::Encoding::for_label(label.as_bytes()));
    encoding.unwrap_or(encoding_rs::WINDOWS_1252)
}
";

/// Decodes and encodes with textcodec: by way of UTF-16 if there is a third argument, otherwise by way of UTF-8.
pub(super) const RECODE: &str = "
use textcodec::{DecodeErrorMode, EncodeErrorMode};

fn convert(source: Vec<u8>) -> Vec<u8> {
    let (mut decoder, mut encoder) = (encoding(1).new_decoder(), encoding(2).new_encoder());
    let mut bytes = Vec::new();
    if argument(3).is_some() {
        let mut text = vec![0; decoder.max_utf16_length(source.len()).unwrap_or(0)];
        let result = decoder.decode_to_utf16(&source, &mut text, true, DecodeErrorMode::Replacement);
        text.truncate(result.written);
        bytes.resize(encoder.max_length_from_utf16(text.len(), EncodeErrorMode::Html).unwrap_or(0), 0);
        let result = encoder.encode_utf16(&text, &mut bytes, true, EncodeErrorMode::Html);
        bytes.truncate(result.written);
    } else {
        let mut text = String::new();
        let _ = decoder.decode_to_string(&source, &mut text, true, DecodeErrorMode::Replacement);
        let _ = encoder.encode_str_to_vec(&text, &mut bytes, true, EncodeErrorMode::Html);
    }
    bytes
}
";

/// Decodes and encodes with encoding_rs.
pub(super) const THEIR_RECODE: &str = "
fn convert(source: Vec<u8>) -> Vec<u8> {
    let (mut decoder, mut encoder) = (encoding(1).new_decoder(), encoding(2).new_encoder());
    let mut bytes = Vec::new();
    if argument(3).is_some() {
        let mut text = vec![0; decoder.max_utf16_buffer_length(source.len()).unwrap_or(0)];
        let (_, _, written, _) = decoder.decode_to_utf16(&source, &mut text, true);
        text.truncate(written);
        let length = encoder.max_buffer_length_from_utf16_if_no_unmappables(text.len());
        bytes.resize(length.unwrap_or(0), 0);
        let (_, _, written, _) = encoder.encode_from_utf16(&text, &mut bytes, true);
        bytes.truncate(written);
    } else {
        let mut text = String::with_capacity(decoder.max_utf8_buffer_length(source.len()).unwrap_or(0));
        let _ = decoder.decode_to_string(&source, &mut text, true);
        bytes.reserve(encoder.max_buffer_length_from_utf8_if_no_unmappables(text.len()).unwrap_or(0));
        let _ = encoder.encode_from_utf8_to_vec(&text, &mut bytes, true);
    }
    bytes
}
";
