//! UTF-8 into UTF-16.
//!
//! One step converts 64 bytes. Three vectors are loaded: the bytes of the block, the bytes one position further on, and
//! the bytes two positions further on. At the position where a code unit starts, the three vectors together hold every
//! byte that the unit is made of. So the three vectors are compressed by the mask of these starts, and each unit is
//! assembled in a lane of 16 bits:
//!
//! ```text
//! bytes            a    D0 94  E2 82 AC  F0 9F 92 A9        starts of units marked ^
//!                  ^    ^      ^         ^     ^
//! first            a    D0     E2        F0    92
//! second           D0   94     82        9F    A9
//! third            94   E2     AC        92    …
//! unit             0061 0414   20AC      D83D  DCA9
//! ```
//!
//! A character of four bytes starts two units: the leading surrogate starts at its first byte and the trailing
//! surrogate at its third byte. The ten bits of the trailing surrogate all come from the third and the fourth byte.
//!
//! [`to_utf16_in_bulk`] takes blocks at fixed distances of 64 bytes, even where that cuts a character. A character is
//! converted in the block that holds its first byte; [`Pending`] says which continuation bytes the next block must
//! begin with. So the address of the next block does not depend on the contents of this one, and the processor can work
//! on several blocks at a time.
//!
//! A block that is malformed, or that is too close to the end of either slice, is left to [`Sequences`]. For
//! [`Sequences`], every block begins with a character, and masks say which sequences are malformed.

use super::scalar;
use crate::ascii::avx512::{self as ascii, widened};
use crate::base::*;
use crate::utf8::avx512::{Sequences, is_well_formed};
use crate::vector::{avx2::clear_upper_halves, avx512::*};

/// The body of [`crate::utf16::from_utf8()`]. Up to 64 bytes mostly take one vector. If they are not ASCII, a character
/// that the end of `source` cuts off is left out first.
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf8(source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    if let (1..=64, Some(to)) = (source.len(), destination.get_mut(..source.len())) {
        let bytes = load_up_to(source);
        if _mm512_movepi8_mask(bytes) == 0 {
            store_units_up_to(widened(bytes), to);
            return (source.len(), source.len());
        }
        clear_upper_halves();
    }
    beyond_ascii_to_utf16(source, destination)
}

/// Length of a source, in bytes, below which text that begins with a character of at least three bytes is
/// converted one character after the other: there are few of them. See `docs/experiments.md#short-input`.
const ONE_BY_ONE_BELOW_BYTES: usize = 12;

/// The rest of [`from_utf8`], for text that is not short or not ASCII. It is apart so that short ASCII saves no
/// registers: 8 bytes take 2 ns less (Zen 5).
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn beyond_ascii_to_utf16(source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    if let ([0xE0..=0xFF, ..], ..ONE_BY_ONE_BELOW_BYTES) = (source, source.len()) {
        return scalar::from_utf8(source, destination);
    }
    if source.len() <= 64 {
        let whole = crate::utf8::scalar::whole(source);
        if let Some(written) = few_to_utf16(whole, destination) {
            return (whole.len(), written);
        }
    }
    more_to_utf16(source, destination)
}

/// Converts up to 64 bytes if they are well-formed, have no character of four bytes, and the result fits. Returns the
/// number of code units. Returns `None`, and writes nothing, if one of these conditions does not hold.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn few_to_utf16(source: &[u8], destination: &mut [u16]) -> Option<usize> {
    let constants = Constants::new();
    let bytes = load_up_to(source);
    let classes = Classes::of::<4>(constants, bytes, &Pending::default());
    let starts = classes.starts() & lowest(source.len());
    let to = destination.get_mut(..starts.count_ones() as usize)?;
    if classes.four != 0 || !is_well_formed(source) {
        return None;
    }
    let bytes = [bytes, shifted::<1>(constants, bytes), shifted::<2>(constants, bytes)];
    let units = assemble::<3, true>(constants, bytes, starts)?;
    store_units_up_to(units, to);
    Some(to.len())
}

