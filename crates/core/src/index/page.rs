//! Pages: the tables of single-byte charsets that the Standard does not have.
//!
//! Hundreds of charsets differ in few characters. So the tables of many charsets are stored together:
//!
//! ```text
//! page      root 2, patches 5..7, windows
//!                │         └───── [byte, lower half, upper half of the code unit] for each byte that differs
//! root 2    block 0 | block 7 | … | block 3      a block number for each 16 bytes
//!                         │
//! block 7   U+2500 U+2502 …                      the code units of 16 bytes
//! ```
//!
//! Bulk conversions make a table of 256 code units of it first.

use super::NULL;

/// The number of bytes.
const BYTES: usize = 256;
/// The number of bytes of a block.
const BLOCK: usize = 16;

/// The code unit of each byte; [`NULL`] for a byte without a character.
pub type PageUnits = [u16; BYTES];

/// The numbers of the blocks of a root: a page from which others differ in few bytes.
pub type Root = [u8; BYTES / BLOCK];

/// A byte, and the two halves of its code unit, the lower one first.
pub type Patch = [u8; 3];

/// What is known about one of several [`Pages`].
#[derive(Clone, Copy, Debug)]
pub struct PageFacts {
    root: u8,
    /// The patches of the page end at this place, where those of the next page start. An integer would have padding.
    patches_end: [u8; 2],
    windows: [u8; 4],
}

impl PageFacts {
    /// The page that differs from a root in the bytes of its patches. `windows` are those of a
    /// [`ByteTable`](super::ByteTable).
    #[must_use]
    pub const fn new(root: u8, patches_end: u16, windows: [u8; 4]) -> Self {
        PageFacts { root, patches_end: patches_end.to_le_bytes(), windows }
    }

    const fn patches_end(self) -> usize {
        u16::from_le_bytes(self.patches_end) as usize
    }
}

/// The tables of several single-byte charsets, or of one.
#[derive(Debug)]
pub struct Pages {
    blocks: &'static [[u16; BLOCK]],
    roots: &'static [Root],
    facts: &'static [PageFacts],
    patches: &'static [Patch],
    decode_only: &'static [[u8; 2]],
}

impl Pages {
    /// The pages with these `facts`, which tell their roots and patches.
    ///
    /// A character of two bytes is encoded to the lower one. `decode_only` has the numbers of pages and bytes to which
    /// no character is encoded, because a higher byte has the character, too.
    ///
    /// # Panics
    /// If a code unit is a surrogate or greater than [`NULL`], if a block, a root, a patch or a page is missing, or if
    /// a window is ASCII's or too far from it.
    #[must_use]
    pub const fn new(
        blocks: &'static [[u16; BLOCK]],
        roots: &'static [Root],
        facts: &'static [PageFacts],
        patches: &'static [Patch],
        decode_only: &'static [[u8; 2]],
    ) -> Self {
        let mut at = 0;
        while at < blocks.len() * BLOCK {
            let unit = blocks[at / BLOCK][at % BLOCK];
            assert!(unit <= NULL && !matches!(unit, 0xD800..=0xDFFF), "a code unit is no character");
            at += 1;
        }
        let mut at = 0;
        while at < roots.len() * (BYTES / BLOCK) {
            assert!((roots[at / (BYTES / BLOCK)][at % (BYTES / BLOCK)] as usize) < blocks.len(), "a block is missing");
            at += 1;
        }
        let mut at = 0;
        while at < patches.len() {
            let unit = unit_of(patches[at]);
            assert!(unit <= NULL && !matches!(unit, 0xD800..=0xDFFF), "a code unit is no character");
            at += 1;
        }
        let (mut at, mut patches_end) = (0, 0);
        while at < facts.len() {
            assert!((facts[at].root as usize) < roots.len(), "a root is missing");
            assert!(patches_end <= facts[at].patches_end(), "patches are not in order");
            patches_end = facts[at].patches_end();
            let mut window = 0;
            while window < facts[at].windows.len() {
                let number = facts[at].windows[window];
                assert!(number > 0 && number < 0xFF, "a window is ASCII's or too far from it");
                window += 1;
            }
            at += 1;
        }
        assert!(patches_end == patches.len(), "patches belong to no page");
        let mut at = 0;
        while at < decode_only.len() {
            assert!((decode_only[at][0] as usize) < facts.len(), "a page is missing");
            at += 1;
        }
        Pages { blocks, roots, facts, patches, decode_only }
    }

    /// The code units of the bytes of page `number`. All are [`NULL`] if there is no such page.
    #[must_use]
    pub const fn units(&self, number: u8) -> PageUnits {
        let mut units = [NULL; BYTES];
        let number = number as usize;
        if number >= self.facts.len() || self.facts[number].root as usize >= self.roots.len() {
            return units;
        }
        let root = &self.roots[self.facts[number].root as usize];
        let mut at = 0;
        while at < root.len() {
            // Without the comparison, programs would have code for a panic.
            if (root[at] as usize) < self.blocks.len() {
                let (block, mut place) = (&self.blocks[root[at] as usize], 0);
                while place < BLOCK {
                    units[BLOCK * at + place] = block[place];
                    place += 1;
                }
            }
            at += 1;
        }
        let (mut at, end) = self.patches_of(number);
        while at < end && at < self.patches.len() {
            units[self.patches[at][0] as usize] = unit_of(self.patches[at]);
            at += 1;
        }
        units
    }

