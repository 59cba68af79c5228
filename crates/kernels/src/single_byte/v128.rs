//! Decoding of single bytes, in vectors of 16 bytes.
//!
//! A step reads 16 bytes and makes two vectors of them, the lower and the upper bytes of the code units; zipped, they
//! are 16 code units. To UTF-8, `utf8::from_utf16` takes these on. ASCII is its own lower byte, so a lookup is for
//! bytes beyond it:
//!
//! ```text
//! bytes      61    E4    20                  windows-1251
//! lower      61    34    20
//! upper      00    04    00
//! zipped     0061  0434  0020
//! ```
//!
//! NEON looks 16 bytes up in a table of 64 bytes with `tbl`, and `tbx` goes on in the next 64 for those beyond the
//! first. So a table of 128 code units is two tables of 128 bytes, in sixteen registers. WebAssembly and x86-64 look up
//! 16 entries at once; they compute most letters instead (`letters`).
//!
//! Text in Latin letters is mostly ASCII. There a step of 32 or 64 bytes is moved as ASCII, and the few other
//! characters are *patched*: written to their places, with the text after them copied on. All steps write more than
//! they count, and leave the last bytes of a slice to the scalar body. A step in which a byte ends the conversion goes
//! to it as well, so that no step has to find the place.

#[cfg(not(target_arch = "aarch64"))]
pub(crate) mod letters;
pub(crate) mod near_latin1;

use super::scalar;
use crate::utf8::from_utf16::v128::{VECTOR_SPACE_BYTES, write_sixteen};
use crate::{ascii::v128 as ascii, base::*, vector::v128::*};

#[cfg(not(target_arch = "aarch64"))]
use self::letters::{Decoder, bulk_to_utf16};
#[cfg(target_arch = "aarch64")]
use self::near_latin1::NearLatin1;

/// The length of a source, in characters, below which the scalar body converts it: loading the tables into registers
/// would take longer. See `docs/experiments.md#single-byte-encodings`.
pub(crate) const SCALAR_BELOW_CHARACTERS: usize = 64;

/// The number of characters between two tests for ASCII, and the number that a test looks at. In text beyond ASCII the
/// tests take one instruction for every sixth character. See `docs/experiments.md#single-byte-encodings`.
pub(crate) const CHARACTERS_BETWEEN_TESTS: usize = 64;

/// The body of [`crate::single_byte::to_private_use`]: no byte ends the run. Sign extension of 0x80 gives 0xFF80, and
/// clearing a bit gives 0xF780.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn to_private_use(source: &[u8], destination: &mut [u16]) -> usize {
    let step = |from: &_, to: &mut _| {
        let bytes = vreinterpretq_s8_u8(load(from));
        let extended = [vmovl_s8(vget_low_s8(bytes)), vmovl_high_s8(bytes)];
        store_units(extended.each(|units| vandq_u16(vreinterpretq_u16_s16(units), vdupq_n_u16(0xF7FF))), to);
        vdupq_n_u8(0)
    };
    ascii::run(source, destination, step, 1, scalar::to_private_use)
}

/// Decodes 16 bytes a step to the planes of their code units, zips these, and makes UTF-8 of them. With NEON, the steps
/// of `patched_to_utf8` come first, and this loop converts what they leave near the end.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn to_utf8(code_points: &[u16; 128], end: u16, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    if source.len() < SCALAR_BELOW_CHARACTERS || cfg!(target_arch = "x86_64") && is_of_three_bytes(code_points) {
        return scalar::to_utf8(code_points, end, source, destination);
    }
    // Text that is all ASCII needs no tables.
    let run = if cfg!(target_arch = "x86_64") { ascii::copy(source, destination) } else { 0 };
    and_rest((run, run), source, destination, |from, to| long_to_utf8(code_points, end, from, to))
}

/// Whether the letters of a code page are Latin, so that most characters are ASCII: its byte 0xE0 is such a letter, or
/// a symbol as in macintosh.
#[inline]
pub(crate) fn is_latin(code_points: &[u16; 128]) -> bool {
    matches!(code_points[0x60], ..0x250 | 0x2000..0x2500)
}

/// Whether the letters of a code page have three bytes in UTF-8, as in Thai. With SSE4.1, the lanes of three bytes and
/// the branches on them take longer than the scalar body. See `docs/experiments.md#the-level-of-sse41`.
#[inline]
fn is_of_three_bytes(code_points: &[u16; 128]) -> bool {
    matches!(code_points[0x60], 0x800..0x2000)
}

