//! Latin-1: code points up to U+00FF, as bytes, in UTF-16 and in UTF-8, 64 items a step.
//!
//! To and from UTF-16, a byte is the lower half of a code unit. To UTF-8, 32 bytes at a time are widened to lanes of 16
//! bits, in which a character beyond ASCII has two bytes, and compression drops the byte that ASCII does not have. From
//! UTF-8, the byte of a character is its last byte, plus 0x40 after C3; compression drops the leading bytes, which are
//! C2 and C3:
//!
//! ```text
//! bytes       63  C3  A9  C2  A0
//! plus        0   0   40  0   0
//! kept        ^       ^       ^
//! ```
//!
//! No branch depends on a single block of 64: ASCII is looked for in 256 bytes at a time, and then not again for a
//! while. The last items are loaded and stored under a mask. The scalar body has only a destination that is nearly
//! full.

use super::scalar;
use crate::ascii::avx512::{copy, copy_256s, low_bytes, prefix_length, run, widened};
use crate::{base::*, utf8::from_utf16::avx512::encode_two, vector::avx512::*};

/// The body of [`crate::latin1::to_utf16`].
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(source: &[u8], destination: &mut [u16]) -> usize {
    let length = source.len().min(destination.len());
    let (from, rest) = source[..length].as_chunks();
    let (to, room) = destination[..length].as_chunks_mut();
    for (from, to) in from.iter().zip(to) {
        store_units(widened(load(from)), to);
    }
    store_units_up_to(widened(load_up_to(rest)), room);
    length
}

/// The body of [`crate::latin1::to_utf8`]. Whole blocks come first. Then up to 64 bytes are loaded under a mask: the
/// lanes after the end of `source` hold 0, and are not *live*. The length of their UTF-8 is known before anything is
/// stored, one byte for each live lane and one more for each beyond ASCII; text that does not fit is left to the scalar
/// body.
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf8(source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    // Short text is often all ASCII, or begins with ASCII.
    if source.len() <= 64 {
        let run = copy(source, destination);
        if run == source.len() {
            return (run, run);
        }
    }
    let constants = Constants::new();
    let (mut read, mut written) = to_utf8_in_bulk(constants, source, destination);
    while read < source.len() {
        let rest = after(source, read);
        let room = after_mut(destination, written);
        let bytes = load_up_to(rest);
        let beyond_ascii = _mm512_movepi8_mask(bytes);
        let live = lowest(rest.len());
        if room.len() < (live.count_ones() + beyond_ascii.count_ones()) as usize {
            break;
        }
        written += encode_two(constants, widened(bytes), live, beyond_ascii, room);
        read += rest.len().min(64);
    }
    and_rest((read, written), source, destination, scalar::to_utf8)
}

/// Converts blocks of 64 bytes, as long as `destination` has space for 128 bytes, the most that a block can become.
///
/// Runs of ASCII are found 256 bytes at a time. A branch for each block of 64 would mostly be mispredicted in text with
/// a few accents, which costs more than converting an ASCII block like any other.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn to_utf8_in_bulk(constants: Constants, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    // The number of blocks to convert before the next 256 bytes are tried as ASCII.
    let mut known = 0_u32;
    while let Some(from) = block(source, read) {
        if known == 0 {
            let run = copy_256s(after(source, read), after_mut(destination, written));
            (read, written) = (read + run, written + run);
            known = 4;
            continue;
        }
        known -= 1;
        let Some(to) = block_mut::<_, 128>(destination, written) else { break };
        let bytes = load(from);
        written += encode_two(constants, widened(bytes), !0, _mm512_movepi8_mask(bytes), to);
        read += 64;
    }
    (read, written)
}

/// The body of [`crate::latin1::from_utf16`]. A step gathers the lower bytes of 64 code units in one vector, which it
/// stores, and their upper bytes in another, in which a byte other than 0 ends the run. The last code units are loaded
/// and stored under a mask; the lanes after them hold 0.
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf16(source: &[u16], destination: &mut [u8]) -> usize {
    run(
        source,
        destination,
        |from, to| {
            let units = load_units(from);
            store(low_bytes(units), to);
            upper_bytes(units)
        },
        |from, to| {
            let units = load_units_up_to(from);
            store_up_to(low_bytes(units), to);
            upper_bytes(units)
        },
        |upper| _mm512_test_epi8_mask(upper, upper),
    )
}

/// The body of [`crate::latin1::prefix_length_utf16`].
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn prefix_length_utf16(source: &[u16]) -> usize {
    run(
        source,
        &mut nowhere(),
        |from, _| upper_bytes(load_units(from)),
        |from, _| upper_bytes(load_units_up_to(from)),
        |upper| _mm512_test_epi8_mask(upper, upper),
    )
}

/// The upper bytes of 64 code units.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn upper_bytes(units: [__m512i; 2]) -> __m512i {
    low_bytes(units.each(|units| _mm512_srli_epi16::<8>(units)))
}

