//! Decoding of encodings of one and two bytes per character: [Big5](https://encoding.spec.whatwg.org/#big5),
//! [EUC-JP](https://encoding.spec.whatwg.org/#euc-jp), [EUC-KR](https://encoding.spec.whatwg.org/#euc-kr),
//! [gb18030](https://encoding.spec.whatwg.org/#gb18030), GBK and
//! [Shift_JIS](https://encoding.spec.whatwg.org/#shift_jis).
//!
//! A byte of the lead range belongs together with the next byte, whatever that byte is. The drawing in
//! `docs/kernels.md#lead-and-trail-bytes` shows how vectors separate leading bytes from trailing bytes. The leading
//! byte of a pair gives a row, the trailing byte gives a column, and both give a place in a table:
//!
//! ```text
//! 88 9F ─► row = rows[0x88 - 0x80], column = trailing[0x9F] ─► table[row × columns + column]
//! ```

use crate::{
    level::{dispatch, return_avx512},
    scalar,
    scalar::malformed::alternately,
    single_byte::Characters,
    to_double_byte::Listed,
    utf16,
};

/// The entry of a table for a pair or byte without a character. No encoding has U+FFFD. A surrogate in a table stands
/// for a pair whose character is not a single code unit; the caller decodes such a pair.
pub const NULL: u16 = crate::single_byte::NULL;

/// The tables of a decoder for ASCII, single bytes and pairs of bytes.
#[derive(Clone, Copy, Debug)]
pub struct DoubleByte<'a> {
    /// The code units by row and column, and [`NULL`] twice at the end. There are at most [`NO_ROW`] rows.
    pub table: Table<'a>,
    /// The number of columns of a row.
    pub columns: u16,
    /// For each byte from 0x80 on: the row of a leading byte, [`NO_ROW`] for a leading byte without a row in the table,
    /// and [`ALONE`] for any other byte.
    pub rows: &'a [u8; 128],
    /// For each byte from 0x80 on that is no leading byte: its code unit, or [`NULL`] if it has none.
    pub singles: &'a Characters,
    /// The columns of trailing bytes.
    pub trailing: &'a Columns,
    /// Rules for most pairs that have no place in the table. Only vector bodies use them.
    pub rules: Option<&'a Rules<'a>>,
    /// The code unit of a pair for which the table has [`NULL`]. The function gets the two bytes, and up to two of the
    /// bytes after them if they are already known. It returns [`NULL`] for a malformed pair, and [`CALLERS`] for bytes
    /// that may start a longer sequence. For the pairs of `rules`, it returns the same code units as the rules.
    pub others: fn(&[u8]) -> u16,
}

/// The code units of pairs of bytes. None is ASCII, and none is greater than [`NULL`]. A surrogate stands for a pair that
/// the caller decodes.
///
/// A value of this type is a proof: [`to_utf8`] writes well-formed UTF-8 from every table.
#[derive(Clone, Copy, Debug)]
pub struct Table<'a>(&'a [u16]);

impl<'a> Table<'a> {
    /// # Panics
    /// If a code unit is ASCII or greater than [`NULL`]. In a `static`, that is an error of compilation.
    #[must_use]
    pub const fn new(units: &'a [u16]) -> Self {
        let mut at = 0;
        while at < units.len() {
            assert!(0x80 <= units[at] && units[at] <= NULL, "ASCII, U+FFFE or U+FFFF in a table of pairs");
            at += 1;
        }
        Table(units)
    }
}

impl core::ops::Deref for Table<'_> {
    type Target = [u16];

    #[inline(always)]
    fn deref(&self) -> &[u16] {
        self.0
    }
}

/// The least byte that can follow a leading byte. [`DoubleByte::others`] returns [`NULL`] for a pair with a lesser
/// trailing byte.
pub const FIRST_TRAILING: u8 = 0x30;

/// Rules for pairs outside of the table, whose code units follow from their bytes: the pairs of GBK and EUC-KR. The
/// leading bytes are 0x81 to 0xFE.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'a> {
    /// Two rules for each leading byte from 0x81 on: the first for trailing bytes below 0xA1, the second for all
    /// others. A rule is the value of the pair with the first trailing byte, or the value that it would have. The value
    /// of any other pair is greater by the number of trailing bytes before its own. A value from [`Self::CODE_POINT`]
    /// on is a code point, and a lesser one is the number of a code point in `unlisted`. [`NULL`] stands for no rule.
    pub halves: &'a [[u16; 2]; 126],
    /// The first trailing byte. The last trailing byte is 0xFE.
    pub first: u8,
    /// Two gaps in the range of trailing bytes: the first byte of the gap, and how many bytes it has.
    pub gaps: [(u8, u8); 2],
    /// A code point that no pair has, although one would follow from the rules.
    pub but: u16,
    /// The code points that rules give by their number.
    pub unlisted: &'a Unlisted<'a>,
    /// The table that does not list these code points.
    pub listed: &'a Listed<'a>,
}

impl Rules<'_> {
    /// The least value of a rule that is a code point; see [`Self::halves`].
    pub const CODE_POINT: u16 = 0x8000;
}

/// Code points that [`Listed`] does not list, each with a number in ascending order. All code points between the first
/// and the last of them are in the index, either listed there or numbered here.
#[derive(Clone, Copy, Debug)]
pub struct Unlisted<'a> {
    /// The code point from which numbers are counted, a multiple of 256.
    pub first: u16,
    /// The number of code points that have a number.
    pub count: u16,
    /// For every [`Self::SAMPLE`]th number, the block of 32 code points that contains its code point, counted from
    /// `first`; and one more entry, because a gather loads two.
    pub samples: &'a [u16],
}

