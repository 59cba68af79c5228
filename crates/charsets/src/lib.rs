//! Charsets that the [Encoding Standard](https://encoding.spec.whatwg.org/) does not have: the code pages of DOS,
//! Windows, Mac OS and mainframes, ISO 646 and ISO 8859 as ISO defines them, and what else iconv knows.
//!
//! ```
//! use textcodec_charsets::{Charset, Names, ebcdic};
//!
//! // A name says whose name it is, because one name can mean several tables.
//! let charset = Charset::for_name("CP037", Names::Glibc).unwrap();
//! assert_eq!(charset, ebcdic::IBM037);
//! assert_eq!(charset.decode(b"\xC8\x85\x93\x93\x96").0, "Hello");
//! assert_eq!(Charset::for_code_page(1140).unwrap().name(), "IBM1140");
//! ```
//!
//! Each family of charsets is a module and a feature, and no feature is on by default. A program contains only the
//! charsets that it names, or those of all enabled families if it looks up names.
//!
//! No name of this crate is a label of the Standard: [`Charset::for_name`] and `Encoding::for_label` never see each
//! other's names. `ISO-8859-1` means Latin-1 here, where the label `iso-8859-1` means windows-1252.
//!
//! Decoders, encoders and errors have the same types as those of the Standard's encodings.
#![cfg_attr(not(any(test, feature = "std")), no_std)]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(feature = "all"),
    allow(dead_code, unused_imports, unused_macros, reason = "every family is optional, and so are its helpers")
)]
#[cfg(feature = "alloc")]
extern crate alloc;

mod charset;
#[cfg(any(feature = "windows", feature = "regional"))]
mod composing;
#[cfg(feature = "libraries")]
mod eacc;
#[cfg(feature = "east-asian")]
mod east_asian_codecs;
#[cfg(feature = "ebcdic-east-asian")]
mod ebcdic_east_asian_codecs;
mod generated;
mod iconv_name;
#[cfg(feature = "libraries")]
mod libraries_codecs;
#[cfg(feature = "libraries")]
mod marc;
#[cfg(all(feature = "libraries", feature = "encode"))]
mod marc_encoder;
mod names;
#[cfg(feature = "alloc")]
mod one_shot;
#[cfg(any(feature = "windows", feature = "east-asian", feature = "ebcdic-east-asian"))]
mod pair_codecs;
#[cfg(any(
    feature = "windows",
    feature = "regional",
    feature = "libraries",
    feature = "east-asian",
    feature = "ebcdic-east-asian"
))]
mod pending;
#[cfg(feature = "regional")]
mod regional_codecs;
mod single_byte;
#[cfg(feature = "telematic")]
mod telematic_codecs;
#[cfg(feature = "regional")]
mod tscii;
#[cfg(feature = "unicode")]
mod unicode_codecs;
#[cfg(feature = "windows")]
mod windows_codecs;

pub use charset::{Charset, Family};
#[cfg(feature = "dos")]
pub use generated::dos;
#[cfg(feature = "east-asian")]
pub use generated::east_asian;
#[cfg(feature = "ebcdic")]
pub use generated::ebcdic;
#[cfg(feature = "ebcdic-east-asian")]
pub use generated::ebcdic_east_asian;
#[cfg(feature = "iso")]
pub use generated::iso;
#[cfg(feature = "libraries")]
pub use generated::libraries;
#[cfg(feature = "mac")]
pub use generated::mac;
#[cfg(feature = "others")]
pub use generated::others;
#[cfg(feature = "regional")]
pub use generated::regional;
#[cfg(feature = "telematic")]
pub use generated::telematic;
#[cfg(feature = "unicode")]
pub use generated::unicode;
#[cfg(feature = "windows")]
pub use generated::windows;
#[doc(hidden)]
pub use iconv_name::IconvName;
pub use names::Names;
pub use textcodec_core::{Codec, CutRule, DecodeErrorMode, DecodeResult, DecodeStatus, Malformed};
#[cfg(feature = "encode")]
pub use textcodec_core::{EncodeErrorMode, EncodeResult, EncodeStatus, Unmappable};

use charset::Facts;

/// A decoder of a [`Charset`], for a stream of bytes that arrives in slices.
pub type Decoder = textcodec_core::Decoder<Charset>;

/// An encoder of a [`Charset`], for a stream of text that arrives in slices.
#[cfg(feature = "encode")]
pub type Encoder = textcodec_core::Encoder<Charset>;

/// The examples of the README are tests.
#[cfg(all(doctest, feature = "std", feature = "encode", feature = "dos", feature = "ebcdic", feature = "mac"))]
#[doc = include_str!("../README.md")]
struct Readme;
