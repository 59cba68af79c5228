//! Tables of pairs of bytes, as differences from an index of the Standard.
//!
//! A pair has a *place*: its row, by the leading byte, times the number of columns, plus its column, by the trailing
//! byte. The places are cut into segments. The places of most segments have the code points of consecutive pointers of
//! an index, or consecutive code points, or code points in a list:
//!
//! ```text
//! place       0            10          11            94           …
//! segment     │ Base 0     │ Literal 0 │ Base 11     │ Nothing    …
//! code point  index[0…9]   literals[0] index[11…93]  none
//! ```

use textcodec_kernels::double_byte::{ALONE, DoubleByte, NO_ROW, NULL};

use super::hangul;

/// What the places of a segment have. The number of a segment is that of its first place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// No code points.
    Nothing,
    /// The code points of an index: the number is a pointer.
    Base,
    /// Consecutive code points: the number is the first one.
    CodePoint,
    /// Code points in a list: the number is an index of the list.
    Literal,
}

/// The segments of a table by ascending place. Each one ends where the next one begins. The last one begins after the
/// last place.
pub(crate) struct Segments {
    /// The first place of each segment.
    pub(crate) starts: &'static [u16],
    pub(crate) numbers: &'static [u16],
    /// The kinds of four segments in a byte, that of the first one lowest: 0 for [`Kind::Nothing`], and so on.
    pub(crate) kinds: &'static [u8],
}

impl Segments {
    const fn len(&self) -> usize {
        self.starts.len()
    }

    /// The kind of a segment. A segment without a kind has nothing.
    #[inline]
    const fn kind(&self, at: usize) -> Kind {
        let kinds = if at / 4 < self.kinds.len() { self.kinds[at / 4] } else { 0 };
        match kinds >> (at % 4 * 2) & 3 {
            0 => Kind::Nothing,
            1 => Kind::Base,
            2 => Kind::CodePoint,
            _ => Kind::Literal,
        }
    }
}

/// What a table differs from.
#[derive(Clone, Copy)]
pub(crate) enum Base {
    /// *Index code point* of an index.
    Index(fn(u16) -> Option<char>),
    /// Another table, whose places are the pointers.
    Table(&'static Table),
}

/// A table of pairs.
pub(crate) struct Table {
    /// Two ranges of leading bytes. The rows of the second one follow those of the first one.
    pub(crate) leads: [(u8, u8); 2],
    /// Two ranges of trailing bytes. The columns of the second one follow those of the first one.
    pub(crate) trails: [(u8, u8); 2],
    pub(crate) base: Base,
    /// Whether the pairs that [`hangul`] knows are Hangul, which are in no segment then.
    pub(crate) has_hangul: bool,
    pub(crate) segments: Segments,
    /// For each row, the number of the segment with its first place, and one entry more for the end.
    pub(crate) rows: &'static [u16],
    /// The lower 16 bits of code points. U+FFFD stands for none, and a surrogate for two code points.
    pub(crate) literals: &'static [u16],
    /// A bit for each literal: whether the code point is in plane 2. The list may be too short for the last ones.
    pub(crate) planes: &'static [u8],
    /// The sequences of two code points.
    pub(crate) doubles: &'static [[u16; 2]],
    /// The code points with which these sequences begin.
    #[cfg_attr(not(feature = "encode"), allow(dead_code, reason = "only encoders hold a code point back"))]
    pub(crate) firsts: &'static [u16],
}

/// The code point of a pair, or its two code points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Character {
    One(char),
    /// The number of the sequence in the table's list.
    Two(u16),
}

/// The number of bytes in two ranges, up to a byte: the place of the byte among them.
const fn place_in(ranges: [(u8, u8); 2], byte: u8) -> Option<u16> {
    let [(first, last), (second, end)] = ranges;
    if first <= byte && byte <= last {
        Some((byte - first) as u16)
    } else if second <= byte && byte <= end {
        Some((byte - second) as u16 + (last - first) as u16 + 1)
    } else {
        None
    }
}

/// The byte with a place in two ranges, one of which may be empty.
const fn byte_at(ranges: [(u8, u8); 2], place: u16) -> u8 {
    let [(first, last), (second, _)] = ranges;
    let length = (last - first) as u16 + 1;
    if place < length { first + place as u8 } else { second + (place - length) as u8 }
}

