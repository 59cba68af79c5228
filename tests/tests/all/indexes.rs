//! The indexes: the decoders and encoders get every pointer of every `indexes/index-*.txt`. The arithmetic and the
//! parser are written here, and are not those that made the tables. Every Identifier is recomputed.

use std::{
    collections::{HashMap, HashSet},
    fs,
    path::PathBuf,
};

use sha2::{Digest, Sha256};
use textcodec::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, ISO_2022_JP, SHIFT_JIS,
    index::{self, index_code_point, index_pointer},
};
use textcodec_tests::decode_in_both_layers;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../indexes")
}

/// An index as a list of pairs, in the order of the file.
pub(crate) fn pairs(name: &str) -> Vec<(u32, char)> {
    let text = fs::read_to_string(folder().join(format!("index-{name}.txt"))).unwrap();
    let mut pairs = Vec::new();
    for line in text.lines() {
        let mut words = line.split_ascii_whitespace();
        let Some(pointer) = words.next().filter(|word| !word.starts_with('#')) else { continue };
        let code_point = u32::from_str_radix(&words.next().unwrap()[2..], 16).unwrap();
        pairs.push((pointer.parse().unwrap(), char::from_u32(code_point).unwrap()));
    }
    pairs
}

/// An index as an array over all `length` pointers.
fn array(name: &str, length: usize) -> Vec<Option<char>> {
    let mut array = vec![None; length];
    for (pointer, code_point) in pairs(name) {
        assert!(array[pointer as usize].replace(code_point).is_none(), "{name}: pointer {pointer} stands twice");
    }
    array
}

/// A value for each code point. This is an array because the tests look all code points up, for which a hash map takes
/// several times as long.
struct ByCodePoint<T>(Vec<Option<T>>);

impl<T: Copy> ByCodePoint<T> {
    fn new() -> Self {
        ByCodePoint(vec![None; char::MAX as usize + 1])
    }

    fn get(&self, code_point: char) -> Option<T> {
        self.0[code_point as usize]
    }

    fn insert(&mut self, code_point: char, value: T) {
        self.0[code_point as usize] = Some(value);
    }

    fn insert_first(&mut self, code_point: char, value: T) {
        self.0[code_point as usize].get_or_insert(value);
    }
}

/// The first pointer of every code point.
fn first_pointers(array: &[Option<char>]) -> ByCodePoint<usize> {
    let mut first = ByCodePoint::new();
    for (pointer, code_point) in array.iter().enumerate() {
        if let Some(code_point) = code_point {
            first.insert_first(*code_point, pointer);
        }
    }
    first
}

fn encode(encoding: Encoding, code_point: char) -> Option<Vec<u8>> {
    encoding.encode_or_fail(code_point.encode_utf8(&mut [0; 4])).ok().map(Into::into)
}

/// Fails unless `bytes(pointer)` is decoded to the code point of each pointer, and is malformed if there is no code
/// point.
fn check_decoder(encoding: Encoding, array: &[Option<char>], bytes: impl Fn(usize) -> Vec<u8>) {
    for (pointer, code_point) in array.iter().enumerate() {
        assert_eq!(
            decode_in_both_layers(encoding, &bytes(pointer)),
            code_point.map(String::from),
            "{encoding}: pointer {pointer}"
        );
    }
}

const SINGLE_BYTE: [&str; 27] = [
    "ibm866",
    "iso-8859-2",
    "iso-8859-3",
    "iso-8859-4",
    "iso-8859-5",
    "iso-8859-6",
    "iso-8859-7",
    "iso-8859-8",
    "iso-8859-10",
    "iso-8859-13",
    "iso-8859-14",
    "iso-8859-15",
    "iso-8859-16",
    "koi8-r",
    "koi8-u",
    "macintosh",
    "windows-874",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
    "x-mac-cyrillic",
];

