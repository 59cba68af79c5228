//! Rules that compute the code points of pairs in GBK and EUC-KR. These code points ascend with the pairs, so no table has to list
//! them.

use super::{NULL, listed::Listed};

/// Rules for pairs outside of the table of a [`DoubleByte`](super::double_byte::DoubleByte), whose code units follow from their
/// bytes: the pairs of GBK and EUC-KR. The leading bytes are 0x81 to 0xFE, and the last trailing byte is 0xFE.
#[cfg_attr(not(vectors = "x86_64"), allow(dead_code, reason = "only the bodies for AVX-512 follow rules"))]
#[derive(Clone, Copy, Debug)]
pub struct Rules<'a> {
    halves: &'a [[u16; 2]; 126],
    first: u8,
    gaps: [(u8, u8); 2],
    but: u16,
    unlisted: &'a Unlisted<'a>,
    listed: &'a Listed<'a>,
}

#[cfg_attr(not(vectors = "x86_64"), allow(dead_code, reason = "only the bodies for AVX-512 follow rules"))]
impl<'a> Rules<'a> {
    /// The least value of a rule that is a code point.
    pub const CODE_POINT: u16 = 0x8000;

    /// The rules with these parts:
    ///
    /// * `halves` has two rules for each leading byte from 0x81 on: the first for trailing bytes below 0xA1, the second for all
    ///   others. A rule is the value of the pair with the first trailing byte, or the value that this pair would have. To get the
    ///   value of another pair, add the number of trailing bytes that precede the pair's trailing byte. A value from
    ///   [`Self::CODE_POINT`] on is a code point, and a lesser one is the rank of a code point in `unlisted`. [`NULL`] stands for
    ///   no rule.
    /// * `first` is the first trailing byte.
    /// * `gaps` are two gaps in the range of trailing bytes: the first byte of the gap, and how many bytes it has.
    /// * `but` is a code point that the rules would give to a pair, but that no pair decodes to.
    /// * `unlisted` has the code points that rules give by their rank.
    /// * `listed` is the table that does not list these code points.
    ///
    /// # Panics
    /// If a part violates one of these rules:
    ///
    /// * The gaps must be in ascending order among the trailing bytes, or be empty.
    /// * No code point that a rule gives is a surrogate or [`NULL`].
    /// * `listed` must list a code unit in each group that `unlisted` spans, and the samples of `unlisted` must be right.
    #[must_use]
    pub const fn new(
        halves: &'a [[u16; 2]; 126],
        first: u8,
        gaps: [(u8, u8); 2],
        but: u16,
        unlisted: &'a Unlisted<'a>,
        listed: &'a Listed<'a>,
    ) -> Self {
        let [(start, width), (next_start, next_width)] = gaps;
        assert!(first < 0xA1 && first <= start, "the first gap begins before the trailing bytes");
        assert!(start as u16 + width as u16 <= next_start as u16, "the gaps are not in ascending order");
        assert!(next_start as u16 + next_width as u16 <= 0xFF, "the second gap goes on after the trailing bytes");

        let (last_left, first_right, last_right) = (0xA0 - first, 0xA1 - first - width - next_width, 0xFE - first);
        let mut row = 0;
        while row < halves.len() {
            let [left, right] = halves[row];
            assert!(
                gives_characters(left, 0, last_left),
                "a rule of a left half gives a code point that is no character"
            );
            assert!(
                gives_characters(right, first_right, last_right),
                "a rule of a right half gives a code point that is no character"
            );
            row += 1;
        }
        check_ranks(unlisted, listed);
        Rules { halves, first, gaps, but, unlisted, listed }
    }

    /// Two rules for each leading byte from 0x81 on.
    #[inline(always)]
    pub(crate) const fn halves(&self) -> &'a [[u16; 2]; 126] {
        self.halves
    }

    /// The first trailing byte.
    #[inline(always)]
    pub(crate) const fn first(&self) -> u8 {
        self.first
    }

    /// Two gaps in the range of trailing bytes: the first byte of the gap, and how many bytes it has.
    #[inline(always)]
    pub(crate) const fn gaps(&self) -> [(u8, u8); 2] {
        self.gaps
    }

    /// A code point that the rules would give to a pair, but that no pair decodes to.
    #[inline(always)]
    pub(crate) const fn but(&self) -> u16 {
        self.but
    }

    /// The code points that rules give by their rank.
    #[inline(always)]
    pub(crate) const fn unlisted(&self) -> &'a Unlisted<'a> {
        self.unlisted
    }

    /// The table that does not list the code points of [`Self::unlisted`].
    #[inline(always)]
    pub(crate) const fn listed(&self) -> &'a Listed<'a> {
        self.listed
    }
}

