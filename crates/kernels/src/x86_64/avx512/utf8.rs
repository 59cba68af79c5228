//! UTF-8.
//!
//! # Into UTF-16
//!
//! 64 bytes are converted at once. Of every byte that starts a code unit the vector of bytes, that of the bytes one further on
//! and that of the bytes two further on say all there is to know about the unit, so those three are compressed by the mask of
//! the starts, and units are assembled from them in lanes of 16 bits:
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
//! A character of four bytes starts two units: a leading surrogate at its first byte, and a trailing surrogate at its third,
//! whose ten bits all stand in the third and the fourth byte.
//!
//! The bulk of a text is taken 64 bytes by 64, wherever that cuts characters: those that start in a block are converted with
//! it, and what is pending of the last one is compared with the next block. So no block waits for the one before it.
//! Whatever stops this, be it the end of a slice or an error somewhere in the block, is left to [`Sequences`], which start every
//! block with a character and know which of them are wrong.

use super::{
    ascii::{self, widened},
    compress::compress,
    memory::{
        load, load_quarter, load_up_to, lowest, numbered, store, store_units, store_units_up_to, store_up_to, table,
    },
};
use crate::{
    blocks::{after, after_mut, block, block_mut, up_to},
    scalar, utf8_pairs as pairs,
};
use core::arch::x86_64::*;

#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn valid_up_to(source: &[u8]) -> usize {
    let is_right = match source.len() {
        ..64 => is_right(source),
        64..=128 => begins_with_ascii(source),
        _ => false,
    };
    if is_right { source.len() } else { validate(source, &mut [], true) }
}

#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn copy(source: &[u8], destination: &mut [u8]) -> usize {
    let length = source.len().min(destination.len());
    let (source, destination) = (&source[..length], &mut destination[..length]);
    if length < 64 && is_right(source) {
        store_up_to(load_up_to(source), destination);
        return length;
    }
    validate(source, destination, true)
}

/// Whether up to 64 bytes are well-formed; of 64 bytes the end must not cut off a character.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn is_right(source: &[u8]) -> bool {
    // Behind fewer stands 0, before which what the end cuts off is wrong.
    !is_wrong(_mm512_setzero_si512(), load_up_to(source))
}

/// The length of the prefix of `source` that is well-formed, or unless it is to be `exact`, of whole blocks of it. It is copied to
/// `destination`, and possibly some more, if that is as long, or longer, and not empty: one body for all.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn validate(source: &[u8], destination: &mut [u8], exact: bool) -> usize {
    let is_short = source.len() <= 64;
    let source = scalar::utf8::whole(source);
    if is_short && is_right(source) {
        put(load_up_to(source), destination);
        return source.len();
    }
    let run = match begins_with_ascii(source) {
        false => 0,
        true if destination.is_empty() => ascii::prefix_length(source),
        // Through the table of levels, or the compiler has its body here again.
        true => super::ascii::copy(source, destination),
    };
    if run == source.len() {
        run
    } else {
        run + validate_beyond(after(source, run), after_mut(destination, run), exact)
    }
}

/// Writes as many bytes as there is room for, which is faster than to write none with a mask.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn put(bytes: __m512i, destination: &mut [u8]) {
    if !destination.is_empty() {
        store_up_to(bytes, destination);
    }
}

/// Whether the first 128 bytes are ASCII, or all of 64 to 128. Most text begins with much ASCII, or has it nowhere.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn begins_with_ascii(source: &[u8]) -> bool {
    let (Some(first), Some(last)) = (source.first_chunk(), source.last_chunk()) else { return false };
    let second = block(source, 64).unwrap_or(last);
    _mm512_movepi8_mask(_mm512_or_si512(load(first), load(second))) == 0
}

