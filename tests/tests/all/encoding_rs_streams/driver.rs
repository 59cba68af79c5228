//! The same calls for both crates. Their types have the same names, and nothing else in common.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// How a decoder treats a byte order mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bom {
    Sniff,
    Remove,
    Keep,
}

pub(crate) const BOMS: [Bom; 3] = [Bom::Sniff, Bom::Remove, Bom::Keep];

/// A method of a decoder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Decode {
    Utf8,
    Utf8Fatal,
    Utf16,
    Utf16Fatal,
    Str,
    StrFatal,
    String,
    StringFatal,
}

pub(crate) const DECODES: [Decode; 8] = [
    Decode::Utf8,
    Decode::Utf8Fatal,
    Decode::Utf16,
    Decode::Utf16Fatal,
    Decode::Str,
    Decode::StrFatal,
    Decode::String,
    Decode::StringFatal,
];

/// A method of an encoder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Encode {
    Utf8,
    Utf8Fatal,
    Utf16,
    Utf16Fatal,
    Vec,
    VecFatal,
}

pub(crate) const ENCODES: [Encode; 6] =
    [Encode::Utf8, Encode::Utf8Fatal, Encode::Utf16, Encode::Utf16Fatal, Encode::Vec, Encode::VecFatal];

/// All that a call tells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Outcome {
    pub(crate) result: String,
    pub(crate) read: usize,
    pub(crate) had_errors: Option<bool>,
    /// The units that were written.
    pub(crate) output: Vec<u16>,
    /// What the decoder or encoder says after the call.
    pub(crate) state: String,
}

/// The outcome of a call, or `None` if it panicked.
fn caught(call: impl FnOnce() -> Outcome) -> Option<Outcome> {
    catch_unwind(AssertUnwindSafe(call)).ok()
}

/// What a question to a decoder answers; it panics after the end of the stream.
fn answer<T: std::fmt::Debug>(question: impl FnOnce() -> T) -> String {
    catch_unwind(AssertUnwindSafe(question)).map_or("panic".into(), |answer| format!("{answer:?}"))
}

/// Three greatest lengths, in hexadecimal.
fn answer_lengths(question: impl FnOnce() -> (Option<usize>, Option<usize>, Option<usize>)) -> String {
    catch_unwind(AssertUnwindSafe(question)).map_or(" panic".into(), |(a, b, c)| {
        [a, b, c].map(|length| length.map_or(" None".into(), |length| format!(" {length:X}"))).concat()
    })
}

fn wide(bytes: &[u8]) -> Vec<u16> {
    bytes.iter().copied().map(u16::from).collect()
}

