//! The tables of an encoder to one and two bytes per character.

pub(crate) mod listed;
// These tests catch panics, which end a program for wasm32.
#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;

use self::listed::{Listed, NO_POINTER};
use crate::base::getters;

/// The tables of an encoder to ASCII and pairs of bytes.
#[derive(Clone, Copy, Debug)]
pub struct ToDoubleByte<'a> {
    listed: &'a Listed<'a>,
    end: u16,
    columns: Divisor,
    leading: Part,
    trailing: Part,
    others: fn(u16) -> u16,
}

impl<'a> ToDoubleByte<'a> {
    /// The tables with these parts:
    ///
    /// * `listed` has the pointers of code units.
    /// * Listed pointers from `end` on are not used, and `others` is asked instead.
    /// * `columns` is the number of columns of a row.
    /// * `leading` turns a row into the leading byte, and `trailing` turns a column into the trailing byte.
    /// * `others` returns the pointer of a code unit that is not listed or whose listed pointer is not used;
    ///   [`NO_POINTER`] if it cannot be encoded. Its pointers must be below `end` and below the numbers of the run of
    ///   `listed`, and 0xFFFF, which is no character, must have none.
    ///
    /// # Panics
    /// If one of these rules is violated:
    ///
    /// * Each column must make a byte.
    /// * Either each row before `end` must make a byte, or each row up to the greatest pointer of `listed`.
    /// * If `listed` has a run, `end` must be [`NO_POINTER`].
    #[must_use]
    pub const fn new(
        listed: &'a Listed<'a>,
        end: u16,
        columns: Divisor,
        leading: Part,
        trailing: Part,
        others: fn(u16) -> u16,
    ) -> Self {
        assert!(trailing.can_add_to(columns.number - 1), "a column makes no byte");
        assert!(listed.run().is_empty() || end == NO_POINTER, "not all pointers of a table with a run are used");
        let pointers_with_bytes = leading.numbers_with_bytes() * columns.number as u32;
        assert!(
            end as u32 <= pointers_with_bytes || listed.are_pointers_below(pointers_with_bytes),
            "a row makes no byte"
        );
        ToDoubleByte { listed, end, columns, leading, trailing, others }
    }

    getters! {
        /// The pointers of code units.
        pub listed: &'a Listed<'a>;

        /// Listed pointers from this one on are not used.
        pub end: u16;

        /// The number of columns of a row.
        pub(crate) columns: Divisor;

        /// The leading byte that a row becomes.
        pub(crate) leading: Part;

        /// The trailing byte that a column becomes.
        pub(crate) trailing: Part;
    }

    /// Asks the encoding for the pointer of a code unit that is not listed or whose listed pointer is not used;
    /// [`NO_POINTER`] if it cannot be encoded.
    #[inline(always)]
    #[must_use]
    pub fn other(&self, unit: u16) -> u16 {
        (self.others)(unit)
    }
}

/// A divisor, with the factor and the shift that replace the division by a multiplication.
#[derive(Clone, Copy, Debug)]
pub struct Divisor {
    number: u16,
    factor: u16,
    shift: u16,
}

impl Divisor {
    /// A divisor from 65 to 255. Division is exact for numbers up to 0x7FFF, and so for all pointers.
    ///
    /// # Panics
    /// If `number` is less than 65 or greater than 255.
    #[must_use]
    pub const fn new(number: u16) -> Self {
        assert!(65 <= number && number <= 255, "the factor is only exact for divisors from 65 to 255");
        let shift = if number <= 128 { 6 } else { 7 };
        Divisor { number, factor: (0x1_0000_u32 << shift).div_ceil(number as u32) as u16, shift }
    }

    getters! {
        /// The divisor.
        pub(crate) number: u16;

        /// The quotient is the upper half of the product with this factor, shifted right by [`Self::shift`].
        pub(crate) factor: u16;

        /// See [`Self::factor`].
        pub(crate) shift: u16;
    }

    /// The quotient and the remainder of `number`, which is at most 0x7FFF.
    #[inline(always)]
    pub(crate) const fn divide(self, number: u16) -> (u16, u16) {
        let quotient = ((number as u32 * self.factor as u32) >> 16) as u16 >> self.shift;
        (quotient, number.wrapping_sub(quotient.wrapping_mul(self.number)))
    }
}

/// The offset that turns the number of a row or column into a byte. Two ranges of numbers can have different offsets.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    lower: u8,
    upper: u8,
    split: u8,
}

impl Part {
    /// The offset `lower` for numbers below `split`, and `upper` for all others.
    ///
    /// # Panics
    /// If `upper` is less than `lower`, because vector code adds the difference of the two.
    #[must_use]
    pub const fn new(lower: u8, upper: u8, split: u8) -> Self {
        assert!(lower <= upper, "the upper offset is less than the lower one");
        Part { lower, upper, split }
    }

    /// The offset `first` for every number.
    #[must_use]
    pub const fn from(first: u8) -> Self {
        Part { lower: first, upper: first, split: 0 }
    }

    /// Whether `number` becomes a byte. Lesser numbers become lesser bytes, because `lower` is at most `upper`.
    const fn can_add_to(self, number: u16) -> bool {
        let offset = if number < self.split as u16 { self.lower } else { self.upper };
        number + offset as u16 <= 0xFF
    }

    /// How many numbers from 0 on become bytes.
    const fn numbers_with_bytes(self) -> u32 {
        let mut number = 0;
        while self.can_add_to(number) {
            number += 1;
        }
        number as u32
    }

    getters! {
        /// The offset of numbers below [`Self::split`].
        pub(crate) lower: u8;

        /// The offset of all other numbers, which is at least that of [`Self::lower`].
        pub(crate) upper: u8;

        /// The first number that has the offset [`Self::upper`].
        pub(crate) split: u8;
    }

    /// The byte of `number`.
    #[inline(always)]
    pub(crate) const fn byte(self, number: u16) -> u8 {
        let number = number as u8;
        number + if number < self.split { self.lower } else { self.upper }
    }
}

/// The `others` of an encoding whose pointers are all listed.
#[must_use]
pub fn no_other_pointers(_: u16) -> u16 {
    NO_POINTER
}