    /// The code units of the bytes of page `number` to which characters are encoded. A character of two bytes is
    /// encoded to the lower one.
    #[must_use]
    pub fn encoding_units(&self, number: u8) -> PageUnits {
        let mut units = self.units(number);
        for [_, byte] in self.decode_only.iter().filter(|[page, _]| *page == number) {
            units[usize::from(*byte)] = NULL;
        }
        units
    }

    /// The code units of the bytes from 0x80 on of page `number`, as in [`units`](Self::units).
    #[must_use]
    pub fn upper_units(&self, number: u8) -> [u16; BYTES / 2] {
        let mut units = [NULL; BYTES / 2];
        let root = self.facts.get(usize::from(number)).and_then(|facts| self.roots.get(usize::from(facts.root)));
        let Some([.., a, b, c, d, e, f, g, h]) = root else { return units };
        for (to, block) in units.chunks_exact_mut(BLOCK).zip([a, b, c, d, e, f, g, h]) {
            if let Some(block) = self.blocks.get(usize::from(*block)) {
                to.copy_from_slice(block);
            }
        }
        let (start, end) = self.patches_of(number.into());
        for patch in self.patches.get(start..end).unwrap_or_default() {
            if let Some(unit) = units.get_mut(usize::from(patch[0]).wrapping_sub(BYTES / 2)) {
                *unit = unit_of(*patch);
            }
        }
        units
    }

    /// The code units of the bytes from 0x80 on of page `number`, as in [`encoding_units`](Self::encoding_units).
    #[must_use]
    pub fn encoding_upper_units(&self, number: u8) -> [u16; BYTES / 2] {
        let mut units = self.upper_units(number);
        for [_, byte] in self.decode_only.iter().filter(|[page, _]| *page == number) {
            if let Some(unit) = units.get_mut(usize::from(*byte).wrapping_sub(BYTES / 2)) {
                *unit = NULL;
            }
        }
        units
    }

    /// The code unit of `byte` in page `number`; [`NULL`] if it has no character.
    #[must_use]
    pub fn unit(&self, number: u8, byte: u8) -> u16 {
        let (start, end) = self.patches_of(number.into());
        let patch = self.patches.get(start..end).unwrap_or_default().iter().find(|patch| patch[0] == byte);
        let unit = patch.map(|patch| unit_of(*patch)).or_else(|| {
            let root = self.roots.get(usize::from(self.facts.get(usize::from(number))?.root))?;
            let block = self.blocks.get(usize::from(root[usize::from(byte) / BLOCK]))?;
            Some(block[usize::from(byte) % BLOCK])
        });
        unit.unwrap_or(NULL)
    }

    /// The places where the patches of a page start and end.
    const fn patches_of(&self, number: usize) -> (usize, usize) {
        if number >= self.facts.len() {
            return (0, 0);
        }
        let start = if number == 0 { 0 } else { self.facts[number - 1].patches_end() };
        (start, self.facts[number].patches_end())
    }

    /// The windows of a [`ByteTable`](super::ByteTable) for page `number`.
    #[must_use]
    pub fn windows(&self, number: u8) -> [u8; 4] {
        self.facts.get(usize::from(number)).map_or([1; 4], |facts| facts.windows)
    }

    /// The blocks of a `static` with page `number` alone. A program that names one charset links that `static` only.
    #[must_use]
    pub const fn blocks_alone(&self, number: u8) -> [[u16; BLOCK]; BYTES / BLOCK] {
        let (units, mut blocks, mut at) = (self.units(number), [[NULL; BLOCK]; BYTES / BLOCK], 0);
        while at < BYTES {
            blocks[at / BLOCK][at % BLOCK] = units[at];
            at += 1;
        }
        blocks
    }

    /// The facts of a `static` with page `number` alone.
    ///
    /// # Panics
    /// If there is no such page.
    #[must_use]
    pub const fn facts_alone(&self, number: u8) -> [PageFacts; 1] {
        let facts = self.facts[number as usize];
        [PageFacts { root: 0, patches_end: [0; 2], ..facts }]
    }

    /// The number of bytes of page `number` to which no character is encoded, because a higher byte has the character.
    #[must_use]
    pub const fn count_of_decode_only(&self, number: u8) -> usize {
        let (mut at, mut count) = (0, 0);
        while at < self.decode_only.len() {
            count += (self.decode_only[at][0] == number) as usize;
            at += 1;
        }
        count
    }

    /// These bytes, for a `static` with page `number` alone.
    #[must_use]
    pub const fn decode_only_alone<const COUNT: usize>(&self, number: u8) -> [[u8; 2]; COUNT] {
        let (mut bytes, mut at, mut count) = ([[0; 2]; COUNT], 0, 0);
        while at < self.decode_only.len() {
            if self.decode_only[at][0] == number {
                bytes[count][1] = self.decode_only[at][1];
                count += 1;
            }
            at += 1;
        }
        bytes
    }

    /// The pages of which [`blocks_alone`](Self::blocks_alone), [`facts_alone`](Self::facts_alone) and
    /// [`decode_only_alone`](Self::decode_only_alone) made the parts.
    #[must_use]
    pub const fn alone(
        blocks: &'static [[u16; BLOCK]; BYTES / BLOCK],
        facts: &'static [PageFacts; 1],
        decode_only: &'static [[u8; 2]],
    ) -> Self {
        static ROOT: [Root; 1] = [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]];
        Pages::new(blocks, &ROOT, facts, &[], decode_only)
    }
}

const fn unit_of(patch: Patch) -> u16 {
    u16::from_le_bytes([patch[1], patch[2]])
}
