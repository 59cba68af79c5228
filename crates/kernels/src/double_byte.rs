//! Encodings in which a byte of a lead range takes the next byte with it, and both together are a place in a table.

use crate::{
    level::{dispatch, return_avx512},
    scalar,
    scalar::malformed::alternately,
    to_double_byte::Listed,
    utf16,
};

/// What stands in a table where there is no character. No encoding has U+FFFD. A surrogate stands for what is no single code
/// unit, and is left to the caller.
pub const NULL: u16 = crate::single_byte::NULL;

/// An encoding of ASCII, single bytes and pairs of bytes.
#[derive(Clone, Copy, Debug)]
pub struct DoubleByte<'a> {
    /// By row and column, and at the end [`NULL`] twice; at most [`NO_ROW`] rows.
    pub table: &'a [u16],
    /// How many columns a row has.
    pub columns: u16,
    /// For the bytes from 0x80 on: the row of a leading byte, [`NO_ROW`] if it has none in the table; [`ALONE`] for others.
    pub rows: &'a [u8; 128],
    /// For the bytes from 0x80 on that are no leading bytes: their code unit; [`NULL`] if they have none.
    pub singles: &'a [u16; 128],
    /// The trailing bytes that have columns in the table.
    pub trailing: &'a Columns,
    /// Most of what has no place in the table, for vectors.
    pub rules: Option<&'a Rules<'a>>,
    /// The code unit of a leading byte and the byte after it, for which the table has none. It gets these two bytes, and of those behind
    /// them as many as are known; [`NULL`] if the pair is malformed, [`CALLERS`] if it may yet be something else. What `rules` say it
    /// says, too.
    pub others: fn(&[u8]) -> u16,
}

/// The least byte that follows a leading byte in any encoding: no [`DoubleByte::others`] knows one before it.
pub const FIRST_TRAILING: u8 = 0x30;

/// Pairs whose code units follow from their bytes. The leading bytes are 0x81 to 0xFE.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'a> {
    /// For each leading byte two rules, for trailing bytes less than 0xA1 and for the others: what the first trailing byte has, or
    /// would have; [`NULL`] without a rule. From [`Self::CODE_POINT`] on it is a code point, before that a number in `unlisted`.
    /// Another trailing byte has as much more as there are trailing bytes between them.
    pub halves: &'a [[u16; 2]; 126],
    /// The first trailing byte. The last is 0xFE.
    pub first: u8,
    /// Bytes between them that are none: the first, and how many.
    pub gaps: [(u8, u8); 2],
    /// A code point that no pair has, whatever follows from the rules.
    pub but: u16,
    /// What has numbers.
    pub unlisted: &'a Unlisted<'a>,
    /// What has none.
    pub listed: &'a Listed<'a>,
}

impl Rules<'_> {
    /// See [`Self::halves`].
    pub const CODE_POINT: u16 = 0x8000;
}

/// Code points that [`Listed`] does not list, with numbers in their order. Between the first and the last of them all are in the
/// index, listed or not.
#[derive(Clone, Copy, Debug)]
pub struct Unlisted<'a> {
    /// Where numbers begin, a multiple of 256.
    pub first: u16,
    /// How many have numbers.
    pub count: u16,
    /// For every [`Self::SAMPLE`]th number its block of 32 code points, counted from `first` on; and one more.
    pub samples: &'a [u16],
}

impl Unlisted<'_> {
    /// How far apart samples are.
    pub const SAMPLE: u16 = 32;
}

/// The columns of trailing bytes.
#[derive(Clone, Copy, Debug)]
pub struct Columns {
    /// By range.
    #[cfg_attr(
        not(any(target_arch = "x86_64", target_arch = "aarch64")),
        allow(dead_code, reason = "only vectors compute columns")
    )]
    pub(crate) ranges: [Trailing; 2],
    /// By byte; [`NO_COLUMN`] if it has none.
    pub(crate) of: [u16; 256],
}

/// The columns of the 94 bytes that every encoding of the EUC kind has.
pub static EUC: Columns = Columns::new([Trailing { first: 0xA1, last: 0xFE, column: 0 }; 2]);

impl Columns {
    /// Those of two ranges, or twice of one.
    #[must_use]
    pub const fn new(ranges: [Trailing; 2]) -> Self {
        let mut of = [NO_COLUMN; 256];
        let mut at = 0;
        while at < ranges.len() {
            let Trailing { first, last, column } = ranges[at];
            let mut byte = first;
            while byte <= last {
                of[byte as usize] = (column + (byte - first)) as u16;
                byte += 1;
            }
            at += 1;
        }
        Columns { ranges, of }
    }
}

