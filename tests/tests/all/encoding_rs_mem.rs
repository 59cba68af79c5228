//! Module `mem` of textcodec-encoding-rs beside that of encoding_rs: the same results and the same text in the
//! destinations, and panics for the same lengths.

use std::{
    borrow::Cow,
    panic::{AssertUnwindSafe, catch_unwind},
};

use encoding_rs::mem as theirs;
use quickcheck::{QuickCheck, quickcheck};
use textcodec_encoding_rs::mem as ours;
use textcodec_kernels::level::at_every_level;

/// Fills destinations before a conversion, so that a change is visible.
const FILL: u8 = 0x55;

/// Bytes that decide in which sequence of UTF-8 they are, and bounds of right-to-left ranges.
const BYTES: [u8; 26] = [
    0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9D, 0xA0, 0xA3, 0xA7, 0xAC, 0xB9, 0xBF, 0xC1, 0xC2, 0xC3, 0xC4, 0xC5, 0xD6,
    0xD7, 0xE0, 0xE2, 0xED, 0xEF, 0xF0, 0xF4,
];

/// Code units at both ends of all ranges that a function treats differently.
const UNITS: [u16; 36] = [
    0x0000, 0x0041, 0x007F, 0x0080, 0x00FF, 0x0100, 0x058F, 0x0590, 0x07FF, 0x0800, 0x08FF, 0x0900, 0x200F, 0x2019,
    0x202B, 0x202E, 0x2067, 0x2068, 0x4E00, 0xD7FF, 0xD800, 0xD802, 0xD803, 0xD83A, 0xD83D, 0xDBFF, 0xDC00, 0xDFFF,
    0xE000, 0xFB1C, 0xFB1D, 0xFDFF, 0xFE70, 0xFEFE, 0xFEFF, 0xFFFF,
];

/// Text around the units under test, so that they stand in and between the blocks of vectors.
const AROUND: [&str; 6] = ["a", "é", "я", "日", "𝒳", "a\u{2019}"];

/// Every sequence of `length` items of `alphabet`.
fn sequences<T: Copy>(alphabet: &[T], length: u32) -> impl Iterator<Item = Vec<T>> {
    let count = alphabet.len();
    (0..count.pow(length))
        .map(move |number| (0..length).map(|place| alphabet[number / count.pow(place) % count]).collect())
}

/// The class as a number, because the two types differ.
macro_rules! class {
    ($class:expr) => {
        $class as u8
    };
}

/// All functions of bytes.
fn check_bytes(bytes: &[u8]) {
    assert_eq!(ours::is_ascii(bytes), theirs::is_ascii(bytes), "{bytes:X?}");
    assert_eq!(ours::is_utf8_latin1(bytes), theirs::is_utf8_latin1(bytes), "{bytes:X?}");
    assert_eq!(ours::utf8_latin1_up_to(bytes), theirs::utf8_latin1_up_to(bytes), "{bytes:X?}");
    assert_eq!(ours::is_utf8_bidi(bytes), theirs::is_utf8_bidi(bytes), "{bytes:X?}");
    assert_eq!(
        class!(ours::check_utf8_for_latin1_and_bidi(bytes)),
        class!(theirs::check_utf8_for_latin1_and_bidi(bytes)),
        "{bytes:X?}"
    );
    same_text(
        bytes.len() + 1,
        |to| ours::convert_utf8_to_utf16(bytes, to),
        |to| theirs::convert_utf8_to_utf16(bytes, to),
    );
    // The text that was written before an error is not documented.
    let mut units = vec![0; bytes.len()];
    let result = ours::convert_utf8_to_utf16_without_replacement(bytes, &mut units);
    let mut their_units = vec![0; bytes.len()];
    assert_eq!(result, theirs::convert_utf8_to_utf16_without_replacement(bytes, &mut their_units), "{bytes:X?}");
    let written = result.unwrap_or_default();
    assert_eq!(units[..written], their_units[..written], "{bytes:X?}");

    same_text(bytes.len(), |to| ours::copy_ascii_to_ascii(bytes, to), |to| theirs::copy_ascii_to_ascii(bytes, to));
    same_text(
        bytes.len(),
        |to| ours::copy_ascii_to_basic_latin(bytes, to),
        |to| theirs::copy_ascii_to_basic_latin(bytes, to),
    );
    check_latin1(bytes);
    match str::from_utf8(bytes) {
        Ok(string) => check_str(string),
        Err(_) => assert!(ours::is_utf8_bidi(bytes), "{bytes:X?}"),
    }
}

