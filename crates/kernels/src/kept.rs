//! A table for dropping lanes of a vector, for the levels that do so by shuffles.

/// Which lanes a shuffle takes to move the lanes that are kept together, by the bits of the first seven of eight lanes
/// (1: the lane is kept). An entry is eight bytes, from the lowest on: first the numbers of those of the seven lanes
/// that are kept, in ascending order, then the number 7. The eighth lane is always moved, because it comes last: if it
/// is not kept, it lies after all lanes that are.
///
/// On x86-64, `pext` could compute an entry. AMD's processors before Zen 3 have AVX2, but take about a hundred times as
/// long for `pext` as for a load.
pub(crate) static KEPT: [u64; 128] = {
    let mut table = [0; 128];
    let mut bits = 0;
    while bits < 128 {
        let (mut lane, mut to) = (0, 0);
        while lane < 8 {
            if (bits | 0x80) >> lane & 1 == 1 {
                table[bits] |= lane << (8 * to);
                to += 1;
            }
            lane += 1;
        }
        bits += 1;
    }
    table
};
