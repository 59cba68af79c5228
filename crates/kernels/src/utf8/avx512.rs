//! UTF-8: validation, and copying with and without replacements for malformed sequences.
//!
//! Bytes are compared with the three bytes before them ([`errors`]), 256 bytes for each branch. That says whether there
//! is an error, and not where. For the block that has the error, [`Sequences`] find its place: there, every block
//! begins with a character, and masks say which sequences are malformed.

use super::{scalar, tables as pairs};
use crate::ascii::{avx2::copy_few, avx512 as ascii};
use crate::{base::*, vector::avx512::*};

/// The body of [`crate::utf8::valid_up_to`]. Short text is mostly well-formed, and up to 128 bytes are often ASCII;
/// both are tried before the general body, which loads many constants first.
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn valid_up_to(source: &[u8]) -> usize {
    let is_well_formed = match source.len() {
        ..64 => is_well_formed(source),
        64 if scalar::begun(source) == 0 => is_well_formed(source),
        64..=128 => begins_with_ascii(source),
        _ => false,
    };
    if is_well_formed {
        return source.len();
    }
    let is_run = source.len() > 128 && begins_with_ascii(source);
    let run = if is_run { ascii::prefix_length(source) } else { 0 };
    if run == source.len() { run } else { run + validate(skip(source, run), &mut [], true) }
}

/// The body of [`crate::utf8::copy`]. The first byte mostly tells whether a short text is ASCII.
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn copy(source: &[u8], destination: &mut [u8]) -> usize {
    if matches!(source, [0..0x80, ..]) && copy_few(source, destination) {
        source.len()
    } else {
        copy_more(source, destination)
    }
}

/// The rest of [`copy`], for text that is not short or not ASCII.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn copy_more(source: &[u8], destination: &mut [u8]) -> usize {
    let length = source.len().min(destination.len());
    let (source, destination) = (&source[..length], &mut destination[..length]);
    if length < 64 && is_well_formed(source) {
        store_up_to(load_up_to(source), destination);
        return length;
    }
    copy_beyond(source, destination, true)
}

/// As [`validate`], after a run of ASCII, for a `destination` that is not empty. Whether 64 bytes are ASCII is hard to
/// predict, so [`validate`] takes up to 64 bytes in one step whatever they are.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn copy_beyond(source: &[u8], destination: &mut [u8], exact: bool) -> usize {
    let is_ascii = source.len() > 64 && begins_with_ascii(source);
    let run = if is_ascii { ascii::copy(source, destination) } else { 0 };
    if run == source.len() { run } else { run + validate(skip(source, run), skip_mut(destination, run), exact) }
}

/// Whether `source`, at most 64 bytes, is well-formed. If it has exactly 64 bytes, the caller makes sure that its end
/// does not cut off a character.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn is_well_formed(source: &[u8]) -> bool {
    // The load puts 0 in the lanes after fewer than 64 bytes. A character that the end cuts off is followed by such a
    // 0, so the check finds it.
    !has_errors(_mm512_setzero_si512(), load_up_to(source))
}

/// Returns the length of the longest well-formed prefix of `source`. If not `exact`, the prefix may be shorter: it then
/// ends with a whole block.
///
/// `destination` is empty, or at least as long as `source`. If it is not empty, the prefix is copied to it, and bytes
/// after the prefix may be overwritten too. One body serves validation and copying, because it is long. The callers
/// take a run of ASCII off first, because the functions for such runs differ, and a program has only those that it
/// needs.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn validate(source: &[u8], destination: &mut [u8], exact: bool) -> usize {
    let is_short = source.len() <= 64;
    let source = scalar::whole(source);
    if is_short && is_well_formed(source) {
        store_unless_empty(load_up_to(source), destination);
        return source.len();
    }
    validate_beyond(source, destination, exact)
}

/// Stores as many of the bytes as `destination` has space for. An empty `destination` is skipped: a masked store of no
/// lanes is slow (see [`address_of`](crate::vector::avx512::memory)).
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn store_unless_empty(bytes: __m512i, destination: &mut [u8]) {
    if !destination.is_empty() {
        store_up_to(bytes, destination);
    }
}