/// [`validate`] where there is more than ASCII.
///
/// 256 bytes are checked a branch, behind the first 64: in malformed input one error is often close behind the other. Where
/// something is wrong, [`Sequences`] say what.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn validate_beyond(source: &[u8], destination: &mut [u8], exact: bool) -> usize {
    let mut done = 0;
    let mut before = _mm512_setzero_si512();
    loop {
        let whole = block(source, done);
        let is_last = whole.is_none();
        let bytes = whole.map_or_else(|| load_up_to(after(source, done)), |from| load(from));
        put(bytes, after_mut(destination, done));
        if is_wrong(before, bytes) {
            break;
        }
        if is_last {
            return source.len();
        }
        before = bytes;
        done += 64;
        while let (64, Some(from)) = (done % 256, block::<_, 256>(source, done)) {
            let ([a, b, c, d], _) = from.as_chunks() else { break };
            let [a, b, c, d] = [load(a), load(b), load(c), load(d)];
            if let Some(to) = block_mut::<_, 256>(destination, done) {
                for (bytes, to) in [a, b, c, d].into_iter().zip(to.as_chunks_mut().0) {
                    store(bytes, to);
                }
            }
            let all = _mm512_or_si512(_mm512_or_si512(a, b), _mm512_or_si512(c, d));
            if _mm512_movepi8_mask(all) != 0 || ends_inside(before) {
                let wrong = _mm512_or_si512(
                    _mm512_or_si512(errors(before, a), errors(a, b)),
                    _mm512_or_si512(errors(b, c), errors(c, d)),
                );
                if _mm512_test_epi8_mask(wrong, wrong) != 0 {
                    break;
                }
            }
            before = d;
            done += 256;
        }
    }
    // What is before an error has been copied.
    done -= scalar::utf8::begun(up_to(source, done));
    while exact && done < source.len() {
        let rest = after(source, done);
        let sequences = Sequences::first_of(rest);
        let length = sequences.well_formed();
        done += length;
        if length < sequences.length || length == 0 {
            break;
        }
    }
    done
}

/// Whether something is wrong about 64 bytes, or about the last ones `before` them.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn is_wrong(before: __m512i, bytes: __m512i) -> bool {
    let wrong = errors(before, bytes);
    _mm512_test_epi8_mask(wrong, wrong) != 0
}

/// Whether the last character of 64 bytes goes on behind them.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn ends_inside(bytes: __m512i) -> bool {
    let last_four = _mm_extract_epi32::<3>(_mm512_extracti32x4_epi32::<3>(bytes)) as u32;
    scalar::utf8::begun(&last_four.to_le_bytes()) != 0
}

#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    if source.len() <= 64 {
        let whole = scalar::utf8::whole(source);
        if let Some(written) = few_to_utf16(whole, destination) {
            return (whole.len(), written);
        }
    }
    more_to_utf16(source, destination)
}

/// Converts up to 64 bytes if they are well-formed, none of them in a character of four, and fit. Returns how many units they
/// make.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn few_to_utf16(source: &[u8], destination: &mut [u16]) -> Option<usize> {
    let bytes = load_up_to(source);
    let classes = Classes::of::<4>(bytes, &Pending::default());
    let starts = classes.starts() & lowest(source.len());
    let to = destination.get_mut(..starts.count_ones() as usize)?;
    let units = if _mm512_movepi8_mask(bytes) == 0 {
        widened(bytes)
    } else if classes.four != 0 || !is_right(source) {
        return None;
    } else {
        assemble::<3, true>([bytes, shifted::<1>(bytes), shifted::<2>(bytes)], starts)?
    };
    store_units_up_to(units, to);
    Some(to.len())
}

#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn more_to_utf16(source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    let (read, written) = to_utf16_with(false, source, destination);
    let (source, destination) = (after(source, read), after_mut(destination, written));
    let (more_read, more_written) = scalar::utf8::to_utf16(source, destination);
    (read + more_read, written + more_written)
}

#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16_replacing(source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    to_utf16_with(true, source, destination)
}

