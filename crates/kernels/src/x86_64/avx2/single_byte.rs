//! Encodings of one byte per character, 32 characters a step.
//!
//! `vpshufb` looks up in a table of 16 bytes, so 128 code units are eight slices, each as low bytes and as high bytes. All
//! slices are asked for all characters; a slice answers 0 for those of the others, and the answers are put together by or.

use core::arch::x86_64::*;

use super::{
    ascii,
    memory::{load, load_half, load_units, store, store_units},
};
use crate::{
    blocks::{block, block_mut},
    scalar::{single_byte as scalar, utf16 as scalar_utf16},
    single_byte::ByCodePoint,
};

/// Fewer characters than this are done before the tables are cut into slices.
const FEW: usize = 64;

/// Converts by the slices as far as whole vectors go, then the rest one by one.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(code_points: &[u16; 128], end: u16, source: &[u8], destination: &mut [u16]) -> usize {
    if source.len() < FEW {
        return scalar::to_utf16(code_points, end, source, destination);
    }
    let done = Slices::of(code_points).to_utf16(end, source, destination);
    done + scalar::to_utf16(code_points, end, &source[done..], &mut destination[done..])
}

/// Converts by way of UTF-16, over a block that stays in the first-level cache; copies runs of ASCII straight.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf8(code_points: &[u16; 128], end: u16, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    if source.len() >= FEW {
        let slices = Slices::of(code_points);
        let mut block = [0; 256];
        loop {
            let run = ascii::copy(&source[read..], &mut destination[written..]);
            // A code unit makes three bytes at most.
            let room = block.len().min((destination.len() - written - run) / 3);
            let units = slices.to_utf16(end, &source[read + run..], &mut block[..room]);
            read += run + units;
            written += run + put(&block[..units], &mut destination[written + run..]);
            if units == 0 {
                break;
            }
        }
    }
    let (more_read, more_written) = scalar::to_utf8(code_points, end, &source[read..], &mut destination[written..]);
    (read + more_read, written + more_written)
}

/// Writes code units other than surrogates as UTF-8, for which there is room. Returns how many bytes that is.
///
/// Four units are a word. Those beyond ASCII become two bytes in place, and `pext` drops the empty byte of the others:
///
/// ```text
/// units      00 61   04 1F   00 20   04 40
/// in place   -- 61   9F D0   -- 20   80 D1     (the first byte to write stands last)
/// dropped    61 D0 9F 20 D1 80                 (as written)
/// ```
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn put(units: &[u16], destination: &mut [u8]) -> usize {
    const EACH: u64 = 0x0001_0001_0001_0001;
    let (mut read, mut written) = (0, 0);
    while let (Some(four), Some(room)) = (units[read..].first_chunk::<4>(), destination[written..].first_chunk_mut()) {
        let [first, second, third, fourth] = four.map(u64::from);
        let word = first | second << 16 | third << 32 | fourth << 48;
        if word & (0xFF80 * EACH) == 0 {
            let run = ascii::narrow(&units[read..], &mut destination[written..]);
            read += run;
            written += run;
            continue;
        }
        if word & (0xF800 * EACH) != 0 {
            // One of three bytes.
            written += scalar_utf16::to_utf8(four, &mut destination[written..]).1;
        } else {
            // All ones in the units that have one of the bits 7 to 10.
            let beyond_ascii = ((((word & (0x0780 * EACH)) + 0x7FFF * EACH) >> 15) & EACH) * 0xFFFF;
            let two = ((word >> 6) & (0x1F * EACH)) | (word & (0x3F * EACH)) << 8 | (0x80C0 * EACH);
            let bytes = (two & beyond_ascii) | (word & !beyond_ascii);
            *room = _pext_u64(bytes, beyond_ascii | (0xFF * EACH)).to_le_bytes();
            written += 4 + beyond_ascii.count_ones() as usize / 16;
        }
        read += 4;
    }
    written + scalar_utf16::to_utf8(&units[read..], &mut destination[written..]).1
}

/// Converts 32 code units a step, the last ones in a step that overlaps the one before.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf16(by_code_point: ByCodePoint<'_>, source: &[u16], destination: &mut [u8]) -> usize {
    let length = source.len().min(destination.len());
    let Some(last) = length.checked_sub(32) else { return scalar::from_utf16(by_code_point, source, destination) };
    let windows = by_code_point.windows.map(|number| Window::of(&by_code_point, number));
    let mut done = 0;
    while done < length {
        let at = done.min(last);
        let (Some(from), Some(room)) = (block(source, at), block_mut(destination, at)) else { break };
        if let Err(count) = put_bytes(&by_code_point, &windows, from, room) {
            return at + count;
        }
        done = at + 32;
    }
    done
}

