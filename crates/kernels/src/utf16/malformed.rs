//! Malformed UTF-16 in bytes, with U+FFFD in place of each unpaired surrogate.

use crate::base::*;

/// Reads UTF-16LE if `rotation` is 0, or UTF-16BE if `rotation` is 8, with U+FFFD for each unpaired surrogate, as much
/// as fits. A leading surrogate at the very end is left unread. Returns the number of code units.
pub(crate) fn from_bytes(source: &[u8], destination: &mut [u16], rotation: u32) -> usize {
    let unit = |pair: [u8; 2]| u16::from_le_bytes(pair).rotate_left(rotation);
    let is_leading = |unit: u16| unit & 0xFC00 == 0xD800;
    let is_trailing = |unit: u16| unit & 0xFC00 == 0xDC00;
    let paired = |before: u16, this: u16, after: u16| {
        let is_wrong = is_leading(this) & !is_trailing(after) | is_trailing(this) & !is_leading(before);
        if is_wrong { NULL } else { this }
    };
    let (pairs, _) = chunks(source);
    // Each code unit depends on the one before it and the one after it. The compiler vectorizes this loop.
    let neighbours = pairs.iter().zip(pairs.iter().skip(1)).zip(pairs.iter().skip(2));
    for (to, ((&before, &this), &after)) in destination.iter_mut().skip(1).zip(neighbours) {
        *to = paired(unit(before), unit(this), unit(after));
    }
    // The first code unit has none before it, and the last one none after it.
    let length = pairs.len().min(destination.len());
    let at = |place: usize| pairs[..length].get(place).map_or(0, |&pair| unit(pair));
    if let Some(first) = destination.first_mut() {
        *first = paired(0, at(0), at(1));
    }
    let Some(last) = length.checked_sub(1) else { return 0 };
    if last > 0 {
        destination[last] = paired(at(last - 1), at(last), 0);
    }
    length - usize::from(is_leading(at(last)))
}