/// Whether no code point that a rule gives for the pairs `from` to `to` of a row is a surrogate or [`NULL`].
const fn gives_characters(rule: u16, from: u8, to: u8) -> bool {
    if rule < Rules::CODE_POINT || rule == NULL {
        return true;
    }
    let (from, to) = (rule as u32 + from as u32, rule as u32 + to as u32);
    to < NULL as u32 && (to < 0xD800 || from > 0xDFFF)
}

/// Code points that a [`Listed`] does not list, each with its rank: the number of unlisted code points before it. All code points
/// between the first and the last of them are in the index, either listed there or ranked here.
#[derive(Clone, Copy, Debug)]
pub struct Unlisted<'a> {
    first: u16,
    count: u16,
    samples: &'a [u16],
}

impl<'a> Unlisted<'a> {
    /// The distance between two sampled ranks.
    pub const SAMPLE: u16 = 32;

    /// The code points with these parts:
    ///
    /// * `first` is the code point from which ranks are counted.
    /// * `count` is the number of code points that have a rank.
    /// * `samples` has, for every [`Self::SAMPLE`]th rank, the block of 32 code points that contains its code point, counted from
    ///   `first`; and one more entry, because a gather loads two.
    ///
    /// # Panics
    /// If `first` is not a multiple of 256, if a rank would be a code point for [`Rules`], or if the number of samples is wrong.
    /// [`Rules::new`] checks the samples themselves.
    #[must_use]
    pub const fn new(first: u16, count: u16, samples: &'a [u16]) -> Self {
        assert!(first % 256 == 0, "ranks are not counted from the start of a group");
        assert!(0 < count && count <= Rules::CODE_POINT, "a rank is as great as a code point");
        assert!(samples.len() == count.div_ceil(Self::SAMPLE) as usize + 1, "there is not one sample more than needed");
        Unlisted { first, count, samples }
    }

    /// The code point from which ranks are counted, a multiple of 256.
    #[inline(always)]
    #[must_use]
    pub const fn first(&self) -> u16 {
        self.first
    }

    /// The number of code points that have a rank.
    #[inline(always)]
    #[must_use]
    pub const fn count(&self) -> u16 {
        self.count
    }

    /// For every [`Self::SAMPLE`]th rank, the block of 32 code points that contains its code point, counted from [`Self::first`]; and
    /// one more entry.
    #[inline(always)]
    #[must_use]
    pub const fn samples(&self) -> &'a [u16] {
        self.samples
    }
}

/// Checks that the ranks of `unlisted` are those of `listed`.
const fn check_ranks(unlisted: &Unlisted<'_>, listed: &Listed<'_>) {
    let (groups, blocks) = (listed.groups(), listed.blocks());
    let first_group = unlisted.first as usize / 256;
    let first_block = 8 * groups[first_group] as usize;
    assert!(first_block != 0, "the first group of unlisted code points lists nothing");
    let number = blocks[first_block].first() as u32;

    let (mut rank, mut block) = (0, 0);
    let mut before = 0;
    while rank < unlisted.count as u32 {
        // The code point with this rank is in the first block up to whose end more unlisted code points have been counted than the
        // rank.
        loop {
            let group = first_group + block / 8;
            assert!(
                group < 256 && groups[group] as usize * 8 == first_block + block / 8 * 8,
                "a group of unlisted code points lists nothing"
            );
            let next = before + (!blocks[first_block + block].listed()).count_ones();
            if next > rank {
                break;
            }
            (before, block) = (next, block + 1);
        }
        let counted = 32 * block as u32 - (blocks[first_block + block].first() as u32 - number);
        assert!(counted == before, "the numbers of listed code points do not give the rank of unlisted ones");
        assert!(
            unlisted.samples[rank as usize / Unlisted::SAMPLE as usize] as usize == block,
            "a sample is another block"
        );
        rank += Unlisted::SAMPLE as u32;
    }
}