/// Converts text of any length: whole blocks in bulk, the last bytes as another block, and the rest by the scalar body.
/// [`convert_to_utf16`] is only called for text with an error, and where the destination is nearly full.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn more_to_utf16(source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    let (mut read, mut written) = begin_to_utf16(source, destination);
    let rest = skip(source, read);
    // The bulk conversion leaves at most 64 bytes, and up to three of a character that it has taken back. Zeros after
    // the first 64 of them make a block; the code units of these zeros do not count.
    let last = crate::utf8::scalar::whole(up_to(rest, 64));
    if rest.len() <= 67 && !last.is_empty() {
        let mut copy = [0; 66];
        if let Some(to) = copy.first_chunk_mut() {
            store(load_up_to(last), to);
        }
        if let (64, units) = to_utf16_in_bulk(&copy, skip_mut(destination, written)) {
            (read, written) = (read + last.len(), written + units - (64 - last.len()));
        }
    }
    // Three bytes may be the beginning of a character, which the caller keeps.
    if source.len() - read > 3 {
        let (bytes, units) = convert_to_utf16(false, skip(source, read), skip_mut(destination, written));
        (read, written) = (read + bytes, written + units);
    }
    let (source, destination) = (skip(source, read), skip_mut(destination, written));
    let (more_read, more_written) = scalar::from_utf8(source, destination);
    (read + more_read, written + more_written)
}

/// The body of [`crate::utf16::from_utf8_replacing`].
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf8_replacing(source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    convert_to_utf16(true, source, destination)
}

/// Converts to UTF-16. If `replaced`, each error becomes U+FFFD; otherwise the conversion stops before the first error.
/// One function serves both modes, because its code is long.
///
/// Blocks are converted in bulk as far as possible. [`Sequences`] then convert the block at which the bulk conversion
/// stopped, because the block has an error, is cut off, or does not fit; after that block the bulk conversion is tried
/// again.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn convert_to_utf16(replaced: bool, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    let constants = Constants::new();
    let (mut read, mut written) = (0, 0);
    loop {
        let (bytes, units) = begin_to_utf16(after(source, read), after_mut(destination, written));
        (read, written) = (read + bytes, written + units);
        let rest = after(source, read);
        if rest.is_empty() {
            break;
        }
        let bytes = load_up_to(rest);
        if _mm512_movepi8_mask(bytes) == 0
            && let Some(to) = destination.get_mut(written..written + rest.len().min(64))
        {
            store_units_up_to(widened(bytes), to);
            (read, written) = (read + to.len(), written + to.len());
            continue;
        }
        let sequences = Sequences::first_of(rest);
        // The sequences to convert, and the starts of their code units: one at the first byte of each sequence, and
        // another one at the third byte of four.
        let length = if replaced { sequences.length } else { sequences.well_formed() };
        let live = lowest(length);
        let of_four = sequences.of_four & live;
        let starts = sequences.characters & live | of_four << 2;
        let Some(to) = destination.get_mut(written..written + starts.count_ones() as usize) else { break };
        let bytes = [bytes, shifted::<1>(constants, bytes), shifted::<2>(constants, bytes)];
        let Some([lower, upper]) = assemble::<4, true>(constants, bytes, starts) else { break };
        // One bit for each code unit: whether it comes from a malformed sequence, in whose place U+FFFD stands.
        let malformed = _pext_u64(sequences.malformed & live, starts);
        let units = [(lower, malformed as u32), (upper, (malformed >> 32) as u32)]
            .each(|(units, malformed)| _mm512_mask_mov_epi16(units, malformed, constants.units(0xFFFD)));
        store_units_up_to(units, to);
        (read, written) = (read + length, written + to.len());
        if length < sequences.length || length == 0 {
            break;
        }
    }
    (read, written)
}

/// As [`to_utf16_in_bulk`], after a run of ASCII. If the first 256 bytes are ASCII, the whole text often is.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn begin_to_utf16(source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    let is_run = block(source, 0).is_some_and(|ahead| ascii::is_ascii(ahead));
    let run = if is_run { ascii::widen(source, destination) } else { 0 };
    let (bytes, units) = to_utf16_in_bulk(after(source, run), after_mut(destination, run));
    (run + bytes, run + units)
}

