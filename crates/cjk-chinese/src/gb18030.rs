//! [GBK](https://encoding.spec.whatwg.org/#gbk) and [gb18030](https://encoding.spec.whatwg.org/#gb18030): one decoder, and one
//! encoder that GBK restricts.

use textcodec_core::{
    DecoderErrorMode, Encoding, Name, convert,
    handler::{
        Bytes, CodePoints, DecoderHandler, EncoderHandler, HandlerResult, Item, Restore, Utf8Space, Utf8Written,
    },
    index::{Characters, NULL, PointerTable},
};
use textcodec_kernels::{
    ascii,
    blocks::{after, after_mut, up_to},
    double_byte::{self, CALLERS, DoubleByte, Rules, Table},
    four_bytes,
    to_double_byte::{Divisor, Part, ToDoubleByte},
};

use crate::generated::{gb18030, gb18030_ranges::RANGES};

/// [GBK](https://encoding.spec.whatwg.org/#gbk): gb18030's decoder, and an encoder that never writes four bytes.
pub static GBK: Encoding = Encoding::new::<Gb18030Decoder, Gb18030Encoder>(Name::Gbk);

/// [gb18030](https://encoding.spec.whatwg.org/#gb18030) in its edition of 2022.
pub static GB18030: Encoding = Encoding::new::<Gb18030Decoder, Gb18030Encoder>(Name::Gb18030);

/// [gb18030's decoder](https://encoding.spec.whatwg.org/#gb18030-decoder).
#[derive(Clone, Copy, Debug)]
struct Gb18030Decoder {
    /// gb18030 first
    first: u8,
    /// gb18030 second
    second: u8,
    /// gb18030 third
    third: u8,
}

impl DecoderHandler for Gb18030Decoder {
    fn handler<Q: Restore<u8>>(&mut self, io_queue: &mut Q, byte: Item<u8>) -> HandlerResult<CodePoints, ()> {
        let Item::Value(byte) = byte else {
            if (self.first, self.second, self.third) == (0x00, 0x00, 0x00) {
                return HandlerResult::Finished;
            }
            (self.first, self.second, self.third) = (0x00, 0x00, 0x00);
            return HandlerResult::Error(());
        };

        if self.third != 0x00 {
            if !matches!(byte, 0x30..=0x39) {
                io_queue.restore(&[self.second, self.third, byte]);
                (self.first, self.second, self.third) = (0x00, 0x00, 0x00);
                return HandlerResult::Error(());
            }
            let pointer = (u32::from(self.first) - 0x81) * (10 * 126 * 10)
                + (u32::from(self.second) - 0x30) * (10 * 126)
                + (u32::from(self.third) - 0x81) * 10
                + (u32::from(byte) - 0x30);
            (self.first, self.second, self.third) = (0x00, 0x00, 0x00);
            return match index_gb18030_ranges_code_point(pointer) {
                None => HandlerResult::Error(()),
                Some(code_point) => HandlerResult::Items(code_point.into()),
            };
        }

        if self.second != 0x00 {
            if let 0x81..=0xFE = byte {
                self.third = byte;
                return HandlerResult::Continue;
            }
            io_queue.restore(&[self.second, byte]);
            (self.first, self.second) = (0x00, 0x00);
            return HandlerResult::Error(());
        }

        if self.first != 0x00 {
            if let 0x30..=0x39 = byte {
                self.second = byte;
                return HandlerResult::Continue;
            }
            let leading = usize::from(self.first);
            self.first = 0x00;
            let offset = if byte < 0x7F { 0x40 } else { 0x41 };
            let pointer = match byte {
                0x40..=0x7E | 0x80..=0xFE => Some((leading - 0x81) * 190 + usize::from(byte) - offset),
                _ => None,
            };
            let code_point = pointer.and_then(|pointer| gb18030::INDEX.index_code_point(pointer));
            if let Some(code_point) = code_point {
                return HandlerResult::Items(code_point.into());
            }
            if byte.is_ascii() {
                io_queue.restore(&[byte]);
            }
            return HandlerResult::Error(());
        }

        match byte {
            0x00..=0x7F => HandlerResult::Items(char::from(byte).into()),
            0x80 => HandlerResult::Items('\u{20AC}'.into()),
            0x81..=0xFE => {
                self.first = byte;
                HandlerResult::Continue
            }
            0xFF => HandlerResult::Error(()),
        }
    }

