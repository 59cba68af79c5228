//! The table with which characters are encoded to single bytes.
//!
//! The code points from U+0000 on are cut into blocks of 64. The first part of `by_code_point` has the start of each
//! block in the second part, in units of four bytes, and equal parts of blocks overlap:
//!
//! ```text
//! code point U+0159 = block 5, place 0x19
//!
//! first part    block 0 | block 1 | … | block 5 | …            one byte for each block
//!                                           │ × 4
//! second part   …              ┌─ 64 bytes ─▼─ 64 bytes …       the byte for each code point, 0x00 if there is none
//!                                           └ + 0x19: 0xF8
//! ```
//!
//! A third part lists the code points of rare characters that are alone in their blocks, or nearly so: three bytes for
//! each instead of up to 64 for a block. Kernels do not read this part and stop before these characters.

// These tests catch panics, which end a program for wasm32.
#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;

use crate::{base::*, single_byte::tables::Characters};

pub use crate::base::units::NULL;

/// The number of code points of a block.
pub const BLOCK: usize = 64;

/// The number of code points of a window, which is two blocks.
pub const WINDOW: usize = 2 * BLOCK;

/// The number of windows.
pub const WINDOWS: usize = 4;

/// The place where a block starts is a multiple of this.
pub const ALIGN: usize = 4;

/// The entry for a block in which no code point has a byte. All tables end before this place.
pub const NO_BLOCK: u8 = 0xFF;

/// The length of the entry for a rare character: its code point, the lower byte first, and its byte.
pub const RARE: usize = 3;

/// The bytes of the code points of an
/// [index of a single-byte encoding](https://encoding.spec.whatwg.org/#index-single-byte): what only encoding needs of
/// the index. `T` is an array of bytes, whose length is forgotten: a slice in its place would cost a program 40 bytes
/// for every encoding.
#[derive(Debug)]
pub struct ByteTable<T: ?Sized = [u8]> {
    windows: [Window; WINDOWS],
    /// How many of the first bytes of `by_code_point` are the starts of blocks.
    blocks: u8,
    /// How many rare characters are at the end of `by_code_point`, with [`RARE`] bytes each.
    rare: u8,
    by_code_point: T,
}

/// A window, and where its bytes are in the second part of a [`ByteTable`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    /// The number of the window: its first code point, divided by [`WINDOW`]. Less than 0xFF.
    pub(crate) number: u8,
    /// The first byte of the window's characters in UTF-8 if they have three bytes, or 0 if they have two.
    pub(crate) first_of_three: u8,
    /// The last byte but one of the window's characters in UTF-8, with its lowest bit set. That bit is part of the
    /// place of the character within the window.
    pub(crate) last_but_one: u8,
    /// The starts of its two blocks, divided by [`ALIGN`]; [`NO_BLOCK`] for a block in which no code point has a byte.
    starts: [u8; 2],
}

impl Window {
    /// The window with this number. Its blocks are nowhere.
    const fn new(number: u8) -> Self {
        let (first_of_three, last_but_one) = match number {
            0..16 => (0, 0xC1 | number << 1),
            _ => (0xE0 | number >> 5, 0x81 | number << 1 & 0x3F),
        };
        Window { number, first_of_three, last_but_one, starts: [NO_BLOCK; 2] }
    }
}

