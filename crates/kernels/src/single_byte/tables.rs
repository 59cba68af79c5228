//! The table with which single bytes are decoded.

// These tests catch panics, which end a program for wasm32.
#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;

use core::ops::Deref;

use crate::base::*;

pub use crate::base::units::NULL;

/// A code unit that stands in no table, because it is a surrogate.
pub const NEVER: u16 = 0xD800;

/// The code units of the bytes 0x80 to 0xFF, and [`NULL`] for a byte without a character. None is ASCII and none is a
/// surrogate.
///
/// A value of this type is a proof: [`to_utf8`](crate::single_byte::to_utf8) writes well-formed UTF-8 from every such
/// table.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Characters([u16; 128]);

impl Characters {
    /// No characters: each byte has [`NULL`].
    pub const NONE: Self = Characters([NULL; 128]);

    /// # Panics
    /// If a code unit is ASCII, a surrogate, or greater than [`NULL`].
    #[must_use]
    pub const fn new(units: [u16; 128]) -> Self {
        let mut at = 0;
        while at < units.len() {
            let is_in_range = 0x80 <= units[at] && units[at] <= NULL;
            assert!(is_in_range && !is_surrogate(units[at]), "a byte has ASCII, a surrogate, U+FFFE or U+FFFF");
            at += 1;
        }
        Characters(units)
    }

    /// The same for tables that are made at run time. `None` where [`new`](Self::new) panics.
    #[must_use]
    pub fn checked(units: [u16; 128]) -> Option<Self> {
        // Without a branch for each unit, vectors compare.
        let is_right = |unit: u16| (0x80..=NULL).contains(&unit) & !is_surrogate(unit);
        units.iter().fold(true, |all, &unit| all & is_right(unit)).then_some(Characters(units))
    }

    /// The code units of the bytes 0x80 to 0xFF.
    #[inline]
    #[must_use]
    pub const fn units(&self) -> &[u16; 128] {
        &self.0
    }
}

impl Deref for Characters {
    type Target = [u16; 128];

    #[inline(always)]
    fn deref(&self) -> &[u16; 128] {
        &self.0
    }
}
