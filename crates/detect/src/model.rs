//! The model that `cargo xtask train` makes: prices of pairs, evidence of ASCII, and frequencies of characters.

mod tables;

pub(crate) use tables::*;

/// The prices of pairs of classes in each language, two in a byte.
pub(crate) static PAIRS: [u8; include_bytes!("model/pairs.bin").len()] = *include_bytes!("model/pairs.bin");
/// The evidence of each pair of ASCII for each language of Latin script, two languages in a byte.
pub(crate) static ASCII: [u8; include_bytes!("model/ascii.bin").len()] = *include_bytes!("model/ascii.bin");
/// The prices of the characters of the East Asian character sets, two in a byte.
pub(crate) static EAST_ASIAN: [u8; include_bytes!("model/east_asian.bin").len()] =
    *include_bytes!("model/east_asian.bin");

/// The cell `place` of a part of the model.
#[inline(always)]
pub(crate) fn cell(cells: &[u8], place: usize) -> u8 {
    cells[place / 2] >> (place % 2 * 4) & 0xF
}
