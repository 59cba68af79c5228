//! Bytes that are checked to be UTF-8, as a `str`; writing into a `str` or `String` in place.

#[cfg(feature = "alloc")]
use alloc::{string::String, vec::Vec};

use crate::{ascii, utf8};
#[cfg(feature = "alloc")]
use crate::{
    blocks::{after, after_mut, up_to},
    latin1, utf16,
};

/// The longest prefix of `bytes` that is UTF-8.
#[inline]
#[must_use]
pub fn utf8_prefix(bytes: &[u8]) -> &str {
    let length = if is_few_ascii(bytes) { bytes.len() } else { utf8::valid_up_to(bytes) };
    let prefix = &bytes[..length];
    // SAFETY: that is how far the bytes are UTF-8.
    unsafe { core::str::from_utf8_unchecked(prefix) }
}

/// The longest prefix of `bytes` that is ASCII.
#[inline]
#[must_use]
pub fn ascii_prefix(bytes: &[u8]) -> &str {
    let length = if is_few_ascii(bytes) { bytes.len() } else { ascii::prefix_length(bytes) };
    let prefix = &bytes[..length];
    // SAFETY: that is how far the bytes are ASCII, which is UTF-8.
    unsafe { core::str::from_utf8_unchecked(prefix) }
}

/// Whether there are from 4 to 16 bytes, all of them ASCII. It takes longer to choose another way to find that out.
#[inline]
fn is_few_ascii(bytes: &[u8]) -> bool {
    // Some bytes are looked at twice.
    let all = if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        u64::from_ne_bytes(*first) | u64::from_ne_bytes(*last)
    } else if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        u64::from(u32::from_ne_bytes(*first) | u32::from_ne_bytes(*last))
    } else {
        return false;
    };
    bytes.len() <= 16 && all & 0x8080_8080_8080_8080 == 0
}

/// The UTF-8 of the longest prefix of `units` without an unpaired surrogate.
#[cfg(feature = "alloc")]
#[must_use]
pub fn from_utf16_prefix(units: &[u16]) -> String {
    // No unit makes more than three bytes.
    let mut bytes = zeros(3 * units.len());
    let (_, written) = utf16::to_utf8(units, &mut bytes);
    bytes.truncate(written);
    // SAFETY: the bytes are what `to_utf8` has written, which is UTF-8 at every level.
    unsafe { String::from_utf8_unchecked(bytes) }
}

/// So many zeros.
#[cfg(feature = "alloc")]
#[expect(clippy::slow_vector_initialization, reason = "if it is little, memory that comes cleared comes later")]
#[must_use]
pub fn zeros(length: usize) -> Vec<u8> {
    if length > 1024 {
        return alloc::vec![0; length];
    }
    let mut bytes = Vec::new();
    bytes.resize(length, 0);
    bytes
}

/// The UTF-8 of Latin-1.
#[cfg(feature = "alloc")]
#[must_use]
pub fn from_latin1(latin1: &[u8]) -> String {
    // A byte makes two at most.
    let mut bytes = zeros(2 * latin1.len());
    let (_, written) = latin1::to_utf8(latin1, &mut bytes);
    bytes.truncate(written);
    // SAFETY: the bytes are what `to_utf8` has written, which is UTF-8 at every level.
    unsafe { String::from_utf8_unchecked(bytes) }
}

/// Writes into `string`: `fill` is handed its bytes and returns how many of them, from the front, are UTF-8 now. Returns that
/// number. All bytes behind it become 0.
///
/// # Panics
/// If those bytes are not UTF-8, or more than there are; `string` is then all 0.
pub fn write(string: &mut str, fill: impl FnOnce(&mut [u8]) -> usize) -> usize {
    // SAFETY: the bytes are only reached through `Writing`, which makes those behind `valid` 0, which is UTF-8, when this
    // function ends, by unwinding too. Those before are checked to be UTF-8.
    let bytes = unsafe { string.as_bytes_mut() };
    let mut writing = Writing { bytes, valid: 0 };
    let written = fill(writing.bytes);
    assert!(utf8::valid_up_to(&writing.bytes[..written]) == written, "what was written is not UTF-8");
    writing.valid = written;
    written
}

/// The bytes of a `str`, of which only the first `valid` are known to be UTF-8.
struct Writing<'a> {
    bytes: &'a mut [u8],
    valid: usize,
}

impl Drop for Writing<'_> {
    fn drop(&mut self) {
        self.bytes[self.valid..].fill(0);
    }
}

