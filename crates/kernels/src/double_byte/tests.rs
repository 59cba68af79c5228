//! Decoding of pairs: every level against the scalar body, and against a decoder of one character at a time.

use super::{scalar, *};
use crate::{four_bytes, level::at_every_level, single_byte::Characters, testing::Random};

/// A range of sequences of four bytes, whose code units take three bytes of UTF-8.
const RANGE: four_bytes::Range = four_bytes::Range { pointer: 19_065, unit: 0x9FBC, length: 0xD800 - 0x9FBC };

/// Runs `test` with an encoding at every level. Leading bytes are 0x81 to 0x9F and 0xE0 to 0xFC, of which the last
/// five have no rows. There are 188 columns, and the bytes between the ranges stand alone. The table has some
/// holes, some of which `others` fills, and some surrogates.
fn with_encoding(test: impl Fn(&DoubleByte<'_>)) {
    let mut rows: [u8; 128] = std::array::from_fn(|at| match at as u8 + 0x80 {
        leading @ 0x81..=0x9F => leading - 0x81,
        leading @ 0xE0..=0xF7 => leading - 0xC1,
        0xF8..=0xFC => NO_ROW,
        _ => ALONE,
    });
    // The rows of consecutive leading bytes need not be consecutive.
    rows.swap(0x05, 0x0C);
    let singles = Characters::new(std::array::from_fn(|at| match at {
        // A single byte that is not its own code point, and a code point that is the byte of another.
        0x00 => 0x20AC,
        0x7D => 0x80,
        0x21..=0x5F => 0xFF40 + at as u16,
        _ => NULL,
    }));
    let table: Vec<u16> = (0..=55 * 188 + 1)
        .map(|place| match place % 977 {
            _ if place >= 55 * 188 => NULL,
            0 | 10 => NULL,
            1 => 0xD800,
            // The least code unit with three bytes in UTF-8, and the greatest with two.
            11 => 0x800,
            12 => 0x7FF,
            // Every thirteenth code unit has two bytes in UTF-8.
            _ if place % 13 == 2 => 0x80 + place % 0x780,
            _ => 0x3000 + place,
        })
        .collect();
    // Code units for some holes of the table, also for bytes that are no trailing bytes of the table.
    let others = |bytes: &[u8]| match *bytes {
        [0x80..=0x90, trailing @ 0x30..=0xFF, ..] | [0xF8..=0xFF, trailing @ 0x30..=0x7F, ..] => {
            0xE000 + u16::from(trailing)
        }
        _ => NULL,
    };
    let trailing = [Trailing { first: 0x40, last: 0x7E, column: 0 }, Trailing { first: 0x80, last: 0xFC, column: 63 }];
    at_every_level(|_| {
        let columns = Columns::new(trailing);
        test(&DoubleByte::new(&table, 188, rows, &singles, &columns, others));
    });
}

fn check(encoding: &DoubleByte<'_>, source: &[u8], room: usize) {
    let (mut expected, mut units) = (vec![0; room], vec![0; room]);
    let (read, written) = scalar::to_utf16(encoding, source, &mut expected);
    assert_eq!(to_utf16(encoding, source, &mut units), (read, written), "{source:02X?} into {room}");
    assert_eq!(units[..written], expected[..written], "{source:02X?} into {room}");

    let (mut expected, mut text) = (vec![0; room], vec![0; room]);
    let (read, written) = scalar::to_utf8(encoding, source, &mut expected);
    assert_eq!(to_utf8(encoding, source, &mut text), (read, written), "{source:02X?} into {room}");
    assert_eq!(text[..written], expected[..written], "{source:02X?} into {room}");
}

/// What a few bytes are decoded to, and the bytes of the sequence that their end cuts off; `None` if there is
/// anything but ASCII, pairs of the table and, if `has_four_bytes`, sequences of four bytes in [`RANGE`].
fn decoded(encoding: &DoubleByte<'_>, has_four_bytes: bool, bytes: &[u8]) -> Option<(Vec<u16>, Vec<u8>)> {
    let can_begin = |byte: u8| encoding.rows()[usize::from(byte & 0x7F)] != ALONE;
    let (mut units, mut rest) = (vec![], bytes);
    loop {
        let length = match *rest {
            [] => return Some((units, vec![])),
            [byte @ 0x00..=0x7F, ..] => {
                units.push(byte.into());
                1
            }
            [first] => return can_begin(first).then(|| (units, vec![first])),
            [first, b'0'..=b'9'] | [first, b'0'..=b'9', 0x81..=0xFE] if has_four_bytes => {
                return can_begin(first).then(|| (units, rest.to_vec()));
            }
            [_, b'0'..=b'9', ..] if has_four_bytes => {
                units.push(RANGE.unit(four_bytes::pointer(rest)?)?);
                4
            }
            [leading, trailing, ..] => match encoding.listed(leading, trailing) {
                NULL | 0xD800..=0xDFFF => return None,
                unit => {
                    units.push(unit);
                    2
                }
            },
        };
        rest = &rest[length..];
    }
}

/// Decodes a few bytes into every room, after every beginning of a sequence.
#[test]
fn a_few_bytes_are_decoded_as_a_whole_or_not_at_all() {
    with_encoding(|encoding| {
        let mut random = Random(8);
        for round in 0..8000 {
            let has_four_bytes = round % 2 == 0;
            let wrong = if round % 8 < 2 { 1 } else { 0 };
            let mut source = text(1 + round / 2 % (FEW_BYTES + 2), wrong, &mut random);
            for _ in 0..random.below(4) {
                let range = RANGE;
                let pointer = range.pointer + random.below(range.length as usize + 1) as u32;
                let at = random.below(source.len() + 1);
                source.splice(at..at, four_bytes::bytes(pointer));
            }
            source.truncate(FEW_BYTES + 2);
            let begun: &[&[u8]] = if has_four_bytes {
                &[&[], &[0x85], &[0x83, 0x30], &[0xE3, 0x39], &[0x83, 0x33, 0x81], &[0x83, 0x36, 0xFE]]
            } else {
                &[&[], &[0x85], &[0xE3], &[0xF8]]
            };
            for begun in begun {
                check_few(encoding, has_four_bytes, begun, &source);
            }
        }
    });
}

/// Decodes `source` after the bytes `begun` of a sequence, into every room.
fn check_few(encoding: &DoubleByte<'_>, has_four_bytes: bool, begun: &[u8], source: &[u8]) {
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    let (before, case) = (word(begun), format!("{begun:02X?} {source:02X?}"));
    let expected = decoded(encoding, has_four_bytes, &[begun, source].concat());
    for room in 0..=source.len() + 1 {
        let (mut state, mut units) = (before, vec![0; room]);
        let written = few_to_utf16(
            encoding,
            if has_four_bytes { &RANGE } else { &four_bytes::Range::NONE },
            &mut state,
            source,
            &mut units,
        );
        // The bytes of a sequence that the end cuts off are read only where there is space for a character.
        let fits = expected.as_ref().filter(|(units, end)| units.len() + usize::from(!end.is_empty()) <= room);
        if let (Some(written), Some((expected, end))) = (written, fits) {
            assert_eq!((&units[..written], state), (&expected[..], word(end)), "{case} in {room}");
        } else {
            assert!(written.is_none() && fits.is_none(), "{case} in {room}");
            assert_eq!(state, before, "{case} in {room}");
        }
    }
    for room in 0..=3 * source.len() + 4 {
        let (mut state, mut text) = (before, vec![0; room]);
        let written = few_to_utf8(
            encoding,
            if has_four_bytes { &RANGE } else { &four_bytes::Range::NONE },
            &mut state,
            source,
            &mut text,
        );
        let expected = expected.as_ref().map(|(units, end)| (String::from_utf16_lossy(units), end));
        if let (Some(written), Some((expected, end))) = (written, &expected) {
            assert_eq!((&text[..written], state), (expected.as_bytes(), word(end)), "{case}");
            assert!(end.is_empty() || written < room, "{case} in {room}");
        } else {
            assert!(written.is_none(), "{case} in {room}");
            assert!(expected.is_none_or(|(text, _)| text.len() + 4 > room), "{case} in {room}");
            assert_eq!(state, before, "{case} in {room}");
        }
    }
}

/// A text of ASCII, pairs and single bytes, in which `wrong` random bytes replace others.
fn text(length: usize, wrong: usize, random: &mut Random) -> Vec<u8> {
    let mut text = Vec::new();
    while text.len() < length {
        match random.below(8) {
            0 => text.extend(core::iter::repeat_n(b'a', random.below(90))),
            1 => text.push(0xA1 + random.below(0x3F) as u8),
            _ => {
                for _ in 0..random.below(40) {
                    let leading = if random.below(2) == 0 { 0x81 + random.below(31) } else { 0xE0 + random.below(29) };
                    let trailing =
                        if random.below(2) == 0 { 0x40 + random.below(63) } else { 0x80 + random.below(125) };
                    text.extend([leading as u8, trailing as u8]);
                }
            }
        }
    }
    for _ in 0..if text.is_empty() { 0 } else { wrong } {
        let at = random.below(text.len());
        text[at] = random.below(256) as u8;
    }
    text.truncate(length);
    text
}

/// The code units of `source` with U+FFFD for each error, one sequence at a time, up to a pair that the caller
/// decodes or that the end cuts off; and how many bytes they take.
fn replaced(encoding: &DoubleByte<'_>, source: &[u8]) -> (Vec<u16>, usize) {
    let (mut text, mut read) = (vec![0; source.len()], 0);
    let mut written = 0;
    loop {
        let (bytes, units) = scalar::to_utf16(encoding, &source[read..], &mut text[written..]);
        (read, written) = (read + bytes, written + units);
        let length = match source[read..] {
            [single, ..] if encoding.rows()[usize::from(single & 0x7F)] == ALONE => 1,
            [leading, trailing, ..] if is_surrogate(encoding.pair(leading, trailing)) => break,
            [_, 0x00..=0x7F, ..] => 1,
            [_, _, ..] => 2,
            _ => break,
        };
        text[written] = NULL;
        (read, written) = (read + length, written + 1);
    }
    text.truncate(written);
    (text, read)
}

/// Checks that the decoded prefix is right, and that at most 20 bytes are left if the destination is ample. The
/// caller would decode these bytes.
fn check_replacing(encoding: &DoubleByte<'_>, source: &[u8], room: usize) {
    let (expected, end) = replaced(encoding, source);
    let (mut units, mut text) = (vec![0; room], vec![0; 3 * room]);
    let (read, written) = to_utf16_replacing(encoding, source, &mut units);
    assert!(
        read <= end && (room < source.len() + 100 || end - read < 20),
        "{:?} {room} {read} of {end}: {source:02X?}",
        crate::level::level()
    );
    let (rest, _) = replaced(encoding, &source[read..]);
    assert_eq!([&units[..written], &rest].concat(), expected, "{source:02X?} into {room}");

    let (read, written) = to_utf8_replacing(encoding, source, &mut text);
    assert!(
        read <= end && (room < source.len() + 100 || end - read < 20),
        "{:?} {room} {read} of {end}: {source:02X?}",
        crate::level::level()
    );
    let (rest, _) = replaced(encoding, &source[read..]);
    let text = core::str::from_utf8(&text[..written]).unwrap();
    assert!(text.encode_utf16().chain(rest).eq(expected), "{source:02X?} into {room}");
}

#[test]
fn errors_are_replaced_at_every_place() {
    with_encoding(|encoding| {
        let mut random = Random(3);
        for length in 0..=200 {
            for wrong in [0, 1, length / 20, length / 2, length] {
                let source = text(length, wrong, &mut random);
                for room in [length / 2, length, length + 200] {
                    check_replacing(encoding, &source, room);
                }
            }
        }
        // A malformed pair that ends with ASCII, one that does not, a single byte without a character, and a pair
        // that the caller decodes.
        for error in [&[0x95, b' '], &[0x95, 0xFF], &[0xA0, b'a'], &[0x81, 0x41]] {
            for length in [60, 64, 65, 66, 70, 128, 130, 140] {
                // A block of ASCII becomes as many code units as the vectors have lanes.
                for plain in [text(length, 0, &mut random), vec![b'a'; length]] {
                    for at in 0..length - 1 {
                        let mut source = plain.clone();
                        source[at..at + 2].copy_from_slice(error);
                        check_replacing(encoding, &source, length + 200);
                    }
                }
            }
        }
    });
}

#[test]
fn every_level_equals_the_scalar_one_on_texts_of_every_length() {
    with_encoding(|encoding| {
        let mut random = Random(1);
        for length in 0..=400 {
            for wrong in [0, 0, 1] {
                let source = text(length, wrong, &mut random);
                for room in [0, length / 2, length, length + 100] {
                    check(encoding, &source, room);
                }
            }
        }
    });
}

#[test]
fn every_level_equals_the_scalar_one_on_texts_of_several_chunks() {
    with_encoding(|encoding| {
        let mut random = Random(2);
        for round in 0..3000 {
            let length = 1000 + random.below(3000);
            let source = text(length, round % 3, &mut random);
            let room = if round % 2 == 0 { length } else { random.below(length) };
            check(encoding, &source, room);
        }
    });
}

/// Plants an error, an end of the source, and the end of a destination at every place of texts of up to 200 bytes,
/// which start at random addresses.
#[test]
fn an_error_an_end_and_a_full_destination_at_every_position() {
    with_encoding(|encoding| {
        let mut random = Random(5);
        let mut memory = vec![0; 300];
        for length in 0..=200 {
            let source = text(length, 0, &mut random);
            for at in 0..length {
                let place = random.below(64);
                let source = {
                    memory[place..][..length].copy_from_slice(&source);
                    &mut memory[place..][..length]
                };
                check(encoding, &source[..at], 2 * length);
                check(encoding, source, at);
                let before = source[at];
                source[at] = 0xFF;
                check(encoding, source, 3 * length);
                source[at] = before;
            }
        }
    });
}

/// Decodes up to 20 pairs among ASCII, at random places of a step and across its edges. Vector bodies treat few
/// pairs differently from many.
#[test]
fn decodes_a_few_pairs_among_ascii() {
    with_encoding(|encoding| {
        let mut random = Random(6);
        for round in 0..20_000 {
            let mut source = vec![b'a'; 64 + random.below(100)];
            let length = source.len();
            for _ in 0..=random.below(20) {
                let pair = [0x81 + random.below(31) as u8, 0x40 + random.below(63) as u8];
                source[random.below(length - 1)..][..2].copy_from_slice(&pair);
            }
            let room = if round % 4 == 0 { random.below(2 * length) } else { 2 * length + random.below(80) };
            check(encoding, &source, room);
        }
    });
}

/// Decodes ASCII with three characters in it, at every distance from each other. Vector bodies move the ASCII after a
/// character in pieces of fixed length.
#[test]
fn decodes_characters_at_every_distance() {
    // Pairs with a trailing byte of ASCII and with another one, a pair that `others` decodes, a pair of two bytes of
    // UTF-8, a byte that stands alone, and a malformed pair.
    const CHARACTERS: [&[u8]; 6] = [b"\x8AA", b"\x8A\x80", b"\x81\x40", b"\x81\x42", b"\xB1", b"\x95 "];
    with_encoding(|encoding| {
        for (first, second) in CHARACTERS.iter().flat_map(|first| CHARACTERS.map(|second| (first, second))) {
            for distance in 0..70 {
                for start in [0, 1, 15, 16, 30, 31, 32, 47, 63, 64] {
                    let ascii = |length| (0..length).map(|at| b'a' + at as u8 % 26);
                    let mut source: Vec<u8> = ascii(start).chain(first.iter().copied()).collect();
                    source.extend(ascii(distance).chain(second.iter().copied()));
                    source.extend(ascii(distance / 2 + start).chain(first.iter().copied()).chain(ascii(200)));
                    check(encoding, &source, 900);
                }
            }
        }
    });
}

/// Decodes texts of which more than half is pairs, so that steps with few pairs and chunks with many follow each
/// other.
#[test]
fn decodes_many_pairs_with_other_bytes_between_them() {
    with_encoding(|encoding| {
        let mut random = Random(7);
        for round in 0..4000 {
            let length = 300 + random.below(2000);
            let others = random.below(5);
            let mut source = Vec::with_capacity(length + 1);
            while source.len() < length {
                match random.below(10) {
                    other if other < others => source.push(b' ' + random.below(90) as u8),
                    9 if round % 4 == 0 => source.push(0xA1 + random.below(0x3F) as u8),
                    _ => source.extend([0x81 + random.below(31) as u8, 0x40 + random.below(63) as u8]),
                }
            }
            if round % 3 == 0 {
                let at = random.below(length);
                source[at] = random.below(256) as u8;
            }
            let room = if round % 2 == 0 { 3 * source.len() } else { random.below(2 * length) };
            check(encoding, &source, room);
            check_replacing(encoding, &source, room);
        }
    });
}

/// Decodes each byte beyond ASCII at places of a short run of ASCII, with many pairs before and after the run.
#[test]
fn decodes_every_byte_between_ascii_and_many_pairs() {
    with_encoding(|encoding| {
        for byte in 0x80..=0xFF {
            for (run, at) in [(16, 0), (16, 1), (16, 8), (16, 15), (17, 0), (17, 16), (31, 16)] {
                let mut source = [[0x8A, 0x80]; 80].concat();
                source.splice(64..64, core::iter::repeat_n(b'a', run));
                source[64 + at] = byte;
                check(encoding, &source, 3 * source.len());
            }
        }
    });
}

/// Decodes runs of up to 70 bytes of the lead range, in which every other byte trails, before and after the edge of
/// a step.
#[test]
fn decodes_runs_of_the_lead_range_across_every_edge_of_a_step() {
    with_encoding(|encoding| {
        for before in 0..=130 {
            for run in 0..=70 {
                let mut source = vec![b'a'; before];
                source.extend(core::iter::repeat_n(0x85, run));
                source.extend([b'A'; 140]);
                check(encoding, &source, source.len());
            }
        }
    });
}

/// The code points that [`RULES`] give by rank: half of most words of 32 code points, and all of every fourth word.
static UNLISTED: Ascending<'static> = {
    const BITS: [u32; 64] = {
        let mut bits = [!0; 64];
        let mut word = 0;
        while word < 64 {
            if word % 4 != 3 {
                bits[word] = 0x5A3C_F00F_u32.rotate_left(3 * word as u32);
            }
            word += 1;
        }
        bits
    };
    const SAMPLES: [u16; 41] = {
        let mut samples = [0; 41];
        let (mut at, mut rank) = (0, 0);
        while at < 32 * 64 {
            if BITS[at / 32] >> (at % 32) & 1 == 1 {
                if rank % 32 == 0 {
                    samples[rank / 32] = at as u16;
                }
                rank += 1;
            }
            at += 1;
        }
        samples
    };
    Ascending::new(0x4E00, &BITS, &SAMPLES)
};

