//! Adapters that decode and encode what is read and written: for `std::io`, and under features for `tokio`,
//! `tokio_util::codec` and streams of pieces.
//!
//! | | decodes: bytes of an encoding to UTF-8 | encodes: UTF-8 to bytes of an encoding |
//! | --- | --- | --- |
//! | [`std::io::Read`], [`std::io::BufRead`] | [`DecodingReader`] | [`EncodingReader`] |
//! | [`std::io::Write`] | [`DecodingWriter`] | [`EncodingWriter`]; `Utf16Writer` (feature `utf16`) |
//! | `tokio::io::AsyncRead`, `AsyncBufRead` (feature `tokio`) | `AsyncDecodingReader` | `AsyncEncodingReader` |
//! | `tokio::io::AsyncWrite` (feature `tokio`) | `AsyncDecodingWriter` | `AsyncEncodingWriter` |
//! | `tokio_util::codec` (feature `tokio-util`) | `TextCodec` | `TextCodec` |
//! | `futures_core::Stream` (feature `futures`) | `DecodingStream`, `TryDecodingStream` | |
//!
//! What comes out does not depend on how the input is cut into pieces, nor on how often something is not ready or
//! interrupted: it is what [`Encoding::decode`](crate::Encoding::decode) and [`Encoding::encode`](crate::Encoding::encode)
//! make of the whole. Readers have a buffer of 8 KiB on either side of the conversion, writers one behind it: they need no
//! other around them.
//!
//! # Errors
//! In the error mode fatal the error has the kind [`InvalidData`](std::io::ErrorKind::InvalidData) and contains a
//! [`Malformed`](crate::Malformed) or [`Unmappable`](crate::Unmappable), which say where:
//!
//! ```
//! use std::io::{self, Read};
//! use textcodec::{DecoderErrorMode, Malformed, UTF_8, io::DecodingReader};
//!
//! let mut reader = DecodingReader::with_decoder(&b"abc\xFFdef"[..], UTF_8.new_decoder(), DecoderErrorMode::Fatal);
//! let mut text = String::new();
//! let error = reader.read_to_string(&mut text).unwrap_err();
//! assert_eq!((error.kind(), &*text), (io::ErrorKind::InvalidData, "abc"));
//! let malformed: Malformed = error.downcast()?;
//! assert_eq!((malformed.offset, malformed.bytes()), (3, &b"\xFF"[..]));
//!
//! // It is over with that error: what follows goes on behind it.
//! reader.read_to_string(&mut text)?;
//! assert_eq!(text, "abcdef");
//! # Ok::<(), io::Error>(())
//! ```
//!
//! Where UTF-8 is expected, other bytes are such an error in any mode.
//!
//! Errors of the inner reader, writer or stream are passed on as they are, and nothing is lost by them: a call that is
//! repeated goes on where the failed one was.

mod convert;
mod pump;
mod read;
#[cfg(feature = "utf16")]
mod utf16;
mod write;

#[cfg(feature = "tokio-util")]
mod codec;
#[cfg(feature = "futures")]
mod stream;
#[cfg(feature = "tokio")]
mod tokio;

#[cfg(feature = "tokio-util")]
pub use self::codec::{EndOfStream, TextCodec};
#[cfg(feature = "futures")]
pub use self::stream::{DecodingStream, StreamError, TryDecodingStream};
#[cfg(feature = "tokio")]
pub use self::tokio::{AsyncDecodingReader, AsyncDecodingWriter, AsyncEncodingReader, AsyncEncodingWriter};
#[cfg(feature = "utf16")]
pub use self::utf16::Utf16Writer;
pub use self::{
    read::{DecodingReader, EncodingReader},
    write::{DecodingWriter, EncodingWriter},
};
