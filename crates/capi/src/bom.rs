//! Byte order marks.

use core::ffi::c_void;

use textcodec::{Bom, BomHandling};
use textcodec_core::Handle;

use crate::{
    TEXTCODEC_NONE,
    encodings::{Found, number_of},
    pointers::source,
    textcodec_encoding,
};

/// A byte order mark of any encoding decides the encoding.
pub const TEXTCODEC_BOM_SNIFF: u32 = 0;
/// A byte order mark of the encoding is removed.
pub const TEXTCODEC_BOM_REMOVE: u32 = 1;
/// A byte order mark is text.
pub const TEXTCODEC_BOM_KEEP: u32 = 2;

/// An encoding, and the number of bytes of the byte order mark before the text.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct textcodec_bom {
    /// The encoding.
    pub encoding: textcodec_encoding,
    /// The number of bytes.
    pub length: u32,
}

/// How decoders treat byte order marks.
pub(crate) const fn handling(number: u32) -> Option<BomHandling> {
    match number {
        TEXTCODEC_BOM_SNIFF => Some(BomHandling::Sniff),
        TEXTCODEC_BOM_REMOVE => Some(BomHandling::Remove),
        TEXTCODEC_BOM_KEEP => Some(BomHandling::Keep),
        _ => None,
    }
}

/// [BOM sniff](https://encoding.spec.whatwg.org/#bom-sniff).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_bom_sniff(bytes: *const c_void, length: usize) -> textcodec_bom {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    unsafe { textcodec_bom_apply(TEXTCODEC_NONE, TEXTCODEC_BOM_SNIFF, bytes, length) }
}

/// The encoding of a text, and the length of its byte order mark.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_bom_apply(
    encoding: textcodec_encoding,
    bom_handling: u32,
    bytes: *const c_void,
    length: usize,
) -> textcodec_bom {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    let bytes = unsafe { source(bytes.cast::<u8>(), length) };
    let bom = match handling(bom_handling) {
        Some(BomHandling::Sniff) => Bom::sniff(bytes),
        Some(BomHandling::Remove) => {
            let own = Found::new(encoding).and_then(|found| found.decoding().codec().bom());
            own.filter(|bom| bytes.starts_with(bom.bytes()))
        }
        _ => None,
    };
    match bom {
        Some(bom) => textcodec_bom { encoding: number_of(bom.name()), length: bom.bytes().len() as u32 },
        None => textcodec_bom { encoding, length: 0 },
    }
}
