//! The errors of this library inside an [`io::Error`].

use core::error::Error;
use std::io;

use crate::{Malformed, Unmappable};

/// The malformed sequence at which a reader, writer or codec of this module stopped; `None` if `error` has another
/// cause.
///
/// ```
/// use std::io::{self, ErrorKind};
/// use textcodec::{DecodeErrorMode, SHIFT_JIS, io::{DecodingReader, malformed}};
///
/// let file = &b"\x83\x65 \xFF"[..]; // or std::fs::File
/// let reader = DecodingReader::with_decoder(file, SHIFT_JIS.new_decoder(), DecodeErrorMode::Fatal);
/// let error = io::read_to_string(reader).unwrap_err();
/// assert_eq!(malformed(&error).unwrap().offset, 3);
/// assert!(malformed(&ErrorKind::NotFound.into()).is_none());
/// ```
#[must_use]
pub fn malformed(error: &io::Error) -> Option<Malformed> {
    cause(error)
}

/// The unmappable character at which a reader, writer or codec of this module stopped; `None` if `error` has another
/// cause.
///
/// ```
/// use std::io;
/// use textcodec::{SHIFT_JIS, io::{EncodingWriter, unmappable}};
///
/// let mut writer = EncodingWriter::new(Vec::new(), SHIFT_JIS);
/// let error = writer.write_str("テ☃キ").unwrap_err();
/// assert_eq!(unmappable(&error).unwrap().code_point, '☃');
/// ```
#[must_use]
pub fn unmappable(error: &io::Error) -> Option<Unmappable> {
    cause(error)
}

/// Looks for an error of type `E`: first the error inside `error`, then the source of that error, and so on. Returns
/// the first one.
fn cause<E: Error + Copy + 'static>(error: &io::Error) -> Option<E> {
    let mut cause: Option<&(dyn Error + 'static)> = match error.get_ref() {
        Some(inner) => Some(inner),
        None => None,
    };
    while let Some(error) = cause {
        // A caller may have put an `io::Error` into another one.
        cause = match (error.downcast_ref(), error.downcast_ref::<io::Error>().and_then(io::Error::get_ref)) {
            (Some(found), _) => return Some(*found),
            (None, Some(inner)) => Some(inner),
            (None, None) => error.source(),
        };
    }
    None
}
