//! Decoding of encodings with one and two bytes for each character, without vector instructions.

use super::tables::{ALONE, DoubleByte, NULL};
use crate::four_bytes::{Range, pointer};
use crate::{ascii::scalar as ascii, base::*};

/// Decodes a source that is ASCII, pairs of the table and sequences of four bytes in the range `four_bytes`, which may
/// be [`Range::NONE`], to UTF-16, and returns how many code units were written. If there is anything else in `source`,
/// or if `destination` is too short, the result is `None`, and another function has to decode the whole source. For
/// fewer than [`FEW_BYTES`](crate::double_byte::FEW_BYTES) bytes this is the fastest function.
///
/// In an encoding with a range, the second byte of a pair is never a digit, and its code units take three bytes of
/// UTF-8.
///
/// `state` has the bytes of a sequence that has begun, the first one as the lowest byte, or is 0. The bytes of a
/// sequence that the end of `source` cuts off are put into it if `destination` has space for another character. With
/// `None`, `state` stays as it was.
#[inline(always)]
pub fn few_to_utf16(
    encoding: &DoubleByte<'_>,
    four_bytes: &Range,
    state: &mut u64,
    source: &[u8],
    destination: &mut [u16],
) -> Option<usize> {
    decode_few(encoding, four_bytes, state, source, destination, |character, room| {
        let unit = match character {
            Few::Ascii(byte) => byte.into(),
            Few::Listed(unit) | Few::OfFour(unit) => unit,
        };
        let place = room.first_mut()?;
        (!is_missing(unit)).then(|| {
            *place = unit;
            1
        })
    })
}

/// As [`few_to_utf16`], to UTF-8. `destination` must have space for four bytes wherever a character begins.
#[inline(always)]
pub fn few_to_utf8(
    encoding: &DoubleByte<'_>,
    four_bytes: &Range,
    state: &mut u64,
    source: &[u8],
    destination: &mut [u8],
) -> Option<usize> {
    decode_few(encoding, four_bytes, state, source, destination, |character, room| {
        let place: &mut [u8; 4] = room.first_chunk_mut()?;
        match character {
            Few::Ascii(byte) => {
                place[0] = byte;
                Some(1)
            }
            Few::Listed(unit) => put_listed(unit, place),
            Few::OfFour(unit) => {
                put_three_bytes(unit, place);
                Some(3)
            }
        }
    })
}

/// A character that [`decode_few`] finds.
enum Few {
    Ascii(u8),
    /// An entry of the table, which may be [`NULL`] or a surrogate.
    Listed(u16),
    /// A code unit of the range of sequences of four bytes.
    OfFour(u16),
}

/// The body of [`few_to_utf16`] and [`few_to_utf8`]. `put` writes a character to the front of a slice, and returns its
/// length; `None` if there is no space, or for [`NULL`] and surrogates.
///
/// No table has a pair with a digit. So a pair is looked up first, and only one that is in no table is examined for a
/// digit, with which a sequence of four bytes goes on. Examined first, all pairs would take 1.05 times as long.
#[inline(always)]
fn decode_few<T>(
    encoding: &DoubleByte<'_>,
    four_bytes: &Range,
    state: &mut u64,
    source: &[u8],
    destination: &mut [T],
    put: impl Fn(Few, &mut [T]) -> Option<usize>,
) -> Option<usize> {
    let (mut bytes, mut begun, mut written) = (source.iter(), *state, 0);
    'all: loop {
        if begun <= 0xFF {
            let mut first = begun as u8;
            // Pairs and ASCII, up to a sequence of four bytes.
            begun = loop {
                if first == 0x00 {
                    let Some(&byte) = bytes.next() else {
                        *state = 0;
                        return Some(written);
                    };
                    if byte.is_ascii() {
                        written += put(Few::Ascii(byte), destination.get_mut(written..)?)?;
                        continue;
                    }
                    first = byte;
                }
                let Some(&trailing) = bytes.next() else {
                    begun = first.into();
                    break 'all;
                };
                match put(Few::Listed(encoding.listed(first, trailing)), destination.get_mut(written..)?) {
                    Some(length) => written += length,
                    None if four_bytes.length != 0 && trailing.is_ascii_digit() => {
                        break u16::from_le_bytes([first, trailing]).into();
                    }
                    None => return None,
                }
                first = 0x00;
            };
        }
        if begun <= 0xFFFF {
            let Some(&third) = bytes.next() else { break };
            if !matches!(third, 0x81..=0xFE) {
                return None;
            }
            begun |= u64::from(third) << 16;
        }
        let Some(&fourth) = bytes.next() else { break };
        let sequence = begun as u32 | u32::from(fourth) << 24;
        let unit = four_bytes.unit(pointer(&sequence.to_le_bytes())?)?;
        written += put(Few::OfFour(unit), destination.get_mut(written..)?)?;
        begun = 0;
    }
    // The end cuts off a sequence.
    if encoding.rows()[(begun & 0x7F) as usize] == ALONE || written == destination.len() {
        return None;
    }
    *state = begun;
    Some(written)
}

