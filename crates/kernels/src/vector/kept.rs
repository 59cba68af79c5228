//! A table for dropping lanes of a vector, for the levels that do so by shuffles.

/// For eight lanes of which some are kept, the order in which a shuffle has to take the lanes so that the kept lanes
/// come first. The index has one bit for each of the first seven lanes: 1 if the lane is kept. An entry is eight bytes,
/// from the lowest on: first the numbers of the kept lanes among the first seven, in ascending order, then the number
/// 7. The eighth lane is always moved, because it comes last: if it is not kept, it lies after all lanes that are.
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
