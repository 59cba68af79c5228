//! Bytes as [x-user-defined](https://encoding.spec.whatwg.org/#x-user-defined) has them: bytes below 0x80 are ASCII, and
//! the others are U+F780 to U+F7FF, in the private use area.

use crate::level::dispatch;

/// The bits of a sign-extended byte that its code unit has, too. Sign extension of 0x80 gives 0xFF80; without bit 11
/// (0x0800) this is 0xF780, the code unit of the byte 0x80.
pub(crate) const BITS: u16 = 0xF7FF;

/// The code unit of a byte.
#[inline(always)]
#[must_use]
pub const fn code_unit(byte: u8) -> u16 {
    (byte as i8 as u16) & BITS
}

/// Writes the code units of the bytes of `source`, as many as fit, and returns their number.
#[inline]
pub fn to_utf16(source: &[u8], destination: &mut [u16]) -> usize {
    dispatch!(private_use::to_utf16(source: &[u8], destination: &mut [u16]) -> usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::at_every_level;

    #[test]
    fn every_byte_has_its_code_unit_at_every_length() {
        assert_eq!([0x00, 0x7F, 0x80, 0xFF].map(code_unit), [0x00, 0x7F, 0xF780, 0xF7FF]);
        at_every_level(|_| {
            let source: Vec<u8> = (0..=255).chain((0..=255).rev()).collect();
            for length in 0..=source.len() {
                for room in [length / 2, length, length + 3] {
                    let source = &source[source.len() - length..];
                    let mut units = vec![0; room];
                    let written = to_utf16(source, &mut units);
                    assert_eq!(written, length.min(room));
                    assert!(units[..written].iter().zip(source).all(|(&unit, &byte)| unit == code_unit(byte)));
                }
            }
        });
    }
}
