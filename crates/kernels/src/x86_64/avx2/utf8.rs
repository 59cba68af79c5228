//! UTF-8.
//!
//! # Into UTF-16
//!
//! 32 bytes are validated, and then converted by 16. For each of the 16 bytes the code unit that would start with it is
//! computed, from it and the two bytes behind it, in a lane of 16 bits; then the lanes of those bytes that do start a code unit
//! are moved together.
//!
//! ```text
//! bytes     a    D0   94   E2   82   AC   F0   9F   92   A9        starts of units marked ^
//!           ^    ^         ^              ^         ^
//! units     0061 0414 –    20AC –    –    D83D –    DCA9 –
//! ```
//!
//! A character of four bytes starts two units: a leading surrogate at its first byte, and a trailing surrogate at its third,
//! whose ten bits all stand in the third and the fourth byte.
//!
//! Blocks may cut characters: what such a one lacks is looked at with the next block.
//!
//! Where few characters are not ASCII, and have two bytes, they are put between ASCII instead.

use super::{
    ascii,
    compress::compress_units,
    memory::{load, load_half, store, store_half_units, store_units},
};
use crate::{
    blocks::{after, after_mut, block, block_mut, up_to},
    scalar::utf8 as scalar,
    utf8_pairs as pairs,
};
use core::arch::x86_64::*;

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn valid_up_to(source: &[u8]) -> usize {
    validate(source, &mut [])
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn copy(source: &[u8], destination: &mut [u8]) -> usize {
    let length = source.len().min(destination.len());
    validate(&source[..length], &mut destination[..length])
}

/// The length of the prefix of `source` that is well-formed. It is copied to `destination`, and possibly some more, if that is as
/// long, or longer, and not empty: one body for both.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn validate(source: &[u8], destination: &mut [u8]) -> usize {
    let is_short = source.len() <= 64;
    let source = scalar::whole(source);
    if is_short && is_right(source) {
        if let Some(room) = destination.get_mut(..source.len()) {
            room.copy_from_slice(source);
        }
        return source.len();
    }
    let run = match begins_with_ascii(source) {
        false => 0,
        true if destination.is_empty() => ascii::prefix_length(source),
        true => ascii::copy(source, destination),
    };
    if run == source.len() {
        return run;
    }
    let done = run + validate_blocks(after(source, run), after_mut(destination, run));
    let (rest, room) = (after(source, done), after_mut(destination, done));
    done + if room.is_empty() { scalar::valid_up_to(rest) } else { scalar::copy(rest, room) }
}

/// Whether up to 64 bytes are well-formed, if the last one does not lead a character.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn is_right(source: &[u8]) -> bool {
    let mut padded = [0; 64];
    let Some(room) = padded.get_mut(..source.len()) else { return false };
    room.copy_from_slice(source);
    let (halves, _) = padded.as_chunks();
    let [first, second] = [load(&halves[0]), load(&halves[1])];
    if ascii::beyond_ascii(_mm256_or_si256(first, second)) == 0 {
        return true;
    }
    let wrong = _mm256_or_si256(errors(_mm256_setzero_si256(), first), errors(first, second));
    _mm256_testz_si256(wrong, wrong) == 1
}

/// Whether the first 128 bytes are ASCII, or all of 65 to 128. Most text begins with much ASCII, or has it nowhere.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn begins_with_ascii(source: &[u8]) -> bool {
    let (Some(first), Some(last)) = (source.first_chunk::<64>(), source.last_chunk()) else { return false };
    let second = block(source, 64).unwrap_or(last);
    let either = |place| {
        let [first, second] = [first, second].map(|bytes| load(&bytes.as_chunks().0[place]));
        _mm256_or_si256(first, second)
    };
    ascii::beyond_ascii(_mm256_or_si256(either(0), either(1))) == 0
}