/// Ranks for the left half of each row, of which some are too great, and code points for most right halves.
static HALVES: [[u16; 2]; 126] = {
    let mut halves = [[0, NULL]; 126];
    let mut row = 0;
    while row < 126 {
        halves[row][0] = row as u16 * 13 % 1280;
        if row % 3 != 0 {
            halves[row][1] = 0xA000 + 90 * row as u16;
        }
        row += 1;
    }
    halves
};

static RULES: Rules<'static> = Rules::new(&HALVES, 0x41, [(0x5B, 6), (0x7B, 6)], 0xA226, &UNLISTED);

/// The code unit that [`RULES`] give to a pair, or [`NULL`].
fn by_rule(bytes: &[u8]) -> u16 {
    let [leading @ 0x81..=0xFE, trailing, ..] = *bytes else { return NULL };
    let place = match trailing {
        0x41..=0x5A => trailing - 0x41,
        0x61..=0x7A => trailing - 0x47,
        0x81..=0xFE => trailing - 0x4D,
        _ => return NULL,
    };
    match HALVES[usize::from(leading - 0x81)][usize::from(trailing >= 0xA1)] {
        NULL => NULL,
        rank @ ..Rules::CODE_POINT => UNLISTED.nth(rank + u16::from(place)).unwrap_or(NULL),
        first => Some(first + u16::from(place)).filter(|&unit| unit != 0xA226).unwrap_or(NULL),
    }
}

/// Decodes all pairs of some rows one after the other, and those that have a code unit. AVX-512 takes 16 at once.
#[test]
fn decodes_pairs_by_rules() {
    let table = [[0x4E00; 260].as_slice(), &[NULL; 2]].concat();
    let columns = Columns::new([Trailing { first: 0x40, last: 0x41, column: 0 }; 2]);
    let rows = rows(&[(0x81..=0xFE, NO_ROW)]);
    let encoding = DoubleByte::new(&table, 130, rows, &Characters::NONE, &columns, by_rule).with_rules(&RULES);
    let leading = (0x81..=0xFE).step_by(5);
    let all: Vec<[u8; 2]> = leading.flat_map(|leading| (0x41..=0xFE).map(move |at| [leading, at])).collect();
    let decoded: Vec<[u8; 2]> = all.iter().copied().filter(|pair| by_rule(pair) != NULL).collect();
    at_every_level(|_| {
        for pairs in [&all, &decoded] {
            check_replacing(&encoding, pairs.as_flattened(), 3 * pairs.len() + 100);
        }
        check(&encoding, decoded.as_flattened(), 3 * decoded.len() + 100);
    });
}