/// Converts whole blocks, as long as they are well-formed and `destination` has space for 64 code units. Returns
/// `(read, written)`, both up to the end of a whole character.
///
/// Invariant of the loop: the bytes before `rest` are well-formed but for a character that their end may cut; the code
/// units that start in them stand before `room`; `pending` says how the next block must begin.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn to_utf16_in_bulk(source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    let constants = Constants::KNOWN;
    let space = destination.len();
    // Slices that get shorter need fewer registers than places in slices.
    let (mut rest, mut room) = (source, destination);
    let mut pending = Pending::default();
    // The number of ASCII blocks to see before the next 256 bytes are tested at a time. Most text has no 256 bytes of
    // ASCII, and each test would be in vain.
    let mut wait = 0_u32;
    // A block needs two bytes after its 64, the second and the third byte of a character that starts with its last
    // byte.
    while let Some(from) = rest.first_chunk::<66>() {
        if wait == 0
            && let Some(ahead) = rest.first_chunk::<256>()
        {
            let ([a, b, c, d], _) = ahead.as_chunks() else { break };
            let [a, b, c, d] = [load(a), load(b), load(c), load(d)];
            let all = _mm512_or_si512(_mm512_or_si512(a, b), _mm512_or_si512(c, d));
            if _mm512_movepi8_mask(all) | pending.continuations == 0
                && let Some(to) = room.first_chunk_mut::<256>()
                && let ([to_a, to_b, to_c, to_d], _) = to.as_chunks_mut()
            {
                [(a, to_a), (b, to_b), (c, to_c), (d, to_d)].each(|(bytes, to)| store_units(widened(bytes), to));
                (rest, room) = (after(rest, 256), after_mut(room, 256));
                continue;
            }
            wait = 4;
        }
        let Some(to) = room.first_chunk_mut() else { break };
        let [first, second, third] =
            [load(window::<_, 0, 64>(from)), load(window::<_, 1, 64>(from)), load(window::<_, 2, 64>(from))];
        if _mm512_movepi8_mask(first) | pending.continuations == 0 {
            store_units(widened(first), to);
            (rest, room) = (after(rest, 64), after_mut(room, 64));
            wait = wait.saturating_sub(1);
            continue;
        }
        wait = 1;
        // The block has bytes beyond ASCII. The block is converted by the body for its longest character, which has
        // two, three or four bytes. The bodies for shorter characters have fewer instructions.
        let bytes = [first, second, third];
        let least = |least: u8| _mm512_cmpge_epu8_mask(first, constants.bytes(least));
        let converted = if least(0xE0) | pending.third_of_four == 0 {
            convert::<2>(constants, bytes, &pending)
        } else if least(0xF0) | pending.third_of_four == 0 {
            convert::<3>(constants, bytes, &pending)
        } else {
            convert::<4>(constants, bytes, &pending)
        };
        let Some(converted) = converted else { break };
        store_units(converted.units, to);
        (rest, room) = (after(rest, 64), after_mut(room, converted.length));
        pending = converted.pending;
    }
    let (read, written) = (source.len() - rest.len(), space - room.len());
    // A character that the end of the last block cuts is taken back, with the code units that its bytes in this block
    // have made: one or two bytes have made one code unit, three bytes have made two.
    match crate::utf8::scalar::begun(up_to(source, read)) {
        0 => (read, written),
        3 => (read - 3, written - 2),
        bytes => (read - bytes, written - 1),
    }
}

/// The code units that start in a block of 64 bytes, their number, and the conditions that the next block must meet.
struct Converted {
    units: [__m512i; 2],
    length: usize,
    pending: Pending,
}

/// Converts a block in which no character has more than `BYTES` bytes. `bytes` are the block and the bytes one and two
/// positions further on. Returns `None` if the block is malformed.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn convert<const BYTES: usize>(constants: Constants, bytes: [__m512i; 3], pending: &Pending) -> Option<Converted> {
    let classes = Classes::of::<BYTES>(constants, bytes[0], pending);
    // Continuation bytes must stand exactly where the leading bytes ask for them.
    if classes.expected != classes.continuation {
        return None;
    }
    let units = assemble::<BYTES, false>(constants, bytes, classes.starts())?;
    Some(Converted { units, length: classes.starts().count_ones() as usize, pending: classes.pending() })
}

