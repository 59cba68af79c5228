//! Text of a few units. A call of a kernel takes 2 to 7 ns before it looks at the first unit, because it asks for the
//! level of the processor and prepares masks. The functions of this module need no preparation (figures:
//! `cargo bench --bench mem -- --every`).
//!
//! Checks look at two blocks of a fixed length that may overlap: the first units and the last units. So a text of 9
//! units is two blocks of 8 units, and no unit needs a loop of its own. Conversions go from one character to the next.
//! They write whole characters, nothing after them, and return `(read, written)`; they stop before a character that
//! does not fit.

/// The greatest length, in units, of text that is short.
pub(super) const LONGEST: usize = 16;

/// Whether `is` is true of a unit of `text`; `None` if the text is not short.
#[inline]
pub(super) fn any<T: Copy>(text: &[T], is: impl Fn(T) -> bool + Copy) -> Option<bool> {
    #[inline(always)]
    fn either<T: Copy, const N: usize>(text: &[T], is: impl Fn(T) -> bool + Copy) -> Option<bool> {
        let (first, last) = (text.first_chunk::<N>()?, text.last_chunk::<N>()?);
        // No comparison ends the loop, so that the compiler uses vectors.
        Some(first.iter().zip(last).fold(false, |any, (&a, &b)| any | is(a) | is(b)))
    }
    match *text {
        [] => Some(false),
        [a] => Some(is(a)),
        [a, b] => Some(is(a) | is(b)),
        [a, b, c] => Some(is(a) | is(b) | is(c)),
        _ if text.len() < 8 => either::<T, 4>(text, is),
        _ if text.len() <= LONGEST => either::<T, 8>(text, is),
        _ => None,
    }
}

/// The number of units before the first one of which `is` is true; `None` if the text is not short.
#[inline]
pub(super) fn up_to<T: Copy>(text: &[T], is: impl Fn(T) -> bool + Copy) -> Option<usize> {
    Some(if any(text, is)? { text.iter().position(|&unit| is(unit))? } else { text.len() })
}

/// Writes `convert` of each unit of `text` to the front of `to`. Returns whether the text is short and `to` has the
/// space; otherwise nothing is written.
#[inline]
pub(super) fn map<T: Copy, U: Copy>(text: &[T], to: &mut [U], convert: impl Fn(T) -> U + Copy) -> bool {
    #[inline(always)]
    fn both<T: Copy, U: Copy, const N: usize>(text: &[T], to: &mut [U], convert: impl Fn(T) -> U + Copy) -> bool {
        let (Some(first), Some(last)) = (text.first_chunk::<N>(), text.last_chunk::<N>()) else { return false };
        let (first, last) = (first.map(convert), last.map(convert));
        if let Some(to) = to.first_chunk_mut() {
            *to = first;
        }
        if let Some(to) = to.last_chunk_mut() {
            *to = last;
        }
        true
    }
    let Some(to) = to.get_mut(..text.len()) else { return false };
    match text.len() {
        0..4 => {
            to.iter_mut().zip(text).for_each(|(unit, &from)| *unit = convert(from));
            true
        }
        4..8 => both::<T, U, 4>(text, to, convert),
        8..=LONGEST => both::<T, U, 8>(text, to, convert),
        _ => false,
    }
}

/// Whether two neighbours in `text`, which has 9 to 33 bytes, make `is` true. `None` if the text has another length.
#[inline]
pub(super) fn any_pair(text: &[u8], is: impl Fn(u8, u8) -> bool + Copy) -> Option<bool> {
    #[inline(always)]
    fn either<const N: usize>(text: &[u8], is: impl Fn(u8, u8) -> bool + Copy) -> Option<bool> {
        let [_, without_first @ ..] = text else { return None };
        let [without_last @ .., _] = text else { return None };
        let (a, b) = (without_last.first_chunk::<N>()?, without_first.first_chunk::<N>()?);
        let (c, d) = (without_last.last_chunk::<N>()?, without_first.last_chunk::<N>()?);
        let pairs = a.iter().zip(b).zip(c.iter().zip(d));
        Some(pairs.fold(false, |any, ((&a, &b), (&c, &d))| any | is(a, b) | is(c, d)))
    }
    match text.len() {
        9..=17 => either::<8>(text, is),
        18..=33 => either::<16>(text, is),
        _ => None,
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

/// Converts UTF-16 to UTF-8, with U+FFFD for each unpaired surrogate.
#[inline]
pub(super) fn utf16_to_utf8(text: &[u16], to: &mut [u8]) -> (usize, usize) {
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

/// Converts Latin-1 to UTF-8.
#[inline]
pub(super) fn latin1_to_utf8(text: &[u8], to: &mut [u8]) -> (usize, usize) {
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

/// Converts UTF-8 to UTF-16. Stops before a malformed sequence.
#[inline]
pub(super) fn utf8_to_utf16(text: &[u8], to: &mut [u16]) -> (usize, usize) {
    let bits = |byte: u8| u32::from(byte & 0x3F);
    let (mut rest, mut written) = (text, 0);
    loop {
        let (code_point, after) = match rest {
            [a @ 0x00..=0x7F, rest @ ..] => (u32::from(*a), rest),
            [a @ 0xC2..=0xDF, b @ 0x80..=0xBF, rest @ ..] => ((u32::from(*a) & 0x1F) << 6 | bits(*b), rest),
            [a @ 0xE1..=0xEC | a @ 0xEE..=0xEF, b @ 0x80..=0xBF, c @ 0x80..=0xBF, rest @ ..]
            | [a @ 0xE0, b @ 0xA0..=0xBF, c @ 0x80..=0xBF, rest @ ..]
            | [a @ 0xED, b @ 0x80..=0x9F, c @ 0x80..=0xBF, rest @ ..] => {
                ((u32::from(*a) & 0x0F) << 12 | bits(*b) << 6 | bits(*c), rest)
            }
            // Four bytes are rare. Malformed sequences are for the caller.
            _ => break,
        };
        let Some(unit) = to.get_mut(written) else { break };
        *unit = code_point as u16;
        written += 1;
        rest = after;
    }
    (text.len() - rest.len(), written)
}

/// Converts UTF-8 of code points up to U+00FF to Latin-1. Stops before a malformed sequence and before another code point.
#[inline]
pub(super) fn utf8_to_latin1(text: &[u8], to: &mut [u8]) -> (usize, usize) {
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

/// The length of the longest prefix that is UTF-8 of code points up to U+00FF.
#[inline]
pub(super) fn latin1_up_to(text: &[u8]) -> usize {
    if any(text, |byte| byte >= 0x80) == Some(false) {
        return text.len();
    }
    let mut rest = text;
    while let [0x00..=0x7F, after @ ..] | [0xC2..=0xC3, 0x80..=0xBF, after @ ..] = rest {
        rest = after;
    }
    text.len() - rest.len()
}
