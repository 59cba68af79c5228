//! Copies of the longest prefix that is ASCII.

use textcodec_kernels::ascii;

use super::assert_length;

/// The greatest length, in units, of text that is copied one unit after the other. A kernel takes 3 ns or more (Zen 5).
const LONGEST_BY_UNITS: usize = 8;

/// Copies the longest prefix of `src` that is ASCII, and returns its length in bytes.
///
/// # Panics
/// If `dst` is shorter than `src`.
#[inline]
pub fn copy_ascii_to_ascii(src: &[u8], dst: &mut [u8]) -> usize {
    assert_length(dst.len(), src.len(), 1);
    match src {
        [0x80..=u8::MAX, ..] => 0,
        _ if src.len() <= LONGEST_BY_UNITS => by_units(src, dst, |byte| byte.is_ascii().then_some(byte)),
        _ => ascii::copy(src, dst),
    }
}

/// Copies the longest prefix of `src` that is ASCII to code units, and returns its length.
///
/// # Panics
/// If `dst` is shorter than `src`.
#[inline]
pub fn copy_ascii_to_basic_latin(src: &[u8], dst: &mut [u16]) -> usize {
    assert_length(dst.len(), src.len(), 1);
    match src {
        [0x80..=u8::MAX, ..] => 0,
        _ if src.len() <= LONGEST_BY_UNITS => by_units(src, dst, |byte| byte.is_ascii().then_some(byte.into())),
        _ => ascii::widen(src, dst),
    }
}

/// Copies the longest prefix of `src` that is ASCII to bytes, and returns its length.
///
/// # Panics
/// If `dst` is shorter than `src`.
#[inline]
pub fn copy_basic_latin_to_ascii(src: &[u16], dst: &mut [u8]) -> usize {
    assert_length(dst.len(), src.len(), 1);
    match src {
        [0x80..=u16::MAX, ..] => 0,
        _ if src.len() <= LONGEST_BY_UNITS => by_units(src, dst, |unit| (unit < 0x80).then_some(unit as u8)),
        _ => ascii::narrow(src, dst),
    }
}

/// Writes the results of `convert` to the front of `dst` until it returns `None`, and returns their number.
#[inline(always)]
fn by_units<T: Copy, U>(src: &[T], dst: &mut [U], convert: impl Fn(T) -> Option<U>) -> usize {
    let mut done = 0;
    for (to, &unit) in dst.iter_mut().zip(src) {
        let Some(converted) = convert(unit) else { break };
        *to = converted;
        done += 1;
    }
    done
}