/// A range of trailing bytes.
#[derive(Clone, Copy, Debug)]
pub struct Trailing {
    /// The first byte of the range.
    pub first: u8,
    /// The last byte of the range.
    pub last: u8,
    /// The column of the first byte.
    pub column: u8,
}

/// Not the column of a trailing byte.
pub(crate) const NO_COLUMN: u16 = 0xFFFF;
/// In [`DoubleByte::rows`]: a leading byte without a row in the table. No table has so many rows, and with 255 columns it would have less
/// than 0x8000 places.
pub const NO_ROW: u8 = 0x7E;
/// In [`DoubleByte::rows`]: not a leading byte.
pub const ALONE: u8 = 0xFF;

/// [`DoubleByte::rows`] from ranges of leading bytes, each with the row of its first byte, or with [`NO_ROW`].
#[must_use]
pub const fn rows(ranges: &[(core::ops::RangeInclusive<u8>, u8)]) -> [u8; 128] {
    let mut rows = [ALONE; 128];
    let mut at = 0;
    while at < ranges.len() {
        let (range, row) = &ranges[at];
        let mut leading = *range.start();
        while leading <= *range.end() {
            rows[leading as usize - 0x80] = if *row == NO_ROW { NO_ROW } else { *row + (leading - *range.start()) };
            leading += 1;
        }
        at += 1;
    }
    rows
}

/// [`DoubleByte::others`] of an encoding whose table has all.
#[must_use]
pub fn no_others(_: &[u8]) -> u16 {
    NULL
}

/// A surrogate, for what the caller knows to convert.
pub const CALLERS: u16 = 0xDFFF;

/// Whether the caller has a meaning of its own for `unit`.
pub const fn is_surrogate(unit: u16) -> bool {
    unit & 0xF800 == 0xD800
}

impl DoubleByte<'_> {
    /// The code unit of a pair of which `leading` is a leading byte; [`NULL`] or a surrogate if there is none.
    #[must_use]
    pub fn pair(&self, leading: u8, trailing: u8) -> u16 {
        let unit = self.listed(leading, trailing);
        if unit == NULL { (self.others)(&[leading, trailing]) } else { unit }
    }

    /// What the table has for a pair. Nothing if `leading` is no leading byte.
    #[inline(always)]
    pub(crate) fn listed(&self, leading: u8, trailing: u8) -> u16 {
        let row = self.rows[usize::from(leading & 0x7F)];
        let column = self.trailing.of[usize::from(trailing)];
        // Without a row or a column, this is behind the table.
        let place = usize::from(row) * usize::from(self.columns) + usize::from(column);
        self.table.get(place).copied().unwrap_or(NULL)
    }
}

/// Converts a prefix to UTF-16. Stops before what has no code unit, before a leading byte at the end, and when
/// `destination` is full. Returns `(read, written)`.
pub fn to_utf16(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    dispatch!(double_byte::to_utf16(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u16]) -> (usize, usize))
}

/// Converts a prefix to UTF-8. Stops as [`to_utf16`] does. Returns `(read, written)`.
pub fn to_utf8(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    dispatch!(double_byte::to_utf8(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u8]) -> (usize, usize))
}

/// Converts a prefix to UTF-16 with U+FFFD, which is [`NULL`], in place of errors. Stops before what is the caller's, and leaves
/// the last bytes if a pair could go on behind them, and some when `destination` gets full. Returns `(read, written)`.
pub fn to_utf16_replacing(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    return_avx512!(double_byte::to_utf16_replacing(encoding, source, destination));
    alternately(
        source,
        destination,
        &|source, destination| to_utf16(encoding, source, destination),
        &|source, destination| scalar::malformed::double_byte_to_utf16(encoding, source, destination),
    )
}