    fn pending(&self) -> Bytes {
        let mut bytes = Bytes::EMPTY;
        [self.first, self.second, self.third]
            .into_iter()
            .filter(|&byte| byte != 0x00)
            .for_each(|byte| bytes.push(byte));
        bytes
    }

    fn between_sequences(&self) -> bool {
        self.first == 0x00
    }

    fn convert(&mut self, source: &[u8], destination: &mut [u16], mode: DecoderErrorMode) -> (usize, usize) {
        let mut range = Range::HANGUL;
        convert::decode_double_byte(&PAIRS, source, destination, mode, &mut |source, destination| {
            range.decode(source, destination, mode)
        })
    }

    fn convert_to_utf8<'id>(
        &mut self,
        source: &[u8],
        destination: Utf8Space<'id>,
        mode: DecoderErrorMode,
    ) -> (usize, Utf8Written<'id>) {
        let mut range = Range::HANGUL;
        convert::decode_double_byte_to_utf8(&PAIRS, source, destination, mode, &mut |source, destination| {
            range.decode(source, destination, mode)
        })
    }

    fn pack(self) -> u64 {
        u64::from(self.first) | u64::from(self.second) << 8 | u64::from(self.third) << 16
    }

    fn unpack(_: &'static Encoding, word: u64) -> Self {
        Gb18030Decoder { first: word as u8, second: (word >> 8) as u8, third: (word >> 16) as u8 }
    }
}

/// A part of index gb18030 ranges, of which a text mostly needs one again and again.
#[derive(Clone, Copy)]
struct Range {
    /// The first pointer and the first code point.
    pointer: u32,
    code_point: u32,
    /// How many there are of either.
    length: u32,
}

impl Range {
    const NONE: Self = Range { pointer: 0, code_point: 0, length: 0 };
    /// The one with most of what is written in four bytes, Hangul. To begin with it spares short texts the search.
    const HANGUL: Self = Range { pointer: 19_065, code_point: 0x9FBC, length: 0xD800 - 0x9FBC };
    const OTHER_PLANES: Self = Range { pointer: 189_000, code_point: 0x1_0000, length: 0x10_0000 };

    /// Converts a run of what the kernel leaves: sequences of four bytes, and between them ASCII and pairs as long as these are few.
    /// Returns how many bytes were read and code units written.
    #[inline(never)]
    fn decode(&mut self, source: &[u8], destination: &mut [u16], mode: DecoderErrorMode) -> (usize, usize) {
        /// So many pairs in a row are not left to the kernel.
        const FEW: u32 = 2;
        let (mut read, mut written, mut pairs) = (0, 0, 0);
        loop {
            if let Some(range) = self.plane_0() {
                let (bytes, units) = four_bytes::to_utf16(&range, after(source, read), after_mut(destination, written));
                if bytes > units {
                    pairs = 0;
                }
                (read, written) = (read + bytes, written + units);
            }
            let (Some(&first), Some(room)) = (source.get(read), destination.get_mut(written)) else { break };
            let rest = after(source, read);
            if first.is_ascii() {
                // A run is the caller's.
                let [_, 0x80..=0xFF, ..] = *rest else { break };
                *room = first.into();
                (read, written) = (read + 1, written + 1);
                continue;
            }
            let Some(pointer) = four_bytes::pointer(rest) else {
                let &[0x81..=0xFE, second, ..] = rest else { break };
                let is_malformed = second.is_ascii_digit() && (PAIRS.others)(rest) == NULL;
                if is_malformed && mode == DecoderErrorMode::Replacement {
                    // What follows the first byte is read again.
                    *room = NULL;
                    (read, written) = (read + 1, written + 1);
                    continue;
                }
                if pairs == FEW {
                    break;
                }
                let unit = PAIRS.pair(first, second);
                if unit == NULL || double_byte::is_surrogate(unit) {
                    break;
                }
                *room = unit;
                (read, written, pairs) = (read + 2, written + 1, pairs + 1);
                continue;
            };
            let place = pointer.wrapping_sub(self.pointer);
            let code_point = if place < self.length {
                self.code_point + place
            } else {
                let Some(code_point) = self.search_pointer(pointer) else { break };
                code_point.into()
            };
            match u16::try_from(code_point) {
                Ok(unit) => *room = unit,
                Err(_) => {
                    let Some(room) = after_mut(destination, written).first_chunk_mut() else { break };
                    *room = [0xD7C0 + (code_point >> 10) as u16, 0xDC00 | (code_point & 0x3FF) as u16];
                    written += 1;
                }
            }
            (read, written, pairs) = (read + 4, written + 1, 0);
        }
        (read, written)
    }