/// The length of a prefix of `source` that is well-formed; what is behind it is short or is not. Copied as above.
///
/// 128 bytes are checked a branch, and then 32. The last 32 overlap with those before.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn validate_blocks(source: &[u8], destination: &mut [u8]) -> usize {
    let mut done = 0;
    let mut before = _mm256_setzero_si256();
    while let Some(from) = block::<_, 128>(source, done) {
        let ([a, b, c, d], _) = from.as_chunks() else { break };
        let [a, b, c, d] = [load(a), load(b), load(c), load(d)];
        if let Some(to) = block_mut::<_, 128>(destination, done) {
            for (bytes, to) in [a, b, c, d].into_iter().zip(to.as_chunks_mut().0) {
                store(bytes, to);
            }
        }
        let all = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
        if ascii::beyond_ascii(_mm256_or_si256(all, before)) != 0 {
            let wrong = _mm256_or_si256(
                _mm256_or_si256(errors(before, a), errors(a, b)),
                _mm256_or_si256(errors(b, c), errors(c, d)),
            );
            if _mm256_testz_si256(wrong, wrong) == 0 {
                break;
            }
        }
        before = d;
        done += 128;
    }
    while done < source.len() {
        // The last block overlaps with the one before, if there is one.
        let start = match source.len().checked_sub(32) {
            Some(last) if done <= last => done,
            Some(last @ 32..) => {
                before = load(block(source, last - 32).expect("32 is less"));
                last
            }
            _ => break,
        };
        let Some(from) = block(source, start) else { break };
        let bytes = load(from);
        if let Some(to) = block_mut(destination, start) {
            store(bytes, to);
        }
        let right = right(before, bytes);
        done = start + right;
        if right < 32 {
            break;
        }
        before = bytes;
    }
    done - scalar::begun(up_to(source, done))
}

/// How many bytes can follow those before them.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn right(before: __m256i, bytes: __m256i) -> usize {
    let right = _mm256_cmpeq_epi8(errors(before, bytes), _mm256_setzero_si256());
    (_mm256_movemask_epi8(right) as u32).trailing_ones() as usize
}

/// Which bytes cannot follow those before them: other than 0. `before` are the 32 bytes before.
///
/// Any two bytes that follow one another rule errors out, by three tables of 16 entries: for the upper half and the lower half
/// of the one, and the upper half of the other. An error is what all three agree on. What two bytes cannot tell is whether the
/// second of two continuation bytes belongs to a character of three or four: that is the highest bit, and it is compared with
/// the bytes two and three before.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn errors(before: __m256i, bytes: __m256i) -> __m256i {
    // The last 16 bytes before, and the first 16.
    let lagging = _mm256_permute2x128_si256::<0x21>(before, bytes);
    let first = _mm256_alignr_epi8::<15>(bytes, lagging);
    let by_two = _mm256_alignr_epi8::<14>(bytes, lagging);
    let by_three = _mm256_alignr_epi8::<13>(bytes, lagging);

    let by_first_upper = _mm256_shuffle_epi8(table(&pairs::BY_FIRST_UPPER), upper_half(first));
    let by_first_lower =
        _mm256_shuffle_epi8(table(&pairs::BY_FIRST_LOWER), _mm256_and_si256(first, _mm256_set1_epi8(0xF)));
    let by_second_upper = _mm256_shuffle_epi8(table(&pairs::BY_SECOND_UPPER), upper_half(bytes));
    let of_pair = _mm256_and_si256(_mm256_and_si256(by_first_upper, by_first_lower), by_second_upper);

    // Only from 0xE0 and from 0xF0 on the highest bit is left.
    let third = _mm256_subs_epu8(by_two, _mm256_set1_epi8((0xE0_u8 - 0x80) as i8));
    let fourth = _mm256_subs_epu8(by_three, _mm256_set1_epi8((0xF0_u8 - 0x80) as i8));
    let expected = _mm256_and_si256(_mm256_or_si256(third, fourth), _mm256_set1_epi8(i8::MIN));
    _mm256_xor_si256(of_pair, expected)
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn table(entries: &[u8; 16]) -> __m256i {
    _mm256_broadcastsi128_si256(load_half(entries))
}

/// The four highest bits of every byte.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn upper_half(bytes: __m256i) -> __m256i {
    _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), _mm256_set1_epi8(0xF))
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    // It takes longer to begin than to be done.
    if source.len() < 24 { scalar::to_utf16(source, destination) } else { more_to_utf16(source, destination) }
}

#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn more_to_utf16(source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    loop {
        let before = read;
        for convert in [sparse_to_utf16, dense_to_utf16] {
            let (more_read, more_written) = convert(after(source, read), after_mut(destination, written));
            read += more_read;
            written += more_written;
        }
        if read == before {
            break;
        }
    }
    let (more_read, more_written) = scalar::to_utf16(after(source, read), after_mut(destination, written));
    (read + more_read, written + more_written)
}

/// Of 64 bytes, so many characters of two are put one by one between ASCII.
const SOME: u32 = 10;
/// Of 32 bytes, so many that are not ASCII are few again.
const FEW: u32 = 2;
/// What a step of that reads: 64 bytes, what a last character has and what is copied with it.
const AHEAD: usize = 64 + 2 + 64;