/// The body of [`crate::latin1::from_utf8`]. Whole blocks come first. Then [`Latin1`] finds the prefix of up to 64
/// bytes that is made of whole characters up to U+00FF. The byte of each character is computed in the lane of its last
/// byte, and compression moves these lanes together. Their number is known before they are stored; what does not fit is
/// left to the scalar body. A prefix of no bytes ends the conversion.
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf8(source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    // Short text is often all ASCII, or begins with ASCII.
    if source.len() <= 64 {
        let run = copy(source, destination);
        if run == source.len() {
            return (run, run);
        }
    }
    let (mut read, mut written) = from_utf8_in_bulk(source, destination);
    while read < source.len() {
        let rest = after(source, read);
        let room = after_mut(destination, written);
        let text = Latin1::of(rest);
        let characters = text.characters.count_ones() as usize;
        let bytes = compress(text.converted(), text.characters);
        if characters > room.len() {
            break;
        }
        match block_mut(room, 0) {
            Some(room) => store(bytes, room),
            None => store_up_to(bytes, &mut room[..characters]),
        }
        (read, written) = (read + text.length, written + characters);
        if text.length == 0 {
            break;
        }
    }
    and_rest((read, written), source, destination, scalar::from_utf8)
}

/// Converts blocks of 64 bytes, as long as they are well-formed and have no code point above U+00FF. Returns `(read,
/// written)`, both up to the end of a whole character.
///
/// Blocks are taken at fixed distances, even where that cuts a character, so no block waits for the one before. A
/// character of two bytes is written in the lane of its last byte, so a cut character belongs to the block in which it
/// ends.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn from_utf8_in_bulk(source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    // The first value is 1 if the last block ends with a leading byte, and the second is 1 if that byte is 0xC3;
    // otherwise they are 0.
    let (mut cut, mut cut_c3) = (0, 0);
    // The number of blocks to convert before the next 256 bytes are tried as ASCII.
    let mut known = 0_u32;
    while let Some(from) = block(source, read) {
        if known | cut as u32 == 0 {
            let run = copy_256s(after(source, read), after_mut(destination, written));
            (read, written) = (read + run, written + run);
            known = 4;
            continue;
        }
        known = known.saturating_sub(1);
        let Some(to) = block_mut(destination, written) else { break };
        let bytes = load(from);
        let (leading, continuation, c3) = (leading(bytes), continuation(bytes), leading_c3(bytes));
        // Continuation bytes must stand exactly after the leading bytes C2 and C3, and all other bytes must be ASCII.
        if continuation != leading << 1 | cut || _mm512_movepi8_mask(bytes) != leading | continuation {
            break;
        }
        store(compress(converted(bytes, c3 << 1 | cut_c3), !leading), to);
        read += 64;
        written += 64 - leading.count_ones() as usize;
        (cut, cut_c3) = (leading >> 63, c3 >> 63);
    }
    (read - cut as usize, written)
}

/// The body of [`crate::latin1::prefix_length_utf8`].
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn prefix_length_utf8(source: &[u8]) -> usize {
    let mut done = 0;
    while done < source.len() {
        let rest = after(source, done);
        let text = Latin1::of(rest);
        let length = if text.is_ascii() && rest.len() > 64 { prefix_length(rest) } else { text.length };
        if length == 0 {
            break;
        }
        done += length;
    }
    done
}

/// The first 64 bytes of a source that starts with a whole character, and the prefix of them that is UTF-8 of code
/// points up to U+00FF.
struct Latin1 {
    /// The bytes; zeros after the end of the source.
    bytes: __m512i,
    /// The bytes that are not ASCII.
    beyond_ascii: u64,
    /// The length of the prefix in bytes.
    length: usize,
    /// The last byte of each character in the prefix. The last byte in UTF-8 equals the Latin-1 byte in all bits but
    /// 0x40.
    characters: u64,
}

impl Latin1 {
    /// Loads the first 64 bytes of `source` and finds the prefix. The prefix ends before a leading byte without its
    /// continuation byte, and before a byte that is neither ASCII nor part of a character of two bytes.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn of(source: &[u8]) -> Self {
        let bytes = block(source, 0).map_or_else(|| load_up_to(source), |from| load(from));
        let beyond_ascii = _mm512_movepi8_mask(bytes);
        let (leading, continuation) = (leading(bytes), continuation(bytes));
        let cut_off = leading & !(continuation >> 1);
        let other = beyond_ascii & !leading & !(continuation & leading << 1);
        let length = source.len().min((cut_off | other).trailing_zeros() as usize);
        Self { bytes, beyond_ascii, length, characters: !leading & lowest(length) }
    }

    /// Whether the 64 bytes are ASCII.
    fn is_ascii(&self) -> bool {
        self.beyond_ascii == 0
    }

    /// The Latin-1 bytes, in the lanes of `characters`.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn converted(&self) -> __m512i {
        converted(self.bytes, leading_c3(self.bytes) << 1)
    }
}

/// The leading bytes C2 and C3, which begin the characters from U+0080 to U+00FF.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn leading(bytes: __m512i) -> u64 {
    _mm512_cmpeq_epi8_mask(_mm512_and_si512(bytes, _mm512_set1_epi8(!1)), _mm512_set1_epi8(0xC2_u8 as i8))
}

/// The leading bytes C3, which begin the characters from U+00C0 to U+00FF.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn leading_c3(bytes: __m512i) -> u64 {
    _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(0xC3_u8 as i8))
}

/// The continuation bytes: as signed numbers, 80 to BF are less than C0 and all others are not.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn continuation(bytes: __m512i) -> u64 {
    _mm512_cmplt_epi8_mask(bytes, _mm512_set1_epi8(0xC0_u8 as i8))
}

/// Adds 0x40 to the bytes of the mask. U+00C0 to U+00FF are C3 80 to C3 BF in UTF-8, so their Latin-1 byte is the
/// continuation byte plus 0x40; U+0080 to U+00BF are C2 80 to C2 BF.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn converted(bytes: __m512i, after_c3: u64) -> __m512i {
    _mm512_mask_add_epi8(bytes, after_c3, bytes, _mm512_set1_epi8(0x40))
}