    /// The way back: converts a run of code points in ranges, and ASCII between them. Returns how many code units were read and
    /// bytes written.
    #[inline(never)]
    fn encode(&mut self, source: &[u16], destination: &mut [u8], is_gbk: bool) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        loop {
            if let Some(range) = self.plane_0() {
                let (units, bytes) =
                    four_bytes::from_utf16(&range, after(source, read), after_mut(destination, written));
                (read, written) = (read + units, written + bytes);
            }
            if let Some(0x00..=0x7F) = source.get(read) {
                // Others of its kind often follow.
                let run = ascii::narrow(after(source, read), after_mut(destination, written));
                if run == 0 {
                    break;
                }
                (read, written) = (read + run, written + run);
                continue;
            }
            let Some((code_point, length)) = convert::first_scalar_value(after(source, read)) else { break };
            let place = u32::from(code_point).wrapping_sub(self.code_point);
            let pointer = if place < self.length {
                self.pointer + place
            } else {
                // What the kernel takes comes here, too, behind what it does not.
                let is_another = code_point == '\u{E5E5}' || side_table(code_point).is_some();
                if is_gbk || is_another || gb18030::POINTERS.index_pointer(code_point).is_some() {
                    break;
                }
                self.search(code_point);
                index_gb18030_ranges_pointer(code_point)
            };
            let Some(room) = after_mut(destination, written).first_chunk_mut() else { break };
            *room = four_bytes::bytes(pointer);
            (read, written) = (read + length, written + 4);
        }
        (read, written)
    }

    /// Whether `pointer` is one of this part.
    const fn has(&self, pointer: u32) -> bool {
        pointer.wrapping_sub(self.pointer) < self.length
    }

    /// This part, as far as there is one and it is in plane 0, for the kernel.
    fn plane_0(&self) -> Option<four_bytes::Range> {
        let unit = u16::try_from(self.code_point).ok()?;
        (self.length != 0).then_some(four_bytes::Range { pointer: self.pointer, unit, length: self.length })
    }

    /// The range that has `code_point`; see [`Self::take`].
    fn search(&mut self, code_point: char) {
        match u16::try_from(u32::from(code_point)) {
            Ok(unit) => self.take(ranges_to_code_point(unit), unit),
            Err(_) => *self = Self::OTHER_PLANES,
        }
    }

    /// The range that has `pointer`; see [`Self::take`]. Returns its code point.
    fn search_pointer(&mut self, pointer: u32) -> Option<char> {
        let code_point = match u16::try_from(pointer) {
            Ok(7457) => {
                *self = Self::NONE;
                0xE7C7
            }
            Ok(pointer @ ..39_420) => {
                let number = ranges_to_pointer(pointer);
                let (first, code_point) = range(number);
                let code_point = code_point + (pointer - first);
                self.take(number, code_point);
                code_point.into()
            }
            _ => {
                let place = pointer.checked_sub(Self::OTHER_PLANES.pointer)?;
                *self = Self::OTHER_PLANES;
                Self::OTHER_PLANES.code_point + place
            }
        };
        char::from_u32(code_point)
    }

    /// The range of this number, from 1 on, as far as its neighbourhood of `unit` has no exception in it; none where code points
    /// are for private use, among which there are many.
    #[inline(never)]
    fn take(&mut self, number: usize, unit: u16) {
        /// Code points that are in the index as well since the edition of 2022. The pointer of the first is U+E7C7's.
        const EXCEPTIONS: [(u32, u32); 3] = [(0x1E3F, 0x1E3F), (0x9FB4, 0x9FBB), (0xFE10, 0xFE19)];
        *self = Self::NONE;
        if let 0xE000..=0xF8FF = unit {
            return;
        }
        let code_point = u32::from(unit);
        let [(pointer, first), next @ ..] = after(&RANGES, number - 1) else { return };
        let (pointer, first) = (u32::from(*pointer), u32::from(*first));
        // The last range in plane 0 ends with it.
        let end = next.first().map_or(39_420, |&(pointer, _)| pointer.into());
        let (mut from, mut to) = (first, first + end - pointer);
        for (exception, last) in EXCEPTIONS {
            if code_point < exception {
                to = to.min(exception);
            } else if code_point > last {
                from = from.max(last + 1);
            } else {
                return;
            }
        }
        *self = Range { pointer: pointer + from - first, code_point: from, length: to - from };
    }
}