/// All functions of bytes that are taken for Latin-1.
fn check_latin1(latin1: &[u8]) {
    let length = latin1.len();
    let mut units = vec![0; length];
    ours::convert_latin1_to_utf16(latin1, &mut units);
    let mut their_units = vec![0; length];
    theirs::convert_latin1_to_utf16(latin1, &mut their_units);
    assert_eq!(units, their_units);
    same_text(
        2 * length,
        |to| ours::convert_latin1_to_utf8(latin1, to),
        |to| theirs::convert_latin1_to_utf8(latin1, to),
    );
    same_string(
        2 * length,
        |to| (0, ours::convert_latin1_to_str(latin1, to)),
        |to| (0, theirs::convert_latin1_to_str(latin1, to)),
    );
    for space in spaces(2 * length) {
        same_prefix(
            space,
            |to| ours::convert_latin1_to_utf8_partial(latin1, to),
            |to| theirs::convert_latin1_to_utf8_partial(latin1, to),
        );
        same_string(
            space,
            |to| ours::convert_latin1_to_str_partial(latin1, to),
            |to| theirs::convert_latin1_to_str_partial(latin1, to),
        );
    }
    let (text, their_text) = (ours::decode_latin1(latin1), theirs::decode_latin1(latin1));
    assert_eq!(text, their_text);
    assert_eq!(matches!(text, Cow::Borrowed(_)), matches!(their_text, Cow::Borrowed(_)));
    same_text(
        length * 2,
        |to| ours::convert_utf8_to_latin1_lossy(text.as_bytes(), to),
        |to| theirs::convert_utf8_to_latin1_lossy(text.as_bytes(), to),
    );
    let (bytes, their_bytes) = (ours::encode_latin1_lossy(&text), theirs::encode_latin1_lossy(&text));
    assert_eq!(bytes, their_bytes);
    assert_eq!(matches!(bytes, Cow::Borrowed(_)), matches!(their_bytes, Cow::Borrowed(_)));
}

/// All functions of strings.
fn check_str(string: &str) {
    assert_eq!(ours::is_str_latin1(string), theirs::is_str_latin1(string), "{string}");
    assert_eq!(ours::str_latin1_up_to(string), theirs::str_latin1_up_to(string), "{string}");
    assert_eq!(ours::is_str_bidi(string), theirs::is_str_bidi(string), "{string}");
    assert_eq!(
        class!(ours::check_str_for_latin1_and_bidi(string)),
        class!(theirs::check_str_for_latin1_and_bidi(string)),
        "{string}"
    );
    same_text(string.len(), |to| ours::convert_str_to_utf16(string, to), |to| theirs::convert_str_to_utf16(string, to));
}

/// All functions of UTF-16.
fn check_utf16(text: &[u16]) {
    let length = text.len();
    assert_eq!(ours::is_basic_latin(text), theirs::is_basic_latin(text), "{text:X?}");
    assert_eq!(ours::is_utf16_latin1(text), theirs::is_utf16_latin1(text), "{text:X?}");
    assert_eq!(ours::is_utf16_bidi(text), theirs::is_utf16_bidi(text), "{text:X?}");
    assert_eq!(
        class!(ours::check_utf16_for_latin1_and_bidi(text)),
        class!(theirs::check_utf16_for_latin1_and_bidi(text)),
        "{text:X?}"
    );
    assert_eq!(ours::utf16_valid_up_to(text), theirs::utf16_valid_up_to(text), "{text:X?}");
    let (mut repaired, mut their_repaired) = (text.to_vec(), text.to_vec());
    ours::ensure_utf16_validity(&mut repaired);
    theirs::ensure_utf16_validity(&mut their_repaired);
    assert_eq!(repaired, their_repaired, "{text:X?}");

    same_text(3 * length, |to| ours::convert_utf16_to_utf8(text, to), |to| theirs::convert_utf16_to_utf8(text, to));
    same_string(
        3 * length,
        |to| (0, ours::convert_utf16_to_str(text, to)),
        |to| (0, theirs::convert_utf16_to_str(text, to)),
    );
    for space in spaces(3 * length) {
        // The bytes after the text are documented: they stay as they were.
        let (mut to, mut their_to) = (vec![FILL; space], vec![FILL; space]);
        assert_eq!(
            ours::convert_utf16_to_utf8_partial(text, &mut to),
            theirs::convert_utf16_to_utf8_partial(text, &mut their_to),
            "{text:X?} into {space} bytes"
        );
        assert_eq!(to, their_to, "{text:X?} into {space} bytes");
        same_string(
            space,
            |to| ours::convert_utf16_to_str_partial(text, to),
            |to| theirs::convert_utf16_to_str_partial(text, to),
        );
    }
    same_text(length, |to| ours::copy_basic_latin_to_ascii(text, to), |to| theirs::copy_basic_latin_to_ascii(text, to));
    let latin1: Vec<u16> = text.iter().map(|unit| unit & 0xFF).collect();
    let (mut bytes, mut their_bytes) = (vec![0; length], vec![0; length]);
    ours::convert_utf16_to_latin1_lossy(&latin1, &mut bytes);
    theirs::convert_utf16_to_latin1_lossy(&latin1, &mut their_bytes);
    assert_eq!(bytes, their_bytes);
    // What happens to other code units is not documented, but not the number of bytes.
    ours::convert_utf16_to_latin1_lossy(text, &mut bytes);
}

