//! Patching: conversion of text in which most characters are ASCII.
//!
//! A block is copied as if it were all ASCII. Then each character that is not ASCII is written at its place, and the
//! text after it is copied again, to its new position:
//!
//! ```text
//! bytes      c  a  f  E9 20 n  o  ..
//! copied     c  a  f  E9 20 n  o  ..
//! patched    c  a  f  C3 A9 20 n  o  ..
//! ```
//!
//! No branch asks whether a character is ASCII, which the processor cannot predict. Only the number of patches in a
//! block decides a branch.

use crate::base::blocks::{block, block_mut};

/// Items that a block reads: 64, and after them the rest of a last character and the items that are copied with it.
pub(crate) const BLOCK_READS_ITEMS: usize = 98;

/// Converts up to 64 items of `from`; more if the last character continues after them. Returns `(read, written)`, and
/// whether `put` stopped the conversion.
///
/// * The bits of `beyond` are the first items of characters that are not ASCII. The lowest one is in the first half.
/// * `put` converts such a character. It gets the four items of `from` and of `room` that begin with the character, and
///   its places in both. It returns the number of items that the character has in the source (one to three) and in the
///   destination; `None` stops before the character.
/// * `copy` copies or widens `N` items of ASCII. A block in which more than `N` items of ASCII stand between two such
///   characters ends after `N` of these items.
/// * The caller has copied the first half of the items already.
///
/// Invariant of the loop: items before `end` are converted, and the `N` items after `end` are copied to their right
/// position.
#[inline(always)]
pub(crate) fn patch<S, D, const N: usize, const SPACE_ITEMS: usize>(
    from: &[S; BLOCK_READS_ITEMS],
    mut beyond: u64,
    room: &mut [D; SPACE_ITEMS],
    copy: impl Fn(&[S; N], &mut [D; N]),
    mut put: impl FnMut(&[S; 4], &mut [D; 4], usize, usize) -> Option<(usize, usize)>,
) -> (usize, usize, bool) {
    // The distance by which the next item is written further on than it is read. The distance may be negative, so the
    // arithmetic wraps.
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
        let (first, _) = room.split_first_chunk_mut().expect("`room` has 36 items");
        let Some((read, written)) = put(next, first, at, to) else { return (at, to, true) };
        // `put` reads at most three items; the mask shows the compiler that `end` stays inside of `from`.
        end = at + (read & 3);
        let (Some(next), Some(room)) = (block(from, end), block_mut(room, written)) else { return (at, to, true) };
        copy(next, room);
        shift = shift.wrapping_add(written).wrapping_sub(read);
    }
    // The `N` items after `end` are converted, but none after the 64 items of the block.
    let read = end.max(64.min(end + N));
    (read, read.wrapping_add(shift), false)
}