/// As [`to_utf8`]. Never inlined, so that short sources do not pay for the memory of the tables.
///
/// A step makes code units of 16 bytes, in two vectors, and [`write_sixteen`] makes UTF-8 of them. Before each step, 32
/// bytes are asked whether all are ASCII, and a run of ASCII is copied. A step needs space for 64 bytes, more than it
/// fills, and stops where one of its bytes has the code unit `end`; the scalar body converts the rest.
#[inline(never)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn long_to_utf8(code_points: &[u16; 128], end: u16, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    if source.len() >= SCALAR_BELOW_CHARACTERS {
        let decoder = Decoder::of(code_points, end);
        #[cfg(not(target_arch = "wasm32"))]
        if cfg!(target_arch = "aarch64") || is_latin(code_points) {
            (read, written) = patched_to_utf8(code_points, end, &decoder, source, destination);
        }
        while let (Some(from), Some(to)) =
            (block(source, read), block_mut::<_, VECTOR_SPACE_BYTES>(destination, written))
        {
            // The test is for 32 bytes, although a step has 16: whether only 16 bytes are ASCII would be hard to
            // predict.
            if block(source, read).is_some_and(|next| ascii::are_ascii(next)) {
                let run = ascii::copy(after(source, read), after_mut(destination, written));
                (read, written) = (read + run, written + run);
                continue;
            }
            let Some(units) = decoder.code_units(from) else { break };
            written += write_sixteen(units, to);
            read += 16;
        }
    }
    and_rest((read, written), source, destination, |from, to| scalar::to_utf8(code_points, end, from, to))
}

/// The number of bytes of a step that may be patched.
const STEP_BYTES: usize = 32;
/// Bytes beyond ASCII up to which a step is patched. A patched byte takes some 18 instructions, and looking up all
/// takes some 120.
const PATCH_UP_TO_BYTES: u32 = 4;

/// Decodes 32 bytes a step, up to a step with a byte to stop at, or near the end of a slice. If few bytes of a step are
/// not ASCII, the step is copied and its other characters are *patched*: each is put in its place, and the text after
/// it is copied to its new position.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn patched_to_utf8(
    code_points: &[u16; 128],
    end: u16,
    decoder: &Decoder,
    source: &[u8],
    destination: &mut [u8],
) -> (usize, usize) {
    let (mut read, mut written, mut steps_of_ascii) = (0, 0, 0);
    while let (Some(from), Some(room)) = (block(source, read), block_mut(destination, written)) {
        let bytes = copy_step(from, 0, room, 0);
        if all_below(vorrq_u8(bytes[0], bytes[1]), 0x80) {
            (read, written) = (read + STEP_BYTES, written + STEP_BYTES);
            // After two steps of ASCII, more often follow.
            steps_of_ascii += 1;
            if steps_of_ascii == 2 {
                let more = ascii::copy_64s(after(source, read), after_mut(destination, written));
                (read, written) = (read + more, written + more);
                steps_of_ascii = 0;
            }
            continue;
        }
        steps_of_ascii = 0;
        let (beyond, ends) = bits_and_ends(bytes.each(|bytes| vcgeq_u8(bytes, vdupq_n_u8(0x80))));
        let length = if ends >> 24 <= PATCH_UP_TO_BYTES {
            patch(code_points, end, from, beyond, room)
        } else {
            look_up(decoder, from, room)
        };
        let Some(length) = length else { break };
        (read, written) = (read + STEP_BYTES, written + length);
    }
    (read, written)
}

/// Copies the 32 bytes of `from` from `at` on to `room` from `place` on, and returns them.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn copy_step(
    from: &[u8; 2 * STEP_BYTES],
    at: usize,
    room: &mut [u8; 2 * VECTOR_SPACE_BYTES],
    place: usize,
) -> [uint8x16_t; 2] {
    let bytes = ascii::halves(block(from, at).expect("the caller's place is at most 32"));
    let room: &mut [u8; STEP_BYTES] = block_mut(room, place).expect("the caller's place is at most 66");
    let ([first, second], _) = room.as_chunks_mut() else { unreachable!("32 is twice 16") };
    store(bytes[0], first);
    store(bytes[1], second);
    bytes
}

