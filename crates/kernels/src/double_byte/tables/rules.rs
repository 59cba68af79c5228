//! Rules that compute the code points of pairs. Where code points ascend with the pairs of half a row, no table has to
//! list them.

use super::ascending::Ascending;
use crate::base::*;

/// Rules for pairs outside of the table of a [`DoubleByte`](super::DoubleByte), whose code units follow
/// from their bytes. The leading bytes are 0x81 to 0xFE, and the last trailing byte is 0xFE.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'a> {
    halves: &'a [[u16; 2]; 126],
    first: u8,
    gaps: [(u8, u8); 2],
    excluded: u16,
    unlisted: &'a Ascending<'a>,
}

impl<'a> Rules<'a> {
    /// The least value of a rule that is a code point.
    pub const CODE_POINT: u16 = 0x8000;

    /// The rules with these parts:
    ///
    /// * `halves` has two rules for each leading byte from 0x81 on: the first for trailing bytes below 0xA1, the second
    ///   for all others. A rule is the value of the pair with the first trailing byte, or the value that this pair
    ///   would have. To get the value of another pair, add the number of trailing bytes that precede the pair's
    ///   trailing byte. A value from [`Self::CODE_POINT`] on is a code point, and a lesser one is the rank of a code
    ///   point in `unlisted`. [`NULL`] stands for no rule.
    /// * `first` is the first trailing byte.
    /// * `gaps` are two gaps in the range of trailing bytes: the first byte of the gap, and how many bytes it has.
    /// * `excluded` is a code point that the rules would give to a pair, but that no pair decodes to.
    /// * `unlisted` has the code points that rules give by their rank.
    ///
    /// # Panics
    /// If a part violates one of these rules:
    ///
    /// * The gaps must be in ascending order among the trailing bytes, or be empty.
    /// * No code point that a rule gives is a surrogate or [`NULL`].
    /// * Each rank in `unlisted` must be less than [`Self::CODE_POINT`].
    #[must_use]
    pub const fn new(
        halves: &'a [[u16; 2]; 126],
        first: u8,
        gaps: [(u8, u8); 2],
        excluded: u16,
        unlisted: &'a Ascending<'a>,
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
        assert!(unlisted.count() <= Self::CODE_POINT, "a rank is as great as a code point");
        Rules { halves, first, gaps, excluded, unlisted }
    }

    getters! {
        /// Two rules for each leading byte from 0x81 on.
        pub(crate) halves: &'a [[u16; 2]; 126];

        /// The first trailing byte.
        pub(crate) first: u8;

        /// Two gaps in the range of trailing bytes: the first byte of the gap, and how many bytes it has.
        pub(crate) gaps: [(u8, u8); 2];

        /// A code point that the rules would give to a pair, but that no pair decodes to.
        pub(crate) excluded: u16;

        /// The code points that rules give by their rank.
        pub(crate) unlisted: &'a Ascending<'a>;
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
