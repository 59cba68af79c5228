//! UTF-8, without vector instructions.

pub(crate) use super::validation::valid_up_to;

use crate::base::*;

/// Copies the well-formed prefix of `source`, or as many whole characters of it as fit, and returns the number of
/// bytes.
pub(crate) fn copy(source: &[u8], destination: &mut [u8]) -> usize {
    let length = valid_up_to(up_to(source, destination.len()));
    for (to, from) in destination.iter_mut().zip(up_to(source, length)) {
        *to = *from;
    }
    length
}

/// `source` without the incomplete sequence at its end, if there is one.
#[inline]
pub(crate) fn whole(source: &[u8]) -> &[u8] {
    up_to(source, source.len() - begun(source))
}

/// The number of bytes of an incomplete sequence at the end of `done`. All of `done` before that sequence is
/// well-formed.
#[inline]
pub(crate) fn begun(done: &[u8]) -> usize {
    match *done {
        [.., 0xC0..=0xFF] => 1,
        [.., 0xE0..=0xFF, _] => 2,
        [.., 0xF0..=0xFF, _, _] => 3,
        _ => 0,
    }
}
