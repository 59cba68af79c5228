//! UTF-16 to single bytes, 32 code units a step.
//!
//! A step narrows its code units with saturation, so that one mask says which are beyond ASCII. If they are at most
//! [`LOOK_UP_ALONE_UP_TO_UNITS`], the narrowed bytes are stored and each of these code units is looked up alone.
//! Otherwise each window to which one of them belongs is looked up for all 32: the lower seven bits of a code unit
//! select a byte, and the upper bits are compared with the number of the window, so that a byte counts in its own
//! window only. The last step overlaps with the one before it, so that no code unit is left over.

use core::hint::select_unpredictable;

use super::windows::look_up;
use crate::to_single_byte::scalar;
use crate::to_single_byte::tables::{ByCodePoint, ByteTable, Window};
use crate::{ascii::avx2 as ascii, base::*, vector::avx2::*};

/// The body of [`crate::to_single_byte::from_utf16`].
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf16(table: &ByteTable, source: &[u16], destination: &mut [u8]) -> usize {
    if ascii::narrow_few(as_pairs(source), destination, false) {
        source.len()
    } else {
        more_from_utf16(table.by_code_point(), source, destination)
    }
}

/// As [`from_utf16`], for all but a few units of ASCII. Converts 32 code units a step. The last step overlaps with the
/// one before.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn more_from_utf16(by_code_point: ByCodePoint<'_>, source: &[u16], destination: &mut [u8]) -> usize {
    let length = source.len().min(destination.len());
    let Some(last) = length.checked_sub(32) else { return scalar::more_from_utf16(by_code_point, source, destination) };
    // `opaque` hides from the compiler that there are four windows. The compiler would otherwise unroll the loop
    // over them.
    let windows = opaque(&by_code_point.windows()[..]);
    let mut done = 0;
    while done < length {
        // A branch for shorter runs of ASCII would be mispredicted too often. A run of ASCII is handled separately only
        // if it has at least 64 units.
        if block::<_, 64>(source, done).is_some_and(|next| is_ascii(next)) {
            done += ascii::narrow(&source[done..length], &mut destination[done..length]);
            continue;
        }
        let at = done.min(last);
        let (Some(from), Some(room)) = (block(source, at), block_mut(destination, at)) else { break };
        if let Err(count) = encode_32(&by_code_point, windows, from, room) {
            return at + count;
        }
        done = at + 32;
    }
    done
}

/// Whether 64 code units are ASCII.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn is_ascii(units: &[u16; 64]) -> bool {
    let (halves, _) = units.as_chunks();
    let ([a, b], [c, d]) = (load_units(&halves[0]), load_units(&halves[1]));
    let all = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
    _mm256_testz_si256(all, _mm256_set1_epi16(!0x7F)) == 1
}

/// The number of code units beyond ASCII up to which a step of 32 units looks them up one by one. A step that has more
/// looks all units up in windows.
const LOOK_UP_ALONE_UP_TO_UNITS: u32 = 3;

/// Writes the bytes of 32 code units. If a code unit has no byte, returns the number of code units before it as an
/// error.
///
/// Packing two vectors leaves their lanes in another order. All vectors of this function keep that order until their
/// bytes are stored.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn encode_32(
    by_code_point: &ByCodePoint<'_>,
    windows: &[Window],
    from: &[u16; 32],
    room: &mut [u8; 32],
) -> Result<(), usize> {
    let [first, second] = load_units(from);
    let saturated = ascii::saturated([first, second]);
    let mut beyond = ascii::beyond_ascii(saturated);
    if beyond.count_ones() <= LOOK_UP_ALONE_UP_TO_UNITS {
        store(saturated, room);
        // The loop always runs for at least two rounds, so that no branch depends on whether the block has 0, 1 or 2
        // units beyond ASCII. A round without such a unit encodes the last unit of the block again, and stores the same
        // byte.
        let mut round = 0;
        while round < 2 || beyond != 0 {
            encode_one(by_code_point, from, (beyond | 1 << 31).trailing_zeros() as usize, room)?;
            beyond &= beyond.wrapping_sub(1);
            round += 1;
        }
        return Ok(());
    }
    // The seven low bits of a code unit are a place in a window, and the nine others the number of the window. ASCII is
    // the window 0.
    let seven = _mm256_set1_epi16(0x7F);
    let low = _mm256_packus_epi16(_mm256_and_si256(first, seven), _mm256_and_si256(second, seven));
    let numbers = [_mm256_srli_epi16::<7>(first), _mm256_srli_epi16::<7>(second)];
    let inside = |number: u16| {
        let equal = |these| _mm256_cmpeq_epi16(these, _mm256_set1_epi16(number as i16));
        _mm256_packs_epi16(equal(numbers[0]), equal(numbers[1]))
    };
    let ascii = inside(0);
    let mut bytes = _mm256_and_si256(low, ascii);
    let mut done = ascii;
    for window in windows {
        let inside = inside(window.number.into());
        if _mm256_testz_si256(inside, inside) == 0 {
            let found = look_up(by_code_point.window_bytes(window), low);
            bytes = _mm256_or_si256(bytes, _mm256_and_si256(found, inside));
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

/// Writes the byte of the code unit at `at`. Returns `at` as an error if the code unit has no byte.
#[inline(always)]
fn encode_one(by_code_point: &ByCodePoint<'_>, from: &[u16; 32], at: usize, room: &mut [u8; 32]) -> Result<(), usize> {
    let unit = from[at];
    // The lookup gives 0 for ASCII.
    let looked_up = by_code_point.byte(unit).unwrap_or(0);
    room[at] = select_unpredictable(unit < 0x80, unit as u8, looked_up);
    if room[at] == 0 && unit != 0 { Err(at) } else { Ok(()) }
}