impl<const N: usize> ByteTable<[u8; N]> {
    /// The bytes of `code_points`, which has the code points of the bytes 0x80 to 0xFF:
    ///
    /// * `windows` has the numbers of the windows that texts need most, in descending order of frequency. A window is
    ///   [`WINDOW`] code points. Vector bodies look code points up in these windows.
    /// * `by_code_point` has three parts. The first `blocks` bytes say, for each block of [`BLOCK`] code points from
    ///   U+0000 on, where its bytes start in the second part, divided by [`ALIGN`]; [`NO_BLOCK`] if no code point of
    ///   the block has a byte. The two blocks of ASCII may start anywhere: their bytes are never used, but ASCII is
    ///   looked up as well, because a lookup is cheaper than a branch. The second part has the bytes of all blocks,
    ///   which may overlap; 0 for a code point without a byte. The third part has `rare` entries of [`RARE`] bytes, for
    ///   code points whose blocks are not in the second part.
    ///
    /// # Panics
    /// If a part violates one of these rules:
    ///
    /// * Every block must lie in the second part of `by_code_point`. The third part must end before the place that
    ///   [`NO_BLOCK`] stands for.
    /// * `windows` must be windows other than ASCII's, with numbers less than 0xFF.
    /// * The code points of the third part must ascend.
    /// * The code point of each byte must have that byte, and no other code point from U+0080 on may have a byte.
    #[must_use]
    pub const fn new(
        code_points: &Characters,
        windows: [u8; WINDOWS],
        blocks: u8,
        rare: u8,
        by_code_point: [u8; N],
    ) -> Self {
        let (blocks_end, rare_length) = (blocks as usize, rare as usize * RARE);
        assert!(0 < blocks_end && blocks_end + rare_length <= N, "there are fewer bytes than blocks");
        let rare_start = N - rare_length;
        assert!(N - blocks_end <= NO_BLOCK as usize * ALIGN, "a block that is nowhere is among the others");
        let mut places = [Window::new(0); WINDOWS];
        let mut at = 0;
        while at < WINDOWS {
            assert!(windows[at] > 0, "a window is ASCII's");
            assert!(windows[at] < 0xFF, "a window is too far from ASCII's");
            places[at] = Window::new(windows[at]);
            let mut half = 0;
            while half < 2 {
                let block = 2 * windows[at] as usize + half;
                if block < blocks_end {
                    places[at].starts[half] = by_code_point[block];
                }
                half += 1;
            }
            at += 1;
        }
        // The bytes that code points have, and then the bytes that have code points.
        let (mut block, mut bytes) = (0, 0);
        while block < blocks_end {
            let start = blocks_end + by_code_point[block] as usize * ALIGN;
            assert!(start + BLOCK <= rare_start || by_code_point[block] == NO_BLOCK, "a block is not among the others");
            let mut at = if block < WINDOW / BLOCK || by_code_point[block] == NO_BLOCK { BLOCK } else { 0 };
            while at < BLOCK {
                let byte = by_code_point[start + at];
                assert!(byte == 0 || byte >= 0x80, "a code point has a byte of ASCII");
                if byte != 0 {
                    let code_point = code_points.units()[byte as usize - 0x80] as usize;
                    assert!(code_point == BLOCK * block + at, "a code point has the byte of another one");
                    bytes += 1;
                }
                at += 1;
            }
            block += 1;
        }
        let (mut at, mut next) = (rare_start, 0);
        while at < N {
            let code_point = rare_code_point(by_code_point[at], by_code_point[at + 1]);
            let block = code_point / BLOCK;
            assert!(next <= code_point, "rare characters are not in ascending order");
            assert!(block >= blocks_end || by_code_point[block] == NO_BLOCK, "a rare character has a block");
            let byte = by_code_point[at + 2];
            assert!(byte >= 0x80, "a code point has a byte of ASCII");
            assert!(
                code_points.units()[byte as usize - 0x80] as usize == code_point,
                "a code point has the byte of another one"
            );
            bytes += 1;
            next = code_point + 1;
            at += RARE;
        }
        let (mut at, mut characters) = (0, 0);
        while at < 128 {
            if code_points.units()[at] != NULL {
                characters += 1;
            }
            at += 1;
        }
        assert!(bytes == characters, "there are not as many bytes as code points");
        ByteTable { windows: places, blocks, rare, by_code_point }
    }
}

/// The number of blocks that a table made at run time can have: those that can start before [`NO_BLOCK`].
const MADE_BLOCKS: usize = NO_BLOCK as usize * ALIGN / BLOCK;

/// The length of `by_code_point` in a table that is made at run time: a start for each block, and the blocks.
pub const MADE: usize = NO_BLOCK as usize + MADE_BLOCKS * BLOCK;