#[test]
fn there_are_34_indexes_and_every_identifier_is_that_of_the_standard() {
    let fingerprints = fs::read_to_string(folder().join("fingerprints.csv")).unwrap();
    let mut count = 0;
    for line in fingerprints.lines().filter(|line| !line.starts_with('#') && !line.starts_with("index,")) {
        let [name, identifier, date, entries, pointers] = line.split(',').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let pairs = pairs(name);
        assert_eq!(pairs.len(), entries.parse::<usize>().unwrap(), "{name}");
        let items: Vec<String> = if name == "gb18030-ranges" {
            pairs.iter().map(|(pointer, code_point)| format!("[{pointer}, {}]", u32::from(*code_point))).collect()
        } else {
            let array = array(name, pointers.parse().unwrap());
            array.into_iter().map(|item| item.map_or("None".into(), |item| u32::from(item).to_string())).collect()
        };
        let digest = Sha256::digest(format!("[{}]", items.join(", ")));
        let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(digest, identifier, "{name}");
        let text = fs::read_to_string(folder().join(format!("index-{name}.txt"))).unwrap();
        assert!(text.contains(&format!("# Identifier: {identifier}\n")), "{name}");
        assert!(text.contains(&format!("# Date: {date}\n")), "{name}");
        count += 1;
    }
    assert_eq!(count, 34);
}

#[test]
fn every_index_as_a_value_is_the_file_in_both_directions() {
    assert_eq!(index::ALL.len(), 34);
    for &value in index::ALL {
        let entries: Vec<(usize, char)> =
            pairs(value.name()).into_iter().map(|(at, item)| (at as usize, item)).collect();
        assert_eq!(value.iter().collect::<Vec<_>>(), entries, "{value:?}");
        let mut by_pointer = vec![None; 1_600_000];
        entries.iter().for_each(|&(pointer, code_point)| by_pointer[pointer] = Some(code_point));
        // Sequences of four bytes in gb18030 have this many pointers; the indexes have fewer.
        for pointer in (0..1_600_000).chain([usize::MAX - 1, usize::MAX]) {
            let expected = by_pointer.get(pointer).copied().flatten();
            assert_eq!(index_code_point(pointer, value), expected, "{value:?}: {pointer}");
        }
        let mut first = ByCodePoint::new();
        entries.iter().for_each(|&(pointer, code_point)| first.insert_first(code_point, pointer));
        // These indexes have no complete table of pointers. A search for each of a million code points would take too
        // long.
        let step = if ["big5", "jis0212"].contains(&value.name()) { 61 } else { 1 };
        for code_point in entries.into_iter().map(|entry| entry.1).chain(('\0'..=char::MAX).step_by(step)) {
            assert_eq!(index_pointer(code_point, value), first.get(code_point), "{value:?}: {code_point:?}");
        }
    }
}

#[test]
fn indexes_have_code_points_with_several_pointers_and_the_first_one_wins() {
    for (value, code_point, pointer) in [
        (index::BIG5, '\u{5341}', 5287),
        (index::BIG5, '\u{2550}', 5247),
        (index::GB18030, '\u{3000}', 6176),
        (index::JIS0208, '\u{2252}', 159),
        (index::JIS0208, '纊', 8272),
    ] {
        assert_eq!(index_pointer(code_point, value), Some(pointer), "{value:?}: {code_point:?}");
        let all: Vec<usize> = value.iter().filter(|entry| entry.1 == code_point).map(|entry| entry.0).collect();
        assert!(all.len() > 1 && all[0] == pointer, "{value:?}: {code_point:?} {all:?}");
    }
}

#[test]
fn index_shift_jis_pointer_excludes_the_copies() {
    let mut expected = ByCodePoint::new();
    for (pointer, code_point) in pairs("jis0208") {
        if !(8272..=8835).contains(&pointer) {
            expected.insert_first(code_point, pointer as usize);
        }
    }
    for code_point in '\0'..=char::MAX {
        assert_eq!(index::index_shift_jis_pointer(code_point), expected.get(code_point), "{code_point:?}");
    }
}

