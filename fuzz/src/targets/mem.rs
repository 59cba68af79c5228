//! The functions of `textcodec::mem` return what the functions of the standard library return, at every alignment and
//! for every size of the destination, and a second call goes on where the first one has stopped.

use std::borrow::Cow;

use textcodec::mem;

use crate::{Input, exact};

/// Checks what holds for an input.
///
/// # Panics
/// If it does not hold.
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let (skipped, space) = (usize::from(input.byte() % 32), usize::from(input.short()) % 700);
    let block = exact(input.rest(), skipped);
    let bytes = &block[skipped..];
    let units: Vec<u16> = bytes.chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]])).collect();
    let units: Box<[u16]> = [&vec![0xD800; skipped / 2][..], &units].concat().into();
    let units = &units[skipped / 2..];
    check_lengths(bytes, units);
    check_utf8_to_utf16(bytes, space);
    check_utf16_to_utf8(units, space);
    check_latin1(bytes, units, space);
    check_ascii(bytes, units, space);
}

/// The length of the prefix of items with this property.
fn up_to<T: Copy>(items: &[T], has: impl Fn(T) -> bool) -> usize {
    items.iter().position(|&item| !has(item)).unwrap_or(items.len())
}

fn check_lengths(bytes: &[u8], units: &[u16]) {
    assert_eq!(mem::ascii_up_to(bytes), up_to(bytes, |byte| byte < 0x80));
    assert_eq!(mem::is_ascii(bytes), bytes.is_ascii());
    assert_eq!(
        mem::iso_2022_jp_ascii_up_to(bytes),
        up_to(bytes, |byte| byte < 0x80 && !matches!(byte, 0x0E | 0x0F | 0x1B))
    );
    let valid = std::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len);
    assert_eq!(mem::utf8_valid_up_to(bytes), valid);
    let text = std::str::from_utf8(&bytes[..valid]).expect("this part is UTF-8");
    let latin1 = text.char_indices().find(|(_, character)| *character > '\u{FF}').map_or(valid, |(place, _)| place);
    assert_eq!(mem::utf8_latin1_up_to(bytes), latin1);
    assert_eq!(mem::is_utf8_latin1(bytes), latin1 == bytes.len());
    assert_eq!(mem::utf16_ascii_up_to(units), up_to(units, |unit| unit < 0x80));
    assert_eq!(mem::utf16_latin1_up_to(units), up_to(units, |unit| unit < 0x100));
    assert_eq!(mem::is_utf16_ascii(units), units.iter().all(|&unit| unit < 0x80));
    assert_eq!(mem::is_utf16_latin1(units), units.iter().all(|&unit| unit < 0x100));
    let mut valid = 0;
    for character in char::decode_utf16(units.iter().copied()) {
        let Ok(character) = character else { break };
        valid += character.len_utf16();
    }
    assert_eq!(mem::utf16_valid_up_to(units), valid);
    let mut replaced = units.to_vec();
    mem::ensure_utf16_validity(&mut replaced);
    assert_eq!(replaced, String::from_utf16_lossy(units).encode_utf16().collect::<Vec<_>>());
}

fn check_utf8_to_utf16(bytes: &[u8], space: usize) {
    let expected: Vec<u16> = String::from_utf8_lossy(bytes).encode_utf16().collect();
    let mut text = vec![0xDEAD; space].into_boxed_slice();
    let (read, written) = mem::utf8_to_utf16(bytes, &mut text);
    assert_eq!(text[..written], expected[..written]);
    let mut rest = vec![0; bytes.len() - read].into_boxed_slice();
    let (read_later, written_later) = mem::utf8_to_utf16(&bytes[read..], &mut rest);
    assert_eq!((read + read_later, &rest[..written_later]), (bytes.len(), &expected[written..]));
    // The next character has two code units at most.
    assert!(written == expected.len() || written + 2 > space, "{written} of {space}");
    if let Ok(string) = std::str::from_utf8(bytes) {
        assert_eq!(mem::str_to_utf16(string, &mut text), (read, written));
        assert_eq!(text[..written], expected[..written]);
    }
}