/// The classes of 64 bytes: masks with one bit for each byte.
struct Classes {
    /// Leading bytes of characters of at least two bytes.
    two: u64,
    /// Leading bytes of characters of at least three bytes.
    three: u64,
    /// Leading bytes of characters of four bytes.
    four: u64,
    /// Continuation bytes.
    continuation: u64,
    /// The positions at which continuation bytes must stand, because of leading bytes in this block or at the end of
    /// the block before.
    expected: u64,
    /// The positions of third bytes of characters of four, where the trailing surrogates start.
    third_of_four: u64,
}

impl Classes {
    /// Classifies a block in which no character has more than `BYTES` bytes. C0, C1 and F5 to FF count as leading bytes
    /// here; [`assemble`] finds them.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn of<const BYTES: usize>(constants: Constants, bytes: __m512i, pending: &Pending) -> Self {
        let from = |least: u8| _mm512_cmpge_epu8_mask(bytes, constants.bytes(least));
        let two = from(0xC0);
        let three = if BYTES >= 3 { from(0xE0) } else { 0 };
        let four = if BYTES >= 4 { from(0xF0) } else { 0 };
        Self {
            two,
            three,
            four,
            continuation: _mm512_movepi8_mask(bytes) & !two,
            expected: two << 1 | three << 2 | four << 3 | pending.continuations,
            third_of_four: if BYTES >= 4 { four << 2 | pending.third_of_four } else { 0 },
        }
    }

    /// The bytes at which code units start.
    fn starts(&self) -> u64 {
        !self.continuation | self.third_of_four
    }

    /// The conditions that the next block must meet. Shifting by 63, 62 and 61 leaves the leading bytes among the last
    /// one, two and three bytes, at the positions in the next block where their continuation bytes must stand.
    fn pending(&self) -> Pending {
        Pending { continuations: self.two >> 63 | self.three >> 62 | self.four >> 61, third_of_four: self.four >> 62 }
    }
}

/// The conditions that a block must meet because the end of the block before cuts a character. The masks only use the
/// lowest three bits, because a character has at most three bytes in the next block.
#[derive(Default)]
struct Pending {
    /// The positions at which continuation bytes must stand.
    continuations: u64,
    /// The position of the third byte of a character of four, if it is in this block.
    third_of_four: u64,
}

/// Moves each byte down by `BY` lanes. The last lanes have no meaning: a character that begins there ends there, or is
/// not counted.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn shifted<const BY: u8>(constants: Constants, bytes: __m512i) -> __m512i {
    let places = _mm512_add_epi8(numbered(), constants.bytes(BY));
    _mm512_permutexvar_epi8(places, bytes)
}

/// Assembles the code units that start at the bits of `starts`, in order. `bytes` are the bytes of a block and the
/// bytes one and two positions further on. No character has more than `BYTES` bytes. Returns `None` if a character is
/// overlong, a surrogate, or above U+10FFFF. If `TRUSTED`, the caller has checked that there is no such character, and
/// the result is not `None`.
///
/// The result holds 32 code units in each vector. If `BYTES` is 3 and there are at most 32 units, the second vector
/// repeats the first, and its units do not count.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn assemble<const BYTES: usize, const TRUSTED: bool>(
    constants: Constants,
    [first, second, third]: [__m512i; 3],
    starts: u64,
) -> Option<[__m512i; 2]> {
    let [first, second, third] = [compress(first, starts), compress(second, starts), compress(third, starts)];
    let lower = |bytes| _mm512_cvtepu8_epi16(_mm512_castsi512_si256(bytes));
    let (lower, malformed) = assemble_half::<BYTES>(constants, [lower(first), lower(second), lower(third)]);
    if BYTES == 3 && starts.count_ones() <= 32 {
        return (TRUSTED || malformed == 0).then_some([lower, lower]);
    }
    // `vpermb` moves the bytes of the upper half to even lanes in one step. Moving the half down and widening it would
    // take two.
    let upper = |bytes| _mm512_maskz_permutexvar_epi8(EVEN_BYTES, load(&UPPER_HALF_TO_EVEN), bytes);
    let (upper, malformed_too) = assemble_half::<BYTES>(constants, [upper(first), upper(second), upper(third)]);
    (TRUSTED || malformed | malformed_too == 0).then_some([lower, upper])
}