/// The pairs, for the kernel: those of GB 2312 are in its table.
static PAIRS: DoubleByte<'static> = DoubleByte {
    table: Table::new(gb18030::INDEX.square),
    columns: 94,
    rows: &gb18030::INDEX.kernel_rows(),
    singles: &{
        let mut singles = [NULL; 128];
        singles[0x00] = 0x20AC;
        Characters::new(singles)
    },
    trailing: &double_byte::EUC,
    rules: Some(&Rules {
        halves: &gb18030::INDEX.rules,
        first: 0x40,
        gaps: [(0x7F, 1), (0xFF, 0)],
        but: 0xE5E5,
        unlisted: &gb18030::INDEX.unlisted,
        listed: &gb18030::POINTERS.listed,
    }),
    others: |bytes| {
        let [leading, trailing, rest @ ..] = bytes else { return NULL };
        let column = match (trailing, rest) {
            (0x40..=0x7E, _) => trailing - 0x40,
            (0x80..=0xFE, _) => trailing - 0x80 + 63,
            (0x30..=0x39, [] | [0x81..=0xFE] | [0x81..=0xFE, 0x30..=0x39, ..]) => return CALLERS,
            _ => return NULL,
        };
        gb18030::INDEX.outside_square((leading - 0x81).into(), column.into())
    },
};

/// [gb18030's encoder](https://encoding.spec.whatwg.org/#gb18030-encoder).
#[derive(Clone, Copy, Debug)]
struct Gb18030Encoder {
    /// is GBK
    is_gbk: bool,
}

impl EncoderHandler for Gb18030Encoder {
    fn handler<Q: Restore<char>>(&mut self, _: &mut Q, code_point: Item<char>) -> HandlerResult<Bytes, char> {
        let Item::Value(code_point) = code_point else {
            return HandlerResult::Finished;
        };
        if code_point.is_ascii() {
            return HandlerResult::Items(Bytes::from(code_point as u8));
        }
        if code_point == '\u{E5E5}' {
            return HandlerResult::Error(code_point);
        }
        if self.is_gbk && code_point == '\u{20AC}' {
            return HandlerResult::Items(Bytes::from(0x80));
        }
        if let Some(bytes) = side_table(code_point) {
            return HandlerResult::Items(bytes.into());
        }
        if let Some(pointer) = gb18030::POINTERS.index_pointer(code_point) {
            let leading = pointer / 190 + 0x81;
            let trailing = pointer % 190;
            let offset = if trailing < 0x3F { 0x40 } else { 0x41 };
            return HandlerResult::Items(Bytes::from([leading as u8, (trailing + offset) as u8]));
        }
        if self.is_gbk {
            return HandlerResult::Error(code_point);
        }
        let mut pointer = index_gb18030_ranges_pointer(code_point);
        let byte_1 = pointer / (10 * 126 * 10);
        pointer %= 10 * 126 * 10;
        let byte_2 = pointer / (10 * 126);
        pointer %= 10 * 126;
        let byte_3 = pointer / 10;
        let byte_4 = pointer % 10;
        HandlerResult::Items(Bytes::from([
            byte_1 as u8 + 0x81,
            byte_2 as u8 + 0x30,
            byte_3 as u8 + 0x81,
            byte_4 as u8 + 0x30,
        ]))
    }

    fn convert(&mut self, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
        let is_gbk = self.is_gbk;
        let mut range = if is_gbk { Range::NONE } else { Range::HANGUL };
        convert::encode_double_byte(&PAIRS_AND_ASCII, source, destination, &mut |source, destination| match (
            source,
            &mut *destination,
        ) {
            ([0x20AC, ..], [to, ..]) if is_gbk => {
                *to = 0x80;
                (1, 1)
            }
            ([0x20AC, ..], [first, second, ..]) => {
                (*first, *second) = (0xA2, 0xE3);
                (1, 2)
            }
            _ => range.encode(source, destination, is_gbk),
        })
    }

