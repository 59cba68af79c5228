//! Decoding of encodings with one and two bytes for each character, 64 bytes a step.
//!
//! A step first decides for 64 bytes at once which bytes lead, which trail and which stand alone. A byte of the lead
//! range takes the next byte, of any value, as its trailing byte. So in a run of such bytes every other one trails, and
//! only the first byte of a run depends on the byte before the run. The drawing in
//! `docs/kernels.md#lead-and-trail-bytes` shows how one subtraction finds the parity of every run;
//! [`tables`] does it.
//!
//! Then each leading byte gets its row, and the column of the byte after it. Trailing bytes are dropped by compression,
//! so that the remaining lanes are characters. Row times columns plus column is the place of a pair in the table, and
//! the code unit at this place is gathered from there.
//!
//! Text whose pairs are all in the table is converted in [chunks](mod@chunks) of eight steps, which takes half of the
//! time. The single step of this file serves the beginning of a text, short texts, and everything that a chunk leaves:
//! pairs that are not in the table, bytes beyond ASCII that stand alone, malformed pairs, and the end of either slice.

mod by_rule;
mod chunks;
mod tables;

use self::by_rule::code_units;
use self::tables::{Block, Split, Tables};
use super::scalar;
use super::tables::{DoubleByte, FIRST_TRAILING, NULL};
use crate::{
    ascii::avx512 as ascii, base::*, single_byte::avx512::Planes, utf8::from_utf16::avx512::sixteen_to_utf8,
    vector::avx512::*,
};

/// Length of a source, in bytes, below which the scalar body decodes it: loading the tables into registers would take
/// longer. See `docs/experiments.md#short-input`.
const SCALAR_BELOW_BYTES: usize = 18;
/// Length of the rest of a source, in bytes, from which on [chunks](mod@chunks) are tried. A chunk that converts fewer
/// bytes does not make up for its start. See `docs/experiments.md#pairs-with-avx-512`.
const CHUNK_FROM_BYTES: usize = 256;
/// The number of single steps after a chunk that converted fewer than [`CHUNK_FROM_BYTES`] bytes; then chunks are tried
/// again. A short chunk shows that the text there has characters that chunks do not convert.
const STEPS_AFTER_SHORT_CHUNK: usize = 16;

/// The body of [`crate::double_byte::to_utf16`].
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    if source.len() < SCALAR_BELOW_BYTES {
        return scalar::to_utf16(encoding, source, destination);
    }
    decode_to_utf16(encoding, source, destination, false)
}

/// The body of [`crate::double_byte::to_utf16_replacing`].
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16_replacing(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    decode_to_utf16(encoding, source, destination, true)
}

/// The body of [`crate::double_byte::to_utf8`].
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf8(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    if source.len() < SCALAR_BELOW_BYTES {
        return scalar::to_utf8(encoding, source, destination);
    }
    decode_to_utf8(encoding, source, destination, false)
}

/// The body of [`crate::double_byte::to_utf8_replacing`].
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf8_replacing(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    decode_to_utf8(encoding, source, destination, true)
}

/// Converts to UTF-16. If `replaced`, each error becomes U+FFFD; otherwise the conversion stops before the first error.
/// One function serves both modes, because its code is long.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn decode_to_utf16(
    encoding: &DoubleByte<'_>,
    source: &[u8],
    destination: &mut [u16],
    replaced: bool,
) -> (usize, usize) {
    let writers = Writers {
        step: |step: &Step, room: &mut _| step.write_utf16(room),
        chunks: |from: &_, to: &mut _| chunks::to_utf16(encoding, from, to),
    };
    let run = |from: &_, to: &mut _| ascii::widen(from, to);
    decode(encoding, replaced, source, destination, writers, run, scalar::to_utf16)
}

/// Converts to UTF-8. If `replaced`, each error becomes U+FFFD; otherwise the conversion stops before the first error.
/// One function serves both modes, because its code is long.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn decode_to_utf8(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u8], replaced: bool) -> (usize, usize) {
    let writers = Writers {
        step: |step: &Step, room: &mut _| step.write_utf8(room),
        chunks: |from: &_, to: &mut _| chunks::to_utf8(encoding, from, to),
    };
    let run = |from: &_, to: &mut _| ascii::copy(from, to);
    decode(encoding, replaced, source, destination, writers, run, scalar::to_utf8)
}