/// Whether `source` begins with 128 bytes of ASCII, or has 64 to 128 bytes that are all ASCII. Text mostly begins with
/// many ASCII bytes or with few. Fewer than 128 bytes would be a bad sample: the first 64 bytes of German text are
/// ASCII every other time, the first 128 rarely.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn begins_with_ascii(source: &[u8]) -> bool {
    let (Some(first), Some(last)) = (source.first_chunk(), source.last_chunk()) else { return false };
    let second = block(source, 64).unwrap_or(last);
    _mm512_movepi8_mask(_mm512_or_si512(load(first), load(second))) == 0
}

/// The rest of [`validate`], for text that is not all ASCII.
///
/// The first 64 bytes are checked alone and then 256 bytes for each branch: in malformed text the next error is often
/// close to the last one, and 256 bytes would be checked in vain. Invariant of the loop: `done` is a multiple of 64,
/// the first `done` bytes are well-formed but for a character that their end may cut, and `before` holds the last 64 of
/// them (0 at first). When the loop meets an error, [`Sequences`] find its exact position.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn validate_beyond(source: &[u8], destination: &mut [u8], exact: bool) -> usize {
    let constants = Constants::new();
    let mut done = 0;
    let mut before = _mm512_setzero_si512();
    loop {
        let whole = block(source, done);
        // A shorter block is padded with 0, so a character that the end of `source` cuts off counts as an error.
        let is_last = whole.is_none();
        let bytes = whole.map_or_else(|| load_up_to(after(source, done)), |from| load(from));
        store_unless_empty(bytes, after_mut(destination, done));
        if has_errors(before, bytes) {
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
            if let Some(to) = block_mut::<_, 256>(destination, done)
                && let ([to_a, to_b, to_c, to_d], _) = to.as_chunks_mut()
            {
                [(a, to_a), (b, to_b), (c, to_c), (d, to_d)].each(|(bytes, to)| store(bytes, to));
            }
            // If the block before ends with a complete character, 256 bytes of ASCII after it need no check.
            let all = _mm512_or_si512(_mm512_or_si512(a, b), _mm512_or_si512(c, d));
            if _mm512_movepi8_mask(all) != 0 || ends_inside(before) {
                let errors = |before, bytes| errors(constants, before, bytes);
                let malformed = _mm512_or_si512(
                    _mm512_or_si512(errors(before, a), errors(a, b)),
                    _mm512_or_si512(errors(b, c), errors(c, d)),
                );
                if _mm512_test_epi8_mask(malformed, malformed) != 0 {
                    break;
                }
            }
            before = d;
            done += 256;
        }
    }
    // The first `done` bytes have been copied. A character that their end cuts is taken back, so that the remaining
    // text begins with a character.
    done -= scalar::begun(up_to(source, done));
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

/// Whether [`errors`] finds an error in `bytes`, or at the border to the 64 bytes `before` them.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn has_errors(before: __m512i, bytes: __m512i) -> bool {
    let malformed = errors(Constants::new(), before, bytes);
    _mm512_test_epi8_mask(malformed, malformed) != 0
}

/// Whether the end of these 64 bytes cuts a character. The last four bytes decide that.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn ends_inside(bytes: __m512i) -> bool {
    let last_four = _mm_extract_epi32::<3>(_mm512_extracti32x4_epi32::<3>(bytes)) as u32;
    scalar::begun(&last_four.to_le_bytes()) != 0
}

/// The body of [`crate::utf8::copy_replacing`].
///
/// Well-formed text is copied by [`copy_beyond`]. The block at which it stops is written again by [`write_replacing`],
/// with U+FFFD for each malformed sequence.
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn copy_replacing(source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    // While there is space for a whole block, `copy_beyond` need not find the exact position of an error:
    // `write_replacing` writes the block with the error completely. If the block with its replacements does not fit,
    // `exact` becomes true and `copy_beyond` finds the last character before the error.
    let mut exact = false;
    loop {
        let (rest, room) = (after(source, read), after_mut(destination, written));
        let fitting = rest.len().min(room.len());
        let length = copy_beyond(up_to(rest, fitting), room.get_mut(..fitting).unwrap_or_default(), exact);
        (read, written) = (read + length, written + length);
        let rest = after(source, read);
        if rest.is_empty() {
            return (read, written);
        }
        let bytes = load_up_to(rest);
        let Sequences { length, characters, malformed, .. } = Sequences::first_of(rest);
        // Only the first byte of each malformed sequence keeps its lane, and the lane becomes the three bytes of
        // U+FFFD.
        let kept = lowest(length) & !rest_of_malformed(characters, malformed);
        let count = (kept.count_ones() + 2 * malformed.count_ones()) as usize;
        let Some(to) = destination.get_mut(written..written + count).filter(|_| length != 0) else {
            if exact || length == 0 {
                return (read, written);
            }
            exact = true;
            continue;
        };
        write_replacing(bytes, kept, malformed, to);
        (read, written) = (read + length, written + count);
    }
}