/// Puts the characters beyond ASCII between those of ASCII, which `room` has already. `beyond` has one bit for each of
/// their bytes. Returns the length of the step in UTF-8; `None` if it has a byte to stop at.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn patch(
    code_points: &[u16; 128],
    end: u16,
    from: &[u8; 2 * STEP_BYTES],
    mut beyond: u32,
    room: &mut [u8; 2 * VECTOR_SPACE_BYTES],
) -> Option<usize> {
    let mut more = 0;
    while beyond != 0 {
        let at = beyond.trailing_zeros() as usize & 0x1F;
        let unit = code_points[usize::from(from[at] & 0x7F)];
        if unit == end {
            return None;
        }
        let unit = u32::from(unit);
        let [second, last] = [unit >> 6, unit].each(|bits| 0x80 | bits & 0x3F);
        let is_three = unit >= 0x800;
        let text = if is_three { last << 16 | second << 8 | 0xE0 | unit >> 12 } else { last << 8 | 0xC0 | unit >> 6 };
        // The mask tells the compiler that the accesses are in bounds.
        let place = (at + more) & 0x3F;
        let to = block_mut(room, place).expect("63 and 4 are at most 128");
        *to = text.to_le_bytes();
        copy_step(from, at + 1, room, place + 2 + usize::from(is_three));
        more += 1 + usize::from(is_three);
        beyond &= beyond - 1;
    }
    Some(STEP_BYTES + more)
}

/// Looks all characters of a step up. Returns its length in UTF-8; `None` if it has a byte to stop at.
#[cfg_attr(target_arch = "aarch64", inline)]
#[cfg_attr(target_arch = "x86_64", inline(never))]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn look_up(decoder: &Decoder, from: &[u8; 2 * STEP_BYTES], room: &mut [u8; 2 * VECTOR_SPACE_BYTES]) -> Option<usize> {
    let [first, second] = [decoder.code_units(block(from, 0)?)?, decoder.code_units(block(from, 16)?)?];
    let length = write_sixteen(first, room.first_chunk_mut()?);
    Some(length + write_sixteen(second, block_mut(room, length & 0x3F)?))
}

/// The code units of bytes.
#[cfg(target_arch = "aarch64")]
pub(crate) struct Decoder {
    /// The lower and the upper bytes of the code units.
    tables: [Table; 2],
    /// The code unit that is not decoded.
    end: u16,
}

#[cfg(target_arch = "aarch64")]
impl Decoder {
    /// The decoder of an encoding, whose bytes from 0x80 on have these code points.
    #[inline]
    fn of(code_points: &[u16; 128], end: u16) -> Self {
        Decoder { tables: [0, 8].each(|shift| Table::of(&code_points.map(|unit| (unit >> shift) as u8))), end }
    }

    /// The code units of 16 bytes; `None` if one of them is `end`.
    #[inline]
    fn code_units(&self, from: &[u8; 16]) -> Option<[uint16x8_t; 2]> {
        let (bytes, [low, high]) = (load(from), &self.tables);
        // ASCII becomes a place of 128 or more, for which the lookup gives 0. The ASCII byte is then put in as the
        // lower byte.
        let place = veorq_u8(bytes, vdupq_n_u8(0x80));
        let [found, upper] = [low.look_up(place), high.look_up(place)];
        let lower = vbslq_u8(vcltq_u8(bytes, vdupq_n_u8(0x80)), bytes, found);
        let units = [vzip1q_u8(lower, upper), vzip2q_u8(lower, upper)].each(|units| vreinterpretq_u16_u8(units));
        let [first, second] = units.each(|units| vceqq_u16(units, vdupq_n_u16(self.end)));
        (!any_units(vorrq_u16(first, second))).then_some(units)
    }
}

/// Decodes what vectors can decode, and the rest without them.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn to_utf16(code_points: &[u16; 128], end: u16, source: &[u8], destination: &mut [u16]) -> usize {
    let done = match source.len() {
        ..SCALAR_BELOW_CHARACTERS => 0,
        _ => bulk_to_utf16(code_points, end, source, destination),
    };
    done + scalar::to_utf16(code_points, end, after(source, done), after_mut(destination, done))
}

/// Bytes beyond ASCII up to which a step to UTF-16 is patched. A patched byte takes some 7 instructions, and looking up
/// all takes some 50; but in dense text, the number of bytes to patch would be guessed wrongly in most steps.
const PATCH_UP_TO_UNITS: u32 = 6;
/// Steps of ASCII in a row after which ASCII is widened in a loop of its own.
const STEPS_OF_ASCII: u32 = 4;
/// The number of steps of 16 bytes that are looked up, whatever they contain, where a step of 64 bytes has more bytes
/// beyond ASCII than [`PATCH_UP_TO_UNITS`]. See `docs/experiments.md#single-byte-encodings`.
const LOOK_UP_SIXTEENS: usize = 8;

