//! UTF-16: validating code units, reading them from bytes, and converting them to UTF-8.

#[cfg(vectors = "x86_64")]
pub(crate) mod avx2;
#[cfg(vectors = "x86_64")]
pub(crate) mod avx512;
pub(crate) mod from_utf8;
pub(crate) mod scalar;
#[cfg(vectors = "v128")]
pub(crate) mod v128;

use core::mem::MaybeUninit;

use crate::{
    base::{
        blocks::{skip, skip_mut, up_to},
        uninit::initialised,
    },
    level::{dispatch, return_vectors},
    utf8::malformed::{Convert, alternately},
};

/// The length in code units of the longest prefix of `source` without an unpaired surrogate.
#[inline]
#[must_use]
pub fn valid_up_to(source: &[u16]) -> usize {
    dispatch!(valid_up_to(source: &[u16]) -> usize)
}

/// Replaces every unpaired surrogate of `text` with U+FFFD.
pub fn ensure_validity(text: &mut [u16]) {
    let mut start = 0;
    loop {
        start += valid_up_to(skip(text, start));
        match text.get_mut(start) {
            Some(unit) => *unit = 0xFFFD,
            None => return,
        }
    }
}

/// Converts the well-formed prefix of `source` to UTF-8. Returns `(read, written)`.
#[inline]
pub fn to_utf8(source: &[u16], destination: &mut [u8]) -> (usize, usize) {
    dispatch!(to_utf8(source: &[u16], destination: &mut [u8]) -> (usize, usize))
}

/// Byte-swaps each of `units`.
#[inline]
pub(crate) fn swap_bytes(units: &mut [u16]) {
    dispatch!(swap_bytes(units: &mut [u16]) -> ());
}

/// The number of bytes of the UTF-8 for `source`, which is well-formed. For malformed UTF-16 the number is unspecified.
#[inline]
#[must_use]
pub fn utf8_length(source: &[u16]) -> usize {
    return_vectors!(utf8_length(source));
    scalar::utf8_length(source)
}

/// Reads the well-formed prefix of UTF-16BE, as much as fits, and returns the number of code units.
#[inline]
pub fn from_be_bytes(source: &[u8], destination: &mut [u16]) -> usize {
    from_bytes(source, destination, 8)
}

/// Reads the well-formed prefix of UTF-16LE, as much as fits, and returns the number of code units.
#[inline]
pub fn from_le_bytes(source: &[u8], destination: &mut [u16]) -> usize {
    from_bytes(source, destination, 0)
}

/// Reads UTF-16LE if `rotation` is 0, and UTF-16BE if `rotation` is 8: each 16-bit value is rotated by `rotation` bits.
/// Both byte orders share one body.
#[inline]
fn from_bytes(source: &[u8], destination: &mut [u16], rotation: u16) -> usize {
    dispatch!(from_bytes(source: &[u8], destination: &mut [u16], rotation: u16) -> usize)
}

/// Converts the well-formed prefix of UTF-16BE to UTF-8. Returns `(read, written)`, both in bytes.
#[inline]
pub fn be_bytes_to_utf8(source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    bytes_to_utf8(source, destination, 8)
}

/// Converts the well-formed prefix of UTF-16LE to UTF-8. Returns `(read, written)`, both in bytes.
#[inline]
pub fn le_bytes_to_utf8(source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    bytes_to_utf8(source, destination, 0)
}

/// Converts UTF-16LE if `rotation` is 0, and UTF-16BE if `rotation` is 8, as [`from_bytes`] reads them.
#[inline]
fn bytes_to_utf8(source: &[u8], destination: &mut [u8], rotation: u16) -> (usize, usize) {
    dispatch!(bytes_to_utf8(source: &[u8], destination: &mut [u8], rotation: u16) -> (usize, usize))
}

/// As [`bytes_to_utf8`], for levels whose `to_utf8` takes nothing but code units: in place if they are aligned, and
/// otherwise by way of a block.
pub(crate) fn bytes_to_utf8_by_units(source: &[u8], destination: &mut [u8], rotation: u16) -> (usize, usize) {
    match as_units(source) {
        Some(units) if rotation == 0 => {
            let (read, written) = to_utf8(units, destination);
            (2 * read, written)
        }
        _ => by_blocks(scalar::units, source, destination, rotation),
    }
}

