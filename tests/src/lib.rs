//! Functions that the tests share: our decoders, encoders and handlers, and those of the foreign oracle, encoding_rs.
//!
//! Where the oracle and the Standard's text differ, the text is right, and the test says so.

use textcodec::{
    DecodeErrorMode, DecodeStatus, EncodeErrorMode, Encoding,
    hooks::{DecoderInstance, EncoderInstance, IoQueue, ItemResult},
};

/// The oracle's encoding of the same name.
#[must_use]
pub fn oracle(encoding: Encoding) -> &'static encoding_rs::Encoding {
    let oracle = encoding_rs::Encoding::for_label(encoding.name().as_bytes()).expect("the oracle has every encoding");
    assert_eq!(oracle.name(), encoding.name());
    oracle
}

/// The encodings in which a character can take more than one byte.
pub fn multi_byte() -> impl Iterator<Item = Encoding> {
    Encoding::all().filter(|encoding| !encoding.is_single_byte())
}

/// The encodings that have an encoder.
pub fn encoders() -> impl Iterator<Item = Encoding> {
    Encoding::all().filter(|encoding| encoding.output_encoding() == *encoding)
}

/// Decodes `source` with our decoder, as one slice and with U+FFFD, into `text`.
pub fn decode<'a>(encoding: Encoding, source: &[u8], text: &'a mut [u16; 32]) -> &'a [u16] {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let result = decoder.decode_to_utf16(source, text, true, DecodeErrorMode::Replacement);
    assert_eq!((result.status, result.read), (DecodeStatus::InputEmpty, source.len()));
    &text[..result.written]
}

/// Decodes `source` with the oracle.
pub fn oracle_decode<'a>(
    encoding: &'static encoding_rs::Encoding,
    source: &[u8],
    text: &'a mut [u16; 32],
) -> &'a [u16] {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let (result, read, written, _) = decoder.decode_to_utf16(source, text, true);
    assert_eq!((result, read), (encoding_rs::CoderResult::InputEmpty, source.len()));
    &text[..written]
}

/// Fails if the oracle decodes `source` to another text than our decoder or our handler alone.
pub fn same_decoding(encoding: Encoding, oracle: &'static encoding_rs::Encoding, source: &[u8]) {
    let (mut ours, mut theirs) = ([0; 32], [0; 32]);
    let (ours, theirs) = (decode(encoding, source, &mut ours), oracle_decode(oracle, source, &mut theirs));
    assert!(ours == theirs, "{encoding}: {source:02X?} is {ours:04X?}, to the oracle {theirs:04X?}");
    let handlers = process_decode(encoding, source);
    assert!(
        handlers.encode_utf16().eq(theirs.iter().copied()),
        "{encoding}: {source:02X?} is {handlers:?} to the handler, {theirs:04X?} to the oracle"
    );
}

/// Decodes `source` with the decoder and with the handler alone, in the error mode fatal, and fails if the two differ.
/// `None` at an error.
#[must_use]
pub fn decode_in_both_layers(encoding: Encoding, source: &[u8]) -> Option<String> {
    let mut output = IoQueue::new();
    let mut input = IoQueue::from_iter(source.iter().copied());
    let result = DecoderInstance::new(encoding).process_queue(&mut input, &mut output, DecodeErrorMode::Fatal);
    let by_handler = (result == ItemResult::Finished).then(|| output.read_all::<String>());
    let by_decoder = encoding.decode_without_bom_handling_or_fail(source).ok();
    assert_eq!(by_decoder.as_deref(), by_handler.as_deref(), "decoder and handler of {encoding}: {source:02X?}");
    by_handler
}

/// Encodes `text` with the encoder and with the handler alone, in the error mode fatal, and fails if the two differ.
/// `None` at an error.
#[must_use]
pub fn encode_in_both_layers(encoding: Encoding, text: &str) -> Option<Vec<u8>> {
    let mut output = IoQueue::new();
    let mut encoder = EncoderInstance::new(encoding).expect("the encoding has an encoder");
    let result = encoder.process_queue(&mut IoQueue::from_iter(text.chars()), &mut output, EncodeErrorMode::Fatal);
    let by_handler = (result == ItemResult::Finished).then(|| output.read_all::<Vec<u8>>());
    let by_encoder = encoding.encode_or_fail(text).ok();
    assert_eq!(by_encoder.as_deref(), by_handler.as_deref(), "encoder and handler of {encoding}: {text:?}");
    by_handler
}

/// Decodes with the Standard's *process a queue*, in the error mode replacement.
#[must_use]
pub fn process_decode(encoding: Encoding, source: &[u8]) -> String {
    let mut output = IoQueue::new();
    let mut input = IoQueue::from_iter(source.iter().copied());
    let result = DecoderInstance::new(encoding).process_queue(&mut input, &mut output, DecodeErrorMode::Replacement);
    assert_eq!(result, ItemResult::Finished);
    output.read_all()
}

/// Encodes with the Standard's *process a queue*, in the error mode html.
#[must_use]
pub fn process_encode(encoding: Encoding, text: &str) -> Vec<u8> {
    let mut output = IoQueue::new();
    let mut encoder = EncoderInstance::new(encoding).expect("the encoding has an encoder");
    let result = encoder.process_queue(&mut IoQueue::from_iter(text.chars()), &mut output, EncodeErrorMode::Html);
    assert_eq!(result, ItemResult::Finished);
    output.read_all()
}

/// The distance between the inputs of three bytes that are tested: all with the feature `exhaustive`, otherwise every
/// 97th. 97 is prime, so that every byte occurs in every place.
pub const STRIDE: usize = if cfg!(feature = "exhaustive") { 1 } else { 97 };
