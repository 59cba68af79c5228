//! Ascending code points, as one bit for each code point.

#[cfg(vectors = "x86_64")]
use crate::double_byte::avx2::ascending as avx2;
use crate::{base::getters, level::at_level};

/// Ascending code points. Each is found by its *rank*, which is the number of code points before it:
///
/// ```text
/// first     0xAC00
/// bits      0 0 1 1 0 1 …      0xAC02, 0xAC03 and 0xAC05 have the ranks 0, 1 and 2
/// samples   2, 57, …           rank 0 has bit 2, rank 32 has bit 57, and so on
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Ascending<'a> {
    first: u16,
    count: u16,
    bits: &'a [u32],
    samples: &'a [u16],
}

impl<'a> Ascending<'a> {
    /// The distance between two sampled ranks.
    pub const SAMPLE: u16 = 32;

    /// The code points with these parts:
    ///
    /// * `first` is the code point of the first bit.
    /// * `bits` has a bit for each code point from `first` on, from the lowest bit of each word on: whether it has a
    ///   rank.
    /// * `samples` has, for every [`Self::SAMPLE`]th rank, the number of its bit; and one more entry, because a gather
    ///   loads two.
    ///
    /// # Panics
    /// If a part violates one of these rules:
    ///
    /// * All bits must stand for code points from U+0080 to U+D7FF.
    /// * At least one code point must have a rank.
    /// * The samples must be those of `bits`, with one more at the end.
    #[must_use]
    pub const fn new(first: u16, bits: &'a [u32], samples: &'a [u16]) -> Self {
        assert!(
            0x80 <= first && first as usize + 32 * bits.len() <= 0xD800,
            "a bit stands for ASCII or a code point after U+D7FF"
        );
        // A word has 32 bits and so at most one sample.
        const { assert!(Self::SAMPLE >= 32) };
        let (mut at, mut rank) = (0, 0);
        while at < bits.len() {
            let (mut bits, next_rank) = (bits[at], rank + bits[at].count_ones() as usize);
            let sampled = rank.next_multiple_of(Self::SAMPLE as usize);
            if sampled < next_rank {
                while rank < sampled {
                    bits &= bits - 1;
                    rank += 1;
                }
                let sample = sampled / Self::SAMPLE as usize;
                assert!(
                    sample < samples.len() && samples[sample] as usize == 32 * at + bits.trailing_zeros() as usize,
                    "a sample is the number of another bit"
                );
            }
            rank = next_rank;
            at += 1;
        }
        assert!(rank > 0, "no code point has a rank");
        let needed = rank.div_ceil(Self::SAMPLE as usize);
        assert!(samples.len() == needed + 1, "there is not one sample more than needed");
        Ascending { first, count: rank as u16, bits, samples }
    }

    /// The code point with `rank`; `None` if the rank is too great.
    #[must_use]
    pub fn nth(&self, rank: u16) -> Option<u16> {
        if rank >= self.count {
            return None;
        }
        let sample = *self.samples.get(usize::from(rank / Self::SAMPLE))?;
        if let Some(code_point) = at_level!(from avx2: nth(self, sample, rank % Self::SAMPLE)) {
            return code_point;
        }
        let (mut at, mut rest) = (usize::from(sample / 32), u32::from(rank % Self::SAMPLE));
        // The bit of the sample, and the bits after it.
        let mut bits = self.bits.get(at)? & !0 << (sample % 32);
        while bits.count_ones() <= rest {
            rest -= bits.count_ones();
            at += 1;
            bits = *self.bits.get(at)?;
        }
        // There are more bits than `rest`. The second condition keeps the compiler from unrolling the loop.
        while rest != 0 && bits != 0 {
            bits &= bits - 1;
            rest -= 1;
        }
        Some(self.first + 32 * at as u16 + bits.trailing_zeros() as u16)
    }

    getters! {
        /// The code point of the first bit.
        pub(crate) first: u16;

        /// The number of code points that have a rank. It is greater than 0.
        pub count: u16;

        /// Whether a code point has a rank: one bit for each code point from [`Self::first`] on.
        pub(crate) bits: &'a [u32];

        /// For every [`Self::SAMPLE`]th rank the number of its bit, and one more entry.
        pub(crate) samples: &'a [u16];
    }
}
