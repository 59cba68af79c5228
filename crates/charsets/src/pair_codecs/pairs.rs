//! Charsets of single bytes and pairs of bytes, some with sequences of three or four bytes.
//!
//! The second byte of a malformed sequence is read again if it is ASCII, as in the Standard's encodings.

use textcodec_core::{
    Codec, DecodeErrorMode,
    convert::{self, Kept, Pairs},
    handler::{Bytes, CodePoints, DecoderHandler, HandlerResult, Item, Restore, Unchanged},
    index::Characters,
};
#[cfg(feature = "encode")]
use textcodec_core::{
    EncoderHalf,
    handler::{EncoderHandler, MaxBytes},
};
use textcodec_kernels::{
    ascii,
    blocks::{skip, skip_mut},
    double_byte::{self, CALLERS, DoubleByte, NULL},
    utf16::surrogates,
};
#[cfg(feature = "encode")]
use textcodec_kernels::{
    blocks::up_to,
    to_double_byte::{self, ToDoubleByte},
};

use super::table::{Character, Geometry, Table};
#[cfg(feature = "encode")]
use super::table::{Differences, Place, Places, is_mark};

/// The code units of all bytes; [`NULL`] for a byte that is no character.
pub(crate) type Singles = [u16; 256];

/// ASCII.
pub(crate) const ASCII: Singles = with_range([NULL; 256], 0x00, 0x7F, 0x0000);

/// `singles` with consecutive code units from the byte `first` to the byte `last`.
pub(crate) const fn with_range(mut singles: Singles, first: u8, last: u8, unit: u16) -> Singles {
    let mut byte = first as usize;
    while byte <= last as usize {
        singles[byte] = unit + (byte - first as usize) as u16;
        byte += 1;
    }
    singles
}

/// The code units of the bytes from 0x80 on, for the kernel.
pub(crate) const fn upper(singles: &Singles) -> Characters {
    let mut upper = [NULL; 128];
    let mut at = 0;
    while at < 128 {
        upper[at] = singles[0x80 + at];
        at += 1;
    }
    Characters::new(upper)
}

/// What a charset is made of.
pub(crate) struct Scheme {
    pub(crate) singles: &'static Singles,
    pub(crate) table: &'static Table,
    /// The pairs that follow the byte 8F.
    pub(crate) after_8f: Option<&'static Table>,
    /// The rows of the table in which the planes begin that the bytes after 8E choose, from A1 on. [`NO_PLANE`] for
    /// none.
    pub(crate) planes: &'static [u16],
    /// The code points of sequences of four bytes, as in GB 18030.
    pub(crate) four_bytes: Option<fn(u32) -> Option<char>>,
}

/// The entry for a plane that the charset does not have.
pub(crate) const NO_PLANE: u16 = 0xFFFF;

/// What the bytes are that a sequence begins with.
enum Sequence {
    More,
    Malformed,
    Is(Character),
}

impl Scheme {
    fn of_table(table: &'static Table, lead: u8, trail: u8) -> Sequence {
        match table.pair_character(0, lead, trail) {
            Some(character) => Sequence::Is(character),
            None => Sequence::Malformed,
        }
    }

    /// The first row of the plane that a byte after 8E chooses, and the first row of the next plane.
    fn plane(&self, byte: u8) -> Option<(u16, u16)> {
        let (row, after) = self.planes.get(usize::from(byte.checked_sub(0xA1)?)..)?.split_first()?;
        let next = after.iter().copied().find(|row| *row != NO_PLANE);
        (*row != NO_PLANE).then_some((*row, next.unwrap_or(NO_PLANE)))
    }

    /// A pair of the plane that `byte` chooses.
    fn of_plane(&self, byte: u8, lead: u8, trail: u8) -> Sequence {
        let in_rows = |(row, end): (u16, u16)| {
            // The rows of a plane end before those of the next one.
            let is_in_plane = self.table.row(lead)? < end - row;
            if is_in_plane { self.table.pair_character(row, lead, trail) } else { None }
        };
        match self.plane(byte).and_then(in_rows) {
            Some(character) => Sequence::Is(character),
            None => Sequence::Malformed,
        }
    }

