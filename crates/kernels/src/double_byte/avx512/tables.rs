//! Which of 64 bytes lead, trail or stand alone, and lookups of pairs in the table of an encoding.
//!
//! The steps of [`double_byte`](crate::double_byte::avx512) and the chunks of [`chunks`](mod@super::chunks) both build
//! on this file. The drawing in `docs/kernels.md#lead-and-trail-bytes` shows how the bytes of a step are divided.

use crate::double_byte::avx2::places::trails;
use crate::double_byte::tables::{ALONE, DoubleByte, NO_ROW, NULL};
use crate::{base::*, vector::avx512::*};

/// The 64 bytes of a step, and in `next` the byte after each of them. After the end of the source there are zeros; a
/// zero makes no pair with the last byte.
#[derive(Clone, Copy)]
pub(crate) struct Block {
    /// The 64 bytes.
    pub(crate) bytes: __m512i,
    /// For each of the 64 bytes, the byte after it.
    pub(crate) next: __m512i,
}

impl Block {
    /// Loads the first 65 bytes of `source`; zeros after its end.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn of(source: &[u8]) -> Self {
        match (source.first_chunk(), after(source, 1).first_chunk()) {
            (Some(bytes), Some(next)) => Block { bytes: load(bytes), next: load(next) },
            _ => Block { bytes: load_up_to(source), next: load_up_to(after(source, 1)) },
        }
    }

    /// Whether all 64 bytes are ASCII.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn is_ascii(&self) -> bool {
        _mm512_movepi8_mask(self.bytes) == 0
    }
}

/// The 64 bytes of a step, divided into characters. In each mask, bit *n* stands for byte *n*.
pub(crate) struct Split {
    /// At leading bytes the column of the byte that follows; at every other byte the byte itself.
    pub(crate) low: __m512i,
    /// At leading bytes their row, or [`NO_ROW`] if the pair has no place in the table; 0 at every other byte.
    pub(crate) high: __m512i,
    /// Bytes that are not ASCII and belong to no pair.
    pub(crate) alone: u64,
    /// The first bytes of characters: every byte that does not trail.
    pub(crate) starts: u64,
    /// Leading bytes.
    pub(crate) leads: u64,
}

/// The tables of an encoding, prepared in vectors.
pub(crate) struct Tables<'a> {
    pub(crate) encoding: &'a DoubleByte<'a>,
    /// The rows of the bytes from 0x80 on, as the table of 128 entries that `vpermt2b` takes.
    rows: (__m512i, __m512i),
    /// [`NO_ROW`], repeated in all lanes.
    no_row: __m512i,
    /// In each lane of 32 bits the number of columns in the upper half and 1 in the lower half, for `vpmaddwd`.
    columns: __m512i,
    /// The greatest place to look at: the last but one of the table, because a gather loads two units from each place.
    last: __m512i,
    /// The two ranges of trailing bytes, as [`Trailing::bounds`](super::tables::Trailing::bounds) gives them.
    trailing: [[__m512i; 3]; 2],
}

