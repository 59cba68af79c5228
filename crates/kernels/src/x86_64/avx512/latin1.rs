//! Code points up to U+00FF.

use super::{
    ascii::{copy, copy_256s, low_bytes, prefix_length, run, widened},
    compress::compress,
    memory::{
        load, load_units, load_units_up_to, load_up_to, lowest, store, store_units, store_units_up_to, store_up_to,
    },
    utf16::encode_two,
};
use crate::{
    blocks::{after, after_mut, block, block_mut, nowhere},
    scalar,
};
use core::arch::x86_64::*;

#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
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

#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf8(source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    // What is short is mostly all ASCII, or has it at the front.
    if source.len() <= 64 {
        let run = copy(source, destination);
        if run == source.len() {
            return (run, run);
        }
    }
    let (mut read, mut written) = to_utf8_in_bulk(source, destination);
    while read < source.len() {
        let rest = after(source, read);
        let room = after_mut(destination, written);
        let bytes = load_up_to(rest);
        let beyond_ascii = _mm512_movepi8_mask(bytes);
        let live = lowest(rest.len());
        if room.len() < (live.count_ones() + beyond_ascii.count_ones()) as usize {
            break;
        }
        written += encode_two(widened(bytes), live, beyond_ascii, room);
        read += rest.len().min(64);
    }
    let (more_read, more_written) = scalar::latin1::to_utf8(after(source, read), after_mut(destination, written));
    (read + more_read, written + more_written)
}

/// Converts blocks of 64 bytes as long as there is room for whatever they make.
///
/// ASCII is told from other text by 256 bytes. A block of it is not worth a branch, which text with some accents would mostly
/// get wrong.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn to_utf8_in_bulk(source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    // How many blocks were among 256 bytes that are not all ASCII.
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
        written += encode_two(widened(bytes), !0, _mm512_movepi8_mask(bytes), to);
        read += 64;
    }
    (read, written)
}

#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
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

#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn prefix_length_utf16(source: &[u16]) -> usize {
    run(
        source,
        &mut nowhere(),
        |from, _| upper_bytes(load_units(from)),
        |from, _| upper_bytes(load_units_up_to(from)),
        |upper| _mm512_test_epi8_mask(upper, upper),
    )
}

/// The upper byte of every unit.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn upper_bytes(units: [__m512i; 2]) -> __m512i {
    low_bytes(units.map(|units| _mm512_srli_epi16::<8>(units)))
}

#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf8(source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    // What is short is mostly all ASCII, or has it at the front.
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
        read += text.length;
        written += characters;
        if text.length == 0 {
            break;
        }
    }
    let (more_read, more_written) = scalar::latin1::from_utf8(after(source, read), after_mut(destination, written));
    (read + more_read, written + more_written)
}

/// Converts blocks of 64 bytes, wherever that cuts characters, as long as there is nothing wrong with them: a character that
/// is cut is written with the block that it ends in. So no block waits for the one before it.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn from_utf8_in_bulk(source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    // Whether the block before ends with a leading byte, and whether that is 0xC3.
    let (mut cut, mut cut_greater) = (0, 0);
    // How many blocks were among 256 bytes that are not all ASCII.
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
        let (leading, continuation, greater) = (leading(bytes), continuation(bytes), greater(bytes));
        if continuation != leading << 1 | cut || _mm512_movepi8_mask(bytes) != leading | continuation {
            break;
        }
        store(compress(converted(bytes, greater << 1 | cut_greater), !leading), to);
        read += 64;
        written += 64 - leading.count_ones() as usize;
        (cut, cut_greater) = (leading >> 63, greater >> 63);
    }
    (read - cut as usize, written)
}

#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
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

/// The first 64 bytes of something that starts with a character, as far as they are UTF-8 of code points up to U+00FF.
struct Latin1 {
    bytes: __m512i,
    beyond_ascii: u64,
    length: usize,
    /// The last byte of each character. It is the character itself, but for one bit.
    characters: u64,
}

impl Latin1 {
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
    fn of(source: &[u8]) -> Self {
        let bytes = block(source, 0).map_or_else(|| load_up_to(source), |from| load(from));
        let beyond_ascii = _mm512_movepi8_mask(bytes);
        let (leading, continuation) = (leading(bytes), continuation(bytes));
        let cut_off = leading & !(continuation >> 1);
        let other = beyond_ascii & !leading & !(continuation & leading << 1);
        let length = source.len().min((cut_off | other).trailing_zeros() as usize);
        Self { bytes, beyond_ascii, length, characters: !leading & lowest(length) }
    }

    fn is_ascii(&self) -> bool {
        self.beyond_ascii == 0
    }

    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
    fn converted(&self) -> __m512i {
        converted(self.bytes, greater(self.bytes) << 1)
    }
}

/// The bytes that lead a character up to U+00FF which is not ASCII.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn leading(bytes: __m512i) -> u64 {
    _mm512_cmpeq_epi8_mask(_mm512_and_si512(bytes, _mm512_set1_epi8(!1)), _mm512_set1_epi8(0xC2_u8 as i8))
}

/// Those of them that lead a character from U+00C0 on.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn greater(bytes: __m512i) -> u64 {
    _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(0xC3_u8 as i8))
}

/// The continuation bytes: as signed numbers they are the least.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn continuation(bytes: __m512i) -> u64 {
    _mm512_cmplt_epi8_mask(bytes, _mm512_set1_epi8(0xC0_u8 as i8))
}

/// The bytes with 0x40 added where the mask is set: what 0xC3 leads is so much greater than its continuation byte.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn converted(bytes: __m512i, greater: u64) -> __m512i {
    _mm512_mask_add_epi8(bytes, greater, bytes, _mm512_set1_epi8(0x40))
}