/// Writes the UTF-8 of an entry of the table, two or three bytes, and returns its length; `None` if the entry is
/// [`NULL`] or a surrogate. Always stores four bytes.
#[inline(always)]
fn put_listed(unit: u16, place: &mut [u8; 4]) -> Option<usize> {
    if is_three_bytes(unit) {
        put_three_bytes(unit, place);
        Some(3)
    } else if unit < 0x800 {
        put_two_bytes(unit, place);
        Some(2)
    } else {
        None
    }
}

/// Decodes one character after the other; see [`crate::double_byte::to_utf16`].
pub(crate) fn to_utf16(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    loop {
        // A single ASCII byte between two pairs, mostly a space, is not worth a call.
        if let ([byte @ 0x00..=0x7F, 0x80..=0xFF, ..], [room, ..]) =
            (after(source, read), after_mut(destination, written))
        {
            *room = (*byte).into();
            (read, written) = (read + 1, written + 1);
        } else if source.get(read).is_some_and(u8::is_ascii) {
            let run = ascii::widen(skip(source, read), skip_mut(destination, written));
            (read, written) = (read + run, written + run);
        }
        // Characters that are not ASCII, until the next ASCII byte.
        while let (Some(&byte @ 0x80..), Some(room)) = (source.get(read), destination.get_mut(written)) {
            let Some((unit, length)) = beyond_ascii(encoding, byte, source.get(read + 1)) else {
                return (read, written);
            };
            *room = unit;
            (read, written) = (read + usize::from(length), written + 1);
        }
        if written == destination.len() || read == source.len() {
            return (read, written);
        }
    }
}

/// The code unit of the character that starts with `byte`, and its length in bytes. `None` if the character has no
/// single code unit, or only the caller can decode it. The length is a byte so that both are returned in one register.
#[inline]
pub(crate) fn beyond_ascii(encoding: &DoubleByte<'_>, byte: u8, trailing: Option<&u8>) -> Option<(u16, u8)> {
    let unit = trailing.map_or(NULL, |&trailing| encoding.listed(byte, trailing));
    if is_missing(unit) { rare_character(encoding, byte, trailing) } else { Some((unit, 2)) }
}

/// As [`beyond_ascii`], for rare characters: a single byte, a pair that is not in the table, and in [`to_utf8`] the
/// last pair before the end of the destination. [`DoubleByte::pair`] looks into the table as well.
#[cold]
#[inline(never)]
fn rare_character(encoding: &DoubleByte<'_>, byte: u8, trailing: Option<&u8>) -> Option<(u16, u8)> {
    let (unit, length) = if encoding.rows()[usize::from(byte & 0x7F)] == ALONE {
        (encoding.singles()[usize::from(byte & 0x7F)], 1)
    } else {
        (trailing.map_or(NULL, |&trailing| encoding.pair(byte, trailing)), 2)
    };
    (!is_missing(unit)).then_some((unit, length))
}

