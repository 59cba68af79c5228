//! [API](https://encoding.spec.whatwg.org/#api): the objects that scripts see, for programs that embed a JavaScript engine or
//! want the same semantics.
//!
//! | here | the Standard's |
//! | --- | --- |
//! | [`TextDecoder`] | [interface TextDecoder](https://encoding.spec.whatwg.org/#interface-textdecoder) |
//! | [`TextEncoder`] | [interface TextEncoder](https://encoding.spec.whatwg.org/#interface-textencoder) |
//! | [`TextDecoderStream`] | [interface TextDecoderStream](https://encoding.spec.whatwg.org/#interface-textdecoderstream) |
//! | [`TextEncoderStream`] | [interface TextEncoderStream](https://encoding.spec.whatwg.org/#interface-textencoderstream) |
//! | [`convert_code_unit_to_scalar_value`] | [convert code unit to scalar value](https://encoding.spec.whatwg.org/#convert-code-unit-to-scalar-value) |
//! | [`Transform`] | what the streams' transform and flush algorithms have in common |
//! | `Readable`, `Writable` (feature `futures`) | the two sides of a stream, as `futures` knows them |
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
//! Three things are different from the [`Decoder`](crate::Decoder) below: a byte order mark never changes the encoding, the label
//! can't mean replacement, and an error takes with it what was decoded in the same call.
//!
//! A string comes in the three forms that programs and engines have: [`String`]; UTF-16; and [`JsString`], which is Latin-1
//! where that is enough. For engines [`Source`] takes the same three.

mod code_unit;
mod common;
#[cfg(feature = "futures")]
mod futures;
mod string;
mod text_decoder;
mod text_decoder_stream;
mod text_encoder;
mod text_encoder_stream;
mod transform;

#[cfg(feature = "futures")]
pub use self::futures::{Readable, Writable, WritableError};
pub use self::{
    code_unit::convert_code_unit_to_scalar_value,
    common::{RangeError, TextDecoderOptions, TypeError},
    string::{JsString, Source},
    text_decoder::TextDecoder,
    text_decoder_stream::TextDecoderStream,
    text_encoder::{EncodeIntoResult, TextEncoder},
    text_encoder_stream::TextEncoderStream,
    transform::Transform,
};
