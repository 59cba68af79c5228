//! UTF-16 and UTF-32 without a byte order mark.

use crate::score::NAT;

/// What reading the bytes as UTF-16 costs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wide {
    /// The price of the text, in 32nds of a nat.
    pub(crate) price: i64,
    /// The code units that no text has.
    pub(crate) bad: u32,
}

/// Reads `head` as UTF-16. An odd byte at the end is ignored. Reading ends where there are more than `most_bad` code
/// units that no text has.
pub(crate) fn utf_16(head: &[u8], is_big_endian: bool, most_bad: u32) -> Wide {
    let mut wide = Wide { price: 0, bad: 0 };
    let mut leading = false;
    let mut block = 0x00;
    for pair in head.chunks_exact(2) {
        let unit =
            if is_big_endian { u16::from_be_bytes([pair[0], pair[1]]) } else { u16::from_le_bytes([pair[0], pair[1]]) };
        let is_trailing = matches!(unit, 0xDC00..=0xDFFF);
        let high = (unit >> 8) as u8;
        let change = |price: i64| if block == high { price } else { price + 3 * NAT };
        let price = match unit {
            _ if leading != is_trailing => None,
            0x0009 | 0x000A | 0x000D | 0x0020 => Some(2 * NAT),
            0x0021..=0x007E => Some(3 * NAT),
            0x00A0..=0x00FF => Some(9 * NAT / 2),
            0x0000..=0x001F | 0x007F..=0x009F => None,
            0x0100..=0x02FF | 0x1E00..=0x1EFF => Some(5 * NAT),
            0x0300..=0x06FF | 0x0900..=0x0EFF | 0x10A0..=0x10FF => Some(change(7 * NAT / 2)),
            0x2010..=0x2026 | 0x3000..=0x301F | 0xFF01..=0xFF5E => Some(5 * NAT),
            0x3040..=0x30FF => Some(change(4 * NAT)),
            0x4E00..=0x9FFF | 0xAC00..=0xD7A3 => Some(17 * NAT / 2),
            0xD800..=0xDFFF => Some(7 * NAT),
            0xE000..=0xF8FF | 0xFDD0..=0xFDEF | 0xFFF0..=0xFFFE => None,
            _ => Some(13 * NAT),
        };
        leading = matches!(unit, 0xD800..=0xDBFF);
        if high != 0x00 && high != 0x20 {
            block = high;
        }
        match price {
            Some(price) => wide.price += price,
            None => {
                wide.price += 16 * NAT;
                wide.bad += 1;
                if wide.bad > most_bad {
                    break;
                }
            }
        }
    }
    wide
}

/// Whether `head` has so many bytes of ASCII in a row that it is not UTF-16 without a byte of zero. In such a text, at
/// most a third of the code units has two bytes below 0x80.
pub(crate) fn has_words(head: &[u8]) -> bool {
    const MOST_ASCII: usize = 32;
    let is_text = |byte: u8| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~');
    let mut length = 0;
    head.iter().any(|&byte| {
        length = if is_text(byte) { length + 1 } else { 0 };
        length > MOST_ASCII
    })
}