/// Converts blocks of 64 bytes of ASCII and few characters of two, all of them whole, while there is nothing wrong and room for as
/// many code units, and some more that may be overwritten; and the ASCII before another block.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn sparse_to_utf16(source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let (Some(from), Some(to)) = (block::<_, AHEAD>(source, read), block_mut::<_, AHEAD>(destination, written)) {
        widen_64(from.first_chunk().expect("more than 64"), to.first_chunk_mut().expect("more than 64"));
        let bytes = [load(window::<0, 32>(from)), load(window::<32, 32>(from))];
        let beyond = ascii::mask(bytes);
        if beyond == 0 {
            read += 64;
            written += 64;
            continue;
        }
        // From 0xC0 on, and from 0xC2 to 0xDF.
        let leading = beyond & ascii::mask(bytes.map(|bytes| _mm256_add_epi8(bytes, bytes)));
        let of_two = ascii::mask(bytes.map(|bytes| {
            let more = _mm256_sub_epi8(bytes, _mm256_set1_epi8(0xC2_u8 as i8));
            _mm256_cmpeq_epi8(_mm256_min_epu8(more, _mm256_set1_epi8((0xDF_u8 - 0xC2) as i8)), more)
        }));
        let is_right = leading == of_two && beyond ^ leading == leading << 1;
        // The next block does not look back.
        let is_whole = leading >> 63 == 0;
        if !is_right || !is_whole || leading.count_ones() > SOME {
            let run = beyond.trailing_zeros() as usize;
            return (read + run, written + run);
        }
        put_between(from, leading, to);
        read += 64;
        written += 64 - leading.count_ones() as usize;
    }
    // Too near to an end for more than ASCII.
    if block(source, read).is_some_and(|next| ascii::beyond_ascii(load(next)) == 0) {
        let run = ascii::widen(after(source, read), after_mut(destination, written));
        return (read + run, written + run);
    }
    (read, written)
}

/// Widens 64 bytes.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn widen_64(from: &[u8; 64], to: &mut [u16; 64]) {
    for (from, to) in from.as_chunks().0.iter().zip(to.as_chunks_mut().0) {
        store_units(ascii::widened(load(from)), to);
    }
}

/// Puts the characters of two that start at the bits of `starts`: each overwrites what was widened of it, and what comes after it
/// is widened once more, to where it belongs.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn put_between(from: &[u8; AHEAD], mut starts: u64, to: &mut [u16; AHEAD]) {
    let mut before = 0;
    // Two at least, even if there are none: what they overwrite is behind the text.
    for _ in 0..starts.count_ones().max(2) {
        let at = starts.trailing_zeros() as usize;
        let (Some([first, second, rest @ ..]), Some([unit, to @ ..])) =
            (block::<_, 66>(from, at), block_mut::<_, 65>(to, at - before))
        else {
            return;
        };
        *unit = u16::from(first & 0x1F) << 6 | u16::from(second & 0x3F);
        widen_64(rest, to);
        before += usize::from(starts != 0);
        starts &= starts.wrapping_sub(1);
    }
}

/// Converts whole blocks while more than few of their characters are not ASCII, there is nothing wrong with them and room for as
/// many code units, and eight more that may be overwritten.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn dense_to_utf16(source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    let mut before = _mm256_setzero_si256();
    // Bits for third bytes of four, of the next block too.
    let mut thirds_of_four = 0;
    // Two bytes more than a block: they are the second and third of its last character.
    while let (Some(from), Some(to)) = (block::<_, 34>(source, read), block_mut::<_, 40>(destination, written)) {
        let bytes = load(from.first_chunk().expect("less than 34"));
        if read > 0 && ascii::beyond_ascii(bytes).count_ones() <= FEW {
            break;
        }
        let wrong = errors(before, bytes);
        if _mm256_testz_si256(wrong, wrong) == 0 {
            break;
        }
        let continuation = _mm256_cmpgt_epi8(_mm256_set1_epi8(0xC0_u8 as i8), bytes);
        let of_four = _mm256_cmpeq_epi8(_mm256_max_epu8(bytes, _mm256_set1_epi8(0xF0_u8 as i8)), bytes);
        thirds_of_four = thirds_of_four >> 32 | u64::from(_mm256_movemask_epi8(of_four) as u32) << 2;
        let starts = !(_mm256_movemask_epi8(continuation) as u32) | thirds_of_four as u32;

        let eighths = if thirds_of_four == 0 {
            let [a, b] = units(bytes, load(window::<1, 32>(from)), load(window::<2, 32>(from)));
            [halves(a)[0], halves(b)[0], halves(a)[1], halves(b)[1]]
        } else {
            let [[a, b], [c, d]] = [units_of_four(window::<0, 18>(from)), units_of_four(window::<16, 18>(from))]
                .map(|units| halves(units));
            [a, b, c, d]
        };
        let mut count = 0;
        for (units, starts) in eighths.into_iter().zip(starts.to_le_bytes()) {
            let room = block_mut(to, count).expect("three times eight units come before, at most");
            store_half_units(compress_units(units, starts), room);
            count += starts.count_ones() as usize;
        }
        read += 32;
        written += count;
        before = bytes;
    }
    // The last character may be cut: up to two bytes made one unit, three made two.
    let bytes = scalar::begun(up_to(source, read));
    (read - bytes, written - bytes.div_ceil(2))
}

