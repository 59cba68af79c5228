//! Single bytes into UTF-16 by rows. A row is 16 bytes that share their upper four bits.
//!
//! In most tables the code units of a row follow each other as their bytes do. Two numbers then give the whole row: the
//! high byte of its code units, and what to add to a byte for the low byte. Two lookups with the upper four bits of a
//! byte find these numbers. To look code units up in the table itself takes sixteen lookups. Some rows of windows-1251:
//!
//! ```text
//! row          high  add     gives                      other bytes
//! 00 to 70     00    00      U+0000 to U+007F           none
//! A0           00    00      A0 is U+00A0, A4 U+00A4    A1 (U+040E), A2, A3, A5, A8, AA, AF
//! C0           04    50      C0 is U+0410, CF U+041F    none
//! E0           04    50      E0 is U+0430, EF U+043F    none
//! ```
//!
//! An *other byte* has a code unit that the numbers of its row do not give. [`Rows::of`] compares all that the numbers
//! give with the table, so a row whose numbers are wrong only has more other bytes. They are looked up one by one.

use crate::{ascii::avx2 as ascii, base::*, vector::avx2::*};

/// The number of other bytes up to which a block of 64 bytes is converted. See
/// `docs/experiments.md#single-bytes-by-rows`.
const ROWS_UP_TO_OTHERS: u32 = 8;

/// The rows of a table.
pub(crate) struct Rows {
    /// For each row, what to add to a byte for the low byte of its code unit. 0 for the eight rows of ASCII.
    add: __m256i,
    /// For each row, the high byte of its code units.
    high: __m256i,
    /// For each place in a row, the bits of the rows that have an other byte there; see [`BITS_OF_ROWS`].
    others: __m256i,
}

impl Rows {
    /// The rows of `code_points`. A byte whose code unit is `end` is an other byte.
    ///
    /// The two numbers of a row are read off one of its code units. What they give for all 16 bytes of the row is then
    /// compared with the 16 code units of the table, which fill one vector: a lane in which the two differ is an other
    /// byte. `others` collects these lanes, one byte for each place in a row, in which `bit` is the bit of the row.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn of(code_points: &[u16; 128], end: u16) -> Self {
        let (mut add, mut high) = ([0; 16], [0; 16]);
        let mut others = _mm_setzero_si128();
        let mut bit = _mm_set1_epi8(1);
        let places = _mm256_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        let end = _mm256_set1_epi16(end as i16);
        // `opaque` hides from the compiler that there are eight rows. It would unroll the loop.
        for (row, units) in opaque(&code_points[..]).as_chunks::<16>().0.iter().enumerate() {
            // The numbers come from one place of the row. If places 4 and 9 agree, their numbers mostly fit the row. If
            // not, those of place 6 fit the rows of more encodings than those of any other place.
            let place = if units[9].wrapping_sub(units[4]) == 9 - 4 { 4 } else { 6 };
            let unit = units[place];
            let first_low = (unit as u8).wrapping_sub(place as u8);
            // The remainder shows the compiler that the place is in the array.
            add[(8 + row) % 16] = first_low.wrapping_sub(0x80 | (16 * row) as u8);
            high[(8 + row) % 16] = (unit >> 8) as u8;

            // The low bytes are added as bytes, as in `look_up`, so that nothing is carried into the high byte.
            let low = _mm256_add_epi8(places, _mm256_set1_epi16(first_low.into()));
            let given = _mm256_or_si256(low, _mm256_set1_epi16((unit & 0xFF00) as i16));
            let units = load_sixteen_units(units);
            let same = _mm256_andnot_si256(_mm256_cmpeq_epi16(units, end), _mm256_cmpeq_epi16(units, given));
            let same = _mm_packs_epi16(_mm256_castsi256_si128(same), _mm256_extracti128_si256::<1>(same));
            others = _mm_or_si128(others, _mm_andnot_si128(same, bit));
            bit = _mm_add_epi8(bit, bit);
        }
        let both = |bytes: &[u8; 16]| _mm256_broadcastsi128_si256(load_half(bytes));
        Rows { add: both(&add), high: both(&high), others: _mm256_broadcastsi128_si256(others) }
    }

    /// Converts blocks of 64 bytes, of which the last one overlaps with the one before. All 64 bytes are looked up by
    /// rows and stored; then each other byte is looked up in the table, and its code unit overwrites what its row gave.
    /// Stops before a block that has many other bytes, or one whose code unit is `end`. Returns the number of bytes; 0
    /// if either slice has fewer than 64 items.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn to_utf16(&self, code_points: &[u16; 128], end: u16, source: &[u8], destination: &mut [u16]) -> usize {
        let length = source.len().min(destination.len());
        let (source, destination) = (&source[..length], &mut destination[..length]);
        let Some(last) = length.checked_sub(64) else { return 0 };
        let mut done = 0;
        while done < length {
            // A return from the last block gives back the bytes that overlap, whose code units it has overwritten.
            let at = done.min(last);
            let (Some(from), Some(to)) = (block::<_, 64>(source, at), block_mut::<_, 64>(destination, at)) else {
                return done;
            };
            let ([first, second], _) = from.as_chunks() else { return done };
            let bytes = [load(first), load(second)];
            done = at + 64;
            if ascii::mask(bytes) == 0 {
                for (bytes, to) in bytes.into_iter().zip(to.as_chunks_mut().0) {
                    store_units(ascii::widened(bytes), to);
                }
                continue;
            }
            for (bytes, to) in bytes.into_iter().zip(to.as_chunks_mut().0) {
                store_units(self.look_up(bytes), to);
            }
            let [low, high] = bytes.each(|bytes| self.others(bytes));
            let mut others = u64::from(low) | u64::from(high) << 32;
            if others.count_ones() > ROWS_UP_TO_OTHERS {
                return at;
            }
            let mut has_end = false;
            while others != 0 {
                let place = others.trailing_zeros() as usize;
                to[place] = code_points[usize::from(from[place] & 0x7F)];
                has_end |= to[place] == end;
                others &= others - 1;
            }
            if has_end {
                return at;
            }
        }
        done
    }

    /// The code units of 32 bytes, if none is an other byte.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn look_up(&self, bytes: __m256i) -> [__m256i; 2] {
        let row = row(bytes);
        let low = _mm256_add_epi8(bytes, _mm256_shuffle_epi8(self.add, row));
        let high = _mm256_shuffle_epi8(self.high, row);
        // Interleaving works in each half of a vector. The permutation puts the quarters in the order in which the
        // results come out right.
        let [low, high] = [low, high].each(|bytes| _mm256_permute4x64_epi64::<0b11_01_10_00>(bytes));
        [_mm256_unpacklo_epi8(low, high), _mm256_unpackhi_epi8(low, high)]
    }

    /// A bit for each of 32 bytes: whether it is an other byte.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn others(&self, bytes: __m256i) -> u32 {
        let bits = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(load_half(&BITS_OF_ROWS)), row(bytes));
        let others = _mm256_shuffle_epi8(self.others, _mm256_and_si256(bytes, _mm256_set1_epi8(0x0F)));
        let members = _mm256_cmpeq_epi8(_mm256_and_si256(bits, others), _mm256_setzero_si256());
        !(_mm256_movemask_epi8(members) as u32)
    }
}

/// The upper four bits of 32 bytes.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn row(bytes: __m256i) -> __m256i {
    _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), _mm256_set1_epi8(0x0F))
}

/// The bit of each row, or 0 for a row of ASCII.
static BITS_OF_ROWS: [u8; 16] = [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128];
