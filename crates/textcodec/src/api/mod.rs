//! [API](https://encoding.spec.whatwg.org/#api): the interfaces that scripts see, for programs that embed a JavaScript
//! engine or need the same semantics.
//!
//! | item | interface or algorithm of the Standard |
//! | --- | --- |
//! | [`TextDecoder`] | [interface TextDecoder](https://encoding.spec.whatwg.org/#interface-textdecoder) |
//! | [`TextEncoder`] | [interface TextEncoder](https://encoding.spec.whatwg.org/#interface-textencoder) |
//! | [`TextDecoderStream`] | [interface TextDecoderStream](https://encoding.spec.whatwg.org/#interface-textdecoderstream) |
//! | [`TextEncoderStream`] | [interface TextEncoderStream](https://encoding.spec.whatwg.org/#interface-textencoderstream) |
//! | [`convert_code_unit_to_scalar_value`] | [convert code unit to scalar value](https://encoding.spec.whatwg.org/#convert-code-unit-to-scalar-value) |
//! | [`Transform`] | the transform and flush algorithms of both streams |
//! | `Readable`, `Writable` (feature `futures-0_3`) | the two sides of a stream, as a `Stream` and a `Sink` |
//!
//! ```
//! use textcodec::api::{TextDecoder, TextDecoderOptions};
//!
//! let mut decoder = TextDecoder::new("shift_jis", TextDecoderOptions::default())?;
//! assert_eq!(decoder.decode(b"\x83", true)?, "");
//! assert_eq!(decoder.decode(b"\x65", false)?, "テ");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! These interfaces differ from a [`Decoder`](crate::Decoder) in three ways: a byte order mark never changes the
//! encoding, labels of replacement are refused, and a call that fails returns none of the text before the error.
//!
//! Strings have three forms, as programs and engines keep them: [`String`]; UTF-16; and [`JsString`], which is Latin-1
//! if all code units are at most 0xFF. An [`EncoderInput`] takes the same three forms. [`latin1_up_to`] is for engines
//! that make their strings themselves.

mod code_unit;
mod common;
#[cfg(feature = "futures-0_3")]
mod futures;
mod string;
mod text_decoder;
mod text_decoder_stream;
#[cfg(feature = "encode")]
mod text_encoder;
#[cfg(feature = "encode")]
mod text_encoder_stream;
mod transform;

#[cfg(feature = "futures-0_3")]
pub use self::futures::{Readable, Writable, WritableError};
pub use self::{
    code_unit::convert_code_unit_to_scalar_value,
    common::{RangeError, TextDecoderOptions, TypeError},
    string::{EncoderInput, JsString, latin1_up_to},
    text_decoder::{TextDecoder, TextDecoderState},
    text_decoder_stream::TextDecoderStream,
    transform::Transform,
};
#[cfg(feature = "encode")]
pub use self::{
    text_encoder::{EncodeIntoResult, TextEncoder},
    text_encoder_stream::TextEncoderStream,
};