#[test]
fn index_big5_pointer_excludes_the_first_rows_and_takes_some_last_pointers() {
    let mut expected = ByCodePoint::new();
    for (pointer, code_point) in pairs("big5").into_iter().filter(|&(pointer, _)| pointer >= (0xA1 - 0x81) * 157) {
        if "═╞╡╪十卅".contains(code_point) {
            expected.insert(code_point, pointer as usize);
        } else {
            expected.insert_first(code_point, pointer as usize);
        }
    }
    for code_point in '\0'..=char::MAX {
        assert_eq!(index::index_big5_pointer(code_point), expected.get(code_point), "{code_point:?}");
    }
}

#[test]
fn index_gb18030_ranges_in_both_directions() {
    let ranges = pairs("gb18030-ranges");
    let in_index: HashSet<char> = pairs("gb18030").into_iter().map(|(_, code_point)| code_point).collect();
    let mut seen = HashSet::new();
    for pointer in 0..1_600_000 {
        let expected = match pointer {
            39420..189_000 | 1_237_576.. => None,
            7457 => Some('\u{E7C7}'),
            _ => {
                let (first, code_point) = ranges[ranges.partition_point(|&(first, _)| first <= pointer) - 1];
                char::from_u32(u32::from(code_point) + pointer - first)
            }
        };
        assert_eq!(index::index_gb18030_ranges_code_point(pointer as usize), expected, "{pointer}");
        if let Some(code_point) = expected.filter(|code_point| !in_index.contains(code_point)) {
            assert_eq!(index::index_gb18030_ranges_pointer(code_point), Some(pointer as usize), "{code_point:?}");
            seen.insert(code_point);
        }
    }
    assert_eq!(index::index_gb18030_ranges_pointer('\u{7F}'), None);
    assert_eq!(index::index_gb18030_ranges_code_point(usize::MAX), None);
    // All scalar values but ASCII and the index are in ranges, except U+E5E5 and the 18 code points of the side table.
    let rest = ('\u{80}'..=char::MAX).filter(|code_point| !in_index.contains(code_point) && !seen.contains(code_point));
    assert_eq!(rest.count(), 19);
}

#[test]
fn single_byte_indexes() {
    for name in SINGLE_BYTE {
        let array = array(name, 128);
        let first = first_pointers(&array);
        let also = (name == "iso-8859-8").then(|| Encoding::for_label("iso-8859-8-i").unwrap());
        for encoding in [Some(Encoding::for_label(name).unwrap()), also].into_iter().flatten() {
            check_decoder(encoding, &array, |pointer| vec![0x80 + pointer as u8]);
            for code_point in '\u{80}'..=char::MAX {
                let expected = first.get(code_point).map(|pointer| vec![0x80 + pointer as u8]);
                assert_eq!(encode(encoding, code_point), expected, "{encoding}: {code_point:?}");
            }
        }
    }
}

#[test]
fn index_euc_kr() {
    let array = array("euc-kr", 126 * 190);
    let first = first_pointers(&array);
    let bytes = |pointer: usize| vec![0x81 + (pointer / 190) as u8, 0x41 + (pointer % 190) as u8];
    check_decoder(EUC_KR, &array, bytes);
    for code_point in '\u{80}'..=char::MAX {
        assert_eq!(encode(EUC_KR, code_point), first.get(code_point).map(bytes), "{code_point:?}");
    }
}

#[test]
fn index_big5() {
    let array = array("big5", 126 * 157);
    let bytes = |pointer: usize| {
        let trailing = (pointer % 157) as u8;
        vec![0x81 + (pointer / 157) as u8, if trailing < 63 { 0x40 + trailing } else { trailing - 63 + 0xA1 }]
    };
    for (pointer, code_point) in array.iter().enumerate() {
        let expected = match pointer {
            1133 => Some("Ê\u{304}".into()),
            1135 => Some("Ê\u{30C}".into()),
            1164 => Some("ê\u{304}".into()),
            1166 => Some("ê\u{30C}".into()),
            _ => code_point.map(String::from),
        };
        assert_eq!(decode_in_both_layers(BIG5, &bytes(pointer)), expected, "{pointer}");
    }
    let mut pointers = ByCodePoint::new();
    for (pointer, code_point) in array.iter().enumerate().skip(32 * 157) {
        let Some(code_point) = *code_point else { continue };
        if "═╞╡╪十卅".contains(code_point) {
            pointers.insert(code_point, pointer);
        } else {
            pointers.insert_first(code_point, pointer);
        }
    }
    for code_point in '\u{80}'..=char::MAX {
        assert_eq!(encode(BIG5, code_point), pointers.get(code_point).map(bytes), "{code_point:?}");
    }
}

