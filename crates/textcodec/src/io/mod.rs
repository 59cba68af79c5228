//! Adapters that decode and encode while reading and writing: for `std::io`, and under features for `tokio`,
//! `tokio_util::codec` and streams of pieces.
//!
//! | | decodes bytes of an encoding to UTF-8 | encodes UTF-8 to bytes of an encoding |
//! | --- | --- | --- |
//! | [`std::io::Read`], [`std::io::BufRead`] | [`DecodingReader`], `SniffingReader` (feature `sniff`) | [`EncodingReader`] |
//! | [`std::io::Write`] | [`DecodingWriter`] | [`EncodingWriter`], `Utf16Writer` (feature `utf16`) |
//! | `tokio::io::AsyncRead`, `AsyncBufRead` (feature `tokio`) | `AsyncDecodingReader`, `AsyncSniffingReader` | `AsyncEncodingReader` |
//! | `tokio::io::AsyncWrite` (feature `tokio`) | `AsyncDecodingWriter` | `AsyncEncodingWriter` |
//! | `tokio_util::codec` (feature `tokio-util-0_7`) | `TextCodec` | `TextCodec` |
//! | `futures_core::Stream` (feature `futures-0_3`) | `DecodingStream`, `TryDecodingStream` | |
//!
//! All readers are a [`Reader`] with a [`Direction`], and all writers a [`Writer`].
//!
//! The output is the result of [`Encoding::decode`](crate::Encoding::decode) or
//! [`Encoding::encode_or_fail`](crate::Encoding::encode_or_fail) for the whole input. It depends neither on how the
//! input is cut into pieces, nor on how often a call is interrupted or not ready. Readers have a buffer of 8 KiB before
//! and after the conversion, writers one after it, so they need no `BufReader` or `BufWriter`.
//!
//! # Errors
//! In the error mode fatal, an error has the kind [`InvalidData`](std::io::ErrorKind::InvalidData) and contains a
//! [`Malformed`](crate::Malformed) or an [`Unmappable`](crate::Unmappable), which say where the error is. [`malformed`]
//! and [`unmappable`] get them out:
//!
//! ```
//! use std::io::{self, Read};
//! use textcodec::{DecodeErrorMode, UTF_8, io::{DecodingReader, malformed}};
//!
//! let mut reader = DecodingReader::with_decoder(&b"abc\xFFdef"[..], UTF_8.new_decoder(), DecodeErrorMode::Fatal);
//! let mut text = String::new();
//! let error = reader.read_to_string(&mut text).unwrap_err();
//! assert_eq!((error.kind(), &*text), (io::ErrorKind::InvalidData, "abc"));
//! let malformed = malformed(&error).unwrap();
//! assert_eq!((malformed.offset, malformed.bytes()), (3, &b"\xFF"[..]));
//!
//! // The error is reported once. Another call goes on after the malformed bytes.
//! reader.read_to_string(&mut text)?;
//! assert_eq!(text, "abcdef");
//! # Ok::<(), io::Error>(())
//! ```
//!
//! Unless another error mode is asked for, malformed sequences become U+FFFD, and an unmappable character is an error.
//! The functions `replacing` encode another text in its place.
//! [`EncodeErrorMode::Html`](crate::EncodeErrorMode::Html) writes a character reference such as `&#9731;`, as forms
//! do; in a CSV file or a protocol nobody reads it as a character.
//!
//! Where UTF-8 is expected, bytes that are not UTF-8 are such an error in both error modes.
//!
//! Errors of the inner reader, writer or stream are returned unchanged, and no byte is lost by them: a call that is
//! repeated goes on where the failed call was.

mod convert;
mod error;
mod pump;
mod read;
#[cfg(feature = "sniff")]
mod sniff;
#[cfg(all(feature = "utf16", feature = "encode"))]
mod utf16;
mod write;

#[cfg(feature = "tokio-util-0_7")]
mod codec;
#[cfg(feature = "futures-0_3")]
mod stream;
#[cfg(feature = "tokio")]
mod tokio;

#[cfg(feature = "tokio-util-0_7")]
pub use self::codec::{EndOfStream, TextCodec};
#[cfg(feature = "sniff")]
pub use self::sniff::{Sniff, SniffingReader};
#[cfg(feature = "futures-0_3")]
pub use self::stream::{DecodingStream, Fallible, StreamError, TextStream, TryDecodingStream};
#[cfg(all(feature = "tokio", feature = "sniff"))]
pub use self::tokio::AsyncSniffingReader;
#[cfg(feature = "tokio")]
pub use self::tokio::{AsyncDecodingReader, AsyncDecodingWriter};
#[cfg(all(feature = "tokio", feature = "encode"))]
pub use self::tokio::{AsyncEncodingReader, AsyncEncodingWriter};
#[cfg(all(feature = "utf16", feature = "encode"))]
pub use self::utf16::Utf16Writer;
pub use self::{
    convert::{Decode, Direction},
    error::{malformed, unmappable},
    read::{DecodingReader, Reader},
    write::{DecodingWriter, Writer},
};
#[cfg(feature = "encode")]
pub use self::{
    convert::{Encode, Replacing},
    read::EncodingReader,
    write::EncodingWriter,
};
