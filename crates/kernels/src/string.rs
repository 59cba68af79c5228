//! Writing into a [`String`] in place.

use alloc::{string::String, vec::Vec};

/// Appends to `string` what `fill` writes: it is handed `room` bytes and returns how many of them, from the front, are
/// UTF-8 now. Returns that number.
///
/// # Panics
/// If those bytes are not UTF-8, or more than `room`; `string` is then as it was before.
pub fn append(string: &mut String, room: usize, fill: impl FnOnce(&mut [u8]) -> usize) -> usize {
    let length = string.len();
    // SAFETY: the vector is only reached through `Appending`, which cuts it back to `valid` bytes when this function ends,
    // by unwinding too. `valid` is the old length, at which a `str` ended, or, checked, the end of UTF-8 behind that.
    let bytes = unsafe { string.as_mut_vec() };
    let mut appending = Appending { bytes, valid: length };
    appending.bytes.resize(length + room, 0);
    let written = fill(&mut appending.bytes[length..]);
    let text = &appending.bytes[length..length + written];
    assert!(core::str::from_utf8(text).is_ok(), "what was written is not UTF-8");
    appending.valid = length + written;
    written
}

/// The bytes of a string, of which only the first `valid` are known to be UTF-8.
struct Appending<'a> {
    bytes: &'a mut Vec<u8>,
    valid: usize,
}

impl Drop for Appending<'_> {
    fn drop(&mut self) {
        self.bytes.truncate(self.valid);
    }
}

#[cfg(test)]
mod tests {
    use super::append;
    use std::panic::{AssertUnwindSafe, catch_unwind};

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
}