fn check_utf16_to_utf8(units: &[u16], space: usize) {
    let expected = String::from_utf16_lossy(units);
    let mut bytes = vec![0xAA; space].into_boxed_slice();
    let (read, written) = mem::utf16_to_utf8(units, &mut bytes);
    assert_eq!(bytes[..written], expected.as_bytes()[..written]);
    let mut rest = vec![0; (units.len() - read) * 3].into_boxed_slice();
    let (read_later, written_later) = mem::utf16_to_utf8(&units[read..], &mut rest);
    assert_eq!((read + read_later, &rest[..written_later]), (units.len(), &expected.as_bytes()[written..]));
    assert!(written == expected.len() || written + 4 > space, "{written} of {space}");
    let mut string = "ä".repeat(space / 2);
    let (read, written) = mem::utf16_to_str(units, &mut string);
    assert_eq!(string[..written], expected[..written]);
    assert!(std::str::from_utf8(string.as_bytes()).is_ok());
    assert_eq!(String::from_utf16_lossy(&units[read..]), expected[written..]);
}

fn check_latin1(bytes: &[u8], units: &[u16], space: usize) {
    let expected: String = bytes.iter().copied().map(char::from).collect();
    let mut text = vec![0xAA; space].into_boxed_slice();
    let (read, written) = mem::latin1_to_utf8(bytes, &mut text);
    assert_eq!(text[..written], expected.as_bytes()[..written]);
    assert_eq!(expected[..written].chars().count(), read);
    assert!(read == bytes.len() || written + 2 > space, "{written} of {space}");
    let mut string = "☃".repeat(space / 3);
    let (read, written) = mem::latin1_to_str(bytes, &mut string);
    assert_eq!((&string[..written], expected[..written].chars().count()), (&expected[..written], read));
    assert!(std::str::from_utf8(string.as_bytes()).is_ok());
    let borrows = matches!(mem::decode_latin1(bytes), Cow::Borrowed(_));
    assert_eq!((mem::decode_latin1(bytes), borrows), (Cow::from(&expected), bytes.is_ascii()));

    let mut wide = vec![0xDEAD; space].into_boxed_slice();
    let length = bytes.len().min(space);
    assert_eq!(mem::latin1_to_utf16(bytes, &mut wide), (length, length));
    assert!(wide[..length].iter().zip(bytes).all(|(unit, byte)| *unit == u16::from(*byte)));

    let mut narrow = vec![0xAA; space].into_boxed_slice();
    let prefix = std::str::from_utf8(&bytes[..mem::utf8_latin1_up_to(bytes)]).expect("the prefix is UTF-8");
    let characters: Vec<u8> = prefix.chars().take(space).map(|character| character as u8).collect();
    let (read, written) = mem::utf8_to_latin1(bytes, &mut narrow);
    assert_eq!((&narrow[..written], prefix[..read].chars().count()), (&characters[..], written));
    if let Ok(string) = std::str::from_utf8(bytes) {
        assert_eq!(mem::encode_latin1(string).is_some(), prefix.len() == bytes.len());
    }
    let length = up_to(units, |unit| unit < 0x100).min(space);
    assert_eq!(mem::utf16_to_latin1(units, &mut narrow), (length, length));
    assert!(narrow[..length].iter().zip(units).all(|(byte, unit)| u16::from(*byte) == *unit));
}

fn check_ascii(bytes: &[u8], units: &[u16], space: usize) {
    let (mut narrow, mut wide) = (vec![0xAA; space].into_boxed_slice(), vec![0xDEAD; space].into_boxed_slice());
    let length = up_to(bytes, |byte| byte < 0x80).min(space);
    assert_eq!(mem::copy_ascii(bytes, &mut narrow), length);
    assert_eq!(narrow[..length], bytes[..length]);
    assert_eq!(mem::copy_ascii_to_utf16(bytes, &mut wide), length);
    assert!(wide[..length].iter().zip(bytes).all(|(unit, byte)| *unit == u16::from(*byte)));
    let length = up_to(units, |unit| unit < 0x80).min(space);
    assert_eq!(mem::copy_utf16_to_ascii(units, &mut narrow), length);
    assert!(narrow[..length].iter().zip(units).all(|(byte, unit)| u16::from(*byte) == *unit));
}