    fn sequence(&self, bytes: &[u8]) -> Sequence {
        let more = |is_more: bool| if is_more { Sequence::More } else { Sequence::Malformed };
        match *bytes {
            [byte] => match char::from_u32(self.singles[usize::from(byte)].into()) {
                Some(char::REPLACEMENT_CHARACTER) | None => more(self.is_lead(byte)),
                Some(code_point) => Sequence::Is(Character::One(code_point)),
            },
            [0x8F, lead] if self.after_8f.is_some() => {
                more(self.after_8f.is_some_and(|table| table.row(lead).is_some()))
            }
            [0x8F, lead, trail] if self.after_8f.is_some() => {
                self.after_8f.map_or(Sequence::Malformed, |table| Self::of_table(table, lead, trail))
            }
            [0x8E, plane] if !self.planes.is_empty() => more(self.plane(plane).is_some()),
            [0x8E, _, lead] if !self.planes.is_empty() => more(self.table.row(lead).is_some()),
            [0x8E, plane, lead, trail] if !self.planes.is_empty() => self.of_plane(plane, lead, trail),
            [lead, trail] if !self.planes.is_empty() => self.of_plane(0xA1, lead, trail),
            [_, second] if second.is_ascii_digit() && self.four_bytes.is_some() => Sequence::More,
            [_, _, third] if self.four_bytes.is_some() => more(matches!(third, 0x81..=0xFE)),
            [first, second, third, fourth] => {
                if !fourth.is_ascii_digit() {
                    return Sequence::Malformed;
                }
                let pointer = ((u32::from(first.wrapping_sub(0x81)) * 10 + u32::from(second.wrapping_sub(0x30))) * 126
                    + u32::from(third.wrapping_sub(0x81)))
                    * 10
                    + u32::from(fourth - 0x30);
                match self.four_bytes.and_then(|code_point| code_point(pointer)) {
                    Some(code_point) => Sequence::Is(Character::One(code_point)),
                    None => Sequence::Malformed,
                }
            }
            [lead, trail] => Self::of_table(self.table, lead, trail),
            _ => Sequence::Malformed,
        }
    }

    /// The character of a whole sequence.
    #[cfg(feature = "east-asian")]
    pub(crate) fn character(&self, bytes: &[u8]) -> Option<Character> {
        match self.sequence(bytes) {
            Sequence::Is(character) => Some(character),
            Sequence::More | Sequence::Malformed => None,
        }
    }

    const fn is_lead(&self, byte: u8) -> bool {
        let is_prefix = byte == 0x8F && self.after_8f.is_some() || byte == 0x8E && !self.planes.is_empty();
        is_prefix || self.table.row(byte).is_some()
    }

    /// The rows of the kernel's table; see [`Table::kernel_rows`].
    pub(crate) const fn kernel_rows(&self, pairs: &Pairs, geometry: Geometry) -> [u8; 128] {
        let mut rows = self.table.kernel_rows(&pairs.table, geometry);
        let mut lead = 0x80;
        while lead < 0x100 {
            if self.singles[lead] != NULL {
                rows[lead - 0x80] = double_byte::ALONE;
            } else if self.is_lead(lead as u8) && rows[lead - 0x80] == double_byte::ALONE {
                rows[lead - 0x80] = double_byte::NO_ROW;
            }
            lead += 1;
        }
        rows
    }

    /// The code unit of a pair, for the kernel.
    pub(crate) fn other(&self, bytes: &[u8]) -> u16 {
        let Some(&pair @ [lead, trail]) = bytes.first_chunk() else { return NULL };
        let is_prefix = matches!(lead, 0x8E | 0x8F) || trail < 0x40 || !self.planes.is_empty();
        // Most pairs need no more than the table.
        let sequence = if is_prefix { self.sequence(&pair) } else { Self::of_table(self.table, lead, trail) };
        match sequence {
            Sequence::Is(Character::One(code_point)) => u16::try_from(u32::from(code_point)).unwrap_or(CALLERS),
            Sequence::Is(Character::Two(_)) | Sequence::More => CALLERS,
            Sequence::Malformed => NULL,
        }
    }

    /// The code units and the length of the first sequence, for [`convert::decode`].
    pub(crate) fn next(&self, bytes: &[u8], _: DecodeErrorMode) -> (u32, usize) {
        let Some(first) = bytes.first().filter(|first| !first.is_ascii()) else { return (0, 0) };
        let single = self.singles[usize::from(*first)];
        // The caller decodes pairs with one code unit.
        if single == NULL && self.other(bytes) != CALLERS {
            return (0, 0);
        }
        for length in 1..=bytes.len().min(4) {
            match self.sequence(&bytes[..length]) {
                Sequence::More => {}
                Sequence::Malformed => break,
                Sequence::Is(Character::Two(number)) => {
                    let Some(&[first, second]) = self.table.doubles.get(usize::from(number)) else { break };
                    return (u32::from(second) << 16 | u32::from(first), length);
                }
                Sequence::Is(Character::One(code_point)) => {
                    let number = u32::from(code_point);
                    if number < 0x1_0000 {
                        return (number, length);
                    }
                    let [first, second] = surrogates(number);
                    return (u32::from(second) << 16 | u32::from(first), length);
                }
            }
        }
        (0, 0)
    }
}