/// The two functions that write converted text in the destination's encoding form.
struct Writers<S, M> {
    /// Writes the characters of one step and returns their length in items of the destination; `None` if they do not
    /// fit.
    step: S,
    /// Converts [chunks](mod@chunks) up to a step with something that chunks leave. Returns `(read, written)`.
    chunks: M,
}

/// Converts 64 bytes a step, or chunks of eight steps where chunks are faster. `writers` write characters, `run`
/// converts a run of ASCII, and `scalar` converts the rest when `destination` has no space for the characters of a
/// step.
///
/// Invariant of the loop: `read` bytes have been converted to `written` items, and the next byte starts a character.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn decode<U>(
    encoding: &DoubleByte<'_>,
    replaced: bool,
    source: &[u8],
    destination: &mut [U],
    writers: Writers<impl Fn(&Step, &mut [U]) -> Option<usize>, impl Fn(&[u8], &mut [U]) -> (usize, usize)>,
    run: impl Fn(&[u8], &mut [U]) -> usize,
    scalar: impl Fn(&DoubleByte<'_>, &[u8], &mut [U]) -> (usize, usize),
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    let tables = Tables::of(encoding);
    // The number of single steps before chunks are tried. One step at first: text often begins with ASCII or with an
    // error.
    let mut wait = 1;
    while read < source.len() {
        let (rest, room) = (after(source, read), after_mut(destination, written));
        if wait == 0 && rest.len() >= CHUNK_FROM_BYTES {
            let (bytes, items) = (writers.chunks)(rest, room);
            (read, written) = (read + bytes, written + items);
            wait = if bytes < CHUNK_FROM_BYTES { STEPS_AFTER_SHORT_CHUNK } else { 1 };
            continue;
        }
        wait = wait.max(1) - 1;
        let block = Block::of(rest);
        if block.is_ascii() {
            let run = run(rest, room);
            (read, written) = (read + run, written + run);
            if run < rest.len().min(64) {
                break;
            }
            continue;
        }
        // The step begins with a character, so its first byte is not the trailing byte of an earlier pair.
        let mut split = tables.split(&block, 0);
        let wrong = if split.alone == 0 { 0 } else { look_up_singles(encoding, &mut split) };
        // The table of single bytes has U+FFFD for bytes without a character, which is the replacement.
        let wrong = if replaced { 0 } else { wrong };
        // A leading byte at the very end of `source` may be continued by the next call, so the step stops before it.
        // The mask is empty if `source` is longer than the step.
        let wrong = wrong | split.leads & 1_u64.checked_shl(rest.len() as u32 - 1).unwrap_or(0);
        // The starts of the characters before the lowest bit of `wrong`; all starts if no bit is set.
        let starts = split.starts & wrong.wrapping_sub(1) & !wrong;
        // If the last byte of the step leads a pair, the step also takes the trailing byte, which is the first of the
        // next 64 bytes.
        let mut step_read = match wrong {
            0 => 64 + (split.leads >> 63) as usize,
            _ => wrong.trailing_zeros() as usize,
        };
        // From here on, lanes stand for characters: bit *n* of `pairs` says that character *n* is a pair.
        let pairs = _pext_u64(split.leads, starts);
        let length = starts.count_ones() as usize;
        let (low, high) = (compress(split.low, starts), compress(split.high, starts));
        let (units, missing) = tables.characters(low, high, pairs, length);
        let mut step = Step { units, length };
        let mut is_stopped = wrong != 0;
        if missing != 0 {
            let resolved = look_up_missing(encoding, replaced, &step, (rest, block), starts, missing);
            step = resolved.step;
            (step_read, is_stopped) = resolved.end.unwrap_or((step_read, is_stopped));
        }

        // A step at the end of `source` is padded with zeros. Each zero became a character, which does not count.
        let bytes = step_read.min(rest.len());
        step.length -= step_read - bytes;
        let Some(length) = (writers.step)(&step, room) else {
            let (more_read, more_written) = scalar(encoding, rest, room);
            return (read + more_read, written + more_written);
        };
        (read, written) = (read + bytes, written + length);
        if is_stopped {
            break;
        }
    }
    (read, written)
}