/// The bytes of malformed sequences, without their first bytes. `starts` are the first bytes of all sequences,
/// `malformed` those of malformed sequences.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn rest_of_malformed(starts: u64, malformed: u64) -> u64 {
    // A malformed sequence has at most three bytes, so at most two after the first.
    let second = malformed << 1 & !starts;
    second | second << 1 & !starts
}

/// Writes the bytes of `kept`, but U+FFFD in place of the bytes of `malformed`. Each of 16 bytes is widened to a lane
/// of 32 bits. A lane of `malformed` is replaced by EF BF BD; of the other lanes only the first byte is kept.
/// Compression then drops the bytes that the lanes do not use.
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn write_replacing(bytes: __m512i, kept: u64, malformed: u64, destination: &mut [u8]) {
    let mut all = [0; 64];
    store(bytes, &mut all);
    let mut written = 0;
    for (quarter, bytes) in all.as_chunks().0.iter().enumerate() {
        let [kept, malformed] = [kept, malformed].each(|mask| u64::from((mask >> (16 * quarter)) as u16));
        let replacement = _mm512_set1_epi32(0x00BD_BFEF);
        let lanes = _mm512_mask_mov_epi32(_mm512_cvtepu8_epi32(load_quarter(bytes)), malformed as u16, replacement);
        let live = _pdep_u64(kept, 0x1111_1111_1111_1111) | (_pdep_u64(malformed, 0x1111_1111_1111_1111) * 0b110);
        let count = live.count_ones() as usize;
        if let Some(to) = destination.get_mut(written..written + count) {
            store_up_to(compress(lanes, live), to);
        }
        written += count;
    }
}

/// Up to 64 bytes, divided into sequences. A sequence is a character, or a part of the text that one U+FFFD replaces. A
/// sequence at the end is left out if more bytes could continue it.
pub(crate) struct Sequences {
    /// The number of bytes in the sequences.
    pub(crate) length: usize,
    /// The first byte of each sequence. All bits after the last sequence are set too.
    pub(crate) characters: u64,
    /// The first byte of each malformed sequence.
    pub(crate) malformed: u64,
    /// The first byte of each well-formed character of four bytes.
    pub(crate) of_four: u64,
}

impl Sequences {
    /// [`of`](Self::of) for the first bytes of `source`, out of line: most text has few blocks that need it.
    #[inline(never)]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn first_of(source: &[u8]) -> Self {
        Self::of(load_up_to(source), source)
    }

    /// Divides `bytes`, the first bytes of `source`, into sequences.
    ///
    /// In each mask, bit *n* stands for byte *n*. Shifting a mask of leading bytes to the left by 1, 2 or 3 gives the
    /// positions at which their second, third or fourth bytes must stand.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn of(bytes: __m512i, source: &[u8]) -> Self {
        let high = _mm512_movepi8_mask(bytes);
        let source = source.first_chunk::<64>().map_or(source, |block| block);
        let length = source.len() - scalar::begun(source);
        let constants = Constants::new();
        let from = |least: u8| _mm512_cmpge_epu8_mask(bytes, constants.bytes(least));
        let is = |byte: u8| _mm512_cmpeq_epi8_mask(bytes, constants.bytes(byte));
        let (from_90, from_a0, never) = (from(0x90), from(0xA0), from(0xF5));
        let continuation = high & !from(0xC0);
        let [two, three, four] = [from(0xC2), from(0xE0), from(0xF0)].each(|leading| leading & !never);

        // Second bytes that are continuation bytes, but out of the range that their leading byte allows: E0 needs A0 to
        // BF, F0 needs 90 to BF, ED needs 80 to 9F and F4 needs 80 to 8F.
        let too_low = is(0xE0) << 1 & !from_a0 | is(0xF0) << 1 & !from_90;
        let too_high = is(0xED) << 1 & from_a0 | is(0xF4) << 1 & from_90;
        let second = continuation & two << 1 & !too_low & !too_high;
        let third = continuation & (second & three << 1) << 1;
        let fourth = continuation & (third & four << 2) << 1;
        let of_four = four & fourth >> 3;
        // The first bytes of well-formed sequences: ASCII, and leading bytes whose last continuation byte is there.
        let well_formed = !high | two & !three & second >> 1 | three & !four & third >> 2 | of_four;

        // A byte that does not continue a sequence starts one.
        let characters = !(second | third | fourth);
        Sequences { length, characters, malformed: characters & !well_formed & lowest(length), of_four }
    }

    /// The number of bytes before the first malformed sequence.
    #[inline]
    pub(crate) fn well_formed(&self) -> usize {
        self.length.min(self.malformed.trailing_zeros() as usize)
    }
}