/// A charset of pairs, as a type.
pub(crate) trait Of: Copy {
    const SCHEME: &'static Scheme;
    /// The tables for the kernel.
    const PAIRS: &'static Pairs;
    /// ASCII bytes that are other characters.
    const OTHERS: &'static [u8];
    #[cfg(feature = "encode")]
    const BYTES: &'static SchemeBytes;
}

/// The decoder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairDecoder<S> {
    /// The bytes of a sequence that has begun.
    pending: [u8; 3],
    length: u8,
    /// The mark that is to be written; see [`two`]. The last byte of its pair is restored.
    mark: u8,
    scheme: core::marker::PhantomData<S>,
}

impl<S: Of> PairDecoder<S> {
    /// The number of values of `mark`.
    const MARKS: u8 = marks(S::SCHEME.table.doubles);
    /// Whether functions that all encodings of pairs share convert in bulk. They know no state with a mark.
    const IS_SHARED: bool = S::OTHERS.is_empty() && Self::MARKS == 1 && has_rows(S::PAIRS.table.rows());
}

impl<S: Of> DecoderHandler for PairDecoder<S> {
    const UNCHANGED: Unchanged = if S::OTHERS.is_empty() { Unchanged::Ascii } else { Unchanged::Nothing };
    const PAIRS: Option<&'static Pairs> = if Self::IS_SHARED { Some(S::PAIRS) } else { None };
    const STATE_BITS: u8 = if Self::IS_SHARED { 8 } else { 0 };
    const STATES_BETWEEN: u8 = Self::MARKS;

    fn handler<Q: Restore<u8>>(&mut self, io_queue: &mut Q, byte: Item<u8>) -> HandlerResult<CodePoints, ()> {
        let length = usize::from(core::mem::take(&mut self.length)).min(3);
        let mark = core::mem::take(&mut self.mark);
        let Item::Value(byte) = byte else {
            return if length == 0 { HandlerResult::Finished } else { HandlerResult::Error(()) };
        };
        if mark != 0 {
            return second(S::SCHEME.table.doubles, mark);
        }
        let mut bytes = [0; 4];
        bytes[..length].copy_from_slice(&self.pending[..length]);
        bytes[length] = byte;
        match S::SCHEME.sequence(&bytes[..=length]) {
            Sequence::More if length < 3 => {
                self.pending[length] = byte;
                self.length = length as u8 + 1;
                HandlerResult::Continue
            }
            Sequence::Is(Character::One(code_point)) => HandlerResult::Items(code_point.into()),
            Sequence::Is(Character::Two(number)) => {
                let (result, mark) = two(S::SCHEME.table.doubles, number);
                if mark != 0 {
                    self.mark = mark;
                    io_queue.restore(&[byte]);
                }
                result
            }
            Sequence::More | Sequence::Malformed => {
                if length > 1 && S::SCHEME.four_bytes.is_some() {
                    io_queue.restore(&bytes[1..=length]);
                } else if length > 0 && byte.is_ascii() {
                    io_queue.restore(&[byte]);
                }
                HandlerResult::Error(())
            }
        }
    }

    fn pending(&self) -> Bytes {
        self.pending[..usize::from(self.length).min(3)].into()
    }

    fn can_convert(&self) -> bool {
        self.length == 0 && self.mark == 0
    }

    /// Only called if functions that all encodings of pairs share cannot convert.
    fn convert(&mut self, source: &[u8], destination: &mut [u16], _: DecodeErrorMode) -> (usize, usize) {
        decode(S::SCHEME, S::PAIRS, !S::OTHERS.is_empty(), source, destination)
    }

    /// The mark, or the bytes of the sequence, the first one lowest. The first byte is greater than each mark.
    fn pack(self) -> u64 {
        let bytes = self.pending[..usize::from(self.length).min(3)].iter().rev();
        bytes.fold(0, |word, byte| word << 8 | u64::from(*byte)) | u64::from(self.mark)
    }

    fn unpack(_: &'static Codec, word: u64) -> Self {
        let pending = [word as u8, (word >> 8) as u8, (word >> 16) as u8];
        let is_mark = pending[0] < Self::MARKS;
        let mark = if is_mark { pending[0] } else { 0 };
        let length = if is_mark { 0 } else { pending.iter().position(|byte| *byte == 0).unwrap_or(3) as u8 };
        PairDecoder { pending, length, mark, scheme: core::marker::PhantomData }
    }
}

/// Whether any pairs are in the kernel's table.
const fn has_rows(rows: &[u8; 128]) -> bool {
    let mut at = 0;
    while at < 128 && rows[at] >= double_byte::NO_ROW {
        at += 1;
    }
    at < 128
}

