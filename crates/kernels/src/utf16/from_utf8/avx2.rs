//! UTF-8 to UTF-16.
//!
//! Two loops take turns, each for another kind of text:
//!
//! * [`sparse_to_utf16`] takes text that is mostly ASCII, with a few characters of two bytes. The loop widens 64 bytes
//!   as ASCII and then writes these characters one by one.
//! * [`dense_to_utf16`] takes all other text. The loop validates 32 bytes, and computes for every byte the code unit
//!   that would start there, from this byte and the two after it, in a lane of 16 bits. Then the lanes of bytes that do
//!   start a code unit are moved together:
//!
//! ```text
//! bytes     a    D0   94   E2   82   AC   F0   9F   92   A9        starts of units marked ^
//!           ^    ^         ^              ^         ^
//! units     0061 0414 –    20AC –    –    D83D –    DCA9 –
//! ```
//!
//! A character of four bytes starts two units: the leading surrogate starts at its first byte and the trailing
//! surrogate at its third byte. The ten bits of the trailing surrogate all come from the third and the fourth byte.
//!
//! Blocks are taken at fixed distances, even where that cuts a character: the validation of the next block looks back
//! at the last three bytes of this one. A character that the last block cuts is taken back at the end, with its code
//! unit.
//!
//! Both loops stop before an error, and where either slice has less than a step reads or may overwrite. The rest, fewer
//! than 32 bytes, is copied to a block with zeros after it, which the second loop converts; the code units of the zeros
//! are not counted. The scalar body finds the place of an error.

use super::scalar;
use crate::utf8::avx2::errors;
use crate::utf8::scalar::{begun, whole};
use crate::{ascii::avx2 as ascii, base::*, vector::avx2::*};

/// Length of a source, in bytes, below which the scalar body converts it to UTF-16, because the vector body takes
/// longer to begin. See `docs/experiments.md#short-input`.
const SCALAR_BELOW_BYTES: usize = 12;

/// The same for a source that begins with a character of at least three bytes, and therefore has fewer characters.
const THREES_SCALAR_BELOW_BYTES: usize = 24;

/// The body of [`crate::utf16::from_utf8()`].
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf8(source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    // The first byte mostly tells whether a short text is ASCII, and spares other text the test of all bytes.
    if matches!(source, [0..0x80, ..]) && ascii::widen_few(source, destination) {
        (source.len(), source.len())
    } else if source.len() < SCALAR_BELOW_BYTES
        || source.len() < THREES_SCALAR_BELOW_BYTES && matches!(source, [0xE0..=0xFF, ..])
    {
        scalar::from_utf8(source, destination)
    } else {
        more_to_utf16(source, destination)
    }
}

/// Converts by turns with the loop for sparse text and the loop for dense text, until neither reads anything. The next
/// 32 bytes, or fewer, are a last block unless they are ASCII. The scalar body converts everything else.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn more_to_utf16(source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    loop {
        let before = read;
        for convert in [sparse_to_utf16, dense_to_utf16] {
            let (more_read, more_written) = convert(after(source, read), after_mut(destination, written));
            (read, written) = (read + more_read, written + more_written);
        }
        if read == before {
            break;
        }
    }
    // Zeros after the rest make a block of it. The code units of these zeros do not count.
    let rest = whole(up_to(skip(source, read), 32));
    if let Some(bytes) = load_up_to(rest)
        && ascii::beyond_ascii(bytes) != 0
    {
        let mut padded = [0; 34];
        store(bytes, padded.first_chunk_mut().expect("the array is longer than 32"));
        if let (32, units) = dense_to_utf16(&padded, skip_mut(destination, written)) {
            (read, written) = (read + rest.len(), written + units - (32 - rest.len()));
        }
    }
    and_rest((read, written), source, destination, scalar::from_utf8)
}

/// Characters of two bytes up to which a step of 64 bytes belongs to the loop for sparse text, which writes them one by
/// one between the ASCII. See `docs/experiments.md#utf-8-and-utf-16`.
const PATCH_UP_TO_CHARACTERS: u32 = 10;