/// One body for both, because it is long: errors are stopped at, or `replaced`.
///
/// What a block of the bulk cannot be, because it is malformed, cut off, or does not fit, is looked at more closely.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn to_utf16_with(replaced: bool, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    // Perhaps it is all ASCII.
    let run = if block(source, 0).is_some_and(|ahead| ascii::is_ascii(ahead)) {
        ascii::widen(source, destination)
    } else {
        0
    };
    let (mut read, mut written) = (run, run);
    loop {
        let (bytes, units) = to_utf16_in_bulk(after(source, read), after_mut(destination, written));
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
        let length = if replaced { sequences.length } else { sequences.well_formed() };
        let live = lowest(length);
        let of_four = sequences.of_four & live;
        let starts = sequences.characters & live | of_four << 2;
        let Some(to) = destination.get_mut(written..written + starts.count_ones() as usize) else { break };
        let bytes = [bytes, shifted::<1>(bytes), shifted::<2>(bytes)];
        let Some([lower, upper]) = assemble::<4, true>(bytes, starts) else { break };
        let wrong = _pext_u64(sequences.wrong & live, starts);
        let units = [(lower, wrong as u32), (upper, (wrong >> 32) as u32)]
            .map(|(units, wrong)| _mm512_mask_mov_epi16(units, wrong, set(0xFFFD)));
        store_units_up_to(units, to);
        (read, written) = (read + length, written + to.len());
        if length < sequences.length || length == 0 {
            break;
        }
    }
    (read, written)
}

/// Converts whole blocks while there is nothing wrong with them and room for 64 code units.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn to_utf16_in_bulk(source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    let mut pending = Pending::default();
    // How many blocks of ASCII to see before 256 bytes are looked at once: they are tried for nothing in most text.
    let mut wait = 0_u32;
    // Two bytes more than a block: they are the second and third of its last character.
    while let Some(from) = block::<_, 66>(source, read) {
        if wait == 0
            && let Some(ahead) = block::<_, 256>(source, read)
        {
            let ([a, b, c, d], _) = ahead.as_chunks() else { break };
            let [a, b, c, d] = [load(a), load(b), load(c), load(d)];
            let all = _mm512_or_si512(_mm512_or_si512(a, b), _mm512_or_si512(c, d));
            if _mm512_movepi8_mask(all) | pending.continuations == 0
                && let Some(to) = block_mut::<_, 256>(destination, written)
            {
                for (bytes, to) in [a, b, c, d].into_iter().zip(to.as_chunks_mut().0) {
                    store_units(widened(bytes), to);
                }
                (read, written) = (read + 256, written + 256);
                continue;
            }
            wait = 4;
        }
        let Some(to) = block_mut(destination, written) else { break };
        let [first, second, third] = [window::<0>(from), window::<1>(from), window::<2>(from)];
        if _mm512_movepi8_mask(first) | pending.continuations == 0 {
            store_units(widened(first), to);
            (read, written) = (read + 64, written + 64);
            wait = wait.saturating_sub(1);
            continue;
        }
        wait = 1;
        let bytes = [first, second, third];
        let least = |least: u8| _mm512_cmpge_epu8_mask(first, _mm512_set1_epi8(least as i8));
        let converted = if least(0xE0) | pending.third_of_four == 0 {
            convert::<2>(bytes, &pending)
        } else if least(0xF0) | pending.third_of_four == 0 {
            convert::<3>(bytes, &pending)
        } else {
            convert::<4>(bytes, &pending)
        };
        let Some(converted) = converted else { break };
        store_units(converted.units, to);
        read += 64;
        written += converted.length;
        pending = converted.pending;
    }
    // The last character may be cut.
    match scalar::utf8::begun(up_to(source, read)) {
        0 => (read, written),
        3 => (read - 3, written - 2),
        bytes => (read - bytes, written - 1),
    }
}

/// The code units that start in 64 bytes, and what these leave for the next ones.
struct Converted {
    units: [__m512i; 2],
    length: usize,
    pending: Pending,
}

/// Converts a block with nothing longer than `BYTES` bytes; `None` if something is wrong with it. `bytes` are those of the block,
/// and those one and two bytes further on.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn convert<const BYTES: usize>(bytes: [__m512i; 3], pending: &Pending) -> Option<Converted> {
    let classes = Classes::of::<BYTES>(bytes[0], pending);
    if classes.expected != classes.continuation {
        return None;
    }
    let units = assemble::<BYTES, false>(bytes, classes.starts())?;
    Some(Converted { units, length: classes.starts().count_ones() as usize, pending: classes.pending() })
}