/// Decodes ASCII, single bytes, pairs, and longer sequences. Stops before everything else.
fn decode(
    scheme: &'static Scheme,
    pairs: &'static Pairs,
    has_other_ascii: bool,
    source: &[u8],
    destination: &mut [u16],
) -> (usize, usize) {
    let Some(run) = Run::new(scheme, b"", Some(pairs), false) else { return (0, 0) };
    let (mut read, mut written) = (0, 0);
    loop {
        let (rest, space) = (skip(source, read), skip_mut(destination, written));
        let (Some(&first), Some(to)) = (rest.first(), space.first_mut()) else { return (read, written) };
        let single = scheme.singles[usize::from(first)];
        let (bytes, units) = if first.is_ascii() && rest.get(1).is_some_and(u8::is_ascii) {
            let run = ascii::widen(rest, space);
            if has_other_ascii {
                space[..run].iter_mut().for_each(|unit| *unit = scheme.singles[usize::from(*unit)]);
            }
            (run, run)
        } else if single != NULL {
            *to = single;
            (1, 1)
        } else if let counts @ (1.., _) = run.decode(rest, space) {
            counts
        } else {
            let (units, length) = scheme.next(rest, DecodeErrorMode::Fatal);
            let units = [units as u16, (units >> 16) as u16];
            let count = if units[1] == 0 { 1 } else { 2 };
            let Some(to) = space.get_mut(..count) else { return (read, written) };
            to.copy_from_slice(&units[..count]);
            (length, count)
        };
        if bytes == 0 {
            return (read, written);
        }
        (read, written) = (read + bytes, written + units);
    }
}

/// Decodes runs of pairs.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    table: &'static Table,
    /// The first row, and the row after the last one.
    rows: (u16, u16),
    /// The kernel's table, which has the code units of some pairs.
    kernel: Option<&'static DoubleByte<'static>>,
    /// Whether the highest bits of all bytes are missing.
    has_seven_bits: bool,
}

impl Run {
    /// The pairs that follow the bytes `after`. `None` if there are none.
    pub(crate) fn new(
        scheme: &'static Scheme,
        after: &[u8],
        pairs: Option<&'static Pairs>,
        has_seven_bits: bool,
    ) -> Option<Run> {
        let (table, rows) = match *after {
            [] if scheme.planes.is_empty() => (scheme.table, (0, u16::MAX)),
            [] => (scheme.table, scheme.plane(0xA1)?),
            [0x8E, plane] => (scheme.table, scheme.plane(plane)?),
            _ => (scheme.after_8f?, (0, u16::MAX)),
        };
        let kernel = pairs.map(|pairs| &pairs.table);
        Some(Run { table, rows, kernel, has_seven_bits })
    }

    /// The pairs of a table.
    #[cfg(feature = "ebcdic-east-asian")]
    pub(crate) const fn of_table(table: &'static Table) -> Run {
        Run { table, rows: (0, u16::MAX), kernel: None, has_seven_bits: false }
    }

    /// Decodes pairs. Stops before everything else.
    pub(crate) fn decode(self, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
        let high = if self.has_seven_bits { 0x80 } else { 0x00 };
        let is_graphic = |byte: u8| matches!(byte, 0x21..=0x7E);
        let (mut read, mut written) = (0, 0);
        while let (&[lead, trail, ..], [to, after @ ..]) = (skip(source, read), skip_mut(destination, written)) {
            if self.has_seven_bits && !(is_graphic(lead) && is_graphic(trail)) {
                break;
            }
            let [lead, trail] = [lead | high, trail | high];
            if let Some(kernel) = self.kernel {
                if lead.is_ascii() {
                    break;
                }
                let unit = kernel.listed(lead, trail);
                if unit != NULL && !double_byte::is_surrogate(unit) {
                    *to = unit;
                    (read, written) = (read + 2, written + 1);
                    continue;
                }
            }
            let is_in_rows = self.table.row(lead).is_some_and(|row| row < self.rows.1 - self.rows.0);
            if !is_in_rows {
                break;
            }
            let units = match self.table.pair_character(self.rows.0, lead, trail) {
                None => break,
                Some(Character::One(code_point)) => match u16::try_from(u32::from(code_point)) {
                    Ok(unit) => [unit, 0],
                    Err(_) => surrogates(code_point.into()),
                },
                Some(Character::Two(number)) => {
                    self.table.doubles.get(usize::from(number)).copied().unwrap_or_default()
                }
            };
            if units[1] != 0 {
                let [second, ..] = after else { break };
                *second = units[1];
                written += 1;
            }
            *to = units[0];
            (read, written) = (read + 2, written + 1);
        }
        (read, written)
    }
}

/// Whether a letter and its mark are too long to be written at once: longer than the destination that every decoder
/// makes progress with, four bytes of UTF-8.
const fn is_long([first, _]: [u16; 2]) -> bool {
    // All marks are from U+0080 on.
    first >= 0x800
}