/// Lengths of destinations up to `most`: all of them for short texts, otherwise some.
fn spaces(most: usize) -> impl Iterator<Item = usize> {
    let step = if most < 40 { 1 } else { most / 16 };
    (0..=most + 1).step_by(step).chain(most.saturating_sub(5)..=most + 5)
}

/// Both functions, which return the number of units that they write, write the same into destinations of `length`
/// units.
fn same_text<T: Copy + From<u8> + PartialEq + std::fmt::Debug>(
    length: usize,
    ours: impl Fn(&mut [T]) -> usize,
    theirs: impl Fn(&mut [T]) -> usize,
) {
    same_prefix(length, |to| (0, ours(to)), |to| (0, theirs(to)));
}

/// Both functions, which return the numbers of units that they read and write, write the same into destinations of
/// `length` units.
fn same_prefix<T: Copy + From<u8> + PartialEq + std::fmt::Debug>(
    length: usize,
    ours: impl Fn(&mut [T]) -> (usize, usize),
    theirs: impl Fn(&mut [T]) -> (usize, usize),
) {
    let (mut to, mut their_to) = (vec![T::from(FILL); length], vec![T::from(FILL); length]);
    let result = ours(&mut to);
    assert_eq!(result, theirs(&mut their_to), "into {length} units");
    assert_eq!(to[..result.1], their_to[..result.1], "into {length} units");
}

/// Both functions write the same into strings of `length` bytes or a little more, which stay UTF-8.
fn same_string(length: usize, ours: impl Fn(&mut str) -> (usize, usize), theirs: impl Fn(&mut str) -> (usize, usize)) {
    for old in ["U", "é", "€", "💩"] {
        let mut to = old.repeat(length.div_ceil(old.len()));
        let mut their_to = to.clone();
        let result = ours(&mut to);
        assert_eq!(result, theirs(&mut their_to), "into {length} bytes of {old}");
        assert_eq!(to[..result.1], their_to[..result.1], "into {length} bytes of {old}");
        assert!(str::from_utf8(to.as_bytes()).is_ok(), "into {length} bytes of {old}");
    }
}

#[test]
fn all_inputs_of_up_to_two_bytes_have_the_same_results() {
    let all: Vec<u8> = (0..=0xFF).collect();
    for length in 0..=2 {
        sequences(&all, length).for_each(|bytes| check_bytes(&bytes));
    }
}

#[test]
fn significant_bytes_in_groups_of_three_and_four_have_the_same_results() {
    sequences(&BYTES, 3).for_each(|bytes| check_bytes(&bytes));
    sequences(&BYTES, 4).step_by(7).for_each(|bytes| check_bytes(&bytes));
}

#[test]
fn all_inputs_of_one_code_unit_have_the_same_results() {
    (0..=u16::MAX).for_each(|unit| check_utf16(&[unit]));
}

#[test]
fn significant_code_units_in_groups_have_the_same_results() {
    for length in [0, 2, 3] {
        sequences(&UNITS, length).for_each(|text| check_utf16(&text));
    }
}

#[test]
fn bytes_at_every_place_of_a_long_text_have_the_same_results() {
    // Every third pair has each byte at both of its places.
    for bytes in sequences(&BYTES, 2).step_by(if cfg!(feature = "exhaustive") { 1 } else { 3 }) {
        let around = AROUND[usize::from(bytes[0] ^ bytes[1]) % AROUND.len()];
        for count in (0..70).step_by(1 + usize::from(bytes[1]) % 5) {
            let text = [around.repeat(count).as_bytes(), &bytes, around.repeat(100 - count).as_bytes()].concat();
            check_bytes(&text);
        }
    }
}