#[test]
fn index_gb18030_and_its_ranges() {
    let array = array("gb18030", 126 * 190);
    let first = first_pointers(&array);
    assert!(array.iter().all(Option::is_some));
    let bytes = |pointer: usize| {
        let trailing = (pointer % 190) as u8;
        vec![0x81 + (pointer / 190) as u8, if trailing < 63 { 0x40 + trailing } else { trailing - 63 + 0x80 }]
    };
    check_decoder(GB18030, &array, bytes);
    check_decoder(GBK, &array, bytes);

    let ranges = pairs("gb18030-ranges");
    assert_eq!(ranges.len(), 207);
    let four_bytes = |pointer: u32| {
        vec![
            0x81 + (pointer / 12600) as u8,
            0x30 + (pointer / 1260 % 10) as u8,
            0x81 + (pointer / 10 % 126) as u8,
            0x30 + (pointer % 10) as u8,
        ]
    };
    let mut by_range = ByCodePoint::new();
    for (at, &(start, code_point)) in ranges.iter().enumerate() {
        let end = ranges.get(at + 1).map_or(1_237_576, |range| if range.0 == 189_000 { 39_420 } else { range.0 });
        for pointer in start..end {
            let code_point = if pointer == 7457 {
                '\u{E7C7}'
            } else {
                char::from_u32(u32::from(code_point) + pointer - start).unwrap()
            };
            assert_eq!(
                decode_in_both_layers(GB18030, &four_bytes(pointer)),
                Some(code_point.into()),
                "pointer {pointer}"
            );
            by_range.insert(code_point, pointer);
        }
    }
    for pointer in (39_420..189_000).chain(1_237_576..126 * 12600) {
        assert_eq!(decode_in_both_layers(GB18030, &four_bytes(pointer)), None, "pointer {pointer}");
    }

    let side_table: HashMap<char, Vec<u8>> = [
        (0xE78D, [0xA6, 0xD9]),
        (0xE78E, [0xA6, 0xDA]),
        (0xE78F, [0xA6, 0xDB]),
        (0xE790, [0xA6, 0xDC]),
        (0xE791, [0xA6, 0xDD]),
        (0xE792, [0xA6, 0xDE]),
        (0xE793, [0xA6, 0xDF]),
        (0xE794, [0xA6, 0xEC]),
        (0xE795, [0xA6, 0xED]),
        (0xE796, [0xA6, 0xF3]),
        (0xE81E, [0xFE, 0x59]),
        (0xE826, [0xFE, 0x61]),
        (0xE82B, [0xFE, 0x66]),
        (0xE82C, [0xFE, 0x67]),
        (0xE832, [0xFE, 0x6D]),
        (0xE843, [0xFE, 0x7E]),
        (0xE854, [0xFE, 0x90]),
        (0xE864, [0xFE, 0xA0]),
    ]
    .into_iter()
    .map(|(code_point, bytes)| (char::from_u32(code_point).unwrap(), bytes.to_vec()))
    .collect();
    for code_point in '\u{80}'..=char::MAX {
        let two = side_table.get(&code_point).cloned().or_else(|| first.get(code_point).map(bytes));
        let (gb18030, gbk) = match code_point {
            '\u{E5E5}' => (None, None),
            '€' => (two, Some(vec![0x80])),
            _ => (two.clone().or_else(|| Some(four_bytes(by_range.get(code_point).unwrap()))), two),
        };
        assert_eq!(encode(GB18030, code_point), gb18030, "{code_point:?}");
        assert_eq!(encode(GBK, code_point), gbk, "{code_point:?}");
    }
}