/// The number of states of a decoder that remembers which mark is to be written: the number of a long sequence of two
/// code points, plus 1, or 0 for none.
pub(crate) const fn marks(doubles: &[[u16; 2]]) -> u8 {
    let (mut at, mut long) = (0, 0);
    while at < doubles.len() {
        if is_long(doubles[at]) {
            assert!(at == long, "a short sequence is before a long one");
            long += 1;
        }
        at += 1;
    }
    assert!(long + 1 < 0x80, "a mark has the number of a leading byte");
    long as u8 + 1
}

/// The result with a sequence of two code points, and the mark that is to be written when the last byte of the pair is
/// read again, or 0.
pub(crate) fn two(doubles: &[[u16; 2]], number: u16) -> (HandlerResult<CodePoints, ()>, u8) {
    let code_point = |unit: u16| char::from_u32(unit.into());
    let Some(&double @ [first, second]) = doubles.get(usize::from(number)) else {
        return (HandlerResult::Error(()), 0);
    };
    let (Some(first), Some(second)) = (code_point(first), code_point(second)) else {
        return (HandlerResult::Error(()), 0);
    };
    if is_long(double) {
        return (HandlerResult::Items(first.into()), number as u8 + 1);
    }
    (HandlerResult::Items(CodePoints { first, second: Some(second) }), 0)
}

/// The result with a mark that [`two`] returned.
pub(crate) fn second(doubles: &[[u16; 2]], mark: u8) -> HandlerResult<CodePoints, ()> {
    let double = usize::from(mark).checked_sub(1).and_then(|number| doubles.get(number));
    let code_point = double.and_then(|&[_, second]| char::from_u32(second.into()));
    code_point.map_or(HandlerResult::Error(()), |code_point| HandlerResult::Items(code_point.into()))
}

/// What an encoder needs.
#[cfg(feature = "encode")]
pub(crate) struct SchemeBytes {
    pub(crate) scheme: &'static Scheme,
    pub(crate) places: &'static Places,
    /// The pairs that follow the byte 8F.
    pub(crate) after_8f: Option<&'static Places>,
    /// The pointers of sequences of four bytes, as in GB 18030.
    pub(crate) four_bytes: Option<fn(char) -> Option<u32>>,
    /// The bytes of ASCII characters; 0 for none.
    low: &'static [u8; 128],
    /// The characters of an encoder of the Standard for the kernel, and those that this encoder encodes differently.
    standard: Option<(&'static ToDoubleByte<'static>, &'static Differences)>,
}

#[cfg(feature = "encode")]
impl SchemeBytes {
    pub(crate) const fn new(
        scheme: &'static Scheme,
        places: &'static Places,
        after_8f: Option<&'static Places>,
        low: &'static [u8; 128],
    ) -> Self {
        SchemeBytes { scheme, places, after_8f, four_bytes: None, low, standard: None }
    }

    pub(crate) const fn with_four_bytes(mut self, pointer: fn(char) -> Option<u32>) -> Self {
        self.four_bytes = Some(pointer);
        self
    }

    pub(crate) const fn with_standard(
        mut self,
        standard: &'static ToDoubleByte<'static>,
        differences: &'static Differences,
    ) -> Self {
        self.standard = Some((standard, differences));
        self
    }

    /// Encodes pairs without their highest bits, as far as the encoder of the Standard has them. Stops before
    /// everything else, and before a character that a mark may continue.
    #[cfg(feature = "east-asian")]
    pub(crate) fn seven_bits(&self, source: &[u16], destination: &mut [u8], has_doubles: bool) -> (usize, usize) {
        let Some((standard, differences)) = self.standard else { return (0, 0) };
        // Half-width katakana are single bytes after 8E.
        let is_single = |unit: &u16| matches!(unit, 0x00..=0x7F | 0xFF61..=0xFF9F);
        let source = up_to(source, ALIKE_AT_ONCE);
        let source = up_to(source, source.iter().position(is_single).unwrap_or(source.len()));
        let source = up_to(source, differences.alike(source, has_doubles));
        let (units, length) = to_double_byte::from_utf16(standard, source, destination);
        destination[..length].iter_mut().for_each(|byte| *byte &= 0x7F);
        (units, length)
    }

    /// The bytes of a character.
    pub(crate) fn bytes(&self, code_point: char) -> Option<Bytes> {
        if code_point == '\0' {
            return Some(0.into());
        }
        if let Some(byte @ 1..) = self.low.get(code_point as usize) {
            return Some((*byte).into());
        }
        match self.places.place(code_point) {
            Some(Place::Byte(byte)) => return Some(byte.into()),
            Some(Place::Pair(place)) => return Some(self.pair(place)),
            None => {}
        }
        if let Some(places) = self.after_8f {
            if let Some(Place::Pair(place)) = places.place(code_point) {
                let (row, trail) = places.table.pair(place);
                return Some([0x8F, places.table.lead(row), trail].into());
            }
        }
        let pointer = self.four_bytes?(code_point)?;
        let [third, fourth] = [pointer / 10 % 126 + 0x81, pointer % 10 + 0x30];
        Some([(pointer / 12_600 + 0x81) as u8, (pointer / 1260 % 10 + 0x30) as u8, third as u8, fourth as u8].into())
    }

