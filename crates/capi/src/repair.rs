//! Repair of text that was decoded in a wrong encoding.

use core::ffi::c_char;

use textcodec_convert::{Charset, Counts, Repair};
use textcodec_kernels::string::as_utf8;

use crate::{
    TEXTCODEC_AMBIGUOUS, TEXTCODEC_INVALID, TEXTCODEC_MALFORMED, TEXTCODEC_OK, TEXTCODEC_OUTPUT_FULL,
    encodings::Found,
    pointers::{destination, source},
    textcodec_encoding,
};

/// What a repair has found.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct textcodec_repaired {
    /// The number of bytes of the repaired text.
    pub length: usize,
    /// The number of lines.
    pub lines: u64,
    /// The number of lines that were repaired.
    pub repaired: u64,
    /// The first of them.
    pub first_repaired: u64,
    /// The number of lines that can be right as they are.
    pub ambiguous: u64,
    /// The first of them.
    pub first_ambiguous: u64,
    /// The number of characters that an earlier conversion has lost.
    pub lost: u64,
    /// One of the numbers of the status.
    pub status: u32,
}

impl textcodec_repaired {
    fn new(status: u32, length: usize, counts: Counts) -> Self {
        textcodec_repaired {
            length,
            lines: counts.lines,
            repaired: counts.repaired.number,
            first_repaired: counts.repaired.first.unwrap_or(0),
            ambiguous: counts.ambiguous.number,
            first_ambiguous: counts.ambiguous.first.unwrap_or(0),
            lost: counts.lost,
            status,
        }
    }
}

/// The repair for these encodings. `None` if text that was decoded in one of them cannot be repaired.
fn repair(encodings: &[textcodec_encoding]) -> Option<Repair> {
    if encodings.is_empty() {
        return Some(Repair::default());
    }
    let charset = |&number| {
        Some(match Found::new(number)? {
            Found::Standard(encoding) => Charset::from(encoding),
            Found::Charset(charset) => Charset::from(charset),
        })
    };
    Repair::new(encodings.iter().map(charset).collect::<Option<Vec<_>>>()?).ok()
}

/// Repairs a text that was decoded in a wrong encoding.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_repair(
    encodings: *const textcodec_encoding,
    count: usize,
    text: *const c_char,
    length: usize,
    repaired: *mut c_char,
    capacity: usize,
    flags: u32,
) -> textcodec_repaired {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    let (encodings, text, to) = unsafe {
        (source(encodings, count), source(text.cast::<u8>(), length), destination(repaired.cast::<u8>(), capacity))
    };
    let Some(text) = as_utf8(text) else { return textcodec_repaired::new(TEXTCODEC_MALFORMED, 0, Counts::default()) };
    let Some(repair) = repair(encodings) else {
        return textcodec_repaired::new(TEXTCODEC_INVALID, 0, Counts::default());
    };
    let repaired = repair.repair(text, flags & TEXTCODEC_AMBIGUOUS != 0);
    let length = repaired.text.len();
    match to.get_mut(..length) {
        Some(to) => {
            to.copy_from_slice(repaired.text.as_bytes());
            textcodec_repaired::new(TEXTCODEC_OK, length, repaired.counts)
        }
        None => textcodec_repaired::new(TEXTCODEC_OUTPUT_FULL, length, repaired.counts),
    }
}
