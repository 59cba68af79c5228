//! The bytes of x-user-defined, without vector instructions.

use crate::private_use::code_unit;

/// The body of [`crate::private_use::to_utf16`]. The compiler makes vectors of this loop, because it needs no table.
#[inline(never)]
pub(crate) fn to_utf16(source: &[u8], destination: &mut [u16]) -> usize {
    for (to, &byte) in destination.iter_mut().zip(source) {
        *to = code_unit(byte);
    }
    source.len().min(destination.len())
}