    /// The bytes at a place of the table.
    fn pair(&self, place: u16) -> Bytes {
        let table = self.places.table;
        let (row, trail) = table.pair(place);
        // The rows of the planes ascend.
        let planes = self.scheme.planes;
        if planes.get(1).is_none_or(|second| row < *second) {
            return [table.lead(row), trail].into();
        }
        let plane = (1..planes.len()).rev().find(|&plane| planes[plane] != NO_PLANE && planes[plane] <= row);
        match plane {
            Some(plane) => [0x8E, 0xA1 + plane as u8, table.lead(row - planes[plane]), trail].into(),
            None => [table.lead(row), trail].into(),
        }
    }

    /// The bytes of a sequence of two code points.
    pub(crate) fn double(&self, first: char, second: char) -> Option<Bytes> {
        let of = self.places.table.doubles;
        let is = |double: &[u16; 2]| double.map(u32::from) == [first.into(), second.into()];
        let place = *self.places.doubles.get(of.iter().position(is)?)?;
        Some(self.pair(place))
    }
}

/// The bytes of ASCII characters; 0 for none, and for those that are encoded elsewhere.
#[cfg(feature = "encode")]
pub(crate) const fn low(singles: &Singles, elsewhere: &[u8]) -> [u8; 128] {
    let mut low = [0; 128];
    let mut byte = 256;
    while byte > 0 {
        byte -= 1;
        if singles[byte] < 0x80 {
            low[singles[byte] as usize] = byte as u8;
        }
    }
    let mut at = 0;
    while at < elsewhere.len() {
        low[elsewhere[at] as usize] = 0;
        at += 1;
    }
    low
}

/// The encoder. It holds a character until it knows the next one, if a sequence of two code points begins with it.
#[cfg(feature = "encode")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairEncoder<S> {
    /// See [`Table::held`].
    held: u16,
    scheme: core::marker::PhantomData<S>,
}

#[cfg(feature = "encode")]
impl<S: Of> PairEncoder<S> {
    const HAS_DOUBLES: bool = !S::SCHEME.table.doubles.is_empty();
}

#[cfg(feature = "encode")]
impl<S: Of> EncoderHandler for PairEncoder<S> {
    const STATES: u16 = 1 + S::SCHEME.table.firsts.len() as u16;
    const HAS_ASCII: bool = S::OTHERS.is_empty() && !Self::HAS_DOUBLES;
    const KEEPS_STATE: bool = !Self::HAS_DOUBLES;
    const MAX_BYTES_HTML: MaxBytes = if Self::HAS_DOUBLES {
        MaxBytes { per_utf8_byte: 7, per_code_unit: 11, at_end: 3 }
    } else {
        MaxBytes { per_utf8_byte: 6, per_code_unit: 8, at_end: 0 }
    };
    const MAX_BYTES_FATAL: MaxBytes = if Self::HAS_DOUBLES {
        MaxBytes { per_utf8_byte: 4, per_code_unit: 6, at_end: 3 }
    } else {
        MaxBytes { per_utf8_byte: 2, per_code_unit: 4, at_end: 0 }
    };

    fn handler<Q: Restore<char>>(&mut self, io_queue: &mut Q, code_point: Item<char>) -> HandlerResult<Bytes, char> {
        let bytes = S::BYTES;
        if let Some(held) = S::SCHEME.table.held_code_point(core::mem::take(&mut self.held)) {
            if let Item::Value(code_point) = code_point {
                if let Some(double) = bytes.double(held, code_point) {
                    return HandlerResult::Items(double);
                }
                io_queue.restore(&[code_point]);
            }
            return bytes.bytes(held).map_or(HandlerResult::Error(held), HandlerResult::Items);
        }
        let Item::Value(code_point) = code_point else {
            return HandlerResult::Finished;
        };
        self.held = S::SCHEME.table.held(code_point);
        if self.held != 0 {
            return HandlerResult::Continue;
        }
        bytes.bytes(code_point).map_or(HandlerResult::Error(code_point), HandlerResult::Items)
    }

    fn convert(&mut self, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
        if self.held != 0 {
            return (0, 0);
        }
        encode(S::BYTES, S::OTHERS.is_empty(), source, destination)
    }

    fn pack(self) -> u16 {
        self.held
    }

    fn unpack(_: &'static EncoderHalf, word: u16) -> Self {
        PairEncoder { held: word, scheme: core::marker::PhantomData }
    }
}

/// The number of code units that [`encode`] compares with the characters of the Standard's encoder at once. The block
/// stays in the first-level cache.
#[cfg(feature = "encode")]
const ALIKE_AT_ONCE: usize = 1024;