/// `N` bytes from `AT` on.
fn window<const AT: usize, const N: usize>(block: &[u8]) -> &[u8; N] {
    block[AT..].first_chunk().expect("AT and N are less")
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn halves(units: __m256i) -> [__m128i; 2] {
    [_mm256_castsi256_si128(units), _mm256_extracti128_si256::<1>(units)]
}

/// The code unit that starts with each of 32 bytes, if one does; from them and those one and two behind. No character has four
/// bytes. The first vector has the first and third eight, as unpacking works within each half.
///
/// ```text
/// one byte      0xxxxxxx                        00000000 0xxxxxxx
/// two bytes     110aaabb 10xxxxxx               00000aaa bbxxxxxx
/// three bytes   1110aaaa 10bbbbcc 10xxxxxx      aaaabbbb ccxxxxxx
/// ```
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn units(first: __m256i, second: __m256i, third: __m256i) -> [__m256i; 2] {
    // Shifts are by lanes of 16 bits: what comes from the byte beside is masked.
    let bits = |bytes, bits: u8| _mm256_and_si256(bytes, _mm256_set1_epi8(bits as i8));
    let at_least = |least: u8| _mm256_cmpeq_epi8(_mm256_max_epu8(first, _mm256_set1_epi8(least as i8)), first);
    let (of_two, of_three) = (at_least(0xC0), at_least(0xE0));
    let [lower_of_two, lower_of_three] = [(first, second), (second, third)]
        .map(|(next, last)| _mm256_or_si256(bits(_mm256_slli_epi16::<6>(next), 0xC0), bits(last, 0x3F)));
    let lower = _mm256_blendv_epi8(_mm256_blendv_epi8(first, lower_of_two, of_two), lower_of_three, of_three);
    let upper_of_two = _mm256_and_si256(bits(_mm256_srli_epi16::<2>(first), 0x7), of_two);
    let upper_of_three =
        _mm256_or_si256(bits(_mm256_slli_epi16::<4>(first), 0xF0), bits(_mm256_srli_epi16::<2>(second), 0xF));
    let upper = _mm256_blendv_epi8(upper_of_two, upper_of_three, of_three);
    [_mm256_unpacklo_epi8(lower, upper), _mm256_unpackhi_epi8(lower, upper)]
}

/// The same for 16 bytes with characters of any length, in order. A function of its own, for size.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn units_of_four(bytes: &[u8; 18]) -> __m256i {
    let [first, second, third] =
        [0, 1, 2].map(|by| _mm256_cvtepu8_epi16(load_half(bytes[by..].first_chunk().expect("less than 18"))));
    let (second, third) = (and(second, 0x3F), and(third, 0x3F));

    let of_two = or(and(_mm256_slli_epi16::<6>(first), 0x7C0), second);
    let of_three = or(or(_mm256_slli_epi16::<12>(first), _mm256_slli_epi16::<6>(second)), third);
    let mut units = _mm256_blendv_epi8(first, of_two, above(first, 0xBF));
    units = _mm256_blendv_epi8(units, of_three, above(first, 0xDF));
    // The highest eleven bits of 21; and, from the third and the fourth byte, the lowest ten.
    let highest = or(
        or(and(_mm256_slli_epi16::<8>(first), 0x700), _mm256_slli_epi16::<2>(second)),
        _mm256_srli_epi16::<4>(third),
    );
    let leading = _mm256_add_epi16(highest, set(0xD7C0));
    units = _mm256_blendv_epi8(units, leading, above(first, 0xEF));
    // A continuation byte that starts a unit is the third of four.
    let trailing = or(and(of_two, 0x3FF), set(0xDC00));
    let continuation = _mm256_andnot_si256(above(first, 0xBF), above(first, 0x7F));
    _mm256_blendv_epi8(units, trailing, continuation)
}

/// The units above a value that is not negative; all of them are not.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn above(units: __m256i, value: i16) -> __m256i {
    _mm256_cmpgt_epi16(units, _mm256_set1_epi16(value))
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn set(value: u16) -> __m256i {
    _mm256_set1_epi16(value as i16)
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn and(units: __m256i, bits: u16) -> __m256i {
    _mm256_and_si256(units, set(bits))
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn or(units: __m256i, others: __m256i) -> __m256i {
    _mm256_or_si256(units, others)
}
