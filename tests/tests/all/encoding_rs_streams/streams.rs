//! Streams that reach the corners of an encoding.

use quickcheck::{Arbitrary, Gen};

/// A stream of bytes, cut into sources, and the spaces of the destinations that it is decoded into.
#[derive(Clone, Debug)]
pub(crate) struct Bytes {
    pub(crate) sources: Vec<Vec<u8>>,
    pub(crate) spaces: Vec<usize>,
}

/// A stream of text, cut into sources, and the spaces of the destinations.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub(crate) sources: Vec<String>,
    /// The same in UTF-16, with unpaired surrogates.
    pub(crate) units: Vec<Vec<u16>>,
    pub(crate) spaces: Vec<usize>,
}

/// Pieces with a meaning in some encodings: byte order marks, escape sequences, whole and broken sequences.
const PIECES: [&[u8]; 48] = [
    b"a",
    b"b",
    b"abc",
    b"a longer piece of ASCII",
    b"\x0E",
    b"\x1B",
    b"\x00",
    b"\x1B$B",
    b"\x1B$@",
    b"\x1B(B",
    b"\x1B(J",
    b"\x1B(I",
    b"\x1B$A",
    b"\x1B$",
    b"$\"",
    b"$",
    b"1",
    b"\\~",
    b"\xEF\xBB\xBF",
    b"\xEF\xBB",
    b"\xEF",
    b"\xFE\xFF",
    b"\xFF\xFE",
    b"\xC3\xA9",
    b"\xE2\x82\xAC",
    b"\xE2\x82",
    b"\xF0\x9F\x92\xA9",
    b"\xF0\x9F",
    b"\x82\xA0",
    b"\x82",
    b"\xB0\xA1",
    b"\x8F\xB0\xA1",
    b"\x8E\xB1",
    b"\x88\x62",
    b"\xA4\x40",
    b"\x81\x30\x81\x30",
    b"\x90\x30\x81\x30",
    b"\x81\x30\x81",
    b"\x81\x30",
    b"\x81",
    b"\xFF",
    b"\x80",
    b"\x3D\xD8\xA9\xDC",
    b"\x3D\xD8",
    b"\xA9\xDC",
    b"\xD8\x3D\xDC\xA9",
    b"a\0b\0c\0",
    b"\0a\0b\0c",
];

/// Characters that differ in how encodings treat them.
const CHARACTERS: [char; 24] = [
    'a', 'b', 'c', ' ', '\\', '~', '\u{E}', '\u{1B}', 'é', 'ë', '¥', '‾', 'а', '€', 'あ', '漢', '一', '가', 'ｱ', '☃',
    '\u{E5E5}', '\u{FFFD}', '💩', '𠀋',
];

/// Cuts `items` into one to four parts.
fn cut<T: Clone>(g: &mut Gen, items: &[T]) -> Vec<Vec<T>> {
    let mut cuts: Vec<usize> = (0..usize::arbitrary(g) % 4).map(|_| usize::arbitrary(g) % (items.len() + 1)).collect();
    cuts.sort_unstable();
    cuts.insert(0, 0);
    cuts.push(items.len());
    cuts.windows(2).map(|cut| items[cut[0]..cut[1]].to_vec()).collect()
}

/// Spaces of destinations, often small.
fn spaces(g: &mut Gen) -> Vec<usize> {
    (0..8)
        .map(|_| match usize::arbitrary(g) % 4 {
            0 => usize::arbitrary(g) % 6,
            1 => usize::arbitrary(g) % 16,
            2 => usize::arbitrary(g) % 40,
            _ => usize::arbitrary(g) % 300,
        })
        .collect()
}

impl Arbitrary for Bytes {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut bytes = Vec::new();
        let count = usize::arbitrary(g) % 12;
        // A few pieces, so that the same sequence often comes again.
        let own: Vec<&[u8]> = (0..4).map(|_| *g.choose(&PIECES).unwrap()).collect();
        for _ in 0..count {
            match usize::arbitrary(g) % 8 {
                0 => bytes.push(u8::arbitrary(g)),
                1 => bytes.extend_from_slice(g.choose(&PIECES).unwrap()),
                2 => bytes.extend_from_slice(&g.choose(&own).unwrap().repeat(usize::arbitrary(g) % 20)),
                _ => bytes.extend_from_slice(g.choose(&own).unwrap()),
            }
        }
        Bytes { sources: cut(g, &bytes), spaces: spaces(g) }
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let Bytes { sources, spaces } = self.clone();
        let (same_sources, same_spaces) = (sources.clone(), spaces.clone());
        let fewer = sources.shrink().map(move |sources| Bytes { sources, spaces: same_spaces.clone() });
        let smaller = spaces.shrink().filter(|spaces| !spaces.is_empty());
        Box::new(fewer.chain(smaller.map(move |spaces| Bytes { sources: same_sources.clone(), spaces })))
    }
}

impl Arbitrary for Text {
    fn arbitrary(g: &mut Gen) -> Self {
        let own: Vec<char> = (0..4).map(|_| *g.choose(&CHARACTERS).unwrap()).collect();
        let count = usize::arbitrary(g) % 30;
        let mut text = Vec::new();
        for _ in 0..count {
            match usize::arbitrary(g) % 8 {
                0 => text.push(char::arbitrary(g)),
                1 => text.push(*g.choose(&CHARACTERS).unwrap()),
                2 => text.extend(vec![*g.choose(&own).unwrap(); usize::arbitrary(g) % 20]),
                _ => text.push(*g.choose(&own).unwrap()),
            }
        }
        let sources = cut(g, &text).into_iter().map(String::from_iter).collect();
        let mut units: Vec<u16> = String::from_iter(&text).encode_utf16().collect();
        if bool::arbitrary(g) && !units.is_empty() {
            let at = usize::arbitrary(g) % units.len();
            units[at] = *g.choose(&[0xD800, 0xDBFF, 0xDC00, 0xDFFF]).unwrap();
        }
        Text { sources, units: cut(g, &units), spaces: spaces(g) }
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let Text { sources, units, spaces } = self.clone();
        let (a, b) = (self.clone(), self.clone());
        let c = self.clone();
        let sources = sources.shrink().map(move |sources| Text { sources, ..a.clone() });
        let units = units.shrink().map(move |units| Text { units, ..b.clone() });
        let spaces = spaces.shrink().filter(|spaces| !spaces.is_empty());
        Box::new(sources.chain(units).chain(spaces.map(move |spaces| Text { spaces, ..c.clone() })))
    }
}