impl Table {
    /// The number of a code point among those with which sequences of two begin, plus 1; 0 for none.
    #[cfg(feature = "encode")]
    pub(crate) fn held(&self, code_point: char) -> u16 {
        let is = |first: &u16| u32::from(*first) == code_point.into();
        self.firsts.iter().position(is).map_or(0, |number| number as u16 + 1)
    }

    /// The code point with a number that [`held`](Self::held) gives.
    #[cfg(feature = "encode")]
    pub(crate) fn held_code_point(&self, held: u16) -> Option<char> {
        char::from_u32(u32::from(*self.firsts.get(usize::from(held).checked_sub(1)?)?))
    }

    /// The number of columns.
    pub(crate) const fn columns(&self) -> u16 {
        let [(first, last), (second, end)] = self.trails;
        let second = if second <= end { (end - second) as u16 + 1 } else { 0 };
        (last - first) as u16 + 1 + second
    }

    /// The row of a leading byte.
    #[inline]
    pub(crate) const fn row(&self, lead: u8) -> Option<u16> {
        place_in(self.leads, lead)
    }

    /// The place of a pair in the rows from `row` on.
    pub(crate) fn place(&self, row: u16, lead: u8, trail: u8) -> Option<u16> {
        self.row_and_place(row, lead, trail).map(|(_, place)| place)
    }

    /// The row and the trailing byte of a place.
    pub(crate) fn pair(&self, place: u16) -> (u16, u8) {
        let columns = self.columns().max(1);
        (place / columns, byte_at(self.trails, place % columns))
    }

    /// The leading byte of a row.
    pub(crate) fn lead(&self, row: u16) -> u8 {
        byte_at(self.leads, row)
    }

    /// The character of a pair in the rows from `row` on.
    #[inline(always)]
    pub(crate) fn pair_character(&'static self, row: u16, lead: u8, trail: u8) -> Option<Character> {
        if self.has_hangul {
            if let Some(code_point) = hangul::code_point(lead, trail) {
                return Some(Character::One(code_point));
            }
        }
        let (row, place) = self.row_and_place(row, lead, trail)?;
        self.character_in(row, place)
    }

    /// The row and the place of a pair in the rows from `row` on.
    #[inline]
    fn row_and_place(&self, row: u16, lead: u8, trail: u8) -> Option<(u16, u16)> {
        let row = row + place_in(self.leads, lead)?;
        Some((row, row.checked_mul(self.columns())?.checked_add(place_in(self.trails, trail)?)?))
    }

    /// The character at a place.
    pub(crate) fn character(&'static self, place: u16) -> Option<Character> {
        let (row, trail) = self.pair(place);
        if self.has_hangul {
            if let Some(code_point) = hangul::code_point(self.lead(row), trail) {
                return Some(Character::One(code_point));
            }
        }
        self.character_in(row, place)
    }

    /// The character at a place of a row.
    fn character_in(&'static self, row: u16, place: u16) -> Option<Character> {
        let Segments { starts, numbers, .. } = &self.segments;
        let [from, _] = *self.rows.get(usize::from(row)..)?.first_chunk()?;
        let mut after = usize::from(from);
        // Branches of a search would not be predicted. Most rows are in few segments, and vectors compare eight of
        // them. Those of later rows start later.
        let count = |starts: &[u16]| starts.iter().fold(0, |count, start| count + u16::from(*start <= place));
        loop {
            let rest = starts.get(after..)?;
            let Some(eight) = rest.first_chunk::<8>() else {
                after += usize::from(count(rest));
                break;
            };
            let before = usize::from(count(eight));
            after += before;
            if before < eight.len() {
                break;
            }
        }
        let at = after.checked_sub(1)?;
        let number = numbers.get(at)? + (place - starts.get(at)?);
        match (self.segments.kind(at), self.base) {
            (Kind::Nothing, _) => None,
            (Kind::Base, Base::Index(code_point)) => code_point(number).map(Character::One),
            (Kind::Base, Base::Table(table)) => table.character(number),
            (Kind::CodePoint, _) => char::from_u32(number.into()).map(Character::One),
            (Kind::Literal, _) => self.literal(number.into()),
        }
    }