#[test]
fn code_units_at_every_place_of_a_long_text_have_the_same_results() {
    for (number, units) in sequences(&UNITS, 2).enumerate().step_by(5) {
        let around: Vec<u16> = AROUND[number % AROUND.len()].encode_utf16().collect();
        for count in (0..70).step_by(1 + number % 3) {
            check_utf16(&[around.repeat(count), units.clone(), around.repeat(100 - count)].concat());
        }
    }
}

/// Calls `check` with `text` at each of 16 places of a larger buffer, or at one of them without the feature
/// `exhaustive`.
fn at_alignments<T: Copy + Default>(text: &[T], number: usize, check: impl Fn(&[T])) {
    let mut buffer = vec![T::default(); text.len() + 16];
    for place in 0..16 {
        if cfg!(feature = "exhaustive") || place == number % 16 {
            buffer[place..place + text.len()].copy_from_slice(text);
            check(&buffer[place..place + text.len()]);
        }
    }
}

#[test]
fn every_length_up_to_130_with_another_unit_at_each_place_has_the_same_results() {
    let mut number = 0;
    for length in 0..=130 {
        for place in 0..length {
            let all = if cfg!(feature = "exhaustive") { 4 } else { 1 };
            for turn in 0..all {
                number += 1;
                let (byte, unit) = (BYTES[(number + turn) % BYTES.len()], UNITS[(number + turn) % UNITS.len()]);
                let around = AROUND[number / 7 % AROUND.len()];
                let mut bytes: Vec<u8> = around.bytes().cycle().take(length).collect();
                bytes[place] = byte;
                at_alignments(&bytes, number, check_bytes);
                let mut units: Vec<u16> = around.encode_utf16().cycle().take(length).collect();
                units[place] = unit;
                at_alignments(&units, number, check_utf16);
            }
        }
    }
}

#[test]
fn texts_longer_than_a_piece_have_the_same_results() {
    for (number, around) in AROUND.iter().enumerate() {
        let long = around.repeat(20_000 / around.len());
        for (turn, end) in ["", "א", "\u{202E}", "Ā"].into_iter().enumerate() {
            let text = [&long, end].concat();
            check_bytes(text.as_bytes());
            check_utf16(&text.encode_utf16().collect::<Vec<_>>());
            for cut in (1..4).filter(|cut| cfg!(feature = "exhaustive") || *cut == 1 + (number + turn) % 3) {
                check_bytes(&text.as_bytes()[..text.len() - cut]);
                check_bytes(&text.as_bytes()[cut..]);
            }
        }
    }
}

#[test]
fn surrogates_at_the_ends_of_pieces_have_the_same_results() {
    // A piece of 1,024 units ends in the middle of a pair, or after the first half of a pair that is none.
    for (before, pair) in [("é", "𝒳"), ("éa", "𝒳"), ("é", "\u{FFFF}𝒳")] {
        let mut units: Vec<u16> = before.encode_utf16().chain(pair.repeat(1100).encode_utf16()).collect();
        check_utf16(&units);
        units.remove(1024);
        check_utf16(&units);
    }
}

#[test]
fn every_scalar_value_has_the_same_direction() {
    // A letter of three bytes around it leads to the code for short text that is not Latin, Greek or Cyrillic: sequence
    // by sequence, and in blocks of two lengths.
    let mut texts = [(1, 0), (2, 1), (6, 1)].map(|(before, after)| ("ก".repeat(before), "ก".repeat(after)));
    for character in '\0'..=char::MAX {
        let expected = theirs::is_char_bidi(character);
        assert_eq!(ours::is_char_bidi(character), expected, "{character:?}");
        for (text, after) in &mut texts {
            let before = text.len();
            text.push(character);
            text.push_str(after);
            assert_eq!(ours::is_utf8_bidi(text.as_bytes()), expected, "{character:?}");
            assert_eq!(ours::is_str_bidi(text), expected, "{character:?}");
            text.truncate(before);
        }
    }
    for unit in 0..=u16::MAX {
        assert_eq!(ours::is_utf16_code_unit_bidi(unit), theirs::is_utf16_code_unit_bidi(unit), "{unit:04X}");
    }
}

