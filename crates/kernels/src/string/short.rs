//! Text of a few units, without a level. A call of a kernel takes 2 to 7 ns before it looks at the first unit, because
//! it asks for the level of the processor and prepares masks. The functions of this module need no preparation
//! (figures: `cargo bench --bench mem -- --every`).
//!
//! Checks and conversions of ASCII look at two blocks of a fixed length that may overlap: the first units and the last
//! units. So a text of 9 units is two blocks of 8 units, and no unit needs a loop of its own. The conversions of other
//! characters go from one character to the next. All conversions write whole characters and nothing after them.

#[cfg(vectors = "x86_64")]
use crate::level::{Level, level};

/// The greatest length, in units, of text that is looked at in two blocks.
pub const LONGEST: usize = 64;

/// Whether UTF-16 is so short that it is converted to UTF-8 one character after the other. With AVX-512, four letters
/// take 8 to 10 ns, and 13 ns in the kernel; with AVX2, the kernel begins to be faster at its vectors of 16 code units
/// (Zen 5, Russian).
#[inline(always)]
#[must_use]
pub fn has_few_units(utf16: &[u16]) -> bool {
    utf16.len() <= 4 || utf16.len() < 16 && !has_masks()
}

/// The same for Latin-1. With AVX-512, eight letters take 13 ns, as in the kernel; where half are ASCII, they take 7 ns
/// (Zen 5, bytes of Russian, French).
#[inline(always)]
#[must_use]
pub fn has_few_bytes(latin1: &[u8]) -> bool {
    latin1.len() <= 8 || latin1.len() < 16 && !has_masks()
}

/// Whether UTF-8 is so short that it is converted one character after the other. With AVX-512, 8 bytes of characters of
/// two bytes take as long as in the kernel, 11 ns, and so do 16 bytes of characters of three bytes. With AVX2, 32 bytes
/// take less than in the kernel (Zen 5, Russian, Thai).
#[inline(always)]
#[must_use]
pub fn has_few_characters(utf8: &[u8]) -> bool {
    let longest = if let [0xE0..=0xFF, ..] = utf8 { 16 } else { 8 };
    utf8.len() <= longest || utf8.len() <= 32 && !has_masks()
}

/// Whether the kernels convert a few units under a mask: at the level of AVX-512.
#[inline(always)]
fn has_masks() -> bool {
    #[cfg(vectors = "x86_64")]
    return level() == Level::Avx512;
    #[cfg(not(vectors = "x86_64"))]
    false
}

/// The places of all units of a text of `length` units, from one to four. The places are the same for two lengths, as
/// far as the length permits, so that no branch depends on the length.
#[inline(always)]
fn places(length: usize) -> [usize; 4] {
    [0, (length - 1) / 2, length / 2, length - 1]
}

/// Whether `is` is true of a unit of `text`; `None` if the text is longer than [`LONGEST`].
#[inline(always)]
pub fn any<T: Copy>(text: &[T], is: impl Fn(T) -> bool + Copy) -> Option<bool> {
    #[inline(always)]
    fn either<T: Copy, const N: usize>(text: &[T], is: impl Fn(T) -> bool + Copy) -> Option<bool> {
        let (first, last) = (text.first_chunk::<N>()?, text.last_chunk::<N>()?);
        // No comparison ends the loop, so that the compiler uses vectors.
        Some(first.iter().zip(last).fold(false, |any, (&a, &b)| any | is(a) | is(b)))
    }
    match text.len() {
        0 => Some(false),
        1..=4 => Some(places(text.len()).iter().fold(false, |any, &place| any | is(text[place]))),
        5..=8 => either::<T, 4>(text, is),
        9..=16 => either::<T, 8>(text, is),
        17..=32 => either::<T, 16>(text, is),
        33..=LONGEST => either::<T, 32>(text, is),
        _ => None,
    }
}

/// Whether `is` is true of one of the first 16 units of `text`. A long text that has such a unit mostly has one there.
#[inline(always)]
pub fn any_at_first<T: Copy>(text: &[T], is: impl Fn(T) -> bool + Copy) -> bool {
    text.first_chunk::<16>().is_some_and(|first| first.iter().fold(false, |any, &unit| any | is(unit)))
}