/// Encodes up to an unmappable character, or to one that may begin a sequence of two code points.
///
/// Where the Standard has an encoder with the same pairs, its kernel encodes the code units that both encode alike. The
/// characters between them are looked up one by one.
#[cfg(feature = "encode")]
fn encode(bytes: &SchemeBytes, has_ascii: bool, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
    let has_doubles = !bytes.places.table.doubles.is_empty();
    let (mut read, mut written, mut alike_end) = (0, 0, 0);
    loop {
        if let Some((standard, differences)) = bytes.standard {
            if alike_end <= read {
                alike_end = read + differences.alike(up_to(skip(source, read), ALIKE_AT_ONCE), has_doubles);
            }
            let alike = skip(up_to(source, alike_end), read);
            let (units, length) = to_double_byte::from_utf16(standard, alike, skip_mut(destination, written));
            (read, written) = (read + units, written + length);
            if units == ALIKE_AT_ONCE {
                continue;
            }
        } else if has_ascii && source.get(read).is_some_and(|unit| *unit < 0x80) {
            let run = ascii::narrow(skip(source, read), skip_mut(destination, written));
            (read, written) = (read + run, written + run);
        }
        let Some((code_point, length)) = convert::first_scalar_value(skip(source, read)) else { break };
        // Only a mark continues a sequence, and the last code unit of the source may have one after it.
        let may_continue = source.get(read + length).is_none_or(|&unit| is_mark(unit));
        if has_doubles && may_continue && bytes.places.table.held(code_point) != 0 {
            break;
        }
        let Some(bytes) = bytes.bytes(code_point) else { break };
        let Some(to) = destination.get_mut(written..written + bytes.len()) else { break };
        to.copy_from_slice(&bytes);
        (read, written) = (read + length, written + to.len());
    }
    (read, written)
}

/// The conversion of the sequences that are not in the kernel's table.
pub(crate) fn beyond<S: Of>(
    kept: &mut Kept,
    source: &[u8],
    destination: &mut [u16],
    mode: DecodeErrorMode,
) -> (usize, usize) {
    convert::decode(&S::PAIRS.table, kept, source, destination, mode, |bytes, mode| S::SCHEME.next(bytes, mode))
}

/// The tables for the kernel.
pub(crate) const fn pairs<S: Of>(
    scheme: &Scheme,
    base: &'static Pairs,
    geometry: Geometry,
    singles: &'static Characters,
) -> Pairs {
    let rows = scheme.kernel_rows(base, geometry);
    let table: DoubleByte<'static> = base.table.with_rows(rows, singles, |bytes| S::SCHEME.other(bytes));
    Pairs { table, beyond: beyond::<S>, four_bytes: textcodec_kernels::four_bytes::Range::NONE }
}

#[cfg(all(test, feature = "encode", feature = "east-asian"))]
mod tests {
    use super::{super::table::Inverse, *};
    use crate::generated::pairs::*;

    /// A bit too many would only make encoding slower.
    #[test]
    fn the_generated_tables_of_differences_have_exactly_what_both_encoders_encode_differently() {
        let all = [
            &WINDOWS_932_BYTES,
            &WINDOWS_936_BYTES,
            &WINDOWS_949_BYTES,
            &WINDOWS_950_BYTES,
            &SJIS_BYTES,
            &CP932_BYTES,
            &IBM932_BYTES,
            &IBM943_BYTES,
            &EUC_JP_BYTES,
            &EUC_JP_MS_BYTES,
            &EUC_KR_BYTES,
            &EUC_CN_BYTES,
            &GBK_BYTES,
            &GB18030_BYTES,
            &BIG5_BYTES,
            &BIG5_HKSCS_BYTES,
            &SHIFT_JISX0213_BYTES,
            &EUC_JISX0213_BYTES,
        ];
        for (number, bytes) in all.into_iter().enumerate() {
            let (standard, differences) = bytes.standard.expect("the scheme has an encoder of the Standard");
            for unit in (0..0xD800).chain(0xE000..=0xFFFF) {
                let mut buffer = [0; 4];
                let (_, length) = to_double_byte::from_utf16(standard, &[unit], &mut buffer);
                let own = char::from_u32(unit.into()).and_then(|code_point| bytes.bytes(code_point));
                let differs = length > 0 && own.is_none_or(|own| own[..] != buffer[..length]);
                assert_eq!(differences.alike(&[unit], false) == 0, differs, "scheme {number}: U+{unit:04X}");
            }
        }
    }