/// Long text is looked at in pieces of 256, 512, … bytes, which must not change the direction of a character that they
/// would cut.
#[test]
fn code_points_where_a_piece_ends_have_the_same_direction() {
    let significant = [
        "\u{58F}",
        "\u{590}",
        "\u{200E}",
        "\u{200F}",
        "\u{2068}",
        "\u{FB1C}",
        "\u{FE6F}",
        "\u{FEFE}",
        "\u{FEFF}",
        "\u{FF00}",
        "\u{107FF}",
        "\u{10800}",
        "\u{10FFF}",
        "\u{11000}",
        "\u{1E7FF}",
        "\u{1EFFF}",
        "\u{1F000}",
    ];
    let long = "é".repeat(200);
    for filler in ["a", "é", "ā", "日", "𝒳"] {
        for before in (0..20).chain(240..270).chain(755..775) {
            // The first piece begins with the first character that is not ASCII.
            let mut text = "é".to_owned() + &"a".repeat(before % filler.len()) + &filler.repeat(before / filler.len());
            let start = text.len();
            for (character, after) in significant.iter().flat_map(|one| [(one, ""), (one, "é"), (one, &*long)]) {
                text.truncate(start);
                text.push_str(character);
                text.push_str(after);
                // Without its last bytes, the text is malformed.
                for cut in 0..4 {
                    let bytes = &text.as_bytes()[..text.len().saturating_sub(cut)];
                    assert_eq!(ours::is_utf8_bidi(bytes), theirs::is_utf8_bidi(bytes), "{text}, {cut} cut");
                    assert_eq!(
                        class!(ours::check_utf8_for_latin1_and_bidi(bytes)),
                        class!(theirs::check_utf8_for_latin1_and_bidi(bytes)),
                        "{text}, {cut} cut"
                    );
                }
                assert_eq!(ours::is_str_bidi(&text), theirs::is_str_bidi(&text), "{text}");
            }
        }
    }
}

/// The kernels of each level write to other places after the text.
#[test]
fn bytes_after_a_partial_conversion_stay_as_they_were_at_every_level() {
    at_every_level(|level| {
        for around in AROUND {
            let mut text: Vec<u16> = around.repeat(150).encode_utf16().collect();
            text[100] = 0xD800;
            for space in 0..=3 * text.len() + 70 {
                let mut to = vec![FILL; space];
                let (_, written) = ours::convert_utf16_to_utf8_partial(&text, &mut to);
                assert!(to[written..].iter().all(|&byte| byte == FILL), "{level:?}: {around} into {space} bytes");
            }
        }
        for ascii in 0..70 {
            let latin1 = [&b"a".repeat(ascii)[..], b"\xE9", &b"b".repeat(40)].concat();
            for space in 0..=2 * latin1.len() + 70 {
                let mut to = vec![FILL; space];
                let (_, written) = ours::convert_latin1_to_utf8_partial(&latin1, &mut to);
                assert!(
                    to[written..].iter().all(|&byte| byte == FILL),
                    "{level:?}: {ascii} letters into {space} bytes"
                );
            }
        }
    });
}

quickcheck! {
    fn random_bytes_have_the_same_results(bytes: Vec<u8>) -> bool {
        check_bytes(&bytes);
        true
    }

    fn random_code_units_have_the_same_results(text: Vec<u16>) -> bool {
        check_utf16(&text);
        true
    }

    fn random_strings_have_the_same_results(string: String) -> bool {
        check_bytes(string.as_bytes());
        check_utf16(&string.encode_utf16().collect::<Vec<_>>());
        true
    }
}

#[test]
fn random_indexes_of_significant_units_have_the_same_results() {
    fn check(places: Vec<u8>) -> bool {
        check_utf16(&places.iter().map(|&place| UNITS[usize::from(place) % UNITS.len()]).collect::<Vec<_>>());
        check_bytes(&places.iter().map(|&place| BYTES[usize::from(place) % BYTES.len()]).collect::<Vec<_>>());
        true
    }
    QuickCheck::new().tests(1000).quickcheck(check as fn(Vec<u8>) -> bool);
}

/// Whether `function` panics.
fn panics(function: impl FnOnce()) -> bool {
    catch_unwind(AssertUnwindSafe(function)).is_err()
}

