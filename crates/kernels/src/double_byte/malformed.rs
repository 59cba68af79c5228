//! Malformed pairs of bytes, with U+FFFD in place of each error, without a branch on the text. AVX-512 has a body of
//! its own.

use super::tables::{ALONE, DoubleByte};
use crate::base::malformed::{BYTES_IN_CHUNK, is_malformed};
use crate::base::*;

/// Decodes single bytes and pairs of bytes, with U+FFFD for each error, until a chunk has no errors. Returns
/// `(read, written)`.
///
/// A malformed pair whose second byte is ASCII consumes only its first byte; any other malformed pair consumes both.
/// Where the next character starts therefore depends only on the ranges of the bytes, and no lookup in the table has to
/// wait for the lookup before.
pub(crate) fn to_utf16(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    let (table, columns) = (encoding.table(), encoding.columns());
    let (rows, singles, columns_of) = (encoding.rows(), encoding.singles(), encoding.trailing().of());
    let (mut read, mut written) = (0, 0);
    // One byte after the chunk belongs to a pair that starts with its last byte. Each byte makes at most one code unit,
    // and the last store overwrites one more.
    while let (Some(chunk), Some(room)) =
        (block::<_, { BYTES_IN_CHUNK + 1 }>(source, read), block_mut::<_, { BYTES_IN_CHUNK + 2 }>(destination, written))
    {
        let (mut at, mut length, mut errors) = (0, 0, 0);
        while at < BYTES_IN_CHUNK {
            let [first, second] = [chunk[at], chunk[at + 1]];
            let place = usize::from(first & 0x7F);
            let row = select(first.is_ascii(), ALONE, rows[place]);
            let single = select(first.is_ascii(), first.into(), singles[place]);
            let column = columns_of[usize::from(second)];
            let place = usize::from(row) * usize::from(columns) + usize::from(column);
            let is_pair = row != ALONE;
            let unit = table.get(place).copied().unwrap_or(NULL);
            let mut unit = select(is_pair, unit, single);
            if is_pair & (unit == NULL) {
                unit = encoding.other(after(chunk, at));
            }
            if is_surrogate(unit) {
                return (read + at, written + length);
            }
            let is_error = unit == NULL;
            // `room` has one code unit for each byte of the chunk and two more, so the loop never ends here.
            let Some(to) = block_mut(room, length) else { break };
            *to = [unit, second.into()];
            at += 1 + usize::from(is_pair);
            length += 1 + usize::from(is_error & is_pair & second.is_ascii());
            errors += usize::from(is_error);
        }
        (read, written) = (read + at, written + length);
        if !is_malformed(read, errors) {
            break;
        }
    }
    (read, written)
}
