//! `mem` gives what the standard library gives, for texts of many lengths and for destinations of every length.

use std::borrow::Cow;

use textcodec::mem::*;

/// Texts of ASCII, Latin-1, and all of Unicode, of up to 67 characters.
fn texts() -> Vec<String> {
    let mut texts = Vec::new();
    for pattern in
        ["a", "é", "aé", "aaaaaaaé", "ab\u{80}c", "ÿ漢", "aaaaaaaaaaaaaaaaaaaaa☃", "é𝄞", "\u{FFFF}a", "a\u{1B}"]
    {
        for length in (0..20).chain([31, 32, 33, 64, 67]) {
            texts.push(pattern.chars().cycle().take(length).collect());
        }
    }
    texts
}

fn units(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

/// The longest prefix of `text` whose units fit into `space`, as the number of units of the source and of the
/// destination.
fn fitting(text: &str, space: usize, from: fn(char) -> usize, to: fn(char) -> usize) -> (usize, usize) {
    let mut done = (0, 0);
    for character in text.chars() {
        if done.1 + to(character) > space {
            break;
        }
        done = (done.0 + from(character), done.1 + to(character));
    }
    done
}

#[test]
fn prefixes_end_before_the_first_unit_of_another_kind() {
    for text in texts() {
        let (bytes, wide) = (text.as_bytes(), units(&text));
        let ascii = bytes.iter().take_while(|byte| byte.is_ascii()).count();
        let latin1 = text.char_indices().find(|(_, character)| *character > 'ÿ').map_or(text.len(), |(at, _)| at);
        let wide_ascii = wide.iter().take_while(|&&unit| unit < 0x80).count();
        let wide_latin1 = wide.iter().take_while(|&&unit| unit < 0x100).count();
        let unshifted = bytes.iter().take_while(|&&byte| byte < 0x80 && ![0x0E, 0x0F, 0x1B].contains(&byte)).count();
        assert_eq!((ascii_up_to(bytes), is_ascii(bytes)), (ascii, ascii == bytes.len()), "{text}");
        assert_eq!((utf8_latin1_up_to(bytes), is_utf8_latin1(bytes)), (latin1, latin1 == bytes.len()), "{text}");
        assert_eq!((utf16_ascii_up_to(&wide), is_utf16_ascii(&wide)), (wide_ascii, wide_ascii == wide.len()), "{text}");
        let expected = (wide_latin1, wide_latin1 == wide.len());
        assert_eq!((utf16_latin1_up_to(&wide), is_utf16_latin1(&wide)), expected, "{text}");
        assert_eq!(iso_2022_jp_ascii_up_to(bytes), unshifted, "{text}");
        assert_eq!((utf8_valid_up_to(bytes), utf16_valid_up_to(&wide)), (bytes.len(), wide.len()), "{text}");
        for cut in 0..bytes.len() {
            let valid = std::str::from_utf8(&bytes[cut..]).map_or_else(|error| error.valid_up_to(), str::len);
            assert_eq!(utf8_valid_up_to(&bytes[cut..]), valid, "{text} from {cut}");
        }
        for cut in 0..wide.len() {
            let mut broken = wide.clone();
            broken[cut] = 0xDC00;
            let repaired: Vec<u16> = units(&String::from_utf16_lossy(&broken));
            let valid = broken.iter().zip(&repaired).take_while(|(one, other)| one == other).count();
            assert_eq!(utf16_valid_up_to(&broken), valid, "{text} with a surrogate at {cut}");
            ensure_utf16_validity(&mut broken);
            assert_eq!(broken, repaired, "{text} with a surrogate at {cut}");
        }
    }
}

#[test]
fn conversions_fill_destinations_of_every_length() {
    for text in texts() {
        let (bytes, wide) = (text.as_bytes(), units(&text));
        for space in 0..=3 * text.len().min(40) + 1 {
            let expected = fitting(&text, space, char::len_utf8, char::len_utf16);
            let mut into = vec![0; space];
            assert_eq!(utf8_to_utf16(bytes, &mut into), expected, "{text} into {space}");
            assert_eq!(into[..expected.1], wide[..expected.1]);
            let mut into = vec![0; space];
            assert_eq!(str_to_utf16(&text, &mut into), expected, "{text} into {space}");
            assert_eq!(into[..expected.1], wide[..expected.1]);

            let expected = fitting(&text, space, char::len_utf16, char::len_utf8);
            let mut into = vec![0; space];
            assert_eq!(utf16_to_utf8(&wide, &mut into), expected, "{text} into {space}");
            assert_eq!(into[..expected.1], bytes[..expected.1]);
            let mut into = "x".repeat(space);
            assert_eq!(utf16_to_str(&wide, &mut into), expected, "{text} into {space}");
            assert_eq!(&into[..expected.1], &text[..expected.1]);

            let ascii = ascii_up_to(bytes).min(space);
            let (mut narrow, mut widened, mut copied) = (vec![0; space], vec![0; space], vec![0; space]);
            assert_eq!(copy_ascii(bytes, &mut copied), ascii);
            assert_eq!(copy_ascii_to_utf16(bytes, &mut widened), ascii);
            assert_eq!(copy_utf16_to_ascii(&wide, &mut narrow), ascii);
            assert!(copied[..ascii] == bytes[..ascii] && widened[..ascii] == wide[..ascii]);
            assert_eq!(narrow[..ascii], bytes[..ascii]);
        }
    }
}

#[test]
fn latin1_is_the_first_256_code_points() {
    for text in texts() {
        let latin1: Vec<u8> = text.chars().map_while(|character| u8::try_from(character).ok()).collect();
        let prefix: String = latin1.iter().copied().map(char::from).collect();
        for space in 0..=2 * latin1.len() + 1 {
            let expected = fitting(&prefix, space, |_| 1, char::len_utf8);
            let mut into = vec![0; space];
            assert_eq!(latin1_to_utf8(&latin1, &mut into), expected, "{text} into {space}");
            assert_eq!(into[..expected.1], prefix.as_bytes()[..expected.1]);
            let mut into = "x".repeat(space);
            assert_eq!(latin1_to_str(&latin1, &mut into), expected, "{text} into {space}");
            assert_eq!(&into[..expected.1], &prefix[..expected.1]);
            let length = latin1.len().min(space);
            let mut into = vec![0; space];
            assert_eq!(latin1_to_utf16(&latin1, &mut into), (length, length), "{text} into {space}");
            assert_eq!(into[..length], units(&prefix)[..length]);
            let mut into = vec![0; space];
            assert_eq!(utf16_to_latin1(&units(&text), &mut into), (length, length), "{text} into {space}");
            assert_eq!(into[..length], latin1[..length]);
            let expected = fitting(&prefix, space, char::len_utf8, |_| 1);
            let mut into = vec![0; space];
            assert_eq!(utf8_to_latin1(text.as_bytes(), &mut into), expected, "{text} into {space}");
            assert_eq!(into[..length], latin1[..length]);
        }
        assert_eq!(decode_latin1(&latin1), prefix);
        assert_eq!(matches!(decode_latin1(&latin1), Cow::Borrowed(_)), latin1.is_ascii());
        let encoded = encode_latin1(&text);
        assert_eq!(encoded.as_deref(), (prefix == text).then_some(&*latin1), "{text}");
        assert_eq!(matches!(encoded, Some(Cow::Borrowed(_))), text.is_ascii());
    }
}
