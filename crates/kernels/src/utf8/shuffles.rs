//! Shuffles that make UTF-8 of lanes with the bytes of one character each, for the levels that drop bytes by shuffles.
//!
//! In each lane the bytes that a character does not have come before or after its bytes. A shuffle drops them and moves
//! the rest together.

/// A shuffle that moves the bytes of eight lanes of 16 bits together: of a lane whose bit in `long` is set, both bytes,
/// and of every other lane the first byte.
#[inline(always)]
pub(crate) fn both_or_first(long: u8) -> &'static [u8; 16] {
    &UP_TO_TWO[usize::from(long & 0x7F)]
}

/// Shuffles for eight lanes of 16 bits. The index has a bit for each of the first seven lanes: whether the lane keeps
/// both bytes. Every other lane keeps its first byte. The eighth lane comes last, so it always moves both bytes: a byte
/// that it does not keep lies after all others.
static UP_TO_TWO: [[u8; 16]; 128] = {
    let mut table = [[0; 16]; 128];
    let mut long = 0;
    while long < 128 {
        let (mut lane, mut to) = (0, 0);
        while lane < 8 {
            table[long][to] = 2 * lane;
            to += 1;
            if (long | 0x80) >> lane & 1 == 1 {
                table[long][to] = 2 * lane + 1;
                to += 1;
            }
            lane += 1;
        }
        long += 1;
    }
    table
};

/// The number of bytes of a row of [`UP_TO_THREE`].
pub(crate) const ROW_BYTES: usize = 12;
/// The length of [`UP_TO_THREE`]: 171 rows, and then zeros, so that 16 bytes can be loaded from every place below
/// 0x800.
const TABLE_BYTES: usize = 0x800 + 16;

/// Shuffles for four lanes of 32 bits, in rows of 12 bytes. The number of a row has two bits for each lane: how many
/// bytes the lane drops from its front, at most two. The third byte is always kept, and the fourth never.
pub(crate) static UP_TO_THREE: [u8; TABLE_BYTES] = {
    let mut table = [0; TABLE_BYTES];
    let mut row = 0;
    while row < 171 {
        let (mut lane, mut to) = (0, ROW_BYTES * row);
        while lane < 4 {
            let mut byte = (row >> (2 * lane) & 3) as u8;
            while byte < 3 {
                table[to] = 4 * lane + byte;
                to += 1;
                byte += 1;
            }
            lane += 1;
        }
        row += 1;
    }
    table
};