/// The even lanes: the lower bytes of 32 code units.
const EVEN_BYTES: u64 = 0x5555_5555_5555_5555;

/// The shuffle that puts bytes 32 to 63 in the even lanes.
static UPPER_HALF_TO_EVEN: [u8; 64] = {
    let mut places = [0; 64];
    let mut lane = 0;
    while lane < 32 {
        places[2 * lane] = 32 + lane as u8;
        lane += 1;
    }
    places
};

/// Assembles 32 code units from the bytes of 32 lanes, each widened to 16 bits. Returns the units and a mask of those
/// that come from a malformed sequence. No character has more than `BYTES` bytes.
///
/// ```text
/// first      second     third           unit
/// 0xxxxxxx                              00000000 0xxxxxxx
/// 110aaabb   10xxxxxx                   00000aaa bbxxxxxx
/// 1110aaaa   10bbbbcc   10xxxxxx        aaaabbbb ccxxxxxx
/// ```
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn assemble_half<const BYTES: usize>(constants: Constants, [first, second, third]: [__m512i; 3]) -> (__m512i, u32) {
    let set = |value: u16| constants.units(value);
    let and = |units: __m512i, bits: u16| _mm512_and_si512(units, set(bits));
    let from = |least: u16| _mm512_cmpge_epu16_mask(first, set(least));
    let (two, three) = (from(0xC0), from(0xE0));
    let (second, third) = (and(second, 0x3F), and(third, 0x3F));

    let of_two = or(and(_mm512_slli_epi16::<6>(first), 0x7C0), second);
    let mut units = _mm512_mask_mov_epi16(first, two, of_two);
    if BYTES == 2 {
        return (units, _mm512_mask_cmplt_epu16_mask(two, units, set(0x80)));
    }
    let of_three = or(or(_mm512_slli_epi16::<12>(first), _mm512_slli_epi16::<6>(second)), third);
    units = _mm512_mask_mov_epi16(units, three, of_three);
    // The exclusive or with D800 maps surrogates, and only them, below 0x800 among the units from 0x800 on. So the
    // minimum of the unit and this exclusive or is below `least` if the unit is overlong or a surrogate.
    let least = _mm512_mask_mov_epi16(set(0x80), three, set(0x800));
    let flipped = _mm512_xor_si512(units, set(0xD800));
    let mut malformed = _mm512_mask_cmplt_epu16_mask(two, _mm512_min_epu16(units, flipped), least);
    if BYTES == 3 {
        return (units, malformed);
    }
    // A lane of a character of four bytes holds bits 10 to 20 of the code point, from which the leading surrogate is
    // made by adding D7C0. A lane that starts with a continuation byte is the third byte of four: its unit is the
    // trailing surrogate, with bits 0 to 9 of the code point.
    let highest = or(
        or(and(_mm512_slli_epi16::<8>(first), 0x700), _mm512_slli_epi16::<2>(second)),
        _mm512_srli_epi16::<4>(third),
    );
    let leading = _mm512_add_epi16(highest, set(0xD7C0));
    let (four, trailing) = (from(0xF0), from(0x80) & !two);
    units = _mm512_mask_mov_epi16(units, four, leading);
    units = _mm512_mask_mov_epi16(units, trailing, or(and(of_two, 0x3FF), set(0xDC00)));
    // The checks above do not apply to characters of four bytes. Their leading surrogate is out of its range if the
    // code point is less than U+10000 or greater than U+10FFFF.
    malformed &= !four;
    malformed |= _mm512_mask_cmpneq_epi16_mask(four, and(leading, 0xFC00), set(0xD800));
    malformed |= _mm512_mask_cmpge_epu16_mask(four, first, set(0xF5));
    (units, malformed)
}