/// Writes the bytes of 32 code units. If one has none, returns how many are before it.
///
/// In the order in which packing two vectors leaves their lanes, until the bytes are put down.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn put_bytes(
    by_code_point: &ByCodePoint<'_>,
    windows: &[Window<'_>; 4],
    from: &[u16; 32],
    room: &mut [u8; 32],
) -> Result<(), usize> {
    let [first, second] = load_units(from);
    if _mm256_testz_si256(_mm256_or_si256(first, second), _mm256_set1_epi16(!0x7F)) == 1 {
        store(ascii::in_order(_mm256_packus_epi16(first, second)), room);
        return Ok(());
    }
    // The seven low bits select within a window, the nine others select the window; and there is that of ASCII.
    let seven = _mm256_set1_epi16(0x7F);
    let low = _mm256_packus_epi16(_mm256_and_si256(first, seven), _mm256_and_si256(second, seven));
    let numbers = [_mm256_srli_epi16::<7>(first), _mm256_srli_epi16::<7>(second)];
    let inside = |number: u16| {
        let [first, second] = numbers.map(|these| _mm256_cmpeq_epi16(these, _mm256_set1_epi16(number as i16)));
        _mm256_packs_epi16(first, second)
    };
    let ascii = inside(0);
    let mut bytes = _mm256_and_si256(low, ascii);
    let mut done = ascii;
    for window in windows {
        let inside = inside(window.number);
        if _mm256_testz_si256(inside, inside) == 0 {
            bytes = _mm256_or_si256(bytes, _mm256_and_si256(window.look_up(low), inside));
            done = _mm256_or_si256(done, inside);
            if _mm256_movemask_epi8(done) == -1 {
                break;
            }
        }
    }
    store(ascii::in_order(bytes), room);
    let missing = _mm256_andnot_si256(ascii, _mm256_cmpeq_epi8(bytes, _mm256_setzero_si256()));
    let mut missing = _mm256_movemask_epi8(ascii::in_order(missing)) as u32;
    while missing != 0 {
        let at = missing.trailing_zeros() as usize;
        room[at] = by_code_point.byte(from[at]).ok_or(at)?;
        missing &= missing - 1;
    }
    Ok(())
}

/// The bytes for 128 code points.
struct Window<'a> {
    number: u16,
    slices: &'a [[u8; 16]],
}

impl<'a> Window<'a> {
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn of(by_code_point: &'a ByCodePoint<'_>, number: u16) -> Self {
        Window { number, slices: by_code_point.block(number).map_or(&[], |block| block.as_chunks().0) }
    }

    /// The bytes at 32 places. A function of its own, for size.
    #[inline(never)]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn look_up(&self, places: __m256i) -> __m256i {
        let mut bytes = _mm256_setzero_si256();
        for (slice, entries) in self.slices.iter().enumerate() {
            // 0x70 to 0x7F for a place in this slice, and from 0x80 on for all others, for which the shuffle gives 0.
            let place = _mm256_xor_si256(places, _mm256_set1_epi8(16 * slice as i8));
            let place = _mm256_add_epi8(place, _mm256_set1_epi8(0x70));
            let table = _mm256_broadcastsi128_si256(load_half(entries));
            bytes = _mm256_or_si256(bytes, _mm256_shuffle_epi8(table, place));
        }
        bytes
    }
}

/// A table of code units in slices of 16, each in both halves of a vector.
struct Slices {
    low: [__m256i; 8],
    high: [__m256i; 8],
}

impl Slices {
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn of(code_points: &[u16; 128]) -> Self {
        let plane = |shift: u32| {
            core::array::from_fn(|slice| {
                let bytes = core::array::from_fn(|at| (code_points[16 * slice + at] >> shift) as u8);
                _mm256_broadcastsi128_si256(load_half(&bytes))
            })
        };
        Slices { low: plane(0), high: plane(8) }
    }

    /// Converts whole vectors, up to one with `end` in it.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn to_utf16(&self, end: u16, source: &[u8], destination: &mut [u16]) -> usize {
        let end = _mm256_set1_epi16(end as i16);
        let mut done = 0;
        while let (Some(block), Some(room)) =
            (source[done..].first_chunk::<32>(), destination[done..].first_chunk_mut::<32>())
        {
            let bytes = load(block);
            let units = if _mm256_movemask_epi8(bytes) == 0 {
                let halves = [_mm256_castsi256_si128(bytes), _mm256_extracti128_si256::<1>(bytes)];
                halves.map(|half| _mm256_cvtepu8_epi16(half))
            } else {
                self.look_up(bytes)
            };
            let ends = _mm256_or_si256(_mm256_cmpeq_epi16(units[0], end), _mm256_cmpeq_epi16(units[1], end));
            if _mm256_testz_si256(ends, ends) == 0 {
                break;
            }
            store_units(units, room);
            done += 32;
        }
        done
    }

    /// The code units of 32 characters; ASCII is itself.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn look_up(&self, bytes: __m256i) -> [__m256i; 2] {
        let (mut low, mut high) = (_mm256_setzero_si256(), _mm256_setzero_si256());
        for slice in 0..8 {
            // 0 to 15 for a byte of this slice. Adding 0x70 leaves the four low bits of those as they are, and sets the
            // highest bit of all others, for which the shuffle gives 0.
            let first = _mm256_set1_epi8((0x80 + 16 * slice as i32) as i8);
            let place = _mm256_adds_epu8(_mm256_xor_si256(bytes, first), _mm256_set1_epi8(0x70));
            low = _mm256_or_si256(low, _mm256_shuffle_epi8(self.low[slice], place));
            high = _mm256_or_si256(high, _mm256_shuffle_epi8(self.high[slice], place));
        }
        let low = _mm256_blendv_epi8(bytes, low, bytes);
        // Unpacking works within each half, so the quarters are put in an order first in which that gives the units in theirs.
        let (low, high) =
            (_mm256_permute4x64_epi64::<0b11_01_10_00>(low), _mm256_permute4x64_epi64::<0b11_01_10_00>(high));
        [_mm256_unpacklo_epi8(low, high), _mm256_unpackhi_epi8(low, high)]
    }
}
