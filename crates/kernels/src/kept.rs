//! Leaving lanes out: which are kept, for levels that do so by shuffles.

/// By the bits of the first seven of eight lanes, which are kept: the numbers of these, in order, from the lowest byte on, and
/// that of the eighth: if it is not kept, it is behind all that are.
///
/// On x86-64 not by `pext`: early processors with AVX2 take a hundred times as long for it.
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