macro_rules! driver {
    ($module:ident, $library:ident) => {
        pub(crate) mod $module {
            use super::*;

            pub(crate) fn encodings() -> Vec<&'static ::$library::Encoding> {
                textcodec::Encoding::all()
                    .map(|encoding| ::$library::Encoding::for_label(encoding.name().as_bytes()).unwrap())
                    .collect()
            }

            pub(crate) struct Decoder(pub(crate) ::$library::Decoder);

            impl Decoder {
                pub(crate) fn new(encoding: &'static ::$library::Encoding, bom: Bom) -> Self {
                    Decoder(match bom {
                        Bom::Sniff => encoding.new_decoder(),
                        Bom::Remove => encoding.new_decoder_with_bom_removal(),
                        Bom::Keep => encoding.new_decoder_without_bom_handling(),
                    })
                }

                pub(crate) fn call(
                    &mut self,
                    method: Decode,
                    source: &[u8],
                    space: usize,
                    last: bool,
                ) -> Option<Outcome> {
                    let decoder = &mut self.0;
                    let mut outcome = caught(|| {
                        let mut bytes = vec![0x55; space];
                        let mut units = vec![0x55; space];
                        let mut text = "U".repeat(space);
                        let mut string = String::with_capacity(space);
                        // The allocator may have given more.
                        while string.capacity() - string.len() > space {
                            string.push('-');
                        }
                        let before = string.len();
                        let (result, read, had_errors, output) = match method {
                            Decode::Utf8 => {
                                let (result, read, written, errors) = decoder.decode_to_utf8(source, &mut bytes, last);
                                (format!("{result:?}"), read, Some(errors), wide(&bytes[..written]))
                            }
                            Decode::Utf8Fatal => {
                                let (result, read, written) =
                                    decoder.decode_to_utf8_without_replacement(source, &mut bytes, last);
                                (format!("{result:?}"), read, None, wide(&bytes[..written]))
                            }
                            Decode::Utf16 => {
                                let (result, read, written, errors) = decoder.decode_to_utf16(source, &mut units, last);
                                (format!("{result:?}"), read, Some(errors), units[..written].to_vec())
                            }
                            Decode::Utf16Fatal => {
                                let (result, read, written) =
                                    decoder.decode_to_utf16_without_replacement(source, &mut units, last);
                                (format!("{result:?}"), read, None, units[..written].to_vec())
                            }
                            Decode::Str => {
                                let (result, read, written, errors) = decoder.decode_to_str(source, &mut text, last);
                                assert!(std::str::from_utf8(text.as_bytes()).is_ok());
                                (format!("{result:?}"), read, Some(errors), wide(text[..written].as_bytes()))
                            }
                            Decode::StrFatal => {
                                let (result, read, written) =
                                    decoder.decode_to_str_without_replacement(source, &mut text, last);
                                assert!(std::str::from_utf8(text.as_bytes()).is_ok());
                                (format!("{result:?}"), read, None, wide(text[..written].as_bytes()))
                            }
                            Decode::String => {
                                let (result, read, errors) = decoder.decode_to_string(source, &mut string, last);
                                (format!("{result:?}"), read, Some(errors), wide(string[before..].as_bytes()))
                            }
                            Decode::StringFatal => {
                                let (result, read) =
                                    decoder.decode_to_string_without_replacement(source, &mut string, last);
                                (format!("{result:?}"), read, None, wide(string[before..].as_bytes()))
                            }
                        };
                        Outcome { result, read, had_errors, output, state: String::new() }
                    })?;
                    outcome.state = self.state();
                    Some(outcome)
                }

                fn state(&self) -> String {
                    let decoder = &self.0;
                    let mut state = decoder.encoding().name().to_string();
                    // After the end of the stream every question panics, and a panic takes long. `contract.rs` asks all
                    // of them.
                    if answer(|| decoder.max_utf16_buffer_length(0)) == "panic" {
                        return state + " panic";
                    }
                    for length in [
                        0,
                        1,
                        2,
                        10,
                        11,
                        usize::MAX / 3 - 1,
                        usize::MAX / 3,
                        usize::MAX / 2,
                        usize::MAX - 2,
                        usize::MAX - 1,
                        usize::MAX,
                    ] {
                        state += &answer_lengths(|| {
                            (
                                decoder.max_utf8_buffer_length(length),
                                decoder.max_utf8_buffer_length_without_replacement(length),
                                decoder.max_utf16_buffer_length(length),
                            )
                        });
                    }
                    // In all single-byte encodings, one of these bytes is not Latin-1.
                    let high: Vec<u8> = (0x80..=0xFF).collect();
                    for bytes in [&b""[..], b"abc", b"a\xE9b\xA0", b"a\x0Eb\x1B"] {
                        let bytes = [bytes, &high].concat();
                        state += &answer(|| decoder.latin1_byte_compatible_up_to(&bytes));
                    }
                    state
                }
            }

            pub(crate) struct Encoder(pub(crate) ::$library::Encoder);

            impl Encoder {
                pub(crate) fn call(
                    &mut self,
                    method: Encode,
                    text: &str,
                    units: &[u16],
                    space: usize,
                    last: bool,
                ) -> Option<Outcome> {
                    let encoder = &mut self.0;
                    let mut outcome = caught(|| {
                        let mut bytes = vec![0x55; space];
                        let mut vector = Vec::with_capacity(space);
                        while vector.capacity() - vector.len() > space {
                            vector.push(0);
                        }
                        let before = vector.len();
                        let (result, read, had_errors, output) = match method {
                            Encode::Utf8 => {
                                let (result, read, written, errors) = encoder.encode_from_utf8(text, &mut bytes, last);
                                (format!("{result:?}"), read, Some(errors), wide(&bytes[..written]))
                            }
                            Encode::Utf8Fatal => {
                                let (result, read, written) =
                                    encoder.encode_from_utf8_without_replacement(text, &mut bytes, last);
                                (format!("{result:?}"), read, None, wide(&bytes[..written]))
                            }
                            Encode::Utf16 => {
                                let (result, read, written, errors) =
                                    encoder.encode_from_utf16(units, &mut bytes, last);
                                (format!("{result:?}"), read, Some(errors), wide(&bytes[..written]))
                            }
                            Encode::Utf16Fatal => {
                                let (result, read, written) =
                                    encoder.encode_from_utf16_without_replacement(units, &mut bytes, last);
                                (format!("{result:?}"), read, None, wide(&bytes[..written]))
                            }
                            Encode::Vec => {
                                let (result, read, errors) = encoder.encode_from_utf8_to_vec(text, &mut vector, last);
                                (format!("{result:?}"), read, Some(errors), wide(&vector[before..]))
                            }
                            Encode::VecFatal => {
                                let (result, read) =
                                    encoder.encode_from_utf8_to_vec_without_replacement(text, &mut vector, last);
                                (format!("{result:?}"), read, None, wide(&vector[before..]))
                            }
                        };
                        Outcome { result, read, had_errors, output, state: String::new() }
                    })?;
                    outcome.state = format!("{} {}", encoder.encoding().name(), encoder.has_pending_state());
                    for length in [
                        0,
                        1,
                        2,
                        10,
                        11,
                        usize::MAX / 9,
                        usize::MAX / 4,
                        usize::MAX / 3,
                        usize::MAX / 2,
                        usize::MAX - 2,
                        usize::MAX - 1,
                        usize::MAX,
                    ] {
                        outcome.state += &answer(|| {
                            (
                                encoder.max_buffer_length_from_utf8_if_no_unmappables(length),
                                encoder.max_buffer_length_from_utf8_without_replacement(length),
                                encoder.max_buffer_length_from_utf16_if_no_unmappables(length),
                                encoder.max_buffer_length_from_utf16_without_replacement(length),
                            )
                        });
                    }
                    Some(outcome)
                }
            }
        }
    };
}

driver!(theirs, encoding_rs);
driver!(ours, textcodec_encoding_rs);