/// Whether `head` is UTF-32 in big-endian (true) or little-endian (false) order.
pub(crate) fn utf_32(head: &[u8]) -> Option<bool> {
    [true, false].into_iter().find(|&is_big_endian| {
        let mut characters = head.chunks_exact(4).map(|bytes| {
            let bytes = [bytes[0], bytes[1], bytes[2], bytes[3]];
            if is_big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }
        });
        let is_text = |number: u32| match number {
            0x09 | 0x0A | 0x0D => true,
            ..=0x1F | 0x7F..=0x9F | 0xE000..=0xF8FF | 0xFFFE | 0xFFFF => false,
            number => char::from_u32(number).is_some(),
        };
        head.len() >= 8 && characters.all(is_text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_units_that_no_text_has_are_bad_and_reading_ends_after_the_greatest_number_of_them() {
        let bad = |units: &[u16], most: u32| {
            let bytes: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
            let swapped: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
            let wide = utf_16(&bytes, false, most);
            let of_swapped = utf_16(&swapped, true, most);
            assert_eq!((wide.price, wide.bad), (of_swapped.price, of_swapped.bad));
            wide.bad
        };
        assert_eq!(bad(&[0x61, 0xE9, 0x4E00, 0xD834, 0xDD1E, 0x0A], 9), 0);
        for unit in [0x00, 0x1F, 0x7F, 0x9F, 0xE000, 0xFDD0, 0xFFFE, 0xDC00] {
            assert_eq!(bad(&[0x61, unit, 0x61], 9), 1, "{unit:04X}");
        }
        assert_eq!(bad(&[0xD834, 0x61], 9), 1, "a leading surrogate alone");
        assert_eq!(bad(&[0; 20], 9), 10);
    }

    #[test]
    fn code_units_have_the_prices_of_their_blocks() {
        // The first unit of each run of units with one price, and this price in half nats: after a letter of ASCII, and
        // after the unit itself.
        let price = |units: [u16; 2]| utf_16(&units.map(u16::to_le_bytes).concat(), false, 9).price * 2 / NAT;
        let prices = |unit: u16| (price([0x61, unit]), price([unit, unit]));
        let mut runs: Vec<(u16, i64, i64)> = Vec::new();
        for unit in 0..=0xFFFF {
            let (first, second) = prices(unit);
            if runs.last().is_none_or(|&(_, before, other)| (before, other) != (first, second)) {
                runs.push((unit, first, second));
            }
        }
        assert_eq!(
            runs,
            [
                (0x0000, 38, 64),
                (0x0009, 10, 8),
                (0x000B, 38, 64),
                (0x000D, 10, 8),
                (0x000E, 38, 64),
                (0x0020, 10, 8),
                (0x0021, 12, 12),
                (0x007F, 38, 64),
                (0x00A0, 15, 18),
                (0x0100, 16, 20),
                (0x0300, 19, 20),
                (0x0700, 32, 52),
                (0x0900, 19, 20),
                (0x0F00, 32, 52),
                (0x10A0, 19, 20),
                (0x1100, 32, 52),
                (0x1E00, 16, 20),
                (0x1F00, 32, 52),
                (0x2010, 16, 20),
                (0x2027, 32, 52),
                (0x3000, 16, 20),
                (0x3020, 32, 52),
                (0x3040, 20, 22),
                (0x3100, 32, 52),
                (0x4E00, 23, 34),
                (0xA000, 32, 52),
                (0xAC00, 23, 34),
                (0xD7A4, 32, 52),
                (0xD800, 20, 46),
                (0xDC00, 38, 64),
                (0xF900, 32, 52),
                (0xFDD0, 38, 64),
                (0xFDF0, 32, 52),
                (0xFF01, 16, 20),
                (0xFF5F, 32, 52),
                (0xFFF0, 38, 64),
                (0xFFFF, 32, 52),
            ]
        );
    }

    #[test]
    fn more_than_32_bytes_of_ascii_in_a_row_are_words() {
        let words = |length: usize| [b"\0\xE9", &b"\tA~ \r\n".repeat(9)[..length], b"\x1F"].concat();
        assert_eq!([32, 33].map(|length| has_words(&words(length))), [false, true]);
        for byte in [0x08, 0x0B, 0x0E, 0x1F, 0x7F, 0x80] {
            assert!(!has_words(&[&words(32)[..34], &[byte], &words(32)].concat()), "{byte:02X}");
        }
    }

    #[test]
    fn utf_32_is_characters_of_texts_alone() {
        let is = |units: &[u32]| {
            let bytes = |order: fn(u32) -> [u8; 4]| units.iter().flat_map(|&unit| order(unit)).collect::<Vec<u8>>();
            let found = [utf_32(&bytes(u32::to_be_bytes)), utf_32(&bytes(u32::to_le_bytes))];
            assert!(matches!(found, [Some(true), Some(false)] | [None, None]), "{units:X?}");
            found[0].is_some()
        };
        assert!(!is(&[0x61]));
        for number in [0x09, 0x0A, 0x0D, 0x20, 0x7E, 0xA0, 0xD7FF, 0xF900, 0xFFFD, 0x1_0000, 0x10_FFFF] {
            assert!(is(&[0x61, number]), "{number:X}");
        }
        for number in [0x00, 0x08, 0x0B, 0x0C, 0x0E, 0x1F, 0x7F, 0x9F, 0xD800, 0xDFFF, 0xE000, 0xF8FF, 0xFFFE, 0xFFFF] {
            for place in 0..9 {
                let mut text = [0x61; 9];
                text[place] = number;
                assert!(!is(&text), "{number:X} at {place}");
            }
        }
        assert!(!is(&[0x61, 0x11_0000]));
    }
}