/// Bytes beyond ASCII up to which a block of 32 bytes is left to the loop for sparse text.
const SPARSE_UP_TO_BYTES: u32 = 2;

/// Bytes that a step of the loop for sparse text reads: 64, the last character, and 64 bytes that are widened after it.
/// The step needs space for as many code units.
const STEP_READS_BYTES: usize = 64 + 2 + 64;

/// The loop for sparse text: converts blocks of 64 bytes that are ASCII but for at most [`PATCH_UP_TO_CHARACTERS`]
/// characters of two bytes. Stops before a block that has an error, other characters, or a character that its end cuts,
/// and where either slice has fewer than [`STEP_READS_BYTES`] items left. The ASCII at the start of such a block is
/// still converted, and so is a character of three bytes between this ASCII and more ASCII; then the loop goes on after
/// it. Returns `(read, written)`.
///
/// The step is nearly always 64 bytes, so the next block does not wait for the characters of this one.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn sparse_to_utf16(source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    let lengths = (source.len(), destination.len());
    let (mut source, mut destination) = (source, destination);
    while let (Some(from), Some(to)) =
        (block::<_, STEP_READS_BYTES>(source, 0), block_mut::<_, STEP_READS_BYTES>(destination, 0))
    {
        widen_64(
            from.first_chunk().expect("the array is longer than 64"),
            to.first_chunk_mut().expect("the array is longer than 64"),
        );
        let bytes = [load(window::<_, 0, 32>(from)), load(window::<_, 32, 32>(from))];
        let beyond = ascii::mask(bytes);
        if beyond == 0 {
            (source, destination) = (after(source, 64), after_mut(destination, 64));
            let run = ascii::widen_64s_of_ascii(source, destination);
            (source, destination) = (after(source, run), after_mut(destination, run));
            continue;
        }
        // Masks of all leading bytes, and of the leading bytes of characters of two bytes. A leading byte has its two
        // highest bits set; doubled, it still has its highest bit set.
        let leading = beyond & ascii::mask(bytes.each(|bytes| _mm256_add_epi8(bytes, bytes)));
        let of_two = ascii::mask(bytes.each(|bytes| {
            let more = _mm256_sub_epi8(bytes, _mm256_set1_epi8(0xC2_u8 as i8));
            _mm256_cmpeq_epi8(_mm256_min_epu8(more, _mm256_set1_epi8((0xDF_u8 - 0xC2) as i8)), more)
        }));
        // Every leading byte starts a character of two bytes, and continuation bytes stand exactly after the leading
        // bytes.
        let is_well_formed = leading == of_two && beyond ^ leading == leading << 1;
        // No character is cut at the end, because the next block does not look back.
        let is_whole = leading >> 63 == 0;
        if is_well_formed && is_whole && leading.count_ones() <= PATCH_UP_TO_CHARACTERS {
            patch(from, leading, to);
            let written = 64 - leading.count_ones() as usize;
            (source, destination) = (after(source, 64), after_mut(destination, written));
            continue;
        }
        let run = beyond.trailing_zeros() as usize;
        let next = block(from, run).expect("`run` is at most 63, and `from` has 130 bytes");
        let alone = three_bytes_alone(next);
        (source, destination) = (after(source, run), after_mut(destination, run));
        let (Some(unit), Some(room)) = (alone, destination.first_mut()) else {
            return (lengths.0 - source.len(), lengths.1 - destination.len());
        };
        *room = unit;
        (source, destination) = (after(source, 3), after_mut(destination, 1));
    }
    // Near the end of a slice, only ASCII is converted.
    let mut run = 0;
    if block(source, 0).is_some_and(|next| ascii::beyond_ascii(load(next)) == 0) {
        run = ascii::widen(source, destination);
    }
    (lengths.0 - source.len() + run, lengths.1 - destination.len() + run)
}

