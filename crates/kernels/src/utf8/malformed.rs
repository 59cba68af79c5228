//! Malformed UTF-8, with U+FFFD in place of each error, to UTF-16 and to UTF-8.
//!
//! A finite automaton takes one byte at a time. Its state says which bytes may follow, and a table gives the next state
//! and what is to be written. No branch in the loops depends on the text;
//! [`alternately`](crate::base::malformed::alternately) says why. AVX-512 has bodies of its own.

use crate::base::malformed::{BYTES_IN_CHUNK, Convert, is_malformed};
use crate::base::*;

/// The number of errors that one damaged character of four bytes can cause; see
/// `docs/experiments.md#malformed-input`. After a single damaged character, the kernel goes on decoding. Where more
/// errors than this number are close to each other, [`utf8_to_utf16`] decodes.
const ERRORS_OF_ONE_CHARACTER: usize = 3;

/// Decodes UTF-8 with `kernel`, and writes `null` (U+FFFD) for errors. Stops before an error that follows
/// [`ERRORS_OF_ONE_CHARACTER`] others with fewer than [`BYTES_IN_CHUNK`] decoded bytes between each two. Returns
/// `(read, written)`.
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
            (Some(length), Some(room)) if near < ERRORS_OF_ONE_CHARACTER => {
                room.copy_from_slice(null);
                near += 1;
                (length, null.len())
            }
            _ => break,
        };
        if bytes == 0 {
            break;
        }
        if bytes >= BYTES_IN_CHUNK {
            near = 0;
        }
        (read, written) = (read + bytes, written + units);
    }
    (read, written)
}

/// The length of the malformed UTF-8 sequence that `source` starts with. `None` if `source` starts with a well-formed
/// sequence, or with one that the end of `source` cuts off.
#[inline(never)]
fn error_length(source: &[u8]) -> Option<usize> {
    let error = core::str::from_utf8(up_to(source, 4)).err()?;
    if error.valid_up_to() == 0 { error.error_len() } else { None }
}

/// Decodes UTF-8, with U+FFFD for each error, until a chunk has no errors. Returns `(read, written)`.
///
/// This is a finite automaton that takes one byte at a time. Its state says which bytes may follow. A table gives, for
/// the state and the class of the next byte, the next state and the code units to write.
pub(crate) fn utf8_to_utf16(source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    // A byte completes at most two errors or code units: U+FFFD for the sequence that it cuts off, and its own. The
    // stores of the last byte overwrite two more units.
    while let (Some(chunk), Some(room)) =
        (block::<_, BYTES_IN_CHUNK>(source, read), block_mut::<_, { 2 * BYTES_IN_CHUNK + 2 }>(destination, written))
    {
        let (mut state, mut code_point) = (NO_SEQUENCE, 0);
        let (mut length, mut errors) = (0, 0);
        for &byte in chunk {
            let class = CLASSES[usize::from(byte)];
            let step = TRANSITIONS[usize::from((state | class as u8) & 0x7F)];
            let [cut_off, wrong, complete] = [0, 1, 2].each(|flag| usize::from(step >> flag & 1));
            let first = u32::from(byte & LEADING_BITS[class as usize]);
            let next = code_point << 6 | u32::from(byte & 0x3F);
            code_point = select((state == NO_SEQUENCE) | (cut_off != 0), first, next);

            // `room` has two code units for each byte of the chunk and two more, so the loop never ends here.
            let Some(to) = block_mut::<_, 3>(room, length) else { break };
            to[0] = NULL;
            length += cut_off;
            let is_pair = (code_point > 0xFFFF) & (complete != 0);
            let leading = 0xD7C0_u16.wrapping_add((code_point >> 10) as u16);
            let unit = select(is_pair, leading, code_point as u16);
            to[cut_off & 1] = select(wrong != 0, NULL, unit);
            to[1 + (cut_off & 1)] = 0xDC00 | (code_point & 0x3FF) as u16;
            length += (wrong | complete) + usize::from(is_pair);
            errors += cut_off + wrong;
            state = step & STATE_BITS;
        }
        read += BYTES_IN_CHUNK - if state == NO_SEQUENCE { 0 } else { begun(chunk) };
        written += length;
        if !is_malformed(read, errors) {
            break;
        }
    }
    (read, written)
}