/// The function of both modules panics for a destination of `$length - 1` units, and not for one of `$length` units.
macro_rules! needs {
    ($function:ident, $source:expr, $length:expr, $fill:expr) => {
        for (length, expected) in [($length - 1, true), ($length, false)] {
            let ours = panics(|| {
                let _ = ours::$function($source, &mut vec![$fill; length]);
            });
            let theirs = panics(|| {
                let _ = theirs::$function($source, &mut vec![$fill; length]);
            });
            assert_eq!((ours, theirs), (expected, expected), "{} into {length}", stringify!($function));
        }
    };
    ($function:ident, $source:expr, str of $length:expr) => {
        for (length, expected) in [($length - 1, true), ($length, false)] {
            let ours = panics(|| {
                ours::$function($source, &mut "U".repeat(length));
            });
            let theirs = panics(|| {
                theirs::$function($source, &mut "U".repeat(length));
            });
            assert_eq!((ours, theirs), (expected, expected), "{} into {length}", stringify!($function));
        }
    };
}

/// For sources and destinations of every length up to 20 and 64, a function of both modules panics, or of none.
macro_rules! same_panics {
    ($($function:ident($source:expr, $fill:expr);)+) => {$(
        for (length, space) in (0..=20).flat_map(|length| (0..=64).map(move |space| (length, space))) {
            let ours = panics(|| {
                let _ = ours::$function(&$source[..length], &mut vec![$fill; space]);
            });
            let theirs = panics(|| {
                let _ = theirs::$function(&$source[..length], &mut vec![$fill; space]);
            });
            assert_eq!(ours, theirs, "{} of {length} into {space}", stringify!($function));
        }
    )+};
}

#[test]
fn every_length_of_a_destination_is_a_panic_in_both_modules_or_in_none() {
    let (text, bytes) = ("a".repeat(20), b"a".repeat(20));
    let (units, wide) = ([0x61; 20], [0xE9; 20]);
    same_panics! {
        convert_utf8_to_utf16(bytes, 0);
        convert_str_to_utf16(text, 0);
        convert_utf8_to_utf16_without_replacement(bytes, 0);
        convert_utf16_to_utf8(units, 0);
        convert_utf16_to_utf8_partial(wide, 0);
        convert_latin1_to_utf16(bytes, 0);
        convert_latin1_to_utf8(bytes, 0);
        convert_latin1_to_utf8_partial([0xE9; 20], 0);
        convert_utf8_to_latin1_lossy(bytes, 0);
        convert_utf16_to_latin1_lossy(wide, 0);
        copy_ascii_to_ascii(bytes, 0);
        copy_ascii_to_basic_latin(bytes, 0);
        copy_basic_latin_to_ascii(units, 0);
    }
}

/// Both modules check the length of the destination, not whether the text fits.
#[test]
fn a_destination_that_is_shorter_than_documented_is_a_panic() {
    needs!(convert_utf8_to_utf16, b"abc", 4, 0);
    needs!(convert_str_to_utf16, "\u{e9}\u{e9}", 4, 0);
    needs!(convert_utf8_to_utf16_without_replacement, b"\xC3\xA9", 2, 0);
    needs!(convert_utf16_to_utf8, &[0x61, 0x62], 6, 0);
    needs!(convert_utf16_to_str, &[0x61, 0x62], str of 6);
    needs!(convert_latin1_to_utf16, b"ab", 2, 0);
    needs!(convert_latin1_to_utf8, b"ab", 4, 0);
    needs!(convert_latin1_to_str, b"ab", str of 4);
    needs!(convert_utf8_to_latin1_lossy, b"\xC3\xA9", 2, 0);
    needs!(convert_utf16_to_latin1_lossy, &[0x61, 0xE9], 2, 0);
    needs!(copy_ascii_to_ascii, b"ab", 2, 0);
    needs!(copy_ascii_to_basic_latin, b"ab", 2, 0);
    needs!(copy_basic_latin_to_ascii, &[0x61, 0x62], 2, 0);
}

/// Without debug assertions the bytes are unspecified, but the functions stay within the destination and do not panic.
#[test]
fn text_above_latin1_is_a_panic_in_debug_builds_only() {
    for text in ["Ā", "aé日", "é💩é", &"é日".repeat(50)] {
        let mut bytes = vec![0; text.len()];
        assert_eq!(
            panics(|| _ = ours::convert_utf8_to_latin1_lossy(text.as_bytes(), &mut bytes)),
            cfg!(debug_assertions)
        );
        assert_eq!(panics(|| _ = ours::encode_latin1_lossy(text)), cfg!(debug_assertions));
    }
    for malformed in [&b"\x80"[..], b"a\xC3", b"\xFF\xFF\xFF", b"\xC3a\xC3\xA9\xBF\xBF"] {
        let mut bytes = vec![0; malformed.len()];
        assert_eq!(panics(|| _ = ours::convert_utf8_to_latin1_lossy(malformed, &mut bytes)), cfg!(debug_assertions));
    }
}