/// Up to 64 characters: 16 code units in each vector, widened to lanes of 32 bits. Lanes from `length` on have no
/// meaning.
struct Step {
    units: [__m512i; 4],
    length: usize,
}

impl Step {
    /// Writes the characters as UTF-16 and returns the number of code units; `None` if they do not fit.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn write_utf16(&self, room: &mut [u16]) -> Option<usize> {
        let [first, second, third, fourth] = self.units.each(|units| _mm512_cvtepi32_epi16(units));
        let units = [join_halves(first, second), join_halves(third, fourth)];
        match room.first_chunk_mut() {
            Some(room) => store_units(units, room),
            None => store_units_up_to(units, room.get_mut(..self.length)?),
        }
        Some(self.length)
    }

    /// Writes the characters as UTF-8 and returns the number of bytes; `None` if they do not fit.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn write_utf8(&self, room: &mut [u8]) -> Option<usize> {
        let (mut written, mut live) = (0, lowest(self.length));
        // `opaque` hides from the compiler that there are four vectors. Unrolled, the body would stand in the
        // program four times and save no time.
        for &units in opaque(up_to(&self.units, self.length.div_ceil(16))) {
            let (bytes, length) = sixteen_to_utf8::<3>(Constants::new(), units, live as u16);
            match block_mut(room, written) {
                Some(room) => store(bytes, room),
                None => store_up_to(bytes, room.get_mut(written..written + length)?),
            }
            written += length;
            live >>= 16;
        }
        Some(written)
    }
}

/// Replaces the bytes that stand alone by their code units, whose low and high bytes go to `low` and `high`. Returns
/// the bytes that have no code unit.
///
/// The table of single bytes is prepared at each call: bytes that stand alone are rare, and to prepare it with the
/// other tables would cost every call a tenth of its time.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn look_up_singles(encoding: &DoubleByte<'_>, split: &mut Split) -> u64 {
    let Split { low, high, alone, .. } = split;
    let Planes { low: low_bytes, high: high_bytes } = Planes::of(encoding.singles());
    let single = _mm512_permutex2var_epi8(high_bytes.0, *low, high_bytes.1);
    *high = _mm512_mask_mov_epi8(*high, *alone, single);
    let single = _mm512_permutex2var_epi8(low_bytes.0, *low, low_bytes.1);
    *low = _mm512_mask_mov_epi8(*low, *alone, single);
    *alone
        & _mm512_cmpeq_epi8_mask(*low, Constants::new().bytes(NULL as u8))
        & _mm512_cmpeq_epi8_mask(*high, Constants::new().bytes((NULL >> 8) as u8))
}

/// The result of [`look_up_missing`].
struct Resolved {
    /// The step with the code units that were found.
    step: Step,
    /// The number of bytes that the step reads, and whether the conversion stops there; `None` if both are as before.
    end: Option<(usize, bool)>,
}