/// Copies ASCII to code units if it is short and fits, and returns its length. Otherwise nothing is written.
#[inline(always)]
pub fn widen_ascii(text: &[u8], to: &mut [u16]) -> Option<usize> {
    if let [0x80..=u8::MAX, ..] = text {
        return None;
    }
    convert_ascii(text, to, |byte| byte < 0x80, u16::from, widen_blocks)
}

/// Copies ASCII to bytes if it is short and fits, and returns its length. Otherwise nothing is written.
#[inline(always)]
pub fn narrow_ascii(text: &[u16], to: &mut [u8]) -> Option<usize> {
    convert_ascii(text, to, |unit| unit < 0x80, |unit| unit as u8, narrow_blocks)
}

/// Copies ASCII if it is short and fits, and returns its length. Otherwise nothing is written.
#[inline(always)]
pub fn copy_ascii(text: &[u8], to: &mut [u8]) -> Option<usize> {
    convert_ascii(text, to, |byte| byte < 0x80, |byte| byte, copy_blocks)
}

/// Copies bytes to code units if they are few and fit. Returns whether that is so; otherwise nothing is written.
#[inline(always)]
pub fn widen(text: &[u8], to: &mut [u16]) -> bool {
    to.get_mut(..text.len()).is_some_and(|to| in_blocks(text, to, u16::from))
}

/// Copies the lower bytes of code units if they are few and fit. Returns whether that is so; otherwise nothing is
/// written.
#[inline(always)]
pub fn narrow(text: &[u16], to: &mut [u8]) -> bool {
    to.get_mut(..text.len()).is_some_and(|to| in_blocks(text, to, |unit| unit as u8))
}

/// Writes `convert` of each unit of `text` to the front of `to`, if the text is short, `is_ascii` is true of all units,
/// and `to` has the space. `convert_blocks` does it for more than four units.
#[inline(always)]
fn convert_ascii<T: Copy, U: Copy>(
    text: &[T],
    to: &mut [U],
    is_ascii: impl Fn(T) -> bool + Copy,
    convert: impl Fn(T) -> U + Copy,
    convert_blocks: fn(&[T], &mut [U]) -> usize,
) -> Option<usize> {
    let length = text.len();
    let to = to.get_mut(..length)?;
    if let 1..=4 = length {
        let places = places(length);
        let units = places.map(|place| text[place]);
        if units.iter().any(|&unit| !is_ascii(unit)) {
            return None;
        }
        places.iter().zip(units).for_each(|(&place, unit)| to[place] = convert(unit));
        return Some(length);
    }
    if any(text, |unit| !is_ascii(unit))? { None } else { Some(convert_blocks(text, to)) }
}

/// Converts all units of `text`, and returns its length. Not inlined: the compiler would load each unit once for the
/// test of [`convert_ascii`] and for the conversion, and then use no vectors for either.
#[inline(never)]
fn widen_blocks(text: &[u8], to: &mut [u16]) -> usize {
    in_blocks(text, to, u16::from);
    text.len()
}

/// As [`widen_blocks`].
#[inline(never)]
fn narrow_blocks(text: &[u16], to: &mut [u8]) -> usize {
    in_blocks(text, to, |unit| unit as u8);
    text.len()
}

/// As [`widen_blocks`].
#[inline(never)]
fn copy_blocks(text: &[u8], to: &mut [u8]) -> usize {
    in_blocks(text, to, |byte| byte);
    text.len()
}

/// Writes `convert` of each unit of `text` to `to`, which has the same length. Returns whether the text is short;
/// otherwise nothing is written.
#[inline(always)]
fn in_blocks<T: Copy, U: Copy>(text: &[T], to: &mut [U], convert: impl Fn(T) -> U + Copy) -> bool {
    #[inline(always)]
    fn both<T: Copy, U: Copy, const N: usize>(text: &[T], to: &mut [U], convert: impl Fn(T) -> U + Copy) -> bool {
        if let (Some(to), Some(first)) = (to.first_chunk_mut::<N>(), text.first_chunk::<N>()) {
            to.iter_mut().zip(first).for_each(|(to, &unit)| *to = convert(unit));
        }
        if let (Some(to), Some(last)) = (to.last_chunk_mut::<N>(), text.last_chunk::<N>()) {
            to.iter_mut().zip(last).for_each(|(to, &unit)| *to = convert(unit));
        }
        true
    }
    match text.len() {
        0 => true,
        1..=4 => {
            for place in places(text.len()) {
                if let (Some(to), Some(&unit)) = (to.get_mut(place), text.get(place)) {
                    *to = convert(unit);
                }
            }
            true
        }
        5..=8 => both::<T, U, 4>(text, to, convert),
        9..=16 => both::<T, U, 8>(text, to, convert),
        17..=32 => both::<T, U, 16>(text, to, convert),
        33..=LONGEST => both::<T, U, 32>(text, to, convert),
        _ => false,
    }
}