/// Compares each byte with the three bytes before it. A lane of the result is 0 if the byte may stand there, and has a
/// bit set if there is an error. `before` are the 64 bytes before `bytes`.
///
/// Two neighbouring bytes can show most errors. Three tables of 16 entries classify a pair of neighbours: by the upper
/// half of the first byte, by its lower half, and by the upper half of the second byte. Each bit stands for one error,
/// and a pair has an error if all three entries have its bit (see [`utf8_pairs`](crate::utf8::tables)). Two neighbours
/// cannot show whether the second of two continuation bytes belongs to a character of three or four bytes. The highest
/// bit of the tables says "two continuation bytes"; it must be set exactly where the byte two positions before is at
/// least E0 or the byte three positions before is at least F0. An exclusive or compares the two conditions.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn errors(constants: Constants, before: __m512i, bytes: __m512i) -> __m512i {
    // The bytes shifted by one, two and three lanes, so that each lane holds the byte 1, 2 or 3 positions before its
    // own. `valignd` builds the vector that lags 16 bytes, and `vpalignr` then shifts within 128-bit lanes.
    let lagging = _mm512_alignr_epi32::<12>(bytes, before);
    let first = _mm512_alignr_epi8::<15>(bytes, lagging);
    let by_two = _mm512_alignr_epi8::<14>(bytes, lagging);
    let by_three = _mm512_alignr_epi8::<13>(bytes, lagging);

    let lower_half = constants.bytes(0x0F);
    let upper_half = |bytes| _mm512_and_si512(_mm512_srli_epi16::<4>(bytes), lower_half);
    let of_pair = _mm512_ternarylogic_epi32::<{ AND }>(
        _mm512_shuffle_epi8(table(&pairs::BY_FIRST_UPPER), upper_half(first)),
        _mm512_shuffle_epi8(table(&pairs::BY_FIRST_LOWER), _mm512_and_si512(first, lower_half)),
        _mm512_shuffle_epi8(table(&pairs::BY_SECOND_UPPER), upper_half(bytes)),
    );
    // A saturating subtraction leaves the highest bit set only for bytes of at least E0 (or F0).
    let third = _mm512_subs_epu8(by_two, constants.bytes(0xE0 - 0x80));
    let fourth = _mm512_subs_epu8(by_three, constants.bytes(0xF0 - 0x80));
    // The result is of_pair ^ ((third | fourth) & 0x80).
    let expected = _mm512_ternarylogic_epi32::<{ OR_THEN_AND }>(third, fourth, _mm512_set1_epi8(i8::MIN));
    _mm512_xor_si512(of_pair, expected)
}

/// The truth table of `a & b & c` for `vpternlog`: 0xF0, 0xCC and 0xAA are the columns of a, b and c.
const AND: i32 = 0xF0 & 0xCC & 0xAA;

/// The truth table of `(a | b) & c` for `vpternlog`.
const OR_THEN_AND: i32 = (0xF0 | 0xCC) & 0xAA;
