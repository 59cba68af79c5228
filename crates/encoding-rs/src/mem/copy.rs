//! Copies of the longest prefix that is ASCII.

use textcodec_kernels::ascii;

use super::{assert_length, short};

/// Copies the longest prefix of `src` that is ASCII, and returns its length in bytes.
///
/// # Panics
/// If `dst` is shorter than `src`.
#[inline]
pub fn copy_ascii_to_ascii(src: &[u8], dst: &mut [u8]) -> usize {
    assert_length(dst.len(), src.len(), 1);
    if let [0x80..=u8::MAX, ..] = src {
        return 0;
    }
    if short::any(src, |byte| byte >= 0x80) == Some(false) && short::map(src, dst, |byte| byte) {
        return src.len();
    }
    ascii::copy(src, dst)
}

/// Copies the longest prefix of `src` that is ASCII to code units, and returns its length.
///
/// # Panics
/// If `dst` is shorter than `src`.
#[inline]
pub fn copy_ascii_to_basic_latin(src: &[u8], dst: &mut [u16]) -> usize {
    assert_length(dst.len(), src.len(), 1);
    if let [0x80..=u8::MAX, ..] = src {
        return 0;
    }
    if short::any(src, |byte| byte >= 0x80) == Some(false) && short::map(src, dst, u16::from) {
        return src.len();
    }
    ascii::widen(src, dst)
}

/// Copies the longest prefix of `src` that is ASCII to bytes, and returns its length.
///
/// # Panics
/// If `dst` is shorter than `src`.
#[inline]
pub fn copy_basic_latin_to_ascii(src: &[u16], dst: &mut [u8]) -> usize {
    assert_length(dst.len(), src.len(), 1);
    if let [0x80..=u16::MAX, ..] = src {
        return 0;
    }
    if short::any(src, |unit| unit >= 0x80) == Some(false) && short::map(src, dst, |unit| unit as u8) {
        return src.len();
    }
    ascii::narrow(src, dst)
}
