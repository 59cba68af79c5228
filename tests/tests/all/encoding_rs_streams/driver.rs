//! The same calls for both crates. Their types have the same names, and nothing else in common.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::LazyLock,
};

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

/// How a call ended: the results of all methods of both crates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    InputEmpty,
    OutputFull,
    Malformed(u8, u8),
    Unmappable(char),
}

/// What a question to a decoder or encoder answers: one to four lengths, or `None` if it panicked.
type Answer = Option<[Option<usize>; 4]>;

/// What a decoder or encoder says about itself.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct State {
    name: &'static str,
    has_pending_state: Option<bool>,
    answers: Vec<Answer>,
}

/// All that a call tells.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Outcome {
    pub(crate) result: End,
    pub(crate) read: usize,
    pub(crate) had_errors: Option<bool>,
    /// The units that were written.
    pub(crate) output: Vec<u16>,
    /// What the decoder or encoder says after the call.
    pub(crate) state: State,
}

/// What a call returned: how it ended, the units read, whether there were errors, and the units written.
type Returned = (End, usize, Option<bool>, Vec<u16>);

/// The result of a call, or `None` if it panicked.
fn caught<T>(call: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(call)).ok()
}

/// Bytes of which a decoder says how many become the same characters as in Latin-1. In all single-byte encodings, one
/// of the bytes from 0x80 on is not Latin-1.
static LATIN1: LazyLock<[Vec<u8>; 4]> = LazyLock::new(|| {
    let high: Vec<u8> = (0x80..=0xFF).collect();
    [&b""[..], b"abc", b"a\xE9b\xA0", b"a\x0Eb\x1B"].map(|bytes| [bytes, &high].concat())
});

fn wide(bytes: &[u8]) -> Vec<u16> {
    bytes.iter().copied().map(u16::from).collect()
}

