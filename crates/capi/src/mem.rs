//! Text in memory that is UTF-8, UTF-16 or Latin-1: checks and conversions.

use core::ffi::c_void;

use textcodec::mem;

use crate::{
    pointers::{self, destination, source},
    textcodec_counts,
};

/// The number of bytes before the first one that is not ASCII.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_ascii_up_to(text: *const c_void, length: usize) -> usize {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    mem::ascii_up_to(unsafe { source(text.cast::<u8>(), length) })
}

/// The number of code units before the first one that is not ASCII.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_utf16_ascii_up_to(text: *const u16, length: usize) -> usize {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    mem::utf16_ascii_up_to(unsafe { source(text, length) })
}

/// The number of bytes that a new decoder of ISO-2022-JP leaves as they are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_iso_2022_jp_ascii_up_to(text: *const c_void, length: usize) -> usize {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    mem::iso_2022_jp_ascii_up_to(unsafe { source(text.cast::<u8>(), length) })
}

/// The number of bytes before the first malformed sequence of UTF-8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_utf8_valid_up_to(text: *const c_void, length: usize) -> usize {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    mem::utf8_valid_up_to(unsafe { source(text.cast::<u8>(), length) })
}

/// The number of code units before the first unpaired surrogate.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_utf16_valid_up_to(text: *const u16, length: usize) -> usize {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    mem::utf16_valid_up_to(unsafe { source(text, length) })
}

/// The number of bytes of UTF-8 before the first character above U+00FF.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_utf8_latin1_up_to(text: *const c_void, length: usize) -> usize {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    mem::utf8_latin1_up_to(unsafe { source(text.cast::<u8>(), length) })
}

/// The number of code units before the first one above 0xFF.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_utf16_latin1_up_to(text: *const u16, length: usize) -> usize {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    mem::utf16_latin1_up_to(unsafe { source(text, length) })
}

/// Replaces unpaired surrogates by U+FFFD.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_ensure_utf16_validity(text: *mut u16, length: usize) {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    mem::ensure_utf16_validity(unsafe { pointers::text(text, length) });
}

/// Converts UTF-8 to UTF-16.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_utf8_to_utf16(
    source_text: *const c_void,
    length: usize,
    text: *mut u16,
    capacity: usize,
) -> textcodec_counts {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    let (from, to) = unsafe { (source(source_text.cast::<u8>(), length), destination(text, capacity)) };
    mem::utf8_to_utf16(from, to).into()
}

/// Converts UTF-16 to UTF-8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_utf16_to_utf8(
    source_text: *const u16,
    length: usize,
    text: *mut c_void,
    capacity: usize,
) -> textcodec_counts {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    let (from, to) = unsafe { (source(source_text, length), destination(text.cast::<u8>(), capacity)) };
    mem::utf16_to_utf8(from, to).into()
}

/// Converts Latin-1 to UTF-8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_latin1_to_utf8(
    source_text: *const c_void,
    length: usize,
    text: *mut c_void,
    capacity: usize,
) -> textcodec_counts {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    let (from, to) = unsafe { (source(source_text.cast::<u8>(), length), destination(text.cast::<u8>(), capacity)) };
    mem::latin1_to_utf8(from, to).into()
}

/// Converts Latin-1 to UTF-16.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_latin1_to_utf16(
    source_text: *const c_void,
    length: usize,
    text: *mut u16,
    capacity: usize,
) -> textcodec_counts {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    let (from, to) = unsafe { (source(source_text.cast::<u8>(), length), destination(text, capacity)) };
    mem::latin1_to_utf16(from, to).into()
}

/// Converts UTF-8 to Latin-1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_utf8_to_latin1(
    source_text: *const c_void,
    length: usize,
    text: *mut c_void,
    capacity: usize,
) -> textcodec_counts {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    let (from, to) = unsafe { (source(source_text.cast::<u8>(), length), destination(text.cast::<u8>(), capacity)) };
    mem::utf8_to_latin1(from, to).into()
}

/// Converts UTF-16 to Latin-1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_utf16_to_latin1(
    source_text: *const u16,
    length: usize,
    text: *mut c_void,
    capacity: usize,
) -> textcodec_counts {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    let (from, to) = unsafe { (source(source_text, length), destination(text.cast::<u8>(), capacity)) };
    mem::utf16_to_latin1(from, to).into()
}

/// Copies ASCII.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_copy_ascii(
    source_text: *const c_void,
    length: usize,
    text: *mut c_void,
    capacity: usize,
) -> usize {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    let (from, to) = unsafe { (source(source_text.cast::<u8>(), length), destination(text.cast::<u8>(), capacity)) };
    mem::copy_ascii(from, to)
}

/// Copies ASCII to UTF-16.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_copy_ascii_to_utf16(
    source_text: *const c_void,
    length: usize,
    text: *mut u16,
    capacity: usize,
) -> usize {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    let (from, to) = unsafe { (source(source_text.cast::<u8>(), length), destination(text, capacity)) };
    mem::copy_ascii_to_utf16(from, to)
}

/// Copies ASCII from UTF-16.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn textcodec_copy_utf16_to_ascii(
    source_text: *const u16,
    length: usize,
    text: *mut c_void,
    capacity: usize,
) -> usize {
    // SAFETY: the caller keeps the promises of `textcodec.h`.
    let (from, to) = unsafe { (source(source_text, length), destination(text.cast::<u8>(), capacity)) };
    mem::copy_utf16_to_ascii(from, to)
}
