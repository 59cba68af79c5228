//! Text with U+FFFD in place of errors, where errors are close to each other.
//!
//! In malformed text nobody can predict what the next byte is, and a wrong guess takes as long as ten characters. So no branch here
//! depends on that. AVX-512 has bodies of its own for UTF-8 and pairs of bytes; this is for all other levels.

use core::hint::select_unpredictable;

use crate::{
    blocks::{after, after_mut, block, block_mut, up_to},
    double_byte::{ALONE, DoubleByte, NULL, is_surrogate},
};

/// Converts a prefix. Returns `(read, written)`.
pub(crate) type Convert<'a, U> = dyn Fn(&[u8], &mut [U]) -> (usize, usize) + 'a;

/// Converts with a kernel up to errors and with `replace` as long as errors are near to each other. Returns `(read, written)`.
#[inline(never)]
pub(crate) fn alternately<U>(
    source: &[u8],
    destination: &mut [U],
    kernel: &Convert<'_, U>,
    replace: &Convert<'_, U>,
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    loop {
        let (bytes, units) = kernel(after(source, read), after_mut(destination, written));
        (read, written) = (read + bytes, written + units);
        let (bytes, units) = replace(after(source, read), after_mut(destination, written));
        if bytes == 0 {
            return (read, written);
        }
        (read, written) = (read + bytes, written + units);
    }
}

/// Bytes that are converted before anybody asks whether there were errors among them.
const CHUNK: usize = 16;

/// Errors that a damaged character can make.
const OF_ONE: usize = 3;

/// Converts UTF-8 with a kernel, and writes `null` for errors, until there are more than those of one character near to each
/// other. Returns `(read, written)`.
pub(crate) fn utf8_with_few_errors<U: Copy>(
    source: &[u8],
    destination: &mut [U],
    null: &[U],
    kernel: &Convert<'_, U>,
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    let mut near = 0;
    loop {
        let (rest, room) = (after(source, read), after_mut(destination, written));
        let (bytes, units) = match (error_length(rest), room.get_mut(..null.len())) {
            (None, _) => kernel(rest, room),
            (Some(length), Some(room)) if near < OF_ONE => {
                room.copy_from_slice(null);
                near += 1;
                (length, null.len())
            }
            _ => break,
        };
        if bytes == 0 {
            break;
        }
        if bytes >= CHUNK {
            near = 0;
        }
        (read, written) = (read + bytes, written + units);
    }
    (read, written)
}

/// The length of an error of UTF-8 at the front. What the end cuts off is no error yet.
#[inline(never)]
fn error_length(source: &[u8]) -> Option<usize> {
    let error = core::str::from_utf8(up_to(source, 4)).err()?;
    if error.valid_up_to() == 0 { error.error_len() } else { None }
}

/// Whether to go on behind a chunk with so many errors: the first one starts with one.
fn is_malformed(read: usize, errors: usize) -> bool {
    errors > usize::from(read <= CHUNK)
}

/// Converts UTF-8 until errors have become rare. Returns `(read, written)`.
///
/// An automaton, a byte a step.
pub(crate) fn utf8_to_utf16(source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    // A byte becomes two units at most: U+FFFD for what ends before it, and a unit of its own. Two more are written to.
    while let (Some(chunk), Some(room)) =
        (block::<_, CHUNK>(source, read), block_mut::<_, { 2 * CHUNK + 2 }>(destination, written))
    {
        let (mut state, mut code_point) = (START, 0);
        let (mut length, mut errors) = (0, 0);
        for &byte in chunk {
            let class = CLASSES[usize::from(byte)];
            let step = STEPS[usize::from((state | class) & 0x7F)];
            let [cut_off, wrong, complete] = [0, 1, 2].map(|flag| usize::from(step >> flag & 1));
            let first = u32::from(byte & LEADING_BITS[usize::from(class & 0xF)]);
            let next = code_point << 6 | u32::from(byte & 0x3F);
            code_point = select_unpredictable((state == START) | (cut_off != 0), first, next);

            // There is room for all of the chunk.
            let Some(to) = block_mut::<_, 3>(room, length) else { break };
            to[0] = NULL;
            length += cut_off;
            let is_pair = (code_point > 0xFFFF) & (complete != 0);
            let leading = 0xD7C0_u16.wrapping_add((code_point >> 10) as u16);
            let unit = select_unpredictable(is_pair, leading, code_point as u16);
            to[cut_off & 1] = select_unpredictable(wrong != 0, NULL, unit);
            to[1 + (cut_off & 1)] = 0xDC00 | (code_point & 0x3FF) as u16;
            length += (wrong | complete) + usize::from(is_pair);
            errors += cut_off + wrong;
            state = step & STATE;
        }
        read += CHUNK - if state == START { 0 } else { begun(chunk) };
        written += length;
        if !is_malformed(read, errors) {
            break;
        }
    }
    (read, written)
}