/// Writes `bytes` at `written`. Returns whether they fit.
#[inline(always)]
fn write<const N: usize>(to: &mut [u8], written: &mut usize, bytes: [u8; N]) -> bool {
    let Some(space) = to.get_mut(*written..*written + N) else { return false };
    space.copy_from_slice(&bytes);
    *written += N;
    true
}

/// The byte of UTF-8 after the first one that has the bits of `code_point` from `shift` on.
#[inline(always)]
fn continuation(code_point: u32, shift: u32) -> u8 {
    (0x80 | code_point >> shift & 0x3F) as u8
}

/// Converts as much UTF-16 to UTF-8 as fits, with U+FFFD for each unpaired surrogate. Returns `(read, written)`.
#[inline(always)]
pub fn utf16_to_utf8(text: &[u16], to: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let Some(&unit) = text.get(read) {
        let mut code_point = u32::from(unit);
        let fits = match unit {
            0..0x80 => write(to, &mut written, [unit as u8]),
            0x80..0x800 => write(to, &mut written, [(0xC0 | code_point >> 6) as u8, continuation(code_point, 0)]),
            _ => {
                if let 0xD800..=0xDFFF = unit {
                    let next = char::decode_utf16(text[read..].iter().copied().take(2)).next();
                    code_point = next.and_then(Result::ok).map_or(0xFFFD, u32::from);
                }
                if code_point > 0xFFFF {
                    let first = (0xF0 | code_point >> 18) as u8;
                    let rest = [12, 6, 0].map(|shift| continuation(code_point, shift));
                    let fits = write(to, &mut written, [first, rest[0], rest[1], rest[2]]);
                    // The trailing surrogate.
                    read += usize::from(fits);
                    fits
                } else {
                    let first = (0xE0 | code_point >> 12) as u8;
                    write(to, &mut written, [first, continuation(code_point, 6), continuation(code_point, 0)])
                }
            }
        };
        if !fits {
            break;
        }
        read += 1;
    }
    (read, written)
}

/// Converts as much Latin-1 to UTF-8 as fits. Returns `(read, written)`.
#[inline(always)]
pub fn latin1_to_utf8(text: &[u8], to: &mut [u8]) -> (usize, usize) {
    let mut written = 0;
    for (read, &byte) in text.iter().enumerate() {
        let fits = if byte < 0x80 {
            write(to, &mut written, [byte])
        } else {
            write(to, &mut written, [0xC0 | byte >> 6, continuation(byte.into(), 0)])
        };
        if !fits {
            return (read, written);
        }
    }
    (text.len(), written)
}

/// Converts UTF-8 to UTF-16. Stops before a malformed sequence and before a sequence of four bytes. Returns
/// `(read, written)`.
#[inline(always)]
pub fn utf8_to_utf16(text: &[u8], to: &mut [u16]) -> (usize, usize) {
    let is_continuation = |byte: u8| byte & 0xC0 == 0x80;
    let bits = |byte: u8| u16::from(byte & 0x3F);
    let (mut read, mut written) = (0, 0);
    while let Some(&a) = text.get(read) {
        let first = u16::from(a);
        // The operators evaluate both sides, so that a character has one branch for all that can be wrong with it.
        let (unit, length, is_valid) = if a < 0x80 {
            (first, 1, true)
        } else {
            let Some(&b) = text.get(read + 1) else { break };
            if a < 0xE0 {
                ((first & 0x1F) << 6 | bits(b), 2, (a >= 0xC2) & is_continuation(b))
            } else {
                let Some(&c) = text.get(read + 2) else { break };
                let unit = first << 12 | bits(b) << 6 | bits(c);
                // Sequences of four bytes are rare. Three bytes are malformed if two would do, or if they are a
                // surrogate.
                let is_valid = (a < 0xF0) & is_continuation(b) & is_continuation(c);
                (unit, 3, is_valid & (unit >= 0x0800) & (unit & 0xF800 != 0xD800))
            }
        };
        let Some(space) = to.get_mut(written) else { break };
        if !is_valid {
            break;
        }
        *space = unit;
        (read, written) = (read + length, written + 1);
    }
    (read, written)
}

