//! EACC, ANSI/NISO Z39.64: the set of MARC-8 for Chinese, Japanese and Korean. A character is three bytes from 21 to
//! 7E. The first byte is a *plane*, the second one a *row*, and the third one a *column*. Forms of a character, such as
//! the simplified one, are in the same row and column of other planes.
//!
//! The tables hold all code points in the order of their bytes, as *literals*. Planes with many characters have the
//! columns of each row as bits. Other planes have the rows and columns of their characters as sorted *keys*:
//!
//! ```text
//! plane      21, rows                      27, keys
//! bytes      21 30 21   21 30 22   …       27 30 22   27 30 47   …
//! found by   bits of the row 30            keys 3022, 3047, …
//! literals   4E00       4E01       …       4E2B       …
//! ```
//!
//! An encoder needs no second list of 15,513 entries with two bytes: it has a bit for each character, and four bits
//! that say in which sixteenth of the literals it is. There, vectors compare all literals with the character.

use crate::generated::eacc::TABLES;
#[cfg(feature = "encode")]
pub(crate) use encode::{Inverse, bytes};

/// The tables of a decoder.
#[derive(Debug)]
pub(crate) struct Tables {
    /// The lower 16 bits of the code points.
    pub(crate) literals: &'static [u16],
    /// The planes with rows: the first byte, the second byte of the first row, and the number of this row.
    pub(crate) row_planes: &'static [(u8, u8, u16)],
    /// The columns that have characters, as bits, for each row.
    pub(crate) columns: &'static [[u32; 3]],
    /// The number of the first literal of each row.
    pub(crate) starts: &'static [u16],
    /// The planes with keys: the first byte, and the number of the first key. A tuple with a byte would have padding.
    pub(crate) key_planes: &'static [(u16, u16)],
    /// The second byte and the third byte of characters, in the order of their literals, which end the list.
    pub(crate) keys: &'static [u16],
}

/// The first column.
const FIRST_COLUMN: u8 = 0x21;

/// Literals below this one are characters of plane 2 of Unicode. EACC has no other code points below it.
const FIRST_IN_PLANE_0: u16 = 0x3000;

impl Tables {
    /// The number of literals before those of keys.
    fn first_of_keys(&self) -> usize {
        self.literals.len() - self.keys.len()
    }

    /// The number of the literal of three bytes.
    fn literal(&self, [plane, row, column]: [u8; 3]) -> Option<usize> {
        if let Some(at) = self.row_planes.iter().position(|entry| entry.0 == plane) {
            let (_, first_row, first) = *self.row_planes.get(at)?;
            let number = usize::from(first) + usize::from(row.checked_sub(first_row)?);
            let end = self.row_planes.get(at + 1).map_or(self.starts.len(), |next| next.2.into());
            let number = Some(number).filter(|&number| number < end)?;
            let (columns, column) = (self.columns.get(number)?, column.checked_sub(FIRST_COLUMN)?);
            let (word, bit) = (usize::from(column / 32), 1 << (column % 32));
            let bits = columns.get(word).filter(|&bits| bits & bit != 0)?;
            let before: u32 = columns.iter().take(word).map(|bits| bits.count_ones()).sum();
            return Some(usize::from(*self.starts.get(number)?) + (before + (bits & (bit - 1)).count_ones()) as usize);
        }
        let at = self.key_planes.iter().position(|entry| entry.0 == plane.into())?;
        let first = usize::from(self.key_planes.get(at)?.1);
        let end = self.key_planes.get(at + 1).map_or(self.keys.len(), |next| next.1.into());
        let key = u16::from_be_bytes([row, column]);
        let place = self.keys.get(first..end)?.binary_search(&key).ok()?;
        Some(self.first_of_keys() + first + place)
    }
}

/// The character of three bytes, which are not in the upper half.
pub(crate) fn code_point(bytes: [u8; 3]) -> Option<char> {
    // The Library of Congress lists two bytes for the space as one. Encoders write the other one, which is in the
    // table, because the third byte of the first one is in no set of 94 columns.
    if bytes == *b"!# " {
        return Some('\u{3000}');
    }
    let literal = *TABLES.literals.get(TABLES.literal(bytes)?)?;
    char::from_u32(if literal < FIRST_IN_PLANE_0 { 0x2_0000 + u32::from(literal) } else { literal.into() })
}

