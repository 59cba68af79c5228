//! Encoding of UTF-8 into encodings with one byte for each character, 64 bytes of UTF-8 a step.
//!
//! A *window* is a table of the bytes for 128 consecutive code points. Each character is looked up in the lane of its
//! first byte. Its seven low bits say which code point of a window it is; in UTF-8 they are all in the last two bytes.
//! Its other bits say which window it is in; in UTF-8 they are in all bytes but the last. So a lane needs at most three
//! bytes: the first, the last but one and the last.
//!
//! ```text
//! bytes          c   D0  94  E2  82  AC        starts of characters marked ^
//!                ^   ^       ^
//! last but one   63  D0      82
//! last           D0  94      AC
//! place              14      2C                one bit of the last but one, six bits of the last
//! byte           63  C4      88                from the windows 0x08 and 0x41
//! result         63  C4  88                    the lanes of starts, compressed
//! ```
//!
//! The other lanes are looked up as well, and compression drops them. Blocks are taken at fixed distances of 64 bytes,
//! even where that cuts a character: a character is converted in the block that holds its first byte, and its last two
//! bytes are loaded with that block.

pub(crate) mod from_utf16;

pub(crate) use self::from_utf16::from_utf16;

use super::scalar;
use super::tables::{ByCodePoint, ByteTable, Window};
use crate::ascii::{self, avx2::copy_few, avx512::Run};
use crate::{base::*, utf8::scalar::begun, vector::avx512::*};

/// Length of a source, in bytes, below which the scalar body encodes it: looking the windows up would take longer. See
/// `docs/experiments.md#short-input`.
const SCALAR_BELOW_BYTES: usize = 8;
/// Length of a source, in bytes or code units, from which on ASCII at its start is always converted as a run, and the
/// first character after it is tried alone: in so long a source the time for this does not count. See
/// `docs/experiments.md#characters-that-cannot-be-encoded`.
pub(crate) const LONG_ITEMS: usize = 512;

/// The body of [`crate::to_single_byte::from_utf8`]. Short text is often ASCII.
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf8(table: &ByteTable, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    if copy_few(source, destination) {
        return (source.len(), source.len());
    }
    more_from_utf8(table.by_code_point(), source, destination)
}

/// The rest of [`from_utf8`], for text that is not short or not ASCII. Converts 64 bytes a step, the last step under a
/// mask. Characters outside of all windows are looked up one by one.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn more_from_utf8(by_code_point: ByCodePoint<'_>, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    if source.len() < SCALAR_BELOW_BYTES {
        return scalar::more_from_utf8(by_code_point, source, destination);
    }
    let source = source.get(..source.len() - begun(source)).unwrap_or_default();
    // A source that is all ASCII does not need the windows.
    let is_long = source.len() >= LONG_ITEMS;
    let is_run = is_long || source.first_chunk().is_some_and(|first| _mm512_movepi8_mask(load(first)) == 0);
    let run = if is_run { ascii::copy(source, destination) } else { 0 };
    let (mut read, mut written) = (run, run);
    if read == source.len() {
        return (read, written);
    }
    // A source may also be ASCII up to a character that has no byte. In a long text with many such characters the
    // caller comes back after each of them, so the first character after the ASCII is tried alone. That makes English
    // 1.8 times as fast if one character in a hundred is unmappable in windows-1252.
    if is_long {
        let room = destination.get_mut(written..=written).unwrap_or_default();
        let (bytes, count) = scalar::up_to_eight_bytes(by_code_point, after(source, read), room);
        if count == 0 {
            return (read, written);
        }
        (read, written) = (read + bytes, written + count);
    }
    // A text of at most 64 bytes mostly has characters of one window. So for a short text the windows are prepared one
    // by one, as they are needed.
    let constants = Constants::new();
    let needs_all = source.len() - read > 64;
    while read < source.len() {
        if needs_all {
            let (bytes, count) = blocks(&by_code_point, skip(source, read), skip_mut(destination, written));
            (read, written) = (read + bytes, written + count);
            if read == source.len() {
                break;
            }
        }
        let (from, to) = (after(source, read), after_mut(destination, written));
        let count = from.len().min(64);
        let text = [0, 1, 2].each(|by| load_up_to(after(from, by)));
        let characters = Characters::of(constants, text);
        // `opaque` hides from the compiler that there are four windows, so that it does not unroll the loop over them.
        let windows = opaque(by_code_point.windows().as_slice()).iter();
        let windows = windows.map(|window| Loaded::of(&by_code_point, window));
        let (bytes, missing) = characters.look_up::<false>(windows);
        let starts = characters.starts & lowest(count);
        let length = starts.count_ones() as usize;
        let Some(to) = to.get_mut(..length) else {
            // `destination` has no space for all characters of the step. Continuation bytes at the front belong to a
            // character that the last step converted; the scalar body takes the rest.
            read += starts.trailing_zeros() as usize;
            let (more_read, more_written) = scalar::more_from_utf8(by_code_point, skip(source, read), to);
            return (read + more_read, written + more_written);
        };
        store_up_to(compress(bytes, starts), to);
        // Characters outside of all windows are looked up one by one.
        let mut missing = missing & starts;
        while missing != 0 {
            let at = missing.trailing_zeros() as usize;
            let lane = (starts & lowest(at)).count_ones() as usize;
            let room = to.get_mut(lane..=lane).unwrap_or_default();
            if scalar::up_to_eight_bytes(by_code_point, after(from, at), room).1 == 0 {
                return (read + at, written + lane);
            }
            missing &= missing - 1;
        }
        (read, written) = (read + count, written + length);
    }
    (read, written)
}