/// Converts as much of a string to UTF-16 as fits. Returns the number of code units written.
#[inline(always)]
pub fn str_to_utf16(text: &str, to: &mut [u16]) -> usize {
    let mut written = 0;
    for character in text.chars() {
        if let Ok(unit) = u16::try_from(u32::from(character)) {
            let Some(space) = to.get_mut(written) else { break };
            *space = unit;
            written += 1;
        } else {
            let Some(space) = to.get_mut(written..written + 2) else { break };
            character.encode_utf16(space);
            written += 2;
        }
    }
    written
}

/// Converts UTF-8 of code points up to U+00FF to Latin-1. Stops before a malformed sequence and before another code
/// point. Returns `(read, written)`.
#[inline(always)]
pub fn utf8_to_latin1(text: &[u8], to: &mut [u8]) -> (usize, usize) {
    let (mut rest, mut written) = (text, 0);
    loop {
        let (byte, after) = match rest {
            [a @ 0x00..=0x7F, rest @ ..] => (*a, rest),
            [a @ 0xC2..=0xC3, b @ 0x80..=0xBF, rest @ ..] => (a << 6 | b & 0x3F, rest),
            _ => break,
        };
        let Some(space) = to.get_mut(written) else { break };
        *space = byte;
        written += 1;
        rest = after;
    }
    (text.len() - rest.len(), written)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every length, with a unit that is not ASCII at each place, and destinations that are too short.
    #[test]
    fn ascii_of_every_length_is_found_and_copied() {
        for length in 0..=LONGEST + 1 {
            let is_short = length <= LONGEST;
            let (bytes, units): (Vec<u8>, Vec<u16>) = (0..length).map(|at| (at as u8 + 1, at as u16 + 1)).unzip();
            assert_eq!(any(&bytes, |byte| byte >= 0x80), is_short.then_some(false));
            let (mut to_bytes, mut to_units) = (vec![0; length + 1], vec![0; length + 1]);
            assert_eq!(widen_ascii(&bytes, &mut to_units), is_short.then_some(length));
            assert_eq!(narrow_ascii(&units, &mut to_bytes), is_short.then_some(length));
            assert!(!is_short || to_units == [&units[..], &[0]].concat() && to_bytes == [&bytes[..], &[0]].concat());
            to_bytes.fill(0);
            assert_eq!(copy_ascii(&bytes, &mut to_bytes), is_short.then_some(length));
            assert!(!is_short || to_bytes == [&bytes[..], &[0]].concat());
            for at in 0..length {
                let (mut bytes, mut units) = (bytes.clone(), units.clone());
                (bytes[at], units[at]) = (0x80, 0x1080);
                let (mut to_bytes, mut to_units) = (vec![0; length + 1], vec![0; length + 1]);
                assert_eq!(any(&bytes, |byte| byte >= 0x80), is_short.then_some(true));
                assert_eq!(any_at_first(&bytes, |byte| byte >= 0x80), length >= 16 && at < 16);
                assert_eq!(widen_ascii(&bytes, &mut to_units), None);
                assert_eq!(narrow_ascii(&units, &mut to_bytes), None);
                assert_eq!(copy_ascii(&bytes, &mut to_bytes), None);
                assert!(to_units.iter().all(|&unit| unit == 0) && to_bytes.iter().all(|&byte| byte == 0));
                assert_eq!((widen(&bytes, &mut to_units), narrow(&units, &mut to_bytes)), (is_short, is_short));
                assert!(!is_short || to_bytes == [&bytes[..], &[0]].concat());
                assert!(!is_short || to_units.iter().zip(&bytes).all(|(&unit, &byte)| unit == byte.into()));
            }
            if let Some(shorter) = length.checked_sub(1) {
                assert_eq!(widen_ascii(&bytes, &mut to_units[..shorter]), None);
                assert_eq!(narrow_ascii(&units, &mut to_bytes[..shorter]), None);
                assert!(!widen(&bytes, &mut to_units[..shorter]) && !narrow(&units, &mut to_bytes[..shorter]));
            }
        }
    }

    /// Characters at both ends of the ranges of each length, before and after others, into destinations of every
    /// length.
    #[test]
    fn characters_are_converted_as_far_as_they_fit() {
        for text in ["\0\u{7F}\u{80}", "\u{7FF}\u{800}a", "\u{D7FF}\u{E000}", "\u{FFFF}\u{10000}\u{10FFFF}", "aéĀ"] {
            let units: Vec<u16> = text.encode_utf16().collect();
            for room in 0..12 {
                let fitting = |length: fn(char) -> usize| {
                    let mut left = room;
                    let fits = |character: &char| {
                        let fits = length(*character) <= left;
                        left = left.saturating_sub(if fits { length(*character) } else { left });
                        fits
                    };
                    text.chars().take_while(fits).collect::<String>()
                };
                let (in_utf8, in_utf16) = (fitting(char::len_utf8), fitting(char::len_utf16));
                let (mut to_bytes, mut to_units) = (vec![0xAA; room], vec![0xAAAA; room]);
                let done = utf16_to_utf8(&units, &mut to_bytes);
                assert_eq!(done, (in_utf8.encode_utf16().count(), in_utf8.len()), "{text:?} into {room}");
                assert_eq!(to_bytes[..done.1], *in_utf8.as_bytes());
                assert!(to_bytes[done.1..].iter().all(|&byte| byte == 0xAA));
                let written = str_to_utf16(text, &mut to_units);
                assert_eq!(to_units[..written], in_utf16.encode_utf16().collect::<Vec<_>>());
                let of_one_unit = in_utf16.find(|character| character > '\u{FFFF}').unwrap_or(in_utf16.len());
                let expected = (of_one_unit, in_utf16[..of_one_unit].encode_utf16().count());
                assert_eq!(utf8_to_utf16(text.as_bytes(), &mut to_units), expected, "{text:?} into {room}");
            }
        }
    }

    #[test]
    fn unpaired_surrogates_are_replaced_and_malformed_utf8_is_not_read() {
        let mut bytes = [0; 12];
        assert_eq!(utf16_to_utf8(&[0xDC00, 0xD800, 0x61, 0xD800], &mut bytes), (4, 10));
        assert_eq!(bytes[..10], *"\u{FFFD}\u{FFFD}a\u{FFFD}".as_bytes());
        let malformed: [&[u8]; 11] = [
            b"\x80",
            b"\xC1\xBF",
            b"\xC2",
            b"\xC2a",
            b"\xE0\x9F\xBF",
            b"\xE1\x80",
            b"\xE1\x80a",
            b"\xE1a\x80",
            b"\xED\xA0\x80",
            b"\xF0\x90\x80\x80",
            b"\xFF\x80\x80",
        ];
        for sequence in malformed {
            let text = [b"a", sequence].concat();
            assert_eq!(utf8_to_utf16(&text, &mut [0; 9]), (1, 1), "{sequence:X?}");
        }
    }

    #[test]
    fn latin1_of_all_bytes_survives_both_directions() {
        let latin1: Vec<u8> = (0..=255).collect();
        let text: String = latin1.iter().copied().map(char::from).collect();
        for room in 0..=text.len() {
            let mut utf8 = vec![0xAA; room];
            let (read, written) = latin1_to_utf8(&latin1, &mut utf8);
            assert!(room - written <= 1 && utf8[..written] == text.as_bytes()[..written]);
            assert!(utf8[written..].iter().all(|&byte| byte == 0xAA));
            let mut back = vec![0; read];
            assert_eq!(utf8_to_latin1(&utf8[..written], &mut back), (written, read));
            assert_eq!(back, latin1[..read]);
        }
        assert_eq!(utf8_to_latin1("aĀ".as_bytes(), &mut [0; 3]), (1, 1));
    }

    #[test]
    fn latin1_of_any_two_bytes_ends_before_what_is_malformed_or_above() {
        for number in 0..=u16::MAX {
            let bytes = number.to_be_bytes();
            let well_formed = bytes.utf8_chunks().next().unwrap().valid();
            let expected: Vec<u8> = well_formed.chars().map_while(|character| u8::try_from(character).ok()).collect();
            let mut latin1 = [0; 2];
            let (read, written) = utf8_to_latin1(&bytes, &mut latin1);
            let length: usize = expected.iter().map(|byte| 1 + usize::from(*byte >= 0x80)).sum();
            assert_eq!((read, &latin1[..written]), (length, &expected[..]), "{bytes:02X?}");
        }
    }
}