/// The bytes as code units without a copy. `None` if this machine has the other byte order, or the address is odd.
fn as_units(source: &[u8]) -> Option<&[u16]> {
    let from = source.as_ptr().cast::<u16>();
    // SAFETY: `from` is aligned by the check before. The slice has at least `2 * (source.len() / 2)` bytes, and every
    // two bytes are a `u16`.
    (cfg!(target_endian = "little") && from.is_aligned())
        .then(|| unsafe { core::slice::from_raw_parts(from, source.len() / 2) })
}

/// The bytes as code units of this machine, if the first byte is aligned for a code unit. A last odd byte is left out.
pub(crate) fn as_units_mut(bytes: &mut [u8]) -> Option<&mut [u16]> {
    let start = bytes.as_mut_ptr().cast::<u16>();
    // SAFETY: `is_aligned` has checked the alignment. `len / 2` code units of two bytes each lie inside the slice,
    // which is borrowed exclusively for as long as the result; any two initialized bytes are a `u16`, and any `u16` is
    // two bytes.
    start.is_aligned().then(|| unsafe { core::slice::from_raw_parts_mut(start, bytes.len() / 2) })
}

/// Reads UTF-16BE, with U+FFFD in place of each unpaired surrogate, as much as fits. A leading surrogate at the very
/// end is left unread, because the next bytes may complete it. Returns the number of code units.
pub fn from_be_bytes_replacing(source: &[u8], destination: &mut [u16]) -> usize {
    from_bytes_replacing(source, destination, 8)
}

/// As [`from_be_bytes_replacing`], for UTF-16LE.
pub fn from_le_bytes_replacing(source: &[u8], destination: &mut [u16]) -> usize {
    from_bytes_replacing(source, destination, 0)
}

/// The number of bytes that are converted without a kernel after an error.
const BYTES_AFTER_ERROR: usize = 256;

/// Reads well-formed UTF-16 with the kernel, and [`BYTES_AFTER_ERROR`] bytes at each error without it.
fn from_bytes_replacing(source: &[u8], destination: &mut [u16], rotation: u16) -> usize {
    let mut done = 0;
    loop {
        done += from_bytes(skip(source, 2 * done), skip_mut(destination, done), rotation);
        let piece = up_to(skip(source, 2 * done), BYTES_AFTER_ERROR);
        let count = crate::utf8::malformed::utf16_from_bytes(piece, skip_mut(destination, done), rotation.into());
        if count == 0 {
            return done;
        }
        done += count;
    }
}

/// Converts UTF-16BE to UTF-8, with U+FFFD in place of each unpaired surrogate. Returns `(read, written)`, both in
/// bytes.
pub fn be_bytes_to_utf8_replacing(source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    alternately(source, destination, &be_bytes_to_utf8, &|source, destination| {
        by_blocks(from_bytes_replacing, up_to(source, BYTES_AFTER_ERROR), destination, 8)
    })
}

/// As [`be_bytes_to_utf8_replacing`], for UTF-16LE.
pub fn le_bytes_to_utf8_replacing(source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    alternately(source, destination, &le_bytes_to_utf8, &|source, destination| {
        by_blocks(from_bytes_replacing, up_to(source, BYTES_AFTER_ERROR), destination, 0)
    })
}

/// Decodes to UTF-8 with a function that decodes to UTF-16. The code units go through a block that stays in the
/// first-level cache. Ends when `to_utf16` fills at most half of the block. Returns `(read, written)`.
#[inline(never)]
pub(crate) fn by_way_of(source: &[u8], destination: &mut [u8], to_utf16: &Convert<'_, u16>) -> (usize, usize) {
    let mut memory = [MaybeUninit::uninit(); 128];
    let block = initialised(&mut memory);
    let (mut read, mut written) = (0, 0);
    loop {
        // A code unit becomes at most three bytes.
        let room = block.len().min((destination.len() - written) / 3);
        let (bytes, units) = to_utf16(skip(source, read), &mut block[..room]);
        read += bytes;
        written += to_utf8(up_to(block, units), skip_mut(destination, written)).1;
        if units <= block.len() / 2 {
            return (read, written);
        }
    }
}