/// How many bytes the sequence has that the end of `chunk` cuts off: from its leading byte on.
fn begun(chunk: &[u8]) -> usize {
    1 + chunk.iter().rev().take_while(|&&byte| byte < 0xC0).count()
}

/// The state of the automaton, with the lower half free for a class: what the sequence that has begun goes on with.
const STATE: u8 = 0xF0;
const START: u8 = 0x00;
const ONE: u8 = 0x10;
const TWO: u8 = 0x20;
const THREE: u8 = 0x30;
/// 0xA0 to 0xBF, and one more. The next ones are alike.
const BEHIND_E0: u8 = 0x40;
const BEHIND_ED: u8 = 0x50;
const BEHIND_F0: u8 = 0x60;
const BEHIND_F4: u8 = 0x70;

/// What a step does besides going on to a state: U+FFFD for the sequence before the byte.
const CUT_OFF: u8 = 0x01;
/// U+FFFD for the byte.
const WRONG: u8 = 0x02;
/// A character that ends with the byte.
const COMPLETE: u8 = 0x04;

/// Classes of bytes.
const ASCII: u8 = 0;
const FROM_80: u8 = 1;
const FROM_90: u8 = 2;
const FROM_A0: u8 = 3;
const NEVER: u8 = 4;
const LEADS_TWO: u8 = 5;
const E0: u8 = 6;
const LEADS_THREE: u8 = 7;
const ED: u8 = 8;
const F0: u8 = 9;
const LEADS_FOUR: u8 = 10;
const F4: u8 = 11;

static CLASSES: [u8; 256] = {
    let mut classes = [ASCII; 256];
    let mut byte = 0x80;
    while byte < 256 {
        classes[byte] = match byte {
            0x80..=0x8F => FROM_80,
            0x90..=0x9F => FROM_90,
            0xA0..=0xBF => FROM_A0,
            0xC2..=0xDF => LEADS_TWO,
            0xE0 => E0,
            0xED => ED,
            0xE1..=0xEF => LEADS_THREE,
            0xF0 => F0,
            0xF1..=0xF3 => LEADS_FOUR,
            0xF4 => F4,
            _ => NEVER,
        };
        byte += 1;
    }
    classes
};

/// The bits of a code point that the first byte of a sequence has, by its class.
static LEADING_BITS: [u8; 16] = [0x7F, 0, 0, 0, 0, 0x1F, 0x0F, 0x0F, 0x0F, 0x07, 0x07, 0x07, 0, 0, 0, 0];

/// By state and class.
static STEPS: [u8; 128] = {
    let mut steps = [0; 128];
    let mut at = 0;
    while at < 128 {
        steps[at] = step(at as u8 & STATE, at as u8 & !STATE);
        at += 1;
    }
    steps
};