/// Looks for the pairs of `missing`, for which the table has no code unit: by the encoding's rules, 16 at a time, and
/// then by asking the encoding, one by one. Stops before a pair that has no single code unit, and, unless errors are to
/// be `replaced`, before a malformed pair. `missing` has a bit for each character; `starts` has a bit for each byte
/// that starts a character.
///
/// The processor cannot predict which pairs are malformed, so hardly a branch depends on that.
#[cold]
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn look_up_missing(
    encoding: &DoubleByte<'_>,
    replaced: bool,
    step: &Step,
    (source, Block { bytes, next }): (&[u8], Block),
    starts: u64,
    missing: u64,
) -> Resolved {
    let [first, second, third, fourth] = step.units;
    let both = |first, second| join_halves(_mm512_cvtepi32_epi16(first), _mm512_cvtepi32_epi16(second));
    let mut text = [both(first, second), both(third, fourth)];
    let (constants, null) = (Constants::new(), Constants::new().units(NULL));
    // A bit of `nulls` stands for a pair for which no code unit has been found so far.
    let mut nulls = missing & equal(text, null);
    let trailing_from = |first: u8| _pext_u64(_mm512_cmpge_epu8_mask(next, constants.bytes(first)), starts);
    // The rules take 16 pairs in little more time than one. Asking the encoding is faster for a single pair: HTML in
    // GBK, where the dash U+2013 is such a pair, converts 1.15 times as fast (Sapphire Rapids).
    if let Some(rules) = encoding.rules()
        && (nulls & trailing_from(rules.first())).count_ones() > 1
    {
        let pairs = _pdep_u64(nulls, starts);
        let (leading, trailing) = (compress(bytes, pairs), compress(next, pairs));
        text = expand(text, nulls, code_units(rules, leading, trailing, pairs.count_ones() as usize));
        nulls &= equal(text, null);
    }
    let mut rest = nulls & trailing_from(FIRST_TRAILING);
    while rest != 0 {
        let lowest = _blsi_u64(rest);
        let read = _pdep_u64(lowest, starts).trailing_zeros() as usize;
        // Up to four bytes decide the encoding's answer; after the end of the source there are none.
        let unit = encoding.other(up_to(after(source, read), 4));
        let units = _mm512_set1_epi16(unit as i16);
        text[0] = _mm512_mask_mov_epi16(text[0], lowest as u32, units);
        text[1] = _mm512_mask_mov_epi16(text[1], (lowest >> 32) as u32, units);
        if is_surrogate(unit) {
            break;
        }
        rest ^= lowest;
    }

    let malformed = nulls & equal(text, null);
    let stops = missing & surrogates(constants, text) | if replaced { 0 } else { malformed };
    // In these malformed pairs the second byte is ASCII. By the Standard it is a character of its own, after the
    // U+FFFD.
    let mut before_ascii = malformed & _pext_u64(!_mm512_movepi8_mask(next), starts);
    let mut resolved = Resolved { step: Step { units: step.units, length: step.length }, end: None };
    if stops != 0 {
        let at = stops.trailing_zeros() as usize;
        resolved.step.length = at;
        resolved.end = Some((_pdep_u64(1 << at, starts).trailing_zeros() as usize, true));
        before_ascii &= lowest(at);
    } else if before_ascii & _pext_u64(1 << 63, starts) != 0 {
        // The last byte of the step leads a malformed pair that ends with ASCII. The ASCII byte is left to the next
        // step.
        resolved.end = Some((64, false));
    }
    if before_ascii != 0 {
        // Both masks go back to bits for bytes: the starts of the characters, and the ASCII bytes to insert.
        let characters = _pdep_u64(lowest(resolved.step.length), starts);
        let ascii = _pdep_u64(before_ascii, starts) << 1;
        text = insert_ascii(text, characters, compress(bytes, ascii), ascii);
        resolved.step.length = (characters | ascii).count_ones() as usize;
    }
    let ([first, second], [third, fourth]) = (halves(text[0]), halves(text[1]));
    let wide = |units| _mm512_cvtepu16_epi32(units);
    resolved.step.units = [wide(first), wide(second), wide(third), wide(fourth)];
    resolved
}

/// Inserts ASCII bytes between characters, in the order of the source. `characters` and `ascii` are masks of the
/// positions in the source at which the characters of `text` and the ASCII of `bytes` stand; no position is in both.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn insert_ascii(text: [__m512i; 2], characters: u64, bytes: __m512i, ascii: u64) -> [__m512i; 2] {
    let both = characters | ascii;
    let bytes = _mm512_maskz_expand_epi8(_pext_u64(ascii, both), bytes);
    expand(halves(bytes).each(|bytes| _mm512_cvtepu8_epi16(bytes)), _pext_u64(characters, both), text)
}

/// Expansion: moves the code units of `units`, in order, to the lanes of `text` whose bits are set in `places`.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn expand(text: [__m512i; 2], places: u64, units: [__m512i; 2]) -> [__m512i; 2] {
    let (lower, upper) = (places as u32, (places >> 32) as u32);
    // The first vector of the result takes as many units as `lower` has set bits. The second vector takes the units
    // after these.
    let numbers = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(numbered()));
    let from = _mm512_add_epi16(numbers, _mm512_set1_epi16(lower.count_ones() as i16));
    let rest = _mm512_permutex2var_epi16(units[0], from, units[1]);
    [_mm512_mask_expand_epi16(text[0], lower, units[0]), _mm512_mask_expand_epi16(text[1], upper, rest)]
}
