//! Converts text between Unicode and the encodings of the web, exactly as the
//! [Encoding Standard](https://encoding.spec.whatwg.org/) specifies: all 40 encodings and their 228 labels, for whole
//! texts, for streams, and for the Standard's own I/O queues.
//!
//! ```
//! use textcodec::{Encoding, SHIFT_JIS};
//!
//! // Decode a whole text. A byte order mark would override the label.
//! let encoding = Encoding::for_label("sjis")?;
//! let decoded = encoding.decode(b"\x83\x65\x83\x4C\x83\x58\x83\x67");
//! assert_eq!((&*decoded.text, decoded.encoding, decoded.had_errors), ("テキスト", SHIFT_JIS, false));
//!
//! // Encode. An unmappable character becomes a character reference, or an error with its offset.
//! assert_eq!(encoding.encode("テ☃").bytes, &b"\x83\x65&#9731;"[..]);
//! assert_eq!(encoding.encode_or_fail("テ☃").unwrap_err().offset, 3);
//! # Ok::<(), textcodec::LabelError>(())
//! ```
//!
//! | task | items |
//! | --- | --- |
//! | a whole text in memory | [`Encoding::decode`], [`Encoding::encode`]; [`Encoding::decode_or_fail`], [`Encoding::encode_or_fail`] |
//! | a text in pieces | [`Encoding::new_decoder`], [`Encoding::new_encoder`] |
//! | a file or socket | [`io`] |
//! | an HTTP response | [`Encoding::for_content_type`], [`sniff`] |
//! | bytes of an unknown encoding | [`sniff`] |
//! | a URL or a form to write | [`url`] |
//! | the line and column of an error | [`LineColumn`] |
//! | implementing another standard | [`hooks`], under the Encoding Standard's names; [`infra`] |
//! | strings in UTF-16 or Latin-1 | [`mem`], [`utf16`] |
//! | a JavaScript engine | [`api`]: `TextDecoder`, `TextEncoder` and their streams |
//! | a pointer or a code point of an index | [`index`] |
//! | one family of encodings only | the features below, or the family's crate and `textcodec-core` |
//!
//! The [guide] has a page for each task, and one for those who [come from encoding_rs](guide::replace_encoding_rs).
//!
//! # Features
//!
//! The features down to `std` are on by default. UTF-8 and replacement are always enabled. A feature adds encodings or
//! functions and never changes a result.
//!
//! | feature | adds |
//! | --- | --- |
//! | `encode` | encoders, and all functions that encode: `Encoder`, [`url`], [`utf16`], [`index`], `TextEncoder`, the encoding half of [`io`] and [`hooks`] |
//! | `single-byte` | the 28 single-byte encodings and x-user-defined |
//! | `cjk-chinese`, `cjk-japanese`, `cjk-korean` | GBK, gb18030, Big5; EUC-JP, ISO-2022-JP, Shift_JIS; EUC-KR |
//! | `utf16` | UTF-16BE and UTF-16LE, and all functions that sniff byte order marks, which can lead to UTF-16 |
//! | `sniff` | [`sniff`]: finding out the encoding of a resource |
//! | `alloc` | functions that return a `String` or a `Vec`, and I/O queues |
//! | `vectors` | vector code, where the target and the compiler (Rust 1.89 or later) allow it; without it, programs are smaller and slower |
//! | `std` | streaming I/O queues, [`io`], and the choice of the fastest code for the processor at run time |
//! | `run-time` | with `vectors` and without `std`: the choice of the fastest code for the processor at run time |
//! | `sse41` | with `vectors`: vector code also for x86-64 processors that have SSE4.1 but not AVX2, up to 66 KB |
//! | `zeroed` | zeros in destinations that are not initialised, in place of an empty assembly block: slower, for those who want no answer of the memory model |
//! | `structure` | `sniff::structure`: guesses from the bytes alone |
//! | `detect` | `detect`: guesses from statistics of 47 languages |
//! | `tokio`, `tokio-util-0_7` | `AsyncRead`, `AsyncBufRead` and `AsyncWrite`; a codec for `tokio_util::codec`: in [`io`] |
//! | `futures-0_3` | a `Stream` of text from a `Stream` of bytes, in [`io`]; the two sides of the streams in [`api`] |
//! | `serde` | `Serialize` and `Deserialize` for [`Encoding`], [`Name`], [`Bom`], [`Malformed`], [`Unmappable`], [`LineColumn`], the error modes, and the results of `sniff` |
//! | `charsets-all` | `charsets`: charsets of iconv that the Standard does not have |
//! | `charsets-dos`, `charsets-ebcdic`, `charsets-windows`, `charsets-iso`, `charsets-mac`, `charsets-unicode`, `charsets-east-asian`, `charsets-ebcdic-east-asian`, `charsets-regional`, `charsets-libraries`, `charsets-telematic`, `charsets-others` | one family of them |
//! | `encoding_rs-0_8` | conversions between [`Encoding`] and `&'static encoding_rs::Encoding` |
//!
//! A program contains the code and tables of the encodings that it names. [`Encoding::for_label`] names all enabled
//! encodings.
//!
//! The name of a feature whose items expose types of another crate before its version 1.0 has the version of that
//! crate: a later version of it gets another feature.
#![cfg_attr(not(any(test, feature = "std")), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#[cfg(feature = "alloc")]
extern crate alloc;

