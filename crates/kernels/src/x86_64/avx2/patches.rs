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

/// What a block reads: 32 items, and behind them what a last character has and what is copied with it.
pub(super) const AHEAD: usize = 66;

/// Converts 32 items of `from`, and more if the last character goes on behind them. Bits of `beyond` are the characters that
/// `put` converts: it returns how many items these read and write, two to three and one to four, or `None` to stop before one.
/// Returns `(read, written)`; less than 32 are read only if it stopped.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn patch<S, D, const ROOM: usize>(
    from: &[S; AHEAD],
    mut beyond: u32,
    room: &mut [D; ROOM],
    copy: impl Fn(&[S; 32], &mut [D; 32]),
    put: impl Fn(&[S; 4], &mut [D; 4]) -> Option<(usize, usize)>,
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    loop {
        let (Some(next), Some(to)) = (block(from, read), block_mut(room, written)) else { return (read, written) };
        copy(next, to);
        if beyond == 0 {
            break;
        }
        let at = beyond.trailing_zeros() as usize;
        beyond &= beyond - 1;
        written += at - read;
        read = at;
        let (Some(next), Some(to)) = (block(from, read), block_mut(room, written)) else { return (read, written) };
        let Some((items_read, items_written)) = put(next, to) else { return (read, written) };
        read += items_read;
        written += items_written;
    }
    if read < 32 {
        written += 32 - read;
        read = 32;
    }
    (read, written)
}
