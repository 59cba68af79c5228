//! Text of which much is ASCII.
//!
//! A block is copied as if it were ASCII. Then each character that is not is put in its place, and what comes after it is
//! copied once more, to where it belongs:
//!
//! ```text
//! bytes      c  a  f  E9 20 n  o  ..
//! copied     c  a  f  E9 20 n  o  ..
//! patched    c  a  f  C3 A9 20 n  o  ..
//! ```
//!
//! There is no branch on what is ASCII, which nobody can predict, but at the end of a block.

use crate::blocks::{block, block_mut};

/// What a block reads: 64 items, and behind them what a last character has and what is copied with it.
pub(super) const AHEAD: usize = 98;

/// Converts up to 64 items of `from`, and more if the last character goes on behind them. Bits of `beyond`, of which the lowest
/// one is among the first half, are the characters that `put` converts: it returns how many items these read, one to three, and
/// write, or `None` to stop before one. `copy` copies `N` items; what more items of ASCII than that are before is left. The first
/// half is copied already. Returns `(read, written)`, and whether it stopped.
#[inline(always)]
pub(super) fn patch<S, D, const N: usize, const ROOM: usize>(
    from: &[S; AHEAD],
    mut beyond: u64,
    room: &mut [D; ROOM],
    copy: impl Fn(&[S; N], &mut [D; N]),
    put: impl Fn(&[S; 4], &mut [D; 4]) -> Option<(usize, usize)>,
) -> (usize, usize, bool) {
    // How much further what comes next is written than it is read; wrapping.
    let mut shift = 0_usize;
    let mut end = 0;
    while beyond != 0 {
        let at = beyond.trailing_zeros() as usize;
        if at > end + N {
            break;
        }
        beyond &= beyond - 1;
        let to = at.wrapping_add(shift);
        let (Some(next), Some(room)) = (block(from, at), block_mut::<_, 36>(room, to)) else { return (at, to, true) };
        let (first, _) = room.split_first_chunk_mut().expect("more than four");
        let Some((read, written)) = put(next, first) else { return (at, to, true) };
        // The compiler sees that it is inside.
        end = at + (read & 3);
        let (Some(next), Some(room)) = (block(from, end), block_mut(room, written)) else { return (at, to, true) };
        copy(next, room);
        shift = shift.wrapping_add(written).wrapping_sub(read);
    }
    let read = end.max(64.min(end + N));
    (read, read.wrapping_add(shift), false)
}