/// The code unit of a character of three bytes, mostly a quotation mark or a dash, if 32 bytes of ASCII come after it.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn three_bytes_alone(from: &[u8; 35]) -> Option<u16> {
    let [first, second, third, next @ ..] = from;
    let bits = |byte: u8| u16::from(byte & 0x3F);
    let unit = u16::from(*first) << 12 | bits(*second) << 6 | bits(*third);
    let is_well_formed = *first & 0xF0 == 0xE0
        && *second & 0xC0 == 0x80
        && *third & 0xC0 == 0x80
        && unit >= 0x800
        && unit >> 11 != 0xD800 >> 11;
    (is_well_formed && ascii::beyond_ascii(load(next)) == 0).then_some(unit)
}

/// Stores 64 bytes as code units.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn widen_64(from: &[u8; 64], to: &mut [u16; 64]) {
    for (from, to) in from.as_chunks().0.iter().zip(to.as_chunks_mut().0) {
        store_units(ascii::widened(load(from)), to);
    }
}

/// Writes the characters of two bytes that start at the bits of `starts`, of which at least one is set. The block has
/// been widened as ASCII.
///
/// A block with one character writes it twice, so that no branch depends on whether there are one or two.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn patch(from: &[u8; STEP_READS_BYTES], mut starts: u64, to: &mut [u16; STEP_READS_BYTES]) {
    let (mut at, mut before) = (starts.trailing_zeros() as usize, 0);
    for _ in 0..2 {
        patch_one(from, at, before, to);
        starts &= starts.wrapping_sub(1);
        // The compiler makes a conditional move of this, and no branch.
        at = if starts == 0 { at } else { starts.trailing_zeros() as usize };
        before += usize::from(starts != 0);
    }
    while starts != 0 {
        patch_one(from, starts.trailing_zeros() as usize, before, to);
        before += 1;
        starts &= starts - 1;
    }
}

/// Writes the character of two bytes at `at`, which has `before` such characters before it in the block. It overwrites
/// its first widened byte. The 64 bytes after it are widened again, to their new position.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn patch_one(from: &[u8; STEP_READS_BYTES], at: usize, before: usize, to: &mut [u16; STEP_READS_BYTES]) {
    // The masks show the compiler that both arrays are long enough, so that there is no branch.
    let [first, second, rest @ ..] =
        block::<_, 66>(from, at & 63).expect("`at` is at most 63, and `from` has 130 bytes");
    let [unit, to @ ..] = block_mut::<_, 65>(to, (at - before) & 63).expect("`to` has 130 units");
    *unit = u16::from(first & 0x1F) << 6 | u16::from(second & 0x3F);
    widen_64(rest, to);
}

/// Code units of space that a block of the loop for dense text needs: 32, and those that the last store writes after
/// them.
pub(crate) const DENSE_SPACE_UNITS: usize = 40;