/// Copies with U+FFFD in place of errors.
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn copy_replacing(source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    // A block with errors is left to be done at once, until there is no room for one.
    let mut exact = false;
    loop {
        let (rest, room) = (after(source, read), after_mut(destination, written));
        let fitting = rest.len().min(room.len());
        let length = validate(up_to(rest, fitting), room.get_mut(..fitting).unwrap_or_default(), exact);
        (read, written) = (read + length, written + length);
        let rest = after(source, read);
        if rest.is_empty() {
            return (read, written);
        }
        let bytes = load_up_to(rest);
        let Sequences { length, characters, wrong, .. } = Sequences::first_of(rest);
        // Of the sequences that are wrong only the first byte stays.
        let kept = lowest(length) & !after_wrong(characters, wrong);
        let count = (kept.count_ones() + 2 * wrong.count_ones()) as usize;
        let Some(to) = destination.get_mut(written..written + count).filter(|_| length != 0) else {
            if exact || length == 0 {
                return (read, written);
            }
            exact = true;
            continue;
        };
        put_replacing(bytes, kept, wrong, to);
        (read, written) = (read + length, written + count);
    }
}

/// The bytes of sequences that are wrong, but for their first ones.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn after_wrong(starts: u64, wrong: u64) -> u64 {
    // At most two.
    let second = wrong << 1 & !starts;
    second | second << 1 & !starts
}

/// Writes the bytes in `kept`, U+FFFD in place of those in `wrong`: of 16 bytes each in a lane of its own, what a lane has not is
/// left out.
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn put_replacing(bytes: __m512i, kept: u64, wrong: u64, destination: &mut [u8]) {
    let mut all = [0; 64];
    store(bytes, &mut all);
    let mut written = 0;
    for (quarter, bytes) in all.as_chunks().0.iter().enumerate() {
        let [kept, wrong] = [kept, wrong].map(|mask| u64::from((mask >> (16 * quarter)) as u16));
        let replacement = _mm512_set1_epi32(0x00BD_BFEF);
        let lanes = _mm512_mask_mov_epi32(_mm512_cvtepu8_epi32(load_quarter(bytes)), wrong as u16, replacement);
        let live = _pdep_u64(kept, 0x1111_1111_1111_1111) | (_pdep_u64(wrong, 0x1111_1111_1111_1111) * 0b110);
        let count = live.count_ones() as usize;
        if let Some(to) = destination.get_mut(written..written + count) {
            store_up_to(compress(lanes, live), to);
        }
        written += count;
    }
}

/// Up to 64 bytes in sequences: characters, and what U+FFFD stands for. The last one is left if it may go on behind them.
///
/// ```text
/// bytes       a  E2 82 AC E2 82 b  80 F4 90
/// characters  1  1  .  .  1  .  1  1  1  1
/// wrong       .  .  .  .  1  .  .  1  1  1      90 cannot follow F4
/// ```
struct Sequences {
    /// How many bytes they are.
    length: usize,
    /// Where one starts, and behind them.
    characters: u64,
    /// Where one starts that is no character.
    wrong: u64,
    /// Where a character of four bytes starts.
    of_four: u64,
}

impl Sequences {
    /// As [`of`](Self::of), out of line where that is not often.
    #[inline(never)]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
    fn first_of(source: &[u8]) -> Self {
        Self::of(load_up_to(source), source)
    }

    /// Those of `bytes`, which are the first of `source`.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
    fn of(bytes: __m512i, source: &[u8]) -> Self {
        let high = _mm512_movepi8_mask(bytes);
        let source = source.first_chunk::<64>().map_or(source, |block| block);
        let length = source.len() - scalar::utf8::begun(source);
        let from = |least: u8| _mm512_cmpge_epu8_mask(bytes, _mm512_set1_epi8(least as i8));
        let is = |byte: u8| _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(byte as i8));
        let (from_90, from_a0, never) = (from(0x90), from(0xA0), from(0xF5));
        let continuation = high & !from(0xC0);
        let [two, three, four] = [from(0xC2), from(0xE0), from(0xF0)].map(|leading| leading & !never);