    fn literal(&self, number: usize) -> Option<Character> {
        let unit = *self.literals.get(number)?;
        let is_plane_2 = self.planes.get(number / 8).is_some_and(|bits| bits >> (number % 8) & 1 != 0);
        match unit {
            _ if is_plane_2 => char::from_u32(0x2_0000 + u32::from(unit)).map(Character::One),
            NULL => None,
            0xD800..=0xDFFF => Some(Character::Two(unit - 0xD800)),
            unit => char::from_u32(unit.into()).map(Character::One),
        }
    }

    /// The rows by leading byte of `kernel`, a table of the index, if all pairs of the row that the kernel's table has
    /// are the same in this table, and [`NO_ROW`] for the other leading bytes.
    pub(crate) const fn kernel_rows(&self, kernel: &DoubleByte<'_>, geometry: Geometry) -> [u8; 128] {
        let mut own = [ALONE; 128];
        let mut lead = 0x80;
        while lead < 0x100 {
            if self.row(lead as u8).is_some() {
                let is_same = kernel.rows()[lead - 0x80] != ALONE && self.has_pairs_of(kernel, geometry, lead as u8);
                own[lead - 0x80] = if is_same { kernel.rows()[lead - 0x80] } else { NO_ROW };
            }
            lead += 1;
        }
        own
    }

    /// Whether all pairs with this leading byte that the kernel's table has are the same in this table.
    const fn has_pairs_of(&self, kernel: &DoubleByte<'_>, geometry: Geometry, lead: u8) -> bool {
        let (Some(row), Some(of_kernel)) = (self.row(lead), place_in(geometry.leads, lead)) else { return false };
        let columns = self.columns() as u32;
        let start = row as u32 * columns;
        // The pointer of the kernel's first column, which is `skip` columns after the first one of this table.
        let pointer = of_kernel as u32 * geometry.step as u32 + geometry.first as u32;
        let mut at = self.rows[row as usize] as usize;
        while at + 1 < self.segments.len() && (self.segments.starts[at] as u32) < start + columns {
            let (first, end) = (self.segments.starts[at] as u32, self.segments.starts[at + 1] as u32);
            let mut place = if first < start { start } else { first };
            let number = self.segments.numbers[at] as u32 + (place - first);
            let kind = self.segments.kind(at);
            let is_same = matches!(kind, Kind::Base) && number + geometry.skip as u32 == pointer + (place - start);
            let mut number = number as u16;
            while !is_same && place < end && place < start + columns {
                let listed = kernel.listed(lead, byte_at(self.trails, (place - start) as u16));
                let unit = match kind {
                    Kind::CodePoint => number,
                    Kind::Literal => self.literals[number as usize],
                    Kind::Nothing | Kind::Base => NULL,
                };
                if listed != NULL && listed != unit {
                    return false;
                }
                (place, number) = (place + 1, number + 1);
            }
            at += 1;
        }
        true
    }
}

/// How the rows of a kernel's table follow from the pointers of an index.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Geometry {
    /// The leading bytes of the rows.
    pub(crate) leads: [(u8, u8); 2],
    /// The pointer of the first leading byte, and the number of pointers from one row to the next.
    pub(crate) first: u16,
    pub(crate) step: u16,
    /// The column of the charset's table that is the first column of the kernel's.
    pub(crate) skip: u16,
}

/// No bytes.
pub(crate) const NONE: (u8, u8) = (0xFF, 0x00);

/// Whether a code unit is the second one of a sequence of two code points.
#[cfg(feature = "encode")]
pub(crate) const fn is_mark(unit: u16) -> bool {
    matches!(unit, 0x02E5 | 0x02E9 | 0x0300..=0x030C | 0x309A)
}

#[cfg(feature = "encode")]
pub(crate) use encode::{Differences, Inverse, Order, Parts, Place, Places};

#[cfg(feature = "encode")]
mod encode {
    use super::{Character, Kind, Segments, Table, hangul, is_mark};