macro_rules! driver {
    ($module:ident, $library:ident) => {
        pub(crate) mod $module {
            use super::*;

            /// All encodings, in the order of the Standard.
            pub(crate) fn encodings() -> &'static [&'static ::$library::Encoding] {
                static ENCODINGS: LazyLock<Vec<&::$library::Encoding>> = LazyLock::new(|| {
                    textcodec::Encoding::all()
                        .map(|encoding| ::$library::Encoding::for_label(encoding.name().as_bytes()).unwrap())
                        .collect()
                });
                &ENCODINGS
            }

            fn of_coder(result: ::$library::CoderResult) -> End {
                match result {
                    ::$library::CoderResult::InputEmpty => End::InputEmpty,
                    ::$library::CoderResult::OutputFull => End::OutputFull,
                }
            }

            fn of_decoder(result: ::$library::DecoderResult) -> End {
                match result {
                    ::$library::DecoderResult::InputEmpty => End::InputEmpty,
                    ::$library::DecoderResult::OutputFull => End::OutputFull,
                    ::$library::DecoderResult::Malformed(length, more) => End::Malformed(length, more),
                }
            }

            fn of_encoder(result: ::$library::EncoderResult) -> End {
                match result {
                    ::$library::EncoderResult::InputEmpty => End::InputEmpty,
                    ::$library::EncoderResult::OutputFull => End::OutputFull,
                    ::$library::EncoderResult::Unmappable(character) => End::Unmappable(character),
                }
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
                    let (result, read, had_errors, output) = caught(|| -> Returned {
                        let mut bytes = vec![0x55; space];
                        let mut units = vec![0x55; space];
                        let mut text = "U".repeat(space);
                        let mut string = String::with_capacity(space);
                        // The allocator may have given more.
                        while string.capacity() - string.len() > space {
                            string.push('-');
                        }
                        let before = string.len();
                        match method {
                            Decode::Utf8 => {
                                let (result, read, written, errors) = decoder.decode_to_utf8(source, &mut bytes, last);
                                (of_coder(result), read, Some(errors), wide(&bytes[..written]))
                            }
                            Decode::Utf8Fatal => {
                                let (result, read, written) =
                                    decoder.decode_to_utf8_without_replacement(source, &mut bytes, last);
                                (of_decoder(result), read, None, wide(&bytes[..written]))
                            }
                            Decode::Utf16 => {
                                let (result, read, written, errors) = decoder.decode_to_utf16(source, &mut units, last);
                                (of_coder(result), read, Some(errors), units[..written].to_vec())
                            }
                            Decode::Utf16Fatal => {
                                let (result, read, written) =
                                    decoder.decode_to_utf16_without_replacement(source, &mut units, last);
                                (of_decoder(result), read, None, units[..written].to_vec())
                            }
                            Decode::Str => {
                                let (result, read, written, errors) = decoder.decode_to_str(source, &mut text, last);
                                assert!(std::str::from_utf8(text.as_bytes()).is_ok());
                                (of_coder(result), read, Some(errors), wide(text[..written].as_bytes()))
                            }
                            Decode::StrFatal => {
                                let (result, read, written) =
                                    decoder.decode_to_str_without_replacement(source, &mut text, last);
                                assert!(std::str::from_utf8(text.as_bytes()).is_ok());
                                (of_decoder(result), read, None, wide(text[..written].as_bytes()))
                            }
                            Decode::String => {
                                let (result, read, errors) = decoder.decode_to_string(source, &mut string, last);
                                (of_coder(result), read, Some(errors), wide(string[before..].as_bytes()))
                            }
                            Decode::StringFatal => {
                                let (result, read) =
                                    decoder.decode_to_string_without_replacement(source, &mut string, last);
                                (of_decoder(result), read, None, wide(string[before..].as_bytes()))
                            }
                        }
                    })?;
                    Some(Outcome { result, read, had_errors, output, state: self.state() })
                }

                fn state(&self) -> State {
                    let decoder = &self.0;
                    let mut state =
                        State { name: decoder.encoding().name(), has_pending_state: None, answers: Vec::new() };
                    // After the end of the stream every question panics, and a panic takes long. `contract.rs` asks all
                    // of them.
                    if caught(|| decoder.max_utf16_buffer_length(0)).is_none() {
                        state.answers.push(None);
                        return state;
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
                        state.answers.push(caught(|| {
                            [
                                decoder.max_utf8_buffer_length(length),
                                decoder.max_utf8_buffer_length_without_replacement(length),
                                decoder.max_utf16_buffer_length(length),
                                None,
                            ]
                        }));
                    }
                    for bytes in &*LATIN1 {
                        state.answers.push(caught(|| [decoder.latin1_byte_compatible_up_to(bytes), None, None, None]));
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
                    let (result, read, had_errors, output) = caught(|| -> Returned {
                        let mut bytes = vec![0x55; space];
                        let mut vector = Vec::with_capacity(space);
                        while vector.capacity() - vector.len() > space {
                            vector.push(0);
                        }
                        let before = vector.len();
                        match method {
                            Encode::Utf8 => {
                                let (result, read, written, errors) = encoder.encode_from_utf8(text, &mut bytes, last);
                                (of_coder(result), read, Some(errors), wide(&bytes[..written]))
                            }
                            Encode::Utf8Fatal => {
                                let (result, read, written) =
                                    encoder.encode_from_utf8_without_replacement(text, &mut bytes, last);
                                (of_encoder(result), read, None, wide(&bytes[..written]))
                            }
                            Encode::Utf16 => {
                                let (result, read, written, errors) =
                                    encoder.encode_from_utf16(units, &mut bytes, last);
                                (of_coder(result), read, Some(errors), wide(&bytes[..written]))
                            }
                            Encode::Utf16Fatal => {
                                let (result, read, written) =
                                    encoder.encode_from_utf16_without_replacement(units, &mut bytes, last);
                                (of_encoder(result), read, None, wide(&bytes[..written]))
                            }
                            Encode::Vec => {
                                let (result, read, errors) = encoder.encode_from_utf8_to_vec(text, &mut vector, last);
                                (of_coder(result), read, Some(errors), wide(&vector[before..]))
                            }
                            Encode::VecFatal => {
                                let (result, read) =
                                    encoder.encode_from_utf8_to_vec_without_replacement(text, &mut vector, last);
                                (of_encoder(result), read, None, wide(&vector[before..]))
                            }
                        }
                    })?;
                    let mut state = State {
                        name: encoder.encoding().name(),
                        has_pending_state: Some(encoder.has_pending_state()),
                        answers: Vec::new(),
                    };
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
                        state.answers.push(caught(|| {
                            [
                                encoder.max_buffer_length_from_utf8_if_no_unmappables(length),
                                encoder.max_buffer_length_from_utf8_without_replacement(length),
                                encoder.max_buffer_length_from_utf16_if_no_unmappables(length),
                                encoder.max_buffer_length_from_utf16_without_replacement(length),
                            ]
                        }));
                    }
                    Some(Outcome { result, read, had_errors, output, state })
                }
            }
        }
    };
}

driver!(theirs, encoding_rs);
driver!(ours, textcodec_encoding_rs);
