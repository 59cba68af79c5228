//! Every function of `textcodec.h` with every kind of argument, beside the Rust library as the model.
//!
//! The tests go through all encodings and charsets, all numbers that mean something and some that do not, null pointers
//! with and without a length, destinations of every size, flags alone and together, and compare all fields of the
//! results. A function that no test here calls fails the first test.

use textcodec::{Bom, Encoding, charsets::Charset};
use textcodec_capi as capi;
use textcodec_core::{Codec, EncoderHalf, Handle};

mod decoders;
mod encoders;
mod facts;
mod knowledge;
mod long;

#[test]
fn the_matrix_calls_every_function_of_the_header() {
    let sources = [
        include_str!("decoders.rs"),
        include_str!("encoders.rs"),
        include_str!("encoders/sources.rs"),
        include_str!("facts.rs"),
        include_str!("knowledge.rs"),
    ]
    .concat();
    let is_called = |name: &String| sources.contains(&format!("capi::{name}("));
    let missing: Vec<_> = crate::header::functions_of_header().into_keys().filter(|name| !is_called(name)).collect();
    assert!(missing.is_empty(), "no test of the matrix calls {missing:?}");
}

/// Numbers that are no encoding.
const NO_ENCODINGS: [u32; 6] = [0, 41, 0xFFFF, 0x1_0000 + 5000, 1 << 31, u32::MAX];

/// Bits that decoders ignore. Encoders also know 4.
const NOISE: u32 = !(capi::TEXTCODEC_LAST | capi::TEXTCODEC_FATAL | capi::TEXTCODEC_UNCOUNTED);

/// The result without an error.
fn result(status: u32, read: usize, written: usize, had_errors: bool) -> capi::textcodec_result {
    capi::textcodec_result {
        read,
        written,
        error_offset: 0,
        error_length: 0,
        error_bytes: [0; 7],
        code_point: 0,
        status: status as u8,
        had_errors,
        reserved: [0; 2],
    }
}

/// An encoding or a charset, as the model of the decoders and encoders of C.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Coded {
    Standard(Encoding),
    Charset(Charset),
}

impl Coded {
    /// All encodings and charsets with their numbers.
    fn all() -> Vec<(u32, Self)> {
        let standard = (1..).zip(Encoding::all().map(Coded::Standard));
        standard.chain((0x1_0000..).zip(Charset::all().map(Coded::Charset))).collect()
    }

    /// The number of an encoding of the Standard.
    fn number(encoding: Encoding) -> u32 {
        encoding.id() as u32 + 1
    }

    fn name(self) -> &'static str {
        match self {
            Coded::Standard(encoding) => encoding.name(),
            Coded::Charset(charset) => charset.name(),
        }
    }

    /// Whether the Standard or the charset has an encoder.
    fn has_encoder(self) -> bool {
        match self {
            Coded::Standard(encoding) => encoding.output_encoding() == encoding,
            Coded::Charset(charset) => charset.new_encoder().is_some(),
        }
    }
}

impl Handle for Coded {
    fn codec(self) -> &'static Codec {
        match self {
            Coded::Standard(encoding) => Handle::codec(encoding),
            Coded::Charset(charset) => Handle::codec(charset),
        }
    }

    fn encoder(self) -> Option<&'static EncoderHalf> {
        match self {
            Coded::Standard(encoding) => Handle::encoder(encoding),
            Coded::Charset(charset) => Handle::encoder(charset),
        }
    }

    fn selector(self) -> u8 {
        match self {
            Coded::Standard(encoding) => Handle::selector(encoding),
            Coded::Charset(charset) => Handle::selector(charset),
        }
    }

    fn of_bom(bom: Bom) -> Option<Self> {
        <Encoding as Handle>::of_bom(bom).map(Coded::Standard)
    }
}

/// The pointer and the length of a source; for an empty one, null and a length that counts nothing.
fn parts<T>(source: &[T]) -> (*const T, usize) {
    if source.is_empty() { (std::ptr::null(), 9) } else { (source.as_ptr(), source.len()) }
}

/// What a text of C contains.
fn text(string: capi::textcodec_string) -> &'static str {
    crate::header::text(string)
}