        let too_low = is(0xE0) << 1 & !from_a0 | is(0xF0) << 1 & !from_90;
        let too_high = is(0xED) << 1 & from_a0 | is(0xF4) << 1 & from_90;
        let second = continuation & two << 1 & !too_low & !too_high;
        let third = continuation & (second & three << 1) << 1;
        let fourth = continuation & (third & four << 2) << 1;
        let of_four = four & fourth >> 3;
        let right = !high | two & !three & second >> 1 | three & !four & third >> 2 | of_four;

        let characters = !(second | third | fourth);
        Sequences { length, characters, wrong: characters & !right & lowest(length), of_four }
    }

    /// How many of their bytes come before the first that is wrong.
    #[inline]
    fn well_formed(&self) -> usize {
        self.length.min(self.wrong.trailing_zeros() as usize)
    }
}

/// Which of 64 bytes are what, a bit per byte.
struct Classes {
    /// Those that lead a character of two bytes or more, of three or more, and of four.
    two: u64,
    three: u64,
    four: u64,
    /// Continuation bytes.
    continuation: u64,
    /// Where a continuation byte ought to be, by the leading bytes.
    expected: u64,
    /// The third bytes of characters of four.
    third_of_four: u64,
}

impl Classes {
    /// Those of a block in which no character has more than `BYTES` bytes.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
    fn of<const BYTES: usize>(bytes: __m512i, pending: &Pending) -> Self {
        let from = |least: u8| _mm512_cmpge_epu8_mask(bytes, _mm512_set1_epi8(least as i8));
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

    /// The bytes that start a code unit.
    fn starts(&self) -> u64 {
        !self.continuation | self.third_of_four
    }

    fn pending(&self) -> Pending {
        Pending { continuations: self.two >> 63 | self.three >> 62 | self.four >> 61, third_of_four: self.four >> 62 }
    }
}

/// What the character that the end of a block cuts asks of the next block.
#[derive(Default)]
struct Pending {
    /// Where its continuation bytes ought to be.
    continuations: u64,
    /// Where the third of its four bytes ought to be, if not in the block before.
    third_of_four: u64,
}

/// Which bytes cannot follow those before them: other than 0. `before` are the 64 bytes before.
///
/// Any two bytes that follow one another rule errors out, by three tables of 16 entries: for the upper half and the lower half
/// of the one, and the upper half of the other. An error is what all three agree on. What two bytes cannot tell is whether the
/// second of two continuation bytes belongs to a character of three or four: that is the highest bit, and it is compared with
/// the bytes two and three before.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn errors(before: __m512i, bytes: __m512i) -> __m512i {
    // The last 16 bytes before, and the first 48.
    let lagging = _mm512_alignr_epi32::<12>(bytes, before);
    let first = _mm512_alignr_epi8::<15>(bytes, lagging);
    let by_two = _mm512_alignr_epi8::<14>(bytes, lagging);
    let by_three = _mm512_alignr_epi8::<13>(bytes, lagging);

    let of_pair = _mm512_ternarylogic_epi32::<{ AND }>(
        _mm512_shuffle_epi8(table(&pairs::BY_FIRST_UPPER), upper_half(first)),
        _mm512_shuffle_epi8(table(&pairs::BY_FIRST_LOWER), _mm512_and_si512(first, _mm512_set1_epi8(0xF))),
        _mm512_shuffle_epi8(table(&pairs::BY_SECOND_UPPER), upper_half(bytes)),
    );
    // Only from 0xE0 and from 0xF0 on the highest bit is left.
    let third = _mm512_subs_epu8(by_two, _mm512_set1_epi8((0xE0_u8 - 0x80) as i8));
    let fourth = _mm512_subs_epu8(by_three, _mm512_set1_epi8((0xF0_u8 - 0x80) as i8));
    // of_pair ^ ((third | fourth) & 0x80)
    let expected = _mm512_ternarylogic_epi32::<{ OR_THEN_AND }>(third, fourth, _mm512_set1_epi8(i8::MIN));
    _mm512_xor_si512(of_pair, expected)
}

/// For three bits, as a ternary function: all of them.
const AND: i32 = 0xF0 & 0xCC & 0xAA;
/// For three bits, as a ternary function: one of the first two, and the third.
const OR_THEN_AND: i32 = (0xF0 | 0xCC) & 0xAA;