/// Copies UTF-8, with U+FFFD for each error, until a chunk has no errors. Returns `(read, written)`.
///
/// The automaton is that of [`utf8_to_utf16`]. The bytes of a sequence are copied before it is known whether the
/// sequence is well-formed: a byte that cuts the sequence off sets the place for the next byte back to where the
/// sequence started.
pub(crate) fn utf8_to_utf8(source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    const NULL: [u8; 4] = [0xEF, 0xBF, 0xBD, 0];
    let (mut read, mut written) = (0, 0);
    // U+FFFD takes three bytes for at least one byte that was read. The last store overwrites one more.
    while let (Some(chunk), Some(room)) =
        (block::<_, BYTES_IN_CHUNK>(source, read), block_mut::<_, { 3 * BYTES_IN_CHUNK + 1 }>(destination, written))
    {
        let (mut state, mut start) = (NO_SEQUENCE, 0);
        let (mut length, mut errors) = (0, 0);
        for &byte in chunk {
            let step = TRANSITIONS[usize::from((state | CLASSES[usize::from(byte)] as u8) & 0x7F)];
            let [cut_off, wrong] = [0, 1].each(|flag| usize::from(step >> flag & 1));
            // `room` has three bytes for each byte of the chunk and one more, so the loop never ends here.
            let at = select(cut_off != 0, start, length);
            let Some(to) = block_mut(room, at) else { break };
            *to = NULL;
            let at = at + 3 * cut_off;
            start = select((state == NO_SEQUENCE) | (cut_off != 0), at, start);
            let Some(to) = block_mut(room, at) else { break };
            *to = select(wrong != 0, NULL, [byte, 0, 0, 0]);
            length = at + 1 + 2 * wrong;
            errors += cut_off + wrong;
            state = step & STATE_BITS;
        }
        let is_begun = state != NO_SEQUENCE;
        read += BYTES_IN_CHUNK - if is_begun { begun(chunk) } else { 0 };
        written += if is_begun { start } else { length };
        if !is_malformed(read, errors) {
            break;
        }
    }
    (read, written)
}

/// The number of bytes of the sequence that the end of `chunk` cuts off. The sequence starts with the last byte that is
/// no continuation byte.
fn begun(chunk: &[u8]) -> usize {
    1 + chunk.iter().rev().take_while(|&&byte| byte < 0xC0).count()
}

/// The bits of a state, of which the lower four are free for a class of bytes. A state says which bytes continue the
/// sequence that has begun.
const STATE_BITS: u8 = 0xF0;
/// No sequence has begun.
const NO_SEQUENCE: u8 = 0x00;
/// One continuation byte is missing.
const NEEDS_ONE: u8 = 0x10;
/// Two continuation bytes are missing.
const NEEDS_TWO: u8 = 0x20;
/// Three continuation bytes are missing.
const NEEDS_THREE: u8 = 0x30;
/// The byte before is 0xE0: a byte from 0xA0 to 0xBF and one continuation byte are missing.
const AFTER_E0: u8 = 0x40;
/// The byte before is 0xED: a byte from 0x80 to 0x9F and one continuation byte are missing.
const AFTER_ED: u8 = 0x50;
/// The byte before is 0xF0: a byte from 0x90 to 0xBF and two continuation bytes are missing.
const AFTER_F0: u8 = 0x60;
/// The byte before is 0xF4: a byte from 0x80 to 0x8F and two continuation bytes are missing.
const AFTER_F4: u8 = 0x70;

/// A flag of a transition: write U+FFFD for the sequence that the byte cuts off.
const REPLACE_CUT_OFF: u8 = 0x01;
/// A flag of a transition: write U+FFFD for the byte itself.
const REPLACE_BYTE: u8 = 0x02;
/// A flag of a transition: the byte completes a character, which is to be written.
const WRITE_CHARACTER: u8 = 0x04;

/// A class of bytes. The bytes of a class lead to the same state from every state.
///
/// An enumeration and no number, so that the compiler knows how many classes there are: an index into a table with an
/// entry for each class needs no check.
#[derive(Clone, Copy)]
#[repr(u8)]
pub(crate) enum Class {
    Ascii,
    From80,
    From90,
    FromA0,
    Never,
    LeadsTwo,
    E0,
    LeadsThree,
    Ed,
    F0,
    LeadsFour,
    F4,
}