/// The loop for dense text: converts blocks of 32 bytes, with less work if all characters of a block have at most two
/// bytes. Stops before a block that has an error or at most
/// [`SPARSE_UP_TO_BYTES`] bytes beyond ASCII, and where either slice is too short for a block. Returns
/// `(read, written)`, both up to the end of a whole character.
///
/// Invariant of the loop: the first `read` bytes are well-formed but for a character that their end may cut, and
/// `before` holds the last 32 of them (0 at first).
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn dense_to_utf16(source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    let mut before = _mm256_setzero_si256();
    // A mask of third bytes of characters of four, where trailing surrogates start. The upper half of the mask belongs
    // to the next block.
    let mut thirds_of_four = 0;
    // Of the block before: whether it cuts a character of two bytes, and which of its last three bytes may begin a
    // longer character.
    let (mut cut, mut others_before) = (0, 0);
    // A block needs two bytes after its 32, the second and the third byte of a character that starts with its last
    // byte.
    while let (Some(from), Some(to)) =
        (block::<_, 34>(source, read), block_mut::<_, DENSE_SPACE_UNITS>(destination, written))
    {
        let bytes = load(from.first_chunk().expect("`from` has 34 bytes"));
        let beyond = ascii::beyond_ascii(bytes);
        if read > 0 && beyond.count_ones() <= SPARSE_UP_TO_BYTES {
            break;
        }
        let second = load(window::<_, 1, 32>(from));
        let continuation = _mm256_movemask_epi8(_mm256_cmpgt_epi8(set8(0xC0), bytes)) as u32;
        let more = _mm256_sub_epi8(bytes, set8(0xC2));
        let of_two = _mm256_cmpeq_epi8(_mm256_min_epu8(more, set8(0xDF - 0xC2)), more);
        let leading = _mm256_movemask_epi8(of_two) as u32;
        let others = beyond ^ leading ^ continuation;
        let mut starts = !continuation;
        let in_order = |[a, b]: [__m256i; 2]| [halves(a)[0], halves(b)[0], halves(a)[1], halves(b)[1]];
        // Four vectors, in the order of the source. Each has the code units for eight of the 32 bytes.
        let eighths = if others | others_before | (leading << 1 | cut) ^ continuation == 0 {
            // Continuation bytes stand exactly after the leading bytes of characters of two bytes, so the text is
            // well-formed without a closer look.
            in_order(units_up_to_two(bytes, second, of_two))
        } else {
            let errors = errors(before, bytes);
            if _mm256_testz_si256(errors, errors) == 0 {
                break;
            }
            let of_four = _mm256_cmpeq_epi8(_mm256_max_epu8(bytes, set8(0xF0)), bytes);
            thirds_of_four = thirds_of_four >> 32 | u64::from(_mm256_movemask_epi8(of_four) as u32) << 2;
            starts |= thirds_of_four as u32;
            if thirds_of_four == 0 {
                in_order(units(bytes, second, load(window::<_, 2, 32>(from))))
            } else {
                let [[a, b], [c, d]] =
                    [units_of_four(window::<_, 0, 18>(from)), units_of_four(window::<_, 16, 18>(from))]
                        .each(|units| halves(units));
                [a, b, c, d]
            }
        };
        (cut, others_before) = (leading >> 31, others >> 29);
        let mut count = 0;
        for (units, starts) in eighths.into_iter().zip(starts.to_le_bytes()) {
            let room = block_mut(to, count).expect("at most 24 units come before");
            store_half_units(compress_units(units, starts), room);
            count += starts.count_ones() as usize;
        }
        (read, written) = (read + 32, written + count);
        before = bytes;
    }
    // A character that the end of the last block cuts is taken back, with the code units that its bytes in this block
    // have made: one or two bytes have made one code unit, three bytes have made two.
    let bytes = begun(up_to(source, read));
    (read - bytes, written - bytes.div_ceil(2))
}

/// For each of 32 bytes, the code unit that starts at this byte; unspecified if no code unit starts there. The text has
/// no characters of four bytes. `first` has the bytes, and the other two vectors have the bytes one and two positions
/// further on. Interleaving works within 128-bit lanes, so the first vector of the result has the first and the third
/// eight code units, the second vector the other two.
///
/// ```text
/// one byte      0xxxxxxx                        00000000 0xxxxxxx
/// two bytes     110aaabb 10xxxxxx               00000aaa bbxxxxxx
/// three bytes   1110aaaa 10bbbbcc 10xxxxxx      aaaabbbb ccxxxxxx
/// ```
///
/// The lower and the upper byte of each unit are computed in separate vectors.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn units(first: __m256i, second: __m256i, third: __m256i) -> [__m256i; 2] {
    // Shifts work on lanes of 16 bits, so a mask drops the bits that come from the neighbouring byte.
    let bits = |bytes, bits: u8| _mm256_and_si256(bytes, set8(bits));
    let at_least = |least: u8| _mm256_cmpeq_epi8(_mm256_max_epu8(first, set8(least)), first);
    let (of_two, of_three) = (at_least(0xC0), at_least(0xE0));
    let [lower_of_two, lower_of_three] = [(first, second), (second, third)]
        .each(|(next, last)| _mm256_or_si256(bits(_mm256_slli_epi16::<6>(next), 0xC0), bits(last, 0x3F)));
    let lower = _mm256_blendv_epi8(_mm256_blendv_epi8(first, lower_of_two, of_two), lower_of_three, of_three);
    let upper_of_two = _mm256_and_si256(bits(_mm256_srli_epi16::<2>(first), 0x7), of_two);
    let upper_of_three =
        _mm256_or_si256(bits(_mm256_slli_epi16::<4>(first), 0xF0), bits(_mm256_srli_epi16::<2>(second), 0xF));
    let upper = _mm256_blendv_epi8(upper_of_two, upper_of_three, of_three);
    [_mm256_unpacklo_epi8(lower, upper), _mm256_unpackhi_epi8(lower, upper)]
}