/// The four highest bits of every byte.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn upper_half(bytes: __m512i) -> __m512i {
    and(_mm512_srli_epi16::<4>(bytes), 0x0F0F)
}

/// 64 bytes of 66, `BY` bytes further on.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn window<const BY: usize>(bytes: &[u8; 66]) -> __m512i {
    load(bytes[BY..].first_chunk().expect("BY is two at most"))
}

/// The bytes `BY` bytes further on, and 0 behind the last.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn shifted<const BY: i8>(bytes: __m512i) -> __m512i {
    _mm512_maskz_permutexvar_epi8(!0 >> BY, _mm512_add_epi8(numbered(), _mm512_set1_epi8(BY)), bytes)
}

/// The code units that start in the bytes `starts`, in order. `bytes` are those of a block, and those one and two bytes further
/// on; no character has more than `BYTES`. `None` if one is longer than it need be, a surrogate, or above U+10FFFF; where
/// `TRUSTED`, that is known not to be.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn assemble<const BYTES: usize, const TRUSTED: bool>(
    [first, second, third]: [__m512i; 3],
    starts: u64,
) -> Option<[__m512i; 2]> {
    let [first, second, third] = [compress(first, starts), compress(second, starts), compress(third, starts)];
    let lower = |bytes| _mm512_cvtepu8_epi16(_mm512_castsi512_si256(bytes));
    let (lower, wrong) = half::<BYTES>([lower(first), lower(second), lower(third)]);
    if BYTES == 3 && starts.count_ones() <= 32 {
        return (TRUSTED || wrong == 0).then_some([lower, lower]);
    }
    // Half as much work as widening a half that is first brought down.
    let upper = |bytes| _mm512_maskz_permutexvar_epi8(EVEN, load(&UPPER), bytes);
    let (upper, wrong_too) = half::<BYTES>([upper(first), upper(second), upper(third)]);
    (TRUSTED || wrong | wrong_too == 0).then_some([lower, upper])
}

/// The lower byte of every unit.
const EVEN: u64 = 0x5555_5555_5555_5555;

/// Where the units of the upper half are among 64 bytes.
static UPPER: [u8; 64] = {
    let mut places = [0; 64];
    let mut lane = 0;
    while lane < 32 {
        places[2 * lane] = 32 + lane as u8;
        lane += 1;
    }
    places
};

/// The code units of 32 lanes, and which of them come from something that is not a character. No character has more than
/// `BYTES` bytes.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn half<const BYTES: usize>([first, second, third]: [__m512i; 3]) -> (__m512i, u32) {
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
    // Turning these bits over makes surrogates less than 0x800, and nothing else that is not at least that before.
    let least = _mm512_mask_mov_epi16(set(0x80), three, set(0x800));
    let turned = _mm512_xor_si512(units, set(0xD800));
    let mut wrong = _mm512_mask_cmplt_epu16_mask(two, _mm512_min_epu16(units, turned), least);
    if BYTES == 3 {
        return (units, wrong);
    }
    // The highest eleven bits of 21; and, from the third and the fourth byte, the lowest ten.
    let highest = or(
        or(and(_mm512_slli_epi16::<8>(first), 0x700), _mm512_slli_epi16::<2>(second)),
        _mm512_srli_epi16::<4>(third),
    );
    let leading = _mm512_add_epi16(highest, set(0xD7C0));
    let (four, trailing) = (from(0xF0), from(0x80) & !two);
    units = _mm512_mask_mov_epi16(units, four, leading);
    units = _mm512_mask_mov_epi16(units, trailing, or(and(of_two, 0x3FF), set(0xDC00)));
    wrong &= !four;
    wrong |= _mm512_mask_cmpneq_epi16_mask(four, and(leading, 0xFC00), set(0xD800));
    wrong |= _mm512_mask_cmpge_epu16_mask(four, first, set(0xF5));
    (units, wrong)
}

#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn set(value: u16) -> __m512i {
    _mm512_set1_epi16(value as i16)
}

#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn and(units: __m512i, bits: u16) -> __m512i {
    _mm512_and_si512(units, set(bits))
}

#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn or(units: __m512i, others: __m512i) -> __m512i {
    _mm512_or_si512(units, others)
}