    fn pack(self) -> u64 {
        0
    }

    fn unpack(encoding: &'static Encoding, _: u64) -> Self {
        Gb18030Encoder { is_gbk: encoding.id() == Name::Gbk }
    }
}

/// The characters of the index but U+20AC, for the kernel.
static PAIRS_AND_ASCII: ToDoubleByte<'static> = ToDoubleByte {
    listed: &gb18030::POINTERS.listed,
    ascii: 0x80,
    end: PointerTable::NULL,
    columns: Divisor::new(190),
    leading: Part::from(0x81),
    trailing: Part { lower: 0x40, upper: 0x80 - 63, split: 63 },
    others: |unit| match unit {
        0x20AC => PointerTable::NULL,
        _ => gb18030::POINTERS.pointer_by_rule(unit).unwrap_or(PointerTable::NULL),
    },
};

/// The bytes for private use code points whose places the edition of 2022 gave to other characters: texts of the older
/// edition keep their bytes. The decoder does not know them.
#[inline(never)]
fn side_table(code_point: char) -> Option<[u8; 2]> {
    static ENTRIES: [(u16, [u8; 2]); 18] = [
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
    ];
    let place = ENTRIES.binary_search_by_key(&u32::from(code_point), |&(unit, _)| unit.into()).ok()?;
    ENTRIES.get(place).map(|&(_, bytes)| bytes)
}

/// How many ranges begin with `pointer` or before it. A function of its own, as others here are, because several callers would each
/// have it.
#[inline(never)]
fn ranges_to_pointer(pointer: u16) -> usize {
    RANGES.partition_point(|&(first, _)| first <= pointer)
}

/// How many ranges begin with `code_point` or before it.
#[inline(never)]
fn ranges_to_code_point(code_point: u16) -> usize {
    RANGES.partition_point(|&(_, first)| first <= code_point)
}

/// The last of the first `count` ranges: its first pointer and code point.
fn range(count: usize) -> (u16, u16) {
    up_to(&RANGES, count).last().copied().unwrap_or_default()
}

/// [Index gb18030 ranges code point](https://encoding.spec.whatwg.org/#index-gb18030-ranges-code-point) for `pointer`.
#[inline(never)]
pub(crate) fn index_gb18030_ranges_code_point(pointer: u32) -> Option<char> {
    if (pointer > 39419 && pointer < 189_000) || pointer > 1_237_575 {
        return None;
    }
    if pointer == 7457 {
        return Some('\u{E7C7}');
    }
    let (offset, code_point_offset) = match u16::try_from(pointer) {
        // Mostly, and then there is nothing to search.
        _ if Range::HANGUL.has(pointer) => (Range::HANGUL.pointer, Range::HANGUL.code_point),
        Err(_) => (189_000, 0x1_0000),
        Ok(pointer) => {
            let after = ranges_to_pointer(pointer);
            let (offset, code_point_offset) = range(after);
            (offset.into(), code_point_offset.into())
        }
    };
    char::from_u32(code_point_offset + pointer - offset)
}

/// [Index gb18030 ranges pointer](https://encoding.spec.whatwg.org/#index-gb18030-ranges-pointer) for `code_point`, which is
/// not in index gb18030.
#[inline(never)]
pub(crate) fn index_gb18030_ranges_pointer(code_point: char) -> u32 {
    if code_point == '\u{E7C7}' {
        return 7457;
    }
    let (pointer_offset, offset) = match u16::try_from(u32::from(code_point)) {
        Err(_) => (189_000, 0x1_0000),
        Ok(code_point) => {
            let after = ranges_to_code_point(code_point);
            let (pointer_offset, offset) = range(after);
            (pointer_offset.into(), offset.into())
        }
    };
    pointer_offset + u32::from(code_point) - offset
}

/// The first code point of the range that begins with `pointer`.
pub(crate) fn range_code_point(pointer: u32) -> Option<char> {
    match u16::try_from(pointer) {
        Ok(pointer) => match range(ranges_to_pointer(pointer)) {
            (first, code_point) if first == pointer => char::from_u32(code_point.into()),
            _ => None,
        },
        Err(_) => (pointer == Range::OTHER_PLANES.pointer).then_some('\u{10000}'),
    }
}