impl ByteTable<[u8; MADE]> {
    /// A table that is made at run time. It has the characters of the first blocks that `code_points` needs. Kernels
    /// stop before the others, and [`byte`](ByteTable::byte) does not find them. Where a character has several bytes,
    /// the lowest one counts.
    ///
    /// `windows` is as in [`new`](Self::new). In ASCII's window, no character is found.
    #[must_use]
    pub fn made_of(code_points: &Characters, windows: [u8; WINDOWS]) -> Self {
        let mut by_code_point = [0; MADE];
        let (starts, bytes) = by_code_point.split_at_mut(NO_BLOCK.into());
        starts.fill(NO_BLOCK);
        let mut next = 0;
        for (byte, &unit) in (0x80..=u8::MAX).zip(code_points.units()) {
            let (block, place) = (usize::from(unit) / BLOCK, usize::from(unit) % BLOCK);
            // U+FFFD is after the last block.
            let Some(start) = starts.get_mut(block) else { continue };
            if *start == NO_BLOCK {
                if next == MADE_BLOCKS {
                    continue;
                }
                *start = (next * BLOCK / ALIGN) as u8;
                next += 1;
            }
            if let Some(to @ 0) = bytes.get_mut(usize::from(*start) * ALIGN + place) {
                *to = byte;
            }
        }
        // ASCII's blocks may start anywhere.
        starts[..WINDOW / BLOCK].fill(if next == 0 { NO_BLOCK } else { 0 });
        let windows = windows.map(|number| {
            let first = usize::from(number) * (WINDOW / BLOCK);
            let start = |block: usize| starts.get(block).copied().unwrap_or(NO_BLOCK);
            Window { starts: [start(first), start(first + 1)], ..Window::new(number) }
        });
        ByteTable { windows, blocks: NO_BLOCK, rare: 0, by_code_point }
    }
}

/// The code point of a rare character.
const fn rare_code_point(lower: u8, upper: u8) -> usize {
    u16::from_le_bytes([lower, upper]) as usize
}

impl ByteTable {
    /// The number of code points of a block.
    pub const BLOCK: usize = BLOCK;
    /// The number of code points of a window.
    pub const WINDOW: usize = WINDOW;
    /// The place where a block starts is a multiple of this.
    pub const ALIGN: usize = ALIGN;
    /// The entry for a block in which no code point has a byte.
    pub const NO_BLOCK: u8 = NO_BLOCK;

    /// The table without its type, as the kernels take it.
    #[must_use]
    pub const fn by_code_point(&self) -> ByCodePoint<'_> {
        let (blocks, bytes) = match self.by_code_point.split_at_checked(self.blocks as usize) {
            Some(parts) => parts,
            None => (&self.by_code_point, [].as_slice()),
        };
        ByCodePoint { blocks, bytes, windows: &self.windows }
    }

    /// The byte whose [index pointer](https://encoding.spec.whatwg.org/#index-pointer) is that of `code_point`, 0x80 to
    /// 0xFF; `None` if the index does not contain it.
    #[must_use]
    pub fn byte(&self, code_point: char) -> Option<u8> {
        if code_point.is_ascii() {
            return None;
        }
        self.by_code_point().byte(code_point).or_else(|| self.rare_byte(u32::from(code_point) as usize))
    }

    /// The byte of `code_point` if it is a rare character.
    fn rare_byte(&self, code_point: usize) -> Option<u8> {
        let start = self.by_code_point.len().checked_sub(usize::from(self.rare) * RARE)?;
        let entries = self.by_code_point.get(start..)?.chunks_exact(RARE);
        let mut bytes = entries.filter_map(|entry| match *entry {
            [lower, upper, byte] if rare_code_point(lower, upper) == code_point => Some(byte),
            _ => None,
        });
        bytes.next()
    }
}

/// A [`ByteTable`], whose constructor checks it.
#[derive(Clone, Copy, Debug)]
pub struct ByCodePoint<'a> {
    blocks: &'a [u8],
    bytes: &'a [u8],
    windows: &'a [Window; WINDOWS],
}

/// The bytes of a window: those of its two blocks.
pub(crate) type WindowBytes<'a> = [&'a [u8; BLOCK]; 2];

impl<'a> ByCodePoint<'a> {
    getters! {
        /// The windows that texts need most, in descending order of frequency.
        pub(crate) windows: &'a [Window; WINDOWS];
    }

    /// The bytes of a window; 0 for a code point that has no byte or is a rare character.
    #[inline]
    pub(crate) fn window_bytes(&self, window: &Window) -> WindowBytes<'a> {
        window.starts.each(|start| {
            let start = usize::from(start) * ALIGN;
            // One comparison, where `block` has two.
            self.bytes.get(start..start + BLOCK).and_then(<[u8]>::first_chunk).unwrap_or(&[0; BLOCK])
        })
    }

    /// The byte for a code point that is not ASCII; `None` if it has none, or if it is a rare character.
    #[must_use]
    pub fn byte(&self, code_point: impl Into<u32>) -> Option<u8> {
        let code_point = code_point.into() as usize;
        let start = usize::from(*self.blocks.get(code_point / BLOCK)?) * ALIGN;
        match *self.bytes.get(start + code_point % BLOCK)? {
            0 => None,
            byte => Some(byte),
        }
    }
}