/// As [`units()`], for characters of one and two bytes. `of_two` is a mask of the leading bytes of those of two.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn units_up_to_two(first: __m256i, second: __m256i, of_two: __m256i) -> [__m256i; 2] {
    let bits = |bytes, bits: u8| _mm256_and_si256(bytes, set8(bits));
    let lower_of_two = _mm256_or_si256(bits(_mm256_slli_epi16::<6>(first), 0xC0), bits(second, 0x3F));
    let lower = _mm256_blendv_epi8(first, lower_of_two, of_two);
    let upper = _mm256_and_si256(bits(_mm256_srli_epi16::<2>(first), 0x7), of_two);
    [_mm256_unpacklo_epi8(lower, upper), _mm256_unpackhi_epi8(lower, upper)]
}

/// For each of 16 bytes, the code unit that starts at this byte, in the order of the bytes. Characters may have any
/// length. Never inlined: characters of four bytes are rare, and the function would stand in the program twice.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn units_of_four(bytes: &[u8; 18]) -> __m256i {
    let [first, second, third] = [0, 1, 2].each(|by| {
        _mm256_cvtepu8_epi16(load_half(bytes[by..].first_chunk().expect("`by` is at most 2, and `bytes` has 18 bytes")))
    });
    let (second, third) = (and(second, 0x3F), and(third, 0x3F));

    let of_two = or(and(_mm256_slli_epi16::<6>(first), 0x7C0), second);
    let of_three = or(or(_mm256_slli_epi16::<12>(first), _mm256_slli_epi16::<6>(second)), third);
    let mut units = _mm256_blendv_epi8(first, of_two, above(first, 0xBF));
    units = _mm256_blendv_epi8(units, of_three, above(first, 0xDF));
    // A lane of a character of four bytes holds bits 10 to 20 of the code point, from which the leading surrogate is
    // made by adding D7C0.
    let highest = or(
        or(and(_mm256_slli_epi16::<8>(first), 0x700), _mm256_slli_epi16::<2>(second)),
        _mm256_srli_epi16::<4>(third),
    );
    let leading = _mm256_add_epi16(highest, set16(0xD7C0));
    units = _mm256_blendv_epi8(units, leading, above(first, 0xEF));
    // A lane with a continuation byte counts only if it is the third byte of four: its unit is the trailing surrogate,
    // with bits 0 to 9 of the code point.
    let trailing = or(and(of_two, 0x3FF), set16(0xDC00));
    let continuation = _mm256_andnot_si256(above(first, 0xBF), above(first, 0x7F));
    _mm256_blendv_epi8(units, trailing, continuation)
}

/// A mask of the units above `value`. The comparison is signed, which is right because neither the units nor `value`
/// are negative.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn above(units: __m256i, value: i16) -> __m256i {
    _mm256_cmpgt_epi16(units, _mm256_set1_epi16(value))
}

/// The bitwise or of two vectors.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn or(units: __m256i, others: __m256i) -> __m256i {
    _mm256_or_si256(units, others)
}