    /// The places of characters: exceptions first, then those of the segments that follow an index.
    pub(crate) struct Places {
        pub(crate) table: &'static Table,
        /// The places that do not follow from the index, and exceptions.
        pub(crate) inverse: Inverse,
        /// *Index pointer* of the index.
        pub(crate) pointer: fn(char) -> Option<u16>,
        /// The segments that follow the index, by ascending pointer.
        pub(crate) by_pointer: Order,
        /// The segments of consecutive code points, by ascending code point.
        pub(crate) by_code_point: Order,
        /// The places of the table's sequences of two code points.
        pub(crate) doubles: &'static [u16],
    }

    /// Where a character is.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub(crate) enum Place {
        /// A single byte.
        Byte(u8),
        /// A place of the table.
        Pair(u16),
    }

    /// The entry of an [`Inverse`] for a character that has no bytes, although the index has it.
    const NO_PLACE: u16 = 0xFEFF;
    /// The entries from here on are bytes.
    const BYTES: u16 = 0xFF00;

    impl Places {
        /// Where a character is; `None` if the charset does not have it.
        #[inline]
        pub(crate) fn place(&self, code_point: char) -> Option<Place> {
            if self.table.has_hangul {
                if let Some([lead, trail]) = hangul::pair(code_point) {
                    return self.table.place(0, lead, trail).map(Place::Pair);
                }
            }
            match self.inverse.entry(self.table, code_point) {
                Some(NO_PLACE) => return None,
                Some(entry @ BYTES..) => return Some(Place::Byte(entry as u8)),
                Some(place) => return Some(Place::Pair(place)),
                None => {}
            }
            if let Some(pointer) = (self.pointer)(code_point) {
                if let Some(place) = self.in_segment(&self.by_pointer, pointer) {
                    return Some(Place::Pair(place));
                }
            }
            let unit = u16::try_from(u32::from(code_point)).ok()?;
            self.in_segment(&self.by_code_point, unit).map(Place::Pair)
        }

        /// The place with `number` in the last segment of `order` whose number is not greater.
        #[inline]
        fn in_segment(&self, order: &Order, number: u16) -> Option<u16> {
            let segments = &self.table.segments;
            let number_of = |at: u16| segments.numbers.get(usize::from(at)).copied().unwrap_or_default();
            let (start, near) = order.near(number)?;
            // A search of a few segments is faster than a binary search, whose branches are not predicted.
            let greater = near.iter().position(|&at| number_of(at) > number).unwrap_or(near.len());
            let at = *order.segments.get((start + greater).checked_sub(1)?)?;
            let [first, end] = *segments.starts.get(usize::from(at)..)?.first_chunk()?;
            let place = first.checked_add(number - number_of(at))?;
            (place < end).then_some(place)
        }
    }

    /// The numbers of segments by ascending numbers in the segments.
    pub(crate) struct Order {
        /// For each [`Order::STEP`] numbers from `first` on, how many segments begin before them. Empty if there are so
        /// few segments that a search begins with the first one.
        pub(crate) starts: &'static [u16],
        /// The first number, divided by [`Order::STEP`].
        pub(crate) first: u16,
        pub(crate) segments: &'static [u16],
    }

    impl Order {
        const STEP: u16 = 64;

        /// The segments among which that of a number may be, and how many segments are before them.
        #[inline]
        fn near(&self, number: u16) -> Option<(usize, &'static [u16])> {
            if self.starts.is_empty() {
                return Some((0, self.segments));
            }
            let start = usize::from(*self.starts.get(usize::from((number / Self::STEP).checked_sub(self.first)?))?);
            Some((start, self.segments.get(start..)?))
        }
    }

    /// The code units of plane 0 that a charset and an encoder of the Standard encode to different bytes, or only the
    /// encoder of the Standard encodes: a bit for each. Blocks of 64 code points with the same bits are stored once.
    pub(crate) struct Differences {
        /// The number of the group of each 1,024 code points.
        pub(crate) groups: &'static [u8; 64],
        /// The numbers of the blocks of each group.
        pub(crate) blocks: &'static [[u16; 16]],
        pub(crate) bits: &'static [u64],
    }

    impl Differences {
        /// The number of code units at the beginning of `source` that are encoded alike. If the charset has sequences
        /// of two code points, a code unit before a mark, and before the end of `source`, is not counted.
        pub(crate) fn alike(&self, source: &[u16], has_doubles: bool) -> usize {
            let differs = |&unit: &u16| {
                let group = usize::from(self.groups[usize::from(unit >> 10)]);
                let block = self.blocks.get(group).map_or(0, |group| group[usize::from(unit >> 6 & 0xF)]);
                self.bits.get(usize::from(block)).is_none_or(|bits| bits >> (unit & 0x3F) & 1 != 0)
            };
            let alike = source.iter().position(differs).unwrap_or(source.len());
            if !has_doubles {
                return alike;
            }
            let next = source.get(1..).unwrap_or_default();
            next.iter().take(alike).position(|&unit| is_mark(unit)).unwrap_or(next.len().min(alike))
        }
    }

    /// Entries by code point, for the planes 0 and 2. A block of 64 code points has a bit for each one with an entry,
    /// and the number of its first entry. Sixteen blocks are a group.
    pub(crate) struct Inverse {
        /// The number of the group of each 1,024 code points; 0xFF for none.
        pub(crate) groups: &'static [u8],
        /// The numbers of the blocks of each group; 0xFFFF for none.
        pub(crate) blocks: &'static [[u16; 16]],
        pub(crate) bits: &'static [u64],
        pub(crate) starts: &'static [u16],
        pub(crate) entries: &'static [u16],
        /// What a table with many literals has in place of entries, because entries would take twice the space.
        pub(crate) parts: Option<&'static Parts>,
    }

    /// The parts of a table's literals in which code points are, each with [`Parts::LENGTH`] literals.
    pub(crate) struct Parts {
        /// The number of a part for each code point, or [`Parts::NONE`].
        pub(crate) numbers: &'static [u8],
        /// The code points that a search in their parts would not find, in ascending order, and their entries.
        pub(crate) others: &'static [(u32, u16)],
    }

    impl Parts {
        const LENGTH: usize = 256;
        const NONE: u8 = 0xFF;

        fn entry(&self, at: usize, table: &Table, code_point: char) -> Option<u16> {
            let number = *self.numbers.get(at)?;
            if number == Self::NONE {
                let at = self.others.binary_search_by_key(&code_point.into(), |&(code_point, _)| code_point).ok()?;
                return self.others.get(at).map(|&(_, entry)| entry);
            }
            let start = usize::from(number) * Self::LENGTH;
            let unit = u32::from(code_point) as u16;
            let part = table.literals.get(start..)?.iter().take(Self::LENGTH).zip(start..);
            let mut places = part.filter(|(literal, _)| **literal == unit).map(|(_, at)| at);
            let at = places.find(|&at| table.literal(at) == Some(Character::One(code_point)))?;
            table.place_of_literal(at as u16)
        }
    }

    impl Table {
        /// The place with a literal.
        fn place_of_literal(&self, literal: u16) -> Option<u16> {
            let Segments { starts, numbers, .. } = &self.segments;
            let segments = starts.windows(2).zip(*numbers).enumerate();
            let mut places = segments.filter_map(|(at, (places, number))| {
                let before = literal.checked_sub(*number)?;
                let &[start, end] = places.first_chunk()?;
                (before < end - start && self.segments.kind(at) == Kind::Literal).then(|| start + before)
            });
            places.next()
        }
    }

    impl Inverse {
        /// The entry of a code point.
        #[inline]
        pub(crate) fn entry(&self, table: &Table, code_point: char) -> Option<u16> {
            let number = u32::from(code_point);
            let group = *self.groups.get(number as usize >> 10)?;
            let block = usize::from(self.blocks.get(usize::from(group))?[number as usize >> 6 & 0xF]);
            let (bits, bit) = (*self.bits.get(block)?, 1 << (number & 0x3F));
            if bits & bit == 0 {
                return None;
            }
            let before = (bits & (bit - 1)).count_ones();
            let at = usize::from(*self.starts.get(block)?) + before as usize;
            match self.parts {
                None => self.entries.get(at).copied(),
                Some(parts) => parts.entry(at, table, code_point),
            }
        }
    }
}
