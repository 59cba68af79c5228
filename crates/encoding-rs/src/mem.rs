//! Text in memory that is UTF-8, UTF-16 or Latin-1: checks and conversions, and whether text needs the Unicode
//! Bidirectional Algorithm.
//!
//! Latin-1 in this module means the code points U+0000 to U+00FF, one byte each. It is not the encoding of the label
//! `latin1`, which is windows-1252.
//!
//! A conversion writes to the front of its destination and panics if the destination is shorter than its documentation
//! says; the conversions whose names end in `_partial` stop early instead. Units of the destination after the last one
//! written may have any value, unless the documentation of a function says otherwise.

mod automaton;
mod bidi;
mod classify;
mod copy;
mod latin1;
mod partial;
mod unicode;

pub use bidi::{
    Latin1Bidi, check_str_for_latin1_and_bidi, check_utf8_for_latin1_and_bidi, check_utf16_for_latin1_and_bidi,
    is_char_bidi, is_str_bidi, is_utf8_bidi, is_utf16_bidi, is_utf16_code_unit_bidi,
};
pub use classify::{
    is_ascii, is_basic_latin, is_str_latin1, is_utf8_latin1, is_utf16_latin1, str_latin1_up_to, utf8_latin1_up_to,
    utf16_valid_up_to,
};
pub use copy::{copy_ascii_to_ascii, copy_ascii_to_basic_latin, copy_basic_latin_to_ascii};
pub use latin1::{
    convert_latin1_to_str, convert_latin1_to_str_partial, convert_latin1_to_utf8, convert_latin1_to_utf8_partial,
    convert_latin1_to_utf16, convert_utf8_to_latin1_lossy, convert_utf16_to_latin1_lossy,
};
#[cfg(feature = "alloc")]
pub use latin1::{decode_latin1, encode_latin1_lossy};
pub use unicode::{
    convert_str_to_utf16, convert_utf8_to_utf16, convert_utf8_to_utf16_without_replacement, convert_utf16_to_str,
    convert_utf16_to_str_partial, convert_utf16_to_utf8, convert_utf16_to_utf8_partial, ensure_utf16_validity,
};

/// Panics unless a destination of `length` units holds `units` units for each of `source` units.
#[inline(always)]
#[track_caller]
fn assert_length(length: usize, source: usize, units: usize) {
    if source.checked_mul(units).is_none_or(|needed| needed > length) {
        too_short(length, source, units);
    }
}

/// Not inlined, so that the arguments of the message take no registers from the functions that do not panic.
#[cold]
#[inline(never)]
#[track_caller]
fn too_short(length: usize, source: usize, units: usize) -> ! {
    panic!("the destination has {length} units; it needs {units} for each of the {source} units of the source")
}
