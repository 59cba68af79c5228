//! Encoding to pairs: every level against the scalar body.

use super::{scalar, *};
use crate::{
    level::{Level, at_every_level},
    testing::Random,
};

/// The upper bytes of the code units of which most are listed.
const GROUPS: [u16; 7] = [0x01, 0x02, 0x04, 0x4E, 0x4F, 0xAC, 0xFF];

/// Runs `test` with two encodings at every level. Most code units of [`GROUPS`] are listed, with random pointers;
/// every sixteenth code unit that is not listed has a pointer as well. In the second encoding, the listed code
/// units of two groups are in a run.
fn with_encoding(test: impl Fn(&ToDoubleByte<'_>, Level)) {
    for run in [Run::NONE, Run::new(0x6000, 500, Divisor::new(94), 94)] {
        let mut random = Random(3);
        let mut groups = [0; 256];
        let (mut blocks, mut pointers, mut in_run) = (vec![Block::new(0, 0); 8], vec![], run.first());
        for group in GROUPS {
            groups[usize::from(group)] = (blocks.len() / 8) as u8;
            for eighth in 0..8 {
                let bits = ((random.below(1 << 31) | random.below(1 << 31)) as u32) << 1 | random.below(2) as u32;
                // 0xFFFF is no character.
                let bits = if (group, eighth) == (0xFF, 7) { bits & !(1 << 31) } else { bits };
                let count = bits.count_ones() as u16;
                if !run.is_empty() && matches!(group, 0x02 | 0xAC) {
                    blocks.push(Block::new(bits, in_run));
                    in_run += count;
                } else {
                    blocks.push(Block::new(bits, pointers.len() as u16));
                    pointers.extend((0..count).map(|_| random.below(60 * 188) as u16));
                }
            }
        }
        blocks.push(Block::new(0, 0));
        pointers.push(NO_POINTER);
        let listed = Listed::new(&groups, &blocks, &pointers, run);
        let others = |unit| if unit % 16 == 3 { unit % 0x2000 } else { NO_POINTER };
        let (leading, trailing) = (Part::new(0x81, 0xC1, 31), Part::new(0x40, 0x41, 63));
        let end = if run.is_empty() { 58 * 188 } else { NO_POINTER };
        let encoding = ToDoubleByte::new(&listed, end, Divisor::new(188), leading, trailing, others);
        at_every_level(|level| test(&encoding, level));
    }
}

#[test]
fn division_is_exact_for_all_numbers_up_to_7fff() {
    for divisor in 65..=255 {
        let by = Divisor::new(divisor);
        for number in 0..=0x7FFF {
            assert_eq!(by.divide(number), (number / divisor, number % divisor), "{number} / {divisor}");
        }
    }
}

#[test]
fn every_level_equals_the_scalar_one() {
    with_encoding(|encoding, level| {
        // The least length that is encoded directly at every level which has a body.
        let few = match level {
            #[cfg(vectors = "x86_64")]
            Level::Avx2 | Level::Avx512 => 32,
            _ => 0,
        };
        let mut random = Random(4);
        for round in 0..6000 {
            // Most units of a text have a pointer, so that errors are rare and one is often near the end.
            // From 1024 bytes of text on, AVX2 encodes markup.
            let length = random.below(if round % 16 == 0 { 3000 } else { 400 });
            let mut source = Vec::new();
            while source.len() < length {
                match random.below(6) {
                    0 => source.extend(core::iter::repeat_n(u16::from(b'a'), random.below(90))),
                    _ => {
                        let units = (0..random.below(100))
                            .map(|_| GROUPS[random.below(GROUPS.len())] << 8 | random.below(0x100) as u16);
                        source.extend(units.filter(|&unit| encoding.listed().pointer(unit) < encoding.end()));
                    }
                }
            }
            source.truncate(length);
            for _ in 0..if length == 0 { 0 } else { round % 3 } {
                let at = random.below(length);
                source[at] = random.below(0x1_0000) as u16;
            }
            for room in [2 * length, length, random.below(2 * length + 1)] {
                let (mut expected, mut bytes) = (vec![0; room], vec![0; room]);
                let (read, written) = scalar::from_utf16(encoding, &source, &mut expected);
                assert_eq!(from_utf16(encoding, &source, &mut bytes), (read, written), "{source:04X?} into {room}");
                assert_eq!(bytes[..written], expected[..written], "{source:04X?} into {room}");
                // Unpaired surrogates become U+FFFD, and the others become characters beyond U+FFFF.
                let text = String::from_utf16_lossy(&source);
                let of_text: Vec<u16> = text.chars().map_while(|c| u16::try_from(u32::from(c)).ok()).collect();
                let (read, written) = scalar::from_utf16(encoding, &of_text, &mut expected);
                let length = text.chars().take(read).map(char::len_utf8).sum();
                let found = few_from_utf8(encoding, &text, &mut bytes);
                if found != (0, 0) || text.len() <= few {
                    assert_eq!(found, (length, written), "{text} into {room}");
                    assert_eq!(bytes[..written], expected[..written], "{text} into {room}");
                }
                let found = markup_from_utf8(encoding, text.as_bytes(), &mut bytes);
                assert!(found.0 <= length && found.1 <= written, "{text} into {room}");
                let of_prefix: Vec<u16> = text[..found.0].encode_utf16().collect();
                let of_prefix = scalar::from_utf16(encoding, &of_prefix, &mut expected);
                assert_eq!(found.1, of_prefix.1, "{text} into {room}");
                assert_eq!(bytes[..found.1], expected[..found.1], "{text} into {room}");
            }
        }
    });
}

/// Whether [`markup_from_utf8`] encodes characters beyond ASCII at this level.
fn looks_characters_up(level: Level) -> bool {
    match level {
        #[cfg(vectors = "x86_64")]
        Level::Avx2 => true,
        #[cfg(vectors = "aarch64")]
        Level::Neon => true,
        _ => false,
    }
}

#[test]
fn markup_is_encoded_up_to_its_end_with_neon_and_avx2() {
    with_encoding(|encoding, level| {
        let mut random = Random(5);
        let listed: Vec<char> = (0x80..=0xFFFF)
            .filter(|&unit| encoding.listed().pointer(unit) < encoding.end())
            .map(|unit| char::from_u32(unit.into()).unwrap())
            .collect();
        for _ in 0..200 {
            // More words than a chunk has, with up to 60 bytes of ASCII between two of them, or sometimes 700 more.
            // It begins with a run of ASCII and one character, as markup does.
            let ascii = "<p>".repeat(30);
            let mut text = format!("{ascii}{}{ascii}", listed[0]);
            let most = [1, 3, 12, 20][random.below(4)];
            for _ in 0..150 {
                text.extend((0..random.below(most) + 1).map(|_| listed[random.below(listed.len())]));
                let run = random.below(60) + if random.below(20) == 0 { 700 } else { 0 };
                text.extend((0..run).map(|at| char::from(b'a' + at as u8 % 26)));
            }
            let (mut bytes, mut expected) = (vec![0; text.len()], vec![0; text.len()]);
            let (read, written) = markup_from_utf8(encoding, text.as_bytes(), &mut bytes);
            let units: Vec<u16> = text[..read].encode_utf16().collect();
            assert_eq!(scalar::from_utf16(encoding, &units, &mut expected), (units.len(), written), "{text}");
            assert_eq!(bytes[..written], expected[..written], "{text}");
            // Words of 20 characters may have too many for markup.
            let least = if !looks_characters_up(level) {
                text.find(|character: char| !character.is_ascii()).unwrap()
            } else if most == 20 {
                0
            } else {
                text.len() - 100
            };
            assert!(least <= read, "{read} of {}: {text}", text.len());
        }
    });
}

#[test]
fn markup_ends_before_each_character_of_four_bytes() {
    with_encoding(|encoding, _| {
        let (ascii, more) = ("a".repeat(100), "a".repeat(1200));
        for code_point in (0x1_0000..=0x10_FFFF).step_by(0x40) {
            let text = format!("{ascii}{}{more}", char::from_u32(code_point).unwrap());
            let mut bytes = vec![0; text.len()];
            assert_eq!(markup_from_utf8(encoding, text.as_bytes(), &mut bytes), (100, 100), "U+{code_point:X}");
        }
    });
}

#[test]
fn malformed_markup_causes_no_panic() {
    with_encoding(|encoding, _| {
        let mut random = Random(6);
        for _ in 0..3000 {
            let common = [0xE0, 0xC2, 0x80, 0xF4][random.below(4)];
            let malformed =
                (0..random.below(2600)).map(|_| if random.below(3) == 0 { random.below(256) as u8 } else { common });
            let source: Vec<u8> = [b'a'; 20].into_iter().chain(malformed).collect();
            let mut bytes = vec![0; random.below(2700)];
            let (read, written) = markup_from_utf8(encoding, &source, &mut bytes);
            assert!(read <= source.len() && written <= bytes.len());
        }
    });
}