/// Converts whole blocks, as long as `destination` has space for 64 characters and all characters are in the windows.
/// This is a separate function, never inlined, so that the windows stay in registers. Inlined beside the caller's other
/// lookups, they did not, and the conversion lost up to a quarter of its speed (Sapphire Rapids).
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn blocks(by_code_point: &ByCodePoint<'_>, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let constants = Constants::new();
    let windows = by_code_point.windows().each_ref().each(|window| Loaded::of(by_code_point, window));
    let (mut read, mut written, mut run) = (0, 0, Run::default());
    while let (Some(from), Some(room)) = (block::<_, 66>(source, read), block_mut(destination, written)) {
        let first = load(window::<_, 0, 64>(from));
        if run.goes_on(_mm512_movepi8_mask(first)) {
            store(first, room);
            (read, written) = (read + 64, written + 64);
            continue;
        }
        let characters =
            Characters::of(constants, [first, load(window::<_, 1, 64>(from)), load(window::<_, 2, 64>(from))]);
        let (bytes, missing) = characters.look_up::<true>(windows.iter().copied());
        if missing & characters.starts != 0 {
            break;
        }
        store(compress(bytes, characters.starts), room);
        read += 64;
        written += characters.starts.count_ones() as usize;
    }
    (read, written)
}

/// The characters that start in a block of 64 bytes, prepared for windows.
struct Characters {
    /// The bytes of the block that are ASCII, and 0 in the other lanes.
    ascii: __m512i,
    /// The bytes of the block that are not ASCII.
    beyond: u64,
    /// The first bytes of characters.
    starts: u64,
    /// The place of each character in its window.
    place: __m512i,
    /// The key of the character's window: its first byte if it has three, otherwise 0, and its last byte but one with
    /// the lowest bit set, because that bit is part of the place.
    key: (__m512i, __m512i),
}

impl Characters {
    /// `first` are the bytes of the block, the other two vectors the bytes one and two positions further on.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn of(constants: Constants, [first, second, third]: [__m512i; 3]) -> Self {
        let set = |byte: u8| constants.bytes(byte);
        let beyond = _mm512_movepi8_mask(first);
        let starts = _mm512_cmpge_epi8_mask(first, set(0xC0));
        let three = _mm512_cmpge_epu8_mask(first, set(0xE0));
        let last_but_one = _mm512_mask_mov_epi8(first, three, second);
        let last = _mm512_mask_mov_epi8(second, three, third);
        // A place has seven bits: the lowest bit of the last byte but one, and six bits of the last byte. `vpermi2b`
        // ignores the eighth bit.
        let place = _mm512_ternarylogic_epi32::<CHOOSE>(set(0x3F), last, _mm512_slli_epi16::<6>(last_but_one));
        let key = (_mm512_maskz_mov_epi8(three, first), _mm512_or_si512(last_but_one, set(1)));
        Characters { ascii: _mm512_maskz_mov_epi8(!beyond, first), beyond, starts, place, key }
    }

    /// Looks the characters up. Returns in the lane of each character's first byte the byte that the character is
    /// encoded to, and a mask of the lanes beyond ASCII whose character is in none of the windows; their byte is 0.
    ///
    /// If `ALL`, every window is tried, without a branch; otherwise the loop ends as soon as no character is missing.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn look_up<const ALL: bool>(&self, windows: impl Iterator<Item = Loaded>) -> (__m512i, u64) {
        let mut bytes = self.ascii;
        for window in windows {
            if !ALL && _mm512_testn_epi8_mask(bytes, bytes) & self.beyond & self.starts == 0 {
                break;
            }
            let inside = _mm512_cmpeq_epi8_mask(self.key.1, window.last_but_one);
            let inside = _mm512_mask_cmpeq_epi8_mask(inside, self.key.0, window.first_of_three);
            let found = _mm512_permutex2var_epi8(window.bytes.0, self.place, window.bytes.1);
            bytes = _mm512_mask_mov_epi8(bytes, inside, found);
        }
        (bytes, _mm512_testn_epi8_mask(bytes, bytes) & self.beyond)
    }
}

/// A [`Window`] in vectors. A loop over text loads it before its first round: the compiler would not move loads out of
/// the loop that go through a reference in memory.
#[derive(Clone, Copy)]
struct Loaded {
    first_of_three: __m512i,
    last_but_one: __m512i,
    bytes: (__m512i, __m512i),
}

impl Loaded {
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn of(by_code_point: &ByCodePoint<'_>, window: &Window) -> Self {
        let set = |byte: u8| _mm512_set1_epi8(byte as i8);
        let [lower, upper] = by_code_point.window_bytes(window);
        Loaded {
            first_of_three: set(window.first_of_three),
            last_but_one: set(window.last_but_one),
            bytes: (load(lower), load(upper)),
        }
    }
}