#[test]
fn index_jis0208_in_three_encodings() {
    let array = array("jis0208", 60 * 188);
    let first = first_pointers(&array);

    let shift_jis = |pointer: usize| {
        let (leading, trailing) = ((pointer / 188) as u8, (pointer % 188) as u8);
        let leading = if leading < 31 { 0x81 + leading } else { leading - 31 + 0xE0 };
        vec![leading, if trailing < 63 { 0x40 + trailing } else { trailing - 63 + 0x80 }]
    };
    for (pointer, code_point) in array.iter().enumerate() {
        let expected = match pointer {
            8836..=10715 => char::from_u32(0xE000 + pointer as u32 - 8836),
            _ => *code_point,
        };
        assert_eq!(
            decode_in_both_layers(SHIFT_JIS, &shift_jis(pointer)),
            expected.map(String::from),
            "pointer {pointer}"
        );
    }
    check_decoder(EUC_JP, &array[..8836], |pointer| vec![0xA1 + (pointer / 94) as u8, 0xA1 + (pointer % 94) as u8]);
    check_decoder(ISO_2022_JP, &array[..8836], |pointer| {
        vec![0x1B, 0x24, 0x42, 0x21 + (pointer / 94) as u8, 0x21 + (pointer % 94) as u8]
    });

    let without_the_copies: Vec<_> =
        array.iter().enumerate().map(|(pointer, item)| item.filter(|_| !(8272..=8835).contains(&pointer))).collect();
    let shift_jis_first = first_pointers(&without_the_copies);
    let katakana = array_of_katakana();
    for code_point in '\u{81}'..=char::MAX {
        let wide = if code_point == '−' { '－' } else { code_point };
        let half_width = ('｡'..='ﾟ').contains(&code_point).then(|| (u32::from(code_point) - 0xFF61) as u8);
        let pointer = first.get(wide);

        let expected = match (code_point, half_width) {
            ('¥', _) => Some(vec![0x5C]),
            ('‾', _) => Some(vec![0x7E]),
            (_, Some(half_width)) => Some(vec![0xA1 + half_width]),
            _ => shift_jis_first.get(wide).map(shift_jis),
        };
        assert_eq!(encode(SHIFT_JIS, code_point), expected, "{code_point:?}");

        let expected = match (code_point, half_width) {
            ('¥', _) => Some(vec![0x5C]),
            ('‾', _) => Some(vec![0x7E]),
            (_, Some(half_width)) => Some(vec![0x8E, 0xA1 + half_width]),
            _ => pointer.map(|pointer| vec![0xA1 + (pointer / 94) as u8, 0xA1 + (pointer % 94) as u8]),
        };
        assert_eq!(encode(EUC_JP, code_point), expected, "{code_point:?}");

        let pointer = half_width.map_or(pointer, |half_width| first.get(katakana[usize::from(half_width)]));
        let expected = match code_point {
            '¥' => Some(b"\x1B(J\x5C\x1B(B".to_vec()),
            '‾' => Some(b"\x1B(J\x7E\x1B(B".to_vec()),
            _ => pointer.map(|pointer| {
                [&b"\x1B$B"[..], &[0x21 + (pointer / 94) as u8, 0x21 + (pointer % 94) as u8], b"\x1B(B"].concat()
            }),
        };
        assert_eq!(encode(ISO_2022_JP, code_point), expected, "{code_point:?}");
    }
}

fn array_of_katakana() -> Vec<char> {
    array("iso-2022-jp-katakana", 63).into_iter().map(Option::unwrap).collect()
}

#[test]
fn index_jis0212() {
    check_decoder(EUC_JP, &array("jis0212", 94 * 94), |pointer| {
        vec![0x8F, 0xA1 + (pointer / 94) as u8, 0xA1 + (pointer % 94) as u8]
    });
}

#[test]
fn index_iso_2022_jp_katakana_is_full_width() {
    let katakana = array_of_katakana();
    assert_eq!(katakana.len(), 63);
    assert_eq!((katakana[0], katakana[61], katakana[62]), ('。', '\u{309B}', '\u{309C}'));
}
