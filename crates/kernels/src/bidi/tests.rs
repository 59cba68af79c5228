//! Right-to-left code points: every level against the definition.

use super::*;
use crate::level::at_every_level;

fn is_right_to_left(character: char) -> bool {
    matches!(
        character,
        '\u{590}'..='\u{8FF}'
            | '\u{200F}'
            | '\u{202B}'
            | '\u{202E}'
            | '\u{2067}'
            | '\u{FB1D}'..='\u{FDFF}'
            | '\u{FE70}'..='\u{FEFE}'
            | '\u{10800}'..='\u{10FFF}'
            | '\u{1E800}'..='\u{1EFFF}'
    )
}

/// The long text has the character in a block of vectors, the short one does not fill a block.
#[test]
fn every_scalar_value_is_classified_in_short_and_long_texts() {
    let after = "日\u{2019}".repeat(20);
    let (mut text, mut units) = (String::new(), Vec::new());
    for character in '\0'..=char::MAX {
        let expected = is_right_to_left(character);
        for (before, after) in [("a", ""), ("a\u{2019}", &after)] {
            text.clear();
            text.extend([before, character.encode_utf8(&mut [0; 4]), after]);
            units.clear();
            units.extend(text.encode_utf16());
            at_every_level(|_| {
                assert_eq!(is_in_utf8(text.as_bytes()), expected, "U+{:04X}", u32::from(character));
                assert_eq!(is_in_utf16(&units), expected, "U+{:04X}", u32::from(character));
            });
        }
    }
}

#[test]
fn a_right_to_left_character_is_found_at_every_place() {
    at_every_level(|_| {
        for character in ["א", "\u{200F}", "\u{202E}", "\u{8FF}", "ﷺ", "\u{FEFE}", "𐤀", "\u{1EFFF}"] {
            for around in ["a", "é", "я", "日", "\u{2019}", "\u{FEFF}", "𝒳", "ก"] {
                for before in 0..80 {
                    for after in [0, 1, 2, 3, 20, 80] {
                        let text = [&around.repeat(before), character, &around.repeat(after)].concat();
                        assert!(is_in_utf8(text.as_bytes()), "{text}");
                        assert!(is_in_utf16(&text.encode_utf16().collect::<Vec<_>>()), "{text}");
                    }
                    let text = around.repeat(before);
                    assert!(!is_in_utf8(text.as_bytes()), "{text}");
                    assert!(!is_in_utf16(&text.encode_utf16().collect::<Vec<_>>()), "{text}");
                }
            }
        }
    });
}

#[test]
fn a_leading_surrogate_of_a_right_to_left_script_counts_without_its_pair() {
    at_every_level(|_| {
        for unit in 0xD800..=0xDFFF {
            let expected = matches!(unit, 0xD802..=0xD803 | 0xD83A..=0xD83B);
            assert_eq!(is_in_utf16(&[unit]), expected, "{unit:04X}");
            assert_eq!(is_in_utf16(&[unit; 100]), expected, "{unit:04X}");
        }
    });
}