    /// No conversion reads some entries, such as the number of a segment without characters. New mappings change the
    /// digest.
    #[test]
    fn every_entry_of_the_generated_tables_has_the_value_of_the_generator() {
        let table = |table: &Table| {
            let Table { leads, trails, segments, rows, literals, planes, doubles, firsts, has_hangul, .. } = table;
            format!(
                "{leads:?} {trails:?} {:?} {:?} {:?} {rows:?} {literals:?} {planes:?} {doubles:?} {firsts:?} {has_hangul}",
                segments.starts, segments.numbers, segments.kinds,
            )
        };
        let places = |places: &Places| {
            let Places { inverse, by_pointer, by_code_point, doubles, .. } = places;
            let Inverse { groups, blocks, bits, starts, entries, parts } = inverse;
            let parts = parts.map(|parts| (parts.numbers, parts.others));
            let [one, other] = [by_pointer, by_code_point].map(|order| (order.starts, order.first, order.segments));
            format!("{groups:?} {blocks:?} {bits:?} {starts:?} {entries:?} {parts:?} {one:?} {other:?} {doubles:?}")
        };
        macro_rules! texts {
            ($text:ident of $($name:ident)+) => { [$($text(&$name)),+] };
        }
        let tables = texts! { table of
            WINDOWS_932 WINDOWS_936 WINDOWS_949 WINDOWS_950 SJIS CP932
            IBM932 IBM943 EUC_JP EUC_JP_8F EUC_JP_MS EUC_JP_MS_8F
            EUC_KR JOHAB EUC_CN GBK GB18030 BIG5
            BIG5_HKSCS EUC_TW SHIFT_JISX0213 EUC_JISX0213 EUC_JISX0213_8F IBM1399
            IBM930 IBM1364 IBM933 IBM1388 IBM935 IBM1371
            IBM937 IBM939 IBM1390
        };
        let places = texts! { places of
            WINDOWS_932_PLACES WINDOWS_936_PLACES WINDOWS_949_PLACES WINDOWS_950_PLACES SJIS_PLACES CP932_PLACES
            IBM932_PLACES IBM943_PLACES EUC_JP_PLACES EUC_JP_8F_PLACES EUC_JP_MS_PLACES EUC_JP_MS_8F_PLACES
            EUC_KR_PLACES JOHAB_PLACES EUC_CN_PLACES GBK_PLACES GB18030_PLACES BIG5_PLACES BIG5_HKSCS_PLACES
            EUC_TW_PLACES SHIFT_JISX0213_PLACES EUC_JISX0213_PLACES EUC_JISX0213_8F_PLACES IBM1399_PLACES
            IBM930_PLACES IBM1364_PLACES IBM933_PLACES IBM1388_PLACES IBM935_PLACES IBM1371_PLACES IBM937_PLACES
            IBM939_PLACES IBM1390_PLACES
        };
        let singles = |singles: &Singles| format!("{singles:?}");
        let singles = texts! { singles of
            WINDOWS_932_SINGLES WINDOWS_936_SINGLES WINDOWS_949_SINGLES WINDOWS_950_SINGLES SJIS_SINGLES CP932_SINGLES
            IBM932_SINGLES IBM943_SINGLES EUC_JP_SINGLES EUC_JP_MS_SINGLES EUC_KR_SINGLES JOHAB_SINGLES EUC_CN_SINGLES
            GBK_SINGLES GB18030_SINGLES BIG5_SINGLES BIG5_HKSCS_SINGLES EUC_TW_SINGLES SHIFT_JISX0213_SINGLES
            EUC_JISX0213_SINGLES IBM1399_SINGLES IBM930_SINGLES IBM1364_SINGLES IBM933_SINGLES IBM1388_SINGLES
            IBM935_SINGLES IBM1371_SINGLES IBM937_SINGLES IBM939_SINGLES IBM1390_SINGLES
        };
        let low = |low: &[u8; 128]| format!("{low:?}");
        let low = texts! { low of
            WINDOWS_932_LOW WINDOWS_936_LOW WINDOWS_949_LOW WINDOWS_950_LOW SJIS_LOW CP932_LOW IBM932_LOW IBM943_LOW
            EUC_JP_LOW EUC_JP_MS_LOW EUC_KR_LOW JOHAB_LOW EUC_CN_LOW GBK_LOW GB18030_LOW BIG5_LOW BIG5_HKSCS_LOW
            EUC_TW_LOW SHIFT_JISX0213_LOW EUC_JISX0213_LOW IBM1399_LOW IBM930_LOW IBM1364_LOW IBM933_LOW IBM1388_LOW
            IBM935_LOW IBM1371_LOW IBM937_LOW IBM939_LOW IBM1390_LOW
        };
        textcodec_core::testing::check_digests(&[
            (&tables, 0x2AF7_07F0_9908_4E4B),
            (&places, 0xFB34_98A1_E473_9913),
            (&singles, 0xE5E1_9B42_A6BC_B7FB),
            (&low, 0x0618_D5D6_5A74_216E),
        ]);
    }
}