/// Writes the UTF-8 of a code unit that is neither ASCII nor a surrogate, and returns its length, two or three. Always
/// stores four bytes.
#[inline(always)]
pub(crate) fn put_utf8(unit: u16, place: &mut [u8; 4]) -> usize {
    if unit < 0x800 {
        put_two_bytes(unit, place);
        return 2;
    }
    put_three_bytes(unit, place);
    3
}

/// Writes the UTF-8 of a code unit that takes two bytes, and two more bytes.
#[inline(always)]
fn put_two_bytes(unit: u16, place: &mut [u8; 4]) {
    let bits = u32::from(unit);
    *place = (0x80C0 | bits >> 6 | (bits << 8 & 0x3F00)).to_le_bytes();
}

/// Writes the UTF-8 of a code unit that takes three bytes, and one more byte.
#[inline(always)]
pub(crate) fn put_three_bytes(unit: u16, place: &mut [u8; 4]) {
    let bits = u32::from(unit);
    *place = (0x80_80E0 | bits >> 12 | (bits << 2 & 0x3F00) | (bits << 16 & 0x3F_0000)).to_le_bytes();
}

/// Decodes one character after the other; see [`crate::double_byte::to_utf8`].
#[inline(never)]
pub(crate) fn to_utf8(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let (length, room) = (source.len(), destination.len());
    let (mut source, mut destination) = (source, destination);
    loop {
        // Most characters are pairs of the table that take three bytes, so that a loop of their own is short.
        while let (&[first @ 0x80..=0xFF, second, ref rest @ ..], Some(place)) = (source, destination.first_chunk_mut())
        {
            let Some(length) = put_listed(encoding.listed(first, second), place) else { break };
            destination = after_mut(destination, length);
            source = rest;
        }
        let (&[byte, ref rest @ ..], [place, ..]) = (source, &mut *destination) else { break };
        if byte.is_ascii() {
            *place = byte;
            (source, destination) = (rest, after_mut(destination, 1));
            // A single ASCII byte between two pairs, mostly a space, is not worth a call.
            if source.first_chunk::<2>().is_some_and(|next| next.is_ascii()) {
                let run = ascii::copy(source, destination);
                (source, destination) = (after(source, run), after_mut(destination, run));
            }
            continue;
        }
        let Some((unit, length)) = rare_character(encoding, byte, rest.first()) else { break };
        let written = if let (0x800.., Some(place)) = (unit, destination.first_chunk_mut()) {
            *place = three_bytes(unit);
            3
        } else if let (..0x800, Some(place)) = (unit, destination.first_chunk_mut()) {
            *place = [0xC0 | (unit >> 6) as u8, continuation(unit)];
            2
        } else {
            break;
        };
        (source, destination) = (after(source, length.into()), after_mut(destination, written));
    }
    (length - source.len(), room - destination.len())
}

/// Whether a code unit of a table takes three bytes of UTF-8: at least 0x800, neither [`NULL`] nor a surrogate.
#[inline(always)]
pub(crate) fn is_three_bytes(unit: u16) -> bool {
    // One bit for each 0x800 code units. It is set for those that take fewer bytes, and for surrogates.
    0x800_0001_u32 >> (unit >> 11) & 1 == 0 && unit != NULL
}

/// The UTF-8 of a code unit from 0x800 on that is no surrogate.
#[inline(always)]
fn three_bytes(unit: u16) -> [u8; 3] {
    [0xE0 | (unit >> 12) as u8, continuation(unit >> 6), continuation(unit)]
}

/// The continuation byte of UTF-8 with the six lowest bits.
#[inline(always)]
fn continuation(bits: u16) -> u8 {
    0x80 | (bits & 0x3F) as u8
}