#[cfg(feature = "alloc")]
pub mod api;
#[cfg(feature = "detect")]
pub mod detect;
mod encoding;
mod generated;
pub mod guide;
#[cfg(feature = "alloc")]
pub mod hooks;
#[cfg(feature = "encode")]
pub mod index;
#[cfg(feature = "alloc")]
pub mod infra;
#[cfg(feature = "encoding_rs-0_8")]
mod interop;
#[cfg(feature = "std")]
pub mod io;
pub mod mem;
#[cfg(feature = "alloc")]
mod one_shot;
mod position;
#[cfg(feature = "serde")]
mod serde;
#[cfg(feature = "sniff")]
pub mod sniff;
#[cfg(all(feature = "alloc", feature = "encode"))]
pub mod url;
#[cfg(all(feature = "utf16", feature = "encode"))]
pub mod utf16;

// The aliases are names of encoding_rs. They stand here because a re-export loses the aliases of its item, and because
// rustdoc's search does not look into the methods of types of the core.
#[doc(alias("decode_to_utf8_without_replacement", "decode_to_utf16_without_replacement"))]
#[doc(alias("decode_to_str_without_replacement", "decode_to_string_without_replacement"))]
#[doc(alias("max_utf8_buffer_length", "max_utf8_buffer_length_without_replacement"))]
#[doc(alias("max_utf16_buffer_length", "latin1_byte_compatible_up_to"))]
pub use encoding::Decoder;
#[cfg(feature = "encode")]
#[doc(alias("encode_from_utf8_without_replacement", "encode_from_utf16_without_replacement"))]
#[doc(alias("encode_from_utf8_to_vec", "encode_from_utf8_to_vec_without_replacement"))]
#[doc(alias("max_buffer_length_from_utf8_if_no_unmappables", "max_buffer_length_from_utf8_without_replacement"))]
#[doc(alias = "max_buffer_length_from_utf16_if_no_unmappables")]
#[doc(alias = "max_buffer_length_from_utf16_without_replacement")]
pub use encoding::Encoder;
pub use encoding::{BomHandling, Encoding};
pub use generated::encodings::*;
#[cfg(feature = "alloc")]
pub use one_shot::Decoded;
#[cfg(all(feature = "alloc", feature = "encode"))]
pub use one_shot::Encoded;
pub use position::LineColumn;
#[cfg(feature = "charsets")]
pub use textcodec_charsets as charsets;
#[doc(alias("CoderResult", "DecoderResult"))]
pub use textcodec_core::DecodeStatus;
#[cfg(feature = "encode")]
#[doc(alias("CoderResult", "EncoderResult"))]
pub use textcodec_core::EncodeStatus;
pub use textcodec_core::{
    Bom, DecodeErrorMode, DecodeResult, DecoderState, LabelError, Malformed, Name, StateError, Unmappable,
};
#[cfg(feature = "encode")]
pub use textcodec_core::{EncodeErrorMode, EncodeResult, EncoderState, NoEncoder};

/// The examples of the README are tests.
#[cfg(all(
    doctest,
    feature = "std",
    feature = "encode",
    feature = "single-byte",
    feature = "cjk-japanese",
    feature = "sniff"
))]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// So are the examples of the READMEs of the crates below. Here they are one program, and not one for each crate.
#[cfg(all(
    doctest,
    feature = "std",
    feature = "encode",
    feature = "single-byte",
    feature = "cjk-chinese",
    feature = "cjk-japanese",
    feature = "cjk-korean",
    feature = "sniff"
))]
mod readmes {
    #[doc = include_str!("../../core/README.md")]
    struct Core;
    #[doc = include_str!("../../kernels/README.md")]
    struct Kernels;
    #[doc = include_str!("../../utf8/README.md")]
    struct Utf8;
    #[doc = include_str!("../../utf16/README.md")]
    struct Utf16;
    #[doc = include_str!("../../single-byte/README.md")]
    struct SingleByte;
    #[doc = include_str!("../../cjk-chinese/README.md")]
    struct Chinese;
    #[doc = include_str!("../../cjk-japanese/README.md")]
    struct Japanese;
    #[doc = include_str!("../../cjk-korean/README.md")]
    struct Korean;
    #[doc = include_str!("../../sniff/README.md")]
    struct Sniff;
}
