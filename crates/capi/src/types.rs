//! Structs and numbers that several functions have in common.

use core::ffi::c_char;

use textcodec::{DecodeErrorMode, DecodeResult, DecodeStatus};

/// The number of an encoding or a charset; 0 is none.
pub type textcodec_encoding = u32;

/// No encoding.
pub const TEXTCODEC_NONE: textcodec_encoding = 0;

/// The whole source was read, and everything was written; or the function succeeded.
pub const TEXTCODEC_OK: u32 = 0;
/// The destination is too small for the next character.
pub const TEXTCODEC_OUTPUT_FULL: u32 = 1;
/// The source has a malformed sequence.
pub const TEXTCODEC_MALFORMED: u32 = 2;
/// The encoding cannot represent a character.
pub const TEXTCODEC_UNMAPPABLE: u32 = 3;
/// An argument has no meaning.
pub const TEXTCODEC_INVALID: u32 = 4;

/// The source is the last one of the stream.
pub const TEXTCODEC_LAST: u32 = 1;
/// The function stops at an error.
pub const TEXTCODEC_FATAL: u32 = 2;
/// The source takes the place of a character, so the position stays.
pub const TEXTCODEC_UNCOUNTED: u32 = 4;
/// Ambiguous lines are repaired, too.
pub const TEXTCODEC_AMBIGUOUS: u32 = 8;

/// The result of a function whose number does not fit into `size_t`.
pub(crate) const TOO_LARGE: usize = usize::MAX;

/// A text that lives as long as the library, without a zero at its end.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct textcodec_string {
    /// The first byte.
    pub data: *const c_char,
    /// The number of bytes.
    pub length: usize,
}

impl textcodec_string {
    pub(crate) const EMPTY: Self = Self::new("");

    pub(crate) const fn new(text: &'static str) -> Self {
        textcodec_string { data: text.as_ptr().cast(), length: text.len() }
    }
}

impl From<Option<&'static str>> for textcodec_string {
    fn from(text: Option<&'static str>) -> Self {
        text.map_or(Self::EMPTY, Self::new)
    }
}

/// The result of decoding or encoding.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct textcodec_result {
    /// The number of units of the source that were read.
    pub read: usize,
    /// The number of units of the destination that were written.
    pub written: usize,
    /// The offset of the error in the stream, in units of the sources.
    pub error_offset: u64,
    /// The number of units of the error.
    pub error_length: u8,
    /// The bytes of a malformed sequence.
    pub error_bytes: [u8; 7],
    /// The character that the encoding cannot represent.
    pub code_point: u32,
    /// One of the numbers of the status.
    pub status: u8,
    /// Whether there was an error, also one that was replaced.
    pub had_errors: bool,
    /// Zeros.
    pub reserved: [u8; 2],
}

impl textcodec_result {
    /// The result of a call whose arguments have no meaning.
    pub(crate) const INVALID: Self = Self::new(TEXTCODEC_INVALID, 0, 0, false);

    #[inline]
    pub(crate) const fn new(status: u32, read: usize, written: usize, had_errors: bool) -> Self {
        textcodec_result {
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

    /// The result for the malformed sequence `bytes` at `offset`.
    #[cold]
    pub(crate) fn malformed(self, offset: u64, bytes: &[u8]) -> Self {
        let mut error_bytes = [0; 7];
        error_bytes.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
        let error_length = bytes.len() as u8;
        textcodec_result { status: TEXTCODEC_MALFORMED as u8, error_offset: offset, error_length, error_bytes, ..self }
    }
}

impl From<DecodeResult> for textcodec_result {
    #[inline]
    fn from(result: DecodeResult) -> Self {
        let with = |status| Self::new(status, result.read, result.written, result.had_errors);
        match result.status {
            DecodeStatus::InputEmpty => with(TEXTCODEC_OK),
            DecodeStatus::OutputFull => with(TEXTCODEC_OUTPUT_FULL),
            DecodeStatus::Malformed(error) => with(TEXTCODEC_MALFORMED).malformed(error.offset, error.bytes()),
        }
    }
}

/// The numbers of units that a conversion has read and written.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct textcodec_counts {
    /// The number of units of the source that were read.
    pub read: usize,
    /// The number of units of the destination that were written.
    pub written: usize,
}

impl From<(usize, usize)> for textcodec_counts {
    fn from((read, written): (usize, usize)) -> Self {
        textcodec_counts { read, written }
    }
}

/// The state of a stream, to be kept in a file or sent elsewhere.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct textcodec_state {
    /// Words whose meaning belongs to this version of the library.
    pub words: [u64; 4],
}

#[inline]
pub(crate) fn is_last(flags: u32) -> bool {
    flags & TEXTCODEC_LAST != 0
}

#[inline]
pub(crate) fn decode_error_mode(flags: u32) -> DecodeErrorMode {
    if flags & TEXTCODEC_FATAL != 0 { DecodeErrorMode::Fatal } else { DecodeErrorMode::Replacement }
}