impl Class {
    /// The number of classes.
    pub(crate) const COUNT: usize = 12;

    /// The classes, each at the place that its number says.
    pub(crate) const ALL: [Class; Self::COUNT] = [
        Class::Ascii,
        Class::From80,
        Class::From90,
        Class::FromA0,
        Class::Never,
        Class::LeadsTwo,
        Class::E0,
        Class::LeadsThree,
        Class::Ed,
        Class::F0,
        Class::LeadsFour,
        Class::F4,
    ];
}

/// The class of each byte.
pub(crate) static CLASSES: [Class; 256] = {
    let mut classes = [Class::Ascii; 256];
    let mut byte = 0x80;
    while byte < 256 {
        classes[byte] = match byte {
            0x80..=0x8F => Class::From80,
            0x90..=0x9F => Class::From90,
            0xA0..=0xBF => Class::FromA0,
            0xC2..=0xDF => Class::LeadsTwo,
            0xE0 => Class::E0,
            0xED => Class::Ed,
            0xE1..=0xEF => Class::LeadsThree,
            0xF0 => Class::F0,
            0xF1..=0xF3 => Class::LeadsFour,
            0xF4 => Class::F4,
            _ => Class::Never,
        };
        byte += 1;
    }
    classes
};

/// For each class of a leading byte, the bits of the byte that belong to the code point.
static LEADING_BITS: [u8; Class::COUNT] = [0x7F, 0, 0, 0, 0, 0x1F, 0x0F, 0x0F, 0x0F, 0x07, 0x07, 0x07];

/// The transitions: for each state and class, the next state and the flags.
static TRANSITIONS: [u8; 128] = {
    let mut steps = [0; 128];
    let mut at = 0;
    while at < 8 * Class::COUNT {
        let (state, class) = ((at / Class::COUNT) as u8 * NEEDS_ONE, Class::ALL[at % Class::COUNT]);
        steps[(state | class as u8) as usize] = step(state, class);
        at += 1;
    }
    steps
};

/// The transition from `state` on a byte of `class`.
const fn step(state: u8, class: Class) -> u8 {
    match (state, class) {
        (NEEDS_ONE, Class::From80 | Class::From90 | Class::FromA0) => NO_SEQUENCE | WRITE_CHARACTER,
        (NEEDS_TWO, Class::From80 | Class::From90 | Class::FromA0)
        | (AFTER_E0, Class::FromA0)
        | (AFTER_ED, Class::From80 | Class::From90) => NEEDS_ONE,
        (NEEDS_THREE, Class::From80 | Class::From90 | Class::FromA0)
        | (AFTER_F0, Class::From90 | Class::FromA0)
        | (AFTER_F4, Class::From80) => NEEDS_TWO,
        (NO_SEQUENCE, Class::Ascii) => NO_SEQUENCE | WRITE_CHARACTER,
        (NO_SEQUENCE, Class::LeadsTwo) => NEEDS_ONE,
        (NO_SEQUENCE, Class::LeadsThree) => NEEDS_TWO,
        (NO_SEQUENCE, Class::LeadsFour) => NEEDS_THREE,
        (NO_SEQUENCE, Class::E0) => AFTER_E0,
        (NO_SEQUENCE, Class::Ed) => AFTER_ED,
        (NO_SEQUENCE, Class::F0) => AFTER_F0,
        (NO_SEQUENCE, Class::F4) => AFTER_F4,
        (NO_SEQUENCE, _) => NO_SEQUENCE | REPLACE_BYTE,
        // The byte ends the sequence too early. The byte is taken again as the first byte of a sequence.
        _ => step(NO_SEQUENCE, class) | REPLACE_CUT_OFF,
    }
}

/// The number of the state that follows the state `number` on a byte of `class`, if the byte may stand there. The
/// states have the numbers 0 to 7, and 0 says that no sequence has begun.
pub(crate) const fn next_if_well_formed(number: u8, class: Class) -> Option<u8> {
    let step = step(number << 4, class);
    if step & (REPLACE_CUT_OFF | REPLACE_BYTE) == 0 { Some(step >> 4) } else { None }
}
