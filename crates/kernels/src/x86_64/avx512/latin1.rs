//! Code points up to U+00FF.

use super::{
    ascii::{copy, copy_256s, prefix_length, run, widened},
    compress::compress,
    memory::{
        load, load_units, load_units_up_to, load_up_to, lowest, store, store_units, store_units_up_to, store_up_to,
    },
    utf16::{Masks, encode_two, truncated},
};
use crate::{
    blocks::{block, block_mut, nowhere},
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
    let (mut read, mut written) = (0, 0);
    while read < source.len() {
        let rest = &source[read..];
        let room = &mut destination[written..];
        // Blocks of 64 bytes are not worth a branch, which text with some accents would mostly get wrong.
        let run = copy_256s(rest, room);
        if run > 0 {
            read += run;
            written += run;
            continue;
        }
        let bytes = block(rest, 0).map_or_else(|| load_up_to(rest), |from| load(from));
        let beyond_ascii = _mm512_movepi8_mask(bytes);
        let masks = Masks { live: lowest(rest.len()), beyond_ascii, three: 0, surrogates: 0 };
        if room.len() < 128 && room.len() < (masks.live.count_ones() + beyond_ascii.count_ones()) as usize {
            break;
        }
        written += encode_two(widened(bytes), &masks, room);
        read += rest.len().min(64);
    }
    let (more_read, more_written) = scalar::latin1::to_utf8(&source[read..], &mut destination[written..]);
    (read + more_read, written + more_written)
}

#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf16(source: &[u16], destination: &mut [u8]) -> usize {
    run(
        source,
        destination,
        |from, to| {
            let units = load_units(from);
            store(truncated(units), to);
            upper_bytes(units)
        },
        |from, to| {
            let units = load_units_up_to(from);
            store_up_to(truncated(units), to);
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
    truncated(units.map(|units| _mm512_srli_epi16::<8>(units)))
}

#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf8(source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while read < source.len() {
        let rest = &source[read..];
        let room = &mut destination[written..];
        let text = Latin1::of(rest);
        if text.is_ascii() {
            let run = copy(rest, room);
            read += run;
            written += run;
            if run < 64 {
                break;
            }
            continue;
        }
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
    let (more_read, more_written) = scalar::latin1::from_utf8(&source[read..], &mut destination[written..]);
    (read + more_read, written + more_written)
}

#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn prefix_length_utf8(source: &[u8]) -> usize {
    let mut done = 0;
    loop {
        let rest = &source[done..];
        let text = Latin1::of(rest);
        let length = if text.is_ascii() { prefix_length(rest) } else { text.length };
        if length == 0 {
            return done;
        }
        done += length;
    }
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
        let leading =
            _mm512_cmpeq_epi8_mask(_mm512_and_si512(bytes, _mm512_set1_epi8(!1)), _mm512_set1_epi8(0xC2_u8 as i8));
        let continuation = beyond_ascii & _mm512_cmplt_epu8_mask(bytes, _mm512_set1_epi8(0xC0_u8 as i8));
        let cut_off = leading & !(continuation >> 1);
        let other = beyond_ascii & !leading & !(continuation & leading << 1);
        let length = source.len().min((cut_off | other).trailing_zeros() as usize);
        Self { bytes, beyond_ascii, length, characters: !leading & lowest(length) }
    }

    fn is_ascii(&self) -> bool {
        self.beyond_ascii == 0
    }

    /// What 0xC3 leads is 0x40 greater than its continuation byte.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
    fn converted(&self) -> __m512i {
        let greater = _mm512_cmpeq_epi8_mask(self.bytes, _mm512_set1_epi8(0xC3_u8 as i8)) << 1;
        _mm512_mask_add_epi8(self.bytes, greater, self.bytes, _mm512_set1_epi8(0x40))
    }
}