#[cfg(feature = "encode")]
mod encode {
    use super::{FIRST_COLUMN, FIRST_IN_PLANE_0, TABLES, Tables};
    use crate::generated::eacc::INVERSE;

    /// The tables of an encoder.
    #[derive(Debug)]
    pub(crate) struct Inverse {
        /// For each value of the upper eight bits of a literal, the number of its page, from 1 on; 0 for none.
        pub(crate) pages: &'static [u8],
        /// A bit for each literal of a page that is a character.
        pub(crate) bits: &'static [[u64; 4]],
        /// The number of characters in the pages before.
        pub(crate) ranks: &'static [u16],
        /// The blocks of two characters in a byte, that of the first one lowest.
        pub(crate) blocks: &'static [u8],
        /// The number of literals in a block.
        pub(crate) block: u16,
    }

    impl Inverse {
        /// The block with the literal; `None` if it is no character.
        fn block_of(&self, literal: u16) -> Option<u8> {
            let [page, low] = literal.to_be_bytes();
            let page = usize::from(self.pages.get(usize::from(page))?.checked_sub(1)?);
            let (words, word, bit) = (self.bits.get(page)?, usize::from(low / 64), 1 << (low % 64));
            let bits = words.get(word).filter(|&bits| bits & bit != 0)?;
            let before: u32 = words.iter().take(word).map(|bits| bits.count_ones()).sum();
            let number = u32::from(*self.ranks.get(page)?) + before + (bits & (bit - 1)).count_ones();
            Some(self.blocks.get(number as usize / 2)? >> (number % 2 * 4) & 0xF)
        }
    }

    /// The number of the first of the literals that equals `literal`.
    fn position(literals: &[u16], literal: u16) -> Option<usize> {
        // A loop that stops at the first equal literal compares them one by one. These 32 are compared by vectors.
        let has = |chunk: &&[u16]| chunk.iter().fold(false, |has, other| has | (*other == literal));
        let (number, chunk) = literals.chunks(32).enumerate().find(|(_, chunk)| has(chunk))?;
        Some(32 * number + chunk.iter().position(|other| *other == literal)?)
    }

    impl Tables {
        /// The bytes of a literal.
        fn bytes(&self, number: usize) -> Option<[u8; 3]> {
            if let Some(key) = number.checked_sub(self.first_of_keys()) {
                let &(plane, _) = self.key_planes.iter().rfind(|plane| usize::from(plane.1) <= key)?;
                let [row, column] = self.keys.get(key)?.to_be_bytes();
                return Some([plane as u8, row, column]);
            }
            // Of rows that start with the same literal, all but the last one are empty.
            let row = self.starts.partition_point(|start| usize::from(*start) <= number).checked_sub(1)?;
            let &(plane, first_row, first) = self.row_planes.iter().rfind(|plane| usize::from(plane.2) <= row)?;
            let before = number - usize::from(*self.starts.get(row)?);
            let columns = self.columns.get(row)?;
            let has = |column: &u8| columns[usize::from(column / 32)] >> (column % 32) & 1 != 0;
            let column = (0..94).filter(has).nth(before)?;
            Some([plane, first_row + (row - usize::from(first)) as u8, FIRST_COLUMN + column])
        }
    }

    /// The three bytes of a character.
    pub(crate) fn bytes(code_point: u32) -> Option<[u8; 3]> {
        let literal = code_point as u16;
        let is_in_plane_0 = literal >= FIRST_IN_PLANE_0;
        if code_point >> 16 != if is_in_plane_0 { 0 } else { 2 } {
            return None;
        }
        let block = usize::from(INVERSE.block);
        let first = usize::from(INVERSE.block_of(literal)?) * block;
        let literals = TABLES.literals.get(first..)?;
        TABLES.bytes(first + position(literals.get(..block).unwrap_or(literals), literal)?)
    }
}

#[cfg(all(test, feature = "encode"))]
mod tests {
    /// No conversion reads some entries. New mappings change the digests.
    #[test]
    fn every_entry_of_the_generated_tables_has_the_value_of_the_generator() {
        use crate::generated::eacc::{INVERSE, TABLES};
        textcodec_core::testing::check_digests(&[(&TABLES, 0x8551_11C5_B0D4_2C74), (&INVERSE, 0x266C_E731_B1E0_ABDB)]);
    }
}