/// A function that reads UTF-16 from bytes, as much as fits, and returns the number of code units. Each 16-bit value is
/// rotated by the last argument.
type FromBytes = fn(&[u8], &mut [u16], u16) -> usize;

/// Converts UTF-16 from bytes to UTF-8, up to the first unpaired surrogate. The code units go through a block that
/// stays in the first-level cache.
#[inline(never)]
fn by_blocks(from_bytes: FromBytes, source: &[u8], destination: &mut [u8], rotation: u16) -> (usize, usize) {
    let mut memory = [MaybeUninit::uninit(); 1024];
    let length = memory.len().min(source.len() / 2);
    let block = initialised(&mut memory[..length]);
    let (mut read, mut written) = (0, 0);
    // The first round is short, because the next error may be near. Each round is twice as long as the one before.
    let mut limit = length.min(64);
    while read < source.len() {
        let units = from_bytes(skip(source, read), block.get_mut(..limit).unwrap_or_default(), rotation);
        let (more_read, more_written) = to_utf8(up_to(block, units), skip_mut(destination, written));
        (read, written) = (read + 2 * more_read, written + more_written);
        if more_read == 0 {
            break;
        }
        limit = block.len().min(2 * limit);
    }
    (read, written)
}

/// The leading and the trailing surrogate of a code point from U+10000 to U+10FFFF, the inverse of
/// [`scalar_value_from_surrogates`](https://encoding.spec.whatwg.org/#scalar-value-from-surrogates).
#[inline(always)]
#[must_use]
pub const fn surrogates(code_point: u32) -> [u16; 2] {
    [0xD7C0 + (code_point >> 10) as u16, 0xDC00 | (code_point & 0x3FF) as u16]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::at_every_level;

    #[test]
    fn every_scalar_value_becomes_its_utf8() {
        at_every_level(|_| {
            let text: String = ('\0'..=char::MAX).collect();
            let units: Vec<u16> = text.encode_utf16().collect();
            assert_eq!((valid_up_to(&units), utf8_length(&units)), (units.len(), text.len()));
            let mut destination = vec![0; text.len()];
            assert_eq!(to_utf8(&units, &mut destination), (units.len(), text.len()));
            assert!(destination == text.as_bytes());
        });
    }

    #[test]
    fn stops_before_an_unpaired_surrogate_and_repairs_it() {
        at_every_level(|_| {
            let significant = [0x41, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000];
            for number in 0..significant.len().pow(5) {
                let text: Vec<u16> = (0..5).map(|place| significant[number / 7usize.pow(place) % 7]).collect();
                let mut valid = 0;
                for character in char::decode_utf16(text.iter().copied()) {
                    let Ok(character) = character else { break };
                    valid += character.len_utf16();
                }
                assert_eq!(valid_up_to(&text), valid, "{text:04X?}");
                assert_eq!(to_utf8(&text, &mut [0; 20]).0, valid, "{text:04X?}");
                let bytes: Vec<u8> = text.iter().flat_map(|unit| unit.to_be_bytes()).collect();
                let mut destination = [0; 5];
                assert_eq!(from_be_bytes(&bytes, &mut destination), valid, "{text:04X?}");
                assert_eq!(destination[..valid], text[..valid]);

                for length in 0..=5 {
                    let text = &text[..length];
                    let length = length - usize::from(matches!(text, [.., 0xD800..=0xDBFF]));
                    let expected: Vec<u16> = String::from_utf16_lossy(&text[..length]).encode_utf16().collect();
                    let mut destination = [0; 6];
                    assert_eq!(
                        from_be_bytes_replacing(&bytes[..2 * text.len()], &mut destination),
                        length,
                        "{text:04X?}"
                    );
                    assert_eq!(destination[..length], expected, "{text:04X?}");
                }

                let mut repaired = text.clone();
                ensure_validity(&mut repaired);
                assert_eq!(String::from_utf16(&repaired).unwrap(), String::from_utf16_lossy(&text));
            }
        });
    }

    #[test]
    fn destinations_of_every_length_get_whole_characters() {
        at_every_level(|_| {
            let text = "aé€\u{1F4A9}".repeat(12);
            let units: Vec<u16> = text.encode_utf16().collect();
            for room in 0..=text.len() + 2 {
                let mut destination = vec![0; room];
                let (read, written) = to_utf8(&units, &mut destination);
                assert_eq!(&destination[..written], &text.as_bytes()[..written]);
                assert_eq!(utf8_length(&units[..read]), written);
                assert!(read == units.len() || room - written < 4);
            }
        });
    }

    /// Up to eight units of each length of UTF-8 and both kinds of surrogates, in every order, into destinations with as
    /// much space as they take, a byte less, and more. A leading surrogate at the end also gets its pair.
    #[test]
    fn few_units_in_every_order_become_their_utf8() {
        const KINDS: [u16; 5] = [0x61, 0x7FF, 0x800, 0xD83D, 0xDCA9];
        at_every_level(|_| {
            let (mut units, mut text, mut destination) = (Vec::new(), String::new(), [0; 40]);
            // Numbers in which each digit is 1 to 5, so that there is one for each text.
            for number in 0..(KINDS.len().pow(9) - 1) / 4 {
                for paired in [false, true] {
                    units.clear();
                    let mut rest = number;
                    while rest > 0 {
                        units.push(KINDS[(rest - 1) % 5]);
                        rest = (rest - 1) / 5;
                    }
                    if paired && units.last() != Some(&0xD83D) {
                        continue;
                    }
                    units.extend(paired.then_some(0xDCA9));
                    let bytes: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
                    text.clear();
                    text.extend(char::decode_utf16(units.iter().copied()).map_while(Result::ok));
                    let read = text.encode_utf16().count();
                    for room in [text.len(), 40] {
                        let to = &mut destination[..room];
                        assert_eq!(to_utf8(&units, to), (read, text.len()), "{units:04X?} into {room}");
                        assert_eq!(to[..text.len()], *text.as_bytes(), "{units:04X?}");
                        to.fill(0);
                        assert_eq!(be_bytes_to_utf8(&bytes, to), (2 * read, text.len()), "{units:04X?} into {room}");
                        assert_eq!(to[..text.len()], *text.as_bytes(), "{units:04X?}");
                    }
                    if let Some(last) = text.pop() {
                        let room = text.len() + last.len_utf8() - 1;
                        let expected = (read - last.len_utf16(), text.len());
                        assert_eq!(to_utf8(&units, &mut destination[..room]), expected, "{units:04X?} into {room}");
                        assert_eq!(destination[..text.len()], *text.as_bytes(), "{units:04X?}");
                    }
                }
            }
        });
    }

    #[test]
    fn both_byte_orders_with_surrogate_pairs_across_blocks() {
        at_every_level(|_| {
            for length in [0, 1, 2, 3, 2047, 2048, 2049, 4095, 4097, 6000] {
                for shift in 0..2 {
                    let mut text = vec![0x41u16; shift];
                    text.extend([0xD83D, 0xDCA9].into_iter().cycle().take(length));
                    let little: Vec<u8> = text.iter().flat_map(|unit| unit.to_le_bytes()).collect();
                    let big: Vec<u8> = text.iter().flat_map(|unit| unit.to_be_bytes()).collect();
                    let expected = text.len() - length % 2;
                    for room in [text.len(), text.len() + 1, text.len() / 2, text.len().saturating_sub(1)] {
                        let (mut from_little, mut from_big) = (vec![0; room], vec![0; room]);
                        let valid = from_le_bytes(&little, &mut from_little);
                        assert_eq!(from_be_bytes(&big, &mut from_big), valid);
                        assert_eq!(from_little, from_big);
                        assert_eq!(from_little[..valid], text[..valid]);
                        assert!(
                            valid == expected || (room < expected && valid + 1 >= room),
                            "{valid} of {length} into {room}"
                        );
                    }
                }
            }
        });
    }
}