const fn step(state: u8, class: u8) -> u8 {
    match (state, class) {
        (ONE, FROM_80 | FROM_90 | FROM_A0) => START | COMPLETE,
        (TWO, FROM_80 | FROM_90 | FROM_A0) | (BEHIND_E0, FROM_A0) | (BEHIND_ED, FROM_80 | FROM_90) => ONE,
        (THREE, FROM_80 | FROM_90 | FROM_A0) | (BEHIND_F0, FROM_90 | FROM_A0) | (BEHIND_F4, FROM_80) => TWO,
        (START, ASCII) => START | COMPLETE,
        (START, LEADS_TWO) => ONE,
        (START, LEADS_THREE) => TWO,
        (START, LEADS_FOUR) => THREE,
        (START, E0) => BEHIND_E0,
        (START, ED) => BEHIND_ED,
        (START, F0) => BEHIND_F0,
        (START, F4) => BEHIND_F4,
        (START, _) => START | WRONG,
        // The byte is read again.
        _ => step(START, class) | CUT_OFF,
    }
}

/// Converts bytes and pairs of bytes until errors have become rare. Returns `(read, written)`.
///
/// A byte of ASCII that a malformed pair ends with is itself; any other belongs to the pair. So the ranges of bytes alone say
/// where the next character starts, and no look at the table waits for the one before.
pub(crate) fn double_byte_to_utf16(
    encoding: &DoubleByte<'_>,
    source: &[u8],
    destination: &mut [u16],
) -> (usize, usize) {
    let &DoubleByte { table, columns, rows, singles, trailing, others, .. } = encoding;
    let null = table.len() - 1;
    let (mut read, mut written) = (0, 0);
    // The last byte may lead another. A byte becomes one unit at most. One more is written to.
    while let (Some(chunk), Some(room)) =
        (block::<_, { CHUNK + 1 }>(source, read), block_mut::<_, { CHUNK + 2 }>(destination, written))
    {
        let (mut at, mut length, mut errors) = (0, 0, 0);
        while at < CHUNK {
            let [first, second] = [chunk[at], chunk[at + 1]];
            let place = usize::from(first & 0x7F);
            let row = select_unpredictable(first.is_ascii(), ALONE, rows[place]);
            let single = select_unpredictable(first.is_ascii(), first.into(), singles[place]);
            let column = trailing.of[usize::from(second)];
            let place = usize::from(row) * usize::from(columns) + usize::from(column);
            let is_pair = row != ALONE;
            let unit = table[place.min(null)];
            let mut unit = select_unpredictable(is_pair, unit, single);
            if is_pair & (unit == NULL) {
                unit = others(after(chunk, at));
            }
            if is_surrogate(unit) {
                return (read + at, written + length);
            }
            let is_error = unit == NULL;
            // There is room for all of the chunk.
            let Some(to) = block_mut(room, length) else { break };
            *to = [unit, second.into()];
            at += 1 + usize::from(is_pair);
            length += 1 + usize::from(is_error & is_pair & second.is_ascii());
            errors += usize::from(is_error);
        }
        read += at;
        written += length;
        if !is_malformed(read, errors) {
            break;
        }
    }
    (read, written)
}

/// Reads UTF-16LE, or with `turn` 8 UTF-16BE, as much as fits, but no leading surrogate at the very end. Returns how many code
/// units.
pub(crate) fn utf16_from_bytes(source: &[u8], destination: &mut [u16], turn: u32) -> usize {
    let unit = |pair: [u8; 2]| u16::from_le_bytes(pair).rotate_left(turn);
    let is_leading = |unit: u16| unit & 0xFC00 == 0xD800;
    let is_trailing = |unit: u16| unit & 0xFC00 == 0xDC00;
    let paired = |before: u16, this: u16, after: u16| {
        let is_wrong = is_leading(this) & !is_trailing(after) | is_trailing(this) & !is_leading(before);
        if is_wrong { NULL } else { this }
    };
    let (pairs, _) = source.as_chunks();
    // The compiler makes vectors of this.
    let neighbours = pairs.iter().zip(pairs.iter().skip(1)).zip(pairs.iter().skip(2));
    for (to, ((&before, &this), &after)) in destination.iter_mut().skip(1).zip(neighbours) {
        *to = paired(unit(before), unit(this), unit(after));
    }
    // The first and the last have a neighbour less.
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