impl Unlisted<'_> {
    /// The distance between two sampled numbers.
    pub const SAMPLE: u16 = 32;
}

/// The columns of trailing bytes.
#[derive(Clone, Copy, Debug)]
pub struct Columns {
    /// The trailing bytes as two ranges, which vector bodies compute columns from.
    #[cfg_attr(
        not(any(target_arch = "x86_64", target_arch = "aarch64")),
        allow(dead_code, reason = "only vector bodies compute columns from ranges")
    )]
    pub(crate) ranges: [Trailing; 2],
    /// The column of each byte; [`NO_COLUMN`] if it has none.
    pub(crate) of: [u16; 256],
}

/// The columns of the 94 bytes 0xA1 to 0xFE, which are the trailing bytes of the encodings that extend an EUC code.
pub static EUC: Columns = Columns::new([Trailing { first: 0xA1, last: 0xFE, column: 0 }; 2]);

impl Columns {
    /// The columns of two ranges. An encoding with a single range passes it twice.
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

/// A range of trailing bytes, which has consecutive columns.
#[derive(Clone, Copy, Debug)]
pub struct Trailing {
    /// The first byte of the range.
    pub first: u8,
    /// The last byte of the range.
    pub last: u8,
    /// The column of the first byte.
    pub column: u8,
}

/// The column of a byte that is no trailing byte. It is beyond the end of every table.
pub(crate) const NO_COLUMN: u16 = 0xFFFF;
/// The row of a leading byte without a row in the table. Tables have at most this many rows, and with 255 columns they
/// have fewer than 0x8000 places. See [`DoubleByte::rows`].
pub const NO_ROW: u8 = 0x7E;
/// The row of a byte that is no leading byte. See [`DoubleByte::rows`].
pub const ALONE: u8 = 0xFF;

/// [`DoubleByte::rows`] for ranges of leading bytes, each with the row of its first byte, or with [`NO_ROW`] for all of
/// its bytes.
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

/// [`DoubleByte::others`] of an encoding whose pairs are all in the table.
#[must_use]
pub fn no_others(_: &[u8]) -> u16 {
    NULL
}

/// The surrogate that [`DoubleByte::others`] returns for bytes that the caller decodes.
pub const CALLERS: u16 = 0xDFFF;

/// Whether `unit` is a surrogate, which stands for a pair that the caller decodes.
pub const fn is_surrogate(unit: u16) -> bool {
    unit & 0xF800 == 0xD800
}

impl DoubleByte<'_> {
    /// The code unit of a pair whose first byte is a leading byte; [`NULL`] or a surrogate if it has none.
    #[must_use]
    pub fn pair(&self, leading: u8, trailing: u8) -> u16 {
        let unit = self.listed(leading, trailing);
        if unit == NULL { self.other(&[leading, trailing]) } else { unit }
    }

    /// [`Self::others`] of `bytes`; [`NULL`] in place of ASCII, because the kernels rely on it that a pair becomes at least
    /// two bytes of UTF-8.
    pub(crate) fn other(&self, bytes: &[u8]) -> u16 {
        let unit = (self.others)(bytes);
        if unit < 0x80 { NULL } else { unit }
    }

    /// The entry of the table for a pair; [`NULL`] if `leading` is no leading byte or the pair is not in the table.
    #[inline(always)]
    pub(crate) fn listed(&self, leading: u8, trailing: u8) -> u16 {
        let row = self.rows[usize::from(leading & 0x7F)];
        let column = self.trailing.of[usize::from(trailing)];
        // Without a row or a column, the place is beyond the end of the table.
        let place = usize::from(row) * usize::from(self.columns) + usize::from(column);
        self.table.get(place).copied().unwrap_or(NULL)
    }
}

/// Decodes to UTF-16. Stops before bytes that have no single code unit, before a leading byte at the end of `source`,
/// and when `destination` is full. Returns `(read, written)`.
pub fn to_utf16(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    dispatch!(double_byte::to_utf16(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u16]) -> (usize, usize))
}

/// Decodes to UTF-8. Stops as [`to_utf16`] does. Returns `(read, written)`.
pub fn to_utf8(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    dispatch!(double_byte::to_utf8(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u8]) -> (usize, usize))
}

/// Decodes to UTF-16, with U+FFFD for each error, which is the [`NULL`] of the tables. Stops before a pair that the
/// caller decodes. Leaves up to a few bytes unread at the end of `source`, where a pair may be incomplete, and when
/// `destination` is nearly full. How many bytes it leaves differs between levels. Returns `(read, written)`.
pub fn to_utf16_replacing(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    return_avx512!(double_byte::to_utf16_replacing(encoding, source, destination));
    alternately(
        source,
        destination,
        &|source, destination| to_utf16(encoding, source, destination),
        &|source, destination| scalar::malformed::double_byte_to_utf16(encoding, source, destination),
    )
}

/// As [`to_utf16_replacing`], to UTF-8.
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
            0x00 => 0x80,
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
        let trailing =
            [Trailing { first: 0x40, last: 0x7E, column: 0 }, Trailing { first: 0x80, last: 0xFC, column: 63 }];
        at_every_level(|_| {
            test(&DoubleByte {
                table: Table::new(&table),
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

    /// A text of ASCII, pairs and single bytes, in which `wrong` random bytes replace others.
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

    /// The code units of `source` with U+FFFD for each error, one sequence at a time, up to a pair that the caller
    /// decodes or that the end cuts off; and how many bytes they take.
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
}