/// Appends to `string` what `fill` writes: it is handed `room` bytes and returns how many of them, from the front, are
/// UTF-8 now. Returns that number.
///
/// # Panics
/// If those bytes are not UTF-8, or more than `room`; `string` is then as it was before.
#[cfg(feature = "alloc")]
pub fn append(string: &mut String, room: usize, fill: impl FnOnce(&mut [u8]) -> usize) -> usize {
    let length = string.len();
    // SAFETY: the vector is only reached through `Appending`, which cuts it back to `valid` bytes when this function ends,
    // by unwinding too. `valid` is the old length, at which a `str` ended, or, checked, the end of UTF-8 behind that.
    let bytes = unsafe { string.as_mut_vec() };
    let mut appending = Appending { bytes, valid: length };
    appending.bytes.resize(length + room, 0);
    let written = fill(after_mut(appending.bytes, length));
    let text = up_to(after(appending.bytes, length), written);
    assert!(utf8::valid_up_to(text) == written, "what was written is not UTF-8");
    appending.valid = length + written;
    written
}

/// The bytes of a string, of which only the first `valid` are known to be UTF-8.
#[cfg(feature = "alloc")]
struct Appending<'a> {
    bytes: &'a mut Vec<u8>,
    valid: usize,
}

#[cfg(feature = "alloc")]
impl Drop for Appending<'_> {
    fn drop(&mut self) {
        self.bytes.truncate(self.valid);
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::{append, ascii_prefix, from_latin1, from_utf16_prefix, utf8_prefix, write};
    use crate::level::at_every_level;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn prefixes_end_where_they_have_to() {
        at_every_level(|_| {
            let bytes = b"a\xC3\xA4\xE2\x82";
            assert_eq!((ascii_prefix(bytes), utf8_prefix(bytes)), ("a", "aä"));
        });
    }

    #[test]
    fn prefixes_of_few_bytes_end_before_the_first_that_is_not_ascii() {
        at_every_level(|_| {
            for length in 0..=20 {
                let mut bytes = vec![b'a'; length];
                assert_eq!((ascii_prefix(&bytes).len(), utf8_prefix(&bytes).len()), (length, length));
                for at in 0..length {
                    bytes[at] = 0x80;
                    assert_eq!((ascii_prefix(&bytes).len(), utf8_prefix(&bytes).len()), (at, at));
                    bytes[at] = b'a';
                }
            }
        });
    }

    #[test]
    fn every_level_makes_strings_of_valid_units() {
        at_every_level(|_| {
            let text = "aäя€\u{1F4A9}z".repeat(12);
            let units: Vec<u16> = text.encode_utf16().collect();
            for length in 0..=units.len() {
                let expected: String =
                    char::decode_utf16(units[..length].iter().copied()).map_while(Result::ok).collect();
                assert_eq!(from_utf16_prefix(&units[..length]), expected);
            }
        });
    }

    #[test]
    fn latin1_of_every_length_becomes_a_string() {
        at_every_level(|_| {
            let bytes: Vec<u8> = (0..300_u32).map(|at| (at * at / 3) as u8).collect();
            for length in 0..=bytes.len() {
                let expected: String = bytes[..length].iter().copied().map(char::from).collect();
                assert_eq!(from_latin1(&bytes[..length]), expected);
            }
        });
    }

    #[test]
    fn appends_what_was_written() {
        let mut string = String::from("ä");
        let written = append(&mut string, 9, |bytes| {
            bytes[..2].copy_from_slice("ö".as_bytes());
            2
        });
        assert_eq!((written, &*string), (2, "äö"));
    }

    #[test]
    fn the_string_is_as_before_when_filling_panics_or_writes_no_utf_8() {
        let mut string = String::from("ä");
        let fills: [fn(&mut [u8]) -> usize; 3] = [
            |bytes| {
                bytes.fill(0xFF);
                panic!("on purpose")
            },
            |bytes| {
                bytes[0] = 0xC3;
                1
            },
            |_| 10,
        ];
        for fill in fills {
            assert!(catch_unwind(AssertUnwindSafe(|| append(&mut string, 9, fill))).is_err());
            assert_eq!(string, "ä");
        }
    }

    #[test]
    fn writes_into_a_str_and_clears_the_rest() {
        let mut string = String::from("äöü€");
        let written = write(&mut string, |bytes| {
            bytes[..3].copy_from_slice("€".as_bytes());
            3
        });
        assert_eq!((written, &*string), (3, "€\0\0\0\0\0\0"));
    }

    #[test]
    fn a_str_is_cleared_when_filling_panics_or_writes_no_utf_8() {
        let fills: [fn(&mut [u8]) -> usize; 3] = [
            |bytes| {
                bytes.fill(0xFF);
                panic!("on purpose")
            },
            |bytes| {
                bytes[0] = 0xC3;
                1
            },
            |_| 5,
        ];
        for fill in fills {
            let mut string = String::from("äö");
            assert!(catch_unwind(AssertUnwindSafe(|| write(&mut string, fill))).is_err());
            assert_eq!(string, "\0\0\0\0");
        }
    }
}