/// Decodes 64 bytes a step, up to a byte to stop at, or near the end of a slice. If few bytes of a step are not ASCII,
/// the step is widened and the code units of these bytes are put in their places. Otherwise this step and the next ones
/// are looked up.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn patched_to_utf16(
    code_points: &[u16; 128],
    end: u16,
    decoder: &Decoder,
    source: &[u8],
    destination: &mut [u16],
) -> usize {
    let (mut done, mut steps_of_ascii) = (0, 0);
    while let (Some(from), Some(to)) = (block::<_, 64>(source, done), block_mut::<_, 64>(destination, done)) {
        let vectors = ascii::widen_64(from, to);
        let [a, b, c, d] = vectors;
        if all_below(vorrq_u8(vorrq_u8(a, b), vorrq_u8(c, d)), 0x80) {
            done += 64;
            steps_of_ascii += 1;
            if steps_of_ascii == STEPS_OF_ASCII {
                done += ascii::widen_64s(after(source, done), after_mut(destination, done));
                steps_of_ascii = 0;
            }
            continue;
        }
        steps_of_ascii = 0;
        let mut beyond = bits_of_64(vectors.each(|bytes| vcgeq_u8(bytes, vdupq_n_u8(0x80))));
        if beyond.count_ones() > PATCH_UP_TO_UNITS {
            let (from, to) = (after(source, done).as_chunks().0, after_mut(destination, done).as_chunks_mut().0);
            for (from, to) in from.iter().zip(to).take(LOOK_UP_SIXTEENS) {
                let Some(units) = decoder.code_units(from) else { return done };
                store_units(units, to);
                done += 16;
            }
            continue;
        }
        while beyond != 0 {
            let at = beyond.trailing_zeros() as usize & 0x3F;
            let unit = code_points[usize::from(from[at] & 0x7F)];
            if unit == end {
                return done;
            }
            to[at] = unit;
            beyond &= beyond - 1;
        }
        done += 64;
    }
    done
}

/// Decodes 16 bytes a step to the planes of their code units, and zips these. Code pages near Latin-1 have a loop of
/// their own, and Latin ones begin with [`patched_to_utf16`]. In other text, the next 64 bytes are asked now and then
/// whether all are ASCII; apart from that, every byte is looked up, whatever it is. Stops before a step that contains
/// `end`, and leaves fewer than 16 bytes.
#[cfg(target_arch = "aarch64")]
fn bulk_to_utf16(code_points: &[u16; 128], end: u16, source: &[u8], destination: &mut [u16]) -> usize {
    if let Some(near_latin1) = NearLatin1::of(code_points) {
        return near_latin1.to_utf16(source, destination);
    }
    let decoder = Decoder::of(code_points, end);
    let mut done = 0;
    if is_latin(code_points) {
        done = patched_to_utf16(code_points, end, &decoder, source, destination);
    }
    let mut next_test = done;
    while let (Some(from), Some(to)) = (block(source, done), block_mut(destination, done)) {
        if done >= next_test {
            next_test = done + CHARACTERS_BETWEEN_TESTS;
            if block(source, done).is_some_and(|next| are_ascii(next)) {
                done += ascii::widen(after(source, done), after_mut(destination, done));
                continue;
            }
        }
        let Some(units) = decoder.code_units(from) else { break };
        store_units(units, to);
        done += 16;
    }
    done
}

/// Whether all bytes are ASCII.
#[cfg(target_arch = "aarch64")]
#[inline]
fn are_ascii(bytes: &[u8; CHARACTERS_BETWEEN_TESTS]) -> bool {
    let (sixteens, _) = bytes.as_chunks();
    all_below(sixteens.iter().fold(vdupq_n_u8(0), |all, sixteen| vorrq_u8(all, load(sixteen))), 0x80)
}

/// A table of 128 bytes, in eight vectors.
pub(crate) struct Table([uint8x16x4_t; 2]);

impl Table {
    /// Loads the table.
    #[cfg(target_arch = "aarch64")]
    #[inline]
    pub(crate) fn of(bytes: &[u8; 128]) -> Self {
        let (halves, _) = bytes.as_chunks();
        Table::of_halves([&halves[0], &halves[1]])
    }

    /// Loads the table, which is given in two halves.
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
    pub(crate) fn of_halves(halves: [&[u8; 64]; 2]) -> Self {
        Table(halves.each(|half| load_four(half)))
    }

    /// The bytes at these places; 0 for a place of 128 or more.
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
    pub(crate) fn look_up(&self, places: uint8x16_t) -> uint8x16_t {
        let first = vqtbl4q_u8(self.0[0], places);
        vqtbx4q_u8(first, self.0[1], vsubq_u8(places, vdupq_n_u8(64)))
    }
}