impl<'a> Tables<'a> {
    /// Prepares the tables. [`DoubleByte::new`] has checked the three facts that the steps rely on. A row and a column
    /// each fit in a byte. A pair with [`NO_ROW`] gets a place after all rows, which is replaced by the place of a NULL
    /// at the end. The last two entries are NULL, so two units can be loaded from any place but the last.
    ///
    /// Never inlined: a loop has too many other values in registers to keep the tables there, so a second copy of this
    /// code would bring nothing.
    #[inline(never)]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn of(encoding: &'a DoubleByte<'a>) -> Self {
        let (rows, _) = encoding.rows().as_chunks();
        Tables {
            encoding,
            rows: (load(&rows[0]), load(&rows[1])),
            no_row: Constants::new().bytes(NO_ROW),
            columns: _mm512_set1_epi32(i32::from(encoding.columns()) << 16 | 1),
            last: _mm512_set1_epi32(encoding.table().len() as i32 - 2),
            trailing: encoding
                .trailing()
                .ranges()
                .each(|range| range.bounds().each(|byte| _mm512_set1_epi8(byte as i8))),
        }
    }

    /// Divides 64 bytes into pairs, ASCII and bytes that stand alone, and finds the rows and columns of pairs; their
    /// code units are not looked up yet. `taken` is 1 if the byte before the step takes the first byte as its trailing
    /// byte, otherwise 0. The last byte may take the byte after the step.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn split(&self, &Block { bytes, next }: &Block, taken: u64) -> Split {
        let high = _mm512_movepi8_mask(bytes);
        // The lookup takes the lower seven bits of a byte, so it finds a row for ASCII bytes too; the mask `high`
        // excludes ASCII.
        let rows = _mm512_permutex2var_epi8(self.rows.0, bytes, self.rows.1);
        let in_lead_range = _mm512_cmpneq_epi8_mask(rows, _mm512_set1_epi8(ALONE as i8)) & high;
        let trails = trails(in_lead_range, taken);
        let leads = in_lead_range & !trails;
        let (columns, in_trail_range) = self.columns_of(next);
        // A pair whose second byte is no trailing byte of the table has no place there.
        let rows = _mm512_mask_mov_epi8(rows, !in_trail_range, self.no_row);
        // `low` is the column or the byte itself, `high` the row or 0. For a character that is not a pair, the two are
        // the low and the high byte of its code unit.
        let low = _mm512_mask_mov_epi8(bytes, leads, columns);
        Split { low, high: _mm512_maskz_mov_epi8(leads, rows), alone: high & !leads & !trails, starts: !trails, leads }
    }

    /// The columns of 64 bytes, taken as trailing bytes, and a mask of those bytes that are trailing bytes. The
    /// distance from the first byte of a range, as an unsigned byte, is at most the range's length exactly for the
    /// bytes in the range.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn columns_of(&self, bytes: __m512i) -> (__m512i, u64) {
        let [lower, upper] = self.trailing.each(|[first, length, less]| {
            let inside = _mm512_cmple_epu8_mask(_mm512_sub_epi8(bytes, first), length);
            (_mm512_sub_epi8(bytes, less), inside)
        });
        (_mm512_mask_mov_epi8(lower.0, upper.1, upper.0), lower.1 | upper.1)
    }

    /// Looks up at most 64 characters. The mask `pairs` says which characters are pairs; the code unit of a pair is in
    /// the table at row times columns plus column. Returns the code units, and a mask of the pairs for which the table
    /// has [`NULL`] or a surrogate. One body serves UTF-16 and UTF-8, because it is long. Characters from 32 on are
    /// skipped if `length` is at most 32.
    #[inline(never)]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn characters(&self, low: __m512i, high: __m512i, pairs: u64, length: usize) -> ([__m512i; 4], u64) {
        let [low, high] = [low, high].each(|bytes| halves(bytes).each(|half| quarters(half)));
        let sixteen = |half: usize, quarter: usize| {
            let from = 32 * half + 16 * quarter;
            let (units, missing) =
                self.look_up_sixteen(low[half][quarter], high[half][quarter], (pairs >> from) as u16);
            (units, u64::from(missing) << from)
        };
        let ((first, first_missing), (second, second_missing)) = (sixteen(0, 0), sixteen(0, 1));
        let missing = first_missing | second_missing;
        if length <= 32 {
            return ([first, second, first, second], missing);
        }
        let ((third, third_missing), (fourth, fourth_missing)) = (sixteen(1, 0), sixteen(1, 1));
        let missing = missing | third_missing | fourth_missing;
        ([first, second, third, fourth], missing)
    }

    /// Looks up 16 characters, a quarter of a step.
    ///
    /// This always gathers, also on processors where gathers are slow, such as AMD's: single loads are faster only
    /// where more places than these can be looked up at a time, as in [`chunks`](mod@super::chunks).
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn look_up_sixteen(&self, low: __m128i, high: __m128i, pairs: u16) -> (__m512i, u16) {
        let (low, high) = (_mm512_cvtepu8_epi32(low), _mm512_cvtepu8_epi32(high));
        let units = _mm512_or_si512(_mm512_slli_epi32::<8>(high), low);
        // `vpmaddwd` multiplies the halves of each lane and adds the products: row times columns, plus column times 1.
        let both = _mm512_or_si512(_mm512_slli_epi32::<16>(high), low);
        let places = _mm512_min_epu32(_mm512_madd_epi16(both, self.columns), self.last);
        let table = self.encoding.table().as_ptr().cast();
        // The last lanes of a step often have no pair.
        if pairs == 0 {
            return (units, 0);
        }
        // SAFETY: the lanes of `places` are unsigned and at most `last`, by the `min` above. `last` is the table's
        // length less 2: `DoubleByte::new` has checked that the table has 256 entries or more. So the four bytes from
        // there on are two entries of the table.
        let found = unsafe { _mm512_mask_i32gather_epi32::<2>(units, pairs, places, table) };
        let found = _mm512_and_si512(found, _mm512_set1_epi32(0xFFFF));
        let surrogates = _mm512_and_si512(found, _mm512_set1_epi32(0xF800));
        let missing = _mm512_mask_cmpeq_epi32_mask(pairs, found, _mm512_set1_epi32(NULL.into()))
            | _mm512_mask_cmpeq_epi32_mask(pairs, surrogates, _mm512_set1_epi32(0xD800));
        (found, missing)
    }
}