/// The same to UTF-8.
pub fn to_utf8_replacing(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    return_avx512!(double_byte::to_utf8_replacing(encoding, source, destination));
    alternately(
        source,
        destination,
        &|source, destination| to_utf8(encoding, source, destination),
        &|source, destination| {
            utf16::by_way_of(source, destination, &|source, units| {
                scalar::malformed::double_byte_to_utf16(encoding, source, units)
            })
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{level::at_every_level, scalar::double_byte as scalar, tests::Random};

    /// Leading bytes 0x81 to 0x9F and 0xE0 to 0xFC, the last of them without rows, 188 columns, single bytes between them;
    /// holes and surrogates here and there, and some others for the holes.
    fn with_encoding(test: impl Fn(&DoubleByte<'_>)) {
        let mut rows: [u8; 128] = std::array::from_fn(|at| match at as u8 + 0x80 {
            leading @ 0x81..=0x9F => leading - 0x81,
            leading @ 0xE0..=0xF7 => leading - 0xC1,
            0xF8..=0xFC => NO_ROW,
            _ => ALONE,
        });
        // Rows need not follow one another as bytes do.
        rows.swap(0x05, 0x0C);
        let singles: [u16; 128] = std::array::from_fn(|at| match at {
            0x00 => 0x80,
            0x21..=0x5F => 0xFF40 + at as u16,
            _ => NULL,
        });
        let table: Vec<u16> = (0..=55 * 188 + 1)
            .map(|place| match place % 977 {
                _ if place >= 55 * 188 => NULL,
                0 | 10 => NULL,
                1 => 0xD800,
                // The first of three bytes in UTF-8, and the last of two.
                11 => 0x800,
                12 => 0x7FF,
                // Of two bytes in UTF-8, some of them.
                _ if place % 13 == 2 => 0x80 + place % 0x780,
                _ => 0x3000 + place,
            })
            .collect();
        // Some of what the table lacks, also with bytes that trail nothing in the table.
        let others = |bytes: &[u8]| match *bytes {
            [0x80..=0x90, trailing @ 0x30..=0xFF, ..] | [0xF8..=0xFF, trailing @ 0x30..=0x7F, ..] => {
                0xE000 + u16::from(trailing)
            }
            _ => NULL,
        };
        let trailing =
            [Trailing { first: 0x40, last: 0x7E, column: 0 }, Trailing { first: 0x80, last: 0xFC, column: 63 }];
        at_every_level(|_| {
            test(&DoubleByte {
                table: &table,
                columns: 188,
                rows: &rows,
                singles: &singles,
                trailing: &Columns::new(trailing),
                rules: None,
                others,
            });
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

    /// A text of ASCII, pairs and single bytes, some of them wrong.
    fn text(length: usize, wrong: usize, random: &mut Random) -> Vec<u8> {
        let mut text = Vec::new();
        while text.len() < length {
            match random.below(8) {
                0 => text.extend(core::iter::repeat_n(b'a', random.below(90))),
                1 => text.push(0xA1 + random.below(0x3F) as u8),
                _ => {
                    for _ in 0..random.below(40) {
                        let leading =
                            if random.below(2) == 0 { 0x81 + random.below(31) } else { 0xE0 + random.below(29) };
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

    /// What `source` becomes with U+FFFD in place of errors, a sequence at a time, up to what is the caller's or may go on behind
    /// the end; and how many bytes that is.
    fn replaced(encoding: &DoubleByte<'_>, source: &[u8]) -> (Vec<u16>, usize) {
        let (mut text, mut read) = (vec![0; source.len()], 0);
        let mut written = 0;
        loop {
            let (bytes, units) = scalar::to_utf16(encoding, &source[read..], &mut text[written..]);
            (read, written) = (read + bytes, written + units);
            let length = match source[read..] {
                [single, ..] if encoding.rows[usize::from(single & 0x7F)] == ALONE => 1,
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

    /// Errors may be left, but what is converted is right, and only little is left where there is room.
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
    fn errors_are_replaced_wherever_they_are() {
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
            // A pair with a byte of ASCII behind it, a pair without, a byte, and one that belongs to the caller.
            for error in [&[0x95, b' '], &[0x95, 0xFF], &[0xA0, b'a'], &[0x81, 0x41]] {
                for length in [60, 64, 65, 66, 70, 128, 130, 140] {
                    // In ASCII a block becomes as many units as there are lanes.
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
    fn every_level_does_as_the_scalar_one_on_short_texts_of_every_length() {
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
    fn every_level_does_as_the_scalar_one_on_texts_of_several_chunks() {
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

    /// At every length up to 200 and every position in it: an error, an end in the middle, and a destination that is full; at
    /// ever another place in memory.
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

    /// Up to 20 pairs, fewer and more than are few, anywhere in a step and over its edges.
    #[test]
    fn a_few_pairs_among_ascii() {
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

    /// Some more than half pairs everywhere, so that steps and chunks of many follow each other, with anything anywhere in them.
    #[test]
    fn many_pairs_with_others_between_them() {
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

    /// Whether a run starts before or after the edge of a step, and how long it is.
    #[test]
    fn runs_of_the_lead_range_across_every_edge() {
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
}
